"""The gate: an interval against a margin that was decided beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from judgekit.records import Gap, GapEstimate, Refused, Undefined

__all__ = ["GateVerdict", "against_margin", "gate", "gate_exit_code", "worst_exit_code"]

GateVerdict = Literal["pass", "warn", "fail", "cannot tell", "no margin"]


def against_margin(estimate: GapEstimate | None, margin: float | None) -> GateVerdict:
    """Hold an interval against plus or minus a margin.

    Parameters
    ----------
    estimate : GapEstimate or None
        The gap with its interval.
    margin : float or None
        Positive, in the metric's unit; None when none was decided.

    Returns
    -------
    {'pass', 'warn', 'fail', 'cannot tell', 'no margin'}
        ``pass``: the interval lies inside [-margin, margin] (a bound equal to the margin is inside); ``fail``: it
        lies wholly outside; ``warn``: it straddles; ``cannot tell``: there is no interval. An undefined interval
        never passes.

    References
    ----------
    Schuirmann (1987), J. Pharmacokinet. Biopharm. 15, for the two one-sided tests behind it.
    """
    if margin is None:
        return "no margin"
    if estimate is None or isinstance(estimate.interval, Undefined):
        return "cannot tell"
    low, high = estimate.interval.low, estimate.interval.high
    if low >= -margin and high <= margin:
        return "pass"
    if low > margin or high < -margin:
        return "fail"
    if low == float("-inf") and high == float("inf"):
        return "cannot tell"
    return "warn"


_ORDER: tuple[str, ...] = ("refused", "fail", "cannot tell", "warn", "pass", "no margin")


def gate(gaps: Iterable[Gap], refused: Iterable[Refused]) -> str:
    """The worst verdict of a run.

    Parameters
    ----------
    gaps : iterable of Gap
        Those without a margin do not count.
    refused : iterable of Refused
        Judged metrics that are withheld.

    Returns
    -------
    {'refused', 'fail', 'cannot tell', 'warn', 'pass', 'no margin'}
        ``refused`` stands first: a gate without its judged metrics has not seen everything it was set up for.
    """
    met = _met(gaps, refused)
    return next((v for v in _ORDER if v in met), "no margin")


def _met(gaps: Iterable[Gap], refused: Iterable[Refused]) -> set[str]:
    return {g.verdict for g in gaps} | ({"refused"} if any(True for _ in refused) else set())


def worst_exit_code(gaps: Iterable[Gap], refused: Iterable[Refused], codes: Mapping[str, int]) -> int:
    """Exit code of a run's verdicts; a verdict that is mapped to 0 hides no worse one behind it.

    Parameters
    ----------
    gaps : iterable of Gap
    refused : iterable of Refused
    codes : mapping of str to int
        The study's ``gate.exit_codes``.

    Returns
    -------
    int
        That of the first verdict in the order of `gate` whose code is not 0.
    """
    met = _met(gaps, refused)
    return next((code for v in _ORDER if v in met and (code := gate_exit_code(v, codes))), 0)


def gate_exit_code(verdict: str, codes: Mapping[str, int]) -> int:
    """Exit code of a gate's verdict: 0 pass, 1 fail, 4 warn or cannot tell, 5 refused; 4 and 5 can be mapped."""
    if verdict == "fail":
        return 1
    if verdict == "refused":
        return codes.get("refused", 5)
    if verdict in {"warn", "cannot tell"}:
        return codes.get("warn", 4)
    return 0
