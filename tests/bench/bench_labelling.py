"""Speed of `judgekit label` on a pseudo-terminal: first paint, key to paint, memory, and what is imported.

Run with ``python tests/bench/bench_labelling.py [ITEMS]`` from the checkout (10,000 items by default). Processor seconds are
those of the app's process from its start to the first item on the screen, so that other work on the machine does not
count; key to paint is the time from writing a key to the terminal until the next item was written back, with the item
guard off. The 200 kB reply is reached by a key, and left and come back to by undo.
"""

from __future__ import annotations

import importlib.util
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from judgekit.files.labels import key_path, write_key, write_sample
from judgekit.labelling.opening import make_sample
from judgekit.labelling.sampling import draw_sample
from judgekit.rubric import load_rubric

ROOT = Path(__file__).resolve().parents[2]
KEYS = 200
LONG = " ".join(f"Sentence {k} of a very long reply." for k in range(5800))
HEAVY = (
    "numpy",
    "scipy",
    "pandas",
    "pyarrow",
    "spacy",
    "lingua",
    "httpx",
    "sklearn",
    "statsmodels",
    "matplotlib",
    "jinja2",
)


def terminals() -> ModuleType:
    """The pseudo-terminal of the tests."""
    spec = importlib.util.spec_from_file_location("terminals", ROOT / "tests" / "terminal" / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def sample_of(tests: ModuleType, folder: Path, texts: list[str]) -> Path:
    """A sample of the warmth rubric over these texts."""
    rows = [tests.Blinded(f"item-{k}", text, "Where is my order?") for k, text in enumerate(texts)]
    draw = draw_sample(rows, None, n=len(rows), annotators=("ana",), repeats=0.0, seed=3)
    path = folder / f"sample-{len(texts)}-{len(texts[0])}.jsonl"
    write_key(key_path(path), draw.keys)
    write_sample(path, make_sample(draw, [load_rubric("warmth")], folder=path.stem))
    return path


def cpu(pid: int) -> float:
    """Processor seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Peak resident memory of a process in MB."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    return int(found[1]) / 1024 if found else float("nan")


def opened(tests: ModuleType, sample: Path, words: str) -> tuple[Any, float, float]:
    """The app with its first item on the screen; wall and processor seconds until then."""
    start = time.perf_counter()
    run = tests.Terminal(sample, "--guard", "0")
    run.wait_for(words, seconds=120)
    return run, time.perf_counter() - start, cpu(run.pid)


def pressed(run: Any, key: str, words: str) -> tuple[float, float]:
    """Milliseconds from a key until the words were painted: of the clock, and of the processor."""
    since, busy, start = max(0, len(run.output) - 50), cpu(run.pid), time.perf_counter()
    run.send(key)
    run.wait_for(words, since, seconds=60)
    return (time.perf_counter() - start) * 1000, (cpu(run.pid) - busy) * 1000


def many_items(tests: ModuleType, folder: Path, count: int) -> None:
    """First paint, keys and memory with many items."""
    sample = sample_of(tests, folder, [f"Reply {n}. " + "We will look at it this week. " * 10 for n in range(count)])
    run, wall, busy = opened(tests, sample, f"item 1 of {count}")
    before = cpu(run.pid)
    times = sorted(pressed(run, "3", f"item {n} of {count}")[0] for n in range(2, KEYS + 2))
    each = (cpu(run.pid) - before) / KEYS * 1000
    print(
        f"{count:,} items: first paint {busy:.2f} s of processor ({wall:.2f} s), {KEYS} keys: key to paint median "
        f"{statistics.median(times):.1f} ms, p95 {times[int(KEYS * 0.95) - 1]:.1f} ms, {each:.1f} ms of processor a key; "
        f"peak memory {memory(run.pid):.0f} MB"
    )
    run.close()


def long_text(tests: ModuleType, folder: Path) -> None:
    """A 200 kB reply first, by the next key, by undo, and a page further."""
    run, wall, busy = opened(tests, sample_of(tests, folder, ["A short reply."]), "item 1 of 1")
    run.close()
    print(f"one short reply: first paint {busy:.2f} s of processor ({wall:.2f} s)")
    run, wall, busy = opened(tests, sample_of(tests, folder, [LONG]), "item 1 of 1")
    run.settle(0.3)
    print(f"one reply of 200 kB: first paint {busy:.2f} s of processor ({wall:.2f} s)")
    busy = cpu(run.pid)
    for _ in range(10):
        run.send(b"\x1b[6~")
        run.settle(0.1)
    print(f"   a page further: {(cpu(run.pid) - busy) * 100:.0f} ms of processor")
    run.close()
    run, _, _ = opened(tests, sample_of(tests, folder, [LONG + f" And {n}." for n in range(4)]), "item 1 of 4")
    run.settle(0.5)
    for key, words, what in (("4", "item 2 of 4", "the next one"), ("\x7f", "item 1 of 4", "back by undo")):
        wall, busy = pressed(run, key, words)
        print(f"   {what}: {wall:.0f} ms, {busy:.0f} ms of processor")
        run.settle(0.5)
    run.close()


def imports(sample: Path) -> None:
    """What the app loads, after a session in lines and with the screen's module."""
    program = (
        "import sys\nfrom judgekit.cli.main import main\ntry:\n    main(['label', sys.argv[1], '--as', 'ana', '--plain'])\n"
        "except SystemExit:\n    pass\nimport judgekit.labelling.app\n"
        f"print(len(sys.modules), 'modules; textual', 'textual' in sys.modules, '; heavy:', [m for m in {HEAVY} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(sample)], input="q\n", capture_output=True, text=True, cwd=ROOT, check=True
    )
    print("judgekit label imports:", done.stdout.splitlines()[-1])


if __name__ == "__main__":
    kit = terminals()
    with tempfile.TemporaryDirectory() as place:
        many_items(kit, Path(place), int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
        long_text(kit, Path(place))
        imports(sample_of(kit, Path(place), ["A short reply here."]))
