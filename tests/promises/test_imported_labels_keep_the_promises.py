"""Labels from elsewhere are no way round the promises: when they were given and beside what stays with them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from judgekit import stages
from judgekit.calibration import calibrate
from judgekit.files.seal import read_seals
from judgekit.label_import import import_labels
from judgekit.label_state import read_labels
from judgekit.pipeline import evidence_of
from judgekit.sealing import sealed_later


@pytest.fixture
def export(tmp_path):
    """Make a Label Studio export of a study's masked texts, as rater 3 scored them at one time."""

    def make(study, at):
        verified = stages.blind(stages.read_replies_of(study), study).verified
        tasks = [
            {
                "data": {"item": r.item, "text": r.text},
                "annotations": [
                    {"completed_by": 3, "created_at": at, "result": [{"from_name": "warmth", "value": {"rating": 3}}]}
                ],
            }
            for r in verified
        ]
        path = tmp_path / "export.json"
        path.write_text(json.dumps(tasks), encoding="utf-8")
        return path

    return make


def test_labels_older_than_the_seal_refuse(calibrated_copy, export):
    """A third rater's labels from before the thresholds were sealed: what was decided came after them."""
    import_labels(calibrated_copy.study, export(calibrated_copy.study, "2020-01-01T00:00:00Z"), ["3=lee"])
    space = calibrated_copy.space
    first = read_labels(space).first_at
    assert first == "2020-01-01T00:00:00.000Z"
    assert sealed_later(read_seals(space.seals), first, None) == ("everything",)


def test_how_labels_were_given_is_a_condition_of_the_verdict(calibrated_study):
    """Labels on unmasked texts or beside a model's answer calibrate a judge only with that said."""
    evidence = evidence_of(calibrated_study.study)
    ways = ("unmasked", "suggested", "unmasked+suggested")
    labels = tuple(replace(x, seen=way) for x, way in zip(evidence.labels, ways, strict=False))
    verdict = calibrate(replace(evidence, labels=labels + evidence.labels[3:]))[0]
    said = "; ".join(map(str, verdict.conditions))
    assert "2 labels were given on texts with their names" in said
    assert "2 labels were given beside a model's answer" in said
    late = calibrate(replace(evidence, sealed_later=("everything",)))
    assert [reason.code for one in late for reason in one.reasons] == ["sealed_later"]
    assert "labels were given" not in "; ".join(map(str, calibrate(evidence)[0].conditions))
