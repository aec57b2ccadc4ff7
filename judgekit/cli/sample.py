"""``judgekit sample``."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judgekit.cli.blinded_options import NoDesign, say_names_unknown
from judgekit.cli.output import emit, say, table
from judgekit.errors import BadInput, UsageProblem
from judgekit.printable import printable

if TYPE_CHECKING:
    from judgekit.labelling.pairs import Comparison
    from judgekit.labelling.sampling import Draw
    from judgekit.records import BlindedReply, Reply, Rubric
    from judgekit.workspace import Workspace

_STRATA = ("group", "template_id", "name", "name_pair", "replicate", "case_type", "lang")


def sample(
    ctx: typer.Context,
    blinded: Annotated[
        Path, typer.Argument(help="What `judgekit blind` wrote, its design file beside it; with --add: a study.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="SAMPLE.jsonl; SAMPLE.key.jsonl is written beside it.")
    ] = None,
    n: Annotated[int | None, typer.Option("--n", help="Different texts to label.")] = None,
    rubric: Annotated[
        list[str] | None, typer.Option("--rubric", help="A bundled rubric or a YAML file; repeatable.")
    ] = None,
    annotators: Annotated[str | None, typer.Option(help="The roster, such as ana,karim.")] = None,
    add: Annotated[
        int | None, typer.Option("--add", min=1, help="Add so many texts to the sample of a study; labels given stay.")
    ] = None,
    overlap: Annotated[
        float, typer.Option(help="Share (0 to 1), or above 1 the number, of texts that everybody labels.")
    ] = 1.0,
    repeats: Annotated[float, typer.Option(help="Share of each annotator's texts shown twice, unmarked.")] = 0.10,
    seed: Annotated[int, typer.Option(help="Makes draw, orders and sides reproducible.")] = 20260101,
    strata: Annotated[str, typer.Option(help="Columns of the design, separated by commas.")] = "group,template_id",
    practice: Annotated[int, typer.Option(min=0, help="Texts to practise on first, not stored.")] = 3,
    tryout: Annotated[int, typer.Option(min=0, help="Texts beside the sample for `judgekit tryout`.")] = 20,
    score_bands: Annotated[
        Path | None,
        typer.Option(
            help="Judgments: draw as many low as high scores. Not representative: needs the weights of the key."
        ),
    ] = None,
    pairs: Annotated[Path | None, typer.Option(help="Compare replies: rows of pair_id, a_item, b_item.")] = None,
    folder: Annotated[str, typer.Option(help="Where labels go, relative to the sample.")] = "labels",
    no_design: NoDesign = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the outputs.")] = False,
    json_out: Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")] = False,
) -> None:
    """Draw texts for people to label: stratified, seeded, with hidden repeats, and blind to judge and group."""
    from judgekit.files.disk import check_output
    from judgekit.files.labels import key_path, label_path, write_key, write_sample
    from judgekit.labelling.opening import make_sample
    from judgekit.labelling.sampling import draw_sample

    if add is not None:
        _add(ctx, blinded, add, json_out=json_out)
        return
    if output is None or n is None or not rubric or annotators is None:
        raise _missing({"--output": output, "--n": n, "--rubric": rubric or None, "--annotators": annotators})
    rubrics = _rubrics(rubric)
    fields = _fields(strata)
    roster = tuple(name.strip() for name in annotators.split(",") if name.strip())
    for name in roster:
        label_path(folder, name)
    for path in (output, key_path(output)):
        check_output(path, force=force, inputs=[blinded])
    replies, design, withheld = read_verified(blinded, no_design=no_design)
    say_names_unknown(blinded)
    bands = None
    if score_bands is not None:
        bands = _bands(score_bands, _dimensions(rubrics))
        fields = (*fields, "score_band")
        say("drawn by the judge's score: not representative, use the inclusion probabilities of the key as weights")
    frame: Sequence[BlindedReply] | Sequence[Comparison] = replies
    if pairs is not None:
        frame, design, without = _paired(pairs, replies)
        withheld |= {f"pairs, {reason}": count for reason, count in without.items()}
    draw = draw_sample(
        frame,
        design,
        n=n,
        annotators=roster,
        overlap=overlap,
        repeats=repeats,
        strata=fields,
        seed=seed,
        practice=practice,
        tryout=tryout,
        bands=bands,
    )
    # The key first: a sample without its key could be labelled but never used.
    write_key(key_path(output), draw.keys, force=force)
    write_sample(output, make_sample(draw, rubrics, folder=folder, pairs=pairs is not None), force=force)
    report = _document if json_out else _print
    report(draw, output, withheld)
    if pairs is None:
        _say_too_small(draw, replies)


def _missing(given: Mapping[str, object]) -> UsageProblem:
    missing = [option for option, value in given.items() if value is None]
    return UsageProblem(
        "an option is missing",
        field=missing[0],
        why="a sample of blinded texts needs --output, --n, --rubric and --annotators",
        remedy=f"give {', '.join(missing)}; or give a study with --add N to add texts to its sample",
    )


def _add(ctx: typer.Context, place: Path, more: int, *, json_out: bool) -> None:
    from judgekit.cli.unused import refuse_unused
    from judgekit.sampling_stage import add_to_study_sample
    from judgekit.workspace import Workspace, study_of

    others = [name for name in ctx.params if name not in {"blinded", "add", "json_out"}]
    refuse_unused(ctx, others, "with --add", "leave it out: the study and its sample have it decided")
    study = study_of(place)
    space = Workspace(study, study.base)  # paths alone: a refusal leaves no folder behind
    draw = add_to_study_sample(space, more)
    report = _document if json_out else _print
    report(draw, space.sample, {})
    _say_still_too_small(space, place)


def _say_too_small(draw: Draw, replies: Sequence[BlindedReply]) -> None:
    """Two people should not label for nothing; a study may need fewer texts, or more."""
    from judgekit.labelling.enough import too_small
    from judgekit.study_blocks import Calibration

    different = len({reply.text_hash for reply in replies})
    texts = sum(task.repeat_of is None for task in draw.tasks)
    needed = Calibration().min_labels
    small = too_small(texts, needed, replies=len(replies), different=different)
    if small:
        more = "; give a larger --n" if different >= needed else ""
        say(f"{small}{more} ({needed} is the default of calibration.min_labels in a study)")


def _say_still_too_small(space: Workspace, place: Path) -> None:
    from judgekit.files.labels import read_sample
    from judgekit.labelling.enough import too_small

    needed = space.study.calibration.min_labels
    texts = sum(task.repeat_of is None for task in read_sample(space.sample).tasks)
    more = f"judgekit sample {shlex.quote(os.fspath(place))} --add {needed - texts}"
    small = too_small(texts, needed, replies=needed, different=needed, adding=more)
    if small:
        say(small)


def _rubrics(names: Sequence[str]) -> list[Rubric]:
    from judgekit.labelling.opening import check_levels
    from judgekit.rubric import load_rubric

    rubrics = [load_rubric(name) for name in names]
    dimensions = _dimensions(rubrics)
    if len(set(dimensions)) < len(dimensions):
        raise UsageProblem("two rubrics ask for the same dimension", field="--rubric", seen=",".join(dimensions))
    check_levels(rubrics)
    return rubrics


def _dimensions(rubrics: Sequence[Rubric]) -> list[str]:
    return [dimension for rubric in rubrics for dimension in rubric.dimensions]


def _fields(strata: str) -> tuple[str, ...]:
    fields = tuple(field.strip() for field in strata.split(",") if field.strip())
    for field in fields:
        if field not in _STRATA:
            raise UsageProblem(
                "no such stratum",
                field="--strata",
                seen=field,
                why=f"known are {', '.join(_STRATA)}",
                remedy="name one of them",
            )
    return fields


def read_verified(
    path: Path, *, no_design: bool = False
) -> tuple[list[BlindedReply], dict[str, Reply], dict[str, int]]:
    """Read blinded texts and verify every one again, whatever its status says.

    Parameters
    ----------
    path : Path
        What `judgekit blind` wrote.
    no_design : bool
        As `files.verified.iter_verified`.

    Returns
    -------
    replies : list of BlindedReply
        What the verifier passes now.
    design : dict of str to Reply
        From the design file beside it; without one, replies without groups.
    withheld : dict of str to int
        Counts by reason of the texts left out.
    """
    from judgekit.files.verified import iter_verified
    from judgekit.records import Withheld

    passed: list[BlindedReply] = []
    design: dict[str, Reply] = {}
    withheld: dict[str, int] = {}
    for stored, result in iter_verified(path, no_design=no_design):
        design[stored.reply.id] = stored.reply
        if isinstance(result, Withheld):
            withheld[result.code] = withheld.get(result.code, 0) + 1
        else:
            passed.append(result)
    return passed, design, withheld


def _bands(path: Path, dimensions: Sequence[str]) -> dict[str, str]:
    """Bands of the judge's mean score; of several dimensions, the rubric's first that was judged."""
    from judgekit.files.atomic import iter_jsonl
    from judgekit.labelling.sampling import score_bands

    found: dict[str, dict[str, list[float]]] = {}
    for _, row in iter_jsonl(path):
        score = row.get("score")
        if isinstance(score, int | float) and not isinstance(score, bool):
            found.setdefault(str(row.get("dimension")), {}).setdefault(str(row.get("item")), []).append(float(score))
    wanted = next((dimension for dimension in dimensions if dimension in found), None)
    if wanted is None:
        raise BadInput(
            "no score of this rubric's dimensions",
            path=path,
            seen=", ".join(sorted(found)) or "no scores",
            why=f"the rubric asks for {', '.join(dimensions)}",
            remedy="give what `judgekit judge` wrote for this rubric",
        )
    return score_bands({item: sum(scores) / len(scores) for item, scores in found[wanted].items()})


def _paired(path: Path, replies: Sequence[BlindedReply]) -> tuple[list[Comparison], dict[str, Reply], dict[str, int]]:
    from judgekit.files.tables import read_pairs
    from judgekit.labelling.pairs import comparisons
    from judgekit.records import Reply

    wanted = read_pairs(path)
    usable, left_out = comparisons(wanted, replies)
    return usable, {p.pair_id: Reply(id=p.pair_id, text="", unit_id=p.unit_id) for p in wanted}, left_out


def _strata(draw: Draw) -> dict[tuple[str, ...], int]:
    counts: dict[tuple[str, ...], int] = {}
    for key in draw.keys:
        if key.repeat_of is None:
            counts[key.stratum] = counts.get(key.stratum, 0) + 1
    return dict(sorted(counts.items()))


def _facts(draw: Draw, output: Path, withheld: Mapping[str, int]) -> dict[str, Any]:
    from judgekit.files.labels import key_path

    firsts = [task for task in draw.tasks if task.repeat_of is None]
    return {
        "sample": str(output),
        "key": str(key_path(output)),
        "n": len(firsts),
        "repeats": len(draw.tasks) - len(firsts),
        "practice": len(draw.practice),
        "tryout": len(draw.tryout),
        "seed": draw.seed,
        "per_annotator": {name: len(ids) for name, ids in draw.assignments.items()},
        "strata": [{"stratum": list(stratum), "n": count} for stratum, count in _strata(draw).items()],
        "shortfalls": [{"name": s.name, "planned": s.planned, "drawn": s.drawn} for s in draw.shortfalls],
        "merged": draw.merged,
        "withheld": dict(withheld),
        "commands": {
            name: f"judgekit label {shlex.quote(os.fspath(output))} --as {shlex.quote(name)}"
            for name in draw.assignments
        },
    }


def _document(draw: Draw, output: Path, withheld: Mapping[str, int]) -> None:
    emit(_facts(draw, output, withheld))


def _print(draw: Draw, output: Path, withheld: Mapping[str, int]) -> None:
    facts = _facts(draw, output, withheld)
    rows: Sequence[Sequence[object]] = [[", ".join(filter(None, s)) or "all", n] for s, n in _strata(draw).items()]
    typer.echo(table(["stratum", "texts"], rows))
    typer.echo(
        f"{facts['n']} texts, {facts['repeats']} shown twice, {facts['practice']} to practise on; seed {draw.seed}"
    )
    if withheld:
        typer.echo("left out: " + ", ".join(f"{code} {count}" for code, count in sorted(withheld.items())))
    if draw.merged:
        typer.echo(f"left out, another reply has the same masked text: {draw.merged}")
    for shortfall in draw.shortfalls:
        say(f"less than planned: {shortfall}")
    say(f"{output}: what raters open. {facts['key']}: strata and repeats, for you alone.")
    for name, count in facts["per_annotator"].items():
        typer.echo(f"{printable(name)} ({count} items): {printable(facts['commands'][name])}")
