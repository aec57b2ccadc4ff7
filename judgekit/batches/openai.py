"""OpenAI's batches: a file of requests is uploaded, a batch made of it, and its output and error files are read."""

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

__all__ = ["OpenAIBatches"]

_BOUNDARY = "judgekit-batch-boundary-5f1c2e9b"
_URL = "/v1/chat/completions"
_LABEL = "judgekit"
_PHASES = {
    "completed": "ended",
    "failed": "failed",
    "expired": "expired",
    "cancelled": "cancelled",
}
_UNDONE = {"batch_expired": "expired", "batch_cancelled": "cancelled"}


class OpenAIBatches:
    """Batches of a service that speaks OpenAI's.

    Parameters
    ----------
    endpoint : ChatEndpoint
        Gives address, key, and the form of a request.
    """

    has_files = True
    most_requests = 10_000  # a fifth of what is allowed: smaller batches end sooner, and less is at stake in each
    most_bytes = 50_000_000

    def __init__(self, endpoint: ChatEndpoint) -> None:
        self.endpoint = endpoint

    def line(self, request: Request) -> bytes:
        """A request as a line of the file."""
        body = self.endpoint.document(request)
        row = {"custom_id": request.request_key, "method": "POST", "url": _URL, "body": body}
        return json.dumps(row, ensure_ascii=True).encode("ascii")

    async def upload(self, lines: Sequence[bytes]) -> str | RawAnswer:
        """Upload the file of requests; its id."""
        head = (
            f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
            f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="judgekit.jsonl"\r\n'
            "Content-Type: application/jsonl\r\n\r\n"
        )
        # Lines are ASCII JSON, in which a line break is written as an escape, so no boundary can stand in them.
        content = head.encode("ascii") + b"\n".join(lines) + f"\n\r\n--{_BOUNDARY}--\r\n".encode("ascii")
        kind = f"multipart/form-data; boundary={_BOUNDARY}"
        found = await ask(self.endpoint, "POST", "/files", content, seconds=TRANSFER, content_type=kind)
        if isinstance(found, RawAnswer):
            return found
        return id_of(found) or no_id("file")

    async def create(self, label: str, file_id: str, lines: Sequence[bytes]) -> RemoteBatch | RawAnswer:  # noqa: ARG002 - the lines are in the file
        """Make a batch of an uploaded file; the label goes into its metadata."""
        wanted = {
            "input_file_id": file_id,
            "endpoint": _URL,
            "completion_window": "24h",
            "metadata": {_LABEL: label},
        }
        return self._batch(await ask(self.endpoint, "POST", "/batches", json.dumps(wanted).encode("ascii")))

    async def look(self, remote_id: str) -> RemoteBatch | RawAnswer:
        """How a batch stands."""
        return self._batch(await ask(self.endpoint, "GET", f"/batches/{safe_id(remote_id)}"))

    async def cancel(self, remote_id: str) -> RemoteBatch | RawAnswer:
        """Ask that no further row be worked on."""
        return self._batch(await ask(self.endpoint, "POST", f"/batches/{safe_id(remote_id)}/cancel"))

    async def listed(self) -> list[RemoteBatch] | RawAnswer:
        """The account's latest batches."""
        return await pages(self.endpoint, "/batches", self._batch, after="after")

    def is_ours(self, remote: RemoteBatch, stored: StoredBatch) -> bool | None:
        """By the label, or by the file where a service keeps no metadata."""
        return remote.label == stored.label or (stored.file_id is not None and remote.input_file == stored.file_id)

    def left_behind(self, stored: StoredBatch, remote: RemoteBatch | None) -> list[str]:
        """The uploaded file, and the files of results and errors."""
        ids = [stored.file_id] if remote is None else [stored.file_id or remote.input_file, *remote.files]
        return [f"/files/{safe_id(file_id)}" for file_id in dict.fromkeys(ids) if file_id]

    async def rows(self, remote: RemoteBatch, take: Callable[[Row], None]) -> RawAnswer | None:
        """Read output and error file."""
        for file_id in remote.files:
            path = f"/files/{safe_id(file_id)}/content"
            lines = row_reader(self._row, take)
            found = await ask(self.endpoint, "GET", path, seconds=TRANSFER, take=lines)
            if isinstance(found, RawAnswer):
                return found
        return None

    def _row(self, document: Mapping[str, Any]) -> Row | None:
        key, response, error = document.get("custom_id"), document.get("response"), document.get("error")
        if not isinstance(key, str):
            return None
        code = error.get("code") if isinstance(error, Mapping) else None
        if isinstance(code, str) and code in _UNDONE:
            return Row(key, RawAnswer(raw=None, error_kind=_UNDONE[code], error_detail="the batch ended before it"))
        if not isinstance(response, Mapping):
            return refusal_row(self.endpoint, key, 500, {"error": error})
        status = whole_number(response.get("status_code")) or 500
        body = json.dumps(response.get("body"), ensure_ascii=True).encode("ascii")
        return Row(key, self.endpoint.read(Reply(status, {}, body)))

    def _batch(self, found: Mapping[str, Any] | RawAnswer) -> RemoteBatch | RawAnswer:
        if isinstance(found, RawAnswer):
            return found
        remote_id = id_of(found)
        if remote_id is None:
            return no_id("batch")
        raw, metadata = found.get("request_counts"), found.get("metadata")
        counts: Mapping[str, Any] = raw if isinstance(raw, Mapping) else {}
        files = (found.get("output_file_id"), found.get("error_file_id"))
        label = metadata.get(_LABEL) if isinstance(metadata, Mapping) else None
        source = found.get("input_file_id")
        return RemoteBatch(
            remote_id=remote_id,
            phase=_PHASES.get(str(found.get("status")), "working"),  # type: ignore[arg-type]
            done=whole_number(counts.get("completed")) + whole_number(counts.get("failed")),
            total=whole_number(counts.get("total")),
            made_at=moment(found.get("created_at")),
            label=label if isinstance(label, str) else None,
            input_file=source if isinstance(source, str) else None,
            files=tuple(file_id for file_id in files if isinstance(file_id, str) and file_id),
            problem=self._problem(found.get("errors")),
        )

    def _problem(self, errors: object) -> str | None:
        """What is said of a batch that failed as a whole, read as a refusal, so that no key is quoted."""
        data = errors.get("data") if isinstance(errors, Mapping) else None
        if not isinstance(data, list) or not data:
            return None
        said = refusal_row(self.endpoint, "", 400, {"error": data[0]}).answer.error_detail or ""
        code = data[0].get("code") if isinstance(data[0], Mapping) else None
        return f"{code}: {said}" if isinstance(code, str) else said
