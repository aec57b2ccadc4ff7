"""Where things live: private folders beside the study, and one folder per run that no other run can get."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from pathlib import Path

import regex

from judgekit.errors import AlreadyThere, BadInput, JudgekitError
from judgekit.files.disk import DISK, AtomicFile, Disk, disk_failed
from judgekit.files.lock import WriterLock

__all__ = ["latest_run", "list_runs", "lock", "new_run_folder", "private_folder", "run_started", "study_folder"]

_NAME = regex.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_STAMP = "%Y%m%dT%H%M%S"
_RUN_TAIL = regex.compile(r"-(\d{8}T\d{6}\.\d{3}Z)-[0-9a-f]{6}(?:-(\d+))?")


def private_folder(path: str | Path, *, disk: Disk = DISK) -> Path:
    """Make a folder that only its owner can enter and that git does not see.

    Parameters
    ----------
    path : str or Path
        The folder. Parents are made as needed, with ordinary permissions.
    disk : Disk
        The operating system calls.

    Returns
    -------
    Path
        The folder, with permissions 0700 and a ``.gitignore`` that ignores everything in it. An existing folder is
        kept and its permissions are tightened.

    Raises
    ------
    BadInput
        Something that is no folder has the name, or it may not be made here.
    DiskFailed
        The disk is full or does not answer.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)
        if path.stat().st_mode & 0o077:
            path.chmod(0o700)
        _ignore(path / ".gitignore", disk)
    except (FileExistsError, NotADirectoryError):
        raise _no_folder(path) from None
    except OSError as problem:
        raise disk_failed(path, problem, doing="made") from problem
    return path


def _ignore(path: Path, disk: Disk) -> None:
    if path.exists():
        return
    # Another process that makes the same folder writes the same file; whichever comes first is right.
    with contextlib.suppress(AlreadyThere), AtomicFile(path, disk=disk) as file:
        file.write(b"*\n")


def _no_folder(path: Path) -> BadInput:
    return BadInput(
        "a folder is needed here", path=path, why="a file stands in the way", remedy="move or rename that file"
    )


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise BadInput(
            "not usable as a folder name",
            field="study",
            seen=name,
            why="it may have letters, digits, '.', '_' and '-', at most 100, and starts with a letter or digit",
            remedy="rename the study",
        )
    return name


def study_folder(study_path: str | Path, name: str) -> Path:
    """The private folder of a study: ledger, seals and secret live in it.

    Parameters
    ----------
    study_path : str or Path
        The study file; the folder stands beside it, as ``.judgekit/<name>/``.
    name : str
        The study's name.

    Returns
    -------
    Path
        Made when it is not there yet; both levels are private.

    Raises
    ------
    BadInput, DiskFailed
        As `private_folder`, and for a name that is not usable as a folder name.
    """
    base = Path(study_path).resolve().parent / ".judgekit"
    folder = base / _checked_name(name)
    private_folder(base)
    return private_folder(folder)


def new_run_folder(base: str | Path, study: str, now: datetime, digest: str) -> Path:
    """Make the folder of a new run, ``<study>-<UTC time to the millisecond>-<6 digits of the hash>``.

    Parameters
    ----------
    base : str or Path
        The folder of all runs, usually ``runs`` beside the study; made private when missing.
    study : str
        The study's name.
    now : datetime
        The start, with a time zone.
    digest : str
        Hexadecimal hash of the resolved study; its first six digits are used.

    Returns
    -------
    Path
        A folder that this call made. Two runs that start in the same millisecond get different folders: the later
        one's name ends in ``-2``, ``-3`` and so on.

    Raises
    ------
    BadInput, DiskFailed
        As `private_folder`.
    ValueError
        ``now`` has no time zone or ``digest`` has fewer than six hexadecimal digits.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     new_run_folder(folder, "demo", datetime(2026, 3, 1, 12, 0, 0, 5000, tzinfo=UTC), "abcdef01").name
    'demo-20260301T120000.005Z-abcdef'
    """
    if now.tzinfo is None:
        msg = "`now` must have a time zone"
        raise ValueError(msg)
    digits = digest[:6].lower()
    if len(digits) < 6 or not set(digits) <= set("0123456789abcdef"):
        msg = "`digest` must start with six hexadecimal digits"
        raise ValueError(msg)
    moment = now.astimezone(UTC)
    stem = f"{_checked_name(study)}-{moment.strftime(_STAMP)}.{moment.microsecond // 1000:03d}Z-{digits}"
    base = private_folder(base) if not Path(base).is_dir() else Path(base)
    for attempt in range(1, 10_000):
        folder = base / (stem if attempt == 1 else f"{stem}-{attempt}")
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            continue
        except OSError as problem:
            raise disk_failed(folder, problem, doing="made") from problem
        return private_folder(folder)
    raise BadInput("no free run folder", path=base / stem, why="9,999 runs share this name", remedy="try again")


def list_runs(base: str | Path, study: str | None = None) -> list[Path]:
    """Run folders, oldest first.

    Parameters
    ----------
    base : str or Path
        The folder of all runs; it may be missing.
    study : str, optional
        Only the runs of this study.

    Returns
    -------
    list of Path
        In order of their start times, then of their suffix; never by the order of names on the disk.
    """
    found: list[tuple[str, int, str, Path]] = []
    try:
        names = [entry.name for entry in Path(base).iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as problem:
        raise _unreadable(base, problem) from None
    for name in names:
        tail = _RUN_TAIL.search(name)
        if tail is None or tail.end() != len(name) or (study is not None and name[: tail.start()] != study):
            continue
        path = Path(base) / name
        if path.is_dir():
            found.append((tail[1], int(tail[2] or 1), name, path))
    return [path for *_, path in sorted(found)]


def run_started(path: str | Path) -> datetime | None:
    """When a run was started, by the name of its folder.

    Parameters
    ----------
    path : str or Path
        The folder; it need not exist.

    Returns
    -------
    datetime or None
        In UTC; None when the name is not a run's.

    Examples
    --------
    >>> run_started("runs/demo-20260301T120000.005Z-abcdef").isoformat()
    '2026-03-01T12:00:00.005000+00:00'
    """
    name = Path(path).name
    tail = _RUN_TAIL.search(name)
    if tail is None or tail.end() != len(name):
        return None
    with contextlib.suppress(ValueError):
        return datetime.strptime(tail[1], _STAMP + ".%fZ").replace(tzinfo=UTC)
    return None


def _unreadable(path: str | Path, problem: OSError) -> JudgekitError:
    return BadInput("the folder cannot be read", path=path, why=problem.strerror, remedy="check its permissions")


def latest_run(base: str | Path, study: str | None = None) -> Path | None:
    """The run folder that was started last.

    Parameters
    ----------
    base : str or Path
        The folder of all runs; it may be missing.
    study : str, optional
        Only runs of this study.

    Returns
    -------
    Path or None
        None when there is no run.

    Examples
    --------
    >>> latest_run("no such folder") is None
    True
    """
    runs = list_runs(base, study)
    return runs[-1] if runs else None


def lock(path: str | Path) -> WriterLock:
    """The right to write one file or folder, as a context manager; a second process is told who holds it.

    Parameters
    ----------
    path : str or Path
        What is to be protected. The lock file ``.<name>.lock`` stands beside it.

    Returns
    -------
    WriterLock
        Entering it raises `InUse` with the holder's process id when another process holds it.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, lock(Path(folder) / "run") as held:
    ...     held.held
    True
    """
    return WriterLock(Path(path))
