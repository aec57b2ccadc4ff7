"""``judgekit init``."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from judgekit.cli.output import emit, say
from judgekit.cli.study_options import Json


def init(
    folder: Annotated[Path, typer.Argument(help="Folder for the study; made when it is not there.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite a study.yaml.")] = False,
    json_out: Json = False,
) -> None:
    """Write a commented study.yaml to start from: every key, its default, what it decides."""
    from judgekit.data import bundled
    from judgekit.errors import BadInput
    from judgekit.files.atomic import write_text

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BadInput(
            "the folder cannot be made",
            path=folder,
            why=problem.strerror or str(problem),
            remedy="name a folder, or one that is not there yet",
        ) from None
    target = folder / "study.yaml"
    write_text(target, bundled("study_template.yaml").read_text(encoding="utf-8"), force=force)
    if json_out:
        emit({"study": str(target), "next": ["judgekit", "run", str(folder), "--dry-run"]})
        return
    say(f"{target}: written. Put your replies beside it as replies.csv (or name them in data.replies), then:")
    typer.echo(f"judgekit run {shlex.quote(str(folder))} --dry-run")
