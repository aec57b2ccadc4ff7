"""promptfoo's results become replies: who said what to whom, what failed, and whose scores are whose."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judgekit.errors import BadInput, UsageProblem
from judgekit.files.tables import read_replies
from judgekit.foreign.imported import Request
from judgekit.importers.formats import detect, open_foreign

DATA = Path(__file__).with_name("data") / "promptfoo"
RESULTS = DATA / "results-0.123.1.json"


def taken(path, **wanted):
    """The rows of a file and what was said of them."""
    reading = open_foreign(Request(path=str(path), **wanted), "replies")
    rows = list(reading.rows)
    reading.tally.check()
    return rows, reading


def result(output="Your parcel is on its way.", **changes):
    """One result as promptfoo has them; ``response`` and so on may be replaced."""
    made = {
        "promptIdx": 0, "testIdx": 0, "promptId": "p1", "provider": {"id": "echo"}, "success": True, "score": 1,
        "prompt": {"raw": "Where is it?", "label": "ask"}, "vars": {}, "failureReason": 0,
        "response": {"output": output}, "testCase": {},
    }  # fmt: skip
    return {**made, **changes}


def results_file(tmp_path, *results):
    """A results file with these results, each a test of its own."""
    path = tmp_path / "results.json"
    rows = [{**r, "testIdx": n} for n, r in enumerate(results)]
    path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "prompts": [], "results": rows, "stats": {}}}))
    return path


def test_every_result_of_a_provider_becomes_a_row_with_its_own_text_and_people():
    """Counted again from the file itself: text, prompt, variables and grades of each row are those of its result."""
    rows, reading = taken(RESULTS, models=("support-bot-b",))
    theirs = [r for r in json.loads(RESULTS.read_text())["results"]["results"] if r["provider"]["label"][-1] == "b"]
    assert (reading.tally.rows_in, len(rows), len(theirs)) == (32, 16, 16)
    assert (reading.source.version, reading.source.layout) == ("0.123.1", "results version 3")
    by_id = {row["id"]: row for row in rows}
    for one in theirs:
        row = by_id[f"test{one['testIdx'] + 1}-prompt{one['promptIdx'] + 1}"]
        assert row["text"] == ((one.get("response") or {}).get("output") or "")
        assert (row["context"], row["model"]) == (one["prompt"]["raw"], "support-bot-b")
        assert [row[k] for k in ("name", "group", "origin", "channel")] == [
            *(one["vars"][k] for k in ("name", "gender", "origin")), one["testCase"]["metadata"]["channel"]
        ]  # fmt: skip
        assert row["promptfoo_pass"] is one["success"]
        assert row["promptfoo_score"] == one["score"]
        assert row["template_id"].startswith(one["vars"]["case"])
    assert {row["template_id"] for row in rows} == {"parcel/plain", "parcel/short", "refund/plain", "refund/short"}
    assert sorted((row["template_id"], row["name"], row["replicate"]) for row in rows) == sorted(
        (f"{case}/{prompt}", name, n)
        for case, names in (("parcel", ("Mary", "John")), ("refund", ("Grace", "Peter")))
        for prompt in ("plain", "short")
        for name in names
        for n in ("1", "2")
    )


def test_failed_generations_stay_as_failed_and_a_failed_assertion_is_a_reply(tmp_path):
    """They are counted by group with their place, and no reader takes them for a chatbot that said nothing."""
    rows, reading = taken(RESULTS, models=("support-bot-b",))
    failed = reading.tally.failed["crashed"]
    assert (failed.n, dict(failed.by_group)) == (8, {"f": 4, "m": 4})
    assert failed.examples[0][1] == "Error: socket closed"
    (tmp_path / "r.jsonl").write_text("\n".join(map(json.dumps, rows)))
    replies = read_replies(tmp_path / "r.jsonl")
    assert sorted(r.name for r in replies if r.failed) == ["Grace"] * 4 + ["Peter"] * 4
    others, _ = taken(RESULTS, models=("support-bot-a",))
    assert sum(not row["promptfoo_pass"] for row in others) == 8  # "Expected output to contain ..."
    assert all(row["text"] and row["error"] is None for row in others)


def test_two_providers_are_never_mixed_unsaid():
    """Without a choice the file is refused with both names; with all, a column tells them apart and ids differ."""
    with pytest.raises(UsageProblem, match=r"support-bot-a \(16\), support-bot-b \(16\)"):
        taken(RESULTS)
    with pytest.raises(UsageProblem, match="no such model"):
        taken(RESULTS, models=("support-bot-c",))
    rows, _ = taken(RESULTS, all_models=True)
    assert len({row["id"] for row in rows}) == 32
    assert {row["model"] for row in rows} == {"support-bot-a", "support-bot-b"}
    assert {row["replicate"] for row in rows} == {"1", "2"}  # counted for each model


def test_messages_give_the_customers_words_and_templates_do_not_know_the_person(tmp_path):
    """JSON lines with a prompt of messages: what the user said; Mary and Grace ask from one template, a lamp is another."""
    rows, reading = taken(DATA / "chat-0.123.1.jsonl")
    assert [(row["name"], row["context"]) for row in rows] == [
        (name, f"I am {name}, good morning. Where is my {thing}?")
        for name, thing in (
            ("Mary", "lamp"),
            ("Mary", "parcel"),
            ("John", "lamp"),
            ("John", "parcel"),
            ("Grace", "parcel"),
        )
    ]
    template = {(row["name"], row["thing"]): row["template_id"] for row in rows}
    assert template["Mary", "parcel"] == template["John", "parcel"] == template["Grace", "parcel"]
    assert template["Mary", "lamp"] != template["Mary", "parcel"]
    assert [row["replicate"] for row in rows] == ["1", "1", "1", "1", "7"]
    assert rows[-1]["lang"] == "en"
    assert reading.source.version is None
    alone = tmp_path / "alone.jsonl"
    alone.write_text((DATA / "chat-0.123.1.jsonl").read_text().splitlines()[0])
    assert [row["name"] for row in taken(alone)[0]] == ["Mary"]


def test_a_stated_field_wins_and_an_unknown_one_is_told():
    """--column takes a field by its last part or all of it; the rest of the mapping follows."""
    rows, reading = taken(
        RESULTS, models=("support-bot-a",), columns={"group": "origin", "template_id": "vars.message"}
    )
    assert {row["group"] for row in rows} == {"Leeds", "York"}
    assert reading.tally.mapped["group"].field == "vars.origin"
    assert {row["template_id"] for row in rows} >= {"Where is my parcel?/plain"}
    assert {row["gender"] for row in rows} == {"f", "m"}
    with pytest.raises(BadInput, match="no such field"):
        taken(RESULTS, models=("support-bot-a",), columns={"group": "tribe"})


def test_outputs_of_every_kind_are_told_apart(tmp_path):
    """Text, number and nothing said are replies; none at all is a failure; an object is left out unless its field is named."""
    path = results_file(
        tmp_path, result("Hello."), result(""), result(7), result({"reply": "Hi.", "n": 1}),
        result(response=None), result(response={"error": "quota"}, error="quota"),
    )  # fmt: skip
    rows, reading = taken(path)
    assert [(row["text"], row["error"]) for row in rows] == [
        ("Hello.", None), ("", None), ("7", None), ("", "no_answer"), ("", "crashed")
    ]  # fmt: skip
    assert reading.tally.dropped["the output is no text"].examples == [("results.results[3]", "dict")]
    stated, _ = taken(path, columns={"text": "output.reply"})
    assert [row["text"] for row in stated if row["error"] is None] == ["Hi."]


def test_copies_from_the_cache_and_grades_of_people_are_told(tmp_path):
    """A cached answer is no new reply, which the user is told; a person's pass or fail gets a column of its own."""
    graded = {"componentResults": [{"pass": False, "assertion": {"type": "human"}}]}
    path = results_file(
        tmp_path, result(response={"output": "Hi.", "cached": True}), result("Hi.", gradingResult=graded)
    )
    rows, reading = taken(path)
    assert any("cache" in note for note in reading.tally.notes)
    assert [row["promptfoo_human_pass"] for row in rows] == [None, False]
    assert [row["replicate"] for row in rows] == ["1", "2"]


def test_older_layouts_are_read(tmp_path):
    """Version 2 numbers no tests and tells failures by their answer alone; a provider as text, and the summary alone."""
    rows, reading = taken(DATA / "results-0.80.3.json", models=("support-bot-b",))
    assert reading.source.layout == "results version 2"
    assert [(r["name"], r["template_id"], r["error"], r["promptfoo_pass"]) for r in rows] == [
        ("Mary", "parcel", None, True), ("John", "parcel", None, True),
        ("Grace", "refund", "crashed", False), ("Peter", "refund", "crashed", False),
    ]  # fmt: skip
    old = result(provider="openai:chat", vars={"name": "Mary"}, error="Expected it", success=False)
    for key in ("promptIdx", "testIdx", "promptId", "failureReason", "testCase"):
        del old[key]
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"version": 1, "results": [old, old], "stats": {}, "table": {"head": {}, "body": []}}))
    rows, reading = taken(path)
    assert [(r["id"], r["text"], r["name"], r["model"], r["replicate"]) for r in rows] == [
        ("result1", "Your parcel is on its way.", "Mary", "openai:chat", "1"),
        ("result2", "Your parcel is on its way.", "Mary", "openai:chat", "2"),
    ]
    assert reading.source.layout == "results version 1"


def test_hostile_values_pass_as_the_text_they_are(tmp_path):
    """Half characters, formulas, escapes, names of our columns and NaN do no harm and change nothing else."""
    text = json.loads('"=cmd|x\\u001b[2J \\ud83d"')
    odd = {"text": "mine", "id": "7", "arm": "control", "error": "x", "name": "Bo", "answer": "y", "output": {"a": 1}}
    path = results_file(tmp_path, result(text, vars=odd, score=float("nan"), namedScores={"=x": 1e999}))
    rows, _ = taken(path)
    assert rows[0]["text"] == text
    assert (rows[0]["id"], rows[0]["error"], rows[0]["name"]) == ("test1-prompt1", None, "Bo")
    assert rows[0]["promptfoo_score"] is None
    assert [rows[0][f"var_{k}"] for k in ("text", "id", "arm", "error", "answer")] == ["mine", "7", "control", "x", "y"]
    from judgekit.files.atomic import write_jsonl

    write_jsonl(tmp_path / "out.jsonl", rows)
    assert [(r.text, r.arm.kind, r.failed) for r in read_replies(tmp_path / "out.jsonl")] == [(text, "base", None)]


def test_a_damaged_file_is_refused_with_its_place(tmp_path):
    """Cut off, nested without end, a key twice: bad input that says where."""
    whole = RESULTS.read_text()
    for damage, words in (
        (whole[:60_000], r"results\.results\[.*the file ends"),
        (whole.replace('"output":"', '"output":' + "[" * 5_000 + '"', 1), "nested too deeply"),
        (whole.replace('"score":1', '"score":1,"score":2', 1), "stands twice"),
        (whole + "x", "more follows"),
    ):
        path = tmp_path / "damaged.json"
        path.write_text(damage)
        with pytest.raises(BadInput, match=words):
            taken(path, all_models=True)


def test_formats_are_told_by_content_and_not_by_name(tmp_path):
    """A results file is promptfoo's whatever it is called; other JSON is refused with what was looked for."""
    path = tmp_path / "anything.csv"
    path.write_bytes(RESULTS.read_bytes())
    assert detect(str(path), "replies").name == "promptfoo"
    path.write_text('{"hello": [1]}')
    with pytest.raises(BadInput, match=r"results\.results.*header\.json"):
        detect(str(path), "replies")
    with pytest.raises(UsageProblem, match="auto, promptfoo"):
        open_foreign(Request(path=str(path)), "replies", "excel")
    with pytest.raises(BadInput, match="no results file of promptfoo"):
        open_foreign(Request(path=str(path)), "replies", "promptfoo")


def test_stated_ids_that_stand_twice_are_numbered_without_meeting_another(tmp_path):
    """`a, a, a-2`: three ids, all different, and the user is told."""
    results = [
        {"vars": {"case": case}, "provider": "p", "promptIdx": 0, "testIdx": n, "response": {"output": "Hi."}}
        for n, case in enumerate(("a", "a", "a-2"))
    ]
    path = tmp_path / "r.json"
    path.write_text(json.dumps({"results": {"version": 3, "results": results}}), encoding="utf-8")
    reading = open_foreign(Request(path=str(path), columns={"id": "vars.case"}), "replies")
    assert [row["id"] for row in reading.rows] == ["a", "a-2", "a-2-2"]
    assert (reading.tally.mapped["id"].field, "first: a" in reading.tally.notes[-1]) == ("vars.case", True)
