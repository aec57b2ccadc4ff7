"""Ask a judge the same requests with one tool in this process and print one JSON line of figures; `bench_runner.py` calls it.

    PYTHON tests/bench/ask_judge.py TOOL URL BODIES.jsonl --flight N

``httpx``: a bare loop over one `httpx.AsyncClient`. ``judgekit``: the runner, every intent and answer in a ledger on disk.
``generate``: `Model.generate` of inspect-ai, which stores nothing. ``eval``: a whole `eval` of inspect-ai with its
`generate` solver and no scorer, which writes its log. The last two run in an environment of their own that holds
``inspect-ai`` and ``openai``, and import nothing of judgekit. Every tool gets a few requests to warm up, uncounted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

WARM_UP = 8
Body = dict[str, Any]
Ask = Callable[[list[Body]], int]
"""Asks all requests and says how many were answered."""


def with_httpx(url: str, flight: int, folder: Path) -> Ask:
    """A plain loop."""
    import httpx

    async def go(bodies: list[Body]) -> int:
        queue, answered = list(bodies), 0
        limits = httpx.Limits(max_connections=flight, max_keepalive_connections=flight)

        async def work(client: httpx.AsyncClient) -> None:
            nonlocal answered
            while queue:
                reply = await client.post(f"{url}/chat/completions", json=queue.pop())
                answered += isinstance(reply.json()["choices"][0]["message"]["content"], str)

        async with httpx.AsyncClient(limits=limits, timeout=60) as client:
            await asyncio.gather(*(work(client) for _ in range(flight)))
        return answered

    return lambda bodies: asyncio.run(go(bodies))


def with_judgekit(url: str, flight: int, folder: Path) -> Ask:
    """The runner, ledger included."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from judgekit.endpoints.base import Request
    from judgekit.endpoints.limits import Limits
    from judgekit.endpoints.openai import OpenAIEndpoint
    from judgekit.endpoints.runner import run_calls
    from judgekit.files.ledger import Ledger
    from judgekit.records import Call

    def render(call: Call, nonce: str) -> Request:
        system, prompt = (message["content"] for message in call.body["messages"])
        return Request(
            request_key=call.request_key,
            system=system,
            prompt=prompt,
            text="",
            context=None,
            lang="en",
            dimensions={"warmth": (1, 2, 3, 4, 5)},
        )

    def ask(bodies: list[Body]) -> int:
        calls = [
            Call(
                request_key=f"{i:064x}",
                body=body,
                endpoint="e",
                text_hashes=(str(i),),
                order="-",
                repeat=0,
                fingerprint="f",
            )
            for i, body in enumerate(bodies)
        ]
        with Ledger.open(folder / f"{len(bodies)}.sqlite") as ledger:
            judge = OpenAIEndpoint("mock-judge-1", base_url=url)
            summary = run_calls(
                calls, judge, ledger, render=render, secret=b"s", concurrency=flight, limits=Limits(retries=3)
            )
        return summary.answered

    return ask


def with_generate(url: str, flight: int, folder: Path) -> Ask:
    """inspect-ai's model and its own limit of connections."""
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model

    config = GenerateConfig(temperature=0.0, max_tokens=1024, max_retries=3, max_connections=flight, timeout=60)

    async def go(bodies: list[Body]) -> int:
        answered = 0
        given = {"base_url": url, "api_key": "none", "responses_api": False, "memoize": False}
        async with get_model("openai/mock-judge-1", config=config, **given) as model:

            async def one(body: Body) -> None:
                nonlocal answered
                system, prompt = (message["content"] for message in body["messages"])
                said = await model.generate([ChatMessageSystem(content=system), ChatMessageUser(content=prompt)])
                answered += bool(said.completion)

            await asyncio.gather(*(one(body) for body in bodies))
        return answered

    return lambda bodies: asyncio.run(go(bodies))


def with_eval(url: str, flight: int, folder: Path) -> Ask:
    """inspect-ai's whole loop over samples, log included."""
    import inspect_ai
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model
    from inspect_ai.solver import generate

    config = GenerateConfig(temperature=0.0, max_tokens=1024, max_retries=3, max_connections=flight, timeout=60)

    def ask(bodies: list[Body]) -> int:
        given = {"base_url": url, "api_key": "none", "responses_api": False, "memoize": False}
        model = get_model("openai/mock-judge-1", config=config, **given)
        samples = []
        for body in bodies:
            system, prompt = (message["content"] for message in body["messages"])
            samples.append(Sample(input=[ChatMessageSystem(content=system), ChatMessageUser(content=prompt)]))
        task = inspect_ai.Task(dataset=MemoryDataset(samples), solver=generate())
        (log,) = inspect_ai.eval(
            task, model=model, log_dir=str(folder), display="none", score=False, max_samples=flight, fail_on_error=False
        )
        return sum(bool(sample.output.completion) for sample in log.samples or [])

    return ask


TOOLS = {"httpx": with_httpx, "judgekit": with_judgekit, "generate": with_generate, "eval": with_eval}


def main() -> None:
    """Load, warm up, ask, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", choices=list(TOOLS))
    parser.add_argument("url")
    parser.add_argument("bodies", type=Path)
    parser.add_argument("--flight", type=int, required=True)
    options = parser.parse_args()
    os.environ.setdefault("OPENAI_API_KEY", "none")
    bodies = [json.loads(line) for line in options.bodies.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        ask = TOOLS[options.tool](options.url, options.flight, Path(folder))
        loaded = time.process_time()
        ask(bodies[:WARM_UP])
        begun = time.process_time()
        answered = ask(bodies[WARM_UP:])
        used = time.process_time() - begun
    figures = {
        "n": len(bodies) - WARM_UP,
        "answered": answered,
        "import_s": loaded - started,
        "cpu_ms": used / (len(bodies) - WARM_UP) * 1e3,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
