"""``judgekit labels tasks``: a sample for raters who label in another tool."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judgekit.errors import UsageProblem

if TYPE_CHECKING:
    from judgekit.records import Rubric

__all__ = ["write_tasks"]

_TOOLS = ("label-studio", "argilla")


def write_tasks(
    sample: Path, output: Path, *, tool: str, annotator: str | None, lang: str | None, force: bool
) -> dict[str, Any]:
    """Write tasks, and for Label Studio the labelling interface beside them.

    Parameters
    ----------
    sample : Path
        A labelling sample.
    output : Path
        A ``.json`` file, for the owner alone.
    tool : {'label-studio', 'argilla'}
        Who reads it.
    annotator : str, optional
        Of the roster: the tasks that are theirs.
    lang : str, optional
        Language of the questions and anchors, one that every rubric has; English, or a rubric's first, where none is said.
    force : bool
        Replace what is there.

    Returns
    -------
    dict
        ``output, tasks, config``.

    Raises
    ------
    UsageProblem
        Another tool, a sample of comparisons, an output that is no ``.json``, a language that counts for nothing.
    LeakFound
        A text in the sample is not blind. Nothing is written.
    """
    from judgekit.files.atomic import check_output, write_json, write_text
    from judgekit.files.labels import read_sample
    from judgekit.labelling.blindness import blind_check
    from judgekit.labelling.elsewhere import argilla_records, studio_config, studio_tasks
    from judgekit.labelling.opening import assigned_tasks, check_roster, is_pairwise, rubrics_of

    if tool not in _TOOLS:
        raise UsageProblem("no such tool", field="--for", seen=tool, why=f"tasks are made for {' and '.join(_TOOLS)}")
    if output.suffix.lower() != ".json":
        raise UsageProblem("the output is no .json file", field="--output", seen=output.name, remedy="-o tasks.json")
    opened = read_sample(sample)
    if is_pairwise(opened):
        raise UsageProblem(
            "the sample compares pairs of replies",
            path=sample,
            why="which of the two stands first is drawn anew for each rater, which other tools do not do",
            remedy="label it here: judgekit label SAMPLE --as NAME",
        )
    rubrics = rubrics_of(opened, sample)
    _check_language(tool, lang, rubrics)
    config = output.with_suffix(".xml") if tool == "label-studio" else None
    for path in filter(None, (output, config)):
        check_output(path, force=force, inputs=[sample])
    if annotator is not None:
        check_roster(opened, annotator, sample)
    tasks = opened.tasks if annotator is None else assigned_tasks(opened, annotator)
    check = blind_check(frozenset(opened.extra.get("excused") or ()), sample)
    for task in tasks:
        check(task)
    make = studio_tasks if tool == "label-studio" else argilla_records
    write_json(output, make(tasks, opened.rubric_hash), force=force, private=True)
    if config is not None:
        write_text(config, studio_config(rubrics, lang or "en"), force=force)
    return {"output": str(output), "tasks": len(tasks), "config": None if config is None else str(config)}


def _check_language(tool: str, lang: str | None, rubrics: Sequence[Rubric]) -> None:
    if lang is None:
        return
    if tool == "argilla":
        raise UsageProblem(
            "the records hold no questions, in no language",
            field="--lang",
            seen=lang,
            why="in Argilla the questions are settings of the dataset",
            remedy="leave it out",
        )
    for rubric in rubrics:
        known = sorted(rubric.criteria[0].anchors)
        if lang not in known:
            raise UsageProblem(
                f"the rubric {rubric.id} is not in this language",
                field="--lang",
                seen=lang,
                why=f"it has {', '.join(known)}",
                remedy="choose one of them, or write the anchors in that language",
            )
