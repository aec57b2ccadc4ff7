"""``judgekit init``."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judgekit.cli.output import emit, say, table
from judgekit.cli.study_options import Json
from judgekit.errors import BadInput, UsageProblem

if TYPE_CHECKING:
    from judgekit.intake.columns import ColumnGuess
    from judgekit.intake.draft import Draft, Found, Inspected
    from judgekit.judging.handle import JudgeHandle


def init(
    folder: Annotated[Path, typer.Argument(help="Folder for the study; made when it is not there.")],
    replies: Annotated[
        Path | None,
        typer.Option("--from", help="Your replies: CSV, JSONL or Parquet. The study is filled in for them."),
    ] = None,
    column: Annotated[
        list[str] | None, typer.Option("--column", help="With --from: CANONICAL=COLUMN, such as text=Antwort.")
    ] = None,
    judge: Annotated[str | None, typer.Option(help="With --from: SPEC of the judge; lexicon by default.")] = None,
    annotators: Annotated[str | None, typer.Option(help="With --from: who labels, separated by commas.")] = None,
    ask: Annotated[bool, typer.Option("--ask", help="With --from: ask about every guess (in a terminal).")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a study.yaml.")] = False,
    json_out: Json = False,
) -> None:
    """Write a commented study.yaml to start from: every key, its default, what it decides.

    With --from it is filled in for a file of replies, and `judgekit run` accepts it at once. The file itself is only read.
    """
    from judgekit.data import bundled
    from judgekit.files.atomic import check_output, write_text

    template = bundled("study_template.yaml").read_text(encoding="utf-8")
    target = folder / "study.yaml"
    if replies is None:
        if column or judge or annotators or ask:
            raise UsageProblem(
                "this goes with --from", field="--column, --judge, --annotators, --ask", remedy="add --from"
            )
        _make(folder)
        _must_not_be_sealed(folder)
        write_text(target, template, force=force)
        if json_out:
            emit({"study": str(target), "next": ["judgekit", "run", str(folder), "--dry-run"]})
            return
        say(f"{target}: written. Put your replies beside it as replies.csv (or name them in data.replies), then:")
        typer.echo(f"judgekit run {shlex.quote(str(folder))} --dry-run")
        return
    if folder.is_dir():
        check_output(target, force=force)  # before a large file is read for nothing
        _must_not_be_sealed(folder)
    made = _filled(template, folder, replies, _stated(column), judge, _listed(annotators), ask=ask)
    _make(folder)
    for path, rows in made["numbered"].items():
        from judgekit.files.atomic import write_jsonl

        write_jsonl(path, rows, private=True, force=force, inputs=[replies])
    write_text(target, made["text"], force=force)
    if json_out:
        emit({"study": str(target), **made["document"], "next": ["judgekit", "run", str(folder)]})
        return
    say(f"{target}: written. Read it before the first run: decisions are sealed then.")
    typer.echo(f"judgekit run {shlex.quote(str(folder))}")


def _must_not_be_sealed(folder: Path) -> None:
    """Another study.yaml over sealed decisions would refuse the judged metrics, and leave labels that fit nothing."""
    target = folder / "study.yaml"
    sealed = sorted(folder.glob(".judgekit/*/seals.jsonl"))
    if not (target.exists() and sealed):
        return
    raise UsageProblem(
        "the study is sealed, and is not overwritten",
        path=target,
        field="--force",
        seen=os.path.relpath(sealed[0], folder),
        why="its seals hold what was decided before the scores; with another study.yaml the judged metrics would be "
        "refused as decided too late, and labels and answers would be those of another study",
        remedy=f"make the new study in another folder; or drop this one, labels and seals included: "
        f"judgekit purge {shlex.quote(str(folder))} --all",
    )


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise BadInput(
            "the folder cannot be made",
            path=folder,
            why=problem.strerror or str(problem),
            remedy="name a folder, or one that is not there yet",
        ) from None


def _stated(column: list[str] | None) -> dict[str, str]:
    stated = {}
    for entry in column or []:
        canonical, sign, actual = entry.partition("=")
        if not sign or not canonical or not actual:
            raise UsageProblem(
                "not CANONICAL=COLUMN", field="--column", seen=entry, remedy="write --column text=Antwort"
            )
        stated[canonical] = actual
    return stated


def _listed(names: str | None) -> list[str]:
    return [name for part in (names or "").split(",") if (name := part.strip())]


def _filled(
    template: str,
    folder: Path,
    replies: Path,
    stated: dict[str, str],
    judge: str | None,
    annotators: list[str],
    *,
    ask: bool,
) -> dict[str, Any]:
    """The study's text for a file of replies, with all that is told of it; nothing is written."""
    from judgekit.intake.draft import draft_study, inspect_table, read_found, replies_of
    from judgekit.intake.numbering import numbered, numbered_rows
    from judgekit.intake.study_text import fill_study, study_name
    from judgekit.judging.handle import make_judge

    handle = make_judge(judge or "lexicon", folder=folder)  # a SPEC that is none stops here, not the first run
    _must_be_a_table(replies)
    inspected = inspect_table(replies, stated)
    if ask:
        inspected = _asked(inspected, replies, stated)
    _must_have_text(inspected)
    found = read_found(numbered(inspected) if "id" not in inspected.mapped.columns else replies_of(inspected, replies))
    draft = draft_study(inspected, found)
    _must_be_read(found, handle)
    place, extra, notes = os.path.relpath(replies.resolve(), folder.resolve()), {}, list(draft.notes)
    guesses, csv = inspected.mapped.guesses, inspected.csv
    if "id" not in inspected.mapped.columns:
        copy = _free(folder, replies)
        extra = {copy: numbered_rows(inspected)}
        place, csv = copy.name, {}
        notes.append(
            f"no column could be the id: a copy with ids row-1, row-2, ... is written as {copy.name} (private)"
        )
    text = fill_study(
        template,
        draft,
        name=study_name(folder.resolve().name),
        replies=place,
        columns=guesses,
        csv=csv,
        judge=judge,
        annotators=annotators,
    )
    _tell(inspected, draft, found.replies, notes)
    document = {
        "replies": found.replies,
        "format": {"kind": inspected.table.format, **inspected.csv},
        "columns": [
            {"canonical": g.canonical, "column": g.column, "confidence": g.confidence, "reason": g.reason}
            for g in guesses
        ],
        "groups": dict(found.groups),
        "templates": len(found.templates),
        "design": draft.design if draft.groups else None,
        "languages": dict(found.languages),
        "notes": notes,
        "doubts": list(draft.doubts),
        "blocked": list(draft.blocked),
    }
    return {"text": text, "numbered": extra, "document": document}


def _free(folder: Path, source: Path) -> Path:
    """Where the numbered copy goes: a name of its own, so that the file it is made of is left as it is."""
    names = ("replies.numbered.jsonl", "replies.numbered-2.jsonl")
    return next(folder / n for n in names if (folder / n).resolve() != source.resolve())


def _must_be_a_table(replies: Path) -> None:
    from judgekit.importers.formats import written_by

    tool = written_by(str(replies))
    if tool is None:
        return
    imported = replies.with_suffix(".replies.jsonl").name
    raise BadInput(
        f"this is a file of {tool.tool}" if tool.name != "hf" else "a column holds conversations, not texts",
        path=replies,
        why="a study is made from a table of replies",
        remedy=f"judgekit import {shlex.quote(str(replies))} -o {shlex.quote(imported)}, then --from {shlex.quote(imported)}"
        if tool.kind == "replies"
        else "labels come in when there is a study: judgekit labels import STUDY FILE",
    )


def _must_have_text(inspected: Inspected) -> None:
    if "text" in inspected.mapped.columns:
        return
    names = ", ".join(inspected.table.columns[:20])
    raise BadInput(
        "no column could be the replies",
        path=inspected.table.path,
        line=inspected.table.header_line,
        field="text",
        why=f"none of {names} holds sentences or has a name that says so",
        remedy="say --column text=COLUMN",
    )


def _must_be_read(found: Found, judge: JudgeHandle) -> None:
    """The embedded judge reads English alone: a study of Spanish replies with it would be refused by the first run."""
    if found.unread:
        raise BadInput(
            f"no reply looked at is in English or Spanish ({found.unread})",
            why="other languages are not blinded, so every reply would be withheld",
            remedy="take English or Spanish replies; if they are, add a column lang that says en or es",
        )
    spanish = found.languages["es"]
    if spanish and judge.languages is not None and "es" not in judge.languages:
        raise BadInput(
            f"{spanish} of {found.languages.total()} replies looked at are in Spanish",
            field="--judge",
            why=f"the judge {judge.id} does not read Spanish",
            remedy="name a judge: --judge openai:MODEL (or another service or program), or --judge stub:seed=1 "
            "to see the path with made-up scores",
        )


def _asked(inspected: Inspected, replies: Path, stated: dict[str, str]) -> Inspected:
    """The columns after the person at the terminal was asked about every guess."""
    from judgekit.intake.draft import inspect_table
    from judgekit.printable import printable

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageProblem("nobody can be asked here", field="--ask", why="this is no terminal", remedy="use --column")
    said, refused = dict(stated), set()
    for guess in inspected.mapped.guesses:
        if guess.confidence in {"stated", "certain"}:
            continue
        question = f"{guess.canonical} = {printable(guess.column)} ({guess.confidence}: {printable(guess.reason)})?"
        if typer.confirm(question, default=True, err=True):
            said[guess.canonical] = guess.column
        else:
            refused.add(guess.canonical)
    again = inspect_table(replies, said)
    mapped = again.mapped
    for canonical in refused:
        mapped = mapped.without(canonical)
    return type(again)(table=again.table, mapped=mapped)


def _tell(inspected: Inspected, draft: Draft, replies: int, notes: list[str]) -> None:
    written = inspected.table.format + "".join(f", {k} {v!r}" for k, v in inspected.csv.items())
    say(f"{inspected.table.path}: {replies} replies ({written})")
    rows = [[g.canonical, g.column, g.confidence, g.reason] for g in inspected.mapped.guesses]
    say(
        table(["column", "in the file", "how sure", "why"], rows) if not _narrow() else _lines(inspected.mapped.guesses)
    )
    for group in draft.groups:
        names = f", {len(group.names)} names" if group.names else ""
        say(f"group {group.value}: {group.label}{names}")
    if draft.groups:
        say(f"design: {draft.design}; language: {draft.lang}")
    for line in draft.doubts:
        say(f"warning: {line}")
    for line in notes:
        say(f"note: {line}")
    for line in draft.blocked:
        say(f"not possible: {line}")


def _narrow() -> bool:
    import shutil

    return sys.stderr.isatty() and shutil.get_terminal_size().columns < 90


def _lines(guesses: tuple[ColumnGuess, ...]) -> str:
    return "\n".join(f"{g.canonical} = {g.column}\n   {g.confidence}: {g.reason}" for g in guesses)
