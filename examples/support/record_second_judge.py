"""Record a real local model's answers on the demo's labelled texts: `second_judge.sqlite`, replayed by the demo.

    python examples/support/record_second_judge.py MODEL.gguf DEMO_FOLDER OUT.sqlite

DEMO_FOLDER is what `judgekit demo` left. The answers come through the ordinary runner and may be stopped and taken up
again: they are kept beside OUT until all are there. Needs the extra `local`.
"""

from __future__ import annotations

import contextlib
import sqlite3
import sys
from pathlib import Path

from judgekit.endpoints.limits import Limits
from judgekit.files.ledger import Ledger
from judgekit.files.manifest import secret
from judgekit.judging.handle import make_judge
from judgekit.second_judge import look_at_study
from judgekit.study import load_study

MAX_TOKENS = 200
TIMEOUT = 600.0


def record(model: Path, demo: Path, out: Path) -> None:
    """Ask the model, then keep requests and answers alone in OUT, in a file of one part."""
    judge = make_judge(f"local:{model}?n_threads=1", parameters={"temperature": 0.0, "max_tokens": MAX_TOKENS})
    whole = out.with_suffix(".whole.sqlite")
    with Ledger.open(whole) as ledger:
        limits = Limits(attempt_timeout=TIMEOUT)
        found = look_at_study(load_study(demo), judge, ledger, secret=secret(demo / "secret"), limits=limits)
    out.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(whole)) as source:
        source.execute("VACUUM INTO ?", (str(out),))
    with contextlib.closing(sqlite3.connect(out)) as packed:
        packed.execute("DELETE FROM judgments")
        packed.execute("DELETE FROM tasks")
        packed.commit()
        packed.execute("PRAGMA journal_mode = DELETE")
        packed.execute("VACUUM")
    for left in (whole, whole.with_name(f".{whole.name}.lock")):
        left.unlink(missing_ok=True)
    print(found)


if __name__ == "__main__":
    record(*map(Path, sys.argv[1:4]))
