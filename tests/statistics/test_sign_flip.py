"""Sign-flip test and its inversion interval."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics import sign_flip
from judgekit.statistics.sign_flip import lattice, sign_flip_interval, sign_flip_many, sign_flip_test


def by_hand(gaps):
    """Two-sided p in exact integers (gaps must be integers)."""
    observed = abs(sum(gaps))
    signs = itertools.product((1, -1), repeat=len(gaps))
    return sum(abs(sum(s * g for s, g in zip(sign, gaps, strict=True))) >= observed for sign in signs) / 2 ** len(gaps)


def test_equal_sums_count_as_ties():
    """Sums that are equal in exact arithmetic stay ties in floats."""
    # R exactRankTests perm.test on the gaps times ten: 0.46875; plain numpy without tolerance gives 0.375.
    assert sign_flip_test([0.1, 0.2, 0.3, -0.1, 0.4, -0.3]).p == 0.46875


@pytest.mark.parametrize("seed", range(5))
def test_dynamic_programming_equals_enumeration(seed):
    """The lattice form gives the count of sign patterns exactly."""
    gaps = np.random.default_rng(seed).integers(-5, 8, 11).tolist()
    assert sign_flip_test([g / 6 for g in gaps]).p == pytest.approx(by_hand(gaps), abs=1e-15)


def test_fft_and_dynamic_programming_agree():
    """Both forms of the exact distribution agree where both are accurate."""
    steps = np.abs(np.random.default_rng(3).integers(-30, 31, 900))
    total = int(steps.sum())
    for reach in (total // 2 + 1, total // 2 + 400, total // 2 + 800):
        assert sign_flip._tail_by_fft(steps, reach) == pytest.approx(sign_flip._tail_by_dp(steps, reach), abs=1e-12)


def test_far_tail_is_not_zero():
    """A tiny exact p keeps its relative accuracy, and never becomes 0."""
    assert sign_flip_test([5.0] * 90).p == pytest.approx(2.0**-89, rel=1e-12)
    assert 0 < sign_flip_test([1.0] * 3000).p < 1e-300


@pytest.mark.parametrize("n", [3, 8, 15, 22])
def test_meeting_in_the_middle_equals_monte_carlo(n):
    """Gaps without a common unit: enumeration agrees with many random flips."""
    gaps = np.random.default_rng(n).normal(0.3, 1.0, n)
    exact, drawn = sign_flip_test(gaps), sign_flip_test(gaps, method="monte-carlo", draws=40_000)
    assert exact.method == "exact (enumeration)"
    assert drawn.p == pytest.approx(exact.p, abs=6 * math.sqrt(exact.p * (1 - exact.p) / 40_000) + 1e-4)


def test_monte_carlo_rule_and_seed():
    """(hits + 1) / (draws + 1), the same digits for the same seed, and the smallest p beside it."""
    gaps = np.random.default_rng(1).normal(2.0, 1.0, 60)
    first = sign_flip_test(gaps, draws=999, seed=5)
    assert first.method == "Monte Carlo"
    assert first.p == (first.hits + 1) / 1000 == 0.001 == first.min_p
    assert sign_flip_test(gaps, draws=999, seed=5) == first


def test_smallest_p_and_zeros():
    """Five templates cannot go below 0.0625; zeros change nothing; all zeros give 1."""
    assert sign_flip_test([1.0] * 5).p == sign_flip_test([1.0] * 5).min_p == 0.0625
    assert sign_flip_test([0, 0, 1, -1, 2, 1, 0, 3]).p == sign_flip_test([1, -1, 2, 1, 3]).p == 0.25
    assert sign_flip_test([0.0] * 6).p == 1.0


def test_one_sided():
    """Both directions, checked by hand: of 8 patterns of (1, 2, 4) one reaches 7."""
    assert sign_flip_test([1, 2, 4], alternative="greater").p == 1 / 8
    assert sign_flip_test([1, 2, 4], alternative="less").p == 1.0
    assert sign_flip_test([-1, -2, -4], alternative="less").p == 1 / 8
    assert sign_flip_test([-1, -2, -4], alternative="less", method="monte-carlo", draws=4000).p == pytest.approx(
        1 / 8, abs=0.03
    )


def test_nothing_given():
    """No gap: undefined, never a number."""
    found = sign_flip_test([])
    assert isinstance(found.p, Undefined)
    assert isinstance(sign_flip_interval([]), Undefined)


@pytest.mark.parametrize("bad", [[1.0, math.nan], [math.inf], [[1.0]], ["x"]])
def test_bad_gaps_are_named(bad):
    """nan, infinities, tables and words are refused."""
    with pytest.raises(BadInput):
        sign_flip_test(bad)


def test_exact_out_of_reach_is_said():
    """Asking for an exact p that cannot be had is an error, not a silent Monte Carlo."""
    with pytest.raises(BadInput, match="out of reach"):
        sign_flip_test(np.random.default_rng(0).normal(size=200), method="exact")


def test_lattice_finds_the_unit():
    """Multiples of 1/18 are found; noise is not on a lattice."""
    steps, unit = lattice(np.array([3, -6, 9, 2, 0]) / 18)
    assert unit == pytest.approx(1 / 18, rel=1e-12)
    assert steps.tolist() == [3, -6, 9, 2, 0]
    assert lattice(np.random.default_rng(0).normal(size=50)) is None


def test_interval_matches_the_list_of_subset_means():
    """Bisection for 17 to 20 gaps gives the ranked subset means."""
    gaps = np.random.default_rng(7).normal(0.2, 1.0, 17)
    means = np.sort(sign_flip._subset_sums(gaps)[1:] / sign_flip._subset_sums(np.ones(17))[1:])
    rank = math.floor(0.025 * 2**17)
    interval = sign_flip_interval(gaps)
    assert interval.low == pytest.approx(means[rank - 1], abs=1e-10)
    assert interval.high == pytest.approx(means[len(means) - rank], abs=1e-10)


def test_interval_and_test_agree():
    """The interval holds exactly the centres that the test does not reject."""
    gaps = np.random.default_rng(2).normal(0.5, 1.0, 10)
    interval = sign_flip_interval(gaps)
    step = 1e-6
    assert sign_flip_test(gaps - interval.low + step).p <= 0.05 < sign_flip_test(gaps - interval.low - step).p
    assert sign_flip_test(gaps - interval.high - step).p <= 0.05 < sign_flip_test(gaps - interval.high + step).p


def test_interval_is_unbounded_when_too_few():
    """Five gaps have no 95% interval, but a 90% one."""
    assert sign_flip_interval([1, 2, 3, 4, 5]).low == -math.inf
    assert sign_flip_interval([1, 2, 3, 4, 5], level=0.9).low == 1.0


def test_many_columns_share_signs():
    """One call for many columns gives each column's Monte-Carlo p."""
    matrix = np.random.default_rng(0).normal(0.2, 1.0, (40, 3))
    together = sign_flip_many(matrix, draws=5000, seed=1)
    alone = [sign_flip_test(matrix[:, i], method="monte-carlo", draws=5000, seed=1).p for i in range(3)]
    assert together.tolist() == pytest.approx(alone, abs=1e-12)
    with pytest.raises(BadInput):
        sign_flip_many(np.zeros((0, 3)))


def test_fine_lattices_do_not_fill_the_memory():
    """Gaps with a tiny common unit fall back to enumeration or Monte Carlo."""
    gaps = [*np.random.default_rng(0).integers(-900000, 900000, 25).tolist(), 1]
    assert sign_flip_test(gaps).method == "exact (enumeration)"
    assert sign_flip_test(gaps * 3, draws=500).method == "Monte Carlo"
