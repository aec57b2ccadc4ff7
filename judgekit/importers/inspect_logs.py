"""Logs of Inspect (UK AI Security Institute): ``.eval`` files and JSON logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from judgekit.errors import BadInput
from judgekit.files.text_in import open_text
from judgekit.foreign.conversation import asked, content_text
from judgekit.foreign.fields import FieldPlan, Ids, Survey, plan_fields
from judgekit.foreign.imported import Reading, Request, Source, Tally, choose_models, no_rows
from judgekit.foreign.json_stream import JsonReader
from judgekit.foreign.peek import Peek, peek
from judgekit.foreign.zip_members import ZipMembers

__all__ = ["read", "recognise"]

_SAMPLE = frozenset({"id", "epoch", "input", "messages", "target", "output", "scores", "metadata", "error", "limit"})
_HEADER = frozenset({"version", "status", "eval"})
_UNNAMED = frozenset({None, "", "none/none"})
_ENDED = frozenset({"stop", None})
_APART = "attachment://"
_START = "_journal/start.json"

_Record = dict[str, Any]


def recognise(seen: Peek) -> bool:
    """Whether a file is a log of Inspect."""
    if seen.shape == "zip":
        return "header.json" in seen.names or _START in seen.names
    return seen.shape == "object" and seen.has("eval") and (seen.has("eval.task") or seen.has("eval.model"))


@dataclass(slots=True)
class _Head:
    """What stands before the samples."""

    layout: int | None = None
    status: str | None = None
    task: str | None = None
    model: str | None = None
    version: str | None = None
    arguments: dict[str, Any] = field(default_factory=dict)

    def take(self, header: Mapping[str, Any]) -> None:
        """Read a header, or the start of a log that was cut off."""
        about = _mapping(header.get("eval"))
        layout, version = header.get("version"), _mapping(about.get("packages")).get("inspect_ai")
        self.layout = layout if isinstance(layout, int) else self.layout
        self.status = _text(header.get("status")) or self.status
        self.task, self.model = _text(about.get("task")) or self.task, _text(about.get("model")) or self.model
        self.version = _text(version) or self.version
        self.arguments |= {f"task_args.{k}": v for k, v in _mapping(about.get("task_args")).items() if _is_plain(v)}


def _is_plain(value: Any) -> bool:
    return isinstance(value, (str, int, float))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _records(path: str, head: _Head) -> Iterator[tuple[str, _Record]]:
    """All samples with their place; ``head`` is filled on the way."""
    yield from _archive(path, head) if peek(path).shape == "zip" else _document(path, head)


def _archive(path: str, head: _Head) -> Iterator[tuple[str, _Record]]:
    with ZipMembers(path) as archive:
        names = archive.names
        header = next((name for name in ("header.json", _START) if name in names), None)
        if header is None:
            raise _no_log(path, "the zip has no header.json")
        head.take(_member(archive, header, _HEADER))
        for name in names:
            if name.startswith("samples/") and name.endswith(".json"):
                yield name, _member(archive, name, _SAMPLE)


def _member(archive: ZipMembers, name: str, wanted: frozenset[str]) -> _Record:
    with archive.text(name) as handle:
        reader = JsonReader(handle, archive.path)
        reader.place = name
        record = reader.chosen(wanted)
        reader.end()
    return record


def _document(path: str, head: _Head) -> Iterator[tuple[str, _Record]]:
    met = False
    with open_text(path) as handle:
        reader = JsonReader(handle, path)
        for key in reader.members():
            if key == "samples" and reader.peek() == "[":
                met = True
                for number in reader.items():
                    place = reader.place = f"samples[{number}]"
                    yield place, reader.chosen(_SAMPLE)
                reader.place = ""
            elif key in _HEADER:
                head.take({key: reader.value()})
            else:
                reader.skip()
        reader.end()
    if not met:
        raise _no_log(path, "it has no list of samples (a log written with --no-log-samples has none)")


def _no_log(path: str, why: str) -> BadInput:
    return BadInput(
        "this is no log of Inspect with samples",
        path=path,
        why=why,
        remedy="name a .eval file, or a log that inspect log convert --to json wrote",
    )


@dataclass(frozen=True, slots=True)
class _Sample:
    """One sample and epoch, as far as judgekit needs it. ``failed`` is the kind of failure, None for a reply."""

    item: str
    epoch: str | None
    text: str
    context: str | None
    served: str | None
    fields: Mapping[str, Any]
    scores: Mapping[str, Any]
    failed: str | None
    said: str
    finish: str | None


def _sample(record: _Record, head: _Head) -> _Sample:
    output = _mapping(record.get("output"))
    choices = output.get("choices")
    choice = _mapping(choices[0]) if isinstance(choices, list) and choices else {}
    text = content_text(_mapping(choice.get("message")).get("content")) or _text(output.get("completion")) or ""
    finish = _text(choice.get("stop_reason"))
    failed, said = _failure(record, output, text, finish, answered=bool(choice))
    epoch = record.get("epoch")
    fields = {f"metadata.{k}": v for k, v in _mapping(record.get("metadata")).items()} | head.arguments
    if record.get("target") not in (None, "", []):
        fields["target"] = record["target"]
    return _Sample(
        item=f"{record.get('id')}-epoch{epoch}" if epoch is not None else str(record.get("id")),
        epoch=None if epoch is None else str(epoch),
        text="" if failed else text,
        context=_context(record, text),
        served=_text(output.get("model")),
        fields=fields,
        scores={f"inspect_score_{k}": _mapping(v).get("value") for k, v in _mapping(record.get("scores")).items()},
        failed=failed,
        said=said,
        finish=finish,
    )


def _failure(
    record: _Record, output: Mapping[str, Any], text: str, finish: str | None, *, answered: bool
) -> tuple[str | None, str]:
    """The kind of failure and what the log says of it; a sample that broke off has no reply, whatever came before."""
    if record.get("error") is not None:
        error = record["error"]
        said = str(_mapping(error).get("message") or error)
        return "crashed", said.partition("\n")[0]
    if text.strip():
        return None, ""
    if finish == "content_filter" or output.get("error"):
        return "content_filter", str(output.get("error") or finish)
    if record.get("limit") is not None:
        limit = _mapping(record["limit"])
        return "truncated", f"{limit.get('type')} {limit.get('limit')}"
    return (None, "") if answered else ("no_answer", "the model was not asked, or gave nothing back")


def _context(record: _Record, text: str) -> str | None:
    """What the reply answers: the exchange before it, or the sample's input where that was not kept."""
    messages = record.get("messages")
    if isinstance(messages, list) and messages:
        last = _mapping(messages[-1])
        if last.get("role") == "assistant" and content_text(last.get("content")) == text:
            return asked(messages[:-1])
    given = record.get("input")
    if isinstance(given, list):
        return asked(given)
    return given if isinstance(given, str) and given else None


def read(request: Request) -> Reading:
    """Read a log of Inspect as replies.

    Parameters
    ----------
    request : Request
        A log is of one model; ``models`` matters only where the log itself names none and its samples differ.

    Returns
    -------
    Reading
        One row for each sample and epoch. ``text`` is the model's output, ``context`` what it answers, ``replicate`` the
        epoch; metadata and arguments of the task fill the columns they are named for, the others are carried; ``inspect_score_SCORER`` are
        Inspect's grades. A sample that failed has an empty ``text``, and ``error`` says so.

    Raises
    ------
    BadInput
        No log, damaged, or without samples.
    """
    head, tally, survey = _Head(), Tally(), Survey("metadata")
    scores: dict[str, None] = {}
    served: Counter[str | None] = Counter()
    for _, record in _records(request.path, head):
        sample = _sample(record, head)
        served[sample.served] += 1
        scores |= dict.fromkeys(sample.scores)
        model = head.model if head.model not in _UNNAMED else sample.served
        if not request.models or model in request.models:
            survey.add(sample.text, sample.context, sample.fields)
    if not served:
        raise no_rows(request, tally)
    for name, n in served.items():
        tally.models[(head.model if head.model not in _UNNAMED else name) or "unknown"] += n
    chosen = choose_models(tally.models, request)
    plan = plan_fields(survey, request, tally, own=("context", "replicate"))
    _say(plan, tally, head, tuple(scores))
    source = Source(
        path=request.path,
        format="inspect",
        tool="Inspect",
        version=head.version,
        layout=None if head.layout is None else f"log version {head.layout}",
    )
    rows = _rows(request, plan, tally, head, chosen, tuple(scores))
    return Reading(kind="replies", source=source, tally=tally, rows=rows)


def _say(plan: FieldPlan, tally: Tally, head: _Head, scores: tuple[str, ...]) -> None:
    tally.map("text", plan.text_field or "output", "the model's answer")
    tally.map("context", "input, messages", "what the reply answers")
    tally.map("replicate", "epoch", "each epoch asks anew")
    tally.map("model", "eval.model", "the model of the log")
    tally.map("template_id", "input", "the prompt without what says who the person is")
    for column in scores:
        tally.map_score(column, f"scores.{column.removeprefix('inspect_score_')}.value")
    if head.status not in {None, "success"}:
        tally.note(f"the log's status is {head.status}: samples may be missing")
    if head.status is None:
        tally.note("the log was not finished: samples may be missing")


def _rows(
    request: Request, plan: FieldPlan, tally: Tally, head: _Head, chosen: frozenset[str], scores: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    ids = Ids(tally)
    limited = 0
    for place, record in _records(request.path, _Head()):
        tally.rows_in += 1
        sample = _sample(record, head)
        model = (head.model if head.model not in _UNNAMED else sample.served) or "unknown"
        if model not in chosen:
            tally.drop("another model", place, model)
            continue
        text = sample.text
        if plan.text_field and not sample.failed:
            stated = sample.fields.get(plan.text_field)
            text = stated if isinstance(stated, str) else ""
            if text is not stated:
                why = f"{plan.text_field} is no text"
                sample = replace(sample, failed="no_answer", said=why)
        row = plan.row(
            item=plan.item(sample.item, sample.fields, ids),
            text=text,
            context=sample.context,
            fields=sample.fields,
            model=model,
            replicate=sample.epoch,
        )
        if text.startswith(_APART):
            tally.drop("the text is kept apart, as an attachment", place, text[:60], group=row["group"])
            continue
        row |= {column: sample.scores.get(column) for column in scores}
        row |= {"error": sample.failed, "error_detail": sample.said[:200] if sample.failed else None}
        row["finish_reason"] = None if sample.finish in _ENDED else sample.finish
        limited += sample.failed is None and record.get("limit") is not None
        if sample.failed is not None:
            tally.fail(sample.failed, place, sample.said, group=row["group"])
        yield tally.give(row)
    if limited:
        tally.note(f"{limited} samples met a limit of the run: their last words may be no finished answer")
