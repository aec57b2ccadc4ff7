"""Bootstrap intervals of a mean gap over templates.

The percentile interval is too narrow with few templates (coverage 0.83, 0.90, 0.92 at 5, 10, 20). It is kept because
people know it; for skewed gaps use ``bootstrap-t``, else the inverted sign-flip test or the t interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Literal

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.statistics.distributions import normal_quantile, normal_tail
from judgekit.statistics.draws import resampled_moments, resampled_sums
from judgekit.statistics.results import FloatArray, Result, as_gaps, check_level

if TYPE_CHECKING:
    from random import Random

    from numpy.typing import ArrayLike

__all__ = [
    "Bootstrap",
    "SeedCompatible",
    "acceleration",
    "bootstrap_interval",
    "bootstrap_means",
    "exact_bootstrap",
    "seed_compatible",
]

BootstrapMethod = Literal["percentile", "basic", "bca", "bootstrap-t"]

EXACT_UP_TO = 8
"""With so few templates all resamples are enumerated, so that nothing is random."""

_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Bootstrap(
    Result,
    method="bootstrap over templates",
    unit="of the gaps",
    source="Efron and Tibshirani (1993), An Introduction to the Bootstrap",
):
    """A bootstrap interval of a mean.

    ``degenerate`` is True when all gaps are equal. ``draws`` and ``seed`` are None when all resamples were enumerated.
    """

    mean: float | Undefined
    interval: Interval | Undefined
    se: float | Undefined
    n: int
    degenerate: bool
    draws: int | None
    seed: int | None


@lru_cache(maxsize=8)
def _all_counts(n: int) -> tuple[FloatArray, FloatArray]:
    """Every multiset of n out of n, as counts, and its probability."""
    picks = np.array(list(combinations_with_replacement(range(n), n)), dtype=np.int64)
    counts = np.zeros((len(picks), n))
    np.add.at(counts, (np.arange(len(picks))[:, None], picks), 1.0)
    factorials = np.array([math.factorial(k) for k in range(n + 1)], dtype=np.float64)
    ways = math.factorial(n) / factorials[counts.astype(np.int64)].prod(axis=1)
    return counts, ways / float(n) ** n


def bootstrap_means(matrix: ArrayLike, *, draws: int = 10_000, seed: int = 0) -> FloatArray:
    """Means of resampled templates for many columns at once, with the same resamples for all.

    Parameters
    ----------
    matrix : array_like, shape (templates,) or (templates, columns)
        Gaps, all finite.
    draws : int
        Number of resamples.
    seed : int
        Seed of the resamples.

    Returns
    -------
    numpy.ndarray, shape (draws,) or (draws, columns)
        One mean per draw.

    Raises
    ------
    BadInput
        When the matrix is empty or not finite, or ``draws`` is below 1.

    Examples
    --------
    >>> bootstrap_means([1.0, 1.0, 1.0], draws=3).tolist()
    [1.0, 1.0, 1.0]
    """
    values = np.asarray(matrix, dtype=np.float64)
    if values.ndim not in (1, 2) or not values.size or not np.isfinite(values).all():
        raise BadInput("`matrix` must be finite and not empty, with templates in rows", seen=str(values.shape))
    if draws < 1:
        raise BadInput("`draws` must be at least 1", field="draws", seen=draws)
    n = len(values)
    sums = resampled_sums(values.reshape(n, -1), draws, np.random.default_rng(seed)) / n
    out: FloatArray = sums if values.ndim == 2 else sums[:, 0]
    return out


def exact_bootstrap(gaps: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """The full bootstrap distribution of the mean of a few gaps.

    Parameters
    ----------
    gaps : sequence of float
        At least 1 and at most 8 values.

    Returns
    -------
    tuple of numpy.ndarray
        Possible means in ascending order and their probabilities.

    Raises
    ------
    BadInput
        When there are no gaps or more than 8.

    Examples
    --------
    >>> means, chance = exact_bootstrap([0.0, 1.0])
    >>> means.tolist(), chance.tolist()
    ([0.0, 0.5, 1.0], [0.25, 0.5, 0.25])
    """
    values = as_gaps(gaps)
    if not 1 <= len(values) <= EXACT_UP_TO:
        raise BadInput(f"all resamples are enumerated for 1 to {EXACT_UP_TO} gaps", seen=len(values))
    counts, chance = _all_counts(len(values))
    means = counts @ values / len(values)
    order = np.argsort(means, kind="stable")
    return means[order], chance[order]


def _between(low: float, high: float, share: float) -> float:
    """Linear between two neighbours; an infinite neighbour is taken as it is."""
    return low if share <= 0 or low == high else high if math.isinf(high) else low + share * (high - low)


class _Draws:
    """Resampled means with their weights (equal for random draws)."""

    def __init__(self, values: FloatArray, draws: int, seed: int, *, squares: bool) -> None:
        self.n = len(values)
        self.exact = self.n <= EXACT_UP_TO
        if self.exact:
            counts, self.weight = _all_counts(self.n)
            self.means = counts @ values / self.n
            self.squares = counts @ (values - values.mean()) ** 2 / self.n
        else:
            centred = values - values.mean()
            sums, of_squares = resampled_moments(centred, draws, np.random.default_rng(seed), squares=squares)
            self.means = sums / self.n + values.mean()
            self.squares = of_squares / self.n
            self.weight = np.full(draws, 1.0 / draws)
        self.mean = float(values.mean())

    def quantiles(self, of: FloatArray, *shares: float) -> list[float]:
        """Quantiles of draws ``of``: interpolated for random draws, the inverse of the distribution if exact."""
        if not self.exact:
            last = len(of) - 1
            places = [(min(last, math.floor(q * last)), q * last) for q in shares]
            ordered = np.partition(of, sorted({i for k, _ in places for i in (k, min(last, k + 1))}))
            return [_between(float(ordered[k]), float(ordered[min(last, k + 1)]), at - k) for k, at in places]
        order = np.argsort(of, kind="stable")
        below = np.cumsum(self.weight[order])
        found = [int(np.searchsorted(below, q - 1e-12)) for q in shares]
        return [float(of[order][min(at, len(of) - 1)]) for at in found]

    def studentised(self) -> FloatArray:
        """(mean* - mean) / se*, infinite where a resample has no spread."""
        shift = self.means - self.mean
        variance = np.maximum(self.squares - shift**2, 0.0)
        flat = variance <= _NO_SPREAD * float(self.squares.max())
        out = np.where(shift >= 0, np.inf, -np.inf)
        np.divide(shift, np.sqrt(variance / self.n), out=out, where=~flat)
        out[flat & (np.abs(shift) <= _NO_SPREAD)] = 0.0
        return out


def acceleration(values: FloatArray) -> float:
    """Acceleration constant of BCa for a mean: a sixth of the skewness over root n.

    Parameters
    ----------
    values : numpy.ndarray
        At least two values with spread.

    Returns
    -------
    float
        By the jackknife.

    Examples
    --------
    >>> acceleration(np.array([1.0, 2.0, 3.0]))
    0.0
    """
    jackknife = (values.sum() - values) / (len(values) - 1)
    centred = jackknife.mean() - jackknife
    return float((centred**3).sum() / (6 * (centred**2).sum() ** 1.5))


def _bca(values: FloatArray, drawn: _Draws, tail: float) -> tuple[float, float]:
    tolerance = 1e-12 * float(np.abs(values).max())
    below = float(drawn.weight[drawn.means < drawn.mean - tolerance].sum())
    z0 = normal_quantile(min(max(below, 1e-12), 1 - 1e-12))
    a = acceleration(values)
    shares = []
    for q in (tail, 1 - tail):
        z = z0 + normal_quantile(q)
        shares.append(normal_tail(-(z0 + z / (1 - a * z))))
    low, high = drawn.quantiles(drawn.means, *shares)
    return low, high


def bootstrap_interval(
    gaps: ArrayLike,
    *,
    method: BootstrapMethod = "bootstrap-t",
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
) -> Bootstrap:
    """Bootstrap interval of the mean gap, resampling templates.

    Parameters
    ----------
    gaps : sequence of float
        One gap (a minus b) per template.
    method : {'bootstrap-t', 'bca', 'basic', 'percentile'}
        ``bootstrap-t`` covers 0.94 from 8 templates also when gaps are skewed; the others are narrower than they say
        with few templates (BCa 0.90 at 10).
    level : float
        Confidence level, a share.
    draws : int
        Resamples; with up to 8 gaps all of them are enumerated instead.
    seed : int
        Seed of the resamples; the same seed gives the same digits.

    Returns
    -------
    Bootstrap
        Fewer than two gaps: undefined. All gaps equal: the percentile and basic interval have no width and carry the
        ``degenerate`` flag; BCa and bootstrap-t are undefined.

    Raises
    ------
    BadInput
        When a gap is not finite, or the level or the method is not valid.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993, chapters 12 to 14.

    Examples
    --------
    >>> bootstrap_interval([0.1, 0.3, 0.2, 0.4], method="percentile").interval.method
    'percentile, all resamples'
    """
    if method not in ("percentile", "basic", "bca", "bootstrap-t"):
        raise BadInput("no such bootstrap interval", field="method", seen=method)
    check_level(level)
    values = as_gaps(gaps)
    n = len(values)
    if n < 2:
        why = Undefined("no gap" if n == 0 else "one template")
        mean: float | Undefined = float(values[0]) if n else why
        return Bootstrap(mean=mean, interval=why, se=why, n=n, degenerate=False, draws=None, seed=None)
    centre = float(values.mean())
    if np.ptp(values) <= _NO_SPREAD * float(np.abs(values).max()):
        flat = Interval(centre, centre, level, f"{method}, degenerate")
        none = Undefined("no spread", "every template has the same gap")
        usable = method in ("percentile", "basic")
        return Bootstrap(
            mean=centre, interval=flat if usable else none, se=0.0, n=n, degenerate=True, draws=None, seed=None
        )
    drawn = _Draws(values, draws, seed, squares=method == "bootstrap-t")
    se = float(values.std() / math.sqrt(n))
    low, high = _ends(values, drawn, method, (1 - level) / 2, se)
    return Bootstrap(
        mean=centre,
        interval=Interval(low, high, level, f"{method}, all resamples" if drawn.exact else method),
        se=se,
        n=n,
        degenerate=False,
        draws=None if drawn.exact else draws,
        seed=None if drawn.exact else seed,
    )


def _ends(values: FloatArray, drawn: _Draws, method: BootstrapMethod, tail: float, se: float) -> tuple[float, float]:
    if method == "bca":
        return _bca(values, drawn, tail)
    centre = drawn.mean
    if method == "bootstrap-t":
        low, high = (centre - q * se for q in drawn.quantiles(drawn.studentised(), 1 - tail, tail))
        return low, high
    low, high = drawn.quantiles(drawn.means, tail, 1 - tail)
    return (low, high) if method == "percentile" else (2 * centre - high, 2 * centre - low)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedCompatible(
    Result,
    method="percentile bootstrap and sign-flip over pairs, as published; pairs are not independent",
    unit="of the differences",
    source="Efron and Tibshirani (1993), An Introduction to the Bootstrap",
):
    """Pair-level percentile interval and sign-flip p, for comparison with published tables only.

    Pairs of one template are not independent, so the interval is too narrow and p too small.
    """

    mean: float
    interval: Interval
    p: float
    pairs: int
    draws: int
    flips: int


def seed_compatible(
    differences: Sequence[float], rng: Random, *, draws: int = 4_000, flips: int = 10_000, level: float = 0.95
) -> SeedCompatible | Undefined:
    """Pair-level bootstrap and sign flips exactly as published: sorted means at floor(0.025 B) and floor(0.975 B).

    Parameters
    ----------
    differences : sequence of float
        One difference (a minus b) per pair, in the order of the design.
    rng : random.Random
        One generator for a whole run of metrics; it moves on.
    draws, flips : int
        Bootstrap draws and sign patterns.
    level : float
        Confidence level, a share.

    Returns
    -------
    SeedCompatible or Undefined
        p = (hits + 1) / (flips + 1), a hit being at least as large as observed within 1e-12. Undefined without pairs.

    Examples
    --------
    >>> from random import Random
    >>> seed_compatible([1.0, 1.0, 1.0], Random(7), draws=10, flips=9).p > 0.05
    True
    """
    from statistics import fmean

    check_level(level)
    pairs = [float(d) for d in as_gaps(differences, what="differences")]
    if not pairs:
        return Undefined("no pairs")
    n = len(pairs)
    means = sorted(fmean([rng.choice(pairs) for _ in range(n)]) for _ in range(draws))
    observed = abs(fmean(pairs))
    hits = sum(abs(fmean([d if rng.random() < 0.5 else -d for d in pairs])) >= observed - 1e-12 for _ in range(flips))
    tail = (1 - level) / 2
    low = means[int(tail * draws)]
    high = means[min(draws - 1, int((1 - tail) * draws))]
    return SeedCompatible(
        mean=fmean(pairs),
        interval=Interval(low, high, level, "percentile over pairs, seed-compatible"),
        p=(hits + 1) / (flips + 1),
        pairs=n,
        draws=draws,
        flips=flips,
    )
