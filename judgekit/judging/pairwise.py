"""Compare replies two by two, in both orders: a, b, tie, or `inconsistent` when the order decides. Never by position.

A judge that prefers whatever it is shown first gives ``inconsistent`` for every pair, which is neither a tie nor a win.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from judgekit.endpoints.limits import Limits
from judgekit.endpoints.runner import Progress, run_calls
from judgekit.errors import BadInput
from judgekit.files.ledger import Ledger
from judgekit.judging.forecast import Assumptions, JudgePlan, forecast
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.judge import Sender, check_judge
from judgekit.judging.outcomes import failure_of, fingerprints_of, parser_version
from judgekit.judging.parse import read_pairwise
from judgekit.judging.prompt import Prompts, pair_call_for
from judgekit.records import (
    Attempt,
    BlindedReply,
    Call,
    Judgment,
    Outcome,
    PairItem,
    Preference,
    Rubric,
    Scored,
    Task,
    Unscored,
    text_hash,
)

if TYPE_CHECKING:
    from judgekit.statistics.preference import PositionBias

__all__ = [
    "combine_orders",
    "judge_pairs",
    "orders_of",
    "pair_outcomes",
    "plan_pairs",
    "position_bias_of",
]

Order = Literal["ab", "ba"]


def orders_of(pair_id: str, *, seed: int, both: bool = True) -> tuple[Order, ...]:
    """In which orders a pair is shown, and which comes first.

    Parameters
    ----------
    pair_id : str
    seed : int
        Decides with the pair's id, so that adding pairs changes nothing for others.
    both : bool
        False shows each pair once: half the calls, but a preference for a position stays in the result.

    Returns
    -------
    tuple of {'ab', 'ba'}

    Examples
    --------
    >>> sorted(orders_of("p1", seed=1))
    ['ab', 'ba']
    """
    orders: list[Order] = ["ab", "ba"]
    random.Random(f"{seed}\0{pair_id}").shuffle(orders)
    return tuple(orders if both else orders[:1])


def combine_orders(first: Outcome, second: Outcome) -> Preference | Unscored:
    """One outcome from a pair's two orders, both in canonical terms.

    Parameters
    ----------
    first, second : Outcome
        `Preference` of the two calls, or `Unscored`.

    Returns
    -------
    Preference or Unscored
        The common choice; ``inconsistent`` when they differ; `Unscored` when a call has no verdict.

    Examples
    --------
    >>> combine_orders(Preference("a"), Preference("b")).choice
    'inconsistent'
    """
    for outcome in (first, second):
        if not isinstance(outcome, Preference):
            return outcome if isinstance(outcome, Unscored) else Unscored("wrong_type")
    if first == second and isinstance(first, Preference):
        return first
    return Preference("inconsistent")


def judge_pairs(
    pairs: Sequence[PairItem],
    replies: Mapping[str, BlindedReply],
    rubrics: Sequence[Rubric],
    judge: JudgeHandle,
    ledger: Ledger,
    *,
    secret: bytes,
    seed: int = 0,
    both_orders: bool = True,
    repeats: int = 1,
    concurrency: int = 4,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    lenient: bool = False,
    retry_final: bool = False,
    sender: Sender = run_calls,
) -> list[Judgment]:
    """Compare pairs through the ledger.

    Parameters
    ----------
    pairs : sequence of PairItem
    replies : mapping of str to BlindedReply
        Item to its verified reply.
    rubrics : sequence of Rubric
        Their ordinal criteria are asked, one request for each pair, rubric, order and repeat.
    judge : JudgeHandle
    ledger : Ledger
    secret : bytes
    seed : int
        Of the orders.
    both_orders : bool
        See `orders_of`.
    repeats, concurrency, limits, progress, lenient, retry_final, sender
        As for `judge.judge_replies`.

    Returns
    -------
    list of Judgment
        One for each call and dimension; the outcome is a `Preference` in canonical terms (``a`` is the pair's first
        item, whatever was shown first). `pair_outcomes` joins the orders.

    Raises
    ------
    BadInput
        A pair names a reply that is not there, or a pair id stands twice.
    ConfigProblem
        As for `judge.check_judge`.
    """
    made = _made(pairs, replies, rubrics, judge, seed=seed, both=both_orders, repeats=repeats)
    ledger.add_tasks([one.task for one in made])
    prompts = Prompts(rubrics)
    sender(
        [one.call for one in made],
        judge.endpoint,
        ledger,
        render=prompts.render,
        secret=secret,
        concurrency=concurrency,
        limits=limits,
        progress=progress,
        retry_final=retry_final,
    )
    answers = ledger.answered(one.task.request_key for one in made)
    failures = ledger.latest(one.task.request_key for one in made if one.task.request_key not in answers)
    marks = fingerprints_of(((one.call, one.rubric) for one in made), answers, judge, prompts)
    judgments: list[Judgment] = []
    for one in made:
        key = one.task.request_key
        judgments.extend(_read(one, marks[key], judge, answers.get(key), failures.get(key), lenient=lenient))
    ledger.record_judgments(judgments)
    return judgments


def plan_pairs(
    pairs: Sequence[PairItem],
    replies: Mapping[str, BlindedReply],
    rubrics: Sequence[Rubric],
    judge: JudgeHandle,
    ledger: Ledger | None,
    *,
    seed: int = 0,
    both_orders: bool = True,
    repeats: int = 1,
    assumed: Assumptions | None = None,
) -> JudgePlan:
    """What `judge_pairs` would send; nothing is written. See `judge.plan`."""
    made = _made(pairs, replies, rubrics, judge, seed=seed, both=both_orders, repeats=repeats)
    calls = {one.call.request_key: one.call for one in made}
    return forecast(len(pairs), calls, Prompts(rubrics), judge, ledger, assumed)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A pair in one order: its task, its request, and the hash of both texts."""

    task: Task
    call: Call
    rubric: Rubric
    text_hash: str


def _made(
    pairs: Sequence[PairItem],
    replies: Mapping[str, BlindedReply],
    rubrics: Sequence[Rubric],
    judge: JudgeHandle,
    *,
    seed: int,
    both: bool,
    repeats: int,
) -> list[_Asked]:
    _check(pairs, replies)
    check_judge((replies[item].lang for pair in pairs for item in (pair.a_item, pair.b_item)), rubrics, judge)
    prompts = Prompts(rubrics)
    made: list[_Asked] = []
    for rubric in rubrics:
        for pair in pairs:
            a, b = replies[pair.a_item], replies[pair.b_item]
            hashed = text_hash(b.text_hash, a.text_hash)
            for repeat in range(repeats):
                for order in orders_of(pair.pair_id, seed=seed, both=both):
                    call = pair_call_for(a, b, rubric, judge, order=order, prompts=prompts, repeat=repeat)
                    task = Task(
                        item=pair.pair_id,
                        pair_id=pair.pair_id,
                        rubric_hash=rubric.hash,
                        judge=judge.id,
                        request_key=call.request_key,
                        order=order,
                        repeat=repeat,
                    )
                    made.append(_Asked(task, call, rubric, hashed))
    return made


def _check(pairs: Sequence[PairItem], replies: Mapping[str, BlindedReply]) -> None:
    seen: set[str] = set()
    for pair in pairs:
        if pair.pair_id in seen:
            raise BadInput(
                "a pair id stands twice", field="pair_id", seen=pair.pair_id, remedy="give every pair one id"
            )
        seen.add(pair.pair_id)
        for item in (pair.a_item, pair.b_item):
            if not isinstance(replies.get(item), BlindedReply):
                raise BadInput(
                    "a pair names a reply that is not among the verified ones",
                    field="pair",
                    seen=f"{pair.pair_id}: {item}",
                    remedy="correct the id, or leave pairs with a withheld reply out",
                )


def _read(
    asked: _Asked,
    fingerprint: str,
    judge: JudgeHandle,
    answer: Attempt | None,
    failure: Attempt | None,
    *,
    lenient: bool,
) -> list[Judgment]:
    task, rubric, hashed = asked.task, asked.rubric, asked.text_hash
    dimensions = [c.dimension for c in rubric.criteria if c.kind == "ordinal"]
    outcomes: dict[str, Outcome]
    reason: str | None = None
    if answer is None:
        outcomes = dict.fromkeys(dimensions, failure_of(failure))
    else:
        reading = read_pairwise(answer.raw, dimensions=dimensions, finish_reason=answer.finish_reason, lenient=lenient)
        outcomes = {name: canonical(reading.outcomes[name], task.order) for name in dimensions}
        reason = reading.reason
    for name in dimensions:
        if not judge.supports(name):
            outcomes[name] = Unscored("unsupported", f"the judge {judge.id} has no cue for it")
    return [
        Judgment(
            task=task,
            dimension=name,
            text_hash=hashed,
            fingerprint=fingerprint,
            outcome=outcomes[name],
            parser_version=parser_version(lenient=lenient),
            reason=reason,
        )
        for name in dimensions
    ]


def canonical(shown: Outcome, order: str) -> Outcome:
    """From the position a judge named to the pair's item: ``A`` is the one shown first.

    Examples
    --------
    >>> canonical(Scored("A"), "ba")
    Preference(choice='b')
    """
    if not isinstance(shown, Scored):
        return shown
    if shown.value == "tie":
        return Preference("tie")
    return Preference("a" if (shown.value == "A") == (order == "ab") else "b")


def pair_outcomes(judgments: Sequence[Judgment], dimension: str) -> dict[str, list[Preference | Unscored]]:
    """Outcome of every pair after both orders, one for each repeat.

    Parameters
    ----------
    judgments : sequence of Judgment
        Of one judge; any others of single replies are passed over.
    dimension : str

    Returns
    -------
    dict of str to list of (Preference or Unscored)
        A pair that was shown in one order only keeps that call's outcome.
    """
    calls: dict[tuple[str, int], list[Outcome]] = {}
    for judgment in judgments:
        if judgment.task.pair_id is not None and judgment.dimension == dimension:
            calls.setdefault((judgment.task.pair_id, judgment.task.repeat), []).append(judgment.outcome)
    result: dict[str, list[Preference | Unscored]] = {}
    for (pair_id, _), outcomes in sorted(calls.items()):
        joined = combine_orders(outcomes[0], outcomes[-1])
        result.setdefault(pair_id, []).append(joined)
    return result


def position_bias_of(judgments: Sequence[Judgment], dimension: str, *, level: float = 0.95) -> PositionBias:
    """How far a judge prefers the reply that it is shown first; see `judgekit.statistics.preference.position_bias`.

    Parameters
    ----------
    judgments : sequence of Judgment
        Single calls of pairs; any of single replies, and unscored calls, are left out.
    dimension : str
    level : float
        Confidence level.

    Returns
    -------
    PositionBias
    """
    from judgekit.statistics.preference import position_bias  # numpy is loaded where there is something to compute

    pair_ids: list[str] = []
    first_won: list[bool | None] = []
    for judgment in judgments:
        task, outcome = judgment.task, judgment.outcome
        if task.pair_id is None or judgment.dimension != dimension or not isinstance(outcome, Preference):
            continue
        pair_ids.append(task.pair_id)
        decided = outcome.choice in {"a", "b"}
        first_won.append((outcome.choice == "a") == (task.order == "ab") if decided else None)
    return position_bias(pair_ids, first_won, level=level)
