"""Put an identity into a masked text, in the right grammatical form, for the swap test.

The subject's slots get the identity; other people get neutral stand-ins, so that only one thing differs between two
fillings. What a slot held before is kept where it says the same as the identity, so that filling in a person's own
identity gives back the text they were in.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence

import regex

from judgekit.blinding import grammar
from judgekit.blinding.fold import fold
from judgekit.blinding.names import PARTICLES
from judgekit.records import Arm, FilledText, Identity, MaskedText, NameForms, Slot, claim_maker, text_hash
from judgekit.records.blinded import Field

__all__ = ["fill", "original", "own_identity"]

_MAKER = claim_maker("FilledText")
_OTHERS = ("Robin", "Sam", "Alex", "Taylor", "Jordan", "Casey", "Morgan", "Jamie", "Riley", "Drew")
_OTHER_FAMILY = "Lee"
_WORD = regex.compile(r"[\p{L}'’]+")
_ADVERBS = frozenset(
    "also already often never always still just really usually sometimes now then certainly probably".split()
)
_HAS = regex.compile(
    r"\s+(?:(?:already|just|also|never|always|not|only|recently|now)\s+)?(?:\w+ed|been|got|gotten|had|made|done|seen|sent|paid|left|lost|kept|told|given|taken|written|bought|found|gone|come|become|begun|chosen|spoken|sold|held|put|read|set|shown|signed|met|won|known)\b"
)


def original(masked: MaskedText) -> tuple[str, str | None]:
    """The reply and its context as they were before masking.

    Parameters
    ----------
    masked : MaskedText
        What the redactor made.

    Returns
    -------
    (str, str or None)
        Reply and context, exactly.

    Examples
    --------
    >>> from judgekit.blinding.mask import Blinder
    >>> from judgekit.records import Reply
    >>> original(Blinder().mask(Reply(id="1", text="Dear Mrs. Mora, she's in.", known_names=("Mora",))))[0]
    "Dear Mrs. Mora, she's in."
    """
    return _rewrite(masked, lambda slot, _text: slot.surface)


def _rewrite(masked: MaskedText, choose: Callable[[Slot, str], str]) -> tuple[str, str | None]:
    out: dict[Field, str] = {}
    bodies: dict[Field, str] = {"text": masked.text}
    if masked.context is not None:
        bodies["context"] = masked.context
    for field, body in bodies.items():
        pieces: list[str] = []
        at = 0
        for slot in sorted((s for s in masked.slots if s.field == field), key=lambda s: s.start):
            pieces += (body[at : slot.start], choose(slot, body))
            at = slot.end
        pieces.append(body[at:])
        out[field] = "".join(pieces)
    return out["text"], out.get("context")


def own_identity(masked: MaskedText) -> Identity:
    """The identity a masked text was made from, as far as its known names and slots tell.

    Parameters
    ----------
    masked : MaskedText
        What the redactor made.

    Returns
    -------
    Identity
        Group ``own``. Given name and surname are the known names; title and pronouns are those of the subject's slots.
    """
    names = masked.known_names
    given = names[0] if names else ""
    family = names[1] if len(names) > 1 else None
    pronouns = heading = None
    for slot in masked.slots:
        if slot.subject and slot.kind == "pronoun" and pronouns is None and not slot.form.startswith("slash"):
            pronouns = _pronoun_set(slot, masked.lang)
        if slot.subject and slot.kind == "title" and heading is None and " name" in slot.form:
            heading = slot.surface.rstrip(".")
        if slot.subject and slot.kind in {"title", "agreement", "gendered", "clitic", "article"} and pronouns is None:
            gender = _gender(slot, masked.lang)
            if gender:
                pronouns = {"f": "she/her", "m": "he/him", "n": "they/them"}[gender]
    return Identity(
        group="own", name=given, forms=NameForms(given=given, family=family, title=heading, pronouns=pronouns)
    )


def fill(masked: MaskedText, identity: Identity, *, arm: Arm) -> FilledText:
    """Write an identity into the subject's slots of a masked text.

    Parameters
    ----------
    masked : MaskedText
        What the redactor made.
    identity : Identity
        Who is put in.
    arm : Arm
        The arm of the swap test this filling belongs to.

    Returns
    -------
    FilledText
        Judgments of it can never become scores.

    Notes
    -----
    Where a slot of the subject held the same words that the identity would be given (its own name in any spelling, a
    pronoun of its own set), those words return as they were. With `own_identity` a text that speaks of nobody else
    comes back unchanged.

    Examples
    --------
    >>> from judgekit.blinding.mask import Blinder
    >>> from judgekit.records import Reply
    >>> masked = Blinder().mask(Reply(id="1", text="Ana says she's late, so call her.", known_names=("Ana",)))
    >>> sam = Identity(group="b", name="Sam", forms=NameForms(given="Sam", pronouns="they/them"))
    >>> fill(masked, sam, arm=Arm(kind="identity", identity="Sam")).text
    "Sam says they're late, so call them."
    """
    text, context = _rewrite(masked, lambda slot, body: _written(slot, body, masked, identity))
    if masked.lang == "en" and grammar.pronoun(identity.forms, "subject", "en") == "they":
        text, context = _rewrite_plural(masked, identity)
    return FilledText(
        item=masked.item,
        arm=arm,
        text=text,
        context=context,
        text_hash=text_hash(text, context),
        lang=masked.lang,
        maker=_MAKER,
    )


def _rewrite_plural(masked: MaskedText, identity: Identity) -> tuple[str, str | None]:
    """Fill, and make verbs that follow the subject's "they" agree."""
    out: dict[Field, str] = {}
    bodies: dict[Field, str] = {"text": masked.text}
    if masked.context is not None:
        bodies["context"] = masked.context
    for field, body in bodies.items():
        slots = sorted((s for s in masked.slots if s.field == field), key=lambda s: s.start)
        starts = [s.start for s in slots]
        pieces: list[str] = []
        at = 0
        for slot in slots:
            pieces += (body[at : slot.start], _written(slot, body, masked, identity))
            at = slot.end
            if (
                slot.kind == "pronoun"
                and slot.subject
                and _form(slot) == "subject"
                and not slot.form.startswith("they")
            ):
                found = _verb_after(body, at, starts)
                if found:
                    pieces += (body[at : found.start()], grammar.agree_plural(found.group()))
                    at = found.end()
        pieces.append(body[at:])
        out[field] = "".join(pieces)
    return out["text"], out.get("context")


def _verb_after(body: str, at: int, slots: Sequence[int]) -> regex.Match[str] | None:
    for _ in range(3):
        found = _WORD.search(body, at, timeout=1.0)
        if (
            found is None
            or body[at : found.start()].strip()
            or bisect_left(slots, at) < bisect_left(slots, found.end())
        ):
            return None
        if found.group().lower() not in _ADVERBS:
            return found
        at = found.end()
    return None


def _form(slot: Slot) -> str:
    return slot.form.removeprefix("they ").split(".")[0].split("+")[0]


def _written(slot: Slot, body: str, masked: MaskedText, identity: Identity) -> str:
    lang, forms = masked.lang, identity.forms
    gender = grammar.gender_of(forms)
    shown = body[slot.start : slot.end]
    if slot.form.startswith(("slash", "either")) or slot.kind in {
        "literal",
        "age",
        "origin",
        "religion",
        "cue",
        "demonym",
        "identity",
    }:
        return slot.surface
    if slot.kind in {"name", "email", "handle"}:
        return _name(slot, masked, forms)
    if slot.kind in {"phone", "card", "iban"}:
        return shown
    if not slot.subject:
        return _for_another(slot, shown, lang)
    if _gender(slot, lang) == gender and slot.kind != "title":
        return slot.surface
    if slot.kind == "title":
        return _title(slot, forms, gender, lang)
    if slot.kind == "pronoun":
        return _pronoun(slot, forms, body, lang)
    if slot.kind == "gendered":
        return grammar.cased(grammar.noun(gender, shown, slot.surface, lang), _case_of(slot.surface))
    if slot.kind == "agreement" and lang == "en":
        return slot.surface if grammar.pronoun(forms, "subject", "en") == "they" else shown
    return _spanish(slot, gender)


def _case_of(surface: str) -> str:
    if len(surface) > 1 and surface.isupper():
        return ".upper"
    return ".capital" if surface[:1].isupper() else ".lower"


def _for_another(slot: Slot, shown: str, lang: str) -> str:
    """A neutral wording for somebody who is not the subject."""
    nobody = NameForms(given="", pronouns="elle" if lang == "es" else "they/them")
    if slot.kind == "pronoun":
        if slot.form.startswith("slash"):
            return slot.surface
        return _pronoun(slot, nobody, "", lang)
    if slot.kind == "gendered":
        return grammar.cased(grammar.neutral_noun(shown), _case_of(slot.surface))
    if slot.kind == "title":
        return _title(slot, nobody, "n", lang)
    return shown if slot.kind == "agreement" and lang == "en" else _spanish(slot, "n")


def _title(slot: Slot, forms: NameForms, gender: str, lang: str) -> str:
    own = _gender(slot, lang)
    same = forms.title is None or forms.title.rstrip(".").casefold() == slot.surface.rstrip(".").casefold()
    if own == gender and (same or " name" not in slot.form):
        return slot.surface
    word = grammar.title(forms, slot.surface, slot.form, lang)
    dotted = slot.surface.endswith(".") or (lang == "es" and len(word) <= 4 and word != "don")
    return grammar.cased(word, _case_of(slot.surface)) + (
        "." if dotted and word.lower() not in {"miss", "doña", "don"} else ""
    )


def _pronoun(slot: Slot, forms: NameForms, body: str, lang: str) -> str:
    if slot.form.startswith("slash"):
        return slot.surface
    case = _form(slot)
    word = grammar.cased(grammar.pronoun(forms, case if case in grammar.CASES else "subject", lang), slot.form)
    if "+" in slot.form:
        tail = slot.form.split("+")[1].split(".")[0]
        if tail in {"s", "re", "ve"}:
            mark = "’" if "’" in slot.surface else "'"
            plural = grammar.pronoun(forms, "subject", lang) == "they"
            has = tail == "ve" or (tail == "s" and bool(_HAS.match(body, slot.end, timeout=1.0)))
            word += mark + (("ve" if has else "re") if plural else "s")
    return word


def _spanish(slot: Slot, gender: str) -> str:
    if slot.kind == "article":
        prefix, _, article = slot.form.rpartition(" ")
        base = {"el": {"f": "la", "m": "el", "n": "le"}, "un": {"f": "una", "m": "un", "n": "une"},
                "los": {"f": "las", "m": "los", "n": "les"}}[article.split(".")[0]]  # fmt: skip
        if prefix and gender == "m" and base["m"] == "el":
            return grammar.cased(
                {"a": "al", "de": "del"}[prefix], _case_of(slot.surface[:1] + slot.surface[1:2].lower())
            )
        return f"{prefix} {base[gender]}" if prefix else grammar.cased(base[gender], _case_of(slot.surface))
    return grammar.ending(slot.surface, gender)


def _gender(slot: Slot, lang: str) -> str | None:
    """Which gender a slot's own words tell."""
    word = (fold(slot.surface).words or ("",))[0]
    if slot.kind == "pronoun":
        if slot.form.startswith("they"):
            return "n"
        return (
            "f"
            if word in {"she", "her", "hers", "herself", "ella", "ellas"}
            else "m"
            if word in {"he", "him", "his", "himself", "el", "ellos"}
            else "n"
        )
    if slot.kind == "title":
        if word in {
            "mrs",
            "ms",
            "miss",
            "madam",
            "ma",
            "maam",
            "senora",
            "senorita",
            "sra",
            "srta",
            "dona",
            "dra",
            "dame",
            "lady",
            "madame",
            "dama",
        }:
            return "f"
        return "n" if word == "mx" else "m"
    if slot.kind == "gendered":
        return slot.form.split(".")[0] or None
    if slot.kind == "agreement":
        if lang == "en":
            return None
        return slot.form.split(".")[0] or None
    if slot.kind in {"article", "clitic"}:
        return (
            "f"
            if word in {"la", "las", "una", "unas", "a"} and slot.surface[-2:].lower() in {"la", "na", "as"}
            else "m"
        )
    return None


def _pronoun_set(slot: Slot, lang: str) -> str:
    word = (fold(slot.surface).words or ("",))[0]
    gender = _gender(slot, lang)
    if gender == "n" and not slot.form.startswith("they"):
        for first in ("xe", "ze", "fae", "ey"):
            if word.startswith(first[0]):
                return first
    return {"f": "she/her", "m": "he/him", "n": "they/them"}[gender or "n"]


# --- names ---------------------------------------------------------------------------------------------------------


def _plain(name: str) -> str:
    """A name as it stands in a mail address: small letters and digits only."""
    decomposed = unicodedata.normalize("NFKD", name).casefold()
    return "".join(c for c in decomposed if c.isalnum())


def _pieces(forms: NameForms) -> set[str]:
    return {w for part in (forms.given, forms.family or "") for w in fold(part).words}


def _name(slot: Slot, masked: MaskedText, forms: NameForms) -> str:
    if not slot.subject:
        if slot.kind in {"email", "handle"}:
            return {"email": "contact@mail.example", "handle": "someone"}[slot.kind]
        other = _OTHERS[((slot.person or 1) - 1) % len(_OTHERS)]
        form = slot.form.split(".")[0]
        word = {"family": _OTHER_FAMILY, "full": f"{other} {_OTHER_FAMILY}"}.get(form, other)
        return grammar.cased(word, ".upper" if slot.form.endswith(".upper") else "")
    known = masked.known_names
    own = NameForms(given=known[0] if known else "", family=known[1] if len(known) > 1 else None)
    if (_plain(own.given), _plain(own.family or "")) == (_plain(forms.given), _plain(forms.family or "")):
        return slot.surface
    if slot.kind in {"email", "handle"} or slot.form.startswith("identifier"):
        return _inside(slot.surface, own, forms)
    return grammar.cased(
        _spelling(slot, forms),
        ".upper" if slot.form.endswith(".upper") else ".lower" if slot.form.endswith(".lower") else "",
    )


def _spelling(slot: Slot, forms: NameForms) -> str:
    given, family = forms.given, forms.family or forms.given
    form = slot.form.split(".")[0]
    full = f"{given} {forms.family}" if forms.family else given
    if form == "full":
        return full
    if form == "reversed":
        return (
            f"{family}, {given}"
            if "," in slot.surface and forms.family
            else f"{family} {given}"
            if forms.family
            else given
        )
    if form == "initial+family":
        return f"{given[:1].upper()}. {family}" if forms.family else given
    if form == "plural":
        return family + ("es" if family.endswith(("s", "x", "z")) else "s")
    if form == "spelled":
        separator = next((c for c in slot.surface if not c.isalnum()), "-")
        return separator.join(_plain(given).upper())
    return family if form == "family" else given


def _inside(surface: str, own: NameForms, forms: NameForms) -> str:
    """Exchange the name inside an address, a handle or an identifier; what else stands there stays."""
    local, at, domain = surface.partition("@") if not surface.startswith("@") else (surface, "", "")
    view = fold(local)
    swaps = []
    for mine, theirs in ((own.given, forms.given), (own.family or "", forms.family or forms.given)):
        for piece in sorted(
            {_plain(mine), *(w for w in fold(mine).words if w not in PARTICLES)}, key=len, reverse=True
        ):
            found = view.folded.find(piece) if len(piece) > 1 else -1
            if found >= 0:
                swaps.append((*view.source(found, found + len(piece)), _plain(theirs)))
                break
    if not swaps:
        return f"{_plain(forms.given)}{at}{domain}"
    first = min(swaps)
    if first[0] in {1, 2} and local[:1].casefold() == own.given[:1].casefold() and len(swaps) == 1:
        swaps.append((0, 1, _plain(forms.given)[:1]))
    out: list[str] = []
    position = 0
    for start, end, word in sorted(swaps):
        if start < position:
            continue
        piece = local[start:end]
        out += (
            local[position:start],
            word.upper() if piece.isupper() else word.capitalize() if piece[:1].isupper() else word,
        )
        position = end
    out.append(local[position:])
    return "".join(out) + at + domain
