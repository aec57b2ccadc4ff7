"""Properties of expected scores: whatever way an answer is cut into tokens, the verdict's own probabilities count."""

from __future__ import annotations

import json
import math
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.judging.expected import OTHER, Token, expected_score, tokens_of
from judgekit.judging.parse import parse_pointwise
from judgekit.records import Scored

LEVELS = (1, 2, 3, 4, 5)
WORDS = st.text(alphabet=st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    ['"score": 4', '{"score": 5}', "score", "é 🙂 4", '\\"score\\": 4', "}", "{"]
)
SHARES = st.lists(st.floats(0.001, 1.0), min_size=5, max_size=7)


@st.composite
def answers(draw):
    """An answer, its score, where the score stands in bytes, and its pieces as bytes."""
    score = draw(st.sampled_from(LEVELS))
    reason, after = draw(WORDS), draw(WORDS)
    before = (
        json.dumps({"reason": reason}, ensure_ascii=draw(st.booleans()))[:-1]
        + ', "score":'
        + draw(st.sampled_from(["", " "]))
    )
    text = f"{before}{score}" + ', "note": ' + json.dumps({"score": 1, "said": after}) + "}"
    data = text.encode()
    place = len(before.encode())
    cuts = sorted(set(draw(st.lists(st.integers(0, len(data)), max_size=15))) | {0, len(data), place, place + 1})
    pieces = [data[a:b] for a, b in pairwise(cuts)]
    return text, score, pieces, cuts.index(place)


@given(answers(), SHARES)
@settings(max_examples=60, deadline=None)
def test_the_verdict_is_found_however_the_answer_is_cut(answer, shares):
    """The mean is that of the probabilities at the verdict, in the scale's range, and the rest of the mass is told."""
    text, score, pieces, at = answer
    total = sum(shares)
    names = [*map(str, LEVELS), "9", "x"][: len(shares)]
    top = [[name, math.log(share / total)] for name, share in zip(names, shares, strict=True)]
    rows = [
        [p.decode("utf-8", "replace"), list(p), -0.1, [["0", -0.1]] if i != at else top] for i, p in enumerate(pieces)
    ]
    assert parse_pointwise(text, dimensions={"w": LEVELS})["w"] == Scored(score)
    found = expected_score(tokens_of(json.dumps(rows)), score=score, levels=LEVELS, raw=text)
    assert isinstance(found, Scored)
    weights = shares[:5]
    assert math.isclose(found.expected, sum(w * v for w, v in zip(weights, LEVELS, strict=True)) / sum(weights))
    assert 1 <= found.expected <= 5
    assert math.isclose(found.distribution.get(OTHER, 0.0), sum(shares[5:]) / total, abs_tol=1e-8)


@given(
    st.lists(
        st.tuples(st.text(max_size=6), st.lists(st.tuples(st.text(max_size=3), st.floats(0, 1)), max_size=4)),
        max_size=12,
    ),
    st.text(max_size=30),
)
@settings(max_examples=60, deadline=None)
def test_tokens_of_another_text_never_give_a_score(tokens, raw):
    """Tokens that do not spell the answer, whatever they say, weigh nothing."""
    made = [Token(text, tuple(top)) for text, top in tokens]
    spelled = "".join(text for text, _ in tokens)
    answer = raw + '{"score": 4}'
    if answer not in spelled:
        assert not isinstance(expected_score(made, score=4, levels=LEVELS, raw=answer), Scored)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    )
)
@settings(max_examples=60, deadline=None)
def test_any_json_is_read_as_tokens_or_as_none(document):
    """What a server sends in the place of probabilities never raises."""
    tokens = tokens_of(json.dumps(document))
    assert tokens is None or all(isinstance(token, Token) for token in tokens)
    assert not isinstance(expected_score(tokens, score=4, levels=LEVELS, raw='{"score": 4}'), Scored)


def test_a_level_that_begins_another_is_not_shared_out():
    """On a scale to 10, mass on a listed 1 may belong to 10 where digits are tokens; where 10 is listed, it does not."""
    digits = [Token('{"score": ', ()), Token("4", (("4", 0.6), ("1", 0.3))), Token("}", ())]
    assert expected_score(digits, score=4, levels=range(1, 11)).kind == "logprobs_not_single_token"
    whole = [Token('{"score": ', ()), Token("4", (("4", 0.6), ("1", 0.2), ("10", 0.2))), Token("}", ())]
    assert math.isclose(expected_score(whole, score=4, levels=range(1, 11)).expected, 0.6 * 4 + 0.2 + 2)
