"""``judgekit swaptest``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judgekit.cli.judge_options import (
    Batch,
    Concurrency,
    MaxCalls,
    MaxCost,
    MaxTokens,
    PriceIn,
    PriceOut,
    Rate,
    plan_words,
    prices_of,
    refuse_rate,
    sender_of,
)
from judgekit.cli.output import emit, table
from judgekit.cli.study_options import Json, StageProgress, score_kind
from judgekit.errors import UsageProblem

if TYPE_CHECKING:
    from judgekit.endpoints.limits import Limits
    from judgekit.judging.handle import JudgeHandle
    from judgekit.judging.judge import JudgePlan
    from judgekit.pipeline import Plan
    from judgekit.records import SwapResult
    from judgekit.study import Study
    from judgekit.swapping.pair_results import PairSwapResult


def swaptest(
    ctx: typer.Context,
    place: Annotated[Path, typer.Argument(help="study.yaml, its folder, or what `judgekit blind` wrote.")],
    rubric: Annotated[list[str] | None, typer.Option("--rubric", help="For a file: a rubric; repeatable.")] = None,
    judge_spec: Annotated[str | None, typer.Option("--judge", help="For a file: the judge.")] = None,
    base_url: Annotated[str | None, typer.Option(help="For a file: address of the judge's service.")] = None,
    api_key_env: Annotated[str | None, typer.Option(help="For a file: variable that holds the key.")] = None,
    temperature: Annotated[float | None, typer.Option(min=0, help="For a file: as for `judgekit judge`.")] = None,
    score: Annotated[str, typer.Option(help="For a file: point or expected, as for `judgekit judge`.")] = "point",
    texts: Annotated[int, typer.Option(min=1, help="For a file: texts to fill.")] = 80,
    margin: Annotated[float, typer.Option(help="For a file: points within which a shift counts as none.")] = 0.10,
    pairs: Annotated[
        int | None,
        typer.Option(min=1, help="For a file: compare so many pairs of replies instead, names swapped, both orders."),
    ] = None,
    seed: Annotated[int, typer.Option(help="For a file: seed of the draw.")] = 20260101,
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    concurrency: Concurrency = 4,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    batch: Batch = False,
    rate: Rate = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would cost; write and send nothing.")] = False,
    json_out: Json = False,
) -> None:
    """Does the judge react to the group when it can see it? Exit 0 passed, 1 failed, 4 cannot tell.

    The same texts are filled with names of each group, unblinded, beside a control pair; those scores never become results.
    """
    from judgekit.cli.swap_pairs import print_pairs
    from judgekit.endpoints.limits import Limits
    from judgekit.reporting.machine import swap_document

    refuse_rate(rate, dry_run=dry_run)
    prices = prices_of(price_in, price_out)
    chosen: str | JudgeHandle | None = judge_spec
    if score != "point" or any(given is not None for given in (base_url, api_key_env, temperature, prices)):
        chosen = _handle(judge_spec, base_url, api_key_env, temperature, score, prices)
    asked = _Asked(
        rubrics=tuple(rubric or ()),
        judge=chosen,
        texts=texts,
        margin=margin,
        seed=seed,
        batch=batch,
        concurrency=concurrency,
        limits=Limits(max_calls=max_calls, max_tokens=max_tokens, max_cost=max_cost),
    )
    _refuse_unused(ctx, place, asked)
    if pairs is not None:
        _end(_pairs(place, asked, pairs, rate if dry_run else None, dry_run=dry_run, json_out=json_out))
        return
    if dry_run:
        _dry_run(place, asked, rate, json_out=json_out)
        return
    watch = StageProgress()
    try:
        results, compared, note = _run(place, asked, watch)
    finally:
        watch.close()
    if json_out:
        emit(swap_document(tuple(results), tuple(compared)) | {"note": note})
    else:
        _print(results, note)
        if compared:
            print_pairs(compared)
    _end({r.verdict for r in results} | {r.verdict for r in compared})


def _refuse_unused(ctx: typer.Context, place: Path, asked: _Asked) -> None:
    from judgekit.cli.unused import refuse_unused

    if not _is_file(place, asked):
        names = ("texts", "margin", "seed", "concurrency")
        refuse_unused(ctx, names, "for a study, which has its own", "change it in the study")
    elif ctx.params["pairs"] is not None:
        refuse_unused(ctx, ("texts",), "with --pairs", "leave it out: --pairs says how many are compared")


def _end(verdicts: set[str] | None) -> None:
    """End with the verdicts' exit code; None where nothing was tested."""
    if verdicts is None:
        return
    if "failed" in verdicts:
        raise typer.Exit(1)
    if "uninformative" in verdicts or not verdicts:
        raise typer.Exit(4)


def _pairs(
    place: Path, asked: _Asked, pairs: int, rate: float | None, *, dry_run: bool, json_out: bool
) -> set[str] | None:
    from judgekit.cli.swap_pairs import compare_pairs, plan_pairs
    from judgekit.judging.handle import JudgeHandle, make_judge

    if not _is_file(place, asked) or asked.batch:
        raise UsageProblem(
            "pairs are compared for a file of blinded texts, one call after another",
            field="--pairs",
            remedy="name what `judgekit blind` wrote, with --judge and --rubric, and without --batch",
        )
    judge = asked.judge if isinstance(asked.judge, JudgeHandle) else make_judge(asked.judge or "")
    if dry_run:
        plan_pairs(place, asked.rubrics, judge, pairs=pairs, seed=asked.seed, rate=rate, json_out=json_out)
        return None
    return compare_pairs(
        place,
        asked.rubrics,
        judge,
        pairs=pairs,
        margin=asked.margin,
        seed=asked.seed,
        json_out=json_out,
        concurrency=asked.concurrency,
        limits=asked.limits,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is asked of a file of blinded texts."""

    rubrics: tuple[str, ...]
    judge: str | JudgeHandle | None
    texts: int
    margin: float
    seed: int
    batch: bool
    concurrency: int
    limits: Limits


def _handle(
    spec: str | None,
    base_url: str | None,
    api_key_env: str | None,
    temperature: float | None,
    score: str,
    prices: dict[str, float] | None,
) -> JudgeHandle:
    from judgekit.judging.handle import make_judge

    if spec is None:
        raise UsageProblem("a study names its own judge", remedy="give these options with --judge and a file only")
    parameters = None if temperature is None else {"temperature": temperature}
    return make_judge(
        spec,
        base_url=base_url,
        api_key_env=api_key_env,
        parameters=parameters,
        prices=prices,
        score=score_kind(score),
    )


def _is_file(place: Path, asked: _Asked) -> bool:
    """Whether blinded texts were named, and not a study; what does not fit is refused."""
    file = place.suffix.lower() in {".jsonl", ".ndjson"}
    if file and (not asked.rubrics or not asked.judge):
        raise UsageProblem("a file needs a judge and a rubric", remedy="add --judge SPEC --rubric NAME")
    if not file and (asked.rubrics or asked.judge or asked.batch):
        raise UsageProblem("a study names its own judge and rubrics", remedy="leave --judge, --rubric and --batch out")
    bounds = {f"--max-{n}": getattr(asked.limits, f"max_{n}") for n in ("calls", "tokens", "cost")}
    for option, bound in bounds.items():
        if not file and bound is not None:
            remedy = "write judge.max_calls or judge.max_cost into the study"
            raise UsageProblem("a study has its own limits", field=option, seen=bound, remedy=remedy)
    return file


def _study(place: Path) -> Study:
    from judgekit.workspace import study_of

    study = study_of(place)
    if study.groups is None:
        raise UsageProblem(
            "there is nothing to swap",
            path=study.file,
            field="groups",
            why="the study has no groups, and a swap test fills the same text with names of two",
            remedy="declare groups with names, or go on without: a judge without group claims needs no swap test",
        )
    return study


def _run(place: Path, asked: _Asked, watch: StageProgress) -> tuple[list[SwapResult], list[PairSwapResult], str | None]:
    if _is_file(place, asked):
        from judgekit.adhoc import swap_test_file

        found = swap_test_file(
            place,
            asked.rubrics,
            asked.judge or "",
            texts=asked.texts,
            margin=asked.margin,
            seed=asked.seed,
            concurrency=asked.concurrency,
            limits=asked.limits,
            progress=lambda p: watch("swap test", p.done, p.total),
            sender=sender_of(batch=asked.batch, cancel=False),
        )
        return found, [], None
    from judgekit.pipeline import swap_test_study

    judged = swap_test_study(_study(place), watch=watch, say=watch.say)
    return list(judged.swap), list(judged.pair_swap), judged.swap_note


def _dry_run(place: Path, asked: _Asked, rate: float | None, *, json_out: bool) -> None:
    from judgekit.judging.judge import Assumptions

    plan: JudgePlan | Plan
    if _is_file(place, asked):
        from judgekit.adhoc import plan_swap_file

        assumed = Assumptions(rate=rate, batch=asked.batch)
        plan = plan_swap_file(
            place, asked.rubrics, asked.judge or "", texts=asked.texts, seed=asked.seed, assumed=assumed
        )
    else:
        from judgekit.pipeline import plan_run

        plan = plan_run(_study(place), rate=rate, swap_only=True)
    if json_out:
        emit(plan)
        return
    typer.echo(f"{plan.calls} calls: {plan.answered} answered already, {plan.to_send} to send")
    if words := plan_words(plan):
        typer.echo(words)


def _reworded(result: SwapResult) -> str:
    """Its shift; a dash where there is none, since the line below the table says why."""
    from judgekit.reporting.words import number

    shift = result.paraphrase_shift
    return number(shift, signed=True) if isinstance(shift, float) else "-"


def _print(results: list[SwapResult], note: str | None) -> None:
    from judgekit.reporting.words import contrast_words, interval_words, number

    if note:
        typer.echo(note)
    if not results:
        return
    typer.echo(
        table(
            ["dimension", "contrast", "shift", "interval", "control", "reworded", "changed", "texts", "verdict"],
            [
                [
                    r.dimension,
                    contrast_words(r.contrast),
                    number(r.shift, signed=True),
                    interval_words(r.interval),
                    number(r.control_shift, signed=True),
                    _reworded(r),
                    number(r.changed),
                    r.n,
                    r.verdict,
                ]
                for r in results
            ],
        )
    )
    for r in results:
        typer.echo(f"{r.dimension}: {r.why}")
        if not isinstance(r.paraphrase_shift, float):
            typer.echo(f"  reworded: {r.paraphrase_shift.reason}")
        names = ", ".join(f"{n} {number(v, signed=True)}" for n, v in sorted(r.per_name.items(), key=lambda x: x[1]))
        if names:
            typer.echo(f"  by name: {names}")
