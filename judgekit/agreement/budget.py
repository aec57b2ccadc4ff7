"""How many labels decide, and how to look while they come in without fooling oneself."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics.distributions import normal_quantile, normal_tail
from judgekit.statistics.results import Result, check_level

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

__all__ = ["Look", "LookPlan", "Spending", "more_labels", "planned_looks"]

Spending: TypeAlias = Literal["obrien-fleming", "pocock"]

LIMIT = 100_000
GRID = 601
REACH = 7.0


def more_labels(
    kappa: float | Undefined,
    n: int,
    threshold: float,
    *,
    se: float | Undefined | None = None,
    level: float = 0.95,
    limit: int = LIMIT,
) -> int | None:
    """How many more labelled items decide, if the estimate stays where it is.

    Parameters
    ----------
    kappa : float or Undefined
        The estimate so far, in [-1, 1].
    n : int
        Items it rests on, 1 or more.
    threshold : float
        What the one-sided lower bound has to reach.
    se : float, optional
        Standard error of ``kappa`` at ``n`` items. Without one, that of two balanced classes, ``sqrt((1 - kappa^2) / n)``,
        is used; ordered levels usually need fewer items.
    level : float
        One-sided confidence level.
    limit : int
        More than this many counts as never.

    Returns
    -------
    int or None
        0 when the lower bound already clears the threshold, or the upper bound is already below it. None when no number
        up to ``limit`` decides, the estimate stands on the threshold, or it is undefined.

    Notes
    -----
    The error shrinks with the square root of the number of items, so ``n (z se / |kappa - threshold|)^2`` items decide:
    for the judge when kappa is above the threshold, against it when it is below.

    Examples
    --------
    >>> more_labels(0.72, 80, 0.60, se=0.08)
    17
    >>> more_labels(0.72, 80, 0.60)
    11
    >>> more_labels(0.60, 80, 0.60) is None
    True
    """
    check_level(level)
    if n < 1:
        raise BadInput("the number of items must be 1 or more", field="n", seen=n)
    if isinstance(kappa, Undefined) or isinstance(se, Undefined) or kappa == threshold:
        return None
    error = math.sqrt(max(0.0, 1 - kappa**2) / n) if se is None else se
    z = normal_quantile(level)
    needed = n * (z * error / (kappa - threshold)) ** 2
    more = max(0, math.ceil(needed - 1e-9) - n)
    return more if more <= limit else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Look(
    Result,
    method="one planned look",
    unit="error probabilities",
    source="Lan and DeMets (1983), Biometrika 70",
):
    """One planned look: at ``n`` items the bound is taken at one-sided ``level``, which spends ``spent`` of alpha."""

    n: int
    fraction: float
    spent: float
    z: float
    level: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LookPlan(
    Result,
    method="planned looks with spent alpha",
    unit="error probabilities",
    source="Lan and DeMets (1983), Biometrika 70",
):
    """Looks fixed before the first label, and how alpha is spent over them.

    ``alpha`` is the whole one-sided error; a judge exactly at the threshold passes at any of the looks together with this
    probability at most.
    """

    looks: tuple[Look, ...]
    alpha: float
    spending: Spending
    reference: str = "Lan KKG, DeMets DL (1983). Biometrika 70, 659-663"

    def at(self, n: int) -> Look | None:
        """The look planned at ``n`` items; None when none was planned there, so nothing may be decided there."""
        return next((look for look in self.looks if look.n == n), None)


def planned_looks(sizes: Sequence[int], *, level: float = 0.95, spending: Spending = "obrien-fleming") -> LookPlan:
    """One-sided levels for several looks at a growing set of labels.

    Parameters
    ----------
    sizes : sequence of int
        Number of labelled items at each look, rising; the last is the planned total.
    level : float
        Overall one-sided confidence level.
    spending : {'obrien-fleming', 'pocock'}
        ``obrien-fleming`` spends little early and leaves the last look almost at ``level``; ``pocock`` spends about
        evenly.

    Returns
    -------
    LookPlan

    Raises
    ------
    BadInput
        When sizes do not rise, or the level or the spending function make no sense.

    Notes
    -----
    Alpha is spent as ``2 - 2 Phi(z / sqrt(t))`` with ``z`` the two-sided quantile at alpha, or ``alpha ln(1 + (e - 1) t)``,
    at information fraction ``t = n / n_max`` [1]_. Boundaries follow from the recursion of Armitage, McPherson and Rowe
    [2]_ for sums of independent normal increments, by Simpson's rule.

    References
    ----------
    .. [1] Lan KKG, DeMets DL (1983). Discrete sequential boundaries for clinical trials. Biometrika 70, 659-663.
    .. [2] Armitage P, McPherson CK, Rowe BC (1969). Repeated significance tests on accumulating data. J R Stat Soc A 132,
       235-244.

    Examples
    --------
    >>> [round(look.level, 4) for look in planned_looks([50, 100, 200]).looks]
    [0.9999, 0.9945, 0.9518]
    """
    alpha = 1 - check_level(level)
    if spending not in get_args(Spending):
        raise BadInput("unknown spending", field="spending", seen=spending, why=", ".join(get_args(Spending)))
    if not sizes or sizes[0] < 1 or any(b <= a for a, b in itertools.pairwise(sizes)):
        raise BadInput(
            "looks must be at rising numbers of items", field="sizes", seen=", ".join(str(size) for size in sizes)
        )
    fractions = [size / sizes[-1] for size in sizes]
    spent = [_spent(t, alpha, spending) for t in fractions]
    looks = tuple(
        Look(n=size, fraction=t, spent=total, z=z, level=normal_tail(-z))
        for size, t, total, z in zip(sizes, fractions, spent, _boundaries(fractions, spent), strict=True)
    )
    return LookPlan(looks=looks, alpha=alpha, spending=spending)


def _spent(t: float, alpha: float, spending: Spending) -> float:
    if spending == "pocock":
        return alpha * math.log1p((math.e - 1) * t)
    return 2 * normal_tail(-normal_quantile(alpha / 2) / math.sqrt(t))


def _boundaries(fractions: Sequence[float], spent: Sequence[float]) -> list[float]:
    """Critical z values: ``spent[i] - spent[i - 1]`` is the chance of crossing first at look i."""
    found: list[float] = []
    before, done = 0.0, 0.0
    grid: Floats = np.zeros(1)
    density: Floats = np.ones(1)
    for t, total in zip(fractions, spent, strict=True):
        step = math.sqrt(t - before)
        mass = density if len(grid) == 1 else density * _simpson(grid)

        bound = _crossing(grid, mass, step, total - done, REACH * math.sqrt(t))
        found.append(bound / math.sqrt(t))
        fresh = np.linspace(-REACH * math.sqrt(t), bound, GRID)
        kernel = np.exp(-(((fresh[:, None] - grid[None, :]) / step) ** 2) / 2)
        density = kernel @ mass / (step * math.sqrt(2 * math.pi))
        grid, before, done = fresh, t, total
    return found


def _crossing(grid: Floats, mass: Floats, step: float, goal: float, reach: float) -> float:
    """The value that the next sum exceeds with chance ``goal``; ``reach`` when the chance is too small to resolve."""
    from scipy import optimize, special

    def excess(bound: float) -> float:
        return float((mass * special.ndtr((grid - bound) / step)).sum()) - goal

    return reach if excess(reach) >= 0 else float(optimize.brentq(excess, -reach, reach, xtol=1e-12))


def _simpson(grid: Floats) -> Floats:
    weights = np.full(len(grid), 2.0)
    weights[1::2] = 4.0
    weights[0] = weights[-1] = 1.0
    scaled: Floats = weights * (grid[1] - grid[0]) / 3
    return scaled
