"""``judgekit gate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judgekit.cli.output import emit, say, table
from judgekit.cli.study_options import Json, StudyPlace, assessed, exit_codes
from judgekit.errors import UsageProblem


def gate(
    study: StudyPlace,
    junit: Annotated[
        Path | None, typer.Option("--junit", help="Write JUnit XML: a case per metric and contrast.")
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option(
            "--summary",
            envvar="GITHUB_STEP_SUMMARY",
            help="Add the verdicts to this Markdown file; on GitHub the step's summary, without asking.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the JUnit file.")] = False,
    json_out: Json = False,
) -> None:
    """Hold every gap against its sealed margin: exit 0 pass, 1 fail, 4 warn or cannot tell, 5 refused.

    4 and 5 can be mapped to other codes in the study (gate.exit_codes). Nothing is asked of the judge.
    """
    from judgekit.builds.cases import cases_of
    from judgekit.builds.junit import render_junit
    from judgekit.builds.step_summary import render_step_summary
    from judgekit.files.atomic import check_output, write_text
    from judgekit.gate import worst_exit_code
    from judgekit.reporting.machine import gaps_document
    from judgekit.reporting.words import contrast_words, number

    if junit is not None:
        check_output(junit, force=force)
    if summary is not None and not summary.absolute().parent.is_dir():
        raise UsageProblem(
            "the folder of the summary is not there",
            field="--summary",
            seen=summary,
            remedy="make it, or name another file",
        )
    loaded, findings = assessed(study)
    codes = exit_codes(loaded)
    code = worst_exit_code(findings.gaps, findings.refused, codes)
    cases = cases_of(findings, codes)
    if junit is not None:
        write_text(junit, render_junit(cases, study=loaded.study), force=force)
        say(f"{junit}: written")
    if summary is not None:
        _append(summary, render_step_summary(findings, cases, code=code))
    if json_out:
        emit(
            {
                "gate": findings.gate,
                "exit_code": code,
                **gaps_document(findings.gaps, findings.refused, findings.human_gaps),
            }
        )
    else:
        rows = [
            [
                case.metric,
                contrast_words(case.contrast),
                case.estimate,
                "-" if case.margin is None else f"±{number(case.margin)}",
                case.verdict,
            ]
            for case in cases
        ]
        typer.echo(table(["metric", "contrast", "gap and interval", "margin", "verdict"], rows))
        for case in cases:
            for condition in case.conditions:
                typer.echo(f"{case.name}: {condition}")
            if case.verdict == "refused":
                typer.echo(f"{case.metric}: {case.why[0]}")
        typer.echo(f"gate: {findings.gate}")
    if code:
        raise typer.Exit(code)


def _append(path: Path, text: str) -> None:
    """Add to a file that other steps of the build write to as well."""
    from judgekit.files.disk import disk_failed

    try:
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as problem:
        raise disk_failed(path, problem, doing="written") from problem
