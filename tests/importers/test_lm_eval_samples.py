"""Samples of lm-evaluation-harness become replies as the model gave them, before any filter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judgekit.errors import BadInput
from judgekit.foreign.imported import Request
from judgekit.importers.formats import open_foreign

DATA = Path(__file__).with_name("data") / "lm_eval"
REPLIES = DATA / "samples_support_replies-0.4.13.jsonl"


def taken(path, **wanted):
    """The rows of a file and what was said of them."""
    reading = open_foreign(Request(path=str(path), **wanted), "replies")
    rows = list(reading.rows)
    reading.tally.check()
    return rows, reading


def test_each_answer_is_a_reply_once_however_many_filters_there_are():
    """Compared with the file: raw answers, prompts, fields of the document; answers under a second filter are left out."""
    rows, reading = taken(REPLIES)
    records = [json.loads(line) for line in REPLIES.read_text(encoding="utf-8").splitlines()]
    first = [r for r in records if r["filter"] == "strip"]
    expected = [(r, n, text) for r in first for n, text in enumerate(r["resps"][0], 1)]
    assert (reading.tally.rows_in, len(rows), len(expected)) == (64, 32, 32)
    assert reading.tally.dropped["the same reply under another filter"].n == 32
    for row, (record, number, text) in zip(rows, expected, strict=True):
        assert (row["id"], row["text"]) == (f"doc{record['doc_id']}-{number}", text)
        assert (row["replicate"], row["context"]) == (str(number), record["arguments"]["gen_args_0"]["arg_0"])
        assert [row[k] for k in ("group", "name", "template_id")] == [
            record["doc"][k] for k in ("group", "customer", "scenario")
        ]
        assert row["lm_eval_exact_match"] == record["exact_match"]
        assert row["error"] == (None if text else "no_answer")
    assert dict(reading.tally.failed["no_answer"].by_group) == {"men": 2}


def test_a_task_that_generates_nothing_is_refused():
    """Multiple choice ranks given answers: there is nothing to judge."""
    with pytest.raises(BadInput, match="generates no text"):
        taken(DATA / "samples_support_choice-0.4.13.jsonl")


def test_the_older_layout_and_chat_prompts(tmp_path):
    """Arguments as a list of lists; a prompt that is a list of messages gives the user's message as context."""
    chat = json.dumps([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Where is it?"}])
    record = {
        "doc_id": 3, "doc": {"group": "women"}, "target": "", "arguments": [[chat, {"until": []}]],
        "resps": [["On its way."]], "filtered_resps": ["On its way."], "exact_match": 0.0,
    }  # fmt: skip
    path = tmp_path / "samples_old.jsonl"
    path.write_text(json.dumps(record) + "\n" + json.dumps(record) + "\n", encoding="utf-8")
    rows, reading = taken(path, columns={"group": "doc.group"})
    assert [(r["id"], r["text"], r["context"], r["group"]) for r in rows] == [
        ("doc3", "On its way.", "Where is it?", "women")
    ]
    assert reading.tally.dropped["a document that stands twice"].n == 1


def test_a_damaged_line_is_told_with_its_place(tmp_path):
    """A record that lacks its answers is bad input, and says which row."""
    path = tmp_path / "samples.jsonl"
    good = REPLIES.read_text(encoding="utf-8").splitlines()[0]
    path.write_text(good + '\n{"doc_id": 1, "doc": {}, "arguments": {}, "resps": 4}\n', encoding="utf-8")
    with pytest.raises(BadInput, match="row 2"):
        taken(path)


def test_answers_without_their_requests_are_refused(tmp_path):
    """A line with more answers than requests is damaged: none of them is passed over."""
    path = tmp_path / "samples.jsonl"
    line = {"doc_id": 0, "doc": {}, "arguments": {"gen_args_0": {"arg_0": "Q", "arg_1": {}}}, "resps": [["a"], ["b"]]}
    path.write_text(json.dumps(line), encoding="utf-8")
    with pytest.raises(BadInput, match=r"do not belong together.*1 requests, 2 answers"):
        open_foreign(Request(path=str(path)), "replies")
