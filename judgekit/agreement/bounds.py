"""Bounds of kappa from its standard error, and the bound when no disagreement was seen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, TypeAlias

from scipy import special

from judgekit.records import Interval

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["BoundMethod", "one_sided", "perfect_bound", "two_sided"]

BoundMethod: TypeAlias = Literal["auto", "large-sample", "transformed", "bootstrap"]


def one_sided(
    kappa: float, se: float, *, level: float = 0.95, df: float | None = None, transformed: bool = False
) -> float:
    """One-sided lower bound of kappa from its standard error.

    Parameters
    ----------
    kappa : float
        The estimate, in [-1, 1].
    se : float
        Its standard error, 0 or more.
    level : float
        One-sided confidence level.
    df : float, optional
        Degrees of freedom: t instead of normal quantiles, for clusters.
    transformed : bool
        Work on Fisher's scale, ``tanh(atanh(kappa) - q se / (1 - kappa^2))``.

    Returns
    -------
    float
        Not clipped: below -1 it says that the sample shows nothing.

    Examples
    --------
    >>> round(one_sided(0.8, 0.06), 3), round(one_sided(0.8, 0.06, transformed=True), 3)
    (0.701, 0.677)
    """
    quantile = float(special.ndtri(level) if df is None else special.stdtrit(df, level))
    if transformed and abs(kappa) < 1:
        return math.tanh(math.atanh(kappa) - quantile * se / (1 - kappa**2))
    return kappa - quantile * se


def two_sided(
    kappa: float, se: float, *, level: float = 0.95, df: float | None = None, transformed: bool = False
) -> Interval:
    """Two-sided interval of kappa from its standard error; see `one_sided` for the parameters.

    Returns
    -------
    Interval
        Not clipped to [-1, 1].

    Examples
    --------
    >>> interval = two_sided(0.8, 0.06)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.682, 0.918)
    """
    tail = (1 + level) / 2
    low = one_sided(kappa, se, level=tail, df=df, transformed=transformed)
    high = -one_sided(-kappa, se, level=tail, df=df, transformed=transformed)
    name = ("cluster-robust " if df is not None else "") + ("transformed" if transformed else "large-sample")
    return Interval(low, high, level, name)


def perfect_bound(joint: npt.NDArray[np.float64], size: float, *, level: float) -> float:
    """One-sided lower bound of kappa when no disagreement was seen.

    Parameters
    ----------
    joint : array of float, shape (k, k)
        Proportions, all on the diagonal, on two levels or more.
    size : float
        Items (or the effective number of items, or clusters).
    level : float
        One-sided confidence level.

    Returns
    -------
    float
        ``1 - (1 - p) / (1 - e)``: ``p`` the exact bound of the share of agreement, ``e`` the chance agreement of the
        marginals. With weights this treats disagreements that were not seen as large as chance ones, on the safe side.

    Examples
    --------
    >>> import numpy as np
    >>> round(perfect_bound(np.diag([0.5, 0.5]), 50, level=0.95), 3)
    0.884
    """
    chance = float(joint.sum(axis=1) @ joint.sum(axis=0))
    # Clopper and Pearson's bound of n in n: the share at which n agreements in a row have chance 1 - level.
    share = math.exp(math.log(1 - level) / size)
    return 1 - (1 - share) / (1 - chance)
