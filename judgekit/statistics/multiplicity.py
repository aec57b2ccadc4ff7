"""Corrections for testing many metrics or contrasts at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics.results import Result

__all__ = ["Adjusted", "Method", "adjust", "adjust_secondary"]

Method = Literal["bonferroni", "holm", "hochberg", "bh", "by", "none"]

_METHODS = ("bonferroni", "holm", "hochberg", "bh", "by", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjusted(
    Result,
    method="adjusted p-values",
    unit="probabilities",
    source="Holm (1979), Scand. J. Stat. 6; Benjamini and Hochberg (1995), JRSS B 57",
):
    """Adjusted p-values in the order given. ``planned`` is the number of tests corrected for."""

    values: tuple[float | Undefined, ...]
    method: Method
    planned: int
    defined: int

    def rejected(self, alpha: float = 0.05) -> int:
        """How many tests are rejected at level ``alpha``.

        Parameters
        ----------
        alpha : float
            A share; a p equal to it is rejected.

        Returns
        -------
        int
            Undefined tests are never rejected.
        """
        return sum(1 for p in self.values if not isinstance(p, Undefined) and p <= alpha)


def adjust(
    p_values: Sequence[float | Undefined | None], *, method: Method = "bh", planned: int | None = None
) -> Adjusted:
    """Adjust p-values for multiple testing.

    Parameters
    ----------
    p_values : sequence of float, Undefined or None
        Raw p in [0, 1]. An undefined test stays undefined.
    method : {'bh', 'by', 'holm', 'bonferroni', 'hochberg', 'none'}
        ``bh`` (Benjamini-Hochberg) and ``by`` (Benjamini-Yekutieli, any dependence) control the false-discovery rate,
        the others the family-wise error rate.
    planned : int, optional
        Number of tests that were planned. By default all tests given, undefined ones too: leaving out the tests that
        failed would make the rest look better.

    Returns
    -------
    Adjusted
        Never below the raw p, never above 1.

    Raises
    ------
    BadInput
        When a p is outside [0, 1], the method is unknown, or fewer tests were planned than are defined.

    Notes
    -----
    Same values as R's ``p.adjust(p, n = planned)``.

    References
    ----------
    .. [1] S. Holm, Scandinavian Journal of Statistics 6, 1979.
    .. [2] Y. Benjamini and Y. Hochberg, JRSS B 57, 1995.
    .. [3] Y. Benjamini and D. Yekutieli, Annals of Statistics 29, 2001.

    Examples
    --------
    >>> adjust([0.01, 0.02, None, 0.5]).values
    (0.04, 0.04, Undefined(reason='no p-value', detail=''), 0.6666666666666666)
    """
    if method not in _METHODS:
        raise BadInput("no such correction", field="method", seen=method, remedy=f"one of {', '.join(_METHODS)}")
    raw: dict[int, float] = {}
    out: list[float | Undefined] = []
    for index, p in enumerate(p_values):
        if p is None or isinstance(p, Undefined):
            out.append(p if isinstance(p, Undefined) else Undefined("no p-value"))
            continue
        if not 0.0 <= p <= 1.0:  # false for nan too
            raise BadInput("a p-value must lie in [0, 1]", field=f"p_values[{index}]", seen=p)
        raw[index] = float(p)
        out.append(float(p))
    m = len(p_values) if planned is None else planned
    if m < len(raw):
        raise BadInput("fewer tests planned than given", field="planned", seen=m, why=f"{len(raw)} have a p-value")
    for index, p in _adjusted(raw, method, m).items():
        out[index] = p
    return Adjusted(values=tuple(out), method=method, planned=m, defined=len(raw))


def _adjusted(raw: Mapping[int, float], method: Method, m: int) -> dict[int, float]:
    if method == "none":
        return dict(raw)
    if method == "bonferroni":
        return {index: min(1.0, m * p) for index, p in raw.items()}
    order = sorted(raw, key=lambda index: raw[index])
    out: dict[int, float] = {}
    if method == "holm":
        running = 0.0
        for rank, index in enumerate(order):
            running = max(running, min(1.0, (m - rank) * raw[index]))
            out[index] = running
        return out
    harmonic = sum(1.0 / i for i in range(1, m + 1)) if method == "by" else 1.0
    running = 1.0
    # Step-up: a later p may rescue an earlier one. Tests without a p stand behind all others.
    for rank in range(len(order), 0, -1):
        index = order[rank - 1]
        factor = float(m - rank + 1) if method == "hochberg" else harmonic * m / rank
        running = min(running, 1.0, factor * raw[index])
        out[index] = running
    return out


def adjust_secondary(
    p_values: Mapping[str, float | Undefined | None],
    *,
    primary: Collection[str],
    method: Method = "bh",
    planned: int | None = None,
) -> dict[str, float | Undefined]:
    """Adjusted p of every metric that was not declared primary beforehand.

    Parameters
    ----------
    p_values : mapping of str to float, Undefined or None
        Raw p by metric (or metric and contrast).
    primary : collection of str
        Metrics declared beforehand; they keep their raw p.
    method : str
        As in `adjust`.
    planned : int, optional
        Number of secondary tests planned; all secondary ones given by default.

    Returns
    -------
    dict
        Metric to p, in the order given.

    Raises
    ------
    BadInput
        As in `adjust`.

    Examples
    --------
    >>> adjust_secondary({"warmth": 0.04, "length": 0.04, "hedges": 0.5}, primary={"warmth"})
    {'warmth': 0.04, 'length': 0.08, 'hedges': 0.5}
    """
    rest = [name for name in p_values if name not in primary]
    own = adjust([p for name, p in p_values.items() if name in primary], method="none")
    corrected = adjust([p_values[name] for name in rest], method=method, planned=planned)
    found = dict(zip(rest, corrected.values, strict=True))
    found.update(zip([name for name in p_values if name in primary], own.values, strict=True))
    return {name: found[name] for name in p_values}
