"""What judgekit stored about a study, found by its form and removed for good. Nothing else is ever touched."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from judgekit.errors import BadInput, JudgekitError
from judgekit.files.atomic import iter_jsonl, read_json
from judgekit.files.disk import disk_failed
from judgekit.files.folders import list_runs, run_started
from judgekit.files.ledger import Ledger
from judgekit.files.lock import WriterLock
from judgekit.files.manifest import file_sha256

__all__ = ["Stored", "due", "remove", "stored_adhoc", "stored_run", "stored_things"]

_LEDGER_TAILS = ("", "-wal", "-shm", "-journal")
_LEDGERS = {
    "ledger.sqlite": "prompts, raw answers, judgments",
    "collect.sqlite": "conversations with the chatbot under test, raw replies",
    "decide.sqlite": "prompts to the chatbot under test, its decisions",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """One thing that was stored: a run, the ledger, a collection, or what belongs to prompts, labels or seals.

    ``moment`` is the UTC time of a run's or collection's start or of the ledger's newest answer, None where age does not
    matter; ``bytes`` is what it takes on the disk.
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
        Runs (oldest first), ledgers, collected replies and their prompts beside the study or in ``probe``, labels, seals;
        what is not there is not listed. Collected replies that were edited since are the user's own.

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
    found.extend(_ledgers(folder))
    found.extend(_collected(folder.parent.parent, study))
    found.extend(_file("labels", path, "blinded texts or labels") for path in _label_files(labels, study, annotators))
    own = (folder / name for name in ("seals.jsonl", "secret"))
    found.extend(_file("seals", path, "decisions") for path in own if path.is_file())
    return found


def stored_adhoc(folder: Path) -> list[Stored]:
    """What commands on files stored in a folder of their own, such as ``.judgekit/b-swaptest``.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    list of Stored
        Ledgers and the secret of the text fences.

    Raises
    ------
    BadInput
        It is a link or no such folder, or a study's, or a ledger cannot be read.

    Examples
    --------
    >>> stored_adhoc(Path("letters"))
    Traceback (most recent call last):
    judgekit.errors.BadInput: letters: not a folder of judgekit's own. Do: name .judgekit/<name>.
    """
    if folder.is_symlink() or not folder.is_dir() or folder.resolve().parent.name != ".judgekit":
        raise BadInput("not a folder of judgekit's own", path=folder, remedy="name .judgekit/<name>")
    if (folder / "seals.jsonl").is_file():
        raise BadInput("this folder belongs to a study", path=folder, remedy="name the study's file")
    found = list(_ledgers(folder))
    if (secret := folder / "secret").is_file():
        found.append(_file("seals", secret, "secret of the text fences"))
    return found


def due(things: Sequence[Stored], *, days: int, now: datetime) -> list[Stored]:
    """Runs, ledgers and collected replies that are older than so many days.

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
        Prompts, labels and seals never fall due: they hold people's work and what was decided.

    Examples
    --------
    >>> old = Stored(kind="run", path=Path("r"), holds="", moment=datetime(2026, 1, 1, tzinfo=UTC), bytes=1)
    >>> len(due([old], days=30, now=datetime(2026, 3, 1, tzinfo=UTC)))
    1
    """
    limit = now - timedelta(days=days)
    return [
        t for t in things if t.kind in {"run", "ledger", "collection"} and t.moment is not None and t.moment <= limit
    ]


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


def _file(kind: str, path: Path, holds: str, moment: datetime | None = None) -> Stored:
    return Stored(kind=kind, path=path, holds=holds, moment=moment, bytes=path.stat().st_size)


def _ledgers(folder: Path) -> Iterator[Stored]:
    for name, holds in _LEDGERS.items():
        ledger = folder / name
        if ledger.is_file():
            size = sum(p.stat().st_size for p in _ledger_files(ledger))
            yield Stored(kind="ledger", path=ledger, holds=holds, moment=_newest_answer(ledger), bytes=size)


def _collected(base: Path, study: str) -> Iterator[Stored]:
    """Replies of the chatbot under test, whole and partial, their manifests, and the prompts that were expanded."""
    found = {
        path: _manifest(path) for place in (base, base / "probe") for path in sorted(place.glob("*.collection.json"))
    }
    for path, said in found.items():
        if said.get("study") != study:
            continue
        stem, moment = path.name.removesuffix(".collection.json"), _started(said, path)
        whole, partial = path.with_name(f"{stem}.jsonl"), path.with_name(f"{stem}.partial.jsonl")
        if _is_own(whole) and file_sha256(whole) == said.get("replies_sha256"):
            yield _file("collection", whole, "raw replies of the chatbot under test", moment)
        if _is_own(partial):
            yield _file("collection", partial, "raw replies of the chatbot under test", moment)
        yield _file("collection", path, "how they were collected", moment)
    prompts = base / "probe" / "prompts.jsonl"
    if _is_own(prompts) and _expanded(prompts):
        digest = file_sha256(prompts)
        users = {said.get("study") for said in found.values() if (said.get("prompts") or {}).get("sha256") == digest}
        if not users or study in users:
            yield _file("prompts", prompts, "prompts with names and groups")


def _is_own(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _manifest(path: Path) -> dict[str, Any]:
    """What a manifest says; nothing where the file is a link or somebody else's."""
    try:
        said = read_json(path) if _is_own(path) else None
    except JudgekitError:
        return {}  # what cannot be read was not written by judgekit, and is left alone
    if not isinstance(said, dict) or not isinstance(said.get("prompts"), dict):
        return {}
    return said if str(said.get("format")).startswith("judgekit collection") else {}


def _started(said: dict[str, Any], path: Path) -> datetime:
    when = said.get("when")
    with contextlib.suppress(ValueError, TypeError):
        stamp = datetime.fromisoformat(when["started"] if isinstance(when, dict) else "")
        return stamp if stamp.tzinfo is not None else stamp.replace(tzinfo=UTC)
    return datetime.fromtimestamp(path.stat().st_mtime, tz=UTC)


def _expanded(path: Path) -> bool:
    """Whether the first line has the form of `judgekit probe expand`."""
    try:
        _, first = next(iter_jsonl(path), (1, {}))
    except JudgekitError:
        return False
    return {"turns", "prompt_hash", "template_hash", "position"} <= first.keys()


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
