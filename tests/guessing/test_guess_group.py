"""The classifier that guesses the group: leaks are found, nothing is found where nothing is, templates stay apart."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import roc_auc_score

from judgekit.agreement.auc import roc_auc
from judgekit.errors import BadInput
from judgekit.guessing.areas import area, areas_by_template, mean_over_templates
from judgekit.guessing.features import LONGEST, text_features, weigh
from judgekit.guessing.guess import choose, guess_group
from judgekit.guessing.held_out import assign_folds, held_out_scores
from judgekit.records import Interval, Undefined


def test_a_planted_leak_is_found(design):
    """A word that one group's texts have in every template tells the group."""
    found = guess_group(*design(leak={"a": "madam"}))
    assert found.auc > 0.95
    assert found.interval.low > 0.9
    assert found.pooled_interval.low > 0.9
    assert found.verdict == "told apart"


def test_a_leak_in_a_third_of_the_texts_shows_weakly(design):
    """The warning's reason: the area stays far below 1 although a third of one group's texts name it."""
    aucs = [guess_group(*design(templates=30, leak={"a": "madam"}, share=1 / 3, seed=s)).auc for s in range(3)]
    assert min(aucs) > 0.5
    assert max(aucs) < 0.75


def test_without_a_leak_the_interval_reaches_one_half(design):
    """Over twelve designs without a leak at most two intervals miss 0.5, and the areas scatter around it."""
    found = [guess_group(*design(templates=12, per_cell=2, seed=s), seed=s, draws=2000) for s in range(12)]
    assert sum(not f.interval.low <= 0.5 <= f.interval.high for f in found) <= 2
    assert abs(np.mean([f.auc for f in found]) - 0.5) < 0.05


def marked(*, templates=14, per_cell=4):
    """Texts that tell their group inside a template by a word that no other template has."""
    rng = np.random.default_rng(5)
    texts, groups, units = [], [], []
    for t in range(templates):
        words = {group: "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), 9)) for group in "ab"}
        for n in range(per_cell):
            for group in "ab":
                texts.append(f"{words[group]} {words[group]} case {n}")
                groups.append(group)
                units.append(f"t{t}")
    return texts, groups, units


def test_whole_templates_are_held_out():
    """What tells the group inside one template only is of no use; mixing templates over folds would find it."""
    texts, groups, units = marked()
    found = guess_group(texts, groups, units)
    assert found.interval.low <= 0.5
    assert found.pooled_auc < 0.75
    # The control: as soon as texts of one template stand in several folds, the same texts are told apart.
    mixed = guess_group(texts, groups, [str(n) for n in range(len(texts))])
    assert mixed.pooled_auc > 0.95


@given(st.lists(st.integers(0, 7), min_size=2, max_size=60), st.integers(2, 9), st.integers(0, 99))
def test_texts_of_a_template_share_their_fold(units, folds, seed):
    """No template is in two folds, and the folds' numbers of templates differ by one at most."""
    templates = np.unique(np.array(units), return_inverse=True)[1]
    fold = assign_folds(templates, folds, seed)
    place = dict(zip(templates.tolist(), fold.tolist(), strict=True))
    assert all(place[t] == f for t, f in zip(templates.tolist(), fold.tolist(), strict=True))
    sizes = Counter(place.values())
    dealt = [sizes.get(n, 0) for n in range(min(folds, len(place)))]
    assert max(dealt) - min(dealt) <= 1


def test_nothing_is_learnt_from_what_is_held_out(design):
    """N-grams, their weights and all scales come from the training texts alone."""
    texts, _, _ = design(templates=4)
    train, test = np.arange(12), np.arange(12, 24)
    other = [*texts[:12], *("zebra [CUE] zebra" * (n + 1) for n in range(12))]
    first, _, kept = weigh(text_features(texts), train, test)
    second, _, kept_too = weigh(text_features(other), train, test)
    names, names_too = text_features(texts).names, text_features(other).names
    assert {names[k] for k in kept} == {names_too[k] for k in kept_too}
    order = np.argsort([names[k] for k in kept])
    order_too = np.argsort([names_too[k] for k in kept_too])
    assert np.allclose(first.toarray()[:, order], second.toarray()[:, order_too])


def test_templates_that_favour_a_group_are_no_leak():
    """Where templates differ in their shares of the groups only, the headline stays at one half."""
    rng = np.random.default_rng(2)
    texts, groups, units = [], [], []
    for t in range(20):
        topic = "warm garden" if t % 2 else "cold cellar"
        for n in range(10):
            texts.append(" ".join([topic, *rng.choice(list("vwxyz"), 4)]))
            groups.append("a" if (n < 8) == (t % 2 == 1) else "b")
            units.append(f"t{t}")
    found = guess_group(texts, groups, units)
    assert found.pooled_interval.low > 0.6
    assert found.interval.low <= 0.5


def test_equal_texts_are_guessed_at_exactly_one_half(design):
    """Copies that are the same after blinding tie exactly, and the interval says that nothing varied."""
    texts, groups, units = design(groups=("a",), per_cell=3)
    found = guess_group(texts * 2, [*groups, *["b"] * len(groups)], units * 2)
    assert found.auc == 0.5
    assert (found.interval.low, found.interval.high) == (0.5, 0.5)
    assert "degenerate" in found.interval.method
    assert found.verdict == "not told apart"


def test_several_groups(design):
    """With three groups, the one that leaks is told from the rest, the other two are not told from each other."""
    found = guess_group(*design(groups=("a", "b", "c"), leak={"c": "madam"}, templates=20))
    groups = {g.group: g for g in found.per_group}
    pairs = {(p.a, p.b): p for p in found.per_pair}
    assert groups["c"].auc > 0.95
    assert pairs["a", "c"].auc > 0.95
    assert pairs["b", "c"].auc > 0.95
    assert pairs["a", "b"].interval.low <= 0.5
    assert found.auc == pytest.approx(np.mean([p.auc for p in found.per_pair]), abs=1e-12)
    assert isinstance(found.pooled_interval, Undefined)
    assert 0.5 < found.pooled_auc < 1


def test_two_groups_are_one_pair(design):
    """For two groups the headline, the pair and both groups against the rest are the same area."""
    found = guess_group(*design(leak={"a": "madam"}, share=0.5))
    assert found.auc == pytest.approx(found.per_pair[0].auc)
    assert [g.auc for g in found.per_group] == pytest.approx([found.auc] * 2)


def test_the_same_seed_gives_the_same_digits(design):
    """Folds and resamples follow the seed; the order of the groups' names does not matter."""
    texts, groups, units = design(leak={"a": "madam"}, share=0.3)
    first = guess_group(texts, groups, units, seed=4)
    assert guess_group(texts, groups, units, seed=4) == first
    swapped = guess_group(texts, [{"a": "z", "b": "b"}[g] for g in groups], units, seed=4)
    assert swapped.auc == pytest.approx(first.auc, abs=0.01)
    assert guess_group(texts, groups, units, seed=5).auc != first.auc


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"groups": ("a",)}, "one group"),
        ({"templates": 1, "per_cell": 20}, "one template"),
        ({"templates": 2, "per_cell": 2}, "too few texts"),
    ],
)
def test_what_cannot_be_guessed_is_undefined(design, change, reason):
    """One group, one template, too few texts: no number, and the reason."""
    found = guess_group(*design(**change))
    for value in (found.auc, found.interval, found.pooled_auc, found.pooled_interval):
        assert isinstance(value, Undefined)
        assert value.reason == reason
    assert found.verdict == "undefined"


def test_nothing_at_all_is_undefined():
    """No text is no error: a file may hold withheld texts only."""
    assert guess_group([], [], []).auc == Undefined("one group", "nothing to tell apart")


def test_four_templates_have_an_area_without_interval(design):
    """Resampling four templates says nothing: the interval is undefined, and so is the verdict."""
    found = guess_group(*design(templates=4, per_cell=5, leak={"a": "madam"}))
    assert found.auc > 0.75
    assert isinstance(found.interval, Undefined)
    assert found.interval.reason == "too few templates"
    assert found.verdict == "undefined"


def test_templates_with_one_group_each(design):
    """When template and group are the same thing nothing is compared inside templates, only pooled."""
    texts, groups, _ = design(leak={"a": "madam"})
    units = [f"{group}{n % 8}" for n, group in enumerate(groups)]
    found = guess_group(texts, groups, units)
    assert isinstance(found.auc, Undefined)
    assert found.auc.reason == "too few templates"
    assert found.pooled_auc > 0.95
    assert found.n == len(texts)


def test_texts_without_any_feature(design):
    """Empty texts are guessed at one half, without an error."""
    _, groups, units = design()
    found = guess_group([""] * len(groups), groups, units)
    assert found.auc == 0.5


def test_every_text_is_counted(design):
    """In = used + left out, whatever is missing; small groups and one-sided templates are named."""
    texts, groups, units = design(templates=10, per_cell=2)
    groups = [None if n == 0 else "tiny" if n in {3, 7} else g for n, g in enumerate(groups)]
    units = [None if n == 5 else u for n, u in enumerate(units)]
    texts, groups, units = [*texts, "alone"], [*groups, "a"], [*units, "t99"]
    found = guess_group(texts, groups, units)
    # The lost b's of t00 and t01 leave both templates two-sided.
    assert found.left_out == {"no group": 1, "no template": 1, "small group": 2, "one group in its template": 1}
    assert found.n + sum(found.left_out.values()) == len(texts)
    assert sum(found.groups.values()) == found.n


def test_long_texts_are_cut_and_counted(design):
    """A text of a megabyte is looked at in its beginning only, and the result says so."""
    texts, groups, units = design(templates=6, leak={"a": "madam"})
    texts[0] = "x" * 1_000_000
    found = guess_group(texts, groups, units)
    assert found.cut == 1
    assert text_features(["y" * (LONGEST + 5), "y" * LONGEST]).extra[:, 0].tolist() == [np.log1p(LONGEST)] * 2


@pytest.mark.parametrize(
    ("arguments", "options", "named"),
    [
        ((["x"], ["a", "b"], ["t", "t"]), {}, "texts and groups"),
        ((["x", "y"], ["a", "b"], ["t"]), {}, "groups and templates"),
        (([], [], []), {"folds": 1}, "held out"),
        (([], [], []), {"level": 95}, "level"),
    ],
)
def test_wrong_calls_are_refused(arguments, options, named):
    """Lengths, folds and level are checked before anything is computed."""
    with pytest.raises(BadInput, match=named):
        guess_group(*arguments, **options)


def test_a_column_of_ids_is_refused():
    """More than twenty groups are no attribute."""
    groups = [f"g{n % 21:02d}" for n in range(21 * 20)]
    with pytest.raises(BadInput, match="too many groups"):
        choose(groups, [f"t{n // 42}" for n in range(len(groups))])


def test_a_group_that_the_training_templates_lack(design):
    """Where a group's templates all fall into one fold its scores do not exist, and are not guessed at one half."""
    texts, groups, units = design(templates=6, per_cell=6, groups=("a", "b"))
    rare = [*groups]
    for n, unit in enumerate(units):
        if unit in {"t00", "t01"} and groups[n] == "b":
            rare[n] = "c"
    codes = np.unique(rare, return_inverse=True)[1]
    templates = np.unique(units, return_inverse=True)[1]
    seed = next(
        s for s in range(99) if assign_folds(np.array([0, 1, 2, 3, 4, 5]), 2, s)[:2].tolist() in ([0, 0], [1, 1])
    )
    scores = held_out_scores(texts, codes, templates, folds=2, seed=seed)
    inside = np.isin(templates, [0, 1])
    assert np.isnan(scores[inside, 2]).all()
    assert not np.isnan(scores[:, 0]).any()
    found = guess_group(texts, rare, units, folds=2, seed=seed)
    pairs = {(p.a, p.b): p.auc for p in found.per_pair}
    assert isinstance(pairs["a", "c"], Undefined)
    assert isinstance(pairs["a", "b"], float)


@given(
    st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=40).filter(
        lambda rows: len({own for own, _ in rows}) == 2
    )
)
def test_the_area_is_that_of_other_software(rows):
    """With ties, the area equals scikit-learn's and that of `roc_auc`."""
    own, scores = np.array([o for o, _ in rows]), np.array([float(s) for _, s in rows])
    mine = area(scores[own], scores[~own])
    assert mine == pytest.approx(roc_auc_score(own, scores), abs=1e-12)
    assert mine == pytest.approx(roc_auc(own.tolist(), scores.tolist()).auc, abs=1e-12)


def test_pairs_are_hand_and_tills():
    """Three groups in one template: scikit-learn's one-vs-one mean (1.9.1), which is Hand and Till's M."""
    rng = np.random.default_rng(3)
    shares, groups = rng.dirichlet([1, 1, 1], 60), np.arange(60) % 3
    of_pairs, _ = areas_by_template(shares, groups, np.zeros(60, dtype=np.int64))
    assert of_pairs.mean() == pytest.approx(roc_auc_score(groups, shares, multi_class="ovo"), abs=1e-12)


def test_the_interval_is_a_t_interval_times_root_two_for_even_values():
    """12 templates without skew: expanded percentiles come near the t interval (scipy), and are widened by root two."""
    values = stats.norm.ppf((np.arange(12) + 0.5) / 12) * 0.05 + 0.6
    _, interval, n = mean_over_templates(values, level=0.95, draws=40_000, seed=1)
    half = stats.t.isf(0.025, 11) * stats.sem(values)
    assert n == 12
    assert 0.6 - interval.low == pytest.approx(2**0.5 * half, rel=0.05)
    assert interval.high - 0.6 == pytest.approx(2**0.5 * half, rel=0.05)


@pytest.mark.slow
def test_without_a_leak_false_alarms_stay_near_their_level(design):
    """Of 150 designs without a leak the interval lies above 0.5 in at most 6% (nominal 2.5%)."""
    found = [guess_group(*design(templates=20, per_cell=2, seed=s), seed=s, draws=1000) for s in range(150)]
    assert np.mean([f.interval.low > 0.5 for f in found]) <= 0.06


@given(st.lists(st.floats(0, 1), min_size=5, max_size=12))
def test_the_interval_holds_the_mean_and_stays_in_range(values):
    """Whatever the areas are, 0 <= low <= mean <= high <= 1."""
    mean, interval, _ = mean_over_templates(np.array(values), level=0.9, draws=200, seed=0)
    assert isinstance(interval, Interval)
    assert 0 <= interval.low <= mean <= interval.high <= 1
