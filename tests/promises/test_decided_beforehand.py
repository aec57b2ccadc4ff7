"""Promise 6: thresholds, primary metric, margins, groups and who decided are sealed before the first label or score."""

import json

import pytest

from judgekit.files.seal import changes, read_seals


def late(findings):
    """Decisions that a refusal calls sealed too late."""
    return {x.value for r in findings.refused for x in r.reasons if x.code == "sealed_later"}


def test_the_first_run_seals_before_it_judges(make_study, kit):
    """The seal is older than the first answer, and holds every decision with who took it."""
    from judgekit.files.ledger import Ledger

    small = make_study(rows=kit.reply_rows(templates=2, replicates=1))
    small.run()
    seals = read_seals(small.space.seals)
    assert len(seals) == 1
    with Ledger.open(small.space.ledger, read_only=True) as ledger:
        assert seals[0].sealed_at <= ledger.first_received()
    assert seals[0].decided_by == "the quality desk"
    assert seals[0].content["rubrics"]["warmth"] == {"rubric": "warmth", "role": "primary", "margin": 1.5}
    assert seals[0].content["calibration"]["threshold"]["kappa"] == 0.6
    assert set(seals[0].content["groups"]["values"]) == {"women", "men"}


def test_running_again_seals_nothing_new(calibrated_copy):
    """Only an edit makes a further seal."""
    before = calibrated_copy.space.seals.read_bytes()
    calibrated_copy.run()
    assert calibrated_copy.space.seals.read_bytes() == before


DECISIONS = {
    "calibration.threshold": ({"kappa": 0.5}, "calibration.threshold.kappa"),
    "calibration.min_labels": (10, "calibration.min_labels"),
    "calibration.differential_bias": ({"tolerance": 2.0}, "calibration.differential_bias.tolerance"),
    "calibration.failure_gap": (0.5, "calibration.failure_gap"),
    "labels.reference": ("each", "labels.reference"),
    "labels.annotators": (["ana"], "labels.annotators"),
    "swap_test.margin": (0.9, "swap_test.margin"),
    "swap_test.when_failed": ("require_blinding", "swap_test.when_failed"),
    "blinding.max_withheld": ({"share": 0.9}, "blinding.max_withheld.share"),
    "groups.claim": ("these_names", "groups.claim"),
    "statistics.interval": (0.6, "statistics.interval"),
    "gate": ({"estimate": "raw"}, "gate.estimate"),
}


def refused_and_printed(small, sealed):
    """Each edit is a reason of its own, there is no judged gap, and the edits stand on the report."""
    outcome = small.run()
    told = late(outcome.findings)
    assert {key.removeprefix("blinding.") for key in told} == {key.removeprefix("blinding.") for key in sealed}
    assert not [g for g in outcome.findings.gaps if g.kind == "judged"]
    edits = json.loads((outcome.run_dir / "report.json").read_text())["decided"]["later_edits"]
    assert {e["key"] for e in edits} >= told
    assert "Edited later" in (outcome.run_dir / "report.md").read_text(encoding="utf-8")


def test_edits_after_the_labels_refuse_and_are_printed(calibrated_copy):
    """Every decision that bears on a verdict, edited at once: each is refused as sealed later, and named."""
    for key, (value, _) in DECISIONS.items():
        calibrated_copy.change(key, value)
    refused_and_printed(calibrated_copy, {sealed for _, sealed in DECISIONS.values()})


@pytest.mark.slow
@pytest.mark.parametrize("key", DECISIONS)
def test_one_edit_after_the_labels_refuses_and_is_printed(calibrated_copy, key):
    """Each of them alone."""
    value, sealed = DECISIONS[key]
    calibrated_copy.change(key, value)
    refused_and_printed(calibrated_copy, {sealed})


def test_a_restored_decision_counts_again(calibrated_copy):
    """What was edited and put back refuses nothing more; both edits stay on the report."""
    calibrated_copy.change("calibration.min_labels", 10)
    assert late(calibrated_copy.run().findings)
    calibrated_copy.change("calibration.min_labels", 40)
    f = calibrated_copy.run().findings
    assert not late(f)
    assert f.calibrated
    assert [e["key"] for e in f.later_edits] == ["calibration.min_labels"] * 2


def test_a_further_rater_is_welcome(calibrated_copy):
    """Naming one more annotator after labelling refuses nothing."""
    calibrated_copy.change("labels.annotators", ["ana", "karim", "lee"])
    assert not late(calibrated_copy.run().findings)


def test_an_edit_before_the_labels_is_no_later_edit(make_study):
    """Between the first run and the first label a threshold of agreement may still be set."""
    small = make_study()
    small.run()
    small.change("calibration.min_labels", 30)
    small.run()  # seals the edit; without it the first run to see it would come after the labels
    small.label("ana", "karim")
    f = small.run().findings
    assert not late(f)
    assert f.calibrated
    assert {e["key"] for e in f.later_edits} == {"calibration.min_labels"}


def test_the_margin_of_the_gate_is_the_sealed_one(calibrated_copy, kit):
    """A margin that is widened after the first score does not count: the sealed one does, and the edit is printed."""
    before = kit.command("gap", calibrated_copy.base, "--metric", "words", "--json").json["contrasts"][0]["margin"]
    calibrated_copy.change("measured.words.margin", 500.0)
    after = kit.command("gap", calibrated_copy.base, "--metric", "words", "--json").json["contrasts"][0]["margin"]
    assert before == after == 9.0


def test_a_label_that_was_undone_and_given_again_is_as_old_as_at_first(make_study):
    """Taking every label back and giving it again after a look does not make the labels younger than the edit."""
    from dataclasses import replace

    from judgekit.files.labels import LabelFile, read_events

    small = make_study()
    small.run()
    small.label("ana", "karim")
    small.run()
    small.change("calibration.threshold", {"kappa": 0.4})
    small.run()
    for who in ("ana", "karim"):
        path = small.space.labels / f"{who}.jsonl"
        events = read_events(path)
        with LabelFile(path, who) as file:
            for event in events:
                file.append(replace(event, event="undo", value=None))
                file.append(replace(event, shown_at="2999-01-01T00:00:00.000Z"))
    assert late(small.run().findings) == {"calibration.threshold.kappa"}


def test_labels_older_than_every_seal_refuse():
    """The first seal is younger than the first label or score: nothing was decided beforehand."""
    from judgekit.records import Seal
    from judgekit.stages import sealed_later

    def seal(at, **content):
        return Seal(
            study="s",
            study_hash="h",
            seq=1,
            decided_by="",
            decided_on="",
            sealed_at=at,
            content={"calibration": {"min_labels": 50}, "labels": {"annotators": []}, **content},
            prev_hash="",
            hash="",
        )

    one = seal("2026-02-03T10:00:00.000Z")
    assert sealed_later([], None, None) == ("everything",)
    assert sealed_later([one], "2026-02-03T09:59:59Z", None) == ("everything",)
    assert sealed_later([one], None, "2026-02-03T09:59:59.999Z") == ("everything",)
    assert sealed_later([one], "2026-02-03T10:00:01Z", "2026-02-03T10:00:00.500Z") == ()
    # The same moment in another time zone is the same moment.
    assert sealed_later([one], "2026-02-03T11:30:00+01:00", None) == ()
    other = seal("2026-02-05T10:00:00.000Z", calibration={"min_labels": 10})
    assert sealed_later([one, other], "2026-02-04T00:00:00Z", None) == ("calibration.min_labels",)
    assert sealed_later([one, other], "2026-02-06T00:00:00Z", None) == ()
    assert sealed_later([one, other], "2026-02-06T00:00:00Z", None, untimed=True) == ("calibration.min_labels",)
    assert [c.key for c in changes([one, other])] == ["calibration.min_labels"]


def test_people_and_seeds_bind_from_the_first_score():
    """Names dropped after the swap test, or another seed to draw its texts again, refuse; a margin or a label does not."""
    from judgekit.records import Seal
    from judgekit.sealing import sealed_later

    def sealed(seq, at, **content):
        return Seal(
            study="s",
            study_hash="0",
            seq=seq,
            decided_by="",
            decided_on="",
            sealed_at=at,
            content=content,
            prev_hash="",
            hash=str(seq),
        )

    before = {
        "groups": {"values": {"w": {"label": "women", "names": ["Grace", "Ana"]}}},
        "statistics": {"seed": 1},
        "rubrics": {"warmth": {"margin": 0.25, "role": "primary"}},
    }
    after = {
        "groups": {"values": {"w": {"label": "Women", "names": ["Ana"]}}},
        "statistics": {"seed": 2},
        "rubrics": {"warmth": {"margin": 0.5, "role": "primary"}},
    }
    seals = [sealed(1, "2026-02-03T10:00:00Z", **before), sealed(2, "2026-02-05T10:00:00Z", **after)]
    assert sealed_later(seals, None, "2026-02-04T00:00:00Z") == ("groups.values.w.names", "statistics.seed")
    assert sealed_later(seals, None, "2026-02-06T00:00:00Z") == ()
