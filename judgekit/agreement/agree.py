"""Agreement of a judge with people, and of the people with each other, for every dimension of a ratings table."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judgekit.agreement.association import mean_difference, spearman
from judgekit.agreement.kappa import KappaResult, kappa_from_table
from judgekit.agreement.levels import Level, Scale, Weights, declared_scale, is_missing, off_scale
from judgekit.errors import BadInput, UsageProblem
from judgekit.records import Agreement, Rating, Undefined

__all__ = ["AgreementReport", "Ceiling", "agree"]

Codes = npt.NDArray[np.int64]

EMPTY, ABSENT = -1, -2
NAMES_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """How far the people agree with each other: what a judge can be asked to reach.

    ``kappa`` is the mean over the human pairs that share items; undefined when one of them is, or when there is none.
    ``n`` counts items scored by two people or more, ``pairs`` the human pairs in the mean.
    """

    dimension: str
    by: str | None
    kappa: float | Undefined
    n: int
    pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementReport:
    """Every pair of raters on every dimension, overall (``by`` None) and per value of the ``by`` column.

    ``pairs`` has the judge against each person first (``a`` is the judge), then the people against each other;
    ``ceilings`` the mean human-human kappa in the same cells.
    """

    judge: str
    humans: tuple[str, ...]
    by: str | None
    level: float
    pairs: tuple[Agreement, ...]
    ceilings: tuple[Ceiling, ...]

    def find(self, dimension: str, a: str, b: str, by: str | None = None) -> Agreement:
        """The row of two raters, in either order.

        Raises
        ------
        KeyError
            When there is no such row.
        """
        for row in self.pairs:
            if row.dimension == dimension and row.by == by and {row.a, row.b} == {a, b}:
                return row
        raise KeyError((dimension, a, b, by))


def agree(
    ratings: Sequence[Rating],
    *,
    judge: str,
    humans: Sequence[str],
    levels: Sequence[Level] | Mapping[str, Sequence[Level]] | None = None,
    nominal: bool | Collection[str] = False,
    weights: Weights | None = None,
    by: str | None = None,
    level: float = 0.95,
) -> AgreementReport:
    """Compare a judge with people, and people with each other.

    Parameters
    ----------
    ratings : sequence of Rating
        One row a score. Rows of annotators that are not named are ignored, whatever they hold.
    judge : str
        Annotator name of the judge.
    humans : sequence of str
        Annotator names of the people, one or more.
    levels : sequence, or mapping of dimension to sequence
        The declared levels in order, for all dimensions or for each. Never inferred from the scores.
    nominal : bool or collection of str
        True when levels are classes without order, or the dimensions of which that is so.
    weights : {'none', 'linear', 'quadratic'}, optional
        Weights of kappa; default quadratic for ordered levels, none for classes.
    by : str, optional
        A column carried by the ratings: adds rows for each of its values. Item ids count within that value.
    level : float
        Level of the intervals and of the one-sided bound.

    Returns
    -------
    AgreementReport

    Raises
    ------
    BadInput
        No levels declared, an unknown annotator or column, a score of a named annotator off the scale, or the same item
        scored twice by one annotator; with the file line where it is known.

    Examples
    --------
    >>> rows = [Rating(item=str(i), dimension="warmth", annotator=who, score=score)
    ...         for who, scores in {"gpt": [1, 2, 3, 3], "ana": [1, 2, 2, 3]}.items()
    ...         for i, score in enumerate(scores)]
    >>> report = agree(rows, judge="gpt", humans=["ana"], levels=[1, 2, 3, 4, 5])
    >>> round(report.pairs[0].kappa, 3), report.pairs[0].n, report.pairs[0].bias
    (0.8, 4, 0.25)
    """
    names = _check_names(ratings, judge, humans)
    chosen = [rating for rating in ratings if rating.annotator in names]
    _check_column(chosen, by)
    pairs: list[Agreement] = []
    ceilings: list[Ceiling] = []
    for dimension in dict.fromkeys(rating.dimension for rating in chosen):
        classes = nominal if isinstance(nominal, bool) else dimension in nominal
        chosen_weights = weights or ("none" if classes else "quadratic")
        scale = declared_scale(_levels_of(levels, dimension), weights=chosen_weights)
        rows = [rating for rating in chosen if rating.dimension == dimension]
        codes, groups = _matrix(rows, names, scale, by)
        for value in [None, *dict.fromkeys(groups)] if by else [None]:
            keep = np.array([value is None or group == value for group in groups], dtype=bool)
            cell = [
                _pair(codes[keep], i, j, names, dimension, value, scale, chosen_weights, classes, level)
                for i, j in itertools.combinations(range(len(names)), 2)
            ]
            pairs += cell
            ceilings.append(_ceiling(cell[len(humans) :], codes[keep][:, 1:], dimension, value))
    return AgreementReport(
        judge=judge, humans=tuple(humans), by=by, level=level, pairs=tuple(pairs), ceilings=tuple(ceilings)
    )


def _check_names(ratings: Sequence[Rating], judge: str, humans: Sequence[str]) -> list[str]:
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


def _check_column(ratings: Sequence[Rating], by: str | None) -> None:
    if by is None:
        return
    for rating in ratings:
        if by not in rating.carried:
            raise BadInput(
                "the ratings have no such column",
                field="by",
                line=rating.line,
                seen=by,
                why="columns beside item, dimension, annotator and score: " + (", ".join(rating.carried) or "none"),
                remedy="name one of them",
            )


def _levels_of(levels: Sequence[Level] | Mapping[str, Sequence[Level]] | None, dimension: str) -> Sequence[Level]:
    found = levels.get(dimension) if isinstance(levels, Mapping) else levels
    if not found:
        raise UsageProblem(
            "the levels of a dimension are not declared",
            field="levels",
            seen=dimension,
            why="levels are never read off the scores: a level that nobody used would be lost and kappa would be wrong",
            remedy="declare all of them, for example --levels 1,2,3,4,5, or give the rubric",
        )
    return found


def _matrix(
    ratings: Sequence[Rating], names: Sequence[str], scale: Scale, by: str | None
) -> tuple[Codes, list[str | None]]:
    """Positions by item and annotator (-1: an empty score, -2: no row), and each item's ``by`` value."""
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
    return codes, [value for value, _ in index]


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


def _pair(
    codes: Codes,
    i: int,
    j: int,
    names: Sequence[str],
    dimension: str,
    value: str | None,
    scale: Scale,
    weights: Weights,
    nominal: bool,
    level: float,
) -> Agreement:
    first, second = codes[:, i], codes[:, j]
    both = (first >= 0) & (second >= 0)
    known = (first > ABSENT) | (second > ABSENT)
    k = len(scale)
    table = np.bincount(first[both] * k + second[both], minlength=k * k).reshape(k, k)
    result: KappaResult = kappa_from_table(table, scale.levels, weights, level=level)
    unordered = Undefined("classes without order")
    points = np.array(scale.numbers or range(k), dtype=np.float64)
    x, y = points[first[both]], points[second[both]]
    return Agreement(
        dimension=dimension,
        a=names[i],
        b=names[j],
        by=value,
        n=result.n,
        missing=int(known.sum()) - result.n,
        kappa=result.kappa,
        interval=result.interval,
        lower=result.lower,
        weights=weights,
        percent=result.percent,
        percent_interval=result.percent_interval,
        spearman=unordered if nominal else spearman(x, y),
        bias=unordered if nominal else mean_difference(x, y),
        table=result.table,
        levels=tuple(level if isinstance(level, str) else _whole(level) for level in scale.levels),
    )


def _whole(level: float) -> int | str:
    return int(level) if float(level).is_integer() else str(level)


def _ceiling(pairs: Sequence[Agreement], codes: Codes, dimension: str, value: str | None) -> Ceiling:
    n = int(((codes >= 0).sum(axis=1) >= 2).sum())
    shared = [row.kappa for row in pairs if row.n]
    defined = [kappa for kappa in shared if not isinstance(kappa, Undefined)]
    kappa: float | Undefined
    if not shared:
        kappa = Undefined("no human pair", "no item was scored by two people")
    elif len(defined) < len(shared):
        kappa = Undefined("a human pair is undefined", f"{len(shared) - len(defined)} of {len(shared)} pairs")
    else:
        kappa = float(np.mean(defined))
    return Ceiling(dimension=dimension, by=value, kappa=kappa, n=n, pairs=len(shared))
