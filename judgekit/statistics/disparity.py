"""Disparity thresholds on rates: every pair of groups within 5 points, every group within 10 of the overall rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Literal

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics.results import Result

__all__ = ["Disparity", "disparity", "disparity_by_case_type"]

PAIRWISE = Fraction(5, 100)
OVERALL = Fraction(10, 100)
ENOUGH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Disparity(
    Result,
    method="fixed thresholds on rates, in exact fractions",
    unit="shares",
    source="thresholds of 5 and 10 points, decided beforehand",
):
    """Rates of several groups against the thresholds.

    Gaps are shares in [0, 1]. ``verdict`` is ``too few`` when a group has fewer than ``enough`` results.
    """

    rates: Mapping[str, float]
    overall_pooled: float | Undefined
    overall_mean_of_groups: float | Undefined
    max_pairwise_gap: float | Undefined
    max_gap_to_overall: float | Undefined
    widest_pair: tuple[str, str] | None
    farthest_group: str | None
    pairwise_ok: bool | Undefined
    overall_ok: bool | Undefined
    enough_per_group: bool
    few: tuple[str, ...]
    verdict: Literal["pass", "fail", "too few", "cannot tell"]


def disparity(
    counts: Mapping[str, tuple[int, int]],
    *,
    pairwise: Fraction | float = PAIRWISE,
    overall: Fraction | float = OVERALL,
    enough: int = ENOUGH,
) -> Disparity:
    """Compare group rates with fixed thresholds, in exact fractions.

    Parameters
    ----------
    counts : mapping of str to (int, int)
        Group to (results with yes, results).
    pairwise, overall : Fraction or float
        Largest gap between two groups, and between a group and the pooled rate; a gap equal to it passes. A float is
        read as the decimal it prints as.
    enough : int
        Results a group needs for a verdict.

    Returns
    -------
    Disparity
        ``cannot tell`` with fewer than two groups that have results.

    Raises
    ------
    BadInput
        When a count is not between 0 and its total.

    Examples
    --------
    >>> disparity({"A": (70, 100), "B": (75, 100)}).verdict
    'pass'
    """
    for group, (yes, total) in counts.items():
        if not 0 <= yes <= total:
            raise BadInput("a count must lie between 0 and its total", field=group, seen=f"{yes} of {total}")
    limits = [limit if isinstance(limit, Fraction) else Fraction(str(limit)) for limit in (pairwise, overall)]
    rates = {group: Fraction(yes, total) for group, (yes, total) in counts.items() if total}
    few = tuple(group for group, (_, total) in counts.items() if total < enough)
    if len(rates) < 2:
        why = Undefined("fewer than two groups with results")
        only = float(next(iter(rates.values()))) if rates else why
        return Disparity(
            rates={g: float(r) for g, r in rates.items()}, overall_pooled=only, overall_mean_of_groups=only,
            max_pairwise_gap=why, max_gap_to_overall=why, widest_pair=None, farthest_group=None, pairwise_ok=why,
            overall_ok=why, enough_per_group=not few, few=few, verdict="cannot tell",
        )  # fmt: skip
    pooled = Fraction(sum(yes for yes, _ in counts.values()), sum(total for _, total in counts.values()))
    widest = max(combinations(rates, 2), key=lambda pair: abs(rates[pair[0]] - rates[pair[1]]))
    farthest = max(rates, key=lambda group: abs(rates[group] - pooled))
    gap, off = abs(rates[widest[0]] - rates[widest[1]]), abs(rates[farthest] - pooled)
    ok = gap <= limits[0], off <= limits[1]
    return Disparity(
        rates={group: float(rate) for group, rate in rates.items()},
        overall_pooled=float(pooled),
        overall_mean_of_groups=float(sum(rates.values(), Fraction(0)) / len(rates)),
        max_pairwise_gap=float(gap),
        max_gap_to_overall=float(off),
        widest_pair=widest,
        farthest_group=farthest,
        pairwise_ok=ok[0],
        overall_ok=ok[1],
        enough_per_group=not few,
        few=few,
        verdict="too few" if few else "pass" if all(ok) else "fail",
    )


def disparity_by_case_type(
    counts: Mapping[str, Mapping[str, tuple[int, int]]],
    *,
    pairwise: Fraction | float = PAIRWISE,
    overall: Fraction | float = OVERALL,
    enough: int = ENOUGH,
) -> dict[str, Disparity]:
    """The same verdict within each case type.

    Parameters
    ----------
    counts : mapping of str to mapping
        Case type to group to (yes, results).
    pairwise, overall, enough
        As in `disparity`.

    Returns
    -------
    dict of str to Disparity
        One verdict per case type; thin case types say ``too few``.

    Raises
    ------
    BadInput
        As in `disparity`.

    Examples
    --------
    >>> disparity_by_case_type({"refund": {"A": (9, 20), "B": (5, 20)}})["refund"].verdict
    'too few'
    """
    return {
        case: disparity(groups, pairwise=pairwise, overall=overall, enough=enough) for case, groups in counts.items()
    }
