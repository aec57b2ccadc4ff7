"""CSV as people have it: any of four delimiters, quoted line ends, mixed line ends, and errors that name the place."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from judgekit.errors import BadInput
from judgekit.files.spreadsheet import unguard
from judgekit.files.text_in import RECORD_LIMIT, TextFacts, lines_of, open_text, sniff_encoding

__all__ = ["CELL_LIMIT", "CsvFacts", "csv_facts", "csv_records"]

CELL_LIMIT = 1_000_000
"""Characters a cell may have."""

_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_SAMPLE = 1 << 16
_SAMPLE_RECORDS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvFacts:
    """How a CSV file is written. ``decimal`` is ``.`` or ``,``; ``header`` holds the column names as cleaned."""

    text: TextFacts
    delimiter: str
    decimal: str
    header: tuple[str, ...]
    header_line: int


def csv_facts(path: str | Path, options: Mapping[str, Any] | None = None) -> CsvFacts:
    """Find out how a CSV file is written, as far as the user did not state it.

    Parameters
    ----------
    path : str or Path
        The file.
    options : mapping, optional
        ``encoding``, ``delimiter`` (one of ``, ; |`` or a tab, or their names) and ``decimal`` (``.`` or ``,``).

    Returns
    -------
    CsvFacts

    Raises
    ------
    BadInput
        Not a readable text file, an unknown option, no header, or two columns of one name.
    """
    stated = _checked_options(path, options)
    text = sniff_encoding(path, stated.get("encoding"))
    with open_text(path, text) as handle:
        sample = handle.read(_SAMPLE)
    if not sample.strip():
        raise BadInput(
            "the file is empty", path=path, seen="white space only", remedy="check what should have written it"
        )
    delimiter = stated.get("delimiter") or _sniff_delimiter(sample)
    decimal = stated.get("decimal") or _sniff_decimal(sample, delimiter)
    with open_text(path, text) as handle:
        line, first = next(csv_records(handle, path, delimiter))
    return CsvFacts(
        text=text, delimiter=delimiter, decimal=decimal, header=_checked_header(path, line, first), header_line=line
    )


def _checked_options(path: str | Path, options: Mapping[str, Any] | None) -> dict[str, str]:
    stated = {str(key): value for key, value in (options or {}).items() if value is not None}
    for key, value in stated.items():
        if key not in {"encoding", "delimiter", "decimal"} or not isinstance(value, str):
            raise BadInput(
                "no such csv option",
                path=path,
                field=f"csv.{key}",
                seen=value,
                why="the options are encoding, delimiter and decimal, each a text",
                remedy="correct or remove it",
            )
    if "delimiter" in stated:
        by_name = {name: sign for sign, name in _DELIMITERS.items()} | {"\\t": "\t"}
        stated["delimiter"] = by_name.get(stated["delimiter"], stated["delimiter"])
        if stated["delimiter"] not in _DELIMITERS:
            raise BadInput(
                "no such delimiter",
                path=path,
                field="csv.delimiter",
                seen=stated["delimiter"],
                why="it is one of , ; | tab",
                remedy="name one of them",
            )
    if stated.get("decimal", ".") not in {".", ","}:
        raise BadInput(
            "no such decimal sign",
            path=path,
            field="csv.decimal",
            seen=stated["decimal"],
            why="it is . or ,",
            remedy="name one of them",
        )
    return stated


def _sample_records(sample: str, delimiter: str) -> list[list[str]]:
    """Records of the sample, read leniently; the last one may be cut off and is dropped when there are others."""
    _raise_limit()
    records: list[list[str]] = []
    for record in csv.reader(sample.splitlines(keepends=True), delimiter=delimiter):
        if record:
            records.append(record)
        if len(records) > _SAMPLE_RECORDS:
            break
    return records[:-1] if len(records) > 2 else records


def _sniff_delimiter(sample: str) -> str:
    # splitlines() also cuts at rarer separators, which does no harm here: only counts are compared.
    best, best_key = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        records = _sample_records(sample, delimiter)
        if not records or len(records[0]) < 2:
            continue
        width = len(records[0])
        same = sum(len(record) == width for record in records) / len(records)
        key = (round(same, 2), width)
        if key > best_key:
            best, best_key = delimiter, key
    return best


def _sniff_decimal(sample: str, delimiter: str) -> str:
    """A decimal comma needs another delimiter, a cell such as ``3,5``, and no cell such as ``3.5``."""
    if delimiter == ",":
        return "."
    commas = points = 0
    for record in _sample_records(sample, delimiter)[1:]:
        for cell in record:
            whole, sign, part = cell.strip().lstrip("+-").partition("," if "," in cell else ".")
            if sign and whole.isdigit() and part.isdigit():
                commas += sign == ","
                points += sign == "."
    return "," if commas and not points else "."


def _checked_header(path: str | Path, line: int, record: list[str]) -> tuple[str, ...]:
    places: dict[str, int] = {}
    for number, cell in enumerate(record, 1):
        name = cell.strip() or f"column {number}"
        if name in places:
            raise BadInput(
                "two columns have the same name",
                path=path,
                line=line,
                column=number,
                field=name,
                seen=name,
                why=f"columns {places[name]} and {number} could not be told apart",
                remedy="rename one of them",
            )
        places[name] = number
    return tuple(places)


class _Feed:
    """Hands lines to the csv module and remembers which belong to the current record."""

    def __init__(self, handle: IO[str], path: str | Path, delimiter: str) -> None:
        self._lines = lines_of(handle, path)
        self._path = path
        self._delimiter = delimiter
        self.raw: deque[str] = deque()
        self.size = 0
        self.start = 1
        self.line = 0

    def begin(self) -> None:
        self.raw.clear()
        self.size = 0
        self.start = self.line + 1

    def __iter__(self) -> Iterator[str]:
        for number, text in self._lines:
            self.line = number
            self.raw.append(text)
            self.size += len(text)
            if self.size > RECORD_LIMIT:
                raise self.problem(f"a row has more than {RECORD_LIMIT:,} characters")
            yield text

    def problem(self, what: str, *, why: str | None = None) -> BadInput:
        line, column, is_open = _last_quote("".join(self.raw), self.start, self._delimiter)
        if is_open:
            why = f"the quote opened in line {line} at column {column} is never closed"
        return BadInput(
            what,
            path=self._path,
            line=line,
            column=column,
            seen=self.raw[0][:60].rstrip("\r\n") if self.raw else None,
            why=why,
            remedy='close the quote; a quote inside a quoted cell is written twice: ""',
        )


def _last_quote(raw: str, line: int, delimiter: str) -> tuple[int, int, bool]:
    """Where the last quoted cell of a record starts (or where it goes wrong), and whether it is left open."""
    opened = position = 0
    while (at := raw.find('"', position)) >= 0:
        position = at + 1
        if at and raw[at - 1] not in {delimiter, "\r", "\n"}:
            continue  # a quote inside an unquoted cell is a character like any other
        opened = at
        end = raw.find('"', position)
        while end >= 0 and raw[end : end + 2] == '""':
            end = raw.find('"', end + 2)
        if end < 0:
            return (*_place_in(raw, opened, line), True)
        position = end + 1
        if raw[position : position + 1] not in {"", delimiter, "\r", "\n"}:
            return (*_place_in(raw, position, line), False)
    return (*_place_in(raw, opened, line), False)


def _place_in(raw: str, position: int, line: int) -> tuple[int, int]:
    before = raw[:position].replace("\r\n", "\n").replace("\r", "\n")
    return line + before.count("\n"), len(before) - before.rfind("\n")


def _raise_limit() -> None:
    # The csv module's limit is one number for the whole process and too small for long replies; it is only raised.
    if csv.field_size_limit() < RECORD_LIMIT:
        csv.field_size_limit(RECORD_LIMIT)


def csv_records(handle: IO[str], path: str | Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Records of an open CSV file, the header included, each with the line it starts on.

    Parameters
    ----------
    handle : file object
        From `open_text`.
    path : str or Path
        Named in errors.
    delimiter : str
        One character.

    Yields
    ------
    (int, list of str)
        1-based physical line and the cells, with `unguard` applied. Blank lines are passed over.

    Raises
    ------
    BadInput
        An unclosed quote, text after a closing quote, a cell or row too long.
    """
    _raise_limit()
    feed = _Feed(handle, path, delimiter)
    reader = csv.reader(iter(feed), delimiter=delimiter, strict=True)
    while True:
        feed.begin()
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as problem:
            if "unexpected end" in str(problem):
                raise feed.problem("a quoted cell does not end") from None
            raise feed.problem("text after a closing quote", why="a closing quote ends the cell") from None
        if not record:
            continue
        if feed.size > CELL_LIMIT:
            _refuse_long(path, feed.start, record)
        yield feed.start, [unguard(cell) if cell[:1] == "'" or "‹" in cell else cell for cell in record]


def _refuse_long(path: str | Path, line: int, record: list[str]) -> None:
    for number, cell in enumerate(record, 1):
        if len(cell) > CELL_LIMIT:
            raise BadInput(
                "the cell is too long",
                path=path,
                line=line,
                column=number,
                seen=cell[:60],
                why=f"a cell may have {CELL_LIMIT:,} characters; this one has {len(cell):,}",
                remedy="shorten it or remove the row",
            )
