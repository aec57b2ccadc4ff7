"""A second judge looked at on texts that people have labelled already: does it agree with them, and does order decide?

Nothing here is published as a score. The judge reads labelled texts one by one and pairs of them in both orders, and
`calibrate` says, as for any judge, whether its scores could be reported.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judgekit.assess import references_of
from judgekit.calibration import calibrate
from judgekit.endpoints.limits import Limits
from judgekit.errors import BadInput
from judgekit.evidence import Evidence, HumanLabel
from judgekit.files.blinded import read_blinded
from judgekit.files.folders import latest_run
from judgekit.files.ledger import Ledger
from judgekit.files.verified import verify_like
from judgekit.findings import ReferenceFacts
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.judge import judge_replies
from judgekit.judging.pairwise import judge_pairs, pair_outcomes, position_bias_of
from judgekit.label_state import read_labels
from judgekit.records import (
    BlindedReply,
    Calibrated,
    Contrast,
    Judgment,
    PairItem,
    Preference,
    Refused,
    Reply,
    Rubric,
    Scored,
)
from judgekit.stages import read_replies_of, rubrics_of
from judgekit.study import Study
from judgekit.workspace import open_workspace

if TYPE_CHECKING:
    from judgekit.statistics.preference import PositionBias

__all__ = ["Chosen", "SecondLook", "choose", "look", "look_at_study"]

PER_CELL = 1
"""Labelled texts of each template and group."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the second judge is shown: items one by one, and pairs of them."""

    items: tuple[str, ...]
    pairs: tuple[PairItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondLook:
    """What became of it, on one dimension.

    ``scores`` counts texts by the score given, ``unscored`` by kind of failure; ``outcomes`` counts pairs after both
    orders (``a``, ``b``, ``tie``, ``inconsistent`` or a kind of failure).
    """

    judge: str
    dimension: str
    texts: int
    scores: Mapping[str, int]
    unscored: Mapping[str, int]
    reference: ReferenceFacts | None
    verdicts: tuple[Calibrated | Refused, ...]
    position: PositionBias
    outcomes: Mapping[str, int]


def choose(labels: Sequence[HumanLabel], replies: Mapping[str, Reply], contrast: Contrast, *, seed: int) -> Chosen:
    """Labelled texts, as many of each template and group, and one pair of each template.

    Parameters
    ----------
    labels : sequence of HumanLabel
    replies : mapping of str to Reply
        Item to its reply.
    contrast : Contrast
        A pair's first item is of group ``a``, its second of ``b``.
    seed : int
        Of the draw.

    Returns
    -------
    Chosen
        The same for the same labels and seed, whatever order they come in.
    """
    cells: dict[tuple[str, str], list[str]] = {}
    for item in sorted({label.item for label in labels} & set(replies)):
        reply = replies[item]
        if reply.unit_id is not None and reply.group in {contrast.a, contrast.b}:
            cells.setdefault((reply.unit_id, reply.group), []).append(item)
    drawn = {cell: random.Random(f"{seed}\0{cell}").sample(items, len(items)) for cell, items in sorted(cells.items())}
    chosen = [item for items in drawn.values() for item in items[:PER_CELL]]
    pairs = [
        PairItem(pair_id=f"second-{unit}", a_item=items[0], b_item=drawn[unit, contrast.b][0], unit_id=unit)
        for (unit, group), items in drawn.items()
        if group == contrast.a and (unit, contrast.b) in drawn
    ]
    return Chosen(tuple(chosen), tuple(pairs))


def look(
    chosen: Chosen,
    study: Study,
    rubric: Rubric,
    replies: Mapping[str, Reply],
    texts: Mapping[str, BlindedReply],
    labels: Sequence[HumanLabel],
    judge: JudgeHandle,
    ledger: Ledger,
    *,
    secret: bytes,
    concurrency: int = 8,
    limits: Limits | None = None,
) -> SecondLook:
    """Ask the judge through the ledger, and hold its answers against the labels.

    Parameters
    ----------
    chosen : Chosen
        What it is shown.
    study : Study
        Its thresholds decide.
    rubric : Rubric
        Of one criterion.
    replies : mapping of str to Reply
    texts : mapping of str to BlindedReply
        The chosen items, verified.
    labels : sequence of HumanLabel
    judge : JudgeHandle
    ledger : Ledger
        Open for writing.
    secret : bytes
    concurrency : int
    limits : Limits, optional

    Returns
    -------
    SecondLook

    Raises
    ------
    Unfinished
        As `judging.judge.judge_replies`.
    """
    dimension = rubric.criteria[0].dimension
    options: dict[str, Any] = {"secret": secret, "concurrency": concurrency, "limits": limits}
    compared = judge_pairs(chosen.pairs, texts, [rubric], judge, ledger, seed=study.statistics.seed, **options)
    scored = judge_replies([texts[item] for item in chosen.items], [rubric], judge, ledger, **options)
    evidence = Evidence(
        study=study,
        judge=judge.id,
        rubrics={rubric.id: rubric},
        fingerprints={rubric.hash: scored[0].fingerprint} if scored else {},
        design={item: replies[item] for item in chosen.items},
        results={item: texts[item] for item in chosen.items},
        judgments=tuple(scored),
        labels=tuple(label for label in labels if label.item in set(chosen.items)),
    )
    return SecondLook(
        judge=judge.id,
        dimension=dimension,
        texts=len(chosen.items),
        scores=_scores(scored),
        unscored=Counter(j.outcome.kind for j in scored if not isinstance(j.outcome, (Scored, Preference))),
        reference=next(iter(references_of(evidence)), None),
        verdicts=tuple(calibrate(evidence)),
        position=position_bias_of(compared, dimension),
        outcomes=_outcomes(compared, dimension),
    )


def _scores(judgments: Sequence[Judgment]) -> dict[str, int]:
    given = Counter(str(j.outcome.value) for j in judgments if isinstance(j.outcome, Scored))
    return dict(sorted(given.items()))


def _outcomes(judgments: Sequence[Judgment], dimension: str) -> dict[str, int]:
    met = [outcome for found in pair_outcomes(judgments, dimension).values() for outcome in found]
    return dict(sorted(Counter(o.choice if isinstance(o, Preference) else o.kind for o in met).items()))


def look_at_study(
    study: Study, judge: JudgeHandle, ledger: Ledger, *, secret: bytes, limits: Limits | None = None
) -> SecondLook:
    """Look at a second judge on a study that was run and labelled, on its first rubric and first contrast.

    Parameters
    ----------
    study : Study
        Its last run has the blinded texts; the chosen ones are verified again.
    judge : JudgeHandle
    ledger : Ledger
        The second judge's own, open for writing.
    secret : bytes
    limits : Limits, optional

    Returns
    -------
    SecondLook

    Raises
    ------
    BadInput
        The study was never run, no text of the first contrast is labelled, or the last run lacks one that is.
    Unfinished
        As `judging.judge.judge_replies`.
    """
    space = open_workspace(study)
    run = latest_run(space.runs, study.study)
    if run is None:
        raise BadInput("the study was never run", path=study.file, remedy="run it, label its sample, and look again")
    labels = read_labels(space).labels
    replies = {reply.id: reply for reply in read_replies_of(study)}
    rubric = next(iter(rubrics_of(study).values()))
    wanted = [label for label in labels if label.dimension == rubric.criteria[0].dimension]
    chosen = Chosen((), ())
    if study.contrasts:
        chosen = choose(wanted, replies, study.contrasts[0], seed=study.statistics.seed)
    shown = set(chosen.items)
    if not shown:
        raise BadInput("no text of two compared groups is labelled", path=study.file, remedy="label the study's sample")
    stored = {found.masked.item: found for found in read_blinded(run / "blinded.jsonl") if found.masked.item in shown}
    check = verify_like(stored)
    results = (check(found.masked) for found in stored.values())
    texts = {result.item: result for result in results if isinstance(result, BlindedReply)}
    if lost := sorted(shown - texts.keys()):
        raise BadInput(
            "the last run lacks a text that is labelled", path=run, seen=lost[0], remedy="run the study again"
        )
    return look(chosen, study, rubric, replies, texts, wanted, judge, ledger, secret=secret, limits=limits)
