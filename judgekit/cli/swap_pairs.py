"""What ``judgekit swaptest --pairs`` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from judgekit.cli.judge_options import plan_words
from judgekit.cli.output import emit, table
from judgekit.cli.study_options import StageProgress

if TYPE_CHECKING:
    from judgekit.judging.handle import JudgeHandle
    from judgekit.swapping.pair_results import PairSwapResult

__all__ = ["compare_pairs", "plan_pairs", "print_pairs"]


def compare_pairs(
    place: Path,
    rubrics: tuple[str, ...],
    judge: JudgeHandle,
    *,
    pairs: int,
    margin: float,
    seed: int,
    json_out: bool,
    **how: Any,
) -> set[str]:
    """Compare pairs under swapped names, print what came of it, and say which verdicts there are; ``how`` goes to the judge."""
    from judgekit.adhoc_swap_pairs import swap_pairs_file
    from judgekit.reporting.machine import swap_document

    watch = StageProgress()
    try:
        results = swap_pairs_file(
            place,
            rubrics,
            judge,
            pairs=pairs,
            margin=margin,
            seed=seed,
            progress=lambda p: watch("swap test", p.done, p.total),
            **how,
        )
    finally:
        watch.close()
    if json_out:
        emit(swap_document((), tuple(results)))
    else:
        print_pairs(results)
    return {r.verdict for r in results}


def plan_pairs(
    place: Path,
    rubrics: tuple[str, ...],
    judge: JudgeHandle,
    *,
    pairs: int,
    seed: int,
    rate: float | None,
    json_out: bool,
) -> None:
    """Print what `compare_pairs` would send."""
    from judgekit.adhoc_swap_pairs import plan_swap_pairs_file
    from judgekit.judging.judge import Assumptions

    plan = plan_swap_pairs_file(place, rubrics, judge, pairs=pairs, seed=seed, assumed=Assumptions(rate=rate))
    if json_out:
        emit(plan)
        return
    typer.echo(f"{plan.calls} calls: {plan.answered} answered already, {plan.to_send} to send")
    if words := plan_words(plan):
        typer.echo(words)


def print_pairs(results: list[PairSwapResult]) -> None:
    """Print the table of pairs, and why each verdict is what it is."""
    from judgekit.printable import printable
    from judgekit.reporting.words import contrast_words, interval_words, number

    typer.echo(
        table(
            ["dimension", "contrast", "preference", "interval", "position", "together", "pairs", "verdict"],
            [
                [
                    r.dimension,
                    contrast_words(r.contrast),
                    number(r.preference, signed=True),
                    interval_words(r.interval),
                    number(r.position, signed=True),
                    number(r.interaction, signed=True),
                    r.n,
                    r.verdict,
                ]
                for r in results
            ],
        )
    )
    for r in results:
        typer.echo(f"{printable(r.dimension)}: {printable(r.why)}")
        typer.echo(
            f"  position {interval_words(r.position_interval)}; position under {printable(r.contrast.a)} minus under "
            f"{printable(r.contrast.b)} {interval_words(r.interaction_interval)}"
        )
        names = ", ".join(
            f"{printable(n)} {number(v, signed=True)}" for n, v in sorted(r.per_name.items(), key=lambda x: x[1])
        )
        if names:
            typer.echo(f"  by name: {names}")
