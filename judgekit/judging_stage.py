"""Judging and swap-testing one study through its ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judgekit.anchoring import anchored, build_number
from judgekit.endpoints.limits import Budget, Limits
from judgekit.endpoints.runner import Progress
from judgekit.errors import BadInput
from judgekit.judging.handle import JudgeHandle, make_judge
from judgekit.judging.judge import check_judge, judge_replies, judge_texts, plan
from judgekit.judging.swap_test import judge_fills, plan_fills
from judgekit.records import Judgment, Reply, Rubric, SwapResult
from judgekit.stages import Blinded
from judgekit.study import Study
from judgekit.swap_stage import Swap, swap_texts, swap_verdicts
from judgekit.workspace import Workspace

__all__ = ["JudgeRun", "StudyPlan", "judge_study", "limits_of", "must_be_judged", "must_be_ready", "plan_study"]

Watch = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRun:
    """What judging gave: judgments of blinded texts and anchors, and verdicts of the swap test on filled texts."""

    judge: JudgeHandle
    rubrics: tuple[Rubric, ...]
    judgments: tuple[Judgment, ...]
    fingerprints: Mapping[str, str]
    swap: tuple[SwapResult, ...]
    swap_note: str | None
    in_doubt: int
    first_at: str | None
    anchors: tuple[Judgment, ...] = ()

    @property
    def languages(self) -> tuple[str, ...] | None:
        """Languages the judge declares."""
        declared = self.judge.languages
        return None if declared is None else tuple(sorted(declared))


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """Calls of a study: all, answered already, still to send; ``swap_calls`` of them are the swap test's."""

    calls: int
    answered: int
    to_send: int
    swap_calls: int


def limits_of(study: Study) -> Limits:
    """The study's bounds on calls, cost and time as the runner takes them."""
    settings = study.judge
    return Limits(
        retries=settings.retries,
        max_calls=settings.max_calls,
        max_cost=settings.max_cost,
        attempt_timeout=settings.timeout,
    )


def _judge_of(study: Study) -> JudgeHandle:
    settings = study.judge
    asked = settings.spec.strip().startswith(("openai", "anthropic", "local:"))
    return make_judge(
        settings.spec,
        base_url=settings.base_url,
        api_key_env=settings.api_key_env,
        parameters={"temperature": settings.temperature, "max_tokens": settings.max_tokens} if asked else None,
        prices=settings.prices,
        score=settings.score,
    )


def plan_study(study: Study, rubrics: Mapping[str, Rubric], replies: Sequence[Reply], blinded: Blinded) -> StudyPlan:
    """Count the calls of a study without sending or writing anything.

    Parameters
    ----------
    study : Study
    rubrics : mapping of str to Rubric
    replies : sequence of Reply
    blinded : Blinded

    Returns
    -------
    StudyPlan

    Raises
    ------
    ConfigProblem
        A judge or rubric that cannot judge these texts, before anything is written and before anyone labels.
    """
    judge = _judge_of(study)
    chosen = list(rubrics.values())
    check_judge((r.lang for r in blinded.verified), chosen, judge)
    Budget(limits_of(study), getattr(judge.endpoint, "estimate", None))  # refuses a limit that cannot be kept
    swap = swap_texts(study, replies, blinded)
    ledger_path = study.base / ".judgekit" / study.study / "ledger.sqlite"
    if not ledger_path.is_file():
        return _planned(study, chosen, judge, blinded, swap, None)
    from judgekit.files.ledger import Ledger

    with Ledger.open(ledger_path, read_only=True) as ledger:
        return _planned(study, chosen, judge, blinded, swap, ledger)


def _planned(
    study: Study, rubrics: list[Rubric], judge: JudgeHandle, blinded: Blinded, swap: Swap, ledger: Any
) -> StudyPlan:
    parts = [plan(blinded.verified, rubrics, judge, ledger, repeats=study.judge.repeats)]
    filled = plan_fills(swap.fills, rubrics, judge, ledger)
    parts.append(filled)
    frozen = anchored(study)
    if frozen is not None:
        build = build_number(blinded.verified)
        parts.append(
            plan(frozen.verified, rubrics, judge, ledger, repeats=study.judge.repeats, first_repeat=lambda _: build)
        )
    return StudyPlan(
        calls=sum(p.calls for p in parts),
        answered=sum(p.answered for p in parts),
        to_send=sum(p.to_send for p in parts),
        swap_calls=filled.calls,
    )


def judge_study(
    space: Workspace,
    rubrics: Mapping[str, Rubric],
    replies: Sequence[Reply],
    blinded: Blinded,
    watch: Watch,
    *,
    swap_only: bool = False,
) -> JudgeRun:
    """Judge the verified texts, then the filled ones of the swap test, through the study's ledger.

    Parameters
    ----------
    space : Workspace
    rubrics : mapping of str to Rubric
    replies : sequence of Reply
    blinded : Blinded
    watch : callable
        Told how far it is.
    swap_only : bool
        Judge nothing but the swap test's texts.

    Returns
    -------
    JudgeRun

    Raises
    ------
    Unfinished
        As `endpoints.runner.run_calls`; what was received is kept.
    """
    from judgekit.files.ledger import Ledger
    from judgekit.files.manifest import secret

    study = space.study
    judge, chosen = _judge_of(study), list(rubrics.values())
    swap = swap_texts(study, replies, blinded)

    def told(stage: str) -> Callable[[Progress], None]:
        return lambda p: watch(stage, p.done, p.total)

    options: dict[str, Any] = {
        "secret": secret(space.secret),
        "concurrency": study.judge.concurrency,
        "limits": limits_of(study),
    }
    with Ledger.open(space.ledger) as ledger:
        tested = {f.item for f in swap.fills}
        base = [r for r in blinded.verified if r.item in tested] if swap_only else blinded.verified
        judgments = judge_replies(
            base, chosen, judge, ledger, repeats=study.judge.repeats, progress=told("judge"), **options
        )
        filled = judge_fills(swap.fills, chosen, judge, ledger, progress=told("swap test"), **options)
        anchors: list[Judgment] = []
        frozen = None if swap_only else anchored(study)
        if frozen is not None:
            build = build_number(blinded.verified)
            anchors = judge_texts(
                frozen.verified, chosen, judge, ledger, repeats=study.judge.repeats, first_repeat=lambda _: build,
                progress=told("anchors"), **options,
            )  # fmt: skip
        first_at, in_doubt = ledger.first_received(), len(ledger.asked_again())
    results = swap_verdicts(study, swap, [*filled, *judgments], chosen, replies)
    return JudgeRun(
        judge=judge,
        rubrics=tuple(chosen),
        judgments=tuple(judgments),
        fingerprints={j.task.rubric_hash: j.fingerprint for j in judgments},
        swap=tuple(results),
        swap_note=swap.note,
        in_doubt=in_doubt,
        first_at=first_at,
        anchors=tuple(anchors),
    )


def must_be_judged(study: Study, rubrics: Mapping[str, Rubric], replies: Sequence[Reply], blinded: Blinded) -> None:
    """Refuse to go on when the ledger lacks an answer; nothing is written.

    Parameters
    ----------
    study : Study
    rubrics : mapping of str to Rubric
    replies : sequence of Reply
    blinded : Blinded

    Raises
    ------
    BadInput
        The study was never run, or not to its end.
    """
    planned = plan_study(study, rubrics, replies, blinded)
    if planned.to_send:
        raise BadInput(
            f"{planned.to_send} of {planned.calls} calls have no answer in the ledger",
            path=study.file,
            why="this command recomputes from what was received and never asks the judge",
            remedy="run `judgekit run` on the study first",
        )


def must_be_ready(study: Study, rubrics: Mapping[str, Rubric], replies: Sequence[Reply], blinded: Blinded) -> None:
    """Refuse to start when there is something to send and the judge lacks its key; nothing is written.

    Parameters
    ----------
    study : Study
    rubrics : mapping of str to Rubric
    replies : sequence of Reply
    blinded : Blinded

    Raises
    ------
    ConfigProblem
        As `plan_study`, or a key that is not in the environment.
    """
    if plan_study(study, rubrics, replies, blinded).to_send:
        _judge_of(study).ready()
