"""Disagreements between raters, decided by a third look: raters appear as A and B, their own records stay untouched."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judgekit.files.labels import SampleFile, final_labels
from judgekit.labelling.opening import criteria_asked
from judgekit.labelling.steps import Step
from judgekit.records import Criterion, LabelEvent, LabelTask, Rubric

__all__ = ["Dispute", "adjudicated_labels", "dispute_steps", "find_disputes"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Dispute:
    """A text on which raters differ by the set distance or more.

    ``scores`` are (rater, score) in random order: the order of the letters A, B ... on the screen.
    """

    task: LabelTask
    criterion: Criterion
    rubric_hash: str
    scores: tuple[tuple[str, int | str], ...]
    distance: int


def _place(*parts: object) -> str:
    return hashlib.sha256("\x1f".join(str(part) for part in parts).encode("utf-8", "surrogatepass")).hexdigest()


def _standing(events: Sequence[LabelEvent]) -> dict[tuple[str, str], int | str]:
    return {
        (event.task_id, event.dimension): event.value
        for event in final_labels(events)
        if event.event == "score" and event.value is not None
    }


def distance_of(criterion: Criterion, scores: Sequence[int | str]) -> int:
    """How far apart scores are: steps on the scale for ordinal criteria, 0 or 1 for nominal ones.

    Parameters
    ----------
    criterion : Criterion
        Declares the levels.
    scores : sequence of level
        Two or more.

    Returns
    -------
    int
    """
    places = [criterion.levels.index(score) for score in scores]
    if criterion.kind == "nominal":
        return int(len(set(places)) > 1)
    return max(places) - min(places)


def find_disputes(
    by_annotator: Mapping[str, Sequence[LabelEvent]],
    sample: SampleFile,
    rubrics: Sequence[Rubric],
    *,
    distance: int = 2,
    seed: int = 0,
) -> list[Dispute]:
    """Texts on which people differ, in a random order.

    Parameters
    ----------
    by_annotator : mapping of str to sequence of LabelEvent
        Every rater's file.
    sample : SampleFile
        The texts. Hidden repeats are left out: only first labels count.
    rubrics : sequence of Rubric
        Declare the levels.
    distance : int
        Steps on the scale from which on ordinal scores are disputed, 1 or more; of nominal ones any difference is.
    seed : int
        Makes the order of the disputes and of the letters reproducible.

    Returns
    -------
    list of Dispute
    """
    standing = {name: _standing(events) for name, events in by_annotator.items()}
    found: list[Dispute] = []
    for task in sample.tasks:
        if task.repeat_of is not None:
            continue
        for rubric_hash, criterion in criteria_asked(sample, rubrics):
            place = (task.task_id, criterion.dimension)
            scores = [(name, labels[place]) for name, labels in standing.items() if place in labels]
            if len(scores) < 2:
                continue
            apart = distance_of(criterion, [score for _, score in scores])
            if apart >= (distance if criterion.kind == "ordinal" else 1):
                letters = {name: _place(seed, "letter", *place, name) for name, _ in scores}
                scores.sort(key=lambda pair: letters[pair[0]])
                found.append(Dispute(task, criterion, rubric_hash, tuple(scores), apart))
    return sorted(found, key=lambda d: _place(seed, "dispute", d.task.task_id, d.criterion.dimension))


def dispute_steps(disputes: Sequence[Dispute], decided: Sequence[LabelEvent] = ()) -> list[Step]:
    """The questions of an adjudication session, with what A, B ... gave and nobody's name.

    Parameters
    ----------
    disputes : sequence of Dispute
        From `find_disputes`.
    decided : sequence of LabelEvent
        The adjudicator's earlier events: what they decided on keeps its place, and disputes that came up since follow.

    Returns
    -------
    list of Step
    """
    places: dict[tuple[str, str], None] = {}
    for event in decided:
        if event.event in {"score", "skip"}:
            places.setdefault((event.task_id, event.dimension))
    known = {(dispute.task.task_id, dispute.criterion.dimension): dispute for dispute in disputes}
    ordered = [known[place] for place in places if place in known]
    ordered += [dispute for place, dispute in known.items() if place not in places]
    return [
        Step(
            dispute.task,
            dispute.criterion,
            dispute.rubric_hash,
            position,
            raters=tuple((LETTERS[n], score) for n, (_, score) in enumerate(dispute.scores)),
        )
        for position, dispute in enumerate(ordered, 1)
    ]


def adjudicated_labels(
    by_annotator: Mapping[str, Sequence[LabelEvent]], decided: Sequence[LabelEvent], sample: SampleFile
) -> dict[tuple[str, str], int | str]:
    """One label for each task and dimension: the adjudicated one, else the one all raters gave.

    Parameters
    ----------
    by_annotator : mapping of str to sequence of LabelEvent
        Every rater's file.
    decided : sequence of LabelEvent
        The adjudicator's file.
    sample : SampleFile
        The texts; repeats are left out.

    Returns
    -------
    dict of (task id, dimension) to level
        Nothing where raters differ and nobody adjudicated: no number is made up by averaging.
    """
    firsts = {task.task_id for task in sample.tasks if task.repeat_of is None}
    given: dict[tuple[str, str], set[int | str]] = {}
    for events in by_annotator.values():
        for place, score in _standing(events).items():
            if place[0] in firsts:
                given.setdefault(place, set()).add(score)
    agreed = {place: next(iter(scores)) for place, scores in given.items() if len(scores) == 1}
    return {**agreed, **{place: score for place, score in _standing(decided).items() if place[0] in firsts}}
