"""Group commit: what many workers write within one turn of the event loop becomes one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from judgekit.endpoints.base import RawAnswer
from judgekit.errors import JudgekitError
from judgekit.files.ledger import Ledger
from judgekit.records import Attempt

__all__ = ["Journal", "completed"]


def completed(attempt: Attempt, answer: RawAnswer, at: str) -> Attempt:
    """An attempt with what came of it, an answer or the kind of an error, received at ``at`` (UTC ISO 8601).

    Examples
    --------
    >>> completed(Attempt(request_key="k", n=1, intent_at="t"), RawAnswer(raw="{}"), "u").raw
    '{}'
    """
    return replace(
        attempt,
        received_at=at,
        status=answer.status,
        raw=None if answer.error_kind is not None else answer.raw or "",
        finish_reason=answer.finish_reason,
        served_model=answer.served_model,
        system_fingerprint=answer.system_fingerprint,
        usage=answer.usage,
        cost=answer.cost,
        error_kind=answer.error_kind,
        error_detail=answer.error_detail,
        logprobs=answer.logprobs,
    )


class Journal:
    """Intents and answers on their way to the ledger.

    While a commit waits for the disk, more answers arrive; they make up the next transaction. A slow disk therefore
    makes larger batches, not a slower run, and nobody is told that something is stored before it is.

    Parameters
    ----------
    ledger : Ledger
        Open for writing.
    failed : callable
        Told when the ledger cannot be written; answers that could not be stored are kept and tried again.
    """

    def __init__(self, ledger: Ledger, failed: Callable[[JudgekitError], None]) -> None:
        self._ledger = ledger
        self._failed = failed
        self._intents: list[tuple[str, str, asyncio.Future[int | None]]] = []
        self._completed: list[tuple[Attempt, Callable[[], None]]] = []
        self._scheduled = False

    @property
    def unstored(self) -> int:
        """Answers and errors that are not on disk yet."""
        return len(self._completed)

    async def intent(self, request_key: str, now: str) -> int | None:
        """Write down that a call is about to be sent; returns its attempt number when that is on disk.

        Returns
        -------
        int or None
            None when it could not be written: do not send.
        """
        future: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self._intents.append((request_key, now, future))
        self._schedule()
        return await future

    def completed(self, attempt: Attempt, stored: Callable[[], None]) -> None:
        """Write down an answer or an error; ``stored`` is called when it is on disk."""
        self._completed.append((attempt, stored))
        self._schedule()

    def _schedule(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            # Runs after everything that is ready in this turn of the loop, so that it all goes into one commit.
            asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Store everything that waits, in one transaction."""
        self._scheduled = False
        intents, completed = self._intents, self._completed
        self._intents, self._completed = [], []
        if not intents and not completed:
            return
        try:
            numbers = self._store(intents, completed)
        except JudgekitError as problem:
            self._completed = completed + self._completed
            for _, _, future in intents:
                _resolve(future, None)
            self._failed(problem)
            return
        for _, stored in completed:
            stored()
        for (_, _, future), number in zip(intents, numbers, strict=True):
            _resolve(future, number)

    def _store(
        self,
        intents: list[tuple[str, str, asyncio.Future[int | None]]],
        completed: list[tuple[Attempt, Callable[[], None]]],
    ) -> list[int]:
        with self._ledger.batch():
            for attempt, _ in completed:
                if attempt.raw is None:
                    self._ledger.failed(attempt)
                else:
                    self._ledger.received(attempt)
            return [self._ledger.intent(key, now) for key, now, _ in intents]


def _resolve(future: asyncio.Future[int | None], value: int | None) -> None:
    if not future.done():
        future.set_result(value)
