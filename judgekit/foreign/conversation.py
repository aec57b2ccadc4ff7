"""What a reply answers, from the messages that were sent: the one user message, or the whole exchange as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.errors import BadInput
from judgekit.files.json_text import loads

__all__ = ["asked", "content_text", "messages_in"]


def content_text(content: Any) -> str:
    """The text of a message's content: a text, or a list of parts of which the texts are taken.

    Examples
    --------
    >>> content_text([{"type": "text", "text": "Where is it?"}, {"type": "image", "image": "..."}])
    'Where is it?'
    """
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, Sequence):
        return ""
    parts = [
        part if isinstance(part, str) else part.get("text") for part in content if isinstance(part, (str, Mapping))
    ]
    return "\n".join(part for part in parts if isinstance(part, str))


def asked(messages: Sequence[Any]) -> str | None:
    r"""What a reply answers.

    Parameters
    ----------
    messages : sequence of mapping
        With ``role`` and ``content``, in order, without the reply.

    Returns
    -------
    str or None
        The user's message where there is one; of a longer exchange each turn on a line with its role. System messages
        are left out: they are the chatbot's set-up. None where no user says anything.

    Examples
    --------
    >>> asked([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Where is it?"}])
    'Where is it?'
    >>> print(asked([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"},
    ...              {"role": "user", "content": "Where is it?"}]))
    user: Hi
    assistant: Hello
    user: Where is it?
    """
    turns = [
        (str(m.get("role")), content_text(m.get("content")))
        for m in messages
        if isinstance(m, Mapping) and str(m.get("role")) in {"user", "assistant", "human", "ai"}
    ]
    turns = [(role, said) for role, said in turns if said]
    if not any(role in {"user", "human"} for role, _ in turns):
        return None
    return turns[0][1] if len(turns) == 1 else "\n".join(f"{role}: {said}" for role, said in turns)


def messages_in(prompt: str) -> list[Any] | None:
    """The messages of a prompt that is written as a JSON list of them; None for any other prompt."""
    if not prompt.lstrip().startswith("["):
        return None
    try:
        found = loads(prompt)
    except BadInput:
        return None
    known = isinstance(found, list) and found and all(isinstance(m, dict) and "role" in m for m in found)
    return found if known else None
