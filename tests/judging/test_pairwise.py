"""Pairs in both orders: canonical outcomes, and no winner by position."""

from __future__ import annotations

import pytest

from judgekit.errors import BadInput
from judgekit.judging.handle import make_judge
from judgekit.judging.pairwise import combine_orders, judge_pairs, orders_of, pair_outcomes, position_bias_of
from judgekit.records import Interval, PairItem, Preference, Undefined, Unscored
from judgekit.rubric import load_rubric

SECRET = b"k" * 32
WARMTH = load_rubric("warmth")
TEXTS = ["Send form B.", "Thanks, glad to help!", "You are careless.", "Please excuse the wait, and thank you."]


@pytest.fixture
def replies(blinded):
    """Four verified replies."""
    return {f"r{n}": blinded(f"r{n}", text) for n, text in enumerate(TEXTS)}


PAIRS = [PairItem(pair_id=f"p{n}", a_item=f"r{n}", b_item=f"r{(n + 1) % 4}") for n in range(4)]


def test_the_better_reply_wins_in_both_orders(replies, ledger) -> None:
    """A judge that reads the texts gives the same canonical outcome whatever is shown first."""
    made = judge_pairs(PAIRS, replies, [WARMTH], make_judge("lexicon"), ledger, secret=SECRET)
    assert {key: [o.choice for o in found] for key, found in pair_outcomes(made, "warmth").items()} == {
        "p0": ["b"],
        "p1": ["a"],
        "p2": ["b"],
        "p3": ["a"],
    }
    assert len(made) == 8
    assert position_bias_of(made, "warmth").value == 0.0


def test_a_judge_that_takes_the_first_is_inconsistent(replies, ledger) -> None:
    """Position preference is neither a tie nor a win, and shows as full bias."""
    made = judge_pairs(PAIRS, replies, [WARMTH], make_judge("stub:first=1"), ledger, secret=SECRET)
    assert all(o == [Preference("inconsistent")] for o in pair_outcomes(made, "warmth").values())
    bias = position_bias_of(made, "warmth")
    assert (bias.value, bias.calls, bias.pairs) == (0.5, 8, 4)
    assert isinstance(bias.interval, Interval)
    assert bias.interval.low < 0.5


def test_pairs_are_resumed(replies, ledger) -> None:
    """The same pairs again give the same judgments; equal texts in one order are one call."""
    judge = make_judge("lexicon")
    first = judge_pairs(PAIRS, replies, [WARMTH], judge, ledger, secret=SECRET)
    assert judge_pairs(PAIRS, replies, [WARMTH], judge, ledger, secret=SECRET) == first
    assert all(isinstance(j.outcome, Preference) for j in ledger.judgments())


def test_several_criteria_are_asked_at_once(replies, ledger) -> None:
    """Every ordinal criterion of a rubric has its own outcome."""
    made = judge_pairs(PAIRS[:1], replies, [load_rubric("tone")], make_judge("lexicon"), ledger, secret=SECRET)
    assert {j.dimension for j in made} == {"formality", "condescension", "suspicion"}
    assert len(made) == 6


def test_one_order_only_is_seeded_by_the_pair() -> None:
    """Half the pairs are shown each way, the same ones for the same seed."""
    shown = [orders_of(f"p{n}", seed=3, both=False)[0] for n in range(400)]
    assert shown == [orders_of(f"p{n}", seed=3, both=False)[0] for n in range(400)]
    assert 150 < shown.count("ab") < 250


def test_outcomes_of_two_orders() -> None:
    """Agreement stands, disagreement is inconsistent, a missing call leaves the pair unscored."""
    a, b, tie = Preference("a"), Preference("b"), Preference("tie")
    assert combine_orders(a, a) == a
    assert combine_orders(tie, tie) == tie
    assert combine_orders(a, b) == combine_orders(a, tie) == Preference("inconsistent")
    assert combine_orders(a, Unscored("empty")) == Unscored("empty")


def test_shared_pair_cases(case_table) -> None:
    """The outcomes of the shared table."""

    def canonical(call: dict[str, object]) -> Preference:
        winner = call["winner"]
        if winner == "tie":
            return Preference("tie")
        shown = call["shown"]
        return Preference("a" if shown[winner == "B"] == "x" else "b")

    for case in case_table.get("pair_outcomes", []):
        wanted = {"x": "a", "y": "b"}.get(case["outcome"], case["outcome"])
        assert combine_orders(canonical(case["first_order"]), canonical(case["second_order"])).choice == wanted


def test_no_decided_call_has_no_bias(replies, ledger) -> None:
    """Ties alone say nothing about positions."""
    pairs = [PairItem(pair_id="p", a_item="r0", b_item="r0")]
    made = judge_pairs(pairs, replies, [WARMTH], make_judge("lexicon"), ledger, secret=SECRET)
    assert pair_outcomes(made, "warmth") == {"p": [Preference("tie")]}
    assert isinstance(position_bias_of(made, "warmth").value, Undefined)


@pytest.mark.parametrize(
    "pairs",
    [[PairItem(pair_id="p", a_item="r0", b_item="gone")], [PAIRS[0], PAIRS[0]]],
)
def test_unusable_pairs_are_refused(replies, ledger, pairs) -> None:
    """An unknown reply or a pair id used twice."""
    with pytest.raises(BadInput):
        judge_pairs(pairs, replies, [WARMTH], make_judge("lexicon"), ledger, secret=SECRET)
