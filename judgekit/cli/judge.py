"""``judgekit judge``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from judgekit.cli.blinded_options import NoDesign, say_names_unknown
from judgekit.cli.output import Progress, emit, say, table
from judgekit.cli.study_options import Json
from judgekit.errors import ProviderFailed


def judge(
    blinded: Annotated[Path, typer.Argument(help="What `judgekit blind` wrote; every text is verified again.")],
    rubric: Annotated[list[str], typer.Option("--rubric", help="A bundled rubric or a YAML file; repeatable.")],
    judge_spec: Annotated[
        str,
        typer.Option(
            "--judge",
            help="lexicon, openai:MODEL, anthropic:MODEL, replay:LEDGER, command:CMD, python:pkg.mod:func, stub:...",
        ),
    ],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="JUDGMENTS.jsonl.")] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Address of the service, such as http://127.0.0.1:8000/v1.")
    ] = None,
    api_key_env: Annotated[str | None, typer.Option(help="Variable that holds the key; never the key itself.")] = None,
    temperature: Annotated[float | None, typer.Option(min=0, help="Sampling temperature; 0 by default.")] = None,
    price_in: Annotated[float | None, typer.Option(min=0, help="Price per million tokens sent.")] = None,
    price_out: Annotated[float | None, typer.Option(min=0, help="Price per million tokens received.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often each text is judged.")] = 1,
    concurrency: Annotated[int, typer.Option(min=1, max=1024, help="Requests under way at once.")] = 4,
    max_calls: Annotated[int | None, typer.Option(min=1, help="Stop before more requests than this (exit 3).")] = None,
    max_tokens: Annotated[int | None, typer.Option(min=1, help="Stop before more tokens than this (exit 3).")] = None,
    max_cost: Annotated[float | None, typer.Option(help="Stop before spending more than this (exit 3).")] = None,
    retries: Annotated[int, typer.Option(min=0, help="Further attempts after a fault that may pass.")] = 3,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds for one attempt.")] = 60.0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count the calls; write and send nothing.")] = False,
    no_design: NoDesign = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """Score blinded texts on rubrics with a judge.

    Every answer goes into the ledger beside the output first, so that a stopped run goes on where it was.
    """
    from judgekit.adhoc import judge_file, plan_file
    from judgekit.endpoints.limits import Limits
    from judgekit.errors import UsageProblem
    from judgekit.judging.handle import make_judge

    handle = make_judge(
        judge_spec,
        base_url=base_url,
        api_key_env=api_key_env,
        parameters=None if temperature is None else {"temperature": temperature},
        prices=_prices(price_in, price_out),
    )
    if dry_run:
        plan = plan_file(blinded, rubric, handle, output, repeats=repeats, no_design=no_design)
        say_names_unknown(blinded)
        if json_out:
            emit(plan)
        else:
            typer.echo(
                f"{plan.calls} calls for {plan.texts} texts: {plan.answered} answered already, {plan.to_send} to send"
            )
        return
    if output is None:
        raise UsageProblem("no output was named", field="--output", remedy="add -o JUDGMENTS.jsonl, or --dry-run")
    limits = Limits(
        retries=retries, max_calls=max_calls, max_tokens=max_tokens, max_cost=max_cost, attempt_timeout=timeout
    )
    line = Progress("judging")

    def told(progress: Any) -> None:
        line.total = progress.total
        line(progress.done, failed=progress.failed, cost=progress.cost)

    try:
        counts = judge_file(
            blinded,
            rubric,
            handle,
            output,
            repeats=repeats,
            concurrency=concurrency,
            limits=limits,
            force=force,
            progress=told,
            no_design=no_design,
        )
    finally:
        line.close()
    say_names_unknown(blinded)
    if json_out:
        emit(counts)
    else:
        _print(counts)
        say(f"{output}: judgments, one by one. What they say about groups is for `judgekit calibrate` to allow.")
    _check_scored(counts, judge_spec)


def _print(counts: dict[str, Any]) -> None:
    rows = [
        [
            d,
            g,
            c["in"],
            c.get("scored", 0),
            c.get("withheld", 0),
            ", ".join(f"{k} {v}" for k, v in sorted(c.items()) if k not in {"in", "scored", "withheld"}) or "-",
        ]
        for d, by in counts["counts"].items()
        for g, c in by.items()
    ]
    if counts["dropped"]:
        say(f"the judge does not take {', '.join(counts['dropped'])}: it was asked without")
    typer.echo(table(["dimension", "group", "in", "scored", "withheld", "unscored"], rows))


def _check_scored(counts: dict[str, Any], spec: str) -> None:
    """Warn where nothing was scored; where no call was answered, end as a judge that does not answer."""
    scored = sum(c.get("scored", 0) for by in counts["counts"].values() for c in by.values())
    if scored or not counts["failures"]:
        return
    for kind, detail in sorted(counts["failures"].items()):
        say(f"nothing was scored: {kind}" + (f": {detail}" if detail else ""))
    if not counts["calls"]["answered"] and counts["calls"]["failed"]:
        raise ProviderFailed(
            f"no call was answered: {counts['calls']['failed']} failed",
            field="--judge",
            seen=spec.partition(":")[0],
            remedy="mend the cause and run the same command again with --force",
        )


def _prices(price_in: float | None, price_out: float | None) -> dict[str, float] | None:
    stated = {"input": price_in, "output": price_out}
    return {name: price for name, price in stated.items() if price is not None} or None
