"""kill -9 while a probe's replies are collected: nothing that was received is lost or asked for again."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from judgekit.files.prompts import write_prompts
from judgekit.probing.collect import Wanted, collect
from judgekit.probing.expand import expand
from judgekit.study import load_study

ROOT = Path(__file__).resolve().parents[2]
IN_FLIGHT = 4


def study_in(folder: Path, spec: str) -> Path:
    """A study with 4 templates, 2 groups, 2 names and 4 replicates, and its prompts."""
    folder.mkdir()
    texts = [f'  - {{id: t{k}, text: "I am {{name}}. Can I pay bill {k} later?"}}' for k in range(4)]
    (folder / "templates.yaml").write_text("\n".join(["templates:", *texts]))
    people = {"x": {"names": ["Anna", "Emily"]}, "y": {"names": ["Tom", "Greg"]}}
    study = {
        "study": "probed",
        "data": {"replies": "probe/replies.jsonl"},
        "groups": {"attribute": "name", "values": people},
        "rubrics": {"warmth": {"rubric": "warmth"}},
        "probe": {
            "templates": "templates.yaml",
            "replicates": 4,
            "target": {"spec": spec, "concurrency": IN_FLIGHT},
        },
    }
    (folder / "study.yaml").write_text(yaml.safe_dump(study, sort_keys=False))
    (folder / "probe").mkdir()
    write_prompts(folder / "probe" / "prompts.jsonl", expand(load_study(folder)).prompts)
    return folder


def answers(folder: Path) -> set[tuple[int, str]]:
    """Call and raw answer of everything that was received."""
    path = folder / ".judgekit" / "probed" / "collect.sqlite"
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as ledger:
            return set(ledger.execute("SELECT call_id, raw FROM attempts WHERE raw IS NOT NULL"))
    except sqlite3.OperationalError:
        return set()


@pytest.mark.slow
def test_no_received_reply_is_lost_and_the_file_is_that_of_an_undisturbed_run(tmp_path: Path) -> None:
    """Killed four times after ever more replies; the end is byte for byte what one whole run gives."""
    killed = study_in(tmp_path / "killed", "stub:biased?delay=0.05")
    command = [sys.executable, "-m", "judgekit", "probe", "collect", str(killed), "--json"]
    kept: set[tuple[int, str]] = set()
    for wanted in (5, 20, 35, 50):
        running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 120
        while len(answers(killed)) < wanted and running.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        os.kill(running.pid, signal.SIGKILL)
        assert running.wait() == -signal.SIGKILL
        now = answers(killed)
        assert kept <= now
        assert len(now) >= wanted
        kept = now
        assert not (killed / "probe" / "replies.jsonl").exists()
    done = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    assert kept <= answers(killed)
    assert (done["answered"], done["failed"]) == (done["conversations"], 0)
    assert done["summary"]["requests"] == done["conversations"] - len(kept)
    assert done["asked_again"] <= 4 * IN_FLIGHT
    whole = study_in(tmp_path / "whole", "stub:biased?delay=0.05")
    undisturbed = collect(load_study(whole), Wanted(), now=lambda: "2026-01-01T00:00:00.000+00:00")
    assert undisturbed.output.read_bytes() == (killed / "probe" / "replies.jsonl").read_bytes()
