"""Small tables for notebooks: every word in them is escaped and made printable, since it may come from a reply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from judgekit.printable import printable

__all__ = ["html_table"]

_MOST_ROWS = 60


def html_table(
    headers: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", notes: Sequence[str] = ()
) -> str:
    """A table as HTML.

    Parameters
    ----------
    headers : sequence of str
        Column titles.
    rows : iterable of sequence
        Cells: None is shown as a dash, a number with a part behind the point with two digits.
    title : str
        The table's caption.
    notes : sequence of str
        Lines below it.

    Returns
    -------
    str
        Without scripts and styles; of more than 60 rows the first 60 are shown and the others counted.

    Examples
    --------
    >>> html_table(["metric", "gap"], [["<b>", -0.25]])
    '<table><thead><tr><th scope="col">metric</th><th scope="col">gap</th></tr></thead><tbody><tr><td>&lt;b&gt;</td><td>-0.25</td></tr></tbody></table>'
    """
    every = list(rows)
    caption = f"<caption>{_safe(title)}</caption>" if title else ""
    head = "".join(f'<th scope="col">{_safe(name)}</th>' for name in headers)
    body = "".join(f"<tr>{''.join(f'<td>{_safe(cell)}</td>' for cell in row)}</tr>" for row in every[:_MOST_ROWS])
    more = [f"and {len(every) - _MOST_ROWS} more rows"] if len(every) > _MOST_ROWS else []
    below = "".join(f"<p>{_safe(line)}</p>" for line in [*more, *notes])
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"


def _safe(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.2f}"
    return escape(printable(str(value)))
