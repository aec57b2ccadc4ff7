"""One writer at a time: a lock on a small file beside what is written, released by the system when its holder dies."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from judgekit.errors import DiskFailed, InUse

__all__ = ["WriterLock"]


class WriterLock:
    """The right to write one file. The holder's process id stands in the lock file for whoever is turned away.

    Parameters
    ----------
    target : Path
        The file that is written. The lock file is ``.NAME.lock`` beside it and stays there, empty of meaning when
        nobody holds it: removing it would let two processes lock two different files of the same name.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, WriterLock(Path(folder) / "a.jsonl") as lock:
    ...     lock.held
    True
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        self.path = target.with_name(f".{target.name}.lock")
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._descriptor is not None

    def acquire(self) -> None:
        """Take the lock or say who holds it.

        Raises
        ------
        InUse
            Another process (or another object of this one) is writing; its process id is named.
        DiskFailed
            The lock file cannot be made.
        """
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as problem:
            raise DiskFailed(
                "the lock file cannot be made",
                path=self.target,
                why=problem.strerror,
                remedy="check that the folder exists and can be written",
            ) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(descriptor)
            if problem.errno not in {errno.EWOULDBLOCK, errno.EACCES}:
                raise DiskFailed("the file cannot be locked", path=self.target, why=problem.strerror) from None
            raise InUse(
                "another process is writing this file",
                path=self.target,
                seen=f"process {holder}",
                why="one writer at a time, so that nothing is paid or counted twice",
                remedy=f"wait for process {holder} to end, or stop it",
            ) from None
        self._descriptor = descriptor
        try:
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode("ascii"), 0)
        except OSError as problem:
            self.release()
            raise DiskFailed("the lock file cannot be written", path=self.target, why=problem.strerror) from None

    def release(self) -> None:
        """Give the lock back. Does nothing when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
