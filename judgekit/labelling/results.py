"""What is told after the last item, and every decision as a row for export."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from judgekit.files.labels import SampleFile, final_labels
from judgekit.labelling.opening import criteria_asked
from judgekit.labelling.words import duration, words_for
from judgekit.printable import printable
from judgekit.records import Criterion, LabelEvent, LabelKey, Rubric, Undefined

if TYPE_CHECKING:
    from judgekit.agreement.kappa import KappaResult

__all__ = ["COLUMNS", "agreement_lines", "closing_lines", "decision_rows", "is_finished", "self_lines", "time_line"]

COLUMNS = (
    "item", "annotator", "dimension", "score", "skipped", "flag", "note", "ms", "pause_ms", "shown_at", "position",
    "seen_to_end", "shown_first", "task_id", "repeat_of", "text_hash", "rubric_hash", "sample_hash", "version", "seq",
)  # fmt: skip
"""Columns of an export, in order. ``score`` is empty for a skip, ``skipped`` then has its reason."""


def decision_rows(events: Sequence[LabelEvent], keys: Mapping[str, LabelKey]) -> Iterator[dict[str, Any]]:
    """One row per decision that stands, in the order decided.

    Parameters
    ----------
    events : sequence of LabelEvent
        One annotator's file.
    keys : mapping of str to LabelKey
        The sample's key: task ids become items. Without it (empty) ``item`` is None.

    Yields
    ------
    dict
        With `COLUMNS` as keys. ``score`` keeps its type, None for a skip; times are milliseconds; ``flag`` and ``note``
        are what stands on the item at the end.
    """
    flags: dict[str, bool] = {}
    notes: dict[str, str] = {}
    for event in events:
        if event.event == "flag":
            flags[event.task_id] = bool(event.value)
        elif event.event == "note":
            notes[event.task_id] = str(event.value or "")
    for event in sorted(final_labels(events, keys or None, include_repeats=True), key=lambda event: event.seq):
        key = keys.get(event.task_id)
        scored = event.event == "score"
        yield {
            "item": key.item if key is not None else None,
            "annotator": event.annotator,
            "dimension": event.dimension,
            "score": event.value if scored else None,
            "skipped": None if scored else event.value,
            "flag": flags.get(event.task_id, False),
            "note": notes.get(event.task_id, ""),
            "ms": event.ms,
            "pause_ms": event.detail.get("pause_ms"),
            "shown_at": event.shown_at,
            "position": event.detail.get("position"),
            "seen_to_end": event.detail.get("seen_to_end"),
            "shown_first": event.shown_first,
            "task_id": event.task_id,
            "repeat_of": event.detail.get("repeat_of"),
            "text_hash": event.text_hash,
            "rubric_hash": event.rubric_hash,
            "sample_hash": event.detail.get("sample"),
            "version": event.detail.get("version"),
            "seq": event.seq,
        }


def is_finished(events: Sequence[LabelEvent], sample: SampleFile, rubrics: Sequence[Rubric], annotator: str) -> bool:
    """Whether an annotator has decided every criterion of every task assigned to them."""
    criteria = len(criteria_asked(sample, rubrics))
    tasks = sample.tasks if sample.assigned is None else sample.assigned.get(annotator, ())
    return len(final_labels(events)) >= len(tasks) * criteria


def _number(value: float | Undefined) -> str:
    return "-" if isinstance(value, Undefined) else f"{value:.2f}"


def _kappa(criterion: Criterion, a: Sequence[Any], b: Sequence[Any]) -> KappaResult:
    # Loaded after the last item only: the arrays behind it would slow every start of the app.
    from judgekit.agreement.kappa import cohen_kappa

    return cohen_kappa(a, b, criterion.levels, "quadratic" if criterion.kind == "ordinal" else "none")


def _scores(events: Sequence[LabelEvent], dimension: str) -> dict[str, Any]:
    return {
        event.task_id: event.value if event.event == "score" else None
        for event in final_labels(events)
        if event.dimension == dimension
    }


def self_lines(events: Sequence[LabelEvent], sample: SampleFile, rubrics: Sequence[Rubric], lang: str) -> list[str]:
    """How far an annotator agrees with themselves on the hidden repeats, one line per dimension.

    Parameters
    ----------
    events : sequence of LabelEvent
        Their file.
    sample : SampleFile
        Says which tasks repeat which.
    rubrics : sequence of Rubric
        Declare the levels.
    lang : str
        The rater's language.

    Returns
    -------
    list of str
    """
    words = words_for(lang)
    lines = []
    for _, criterion in criteria_asked(sample, rubrics):
        scores = _scores(events, criterion.dimension)
        pairs = [(scores.get(task.repeat_of), scores.get(task.task_id)) for task in sample.tasks if task.repeat_of]
        both = [(a, b) for a, b in pairs if a is not None and b is not None]
        if not both:
            lines.append(words["self_none"].format(dimension=printable(criterion.dimension)))
            continue
        result = _kappa(criterion, [a for a, _ in both], [b for _, b in both])
        same = sum(a == b for a, b in both)
        lines.append(
            words["self_line"].format(
                dimension=printable(criterion.dimension), same=same, n=len(both), kappa=_number(result.kappa)
            )
        )
    return lines


def time_line(events: Sequence[LabelEvent], lang: str) -> str | None:
    """Median working time per item and the sum of pauses; None when nothing was timed."""
    per_item: dict[str, int] = {}
    paused = 0
    for event in final_labels(events):
        if event.ms is not None:
            per_item[event.task_id] = per_item.get(event.task_id, 0) + event.ms
        paused += int(event.detail.get("pause_ms") or 0)
    if not per_item:
        return None
    return words_for(lang)["time_line"].format(
        median=duration(statistics.median(per_item.values()) / 1000), pauses=duration(paused / 1000)
    )


def agreement_lines(
    by_annotator: Mapping[str, Sequence[LabelEvent]], sample: SampleFile, rubrics: Sequence[Rubric], lang: str
) -> list[str]:
    """Kappa of each pair of annotators on the texts both scored, first showings only, one line per pair and dimension.

    Parameters
    ----------
    by_annotator : mapping of str to sequence of LabelEvent
        Everybody's file.
    sample : SampleFile
        Says which tasks are repeats.
    rubrics : sequence of Rubric
        Declare the levels.
    lang : str
        The rater's language.

    Returns
    -------
    list of str
    """
    words = words_for(lang)
    firsts = [task.task_id for task in sample.tasks if task.repeat_of is None]
    names = sorted(by_annotator)
    lines = []
    for _, criterion in criteria_asked(sample, rubrics):
        scores = {name: _scores(by_annotator[name], criterion.dimension) for name in names}
        for place, a in enumerate(names):
            for b in names[place + 1 :]:
                result = _kappa(criterion, [scores[a].get(t) for t in firsts], [scores[b].get(t) for t in firsts])
                interval = (
                    "-"
                    if isinstance(result.interval, Undefined)
                    else f"{result.interval.low:.2f}, {result.interval.high:.2f}"
                )
                lines.append(
                    words["others_line"].format(
                        dimension=printable(criterion.dimension),
                        a=printable(a),
                        b=printable(b),
                        kappa=_number(result.kappa),
                        interval=interval,
                        n=result.n,
                    )
                )
    return lines


def closing_lines(
    annotator: str,
    by_annotator: Mapping[str, Sequence[LabelEvent]],
    sample: SampleFile,
    rubrics: Sequence[Rubric],
    *,
    lang: str,
    reveal: bool = False,
) -> list[str]:
    """Everything that is told after an annotator's last item.

    Parameters
    ----------
    annotator : str
        Who has finished.
    by_annotator : mapping of str to sequence of LabelEvent
        The files that could be read; an annotator without one has not begun.
    sample : SampleFile
        Roster and assignments.
    rubrics : sequence of Rubric
        Declare the levels.
    lang : str
        The rater's language.
    reveal : bool
        Show agreement with the others before all have finished.

    Returns
    -------
    list of str
        Agreement with the others only when every annotator of the roster has finished, or with ``reveal``.
    """
    words = words_for(lang)
    own = by_annotator.get(annotator, ())
    lines = ["", words["self_title"], *self_lines(own, sample, rubrics, lang)]
    timed = time_line(own, lang)
    lines += ["", timed] if timed else []
    if len(sample.annotators) < 2:
        return lines
    all_done = all(is_finished(by_annotator.get(name, ()), sample, rubrics, name) for name in sample.annotators)
    if not all_done and not reveal:
        return [*lines, "", words["others_wait"]]
    return [*lines, "", words["others_title"], *agreement_lines(by_annotator, sample, rubrics, lang)]
