"""Where a data set's rows hold the reply: at the end of a conversation, in a column, in two, or in a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judgekit.errors import BadInput
from judgekit.files.columns import REPLIES
from judgekit.foreign.fields import bare
from judgekit.foreign.imported import Request
from judgekit.foreign.turns import is_conversation, take_reply
from judgekit.intake.words import folded, header_words

__all__ = ["Layout", "Piece", "find_layout"]

_TEXTS = (*("text", *REPLIES["text"]), "generated_text", "generation", "model_output", "assistant", "model_response")
_LISTS = ("responses", "completions", "generations", "outputs", "replies", "answers", "samples", "candidates")
_TALKS = ("messages", "conversations", "conversation", "chat", "dialog", "dialogue", "turns")
_ASKS = ("prompt", "question", "instruction", "query", "input", "user_input", "message")
_SIDES = ("chosen", "rejected")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One reply of a record. ``text`` is None where there is none, and ``why`` says so; ``suffix`` goes behind the id."""

    text: str | None
    context: str | None
    system: str | None = None
    why: str = ""
    suffix: str = ""
    side: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Which fields hold the replies, and what was said before them."""

    kind: str
    text: str
    why: str
    context: str | None = None
    context_why: str = ""
    before: str | None = None
    used: frozenset[str | None] = frozenset()
    has_system: bool = False
    note: str = ""

    @property
    def words(self) -> str:
        """The layout for people."""
        return {
            "talk": "conversations",
            "sides": "chosen and rejected",
            "list": "lists of replies",
            "column": "a column of replies",
        }[self.kind]

    @property
    def own(self) -> tuple[str, ...]:
        """Canonical columns that the layout fills itself."""
        return ("context",) if self.context else ()

    @staticmethod
    def by_names(names: Sequence[str]) -> bool:
        """Whether a file's columns are those of replies or conversations."""
        low = {name.strip().casefold() for name in names}
        return bool(low & {*_TEXTS, *_TALKS, *_LISTS}) or set(_SIDES) <= low

    def pieces(self, fields: Mapping[str, Any]) -> Iterator[Piece]:
        """The replies of one record."""
        if self.kind == "sides":
            for side in _SIDES:
                yield self._of_side(fields, side)
        elif self.kind == "talk":
            before = fields.get(self.before) if self.before else None
            yield self._of_talk(fields.get(self.text), before, "", None)
        elif self.kind == "list":
            found = fields.get(self.text)
            texts = found if isinstance(found, list) else []
            for number, text in enumerate(texts or [None], 1):
                yield self._of_text(text, fields, f"-{number}" if len(texts) > 1 else "", None)
        else:
            yield self._of_text(fields.get(self.text), fields, "", None)

    def _of_side(self, fields: Mapping[str, Any], side: str) -> Piece:
        value = fields.get(side)
        if is_conversation(value):
            return self._of_talk(value, fields.get(self.before) if self.before else None, f"-{side}", side)
        return self._of_text(value, fields, f"-{side}", side)

    def _of_talk(self, value: Any, before: Any, suffix: str, side: str | None) -> Piece:
        if not is_conversation(value):
            why = "there is no conversation" if not value else "the conversation is not a list of messages"
            return Piece(text=None, context=None, why=why, suffix=suffix, side=side)
        first = before if is_conversation(before) else []
        if isinstance(before, str) and before:
            first = [{"role": "user", "content": before}]
        found = take_reply(value, first)
        return Piece(
            text=found.text, context=found.context, system=found.system, why=found.why, suffix=suffix, side=side
        )

    def _of_text(self, value: Any, fields: Mapping[str, Any], suffix: str, side: str | None) -> Piece:
        context, system = self._asked(fields)
        text = value if isinstance(value, str) else None
        why = "" if text is not None else "there is no text" if value is None else f"{self.text} is no text"
        return Piece(text=text, context=context, system=system, why=why, suffix=suffix, side=side)

    def _asked(self, fields: Mapping[str, Any]) -> tuple[str | None, str | None]:
        said = fields.get(self.before) if self.before else None
        if isinstance(said, list) and is_conversation(said):
            # A reply is put behind the prompt, since a conversation is taken apart at its last reply.
            found = take_reply([*said, _reply_like(said)])
            return found.context, found.system
        context = said if isinstance(said, str) else None
        more = fields.get("input") if self.before == "instruction" else None
        if context is not None and isinstance(more, str) and more.strip():
            context = f"{context}\n\n{more}"
        return context, None


def _reply_like(messages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    first = messages[0]
    role = next(k for k in ("role", "from", "speaker") if k in first)
    said = next(k for k in ("content", "value", "text") if k in first)
    return {role: "assistant", said: "…"}


def find_layout(fields: Sequence[Mapping[str, Any]], request: Request) -> Layout:
    """Find out where the replies are.

    Parameters
    ----------
    fields : sequence of mapping
        The flattened fields of the first records.
    request : Request
        ``columns["text"]`` is what the user says.

    Returns
    -------
    Layout

    Raises
    ------
    BadInput
        Nothing looks like replies, or several columns do.
    """
    names = list(dict.fromkeys(name for f in fields for name in f))
    talks = [n for n in names if _mostly(fields, n, is_conversation)]
    stated = request.columns.get("text")
    if stated is not None:
        name = _named(stated, names, request)
        return _layout_of(name, names, talks, fields, "as you say", request)
    low = {n.casefold(): n for n in names}
    if all(side in low for side in _SIDES):
        return _sides(names, talks)
    for want in _TALKS:
        if low.get(want) in talks:
            return _layout_of(low[want], names, talks, fields, "a column of conversations", request)
    texts = [n for want in _TEXTS for n in names if folded(bare(n)) == want]
    texts += [n for n in names if n not in texts and folded(n) in header_words("text")]
    lists = [n for n in names if folded(bare(n)) in _LISTS and _mostly(fields, n, _is_texts)]
    if texts:
        return _layout_of(_only(texts, request), names, talks, fields, "a usual name of it", request)
    if lists or talks:
        why = "a list of replies" if lists else "a column of conversations"
        return _layout_of(_only(lists or talks, request), names, talks, fields, why, request)
    raise BadInput(
        "no column of replies",
        path=request.path,
        seen=", ".join(names[:20]),
        why=f"looked for conversations ({', '.join(_TALKS[:3])}), texts ({', '.join(_TEXTS[:8])}), lists ({', '.join(_LISTS[:3])})"
        " and chosen beside rejected",
        remedy="name it: --column text=FIELD",
    )


def _mostly(fields: Sequence[Mapping[str, Any]], name: str, test: Any) -> bool:
    filled = [f[name] for f in fields if f.get(name)]
    return bool(filled) and sum(map(test, filled)) * 2 > len(filled)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(v is None or isinstance(v, str) for v in value)


def _named(said: str, names: Sequence[str], request: Request) -> str:
    ends = [n for n in names if bare(n) == said]
    if said in names or len(ends) == 1:
        return said if said in names else ends[0]
    raise BadInput(
        "no such field in the file" if not ends else "several fields end so",
        path=request.path,
        field="--column",
        seen=f"text={said}",
        why=f"it has {', '.join(list(ends or names)[:30])}",
        remedy="write --column text=FIELD with a name from there",
    )


def _only(found: Sequence[str], request: Request) -> str:
    """The best of several names: the only one at the top, else the only one at all."""
    top = [n for n in found if "." not in n] or list(found)
    if len(top) == 1:
        return top[0]
    raise BadInput(
        f"several columns could be the reply: {', '.join(top[:6])}",
        path=request.path,
        seen=", ".join(top[:6]),
        why="only one can be meant, and guessing could take the wrong one",
        remedy=f"say which: --column text={top[0]}",
    )


def _layout_of(
    name: str,
    names: Sequence[str],
    talks: Sequence[str],
    fields: Sequence[Mapping[str, Any]],
    why: str,
    request: Request,
) -> Layout:
    before = _before(name, names, fields, request)
    kind = "talk" if name in talks else "list" if _mostly(fields, name, _is_texts) else "column"
    if kind == "talk":
        before = before if before in talks or (before and folded(bare(before)) == "prompt") else None
        context_why = "what was said before the reply"
    else:
        context_why = "what was said to the chatbot"
    context = before or (name if kind == "talk" else None)
    used: set[str | None] = {name, before}
    if before == "instruction" and "input" in names and kind != "talk":
        used.add("input")
        context_why = "instruction and input together"
    return Layout(
        kind=kind,
        text=name,
        why=why,
        context=context,
        context_why=context_why,
        before=before,
        used=frozenset(used),
        has_system=kind == "talk" or before in talks,
        note="a record with several replies gives several rows" if kind == "list" else "",
    )


def _before(name: str, names: Sequence[str], fields: Sequence[Mapping[str, Any]], request: Request) -> str | None:
    """The field with what the reply answers."""
    if "context" in request.columns:
        return None
    low = {folded(n): n for n in names}
    if {"instruction", "input"} <= set(low) and low["instruction"] != name:
        return low["instruction"]
    found = [low[want] for want in _ASKS if want in low and low[want] != name]
    return next((n for n in found if _mostly(fields, n, lambda v: isinstance(v, str) or is_conversation(v))), None)


def _sides(names: Sequence[str], talks: Sequence[str]) -> Layout:
    before = next((n for n in names if n.casefold() == "prompt"), None)
    is_talk = _SIDES[0] in talks
    return Layout(
        kind="sides",
        text="chosen, rejected",
        why="two replies to each prompt",
        context=before or ("chosen" if is_talk else None),
        context_why="what was said before the reply",
        before=before,
        used=frozenset({*_SIDES, before}),
        has_system=is_talk,
        note="each record has two replies, told apart by hf_preference; take one with --column text=chosen",
    )
