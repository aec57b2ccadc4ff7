"""Agreement of more than two raters, with ratings missing: Krippendorff's alpha, Fleiss' kappa, Gwet's AC1 and AC2."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from judgekit.agreement.levels import Level, Scale, Score, Weights, declared_scale, disagreement
from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.statistics.distributions import t_quantile
from judgekit.statistics.results import Result, check_level

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

__all__ = ["Coefficient", "Measurement", "fleiss_kappa", "gwet_ac", "krippendorff_alpha", "unit_counts"]

Measurement: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]

NO_UNITS = Undefined("no pairs", "no item was scored twice")
NO_VARIANCE = Undefined("no variance", "every rating is the same")


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient(
    Result,
    method="agreement of several raters",
    unit="coefficient, at most 1",
    source="Krippendorff (2011); Gwet (2008), Br. J. Math. Stat. Psychol. 61; Fleiss (1971), Psychol. Bull. 76",
):
    """A coefficient of agreement of several raters.

    ``units`` counts items with two ratings or more, ``single`` those with one (which only inform the marginals where the
    method says so), ``ratings`` all ratings used. ``se`` and ``interval`` are None where the method has none here.
    """

    name: str
    value: float | Undefined
    units: int
    single: int
    ratings: int
    se: float | Undefined | None = None
    interval: Interval | Undefined | None = None
    reference: str = ""


def unit_counts(units: Sequence[Sequence[Score]], scale: Scale) -> Floats:
    """How often each level was given to each item.

    Parameters
    ----------
    units : sequence of sequence of level or None
        One row an item, one rating a rater; None is missing.
    scale : Scale
        The declared levels.

    Returns
    -------
    array of float, shape (items, levels)

    Raises
    ------
    BadInput
        When a rating is off the scale.

    Examples
    --------
    >>> unit_counts([[1, 1, None], [2, 1, 2]], declared_scale([1, 2])).tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    k = len(scale)
    flat = [score for row in units for score in row]
    index = np.repeat(np.arange(len(units)), [len(row) for row in units])
    codes = scale.codes(flat, name="units")
    rated = codes >= 0
    counts = np.bincount(index[rated] * k + codes[rated], minlength=len(units) * k)
    return counts.astype(np.float64).reshape(len(units), k)


def krippendorff_alpha(
    units: Sequence[Sequence[Score]], levels: Sequence[Level], measurement: Measurement = "ordinal"
) -> Coefficient:
    """Krippendorff's alpha: agreement of any number of raters with any ratings missing.

    Parameters
    ----------
    units : sequence of sequence of level or None
        One row an item. Items with fewer than two ratings drop out.
    levels : sequence
        The declared levels in order. ``interval`` and ``ratio`` need numbers, ``ratio`` none below 0.
    measurement : {'nominal', 'ordinal', 'interval', 'ratio'}
        How far apart two levels are: different or not; by how many ratings lie between; by their difference squared; by
        their difference over their sum, squared.

    Returns
    -------
    Coefficient
        1 is perfect agreement, 0 what chance gives, negative worse than chance. Undefined when every rating is the same.

    Raises
    ------
    BadInput
        Off-scale ratings, or levels that do not fit the measurement.

    References
    ----------
    .. [1] Krippendorff K (2004). Reliability in content analysis. Hum Commun Res 30, 411-433.
       doi:10.1111/j.1468-2958.2004.tb00738.x

    Examples
    --------
    >>> round(krippendorff_alpha([[1, 1], [2, 2], [3, 2], [1, None]], [1, 2, 3], "nominal").value, 3)
    0.545
    """
    if measurement not in get_args(Measurement):
        raise BadInput(
            "unknown measurement", field="measurement", seen=measurement, why=", ".join(get_args(Measurement))
        )
    scale = declared_scale(levels, weights="none" if measurement == "nominal" else "linear")
    return alpha_from_counts(unit_counts(units, scale), scale, measurement)


def alpha_from_counts(counts: Floats, scale: Scale, measurement: Measurement) -> Coefficient:
    """Krippendorff's alpha from the levels' counts by item; see `krippendorff_alpha`.

    Parameters
    ----------
    counts : array of float, shape (items, levels)
        How often each level was given to each item.
    scale : Scale
        The declared levels.
    measurement : {'nominal', 'ordinal', 'interval', 'ratio'}
        How far apart two levels are.

    Returns
    -------
    Coefficient
    """
    ratings = counts.sum(axis=1)
    used, size = counts[ratings >= 2], ratings[ratings >= 2]
    margins = used.sum(axis=0)
    total = float(margins.sum())
    value: float | Undefined
    if not len(used):
        value = NO_UNITS
    elif (margins > 0).sum() == 1:
        value = NO_VARIANCE
    else:
        apart = _apart(scale, margins, measurement)
        pairs = np.einsum("uk,ul,u->kl", used, used, 1 / (size - 1)) - np.diag((used / (size - 1)[:, None]).sum(axis=0))
        value = 1 - (total - 1) * float((pairs * apart).sum()) / float(margins @ apart @ margins)
    return Coefficient(
        name=f"Krippendorff's alpha ({measurement})",
        value=value,
        units=len(used),
        single=int((ratings == 1).sum()),
        ratings=int(total),
        reference="Krippendorff K (2004). Hum Commun Res 30, 411-433",
    )


def _apart(scale: Scale, margins: Floats, measurement: Measurement) -> Floats:
    """Squared distance between levels."""
    k = len(scale)
    if measurement == "nominal":
        return 1 - np.eye(k)
    if measurement == "ordinal":
        middle = np.cumsum(margins) - margins / 2
        between: Floats = np.subtract.outer(middle, middle) ** 2
        return between
    numbers = np.array(_numbers(scale, measurement))
    difference = np.subtract.outer(numbers, numbers)
    if measurement == "interval":
        squared: Floats = difference**2
        return squared
    together = np.add.outer(numbers, numbers)
    relative: Floats = (difference / np.where(together == 0, 1.0, together)) ** 2
    return relative


def _numbers(scale: Scale, measurement: Measurement) -> tuple[float, ...]:
    numbers = scale.numbers
    if numbers is None or (measurement == "ratio" and min(numbers) < 0):
        raise BadInput(
            "these levels have no such distances",
            field="measurement",
            seen=measurement,
            why="interval needs numbers, ratio numbers that are 0 or more",
            remedy="use ordinal or nominal",
        )
    return numbers


def fleiss_kappa(units: Sequence[Sequence[Score]], levels: Sequence[Level]) -> Coefficient:
    """Fleiss' kappa, generalised to items with different numbers of ratings.

    Parameters
    ----------
    units : sequence of sequence of level or None
        One row an item. Agreement is taken over items with two ratings or more, the marginals over all ratings, each
        item weighing the same. With complete data this is Fleiss' own formula.
    levels : sequence
        The declared levels.

    Returns
    -------
    Coefficient
        Unweighted. Undefined when every rating is the same.

    References
    ----------
    .. [1] Fleiss JL (1971). Measuring nominal scale agreement among many raters. Psychol Bull 76, 378-382.
       doi:10.1037/h0031619
    .. [2] Gwet KL (2014). Handbook of Inter-Rater Reliability, 4th ed. Advanced Analytics. Chapter 3.

    Examples
    --------
    >>> round(fleiss_kappa([[1, 1, 1], [2, 2, 1], [2, 2, 2], [1, 1, 2]], [1, 2]).value, 3)
    0.333
    """
    scale = declared_scale(levels)
    counts = unit_counts(units, scale)
    counts = counts[counts.sum(axis=1) > 0]
    size = counts.sum(axis=1)
    value: float | Undefined
    if not (size >= 2).any():
        value = NO_UNITS
    else:
        share = (counts / size[:, None]).mean(axis=0)
        chance = float((share**2).sum())
        if (share > 0).sum() == 1:
            value = NO_VARIANCE
        else:
            value = (float(_observed(counts, np.eye(len(scale)))[size >= 2].mean()) - chance) / (1 - chance)
    return Coefficient(
        name="Fleiss' kappa",
        value=value,
        units=int((size >= 2).sum()),
        single=int((size == 1).sum()),
        ratings=int(size.sum()),
        reference="Fleiss JL (1971). Psychol Bull 76, 378-382",
    )


def _observed(counts: Floats, similarity: Floats) -> Floats:
    """Share of agreeing pairs of ratings within each item; 0 for items with one rating."""
    size = counts.sum(axis=1)
    agreeing = (counts * (counts @ similarity - 1)).sum(axis=1)
    share: Floats = np.where(size >= 2, agreeing / np.where(size >= 2, size * (size - 1), 1.0), 0.0)
    return share


def gwet_ac(
    units: Sequence[Sequence[Score]], levels: Sequence[Level], weights: Weights = "none", *, level: float = 0.95
) -> Coefficient:
    """Gwet's AC1 (no weights) or AC2 (weights): agreement that does not collapse when nearly all items share a level.

    Parameters
    ----------
    units : sequence of sequence of level or None
        One row an item.
    levels : sequence
        The declared levels in order.
    weights : {'none', 'linear', 'quadratic'}
        Weights of disagreements, by position on the declared scale.
    level : float
        Level of the interval.

    Returns
    -------
    Coefficient
        With standard error over items, and a t interval whose upper end is clipped at 1. Error and interval are
        undefined for a single item.

    References
    ----------
    .. [1] Gwet KL (2008). Computing inter-rater reliability and its variance in the presence of high agreement. Br J Math
       Stat Psychol 61, 29-48. doi:10.1348/000711006X126600

    Examples
    --------
    >>> round(gwet_ac([[1, 1, 1], [2, 2, 1], [2, 2, 2], [1, 1, 2]], [1, 2]).value, 3)
    0.333
    """
    check_level(level)
    scale = declared_scale(levels, weights=weights)
    counts = unit_counts(units, scale)
    return ac_from_counts(counts[counts.sum(axis=1) > 0], weights, level=level)


def ac_from_counts(counts: Floats, weights: Weights, *, level: float = 0.95) -> Coefficient:
    """AC1 or AC2 from the levels' counts by item; see `gwet_ac`.

    Parameters
    ----------
    counts : array of float, shape (items, levels)
        Every item with one rating or more.
    weights : {'none', 'linear', 'quadratic'}
        Weights of disagreements.
    level : float
        Level of the interval.

    Returns
    -------
    Coefficient
    """
    size = counts.sum(axis=1)
    n, twice = len(counts), int((size >= 2).sum())
    name = "Gwet's AC1" if weights == "none" else f"Gwet's AC2 ({weights})"
    value: float | Undefined = NO_UNITS
    se: float | Undefined = NO_UNITS
    interval: Interval | Undefined = NO_UNITS
    if twice:
        value, moved = _ac_and_parts(counts, 1 - disagreement(counts.shape[1], weights))
        if n < 2:
            se = interval = Undefined("one pair", "a single item shows no variation")
        else:
            se = math.sqrt(float(((moved - value) ** 2).sum()) / (n * (n - 1)))
            half = t_quantile((1 + level) / 2, n - 1) * se
            interval = Interval(value - half, min(1.0, value + half), level, "t over items")
    return Coefficient(
        name=name,
        value=value,
        units=twice,
        single=n - twice,
        ratings=int(size.sum()),
        se=se,
        interval=interval,
        reference="Gwet KL (2008). Br J Math Stat Psychol 61, 29-48",
    )


def _ac_and_parts(counts: Floats, similarity: Floats) -> tuple[float, Floats]:
    """The coefficient, and per item the value whose spread gives its error."""
    size, k = counts.sum(axis=1), counts.shape[1]
    several = size >= 2
    share = (counts / size[:, None]).mean(axis=0)
    scale = float(similarity.sum()) / (k * (k - 1))
    chance = scale * float((share * (1 - share)).sum())
    observed = _observed(counts, similarity)
    boost = len(counts) / float(several.sum())
    value = (float(observed[several].mean()) - chance) / (1 - chance)
    own_chance = scale * ((counts @ (1 - share)) / size)
    moved: Floats = boost * (observed - chance * several) / (1 - chance)
    moved = moved - 2 * (1 - value) * (own_chance - chance) / (1 - chance)
    return value, moved
