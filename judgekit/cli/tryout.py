"""``judgekit tryout``."""

from __future__ import annotations

from collections.abc import Sequence
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
)
from judgekit.cli.output import emit
from judgekit.printable import printable

if TYPE_CHECKING:
    from judgekit.files.labels import SampleFile
    from judgekit.records import LabelEvent, Rubric

NO_CALIBRATION = (
    "This is a tryout of the rubric, no calibration: so few texts prove nothing about people or judge. "
    "Mend the rule that was read in two ways, then draw a new sample."
)


def tryout(
    sample: SampleArgument,
    as_: Annotated[str | None, typer.Option("--as", help="Your name in the sample's roster.")] = None,
    plain: Plain = False,
    lang: Language = "auto",
    keys: Keys = None,
    guard: Guard = 250,
    json_out: Annotated[bool, typer.Option("--json", help="The differences as one JSON document.")] = False,
) -> None:
    """Try a rubric on a few texts that are not in the sample; without --as, see where people differ, side by side."""
    from judgekit.files.labels import label_path, read_sample
    from judgekit.labelling.opening import check_roster, labels_folder, plan_steps, rubrics_of, tryout_sample

    sample = sample_of(sample)
    opened = tryout_sample(read_sample(sample), sample)
    rubrics = rubrics_of(opened, sample)
    folder = labels_folder(opened, sample)
    if as_ is None:
        _differences(opened, rubrics, readable_labels(opened, folder), json_out=json_out)
        return
    check_roster(opened, as_, sample)
    steps = plan_steps(opened, as_, rubrics, sample)
    path = label_path(folder, as_)
    run_session(
        opened,
        rubrics,
        steps,
        path,
        as_,
        source=sample,
        look=Look(plain=plain, lang=lang, keys=keys, guard=guard),
        origin={"tryout": True},
    )


def _differences(
    opened: SampleFile, rubrics: Sequence[Rubric], everybody: dict[str, list[LabelEvent]], *, json_out: bool
) -> None:
    from judgekit.labelling.adjudication import find_disputes

    found = find_disputes(everybody, opened, rubrics, distance=1, seed=opened.seed)
    texts = len(opened.tasks)
    if json_out:
        emit(
            {
                "texts": texts,
                "raters": sorted(everybody),
                "calibration": False,
                "note": NO_CALIBRATION,
                "differences": [
                    {
                        "dimension": dispute.criterion.dimension,
                        "text": dispute.task.text,
                        "scores": dict(sorted(dispute.scores)),
                        "distance": dispute.distance,
                    }
                    for dispute in found
                ],
            }
        )
        return
    for dispute in sorted(found, key=lambda d: (d.criterion.dimension, -d.distance)):
        scores = ", ".join(f"{printable(name)} {printable(score)}" for name, score in sorted(dispute.scores))
        typer.echo(f"{printable(dispute.criterion.dimension)}: {scores}")
        for line in printable(dispute.task.text, keep="\n").split("\n"):
            typer.echo(f"    {line}")
        for _, score in sorted(dispute.scores, key=lambda pair: str(pair[1])):
            anchor = next(iter(dispute.criterion.anchors.values()))[score]
            typer.echo(f"  {printable(score)}: {printable(anchor)}")
        typer.echo("")
    labelled = ", ".join(sorted(everybody)) or "nobody yet"
    typer.echo(f"{len(found)} differences on {texts} texts; labelled by {labelled}.")
    typer.echo(NO_CALIBRATION)
