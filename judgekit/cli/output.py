"""How commands speak: one JSON document or a table on standard output, progress on standard error."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import typer

from judgekit.printable import printable

__all__ = ["Progress", "emit", "say", "table"]


def emit(document: Any) -> None:
    """Print one JSON document on standard output, keys sorted, without ``NaN``."""
    from judgekit.files.atomic import to_jsonable

    typer.echo(json.dumps(to_jsonable(document), ensure_ascii=True, sort_keys=True, indent=1, allow_nan=False))


def say(message: str) -> None:
    """Print one line for the person at the terminal, on standard error."""
    typer.echo(printable(message, keep="\n"), err=True)


def table(headers: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Lay out rows as a plain table; every cell is made printable.

    Parameters
    ----------
    headers : sequence of str
        Column titles.
    rows : iterable of sequence
        Cells; a number with a decimal part is shown with three decimals.

    Returns
    -------
    str

    Examples
    --------
    >>> print(table(["metric", "gap"], [["warmth", -0.25]]))
    metric     gap
    ------  ------
    warmth  -0.250
    """
    body = [[_cell(c) for c in row] for row in rows]
    numeric = [bool(body) and all(_is_number(row[i]) for row in body) for i in range(len(headers))]
    widths = [max(len(h), *(len(row[i]) for row in body)) if body else len(h) for i, h in enumerate(headers)]

    def line(cells: Sequence[str]) -> str:
        return "  ".join(
            c.rjust(w) if right else c.ljust(w) for c, w, right in zip(cells, widths, numeric, strict=True)
        ).rstrip()

    return "\n".join([line(list(headers)), line(["-" * w for w in widths]), *(line(row) for row in body)])


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}"
    return printable(value)


def _is_number(cell: str) -> bool:
    return cell == "-" or cell.lstrip("+-").replace(".", "", 1).isdigit()


class Progress:
    """A line on standard error with what is done, the rate and the time left; silent where nobody looks.

    Parameters
    ----------
    what : str
        What is being done.
    total : int, optional
        How many there are.
    clock : callable
        Seconds, rising.
    """

    def __init__(self, what: str, total: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.what, self.total, self._clock = what, total, clock
        self._start = self._last = clock()
        self._live = sys.stderr.isatty()
        self._shown = False

    def __call__(self, done: int, *, failed: int = 0, cost: float | None = None, note: str = "") -> None:
        """Show that ``done`` are done, and what else there is to know; at most five times a second."""
        now = self._clock()
        if not self._live or (now - self._last < 0.2 and done != self.total):
            return
        self._last = now
        rate = done / max(now - self._start, 1e-9)
        parts = [f"{self.what}: {done}" + (f"/{self.total}" if self.total else ""), f"{rate:.0f}/s"]
        if self.total and rate > 0:
            parts.append(f"{_duration((self.total - done) / rate)} left")
        if failed:
            parts.append(f"{failed} failed")
        if cost:
            parts.append(f"cost {cost:.2f}")
        if note:
            parts.append(note)
        sys.stderr.write("\r" + ", ".join(parts).ljust(70))
        sys.stderr.flush()
        self._shown = True

    def close(self) -> None:
        """End the line."""
        if self._shown:
            sys.stderr.write("\r" + " " * 78 + "\r")
            sys.stderr.flush()


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds + 0.5), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
