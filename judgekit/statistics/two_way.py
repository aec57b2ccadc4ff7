"""The default inference for a gap between groups: templates and names are both samples.

All templates share the same few names. A test over templates alone takes luck in the list of names for an effect of
the group and rejects a true null 10 to 45% of the time when names differ a little; more templates make it worse.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Contrast, GapEstimate, Interval, MetricRow, Undefined
from judgekit.statistics.distributions import t_quantile, t_two_sided
from judgekit.statistics.results import FloatArray, check_level
from judgekit.statistics.sign_flip import sign_flip_interval, sign_flip_test
from judgekit.statistics.template_gaps import Cells, TemplateGaps, cell_means, template_gaps
from judgekit.statistics.variance import TwoWay, two_way
from judgekit.wording.sentence import say

__all__ = ["FEW_NAMES", "Claim", "TwoWay", "all_contrasts", "failure_gap", "group_gap", "group_gaps", "two_way"]

Claim = Literal["groups", "these_names"]

FEW_NAMES = 4
"""Fewer names in a group than this and a claim about the group is flagged."""

FEW_NONZERO = 10
"""With fewer non-zero template gaps than this no interval keeps its promise (coverage 0.62 at 10 templates)."""

_NO_SPREAD = 1e-12


def _t_estimate(value: float, se: float, df: float, level: float, method: str) -> tuple[Interval, float]:
    half = t_quantile((1 + level) / 2, df) * se
    return Interval(value - half, value + half, level, method), t_two_sided(value / se, df)


def group_gap(
    rows: Sequence[MetricRow] | Cells,
    contrast: Contrast,
    *,
    claim: Claim = "groups",
    level: float = 0.95,
    seed: int = 0,
    interval: Literal["auto", "sign-flip", "t", "bootstrap-t"] = "auto",
) -> GapEstimate:
    """Mean gap between two groups with the inference that its claim needs.

    Parameters
    ----------
    rows : sequence of MetricRow or Cells
        One row per generation.
    contrast : Contrast
        The two groups; the gap is ``a`` minus ``b``.
    claim : {'groups', 'these_names'}
        ``groups``: names stand for more people than those listed, so they are a second sample. ``these_names``: the
        statement is about exactly these names, and only templates are a sample.
    level : float
        Confidence level, a share.
    seed : int
        Seed of Monte-Carlo parts.
    interval : {'auto', 'sign-flip', 't', 'bootstrap-t'}
        For ``these_names``: ``auto`` inverts the sign-flip test. For ``groups`` only ``auto`` and ``t`` exist.

    Returns
    -------
    GapEstimate
        ``groups``: two-way variance, t interval and p with Satterthwaite degrees of freedom. ``these_names``: exact
        (or Monte-Carlo) sign-flip p. No template with both groups: value undefined. One template: value, p = 1 and
        an infinite interval. No spread at all: interval undefined.

    Raises
    ------
    BadInput
        When the level is not a share, the groups are the same, or the interval does not fit the claim.

    Examples
    --------
    >>> def row(template, group, name, value):
    ...     return MetricRow(item=f"{template}{name}", unit_id=template, group=group, name=name, value=value)
    >>> rows = [row(f"t{t}", g, f"{g}{n}", t % 3 + n * (g == "x") / 2.0) for t in range(6) for g in "xy" for n in range(3)]
    >>> found = group_gap(rows, Contrast("x", "y"))
    >>> found.value, found.method
    (0.5, 'two-way t')
    """
    check_level(level)
    if claim == "groups" and interval not in ("auto", "t"):
        raise BadInput(
            "this interval treats names as fixed", field="interval", seen=interval,
            why="a claim about groups needs names as a second sample", remedy="use claim='these_names' or interval='t'",
        )  # fmt: skip
    cells = rows if isinstance(rows, Cells) else cell_means(rows)
    gaps = template_gaps(cells, contrast)
    notes = _notes(cells, gaps, claim)
    if isinstance(gaps.mean, Undefined) or len(gaps.gaps) < 2:
        return _too_few(gaps, claim, level, notes)
    unnamed = not cells.named or not (gaps.names_a or gaps.names_b)
    if claim == "these_names" or unnamed:
        return _template_level(gaps, level, seed, "t" if claim == "groups" else interval, notes)
    found = two_way(cells, gaps)
    value = float(gaps.mean)
    if isinstance(found, Undefined):
        return _estimate(gaps, found, found, None, "two-way t", None, notes)
    scale = max(abs(value), float(np.abs(gaps.values).max()))
    if found.se <= _NO_SPREAD * scale or found.se == 0:
        why = Undefined("no spread", "template gaps and names do not vary")
        if scale == 0:
            return _estimate(gaps, why, 1.0, None, "two-way t", None, notes)
        p = sign_flip_test(gaps.values, seed=seed).p
        shown = say("every template has the same gap; the sign-flip p for these names is {p:.3g}", p=p)
        return _estimate(gaps, why, why, None, "two-way t", None, (*notes, shown))
    if found.v_names_a + found.v_names_b == 0 and found.v_templates > 0 and cells.named:
        notes = (*notes, say("names do not add to the spread of template gaps (or each name belongs to one template)"))
    bounds, p = _t_estimate(value, found.se, found.df, level, "two-way t")
    return _estimate(gaps, bounds, p, None, "two-way t", found.df, notes)


def _estimate(
    gaps: TemplateGaps,
    interval: Interval | Undefined,
    p: float | Undefined,
    min_p: float | None,
    method: str,
    df: float | None,
    notes: tuple[str, ...],
) -> GapEstimate:
    return GapEstimate(
        value=gaps.mean,
        interval=interval,
        p=p,
        min_p=min_p,
        method=method,
        df=df,
        templates=len(gaps.gaps),
        names_a=gaps.names_a,
        names_b=gaps.names_b,
        n_a=gaps.n_a,
        n_b=gaps.n_b,
        notes=notes,
    )


def _too_few(gaps: TemplateGaps, claim: Claim, level: float, notes: tuple[str, ...]) -> GapEstimate:
    method = "two-way t" if claim == "groups" else "sign-flip"
    if isinstance(gaps.mean, Undefined):
        return _estimate(gaps, gaps.mean, gaps.mean, None, method, None, notes)
    unbounded = Interval(-math.inf, math.inf, level, method)
    return _estimate(gaps, unbounded, 1.0, 1.0, method, None, (*notes, say("one template: nothing can be inferred")))


def _template_level(gaps: TemplateGaps, level: float, seed: int, interval: str, notes: tuple[str, ...]) -> GapEstimate:
    """Only templates are a sample: exact sign-flip p with the interval asked for."""
    values = gaps.values
    flips = sign_flip_test(values, seed=seed)
    if interval in ("auto", "sign-flip"):
        bounds = sign_flip_interval(values, level=level, seed=seed)
    elif interval == "t":
        se = float(values.std(ddof=1)) / math.sqrt(len(values))
        degenerate = se <= _NO_SPREAD * float(np.abs(values).max(initial=0.0))
        bounds = (
            Undefined("no spread", "every template has the same gap")
            if degenerate
            else _t_estimate(float(values.mean()), se, len(values) - 1.0, level, "t over templates")[0]
        )
    else:
        from judgekit.statistics.bootstrap import bootstrap_interval

        bounds = bootstrap_interval(values, method="bootstrap-t", level=level, seed=seed).interval
    if np.ptp(values) <= _NO_SPREAD * float(np.abs(values).max(initial=0.0)):
        notes = (*notes, say("no spread between templates: the interval is degenerate"))
    return _estimate(gaps, bounds, flips.p, flips.min_p, f"sign-flip, {flips.method}", None, notes)


def _notes(cells: Cells, gaps: TemplateGaps, claim: Claim) -> tuple[str, ...]:
    notes: list[str] = []
    a, b = gaps.contrast.a, gaps.contrast.b
    if gaps.dropped:
        notes.append(say("{n} templates dropped: no scored row in one of the groups", n=len(gaps.dropped)))
    if gaps.outside:
        notes.append(say("{n} rows have no template and are left out", n=gaps.outside))
    if claim == "groups":
        if not cells.named or not (gaps.names_a or gaps.names_b):
            notes.append(
                say("no names: tested over templates only, so the claim is about these replies, not the groups")
            )
        else:
            few = [f"{g} ({n})" for g, n in ((a, gaps.names_a), (b, gaps.names_b)) if n < FEW_NAMES]
            if few:
                notes.append(
                    say(
                        "fewer than {least} names: {few}; a claim about the group rests on little",
                        least=FEW_NAMES,
                        few=", ".join(few),
                    )
                )
    values = gaps.values
    nonzero = int(np.count_nonzero(np.abs(values) > 1e-9 * np.abs(values).max(initial=0.0)))
    if 0 < nonzero < min(FEW_NONZERO, len(values)):
        notes.append(
            say("only {n} of {of} template gaps are not zero: intervals are too narrow then", n=nonzero, of=len(values))
        )
    smallest = 2.0 * 0.5 ** min(len(values), 100)
    if values.size > 1 and smallest > 0.05:
        notes.append(say("a sign-flip test of {n} templates cannot go below p = {p:.4g}", n=len(values), p=smallest))
    skew = _skewness(values)
    if abs(skew) > max(1.0, 2 * math.sqrt(6 / max(1, len(values)))):
        notes.append(
            say(
                "template gaps are skewed ({skew:+.1f}): for these names interval='bootstrap-t' covers better",
                skew=skew,
            )
        )
    return tuple(notes)


def _skewness(values: FloatArray) -> float:
    spread = float(values.std()) if len(values) > 2 else 0.0
    return float(((values - values.mean()) ** 3).mean()) / spread**3 if spread > 0 else 0.0


def failure_gap(
    rows: Sequence[MetricRow] | Cells,
    contrast: Contrast,
    *,
    claim: Claim = "groups",
    level: float = 0.95,
    seed: int = 0,
) -> GapEstimate:
    """Share of rows without a score in ``a`` minus the share in ``b``, with the same inference as any gap.

    Parameters
    ----------
    rows : sequence of MetricRow or Cells
        One row per generation.
    contrast : Contrast
        The two groups.
    claim : {'groups', 'these_names'}
        As in `group_gap`.
    level : float
        Confidence level, a share.
    seed : int
        Seed of Monte-Carlo parts.

    Returns
    -------
    GapEstimate
        A difference of shares in [-1, 1]; a value also when it is 0. Without any failure: p = 1 and no interval.

    Examples
    --------
    >>> def row(template, group, value):
    ...     return MetricRow(item=template + group, unit_id=template, group=group, name=None, value=value)
    >>> rows = [row("t1", "x", None), row("t1", "y", 1.0), row("t2", "x", 2.0), row("t2", "y", 1.0)]
    >>> failure_gap(rows, Contrast("x", "y")).value
    0.5
    """
    cells = rows if isinstance(rows, Cells) else cell_means(rows)
    return group_gap(cells.failures(), contrast, claim=claim, level=level, seed=seed)


def all_contrasts(groups: Sequence[str]) -> tuple[Contrast, ...]:
    """Every pair of groups, in the order given.

    Parameters
    ----------
    groups : sequence of str
        At least one name; repeats are dropped.

    Returns
    -------
    tuple of Contrast
        n (n - 1) / 2 contrasts.

    Examples
    --------
    >>> [(c.a, c.b) for c in all_contrasts(["x", "y", "z"])]
    [('x', 'y'), ('x', 'z'), ('y', 'z')]
    """
    return tuple(Contrast(a, b) for a, b in combinations(dict.fromkeys(groups), 2))


def group_gaps(
    rows: Sequence[MetricRow] | Cells,
    contrasts: Sequence[Contrast] | None = None,
    *,
    claim: Claim = "groups",
    level: float = 0.95,
    seed: int = 0,
) -> dict[Contrast, GapEstimate]:
    """Gaps of several contrasts of one metric; the cells are made once.

    Parameters
    ----------
    rows : sequence of MetricRow or Cells
        One row per generation.
    contrasts : sequence of Contrast, optional
        All pairs of groups met by default.
    claim, level, seed
        As in `group_gap`.

    Returns
    -------
    dict of Contrast to GapEstimate
        In the order of the contrasts.

    Raises
    ------
    BadInput
        As in `group_gap`.

    Examples
    --------
    >>> rows = [MetricRow(item=f"{t}{g}", unit_id=f"t{t}", group=g, name=None, value=float(t % 2 + ord(g)))
    ...         for t in range(8) for g in "xyz"]
    >>> [found.value for found in group_gaps(rows).values()]
    [-1.0, -2.0, -1.0]
    """
    cells = rows if isinstance(rows, Cells) else cell_means(rows)
    wanted = all_contrasts(cells.groups) if contrasts is None else contrasts
    return {c: group_gap(cells, c, claim=claim, level=level, seed=seed) for c in wanted}
