"""Speed of `judgekit label` on a pseudo-terminal: figures are printed (`-s` shows them), only gross faults fail."""

from __future__ import annotations

import os
import re
import statistics
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def resident_mb(pid):
    """Resident memory of a process in MB, where the system tells it."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024
    except (OSError, TypeError):
        return float("nan")


def key_to_paint(run, key, words, since):
    """Milliseconds from writing a key until the words were painted after it."""
    start = time.perf_counter()
    run.send(key)
    run.wait_for(words, since)
    return (time.perf_counter() - start) * 1000


def test_ten_thousand_items(make_sample_file, terminal):
    """10,000 items: first paint, key to paint over 200 keys, memory."""
    sample = make_sample_file([f"reply {n} " + "word " * 60 for n in range(10_000)])
    start = time.perf_counter()
    run = terminal(sample, "--guard", "0")
    run.wait_for("item 1 of 10000")
    first = time.perf_counter() - start
    times = sorted(
        key_to_paint(run, "3", f"item {number} of 10000", max(0, len(run.output) - 50)) for number in range(2, 202)
    )
    print(
        f"\n10,000 items: first paint {first:.2f} s, key to paint median {statistics.median(times):.1f} ms, "
        f"p95 {times[189]:.1f} ms, memory {resident_mb(run.pid):.0f} MB, cores {os.cpu_count()}"
    )
    assert statistics.median(times) < 1000


def test_two_hundred_kilobytes(make_sample_file, terminal):
    """A reply of 200 kB: first paint against a short one, and page-down until the new page stands."""
    firsts = []
    for n, text in enumerate(("short reply", " ".join(f"Sentence {k} of a very long reply." for k in range(5800)))):
        sample = make_sample_file([text, "another"], name=f"s{n}.jsonl", n=2)
        start = time.perf_counter()
        run = terminal(sample, name=("ana", "karim")[n])
        run.wait_for("item 1 of 2")
        if b"another" in run.output:
            run.settle(0.5)
            run.send("3")
            run.wait_for("item 2 of 2")
        firsts.append(time.perf_counter() - start)
    pages = []
    for _ in range(10):
        run.settle(0.1)
        begin = last = time.perf_counter()
        run.send(b"\x1b[6~")
        while run.read(0.5 if last == begin else 0.05):
            last = time.perf_counter()
        pages.append((last - begin) * 1000)
    assert min(pages) > 0
    print(
        f"\n200 kB: first paint {firsts[1]:.2f} s (short reply {firsts[0]:.2f} s), "
        f"page-down median {statistics.median(pages):.1f} ms, worst {max(pages):.1f} ms"
    )
    assert statistics.median(pages) < 1000
