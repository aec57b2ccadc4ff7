"""A whole product as the chatbot under test: a program or a Python function that gets the conversation."""

from __future__ import annotations

import inspect
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.endpoints.command import CommandEndpoint
from judgekit.endpoints.functions import PythonEndpoint
from judgekit.files.manifest import file_sha256

__all__ = ["CommandTarget", "PythonTarget", "code_of_command", "conversation_of"]

_MAY_SAY = frozenset({"text", "served_model", "finish_reason", "logprobs"})


def conversation_of(request: Request) -> dict[str, Any]:
    """What a program or function is given of a conversation.

    Parameters
    ----------
    request : Request

    Returns
    -------
    dict
        ``id`` (opaque; the same for the same conversation in every attempt), ``system``, ``messages`` (role and content),
        ``lang`` and ``parameters``. Nothing in it says which group or template this is.

    Examples
    --------
    >>> from judgekit.records import Turn
    >>> request = Request(request_key="k", system="Be brief.", prompt="", text="", context=None, lang="en", dimensions={},
    ...                   turns=(Turn("user", "Hi"),), conversation="c1")
    >>> conversation_of(request)["messages"]
    [{'role': 'user', 'content': 'Hi'}]
    """
    return {
        "id": request.conversation,
        "system": request.system,
        "messages": [{"role": turn.role, "content": turn.content} for turn in request.turns],
        "lang": request.lang,
        "parameters": dict(request.parameters),
    }


class CommandTarget(CommandEndpoint):
    """``command:CMD``: one process per conversation, the document of `conversation_of` as JSON on its standard input.

    What it prints is the reply. Faults, time limit and environment are those of `endpoints.command.CommandEndpoint`.
    """

    @property
    def code(self) -> dict[str, str]:
        """SHA-256 of the files that the command names."""
        return code_of_command(self._argv)

    async def send(self, request: Request) -> RawAnswer:
        """Run the program once."""
        document = json.dumps(conversation_of(request), ensure_ascii=True)
        return await super().send(replace(request, system="", prompt=document + "\n"))


class PythonTarget(PythonEndpoint):
    """``python:pkg.mod:func``: a function, or coroutine function, called with the document of `conversation_of`.

    It returns the reply's text, or a mapping with ``text`` and, where it knows them, ``served_model``, ``finish_reason``
    and ``logprobs``: for each token its text, its bytes or None, its natural log-probability, and the most probable tokens
    in its place with theirs. Anything else is the error ``crashed``.
    """

    served: tuple[str | None, str | None] | None = None
    """Served model of the first answer, where the function tells it."""

    def _given(self, request: Request) -> Any:
        return conversation_of(request)

    def _answer(self, result: Any, request: Request) -> RawAnswer:  # noqa: ARG002 - the reply stands for itself
        if isinstance(result, str):
            return RawAnswer(raw=str(result))
        if not isinstance(result, Mapping) or not isinstance(result.get("text"), str) or set(result) - _MAY_SAY:
            raise TypeError(
                f"the function returned a {type(result).__name__}; a chatbot returns its reply's text, or a mapping with "
                f"text and perhaps {', '.join(sorted(_MAY_SAY - {'text'}))}"
            )
        logprobs = result.get("logprobs")
        return RawAnswer(
            raw=str(result["text"]),
            served_model=_text(result.get("served_model")),
            finish_reason=_text(result.get("finish_reason")),
            logprobs=None if logprobs is None else json.dumps(logprobs, ensure_ascii=True, allow_nan=False),
        )

    @property
    def code(self) -> str | None:
        """SHA-256 of the file that holds the function; None where there is none to read."""
        try:
            place = inspect.getsourcefile(inspect.unwrap(self._function))
        except TypeError:
            return None
        return None if place is None or not Path(place).is_file() else file_sha256(place)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def code_of_command(argv: Sequence[str]) -> dict[str, str]:
    """SHA-256 of every file that a command names, by its place among the words: another program is another system.

    Parameters
    ----------
    argv : sequence of str
        The command's words; the first is also looked up in the search path.

    Returns
    -------
    dict of str to str

    Examples
    --------
    >>> sorted(code_of_command(["cat", "no such file"]))
    ['0']
    """
    found = {}
    for place, word in enumerate(argv):
        path = Path((shutil.which(word) if place == 0 else None) or word)
        if path.is_file():
            found[str(place)] = file_sha256(path)
    return found
