"""From a batch's rows to the ledger: each row once, whatever their order, and nothing that was never asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from judgekit.batches.leftovers import note_leftovers
from judgekit.batches.remote import Row
from judgekit.endpoints.base import RawAnswer
from judgekit.endpoints.journal import completed
from judgekit.files.ledger import Ledger
from judgekit.files.ledger_batches import StoredBatch
from judgekit.records import Attempt

__all__ = ["Collected", "Collector"]

BATCH_PRICE = 0.5
"""What a call in a batch costs, as a share of the stated price: both providers charge half."""

_AT_ONCE = 500  # rows in one transaction
_MISSING = {
    "ended": ("no_row", "the batch has ended without a row for this request"),
    "failed": ("batch_failed", "the batch failed as a whole"),
    "expired": ("expired", "the batch expired before it"),
    "cancelled": ("cancelled", "the batch was cancelled before it"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What a batch's rows were: answers stored, errors by request key, and rows that were left aside.

    ``unknown`` rows name no request of the batch; ``repeated`` ones a request that had its row already, of which the first
    counts.
    """

    answers: tuple[tuple[str, RawAnswer], ...]
    errors: tuple[tuple[str, RawAnswer], ...]
    unknown: int
    repeated: int


@dataclass(slots=True)
class Collector:
    """Takes rows as they come and stores them, some hundred at a time.

    Parameters
    ----------
    ledger : Ledger
    batch : StoredBatch
    now : callable
        UTC ISO 8601.
    """

    ledger: Ledger
    batch: StoredBatch
    now: Callable[[], str]
    _members: dict[str, int] = field(init=False)
    _open: set[str] = field(init=False)
    _seen: set[str] = field(default_factory=set)
    _waiting: list[tuple[Attempt, RawAnswer]] = field(default_factory=list)
    _answers: list[tuple[str, RawAnswer]] = field(default_factory=list)
    _errors: list[tuple[str, RawAnswer]] = field(default_factory=list)
    _unknown: int = 0
    _repeated: int = 0

    def __post_init__(self) -> None:
        self._members = self.ledger.calls_of_batch(self.batch.label)
        self._open = set(self.ledger.waiting_in_batches(self._members))

    def knows(self, key: str) -> bool:
        """Whether the batch holds this request."""
        return key in self._members

    def take(self, row: Row) -> None:
        """One row. Rows that an interrupted collection stored before are passed over."""
        if row.key not in self._members:
            self._unknown += 1
            return
        if row.key in self._seen:
            self._repeated += 1
            return
        self._seen.add(row.key)
        if row.key in self._open:
            self._store(row.key, row.answer)

    def _store(self, key: str, answer: RawAnswer) -> None:
        if answer.cost is not None:
            answer = replace(answer, cost=answer.cost * BATCH_PRICE)
        sent = self.batch.announced_at
        attempt = Attempt(request_key=key, n=self._members[key], intent_at=sent, sent_at=sent)
        self._open.discard(key)
        self._waiting.append((attempt, answer))
        if len(self._waiting) >= _AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Store what waits, in one transaction."""
        waiting, self._waiting = self._waiting, []
        with self.ledger.batch():
            for attempt, answer in waiting:
                done = completed(attempt, answer, self.now())
                if done.raw is None:
                    self.ledger.failed(done)
                else:
                    self.ledger.received(done)
        for attempt, answer in waiting:
            kept = self._answers if answer.error_kind is None else self._errors
            # The text is on disk; what is said of it is all that the run still needs.
            kept.append((attempt.request_key, replace(answer, raw=None)))

    def again(self) -> None:
        """The rows are to be read from the beginning; what is stored stays so."""
        self.flush()
        self._seen.clear()
        self._unknown = self._repeated = 0

    def end(
        self, phase: str, *, kind: str | None = None, detail: str | None = None, left: Sequence[str] = ()
    ) -> Collected:
        """Close the batch: requests without a row get the kind of error that its end stands for.

        Parameters
        ----------
        phase : str
            How the batch ended; see `judgekit.batches.remote.RemoteBatch`.
        kind, detail : str, optional
            Another kind of error and what to say, for a batch that was never made or is gone.
        left : sequence of str
            What is to be deleted at the provider, written down together with the end.
        """
        missing, words = _MISSING.get(phase, _MISSING["ended"])
        lacking = [key for key in self._members if key in self._open]
        with self.ledger.batch():
            for key in lacking:
                self._store(key, RawAnswer(raw=None, error_kind=kind or missing, error_detail=detail or words))
            self.flush()
            never = kind == "not_sent"
            self.ledger.mark_batch(self.batch.label, "dropped" if never else "collected", detail=detail)
            note_leftovers(self.ledger, self.batch.label, left)
        return Collected(
            answers=tuple(self._answers),
            errors=tuple(self._errors),
            unknown=self._unknown,
            repeated=self._repeated,
        )
