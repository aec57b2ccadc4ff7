"""Peak memory of blind, verify and gap at n and 10 n rows: it may grow by a fifth, whatever the number of rows.

Run with ``python tests/bench/bench_memory.py [COMMAND ...] [ROWS ...] [--workers N]`` from the checkout; by default all three
commands and 100,000 and 1,000,000 rows of about 250 characters with known names, each command in a process of its own.
Without ``blind`` the blinded texts of a few hundred rows are repeated under new ids, which is quicker. Peak memory is the
operating system's; with workers (``blind`` only, on Linux) the peaks of all processes are added up.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
GOAL = 1.2
FEW = 320
COMMANDS = ("blind", "verify", "gap")
PEOPLE = {
    "women": ("Anna Novak", "Maria Silva", "Priya Devan", "Lena Osei"),
    "men": ("Peter Novak", "Marco Silva", "Arjun Devan", "Kwame Osei"),
}
PRONOUNS = {"women": "She", "men": "He"}
THINGS = ("parcel", "kettle", "lamp", "chair", "cable", "bag", "desk", "cup")


def rows(count: int, *, short: bool = False) -> Iterator[dict[str, Any]]:
    """Replies of about 250 characters (or 50) over 40 templates and eight people, all different."""
    for n in range(count):
        group = ("women", "men")[n % 2]
        name = PEOPLE[group][n // 2 % 4]
        thing = THINGS[n // 8 % 8]
        text = f"Dear {name}, {PRONOUNS[group]} can keep the {thing}: matter {n}."
        if not short:
            text = (
                f"Dear {name}, thank you for writing to us about order matter {n} and the {thing} in it. We are sorry that it "
                f"was late. {PRONOUNS[group]} can keep the {thing}, and the new one leaves the house on Monday. "
                f"{name.split()[0]}, please tell us when it is there."
            )
        yield {
            "id": f"reply-{n:08d}",
            "template_id": f"case-{n // 8 % 40:02d}",
            "group": group,
            "name": name,
            "known_names": name,
            "lang": "en",
            "metric": n * 7 % 11,
            "text": text,
        }


def write_rows(path: Path, count: int, *, short: bool = False) -> Path:
    """Write replies as JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        for row in rows(count, short=short):
            file.write(json.dumps(row) + "\n")
    return path


def peak(*arguments: object) -> tuple[float, float]:
    """Run ``judgekit`` and give its peak memory in MB, all processes together, and its processor seconds."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "judgekit", *map(str, arguments)], cwd=ROOT, stdout=said, stderr=subprocess.STDOUT
        )
        peaks: dict[int, float] = {}
        watch = threading.Event()
        watcher = threading.Thread(target=_watch, args=(process.pid, peaks, watch))
        watcher.start()
        _, status, usage = os.wait4(process.pid, 0)
        watch.set()
        watcher.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            said.seek(0)
            raise RuntimeError(said.read().decode(errors="replace"))
    scale = 1 if sys.platform == "darwin" else 1024
    alone = set(peaks) <= {process.pid}
    memory = usage.ru_maxrss * scale / 1e6 if alone else sum(peaks.values())
    return memory, usage.ru_utime + usage.ru_stime


def _watch(root: int, peaks: dict[int, float], done: threading.Event) -> None:
    """Keep the peak of a process and of each of its descendants, in MB, until told to stop (Linux)."""
    while Path("/proc/self/status").exists() and not done.wait(0.25):
        family = {root}
        for entry in sorted((int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit()), key=int):
            try:
                fields = dict(
                    part.split(":", 1) for part in Path(f"/proc/{entry}/status").read_text().splitlines() if ":" in part
                )
            except OSError:
                continue  # it ended meanwhile
            if int(fields["PPid"]) in family:
                family.add(entry)
            if entry in family and "VmHWM" in fields:
                peaks[entry] = int(fields["VmHWM"].split()[0]) * 1024 / 1e6


def repeat_blinded(folder: Path, out: Path, count: int) -> None:
    """Write ``count`` blinded texts and their design: those of a few rows over and over, under new ids."""
    few = folder / "few.jsonl"
    peak("blind", write_rows(folder / "few-in.jsonl", FEW), "-o", few, "--ner", "off", "--json")
    for ending in (".jsonl", ".design.jsonl"):
        lines = [json.loads(line) for line in few.with_name(f"few{ending}").read_text(encoding="utf-8").splitlines()]
        with out.with_name(f"{out.stem}{ending}").open("w", encoding="utf-8") as file:
            for n in range(count):
                file.write(json.dumps(lines[n % FEW] | {"id": f"reply-{n:08d}"}) + "\n")


def measure(
    folder: Path, count: int, commands: Sequence[str] = COMMANDS, *, short: bool = False, workers: int = 1
) -> dict[str, tuple[float, float]]:
    """Peak memory and processor seconds of commands at one size."""
    source, out = write_rows(folder / f"{count}-in.jsonl", count, short=short), folder / f"{count}.jsonl"
    if "blind" not in commands and "verify" in commands:
        repeat_blinded(folder, out, count)
    arguments = {
        "blind": ("blind", source, "-o", out, "--ner", "off", "--workers", workers, "--json"),
        "verify": ("verify", out, "--json"),
        "gap": ("gap", source, "--metric", "metric", "--claim", "these_names", "--json"),
    }
    found = {name: peak(*arguments[name]) for name in COMMANDS if name in commands}
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
    return found


def main() -> None:
    """Print peak memory at every size, and its ratio to that of the first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="COMMAND or ROWS")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--short", action="store_true", help="texts of 50 characters, rows of 200 bytes")
    options = parser.parse_args()
    sizes = [int(size) for size in options.what if size.isdigit()] or [100_000, 1_000_000]
    commands = [name for name in options.what if name in COMMANDS] or COMMANDS
    with tempfile.TemporaryDirectory() as folder:
        first: dict[str, tuple[float, float]] = {}
        for size in sizes:
            started = time.monotonic()
            found = measure(Path(folder), size, commands, short=options.short, workers=options.workers)
            first = first or found
            for command, (megabytes, seconds) in found.items():
                ratio = megabytes / first[command][0]
                print(
                    f"{command:7} {size:>9,} rows  {megabytes:7.1f} MB  ratio {ratio:4.2f} (goal {GOAL})  {seconds:7.1f} s",
                    flush=True,
                )
            print(f"        all in {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
