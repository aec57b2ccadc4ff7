"""``judgekit probe baselines``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from judgekit.cli.output import Progress, emit
from judgekit.cli.study_options import Json, StudyPlace
from judgekit.printable import printable


def baselines(
    study: StudyPlace,
    metric: Annotated[str | None, typer.Option(help="One measured decision; all by default.")] = None,
    alpha: Annotated[float, typer.Option(min=0.0001, max=0.5, help="Level of the one-sided tests.")] = 0.05,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Exit 1 for an effect beyond rewording or a failed check, 4 where it cannot tell."
        ),
    ] = False,
    json_out: Json = False,
) -> None:
    """Do decisions change with the group more than with the wording? And would the measurement notice a change?

    Reads the replies that `judgekit probe collect` wrote, all arms, majority of replicates.
    """
    from judgekit.deciding.report import check_document, wording_document
    from judgekit.probe_baselines import baselines_of
    from judgekit.workspace import study_of

    line = Progress("replies masked")
    try:
        found = baselines_of(study_of(study), metric=metric, alpha=alpha, progress=line)
    finally:
        line.close()
    if json_out:
        document: list[dict[str, Any]] = [
            {
                "metric": one.metric,
                "options": list(one.options),
                "replies": one.replies,
                "missing": dict(one.missing),
                "places": one.places,
                "baselines": [wording_document(against) for against in one.found.against],
                "checks": [check_document(check) for check in one.found.checks],
            }
            for one in found
        ]
        emit({"metrics": document})
    else:
        from judgekit.cli.decide_words import print_wordings

        for one in found:
            kinds = ", ".join(f"{kind} {n}" for kind, n in one.missing.items()) or "none"
            typer.echo(
                f"{printable(one.metric)} ({' / '.join(map(printable, one.options))}): {one.replies:,} replies in "
                f"{one.places:,} places, without a value: {printable(kinds)}"
            )
            print_wordings(one.found)
            if not one.found.against:
                typer.echo("no reworded prompts to compare with: set probe.baselines")
    verdicts = {against.verdict for one in found for against in one.found.against}
    checks = {verdict for one in found for check in one.found.checks for verdict in (check.recall, check.precision)}
    if strict and ("exceeds" in verdicts or "failed" in checks):
        raise typer.Exit(1)
    if strict and (not verdicts or "cannot tell" in verdicts | checks):
        raise typer.Exit(4)
