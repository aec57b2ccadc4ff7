"""The ledger's SQLite file: opened with its lock, written in transactions, read as a stream, errors as ours."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

from judgekit.errors import BadInput, DiskFailed, InUse, JudgekitError
from judgekit.files.ledger_schema import APPLICATION_ID, migrate, to_db
from judgekit.files.lock import WriterLock

__all__ = ["BATCH", "LedgerDatabase", "chunks"]

BATCH = 5_000
"""Rows in one transaction, and rows read at a time."""

_KEYS = 500  # below SQLite's limit on parameters in every build
_T = TypeVar("_T")


def chunks(values: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """The values in lists of ``size``, the last one shorter; an iterator is never held as a whole.

    Examples
    --------
    >>> list(chunks("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    iterator = iter(values)
    while chunk := list(islice(iterator, size)):
        yield chunk


class LedgerDatabase:
    """The file under a `judgekit.files.ledger.Ledger`: opening, transactions, streams.

    Every writing method is durable when it returns; inside `batch` it is durable when the batch ends.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: WriterLock | None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock
        self._in_batch = False

    # --- opening and closing ---------------------------------------------------------------------------------------

    @classmethod
    def open(cls, path: str | Path, *, read_only: bool = False) -> Self:
        """Open a study's ledger, made with mode 0600 when it is not there, and take its writer lock.

        Parameters
        ----------
        path : str or Path
            The SQLite file. Its folder must exist.
        read_only : bool
            Read what is committed, without the lock, also while another process writes.

        Returns
        -------
        Ledger
            A context manager that closes itself.

        Raises
        ------
        InUse
            Another process writes this ledger; its process id is named.
        BadInput
            Not a ledger, a newer schema, or (read only) no such file.
        DiskFailed
            The file cannot be made or read.

        Examples
        --------
        >>> import tempfile
        >>> from judgekit.files.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "ledger.sqlite") as ledger:
        ...     ledger.in_doubt()
        []
        """
        path = Path(path)
        if read_only and not path.is_file():
            raise BadInput("there is no ledger here", path=path, remedy="check the path, or run the judge first")
        _refuse_foreign(path, empty_too=read_only)
        if read_only:
            return cls(path, _connect(path, read_only=True), None)
        lock = WriterLock(path)
        lock.acquire()
        try:
            _make_private(path)
            ledger = cls(path, _connect(path, read_only=False), lock)
        except BaseException:
            lock.release()
            raise
        try:
            with ledger._explained():
                for pragma in ("synchronous = FULL", "fullfsync = ON", "foreign_keys = ON", "journal_mode = WAL"):
                    ledger._connection.execute(f"PRAGMA {pragma}")
                migrate(ledger._connection, str(path))
        except BaseException:
            ledger.close()
            raise
        return ledger

    def close(self) -> None:
        """Close the file and give the lock back. May be called twice."""
        self._connection.close()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as problem:
            raise _explain(problem, self.path) from problem

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Group what is written inside into one transaction: all of it is durable at the end, or none.

        Raises
        ------
        DiskFailed
            The commit failed; the ledger is as it was before the batch.
        """
        if self._in_batch:
            yield
            return
        with self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            self._in_batch = True
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            finally:
                self._in_batch = False

    # --- the database ----------------------------------------------------------------------------------------------

    def _many(self, sql: str, rows: list[tuple[Any, ...]]) -> int:
        return self._connection.executemany(sql, rows).rowcount

    def _by_key(self, sql: str, keys: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        for chunk in chunks(keys, _KEYS):
            with self._explained():
                rows = self._connection.execute(f"{sql} ({','.join('?' * len(chunk))})", chunk).fetchall()
            yield from rows

    def _stream(self, sql: str, values: list[Any], items: Collection[str] | None = None) -> Iterator[tuple[Any, ...]]:
        # A connection of its own sees one committed state from first row to last, whatever is written meanwhile.
        reader = _connect(self.path, read_only=True)
        try:
            with self._explained():
                if items is not None:
                    reader.execute("CREATE TEMP TABLE wanted (item PRIMARY KEY)")
                    reader.executemany("INSERT OR IGNORE INTO wanted VALUES (?)", ((to_db(item),) for item in items))
                cursor = reader.execute(sql, values)
            while True:
                with self._explained():
                    rows = cursor.fetchmany(BATCH)
                if not rows:
                    return
                yield from rows
        finally:
            reader.close()


def _make_private(path: Path) -> None:
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as problem:
        raise DiskFailed(
            "the ledger cannot be opened", path=path, why=problem.strerror, remedy="check the path and its permissions"
        ) from None


def _refuse_foreign(path: Path, *, empty_too: bool) -> None:
    """Raise for a file that is not ours, before anything is changed in it or beside it."""
    if not path.is_file() or (path.stat().st_size == 0 and not empty_too):
        return
    connection = _connect(path, read_only=True)
    try:
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.Error as problem:
        raise _explain(problem, path) from problem
    finally:
        connection.close()
    if owner != APPLICATION_ID and (tables or empty_too):
        raise BadInput(
            "this is not a judgekit ledger",
            path=path,
            why="the file is a database of another program" if tables else "the file is empty",
            remedy="give another path; nothing was changed",
        )


def _connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    mode = "ro" if read_only else "rw"
    try:
        # The runner may work in a thread of its own (a notebook's loop is busy); the caller waits for it meanwhile.
        return sqlite3.connect(
            f"file:{quote(str(path))}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False, timeout=5.0
        )
    except sqlite3.Error as problem:
        raise _explain(problem, path) from problem


def _explain(problem: sqlite3.Error, path: Path) -> JudgekitError:
    """The SQLite error as one of ours; anything unexpected is a failed disk, never silence."""
    text = str(problem)
    if "locked" in text or "busy" in text:
        return InUse(
            "another program holds the ledger",
            path=path,
            why=text,
            remedy="close the program that has the file open (a database browser, a backup) and run again",
        )
    if "not a database" in text or "malformed" in text:
        return BadInput(
            "this is not a ledger, or it is damaged",
            path=path,
            why=text,
            remedy="give another path, or restore the file from a copy; nothing was changed",
        )
    return DiskFailed(
        "the ledger could not be written or read",
        path=path,
        why=text,
        remedy="free space or mend the disk and run the same command again; what was stored before is intact",
    )
