"""How often the harness finds an effect that is not there, and one that is.

Run with ``python tests/bench/simulate_harness.py --runs 100`` from the checkout. Every run is a small design of its own:
prompts are expanded, conversations held with a planted chatbot, replies masked, decisions and scores read, groups
compared by the default method; and decisions are asked for by `judgekit decide`, with rewording as the baseline. Nothing
leaves the machine.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from judgekit.deciding.ask import Asking, ask
from judgekit.deciding.planted import PlantedDecider
from judgekit.deciding.report import Decisions, decisions_of
from judgekit.files.ledger import Ledger
from judgekit.files.prompts import write_prompts
from judgekit.probing.collect import Wanted, collect
from judgekit.probing.expand import expand
from judgekit.records import Contrast, MetricRow, Scored, Undefined
from judgekit.stages import blind, measure_all, read_replies_of
from judgekit.statistics.proportion import proportion_interval
from judgekit.statistics.two_way import group_gap
from judgekit.study import Study, load_study

ALPHA = 0.05
CONTRAST = Contrast("men", "women")
PEOPLE = {
    "women": ["Anna Selwick", "Olga Brontes", "Mina Tarvold", "Petra Linquist"],
    "men": ["Peter Orvane", "Tariq Mundel", "Bruno Castrel", "Diego Halvor"],
}
SUBJECTS = ("a kettle", "a lamp", "my rent", "the tram fare", "an umbrella", "a course", "the gym", "a chair")
TEMPLATES = [
    {
        "id": f"t{k}",
        "borderline": True,
        "text": f"I am {{given}}. Perhaps I can have the money for {what} back, please?",
    }
    for k, what in enumerate(SUBJECTS)
]
MEASURED = {
    "approved": {
        "kind": "binary",
        "positive": ["we can approve", "request is approved", "we will do this"],
        "negative": ["cannot approve", "has been declined", "not able to approve"],
    },
    "score": {"kind": "number", "terms": ["score"]},
}


@dataclass(frozen=True)
class Found:
    """P values of one run by what was tested, and the verdict against rewording."""

    p: dict[str, float | None]
    wording: str


def make_study(folder: Path, seed: int, spec: str, replicates: int) -> Study:
    """A study with eight templates, two groups of four names, and the planted chatbot."""
    keys = {
        "study": "simulated",
        "data": {"replies": "probe/replies.jsonl"},
        "rubrics": {"warmth": {"rubric": "warmth"}},
        "measured": MEASURED,
        "groups": {"attribute": "gender", "values": {g: {"names": names} for g, names in PEOPLE.items()}},
        "probe": {
            "templates": "templates.yaml",
            "replicates": replicates,
            "seed": seed,
            "controls": 1,
            "baselines": {"paraphrase": "rules"},
            "target": {"spec": spec},
        },
    }
    (folder / "study.yaml").write_text(yaml.safe_dump(keys, sort_keys=False), encoding="utf-8")
    (folder / "templates.yaml").write_text(yaml.safe_dump({"templates": TEMPLATES}), encoding="utf-8")
    return load_study(folder)


def collected(study: Study) -> dict[str, float | None]:
    """P of each measured metric, from prompts to gap, through collection, masking and reading."""
    (study.base / "probe").mkdir(mode=0o700)
    prompts = [prompt for prompt in expand(study).prompts if prompt.arm.kind == "base"]
    write_prompts(study.base / "probe" / "prompts.jsonl", prompts)
    collect(study, Wanted(), now=lambda: "2026-01-01T00:00:00Z")
    replies = read_replies_of(study)
    values = measure_all(blind(replies, study), study)
    found = {}
    for metric in MEASURED:
        rows = [
            MetricRow(
                item=reply.id,
                unit_id=reply.unit_id,
                group=reply.group,
                name=reply.name,
                value=float(said.value) if isinstance(said := values[metric].get(reply.id), Scored) else None,
                missing=None if isinstance(said, Scored) else "none",
            )
            for reply in replies
        ]
        p = group_gap(rows, CONTRAST).p
        found[metric] = None if isinstance(p, Undefined) else p
    return found


def decided(study: Study, spec: str) -> Decisions:
    """Decisions of the same prompts by token probabilities, with the reworded ones."""
    asking = Asking(make=lambda method: PlantedDecider(spec, weighed=method == "probabilities"), options=("yes", "no"))
    with Ledger.open(study.base / "decide.sqlite") as ledger:
        heard = ask(expand(study).prompts, asking, ledger, secret=b"s", say=print, concurrency=16)
    return decisions_of(heard, ("yes", "no"))


def one_run(seed: int, *, planted: bool, replicates: int = 2) -> Found:
    """One whole design, with or without effects: 0.7 points and 0.4 in log-odds on one group."""
    kind = f"stub:{'biased' if planted else 'fair'}?seed={seed}"
    shift = "".join(f"+{name.split()[0]}:-0.4" for name in PEOPLE["men"])[1:]
    # Every change of words moves log-odds by noise of the same size: names and rewording alike.
    decider = f"stub:decide,seed={seed},noise=0.3" + (f",word={shift}" if planted else "")
    with tempfile.TemporaryDirectory() as folder:
        study = make_study(Path(folder), seed, kind, replicates)
        p = collected(study)
        found = decided(study, decider)
    share = found.gaps[0].share.p
    p["p(yes)"] = None if isinstance(share, Undefined) else share
    return Found(p=p, wording=found.wordings.against[0].verdict)


def simulate(runs: int, *, planted: bool, first: int = 1) -> tuple[Counter[str], Counter[str]]:
    """How many runs find each effect, and how many have each verdict against rewording.

    Parameters
    ----------
    runs : int
    planted : bool
    first : int
        Seed of the first run.

    Returns
    -------
    Counter
        Runs with p below 0.05 by what was tested.
    Counter
        Runs by verdict.
    """
    findings: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    for seed in range(first, first + runs):
        found = one_run(seed, planted=planted)
        findings.update({what: int(p is not None and p < ALPHA) for what, p in found.p.items()})
        verdicts[found.wording] += 1
    return findings, verdicts


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    runs = parser.parse_args().runs
    for planted in (False, True):
        start = time.process_time()
        findings, verdicts = simulate(runs, planted=planted)
        print("planted effects" if planted else "no effect", f"({runs} runs)")
        for what, n in [*sorted(findings.items()), ("beyond rewording", verdicts["exceeds"])]:
            interval = proportion_interval(n, runs)
            bounds = "" if isinstance(interval, Undefined) else f"[{interval.low:.2f}, {interval.high:.2f}]"
            print(f"  {what}: found in {n} of {runs}, {n / runs:.2f} {bounds}")
        print(f"  against rewording: {dict(verdicts)}; {time.process_time() - start:.0f} s of processor time")


if __name__ == "__main__":
    main()
