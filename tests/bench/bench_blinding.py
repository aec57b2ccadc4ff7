"""Recall by kind and speed of blinding on a gold corpus.

    python tests/bench/bench_blinding.py CORPUS.jsonl [--scorer score_blinding.py] [--unknown] [--ner auto|on|off] [--pred OUT]

Prints texts per CPU second, the withheld share and, with the scorer, the table of recall by kind. ``--pred`` also writes
the blinded texts, so that another tool's output can be scored by the same script (for a comparison, run that tool in an
environment of its own and score its file).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import resource
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from judgekit.blinding.mask import Blinder  # noqa: E402
from judgekit.blinding.verify import Verifier  # noqa: E402
from judgekit.records import Reply, Withheld  # noqa: E402


def main() -> None:
    """Mask, verify, count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--scorer", type=Path, default=ROOT.parent / "shared" / "tools" / "score_blinding.py")
    parser.add_argument("--unknown", action="store_true", help="do not give the known names")
    parser.add_argument("--ner", choices=["auto", "on", "off"], default="auto")
    parser.add_argument("--pred", type=Path)
    options = parser.parse_args()
    gold = [json.loads(line) for line in options.corpus.read_text(encoding="utf-8").splitlines()]
    blinder, verifier = Blinder(ner=options.ner), Verifier()
    replies = [
        Reply(
            id=row["id"],
            text=row["text"],
            known_names=() if options.unknown else tuple(row["known_names"]),
            names_stated=not options.unknown,
        )
        for row in gold
    ]
    blinder.mask(replies[0])
    started = time.process_time()
    masked = [blinder.mask(reply) for reply in replies]
    spent = time.process_time() - started
    results = [verifier.verify(one) for one in masked]
    rules = Counter(leak.rule for r in results if isinstance(r, Withheld) for leak in r.leaks)
    held = sum(isinstance(r, Withheld) for r in results)
    print(f"{len(gold)} texts, {len(gold) / spent:.0f} per CPU second, withheld {held / len(gold):.2%}", dict(rules))
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if options.pred:
        lines = [json.dumps({"id": m.item, "blinded": m.text}, ensure_ascii=False) for m in masked]
        options.pred.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.scorer.exists():
        table(options.scorer, gold, [one.text for one in masked])


def table(scorer: Path, gold: list[dict], blinded: list[str]) -> None:
    """Recall by kind, clean words lost, siblings."""
    spec = importlib.util.spec_from_file_location("scorer", scorer)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found, missed, clean, lost, docs, leaking = Counter(), Counter(), 0, 0, 0, 0
    for row, text in zip(gold, blinded, strict=True):
        cues, here, gone = module.score_doc(row, text)
        clean, lost = clean + here, lost + gone
        core = [leak for cue, leak, _ in cues if module.FAM.get(cue["kind"]) in module.CORE and not cue.get("soft")]
        docs += bool(cues)
        leaking += any(core)
        for cue, leak, _ in cues:
            found[cue["kind"]] += 1
            missed[cue["kind"]] += leak
    print(f"core leak {leaking / max(docs, 1):.2%}, clean tokens lost {lost / max(clean, 1):.3%}", end="")
    print(f", siblings identical {module.exact_pairs(list(zip(gold, blinded, strict=True)))}")
    for kind in sorted(found):
        print(f"{kind:<24}{found[kind]:>6}{1 - missed[kind] / found[kind]:>9.1%}")


if __name__ == "__main__":
    main()
