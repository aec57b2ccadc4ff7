"""Template text taken apart: plain words, slots in braces, and the stretches that go when a cue is removed.

``{given}`` is a slot, ``{Pronoun_subject}`` one with a capital, ``{agree:interesado}`` one with an argument,
``{name_2}`` one of the second candidate. ``[[, I am {age}]]`` goes when the cue in it is removed. ``{{`` and ``}}``
are braces.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from judgekit.errors import BadInput

__all__ = ["PERSON_SLOTS", "PRONOUN_SLOTS", "Part", "parse", "slots_of"]

PRONOUN_SLOTS = frozenset(
    ["pronoun_subject", "pronoun_object", "pronoun_possessive", "pronoun_absolute", "pronoun_reflexive"]
)
_GRAMMAR = frozenset(["verb", "agree"])
_ARTICLES = frozenset(["el", "un", "del", "al"])
PERSON_SLOTS = frozenset({"name", "given", "family", "title", *PRONOUN_SLOTS, *_GRAMMAR, *_ARTICLES})
"""Slots that a person fills; everything else is an attribute's or the template's own."""

_TIMEOUT = 1.0
_TOKEN = regex.compile(r"\{\{|\}\}|\[\[|\]\]|\{([^{}]*)\}|[{}]")
_SLOT = regex.compile(r"(?P<name>\p{L}\w*?)(?:_(?P<who>[12]))?(?::(?P<argument>[\p{L}\p{M}'’ -]+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Plain text, or a slot. ``cut`` numbers the removable stretch it stands in; 0 is none."""

    text: str = ""
    slot: str | None = None
    argument: str = ""
    capital: bool = False
    who: int = 0
    cut: int = 0


@lru_cache(maxsize=4096)
def parse(text: str) -> tuple[Part, ...]:
    """Take a template's text apart.

    Parameters
    ----------
    text : str

    Returns
    -------
    tuple of Part

    Raises
    ------
    BadInput
        A brace or a double bracket that is not closed, or a slot that is none.

    Examples
    --------
    >>> [(p.text or p.slot, p.cut) for p in parse("Hi[[, I am {name}]]!")]
    [('Hi', 0), (', I am ', 1), ('name', 1), ('!', 0)]
    >>> parse("{Pronoun_subject}")[0].capital
    True
    """
    parts: list[Part] = []
    at, cut, cuts, plain = 0, 0, 0, ""

    def flush() -> None:
        nonlocal plain
        if plain:
            parts.append(Part(text=plain, cut=cut))
            plain = ""

    for found in _TOKEN.finditer(text, timeout=_TIMEOUT):
        plain += text[at : found.start()]
        at, sign = found.end(), found.group()
        if sign in {"{{", "}}"}:
            plain += sign[0]
        elif sign in {"[[", "]]"}:
            if (sign == "[[") == bool(cut):
                raise _bad(sign, "a stretch that may be removed opens with [[ and closes with ]], one at a time")
            flush()
            cuts += sign == "[["
            cut = cuts if sign == "[[" else 0
        elif len(sign) == 1:
            raise _bad(text[found.start() : found.start() + 30], "write a plain brace as {{ or }}")
        else:
            flush()
            parts.append(_slot(found.group(1), cut))
    plain += text[at:]
    flush()
    if cut:
        raise _bad(text[-30:], "a stretch that opens with [[ closes with ]]")
    return tuple(parts)


def _slot(inside: str, cut: int) -> Part:
    found = _SLOT.fullmatch(inside, timeout=_TIMEOUT)
    if found is None:
        raise _bad(f"{{{inside}}}", "a slot is a word in braces, such as {name} or {agree:contento}")
    name = found["name"]
    lowered = name[:1].lower() + name[1:]
    who, argument = int(found["who"] or 0), found["argument"] or ""
    if bool(argument) != (lowered in _GRAMMAR):
        why = "takes a word after a colon" if lowered in _GRAMMAR else "takes no colon; only verb and agree do"
        raise _bad(f"{{{inside}}}", f"{{{name}}} {why}")
    return Part(slot=lowered, argument=argument, capital=name[:1].isupper(), who=who, cut=cut)


def slots_of(text: str) -> frozenset[str]:
    """Names of the slots in a text, without number and argument.

    Examples
    --------
    >>> sorted(slots_of("{Given_1} and {given_2}: {agree:listo} {amount}"))
    ['agree', 'amount', 'given']
    """
    return frozenset(part.slot for part in parse(text) if part.slot)


def _bad(seen: str, why: str) -> BadInput:
    return BadInput("the template's text cannot be read", seen=seen, why=why)
