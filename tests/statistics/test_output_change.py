"""Output change against a paraphrase baseline: divergences, answers, aggregate tests, regressions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics.answer_change import answer_change
from judgekit.statistics.divergence import (
    divergence,
    flip_rate,
    joint_table,
    js_divergence,
    kl_divergence,
    mean_divergence,
    mutual_information,
    phi,
)
from judgekit.statistics.regression import clustered_ols, difference_model, level_model, two_way_se


def test_nearly_equal_distributions_have_no_negative_divergence():
    """Rounding does not make a divergence negative (its root would be nan)."""
    found = divergence([0.6, 0.4], [0.6000000000000001, 0.3999999999999999])
    assert (found.jsd, found.js_distance) == (0.0, 0.0)


def test_zero_probabilities():
    """P = 0 adds nothing; q = 0 with p > 0 is infinite; JSD stays finite and is 1 bit for disjoint support."""
    found = divergence([0.0, 0.4, 0.6], [0.1, 0.3, 0.6])
    assert found.kl_qp == math.inf
    assert math.isfinite(found.kl_pq)
    assert divergence([1.0, 0.0], [0.0, 1.0]).jsd == 1.0


@pytest.mark.parametrize("bad", [[0.5, 0.4], [1.2, -0.2], [math.nan, 1.0], [50.0, 50.0]])
def test_no_silent_renormalising(bad):
    """Inputs that do not add up to 1, or are negative, are refused."""
    with pytest.raises(BadInput):
        js_divergence(bad, [0.5, 0.5])
    with pytest.raises(BadInput):
        kl_divergence([0.5, 0.5], [0.2, 0.3, 0.5])
    with pytest.raises(BadInput):
        kl_divergence([0.5, 0.5], [0.5, 0.5], unit="dits")


def test_infinite_divergences_are_counted_not_averaged():
    """One infinite KL: no mean, a count; the mean JSD stands."""
    found = mean_divergence([[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]])
    assert found.mean_kl.reason == "infinite divergence"
    assert (found.infinite_kl, found.mean_jsd) == (1, 0.5)
    assert isinstance(mean_divergence([], []).mean_jsd, Undefined)


def test_constant_answers_have_no_phi():
    """Phi of a constant column is undefined, mutual information is 0; one changed answer of 100 is 0.0808 bits."""
    original, changed = [1] * 99 + [0], [1] * 100
    assert phi(original, changed).reason == "constant answers"
    assert mutual_information(original, changed) == 0.0
    # Entropy of a 99/1 split in bits.
    assert mutual_information(original, original) == pytest.approx(0.08079313589591118)


def test_options_of_any_kind():
    """Any hashable answers work; three options have no phi."""
    assert flip_rate(["yes", "no", "unsure"], ["yes", "unsure", "unsure"]) == pytest.approx(1 / 3)
    assert phi(["a", "b", "c"], ["a", "b", "c"]).reason == "more than two options"
    assert mutual_information(["a", "b", "c"], ["a", "b", "c"]) == pytest.approx(math.log2(3))
    assert isinstance(flip_rate([], []), Undefined)
    assert isinstance(mutual_information([], []), Undefined)
    assert phi([], []).reason == "no answers"
    with pytest.raises(BadInput):
        joint_table([1], [1, 2])


def test_aggregate_test_finds_a_planted_change():
    """Targeted edits flip 40% of answers, paraphrases 5%: all three tests reject."""
    rng = np.random.default_rng(0)
    original = rng.integers(0, 2, 200)
    targeted = np.where(rng.random(200) < 0.4, 1 - original, original)
    baseline = np.where(rng.random(200) < 0.05, 1 - original, original)
    found = answer_change(original.tolist(), targeted.tolist(), baseline.tolist(), draws=2000, seed=1)
    assert all(test.p < 0.01 for test in (found.flip_rate, found.mutual_information, found.phi))
    assert found.flip_rate.difference > 0 > found.phi.difference


def test_ties_count_for_the_null():
    """Targeted and baseline equal: every draw is a tie and p is 1."""
    found = answer_change([0, 1] * 20, [0, 0] * 20, [0, 0] * 20, draws=500)
    assert found.flip_rate.p == 1.0
    assert found.flip_rate.tied_draws == 1.0


def test_undefined_draws_stop_the_phi_test():
    """When more than 5% of the draws have constant answers there is no phi test; the share is told."""
    original = [1] * 97 + [0] * 3
    found = answer_change(original, original, original, draws=4000, seed=2)
    # P(no zero among 100 draws) = 0.97^100 = 0.0476; beside that, all-defined draws are few enough to pass.
    assert found.phi.undefined_draws == pytest.approx(0.97**100, abs=0.012)
    lone = [1] * 98 + [0] * 2
    assert answer_change(lone, lone, lone, draws=4000).phi.p.reason == "too many draws without a value"


def test_three_options_aggregate():
    """Three options: flip rate and MI are tested, phi is undefined."""
    rng = np.random.default_rng(1)
    a = rng.integers(0, 3, 60).tolist()
    found = answer_change(a, a[1:] + a[:1], a, draws=500)
    assert found.options == 3
    assert isinstance(found.phi.p, Undefined)
    assert found.flip_rate.p < 0.01
    with pytest.raises(BadInput):
        answer_change([1], [1, 2], [1])
    with pytest.raises(BadInput):
        answer_change([1], [1], [1], draws=0)


def test_difference_model_leaves_out_items_without_direction():
    """D = 0 is not part of the model; the balance says whether a common shift cancels."""
    found = difference_model([1, -1, 0, 1], [0.0, 0.0, 0.0, 0.0], [1.0, -1.0, 50.0, 2.0])
    assert found.beta.value == pytest.approx(4 / 3)
    assert (found.n, found.no_direction, found.balance) == (3, 1, pytest.approx(1 / 3))
    assert isinstance(difference_model([0, 1], [0.0, 0.0], [1.0, 1.0]), Undefined)
    assert isinstance(difference_model([1, 1], [0.0, 0.0], [1.0, 1.0]).beta.se, Undefined)
    with pytest.raises(BadInput):
        difference_model([2], [0.0], [1.0])
    with pytest.raises(BadInput):
        difference_model([1, 1], [0.0], [1.0])


def test_balanced_directions_absorb_a_common_shift():
    """A shift common to all edits does not change beta when directions are balanced, and does when they are not."""
    rng = np.random.default_rng(3)
    before = rng.normal(size=40)
    balanced, one_way = np.tile([1, -1], 20), np.ones(40, dtype=int)
    for d, same in ((balanced, True), (one_way, False)):
        after = before + 0.5 * d + rng.normal(0, 0.1, 40)
        plain, shifted = (difference_model(d, before, after + s).beta.value for s in (0.0, 1.0))
        assert (abs(plain - shifted) < 1e-9) is same


def test_level_model_picks_cr2_below_fifty_clusters():
    """CR2 with Satterthwaite degrees of freedom below 50 prompts, CR1 from 50."""
    rng = np.random.default_rng(4)
    for n, kind in ((20, "cr2"), (60, "cr1")):
        z, d = rng.normal(size=n), rng.choice([-1, 1], n)
        found = level_model(d, z, z + rng.normal(0, 0.1, n), z + 0.5 * d + rng.normal(0, 0.1, n))
        assert found.kind == kind
        assert found.beta.value == pytest.approx(0.5, abs=0.1)
        assert found.clusters == n
    assert isinstance(level_model([0, 0, 0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]), Undefined)


def test_clustered_ols_against_statsmodels():
    """CR1 errors equal those of statsmodels' cluster covariance."""
    import statsmodels.api as sm

    rng = np.random.default_rng(5)
    clusters = np.repeat(np.arange(12), 5)
    x = np.column_stack([np.ones(60), rng.normal(size=60)])
    y = x @ [1.0, 0.5] + rng.normal(size=12)[clusters] + rng.normal(size=60)
    fit = sm.OLS(y, x).fit(cov_type="cluster", cov_kwds={"groups": clusters})
    found = clustered_ols(y, x, clusters.tolist())
    assert [c.se for c in found.coefficients] == pytest.approx(fit.bse.tolist(), rel=1e-10)


def test_ols_edges():
    """One cluster has no error; collinear regressors and unequal lengths are refused."""
    x = [[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]
    assert clustered_ols([1.0, 2.0, 4.0], x, ["a"] * 3).coefficients[1].se.reason == "one cluster"
    with pytest.raises(BadInput):
        clustered_ols([1.0, 2.0, 3.0], [[1.0, 1.0]] * 3, list("abc"))
    with pytest.raises(BadInput):
        clustered_ols([1.0, 2.0], x, list("ab"))
    with pytest.raises(BadInput):
        clustered_ols([1.0, 2.0, 4.0], x, list("abc"), kind="hc3")
    assert isinstance(
        two_way_se([1.0, 2.0, 4.0, 4.0], [[1.0, float(i > 1)] for i in range(4)], list("abab"), list("aabb"), which=1),
        Undefined | float,
    )


def test_free_text_is_not_an_option():
    """Sixty-one different answers are refused before they fill the memory."""
    with pytest.raises(BadInput, match="different answers"):
        answer_change(list(range(61)), list(range(61)), list(range(61)))
