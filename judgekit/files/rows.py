"""A table of any supported format, as rows with their line and errors that name the place."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from judgekit.errors import BadInput
from judgekit.files.atomic import iter_jsonl
from judgekit.files.columns import Aliases, missing_column, resolve
from judgekit.files.csv_in import CELL_LIMIT, CsvFacts, csv_facts, csv_records
from judgekit.files.parquet_in import parquet_columns, parquet_records
from judgekit.files.text_in import TextFacts, open_text, read_start, sniff_encoding

__all__ = ["Layout", "Layouts", "Place", "Row", "Table", "TableFormat", "open_table", "sniff_format"]

TableFormat = Literal["csv", "jsonl", "parquet"]

_SUFFIXES: dict[str, TableFormat] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_FOREIGN = {
    b"PK\x03\x04": "an Excel or zip file",
    b"\xd0\xcf\x11\xe0": "an old Excel file",
    b"\x1f\x8b": "a compressed file",
    b"BZh": "a compressed file",
    b"\xfd7zXZ": "a compressed file",
    b"(\xb5/\xfd": "a compressed file",
    b"%PDF": "a PDF file",
    b"SQLite format 3": "an SQLite database",
}
_KEYS_SEEN = 100
_SHAPES_KEPT = 500


class Row(NamedTuple):
    """One row: the line it starts on (for Parquet: its number), and its values by column."""

    line: int
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value was read, for errors."""

    table: Table
    line: int
    column: str

    def problem(self, what: str, *, seen: object, why: str, remedy: str) -> BadInput:
        """An error about this value."""
        columns = self.table.columns
        number = columns.index(self.column) + 1 if self.table.format != "jsonl" and self.column in columns else None
        return BadInput(
            what,
            path=self.table.path,
            line=self.line,
            column=number,
            field=self.column,
            seen=str(seen)[:200],
            why=why,
            remedy=remedy,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A file whose format and columns are known. ``text`` and ``csv`` are None where they do not apply.

    ``columns`` are all columns of a CSV or Parquet file, and the keys of the first 100 records of a JSONL file.
    """

    path: str
    format: TableFormat
    columns: tuple[str, ...]
    text: TextFacts | None = None
    csv: CsvFacts | None = None

    @property
    def decimal(self) -> str:
        """The decimal sign of numbers that are written as text."""
        return self.csv.decimal if self.csv else "."

    @property
    def header_line(self) -> int | None:
        """The line that errors about columns name; None when the format has no header line."""
        return self.csv.header_line if self.csv else None

    def rows(self) -> Iterator[Row]:
        """All rows, one at a time.

        Raises
        ------
        BadInput
            A row that cannot be read, or no row at all.
        """
        empty = True
        for row in self._rows():
            empty = False
            yield row
        if empty:
            raise _no_rows(self.path, self.header_line)

    def _rows(self) -> Iterator[Row]:
        if self.format == "parquet":
            for line, record in parquet_records(self.path):
                yield Row(line, self._checked(line, record))
        elif self.csv is None:
            for line, record in iter_jsonl(self.path, facts=self.text):
                yield Row(line, self._checked(line, record))
        else:
            yield from self._csv_rows(self.csv)

    def _csv_rows(self, facts: CsvFacts) -> Iterator[Row]:
        width = len(facts.header)
        with open_text(self.path, facts.text) as handle:
            records = csv_records(handle, self.path, facts.delimiter)
            next(records)
            for line, record in records:
                if len(record) != width:
                    raise self._wrong_width(line, record, facts)
                yield Row(line, dict(zip(facts.header, record, strict=True)))

    def _wrong_width(self, line: int, record: list[str], facts: CsvFacts) -> BadInput:
        width, seen = len(facts.header), len(record)
        short = seen < width
        return BadInput(
            f"the row has {seen} cells, the header {width}",
            path=self.path,
            line=line,
            column=min(seen, width) + (0 if short and seen else 1),
            field=facts.header[seen] if short else None,
            seen=facts.delimiter.join(record[:20])[:200],
            why=f"every row needs one cell per column; the delimiter is {facts.delimiter!r}",
            remedy="add the missing cells"
            if short
            else "put cells that hold the delimiter in quotes, or state csv: {delimiter: ...}",
        )

    def _checked(self, line: int, record: dict[str, Any]) -> dict[str, Any]:
        for name, value in record.items():
            if isinstance(value, str) and len(value) > CELL_LIMIT:
                raise Place(self, line, name).problem(
                    "the cell is too long",
                    seen=value[:60],
                    why=f"a cell may have {CELL_LIMIT:,} characters; this one has {len(value):,}",
                    remedy="shorten it or remove the row",
                )
        return record


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a row has what: ``found`` from canonical name to column, ``carried`` the columns without one."""

    found: Mapping[str, str]
    carried: tuple[str, ...]


class Layouts:
    """Finds the layout of every row, once per set of keys: JSONL records may differ in theirs.

    Parameters
    ----------
    table : Table
        The table that is read.
    aliases : mapping
        The canonical names and their aliases.
    columns : mapping, optional
        What the user states, canonical to actual name.
    required : sequence of str
        Canonical names that every row must have.
    reserved : sequence of str
        Columns that are spoken for; they are not carried.

    Raises
    ------
    BadInput
        A required column is missing, a stated one is not there, or two columns match one name.
    """

    def __init__(
        self,
        table: Table,
        aliases: Aliases,
        columns: Mapping[str, Any] | None = None,
        *,
        required: Sequence[str] = (),
        reserved: Sequence[str] = (),
    ) -> None:
        self._table = table
        self._aliases = aliases
        self._stated = columns
        self._required = tuple(required)
        self._reserved = tuple(reserved)
        self._shapes: dict[tuple[str, ...], Layout] = {}
        self.header = self._layout(table.columns, columns, table.header_line)
        """The layout of the header (of a JSONL file: of all keys of its first records)."""

    def of(self, row: Row) -> Layout:
        """The layout of one row.

        Raises
        ------
        BadInput
            A JSONL record lacks a required key, or two of its keys match one name.
        """
        if self._table.format != "jsonl":
            return self.header
        shape = tuple(row.values)
        layout = self._shapes.get(shape)
        if layout is None:
            # A stated column may be absent from a single record; that the file has it was checked at the start.
            there = {
                name: actual for name, actual in (self._stated or {}).items() if actual is None or actual in row.values
            }
            layout = self._layout(shape, there, row.line)
            if len(self._shapes) >= _SHAPES_KEPT:
                self._shapes.clear()
            self._shapes[shape] = layout
        return layout

    def _layout(self, names: Sequence[str], stated: Mapping[str, Any] | None, line: int | None) -> Layout:
        path = self._table.path
        found = resolve(names, self._aliases, stated, path=path, line=line, reserved=self._reserved)
        missing = [name for name in self._required if name not in found]
        if missing:
            raise missing_column(missing[0], names, self._aliases, path=path, line=line, others=missing[1:])
        used = {*found.values(), *self._reserved}
        return Layout(found, tuple(name for name in names if name not in used))


def sniff_format(path: str | Path) -> TableFormat:
    """Tell a file's format from its name and its first bytes.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    {'csv', 'jsonl', 'parquet'}

    Raises
    ------
    BadInput
        Not a regular file, empty, or of a format that is not read here (Excel, a JSON list, compressed ...).
    """
    start = read_start(path, 4096)
    if start.startswith(b"PAR1"):
        return "parquet"
    suffix = Path(path).suffix.lower()
    for magic, name in _FOREIGN.items():
        if start.startswith(magic):
            raise _foreign(path, f"this is {name}")
    if suffix in {".xlsx", ".xls", ".ods"}:
        raise _foreign(path, "spreadsheet files are not read")
    found = _SUFFIXES.get(suffix)
    if found == "parquet":
        raise BadInput(
            "the file is not readable as Parquet",
            path=path,
            seen=start[:20],
            why="a Parquet file starts with PAR1",
            remedy="give the file the suffix of what it is, or write it again",
        )
    first = start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if first == b"[" and (found == "jsonl" or suffix == ".json"):
        raise BadInput(
            "this is a JSON list, not JSON lines",
            path=path,
            line=1,
            column=1,
            seen="[",
            why="one object per line can be read in bounded memory",
            remedy=f"replies: judgekit import {shlex.quote(str(path))} -o replies.jsonl, then use that file; anything else: "
            "write one object per line, without the brackets and commas around them",
        )
    return found or ("jsonl" if first == b"{" else "csv")


def _foreign(path: str | Path, why: str) -> BadInput:
    return BadInput(
        "the format is not read here",
        path=path,
        seen=Path(path).suffix,
        why=why,
        remedy="save the sheet as CSV (UTF-8), JSONL or Parquet",
    )


def open_table(path: str | Path, csv: Mapping[str, Any] | None = None) -> Table:
    """Look at a file and get ready to read its rows.

    Parameters
    ----------
    path : str or Path
        CSV, JSONL or Parquet.
    csv : mapping, optional
        ``encoding``, ``delimiter``, ``decimal`` as stated by the user; each is found out when left out.

    Returns
    -------
    Table

    Raises
    ------
    BadInput
        The file cannot be used.
    """
    kind = sniff_format(path)
    if kind == "parquet":
        return Table(path=str(path), format=kind, columns=parquet_columns(path))
    if kind == "csv":
        facts = csv_facts(path, csv)
        return Table(path=str(path), format=kind, columns=facts.header, text=facts.text, csv=facts)
    text = sniff_encoding(path, (csv or {}).get("encoding"))
    keys: dict[str, None] = {}
    for number, (_, record) in enumerate(iter_jsonl(path, facts=text), 1):
        keys |= dict.fromkeys(record)
        if number == _KEYS_SEEN:
            break
    if not keys:
        raise _no_rows(path, None)
    return Table(path=str(path), format=kind, columns=tuple(keys), text=text)


def _no_rows(path: str | Path, header_line: int | None) -> BadInput:
    return BadInput(
        "the file has no rows",
        path=path,
        line=header_line,
        seen="a header only" if header_line else "nothing",
        remedy="check what should have written it",
    )
