"""What judgekit stored about a study, found by its form and removed for good. Nothing else is ever touched."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from judgekit.errors import BadInput
from judgekit.files.disk import disk_failed
from judgekit.files.folders import list_runs, run_started
from judgekit.files.ledger import Ledger
from judgekit.files.lock import WriterLock

__all__ = ["Stored", "due", "remove", "stored_run", "stored_things"]

_LEDGER_TAILS = ("", "-wal", "-shm", "-journal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """One thing that was stored: a run, the ledger, or what belongs to the labels or the seals.

    ``moment`` is the UTC time of a run's start or of the ledger's newest answer, None where age does not matter;
    ``bytes`` is what it takes on the disk.
    """

    kind: str
    path: Path
    holds: str
    moment: datetime | None
    bytes: int


def stored_run(path: Path) -> Stored:
    """One run folder.

    Parameters
    ----------
    path : Path
        ``runs/<run>``.

    Returns
    -------
    Stored

    Raises
    ------
    BadInput
        The folder is a link, or does not have the name of a run folder.

    Examples
    --------
    >>> stored_run(Path("letters"))
    Traceback (most recent call last):
    judgekit.errors.BadInput: letters: not a run folder. Do: name runs/<run> of a study, or the study itself.
    """
    moment = run_started(path)
    if moment is None or path.is_symlink() or not path.is_dir():
        raise BadInput("not a run folder", path=path, remedy="name runs/<run> of a study, or the study itself")
    return Stored(kind="run", path=path, holds="blinded texts, names, scores, report", moment=moment, bytes=_size(path))


def stored_things(folder: Path, runs: Path, labels: Path, study: str, annotators: Sequence[str] = ()) -> list[Stored]:
    """All that judgekit stored about one study.

    Parameters
    ----------
    folder : Path
        The private folder, ``.judgekit/<study>``.
    runs, labels : Path
        Folder of the runs; folder of sample, key and labels.
    study : str
        Its name: only its own runs and sample are listed.
    annotators : sequence of str
        Raters whose label files belong to it.

    Returns
    -------
    list of Stored
        Runs (oldest first), ledgers, labels, seals; what is not there is not listed.

    Raises
    ------
    BadInput
        The ledger cannot be read.

    Examples
    --------
    >>> stored_things(Path("none"), Path("none"), Path("none"), "s")
    []
    """
    found = [stored_run(path) for path in list_runs(runs, study) if not path.is_symlink()]
    for name, holds in (
        ("ledger.sqlite", "prompts, raw answers, judgments"),
        ("collect.sqlite", "conversations with the chatbot under test, raw replies"),
        ("decide.sqlite", "prompts to the chatbot under test, its decisions"),
    ):
        ledger = folder / name
        if ledger.is_file():
            found.append(
                Stored(
                    kind="ledger",
                    path=ledger,
                    holds=holds,
                    moment=_newest_answer(ledger),
                    bytes=sum(p.stat().st_size for p in _ledger_files(ledger)),
                )
            )
    found.extend(
        Stored(kind="labels", path=path, holds="blinded texts or labels", moment=None, bytes=path.stat().st_size)
        for path in _label_files(labels, study, annotators)
    )
    for name in ("seals.jsonl", "secret"):
        if (folder / name).is_file():
            size = (folder / name).stat().st_size
            found.append(Stored(kind="seals", path=folder / name, holds="decisions", moment=None, bytes=size))
    return found


def due(things: Sequence[Stored], *, days: int, now: datetime) -> list[Stored]:
    """Runs and ledgers that are older than so many days.

    Parameters
    ----------
    things : sequence of Stored
    days : int
        0 and more; a ledger counts from its newest answer.
    now : datetime
        With a time zone.

    Returns
    -------
    list of Stored
        Labels and seals never fall due: they hold people's work and what was decided.

    Examples
    --------
    >>> old = Stored(kind="run", path=Path("r"), holds="", moment=datetime(2026, 1, 1, tzinfo=UTC), bytes=1)
    >>> len(due([old], days=30, now=datetime(2026, 3, 1, tzinfo=UTC)))
    1
    """
    limit = now - timedelta(days=days)
    return [t for t in things if t.kind in {"run", "ledger"} and t.moment is not None and t.moment <= limit]


def remove(things: Sequence[Stored]) -> int:
    """Remove them; a ledger that is being written is left, with everything after it.

    Parameters
    ----------
    things : sequence of Stored

    Returns
    -------
    int
        Bytes freed.

    Raises
    ------
    InUse
        Another process writes the ledger or a label file.
    DiskFailed
        A file cannot be removed.

    Examples
    --------
    >>> remove([])
    0
    """
    with contextlib.ExitStack() as held:
        # All locks first: a study that is at work is left whole.
        for thing in things:
            if thing.kind in {"ledger", "labels"}:
                held.enter_context(WriterLock(thing.path))
        for thing in things:
            try:
                if thing.kind == "run":
                    shutil.rmtree(thing.path)
                else:
                    for path in _ledger_files(thing.path) if thing.kind == "ledger" else [thing.path]:
                        path.unlink()
            except OSError as problem:
                raise disk_failed(thing.path, problem, doing="removed") from problem
    return sum(thing.bytes for thing in things)


def _ledger_files(ledger: Path) -> list[Path]:
    names = [ledger.with_name(ledger.name + tail) for tail in _LEDGER_TAILS]
    return [path for path in names if path.is_file()]


def _newest_answer(ledger: Path) -> datetime:
    with Ledger.open(ledger, read_only=True) as opened:
        stamp = opened.last_received()
    if stamp is None:
        return datetime.fromtimestamp(ledger.stat().st_mtime, tz=UTC)
    return datetime.fromisoformat(stamp)


def _label_files(labels: Path, study: str, annotators: Sequence[str]) -> Iterator[Path]:
    """The study's sample and key, and the label files of its raters."""
    names = [*sorted(path.name for path in labels.glob(f"{study}.*.jsonl")), *(f"{name}.jsonl" for name in annotators)]
    for name in dict.fromkeys(names):
        path = labels / name
        if path.is_file() and not path.is_symlink():
            yield path


def _size(folder: Path) -> int:
    return sum(p.lstat().st_size for p in folder.rglob("*") if p.is_file() or p.is_symlink())
