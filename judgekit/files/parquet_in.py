"""Parquet read in batches, as plain Python values."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from judgekit.errors import BadInput

__all__ = ["parquet_columns", "parquet_records"]

_BATCH = 2048


def _open(path: str | Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(str(path))
    except (pa.ArrowException, OSError) as problem:
        raise _unreadable(path, problem) from None


def _unreadable(path: str | Path, problem: Exception, line: int | None = None) -> BadInput:
    return BadInput(
        "the file is not readable as Parquet",
        path=path,
        line=line,
        why=str(problem).partition("\n")[0][:200],
        remedy="write it again, or save the table as CSV or JSONL",
    )


def parquet_columns(path: str | Path) -> tuple[str, ...]:
    """Names of the top-level columns; the index that pandas adds without a name is left out.

    Raises
    ------
    BadInput
        Not a readable Parquet file, or two columns of one name.
    """
    with _open(path) as file:
        names = list(file.schema_arrow.names)
    doubles = sorted({name for name in names if names.count(name) > 1})
    if doubles:
        raise BadInput(
            "two columns have the same name", path=path, field=doubles[0], seen=doubles[0], remedy="rename one of them"
        )
    return tuple(name for name in names if not name.startswith("__index_level_"))


def parquet_records(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows with their number, 1-based, in bounded memory.

    Dates become ISO 8601 texts; decimals become numbers; NaN becomes None, as pandas writes a missing number so.

    Raises
    ------
    BadInput
        The file is damaged.
    """
    import pyarrow as pa

    names = list(parquet_columns(path))
    row = 0
    with _open(path) as file:
        try:
            for batch in file.iter_batches(batch_size=_BATCH, columns=names, use_threads=False):
                for record in batch.to_pylist():
                    row += 1
                    yield row, {name: _plain(value) for name, value in record.items()}
        except (pa.ArrowException, OSError, UnicodeDecodeError) as problem:
            raise _unreadable(path, problem, row + 1) from None


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, Decimal):
        return _plain(float(value))
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return value
