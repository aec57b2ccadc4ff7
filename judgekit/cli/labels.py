"""``judgekit labels import``, ``export`` and ``freeze``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judgekit.cli.output import emit, say
from judgekit.cli.study_options import Json, StudyPlace
from judgekit.errors import UsageProblem

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Import scores that people gave elsewhere; export labels; freeze them as anchors.",
)


@app.command("import")
def import_(
    study: StudyPlace,
    ratings: Annotated[Path, typer.Argument(help="Long (item, dimension, annotator, score) or, with --wide, wide.")],
    annotators: Annotated[str, typer.Option(help="Whose rows (or columns) to take, separated by commas.")],
    wide: Annotated[bool, typer.Option("--wide", help="One column per annotator.")] = False,
    rename: Annotated[
        list[str] | None, typer.Option("--rename", help="FILE_DIMENSION=STUDY_DIMENSION; repeatable.")
    ] = None,
    json_out: Json = False,
) -> None:
    """Take people's scores of the study's replies into its label folder. Existing labels are never mixed with them."""
    from judgekit.label_import import import_labels
    from judgekit.workspace import study_of

    names = [n.strip() for n in annotators.split(",") if n.strip()]
    done = import_labels(study_of(study), ratings, names, wide=wide, rename=_renames(rename or []))
    if json_out:
        emit(done)
        return
    for name, count in done.labels.items():
        typer.echo(f"{name}: {count} labels")
    left_out = ", ".join(f"{reason} {count}" for reason, count in done.skipped.items() if count)
    if left_out:
        say(f"left out: {left_out}")


def _renames(pairs: list[str]) -> dict[str, str]:
    renames = {}
    for pair in pairs:
        ours, sep, theirs = pair.partition("=")[2], "=" in pair, pair.partition("=")[0]
        if not sep or not ours or not theirs:
            raise UsageProblem("no renaming", field="--rename", seen=pair, remedy="--rename empathy=warmth")
        renames[theirs] = ours
    return renames


@app.command("export")
def export(
    study: Annotated[Path, typer.Argument(help="study.yaml, its folder, a run folder, or a labelling sample.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="RATINGS.csv or .jsonl.")],
    wide: Annotated[bool, typer.Option("--wide", help="One column per annotator, first labels only.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """Write the labels that stand, one row per text, dimension and annotator; of a sample with times, flags and notes."""
    from judgekit.cli.label_export import export_sample, is_sample, wide_rows, write_rows

    if is_sample(study):
        written = export_sample(study, output, force=force, wide=wide)
    else:
        from judgekit.label_import import COLUMNS, export_labels
        from judgekit.workspace import study_of

        rows, columns = list(export_labels(study_of(study))), list(COLUMNS)
        if wide:
            names = sorted({row["annotator"] for row in rows})
            rows, columns = wide_rows(rows, names), ["item", "dimension", *names]
        write_rows(output, columns, rows, force=force)
        written = len(rows)
    if json_out:
        emit({"output": str(output), "rows": written})


@app.command("freeze")
def freeze(
    study: StudyPlace,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="ANCHORS.jsonl; keep it beside the study of your builds.")
    ],
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """Freeze a study's labelled texts as anchors, which a judge scores again in every build so that CI needs no new labels."""
    from judgekit.anchor_freeze import freeze_anchors
    from judgekit.workspace import study_of

    done = freeze_anchors(study_of(study), output, force=force)
    if json_out:
        emit(done)
        return
    typer.echo(f"{output}: {done.texts} texts, " + ", ".join(f"{who} {n} labels" for who, n in done.labels.items()))
    if done.stale:
        say(f"left out: {done.stale} labels on other texts or with another rubric")
    say("It holds masked texts and labels, no names. In the study of your builds:")
    say(f"  labels: {{scope: anchors, anchors: {output.name},")
    say(f"           anchors_sha256: {done.sha256}}}")
