"""Judging and swap-testing one study through its ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from judgekit.anchoring import anchored, build_number
from judgekit.batches.leftovers import leftovers
from judgekit.batches.run import batch_service, run_batches
from judgekit.endpoints.base import Endpoint
from judgekit.endpoints.limits import Budget, Spent
from judgekit.endpoints.runner import Progress, run_calls
from judgekit.errors import BadInput
from judgekit.extraction_stage import check_readers, extract_all, plan_extraction, readers_of
from judgekit.injection.attack import attack, attack_calls, plan_attack, suites_for
from judgekit.injection.results import InjectionResult
from judgekit.injection.suite import Suite
from judgekit.judging.forecast import forecast, joined
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.judge import (
    Assumptions,
    JudgePlan,
    Sender,
    calls_of,
    check_judge,
    judge_replies,
    judge_texts,
    plan,
)
from judgekit.judging.outcomes import dropped_settings
from judgekit.judging.prompt import Prompts
from judgekit.judging.swap_test import calls_of_fills, judge_fills, plan_fills
from judgekit.records import BlindedReply, Call, FilledText, Judgment, Reply, Rubric, Scored, SwapResult, Unscored
from judgekit.stages import Blinded
from judgekit.studied_judge import judge_of_study, limits_of_study
from judgekit.study import Study
from judgekit.swap_stage import Swap, pair_verdicts, reworder_of, swap_texts, swap_verdicts, with_rewordings
from judgekit.swapping.arms import Wanted
from judgekit.swapping.model import Rewordings, ask_for_rewordings, read_rewordings, rewording_calls
from judgekit.swapping.pair_results import PairSwapResult
from judgekit.swapping.pairs import calls_of_pairs, judge_pair_fills, plan_pair_fills
from judgekit.workspace import Workspace

if TYPE_CHECKING:
    from judgekit.files.ledger import Ledger

__all__ = ["JudgeRun", "StudyPlan", "judge_study", "must_be_judged", "must_be_ready", "plan_study"]

Watch = Callable[[str, int, int | None], None]

_LIKELY = 1_000_000  # a repeat that no call has: stands for a text that is not there yet


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
    dropped: tuple[str, ...] = ()
    """Settings that the judge was found not to take."""
    pair_swap: tuple[PairSwapResult, ...] = ()
    """Verdicts on pairs of replies under swapped names, where the study asks for them."""
    injection: tuple[InjectionResult, ...] = ()
    """What the suite of hostile replies did, where the study asks for it."""
    extracted: Mapping[str, Mapping[str, Scored | Unscored]] = field(default_factory=dict)
    """Facts that a model read from the replies, by metric and item."""

    @property
    def languages(self) -> tuple[str, ...] | None:
        """Languages the judge declares."""
        declared = self.judge.languages
        return None if declared is None else tuple(sorted(declared))


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlan:
    """Calls of a study: all, answered already, still to send; ``swap_calls`` of them are the swap test's.

    ``whole`` says what those to send would cost; ``to_ask`` are the models they go to; ``swap`` is from `swap_texts`.
    """

    calls: int
    answered: int
    to_send: int
    swap_calls: int
    whole: JudgePlan
    to_ask: tuple[JudgeHandle, ...]
    swap: Swap


def plan_study(
    study: Study,
    rubrics: Mapping[str, Rubric],
    replies: Sequence[Reply],
    blinded: Blinded,
    *,
    rate: float | None = None,
    swap_only: bool = False,
) -> StudyPlan:
    """Count the calls of a study without sending or writing anything.

    Parameters
    ----------
    study : Study
    rubrics : mapping of str to Rubric
    replies : sequence of Reply
    blinded : Blinded
    rate : float, optional
        Answers a second, where they are not to be measured from the ledger.
    swap_only : bool
        As for `judge_study`.

    Returns
    -------
    StudyPlan

    Raises
    ------
    ConfigProblem
        A judge or rubric that cannot judge these texts, before anything is written and before anyone labels.
    """
    judge = judge_of_study(study)
    chosen = list(rubrics.values())
    check_judge((r.lang for r in blinded.verified), chosen, judge)
    Budget(limits_of_study(study), getattr(judge.endpoint, "estimate", None))  # refuses a limit that cannot be kept
    if study.judge.batch:
        batch_service(judge.endpoint)  # refuses a judge that takes none
    made = swap = swap_texts(study, replies, blinded)
    if swap.wanted:
        Budget(limits_of_study(study), getattr(reworder_of(study).endpoint, "estimate", None))
    if not swap_only:
        check_readers(study, limits_of_study(study))
    ledger_path = study.base / ".judgekit" / study.study / "ledger.sqlite"
    if not ledger_path.is_file():
        parts = _parts(study, blinded, swap, chosen, judge, swap_only=swap_only)
        return _planned(study, chosen, judge, parts, made, ledger=None, rate=rate)
    from judgekit.files.ledger import Ledger

    with Ledger.open(ledger_path, read_only=True) as ledger:
        if swap.wanted and not _not_reworded(study, swap, ledger):
            swap = with_rewordings(study, swap, read_rewordings(swap.wanted, reworder_of(study), ledger))
        parts = _parts(study, blinded, swap, chosen, judge, swap_only=swap_only)
        return _planned(study, chosen, judge, parts, made, ledger=ledger, rate=rate)


def _not_reworded(study: Study, swap: Swap, ledger: Ledger | None) -> list[Wanted]:
    """Texts whose rewording a model has still to be asked for."""
    calls = rewording_calls(swap.wanted, reworder_of(study)) if swap.wanted else {}
    keys = {c.request_key for c in calls.values()}
    if ledger is not None:
        keys = set(ledger.pending(keys))
    return [w for w in swap.wanted if w.masked.item in calls and calls[w.masked.item].request_key in keys]


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a study has judged: replies, filled texts, anchors with the number of their build, hostile replies.

    ``swap`` still wants its texts reworded by a model where that was not done yet.
    """

    replies: list[BlindedReply]
    fills: Sequence[FilledText]
    anchors: list[BlindedReply]
    build: int
    swap: Swap
    suites: Sequence[Suite] = ()
    blinded: Blinded = field(default_factory=Blinded)
    swap_only: bool = False


def _parts(
    study: Study, blinded: Blinded, swap: Swap, rubrics: Sequence[Rubric], judge: JudgeHandle, *, swap_only: bool
) -> _Parts:
    tested = {f.item for f in swap.fills}
    frozen = None if swap_only else anchored(study)
    return _Parts(
        replies=[r for r in blinded.verified if r.item in tested] if swap_only else blinded.verified,
        fills=swap.fills,
        anchors=frozen.verified if frozen is not None else [],
        build=build_number(blinded.verified),
        swap=swap,
        suites=suites_for(rubrics, judge) if study.judge.injection and not swap_only else (),
        blinded=blinded,
        swap_only=swap_only,
    )


def _planned(
    study: Study,
    rubrics: list[Rubric],
    judge: JudgeHandle,
    parts: _Parts,
    made: Swap,
    *,
    ledger: Any,
    rate: float | None,
) -> StudyPlan:
    settings = study.judge
    assumed = Assumptions(concurrency=settings.concurrency, rate=rate, batch=settings.batch)
    given: dict[str, Any] = {"repeats": settings.repeats, "assumed": assumed}
    reworded = _plan_rewordings(study, rubrics, judge, parts, ledger, assumed)
    reading = [] if parts.swap_only else plan_extraction(study, parts.blinded, ledger, assumed)
    filled = joined(
        [
            plan_fills(parts.fills, rubrics, judge, ledger, assumed=assumed),
            plan_pair_fills(parts.swap.pairs, rubrics, judge, ledger, assumed=assumed),
            *reworded,
        ]
    )
    whole = joined(
        [
            plan(parts.replies, rubrics, judge, ledger, **given),
            filled,
            plan(parts.anchors, rubrics, judge, ledger, first_repeat=lambda _: parts.build, **given),
            *plan_attack(parts.suites, judge, ledger, assumed=assumed),
            *reading,
        ]
    )
    others = [(reworder_of(study), p.to_send) for p in reworded[:1]]
    others += [(reader.model, p.to_send) for reader, p in zip(readers_of(study), reading, strict=False)]
    asked = [(judge, whole.to_send - sum(n for _, n in others)), *others]
    return StudyPlan(
        calls=whole.calls,
        answered=whole.answered,
        to_send=whole.to_send,
        swap_calls=filled.calls,
        whole=whole,
        to_ask=tuple(model for model, n in asked if n),
        swap=made,
    )


def _plan_rewordings(
    study: Study,
    rubrics: list[Rubric],
    judge: JudgeHandle,
    parts: _Parts,
    ledger: Ledger | None,
    assumed: Assumptions,
) -> list[JudgePlan]:
    """Requests for rewordings, and for judging what they will be: texts about as long as those they are made of."""
    waiting = _not_reworded(study, parts.swap, ledger)
    if not waiting:
        return []
    model = reworder_of(study)
    calls = {call.request_key: call for call in rewording_calls(waiting, model).values()}
    likely = plan([w.of for w in waiting], rubrics, judge, ledger, first_repeat=lambda _: _LIKELY, assumed=assumed)
    return [forecast(len(waiting), calls, Rewordings(), model, ledger, assumed), likely]


def _sender(
    study: Study,
    rubrics: list[Rubric],
    judge: JudgeHandle,
    parts: _Parts,
    ledger: Ledger,
    *,
    spent: Spent,
    say: Callable[[str], None],
    **options: Any,
) -> Sender:
    """What has the study's calls answered; in batches, all of them are handed over together here, and nothing is later."""
    if not study.judge.batch:
        return partial(run_calls, spent=spent)
    given: dict[str, Any] = {"repeats": study.judge.repeats}
    calls = [
        *calls_of(parts.replies, rubrics, judge, **given),
        *calls_of_fills(parts.fills, rubrics, judge),
        *calls_of_pairs(parts.swap.pairs, rubrics, judge),
        *calls_of(parts.anchors, rubrics, judge, first_repeat=lambda _: parts.build, **given),
        *attack_calls(parts.suites, judge),
    ]
    if ledger.pending(call.request_key for call in calls) or leftovers(ledger, judge.endpoint_id):
        run_batches(calls, judge.endpoint, ledger, render=Prompts(rubrics).render, spent=spent, say=say, **options)
    handed = {call.request_key for call in calls}

    def sent(calls: Sequence[Call], endpoint: Endpoint, ledger: Ledger, **given: Any) -> object:
        """They went out already; those without an answer are failures. What was forgotten goes into a batch of its own."""
        ledger.add_calls(calls)
        forgotten = [call for call in calls if call.request_key not in handed]
        return run_batches(forgotten, endpoint, ledger, spent=spent, say=say, **given) if forgotten else None

    return sent


def _told(watch: Watch, stage: str) -> Callable[[Progress], None]:
    return lambda p: watch(stage, p.done, p.total)


def judge_study(
    space: Workspace,
    rubrics: Mapping[str, Rubric],
    replies: Sequence[Reply],
    blinded: Blinded,
    watch: Watch,
    *,
    swap: Swap,
    swap_only: bool = False,
    say: Callable[[str], None] = lambda _message: None,
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
    swap : Swap
        Of the study's plan, from `must_be_ready` or `must_be_judged`.
    swap_only : bool
        Judge nothing but the swap test's texts.
    say : callable
        Told in a line what becomes of batches.

    Returns
    -------
    JudgeRun

    Raises
    ------
    Unfinished
        As `endpoints.runner.run_calls`; what was received is kept. Budgets hold for all parts of the run together.
    """
    from judgekit.files.ledger import Ledger
    from judgekit.files.manifest import secret

    study = space.study
    judge, chosen = judge_of_study(study), list(rubrics.values())
    told, repeats, spent = partial(_told, watch), study.judge.repeats, Spent()
    options: dict[str, Any] = {"secret": secret(space.secret), "limits": limits_of_study(study)}
    options["concurrency"] = study.judge.concurrency
    with Ledger.open(space.ledger) as ledger:
        alone = partial(run_calls, spent=spent)  # another model's calls, in no batch of the judge's
        if swap.wanted:
            anew = options | {"sender": alone, "progress": told("rewording")}
            swap = with_rewordings(study, swap, ask_for_rewordings(swap.wanted, reworder_of(study), ledger, **anew))
        parts = _parts(study, blinded, swap, chosen, judge, swap_only=swap_only)
        options["sender"] = _sender(
            study, chosen, judge, parts, ledger, spent=spent, say=say, progress=told("batches"), **options
        )
        asked = (chosen, judge, ledger)
        judgments = judge_replies(parts.replies, *asked, repeats=repeats, progress=told("judge"), **options)
        filled = judge_fills(parts.fills, *asked, progress=told("swap test"), **options)
        anew = options | {"repeats": repeats, "first_repeat": lambda _: parts.build, "progress": told("anchors")}
        anchors = judge_texts(parts.anchors, *asked, **anew) if parts.anchors else []
        compared = judge_pair_fills(swap.pairs, *asked, progress=told("pairs"), **options)
        hostile = attack(parts.suites, judge, ledger, progress=told("injection"), **options)
        extracted = {} if swap_only else extract_all(study, blinded, ledger, told, **options | {"sender": alone})
        first_at, in_doubt = ledger.first_received(), len(ledger.asked_again())
        dropped = tuple(dropped_settings(judge, ledger))
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
        dropped=dropped,
        pair_swap=tuple(pair_verdicts(study, swap, compared, chosen)),
        injection=tuple(hostile),
        extracted=extracted,
    )


def must_be_judged(
    study: Study, rubrics: Mapping[str, Rubric], replies: Sequence[Reply], blinded: Blinded
) -> StudyPlan:
    """Refuse to go on when the ledger lacks an answer; nothing is written.

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
    return planned


def must_be_ready(
    study: Study,
    rubrics: Mapping[str, Rubric],
    replies: Sequence[Reply],
    blinded: Blinded,
    *,
    swap_only: bool = False,
) -> StudyPlan:
    """Refuse to start when there is something to send to a model that lacks its key; nothing is written.

    Parameters
    ----------
    study : Study
    rubrics : mapping of str to Rubric
    replies : sequence of Reply
    blinded : Blinded
    swap_only : bool
        As for `judge_study`.

    Returns
    -------
    StudyPlan

    Raises
    ------
    ConfigProblem
        As `plan_study`, or a key that is not in the environment.
    """
    planned = plan_study(study, rubrics, replies, blinded, swap_only=swap_only)
    for model in planned.to_ask:
        model.ready()
    return planned
