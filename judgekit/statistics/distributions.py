"""Quantiles and tails of the usual distributions, from `scipy.special` alone.

``scipy.stats`` takes most of a second to import, which every command that reports a gap would pay.
"""

from __future__ import annotations

import math

import numpy as np

from judgekit.statistics.results import FloatArray

__all__ = [
    "binomial_tail",
    "midranks",
    "normal_quantile",
    "normal_tail",
    "t_quantile",
    "t_tail",
    "t_two_sided",
]


def normal_quantile(q: float) -> float:
    """Standard normal quantile.

    Parameters
    ----------
    q : float
        In [0, 1].

    Returns
    -------
    float
        Infinite at 0 and 1.

    Examples
    --------
    >>> round(normal_quantile(0.975), 6)
    1.959964
    """
    from scipy.special import ndtri

    return float(ndtri(q))


def normal_tail(z: float) -> float:
    """Chance that a standard normal exceeds ``z``.

    Parameters
    ----------
    z : float
        Any number, infinite ones too.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> round(normal_tail(1.959964), 6)
    0.025
    """
    from scipy.special import ndtr

    return float(ndtr(-z))


def t_quantile(q: float, df: float) -> float:
    """Quantile of Student's t.

    Parameters
    ----------
    q : float
        In (0, 1).
    df : float
        Degrees of freedom above 0; infinite is the normal.

    Returns
    -------
    float
        The quantile.

    Examples
    --------
    >>> round(t_quantile(0.975, 10), 6)
    2.228139
    """
    from scipy.special import stdtrit

    return normal_quantile(q) if math.isinf(df) else float(stdtrit(df, q))


def t_tail(t: float, df: float) -> float:
    """Chance that Student's t exceeds ``t``.

    Parameters
    ----------
    t : float
        Any number, infinite ones too.
    df : float
        Degrees of freedom above 0; infinite is the normal.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> round(t_tail(2.228139, 10), 6)
    0.025
    """
    from scipy.special import stdtr

    if math.isinf(t):
        return 0.0 if t > 0 else 1.0
    return normal_tail(t) if math.isinf(df) else float(stdtr(df, -t))


def t_two_sided(t: float, df: float) -> float:
    """Two-sided p of Student's t.

    Parameters
    ----------
    t : float
        The statistic.
    df : float
        Degrees of freedom above 0.

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> round(t_two_sided(-2.228139, 10), 6)
    0.05
    """
    return 2.0 * t_tail(abs(t), df)


def binomial_tail(k: int, n: int) -> float:
    """Chance of at most ``k`` heads in ``n`` throws of a fair coin.

    Parameters
    ----------
    k, n : int
        0 <= k <= n.

    Returns
    -------
    float
        In (0, 1].

    Examples
    --------
    >>> binomial_tail(1, 3)
    0.5
    """
    from scipy.special import bdtr

    return float(bdtr(k, n, 0.5))


def midranks(values: FloatArray) -> FloatArray:
    """Ranks from 1, equal values sharing the mean of their ranks.

    Parameters
    ----------
    values : numpy.ndarray
        One-dimensional, finite.

    Returns
    -------
    numpy.ndarray
        One rank per value.

    Examples
    --------
    >>> midranks(np.array([3.0, 1.0, 3.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    out: FloatArray = (last - (counts - 1) / 2.0)[place]
    return out
