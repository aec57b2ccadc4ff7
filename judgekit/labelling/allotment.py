"""How many texts each stratum of a labelling sample gets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from judgekit.labelling.order import digest

__all__ = ["EQUAL_FIELDS", "allotted", "planned", "whole_part_below"]

EQUAL_FIELDS = ("group", "score_band")
"""Stratum fields whose values get the same number of texts each; within them the draw follows the share of replies."""


def whole_part_below(parts: Sequence[Fraction], *salt: object) -> list[int]:
    """Round each part up or down so that the sum is kept and every part is right on average (systematic rounding).

    Parameters
    ----------
    parts : sequence of Fraction
        Not negative; their sum is a whole number.
    *salt : object
        Seed and purpose of the draw.

    Returns
    -------
    list of int
    """
    start = Fraction(digest(*salt) % 10**9, 10**9)
    counts: list[int] = []
    total = Fraction(0)
    for part in parts:
        before = math.floor(total + start)
        total += part
        counts.append(math.floor(total + start) - before)
    return counts


def _cells(
    replies: Mapping[tuple[str, ...], int], strata: Sequence[str]
) -> dict[tuple[str, ...], list[tuple[str, ...]]]:
    """The strata of every group (and score band)."""
    equal = [place for place, field in enumerate(strata) if field in EQUAL_FIELDS]
    cells: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for stratum in sorted(replies):
        cells.setdefault(tuple(stratum[place] for place in equal), []).append(stratum)
    return cells


def planned(replies: Mapping[tuple[str, ...], int], strata: Sequence[str], n: int) -> dict[tuple[str, ...], Fraction]:
    """Texts wished for per stratum: equal over groups, within a group in proportion to its replies.

    Parameters
    ----------
    replies : mapping of stratum to int
        How many replies each has, 1 or more.
    strata : sequence of str
        The fields that a stratum's values belong to.
    n : int
        Different texts wanted.

    Returns
    -------
    dict of stratum to Fraction
        In sorted order; the sum is ``n``.

    Examples
    --------
    >>> {s[0]: str(count) for s, count in planned({("a",): 9, ("b",): 3}, ["group"], 5).items()}
    {'a': '5/2', 'b': '5/2'}
    """
    return allotted(replies, strata, n, dict.fromkeys(replies, n))


def allotted(
    replies: Mapping[tuple[str, ...], int], strata: Sequence[str], n: int, room: Mapping[tuple[str, ...], int]
) -> dict[tuple[str, ...], Fraction]:
    """As `planned`, but no stratum gets more texts than it has: the rest of its group, then the other groups, take over.

    Parameters
    ----------
    replies, strata, n
        As for `planned`.
    room : mapping of stratum to int
        How many different texts each has.

    Returns
    -------
    dict of stratum to Fraction
        In sorted order; the sum is ``n``, or all the room there is.

    Examples
    --------
    >>> room = {("a",): 9, ("b",): 1}
    >>> {s[0]: str(count) for s, count in allotted({("a",): 9, ("b",): 3}, ["group"], 5, room).items()}
    {'a': '4', 'b': '1'}
    """
    cells = _cells(replies, strata)
    shares = _filled(
        Fraction(n), dict.fromkeys(cells, 1), {cell: sum(room[s] for s in within) for cell, within in cells.items()}
    )
    found: dict[tuple[str, ...], Fraction] = {}
    for cell, within in cells.items():
        found |= _filled(shares[cell], {s: replies[s] for s in within}, room)
    return dict(sorted(found.items()))


def _filled(
    total: Fraction, weights: Mapping[tuple[str, ...], int], room: Mapping[tuple[str, ...], int]
) -> dict[tuple[str, ...], Fraction]:
    """Shares of a total in proportion to weights, none above its room; what one cannot take goes to those with room left."""
    found: dict[tuple[str, ...], Fraction] = {}
    left = dict(weights)
    while left:
        whole = sum(left.values())
        full = [key for key, weight in left.items() if total * weight / whole > room[key]]
        if not full:
            return found | {key: total * weight / whole for key, weight in left.items()}
        for key in full:
            found[key] = Fraction(room[key])
            total -= room[key]
            del left[key]
    return found
