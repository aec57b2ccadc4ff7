"""Processor time per request of the judge runner beside a bare httpx loop, against the same fake judge, in one run.

Run with ``python tests/bench/bench_runner.py`` from the checkout. The fake judge runs in a process of its own and its
time is not counted. The bare loop builds the same body, sends it with one `httpx.AsyncClient` and reads the JSON; the
runner also writes every intent and answer to a ledger on disk. ``--latency`` and ``--flight`` change the table.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import httpx

from judgekit.endpoints.base import Request
from judgekit.endpoints.limits import Limits
from judgekit.endpoints.openai import OpenAIEndpoint
from judgekit.endpoints.runner import run_calls
from judgekit.files.ledger import Ledger
from judgekit.records import Call

MOCK = Path(__file__).resolve().parents[3] / "shared" / "tools" / "mock_judge_server.py"
GOAL = 1.5
PROMPT = "Rate one reply.\n" + "The reply is polite and of some length. " * 40


def render(call: Call, nonce: str) -> Request:
    """A request of a usual length."""
    return Request(
        request_key=call.request_key,
        system="Judge.",
        prompt=f"{PROMPT} {call.body['i']} {nonce}",
        text="",
        context=None,
        lang="en",
        dimensions={"warmth": (1, 2, 3, 4, 5)},
    )


def calls_of(n: int) -> list[Call]:
    """So many different calls."""
    return [
        Call(
            request_key=f"{i:064x}",
            body={"i": i, "text": PROMPT},
            endpoint="e",
            text_hashes=(str(i),),
            order="-",
            repeat=0,
            fingerprint="f",
        )
        for i in range(n)
    ]


def bare(url: str, n: int, flight: int) -> float:
    """Processor seconds of a plain loop."""
    shape = OpenAIEndpoint("mock-judge-1", base_url=url)
    bodies = [shape._body(render(call, "0" * 16), shape._wire) for call in calls_of(n)]

    async def go() -> None:
        queue = list(bodies)
        limits = httpx.Limits(max_connections=flight, max_keepalive_connections=flight)

        async def work(client: httpx.AsyncClient) -> None:
            while queue:
                reply = await client.post(f"{url}/chat/completions", json=queue.pop())
                reply.json()["choices"][0]["message"]["content"]

        async with httpx.AsyncClient(limits=limits, timeout=60) as client:
            await asyncio.gather(*(work(client) for _ in range(flight)))

    start = time.process_time()
    asyncio.run(go())
    return time.process_time() - start


def ours(url: str, n: int, flight: int) -> float:
    """Processor seconds of the runner, ledger included."""
    calls = calls_of(n)
    with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "l.sqlite") as ledger:
        start = time.process_time()
        judge = OpenAIEndpoint("mock-judge-1", base_url=url)
        summary = run_calls(calls, judge, ledger, render=render, secret=b"s", concurrency=flight, limits=Limits())
        used = time.process_time() - start
    if summary.answered != n:
        raise SystemExit(f"{summary.answered} of {n} answered")
    return used


def main() -> None:
    """Print milliseconds of processor time per request for both, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=int, nargs="*", default=[0, 50])
    parser.add_argument("--flight", type=int, nargs="*", default=[1, 8, 32, 128])
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    if not MOCK.is_file():
        raise SystemExit("the shared fake judge is not next to this checkout")
    print(f"{'latency':>8} {'flight':>7} {'n':>5} {'httpx ms':>9} {'judgekit ms':>12} {'ratio':>6}   goal {GOAL}")
    for latency in given.latency:
        server = subprocess.Popen(
            [sys.executable, str(MOCK), "--port", "0", "--latency", f"const:{latency}"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            url = json.loads(server.stdout.readline())["url"] + "/v1"
            for flight in given.flight:
                n = max(40, min(1000, flight * (40 if latency == 0 else 12)))
                plain = min(bare(url, n, flight) for _ in range(given.rounds)) / n * 1e3
                mine = min(ours(url, n, flight) for _ in range(given.rounds)) / n * 1e3
                print(f"{latency:>5} ms {flight:>7} {n:>5} {plain:>9.3f} {mine:>12.3f} {mine / plain:>6.2f}")
        finally:
            server.terminate()
            server.wait()
    print(f"peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
