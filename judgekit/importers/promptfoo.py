"""Results of promptfoo: the JSON or JSON lines that ``promptfoo eval --output`` writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from judgekit.errors import BadInput
from judgekit.files.text_in import open_text
from judgekit.foreign.conversation import asked, messages_in
from judgekit.foreign.fields import FieldPlan, Ids, Survey, plan_fields
from judgekit.foreign.imported import Reading, Request, Source, Tally, choose_models, no_rows
from judgekit.foreign.json_stream import JsonReader
from judgekit.foreign.peek import Peek, peek

__all__ = ["read", "recognise"]

_ROW = frozenset(
    {
        *("prompt", "promptId", "promptIdx", "testIdx", "provider", "response", "vars", "testCase"),
        *("error", "failureReason", "score", "success", "namedScores", "gradingResult"),
    }
)
_FAILED = 2  # promptfoo's failureReason: 0 none, 1 an assertion, 2 an error
_CRASHED, _NOTHING = "crashed", "no_answer"
_LABEL = 40

_Record = dict[str, Any]


def recognise(seen: Peek) -> bool:
    """Whether a file is promptfoo's."""
    if _is_lines(seen):
        return True
    # Inspect's logs have results, stats and version too.
    return (
        seen.shape == "object"
        and not seen.has("eval")
        and (seen.has("results.results") or seen.has("results", "version", "stats"))
    )


def _is_lines(seen: Peek) -> bool:
    """Whether a file has one result on each line; a single one looks like a document."""
    row = seen.first
    return (
        seen.shape in {"jsonl", "object"}
        and {"vars", "provider"} <= set(row)
        and ("promptIdx" in row or "gradingResult" in row)
    )


@dataclass(slots=True)
class _Head:
    """What stands around the rows."""

    version: str | None = None
    layout: int | None = None
    prompts: list[Any] = field(default_factory=list)


def _records(path: str, head: _Head) -> Iterator[tuple[str, _Record]]:
    """All results with their place; ``head`` is filled on the way."""
    if _is_lines(peek(path)):
        yield from _lines(path)
        return
    with open_text(path) as handle:
        reader = JsonReader(handle, path)
        met = False
        for key in reader.members():
            if key == "results" and reader.peek() == "[":
                met = True
                yield from _list(reader, "results")
            elif key == "results" and reader.peek() == "{":
                for inner in reader.members():
                    if inner == "results" and reader.peek() == "[":
                        met = True
                        yield from _list(reader, "results.results")
                    else:
                        _around(reader, inner, head)
            elif key == "metadata" and reader.peek() == "{":
                said = reader.value().get("promptfooVersion")
                head.version = said if isinstance(said, str) else None
            else:
                _around(reader, key, head)
        reader.end()
    if not met:
        raise BadInput(
            "this is no results file of promptfoo",
            path=path,
            why="it has no list results.results",
            remedy="write one with promptfoo eval --output results.json",
        )


def _around(reader: JsonReader, key: str, head: _Head) -> None:
    if key == "version":
        said = reader.value()
        head.layout = said if isinstance(said, int) else None
    elif key == "prompts" and reader.peek() == "[":
        head.prompts = [reader.chosen({"raw", "label", "id", "provider"}) for _ in reader.items()]
    else:
        reader.skip()


def _list(reader: JsonReader, name: str) -> Iterator[tuple[str, _Record]]:
    for number in reader.items():
        place = reader.place = f"{name}[{number}]"
        yield place, reader.chosen(_ROW)
    reader.place = ""


def _lines(path: str) -> Iterator[tuple[str, _Record]]:
    with open_text(path) as handle:
        reader = JsonReader(handle, path)
        number = 0
        while reader.peek():
            number += 1
            place = reader.place = f"line {number}"
            yield place, reader.chosen(_ROW)


@dataclass(frozen=True, slots=True)
class _Result:
    """One result, as far as judgekit needs it. ``failed`` is the kind of failure, None for a reply."""

    place: str
    model: str
    output: Any
    context: str | None
    frame: str
    fields: Mapping[str, Any]
    scores: Mapping[str, Any]
    failed: str | None
    said: str
    cached: bool
    key: tuple[Any, Any]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _result(place: str, record: _Record, frames: _Frames) -> _Result:
    response, case = _mapping(record.get("response")), _mapping(record.get("testCase"))
    output = response.get("output")
    error = response.get("error") or (record.get("error") if record.get("failureReason") == _FAILED else None)
    failed = None
    if response.get("error") or output is None:
        failed = _CRASHED if error or record.get("error") else _NOTHING
    fields = {f"vars.{k}": v for k, v in _mapping(record.get("vars") or case.get("vars")).items()}
    # The result's own metadata mix those of the test with what the provider and promptfoo say of a call.
    fields |= {f"metadata.{k}": v for k, v in _mapping(case.get("metadata")).items()}
    if isinstance(output, dict):
        fields |= {f"output.{k}": v for k, v in output.items() if isinstance(v, str)}
    prompt = _mapping(record.get("prompt"))
    raw = prompt.get("raw") if isinstance(prompt.get("raw"), str) else None
    messages = messages_in(raw) if raw else None
    return _Result(
        place=place,
        model=_model(record.get("provider")),
        output=output,
        context=raw if messages is None else asked(messages),
        frame=frames.of(record),
        fields=fields,
        scores=_scores(record),
        failed=failed,
        said=str(error or record.get("error") or "").partition("\n")[0],
        cached=response.get("cached") is True,
        key=(record.get("testIdx"), record.get("promptIdx")),
    )


def _model(provider: Any) -> str:
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    return str(provider) if provider else "unknown"


def _scores(record: _Record) -> dict[str, Any]:
    """Promptfoo's own grades, each under a name that says whose it is."""
    found: dict[str, Any] = {"promptfoo_pass": record.get("success"), "promptfoo_score": record.get("score")}
    for name, value in _mapping(record.get("namedScores")).items():
        found[f"promptfoo_score_{name}"] = value
    graded = _mapping(record.get("gradingResult")).get("componentResults")
    for part in graded if isinstance(graded, list) else []:
        if _mapping(_mapping(part).get("assertion")).get("type") == "human":
            found["promptfoo_human_pass"] = _mapping(part).get("pass")
    return found


class _Frames:
    """Which prompt template a result was made with: a short label that is the same for every provider."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, record: _Record) -> str:
        prompt = _mapping(record.get("prompt"))
        label = prompt.get("label") if isinstance(prompt.get("label"), str) else ""
        key = str(record.get("promptId") or label)
        if key not in self._known:
            short = str(label).partition(": ")[0]
            good = 0 < len(short) <= _LABEL and short.isprintable() and "{{" not in short
            number = len(self._known) + 1
            self._known[key] = short if good and short not in self._known.values() else f"prompt-{number}"
        return self._known[key]


def read(request: Request) -> Reading:
    """Read promptfoo results as replies.

    Parameters
    ----------
    request : Request
        ``models`` are providers, by their label or else their id.

    Returns
    -------
    Reading
        One row for each test, prompt, provider and repeat. ``text`` is ``response.output``, ``context`` the prompt as it
        was sent, ``model`` the provider; variables and test metadata fill the columns they are named for, the others are
        carried; ``promptfoo_pass``, ``promptfoo_score`` and ``promptfoo_score_NAME`` are promptfoo's grades. Where the
        provider failed, ``text`` is empty and ``error`` says so. A failed assertion is no failure: there is a reply.

    Raises
    ------
    BadInput
        Not promptfoo's results, or damaged.
    UsageProblem
        Several providers and none chosen.
    """
    head, tally = _Head(), Tally()
    chosen, plan, scores = _survey(request, head, tally)
    source = Source(
        path=request.path,
        format="promptfoo",
        tool="promptfoo",
        version=head.version,
        layout=None if head.layout is None else f"results version {head.layout}",
    )
    return Reading(kind="replies", source=source, tally=tally, rows=_rows(request, plan, tally, chosen, scores))


def _survey(request: Request, head: _Head, tally: Tally) -> tuple[frozenset[str], FieldPlan, tuple[str, ...]]:
    """The first pass: who replied, what the fields are, which scores there are."""
    survey, frames, scores, cached = Survey("var"), _Frames(), dict[str, None](), 0
    for place, record in _records(request.path, head):
        result = _result(place, record, frames)
        tally.models[result.model] += 1
        if request.models and result.model not in request.models:
            continue
        text = result.output if isinstance(result.output, str) else None
        survey.add(text, result.context, result.fields, result.frame)
        scores |= dict.fromkeys(result.scores)
        cached += result.cached
    if not tally.models:
        raise no_rows(request, tally)
    chosen = choose_models(tally.models, request, "providers")
    plan = plan_fields(survey, request, tally, own=("context",))
    tally.map("text", plan.text_field or "response.output", "the provider's answer")
    tally.map("context", "prompt.raw", "the prompt as it was sent")
    tally.map("model", "provider", "its label, or else its id")
    if plan.framed and "template_id" in plan.columns:
        tally.note("several prompts: template_id is the field's value and the prompt's label")
    tally.map("template_id", "prompt.raw", "the prompt without what says who the person is")
    tally.map("replicate", "vars", "how often the same prompt was sent to the model, counted")
    for column in scores:
        tally.map_score(column, _score_field(column))
    if cached:
        tally.note(
            f"{cached} replies came from promptfoo's cache: repeats of a prompt are then copies, not new replies"
        )
    return chosen, plan, tuple(scores)


def _score_field(column: str) -> str:
    if column == "promptfoo_human_pass":
        return "gradingResult.componentResults (human)"
    known = {"promptfoo_pass": "success", "promptfoo_score": "score"}
    return known.get(column, f"namedScores.{column.removeprefix('promptfoo_score_')}")


def _rows(
    request: Request, plan: FieldPlan, tally: Tally, chosen: frozenset[str], scores: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    frames, ids, number = _Frames(), Ids(tally), 0
    for place, record in _records(request.path, _Head()):
        number += 1
        tally.rows_in += 1
        result = _result(place, record, frames)
        if result.model not in chosen:
            tally.drop("another provider", place, result.model)
            continue
        text = result.fields.get(plan.text_field) if plan.text_field else result.output
        if isinstance(text, (int, float)):
            text = str(text)
        row = plan.row(
            item=plan.item(_item(result.key, number), result.fields, ids),
            text=text if isinstance(text, str) and result.failed is None else "",
            context=result.context,
            fields=result.fields,
            model=result.model,
            frame=result.frame,
        )
        if result.failed is None and not isinstance(text, str):
            tally.drop("the output is no text", place, f"{type(text).__name__}", group=row["group"])
            continue
        row |= {column: result.scores.get(column) for column in scores}
        row |= {"error": result.failed, "error_detail": result.said[:200] if result.failed else None}
        if result.failed is not None:
            tally.fail(result.failed, place, result.said, group=row["group"])
        yield tally.give(row)


def _item(key: tuple[Any, Any], number: int) -> str:
    """An id that is the same at every import of a file."""
    test, prompt = key
    known = isinstance(test, int) and isinstance(prompt, int)
    return f"test{test + 1}-prompt{prompt + 1}" if known else f"result{number}"
