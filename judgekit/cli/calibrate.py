"""``judgekit calibrate``."""

from __future__ import annotations

import typer

from judgekit.cli.output import emit
from judgekit.cli.study_options import Json, StudyPlace, assessed
from judgekit.printable import printable


def calibrate(study: StudyPlace, json_out: Json = False) -> None:
    """May this judge's scores be reported? Exit 0 when every judged metric is calibrated, 5 when one is refused.

    Recomputed from labels and judgments each time; nothing is asked of the judge.
    """
    from judgekit.reporting.machine import calibration_document
    from judgekit.reporting.words import contrast_words, reason_words, reference_words

    loaded, findings = assessed(study)
    if json_out:
        emit(calibration_document(findings.calibrated, findings.refused))
    else:
        agreement = {r.dimension: f"kappa, {reference_words(r)}, on {r.n} texts" for r in findings.references}
        for good in findings.calibrated:
            typer.echo(f"{printable(good.dimension)}, {contrast_words(good.contrast)}: CALIBRATED")
            typer.echo(f"  {agreement[good.dimension]}")
            for condition in good.conditions:
                typer.echo(f"  condition: {printable(condition)}")
        for refused in findings.refused:
            typer.echo(f"{printable(refused.dimension)}, {contrast_words(refused.contrast)}: REFUSED")
            if refused.dimension in agreement:
                typer.echo(f"  {agreement[refused.dimension]}")
            for reason in refused.reasons:
                typer.echo(f"  {reason_words(reason)}")
    if findings.refused:
        raise typer.Exit(loaded.gate.exit_codes.get("refused", 5))
