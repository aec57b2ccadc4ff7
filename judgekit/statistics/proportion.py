"""Intervals for a share such as percent agreement or a failure rate."""

from __future__ import annotations

import math
from typing import Literal

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.statistics.distributions import normal_quantile
from judgekit.statistics.results import check_level

__all__ = ["ProportionMethod", "proportion_interval"]

ProportionMethod = Literal["wilson", "clopper-pearson", "agresti-coull", "jeffreys"]


def proportion_interval(
    k: float, n: float, *, method: ProportionMethod = "wilson", level: float = 0.95
) -> Interval | Undefined:
    """Confidence interval for a share of ``k`` in ``n``.

    Parameters
    ----------
    k, n : float
        Count and total, 0 <= k <= n; fractions when they are effective counts of a weighted sample.
    method : {'wilson', 'clopper-pearson', 'agresti-coull', 'jeffreys'}
        ``wilson`` is the default of every share in judgekit; ``clopper-pearson`` never covers too little.
    level : float
        Confidence level, a share.

    Returns
    -------
    Interval or Undefined
        Bounds within [0, 1]. Undefined when ``n`` is 0.

    Raises
    ------
    BadInput
        When ``k`` is not in [0, n], ``n`` is negative, or the method is unknown.

    References
    ----------
    .. [1] E. B. Wilson, JASA 22, 1927.
    .. [2] L. D. Brown, T. T. Cai and A. DasGupta, Interval estimation for a binomial proportion, Statistical Science 16,
       2001.

    Examples
    --------
    >>> interval = proportion_interval(18, 20)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.699, 0.972)
    """
    check_level(level)
    if n < 0 or not 0 <= k <= n:
        raise BadInput("a count must lie between 0 and its total", seen=f"{k} of {n}")
    if n == 0:
        return Undefined("no observations")
    from scipy.special import betaincinv

    z = normal_quantile((1 + level) / 2)
    tail = (1 - level) / 2
    if method == "wilson":
        centre = (k + z * z / 2) / (n + z * z)
        half = z / (n + z * z) * math.sqrt(k * (n - k) / n + z * z / 4)
        low, high = centre - half, centre + half
        # At the ends the bound is exactly 0 or 1; rounding must not say otherwise.
        low, high = (0.0 if k == 0 else low), (1.0 if k == n else high)
    elif method == "agresti-coull":
        total = n + z * z
        centre = (k + z * z / 2) / total
        half = z * math.sqrt(centre * (1 - centre) / total)
        low, high = centre - half, centre + half
    elif method == "clopper-pearson":
        low = 0.0 if k == 0 else float(betaincinv(k, n - k + 1, tail))
        high = 1.0 if k == n else float(betaincinv(k + 1, n - k, 1 - tail))
    elif method == "jeffreys":
        low, high = (float(betaincinv(k + 0.5, n - k + 0.5, q)) for q in (tail, 1 - tail))
    else:
        raise BadInput("no such interval of a share", field="method", seen=method)
    return Interval(max(0.0, low), min(1.0, high), level, method)
