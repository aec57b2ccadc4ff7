"""The tables users bring: replies, ratings, pairs and metrics, from CSV, JSONL or Parquet, one row at a time.

Nothing is skipped silently and nothing is mended silently. A row that cannot be used stops the reading with its file,
line, column and remedy; an empty score is a missing score and stays in the result as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from judgekit.errors import BadInput
from judgekit.files.cells import as_number, check_filled, row_id, row_label
from judgekit.files.columns import METRICS, PAIRS, REPLIES, Aliases
from judgekit.files.ratings_in import RATINGS_KIND, read_ratings
from judgekit.files.replies_in import iter_replies, read_replies
from judgekit.files.rows import Layouts, Place, Row, Table, TableFormat, open_table
from judgekit.files.unique import SeenIds
from judgekit.printable import printable
from judgekit.records import MetricRow, PairItem

__all__ = [
    "SourceFacts",
    "TableKind",
    "describe_source",
    "is_own_judgments",
    "iter_metric_table",
    "iter_replies",
    "read_metric_table",
    "read_pairs",
    "read_ratings",
    "read_replies",
]

TableKind = Literal["replies", "ratings", "pairs", "metrics"]
_KINDS: dict[str, Aliases] = {"replies": REPLIES, "ratings": RATINGS_KIND, "pairs": PAIRS, "metrics": METRICS}
_OWN_COLUMNS = frozenset({"request_key", "parser_version", "text_hash", "fingerprint"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFacts:
    """How a table is written and how its columns are understood.

    ``encoding_how`` is ``stated``, ``byte order mark``, ``every byte fits`` or ``fallback``; ``mapping`` goes from
    canonical name to the column in the file; ``carried`` are the other columns. What does not apply is None.
    """

    path: str
    format: TableFormat
    encoding: str | None
    encoding_how: str | None
    delimiter: str | None
    decimal: str | None
    columns: tuple[str, ...]
    mapping: Mapping[str, str]
    carried: tuple[str, ...]

    def __str__(self) -> str:
        parts: list[str] = [self.format]
        if self.encoding:
            parts.append(f"{self.encoding} ({self.encoding_how})")
        if self.delimiter:
            parts.append(f"delimiter {self.delimiter!r}, decimal sign {self.decimal!r}")
        renamed = [f"{name} = {actual}" for name, actual in self.mapping.items() if name != actual]
        if renamed:
            parts.append("read as " + ", ".join(renamed))
        return printable("; ".join(parts))


def describe_source(
    path: str | Path,
    *,
    kind: TableKind = "replies",
    columns: Mapping[str, Any] | None = None,
    csv: Mapping[str, Any] | None = None,
) -> SourceFacts:
    r"""Tell how a table would be read, without reading its rows.

    Parameters
    ----------
    path : str or Path
        CSV, JSONL or Parquet.
    kind : {'replies', 'ratings', 'pairs', 'metrics'}
        Which names and aliases its columns are matched to.
    columns : mapping, optional
        Canonical name to actual name; wins over aliases.
    csv : mapping, optional
        ``encoding``, ``delimiter``, ``decimal`` as stated.

    Returns
    -------
    SourceFacts
        Required columns may be missing; that is for the readers to refuse.

    Raises
    ------
    BadInput
        The file cannot be used, or two columns match one name.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rows.csv"
    ...     _ = path.write_text("item;answer;mood\n1;Hi;3,5\n")
    ...     print(describe_source(path))
    csv; utf-8 (every byte fits); delimiter ';', decimal sign ','; read as id = item, text = answer
    """
    table = open_table(path, csv)
    layout = Layouts(table, _KINDS[kind], columns).header
    return SourceFacts(
        path=table.path,
        format=table.format,
        encoding=table.text.encoding if table.text else None,
        encoding_how=table.text.how if table.text else None,
        delimiter=table.csv.delimiter if table.csv else None,
        decimal=table.csv.decimal if table.csv else None,
        columns=table.columns,
        mapping=layout.found,
        carried=layout.carried,
    )


# --- pairs ---------------------------------------------------------------------------------------------------------


def read_pairs(
    path: str | Path, *, columns: Mapping[str, Any] | None = None, csv: Mapping[str, Any] | None = None
) -> list[PairItem]:
    r"""Read which replies are to be compared with which.

    Parameters
    ----------
    path : str or Path
        CSV, JSONL or Parquet with ``pair_id, a_item, b_item`` and, if known, ``template_id``.
    columns, csv : mapping, optional
        As for `iter_replies`.

    Returns
    -------
    list of PairItem
        In the order of the file.

    Raises
    ------
    BadInput
        A missing column, an empty id, a pair id that stands twice, or a reply paired with itself.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rows.csv"
    ...     _ = path.write_text("pair,a,b\np1,r1,r2\n")
    ...     read_pairs(path)
    [PairItem(pair_id='p1', a_item='r1', b_item='r2', unit_id=None)]
    """
    table = open_table(path, csv)
    required = ["pair_id", "a_item", "b_item"]
    layouts = Layouts(table, PAIRS, columns, required=required)
    pairs: list[PairItem] = []
    with SeenIds() as seen:
        for row in table.rows():
            found = layouts.of(row).found
            pair_id, a, b = (row_id(table, row, found[name]) for name in required)
            if a == b:
                raise Place(table, row.line, found["b_item"]).problem(
                    "a reply is paired with itself",
                    seen=b,
                    why="a pair has two replies",
                    remedy="correct one of the ids",
                )
            pairs.append(
                PairItem(pair_id=pair_id, a_item=a, b_item=b, unit_id=row_label(table, row, found, "template_id"))
            )
            seen.add(pair_id)
        seen.check(table, lambda row: row_id(table, row, layouts.of(row).found["pair_id"]))
    return pairs


# --- metrics -------------------------------------------------------------------------------------------------------


def read_metric_table(
    path: str | Path,
    *,
    metric: str,
    columns: Mapping[str, Any] | None = None,
    csv: Mapping[str, Any] | None = None,
) -> list[MetricRow]:
    r"""Read one metric of a table that someone else computed.

    Parameters
    ----------
    path : str or Path
        CSV, JSONL or Parquet with ``template_id``, ``group`` and the metric; ``id, name, name_pair, replicate,
        case_type`` if known.
    metric : str
        The column of the metric. Its cells are numbers; true and false are 1 and 0.
    columns, csv : mapping, optional
        As for `iter_replies`.

    Returns
    -------
    list of MetricRow
        In the order of the file. A cell that is empty (or ``NA``, ``NaN``, null) gives a row with ``value`` None and
        ``missing`` ``"empty"``. Without an id column the item is ``line N``.

    Raises
    ------
    BadInput
        A missing column, an empty template or group, a cell that is no number, or an id that stands twice.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rows.csv"
    ...     _ = path.write_text("scenario,group,warmth\nt1,a,3.5\nt1,b,\n")
    ...     rows = read_metric_table(path, metric="warmth")
    >>> [(row.unit_id, row.group, row.value, row.missing) for row in rows]
    [('t1', 'a', 3.5, None), ('t1', 'b', None, 'empty')]
    """
    return list(iter_metric_table(path, metric=metric, columns=columns, csv=csv))


def iter_metric_table(
    path: str | Path,
    *,
    metric: str,
    columns: Mapping[str, Any] | None = None,
    csv: Mapping[str, Any] | None = None,
) -> Iterator[MetricRow]:
    """Read one metric of a table row by row, in bounded memory; see `read_metric_table`.

    Parameters
    ----------
    path : str or Path
        CSV, JSONL or Parquet.
    metric : str
        The column of the metric.
    columns, csv : mapping, optional
        As for `iter_replies`.

    Yields
    ------
    MetricRow
        In the order of the file.

    Raises
    ------
    BadInput
        At the call: the file or a missing column. While reading: a row that cannot be used. At the end: an id that
        stands twice.
    """
    table = open_table(path, csv)
    column = _metric_column(table, metric)
    required = ["template_id", "group"]
    layouts = Layouts(table, METRICS, columns, required=required, reserved=[column])
    has_ids = "id" in layouts.header.found
    if has_ids:
        layouts = Layouts(table, METRICS, columns, required=[*required, "id"], reserved=[column])
    return _metric_rows(table, layouts, column, required, has_ids=has_ids)


def _metric_rows(
    table: Table, layouts: Layouts, column: str, required: list[str], *, has_ids: bool
) -> Iterator[MetricRow]:
    with SeenIds() as seen:
        for row in table.rows():
            layout = layouts.of(row)
            check_filled(table, row, layout, required)
            found = _metric_row(table, row, layout.found, column)
            if has_ids:
                seen.add(found.item)
            yield found
        seen.check(table, lambda row: row_id(table, row, layouts.of(row).found["id"]))


def _metric_column(table: Table, metric: str) -> str:
    if metric in table.columns:
        return metric
    matches = [name for name in table.columns if name.casefold() == metric.strip().casefold()]
    if len(matches) == 1:
        return matches[0]
    raise BadInput(
        "the metric has no column of its own",
        path=table.path,
        line=table.header_line,
        field=metric,
        seen=metric,
        why=f"the file has the columns {', '.join(table.columns[:30])}",
        remedy="name one of them with --metric",
    )


def _metric_row(table: Table, row: Row, found: Mapping[str, str], column: str) -> MetricRow:
    value = as_number(row.values.get(column), Place(table, row.line, column))
    return MetricRow(
        item=row_id(table, row, found["id"]) if "id" in found else f"line {row.line}",
        unit_id=row_label(table, row, found, "template_id"),
        group=row_label(table, row, found, "group"),
        name=row_label(table, row, found, "name"),
        value=value,
        missing="empty" if value is None else None,
        name_pair=row_label(table, row, found, "name_pair"),
        replicate=row_label(table, row, found, "replicate"),
        case_type=row_label(table, row, found, "case_type"),
    )


# --- judgekit's own ------------------------------------------------------------------------------------------------


def is_own_judgments(path: str | Path) -> bool:
    r"""Whether a table holds judgekit's own judgments, whose gaps only a calibrated study may show.

    Parameters
    ----------
    path : str or Path
        CSV, JSONL or Parquet.

    Returns
    -------
    bool
        True when the first JSONL record says ``"judgekit": "judgments"``, or when the columns (of any format, so also
        after a conversion) include one of ``request_key``, ``parser_version``, ``text_hash`` and ``fingerprint``.

    Raises
    ------
    BadInput
        The file cannot be used as a table.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rows.csv"
    ...     _ = path.write_text("item,score\n1,3\n")
    ...     is_own_judgments(path)
    False
    """
    table = open_table(path)
    if {name.strip().casefold() for name in table.columns} & _OWN_COLUMNS:
        return True
    if "judgekit" not in table.columns:
        return False
    return any(row.values.get("judgekit") == "judgments" for row in _first(table))


def _first(table: Table) -> list[Row]:
    for row in table.rows():
        return [row]
    return []
