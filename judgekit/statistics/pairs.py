"""Differences of matched pairs: the same template, name pair and replicate in both groups.

Pairs of one template are not independent. Their tests are kept under the name *seed-compatible* for comparison with
published tables; inference belongs to `template_gaps` and `two_way`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from random import Random

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Contrast, MetricRow, Undefined
from judgekit.statistics.bootstrap import SeedCompatible, seed_compatible
from judgekit.statistics.results import FloatArray, Result
from judgekit.statistics.sign_flip import SignFlip, sign_flip_test

__all__ = ["PairDifferences", "pair_differences"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDifferences(
    Result,
    method="differences of matched pairs",
    unit="of the metric",
    source="Bertrand and Mullainathan (2004), Am. Econ. Rev. 94",
):
    """Differences ``a`` minus ``b`` in the order template, name pair, replicate (numbers in names by their value).

    ``one_sided`` counts pairs that lack a score on one side (or both); ``per_name_pair`` the mean difference of each
    pair of names.
    """

    contrast: Contrast
    differences: tuple[float, ...]
    templates: int
    one_sided: int
    per_name_pair: Mapping[str, float]
    warning: str

    @property
    def values(self) -> FloatArray:
        """The differences as an array."""
        return np.array(self.differences, dtype=np.float64)

    def sign_flip(self) -> SignFlip:
        """Exact or Monte-Carlo sign-flip test over pairs; too small a p when gaps vary between templates.

        Returns
        -------
        SignFlip
            See `sign_flip_test`.
        """
        return sign_flip_test(self.values)

    def seed_compatible(self, rng: Random, *, draws: int = 4_000, flips: int = 10_000) -> SeedCompatible | Undefined:
        """Pair-level percentile interval and sign-flip p, drawn exactly as published.

        Parameters
        ----------
        rng : random.Random
            One generator for a whole run of metrics.
        draws, flips : int
            Bootstrap draws and sign patterns.

        Returns
        -------
        SeedCompatible or Undefined
            Undefined without pairs.
        """
        return seed_compatible(self.differences, rng, draws=draws, flips=flips)


def _natural(text: str) -> list[tuple[int, int, str]]:
    """Sort key under which ``pair 10`` follows ``pair 9``."""
    parts: list[tuple[int, int, str]] = []
    for number, run in groupby(text, key=lambda c: c.isascii() and c.isdigit()):
        piece = "".join(run)
        parts.append((0, int(piece), "") if number and len(piece) < 20 else (1, 0, piece))
    return parts


def _pair_names(rows: Sequence[MetricRow], contrast: Contrast) -> dict[tuple[str, str | None], str]:
    """The pair each name belongs to: as declared, else by position of first appearance within the group."""
    names: dict[str, dict[str | None, str | None]] = {contrast.a: {}, contrast.b: {}}
    for row in rows:
        if row.group in names:
            declared = names[row.group].setdefault(row.name, row.name_pair)
            if declared != row.name_pair:
                raise BadInput("a name belongs to two pairs", field="name_pair", seen=f"{declared}, {row.name_pair}")
    a, b = names[contrast.a], names[contrast.b]
    if all(pair is not None for side in (a, b) for pair in side.values()):
        if sorted(map(str, a.values())) != sorted(map(str, b.values())):
            raise BadInput(
                "the groups do not have the same name pairs", seen=f"{sorted(map(str, a.values()))}, "
                f"{sorted(map(str, b.values()))}", remedy="give every name pair one name in each group",
            )  # fmt: skip
        return {(g, name): str(pair) for g, side in names.items() for name, pair in side.items()}
    if len(a) != len(b):
        raise BadInput(
            "the groups have name lists of unequal length",
            seen=f"{contrast.a}: {len(a)}, {contrast.b}: {len(b)}",
            why="names are paired by position and none may be left over",
            remedy="make the lists equally long, or use template gaps, which need no pairs",
        )
    return {(g, name): f"pair {i + 1}" for g, side in names.items() for i, name in enumerate(side)}


def pair_differences(rows: Sequence[MetricRow], contrast: Contrast) -> PairDifferences:
    """Difference of each matched pair of rows.

    Parameters
    ----------
    rows : sequence of MetricRow
        One row per generation. Names are matched by ``name_pair`` where every name has one, else by position.
    contrast : Contrast
        The two groups; a difference is ``a`` minus ``b``.

    Returns
    -------
    PairDifferences
        A pair without a score on either side is dropped and counted.

    Raises
    ------
    BadInput
        When the name lists differ in length or pairs, or a template has two rows for one name and replicate.

    Examples
    --------
    >>> def row(group, name, value):
    ...     return MetricRow(item=name, unit_id="t", group=group, name=name, value=value, replicate="1")
    >>> found = pair_differences([row("x", "Ana", 4.0), row("y", "Tom", 3.0)], Contrast("x", "y"))
    >>> found.differences, found.per_name_pair
    ((1.0,), {'pair 1': 1.0})
    """
    used = [r for r in rows if r.group in (contrast.a, contrast.b) and r.unit_id is not None]
    pair_of = _pair_names(used, contrast)
    cells: dict[tuple[str, str, str], dict[str, float | None]] = {}
    for row in used:
        key = str(row.unit_id), pair_of[str(row.group), row.name], row.replicate or ""
        sides = cells.setdefault(key, {})
        if row.group in sides:
            raise BadInput(
                "two rows stand in one place of the design", field=row.item, seen=" / ".join(key),
                remedy="give repeated generations a replicate",
            )  # fmt: skip
        sides[str(row.group)] = row.value
    found: dict[tuple[str, str, str], float] = {}
    for key in sorted(cells, key=lambda parts: [_natural(part) for part in parts]):
        a, b = cells[key].get(contrast.a), cells[key].get(contrast.b)
        if a is not None and b is not None:
            found[key] = a - b
    by_pair: dict[str, list[float]] = {}
    for (_, pair, _), value in found.items():
        by_pair.setdefault(pair, []).append(value)
    return PairDifferences(
        contrast=contrast,
        differences=tuple(found.values()),
        templates=len({template for template, _, _ in found}),
        one_sided=len(cells) - len(found),
        per_name_pair={pair: float(np.mean(values)) for pair, values in by_pair.items()},
        warning="pairs of a template are not independent: intervals over pairs are too narrow",
    )
