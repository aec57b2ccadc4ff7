"""deepeval's test runs become replies; its metrics are carried under its name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judgekit.errors import BadInput
from judgekit.foreign.imported import Request
from judgekit.importers.formats import detect, open_foreign

DATA = Path(__file__).with_name("data") / "deepeval"


def taken(path, **wanted):
    """The rows of a file and what was said of them."""
    reading = open_foreign(Request(path=str(path), **wanted), "replies")
    rows = list(reading.rows)
    reading.tally.check()
    return rows, reading


def test_every_test_case_is_a_reply_with_its_metadata_and_metrics():
    """Compared with the file: a metric that raised is no score, an empty output stays an empty reply, the model is named."""
    path = DATA / "run-4.3.1.json"
    rows, reading = taken(path)
    cases = json.loads(path.read_text(encoding="utf-8"))["testCases"]
    assert (reading.tally.rows_in, len(rows), len(cases)) == (16, 16, 16)
    for row, case in zip(rows, cases, strict=True):
        assert (row["id"], row["text"], row["context"]) == (case["name"], case["actualOutput"], case["input"])
        assert [row[k] for k in ("group", "template_id", "name")] == [
            case["metadata"][k] for k in ("group", "scenario", "customer")
        ]
        said = {m["name"]: m.get("score") for m in case["metricsData"]}
        assert (row["deepeval_score_Length"], row["deepeval_pass"]) == (said["Length"], case["success"])
        assert (row["model"], row["error"], row["deepeval_context"]) == ("planted-1", None, case["context"])
    assert [row["id"] for row in rows if row["deepeval_score_Length"] is None] == ["r13"]
    assert [row["id"] for row in rows if not row["text"]] == ["r06"]
    assert set(reading.tally.scores) == {"deepeval_pass", "deepeval_score_Length", "deepeval_score_Says Thanks"}


def test_conversations_give_their_last_reply():
    """What was said before is the context; one that ends with the customer is a failure, by its group."""
    rows, reading = taken(DATA / "conversations-4.3.1.json")
    assert [row["text"][:8] for row in rows] == ["Tomorrow", "Hello Am", "Hello Ma", ""]
    assert rows[0]["context"].splitlines()[-1] == "user: And when?"
    assert dict(reading.tally.failed["no_answer"].by_group) == {"men": 1}


def test_a_dump_of_the_result_object_and_a_missing_output(tmp_path):
    """`evaluate()` names its fields otherwise; null is a failure, and a name that repeats still gives two ids."""
    path = tmp_path / "dump.json"
    case = {"name": "case", "success": True, "metrics_data": [], "input": "Hi", "additional_metadata": {"group": "a"}}
    path.write_text(
        json.dumps({"test_results": [{**case, "actual_output": "Hello."}, {**case, "actual_output": None}]})
    )
    rows, reading = taken(path, columns={"group": "group"})
    assert [(r["id"], r["text"], r["error"], r["group"]) for r in rows] == [
        ("case", "Hello.", None, "a"), ("case-2", "", "no_answer", "a")
    ]  # fmt: skip
    assert reading.tally.failed["no_answer"].n == 1


def test_a_broken_file_is_told_with_its_place(tmp_path):
    """A document that ends too soon, or a case that is no object, is bad input."""
    assert detect(str(DATA / "run-4.3.1.json"), "replies").name == "deepeval"
    path = tmp_path / "cut.json"
    path.write_text((DATA / "run-4.3.1.json").read_text(encoding="utf-8")[:3_000], encoding="utf-8")
    with pytest.raises(BadInput, match="the file ends within"):
        taken(path)
    path.write_text('{"testCases": [3]}', encoding="utf-8")
    with pytest.raises(BadInput, match="no JSON object"):
        taken(path)
    path.write_text('{"testCases": []}', encoding="utf-8")
    with pytest.raises(BadInput, match="no usable rows"):
        taken(path)
