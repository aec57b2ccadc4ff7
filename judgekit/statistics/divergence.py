"""How far two answer distributions, or two lists of answers, are apart."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics.results import FloatArray, Result

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "Divergence",
    "MeanDivergence",
    "divergence",
    "flip_rate",
    "information_of_tables",
    "joint_table",
    "js_divergence",
    "kl_divergence",
    "mean_divergence",
    "mutual_information",
    "phi",
    "phi_of_tables",
]

SUM_TOLERANCE = 1e-6
_BASES = {"bits": math.log(2), "nats": 1.0}


def _pair(p: ArrayLike, q: ArrayLike) -> tuple[FloatArray, FloatArray]:
    out = []
    for name, values in (("p", p), ("q", q)):
        array = np.asarray(values, dtype=np.float64)
        if array.ndim not in (1, 2) or not np.isfinite(array).all() or (array < 0).any():
            raise BadInput("a distribution holds probabilities of at least 0", field=name, seen=str(values)[:80])
        if not np.allclose(array.sum(axis=-1), 1.0, rtol=0, atol=SUM_TOLERANCE):
            raise BadInput(
                "a distribution does not add up to 1", field=name, seen=str(array.sum(axis=-1))[:80],
                remedy="normalise it yourself, or say what the missing mass is",
            )  # fmt: skip
        out.append(array)
    if out[0].shape != out[1].shape:
        raise BadInput("the distributions differ in shape", seen=f"{out[0].shape} and {out[1].shape}")
    return out[0], out[1]


def _unit(unit: str) -> float:
    if unit not in _BASES:
        raise BadInput("divergence is measured in bits or nats", field="unit", seen=unit)
    return _BASES[unit]


def _kl(p: FloatArray, q: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * (np.log(p) - np.log(q)), 0.0)
    out: FloatArray = np.maximum(terms.sum(axis=-1), 0.0)
    return out


def kl_divergence(p: ArrayLike, q: ArrayLike, *, unit: str = "bits") -> FloatArray:
    """Kullback-Leibler divergence KL(p || q) of one or many pairs of distributions.

    Parameters
    ----------
    p, q : array_like, shape (k,) or (n, k)
        Probabilities that add up to 1 within 1e-6; nothing is renormalised.
    unit : {'bits', 'nats'}
        Base 2 or e.

    Returns
    -------
    numpy.ndarray
        At least 0; infinite where ``p`` puts mass on something that ``q`` rules out.

    Raises
    ------
    BadInput
        When an input is no distribution or the unit is unknown.

    References
    ----------
    .. [1] S. Kullback and R. A. Leibler, Annals of Mathematical Statistics 22, 1951.

    Examples
    --------
    >>> float(kl_divergence([1.0, 0.0], [0.5, 0.5]))
    1.0
    """
    base = _unit(unit)
    first, second = _pair(p, q)
    out: FloatArray = np.asarray(_kl(first, second) / base)
    return out


def js_divergence(p: ArrayLike, q: ArrayLike, *, unit: str = "bits") -> FloatArray:
    """Jensen-Shannon divergence (not its square root) of one or many pairs of distributions.

    Parameters
    ----------
    p, q : array_like, shape (k,) or (n, k)
        Probabilities that add up to 1 within 1e-6.
    unit : {'bits', 'nats'}
        In bits it lies in [0, 1].

    Returns
    -------
    numpy.ndarray
        Never below 0: rounding is clamped.

    Raises
    ------
    BadInput
        When an input is no distribution or the unit is unknown.

    References
    ----------
    .. [1] J. Lin, Divergence measures based on the Shannon entropy, IEEE Transactions on Information Theory 37, 1991.

    Examples
    --------
    >>> float(js_divergence([1.0, 0.0], [0.0, 1.0]))
    1.0
    """
    base = _unit(unit)
    first, second = _pair(p, q)
    middle = (first + second) / 2
    # Rounding leaves about 1e-17 for distributions that are equal but for the last bit.
    raw = (_kl(first, middle) + _kl(second, middle)) / 2
    out: FloatArray = np.asarray(np.where(raw < 1e-15, 0.0, np.minimum(raw, math.log(2))) / base)
    return out


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence(
    Result,
    method="KL and Jensen-Shannon divergence",
    unit="bits or nats, see unit",
    source="Lin (1991), IEEE Transactions on Information Theory 37",
):
    """All divergences of one pair of distributions. KL may be infinite; JSD in bits lies in [0, 1]."""

    kl_pq: float
    kl_qp: float
    jsd: float
    js_distance: float
    total_variation: float
    unit: str


def divergence(p: ArrayLike, q: ArrayLike, *, unit: str = "bits") -> Divergence:
    """KL both ways, JSD, its square root and total variation of two distributions.

    Parameters
    ----------
    p, q : sequence of float
        Probabilities over the same options.
    unit : {'bits', 'nats'}
        Unit of KL and JSD.

    Returns
    -------
    Divergence
        See there.

    Raises
    ------
    BadInput
        When an input is no distribution or the unit is unknown.

    Examples
    --------
    >>> found = divergence([0.5, 0.5], [1.0, 0.0])
    >>> found.kl_pq, found.total_variation
    (inf, 0.5)
    """
    first, second = _pair(p, q)
    jsd = float(js_divergence(first, second, unit=unit))
    return Divergence(
        kl_pq=float(kl_divergence(first, second, unit=unit)),
        kl_qp=float(kl_divergence(second, first, unit=unit)),
        jsd=jsd,
        js_distance=math.sqrt(jsd),
        total_variation=float(np.abs(first - second).sum() / 2),
        unit=unit,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanDivergence(
    Result,
    method="mean KL and Jensen-Shannon divergence",
    unit="bits or nats, see unit",
    source="Lin (1991), IEEE Transactions on Information Theory 37",
):
    """Mean divergence over samples. With infinite KL values no mean exists: they are counted instead."""

    mean_jsd: float | Undefined
    mean_kl: float | Undefined
    infinite_kl: int
    n: int
    unit: str


def mean_divergence(p: ArrayLike, q: ArrayLike, *, unit: str = "bits") -> MeanDivergence:
    """Mean JSD and mean KL(p || q) over many samples.

    Parameters
    ----------
    p, q : array_like, shape (n, k)
        One distribution per sample in each row.
    unit : {'bits', 'nats'}
        Unit of both.

    Returns
    -------
    MeanDivergence
        ``mean_kl`` is undefined when any KL is infinite.

    Raises
    ------
    BadInput
        When a row is no distribution.

    Examples
    --------
    >>> mean_divergence([[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.5, 0.5]]).mean_jsd
    0.5
    """
    if not np.size(p):
        none = Undefined("no samples")
        return MeanDivergence(mean_jsd=none, mean_kl=none, infinite_kl=0, n=0, unit=unit)
    kl = np.atleast_1d(kl_divergence(p, q, unit=unit))
    infinite = int(np.isinf(kl).sum())
    return MeanDivergence(
        mean_jsd=float(np.mean(js_divergence(p, q, unit=unit))),
        mean_kl=Undefined("infinite divergence", f"{infinite} of {len(kl)} samples") if infinite else float(kl.mean()),
        infinite_kl=infinite,
        n=len(kl),
        unit=unit,
    )


def joint_table(first: Sequence[Hashable], second: Sequence[Hashable]) -> FloatArray:
    """Counts of pairs of answers: first answer in rows, second in columns, over the options met.

    Parameters
    ----------
    first, second : sequence
        Answers to the same prompts; any hashable options.

    Returns
    -------
    numpy.ndarray, shape (k, k)
        Counts; options in order of first appearance.

    Raises
    ------
    BadInput
        When the lists differ in length.

    Examples
    --------
    >>> joint_table(["yes", "no"], ["yes", "yes"]).tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    """
    if len(first) != len(second):
        raise BadInput("answers differ in number", seen=f"{len(first)} and {len(second)}")
    options: dict[Hashable, int] = {}
    for answer in (*first, *second):
        options.setdefault(answer, len(options))
    table = np.zeros((len(options), len(options)))
    np.add.at(table, ([options[a] for a in first], [options[b] for b in second]), 1.0)
    return table


def flip_rate(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | Undefined:
    """Share of prompts whose answer changed.

    Parameters
    ----------
    first, second : sequence
        Answers to the same prompts.

    Returns
    -------
    float or Undefined
        In [0, 1]; undefined without prompts.

    Raises
    ------
    BadInput
        When the lists differ in length.

    Examples
    --------
    >>> flip_rate([0, 1, 1, 0], [0, 1, 0, 0])
    0.25
    """
    table = joint_table(first, second)
    total = float(table.sum())
    return float((total - np.trace(table)) / total) if total else Undefined("no answers")


def _entropy(chance: FloatArray, axes: tuple[int, ...]) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(chance > 0, chance * np.log(chance), 0.0)
    out: FloatArray = -terms.sum(axis=axes)
    return out


def information_of_tables(tables: FloatArray) -> FloatArray:
    """Mutual information in nats of joint tables in the last two axes (counts or shares), never below 0.

    Parameters
    ----------
    tables : numpy.ndarray, shape (..., k, k)
        Each with a positive sum.

    Returns
    -------
    numpy.ndarray, shape (...)
        Mutual information.

    Examples
    --------
    >>> float(information_of_tables(np.array([[2.0, 2.0], [1.0, 1.0]])))
    0.0
    """
    joint = tables / tables.sum(axis=(-2, -1), keepdims=True)
    raw = _entropy(joint.sum(axis=-1), (-1,)) + _entropy(joint.sum(axis=-2), (-1,)) - _entropy(joint, (-2, -1))
    out: FloatArray = np.where(raw < 1e-15, 0.0, raw)
    return out


def phi_of_tables(tables: FloatArray) -> FloatArray:
    """Phi of 2 x 2 tables in the last two axes; ``nan`` where a row or column is empty.

    Parameters
    ----------
    tables : numpy.ndarray, shape (..., 2, 2)
        Counts.

    Returns
    -------
    numpy.ndarray, shape (...)
        In [-1, 1]. The caller turns ``nan`` into an undefined result.

    Examples
    --------
    >>> phi_of_tables(np.array([[[5.0, 0.0], [0.0, 5.0]], [[5.0, 5.0], [0.0, 0.0]]])).tolist()
    [1.0, nan]
    """
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    product = rows[..., 0] * rows[..., 1] * columns[..., 0] * columns[..., 1]
    cross = tables[..., 0, 0] * tables[..., 1, 1] - tables[..., 0, 1] * tables[..., 1, 0]
    out: FloatArray = np.full(product.shape, np.nan)
    np.divide(cross, np.sqrt(product), out=out, where=product > 0)
    return out


def mutual_information(
    first: Sequence[Hashable], second: Sequence[Hashable], *, unit: str = "bits"
) -> float | Undefined:
    """Mutual information between two lists of answers, from their joint table.

    Parameters
    ----------
    first, second : sequence
        Answers to the same prompts, over any number of options.
    unit : {'bits', 'nats'}
        Base 2 or e.

    Returns
    -------
    float or Undefined
        At least 0; 0 when one list is constant. Undefined without prompts.

    Raises
    ------
    BadInput
        When the lists differ in length or the unit is unknown.

    Examples
    --------
    >>> mutual_information([0, 1, 0, 1], [0, 1, 0, 1])
    1.0
    """
    base = _unit(unit)
    table = joint_table(first, second)
    return float(information_of_tables(table)) / base if table.size else Undefined("no answers")


def phi(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | Undefined:
    """Phi coefficient of two lists of yes/no answers.

    Parameters
    ----------
    first, second : sequence
        Answers with at most two options.

    Returns
    -------
    float or Undefined
        In [-1, 1]. A constant list has no phi; it is not 0.

    Raises
    ------
    BadInput
        When the lists differ in length.

    Examples
    --------
    >>> phi([0, 1, 0, 1], [1, 0, 1, 0])
    -1.0
    >>> phi([1, 1, 1], [1, 1, 0])
    Undefined(reason='constant answers', detail='')
    """
    table = joint_table(first, second)
    if len(table) > 2:
        return Undefined("more than two options", f"{len(table)} answers are in use")
    if len(table) < 2:
        return Undefined("constant answers" if table.size else "no answers")
    value = float(phi_of_tables(table))
    return Undefined("constant answers") if math.isnan(value) else value
