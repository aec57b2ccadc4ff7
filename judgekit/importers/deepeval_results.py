"""Results of deepeval: the test runs that it writes to DEEPEVAL_RESULTS_FOLDER, or a dump of what ``evaluate`` returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from judgekit.errors import BadInput
from judgekit.files.text_in import open_text
from judgekit.foreign.fields import FieldPlan, Ids, Survey, plan_fields
from judgekit.foreign.imported import Reading, Request, Source, Tally, choose_models, no_rows
from judgekit.foreign.json_stream import JsonReader
from judgekit.foreign.peek import Peek
from judgekit.foreign.turns import is_conversation, take_reply

__all__ = ["read", "recognise"]

_LISTS = ("testCases", "conversationalTestCases", "test_results")
_MODEL_NAMES = ("model", "model_name", "llm")
_NOTHING = "no_answer"
_CARRIED = (
    "expected_output",
    "context",
    "retrieval_context",
    "tags",
    "comments",
    "scenario",
    "expected_outcome",
    "user_description",
)


def recognise(seen: Peek) -> bool:
    """Whether a file is deepeval's."""
    return seen.shape == "object" and (seen.has("testCases") or seen.has("test_results"))


def _get(case: Mapping[str, Any], name: str) -> Any:
    """A field by its name in the classes, or as files write it."""
    first, *rest = name.split("_")
    return case.get("".join([first, *(word.capitalize() for word in rest)]), case.get(name))


@dataclass(slots=True)
class _Head:
    """What stands around the test cases."""

    hyperparameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Case:
    """One test case. ``text`` is None where there was no reply, and ``why`` says so."""

    name: str | None
    text: str | None
    context: str | None
    why: str
    fields: Mapping[str, Any]
    scores: Mapping[str, Any]


def _records(path: str, head: _Head) -> Iterator[tuple[str, dict[str, Any]]]:
    met = False
    with open_text(path) as handle:
        reader = JsonReader(handle, path)
        for key in reader.members():
            if key in _LISTS and reader.peek() == "[":
                met = True
                for number in reader.items():
                    place = reader.place = f"{key}[{number}]"
                    record = reader.value()
                    if not isinstance(record, dict):
                        raise reader.problem("a test case is no JSON object")
                    yield place, record
                reader.place = ""
            elif key == "hyperparameters":
                said = reader.value()
                head.hyperparameters = said if isinstance(said, dict) else {}
            else:
                reader.skip()
        reader.end()
    if not met:
        raise BadInput(
            "this is no results file of deepeval",
            path=path,
            why="it has no list testCases, conversationalTestCases or test_results",
            remedy="set DEEPEVAL_RESULTS_FOLDER before evaluate(), and name a file test_run_*.json of that folder",
        )


def _case(record: Mapping[str, Any]) -> _Case:
    turns = record.get("turns")
    if is_conversation(turns):
        found = take_reply(turns or [])
        text, context, why = found.text, found.context, found.why
    else:
        said, asked = _get(record, "actual_output"), record.get("input")
        text = said if isinstance(said, str) else None
        context = asked if isinstance(asked, str) else None
        why = "" if text is not None else "actual_output is missing"
    metadata = _get(record, "metadata") or _get(record, "additional_metadata")
    fields = {name: value for name in _CARRIED if (value := _get(record, name)) is not None}
    fields |= {f"metadata.{k}": v for k, v in (metadata if isinstance(metadata, dict) else {}).items()}
    name = record.get("name")
    return _Case(name if isinstance(name, str) and name.strip() else None, text, context, why, fields, _scores(record))


def _scores(record: Mapping[str, Any]) -> dict[str, Any]:
    """What deepeval's metrics said, each under a name that says whose it is; None where a metric failed."""
    found: dict[str, Any] = {"deepeval_pass": record.get("success")}
    metrics = _get(record, "metrics_data")
    for metric in metrics if isinstance(metrics, list) else []:
        if isinstance(metric, dict) and isinstance(metric.get("name"), str):
            score = metric.get("score")
            found[f"deepeval_score_{metric['name']}"] = score if isinstance(score, (int, float)) else None
    return found


def read(request: Request) -> Reading:
    """Read the test cases of a run as replies.

    Parameters
    ----------
    request : Request

    Returns
    -------
    Reading
        ``id`` is the test case's name, ``text`` its ``actual_output`` (of a conversation: its last reply), ``context`` its
        ``input`` (or the turns before). Metadata fills the columns it is named for; ``deepeval_score_NAME`` and
        ``deepeval_pass`` are deepeval's. Without an output ``text`` is empty and ``error`` says so.

    Raises
    ------
    BadInput
        Not deepeval's results, or damaged.
    """
    head, tally, survey = _Head(), Tally(), Survey("deepeval")
    scores: dict[str, None] = {}
    n = 0
    for _, record in _records(request.path, head):
        case = _case(record)
        survey.add(case.text, case.context, case.fields)
        scores |= dict.fromkeys(case.scores)
        n += 1
    if not n:
        raise no_rows(request, tally)
    said = next((head.hyperparameters[k] for k in _MODEL_NAMES if head.hyperparameters.get(k)), None)
    model = None if said is None else str(said)
    if model is not None:
        tally.models[model] = n
        tally.map("model", "hyperparameters.model", "the model of the test run")
    choose_models(tally.models, request)
    plan = plan_fields(survey, request, tally, own=("context",))
    tally.map("id", "name", "the name of the test case")
    tally.map("text", plan.text_field or "actual_output", "what the chatbot answered; of a conversation the last reply")
    tally.map("context", "input", "what was said to the chatbot; of a conversation the turns before")
    tally.map("template_id", "input", "the input without what says who the person is")
    tally.map("replicate", "input", "how often the same input was sent, counted")
    for column in scores:
        tally.map_score(column, "success" if column == "deepeval_pass" else f"metricsData ({column[15:]})")
    source = Source(path=request.path, format="deepeval", tool="deepeval", layout="test run")
    return Reading(kind="replies", source=source, tally=tally, rows=_rows(request, plan, tally, model, tuple(scores)))


def _rows(
    request: Request, plan: FieldPlan, tally: Tally, model: str | None, scores: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    ids = Ids(tally)
    for number, (place, record) in enumerate(_records(request.path, _Head()), 1):
        tally.rows_in += 1
        case = _case(record)
        text, why = case.text, case.why
        if plan.text_field:
            other = case.fields.get(plan.text_field)
            text, why = (other, "") if isinstance(other, str) else (None, f"{plan.text_field} is no text")
        row = plan.row(
            item=plan.item(case.name or f"case{number}", case.fields, ids),
            text=text or "",
            context=case.context,
            fields=case.fields,
            model=model,
        )
        row |= {column: case.scores.get(column) for column in scores}
        row |= {"error": None if text is not None else _NOTHING, "error_detail": why or None}
        if text is None:
            tally.fail(_NOTHING, place, why, group=row["group"])
        yield tally.give(row)
