"""The ledger: one SQLite file per study that loses no answer and pays for none twice.

A call is written down as an intent before it is sent, and its raw answer is on disk before anything reads it. After a
kill at any moment every received answer is there; only calls in flight can have been paid for without an answer, and
`Ledger.in_doubt` lists them. Judgments are read from raw answers, so a changed parser costs nothing.
"""

# ruff: noqa: S608 - statements are put together from our own constants; every value is a parameter

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from judgekit.errors import BadInput
from judgekit.files.ledger_batches import LedgerBatches
from judgekit.files.ledger_database import BATCH, chunks
from judgekit.files.ledger_logprobs import LedgerLogprobs
from judgekit.files.ledger_schema import (
    ATTEMPT_COLUMNS,
    JUDGMENT_COLUMNS,
    TASK_COLUMNS,
    attempt_from_row,
    attempt_to_row,
    call_from_row,
    call_to_row,
    from_db,
    judgment_from_row,
    judgment_to_row,
    task_from_row,
    task_to_row,
    to_db,
)
from judgekit.records import Attempt, Call, Judgment, Task

__all__ = ["FINAL_KINDS", "Ledger"]

FINAL_KINDS = frozenset({"bad_request", "context_length", "crashed", "not_recorded"})
"""Errors that the same request would meet again: not retried unless asked."""

_ORDER = (
    "tasks.judge, tasks.rubric_hash, tasks.arm, tasks.item, tasks.pair_id, tasks.shown_order, tasks.repeat, "
    "calls.request_key"
)
_TASK_ID = (
    "SELECT tasks.id FROM tasks JOIN calls ON calls.id = tasks.call_id WHERE tasks.item = ? AND tasks.judge = ? AND "
    "tasks.rubric_hash = ? AND tasks.arm = ? AND tasks.pair_id = ? AND tasks.shown_order = ? AND tasks.repeat = ? AND "
    "calls.request_key = ?"
)


class Ledger(LedgerBatches, LedgerLogprobs):
    """Tasks, calls, attempts and judgments of one study. Make one with `Ledger.open`.

    Every writing method is durable when it returns; inside `batch` it is durable when the batch ends.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "ledger.sqlite") as ledger:
    ...     ledger.add_tasks([Task(item="r1", rubric_hash="0", judge="j", request_key="k")])
    ...     ledger.pending(["k"])
    ['k']
    """

    # --- notes -----------------------------------------------------------------------------------------------------

    def note(self, key: str, value: str) -> None:
        """Keep a fact about the study, such as the last seal's hash, where the owner of the other file is not.

        Raises
        ------
        BadInput
            The key is the ledger's own.
        """
        if key == "schema_version":
            raise BadInput("this key is the ledger's own", field="key", seen=key, remedy="choose another")
        with self.batch():
            self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (to_db(key), to_db(value)))

    def noted(self, key: str) -> str | None:
        """The fact that `note` kept; None when there is none."""
        with self._explained():
            row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (to_db(key),)).fetchone()
        return None if row is None else from_db(row[0])

    # --- what is to be judged --------------------------------------------------------------------------------------

    def add_tasks(self, tasks: Iterable[Task]) -> None:
        """Write down what is to be judged; writing the same task again changes nothing.

        A task that is there under another request key (its text, prompt or judge settings changed) is superseded: it
        stays in the ledger, and `tasks` and `judgments` give the new one.
        """
        for chunk in chunks(tasks, BATCH):
            rows = [(*task_to_row(task), task.request_key) for task in chunk]
            with self.batch():
                self._many("INSERT OR IGNORE INTO calls (request_key) VALUES (?)", [(row[-1],) for row in rows])
                self._many(
                    "INSERT INTO tasks (item, judge, rubric_hash, arm, pair_id, shown_order, repeat, arm_kind, call_id)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM calls WHERE request_key = ?))"
                    " ON CONFLICT DO UPDATE SET current = 1 WHERE current = 0",
                    rows,
                )
                self._many(
                    "UPDATE tasks SET current = 0 WHERE item = ? AND judge = ? AND rubric_hash = ? AND arm = ? AND"
                    " pair_id = ? AND shown_order = ? AND repeat = ? AND current = 1 AND"
                    " call_id <> (SELECT id FROM calls WHERE request_key = ?)",
                    [(*row[:7], row[8]) for row in rows],
                )

    def add_calls(self, calls: Iterable[Call]) -> None:
        """Write down the requests; the same request again changes nothing. Bodies hold no nonce and no key."""
        for chunk in chunks(calls, BATCH):
            with self.batch():
                self._many(
                    "INSERT INTO calls (request_key, endpoint, body, text_hashes, shown_order, repeat, fingerprint)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (request_key) DO UPDATE SET endpoint = excluded.endpoint,"
                    " body = excluded.body, text_hashes = excluded.text_hashes, shown_order = excluded.shown_order,"
                    " repeat = excluded.repeat, fingerprint = excluded.fingerprint WHERE body IS NULL",
                    [call_to_row(call) for call in chunk],
                )

    def tasks(self, *, judge: str | None = None, superseded: bool = False) -> Iterator[Task]:
        """The tasks in a fixed order (judge, rubric, arm, item, ...), read a few thousand at a time.

        Parameters
        ----------
        judge : str, optional
            Only this judge's.
        superseded : bool
            Also those that a later `add_tasks` replaced.
        """
        where, values = _conditions([("tasks.judge = ?", to_db(judge))], superseded=superseded)
        sql = f"SELECT {TASK_COLUMNS} FROM tasks JOIN calls ON calls.id = tasks.call_id {where} ORDER BY {_ORDER}"
        for row in self._stream(sql, values):
            yield task_from_row(row)

    def calls(self, keys: Iterable[str]) -> Iterator[Call]:
        """The stored requests of these keys, in no particular order; unknown keys are left out."""
        columns = "request_key, endpoint, body, text_hashes, shown_order, repeat, fingerprint"
        for row in self._by_key(f"SELECT {columns} FROM calls WHERE body IS NOT NULL AND request_key IN", keys):
            yield call_from_row(row)

    def judges_asked(self) -> list[Call]:
        """One call for each judge (endpoint and settings) that the ledger holds requests to, by endpoint."""
        with self._explained():
            rows = self._connection.execute(
                "SELECT min(request_key) FROM calls WHERE body IS NOT NULL GROUP BY endpoint,"
                " json_extract(body, '$.parameters')"
            ).fetchall()
        return sorted(self.calls(row[0] for row in rows), key=lambda call: (call.endpoint, call.request_key))

    # --- attempts --------------------------------------------------------------------------------------------------

    def intent(self, request_key: str, now: str) -> int:
        """Write down that a call is about to be sent.

        Parameters
        ----------
        request_key : str
            A key that `add_calls` knows.
        now : str
            UTC ISO 8601.

        Returns
        -------
        int
            The attempt's number, from 1.

        Raises
        ------
        BadInput
            The call is unknown or has its answer already: it would be paid twice.
        """
        with self.batch():
            found = self._connection.execute(
                "SELECT id, (SELECT coalesce(max(n), 0) FROM attempts WHERE call_id = calls.id),"
                " EXISTS (SELECT 1 FROM attempts WHERE call_id = calls.id AND raw IS NOT NULL)"
                " FROM calls WHERE request_key = ? AND body IS NOT NULL",
                (request_key,),
            ).fetchone()
            if found is None or found[2]:
                raise BadInput(
                    "this call is not in the ledger" if found is None else "this call has its answer already",
                    path=self.path,
                    seen=request_key,
                    why="a call is written down before it is sent, and sent no more once it is answered",
                )
            number = int(found[1]) + 1
            self._connection.execute(
                "INSERT INTO attempts (call_id, n, intent_at) VALUES (?, ?, ?)", (found[0], number, now)
            )
        return number

    def received(self, attempt: Attempt) -> None:
        """Store a raw answer, before anything parses it.

        Raises
        ------
        BadInput
            The attempt has no intent or is complete already.
        """
        if attempt.raw is None or attempt.error_kind is not None:
            raise BadInput("an answer needs its raw text and no error kind", seen=attempt.error_kind)
        self._complete(attempt)

    def failed(self, attempt: Attempt) -> None:
        """Store the kind of error that came instead of an answer.

        Raises
        ------
        BadInput
            The attempt has no intent or is complete already.
        """
        if attempt.error_kind is None or attempt.raw is not None:
            raise BadInput("a failed attempt needs an error kind and has no raw text", seen=attempt.error_kind)
        self._complete(attempt)

    def _complete(self, attempt: Attempt) -> None:
        with self.batch():
            changed = self._connection.execute(
                "UPDATE attempts SET sent_at = ?, received_at = ?, status = ?, raw = ?, finish_reason = ?,"
                " served_model = ?, system_fingerprint = ?, usage = ?, cost = ?, error_kind = ?, error_detail = ?,"
                " logprobs = ? WHERE call_id = (SELECT id FROM calls WHERE request_key = ?) AND n = ?"
                " AND raw IS NULL AND error_kind IS NULL",
                (*attempt_to_row(attempt), attempt.request_key, attempt.n),
            ).rowcount
            if changed != 1:
                raise BadInput(
                    "this attempt is not open",
                    path=self.path,
                    seen=f"{attempt.request_key} attempt {attempt.n}",
                    why="an attempt is completed once, after its intent",
                )

    def answered(self, keys: Iterable[str]) -> dict[str, Attempt]:
        """The attempt with the raw answer, for each of these calls that has one."""
        sql = f"SELECT {ATTEMPT_COLUMNS} FROM calls JOIN attempts ON attempts.call_id = calls.id"
        rows = self._by_key(f"{sql} WHERE attempts.raw IS NOT NULL AND calls.request_key IN", keys)
        return {row[0]: attempt_from_row(row) for row in rows}

    def latest(self, keys: Iterable[str]) -> dict[str, Attempt]:
        """The last attempt of each of these calls that was ever tried, whatever became of it."""
        sql = (
            f"SELECT {ATTEMPT_COLUMNS} FROM calls JOIN attempts ON attempts.call_id = calls.id WHERE attempts.n ="
            " (SELECT max(n) FROM attempts AS other WHERE other.call_id = calls.id) AND calls.request_key IN"
        )
        return {row[0]: attempt_from_row(row) for row in self._by_key(sql, keys)}

    def final_failures(self, keys: Iterable[str]) -> dict[str, Attempt]:
        """Calls whose last attempt met an error that the same request would meet again (`FINAL_KINDS`)."""
        return {key: last for key, last in self.latest(keys).items() if last.error_kind in FINAL_KINDS}

    def pending(self, keys: Iterable[str], *, retry_final: bool = False) -> list[str]:
        """Which of these calls are still to be sent, in the order given, each once.

        Parameters
        ----------
        keys : iterable of str
            Request keys.
        retry_final : bool
            Also those that failed for good.
        """
        result: list[str] = []
        sql = (
            "SELECT calls.request_key, attempts.raw IS NOT NULL, attempts.error_kind FROM calls JOIN attempts ON"
            " attempts.call_id = calls.id WHERE attempts.n = (SELECT max(n) FROM attempts AS other WHERE"
            " other.call_id = calls.id) AND calls.request_key IN"
        )
        for chunk in chunks(dict.fromkeys(keys), BATCH):
            done = {
                key
                for key, has_raw, kind in self._by_key(sql, chunk)
                if has_raw or (kind in FINAL_KINDS and not retry_final)
            }
            result.extend(key for key in chunk if key not in done)
        return result

    def first_received(self) -> str | None:
        """When the first answer of the study arrived (UTC ISO 8601); None when none has."""
        with self._explained():
            row = self._connection.execute("SELECT MIN(received_at) FROM attempts WHERE raw IS NOT NULL").fetchone()
        return None if row is None or row[0] is None else str(row[0])

    def last_received(self) -> str | None:
        """When the newest answer of the study arrived (UTC ISO 8601); None when none has."""
        with self._explained():
            row = self._connection.execute("SELECT MAX(received_at) FROM attempts WHERE raw IS NOT NULL").fetchone()
        return None if row is None or row[0] is None else str(row[0])

    def in_doubt(self) -> list[Attempt]:
        """Attempts that were announced and have neither answer nor error: in flight when a run was cut off.

        The far side may have done (and billed) them. The next run closes them and sends their calls again. Calls that
        wait in a batch are not in doubt.
        """
        with self._explained():
            rows = self._connection.execute(
                f"SELECT {ATTEMPT_COLUMNS} FROM attempts JOIN calls ON calls.id = attempts.call_id WHERE attempts.raw IS"
                f" NULL AND attempts.error_kind IS NULL AND {self._in_no_open_batch()}"
                " ORDER BY calls.request_key, attempts.n"
            ).fetchall()
        return [attempt_from_row(row) for row in rows]

    def close_in_doubt(self) -> list[Attempt]:
        """Mark the attempts of `in_doubt` with the error kind ``in_doubt`` and return them as they were."""
        open_attempts = self.in_doubt()
        if open_attempts:
            with self.batch():
                self._connection.execute(
                    "UPDATE attempts SET error_kind = 'in_doubt' WHERE raw IS NULL AND error_kind IS NULL AND "
                    + self._in_no_open_batch()
                )
        return open_attempts

    def asked_again(self) -> list[str]:
        """Request keys of calls that were in flight when some earlier run was cut off, each once for every such time."""
        with self._explained():
            rows = self._connection.execute(
                "SELECT calls.request_key FROM attempts JOIN calls ON calls.id = attempts.call_id"
                " WHERE attempts.error_kind = 'in_doubt' ORDER BY attempts.intent_at, calls.request_key"
            ).fetchall()
        return [str(row[0]) for row in rows]

    # --- judgments -------------------------------------------------------------------------------------------------

    def record_judgments(self, judgments: Iterable[Judgment]) -> None:
        """Store what the parser read; the same task, dimension and parser version again replaces its outcome.

        Raises
        ------
        BadInput
            A judgment of a task that is not in the ledger.
        """
        for chunk in chunks(judgments, BATCH):
            rows = []
            for judgment in chunk:
                identity = task_to_row(judgment.task)[:7]
                rows.append((*judgment_to_row(judgment), *identity, judgment.task.request_key))
            with self.batch():
                changed = self._many(
                    "INSERT INTO judgments (dimension, parser_version, text_hash, fingerprint, score_kind, outcome,"
                    f" reason, task_id) SELECT ?, ?, ?, ?, ?, ?, ?, id FROM ({_TASK_ID}) WHERE true"
                    " ON CONFLICT DO UPDATE SET text_hash = excluded.text_hash, fingerprint = excluded.fingerprint,"
                    " score_kind = excluded.score_kind, outcome = excluded.outcome, reason = excluded.reason",
                    rows,
                )
                if changed != len(rows):
                    raise BadInput(
                        "a judgment belongs to a task that is not in the ledger",
                        path=self.path,
                        seen=f"{len(rows) - changed} of {len(rows)}",
                        remedy="add the tasks first",
                    )

    def iter_judgments(
        self,
        *,
        judge: str | None = None,
        rubric_hash: str | None = None,
        parser_version: str | None = None,
        arm_kinds: Collection[str] | None = None,
        items: Collection[str] | None = None,
        superseded: bool = False,
    ) -> Iterator[Judgment]:
        """The same as `judgments`, a few thousand at a time."""
        where, values = _conditions(
            [
                ("tasks.judge = ?", to_db(judge)),
                ("tasks.rubric_hash = ?", rubric_hash),
                ("judgments.parser_version = ?", parser_version),
            ],
            superseded=superseded,
            arm_kinds=arm_kinds,
            items=items is not None,
        )
        sql = (
            f"SELECT {JUDGMENT_COLUMNS} FROM judgments JOIN tasks ON tasks.id = judgments.task_id"
            f" JOIN calls ON calls.id = tasks.call_id {where}"
            f" ORDER BY {_ORDER}, judgments.dimension, judgments.parser_version"
        )
        for row in self._stream(sql, values, items=items):
            yield judgment_from_row(row)

    def judgments(
        self,
        judge: str | None = None,
        rubric_hash: str | None = None,
        parser_version: str | None = None,
        arm_kinds: Collection[str] | None = None,
        items: Collection[str] | None = None,
        *,
        superseded: bool = False,
    ) -> list[Judgment]:
        """Judgments in an order that does not depend on when they were made: judge, rubric, arm, item, ... dimension.

        Parameters
        ----------
        judge, rubric_hash, parser_version : str, optional
            Only these.
        arm_kinds, items : collection of str, optional
            Only these; an empty collection gives nothing.
        superseded : bool
            Also judgments of tasks that a later `add_tasks` replaced (other text, prompt or settings).

        Returns
        -------
        list of Judgment
            Failures are in it as `Unscored`.
        """
        return list(
            self.iter_judgments(
                judge=judge,
                rubric_hash=rubric_hash,
                parser_version=parser_version,
                arm_kinds=arm_kinds,
                items=items,
                superseded=superseded,
            )
        )


def _conditions(
    given: list[tuple[str, Any]], *, superseded: bool, arm_kinds: Collection[str] | None = None, items: bool = False
) -> tuple[str, list[Any]]:
    parts = [sql for sql, value in given if value is not None]
    values = [value for _, value in given if value is not None]
    if not superseded:
        parts.append("tasks.current = 1")
    if arm_kinds is not None:
        kinds = sorted(arm_kinds)
        parts.append(f"tasks.arm_kind IN ({','.join('?' * len(kinds))})")
        values.extend(kinds)
    if items:
        parts.append("tasks.item IN (SELECT item FROM wanted)")
    return ("WHERE " + " AND ".join(parts) if parts else ""), values
