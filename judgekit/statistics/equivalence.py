"""Is a gap small enough? An interval against a margin that was set beforehand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.statistics.distributions import t_quantile, t_tail
from judgekit.statistics.results import Result, as_gaps

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Equivalence", "Verdict", "check_margin", "equivalence_test", "tost_p", "verdict"]

Verdict = Literal["pass", "warn", "fail", "cannot tell"]

_ROUNDING = 1e-9


def check_margin(margin: float) -> float:
    """The margin, if it is a positive finite number.

    Parameters
    ----------
    margin : float
        Largest gap that is tolerated, in the metric's unit.

    Returns
    -------
    float
        The same number.

    Raises
    ------
    BadInput
        Otherwise.

    Examples
    --------
    >>> check_margin(0.25)
    0.25
    """
    if not (math.isfinite(margin) and margin > 0):
        raise BadInput("a margin must be a positive number", field="margin", seen=margin)
    return margin


def verdict(interval: Interval | Undefined, margin: float) -> Verdict:
    """Verdict on a gap: where its interval lies against -margin to +margin.

    Parameters
    ----------
    interval : Interval or Undefined
        Interval of the gap.
    margin : float
        Largest gap that is tolerated, set before the run, in the metric's unit.

    Returns
    -------
    {'pass', 'warn', 'fail', 'cannot tell'}
        ``pass``: wholly inside, a bound equal to the margin counting as inside. ``fail``: wholly outside. ``warn``:
        neither. ``cannot tell``: the interval is undefined or has no finite bound; never a pass.

    Raises
    ------
    BadInput
        When the margin is not a positive number.

    Examples
    --------
    >>> verdict(Interval(-0.02, 0.05, 0.95, "t"), 0.05), verdict(Interval(0.06, 0.09, 0.95, "t"), 0.05)
    ('pass', 'fail')
    """
    check_margin(margin)
    if isinstance(interval, Undefined) or math.isnan(interval.low) or math.isnan(interval.high):
        return "cannot tell"
    if math.isinf(interval.low) and math.isinf(interval.high):
        return "cannot tell"
    edge = margin * (1 + _ROUNDING)
    if interval.low >= -edge and interval.high <= edge:
        return "pass"
    if interval.low > edge or interval.high < -edge:
        return "fail"
    return "warn"


def tost_p(value: float, se: float, df: float, margin: float) -> float:
    """P-value of two one-sided t tests against -margin and +margin.

    Parameters
    ----------
    value, se : float
        The gap and its standard error (above 0).
    df : float
        Degrees of freedom; may be infinite.
    margin : float
        Largest gap that is tolerated.

    Returns
    -------
    float
        The larger of the two one-sided p; small means equivalent.

    Raises
    ------
    BadInput
        When the margin or the standard error is not positive.

    References
    ----------
    .. [1] D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987.

    Examples
    --------
    >>> round(tost_p(0.0, 0.02, 30, 0.05), 4)
    0.0091
    """
    check_margin(margin)
    if not se > 0:
        raise BadInput("`se` must be above 0", field="se", seen=se)
    return max(t_tail((value + margin) / se, df), t_tail((margin - value) / se, df))


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence(
    Result,
    method="two one-sided tests against a margin",
    unit="of the gaps",
    source="Schuirmann (1987), J. Pharmacokinet. Biopharm. 15",
):
    """Two one-sided tests of a mean gap against a margin.

    The 90% interval is the one that matches two one-sided tests at 0.05; the 95% interval is stricter. ``templates_needed``
    is the number of templates at which the half width would equal the margin minus the absolute gap if the estimate
    and the spread stayed (None when the gap itself is at or beyond the margin).
    """

    mean: float | Undefined
    margin: float
    p: float | Undefined
    interval_90: Interval | Undefined
    interval_95: Interval | Undefined
    verdict_90: Verdict
    verdict_95: Verdict
    n: int
    templates_needed: int | None


def equivalence_test(gaps: ArrayLike, margin: float) -> Equivalence:
    """Equivalence of a mean gap with zero, by t over templates.

    Parameters
    ----------
    gaps : sequence of float
        One gap per template.
    margin : float
        Largest gap that is tolerated, in the metric's unit; set before the run.

    Returns
    -------
    Equivalence
        Undefined p and intervals below two gaps or without spread.

    Raises
    ------
    BadInput
        When the margin is not positive or a gap not finite.

    Examples
    --------
    >>> found = equivalence_test([0.01, -0.02, 0.015, 0.0, -0.005, 0.01], 0.05)
    >>> found.verdict_95, round(found.p, 5)
    ('pass', 0.00013)
    """
    check_margin(margin)
    values = as_gaps(gaps)
    n = len(values)
    mean: float | Undefined = float(values.mean()) if n else Undefined("no gap")
    spread = float(values.std(ddof=1)) if n > 1 else 0.0
    if isinstance(mean, Undefined) or n < 2 or spread <= 1e-12 * abs(mean):
        why = Undefined("no gap") if n == 0 else Undefined("one gap") if n == 1 else Undefined("no spread")
        return Equivalence(
            mean=mean, margin=margin, p=why, interval_90=why, interval_95=why, verdict_90="cannot tell",
            verdict_95="cannot tell", n=n, templates_needed=None,
        )  # fmt: skip
    se = spread / math.sqrt(n)
    bounds = {}
    for level in (0.90, 0.95):
        half = t_quantile((1 + level) / 2, n - 1) * se
        bounds[level] = Interval(mean - half, mean + half, level, "t over templates")
    return Equivalence(
        mean=mean,
        margin=margin,
        p=tost_p(mean, se, n - 1, margin),
        interval_90=bounds[0.90],
        interval_95=bounds[0.95],
        verdict_90=verdict(bounds[0.90], margin),
        verdict_95=verdict(bounds[0.95], margin),
        n=n,
        templates_needed=_needed(spread, margin - abs(mean)),
    )


def _needed(spread: float, room: float) -> int | None:
    """Smallest n with t(0.975, n - 1) * spread / sqrt(n) <= room."""
    if room <= 0:
        return None
    n = 2
    while n < 10_000_000 and t_quantile(0.975, n - 1) * spread / math.sqrt(n) > room:
        n = max(n + 1, math.ceil((t_quantile(0.975, n - 1) * spread / room) ** 2)) if n >= 30 else n + 1
    return n
