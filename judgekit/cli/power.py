"""``judgekit power``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judgekit.cli.output import Progress, emit, say, table
from judgekit.cli.study_options import Json
from judgekit.errors import UsageProblem
from judgekit.printable import printable

if TYPE_CHECKING:
    from judgekit.planning import Pilot
    from judgekit.statistics.power import Design, Noise
    from judgekit.statistics.validity import Layout, Validity

Place = Annotated[
    Path | None,
    typer.Argument(
        help="A study, one of its runs, or a table: its design and noise are used. With --divergence: a file of logits."
    ),
]
Metric = Annotated[str | None, typer.Option(help="The study's metric, or the table's column.")]
Groups = Annotated[str | None, typer.Option(help="Two groups, separated by a comma.")]
Templates = Annotated[int | None, typer.Option(min=2, help="Templates (prompts).")]
Names = Annotated[str | None, typer.Option(help="Names per group: 6, or 6,4.")]
Replicates = Annotated[int | None, typer.Option(min=1, help="Replies per template and name.")]
GapSd = Annotated[
    float | None, typer.Option(min=0, help="How much the true gap varies between templates (standard deviation).")
]
NameSd = Annotated[float | None, typer.Option(min=0, help="... scores vary between names of a group.")]
CellSd = Annotated[float | None, typer.Option(min=0, help="... a name varies between templates beyond that.")]
ResidualSd = Annotated[float | None, typer.Option(min=0, help="... replies to the same prompt vary.")]
Gap = Annotated[
    float | None, typer.Option(help="True gap to find, in the metric's unit; the study's margin by default.")
]
Wanted = Annotated[float, typer.Option("--power", help="Wanted power.")]
Alpha = Annotated[float | None, typer.Option(help="Two-sided level; 1 minus the study's interval, else 0.05.")]
Validate = Annotated[
    bool, typer.Option("--validate", help="Simulate such studies: do the methods keep their promises?")
]
Runs = Annotated[int | None, typer.Option(min=1, help="Simulated studies: 1000, with --divergence 2000.")]
Seed = Annotated[int, typer.Option(help="Seed of the simulation.")]
Divergence = Annotated[bool, typer.Option("--divergence", help="Power of the output-change test on prompts instead.")]
Prompts = Annotated[int, typer.Option(min=2, help="With --divergence: prompts, where no file of logits is given.")]
LogitSd = Annotated[float, typer.Option(min=0, help="With --divergence: spread of their logits.")]
Sigma = Annotated[float, typer.Option(min=0, help="With --divergence: how much any edit moves the logit.")]
SigmaPert = Annotated[
    str, typer.Option(help="With --divergence: how much more targeted edits do; several, separated by commas.")
]

DEFAULT_RUNS, DIVERGENCE_RUNS = 1_000, 2_000
# What is claimed of the default: see `_broken`.
MOST_FALSE_POSITIVES, LEAST_COVERAGE = 0.06, 0.93


def power(
    ctx: typer.Context,
    place: Place = None,
    metric: Metric = None,
    groups: Groups = None,
    templates: Templates = None,
    names: Names = None,
    replicates: Replicates = None,
    template_gap_sd: GapSd = None,
    name_sd: NameSd = None,
    cell_sd: CellSd = None,
    residual_sd: ResidualSd = None,
    gap: Gap = None,
    wanted: Wanted = 0.8,
    alpha: Alpha = None,
    validate: Validate = False,
    runs: Runs = None,
    seed: Seed = 20260101,
    divergence: Divergence = False,
    prompts: Prompts = 100,
    logit_sd: LogitSd = 1.5,
    sigma: Sigma = 0.5,
    sigma_pert: SigmaPert = "0,0.25,0.5,1",
    json_out: Json = False,
) -> None:
    """What can a design find? Power, smallest gap and templates needed; --validate simulates it (exit 1: promise broken)."""
    from judgekit.cli.power_divergence import check_options, divergence_document, print_divergence

    check_options(ctx, divergence=divergence, validate=validate)
    if divergence:
        document = divergence_document(
            place, prompts, logit_sd, sigma, sigma_pert, alpha or 0.05, runs or DIVERGENCE_RUNS, seed
        )
        emit(document) if json_out else print_divergence(document)
        return
    asked = _Asked(
        templates=templates,
        names=_names(names),
        replicates=replicates,
        template_gap_sd=template_gap_sd,
        name_sd=name_sd,
        cell_sd=cell_sd,
        residual_sd=residual_sd,
    )
    plan = _planned(place, metric, groups, asked, gap, alpha)
    if not validate:
        document = _document(plan, wanted)
        emit(document) if json_out else _print_plan(plan, document)
        return
    found = _simulated(plan, runs or DEFAULT_RUNS, seed)
    broken = _broken(found)
    if json_out:
        from judgekit.statistics.results import plain

        emit(
            _head(plan) | {"methods": [plain(v) for v in found], "runs": found[0].runs, "seed": seed, "broken": broken}
        )
    else:
        _print_validity(plan, found, broken)
    if broken:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """Sizes and noise as given by options; None is taken from the data."""

    templates: int | None
    names: tuple[int, int] | None
    replicates: int | None
    template_gap_sd: float | None
    name_sd: float | None
    cell_sd: float | None
    residual_sd: float | None

    @property
    def resized(self) -> bool:
        """Whether another size than that of the data is asked for."""
        return any(x is not None for x in (self.templates, self.names, self.replicates))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """A design, the noise in it, and the gap to find; ``layout`` are the data's own cells, unless another size is asked for."""

    design: Design
    layout: Layout
    noise: Noise
    gap: float | None
    alpha: float
    pilot: Pilot | None


def _names(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in {1, 2} or not all(p.isascii() and p.isdigit() and int(p) > 0 for p in parts):
        raise UsageProblem(
            "names per group are one or two whole numbers", field="--names", seen=text, remedy="--names 6,4"
        )
    return int(parts[0]), int(parts[-1])


def _pilot(place: Path | None, metric: str | None, groups: str | None) -> Pilot | None:
    from judgekit.cli.study_options import StageProgress
    from judgekit.planning import pilot_of_study, pilot_of_table
    from judgekit.workspace import study_of

    if place is None:
        return None
    pair = [g.strip() for g in groups.split(",") if g.strip()] if groups else None
    if pair is not None and len(set(pair)) != 2:
        raise UsageProblem("a plan is for two groups", field="--groups", seen=groups, remedy="--groups A,B")
    if not place.is_dir() and place.suffix.lower() not in {".yaml", ".yml"}:
        return pilot_of_table(place, metric, pair)
    watch = StageProgress()
    try:
        return pilot_of_study(study_of(place), metric, pair, watch)
    finally:
        watch.close()


def _planned(
    place: Path | None, metric: str | None, groups: str | None, asked: _Asked, gap: float | None, alpha: float | None
) -> _Plan:
    from judgekit.statistics.power import Design
    from judgekit.statistics.validity import layout_of

    pilot = _pilot(place, metric, groups)
    own = None if pilot is None else layout_of(pilot.cells, pilot.contrast)
    base = None if own is None else own.design
    if base is None and None in (asked.templates, asked.names):
        raise UsageProblem(
            "a plan needs a design",
            field="--templates, --names",
            remedy="name a study or table, or give --templates 40 --names 6",
        )
    sizes = asked.names or (base and (base.names_a, base.names_b)) or (1, 1)
    design = Design(
        templates=asked.templates or (base.templates if base else 2),
        names_a=sizes[0],
        names_b=sizes[1],
        replicates=asked.replicates or (base.replicates if base else 1),
    )
    given = alpha if alpha is not None else 1 - pilot.level if pilot and pilot.level else 0.05
    kept = own is not None and not asked.resized
    missing = own.missing if own is not None else 0.0
    return _Plan(
        design=design,
        layout=own if kept and own is not None else layout_of(design, missing=missing),
        noise=_noise(pilot, asked),
        gap=gap if gap is not None else pilot.margin if pilot else None,
        alpha=given,
        pilot=pilot,
    )


def _noise(pilot: Pilot | None, asked: _Asked) -> Noise:
    from judgekit.records import Undefined
    from judgekit.statistics.power import Noise

    given = {
        "template_gap": asked.template_gap_sd,
        "name": asked.name_sd,
        "cell": asked.cell_sd,
        "residual": asked.residual_sd,
    }
    said = {key: value for key, value in given.items() if value is not None}
    if pilot is not None and not isinstance(pilot.noise, Undefined):
        return replace(pilot.noise, **said)
    lacking = [
        option for option, key in (("--template-gap-sd", "template_gap"), ("--name-sd", "name")) if key not in said
    ]
    if lacking:
        why = None if pilot is None else str(pilot.noise)
        raise UsageProblem(
            "a plan needs to know how much scores vary",
            field=", ".join(lacking),
            why=why,
            remedy="name a study or table with two templates and two names a group, or give the standard deviations",
        )
    return Noise(**{"template_gap": 0.0, "name": 0.0} | said)


# --- the plan ------------------------------------------------------------------------------------------------------


def _head(plan: _Plan) -> dict[str, Any]:
    from judgekit.statistics.results import plain

    pilot = plan.pilot
    return {
        "metric": pilot and pilot.metric,
        "a": pilot and pilot.contrast.a,
        "b": pilot and pilot.contrast.b,
        "source": pilot.source if pilot else "as given",
        "design": plain(plan.design) | {"missing": plan.layout.missing},
        "noise": plain(plan.noise),
        "alpha": plan.alpha,
        "gap": plan.gap,
    }


def _document(plan: _Plan, wanted: float) -> dict[str, Any]:
    from judgekit.records import Undefined
    from judgekit.statistics.power import (
        minimum_detectable_gap,
        power_of_design,
        templates_for_power,
        templates_needed,
    )

    design, noise, alpha = plan.design, plan.noise, plan.alpha
    found = power_of_design(design, noise, plan.gap or 0.0, alpha=alpha)
    document = _head(plan) | {
        "se": found.se,
        "df": found.df,
        "half_width": found.half_width,
        "limit_by_names": found.limit_by_names,
        "wanted_power": wanted,
        "minimum_detectable_gap": minimum_detectable_gap(design, noise, power=wanted, alpha=alpha),
        "power": found.power if plan.gap else None,
        "templates_for_power": None,
        "templates_for_half_width": None,
        "undefined": {},
        "by_templates": [
            {
                "templates": t,
                "half_width": power_of_design(replace(design, templates=t), noise, 0.0, alpha=alpha).half_width,
                "minimum_detectable_gap": minimum_detectable_gap(
                    replace(design, templates=t), noise, power=wanted, alpha=alpha
                ),
            }
            for t in sorted({design.templates, *(design.templates * k for k in (2, 4, 8))})
        ],
    }
    if plan.gap:
        needed = {
            "templates_for_power": templates_for_power(design, noise, plan.gap, power=wanted, alpha=alpha),
            "templates_for_half_width": templates_needed(design, noise, half_width=abs(plan.gap), alpha=alpha),
        }
        for key, value in needed.items():
            if isinstance(value, Undefined):
                document["undefined"][key] = str(value)
            else:
                document[key] = value
    return document


def _print_head(plan: _Plan) -> None:
    d, n, pilot = plan.design, plan.noise, plan.pilot
    if pilot is not None:
        typer.echo(
            f"{printable(pilot.metric)}, {printable(pilot.contrast.a)} - {printable(pilot.contrast.b)}; {printable(pilot.source)}"
        )
    lost = f", {plan.layout.missing:.0%} of them without a score" if plan.layout.missing else ""
    typer.echo(
        f"Design: {d.templates} templates, {d.names_a} and {d.names_b} names, {d.replicates} replies each{lost}."
    )
    typer.echo(
        f"Noise (standard deviations): gap between templates {n.template_gap:.3g}, names {n.name:.3g}, "
        f"names by template {n.cell:.3g}, replies {n.residual:.3g}."
    )


def _print_plan(plan: _Plan, document: dict[str, Any]) -> None:
    _print_head(plan)
    wanted = document["wanted_power"]
    typer.echo(
        f"Interval at {1 - plan.alpha:.0%}: the gap ±{document['half_width']:.3g}. "
        f"Found with power {wanted:.0%}: a gap of {document['minimum_detectable_gap']:.3g} or more."
    )
    if document["limit_by_names"] > 0:
        typer.echo(
            f"Of the standard error {document['se']:.3g}, {document['limit_by_names']:.3g} is luck of the names: "
            "more templates do not shrink it, more names do."
        )
    if plan.gap:
        typer.echo(f"A true gap of {plan.gap:.3g} is found with power {document['power']:.0%}.")
        for key, what in (
            ("templates_for_power", f"for power {wanted:.0%}"),
            ("templates_for_half_width", f"for an interval of ±{abs(plan.gap):.3g}"),
        ):
            said = document["undefined"].get(key)
            typer.echo(f"  {what}: " + (said or f"{document[key]} templates"))
    typer.echo(
        table(
            ["templates", "interval ±", "smallest gap found"],
            [(r["templates"], r["half_width"], r["minimum_detectable_gap"]) for r in document["by_templates"]],
        )
    )


# --- the simulation ------------------------------------------------------------------------------------------------


def _simulated(plan: _Plan, runs: int, seed: int) -> Sequence[Validity]:
    from judgekit.statistics.power import minimum_detectable_gap
    from judgekit.statistics.validity import validate_design

    planted = plan.gap or minimum_detectable_gap(plan.design, plan.noise, alpha=plan.alpha)
    line = Progress("simulated studies", 2 * runs)
    try:
        return validate_design(
            plan.layout,
            plan.noise,
            gaps=(0.0, planted),
            runs=runs,
            level=1 - plan.alpha,
            seed=seed,
            progress=lambda done, _: line(done),
        )
    finally:
        line.close()


def _broken(found: Sequence[Validity]) -> list[str]:
    """Promises of the default that the simulation contradicts beyond twice its Monte-Carlo error."""
    from judgekit.records import Undefined

    broken = []
    for v in found:
        if v.method != "two-way t":
            continue
        most = max(MOST_FALSE_POSITIVES, 1.2 * (1 - v.level))
        if v.gap == 0 and v.rejected - 2 * v.se > most:
            broken.append(f"false positives {v.rejected:.3f}, more than {most:.2f}")
        least = v.level - (0.95 - LEAST_COVERAGE)
        covered, error = v.covered, v.covered_se
        if isinstance(covered, Undefined) or isinstance(error, Undefined):
            broken.append("no interval at all")
        elif covered + 2 * error < least:
            broken.append(f"coverage {covered:.3f} at a gap of {v.gap:g}, less than {least:.2f}")
    return broken


_SHOWN = {
    "two-way t": "two-way t (default)",
    "sign-flip over templates": "templates only",
    "t over pairs": "pairs",
}


def _print_validity(plan: _Plan, found: Sequence[Validity], broken: Sequence[str]) -> None:
    from judgekit.records import Undefined

    def share(value: float | Undefined, error: float | Undefined) -> str:
        if isinstance(value, Undefined) or isinstance(error, Undefined):
            return "-"
        return f"{value:.3f} ±{error:.3f}"

    _print_head(plan)
    typer.echo(f"{found[0].runs} simulated studies per gap, seed {found[0].seed}; ± is the Monte-Carlo error.")
    for gap in dict.fromkeys(v.gap for v in found):
        typer.echo("")
        typer.echo("No gap: false positives" if gap == 0 else f"A gap of {gap:.3g}: power")
        typer.echo(
            table(
                ["method", "rejects", "covers", "±"],
                [
                    (
                        _SHOWN[v.method],
                        share(v.rejected, v.se),
                        share(v.covered, v.covered_se),
                        "-" if isinstance(v.half_width, Undefined) else v.half_width,
                    )
                    for v in found
                    if v.gap == gap
                ],
            )
        )
    typer.echo("")
    typer.echo(
        "Templates only holds for these very names; pairs are not independent. Their power counts only where they keep 5%."
    )
    for what in broken:
        say(f"the default does not keep its promise here: {what}")
