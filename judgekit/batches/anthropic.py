"""Anthropic's message batches: the requests go along with the order, and the results come as lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from judgekit.batches.remote import (
    TRANSFER,
    RemoteBatch,
    Row,
    ask,
    id_of,
    moment,
    no_id,
    pages,
    refusal_row,
    row_reader,
    safe_id,
    whole_number,
)
from judgekit.endpoints.base import RawAnswer, Request
from judgekit.endpoints.chat import ChatEndpoint
from judgekit.endpoints.http import Reply
from judgekit.files.ledger_batches import StoredBatch

__all__ = ["AnthropicBatches"]

_CLOCKS_APART = 600.0  # seconds that this machine's clock may be ahead of the provider's
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_UNDONE = {"expired": "expired", "canceled": "cancelled"}


class AnthropicBatches:
    """Batches of a service that speaks Anthropic's.

    Parameters
    ----------
    endpoint : ChatEndpoint
        Gives address, key, and the form of a request.

    Notes
    -----
    These batches carry no label. One that may have been made before a kill is known by its time and its number of
    rows, and, once it has ended, by the request keys in its rows.
    """

    has_files = False
    most_requests = 10_000
    most_bytes = 50_000_000

    def __init__(self, endpoint: ChatEndpoint) -> None:
        self.endpoint = endpoint

    def line(self, request: Request) -> bytes:
        """A request as an entry of the order."""
        row = {"custom_id": request.request_key, "params": self.endpoint.document(request)}
        return json.dumps(row, ensure_ascii=True).encode("ascii")

    async def upload(self, lines: Sequence[bytes]) -> str | RawAnswer:  # noqa: ARG002 - the lines go with `create`
        """Nothing is uploaded by itself."""
        return ""

    async def create(self, label: str, file_id: str, lines: Sequence[bytes]) -> RemoteBatch | RawAnswer:  # noqa: ARG002 - no label, no file
        """Make a batch."""
        content = b'{"requests": [' + b",".join(lines) + b"]}"
        return self._batch(await ask(self.endpoint, "POST", "/messages/batches", content, seconds=TRANSFER))

    async def look(self, remote_id: str) -> RemoteBatch | RawAnswer:
        """How a batch stands."""
        return self._batch(await ask(self.endpoint, "GET", f"/messages/batches/{safe_id(remote_id)}"))

    async def cancel(self, remote_id: str) -> RemoteBatch | RawAnswer:
        """Ask that no further row be worked on."""
        return self._batch(await ask(self.endpoint, "POST", f"/messages/batches/{safe_id(remote_id)}/cancel"))

    async def listed(self) -> list[RemoteBatch] | RawAnswer:
        """The account's latest batches."""
        return await pages(self.endpoint, "/messages/batches", self._batch, after="after_id")

    def is_ours(self, remote: RemoteBatch, stored: StoredBatch) -> bool | None:
        """False where time or number of rows do not fit; else only the rows can tell."""
        announced = moment(stored.announced_at)
        if remote.total != stored.requests:
            return False
        if remote.made_at is not None and announced is not None and remote.made_at < announced - _CLOCKS_APART:
            return False
        return None

    def left_behind(self, stored: StoredBatch, remote: RemoteBatch | None) -> list[str]:  # noqa: ARG002 - no files
        """The batch itself, which holds requests and results."""
        return [f"/messages/batches/{safe_id(remote.remote_id)}"] if remote else []

    async def rows(self, remote: RemoteBatch, take: Callable[[Row], None]) -> RawAnswer | None:
        """Read the results."""
        path = f"/messages/batches/{safe_id(remote.remote_id)}/results"
        found = await ask(self.endpoint, "GET", path, seconds=TRANSFER, take=row_reader(self._row, take))
        return found if isinstance(found, RawAnswer) else None

    def _row(self, document: Mapping[str, Any]) -> Row | None:
        key, result = document.get("custom_id"), document.get("result")
        if not isinstance(key, str) or not isinstance(result, Mapping):
            return None
        kind = str(result.get("type"))
        if kind in _UNDONE:
            return Row(key, RawAnswer(raw=None, error_kind=_UNDONE[kind], error_detail="the batch ended before it"))
        if kind == "succeeded":
            body = json.dumps(result.get("message"), ensure_ascii=True).encode("ascii")
            return Row(key, self.endpoint.read(Reply(200, {}, body)))
        error = result.get("error")
        inner = error.get("error") if isinstance(error, Mapping) else None
        said = inner if isinstance(inner, Mapping) else error if isinstance(error, Mapping) else {}
        return refusal_row(self.endpoint, key, _STATUS.get(str(said.get("type")), 500), {"error": said})

    def _batch(self, found: Mapping[str, Any] | RawAnswer) -> RemoteBatch | RawAnswer:
        if isinstance(found, RawAnswer):
            return found
        remote_id = id_of(found)
        if remote_id is None:
            return no_id("batch")
        raw = found.get("request_counts")
        counts: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
        total = sum(whole_number(value) for value in counts.values())
        return RemoteBatch(
            remote_id=remote_id,
            phase="ended" if found.get("processing_status") == "ended" else "working",
            done=total - whole_number(counts.get("processing")),
            total=total,
            made_at=moment(found.get("created_at")),
        )
