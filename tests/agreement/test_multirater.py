"""Coefficients of several raters, intraclass correlation and area under the curve."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_of_counts

from judgekit.agreement.auc import roc_auc
from judgekit.agreement.icc import icc
from judgekit.agreement.kappa import cohen_kappa
from judgekit.agreement.multirater import fleiss_kappa, gwet_ac, krippendorff_alpha
from judgekit.errors import BadInput
from judgekit.records import Undefined

# Krippendorff K (2011), Computing Krippendorff's alpha-reliability, example C: four observers, twelve units
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [list(unit) for unit in zip(*OBSERVERS, strict=True)]
# Shrout PE, Fleiss JL (1979), table 2: four judges, six targets
TARGETS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


@pytest.mark.parametrize(
    ("measurement", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_of_the_method_paper(measurement, expected):
    """Krippendorff's own example gives his printed values for all four measurements."""
    result = krippendorff_alpha(UNITS, [1, 2, 3, 4, 5], measurement)
    assert result.value == pytest.approx(expected, abs=5e-4)
    assert (result.units, result.single, result.ratings) == (11, 1, 40)


def test_alpha_needs_numbers_for_distances():
    """Words have no interval, and numbers below 0 no ratio; unknown measurements are refused."""
    with pytest.raises(BadInput, match="no such distances"):
        krippendorff_alpha([["a", "b"]], ["a", "b"], "interval")
    with pytest.raises(BadInput, match="no such distances"):
        krippendorff_alpha([[-1, 1]], [-1, 0, 1], "ratio")
    with pytest.raises(BadInput, match="unknown measurement"):
        krippendorff_alpha(UNITS, [1, 2, 3, 4, 5], "cardinal")


@pytest.mark.parametrize("units", [[], [[1, None]], [[None, None]], [[2, 2], [2, 2]]])
def test_several_raters_without_variance_or_pairs(units):
    """Nothing rated twice, or one level only: alpha and Fleiss' kappa are undefined, with a reason."""
    for result in (krippendorff_alpha(units, [1, 2, 3]), fleiss_kappa(units, [1, 2, 3])):
        assert isinstance(result.value, Undefined)
        assert result.value.reason in {"no pairs", "no variance"}


def test_fleiss_kappa_of_complete_data():
    """Complete ratings give what statsmodels gives."""
    rng = np.random.default_rng(1)
    units = np.clip(rng.integers(1, 4, (40, 1)) + rng.integers(-1, 2, (40, 4)) * (rng.random((40, 4)) < 0.4), 1, 3)
    counts = np.stack([(units == level).sum(axis=1) for level in (1, 2, 3)], axis=1)
    assert fleiss_kappa(units.tolist(), [1, 2, 3]).value == pytest.approx(fleiss_of_counts(counts), abs=1e-12)


def test_two_raters_of_ac_match_the_pair_result():
    """AC1 and AC2 of a pair are the several-rater coefficients on the complete pairs."""
    a, b = [1, 2, 3, 4, 5, 3, 3, 2], [1, 3, 3, 4, 4, 3, 1, 2]
    units = [list(pair) for pair in zip(a, b, strict=True)]
    for weights in ("none", "linear", "quadratic"):
        single = cohen_kappa(a, b, [1, 2, 3, 4, 5], weights)
        assert gwet_ac(units, [1, 2, 3, 4, 5], weights).value == pytest.approx(single.ac2)
    assert gwet_ac(units, [1, 2, 3, 4, 5]).value == pytest.approx(single.ac1)


def test_ac_edge_cases():
    """One item has a value but no error; nothing has neither; agreement of everyone is 1 with error 0."""
    one = gwet_ac([[2, 2]], [1, 2])
    assert one.value == 1
    assert isinstance(one.se, Undefined)
    assert isinstance(gwet_ac([[1, None]], [1, 2]).value, Undefined)
    same = gwet_ac([[2, 2, 2]] * 8, [1, 2, 3], "quadratic")
    assert (same.value, same.se, same.interval.low, same.interval.high) == (1, 0, 1, 1)


def test_icc_of_the_method_paper():
    """Shrout and Fleiss' printed values, to their two decimals."""
    result = icc(TARGETS)
    printed = {"ICC1": 0.17, "ICC2": 0.29, "ICC3": 0.71, "ICC1k": 0.44, "ICC2k": 0.62, "ICC3k": 0.91}
    assert {form.name: round(form.value, 2) for form in result.forms} == printed
    assert (result.n, result.raters, result.dropped) == (6, 4, 0)


def test_icc_drops_and_counts_incomplete_items():
    """An item with a missing rating drops out; the rest is unchanged."""
    result = icc([*TARGETS, [5, None, 4, 4]])
    assert result.dropped == 1
    assert result.form("ICC2") == icc(TARGETS).form("ICC2")


@pytest.mark.parametrize("ratings", [[], [[1, 2]], [[1], [2]], [[3, 3], [3, 3]]])
def test_icc_without_variation(ratings):
    """Too few items or raters, or no variation at all: every form is undefined."""
    for form in icc(ratings).forms:
        assert isinstance(form.value, Undefined)
        assert isinstance(form.interval, Undefined)


def test_icc_of_raters_who_agree_perfectly():
    """Perfect agreement is 1 without an F interval."""
    form = icc([[1, 1], [2, 2], [4, 4]]).form("ICC2")
    assert form.value == 1
    assert isinstance(form.interval, Undefined)


def test_icc_refuses_ragged_rows_and_nan():
    """Rows of different length and nan are errors, an unknown form too."""
    with pytest.raises(BadInput, match="different numbers of raters"):
        icc([[1, 2], [1, 2, 3]])
    with pytest.raises(BadInput, match="finite number"):
        icc([[1, 2], [1, float("nan")]])
    with pytest.raises(KeyError):
        icc(TARGETS).form("ICC4")


def test_auc_matches_scikit_learn_and_its_error_the_simulation():
    """Area as scikit-learn, ties included; DeLong's error is the spread of areas over samples."""
    rng = np.random.default_rng(5)
    areas, errors = [], []
    for _ in range(120):
        label = (np.arange(80) % 2).tolist()
        score = np.round(rng.normal(size=80) + 0.8 * np.array(label), 1)
        result = roc_auc(label, score.tolist())
        assert result.auc == pytest.approx(roc_auc_score(label, score), abs=1e-12)
        areas.append(result.auc)
        errors.append(result.se)
    assert np.mean(errors) == pytest.approx(np.std(areas, ddof=1), rel=0.2)


def test_auc_edge_cases():
    """One class has no area; one case in a class has no error; equal scores are 0.5."""
    assert isinstance(roc_auc([1, 1], [0.2, 0.3]).auc, Undefined)
    single = roc_auc([0, 1, 1], [0.1, 0.2, 0.3])
    assert single.auc == 1
    assert isinstance(single.interval, Undefined)
    assert roc_auc([0, 1, 0, 1], [3, 3, 3, 3]).auc == 0.5


@pytest.mark.parametrize(
    ("labels", "scores", "message"),
    [
        ([0, 1], [1.0], "differ in number"),
        ([0, 2], [1.0, 2.0], "neither 0 nor 1"),
        ([0, 1], [1.0, float("nan")], "not a number"),
    ],
)
def test_auc_refuses_bad_input(labels, scores, message):
    """Lengths, labels and scores are checked."""
    with pytest.raises(BadInput, match=message):
        roc_auc(labels, scores)
