"""Ids for replies that have none: the number of the row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judgekit.intake.draft import Inspected
from judgekit.records import Reply

__all__ = ["numbered", "numbered_rows"]


def numbered_rows(inspected: Inspected) -> Iterator[dict[str, Any]]:
    """Rows of a table with an ``id`` of their own, ``row-1`` and so on; a column of that name goes on as ``id_in_file``.

    Parameters
    ----------
    inspected : Inspected

    Yields
    ------
    dict
        Values by column, the id first.
    """
    for n, row in enumerate(inspected.table.rows(), 1):
        others = {("id_in_file" if name.strip().casefold() == "id" else name): v for name, v in row.values.items()}
        yield {"id": f"row-{n}", **others}


def numbered(inspected: Inspected) -> Iterator[Reply]:
    """The same rows as replies, for counting; texts and labels only."""
    columns = inspected.mapped.columns

    def cell(row: dict[str, Any], name: str) -> str | None:
        value = row.get(columns[name]) if name in columns else None
        return None if value is None or str(value).strip() == "" else str(value)

    for row in numbered_rows(inspected):
        yield Reply(
            id=row["id"],
            text=cell(row, "text") or "",
            unit_id=cell(row, "template_id"),
            group=(cell(row, "group") or "").strip() or None,
            name=cell(row, "name"),
            name_pair=cell(row, "name_pair"),
            context=cell(row, "context"),
            lang=cell(row, "lang"),
        )
