"""Lines cut off the end of a chained file leave no trace in it; the ledger remembers how far each file had come."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from judgekit.errors import RefusedMetric
from judgekit.files.chain import read_chain
from judgekit.files.json_text import dumps, loads
from judgekit.files.ledger import Ledger

__all__ = ["check_and_anchor"]

_NOTE = "chain_heads"
_REMEDY = "restore the file; to start over, give the study another name"


def check_and_anchor(ledger: Ledger, files: Mapping[str, Path]) -> None:
    """Check that no chained file has lost lines since the ledger last saw it, and remember how far each has come.

    Parameters
    ----------
    ledger : Ledger
        Open for writing.
    files : mapping of str to Path
        A name that stays the same between runs, and where the file is.

    Raises
    ------
    RefusedMetric
        A file is shorter than it was, another file stands in its place, or it is gone.
    """
    noted = loads(ledger.noted(_NOTE) or "{}")
    heads: dict[str, list[object]] = {}
    for name, path in files.items():
        links = read_chain(path, error=RefusedMetric, remedy=_REMEDY).links
        n, digest = noted.get(name, [0, ""])
        if n and (len(links) < n or links[n - 1].hash != digest):
            raise RefusedMetric(
                _what(len(links), n),
                path=path,
                line=len(links) or None,
                seen=f"{len(links)} lines",
                why=f"it had {n} lines then, and labels and seals are only ever appended",
                remedy=_REMEDY,
            )
        if links:
            heads[name] = [len(links), links[-1].hash]
    for name in set(noted) - set(files):
        raise RefusedMetric(
            "a file of labels or seals is gone since the last run",
            path=name,
            why="labels and seals are only ever appended",
            remedy=_REMEDY,
        )
    if heads != noted:
        ledger.note(_NOTE, dumps(heads))


def _what(now: int, before: int) -> str:
    if not now:
        return "the file is gone since the last run"
    return "lines were removed since the last run" if now < before else "other lines stand here than at the last run"
