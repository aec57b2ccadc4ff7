"""The judge runner beside a bare httpx loop and a general framework, against the same fake judge, in one run.

Run with ``python tests/bench/bench_runner.py [--inspect PYTHON]`` from the checkout; PYTHON is the interpreter of an
environment of its own that holds ``inspect-ai`` and ``openai``. Each tool asks the same requests in a process of its own
(`ask_judge.py`): processor time per request in milliseconds, without loading and warming up; peak memory; processor time of
its imports in seconds. The fake judge's own time is not counted. ``--latency`` and ``--flight`` change the table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from judgekit.endpoints.base import Request
from judgekit.endpoints.openai import OpenAIEndpoint

HERE = Path(__file__).resolve().parent
MOCK = HERE.parents[2] / "shared" / "tools" / "mock_judge_server.py"
GOAL = 1.5
PROMPT = "Rate one reply.\n" + "The reply is polite and of some length. " * 40


def bodies_of(n: int) -> list[dict[str, Any]]:
    """So many different requests of a usual length, as the runner itself sends them."""
    shape = OpenAIEndpoint("mock-judge-1", base_url="http://127.0.0.1:9")
    return [
        shape.document(
            Request(
                request_key=f"{i:064x}",
                system="Judge.",
                prompt=f"{PROMPT} {i}",
                text="",
                context=None,
                lang="en",
                dimensions={"warmth": (1, 2, 3, 4, 5)},
            )
        )
        for i in range(n)
    ]


@contextmanager
def fake_judge(latency: int) -> Iterator[str]:
    """The address of a fake judge that takes so many milliseconds to answer."""
    server = subprocess.Popen(
        [sys.executable, str(MOCK), "--port", "0", "--latency", f"const:{latency}"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        yield json.loads(server.stdout.readline())["url"] + "/v1"
    finally:
        server.terminate()
        server.wait()


def asked(python: str, tool: str, url: str, bodies: Path, flight: int, rounds: int) -> dict[str, Any]:
    """The figures of one tool: of the round that took least time."""
    met = []
    for _ in range(rounds):
        command = [python, str(HERE / "ask_judge.py"), tool, url, str(bodies), "--flight", str(flight)]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=1800)
        if done.returncode:
            raise SystemExit(f"{tool} failed:\n{done.stderr[-2000:]}")
        met.append(json.loads(done.stdout.splitlines()[-1]))
        if met[-1]["answered"] != met[-1]["n"]:
            raise SystemExit(f"{tool}: {met[-1]['answered']} of {met[-1]['n']} answered")
    return min(met, key=lambda figures: float(figures["cpu_ms"]))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inspect", metavar="PYTHON", help="interpreter of an environment with inspect-ai")
    parser.add_argument("--latency", type=int, nargs="*", default=[0, 50])
    parser.add_argument("--flight", type=int, nargs="*", default=[1, 8, 32, 128])
    parser.add_argument(
        "--requests", type=int, nargs=2, default=[200, 400], help="with up to 8 in flight, and with more"
    )
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    if not MOCK.is_file():
        raise SystemExit("the shared fake judge is not next to this checkout")
    tools = [("httpx", sys.executable), ("judgekit", sys.executable)]
    if given.inspect:
        tools += [("generate", given.inspect), ("eval", given.inspect)]
    print(f"goal: judgekit at most {GOAL} times the bare loop with 32 in flight")
    print(
        f"{'latency':>8} {'flight':>7} {'n':>4} {'tool':>9} {'cpu ms':>8} {'x httpx':>8} {'peak MB':>8} {'import s':>9}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for latency in given.latency:
            with fake_judge(latency) as url:
                for flight in given.flight:
                    path = Path(folder) / "bodies.jsonl"
                    bodies = bodies_of(given.requests[flight > 8])
                    path.write_text("".join(json.dumps(body) + "\n" for body in bodies), encoding="utf-8")
                    bare = 0.0
                    for tool, python in tools:
                        found = asked(python, tool, url, path, flight, given.rounds)
                        bare = bare or found["cpu_ms"]
                        print(
                            f"{latency:>5} ms {flight:>7} {found['n']:>4} {tool:>9} {found['cpu_ms']:>8.2f} "
                            f"{found['cpu_ms'] / bare:>8.2f} {found['peak_mb']:>8.0f} {found['import_s']:>9.2f}",
                            flush=True,
                        )


if __name__ == "__main__":
    main()
