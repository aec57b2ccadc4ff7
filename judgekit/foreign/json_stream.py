"""Large JSON documents read piece by piece: what is wanted is decoded, the rest is passed over without being kept."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import IO, Any

import regex

from judgekit.errors import BadInput
from judgekit.files.json_text import decode_at, loads

__all__ = ["VALUE_LIMIT", "JsonReader"]

VALUE_LIMIT = 16_000_000
"""Characters that one value may have that is decoded as a whole: a reply with all that was said before it."""

_CHUNK = 1 << 18
_DEEPEST = 200
_SECONDS = 30.0
_STRING = regex.compile(r'"(?:[^"\\]++|\\.)*+"', regex.DOTALL)
_NEXT = regex.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\]"]', regex.DOTALL)
_SCALAR = regex.compile(r"[^\s,\]}:]++")
_SPACE = regex.compile(r"[ \t\r\n]*+")

_NOT_WHOLE: Any = object()
_AFTER = frozenset(" \t\r\n,:]}")


def _is_shallow(value: Any, depth: int) -> bool:
    if isinstance(value, dict):
        return depth > 0 and all(_is_shallow(v, depth - 1) for v in value.values() if isinstance(v, (dict, list)))
    if isinstance(value, list):
        return depth > 0 and all(_is_shallow(v, depth - 1) for v in value if isinstance(v, (dict, list)))
    return True


class JsonReader:
    r"""A JSON document from an open text file, in bounded memory.

    The reader stands before a value; `value` decodes it, `skip` passes over it, `members` and `items` go into it. Whoever
    goes through keys or items reads or skips each value before the next one.

    Parameters
    ----------
    handle : file object
        Text; read forwards once.
    path : str
        Named in errors.

    Examples
    --------
    >>> from io import StringIO
    >>> reader = JsonReader(StringIO('{"big": [1, [2]], "rows": [{"a": NaN}, {"a": 2}]}'), "f.json")
    >>> for key in reader.members():
    ...     if key == "rows":
    ...         print([reader.value() for _ in reader.items()])
    ...     else:
    ...         reader.skip()
    [{'a': None}, {'a': 2}]
    """

    def __init__(self, handle: IO[str], path: str) -> None:
        self._handle, self._path = handle, path
        self._buffer, self._at, self._ended = "", 0, False
        self._line = 1
        self.place = ""
        """What the caller says of where it is, for errors (``results[3]``)."""

    def _more(self, size: int | None = None) -> bool:
        """Read on; what lies before the place is forgotten. False at the end of the file."""
        try:
            read = self._handle.read(size or _CHUNK)
        except (OSError, UnicodeError, ValueError) as problem:
            raise BadInput(
                "the file cannot be read",
                path=self._path,
                why=str(problem)[:200],
                remedy="check the file, or write it again",
            ) from None
        self._line += self._buffer.count("\n", 0, self._at)
        self._buffer = self._buffer[self._at :] + read
        self._at = 0
        self._ended = self._ended or not read
        return bool(read)

    def problem(self, what: str, why: str | None = None) -> BadInput:
        """An error about the place where the reader stands."""
        return BadInput(
            what,
            path=self._path,
            line=self._line + self._buffer.count("\n", 0, self._at),
            field=self.place or None,
            seen=self._buffer[self._at : self._at + 60] or "the end of the file",
            why=why,
            remedy="check that the file was written and copied to its end",
        )

    def peek(self) -> str:
        """The next character that is no white space; empty at the end of the file."""
        while True:
            match = _SPACE.match(self._buffer, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._more():
                return ""

    def _take(self, expected: str) -> None:
        if self.peek() != expected:
            raise self.problem("not valid JSON", f"{expected!r} is expected here")
        self._at += 1

    def members(self) -> Iterator[str]:
        """Go into an object: its keys in order. A key that stands twice is refused.

        Raises
        ------
        BadInput
            The next value is no object, or the document is broken.
        """
        seen: set[str] = set()
        for _ in self._entries("{", "}"):
            if self.peek() != '"':
                raise self.problem("not valid JSON", "a key in quotes is expected here")
            key = str(self._decoded(self._text(VALUE_LIMIT)))
            if key in seen:
                raise self.problem("not usable as JSON", f"the key {key!r} stands twice")
            seen.add(key)
            self._take(":")
            yield key

    def items(self) -> Iterator[int]:
        """Go into a list: the numbers of its entries from 0.

        Raises
        ------
        BadInput
            The next value is no list, or the document is broken.
        """
        return self._entries("[", "]")

    def _entries(self, opening: str, closing: str) -> Iterator[int]:
        self._take(opening)
        if self.peek() == closing:
            self._at += 1
            return
        number = 0
        while True:
            yield number
            number += 1
            following = self.peek()
            if following == closing:
                self._at += 1
                return
            self._take(",")
            self.peek()

    def value(self, limit: int = VALUE_LIMIT) -> Any:
        """Decode the next value. ``NaN`` and numbers without end become None: a missing number.

        Raises
        ------
        BadInput
            It is not JSON, longer than ``limit`` characters, nested too deeply, or has a key twice.
        """
        self.peek()
        found = self._at_once()
        return self._decoded(self._text(limit)) if found is _NOT_WHOLE else found

    def chosen(self, wanted: Collection[str], limit: int = VALUE_LIMIT) -> dict[str, Any]:
        """Decode the next value, an object, as far as these keys; the others are passed over.

        Raises
        ------
        BadInput
            It is no object, or as `value`.
        """
        if self.peek() != "{":
            self._take("{")  # says what is wrong
        whole = self._at_once()
        if isinstance(whole, dict):
            return {key: value for key, value in whole.items() if key in wanted}
        found: dict[str, Any] = {}
        for key in self.members():
            if key in wanted:
                found[key] = self.value(limit)
            else:
                self.skip()
        return found

    def skip(self) -> None:
        """Pass over the next value without keeping it."""
        self.peek()
        if self._at_once() is _NOT_WHOLE:
            self._text(None)

    def end(self) -> None:
        """Make sure that nothing follows.

        Raises
        ------
        BadInput
            More text follows the document.
        """
        if self.peek():
            raise self.problem("not valid JSON", "one document is expected, and more follows it")

    def _at_once(self) -> Any:
        """Decode the next value if all of it is in the buffer: the quick way for all but large values.

        What is not usable is left where it is, so that the slow way says what is wrong.
        """
        if len(self._buffer) - self._at < _CHUNK // 2 and not self._ended:
            self._more()
        try:
            value, end = decode_at(self._buffer, self._at)
        except (ValueError, RecursionError):
            return _NOT_WHOLE
        # A number at the end of the buffer may go on behind it: "0." there is "0" and more.
        if self._buffer[end : end + 1] not in _AFTER:
            return _NOT_WHOLE
        # As many levels take as many brackets, which are quicker to count.
        brackets = self._buffer.count("{", self._at, end) + self._buffer.count("[", self._at, end)
        if brackets > _DEEPEST and not _is_shallow(value, _DEEPEST):
            return _NOT_WHOLE
        self._at = end
        return value

    def _decoded(self, text: str) -> Any:
        try:
            return loads(text, not_finite="missing")
        except BadInput as found:
            raise self.problem(found.what, found.why) from None

    def _text(self, limit: int | None) -> str:
        """Go past one value; its text, or nothing where no limit says that it is wanted."""
        pieces: list[str] = []
        first = self.peek()
        if first in "{[" and first:
            self._nested(pieces, limit)
        elif first == '"':
            self._string(pieces, limit)
        else:
            while (
                (match := _SCALAR.match(self._buffer, self._at)) and match.end() == len(self._buffer) and self._more()
            ):
                if len(self._buffer) > 10_000 + _CHUNK:
                    raise self.problem("not valid JSON", "a number or constant is that long")
            if match is None:
                raise self.problem("not valid JSON", "a value is expected here")
            self._go(match.end(), pieces, limit)
        return "".join(pieces)

    def _go(self, to: int, pieces: list[str], limit: int | None) -> None:
        if limit is not None:
            pieces.append(self._buffer[self._at : to])
            if sum(map(len, pieces)) > limit:
                raise self.problem("a value is too long", f"{limit:,} characters are read of one value")
        self._at = to

    def _string(self, pieces: list[str], limit: int | None) -> None:
        size = _CHUNK
        while (match := _STRING.match(self._buffer, self._at, timeout=_SECONDS)) is None:
            if len(self._buffer) - self._at > (limit or 4 * VALUE_LIMIT):
                raise self.problem("a value is too long", "a text has no end, or too many characters")
            if not self._more(size):
                raise self.problem("not valid JSON", "the file ends within a text")
            size *= 2  # a long text is matched from its start again each time
        self._go(match.end(), pieces, limit)

    def _nested(self, pieces: list[str], limit: int | None) -> None:
        depth = 0
        while True:
            stop = False
            at = self._at
            for match in _NEXT.finditer(self._buffer, self._at, timeout=_SECONDS):
                mark = match.group()
                if mark == '"':  # a text that goes on behind the buffer
                    at, stop = match.start(), True
                    break
                at = match.end()
                if mark in "{[":
                    depth += 1
                    if depth > _DEEPEST:
                        raise self.problem("not usable as JSON", "it is nested too deeply")
                elif mark in "}]":
                    depth -= 1
                    if depth == 0:
                        self._go(at, pieces, limit)
                        return
            self._go(at if stop else len(self._buffer), pieces, limit)
            if stop:
                self._string(pieces, limit)
            elif not self._more():
                raise self.problem("not valid JSON", "the file ends within a value")
