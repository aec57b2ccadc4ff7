"""Append-only JSONL whose lines are chained by hashes: an edited or removed line shows, a torn last line costs nothing.

This is evidence of tampering, not proof against it: whoever rewrites the whole file can make a new chain, and lines
cut off at the end leave no trace in the file itself. `head` gives what to note elsewhere against that.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from judgekit.errors import BadInput, JudgekitError
from judgekit.files.disk import DISK, Disk, disk_failed
from judgekit.files.json_text import dumps, loads
from judgekit.files.lock import WriterLock

__all__ = ["GENESIS", "Chain", "ChainFile", "Link", "head", "read_chain"]

GENESIS = "0" * 64
"""What the first line names as the hash before it."""


@dataclass(frozen=True, slots=True)
class Link:
    """One line: where it stands, what it holds, and its hash over that and the hash before it."""

    line: int
    data: Mapping[str, Any]
    prev_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class Chain:
    """A verified file. ``end`` is where its good bytes end; ``torn`` what a crash left behind them."""

    links: tuple[Link, ...]
    end: int
    torn: bytes
    needs_newline: bool

    @property
    def head(self) -> str:
        """The last line's hash."""
        return self.links[-1].hash if self.links else GENESIS


def _hash(data: Mapping[str, Any], prev_hash: str) -> str:
    return hashlib.sha256(dumps([prev_hash, data]).encode("utf-8")).hexdigest()


def _link(raw: bytes, number: int, path: Path) -> Link:
    entry = loads(raw.decode("utf-8"), path=path, line=number)
    if not isinstance(entry, dict) or not isinstance(entry.get("hash"), str):
        raise BadInput("the line is not part of a chain", path=path, line=number)
    prev_hash = entry.pop("prev_hash", None)
    own = entry.pop("hash")
    return Link(number, entry, str(prev_hash), own)


def read_chain(path: str | Path, *, error: type[JudgekitError] = BadInput, remedy: str) -> Chain:
    """Read and verify a chained file; a missing file is an empty chain.

    Parameters
    ----------
    path : str or Path
        The file.
    error : type
        What to raise when the chain is broken.
    remedy : str
        What the user can do then.

    Returns
    -------
    Chain
        A last line without its newline counts when it is whole and fits; otherwise it is ``torn``: it was never
        acknowledged.

    Raises
    ------
    JudgekitError
        Of the kind ``error``: a line was edited, removed, added or moved. The first such line is named.
    BadInput
        The file cannot be read.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return Chain((), 0, b"", needs_newline=False)
    except OSError as problem:
        raise BadInput("it cannot be read", path=path, why=problem.strerror, remedy="check its permissions") from None
    *whole, tail = content.split(b"\n")
    links: list[Link] = []
    prev = GENESIS
    for number, raw in enumerate(whole, 1):
        link = _verified(raw, number, path, prev, error=error, remedy=remedy)
        links.append(link)
        prev = link.hash
    if tail:
        try:
            links.append(_verified(tail, len(whole) + 1, path, prev, error=error, remedy=remedy))
        except JudgekitError:
            return Chain(tuple(links), len(content) - len(tail), tail, needs_newline=False)
    return Chain(tuple(links), len(content), b"", needs_newline=bool(tail))


def _verified(raw: bytes, number: int, path: Path, prev: str, *, error: type[JudgekitError], remedy: str) -> Link:
    try:
        link = _link(raw, number, path)
    except (BadInput, UnicodeDecodeError):
        raise error(
            "the line was edited or damaged",
            path=path,
            line=number,
            seen=raw[:80].decode("utf-8", "replace"),
            why="it is not the JSON that was written",
            remedy=remedy,
        ) from None
    if link.prev_hash != prev:
        raise error(
            "a line before this one was removed, added, moved or edited",
            path=path,
            line=number,
            why="its hash of the line before does not fit",
            remedy=remedy,
        )
    if link.hash != _hash(link.data, prev):
        raise error(
            "the line was edited", path=path, line=number, why="its hash does not fit what it says", remedy=remedy
        )
    return link


def head(path: str | Path) -> tuple[int, str]:
    """How many lines a chained file has and the last one's hash, to be noted where the file's owner is not.

    Returns
    -------
    tuple of int and str
        0 and `GENESIS` for a missing file.
    """
    chain = read_chain(path, remedy="restore the file from a copy")
    return len(chain.links), chain.head


class ChainFile:
    """A chained file open for appending, by one process at a time. Each line is on disk when `append` returns.

    Parameters
    ----------
    path : str or Path
        Made with mode 0600 when it is not there.
    error, remedy
        See `read_chain`.
    disk : Disk
        The operating system; tests bring one that fails.

    Attributes
    ----------
    chain : Chain
        What the file held when it was opened.
    count : int
        How many lines it has now.

    Raises
    ------
    InUse
        Another process appends to it.
    """

    def __init__(
        self, path: str | Path, *, error: type[JudgekitError] = BadInput, remedy: str, disk: Disk = DISK
    ) -> None:
        self.path = Path(path)
        self._disk = disk
        self._lock = WriterLock(self.path)
        self._lock.acquire()
        try:
            self.chain = read_chain(self.path, error=error, remedy=remedy)
            self._descriptor = self._open()
        except BaseException:
            self._lock.release()
            raise
        self.count = len(self.chain.links)
        self._head = self.chain.head
        self._size = self.chain.end
        try:
            self._mend()
        except BaseException:
            self.close()
            raise

    def _open(self) -> int:
        is_new = not self.path.exists()
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
        try:
            descriptor = os.open(self.path, flags, 0o600)
            if is_new:
                self._disk.fsync_folder(self.path.parent)
        except OSError as problem:
            raise disk_failed(self.path, problem) from None
        return descriptor

    def _mend(self) -> None:
        """Set a torn last line aside in a file of its own, or end a whole one."""
        if self.chain.torn:
            aside = self.path.with_name(f"{self.path.name}.torn")
            try:
                descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                try:
                    self._write_all(descriptor, self.chain.torn + b"\n")
                    self._disk.fsync(descriptor)
                finally:
                    self._disk.close(descriptor)
                os.ftruncate(self._descriptor, self._size)
                self._disk.fsync(self._descriptor)
            except OSError as problem:
                raise disk_failed(self.path, problem) from None
        elif self.chain.needs_newline:
            self._append_bytes(b"\n")

    def append(self, data: Mapping[str, Any]) -> Link:
        """Add a line; it is on disk when this returns.

        Parameters
        ----------
        data : mapping
            Anything `judgekit.files.json_text.to_jsonable` takes, without the keys ``hash`` and ``prev_hash``.

        Returns
        -------
        Link

        Raises
        ------
        DiskFailed
            The disk is full or failed. The file is as it was before; the same line can be appended again.
        """
        # What is read back is what is hashed: JSON turns tuples into lists and enums into texts.
        plain = loads(dumps(data))
        digest = _hash(plain, self._head)
        line = dumps({**plain, "prev_hash": self._head, "hash": digest})
        self._append_bytes(line.encode("utf-8") + b"\n")
        link = Link(self.count + 1, plain, self._head, digest)
        self.count += 1
        self._head = digest
        return link

    def _append_bytes(self, content: bytes) -> None:
        try:
            self._write_all(self._descriptor, content)
            self._disk.fsync(self._descriptor)
        except OSError as problem:
            # Whatever part of the line got out is taken back, so that the next line starts a line.
            try:
                os.ftruncate(self._descriptor, self._size)
            except OSError as second:
                raise disk_failed(self.path, second) from problem
            raise disk_failed(self.path, problem) from None
        self._size += len(content)

    def _write_all(self, descriptor: int, content: bytes) -> None:
        view = memoryview(content)
        while view:
            written = self._disk.write(descriptor, view)
            if written <= 0:
                raise OSError(errno.EIO, "nothing could be written")
            view = view[written:]

    def close(self) -> None:
        """Close the file and give the lock back. May be called twice."""
        if self._descriptor >= 0:
            self._disk.close(self._descriptor)
            self._descriptor = -1
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
