"""``judgekit certificate``: write a run's certificate again, elsewhere too; ``judgekit certificate verify``: is it true?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from judgekit.cli.output import emit, say
from judgekit.cli.study_options import Json, StageProgress

_RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="A run folder, runs/<run>.")]


class _WriteByDefault(TyperGroup):
    """``certificate RUN`` is ``certificate write RUN``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in {*self.commands, "--help"}:
            args = ["write", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_WriteByDefault,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="What vouches for a judge, in one document: `certificate RUN [-o FILE]`, `certificate verify RUN`.",
)


@app.command()
def write(
    run: _RunFolder,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it here, not into the run folder.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """Compute the certificate of a run from ledger, labels and seals, and write it; nothing is asked of the judge."""
    from judgekit.certificates.folder import CERTIFICATE, certificate_of
    from judgekit.files.atomic import check_output, write_json
    from judgekit.pipeline import assess_study
    from judgekit.workspace import study_of

    if output is not None:
        check_output(output, force=force)
    _must_be_run(run)
    study, watch = study_of(run), StageProgress()
    try:
        document = certificate_of(study, run.resolve(), assess_study(study, watch=watch))
    finally:
        watch.close()
    target = output or run / CERTIFICATE
    write_json(target, document, force=force or output is None, private=True)
    say(f"{target}: written")
    if json_out:
        emit(document)
        return
    for metric in document["metrics"]:
        between = metric["contrast"]
        named = f", {between['a']} − {between['b']}" if between else ""
        say(f"{metric['metric']}{named}: {metric['verdict']}")


@app.command()
def verify(
    run: _RunFolder,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="A certificate kept elsewhere; else the run folder's own.")
    ] = None,
    json_out: Json = False,
) -> None:
    """Compute a run's certificate again and compare: exit 0 when all of it holds, 1 with every difference named."""
    from judgekit.printable import printable
    from judgekit.releases.certificate_check import check_certificate

    _must_be_run(run)
    watch = StageProgress()
    try:
        found = check_certificate(run, certificate, watch=watch)
    finally:
        watch.close()
    if json_out:
        emit({"holds": not found, "differences": found})
    elif found:
        typer.echo(f"the certificate does not hold: {len(found)} difference(s)")
        for entry in found:
            typer.echo(f"  {printable(entry['key'])}")
            typer.echo(f"    certificate: {printable(entry['certificate'], limit=200)}")
            typer.echo(f"    recomputed:  {printable(entry['recomputed'], limit=200)}")
    else:
        typer.echo("the certificate holds: everything in it was computed again and is the same")
    if found:
        raise typer.Exit(1)


def _must_be_run(run: Path) -> None:
    from judgekit.errors import UsageProblem

    if not (run / "manifest.json").is_file():
        raise UsageProblem(
            "this is no run folder", path=run, why="a run folder has a manifest.json", remedy="name one of runs/"
        )
