"""Waiting for a provider: pauses that a stop ends at once, and questions that are asked until they are answered."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from judgekit.endpoints.base import RawAnswer
from judgekit.endpoints.faults import RETRYABLE_KINDS, STOP_KINDS, gave_up, unusable
from judgekit.endpoints.limits import Clock, Limits, backoff
from judgekit.errors import JudgekitError, ProviderFailed

__all__ = ["REMEDY", "Patience", "Polling", "refused"]

REMEDY = "run the same command again; it goes on where it stopped, and collects what is under way at the provider"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Polling:
    """How often a batch is asked for.

    Parameters
    ----------
    first, most : float
        Seconds to the first look, and between looks at most; the pause grows by half each time.
    listed_after : float
        Seconds after which a provider's list can be trusted to show a batch just made.
    faults : int
        Looks that may fail one after another.

    Examples
    --------
    >>> Polling(first=1.0).most
    60.0
    """

    first: float = 2.0
    most: float = 60.0
    listed_after: float = 10.0
    faults: int = 20


def refused(judge: str, what: str, answer: RawAnswer) -> ProviderFailed:
    """The provider would not do it, and would not do it another time.

    Parameters
    ----------
    judge, what : str
        Who was asked for what.
    answer : RawAnswer
        What it said.
    """
    if answer.error_kind in STOP_KINDS and answer.error_kind != "missing":
        return unusable(judge, answer)
    return ProviderFailed(
        f"{judge} refuses {what} ({answer.error_kind})",
        seen=answer.error_detail,
        why="it has no batches at this address, or not for this model" if answer.error_kind == "missing" else None,
        remedy="mend the cause and run the same command again, or leave batches out",
    )


class Patience:
    """How a run waits and asks, until it is stopped.

    Parameters
    ----------
    judge : str
        Provider, model and host.
    limits, clock, polling, rng
        As for `judgekit.batches.run.run_batches`.
    """

    def __init__(self, judge: str, limits: Limits, clock: Clock, polling: Polling, rng: random.Random) -> None:
        self.judge, self.limits, self.clock, self.polling, self._rng = judge, limits, clock, polling, rng
        self._stop = asyncio.Event()
        self.stopped_by: JudgekitError | None = None

    def stop(self, problem: JudgekitError) -> None:
        """End every pause, now and later; the first problem counts."""
        if self.stopped_by is None:
            self.stopped_by = problem
            self._stop.set()

    def check(self) -> None:
        """Raise what the run was stopped by."""
        if self.stopped_by is not None:
            raise self.stopped_by

    async def sleep(self, seconds: float) -> None:
        """Wait, or raise what the run is stopped by meanwhile."""
        waits = [asyncio.ensure_future(self.clock.sleep(seconds)), asyncio.ensure_future(self._stop.wait())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        self.check()

    async def back_off(self, retry: int, answer: RawAnswer) -> None:
        """Wait before a retry, as long as was asked for and a little more."""
        await self.sleep((answer.retry_after or 0.0) + backoff(min(retry, 10), self.limits, self._rng))

    async def asked(self, what: Callable[[], Awaitable[_T | RawAnswer]], name: str) -> _T:
        """Ask for something that may be asked for twice, until it is there.

        Parameters
        ----------
        what : callable
            Asks once; a `RawAnswer` is the kind of error that came instead.
        name : str
            What is asked for, in words.

        Raises
        ------
        ProviderFailed
            It was refused, or did not come in as many attempts as ``polling.faults``.
        Unfinished
            The run was stopped.
        """
        faults = 0
        while True:
            self.check()
            found = await what()
            if not isinstance(found, RawAnswer):
                return found
            if found.error_kind not in RETRYABLE_KINDS:
                raise refused(self.judge, name, found)
            faults += 1
            if faults >= self.polling.faults:
                raise gave_up(found.error_kind or "", faults, found.error_detail or "")
            await self.back_off(faults, found)
