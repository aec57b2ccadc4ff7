"""``judgekit blind`` and ``judgekit verify``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from judgekit.cli.output import Progress, emit, say, table

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
        lang=lang, ner=ner, known_names=known_names, packs=tuple(str(p) for p in pack or ()), keep=tuple(keep or ())
    )
    counts = blind_file(replies, output, options, workers=workers, force=force, progress=progress)
    progress.close()
    document: dict[str, Any] = {**counts.document(), "seconds": round(time.perf_counter() - started, 3)}
    if json_out:
        emit(document)
    else:
        rows = [[g, c["in"], c["verified"], c["withheld"], c["share"]] for g, c in document["by_group"].items()]
        typer.echo(table(["group", "in", "verified", "withheld", "share"], rows))
        if counts.codes:
            typer.echo("withheld because: " + ", ".join(f"{k} {v}" for k, v in sorted(counts.codes.items())))
        say(
            f"{output}: {document['verified']} verified, {document['withheld']} withheld. "
            f"Names and groups: {counts.design.name} (private)."
        )
    if strict and document["withheld"]:
        raise typer.Exit(6)


def verify(
    blinded: Annotated[Path, typer.Argument(help="What `judgekit blind` wrote.")],
    json_out: Json = False,
) -> None:
    """Check blinded texts for cues that are left: exit 0 when there are none, 6 when there are."""
    from judgekit.blinding.verify import Verifier
    from judgekit.files.blinded import design_path, read_blinded
    from judgekit.records import Withheld

    verifier = Verifier()
    n, found = 0, []
    for stored in read_blinded(blinded):
        n += 1
        result = verifier.verify(stored.masked)
        if isinstance(result, Withheld):
            found.append(result)
    known = design_path(blinded).is_file()
    if json_out:
        emit(
            {
                "in": n,
                "verified": n - len(found),
                "withheld": len(found),
                "known_names": known,
                "findings": [{"id": w.item, "code": w.code, "leaks": w.leaks} for w in found],
            }
        )
    else:
        rows = [
            [w.item, w.code, leak.field, f"{leak.start}-{leak.end}", leak.kind, leak.rule]
            for w in found
            for leak in w.leaks
        ] + [[w.item, w.code, "-", "-", "-", "-"] for w in found if not w.leaks]
        if rows:
            typer.echo(table(["id", "code", "field", "place", "kind", "rule"], rows))
        typer.echo(f"{n} texts: {n - len(found)} clean, {len(found)} to withhold")
        if not known:
            say("no design file beside it: known names could not be looked for")
    if found:
        raise typer.Exit(6)
