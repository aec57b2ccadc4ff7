"""Samples of lm-evaluation-harness: the ``samples_TASK_TIME.jsonl`` that ``--log_samples`` writes, of tasks that generate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from judgekit.errors import BadInput
from judgekit.foreign.conversation import asked, messages_in
from judgekit.foreign.fields import FieldPlan, Ids, Survey, plan_fields
from judgekit.foreign.imported import Reading, Request, Source, Tally, no_rows
from judgekit.foreign.peek import Peek, peek
from judgekit.foreign.records_in import records_of

__all__ = ["read", "recognise"]

_KEYS = frozenset({"doc_id", "doc", "arguments", "resps"})
_NOTHING = "no_answer"


def recognise(seen: Peek) -> bool:
    """Whether a file holds samples of lm-evaluation-harness."""
    return seen.shape in {"jsonl", "object", "list"} and set(seen.first) >= _KEYS


class _Answer(NamedTuple):
    """One generated text (None: nothing came) with its number among the answers to its document."""

    number: int
    text: str | None
    context: str | None


class _Sample(NamedTuple):
    """One document under one filter."""

    doc_id: str
    filter: str
    answers: Sequence[_Answer]
    fields: Mapping[str, Any]
    scores: Mapping[str, Any]


def _requests(arguments: Any) -> list[tuple[Any, Any]]:
    """Prompt and settings of every request: an object by name, or (until version 0.4.2) a list of lists."""
    if isinstance(arguments, dict):
        entries = [e for e in arguments.values() if isinstance(e, dict)]
        return [(e.get("arg_0"), e.get("arg_1")) for e in entries]
    if isinstance(arguments, list):
        return [(e[0], e[1] if len(e) > 1 else None) for e in arguments if isinstance(e, list) and e]
    return []


def _context(prompt: Any) -> str | None:
    if not isinstance(prompt, str):
        return None
    messages = messages_in(prompt)
    return prompt if messages is None else asked(messages)


def _sample(record: Mapping[str, Any], path: str, place: str) -> _Sample:
    requests, resps = _requests(record.get("arguments")), record.get("resps")
    if not set(record) >= _KEYS or not requests or not isinstance(resps, list):
        raise BadInput(
            "this is not as lm-evaluation-harness writes it",
            path=path,
            field=place,
            seen=sorted(record)[:12],
            why=f"each line has {', '.join(sorted(_KEYS))}",
            remedy="name a file samples_*.jsonl that --log_samples wrote",
        )
    if not any(isinstance(settings, dict) for _, settings in requests):
        raise BadInput(
            "the task generates no text",
            path=path,
            field=place,
            why="its requests rank given answers by their probability, and there is no reply to judge",
            remedy="import the samples of a task with output_type: generate_until",
        )
    if len(resps) != len(requests):
        raise BadInput(
            "requests and answers do not belong together",
            path=path,
            field=place,
            seen=f"{len(requests)} requests, {len(resps)} answers",
            why="each request in `arguments` has its entry in `resps`",
            remedy="check what changed the file since --log_samples wrote it",
        )
    answers: list[_Answer] = []
    for (prompt, _), texts in zip(requests, resps, strict=True):
        for text in texts if isinstance(texts, list) else [texts]:
            # For a blocked or failed request the harness writes an empty text: nothing tells it from an empty answer.
            answers.append(
                _Answer(len(answers) + 1, text if isinstance(text, str) and text else None, _context(prompt))
            )
    doc = record.get("doc")
    fields = {f"doc.{k}": v for k, v in doc.items()} if isinstance(doc, dict) else {"doc": doc}
    if "target" in record:
        fields["target"] = record["target"]
    metrics = record.get("metrics")
    names = [m for m in metrics if isinstance(m, str)] if isinstance(metrics, list) else []
    scores = {f"lm_eval_{name}": record.get(name) for name in names}
    return _Sample(str(record.get("doc_id")), str(record.get("filter") or "none"), answers, fields, scores)


def read(request: Request) -> Reading:
    """Read generated texts as replies.

    Parameters
    ----------
    request : Request

    Returns
    -------
    Reading
        One row for each answer to each document, as the model gave it: before any filter. ``context`` is the prompt as it
        was sent, fields of the document fill the columns they are named for, ``lm_eval_NAME`` are the harness's metrics
        for the document under its first filter.

    Raises
    ------
    BadInput
        No samples, samples of a task that generates nothing, or damaged.
    """
    seen, tally, survey = peek(request.path), Tally(), Survey("doc")
    filters: dict[str, int] = {}
    scores: dict[str, None] = {}
    empty = 0
    for place, record in records_of(seen):
        sample = _sample(record, request.path, place)
        filters.setdefault(sample.filter, len(filters))
        if filters[sample.filter]:
            continue
        scores |= dict.fromkeys(sample.scores)
        for answer in sample.answers:
            survey.add(answer.text, answer.context, sample.fields)
            empty += answer.text is None
    if not survey.rows:
        raise no_rows(request, tally)
    plan = plan_fields(survey, request, tally, own=("context", "replicate"))
    tally.map("id", "doc_id", "the number of the document, and of the answer to it")
    tally.map("text", plan.text_field or "resps", "what the model generated, before any filter")
    tally.map("context", "arguments.gen_args_0.arg_0", "the prompt as it was sent")
    tally.map("template_id", "arguments.gen_args_0.arg_0", "the prompt without what says who the person is")
    tally.map("replicate", "resps", "which answer to the document it is")
    for column in scores:
        tally.map_score(column, column.removeprefix("lm_eval_"))
    if len(filters) > 1:
        tally.note(
            f"the file has the filters {', '.join(filters)}: replies stand before any filter, scores are those of {next(iter(filters))}"
        )
    if empty:
        tally.note(
            f"{empty} texts are empty: the harness writes that for a blocked or failed request, so they count as failed"
        )
    source = Source(path=request.path, format="lm-eval", tool="lm-evaluation-harness", layout="samples")
    return Reading(
        kind="replies",
        source=source,
        tally=tally,
        rows=_rows(seen, request, plan, tally, next(iter(filters)), tuple(scores)),
    )


def _rows(
    seen: Peek, request: Request, plan: FieldPlan, tally: Tally, first: str, scores: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    met, ids = set[str](), Ids(tally)
    for place, record in records_of(seen):
        sample = _sample(record, request.path, place)
        for answer in sample.answers:
            tally.rows_in += 1
            if sample.filter != first:
                tally.drop("the same reply under another filter", place, sample.filter)
                continue
            item = f"doc{sample.doc_id}" + (f"-{answer.number}" if len(sample.answers) > 1 else "")
            if item in met:
                tally.drop("a document that stands twice", place, item)
                continue
            met.add(item)
            text = sample.fields.get(plan.text_field) if plan.text_field else answer.text
            row = plan.row(
                item=plan.item(item, sample.fields, ids),
                text=text if isinstance(text, str) else "",
                context=answer.context,
                fields=sample.fields,
            )
            row["replicate"] = row.get("replicate") if "replicate" in plan.columns else str(answer.number)
            row |= {column: sample.scores.get(column) for column in scores}
            failed = None if isinstance(text, str) else _NOTHING
            row |= {"error": failed, "error_detail": None}
            if failed:
                tally.fail(failed, place, "no text", group=row["group"])
            yield tally.give(row)
