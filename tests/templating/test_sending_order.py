"""The order of sending and the test that it is random."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.sandbox.stats.runs import runstest_1samp

from judgekit.records import Undefined
from judgekit.templating.order import runs_test, shuffled


def test_two_kinds_give_the_wald_wolfowitz_test():
    """Reference: statsmodels 0.14 runstest_1samp(x, cutoff=0.5, correction=False), a sequence of 60."""
    rng = random.Random(4)
    labels = [rng.random() < 0.4 for _ in range(60)]
    _, p = runstest_1samp([int(x) for x in labels], cutoff=0.5, correction=False)
    assert runs_test(labels).p == pytest.approx(p, abs=1e-12)


def test_several_kinds_are_counted_as_simulated():
    """Expected number of runs of 3 kinds (10, 20, 30) and its spread, against 1,500 shuffles."""
    labels = ["a"] * 10 + ["b"] * 20 + ["c"] * 30
    rng = random.Random(1)
    runs, rejected = [], 0
    for _ in range(1500):
        rng.shuffle(labels)
        found = runs_test(labels)
        runs.append(found.runs)
        rejected += found.p < 0.05
    assert sum(runs) / len(runs) == pytest.approx(found.expected, abs=0.4)
    assert 0.025 < rejected / len(runs) < 0.08


def test_nothing_to_test_is_undefined():
    """One kind of label has no order."""
    assert isinstance(runs_test("aaaa").p, Undefined)
    assert isinstance(runs_test("").p, Undefined)


@settings(max_examples=30)
@given(st.lists(st.sampled_from("abc"), max_size=60), st.integers(0, 5))
def test_shuffling_loses_nothing_and_repeats(labels, seed):
    """A permutation, the same for the same seed."""
    items = list(range(len(labels)))
    once = shuffled(items, labels, seed=seed)
    assert sorted(once) == items
    assert once == shuffled(items, labels, seed=seed)
