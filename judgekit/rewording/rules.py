"""The bundled rewording rules of a language: classes of words, short forms, clauses that may change places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from judgekit.data import bundled
from judgekit.errors import ConfigProblem
from judgekit.rubric import load_yaml

__all__ = ["LANGUAGES", "Rules", "Swap", "rules_for"]

LANGUAGES = ("en", "es")
"""Languages that have rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """A phrase that may take another's place, and what must stand around it.

    ``next`` and ``after`` are words that must follow or stand before (``#`` is a number, ``,`` a comma; empty: any);
    ``end`` asks for the end of a clause; ``no_inversion`` keeps "isn't it" as it is; ``verb_follows`` and ``participle``
    say what must, or with ``participle`` False must not, come next.
    """

    to: str
    next: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    end: bool = False
    no_inversion: bool = False
    verb_follows: bool = False
    participle: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Rules of one language.

    ``swaps`` maps the words of a phrase, in small letters, to what may stand in its place; ``longest`` is the number of
    words of the longest phrase.
    """

    lang: str
    swaps: Mapping[tuple[str, ...], tuple[Swap, ...]]
    longest: int
    participles: frozenset[str]
    movable: tuple[str, ...]
    conditional: str
    main_openings: tuple[str, ...]
    plain_openings: frozenset[str]
    fixed_sentences: tuple[str, ...] = field(default=())


def _lines(found: Mapping[str, Any], key: str) -> Iterator[str]:
    for line in str(found.get(key) or "").splitlines():
        if line.strip():
            yield line.strip()


def _words(phrase: str) -> tuple[str, ...]:
    return tuple(phrase.replace(",", " ,").replace("’", "'").lower().split())


def _conditions(text: str) -> dict[str, frozenset[str]]:
    """``next: a b  end: yes`` as sets of words by key."""
    found: dict[str, frozenset[str]] = {}
    key, words = "", set[str]()
    for piece in text.split():
        if piece.endswith(":"):
            key, words = piece[:-1], set()
        else:
            words.add(piece)
        found[key] = frozenset(words)
    return found


def _read(found: Mapping[str, Any]) -> dict[tuple[str, ...], list[Swap]]:
    swaps: dict[tuple[str, ...], list[Swap]] = {}
    for line in _lines(found, "classes"):
        members = [member.strip() for member in line.split("|")]
        for member in members:
            swaps.setdefault(_words(member), []).extend(Swap(to=other) for other in members if other != member)
    for line in _lines(found, "oneway"):
        left, _, rest = line.partition(" > ")
        right, _, limits = rest.partition("  ")
        known = _conditions(limits)
        swap = Swap(
            to=right.strip(),
            next=known.get("next", frozenset()),
            after=known.get("after", frozenset()),
            end="end" in known,
        )
        swaps.setdefault(_words(left), []).append(swap)
    for line in _lines(found, "contractions"):
        full, _, short = (part.strip() for part in line.partition(" = "))
        negative = short.endswith("n't")
        has, is_ = full.endswith(" have"), full.endswith(" is")
        swaps.setdefault(_words(full), []).append(
            Swap(to=short, verb_follows=not negative, participle=True if has else None)
        )
        swaps.setdefault(_words(short), []).append(
            Swap(to=full, no_inversion=negative, verb_follows=is_, participle=False if is_ else None)
        )
    return swaps


@cache
def rules_for(lang: str) -> Rules | None:
    """The bundled rules for a language tag, or None where there are none.

    Parameters
    ----------
    lang : str
        Such as ``en`` or ``es-MX``.

    Returns
    -------
    Rules or None

    Raises
    ------
    ConfigProblem
        The bundled file is broken.

    Examples
    --------
    >>> [swap.to for swap in rules_for("en").swaps[("perhaps",)]]
    ['maybe']
    >>> rules_for("fr") is None
    True
    """
    base = lang.split("-", maxsplit=1)[0].lower()
    if base not in LANGUAGES:
        return None
    path = bundled("rewording") / f"{base}.yaml"
    found = load_yaml(path)
    if not isinstance(found, dict) or found.get("format") != "judgekit-rewording-1":
        raise ConfigProblem("the rewording rules cannot be read", path=path, remedy="install judgekit again")
    swaps = _read(found)
    return Rules(
        lang=base,
        swaps={words: tuple(to) for words, to in swaps.items()},
        longest=max(map(len, swaps)),
        participles=frozenset(str(found.get("participles") or "").split()),
        movable=tuple(_lines(found, "movable")),
        conditional=str(found["conditional"]),
        main_openings=tuple(_lines(found, "main_openings")),
        plain_openings=frozenset(str(found["plain_openings"]).split()),
        fixed_sentences=tuple(found["fixed_sentences"]),
    )
