"""Asks the chatbot under test for its decisions: first-token probabilities, or a share over samples, said plainly."""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from judgekit.deciding.answers import Answered, Place
from judgekit.deciding.options import NO_OPTION, first_token, option_of, shares_of
from judgekit.endpoints.base import Endpoint, Request
from judgekit.endpoints.limits import Estimate, Limits, Spent
from judgekit.endpoints.progress import RunSummary
from judgekit.endpoints.runner import run_calls
from judgekit.errors import ProviderFailed
from judgekit.files.ledger import Ledger
from judgekit.records import Call, Prompt, Undefined
from judgekit.statistics.yes_no import option_shares, p_yes

__all__ = ["Asking", "Cost", "Heard", "Method", "ask", "costs", "place_of"]

Method = Literal["probabilities", "sampled"]
NO_PROBABILITIES = "no_probabilities"

_Key = tuple[str, int]  # hash of what is said, and which copy of it (1: the second of a control pair)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How decisions are asked for.

    ``make`` gives the target for a method, so that one token with its probabilities or a short answer is asked for;
    ``never`` says why the target has no probabilities at all, None where it may have them. ``samples`` is how often
    each prompt is asked where there are no probabilities; 0: not at all.
    """

    make: Callable[[Method], Endpoint]
    options: tuple[str, ...]
    samples: int = 20
    system: str = ""
    never: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a method would send: calls, how many have an answer already, and rough tokens.

    ``tokens_in`` counts one token for four characters; ``tokens_out`` is the bound; ``most`` the cost at most before
    retries, None without prices.
    """

    method: Method
    texts: int
    calls: int
    to_send: int
    tokens_in: int
    tokens_out: int
    most: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """The answers, and how they were had; ``why`` says why there are no probabilities where there are none.

    ``spent`` is what this command used: requests, tokens and cost of all its parts. ``parameters`` are the target's.
    """

    method: Method
    why: str
    answers: tuple[Answered, ...]
    texts: int
    summary: RunSummary
    cost: Cost
    spent: Spent
    parameters: Mapping[str, Any]


def place_of(prompt: Prompt) -> Place:
    """Where a prompt stands in the design, replicates put together."""
    return Place(
        probe=prompt.probe,
        unit_id=prompt.unit_id,
        group=prompt.group,
        name=prompt.name,
        name_pair=prompt.name_pair,
        case_type=prompt.case_type,
        arm=prompt.arm,
        order=prompt.order,
        side=prompt.replicate if prompt.arm.kind == "control" else None,
    )


def costs(prompts: Sequence[Prompt], asking: Asking, ledger: Ledger | None = None) -> list[Cost]:
    """What each method that is possible would send; nothing is sent.

    Parameters
    ----------
    prompts : sequence of Prompt
    asking : Asking
    ledger : Ledger, optional
        Where answers may be already.

    Returns
    -------
    list of Cost
        Probabilities first, then samples.
    """
    methods: list[Method] = [] if asking.never is not None else ["probabilities"]
    if asking.samples:
        methods.append("sampled")
    return [_cost(_Round(prompts, asking, method), ledger) for method in methods]


def ask(
    prompts: Sequence[Prompt],
    asking: Asking,
    ledger: Ledger,
    *,
    secret: bytes,
    say: Callable[[str], None],
    concurrency: int = 4,
    limits: Limits | None = None,
    progress: Callable[[Any], None] | None = None,
) -> Heard:
    """Ask every different prompt, by probabilities where the target gives them, else by samples.

    Parameters
    ----------
    prompts : sequence of Prompt
    asking : Asking
    ledger : Ledger
        Keeps every answer, so that a stopped run goes on where it was.
    secret : bytes
    say : callable
        Told, before anything more is sent, that there are no probabilities and what samples cost.
    concurrency, limits, progress
        As `endpoints.runner.run_calls`.

    Returns
    -------
    Heard

    Raises
    ------
    ProviderFailed
        No probabilities and no samples allowed, or as for `endpoints.runner.run_calls`.
    Unfinished
        As for `endpoints.runner.run_calls`.
    """
    spent = Spent()
    how: dict[str, Any] = {
        "secret": secret,
        "concurrency": concurrency,
        "limits": limits,
        "progress": progress,
        "spent": spent,
    }
    why = asking.never
    if why is None:
        weighed = _Round(prompts, asking, "probabilities")
        why = _refused(weighed, ledger, how)
        if why is None:
            cost = _cost(weighed, ledger)
            summary = weighed.run(weighed.calls, ledger, how)
            return weighed.heard(ledger, summary, "", cost, spent)
    sampled = _Round(prompts, asking, "sampled")
    cost = _cost(sampled, ledger)
    if not asking.samples:
        raise ProviderFailed(
            "no token probabilities, and samples are not allowed",
            field="--samples",
            seen=0,
            why=why,
            remedy=f"give --samples 20: {20 * len(sampled.texts):,} calls for {len(sampled.texts):,} different prompts",
        )
    price = "no prices stated" if cost.most is None else f"at most {cost.most:.4g} before retries"
    say(
        f"no token probabilities ({why}): each of {cost.texts:,} different prompts is asked {asking.samples} times and "
        f"the share counts. {cost.calls:,} calls, {cost.to_send:,} to send, about {cost.tokens_in:,} tokens sent and at "
        f"most {cost.tokens_out:,} received; cost: {price}"
    )
    summary = sampled.run(sampled.calls, ledger, how)
    return sampled.heard(ledger, summary, why, cost, spent)


def _refused(weighed: _Round, ledger: Ledger, how: Mapping[str, Any]) -> str | None:
    """Ask one prompt and see whether probabilities come with the answer; None where they do, else why not."""
    first = weighed.calls[:1]
    keys = [call.request_key for call in first]
    try:
        weighed.run(first, ledger, {**how, "progress": None})
    except ProviderFailed:
        latest = ledger.latest(keys)
        kinds = {attempt.error_kind: attempt.error_detail for attempt in latest.values()}
        if "no_logprobs" not in kinds:
            raise
        return kinds["no_logprobs"] or "the target refuses to give them"
    answered = ledger.answered(keys)
    if answered and not any(first_token(packed) for _, packed in ledger.logprobs(keys)):
        return "the answer came without them"
    return None


class _Round:
    """The calls of one method: every different prompt once, or ``samples`` times."""

    def __init__(self, prompts: Sequence[Prompt], asking: Asking, method: Method) -> None:
        self.method, self.asking = method, asking
        self.endpoint = asking.make(method)
        self.places: dict[tuple[Place, _Key], None] = {}  # rows of one place may say different things
        self.texts: dict[_Key, Prompt] = {}
        sides: dict[tuple[str, str | None, str], list[str]] = defaultdict(list)
        for prompt in prompts:
            place, said = place_of(prompt), _said_hash(prompt)
            met = sides[place.unit_id, place.name_pair, said]
            if place.side is not None and place.side not in met:
                met.append(place.side)
            copy = met.index(place.side) if place.side is not None else 0
            self.places[place, (said, copy)] = None
            self.texts.setdefault((said, copy), prompt)
        self._by_text = {key: self._calls_of(key) for key in self.texts}
        self._prompt_of = {call.request_key: self.texts[key] for key, calls in self._by_text.items() for call in calls}

    @property
    def calls(self) -> list[Call]:
        """All calls, one of every prompt before the second of any."""
        rounds = zip(*self._by_text.values(), strict=True)
        return [call for one in rounds for call in one]

    def _calls_of(self, key: _Key) -> list[Call]:
        prompt, n = self.texts[key], 1 if self.method == "probabilities" else self.asking.samples
        endpoint = self.endpoint
        body = {
            "what": "decide",
            "system": self.asking.system,
            "turns": [[turn.role, turn.content] for turn in prompt.turns],
            "parameters": dict(endpoint.parameters),
        }
        place = f"{endpoint.provider}:{endpoint.model}@{endpoint.host or '-'}"
        mark = _hash([place, body["parameters"], self.asking.system])
        return [
            Call(
                request_key=_hash([place, body, key[1] * n + repeat]),
                body=body,
                endpoint=place,
                text_hashes=(key[0],),
                order="-",
                repeat=key[1] * n + repeat,
                fingerprint=mark,
            )
            for repeat in range(n)
        ]

    def request(self, call: Call, nonce: str = "") -> Request:  # noqa: ARG002 - nothing is fenced: it is the prompt itself
        """The finished request of a call."""
        prompt = self._prompt_of[call.request_key]
        return Request(
            request_key=call.request_key,
            system=self.asking.system,
            prompt=prompt.context,
            text=prompt.context,
            context=None,
            lang=prompt.lang or "en",
            dimensions={},
            turns=prompt.turns,
            conversation=call.request_key,
        )

    def run(self, calls: Sequence[Call], ledger: Ledger, how: Mapping[str, Any]) -> RunSummary:
        """Send what has no answer."""
        return run_calls(calls, self.endpoint, ledger, render=self.request, **how)

    def heard(self, ledger: Ledger, summary: RunSummary, why: str, cost: Cost, spent: Spent) -> Heard:
        """Read the answers of every place."""
        read = {key: self._read(calls, ledger) for key, calls in self._by_text.items()}
        answers = tuple(replace(read[key], place=place, text=self.texts[key].context) for place, key in self.places)
        return Heard(
            method=self.method,
            why=why,
            answers=answers,
            texts=len(self.texts),
            summary=summary,
            cost=cost,
            spent=spent,
            parameters=dict(self.endpoint.parameters),
        )

    def _read(self, calls: Sequence[Call], ledger: Ledger) -> Answered:
        keys = [call.request_key for call in calls]
        answered = ledger.answered(keys)
        latest = ledger.latest(key for key in keys if key not in answered)
        missing = Counter(attempt.error_kind or "not_sent" for attempt in latest.values())
        missing.update({"not_sent": n} if (n := len(keys) - len(answered) - len(latest)) else {})
        nowhere = Place(probe="", unit_id="")
        if self.method == "probabilities":
            return self._weighed(nowhere, bool(answered), [packed for _, packed in ledger.logprobs(keys)], missing)
        met = [option_of(attempt.raw or "", self.asking.options) for attempt in answered.values()]
        if strangers := sum(option is None for option in met):
            missing[NO_OPTION] += strangers
        shares, n = shares_of(met, self.asking.options)
        return Answered(place=nowhere, shares=shares, n=n, missing=dict(missing))

    def _weighed(self, place: Place, answered: bool, packed: Sequence[str], missing: Counter[str]) -> Answered:
        options = self.asking.options
        tokens = first_token(packed[0]) if packed else None
        if tokens is None:
            if answered:
                missing[NO_PROBABILITIES] += 1
            return Answered(place=place, shares=Undefined("no token probabilities"), n=0, missing=dict(missing))
        found = option_shares(tokens, options)
        if isinstance(found.shares, Undefined):
            missing[NO_OPTION] += 1
        yes_no = p_yes(tokens, yes=options[0], no=options[1]) if len(options) == 2 else None
        return Answered(
            place=place,
            shares=found.shares,
            n=0 if isinstance(found.shares, Undefined) else 1,
            missing=dict(missing),
            yes_no=yes_no,
        )


def _cost(asked: _Round, ledger: Ledger | None) -> Cost:
    calls = asked.calls
    pending = [call.request_key for call in calls]
    if ledger is not None:
        pending = ledger.pending(pending)
    waiting = set(pending)
    requests = [asked.request(call) for call in calls if call.request_key in waiting]
    out = int(asked.endpoint.parameters.get("max_tokens", 0)) * len(requests)
    estimate: Callable[[Request], Estimate] | None = getattr(asked.endpoint, "estimate", None)
    return Cost(
        method=asked.method,
        texts=len(asked.texts),
        calls=len(calls),
        to_send=len(requests),
        tokens_in=sum(_about(request) for request in requests),
        tokens_out=out,
        most=None if estimate is None else math.fsum(estimate(request).cost for request in requests),
    )


def _about(request: Request) -> int:
    said: Iterable[str] = (request.system, *(turn.content for turn in request.turns))
    return math.ceil(sum(map(len, said)) / 4)


def _said_hash(prompt: Prompt) -> str:
    return _hash([[turn.role, turn.content] for turn in prompt.turns])


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=True, sort_keys=True, default=str).encode("ascii")).hexdigest()
