"""``judgekit probe collect``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judgekit.cli.judge_options import MaxCalls, MaxCost, Rate, plan_words, refuse_rate
from judgekit.cli.output import Progress, emit, say, table
from judgekit.cli.study_options import Json, StudyPlace

if TYPE_CHECKING:
    from judgekit.probing.collect import Collection, Wanted
    from judgekit.study import Study


def collect(
    study: StudyPlace,
    subset: Annotated[bool, typer.Option("--subset", help="Only probe.subset, for every commit.")] = False,
    prompts: Annotated[
        Path | None, typer.Option("--prompts", help="PROMPTS.jsonl; probe/prompts.jsonl beside the study by default.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="REPLIES.jsonl; probe/replies.jsonl by default.")
    ] = None,
    max_calls: MaxCalls = None,
    max_cost: MaxCost = None,
    rate: Rate = None,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Hold conversations again that failed for good.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would cost; write and send nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Begin a new experiment in the place of an old one.")] = False,
    json_out: Json = False,
) -> None:
    """Hold the conversations of the study's probe with the chatbot under test, and write its replies.

    They go out in random order, each into a ledger first: run the same command again after a stop. Another configuration
    of the chatbot is a new experiment and goes into a file of its own.
    """
    from judgekit.probing.collect import Wanted
    from judgekit.workspace import study_of

    refuse_rate(rate, dry_run=dry_run)
    read = study_of(study)
    wanted = Wanted(
        subset=subset,
        prompts=prompts,
        output=output,
        max_calls=max_calls,
        max_cost=max_cost,
        retry_failed=retry_failed,
        force=force,
    )
    if dry_run:
        _dry_run(read, wanted, rate, json_out=json_out)
        return
    done = _collected(read, wanted)
    if json_out:
        emit(_document(done))
        return
    _print(done)
    say(f"{done.output}: {done.total('answered')} replies of {done.conversations} conversations (private)")
    if done.failed:
        say("failed conversations stand in it without a text; run again to hold those anew that may pass")
    if read.path(read.data.replies).resolve() == done.output.resolve():
        say(f"next: judgekit run {study}")
    else:
        say("next: name it in the study as data.replies")


def _collected(study: Study, wanted: Wanted) -> Collection:
    from judgekit.probing.collect import collect as hold
    from judgekit.stages import now

    line = Progress("collecting")

    def told(progress: Any) -> None:
        line.total = progress.total
        line(progress.done, failed=progress.failed, cost=progress.cost, note=progress.note)

    try:
        return hold(study, wanted, now=lambda: now().isoformat(timespec="milliseconds"), progress=told)
    finally:
        line.close()


def _dry_run(study: Study, wanted: Wanted, rate: float | None, *, json_out: bool) -> None:
    from judgekit.probing.collect import plan_collection

    plan = plan_collection(study, wanted, rate=rate)
    if json_out:
        emit(plan)
        return
    typer.echo(f"{plan.calls} conversations: {plan.answered} answered already, {plan.to_send} to hold")
    if words := plan_words(plan):
        typer.echo(words.replace("judge", "target"))


def _print(done: Collection) -> None:
    known = ("in", "answered")
    typer.echo(
        table(
            ["arm", "group", "in", "answered", "failed"],
            [
                [arm, group, of["in"], of["answered"], _kinds(of, known)]
                for arm, by_group in sorted(done.counts.items())
                for group, of in sorted(by_group.items())
            ],
        )
    )
    p = done.order.p
    shown = f"p {p:.2f}" if isinstance(p, float) else str(p)
    typer.echo(
        f"sent in random order: {done.order.runs} runs of one group where chance has {done.order.expected:.0f} ({shown})"
    )
    if done.document.get("dropped"):
        say(f"the target does not take {', '.join(done.document['dropped'])}: it was asked without")
    if again := done.document.get("asked_again"):
        say(f"{again} conversations were under way when an earlier run was cut off; they may have been held twice")


def _kinds(of: dict[str, int] | Any, known: tuple[str, ...]) -> str:
    return ", ".join(f"{kind} {n}" for kind, n in sorted(of.items()) if kind not in known) or "-"


def _document(done: Collection) -> dict[str, Any]:
    return {
        "output": str(done.output),
        "manifest": str(done.manifest),
        "conversations": done.conversations,
        "answered": done.total("answered"),
        "failed": done.failed,
        "counts": done.counts,
        "order": done.order,
        "summary": done.summary,
        "configuration_hash": done.document["configuration_hash"],
        "served_models": done.document["served_models"],
        "dropped": done.document["dropped"],
        "asked_again": done.document["asked_again"],
    }
