"""Points 8, 18 and 25: what is told at the end, adjudication, tryout, export."""

from __future__ import annotations

import csv
import json
import os

import pytest

from judgekit.files.labels import key_path, read_events, read_key, read_sample
from judgekit.labelling.adjudication import adjudicated_labels, dispute_steps, distance_of, find_disputes
from judgekit.labelling.order import order_for
from judgekit.labelling.results import COLUMNS


@pytest.fixture
def rate(judgekit):
    """Let an annotator label everything: a function of the text gives the key."""

    def label(sample, name, score):
        opened = read_sample(sample)
        wanted = set(opened.assigned[name])
        order = order_for([t for t in opened.tasks if t.task_id in wanted], seed=opened.seed, annotator=name)
        done = judgekit("label", sample, "--as", name, "--plain", lines=[score(task) for task in order])
        assert done.returncode == 0, done.stderr
        return done

    return label


def by_number(shift=0, *, repeat_shift=0):
    """Scores that follow the text's number, a repeat perhaps otherwise."""

    def score(task):
        number = int("".join(filter(str.isdigit, task.text.partition("number")[2])))
        return str(1 + (number + shift + (repeat_shift if task.repeat_of else 0)) % 5)

    return score


def texts_of(sample):
    """Task id to text."""
    return {task.task_id: task.text for task in read_sample(sample).tasks}


def test_point_08_self_agreement_is_told_at_the_end(make_sample_file, rate):
    """Repeats count apart: the same scores give kappa 1, others less; with whole numbers of pairs."""
    sample = make_sample_file(60, repeats=0.10)
    same = rate(sample, "ana", by_number())
    assert "warmth: 10 of 10 the same, kappa 1.00" in same.stdout
    other = rate(sample, "karim", by_number(repeat_shift=1))
    assert "warmth: 0 of 10 the same" in other.stdout
    assert "Time per item: median" in other.stdout


def test_point_08_only_the_first_label_counts(make_sample_file, rate):
    """Scores of hidden repeats do not enter agreement between people."""
    sample = make_sample_file(60, repeats=0.10)
    rate(sample, "ana", by_number())
    done = rate(sample, "karim", by_number(repeat_shift=2))
    assert "warmth, ana and karim: kappa 1.00" in done.stdout
    assert "n 60" in done.stdout


def test_point_18_others_only_when_all_are_done_or_revealed(make_sample_file, rate, judgekit):
    """The first to finish is told to wait; the last sees agreement; --reveal shows it earlier and is stored."""
    sample = make_sample_file(12)
    first = rate(sample, "ana", by_number())
    assert "shown when all have finished" in first.stdout
    assert "karim" not in first.stdout
    judgekit("label", sample, "--as", "karim", "--plain", lines=["3", "q"])
    again = judgekit("label", sample, "--as", "ana", "--plain")
    assert "shown when all have finished" in again.stdout
    revealed = judgekit("label", sample, "--as", "ana", "--plain", "--reveal")
    assert "ana and karim: kappa" in revealed.stdout
    seen = read_events(sample.parent / "labels" / "ana.jsonl")[-1]
    assert (seen.event, seen.value, seen.detail["revealed"]) == ("note", "", True)
    judgekit("label", sample, "--as", "karim", "--plain", "--reveal", lines=["2", "q"])
    events = read_events(sample.parent / "labels" / "karim.jsonl")
    assert [event.detail.get("reveal") for event in events] == [None, True]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser reads every file")
def test_labels_of_another_user_are_left_out(make_sample_file, rate):
    """A file that may not be read is nobody's business: the wait message stands."""
    sample = make_sample_file(12)
    rate(sample, "ana", by_number())
    (sample.parent / "labels" / "ana.jsonl").chmod(0)
    assert "shown when all have finished" in rate(sample, "karim", by_number()).stdout


def test_point_25_disputes_beyond_a_distance(make_sample_file, rate, build):
    """Only texts with scores at least the distance apart; letters and order are random but seeded; nominal: any."""
    sample = make_sample_file(40)
    rate(sample, "ana", by_number())
    rate(sample, "karim", by_number(1))
    opened = read_sample(sample)
    from judgekit.labelling.opening import rubrics_of

    rubrics = rubrics_of(opened, sample)
    everybody = {name: read_events(sample.parent / "labels" / f"{name}.jsonl") for name in ("ana", "karim")}
    near, far = (find_disputes(everybody, opened, rubrics, distance=d, seed=1) for d in (1, 2))
    assert len(near) == 40
    assert {d.distance for d in far} == {4}
    assert len(far) == sum(int(t.split("number ")[1][:-1]) % 5 == 4 for t in texts_of(sample).values())
    first = {d.scores[0][0] for d in near}
    assert first == {"ana", "karim"}
    assert [d.task.task_id for d in near] != [t.task_id for t in opened.tasks]
    assert near == find_disputes(everybody, opened, rubrics, distance=1, seed=1)
    for step in dispute_steps(far):
        assert [letter for letter, _ in step.raters] == ["A", "B"]
        assert "ana" not in str(step.raters)
    assert distance_of(build.nominal(), ["yes", "no"]) == 1
    assert distance_of(build.nominal(), ["no", "no"]) == 0


def test_point_25_adjudication_adds_a_third_record(make_sample_file, rate, judgekit):
    """Originals stay byte for byte; raters are A and B; restart goes on; a rater may not adjudicate."""
    sample = make_sample_file(20)
    rate(sample, "ana", by_number())
    rate(sample, "karim", by_number(2))
    labels = sample.parent / "labels"
    originals = {name: (labels / f"{name}.jsonl").read_bytes() for name in ("ana", "karim")}
    count = json.loads(judgekit("adjudicate", sample, "--as", "lee", "--json").stdout)
    assert count["disputes"] == 20
    refused = judgekit("adjudicate", sample, "--as", "ana", "--plain")
    assert refused.returncode == 2
    first = judgekit("adjudicate", sample, "--as", "lee", "--plain", lines=["3", "4", "q"])
    assert first.returncode == 0, first.stderr
    assert "They gave: A " in first.stdout
    assert "ana" not in first.stdout
    assert "karim" not in first.stdout
    rest = judgekit("adjudicate", sample, "--as", "lee", "--plain", lines=["1"] * 18)
    assert "All done" in rest.stdout
    decided = read_events(labels / "adjudicated" / "lee.jsonl")
    assert len(decided) == 20
    assert set(decided[0].detail["raters"]) == {"A", "B"}
    for name, content in originals.items():
        assert (labels / f"{name}.jsonl").read_bytes() == content
    everybody = {name: read_events(labels / f"{name}.jsonl") for name in originals}
    final = adjudicated_labels(everybody, decided, read_sample(sample))
    assert len(final) == 20
    assert sorted(final.values())[:18] == [1] * 18


def test_point_25_nothing_is_made_up_where_nobody_adjudicated(make_sample_file, rate):
    """A difference below the distance gives no adjudicated label; equal scores do."""
    sample = make_sample_file(10)
    rate(sample, "ana", by_number())
    rate(sample, "karim", lambda task: by_number()(task) if "number 3" in task.text else by_number(1)(task))
    everybody = {n: read_events(sample.parent / "labels" / f"{n}.jsonl") for n in ("ana", "karim")}
    final = adjudicated_labels(everybody, [], read_sample(sample))
    assert list(final.values()) == [4]


def test_point_25_export_one_row_per_decision(make_sample_file, judgekit, tmp_path):
    """Every field is there, skips have a reason and no score, JSONL comes back exactly, CSV is safe to open."""
    sample = make_sample_file(4)
    judgekit(
        "label", sample, "--as", "ana", "--plain", lines=["f", "n", "=HYPERLINK(1)", "4", "s", "1", "5", "u", "2", "q"]
    )
    out = tmp_path / "out.jsonl"
    assert judgekit("labels", "export", sample, "-o", out).returncode == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [set(row) for row in rows] == [set(COLUMNS)] * 3
    keys = read_key(key_path(sample))
    assert [row["item"] for row in rows] == [keys[row["task_id"]].item for row in rows]
    assert [(r["score"], r["skipped"], r["flag"], r["note"]) for r in rows] == [
        (4, None, True, "=HYPERLINK(1)"), (None, "unreadable", False, ""), (2, None, False, ""),
    ]  # fmt: skip
    for row in rows:
        assert row["annotator"] == "ana"
        assert row["ms"] >= 0
        assert row["shown_at"].endswith("Z")
        assert row["version"]
        assert len(row["sample_hash"]) == len(row["rubric_hash"]) == len(row["text_hash"]) == 64
    assert [row["position"] for row in rows] == [1, 2, 3]
    assert judgekit("labels", "export", sample, "-o", out).returncode == 2
    assert judgekit("labels", "export", sample, "-o", out, "--force").returncode == 0
    table = tmp_path / "out.csv"
    judgekit("labels", "export", sample, "-o", table)
    cells = list(csv.DictReader(table.read_text(encoding="utf-8-sig").splitlines()))
    assert cells[0]["note"] == "'=HYPERLINK(1)"
    assert [row["score"] for row in cells] == ["4", "", "2"]


def test_point_25_wide_export_reads_as_ratings(make_sample_file, rate, judgekit, tmp_path):
    """The wide table has one row per text and goes into `judgekit agree`."""
    sample = make_sample_file(60, repeats=0.10)
    rate(sample, "ana", by_number())
    rate(sample, "karim", by_number(repeat_shift=3))
    out = tmp_path / "wide.csv"
    judgekit("labels", "export", sample, "-o", out, "--wide")
    rows = list(csv.DictReader(out.read_text(encoding="utf-8-sig").splitlines()))
    assert len(rows) == 60
    assert set(rows[0]) == {"item", "dimension", "ana", "karim"}
    agreed = judgekit(
        "agree",
        out,
        "--judge-col",
        "ana",
        "--human-cols",
        "karim",
        "--levels",
        "1,2,3,4,5",
        "--weights",
        "quadratic",
        "--json",
    )
    assert json.loads(agreed.stdout)["pairs"][0]["kappa"] == 1


def test_export_without_labels_or_key(make_sample_file, judgekit, tmp_path):
    """Nobody has labelled, or the key is gone: said, nothing written."""
    sample = make_sample_file(3)
    assert "nobody has labelled" in judgekit("labels", "export", sample, "-o", tmp_path / "o.csv").stderr
    key_path(sample).unlink()
    assert judgekit("labels", "export", sample, "-o", tmp_path / "o.csv").returncode == 2
    assert not (tmp_path / "o.csv").exists()


def test_tryout_shows_differences_side_by_side(make_sample_file, judgekit):
    """Two people on texts outside the sample; their differences with text and anchors; said to be no calibration."""
    sample = make_sample_file(10, texts=[f"reply number {k}" for k in range(18)], tryout=6)
    in_sample = set(texts_of(sample).values())
    for name, score in (("ana", "2"), ("karim", "4")):
        done = judgekit("tryout", sample, "--as", name, "--plain", lines=["3", *[score] * 5])
        assert "All done" in done.stdout, done.stderr
    shown = judgekit("tryout", sample)
    assert "no calibration" in shown.stdout
    assert "on 6 texts; labelled by ana, karim" in shown.stdout
    document = json.loads(judgekit("tryout", sample, "--json").stdout)
    assert document["calibration"] is False
    assert 4 <= len(document["differences"]) <= 6
    assert all(d["text"] not in in_sample for d in document["differences"])
    assert not (sample.parent / "labels" / "ana.jsonl").exists()
    bare = make_sample_file(5, name="bare.jsonl")
    assert "no texts to try" in judgekit("tryout", bare, "--as", "ana").stderr
