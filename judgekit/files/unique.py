"""Ids that must not repeat, checked in memory that does not grow with their number."""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Callable
from types import TracebackType
from typing import IO, Self

from judgekit.errors import BadInput
from judgekit.files.disk import disk_failed
from judgekit.files.rows import Row, Table

__all__ = ["SeenIds"]

_MASK = (1 << 64) - 1
_BLOCK = 1 << 16


class SeenIds:
    """Collects ids and tells, when all are in, whether one may stand twice.

    Only a 64-bit hash of each id is kept: the first ones in memory, the rest in a nameless temporary file. The hashes
    may coincide by chance, so `check` reads the table again and compares the ids themselves. Use it as a context
    manager, so that the temporary file goes whatever happens.

    Parameters
    ----------
    block : int
        Hashes held in memory at a time, eight bytes each.
    """

    def __init__(self, block: int = _BLOCK) -> None:
        self._block = block
        self._hashes = array("Q")
        self._spilled = 0
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
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as ids come in
            self._file.write(self._hashes.tobytes())
        except OSError as problem:
            raise disk_failed(tempfile.gettempdir(), problem) from problem
        self._spilled += len(self._hashes)
        del self._hashes[:]

    def repeated(self) -> set[int]:
        """Hashes that were met more than once."""
        if self._file is None:
            return _repeated(self._hashes)
        self._spill()
        parts = -(-self._spilled // self._block)
        found: set[int] = set()
        # One part of the value range at a time: more passes over a small file instead of all hashes in memory.
        for part in range(parts):
            found |= _repeated(self._part(part, parts))
        return found

    def _part(self, part: int, parts: int) -> array[int]:
        import numpy as np

        assert self._file is not None
        kept = array("Q")
        try:
            self._file.seek(0)
            while data := self._file.read(8 * _BLOCK):
                hashes = np.frombuffer(data, dtype=np.uint64)
                kept.frombytes(hashes[hashes % np.uint64(parts) == part].tobytes())
        except OSError as problem:
            raise disk_failed(tempfile.gettempdir(), problem, doing="read") from problem
        return kept

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


def _repeated(hashes: array[int]) -> set[int]:
    """Values that stand in the array more than once."""
    once: set[int] = set()
    twice: set[int] = set()
    for value in hashes:
        (twice if value in once else once).add(value)
    return twice
