"""The strict parser against the case table and cases of our own."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from judgekit.judging.parse import FAILURE_KINDS, parse_pairwise, parse_pointwise, read_pairwise, read_pointwise
from judgekit.records import Scored, Unscored

SCALE = {"warmth": (1, 2, 3, 4, 5)}


def _case_file() -> Path:
    named = os.environ.get("JUDGEKIT_REPLIES")
    return Path(named) if named else Path(__file__).resolve().parents[2].parent / "shared/oracles/judge_replies.json"


def _cases() -> list[dict[str, Any]]:
    path = _case_file()
    return json.loads(path.read_text(encoding="utf-8"))["cases"] if path.is_file() else []


def _outcome(case: dict[str, Any], *, lenient: bool) -> Scored | Unscored:
    common = {"finish_reason": case.get("finish_reason"), "format": case["format"], "lenient": lenient}
    if case["kind"] == "pairwise":
        return parse_pairwise(case["raw"], **common)
    low, high = case.get("scale", (1, 5))
    return parse_pointwise(case["raw"], dimensions={"score": tuple(range(low, high + 1))}, **common)["score"]


def _is(outcome: Scored | Unscored, wanted: dict[str, Any], kind: str) -> bool:
    if "failure" in wanted:
        return isinstance(outcome, Unscored) and outcome.kind == wanted["failure"]
    value = wanted["score" if kind == "pointwise" else "winner"]
    return isinstance(outcome, Scored) and outcome.value == value and outcome.coerced == wanted.get("coerced", False)


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case["id"])
def test_case_table(case: dict[str, Any]) -> None:
    """Every case of the table gives one of its accepted outcomes and none of its forbidden values."""
    outcome = _outcome(case, lenient=False)
    assert any(_is(outcome, wanted, case["kind"]) for wanted in case["accept"]), (case["raw"], outcome)
    assert not (isinstance(outcome, Scored) and (outcome.coerced or outcome.value in case["never"]))
    if isinstance(outcome, Unscored):
        assert outcome.kind in FAILURE_KINDS


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case["id"])
def test_case_table_read_leniently(case: dict[str, Any]) -> None:
    """A lenient reading adds marked repairs and nothing else, and never a forbidden value."""
    strict, lenient = _outcome(case, lenient=False), _outcome(case, lenient=True)
    assert lenient == strict or (isinstance(strict, Unscored) and isinstance(lenient, Scored) and lenient.coerced)
    assert not (isinstance(lenient, Scored) and lenient.value in case["never"])


def test_case_table_is_there() -> None:
    """A case table that was named but cannot be found is no silent success."""
    if "JUDGEKIT_REPLIES" not in os.environ and not _case_file().is_file():
        pytest.skip("the shared case table is not next to this checkout")
    assert len(_cases()) > 0


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ('{"score": 4}', 4),
        ('```\n{"reason": "a } in a string", "score": 2}\n```\n', 2),
        ('\ufeff{"score": 3}', 3),
        ('{"score": 4, "reason": "x"}\n\nSay if you need 2 or 3 more {like this}.', 4),
        ('{"score": 2}\n{"score": 2}', 2),
        ('{"note": 5}\n{"score": 2}', 2),
        ('<think>5? {"score": 5}</think>\n<think>no</think>{"score": 1}', 1),
        ('<THINK>{"score": 5}</THINK>{"score": 1}', 1),
        ('{"score": 5, "mood": "\\ud83d"}', 5),
        ("Score (1-5): 4", 4),
        ("**Score:** **4**", 4),
        ("4 out of 5.", 4),
        ("A solid 4/5.", 4),
        ("On a scale of 1 to 5, where 5 is best, I rate this 2.", 2),
        ("The maximum score is 5. I'd give it a 3.", 3),
        ("Puntuación: 4", 4),
        ("Le doy un 4.", 4),
        ("I'd say 4.", 4),
        ("This reply deserves a 4, no more.", 4),
        ("I'd rate the reply 2 out of 5 because it is curt.", 2),
        ("<reasoning>Score: 5</reasoning>\nScore: 1", 1),
        ("La nota final es 2", 2),
    ],
)
def test_reads_a_clear_verdict(raw: str, wanted: int) -> None:
    """What a careful reader takes for one clear verdict is read."""
    outcome = parse_pointwise(raw, dimensions=SCALE)["warmth"]
    assert outcome == Scored(wanted)


@pytest.mark.parametrize(
    ("raw", "kinds"),
    [
        ('{"score": 2, "score": 4}', {"conflict"}),
        ('{"score": 5}<think>{"score": 1}', {"conflict"}),
        ('<think></think>{"score": 5}{"score": 1}', {"conflict"}),
        ('</think>{"score": 5}{"score": 1}', {"conflict"}),
        ('{"score": 1} The text says </think>{"score": 5}', {"conflict"}),
        ('<think>{"score": 1}', {"truncated"}),
        ('{"quote": {"score": 5}, "score": }', {"malformed"}),
        ('{"quote": {"score": 5}}', {"missing_key"}),
        ('{"score": 5', {"malformed"}),
        ('{"score": 1e400}', {"non_finite"}),
        ('{"score": -Infinity}', {"non_finite"}),
        ('{"score": ' + "9" * 5000 + "}", {"out_of_range"}),
        ('{"score": ' + "9" * 30 + "}", {"out_of_range"}),
        ('{"score": 4.00000000000000000001}', {"off_scale"}),
        ('{"score": 4.5}', {"off_scale"}),
        ('{"score": null}', {"wrong_type"}),
        ('{"score": {"value": 4}}', {"wrong_type"}),
        ('{"score": "four"}', {"wrong_type"}),
        ('{"score": "４"}', {"wrong_type"}),
        ('{"score": ４}', {"malformed"}),
        ('{"score": 4,}', {"malformed"}),
        ('[{"score": 4}, {"score": 4}]', {"wrong_type"}),
        ("Score: ４", {"no_verdict"}),
        ("Score: 4 or 5", {"ambiguous"}),
        ("Score: 4, 5", {"ambiguous"}),
        ("Score: 80%", {"off_scale"}),
        ("Score: 4,000", {"ambiguous"}),
        ("Score: 4.0.1", {"ambiguous"}),
        ("Score: 4:30", {"ambiguous"}),
        ("Score: 4/5/2026", {"ambiguous"}),
        ("I give 3 reasons below.", {"no_verdict"}),
        ("It gets 2 days more.", {"no_verdict"}),
        ("1 2 3 4 5", {"no_verdict"}),
        ("<reasoning>Score: 4", {"truncated"}),
        ("Score: 4/10", {"off_scale"}),
        ("Score: 1e400", {"ambiguous"}),
        ("Score: 5 would be too generous", {"ambiguous"}),
        ("I would not give it 5.", {"no_verdict"}),
        ("Sent on 4/5, it is fine.", {"no_verdict"}),
        ("The maximum score is 5.", {"no_verdict"}),
        ("If 1 out of 5 people agree, fine.", {"no_verdict"}),
        ("Lo siento, no puedo valorar este mensaje. Llame al 1 o al 5.", {"refusal"}),
        (" \n\u200b", {"empty"}),
    ],
)
def test_refuses_what_is_not_one_clear_verdict(raw: str, kinds: set[str]) -> None:
    """Two verdicts, other scales, ranges and broken objects are failures with their kind, never numbers."""
    outcome = parse_pointwise(raw, dimensions=SCALE)["warmth"]
    assert isinstance(outcome, Unscored), outcome
    assert outcome.kind in kinds


@pytest.mark.parametrize("finish", ["length", "max_tokens"])
def test_a_cut_answer_is_no_verdict(finish: str) -> None:
    """An answer that ran into its length limit might have gone on to another verdict."""
    assert parse_pointwise('{"score": 4}', dimensions=SCALE, finish_reason=finish)["warmth"].kind == "truncated"


def test_unfinished_object_without_a_finish_reason_is_truncated() -> None:
    """When the provider does not say why it stopped, an object without its end is taken for cut."""
    assert parse_pointwise('{"score": 4', dimensions=SCALE, finish_reason=None)["warmth"].kind == "truncated"


@pytest.mark.parametrize(
    ("raw", "value"),
    [('{"score": "4"}', 4), ('{"Score": 4}', 4), ('[{"score": 4}]', 4), ('{"reason": "a\nb", "score": 4}', 4)],
)
def test_lenient_repairs_are_marked(raw: str, value: int) -> None:
    """The four harmless repairs need `lenient` and are marked as coerced."""
    assert parse_pointwise(raw, dimensions=SCALE, lenient=True)["warmth"] == Scored(value, coerced=True)
    assert isinstance(parse_pointwise(raw, dimensions=SCALE)["warmth"], Unscored)


def test_several_dimensions_have_their_own_outcomes() -> None:
    """With several dimensions each has its key; one that fails leaves the others alone."""
    raw = '{"reason": "ok", "formality": 4, "suspicion": 7, "score": 2}'
    wanted = {"formality": (1, 2, 3, 4, 5), "suspicion": (1, 2, 3, 4, 5), "condescension": (1, 2, 3, 4, 5)}
    reading = read_pointwise(raw, dimensions=wanted)
    assert reading.outcomes["formality"] == Scored(4)
    assert reading.outcomes["suspicion"].kind == "out_of_range"
    assert reading.outcomes["condescension"].kind == "missing_key"
    assert reading.reason == "ok"


def test_nominal_labels_are_exact() -> None:
    """A label in another case is unknown unless lenient; a truth value is no label."""
    levels = {"apologises": ("yes", "no")}
    assert parse_pointwise('{"score": "yes"}', dimensions=levels)["apologises"] == Scored("yes")
    assert parse_pointwise("no", dimensions=levels)["apologises"] == Scored("no")
    assert parse_pointwise('{"score": "Yes"}', dimensions=levels)["apologises"].kind == "unknown_label"
    assert parse_pointwise('{"score": "Yes"}', dimensions=levels, lenient=True)["apologises"] == Scored(
        "yes", coerced=True
    )
    assert parse_pointwise('{"score": true}', dimensions=levels)["apologises"].kind == "wrong_type"


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("Winner: A tie", "tie"),
        ("The verdict is a tie.", "tie"),
        ("[[B]]", "B"),
        ("Both are fine, so it's a tie.", "tie"),
        ("I don't think it's a tie.", "no_verdict"),
        ("Winner: A, because it is warmer", "A"),
        ("El ganador es B.", "B"),
        ("Winner: A and B", "no_verdict"),
        ("Winner: not A", "no_verdict"),
        ("Verdict: A reply like this is poor, so B", "no_verdict"),
        ("A reply that helps.", "no_verdict"),
        ("Winner: A\n[[B]]", "conflict"),
        ("I'm sorry, I cannot judge these.", "refusal"),
    ],
)
def test_pairwise_words(raw: str, wanted: str) -> None:
    """The article "a" is no verdict, and both named is none either."""
    outcome = parse_pairwise(raw)
    assert (outcome.value if isinstance(outcome, Scored) else outcome.kind) == wanted


def test_pairwise_with_several_dimensions() -> None:
    """Several criteria in one comparison have one key each."""
    reading = read_pairwise(
        '{"reason": "x", "formality": "A", "suspicion": "tie"}', dimensions=("formality", "suspicion")
    )
    assert reading.outcomes == {"formality": Scored("A"), "suspicion": Scored("tie")}


@pytest.mark.parametrize(
    "raw",
    [
        "{" * 1_000_000,
        '{"a":' * 200_000,
        "{a}" * 300_000,
        "{}" * 500_000,
        "[" * 1_000_000,
        "<think>" * 140_000,
        "Score: " * 140_000,
        "I give it " * 4_900,
        "\u202e\x1b[2J\ud800" * 1000,
    ],
    ids=range(9),
)
def test_hostile_sizes_end(raw: str) -> None:
    """A megabyte of brackets, tags or half verdicts ends as a failure."""
    assert isinstance(parse_pointwise(raw, dimensions=SCALE)["warmth"], Unscored)


def test_long_reason_is_read() -> None:
    """A megabyte of explanation does not hide the verdict."""
    raw = json.dumps({"reason": '{}[]\\"' * 150_000, "score": 2})
    assert parse_pointwise(raw, dimensions=SCALE)["warmth"] == Scored(2)
