"""Gaps over time and against chance: small but every time, and no larger than what byte-equal prompts show."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from judgekit.records import Interval, Undefined
from judgekit.statistics.results import Result, as_gaps, check_level
from judgekit.statistics.sign_flip import sign_flip_interval, sign_flip_test
from judgekit.wording.sentence import say

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["NoiseFloor", "Trend", "noise_floor", "release_trend"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend(
    Result,
    method="sign test over releases, exact",
    unit="of the gap",
    source="Dixon and Mood (1946), JASA 41",
):
    """The sign of one gap over several runs.

    ``same_sign`` counts runs with the sign of the last gap that is not zero; ``in_a_row`` how many of the latest runs
    share it; ``p`` is the exact sign-flip p of the gaps over runs, in the direction of neither.
    """

    runs: int
    undefined: int
    sign: Literal["a above b", "b above a", "none"]
    same_sign: int
    in_a_row: int
    mean: float | Undefined
    p: float | Undefined
    min_p: float


def release_trend(gaps: Mapping[str, float | Undefined]) -> Trend:
    """Is a small gap there in every release?

    Parameters
    ----------
    gaps : mapping of str to float or Undefined
        Release (or run) to its gap ``a`` minus ``b``, oldest first. Runs without a gap are counted apart.

    Returns
    -------
    Trend
        Undefined p and mean when no run has a gap.

    Notes
    -----
    Five runs with the same sign give p = 0.0625: a trend needs six.

    Examples
    --------
    >>> found = release_trend({"1.0": 0.04, "1.1": 0.05, "1.2": 0.03, "1.3": 0.06, "1.4": 0.05, "1.5": 0.04})
    >>> found.in_a_row, found.p
    (6, 0.03125)
    """
    values = np.array([g for g in gaps.values() if not isinstance(g, Undefined)], dtype=np.float64)
    lost = len(gaps) - len(values)
    signs = np.sign(values[np.abs(values) > 1e-12])
    test = sign_flip_test(values)
    latest = float(signs[-1]) if len(signs) else 0.0
    row = 0
    for sign in signs[::-1]:
        if sign != latest:
            break
        row += 1
    return Trend(
        runs=len(gaps),
        undefined=lost,
        sign="a above b" if latest > 0 else "b above a" if latest < 0 else "none",
        same_sign=int(np.count_nonzero(signs == latest)) if latest else 0,
        in_a_row=row,
        mean=test.mean,
        p=test.p,
        min_p=test.min_p,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseFloor(
    Result,
    method="gap of byte-equal control pairs",
    unit="of the metric",
    source="-",
):
    """What byte-equal prompts show: the gap that chance alone gives.

    ``largest`` is the largest absolute control gap of any template; ``limit`` the absolute gap up to which a result is
    called noise: the far end of the interval of the mean control gap.
    """

    mean: float | Undefined
    interval: Interval | Undefined
    largest: float | Undefined
    limit: float | Undefined
    p: float | Undefined
    templates: int

    def covers(self, gap: float | Undefined) -> bool | Undefined:
        """Whether a gap is no larger than the noise floor.

        Parameters
        ----------
        gap : float or Undefined
            A mean gap in the same unit.

        Returns
        -------
        bool or Undefined
            True: not called a finding. Undefined without a floor or a gap.
        """
        if isinstance(gap, Undefined):
            return gap
        if isinstance(self.limit, Undefined):
            return self.limit
        return abs(gap) <= self.limit


def noise_floor(control_gaps: ArrayLike, *, level: float = 0.95, seed: int = 0) -> NoiseFloor:
    """Noise floor from control pairs, whose two prompts are the same bytes.

    Parameters
    ----------
    control_gaps : sequence of float
        One gap per template between the two copies.
    level : float
        Confidence level, a share.
    seed : int
        Seed of Monte-Carlo parts.

    Returns
    -------
    NoiseFloor
        Undefined limit without control pairs, and with so few that the interval has no finite end. ``p`` tests
        whether the two copies differ at all: a small one says that the control is broken.

    Raises
    ------
    BadInput
        When a gap is not finite or the level not a share.

    Examples
    --------
    >>> floor = noise_floor([0.1, -0.1, 0.0, 0.05, -0.05, 0.1, -0.1, 0.0])
    >>> floor.covers(0.02), floor.covers(0.5)
    (True, False)
    """
    check_level(level)
    values = as_gaps(control_gaps, what="control_gaps")
    test = sign_flip_test(values, seed=seed)
    interval = sign_flip_interval(values, level=level, seed=seed)
    limit: float | Undefined
    if isinstance(interval, Undefined):
        limit = Undefined("no control pairs")
    else:
        limit = max(abs(interval.low), abs(interval.high))
        if math.isinf(limit):
            limit = Undefined("too few control pairs", say("{n} templates", n=len(values)))
    return NoiseFloor(
        mean=test.mean,
        interval=interval,
        largest=float(np.abs(values).max()) if len(values) else Undefined("no control pairs"),
        limit=limit,
        p=test.p,
        templates=len(values),
    )
