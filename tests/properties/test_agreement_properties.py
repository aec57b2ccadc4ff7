"""What must hold for agreement whatever the scores."""

import math
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from judgekit.agreement.agree import agree
from judgekit.agreement.auc import roc_auc
from judgekit.agreement.intervals import bootstrap_kappa
from judgekit.agreement.kappa import cohen_kappa
from judgekit.agreement.multirater import fleiss_kappa, gwet_ac, krippendorff_alpha
from judgekit.agreement.reference import reference_kappa
from judgekit.records import Rating, Undefined

LEVELS = [1, 2, 3, 4, 5]
score = st.one_of(st.none(), st.sampled_from(LEVELS))
pairs = st.lists(st.tuples(score, score), max_size=40)
weights = st.sampled_from(["none", "linear", "quadratic"])
few = settings(max_examples=40, deadline=None)
units = st.lists(st.lists(score, min_size=3, max_size=3), max_size=25)


def same(a, b):
    """Equal numbers, or both undefined for the same reason."""
    if isinstance(a, Undefined) or isinstance(b, Undefined):
        return isinstance(a, Undefined) and isinstance(b, Undefined) and a.reason == b.reason
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def numbers(result):
    """Every statistic of a result that may be undefined."""
    return [getattr(result, name) for name in ("kappa", "se", "se0", "lower", "percent", "scott_pi", "ac1", "ac2")]


@few
@given(pairs, weights)
def test_values_are_in_range_and_never_nan(given_pairs, how):
    """A kappa is a number in [-1, 1] or undefined; its bound lies below it; counts add up."""
    a, b = [x for x, _ in given_pairs], [y for _, y in given_pairs]
    result = cohen_kappa(a, b, LEVELS, how)
    assert result.n + result.missing == len(a)
    assert sum(map(sum, result.table)) == result.n
    for value in numbers(result):
        assert isinstance(value, Undefined) or math.isfinite(value)
    if not isinstance(result.kappa, Undefined):
        assert -1 - 1e-9 <= result.kappa <= 1
        if not isinstance(result.lower, Undefined):
            assert result.lower <= result.kappa
            assert result.interval.low <= result.lower + 1e-12
            assert result.lower < 1


@few
@given(pairs, weights, st.randoms(use_true_random=False))
def test_order_and_roles_do_not_matter(given_pairs, how, rnd):
    """Items in another order, raters swapped, or the scale reversed: the same numbers."""
    a, b = [x for x, _ in given_pairs], [y for _, y in given_pairs]
    base = numbers(cohen_kappa(a, b, LEVELS, how))
    shuffled = list(given_pairs)
    rnd.shuffle(shuffled)
    for other in (
        cohen_kappa([x for x, _ in shuffled], [y for _, y in shuffled], LEVELS, how),
        cohen_kappa(b, a, LEVELS, how),
        cohen_kappa(a, b, LEVELS[::-1], how),
    ):
        assert all(same(x, y) for x, y in zip(base, numbers(other), strict=True))


@few
@given(pairs)
def test_classes_can_be_renamed(given_pairs):
    """Without weights the names and the order of levels do not matter."""
    a, b = [x for x, _ in given_pairs], [y for _, y in given_pairs]
    names = {1: "c", 2: "a", 3: "e", 4: "b", 5: "d", None: None}
    renamed = cohen_kappa([names[x] for x in a], [names[y] for y in b], ["a", "b", "c", "d", "e"])
    assert all(same(x, y) for x, y in zip(numbers(cohen_kappa(a, b, LEVELS)), numbers(renamed), strict=True))


@few
@given(pairs, weights)
def test_incomplete_pairs_only_count_as_missing(given_pairs, how):
    """Adding pairs with a missing side changes nothing but the number missing."""
    a, b = [x for x, _ in given_pairs], [y for _, y in given_pairs]
    base, more = cohen_kappa(a, b, LEVELS, how), cohen_kappa([*a, None, 3], [*b, 2, None], LEVELS, how)
    assert more.missing == base.missing + 2
    assert all(same(x, y) for x, y in zip(numbers(base), numbers(more), strict=True))


@few
@given(pairs, weights)
def test_twice_the_data_is_the_same_kappa_with_a_smaller_error(given_pairs, how):
    """Every item doubled: the same kappa, the error over the square root of two."""
    a, b = [x for x, _ in given_pairs], [y for _, y in given_pairs]
    base, double = cohen_kappa(a, b, LEVELS, how), cohen_kappa(a * 2, b * 2, LEVELS, how)
    assume(base.n > 1)
    assert same(base.kappa, double.kappa)
    if not isinstance(base.se, Undefined):
        assert same(base.se, double.se * math.sqrt(2))


@few
@given(pairs, weights)
def test_weights_of_one_level_apart_agree_for_two_levels(given_pairs, how):
    """With two levels all weights are the same thing."""
    a = [x and 1 + x % 2 for x, _ in given_pairs]
    b = [y and 1 + y % 2 for _, y in given_pairs]
    plain, weighted = cohen_kappa(a, b, [1, 2]), cohen_kappa(a, b, [1, 2], how)
    assert same(plain.kappa, weighted.kappa)
    assert same(plain.lower, weighted.lower)


@few
@given(pairs, weights, st.integers(0, 2**32 - 1))
def test_bootstrap_repeats_with_its_seed(given_pairs, how, seed):
    """The same seed gives the same digits, and an undefined kappa has no interval."""
    a, b = [x for x, _ in given_pairs], [y for _, y in given_pairs]
    one = bootstrap_kappa(a, b, LEVELS, how, draws=50, seed=seed)
    assert one == bootstrap_kappa(a, b, LEVELS, how, draws=50, seed=seed)
    if isinstance(one.kappa, Undefined):
        assert isinstance(one.interval, Undefined)
    elif not isinstance(one.interval, Undefined):
        assert -1 <= one.interval.low <= one.interval.high <= 1


@few
@given(st.lists(st.tuples(score, score, score), max_size=30), weights)
def test_people_in_another_order_are_the_same_reference(triples, how):
    """Naming people in another order, or relabelling clusters, changes nothing."""
    judge, ana, karim = ([t[i] for t in triples] for i in range(3))
    clusters = [f"t{i // 3}" for i in range(len(triples))]
    renamed = [f"x{i // 3 * 7}" for i in range(len(triples))]
    options = {"weights": how, "method": "large-sample"}
    one = reference_kappa(judge, {"a": ana, "k": karim}, LEVELS, clusters=clusters, **options)
    two = reference_kappa(judge, {"k": karim, "a": ana}, LEVELS, clusters=renamed, **options)
    assert same(one.value, two.value) or isinstance(one.value, Undefined)
    assert same(one.lower, two.lower) or isinstance(one.lower, Undefined)
    assert isinstance(one.lower, Undefined) == isinstance(two.lower, Undefined)


@few
@given(units, st.sampled_from(["nominal", "ordinal", "interval", "ratio"]), st.randoms(use_true_random=False))
def test_several_raters_are_exchangeable(given_units, measurement, rnd):
    """Shuffling the ratings within items, or the items, changes no coefficient of several raters."""
    shuffled = [rnd.sample(unit, len(unit)) for unit in rnd.sample(given_units, len(given_units))]
    for function in (
        lambda u: krippendorff_alpha(u, LEVELS, measurement),
        lambda u: fleiss_kappa(u, LEVELS),
        lambda u: gwet_ac(u, LEVELS, "quadratic"),
    ):
        one, two = function(given_units), function(shuffled)
        assert same(one.value, two.value)
        assert isinstance(one.value, Undefined) or one.value <= 1 + 1e-9


@few
@given(units, st.integers(1, 5), st.integers(-3, 3))
def test_interval_alpha_knows_no_unit(given_units, factor, shift):
    """Interval alpha is the same after a change of unit and origin of the levels."""
    moved = [[None if x is None else factor * x + shift for x in unit] for unit in given_units]
    one = krippendorff_alpha(given_units, LEVELS, "interval")
    two = krippendorff_alpha(moved, [factor * x + shift for x in LEVELS], "interval")
    assert same(one.value, two.value)


@few
@given(st.lists(st.tuples(st.booleans(), st.integers(-5, 5)), max_size=40))
def test_area_turns_over_with_the_labels(cases):
    """Swapping the classes, or the sign of the scores, turns an area a into 1 - a."""
    labels, scores = [x for x, _ in cases], [float(y) for _, y in cases]
    base = roc_auc(labels, scores)
    for other in (roc_auc([not x for x in labels], scores), roc_auc(labels, [-y for y in scores])):
        if isinstance(base.auc, Undefined):
            assert isinstance(other.auc, Undefined)
        else:
            assert other.auc == pytest.approx(1 - base.auc)


@few
@given(pairs.filter(bool), st.integers(0, 10**6))
def test_agree_ignores_row_order_and_strangers(given_pairs, seed):
    """Rows in another order and rows of annotators that are not named change no result."""
    ratings = [
        Rating(item=str(i), dimension="d", annotator=who, score=x)
        for i, pair in enumerate(given_pairs)
        for who, x in zip(("gpt", "ana"), pair, strict=True)
    ]
    strangers = [Rating(item="0", dimension="d", annotator="crowd", score=3.5)] * 2
    mixed = [*ratings, *strangers]
    random.Random(seed).shuffle(mixed)
    one, two = (agree(r, judge="gpt", humans=["ana"], levels=LEVELS, draws=20).pairs[0] for r in (ratings, mixed))
    assert (one.n, one.missing, one.table) == (two.n, two.missing, two.table)
    assert same(one.kappa, two.kappa)
    assert same(one.spearman, two.spearman)
