"""Kill -9 at any moment: nothing received is lost, nothing answered is paid again, what is in doubt is listed."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judgekit.files.ledger import Ledger
from judgekit.records import Call, Judgment, Scored, Task

ROOT = Path(__file__).resolve().parents[2]
CALLS = 60
CONCURRENCY = 4

CHILD = """
import asyncio, json, os, signal, sys
from judgekit.endpoints import runner
from judgekit.endpoints.base import RawAnswer, Request
from judgekit.files.ledger import Ledger
from judgekit.records import Call

folder, fault, calls = sys.argv[1], sys.argv[2], int(sys.argv[3])
log = os.open(f"{folder}/sent.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
acknowledged = os.open(f"{folder}/stored.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
runner._PROGRESS_EVERY = 0.0
where, _, at = fault.partition(":")
seen = 0


def point(name):
    global seen
    if name == where:
        seen += 1
        if seen == int(at):
            os.kill(os.getpid(), signal.SIGKILL)


class Deadly:
    def __init__(self, connection):
        self.connection = connection

    def execute(self, sql, *values):
        if sql == "COMMIT":
            point("before commit")
            result = self.connection.execute(sql, *values)
            point("after commit")
            return result
        return self.connection.execute(sql, *values)

    def __getattr__(self, name):
        return getattr(self.connection, name)


class Counting:
    provider, model, host, parameters, languages = "counting", "m", None, {}, None
    number = 0

    async def send(self, request):
        point("before send")
        os.write(log, (request.request_key + "\\n").encode())
        Counting.number += 1
        token = f"{os.getpid()}-{Counting.number}"
        await asyncio.sleep(0.004)
        point("after answer")
        return RawAnswer(raw=json.dumps({"score": int(request.request_key, 16) % 5 + 1, "token": token}))

    async def close(self):
        pass


def render(call, nonce):
    return Request(request_key=call.request_key, system="", prompt="p", text="t", context=None, lang="en", dimensions={})


made = [
    Call(request_key=f"{i:064x}", body={"i": i}, endpoint="counting", text_hashes=("t",) * (1 + i % 2),
         order=("-", "ab", "ba")[i % 3], repeat=0, fingerprint="f")
    for i in range(calls)
]
with Ledger.open(f"{folder}/ledger.sqlite") as ledger:
    ledger._connection = Deadly(ledger._connection)
    print("ready", flush=True)
    summary = runner.run_calls(
        made, Counting(), ledger, render=render, secret=b"s", concurrency=4,
        progress=lambda p: os.write(acknowledged, f"{p.done}\\n".encode()),
    )
    print(json.dumps({"answered": summary.answered, "in_doubt": list(summary.in_doubt)}), flush=True)
"""


def start(folder, fault="none:0"):
    """A child process that works on the ledger in ``folder``."""
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder), fault, str(CALLS)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines(path):
    """The lines of a log; none when it is not there."""
    return path.read_text().split() if path.exists() else []


class Watch:
    """What must hold after every kill, compared with what held before it."""

    def __init__(self, folder):
        self.folder = folder
        self.keys = [f"{i:064x}" for i in range(CALLS)]
        self.answers = {}
        self.doubts = []

    def check(self):
        """Read the ledger of a dead process."""
        with Ledger.open(self.folder / "ledger.sqlite", read_only=True) as ledger:
            answers = {key: a.raw for key, a in ledger.answered(self.keys).items()}
            doubts = [a.request_key for a in ledger.in_doubt()]
            assert ledger._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        # Nothing that was stored is gone or was paid for again: each raw answer holds a token of its own request.
        assert self.answers.items() <= answers.items()
        assert len(answers) >= max([0, *map(int, lines(self.folder / "stored.log"))])
        assert len(doubts) <= CONCURRENCY
        assert len(set(doubts)) == len(doubts)
        self.doubts += doubts
        sent = lines(self.folder / "sent.log")
        # Every request that went out is an answer on disk or was listed as in doubt, and paid twice only if listed.
        assert set(sent) <= answers.keys() | set(self.doubts)
        for key in set(sent):
            assert sent.count(key) <= (key in answers) + self.doubts.count(key)
        self.answers = answers

    def finish(self):
        """Let a last run complete and compare its export with one that was never killed."""
        child = start(self.folder)
        out, errors = child.communicate(timeout=120)
        assert child.returncode == 0, errors
        summary = json.loads(out.splitlines()[-1])
        assert summary["answered"] == CALLS - len(self.answers)
        self.check()
        assert len(self.answers) == CALLS
        assert len(lines(self.folder / "sent.log")) <= CALLS + len(self.doubts)
        return export(self.folder / "ledger.sqlite", self.keys)


def export(path, keys):
    """The judgments of a ledger as bytes, read from its raw answers."""
    with Ledger.open(path) as ledger:
        tasks = [Task(item=f"r{i}", rubric_hash="r", judge="counting", request_key=key) for i, key in enumerate(keys)]
        ledger.add_tasks(tasks)
        raw = ledger.answered(keys)
        ledger.record_judgments(
            Judgment(
                task=task,
                dimension="warmth",
                text_hash="t",
                fingerprint="f",
                outcome=Scored(json.loads(raw[task.request_key].raw)["score"]),
                parser_version="1",
            )
            for task in reversed(tasks)
        )
        return "\n".join(map(repr, ledger.judgments())).encode()


def expected():
    """What an unkilled run exports."""
    return "\n".join(
        repr(
            Judgment(
                task=Task(item=f"r{i}", rubric_hash="r", judge="counting", request_key=f"{i:064x}"),
                dimension="warmth",
                text_hash="t",
                fingerprint="f",
                outcome=Scored(i % 5 + 1),
                parser_version="1",
            )
        )
        for i in sorted(range(CALLS), key=lambda i: f"r{i}")
    ).encode()


def kill_at_random(folder, seed, kills):
    """Start and kill until so many kills hit a working child, then finish."""
    rng = random.Random(seed)
    watch = Watch(folder)
    for _ in range(kills):
        child = start(folder)
        child.stdout.readline()
        time.sleep(rng.uniform(0, 0.09))
        child.send_signal(signal.SIGKILL)
        child.communicate()
        watch.check()
        if len(watch.answers) == CALLS:
            break
    assert watch.finish() == expected()


def test_kill_at_random_moments(tmp_path):
    """Kills at random moments lose nothing, double nothing, and the export is that of an unkilled run."""
    kill_at_random(tmp_path, 1, 3)


POINTS = ["before commit", "after commit", "before send", "after answer"]


def kill_at(folder, faults):
    """Kill at each of these named points in turn, check, finish."""
    watch = Watch(folder)
    for fault in faults:
        child = start(folder, fault)
        _, errors = child.communicate(timeout=120)
        assert child.returncode == -signal.SIGKILL, errors
        watch.check()
    assert watch.finish() == expected()


def test_kill_at_named_points(tmp_path):
    """Kills right before and after a commit, a request and an answer, one after another on the same ledger."""
    kill_at(tmp_path, [f"{name}:{4 + n}" for n, name in enumerate(POINTS)])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_two_hundred_kills(tmp_path, seed):
    """Five kills for each of forty seeds."""
    kill_at_random(tmp_path, seed, 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("at", range(1, 14))
def test_every_named_point(tmp_path, name, at):
    """Fifty-two kills at named points, one after another from the first."""
    kill_at(tmp_path, [f"{name}:{at}"])


def test_a_killed_writer_leaves_no_lock(tmp_path):
    """After kill -9 the next process opens the ledger at once."""
    child = start(tmp_path)
    child.stdout.readline()
    child.kill()
    child.communicate()
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        ledger.add_calls(
            [Call(request_key="x", body={}, endpoint="", text_hashes=(), order="-", repeat=0, fingerprint="")]
        )
        assert ledger.pending(["x"]) == ["x"]
