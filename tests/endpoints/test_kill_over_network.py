"""Kill -9 with 32 requests on the wire: nothing stored is lost or asked again, whatever is repeated was in doubt."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from judgekit.files.ledger import Ledger

ROOT = Path(__file__).resolve().parents[2]
CALLS = 300
IN_FLIGHT = 32

CHILD = f"""
import sys
from judgekit.endpoints.base import Request
from judgekit.endpoints.limits import Limits
from judgekit.endpoints.openai import OpenAIEndpoint
from judgekit.endpoints.runner import run_calls
from judgekit.files.ledger import Ledger
from judgekit.records import Call

calls = [
    Call(request_key=f"{{i:064x}}", body={{"i": i}}, endpoint="e", text_hashes=(str(i),), order="-", repeat=0, fingerprint="f")
    for i in range({CALLS})
]


def render(call, nonce):
    return Request(
        request_key=call.request_key, system="", prompt=f"{{call.body['i']}} {{nonce}}", text="", context=None, lang="en",
        dimensions={{"warmth": (1, 2, 3, 4, 5)}},
    )


with Ledger.open(sys.argv[1]) as ledger:
    print("go", flush=True)
    summary = run_calls(
        calls, OpenAIEndpoint("m", base_url=sys.argv[2]), ledger, render=render, secret=b"s", concurrency={IN_FLIGHT},
        limits=Limits(backoff_first=0.01),
    )
    print(len(summary.in_doubt), flush=True)
"""


def number_of(request):
    """Which call a request is."""
    return int(request["messages"][-1]["content"].split()[0])


def served(request, _n):
    """An answer that depends on the call alone, after a moment."""
    time.sleep(0.02)
    number = number_of(request)
    document = {
        "model": "m-1",
        "choices": [{"message": {"content": json.dumps({"score": number % 5 + 1, "reason": str(number)})}}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 3},
    }
    return 200, {}, document


def start(path, url):
    """Start the run; returns when it is about to send."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), url],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout.readline() == "go\n", child.stderr.read()
    return child


def export(path):
    """Every stored answer, in one order, as bytes."""
    with Ledger.open(path, read_only=True) as ledger:
        answers = ledger.answered(f"{i:064x}" for i in range(CALLS))
    rows = [(key, a.raw, a.served_model, dict(a.usage or {})) for key, a in sorted(answers.items())]
    return json.dumps(rows).encode()


def kill_until_done(web, path, rng, *, most):
    """Kill runs of one ledger at random moments until it is full; how often, and how many calls were in doubt."""
    service = web(served)
    kills, doubts = 0, Counter()
    while True:
        child = start(path, service.url)
        try:
            if kills < most:
                time.sleep(rng.uniform(0.0, 0.35))
                child.send_signal(signal.SIGKILL)
                kills += 1
            said, problems = child.communicate(timeout=60)
        finally:
            child.kill()
        assert child.returncode in {0, -signal.SIGKILL}, problems
        if child.returncode == 0:
            assert said.strip().isdecimal()
            break
        with Ledger.open(path, read_only=True) as ledger:
            open_now = [attempt.request_key for attempt in ledger.in_doubt()]
        assert len(open_now) <= IN_FLIGHT
        doubts.update(open_now)
    sent = Counter(f"{number_of(request):064x}" for request in service.requests)
    for key, times in sent.items():
        # Each sending beyond the first was announced as in doubt; no call with an answer went out again.
        assert times - 1 <= doubts[key]
    return kills, doubts, sent


@pytest.fixture
def whole(web, tmp_path):
    """The export of a run that nobody killed."""
    child = start(tmp_path / "whole.sqlite", web(served).url)
    assert child.communicate(timeout=60)[0].strip() == "0"
    return export(tmp_path / "whole.sqlite")


@pytest.mark.slow
def test_a_few_kills(web, tmp_path, whole):
    """Two kills: every call has one answer, and the export is that of a run without a kill."""
    kills, doubts, sent = kill_until_done(web, tmp_path / "killed.sqlite", random.Random(5), most=2)
    assert kills == 2
    assert len(sent) == CALLS
    assert sum(sent.values()) - CALLS <= sum(doubts.values())
    assert export(tmp_path / "killed.sqlite") == whole


@pytest.mark.slow
def test_many_kills(web, tmp_path, whole):
    """The same for many kills (60; JUDGEKIT_KILLS says otherwise), several for each ledger."""
    rng, kills, turn = random.Random(11), 0, 0
    wanted = int(os.environ.get("JUDGEKIT_KILLS", "60"))
    while kills < wanted:
        turn += 1
        path = tmp_path / f"{turn}.sqlite"
        done, _, sent = kill_until_done(web, path, rng, most=min(5, wanted - kills))
        kills += done
        assert len(sent) == CALLS
        assert export(path) == whole
