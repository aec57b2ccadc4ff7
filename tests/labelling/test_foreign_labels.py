"""Label Studio and Argilla exports become labels of a study: the same texts, the same scale, the same people, or not at all."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judgekit import stages
from judgekit.errors import BadInput, UsageProblem
from judgekit.files.labels import key_path, read_events, read_key, read_sample
from judgekit.label_import import import_labels
from judgekit.label_state import read_labels

DATA = Path(__file__).parents[1] / "importers" / "data"
STUDIO = DATA / "label_studio" / "export-1.23.2.json"
WHO = ("1=ana", "2=karim")
BOTH = {"warmth": {"rubric": "warmth", "role": "primary"}, "quality": {"rubric": "quality", "role": "secondary"}}


@pytest.fixture
def small(make_study):
    """The study whose replies were labelled in Label Studio and Argilla."""

    def make(name="small", **changes):
        with (DATA / "label_studio" / "replies.csv").open(encoding="utf-8") as handle:
            rows = [
                {
                    "id": r["id"], "text": r["reply"], "template_id": r["scenario"], "group": r["group"], "name": r["name"],
                    "context": r["message"], "known_names": r["known_names"],
                }
                for r in csv.DictReader(handle)
            ]  # fmt: skip
        return make_study(name, rows=rows, rubrics=BOTH, **changes)

    return make


def written(study):
    """Final labels: (item, dimension, annotator) to value."""
    return {(x.item, x.dimension, x.annotator): x.value for x in read_labels(study.space).labels}


def studio_file(tmp_path, study, answers, *, text="masked", field="item", at="2026-05-04T10:00:00Z", **annotation):
    """An export of Label Studio: ``answers`` are (item, rater, score)."""
    blinded = stages.blind(stages.read_replies_of(study), study).results
    raw = {r.id: r.text for r in stages.read_replies_of(study)}
    tasks = []
    for item, rater, score in answers:
        shown = {"masked": lambda i: blinded[i].text, "raw": raw.get, "none": lambda i: None}[text](item)
        answer = {"from_name": "warmth", "to_name": "t", "type": "rating", "value": {"rating": score}}
        made = {"id": 1, "completed_by": rater, "result": [answer], "created_at": at, "lead_time": 2.5, **annotation}
        tasks.append({"id": 9, "data": {field: item, **({"text": shown} if shown else {})}, "annotations": [made]})
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def test_a_real_export_becomes_labels_and_everything_else_is_counted(small):
    """Every label is that of the export; what is left out adds up with what was taken to what came in."""
    study = small()
    done = import_labels(study.study, STUDIO, WHO)
    assert done.labels == {"ana": 24, "karim": 20}
    assert (done.format, done.layout, done.rows_in, done.texts) == ("label-studio", "JSON", 94, 13)
    assert done.skipped == {
        "other question": 14, "given on a text that was not masked": 4, "given on another text than the study has": 4,
        "not a text of this study": 4, "given beside a model's answer": 4, "given twice, alike": 1,
    }  # fmt: skip
    assert sum(done.labels.values()) + sum(done.skipped.values()) + sum(done.dropped.values()) == done.rows_in
    tasks = json.loads(STUDIO.read_text(encoding="utf-8"))
    given = {
        (t["data"]["item"], r["from_name"], WHO[a["completed_by"] - 1][2:]): r["value"]
        for t in tasks for a in t["annotations"] for r in a["result"]
    }  # fmt: skip
    labels = written(study)
    assert len(labels) == 44
    for place, value in labels.items():
        said = given[place]
        assert value == (said["rating"] if "rating" in said else int(said["choices"][0]))
    assert not {item for item, _, _ in labels} & {"r06", "r07", "r08"}
    assert ("r09", "warmth", "ana") not in labels
    events = read_events(study.space.labels / "ana.jsonl")
    assert (events[0].ms, events[0].shown_at[:10], events[0].detail["from"]) == (3500, "2026-11-30", "label-studio")
    with pytest.raises(BadInput, match="has labels already"):
        import_labels(study.study, STUDIO, WHO)


def test_argilla_gives_the_labels_that_were_sent(small):
    """Drafts, discarded responses and answers beside a suggestion give no label; raters are user ids."""
    study = small()
    users = [f"00000000-0000-0000-0000-00000000{x}" for x in ("a1a1=ana", "b2b2=karim", "c3c3=lee")]
    done = import_labels(study.study, DATA / "argilla" / "flat-2.8.0.parquet", users[:2])
    assert (done.labels, done.others) == ({"ana": 9, "karim": 9}, {users[2].partition("=")[0]: 1})
    assert done.dropped == {
        "a model's suggestion, never a person's label": 6, "a draft": 1, "discarded by the rater": 1
    }  # fmt: skip
    assert not {item for item, _, _ in written(study)} & {f"r0{n}" for n in (1, 2, 3, 4, 5, 6, 8)}


def test_labels_given_otherwise_are_taken_only_when_asked(small):
    """Unmasked texts and a model's answers beside: left out, unless they are accepted by name; then each label says so."""
    study = small()
    with pytest.raises(UsageProblem, match="can be accepted"):
        import_labels(study.study, STUDIO, WHO, accept=["everything"])
    done = import_labels(study.study, STUDIO, WHO, accept=["unmasked", "suggested"])
    assert done.seen == {"unmasked": 4, "suggested": 4}
    assert "given on a text that was not masked" not in done.skipped
    seen = {(x.item, x.seen) for x in read_labels(study.space).labels if x.seen}
    assert seen == {("r06", "unmasked"), ("r09", "suggested"), ("r10", "suggested")}


def test_a_sample_labelled_elsewhere_keeps_its_tasks(make_study, kit, tmp_path):
    """Tasks of the drawn sample are found by their opaque id; a hidden repeat stays one, and counts for nothing."""
    from judgekit.sampling_stage import write_study_sample

    labels = {"annotators": ["ana", "karim"], "n": 30, "repeats": 0.2}
    study = make_study(rows=kit.reply_rows(templates=4), labels=labels, calibration={"min_labels": 20})
    replies = stages.read_replies_of(study.study)
    rubrics = list(stages.rubrics_of(study.study).values())
    write_study_sample(study.space, rubrics, replies, stages.blind(replies, study.study).verified)
    sample, keys = read_sample(study.space.sample), read_key(key_path(study.space.sample))
    tasks = [
        {
            "data": {"task_id": t.task_id, "text": t.text},
            "annotations": [{"completed_by": 1, "result": [{"from_name": "warmth", "value": {"rating": 1 + n % 5}}]}],
        }
        for n, t in enumerate(sample.tasks)
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    done = import_labels(study.study, path, ["1=ana"])
    repeats = [k for k in keys.values() if k.repeat_of is not None]
    assert (done.labels, done.outside_sample, len(repeats) > 0) == ({"ana": len(sample.tasks)}, 0, True)
    assert {e.task_id for e in read_events(study.space.labels / "ana.jsonl")} == {t.task_id for t in sample.tasks}
    assert len(written(study)) == len(sample.tasks) - len(repeats)


@pytest.mark.parametrize(
    ("answers", "more", "why"),
    [
        ([("r01", 1, 9)], {}, r"off the scale.*9|field.*9"),
        ([("r01", 1, 3), ("r01", 1, 4)], {}, "gave two scores to one text"),
        ([("r01", 2, 3)], {}, r"an annotator is not in the file.*2 \(1 answers\)|the raters are 2 \(1 answers\)"),
        ([("r01", 1, 3)], {"text": "raw"}, "no label could be used"),
        ([("r01", 1, 3)], {"field": "row"}, "the task does not say which text it is about: 1"),
        ([("r01", 1, 3)], {"was_cancelled": True}, "skipped by the rater: 1"),
    ],
)  # fmt: skip
def test_an_export_that_does_not_fit_writes_nothing(small, tmp_path, answers, more, why):
    """Off the scale, two scores of one rater, nobody of that name, no usable label: bad input with its place, no file."""
    study = small()
    path = studio_file(tmp_path, study.study, answers, **more)
    with pytest.raises(BadInput, match=why):
        import_labels(study.study, path, ["1=ana"])
    assert not (study.base / "labels").exists()


def test_choices_questions_and_ids_that_are_called_otherwise(small, tmp_path):
    """`--level`, `--rename` and `--item` say what the export calls otherwise."""
    study = small()
    path = studio_file(tmp_path, study.study, [("r01", 1, 4)], field="reply_no")
    tasks = json.loads(path.read_text())
    tasks[0]["annotations"][0]["result"] = [{"from_name": "tone", "value": {"choices": ["Rather warm"]}}]
    path.write_text(json.dumps(tasks))
    import_labels(
        study.study, path, ["1=ana"], rename={"tone": "warmth"}, levels={"Rather warm": "4"}, item_field="reply_no"
    )
    assert written(study) == {("r01", "warmth", "ana"): 4}


def test_labels_older_than_the_seal_are_told_at_once(small, tmp_path):
    """A label's own time counts: before anything is sealed, or after."""
    from judgekit.sealing import seal_study

    study = small()
    path = studio_file(tmp_path, study.study, [("r01", 1, 3)])
    done = import_labels(study.study, path, ["1=ana"])
    assert any("is not sealed yet" in note and "sealed_later" in note for note in done.notes)
    sealed = small("sealed")
    seal_study(sealed.space, lambda: datetime(2026, 5, 1, tzinfo=UTC))
    assert import_labels(sealed.study, path, ["1=ana"]).notes == ()
    path = studio_file(tmp_path, sealed.study, [("r01", 1, 3)], at="2026-04-30T23:00:00Z")
    assert "was sealed on 2026-05-01" in import_labels(sealed.study, path, ["1=karim"]).notes[0]


def test_a_table_that_names_another_rubric_or_text_is_refused(small, tmp_path):
    """An exported table carries both hashes; labels of something else do not come in by another name."""
    study = small()
    path = tmp_path / "ratings.csv"
    for column in ("text_hash", "rubric_hash"):
        path.write_text(f"item,dimension,annotator,score,{column}\nr01,warmth,ana,3,{'0' * 64}\n", encoding="utf-8")
        with pytest.raises(BadInput, match=f"given on another {column[:-5]}"):
            import_labels(study.study, path, ["ana"])
    assert not (study.base / "labels").exists()


def test_the_command_lists_raters_and_tells_what_it_left_out(small, kit):
    """Without names it lists who is there (2); with them it counts; Label Studio's CSV is sent back; --json is one document."""
    study = small()
    nobody = kit.command("labels", "import", study.base, STUDIO)
    assert (nobody.code, "1 (32 answers), 2 (43 answers)" in nobody.err) == (2, True)
    table = kit.command(
        "labels", "import", study.base, DATA / "label_studio" / "export-1.23.2.csv", "--annotators", "1=ana"
    )
    assert (table.code, "export the project as JSON" in table.err) == (2, True)
    done = kit.command("labels", "import", study.base, STUDIO, "--annotators", "1=ana")
    assert (done.code, done.out) == (0, "ana: 24 labels\n")
    assert "left out: 2, given on a text that was not masked (first: [5].annotations[0].result[0])" in done.err
    assert "raters not named: 2 43" in done.err
    more = kit.command("labels", "import", study.base, STUDIO, "--annotators", "2=karim", "--json")
    assert (more.json["labels"], more.json["others"], more.json["tool"]) == ({"karim": 20}, {"1": 32}, "Label Studio")


def test_when_and_how_labels_were_given_survives_an_export(small, tmp_path, kit):
    """A table that judgekit wrote is no way to wash labels: times and ways come with it, and need the same consent."""
    study, other = small(), small("other")
    import_labels(study.study, STUDIO, WHO, accept=["unmasked"])
    table = tmp_path / "ratings.csv"
    assert kit.command("labels", "export", study.base, "-o", table).code == 0
    done = import_labels(other.study, table, ["ana"])
    assert (done.skipped["given on a text that was not masked"], done.labels) == (2, {"ana": 24})
    assert any("is not sealed yet" in note for note in done.notes)
    assert import_labels(other.study, table, ["karim"], accept=["unmasked"]).seen == {"unmasked": 2}
    theirs, ours = (
        {
            (x.item, x.dimension): (x.value, x.labelled_at, x.seen)
            for x in read_labels(s.space).labels
            if x.annotator == "karim"
        }
        for s in (study, other)
    )
    assert theirs == ours
    with pytest.raises(UsageProblem, match="which column is the item"):
        import_labels(other.study, table, ["ana"], item_field="item")


def test_copied_answers_and_texts_shown_with_their_names_need_consent(small, tmp_path):
    """An answer copied from another one or imported is nobody's; a masked text beside the one with names was no mask."""
    study = small()
    raw = {r.id: r.text for r in stages.read_replies_of(study.study)}
    answers = [("r01", 1, 3), ("r02", 1, 4)]
    for mark in ({"parent_annotation": 4}, {"import_id": 9}, {"last_action": "propagated_annotation"}):
        path = studio_file(tmp_path, study.study, answers, **mark)
        with pytest.raises(BadInput, match="copied or imported in the tool, not given there: 2"):
            import_labels(study.study, path, ["1=ana"])
    tasks = json.loads(path.read_text())
    tasks[0]["data"]["original"] = raw["r01"]
    path.write_text(json.dumps(tasks))
    done = import_labels(study.study, path, ["1=ana"], accept=["copied"])
    assert (done.labels, done.skipped) == ({"ana": 1}, {"given on a text that was not masked": 1})
    assert [x.seen for x in read_labels(study.space).labels] == ["copied"]


def test_an_export_that_does_not_say_leaves_that_with_the_label(small, tmp_path, kit):
    """JSON-MIN hides what stood beside the text: each label says so, on its way through a table too."""
    study, other = small(), small("other")
    done = import_labels(study.study, STUDIO.with_name("export_min-1.23.2.json"), ["1=ana"], item_field="item")
    assert done.seen["unsaid"] == done.labels["ana"] > 0
    assert kit.command("labels", "export", study.base, "-o", tmp_path / "r.csv").code == 0
    assert import_labels(other.study, tmp_path / "r.csv", ["ana"]).seen == {"unsaid": done.labels["ana"]}


def test_one_person_is_not_two(small, tmp_path):
    """The same answers of the same moments under another name are refused, in one import or two; people who agree are not."""
    study = small()
    items = [f"r{n:02}" for n in range(1, 7)]

    def answers(rater, seconds):
        path = studio_file(tmp_path, study.study, [(item, rater, 3) for item in items])
        tasks = json.loads(path.read_text())
        for n, task in enumerate(tasks):
            task["annotations"][0]["created_at"] = f"2026-05-04T10:{n:02}:{seconds:02}Z"
        return tasks

    path = tmp_path / "export.json"
    path.write_text(json.dumps(answers(1, 7)))
    import_labels(study.study, path, ["1=ana"])
    with pytest.raises(BadInput, match="the labels of karim are those of ana"):
        import_labels(study.study, path, ["1=karim"])
    assert not (study.space.labels / "karim.jsonl").exists()
    path.write_text(json.dumps(answers(1, 8) + answers(2, 8)))
    with pytest.raises(BadInput, match="the labels of bo are those of lee"):
        import_labels(study.study, path, ["1=lee", "2=bo"])
    path.write_text(json.dumps(answers(2, 9)))
    assert import_labels(study.study, path, ["2=karim"]).labels == {"karim": 6}


def test_a_long_column_under_two_names_is_one_person(make_study, kit, tmp_path):
    """Without times it takes 40 equal labels over three levels; one that differs makes two people."""
    study = make_study(rows=kit.reply_rows(templates=6))
    items = [r.id for r in stages.read_replies_of(study.study)][:44]
    path = tmp_path / "wide.csv"
    rows = [f"{item},{1 + n % 4},{1 + n % 4},{2 if n == 0 else 1 + n % 4}" for n, item in enumerate(items)]
    path.write_text("\n".join(["item,ana,bo,lee", *rows]), encoding="utf-8")
    assert len(items) == 44
    with pytest.raises(BadInput, match="the labels of bo are those of ana"):
        import_labels(study.study, path, ["ana", "bo"], wide=True, rename={"score": "warmth"})
    assert import_labels(study.study, path, ["ana", "lee"], wide=True, rename={"score": "warmth"}).labels["lee"] > 40


def test_two_scores_for_one_text_in_a_table_are_refused(small, tmp_path):
    """Repeats and renamed dimensions meet on one text: two scores are bad input with their line, two equal ones count once."""
    study = small()
    path = tmp_path / "ratings.csv"
    rows = "item,dimension,annotator,score\nr01,warmth,ana,3\nr01,tone,ana,{}\n"
    path.write_text(rows.format(4), encoding="utf-8")
    with pytest.raises(BadInput, match="gave two scores to one text") as refused:
        import_labels(study.study, path, ["ana"], rename={"tone": "warmth"})
    assert refused.value.line == 3
    path.write_text(rows.format(3), encoding="utf-8")
    done = import_labels(study.study, path, ["ana"], rename={"tone": "warmth"})
    assert (done.labels, done.skipped["given twice, alike"]) == ({"ana": 1}, 1)


def test_scores_that_another_tool_gave_are_no_persons(small, tmp_path):
    """The columns in which `judgekit import` carries foreign scores name nobody."""
    path = tmp_path / "wide.csv"
    path.write_text("item,hf_tone_score\nr01,3\n", encoding="utf-8")
    with pytest.raises(UsageProblem, match="another tool's score is no person's label"):
        import_labels(small().study, path, ["hf_tone_score"], wide=True)


def test_an_import_that_breaks_off_leaves_no_rater_behind(small, monkeypatch):
    """All raters of a file or none: a full disk at the second one takes the first one's file away again."""
    from judgekit.errors import Unfinished
    from judgekit.files.labels import LabelFile

    study, append = small(), LabelFile.append

    def full(self, event):
        if event.annotator == "karim":
            raise Unfinished("the disk is full")
        return append(self, event)

    monkeypatch.setattr(LabelFile, "append", full)
    with pytest.raises(Unfinished):
        import_labels(study.study, STUDIO, WHO)
    assert not [p for p in study.space.labels.glob("*.jsonl") if not p.name.endswith(".key.jsonl")]
