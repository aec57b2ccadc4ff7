"""Decisions from first-token probabilities: P(yes), options, and logit gaps that never clip in silence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics.results import Result

__all__ = ["LogitGap", "OptionShares", "YesNo", "logit_gap", "option_shares", "p_yes"]

ROUNDING = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class YesNo(
    Result,
    method="mass of listed first tokens",
    unit="probabilities; log-odds",
    source="-",
):
    """Probability of yes among yes and no.

    ``mass_yes`` and ``mass_no`` are what the listed tokens hold, ``mass_not_listed`` what the unlisted ones hold at
    most. ``logit`` is infinite when only one of the two is listed; ``logit_bound`` is then the nearest finite logit
    that the unlisted mass allows (a lower bound for +inf, an upper one for -inf), else equal to ``logit``.
    """

    p_yes: float | Undefined
    logit: float | Undefined
    logit_bound: float | Undefined
    mass_yes: float
    mass_no: float
    mass_not_listed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionShares(
    Result,
    method="mass of listed first tokens",
    unit="probabilities",
    source="-",
):
    """Probability of each of k options among all of them; undefined when none is listed."""

    shares: Mapping[str, float] | Undefined
    masses: Mapping[str, float]
    mass_not_listed: float


def option_shares(logprobs: Mapping[str, float], options: Sequence[str]) -> OptionShares:
    """Probability of each option from the listed first tokens.

    Parameters
    ----------
    logprobs : mapping of str to float
        Token to natural-log probability, as an endpoint lists them (usually the top few).
    options : sequence of str
        Answers; a token counts when its stripped, lower-case text is exactly one of them in lower case.

    Returns
    -------
    OptionShares
        ``Yes,`` or ``Yesterday`` are no ``yes``.

    Raises
    ------
    BadInput
        When a log probability is above 0 or not a number, or options are not distinct.

    Examples
    --------
    >>> found = option_shares({" A": math.log(0.5), "b": math.log(0.25), "c": math.log(0.125)}, ["a", "b"])
    >>> {option: round(share, 4) for option, share in found.shares.items()}, found.mass_not_listed
    ({'a': 0.6667, 'b': 0.3333}, 0.125)
    """
    wanted = [option.strip().lower() for option in options]
    if len(set(wanted)) != len(wanted) or not wanted:
        raise BadInput("options must be distinct", field="options", seen=list(options))
    masses = dict.fromkeys(wanted, 0.0)
    listed = 0.0
    for token, value in logprobs.items():
        if not value <= ROUNDING:  # also true for nan
            raise BadInput("a log probability is at most 0", field=token, seen=value)
        mass = math.exp(value)
        listed += mass
        text = token.strip().lower()
        if text in masses:
            masses[text] += mass
    total = math.fsum(masses.values())
    shares = {option: mass / total for option, mass in masses.items()} if total > 0 else None
    return OptionShares(
        shares=Undefined("no option is listed") if shares is None else shares,
        masses=masses,
        mass_not_listed=max(0.0, 1.0 - listed),
    )


def p_yes(logprobs: Mapping[str, float], *, yes: str = "yes", no: str = "no") -> YesNo:
    """P(yes) = mass(yes) / (mass(yes) + mass(no)) over listed first tokens.

    Parameters
    ----------
    logprobs : mapping of str to float
        Token to natural-log probability.
    yes, no : str
        The two answers, such as ``sí`` and ``no``.

    Returns
    -------
    YesNo
        Neither listed: undefined.

    Raises
    ------
    BadInput
        As in `option_shares`.

    Examples
    --------
    >>> found = p_yes({"Yes": -0.01, "The": -5.0})
    >>> found.p_yes, found.logit, round(found.logit_bound, 2)
    (1.0, inf, 5.73)
    """
    found = option_shares(logprobs, [yes, no])
    a, b = found.masses[yes.strip().lower()], found.masses[no.strip().lower()]
    rest = found.mass_not_listed
    logit: float | Undefined
    bound: float | Undefined
    if a == 0 and b == 0:
        logit = bound = Undefined("neither answer is listed")
    elif b == 0:
        logit = math.inf
        bound = math.log(a / rest) if rest > 0 else Undefined("no bound", "the listed tokens hold all the mass")
    elif a == 0:
        logit = -math.inf
        bound = math.log(rest / b) if rest > 0 else Undefined("no bound", "the listed tokens hold all the mass")
    else:
        logit = bound = math.log(a) - math.log(b)
    return YesNo(
        p_yes=a / (a + b) if a + b > 0 else Undefined("neither answer is listed"),
        logit=logit,
        logit_bound=bound,
        mass_yes=a,
        mass_no=b,
        mass_not_listed=rest,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LogitGap(
    Result,
    method="difference of mean logits",
    unit="log-odds",
    source="-",
):
    """Mean logit of ``a`` cells minus mean logit of ``b`` cells of one template.

    ``bounded`` counts cells that entered with a bound instead of an infinite logit: the gap is then itself a bound.
    """

    value: float | Undefined
    n_a: int
    n_b: int
    infinite: int
    undefined: int
    bounded: int


def logit_gap(a: Iterable[YesNo], b: Iterable[YesNo], *, use_bounds: bool = False) -> LogitGap:
    """Logit gap of one template.

    Parameters
    ----------
    a, b : iterable of YesNo
        Cells of the two groups. Cells where neither answer was listed are left out and counted.
    use_bounds : bool
        Whether an infinite logit enters with the bound that the unlisted mass allows.

    Returns
    -------
    LogitGap
        Undefined when a side is empty or an infinite cell has no bound.

    Examples
    --------
    >>> cell = p_yes({"Yes": -0.01, "The": -5.0})
    >>> logit_gap([cell], [cell]).value.reason
    'infinite logit'
    """
    means: list[float] = []
    sizes: list[int] = []
    infinite = undefined = bounded = 0
    blocked = False
    for side in (a, b):
        values: list[float] = []
        for cell in side:
            if isinstance(cell.logit, Undefined):
                undefined += 1
                continue
            if math.isfinite(cell.logit):
                values.append(cell.logit)
                continue
            infinite += 1
            if use_bounds and not isinstance(cell.logit_bound, Undefined):
                bounded += 1
                values.append(cell.logit_bound)
            else:
                blocked = True
        sizes.append(len(values))
        means.append(math.fsum(values) / len(values) if values else math.nan)
    value: float | Undefined
    if blocked:
        value = Undefined("infinite logit", f"{infinite} cells list one answer only")
    elif not all(sizes):
        value = Undefined("no cell of a group")
    else:
        value = means[0] - means[1]
    return LogitGap(value=value, n_a=sizes[0], n_b=sizes[1], infinite=infinite, undefined=undefined, bounded=bounded)
