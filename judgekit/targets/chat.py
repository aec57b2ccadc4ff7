"""Chatbots behind chat services and in local weights: the whole conversation, with production's own settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.endpoints.anthropic import AnthropicEndpoint
from judgekit.endpoints.base import RawAnswer, Request
from judgekit.endpoints.chat import ChatEndpoint, Wire
from judgekit.endpoints.local import LocalEndpoint
from judgekit.endpoints.openai import OpenAIEndpoint
from judgekit.errors import ConfigProblem

__all__ = ["AnthropicTarget", "LocalTarget", "OpenAITarget"]

_OWN = frozenset(
    {"model", "messages", "system", "stream", "n", "temperature", "max_tokens", "max_completion_tokens", "logprobs"}
)


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """The further fields of the request, taken out of the settings and checked."""
    params = dict(given.pop("params", {}))
    if clash := sorted(set(params) & _OWN):
        raise ConfigProblem(
            "a field of the request is set elsewhere",
            field="judge.params",
            seen=", ".join(clash),
            why="the conversation, temperature and max_tokens have keys of their own, and one answer is read, whole",
            remedy="remove it from params",
        )
    return {"params": params} if params else {}


def _conversing(body: dict[str, Any], request: Request, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a request with the whole conversation in it."""
    said = [{"role": turn.role, "content": turn.content} for turn in request.turns]
    body["messages"] = [m for m in body["messages"] if m["role"] == "system"] + said
    return body | dict(parameters.get("params", {}))


class _Tuned(ChatEndpoint):
    """A chat service whose requests may have further fields, as in production."""

    def _checked(self, given: dict[str, Any]) -> dict[str, Any]:
        params = _settings(given)
        return {**super()._checked(given), **params}


class _Served(_Tuned):
    """A service far away, whose first served model is kept, so that another one stops the run."""

    async def send(self, request: Request) -> RawAnswer:
        """Ask once.

        A backend's fingerprint changes daily at some services; another model is another system, that is not.
        """
        answer = await super().send(request)
        if answer.error_kind is None and self.served is None:
            self.served = (answer.served_model, None)
        return answer


class OpenAITarget(_Served, OpenAIEndpoint):
    """``openai:MODEL`` as the chatbot under test; parameters and errors as `endpoints.openai.OpenAIEndpoint`.

    ``params`` are further fields of the request, as in production.
    """

    def _body(self, request: Request, wire: Wire) -> dict[str, Any]:
        return _conversing(super()._body(request, wire), request, self.parameters)


class AnthropicTarget(_Served, AnthropicEndpoint):
    """``anthropic:MODEL`` as the chatbot under test; as `OpenAITarget`."""

    def _body(self, request: Request, wire: Wire) -> dict[str, Any]:
        return _conversing(super()._body(request, wire), request, self.parameters)


class LocalTarget(_Tuned, LocalEndpoint):
    """``local:FILE.gguf`` as the chatbot under test: each conversation has a seed of its own, so replicates differ."""

    def _body(self, request: Request, wire: Wire) -> dict[str, Any]:
        return _conversing(super()._body(request, wire), request, self.parameters)
