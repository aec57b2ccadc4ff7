"""The swap test of pairs on a file of blinded texts, without a study."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from judgekit.adhoc import ledger_if_there, swap_ground
from judgekit.endpoints.limits import Limits
from judgekit.errors import UsageProblem
from judgekit.files.folders import study_folder
from judgekit.files.ledger import Ledger
from judgekit.files.manifest import secret
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.judge import Assumptions, JudgePlan
from judgekit.rubric import load_rubric
from judgekit.swapping.pair_results import PairSwapResult, pair_swap_results
from judgekit.swapping.pairs import PairFill, choose_pairs, judge_pair_fills, pair_fills, plan_pair_fills

__all__ = ["plan_swap_pairs_file", "swap_pairs_file"]


def _fills(blinded: Path, pairs: int, seed: int) -> list[PairFill]:
    ground = swap_ground(blinded)
    chosen = choose_pairs(ground.masked, pairs, seed=seed, units=ground.units)
    fills = pair_fills(chosen, ground.people, ground.contrasts, seed=seed, units=ground.units)
    if not fills:
        raise UsageProblem(
            "no two replies of a template can be compared under swapped names",
            path=blinded,
            field="template_id",
            remedy="blind replies with a template_id, two or more different ones to a template, about a named person",
        )
    return fills


def swap_pairs_file(
    blinded: Path,
    rubrics: Sequence[str],
    judge: JudgeHandle,
    *,
    pairs: int,
    margin: float,
    seed: int,
    concurrency: int = 4,
    limits: Limits | None = None,
    progress: Callable[[Any], None] | None = None,
) -> list[PairSwapResult]:
    """Compare pairs of replies under swapped names, in both orders.

    Parameters
    ----------
    blinded : Path
        What `judgekit blind` wrote, its design file beside it.
    rubrics : sequence of str
    judge : JudgeHandle
    pairs : int
        Pairs to draw; each takes eight calls a rubric and contrast.
    margin : float
        Preference within which none counts, in (0, 1).
    seed : int
    concurrency, limits, progress
        As `judging.judge.judge_replies`.

    Returns
    -------
    list of PairSwapResult

    Raises
    ------
    UsageProblem
        The design names fewer than two groups with people, or no template has two different replies about one.
    """
    fills, loaded = _fills(blinded, pairs, seed), [load_rubric(r) for r in rubrics]
    folder = study_folder(blinded, f"{blinded.stem}-swaptest")
    with Ledger.open(folder / "ledger.sqlite") as ledger:
        judged = judge_pair_fills(
            fills,
            loaded,
            judge,
            ledger,
            secret=secret(folder / "secret"),
            concurrency=concurrency,
            limits=limits,
            progress=progress,
        )
    return pair_swap_results(judged, fills, loaded, margin=margin)


def plan_swap_pairs_file(
    blinded: Path,
    rubrics: Sequence[str],
    judge: JudgeHandle,
    *,
    pairs: int,
    seed: int,
    assumed: Assumptions | None = None,
) -> JudgePlan:
    """What `swap_pairs_file` would send; nothing is written or sent. Parameters and errors are its own."""
    fills, loaded = _fills(blinded, pairs, seed), [load_rubric(r) for r in rubrics]
    path = blinded.resolve().parent / ".judgekit" / f"{blinded.stem}-swaptest" / "ledger.sqlite"
    with ledger_if_there(path) as ledger:
        return plan_pair_fills(fills, loaded, judge, ledger, assumed=assumed)
