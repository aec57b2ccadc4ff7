"""Agreement of a judge with people, and of the people with each other, for every dimension of a ratings table."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from judgekit.agreement.association import mean_difference, spearman
from judgekit.agreement.cells import ABSENT, Cell, cell_of, check_column, check_names
from judgekit.agreement.intervals import bootstrap_from_codes
from judgekit.agreement.levels import Level, Scale, Weights, declared_scale
from judgekit.agreement.multirater import alpha_from_counts
from judgekit.agreement.reference import Reference, ReferenceKappa, reference_from_codes
from judgekit.errors import UsageProblem
from judgekit.markup import html_table
from judgekit.records import Agreement, Rating, Undefined
from judgekit.statistics.results import Result, check_level
from judgekit.wording.sentence import say

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AgainstPeople", "AgreementReport", "Ceiling", "agree"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling(
    Result,
    method="mean kappa of pairs of people; alpha",
    unit="kappa in [-1, 1]",
    source="Cohen (1968), Psychol. Bull. 70; Krippendorff (2011)",
):
    """How far the people agree with each other: what a judge can be asked to reach.

    ``kappa`` is the mean over the human pairs that share items; undefined when one of them is, or when there is none.
    ``n`` counts items scored by two people or more, ``pairs`` the human pairs in the mean. ``alpha`` is Krippendorff's
    alpha of the people, ordinal for ordered levels and nominal for classes.
    """

    dimension: str
    by: str | None
    kappa: float | Undefined
    n: int
    pairs: int
    alpha: float | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstPeople(
    Result,
    method="kappa of the judge with all people",
    unit="kappa in [-1, 1]",
    source="Vanbelle and Albert (2008), J. Stat. Comput. Simul. 78",
):
    """The judge against all the people together, on one dimension: what a gate compares with its threshold."""

    dimension: str
    by: str | None
    result: ReferenceKappa


@dataclass(frozen=True, slots=True)
class AgreementReport(
    Result,
    method="Cohen's kappa of every pair",
    unit="kappa in [-1, 1]",
    source="Cohen (1968), Psychol. Bull. 70; Fleiss, Cohen and Everitt (1969), Psychol. Bull. 72",
):
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

    def _repr_html_(self) -> str:
        """For notebooks: overall rows with their intervals, and people among themselves."""
        shown = ["dimension", "a", "b", "n", "missing", "kappa", "low", "high", "percent"]
        frame = self.to_frame()
        overall = frame[frame["by"].isna()]
        cells = [[None if v is None or v != v else v for v in row] for row in overall[shown].to_numpy().tolist()]  # noqa: PLR0124
        undefined = [
            (row, next((v for v in (row.kappa, row.interval) if isinstance(v, Undefined)), None)) for row in self.pairs
        ]
        whys = [
            f"{row.dimension}, {row.a} and {row.b}: {v.reason}"
            for row, v in undefined
            if row.by is None and v is not None
        ]
        people = [
            f"{c.dimension}: people among themselves {c.kappa:.2f} on {c.n} items"
            for c in self.ceilings
            if c.by is None and not isinstance(c.kappa, Undefined)
        ]
        parts = [f"by {self.by}: see .to_frame()"] if self.by else []
        title = f"Cohen's kappa, {self.level:.0%} intervals"
        return html_table(shown, cells, title=title, notes=[*whys, *people, *parts])

    def to_frame(self) -> pd.DataFrame:
        """One row a pair; undefined values are missing, and so are tables and levels.

        Returns
        -------
        pandas.DataFrame
        """
        import pandas as pd

        def cell(value: object) -> object:
            return None if isinstance(value, Undefined) else value

        return pd.DataFrame(
            [
                {
                    "dimension": row.dimension,
                    "a": row.a,
                    "b": row.b,
                    "by": row.by,
                    "n": row.n,
                    "missing": row.missing,
                    "weights": row.weights,
                    "kappa": cell(row.kappa),
                    "se": cell(row.se),
                    "low": None if isinstance(row.interval, Undefined) else row.interval.low,
                    "high": None if isinstance(row.interval, Undefined) else row.interval.high,
                    "lower": cell(row.lower),
                    "percent": cell(row.percent),
                    "ac": cell(row.ac),
                    "spearman": cell(row.spearman),
                    "bias": cell(row.bias),
                }
                for row in self.pairs
            ]
        )


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
    names = check_names(ratings, judge, humans)
    chosen = [rating for rating in ratings if rating.annotator in names]
    for field, column in (("by", by), ("clusters", clusters), ("inclusion", inclusion)):
        check_column(chosen, column, field)
    parts: list[tuple[Cell, _Options]] = []
    for dimension in dict.fromkeys(rating.dimension for rating in chosen):
        classes = nominal if isinstance(nominal, bool) else dimension in nominal
        how = weights or ("none" if classes else "quadratic")
        scale = declared_scale(_levels_of(levels, dimension), weights=how)
        own = [rating for rating in chosen if rating.dimension == dimension]
        full = cell_of(own, names, scale, by, clusters, inclusion)
        for value in [None, *dict.fromkeys(full.parts)] if by else [None]:
            cell = full if value is None else full.only(value)
            parts.append((cell, _Options(dimension, value, scale, how, classes, level, draws, seed)))
    return _report(parts, names, by, level, reference)


def _report(
    parts: Sequence[tuple[Cell, _Options]], names: Sequence[str], by: str | None, level: float, reference: Reference
) -> AgreementReport:
    rows: list[Agreement] = []
    against: list[AgainstPeople] = []
    ceilings: list[Ceiling] = []
    for cell, options in parts:
        pairs = [_pair(cell, i, j, names, options) for i, j in itertools.combinations(range(len(names)), 2)]
        rows += pairs
        ceilings.append(_ceiling(pairs[len(names) - 1 :], cell.codes[:, 1:], options))
        against.append(_against(cell, names, options, reference))
    return AgreementReport(names[0], tuple(names[1:]), by, level, tuple(rows), tuple(against), tuple(ceilings))


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


def _against(cell: Cell, names: Sequence[str], options: _Options, reference: Reference) -> AgainstPeople:
    result = _kappa(cell, 0, list(range(1, len(names))), names, options, reference)
    return AgainstPeople(dimension=options.dimension, by=options.value, result=result)


def _kappa(
    cell: Cell, one: int, others: list[int], names: Sequence[str], options: _Options, reference: Reference = "mean"
) -> ReferenceKappa:
    return reference_from_codes(
        cell.codes[:, one],
        cell.codes[:, others],
        [names[other] for other in others],
        options.scale,
        options.weights,
        reference=reference,
        groups=cell.groups,
        mass=cell.mass,
        level=options.level,
        method="auto" if options.draws > 0 else "large-sample",
        draws=max(options.draws, 1),
        seed=options.seed,
    )


def _pair(cell: Cell, i: int, j: int, names: Sequence[str], options: _Options) -> Agreement:
    first, second = cell.codes[:, i], cell.codes[:, j]
    scale, weights = options.scale, options.weights
    known = (first > ABSENT) | (second > ABSENT)
    both = (first >= 0) & (second >= 0)
    part = _kappa(cell, i, [j], names, options)
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


def _ceiling(pairs: Sequence[Agreement], codes: npt.NDArray[np.int64], options: _Options) -> Ceiling:
    n = int(((codes >= 0).sum(axis=1) >= 2).sum())
    shared = [row.kappa for row in pairs if row.n]
    defined = [kappa for kappa in shared if not isinstance(kappa, Undefined)]
    kappa: float | Undefined
    if not shared:
        kappa = Undefined("no human pair", "no item was scored by two people")
    elif len(defined) < len(shared):
        kappa = Undefined(
            "a human pair is undefined", say("{n} of {of} pairs", n=len(shared) - len(defined), of=len(shared))
        )
    else:
        kappa = float(np.mean(defined))
    counts = np.stack([(codes == level).sum(axis=1) for level in range(len(options.scale))], axis=1)
    alpha = alpha_from_counts(
        counts.astype(np.float64), options.scale, "nominal" if options.nominal else "ordinal"
    ).value
    return Ceiling(dimension=options.dimension, by=options.value, kappa=kappa, n=n, pairs=len(shared), alpha=alpha)
