"""``judgekit labels import``, ``export`` and ``freeze``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judgekit.cli.label_session import SampleArgument, sample_of
from judgekit.cli.output import emit, say
from judgekit.cli.study_options import Json, StudyPlace
from judgekit.errors import UsageProblem

if TYPE_CHECKING:
    from judgekit.label_import import Imported

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Import scores that people gave elsewhere, send them a sample; export labels, freeze them as anchors.",
)


@app.command("import")
def import_(
    study: StudyPlace,
    ratings: Annotated[
        Path, typer.Argument(help="A table (item, dimension, annotator, score), or a Label Studio or Argilla export.")
    ],
    annotators: Annotated[
        str,
        typer.Option(help="Whose labels to take, separated by commas; 3=ana takes the export's rater 3 as ana."),
    ] = "",
    format_: Annotated[
        str, typer.Option("--format", help="auto, csv (any table), label-studio or argilla; told by content.")
    ] = "auto",
    wide: Annotated[bool, typer.Option("--wide", help="A table with one column per annotator.")] = False,
    rename: Annotated[
        list[str] | None, typer.Option("--rename", help="FILE_DIMENSION=STUDY_DIMENSION; repeatable.")
    ] = None,
    level: Annotated[
        list[str] | None, typer.Option("--level", help="CHOICE=LEVEL of an export, such as 'Very warm=5'; repeatable.")
    ] = None,
    item: Annotated[str | None, typer.Option("--item", help="The export's field with the id of the text.")] = None,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            "--accept",
            help="Take labels given on unmasked texts (unmasked), beside a model's answer (suggested), or copied from"
            " another answer (copied); every output then says so. Repeatable.",
        ),
    ] = None,
    json_out: Json = False,
) -> None:
    """Take people's scores of the study's replies into its label folder. Existing labels are never mixed with them."""
    from judgekit.label_import import import_labels
    from judgekit.workspace import study_of

    names = [n.strip() for n in annotators.split(",") if n.strip()]
    done = import_labels(
        study_of(study),
        ratings,
        names,
        wide=wide,
        rename=_renames(rename or []),
        format=format_,
        levels=_pairs(level or [], "--level", "--level 'Very warm=5'"),
        item_field=item,
        accept=accept or (),
    )
    if json_out:
        emit(done)
        return
    for name, count in done.labels.items():
        typer.echo(f"{name}: {count} labels")
    _account(done)


_WAYS = {
    "unmasked": "were given on texts with their names",
    "suggested": "were given beside a model's answer",
    "copied": "were copied or imported in the tool, not given there",
    "unsaid": "come from an export that does not say whether a model's answer stood beside the text",
}


def _account(done: Imported) -> None:
    """What became of the rest of the file."""
    if done.tool:
        say(
            f"{done.tool} ({done.layout}): {done.rows_in} answers and other entries in, {sum(done.labels.values())} taken"
        )
    left_out = {**done.dropped, **done.skipped}
    for reason, count in left_out.items():
        if count:
            first = done.examples.get(reason)
            say(f"left out: {count}, {reason}" + (f" (first: {first})" if first else ""))
    if done.others:
        say("raters not named: " + ", ".join(f"{who} {n}" for who, n in sorted(done.others.items())))
    if done.outside_sample:
        say(f"note: {done.outside_sample} labels are on texts outside the drawn sample: who chose them is not known")
    for word, count in done.seen.items():
        say(f"note: {count} labels {_WAYS[word]}; every output says so")
    for note in done.notes:
        say(f"note: {note}")


def _renames(pairs: list[str]) -> dict[str, str]:
    return _pairs(pairs, "--rename", "--rename empathy=warmth")


def _pairs(pairs: list[str], option: str, example: str) -> dict[str, str]:
    found = {}
    for pair in pairs:
        theirs, _, ours = pair.partition("=")
        if not ours or not theirs:
            raise UsageProblem("no renaming", field=option, seen=pair, remedy=example)
        found[theirs] = ours
    return found


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
        from judgekit.label_table import COLUMNS, export_labels
        from judgekit.workspace import study_of

        rows, columns = list(export_labels(study_of(study))), list(COLUMNS)
        if wide:
            names = sorted({row["annotator"] for row in rows})
            rows, columns = wide_rows(rows, names), ["item", "dimension", *names]
        write_rows(output, columns, rows, force=force)
        written = len(rows)
    if json_out:
        emit({"output": str(output), "rows": written})


@app.command("tasks")
def tasks(
    sample: SampleArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="TASKS.json for Label Studio, RECORDS.json for Argilla.")
    ],
    tool: Annotated[str, typer.Option("--for", help="label-studio or argilla.")] = "label-studio",
    as_: Annotated[str | None, typer.Option("--as", help="The tasks of one rater of the roster alone.")] = None,
    lang: Annotated[
        str | None, typer.Option("--lang", help="Language of the questions and anchors, one the rubric has.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """Write a sample's masked texts as tasks for Label Studio or Argilla; every text is verified again. `labels import` takes the answers."""
    from judgekit.cli.label_tasks import write_tasks

    done = write_tasks(sample_of(sample), output, tool=tool, annotator=as_, lang=lang, force=force)
    if json_out:
        emit(done)
        return
    typer.echo(f"{done['output']}: {done['tasks']} tasks")
    if done["config"]:
        say(f"{done['config']}: the labelling interface (Settings, Labeling Interface, Code)")
    say("The texts are masked, and still people's words: the tool stores them.")


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
