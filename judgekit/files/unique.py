"""Ids that must not repeat, remembered in eight bytes each."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from judgekit.errors import BadInput
from judgekit.files.rows import Row, Table

__all__ = ["SeenIds"]

_SMALL = 20_000
_MASK = (1 << 64) - 1


class SeenIds:
    """Collects ids and tells, when all are in, whether one may stand twice.

    Only a hash of each id is kept, so that a million rows cost 8 MB. The hashes may coincide by chance; `refuse`
    reads the table again and compares the ids themselves.
    """

    def __init__(self) -> None:
        self._hashes = array("Q")

    def add(self, identifier: str) -> None:
        """Remember one id."""
        self._hashes.append(hash(identifier) & _MASK)

    def any_twice(self) -> bool:
        """Whether two of the ids have the same hash."""
        return bool(self._repeated())

    def _repeated(self) -> set[int]:
        if len(self._hashes) <= _SMALL:
            seen: set[int] = set()
            return {value for value in self._hashes if value in seen or seen.add(value)}  # type: ignore[func-returns-value]
        import numpy as np

        hashes = np.frombuffer(self._hashes, dtype=np.uint64)
        hashes.sort()  # in place: their order is not needed, a copy would double the memory
        return {int(value) for value in hashes[1:][hashes[1:] == hashes[:-1]]}

    def refuse(self, table: Table, id_of: Callable[[Row], str]) -> None:
        """Raise when an id really stands twice.

        Parameters
        ----------
        table : Table
            What the ids were read from; it is read again.
        id_of : callable
            The id of a row.

        Raises
        ------
        BadInput
            Names the id and both lines.
        """
        suspects = self._repeated()
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
