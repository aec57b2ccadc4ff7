"""The ``judgekit`` command: a table of commands that are imported only when they are called."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from judgekit.errors import Interrupted, JudgekitError, Unfinished, UsageProblem
from judgekit.printable import printable

__all__ = ["COMMANDS", "main"]

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("judgekit.cli.demo:demo", "Run the main job on a bundled study, offline and without a key."),
    "init": ("judgekit.cli.init:init", "Write a commented study.yaml to start from."),
    "import": (
        "judgekit.cli.import_:import_",
        "Read what promptfoo, Inspect, deepeval, lm-eval or chat data sets wrote, as replies.",
    ),
    "doctor": (
        "judgekit.cli.doctor:doctor",
        "What a file, a study or this machine supports, what blocks it, what is next.",
    ),
    "run": ("judgekit.cli.run:run", "Walk the whole path of a study, from replies to report."),
    "blind": ("judgekit.cli.blind:blind", "Replace names, pronouns and other cues by placeholders, and verify it."),
    "verify": ("judgekit.cli.blind:verify", "Check blinded texts for cues that are left (exit 6 when there are)."),
    "guess-group": ("judgekit.cli.guess_group:guess_group", "Can a classifier guess the group from the blinded text?"),
    "judge": ("judgekit.cli.judge:judge", "Score blinded texts on rubrics with a judge."),
    "swaptest": ("judgekit.cli.swaptest:swaptest", "Does the judge react to the group when it can see it?"),
    "injection": (
        "judgekit.cli.injection:injection",
        "Can a judged text set its own score? A suite of hostile replies.",
    ),
    "sample": ("judgekit.cli.sample:sample", "Draw texts for people to label, blind to judge and group."),
    "budget": ("judgekit.cli.budget:budget", "How many labels a study needs, and the hours of each rater."),
    "label": ("judgekit.cli.label:label", "Label a sample in the terminal."),
    "tryout": (
        "judgekit.cli.tryout:tryout",
        "Try a rubric on a few texts and see where two people read it differently.",
    ),
    "adjudicate": ("judgekit.cli.adjudicate:adjudicate", "Decide the texts on which raters differ, as A and B."),
    "labels": (
        "judgekit.cli.labels:app",
        "Import scores that people gave elsewhere, send them a sample; export labels, freeze them.",
    ),
    "agree": ("judgekit.cli.agree:agree", "How far do judge and people agree (Cohen's kappa)?"),
    "calibrate": ("judgekit.cli.calibrate:calibrate", "May this judge's scores be reported (exit 5 when not)?"),
    "gap": ("judgekit.cli.gap:gap", "Compare groups on a metric, with the template as the unit."),
    "bbq": ("judgekit.cli.bbq:bbq", "Bias scores of the BBQ benchmark from a model's answers."),
    "probe": (
        "judgekit.cli.probe:app",
        "Make the prompts of a counterfactual design, check them, hold the conversations.",
    ),
    "decide": ("judgekit.cli.decide:decide", "P(yes) by group and template, from first-token probabilities."),
    "purge": ("judgekit.cli.purge:purge", "Remove the replies, prompts and answers that judgekit stored."),
    "schema": ("judgekit.cli.schema:schema", "JSON schema of study.yaml or of a rubric, for editors."),
    "power": (
        "judgekit.cli.power:power",
        "What can a design find? Plan templates and names, or simulate the methods on it.",
    ),
    "gate": ("judgekit.cli.gate:gate", "Pass, warn or fail against the sealed margins, for CI."),
    "compare": (
        "judgekit.cli.compare:compare",
        "Line runs up across releases: the same gap in each, and what changed.",
    ),
    "certificate": (
        "judgekit.cli.certificate:app",
        "What vouches for a judge, in one document; `certificate verify` recomputes it.",
    ),
    "report": ("judgekit.cli.report:report", "Write the report of a run again."),
    "rubrics": ("judgekit.cli.rubrics:rubrics", "List the bundled rubrics, or show one with its anchors."),
    "completion": (
        "judgekit.cli.completion:completion",
        "The script that completes commands and options in your shell.",
    ),
}


class _LazyGroup(TyperGroup):
    """Lists commands from the table; imports a command's module only to run it or to show its own help."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - the base class passes it
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - the base class passes it
        if cmd_name not in COMMANDS:
            return None
        return TyperCommand(name=cmd_name, callback=lambda: None, help=COMMANDS[cmd_name][1])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and _load(str(name)), rest


def _load(name: str) -> Any:
    module, attribute = COMMANDS[name][0].split(":")
    found = getattr(importlib.import_module(module), attribute)
    if isinstance(found, typer.Typer):
        return typer.main.get_command(found)
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command(name=name, help=found.__doc__)(found)
    return typer.main.get_command(single)


_APP = typer.Typer(
    cls=_LazyGroup,
    name="judgekit",
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Check an LLM judge before believing its scores. Start with: judgekit demo",
)


def _version(value: bool) -> None:
    if value:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(version("judgekit-calibration"))
        except PackageNotFoundError:
            typer.echo("not installed (running from a checkout)")
        raise typer.Exit


@_APP.callback()
def _root(
    version: bool = typer.Option(  # noqa: ARG001 - its callback does the work
        False, "--version", callback=_version, is_eager=True, help="Show the version."
    ),
    debug: bool = typer.Option(False, "--debug", help="Log to standard error; a bug shows its traceback."),
) -> None:
    if debug:
        import logging

        os.environ["JUDGEKIT_DEBUG"] = "1"
        logging.basicConfig(level=logging.DEBUG, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
        for noisy in ("httpx", "httpcore", "matplotlib"):
            logging.getLogger(noisy).setLevel(logging.WARNING)


def _with_default_run(args: list[str]) -> list[str]:
    """``--resume`` alone means the latest unfinished run; ``--resume RUN`` names one."""
    full = list(args)
    if full[:1] == ["run"] and "--resume" in full:
        place = full.index("--resume")
        following = full[place + 1 : place + 2]
        if not following or following[0].startswith("-") or not (Path(following[0]) / "manifest.json").is_file():
            full[place : place + 1] = ["--resume", "latest"]
    return full


def main(args: list[str] | None = None) -> None:
    """Run the command line and end the process with the exit code of DESIGN's table.

    Parameters
    ----------
    args : list of str, optional
        Arguments without the program's name; those of the process by default.
    """
    given = sys.argv[1:] if args is None else args
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _called(_with_default_run(given) or ["--help"])
    except JudgekitError as problem:
        typer.echo(f"judgekit: {problem}", err=True)
        code = problem.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 3
    except Exception as problem:
        if os.environ.get("JUDGEKIT_DEBUG"):
            raise
        typer.echo(
            f"judgekit: a bug: {type(problem).__name__}: {printable(str(problem), limit=300)}. "
            "Please report it with the command you ran; `judgekit --debug ...` shows where.",
            err=True,
        )
        code = 70
    if code:
        sys.exit(code)


def _called(args: list[str]) -> int:
    """Run a command; its exit code.

    Not through typer's own ``main``, which ends an interrupt with 130, a closed pipe with 1 and bad usage in a box.
    """
    command = typer.main.get_command(_APP)
    if "_JUDGEKIT_COMPLETE" in os.environ:
        from judgekit.cli.completion import answer_shell

        if (answered := answer_shell(command)) is not None:
            return answered
    try:
        with command.make_context("judgekit", list(args)) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    except TyperException as problem:
        raise _usage(problem) from None
    except (KeyboardInterrupt, typer.Abort):
        raise Interrupted("stopped; what was received is kept", remedy="run the same command to go on") from None
    except EOFError:
        raise Unfinished("the input ended", remedy="run the same command to go on") from None
    return 0


# How the libraries below put it, and how a person at a terminal would.
_PLAIN = (
    ("such option: ", "such option "),
    ("Value error, ", ""),
    ("Input should be a valid integer, unable to parse string as an integer", "a whole number is needed"),
    ("Input should be a valid number, unable to parse string as a number", "a number is needed"),
    ("Input should be", "it should be"),
)


def _usage(problem: TyperException) -> UsageProblem:
    """What typer says about arguments, in one line of our own."""
    # The suggestions for a misspelt option are too far-fetched to be shown.
    said = problem.message if hasattr(problem, "possibilities") else problem.format_message()
    said = " ".join(said.split()).rstrip(".")
    for theirs, ours in _PLAIN:
        said = said.replace(theirs, ours)
    context = getattr(problem, "ctx", None)
    command = context.command_path if context is not None else "judgekit"
    return UsageProblem(f"{said[:1].lower()}{said[1:]} ({command})", remedy=f"see {command} --help")
