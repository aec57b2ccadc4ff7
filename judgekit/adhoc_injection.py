"""The suite of hostile replies against a judge, without a study: the ledger stands beside the output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from judgekit.endpoints.limits import Limits, Spent
from judgekit.endpoints.runner import run_calls
from judgekit.files.atomic import write_json
from judgekit.files.disk import check_output
from judgekit.files.folders import study_folder
from judgekit.files.ledger import Ledger
from judgekit.files.manifest import secret
from judgekit.injection.attack import attack, plan_attack, suites_for
from judgekit.injection.results import InjectionResult, injection_document
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.judge import check_judge
from judgekit.rubric import load_rubric

__all__ = ["InjectionPlan", "injection_file", "plan_injection_file"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectionPlan:
    """Hostile texts and the calls they, and their controls, would take; ``stopped`` are withheld by the verifier."""

    texts: int
    stopped: int
    calls: int
    to_send: int


def plan_injection_file(rubrics: Sequence[str], judge: JudgeHandle, *, lang: str | None = None) -> InjectionPlan:
    """What `injection_file` would send to a judge that was never asked before; nothing is written.

    Raises
    ------
    ConfigProblem
        As for `injection_file`.
    """
    suites = suites_for([load_rubric(r) for r in rubrics], judge, lang=lang)
    plans = plan_attack(suites, judge, None)
    return InjectionPlan(
        texts=sum(len(s.texts) for s in suites),
        stopped=sum(len(s.stopped) for s in suites),
        calls=sum(p.calls for p in plans),
        to_send=sum(p.to_send for p in plans),
    )


def injection_file(
    rubrics: Sequence[str],
    judge: JudgeHandle,
    output: Path,
    *,
    lang: str | None = None,
    concurrency: int = 4,
    limits: Limits | None = None,
    progress: Callable[[Any], None] | None = None,
    force: bool = False,
) -> list[InjectionResult]:
    """Run the suite against a judge and write what it did as JSON.

    Parameters
    ----------
    rubrics : sequence of str
        Names or files.
    judge : JudgeHandle
    output : Path
        Answers are kept in a ledger beside it, so that a stopped run goes on where it was.
    lang : str, optional
        Language of the neutral texts, ``en`` or ``es``.
    concurrency, limits, progress
        As for `judging.judge.judge_replies`.
    force : bool
        Overwrite the output.

    Returns
    -------
    list of InjectionResult

    Raises
    ------
    ConfigProblem
        The judge or a rubric cannot read the neutral texts; nothing was written.
    Unfinished
        As for `endpoints.runner.run_calls`.
    """
    check_output(output, force=force)
    suites = suites_for([load_rubric(r) for r in rubrics], judge, lang=lang)
    for suite in suites:
        check_judge([suite.lang], [suite.rubric], judge)
    judge.ready()
    folder = study_folder(output, f"{output.stem}-injection")
    with Ledger.open(folder / "ledger.sqlite") as ledger:
        results = attack(
            suites,
            judge,
            ledger,
            secret=secret(folder / "secret"),
            concurrency=concurrency,
            limits=limits,
            sender=partial(run_calls, spent=Spent()),  # controls and hostile replies share the limits
            progress=progress,
        )
    write_json(output, injection_document(results), force=force)
    return results
