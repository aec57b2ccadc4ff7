"""``judgekit agree``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from judgekit.cli.output import emit, say, table
from judgekit.errors import BadInput, UsageProblem


def agree(
    ratings: Annotated[Path, typer.Argument(help="Long (item, dimension, annotator, score) or wide (--judge-col).")],
    judge: Annotated[str | None, typer.Option(help="The judge's annotator name.")] = None,
    humans: Annotated[str | None, typer.Option(help="People's annotator names, separated by commas.")] = None,
    judge_col: Annotated[str | None, typer.Option(help="Wide files: the judge's column.")] = None,
    human_cols: Annotated[str | None, typer.Option(help="Wide files: people's columns, separated by commas.")] = None,
    rubric: Annotated[str | None, typer.Option(help="A rubric that declares the levels of each dimension.")] = None,
    levels: Annotated[str | None, typer.Option(help="Declared levels in order, such as 1,2,3,4,5.")] = None,
    nominal: Annotated[bool, typer.Option("--nominal", help="The levels are classes without an order.")] = False,
    weights: Annotated[
        Literal["none", "linear", "quadratic"] | None,
        typer.Option(help="Weights of disagreements; quadratic for ordered levels, none for classes."),
    ] = None,
    by: Annotated[str | None, typer.Option(help="Also for each value of this column.")] = None,
    level: Annotated[float, typer.Option(min=0.5, max=0.999, help="Level of the intervals.")] = 0.95,
    json_out: Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")] = False,
) -> None:
    """How far do judge and people agree? Cohen's kappa on the declared levels, with intervals and the human ceiling."""
    from judgekit.agreement.agree import agree as agree_on
    from judgekit.files.tables import read_ratings

    if judge_col and (judge or humans):
        raise UsageProblem(
            "--judge-col and --judge do not go together",
            why="a file is wide or long",
            remedy="wide: --judge-col C --human-cols A,B; long: --judge ID --humans ID,ID",
        )
    people = _names(human_cols if judge_col else humans)
    who = judge_col or judge
    if not who or not people:
        raise UsageProblem(
            "nobody to compare",
            remedy="long files: --judge ID --humans ID,ID; wide files: --judge-col C --human-cols A,B",
        )
    rows = read_ratings(
        ratings,
        judge_col=judge_col,
        human_cols=tuple(people) if judge_col else (),
        annotators=None if judge_col else [who, *people],
    )
    declared, nominal_by = _levels(levels, rubric, nominal)
    if rubric:
        _must_have(declared, {row.dimension for row in rows}, rubric, ratings)
    try:
        report = agree_on(
            rows,
            judge=who,
            humans=people,
            levels=declared,
            nominal=nominal or nominal_by,
            weights=weights,
            by=by,
            level=level,
        )
    except BadInput as problem:
        # The statistics know the line, not the file.
        if problem.path is None and problem.line is not None:
            problem.path = str(ratings)
        raise
    document = agreement_document(report)
    if json_out:
        emit(document)
        return
    typer.echo(
        table(
            ["dimension", "between", *([by] if by else []), "n", "kappa", "lower", "agree", "rho"],
            [
                [
                    p["dimension"],
                    f"{p['a']} - {p['b']}",
                    *([p["by"] or "all"] if by else []),
                    p["n"],
                    *(_shown(p[k]) for k in ("kappa", "kappa_lower", "percent", "spearman")),
                ]
                for p in document["pairs"]
            ],
        )
    )
    for ceiling in report.ceilings:
        if ceiling.by is None and ceiling.n:
            say(
                f"people among themselves, {ceiling.dimension}: mean kappa {_shown(ceiling.kappa)} on {ceiling.n} texts"
            )


def agreement_document(report: Any) -> dict[str, Any]:
    """The document that checks read: one row per pair, dimension and value of ``by``."""
    from judgekit.records import Undefined

    def interval(value: Any) -> list[float] | None:
        return None if isinstance(value, Undefined) else [value.low, value.high]

    pairs = [
        {
            "dimension": a.dimension,
            "a": a.a,
            "b": a.b,
            "by": a.by,
            "n": a.n,
            "missing": a.missing,
            "kappa": None if isinstance(a.kappa, Undefined) else a.kappa,
            "kappa_ci": interval(a.interval),
            "kappa_lower": None if isinstance(a.lower, Undefined) else a.lower,
            "weights": a.weights,
            "spearman": None if isinstance(a.spearman, Undefined) else a.spearman,
            "percent": None if isinstance(a.percent, Undefined) else a.percent,
            "percent_ci": interval(a.percent_interval),
            "bias": None if isinstance(a.bias, Undefined) else a.bias,
            "table": a.table,
            "levels": a.levels,
            "undefined": {
                name: str(value)
                for name, value in (("kappa", a.kappa), ("kappa_lower", a.lower), ("spearman", a.spearman))
                if isinstance(value, Undefined)
            },
        }
        for a in report.pairs
    ]
    ceiling = {
        f"{c.dimension}" if c.by is None else f"{c.dimension}|{c.by}": {
            "kappa": None if isinstance(c.kappa, Undefined) else c.kappa,
            "undefined": str(c.kappa) if isinstance(c.kappa, Undefined) else None,
            "n": c.n,
            "pairs": c.pairs,
        }
        for c in report.ceilings
    }
    return {"pairs": pairs, "human_ceiling": ceiling, "level": report.level}


def _names(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _levels(levels: str | None, rubric: str | None, nominal: bool) -> tuple[Any, bool]:
    if rubric:
        from judgekit.rubric import load_rubric

        loaded = load_rubric(rubric)
        kinds = {c.kind for c in loaded.criteria}
        if len(kinds) > 1:
            raise UsageProblem("the rubric mixes ordered and nominal criteria", seen=rubric, remedy="use --levels")
        return {c.dimension: c.levels for c in loaded.criteria}, kinds == {"nominal"}
    if not levels:
        return None, nominal
    parts = _names(levels)
    if nominal:
        return parts, True
    try:
        return [int(part) for part in parts], False
    except ValueError:
        raise UsageProblem(
            "ordered levels are whole numbers", field="--levels", seen=levels, remedy="add --nominal for classes"
        ) from None


def _must_have(declared: Mapping[str, Any], met: set[str], rubric: str, ratings: Path) -> None:
    strangers = sorted(met - set(declared))
    if strangers:
        raise UsageProblem(
            "the rubric does not have this dimension",
            path=ratings,
            field="dimension",
            seen=strangers[0],
            why=f"the rubric {rubric} has {', '.join(declared)}",
            remedy="name the rubric that the scores were given with, rename the dimension, or declare --levels",
        )


def _shown(value: Any) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
