"""Foreign text made ready for the screen: hidden characters visible, lines cut by cell width, nothing obeyed or lost."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len, split_graphemes

from judgekit.printable import marked

__all__ = ["Kind", "Shown", "make_shown", "wrap"]

Kind = Literal["text", "substitute", "placeholder"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as it appears: ``text`` with visible substitutes, and ``marks`` (start, end, kind) that do not overlap."""

    text: str
    marks: tuple[tuple[int, int, Kind], ...]

    def pieces(self, start: int, end: int) -> Iterator[tuple[str, Kind]]:
        """The part from start to end, cut where its kind changes."""
        at = max(0, bisect_right(self.marks, (start, len(self.text) + 1, "text")) - 1)
        while start < end:
            while at < len(self.marks) and self.marks[at][1] <= start:
                at += 1
            if at == len(self.marks) or self.marks[at][0] >= end:
                yield self.text[start:end], "text"
                return
            mark_start, mark_end, kind = self.marks[at]
            if mark_start > start:
                yield self.text[start:mark_start], "text"
            yield self.text[max(start, mark_start) : min(end, mark_end)], kind
            start = min(end, mark_end)


def _placeholders(text: str) -> Iterator[tuple[int, int]]:
    start = text.find("[")
    while start >= 0:
        end = text.find("]", start + 1, start + 40)
        inside = text[start + 1 : end] if end > 0 else ""
        if inside and inside.isascii() and inside.replace("_", "").isalnum() and inside.upper() == inside:
            yield start, end + 1
        start = text.find("[", start + 1)


def make_shown(text: str) -> Shown:
    r"""Prepare foreign text for the screen.

    Parameters
    ----------
    text : str
        Any text, lone surrogates included. Line breaks stay; every other control or invisible character becomes a
        visible symbol.

    Returns
    -------
    Shown

    Examples
    --------
    >>> shown = make_shown("Dear [PERSON_1],\x1b[2J")
    >>> list(shown.pieces(0, len(shown.text)))
    [('Dear ', 'text'), ('[PERSON_1]', 'placeholder'), (',', 'text'), ('␛', 'substitute'), ('[2J', 'text')]
    """
    marks: list[tuple[int, int, Kind]] = []
    parts: list[str] = []
    position = 0
    for piece, substitute in marked(text, keep="\n"):
        if substitute:
            marks.append((position, position + len(piece), "substitute"))
        else:
            marks += [(position + a, position + b, "placeholder") for a, b in _placeholders(piece)]
        parts.append(piece)
        position += len(piece)
    return Shown("".join(parts), tuple(marks))


def wrap(text: str, width: int) -> list[tuple[int, int]]:
    r"""Cut text into lines of at most ``width`` cells, between words where it can.

    Parameters
    ----------
    text : str
        As in `Shown`: no control characters but line breaks.
    width : int
        Cells, at least 2 (a wide character needs two).

    Returns
    -------
    list of (int, int)
        Start and end of every line. A line break belongs to the line it ends, as do spaces at its end (which may reach
        beyond ``width`` and are not visible there); so the lines joined are the text.

    Examples
    --------
    >>> text = "one two three\nfour"
    >>> [text[a:b] for a, b in wrap(text, 8)]
    ['one two ', 'three\n', 'four']
    """
    width = max(2, width)
    lines: list[tuple[int, int]] = []
    start = 0
    while start <= len(text):
        stop = text.find("\n", start)
        end = len(text) if stop < 0 else stop
        lines += _wrap_paragraph(text, start, end, width)
        if stop < 0:
            break
        lines[-1] = (lines[-1][0], stop + 1)
        start = stop + 1
    return lines


def _wrap_paragraph(text: str, start: int, end: int, width: int) -> list[tuple[int, int]]:
    paragraph = text[start:end]
    if not paragraph.isascii() and any(cell_len(char) != 1 for char in set(paragraph)):
        return [(start + a, start + b) for a, b in _wrap_wide(paragraph, width)]
    lines: list[tuple[int, int]] = []
    while end - start > width:
        cut = text.rfind(" ", start, start + width + 1)
        cut = start + width if cut < start else cut + 1
        while cut < end and text[cut] == " ":
            cut += 1
        lines.append((start, cut))
        start = cut
    if start < end or not lines:
        lines.append((start, end))
    return lines


def _wrap_wide(paragraph: str, width: int) -> list[tuple[int, int]]:
    lines: list[tuple[int, int]] = []
    start = used = 0
    last_space = -1
    used_at_space = 0
    for begin, stop, cells in split_graphemes(paragraph)[0]:
        space = paragraph[begin:stop] == " "
        if used + cells > width and not space:
            if last_space > start:
                lines.append((start, last_space))
                start, used = last_space, used - used_at_space
            if used + cells > width:
                lines.append((start, begin))
                start, used = begin, 0
            last_space = -1
        used += cells
        if space:
            last_space, used_at_space = stop, used
    lines.append((start, len(paragraph)))
    return lines
