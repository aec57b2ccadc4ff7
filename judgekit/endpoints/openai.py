"""Judges behind the chat completions of OpenAI, Azure, vLLM, llama.cpp, Ollama and whatever else speaks them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.endpoints.chat import ChatEndpoint, Wire, joined, text_or_none, tokens
from judgekit.endpoints.http import Address, Reply
from judgekit.endpoints.http_errors import read_refusal

__all__ = ["OpenAIEndpoint", "verdict_schema"]

TOP = 20
"""Alternatives asked for at each token when scores are expected scores."""

FEWER = 5
"""The same, where a service takes no more."""

_FORMS = ("json_schema", "json_object", "none")
_LIMITS = ("max_completion_tokens", "max_tokens")


def verdict_schema(request: Request) -> dict[str, Any]:
    """JSON Schema of the verdict a request asks for: a reason, then a value from each criterion's levels.

    Parameters
    ----------
    request : Request

    Returns
    -------
    dict
        In the form that "strict" structured output takes: every key required, no others.

    Examples
    --------
    >>> request = Request(request_key="k", system="", prompt="", text="", context=None, lang="en",
    ...                   dimensions={"warmth": (1, 2, 3)})
    >>> verdict_schema(request)["properties"]["score"]
    {'type': 'integer', 'enum': [1, 2, 3]}
    """
    single = ("winner" if request.pair else "score") if len(request.dimensions) == 1 else None
    properties: dict[str, Any] = {"reason": {"type": "string"}}
    for dimension, levels in request.dimensions.items():
        words = isinstance(levels[0], str)
        properties[single or dimension] = {"type": "string" if words else "integer", "enum": list(levels)}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


class OpenAIEndpoint(ChatEndpoint):
    """``openai:MODEL``: chat completions, with structured output where the service has it.

    A base URL without a path gets ``/v1``. For Azure give the deployment's address, with ``?api-version=...`` where
    it needs one; the key then goes into ``api-key``. Services on a base URL of one's own are asked without a key when
    the variable is not set. Parameters and errors are those of `judgekit.endpoints.chat.ChatEndpoint`.

    Examples
    --------
    >>> OpenAIEndpoint("qwen3:8b", base_url="http://127.0.0.1:11434").host
    '127.0.0.1:11434'
    """

    provider = "openai"
    key_variable = "OPENAI_API_KEY"
    address_variable = "OPENAI_BASE_URL"
    own_address = "https://api.openai.com/v1"
    settings = frozenset({"temperature", "max_tokens", "seed"})
    path = "/chat/completions"

    def _address(self, base_url: str | None) -> Address:
        found = super()._address(base_url)
        return found if found.path else replace(found, path="/v1")

    @property
    def _azure(self) -> bool:
        return self.address.host.endswith((".azure.com", ".azure.us", ".azure.cn"))

    @property
    def needs_key(self) -> bool:
        """Whether it cannot be asked without a key."""
        return super().needs_key or self._azure

    _weighed = False  # an answer came with token probabilities

    def _checked(self, given: dict[str, Any]) -> dict[str, Any]:
        kind = given.pop("score_kind", "point")
        made = super()._checked(given)
        return made if kind == "point" else {**made, "score_kind": "expected", "top_logprobs": TOP}

    @property
    def _weighs(self) -> bool:
        return "top_logprobs" in self.parameters

    def _first_wire(self) -> Wire:
        # Other services know the older name, and some take the newer one without a word and without effect.
        newer = self._azure or self.address.url("") == self.own_address
        return Wire(form=_FORMS[0], limit=_LIMITS[0] if newer else _LIMITS[1])

    def _headers(self) -> list[tuple[str, str]]:
        return []

    def _key_header(self, key: str) -> tuple[str, str]:
        return ("api-key", key) if self._azure else ("Authorization", f"Bearer {key}")

    def _body(self, request: Request, wire: Wire) -> dict[str, Any]:
        messages = [{"role": "system", "content": request.system}] if request.system else []
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [*messages, {"role": "user", "content": request.prompt}],
        }
        for name in ("temperature", "seed"):
            if name in self.parameters and name not in wire.without:
                body[name] = self.parameters[name]
        if self._weighs:
            fewer = "top_logprobs" in wire.without
            body |= {"logprobs": True, "top_logprobs": FEWER if fewer else self.parameters["top_logprobs"]}
        if wire.limit is not None:
            body[wire.limit] = self.parameters["max_tokens"]
        # A request that asks for no verdict is answered in plain text.
        form = wire.form if request.dimensions else "none"
        if form == "json_schema":
            schema = {"name": "verdict", "strict": True, "schema": verdict_schema(request)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif form == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body

    def _sent_names(self, wire: Wire) -> dict[str, str]:
        names = {name: name for name in ("temperature", "seed") if name in self.parameters and name not in wire.without}
        if self._weighs:
            names |= {"logprobs": "logprobs"} | (
                {} if "top_logprobs" in wire.without else {"top_logprobs": "top_logprobs"}
            )
        if wire.limit is not None:
            names[wire.limit] = "limit"
        if wire.form != "none":
            words = (
                "response_format",
                "json_schema",
                "json_object",
                "structured output",
                "structured outputs",
                "grammar",
            )
            names.update(dict.fromkeys(words, "form"))
        return names

    def _next_wire(self, name: str, wire: Wire) -> Wire | None:
        if name == "logprobs":
            return None
        if name == "form":
            return replace(wire, form=_FORMS[_FORMS.index(wire.form) + 1])
        if name == "limit":
            other = next(limit for limit in _LIMITS if limit != wire.limit)
            return replace(wire, limit=other if wire.limit == self._first.limit else None)
        return replace(wire, without=wire.without | {name})

    @property
    def dropped(self) -> tuple[str, ...]:
        """Settings that the service refused, so that it was asked without them."""
        return tuple(f"{name} {TOP}" if name == "top_logprobs" else name for name in super().dropped)

    def _adapted(self, reply: Reply, wire: Wire) -> RawAnswer | None:
        adapted = super()._adapted(reply, wire)
        if adapted is not None or not self._weighs or self._weighed or reply.status not in {400, 422}:
            return adapted
        # Scores of another kind are not what was asked for: nothing is judged without the probabilities.
        refusal = read_refusal(reply.body)
        if "logprobs" not in f"{refusal.param} {refusal.message}".lower():
            return None
        return RawAnswer(
            raw=None, status=reply.status, error_kind="no_logprobs", error_detail=self._hidden(refusal.message[:400])
        )

    def _read(self, document: Mapping[str, Any]) -> RawAnswer:
        used = document.get("usage")
        counts = {
            "prompt_tokens": tokens(used, "prompt_tokens"),
            "completion_tokens": tokens(used, "completion_tokens"),
        }
        usage = {**counts, "total_tokens": sum(counts.values())} if any(counts.values()) else None
        served, system = text_or_none(document.get("model")), text_or_none(document.get("system_fingerprint"))
        choices = document.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, Mapping) else None
        if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
            return RawAnswer(
                raw=None,
                served_model=served,
                system_fingerprint=system,
                usage=usage,
                error_kind="no_answer",
                error_detail="the reply holds no choice with a message",
            )
        raw, finish = joined(message.get("content")), text_or_none(choice.get("finish_reason"))
        refusal = text_or_none(message.get("refusal"))
        if refusal is not None and not raw:
            raw, finish = refusal, "refusal"
        logprobs = _token_probabilities(choice) if self._weighs else None
        if logprobs is not None:
            self._weighed = True
        elif self._weighs and not self._weighed and raw.strip() and finish in {None, "stop"}:
            # A refusal may come without; a first answer in full does not, unless the service takes the setting in silence.
            return RawAnswer(
                raw=None,
                served_model=served,
                system_fingerprint=system,
                usage=usage,
                error_kind="no_logprobs",
                error_detail="the answer came without token probabilities, which were asked for",
            )
        return RawAnswer(
            raw=raw,
            finish_reason=finish,
            served_model=served,
            system_fingerprint=system,
            usage=usage,
            logprobs=logprobs,
        )


def _token_probabilities(choice: Mapping[str, Any]) -> str | None:
    """What stands in a choice's ``logprobs``, without its names; None when it is not of the known form."""
    found = choice.get("logprobs")
    content = found.get("content") if isinstance(found, Mapping) else None
    if not isinstance(content, list) or not content:
        return None
    try:
        rows = [
            [
                token["token"],
                token.get("bytes"),
                token["logprob"],
                [[other["token"], other["logprob"]] for other in token.get("top_logprobs") or ()],
            ]
            for token in content
        ]
        return json.dumps(rows, ensure_ascii=True, separators=(",", ":"))
    except (KeyError, TypeError, AttributeError, ValueError):
        return None
