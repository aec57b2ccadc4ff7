"""The marks of a plot as inline SVG: places in percent of the width, so that text and strokes keep their size on any screen.

Everything is drawn with classes; colours stand in the style sheet alone, which knows light, dark and paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Literal

from judgekit.page.scale import Scale
from judgekit.printable import printable

__all__ = ["Shape", "axis", "band", "bar", "dot", "key", "line_at", "span", "track"]

Shape = Literal["raw", "main", "people", "plain", "bound", "second"]

_HEIGHT = 26
_MIDDLE = _HEIGHT // 2
_SHAPES: dict[Shape, str] = {
    "raw": '<circle class="open" r="5"/>',
    "main": '<path class="full" d="M0-6.5 6.5 0 0 6.5-6.5 0Z"/>',
    "people": '<rect class="other" x="-5" y="-5" width="10" height="10"/>',
    "plain": '<circle class="full" r="4.5"/>',
    "bound": '<path class="stroke" d="M0-8V8M0-8H5M0 8H5"/>',
    "second": '<path class="other" d="M0-6 6 5-6 5Z"/>',
}


def _percent(place: float) -> str:
    return f"{place:g}%"


def dot(scale: Scale, value: float, shape: Shape) -> str:
    """One mark at a value."""
    return (
        f'<svg x="{_percent(scale.place(value))}" y="{_MIDDLE}" width="1" height="1" overflow="visible">'
        f"{_SHAPES[shape]}</svg>"
    )


def span(scale: Scale, low: float, high: float) -> str:
    """An interval; an end that lies beyond the scale, or is infinite, runs to the edge."""
    a, b = _percent(scale.place(low)), _percent(scale.place(high))
    return f'<line class="span" x1="{a}" x2="{b}" y1="{_MIDDLE}" y2="{_MIDDLE}"/>'


def band(scale: Scale, low: float, high: float) -> str:
    """The range that counts as small."""
    a, b = scale.place(low), scale.place(high)
    return f'<rect class="band" x="{_percent(a)}" width="{_percent(round(b - a, 2))}" y="0" height="{_HEIGHT}"/>'


def line_at(scale: Scale, value: float, kind: Literal["zero", "limit"]) -> str:
    """A vertical line through the row: zero, or a threshold."""
    x = _percent(scale.place(value))
    return f'<line class="{kind}" x1="{x}" x2="{x}" y1="0" y2="{_HEIGHT}"/>'


def bar(share: float, part: float = 0.0) -> str:
    """A bar from the left over a share of the width in [0, 1]; ``part`` of the width after it is drawn as lost."""
    kept = f'<rect class="full" x="0" y="5" height="{_HEIGHT - 10}" width="{_percent(round(100 * share, 2))}"/>'
    if not part:
        return kept
    x, width = _percent(round(100 * share, 2)), _percent(round(100 * part, 2))
    return f'{kept}<rect class="lost" x="{x}" y="5" height="{_HEIGHT - 10}" width="{width}"/>'


def track(parts: Iterable[str], told: str) -> str:
    """A row of a plot, with what it shows in words.

    Parameters
    ----------
    parts : iterable of str
        Marks, the ones behind first.
    told : str
        Alternative text; foreign text in it is made printable and escaped.

    Returns
    -------
    str
        An ``svg`` element.
    """
    return (
        f'<svg class="track" width="100%" height="{_HEIGHT}" role="img" aria-label="{escape(printable(told))}">'
        f"{''.join(parts)}</svg>"
    )


def axis(scale: Scale, *, signed: bool = False) -> str:
    """The ticks under the rows; screen readers skip them, since every row has its numbers in words."""
    ticks = []
    for tick in scale.ticks:
        place = scale.place(tick)
        x, anchor = _percent(place), "start" if place < 5 else "end" if place > 95 else "middle"
        ticks.append(
            f'<line class="tick" x1="{x}" x2="{x}" y1="0" y2="5"/>'
            f'<text x="{x}" y="18" text-anchor="{anchor}">{escape(scale.words(tick, signed=signed))}</text>'
        )
    return (
        '<svg class="axis" width="100%" height="22" aria-hidden="true">'
        f'<line class="tick" x1="0" x2="100%" y1="0.5" y2="0.5"/>{"".join(ticks)}</svg>'
    )


def key(shapes: Sequence[Shape] | Literal["band", "limit"]) -> str:
    """A small picture for a legend; the words stand beside it."""
    if shapes == "band":
        inside = f'<rect class="band" width="22" height="{_HEIGHT - 8}"/>'
    elif shapes == "limit":
        inside = f'<line class="limit" x1="11" x2="11" y1="0" y2="{_HEIGHT - 8}"/>'
    else:
        inside = "".join(f'<g transform="translate(11 9)">{_SHAPES[s]}</g>' for s in shapes if s in _SHAPES)
    return f'<svg class="key" width="22" height="{_HEIGHT - 8}" aria-hidden="true">{inside}</svg>'
