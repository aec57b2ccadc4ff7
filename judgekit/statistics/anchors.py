"""A judged gap corrected with anchors: a frozen set of labelled replies that the judge scores again in every build."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from judgekit.records import Contrast, GapEstimate, Interval, MetricRow, Undefined
from judgekit.statistics.correction import MIN_LABELS, bias_estimate
from judgekit.statistics.distributions import t_quantile, t_two_sided
from judgekit.statistics.two_way import Claim, group_gap
from judgekit.statistics.variance import welch_satterthwaite
from judgekit.wording.sentence import say

__all__ = ["anchor_corrected_gap"]


def anchor_corrected_gap(
    rows_judge: Sequence[MetricRow],
    anchor_judge: Sequence[MetricRow],
    anchor_human: Sequence[MetricRow],
    contrast: Contrast,
    *,
    inclusion: Mapping[str, float] | None = None,
    claim: Claim = "groups",
    level: float = 0.95,
    min_labels: int = MIN_LABELS,
) -> GapEstimate:
    """Judged gap of a run, corrected with a frozen set of labelled replies that the judge has scored again.

    Parameters
    ----------
    rows_judge : sequence of MetricRow
        The judge's scores of this run.
    anchor_judge, anchor_human : sequence of MetricRow
        The judge's and people's scores of the anchor set, joined by item.
    contrast : Contrast
        The two groups; the gap is ``a`` minus ``b``.
    inclusion : mapping of str to float, optional
        Chance of each anchor to have been drawn, in (0, 1]. By default all had the same.
    claim : {'groups', 'these_names'}
        As for the raw gap.
    level : float
        Confidence level, a share.
    min_labels : int
        Fewest anchor labels per group.

    Returns
    -------
    GapEstimate
        Raw gap minus differential bias on the anchors; their variances add. ``n_a`` and ``n_b`` count anchor labels.
        Undefined when either part is, or with too few anchor labels.

    Raises
    ------
    BadInput
        As in `corrected_gap`.

    Notes
    -----
    Anchors say how the judge errs, not what this run's replies are like, so the judge has weight 1 here. The estimate
    holds as long as the judge errs on this run's replies as it does on the anchors; a note says so.

    Examples
    --------
    >>> def row(item, group, value):
    ...     return MetricRow(item=f"{item}{group}", unit_id=f"t{item}", group=group, name=None, value=value)
    >>> run = [row(i, g, 3.0 + i % 3 / 2 + (g == "x") * (0.5 + i % 2 / 5)) for i in range(30) for g in "xy"]
    >>> human = [row(i, g, 3.0 + i % 3 / 2) for i in range(30) for g in "xy"]
    >>> abs(round(anchor_corrected_gap(run, run, human, Contrast("x", "y")).value, 6))
    0.0
    """
    raw = group_gap(rows_judge, contrast, claim=claim, level=level, interval="t")
    bias = bias_estimate(anchor_judge, anchor_human, contrast, level, inclusion, max(2, min_labels))
    method = "judged gap minus bias on anchors, t"
    notes = (*raw.notes, say("holds while the judge errs on these replies as it does on the anchors"))
    found = replace(
        raw, value=_minus(raw, bias), min_p=None, method=method, df=None, notes=notes, n_a=bias.n_a, n_b=bias.n_b
    )
    for part in (raw.value, bias.value, raw.interval, bias.interval):
        if isinstance(part, Undefined):
            return replace(found, interval=part, p=part)
    se_raw, df_raw = _error(raw)
    se_bias, df_bias = _error(bias)
    value = float(raw.value) - float(bias.value)  # type: ignore[arg-type]  # both are defined here
    variance = se_raw**2 + se_bias**2
    df = welch_satterthwaite([(se_raw**2, df_raw), (se_bias**2, df_bias)], variance)
    half = t_quantile((1 + level) / 2, df) * math.sqrt(variance)
    interval = Interval(value - half, value + half, level, method)
    return replace(found, interval=interval, p=t_two_sided(value / math.sqrt(variance), df), df=df)


def _minus(raw: GapEstimate, bias: GapEstimate) -> float | Undefined:
    for part in (raw.value, bias.value):
        if isinstance(part, Undefined):
            return part
    return float(raw.value) - float(bias.value)  # type: ignore[arg-type]  # both are defined here


def _error(found: GapEstimate) -> tuple[float, float]:
    """Standard error and degrees of freedom behind a t interval."""
    interval = found.interval
    if isinstance(interval, Undefined):
        return math.nan, math.nan
    df = found.df if found.df is not None else max(1.0, found.templates - 1.0)
    return (interval.high - interval.low) / 2 / t_quantile((1 + interval.level) / 2, df), df
