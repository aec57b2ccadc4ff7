"""A judge against several people: value, error, bound, and when there is none."""

import numpy as np
import pytest

from judgekit.agreement.bounds import one_sided, perfect_bound, two_sided
from judgekit.agreement.intervals import bootstrap_kappa, lower_bound
from judgekit.agreement.kappa import cohen_kappa
from judgekit.agreement.reference import reference_kappa
from judgekit.errors import BadInput, UsageProblem
from judgekit.records import Undefined

FIVE = [1, 2, 3, 4, 5]


def scored(n, people=3, seed=0, noise=0.7, per_template=1, template_bias=0.0):
    """A judge and people on 1 to 5; with templates, the judge has a bias of its own in each."""
    rng = np.random.default_rng(seed)
    template = np.arange(n) // per_template
    latent = rng.normal(3, 1.2, n)
    judge = latent + rng.normal(0, noise, n) + rng.normal(0, template_bias, n)[template]
    others = [latent + rng.normal(0, noise, n) for _ in range(people)]
    grade = [np.clip(np.rint(x), 1, 5).astype(int).tolist() for x in (judge, *others)]
    return grade[0], {f"p{i}": scores for i, scores in enumerate(grade[1:])}, [f"t{t}" for t in template]


def test_mean_is_the_mean_of_the_persons_kappas():
    """Value and n with missing labels; each person's own result beside it."""
    judge, people, _ = scored(80)
    people["p0"] = [None if i % 3 else score for i, score in enumerate(people["p0"])]
    result = reference_kappa(judge, people, FIVE)
    single = {name: cohen_kappa(judge, scores, FIVE, "quadratic") for name, scores in people.items()}
    assert result.value == pytest.approx(np.mean([s.kappa for s in single.values()]))
    assert {name: r.kappa for name, r in result.per_rater.items()} == {n: s.kappa for n, s in single.items()}
    assert (result.n, result.units, result.unit) == (80, 80, "items")


def test_one_person_is_cohens_kappa():
    """With one person, value, error, interval and bound are those of cohen_kappa."""
    judge, people, _ = scored(60, people=1)
    result, single = reference_kappa(judge, people, FIVE), cohen_kappa(judge, people["p0"], FIVE, "quadratic")
    assert (result.value, result.se, result.lower) == pytest.approx((single.kappa, single.se, single.lower))
    assert (result.interval.low, result.interval.high) == pytest.approx((single.interval.low, single.interval.high))
    assert lower_bound(judge, people["p0"], FIVE, "quadratic") == pytest.approx(single.lower)


def test_error_of_the_mean_matches_the_bootstrap():
    """The influence error of the mean over people, who share items, is what resampling items gives."""
    judge, people, _ = scored(150)
    result = reference_kappa(judge, people, FIVE)
    drawn = reference_kappa(judge, people, FIVE, method="bootstrap", draws=4000, seed=2)
    assert drawn.se == pytest.approx(result.se, rel=0.08)
    assert drawn.lower == pytest.approx(result.lower, abs=0.02)
    alone = np.mean([r.se for r in result.per_rater.values()])
    assert result.se < alone  # three people tell more than one
    assert result.se > alone / np.sqrt(3)  # but less than three independent samples


def test_clusters_widen_the_error_when_the_judge_differs_by_template():
    """A judge who is harsh in some templates: items of a template are no independent witnesses."""
    judge, people, templates = scored(240, per_template=20, template_bias=0.8)
    items = reference_kappa(judge, people, FIVE)
    clustered = reference_kappa(judge, people, FIVE, clusters=templates, method="large-sample")
    assert clustered.value == items.value
    assert clustered.se > 1.3 * items.se
    assert clustered.lower < items.lower
    assert (clustered.units, clustered.unit) == (12, "clusters")
    drawn = reference_kappa(judge, people, FIVE, clusters=templates, method="bootstrap", draws=3000, seed=1)
    assert drawn.se == pytest.approx(clustered.se, rel=0.2)
    auto = reference_kappa(judge, people, FIVE, clusters=templates, draws=3000, seed=1)
    assert auto == drawn
    assert auto.method == "bootstrap"
    assert items.method == "large-sample"


def test_clusters_of_one_item_are_items_up_to_degrees_of_freedom():
    """Each item its own cluster: the item error times sqrt(n / (n - 1))."""
    judge, people, _ = scored(50)
    items = reference_kappa(judge, people, FIVE)
    clustered = reference_kappa(judge, people, FIVE, clusters=list(range(50)), method="large-sample")
    assert clustered.se == pytest.approx(items.se * np.sqrt(50 / 49))


def test_each_person_must_pass():
    """Reference `each` takes the lowest kappa and the lowest bound."""
    judge, people, _ = scored(100)
    people["p2"] = people["p2"][::-1]
    result = reference_kappa(judge, people, FIVE, reference="each")
    singles = [cohen_kappa(judge, scores, FIVE, "quadratic") for scores in people.values()]
    assert result.value == pytest.approx(min(s.kappa for s in singles))
    assert result.lower == pytest.approx(min(s.lower for s in singles))
    drawn = reference_kappa(judge, people, FIVE, reference="each", method="bootstrap", draws=3000)
    assert drawn.lower == pytest.approx(result.lower, abs=0.03)


def test_adjudicated_is_one_label():
    """Adjudicated labels come alone."""
    judge, people, _ = scored(30)
    assert reference_kappa(judge, {"adjudicated": people["p0"]}, FIVE, reference="adjudicated").n == 30
    with pytest.raises(UsageProblem, match="one label an item"):
        reference_kappa(judge, people, FIVE, reference="adjudicated")


@pytest.mark.parametrize("reference", ["mean", "each"])
@pytest.mark.parametrize("method", ["large-sample", "transformed", "bootstrap"])
def test_a_constant_judge_has_no_bound(method, reference):
    """Always 3: value 0, bound undefined by every method, so a gate refuses."""
    _, people, _ = scored(40)
    result = reference_kappa([3] * 40, people, FIVE, method=method, reference=reference, draws=200)
    assert result.value == 0
    assert isinstance(result.lower, Undefined)


@pytest.mark.parametrize("method", ["large-sample", "transformed", "bootstrap"])
def test_a_person_without_common_items_makes_it_undefined(method):
    """Nobody is left out silently."""
    judge, people, _ = scored(40)
    people["p1"] = [None] * 40
    result = reference_kappa(judge, people, FIVE, method=method, draws=200)
    for value in (result.value, result.se, result.interval, result.lower):
        assert isinstance(value, Undefined)
    assert result.n == 40


@pytest.mark.parametrize("method", ["large-sample", "bootstrap"])
def test_perfect_agreement_uses_the_exact_bound(method):
    """With one person or several, a sample without disagreement leaves the room of the share of agreement."""
    judge = FIVE * 12
    alone = cohen_kappa(judge, judge, FIVE, "quadratic").lower
    result = reference_kappa(judge, {"a": judge, "b": judge}, FIVE, method=method, draws=200)
    assert (result.value, result.se) == (1, 0)
    assert result.lower == pytest.approx(alone)
    assert 0.9 < result.lower < 1
    mixed = reference_kappa(judge, {"a": judge, "b": [*judge[:-1], 4]}, FIVE, method=method, draws=200)
    assert mixed.lower < one_sided(mixed.value, mixed.se)


def test_perfect_agreement_in_few_templates_leaves_more_room():
    """Twelve templates are twelve witnesses, however many items they hold."""
    judge = FIVE * 12
    clustered = reference_kappa(judge, {"a": judge}, FIVE, clusters=[i // 5 for i in range(60)])
    assert clustered.lower < reference_kappa(judge, {"a": judge}, FIVE).lower


def test_one_cluster_has_no_error():
    """All items from one template: the value stands, its error does not exist."""
    judge, people, _ = scored(30)
    for method in ("large-sample", "bootstrap"):
        result = reference_kappa(judge, people, FIVE, clusters=["t"] * 30, method=method, draws=200)
        assert isinstance(result.value, float)
        assert isinstance(result.lower, Undefined)


def test_equal_weights_change_nothing_and_unequal_ones_do():
    """Sample weights reach value and error."""
    judge, people, _ = scored(90)
    plain = reference_kappa(judge, people, FIVE)
    same = reference_kappa(judge, people, FIVE, sample_weights=[3.0] * 90)
    other = reference_kappa(judge, people, FIVE, sample_weights=[1.0, 5.0, 20.0] * 30)
    assert (same.value, same.se, same.lower) == pytest.approx((plain.value, plain.se, plain.lower))
    assert other.se > 1.2 * plain.se
    drawn = reference_kappa(judge, people, FIVE, sample_weights=[1.0, 5.0, 20.0] * 30, method="bootstrap", draws=3000)
    assert drawn.value == other.value
    assert drawn.se == pytest.approx(other.se, rel=0.15)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reference": "median"}, "unknown reference"),
        ({"method": "guess"}, "unknown method"),
        ({"clusters": ["t"] * 29}, "one cluster an item"),
        ({"clusters": [None] * 30}, "has no cluster"),
        ({"method": "bootstrap", "draws": 0}, "needs draws"),
        ({"sample_weights": [0.0] * 30}, "positive"),
    ],
)
def test_impossible_options_are_refused(options, message):
    """Unknown names and impossible values say what is allowed."""
    judge, people, _ = scored(30)
    with pytest.raises(BadInput, match=message):
        reference_kappa(judge, people, FIVE, **options)


def test_lengths_and_people_are_checked():
    """Nobody to compare with, or lists of another length, are errors."""
    with pytest.raises(UsageProblem, match="no people"):
        reference_kappa([1, 2], {}, FIVE)
    with pytest.raises(BadInput, match="different numbers"):
        reference_kappa([1, 2], {"ana": [1]}, FIVE)


def test_transformed_bound_is_lower_and_bounded():
    """On Fisher's scale the bound stays above -1 and is more careful for a good judge."""
    judge, people, _ = scored(60, noise=0.4)
    plain = reference_kappa(judge, people, FIVE)
    careful = reference_kappa(judge, people, FIVE, method="transformed")
    assert careful.lower < plain.lower < plain.value
    assert careful.interval.high < 1
    assert one_sided(-0.9, 0.5, transformed=True) > -1


def test_two_sided_interval_holds_the_one_sided_bound():
    """The 90% interval starts at the one-sided 95% bound."""
    assert two_sided(0.7, 0.05, level=0.9).low == pytest.approx(one_sided(0.7, 0.05, level=0.95))
    assert two_sided(0.7, 0.05, df=11).high > two_sided(0.7, 0.05).high


def test_perfect_bound_is_exact():
    """At the bounding share, agreement on every item has chance 5%."""
    low = perfect_bound(np.diag([0.3, 0.7]), 40, level=0.95)
    share = 1 - (1 - low) * (1 - 0.58)
    assert share**40 == pytest.approx(0.05)


def test_bootstrap_of_items_matches_resampling_by_hand():
    """Multinomial draws of the table have the spread of resampled lists."""
    judge, people, _ = scored(60, people=1)
    a, b = np.array(judge), np.array(people["p0"])
    result = bootstrap_kappa(judge, people["p0"], FIVE, "quadratic", draws=4000, seed=3)
    rng = np.random.default_rng(4)
    by_hand = []
    for _ in range(1000):
        pick = rng.integers(60, size=60)
        by_hand.append(cohen_kappa(a[pick].tolist(), b[pick].tolist(), FIVE, "quadratic").kappa)
    assert result.interval.low == pytest.approx(np.quantile(by_hand, 0.025), abs=0.025)
    assert result.interval.high == pytest.approx(np.quantile(by_hand, 0.975), abs=0.015)
    assert (result.n, result.unit, result.units, result.undefined_draws) == (60, "items", 60, 0)


def test_bootstrap_says_when_draws_lose_kappa():
    """Rare levels: draws without variance are counted, and too many of them leave no interval."""
    a, b = [1] * 19 + [2], [1] * 18 + [2, 2]
    result = bootstrap_kappa(a, b, [1, 2], draws=2000)
    assert result.undefined_draws > 100
    assert isinstance(result.interval, Undefined)
    assert isinstance(lower_bound(a, b, [1, 2], method="bootstrap", draws=2000), Undefined)


@pytest.mark.parametrize(("a", "b"), [([], []), ([2], [2]), ([3] * 9, [3] * 9)])
def test_bootstrap_of_nothing(a, b):
    """What kappa does not have, its bootstrap does not have either."""
    result = bootstrap_kappa(a, b, FIVE, draws=50)
    assert isinstance(result.kappa, Undefined)
    assert isinstance(result.interval, Undefined)
    assert isinstance(result.lower, Undefined)
