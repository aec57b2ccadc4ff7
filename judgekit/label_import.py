"""Scores that people gave elsewhere, brought into a study's label folder; and labels taken out again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from judgekit import stages
from judgekit.errors import AlreadyThere, BadInput, UsageProblem
from judgekit.label_state import imported_key
from judgekit.records import BlindedReply, Criterion, LabelEvent, LabelKey, Rating, Rubric, Withheld
from judgekit.study import Study
from judgekit.workspace import open_workspace

COLUMNS = ("item", "dimension", "annotator", "score", "text_hash", "rubric_hash", "labelled_at")

__all__ = ["COLUMNS", "Imported", "export_labels", "import_labels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What was taken in: labels by annotator, and rows that could not be used, by reason."""

    labels: Mapping[str, int]
    texts: int
    skipped: Mapping[str, int]


def import_labels(
    study: Study,
    ratings: Path,
    annotators: Sequence[str],
    *,
    wide: bool = False,
    rename: Mapping[str, str] | None = None,
) -> Imported:
    """Take people's scores of a study's replies from a ratings file.

    Parameters
    ----------
    study : Study
        Its replies are blinded, so that each label carries the hash of the text that judges see.
    ratings : Path
        Long (``item, dimension, annotator, score``) or, with ``wide``, one column per annotator.
    annotators : sequence of str
        Whose rows to take; all others are ignored.
    wide : bool
        One column per annotator.
    rename : mapping of str to str, optional
        The file's dimension to the study's, where they are called otherwise.

    Returns
    -------
    Imported

    Raises
    ------
    BadInput
        An unknown item or annotator, a score off the rubric's levels, or labels of that annotator are there already.
        Nothing is written then.
    """
    from judgekit.files.ratings_in import read_ratings

    if not annotators:
        raise UsageProblem("nobody was named", field="--annotators", remedy="name whose rows to take")
    rows = read_ratings(
        ratings, human_cols=tuple(annotators) if wide else (), annotators=None if wide else list(annotators)
    )
    rows = [replace(row, dimension=(rename or {}).get(row.dimension, row.dimension)) for row in rows]
    blinded = stages.blind(stages.read_replies_of(study), study)
    criteria = {c.dimension: (r, c) for r in stages.rubrics_of(study).values() for c in r.criteria}
    skipped = {"other dimension": 0, "withheld text": 0, "empty score": 0}
    events: dict[str, list[LabelEvent]] = {name: [] for name in annotators}
    for row in rows:
        if row.annotator not in events:
            continue
        if row.dimension not in criteria:
            skipped["other dimension"] += 1
            continue
        result = _result(row, blinded, ratings)
        if not isinstance(result, BlindedReply):
            skipped["withheld text"] += 1
        elif row.score is None:
            skipped["empty score"] += 1
        else:
            rubric, criterion = criteria[row.dimension]
            events[row.annotator].append(_event(row, _level(row, criterion, ratings), result, rubric))
    count = _write(study, events)
    return Imported(labels=count, texts=len({e.task_id for es in events.values() for e in es}), skipped=skipped)


def _result(row: Rating, blinded: stages.Blinded, path: Path) -> BlindedReply | Withheld:
    if row.item not in blinded.results:
        raise BadInput(
            "an item that the study does not have",
            path=path,
            line=row.line,
            field="item",
            seen=row.item,
            remedy="use the ids of the study's replies",
        )
    return blinded.results[row.item]


def _task_id(item: str) -> str:
    return "imported-" + hashlib.sha256(item.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _level(row: Rating, criterion: Criterion, path: Path) -> int | str:
    for level in criterion.levels:
        if row.score == level or (isinstance(level, str) and str(row.score) == level):
            return level
    raise BadInput(
        "a score is off the scale",
        path=path,
        line=row.line,
        field="score",
        seen=row.score,
        why=f"the levels of {criterion.dimension} are {', '.join(map(str, criterion.levels))}",
        remedy="mend the row, or use a rubric with the scale these people used",
    )


def _event(row: Rating, value: int | str, result: BlindedReply, rubric: Rubric) -> LabelEvent:
    return LabelEvent(
        annotator=row.annotator,
        seq=0,
        prev_hash="",
        task_id=_task_id(row.item),
        dimension=row.dimension,
        event="score",
        value=value,
        text_hash=result.text_hash,
        rubric_hash=rubric.hash,
        ms=None,
        shown_at="",
        detail={"imported": True, "item": row.item},
    )


def _write(study: Study, events: Mapping[str, Sequence[LabelEvent]]) -> dict[str, int]:
    from judgekit.files.folders import private_folder
    from judgekit.files.labels import LabelFile, label_path, read_key, write_key

    space = open_workspace(study)
    paths = {name: label_path(space.labels, name) for name in events}
    for name, path in paths.items():
        if path.exists():
            raise AlreadyThere(
                f"{name} has labels already",
                path=path,
                why="an import never mixes with labels that are there",
                remedy="move the file away, or import under another label folder",
            )
    private_folder(space.labels)
    key_file = imported_key(space)
    keys = dict(read_key(key_file)) if key_file.is_file() else {}
    for found in events.values():
        for event in found:
            item = str(event.detail["item"])
            keys[event.task_id] = LabelKey(
                task_id=event.task_id, item=item, stratum=("imported",), inclusion_probability=1.0
            )
    write_key(key_file, list(keys.values()), force=True)
    for name, found in events.items():
        with LabelFile(paths[name], name) as file:
            for event in found:
                file.append(event)
    return {name: len(found) for name, found in events.items()}


def export_labels(study: Study) -> Iterator[dict[str, Any]]:
    """Every label that stands, one row per text, dimension and annotator, as a ratings file has them.

    Parameters
    ----------
    study : Study

    Yields
    ------
    dict
        ``item, dimension, annotator, score`` (None: skipped), ``text_hash``, ``rubric_hash``, ``labelled_at``.
    """
    for label in stages.read_labels(open_workspace(study)).labels:
        yield {
            "item": label.item,
            "dimension": label.dimension,
            "annotator": label.annotator,
            "score": label.value,
            "text_hash": label.text_hash,
            "rubric_hash": label.rubric_hash,
            "labelled_at": label.labelled_at,
        }
