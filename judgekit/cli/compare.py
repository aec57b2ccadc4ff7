"""``judgekit compare``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judgekit.cli.output import emit
from judgekit.cli.study_options import Json, StageProgress


def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN RUN..", help="Run folders, two or more, in any order.")],
    across_systems: Annotated[
        bool,
        typer.Option(
            "--across-systems", help="Count runs of another model or prompt in a trend too, if measured alike."
        ),
    ] = False,
    json_out: Json = False,
) -> None:
    """Line runs up across releases: each gap by run, what changed, and whether it is there every time.

    Every run is computed again from its study; one that cannot be is withheld. Another system prompt, model, judge,
    temperature, rubric or blinding begins a new experiment. Exit 5 when the latest run has a refused metric or is withheld,
    1 when a gap fails or points the same way too often for chance (p 0.05: six runs at least), 4 when one warns or nothing
    can be compared, else 0.
    """
    from judgekit.releases.lineup import line_up
    from judgekit.releases.runs import recall_runs
    from judgekit.releases.words import lineup_document, lineup_lines

    watch = StageProgress()
    try:
        found = line_up(recall_runs(runs, watch=watch), across_systems=across_systems)
    finally:
        watch.close()
    if json_out:
        emit(lineup_document(found))
    else:
        typer.echo("\n".join(lineup_lines(found)))
    if found.exit_code:
        raise typer.Exit(found.exit_code)
