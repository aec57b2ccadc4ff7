"""``judgekit probe expand`` and ``lint``, and the group of the other subcommands."""

from __future__ import annotations

import dataclasses
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from judgekit.cli.output import emit, say, table
from judgekit.cli.study_options import Json, StudyPlace

if TYPE_CHECKING:
    from judgekit.probing.expand import Expansion
    from judgekit.probing.lint import Linted

_LATER = {"collect": "judgekit.cli.probe_collect", "baselines": "judgekit.cli.probe_baselines"}
"""Subcommands, each a function of its name in a module of its own."""


class _Group(TyperGroup):
    """Imports what holds and compares conversations only when that is to be done."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*super().list_commands(ctx), *_LATER]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in _LATER:
            found = getattr(import_module(_LATER[cmd_name]), cmd_name)
            single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            single.command(name=cmd_name, help=found.__doc__)(found)
            return typer.main.get_command(single)
        return super().get_command(ctx, cmd_name)


app = typer.Typer(
    cls=_Group,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Make the prompts of a counterfactual design, check them, hold the conversations, compare with rewording.",
)


@app.command("expand")
def expand(
    study: StudyPlace,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="PROMPTS.jsonl; probe/prompts.jsonl beside the study by default."),
    ] = None,
    subset: Annotated[bool, typer.Option("--subset", help="Only probe.subset, for every commit.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count, write nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """Write the prompts of the study's probe: templates x groups x names x replicates, in random order, with every arm.

    `judgekit probe example` prints a file of templates with everything it may hold.
    """
    from judgekit.files.folders import private_folder
    from judgekit.files.prompts import write_prompts
    from judgekit.probing.expand import expand as make
    from judgekit.workspace import study_of

    read = study_of(study)
    made = make(read, subset=subset)
    place = output or read.base / "probe" / "prompts.jsonl"
    if not dry_run:
        if output is None:
            private_folder(place.parent)
        write_prompts(place, made.prompts, force=force)
    if json_out:
        emit(_document(made, None if dry_run else place))
        return
    rows = [[probe, arm, group, n] for (probe, arm, group), n in sorted(made.counts.items())]
    typer.echo(table(["probe", "arm", "group", "prompts"], rows))
    typer.echo(f"{len(made.prompts)} conversations, names from {made.names_from}, seed {made.seed}")
    for warning in made.warnings:
        say(f"warning: {warning}")
    for (probe, template, why), n in Counter((left.probe, left.template, left.why) for left in made.left_out).items():
        say(f"left out of {probe}: {template}{f' ({n} prompts)' if n > 1 else ''}, {why}")
    if not dry_run:
        say(f"{place}: names and groups stand in it (private). Next: judgekit probe lint {study}")


@app.command("lint")
def lint(
    place: Annotated[Path, typer.Argument(help="study.yaml or its folder; or a file of prompts.")],
    prompts: Annotated[
        Path | None, typer.Option("--prompts", help="Expanded prompts to check against the study, perhaps edited.")
    ] = None,
    gap_sd: Annotated[float, typer.Option(min=0, help="Assumed spread of gaps between templates.")] = 0.3,
    name_sd: Annotated[float, typer.Option(min=0, help="Assumed spread between names of a group.")] = 0.1,
    json_out: Json = False,
) -> None:
    """Check the design before anything is sent. Exit 1 when there are errors, 0 with warnings alone.

    Spreads are in standard deviations between replies to the same prompt; a pilot tells them.
    """
    from judgekit.probing.lint import lint_prompts, lint_study
    from judgekit.statistics.power import Noise
    from judgekit.workspace import study_of

    if place.suffix.lower() in {".jsonl", ".ndjson"}:
        found = lint_prompts(place)
    else:
        study = study_of(place)
        written = study.base / "probe" / "prompts.jsonl"
        noise = Noise(template_gap=gap_sd, name=name_sd, residual=1.0)
        found = lint_study(study, noise=noise, prompts_file=prompts or (written if written.is_file() else None))
    if json_out:
        emit(_linted(found))
    else:
        for finding in found.findings:
            typer.echo(str(finding))
        typer.echo(
            f"{found.errors} error{'' if found.errors == 1 else 's'}, "
            f"{found.warnings} warning{'' if found.warnings == 1 else 's'}"
        )
    if found.errors:
        raise typer.Exit(1)


@app.command("example")
def example() -> None:
    """Print a file of templates with everything it may hold, to start from."""
    from judgekit.data import bundled

    typer.echo((bundled("templates_example.yaml")).read_text(encoding="utf-8"), nl=False)


def _linted(found: Linted) -> dict[str, Any]:
    return {
        "findings": [finding.to_dict() for finding in found.findings],
        "errors": found.errors,
        "warnings": found.warnings,
        "templates": found.templates,
        "borderline": found.borderline,
        "conversations": found.conversations,
        "sizes": [dataclasses.asdict(size) for size in found.sizes],
        "detects": [
            {
                "probe": can.probe,
                "score_sd": can.score,
                "yes_rate": can.decision,
                "templates_for_quarter_sd": can.templates_needed,
            }
            for can in found.detects
        ],
    }


def _document(made: Expansion, place: Path | None) -> dict[str, Any]:
    runs = made.runs
    return {
        "output": place and str(place),
        "conversations": len(made.prompts),
        "counts": [
            {"probe": probe, "arm": arm, "group": None if group == "-" else group, "n": n}
            for (probe, arm, group), n in sorted(made.counts.items())
        ],
        "left_out": [{"probe": left.probe, "template": left.template, "why": left.why} for left in made.left_out],
        "warnings": list(made.warnings),
        "names_from": made.names_from,
        "seed": made.seed,
        "subset": made.subset,
        "order": {"runs": runs.runs, "expected": runs.expected, "p": runs.p},
    }
