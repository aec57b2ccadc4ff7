"""A sample goes out to Label Studio and Argilla without a name or group, and its labels come back to the same tasks."""

from __future__ import annotations

import json
import stat
from xml.etree import ElementTree as ET

import pytest

from judgekit import stages
from judgekit.files.labels import read_events, read_sample
from judgekit.labelling.elsewhere import studio_config
from judgekit.rubric import load_rubric
from judgekit.sampling_stage import write_study_sample


@pytest.fixture
def drawn(make_study, kit):
    """A study whose sample is written."""

    def make(name="small", **labels):
        labels = {"annotators": ["ana", "karim"], "n": 20, **labels}
        small = make_study(name, rows=kit.reply_rows(templates=4), labels=labels, calibration={"min_labels": 10})
        replies = stages.read_replies_of(small.study)
        rubrics = list(stages.rubrics_of(small.study).values())
        write_study_sample(small.space, rubrics, replies, stages.blind(replies, small.study).verified)
        return small

    return make


def test_tasks_hold_masked_texts_alone_and_labels_come_back(drawn, kit, tmp_path):
    """No id, group, name or template leaves; answers by opaque task id become labels of the sample's own tasks."""
    small = drawn()
    out = tmp_path / "tasks.json"
    done = kit.command("labels", "tasks", small.base, "-o", out, "--json")
    assert (done.code, done.json["tasks"]) == (0, len(read_sample(small.space.sample).tasks))
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    tasks = json.loads(out.read_text(encoding="utf-8"))
    assert all(set(t["data"]) == {"task_id", "text", "message", "rubric_hash"} for t in tasks)
    told = out.read_text(encoding="utf-8")
    for row in small.rows:
        assert row["id"] not in told
        assert row["name"].split()[0] not in told
    view = ET.parse(out.with_suffix(".xml")).getroot()
    assert [c.get("value") for c in view.iter("Choice")] == ["1", "2", "3", "4", "5"]
    for task in tasks:
        assert task["data"]["rubric_hash"] == read_sample(small.space.sample).rubric_hash
        answer = {"from_name": "warmth", "type": "choices", "value": {"choices": ["4"]}}
        task["annotations"] = [{"completed_by": 1, "result": [answer], "created_at": "2099-01-01T00:00:00Z"}]
    export = tmp_path / "export.json"
    other = [{**tasks[0], "data": {**tasks[0]["data"], "rubric_hash": "0" * 64}}]
    export.write_text(json.dumps(other), encoding="utf-8")
    refused = kit.command("labels", "import", small.base, export, "--annotators", "1=ana")
    assert (refused.code, "given with another rubric" in refused.err) == (2, True)
    export.write_text(json.dumps(tasks), encoding="utf-8")
    done = kit.command("labels", "import", small.base, export, "--annotators", "1=ana", "--json").json
    assert (done["labels"], done["skipped"], done["outside_sample"]) == ({"ana": len(tasks)}, {}, 0)
    assert {e.task_id for e in read_events(small.space.labels / "ana.jsonl")} == {t["data"]["task_id"] for t in tasks}


def test_a_text_that_is_not_blind_does_not_leave(drawn, kit, tmp_path):
    """The verifier is asked again for every task: a sample edited by hand writes nothing (6)."""
    small = drawn()
    lines = small.space.sample.read_text(encoding="utf-8").splitlines()
    task = json.loads(lines[3])
    lines[3] = json.dumps({**task, "text": "Dear Mr. Miller, she called Mrs. Smith."})
    small.space.sample.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = kit.command("labels", "tasks", small.base, "-o", tmp_path / "tasks.json")
    assert (done.code, list(tmp_path.glob("tasks*"))) == (6, [])


def test_one_raters_records_for_argilla_and_wrong_wishes(drawn, kit, tmp_path):
    """`--as` takes the rater's own tasks; other tools, names, endings and languages are refused (2), each for its reason."""
    small = drawn(overlap=0.5)
    out = tmp_path / "records.json"
    assert kit.command("labels", "tasks", small.base, "-o", out, "--for", "argilla", "--as", "ana").code == 0
    records = json.loads(out.read_text(encoding="utf-8"))
    assert {r["id"] for r in records} == set(read_sample(small.space.sample).assigned["ana"])
    assert not out.with_suffix(".xml").exists()
    for more, why in (
        (["--for", "doccano"], "no such tool"), (["--as", "nobody"], "no such annotator"),
        (["-o", tmp_path / "tasks.csv"], "no .json file"), (["-o", out], "the output exists"),
        (["--lang", "fr"], "not in this language"), (["--for", "argilla", "--lang", "es"], "in no language"),
    ):  # fmt: skip
        done = kit.command("labels", "tasks", small.base, "-o", tmp_path / "new.json", *more)
        assert (done.code, why in done.err) == (2, True), (more, done.err)
    assert not list(tmp_path.glob("new*"))


def test_anchors_are_escaped_in_the_interface():
    """Quotes, angle brackets and line breaks of a rubric stay text in both languages."""
    for lang in ("en", "es"):
        view = ET.fromstring(studio_config([load_rubric("warmth")], lang))
        hints = [c.get("hint") for c in view.iter("Choice")]
        anchors = load_rubric("warmth").criteria[0].anchors[lang]
        assert hints == [" ".join(anchors[level].split()) for level in range(1, 6)]
