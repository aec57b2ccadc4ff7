"""A judge without groups on real conversations: the verdicts follow from the kappas."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from judgekit.label_import import import_labels
from judgekit.pipeline import assess_study, run_study
from judgekit.study import load_study

REAL = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "real"
EXPERTS = ["expert1", "expert2", "expert3"]
pytestmark = pytest.mark.skipif(
    not REAL.is_dir(), reason="the folder `shared` with real ratings is not beside the checkout"
)

STORED = """
import csv, json
from judgekit.blinding.mask import Blinder
from judgekit.records import Reply
from pathlib import Path
rows = [json.loads(line) for line in Path({texts!r}).read_text(encoding="utf-8").splitlines()]
ITEM = {{Blinder(lang="en").mask(Reply(id=r["item"], text=r["text"], lang="en")).text: r["item"] for r in rows}}
SCORES = {{(r["item"], r["dimension"]): int(float(r["score"])) for r in csv.DictReader(Path({ratings!r}).read_text(encoding="utf-8").splitlines())
          if r["dataset"] == "Lend an Ear" and r["annotator"] == "gemini"}}
def judge(request):
    return {{d: SCORES[ITEM[request.text], d] for d in request.dimensions}}
"""


def write_study(folder: Path, rubric: str, spec: str) -> Path:
    """A study of the 50 conversations without groups; experts' ratings as long rows beside it."""
    (folder / "study.yaml").write_text(
        json.dumps(
            {
                "study": "lend",
                "data": {"replies": str(REAL / "lend_an_ear_conversations.jsonl"), "lang": "en"},
                "rubrics": {"r": {"rubric": rubric, "role": "primary"}},
                "judge": {"spec": spec},
                "labels": {"annotators": EXPERTS},
                "calibration": {"threshold": {"kind": "ceiling"}, "min_labels": 40, "human_kappa": 0.40},
            }
        ),
        encoding="utf-8",
    )
    rows = list(csv.DictReader((REAL / "empathy_ratings.csv").read_text(encoding="utf-8").splitlines()))
    with (folder / "ratings.csv").open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, ["item", "dimension", "annotator", "score"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(r for r in rows if r["dataset"] == "Lend an Ear")
    return folder / "study.yaml"


@pytest.mark.slow
def test_the_lexicon_is_refused_on_real_conversations(tmp_path: Path) -> None:
    """A word list does not follow three experts on validating emotions: too low, and its kappa is near zero."""
    study = load_study(write_study(tmp_path, "warmth", "lexicon"))
    done = import_labels(study, tmp_path / "ratings.csv", EXPERTS, rename={"validating_emotions": "warmth"})
    assert dict(done.labels) == dict.fromkeys(EXPERTS, 50)
    findings = run_study(study).findings
    (refused,) = findings.refused
    assert refused.reasons[0].code == "too_low"
    assert float(refused.reasons[0].value) < 0.2
    assert not findings.calibrated


@pytest.mark.slow
def test_stored_scores_of_a_large_model_follow_from_their_kappas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the published ratings as the judge, exactly the dimensions whose bound reaches the ceiling are calibrated."""
    dimensions = [
        "validating_emotions",
        "encouraging_elaboration",
        "demonstrating_understanding",
        "advice_giving",
        "self_oriented",
        "dismissing_emotions",
    ]
    anchors = {level: f"level {level}" for level in range(1, 6)}
    criteria = [
        {
            "dimension": d,
            "scale": "ordinal",
            "levels": [1, 2, 3, 4, 5],
            "question": {"en": d},
            "anchors": {"en": anchors},
        }
        for d in dimensions
    ]
    import yaml

    (tmp_path / "lend.yaml").write_text(
        yaml.safe_dump({"id": "lend", "version": "1", "criteria": criteria}), encoding="utf-8"
    )
    (tmp_path / "stored_scores.py").write_text(
        STORED.format(texts=str(REAL / "lend_an_ear_conversations.jsonl"), ratings=str(REAL / "empathy_ratings.csv")),
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    study = load_study(write_study(tmp_path, "lend.yaml", "python:stored_scores:judge"))
    import_labels(study, tmp_path / "ratings.csv", EXPERTS)
    run_study(study)
    findings = assess_study(study)
    assert {c.dimension for c in findings.calibrated} | {r.dimension for r in findings.refused} == set(dimensions)
    for good in findings.calibrated:
        assert good.evidence["kappa_lower"] >= good.evidence["threshold"]
    for refused in findings.refused:
        assert {r.code for r in refused.reasons} & {"too_low", "too_few", "human_disagreement"}
    assert "encouraging_elaboration" in {c.dimension for c in findings.calibrated}
