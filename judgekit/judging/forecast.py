"""What judging would cost, in calls, tokens, money and minutes, before a single request is sent."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from judgekit.endpoints.base import Request
from judgekit.files.ledger import Ledger
from judgekit.judging.handle import JudgeHandle
from judgekit.records import Attempt, Call

__all__ = ["Assumptions", "JudgePlan", "forecast", "joined"]

_CHARACTERS = 4.0
"""Characters to a token where none was counted: English prose has a little more, other languages and code less."""
_ANSWER = 60.0
"""Tokens of an answer where none was counted: a reason of one sentence and the scores."""
_ENOUGH = 5
"""Answers from which a mean is taken as measured."""
_FREE = frozenset({"lexicon", "stub", "replay", "local"})


class Renders(Protocol):
    """Makes the finished request of a call, as `judging.prompt.Prompts` does."""

    def render(self, call: Call, nonce: str) -> Request: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """How the calls would go out.

    Parameters
    ----------
    concurrency : int
        Requests under way at once.
    rate : float, optional
        Answers a second, where the user states it; otherwise it is measured from earlier answers.
    batch : bool
        In batches, at half the price.
    """

    concurrency: int = 4
    rate: float | None = None
    batch: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePlan:
    """What judging would do: ``calls`` different requests, of which ``answered`` cost nothing again.

    Of those ``to_send``, ``in_batches`` wait in a batch and are paid for already. ``characters`` counts system and prompt
    text of the others; ``prompt_tokens`` and ``output_tokens`` are estimates, ``cost`` follows from them in the prices'
    currency, and ``most_cost`` is what they cannot exceed; None: unknown. ``minutes`` is None where no rate is known.
    ``how`` says of tokens, cost and minutes what they rest on.
    """

    texts: int
    calls: int
    answered: int
    to_send: int
    characters: int
    in_batches: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    most_cost: float | None = None
    minutes: float | None = None
    how: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Measured:
    """Means of earlier answers: characters to a prompt token, tokens of an answer, seconds to it; None: too few."""

    characters: float | None = None
    answer: float | None = None
    seconds: float | None = None
    n: int = 0


def forecast(
    texts: int,
    calls: Mapping[str, Call],
    prompts: Renders,
    judge: JudgeHandle,
    ledger: Ledger | None,
    assumed: Assumptions | None = None,
) -> JudgePlan:
    """What these calls would cost; nothing is written or sent.

    Parameters
    ----------
    texts : int
    calls : mapping of str to Call
        By request key.
    prompts : Prompts
    judge : JudgeHandle
    ledger : Ledger or None
        Where answers may be already, which also tell how long the judge takes and how much it says.
    assumed : Assumptions, optional

    Returns
    -------
    JudgePlan
    """
    assumed = assumed or Assumptions()
    waiting = list(calls) if ledger is None else ledger.pending(calls)
    batched = set() if ledger is None else set(ledger.waiting_in_batches(waiting))
    answered = {} if ledger is None else ledger.answered(calls)
    sent = [key for key in waiting if key not in batched]
    late = set() if ledger is None else ledger.answered_in_batches(answered)
    measured = _measure(calls, answered, late, prompts)
    characters, most = 0, 0.0
    estimate: Any = getattr(judge.endpoint, "estimate", None)
    for key in sent:
        request = prompts.render(calls[key], "0" * 16)
        characters += len(request.system) + len(request.prompt)
        most += estimate(request).cost if estimate is not None else 0.0
    share = 0.5 if assumed.batch else 1.0
    tokens_in = round(characters / (measured.characters or _CHARACTERS))
    tokens_out = round(len(sent) * (measured.answer or _ANSWER))
    cost, why = _cost(judge, tokens_in, tokens_out, share, batch=assumed.batch)
    minutes, pace = _minutes(len(sent), measured, assumed)
    return JudgePlan(
        texts=texts,
        calls=len(calls),
        answered=len(calls) - len(waiting),
        to_send=len(waiting),
        in_batches=len(batched),
        characters=characters,
        prompt_tokens=tokens_in,
        output_tokens=tokens_out,
        cost=cost,
        most_cost=0.0 if cost == 0.0 else most * share if estimate is not None else None,
        minutes=minutes,
        how={"tokens": _token_words(measured), "cost": why, "minutes": pace},
    )


def joined(plans: Sequence[JudgePlan]) -> JudgePlan:
    """Several plans as one; what is unknown of one with something to send is unknown of all.

    Examples
    --------
    >>> one = JudgePlan(texts=1, calls=2, answered=0, to_send=2, characters=80, cost=0.5)
    >>> joined([one, one]).cost
    1.0
    """
    sending = [plan for plan in plans if plan.to_send] or list(plans[:1])

    def total(name: str) -> float | None:
        values = [getattr(plan, name) for plan in sending]
        return None if None in values else sum(values)

    return JudgePlan(
        texts=sum(plan.texts for plan in plans),
        calls=sum(plan.calls for plan in plans),
        answered=sum(plan.answered for plan in plans),
        to_send=sum(plan.to_send for plan in plans),
        in_batches=sum(plan.in_batches for plan in plans),
        characters=sum(plan.characters for plan in plans),
        prompt_tokens=sum(plan.prompt_tokens for plan in plans),
        output_tokens=sum(plan.output_tokens for plan in plans),
        cost=total("cost"),
        most_cost=total("most_cost"),
        minutes=total("minutes"),
        how=sending[0].how if sending else {},
    )


def _measure(
    calls: Mapping[str, Call], answered: Mapping[str, Attempt], late: Collection[str], prompts: Renders
) -> _Measured:
    counted = [(key, a.usage) for key, a in answered.items() if a.usage and a.usage.get("prompt_tokens")]
    said = [a.usage.get("completion_tokens", 0) for a in answered.values() if a.usage]
    took = [s for key, a in answered.items() if key not in late and (s := _seconds(a)) is not None]
    characters = None
    if len(counted) >= _ENOUGH:
        made = [prompts.render(calls[key], "0" * 16) for key, _ in counted]
        characters = sum(len(r.system) + len(r.prompt) for r in made) / sum(
            usage["prompt_tokens"] for _, usage in counted
        )
    # The middle one: a call that was slow for once tells nothing of the others.
    return _Measured(
        characters=characters,
        answer=sum(said) / len(said) if len(said) >= _ENOUGH and any(said) else None,
        seconds=sorted(took)[len(took) // 2] if len(took) >= _ENOUGH else None,
        n=len(answered),
    )


def _seconds(attempt: Attempt) -> float | None:
    if attempt.sent_at is None or attempt.received_at is None:
        return None
    try:
        sent, came = datetime.fromisoformat(attempt.sent_at), datetime.fromisoformat(attempt.received_at)
    except ValueError:
        return None
    return max((came - sent).total_seconds(), 0.001)


def _token_words(measured: _Measured) -> str:
    sent = (
        f"{measured.characters:.1f} characters to a token, as the judge counted {measured.n} earlier calls"
        if measured.characters is not None
        else f"assumed: {_CHARACTERS:g} characters to a token"
    )
    said = (
        f"{measured.answer:.0f} tokens an answer, as measured"
        if measured.answer is not None
        else f"assumed: {_ANSWER:g} tokens an answer (more where the judge reasons)"
    )
    return f"{sent}; {said}"


def _cost(
    judge: JudgeHandle, tokens_in: int, tokens_out: int, share: float, *, batch: bool
) -> tuple[float | None, str]:
    if judge.id.partition(":")[0] in _FREE:
        return 0.0, "this judge charges nothing"
    prices: Any = getattr(judge.endpoint, "prices", None)
    if prices is None:
        return None, "unknown: no prices are stated"
    halved = ", at half of them in a batch" if batch else ""
    stated = f"stated prices: {prices.input:g} per million tokens sent, {prices.output:g} received{halved}"
    return float(prices.cost(tokens_in, tokens_out)) * share, stated


def _minutes(calls: int, measured: _Measured, assumed: Assumptions) -> tuple[float | None, str]:
    if not calls:
        return 0.0, "nothing is to be sent"
    if assumed.batch:
        return None, "unknown: the provider takes up to 24 hours for a batch, and often less"
    if assumed.rate is not None:
        return calls / assumed.rate / 60, f"stated rate: {assumed.rate:g} answers a second"
    if measured.seconds is None:
        return None, "unknown: fewer than 5 answers of this judge are in the ledger, and no rate is stated"
    words = f"measured: {measured.seconds:.2g} s an answer, {assumed.concurrency} at once"
    return calls * measured.seconds / min(assumed.concurrency, calls) / 60, words
