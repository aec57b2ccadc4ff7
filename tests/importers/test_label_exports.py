"""Exports of Label Studio and Argilla: whose answers they are, and what is no person's finished score."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from judgekit.errors import BadInput
from judgekit.foreign.imported import Request
from judgekit.importers.formats import detect, open_foreign

DATA = Path(__file__).with_name("data")
STUDIO = DATA / "label_studio" / "export-1.23.2.json"
STUDIO_MIN = DATA / "label_studio" / "export_min-1.23.2.json"
ARGILLA = [DATA / "argilla" / name for name in ("flat-2.8.0.jsonl", "flat-2.8.0.parquet", "records-2.8.0.json")]
ANA, KARIM, LEE = (f"00000000-0000-0000-0000-00000000{x}" for x in ("a1a1", "b2b2", "c3c3"))


def taken(path, **wanted):
    """The labels of an export, and the account of the rest."""
    reading = open_foreign(Request(path=str(path), **wanted), "labels")
    rows = list(reading.rows)
    reading.tally.check()
    return rows, reading.tally, reading.source


def dropped(tally):
    """Reasons with their numbers."""
    return {reason: found.n for reason, found in tally.dropped.items()}


def test_label_studio_answers_keep_rater_question_time_and_what_was_shown():
    """Compared with the export: one label per answer; text answers, a skipped task and predictions are counted apart."""
    rows, tally, source = taken(STUDIO)
    tasks = json.loads(STUDIO.read_text(encoding="utf-8"))
    expected = [
        (t["data"]["item"], str(a["completed_by"]), r["from_name"], a["lead_time"] * 1000)
        for t in tasks for a in t["annotations"] for r in a["result"] if r["type"] != "textarea"
    ]  # fmt: skip
    assert [(r["item"], r["annotator"], r["dimension"], r["ms"]) for r in rows] == expected
    assert Counter((r["annotator"], r["dimension"]) for r in rows) == {
        ("1", "warmth"): 16, ("1", "quality"): 16, ("2", "warmth"): 15, ("2", "quality"): 14, ("2", "seconds"): 14
    }  # fmt: skip
    assert dropped(tally) == {
        "not a score (textarea)": 16, "skipped by the rater": 1, "a model's prediction, never a person's label": 2
    }  # fmt: skip
    assert (tally.rows_in, tally.rows_out, source.layout) == (94, 75, "JSON")
    assert rows[0]["at"] == tasks[0]["annotations"][0]["created_at"][:23] + "Z"
    assert rows[0]["shown"][1] == tasks[0]["data"]["text"]
    beside = {(r["item"], r["dimension"]) for r in rows if r["suggested"]}
    assert beside == {("r09", "warmth"), ("r10", "warmth")}


def test_label_studio_json_min_gives_the_same_scores():
    """The flat export has the same answers, when the questions answered in words are named; its own number is no id."""
    whole = {(r["item"], r["annotator"], r["dimension"], str(r["score"])) for r in taken(STUDIO)[0]}
    rows, tally, source = taken(STUDIO_MIN, options={"questions": ("quality", "warmth")})
    assert {(r["item"], r["annotator"], r["dimension"], str(r["score"])) for r in rows} == whole
    assert (source.layout, tally.rows_out, len(tally.notes)) == ("JSON-MIN", 75, 1)
    assert {r["item"] for r in rows} >= {"r01", "not-in-the-study"}


def test_argilla_responses_are_labels_and_suggestions_never_are():
    """Flat and nested: drafts and discarded ones are left out where the export tells them, suggestions always."""
    for path in ARGILLA:
        rows, tally, source = taken(path)
        by = Counter((r["annotator"], r["dimension"]) for r in rows)
        flat = source.layout == "flat records"
        assert by == {
            (ANA, "warmth"): 16, (KARIM, "warmth"): 14 if flat else 16, (LEE, "warmth"): 1, (ANA, "comment"): 16
        }  # fmt: skip
        assert dropped(tally) == {
            "a model's suggestion, never a person's label": 6,
            **({"a draft": 1, "discarded by the rater": 1} if flat else {}),
        }
        assert bool(tally.notes) is not flat
        assert {r["item"] for r in rows if r["suggested"]} == {f"r0{n}" for n in range(1, 7)}
        assert all(any("[PERSON_1]" in text for text in r["shown"]) for r in rows)


def test_raters_are_known_by_number_and_by_address(tmp_path):
    """Exports that hold people's details name them too; the number is what is kept."""
    path = tmp_path / "export.json"
    answer = {"from_name": "warmth", "type": "choices", "value": {"choices": ["4"]}}
    annotation = {"completed_by": {"id": 7, "email": "ana@example.org"}, "result": [answer]}
    path.write_text(json.dumps([{"data": {"id": "a"}, "annotations": [annotation]}]))
    row = taken(path)[0][0]
    assert (row["annotator"], row["also"], row["score"], row["at"]) == ("7", ("ana@example.org",), "4", "")


@pytest.mark.parametrize(
    ("task", "why"),
    [
        ({"data": {"id": "a"}, "annotations": [{"completed_by": 1, "result": 3}]}, r"\[0\]\.annotations\[0\]"),
        ({"data": {"id": "a"}, "annotations": [{"completed_by": 1, "result": [7]}]}, r"result\[0\]"),
        ({"data": [], "annotations": []}, "this is no Label Studio export"),
        ({"data": {}, "annotations": ["x"]}, "an annotation is an object"),
    ],
)
def test_what_label_studio_would_not_write_is_told_with_its_place(tmp_path, task, why):
    """Broken and hand-made files end as bad input, never in a traceback."""
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task]), encoding="utf-8")
    with pytest.raises(BadInput, match=why):
        list(open_foreign(Request(path=str(path)), "labels", "label-studio").rows)


def test_odd_answers_are_counted_and_not_guessed(tmp_path):
    """Several choices, no rater, no id, an unfinished list: each has its reason; a cut file is bad input."""
    path = tmp_path / "export.json"

    def said(value, by=1, **data):
        return {"data": data, "annotations": [{"completed_by": by, "result": [{"from_name": "q", "value": value}]}]}

    tasks = [
        said({"choices": ["a", "b"]}, id="x"),
        said({"rating": 3}, None, id="x"),
        said({"rating": 3}),
        said({}, id="x"),
    ]
    path.write_text(json.dumps(tasks), encoding="utf-8")
    rows, tally, _ = taken(path)
    assert (rows, tally.rows_in) == ([], 4)
    assert set(dropped(tally)) == {
        "several choices for one question", "no rater is named", "the task does not say which text it is about",
        "not a score (unknown)",
    }  # fmt: skip
    path.write_text(json.dumps(tasks)[:-30], encoding="utf-8")
    with pytest.raises(BadInput, match="the file ends within"):
        taken(path)


def test_labels_are_not_replies_and_replies_no_labels():
    """Each command points to the other when it is given the other's file."""
    with pytest.raises(BadInput, match="labels import"):
        detect(str(STUDIO), "replies")
    with pytest.raises(BadInput, match="judgekit import"):
        detect(str(DATA / "deepeval" / "run-4.3.1.json"), "labels")


def test_lists_where_a_tool_writes_words_do_no_harm(tmp_path):
    """A rater, a last action and a status that are lists name nobody and say nothing; the rows add up."""
    answer = {"from_name": "warmth", "value": {"rating": 3}}
    given = [
        {"completed_by": by, "last_action": [], "result": [answer]} for by in (5, {"id": []}, {"id": [], "email": "a"})
    ]
    studio, records = tmp_path / "studio.json", tmp_path / "records.json"
    studio.write_text(json.dumps([{"data": {"item": "r01"}, "annotations": given}]), encoding="utf-8")
    responses = {"warmth": [{"value": 3, "user_id": "u", "status": []}]}
    records.write_text(
        json.dumps([{"id": "r01", "fields": {}, "responses": responses, "suggestions": {}}]), encoding="utf-8"
    )
    for path, raters, nobody in ((studio, ["5", "a"], 1), (records, ["u"], 0)):
        reading = open_foreign(Request(path=str(path)), "labels")
        assert [row["annotator"] for row in reading.rows] == raters
        assert reading.tally.dropped_total == nobody
        reading.tally.check()
