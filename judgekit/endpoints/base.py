"""What every judge endpoint is: something that takes one request and gives one raw answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from judgekit.records import Turn

__all__ = ["ADAPTED", "Endpoint", "RawAnswer", "Request"]

ADAPTED = "adapted"
"""The service refused a setting, not the text: the same call goes out again at once, without that setting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as it goes out.

    ``system`` and ``prompt`` are the finished texts, the judged text fenced with this request's nonce; ``text``
    and ``context`` are the judged text alone, for judges that are functions; ``dimensions`` maps each dimension
    asked for to its levels; ``pair`` holds the two texts as shown when a pair is judged. For a chatbot under test ``turns``
    are the conversation, ``prompt`` what they say, and ``conversation`` its opaque id.
    """

    request_key: str
    system: str
    prompt: str
    text: str
    context: str | None
    lang: str
    dimensions: Mapping[str, tuple[int | str, ...]]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    pair: tuple[str, str] | None = None
    timeout: float = 60.0
    turns: tuple[Turn, ...] = ()
    conversation: str = ""

    def __str__(self) -> str:
        return self.prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class RawAnswer:
    """One raw answer, or the kind of error instead of it.

    ``error_kind`` is None for an answer. Kinds that may be tried again: ``timeout``, ``connection``, ``rate_limit``,
    ``server``, ``cut_off`` (a reply that broke off), ``not_json``, ``no_answer`` (a reply without a message). Kinds that
    are final for the row: ``bad_request``, ``context_length``, ``crashed``, ``not_recorded``. Kinds that stop the run:
    ``auth``, ``quota``, ``missing``. In batches also ``expired`` and ``no_row`` (the results lack it), which may be tried
    again, ``cancelled`` and ``batch_failed``. ``adapted``: see `ADAPTED`. ``retry_after`` is in seconds. ``cost`` is in the
    prices' currency. ``logprobs`` is JSON text: for each token of the answer its text, its bytes (or null), its natural
    logarithm of probability, and the most probable tokens in its place with theirs.
    """

    raw: str | None
    finish_reason: str | None = None
    status: int | None = None
    served_model: str | None = None
    system_fingerprint: str | None = None
    usage: Mapping[str, int] | None = None
    cost: float | None = None
    error_kind: str | None = None
    error_detail: str | None = None
    retry_after: float | None = None
    logprobs: str | None = None


class Endpoint(Protocol):
    """A judge that can be asked."""

    provider: str
    model: str
    host: str | None
    parameters: Mapping[str, Any]
    languages: frozenset[str] | None
    """Languages it can judge; None means that it does not say."""

    async def send(self, request: Request) -> RawAnswer:
        """Ask once. Never raises for what the far side does; that is an `RawAnswer.error_kind`."""
        ...

    async def close(self) -> None:
        """Release what it holds."""
        ...
