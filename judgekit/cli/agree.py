"""``judgekit agree``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from judgekit.cli.output import emit, say, table
from judgekit.errors import BadInput, UsageProblem
from judgekit.printable import printable

if TYPE_CHECKING:
    from judgekit.agreement.agree import AgreementReport
    from judgekit.records import Rating

Ratings = Annotated[Path, typer.Argument(help="Long (item, dimension, annotator, score) or wide (--judge-col).")]
Judge = Annotated[str | None, typer.Option(help="The judge's annotator name.")]
Humans = Annotated[str | None, typer.Option(help="People's annotator names, separated by commas.")]
JudgeCol = Annotated[str | None, typer.Option(help="Wide files: the judge's column.")]
HumanCols = Annotated[str | None, typer.Option(help="Wide files: people's columns, separated by commas.")]
RubricName = Annotated[str | None, typer.Option(help="A rubric that declares the levels of each dimension.")]
Levels = Annotated[str | None, typer.Option(help="Declared levels in order, such as 1,2,3,4,5.")]
Nominal = Annotated[bool, typer.Option("--nominal", help="The levels are classes without an order.")]
Weights = Literal["none", "linear", "quadratic"]
WeightsOption = Annotated[
    Weights | None, typer.Option(help="Weights of disagreements; quadratic for ordered levels, none for classes.")
]
By = Annotated[str | None, typer.Option(help="Also for each value of this column.")]
Clusters = Annotated[
    str | None, typer.Option(help="Column whose values are the units of the errors, such as template_id.")
]
Inclusion = Annotated[str | None, typer.Option(help="Column with the chance that a text came into the sample.")]
Order = Annotated[
    str | None, typer.Option(help="Column with the place of a text in the rater's own sequence: shows drift.")
]
Looks = Annotated[
    str | None,
    typer.Option(help="Looks planned beforehand, such as 50,100,200: the bound then spends its error over them."),
]
Threshold = Annotated[float, typer.Option(help="With --looks: what the bound has to reach.")]
Level = Annotated[float, typer.Option(min=0.5, max=0.999, help="Level of the intervals.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """Who is compared on which scale."""

    ratings: Path
    who: str
    people: list[str]
    levels: Any
    nominal: bool
    weights: Weights | None
    by: str | None
    clusters: str | None
    inclusion: str | None
    order: str | None


def agree(
    ratings: Ratings,
    judge: Judge = None,
    humans: Humans = None,
    judge_col: JudgeCol = None,
    human_cols: HumanCols = None,
    rubric: RubricName = None,
    levels: Levels = None,
    nominal: Nominal = False,
    weights: WeightsOption = None,
    by: By = None,
    clusters: Clusters = None,
    inclusion: Inclusion = None,
    order: Order = None,
    looks: Looks = None,
    threshold: Threshold = 0.60,
    level: Level = 0.95,
    json_out: Json = False,
) -> None:
    """How far do judge and people agree? Cohen's kappa on the declared levels, with intervals and the human ceiling."""
    from judgekit.reporting.agreement import agreement_document, everyone_document, looks_document
    from judgekit.supplied import refuse_own_ratings

    who, people = _who(judge, humans, judge_col, human_cols)
    plan = None if looks is None else _plan(looks, level)
    rows = _read(ratings, who, people, wide=judge_col is not None)
    if by is not None:
        refuse_own_ratings(rows, who, folder=ratings.parent, shown=ratings)
    declared, classes = _levels(levels, rubric, nominal)
    if rubric:
        _must_have(declared, {row.dimension for row in rows}, rubric, ratings)
    asked = _Asked(
        ratings=ratings, who=who, people=people, levels=declared, nominal=nominal or classes, weights=weights, by=by,
        clusters=clusters, inclusion=inclusion, order=order,
    )  # fmt: skip
    try:
        report = _agreed(rows, asked, level)
        raters = _everyone(rows, asked, level)
        now = {} if plan is None else _at_looks(rows, asked, report, plan, threshold)
    except BadInput as problem:
        # The statistics know the line, not the file.
        if problem.path is None and problem.line is not None:
            problem.path = str(ratings)
        raise
    document = agreement_document(report) | {"raters": everyone_document(raters)}
    if plan is not None:
        document["looks"] = looks_document(plan, now)
    if json_out:
        emit(document)
        return
    _print_pairs(document, by)
    _print_people(document)
    for dimension, said in now.items():
        say(f"{dimension}: {said['says']}")


def _who(judge: str | None, humans: str | None, judge_col: str | None, human_cols: str | None) -> tuple[str, list[str]]:
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
    return who, people


def _read(ratings: Path, who: str, people: list[str], *, wide: bool) -> list[Rating]:
    from judgekit.files.tables import read_ratings

    return read_ratings(
        ratings,
        judge_col=who if wide else None,
        human_cols=tuple(people) if wide else (),
        annotators=None if wide else [who, *people],
    )


def _agreed(rows: Sequence[Rating], asked: _Asked, level: float) -> AgreementReport:
    from judgekit.agreement.agree import agree as agree_on

    return agree_on(
        rows,
        judge=asked.who,
        humans=asked.people,
        levels=asked.levels,
        nominal=asked.nominal,
        weights=asked.weights,
        by=asked.by,
        clusters=asked.clusters,
        inclusion=asked.inclusion,
        level=level,
    )


def _everyone(rows: Sequence[Rating], asked: _Asked, level: float) -> list[Any]:
    """Each dimension's raters; left out where the same item stands in several parts, since items count within them."""
    from judgekit.agreement.cells import check_column
    from judgekit.agreement.everyone import everyone

    check_column(rows, asked.order, "order")
    found = []
    for dimension in dict.fromkeys(row.dimension for row in rows):
        own = [row for row in rows if row.dimension == dimension]
        if len({(row.item, row.annotator) for row in own}) < len(own):
            continue
        levels = asked.levels[dimension] if isinstance(asked.levels, Mapping) else asked.levels
        found.append(
            everyone(
                own,
                judge=asked.who,
                humans=asked.people,
                levels=levels,
                nominal=asked.nominal,
                weights=asked.weights,
                order=asked.order,
                clusters=asked.clusters,
                level=level,
            )
        )
    return found


def _plan(looks: str, level: float) -> Any:
    from judgekit.agreement.budget import planned_looks

    try:
        sizes = [int(part) for part in _names(looks)]
    except ValueError:
        raise UsageProblem(
            "looks are whole numbers of texts", field="--looks", seen=looks, remedy="50,100,200"
        ) from None
    return planned_looks(sizes, level=level)


def _at_looks(
    rows: Sequence[Rating], asked: _Asked, report: AgreementReport, plan: Any, threshold: float
) -> dict[str, dict[str, Any]]:
    """What may be decided with the texts there are now: at a planned look by its own level, elsewhere nothing."""
    from judgekit.records import Undefined

    found: dict[str, dict[str, Any]] = {}
    for one in report.against_people:
        if one.by is not None:
            continue
        n, look = one.result.n, plan.at(one.result.n)
        if look is None:
            later = next((x.n for x in plan.looks if x.n > n), None)
            wait = "no look is left" if later is None else f"the next is at {later}, {later - n} more"
            found[one.dimension] = {
                "n": n, "decided": None, "says": f"{n} texts: no look was planned here, so nothing is decided; {wait}"
            }  # fmt: skip
            continue
        again = _agreed([r for r in rows if r.dimension == one.dimension], asked, look.level)
        lower = next(x.result.lower for x in again.against_people if x.by is None)
        passed = None if isinstance(lower, Undefined) else lower >= threshold
        bound = str(lower) if isinstance(lower, Undefined) else f"{lower:.3f}"
        last = look is plan.looks[-1]
        verdict = "passes" if passed else "does not pass" if last else "does not pass yet; go on to the next look"
        found[one.dimension] = {
            "n": n,
            "level": look.level,
            "kappa_lower": None if isinstance(lower, Undefined) else lower,
            "threshold": threshold,
            "decided": bool(passed) if passed or last else None,
            "says": f"look at {n} texts, bound {bound} at {look.level:.4f} against {threshold:.2f}: {verdict}",
        }
    return found


def _print_pairs(document: Mapping[str, Any], by: str | None) -> None:
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


def _print_people(document: Mapping[str, Any]) -> None:
    for dimension, ceiling in document["human_ceiling"].items():
        if ceiling["n"] and "|" not in dimension:
            alpha = "" if ceiling["alpha"] is None else f", alpha {_shown(ceiling['alpha'])}"
            kappa = ceiling["undefined"] if ceiling["kappa"] is None else _shown(ceiling["kappa"])
            say(f"people among themselves, {dimension}: mean kappa {kappa}{alpha} on {ceiling['n']} texts")
    for one in document["raters"]:
        left = one["leave_one_out"]
        if left.get("difference") is not None:
            ci = left["ci"] and f" [{left['ci'][0]:+.3f}, {left['ci'][1]:+.3f}]"
            say(
                f"{one['dimension']}: a person's kappa with the others {left['people']:.3f}, with the judge {left['judge']:.3f}, "
                f"difference {left['difference']:+.3f}{ci or ''}"
            )
        for what, rows in (("scores higher by", one["bias"]), ("drifts per 100 labels by", one["drift_per_100"])):
            told = [f"{printable(r['rater'])} {r['value']:+.2f}" for r in rows or () if r["value"] is not None]
            if told:
                say(f"{one['dimension']}: {what} (points, against the other people): {', '.join(told)}")


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
