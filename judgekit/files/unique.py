"""Ids that must not repeat, checked in memory that does not grow with their number."""

from __future__ import annotations

import os
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator
from heapq import merge
from types import TracebackType
from typing import IO, Self

from judgekit.errors import BadInput
from judgekit.files.disk import disk_failed
from judgekit.files.rows import Row, Table

__all__ = ["SeenIds"]

_MASK = (1 << 64) - 1
_BLOCK = 1 << 16
_SMALLEST = 64


class SeenIds:
    """Collects ids and tells, when all are in, whether one may stand twice.

    Only a 64-bit hash of each id is kept: a block of them in memory, the others sorted in a nameless temporary file.
    The hashes may coincide by chance, so `check` reads the table again and compares the ids themselves. Use it as a
    context manager, so that the temporary file goes whatever happens.

    Parameters
    ----------
    block : int
        Hashes held in memory at a time, eight bytes each.
    """

    def __init__(self, block: int = _BLOCK) -> None:
        self._block = block
        self._hashes = array("Q")
        self._runs: list[tuple[int, int]] = []
        self._file: IO[bytes] | None = None

    def add(self, identifier: str) -> None:
        """Remember one id.

        Raises
        ------
        DiskFailed
            The folder for temporary files is full.
        """
        self._hashes.append(hash(identifier) & _MASK)
        if len(self._hashes) >= self._block:
            self._spill()

    def _spill(self) -> None:
        run = array("Q", sorted(self._hashes))
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as ids come in
            self._file.seek(0, os.SEEK_END)
            self._file.write(run.tobytes())
        except OSError as problem:
            raise disk_failed(tempfile.gettempdir(), problem) from problem
        start = self._runs[-1][1] if self._runs else 0
        self._runs.append((start, start + len(run)))
        del self._hashes[:]

    def repeated(self) -> set[int]:
        """Hashes that were met more than once."""
        if self._file is None:
            return _repeated(sorted(self._hashes))
        if self._hashes:
            self._spill()
        # Sorted runs are merged, a piece of each in memory at a time: equal hashes come one after the other.
        piece = max(_SMALLEST, self._block // len(self._runs))
        return _repeated(merge(*(self._run(start, end, piece) for start, end in self._runs)))

    def _run(self, start: int, end: int, piece: int) -> Iterator[int]:
        assert self._file is not None
        while start < end:
            hashes = array("Q")
            try:
                self._file.seek(8 * start)
                hashes.frombytes(self._file.read(8 * min(piece, end - start)))
            except OSError as problem:
                raise disk_failed(tempfile.gettempdir(), problem, doing="read") from problem
            yield from hashes
            start += piece

    def check(self, table: Table, id_of: Callable[[Row], str]) -> None:
        """Raise when an id stands twice.

        Parameters
        ----------
        table : Table
            What the ids were read from; it is read again when two hashes are the same.
        id_of : callable
            The id of a row.

        Raises
        ------
        BadInput
            Names the id and both lines.
        """
        suspects = self.repeated()
        if not suspects:
            return
        lines: dict[str, int] = {}
        for row in table.rows():
            identifier = id_of(row)
            if hash(identifier) & _MASK not in suspects:
                continue
            first = lines.setdefault(identifier, row.line)
            if first != row.line:
                raise BadInput(
                    "an id stands twice",
                    path=table.path,
                    line=row.line,
                    seen=identifier,
                    why=f"it stands in line {first} too, and every row needs its own id",
                    remedy="remove one of the rows or give it another id",
                )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give back the temporary file, if there is one."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _repeated(ascending: Iterable[int]) -> set[int]:
    """Values that stand more than once in a sorted sequence."""
    twice: set[int] = set()
    before: int | None = None
    for value in ascending:
        if value == before:
            twice.add(value)
        before = value
    return twice
