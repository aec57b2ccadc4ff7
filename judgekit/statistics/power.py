"""How large a study must be: the smallest gap a design can detect, and the templates a half width needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Contrast, MetricRow, Undefined
from judgekit.statistics.distributions import t_quantile
from judgekit.statistics.results import FloatArray, Result
from judgekit.statistics.template_gaps import Cells, cell_means, template_gaps
from judgekit.statistics.variance import two_way, welch_satterthwaite

__all__ = [
    "Design",
    "Noise",
    "Power",
    "estimate_noise",
    "minimum_detectable_gap",
    "power_of_design",
    "templates_for_power",
    "templates_needed",
]

_MOST_TEMPLATES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Design(
    Result,
    method="sizes of a study",
    unit="counts",
    source="-",
):
    """Sizes of a study: templates, names per group, and replies per template and name."""

    templates: int
    names_a: int
    names_b: int
    replicates: int = 1

    def __post_init__(self) -> None:
        if self.templates < 2 or min(self.names_a, self.names_b, self.replicates) < 1:
            raise BadInput(
                "a design needs two templates, one name per group and one replicate",
                seen=f"{self.templates}, {self.names_a}, {self.names_b}, {self.replicates}",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise(
    Result,
    method="standard deviations of a pilot or a guess",
    unit="of the metric",
    source="Searle, Casella and McCulloch (1992), Variance Components",
):
    """Standard deviations in the metric's unit.

    ``template_gap``: of the true gap between templates; ``name``: between names of a group; ``cell``: of a name in a
    template beyond both; ``residual``: between replies to the same prompt.
    """

    template_gap: float
    name: float
    cell: float = 0.0
    residual: float = 1.0

    def __post_init__(self) -> None:
        sizes = (self.template_gap, self.name, self.cell, self.residual)
        if not all(math.isfinite(x) and x >= 0 for x in sizes) or not any(sizes):
            raise BadInput("standard deviations are at least 0, and one of them is above it", seen=str(sizes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Power(
    Result,
    method="power of the two-way t",
    unit="of the metric",
    source="Satterthwaite (1946), Biometrics Bulletin 2; Cohen (1988), Statistical Power Analysis",
):
    """What a design can do: standard error, degrees of freedom, half width and power of the two-way inference."""

    gap: float
    power: float
    se: float
    df: float
    half_width: float
    alpha: float
    limit_by_names: float
    """Standard error that is left however many templates are added."""


def _variance(design: Design, noise: Noise) -> tuple[float, float, float]:
    """Variance of the mean gap, its degrees of freedom, and the part that more templates do not shrink."""
    t = design.templates
    within = noise.cell**2 + noise.residual**2 / design.replicates
    per_name = 1 / design.names_a + 1 / design.names_b
    v_cells = within * per_name / t
    v_templates = noise.template_gap**2 / t + v_cells
    v_names = [(noise.name**2 + within / t) / n for n in (design.names_a, design.names_b)]
    total = v_templates + sum(v_names) - v_cells
    parts = [
        (v_templates, t - 1.0),
        (v_names[0], design.names_a - 1.0),
        (v_names[1], design.names_b - 1.0),
        (v_cells, (t - 1.0) * (design.names_a + design.names_b - 2.0)),
    ]
    return total, welch_satterthwaite(parts, total), noise.name**2 * per_name


def _power(gap: float, se: float, df: float, alpha: float) -> float:
    from scipy.special import nctdtr

    critical = t_quantile(1 - alpha / 2, df)
    shift = abs(gap) / se
    # The far tail of a noncentral t underflows in the library for large shifts; it is negligible there.
    opposite = float(nctdtr(df, shift, -critical)) if shift < 30 else 0.0
    return min(1.0, 1.0 - float(nctdtr(df, shift, critical)) + (opposite if math.isfinite(opposite) else 0.0))


def power_of_design(design: Design, noise: Noise, gap: float, *, alpha: float = 0.05) -> Power:
    """Power of the two-way test for a true gap.

    Parameters
    ----------
    design : Design
        Sizes of the study.
    noise : Noise
        Standard deviations, from a pilot (`estimate_noise`) or a guess.
    gap : float
        True gap in the metric's unit.
    alpha : float
        Two-sided level.

    Returns
    -------
    Power
        ``half_width`` is that of the 1 - alpha interval.

    Raises
    ------
    BadInput
        When ``alpha`` is not between 0 and 1.

    Examples
    --------
    >>> found = power_of_design(Design(templates=60, names_a=6, names_b=6), Noise(template_gap=0.3, name=0.1), 0.3)
    >>> round(found.power, 2), round(found.half_width, 2)
    (0.77, 0.22)
    """
    if not 0 < alpha < 1:
        raise BadInput("`alpha` must lie between 0 and 1", field="alpha", seen=alpha)
    variance, df, floor = _variance(design, noise)
    se = math.sqrt(variance)
    return Power(
        gap=gap,
        power=_power(gap, se, df, alpha),
        se=se,
        df=df,
        half_width=t_quantile(1 - alpha / 2, df) * se,
        alpha=alpha,
        limit_by_names=math.sqrt(floor),
    )


def minimum_detectable_gap(design: Design, noise: Noise, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """Smallest true gap that the two-way test finds with the given power.

    Parameters
    ----------
    design, noise
        As in `power_of_design`.
    power : float
        Wanted power, above ``alpha`` and below 1.
    alpha : float
        Two-sided level.

    Returns
    -------
    float
        In the metric's unit.

    Raises
    ------
    BadInput
        When power or alpha is out of range.

    Examples
    --------
    >>> round(minimum_detectable_gap(Design(templates=60, names_a=6, names_b=6), Noise(template_gap=0.3, name=0.1)), 3)
    0.311
    """
    from scipy.optimize import brentq

    if not 0 < alpha < power < 1:
        raise BadInput("power must lie between alpha and 1", field="power", seen=power)
    variance, df, _ = _variance(design, noise)
    se = math.sqrt(variance)
    high = 2.0
    while _power(high * se, se, df, alpha) < power:
        high *= 2
    return float(brentq(lambda x: _power(x * se, se, df, alpha) - power, 0.0, high)) * se


def templates_needed(design: Design, noise: Noise, *, half_width: float, alpha: float = 0.05) -> int | Undefined:
    """Templates at which the interval of the gap is narrow enough, with names and replicates as they are.

    Parameters
    ----------
    design, noise
        As in `power_of_design`; ``design.templates`` is not used.
    half_width : float
        Wanted half width of the 1 - alpha interval, in the metric's unit.
    alpha : float
        Two-sided level.

    Returns
    -------
    int or Undefined
        Undefined when names alone leave a wider interval: then only more names help.

    Raises
    ------
    BadInput
        When the half width is not positive.

    Examples
    --------
    >>> plan = Design(templates=2, names_a=6, names_b=6)
    >>> templates_needed(plan, Noise(template_gap=0.3, name=0.0), half_width=0.15)
    88
    >>> templates_needed(plan, Noise(template_gap=0.3, name=0.3), half_width=0.15).reason
    'more names are needed'
    """
    if not half_width > 0:
        raise BadInput("a half width must be above 0", field="half_width", seen=half_width)

    def enough(templates: int) -> bool:
        found = power_of_design(replace(design, templates=templates), noise, 0.0, alpha=alpha)
        return found.half_width <= half_width

    if not enough(_MOST_TEMPLATES):
        limit = power_of_design(replace(design, templates=_MOST_TEMPLATES), noise, 0.0, alpha=alpha).half_width
        return Undefined("more names are needed", f"with any number of templates the half width stays at {limit:.3g}")
    return _smallest(enough)


def _smallest(enough: Callable[[int], bool]) -> int:
    """The smallest number of templates that is enough, where the largest one is."""
    low, high = 1, _MOST_TEMPLATES
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def templates_for_power(
    design: Design, noise: Noise, gap: float, *, power: float = 0.8, alpha: float = 0.05
) -> int | Undefined:
    """Templates at which the two-way test finds a true gap with the given power, names and replicates as they are.

    Parameters
    ----------
    design, noise
        As in `power_of_design`; ``design.templates`` is not used.
    gap : float
        True gap in the metric's unit, not 0.
    power : float
        Wanted power, above ``alpha`` and below 1.
    alpha : float
        Two-sided level.

    Returns
    -------
    int or Undefined
        Undefined when names alone leave too much error: then only more names help.

    Raises
    ------
    BadInput
        When the gap is 0, or power or alpha is out of range.

    Examples
    --------
    >>> plan = Design(templates=2, names_a=6, names_b=6)
    >>> templates_for_power(plan, Noise(template_gap=0.3, name=0.1), 0.3)
    67
    >>> templates_for_power(plan, Noise(template_gap=0.3, name=0.3), 0.3).reason
    'more names are needed'
    """
    if gap == 0 or not 0 < alpha < power < 1:
        raise BadInput(
            "a wanted power lies between alpha and 1, for a gap that is not 0", field="power", seen=f"{power}, {gap}"
        )

    def reached(templates: int) -> float:
        return power_of_design(replace(design, templates=max(2, templates)), noise, gap, alpha=alpha).power

    most = reached(_MOST_TEMPLATES)
    if most < power:
        return Undefined("more names are needed", f"with any number of templates the power stays at {most:.2f}")
    return max(2, _smallest(lambda templates: reached(templates) >= power))


def estimate_noise(rows: Sequence[MetricRow] | Cells, contrast: Contrast) -> Noise | Undefined:
    """Standard deviations of a pilot, for planning.

    Parameters
    ----------
    rows : sequence of MetricRow or Cells
        The pilot, with names. Names within templates and replies within names are told apart only with replicates;
        given cells, both are in ``residual`` per reply.
    contrast : Contrast
        The two groups.

    Returns
    -------
    Noise or Undefined
        Variances below zero are set to 0. Undefined without two templates and two names per group.

    Examples
    --------
    >>> def row(t, g, n):
    ...     return MetricRow(item=f"{t}{g}{n}", unit_id=f"t{t}", group=g, name=f"{g}{n}", value=float((t * n + t) % 4))
    >>> noise = estimate_noise([row(t, g, n) for t in range(8) for g in "xy" for n in range(4)], Contrast("x", "y"))
    >>> noise.residual > 0
    True
    """
    cells = rows if isinstance(rows, Cells) else cell_means(rows)
    found = two_way(cells, template_gaps(cells, contrast))
    if isinstance(found, Undefined):
        return found
    per_name = 1 / found.names_a + 1 / found.names_b
    within = found.v_cells * found.templates / per_name
    side = [cells.side(g)[3] for g in (contrast.a, contrast.b)]
    counts: FloatArray = np.concatenate(side).astype(np.float64)
    per_cell = 1.0 / float((1.0 / counts).mean())
    residual = _residual_sd(rows, contrast) if not isinstance(rows, Cells) else None
    if residual is None:
        residual, cell = math.sqrt(within * per_cell), 0.0
    else:
        cell = math.sqrt(max(0.0, within - residual**2 / per_cell))
    names = (found.v_names_a + found.v_names_b) / per_name - within / found.templates
    return Noise(
        template_gap=math.sqrt(max(0.0, (found.v_templates - found.v_cells) * found.templates)),
        name=math.sqrt(max(0.0, names)),
        cell=cell,
        residual=residual if residual > 0 or cell > 0 else 1e-12,
    )


def _residual_sd(rows: Sequence[MetricRow], contrast: Contrast) -> float | None:
    """Spread of replies within a cell, when cells hold several."""
    cells: dict[tuple[str | None, str | None, str | None], list[float]] = {}
    for row in rows:
        if row.value is not None and row.group in (contrast.a, contrast.b):
            cells.setdefault((row.unit_id, row.group, row.name), []).append(row.value)
    several = [np.array(v) for v in cells.values() if len(v) > 1]
    free = sum(len(v) - 1 for v in several)
    if not free:
        return None
    return math.sqrt(sum(float(((v - v.mean()) ** 2).sum()) for v in several) / free)
