"""Resampling of items or clusters: tables drawn many at a time, and what their kappas say."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.wording.sentence import say

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

__all__ = ["ONE_CLUSTER", "cluster_codes", "draw_sums", "draw_tables", "kappas_of", "percentile_interval"]

# Below this many items, picking each of them is faster than a multinomial draw of the cells.
ITEM_BY_ITEM = 400
BLOCK = 30_000
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
    ones = np.ones((1, k))
    # One product gives the row sums, the column sums and the observed disagreement of every table.
    sums = flat @ np.hstack([np.kron(np.eye(k), ones.T), np.kron(ones.T, np.eye(k)), weights.reshape(-1, 1)])
    rows, columns, observed = sums[..., :k], sums[..., k : 2 * k], sums[..., 2 * k]
    expected = ((rows @ weights) * columns).sum(axis=-1)
    defined = expected > 0
    values: Floats = np.where(defined, 1 - observed * rows.sum(axis=-1) / np.where(defined, expected, 1.0), np.nan)
    return values


def draw_tables(cells: Ints, size: int, draws: int, rng: np.random.Generator) -> Floats:
    """Resample items with replacement and count the cells they fall into, many times.

    Parameters
    ----------
    cells : array of int, shape (n,)
        The cell of each item, in [0, size).
    size : int
        Number of cells.
    draws : int
        How often to resample all ``n``.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    array of float, shape (draws, size)

    Examples
    --------
    >>> import numpy as np
    >>> draw_tables(np.array([0, 1, 1]), 4, 2, np.random.default_rng(1)).sum(axis=1).tolist()
    [3.0, 3.0]
    """
    n = len(cells)
    if n > ITEM_BY_ITEM:
        return rng.multinomial(n, np.bincount(cells, minlength=size) / n, size=draws).astype(np.float64)
    out = np.empty((draws, size))
    for start, stop, picked in _picks(n, draws, rng):
        own = cells.take(picked) + size * np.arange(stop - start)[:, None]
        out[start:stop] = np.bincount(own.ravel(), minlength=(stop - start) * size).reshape(-1, size)
    return out


def _picks(n: int, draws: int, rng: np.random.Generator) -> Iterator[tuple[int, int, npt.NDArray[Any]]]:
    """Indices of the items of each draw, in blocks that stay in the processor's cache."""
    step = max(1, BLOCK // n)
    small = np.uint16 if n <= np.iinfo(np.uint16).max else np.int64
    for start in range(0, draws, step):
        stop = min(start + step, draws)
        yield start, stop, rng.integers(n, size=(stop - start, n), dtype=small)


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
    for start, stop, picked in _picks(n, draws, rng):
        own = picked + n * np.arange(stop - start)[:, None]
        out[start:stop] = np.bincount(own.ravel(), minlength=(stop - start) * n).reshape(-1, n) @ units
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
        nothing = Undefined(
            "too many draws without kappa", say("{share:.0%} of {n} draws", share=float(lost.mean()), n=len(values))
        )
        return nothing, nothing
    tail = (1 - level) / 2
    worst, best = np.where(lost, -1.0, values), np.where(lost, 1.0, values)
    low, lower = (float(np.quantile(worst, q, method="inverted_cdf")) for q in (tail, 1 - level))
    high = float(np.quantile(best, 1 - tail, method="inverted_cdf"))
    return Interval(low, high, level, "bootstrap"), lower
