"""Kill -9 while batches are handed over, waited for and collected: nothing is billed twice, nothing received is lost."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from judgekit.files.ledger import Ledger

ROOT = Path(__file__).resolve().parents[2]
CALLS = 60

CHILD = f"""
import sys
from judgekit.batches.patience import Polling
from judgekit.batches.run import run_batches
from judgekit.endpoints.anthropic import AnthropicEndpoint
from judgekit.endpoints.base import Request
from judgekit.endpoints.limits import Limits
from judgekit.endpoints.openai import OpenAIEndpoint
from judgekit.files.ledger import Ledger
from judgekit.records import Call

calls = [
    Call(request_key=f"{{i:064x}}", body={{"i": i}}, endpoint="e", text_hashes=(str(i),), order="-", repeat=0, fingerprint="f")
    for i in range({CALLS})
]


def render(call, nonce):
    return Request(
        request_key=call.request_key, system="", prompt=f"{{'w' * call.body['i']}} {{nonce}}", text="", context=None,
        lang="en", dimensions={{"warmth": (1, 2, 3, 4, 5)}},
    )


kind = {{"openai": OpenAIEndpoint, "anthropic": AnthropicEndpoint}}[sys.argv[3]]
import judgekit.batches.anthropic, judgekit.batches.openai
judgekit.batches.openai.OpenAIBatches.most_requests = judgekit.batches.anthropic.AnthropicBatches.most_requests = 25
with Ledger.open(sys.argv[1]) as ledger:
    print("go", flush=True)
    summary = run_batches(
        calls, kind("m", base_url=sys.argv[2]), ledger, render=render, secret=b"s", limits=Limits(backoff_first=0.01),
        polling=Polling(first=0.02, most=0.04, listed_after=0.05, faults=3), say=lambda m: print(m, file=sys.stderr),
    )
    print(summary.answered + summary.earlier, flush=True)
"""


def start(path, url, kind):
    """Start a run; returns when it is about to begin."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), url, kind],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout.readline() == "go\n", child.stderr.read()
    return child


def export(path):
    """Every stored answer, in one order."""
    with Ledger.open(path, read_only=True) as ledger:
        answers = ledger.answered(f"{i:064x}" for i in range(CALLS))
        assert ledger.batches() == ledger.in_doubt() == []
    return [(key, a.raw, a.served_model, dict(a.usage or {})) for key, a in sorted(answers.items())]


def finish(path, url, kind):
    """Run to the end; what was said."""
    said, problems = start(path, url, kind).communicate(timeout=60)
    assert said.strip() == str(CALLS), problems
    return problems


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_killed_between_making_and_recording(provider, tmp_path, kind):
    """The provider has made the batch and the client dies before it hears so: the batch is adopted, not made again."""
    there = provider(polls=2)
    real, held = there.make, []

    def hold(wanted, theirs):
        found = real(wanted, theirs)
        if not held:
            held.append(1)
            child.send_signal(signal.SIGKILL)
            child.wait(20)
        return found

    there.make = hold
    child = start(tmp_path / "a.sqlite", there.url, kind)
    child.communicate(timeout=60)
    assert child.returncode == -signal.SIGKILL
    with Ledger.open(tmp_path / "a.sqlite", read_only=True) as ledger:
        assert [b.state for b in ledger.batches()] == ["announced"]
    assert "are found again" in finish(tmp_path / "a.sqlite", there.url, kind)
    assert set(there.billed.values()) == {1}
    assert len(export(tmp_path / "a.sqlite")) == CALLS


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_killed_at_random(provider, tmp_path, kind):
    """Kills at random moments (24; JUDGEKIT_KILLS says otherwise): every batched call is billed once, and the ledger ends as if nothing had been."""
    rng = random.Random(kind)
    calm = provider()
    finish(tmp_path / "calm.sqlite", calm.url, kind)
    # The single first call of a run may be asked again, in doubt; its text depends on the request alone.
    whole = export(tmp_path / "calm.sqlite")
    kills = turn = 0
    while kills < int(os.environ.get("JUDGEKIT_KILLS", "24")):
        turn += 1
        there, path = provider(polls=3), tmp_path / f"{turn}.sqlite"
        for _ in range(6):
            child = start(path, there.url, kind)
            time.sleep(rng.uniform(0.0, 0.5))
            child.send_signal(signal.SIGKILL)
            child.communicate(timeout=60)
            kills += child.returncode == -signal.SIGKILL
        finish(path, there.url, kind)
        assert max(there.billed.values(), default=1) == 1
        assert json.dumps(export(path)) == json.dumps(whole)
