"""Rank correlation and mean difference of two raters: what kappa does not say about how they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from judgekit.records import Undefined
from judgekit.statistics.distributions import midranks

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["mean_difference", "spearman"]


def spearman(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> float | Undefined:
    """Spearman's rank correlation with midranks for ties.

    Parameters
    ----------
    a, b : array of float, shape (n,)
        Complete pairs.

    Returns
    -------
    float or Undefined
        In [-1, 1]; undefined below two pairs or when a rater gave one level only.

    References
    ----------
    .. [1] Spearman C (1904). The proof and measurement of association between two things. Am J Psychol 15, 72-101.

    Examples
    --------
    >>> import numpy as np
    >>> round(spearman(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])), 3)
    0.8
    >>> spearman(np.array([1.0, 1, 1]), np.array([1.0, 3, 2])).reason
    'one rater constant'
    """
    if len(a) < 2:
        return Undefined("too few pairs", "a correlation needs two items or more")
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return Undefined("one rater constant", "a rater who gave one level only has no ranks to compare")
    x, y = midranks(a), midranks(b)
    x, y = x - x.mean(), y - y.mean()
    value = float((x @ y) / np.sqrt((x @ x) * (y @ y)))
    return min(1.0, max(-1.0, value))


def mean_difference(
    a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], mass: npt.NDArray[np.float64] | None = None
) -> float | Undefined:
    """Mean of ``a`` minus ``b``: positive when ``a`` scores higher.

    Parameters
    ----------
    a, b : array of float, shape (n,)
        Complete pairs.
    mass : array of float, shape (n,), optional
        Sample weights.

    Returns
    -------
    float or Undefined
        In points of the scale; undefined without pairs.

    Examples
    --------
    >>> import numpy as np
    >>> mean_difference(np.array([3.0, 4]), np.array([2.0, 4]))
    0.5
    """
    return float(np.average(a - b, weights=mass)) if len(a) else Undefined("no pairs")
