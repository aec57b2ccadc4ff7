"""``judgekit budget``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from judgekit.cli.output import emit


def budget(
    kappa: Annotated[
        float, typer.Option(help="Agreement of judge and people that you expect, e.g. from a pilot.")
    ] = 0.72,
    threshold: Annotated[float, typer.Option(help="What the lower bound of kappa has to reach.")] = 0.60,
    sd: Annotated[float, typer.Option(help="Standard deviation of people's scores, in points.")] = 1.0,
    correlation: Annotated[float, typer.Option(help="Correlation of judge and people.")] = 0.75,
    margin: Annotated[float, typer.Option(help="Half-width wanted for the corrected gap, in points.")] = 0.25,
    replies: Annotated[int, typer.Option(min=1, help="Judged replies in each group.")] = 200,
    groups: Annotated[int, typer.Option(min=0, help="Groups compared; 0 for a study without groups.")] = 2,
    design_effect: Annotated[
        float, typer.Option(min=1.0, help="How much alike replies of a template are; 1: not.")
    ] = 1.0,
    annotators: Annotated[int, typer.Option(min=1, help="Raters.")] = 2,
    overlap: Annotated[float, typer.Option(help="Share of texts that everybody labels.")] = 1.0,
    repeats: Annotated[float, typer.Option(help="Share of a rater's texts shown twice.")] = 0.10,
    seconds: Annotated[
        float, typer.Option(min=1.0, help="Working time per item; `judgekit label` tells yours.")
    ] = 25.0,
    json_out: Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")] = False,
) -> None:
    """How many labels until kappa's bound clears the threshold and the corrected gap is narrow enough, and the hours."""
    from judgekit.labelling.budget import labels_for_gap, labels_for_kappa, workload

    for_kappa = labels_for_kappa(kappa, threshold)
    per_group = labels_for_gap(sd, correlation, margin, replies, design_effect=design_effect) if groups >= 2 else None
    for_gap = None if per_group is None else per_group * groups
    known = [n for n in (for_kappa, for_gap) if n is not None]
    work = workload(max(known), annotators, overlap=overlap, repeats=repeats, seconds=seconds) if known else None
    document: dict[str, Any] = {
        "for_kappa": for_kappa,
        "for_gap": for_gap,
        "per_group": per_group,
        "texts": max(known, default=None),
        "per_annotator": None if work is None else work.texts,
        "repeats": None if work is None else work.repeats,
        "hours_per_annotator": None if work is None else round(work.hours, 2),
        "assumed": {"kappa": kappa, "threshold": threshold, "sd": sd, "correlation": correlation, "margin": margin,
                    "replies": replies, "design_effect": design_effect, "seconds": seconds},
    }  # fmt: skip
    if json_out:
        emit(document)
        return
    if for_kappa is None:
        typer.echo(
            f"kappa: {kappa:.2f} is not above {threshold:.2f}, so no number of labels will do; mend judge or rubric"
        )
    else:
        typer.echo(f"kappa: {for_kappa} texts until the lower bound of {kappa:.2f} reaches {threshold:.2f}")
    if groups < 2:
        typer.echo("gap: no groups, none to compare")
    elif per_group is None:
        typer.echo(
            f"gap: {replies} replies a group are too few for a half-width of {margin:.2f}, however many are labelled"
        )
    else:
        typer.echo(
            f"gap: {per_group} texts a group, {for_gap} in all, until the corrected gap is within {margin:.2f} points"
        )
    if work is not None:
        typer.echo(
            f"each of {annotators} raters: {work.texts} texts and {work.repeats} repeats, {work.hours:.1f} hours at {seconds:.0f} s an item"
        )
    typer.echo("A plan from what you expect, not a promise: both are computed anew from the labels.")
