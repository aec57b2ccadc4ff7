"""Sends calls to a judge: intent before each request, raw answer before parsing, retries and limits of our own."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import random
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from judgekit.endpoints.base import ADAPTED, Endpoint, RawAnswer, Request
from judgekit.endpoints.faults import (
    OVERLOADED,
    RETRYABLE_KINDS,
    STOP_KINDS,
    changed_judge,
    gave_up,
    in_batches,
    too_long_a_pause,
    unusable,
)
from judgekit.endpoints.journal import Journal, completed
from judgekit.endpoints.limits import Budget, Clock, Estimate, Gate, Limits, Spent, SystemClock, Window, backoff
from judgekit.endpoints.loop import caught_signals, in_a_loop
from judgekit.endpoints.progress import Progress, RunSummary
from judgekit.errors import BudgetSpent, DiskFailed, Interrupted, JudgekitError, ProviderFailed
from judgekit.files.ledger import Ledger
from judgekit.records import Attempt, Call

__all__ = ["Limits", "Progress", "RunSummary", "nonce", "run_calls"]

_PROGRESS_EVERY = 0.1  # seconds
_MAX_ADAPTED = 8  # settings that one call may be asked without, one after another


def nonce(secret: bytes, request_key: str) -> str:
    """The fence's nonce for a request: the same on every retry, not to be guessed without the study's secret.

    Examples
    --------
    >>> nonce(b"secret", "key") == nonce(b"secret", "key") != nonce(b"other", "key")
    True
    """
    return hmac.new(secret, request_key.encode("utf-8"), hashlib.sha256).hexdigest()[:16]


def run_calls(
    calls: Sequence[Call],
    endpoint: Endpoint,
    ledger: Ledger,
    *,
    render: Callable[[Call, str], Request],
    secret: bytes,
    concurrency: int = 4,
    limits: Limits | None = None,
    spent: Spent | None = None,
    clock: Clock | None = None,
    progress: Callable[[Progress], None] | None = None,
    retry_final: bool = False,
    rng: random.Random | None = None,
) -> RunSummary:
    """Send every call that has no answer yet, and store what comes back; whatever stops it, the same call goes on.

    Parameters
    ----------
    calls : sequence of Call
        In the order of sending; the same key twice is sent once. They are written to the ledger first.
    endpoint : Endpoint
        The judge. It is closed at the end and may be used again.
    ledger : Ledger
        Open for writing.
    render : callable
        Makes the finished request of a call and its nonce.
    secret : bytes
        The study's secret.
    concurrency : int
        Requests in flight at most.
    limits, spent, clock, rng : optional
        Attempts, budgets and time-outs; what earlier parts of the same run have used of them, to which this part is
        added; the machine's clock; the jitter of the waits, on which no result depends.
    progress : callable, optional
        Called about ten times a second and once at the end.
    retry_final : bool
        Send calls again that met a final error in an earlier run.

    Returns
    -------
    RunSummary
        Of this part alone.

    Raises
    ------
    ConfigProblem
        There is something to send and the judge lacks its key; nothing was sent.
    ProviderFailed
        Key refused, quota used up, no such model or command, many calls in a row failed, or another model or system
        fingerprint than the first one's answered.
    Unfinished
        A limit was reached before the next call (`BudgetSpent`), Ctrl-C or SIGTERM (`Interrupted`), the ledger could not
        be written (`DiskFailed`), or a call waits in a batch of an earlier run.
    """
    by_key = {call.request_key: call for call in calls}
    answered = len(by_key) - len(ledger.pending(by_key, retry_final=True))
    waiting = _may_be_sent(ledger.pending(by_key, retry_final=retry_final), endpoint, ledger)
    in_doubt = tuple(dict.fromkeys(attempt.request_key for attempt in ledger.close_in_doubt()))
    ledger.add_calls(calls)
    run = _Run(
        [by_key[key] for key in waiting],
        endpoint,
        ledger,
        render=render,
        secret=secret,
        limits=limits or Limits(),
        spent=spent,
        clock=clock or SystemClock(),
        progress=progress,
        rng=rng or random.Random(),
        total=len(by_key),
        earlier=answered,
    )
    at_once: int = getattr(endpoint, "at_once", concurrency)  # a judge on this machine queues nothing
    in_a_loop(lambda: run.run(max(1, min(concurrency, at_once))))
    _note_dropped(endpoint, ledger)
    return run.summary(in_doubt=in_doubt, skipped=len(by_key) - answered - len(waiting))


def _may_be_sent(waiting: list[str], endpoint: Endpoint, ledger: Ledger) -> list[str]:
    """The calls, after a look at what would keep them from being sent: a batch that they wait in, a key that lacks."""
    if batched := ledger.waiting_in_batches(waiting):
        raise in_batches(len(batched))
    ready: Callable[[], None] | None = getattr(endpoint, "ready", None)
    if waiting and ready is not None:
        ready()
    start: Callable[[], None] | None = getattr(endpoint, "start", None)
    if waiting and start is not None:
        start()  # loading weights takes as long as it takes; no attempt's time is spent on it
    return waiting


def _note_dropped(endpoint: Endpoint, ledger: Ledger) -> None:
    """Keep what the judge was found not to take, for runs that need not ask it any more."""
    dropped: tuple[str, ...] = getattr(endpoint, "dropped", ())
    if dropped:
        ledger.note(f"dropped {endpoint.provider}:{endpoint.model}@{endpoint.host or '-'}", ", ".join(dropped))


class _Run:
    """One run: a queue of calls, workers, and what stops them."""

    def __init__(
        self,
        waiting: list[Call],
        endpoint: Endpoint,
        ledger: Ledger,
        *,
        render: Callable[[Call, str], Request],
        secret: bytes,
        limits: Limits,
        spent: Spent | None,
        clock: Clock,
        progress: Callable[[Progress], None] | None,
        rng: random.Random,
        total: int,
        earlier: int,
    ) -> None:
        self._queue = deque(waiting)
        self._waiting = len(waiting)
        self._endpoint = endpoint
        self._render = render
        self._secret = secret
        self._limits = limits
        self._clock = clock
        self._progress = progress
        self._rng = rng
        self._total = total
        self._earlier = earlier
        estimate: Callable[[Request], Estimate] | None = getattr(endpoint, "estimate", None)
        self._budget = Budget(limits, estimate, spent)
        self._gate = Gate(clock)
        self._window = Window(1)
        self._journal = Journal(ledger, self._halt)
        self._workers: list[asyncio.Task[None]] = []
        self._in_flight: set[asyncio.Task[Any]] = set()
        self._stopped_by: JudgekitError | None = None
        self._answered = 0
        self._failed: Counter[str] = Counter()
        self._examples: dict[str, str] = {}
        self._streak = 0
        self._retries = 0
        self._judge: tuple[str | None, str | None] | None = None
        self._started = clock.monotonic()
        self._reported = float("-inf")

    # --- start and end ---------------------------------------------------------------------------------------------

    async def run(self, concurrency: int) -> None:
        """Work until the queue is empty or something stops the run."""
        loop = asyncio.get_running_loop()
        self._window = Window(concurrency, alone=getattr(self._endpoint, "probes", False))
        self._workers = [loop.create_task(self._work()) for _ in range(min(concurrency, self._waiting))]
        timer = loop.create_task(self._watch_time()) if self._limits.run_timeout is not None else None
        try:
            with caught_signals(loop, self._interrupted):
                if self._workers:
                    await asyncio.wait(self._workers, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            # Reached with workers left only when one of them raised: a defect of an endpoint or of a prompt.
            for worker in self._workers:
                worker.cancel()
            results = await asyncio.gather(*self._workers, return_exceptions=True)
            if timer is not None:
                timer.cancel()
            self._journal.flush()
            await self._endpoint.close()
        self._report(last=True)
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
                raise result
        if self._stopped_by is not None:
            raise self._told(self._stopped_by)
        if self._failed and self._answered == 0 and RETRYABLE_KINDS.issuperset(self._failed):
            raise self._told(self._gave_up(next(iter(self._failed))))

    def summary(self, *, in_doubt: tuple[str, ...], skipped: int) -> RunSummary:
        """The counts of a run that came to its end."""
        return RunSummary(
            total=self._total,
            earlier=self._earlier,
            answered=self._answered,
            failed=dict(sorted(self._failed.items())),
            skipped=skipped,
            in_doubt=in_doubt,
            requests=self._budget.part.calls,
            retries=self._retries,
            tokens=self._budget.part.tokens,
            cost=self._budget.part.cost,
            seconds=self._clock.monotonic() - self._started,
            examples=dict(sorted(self._examples.items())),
        )

    def _told(self, problem: JudgekitError) -> JudgekitError:
        kept = f"{self._earlier + self._answered} of {self._total} answers are in the ledger"
        if isinstance(problem, DiskFailed) and self._journal.unstored:
            kept += f"; {self._journal.unstored} that arrived could not be stored"
        problem.why = f"{problem.why}; {kept}" if problem.why else kept
        return problem

    def _halt(self, problem: JudgekitError) -> None:
        """Send nothing more; calls in flight may still end within the grace period."""
        if self._stopped_by is not None:
            return
        self._stopped_by = problem
        self._queue.clear()
        current = asyncio.current_task()
        for worker in self._workers:
            if worker not in self._in_flight and worker is not current:
                worker.cancel()
        asyncio.get_running_loop().call_later(self._limits.grace, self._cut_off)

    def _cut_off(self) -> None:
        for worker in self._workers:
            worker.cancel()

    async def _watch_time(self) -> None:
        await self._clock.sleep(self._limits.run_timeout or 0.0)
        self._halt(
            BudgetSpent(
                "the time for this run is over",
                field="run_timeout",
                seen=self._limits.run_timeout,
                remedy="run the same command again; it goes on where it stopped",
            )
        )

    def _interrupted(self, name: str) -> None:
        if self._stopped_by is not None:
            self._cut_off()
            return
        remedy = "run the same command again; it goes on where it stopped"
        self._halt(Interrupted("the run was stopped", seen=name, remedy=remedy))

    # --- one worker ------------------------------------------------------------------------------------------------

    async def _work(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        while self._queue:
            call = self._queue.popleft()
            request = replace(
                self._render(call, nonce(self._secret, call.request_key)), timeout=self._limits.attempt_timeout
            )
            await self._ask(request, task)

    async def _ask(self, request: Request, task: asyncio.Task[Any]) -> None:
        """Send one call until it is answered or given up."""
        retry = adapted = 0
        while True:
            number = await self._window.enter()
            try:
                answer = await self._attempt(request, task)
            finally:
                self._window.leave()
            if answer is None:
                return
            if answer.error_kind == ADAPTED and adapted < _MAX_ADAPTED and self._stopped_by is None:
                # Free of charge and mended already: no pause, and no retry used up.
                adapted += 1
                continue
            self._pace(number, answer)
            if self._settled(answer, last=retry == self._limits.retries):
                return
            self._retries += 1
            await self._pause(answer, retry)
            retry += 1

    def _pace(self, number: int, answer: RawAnswer) -> None:
        self._window.heard()
        if answer.error_kind is None:
            self._window.answered()
        elif answer.error_kind == "rate_limit" or answer.status in OVERLOADED:
            self._window.overloaded(number)

    async def _attempt(self, request: Request, task: asyncio.Task[Any]) -> RawAnswer | None:
        """One request, written down before and after. None: the run is over and nothing was sent."""
        await self._gate.wait()
        try:
            held = await self._budget.take(request)
        except BudgetSpent as problem:
            self._halt(problem)
            return None
        self._in_flight.add(task)
        try:
            intent_at = self._clock.now()
            number = await self._journal.intent(request.request_key, intent_at)
            if number is None:
                self._budget.give_back(held)
                return None
            attempt = Attempt(request_key=request.request_key, n=number, intent_at=intent_at)
            if self._stopped_by is not None:
                self._budget.give_back(held)
                self._journal.completed(replace(attempt, error_kind="not_sent"), _nothing)
                return None
            answer = await self._send(request, held)
        finally:
            self._in_flight.discard(task)
        self._store(replace(attempt, sent_at=intent_at), answer)
        return answer

    async def _send(self, request: Request, held: Estimate) -> RawAnswer:
        answer: RawAnswer | None = None
        try:
            async with asyncio.timeout(self._limits.attempt_timeout):
                answer = await self._endpoint.send(request)
        except TimeoutError:
            detail = f"no answer within {self._limits.attempt_timeout:g} s"
            answer = RawAnswer(raw=None, error_kind="timeout", error_detail=detail)
        finally:
            self._budget.settle(held, answer)
        return answer

    def _store(self, attempt: Attempt, answer: RawAnswer) -> None:
        done = completed(attempt, answer, self._clock.now())
        self._journal.completed(done, self._count_answer if answer.error_kind is None else _nothing)

    def _count_answer(self) -> None:
        self._answered += 1
        self._report()

    def _settled(self, answer: RawAnswer, *, last: bool) -> bool:
        """Whether this call needs no further attempt; stops the run where no call would do better."""
        kind = answer.error_kind
        if kind is None:
            self._streak = 0
            self._check_identity(answer)
            return True
        self._examples.setdefault(kind, answer.error_detail or "")
        if kind in STOP_KINDS:
            self._halt(unusable(f"{self._endpoint.provider}:{self._endpoint.model}", answer))
            return True
        if answer.retry_after is not None and answer.retry_after > self._limits.longest_wait:
            self._halt(too_long_a_pause(answer.retry_after, answer))
            return True
        if kind in RETRYABLE_KINDS and not last and self._stopped_by is None:
            return False
        self._failed[kind] += 1
        self._streak += 1
        self._report()
        # Rows that fail for good one by one are a finding; when none at all has worked, the judge is broken.
        if self._streak >= self._limits.give_up_after and (kind in RETRYABLE_KINDS or self._answered == 0):
            self._halt(self._gave_up(kind))
        return True

    def _check_identity(self, answer: RawAnswer) -> None:
        """Stop when another judge answers than the one that answered first; its answers are never pooled."""
        if self._judge is None:
            found = (answer.served_model, answer.system_fingerprint)
            self._judge = getattr(self._endpoint, "served", None) or found
            if hasattr(self._endpoint, "served"):
                self._endpoint.served = self._judge
        problem = changed_judge(self._judge, answer)
        if problem is not None:
            self._halt(problem)

    def _gave_up(self, kind: str) -> ProviderFailed:
        return gave_up(kind, sum(self._failed.values()), self._examples.get(kind, ""))

    async def _pause(self, answer: RawAnswer, retry: int) -> None:
        wait = backoff(retry, self._limits, self._rng)
        if answer.error_kind == "rate_limit" or answer.retry_after is not None:
            # A judge that is asked too often is asked too often by all workers: nobody sends before the gate opens.
            self._gate.pause((answer.retry_after or 0.0) + wait)
        else:
            await self._clock.sleep(wait)

    def _report(self, *, last: bool = False) -> None:
        now = self._clock.monotonic()
        if self._progress is None or (not last and now - self._reported < _PROGRESS_EVERY):
            return
        self._reported = now
        failed = sum(self._failed.values())
        worked = self._answered + failed
        rate = worked / (now - self._started) if now > self._started else 0.0
        self._progress(
            Progress(
                done=self._earlier + worked,
                total=self._total,
                failed=failed,
                rate=rate,
                seconds_left=(self._waiting - worked) / rate if rate else None,
                cost=self._budget.whole.cost,
                retries=self._retries,
            )
        )


def _nothing() -> None:
    """Told that an error is stored; nobody waits for it."""
