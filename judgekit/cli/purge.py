"""``judgekit purge``."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judgekit.cli.output import emit, say, table
from judgekit.cli.study_options import Json
from judgekit.errors import UsageProblem

if TYPE_CHECKING:
    from judgekit.files.purging import Stored
    from judgekit.study import Study


def purge(
    place: Annotated[
        Path,
        typer.Argument(help="A run folder; study.yaml or its folder; or .judgekit/NAME, left by a command on files."),
    ],
    older_than: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Of a study: runs, ledger and collected replies older than this many days; else privacy.keep_raw_days.",
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Of a study: everything, labels and sealed decisions included.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be removed; remove nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json_out: Json = False,
) -> None:
    """Remove what judgekit stored: replies, prompts, answers. Your own files are never touched."""
    from judgekit.files.purging import remove

    chosen = _chosen(place, older_than, everything)
    if not dry_run and chosen and not yes:
        _ask(chosen)
    freed = 0 if dry_run else remove(chosen)
    listed = [{"path": str(t.path), "kind": t.kind, "holds": t.holds, "bytes": t.bytes} for t in chosen]
    if json_out:
        emit({"would_remove" if dry_run else "removed": listed, "freed": freed})
        return
    if chosen:
        typer.echo(_listing(chosen))
    if dry_run or not chosen:
        say("nothing was removed" if chosen else "nothing to remove")
    else:
        say(f"removed, {freed / 1e6:.1f} MB freed")


def _chosen(place: Path, older_than: int | None, everything: bool) -> list[Stored]:
    from judgekit.files.folders import run_started
    from judgekit.files.purging import due, stored_adhoc, stored_run, stored_things
    from judgekit.study import load_study

    is_run = run_started(place.resolve()) is not None
    if is_run or place.resolve().parent.name == ".judgekit":
        if everything or older_than is not None:
            raise UsageProblem(
                "--all and --older-than are for a whole study", path=place, remedy="leave them out, or name the study"
            )
        return [stored_run(place)] if is_run else stored_adhoc(place)
    study = load_study(place)
    if everything and older_than is not None:
        raise UsageProblem("--all and --older-than exclude each other", field="--older-than", remedy="give one of them")
    things = stored_things(
        study.base / ".judgekit" / study.study,
        study.base / "runs",
        study.path(study.labels.folder),
        study.study,
        study.labels.annotators,
    )
    if everything:
        _tell_left(things, study)
        return _not_shared(things, study)
    days = older_than if older_than is not None else study.privacy.keep_raw_days
    if days is None:
        raise UsageProblem(
            "nothing says how old is old",
            path=study.file,
            field="privacy.keep_raw_days",
            why="a study's runs and answers are removed by age, or all at once",
            remedy="give --older-than DAYS, set privacy.keep_raw_days, or ask for --all",
        )
    return due(things, days=days, now=datetime.now(UTC))


def _tell_left(things: list[Stored], study: Study) -> None:
    """Say which files beside collected replies stay: edited since, brought, or another study's."""
    listed, folder = {t.path for t in things}, study.base / "probe"
    if left := [path.name for path in sorted(folder.glob("*.jsonl")) if path not in listed]:
        say(f"{folder}: left, since judgekit did not write them like that for this study: {', '.join(left)}")


def _not_shared(things: list[Stored], study: Study) -> list[Stored]:
    """Without the raters' files when another study's sample stands beside them: its labels may be in them."""
    folder = study.path(study.labels.folder)
    others = [p.name for p in folder.glob("*.sample.jsonl") if p.name != f"{study.study}.sample.jsonl"]
    if not others:
        return things
    own = [t for t in things if t.kind != "labels" or t.path.name.startswith(f"{study.study}.")]
    if len(own) < len(things):
        say(f"{folder}: the raters' files are left, since they may hold labels of {', '.join(sorted(others))}")
    return own


def _ask(chosen: list[Stored]) -> None:
    if not sys.stdin.isatty():
        raise UsageProblem(
            "nobody is there to confirm it", field="--yes", remedy="give --yes, or see what it is with --dry-run"
        )
    typer.echo(_listing(chosen), err=True)
    if not typer.confirm("Remove this for good?", err=True):
        raise UsageProblem("not confirmed: nothing was removed", remedy="give --yes to skip the question")


def _listing(chosen: list[Stored]) -> str:
    rows = [[t.kind, f"{t.bytes / 1e6:.1f} MB", t.holds, str(t.path)] for t in chosen]
    return table(["what", "size", "holds", "path"], rows)
