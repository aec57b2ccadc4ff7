"""``judgekit run``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judgekit.cli.judge_options import Rate, plan_words, refuse_rate
from judgekit.cli.output import emit, say
from judgekit.cli.study_options import Json, StageProgress, StudyPlace, story_from_here, strict_code


def run(
    study: StudyPlace,
    out: Annotated[Path | None, typer.Option("--out", help="Folder for the runs; `runs` beside the study.")] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="[RUN]", help="Finish an unfinished run: RUN, or the latest one.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what judging would cost; write and send nothing.")
    ] = False,
    rate: Rate = None,
    strict: Annotated[bool, typer.Option("--strict", help="The worst verdict becomes the exit code.")] = False,
    json_out: Json = False,
) -> None:
    """Walk the whole path of a study: blind, verify, judge, swap-test, sample, agree, calibrate, gap, gate, report.

    Answers are kept in the study's ledger: run again after a stop and nothing received is asked for again.
    """
    from judgekit.pipeline import plan_run, run_study
    from judgekit.run_folder import run_document, unfinished_run
    from judgekit.workspace import study_of

    refuse_rate(rate, dry_run=dry_run)
    loaded = study_of(study)
    if dry_run:
        plan = plan_run(loaded, rate=rate)
        if json_out:
            emit(plan)
        else:
            failed = f", {plan.failed} failed" if plan.failed else ""
            typer.echo(
                f"{plan.replies} replies: {plan.verified} verified, {plan.withheld} withheld{failed}\n"
                f"{plan.calls} calls ({plan.swap_calls} of them for the swap test): {plan.answered} answered already, "
                f"{plan.to_send} to send"
            )
            if words := plan_words(plan):
                typer.echo(words)
        return
    folder = unfinished_run(loaded, out) if resume == "latest" else Path(resume) if resume else None
    if resume and folder is None:
        say("no unfinished run: starting a new one (answers in the ledger are used all the same)")
    watch = StageProgress()
    try:
        outcome = run_study(loaded, out=out, resume=folder, watch=watch, say=watch.say)
    finally:
        watch.close()
    if dropped := outcome.findings.judging.dropped:
        say(f"the judge does not take {', '.join(dropped)}: it was asked without")
    if outcome.findings.in_doubt:
        say(
            f"{outcome.findings.in_doubt} calls were under way when an earlier run was cut off; they were sent again, "
            "and a provider may have billed them twice"
        )
    if json_out:
        emit(run_document(outcome.run_dir, outcome.findings))
    else:
        typer.echo(story_from_here(outcome, loaded))
    if strict and (code := strict_code(outcome.findings)):
        raise typer.Exit(code)
