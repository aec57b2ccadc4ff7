"""The sign-flip test of template gaps: exact whenever that is possible, and the interval got by inverting it.

The null hypothesis is that each gap is symmetric about zero. Gaps of scores are multiples of one over names times
seeds, so their sums live on a lattice and the exact distribution is cheap for any number of templates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.statistics.draws import extreme_counts, packed_bits, sums_of_bits
from judgekit.statistics.results import FloatArray, IntArray, Result, as_gaps, check_level

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Alternative", "SignFlip", "lattice", "sign_flip_interval", "sign_flip_many", "sign_flip_test"]

Alternative = Literal["two-sided", "greater", "less"]

TIE_TOLERANCE = 1e-9
"""Sums closer than this share of the sum of absolute gaps count as equal."""

ENUMERATE_UP_TO = 30
_INTERVAL_UP_TO = 20
_ALL_SUBSETS_UP_TO = 16
_LATTICE_STEPS = 1_000_000
_DP_COST = 2_000_000_000
_FFT_COST = 400_000_000
_FFT_SMALLEST_P = 1e-6
_LONGEST_LATTICE = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SignFlip(
    Result,
    method="sign-flip test",
    unit="of the gaps",
    source="Fisher (1935), The Design of Experiments; Phipson and Smyth (2010), SAGMB 9",
):
    """Result of a sign-flip test.

    ``mean`` is the mean gap; ``p`` in (0, 1]; ``min_p`` the smallest p reachable with so many gaps; ``hits`` the number
    of sign patterns (or draws) at least as extreme; ``draws`` and ``seed`` are None when the test is exact.
    """

    mean: float | Undefined
    p: float | Undefined
    min_p: float
    alternative: Alternative
    method: str
    n: int
    zeros: int
    hits: float
    draws: int | None
    seed: int | None


def lattice(gaps: ArrayLike) -> tuple[IntArray, float] | None:
    """The gaps as whole multiples of one unit, if they are.

    Parameters
    ----------
    gaps : sequence of float
        Differences. Multiples of a common unit within a relative tolerance of 1e-9 count as such.

    Returns
    -------
    tuple of (numpy.ndarray of int, float) or None
        Signed multiples and the unit; None when the gaps have no common unit worth using.

    Examples
    --------
    >>> steps, unit = lattice([0.1, 0.2, -0.3])
    >>> steps.tolist(), round(unit, 12)
    ([1, 2, -3], 0.1)
    """
    values = as_gaps(gaps)
    size = np.abs(values)
    largest = float(size.max(initial=0.0))
    if largest == 0:
        return np.zeros(len(values), dtype=np.int64), 1.0
    tolerance = TIE_TOLERANCE * largest
    rest = np.unique(size[size > tolerance])
    # Euclid's algorithm on all sizes at once; rounding noise that is left over ends below the tolerance.
    while len(rest) > 1:
        smallest = rest[0]
        if smallest * _LATTICE_STEPS < largest:
            return None
        over = np.mod(rest[1:], smallest)
        over = over[(over > tolerance) & (smallest - over > tolerance)]
        rest = np.unique(np.append(over, smallest))
    unit = float(rest[0])
    if unit * _LATTICE_STEPS < largest:
        return None
    steps = np.rint(values / unit).astype(np.int64)
    unit = float(values @ steps) / float(steps @ steps)
    if np.abs(steps * unit - values).max() > tolerance:
        return None
    return steps, unit


def _tail_by_dp(steps: IntArray, reach: int) -> float:
    """P(chosen subset sum >= reach), adding one gap after another; relative accuracy holds in the far tail."""
    total = int(steps.sum())
    weights = np.zeros(total + 1)
    weights[0] = 1.0
    filled = 0
    for step in np.sort(steps):
        k = int(step)
        part = weights[: filled + 1] * 0.5
        weights[: filled + 1] = part
        weights[k : filled + k + 1] += part
        filled += k
    return float(weights[reach:].sum())


def _tail_by_fft(steps: IntArray, reach: int) -> float:
    """The same from the characteristic function; absolute accuracy about 1e-14."""
    from scipy import fft

    total = int(steps.sum())
    length = fft.next_fast_len(total + 1, real=True)
    distinct, counts = np.unique(steps, return_counts=True)
    angle = np.pi * np.arange(length // 2 + 1) / length
    transform = np.ones(length // 2 + 1, dtype=np.complex128)
    # Each gap adds 0 or k: (1 + exp(-2ik a)) / 2 = exp(-ik a) cos(k a).
    for k, count in zip(distinct, counts, strict=True):
        transform *= np.cos(k * angle) ** count
    transform *= np.exp(-1j * total * angle)
    return float(fft.irfft(transform, length)[reach : total + 1].sum())


def _exact_lattice_tail(steps: IntArray, at_least: int) -> float | None:
    """P(signed sum >= at_least) for positive steps, or None when it would take too long."""
    total = int(steps.sum())
    if at_least <= -total:
        return 1.0
    if total > _LONGEST_LATTICE:
        return None
    # The signed sum is twice the sum of the chosen steps less the total.
    reach = (total + at_least + 1) // 2
    dp_cost = len(steps) * total // 2
    distinct = len(np.unique(steps))
    if dp_cost > 20_000_000 and distinct * total < _FFT_COST:
        tail = _tail_by_fft(steps, reach)
        if tail > _FFT_SMALLEST_P:
            return min(1.0, tail)
    return _tail_by_dp(steps, reach) if dp_cost <= _DP_COST else None


def _subset_sums(values: FloatArray) -> FloatArray:
    """Sums of all subsets, the empty one first."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


def _count_at_most(values: FloatArray, bound: float) -> int:
    """How many subsets have a sum of at most ``bound``: two halves are listed and met in the middle."""
    middle = len(values) // 2
    first, second = _subset_sums(values[:middle]), np.sort(_subset_sums(values[middle:]))
    return int(np.searchsorted(second, bound - first, side="right").sum())


def _exact_tail(values: FloatArray, observed: float) -> tuple[float, str] | None:
    """P(signed sum of |values| >= observed) and how it was found; ties within tolerance count."""
    on_lattice = lattice(values)
    if on_lattice is not None:
        steps, unit = on_lattice
        tail = _exact_lattice_tail(np.abs(steps), round(observed / unit))
        if tail is not None:
            return tail, "exact (lattice)"
    if len(values) <= ENUMERATE_UP_TO:
        size = np.abs(values)
        whole = float(size.sum())
        # A signed sum is at least ``observed`` when the gaps that turned negative add up to at most half the rest.
        hits = _count_at_most(size, (whole - observed) / 2 + TIE_TOLERANCE * whole)
        return hits / 2 ** len(values), "exact (enumeration)"
    return None


def sign_flip_test(
    gaps: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    method: Literal["auto", "exact", "monte-carlo"] = "auto",
    draws: int = 10_000,
    seed: int = 0,
) -> SignFlip:
    """Test whether gaps are symmetric about zero by flipping their signs.

    Parameters
    ----------
    gaps : sequence of float
        One gap (a minus b) per independent unit, normally a template. Zeros stay in and change nothing.
    alternative : {'two-sided', 'greater', 'less'}
        ``greater``: the mean gap is above zero.
    method : {'auto', 'exact', 'monte-carlo'}
        ``auto`` is exact by dynamic programming on lattice data of any size and by enumeration up to 30 non-zero
        gaps; Monte Carlo otherwise.
    draws : int
        Sign patterns of the Monte-Carlo form.
    seed : int
        Seed of the Monte-Carlo form; the same seed gives the same digits.

    Returns
    -------
    SignFlip
        ``p`` is the share of sign patterns whose sum is at least as extreme, or (hits + 1) / (draws + 1). No gap:
        undefined. All gaps zero: 1.

    Raises
    ------
    BadInput
        When a gap is not finite, or ``method='exact'`` is asked for and out of reach.

    Notes
    -----
    Sums are compared on the lattice or with a relative tolerance of 1e-9; a plain ``>=`` on floats loses ties.

    References
    ----------
    .. [1] R. A. Fisher, The Design of Experiments, 1935, section 21.
    .. [2] B. Phipson and G. K. Smyth, Permutation p-values should never be zero, Statistical Applications in Genetics
       and Molecular Biology 9, 2010.

    Examples
    --------
    >>> sign_flip_test([0.1, 0.2, 0.3, -0.1, 0.4, -0.3]).p
    0.46875
    """
    values = as_gaps(gaps)
    n = len(values)
    nonzero = values[np.abs(values) > TIE_TOLERANCE * np.abs(values).max(initial=0.0)]
    zeros = n - len(nonzero)
    smallest = min(1.0, (2.0 if alternative == "two-sided" else 1.0) * 0.5 ** min(n, 1073)) if n else 1.0
    mean: float | Undefined = float(values.mean()) if n else Undefined("no gap")
    made = SignFlip(
        mean=mean, p=mean, min_p=smallest, alternative=alternative, method="none", n=n, zeros=zeros, hits=0,
        draws=None, seed=None,
    )  # fmt: skip
    if n == 0:
        return made
    if method != "monte-carlo":
        found = _exact_p(nonzero, math.fsum(nonzero), alternative)
        if found is not None:
            p, how = found
            return replace(made, p=p, method=how, hits=p * 2.0**n if n < 1000 else math.inf)
    if method == "exact":
        raise BadInput(
            "an exact sign-flip p is out of reach",
            field="method",
            seen=f"{len(nonzero)} gaps without a common unit",
            remedy="use method='monte-carlo'",
        )
    return _monte_carlo(made, nonzero, draws, seed)


def _monte_carlo(made: SignFlip, nonzero: FloatArray, draws: int, seed: int) -> SignFlip:
    if draws < 1:
        raise BadInput("`draws` must be at least 1", field="draws", seen=draws)
    rng = np.random.default_rng(seed)
    hits = int(extreme_counts(nonzero[:, None], made.alternative, draws, rng, tie_tolerance=TIE_TOLERANCE)[0])
    return replace(
        made,
        p=(hits + 1) / (draws + 1),
        min_p=max(made.min_p, 1 / (draws + 1)),
        method="Monte Carlo",
        hits=float(hits),
        draws=draws,
        seed=seed,
    )


def _exact_p(nonzero: FloatArray, observed: float, alternative: Alternative) -> tuple[float, str] | None:
    scale = float(np.abs(nonzero).sum())
    if not len(nonzero):
        return 1.0, "exact (all gaps are zero)"
    two_sided = alternative == "two-sided"
    if two_sided and abs(observed) <= TIE_TOLERANCE * scale:
        return 1.0, "exact (mean gap is zero)"
    target = abs(observed) if two_sided else observed if alternative == "greater" else -observed
    found = _exact_tail(nonzero, target)
    if found is None:
        return None
    tail, how = found
    # A tail below the smallest float is still not zero.
    return max(min(1.0, 2.0 * tail if two_sided else tail), float(np.finfo(np.float64).tiny)), how


def sign_flip_many(
    matrix: ArrayLike, *, alternative: Alternative = "two-sided", draws: int = 10_000, seed: int = 0
) -> FloatArray:
    """Monte-Carlo sign-flip p of many columns at once, with one sign matrix for all.

    Parameters
    ----------
    matrix : array_like, shape (templates, columns)
        Gaps; one column per metric and contrast. All finite.
    alternative : {'two-sided', 'greater', 'less'}
        As in `sign_flip_test`.
    draws : int
        Sign patterns.
    seed : int
        Seed of the sign matrix.

    Returns
    -------
    numpy.ndarray
        (hits + 1) / (draws + 1) per column.

    Raises
    ------
    BadInput
        When the matrix is not two-dimensional, is empty or not finite.

    Examples
    --------
    >>> sign_flip_many([[1.0, 0.0]] * 12, draws=999, seed=1).tolist()
    [0.001, 1.0]
    """
    values = np.asarray(matrix, dtype=np.float64)
    if values.ndim != 2 or not values.size or not np.isfinite(values).all():
        raise BadInput("`matrix` must be finite, with templates in rows and columns of gaps", seen=str(values.shape))
    hits = extreme_counts(values, alternative, draws, np.random.default_rng(seed), tie_tolerance=TIE_TOLERANCE)
    out: FloatArray = (hits + 1) / (draws + 1)
    return out


def sign_flip_interval(
    gaps: ArrayLike, *, level: float = 0.95, draws: int = 9_999, seed: int = 0
) -> Interval | Undefined:
    """Interval for the mean gap: every centre that the sign-flip test does not reject.

    Parameters
    ----------
    gaps : sequence of float
        One gap (a minus b) per template.
    level : float
        Confidence level, a share.
    draws : int
        Random non-empty subsets when there are more than 20 gaps.
    seed : int
        Seed of those subsets.

    Returns
    -------
    Interval or Undefined
        With too few gaps for the level (5 or fewer at 95%) the bounds are infinite. No gap: undefined.

    Notes
    -----
    The bounds are order statistics of the means of all non-empty subsets of the gaps. Coverage is 0.95 at any number
    of templates from 8 when the gaps are symmetric; with skewed gaps prefer the bootstrap-t interval.

    References
    ----------
    .. [1] J. A. Hartigan, Using subsample values as typical values, JASA 64, 1969.

    Examples
    --------
    >>> sign_flip_interval([0.022, 0.762, 0.114, 0.799, -0.396, 0.299])
    Interval(low=-0.396, high=0.799, level=0.95, method='sign-flip inversion')
    """
    values = as_gaps(gaps)
    check_level(level)
    n = len(values)
    if n == 0:
        return Undefined("no gap")
    tail = (1 - level) / 2
    rank = math.floor(tail * 2.0**n * (1 + 1e-12))
    if n <= _ALL_SUBSETS_UP_TO:
        means = _subset_sums(values)[1:] / _subset_sums(np.ones(n))[1:]
        method = "sign-flip inversion"
    elif n <= _INTERVAL_UP_TO:
        low, high = _ranked_mean(values, rank), -_ranked_mean(-values, rank)
        return Interval(low, high, level, "sign-flip inversion")
    else:
        packed = packed_bits(draws, n, np.random.default_rng(seed))
        sizes = sums_of_bits(packed, np.ones(n))
        means = sums_of_bits(packed, values)[sizes > 0] / sizes[sizes > 0]
        rank = math.floor(tail * (len(means) + 1) * (1 + 1e-12))
        method = "sign-flip inversion (Monte Carlo)"
    if rank < 1:
        return Interval(-math.inf, math.inf, level, method)
    ordered = np.partition(means, [rank - 1, len(means) - rank])
    return Interval(float(ordered[rank - 1]), float(ordered[len(means) - rank]), level, method)


def _ranked_mean(values: FloatArray, rank: int) -> float:
    """The mean of rank ``rank`` (from 1) among the means of all non-empty subsets, by bisection.

    A subset's mean is at most x when the sum of its values less x each is at most 0; the empty subset always counts.
    """
    low, high = float(values.min()), float(values.max())
    tolerance = 1e-13 * float(np.abs(values).sum())
    if _count_at_most(values - low, tolerance) - 1 >= rank:
        return low
    while high - low > 1e-14 * max(abs(low), abs(high)):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if _count_at_most(values - middle, tolerance) - 1 >= rank:
            high = middle
        else:
            low = middle
    return high
