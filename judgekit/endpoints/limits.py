"""What bounds a run: attempts, calls, tokens, money and time, and how all workers slow down together."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.errors import BudgetSpent, UsageProblem

__all__ = ["Budget", "Clock", "Estimate", "Gate", "Limits", "Spent", "SystemClock", "Window", "backoff"]

MAY_HAVE_BEEN_BILLED = frozenset({"timeout", "connection", "cut_off", "not_json", "no_answer"})
"""Errors after which the far side may have done the work: their estimate is counted as spent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one run. None is no bound.

    Parameters
    ----------
    retries : int
        Further attempts after a first one that met a passing error; 3 means at most four requests for a call.
    max_calls : int, optional
        Requests sent, retries included.
    max_tokens : int, optional
        Prompt and answer tokens together. A judge that reports none is counted by an upper estimate.
    max_cost : float, optional
        In the currency of the prices.
    attempt_timeout : float
        Seconds for one request.
    run_timeout : float, optional
        Seconds for the run.
    backoff_first, backoff_most : float
        Seconds: the wait before retry ``k`` is drawn from 0 to ``min(backoff_most, backoff_first * 2**k)``.
    longest_wait : float
        Seconds: a judge that asks for a longer pause stops the run instead.
    grace : float
        Seconds that calls in flight may still take when the run is stopped.
    give_up_after : int
        Calls failing one after another, none answered between, until the run stops.

    Raises
    ------
    UsageProblem
        A bound that no run could keep.
    """

    retries: int = 3
    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    attempt_timeout: float = 60.0
    run_timeout: float | None = None
    backoff_first: float = 1.0
    backoff_most: float = 60.0
    longest_wait: float = 600.0
    grace: float = 5.0
    give_up_after: int = 20

    def __post_init__(self) -> None:
        for name, least in (("retries", 0), ("give_up_after", 1), ("attempt_timeout", 1e-3), ("grace", 0)):
            if not getattr(self, name) >= least:
                raise UsageProblem(
                    f"must be {least} or more", field=name, seen=getattr(self, name), remedy="give a larger number"
                )
        for name in ("max_calls", "max_tokens", "max_cost", "run_timeout"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise UsageProblem("must be 0 or more", field=name, seen=value, remedy="give a larger number")


class Clock(Protocol):
    """Where the runner's time comes from; tests bring their own."""

    def now(self) -> str:
        """UTC as ISO 8601 with milliseconds."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> str:
        """UTC as ISO 8601 with milliseconds."""
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


def backoff(retry: int, limits: Limits, rng: random.Random) -> float:
    """Seconds to wait before a retry: drawn evenly from 0 to a bound that doubles ("full jitter").

    Parameters
    ----------
    retry : int
        0 for the first retry.
    limits : Limits
        Gives ``backoff_first`` and ``backoff_most``.
    rng : random.Random
        Source of the draw.

    Examples
    --------
    >>> 0 <= backoff(2, Limits(), random.Random(1)) <= 4
    True
    """
    return rng.uniform(0, min(limits.backoff_most, limits.backoff_first * 2**retry))


class Gate:
    """One gate for all workers: when a judge asks for a pause, nobody sends before it is over."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._open_at = float("-inf")

    def pause(self, seconds: float) -> None:
        """Keep the gate shut for this long from now; a longer pause already running stays."""
        self._open_at = max(self._open_at, self._clock.monotonic() + seconds)

    async def wait(self) -> None:
        """Return when the gate is open. The pause may be prolonged meanwhile."""
        while (left := self._open_at - self._clock.monotonic()) > 0:
            await self._clock.sleep(left)


class Window:
    """How many requests may be under way: halved when the judge is overloaded, one more for every full round of answers.

    This is the rule by which TCP shares a line (additive increase, multiplicative decrease: Chiu and Jain, 1989).

    Parameters
    ----------
    most : int
        Never more than this.
    alone : bool
        The first request goes by itself, to find out what the judge takes; `heard` of anything lets the others follow.

    Examples
    --------
    >>> window = Window(8)
    >>> window.overloaded(asyncio.run(window.enter()))
    >>> window.size
    4
    """

    def __init__(self, most: int, *, alone: bool = False) -> None:
        self._most = max(1, most)
        self.size = 1 if alone else self._most
        self._alone = alone
        self._under_way = 0
        self._entered = 0
        self._halved_at = 0
        self._answers = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> int:
        """Wait for room; returns the request's number, for `overloaded`."""
        if self._under_way >= self.size:
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self.leave()  # called and cut off at once: the room goes to the next one
                raise
        else:
            self._under_way += 1
        self._entered += 1
        return self._entered

    def leave(self) -> None:
        """Give the room back."""
        self._under_way -= 1
        self._wake()

    def heard(self) -> None:
        """The judge has been heard of, so its requests need no longer go one by one."""
        if self._alone:
            self._alone = False
            self.size = self._most
            self._wake()

    def answered(self) -> None:
        """Count an answer; after as many as there may be under way, there may be one more."""
        self._answers += 1
        if self._answers >= self.size:
            self._answers = 0
            if self.size < self._most:
                self.size += 1
                self._wake()

    def overloaded(self, number: int) -> None:
        """Halve, once for all requests that were under way together.

        Parameters
        ----------
        number : int
            What `enter` gave the request that was refused.
        """
        if number > self._halved_at:
            self.size = max(1, self.size // 2)
            self._halved_at = self._entered
            self._answers = 0

    def _wake(self) -> None:
        # Room is handed over in the order of asking, so that no call waits while others pass it.
        while self._waiting and self._under_way < self.size:
            place = self._waiting.popleft()
            if not place.done():
                self._under_way += 1
                place.set_result(None)


@dataclass(frozen=True, slots=True)
class Estimate:
    """An upper bound of what one request uses: tokens, and cost in the prices' currency."""

    tokens: int
    cost: float


def estimate_tokens(request: Request) -> int:
    """An upper bound of a request's tokens: no token is shorter than a byte, and the answer has its own bound."""
    answer = request.parameters.get("max_tokens", 1024)
    sent = len(request.system.encode("utf-8", "surrogatepass")) + len(request.prompt.encode("utf-8", "surrogatepass"))
    return sent + (answer if isinstance(answer, int) else 1024)


@dataclass(slots=True)
class Spent:
    """What a run has used so far. Its parts (judging, swap test, anchors and so on) count in one of these, one after another.

    Examples
    --------
    >>> whole = Spent()
    >>> for part in (Budget(Limits(max_calls=3), before=whole), Budget(Limits(max_calls=3), before=whole)):
    ...     part.count(calls=2)
    >>> whole.calls
    4
    """

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def add(self, calls: int = 0, tokens: int = 0, cost: float = 0.0) -> None:
        """Count requests, tokens and money."""
        self.calls += calls
        self.tokens += tokens
        self.cost += cost


class Budget:
    """What a run may still spend. Room is taken before a request goes out, so that no limit is ever passed.

    Parameters
    ----------
    limits : Limits
        The bounds.
    estimate : callable, optional
        The endpoint's own upper bound for a request. Required for ``max_cost``.
    before : Spent, optional
        What earlier parts of the same run have used, which counts against the limits; this part is added to it.

    Raises
    ------
    UsageProblem
        ``max_cost`` for a judge that has no prices.
    """

    def __init__(
        self,
        limits: Limits,
        estimate: Callable[[Request], Estimate] | None = None,
        before: Spent | None = None,
    ) -> None:
        if limits.max_cost is not None and estimate is None:
            raise UsageProblem(
                "this judge has no prices, so a cost limit cannot be kept",
                field="max_cost",
                seen=limits.max_cost,
                remedy="limit it by --max-calls or --max-tokens, or give prices",
            )
        self._limits = limits
        self._estimate = estimate
        self._needs_estimate = limits.max_tokens is not None or limits.max_cost is not None
        self.part = Spent()
        self.whole = before if before is not None else Spent()
        self._held_tokens = 0
        self._held_cost = 0.0
        self._in_flight = 0
        self._settled = asyncio.Event()

    def count(self, calls: int = 0, tokens: int = 0, cost: float = 0.0) -> None:
        """Count what was used, for this part and for the whole run."""
        self.part.add(calls, tokens, cost)
        self.whole.add(calls, tokens, cost)

    def _lacking(self, need: Estimate) -> str | None:
        limits, used = self._limits, self.whole
        if limits.max_calls is not None and used.calls + 1 > limits.max_calls:
            return "max_calls"
        if limits.max_tokens is not None and used.tokens + self._held_tokens + need.tokens > limits.max_tokens:
            return "max_tokens"
        if limits.max_cost is not None and used.cost + self._held_cost + need.cost > limits.max_cost:
            return "max_cost"
        return None

    async def take(self, request: Request) -> Estimate:
        """Take room for one request, waiting for those in flight when their room may come back.

        Returns
        -------
        Estimate
            What was set aside; hand it to `settle`.

        Raises
        ------
        BudgetSpent
            There is no room, and none will come back.
        """
        while (need := self.try_take(request)) is None:
            if self._in_flight == 0:
                raise self.spent(request)
            self._settled.clear()
            await self._settled.wait()
        return need

    def _need(self, request: Request) -> Estimate:
        if not self._needs_estimate:
            return Estimate(0, 0.0)
        return self._estimate(request) if self._estimate else Estimate(estimate_tokens(request), 0.0)

    def try_take(self, request: Request) -> Estimate | None:
        """Take room for one request, or None when there is none now."""
        need = self._need(request)
        if self._lacking(need) is not None:
            return None
        self.count(calls=1)
        self._in_flight += 1
        self._held_tokens += need.tokens
        self._held_cost += need.cost
        return need

    def spent(self, request: Request) -> BudgetSpent:
        """The error for a request that finds no room."""
        name = self._lacking(self._need(request)) or "max_calls"
        return BudgetSpent(
            "the limit is reached",
            field=name,
            seen=getattr(self._limits, name),
            why=f"{self.whole.calls} requests, {self.whole.tokens} tokens, cost {self.whole.cost:.4f} in this run",
            remedy="raise the limit and run the same command again; it goes on where it stopped",
        )

    def give_back(self, held: Estimate) -> None:
        """Undo `take` for a request that was never sent."""
        self.count(calls=-1)
        self._in_flight -= 1
        self._held_tokens -= held.tokens
        self._held_cost -= held.cost
        self._settled.set()

    def settle(self, held: Estimate, answer: RawAnswer | None) -> None:
        """Give the room back and count what was really used.

        Parameters
        ----------
        held : Estimate
            What `take` returned.
        answer : RawAnswer or None
            What came; None when the request was cut off.
        """
        self._in_flight -= 1
        self._held_tokens -= held.tokens
        self._held_cost -= held.cost
        unknown = answer is None or answer.error_kind is None or answer.error_kind in MAY_HAVE_BEEN_BILLED
        if answer is not None and answer.usage is not None:
            self.count(tokens=tokens_of(answer))
        elif unknown:
            self.count(tokens=held.tokens)
        if answer is not None and answer.cost is not None:
            self.count(cost=answer.cost)
        elif unknown:
            self.count(cost=held.cost)
        self._settled.set()


def tokens_of(answer: RawAnswer) -> int:
    """Tokens an answer reports: its total, or else the sum of its prompt and completion tokens."""
    usage = answer.usage or {}
    return usage.get("total_tokens") or usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
