"""Regressions behind the direction tests: difference and level model with cluster-robust errors."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics.distributions import t_tail, t_two_sided
from judgekit.statistics.results import FloatArray, IntArray, Result, as_gaps
from judgekit.statistics.sign_flip import Alternative

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "ClusteredOls",
    "Coefficient",
    "DifferenceModel",
    "LevelModel",
    "clustered_ols",
    "difference_model",
    "level_model",
    "two_way_se",
]

FEW_CLUSTERS = 50
"""Below so many clusters CR2 with Satterthwaite degrees of freedom is used."""

Kind = Literal["ols", "cr0", "cr1", "cr2"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient(
    Result,
    method="clustered least squares",
    unit="of the outcome per unit of the predictor",
    source="Bell and McCaffrey (2002), Survey Methodology 28",
):
    """One coefficient with its standard error; ``p`` in the direction of ``alternative``."""

    value: float
    se: float | Undefined
    t: float | Undefined
    df: float
    p: float | Undefined
    alternative: Alternative


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredOls(
    Result,
    method="least squares with clustered errors",
    unit="of the outcome",
    source="Cameron and Miller (2015), J. Human Resources 50",
):
    """Ordinary least squares with errors clustered as ``kind`` says.

    ``kind``: ``cr0`` no small-sample factor; ``cr1`` times G/(G-1) (N-1)/(N-K); ``cr2`` bias-reduced with
    Satterthwaite degrees of freedom; ``ols`` no clustering.
    """

    coefficients: tuple[Coefficient, ...]
    kind: Kind
    n: int
    clusters: int


def _codes(clusters: Sequence[Hashable]) -> IntArray:
    seen: dict[Hashable, int] = {}
    return np.array([seen.setdefault(c, len(seen)) for c in clusters], dtype=np.int64)


def _t_p(t: float, df: float, alternative: Alternative) -> float:
    if alternative == "two-sided":
        return t_two_sided(t, df)
    return t_tail(t if alternative == "greater" else -t, df)


class _Fit:
    """A least-squares fit and the pieces its variance estimates share."""

    def __init__(self, y: ArrayLike, x: ArrayLike, clusters: Sequence[Hashable]) -> None:
        self.y = as_gaps(y, what="y")
        self.x: FloatArray = np.asarray(x, dtype=np.float64)
        if self.x.ndim != 2 or len(self.x) != len(self.y) or len(clusters) != len(self.y):
            raise BadInput("y, x and clusters differ in length", seen=f"{len(self.y)}, {self.x.shape}, {len(clusters)}")
        if not np.isfinite(self.x).all():
            raise BadInput("`x` must be finite", field="x")
        self.n, self.k = self.x.shape
        if self.n <= self.k or np.linalg.matrix_rank(self.x) < self.k:
            raise BadInput(
                "the coefficients cannot be told apart", why=f"{self.n} rows, {self.k} columns, not of full rank"
            )
        self.bread: FloatArray = np.asarray(np.linalg.inv(self.x.T @ self.x), dtype=np.float64)
        self.beta: FloatArray = self.bread @ (self.x.T @ self.y)
        self.residual: FloatArray = self.y - self.x @ self.beta
        self.cluster = _codes(clusters)
        self.groups = int(self.cluster.max()) + 1

    def scores(self, weights: FloatArray) -> FloatArray:
        """Sum over each cluster of x times ``weights``."""
        out = np.zeros((self.groups, self.k))
        np.add.at(out, self.cluster, self.x * weights[:, None])
        return out

    def covariance(self, kind: Kind) -> FloatArray:
        if kind == "ols":
            variance = float(self.residual @ self.residual) / (self.n - self.k)
            plain: FloatArray = self.bread * variance
            return plain
        weights = self.residual if kind != "cr2" else self.leveraged(self.residual)
        scores = self.scores(weights)
        out: FloatArray = self.bread @ (scores.T @ scores) @ self.bread
        if kind == "cr1":
            out = out * (self.groups / (self.groups - 1) * (self.n - 1) / (self.n - self.k))
        return out

    def _by_cluster(self) -> list[IntArray]:
        order = np.argsort(self.cluster, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.cluster))[:-1])

    def leveraged(self, vector: FloatArray) -> FloatArray:
        """(I - H_gg)^(-1/2) times the cluster's part of ``vector``, for every cluster."""
        out = np.empty(self.n)
        for rows in self._by_cluster():
            part = self.x[rows]
            values, vectors = np.linalg.eigh(np.eye(len(rows)) - part @ self.bread @ part.T)
            # A direction that the fit takes up wholly carries no residual; its generalised inverse is 0.
            power = np.where(values > 1e-10, np.maximum(values, 1e-10) ** -0.5, 0.0)
            out[rows] = vectors @ (power * (vectors.T @ vector[rows]))
        return out

    def satterthwaite(self, which: int) -> float:
        """Degrees of freedom of the CR2 variance of one coefficient under independent errors."""
        a = self.leveraged(self.x @ self.bread[:, which])
        square = np.bincount(self.cluster, weights=a * a, minlength=self.groups)
        u = self.scores(a)
        inner = self.bread @ (u.T @ u)
        trace = float(square.sum() - np.trace(inner))
        diagonal = np.einsum("gi,ij,gj->g", u, self.bread, u)
        trace_of_square = float((square**2).sum() - 2 * (square * diagonal).sum() + np.trace(inner @ inner))
        return trace**2 / trace_of_square


def clustered_ols(
    y: ArrayLike,
    x: ArrayLike,
    clusters: Sequence[Hashable],
    *,
    kind: Kind = "cr1",
    alternative: Alternative = "two-sided",
) -> ClusteredOls:
    """Least squares with cluster-robust standard errors.

    Parameters
    ----------
    y : sequence of float
        Outcome.
    x : array_like, shape (n, k)
        Regressors, with a column of ones if there is an intercept.
    clusters : sequence
        Cluster of each row.
    kind : {'cr1', 'cr2', 'cr0', 'ols'}
        See `ClusteredOls`.
    alternative : {'two-sided', 'greater', 'less'}
        Direction of p.

    Returns
    -------
    ClusteredOls
        ``df`` is G - 1 for CR0 and CR1, Satterthwaite for CR2, n - k without clustering. One cluster: undefined errors.

    Raises
    ------
    BadInput
        When lengths differ or the regressors are not of full rank.

    References
    ----------
    .. [1] R. M. Bell and D. F. McCaffrey, Survey Methodology 28, 2002.
    .. [2] J. E. Pustejovsky and E. Tipton, JBES 36, 2018.

    Examples
    --------
    >>> fit = clustered_ols([1.0, 2.0, 3.0, 5.0], [[1, 0], [1, 1], [1, 2], [1, 3]], ["a", "a", "b", "b"])
    >>> round(fit.coefficients[1].value, 6)
    1.3
    """
    if kind not in ("ols", "cr0", "cr1", "cr2"):
        raise BadInput("no such standard error", field="kind", seen=kind)
    fit = _Fit(y, x, clusters)
    lone = kind != "ols" and fit.groups < 2
    covariance = np.zeros((fit.k, fit.k)) if lone else fit.covariance(kind)
    found = []
    for i, value in enumerate(fit.beta.tolist()):
        df = float(fit.n - fit.k if kind == "ols" else fit.groups - 1)
        if kind == "cr2" and not lone:
            df = fit.satterthwaite(i)
        se = math.sqrt(max(0.0, float(covariance[i, i])))
        if lone or se == 0:
            why = Undefined("one cluster" if lone else "no spread")
            found.append(Coefficient(value=value, se=why, t=why, df=df, p=why, alternative=alternative))
        else:
            t = value / se
            p = _t_p(t, df, alternative)
            found.append(Coefficient(value=value, se=se, t=t, df=df, p=p, alternative=alternative))
    return ClusteredOls(coefficients=tuple(found), kind=kind, n=fit.n, clusters=fit.groups)


def two_way_se(
    y: ArrayLike, x: ArrayLike, first: Sequence[Hashable], second: Sequence[Hashable], *, which: int
) -> float | Undefined:
    """Two-way clustered standard error (first + second - both), each part with the CR1 factor.

    Parameters
    ----------
    y, x
        As in `clustered_ols`.
    first, second : sequence
        The two cluster labels of each row, such as template and name.
    which : int
        Index of the coefficient.

    Returns
    -------
    float or Undefined
        Undefined when the difference of variances is not positive, which happens with few clusters; `two_way` in
        ``statistics.variance`` does not have that fault.

    Raises
    ------
    BadInput
        As in `clustered_ols`.

    References
    ----------
    .. [1] A. C. Cameron, J. B. Gelbach and D. L. Miller, JBES 29, 2011.

    Examples
    --------
    >>> x = [[1.0, i % 2] for i in range(8)]
    >>> isinstance(two_way_se([1, 3, 2, 5, 1, 4, 2, 6], x, list("aabbccdd"), list("xyxyxyxy"), which=1), (float, Undefined))
    True
    """
    both = list(zip(first, second, strict=True))
    parts = [float(_Fit(y, x, labels).covariance("cr1")[which, which]) for labels in (first, second, both)]
    variance = parts[0] + parts[1] - parts[2]
    return math.sqrt(variance) if variance > 0 else Undefined("variance not positive", "too few clusters")


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceModel(
    Result,
    method="difference model through the origin, t",
    unit="of the outcome",
    source="Student (1908), Biometrika 6",
):
    """Change of the outcome times direction, through the origin.

    ``beta`` is the mean of direction x change over items with a direction. ``balance`` is the mean direction in
    [-1, 1]: at 0 a shift common to all edits cancels, at +-1 it is part of ``beta``.
    """

    beta: Coefficient
    n: int
    no_direction: int
    balance: float


def _directions(d: Sequence[int]) -> IntArray:
    out = np.asarray(d)
    if out.ndim != 1 or not np.isin(out, (-1, 0, 1)).all():
        raise BadInput("a direction must be -1, 0 or +1", field="d", seen=str(d)[:80])
    return out.astype(np.int64)


def difference_model(
    d: Sequence[int], original: ArrayLike, changed: ArrayLike, *, alternative: Alternative = "two-sided"
) -> DifferenceModel | Undefined:
    """Does the outcome move in the direction that the edit should move it?

    Parameters
    ----------
    d : sequence of {-1, 0, 1}
        Expected direction of each item; items with 0 are not part of the model.
    original, changed : sequence of float
        Outcome before and after the edit.
    alternative : {'two-sided', 'greater', 'less'}
        ``greater``: outcomes follow the direction.

    Returns
    -------
    DifferenceModel or Undefined
        A one-sample t with n - 1 degrees of freedom on d x (changed - original). Undefined below two items.

    Raises
    ------
    BadInput
        When lengths differ or a direction is not -1, 0 or +1.

    Examples
    --------
    >>> found = difference_model([1, -1, 1, 0], [0.0, 0.0, 0.0, 0.0], [1.0, -2.0, 3.0, 9.0])
    >>> found.beta.value, found.no_direction
    (2.0, 1)
    """
    from judgekit.statistics.paired_tests import paired_t_test

    direction, before, after = _directions(d), as_gaps(original), as_gaps(changed)
    if not len(direction) == len(before) == len(after):
        raise BadInput("items differ in number", seen=f"{len(direction)}, {len(before)}, {len(after)}")
    used = direction != 0
    moved = (direction * (after - before))[used]
    if len(moved) < 2:
        return Undefined("fewer than two items with a direction")
    test = paired_t_test(moved, alternative=alternative)
    se: float | Undefined = float(moved.std(ddof=1)) / math.sqrt(len(moved))
    if test.degenerate:
        se = Undefined("no spread", "every item moved by the same amount")
    beta = Coefficient(
        value=float(moved.mean()), se=se, t=test.t, df=float(len(moved) - 1), p=test.p, alternative=alternative
    )
    return DifferenceModel(
        beta=beta, n=len(moved), no_direction=int(np.count_nonzero(~used)), balance=float(direction[used].mean())
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelModel(
    Result,
    method="level model with clustered errors",
    unit="of the outcome",
    source="Bell and McCaffrey (2002), Survey Methodology 28",
):
    """Level regression y = b0 + b1 z + beta d on stacked rows (baseline edits with d = 0, targeted edits with d).

    ``beta`` has the default error (CR2 below 50 clusters, else CR1); the other kinds stand beside it.
    """

    beta: Coefficient
    intercept: Coefficient
    level: Coefficient
    kind: Kind
    beta_cr0: Coefficient
    beta_cr1: Coefficient
    beta_cr2: Coefficient
    beta_ols: Coefficient
    n: int
    clusters: int
    balance: float


def level_model(
    d: Sequence[int],
    original: ArrayLike,
    baseline: ArrayLike,
    targeted: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
) -> LevelModel | Undefined:
    """Level regression of the outcome after an edit on the original outcome and the direction of the edit.

    Parameters
    ----------
    d : sequence of {-1, 0, 1}
        Expected direction of the targeted edit.
    original, baseline, targeted : sequence of float
        Outcome of the unchanged prompt, of its paraphrase and of the targeted edit.
    alternative : {'two-sided', 'greater', 'less'}
        Direction of p of ``beta``.

    Returns
    -------
    LevelModel or Undefined
        Errors clustered by prompt. Undefined when the coefficients cannot be told apart.

    Raises
    ------
    BadInput
        When lengths differ or a direction is not -1, 0 or +1.

    Examples
    --------
    >>> z = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    >>> noise = [0.1, -0.1, 0.2, -0.2, 0.1, -0.1]
    >>> found = level_model([1, -1] * 3, z, [a + e for a, e in zip(z, noise)], [a + 2 * s for a, s in zip(z, [1, -1] * 3)])
    >>> found.kind, 1.9 < found.beta.value < 2.1
    ('cr2', True)
    """
    direction = _directions(d)
    z, base, moved = as_gaps(original), as_gaps(baseline), as_gaps(targeted)
    n = len(z)
    if not len(direction) == n == len(base) == len(moved):
        raise BadInput("items differ in number", seen=f"{len(direction)}, {n}, {len(base)}, {len(moved)}")
    x = np.column_stack([np.ones(2 * n), np.concatenate([z, z]), np.concatenate([np.zeros(n), direction])])
    if 2 * n <= 3 or np.linalg.matrix_rank(x) < 3:
        return Undefined("coefficients cannot be told apart", "the original outcomes or the directions do not vary")
    y = np.concatenate([base, moved])
    clusters = list(range(n)) * 2
    fits: dict[Kind, ClusteredOls] = {
        kind: clustered_ols(y, x, clusters, kind=kind, alternative=alternative) for kind in ("cr0", "cr1", "cr2", "ols")
    }
    kind: Kind = "cr2" if n < FEW_CLUSTERS else "cr1"
    chosen = fits[kind].coefficients
    return LevelModel(
        beta=chosen[2],
        intercept=chosen[0],
        level=chosen[1],
        kind=kind,
        beta_cr0=fits["cr0"].coefficients[2],
        beta_cr1=fits["cr1"].coefficients[2],
        beta_cr2=fits["cr2"].coefficients[2],
        beta_ols=fits["ols"].coefficients[2],
        n=2 * n,
        clusters=n,
        balance=float(direction.mean()) if n else 0.0,
    )
