"""``judgekit report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judgekit.cli.output import emit, say
from judgekit.cli.study_options import Json, StudyPlace, assessed
from judgekit.wording.languages import LanguageCode


def report(
    study: StudyPlace,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the Markdown page here.")] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write one HTML page here: plots, no network, no script.")
    ] = None,
    language: Annotated[
        LanguageCode | None,
        typer.Option("--language", help="Language of the pages: en or es; by default the study's report.language."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """Write the report again, without a call: into a run folder, to a file, or on standard output.

    Everything is recomputed from the ledger, the labels and the seals; a stored report is never trusted.
    """
    from judgekit.files.atomic import write_text
    from judgekit.files.disk import check_output
    from judgekit.page.render import render_html
    from judgekit.reporting.machine import report_document
    from judgekit.reporting.markdown import render_markdown
    from judgekit.run_folder import write_report

    for place in (output, html):
        if place is not None:
            check_output(place, force=force, inputs=[study])
    _, findings = assessed(study)
    if (study / "manifest.json").is_file():
        write_report(study, findings, language)
        say(f"{study}: report.md, report.html and report.json written")
    page = render_markdown(findings, language)
    for place, text in ((output, page), (html, render_html(findings, language) if html else "")):
        if place is not None:
            write_text(place, text, force=force, private=True)
            say(f"{place}: written")
    if json_out:
        emit(report_document(findings))
    elif output is None and html is None:
        typer.echo(page, nl=False)
