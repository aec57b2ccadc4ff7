"""The sample that `judgekit run` writes: practice before the real texts, and texts to try the rubric on."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from judgekit import stages
from judgekit.files.labels import key_path, read_events, read_key, read_sample
from judgekit.findings import LabelFacts
from judgekit.label_state import read_labels
from judgekit.labelling.opening import practice_tasks
from judgekit.sampling_stage import write_study_sample


@pytest.fixture
def drawn(make_study, kit):
    """A study whose sample is written as `run` writes it once the judge may be labelled for."""

    def make(name="small", **labels):
        labels = {"annotators": ["ana", "karim"], "n": 30, "repeats": 0.0, **labels}
        small = make_study(name, rows=kit.reply_rows(templates=4), labels=labels, calibration={"min_labels": 20})
        replies = stages.read_replies_of(small.study)
        rubrics = list(stages.rubrics_of(small.study).values())
        write_study_sample(small.space, rubrics, replies, stages.blind(replies, small.study).verified)
        return small

    return make


def test_raters_of_a_study_practise_first_and_nothing_of_it_counts(drawn, judgekit):
    """Three practice texts come first by default; they are in no label file, no key and no label of the study."""
    small = drawn()
    sample = small.space.sample
    opened = read_sample(sample)
    practice = {task.task_id for task in practice_tasks(opened)}
    texts = {task.text_hash for task in opened.tasks}
    assert len(practice) == 3
    assert not practice & set(read_key(key_path(sample)))
    assert not {task.text_hash for task in practice_tasks(opened)} & texts
    done = judgekit("label", sample, "--as", "ana", "--plain", lines=["5", "4", "3", "1", "2", "q"])
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("PRACTICE") == 3
    events = read_events(small.space.labels / "ana.jsonl")
    assert [event.value for event in events] == [1, 2]
    assert not practice & {event.task_id for event in events}
    assert sorted(label.value for label in read_labels(small.space).labels) == [1, 2]


def test_a_rater_who_stopped_halfway_is_still_asked(drawn, judgekit):
    """Somebody with texts left is waited for; once all are labelled, nobody is."""
    small = drawn()
    judgekit("label", small.space.sample, "--as", "ana", "--plain", lines=["1", "1", "1", "2", "2", "q"])
    state = read_labels(small.space)
    assert (state.per_annotator["ana"], state.unfinished) == (2, {"ana"})
    facts = LabelFacts(
        per_annotator={"ana": 2}, texts=2, sample="s.jsonl", raters=("ana",), unfinished=state.unfinished
    )
    assert facts.commands() == ("judgekit label s.jsonl --as ana",)
    judgekit("label", small.space.sample, "--as", "ana", "--plain", lines=["3"] * 40)
    assert read_labels(small.space).unfinished == frozenset()
    assert replace(facts, unfinished=frozenset()).commands() == ()


def test_a_study_can_do_without_practice_and_its_seal_does_not_know(drawn):
    """``labels.practice: 0`` and ``tryout: 0`` leave them out, draw the same sample, and decide nothing that is sealed."""
    small, without = drawn(), drawn("without", practice=0, tryout=0)
    one, other = read_sample(small.space.sample), read_sample(without.space.sample)
    assert one.tasks == other.tasks
    assert small.study.sealed_content() == without.study.sealed_content()
    assert practice_tasks(other) == ()
    assert other.extra["tryout"] == []


def test_tryout_works_on_a_study_sample(drawn, judgekit):
    """Two raters try the rubric on 20 texts beside the sample; the study sees no label in that."""
    small = drawn()
    sample = small.space.sample
    assert judgekit("tryout", sample, "--as", "ana", "--plain", lines=["5"] * 20).returncode == 0
    assert judgekit("tryout", sample, "--as", "karim", "--plain", lines=["2"] * 20).returncode == 0
    told = judgekit("tryout", sample)
    assert "20 differences on 20 texts" in told.stdout
    assert "no calibration" in told.stdout
    assert read_labels(small.space).labels == ()


def test_labels_of_a_study_go_out_wide_and_come_in_again(drawn, judgekit, tmp_path):
    """CSV and JSONL, long and wide: the scores of one study, imported into another with the same replies, are the same."""
    small = drawn()
    small.label("ana", "karim", only=12)
    given = {(x.item, x.annotator): x.value for x in read_labels(small.space).labels}
    for name, more in (("wide.csv", ["--wide"]), ("long.jsonl", [])):
        table = tmp_path / name
        assert judgekit("labels", "export", small.base, "-o", table, *more).returncode == 0
        other = drawn(f"other-{name[:4]}")
        done = judgekit("labels", "import", other.base, table, "--annotators", "ana,karim", *more)
        assert done.returncode == 0, done.stderr
        assert {(x.item, x.annotator): x.value for x in read_labels(other.space).labels} == given
    assert (tmp_path / "wide.csv").read_text(encoding="utf-8").splitlines()[0] == '"item","dimension","ana","karim"'
    again = judgekit("labels", "import", other.base, table, "--annotators", "ana")
    assert (again.returncode, "has labels already" in again.stderr) == (2, True)


@pytest.mark.parametrize(
    ("row", "names", "words"),
    [
        ("reply-9999,warmth,ana,3", "ana", "an item that the study does not have"),
        ("reply-0001,warmth,ana,9", "ana", "a score is off the scale"),
        ("reply-0001,warmth,ana,3", "ana,lee", "an annotator is not in the file"),
    ],
)
def test_ratings_that_do_not_fit_a_study_change_nothing(make_study, kit, judgekit, tmp_path, row, names, words):
    """Unknown items, scores off the scale and unknown names end with 2 and name the place; no label file appears."""
    small = make_study(rows=kit.reply_rows(templates=1))
    table = tmp_path / "ratings.csv"
    table.write_text(f"item,dimension,annotator,score\n{row}\n", encoding="utf-8")
    done = judgekit("labels", "import", small.base, table, "--annotators", names)
    assert done.returncode == 2
    assert words in done.stderr
    assert "ratings.csv" in done.stderr
    assert not list((small.base / "labels").glob("*"))


def test_a_study_stands_for_its_sample(drawn, make_study, kit, judgekit):
    """`label`, `tryout` and `adjudicate` take a study's folder or file; one without a sample says what to run."""
    small = drawn()
    for place in (small.base, small.file):
        assert judgekit("label", place, "--as", "ana", "--plain", lines=["5", "5", "5", "2", "q"]).returncode == 0
    assert [event.value for event in read_events(small.space.labels / "ana.jsonl")] == [2, 5, 5, 5, 2]
    assert "labelled by nobody yet" in judgekit("tryout", small.base).stdout
    assert judgekit("adjudicate", small.base, "--as", "lee", "--json").returncode == 0
    none = judgekit("label", make_study("none", rows=kit.reply_rows(templates=1)).base, "--as", "ana")
    assert none.returncode == 2
    assert "no sample to label yet" in none.stderr
    assert "judgekit run" in none.stderr


def test_texts_are_added_to_a_sample_that_was_labelled(drawn, judgekit):
    """``sample STUDY --add N``: labels and their order stay, the raters go on with the added texts, as if drawn at once."""
    small, whole = drawn(), drawn("whole", n=41, practice=0, tryout=0)
    sample = small.space.sample
    for who in ("ana", "karim"):
        done = judgekit("label", sample, "--as", who, "--plain", lines=["5"] * 3 + ["3"] * 30)
        assert done.returncode == 0, done.stderr
    given, before = read_labels(small.space), read_sample(sample)
    for n in (1, 10):
        said = judgekit("sample", small.base, "--add", n, "--json")
        assert (said.returncode, json.loads(said.stdout)["n"]) == (0, n), said.stderr
    after, keys = read_sample(sample), read_key(key_path(sample))
    assert set(before.tasks) < set(after.tasks)
    assert len(after.tasks) == len({task.text_hash for task in after.tasks}) == 41
    assert {key.item: key.inclusion_probability for key in keys.values()}.items() >= {
        key.item: pytest.approx(key.inclusion_probability)
        for key in read_key(key_path(whole.space.sample)).values()
        if key.item in {mine.item for mine in keys.values()}
    }.items()
    assert read_labels(small.space).labels == given.labels
    assert judgekit("label", sample, "--as", "ana", "--plain", lines=["1"] * 11).returncode == 0
    labels = read_labels(small.space)
    assert [label.value for label in labels.labels if label not in given.labels] == [1] * 11
    assert labels.per_annotator == {"ana": 41, "karim": 30}


def test_texts_are_not_added_to_what_has_changed(drawn, make_study, kit, judgekit):
    """No sample, other replies, another rubric, no text left, options that count for nothing: exit 2, nothing written."""

    def refused(small, words, *more):
        before = kit.listing(small.base)
        done = judgekit("sample", small.base, "--add", "5", *more)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert words in done.stderr
        assert kit.listing(small.base) == before

    refused(make_study("none", rows=kit.reply_rows(templates=1)), "there is no sample to add to yet")
    small = drawn()
    refused(small, "does nothing with --add", "--n", "7")
    item = next(iter(read_key(key_path(small.space.sample)).values())).item
    row = next(row for row in small.rows if row["id"] == item)
    text, row["text"] = row["text"], row["text"] + " Thanks."
    small.write()
    refused(small, "is not among the replies any more")
    row["text"] = text
    small.settings["rubrics"]["warmth"]["rubric"] = "quality"
    small.write()
    refused(small, "the rubric is not the one of this sample")
    small.settings["rubrics"]["warmth"]["rubric"] = "warmth"
    small.write()
    assert judgekit("sample", small.base, "--add", "500").returncode == 0
    refused(small, "no text is left to add")
    done = judgekit("sample", small.base, "--n", "5")
    assert (done.returncode, "give --output, --rubric, --annotators" in done.stderr) == (2, True)


def test_a_sample_too_small_to_calibrate_is_told_before_anybody_labels(make_study, kit):
    """50 labels are needed and 64 replies are fewer different texts: doctor, run and sample say so, and what to do first."""
    rows = [
        {**row, "text": re.sub(r"The \w+ \w+ leaves the house on \w+", "It leaves", row["text"])}
        for row in kit.reply_rows(templates=4)
    ]
    labels = {"annotators": ["ana", "karim"], "n": 200, "repeats": 0.0}
    small = make_study(rows=rows, labels=labels, calibration={"min_labels": 50})
    found = re.search(
        r"64 replies are (\d+) different blinded texts, and fewer than 50 labels", kit.command("doctor", small.base).out
    )
    assert found
    told, lacking = found.group(), 50 - int(found.group(1))
    ran = kit.command("run", small.base)
    assert (
        f"{told} cannot calibrate: collect more replies first, then judgekit sample {small.base} --add {lacking}"
        in ran.out
    )
    assert ran.out.index(told) < ran.out.index("people label: ")
    blinded = small.base / "b.jsonl"
    kit.command("blind", small.base / "replies.jsonl", "-o", blinded)
    drawn = kit.command(
        "sample", blinded, "-o", small.base / "s.jsonl", "--n", 10, "--rubric", "warmth", "--annotators", "ana"
    )
    assert f"{told} cannot calibrate" in drawn.err
    assert drawn.code == 0
