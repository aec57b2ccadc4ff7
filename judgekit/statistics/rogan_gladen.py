"""A rate of a judge's class corrected for the judge's sensitivity and specificity (Rogan and Gladen)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Contrast, Interval, Undefined
from judgekit.statistics.distributions import normal_quantile
from judgekit.statistics.proportion import proportion_interval
from judgekit.statistics.results import FloatArray, Result, check_level

__all__ = ["CorrectedRate", "corrected_rate", "corrected_rate_gap"]

Method = Literal["delta", "bootstrap", "labels-bootstrap", "known"]

LEAST_YOUDEN = 0.05
"""A judge whose sensitivity + specificity - 1 is not above this says nothing about the class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedRate(
    Result,
    method="rate corrected for sensitivity and specificity",
    unit="share",
    source="Rogan and Gladen (1978), Am. J. Epidemiol. 107",
):
    """A corrected rate.

    ``value`` may lie outside [0, 1]; ``shown`` is clamped for display and ``clamped`` says whether that happened.
    ``se`` counts the uncertainty of labels and of the judged sample alike.
    """

    value: float | Undefined
    shown: float | Undefined
    clamped: bool
    se: float | Undefined
    interval: Interval | Undefined
    sensitivity: float | Undefined
    specificity: float | Undefined
    observed: float | Undefined
    youden: float | Undefined
    youden_lower: float | Undefined
    labelled: int
    judged: int
    draws: int | None
    seed: int | None


def _yes(values: Sequence[object], what: str) -> FloatArray:
    out = np.asarray(values)
    if out.ndim != 1 or not np.isin(out, (0, 1)).all():
        raise BadInput("classes must be 0 or 1 here", field=what, remedy="code the class of interest as 1")
    return out.astype(np.float64)


def _ratio(part: float, whole: float) -> float | Undefined:
    return part / whole if whole else Undefined("no labels of a class")


def _drawn(
    positives: FloatArray, negatives: FloatArray, judged: FloatArray, draws: int, seed: int, *, both: bool
) -> FloatArray:
    """Corrected rates of resampled labels (and, if ``both``, of a resampled judged sample)."""
    rng = np.random.default_rng(seed)
    n, m = len(positives) + len(negatives), len(judged)
    shares = np.array([positives.sum(), (1 - positives).sum(), (1 - negatives).sum(), negatives.sum()]) / n
    true_pos, false_neg, true_neg, false_pos = rng.multinomial(n, shares, size=draws).T.astype(np.float64)
    rate = rng.binomial(m, judged.mean(), size=draws) / m if both else np.full(draws, judged.mean())
    with np.errstate(divide="ignore", invalid="ignore"):
        youden = true_pos / (true_pos + false_neg) + true_neg / (true_neg + false_pos) - 1
        specificity = true_neg / (true_neg + false_pos)
        value = (rate + specificity - 1) / youden
    out: FloatArray = value[np.isfinite(value) & (youden > 0)]
    return out


def corrected_rate(
    human: Sequence[int],
    judge: Sequence[int],
    unlabelled: Sequence[int],
    *,
    method: Method = "delta",
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
) -> CorrectedRate:
    """Rate of a class among judged replies, corrected for the judge's errors.

    Parameters
    ----------
    human, judge : sequence of {0, 1}
        Human and judge classes of the same labelled items (1: the class of interest).
    unlabelled : sequence of {0, 1}
        Judge classes of the items the rate is about.
    method : {'delta', 'bootstrap', 'labels-bootstrap', 'known'}
        ``delta`` and ``bootstrap`` count both samples. ``labels-bootstrap`` (labels only) and ``known`` (sensitivity
        and specificity taken as known, Wilson) are too narrow and there for comparison.
    level : float
        Confidence level, a share.
    draws, seed : int
        Bootstrap draws and their seed.

    Returns
    -------
    CorrectedRate
        theta = (r + sp - 1) / (se + sp - 1). Undefined when se + sp <= 1.05, when the lower one-sided 95% bound of
        se + sp - 1 is not above 0, or when a class has no labels.

    Raises
    ------
    BadInput
        When labelled lists differ in length or a class is not 0 or 1.

    References
    ----------
    .. [1] W. J. Rogan and B. Gladen, American Journal of Epidemiology 107, 1978.

    Examples
    --------
    >>> human, judge = [1] * 60 + [0] * 60, [1] * 51 + [0] * 9 + [1] * 8 + [0] * 52
    >>> found = corrected_rate(human, judge, [1] * 310 + [0] * 190)
    >>> round(found.value, 4), round(found.se, 4)
    (0.6791, 0.0567)
    """
    check_level(level)
    y, f, u = _yes(human, "human"), _yes(judge, "judge"), _yes(unlabelled, "unlabelled")
    if len(y) != len(f):
        raise BadInput("human and judge labels differ in length", seen=f"{len(y)} and {len(f)}")
    positives, negatives = f[y == 1], f[y == 0]
    facts = _facts(positives, negatives, u)
    counts = {"labelled": len(y), "judged": len(u)}
    for fact in facts.values():
        if isinstance(fact, Undefined):
            return _none(fact, facts, counts, fact, fact, method, level)
    se, sp, r = (float(x) for x in facts.values())  # type: ignore[arg-type]  # none is undefined here
    youden, lower = _youden(se, sp, len(positives), len(negatives))
    if youden <= LEAST_YOUDEN + 1e-12 or lower <= 0:
        told = f"sensitivity + specificity - 1 is {youden:.3f}, lower bound {lower:.3f}"
        return _none(Undefined("judge too weak to correct", told), facts, counts, youden, lower, method, level)
    value = (r + sp - 1) / youden
    by_labels = value**2 * se * (1 - se) / len(positives) + (1 - value) ** 2 * sp * (1 - sp) / len(negatives)
    error = math.sqrt(r * (1 - r) / len(u) + by_labels) / youden
    random = "bootstrap" in method
    return replace(
        _none(Undefined(""), facts, counts, youden, lower, method, level),
        value=value,
        shown=min(1.0, max(0.0, value)),
        clamped=not 0 <= value <= 1,
        se=error,
        interval=_bounds(method, level, (positives, negatives, u), (value, error, sp, youden), draws, seed),
        draws=draws if random else None,
        seed=seed if random else None,
    )


def _facts(positives: FloatArray, negatives: FloatArray, judged: FloatArray) -> dict[str, float | Undefined]:
    """Sensitivity and specificity on the labelled items, and the judge's rate on the others."""
    return {
        "sensitivity": _ratio(float(positives.sum()), len(positives)),
        "specificity": _ratio(float((1 - negatives).sum()), len(negatives)),
        "observed": float(judged.mean()) if len(judged) else Undefined("no judged replies"),
    }


def _youden(sensitivity: float, specificity: float, positives: int, negatives: int) -> tuple[float, float]:
    """Sensitivity + specificity - 1 and its lower one-sided 95% bound."""
    youden = sensitivity + specificity - 1
    spread = sensitivity * (1 - sensitivity) / positives + specificity * (1 - specificity) / negatives
    return youden, youden - normal_quantile(0.95) * math.sqrt(spread)


def _none(
    why: Undefined,
    facts: dict[str, float | Undefined],
    counts: dict[str, int],
    youden: float | Undefined,
    lower: float | Undefined,
    method: Method,
    level: float,
) -> CorrectedRate:
    # With known error rates and no information the bounds are the whole line.
    whole = method == "known" and not isinstance(youden, Undefined)
    return CorrectedRate(
        value=why,
        shown=why,
        clamped=False,
        se=why,
        interval=Interval(-math.inf, math.inf, level, "error rates taken as known") if whole else why,
        youden=youden,
        youden_lower=lower,
        draws=None,
        seed=None,
        sensitivity=facts["sensitivity"],
        specificity=facts["specificity"],
        observed=facts["observed"],
        labelled=counts["labelled"],
        judged=counts["judged"],
    )


def _bounds(
    method: Method,
    level: float,
    samples: tuple[FloatArray, FloatArray, FloatArray],
    found: tuple[float, float, float, float],
    draws: int,
    seed: int,
) -> Interval | Undefined:
    positives, negatives, judged = samples
    value, error, specificity, youden = found
    if method == "delta":
        half = normal_quantile((1 + level) / 2) * error
        return Interval(value - half, value + half, level, "delta method")
    if method == "known":
        wilson = proportion_interval(int(judged.sum()), len(judged), level=level)
        if isinstance(wilson, Undefined):
            return wilson
        low, high = ((x + specificity - 1) / youden for x in (wilson.low, wilson.high))
        return Interval(low, high, level, "error rates taken as known")
    if method not in ("bootstrap", "labels-bootstrap"):
        raise BadInput("no such interval", field="method", seen=method)
    drawn = _drawn(positives, negatives, judged, draws, seed, both=method == "bootstrap")
    if len(drawn) < 0.95 * draws:
        return Undefined("too many draws without a value", f"{1 - len(drawn) / draws:.1%}")
    tail = (1 - level) / 2
    low, high = (float(q) for q in np.quantile(drawn, [tail, 1 - tail]))
    return Interval(low, high, level, method)


def corrected_rate_gap(
    a: CorrectedRate, b: CorrectedRate, contrast: Contrast, *, level: float = 0.95
) -> tuple[float, Interval] | Undefined:
    """Difference of two corrected rates, each with its own group's error rates.

    Parameters
    ----------
    a, b : CorrectedRate
        Rates of the contrast's two groups, from their own labels.
    contrast : Contrast
        Names for the reason when it is undefined.
    level : float
        Confidence level, a share.

    Returns
    -------
    tuple of (float, Interval) or Undefined
        ``a`` minus ``b``; variances add, since the groups' labels are separate samples.

    Examples
    --------
    >>> human, judge = [1] * 60 + [0] * 60, [1] * 51 + [0] * 9 + [1] * 8 + [0] * 52
    >>> x = corrected_rate(human, judge, [1] * 310 + [0] * 190)
    >>> corrected_rate_gap(x, x, Contrast("x", "y"))[0]
    0.0
    """
    check_level(level)
    for group, rate in ((contrast.a, a), (contrast.b, b)):
        if isinstance(rate.value, Undefined):
            return Undefined(rate.value.reason, f"{group}: {rate.value.detail}")
    gap = float(a.value) - float(b.value)  # type: ignore[arg-type]  # both are defined here
    half = normal_quantile((1 + level) / 2) * math.hypot(float(a.se), float(b.se))  # type: ignore[arg-type]
    return gap, Interval(gap - half, gap + half, level, "Rogan-Gladen, delta method")
