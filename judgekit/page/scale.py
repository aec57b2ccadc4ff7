"""From numbers to places on a track: a linear scale in percent of the width, with round ticks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from judgekit.reporting.words import number

__all__ = ["Scale", "scale_of"]

_EDGE = 3.0  # percent of the width left free at both ends, so that no mark is cut


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale.

    Parameters
    ----------
    low, high : float
        Ends in the data's unit; ``low < high``.
    ticks : tuple of float
        Round numbers inside, rising.
    digits : int
        Decimals that the ticks need.
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    digits: int

    def place(self, value: float) -> float:
        """Where a value stands, in percent from the left; values beyond the ends stand at the edge.

        Examples
        --------
        >>> scale_of([0.0, 1.0]).place(0.5), scale_of([0.0, 1.0]).place(float("inf"))
        (50.0, 100.0)
        """
        if value < self.low:
            return 0.0
        if value > self.high:
            return 100.0
        return round(_EDGE + (100 - 2 * _EDGE) * (value - self.low) / (self.high - self.low), 2)

    def words(self, tick: float, *, signed: bool = False) -> str:
        """A tick's label."""
        return number(tick, self.digits, signed=signed)


def scale_of(values: Iterable[float], *, most: int = 6) -> Scale:
    """A scale that holds all the finite values.

    Parameters
    ----------
    values : iterable of float
        Infinite ones are left out; the scale of nothing runs from 0 to 1.
    most : int
        About how many ticks.

    Returns
    -------
    Scale

    Examples
    --------
    >>> scale_of([-0.51, 0.05, 0.25]).ticks
    (-0.4, -0.2, 0.0, 0.2)
    """
    finite = [float(v) for v in values if isfinite(v)] or [0.0, 1.0]
    low, high = min(finite), max(finite)
    if high - low < 1e-9 * max(1.0, abs(low), abs(high)):
        room = max(0.5, abs(low) * 0.1)
        low, high = low - room, high + room
    step = _round_step((high - low) / most)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    digits = max(0, -floor(log10(step) + 1e-9))
    return Scale(low, high, tuple(round(k * step, digits) for k in range(first, last + 1)), digits)


def _round_step(rough: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is not below."""
    power = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
