"""``judgekit demo``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judgekit.cli.output import emit, say
from judgekit.cli.study_options import Json, StageProgress, story_from_here, strict_code

INTRO = """The demo study: a (scripted) support chatbot answered the same 14 messages under 12 names, 3 times each.
Does it answer women less warmly than men? The judge is a word list; two raters labelled a sample.
"""

OWN = """
Now with your own replies (CSV, JSONL or Parquet with id, text, template_id, group, name):
   judgekit init my-study          write a commented study.yaml, then name your file in it
   judgekit run my-study           the same path as here
"""


def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder to work in.")] = Path("judgekit-demo"),
    strict: Annotated[bool, typer.Option("--strict", help="The worst verdict becomes the exit code.")] = False,
    json_out: Json = False,
) -> None:
    """Run the main job on a bundled study, offline and without a key."""
    from judgekit.demo_study import unpack_demo
    from judgekit.pipeline import run_study
    from judgekit.run_folder import run_document
    from judgekit.study import load_study

    unpack_demo(out)
    study = load_study(out)
    watch = StageProgress()
    try:
        outcome = run_study(study, watch=watch)
    finally:
        watch.close()
    if json_out:
        emit(run_document(outcome.run_dir, outcome.findings))
    else:
        typer.echo(INTRO)
        typer.echo(story_from_here(outcome, study))
        typer.echo(OWN, nl=False)
        say(f"everything is in {out}; the labels and who gave them: {out / 'labels' / 'README.md'}")
    if strict and (code := strict_code(outcome.findings)):
        raise typer.Exit(code)
