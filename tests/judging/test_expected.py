"""Expected scores from token probabilities."""

from __future__ import annotations

import pytest

from judgekit.judging.expected import Token, expected_score
from judgekit.records import Scored

LEVELS = (1, 2, 3, 4, 5)


def test_shared_logprob_cases(case_table) -> None:
    """The cases of the shared table."""
    for case in case_table.get("logprob_cases", []):
        given = case["tokens"]
        tokens = given and [Token(t["token"], tuple((a, p) for a, p in t["top"])) for t in given]
        outcome = expected_score(tokens, score=case["score"], levels=LEVELS)
        if case["expect"] is None:
            assert outcome.kind == case["failure"]
        else:
            assert outcome.distribution == pytest.approx(case["expect"])
            assert outcome.expected == pytest.approx(case["mean"])


def test_a_number_of_two_tokens_has_no_expected_score() -> None:
    """A number in two tokens, or glued to a bracket, is not weighed."""
    split = [Token('{"score": ', ()), Token("1", (("1", 1.0),)), Token("0", (("0", 1.0),)), Token("}", ())]
    assert expected_score(split, score=10, levels=range(1, 11)).kind == "logprobs_not_single_token"
    glued = [Token('{"score": ', ()), Token("4}", (("4}", 1.0),))]
    assert expected_score(glued, score=4, levels=LEVELS).kind == "logprobs_not_single_token"


def test_mass_off_the_scale_is_reported() -> None:
    """What is on no level is named and not spread over the levels in silence."""
    tokens = [Token('{"score": ', ()), Token("4", (("4", 0.5), ("5", 0.3), ("9", 0.1), ("four", 0.05))), Token("}", ())]
    outcome = expected_score(tokens, score=4, levels=LEVELS)
    assert isinstance(outcome, Scored)
    assert outcome.expected == pytest.approx((4 * 0.5 + 5 * 0.3) / 0.8)
    assert outcome.distribution["other"] == pytest.approx(0.2)


def test_a_quoted_key_is_not_the_verdict() -> None:
    """A key inside the explanation, escaped as JSON has it, is passed over."""
    tokens = [
        Token('{"reason": "says \\"score\\": ', ()),
        Token("4", (("4", 1.0),)),
        Token('", "score": ', ()),
        Token("4", (("4", 0.5), ("3", 0.5))),
        Token("}", ()),
    ]
    assert expected_score(tokens, score=4, levels=LEVELS).expected == 3.5
