"""What a run of batches has come to: answers, failures, cost, and how far it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from judgekit.endpoints.base import RawAnswer
from judgekit.endpoints.faults import RETRYABLE_KINDS
from judgekit.endpoints.limits import Clock, tokens_of
from judgekit.endpoints.progress import Progress, RunSummary

__all__ = ["PASSING", "Tally"]

PASSING = RETRYABLE_KINDS | {"expired", "no_row"}
"""Errors of a row that may pass: its request goes into another batch."""


@dataclass(slots=True)
class Tally:
    """Counts of one run.

    Parameters
    ----------
    keys : collection of str
        Request keys of the run; batches may hold those of others, which are stored and not counted.
    earlier : int
        Answered before.
    clock : Clock
    """

    keys: Collection[str]
    earlier: int
    clock: Clock
    answered: int = 0
    retries: int = 0
    tokens: int = 0
    cost: float = 0.0
    failed: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    _started: float = field(init=False)

    def __post_init__(self) -> None:
        self._started = self.clock.monotonic()

    def add(self, summary: RunSummary) -> None:
        """Count calls that went out by themselves."""
        self.answered += summary.answered
        self.retries += summary.retries
        self.tokens += summary.tokens
        self.cost += summary.cost
        self.failed.update(summary.failed)
        self.examples.update(summary.examples)

    def answer(self, key: str, answer: RawAnswer) -> None:
        """Count an answer."""
        self.answered += key in self.keys
        self.tokens += tokens_of(answer)
        self.cost += answer.cost or 0.0

    @property
    def all_passing(self) -> bool:
        """Whether nothing was answered, and all that failed might pass: the judge does not answer."""
        return bool(self.failed) and not self.answered and PASSING.issuperset(self.failed)

    def kept(self) -> str:
        """How many answers there are, in words."""
        return f"{self.earlier + self.answered} of {len(self.keys)} answers are in the ledger"

    def progress(self, under_way: int, done: int, pause: float) -> Progress:
        """How far the run is.

        Parameters
        ----------
        under_way, done : int
            Batches at the provider, and rows of them that are worked on.
        pause : float
            Seconds to the next look.
        """
        failed, total = self.failed.total(), len(self.keys)
        worked = self.answered + failed + done
        passed = self.clock.monotonic() - self._started
        rate = worked / passed if passed > 0 else 0.0
        return Progress(
            done=min(self.earlier + worked, total),
            total=total,
            failed=failed,
            rate=rate,
            seconds_left=max(total - self.earlier - worked, 0) / rate if rate else None,
            cost=self.cost,
            retries=self.retries,
            note=f"{under_way} at the provider, next look in {pause:.0f} s" if under_way else "",
        )

    def summary(self, *, requests: int, in_doubt: tuple[str, ...], skipped: int) -> RunSummary:
        """The counts of a run that came to its end."""
        return RunSummary(
            total=len(self.keys),
            earlier=self.earlier,
            answered=self.answered,
            failed=dict(sorted(self.failed.items())),
            skipped=skipped,
            in_doubt=in_doubt,
            requests=requests,
            retries=self.retries,
            tokens=self.tokens,
            cost=self.cost,
            seconds=self.clock.monotonic() - self._started,
            examples=dict(sorted(self.examples.items())),
        )
