"""Blind a corpus with judgekit in this process and print one JSON line of figures; `bench_blinding.py` calls it.

    python tests/bench/run_judgekit.py CORPUS.jsonl PRED.jsonl [--mode known|unknown] [--ner auto|on|off]

``known`` gives the row's names, as a study with names of its own does; ``unknown`` gives nothing but the text. The
language is detected in both.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from judgekit.blinding.mask import Blinder
from judgekit.blinding.verify import Verifier
from judgekit.records import Reply, Withheld

WARM_UP = 20


def main() -> None:
    """Mask, verify, write and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("pred", type=Path)
    parser.add_argument("--mode", choices=["known", "unknown"], default="known")
    parser.add_argument("--ner", choices=["auto", "on", "off"], default="auto")
    options = parser.parse_args()
    known = options.mode == "known"
    rows = [json.loads(line) for line in options.corpus.read_text(encoding="utf-8").splitlines()]
    replies = [
        Reply(
            id=row["id"],
            text=row["text"],
            known_names=tuple(row["known_names"]) if known else (),
            names_stated=known,
        )
        for row in rows
    ]
    blinder, verifier = Blinder(ner=options.ner), Verifier()
    for reply in replies[:: max(1, len(replies) // WARM_UP)]:  # of both languages: loading is not counted
        verifier.verify(blinder.mask(reply))
    started = time.process_time()
    masked = [blinder.mask(reply) for reply in replies]
    spent = time.process_time() - started
    results = [verifier.verify(one) for one in masked]
    verifying = time.process_time() - started - spent
    held = [r for r in results if isinstance(r, Withheld)]
    with options.pred.open("w", encoding="utf-8") as file:
        for one in masked:
            file.write(json.dumps({"id": one.item, "blinded": one.text}, ensure_ascii=False) + "\n")
    figures = {
        "texts": len(rows),
        "cpu": spent,
        "verify_cpu": verifying,
        "withheld": len(held) / len(rows),
        "rules": Counter(leak.rule for r in held for leak in r.leaks),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1024),
        "model": "spacy" in sys.modules,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
