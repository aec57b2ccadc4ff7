"""A judge against all the people at once: the number that the gate compares with its threshold."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from judgekit.agreement.bounds import BoundMethod, one_sided, perfect_bound, two_sided
from judgekit.agreement.kappa import KappaResult, influence, kappa_from_table, sample_mass
from judgekit.agreement.levels import Level, Scale, Score, Weights, declared_scale, disagreement
from judgekit.agreement.resampling import ONE_CLUSTER, cluster_codes, draw_sums, kappas_of, percentile_interval
from judgekit.errors import BadInput, UsageProblem
from judgekit.records import Interval, Undefined
from judgekit.statistics.results import Result

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

__all__ = ["Reference", "ReferenceKappa", "reference_kappa"]

Reference: TypeAlias = Literal["mean", "adjudicated", "each"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceKappa(
    Result,
    method="mean kappa of the judge with people, delta method or bootstrap",
    unit="kappa in [-1, 1]",
    source="Vanbelle and Albert (2008), J. Stat. Comput. Simul. 78; Yang and Zhou (2014), Stat. Med. 33",
):
    """Agreement of a judge with people, as one number and its bound.

    Parameters
    ----------
    value : float or Undefined
        ``mean``: mean of the judge-human kappas. ``each``: the lowest of them. ``adjudicated``: the only one.
    lower : float or Undefined
        One-sided lower bound at ``level``. For ``each`` the lowest of the persons' bounds.
    interval : Interval or Undefined
        Two-sided, not clipped to [-1, 1].
    se : float or Undefined
        Standard error of ``value``, allowing for the same items being scored by all; robust to clusters if given.
    n : int
        Items scored by the judge and at least one person.
    units : int
        Independent units the error rests on: items, or clusters.
    unit : {'items', 'clusters'}
    per_rater : mapping of str to KappaResult
        The judge (rows) against each person (columns).
    reference : {'mean', 'adjudicated', 'each'}
    weights : {'none', 'linear', 'quadratic'}
    method : {'large-sample', 'transformed', 'bootstrap'}
        The method that was used.
    level : float
    draws, seed : int or None
        Of the bootstrap.

    Notes
    -----
    The error of the mean is the delta method on the mean of the persons' influence values, item by item, so an item that
    all scored enters once. With ``G`` clusters they are summed within clusters, with variance factor ``G / (G - 1)`` and t
    quantiles on ``G - 1`` degrees of freedom. A person with whom the judge agrees perfectly shows no error; the exact bound
    of `cohen_kappa` is used for that person. A constant rater, a person without common items, or an undefined kappa makes
    the bound undefined.

    References
    ----------
    .. [1] Vanbelle S, Albert A (2008). A bootstrap method for comparing correlated kappa coefficients. J Stat Comput
       Simul 78, 1009-1015.
    .. [2] Yang Z, Zhou M (2014). Kappa statistic for clustered matched-pair data. Stat Med 33, 2612-2633.
    """

    value: float | Undefined
    lower: float | Undefined
    interval: Interval | Undefined
    se: float | Undefined
    n: int
    units: int
    unit: Literal["items", "clusters"]
    per_rater: Mapping[str, KappaResult]
    reference: Reference
    weights: Weights
    method: BoundMethod
    level: float
    draws: int | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class _Data:
    """Checked input: positions, masses, clusters, and the result with each person."""

    judge: Ints
    people: Ints
    mass: Floats
    groups: Ints
    clustered: bool
    weights: Floats
    results: tuple[KappaResult, ...] = ()

    def both(self, person: int) -> npt.NDArray[np.bool_]:
        both: npt.NDArray[np.bool_] = (self.judge >= 0) & (self.people[:, person] >= 0)
        return both

    def table(self, person: int) -> Floats:
        k, both = len(self.weights), self.both(person)
        cells = self.judge[both] * k + self.people[both, person]
        return np.bincount(cells, self.mass[both], minlength=k * k).astype(np.float64).reshape(k, k)

    def unit_tables(self, person: int) -> Floats:
        """One flattened table an item or cluster."""
        k, both = len(self.weights), self.both(person)
        units = int(self.groups.max()) + 1
        cells = (self.groups[both] * k + self.judge[both]) * k + self.people[both, person]
        return np.bincount(cells, self.mass[both], minlength=units * k * k).astype(np.float64).reshape(units, k * k)

    @property
    def scored(self) -> npt.NDArray[np.bool_]:
        scored: npt.NDArray[np.bool_] = (self.judge >= 0) & (self.people >= 0).any(axis=1)
        return scored

    @property
    def units(self) -> int:
        return len(np.unique(self.groups[self.scored]))

    @property
    def df(self) -> float | None:
        return float(self.units - 1) if self.clustered else None


@dataclass(frozen=True, slots=True)
class _Parts:
    value: float | Undefined
    se: float | Undefined
    interval: Interval | Undefined
    lower: float | Undefined


def reference_kappa(
    judge: Sequence[Score],
    people: Mapping[str, Sequence[Score]],
    levels: Sequence[Level],
    weights: Weights = "quadratic",
    *,
    reference: Reference = "mean",
    clusters: Sequence[Hashable] | None = None,
    sample_weights: Sequence[float] | None = None,
    level: float = 0.95,
    method: BoundMethod = "auto",
    draws: int = 10_000,
    seed: int = 0,
) -> ReferenceKappa:
    """Agreement of a judge with several people, with the bound the gate needs.

    Parameters
    ----------
    judge : sequence of level or None
        The judge's scores by item; None where it gave none.
    people : mapping of str to sequence of level or None
        Each person's scores of the same items in the same order. For ``adjudicated``: the adjudicated labels alone.
    levels : sequence
        The declared levels in order.
    weights : {'none', 'linear', 'quadratic'}
        Weights of disagreements.
    reference : {'mean', 'adjudicated', 'each'}
        Mean of the judge-human kappas; kappa with one adjudicated label; or every person for themselves: the lowest kappa
        and bound (all must pass, so no correction for several is due).
    clusters : sequence, optional
        One label an item (its template), which becomes the unit of error and bootstrap.
    sample_weights : sequence of float, optional
        One positive weight an item: 1 / inclusion probability.
    level : float
        Level of interval and one-sided bound.
    method : {'auto', 'large-sample', 'transformed', 'bootstrap'}
        See `lower_bound`. ``auto`` is ``large-sample`` over items and ``bootstrap`` over clusters.
    draws, seed : int
        For the bootstrap.

    Returns
    -------
    ReferenceKappa
        Its Notes say how the error is found.

    Raises
    ------
    BadInput
        Off-scale scores, other lengths, unusable options; `UsageProblem` without people, or several for ``adjudicated``.

    Examples
    --------
    >>> judge = [1, 2, 3, 4, 5, 4, 3, 2, 1, 5] * 6
    >>> people = {"ana": [1, 2, 3, 4, 5, 5, 3, 2, 2, 5] * 6, "karim": [1, 1, 3, 4, 5, 4, 3, 3, 1, 4] * 6}
    >>> result = reference_kappa(judge, people, [1, 2, 3, 4, 5])
    >>> round(result.value, 3), round(result.lower, 3), result.n
    (0.937, 0.921, 60)
    """
    scale = declared_scale(levels, weights=weights)
    n = len(judge)
    _check(n, people, reference, method, draws)
    return reference_from_codes(
        scale.codes(judge, name="judge"),
        np.column_stack([scale.codes(scores, name=name) for name, scores in people.items()]),
        list(people),
        scale,
        weights,
        reference=reference,
        groups=None if clusters is None else cluster_codes(clusters, n),
        mass=None if sample_weights is None else sample_mass(sample_weights, n),
        level=level,
        method=method,
        draws=draws,
        seed=seed,
    )


def reference_from_codes(
    judge: Ints,
    people: Ints,
    names: Sequence[str],
    scale: Scale,
    weights: Weights,
    *,
    reference: Reference = "mean",
    groups: Ints | None = None,
    mass: Floats | None = None,
    level: float = 0.95,
    method: BoundMethod = "auto",
    draws: int = 10_000,
    seed: int = 0,
) -> ReferenceKappa:
    """The same as `reference_kappa` from positions on the scale.

    Parameters
    ----------
    judge : array of int, shape (n,)
        Positions; negative where missing.
    people : array of int, shape (n, m)
        Positions of the people.
    names : sequence of str
        The m people's names.
    scale : Scale
        The declared levels.
    weights : {'none', 'linear', 'quadratic'}
        Weights of disagreements.
    reference, level, method, draws, seed
        As `reference_kappa`.
    groups : array of int, shape (n,), optional
        Cluster numbers.
    mass : array of float, shape (n,), optional
        Sample weights.

    Returns
    -------
    ReferenceKappa
    """
    data = _Data(
        judge=judge,
        people=people,
        mass=np.ones(len(judge)) if mass is None else mass,
        groups=np.arange(len(judge)) if groups is None else groups,
        clustered=groups is not None,
        weights=disagreement(len(scale), weights),
    )
    data = replace(data, results=_results(data, scale, weights, level, weighted=mass is not None))
    if method == "auto":
        method = "bootstrap" if data.clustered else "large-sample"
    if method == "bootstrap":
        parts = _by_bootstrap(data, reference, level, draws, seed)
    else:
        parts = _by_influence(data, reference, level, transformed=method == "transformed")
    return ReferenceKappa(
        value=parts.value,
        lower=parts.lower,
        interval=parts.interval,
        se=parts.se,
        n=int(data.scored.sum()),
        units=data.units,
        unit="clusters" if data.clustered else "items",
        per_rater=dict(zip(names, data.results, strict=True)),
        reference=reference,
        weights=weights,
        method=method,
        level=level,
        draws=draws if method == "bootstrap" else None,
        seed=seed if method == "bootstrap" else None,
    )


def _check(n: int, people: Mapping[str, Sequence[Score]], reference: str, method: str, draws: int) -> None:
    for name, scores in people.items():
        if len(scores) != n:
            raise BadInput(
                "judge and person have different numbers of scores", field=name, seen=f"{n} and {len(scores)}"
            )
    if reference not in get_args(Reference):
        raise BadInput("unknown reference", field="reference", seen=reference, why=", ".join(get_args(Reference)))
    if method not in get_args(BoundMethod):
        raise BadInput("unknown method", field="method", seen=method, why=", ".join(get_args(BoundMethod)))
    if draws < 1:
        raise BadInput("a bootstrap needs draws", field="draws", seen=draws)
    if not people:
        raise UsageProblem("no people are named", field="people", remedy="name one annotator or more")
    if reference == "adjudicated" and len(people) > 1:
        raise UsageProblem(
            "the adjudicated label is one label an item",
            field="people",
            seen=", ".join(people),
            remedy="pass the adjudicated labels alone, or use reference mean",
        )


def _results(data: _Data, scale: Scale, weights: Weights, level: float, *, weighted: bool) -> tuple[KappaResult, ...]:
    counted, squared = replace(data, mass=np.ones(len(data.judge))), replace(data, mass=data.mass**2)
    return tuple(
        kappa_from_table(
            counted.table(person).astype(np.int64),
            scale.levels,
            weights,
            level=level,
            missing=len(data.judge) - int(data.both(person).sum()),
            weighted=data.table(person) if weighted else None,
            squared=squared.table(person) if weighted else None,
        )
        for person in range(data.people.shape[1])
    )


def _undefined(data: _Data, reference: Reference) -> _Parts | None:
    """What is left to say when a bound does not exist."""
    kappas = [result.kappa for result in data.results]
    values = [kappa for kappa in kappas if not isinstance(kappa, Undefined)]
    if len(values) < len(kappas):
        nothing = next(kappa for kappa in kappas if isinstance(kappa, Undefined))
        return _Parts(nothing, nothing, nothing, nothing)
    value = min(values) if reference == "each" else float(np.mean(values))
    for result in data.results:
        if isinstance(result.se, Undefined):
            return _Parts(value, result.se, result.se, result.se)
    return _Parts(value, ONE_CLUSTER, ONE_CLUSTER, ONE_CLUSTER) if data.units < 2 else None


def _lowest(parts: list[_Parts]) -> _Parts:
    """Every person for themselves: the lowest kappa with its interval, and the lowest bound."""
    values = [part.value for part in parts if not isinstance(part.value, Undefined)]
    bounds = [part.lower for part in parts if not isinstance(part.lower, Undefined)]
    lost = next((part.lower for part in parts if isinstance(part.lower, Undefined)), None)
    return replace(parts[int(np.argmin(values))], lower=lost if lost is not None else min(bounds))


def _by_influence(data: _Data, reference: Reference, level: float, *, transformed: bool) -> _Parts:
    undefined = _undefined(data, reference)
    if undefined is not None:
        return undefined
    people = list(range(len(data.results)))
    if reference == "each":
        return _lowest([_estimate(data, [person], level, transformed=transformed) for person in people])
    return _estimate(data, people, level, transformed=transformed)


def _estimate(data: _Data, people: list[int], level: float, *, transformed: bool) -> _Parts:
    """Mean kappa with these persons, its error, interval and bound, where every kappa is defined."""
    moved = np.zeros(len(data.judge))
    perfect, perfect_two = 0.0, 0.0
    values: list[float] = []
    for person in people:
        both, table = data.both(person), data.table(person)
        joint, mass = table / table.sum(), data.mass[both]
        kappa = data.results[person].kappa
        assert not isinstance(kappa, Undefined)
        values.append(kappa)
        if kappa == 1:
            size = float(data.units) if data.clustered else float(mass.sum() ** 2 / (mass**2).sum())
            perfect += (1 - perfect_bound(joint, size, level=level)) / len(people)
            perfect_two += (1 - perfect_bound(joint, size, level=(1 + level) / 2)) / len(people)
        elif kappa != 0 or data.results[person].se != 0:
            cells = influence(joint, data.weights)[data.judge[both], data.people[both, person]]
            moved[both] += cells * mass / mass.sum() / len(people)
    value = float(np.mean(values))
    if value == 1:
        return _Parts(1.0, 0.0, Interval(1 - perfect_two, 1.0, level, "exact share of agreement"), 1 - perfect)
    inflation = data.units / (data.units - 1) if data.clustered else 1.0
    se = math.sqrt(float((np.bincount(data.groups, moved) ** 2).sum()) * inflation)
    interval = two_sided(value, se, level=level, df=data.df, transformed=transformed)
    lower = one_sided(value, se, level=level, df=data.df, transformed=transformed)
    # A person without disagreement adds no error to the sum, so the room that person leaves comes off the bound.
    return _Parts(value, se, replace(interval, low=interval.low - perfect_two), lower - perfect)


def _by_bootstrap(data: _Data, reference: Reference, level: float, draws: int, seed: int) -> _Parts:
    undefined = _undefined(data, reference)
    if undefined is not None:
        return undefined
    if any(result.kappa == 1 for result in data.results):
        # No draw can lose an agreement that is perfect; the exact bound has to speak.
        return _by_influence(data, reference, level, transformed=False)
    people, k = len(data.results), len(data.weights)
    units = np.column_stack([data.unit_tables(person) for person in range(people)])
    units = units[units.sum(axis=1) > 0]
    tables = draw_sums(units, draws, np.random.default_rng(seed)).reshape(draws, people, k, k)
    kappas = kappas_of(tables, data.weights)
    if reference == "each":
        return _lowest([_drawn(kappas[:, person], data.results[person].kappa, level) for person in range(people)])
    values = [result.kappa for result in data.results if not isinstance(result.kappa, Undefined)]
    return _drawn(kappas.mean(axis=1), float(np.mean(values)), level)


def _drawn(values: Floats, kappa: float | Undefined, level: float) -> _Parts:
    interval, lower = percentile_interval(values, level)
    defined = values[~np.isnan(values)]
    se = float(defined.std(ddof=1)) if isinstance(interval, Interval) else interval
    return _Parts(kappa, se, interval, lower)
