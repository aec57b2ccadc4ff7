"""Slots written out for a person and for values, in the right form: a or an, pronouns by case, Spanish agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import regex

from judgekit.blinding import grammar
from judgekit.errors import BadInput
from judgekit.records import Identity
from judgekit.rewording.articles import takes_an
from judgekit.templating.slots import PERSON_SLOTS, PRONOUN_SLOTS, Part, parse

__all__ = ["Cast", "Span", "Written", "write"]

_TIMEOUT = 1.0
_ARTICLE = regex.compile(r"(?:^|(?<=[^\p{L}\p{N}'’]))([Aa])n? $")
_SPANISH = {
    "el": {"f": "la", "m": "el", "n": "le"},
    "un": {"f": "una", "m": "un", "n": "une"},
    "del": {"f": "de la", "m": "del", "n": "de le"},
    "al": {"f": "a la", "m": "al", "n": "a le"},
}
_DEEPEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Who and what is put in: one person, or two candidates in the order in which they stand; texts by slot."""

    people: tuple[Identity, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Span:
    """Where a slot's text stands."""

    start: int
    end: int
    slot: str


@dataclass(frozen=True, slots=True)
class Written:
    """A text with its slots filled in, and where they are."""

    text: str
    spans: tuple[Span, ...]


def write(text: str, cast: Cast, *, lang: str, without: frozenset[str] = frozenset()) -> Written:
    """Fill in a text.

    Parameters
    ----------
    text : str
        With slots.
    cast : Cast
    lang : str
        ``en`` or ``es``.
    without : frozenset of str
        Slots whose removable stretches are left out.

    Returns
    -------
    Written

    Raises
    ------
    BadInput
        The text cannot be read, or a slot has nothing to be filled with.

    Examples
    --------
    >>> from judgekit.records import NameForms
    >>> ana = Identity(group="w", name="Ana Ruiz", forms=NameForms(given="Ana", family="Ruiz", pronouns="ella"))
    >>> write("Soy {name}, {un} cliente {agree:cansado}.", Cast(people=(ana,)), lang="es").text
    'Soy Ana Ruiz, una cliente cansada.'
    >>> write("I am a {age}-year-old[[ from {place}]].", Cast(values={"age": "18", "place": "Y"}), lang="en",
    ...       without=frozenset({"place"})).text
    'I am an 18-year-old.'
    """
    out, spans = _written(parse(text), cast, lang, without, 0)
    return Written(out, tuple(spans))


def _written(
    parts: Sequence[Part], cast: Cast, lang: str, without: frozenset[str], depth: int
) -> tuple[str, list[Span]]:
    gone = {part.cut for part in parts if part.cut and part.slot in without}
    out, spans = "", list[Span]()
    for part in parts:
        if part.cut in gone:
            continue
        if part.slot is None:
            out += part.text
            continue
        value = _value(part, cast, lang, depth)
        if part.capital:
            value = value[:1].upper() + value[1:]
        if lang == "en" and value:
            out = _with_article(out, value)
        spans.append(Span(len(out), len(out) + len(value), part.slot))
        out += value
    return out, spans


def _with_article(before: str, value: str) -> str:
    found = _ARTICLE.search(before, max(0, len(before) - 4), timeout=_TIMEOUT)
    return before if found is None else f"{before[: found.start()]}{found.group(1)}{'n' if takes_an(value) else ''} "


def _value(part: Part, cast: Cast, lang: str, depth: int) -> str:
    slot = str(part.slot)
    if slot in cast.values or slot not in PERSON_SLOTS:
        text = cast.values.get(slot if not part.who else f"{slot}_{part.who}", cast.values.get(slot))
        if text is None:
            raise BadInput("a slot has no value", field=f"{{{slot}}}", remedy="give it one under slots or attributes")
        if depth >= _DEEPEST:
            raise BadInput("values hold slots that hold slots", field=f"{{{slot}}}", remedy="write one of them out")
        # Values may speak of the person too.
        return _written(parse(text), cast, lang, frozenset(), depth + 1)[0]
    place = max(0, part.who - 1)
    if place >= len(cast.people):
        raise BadInput("a slot has nobody to be filled with", field=f"{{{slot}}}", remedy="list names for the groups")
    return _of_person(part, cast.people[place], lang)


def _of_person(part: Part, person: Identity, lang: str) -> str:
    forms, slot, gender = person.forms, str(part.slot), grammar.gender_of(person.forms)
    if slot == "name":
        return " ".join(filter(None, [forms.given, forms.family]))
    if slot == "given":
        return forms.given
    if slot == "family":
        return forms.family or forms.given
    if slot == "title":
        if forms.title:
            short = lang == "es" and forms.title.lower() in {"sr", "sra", "srta", "dr", "dra"}
            return forms.title + ("." if short else "")
        return grammar.title(forms, "", "title name", lang) + ("." if lang == "es" else "")
    if slot in PRONOUN_SLOTS:
        return grammar.pronoun(forms, slot.removeprefix("pronoun_"), lang)
    if slot == "verb":
        plural = lang == "en" and grammar.pronoun(forms, "subject", "en") == "they"
        return grammar.agree_plural(part.argument) if plural else part.argument
    if slot == "agree":
        return grammar.ending(part.argument, gender)
    return _SPANISH[slot][gender]
