"""Label Studio exports: JSON (tasks with annotations) and JSON-MIN (one flat row per annotation)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judgekit.errors import BadInput
from judgekit.foreign.imported import Reading, Request, Source, Tally
from judgekit.foreign.label_rows import found_item, label_row, no_label_list, stated_item, utc
from judgekit.foreign.peek import Peek, peek
from judgekit.foreign.records_in import records_of

__all__ = ["read", "recognise"]

_MIN_OWN = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")
_ANSWERS = ("annotations", "completions")  # the second until version 1.0
_KINDS = ("rating", "number", "choices")
_REMEDY = "export the project from Label Studio as JSON or JSON-MIN"


def recognise(seen: Peek) -> bool:
    """Whether a file is a Label Studio export: a list of tasks with annotations, or of flat annotations."""
    return seen.shape == "list" and _layout(seen.first) is not None


def _layout(first: Mapping[str, Any]) -> str | None:
    if isinstance(first.get("data"), dict) and any(isinstance(first.get(name), list) for name in _ANSWERS):
        return "JSON"
    if {"annotation_id", "annotator", "lead_time"} <= set(first):
        return "JSON-MIN"
    return None


def read(request: Request) -> Reading:
    """Read the answers of people from an export; see `label_row` for what a row has.

    Parameters
    ----------
    request : Request
        ``columns["item"]`` names the task field with the id; ``options["questions"]`` names the questions of a JSON-MIN
        file whose answers are words.

    Returns
    -------
    Reading
        Its tally counts an answer, a skipped or empty annotation, a draft and a prediction of a model as a row each;
        only answers that are one number or one choice are given out.

    Raises
    ------
    BadInput
        The file is no such export. While reading: a task or annotation that is not what it should be.
    """
    seen = peek(request.path)
    layout = _layout(seen.first) if seen.shape == "list" else None
    if layout is None:
        why = (
            "it is a list of tasks, each with data and annotations; JSON-MIN has annotator, annotation_id and lead_time"
        )
        raise no_label_list(request, "Label Studio", why, _REMEDY)
    tally = Tally()
    source = Source(path=request.path, format="label-studio", tool="Label Studio", layout=layout)
    rows = _of_tasks(request, tally) if layout == "JSON" else _of_flat(request, tally)
    return Reading(kind="labels", source=source, tally=tally, rows=rows)


def _not_so(request: Request, place: str, seen: object, why: str) -> BadInput:
    return BadInput(
        "this is not as Label Studio writes it", path=request.path, field=place, seen=seen, why=why, remedy=_REMEDY
    )


@dataclass(frozen=True, slots=True)
class _Task:
    """One task while its annotations are read."""

    request: Request
    tally: Tally
    place: str
    data: Mapping[str, Any]
    item: str | None


def _of_tasks(request: Request, tally: Tally) -> Iterator[dict[str, Any]]:
    stated = stated_item(request)
    for place, task in records_of(peek(request.path)):
        data = task.get("data")
        answers = next((task[name] for name in _ANSWERS if name in task), None)
        if not isinstance(data, dict) or not isinstance(answers, list):
            raise _not_so(request, place, sorted(task)[:10], "each task has data and a list of annotations")
        item = found_item(data, stated, tally, under="data.")
        here = _Task(request, tally, place, data, item)
        _passed_over(here, task)
        for number, annotation in enumerate(answers):
            yield from _of_annotation(here, annotation, f"{place}.annotations[{number}]")


def _passed_over(here: _Task, task: Mapping[str, Any]) -> None:
    for kind, reason in (("predictions", "a model's prediction, never a person's label"), ("drafts", "a draft")):
        found = task.get(kind)
        for number, _ in enumerate(found if isinstance(found, list) else ()):
            here.tally.rows_in += 1
            here.tally.drop(reason, f"{here.place}.{kind}[{number}]")


def _of_annotation(here: _Task, annotation: object, place: str) -> Iterator[dict[str, Any]]:
    result = annotation.get("result", []) if isinstance(annotation, dict) else None
    if not isinstance(annotation, dict) or not isinstance(result, list):
        raise _not_so(here.request, place, annotation, "an annotation is an object with a list `result`")
    if annotation.get("was_cancelled") or annotation.get("skipped"):
        here.tally.rows_in += 1
        here.tally.drop("skipped by the rater", place)
        return
    if not result:
        here.tally.rows_in += 1
        here.tally.drop("an annotation without an answer", place)
        return
    annotator, also = _rater(annotation.get("completed_by"))
    for number, answer in enumerate(result):
        here.tally.rows_in += 1
        where = f"{place}.result[{number}]"
        if not isinstance(answer, dict):
            raise _not_so(here.request, where, answer, "an answer is an object")
        value = answer.get("value")
        kind, score = _score(value if isinstance(value, dict) else {})
        question = answer.get("from_name")
        if score is None:
            here.tally.drop(kind or f"not a score ({answer.get('type') or 'unknown'})", where, value)
        elif not isinstance(question, str) or not question:
            raise _not_so(here.request, where, question, "an answer names its question in `from_name`")
        elif here.item is None:
            here.tally.drop("the task does not say which text it is about", here.place, sorted(here.data))
        elif annotator is None:
            here.tally.drop("no rater is named", place)
        else:
            yield here.tally.give(
                label_row(
                    item=here.item,
                    dimension=question,
                    annotator=annotator,
                    score=score,
                    place=where,
                    shown=here.data,
                    also=also,
                    at=utc(annotation.get("created_at")),
                    ms=_milliseconds(annotation.get("lead_time")),
                    suggested=_beside_model(annotation, answer),
                    copied=_copied(annotation),
                )
            )


def _rater(by: object) -> tuple[str | None, Sequence[str]]:
    """The rater's number or address, and the other names."""
    if isinstance(by, dict):
        names = [
            str(by[key]) for key in ("id", "email", "username") if isinstance(by.get(key), (int, str)) and by[key] != ""
        ]
        return (names[0], names[1:]) if names else (None, ())
    if isinstance(by, (int, str)) and not isinstance(by, bool) and str(by).strip():
        return str(by), ()
    return None, ()


def _score(value: Mapping[str, Any]) -> tuple[str | None, float | int | str | None]:
    """Why an answer is no single score, or the score."""
    for kind in _KINDS:
        found = value.get(kind)
        if kind == "choices" and isinstance(found, list):
            if len(found) != 1:
                return "several choices for one question" if found else "no choice", None
            found = found[0]
        if isinstance(found, (int, float, str)) and not isinstance(found, bool) and found != "":
            return None, found
    return None, None


def _milliseconds(seconds: object) -> int | None:
    if isinstance(seconds, (int, float)) and not isinstance(seconds, bool) and 0 <= seconds < 1e9:
        return round(seconds * 1000)
    return None


def _beside_model(annotation: Mapping[str, Any], answer: Mapping[str, Any]) -> bool:
    """Whether a model's answer to the question was there first.

    Label Studio keeps the prediction that a rater saw with the annotation, whether it was taken over or not.
    """
    if str(answer.get("origin", "")).startswith("prediction"):
        return True
    prediction = annotation.get("prediction")
    result = prediction.get("result") if isinstance(prediction, dict) else None
    if not isinstance(result, list):
        return bool(annotation.get("parent_prediction"))
    return any(isinstance(r, dict) and r.get("from_name") == answer.get("from_name") for r in result)


def _copied(annotation: Mapping[str, Any]) -> bool:
    """Whether an annotation was made from another one, or came with the tasks that were imported."""
    made = any(annotation.get(name) is not None for name in ("import_id", "parent_annotation"))
    return made or annotation.get("last_action") in ("imported", "propagated_annotation")


def _of_flat(request: Request, tally: Tally) -> Iterator[dict[str, Any]]:
    stated, questions = stated_item(request), set(request.options.get("questions", ()))
    tally.note("JSON-MIN says nothing of skipped texts, drafts and predictions: the export as JSON does")
    for place, record in records_of(peek(request.path)):
        answers = {name: _flat_score(name, value, questions) for name, value in record.items() if name not in _MIN_OWN}
        shown = {name: value for name, value in record.items() if name not in questions and name not in _MIN_OWN}
        # Label Studio writes its own task number over a field `id`.
        item = found_item(record, stated, tally, under="", never=("id",))
        annotator = record.get("annotator")
        for question, (why, score) in answers.items():
            if why is None and score is None:
                continue
            tally.rows_in += 1
            where = f"{place}.{question}"
            if score is None:
                tally.drop(why or "no score", where, record[question])
            elif item is None:
                tally.drop("the task does not say which text it is about", place, sorted(record))
            elif not isinstance(annotator, (int, str)) or annotator == "":
                tally.drop("no rater is named", place)
            else:
                yield tally.give(
                    label_row(
                        item=item,
                        dimension=question,
                        annotator=str(annotator),
                        score=score,
                        place=where,
                        shown=shown,
                        at=utc(record.get("created_at")),
                        ms=_milliseconds(record.get("lead_time")),
                        unsaid=True,
                    )
                )


def _flat_score(name: str, value: object, questions: set[str]) -> tuple[str | None, float | int | str | None]:
    """An answer of a flat row; nothing and no reason for what is the task's own data."""
    if isinstance(value, list) and value and isinstance(value[0], dict) and set(value[0]) & set(_KINDS):
        return _score(value[0]) if len(value) == 1 else ("several answers to one question", None)
    if isinstance(value, dict) and set(value) & set(_KINDS):
        return _score(value)
    if name in questions and isinstance(value, (str, int, float)) and value != "":
        return None, value
    return None, None
