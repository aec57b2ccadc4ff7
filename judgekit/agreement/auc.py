"""Area under the ROC curve with DeLong's interval: how well a score tells two classes apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.statistics.distributions import midranks, normal_quantile
from judgekit.statistics.results import Result, check_level

__all__ = ["AucResult", "roc_auc"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AucResult(
    Result,
    method="area under the ROC curve",
    unit="probability",
    source="DeLong, DeLong and Clarke-Pearson (1988), Biometrics 44",
):
    """Area under the curve, in [0, 1]; 0.5 is guessing. ``positives`` and ``negatives`` count the two classes."""

    auc: float | Undefined
    se: float | Undefined
    interval: Interval | Undefined
    positives: int
    negatives: int
    method: str = "DeLong"
    reference: str = "DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Biometrics 44, 837-845"


def roc_auc(labels: Sequence[bool | int], scores: Sequence[float], *, level: float = 0.95) -> AucResult:
    """The chance that a positive case scores higher than a negative one, ties counting half.

    Parameters
    ----------
    labels : sequence of bool or {0, 1}
        True for the positive class.
    scores : sequence of float
        Higher means more like the positive class.
    level : float
        Level of the interval.

    Returns
    -------
    AucResult
        Undefined with one class only; error and interval are undefined with fewer than two cases in a class. The interval
        is DeLong's, clipped to [0, 1].

    Raises
    ------
    BadInput
        Different lengths, labels other than 0 and 1, scores that are not numbers.

    References
    ----------
    .. [1] DeLong ER, DeLong DM, Clarke-Pearson DL (1988). Comparing the areas under two or more correlated receiver
       operating characteristic curves. Biometrics 44, 837-845. doi:10.2307/2531595

    Examples
    --------
    >>> roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).auc
    0.75
    """
    check_level(level)
    if len(labels) != len(scores):
        raise BadInput("labels and scores differ in number", field="labels", seen=f"{len(labels)} and {len(scores)}")
    wrong = next((label for label in labels if label not in {0, 1}), None)
    if wrong is not None:
        raise BadInput("a label is neither 0 nor 1", field="labels", seen=wrong)
    values = np.asarray(scores, dtype=np.float64)
    if np.isnan(values).any():
        raise BadInput("a score is not a number", field="scores", remedy="leave out cases without a score")
    positive = np.asarray(labels, dtype=bool)
    m, n = int(positive.sum()), int((~positive).sum())
    if not m or not n:
        nothing = Undefined("one class", "the area needs cases of both classes")
        return AucResult(auc=nothing, se=nothing, interval=nothing, positives=m, negatives=n)
    # Midranks within the class and over all give, case by case, the share of the other class that lies below it.
    overall = midranks(values)
    above = (overall[positive] - midranks(values[positive])) / n
    below = 1 - (overall[~positive] - midranks(values[~positive])) / m
    auc = float(above.mean())
    if m < 2 or n < 2:
        few = Undefined("one case in a class", "its variation cannot be estimated")
        return AucResult(auc=auc, se=few, interval=few, positives=m, negatives=n)
    se = math.sqrt(float(above.var(ddof=1)) / m + float(below.var(ddof=1)) / n)
    half = -normal_quantile((1 - level) / 2) * se
    interval = Interval(max(0.0, auc - half), min(1.0, auc + half), level, "DeLong")
    return AucResult(auc=auc, se=se, interval=interval, positives=m, negatives=n)
