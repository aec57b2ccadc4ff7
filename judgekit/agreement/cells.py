"""Ratings as a table of positions: one row an item, one column an annotator, checked on the way in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judgekit.agreement.levels import Scale, is_missing, off_scale
from judgekit.agreement.resampling import cluster_codes
from judgekit.errors import BadInput, UsageProblem
from judgekit.records import Rating

__all__ = ["Cell", "cell_of", "check_column", "check_names"]

Codes = npt.NDArray[np.int64]

EMPTY, ABSENT = -1, -2
NAMES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Cell:
    """Positions by item and annotator (-1: an empty score, -2: no row), and each item's part, cluster and weight."""

    codes: Codes
    parts: list[str | None]
    groups: Codes | None
    mass: npt.NDArray[np.float64] | None

    def only(self, value: str | None) -> Cell:
        """The items of one part."""
        keep = np.array([part == value for part in self.parts], dtype=bool)
        return Cell(
            self.codes[keep],
            [part for part in self.parts if part == value],
            None if self.groups is None else self.groups[keep],
            None if self.mass is None else self.mass[keep],
        )


def check_names(ratings: Sequence[Rating], judge: str, humans: Sequence[str]) -> list[str]:
    """The annotators to compare, judge first, if each of them is in the ratings and named once.

    Parameters
    ----------
    ratings : sequence of Rating
        All rows.
    judge : str
        The judge's name.
    humans : sequence of str
        The people's names.

    Returns
    -------
    list of str

    Raises
    ------
    BadInput
        For a name without ratings, listing the names there are; `UsageProblem` when nobody, or somebody twice, is named.
    """
    names = [judge, *humans]
    if not humans:
        raise UsageProblem("no people are named", field="humans", remedy="name one annotator or more")
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise UsageProblem("an annotator is named twice", field="judge, humans", seen=twice[0])
    present = dict.fromkeys(rating.annotator for rating in ratings)
    for name in names:
        if name not in present:
            listed = ", ".join(sorted(present)[:NAMES_SHOWN]) + (", ..." if len(present) > NAMES_SHOWN else "")
            raise BadInput(
                "there are no ratings of this annotator",
                field="judge" if name == judge else "humans",
                seen=name,
                why=f"the ratings hold: {listed or 'no annotator at all'}",
                remedy="use a name as it is written in the annotator column",
            )
    return names


def check_column(ratings: Sequence[Rating], by: str | None, field: str) -> None:
    """Refuse a column that a rating does not carry.

    Parameters
    ----------
    ratings : sequence of Rating
        Rows of the named annotators.
    by : str or None
        The column; None asks for nothing.
    field : str
        The option that named it.

    Raises
    ------
    BadInput
        With the line of the row, and the columns there are.
    """
    if by is None:
        return
    for rating in ratings:
        if by not in rating.carried:
            raise BadInput(
                "the ratings have no such column",
                field=field,
                line=rating.line,
                seen=by,
                why="columns beside item, dimension, annotator and score: " + (", ".join(rating.carried) or "none"),
                remedy="name one of them",
            )


def cell_of(
    ratings: Sequence[Rating],
    names: Sequence[str],
    scale: Scale,
    by: str | None,
    clusters: str | None,
    inclusion: str | None,
) -> Cell:
    """Put the ratings of one dimension into a table.

    Parameters
    ----------
    ratings : sequence of Rating
        Rows of the named annotators on one dimension.
    names : sequence of str
        The annotators, in the order of the columns.
    scale : Scale
        The declared levels.
    by : str, optional
        The column whose values part the items.
    clusters, inclusion : str, optional
        Columns with an item's cluster and inclusion probability.

    Returns
    -------
    Cell

    Raises
    ------
    BadInput
        A score off the scale, an item scored twice by one annotator, contradicting or missing values of a column; with the
        file line where it is known.
    """
    index: dict[tuple[str | None, str], int] = {}
    column = {name: j for j, name in enumerate(names)}
    seen: dict[tuple[int, int], Rating] = {}
    for rating in ratings:
        value = None if by is None else str(rating.carried[by])
        place = (index.setdefault((value, rating.item), len(index)), column[rating.annotator])
        if place in seen:
            raise _scored_twice(rating, seen[place], by)
        seen[place] = rating
    codes = np.full((len(index), len(names)), ABSENT, dtype=np.int64)
    for place, rating in seen.items():
        position = scale.position(rating.score)
        if position is None and not is_missing(rating.score):
            raise off_scale(rating.score, scale, line=rating.line)
        codes[place] = EMPTY if position is None else position
    labels = _per_item(seen, clusters, len(index))
    chances = _per_item(seen, inclusion, len(index))
    return Cell(
        codes,
        [value for value, _ in index],
        None if labels is None else cluster_codes([str(label) for label in labels], len(index)),
        None if chances is None else np.array([_weight(chance) for chance in chances]),
    )


def _per_item(seen: Mapping[tuple[int, int], Rating], column: str | None, n: int) -> list[object] | None:
    """One value an item of a carried column; an item that carries two of them is an error."""
    if column is None:
        return None
    found: list[object] = [None] * n
    for (item, _), rating in seen.items():
        value = rating.carried[column]
        if value is None or value == "":
            raise BadInput("a rating has no value in this column", line=rating.line, field=column, seen=rating.item)
        if found[item] is not None and found[item] != value:
            raise BadInput(
                "an item has two values in one column",
                line=rating.line,
                field=column,
                seen=f"{rating.item}: {found[item]} and {value}",
                remedy="give every rating of an item the same value",
            )
        found[item] = value
    return found


def _weight(chance: object) -> float:
    try:
        number = float(str(chance))
    except ValueError:
        number = float("nan")
    if not 0 < number <= 1:
        raise BadInput(
            "an inclusion probability lies above 0 and is 1 at most",
            field="inclusion",
            seen=chance,
            remedy="use the probabilities that the sampler wrote",
        )
    return 1 / number


def _scored_twice(rating: Rating, first: Rating, by: str | None) -> BadInput:
    earlier = f" (first on line {first.line})" if first.line is not None else ""
    return BadInput(
        f"an annotator scored the same item twice{earlier}",
        line=rating.line,
        field="item",
        seen=f"{rating.item}, {rating.dimension}, {rating.annotator}",
        why="one score an item, dimension and annotator" + (f" and {by}" if by else ""),
        remedy="remove one row"
        + ("" if by else ", or if the ids repeat between parts of the data, name the column of the parts with --by"),
    )
