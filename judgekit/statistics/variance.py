"""Variance of a mean gap when templates and names are both samples, for balanced and unbalanced designs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judgekit.records import Undefined
from judgekit.statistics.results import FloatArray, IntArray, Result, group_sum
from judgekit.statistics.template_gaps import Cells, TemplateGaps
from judgekit.wording.sentence import say

__all__ = ["TwoWay", "combine", "two_way", "welch_satterthwaite"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoWay(
    Result,
    method="two-way (template x name) variance, Satterthwaite",
    unit="of the metric",
    source="Cameron, Gelbach and Miller (2011), JBES 29; Satterthwaite (1946), Biometrics Bulletin 2",
):
    """Two-way (template x name) variance of a mean gap.

    ``v_templates`` is the variance of template gaps over their number; ``v_names_a``, ``v_names_b`` the variance of
    name effects as they enter the gap; ``v_cells`` the part counted twice (name x template). ``variance`` is
    max(sum - v_cells, v_templates, v_names); ``df`` its Satterthwaite degrees of freedom.
    """

    value: float
    variance: float
    se: float
    df: float
    v_templates: float
    v_names_a: float
    v_names_b: float
    v_cells: float
    templates: int
    names_a: int
    names_b: int


@dataclass(frozen=True, slots=True)
class _NamePart:
    """One group's name effects: variance, its degrees of freedom, and how it enters the gap."""

    s2: float
    df: int
    reach: float
    per_template: float
    residual_ss: float
    residual_df: int


def welch_satterthwaite(parts: Sequence[tuple[float, float]], variance: float) -> float:
    """Degrees of freedom of a sum of independent variance estimates.

    Parameters
    ----------
    parts : sequence of (float, float)
        Each estimate and its degrees of freedom; parts without degrees of freedom are left out.
    variance : float
        The combined estimate.

    Returns
    -------
    float
        ``variance**2 / sum(part**2 / df)``, at least 1; infinite when no part has a variance.

    References
    ----------
    .. [1] F. E. Satterthwaite, An approximate distribution of estimates of variance components, Biometrics Bulletin 2,
       1946.

    Examples
    --------
    >>> welch_satterthwaite([(1.0, 10), (1.0, 10)], 2.0)
    20.0
    """
    spread = sum(part**2 / df for part, df in parts if df > 0)
    return max(1.0, variance**2 / spread) if spread > 0 else math.inf


def _additive_fit(template: IntArray, name: IntArray, mean: FloatArray, sizes: tuple[int, int]) -> FloatArray:
    """Name effects of the model template + name by least squares (alternating means; exact at once if complete)."""
    per_template = np.bincount(template, minlength=sizes[0])
    per_name = np.bincount(name, minlength=sizes[1])
    effects = np.zeros(sizes[1])
    scale = float(np.abs(mean).max(initial=1.0))
    for _ in range(500):
        level = group_sum(template, mean - effects[name], sizes[0]) / np.maximum(per_template, 1)
        new = group_sum(name, mean - level[template], sizes[1]) / np.maximum(per_name, 1)
        change = float(np.abs(new - effects).max(initial=0.0))
        effects = new
        if change <= 1e-12 * scale:
            break
    return effects


def _components(template: IntArray, name: IntArray, sizes: tuple[int, int]) -> tuple[int, IntArray]:
    """How many unconnected blocks the design falls into, and the block of each name."""
    per_name = np.bincount(name, minlength=sizes[1])
    if len(name) == sizes[0] * sizes[1] or per_name.max(initial=0) == sizes[0]:
        return 1, np.zeros(sizes[1], dtype=np.int64)
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    total = sum(sizes)
    edges = coo_array((np.ones(len(name)), (template, name + sizes[0])), shape=(total, total))
    blocks, labels = connected_components(edges, directed=False)
    return int(blocks), labels[sizes[0] :].astype(np.int64)


def _name_part(cells: Cells, group: str, used: IntArray) -> _NamePart:
    """Name effects of one group over the templates in use, each name adjusted for the templates it lacks."""
    template, name, mean, _ = cells.side(group)
    keep = np.isin(template, used)
    _, template = np.unique(template[keep], return_inverse=True)
    _, name = np.unique(name[keep], return_inverse=True)
    mean = mean[keep]
    sizes = (len(used), int(name.max(initial=-1)) + 1)
    weight = 1.0 / np.bincount(template, minlength=sizes[0])[template] / sizes[0]
    effects = _additive_fit(template, name, mean, sizes)
    level = group_sum(template, mean - effects[name], sizes[0]) / np.bincount(template)
    residual = mean - level[template] - effects[name]
    blocks, block = _components(template, name, sizes)
    in_block = np.bincount(block, minlength=blocks)
    centred = effects - (group_sum(block, effects, blocks) / np.maximum(in_block, 1))[block]
    df = sizes[1] - int(np.count_nonzero(in_block))
    share = group_sum(name, weight, sizes[1])
    # What of the name variance the spread of template gaps already holds: nothing when all templates share all names,
    # everything when each name belongs to one template.
    held = (float(weight @ weight) - float(share @ share) / sizes[0]) / (1 - 1 / sizes[0]) if sizes[0] > 1 else 0.0
    return _NamePart(
        s2=float(centred @ centred) / df if df > 0 else 0.0,
        df=df,
        reach=max(0.0, float(share @ share) - max(0.0, held)),
        per_template=float((1.0 / np.bincount(name)).mean()),
        residual_ss=float(residual @ residual),
        residual_df=len(mean) - sizes[0] - df,
    )


def combine(v_templates: float, v_names: float, v_cells: float) -> float:
    """Variance under two crossed factors, never below either of them.

    Parameters
    ----------
    v_templates, v_names : float
        Variance when only templates, only names are a sample.
    v_cells : float
        What both count.

    Returns
    -------
    float
        ``max(v_templates + v_names - v_cells, v_templates, v_names)``.

    Examples
    --------
    >>> combine(0.04, 0.01, 0.02)
    0.04
    """
    return max(v_templates + v_names - v_cells, v_templates, v_names)


def two_way(cells: Cells, gaps: TemplateGaps) -> TwoWay | Undefined:
    """Two-way variance of the mean gap, for balanced and unbalanced designs.

    Parameters
    ----------
    cells : Cells
        The design.
    gaps : TemplateGaps
        Name-weighted gaps made from these cells.

    Returns
    -------
    TwoWay or Undefined
        Undefined below two templates, or when a group has one name only.

    Notes
    -----
    With cell means y[t, g, n], T templates and n_g names in group g: V_T = var(d_t) / T, V_N = sum of s2_g / n_g
    over name effects, V_TN = residual mean square x (1 / n_A + 1 / n_B) / T. In unbalanced designs names are adjusted
    for the templates they lack, 1 / n_g becomes the sum of squared weights of the names, and the part of the name
    variance that V_T already holds is taken off. In a balanced design this is exactly the formula above.

    References
    ----------
    .. [1] H. H. Clark, The language-as-fixed-effect fallacy, Journal of Verbal Learning and Verbal Behavior 12, 1973.
    .. [2] F. E. Satterthwaite, Biometrics Bulletin 2, 1946.

    Examples
    --------
    >>> from judgekit.records import Contrast
    >>> from judgekit.statistics.template_gaps import cells_from_columns, template_gaps
    >>> cells = cells_from_columns(["t1"] * 4 + ["t2"] * 4, list("xxyy") * 2, list("abcd") * 2, [3, 4, 1, 2, 5, 3, 2, 2])
    >>> round(two_way(cells, template_gaps(cells, Contrast("x", "y"))).se, 4)
    0.3536
    """
    if isinstance(gaps.mean, Undefined):
        return gaps.mean
    values = gaps.values
    if len(values) < 2:
        return Undefined("one template")
    index = {t: i for i, t in enumerate(cells.templates)}
    used = np.array([index[t] for t in gaps.gaps], dtype=np.int64)
    a, b = (_name_part(cells, group, used) for group in (gaps.contrast.a, gaps.contrast.b))
    if min(gaps.names_a, gaps.names_b) < 2:
        lone, n = min(((gaps.contrast.a, gaps.names_a), (gaps.contrast.b, gaps.names_b)), key=lambda side: side[1])
        told = say("{group} has {n}: luck of the name cannot be told from the group", group=lone, n=n)
        return Undefined("one name in a group" if n else "no names in a group", told)
    residual_df = a.residual_df + b.residual_df
    mean_square = (a.residual_ss + b.residual_ss) / residual_df if residual_df > 0 else 0.0
    v_templates = float(values.var(ddof=1)) / len(values)
    v_a, v_b = a.s2 * a.reach, b.s2 * b.reach
    v_cells = mean_square * (a.reach * a.per_template + b.reach * b.per_template)
    variance = combine(v_templates, v_a + v_b, v_cells)
    parts = [(v_templates, len(values) - 1.0), (v_a, float(a.df)), (v_b, float(b.df))]
    if variance == v_templates:
        parts = parts[:1]
    elif variance == v_a + v_b:
        parts = parts[1:]
    else:
        parts.append((v_cells, float(residual_df)))
    return TwoWay(
        value=float(gaps.mean),
        variance=variance,
        se=math.sqrt(variance),
        df=welch_satterthwaite(parts, variance),
        v_templates=v_templates,
        v_names_a=v_a,
        v_names_b=v_b,
        v_cells=v_cells,
        templates=len(values),
        names_a=gaps.names_a,
        names_b=gaps.names_b,
    )
