"""Run the suite of hostile replies against a judge, through the ledger like any other judging."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from judgekit.blinding.verify import Verifier
from judgekit.endpoints.limits import Limits
from judgekit.endpoints.runner import Progress, run_calls
from judgekit.files.ledger import Ledger
from judgekit.injection.results import InjectionResult, injection_results
from judgekit.injection.suite import Suite, build_suite
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.judge import Assumptions, JudgePlan, Sender, calls_of, judge_texts, plan
from judgekit.records import Arm, Call, Rubric

__all__ = ["attack", "attack_calls", "plan_attack", "suites_for"]

_ARM = Arm(kind="variant", of_arm="injection", direction=1)
_TWICE = 2


def suites_for(rubrics: Sequence[Rubric], judge: JudgeHandle, *, lang: str | None = None) -> list[Suite]:
    """The suite of every rubric that the judge has anything to say about.

    Parameters
    ----------
    rubrics : sequence of Rubric
    judge : JudgeHandle
    lang : str, optional
        Language of the neutral texts; English by default, or the rubric's and the judge's own where they lack it.

    Returns
    -------
    list of Suite

    Raises
    ------
    ConfigProblem
        No neutral texts in a language that rubric and judge read.
    """
    verifier = Verifier()
    made = []
    for rubric in rubrics:
        if any(judge.supports(dimension) for dimension in rubric.dimensions):
            reads = [
                x for x in ("en", "es") if x in rubric.languages and (judge.languages is None or x in judge.languages)
            ]
            made.append(build_suite(rubric, lang=lang or (reads[0] if reads else "en"), verifier=verifier))
    return made


def attack(
    suites: Sequence[Suite],
    judge: JudgeHandle,
    ledger: Ledger,
    *,
    secret: bytes,
    concurrency: int = 4,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    sender: Sender = run_calls,
) -> list[InjectionResult]:
    """Judge hostile replies and their controls; controls twice, for the judge's own noise.

    Parameters
    ----------
    suites : sequence of Suite
        From `suites_for`.
    judge : JudgeHandle
    ledger : Ledger
    secret, concurrency, limits, progress, sender
        As for `judging.judge.judge_replies`.

    Returns
    -------
    list of InjectionResult
        One for each rubric's dimension. The judgments stand in the ledger under an arm of their own and can never
        become scores.

    Raises
    ------
    Unfinished
        As for `endpoints.runner.run_calls`; what was received is kept.
    """
    results: list[InjectionResult] = []
    for suite in suites:
        judgments = []
        for texts, repeats in ((suite.controls, _TWICE), (suite.texts, 1)):
            judgments += judge_texts(
                texts,
                [suite.rubric],
                judge,
                ledger,
                secret=secret,
                repeats=repeats,
                arm=_ARM,
                concurrency=concurrency,
                limits=limits,
                progress=progress,
                sender=sender,
            )
        results += injection_results(suite, judgments)
    return results


def plan_attack(
    suites: Sequence[Suite], judge: JudgeHandle, ledger: Ledger | None, *, assumed: Assumptions | None = None
) -> list[JudgePlan]:
    """What `attack` would send; nothing is written."""
    plans = []
    for suite in suites:
        plans.append(plan(suite.controls, [suite.rubric], judge, ledger, repeats=_TWICE, assumed=assumed))
        plans.append(plan(suite.texts, [suite.rubric], judge, ledger, assumed=assumed))
    return plans


def attack_calls(suites: Sequence[Suite], judge: JudgeHandle) -> list[Call]:
    """The requests of `attack`, so that they can be sent together with others."""
    calls: list[Call] = []
    for suite in suites:
        calls += calls_of(suite.controls, [suite.rubric], judge, repeats=_TWICE)
        calls += calls_of(suite.texts, [suite.rubric], judge)
    return calls
