"""Cohen's kappa on the declared levels, its standard errors, and the indices that explain it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judgekit.agreement.bounds import one_sided, perfect_bound, two_sided
from judgekit.agreement.levels import Level, Score, Weights, declared_scale, disagreement
from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.statistics.proportion import proportion_interval
from judgekit.statistics.results import Result, check_level

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["KappaResult", "cohen_kappa", "kappa_from_table"]

if TYPE_CHECKING:
    Floats = npt.NDArray[np.float64]

NO_PAIRS = Undefined("no pairs", "no item was scored by both")
ONE_PAIR = Undefined("one pair", "a coefficient of agreement needs two items or more")
NO_VARIANCE = Undefined("no variance", "both raters used one and the same level")
ONE_CONSTANT = Undefined("one rater constant", "kappa is 0 whatever the other rater did, so it has no sampling error")
NOT_TWO_LEVELS = Undefined("not two levels", "this index is defined for two levels")


@dataclass(frozen=True, slots=True, kw_only=True)
class KappaResult(
    Result,
    method="Cohen's kappa and its relatives",
    unit="kappa in [-1, 1]",
    source="Fleiss, Cohen and Everitt (1969), Psychol. Bull. 72; Gwet (2008), Br. J. Math. Stat. Psychol. 61",
):
    """Agreement of two raters on one scale.

    Parameters
    ----------
    n, missing : int
        Items scored by both; items that lack one side or both.
    weights : {'none', 'linear', 'quadratic'}
        Weights of disagreements.
    levels : tuple
        The declared levels, in order; rows and columns of ``table``.
    table : tuple of tuple of int
        Counts, ``a`` in rows, ``b`` in columns.
    kappa : float or Undefined
        In [-1, 1]; 1 is perfect agreement, 0 what chance gives.
    se : float or Undefined
        Large-sample standard error (Fleiss, Cohen and Everitt).
    se0 : float or Undefined
        Standard error when the true kappa is 0.
    interval : Interval or Undefined
        Two-sided, ``kappa`` plus and minus z times ``se``, not clipped to [-1, 1]; for perfect agreement from the
        share of agreement.
    lower : float or Undefined
        One-sided lower bound at ``level``; what the gate compares with its threshold.
    percent : float or Undefined
        Share of items with the same level, in [0, 1] (unweighted, whatever ``weights`` is).
    percent_interval : Interval or Undefined
        Wilson interval of that share.
    scott_pi, ac1, brennan_prediger : float or Undefined
        Unweighted coefficients with other chance models.
    ac2 : float or Undefined
        Gwet's AC2 with the stated weights (AC1 when there are none), on the complete pairs.
    pabak, prevalence_index, bias_index : float or Undefined
        For two levels: 2 x agreement - 1; (both first - both second) / n; (a first, b second - the reverse) / n.
    """

    n: int
    missing: int
    weights: Weights
    levels: tuple[Level, ...]
    table: tuple[tuple[int, ...], ...]
    kappa: float | Undefined
    se: float | Undefined
    se0: float | Undefined
    interval: Interval | Undefined
    lower: float | Undefined
    level: float
    percent: float | Undefined
    percent_interval: Interval | Undefined
    scott_pi: float | Undefined
    ac1: float | Undefined
    ac2: float | Undefined
    brennan_prediger: float | Undefined
    pabak: float | Undefined
    prevalence_index: float | Undefined
    bias_index: float | Undefined
    reference: str = "Cohen J (1968). Psychol Bull 70, 213-220; Fleiss JL and others (1969). Psychol Bull 72, 323-327"

    @property
    def marginals(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """How often ``a`` and ``b`` gave each level, as shares of the complete pairs; empty without pairs."""
        if not self.n:
            return (), ()
        columns = zip(*self.table, strict=True)
        return tuple(sum(row) / self.n for row in self.table), tuple(sum(column) / self.n for column in columns)


def cohen_kappa(
    a: Sequence[Score],
    b: Sequence[Score],
    levels: Sequence[Level],
    weights: Weights = "none",
    *,
    level: float = 0.95,
    sample_weights: Sequence[float] | None = None,
) -> KappaResult:
    """How far two raters agree beyond chance, on the levels that were declared.

    Parameters
    ----------
    a, b : sequence of level or None
        Scores of the two raters, item by item. A pair with a missing side drops out and is counted.
    levels : sequence
        Every level of the scale in order, used or not. Weights are steps between positions in this list.
    weights : {'none', 'linear', 'quadratic'}
        ``none`` for classes; ``quadratic`` is usual for ordered scores.
    level : float
        Level of the two-sided intervals and of the one-sided bound, in (0, 1).
    sample_weights : sequence of float, optional
        One positive weight an item, for samples with unequal inclusion probabilities (1 / probability).

    Returns
    -------
    KappaResult

    Raises
    ------
    BadInput
        Sequences of different length, a score off the scale, unusable levels, weights that are not positive.

    Notes
    -----
    ``kappa = 1 - sum(w o) / sum(w e)`` with observed and chance-expected proportions ``o`` and ``e`` [1]_. The
    standard error is the large-sample one [2]_, computed from influence values, which gives the same number and
    extends to sample weights. Edge cases: both raters constant and equal, or fewer than two pairs: undefined. One
    rater constant: 0 with undefined error. Perfect agreement: kappa 1 and error 0, which says nothing about the
    uncertainty, so interval and bound come from the exact (Clopper and Pearson) bound ``p`` of the share of agreement,
    as ``1 - (1 - p) / (1 - e)`` with ``e`` the chance agreement of the observed marginals: as if every disagreement that
    was not seen were as large as chance disagreements are, which errs on the safe side when weights are used.

    References
    ----------
    .. [1] Cohen J (1968). Weighted kappa. Psychol Bull 70, 213-220. doi:10.1037/h0026256
    .. [2] Fleiss JL, Cohen J, Everitt BS (1969). Large sample standard errors of kappa and weighted kappa.
       Psychol Bull 72, 323-327. doi:10.1037/h0028106

    Examples
    --------
    >>> result = cohen_kappa([1, 2, 3, 3, None], [1, 2, 2, 3, 1], levels=[1, 2, 3, 4, 5], weights="quadratic")
    >>> result.n, result.missing, round(result.kappa, 3)
    (4, 1, 0.8)
    """
    scale = declared_scale(levels, weights=weights)
    if len(a) != len(b):
        raise BadInput("the two raters have different numbers of scores", field="a, b", seen=f"{len(a)} and {len(b)}")
    first, second = scale.codes(a, name="a"), scale.codes(b, name="b")
    both = (first >= 0) & (second >= 0)
    mass = sample_mass(sample_weights, len(a))[both]
    k = len(scale)
    cells = first[both] * k + second[both]
    counts = np.bincount(cells, minlength=k * k).reshape(k, k)
    return kappa_from_table(
        counts,
        scale.levels,
        weights,
        level=level,
        missing=int(len(a) - both.sum()),
        weighted=None if sample_weights is None else _summed(cells, mass, k),
        squared=None if sample_weights is None else _summed(cells, mass**2, k),
    )


def _summed(cells: npt.NDArray[np.int64], mass: Floats, k: int) -> Floats:
    return np.bincount(cells, mass, minlength=k * k).astype(np.float64).reshape(k, k)


def sample_mass(sample_weights: Sequence[float] | None, n: int) -> Floats:
    """Check sample weights; all 1 when there are none.

    Parameters
    ----------
    sample_weights : sequence of float or None
        One positive number an item.
    n : int
        Number of items.

    Returns
    -------
    array of float, shape (n,)

    Raises
    ------
    BadInput
        Another number of weights than items, or a weight that is not a positive number.

    Examples
    --------
    >>> sample_mass(None, 3).tolist()
    [1.0, 1.0, 1.0]
    """
    if sample_weights is None:
        return np.ones(n)
    mass = np.asarray(sample_weights, dtype=np.float64)
    if mass.shape != (n,):
        raise BadInput("one sample weight an item is needed", field="sample_weights", seen=f"{mass.size} for {n}")
    if not (np.isfinite(mass).all() and (mass > 0).all()):
        raise BadInput("sample weights must be positive numbers", field="sample_weights", seen=mass.min())
    return mass


def kappa_from_table(
    table: npt.NDArray[np.int64],
    levels: Sequence[Level],
    weights: Weights = "none",
    *,
    level: float = 0.95,
    missing: int = 0,
    weighted: Floats | None = None,
    squared: Floats | None = None,
) -> KappaResult:
    """The same as `cohen_kappa` from a table of counts.

    Parameters
    ----------
    table : array of int, shape (k, k)
        Counts, first rater in rows.
    levels : sequence
        The k declared levels in order.
    weights : {'none', 'linear', 'quadratic'}
        Weights of disagreements.
    level : float
        Level of intervals and bound.
    missing : int
        Pairs that were dropped, for the record.
    weighted, squared : array of float, shape (k, k), optional
        Sums of the sample weights, and of their squares, per cell.

    Returns
    -------
    KappaResult

    Examples
    --------
    >>> import numpy as np
    >>> round(kappa_from_table(np.array([[20, 5], [10, 15]]), ["yes", "no"]).kappa, 3)
    0.4
    """
    check_level(level)
    scale = declared_scale(levels, weights=weights)
    n = int(table.sum())
    mass = table.astype(np.float64) if weighted is None else weighted
    joint = mass / mass.sum() if n else np.zeros_like(mass)
    # Var of a weighted mean of influence values: sum(w^2 IF^2) / sum(w)^2; equal weights give sum(p IF^2) / n.
    spread = joint / max(n, 1) if squared is None else squared / mass.sum() ** 2 if n else joint
    size = n if squared is None or not n else float(mass.sum() ** 2 / squared.sum())
    kappa, se, se0 = _value_and_errors(joint, spread, size, n, disagreement(len(scale), weights))
    interval, lower = _interval_and_bound(kappa, se, joint, size, level)
    agree = float(np.trace(joint))
    two = len(scale) == 2
    return KappaResult(
        n=n,
        missing=missing,
        weights=weights,
        levels=scale.levels,
        table=tuple(tuple(int(c) for c in row) for row in table),
        kappa=kappa,
        se=se,
        se0=se0,
        interval=interval,
        lower=lower,
        level=level,
        percent=agree if n else NO_PAIRS,
        percent_interval=proportion_interval(min(agree, 1.0) * size, size, level=level) if n else NO_PAIRS,
        scott_pi=_scott_pi(joint) if n else NO_PAIRS,
        ac1=_gwet(joint, disagreement(len(scale), "none")) if n else NO_PAIRS,
        ac2=_gwet(joint, disagreement(len(scale), weights)) if n else NO_PAIRS,
        brennan_prediger=_against(agree, 1 / len(scale)) if n else NO_PAIRS,
        pabak=(2 * agree - 1 if n else NO_PAIRS) if two else NOT_TWO_LEVELS,
        prevalence_index=(float(joint[0, 0] - joint[1, 1]) if n else NO_PAIRS) if two else NOT_TWO_LEVELS,
        bias_index=(float(joint[0, 1] - joint[1, 0]) if n else NO_PAIRS) if two else NOT_TWO_LEVELS,
    )


def influence(joint: Floats, weights: Floats) -> Floats:
    """How much one item in each cell moves kappa: the influence value of every cell of the table.

    Parameters
    ----------
    joint : array of float, shape (k, k)
        Proportions, summing to 1, with positive chance-expected disagreement.
    weights : array of float, shape (k, k)
        Disagreement weights.

    Returns
    -------
    array of float, shape (k, k)
        Mean zero under ``joint``. The variance of kappa is their mean square divided by n (delta method), which equals
        the formula of Fleiss, Cohen and Everitt; sums within clusters give the cluster-robust variance.

    Examples
    --------
    >>> import numpy as np
    >>> cells = influence(np.array([[0.4, 0.1], [0.2, 0.3]]), disagreement(2, "none"))
    >>> round(float(np.sqrt((np.array([[20, 5], [10, 15]]) * cells**2).sum()) / 50), 4)
    0.127
    """
    rows, columns = joint.sum(axis=1), joint.sum(axis=0)
    expected = float(rows @ weights @ columns)
    observed = float((joint * weights).sum())
    chance = (weights @ columns)[:, None] + (rows @ weights)[None, :]
    moved: Floats = (observed * (chance - 2 * expected) / expected - (weights - observed)) / expected
    return moved


def _value_and_errors(
    joint: Floats, spread: Floats, size: float, n: int, weights: Floats
) -> tuple[float | Undefined, float | Undefined, float | Undefined]:
    if n < 2:
        nothing = ONE_PAIR if n else NO_PAIRS
        return nothing, nothing, nothing
    rows, columns = joint.sum(axis=1), joint.sum(axis=0)
    constants = int((rows > 0).sum() == 1) + int((columns > 0).sum() == 1)
    observed = float((joint * weights).sum())
    if constants == 2 and observed == 0:
        return NO_VARIANCE, NO_VARIANCE, NO_VARIANCE
    if constants:
        return 0.0, (0.0 if constants == 2 else ONE_CONSTANT), ONE_CONSTANT
    expected = float(rows @ weights @ columns)
    se = math.sqrt(float((spread * influence(joint, weights) ** 2).sum()))
    at_zero = ((weights @ columns)[:, None] + (rows @ weights)[None, :] - weights - expected) / expected
    se0 = math.sqrt(float((np.outer(rows, columns) * at_zero**2).sum()) / size)
    return 1 - observed / expected, (se if observed > 0 else 0.0), se0


def _interval_and_bound(
    kappa: float | Undefined, se: float | Undefined, joint: Floats, size: float, level: float
) -> tuple[Interval | Undefined, float | Undefined]:
    if isinstance(kappa, Undefined):
        return kappa, kappa
    if isinstance(se, Undefined):
        return se, se
    if kappa == 1:
        low = perfect_bound(joint, size, level=(1 + level) / 2)
        return Interval(low, 1.0, level, "exact share of agreement"), perfect_bound(joint, size, level=level)
    return two_sided(kappa, se, level=level), one_sided(kappa, se, level=level)


def _against(agree: float, chance: float) -> float | Undefined:
    return (agree - chance) / (1 - chance) if chance < 1 else NO_VARIANCE


def _scott_pi(joint: Floats) -> float | Undefined:
    mean = (joint.sum(axis=0) + joint.sum(axis=1)) / 2
    if (mean > 0).sum() == 1:
        return NO_VARIANCE
    return _against(float(np.trace(joint)), float((mean**2).sum()))


def _gwet(joint: Floats, weights: Floats) -> float | Undefined:
    mean, k = (joint.sum(axis=0) + joint.sum(axis=1)) / 2, len(weights)
    similarity = 1 - weights
    chance = float(similarity.sum()) / (k * (k - 1)) * float((mean * (1 - mean)).sum())
    return _against(float((joint * similarity).sum()), chance)
