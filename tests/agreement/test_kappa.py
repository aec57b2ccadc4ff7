"""Cohen's kappa: values, errors, and every case in which it does not exist."""

import math

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from judgekit.agreement.kappa import cohen_kappa, kappa_from_table
from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined

FIVE = [1, 2, 3, 4, 5]


def raters(n=200, seed=3, noise=0.8):
    """Two raters on 1 to 5 who often agree."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(3, 1.2, n)
    return [np.clip(np.rint(latent + rng.normal(0, noise, n)), 1, 5).astype(int).tolist() for _ in range(2)]


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_value_and_errors_match_two_libraries(weights):
    """Value as scikit-learn, standard errors as statsmodels, on the same declared levels."""
    a, b = raters()
    result = cohen_kappa(a, b, FIVE, weights)
    assert result.kappa == pytest.approx(
        cohen_kappa_score(a, b, labels=FIVE, weights=None if weights == "none" else weights), abs=1e-12
    )
    power = {"none": None, "linear": 1, "quadratic": 2}[weights]
    steps = None if power is None else np.abs(np.subtract.outer(range(5), range(5))) ** power
    other = cohens_kappa(np.array(result.table), weights=steps)
    assert result.se == pytest.approx(other.std_kappa, abs=1e-12)
    assert result.se0 == pytest.approx(other.std_kappa0, abs=1e-12)


def test_levels_are_declared_not_found():
    """A scale read off the data would turn 2 and 5 into neighbours (0.5); the declared scale gives 0.490."""
    # scikit-learn pull request 31175; value by hand on the five declared positions
    a, b = [1, 1, 2, 5, 5, 2, 1, 5], [1, 2, 2, 5, 5, 5, 1, 1]
    assert cohen_kappa(a, b, FIVE, "quadratic").kappa == pytest.approx(0.4901960784313726, abs=1e-12)


def test_words_keep_their_declared_order():
    """Levels that are words are placed as declared, not by the alphabet."""
    a = ["poor", "fair", "good", "very good", "very good", "good", "fair", "poor", "fair", "good"]
    b = ["poor", "fair", "very good", "very good", "good", "good", "poor", "poor", "fair", "very good"]
    levels = ["poor", "fair", "good", "very good"]
    assert cohen_kappa(a, b, levels, "quadratic").kappa == pytest.approx(0.84, abs=1e-12)
    assert cohen_kappa(a, b, levels[::-1], "quadratic").kappa == pytest.approx(0.84, abs=1e-12)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ([4] * 6, [4] * 6, "no variance"),
        ([2], [2], "one pair"),
        ([2], [4], "one pair"),
        ([], [], "no pairs"),
        ([1, None, 2], [None, 3, None], "no pairs"),
    ],
)
def test_undefined_is_never_a_number(a, b, reason, weights):
    """Nothing to compare, or no variance: value, errors, interval and bound are all undefined, with the reason."""
    result = cohen_kappa(a, b, FIVE, weights)
    for value in (result.kappa, result.se, result.se0, result.interval, result.lower):
        assert isinstance(value, Undefined)
        assert value.reason == reason
        assert not value


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_one_constant_rater(weights):
    """A rater who always says 4 has kappa exactly 0 and no bound that a gate could pass."""
    result = cohen_kappa([4] * 30, [2, 3, 5, 2, 5, 1, 5, 1, 2, 5] * 3, FIVE, weights)
    assert result.kappa == 0
    assert isinstance(result.se, Undefined)
    assert isinstance(result.lower, Undefined)
    assert isinstance(result.interval, Undefined)


def test_both_constant_but_different():
    """Total disagreement of two constant raters is 0, known exactly."""
    result = cohen_kappa([2] * 30, [4] * 30, FIVE, "quadratic")
    assert (result.kappa, result.se, result.lower) == (0, 0, 0)
    assert isinstance(result.se0, Undefined)


@pytest.mark.parametrize("n", [5, 20, 50, 200])
def test_perfect_agreement_leaves_room(n):
    """No disagreement seen is no proof: the bound is that of the share of agreement, and grows with n."""
    scores = (FIVE * n)[:n]
    result = cohen_kappa(scores, scores, FIVE, "quadratic")
    assert (result.kappa, result.se) == (1, 0)
    share = 0.05 ** (1 / n)  # n agreements in n have chance 0.05 at this share
    chance = sum((scores.count(level) / n) ** 2 for level in FIVE)
    assert result.lower == pytest.approx((share - chance) / (1 - chance), abs=1e-12)
    assert isinstance(result.interval, Interval)
    assert result.interval.low < result.lower < result.interval.high == 1


def test_missing_sides_drop_and_are_counted():
    """None and nan are missing; the pair drops out and is counted."""
    result = cohen_kappa([1, None, 3, 4, math.nan], [1, 2, None, 3, 2], FIVE)
    assert (result.n, result.missing) == (2, 3)
    assert sum(map(sum, result.table)) == 2


def test_numbers_that_are_a_level_count_as_it():
    """3.0 and "3" are level 3."""
    assert cohen_kappa([3.0, "1", 2], [3, 1, 1.0], [1, 2, 3]).table == ((1, 0, 0), (1, 0, 0), (0, 0, 1))


@pytest.mark.parametrize(
    ("a", "levels", "weights", "message"),
    [
        ([1, 3.5], FIVE, "none", "not one of the declared levels"),
        ([1, 6], FIVE, "none", "not one of the declared levels"),
        ([1, "\x1b[2Jwarm"], FIVE, "none", "not one of the declared levels"),
        ([1, 10**400], FIVE, "none", "not one of the declared levels"),
        ([1, "\ud800"], FIVE, "none", "not one of the declared levels"),
        ([1, "nan"], FIVE, "none", "not one of the declared levels"),
        ([1, math.inf], FIVE, "none", "not one of the declared levels"),
        ([1, 1], [1], "none", "two levels or more"),
        ([1, 1], [1, 2, 2.0], "none", "declared twice"),
        ([1, 1], [1, 3, 2], "quadratic", "out of order"),
        ([1, 1], FIVE, "cubic", "unknown weights"),
        ([1, 1, 1], FIVE, "none", "different numbers of scores"),
    ],
)
def test_bad_input_is_refused(a, levels, weights, message):
    """Off-scale scores and impossible scales are errors that print safely."""
    with pytest.raises(BadInput, match=message) as caught:
        cohen_kappa(a, [1, 1], levels, weights)
    assert "\x1b" not in str(caught.value)


def test_level_must_be_a_share():
    """95 instead of 0.95 is an error."""
    with pytest.raises(BadInput, match="between 0 and 1"):
        cohen_kappa([1, 2], [1, 2], FIVE, level=95)


def test_equal_sample_weights_change_nothing():
    """Weights that are all the same give the unweighted numbers."""
    a, b = raters(60)
    plain, weighted = cohen_kappa(a, b, FIVE, "linear"), cohen_kappa(a, b, FIVE, "linear", sample_weights=[2.5] * 60)
    for name in ("kappa", "se", "se0", "lower", "percent", "scott_pi", "ac1", "ac2"):
        assert getattr(weighted, name) == pytest.approx(getattr(plain, name), abs=1e-12)


def test_sample_weights_undo_unequal_inclusion():
    """Items drawn with known probabilities and weighted by their inverse give the kappa of all items, on average."""
    rng = np.random.default_rng(8)
    a, b = (np.array(x) for x in raters(4000, seed=9))
    chance = np.where(np.abs(a - b) > 0, 0.25, 0.05)  # disagreements are drawn five times as often
    truth = cohen_kappa(a.tolist(), b.tolist(), FIVE, "quadratic").kappa
    naive, corrected, errors = [], [], []
    for _ in range(60):
        keep = rng.random(4000) < chance
        x, y = a[keep].tolist(), b[keep].tolist()
        naive.append(cohen_kappa(x, y, FIVE, "quadratic").kappa)
        result = cohen_kappa(x, y, FIVE, "quadratic", sample_weights=(1 / chance[keep]).tolist())
        corrected.append(result.kappa)
        errors.append(result.se)
    assert np.mean(naive) < truth - 0.1
    assert np.mean(corrected) == pytest.approx(truth, abs=0.01)
    assert np.mean(errors) == pytest.approx(np.std(corrected, ddof=1), rel=0.3)


@pytest.mark.parametrize("bad", [[1, 0], [1, -1], [1, math.nan], [1]])
def test_sample_weights_must_be_positive(bad):
    """Zero, negative, missing or too few weights are errors."""
    with pytest.raises(BadInput, match="sample weight"):
        cohen_kappa([1, 2], [1, 2], FIVE, sample_weights=bad)


def test_two_level_indices():
    """Prevalence and bias indices explain a paradoxical table; they do not exist for five levels."""
    # Byrt, Bishop and Carlin (1993), J Clin Epidemiol 46: prevalence (a-d)/n, bias (b-c)/n, PABAK 2p-1
    result = kappa_from_table(np.array([[40, 9], [6, 45]]), ["yes", "no"])
    assert result.prevalence_index == pytest.approx(-0.05)
    assert result.bias_index == pytest.approx(0.03)
    assert result.pabak == pytest.approx(0.70)
    assert isinstance(cohen_kappa(FIVE, FIVE, FIVE).pabak, Undefined)


def test_interval_is_not_clipped():
    """The large-sample interval may pass 1; clipping is for display."""
    result = cohen_kappa([3, 3, 2, 3, 1, 3, 3, 1, 1, 3], [3, 3, 2, 3, 2, 3, 3, 1, 1, 3], [1, 2, 3])
    assert result.interval.high > 1


def test_result_prints_and_tabulates():
    """A result reads as text, plain values and a table row."""
    result = cohen_kappa(*raters(30), FIVE, "quadratic")
    assert "kappa" in str(result)
    assert result.to_dict()["n"] == 30
    assert result.to_frame().loc[0, "kappa"] == result.kappa


def test_marginals_are_shares_of_complete_pairs():
    """Rows for a, columns for b."""
    result = cohen_kappa([1, 1, 2, None], [1, 2, 2, 2], [1, 2])
    assert result.marginals == ((2 / 3, 1 / 3), (1 / 3, 2 / 3))
    assert cohen_kappa([], [], [1, 2]).marginals == ((), ())
