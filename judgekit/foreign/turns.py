"""A conversation taken apart: the reply at its end, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judgekit.foreign.conversation import asked, content_text

__all__ = ["Turned", "is_conversation", "take_reply"]

_ROLES = {
    "user": "user human customer client prompter question",
    "assistant": "assistant gpt chatgpt bot ai model agent chatbot bing bard claude answer",
    "system": "system developer",
}
_MEANS = {word: role for role, words in _ROLES.items() for word in words.split()}
_KEYS = (("role", "content"), ("from", "value"), ("role", "value"), ("role", "text"), ("speaker", "text"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """The last reply of a conversation and what it answers.

    ``text`` is None where there is no reply, and ``why`` says so; ``system`` is what the chatbot was set up with.
    """

    text: str | None
    context: str | None
    system: str | None = None
    why: str = ""


def _keys(messages: Sequence[Any]) -> tuple[str, str] | None:
    if not messages or not all(isinstance(m, Mapping) for m in messages):
        return None
    return next(((role, said) for role, said in _KEYS if all(role in m and said in m for m in messages)), None)


def is_conversation(value: Any) -> bool:
    """Whether a value is a list of messages: ``role`` and ``content``, or ``from`` and ``value``.

    Examples
    --------
    >>> is_conversation([{"from": "human", "value": "Hi"}]), is_conversation(["Hi"])
    (True, False)
    """
    return isinstance(value, list) and _keys(value) is not None


def take_reply(messages: Sequence[Any], before: Sequence[Any] = ()) -> Turned:
    """The reply that a conversation ends with.

    Parameters
    ----------
    messages : sequence of mapping
        As `is_conversation` knows them. What follows the last word of chatbot or person (results of tools) is left out.
    before : sequence of mapping
        Messages that came first, where a file keeps prompt and reply apart.

    Returns
    -------
    Turned

    Examples
    --------
    >>> found = take_reply([{"from": "human", "value": "Where is it?"}, {"from": "gpt", "value": "On its way."}])
    >>> found.text, found.context
    ('On its way.', 'Where is it?')
    >>> take_reply([{"role": "user", "content": "Where is it?"}]).why
    'the conversation ends before a reply'
    """
    turns = [*_plain(before), *_plain(messages)]
    system = "\n".join(t["content"] for t in turns if t["role"] == "system" and t["content"]) or None
    spoken = [t for t in turns if t["role"] in {"user", "assistant"}]
    if not spoken or spoken[-1]["role"] != "assistant":
        return Turned(text=None, context=asked(spoken), system=system, why="the conversation ends before a reply")
    context = asked(spoken[:-1])
    text = spoken[-1]["content"]
    if not spoken[-1]["worded"]:
        return Turned(text=None, context=context, system=system, why="the last message has no words")
    return Turned(text=text, context=context, system=system)


def _plain(messages: Sequence[Any]) -> list[dict[str, Any]]:
    """Messages with our two keys and the three roles; other roles keep their name."""
    keys = _keys(messages)
    if keys is None:
        return []
    said = [(str(m[keys[0]]).strip().casefold(), m[keys[1]]) for m in messages]
    return [
        {
            "role": _MEANS.get(role, role),
            "content": content_text(content),
            # An empty text was said; nothing, or parts without one, is a call of a tool or an image.
            "worded": isinstance(content, str) or bool(content_text(content)),
        }
        for role, content in said
    ]
