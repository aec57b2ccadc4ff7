"""The mean of a metric, with the template as the unit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.statistics.distributions import t_quantile
from judgekit.statistics.results import Result, check_level

__all__ = ["Mean", "mean_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean(
    Result,
    method="mean with units as clusters, t",
    unit="of the metric",
    source="Liang and Zeger (1986), Biometrika 73",
):
    """A mean over ``units`` independent units (templates, else replies) of ``n`` values."""

    value: float | Undefined
    interval: Interval | Undefined
    n: int
    units: int
    unit: str


def mean_of(values: Sequence[float], templates: Sequence[str] | None = None, *, level: float = 0.95) -> Mean:
    """The mean of the templates' means, with a t interval over templates.

    Parameters
    ----------
    values : sequence of float
        One per reply that has a value.
    templates : sequence of str, optional
        The template of each; without it every reply is a unit of its own.
    level : float
        Confidence level, a share.

    Returns
    -------
    Mean
        The value is undefined without values; the interval with fewer than two units or without spread.

    Raises
    ------
    BadInput
        When the level is not a share, or there is not one template for each value.

    References
    ----------
    Student (1908), Biometrika 6, 1-25.

    Examples
    --------
    >>> found = mean_of([1.0, 3.0, 4.0, 6.0], ["t1", "t1", "t2", "t2"])
    >>> found.value, found.units, found.unit
    (3.5, 2, 'templates')
    """
    check_level(level)
    if templates is not None and len(templates) != len(values):
        raise BadInput("one template for each value is needed", seen=f"{len(templates)} for {len(values)}")
    by_unit: dict[str, list[float]] = {}
    for place, value in enumerate(values):
        by_unit.setdefault(str(place) if templates is None else templates[place], []).append(value)
    means = [fmean(found) for found in by_unit.values()]
    return Mean(
        value=fmean(means) if means else Undefined("no value"),
        interval=_interval(means, level),
        n=len(values),
        units=len(means),
        unit="replies" if templates is None else "templates",
    )


def _interval(means: Sequence[float], level: float) -> Interval | Undefined:
    if len(means) < 2:
        return Undefined("fewer than two units")
    error = stdev(means) / math.sqrt(len(means))
    if error == 0:
        return Undefined("no spread")
    half = t_quantile((1 + level) / 2, len(means) - 1.0) * error
    return Interval(fmean(means) - half, fmean(means) + half, level, "t")
