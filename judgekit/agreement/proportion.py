"""Intervals for a share, such as the share of items on which two raters agree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from scipy import stats

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined

__all__ = ["ProportionMethod", "Share", "proportion_interval", "share", "share_lower_bound"]

ProportionMethod: TypeAlias = Literal["wilson", "clopper_pearson", "agresti_coull", "jeffreys"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share with its Wilson interval: ``k`` of ``n``; undefined when ``n`` is 0."""

    k: int
    n: int
    value: float | Undefined
    interval: Interval | Undefined


def _check(k: float, n: float, level: float) -> None:
    if not (0 <= k <= n and n > 0 and math.isfinite(n)):
        raise BadInput("a share needs 0 <= k <= n and n > 0", field="k, n", seen=f"{k} of {n}")
    if not 0 < level < 1:
        raise BadInput("a confidence level lies between 0 and 1", field="level", seen=level)


def proportion_interval(k: float, n: float, *, level: float = 0.95, method: ProportionMethod = "wilson") -> Interval:
    """Two-sided confidence interval for a share ``k / n``.

    Parameters
    ----------
    k, n : float
        Successes and trials, ``0 <= k <= n``, ``n > 0``. Fractions are allowed (effective sample sizes).
    level : float
        Confidence level in (0, 1).
    method : {'wilson', 'clopper_pearson', 'agresti_coull', 'jeffreys'}
        Wilson's score interval [1]_ is the default; Clopper and Pearson's [2]_ never covers less than ``level``;
        Agresti and Coull's [3]_ and Jeffreys' [4]_ are offered for comparison.

    Returns
    -------
    Interval
        Both ends in [0, 1].

    Raises
    ------
    BadInput
        When the counts or the level make no sense.

    References
    ----------
    .. [1] Wilson EB (1927). Probable inference, the law of succession, and statistical inference. J Am Stat Assoc 22.
    .. [2] Clopper CJ, Pearson ES (1934). The use of confidence or fiducial limits. Biometrika 26.
    .. [3] Agresti A, Coull BA (1998). Approximate is better than "exact". Am Stat 52.
    .. [4] Brown LD, Cai TT, DasGupta A (2001). Interval estimation for a binomial proportion. Stat Sci 16.

    Examples
    --------
    >>> interval = proportion_interval(71, 100)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.615, 0.79)
    """
    _check(k, n, level)
    tail = (1 - level) / 2
    z = float(stats.norm.isf(tail))
    if method == "wilson":
        centre, half = _wilson(k, n, z)
        low, high = (0.0 if k == 0 else centre - half), (1.0 if k == n else centre + half)
    elif method == "clopper_pearson":
        low = 0.0 if k == 0 else float(stats.beta.ppf(tail, k, n - k + 1))
        high = 1.0 if k == n else float(stats.beta.isf(tail, k + 1, n - k))
    elif method == "agresti_coull":
        size = n + z**2
        centre = (k + z**2 / 2) / size
        half = z * math.sqrt(centre * (1 - centre) / size)
        low, high = centre - half, centre + half
    elif method == "jeffreys":
        low = float(stats.beta.ppf(tail, k + 0.5, n - k + 0.5))
        high = float(stats.beta.isf(tail, k + 0.5, n - k + 0.5))
    else:
        raise BadInput("unknown method", field="method", seen=method, why=", ".join(get_args(ProportionMethod)))
    return Interval(max(0.0, low), min(1.0, high), level, method)


def _wilson(k: float, n: float, z: float) -> tuple[float, float]:
    p = k / n
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    return centre, half


def share(k: int, n: int, *, level: float = 0.95) -> Share:
    """A share ``k`` of ``n`` with its Wilson interval, undefined when there is nothing to count.

    Parameters
    ----------
    k, n : int
        Successes and trials.
    level : float
        Confidence level in (0, 1).

    Returns
    -------
    Share

    Examples
    --------
    >>> share(0, 0).value
    Undefined(reason='no items', detail='')
    """
    if n == 0:
        nothing = Undefined("no items")
        return Share(k=0, n=0, value=nothing, interval=nothing)
    return Share(k=k, n=n, value=k / n, interval=proportion_interval(k, n, level=level))


def share_lower_bound(k: float, n: float, *, level: float = 0.95) -> float:
    """Exact one-sided lower bound of a share (Clopper and Pearson): the true share is below it in at most 1 - level
    of samples.

    Parameters
    ----------
    k, n : float
        Successes and trials.
    level : float
        One-sided confidence level in (0, 1).

    Returns
    -------
    float
        In [0, 1).

    Examples
    --------
    >>> round(share_lower_bound(50, 50), 4)
    0.9418
    """
    _check(k, n, level)
    return 0.0 if k == 0 else float(stats.beta.ppf(1 - level, k, n - k + 1))
