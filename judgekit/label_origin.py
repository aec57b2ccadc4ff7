"""Whose labels an import has: people's, each once, and neither a judge's nor another tool's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from judgekit import stages
from judgekit.errors import BadInput, RefusedMetric, UsageProblem
from judgekit.label_state import label_files
from judgekit.records import LabelEvent, MetricRow
from judgekit.study import Study
from judgekit.workspace import Workspace

__all__ = ["refuse_copies", "refuse_scores_of_tools", "refuse_the_judges_own"]

_ONE_PERSON = 40  # people who agree on every one of so many texts, over three levels or more, are one person
_MOMENTS = 5  # two people do not answer five texts in the same milliseconds
_TOO_MANY_ALIKE = 20  # on three levels or more no person gives a judge's score so often without an exception


def refuse_scores_of_tools(annotators: Sequence[str]) -> None:
    """Refuse columns in which `judgekit import` carries another tool's scores.

    Parameters
    ----------
    annotators : sequence of str
        Whose rows or columns are asked for.

    Raises
    ------
    UsageProblem

    Examples
    --------
    >>> refuse_scores_of_tools(["ana"])
    >>> refuse_scores_of_tools(["deepeval_score_tone"])
    Traceback (most recent call last):
    judgekit.errors.UsageProblem: --annotators: another tool's score is no person's label (seen: 'deepeval_score_tone'). ...
    """
    from judgekit.foreign.fields import SCORES

    for name in annotators:
        if name.startswith(SCORES) and name != "promptfoo_human_pass":
            raise UsageProblem(
                "another tool's score is no person's label",
                field="--annotators",
                seen=name,
                why="`judgekit import` carries scores of other tools under such names; a judge is held against people",
                remedy="name the people; a person who is called so needs another name in the table",
            )


def refuse_the_judges_own(study: Study, events: Mapping[str, Sequence[LabelEvent]], ratings: Path) -> None:
    """Refuse labels that a judge gave.

    Parameters
    ----------
    study : Study
        Ledgers and runs in its folder and above are looked through.
    events : mapping of str to sequence of LabelEvent
        The new labels by annotator.
    ratings : Path
        Named in the error.

    Raises
    ------
    RefusedMetric
        On a scale of three levels or more all of an annotator's labels, 20 at least, are the judge's scores.
    """
    from judgekit.files.own_scores import find_own_scores

    finer = {c.dimension for r in stages.rubrics_of(study).values() for c in r.criteria if len(c.levels) > 2}
    for name, found in events.items():
        for dimension in sorted({e.dimension for e in found} & finer):
            rows = [
                MetricRow(item=str(e.detail["item"]), unit_id=None, group=None, name=None, value=float(e.value))
                for e in found
                if e.dimension == dimension and isinstance(e.value, int | float)
            ]
            own = find_own_scores(rows, study.base)
            if own is not None and own.same >= _TOO_MANY_ALIKE:
                raise RefusedMetric(
                    f"the labels of {name} are the judge's own scores of {dimension}",
                    path=ratings,
                    field="annotator",
                    seen=name,
                    why=f"all {own.same} are those in {own.path}; a judge agrees with itself, and that calibrates nothing",
                    remedy="import what people said",
                )


def refuse_copies(events: Mapping[str, Sequence[LabelEvent]], space: Workspace, ratings: Path) -> None:
    """Refuse one person's labels under two names: they would pass for people who agree.

    Parameters
    ----------
    events : mapping of str to sequence of LabelEvent
        The new labels by annotator.
    space : Workspace
        Where other people's labels are.
    ratings : Path
        Named in the error.

    Raises
    ------
    BadInput
        All labels that two annotators share are equal, and they are 40 or more over three levels, or of the same moments.
    """
    from judgekit.files.labels import read_events

    there = {path.stem: read_events(path) for path in label_files(space.labels)} if space.labels.is_dir() else {}
    for name, found in events.items():
        for other, theirs in there.items():
            if name != other and (n := _alike_throughout(found, theirs)):
                raise BadInput(
                    f"the labels of {name} are those of {other}",
                    path=ratings,
                    field="annotator",
                    seen=name,
                    why=f"all {n} that both have are the same; agreement among people would be that of one with themself",
                    remedy="import each person once",
                )
        there[name] = list(found)


def _alike_throughout(one: Sequence[LabelEvent], other: Sequence[LabelEvent]) -> int:
    """How many labels two raters share, if all are equal and too many, or given in the very same moments; else 0."""
    theirs: dict[tuple[str, str], list[tuple[object, str]]] = {}  # replies that blind to one text have several labels
    for event in other:
        if event.event == "score":
            theirs.setdefault((event.text_hash, event.dimension), []).append((event.value, event.shown_at))
    both = [(event, theirs[key]) for event in one if (key := (event.text_hash, event.dimension)) in theirs]
    if not all(event.value in [value for value, _ in found] for event, found in both):
        return 0
    moments = {event.shown_at for event, found in both if event.shown_at and (event.value, event.shown_at) in found}
    many = len(both) >= _ONE_PERSON and len({event.value for event, _ in both}) > 2
    return len(both) if many or len(moments) >= _MOMENTS else 0
