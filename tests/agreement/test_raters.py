"""Raters by themselves: repeats, bias, drift, and leave-one-rater-out."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from judgekit.agreement.kappa import cohen_kappa
from judgekit.agreement.leave_one_out import leave_one_rater_out
from judgekit.agreement.multirater import krippendorff_alpha
from judgekit.agreement.raters import rater_bias, rater_drift, self_agreement
from judgekit.errors import BadInput, UsageProblem
from judgekit.records import Undefined

FIVE = [1, 2, 3, 4, 5]


def panel(n=120, people=3, seed=1, noise=0.7, generous=0.0):
    """A judge and people; the first person is more generous by some points."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(3, 1.1, n)
    grades = []
    for index in range(people + 1):
        own = latent + rng.normal(0, noise, n) + (generous if index == 1 else 0)
        grades.append(np.clip(np.rint(own), 1, 5).astype(int).tolist())
    return grades[0], {f"p{i}": scores for i, scores in enumerate(grades[1:])}


def test_self_agreement_on_repeats():
    """Kappa with oneself, share changed with its interval, and the mean shift from first to second."""
    first, second = [1, 2, 3, 4, 5, 3, None], [1, 2, 4, 4, 5, 4, 2]
    result = self_agreement(first, second, FIVE)
    assert result.kappa == cohen_kappa(first, second, FIVE, "quadratic")
    assert result.changed == pytest.approx(2 / 6)
    assert result.changed_interval.low < 2 / 6 < result.changed_interval.high
    assert result.shift.value == pytest.approx(2 / 6)
    assert result.shift.n == 6


def test_self_agreement_of_classes_and_of_nothing():
    """Classes have no shift; without repeats nothing is defined."""
    classes = self_agreement(["yes", "no"], ["yes", "yes"], ["yes", "no"], "none")
    assert isinstance(classes.shift.value, Undefined)
    assert classes.changed == 0.5
    nothing = self_agreement([None], [2], FIVE)
    for value in (nothing.changed, nothing.changed_interval, nothing.shift.value, nothing.kappa.kappa):
        assert isinstance(value, Undefined)


def test_a_generous_rater_is_seen():
    """A person half a point above the others has a bias whose interval excludes 0; words count by position."""
    _, people = panel(generous=0.8)
    generous, *rest = rater_bias(people, FIVE)
    assert generous.rater == "p0"
    assert generous.bias.interval.low > 0.3
    assert all(other.bias.value < 0 for other in rest)
    words = rater_bias({"a": ["cold", "warm"], "b": ["warm", "warm"]}, ["cold", "neutral", "warm"])
    assert [w.bias.value for w in words] == [-1, 1]


def test_bias_leaves_out_items_nobody_else_scored():
    """Only items with another rater count."""
    first, second = rater_bias({"a": [1, 2, 5, None], "b": [1, 1, None, 3]}, FIVE)
    assert first.bias.n == second.bias.n == 2
    assert first.bias.value == 0.5
    alone, _ = rater_bias({"a": [1, None], "b": [None, 2]}, FIVE)
    assert isinstance(alone.bias.value, Undefined)


def test_bias_without_variation_has_no_error():
    """All differences the same: the mean stands, the error does not exist."""
    bias = rater_bias({"a": [2, 3, 4], "b": [1, 2, 3]}, FIVE)[0].bias
    assert bias.value == 1
    assert isinstance(bias.interval, Undefined)


def test_drift_is_found_in_a_raters_own_order():
    """A rater who becomes stricter by a point per 100 labels; the order of the others does not matter."""
    rng = np.random.default_rng(2)
    n = 200
    latent, order = rng.normal(3, 0.8, n), rng.permutation(n) + 1
    drifting = latent + rng.normal(0, 0.3, n) + 0.5 - order / 100
    steady = latent + rng.normal(0, 0.3, n)
    scores = {name: np.clip(np.rint(x), 1, 5).astype(int).tolist() for name, x in (("d", drifting), ("s", steady))}
    found = rater_drift(scores, {"d": order.tolist(), "s": rng.permutation(n).tolist()}, FIVE)
    assert found[0].per_100.value == pytest.approx(-0.95, abs=0.15)
    assert found[0].per_100.interval.high < 0
    assert found[1].per_100.interval.low < 0 < found[1].per_100.interval.high


def test_drift_without_evidence():
    """Too few items, one place, or an exact line: no error is made up."""
    scores = {"a": [1, 2], "b": [1, 1]}
    assert isinstance(rater_drift(scores, {"a": [1, 2], "b": [1, 2]}, FIVE)[0].per_100.value, Undefined)
    exact = rater_drift({"a": [2, 3, 4], "b": [1, 1, 1]}, {"a": [1, 2, 3], "b": [1, None, 1]}, FIVE)
    assert exact[0].per_100.value == pytest.approx(100)
    assert isinstance(exact[0].per_100.se, Undefined)
    assert isinstance(exact[1].per_100.value, Undefined)


def test_raters_need_company_and_order():
    """One rater, unequal lengths, or a missing order are errors."""
    with pytest.raises(UsageProblem, match="two raters"):
        rater_bias({"a": [1]}, FIVE)
    with pytest.raises(BadInput, match="different numbers"):
        rater_bias({"a": [1], "b": [1, 2]}, FIVE)
    with pytest.raises(BadInput, match="no place"):
        rater_drift({"a": [1], "b": [1]}, {"a": [1]}, FIVE)
    with pytest.raises(UsageProblem, match="two people"):
        leave_one_rater_out({"a": [1]}, FIVE)
    with pytest.raises(BadInput, match="different numbers"):
        leave_one_rater_out({"a": [1], "b": [1, 2]}, FIVE)


def test_leave_one_out_is_a_mean_of_pair_kappas():
    """Judge's and people's agreement with each person, from single kappas."""
    judge, people = panel()
    result = leave_one_rater_out(people, FIVE, judge=judge)

    def kappa(x, y):
        return cohen_kappa(x, y, FIVE, "quadratic").kappa

    for person in result.persons:
        own = people[person.person]
        others = [kappa(own, scores) for name, scores in people.items() if name != person.person]
        assert person.people == pytest.approx(np.mean(others))
        assert person.judge == pytest.approx(kappa(judge, own))
        assert person.difference == pytest.approx(person.judge - person.people)
    assert result.difference == pytest.approx(result.judge - result.people)
    assert result.lower < result.difference
    assert result.interval.low < result.lower


def test_leave_one_out_error_matches_resampling():
    """The error of judge minus people is what resampling items gives."""
    judge, people = panel(n=150)
    result = leave_one_rater_out(people, FIVE, judge=judge)
    rng = np.random.default_rng(3)
    table = np.array([judge, *people.values()])
    drawn = []
    for _ in range(250):
        pick = table[:, rng.integers(150, size=150)].tolist()
        drawn.append(leave_one_rater_out(dict(zip(people, pick[1:], strict=True)), FIVE, judge=pick[0]).difference)
    assert np.std(drawn, ddof=1) == pytest.approx(result.se, rel=0.15)
    clustered = leave_one_rater_out(people, FIVE, judge=judge, clusters=[i // 10 for i in range(150)])
    assert clustered.units == 15
    assert clustered.difference == result.difference
    assert clustered.se != result.se


def test_a_poor_judge_is_below_the_people():
    """A judge that scores at random agrees less than people do; one like the people does not differ."""
    judge, people = panel(n=200)
    random = np.random.default_rng(9).integers(1, 6, 200).tolist()
    assert leave_one_rater_out(people, FIVE, judge=random).interval.high < -0.3
    equal = leave_one_rater_out(people, FIVE, judge=judge)
    assert equal.interval.low < 0 < equal.interval.high


def test_people_alone_show_who_stands_apart():
    """Without a judge, the odd one out has the lowest agreement and there is nothing to compare."""
    _, people = panel(people=4)
    people["p2"] = people["p2"][::-1]
    result = leave_one_rater_out(people, FIVE)
    assert min(result.persons, key=lambda p: p.people).person == "p2"
    assert result.judge is None
    assert result.difference is None
    assert result.lower is None


def test_leave_one_out_undefined_cases():
    """A constant judge, one cluster, or people without common items: undefined, never 0."""
    judge, people = panel(n=30)
    constant = leave_one_rater_out(people, FIVE, judge=[3] * 30)
    assert isinstance(constant.difference, Undefined)
    assert isinstance(constant.lower, Undefined)
    assert isinstance(constant.people, float)
    one = leave_one_rater_out(people, FIVE, judge=judge, clusters=["t"] * 30)
    assert isinstance(one.difference, float)
    assert isinstance(one.lower, Undefined)
    apart = leave_one_rater_out({"a": [1, 2, None, None], "b": [None, None, 3, 4]}, FIVE)
    assert isinstance(apart.people, Undefined)


@pytest.fixture(scope="module")
def sentiment():
    """Individual sentiment ratings from -4 to 4 (Hutto and Gilbert 2014)."""
    path = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "real" / "sentiment_ratings.jsonl"
    if not path.exists():
        pytest.skip("../shared/data/real/sentiment_ratings.jsonl is not there")
    return [json.loads(line)["ratings"] for line in path.read_text(encoding="utf-8").splitlines()]


def test_alpha_and_leave_one_out_on_real_sentiment_ratings(sentiment):
    """500 texts with 90 or more ratings each: alpha by its definition in plain Python, and every column left out once."""
    levels = list(range(-4, 5))
    result = krippendorff_alpha(sentiment, levels, "interval")
    assert result.units == 500
    flat = [x for unit in sentiment for x in unit]
    n, mean = len(flat), sum(flat) / len(flat)
    expected = 2 * sum((x - mean) ** 2 for x in flat) / (n - 1)
    observed = sum(2 * len(u) * sum((x - sum(u) / len(u)) ** 2 for x in u) / (len(u) - 1) for u in sentiment) / n
    assert result.value == pytest.approx(1 - observed / expected, abs=1e-12)
    width = min(len(unit) for unit in sentiment)
    columns = {f"r{i}": [unit[i] for unit in sentiment] for i in range(min(width, 12))}
    left_out = leave_one_rater_out(columns, levels)
    assert len(left_out.persons) == 12
    assert math.isclose(left_out.people, float(np.mean([p.people for p in left_out.persons])))
    assert 0.3 < left_out.people < 1


def test_pandalm_people_and_judges():
    """Real preferences: people among themselves; unusable verdicts of a judge are missing, not ties."""
    path = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "real" / "pandalm_pairs.jsonl"
    if not path.exists():
        pytest.skip("../shared/data/real/pandalm_pairs.jsonl is not there")
    pairs = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    verdict = {"0": "tie", "1": "a", "2": "b", "Tie": "tie"}
    people = {f"p{i}": [verdict[str(pair[f"annotator_{i}"])] for pair in pairs] for i in (1, 2, 3)}
    among = leave_one_rater_out(people, ["a", "b", "tie"], "none").people
    unusable = 0
    for judge in ("judge_gpt35", "judge_pandalm7b"):
        given = [verdict.get(str(pair[judge])) for pair in pairs]
        unusable += given.count(None)
        result = leave_one_rater_out(people, ["a", "b", "tie"], "none", judge=given)
        assert result.judge < among
        assert result.people == pytest.approx(among)
    assert unusable > 0
