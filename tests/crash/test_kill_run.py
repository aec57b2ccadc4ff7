"""Kill -9 at any moment of `judgekit run`: nothing received is lost or doubled, and the end is the same to the byte."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judgekit.files.ledger import Ledger

ROOT = Path(__file__).resolve().parents[2]
CONCURRENCY = 4


def environment(**other):
    """The environment of a child: this checkout, nothing written beside the sources."""
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **other}


def start(small):
    """`judgekit run --resume` in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "judgekit", "run", str(small.base), "--resume", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    )


def answers(small):
    """Raw answers in the ledger by request key; none while there is no ledger."""
    path = small.base / ".judgekit" / "small" / "ledger.sqlite"
    if not path.is_file():
        return {}
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5)
        try:
            return dict(
                connection.execute(
                    "SELECT request_key, raw FROM attempts JOIN calls ON calls.id = call_id WHERE raw IS NOT NULL"
                )
            )
        finally:
            connection.close()
    except sqlite3.OperationalError:  # killed before the tables were made
        return {}


def kill_somewhere(small, rng, *, late):
    """Start a run and kill it: after some more answers, or at a random moment of its start. False: it had ended."""
    process = start(small)
    wanted = len(answers(small)) + rng.randint(1, 9) if late else None
    moment = time.monotonic() + (60 if late else rng.uniform(0.2, 1.5))
    while process.poll() is None and time.monotonic() < moment:
        if wanted is not None and len(answers(small)) >= wanted:
            time.sleep(rng.uniform(0, 0.02))
            break
        time.sleep(0.01)
    alive = process.poll() is None
    if alive:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return alive


def exports(run):
    """Every file of a run folder but the manifest, by name, without what tells of the kills: times and calls in doubt."""
    found = {p.name: p.read_bytes() for p in sorted(run.iterdir()) if p.name != "manifest.json"}
    certificate = json.loads(found["certificate.json"])
    certificate.pop("when")
    page = [
        line for line in found["report.html"].splitlines() if b"calls were under way when an earlier run" not in line
    ]
    return found | {"certificate.json": certificate, "report.html": page}


def slow_study(make_study, kit, name):
    """A study with a slow judge, small enough to be run to its end in seconds."""
    return make_study(
        name,
        rows=kit.reply_rows(templates=6, names=4, replicates=1),
        judge={"spec": "stub:seed=1,delay=0.04", "concurrency": CONCURRENCY},
        swap_test={"texts": 24, "margin": 0.25},
    )


def kill_and_resume(make_study, kit, kills, seed):
    """Kill a run some times, let it end, and compare it with one that nobody touched."""
    rng = random.Random(seed)
    small = slow_study(make_study, kit, "killed")
    received, killed = {}, 0
    for number in range(kills):
        killed += kill_somewhere(small, rng, late=number % 3 != 2)
        now = answers(small)
        # Nothing that was received is gone or different.
        assert {key: now.get(key) for key in received} == received
        received = now
    process = start(small)
    out, _ = process.communicate()
    assert process.returncode == 0
    assert killed >= kills // 2
    with Ledger.open(small.base / ".judgekit" / "small" / "ledger.sqlite", read_only=True) as ledger:
        connection = ledger._connection
        attempts = connection.execute("SELECT call_id, raw, error_kind FROM attempts").fetchall()
        calls = {row[0] for row in connection.execute("SELECT id FROM calls")}
        tasks = connection.execute("SELECT item, judge, rubric_hash, arm, repeat FROM tasks WHERE current").fetchall()
        judged = connection.execute("SELECT task_id, dimension FROM judgments").fetchall()
        again = ledger.asked_again()
        assert ledger.in_doubt() == []
    answered = [call for call, raw, _ in attempts if raw is not None]
    assert sorted(answered) == sorted(calls)
    # What was asked twice was in flight at a kill, is marked so, and there is never more of it than fits in flight.
    assert {error for _, raw, error in attempts if raw is None} <= {"in_doubt"}
    assert len(attempts) - len(answered) == len(again) <= killed * CONCURRENCY
    assert len(set(tasks)) == len(tasks)
    assert len(set(judged)) == len(judged) == len(tasks)
    document = json.loads(out)
    run = Path(document["run_dir"])
    manifest = json.loads((run / "manifest.json").read_text())
    assert manifest["when"]["calls_in_doubt"] == str(len(again))
    calm = slow_study(make_study, kit, "calm").run()
    assert exports(run) == exports(calm.run_dir)


@pytest.mark.slow
def test_three_kills(make_study, kit):
    """The quick form: three kills at seeded moments."""
    kill_and_resume(make_study, kit, 3, seed=11)


@pytest.mark.slow
def test_twenty_kills(make_study, kit):
    """Twenty kills, each resumed."""
    kill_and_resume(make_study, kit, 20, seed=5)


@pytest.mark.slow
def test_kills_of_a_command_judge(make_study, kit, tmp_path):
    """The same with a program as the judge, whose processes die or end on their own."""
    judge = tmp_path / "judge.py"
    judge.write_text(
        'import sys, time\nsys.stdin.read()\ntime.sleep(0.1)\nprint(\'{"score": 3, "reason": "slow"}\')\n',
        encoding="utf-8",
    )
    small = make_study(
        rows=kit.reply_rows(templates=3, replicates=1),
        judge={"spec": f"command:{sys.executable} {judge}", "concurrency": CONCURRENCY},
    )
    rng = random.Random(3)
    received = {}
    for number in range(5):
        kill_somewhere(small, rng, late=number % 2 == 0)
        now = answers(small)
        assert {key: now.get(key) for key in received} == received
        received = now
    process = start(small)
    process.communicate()
    assert process.returncode == 0
    assert len(answers(small)) > 24


def test_an_interrupt_keeps_what_was_received(make_study, kit):
    """Ctrl-C: exit 3 with what to do, answers kept, and the next run asks for the rest alone."""
    small = slow_study(make_study, kit, "interrupted")
    process = subprocess.Popen(
        [sys.executable, "-m", "judgekit", "run", str(small.base)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while len(answers(small)) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert out == b""
    assert b"Traceback" not in err
    assert b"same command" in err
    before = answers(small)
    assert len(before) >= 5
    small.run()
    after = answers(small)
    assert {key: after[key] for key in before} == before
