"""``judgekit rubrics``."""

from __future__ import annotations

from typing import Annotated

import typer

from judgekit.cli.output import emit
from judgekit.rubric import available_rubrics, load_rubric


def rubrics(
    name: Annotated[
        str | None, typer.Argument(help="A bundled rubric or a YAML file; all are listed without one.")
    ] = None,
    lang: Annotated[str, typer.Option(help="Language of the anchors.")] = "en",
    json_out: Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")] = False,
) -> None:
    """List the bundled rubrics, or show one with its anchors."""
    chosen = [load_rubric(n) for n in ([name] if name else available_rubrics())]
    if json_out:
        emit(
            [
                {
                    "id": r.id,
                    "version": r.version,
                    "hash": r.hash,
                    "dimensions": r.dimensions,
                    "languages": sorted(r.languages),
                }
                for r in chosen
            ]
        )
        return
    for rubric in chosen:
        typer.echo(
            f"{rubric.id} {rubric.version}  {', '.join(rubric.dimensions)}  "
            f"[{', '.join(sorted(rubric.languages))}]  {rubric.hash[:12]}"
        )
        if name:
            shown = lang if lang in rubric.languages else min(rubric.languages)
            for criterion in rubric.criteria:
                typer.echo(f"\n{criterion.dimension}: {criterion.question[shown]}")
                for level in criterion.levels:
                    typer.echo(f"  {level}  {criterion.anchors[shown][level]}")
