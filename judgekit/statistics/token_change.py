"""How much of a text an edit changed, and whether targeted edits and paraphrases are comparable in that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import regex

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.statistics.proportion import proportion_interval
from judgekit.statistics.results import FloatArray, Result, as_gaps
from judgekit.wording.sentence import say

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "DetectionCheck",
    "MatchedChange",
    "SweepStep",
    "TokenChange",
    "detection_check",
    "matched_change",
    "token_change",
    "token_change_sweep",
]

MOST_APART = 1.5
"""Medians of token change further apart than this factor are not compared."""

SWEEP = (0.05, 0.10, 0.20, 0.30, 0.40, 0.50, 0.60)
"""Upper ends of the bins of token change in the sweep."""

_TOKEN = regex.compile(r"[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]")
_TIMEOUT = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChange(
    Result,
    method="edit distance over tokens",
    unit="share of the original tokens",
    source="Levenshtein (1966), Soviet Physics Doklady 10",
):
    """Edit distance over tokens, and as a share of the original's tokens (above 1 when much was added)."""

    distance: int
    tokens: int
    share: float | Undefined


def _tokens(text: str) -> list[str]:
    try:
        return list(_TOKEN.findall(text, timeout=_TIMEOUT))
    except TimeoutError as problem:
        raise BadInput("a text takes too long to split into tokens", seen=text, remedy="leave it out") from problem


def _distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Levenshtein distance; each row of the table is one running minimum. What both begin and end with costs nothing."""
    start, stop = 0, min(len(first), len(second))
    while start < stop and first[start] == second[start]:
        start += 1
    end = 0
    while end < stop - start and first[-1 - end] == second[-1 - end]:
        end += 1
    first, second = first[start : len(first) - end], second[start : len(second) - end]
    if not first or not second:
        return max(len(first), len(second))
    codes: dict[str, int] = {}
    a = np.array([codes.setdefault(t, len(codes)) for t in first], dtype=np.int64)
    b = np.array([codes.setdefault(t, len(codes)) for t in second], dtype=np.int64)
    column = np.arange(len(b) + 1)
    row = column.copy()
    for i, token in enumerate(a.tolist(), start=1):
        change = np.minimum(row[1:] + 1, row[:-1] + (b != token))
        row = np.minimum.accumulate(np.concatenate([[i], change]) - column) + column
    return int(row[-1])


def token_change(original: str, edited: str) -> TokenChange:
    """Tokens that an edit changed.

    Parameters
    ----------
    original, edited : str
        The text before and after. Tokens are words and single signs; case counts.

    Returns
    -------
    TokenChange
        Share undefined when the original has no tokens.

    Raises
    ------
    BadInput
        When splitting a text takes longer than 2 s.

    Examples
    --------
    >>> token_change("he asked the nurse about his pills", "she asked the nurse about her pills").distance
    2
    """
    first, second = _tokens(original), _tokens(edited)
    distance = _distance(first, second)
    share = distance / len(first) if first else Undefined("the original has no tokens")
    return TokenChange(distance=distance, tokens=len(first), share=share)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedChange(
    Result,
    method="matching of changed tokens",
    unit="share of the original tokens",
    source="Levenshtein (1966), Soviet Physics Doklady 10",
):
    """Whether targeted edits and baseline edits change about as many tokens.

    ``ratio`` is the larger median over the smaller; quartiles are (25%, median, 75%) of the shares.
    """

    comparable: bool
    ratio: float | Undefined
    targeted: tuple[float, float, float] | Undefined
    baseline: tuple[float, float, float] | Undefined
    most_apart: float
    why: str


def _quartiles(values: FloatArray) -> tuple[float, float, float]:
    low, middle, high = (float(q) for q in np.quantile(values, [0.25, 0.5, 0.75]))
    return low, middle, high


def matched_change(targeted: ArrayLike, baseline: ArrayLike, *, most_apart: float = MOST_APART) -> MatchedChange:
    """Compare how much two kinds of edits change; refuse the comparison when it is not matched.

    Parameters
    ----------
    targeted, baseline : sequence of float
        Shares of changed tokens, at least 0.
    most_apart : float
        Largest ratio of the medians, at least 1.

    Returns
    -------
    MatchedChange
        ``comparable`` is False when the medians are further apart, when one is 0 and the other not, or when a kind of
        edit is absent.

    Raises
    ------
    BadInput
        When a share is negative or not finite, or ``most_apart`` is below 1.

    Examples
    --------
    >>> matched_change([0.1, 0.12, 0.2], [0.3, 0.25, 0.4]).comparable
    False
    """
    a, b = as_gaps(targeted, what="targeted"), as_gaps(baseline, what="baseline")
    if (a < 0).any() or (b < 0).any() or not most_apart >= 1:
        raise BadInput("shares are at least 0 and the factor at least 1", seen=most_apart)
    if not len(a) or not len(b):
        none = Undefined("no edits of this kind")
        return MatchedChange(
            comparable=False, ratio=none, targeted=_quartiles(a) if len(a) else none,
            baseline=_quartiles(b) if len(b) else none, most_apart=most_apart, why=say("a kind of edit is absent"),
        )  # fmt: skip
    first, second = _quartiles(a), _quartiles(b)
    low, high = sorted((first[1], second[1]))
    ratio = high / low if low > 0 else Undefined("a median is zero") if high > 0 else 1.0
    fits = not isinstance(ratio, Undefined) and ratio <= most_apart * (1 + 1e-9)
    told = say(str(ratio)) if isinstance(ratio, Undefined) else say("medians are {ratio:.2f} times apart", ratio=ratio)
    return MatchedChange(
        comparable=fits,
        ratio=ratio,
        targeted=first,
        baseline=second,
        most_apart=most_apart,
        why=say("{met}; at most {most:g} is compared", met=told, most=most_apart),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepStep(
    Result,
    method="flip rate by share of changed tokens, Wilson",
    unit="shares",
    source="Wilson (1927), JASA 22",
):
    """Flip rate of edits that changed a share of tokens in (low, high]."""

    low: float
    high: float
    n: int
    flip_rate: float | Undefined
    interval: Interval | Undefined


def token_change_sweep(
    shares: ArrayLike, changed: Sequence[bool], *, ends: Sequence[float] = SWEEP, level: float = 0.95
) -> tuple[SweepStep, ...]:
    """Flip rate by how many tokens were changed, from 5 to 60%.

    Parameters
    ----------
    shares : sequence of float
        Share of changed tokens of each edit.
    changed : sequence of bool
        Whether the answer changed.
    ends : sequence of float
        Upper ends of the bins, ascending; the first bin starts at 0 and holds 0 too. Edits above the last are left out.
    level : float
        Confidence level of the Wilson intervals, a share.

    Returns
    -------
    tuple of SweepStep
        One per bin; an empty bin has an undefined rate.

    Raises
    ------
    BadInput
        When lengths differ or the ends do not ascend.

    Examples
    --------
    >>> [step.n for step in token_change_sweep([0.04, 0.3, 0.28], [False, True, False])]
    [1, 0, 0, 2, 0, 0, 0]
    """
    values = as_gaps(shares, what="shares")
    if len(values) != len(changed):
        raise BadInput("edits differ in number", seen=f"{len(values)} and {len(changed)}")
    if any(b <= a for a, b in pairwise(ends)):
        raise BadInput("the ends of the bins must ascend", field="ends", seen=list(ends))
    flips = np.asarray(changed, dtype=bool)
    steps = []
    low = 0.0
    for high in ends:
        inside = (values <= high + 1e-12) & ((values > low + 1e-12) | (low == 0.0))
        n, k = int(inside.sum()), int(flips[inside].sum())
        rate = k / n if n else Undefined("no edits in this bin")
        steps.append(
            SweepStep(low=low, high=high, n=n, flip_rate=rate, interval=proportion_interval(k, n, level=level))
        )
        low = high
    return tuple(steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionCheck(
    Result,
    method="recall and false alarms, Wilson",
    unit="shares",
    source="Wilson (1927), JASA 22",
):
    """Recall: share of edits that must change the answer and do. Precision check: share that must not and do."""

    recall: float | Undefined
    recall_interval: Interval | Undefined
    n_recall: int
    false_alarms: float | Undefined
    false_alarm_interval: Interval | Undefined
    n_precision: int


def detection_check(
    must_change: Sequence[bool], must_not_change: Sequence[bool], *, level: float = 0.95
) -> DetectionCheck:
    """Do edits that matter change the answer, and those that do not, not?

    Parameters
    ----------
    must_change, must_not_change : sequence of bool
        Whether the answer changed, for the recall edits and for the precision edits.
    level : float
        Confidence level of the Wilson intervals, a share.

    Returns
    -------
    DetectionCheck
        Undefined where there are no edits of a kind.

    Examples
    --------
    >>> found = detection_check([True, True, False, True], [False, False])
    >>> found.recall, found.false_alarms
    (0.75, 0.0)
    """
    hits, alarms = sum(map(bool, must_change)), sum(map(bool, must_not_change))
    n, m = len(must_change), len(must_not_change)
    none = Undefined("no edits of this kind")
    return DetectionCheck(
        recall=hits / n if n else none,
        recall_interval=proportion_interval(hits, n, level=level),
        n_recall=n,
        false_alarms=alarms / m if m else none,
        false_alarm_interval=proportion_interval(alarms, m, level=level),
        n_precision=m,
    )
