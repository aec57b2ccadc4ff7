"""The tables users bring: replies, ratings, pairs and metrics, from CSV, JSONL or Parquet, one row at a time.

Nothing is skipped silently and nothing is mended silently. A row that cannot be used stops the reading with its file,
line, column and remedy; an empty score is a missing score and stays in the result as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from judgekit.errors import BadInput, UsageProblem
from judgekit.files.cells import as_id, as_label, as_names, as_number, as_text, is_empty
from judgekit.files.columns import METRICS, PAIRS, REPLIES, Aliases
from judgekit.files.ratings_in import RATINGS_KIND, read_ratings
from judgekit.files.rows import Layout, Layouts, Place, Row, Table, TableFormat, open_table
from judgekit.files.unique import SeenIds
from judgekit.printable import printable
from judgekit.records import MetricRow, PairItem, Reply

__all__ = [
    "SourceFacts",
    "TableKind",
    "describe_source",
    "is_own_judgments",
    "iter_replies",
    "read_metric_table",
    "read_pairs",
    "read_ratings",
    "read_replies",
]

TableKind = Literal["replies", "ratings", "pairs", "metrics"]
_KINDS: dict[str, Aliases] = {"replies": REPLIES, "ratings": RATINGS_KIND, "pairs": PAIRS, "metrics": METRICS}
_OWN_COLUMNS = frozenset({"request_key", "parser_version", "text_hash"})


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
    """Tell how a table would be read, without reading its rows.

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


# --- replies -------------------------------------------------------------------------------------------------------


def iter_replies(
    path: str | Path,
    *,
    columns: Mapping[str, Any] | None = None,
    csv: Mapping[str, Any] | None = None,
    need: Sequence[str] = (),
    lang: str | None = None,
) -> Iterator[Reply]:
    """Read replies one at a time, in bounded memory.

    Parameters
    ----------
    path : str or Path
        CSV, JSONL or Parquet with columns ``id`` and ``text`` and, as needed, ``template_id, group, name, name_pair,
        replicate, context, known_names, case_type, lang``, or their aliases. Other columns are carried.
    columns : mapping, optional
        Canonical name to actual name; wins over aliases. None as the actual name: there is no such column.
    csv : mapping, optional
        ``encoding``, ``delimiter``, ``decimal``; each is found out when left out.
    need : sequence of str
        Canonical columns that must be there and filled in every row.
    lang : str, optional
        Language of rows that do not say theirs.

    Yields
    ------
    Reply
        An empty text is kept as ``""``: the chatbot answered nothing, which later stages count. Ids are texts exactly
        as they stand in the file.

    Raises
    ------
    BadInput
        At the call: the file, its header or a required column. While reading: a row that cannot be used. At the end:
        an id that stands twice, with both lines; so keep no result before the iteration has ended.
    """
    _check_need(path, need)
    table = open_table(path, csv)
    required = ["id", "text", *(name for name in need if name not in {"id", "text"})]
    return _replies(
        table, Layouts(table, REPLIES, columns, required=required), required[2:], None if lang == "auto" else lang
    )


def _check_need(path: str | Path, need: Sequence[str]) -> None:
    for name in need:
        if name not in REPLIES:
            raise UsageProblem(
                "no such canonical column", path=path, seen=name, why=f"the names are {', '.join(REPLIES)}"
            )


def _replies(table: Table, layouts: Layouts, filled: Sequence[str], lang: str | None) -> Iterator[Reply]:
    with SeenIds() as seen:
        for row in table.rows():
            layout = layouts.of(row)
            _check_filled(table, row, layout, filled)
            reply = _reply(table, row, layout, lang)
            seen.add(reply.id)
            yield reply
        _refuse_twice(seen, table, lambda row: _id_of(table, row, layouts.of(row).found["id"]))


def _refuse_twice(seen: SeenIds, table: Table, id_of: Callable[[Row], str]) -> None:
    if seen.any_twice():
        seen.refuse(table, id_of)


def _check_filled(table: Table, row: Row, layout: Layout, names: Sequence[str]) -> None:
    for name in names:
        column = layout.found[name]
        if is_empty(row.values[column]):
            raise Place(table, row.line, column).problem(
                f"`{name}` is empty",
                seen="",
                why="this step needs it in every row",
                remedy="fill it in or remove the row",
            )


# Nearly every cell is text and good; building a place for each would double the time of reading.


def _id_of(table: Table, row: Row, column: str) -> str:
    value = row.values[column]
    if type(value) is str and value and not value.isspace():
        return value
    return as_id(value, Place(table, row.line, column))


def _text(table: Table, row: Row, column: str) -> str:
    value = row.values[column]
    return value if type(value) is str else as_text(value, Place(table, row.line, column))


def _label(table: Table, row: Row, found: Mapping[str, str], name: str) -> str | None:
    column = found.get(name)
    if column is None:
        return None
    value = row.values[column]
    return value or None if type(value) is str else as_label(value, Place(table, row.line, column))


def _reply(table: Table, row: Row, layout: Layout, lang: str | None) -> Reply:
    values, found = row.values, layout.found
    context, names = found.get("context"), found.get("known_names")
    said = _label(table, row, found, "lang")
    return Reply(
        id=_id_of(table, row, found["id"]),
        text=_text(table, row, found["text"]),
        unit_id=_label(table, row, found, "template_id"),
        group=_label(table, row, found, "group"),
        name=_label(table, row, found, "name"),
        name_pair=_label(table, row, found, "name_pair"),
        replicate=_label(table, row, found, "replicate"),
        context=None if context is None else _text(table, row, context) or None,
        known_names=() if names is None else as_names(values[names], Place(table, row.line, names)),
        lang=said.strip().lower() if said else lang,
        case_type=_label(table, row, found, "case_type"),
        carried={name: values[name] for name in layout.carried},
    )


def read_replies(
    path: str | Path,
    *,
    columns: Mapping[str, Any] | None = None,
    csv: Mapping[str, Any] | None = None,
    need: Sequence[str] = (),
    lang: str | None = None,
) -> list[Reply]:
    """Read all replies of a file; parameters and errors as `iter_replies`.

    Returns
    -------
    list of Reply
        In the order of the file.
    """
    return list(iter_replies(path, columns=columns, csv=csv, need=need, lang=lang))


# --- pairs ---------------------------------------------------------------------------------------------------------


def read_pairs(
    path: str | Path, *, columns: Mapping[str, Any] | None = None, csv: Mapping[str, Any] | None = None
) -> list[PairItem]:
    """Read which replies are to be compared with which.

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
    """
    table = open_table(path, csv)
    required = ["pair_id", "a_item", "b_item"]
    layouts = Layouts(table, PAIRS, columns, required=required)
    pairs: list[PairItem] = []
    with SeenIds() as seen:
        for row in table.rows():
            found = layouts.of(row).found
            pair_id, a, b = (_id_of(table, row, found[name]) for name in required)
            if a == b:
                raise Place(table, row.line, found["b_item"]).problem(
                    "a reply is paired with itself",
                    seen=b,
                    why="a pair has two replies",
                    remedy="correct one of the ids",
                )
            pairs.append(
                PairItem(pair_id=pair_id, a_item=a, b_item=b, unit_id=_label(table, row, found, "template_id"))
            )
            seen.add(pair_id)
        _refuse_twice(seen, table, lambda row: _id_of(table, row, layouts.of(row).found["pair_id"]))
    return pairs


# --- metrics -------------------------------------------------------------------------------------------------------


def read_metric_table(
    path: str | Path,
    *,
    metric: str,
    columns: Mapping[str, Any] | None = None,
    csv: Mapping[str, Any] | None = None,
) -> list[MetricRow]:
    """Read one metric of a table that someone else computed.

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
    """
    table = open_table(path, csv)
    column = _metric_column(table, metric)
    required = ["template_id", "group"]
    layouts = Layouts(table, METRICS, columns, required=required, reserved=[column])
    has_ids = "id" in layouts.header.found
    if has_ids:
        layouts = Layouts(table, METRICS, columns, required=[*required, "id"], reserved=[column])
    rows: list[MetricRow] = []
    with SeenIds() as seen:
        for row in table.rows():
            layout = layouts.of(row)
            _check_filled(table, row, layout, required)
            rows.append(_metric_row(table, row, layout.found, column))
            if has_ids:
                seen.add(rows[-1].item)
        _refuse_twice(seen, table, lambda row: _id_of(table, row, layouts.of(row).found["id"]))
    return rows


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
        item=_id_of(table, row, found["id"]) if "id" in found else f"line {row.line}",
        unit_id=_label(table, row, found, "template_id"),
        group=_label(table, row, found, "group"),
        name=_label(table, row, found, "name"),
        value=value,
        missing="empty" if value is None else None,
        name_pair=_label(table, row, found, "name_pair"),
        replicate=_label(table, row, found, "replicate"),
        case_type=_label(table, row, found, "case_type"),
    )


# --- judgekit's own ------------------------------------------------------------------------------------------------


def is_own_judgments(path: str | Path) -> bool:
    """Whether a table holds judgekit's own judgments, whose gaps only a calibrated study may show.

    Parameters
    ----------
    path : str or Path
        CSV, JSONL or Parquet.

    Returns
    -------
    bool
        True when the first JSONL record says ``"judgekit": "judgments"``, or when the columns (of any format, so also
        after a conversion) include ``request_key``, ``parser_version`` and ``text_hash``.

    Raises
    ------
    BadInput
        The file cannot be used as a table.
    """
    table = open_table(path)
    if {name.casefold() for name in table.columns} >= _OWN_COLUMNS:
        return True
    if "judgekit" not in table.columns:
        return False
    return any(row.values.get("judgekit") == "judgments" for row in _first(table))


def _first(table: Table) -> list[Row]:
    for row in table.rows():
        return [row]
    return []
