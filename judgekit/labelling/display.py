"""Foreign text made ready for the screen: hidden characters visible, lines cut by cell width, nothing obeyed or lost."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len, set_cell_size, split_graphemes

from judgekit.labelling.words import words_for
from judgekit.printable import line_ends, marked
from judgekit.records import LabelTask

__all__ = [
    "Document",
    "Kind",
    "Piece",
    "Row",
    "Shown",
    "Style",
    "columns",
    "fit",
    "make_document",
    "make_shown",
    "paragraph",
    "plain_text",
    "width_of",
    "wrap",
]

Kind = Literal["text", "substitute", "placeholder"]
Style = Literal["text", "dim", "bold", "title", "key", "placeholder", "substitute", "good", "alert", "rule", "input"]
Piece = tuple[str, Style]
Row = tuple[Piece, ...]


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
        Any text, lone surrogates included. Line breaks stay, those of Windows as plain ones; every other control or invisible character becomes a
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
    for piece, substitute in marked(line_ends(text), keep="\n"):
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


# --- rows of a screen ------------------------------------------------------------------------------------------


def width_of(row: Row) -> int:
    """Cells of a row."""
    return sum(cell_len(text) for text, _ in row)


def plain_text(row: Row) -> str:
    """The row without its styles."""
    return "".join(text for text, _ in row)


def fit(row: Row, width: int) -> Row:
    """Cut or pad a row to a width; what was cut off shows as ``…``.

    Examples
    --------
    >>> plain_text(fit((("abcdef", "text"),), 4)), plain_text(fit((("ab", "text"),), 4))
    ('abc…', 'ab  ')
    """
    total = width_of(row)
    if total <= width:
        return (*row, (" " * (width - total), "text")) if total < width else row
    kept: list[Piece] = []
    left = width - 1
    for text, style in row:
        cells = cell_len(text)
        if cells > left:
            # A wide character on the edge becomes a space: the row keeps its width.
            kept.append((set_cell_size(text, left), style))
            left = 0
            break
        kept.append((text, style))
        left -= cells
    kept.append((" " * left + "…", "dim"))
    return tuple(kept)


def columns(left: Sequence[Row], right: Sequence[Row], left_width: int, right_width: int) -> list[Row]:
    """Two blocks beside each other with a line between them."""
    height = max(len(left), len(right))
    empty: Row = ()
    return [
        (
            *fit(left[n] if n < len(left) else empty, left_width),
            (" │ ", "rule"),
            *fit(right[n] if n < len(right) else empty, right_width),
        )
        for n in range(height)
    ]


def paragraph(text: str, width: int, style: Style = "text", *, indent: str = "") -> list[Row]:
    """Foreign or own text wrapped to a width, with substitutes and placeholders marked.

    Parameters
    ----------
    text : str
        Any text.
    width : int
        Cells, the indent included.
    style : Style
        For what is neither substitute nor placeholder.
    indent : str
        Stands before every line.
    """
    shown = make_shown(text)
    return [
        _line(shown, start, end, style, indent) for start, end in wrap(shown.text, max(2, width - cell_len(indent)))
    ]


def _line(shown: Shown, start: int, end: int, style: Style, indent: str = "") -> Row:
    if shown.text[start:end].endswith("\n"):
        end -= 1
    while end > start and shown.text[end - 1] == " ":
        end -= 1
    pieces: list[Piece] = [(text, style if kind == "text" else kind) for text, kind in shown.pieces(start, end)]
    return ((indent, style), *pieces) if indent else tuple(pieces)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A line of one block, built when it is painted: a long text has thousands of them."""

    shown: Shown
    start: int
    end: int
    style: Style

    def row(self) -> Row:
        return _line(self.shown, self.start, self.end, self.style)


class Document:
    """What a rater reads of one item: context, then the reply or the two replies, wrapped to a width.

    Parameters
    ----------
    lines : sequence of (place, cells)
        Each line's place in the text, which does not depend on the width, and its cells: one, or two beside
        each other.
    width : int
        Cells of a line.
    """

    def __init__(self, lines: Sequence[tuple[tuple[int, int], tuple[_Cell, ...]]], width: int) -> None:
        self._lines = lines
        self.width = width

    def __len__(self) -> int:
        return len(self._lines)

    def row(self, line: int) -> Row:
        """One line, ready for the screen."""
        cells = self._lines[line][1]
        if len(cells) == 1:
            return cells[0].row()
        half = (self.width - 3) // 2
        return columns([cells[0].row()], [cells[1].row()], half, half)[0]

    def place(self, line: int) -> tuple[int, int]:
        """Where a line stands in the text, whatever the width."""
        return self._lines[min(line, len(self._lines) - 1)][0]

    def line_at(self, place: tuple[int, int]) -> int:
        """The line that holds a place."""
        return max(0, bisect_right([at for at, _ in self._lines], place) - 1)


def _block(number: int, text: str, width: int, style: Style) -> list[tuple[tuple[int, int], _Cell]]:
    shown = make_shown(text)
    return [((number, start), _Cell(shown, start, end, style)) for start, end in wrap(shown.text, width)]


def make_document(task: LabelTask, width: int, lang: str, *, shown_first: str | None = None) -> Document:
    """Lay out an item for reading.

    Parameters
    ----------
    task : LabelTask
        The item; for a pair its second reply is ``text_b``.
    width : int
        Cells there are.
    lang : str
        The rater's language, for the headings.
    shown_first : {'a', 'b'}, optional
        For a pair: which reply stands left (or above).

    Returns
    -------
    Document
    """
    words = words_for(lang)
    blocks: list[tuple[str, str, Style]] = []
    if task.context is not None:
        blocks.append((words["context"], task.context, "text"))
    other = task.text_b
    if other is None:
        blocks.append((words["reply"], task.text, "text"))
        return Document(_stacked(blocks, width), width)
    left, right = (task.text, other) if shown_first != "b" else (other, task.text)
    if width < 90:
        blocks += [(words["reply_left"], left, "text"), (words["reply_right"], right, "text")]
        return Document(_stacked(blocks, width), width)
    # An empty heading leaves a line between the context and what stands below it.
    lines = _stacked([*blocks, ("", "", "text")], width)[:-2] if blocks else []
    half = (width - 3) // 2
    sides = [
        [*_block(90, title, half, "title"), *_block(91, text, half, "text")]
        for title, text in ((words["reply_left"], left), (words["reply_right"], right))
    ]
    blank = _Cell(Shown("", ()), 0, 0, "text")
    for n in range(max(map(len, sides))):
        cells = tuple(side[n][1] if n < len(side) else blank for side in sides)
        lines.append(((92, n), cells))
    return Document(lines, width)


def _stacked(blocks: Sequence[tuple[str, str, Style]], width: int) -> list[tuple[tuple[int, int], tuple[_Cell, ...]]]:
    lines: list[tuple[tuple[int, int], tuple[_Cell, ...]]] = []
    for n, (title, text, style) in enumerate(blocks):
        if n:
            lines += [(at, (cell,)) for at, cell in _block(3 * n - 1, "", width, "text")]
        lines += [(at, (cell,)) for at, cell in _block(3 * n, title, width, "title")]
        lines += [(at, (cell,)) for at, cell in _block(3 * n + 1, text, width, style)]
    return lines
