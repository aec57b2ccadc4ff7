"""Agreement of a judge with people, and of the people with each other, for every dimension of a ratings table."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judgekit.agreement.association import mean_difference, spearman
from judgekit.agreement.intervals import bootstrap_from_codes
from judgekit.agreement.levels import Level, Scale, Weights, declared_scale, is_missing, off_scale
from judgekit.agreement.reference import Reference, ReferenceKappa, reference_from_codes
from judgekit.agreement.resampling import cluster_codes
from judgekit.errors import BadInput, UsageProblem
from judgekit.records import Agreement, Rating, Undefined
from judgekit.statistics.results import Result, check_level

__all__ = ["AgainstPeople", "AgreementReport", "Ceiling", "agree"]

Codes = npt.NDArray[np.int64]

EMPTY, ABSENT = -1, -2
NAMES_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling(Result):
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
class AgainstPeople(Result):
    """The judge against all the people together, on one dimension: what a gate compares with its threshold."""

    dimension: str
    by: str | None
    result: ReferenceKappa


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementReport(Result):
    """Every pair of raters on every dimension, overall (``by`` None) and per value of the ``by`` column.

    ``pairs`` has the judge against each person first (``a`` is the judge), then the people against each other;
    ``against_people`` the judge against all of them together, and ``ceilings`` the mean human-human kappa, in the same
    cells.
    """

    judge: str
    humans: tuple[str, ...]
    by: str | None
    level: float
    pairs: tuple[Agreement, ...]
    against_people: tuple[AgainstPeople, ...]
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
    clusters: str | None = None,
    inclusion: str | None = None,
    reference: Reference = "mean",
    level: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
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
    clusters : str, optional
        A carried column, such as ``template_id``: errors, bounds and bootstrap then treat its values as the units.
    inclusion : str, optional
        A carried column with the probability, in (0, 1], with which the item came into the sample; items weigh its inverse.
    reference : {'mean', 'adjudicated', 'each'}
        How the people are put together in ``against_people``, see `reference_kappa`.
    level : float
        Level of the intervals and of the one-sided bound.
    draws, seed : int
        Of the bootstrap intervals; 0 draws leaves them out (and takes cluster-robust errors for ``clusters``).

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
    check_level(level)
    names = _check_names(ratings, judge, humans)
    chosen = [rating for rating in ratings if rating.annotator in names]
    for field, column in (("by", by), ("clusters", clusters), ("inclusion", inclusion)):
        _check_column(chosen, column, field)
    pairs: list[Agreement] = []
    against: list[AgainstPeople] = []
    ceilings: list[Ceiling] = []
    for dimension in dict.fromkeys(rating.dimension for rating in chosen):
        classes = nominal if isinstance(nominal, bool) else dimension in nominal
        chosen_weights = weights or ("none" if classes else "quadratic")
        scale = declared_scale(_levels_of(levels, dimension), weights=chosen_weights)
        rows = [rating for rating in chosen if rating.dimension == dimension]
        full = _matrix(rows, names, scale, by, clusters, inclusion)
        for value in [None, *dict.fromkeys(full.parts)] if by else [None]:
            cell = full if value is None else full.only(value)
            options = _Options(dimension, value, scale, chosen_weights, classes, level, draws, seed)
            found = [_pair(cell, i, j, names, options) for i, j in itertools.combinations(range(len(names)), 2)]
            pairs += found
            ceilings.append(_ceiling(found[len(humans) :], cell.codes[:, 1:], dimension, value))
            together = reference_from_codes(
                cell.codes[:, 0],
                cell.codes[:, 1:],
                names[1:],
                scale,
                chosen_weights,
                reference=reference,
                groups=cell.groups,
                mass=cell.mass,
                level=level,
                method="auto" if draws > 0 else "large-sample",
                draws=max(draws, 1),
                seed=seed,
            )
            against.append(AgainstPeople(dimension=dimension, by=value, result=together))
    return AgreementReport(
        judge=judge,
        humans=tuple(humans),
        by=by,
        level=level,
        pairs=tuple(pairs),
        against_people=tuple(against),
        ceilings=tuple(ceilings),
    )


@dataclass(frozen=True, slots=True)
class _Options:
    dimension: str
    value: str | None
    scale: Scale
    weights: Weights
    nominal: bool
    level: float
    draws: int
    seed: int


@dataclass(frozen=True, slots=True)
class _Cell:
    """Positions by item and annotator (-1: an empty score, -2: no row), and each item's part, cluster and weight."""

    codes: Codes
    parts: list[str | None]
    groups: Codes | None
    mass: npt.NDArray[np.float64] | None

    def only(self, value: str | None) -> _Cell:
        keep = np.array([part == value for part in self.parts], dtype=bool)
        return _Cell(
            self.codes[keep],
            [part for part in self.parts if part == value],
            None if self.groups is None else self.groups[keep],
            None if self.mass is None else self.mass[keep],
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


def _check_column(ratings: Sequence[Rating], by: str | None, field: str) -> None:
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
    ratings: Sequence[Rating],
    names: Sequence[str],
    scale: Scale,
    by: str | None,
    clusters: str | None,
    inclusion: str | None,
) -> _Cell:
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
    return _Cell(
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


def _pair(cell: _Cell, i: int, j: int, names: Sequence[str], options: _Options) -> Agreement:
    first, second = cell.codes[:, i], cell.codes[:, j]
    scale, weights = options.scale, options.weights
    known = (first > ABSENT) | (second > ABSENT)
    both = (first >= 0) & (second >= 0)
    part = reference_from_codes(
        first,
        second[:, None],
        [names[j]],
        scale,
        weights,
        groups=cell.groups,
        mass=cell.mass,
        level=options.level,
        method="auto" if options.draws > 0 else "large-sample",
        draws=max(options.draws, 1),
        seed=options.seed,
    )
    result = part.per_rater[names[j]]
    drawn = None
    if options.draws > 0:
        drawn = bootstrap_from_codes(
            first,
            second,
            scale,
            weights,
            groups=cell.groups,
            mass=cell.mass,
            level=options.level,
            draws=options.draws,
            seed=options.seed,
        )
    unordered = Undefined("classes without order")
    points = np.array(scale.numbers or range(len(scale)), dtype=np.float64)
    x, y = points[first[both]], points[second[both]]
    mass = None if cell.mass is None else cell.mass[both]
    return Agreement(
        dimension=options.dimension,
        a=names[i],
        b=names[j],
        by=options.value,
        n=result.n,
        missing=int(known.sum()) - result.n,
        kappa=result.kappa,
        interval=part.interval,
        lower=part.lower,
        weights=weights,
        percent=result.percent,
        percent_interval=result.percent_interval,
        spearman=unordered if options.nominal else spearman(x, y),
        bias=unordered if options.nominal else mean_difference(x, y, mass),
        table=result.table,
        levels=tuple(level if isinstance(level, str) else _whole(level) for level in scale.levels),
        se=part.se,
        ac=result.ac2,
        bootstrap=None if drawn is None else drawn.interval,
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
