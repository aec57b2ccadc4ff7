"""Prompts to decide on: what `judgekit probe expand` wrote, or a table with id, prompt, template_id, group, name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from judgekit.deciding.answers import Place as DecisionPlace
from judgekit.errors import BadInput, UsageProblem
from judgekit.files.prompts import read_prompts
from judgekit.files.rows import Place, Row, Table, open_table
from judgekit.records import Prompt, Turn

__all__ = ["PROBE", "decision_prompts", "must_have_groups"]

PROBE = "group"
"""Name of the probe of a table, which states none."""

_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "item", "item_id"),
    "prompt": ("prompt", "text", "input", "question"),
    "template_id": ("template_id", "template", "scenario"),
    "group": ("group",),
    "name": ("name",),
    "name_pair": ("name_pair",),
    "case_type": ("case_type",),
    "lang": ("lang",),
}


def decision_prompts(path: str | Path) -> list[Prompt]:
    """Read prompts.

    Parameters
    ----------
    path : str or Path
        ``prompts.jsonl`` of `judgekit probe expand`, or a CSV, JSONL or Parquet table with ``id`` and ``prompt``, and
        ``template_id``, ``group``, ``name``, ``name_pair``, ``case_type`` where they apply.

    Returns
    -------
    list of Prompt
        In the order of the file; a row without a template is its own.

    Raises
    ------
    BadInput
        With file, line and field.
    """
    table = open_table(path)
    if table.format == "jsonl" and "turns" in table.columns:
        return read_prompts(path)
    columns = _columns(table)
    found, lines = list[Prompt](), dict[str, int]()
    for position, row in enumerate(table.rows(), 1):
        prompt = _prompt(table, row, columns, position)
        if prompt.id in lines:
            raise Place(table, row.line, columns["id"]).problem(
                "an id stands twice", seen=prompt.id, why=f"it stands on line {lines[prompt.id]} too", remedy="mend it"
            )
        lines[prompt.id] = row.line
        found.append(prompt)
    return found


def must_have_groups(prompts: Iterable[Prompt | DecisionPlace], groups: Sequence[str] | None) -> None:
    """Refuse a comparison of groups that no prompt has.

    Parameters
    ----------
    prompts : iterable of Prompt or Place
        Prompts of a candidate choice, which have an order, count for nothing here.
    groups : sequence of str, optional
        None: all that there are.

    Raises
    ------
    UsageProblem
        With the groups that there are.

    Examples
    --------
    >>> must_have_groups([], ["f", "m"])
    Traceback (most recent call last):
    judgekit.errors.UsageProblem: --groups: no prompt has this group (seen: 'f'). Why: the groups are none. Do: name two of them.
    """
    met = {p.group for p in prompts if p.group is not None and p.order is None}
    if strangers := [group for group in groups or () if group not in met]:
        raise UsageProblem(
            "no prompt has this group",
            field="--groups",
            seen=strangers[0],
            why=f"the groups are {', '.join(sorted(met)) or 'none'}",
            remedy="name two of them",
        )


def _columns(table: Table) -> dict[str, str]:
    known = {column.strip().lower(): column for column in table.columns}
    found = {}
    for name, aliases in _COLUMNS.items():
        column = next((known[alias] for alias in aliases if alias in known), None)
        if column is not None:
            found[name] = column
        elif name in {"id", "prompt"}:
            raise BadInput(
                "a column is missing",
                path=table.path,
                line=table.header_line,
                field=name,
                why=f"the file has {', '.join(table.columns)}",
                remedy="prompts need the columns id and prompt, and template_id, group and name to compare groups",
            )
    return found


def _prompt(table: Table, row: Row, columns: Mapping[str, str], position: int) -> Prompt:
    values = {name: _text(row.values.get(column)) for name, column in columns.items()}
    for name in ("id", "prompt"):
        if not (values[name] or "").strip():
            raise Place(table, row.line, columns[name]).problem(
                "an empty cell", seen="", why=f"every prompt needs its {name}", remedy="fill it in, or remove the row"
            )
    key = str(values["id"])
    return Prompt(
        id=key,
        position=position,
        unit_id=values.get("template_id") or key,
        probe=PROBE,
        attribute="group",
        group=values.get("group") or None,
        name=values.get("name") or None,
        name_pair=values.get("name_pair") or None,
        turns=(Turn("user", str(values["prompt"])),),
        case_type=values.get("case_type") or None,
        lang=values.get("lang") or None,
    )


def _text(value: Any) -> str | None:
    return None if value is None else value if isinstance(value, str) else str(value)
