"""``judgekit gate``."""

from __future__ import annotations

import typer

from judgekit.cli.output import emit, table
from judgekit.cli.study_options import Json, StudyPlace, assessed, exit_codes


def gate(study: StudyPlace, json_out: Json = False) -> None:
    """Hold every gap against its sealed margin: exit 0 pass, 1 fail, 4 warn or cannot tell, 5 refused.

    4 and 5 can be mapped to other codes in the study (gate.exit_codes). Nothing is asked of the judge.
    """
    from judgekit.gate import worst_exit_code
    from judgekit.reporting.machine import gaps_document
    from judgekit.reporting.words import contrast_words, estimate_words, number, reason_words

    loaded, findings = assessed(study)
    code = worst_exit_code(findings.gaps, findings.refused, exit_codes(loaded))
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
                g.metric,
                contrast_words(g.contrast),
                estimate_words(g.main),
                "-" if g.margin is None else f"±{number(g.margin)}",
                g.verdict,
            ]
            for g in findings.gaps
        ]
        rows += [[r.dimension, contrast_words(r.contrast), "withheld", "-", "refused"] for r in findings.refused]
        typer.echo(table(["metric", "contrast", "gap and interval", "margin", "verdict"], rows))
        for refused in findings.refused:
            typer.echo(f"{refused.dimension}: {reason_words(refused.reasons[0])}")
        typer.echo(f"gate: {findings.gate}")
    if code:
        raise typer.Exit(code)
