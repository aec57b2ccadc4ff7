"""Leave one rater out: does the judge agree with each person as well as the other people do?"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judgekit.agreement.bounds import one_sided, two_sided
from judgekit.agreement.kappa import influence
from judgekit.agreement.levels import Level, Scale, Score, Weights, declared_scale, disagreement
from judgekit.agreement.resampling import ONE_CLUSTER, cluster_codes
from judgekit.errors import BadInput, UsageProblem
from judgekit.records import Interval, Undefined
from judgekit.statistics.results import Result, check_level

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

__all__ = ["LeaveOneOut", "LeftOut", "leave_one_rater_out"]

JUDGE = "judge"
NO_OTHERS = Undefined("no human pair", "no other person shares items with this one")


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut(
    Result,
    method="one person left out",
    unit="kappa in [-1, 1]",
    source="Fleiss, Cohen and Everitt (1969), Psychol. Bull. 72",
):
    """One person left out of the people, as the one to agree with.

    ``people`` is the mean kappa of the other people with this person, ``judge`` the judge's (None without a judge), and
    ``difference`` judge minus people: positive when the judge agrees with this person better than other people do.
    """

    person: str
    others: int
    people: float | Undefined
    judge: float | Undefined | None
    difference: float | Undefined | None
    se: float | Undefined | None
    interval: Interval | Undefined | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveOneOut(
    Result,
    method="leave one rater out",
    unit="kappa in [-1, 1]",
    source="Fleiss, Cohen and Everitt (1969), Psychol. Bull. 72",
):
    """Every person left out once, and the mean over them.

    ``people`` is the mean of the persons' kappas with the others; ``difference`` the mean of judge minus people with a
    two-sided interval and a one-sided ``lower`` bound: above minus a margin, the judge is not worse than a person by more
    than that margin. The judge's fields are None without a judge.
    """

    persons: tuple[LeftOut, ...]
    people: float | Undefined
    judge: float | Undefined | None
    difference: float | Undefined | None
    se: float | Undefined | None
    interval: Interval | Undefined | None
    lower: float | Undefined | None
    units: int
    weights: Weights
    level: float


@dataclass(frozen=True, slots=True)
class _Pair:
    """Kappa of two raters, and what each item adds to its error."""

    kappa: float | Undefined
    moved: Floats


def leave_one_rater_out(
    people: Mapping[str, Sequence[Score]],
    levels: Sequence[Level],
    weights: Weights = "quadratic",
    *,
    judge: Sequence[Score] | None = None,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> LeaveOneOut:
    """Compare the judge's agreement with each person to the other people's agreement with that person.

    Parameters
    ----------
    people : mapping of str to sequence of level or None
        Each person's scores of the same items in the same order; two people or more.
    levels : sequence
        The declared levels in order.
    weights : {'none', 'linear', 'quadratic'}
        Weights of disagreements.
    judge : sequence of level or None, optional
        The judge's scores. Without them only the people are compared, which shows the person who stands apart.
    clusters : sequence, optional
        One label an item, such as its template.
    level : float
        Level of the intervals and of the bound.

    Returns
    -------
    LeaveOneOut
        Pairs of people without common items are left out; any other undefined kappa makes the numbers that need it
        undefined.

    Raises
    ------
    BadInput
        Off-scale scores or sequences of different length; `UsageProblem` with fewer than two people.

    Notes
    -----
    The error of a difference comes from the items' influence values on all kappas in it, so that the same items and
    people on both sides are allowed for; with clusters they are summed within clusters.

    References
    ----------
    .. [1] Fleiss JL, Cohen J, Everitt BS (1969). Large sample standard errors of kappa and weighted kappa. Psychol Bull
       72, 323-327.

    Examples
    --------
    >>> people = {"ana": [1, 2, 3, 4, 5, 3], "karim": [1, 3, 3, 4, 5, 2], "lu": [2, 2, 3, 4, 4, 3]}
    >>> result = leave_one_rater_out(people, [1, 2, 3, 4, 5], judge=[1, 2, 3, 4, 5, 4])
    >>> [(p.person, round(p.people, 2), round(p.judge, 2)) for p in result.persons]
    [('ana', 0.88, 0.95), ('karim', 0.81, 0.76), ('lu', 0.79, 0.8)]
    """
    check_level(level)
    if len(people) < 2:
        raise UsageProblem("two people are needed", field="people", seen=", ".join(people) or "none")
    scale = declared_scale(levels, weights=weights)
    columns = list(people.values()) + ([judge] if judge is not None else [])
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise BadInput("the raters have different numbers of scores", field="people", seen=sorted(lengths))
    codes = np.column_stack([scale.codes(column, name="people or judge") for column in columns])
    n = len(codes)
    groups = np.arange(n) if clusters is None else cluster_codes(clusters, n)
    used = (codes >= 0).sum(axis=1) >= 2
    units = len(np.unique(groups[used]))
    error = _Error(groups, units, clusters is not None, level)
    pairs = _pairs(codes, scale, weights, len(people))
    persons, moved = [], []
    for index, name in enumerate(people):
        one, shift = _left_out(name, index, pairs, len(people), error, with_judge=judge is not None)
        persons.append(one)
        moved.append(shift)
    return _together(persons, moved, error, weights, with_judge=judge is not None)


@dataclass(frozen=True, slots=True)
class _Error:
    groups: Ints
    units: int
    clustered: bool
    level: float

    @property
    def df(self) -> float | None:
        return float(self.units - 1) if self.clustered else None

    def of(self, moved: Floats) -> float | Undefined:
        if self.units < 2:
            return ONE_CLUSTER
        inflation = self.units / (self.units - 1) if self.clustered else 1.0
        return math.sqrt(float((np.bincount(self.groups, moved) ** 2).sum()) * inflation)


def _pairs(codes: Ints, scale: Scale, weights: Weights, people: int) -> dict[tuple[int, int], _Pair]:
    """Every pair with common items, both ways round."""
    k, apart = len(scale), disagreement(len(scale), weights)
    found: dict[tuple[int, int], _Pair] = {}
    for i in range(people):
        for j in range(i + 1, codes.shape[1]):
            both = (codes[:, i] >= 0) & (codes[:, j] >= 0)
            n = int(both.sum())
            if n:
                found[i, j] = found[j, i] = _pair(codes[both, i], codes[both, j], both, k, apart)
    return found


def _pair(a: Ints, b: Ints, both: npt.NDArray[np.bool_], k: int, apart: Floats) -> _Pair:
    n = len(a)
    joint = np.bincount(a * k + b, minlength=k * k).reshape(k, k) / n
    moved = np.zeros(len(both))
    if n < 2:
        return _Pair(Undefined("one pair", "a coefficient of agreement needs two items or more"), moved)
    if (joint.sum(axis=0) > 0).sum() == 1 or (joint.sum(axis=1) > 0).sum() == 1:
        return _Pair(Undefined("one rater constant", "a rater used one level only"), moved)
    moved[both] = influence(joint, apart)[a, b] / n
    expected = float(joint.sum(axis=1) @ apart @ joint.sum(axis=0))
    return _Pair(1 - float((joint * apart).sum()) / expected, moved)


def _left_out(
    name: str, index: int, pairs: dict[tuple[int, int], _Pair], people: int, error: _Error, *, with_judge: bool
) -> tuple[LeftOut, Floats]:
    others = [pairs[index, other] for other in range(people) if other != index and (index, other) in pairs]
    mean, moved = _mean(others, len(error.groups))
    if not with_judge:
        empty = LeftOut(
            person=name, others=len(others), people=mean, judge=None, difference=None, se=None, interval=None
        )
        return empty, moved
    judged = pairs.get((index, people), _Pair(Undefined("no pairs", "no item was scored by both"), moved * 0))
    undefined = next((x for x in (judged.kappa, mean) if isinstance(x, Undefined)), None)
    difference: float | Undefined
    se: float | Undefined
    interval: Interval | Undefined
    if isinstance(judged.kappa, Undefined) or isinstance(mean, Undefined):
        assert undefined is not None
        difference = se = interval = undefined
    else:
        difference = judged.kappa - mean
        se = error.of(judged.moved - moved)
        interval = se if isinstance(se, Undefined) else two_sided(difference, se, level=error.level, df=error.df)
    one = LeftOut(
        person=name,
        others=len(others),
        people=mean,
        judge=judged.kappa,
        difference=difference,
        se=se,
        interval=interval,
    )
    return one, judged.moved - moved


def _mean(pairs: list[_Pair], n: int) -> tuple[float | Undefined, Floats]:
    if not pairs:
        return NO_OTHERS, np.zeros(n)
    kappas = []
    for pair in pairs:
        if isinstance(pair.kappa, Undefined):
            return pair.kappa, np.zeros(n)
        kappas.append(pair.kappa)
    moved: Floats = np.mean([pair.moved for pair in pairs], axis=0)
    return float(np.mean(kappas)), moved


def _average(values: Sequence[float | Undefined | None]) -> float | Undefined:
    numbers = []
    for value in values:
        if isinstance(value, Undefined):
            return value
        if value is not None:
            numbers.append(value)
    return float(np.mean(numbers)) if numbers else NO_OTHERS


def _together(
    persons: list[LeftOut], moved: list[Floats], error: _Error, weights: Weights, *, with_judge: bool
) -> LeaveOneOut:
    people = _average([person.people for person in persons])
    judge: float | Undefined | None = None
    difference: float | Undefined | None = None
    se: float | Undefined | None = None
    interval: Interval | Undefined | None = None
    lower: float | Undefined | None = None
    if with_judge:
        judge = _average([person.judge for person in persons])
        difference = _average([person.difference for person in persons])
        se = difference if isinstance(difference, Undefined) else error.of(np.mean(moved, axis=0))
        if isinstance(difference, Undefined) or isinstance(se, Undefined):
            missing = difference if isinstance(difference, Undefined) else se
            assert isinstance(missing, Undefined)
            interval = lower = missing
        else:
            interval = two_sided(difference, se, level=error.level, df=error.df)
            lower = one_sided(difference, se, level=error.level, df=error.df)
    return LeaveOneOut(
        persons=tuple(persons),
        people=people,
        judge=judge,
        difference=difference,
        se=se,
        interval=interval,
        lower=lower,
        units=error.units,
        weights=weights,
        level=error.level,
    )
