"""Paired t, Wilcoxon and McNemar."""

from __future__ import annotations

import math

import numpy as np
import pytest

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics.paired_tests import clustered_mcnemar, mcnemar_test, paired_t_test, wilcoxon_test


def test_t_against_scipy():
    """Same t and p as scipy.stats.ttest_1samp, in each direction."""
    from scipy.stats import ttest_1samp

    values = np.random.default_rng(0).normal(0.2, 1.0, 30)
    for alternative in ("greater", "less", "two-sided"):
        found, other = paired_t_test(values, alternative=alternative), ttest_1samp(values, 0, alternative=alternative)
        assert (found.t, found.p) == pytest.approx((other.statistic, other.pvalue), rel=1e-12)


def test_t_without_spread():
    """All equal: infinite t with the degenerate flag; all zero or a single value: undefined."""
    same = paired_t_test([0.5] * 8)
    assert same.t == math.inf
    assert same.degenerate
    assert isinstance(same.cohen_dz, Undefined)
    assert isinstance(paired_t_test([0.0] * 8).p, Undefined)
    assert isinstance(paired_t_test([0.3]).p, Undefined)
    assert isinstance(paired_t_test([]).mean, Undefined)


def test_wilcoxon_exact_with_ties():
    """Midranks are taken as they are: five equal differences of nine, all positive, give 2 / 2^9."""
    assert wilcoxon_test([5] * 9).p == 2 / 2**9


def test_wilcoxon_zeros():
    """Zeros are dropped and counted; only zeros: undefined."""
    found = wilcoxon_test([0, 0, 0, 1.5])
    assert (found.zeros, found.n, found.p) == (3, 4, 1.0)
    assert isinstance(wilcoxon_test([0, 0]).p, Undefined)
    assert isinstance(wilcoxon_test([0, 1, 2], zero_method="zsplit").p, Undefined)
    with pytest.raises(BadInput):
        wilcoxon_test([1.0], zero_method="drop")


def test_wilcoxon_rounding_restores_ties():
    """Differences that are equal but for rounding error share a rank."""
    noisy = wilcoxon_test([0.3, 0.1 + 0.2, -0.3, 0.3, 0.7])
    assert noisy.p == wilcoxon_test([3, 3, -3, 3, 7]).p


def test_mcnemar_published_table():
    """The table of 600 pairs: corrected chi-square 8.2034, p 0.00418, exact p 0.00379."""
    found = mcnemar_test([[402, 41], [18, 139]])
    assert found.chi2_corrected == pytest.approx(8.2034, abs=5e-5)
    assert found.p_chi2_corrected == pytest.approx(0.00418, abs=5e-6)
    assert found.p == pytest.approx(0.00379, abs=5e-6)
    assert found.rate_difference == pytest.approx(23 / 600)


def test_mcnemar_without_discordant_pairs():
    """Exact p is 1; chi-square, mid-p and odds ratio do not exist."""
    found = mcnemar_test([[25, 0], [0, 15]])
    assert found.p == 1.0
    assert all(isinstance(x, Undefined) for x in (found.p_mid, found.chi2, found.odds_ratio))
    assert isinstance(mcnemar_test([[0, 0], [0, 0]]).rate_difference, Undefined)


@pytest.mark.parametrize("table", [[[1, 2]], [[1, 2], [3, -1]], [[1, 2, 3], [4, 5, 6]], [[1, 2], [3, 0.5]]])
def test_mcnemar_bad_table(table):
    """Anything but 2 x 2 counts is refused."""
    with pytest.raises(BadInput):
        mcnemar_test(table)


def test_clustered_pairs():
    """Twenty pairs of one template that all differ: McNemar sees 20 observations, the clustered test one."""
    found = clustered_mcnemar(["t"] * 20, [True] * 20, [False] * 20)
    assert found.pairs.p < 1e-5
    assert found.by_template.p == 1.0
    with pytest.raises(BadInput):
        clustered_mcnemar(["t"], [True], [])


@pytest.mark.slow
def test_clustered_test_keeps_its_level():
    """Template gaps vary (sd 0.6 logit, 20 x 30 pairs): McNemar rejects a true null too often, the other does not."""
    rng = np.random.default_rng(1)
    plain = clustered = 0
    for _ in range(500):
        shift = rng.normal(0, 0.6, 20)
        rates = 1 / (1 + np.exp(-np.stack([shift / 2, -shift / 2])))
        first, second = (rng.random((20, 30)) < rate[:, None] for rate in rates)
        templates = np.repeat(np.arange(20), 30).astype(str)
        found = clustered_mcnemar(templates, first.ravel(), second.ravel())
        plain += found.pairs.p_chi2_corrected <= 0.05
        clustered += found.by_template.p <= 0.05
    assert plain / 500 > 0.10
    assert clustered / 500 <= 0.08
