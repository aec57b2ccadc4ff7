"""How an identity is written: pronouns by case, titles, gendered nouns, verb agreement, Spanish endings."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from judgekit.blinding.cues import lexicon
from judgekit.blinding.fold import fold
from judgekit.blinding.language import SUPPORTED
from judgekit.records import NameForms

__all__ = ["CASES", "agree_plural", "cased", "ending", "gender_of", "neutral_noun", "noun", "pronoun", "title"]

CASES = ("subject", "object", "possessive", "absolute", "reflexive")
_SETS: Mapping[str, tuple[str, str, str, str, str]] = {
    "f": ("she", "her", "her", "hers", "herself"),
    "m": ("he", "him", "his", "his", "himself"),
    "n": ("they", "them", "their", "theirs", "themself"),
    "xe": ("xe", "xem", "xyr", "xyrs", "xemself"),
    "ze": ("ze", "zir", "zir", "zirs", "zirself"),
    "fae": ("fae", "faer", "faer", "faers", "faerself"),
    "ey": ("ey", "em", "eir", "eirs", "emself"),
}
_SPANISH = {"f": "ella", "m": "él", "n": "elle"}
_FEMALE = frozenset("she her hers ella f ms mrs miss sra señora srta señorita doña".split())
_MALE = frozenset("he him his el él m mr sr señor don".split())
_PLURAL_VERBS = {
    "is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "wasn't": "weren't", "hasn't": "haven't",
    "doesn't": "don't", "isn’t": "aren’t", "wasn’t": "weren’t", "hasn’t": "haven’t", "doesn’t": "don’t", "goes": "go",
}  # fmt: skip
_STRESSED = str.maketrans("aeiou", "áéíóú")
_NOT_VERBS = frozenset("always perhaps thus besides sometimes yes this its".split())


def gender_of(forms: NameForms) -> str:
    """``f``, ``m`` or ``n`` (neither, or not stated) of an identity: its pronouns decide, then its title.

    Examples
    --------
    >>> gender_of(NameForms(given="Ana", pronouns="she/her")), gender_of(NameForms(given="Sam"))
    ('f', 'n')
    """
    for source in (forms.pronouns, forms.title):
        words = (source or "").lower().replace("/", " ").replace(".", " ").split()
        if words:
            return "f" if words[0] in _FEMALE else "m" if words[0] in _MALE else "n"
    return "n"


def pronoun(forms: NameForms, case: str, lang: str) -> str:
    """The identity's pronoun in a case of `CASES`.

    Examples
    --------
    >>> pronoun(NameForms(given="Xan", pronouns="xe/xem"), "reflexive", "en")
    'xemself'
    """
    gender = gender_of(forms)
    if lang == "es":
        return _SPANISH[gender]
    first = (forms.pronouns or "").lower().split("/")[0].strip()
    own = _SETS.get(first) if gender == "n" else None
    return (own or _SETS[gender])[CASES.index(case)]


def title(forms: NameForms, surface: str, form: str, lang: str) -> str:
    """A title or form of address for the identity in the place of ``surface``."""
    gender = gender_of(forms)
    bare = surface.rstrip(".").lower()
    if lang == "es":
        full = {"f": "señora", "m": "señor", "n": "señore"}
        short = {"f": "Sra", "m": "Sr", "n": "Sre"}
        if bare in {"señor", "señora", "señorita"}:
            return full[gender]
        if bare in {"don", "doña"}:
            return {"f": "doña", "m": "don", "n": "don"}[gender]
        if bare in {"dr", "dra"}:
            return {"f": "Dra", "m": "Dr", "n": "Dr"}[gender]
        return forms.title.rstrip(".") if forms.title and bare in {"sr", "sra", "srta"} else short[gender]
    if " name" not in form:
        return {"f": "madam", "m": "sir", "n": "friend"}[gender]
    return forms.title.rstrip(".") if forms.title else {"f": "Ms", "m": "Mr", "n": "Mx"}[gender]


@lru_cache(maxsize=4)
def _pairs(lang: str) -> dict[str, dict[str, list[str]]]:
    pairs: dict[str, dict[str, list[str]]] = {}
    for cue in lexicon(lang).pairs:
        pairs.setdefault(cue.shown, {"f": [], "m": []})[cue.form].append(cue.text)
    return pairs


_NEUTRAL = {
    "[SOMEONE]": "person", "[PEOPLE]": "people", "[WAITER]": "server", "[WAITERS]": "servers", "[ACTOR]": "actor",
    "[STEWARD]": "flight attendant", "[STEWARDS]": "flight attendants", "[PIBLING]": "relative", "[PIBLINGS]": "relatives",
    "[NIBLING]": "relative", "[NIBLINGS]": "relatives", "[WIDOWED]": "widowed person",
    "[EX-SPOUSE]": "ex-spouse", "[EX-PARTNER]": "ex-partner", "[PARENT-IN-LAW]": "parent-in-law",
    "[CHILD-IN-LAW]": "child-in-law", "[SIBLING-IN-LAW]": "sibling-in-law", "[CÓNYUGE]": "cónyuge", "[PAREJA]": "pareja",
    "[JUEZ-JUEZA]": "juez", "[ALCALDE-SA]": "alcalde", "[HUESPED-A]": "huésped", "[REY-REINA]": "monarca",
    "[YERNO-NUERA]": "pariente", "[ACTOR-ACTRIZ]": "intérprete",
    "[PERSONA]": "persona", "[PERSONAS]": "personas", "[PROGENITOR]": "progenitor",
}  # fmt: skip


def neutral_noun(shown: str) -> str:
    """A word for a placeholder's noun that tells no gender.

    Examples
    --------
    >>> neutral_noun("[SPOUSE]"), neutral_noun("[WAITER]"), neutral_noun("[HIJO-A]"), neutral_noun("[CLIENTE-A]")
    ('spouse', 'server', 'hije', 'cliente')
    """
    if shown in _NEUTRAL:
        return _NEUTRAL[shown]
    bare = shown.strip("[]").lower()
    # Nouns in -e, such as cliente and jefe, go with anybody as they are.
    for tail, new in (("os-as", "es"), ("o-a", "e"), ("e-a", "e"), ("-a", "e")):
        if bare.endswith(tail):
            return bare[: -len(tail)] + new
    return bare.replace("-", " ")


def noun(gender: str, shown: str, surface: str, lang: str) -> str:
    """The gendered noun of the identity's gender that pairs with ``surface``.

    Examples
    --------
    >>> noun("m", "[CLIENTE-A]", "clienta", "es"), noun("f", "[CLIENTE-A]", "cliente", "es"), noun("m", "[DOCTOR-A]", "doctora", "es")
    ('cliente', 'cliente', 'doctor')
    """
    # A text of a language without words of its own was masked by the English ones.
    sides = _pairs(lang if lang in SUPPORTED else "en").get(shown)
    if gender in {"f", "m"} and sides is None and lang == "es" and shown.endswith("-A]"):
        return _spanish_noun(gender, shown.strip("[]").lower().removesuffix("-a"), surface)
    if gender == "n" or sides is None or not sides[gender]:
        return neutral_noun(shown)
    key = fold(surface).words
    other = sides["m" if gender == "f" else "f"]
    position = next((k for k, word in enumerate(other) if fold(word).words == key), 0)
    return sides[gender][min(position, len(sides[gender]) - 1)]


def _spanish_noun(gender: str, male: str, surface: str) -> str:
    """A noun that no list pairs: from its masculine, as the placeholder shows it without accents."""
    if male.endswith("e"):
        # La cliente is as right as la clienta, so that a form in -e stays; one in -a is changed for a man alone.
        return male if gender == "m" or surface[-1:].lower() == "e" else male[:-1] + "a"
    if male.endswith("o"):
        return male if gender == "m" else male[:-1] + "a"
    if gender == "f":
        return male + "a"
    # Campeona, but campeón: the stress stays on the same vowel.
    return male[:-2] + male[-2].translate(_STRESSED) + "n" if male[-1:] == "n" and len(male) > 3 else male


def ending(surface: str, gender: str) -> str:
    """A Spanish adjective, participle or clitic in the identity's gender.

    Examples
    --------
    >>> ending("molesto", "f"), ending("interesadas", "m"), ending("la", "n")
    ('molesta', 'interesados', 'le')
    """
    vowels = {"f": "a", "m": "o", "n": "e"}
    low = surface.lower()
    if low.endswith(("dora", "tora", "sora", "dor", "tor", "sor")) and len(surface) > 5:
        bare = surface[:-1] if low.endswith("a") else surface
        return bare + ("" if gender == "m" else vowels[gender])
    stem, tail = (surface[:-1], surface[-1:]) if surface[-1:].lower() == "s" and len(surface) > 3 else (surface, "")
    vowel = vowels[gender]
    if stem[-1:].lower() in {"a", "o", "e", "x", "@"}:
        return stem[:-1] + (vowel.upper() if stem[-1:].isupper() else vowel) + tail
    return surface + ("a" if gender == "f" else "")


def agree_plural(verb: str) -> str:
    """A verb that follows "they": ``says`` becomes ``say``; anything else stays.

    Examples
    --------
    >>> [agree_plural(v) for v in ("says", "is", "signed", "watches", "carries", "misses")]
    ['say', 'are', 'signed', 'watch', 'carry', 'miss']
    """
    if verb in _PLURAL_VERBS:
        return _PLURAL_VERBS[verb]
    if not verb.isalpha() or not verb.endswith("s") or verb.endswith(("ss", "us")) or verb in _NOT_VERBS:
        return verb
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return verb[:-2]
    return verb[:-1]


def cased(word: str, like: str) -> str:
    """A word in upper case or with a capital where the form ``like`` says so."""
    if ".upper" in like:
        return word.upper()
    if ".capital" in like:
        return word[:1].upper() + word[1:]
    return word.lower() if ".lower" in like else word
