"""Replies, one at a time: the chatbot's texts with their place in the design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judgekit.errors import BadInput, UsageProblem
from judgekit.files.cells import as_names, check_filled, row_id, row_label, row_text
from judgekit.files.columns import REPLIES
from judgekit.files.json_text import loads
from judgekit.files.prompts import arm_from_row
from judgekit.files.rows import Layout, Layouts, Place, Row, Table, open_table
from judgekit.files.unique import SeenIds
from judgekit.records import BASE, Arm, Reply

__all__ = ["iter_replies", "read_replies"]


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
        replicate, context, known_names, case_type, lang, arm``, or their aliases. Other columns are carried. ``arm`` is
        a kind, such as ``control``, or the mapping that `files.prompts` writes; empty is ``base``.
    columns : mapping, optional
        Canonical name to actual name; wins over aliases. None as the actual name: there is no such column.
    csv : mapping, optional
        ``encoding``, ``delimiter``, ``decimal``; each is found out when left out.
    need : sequence of str
        Canonical columns that must be there and filled in every row of the base arm.
    lang : str, optional
        Language of rows that do not say theirs.

    Yields
    ------
    Reply
        An empty text is kept as ``""``: the chatbot answered nothing, which later stages count as failed. Ids are texts
        exactly as they stand in the file; blanks around a group are dropped.

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
            reply = _reply(table, row, layout, lang)
            if reply.arm.kind == "base":  # a control says nothing of a group, and needs none
                check_filled(table, row, layout, filled)
            seen.add(reply.id)
            yield reply
        seen.check(table, lambda row: row_id(table, row, layouts.of(row).found["id"]))


def _reply(table: Table, row: Row, layout: Layout, lang: str | None) -> Reply:
    values, found = row.values, layout.found
    context, names = found.get("context"), found.get("known_names")
    said = row_label(table, row, found, "lang")
    return Reply(
        id=row_id(table, row, found["id"]),
        text=row_text(table, row, found["text"]),
        unit_id=row_label(table, row, found, "template_id"),
        group=_bare(row_label(table, row, found, "group")),
        name=row_label(table, row, found, "name"),
        name_pair=row_label(table, row, found, "name_pair"),
        replicate=row_label(table, row, found, "replicate"),
        context=None if context is None else row_text(table, row, context) or None,
        known_names=() if names is None else as_names(values[names], Place(table, row.line, names)),
        names_stated=names is not None and isinstance(values[names], list),
        lang=said.strip().lower() if said else lang,
        case_type=row_label(table, row, found, "case_type"),
        arm=BASE if "arm" not in found else _arm(values[found["arm"]], Place(table, row.line, found["arm"])),
        carried={name: values[name] for name in layout.carried},
    )


def _bare(group: str | None) -> str | None:
    """A group without blanks around it: ``m`` and `` m`` are surely one."""
    return group and (group.strip() or None)


def _arm(value: object, place: Place) -> Arm:
    try:
        if isinstance(value, str):
            said = value.strip()
            value = loads(said) if said.startswith("{") else said  # a table of cells holds a mapping as JSON text
        return arm_from_row(value, place.table.path, place.line)
    except BadInput as problem:
        raise place.problem(
            "this is no arm",
            seen=value,
            why=problem.why or "it is no JSON",
            remedy="write base, control and so on, or rename the column if it means something else",
        ) from None


def read_replies(
    path: str | Path,
    *,
    columns: Mapping[str, Any] | None = None,
    csv: Mapping[str, Any] | None = None,
    need: Sequence[str] = (),
    lang: str | None = None,
) -> list[Reply]:
    r"""Read all replies of a file; errors as `iter_replies`.

    Parameters
    ----------
    path : str or Path
        CSV, JSONL or Parquet.
    columns, csv : mapping, optional
        Stated column names and dialect.
    need : sequence of str
        Canonical columns that must be filled in every row.
    lang : str, optional
        Language of rows that do not say theirs.

    Returns
    -------
    list of Reply
        In the order of the file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rows.csv"
    ...     _ = path.write_text("item;answer;sample\n007;\"Hola, ¿qué tal?\";1\n")
    ...     reply = read_replies(path, lang="es")[0]
    >>> reply.id, reply.text, reply.replicate, reply.lang
    ('007', 'Hola, ¿qué tal?', '1', 'es')
    """
    return list(iter_replies(path, columns=columns, csv=csv, need=need, lang=lang))
