"""The ledger's tables, the migrations that lead to them, and how records become rows and come back."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Mapping
from typing import Any

from judgekit.errors import BadInput
from judgekit.records import Arm, Attempt, Call, Judgment, Outcome, Preference, Scored, Task, Unscored

__all__ = [
    "APPLICATION_ID",
    "ATTEMPT_COLUMNS",
    "JUDGMENT_COLUMNS",
    "MIGRATIONS",
    "TASK_COLUMNS",
    "attempt_from_row",
    "attempt_to_row",
    "call_from_row",
    "call_to_row",
    "from_db",
    "judgment_from_row",
    "judgment_to_row",
    "logprobs_from_db",
    "logprobs_to_db",
    "migrate",
    "outcome_from_json",
    "outcome_to_json",
    "task_from_row",
    "task_to_row",
    "to_db",
]

APPLICATION_ID = 0x4A4B4C44  # "JKLD": tells our file from any other SQLite database


def _create_tables(connection: sqlite3.Connection) -> None:
    """Version 1. Calls have an integer id, so that a key of 64 characters is stored once."""
    for statement in (
        """CREATE TABLE calls (
            id INTEGER PRIMARY KEY,
            request_key TEXT NOT NULL UNIQUE,
            endpoint TEXT, body TEXT, text_hashes TEXT, shown_order TEXT, repeat INTEGER, fingerprint TEXT)""",
        """CREATE TABLE tasks (
            id INTEGER PRIMARY KEY,
            item TEXT NOT NULL, rubric_hash TEXT NOT NULL, judge TEXT NOT NULL, arm TEXT NOT NULL,
            arm_kind TEXT NOT NULL, pair_id TEXT NOT NULL, shown_order TEXT NOT NULL, repeat INTEGER NOT NULL,
            call_id INTEGER NOT NULL REFERENCES calls(id),
            current INTEGER NOT NULL DEFAULT 1)""",
        """CREATE UNIQUE INDEX task_once ON tasks
            (item, judge, rubric_hash, arm, pair_id, shown_order, repeat, call_id)""",
        "CREATE INDEX task_call ON tasks (call_id)",
        """CREATE TABLE attempts (
            call_id INTEGER NOT NULL REFERENCES calls(id),
            n INTEGER NOT NULL,
            intent_at TEXT NOT NULL, sent_at TEXT, received_at TEXT, status INTEGER, raw TEXT, finish_reason TEXT,
            served_model TEXT, system_fingerprint TEXT, usage TEXT, cost REAL, error_kind TEXT, error_detail TEXT,
            PRIMARY KEY (call_id, n))""",
        # The schema itself forbids a second answer to a call, whatever the code above it does.
        "CREATE UNIQUE INDEX one_answer ON attempts (call_id) WHERE raw IS NOT NULL",
        "CREATE INDEX open_attempts ON attempts (call_id, n) WHERE raw IS NULL AND error_kind IS NULL",
        """CREATE TABLE judgments (
            task_id INTEGER NOT NULL REFERENCES tasks(id),
            dimension TEXT NOT NULL, parser_version TEXT NOT NULL,
            text_hash TEXT NOT NULL, fingerprint TEXT NOT NULL, score_kind TEXT NOT NULL,
            outcome TEXT NOT NULL, reason TEXT,
            PRIMARY KEY (task_id, dimension, parser_version)) WITHOUT ROWID""",
    ):
        connection.execute(statement)


def _create_batches(connection: sqlite3.Connection) -> None:
    """Calls that are handed over together; see `judgekit.files.ledger_batches`."""
    for statement in (
        """CREATE TABLE batches (
            id INTEGER PRIMARY KEY,
            label TEXT NOT NULL UNIQUE, endpoint TEXT NOT NULL, announced_at TEXT NOT NULL, requests INTEGER NOT NULL,
            file_id TEXT, remote_id TEXT, state TEXT NOT NULL DEFAULT 'announced', detail TEXT)""",
        """CREATE TABLE batch_calls (
            batch_id INTEGER NOT NULL REFERENCES batches(id),
            call_id INTEGER NOT NULL REFERENCES calls(id),
            n INTEGER NOT NULL,
            PRIMARY KEY (call_id, n)) WITHOUT ROWID""",
        "CREATE INDEX calls_of_batch ON batch_calls (batch_id)",
    ):
        connection.execute(statement)


def _add_logprobs(connection: sqlite3.Connection) -> None:
    """Token probabilities of an answer, compressed; see `logprobs_to_db`."""
    connection.execute("ALTER TABLE attempts ADD COLUMN logprobs BLOB")


Migration = Callable[[sqlite3.Connection], None]
MIGRATIONS: tuple[tuple[str, Migration], ...] = (
    ("create_tables", _create_tables),
    ("create_batches", _create_batches),
    ("add_logprobs", _add_logprobs),
)
"""In order; a file's schema version is how many of them it has been through. Never edit one that was released."""


def migrate(connection: sqlite3.Connection, path: str) -> None:
    """Bring a ledger to the present schema, each step in a transaction of its own.

    Parameters
    ----------
    connection : sqlite3.Connection
        In autocommit mode, to an empty file or a ledger.
    path : str
        For messages.

    Raises
    ------
    BadInput
        The file was written by a newer judgekit.
    """
    if int(connection.execute("PRAGMA application_id").fetchone()[0]) != APPLICATION_ID:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
        connection.execute("INSERT INTO meta VALUES ('schema_version', '0')")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    version = int(connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchone()[0])
    if version > len(MIGRATIONS):
        raise BadInput(
            "the ledger was written by a newer judgekit",
            path=path,
            seen=f"schema {version}",
            why=f"this version knows schemas up to {len(MIGRATIONS)}",
            remedy="update judgekit; nothing was changed",
        )
    for number, (_, step) in enumerate(MIGRATIONS[version:], version + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            step(connection)
            connection.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", (str(number),))
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise


# --- values --------------------------------------------------------------------------------------------------------


def to_db(text: str | None) -> str | bytes | None:
    r"""Text as SQLite can hold it: text with lone surrogates goes in as bytes, everything else as it is.

    Examples
    --------
    >>> to_db("a"), to_db("\ud800"), from_db(to_db("\ud800")) == "\ud800"
    ('a', b'\xed\xa0\x80', True)
    """
    if text is None or text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def logprobs_to_db(text: str | None) -> bytes | None:
    """Token probabilities as they are stored: they are many times longer than the answer, and much alike.

    Examples
    --------
    >>> logprobs_from_db(logprobs_to_db('[["4",null,-0.1,[]]]'))
    '[["4",null,-0.1,[]]]'
    """
    return None if text is None else zlib.compress(text.encode("utf-8", "surrogatepass"), 6)


def logprobs_from_db(value: bytes) -> str:
    """The text that `logprobs_to_db` put away."""
    return zlib.decompress(value).decode("utf-8", "surrogatepass")


def from_db(value: str | bytes | None) -> str | None:
    """The text that `to_db` put away."""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), sort_keys=True, allow_nan=False)


def outcome_to_json(outcome: Outcome) -> str:
    """An outcome as JSON text; the kind stands first, so that a missing score cannot be read as a number.

    Examples
    --------
    >>> outcome_to_json(Scored(4)), outcome_to_json(Unscored("refusal"))
    ('{"scored":4}', '{"unscored":"refusal"}')
    """
    if isinstance(outcome, Scored):
        extra = {"coerced": outcome.coerced or None, "expected": outcome.expected}
        distribution = None if outcome.distribution is None else dict(outcome.distribution)
        fields = {"scored": outcome.value, **extra, "distribution": distribution}
    elif isinstance(outcome, Unscored):
        fields = {"unscored": outcome.kind, "detail": outcome.detail or None}
    else:
        fields = {"preferred": outcome.choice}
    return _dump({name: value for name, value in fields.items() if value is not None})


def outcome_from_json(text: str) -> Outcome:
    """The outcome that `outcome_to_json` wrote.

    Raises
    ------
    BadInput
        When the text is none of the three kinds.
    """
    data = json.loads(text)
    if "scored" in data:
        return Scored(data["scored"], bool(data.get("coerced")), data.get("expected"), data.get("distribution"))
    if "unscored" in data:
        return Unscored(data["unscored"], data.get("detail", ""))
    if "preferred" in data:
        return Preference(data["preferred"])
    raise BadInput(
        "a stored outcome is of no known kind", seen=text, remedy="the ledger was edited by hand; restore it"
    )


# --- rows ----------------------------------------------------------------------------------------------------------


def call_to_row(call: Call) -> tuple[Any, ...]:
    """A call as the values of its row."""
    return (
        call.request_key,
        to_db(call.endpoint),
        json.dumps(dict(call.body), ensure_ascii=True, allow_nan=False),
        _dump(list(call.text_hashes)),
        call.order,
        call.repeat,
        call.fingerprint,
    )


def call_from_row(row: tuple[Any, ...]) -> Call:
    """The call in a row of ``request_key, endpoint, body, text_hashes, shown_order, repeat, fingerprint``."""
    return Call(
        request_key=row[0],
        endpoint=from_db(row[1]) or "",
        body=json.loads(row[2]),
        text_hashes=tuple(json.loads(row[3])),
        order=row[4],
        repeat=row[5],
        fingerprint=row[6],
    )


TASK_COLUMNS = (
    "tasks.item, tasks.rubric_hash, tasks.judge, calls.request_key, tasks.arm, tasks.pair_id, tasks.shown_order, "
    "tasks.repeat"
)


def task_to_row(task: Task) -> tuple[Any, ...]:
    """What tells one task from another, in the order of the index ``task_once``, and the arm's kind."""
    identity = (to_db(task.item), to_db(task.judge), task.rubric_hash, task.arm.key, to_db(task.pair_id or ""))
    return (*identity, task.order, task.repeat, task.arm.kind)


_ARMS: dict[str, Arm] = {}


def _arm(key: str) -> Arm:
    arm = _ARMS.get(key)
    if arm is None:
        kind, identity, group, of_arm, direction, token_change = json.loads(key)
        arm = Arm(
            kind=kind, identity=identity, group=group, of_arm=of_arm, direction=direction, token_change=token_change
        )
        if len(_ARMS) < 10_000:  # a study has few arms; token changes may differ text by text
            _ARMS[key] = arm
    return arm


def task_from_row(row: tuple[Any, ...]) -> Task:
    """The task in a row of ``TASK_COLUMNS``."""
    return Task(
        item=from_db(row[0]) or "",
        rubric_hash=row[1],
        judge=from_db(row[2]) or "",
        request_key=row[3],
        arm=_arm(row[4]),
        pair_id=from_db(row[5]) or None,
        order=row[6],
        repeat=row[7],
    )


_ATTEMPT_FIELDS = (
    "n",
    "intent_at",
    "sent_at",
    "received_at",
    "status",
    "raw",
    "finish_reason",
    "served_model",
    "system_fingerprint",
    "usage",
    "cost",
    "error_kind",
    "error_detail",
)
ATTEMPT_COLUMNS = "calls.request_key, " + ", ".join(f"attempts.{name}" for name in _ATTEMPT_FIELDS)


def attempt_to_row(attempt: Attempt) -> tuple[Any, ...]:
    """What completes an attempt, from ``sent_at`` to ``error_detail`` in the order of its columns, and its logprobs."""
    return (
        attempt.sent_at,
        attempt.received_at,
        attempt.status,
        to_db(attempt.raw),
        to_db(attempt.finish_reason),
        to_db(attempt.served_model),
        to_db(attempt.system_fingerprint),
        None if attempt.usage is None else json.dumps(dict(attempt.usage), sort_keys=True),
        attempt.cost,
        attempt.error_kind,
        to_db(attempt.error_detail),
        logprobs_to_db(attempt.logprobs),
    )


def attempt_from_row(row: tuple[Any, ...]) -> Attempt:
    """The attempt in a row of ``ATTEMPT_COLUMNS``."""
    values: dict[str, Any] = dict(zip(_ATTEMPT_FIELDS, row[1:], strict=True))
    usage: Mapping[str, int] | None = None if values["usage"] is None else json.loads(values["usage"])
    for name in ("raw", "finish_reason", "served_model", "system_fingerprint", "error_detail"):
        values[name] = from_db(values[name])
    return Attempt(request_key=row[0], **{**values, "usage": usage})


JUDGMENT_COLUMNS = (
    TASK_COLUMNS + ", judgments.dimension, judgments.text_hash, judgments.fingerprint, judgments.outcome, "
    "judgments.parser_version, judgments.reason, judgments.score_kind"
)


def judgment_to_row(judgment: Judgment) -> tuple[Any, ...]:
    """A judgment's own values; its task stands before them in the statement."""
    return (
        to_db(judgment.dimension),
        judgment.parser_version,
        judgment.text_hash,
        judgment.fingerprint,
        judgment.score_kind,
        outcome_to_json(judgment.outcome),
        to_db(judgment.reason),
    )


def judgment_from_row(row: tuple[Any, ...]) -> Judgment:
    """The judgment in a row of ``JUDGMENT_COLUMNS``."""
    return Judgment(
        task=task_from_row(row[:8]),
        dimension=from_db(row[8]) or "",
        text_hash=row[9],
        fingerprint=row[10],
        outcome=outcome_from_json(row[11]),
        parser_version=row[12],
        reason=from_db(row[13]),
        score_kind=row[14],
    )
