"""Judges behind Anthropic's messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.endpoints.chat import ChatEndpoint, Wire, joined, text_or_none, tokens
from judgekit.endpoints.http import Address

__all__ = ["AnthropicEndpoint"]

_VERSION = "2023-06-01"
# Cut by the context window is cut: the parser knows it by the name that others give it.
_REASONS = {"model_context_window_exceeded": "length"}


class AnthropicEndpoint(ChatEndpoint):
    """``anthropic:MODEL``: messages, the verdict read strictly from the text blocks.

    A base URL without ``/v1`` at its end gets it. Parameters and errors are those of
    `judgekit.endpoints.chat.ChatEndpoint`; there is no ``seed``.

    Examples
    --------
    >>> AnthropicEndpoint("claude", base_url="http://127.0.0.1:9000").address.url("/messages")
    'http://127.0.0.1:9000/v1/messages'
    """

    provider = "anthropic"
    key_variable = "ANTHROPIC_API_KEY"
    address_variable = "ANTHROPIC_BASE_URL"
    own_address = "https://api.anthropic.com/v1"
    settings = frozenset({"temperature", "max_tokens"})
    path = "/messages"

    def _address(self, base_url: str | None) -> Address:
        found = super()._address(base_url)
        return found if found.path.endswith("/v1") else replace(found, path=f"{found.path}/v1")

    def _first_wire(self) -> Wire:
        return Wire(form="none", limit="max_tokens")

    def _headers(self) -> list[tuple[str, str]]:
        return [("anthropic-version", _VERSION)]

    def _key_header(self, key: str) -> tuple[str, str]:
        return ("x-api-key", key)

    def _body(self, request: Request, wire: Wire) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "max_tokens": self.parameters["max_tokens"],
            "messages": [{"role": "user", "content": request.prompt}],
        }
        if request.system:
            body["system"] = request.system
        if "temperature" in self.parameters and "temperature" not in wire.without:
            body["temperature"] = self.parameters["temperature"]
        return body

    def _sent_names(self, wire: Wire) -> dict[str, str]:
        sent = "temperature" in self.parameters and "temperature" not in wire.without
        return {"temperature": "temperature"} if sent else {}

    def _next_wire(self, name: str, wire: Wire) -> Wire | None:
        return replace(wire, without=wire.without | {name})

    def _read(self, document: Mapping[str, Any]) -> RawAnswer:
        used = document.get("usage")
        counts = {
            "prompt_tokens": tokens(used, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
            "completion_tokens": tokens(used, "output_tokens"),
        }
        usage = {**counts, "total_tokens": sum(counts.values())} if any(counts.values()) else None
        reason = text_or_none(document.get("stop_reason"))
        served = text_or_none(document.get("model"))
        content = document.get("content")
        if not isinstance(content, (list, str)) or (not content and reason is None):
            return RawAnswer(
                raw=None,
                served_model=served,
                usage=usage,
                error_kind="no_answer",
                error_detail="the reply holds no content",
            )
        return RawAnswer(
            raw=joined(content), finish_reason=_REASONS.get(reason or "", reason), served_model=served, usage=usage
        )
