"""``judgekit label``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judgekit.cli.label_session import (
    Guard,
    Keys,
    Language,
    Look,
    Plain,
    SampleArgument,
    readable_labels,
    run_session,
    sample_of,
    seconds_of,
)

if TYPE_CHECKING:
    from judgekit.files.labels import SampleFile
    from judgekit.records import Rubric


def label(
    sample: SampleArgument,
    as_: Annotated[str, typer.Option("--as", help="Your name in the sample's roster.")],
    plain: Plain = False,
    for_: Annotated[str | None, typer.Option("--for", help="Stop after this time at the next item, e.g. 30m.")] = None,
    lang: Language = "auto",
    keys: Keys = None,
    guard: Guard = 250,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Show agreement with the others before all are done; this is recorded.")
    ] = False,
) -> None:
    """Label a sample in the terminal. Every key is stored at once; stop and go on whenever you like."""
    from judgekit.files.labels import label_path, read_sample
    from judgekit.labelling.opening import check_roster, labels_folder, plan_steps, rubrics_of

    sample = sample_of(sample)
    seconds = seconds_of(for_)
    opened = read_sample(sample)
    check_roster(opened, as_, sample)
    rubrics = rubrics_of(opened, sample)
    folder = labels_folder(opened, sample)
    run_session(
        opened,
        rubrics,
        plan_steps(opened, as_, rubrics, sample),
        label_path(folder, as_),
        as_,
        source=sample,
        look=Look(plain=plain, lang=lang, keys=keys, guard=guard),
        seconds=seconds,
        results=lambda language: _results(opened, rubrics, folder, as_, language, reveal=reveal),
        origin={"reveal": True} if reveal else {},
    )


def _results(
    opened: SampleFile, rubrics: Sequence[Rubric], folder: Path, annotator: str, lang: str, *, reveal: bool
) -> list[str]:
    from judgekit.labelling.results import closing_lines

    everybody = readable_labels(opened, folder)
    return closing_lines(annotator, everybody, opened, rubrics, lang=lang, reveal=reveal)
