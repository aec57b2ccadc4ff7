"""The walk-through of docs/labelling.md, command by command: from the first key to the verdict."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.files.labels import final_labels, read_events, read_key, read_sample
from judgekit.labelling.order import order_for

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "labelling.md"
BUNDLED = ROOT / "labels" / "support"

pytestmark = pytest.mark.slow


def commands():
    """The lines of the block behind the marker, without what is said beside them."""
    block = GUIDE.read_text(encoding="utf-8").partition("<!-- walk -->")[2].split("```")[1]
    return [line.partition("   #")[0].strip() for line in block.strip().splitlines()]


def scores_of(who):
    """The keys that this rater of the demo pressed, in the order in which the app asks."""
    sample = read_sample(BUNDLED / "support-names.sample.jsonl")
    events = [json.loads(line) for line in (BUNDLED / f"{who}.jsonl").read_text(encoding="utf-8").splitlines()]
    given = {(e["task_id"], e["dimension"]): str(e["value"]) for e in events if e["event"] == "score"}
    wanted = set(sample.assigned[who])
    order = order_for([t for t in sample.tasks if t.task_id in wanted], seed=sample.seed, annotator=who)
    return [given[task.task_id, dimension] for task in order for dimension in ("warmth", "quality")]


def test_from_the_first_key_to_the_verdict(tmp_path):
    """Two raters label the demo's sample anew; exported, agreed, adjudicated, calibrated: warmth yes, quality no."""
    judgekit = tmp_path / "bin" / "judgekit"
    judgekit.parent.mkdir()
    judgekit.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m judgekit "$@"\n', encoding="utf-8")
    judgekit.chmod(0o755)
    environment = {
        "PATH": f"{judgekit.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
    }
    typed = {"--as ana": scores_of("ana"), "--as karim": scores_of("karim"), "--as lee": ["4"] * 40}
    said = {}
    for line in commands():
        lines = next((keys for who, keys in typed.items() if who in line), [])
        done = subprocess.run(
            ["sh", "-c", line], input="".join(f"{key}\n" for key in lines), capture_output=True, text=True,
            cwd=tmp_path, env=environment, timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == (5 if "calibrate" in line else 0), (line, done.stderr)
        said[line] = done.stdout
        print(f"$ {line}\n{done.stdout[-900:]}{done.stderr[-300:]}\n")
    first, second = (said[line] for line in said if line.startswith("judgekit label "))
    assert "shown when all have finished" in first
    assert "warmth, ana and karim: kappa 0.98" in second
    labels = tmp_path / "again" / "labels"
    key = read_key(labels / "support-names.sample.key.jsonl")
    assert len(final_labels(read_events(labels / "ana.jsonl"), key)) == 300
    assert "0.983" in next(out for line, out in said.items() if " agree " in line)
    adjudicated = read_events(labels / "adjudicated" / "lee.jsonl")
    assert {event.value for event in adjudicated} == {4}
    verdict = next(out for line, out in said.items() if " calibrate " in line)
    assert "warmth, women − men: CALIBRATED" in verdict
    assert "quality, women − men: REFUSED" in verdict
