"""``judgekit blind`` and ``judgekit verify``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from judgekit.cli.blinded_options import NoDesign, say_names_unknown
from judgekit.cli.output import Progress, emit, say, table
from judgekit.errors import UsageProblem
from judgekit.printable import printable

if TYPE_CHECKING:
    from judgekit.records import Withheld

Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]


def blind(
    replies: Annotated[
        Path, typer.Argument(help="CSV, JSONL or Parquet with id and text; see the README for columns.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="OUT.jsonl; OUT.design.jsonl is written beside it.")],
    lang: Annotated[Literal["auto", "en", "es"], typer.Option(help="Language of rows that do not say.")] = "auto",
    ner: Annotated[
        Literal["auto", "on", "off"], typer.Option(help="Look for unknown people with a language model.")
    ] = "auto",
    known_names: Annotated[bool, typer.Option(help="Use the known_names and name columns.")] = True,
    pack: Annotated[list[Path] | None, typer.Option(help="A cue pack of your own; repeatable.")] = None,
    keep: Annotated[list[str] | None, typer.Option(help="A word that is no cue here; repeatable.")] = None,
    column: Annotated[
        list[str] | None,
        typer.Option("--column", help="Which column is which, such as id=conv or text=answer_text; repeatable."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes.")] = 1,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 6 when a reply is withheld.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the outputs.")] = False,
    json_out: Json = False,
) -> None:
    """Replace names, pronouns and other cues of the group by placeholders, and verify it by separate code."""
    from judgekit.streaming import BlindOptions, blind_file

    started = time.perf_counter()
    progress = Progress("blinding")
    options = BlindOptions(
        lang=lang,
        ner=ner,
        known_names=known_names,
        packs=tuple(str(p) for p in pack or ()),
        keep=tuple(keep or ()),
        columns=_columns(column or []),
    )
    counts = blind_file(replies, output, options, workers=workers, force=force, progress=progress)
    progress.close()
    document: dict[str, Any] = {**counts.document(), "seconds": round(time.perf_counter() - started, 3)}
    if json_out:
        emit(document)
    else:
        shown = ["in", *(["failed"] if counts.failures else []), "verified", "withheld", "share"]
        rows = [[g, *(c[key] for key in shown)] for g, c in document["by_group"].items()]
        typer.echo(table(["group", *shown], rows))
        if counts.failures:
            kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(counts.failures.items()))
            typer.echo(printable(f"failed, nothing to blind: {document['failed']} ({kinds})"))
        if counts.codes:
            typer.echo("withheld because: " + ", ".join(f"{k} {v}" for k, v in sorted(counts.codes.items())))
        say(
            f"{output}: {document['verified']} verified, {document['withheld']} withheld. "
            f"Names and groups: {counts.design.name} (private)."
        )
    if strict and document["withheld"]:
        raise typer.Exit(6)


def _columns(stated: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in stated:
        name, sign, actual = pair.partition("=")
        if not (sign and name.strip() and actual) or name.strip() in found:
            raise UsageProblem(
                "a column is stated twice" if sign and name.strip() in found else "a column is stated as NAME=COLUMN",
                field="--column",
                seen=pair,
                remedy="write --column id=conv, once for every name",
            )
        found[name.strip()] = actual
    return found


_SHOWN = 10_000


def verify(
    blinded: Annotated[Path, typer.Argument(help="What `judgekit blind` wrote, or blinded.jsonl of a run.")],
    no_design: NoDesign = False,
    json_out: Json = False,
) -> None:
    """Check blinded texts for cues that are left: exit 0 when there are none, 6 when there are.

    Without the design file only what is found counts: a text is called clean when told --no-design, and not otherwise.
    """
    from judgekit.files.blinded import find_design
    from judgekit.files.verified import iter_verified, need_design
    from judgekit.records import Withheld

    n = withheld = 0
    found: list[Withheld] = []
    for _, result in iter_verified(blinded, no_design=True):
        n += 1
        if isinstance(result, Withheld):
            withheld += 1
            if len(found) < _SHOWN:
                found.append(result)
    if not withheld and not no_design:
        need_design(blinded)
    if json_out:
        emit(
            {
                "in": n,
                "verified": n - withheld,
                "withheld": withheld,
                "known_names": find_design(blinded) is not None,
                "findings": [{"id": w.item, "code": w.code, "leaks": w.leaks, "leaks_left_out": w.more} for w in found],
                "findings_left_out": withheld - len(found),
            }
        )
    else:
        _print_findings(found)
        if withheld > len(found):
            typer.echo(f"and {withheld - len(found)} more")
        typer.echo(f"{n} texts: {n - withheld} clean, {withheld} to withhold")
    say_names_unknown(blinded)
    if withheld:
        raise typer.Exit(6)


def _print_findings(found: Sequence[Withheld]) -> None:
    rows = [
        [w.item, w.code, leak.field, f"{leak.start}-{leak.end}", leak.kind, leak.rule]
        for w in found
        for leak in w.leaks
    ]
    rows += [[w.item, w.code, "-", "-", "-", f"{w.more} more leaks"] for w in found if w.more]
    rows += [[w.item, w.code, "-", "-", "-", "-"] for w in found if not w.leaks]
    if rows:
        typer.echo(table(["id", "code", "field", "place", "kind", "rule"], rows))
