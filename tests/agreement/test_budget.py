"""How many labels decide, and planned looks."""

import math

import numpy as np
import pytest
from scipy import stats

from judgekit.agreement.bounds import one_sided
from judgekit.agreement.budget import more_labels, planned_looks
from judgekit.errors import BadInput
from judgekit.records import Undefined


@pytest.mark.parametrize("kappa", [0.65, 0.72, 0.8, 0.3, 0.55])
def test_so_many_labels_decide_and_one_fewer_does_not(kappa):
    """At n + more the bound reaches the threshold (or the upper bound falls below it); at one item fewer it does not."""
    n, se, threshold = 80, 0.08, 0.60
    more = more_labels(kappa, n, threshold, se=se)

    def decided(size):
        error = se * math.sqrt(n / size)
        if kappa > threshold:
            return one_sided(kappa, error) >= threshold - 1e-9
        return -one_sided(-kappa, error) <= threshold + 1e-9

    assert decided(n + more)
    assert more == 0 or not decided(n + more - 1)


def test_nothing_more_is_needed_when_it_is_decided():
    """0 means decided already, for or against."""
    assert more_labels(0.9, 200, 0.6, se=0.03) == 0
    assert more_labels(0.1, 200, 0.6, se=0.05) == 0


@pytest.mark.parametrize(
    ("kappa", "se"), [(0.6, 0.1), (0.6001, 0.1), (Undefined("no pairs"), 0.1), (0.7, Undefined("one rater constant"))]
)
def test_no_number_of_labels_decides(kappa, se):
    """On the threshold, next to it, or undefined: no promise is made."""
    assert more_labels(kappa, 50, 0.6, se=se) is None


def test_without_an_error_two_balanced_classes_are_assumed():
    """The default error is that of two balanced classes."""
    assert more_labels(0.72, 50, 0.6) == more_labels(0.72, 50, 0.6, se=math.sqrt((1 - 0.72**2) / 50))


@pytest.mark.parametrize(("n", "level"), [(0, 0.95), (10, 95)])
def test_impossible_questions(n, level):
    """No items, or a level that is no share."""
    with pytest.raises(BadInput):
        more_labels(0.7, n, 0.6, level=level)


@pytest.mark.parametrize("spending", ["obrien-fleming", "pocock"])
@pytest.mark.parametrize("sizes", [[50, 100, 150], [50, 100, 200], [40, 160]])
def test_boundaries_spend_what_they_say(sizes, spending):
    """Crossing chances by scipy's multivariate normal distribution, another algorithm, are the alpha spent."""
    plan = planned_looks(sizes, level=0.975, spending=spending)
    times = np.array([look.fraction for look in plan.looks])
    together = np.sqrt(np.minimum.outer(times, times) / np.maximum.outer(times, times))
    for i, look in enumerate(plan.looks, start=1):
        inside = stats.multivariate_normal(np.zeros(i), together[:i, :i]).cdf([x.z for x in plan.looks[:i]])
        assert 1 - inside == pytest.approx(look.spent, abs=2e-5)
    assert plan.looks[-1].spent == pytest.approx(0.025)
    assert plan.at(sizes[1]) == plan.looks[1]
    assert plan.at(75) is None


def test_a_single_look_is_the_plain_bound():
    """One look spends everything."""
    (look,) = planned_looks([200]).looks
    assert look.level == pytest.approx(0.95)
    assert look.z == pytest.approx(stats.norm.ppf(0.95))


@pytest.mark.parametrize("spending", ["obrien-fleming", "pocock"])
def test_looking_as_planned_keeps_alpha(spending):
    """Simulated looks at a judge exactly on the threshold: 5% pass at any look, against 11% with the plain bound."""
    sizes = [50, 100, 200, 400]
    rng = np.random.default_rng(12)
    sums = np.cumsum(rng.normal(size=(40_000, 4)) * np.sqrt(np.diff([0, *sizes])), axis=1) / np.sqrt(sizes)
    plan = planned_looks(sizes, spending=spending)
    planned = (sums >= [look.z for look in plan.looks]).any(axis=1).mean()
    careless = (sums >= stats.norm.ppf(0.95)).any(axis=1).mean()
    assert planned == pytest.approx(0.05, abs=0.005)
    assert careless > 0.10


def test_very_early_looks_spend_nothing():
    """A look at 1% of the labels gets a level that cannot be reached, not a failure."""
    plan = planned_looks([2, 200])
    assert plan.looks[0].level > 1 - 1e-9
    assert plan.looks[1].level == pytest.approx(0.95, abs=1e-3)


@pytest.mark.parametrize(
    ("sizes", "options"), [([], {}), ([0, 5], {}), ([50, 50], {}), ([100, 50], {}), ([50], {"spending": "all"})]
)
def test_impossible_plans(sizes, options):
    """Looks must rise."""
    with pytest.raises(BadInput):
        planned_looks(sizes, **options)
