"""P(yes), BBQ scores, token change, and the random draws behind everything."""

from __future__ import annotations

import math

import numpy as np
import pytest

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics.bbq import BbqAnswer, bbq_scores
from judgekit.statistics.draws import packed_bits, resampled_moments, resampled_sums, sums_of_bits
from judgekit.statistics.token_change import detection_check, matched_change, token_change, token_change_sweep
from judgekit.statistics.yes_no import logit_gap, option_shares, p_yes


def test_only_whole_tokens_count():
    """``Yes,`` and ``Nope`` are neither yes nor no; case and spaces do not matter."""
    found = p_yes({" YES": math.log(0.4), "Yes,": math.log(0.3), "\nno": math.log(0.1), "Nope": math.log(0.1)})
    assert found.p_yes == pytest.approx(0.8)
    assert found.logit == pytest.approx(math.log(4))


def test_one_answer_listed_gives_a_bound():
    """Only yes listed: an infinite logit with the bound that the unlisted mass allows."""
    found = p_yes({"yes": math.log(0.9), "maybe": math.log(0.08)})
    assert found.logit == math.inf
    assert found.logit_bound == pytest.approx(math.log(0.9 / 0.02))
    assert p_yes({"no": math.log(0.9), "x": math.log(0.08)}).logit_bound == pytest.approx(-math.log(0.9 / 0.02))
    assert isinstance(p_yes({"yes": 0.0}).logit_bound, Undefined)


def test_neither_listed():
    """Neither answer listed: undefined, not one half."""
    found = p_yes({"maybe": -0.2})
    assert isinstance(found.p_yes, Undefined)
    assert isinstance(found.logit, Undefined)


@pytest.mark.parametrize("bad", [{"yes": 0.5}, {"yes": math.nan}])
def test_impossible_log_probabilities(bad):
    """A log probability above 0 or nan is refused; options must differ."""
    with pytest.raises(BadInput):
        p_yes(bad)
    with pytest.raises(BadInput):
        option_shares({"a": -1.0}, ["a", "A "])


def test_logit_gap_never_clips():
    """An infinite cell makes the gap undefined unless bounds are asked for; they are counted."""
    plain = p_yes({"yes": math.log(0.6), "no": math.log(0.3)})
    lone = p_yes({"yes": math.log(0.9), "maybe": math.log(0.05)})
    none = p_yes({"maybe": -0.1})
    assert logit_gap([plain, none], [plain]).value == 0.0
    assert logit_gap([plain, none], [plain]).undefined == 1
    assert logit_gap([lone], [plain]).value.reason == "infinite logit"
    bounded = logit_gap([lone], [plain], use_bounds=True)
    assert bounded.value == pytest.approx(math.log(0.9 / 0.05) - math.log(2))
    assert (bounded.infinite, bounded.bounded) == (1, 1)
    assert isinstance(logit_gap([], [plain]).value, Undefined)


def answer(context="ambig", said="target", polarity="neg", correct=False):
    """One BBQ answer."""
    return BbqAnswer(context=context, answer=said, polarity=polarity, correct=correct)


def test_bbq_by_hand():
    """Three biased of four named answers, one unknown: s = 0.5; accuracy 0.2 shrinks it to 0.4."""
    rows = [
        answer(),
        answer(said="non_target", polarity="nonneg"),
        answer(),
        answer(said="non_target"),
        answer(said="unknown", correct=True),
    ]
    found = bbq_scores(rows)
    assert (found.ambig.n, found.ambig.non_unknown, found.ambig.biased) == (5, 4, 3)
    assert found.ambig.s_raw == pytest.approx(0.5)
    assert found.s_amb == pytest.approx(0.4)
    assert isinstance(found.s_dis, Undefined)


def test_bbq_always_unknown():
    """Always unknown is no bias score of 0."""
    assert bbq_scores([answer(said="unknown", correct=True)] * 3).s_amb.reason == "always unknown"
    with pytest.raises(BadInput):
        bbq_scores([answer(said="cannot tell")])


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [
        ("a b c", "a c", 1),
        ("a b c", "c b a", 2),
        ("", "a b", 2),
        ("a b", "", 2),
        ("hello, world", "hello world", 1),
        ("él está aquí", "ella está aquí", 1),
        ("x y z w", "y z w x", 2),
    ],
)
def test_token_distance(first, second, distance):
    """Edit distances by hand; signs are tokens; the empty original has no share."""
    found = token_change(first, second)
    assert found.distance == distance
    assert isinstance(found.share, Undefined) is (first == "")


def test_token_distance_against_a_plain_table():
    """The vectorised distance equals the textbook recurrence."""
    rng = np.random.default_rng(0)
    for _ in range(30):
        a, b = (rng.choice(list("abcd"), rng.integers(1, 12)).tolist() for _ in range(2))
        table = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
        table[:, 0], table[0] = range(len(a) + 1), range(len(b) + 1)
        for i in range(len(a)):
            for j in range(len(b)):
                table[i + 1, j + 1] = min(table[i, j + 1] + 1, table[i + 1, j] + 1, table[i, j] + (a[i] != b[j]))
        assert token_change(" ".join(a), " ".join(b)).distance == table[-1, -1]


def test_matched_change():
    """Medians within a factor of 1.5 are compared; farther apart, zero or absent ones are not."""
    assert matched_change([0.1, 0.2, 0.3], [0.3, 0.3, 0.3]).comparable
    assert not matched_change([0.1, 0.1], [0.3, 0.3]).comparable
    assert not matched_change([0.0, 0.0], [0.3, 0.3]).comparable
    assert matched_change([0.0], [0.0]).comparable
    assert not matched_change([], [0.3]).comparable
    with pytest.raises(BadInput):
        matched_change([-0.1], [0.3])


def test_sweep():
    """Every edit up to 60% falls into exactly one bin; an empty bin has no rate."""
    shares = [0.0, 0.05, 0.051, 0.6, 0.61]
    steps = token_change_sweep(shares, [False, True, True, True, True])
    assert [s.n for s in steps] == [2, 1, 0, 0, 0, 0, 1]
    assert steps[0].flip_rate == 0.5
    assert isinstance(steps[2].flip_rate, Undefined)
    with pytest.raises(BadInput):
        token_change_sweep([0.1], [])
    with pytest.raises(BadInput):
        token_change_sweep([0.1], [True], ends=[0.2, 0.1])


def test_detection_check():
    """Recall and false alarms with Wilson intervals; no edits, no share."""
    found = detection_check([True] * 18 + [False] * 2, [])
    assert found.recall == 0.9
    assert found.recall_interval.low == pytest.approx(0.699, abs=1e-3)
    assert isinstance(found.false_alarms, Undefined)


def test_bit_tables_equal_the_matrix_product():
    """Sums from byte tables are those of the unpacked bits."""
    rng = np.random.default_rng(0)
    for n in (1, 7, 8, 9, 61):
        packed, values = packed_bits(50, n, rng), rng.normal(size=n)
        bits = np.unpackbits(packed, axis=1, count=n)
        assert sums_of_bits(packed, values) == pytest.approx(bits @ values)


@pytest.mark.parametrize("n", [2, 9, 120, 121, 300])
def test_resamples_have_the_right_moments(n):
    """One column and many use the same resamples, and their mean and variance are the bootstrap's."""
    values = np.random.default_rng(n).exponential(size=n)
    sums, squares = resampled_moments(values, 20_000, np.random.default_rng(5), squares=True)
    both = resampled_sums(np.column_stack([values, values**2]), 20_000, np.random.default_rng(5))
    assert sums == pytest.approx(both[:, 0])
    assert squares == pytest.approx(both[:, 1])
    se = values.std() / math.sqrt(n)
    assert (sums / n).mean() == pytest.approx(values.mean(), abs=5 * se / math.sqrt(20_000))
    assert (sums / n).std() == pytest.approx(se, rel=0.03)
