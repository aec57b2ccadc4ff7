"""Gaps between two groups, template by template: the unit of analysis of every group comparison.

Rows become cells (template x name); a template's gap is the mean of its ``a`` cells minus the mean of its ``b`` cells.
Cells are kept in long form, so that designs in which every reply has its own name cost no more than full ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Contrast, MetricRow, Undefined
from judgekit.statistics.cells import NO_NAME, Cells, cell_means, cells_from_columns
from judgekit.statistics.distributions import binomial_tail
from judgekit.statistics.results import HIDDEN, FloatArray, Result, group_sum

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

__all__ = ["Cells", "Direction", "TemplateGaps", "cell_means", "cells_from_columns", "direction", "template_gaps"]

Weighting = Literal["names", "rows"]

_ZERO = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction(
    Result,
    method="direction consistency, exact binomial",
    unit="share of templates",
    source="Dixon and Mood (1946), JASA 41",
):
    """How consistently templates point the way of the mean gap.

    ``share`` is the share of all templates whose gap has the sign of the mean gap; ``zero`` templates are counted
    apart; ``p`` is the exact two-sided binomial p over non-zero gaps.
    """

    share: float | Undefined
    positive: int
    negative: int
    zero: int
    n: int
    p: float | Undefined


def direction(gaps: ArrayLike) -> Direction:
    """Direction consistency of template gaps.

    Parameters
    ----------
    gaps : sequence of float
        One gap (a minus b) per template; within 1e-9 of the largest counts as zero.

    Returns
    -------
    Direction
        Undefined share when there is no gap, all are zero, or their mean is.

    Examples
    --------
    >>> direction([0.5, 0.25, -0.25, 0.0]).share
    0.5
    """
    values = np.asarray(gaps, dtype=np.float64)
    scale = float(np.abs(values).max(initial=0.0))
    positive = int(np.count_nonzero(values > _ZERO * scale))
    negative = int(np.count_nonzero(values < -_ZERO * scale))
    zero = len(values) - positive - negative
    counts = {"positive": positive, "negative": negative, "zero": zero, "n": len(values)}
    if positive + negative == 0:
        why = Undefined("every template gap is zero" if len(values) else "no template has both groups")
        return Direction(share=why, p=why, **counts)
    # The two-sided binomial test at one half is symmetric.
    p = min(1.0, 2.0 * binomial_tail(min(positive, negative), positive + negative))
    mean = float(values.mean())
    if abs(mean) <= _ZERO * scale:
        return Direction(share=Undefined("the mean gap is zero"), p=p, **counts)
    return Direction(share=(positive if mean > 0 else negative) / len(values), p=p, **counts)


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateGaps(
    Result,
    method="gap of each template",
    unit="of the metric",
    source="Miller (2024), Adding Error Bars to Evals, arXiv:2411.00640",
):
    """Template gaps of one contrast, ``contrast.a`` minus ``contrast.b``.

    ``gaps`` maps a template to its gap, in template order; ``counts`` to its scored rows (a, b); ``dropped`` gives the
    reason why a template has no gap. ``mean`` is the mean of the gaps and ``sd`` their standard deviation.
    ``per_name`` holds the mean over rows of each name within each group. ``n_a``, ``n_b`` count scored rows in
    templates that have both groups, ``missing_a``, ``missing_b`` all rows without a score, and ``outside`` rows that
    have no template.
    """

    contrast: Contrast
    weighting: Weighting
    gaps: Mapping[str, float]
    counts: Mapping[str, tuple[int, int]]
    dropped: Mapping[str, str]
    mean: float | Undefined
    sd: float | Undefined
    direction: Direction
    per_name: Mapping[str, Mapping[str, float]]
    names_a: int
    names_b: int
    n_a: int
    n_b: int
    missing_a: int
    missing_b: int
    outside: int
    cells: Cells = field(repr=False, metadata=HIDDEN)

    @property
    def values(self) -> FloatArray:
        """The gaps as an array, in template order."""
        return np.fromiter(self.gaps.values(), dtype=np.float64, count=len(self.gaps))

    def table(self) -> pd.DataFrame:
        """One row per template: its gap, scored rows of each group, and the mean gap without it.

        Returns
        -------
        pandas.DataFrame
            Columns ``template``, ``gap``, ``n_a``, ``n_b``, ``mean_without``; sorted by gap.
        """
        import pandas as pd

        without = self.leave_one_template_out()
        rows = [(t, gap, *self.counts[t], _number(without[t])) for t, gap in self.gaps.items()]
        columns = ["template", "gap", "n_a", "n_b", "mean_without"]
        return pd.DataFrame(rows, columns=columns).sort_values("gap", kind="stable", ignore_index=True)

    def leave_one_template_out(self) -> dict[str, float | Undefined]:
        """Mean gap without each template in turn.

        Returns
        -------
        dict
            Template to mean gap of the others; undefined when none is left.
        """
        values, total = self.values, float(self.values.sum())
        if len(values) < 2:
            return {t: Undefined("no template is left") for t in self.gaps}
        return {t: float((total - v) / (len(values) - 1)) for t, v in zip(self.gaps, values, strict=True)}

    def leave_one_name_out(self) -> Mapping[str, Mapping[str, float | Undefined]]:
        """Mean gap without each name in turn, by group and name.

        Returns
        -------
        mapping of str to mapping
            Group, then name, to the mean gap without that name; undefined when no template is left.
        """
        cells, contrast = self.cells, self.contrast
        out: dict[str, dict[str, float | Undefined]] = {contrast.a: {}, contrast.b: {}}
        a, b = (_Side(cells, g, self.weighting) for g in (contrast.a, contrast.b))
        mean_a, mean_b = a.means(), b.means()
        for index, (group, name) in enumerate(cells.names):
            if name == NO_NAME or group not in out:
                continue
            if group == contrast.a:
                out[group][name] = _mean_gap(a.without(index), mean_b)
            else:
                out[group][name] = _mean_gap(mean_a, b.without(index))
        return out


def _number(value: float | Undefined) -> float | None:
    return None if isinstance(value, Undefined) else value


class _Side:
    """Sums by template of one group, from which any name can be taken out again."""

    def __init__(self, cells: Cells, group: str, weighting: Weighting) -> None:
        self.template, self.name, mean, count = cells.side(group)
        self.weight = np.ones(len(mean)) if weighting == "names" else count.astype(np.float64)
        self.part = mean * self.weight
        size = len(cells.templates)
        self.sums = group_sum(self.template, self.part, size)
        self.weights = group_sum(self.template, self.weight, size)
        self.rows = np.bincount(self.template, weights=count, minlength=size).astype(np.int64)

    def means(self) -> FloatArray:
        return _ratio(self.sums, self.weights)

    def without(self, name: int) -> FloatArray:
        mine = self.name == name
        sums, weights = self.sums.copy(), self.weights.copy()
        at = self.template[mine]
        np.subtract.at(sums, at, self.part[mine])
        np.subtract.at(weights, at, self.weight[mine])
        return _ratio(sums, weights)


def _ratio(sums: FloatArray, weights: FloatArray) -> FloatArray:
    out = np.full(len(sums), np.nan)
    np.divide(sums, weights, out=out, where=weights > 0.5)
    return out


def _mean_gap(a: FloatArray, b: FloatArray) -> float | Undefined:
    gaps = a - b
    gaps = gaps[~np.isnan(gaps)]
    return float(gaps.mean()) if len(gaps) else Undefined("no template has both groups")


def template_gaps(
    rows: Sequence[MetricRow] | Cells, contrast: Contrast, *, weighting: Weighting = "names"
) -> TemplateGaps:
    """Gap of each template between two groups.

    Parameters
    ----------
    rows : sequence of MetricRow or Cells
        One row per generation, or cells made from them.
    contrast : Contrast
        The two groups; every gap is ``a`` minus ``b``.
    weighting : {'names', 'rows'}
        ``names``: within a template a group's mean is the mean of its name means, so that a name that fails often
        keeps its weight. ``rows``: the mean of its rows.

    Returns
    -------
    TemplateGaps
        Templates without a scored row on one side are dropped and counted.

    Raises
    ------
    BadInput
        When the two groups are the same, or a value is not finite.

    Examples
    --------
    >>> def row(template, group, value):
    ...     return MetricRow(item=f"{template}{group}", unit_id=template, group=group, name=None, value=value)
    >>> found = template_gaps([row("t1", "x", 4.0), row("t1", "y", 3.5), row("t2", "x", 2.0)], Contrast("x", "y"))
    >>> found.gaps, found.dropped
    ({'t1': 0.5}, {'t2': 'no scored row of y'})
    """
    if contrast.a == contrast.b:
        raise BadInput("a group is compared with itself", field="contrast", seen=contrast.a)
    cells = rows if isinstance(rows, Cells) else cell_means(rows)
    sides = {g: _Side(cells, g, weighting) for g in (contrast.a, contrast.b)}
    a, b = sides[contrast.a], sides[contrast.b]
    mean_a, mean_b = a.means(), b.means()
    used = np.flatnonzero(~np.isnan(mean_a - mean_b))
    gaps = {cells.templates[t]: float(mean_a[t] - mean_b[t]) for t in used.tolist()}
    missing = dict.fromkeys(sides, 0)
    per_cell = [cells.names[n][0] for n in cells.name.tolist()]
    for group, lost in zip(per_cell, cells.missing.tolist(), strict=True):
        if group in missing:
            missing[group] += lost
    values = np.fromiter(gaps.values(), dtype=np.float64, count=len(gaps))
    return TemplateGaps(
        contrast=contrast,
        weighting=weighting,
        gaps=gaps,
        counts={cells.templates[t]: (int(a.rows[t]), int(b.rows[t])) for t in used.tolist()},
        dropped=_dropped(cells, contrast, mean_a, mean_b),
        mean=float(values.mean()) if len(values) else Undefined("no template has both groups"),
        sd=float(values.std(ddof=1)) if len(values) > 1 else Undefined("fewer than two templates have both groups"),
        direction=direction(values),
        per_name=_per_name(cells, contrast),
        names_a=_name_count(cells, contrast.a),
        names_b=_name_count(cells, contrast.b),
        n_a=int(a.rows[used].sum()),
        n_b=int(b.rows[used].sum()),
        missing_a=missing[contrast.a],
        missing_b=missing[contrast.b],
        outside=sum(cells.outside.get(g, 0) for g in sides),
        cells=cells,
    )


def _dropped(cells: Cells, contrast: Contrast, mean_a: FloatArray, mean_b: FloatArray) -> dict[str, str]:
    out = {}
    met = np.zeros(len(cells.templates), dtype=bool)
    for index, (group, _) in enumerate(cells.names):
        if group in (contrast.a, contrast.b):
            met[cells.template[cells.name == index]] = True
    for t in np.flatnonzero(met).tolist():
        lacking = [g for g, m in ((contrast.a, mean_a), (contrast.b, mean_b)) if np.isnan(m[t])]
        if lacking:
            out[cells.templates[t]] = f"no scored row of {' or '.join(lacking)}"
    return out


def _name_count(cells: Cells, group: str) -> int:
    _, name, _, _ = cells.side(group)
    return len({n for n in np.unique(name).tolist() if cells.names[n][1] != NO_NAME})


def _per_name(cells: Cells, contrast: Contrast) -> dict[str, dict[str, float]]:
    total = np.bincount(cells.name, weights=cells.total, minlength=len(cells.names))
    count = np.bincount(cells.name, weights=cells.count, minlength=len(cells.names))
    out: dict[str, dict[str, float]] = {contrast.a: {}, contrast.b: {}}
    for (group, name), t, c in zip(cells.names, total.tolist(), count.tolist(), strict=True):
        if group in out and c > 0 and name != NO_NAME:
            out[group][name] = t / c
    return out
