"""Argilla exports: records with responses, nested (``to_json``) or flat (``to_list``, ``to_datasets``), Argilla 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judgekit.errors import BadInput
from judgekit.foreign.imported import Reading, Request, Source, Tally
from judgekit.foreign.label_rows import Said, found_item, label_row, no_label_list, stated_item
from judgekit.foreign.peek import Peek, peek
from judgekit.foreign.records_in import records_of

__all__ = ["read", "recognise"]

_USERS = ".responses.users"
_REMEDY = "export the records with `dataset.records.to_json(...)`, or as a dataset with `to_datasets().to_parquet(...)`"
_NOT_SENT = {"draft": "a draft", "discarded": "discarded by the rater"}


def recognise(seen: Peek) -> bool:
    """Whether a file holds Argilla records."""
    return _layout(seen) is not None


def _layout(seen: Peek) -> str | None:
    names = seen.names if seen.shape == "parquet" else tuple(seen.first)
    if seen.shape in {"list", "jsonl", "object"} and {"fields", "responses", "suggestions"} <= set(names):
        return "nested records"
    if any(name.endswith(_USERS) and name.removesuffix(".users") in names for name in names):
        return "flat records"
    return None


def read(request: Request) -> Reading:
    """Read people's responses; see `label_row` for what a row has.

    Parameters
    ----------
    request : Request
        ``columns["item"]`` names the field or metadata with the id, where the record's own id is not it.

    Returns
    -------
    Reading
        Its tally counts a response and a suggestion as a row each; responses that were sent and are one number or one
        choice are given out.

    Raises
    ------
    BadInput
        The file is no such export. While reading: a record that is not what it should be.
    """
    seen = peek(request.path)
    layout = _layout(seen)
    if layout is None:
        why = "records have fields, responses and suggestions, or columns such as warmth.responses.users"
        raise no_label_list(request, "Argilla", why, _REMEDY)
    tally = Tally()
    if layout == "nested records":
        tally.note(
            "this layout does not say which responses were sent, drafted or discarded: all are taken as sent; "
            "`to_datasets().to_parquet(...)` says it"
        )
    source = Source(path=request.path, format="argilla", tool="Argilla", layout=layout)
    rows = _rows(request, seen, tally, nested=layout == "nested records")
    return Reading(kind="labels", source=source, tally=tally, rows=rows)


def _rows(request: Request, seen: Peek, tally: Tally, *, nested: bool) -> Iterator[dict[str, Any]]:
    stated = stated_item(request)
    for place, record in records_of(seen):
        fields, answers, suggested = (_nested if nested else _flat)(request, place, record)
        for question in sorted(suggested):
            tally.rows_in += 1
            tally.drop("a model's suggestion, never a person's label", f"{place}.{question}")
        known = {"id": record.get("id")} | fields if record.get("id") is not None else fields
        item = found_item(known, stated, tally, under="")
        for question, given in answers.items():
            for number, (value, user, status) in enumerate(given):
                tally.rows_in += 1
                where = f"{place}.{question}[{number}]"
                why, score = _score(value, status)
                if score is None:
                    tally.drop(why, where, value)
                elif item is None:
                    tally.drop("the record does not say which text it is about", place, sorted(record))
                elif not isinstance(user, (str, int)) or user == "":
                    tally.drop("no rater is named", where)
                else:
                    yield tally.give(
                        label_row(
                            item=item,
                            dimension=question,
                            annotator=str(user),
                            score=score,
                            place=where,
                            shown=fields,
                            suggested=question in suggested,
                        )
                    )


_Answers = dict[str, list[tuple[Any, Any, Any]]]


def _nested(request: Request, place: str, record: Mapping[str, Any]) -> tuple[dict[str, Any], _Answers, set[str]]:
    """Texts and metadata of a nested record, its answers (value, user, status) by question, questions with a suggestion."""
    blocks = {name: record.get(name) or {} for name in ("fields", "metadata", "responses", "suggestions")}
    for name, block in blocks.items():
        if not isinstance(block, dict):
            raise _not_so(request, f"{place}.{name}", block, "it is an object by name")
    answers: _Answers = {}
    for question, given in blocks["responses"].items():
        if not isinstance(given, list) or not all(isinstance(entry, dict) for entry in given):
            raise _not_so(request, f"{place}.responses.{question}", given, "it is a list of value and user_id")
        answers[question] = [(e.get("value"), e.get("user_id"), e.get("status")) for e in given]
    suggested = {
        question
        for question, entry in blocks["suggestions"].items()
        if isinstance(entry, dict) and entry.get("value") is not None
    }
    return {**blocks["metadata"], **blocks["fields"]}, answers, suggested


def _flat(request: Request, place: str, record: Mapping[str, Any]) -> tuple[dict[str, Any], _Answers, set[str]]:
    """The same of a flat record."""
    answers: _Answers = {}
    questions = {name.removesuffix(_USERS) for name in record if name.endswith(_USERS)}
    for question in sorted(questions):
        values = record.get(f"{question}.responses")
        users = record.get(f"{question}{_USERS}")
        if values is None and users is None:
            continue  # nobody answered this record's question
        states = record.get(f"{question}.responses.status") or [None] * len(users or ())
        lists = [values, users, states]
        if not all(isinstance(entry, list) and len(entry) == len(users or ()) for entry in lists):
            raise _not_so(
                request, f"{place}.{question}.responses", values, "responses, users and status are lists of one length"
            )
        answers[question] = list(zip(values or (), users or (), states, strict=True))
    suggested = {
        name.removesuffix(".suggestion")
        for name, value in record.items()
        if name.endswith(".suggestion") and value is not None
    }
    return {name: value for name, value in record.items() if name != "id" and "." not in name}, answers, suggested


def _score(value: object, status: object) -> tuple[str, Said | None]:
    """Why a response is no score, or the score."""
    if isinstance(status, str) and status in _NOT_SENT:
        return _NOT_SENT[status], None
    if value is None:
        return "a response without a value", None
    if isinstance(value, list):
        if len(value) != 1:
            return "several choices for one question", None
        value = value[0]
    if isinstance(value, (int, float, str)) and not isinstance(value, bool) and value != "":
        return "", value
    return "not a score (ranking, span or text)", None


def _not_so(request: Request, place: str, seen: object, why: str) -> BadInput:
    return BadInput(
        "this is not as Argilla writes it", path=request.path, field=place, seen=seen, why=why, remedy=_REMEDY
    )
