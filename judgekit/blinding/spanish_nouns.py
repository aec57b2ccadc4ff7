"""Spanish nouns that tell gender, and the articles and determiners before them."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Set as AbstractSet

import regex

from judgekit.blinding.copulas import adjectival
from judgekit.blinding.cues import Lexicon, guarded_words, rule_words
from judgekit.blinding.fold import Span, View
from judgekit.blinding.origins import nation_word
from judgekit.blinding.roles import in_a_role, named_between, of_mine, set_off
from judgekit.blinding.spanish_words import (
    both_forms,
    case_of,
    mark,
    next_start,
    raw_word,
    second_person,
    stressed_verb,
    subject_is_person,
)

__all__ = ["find_determiners", "find_nouns", "said_of_somebody"]

_ARTICLES = {"el": "el", "la": "el", "los": "los", "las": "los", "un": "un", "una": "un", "unos": "unos", "unas": "unos",
             "al": "a el", "del": "de el", "le": "el", "une": "un"}  # fmt: skip
_SHOWN = {"el": "[EL-LA]", "los": "[LOS-LAS]", "un": "[UN-UNA]", "unos": "[UNOS-AS]"}
_CONTRACTED = {"a": "[AL-A-LA]", "de": "[DEL-DE-LA]"}
_DETERMINERS = {"este": "ESTE-A", "esta": "ESTE-A", "ese": "ESE-A", "esa": "ESE-A", "aquel": "AQUEL-LA", "aquella": "AQUEL-LA",
                "nuestro": "NUESTRO-A", "nuestra": "NUESTRO-A", "otro": "OTRO-A", "otra": "OTRO-A", "nuevo": "NUEVO-A",
                "nueva": "NUEVO-A", "antiguo": "ANTIGUO-A", "antigua": "ANTIGUO-A", "buen": "BUENO-A", "buena": "BUENO-A",
                "primer": "PRIMERO-A", "primera": "PRIMERO-A", "propio": "PROPIO-A", "propia": "PROPIO-A",
                "vuestro": "VUESTRO-A", "vuestra": "VUESTRO-A", "algun": "ALGUNO-A", "alguna": "ALGUNO-A",
                "ningun": "NINGUNO-A", "ninguna": "NINGUNO-A", "mismo": "MISMO-A", "misma": "MISMO-A"}  # fmt: skip
_WORDS = rule_words("spanish")


_LINKS = frozenset("es eres sos soy era fue siendo sea ser seria sera eras fui como usted".split())
_DETERMINER = _WORDS["feminine_determiners"]
_LOOSE = frozenset("de a para con por sin y o ni e u entre que hola gracias querida estimada".split())
_THING_FEMININES = _WORDS["thing_feminines"]
_ROLES = _WORDS["roles"]
_HUMANS = _WORDS["humans"]
_ANY_NOUN = regex.compile(
    r"\p{L}{2,}(?:or|ora|ero|era|ario|aria|eno|ena|an|ana|in|ina|on|ona|es|esa|ito|ita|ico|ica|ado|ada|ido|ida|ivo|iva|ano|tro|tra|[^aeiou]o|[^aeiou]a|ia|io)"
)
_NOT_NOUNS = _WORDS["invariable_after_copula"]
_ACTS = _WORDS["acts_of_somebody"]


def find_nouns(view: View, words: Lexicon, starts: AbstractSet[int]) -> tuple[list[Span], set[int]]:
    """Find person nouns: "clienta", "usuario", "trabajadora"; the masculine only where it is said of somebody.

    Parameters
    ----------
    view : View
        The folded text.
    words : Lexicon
        The Spanish cues.
    starts : set of int
        Positions in the original that belong to names.

    Returns
    -------
    list of Span
        The nouns.
    set of int
        Their words, and nouns of one form whose article tells the gender.
    """
    lemmas = words.sets.get("people in -o and -a", frozenset())
    single = words.sets.get("people of one form", frozenset())
    spans: list[Span] = []
    heads: set[int] = set()
    kept = guarded_words(view, words)
    for i, word in enumerate(view.words):
        if i in kept or len(word) < 4 or nation_word(word) or view.words[i + 1 : i + 2] in _MACHINES:
            continue
        found = _person_noun(word, lemmas)
        started = word.endswith(_TRADES) and view.words[i - 1] == "como" and i > 1 and in_a_role(view, i)
        role = started or (
            word.endswith(("dor", "dora")) and i > 1 and view.words[i - 2].startswith(_AT_WORK) and in_a_role(view, i)
        )
        if found is None and (role or _predicate(view, i, starts, heads)):
            found = _open_noun(word)
        if found:
            gender, base = found
            if (
                _feminine(view, i, starts, heads)
                if gender != "m"
                else i - 1 in heads
                or said_of_somebody(view, i, starts)
                or _joined(view, i, heads)
                or (view.after(i) == "/" and view.words[i + 1 : i + 2] == ("a",))
            ):
                spans.append(mark(view, i, "gendered", _noun_shown(view.raw(i), base, gender), gender))
                if view.after(i) != "/":
                    heads.add(i)
                continue
        one_form = word in single or (word.endswith(("ista", "nte")) and _predicate(view, i, starts, heads))
        led = _led_by(view, i) if one_form and i and view.before(i).isspace() else -1
        before = view.words[led] if led >= 0 else ""
        if word == "guia" and (
            (led > 0 and view.words[led - 1] in {"en", "con", "de", "segun"})
            or (i + 1 < len(view.words) and view.words[i + 1] in _OF_BOOKS)
        ):
            continue
        free = led < 1 or view.words[led - 1] not in {"de", "para", "cada", "por"} or bool(starts)
        if word == "modelo" and before in {"el", "un", "al", "del"} and not _one_who_models(view, i, starts, heads):
            continue
        if word == "menor" and led > 0 and view.words[led - 1] in _OF_THE_CHILD:
            continue  # la madre del menor: another person
        if (before in {"la", "una", "el", "un", "le", "une"} and free) or (before in {"al", "del"} and starts):
            heads.add(i)
        elif before in {"como", "de"} and led < i - 1 and starts and view.words[led - 1].startswith(_LISTED):
            heads.add(i)  # aparece como única titular
    return spans, heads


_LISTED = ("figur", "aparec", "const", "inscri", "registrad", "sigue", "firm", "actu")
_OF_THE_CHILD = frozenset("madre padre tutor tutora progenitor progenitora familia padres".split())


def _one_who_models(view: View, i: int, starts: AbstractSet[int], heads: AbstractSet[int]) -> bool:
    """El modelo Iván Gil, Iván es el modelo de la campaña: not the model of an oven or of a form."""
    named = next_start(view, i + 1) in starts and view.after(i) in {" ", ", "}
    return named or _predicate(view, i, starts, heads)


def _acting(view: View, i: int) -> bool:
    """La médica la examinará, la técnica de guardia: what only a person does."""
    following = view.words[i + 1 : i + 3]
    if not following or view.after(i) != " ":
        return False
    done = following[0] in {"la", "lo", "le", "les", "me", "te", "nos", "que", "ya"} or stressed_verb(view, i + 1)
    return done or following in (("de", "guardia"), ("de", "cabecera"), ("de", "familia"), ("de", "turno"))


def _joined(view: View, i: int, heads: AbstractSet[int]) -> bool:
    """Arquitecto y escritor: a noun joined to one that is masked."""
    return i > 1 and view.words[i - 1] in {"y", "e"} and i - 2 in heads and view.before(i) == view.before(i - 1) == " "


_OF_BOOKS = frozenset(
    "rapida completa gratuita es esta de del para basica practica impresa digital oficial detallada".split()
)


def _person_noun(word: str, lemmas: AbstractSet[str]) -> tuple[str, str] | None:
    """The gender of a person noun (f, m, n) and its dictionary form; None for another word."""
    if word in lemmas:
        return "m", word
    if word.endswith("a"):
        base = next((b for b in (word[:-1] + "o", word[:-1], word[:-1] + "e") if b in lemmas), None)
        return ("f", base) if base else None
    if word.endswith(("e", "x")):
        base = next((b for b in (word[:-1] + "o", word[:-1]) if b in lemmas), None)
        return ("n", base) if base else None
    return None


def _open_noun(word: str) -> tuple[str, str] | None:
    """A noun that stands on no list but where only a noun of a person can: "es la dueña", "eres un crack"."""
    if (
        word in _NOT_NOUNS
        or word in _INVARIABLE
        or word.endswith(("cion", "dad", "ista"))
        or not _ANY_NOUN.fullmatch(word, timeout=1.0)
    ):
        return None
    if word.endswith("a"):
        return "f", word[:-1] if word.endswith(("ora", "ona", "esa", "ina")) else word[:-1] + "o"
    return "m", word


def _predicate(view: View, i: int, starts: AbstractSet[int], heads: AbstractSet[int]) -> bool:
    """Whether a noun with an article is what a person is said to be: "Ana Gil es la dueña"."""
    if i < 2 or view.words[i - 1] not in {"la", "el", "una", "un"} or not view.before(i).isspace():
        return False
    k = i - 2
    if view.words[k] == "usted" and k and view.between(k, k + 1).isspace():
        k -= 1
    if view.words[k] not in _LINKS or view.words[k] in {"como", "usted"} or not view.between(k, k + 1).isspace():
        return False
    return second_person(view, k) or subject_is_person(view, k, starts, heads) or _after_apposition(view, k, starts)


def _after_apposition(view: View, k: int, starts: AbstractSet[int]) -> bool:
    """As in "Ana Gil, nacida en 1950, es la dueña": the name stands before what the commas enclose."""
    if not k or view.between(k - 1, k).strip() != ",":
        return False
    start = max(view.folded.rfind(mark_, 0, view.starts[k]) for mark_ in (". ", "\n", ": "))
    first = bisect_right(view.starts, start)
    return any(view.source(view.starts[n], view.ends[n])[0] in starts for n in range(first, min(first + 3, k)))


def _feminine(view: View, i: int, starts: AbstractSet[int], heads: AbstractSet[int]) -> bool:
    """Whether a feminine form is a noun and not an adjective of a thing: "la médica", but not "atención médica"."""
    word, before = view.words[i], view.words[i - 1] if i else ""
    raw = unicodedata.normalize("NFC", view.raw(i)).lower()
    if raw.endswith("ía"):  # Secretaría
        return False
    if view.opens_sentence(i) and i + 1 >= len(view.words) and view.capital(i) and not i:
        return False
    named = i + 1 < len(view.words) and next_start(view, i + 1) in starts and view.after(i) == " "
    if before in {"gran", "mejor", "excelente", "nueva"} and _led_by(view, i) >= 0:
        led = _led_by(view, i)
        if view.words[led] in _LINKS or (
            view.words[led] in {"una", "la", "mi", "tu", "su"} and led and view.words[led - 1] in _LINKS
        ):
            return True
    if before in _INVARIABLE and starts and word not in _THING_FEMININES - {"pasajera"}:
        return view.words[_led_by(view, i)] in {"la", "una", "su", "mi", "tu", "nuestra"}
    if (
        word in _ADJECTIVES_TOO
        and i > 2
        and before in _LINKS
        and not view.opens_sentence(i - 1)
        and any(
            view.words[k] in _ARTICLES and view.words[k + 1] not in _HUMANS and k + 1 not in heads
            for k in range(max(0, i - 4), i - 2)
        )
    ):
        return False  # la recaída es pasajera
    if word in _THING_FEMININES:
        linked = before in _LINKS or (before == "una" and i > 1 and view.words[i - 2] in _LINKS)
        alone = (
            bool(starts)
            and word in _PROFESSIONS
            and raw_word(view, i - 1).lower() != "está"
            and view.words[max(0, _led_by(view, i))]
            in {"la", "una", "esta", "esa", "nuestra", "su", "mi", "tu", "otra"}
            and not (i + 1 < len(view.words) and view.after(i) == " " and view.words[i + 1] in {"de", "del"})
        )
        apposed = i > 0 and view.before(i).strip() == "," and next_start(view, i - 1) in starts
        acting = word in {"medica", "tecnica"} and before in {"la", "una", "nuestra"} and _acting(view, i)
        return acting or apposed or named or linked or alone or i - 1 in heads or _predicate(view, i, starts, heads)
    if i == 0 or not view.before(i).isspace() or named:
        return True
    return (
        before.endswith(("ada", "ida"))
        or (before in _DETERMINER and raw_word(view, i - 1).lower() != "está")
        or before in _LINKS
        or before in _LOOSE
        or i - 1 in heads
        or in_a_role(view, i)
    )


_ADJECTIVES_TOO = frozenset(
    "pasajera voluntaria universitaria protectora creadora ganadora beneficiaria extranjera vecina conocida abonada asegurada".split()
)
_PROFESSIONS = frozenset(
    "gestora operadora lectora editora compradora veterinaria farmaceutica medica cientifica titulada bombera panadera decana cocinera limpiadora "
    "inversora auditora consultora promotora arrendadora granjera pastora reclusa botanica informatica tecnica quimica fisica musica politica "
    "mecanica cartera ciudadana extranjera abonada asegurada pasajera labradora cazadora".split()
) - frozenset(
    "musica politica mecanica cartera fisica quimica informatica botanica tecnica cazadora promotora consultora medica".split()
)


def _noun_shown(raw: str, base: str, gender: str) -> str:
    low = unicodedata.normalize("NFC", raw)
    if gender == "m":
        bare = low if low[-1:].lower() == "o" else "".join(c for c in unicodedata.normalize("NFD", low) if c.isalpha())
        return f"[{bare.upper()}-A]"
    if base.endswith("o"):
        return f"[{low[:-1].upper()}O-A]"
    return f"[{low[:-1].upper()}{'E' if base.endswith('e') else ''}-A]"


def said_of_somebody(view: View, i: int, starts: AbstractSet[int]) -> bool:
    """Whether a masculine noun is said of one man and not of anybody: trabaja de camarero, hola, compañero.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The noun's word.
    starts : set of int
        Positions in the original that belong to names.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> said_of_somebody(fold("trabaja de camarero"), 2, set()), said_of_somebody(fold("falta camarero"), 1, set())
    (True, False)
    """
    before = view.words[i - 1] if i else ""
    if in_a_role(view, i):
        return True
    if view.before(i) in {", ", ": "} and i:
        return set_off(view, i, starts)
    if (view.before(i).strip() and before != "como") or view.words[max(0, i - 2) : i + 1] == ("en", "el", "cajero"):
        return False
    led = _led_by(view, i)
    if named_between(view, i, starts):
        return led >= 0 and view.words[led] in _ARTICLES.keys() | _DETERMINERS.keys() | {"mi", "tu", "su", "vuestro"}
    if (
        0 <= led < i - 1
        and view.words[led] in {"el", "al", "del", "un"}
        and (starts or (led and view.words[led - 1] in _LINKS))
    ):
        return True
    if before in _LINKS or before in {
        "menudo",
        "vaya",
        "estimado",
        "querido",
        "buen",
        "nuevo",
        "apreciado",
        "distinguido",
        "respetado",
        "estimadisimo",
        "queridisimo",
    }:
        return True
    if (starts and before == "un" and _described(view, i)) or _praised(view, i):
        return True
    before_that = view.words[i - 2] if i >= 2 else ""
    if starts and ((before == "de" and before_that in _POSTS) or (before, before_that) == ("un", "a")):
        return True
    if (before in {"un", "nuestro", "el"} and (before_that in _LINKS or before_that == "usted")) or (
        starts
        and (
            of_mine(view, i, starts)
            or (0 < led < i - 1 and (of_mine(view, led + 1, starts) or view.words[led] in {"fue", "es", "era", "sido"}))
        )
    ):
        return True
    if before == "el" and (next_start(view, i + 1) in starts and view.after(i) == " "):
        return True
    following = view.words[i + 1] if i + 1 < len(view.words) and view.after(i) == " " else ""
    if before.endswith(("ado", "ido")) and before_that in _BECAME:  # fue elegido presidente
        return True
    if following in {"suyo", "mio", "tuyo"}:
        return True
    if before in {"el", "al", "del", "este", "ese"} and starts and before_that not in _GENERIC:
        return True
    return before == "el" and (view.words[i] in _ROLES or following in _ACTS)


def _praised(view: View, i: int) -> bool:
    """Eres un excelente cocinero."""
    return (
        i > 2 and view.words[i - 1] in _PRAISE and view.words[i - 2] == "un" and view.words[i - 3] in _LINKS | {"sido"}
    )


def _described(view: View, i: int) -> bool:
    """Busca un cocinero creativo, un conductor de esa edad: as una cocinera creativa would be."""
    following = view.words[i + 1] if i + 1 < len(view.words) and view.after(i) == " " else ""
    return (following.endswith("o") and adjectival(following)) or view.words[i + 1 : i + 4] == ("de", "esa", "edad")


_TRADES = ("tivo", "tiva", "ario", "aria", "dor", "dora", "tor", "tora", "ero", "era", "ico", "ica", "logo", "loga")
_AT_WORK = ("trabaj", "ejerc", "actu", "convirt", "conviert")
_POSTS = _WORDS["posts"]
_PRAISE = frozenset("gran excelente magnifico estupendo verdadero autentico".split())
_MACHINES = frozenset((("virtual",), ("digital",), ("automatico",), ("automatica",), ("artificial",)))  # an assistant
_BECAME = frozenset("fue fui fuiste es sido resulto ha has he queda quedo sera seras salio sale".split())
_GENERIC = _WORDS["generic_heads"]


_INVARIABLE = _WORDS["invariable_before_nouns"]
_PRENOMINAL = _WORDS["prenominal"]
_APOCOPES = dict(entry.split(":") for entry in _WORDS["apocopes"])


def _between_article_and_noun(view: View, k: int) -> str | None:
    """What is written for an adjective before a person noun: empty for one without gender, None for another word."""
    word = view.words[k]
    if word in _INVARIABLE:
        return ""
    if word in {"esta", "este"} and raw_word(view, k).lower() not in {"esta", "este"}:
        return None  # está, esté
    if word in _DETERMINERS:
        return f"[{_DETERMINERS[word]}]"
    if word in _APOCOPES:
        return f"[{_APOCOPES[word].upper()}-A]"
    if word[-1:] in {"a", "o"} and word[:-1] + "o" in _PRENOMINAL:
        both = both_forms(view.raw(k))
        return both[0] if both else None
    return None


def _led_by(view: View, i: int) -> int:
    """The word before a noun, adjectives between an article and it passed over."""
    k = i - 1
    while (
        k > 0
        and view.between(k, k + 1).isspace()
        and view.words[k] not in _ARTICLES
        and _between_article_and_noun(view, k) is not None
    ):
        k -= 1
    return k


def find_determiners(view: View, heads: AbstractSet[int]) -> list[Span]:
    """Find the articles and determiners that stand before person nouns, adjectives between them included."""
    spans = []
    seen: set[int] = set()
    for head in sorted(heads):
        k = head - 1
        while k >= 0 and view.between(k, k + 1).isspace():
            word = view.words[k]
            if k in seen:
                break
            seen.add(k)
            if word in _ARTICLES and raw_word(view, k).lower() != "él":
                base = _ARTICLES[word]
                prefix, _, article = base.rpartition(" ")
                shown = f"{prefix} {_SHOWN[article]}" if prefix else _SHOWN[article]
                begin, end = view.source(view.starts[k], view.ends[k])
                if not prefix and k and view.words[k - 1] in {"a", "de"} and view.before(k) == " ":
                    begin = view.source(view.starts[k - 1], view.ends[k - 1])[0]
                    base, shown = f"{view.words[k - 1]} {base}", f"{view.words[k - 1]} {shown}"
                if article == "el" and " " in base:  # al doctor, a la doctora: one placeholder, the preposition in it
                    shown = _CONTRACTED[base.split(" ", maxsplit=1)[0]]
                if shown[0] != "[" and view.text[begin].isupper():
                    shown = shown[0].upper() + shown[1:]
                spans.append(Span(begin, end, "article", shown, base + case_of(view.text[begin:end]), None, False, 54))
                break
            adjective = _between_article_and_noun(view, k)
            if adjective is None:
                break
            if adjective:
                spans.append(mark(view, k, "agreement", adjective, "f" if word.endswith("a") else "m"))
            k -= 1
    return spans
