"""Judging and swap-testing a file of blinded texts without a study: the ledger stands beside the output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from judgekit.endpoints.limits import Limits, Spent
from judgekit.endpoints.runner import run_calls
from judgekit.errors import UsageProblem
from judgekit.files.atomic import write_jsonl
from judgekit.files.blinded import Stored, find_design
from judgekit.files.disk import check_output
from judgekit.files.folders import study_folder
from judgekit.files.ledger import Ledger
from judgekit.files.manifest import secret
from judgekit.files.verified import iter_verified, verify_like
from judgekit.judging.expected import outside_scale
from judgekit.judging.forecast import joined
from judgekit.judging.handle import JudgeHandle, make_judge
from judgekit.judging.judge import Assumptions, JudgePlan, Sender, judge_replies, outcome_value, plan
from judgekit.judging.outcomes import dropped_settings
from judgekit.judging.swap_results import swap_results
from judgekit.judging.swap_test import choose_texts, judge_fills, plan_fills, swap_fills
from judgekit.records import (
    BlindedReply,
    Contrast,
    FilledText,
    Identity,
    Judgment,
    MaskedText,
    Rubric,
    Scored,
    SwapResult,
    Unscored,
    Withheld,
    scores_of,
)
from judgekit.rubric import load_rubric
from judgekit.run_folder import judgment_rows
from judgekit.stages import identities_of
from judgekit.swapping.arms import by_rules, reworded_fills, wanted_changes

__all__ = [
    "SwapGround",
    "Verified",
    "facts_of",
    "handle_of",
    "judge_file",
    "ledger_if_there",
    "ledger_of",
    "plan_file",
    "plan_swap_file",
    "read_verified",
    "space_of",
    "stored_ledger",
    "swap_ground",
    "swap_test_file",
]


@dataclass(frozen=True)
class Verified:
    """Stored texts, each verified again: its status field counts for nothing."""

    stored: dict[str, Stored] = field(default_factory=dict)
    results: dict[str, BlindedReply | Withheld] = field(default_factory=dict)

    @property
    def passed(self) -> list[BlindedReply]:
        """What a judge or rater may see."""
        return [r for r in self.results.values() if isinstance(r, BlindedReply)]


def read_verified(path: Path, *, no_design: bool = False) -> Verified:
    """Read a file of blinded texts and verify every one.

    Parameters
    ----------
    path : Path
        What `judgekit blind` wrote; known names and slots come from the design file beside it.
    no_design : bool
        As `files.verified.iter_verified`.

    Returns
    -------
    Verified
    """
    found = Verified()
    for stored, result in iter_verified(path, no_design=no_design):
        found.stored[stored.masked.item] = stored
        found.results[stored.masked.item] = result
    return found


def handle_of(judge: str | JudgeHandle) -> JudgeHandle:
    """The judge that a SPEC names, or the judge itself."""
    return judge if isinstance(judge, JudgeHandle) else make_judge(judge)


def space_of(output: Path) -> Path:
    """The folder beside an output that holds its ledger and its secret; made when it is not there."""
    return study_folder(output, f"{output.stem}-judging")


def plan_file(
    blinded: Path,
    rubrics: Sequence[str],
    spec: str | JudgeHandle,
    output: Path | None,
    *,
    repeats: int = 1,
    no_design: bool = False,
    assumed: Assumptions | None = None,
) -> JudgePlan:
    """Count the calls of `judge_file`; nothing is written or sent.

    Parameters
    ----------
    blinded : Path
    rubrics : sequence of str
    spec : str or JudgeHandle
    output : Path, optional
        Names the ledger in which answers may be already.
    repeats : int
    no_design : bool
        As `files.verified.iter_verified`.
    assumed : Assumptions, optional
        How the calls would go out.

    Returns
    -------
    JudgePlan
    """
    texts = read_verified(blinded, no_design=no_design).passed
    chosen, judge = [load_rubric(r) for r in rubrics], handle_of(spec)
    with stored_ledger(output) as ledger:
        return plan(texts, chosen, judge, ledger, repeats=repeats, assumed=assumed)


def ledger_of(output: Path) -> Path:
    """The ledger that stands beside an output, whether it is there yet or not."""
    return output.resolve().parent / ".judgekit" / f"{output.stem}-judging" / "ledger.sqlite"


@contextmanager
def stored_ledger(output: Path | None) -> Iterator[Ledger | None]:
    """The ledger of an output for reading; None where there is none yet."""
    if output is None:
        yield None
        return
    with ledger_if_there(ledger_of(output)) as ledger:
        yield ledger


@contextmanager
def ledger_if_there(path: Path) -> Iterator[Ledger | None]:
    """A ledger for reading; None where there is no file yet."""
    if not path.is_file():
        yield None
        return
    with Ledger.open(path, read_only=True) as ledger:
        yield ledger


@dataclass(frozen=True, slots=True)
class _Judged:
    """What `run_folder.judgment_rows` writes."""

    judge: JudgeHandle
    judgments: tuple[Judgment, ...]


def judge_file(
    blinded: Path,
    rubrics: Sequence[str],
    spec: str | JudgeHandle,
    output: Path,
    *,
    repeats: int = 1,
    concurrency: int = 4,
    limits: Limits | None = None,
    force: bool = False,
    progress: Callable[[Any], None] | None = None,
    no_design: bool = False,
    sender: Sender = run_calls,
) -> dict[str, Any]:
    """Judge a file of blinded texts into a file of judgments.

    Parameters
    ----------
    blinded : Path
        What `judgekit blind` wrote.
    rubrics : sequence of str
        Names or files.
    spec : str or JudgeHandle
        The judge.
    output : Path
        JSONL; its first line marks it as judgekit's own, so that `gap` refuses it.
    repeats, concurrency, limits, progress, sender
        As `judging.judge.judge_replies`.
    force : bool
        Overwrite the output.
    no_design : bool
        As `files.verified.iter_verified`.

    Returns
    -------
    dict
        ``counts`` by dimension and group: in = scored + unscored by kind + withheld; ``dropped``: settings that the
        judge was found not to take; ``calls``: how many were ``answered`` and how many ``failed``; ``failures``: by kind
        of failure, what was said last; ``known_names``: whether there was a design file, and so names to look for.
    """
    check_output(output, force=force, inputs=[blinded])
    texts = read_verified(blinded, no_design=no_design)
    chosen, judge = [load_rubric(r) for r in rubrics], handle_of(spec)
    if not ledger_of(output).is_file():
        judge.ready()
    folder = space_of(output)
    with Ledger.open(folder / "ledger.sqlite") as ledger:
        judgments = judge_replies(
            texts.passed,
            chosen,
            judge,
            ledger,
            secret=secret(folder / "secret"),
            repeats=repeats,
            concurrency=concurrency,
            limits=limits,
            progress=progress,
            sender=sender,
        )
        facts = facts_of(judge, judgments, ledger)
    write_jsonl(output, judgment_rows(_Judged(judge, tuple(judgments))), force=force, private=True, inputs=[blinded])
    return {
        "judge": judge.id,
        "output": str(output),
        "known_names": find_design(blinded) is not None,
        **facts,
        "counts": _counts(texts, chosen, judgments),
    }


def facts_of(judge: JudgeHandle, judgments: Sequence[Judgment], ledger: Ledger) -> dict[str, Any]:
    """What the calls came to.

    Parameters
    ----------
    judge : JudgeHandle
    judgments : sequence of Judgment
    ledger : Ledger

    Returns
    -------
    dict
        ``dropped``: settings that the judge was found not to take, in this run or an earlier one; ``calls``: how many were
        ``answered`` and ``failed``; ``failures``: the last detail of every kind met, empty where the kind says it all.
    """
    keys = {j.task.request_key for j in judgments}
    answered = len(ledger.answered(sorted(keys)))
    met = (j.outcome for j in judgments if isinstance(j.outcome, Unscored))
    return {
        "dropped": dropped_settings(judge, ledger),
        "calls": {"answered": answered, "failed": len(keys) - answered},
        "failures": {outcome.kind: outcome.detail for outcome in met},
        "outside_scale": outside_scale(judgments),
    }


def _counts(texts: Verified, rubrics: Sequence[Rubric], judgments: Sequence[Judgment]) -> dict[str, Any]:
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for rubric in rubrics:
        for criterion in rubric.criteria:
            outcomes = scores_of(tuple(judgments), criterion.dimension)
            by_group = counts.setdefault(criterion.dimension, {})
            for item, result in texts.results.items():
                group = by_group.setdefault(texts.stored[item].reply.group or "all", {"in": 0})
                group["in"] += 1
                kind = "withheld"
                if isinstance(result, BlindedReply):
                    value: Scored | Unscored = outcome_value(outcomes.get(item, []), criterion)
                    kind = "scored" if isinstance(value, Scored) else value.kind
                group[kind] = group.get(kind, 0) + 1
    return counts


def swap_test_file(
    blinded: Path,
    rubrics: Sequence[str],
    spec: str | JudgeHandle,
    *,
    texts: int,
    margin: float,
    seed: int,
    concurrency: int = 4,
    limits: Limits | None = None,
    progress: Callable[[Any], None] | None = None,
    sender: Sender = run_calls,
) -> list[SwapResult]:
    """Swap-test a judge on a file of blinded texts, with the people of its design file.

    Parameters
    ----------
    blinded : Path
        What `judgekit blind` wrote, its design file beside it.
    rubrics : sequence of str
    spec : str or JudgeHandle
    texts : int
        Texts to fill.
    margin : float
        Points within which a shift counts as none.
    seed : int
    concurrency, limits, progress, sender
        As `judging.judge.judge_replies`.

    Returns
    -------
    list of SwapResult

    Raises
    ------
    UsageProblem
        The design names fewer than two groups with people, or no text has a slot for its person.
    """
    swap = _filled(blinded, texts, seed)
    judge, loaded = handle_of(spec), [load_rubric(r) for r in rubrics]
    folder = study_folder(blinded, f"{blinded.stem}-swaptest")
    with Ledger.open(folder / "ledger.sqlite") as ledger:
        options: dict[str, Any] = {
            "secret": secret(folder / "secret"),
            "concurrency": concurrency,
            "limits": limits,
            "progress": progress,
            "sender": partial(sender, spent=Spent()),
        }
        base = judge_replies(swap.tested, loaded, judge, ledger, **options)
        judgments = [*judge_fills(swap.fills, loaded, judge, ledger, **options), *base]
    return swap_results(
        judgments, swap.fills, swap.contrasts, loaded, margin=margin, units=swap.units, paraphrase_note=swap.note
    )


def plan_swap_file(
    blinded: Path,
    rubrics: Sequence[str],
    spec: str | JudgeHandle,
    *,
    texts: int,
    seed: int,
    assumed: Assumptions | None = None,
) -> JudgePlan:
    """What `swap_test_file` would send; nothing is written or sent. Parameters and errors are its own.

    Returns
    -------
    JudgePlan
    """
    swap = _filled(blinded, texts, seed)
    judge, loaded = handle_of(spec), [load_rubric(r) for r in rubrics]
    path = blinded.resolve().parent / ".judgekit" / f"{blinded.stem}-swaptest" / "ledger.sqlite"
    with ledger_if_there(path) as ledger:
        return joined(
            [
                plan(swap.tested, loaded, judge, ledger, assumed=assumed),
                plan_fills(swap.fills, loaded, judge, ledger, assumed=assumed),
            ]
        )


@dataclass(frozen=True, slots=True)
class SwapGround:
    """What a swap test of a file starts from: its texts, its people, who is compared, and the texts' templates."""

    found: Verified
    people: list[Identity]
    contrasts: list[Contrast]
    units: dict[str, str | None]

    @property
    def masked(self) -> list[MaskedText]:
        """Verified texts with their slots."""
        return [self.found.stored[r.item].masked for r in self.found.passed]


def swap_ground(blinded: Path) -> SwapGround:
    """Read a file of blinded texts for a swap test.

    Raises
    ------
    UsageProblem
        The design names fewer than two groups with people.
    """
    found = read_verified(blinded)
    replies = [s.reply for s in found.stored.values()]
    people = {g: p for g, p in identities_of(None, replies).items() if p}
    if len(people) < 2:
        raise UsageProblem(
            "a swap test needs two groups of named people",
            path=blinded,
            field="group, name",
            seen=", ".join(people) or "none",
            remedy="blind replies that have the columns group and name, or name the people in a study",
        )
    groups = sorted(people)
    return SwapGround(
        found=found,
        people=[p for g in groups for p in people[g]],
        contrasts=[Contrast(a, b) for i, a in enumerate(groups) for b in groups[i + 1 :]],
        units={r.id: r.unit_id for r in replies},
    )


@dataclass(frozen=True, slots=True)
class _Filled:
    """Texts of a swap test: blinded, filled, and what they are compared by."""

    tested: list[BlindedReply]
    fills: list[FilledText]
    contrasts: list[Contrast]
    units: dict[str, str | None]
    note: str


def _filled(blinded: Path, texts: int, seed: int) -> _Filled:
    ground = swap_ground(blinded)
    chosen = choose_texts(ground.masked, texts, seed=seed, units=ground.units)
    if not chosen:
        raise UsageProblem(
            "no text has a slot for the person it is about", path=blinded, remedy="blind again with known names"
        )
    fills = swap_fills(chosen, ground.people, seed=seed, units=ground.units)
    wanted = wanted_changes(chosen, fills, seed=seed)
    arm = reworded_fills(wanted, by_rules(wanted, seed=seed), ground.people, verify=verify_like(ground.found.stored))
    fills += arm.fills
    tested = {f.item for f in fills}
    return _Filled(
        [r for r in ground.found.passed if r.item in tested], fills, ground.contrasts, ground.units, arm.note
    )
