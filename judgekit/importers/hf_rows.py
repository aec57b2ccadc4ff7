"""Rows as data sets on the Hugging Face hub have them: conversations, prompt and completion, chosen and rejected, samples.

JSON lines, a JSON list or Parquet, read one record at a time (Parquet by row groups). Nested objects are fields with dots.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from judgekit.errors import BadInput
from judgekit.foreign.fields import FieldPlan, Ids, Survey, bare, plan_fields
from judgekit.foreign.imported import Reading, Request, Source, Tally, choose_models, no_rows
from judgekit.foreign.peek import Peek, peek
from judgekit.foreign.records_in import records_of
from judgekit.foreign.turns import is_conversation
from judgekit.importers.hf_fields import Names, class_names, flat, is_score, model_field, score_column
from judgekit.importers.hf_layout import Layout, Piece, find_layout

__all__ = ["has_conversations", "read", "recognise"]

_IDS = ("id", "item", "item_id", "conv_id", "conversation_id", "example_id", "prompt_id", "uuid")
_NOTHING = "no_answer"
_LOOKED_AT = 100


def recognise(seen: Peek) -> bool:
    """Whether a file has a column of conversations, or of replies by its name."""
    if seen.shape not in {"jsonl", "object", "list", "parquet"}:
        return False
    names = seen.names if seen.shape == "parquet" else tuple(seen.first)
    return has_conversations(seen) or Layout.by_names(names)


def has_conversations(seen: Peek) -> bool:
    """Whether a column holds lists of messages.

    Parameters
    ----------
    seen : Peek

    Returns
    -------
    bool
    """
    if seen.shape != "parquet":
        return any(is_conversation(value) for value in seen.first.values())
    return any(is_conversation(value) for _, record in islice(records_of(seen), 1) for value in record.values())


@dataclass(frozen=True, slots=True)
class _Row:
    """One reply of a record with the record's fields."""

    place: str
    item: str | None
    piece: Piece
    model: str | None
    fields: Mapping[str, Any]
    scores: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _File:
    """How the records of one file are taken apart."""

    seen: Peek
    layout: Layout
    names: Names
    id_field: str | None
    model_field: str | None
    stated: frozenset[str] = frozenset()

    def rows(self, tally: Tally | None = None) -> Iterator[_Row]:
        """Every reply of every record; binary fields are told to the tally."""
        for place, record in records_of(self.seen):
            fields, binary = flat(record, self.names)
            if tally is not None and binary:
                tally.note(f"binary fields are left out: {', '.join(sorted(binary)[:5])}")
            item = None if self.id_field is None else fields.get(self.id_field)
            model = None if self.model_field is None else str(fields.get(self.model_field) or "unknown")
            used = self.layout.used | {self.id_field, self.model_field}
            rest = {name: value for name, value in fields.items() if name not in used or self._says(name)}
            scores = {name: rest.pop(name) for name in list(rest) if is_score(name) and not self._says(name)}
            for piece in self.layout.pieces(fields):
                extra = {} if piece.side is None else {"preference": piece.side}
                yield _Row(place, _id(item), piece, model, rest, scores | extra)

    def _says(self, name: str) -> bool:
        """Whether the user says that this field is a group, name or the like: then it is no score, whatever it is called."""
        return name in self.stated or bare(name) in self.stated


def _id(value: object) -> str | None:
    if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value).strip():
        return str(value)
    return None


def read(request: Request) -> Reading:
    """Read the replies of a data set.

    Parameters
    ----------
    request : Request
        ``columns["text"]`` names the field of the replies where it is not found, or where a record has several;
        ``columns["id"]`` the field of ids.

    Returns
    -------
    Reading
        One row for each reply: of a conversation the last one, of ``chosen`` and ``rejected`` both, of a list of texts
        each. ``context`` is what was said before. Other fields fill the columns they are named for or are carried;
        fields that look like somebody's score are carried as ``hf_NAME``. Where a conversation has no reply ``text`` is
        empty and ``error`` says so.

    Raises
    ------
    BadInput
        No column of replies, several that could be meant, or a damaged file.
    UsageProblem
        Replies of several models and none chosen.
    """
    seen, tally = peek(request.path), Tally()
    if seen.shape not in {"jsonl", "object", "list", "parquet"}:
        raise BadInput(
            "these are no rows",
            path=request.path,
            why="rows are JSON lines, a JSON list or Parquet; the Arrow files of save_to_disk are not read",
            remedy="in Python: datasets.load_from_disk(FOLDER).to_parquet('rows.parquet')",
        )
    names = class_names(seen)
    first = [flat(record, names)[0] for _, record in _start(seen)]
    if not first:
        raise no_rows(request, tally)
    layout = find_layout(first, request)
    stated = _stated(request.columns.get("id"), first, request)
    every = {name: value for fields in reversed(first) for name, value in fields.items() if value is not None}
    by_name = next((n for want in _IDS for n in every if n.casefold() == want), None)
    id_field = stated or by_name
    asks = {k: v for k, v in request.columns.items() if k not in {"id", "text"}}
    file = _File(seen, layout, names, id_field, model_field(every, layout.used), frozenset(asks.values()))
    survey, scores, unique = _survey(file, tally, request)
    if not unique:
        if stated:
            raise BadInput(
                "an id stands twice",
                path=request.path,
                field=stated,
                why="judgments and labels are found by it",
                remedy="name another field with --column id=FIELD, or leave it out: rows are then numbered",
            )
        tally.note(f"{id_field} is not different in every row: rows are numbered, and it is carried")
        file = replace(file, id_field=None)
        tally.models.clear()
        survey, scores, _ = _survey(file, tally, request)
    chosen = choose_models(tally.models, request)
    plan = plan_fields(survey, Request(path=request.path, columns=asks), tally, own=layout.own)
    _tell(file, tally, scores, plan)
    source = Source(path=request.path, format="hf", tool="Hugging Face style rows", layout=layout.words)
    return Reading(kind="replies", source=source, tally=tally, rows=_rows(file, plan, tally, chosen, tuple(scores)))


def _start(seen: Peek) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from islice(records_of(seen), _LOOKED_AT)


def _stated(said: str | None, first: list[dict[str, Any]], request: Request) -> str | None:
    """The field a user means, by its name or the last part of it."""
    if said is None:
        return None
    names = dict.fromkeys(name for fields in first for name in fields)
    ends = [name for name in names if bare(name) == said]
    if said in names or len(ends) == 1:
        return said if said in names else ends[0]
    raise BadInput(
        "no such field in the file" if not ends else "several fields end so",
        path=request.path,
        field="--column",
        seen=said,
        why=f"it has {', '.join(list(ends or names)[:30])}",
        remedy="write --column CANONICAL=FIELD with a name from there",
    )


def _survey(file: _File, tally: Tally, request: Request) -> tuple[Survey, dict[str, str], bool]:
    """First rows, score columns with their fields, and whether every record's id is its own."""
    survey = Survey("hf")
    scores: dict[str, str] = {}
    ids: set[bytes] = set()
    unique, before = True, ""
    for row in file.rows(tally):
        if row.model is not None:
            tally.models[row.model] += 1
        if file.id_field is not None and row.place != before:
            key = hashlib.blake2b((row.item or "").encode("utf-8", "surrogatepass"), digest_size=12).digest()
            unique = unique and row.item is not None and key not in ids
            ids.add(key)
        before = row.place
        if row.model is None or not request.models or row.model in request.models:
            survey.add(row.piece.text, row.piece.context, row.fields)
            scores |= {score_column(name): name for name in row.scores}
    return survey, scores, unique


def _tell(file: _File, tally: Tally, scores: Mapping[str, str], plan: FieldPlan) -> None:
    layout = file.layout
    tally.map("id", file.id_field or "row number", "a usual name of an id" if file.id_field else "no field has one")
    tally.map("text", layout.text, layout.why)
    if layout.context:
        tally.map("context", layout.context, layout.context_why)
    if file.model_field:
        tally.map("model", file.model_field, "a usual name of it")
    asked = plan.columns.get("context") or layout.context
    if "template_id" not in plan.columns and asked:
        tally.map("template_id", asked, "the prompt without what says who the person is")
    if "replicate" not in plan.columns:
        tally.map("replicate", asked or "row number", "how often the same prompt was answered, counted")
    for column, name in scores.items():
        tally.map_score(column, name)
    if layout.note:
        tally.note(layout.note)


def _rows(
    file: _File, plan: FieldPlan, tally: Tally, chosen: frozenset[str], scores: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    number, before = 0, ""
    # Records have ids of their own; a record with several replies may give one that another record has.
    ids = Ids(tally) if file.layout.kind in {"list", "sides"} else None
    for row in file.rows():
        number += row.place != before
        before = row.place
        tally.rows_in += 1
        if row.model is not None and row.model not in chosen:
            tally.drop("another model", row.place, row.model)
            continue
        item = f"{row.item if file.id_field else f'row{number}'}{row.piece.suffix}"
        given = plan.row(
            item=item if ids is None else ids.free(item),
            text=row.piece.text or "",
            context=row.piece.context,
            fields=row.fields,
            model=row.model,
        )
        values = {score_column(name): value for name, value in row.scores.items()}
        given |= {column: values.get(column) for column in scores}
        if file.layout.has_system:
            given["system_prompt"] = row.piece.system
        failed = _NOTHING if row.piece.text is None else None
        given |= {"error": failed, "error_detail": row.piece.why or None}
        if failed:
            tally.fail(failed, row.place, row.piece.why, group=given["group"])
        yield tally.give(given)
