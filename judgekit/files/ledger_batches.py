"""The ledger's batches: which calls were handed over together, under which label, and what the provider calls them.

A batch is written down before anything is sent, with an intent for each of its calls. Its label goes along to the
provider, so that a batch that was submitted a moment before a kill is found again there instead of paid for twice.
"""

# ruff: noqa: S608 - statements are put together from our own constants; every value is a parameter

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from judgekit.errors import BadInput
from judgekit.files.ledger_database import BATCH, LedgerDatabase, chunks
from judgekit.files.ledger_schema import from_db, to_db

__all__ = ["LedgerBatches", "StoredBatch"]

State = Literal["announced", "submitted", "collected", "dropped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredBatch:
    """A batch as the ledger knows it.

    ``announced``: written down, perhaps sent. ``submitted``: the provider has given it ``remote_id``. ``collected``: all
    that came of it is stored. ``dropped``: the provider never had it. ``file_id`` is the file that was uploaded for it.
    """

    label: str
    endpoint: str
    announced_at: str
    requests: int
    file_id: str | None
    remote_id: str | None
    state: State


_COLUMNS = "label, endpoint, announced_at, requests, file_id, remote_id, state"
_OPEN = "batches.state IN ('announced', 'submitted')"


class LedgerBatches(LedgerDatabase):
    """What a `judgekit.files.ledger.Ledger` knows of batches."""

    def _has_batches(self) -> bool:
        """False for a ledger of an earlier version that is open for reading only."""
        sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'batch_calls'"
        return self._connection.execute(sql).fetchone() is not None

    def _in_no_open_batch(self) -> str:
        """A condition on ``attempts``: they do not wait in a batch."""
        if not self._has_batches():
            return "true"
        return (
            "NOT EXISTS (SELECT 1 FROM batch_calls JOIN batches ON batches.id = batch_calls.batch_id WHERE"
            f" batch_calls.call_id = attempts.call_id AND batch_calls.n = attempts.n AND {_OPEN})"
        )

    def announce_batch(self, label: str, endpoint: str, keys: Sequence[str], now: str) -> None:
        """Write down that these calls are about to be handed over together; all of it or nothing.

        Parameters
        ----------
        label : str
            Goes along to the provider; never used before.
        endpoint : str
            Provider, model and host.
        keys : sequence of str
            Request keys of calls that the ledger holds, without answer and in no open batch.
        now : str
            UTC ISO 8601.

        Raises
        ------
        BadInput
            A call is unknown, answered, or waits in a batch already: it would be paid twice.
        """
        with self.batch():
            made = self._connection.execute(
                "INSERT INTO batches (label, endpoint, announced_at, requests) VALUES (?, ?, ?, ?)",
                (label, to_db(endpoint), now, len(keys)),
            ).lastrowid
            if self.waiting_in_batches(keys):
                raise BadInput("a call waits in a batch already", path=self.path, seen=label)
            for chunk in chunks(keys, BATCH):
                rows = [(now, key) for key in chunk]
                announced = self._many(
                    "INSERT INTO attempts (call_id, n, intent_at) SELECT id, (SELECT coalesce(max(n), 0) + 1 FROM"
                    " attempts WHERE call_id = calls.id), ? FROM calls WHERE request_key = ? AND body IS NOT NULL AND"
                    " NOT EXISTS (SELECT 1 FROM attempts WHERE call_id = calls.id AND raw IS NOT NULL)",
                    rows,
                )
                if announced != len(rows):
                    raise BadInput(
                        "a call is not in the ledger, or has its answer already",
                        path=self.path,
                        seen=f"{len(rows) - announced} of {len(rows)}",
                        why="a call is written down before it is sent, and sent no more once it is answered",
                    )
                self._many(
                    "INSERT INTO batch_calls (batch_id, call_id, n) SELECT ?, id, (SELECT max(n) FROM attempts WHERE"
                    " call_id = calls.id) FROM calls WHERE request_key = ?",
                    [(made, key) for key in chunk],
                )

    def mark_batch(
        self,
        label: str,
        state: State,
        *,
        file_id: str | None = None,
        remote_id: str | None = None,
        detail: str | None = None,
    ) -> None:
        """Write down how far a batch is; what is None stays as it was."""
        with self.batch():
            self._connection.execute(
                "UPDATE batches SET state = ?, file_id = coalesce(?, file_id), remote_id = coalesce(?, remote_id),"
                " detail = coalesce(?, detail) WHERE label = ?",
                (state, to_db(file_id), to_db(remote_id), to_db(detail), label),
            )

    def batches(self, *, endpoint: str | None = None, only_open: bool = True) -> list[StoredBatch]:
        """Batches in the order of their announcement.

        Parameters
        ----------
        endpoint : str, optional
            Only this judge's.
        only_open : bool
            Only those that wait to be collected.
        """
        if not self._has_batches():
            return []
        with self._explained():
            rows = self._connection.execute(
                f"SELECT {_COLUMNS} FROM batches WHERE ({_OPEN} OR NOT ?) AND (? IS NULL OR endpoint = ?) ORDER BY id",
                (only_open, to_db(endpoint), to_db(endpoint)),
            ).fetchall()
        return [
            StoredBatch(
                label=row[0],
                endpoint=from_db(row[1]) or "",
                announced_at=row[2],
                requests=row[3],
                file_id=from_db(row[4]),
                remote_id=from_db(row[5]),
                state=row[6],
            )
            for row in rows
        ]

    def calls_of_batch(self, label: str) -> dict[str, int]:
        """Request keys of a batch and the number of the attempt that each makes in it, in the order announced."""
        with self._explained():
            rows = self._connection.execute(
                "SELECT calls.request_key, batch_calls.n FROM batch_calls JOIN calls ON calls.id = batch_calls.call_id"
                " JOIN batches ON batches.id = batch_calls.batch_id WHERE batches.label = ? ORDER BY calls.id",
                (label,),
            ).fetchall()
        return {str(key): int(n) for key, n in rows}

    def waiting_in_batches(self, keys: Iterable[str]) -> list[str]:
        """Which of these calls wait in a batch that is not collected yet: sent now, they would be paid twice."""
        if not self._has_batches():
            return []
        sql = (
            "SELECT DISTINCT calls.request_key FROM calls JOIN batch_calls ON batch_calls.call_id = calls.id JOIN batches"
            f" ON batches.id = batch_calls.batch_id JOIN attempts ON attempts.call_id = batch_calls.call_id AND"
            f" attempts.n = batch_calls.n WHERE {_OPEN} AND attempts.raw IS NULL AND attempts.error_kind IS NULL AND"
            " calls.request_key IN"
        )
        found = {row[0] for row in self._by_key(sql, dict.fromkeys(keys))}
        return [key for key in dict.fromkeys(keys) if key in found] if found else []

    def answered_in_batches(self, keys: Iterable[str]) -> set[str]:
        """Which of these calls have an answer that came in a batch: how long it took says nothing of a single call."""
        if not self._has_batches():
            return set()
        sql = (
            "SELECT calls.request_key FROM calls JOIN attempts ON attempts.call_id = calls.id JOIN batch_calls ON"
            " batch_calls.call_id = attempts.call_id AND batch_calls.n = attempts.n WHERE attempts.raw IS NOT NULL AND"
            " calls.request_key IN"
        )
        return {str(row[0]) for row in self._by_key(sql, keys)}
