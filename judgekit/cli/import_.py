"""``judgekit import``."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judgekit.cli.output import Progress, emit, say, table
from judgekit.cli.study_options import Json
from judgekit.errors import UsageProblem
from judgekit.printable import printable

if TYPE_CHECKING:
    from judgekit.foreign.imported import Dropped
    from judgekit.importers.importing import Done


def import_(
    file: Annotated[Path, typer.Argument(help="What promptfoo, Inspect, deepeval or lm-eval wrote, or rows of chats.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="REPLIES.jsonl to write.")],
    format_: Annotated[
        str, typer.Option("--format", help="auto, promptfoo, inspect, deepeval, lm-eval or hf; told by content.")
    ] = "auto",
    model: Annotated[
        list[str] | None, typer.Option("--model", help="Whose replies to take, of a file with several; repeatable.")
    ] = None,
    all_models: Annotated[
        bool, typer.Option("--all-models", help="Take everybody's; a column `model` tells them apart.")
    ] = False,
    column: Annotated[
        list[str] | None,
        typer.Option("--column", help="CANONICAL=FIELD, such as group=vars.origin; repeatable. Else it is guessed."),
    ] = None,
    prefix: Annotated[
        str, typer.Option("--prefix", help="Put before every id, so that imports of several files can be joined.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """Read the results of another tool as replies, ready for `judgekit init --from`. The file itself is only read.

    Generations that failed stay in, as failed and counted by group. Scores of the other tool are carried under names that
    say whose they are; no command takes them for judgekit's.
    """
    from judgekit.foreign.imported import Request
    from judgekit.importers.importing import import_replies

    if model and all_models:
        raise UsageProblem("these exclude each other", field="--model, --all-models", remedy="give one of them")
    request = Request(path=str(file), models=tuple(model or ()), all_models=all_models, columns=_stated(column or []))
    line = Progress("importing")
    try:
        done = import_replies(request, output, name=format_, prefix=prefix, force=force, progress=line)
    finally:
        line.close()
    following = ["judgekit", "init", "study", "--from", str(output)]
    if json_out:
        emit({**_document(done), "next": following})
        return
    _print(done)
    say(f"{output}: {done.tally.rows_out} rows written (private)")
    typer.echo(shlex.join(following))


def _stated(column: list[str]) -> dict[str, str]:
    from judgekit.files.columns import REPLIES

    names = [name for name in REPLIES if name != "arm"]  # judgekit's own: what a row is for in a swap test
    stated: dict[str, str] = {}
    for entry in column:
        canonical, sign, field = entry.partition("=")
        if not sign or not field or canonical not in names:
            raise UsageProblem(
                "not CANONICAL=FIELD",
                field="--column",
                seen=entry,
                why=f"the names on the left are {', '.join(names)}",
                remedy="write --column group=vars.gender",
            )
        stated[canonical] = field
    return stated


def _print(done: Done) -> None:
    from judgekit.importers.importing import OWN

    tally, source = done.tally, done.source
    said = ", ".join(part for part in (source.version, source.layout) if part)
    say(printable(f"{source.path}: {source.tool}" + (f" ({said})" if said else "")))
    typer.echo(table(["column", "in the file"], [[m.column, m.field] for m in tally.mapped.values()]))
    for found in tally.mapped.values():
        if "; also " in found.reason:
            say(
                printable(
                    f"note: {found.column} = {found.field}: {found.reason}; --column {found.column}=FIELD takes another"
                )
            )
    carried = [name for name in done.columns if name not in {*tally.mapped, *tally.scores, *OWN}]
    if carried:
        say(printable(f"carried: {', '.join(carried)}"))
    if tally.scores:
        say(printable(f"scores of {source.tool}, carried and not vouched for: {', '.join(tally.scores)}"))
    groups = ", ".join(f"{group} {n}" for group, n in sorted(tally.groups.items()))
    typer.echo(printable(f"rows in {tally.rows_in}, out {tally.rows_out}" + (f" ({groups})" if groups else "")))
    _reasons("failed, kept as failed", tally.failed.values())
    _reasons("left out", tally.dropped.values())
    if len(tally.models) > 1:
        say(printable("models in the file: " + ", ".join(f"{name} {n}" for name, n in tally.models.items())))
    for note in _notes(done):
        say(printable(f"note: {note}"))


def _reasons(what: str, found: Iterable[Dropped]) -> None:
    for each in found:
        groups = ", ".join(f"{group} {n}" for group, n in sorted(each.by_group.items()))
        typer.echo(printable(f"{what}: {each.n} ({each.reason}" + (f"; {groups})" if groups else ")")))
        place, said = each.examples[0]
        say(printable(f"  first: {place}" + (f": {said}" if said else "")))


def _notes(done: Done) -> list[str]:
    notes = list(done.tally.notes)
    if done.empty:
        notes.append(f"{done.empty} replies are empty: the model answered and said nothing")
    if done.kept_models > 1:
        notes.append(f"replies of {done.kept_models} models together: a study of this file takes them for one system")
    if "group" not in done.tally.mapped:
        notes.append("no field says which group a row belongs to: --column group=FIELD, or validate the judge alone")
    return notes


def _document(done: Done) -> dict[str, Any]:
    tally, source = done.tally, done.source
    return {
        "output": done.output,
        "format": source.format,
        "tool": source.tool,
        "version": source.version,
        "layout": source.layout,
        "rows_in": tally.rows_in,
        "rows_out": tally.rows_out,
        "failed": list(tally.failed.values()),
        "dropped": list(tally.dropped.values()),
        "empty": done.empty,
        "mapped": list(tally.mapped.values()),
        "columns": done.columns,
        "scores": tally.scores,
        "models": tally.models,
        "groups": tally.groups,
        "notes": _notes(done),
    }
