"""The one widget of the labelling app: it puts the rows of a picture on the screen, and only those that changed."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from judgekit.labelling.display import Row, Style
from judgekit.labelling.view import Picture

__all__ = ["Canvas"]

# The terminal's own colours, so that light and dark ones both stay readable. None of them is needed to tell a state.
_STYLES: dict[Style, RichStyle] = {
    "text": RichStyle(),
    "dim": RichStyle(dim=True),
    "bold": RichStyle(bold=True),
    "title": RichStyle(bold=True, color="blue"),
    "key": RichStyle(bold=True, color="cyan"),
    "placeholder": RichStyle(color="magenta"),
    "substitute": RichStyle(reverse=True),
    "good": RichStyle(color="green"),
    "alert": RichStyle(bold=True, color="red"),
    "rule": RichStyle(dim=True),
    "input": RichStyle(),
}
_PLAIN: dict[Style, RichStyle] = {
    name: RichStyle(bold=style.bold, dim=style.dim, reverse=style.reverse) for name, style in _STYLES.items()
}


class Canvas(Widget, can_focus=True):
    """The whole screen.

    Parameters
    ----------
    draw : callable
        Given width and height in cells, the picture to show.
    painted : callable
        Called after a picture was sent to the terminal, with whether the text's end shows.
    no_color : bool
        Use no colour at all, not even grey.
    """

    DEFAULT_CSS = "Canvas { width: 1fr; height: 1fr; background: ansi_default; color: ansi_default; }"

    def __init__(
        self, draw: Callable[[int, int], Picture], painted: Callable[[bool], None], *, no_color: bool = False
    ) -> None:
        super().__init__()
        self._draw = draw
        self._painted = painted
        self._rich = _PLAIN if no_color else _STYLES
        self.picture = Picture((), at_end=False)

    def show(self) -> None:
        """Draw again and repaint the rows that differ."""
        if self.size.width == 0 or self.size.height == 0:
            return
        before = self.picture.rows
        self.picture = self._draw(self.size.width, self.size.height)
        rows = self.picture.rows
        if len(before) != len(rows):
            self.refresh()
        elif changed := [n for n, row in enumerate(rows) if row != before[n]]:
            self.refresh(*(Region(0, n, self.size.width, 1) for n in changed))
        self.call_after_refresh(self._painted, self.picture.at_end)

    def on_resize(self, _event: events.Resize) -> None:
        """A new size: everything is laid out again."""
        self.picture = Picture((), at_end=False)
        self.show()

    def render_line(self, y: int) -> Strip:
        """One row; no markup and no control character can be in it."""
        rows = self.picture.rows
        row: Row = rows[y] if y < len(rows) else ()
        segments = [Segment(text, self._rich[style]) for text, style in row]
        return Strip(segments).adjust_cell_length(self.size.width)
