"""The declared scale: which levels exist, in which order, and where a score stands on it.

Weights of kappa come from positions on the *declared* scale. A scale read off the data loses the points nobody used
(2 and 5 become neighbours), so nothing here ever looks at the scores to find out what the levels are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from judgekit.errors import BadInput

__all__ = ["Level", "Scale", "Score", "Weights", "declared_scale", "disagreement", "is_missing"]

Level: TypeAlias = int | float | str
Score: TypeAlias = int | float | str | None
Weights: TypeAlias = Literal["none", "linear", "quadratic"]

MISSING = -1


def is_missing(score: Score) -> bool:
    """Whether a rating is absent: ``None``, or the ``nan`` that tables use for an empty cell.

    Parameters
    ----------
    score : int, float, str or None
        One rating.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_missing(None), is_missing(float("nan")), is_missing(0)
    (True, True, False)
    """
    return score is None or (isinstance(score, float) and math.isnan(score))


def _key(value: Level) -> float | str:
    """Equal numbers share a key (3 and 3.0); text that spells a number is that number."""
    text = value.strip() if isinstance(value, str) else str(value)
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return text
    return number if math.isfinite(number) else text


@dataclass(frozen=True, slots=True)
class Scale:
    """The declared levels in order. Make one with `declared_scale`, which checks them."""

    levels: tuple[Level, ...]
    positions: dict[float | str, int] = field(repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.levels)

    def position(self, score: Score) -> int | None:
        """Where a score stands: 0 for the first level; None when it is off the scale or missing.

        Parameters
        ----------
        score : int, float, str or None
            ``3``, ``3.0`` and ``"3"`` are the same level; ``3.5`` is none of 1 to 5.

        Returns
        -------
        int or None
        """
        if score is None or is_missing(score):
            return None
        return self.positions.get(_key(score))

    def codes(self, scores: Sequence[Score], *, name: str = "score") -> npt.NDArray[np.int64]:
        """Positions of many scores, ``-1`` where one is missing.

        Parameters
        ----------
        scores : sequence
            Ratings; None or nan is missing.
        name : str
            What to call them in an error.

        Returns
        -------
        array of int, shape (len(scores),)

        Raises
        ------
        BadInput
            When a score is not one of the declared levels.
        """
        found = np.empty(len(scores), dtype=np.int64)
        known: dict[Score, int] = {}
        for index, score in enumerate(scores):
            position = known.get(score)
            if position is None:
                placed = self.position(score)
                if placed is None and not is_missing(score):
                    raise off_scale(score, self, field=name, row=index + 1)
                position = known[score] = MISSING if placed is None else placed
            found[index] = position
        return found

    @property
    def numbers(self) -> tuple[float, ...] | None:
        """The levels as numbers, or None when one of them is a word."""
        keys = [_key(level) for level in self.levels]
        numbers = tuple(key for key in keys if isinstance(key, float))
        return numbers if len(numbers) == len(keys) else None


def off_scale(
    score: Score, scale: Scale, *, field: str = "score", row: int | None = None, line: int | None = None
) -> BadInput:
    """The error for a score that is not one of the declared levels.

    Parameters
    ----------
    score : int, float, str or None
        What was found.
    scale : Scale
        The declared levels.
    field : str
        The column or argument.
    row : int, optional
        1-based place in a sequence, when there is no file.
    line : int, optional
        Line of the file the score was read from.

    Returns
    -------
    BadInput
        Not raised here.
    """
    place = f" (rating {row})" if row is not None else ""
    return BadInput(
        f"a score is not one of the declared levels{place}",
        field=field,
        line=line,
        seen=score,
        why="the levels are " + ", ".join(str(level) for level in scale.levels),
        remedy="mend the row, leave the cell empty if there is no score, or declare the levels that were used",
    )


def declared_scale(levels: Sequence[Level], *, weights: Weights = "none") -> Scale:
    """Check the declared levels and fix their order.

    Parameters
    ----------
    levels : sequence of int, float or str
        Every level of the scale, lowest first (or highest first), used or not.
    weights : {'none', 'linear', 'quadratic'}
        With weights the order counts, so numeric levels must rise or fall throughout.

    Returns
    -------
    Scale

    Raises
    ------
    BadInput
        Fewer than two levels, a level twice, unknown weights, or numeric levels out of order with weights.

    Examples
    --------
    >>> declared_scale([1, 2, 3]).position(2.0)
    1
    """
    if weights not in get_args(Weights):
        raise BadInput("unknown weights", field="weights", seen=weights, why="one of none, linear, quadratic")
    keys = [_key(level) for level in levels]
    if len(keys) < 2:
        raise BadInput(
            "a scale needs two levels or more",
            field="levels",
            seen=", ".join(map(str, levels)),
            remedy="declare every level, for example --levels 1,2,3,4,5",
        )
    if len(set(keys)) < len(keys):
        raise BadInput(
            "a level is declared twice",
            field="levels",
            seen=", ".join(map(str, levels)),
            remedy="name each level once",
        )
    scale = Scale(tuple(levels), {key: index for index, key in enumerate(keys)})
    numbers = scale.numbers
    if weights != "none" and numbers is not None:
        steps = np.diff(numbers)
        if not (np.all(steps > 0) or np.all(steps < 0)):
            raise BadInput(
                "numeric levels are out of order",
                field="levels",
                seen=", ".join(map(str, levels)),
                why="weighted kappa counts steps between neighbouring levels",
                remedy="list the levels from lowest to highest",
            )
    return scale


def disagreement(k: int, weights: Weights) -> npt.NDArray[np.float64]:
    """Disagreement weights between ``k`` ordered levels, 0 on the diagonal and 1 at most.

    Parameters
    ----------
    k : int
        Number of declared levels, 2 or more.
    weights : {'none', 'linear', 'quadratic'}
        0 or 1; steps apart; steps apart squared.

    Returns
    -------
    array of float, shape (k, k)

    Examples
    --------
    >>> disagreement(3, "quadratic").tolist()
    [[0.0, 0.25, 1.0], [0.25, 0.0, 0.25], [1.0, 0.25, 0.0]]
    """
    steps = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / (k - 1)
    if weights == "none":
        return (steps > 0).astype(np.float64)
    return steps if weights == "linear" else steps**2
