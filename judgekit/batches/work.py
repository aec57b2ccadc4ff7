"""One run of batches: handed over within the limits, found again after a crash, asked for until they have ended."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import random
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from judgekit.batches.collect import BATCH_PRICE, Collected, Collector
from judgekit.batches.find import find_batch
from judgekit.batches.leftovers import delete_leftovers
from judgekit.batches.patience import REMEDY, Patience, Polling, refused
from judgekit.batches.remote import BatchService, RemoteBatch, moment
from judgekit.batches.tally import PASSING, Tally
from judgekit.endpoints.base import RawAnswer, Request
from judgekit.endpoints.faults import STOP_KINDS, changed_judge, gave_up, unusable
from judgekit.endpoints.limits import Budget, Clock, Estimate, Limits, Spent
from judgekit.endpoints.loop import caught_signals
from judgekit.endpoints.progress import Progress, RunSummary
from judgekit.errors import BudgetSpent, Interrupted, JudgekitError, ProviderFailed
from judgekit.files.ledger import Ledger
from judgekit.files.ledger_batches import StoredBatch
from judgekit.records import Call

__all__ = ["BatchRun"]

_UNSURE = frozenset({"timeout", "connection", "cut_off", "server", "not_json", "no_answer"})
"""Errors after which a batch may have been made all the same."""


@dataclass(slots=True)
class _UnderWay:
    """A batch at the provider, and how far it was when last looked at."""

    stored: StoredBatch
    remote_id: str
    done: int = 0


class BatchRun:
    """The work of `judgekit.batches.run.run_batches`; ``queue`` holds the request keys to be handed over.

    Parameters
    ----------
    service : BatchService
    ledger : Ledger
        Open for writing.
    name : str
        Provider, model and host.
    by_key : mapping of str to Call
        All calls of the run.
    render : callable
        Makes the finished request of a call.
    secret : bytes
        The study's secret, which the labels of its batches are made from.
    limits, spent, clock, polling, progress, say, rng
        As for `run_batches`.
    earlier : int
        Calls that were answered before.
    cancelling : bool
        Cancel what is under way and hand nothing over.
    """

    def __init__(
        self,
        service: BatchService,
        ledger: Ledger,
        name: str,
        by_key: Mapping[str, Call],
        *,
        render: Callable[[Call], Request],
        secret: bytes,
        limits: Limits,
        spent: Spent | None,
        clock: Clock,
        polling: Polling,
        progress: Callable[[Progress], None] | None,
        say: Callable[[str], None] | None,
        rng: random.Random,
        earlier: int,
        cancelling: bool,
    ) -> None:
        self.queue: deque[str] = deque()
        self._service, self._ledger, self._name, self._by_key = service, ledger, name, by_key
        self._render, self._secret, self._limits, self._clock = render, secret, limits, clock
        self._polling, self._progress, self._say = polling, progress, say or _silent
        self._patience = Patience(name, limits, clock, polling, rng)
        self._cancelling = cancelling
        estimate = service.endpoint.estimate
        self._budget = Budget(limits, None if estimate is None else lambda request: _half(estimate(request)), spent)
        self._held: dict[str, Estimate] = {}
        self._under_way: dict[str, _UnderWay] = {}
        self._tries: Counter[str] = Counter()
        self._tally = Tally(by_key, earlier, clock)

    # --- the first call --------------------------------------------------------------------------------------------

    @property
    def spent(self) -> Spent:
        """What the whole run has used; the call that goes out by itself counts in it."""
        return self._budget.whole

    def probed(self, summary: RunSummary) -> bool:
        """Note a call that went out by itself, which has counted in ``spent`` already; whether it was answered."""
        self._budget.part.add(summary.requests, summary.tokens, summary.cost)
        self._tally.add(summary)
        return summary.answered > 0

    # --- start and end ---------------------------------------------------------------------------------------------

    async def run(self, under_way: Sequence[StoredBatch]) -> None:
        """Work until nothing waits and nothing is under way, or something stops the run."""
        loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        assert task is not None

        def interrupted(name: str) -> None:
            again = self._patience.stopped_by is not None
            self._patience.stop(Interrupted("the run was stopped", seen=name, remedy=REMEDY))
            # A request on the wire may end; what is cut off there is found again by its label.
            loop.call_later(0.0 if again else self._limits.grace, task.cancel)

        timer = loop.create_task(self._watch_time()) if self._limits.run_timeout is not None else None
        try:
            with caught_signals(loop, interrupted):
                try:
                    await self._work(under_way)
                finally:
                    if self._patience.stopped_by is None:
                        await delete_leftovers(self._service, self._ledger, self._name, say=self._say)
        except JudgekitError as problem:
            raise self._told(problem) from None
        except asyncio.CancelledError:
            if self._patience.stopped_by is None:
                raise
            raise self._told(self._patience.stopped_by) from None
        finally:
            if timer is not None:
                timer.cancel()
            self._report(0.0)
            await self._service.endpoint.close()
        if self._tally.all_passing:
            failed = self._tally.failed
            kind = next(iter(failed))
            raise self._told(gave_up(kind, failed.total(), self._tally.examples.get(kind, "")))

    def summary(self, *, in_doubt: tuple[str, ...], skipped: int) -> RunSummary:
        """The counts of a run that came to its end."""
        return self._tally.summary(requests=self._budget.part.calls, in_doubt=in_doubt, skipped=skipped)

    def _told(self, problem: JudgekitError) -> JudgekitError:
        kept = self._tally.kept()
        if self._under_way:
            named = ", ".join(f"{u.remote_id} ({u.stored.requests} calls)" for u in self._under_way.values())
            kept += f"; under way at the provider: {named}"
        problem.why = f"{problem.why}; {kept}" if problem.why else kept
        return problem

    async def _watch_time(self) -> None:
        await self._clock.sleep(self._limits.run_timeout or 0.0)
        self._patience.stop(
            BudgetSpent(
                "the time for this run is over", field="run_timeout", seen=self._limits.run_timeout, remedy=REMEDY
            )
        )

    # --- the order of things ---------------------------------------------------------------------------------------

    async def _work(self, under_way: Sequence[StoredBatch]) -> None:
        for stored in under_way:
            await self._take_up(stored)
        if self._cancelling:
            for batch in self._under_way.values():
                await self._patience.asked(lambda batch=batch: self._service.cancel(batch.remote_id), batch.remote_id)  # type: ignore[misc]
        pause = 0.0 if self._under_way else self._polling.first
        while True:
            if not self._cancelling and await self._hand_over_what_fits():
                pause = min(pause, self._polling.first)
            if not self._under_way:
                if self.queue and not self._cancelling:
                    raise self._budget.spent(self._render(self._by_key[self.queue[0]]))
                return
            self._report(pause)
            await self._patience.sleep(pause)
            looked_at = list(self._under_way.values())
            for batch in looked_at:
                await self._look(batch)
            if self._under_way and len(self._under_way) < len(looked_at):
                await delete_leftovers(self._service, self._ledger, self._name)
            pause = min(self._polling.most, max(self._polling.first, 1.5 * pause))

    # --- handing over ----------------------------------------------------------------------------------------------

    async def _hand_over_what_fits(self) -> bool:
        made = False
        while self.queue:
            keys, lines = self._next_lot()
            if not keys:
                break
            await self._hand_over(keys, lines)
            made = True
        return made

    def _next_lot(self) -> tuple[list[str], list[bytes]]:
        """As many requests as one batch and the limits take, and room for each taken."""
        keys: list[str] = []
        lines: list[bytes] = []
        size = 0
        while self.queue and len(keys) < self._service.most_requests:
            request = self._render(self._by_key[self.queue[0]])
            line = self._service.line(request)
            if keys and size + len(line) > self._service.most_bytes:
                break
            held = self._budget.try_take(request)
            if held is None:
                break
            self._held[self.queue[0]] = held
            keys.append(self.queue.popleft())
            lines.append(line)
            size += len(line) + 1
        return keys, lines

    def _label(self, keys: Sequence[str]) -> str:
        """The same calls handed over once more are another batch; other studies' labels cannot be the same."""
        said = "\n".join([str(len(self._ledger.batches(only_open=False))), *keys])
        return hmac.new(self._secret, said.encode("utf-8"), hashlib.sha256).hexdigest()[:32]

    async def _hand_over(self, keys: Sequence[str], lines: Sequence[bytes]) -> None:
        self._patience.check()
        label = self._label(keys)
        self._ledger.announce_batch(label, self._name, keys, self._clock.now())
        stored = self._ledger.batches(endpoint=self._name)[-1]
        try:
            file_id = await self._patience.asked(lambda: self._service.upload(lines), "the file of requests")
        except ProviderFailed as problem:
            self._never_made(stored, problem.what)
            raise
        self._ledger.mark_batch(label, "announced", file_id=file_id or None)
        stored = replace(stored, file_id=file_id or None)
        self._begin(stored, await self._create(stored, lines))

    async def _create(self, stored: StoredBatch, lines: Sequence[bytes]) -> RemoteBatch:
        """Start a batch once; where it is not known whether it was started, look for it before trying again."""
        retry = 0
        while True:
            self._patience.check()
            found = await self._service.create(stored.label, stored.file_id or "", lines)
            if isinstance(found, RemoteBatch):
                return found
            kind = found.error_kind or ""
            if kind in _UNSURE:
                await self._patience.sleep(self._polling.listed_after)
                made = await find_batch(self._service, self._ledger, stored, self._patience)
                if isinstance(made, RemoteBatch):
                    return made
                if isinstance(made, RawAnswer):
                    self._close(stored, kind="in_doubt", detail=found.error_detail)
                    raise ProviderFailed(
                        f"it is not known whether a batch of {stored.requests} calls was made",
                        seen=found.error_detail,
                        why="the provider did not answer, and has no list of batches to look in",
                        remedy="look at the provider's own page; running the same command again hands them over anew",
                    )
            elif kind != "rate_limit":
                self._never_made(stored, found.error_detail)
                raise refused(self._name, "a batch", found)
            if retry >= self._limits.retries:
                self._never_made(stored, found.error_detail)
                raise gave_up(kind, retry + 1, found.error_detail or "")
            await self._patience.back_off(retry, found)
            retry += 1

    def _begin(self, stored: StoredBatch, remote: RemoteBatch, words: str = "handed over") -> None:
        self._ledger.mark_batch(stored.label, "submitted", remote_id=remote.remote_id)
        self._under_way[stored.label] = _UnderWay(stored, remote.remote_id, remote.done)
        self._say(
            f"batch {remote.remote_id}: {stored.requests} calls {words}; it may take up to 24 hours, and is looked at every "
            f"{self._polling.first:g} to {self._polling.most:g} s. Ctrl-C is safe: the same command collects it later"
        )

    # --- finding again ---------------------------------------------------------------------------------------------

    async def _take_up(self, stored: StoredBatch) -> None:
        """A batch of an earlier run: go on with it, find it at the provider, or find that it was never made."""
        if stored.remote_id is not None:
            self._under_way[stored.label] = _UnderWay(stored, stored.remote_id)
            self._say(f"batch {stored.remote_id}: {stored.requests} calls are under way since {stored.announced_at}")
            return
        if self._service.has_files and stored.file_id is None:
            self._never_made(stored, "its file was never uploaded")
            return
        announced, now = moment(stored.announced_at), moment(self._clock.now())
        fresh = self._polling.listed_after - ((now or 0.0) - (announced or 0.0))
        if fresh > 0:
            await self._patience.sleep(min(fresh, self._polling.listed_after))
        found = await find_batch(self._service, self._ledger, stored, self._patience)
        if isinstance(found, RemoteBatch):
            self._begin(stored, found, "were handed over before the last run was cut off, and are found again")
        elif found is None:
            self._never_made(stored, "the provider never had it")
        else:
            self._say(
                f"{stored.requests} calls were being handed over when the last run was cut off, and the provider has no list "
                "of batches to look in: they are handed over again, and may be billed twice"
            )
            self._put_back(
                self._close(stored, kind="in_doubt", detail="handed over, perhaps, before a run was cut off")
            )

    def _never_made(self, stored: StoredBatch, detail: str | None) -> None:
        self._put_back(self._close(stored, kind="not_sent", detail=detail))

    def _close(self, stored: StoredBatch, *, kind: str, detail: str | None) -> Collected:
        left = self._service.left_behind(stored, None)
        collector = Collector(self._ledger, stored, self._clock.now)
        return collector.end("failed", kind=kind, detail=detail or kind, left=left)

    def _put_back(self, closed: Collected) -> None:
        for key, _ in closed.errors:
            if (held := self._held.pop(key, None)) is not None:
                self._budget.give_back(held)
            if key in self._by_key:
                self.queue.append(key)

    # --- looking and collecting ------------------------------------------------------------------------------------

    async def _look(self, batch: _UnderWay) -> None:
        self._patience.check()
        found = await self._service.look(batch.remote_id)
        if isinstance(found, RawAnswer) and found.error_kind == "missing":
            if await self._is_gone(batch):
                return
            raise refused(self._name, batch.remote_id, found)
        if isinstance(found, RawAnswer):
            found = await self._patience.asked(lambda: self._service.look(batch.remote_id), batch.remote_id)
        batch.done = found.done
        if found.phase != "working":
            await self._collect(batch, found)

    async def _is_gone(self, batch: _UnderWay) -> bool:
        """Whether the provider, which answers, has the batch no more; its calls are in doubt then."""
        listed = await self._service.listed()
        if isinstance(listed, RawAnswer) or any(remote.remote_id == batch.remote_id for remote in listed):
            return False
        self._say(
            f"batch {batch.remote_id}: the provider has it no more, so that its {batch.stored.requests} calls are asked again, "
            "and may be billed twice"
        )
        del self._under_way[batch.stored.label]
        self._put_back(self._close(batch.stored, kind="in_doubt", detail="the provider has the batch no more"))
        return True

    async def _collect(self, batch: _UnderWay, remote: RemoteBatch) -> None:
        collector = Collector(self._ledger, batch.stored, self._clock.now)

        async def once() -> bool | RawAnswer:
            collector.again()
            return await self._service.rows(remote, collector.take) or True

        await self._patience.asked(once, f"the rows of {batch.remote_id}")
        left = self._service.left_behind(batch.stored, remote)
        collected = collector.end(remote.phase, detail=remote.problem, left=left)
        del self._under_way[batch.stored.label]
        self._tell(batch, remote, collected)
        self._settle(batch, remote, collected)

    def _tell(self, batch: _UnderWay, remote: RemoteBatch, collected: Collected) -> None:
        kinds = Counter(answer.error_kind for _, answer in collected.errors)
        parts = [f"{len(collected.answers)} answered", *(f"{kind} {n}" for kind, n in sorted(kinds.items(), key=str))]
        if collected.unknown:
            parts.append(f"{collected.unknown} rows of requests that are not in it left aside")
        if collected.repeated:
            parts.append(f"{collected.repeated} rows came twice, of which the first counts")
        self._say(f"batch {batch.remote_id} {remote.phase}: {', '.join(parts)}")

    def _settle(self, batch: _UnderWay, remote: RemoteBatch, collected: Collected) -> None:
        """Count what came, put back what may be asked again, and raise what no further batch would mend."""
        problem: JudgekitError | None = None
        for key, answer in collected.answers:
            problem = self._answered_by(key, answer) or problem
        for key, answer in collected.errors:
            problem = self._failed_by(key, answer) or problem
        if remote.phase == "failed":
            problem = ProviderFailed(
                f"batch {batch.remote_id} failed as a whole",
                seen=remote.problem,
                remedy="mend the cause and run the same command again; nothing of it was charged",
            )
        if problem is not None:
            raise problem

    def _answered_by(self, key: str, answer: RawAnswer) -> JudgekitError | None:
        self._release(key, answer)
        self._tally.answer(key, answer)
        endpoint = self._service.endpoint
        endpoint.served = endpoint.served or (answer.served_model, answer.system_fingerprint)
        return changed_judge(endpoint.served, answer)

    def _failed_by(self, key: str, answer: RawAnswer) -> JudgekitError | None:
        kind = answer.error_kind or ""
        # A row that is simply not there may have been worked on, and billed.
        self._release(key, None if kind == "no_row" else answer)
        self._tally.examples.setdefault(kind, answer.error_detail or "")
        if kind in PASSING and key in self._by_key and self._tries[key] < self._limits.retries:
            self._tries[key] += 1
            self._tally.retries += 1
            self.queue.append(key)
            return None
        self._tally.failed[kind] += key in self._by_key
        if kind in STOP_KINDS:
            return unusable(self._name, answer)
        if kind == "cancelled" and not self._cancelling:
            return ProviderFailed("a batch was cancelled at the provider", remedy=REMEDY)
        return None

    def _release(self, key: str, answer: RawAnswer | None) -> None:
        held = self._held.pop(key, None)
        if held is not None:
            self._budget.settle(held, answer)

    def _report(self, pause: float) -> None:
        if self._progress is not None:
            done = sum(batch.done for batch in self._under_way.values())
            self._progress(self._tally.progress(len(self._under_way), done, pause))


def _half(estimate: Estimate) -> Estimate:
    return Estimate(estimate.tokens, estimate.cost * BATCH_PRICE)


def _silent(_message: str) -> None:
    """Nobody is told."""
