"""Intraclass correlation: agreement on a numeric scale, six forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.statistics.results import Result, check_level

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

__all__ = ["IccForm", "IccResult", "icc"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IccForm(
    Result,
    method="intraclass correlation",
    unit="in (-inf, 1]",
    source="McGraw and Wong (1996), Psychol. Methods 1",
):
    """One form of the intraclass correlation with its F interval.

    ``name`` follows Shrout and Fleiss (``ICC2`` is ICC(2,1), also written ICC(A,1)); ``k`` at its end means the mean of
    all raters instead of one.
    """

    name: str
    value: float | Undefined
    interval: Interval | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class IccResult(
    Result,
    method="intraclass correlations",
    unit="in (-inf, 1]",
    source="McGraw and Wong (1996), Psychol. Methods 1",
):
    """The six forms for ``n`` items scored by all of ``raters`` raters."""

    n: int
    dropped: int
    raters: int
    forms: tuple[IccForm, ...]
    reference: str = "Shrout PE, Fleiss JL (1979). Psychol Bull 86, 420-428"

    def form(self, name: str) -> IccForm:
        """The form of that name.

        Raises
        ------
        KeyError
            When there is none.
        """
        for form in self.forms:
            if form.name == name:
                return form
        raise KeyError(name)


NAMES = ("ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k")


def icc(ratings: Sequence[Sequence[float | None]], *, level: float = 0.95) -> IccResult:
    """Intraclass correlations of several raters on a numeric scale.

    Parameters
    ----------
    ratings : sequence of sequence of float or None
        One row an item, one column a rater. Items with a missing rating drop out and are counted.
    level : float
        Level of the intervals.

    Returns
    -------
    IccResult
        ``ICC1``: every item has its own raters. ``ICC2``: raters are a sample, and their levels must agree (absolute
        agreement). ``ICC3``: exactly these raters, consistency only. Undefined below two items or raters, or when
        nothing varies between the items and raters.

    Raises
    ------
    BadInput
        Rows of different length, or a rating that is not a number.

    References
    ----------
    .. [1] Shrout PE, Fleiss JL (1979). Intraclass correlations: uses in assessing rater reliability. Psychol Bull 86,
       420-428. doi:10.1037/0033-2909.86.2.420
    .. [2] McGraw KO, Wong SP (1996). Forming inferences about some intraclass correlation coefficients. Psychol Methods
       1, 30-46. doi:10.1037/1082-989X.1.1.30

    Examples
    --------
    >>> result = icc([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    >>> round(result.form("ICC2").value, 2), round(result.form("ICC3").value, 2)
    (0.29, 0.71)
    """
    check_level(level)
    widths = {len(row) for row in ratings}
    if len(widths) > 1:
        raise BadInput("the items have different numbers of raters", field="ratings", seen=sorted(widths))
    rows = [[float(score) for score in row if score is not None] for row in ratings]
    k = widths.pop() if widths else 0
    complete = [row for row in rows if len(row) == k]
    data = np.array(complete, dtype=np.float64).reshape(len(complete), k)
    if not np.isfinite(data).all():
        raise BadInput("a rating is not a finite number", field="ratings", remedy="use None for a missing rating")
    n = len(complete)
    if n < 2 or k < 2:
        nothing = Undefined("too few", "two items and two raters are needed")
        forms = tuple(IccForm(name=name, value=nothing, interval=nothing) for name in NAMES)
    else:
        forms = _forms(data, level)
    return IccResult(n=n, dropped=len(ratings) - n, raters=k, forms=forms)


def _forms(data: Floats, level: float) -> tuple[IccForm, ...]:
    n, k = data.shape
    grand = data.mean()
    items, raters = data.mean(axis=1) - grand, data.mean(axis=0) - grand
    residual = data - grand - items[:, None] - raters[None, :]
    between = k * float((items**2).sum()) / (n - 1)
    judges = n * float((raters**2).sum()) / (k - 1)
    error = float((residual**2).sum()) / ((n - 1) * (k - 1))
    within = (judges * (k - 1) + error * (n - 1) * (k - 1)) / (n * (k - 1))
    one = _consistency(between, within, n - 1, n * (k - 1), k, level)
    two = _absolute(between, judges, error, n, k, level)
    three = _consistency(between, error, n - 1, (n - 1) * (k - 1), k, level)
    found = [*zip(("ICC1", "ICC2", "ICC3"), (one, two, three), strict=True)]
    single = [IccForm(name=name, value=value, interval=interval) for name, (value, interval) in found]
    return (*single, *(_mean_of(form, k) for form in single))


_Estimate = tuple["float | Undefined", "Interval | Undefined"]
NOTHING = Undefined("no variance", "the ratings do not vary")
NO_ERROR = Undefined("no error variance", "the raters agree perfectly, so the F interval does not exist")


def _consistency(between: float, error: float, df1: int, df2: int, k: int, level: float) -> _Estimate:
    """One-way and two-way consistency forms share a formula; only the error term differs."""
    if between + (k - 1) * error <= 0:
        return NOTHING, NOTHING
    value = (between - error) / (between + (k - 1) * error)
    if error == 0:
        return value, NO_ERROR
    tail, f = (1 - level) / 2, between / error
    low, high = f / float(stats.f.isf(tail, df1, df2)), f * float(stats.f.isf(tail, df2, df1))
    return value, Interval((low - 1) / (low + k - 1), (high - 1) / (high + k - 1), level, "F")


def _absolute(between: float, judges: float, error: float, n: int, k: int, level: float) -> _Estimate:
    bottom = between + (k - 1) * error + k * (judges - error) / n
    if bottom <= 0:
        return NOTHING, NOTHING
    value = (between - error) / bottom
    if error == 0:
        return value, NO_ERROR
    ratio = judges / error
    top = (k - 1) * (n - 1) * (k * value * ratio + n * (1 + (k - 1) * value) - k * value) ** 2
    df = top / ((n - 1) * (k * value * ratio) ** 2 + (n * (1 + (k - 1) * value) - k * value) ** 2)
    tail = (1 - level) / 2
    f_low, f_high = float(stats.f.isf(tail, n - 1, df)), float(stats.f.isf(tail, df, n - 1))
    spread = k * judges + (k * n - k - n) * error
    low = n * (between - f_low * error) / (f_low * spread + n * between)
    high = n * (f_high * between - error) / (spread + n * f_high * between)
    return value, Interval(low, high, level, "F, Satterthwaite df")


def _mean_of(form: IccForm, k: int) -> IccForm:
    """Spearman and Brown's step from one rater to the mean of k."""

    def up(r: float) -> float:
        return k * r / (1 + (k - 1) * r)

    value = form.value if isinstance(form.value, Undefined) else up(form.value)
    interval = form.interval
    if not isinstance(interval, Undefined):
        interval = Interval(up(interval.low), up(interval.high), interval.level, interval.method)
    return IccForm(name=f"{form.name}k", value=value, interval=interval)
