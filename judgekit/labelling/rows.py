"""Lines of a screen as data: pieces of text with a named style, cut and padded by cell width."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len, set_cell_size

from judgekit.labelling.display import Shown, make_shown, wrap
from judgekit.labelling.words import words_for
from judgekit.records import LabelTask

__all__ = [
    "Document",
    "Piece",
    "Row",
    "Style",
    "columns",
    "fit",
    "make_document",
    "paragraph",
    "plain_text",
    "width_of",
]

Style = Literal["text", "dim", "bold", "title", "key", "placeholder", "substitute", "good", "alert", "rule", "input"]
Piece = tuple[str, Style]
Row = tuple[Piece, ...]


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
        blocks.append((words["context"], task.context, "dim"))
    other = task.text_b
    if other is None:
        blocks.append((words["reply"], task.text, "text"))
        return Document(_stacked(blocks, width), width)
    left, right = (task.text, other) if shown_first != "b" else (other, task.text)
    if width < 90:
        blocks += [(words["reply_left"], left, "text"), (words["reply_right"], right, "text")]
        return Document(_stacked(blocks, width), width)
    lines = _stacked(blocks, width)
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
