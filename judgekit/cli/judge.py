"""``judgekit judge``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judgekit.cli.blinded_options import NoDesign, say_names_unknown
from judgekit.cli.judge_options import (
    ApiKeyEnv,
    BaseUrl,
    Batch,
    CancelBatches,
    Concurrency,
    MaxCalls,
    MaxCost,
    MaxTokens,
    PriceIn,
    PriceOut,
    Rate,
    Retries,
    Temperature,
    Timeout,
    plan_words,
    prices_of,
    refuse_rate,
    sender_of,
)
from judgekit.cli.output import Progress, emit, say, table
from judgekit.cli.study_options import Json, score_kind
from judgekit.errors import ProviderFailed

if TYPE_CHECKING:
    from judgekit.adhoc_pairs import PairOptions
    from judgekit.judging.handle import JudgeHandle
    from judgekit.judging.judge import Assumptions

_WRITTEN = "judgments, one by one. What they say about groups is for `judgekit calibrate` to allow."
_WRITTEN_PAIRS = (
    "comparisons, one by one. Which group's replies are preferred is not added up: a judged number is reported only where "
    "it is calibrated, and calibration is of scores."
)


def judge(
    blinded: Annotated[Path, typer.Argument(help="What `judgekit blind` wrote; every text is verified again.")],
    rubric: Annotated[list[str], typer.Option("--rubric", help="A bundled rubric or a YAML file; repeatable.")],
    judge_spec: Annotated[
        str,
        typer.Option(
            "--judge",
            help="lexicon, openai:MODEL, anthropic:MODEL, local:FILE.gguf, replay:LEDGER, command:CMD, "
            "python:pkg.mod:func, stub:...",
        ),
    ],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="JUDGMENTS.jsonl.")] = None,
    pairs: Annotated[
        Path | None, typer.Option("--pairs", help="Compare two by two: a file with pair_id, a, b (ids of replies).")
    ] = None,
    one_order: Annotated[bool, typer.Option("--one-order", help="Show each pair once, not in both orders.")] = False,
    seed: Annotated[int, typer.Option(help="For --pairs: decides which order comes first.")] = 20260101,
    base_url: BaseUrl = None,
    api_key_env: ApiKeyEnv = None,
    temperature: Temperature = None,
    score: Annotated[
        str, typer.Option(help="point, or expected: the mean over the levels by token probabilities.")
    ] = "point",
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often each text is judged.")] = 1,
    concurrency: Concurrency = 4,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    retries: Retries = 3,
    timeout: Timeout = 60.0,
    batch: Batch = False,
    cancel_batches: CancelBatches = False,
    rate: Rate = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would cost; write and send nothing.")] = False,
    no_design: NoDesign = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """Score blinded texts on rubrics with a judge.

    Every answer goes into the ledger beside the output first, so that a stopped run goes on where it was.
    """
    from judgekit.adhoc_pairs import PairOptions
    from judgekit.endpoints.limits import Limits
    from judgekit.errors import UsageProblem
    from judgekit.judging.handle import make_judge
    from judgekit.judging.judge import Assumptions

    refuse_rate(rate, dry_run=dry_run)
    handle = make_judge(
        judge_spec,
        base_url=base_url,
        api_key_env=api_key_env,
        parameters=None if temperature is None else {"temperature": temperature},
        prices=prices_of(price_in, price_out),
        score=score_kind(score),
    )
    options = PairOptions(seed=seed, both_orders=not one_order, repeats=repeats, no_design=no_design)
    asked = _Asked(blinded, pairs, tuple(rubric), handle, output, options)
    if dry_run:
        _dry_run(asked, Assumptions(concurrency=concurrency, rate=rate, batch=batch), json_out=json_out)
        return
    if output is None:
        raise UsageProblem("no output was named", field="--output", remedy="add -o JUDGMENTS.jsonl, or --dry-run")
    limits = Limits(
        retries=retries, max_calls=max_calls, max_tokens=max_tokens, max_cost=max_cost, attempt_timeout=timeout
    )
    sender = sender_of(batch=batch, cancel=cancel_batches)
    counts = _judge(asked, output, concurrency=concurrency, limits=limits, force=force, sender=sender)
    say_names_unknown(blinded)
    if json_out:
        emit(counts)
    else:
        _print(counts)
        say(f"{output}: {_WRITTEN if pairs is None else _WRITTEN_PAIRS}")
    _check_scored(counts, judge_spec)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be judged by which judge."""

    blinded: Path
    pairs: Path | None
    rubrics: tuple[str, ...]
    judge: JudgeHandle
    output: Path | None
    options: PairOptions


def _judge(asked: _Asked, output: Path, **how: Any) -> dict[str, Any]:
    from judgekit.adhoc import judge_file
    from judgekit.adhoc_pairs import judge_pairs_file

    line = Progress("judging")

    def told(progress: Any) -> None:
        line.total = progress.total
        line(progress.done, failed=progress.failed, cost=progress.cost, note=progress.note)

    how["progress"] = told
    try:
        if asked.pairs is not None:
            how["options"] = asked.options
            return judge_pairs_file(asked.blinded, asked.pairs, asked.rubrics, asked.judge, output, **how)
        how |= {"repeats": asked.options.repeats, "no_design": asked.options.no_design}
        return judge_file(asked.blinded, asked.rubrics, asked.judge, output, **how)
    finally:
        line.close()


def _dry_run(asked: _Asked, assumed: Assumptions, *, json_out: bool) -> None:
    from judgekit.adhoc import plan_file
    from judgekit.adhoc_pairs import plan_pairs_file

    if asked.pairs is not None:
        given = (asked.blinded, asked.pairs, asked.rubrics, asked.judge, asked.output)
        plan = plan_pairs_file(*given, options=asked.options, assumed=assumed)
    else:
        plan = plan_file(
            asked.blinded,
            asked.rubrics,
            asked.judge,
            asked.output,
            repeats=asked.options.repeats,
            no_design=asked.options.no_design,
            assumed=assumed,
        )
    say_names_unknown(asked.blinded)
    if json_out:
        emit(plan)
        return
    what = "texts" if asked.pairs is None else "pairs"
    typer.echo(f"{plan.calls} calls for {plan.texts} {what}: {plan.answered} answered already, {plan.to_send} to send")
    if words := plan_words(plan):
        typer.echo(words)


def _print(counts: dict[str, Any]) -> None:
    if "position_bias" in counts:
        _print_pairs(counts)
    else:
        _print_scores(counts)
    if counts["dropped"]:
        say(f"the judge does not take {', '.join(counts['dropped'])}: it was asked without")


def _print_pairs(counts: dict[str, Any]) -> None:
    known = ("in", "decided", "tie", "inconsistent", "withheld")
    typer.echo(
        table(
            ["dimension", "pairs", *known[1:], "unscored"],
            [[d, *(c[k] for k in known), _kinds(c, known)] for d, c in counts["counts"].items()],
        )
    )
    for dimension, found in counts["position_bias"].items():
        if found["bias"] is None:
            typer.echo(f"{dimension}: position bias undefined: {found['undefined']}")
            continue
        interval = found["undefined"] or f"{found['level']:.0%} [{found['ci'][0]:+.2f}, {found['ci'][1]:+.2f}]"
        typer.echo(
            f"{dimension}: position bias {found['bias']:+.2f} ({interval}) in {found['calls']} decided calls of "
            f"{found['pairs']} pairs; 0 is none, +0.50 is always the reply shown first"
        )


def _kinds(counts: dict[str, int], known: tuple[str, ...]) -> str:
    return ", ".join(f"{k} {v}" for k, v in sorted(counts.items()) if k not in known) or "-"


def _print_scores(counts: dict[str, Any]) -> None:
    from judgekit.reporting.words import outside_scale_lines

    rows = [
        [
            d,
            g,
            c["in"],
            c.get("scored", 0),
            c.get("withheld", 0),
            _kinds(c, ("in", "scored", "withheld")),
        ]
        for d, by in counts["counts"].items()
        for g, c in by.items()
    ]
    typer.echo(table(["dimension", "group", "in", "scored", "withheld", "unscored"], rows))
    for line in outside_scale_lines(counts["outside_scale"]):
        typer.echo(line)


def _check_scored(counts: dict[str, Any], spec: str) -> None:
    """Warn where nothing was scored; where no call was answered, end as a judge that does not answer."""
    groups = counts["counts"].values()
    scored = (
        counts["calls"]["answered"]
        if "position_bias" in counts
        else sum(c.get("scored", 0) for by in groups for c in by.values())
    )
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
