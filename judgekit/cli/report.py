"""``judgekit report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judgekit.cli.output import emit, say
from judgekit.cli.study_options import Json, StudyPlace, assessed


def report(
    study: StudyPlace,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the Markdown page here.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """Write the report again, without a call: into a run folder, to a file, or on standard output.

    Everything is recomputed from the ledger, the labels and the seals; a stored report is never trusted.
    """
    from judgekit.files.atomic import write_text
    from judgekit.reporting.machine import report_document
    from judgekit.reporting.markdown import render_markdown
    from judgekit.run_folder import write_report

    _, findings = assessed(study)
    if (study / "manifest.json").is_file():
        write_report(study, findings)
        say(f"{study}: report.md and report.json written")
    page = render_markdown(findings)
    if output is not None:
        write_text(output, page, force=force, private=True)
        say(f"{output}: written")
    if json_out:
        emit(report_document(findings))
    elif output is None:
        typer.echo(page, nl=False)
