"""``judgekit gap``."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from judgekit.cli.output import emit, table
from judgekit.cli.study_options import Json, assessed, exit_codes, wanted_groups
from judgekit.errors import UsageProblem
from judgekit.printable import printable
from judgekit.records import Contrast, Gap, Refused, Undefined

if TYPE_CHECKING:
    from judgekit.gaps import HumanGap

AS_SUPPLIED = "as supplied, not vouched for"


def gap(
    ctx: typer.Context,
    place: Annotated[Path, typer.Argument(help="A table with template_id, group and the metric; or a study or run.")],
    metric: Annotated[str, typer.Option(help="The column, or the study's metric.")],
    groups: Annotated[
        str | None, typer.Option(help="Two or more groups, separated by commas; first minus second.")
    ] = None,
    margin: Annotated[float | None, typer.Option(help="For a table: gaps inside plus or minus this pass.")] = None,
    claim: Annotated[
        Literal["groups", "these_names"], typer.Option(help="For a table: what the claim is about.")
    ] = "groups",
    level: Annotated[float, typer.Option(min=0.5, max=0.999, help="For a table: level of the interval.")] = 0.95,
    seed: Annotated[int, typer.Option(help="For a table: seed of Monte-Carlo draws.")] = 20260101,
    pairwise: Annotated[
        bool, typer.Option("--pairwise", help="For a table of pairs: the metric holds a, b, tie or inconsistent.")
    ] = False,
    disparity: Annotated[
        bool, typer.Option("--disparity", help="For a table of 0 and 1: fixed thresholds on rates, by case type too.")
    ] = False,
    words: Annotated[bool, typer.Option("--words", help="For a study: also the words that differ, as a lead.")] = False,
    json_out: Json = False,
) -> None:
    """Compare groups on one metric, with the template as the unit: exit 0, 1 fail, 4 warn or cannot tell, 5 refused."""
    from judgekit.gate import worst_exit_code
    from judgekit.reporting.machine import gaps_document

    codes: dict[str, int]
    _refuse_unused(ctx, place)
    if pairwise:
        _pairwise(
            place,
            _Asked(metric=metric, groups=wanted_groups(groups), claim=claim, margin=margin, level=level, seed=seed),
            json_out,
        )
        return
    if disparity:
        _disparity(place, metric, json_out)
        return
    if words and not _is_study(place):
        raise UsageProblem("words are found in a study's replies", field="--words", remedy="name the study")
    if _is_study(place):
        if margin is not None:
            raise UsageProblem(
                "a study's margin is the sealed one", field="--margin", seen=margin, remedy="change it in the study"
            )
        codes, met = _from_study(place, metric, wanted_groups(groups))
        document = gaps_document(met.gaps, met.refused, met.human)
        if words:
            document["words"] = _words(place, met)
    else:
        asked = _Asked(metric=metric, groups=wanted_groups(groups), claim=claim, margin=margin, level=level, seed=seed)
        codes, met = {}, _Met(gaps=_from_table(place, asked))
        document = gaps_document(met.gaps, ()) | {"source": AS_SUPPLIED}
    if json_out:
        emit(document)
    else:
        if not _is_study(place):
            typer.echo(AS_SUPPLIED)
        _print(met)
        if words:
            from judgekit.cli.gap_extras import print_words

            print_words(document["words"])
    if code := worst_exit_code(met.gaps, met.refused, codes):
        raise typer.Exit(code)


def _refuse_unused(ctx: typer.Context, place: Path) -> None:
    from judgekit.cli.unused import refuse_unused

    if ctx.params["disparity"]:
        names = ("margin", "groups", "claim", "level", "seed", "words", "pairwise")
        refuse_unused(ctx, names, "with --disparity", "leave it out: thresholds are fixed, and all groups are compared")
    elif ctx.params["pairwise"]:
        refuse_unused(ctx, ("words",), "with --pairwise", "leave it out")
    elif _is_study(place):
        refuse_unused(ctx, ("level", "claim", "seed"), "for a study, which seals its own", "change it in the study")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is asked of a table."""

    metric: str
    groups: list[str] | None
    claim: Literal["groups", "these_names"]
    margin: float | None
    level: float
    seed: int


def _pairwise(place: Path, asked: _Asked, json_out: bool) -> None:
    from judgekit.cli.gap_extras import preference_document, print_preference
    from judgekit.gate import gate_exit_code
    from judgekit.supplied import refuse_own_choices

    if _is_study(place):
        raise UsageProblem(
            "pairs are read from a table as supplied",
            path=place,
            field="--pairwise",
            remedy="name a CSV or JSONL file with template_id and the outcome of every pair",
        )
    refuse_own_choices(place, asked.metric)
    document, found, verdict = preference_document(
        place, asked.metric, asked.groups, claim=asked.claim, margin=asked.margin, level=asked.level, seed=asked.seed
    )
    if json_out:
        emit({"preference": document, "source": AS_SUPPLIED})
    else:
        typer.echo(AS_SUPPLIED)
        print_preference(document, found)
    if code := gate_exit_code(verdict, {}):
        raise typer.Exit(code)


def _disparity(place: Path, metric: str, json_out: bool) -> None:
    from judgekit.cli.gap_extras import disparity_document, print_disparity
    from judgekit.supplied import refuse_own_scores

    if _is_study(place):
        raise UsageProblem(
            "rates are read from a table as supplied", path=place, field="--disparity", remedy="name a table"
        )
    refuse_own_scores(place, metric)
    document = disparity_document(place, metric)
    if json_out:
        emit({"disparity": document, "source": AS_SUPPLIED})
    else:
        typer.echo(AS_SUPPLIED)
        print_disparity(document)
    verdict = document["overall"]["verdict"]
    if verdict != "pass":
        raise typer.Exit(1 if verdict == "fail" else 4)


def _words(place: Path, met: _Met) -> list[dict[str, Any]]:
    from judgekit.cli.gap_extras import words_document
    from judgekit.workspace import study_of

    shown = [*(g.contrast for g in met.gaps), *(r.contrast for r in met.refused if r.contrast)]
    return words_document(study_of(place), list(dict.fromkeys(shown)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Met:
    """What there is to say about one metric."""

    gaps: tuple[Gap, ...] = ()
    refused: tuple[Refused, ...] = ()
    human: tuple[HumanGap, ...] = ()


def _is_study(place: Path) -> bool:
    return place.is_dir() or place.suffix.lower() in {".yaml", ".yml"}


def _from_study(place: Path, metric: str, groups: list[str] | None) -> tuple[dict[str, int], _Met]:
    study, findings = assessed(place)
    if study.groups is None:
        raise UsageProblem(
            "the study has no groups to compare",
            path=study.file,
            field="groups",
            why="a gap needs two groups",
            remedy="see `judgekit report` for the means of its counted metrics, or declare groups",
        )
    pairs = None if groups is None else {frozenset(p) for p in combinations(groups, 2)}

    def wanted(name: str, contrast: Contrast | None) -> bool:
        return name == metric and (
            pairs is None or (contrast is not None and frozenset((contrast.a, contrast.b)) in pairs)
        )

    met = _Met(
        gaps=tuple(g for g in findings.gaps if wanted(g.metric, g.contrast)),
        refused=tuple(r for r in findings.refused if wanted(r.dimension, r.contrast)),
        human=tuple(h for h in findings.human_gaps if wanted(h.dimension, h.contrast)),
    )
    if not met.gaps and not met.refused:
        names = sorted({g.metric for g in findings.gaps} | {r.dimension for r in findings.refused})
        raise UsageProblem(
            "no such metric or comparison in this study",
            field="--metric",
            seen=metric,
            why=f"it has {', '.join(names) or 'none'}",
            remedy="name one of them",
        )
    return exit_codes(study), met


def _from_table(place: Path, asked: _Asked) -> tuple[Gap, ...]:
    from judgekit.files.tables import iter_metric_table
    from judgekit.gaps import supplied_gap
    from judgekit.statistics.cells import cell_means
    from judgekit.supplied import refuse_own_scores

    if asked.margin is not None and asked.margin <= 0:
        raise UsageProblem(
            "a margin is larger than 0", field="--margin", seen=asked.margin, remedy="give it in the metric's unit"
        )
    refuse_own_scores(place, asked.metric)
    cells = cell_means(iter_metric_table(place, metric=asked.metric))
    met = list(cells.groups)
    chosen = asked.groups or met
    strangers = [g for g in chosen if g not in met]
    if strangers or len(chosen) < 2:
        raise UsageProblem(
            "no such group in the table" if strangers else "only one group was met",
            path=place,
            field="group",
            seen=", ".join(strangers or met),
            why=f"the table has {', '.join(met) or 'none'}",
            remedy="name two of them with --groups A,B" if len(met) > 1 else "add the other group's rows",
        )
    return tuple(
        supplied_gap(
            cells,
            asked.metric,
            Contrast(a, b),
            claim=asked.claim,
            margin=asked.margin,
            level=asked.level,
            seed=asked.seed,
        )
        for a, b in combinations(chosen, 2)
    )


def _print(met: _Met) -> None:
    from judgekit.reporting.words import contrast_words, estimate_words, reason_words

    for gap in met.gaps:
        _print_gap(gap)
    for r in met.refused:
        typer.echo(f"{printable(r.dimension)}, {contrast_words(r.contrast)}: REFUSED")
        for reason in r.reasons:
            typer.echo(f"  {reason_words(reason)}")
    shown = {g.contrast for g in met.gaps}
    for h in met.human:
        if h.contrast not in shown:
            e = h.estimate
            typer.echo(
                f"{printable(h.dimension)}, {contrast_words(h.contrast)}, people's own scores: {estimate_words(e, 3)} "
                f"on {e.n_a} and {e.n_b} labelled texts, {e.templates} templates"
            )


def _print_gap(g: Gap) -> None:
    from judgekit.reporting.controls import missing_kind_words, noise_words
    from judgekit.reporting.influence import influence_words
    from judgekit.reporting.words import (
        contrast_words,
        counts_words,
        estimate_words,
        level_words,
        missing_words,
        number,
        p_words,
    )

    main, p = g.main, p_words(g)
    typer.echo(
        f"{printable(g.metric)}, {contrast_words(g.contrast)}: {estimate_words(main, 3)}"
        + ("" if p == "-" else f", p {p}")
    )
    if main is not None:
        level = "" if isinstance(main.interval, Undefined) else f"{level_words(main.interval.level)} interval; "
        least = "" if main.min_p is None else f"; smallest reachable p {number(main.min_p, 4)}"
        names = f", {main.names_a} and {main.names_b} names"
        typer.echo(f"  {level}{main.method}; {counts_words(g)}{names}{least}")
    typer.echo(
        f"  failure gap {estimate_words(g.failure_gap, 3)}, missing {missing_words(g)}; {printable(g.direction)}"
        + (f"; margin ±{number(g.margin)}: {g.verdict}" if g.margin is not None else "")
    )
    if g.human_only is not None:
        typer.echo(f"  people alone {estimate_words(g.human_only, 3)}")
    for line in influence_words(g.influence) if g.influence else ():
        typer.echo(f"  {line}")
    for told in (noise_words(g), missing_kind_words(g)):
        if told:
            typer.echo(f"  {printable(told)}")
    for note in dict.fromkeys((*g.notes, *(main.notes if main else ()))):
        typer.echo(f"  note: {printable(note)}")
    if g.per_template:
        typer.echo(table(["template", "gap"], [(t, d) for d, t in sorted((d, t) for t, d in g.per_template.items())]))
    for group, names_of in g.per_name.items():
        if names_of:
            typer.echo(table([f"name ({group})", "mean"], sorted(names_of.items())))
