"""Resampling of items or clusters: tables drawn many at a time, and what their kappas say."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

__all__ = ["ONE_CLUSTER", "cluster_codes", "draw_sums", "kappas_of", "percentile_interval"]

CHUNK = 2_000_000
MAX_UNDEFINED = 0.05
ONE_CLUSTER = Undefined("one cluster", "a single cluster shows no variation between clusters")


def kappas_of(tables: Floats, weights: Floats) -> Floats:
    """Kappa of many tables at once; nan where it does not exist.

    Parameters
    ----------
    tables : array of float, shape (..., k, k)
        Counts or proportions.
    weights : array of float, shape (k, k)
        Disagreement weights.

    Returns
    -------
    array of float, shape (...)
        An internal array: whoever uses it counts its nan values and never compares them.

    Examples
    --------
    >>> import numpy as np
    >>> from judgekit.agreement.levels import disagreement
    >>> kappas_of(np.array([[[20.0, 5], [10, 15]], [[9, 0], [0, 0]]]), disagreement(2, "none")).round(3).tolist()
    [0.4, nan]
    """
    k = len(weights)
    flat = tables.reshape(*tables.shape[:-2], k * k)
    observed = flat @ weights.ravel() * flat.sum(axis=-1)
    expected = ((tables.sum(axis=-1) @ weights) * tables.sum(axis=-2)).sum(axis=-1)
    defined = expected > 0
    values: Floats = np.where(defined, 1 - observed / np.where(defined, expected, 1.0), np.nan)
    return values


def draw_sums(units: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Resample rows with replacement and add them up, many times.

    Parameters
    ----------
    units : array of float, shape (n, m)
        What each item or cluster adds.
    draws : int
        How often to resample all ``n``.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    array of float, shape (draws, m)

    Examples
    --------
    >>> import numpy as np
    >>> draw_sums(np.eye(3), 2, np.random.default_rng(1)).sum(axis=1).tolist()
    [3.0, 3.0]
    """
    n = len(units)
    out = np.empty((draws, units.shape[1]))
    step = max(1, CHUNK // n)
    for start in range(0, draws, step):
        size = min(step, draws - start)
        picked = rng.integers(n, size=(size, n)) + n * np.arange(size)[:, None]
        counts = np.bincount(picked.ravel(), minlength=size * n).reshape(size, n)
        out[start : start + size] = counts @ units
    return out


def cluster_codes(clusters: Sequence[Hashable], n: int) -> Ints:
    """Number the clusters 0, 1, ... by first appearance.

    Parameters
    ----------
    clusters : sequence
        One label an item, such as its template.
    n : int
        Number of items.

    Returns
    -------
    array of int, shape (n,)

    Raises
    ------
    BadInput
        When an item has no label.

    Examples
    --------
    >>> cluster_codes(["t1", "t2", "t1"], 3).tolist()
    [0, 1, 0]
    """
    if len(clusters) != n:
        raise BadInput("one cluster an item is needed", field="clusters", seen=f"{len(clusters)} for {n} items")
    index: dict[Hashable, int] = {}
    for position, label in enumerate(clusters, start=1):
        if label is None:
            raise BadInput(
                "an item has no cluster", field="clusters", seen=f"item {position}", remedy="give each item a template"
            )
        index.setdefault(label, len(index))
    return np.array([index[label] for label in clusters], dtype=np.int64)


def percentile_interval(values: Floats, level: float) -> tuple[Interval | Undefined, float | Undefined]:
    """Two-sided interval and one-sided lower bound from the values of the draws.

    Parameters
    ----------
    values : array of float
        Kappa of each draw, nan where undefined.
    level : float
        Confidence level.

    Returns
    -------
    interval : Interval or Undefined
    lower : float or Undefined
        Undefined draws count as the worst value at each end; above 5% of them both are undefined.

    Examples
    --------
    >>> import numpy as np
    >>> interval, lower = percentile_interval(np.linspace(0, 1, 1001), 0.9)
    >>> round(interval.low, 3), round(interval.high, 3), round(lower, 3)
    (0.05, 0.95, 0.1)
    """
    lost = np.isnan(values)
    if lost.mean() > MAX_UNDEFINED:
        nothing = Undefined("too many draws without kappa", f"{lost.mean():.0%} of {len(values)} draws")
        return nothing, nothing
    tail = (1 - level) / 2
    worst, best = np.where(lost, -1.0, values), np.where(lost, 1.0, values)
    low, lower = (float(np.quantile(worst, q, method="inverted_cdf")) for q in (tail, 1 - level))
    high = float(np.quantile(best, 1 - tail, method="inverted_cdf"))
    return Interval(low, high, level, "bootstrap"), lower
