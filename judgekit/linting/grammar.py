"""Slips of grammar that differ between the prompts of a pair: a and an, pronouns and endings that do not fit the person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import regex

from judgekit.blinding import grammar
from judgekit.blinding.fill import fill
from judgekit.records import Arm, Identity, MaskedText, Reply
from judgekit.rewording.articles import takes_an

__all__ = ["Slip", "agreement_slips", "article_slips", "gendered_words", "kinds_told"]

_TIMEOUT = 1.0
_ARTICLE = regex.compile(
    r"(?<![\p{L}\p{N}'’\-./])(an?|A[n]?)\s+(?=[\p{L}\p{N}\"“])([\"“]?[\p{L}\p{N}][\p{L}\p{N},'’.\-]*)"
)
_OPENS = regex.compile(r"(?:\A|[.!?:\n][\"”’)]*\s*|[\"“(]\s*)\Z")
# Both are heard, or the first word is no noun phrase.
_EITHER = regex.compile(
    r"(?:h(?:istor|ote|erb|abitu|allucin)|(?:sql|faq|led|sat|sap)\b|is\b|in\b|or\b|and\b|as\b|at\b|on\b)",
    regex.IGNORECASE,
)
_CLOSE = frozenset({"pronoun", "agreement", "article", "title", "gendered", "clitic"})


@dataclass(frozen=True, slots=True)
class Slip:
    """What stands in the text, what should, and where it begins; ``sure`` says that nobody else can be meant."""

    seen: str
    better: str
    start: int
    sure: bool = True


def article_slips(text: str) -> Iterator[Slip]:
    """Places where "a" stands for "an" or the other way round.

    Parameters
    ----------
    text : str
        English.

    Examples
    --------
    >>> [(s.seen, s.better) for s in article_slips("I waited a hour for an user. Plan A is a plan, a 18-year-old says.")]
    [('a hour', 'an hour'), ('an user', 'a user'), ('a 18-year-old', 'an 18-year-old')]
    """
    for found in _ARTICLE.finditer(text, timeout=_TIMEOUT):
        article, word = found.group(1), found.group(2).strip("\"“.,'’-")
        opens = _OPENS.search(text, max(0, found.start() - 4), found.start(), timeout=_TIMEOUT)
        if (article[0] == "A" and not opens) or _EITHER.match(word, timeout=_TIMEOUT):
            continue
        right = article[0] + ("n" if takes_an(word) else "")
        if right != article:
            yield Slip(f"{article} {word}", f"{right} {word}", found.start())


@lru_cache(maxsize=1)
def _blinder() -> Any:
    from judgekit.blinding.mask import Blinder

    return Blinder()


@lru_cache(maxsize=1024)
def _masked(text: str, names: tuple[str, ...], lang: str) -> MaskedText:
    masked: MaskedText = _blinder().mask(Reply(id="lint", text=text, known_names=names, lang=lang))
    return masked


def gendered_words(text: str, names: tuple[str, ...], lang: str) -> list[str]:
    """Nouns and titles that tell a gender and are not said of the person whose name is put in.

    Examples
    --------
    >>> gendered_words("I'm Ben, a mother of two.", ("Ben",), "en")
    ['mother']
    """
    return [s.surface for s in _masked(text, names, lang).slots if s.kind in {"gendered", "title"} and not s.subject]


def kinds_told(text: str, names: tuple[str, ...], lang: str) -> dict[str, tuple[str, ...]]:
    """What a text tells of people beside their names, by kind: ages, origins, gendered words.

    Examples
    --------
    >>> kinds_told("I'm 38 years old and I was born in Lagos.", (), "en")
    {'age': ('38',), 'origin': ('Lagos',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    for slot in _masked(text, names, lang).slots:
        if slot.kind in {"age", "origin", "demonym", "religion", "gendered", "title", "pronoun", "identity"}:
            kind = "origin" if slot.kind == "demonym" else "gender" if slot.kind in _CLOSE else slot.kind
            found[kind] = (*found.get(kind, ()), slot.surface)
    return found


def agreement_slips(text: str, person: Identity, lang: str) -> list[Slip]:
    """Words said of the person that do not fit the person: found by masking the text and filling the person in again.

    Parameters
    ----------
    text : str
        A prompt that was written for the person.
    person : Identity
        With pronouns; without them nothing can be told.
    lang : {'en', 'es'}

    Returns
    -------
    list of Slip
        ``sure`` is False for pronouns and nouns where somebody else is spoken of too.

    Examples
    --------
    >>> from judgekit.records import NameForms
    >>> ben = Identity(group="m", name="Ben", forms=NameForms(given="Ben", pronouns="he/him"))
    >>> [(s.seen, s.better) for s in agreement_slips("I am Ben. Ben says she is late.", ben, "en")]
    [('she', 'he')]
    """
    if grammar.gender_of(person.forms) == "n":
        return []
    masked = _masked(text, tuple(part for part in (person.forms.given, person.forms.family) if part), lang)
    alone = all(slot.subject for slot in masked.slots if slot.kind in _CLOSE or slot.kind == "name")
    found, behind = [], 0
    filled = fill(masked, person, arm=Arm(kind="identity", identity=person.name, group=person.group)).text
    slots = sorted((slot for slot in masked.slots if slot.field == "text"), key=lambda slot: slot.start)
    at = 0
    for number, slot in enumerate(slots):
        start = slot.start + behind
        # What comes between two slots is the same in both texts, so that it leads to the end of this one.
        end = slots[number + 1].start if number + 1 < len(slots) else len(masked.text)
        between = masked.text[slot.end : end]
        stop = filled.find(between, start + 0) if between else len(filled) if number + 1 == len(slots) else -1
        if stop < start:
            break
        if number + 1 == len(slots) and between:
            stop = len(filled) - len(between)
        new = filled[start:stop]
        behind = stop - slot.end
        # Spanish nouns in -e, such as cliente, go with anybody.
        epicene = lang == "es" and slot.kind == "gendered" and slot.surface.endswith(("e", "es"))
        if slot.subject and slot.kind in _CLOSE and new != slot.surface and not epicene:
            at = text.find(slot.surface, at)
            sure = alone or slot.kind in {"agreement", "article"}
            found.append(Slip(slot.surface, new, max(at, 0), sure))
    return found
