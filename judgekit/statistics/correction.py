"""A judged gap corrected with human labels: prediction-powered inference (PPI++) for scores.

The judge scores every reply, people score a random sample. Per group the judge's mean is moved by what people say about
the sampled replies; the judge may be harder on one group, and the corrected gap is still right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from judgekit.records import Contrast, GapEstimate, Interval, MetricRow, Undefined
from judgekit.statistics.distributions import t_quantile, t_two_sided
from judgekit.statistics.label_sample import BoolArray, Items, gather
from judgekit.statistics.results import FloatArray, IntArray, check_level, group_sum
from judgekit.statistics.two_way import FEW_NAMES, Claim
from judgekit.statistics.variance import combine, welch_satterthwaite
from judgekit.wording.sentence import say, series

__all__ = ["MIN_LABELS", "bias_estimate", "corrected_gap", "differential_bias", "human_only_gap"]

MIN_LABELS = 20
"""Fewer human labels in a group than this and nothing is corrected: the interval would not keep its promise."""


def _lambda(items: Items, mine: BoolArray) -> float:
    """Slope of human on judge scores among labelled items, clipped to [0, 1]: the weight with the least variance."""
    labelled = mine & (items.sampled > 0)
    w = items.sampled[labelled] / items.sampled[labelled].sum()
    y, f = items.human[labelled], items.judge[labelled]
    y_mean, f_mean = float(w @ y), float(w @ f)
    spread = float(w @ (f - f_mean) ** 2)
    if spread <= 1e-12 * max(1.0, f_mean**2):
        return 0.0
    return min(1.0, max(0.0, float(w @ ((y - y_mean) * (f - f_mean))) / spread))


def _spread(items: Items, influence: FloatArray, labelled: BoolArray, *, names: bool) -> tuple[float, float]:
    """Variance and degrees of freedom of the sum of influences, clustered by template and, if asked, by name."""
    v_templates, parts = _clustered(influence, items.template, items.in_a, labelled)
    if not names:
        return v_templates, welch_satterthwaite(parts, v_templates)
    v_names = 0.0
    name_parts = []
    for mine in (items.in_a, ~items.in_a):
        sums = group_sum(items.name[mine], influence[mine], int(items.name.max()) + 1)
        k = len(np.unique(items.name[mine]))
        part = float(sums @ sums) * k / (k - 1)
        v_names += part
        name_parts.append((part, k - 1.0))
    cell = items.template * (int(items.name.max()) + 1) + items.name
    _, cell = np.unique(cell, return_inverse=True)
    sums = group_sum(cell, influence, int(cell.max()) + 1)
    v_cells = float(sums @ sums)
    total = combine(v_templates, v_names, v_cells)
    if total == v_templates:
        return total, welch_satterthwaite(parts, total)
    if total == v_names:
        return total, welch_satterthwaite(name_parts, total)
    return total, welch_satterthwaite([*parts, *name_parts], total)


def _clustered(
    influence: FloatArray, cluster: IntArray, in_a: BoolArray, labelled: BoolArray
) -> tuple[float, list[tuple[float, float]]]:
    """Cluster-robust variance and its degrees of freedom.

    They come from the clusters that hold labels, group by group, and never exceed what all clusters together allow.
    """
    size = int(cluster.max()) + 1
    clusters = len(np.unique(cluster))
    sums = group_sum(cluster, influence, size)
    variance = float(sums @ sums) * clusters / max(1, clusters - 1)
    parts = []
    for mine in (in_a, ~in_a):
        own = group_sum(cluster[mine], influence[mine], size)
        holding = len(np.unique(cluster[mine & labelled]))
        parts.append((float(own @ own), max(1.0, holding - 1.0)))
    df = welch_satterthwaite(parts, sum(part for part, _ in parts))
    return variance, [(variance, min(df, clusters - 1.0))]


def _missing_labels(items: Items, contrast: Contrast, min_labels: int) -> Undefined | None:
    labelled = items.sampled > 0
    counts = {
        contrast.a: int(np.count_nonzero(labelled & items.in_a)),
        contrast.b: int(np.count_nonzero(labelled & ~items.in_a)),
    }
    short = {group: n for group, n in counts.items() if n < min_labels}
    if not short:
        return None
    parts = [say("{group} has {n}", group=group, n=n) for group, n in short.items()]
    return Undefined(
        "too few labels", say("{met}; {least} in each group are needed", met=series(parts), least=min_labels)
    )


def _estimate(
    items: Items, contrast: Contrast, claim: Claim, level: float, min_labels: int, method: str, *, use_judge: bool
) -> GapEstimate:
    """Weighted mean of labels per group, plus lambda times how the judged mean of all differs from the sampled one."""
    labelled = items.sampled > 0
    notes: list[str] = []
    if items.dropped:
        notes.append(say("{n} replies left out: no score, or their template lacks a group", n=items.dropped))
    short = _missing_labels(items, contrast, min_labels)
    if short is not None:
        return _made(items, short, short, short, method, None, notes)
    value = 0.0
    influence = np.zeros(len(items.in_a))
    for sign, mine in ((1.0, items.in_a), (-1.0, ~items.in_a)):
        lam = _lambda(items, mine) if use_judge else 0.0
        chosen = mine & labelled
        # The target weight and the chance of being sampled together make the sample stand for the whole.
        w = items.target[chosen] * items.sampled[chosen]
        w = w / w.sum()
        rest = items.human[chosen] - lam * items.judge[chosen]
        mean = float(w @ rest)
        judged = float(items.target[mine] @ items.judge[mine])
        value += sign * (lam * judged + mean)
        # Small samples: two fitted numbers per group (mean and lambda) make residuals too small.
        n = int(np.count_nonzero(chosen))
        grow = math.sqrt(n / (n - 2)) if lam > 0 else math.sqrt(n / (n - 1))
        if not items.clustered:
            grow = max(grow, 1.0)
        influence[mine] += sign * lam * items.target[mine] * (items.judge[mine] - judged)
        influence[chosen] += sign * w * (rest - mean) * grow
        if use_judge:
            group = contrast.a if sign > 0 else contrast.b
            notes.append(say("lambda {lam:.2f} in {group}, {n} labels", lam=lam, group=group, n=n))
    names = claim == "groups" and items.named
    if names and min(items.names_of) < 2:
        lone = Undefined("one name in a group", "luck of the name cannot be told from the group")
        return _made(items, value, lone, lone, method, None, notes)
    if names and min(items.names_of) < FEW_NAMES:
        notes.append(
            say("fewer than {least} names in a group; a claim about the group rests on little", least=FEW_NAMES)
        )
    if claim == "groups" and not items.named:
        notes.append(say("no names: the claim is about these replies, not the groups"))
    variance, df = _spread(items, influence, labelled, names=names)
    if variance <= 1e-24 * max(1.0, value**2):
        none = Undefined("no spread")
        return _made(items, value, none, none, method, None, notes)
    se = math.sqrt(variance)
    half = t_quantile((1 + level) / 2, df) * se
    interval = Interval(value - half, value + half, level, method)
    return _made(items, value, interval, t_two_sided(value / se, df), method, df, notes)


def _made(
    items: Items,
    value: float | Undefined,
    interval: Interval | Undefined,
    p: float | Undefined,
    method: str,
    df: float | None,
    notes: Sequence[str],
) -> GapEstimate:
    labelled = items.sampled > 0
    return GapEstimate(
        value=value,
        interval=interval,
        p=p,
        min_p=None,
        method=method,
        df=df,
        templates=len(np.unique(items.template)) if items.clustered else 0,
        names_a=items.names_of[0],
        names_b=items.names_of[1],
        n_a=int(np.count_nonzero(labelled & items.in_a)),
        n_b=int(np.count_nonzero(labelled & ~items.in_a)),
        notes=tuple(notes),
    )


def corrected_gap(
    rows_judge: Sequence[MetricRow],
    rows_human: Sequence[MetricRow],
    contrast: Contrast,
    *,
    inclusion: Mapping[str, float] | None = None,
    claim: Claim = "groups",
    level: float = 0.95,
    seed: int = 0,  # noqa: ARG001  # one signature for all estimators; this one draws nothing
    min_labels: int = MIN_LABELS,
) -> GapEstimate:
    """Judged gap corrected for what the judge gets wrong in each group.

    Parameters
    ----------
    rows_judge : sequence of MetricRow
        The judge's scores, one row per item. Items without a score are left out and counted.
    rows_human : sequence of MetricRow
        Human scores (one row per item, such as the mean over raters) of a random sample of those items.
    contrast : Contrast
        The two groups; the gap is ``a`` minus ``b``.
    inclusion : mapping of str to float, optional
        Chance of each labelled item to be in the sample, in (0, 1]. By default all had the same.
    claim : {'groups', 'these_names'}
        ``groups``: names are a second sample.
    level : float
        Confidence level, a share.
    seed : int
        Not used; nothing is drawn.
    min_labels : int
        Fewest labels per group.

    Returns
    -------
    GapEstimate
        ``n_a`` and ``n_b`` count labels. Undefined with the reason ``too few labels`` when it cannot be corrected.

    Raises
    ------
    BadInput
        When an item stands twice, an inclusion probability is missing or not in (0, 1], or a score is not finite.

    Notes
    -----
    Per group, mean(human) + lambda (mean judge of all - mean judge of the sample): the same estimate as
    lambda mean(judge, unlabelled) + mean(human - lambda judge, labelled) for another scale of lambda. Lambda is the
    slope of human on judge scores, clipped to [0, 1]; at 0 only labels count. The variance is that of the summed
    influences of each template, with names as a second factor as in `two_way`, so a judge that is harder on one group
    costs width, never validity. Without templates every item is its own cluster.

    References
    ----------
    .. [1] A. N. Angelopoulos, J. C. Duchi and T. Zrnic, PPI++, 2023, arXiv:2311.01453.
    .. [2] C.-E. Saerndal, B. Swensson and J. Wretman, Model Assisted Survey Sampling, 1992, chapter 6.
    .. [3] A. C. Cameron, J. B. Gelbach and D. L. Miller, Robust inference with multiway clustering, JBES 29, 2011.

    Examples
    --------
    >>> rows = [MetricRow(item=f"{g}{i}", unit_id=f"t{i}", group=g, name=None, value=i % 5 + (g == "x"))
    ...         for i in range(40) for g in "xy"]
    >>> human = [MetricRow(item=r.item, unit_id=r.unit_id, group=r.group, name=None, value=r.value - (r.group == "x"))
    ...          for r in rows if int(r.item[1:]) % 2]
    >>> round(corrected_gap(rows, human, Contrast("x", "y")).value, 12)
    0.0
    """
    check_level(level)
    items = gather(rows_judge, rows_human, contrast, inclusion, need_judge=True)
    return _estimate(items, contrast, claim, level, min_labels, "PPI++ t", use_judge=True)


def human_only_gap(
    rows_human: Sequence[MetricRow],
    contrast: Contrast,
    *,
    inclusion: Mapping[str, float] | None = None,
    claim: Claim = "groups",
    level: float = 0.95,
    seed: int = 0,  # noqa: ARG001  # one signature for all estimators; this one draws nothing
    min_labels: int = 2,
) -> GapEstimate:
    """Gap from human labels alone: always reported, since it is not a judged number.

    Parameters
    ----------
    rows_human : sequence of MetricRow
        Human scores, one row per item.
    contrast : Contrast
        The two groups; the gap is ``a`` minus ``b``.
    inclusion : mapping of str to float, optional
        Chance of each item to be in the sample, in (0, 1].
    claim, level, seed
        As in `corrected_gap`.
    min_labels : int
        Fewest labels per group; at least 2.

    Returns
    -------
    GapEstimate
        Difference of weighted means, clustered by template (and names, for a claim about groups). Labels need not
        come in pairs: a sample seldom holds both groups of a template.

    Raises
    ------
    BadInput
        As in `corrected_gap`.

    Examples
    --------
    >>> human = [MetricRow(item=f"{g}{i}", unit_id=f"t{i}", group=g, name=None, value=i % 3 + (g == "x"))
    ...          for i in range(9) for g in "xy"]
    >>> round(human_only_gap(human, Contrast("x", "y")).value, 12)
    1.0
    """
    check_level(level)
    items = gather((), rows_human, contrast, inclusion, need_judge=False)
    return _estimate(items, contrast, claim, level, max(2, min_labels), "human labels, clustered t", use_judge=False)


def differential_bias(
    rows_judge: Sequence[MetricRow],
    rows_human: Sequence[MetricRow],
    contrast: Contrast,
    level: float = 0.95,
    *,
    inclusion: Mapping[str, float] | None = None,
    min_labels: int = 2,
) -> tuple[float, Interval] | Undefined:
    """Judge minus human, in ``a`` minus in ``b``: is the judge harder on one group?

    Parameters
    ----------
    rows_judge, rows_human : sequence of MetricRow
        Scores of the judge and of people; only items that have both count.
    contrast : Contrast
        The two groups.
    level : float
        Confidence level, a share.
    inclusion : mapping of str to float, optional
        Chance of each labelled item to be in the sample.
    min_labels : int
        Fewest items per group; at least 2.

    Returns
    -------
    tuple of (float, Interval) or Undefined
        Positive: the judge favours ``a`` relative to people. Clustered by template. Undefined when there are too few
        items, or when judge minus human is the same everywhere.

    Raises
    ------
    BadInput
        As in `corrected_gap`.

    Examples
    --------
    >>> judge = [MetricRow(item=f"{g}{i}", unit_id=f"t{i}", group=g, name=None, value=3 + (g == "x") * (i % 2))
    ...          for i in range(30) for g in "xy"]
    >>> human = [MetricRow(item=r.item, unit_id=r.unit_id, group=r.group, name=None, value=3.0) for r in judge]
    >>> round(differential_bias(judge, human, Contrast("x", "y"))[0], 12)
    0.5
    """
    check_level(level)
    found = bias_estimate(rows_judge, rows_human, contrast, level, inclusion, max(2, min_labels))
    if isinstance(found.value, Undefined):
        return found.value
    if isinstance(found.interval, Undefined):
        return found.interval
    return found.value, found.interval


def bias_estimate(
    rows_judge: Sequence[MetricRow],
    rows_human: Sequence[MetricRow],
    contrast: Contrast,
    level: float,
    inclusion: Mapping[str, float] | None,
    min_labels: int,
) -> GapEstimate:
    """Judge minus human of the items that have both, as a gap between the groups.

    Parameters
    ----------
    rows_judge, rows_human, contrast, level, inclusion, min_labels
        As in `differential_bias`.

    Returns
    -------
    GapEstimate
        Clustered by template; names are taken as they are.

    Examples
    --------
    >>> bias_estimate([], [], Contrast("x", "y"), 0.95, None, 2).value.reason
    'too few labels'
    """
    judged = {row.item: row for row in rows_judge if row.value is not None}
    errors = [
        MetricRow(
            item=row.item,
            unit_id=row.unit_id,
            group=row.group,
            name=row.name,
            value=float(judged[row.item].value or 0.0) - row.value,
        )
        for row in rows_human
        if row.value is not None and row.item in judged
    ]
    return human_only_gap(
        errors, contrast, inclusion=inclusion, claim="these_names", level=level, min_labels=min_labels
    )
