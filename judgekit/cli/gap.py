"""``judgekit gap``."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from judgekit.cli.output import emit, table
from judgekit.cli.study_options import Json, assessed
from judgekit.errors import RefusedMetric, UsageProblem

AS_SUPPLIED = "as supplied, not vouched for"


def gap(
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
    json_out: Json = False,
) -> None:
    """Compare groups on one metric, with the template as the unit: exit 0, 1 fail, 4 warn or cannot tell, 5 refused."""
    from judgekit.gate import worst_exit_code
    from judgekit.reporting.machine import gaps_document

    codes: Mapping[str, int]
    if _is_study(place):
        if margin is not None:
            raise UsageProblem(
                "a study's margin is the sealed one", field="--margin", seen=margin, remedy="change it in the study"
            )
        codes, found, refused, human = _from_study(place, metric, _wanted(groups))
        document = gaps_document(found, refused, human)
    else:
        codes, found, refused = {}, _from_table(place, metric, _wanted(groups), claim, margin, level, seed), ()
        document = gaps_document(found, ()) | {"source": AS_SUPPLIED}
    if json_out:
        emit(document)
    else:
        _print(found, refused, vouched=_is_study(place))
    if code := worst_exit_code(found, refused, codes):
        raise typer.Exit(code)


def _is_study(place: Path) -> bool:
    return place.is_dir() or place.suffix.lower() in {".yaml", ".yml"}


def _wanted(groups: str | None) -> list[str] | None:
    if groups is None:
        return None
    names = [g.strip() for g in groups.split(",") if g.strip()]
    if len(names) < 2 or len(set(names)) < len(names):
        raise UsageProblem(
            "a comparison needs two different groups", field="--groups", seen=groups, remedy="--groups A,B"
        )
    return names


def _from_study(
    place: Path, metric: str, groups: list[str] | None
) -> tuple[Mapping[str, int], tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
    study, findings = assessed(place)
    pairs = None if groups is None else {frozenset(p) for p in combinations(groups, 2)}

    def wanted(name: str, contrast: Any) -> bool:
        return name == metric and (pairs is None or (contrast and frozenset((contrast.a, contrast.b)) in pairs))

    found = tuple(g for g in findings.gaps if wanted(g.metric, g.contrast))
    refused = tuple(r for r in findings.refused if wanted(r.dimension, r.contrast))
    human = tuple(h for h in findings.human_gaps if wanted(h.dimension, h.contrast))
    if not found and not refused:
        names = sorted({g.metric for g in findings.gaps} | {r.dimension for r in findings.refused})
        raise UsageProblem(
            "no such metric or comparison in this study",
            field="--metric",
            seen=metric,
            why=f"it has {', '.join(names) or 'none'}",
            remedy="name one of them",
        )
    return study.gate.exit_codes, found, refused, human


def _from_table(
    place: Path, metric: str, groups: list[str] | None, claim: Any, margin: float | None, level: float, seed: int
) -> tuple[Any, ...]:
    from judgekit.files.own_scores import find_own_scores
    from judgekit.files.tables import is_own_judgments, iter_metric_table
    from judgekit.gaps import supplied_gap
    from judgekit.records import Contrast
    from judgekit.statistics.cells import cell_means

    if is_own_judgments(place):
        raise RefusedMetric(
            "these are judgekit's own judgments",
            path=place,
            why="a judged number is reported only when the judge is calibrated",
            remedy="run `judgekit calibrate` and `judgekit gap` on the study",
        )
    if margin is not None and margin <= 0:
        raise UsageProblem(
            "a margin is larger than 0", field="--margin", seen=margin, remedy="give it in the metric's unit"
        )
    own = find_own_scores(iter_metric_table(place, metric=metric), place.parent)
    if own is not None:
        raise RefusedMetric(
            f"these are judgekit's own scores of {own.dimension}",
            path=place,
            field=metric,
            why=f"all {own.same} values are those in {own.path}, and a judged number is reported only when the judge is "
            "calibrated",
            remedy="run `judgekit calibrate` and `judgekit gap` on the study",
        )
    cells = cell_means(iter_metric_table(place, metric=metric))
    met = list(cells.groups)
    chosen = groups or met
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
        supplied_gap(cells, metric, Contrast(a, b), claim=claim, margin=margin, level=level, seed=seed)
        for a, b in combinations(chosen, 2)
    )


def _print(found: tuple[Any, ...], refused: tuple[Any, ...], *, vouched: bool) -> None:
    from judgekit.reporting.words import contrast_words, estimate_words, number, p_words, reason_words

    if not vouched:
        typer.echo(AS_SUPPLIED)
    for g in found:
        typer.echo(f"{g.metric}, {contrast_words(g.contrast)}: {estimate_words(g.main, 3)}, p {p_words(g)}")
        main = g.main
        typer.echo(
            f"  {main.method}; {main.templates} templates, {main.names_a} and {main.names_b} names, "
            f"{main.n_a} and {main.n_b} replies; smallest reachable p {number(main.min_p, 4)}"
        )
        typer.echo(
            f"  failure gap {estimate_words(g.failure_gap, 3)}; {g.direction}"
            + (f"; margin ±{number(g.margin)}: {g.verdict}" if g.margin is not None else "")
        )
        for note in g.notes:
            typer.echo(f"  note: {note}")
        typer.echo(table(["template", "gap"], [(t, d) for d, t in sorted((d, t) for t, d in g.per_template.items())]))
        for group, names in g.per_name.items():
            typer.echo(table([f"name ({group})", "mean"], sorted(names.items())))
    for r in refused:
        typer.echo(f"{r.dimension}, {contrast_words(r.contrast)}: REFUSED")
        for reason in r.reasons:
            typer.echo(f"  {reason_words(reason)}")
