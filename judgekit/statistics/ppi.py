"""Prediction-powered mean of independent items: a few human labels, many judge scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.statistics.distributions import normal_quantile
from judgekit.statistics.results import Result, as_gaps, check_level

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["PpiMean", "ppi_mean"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PpiMean(
    Result,
    method="prediction-powered mean (PPI++)",
    unit="of the score",
    source="Angelopoulos, Duchi and Zrnic (2023), arXiv:2311.01453",
):
    """A mean estimated from few human labels and many judge scores.

    ``lam`` is the weight of the judge: 0 is human labels only, 1 plain prediction-powered inference.
    """

    value: float
    se: float
    interval: Interval
    lam: float
    labelled: int
    unlabelled: int


def ppi_mean(
    human: ArrayLike, judge: ArrayLike, unlabelled: ArrayLike, *, lam: float | None = None, level: float = 0.95
) -> PpiMean | Undefined:
    """Prediction-powered mean of independent items.

    Parameters
    ----------
    human, judge : sequence of float
        Human and judge scores of the same labelled items.
    unlabelled : sequence of float
        Judge scores of the other items.
    lam : float, optional
        Weight of the judge in [0, 1]; by default the one that minimises the variance, clipped to [0, 1].
    level : float
        Confidence level, a share.

    Returns
    -------
    PpiMean or Undefined
        ``lam * mean(unlabelled) + mean(human - lam * judge)`` with a normal interval. Undefined below two labels or
        two unlabelled items.

    Raises
    ------
    BadInput
        When the labelled lists differ in length, a score is not finite, or ``lam`` is outside [0, 1].

    References
    ----------
    .. [1] A. N. Angelopoulos, J. C. Duchi and T. Zrnic, PPI++: Efficient prediction-powered inference, 2023,
       arXiv:2311.01453.

    Examples
    --------
    >>> ppi_mean([3.0, 4.0, 5.0], [2.0, 3.0, 4.0], [2.0, 4.0], lam=1.0).value
    4.0
    """
    y, f = as_gaps(human, what="human"), as_gaps(judge, what="judge")
    u = as_gaps(unlabelled, what="unlabelled")
    check_level(level)
    if len(y) != len(f):
        raise BadInput("human and judge scores differ in length", seen=f"{len(y)} and {len(f)}")
    if lam is not None and not 0 <= lam <= 1:
        raise BadInput("`lam` must lie in [0, 1]", field="lam", seen=lam)
    if len(y) < 2 or len(u) < 2:
        return Undefined("too few items", f"{len(y)} labelled and {len(u)} unlabelled; two of each are needed")
    if lam is None:
        # Unbiased spread, plain covariance: the program of the paper, digit for digit.
        everything = np.concatenate([f, u])
        spread = float(everything.var(ddof=1))
        shared = float(((y - y.mean()) * (f - f.mean())).mean())
        best = shared / ((1 + len(y) / len(u)) * spread) if spread > 0 else 0.0
        lam = min(1.0, max(0.0, best))
    rectifier = y - lam * f
    value = lam * float(u.mean()) + float(rectifier.mean())
    se = math.sqrt(lam**2 * float(u.var()) / len(u) + float(rectifier.var()) / len(y))
    half = normal_quantile((1 + level) / 2) * se
    return PpiMean(
        value=value,
        se=se,
        interval=Interval(value - half, value + half, level, "PPI++ normal"),
        lam=lam,
        labelled=len(y),
        unlabelled=len(u),
    )
