"""The main path, in order: read, seal, blind, judge, swap-test, sample, label, agree, calibrate, gap, gate, report.

Read this file first; each stage is one call, and holds what it does in its own module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from judgekit import stages
from judgekit.anchoring import decided_otherwise
from judgekit.assess import assess
from judgekit.control_pairs import noise_floors
from judgekit.evidence import Evidence
from judgekit.findings import Findings, LabelFacts
from judgekit.judging_stage import JudgeRun, judge_study, must_be_judged, must_be_ready, plan_study
from judgekit.records import Reply, Rubric, Seal
from judgekit.run_folder import finish_run, start_run
from judgekit.sampling_stage import label_facts
from judgekit.study import Study
from judgekit.workspace import open_workspace

__all__ = ["Outcome", "Plan", "Watcher", "assess_study", "evidence_of", "plan_run", "run_study", "swap_test_study"]

Watcher = Callable[[str, int, int | None], None]
"""Told the stage, how many are done and, where known, how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A finished run: its folder and what it found."""

    run_dir: Path | None
    findings: Findings


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run would do, without sending anything: replies = verified + withheld + failed.

    ``failed`` counts generations that gave no text. From ``in_batches`` on as in `judging.forecast.JudgePlan`.
    """

    replies: int
    verified: int
    withheld: int
    failed: int
    calls: int
    answered: int
    to_send: int
    swap_calls: int
    in_batches: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    most_cost: float | None = None
    minutes: float | None = None
    how: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Read:
    """A study, and what was read and blinded for it."""

    study: Study
    rubrics: Mapping[str, Rubric]
    replies: Sequence[Reply]
    blinded: stages.Blinded
    others: Sequence[Reply] = ()


def _silent(stage: str, done: int, total: int | None) -> None:
    """Nobody watches."""


def _unheard(message: str) -> None:
    """Nobody listens."""


def run_study(
    study: Study,
    *,
    out: Path | None = None,
    resume: Path | None = None,
    clock: stages.Clock = stages.now,
    watch: Watcher = _silent,
    say: Callable[[str], None] = _unheard,
) -> Outcome:
    """Walk the whole path of a study.

    Parameters
    ----------
    study : Study
    out : Path, optional
        Folder of the runs; ``runs`` beside the study by default.
    resume : Path, optional
        A run folder to finish; a new one is made otherwise. Answers already in the study's ledger are never paid
        for again in either case.
    clock : callable
        Gives the time.
    watch : callable
        Told how far each stage is.
    say : callable
        Told in a line what becomes of batches.

    Returns
    -------
    Outcome

    Raises
    ------
    BadInput
        The study or its replies cannot be used; nothing was written.
    Unfinished
        The judge, the disk or a budget stopped the run; run again to go on.
    """
    replies, others = stages.read_arms_of(study)
    rubrics = stages.rubrics_of(study)
    blinded = stages.blind(replies, study, lambda n: watch("blind", n, len(replies)))
    planned = must_be_ready(study, rubrics, replies, blinded)
    space = open_workspace(study)
    seals = stages.seal_study(space, clock)
    folder = start_run(study, out or space.runs, resume, clock)
    judged = judge_study(space, rubrics, replies, blinded, watch, swap=planned.swap, say=say)
    labels = stages.read_labels(space)
    facts = label_facts(space, rubrics, replies, blinded, labels, judged.swap)
    findings = _findings(_Read(study, rubrics, replies, blinded, others), judged, labels, facts, seals)
    finish_run(folder, findings, replies=replies, blinded=blinded, judged=judged, space=space, clock=clock)
    return Outcome(run_dir=folder, findings=findings)


def assess_study(study: Study, *, watch: Watcher = _silent) -> Findings:
    """Recompute everything that the study's ledger, labels and seals support, without a single call.

    Parameters
    ----------
    study : Study
    watch : callable
        Told how far each stage is.

    Returns
    -------
    Findings

    Raises
    ------
    BadInput
        The study was never run, or judgments are missing.
    RefusedMetric
        The seals were tampered with.
    """
    read, judged, seals = _recalled(study, watch)
    space = open_workspace(study)
    labels = stages.read_labels(space)
    facts = label_facts(space, read.rubrics, read.replies, read.blinded, labels, judged.swap, write=False)
    return _findings(read, judged, labels, facts, seals)


def evidence_of(study: Study, *, watch: Watcher = _silent) -> Evidence:
    """What a study's ledger, labels and seals hold, joined, without a single call: for planning, not for reporting.

    Parameters
    ----------
    study : Study
    watch : callable
        Told how far each stage is.

    Returns
    -------
    Evidence

    Raises
    ------
    BadInput, RefusedMetric
        As `assess_study`.
    """
    read, judged, seals = _recalled(study, watch)
    return _evidence(read, judged, stages.read_labels(open_workspace(study)), seals)


def _recalled(study: Study, watch: Watcher) -> tuple[_Read, JudgeRun, list[Seal]]:
    """Replies, their judgments and the seals, from what earlier runs left."""
    replies, others = stages.read_arms_of(study)
    rubrics = stages.rubrics_of(study)
    blinded = stages.blind(replies, study, lambda n: watch("blind", n, len(replies)))
    planned = must_be_judged(study, rubrics, replies, blinded)
    space = open_workspace(study)
    judged = judge_study(space, rubrics, replies, blinded, watch, swap=planned.swap)
    return _Read(study, rubrics, replies, blinded, others), judged, stages.seal_study(space, stages.now)


def swap_test_study(study: Study, *, watch: Watcher = _silent, say: Callable[[str], None] = _unheard) -> JudgeRun:
    """Run the swap test of a study, and nothing else of it.

    Parameters
    ----------
    study : Study
    watch, say : callable
        As for `run_study`.

    Returns
    -------
    JudgeRun
        The tested texts are judged blinded too, as the names' common ground.
    """
    replies = stages.read_replies_of(study)
    rubrics = stages.rubrics_of(study)
    blinded = stages.blind(replies, study, lambda n: watch("blind", n, len(replies)))
    planned = must_be_ready(study, rubrics, replies, blinded, swap_only=True)
    space = open_workspace(study)
    stages.seal_study(space, stages.now)
    return judge_study(space, rubrics, replies, blinded, watch, swap=planned.swap, swap_only=True, say=say)


def plan_run(study: Study, *, rate: float | None = None, swap_only: bool = False) -> Plan:
    """What `run_study` would do: nothing is written or sent.

    Parameters
    ----------
    study : Study
    rate : float, optional
        Answers a second, where they are not to be measured from the ledger.
    swap_only : bool
        What `swap_test_study` would do.

    Returns
    -------
    Plan
    """
    replies = stages.read_replies_of(study)
    rubrics = stages.rubrics_of(study)
    blinded = stages.blind(replies, study)
    plan = plan_study(study, rubrics, replies, blinded, rate=rate, swap_only=swap_only)
    verified = len(blinded.verified)
    return Plan(
        replies=len(replies),
        verified=verified,
        withheld=len(blinded.results) - verified,
        failed=len(replies) - len(blinded.results),
        calls=plan.calls,
        answered=plan.answered,
        to_send=plan.to_send,
        swap_calls=plan.swap_calls,
        in_batches=plan.whole.in_batches,
        prompt_tokens=plan.whole.prompt_tokens,
        output_tokens=plan.whole.output_tokens,
        cost=plan.whole.cost,
        most_cost=plan.whole.most_cost,
        minutes=plan.whole.minutes,
        how=plan.whole.how,
    )


def _findings(
    read: _Read, judged: JudgeRun, labels: stages.LabelState, facts: LabelFacts, seals: list[Seal]
) -> Findings:
    study, rubrics, blinded = read.study, read.rubrics, read.blinded
    return assess(
        _evidence(read, judged, labels, seals),
        masked=blinded.masked,
        measured={**stages.measure_all(blinded, study), **judged.extracted},
        margins=stages.sealed_margins(study, rubrics, seals, judged.first_at),
        labels=facts,
        languages=judged.languages,
        sealed_at=seals[0].sealed_at,
        later_edits=stages.edits_of(seals),
        swap_note=judged.swap_note,
        in_doubt=judged.in_doubt,
        injection=judged.injection,
        pair_swap=judged.pair_swap,
        dropped=judged.dropped,
        floors=noise_floors(study, read.others),
    )


def _evidence(read: _Read, judged: JudgeRun, labels: stages.LabelState, seals: Sequence[Seal]) -> Evidence:
    """Replies, judgments and labels joined; labels of an anchor set stay with its own texts."""
    own = Evidence(
        study=read.study,
        judge=judged.judge.id,
        rubrics=read.rubrics,
        fingerprints=judged.fingerprints,
        design={reply.id: reply for reply in read.replies},
        results=read.blinded.results,
        judgments=judged.judgments,
        swap=judged.swap,
    )
    people: dict[str, Any] = {"labels": labels.labels, "adjudicated": labels.adjudicated, "inclusion": labels.inclusion}
    frozen = labels.anchors
    if frozen is None:
        first = labels.first_at or (seals[0].sealed_at if labels.untimed else None)
        edits = stages.sealed_later(seals, first, judged.first_at, untimed=labels.untimed > 0)
        return replace(own, sealed_later=edits, **people)
    # The labels are older than this study: its thresholds bind from its first score, and must be those of the labels.
    edits = stages.sealed_later(seals, judged.first_at, judged.first_at)
    return replace(
        own,
        sealed_later=tuple(sorted({*edits, *decided_otherwise(frozen.source, read.study)})),
        anchors=replace(own, design=frozen.design, results=frozen.results, judgments=judged.anchors, swap=(), **people),
        anchor_facts=frozen.facts(),
    )
