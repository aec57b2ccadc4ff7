"""Records of a foreign file one at a time: JSON lines, a JSON list, or Parquet; each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judgekit.errors import BadInput
from judgekit.files.parquet_in import parquet_records
from judgekit.files.text_in import open_text
from judgekit.foreign.json_stream import JsonReader
from judgekit.foreign.peek import Peek

__all__ = ["records_of"]


def records_of(seen: Peek) -> Iterator[tuple[str, dict[str, Any]]]:
    """All records of a file, in bounded memory.

    Parameters
    ----------
    seen : Peek
        The file, of the shape ``jsonl``, ``object`` (one record), ``list`` or ``parquet``.

    Yields
    ------
    (str, dict)
        The place (``row 3``, ``[2]``) and the record. A missing number is None.

    Raises
    ------
    BadInput
        The file is damaged, or a record is no object.
    """
    if seen.shape == "parquet":
        yield from ((f"row {number}", record) for number, record in parquet_records(seen.path))
        return
    with open_text(seen.path) as handle:
        reader = JsonReader(handle, seen.path)
        for place in _places(reader, seen.shape == "list"):
            reader.place = place
            record = reader.value()
            if not isinstance(record, dict):
                raise BadInput(
                    "a record is no JSON object",
                    path=seen.path,
                    field=place,
                    seen=str(record)[:80],
                    why="each record is written as {...}",
                    remedy="check what wrote the file",
                )
            yield place, record


def _places(reader: JsonReader, is_list: bool) -> Iterator[str]:
    if is_list:
        yield from (f"[{number}]" for number in reader.items())
        reader.end()
        return
    number = 0
    while reader.peek():
        number += 1
        yield f"row {number}"
