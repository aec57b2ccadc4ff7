"""``judgekit guess-group``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from judgekit.cli.output import Progress, emit, say, table
from judgekit.cli.study_options import Json
from judgekit.errors import UsageProblem
from judgekit.records import Interval, Undefined

if TYPE_CHECKING:
    from judgekit.guessing.guess import Guess
    from judgekit.guessing.stored import Material
    from judgekit.guessing.telling import Telling

WEAK = (
    "A low AUC is weak evidence: such a classifier reaches only about 0.55 where a third of the texts leak, so 0.5 proves "
    "no blinding."
)
FREE_REPLIES = (
    "A high AUC on free replies may be the finding itself (the groups get other wording), no leak: look at the n-grams, and "
    "at --on context, where the texts of one template are copies and should tell nothing."
)
A_LEAD = "The n-grams are a lead: the classifier that lists them has seen every text, and lists some whatever they are worth."
OF_EXPLANATIONS = (
    "A high AUC on explanations says that the judge writes otherwise about the groups: it may have guessed the group, or the "
    "replies differ. Compare with the AUC of the texts."
)


def guess_group(
    blinded: Annotated[Path, typer.Argument(help="What `judgekit blind` wrote; every text is verified again.")],
    group: Annotated[str, typer.Option("--group", help="The column of the design to guess.")],
    by: Annotated[str, typer.Option("--by", help="The column to hold out whole: the template.")],
    groups: Annotated[
        str | None, typer.Option(help="Two or more of its values, separated by commas; all by default.")
    ] = None,
    unblinded: Annotated[
        Path | None, typer.Option(help="The replies before blinding; by default the design's slots restore them.")
    ] = None,
    on: Annotated[
        Literal["text", "reply", "context", "explanations"],
        typer.Option(help="The reply after its context, one of the two, or what the judge explained."),
    ] = "text",
    judgments: Annotated[Path | None, typer.Option(help="For --on explanations: what `judgekit judge` wrote.")] = None,
    folds: Annotated[int, typer.Option(min=2, max=100, help="Parts that the templates are dealt into.")] = 5,
    seed: Annotated[int, typer.Option(help="Seed of folds and resamples.")] = 20260101,
    level: Annotated[float, typer.Option(min=0.5, max=0.999, help="Level of the intervals.")] = 0.95,
    top: Annotated[int, typer.Option(min=0, max=100, help="N-grams to list per group and kind.")] = 10,
    pack: Annotated[list[Path] | None, typer.Option(help="A cue pack, as given to `blind`; repeatable.")] = None,
    keep: Annotated[list[str] | None, typer.Option(help="A word that is no cue, as given to `blind`.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 1 when the groups are told apart, 4 when that is undefined.")
    ] = False,
    json_out: Json = False,
) -> None:
    """Can a classifier guess the group from the blinded text? AUC on templates it has never seen; 0.5 is guessing.

    Told apart: the whole interval lies above 0.5. Ends with 0 when it did its work, unless --strict is given.
    """
    from judgekit.guessing.guess import guess_group as guess
    from judgekit.guessing.stored import read_material
    from judgekit.guessing.telling import telling

    if (on == "explanations") != (judgments is not None):
        raise UsageProblem(
            "--on explanations and --judgments go together",
            field="--judgments",
            remedy="name the file that `judgekit judge` wrote, or leave both out",
        )
    line = Progress("guessing", 3)
    material = read_material(
        blinded,
        group=group,
        by=by,
        on=on,
        unblinded=unblinded,
        judgments=judgments,
        packs=tuple(str(p) for p in pack or ()),
        keep=tuple(keep or ()),
        only=_wanted(groups),
    )
    where = (material.groups, material.templates)
    options: dict[str, Any] = {"folds": folds, "seed": seed, "level": level}
    line(0)
    found = guess(material.texts, *where, **options)
    line(1)
    before: Guess | Undefined = (
        material.originals
        if isinstance(material.originals, Undefined)
        else guess(material.originals, *where, **options)
    )
    line(2)
    of_text = guess(material.blinded, *where, **options) if on == "explanations" else None
    leads = telling(material.texts, *where, top=top) if top else ()
    line.close()
    if json_out:
        emit(_document(found, before, of_text, leads, material) | {"on": on, "group": group, "by": by, **options})
    else:
        _print(found, before, of_text, leads, material, on)
    if strict and found.verdict != "not told apart":
        raise typer.Exit(1 if found.verdict == "told apart" else 4)


def _wanted(groups: str | None) -> list[str]:
    names = [name.strip() for name in (groups or "").split(",") if name.strip()]
    if groups is not None and len(set(names)) < 2:
        raise UsageProblem("a comparison needs two groups", field="--groups", seen=groups, remedy="--groups A,B")
    return names


def _document(
    found: Guess,
    before: Guess | Undefined,
    of_text: Guess | None,
    leads: tuple[Telling, ...],
    material: Material,
) -> dict[str, Any]:
    """The document of ``--json``: a number that does not exist is null, and ``undefined`` says why."""
    document: dict[str, Any] = {
        **_area("", found.auc, found.interval),
        **_area("pooled_", found.pooled_auc, found.pooled_interval),
        "ci_method": found.interval.method if isinstance(found.interval, Interval) else None,
        "n": found.n,
        "templates": found.templates,
        "groups": found.groups,
        "verdict": found.verdict,
        "per_group": [
            {"group": g.group, "n": g.n, "templates": g.templates}
            | _area("", g.auc, g.interval)
            | _area("pooled_", g.pooled_auc, g.pooled_interval)
            for g in found.per_group
        ],
        "per_pair": [
            {"a": p.a, "b": p.b, "templates": p.templates} | _area("", p.auc, p.interval) for p in found.per_pair
        ],
        "telling": leads,
        "by_group": material.by_group,
        "withheld": sum(row["withheld"] for row in material.by_group.values()),
        "left_out": found.left_out,
        "cut": found.cut,
        "warning": _warnings(of_text, leads),
    }
    for prefix, guess in (("unblinded_", before), ("text_", of_text)):
        document |= _area(prefix, getattr(guess, "auc", None), getattr(guess, "interval", None))
    reasons = {"auc": found.auc, "ci": found.interval, "unblinded_auc": getattr(before, "auc", before)}
    document["undefined"] = {name: str(value) for name, value in reasons.items() if isinstance(value, Undefined)}
    return document


def _warnings(of_text: Guess | None, leads: tuple[Telling, ...]) -> list[str]:
    """What must be said with the numbers, whatever they are."""
    return [WEAK, FREE_REPLIES, *([OF_EXPLANATIONS] if of_text else []), *([A_LEAD] if leads else [])]


def _area(prefix: str, auc: Any, interval: Any) -> dict[str, Any]:
    return {
        f"{prefix}auc": auc if isinstance(auc, float) else None,
        f"{prefix}ci": [interval.low, interval.high] if isinstance(interval, Interval) else None,
    }


def _print(
    found: Guess,
    before: Guess | Undefined,
    of_text: Guess | None,
    leads: tuple[Telling, ...],
    material: Material,
    on: str,
) -> None:
    shown = {"text": "blinded texts", "reply": "blinded replies", "context": "blinded contexts"}.get(on, on)
    rows = [[shown, *_cells(found.auc, found.interval), found.n, found.templates]]
    rows.append([f"{shown}, pooled", *_cells(found.pooled_auc, found.pooled_interval), found.n, None])
    for name, guess in (("before blinding", before), ("the texts explained", of_text)):
        if guess is not None and not isinstance(guess, Undefined):
            rows.append([name, *_cells(guess.auc, guess.interval), guess.n, guess.templates])
    if len(found.per_group) > 2:
        rows += [[f"{g.group} or not", *_cells(g.auc, g.interval), g.n, g.templates] for g in found.per_group]
    typer.echo(table(["group guessed from", "AUC", "low", "high", "texts", "templates"], rows))
    for name, value in (("AUC", found.auc), ("interval", found.interval)):
        if isinstance(value, Undefined):
            typer.echo(f"{name}: {value}")
    if isinstance(before, Undefined):
        say(f"before blinding: {before}")
    typer.echo(f"the groups are {found.verdict}" if found.verdict != "undefined" else "no verdict: undefined")
    left = {"withheld": 0, "no text": 0, "other group": 0}
    for row in material.by_group.values():
        left = {name: n + row[name] for name, n in left.items()}
    counted = {name: n for name, n in (left | dict(found.left_out)).items() if n}
    if counted:
        typer.echo("not used: " + ", ".join(f"{name} {n}" for name, n in counted.items()))
    if found.cut:
        typer.echo(f"{found.cut} long texts: only the beginning was looked at")
    if leads:
        typer.echo("")
        typer.echo(
            table(
                ["group", "kind", "most telling", "weight", "templates", "texts"],
                [[t.group, t.kind, t.ngram.replace(" ", "␣"), t.weight, t.templates, t.texts] for t in leads],
            )
        )
    typer.echo("")
    for line in _warnings(of_text, leads):
        typer.echo(line)


def _cells(auc: Any, interval: Any) -> list[Any]:
    return [auc if isinstance(auc, float) else None, getattr(interval, "low", None), getattr(interval, "high", None)]
