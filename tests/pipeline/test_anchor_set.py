"""A build in CI: a frozen labelled set is judged again, and decides whether this build's scores may be reported."""

from __future__ import annotations

import hashlib
import json

import pytest

from judgekit.anchor_freeze import freeze_anchors
from judgekit.anchoring import anchored
from judgekit.errors import BadInput, UsageProblem
from judgekit.files.anchor_set import anchor_digest, read_anchor_set
from judgekit.files.chain import head
from judgekit.files.ledger import Ledger
from judgekit.files.seal import read_seals
from judgekit.records import Undefined


@pytest.fixture(scope="session")
def frozen(calibrated_study, tmp_path_factory):
    """The labels of a calibrated study, frozen."""
    path = tmp_path_factory.mktemp("anchors") / "anchors.jsonl"
    done = freeze_anchors(calibrated_study.study, path)
    assert (done.texts, done.labels, done.stale) == (64, {"ana": 64, "karim": 64}, 0)
    return path


@pytest.fixture
def build(make_study, frozen, kit):
    """Make a build: new replies, no labels of their own, the frozen set beside them."""

    def make(name="build", *, colder=1, **changes):
        rows = kit.reply_rows(templates=4, replicates=1, colder={"women": colder})
        for n, row in enumerate(rows):
            row["text"] = row["text"].replace("leaves the house", "is on its way") + f" Door {n % 9}."
        small = make_study(name, rows=rows, labels={"scope": "anchors", "anchors": "anchors.jsonl"}, **changes)
        (small.base / "anchors.jsonl").write_bytes(frozen.read_bytes())
        return small

    return make


def redone(path, rows):
    """Another set in the place of a frozen one: these lines, with the digest that belongs to them."""
    rows[0]["digest"] = anchor_digest(rows[0], rows[1:])
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def rows_of(path):
    """The lines of a set."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def codes(outcome):
    """Why the judge is refused."""
    return {reason.code for refused in outcome.findings.refused for reason in refused.reasons}


def test_a_build_needs_no_new_labels(build):
    """The judge is calibrated by the anchors, the gap corrected by them, and no sample is asked for."""
    small = build()
    found = small.run().findings
    assert not found.refused
    (gap,) = [g for g in found.gaps if g.kind == "judged"]
    assert "bias on anchors" in gap.corrected.method
    assert gap.human_only is None
    assert not found.human_gaps
    assert not isinstance(gap.corrected.interval, Undefined)
    raw = gap.raw
    if raw is not None:
        assert gap.corrected.interval.high - gap.corrected.interval.low > raw.interval.high - raw.interval.low
    assert any("anchor texts of small" in note for note in gap.notes)
    assert found.labels.anchors["texts"] == found.labels.texts == 64
    assert found.labels.commands() == ()
    assert not small.space.sample.exists()


@pytest.mark.slow
def test_each_build_judges_the_anchors_anew(build):
    """The same build asks nothing twice; other replies ask about every anchor again."""
    small = build()
    small.run()

    def asked():
        with Ledger.open(small.space.ledger, read_only=True) as ledger:
            return len({task.request_key for task in ledger.tasks(superseded=True)})

    before = asked()
    small.run()
    assert asked() == before
    small.rows[0]["text"] += " Thanks."
    small.write()
    small.run()
    assert asked() >= before + 64


@pytest.mark.slow
def test_the_gate_reads_the_anchors(build, kit):
    """`gate`, `calibrate` and `gap` work on such a study, and a fresh checkout asks the judge again."""
    small = build()
    assert kit.command("run", small.base, "--json").code == 0
    assert kit.command("calibrate", small.base, "--json").json["calibrated"][0]["evidence"]["anchors"]
    gap = kit.command("gap", small.base, "--metric", "warmth", "--json").json["contrasts"][0]
    assert gap["estimates"]["corrected"] is not None
    assert gap["estimates"]["human_only"] is None
    assert kit.command("gate", small.base, "--json").code in {0, 1, 4}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("calibration.human_kappa", 0.50, "sealed_later"),
        ("labels.annotators", ["ana"], "sealed_later"),
        ("judge.spec", "python:planted_judges:constant", "uninformative"),
    ],
)
def test_what_the_labels_were_given_for_must_hold(build, planted, path, value, code):
    """Other thresholds than those sealed before the labels, fewer raters, or a judge that fails on the anchors: refused."""
    planted("constant")
    small = build()
    small.change(path, value)
    assert code in codes(small.run())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("text", "texts_changed"),
        pytest.param("rubric", "rubric_changed", marks=pytest.mark.slow),
        pytest.param("blinding", "texts_changed", marks=pytest.mark.slow),
    ],
)
def test_stale_anchors_are_refused(build, change, code):
    """A text, a rubric or a blinding that is not the one people labelled under."""
    small = build()
    path = small.base / "anchors.jsonl"
    rows = rows_of(path)
    if change == "text":
        rows[1]["text"]["text"] += " Also."
    elif change == "rubric":
        for row in rows:
            if "label" in row:
                row["label"]["rubric_hash"] = "0" * 64
    else:
        rows[0]["blinding_version"] = "0"
    redone(path, rows)
    assert code in codes(small.run())


@pytest.mark.slow
def test_another_set_after_the_first_score_is_a_late_decision(build):
    """Exchanging the yardstick once scores are known is seen, even under the same name."""
    small = build()
    small.run()
    path = small.base / "anchors.jsonl"
    rows = rows_of(path)
    rows[0]["study"] = "other"
    redone(path, rows)
    assert "sealed_later" in codes(small.run())


def test_a_broken_set_is_bad_input(build, kit, calibrated_study):
    """Missing, cut, or no anchor set at all: exit 2 before anything is written; a set is frozen from labels only."""
    small = build()
    path = small.base / "anchors.jsonl"
    whole = path.read_text(encoding="utf-8")
    for text in ("".join(whole.splitlines(keepends=True)[:-1]), '{"id": "1"}\n'):
        path.write_text(text, encoding="utf-8")
        before = kit.listing(small.base)
        assert kit.command("run", small.base).code == 2
        assert kit.listing(small.base) == before
    path.unlink()
    assert kit.command("run", small.base).code == 2
    with pytest.raises(UsageProblem):
        freeze_anchors(small.study, path)
    small.settings["labels"] = {"scope": "anchors"}
    small.save()
    assert kit.command("run", small.base).code == 2
    with pytest.raises(BadInput):
        read_anchor_set(calibrated_study.base / "replies.jsonl")


def test_an_edited_set_is_seen(build, kit, calibrated_study):
    """A score or a threshold edited by hand ends with 2; with a new digest the study's pin still sees it."""
    small = build()
    path = small.base / "anchors.jsonl"
    whole, rows = path.read_bytes(), rows_of(path)
    assert rows[0]["label_heads"]["ana"] == head(calibrated_study.space.labels / "ana.jsonl")[1]
    assert rows[0]["seal"] == read_seals(calibrated_study.space.seals)[-1].hash
    small.change("labels.anchors_sha256", hashlib.sha256(whole).hexdigest())
    assert small.study.sealed_content()["labels"]["anchors_sha256"] == hashlib.sha256(whole).hexdigest()
    assert anchored(small.study).source.texts

    def edits():
        label = next(row for row in rows if "label" in row)["label"]
        label["value"] = 1 if label["value"] != 1 else 2
        yield
        rows[0]["decided"]["calibration"]["human_kappa"] = 0.1
        yield
        del rows[0]["digest"]
        yield

    for _ in edits():
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        with pytest.raises(BadInput, match="changed after it was frozen"):
            anchored(small.study)
    redone(path, rows)
    said = kit.command("run", small.base)
    assert said.code == 2
    assert "labels.anchors_sha256" in said.err


def test_freezing_from_the_command_line(calibrated_copy, kit, tmp_path):
    """`labels freeze` says what to put into the study, writes no name, and overwrites nothing."""
    out = tmp_path / "a.jsonl"
    said = kit.command("labels", "freeze", calibrated_copy.base, "-o", out)
    assert said.code == 0
    assert "scope: anchors" in said.err
    assert hashlib.sha256(out.read_bytes()).hexdigest() in said.err
    text = out.read_text(encoding="utf-8")
    assert not any(name.split()[0] in text for name in ("Anna Novak", "Marco Silva"))
    assert kit.command("labels", "freeze", calibrated_copy.base, "-o", out).code == 2
