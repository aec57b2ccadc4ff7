"""Each rater by themselves: agreement with their own earlier scores, level against the others, and drift."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judgekit.agreement.kappa import KappaResult, cohen_kappa
from judgekit.agreement.levels import Level, Scale, Score, Weights, declared_scale
from judgekit.errors import BadInput, UsageProblem
from judgekit.records import Interval, Undefined
from judgekit.statistics.distributions import t_quantile
from judgekit.statistics.proportion import proportion_interval
from judgekit.statistics.results import Result, check_level

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

__all__ = ["Drift", "Estimate", "RaterBias", "SelfAgreement", "rater_bias", "rater_drift", "self_agreement"]

NO_VARIATION = Undefined("no variation", "every difference is the same, so its error cannot be estimated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(
    Result,
    method="mean or slope, t",
    unit="points",
    source="Student (1908), Biometrika 6",
):
    """A mean or slope with its t interval over ``n`` items."""

    value: float | Undefined
    se: float | Undefined
    interval: Interval | Undefined
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfAgreement(
    Result,
    method="a rater against their own earlier scores",
    unit="kappa; points",
    source="Cohen (1968), Psychol. Bull. 70",
):
    """A rater against their own earlier scores of the same texts.

    ``changed`` is the share of scores that differ, in [0, 1]; ``shift`` the mean of second minus first, in points.
    """

    kappa: KappaResult
    changed: float | Undefined
    changed_interval: Interval | Undefined
    shift: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterBias(
    Result,
    method="a rater minus the mean of the others",
    unit="points",
    source="Student (1908), Biometrika 6",
):
    """How much higher a rater scores than the others do on the same items, in points: positive is more generous."""

    rater: str
    bias: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift(
    Result,
    method="slope of a rater minus the mean of the others",
    unit="points per 100 labels",
    source="Student (1908), Biometrika 6",
):
    """How a rater's distance to the others changes while labelling: points per 100 labels, positive is more generous."""

    rater: str
    per_100: Estimate


def mean_estimate(values: Floats, level: float) -> Estimate:
    """Mean of differences with its t interval.

    Parameters
    ----------
    values : array of float
        One difference an item.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        Undefined without items; error and interval undefined with one item, or when all differences are the same.

    Examples
    --------
    >>> import numpy as np
    >>> round(mean_estimate(np.array([0.0, 1.0, 1.0, 0.0]), 0.95).interval.high, 3)
    1.419
    """
    n = len(values)
    if n == 0:
        nothing = Undefined("no pairs", "no item was scored by both")
        return Estimate(value=nothing, se=nothing, interval=nothing, n=0)
    mean = float(values.mean())
    if n == 1 or np.ptp(values) == 0:
        return Estimate(value=mean, se=NO_VARIATION, interval=NO_VARIATION, n=n)
    se = float(values.std(ddof=1)) / math.sqrt(n)
    half = t_quantile((1 + level) / 2, n - 1) * se
    return Estimate(value=mean, se=se, interval=Interval(mean - half, mean + half, level, "t"), n=n)


def self_agreement(
    first: Sequence[Score],
    second: Sequence[Score],
    levels: Sequence[Level],
    weights: Weights = "quadratic",
    *,
    level: float = 0.95,
) -> SelfAgreement:
    """How well a rater agrees with themselves on hidden repeats; for a judge, on the same text judged twice.

    Parameters
    ----------
    first, second : sequence of level or None
        Scores of the same items, the earlier ones first. Pairs with a missing side drop out.
    levels : sequence
        The declared levels in order.
    weights : {'none', 'linear', 'quadratic'}
        Weights of disagreements. With ``none`` the levels may be classes, and then ``shift`` is undefined for words.
    level : float
        Level of the intervals.

    Returns
    -------
    SelfAgreement

    Examples
    --------
    >>> result = self_agreement([1, 2, 3, 4, 5], [1, 2, 3, 4, 4], [1, 2, 3, 4, 5])
    >>> result.changed, result.shift.value
    (0.2, -0.2)
    """
    result = cohen_kappa(first, second, levels, weights, level=level)
    scale = declared_scale(levels, weights=weights)
    a, b = scale.codes(first, name="first"), scale.codes(second, name="second")
    both = (a >= 0) & (b >= 0)
    changed: float | Undefined = Undefined("no pairs")
    if result.n:
        changed = float((a != b)[both].mean())
    points = _points(scale, weights)
    if points is None:
        unordered = Undefined("classes without order")
        shift = Estimate(value=unordered, se=unordered, interval=unordered, n=result.n)
    else:
        shift = mean_estimate(points[b[both]] - points[a[both]], level)
    return SelfAgreement(
        kappa=result,
        changed=changed,
        changed_interval=proportion_interval(int((a != b)[both].sum()), result.n, level=level),
        shift=shift,
    )


def _points(scale: Scale, weights: Weights) -> Floats | None:
    """What a level is worth: its number, else its position; None for unordered words."""
    if scale.numbers is not None:
        return np.array(scale.numbers)
    return None if weights == "none" else np.arange(len(scale), dtype=np.float64)


def _scores(scores: Mapping[str, Sequence[Score]], levels: Sequence[Level]) -> Floats:
    """Scores in points by item and rater, nan where missing."""
    if len(scores) < 2:
        raise UsageProblem("two raters are needed", field="scores", seen=", ".join(scores) or "none")
    lengths = {len(column) for column in scores.values()}
    if len(lengths) > 1:
        raise BadInput("the raters have different numbers of scores", field="scores", seen=sorted(lengths))
    scale = declared_scale(levels, weights="linear")
    points = np.append(np.array(scale.numbers or range(len(scale)), dtype=np.float64), np.nan)
    codes = np.column_stack([scale.codes(column, name=name) for name, column in scores.items()])
    found: Floats = points[codes]
    return found


def _against_others(points: Floats, rater: int) -> Floats:
    """A rater minus the mean of the others who scored the item; nan where there is no such pair."""
    others = np.delete(points, rater, axis=1)
    present = ~np.isnan(others)
    count = present.sum(axis=1)
    total = np.where(present, others, 0.0).sum(axis=1)
    difference: Floats = points[:, rater] - np.where(count > 0, total / np.maximum(count, 1), np.nan)
    return difference


def rater_bias(
    scores: Mapping[str, Sequence[Score]], levels: Sequence[Level], *, level: float = 0.95
) -> tuple[RaterBias, ...]:
    """How generous each rater is, against the mean of the others on the same items.

    Parameters
    ----------
    scores : mapping of str to sequence of level or None
        Each rater's scores of the same items in the same order.
    levels : sequence
        The declared levels in order; words count by position.
    level : float
        Level of the intervals.

    Returns
    -------
    tuple of RaterBias
        In the order given. Items that nobody else scored do not count.

    Raises
    ------
    BadInput
        Off-scale scores, sequences of different length; `UsageProblem` with fewer than two raters.

    Examples
    --------
    >>> [(b.rater, b.bias.value) for b in rater_bias({"ana": [2, 3, 5], "karim": [1, 3, 3]}, [1, 2, 3, 4, 5])]
    [('ana', 1.0), ('karim', -1.0)]
    """
    check_level(level)
    points = _scores(scores, levels)
    found = []
    for index, rater in enumerate(scores):
        difference = _against_others(points, index)
        found.append(RaterBias(rater=rater, bias=mean_estimate(difference[~np.isnan(difference)], level)))
    return tuple(found)


def rater_drift(
    scores: Mapping[str, Sequence[Score]],
    order: Mapping[str, Sequence[int | None]],
    levels: Sequence[Level],
    *,
    level: float = 0.95,
) -> tuple[Drift, ...]:
    """Whether a rater becomes more generous or strict while labelling.

    Parameters
    ----------
    scores : mapping of str to sequence of level or None
        Each rater's scores of the same items in the same order.
    order : mapping of str to sequence of int or None
        For each rater, the place of every item in that rater's own sequence: 1 for the first label. People should see
        items in different orders, or a drift that all share cannot be seen.
    levels : sequence
        The declared levels in order; words count by position.
    level : float
        Level of the intervals.

    Returns
    -------
    tuple of Drift
        Least-squares slope of (rater minus mean of the others) on place, per 100 labels. Undefined below three items or
        when all places are the same.

    Raises
    ------
    BadInput
        When a rater has no order, or an order of another length.

    Examples
    --------
    >>> scores = {"ana": [1, 2, 2, 3, 4, 5], "karim": [1, 2, 2, 3, 3, 3]}
    >>> order = {"ana": [1, 2, 3, 4, 5, 6], "karim": [6, 5, 4, 3, 2, 1]}
    >>> rater_drift(scores, order, [1, 2, 3, 4, 5])[0].per_100.value > 0
    True
    """
    check_level(level)
    points = _scores(scores, levels)
    found = []
    for index, rater in enumerate(scores):
        if rater not in order or len(order[rater]) != len(points):
            raise BadInput("a rater has no place for every item", field="order", seen=rater)
        place = np.array([np.nan if position is None else float(position) for position in order[rater]])
        difference = _against_others(points, index)
        known = ~np.isnan(difference) & ~np.isnan(place)
        found.append(Drift(rater=rater, per_100=_slope(place[known] / 100, difference[known], level)))
    return tuple(found)


def _slope(x: Floats, y: Floats, level: float) -> Estimate:
    n = len(x)
    if n < 3 or np.ptp(x) == 0:
        nothing = Undefined("too few", "a slope needs three items at different places")
        return Estimate(value=nothing, se=nothing, interval=nothing, n=n)
    centred = x - x.mean()
    spread = float(centred @ centred)
    slope = float(centred @ y) / spread
    rest = y - y.mean() - slope * centred
    if np.allclose(rest, 0, atol=1e-12):
        return Estimate(value=slope, se=NO_VARIATION, interval=NO_VARIATION, n=n)
    se = math.sqrt(float(rest @ rest) / (n - 2) / spread)
    half = t_quantile((1 + level) / 2, n - 2) * se
    return Estimate(value=slope, se=se, interval=Interval(slope - half, slope + half, level, "t"), n=n)
