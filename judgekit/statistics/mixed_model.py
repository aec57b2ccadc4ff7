"""A mixed model of the gap (template, template x group and name as random factors): the cross-check of `two_way`.

It is fitted by iteration and can stop at a boundary; the two-way variance has a closed form and stays the default.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judgekit.records import Contrast, Interval, MetricRow, Undefined
from judgekit.statistics.distributions import t_quantile, t_two_sided
from judgekit.statistics.results import FloatArray, IntArray, Result, check_level

__all__ = ["MixedModel", "mixed_model_gap"]

_FLOOR = 1e-8


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedModel(
    Result,
    method="linear mixed model, Satterthwaite",
    unit="of the metric",
    source="Laird and Ware (1982), Biometrics 38",
):
    """Gap ``a`` minus ``b`` of a mixed model fitted by REML.

    ``variances`` are those of template, template x group, name and residual; ``df`` is Satterthwaite's.
    """

    value: float
    se: float
    df: float
    p: float
    interval: Interval
    variances: tuple[float, float, float, float]
    n: int
    templates: int
    names_a: int
    names_b: int


def _codes(values: Sequence[object]) -> IntArray:
    seen: dict[object, int] = {}
    return np.array([seen.setdefault(v, len(seen)) for v in values], dtype=np.int64)


class _Reml:
    """REML criterion of y = x b + three random factors + noise, from cross-products only.

    A template and its two template x group effects form a block of three; blocks meet only through names, so that
    everything reduces to small blocks and one matrix over names.
    """

    def __init__(self, y: FloatArray, in_a: FloatArray, template: IntArray, name: IntArray) -> None:
        self.n = len(y)
        templates, names = int(template.max()) + 1, int(name.max()) + 1
        side = np.where(in_a > 0, 1, 2)
        data = np.column_stack([np.ones(self.n), in_a, y])
        blocks = np.zeros((templates, 3, 3))
        self.coupling = np.zeros((templates, 3, names))
        self.block_data = np.zeros((templates, 3, 3))
        first = np.zeros(self.n, dtype=np.int64)
        for member in (first, side):
            np.add.at(self.coupling, (template, member, name), 1.0)
            np.add.at(self.block_data, (template, member), data)
            np.add.at(blocks, (template, member, member), 1.0)
        np.add.at(blocks, (template, first, side), 1.0)
        np.add.at(blocks, (template, side, first), 1.0)
        self.blocks = blocks
        self.per_name = np.bincount(name, minlength=names).astype(np.float64)
        self.name_data = np.zeros((names, 3))
        np.add.at(self.name_data, name, data)
        self.dd = data.T @ data

    def parts(self, ratios: FloatArray) -> tuple[float, FloatArray]:
        """Log determinant of V / s2 and [x y]' (V / s2)^-1 [x y] for variance ratios."""
        root = np.sqrt(np.maximum(ratios, 0.0))
        inner = root[[0, 1, 1]]
        blocks = self.blocks * inner[:, None] * inner[None, :] + np.eye(3)
        coupling = self.coupling * inner[:, None] * root[2]
        block_data = self.block_data * inner[:, None]
        solved = np.linalg.solve(blocks, np.concatenate([coupling, block_data], axis=2))
        names = len(self.per_name)
        schur = np.diag(self.per_name * root[2] ** 2 + 1.0) - np.einsum("tin,tim->nm", coupling, solved[:, :, :names])
        rest = self.name_data * root[2] - np.einsum("tin,tik->nk", coupling, solved[:, :, names:])
        quadratic: FloatArray = (
            self.dd - np.einsum("tik,til->kl", block_data, solved[:, :, names:]) - rest.T @ np.linalg.solve(schur, rest)
        )
        return float(np.linalg.slogdet(blocks)[1].sum() + np.linalg.slogdet(schur)[1]), quadratic

    def profiled(self, ratios: FloatArray) -> float:
        """-2 log REML likelihood with the residual variance profiled out."""
        log_det, quadratic = self.parts(ratios)
        return self._criterion(log_det, quadratic, None)

    def at(self, variances: FloatArray) -> float:
        """-2 log REML likelihood at (three variances, residual variance)."""
        log_det, quadratic = self.parts(variances[:-1] / variances[-1])
        return self._criterion(log_det, quadratic, float(variances[-1]))

    def _criterion(self, log_det: float, quadratic: FloatArray, s2: float | None) -> float:
        xx, xy, yy = quadratic[:2, :2], quadratic[:2, 2], float(quadratic[2, 2])
        rest = yy - float(xy @ np.linalg.solve(xx, xy))
        free = self.n - 2
        if s2 is None:
            s2 = rest / free
        return free * math.log(s2) + log_det + float(np.linalg.slogdet(xx)[1]) + rest / s2

    def estimate(self, variances: FloatArray) -> tuple[float, float]:
        """The gap and its variance at given variances."""
        _, quadratic = self.parts(variances[:-1] / variances[-1])
        inverse = np.linalg.inv(quadratic[:2, :2])
        return float((inverse @ quadratic[:2, 2])[1]), float(inverse[1, 1] * variances[-1])

    def residual_variance(self, ratios: FloatArray) -> float:
        _, quadratic = self.parts(ratios)
        xx, xy = quadratic[:2, :2], quadratic[:2, 2]
        return (float(quadratic[2, 2]) - float(xy @ np.linalg.solve(xx, xy))) / (self.n - 2)


def _satterthwaite(model: _Reml, variances: FloatArray) -> float:
    """2 f^2 / (g' A g): f the variance of the gap, g its gradient, A the covariance of the variance estimates."""
    free = np.flatnonzero(variances > 1e-6 * variances[-1])
    step = 1e-3 * variances[free]

    def moved(*shifts: tuple[int, float]) -> FloatArray:
        out = variances.copy()
        for index, by in shifts:
            out[free[index]] += by
        return out

    k = len(free)
    gradient, hessian = np.zeros(k), np.zeros((k, k))
    centre = model.at(variances)
    for i in range(k):
        up, down = moved((i, step[i])), moved((i, -step[i]))
        gradient[i] = (model.estimate(up)[1] - model.estimate(down)[1]) / (2 * step[i])
        hessian[i, i] = (model.at(up) - 2 * centre + model.at(down)) / step[i] ** 2
        for j in range(i):
            cross = sum(
                a * b * model.at(moved((i, a * step[i]), (j, b * step[j]))) for a in (1.0, -1.0) for b in (1.0, -1.0)
            )
            hessian[i, j] = hessian[j, i] = cross / (4 * step[i] * step[j])
    covariance = 2.0 * np.linalg.pinv(hessian)
    spread = float(gradient @ covariance @ gradient)
    return 2.0 * model.estimate(variances)[1] ** 2 / spread if spread > 0 else math.inf


def _fitted(model: _Reml) -> FloatArray | Undefined:
    """Variances of the three factors and the residual at the maximum of the REML likelihood."""
    from scipy.optimize import minimize

    def criterion(theta: FloatArray) -> float:
        # Square roots of the ratios: smooth at zero, and never negative after squaring.
        return model.profiled(np.square(theta))

    start = np.array([0.5, 0.3, 0.3])
    found = minimize(criterion, start, method="L-BFGS-B", options={"ftol": 1e-13, "gtol": 1e-8})
    if not found.success:
        found = minimize(criterion, found.x, method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-10})
    if not found.success:
        return Undefined("the mixed model did not converge", str(found.message))
    ratios: FloatArray = np.square(np.asarray(found.x, dtype=np.float64))
    ratios[ratios < _FLOOR] = 0.0
    s2 = model.residual_variance(ratios)
    return np.append(ratios * s2, s2) if s2 > 0 else Undefined("no spread")


def mixed_model_gap(rows: Sequence[MetricRow], contrast: Contrast, *, level: float = 0.95) -> MixedModel | Undefined:
    """Gap between two groups from a mixed model with templates, template x group and names as random factors.

    Parameters
    ----------
    rows : sequence of MetricRow
        One row per generation; rows without score, template or name are left out.
    contrast : Contrast
        The two groups; the gap is ``a`` minus ``b``.
    level : float
        Confidence level, a share.

    Returns
    -------
    MixedModel or Undefined
        Undefined below two templates or two names in a group, or without spread.

    Raises
    ------
    BadInput
        When the level is not a share.

    Notes
    -----
    Same model as ``lmer(score ~ group + (1 | template) + (1 | template:group) + (1 | name))`` of R's lmerTest.

    References
    ----------
    .. [1] A. Kuznetsova, P. B. Brockhoff and R. H. B. Christensen, lmerTest package, JSS 82, 2017.
    .. [2] H. D. Patterson and R. Thompson, Biometrika 58, 1971.

    Examples
    --------
    >>> def row(t, g, n, s):
    ...     score = t % 3 + (g == "x") * (0.5 + 0.1 * (t % 2)) + 0.1 * ((n * 7 + s * 5 + t) % 4)
    ...     return MetricRow(item=f"{t}{g}{n}{s}", unit_id=f"t{t}", group=g, name=f"{g}{n}", value=score)
    >>> found = mixed_model_gap([row(t, g, n, s) for t in range(6) for g in "xy" for n in range(3) for s in range(2)],
    ...                         Contrast("x", "y"))
    >>> round(found.value, 3)
    0.55
    """
    check_level(level)
    used = [
        r
        for r in rows
        if r.value is not None and r.unit_id is not None and r.name is not None and r.group in (contrast.a, contrast.b)
    ]
    names = {g: len({r.name for r in used if r.group == g}) for g in (contrast.a, contrast.b)}
    templates = len({r.unit_id for r in used})
    if templates < 2 or min(names.values()) < 2:
        return Undefined("too few templates or names", f"{templates} templates, names {names}")
    y = np.array([float(r.value or 0.0) for r in used])
    if np.ptp(y) == 0:
        return Undefined("no spread")
    model = _Reml(
        y - y.mean(),
        np.array([float(r.group == contrast.a) for r in used]),
        _codes([r.unit_id for r in used]),
        _codes([(r.group, r.name) for r in used]),
    )
    variances = _fitted(model)
    if isinstance(variances, Undefined):
        return variances
    value, variance = model.estimate(variances)
    se = math.sqrt(variance)
    df = max(1.0, _satterthwaite(model, variances))
    half = t_quantile((1 + level) / 2, df) * se
    return MixedModel(
        value=value,
        se=se,
        df=df,
        p=t_two_sided(value / se, df),
        interval=Interval(value - half, value + half, level, "mixed model, Satterthwaite t"),
        variances=(float(variances[0]), float(variances[1]), float(variances[2]), float(variances[3])),
        n=len(used),
        templates=templates,
        names_a=names[contrast.a],
        names_b=names[contrast.b],
    )
