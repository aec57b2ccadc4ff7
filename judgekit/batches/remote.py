"""What a provider's batches have in common: how one stands, what one row says, and how the service is asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol

import regex

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.endpoints.chat import ChatEndpoint
from judgekit.endpoints.http import Fault, Reply
from judgekit.files.ledger_batches import StoredBatch

__all__ = [
    "BatchService",
    "RemoteBatch",
    "Row",
    "ask",
    "id_of",
    "moment",
    "no_id",
    "pages",
    "refusal_row",
    "row_reader",
    "safe_id",
    "whole_number",
]

TRANSFER = 600.0
"""Seconds for an upload or a download, however long."""

_PAGE = 100
_PAGES = 5
_TIME_LIMIT = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteBatch:
    """A batch as its provider tells of it.

    ``done`` of ``total`` rows are worked on; ``made_at`` is in seconds since 1970; ``label`` and ``input_file`` are what was
    given along, where the provider repeats it; ``files`` hold the rows; ``problem`` is why it failed as a whole.
    """

    remote_id: str
    phase: Literal["working", "ended", "failed", "expired", "cancelled"]
    done: int
    total: int
    made_at: float | None = None
    label: str | None = None
    input_file: str | None = None
    files: tuple[str, ...] = ()
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a batch's results: the request key that it names, and what came of that request."""

    key: str
    answer: RawAnswer


class BatchService(Protocol):
    """One provider's batches. A `RawAnswer` in the place of a result is the kind of error that came instead."""

    endpoint: ChatEndpoint
    most_requests: int
    most_bytes: int
    has_files: bool
    """Whether a file is uploaded first, so that without one no batch can have been made."""

    def line(self, request: Request) -> bytes:
        """A request as it stands in a batch."""
        ...

    async def upload(self, lines: Sequence[bytes]) -> str | RawAnswer:
        """Bring the requests to the provider; the id of their file, or an empty text where none is needed."""
        ...

    async def create(self, label: str, file_id: str, lines: Sequence[bytes]) -> RemoteBatch | RawAnswer:
        """Start a batch; from here on it costs."""
        ...

    async def look(self, remote_id: str) -> RemoteBatch | RawAnswer:
        """How a batch stands."""
        ...

    async def listed(self) -> list[RemoteBatch] | RawAnswer:
        """The account's latest batches, the newest first."""
        ...

    def is_ours(self, remote: RemoteBatch, stored: StoredBatch) -> bool | None:
        """Whether a listed batch is the one announced; None when only its rows can tell."""
        ...

    async def rows(self, remote: RemoteBatch, take: Callable[[Row], None]) -> RawAnswer | None:
        """Read the results, in whatever order they come; None when they were read to their end."""
        ...

    async def cancel(self, remote_id: str) -> RemoteBatch | RawAnswer:
        """Ask the provider to work on no further row."""
        ...

    def left_behind(self, stored: StoredBatch, remote: RemoteBatch | None) -> list[str]:
        """Paths of what holds texts at the provider once a batch has ended; without ``remote`` it was never made."""
        ...


async def ask(
    endpoint: ChatEndpoint,
    method: str,
    path: str,
    content: bytes = b"",
    *,
    seconds: float = 60.0,
    content_type: str | None = None,
    take: Callable[[bytes], None] | None = None,
) -> Mapping[str, Any] | RawAnswer:
    """Ask for a document; a fault, a refusal and a reply of another form come back as a kind of error.

    Parameters
    ----------
    endpoint : ChatEndpoint
    method, path, content, seconds, content_type, take
        As for `judgekit.endpoints.http.Service.ask`.

    Returns
    -------
    mapping or RawAnswer
        Empty when ``take`` got the lines.
    """
    reply = await endpoint.ask(method, path, content, seconds=seconds, content_type=content_type, take=take)
    if isinstance(reply, Fault):
        return RawAnswer(raw=None, error_kind=reply.kind, error_detail=reply.detail)
    if not 200 <= reply.status < 300:
        return endpoint.read(reply)
    if take is not None:
        return {}
    try:
        document = json.loads(reply.body)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, Mapping):
        detail = "the body is no JSON object"
        return RawAnswer(raw=None, status=reply.status, error_kind="not_json", error_detail=detail)
    return document


def row_reader(read: Callable[[Mapping[str, Any]], Row | None], take: Callable[[Row], None]) -> Callable[[bytes], None]:
    """From lines to rows: empty lines are passed over, lines that are no row become rows without a key.

    Examples
    --------
    >>> met = []
    >>> row_reader(lambda document: Row(document["id"], RawAnswer(raw="")), met.append)(b'{"id": "k"}')
    >>> row_reader(lambda document: None, met.append)(b"cut of")
    >>> [row.key for row in met]
    ['k', '']
    """

    def line(content: bytes) -> None:
        if not content.strip():
            return
        try:
            document = json.loads(content)
        except (ValueError, RecursionError):
            document = None
        row = read(document) if isinstance(document, Mapping) else None
        take(row or Row("", RawAnswer(raw=None, error_kind="not_json", error_detail="a line of the results is no row")))

    return line


def refusal_row(endpoint: ChatEndpoint, key: str, status: int, body: object) -> Row:
    """A row that says why its request was refused, read as the same refusal of a single call would be."""
    return Row(key, endpoint.read(Reply(status, {}, json.dumps(body, ensure_ascii=True).encode("ascii"))))


async def pages(
    endpoint: ChatEndpoint,
    path: str,
    read: Callable[[Mapping[str, Any]], RemoteBatch | RawAnswer],
    *,
    after: str,
) -> list[RemoteBatch] | RawAnswer:
    """The account's latest batches, a page at a time.

    Parameters
    ----------
    endpoint : ChatEndpoint
    path : str
        Of the list.
    read : callable
        From an entry to a batch.
    after : str
        What the provider calls the id after which a page begins.

    Returns
    -------
    list of RemoteBatch or RawAnswer
        At most a few hundred, the newest first.
    """
    met: list[RemoteBatch] = []
    more = ""
    for _ in range(_PAGES):
        found = await ask(endpoint, "GET", f"{path}?limit={_PAGE}{more}")
        if isinstance(found, RawAnswer):
            return found
        data = found.get("data")
        entries = [read(entry) for entry in data if isinstance(entry, Mapping)] if isinstance(data, list) else []
        page = [batch for batch in entries if isinstance(batch, RemoteBatch)]
        met += page
        if found.get("has_more") is not True or not page:
            break
        more = f"&{after}={safe_id(page[-1].remote_id)}"
    return met


def id_of(found: Mapping[str, Any]) -> str | None:
    """The id that a document gives, when it may stand in an address."""
    value = found.get("id")
    return value if isinstance(value, str) and safe_id(value) == value else None


def safe_id(text: str) -> str:
    """An id as it may stand in an address; anything else, which would ask for something else, becomes a dash.

    Examples
    --------
    >>> safe_id("batch_1"), safe_id("../files")
    ('batch_1', '-')
    """
    return text if regex.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}", text, timeout=_TIME_LIMIT) else "-"


def no_id(what: str) -> RawAnswer:
    """The error of a reply that does not name what was made."""
    return RawAnswer(raw=None, error_kind="no_answer", error_detail=f"the reply names no {what}")


def whole_number(value: object) -> int:
    """A count; what is none is 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def moment(value: object) -> float | None:
    """Seconds since 1970 of a time given so, or in ISO 8601; None for anything else.

    Examples
    --------
    >>> moment(5), moment("1970-01-01T00:00:05Z"), moment("soon")
    (5.0, 5.0, None)
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    try:
        found = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return found.timestamp() if found.tzinfo else None
