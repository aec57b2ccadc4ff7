"""Promise 5: a fingerprint over all that a score depends on; labels carry rubric and text hash; a mismatch refuses."""

import dataclasses

import pytest

from judgekit.files.manifest import fingerprint
from judgekit.judging.handle import make_judge

BASE = {
    "provider": "p",
    "model": "m",
    "host": "h",
    "parameters": {"temperature": 0},
    "prompt_version": "1",
    "rubric_hash": "r",
    "blinding_version": "1",
}


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("provider", "q"),
        ("model", "m2"),
        ("host", "h2"),
        ("parameters", {"temperature": 1}),
        ("prompt_version", "2"),
        ("rubric_hash", "r2"),
        ("blinding_version", "2"),
    ],
)
def test_every_part_changes_the_fingerprint(part, other):
    """Provider, model, host, parameters, prompt, rubric and blinding version: each alone."""
    assert fingerprint(**BASE) == fingerprint(**BASE)
    assert fingerprint(**{**BASE, part: other}) != fingerprint(**BASE)


def test_another_judge_is_asked_anew_and_its_scores_do_not_mix(calibrated_copy, kit):
    """A study with another judge needs other calls; commands that recompute say that they are missing."""
    calibrated_copy.change("judge", {"spec": "stub:seed=2,noise=0.3"})
    said = kit.command("calibrate", calibrated_copy.base)
    assert said.code == 2
    assert "have no answer in the ledger" in said.err
    f = calibrated_copy.run().findings
    assert f.judging.judge == "stub:seed=2,noise=0.3"
    assert {c.judge for c in (*f.calibrated, *f.refused)} == {"stub:seed=2,noise=0.3"}


def test_judgments_of_two_judges_together_are_refused(calibrated_study):
    """Evidence in which some scores carry another fingerprint: refused with both."""
    from judgekit import pipeline
    from judgekit.calibration import calibrate

    caught = []
    original = pipeline.assess
    pipeline.assess = lambda evidence, **options: caught.append(evidence) or original(evidence, **options)
    try:
        calibrated_study.run()
    finally:
        pipeline.assess = original
    evidence = caught[0]
    mixed = (dataclasses.replace(evidence.judgments[0], fingerprint="f" * 64), *evidence.judgments[1:])
    verdict = calibrate(dataclasses.replace(evidence, judgments=mixed))[0]
    reason = next(x for x in verdict.reasons if x.code == "fingerprint")
    assert reason.value == "f" * 12
    assert "judge again" in reason.remedy


def test_a_changed_prompt_or_rubric_needs_new_calls(make_study, kit):
    """An edited anchor is another rubric hash, another request and another fingerprint."""
    from judgekit.data import bundled

    small = make_study(rows=kit.reply_rows(templates=2, replicates=1))
    own = small.base / "mine.yaml"
    text = bundled("rubrics/warmth.yaml").read_text(encoding="utf-8")
    own.write_text(text, encoding="utf-8")
    small.change("rubrics.warmth.rubric", "mine.yaml")
    first = small.run().findings.judging.fingerprint
    own.write_text(text.replace('version: "1"', 'version: "1.1"'), encoding="utf-8")
    assert kit.command("gate", small.base).code == 2
    assert small.run().findings.judging.fingerprint != first


def test_a_judges_id_and_fingerprint_hold_no_argument_of_a_command():
    """Arguments of a program may be keys: they are told apart by a hash."""
    one, other = make_judge("command:judge --key s3cret-value-1"), make_judge("command:judge --key s3cret-value-2")
    assert "s3cret" not in one.id + one.endpoint_id
    assert one.id != other.id


def test_stale_labels_are_counted_on_the_report(calibrated_copy):
    """Labels on texts that have changed: none counts, and how many there are is said."""
    for row in calibrated_copy.rows[:10]:
        row["text"] += " Bye."
    calibrated_copy.write()
    outcome = calibrated_copy.run()
    assert 0 < outcome.findings.labels.stale < 128
    assert outcome.findings.labels.texts < 64
    assert '"stale"' in (outcome.run_dir / "report.json").read_text()
