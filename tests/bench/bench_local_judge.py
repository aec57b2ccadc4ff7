"""What a small real model on this machine is worth as a judge of 50 real conversations, by the product's own commands.

Run with ``python tests/bench/bench_local_judge.py MODEL.gguf FOLDER`` from the checkout, with the extra `local`. In FOLDER
it makes a study of the conversations, with what three experts said of "validating emotions" as people's warmth, and
goes ``labels import`` and ``run``. A stopped run goes on where it was when the command is given again. The other half,
position bias and agreement on the demo's texts, is recorded by ``examples/support/record_second_judge.py``.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REAL = ROOT.parent / "shared" / "data" / "real"
EXPERTS = ["expert1", "expert2", "expert3"]


def judgekit(*arguments: str | Path) -> dict:
    """Run one command with ``--json``; its document."""
    command = [sys.executable, "-m", "judgekit", *map(str, arguments), "--json"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def write_study(folder: Path, model: Path, rows: int, max_tokens: int) -> Path:
    """A study of the conversations without groups, and the experts' ratings beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = (REAL / "lend_an_ear_conversations.jsonl").read_text(encoding="utf-8").splitlines()[:rows]
    (folder / "replies.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")
    items = {json.loads(line)["item"] for line in texts}
    ratings = csv.DictReader((REAL / "empathy_ratings.csv").read_text(encoding="utf-8").splitlines())
    with (folder / "ratings.csv").open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, ["item", "dimension", "annotator", "score"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(r for r in ratings if r["dataset"] == "Lend an Ear" and r["item"] in items)
    study = {
        "study": "lend",
        "data": {"replies": "replies.jsonl", "lang": "en"},
        "rubrics": {"warmth": {"rubric": "warmth", "role": "primary"}},
        "judge": {"spec": f"local:{model.resolve()}?n_threads=1", "max_tokens": max_tokens, "timeout": 900},
        "labels": {"annotators": EXPERTS},
        "calibration": {"threshold": {"kind": "ceiling"}, "min_labels": min(40, rows), "human_kappa": 0.40},
    }
    path = folder / "study.yaml"
    path.write_text(json.dumps(study), encoding="utf-8")
    return path


def main() -> None:
    """Make the study, import the labels, run it, print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--max-tokens", type=int, default=200)
    asked = parser.parse_args()
    study = write_study(asked.folder, asked.model, asked.rows, asked.max_tokens)
    if not list((asked.folder / "labels").glob("*.jsonl")):
        judgekit("labels", "import", study, asked.folder / "ratings.csv", "--annotators", ",".join(EXPERTS),
                 "--rename", "validating_emotions=warmth")  # fmt: skip
    start = time.perf_counter()
    report = judgekit("run", study)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{time.perf_counter() - start:.0f} s, of them {used.ru_utime + used.ru_stime:.0f} s of processor time")
    print("judged:", json.dumps(report["stages"]["judge"]["counts"]))
    agreement = json.loads((Path(report["run_dir"]) / "agreement.json").read_text(encoding="utf-8"))
    for pair in agreement["pairs"]:
        print(
            f"kappa {pair['a']} and {pair['b']}: {pair['kappa']} {pair['kappa_ci']} on {pair['n']}; {pair['undefined'] or ''}"
        )
    print("people among themselves:", json.dumps(agreement["human_ceiling"]))
    print("calibrated:", [found["metric"] for found in report["calibrated"]])
    for refused in report["refused"]:
        print(f"refused: {refused['metric']}")
        for reason in refused["reasons"]:
            print(f"   {reason['code']}: {reason['value']} (threshold {reason['threshold']})")


if __name__ == "__main__":
    main()
