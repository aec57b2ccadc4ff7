"""What stands in the columns of a table: how long, how many different, numbers or words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

__all__ = ["PROFILED", "ColumnProfile", "Sample", "profile"]

PROFILED = 5_000
"""Rows that are looked at to guess what a column is; groups, names and ids are then read from all rows."""

_MOST_DISTINCT = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnProfile:
    """One column of the rows looked at.

    ``words`` and ``length`` are means over the filled cells; ``values`` counts the different ones; ``number`` is the
    share of filled cells that are numbers.
    """

    name: str
    filled: int
    empty: int
    words: float
    length: float
    number: float
    values: Mapping[str, int]

    @property
    def distinct(self) -> int:
        """How many different values were met."""
        return len(self.values)

    @property
    def unique(self) -> bool:
        """Whether every row has a value of its own."""
        return self.empty == 0 and self.distinct == self.filled > 0

    @property
    def is_free_text(self) -> bool:
        """Whether people or models wrote sentences in it."""
        return self.filled > 0 and self.words >= 4 and self.number < 0.5


@dataclass(frozen=True, slots=True)
class Sample:
    """The rows looked at and the columns by name."""

    rows: tuple[Mapping[str, str], ...]
    columns: Mapping[str, ColumnProfile]


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return ";".join(str(v) for v in value)
    return value.strip() if isinstance(value, str) else str(value)


def _is_number(text: str) -> bool:
    bare = text.lstrip("+-").replace(",", ".", 1)
    whole, _, part = bare.partition(".")
    return whole.isascii() and whole.isdigit() and (not part or part.isdigit())


def _column(name: str, cells: Sequence[str]) -> ColumnProfile:
    filled = [c for c in cells if c]
    n = len(filled) or 1
    return ColumnProfile(
        name=name,
        filled=len(filled),
        empty=len(cells) - len(filled),
        words=sum(len(c[:4_000].split()) for c in filled) / n,
        length=sum(map(len, filled)) / n,
        number=sum(map(_is_number, filled)) / n,
        values=dict(Counter(filled).most_common(_MOST_DISTINCT)),
    )


def profile(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Sample:
    """Look at the first rows of a table.

    Parameters
    ----------
    columns : sequence of str
        The columns to look at.
    rows : iterable of mapping
        Values by column; what a row lacks is empty.

    Returns
    -------
    Sample
        Of at most `PROFILED` rows.

    Examples
    --------
    >>> found = profile(["a"], [{"a": "x"}, {"a": "1,5"}, {}])
    >>> found.columns["a"].distinct, found.columns["a"].empty, found.columns["a"].number
    (2, 1, 0.5)
    """
    kept = tuple({name: _as_text(row.get(name)) for name in columns} for row in islice(rows, PROFILED))
    return Sample(kept, {name: _column(name, [row[name] for row in kept]) for name in columns})
