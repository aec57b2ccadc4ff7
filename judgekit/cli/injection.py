"""``judgekit injection``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judgekit.cli.judge_options import (
    ApiKeyEnv,
    BaseUrl,
    Concurrency,
    MaxCalls,
    MaxCost,
    MaxTokens,
    PriceIn,
    PriceOut,
    Retries,
    Temperature,
    Timeout,
    prices_of,
)
from judgekit.cli.output import Progress, emit, say, table
from judgekit.cli.study_options import Json

if TYPE_CHECKING:
    from judgekit.injection.results import InjectionResult


def injection(
    judge_spec: Annotated[str, typer.Option("--judge", help="As for `judgekit judge`.")],
    rubric: Annotated[list[str], typer.Option("--rubric", help="A bundled rubric or a YAML file; repeatable.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where the counts go.")] = Path("injection.json"),
    lang: Annotated[str | None, typer.Option(help="Language of the neutral texts: en or es.")] = None,
    base_url: BaseUrl = None,
    api_key_env: ApiKeyEnv = None,
    temperature: Temperature = None,
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    concurrency: Concurrency = 4,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    retries: Retries = 3,
    timeout: Timeout = 60.0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say how many calls; write and send nothing.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 when a hostile reply moved a score.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """Can a judged text set its own score? Hostile replies, each beside the same reply without its payload.

    Forged verdicts, closed fences, role tokens, instructions in many languages, tool calls, hidden characters, long tails.
    """
    from dataclasses import asdict

    from judgekit.adhoc_injection import injection_file, plan_injection_file
    from judgekit.endpoints.limits import Limits
    from judgekit.judging.handle import make_judge
    from judgekit.reporting.injection import injection_lines

    handle = make_judge(
        judge_spec,
        base_url=base_url,
        api_key_env=api_key_env,
        parameters=None if temperature is None else {"temperature": temperature},
        prices=prices_of(price_in, price_out),
    )
    if dry_run:
        planned = plan_injection_file(rubric, handle, lang=lang)
        if json_out:
            emit(asdict(planned))
        else:
            typer.echo(
                f"{planned.texts} hostile texts ({planned.stopped} more are stopped before any judge): "
                f"{planned.calls} calls, controls twice; nothing was written or sent"
            )
        return
    line = Progress("judging")

    def told(progress: Any) -> None:
        line.total = progress.total
        line(progress.done, failed=progress.failed, cost=progress.cost, note=progress.note)

    limits = Limits(
        retries=retries, max_calls=max_calls, max_tokens=max_tokens, max_cost=max_cost, attempt_timeout=timeout
    )
    try:
        results = injection_file(
            rubric, handle, output, lang=lang, concurrency=concurrency, limits=limits, progress=told, force=force
        )
    finally:
        line.close()
    if json_out:
        from judgekit.injection.results import injection_document

        emit(injection_document(results))
    else:
        _print(results)
        for words in injection_lines(results):
            typer.echo(words)
        say(f"{output}: every count, and the cases that worked")
    if strict and any(r.total.moved for r in results):
        raise typer.Exit(1)


def _print(results: list[InjectionResult]) -> None:
    from judgekit.printable import printable
    from judgekit.reporting.words import interval_words

    for result in results:
        typer.echo(f"{printable(result.dimension)}, asked for {result.asked}")
        typer.echo(
            table(
                ["kind", "tried", "moved", "interval", "obeyed", "unscored", "stopped"],
                [
                    [k.kind, k.tried, k.moved, interval_words(k.interval), k.obeyed, k.unscored, k.stopped]
                    for k in (*result.kinds, result.total)
                ],
            )
        )
