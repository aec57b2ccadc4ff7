"""Judged scores that come back as somebody's table: compared, by id, with the ledgers and runs that lie nearby."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Protocol

from judgekit.errors import BadInput
from judgekit.files.atomic import iter_jsonl
from judgekit.files.json_text import loads
from judgekit.files.ledger import Ledger
from judgekit.files.text_in import read_start
from judgekit.records import MetricRow, Scored

__all__ = ["OwnScores", "find_own_scores", "nearby"]

_ENOUGH = 20
_CHUNK = 1_000
_SAME = 0.005  # a mean over repeats may have been written with two decimals
_HEADER = 65_536

Scores = Mapping[str, Mapping[str, Collection[float]]]
"""Judge and dimension, as one text, to item to what counts as its score."""


@dataclass(frozen=True, slots=True)
class OwnScores:
    """What a metric turned out to be: a judged dimension, where its scores lie, and how many values are the same."""

    dimension: str
    path: Path
    same: int


class _Source(Protocol):
    path: Path

    def scores(self, items: Collection[str]) -> Scores: ...


class _OfLedger:
    def __init__(self, path: Path) -> None:
        self.path = path

    def scores(self, items: Collection[str]) -> Scores:
        """Scores of texts as the judge saw them blinded; the swap test's are of other texts."""
        found: dict[str, dict[str, dict[str, list[float]]]] = {}
        with Ledger.open(self.path, read_only=True) as ledger:
            for judgment in ledger.iter_judgments(arm_kinds={"base"}, items=items, superseded=True):
                outcome = judgment.outcome
                if isinstance(outcome, Scored) and isinstance(outcome.value, int | float):
                    by_judge = found.setdefault(judgment.dimension, {}).setdefault(judgment.task.judge, {})
                    values = by_judge.setdefault(judgment.task.item, [])
                    values.append(outcome.value)
                    if outcome.expected is not None:
                        values.append(outcome.expected)
        return {
            f"{dimension}\n{judge}": {item: [*values, fmean(values)] for item, values in by_item.items()}
            for dimension, by_judge in found.items()
            for judge, by_item in by_judge.items()
        }


class _OfRun:
    def __init__(self, path: Path) -> None:
        self.path = path
        found: dict[str, dict[str, list[float]]] = {}
        for _, row in iter_jsonl(path):
            score = row.get("score")
            if isinstance(score, int | float) and not isinstance(score, bool):
                found.setdefault(str(row.get("dimension")), {}).setdefault(str(row.get("item")), []).append(score)
        self._found = {
            f"{dimension}\n": {item: [*values, fmean(values)] for item, values in by_item.items()}
            for dimension, by_item in found.items()
        }

    def scores(self, items: Collection[str]) -> Scores:
        """Scores of a file of judgments."""
        return {key: {i: by_item[i] for i in items if i in by_item} for key, by_item in self._found.items()}


def nearby(folder: Path) -> Iterator[Path]:
    """Ledgers and files of judgments in a folder and those above it, up to the user's home or the root.

    Parameters
    ----------
    folder : Path

    Yields
    ------
    Path
        ``.judgekit/*/ledger.sqlite``; ``judgments.jsonl`` of run folders, and of the folder itself.
    """
    try:
        home: Path | None = Path.home().resolve()
    except RuntimeError:  # a user without a home: then the root ends the search
        home = None
    start = folder.resolve()
    for place in (start, *start.parents):
        yield from sorted(path for path in place.glob(".judgekit/*/ledger.sqlite") if path.stat().st_size)
        if _is_ours(place / "judgments.jsonl"):
            yield place / "judgments.jsonl"
        for pattern in ("*/manifest.json", "runs/*/manifest.json"):
            runs = sorted(path.with_name("judgments.jsonl") for path in place.glob(pattern))
            yield from (path for path in runs if _is_ours(path))
        if place == home:
            return


def _is_ours(path: Path) -> bool:
    """Whether a file's first record says that judgekit wrote it; a file that holds no JSON is somebody else's."""
    if not path.is_file():
        return False
    try:
        first = loads(read_start(path, _HEADER).partition(b"\n")[0].decode("utf-8"), path=path, line=1)
    except (BadInput, UnicodeDecodeError):
        return False
    return isinstance(first, dict) and first.get("judgekit") == "judgments"


@dataclass(slots=True)
class _Tally:
    """How the table compares with one source, dimension by dimension."""

    same: dict[str, int] = field(default_factory=dict)
    other: set[str] = field(default_factory=set)
    met: int = 0

    def take(self, rows: Collection[MetricRow], scores: Scores) -> None:
        """Compare a part of the table."""
        for key, by_item in scores.items():
            for row in rows:
                judged = by_item.get(row.item)
                if judged is None or row.value is None:
                    continue
                self.met += 1
                if any(abs(row.value - score) <= _SAME for score in judged):
                    self.same[key] = self.same.get(key, 0) + 1
                else:
                    self.other.add(key)
                    break

    @property
    def settled(self) -> bool:
        """Whether enough was met to know that no dimension is the same."""
        return self.met >= _ENOUGH and not set(self.same) - self.other

    def verdict(self, rows: int) -> tuple[str, int] | None:
        """The dimension that the values are, if there is one."""
        for key, same in self.same.items():
            if key not in self.other and (same >= _ENOUGH or same == rows):
                return key.partition("\n")[0], same
        return None


def find_own_scores(rows: Iterable[MetricRow], folder: Path) -> OwnScores | None:
    """Tell whether a metric is nothing but the scores of a judge whose ledger or run lies nearby.

    Parameters
    ----------
    rows : iterable of MetricRow
        The table, read once, and not at all when nothing is nearby.
    folder : Path
        Where the table lies.

    Returns
    -------
    OwnScores or None
        Not None when every value of a text that the judge has scored on one dimension is that score (or the mean over
        its repeats), and these are 20 values or all that the table has.

    Raises
    ------
    JudgekitError
        A ledger nearby cannot be read: then nobody can tell.
    """
    sources: list[tuple[_Source, _Tally]] = [
        (_OfLedger(path) if path.suffix == ".sqlite" else _OfRun(path), _Tally())
        for path in dict.fromkeys(nearby(folder))
    ]
    if not sources:
        return None
    count = 0
    iterator = (row for row in rows if row.value is not None)
    while chunk := list(islice(iterator, _CHUNK)):
        count += len(chunk)
        items = {row.item for row in chunk}
        for source, tally in sources:
            tally.take(chunk, source.scores(items))
        sources = [(source, tally) for source, tally in sources if not tally.settled]
        if not sources:
            return None
    for source, tally in sources:
        found = tally.verdict(count)
        if found is not None:
            return OwnScores(found[0], source.path, found[1])
    return None
