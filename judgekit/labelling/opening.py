"""From a sample file to the steps of one annotator's session, with every hash checked on the way."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from judgekit.errors import BadInput
from judgekit.files.labels import SampleFile
from judgekit.labelling.blindness import excused_tasks
from judgekit.labelling.keymap import MAX_LEVELS
from judgekit.labelling.order import order_for, shown_first
from judgekit.labelling.pairs import pair_criterion, pair_hash
from judgekit.labelling.sampling import Draw
from judgekit.labelling.steps import Step
from judgekit.records import Criterion, LabelEvent, LabelTask, Rubric, text_hash
from judgekit.rubric import rubric_from_mapping

__all__ = [
    "assigned_tasks",
    "check_events",
    "check_levels",
    "check_roster",
    "criteria_asked",
    "is_pairwise",
    "joint_hash",
    "labels_folder",
    "make_sample",
    "plan_steps",
    "practice_tasks",
    "rubric_to_mapping",
    "rubrics_of",
    "sample_hash",
    "tryout_sample",
]


def rubric_to_mapping(rubric: Rubric) -> dict[str, Any]:
    """A rubric as its YAML would hold it, for the sample file.

    Parameters
    ----------
    rubric : Rubric
        Any rubric.

    Returns
    -------
    dict
        JSON-able; `rubrics_of` builds the same rubric with the same hash from it.
    """
    return {
        "id": rubric.id,
        "version": rubric.version,
        "title": dict(rubric.title),
        "criteria": [
            {
                "dimension": criterion.dimension,
                "scale": criterion.kind,
                "levels": list(criterion.levels),
                "question": dict(criterion.question),
                # Lists of pairs: JSON would turn the levels into texts.
                "anchors": {
                    lang: [[level, text] for level, text in a.items()] for lang, a in criterion.anchors.items()
                },
            }
            for criterion in rubric.criteria
        ],
    }


def rubrics_of(sample: SampleFile, path: str | Path) -> tuple[Rubric, ...]:
    """The rubrics that a sample carries.

    Parameters
    ----------
    sample : SampleFile
        As `read_sample` gives it.
    path : str or Path
        Its file, for messages.

    Returns
    -------
    tuple of Rubric
        With the hashes of what is really there.

    Raises
    ------
    BadInput
        The sample carries no rubric, or not the one its header names: it was edited.
    """
    stored = sample.extra.get("rubrics")
    if not isinstance(stored, list) or not stored:
        raise BadInput("the sample carries no rubric", path=path, line=1, field="extra.rubrics", remedy=_DRAW_AGAIN)
    rubrics = tuple(rubric_from_mapping(_with_level_keys(data, path), path) for data in stored)
    check_levels(rubrics, path)
    found = joint_hash(rubrics)
    if found != sample.rubric_hash:
        raise BadInput(
            "the rubric in the sample was changed",
            path=path,
            line=1,
            field="rubric_hash",
            seen=found[:12],
            why=f"the sample was drawn with the rubric of hash {sample.rubric_hash[:12]}; labels of two rubrics do not mix",
            remedy=_DRAW_AGAIN,
        )
    return rubrics


def check_levels(rubrics: Sequence[Rubric], path: str | Path | None = None) -> None:
    """Refuse a scale that has more levels than there are digits.

    Raises
    ------
    BadInput
        Naming the criterion.
    """
    for rubric in rubrics:
        for criterion in rubric.criteria:
            if len(criterion.levels) > MAX_LEVELS:
                raise BadInput(
                    "a scale with too many levels for one key each",
                    path=path,
                    field=criterion.dimension,
                    seen=len(criterion.levels),
                    why=f"people give scores with one digit, so a scale has at most {MAX_LEVELS} levels",
                    remedy="merge levels; people cannot tell that many apart reliably",
                )


_DRAW_AGAIN = "draw a new sample with `judgekit sample`, or restore the file"


def _with_level_keys(data: Any, path: str | Path) -> dict[str, Any]:
    try:
        criteria = [
            {**criterion, "anchors": {lang: dict(pairs) for lang, pairs in criterion["anchors"].items()}}
            for criterion in data["criteria"]
        ]
    except (TypeError, KeyError, ValueError, AttributeError):
        raise BadInput(
            "the rubric in the sample has another form", path=path, line=1, field="extra.rubrics", remedy=_DRAW_AGAIN
        ) from None
    return {**data, "criteria": criteria}


def joint_hash(rubrics: Sequence[Rubric]) -> str:
    """The hash of one rubric is its own; of several, that of their hashes in order."""
    if len(rubrics) == 1:
        return rubrics[0].hash
    return hashlib.sha256(",".join(rubric.hash for rubric in rubrics).encode("ascii")).hexdigest()


def sample_hash(sample: SampleFile) -> str:
    """Hash of everything in a sample that decides what a rater sees and in which order.

    Parameters
    ----------
    sample : SampleFile
        As `read_sample` gives it.

    Returns
    -------
    str
        64 hexadecimal digits. Where labels are stored does not count; a file that only moved keeps its hash.
    """
    packed = {
        "rubric_hash": sample.rubric_hash,
        "seed": sample.seed,
        "annotators": list(sample.annotators),
        "assigned": None if sample.assigned is None else {name: list(ids) for name, ids in sample.assigned.items()},
        "tasks": [[task.task_id, task.text_hash, task.repeat_of] for task in sample.tasks],
        "practice": [task.text_hash for task in practice_tasks(sample)],
        **({"added": sample.extra["added"]} if sample.extra.get("added") else {}),
    }
    return hashlib.sha256(json.dumps(packed, sort_keys=True).encode("ascii")).hexdigest()


def practice_tasks(sample: SampleFile) -> tuple[LabelTask, ...]:
    """Texts to practise on before the first real one."""
    return tuple(LabelTask(**data) for data in sample.extra.get("practice") or ())


def check_roster(sample: SampleFile, annotator: str, path: str | Path) -> None:
    """Refuse a name that is not in the sample's roster.

    Parameters
    ----------
    sample : SampleFile
        As `read_sample` gives it.
    annotator : str
        The name given.
    path : str or Path
        The sample's file, for messages.

    Raises
    ------
    BadInput
        Unknown name: a typing error must not start a second set of labels.
    """
    if annotator not in sample.annotators:
        raise BadInput(
            "no such annotator in this sample",
            path=path,
            field="--as",
            seen=annotator,
            why=f"the roster is {', '.join(sample.annotators)}",
            remedy="use one of these names; nothing was written",
        )


def assigned_tasks(sample: SampleFile, annotator: str) -> tuple[LabelTask, ...]:
    """One annotator's tasks in the file's order."""
    if sample.assigned is None:
        return sample.tasks
    wanted = set(sample.assigned.get(annotator, ()))
    return tuple(task for task in sample.tasks if task.task_id in wanted)


def plan_steps(sample: SampleFile, annotator: str, rubrics: Sequence[Rubric], path: str | Path) -> list[Step]:
    """Every question of one annotator's session: practice first, then their own order, criteria in the rubric's.

    Parameters
    ----------
    sample : SampleFile
        As `read_sample` gives it.
    annotator : str
        In its roster.
    rubrics : sequence of Rubric
        From `rubrics_of`.
    path : str or Path
        The sample's file, for messages.

    Returns
    -------
    list of Step

    Raises
    ------
    BadInput
        A text does not fit its hash: the sample was edited.
    """
    pairs = is_pairwise(sample)
    asked = criteria_asked(sample, rubrics)
    tasks = _in_order(sample, annotator)
    practice = practice_tasks(sample)
    for task in (*practice, *tasks):
        found = _hash_of(task)
        if found != task.text_hash:
            raise BadInput(
                "a text in the sample was changed",
                path=path,
                field=task.task_id,
                seen=task.text_hash[:12],
                why=f"its text now has the hash {found[:12]}",
                remedy=_DRAW_AGAIN,
            )
    steps = [Step(task, criterion, rubric, 0, practice=True) for task in practice for rubric, criterion in asked]
    for position, task in enumerate(tasks, 1):
        side = shown_first(task, seed=sample.seed, annotator=annotator) if pairs else None
        steps += [Step(task, criterion, rubric, position, shown_first=side) for rubric, criterion in asked]
    return steps


def _in_order(sample: SampleFile, annotator: str) -> list[LabelTask]:
    """One annotator's order; texts that were added to the sample come after those it had, in an order of their own."""
    batch = {task: n for n, added in enumerate(sample.extra.get("added") or (), 1) for task in added["tasks"]}
    parts: dict[int, list[LabelTask]] = {}
    for task in assigned_tasks(sample, annotator):
        parts.setdefault(batch.get(task.task_id, 0), []).append(task)
    return [task for n in sorted(parts) for task in order_for(parts[n], seed=sample.seed, annotator=annotator)]


def is_pairwise(sample: SampleFile) -> bool:
    """Whether the sample's items are comparisons of two replies."""
    return bool(sample.extra.get("pairs"))


def criteria_asked(sample: SampleFile, rubrics: Sequence[Rubric]) -> list[tuple[str, Criterion]]:
    """The criteria asked of each item with their rubric's hash.

    Parameters
    ----------
    sample : SampleFile
        Tells whether replies are compared.
    rubrics : sequence of Rubric
        In the order asked.

    Returns
    -------
    list of (str, Criterion)
        Of comparisons only the ordinal criteria, as questions with the answers a, b and tie: classes have no more and
        less.
    """
    criteria = [(rubric.hash, criterion) for rubric in rubrics for criterion in rubric.criteria]
    if is_pairwise(sample):
        return [(rubric, pair_criterion(criterion)) for rubric, criterion in criteria if criterion.kind == "ordinal"]
    return criteria


def _hash_of(task: LabelTask) -> str:
    if task.text_b is None:
        return text_hash(task.text, task.context)
    return pair_hash(text_hash(task.text, task.context), text_hash(task.text_b, task.context))


def check_events(events: Sequence[LabelEvent], sample: SampleFile, rubrics: Sequence[Rubric], path: str | Path) -> None:
    """Refuse labels that were made on another sample or rubric.

    Parameters
    ----------
    events : sequence of LabelEvent
        What the annotator's label file holds.
    sample : SampleFile
        The sample opened.
    rubrics : sequence of Rubric
        Its rubrics.
    path : str or Path
        The label file, for messages.

    Raises
    ------
    BadInput
        Naming both hashes; nothing was changed.
    """
    now = sample_hash(sample)
    known = {now, *(added["sample"] for added in sample.extra.get("added") or ())}
    hashes = {rubric.hash for rubric in rubrics}
    for event in events:
        before = event.detail.get("sample")
        if before not in known:
            raise _other("sample", str(before), now, event, path)
        if event.rubric_hash not in hashes:
            raise _other("rubric", event.rubric_hash, joint_hash(rubrics), event, path)


def _other(what: str, before: str, now: str, event: LabelEvent, path: str | Path) -> BadInput:
    return BadInput(
        f"these labels were made with another {what}",
        path=path,
        line=event.seq,
        field=f"{what} hash",
        seen=before[:12],
        why=f"the {what} opened has the hash {now[:12]}; labels of two {what}s do not mix",
        remedy=f"open the {what} the labels were made with, or let the new sample keep its labels in another folder",
    )


def labels_folder(sample: SampleFile, path: str | Path) -> Path:
    """Where a sample's labels are kept: the folder it names, relative to itself."""
    return Path(path).parent / sample.folder


def tryout_sample(sample: SampleFile, path: str | Path) -> SampleFile:
    """The few texts on which a rubric is tried before the sample is labelled, as a sample of its own.

    Parameters
    ----------
    sample : SampleFile
        As `read_sample` gives it.
    path : str or Path
        Its file, for messages.

    Returns
    -------
    SampleFile
        The same rubric and roster; everybody labels every text, and labels go to ``tryout`` beside the labels.

    Raises
    ------
    BadInput
        The sample has no texts to try: all replies are in the sample itself.
    """
    tasks = tuple(LabelTask(**data) for data in sample.extra.get("tryout") or ())
    if not tasks:
        raise BadInput(
            "this sample has no texts to try a rubric on",
            path=path,
            field="extra.tryout",
            why="they are drawn from the replies that are not in the sample, and none was left",
            remedy="draw a smaller sample, or blind more replies",
        )
    extra = {name: value for name, value in sample.extra.items() if name not in {"practice", "tryout"}}
    return replace(sample, tasks=tasks, assigned=None, folder=f"{sample.folder}/tryout", extra=extra)


def make_sample(
    draw: Draw, rubrics: Sequence[Rubric], *, folder: str = "labels", version: str = "", pairs: bool = False
) -> SampleFile:
    """The file that raters open: texts, rubrics, roster and folder, and nothing that unblinds.

    Parameters
    ----------
    draw : Draw
        What `draw_sample` returned. Its key and shortfalls stay out.
    rubrics : sequence of Rubric
        Asked in this order.
    folder : str
        Where labels go, relative to the sample.
    version : str
        Version of judgekit, for the record.
    pairs : bool
        Whether two replies are compared.

    Returns
    -------
    SampleFile
    """
    return SampleFile(
        rubric=",".join(rubric.id for rubric in rubrics),
        rubric_hash=joint_hash(rubrics),
        annotators=tuple(draw.assignments),
        seed=draw.seed,
        folder=folder,
        tasks=draw.tasks,
        assigned=draw.assignments,
        extra={
            "rubrics": [rubric_to_mapping(rubric) for rubric in rubrics],
            "practice": [asdict(task) for task in draw.practice],
            "tryout": [asdict(task) for task in draw.tryout],
            "version": version,
            "excused": excused_tasks((*draw.tasks, *draw.practice, *draw.tryout)),
            **({"pairs": True} if pairs else {}),
        },
    )
