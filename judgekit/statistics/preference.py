"""Pairwise judgments: which group's replies are preferred, and does the order of showing decide?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import GapEstimate, Interval, Undefined
from judgekit.statistics.distributions import t_quantile, t_two_sided
from judgekit.statistics.results import FloatArray, IntArray, Result, check_level, group_sum
from judgekit.statistics.sign_flip import sign_flip_interval, sign_flip_test
from judgekit.statistics.two_way import FEW_NAMES, Claim
from judgekit.statistics.variance import combine, welch_satterthwaite

__all__ = ["GroupPreference", "JudgedPair", "PositionBias", "group_preference", "position_bias"]

Choice = Literal["a", "b", "tie", "inconsistent"]

_VALUE = {"a": 1.0, "b": -1.0, "tie": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPair:
    """Outcome of one pair after both orders: ``a`` when the reply of group ``a`` won. None: no verdict."""

    unit_id: str | None
    choice: Choice | None
    name_a: str | None = None
    name_b: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPreference(
    Result,
    method="wins of a minus wins of b over templates",
    unit="in [-1, 1]",
    source="Cameron, Gelbach and Miller (2011), JBES 29",
):
    """Group preference in [-1, 1]: wins of ``a`` minus wins of ``b`` over consistent pairs, ties half to each.

    ``without_ties`` is the same over pairs that had a winner. Counts are of pairs.
    """

    estimate: GapEstimate
    without_ties: float | Undefined
    wins_a: int
    wins_b: int
    ties: int
    inconsistent: int
    missing: int
    inconsistent_share: float | Undefined


class _Counts(TypedDict):
    names_a: int
    names_b: int
    n_a: int
    n_b: int


def _codes(values: Sequence[object]) -> IntArray:
    seen: dict[object, int] = {}
    return np.array([seen.setdefault(v, len(seen)) for v in values], dtype=np.int64)


def _part(influence: FloatArray, cluster: IntArray) -> tuple[float, float]:
    k = int(cluster.max()) + 1
    sums = group_sum(cluster, influence, k)
    return float(sums @ sums) * k / max(1, k - 1), k - 1.0


def _name_variance(
    influence: FloatArray, template: IntArray, a: IntArray, b: IntArray
) -> tuple[list[tuple[float, float]], float]:
    """Variance by names, and what it shares with the variance by templates."""
    pairs = _codes(list(zip(a.tolist(), b.tolist(), strict=True)))
    by_name = [a, b]
    if int(pairs.max()) == int(a.max()) == int(b.max()):
        # Names are paired by position: one factor, not two.
        by_name = [pairs]
    parts = [_part(influence, names) for names in by_name]
    shared = sum(_part(influence, _codes(list(zip(template.tolist(), n.tolist(), strict=True))))[0] for n in by_name)
    return parts, shared


def group_preference(
    pairs: Sequence[JudgedPair], *, claim: Claim = "groups", level: float = 0.95, seed: int = 0
) -> GroupPreference:
    """Preference for the replies to one group, over templates.

    Parameters
    ----------
    pairs : sequence of JudgedPair
        One per pair of replies of a template. Inconsistent pairs (the verdict follows the order) are left out and
        counted; so are pairs without a template or verdict.
    claim : {'groups', 'these_names'}
        ``groups``: names are a second sample, if there are any.
    level : float
        Confidence level, a share.
    seed : int
        Seed of Monte-Carlo parts.

    Returns
    -------
    GroupPreference
        Mean over templates of their mean preference. No consistent pair: undefined.

    Raises
    ------
    BadInput
        When a choice is unknown or the level not a share.

    Examples
    --------
    >>> pairs = [JudgedPair(unit_id=f"t{i}", choice=c) for i, c in enumerate(["a", "a", "b", "a", "tie", "a", "a", "a"])]
    >>> found = group_preference(pairs)
    >>> found.estimate.value, found.ties
    (0.625, 1)
    """
    check_level(level)
    for pair in pairs:
        if pair.choice is not None and pair.choice not in (*_VALUE, "inconsistent"):
            raise BadInput("no such outcome of a pair", field=pair.unit_id, seen=pair.choice)
    tally = {c: sum(p.choice == c for p in pairs) for c in (*_VALUE, "inconsistent")}
    used = [p for p in pairs if p.choice in _VALUE and p.unit_id is not None]
    judged = sum(tally.values())
    decided = tally["a"] + tally["b"]
    return GroupPreference(
        estimate=_estimate(used, claim, level, seed),
        without_ties=(tally["a"] - tally["b"]) / decided if decided else Undefined("no pair has a winner"),
        wins_a=tally["a"],
        wins_b=tally["b"],
        ties=tally["tie"],
        inconsistent=tally["inconsistent"],
        missing=len(pairs) - judged,
        inconsistent_share=tally["inconsistent"] / judged if judged else Undefined("no verdicts"),
    )


def _estimate(used: list[JudgedPair], claim: Claim, level: float, seed: int) -> GapEstimate:
    named = bool(used) and all(p.name_a is not None and p.name_b is not None for p in used)
    names = [len({getattr(p, side) for p in used if getattr(p, side) is not None}) for side in ("name_a", "name_b")]
    base = _Counts(names_a=names[0], names_b=names[1], n_a=len(used), n_b=len(used))
    if not used:
        none = Undefined("no consistent pair with a template")
        return GapEstimate(
            value=none, interval=none, p=none, min_p=None, method="preference", df=None, templates=0, **base
        )
    template = _codes([p.unit_id for p in used])
    value = np.array([_VALUE[p.choice or "tie"] for p in used])
    size = np.bincount(template).astype(np.float64)
    means = group_sum(template, value, len(size)) / size
    mean = float(means.mean())
    notes: tuple[str, ...] = ()
    if claim == "groups" and not named:
        notes = ("no names: the claim is about these replies, not the groups",)
    if claim == "these_names" or not named or len(size) < 2:
        test = sign_flip_test(means, seed=seed)
        return GapEstimate(
            value=mean, interval=sign_flip_interval(means, level=level, seed=seed), p=test.p, min_p=test.min_p,
            method=f"sign-flip, {test.method}", df=None, templates=len(size), notes=notes, **base,
        )  # fmt: skip
    if min(names) < 2:
        lone = Undefined("one name in a group")
        return GapEstimate(
            value=mean, interval=lone, p=lone, min_p=None, method="two-way t", df=None, templates=len(size), **base
        )
    if min(names) < FEW_NAMES:
        notes = (f"fewer than {FEW_NAMES} names in a group; a claim about the group rests on little",)
    influence = (value - mean) / size[template] / len(size)
    by_template = _part(influence, template)
    parts, shared = _name_variance(
        influence, template, _codes([p.name_a for p in used]), _codes([p.name_b for p in used])
    )
    by_name = sum(part for part, _ in parts)
    variance = combine(by_template[0], by_name, shared)
    if variance <= 0:
        flat = Undefined("no spread", "every pair has the same outcome")
        return GapEstimate(
            value=mean, interval=flat, p=1.0 if mean == 0 else flat, min_p=None, method="two-way t", df=None,
            templates=len(size), notes=notes, **base,
        )  # fmt: skip
    kept = [by_template] if variance == by_template[0] else parts if variance == by_name else [by_template, *parts]
    df = welch_satterthwaite(kept, variance)
    se = math.sqrt(variance)
    half = t_quantile((1 + level) / 2, df) * se
    return GapEstimate(
        value=mean, interval=Interval(mean - half, mean + half, level, "two-way t"),
        p=t_two_sided(mean / se, df), min_p=None, method="two-way t", df=df, templates=len(size),
        notes=notes, **base,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionBias(
    Result,
    method="share of wins of the first shown minus one half, clustered by pair",
    unit="in [-0.5, 0.5]",
    source="Wang and others (2023), Large Language Models are not Fair Evaluators",
):
    """How far the reply shown first is favoured: its share of wins minus one half, in [-0.5, 0.5]."""

    value: float | Undefined
    interval: Interval | Undefined
    p: float | Undefined
    calls: int
    ties: int
    pairs: int


def position_bias(pair_ids: Sequence[str], first_won: Sequence[bool | None], *, level: float = 0.95) -> PositionBias:
    """Position bias of single calls, with an interval over pairs.

    Parameters
    ----------
    pair_ids : sequence of str
        Pair of each call; the two orders of a pair are not independent.
    first_won : sequence of bool or None
        Whether the reply shown first won; None for a tie.
    level : float
        Confidence level, a share.

    Returns
    -------
    PositionBias
        Undefined without a decided call; the interval also with fewer than two pairs. Where all pairs are alike there is
        no spread and no p, and the interval is the exact binomial bound: what a judge of another bias could still do in
        so many pairs.

    Raises
    ------
    BadInput
        When the lists differ in length.

    Examples
    --------
    >>> position_bias(["1", "1", "2", "2"], [True, True, True, False]).value
    0.25
    """
    check_level(level)
    if len(pair_ids) != len(first_won):
        raise BadInput("calls differ in number", seen=f"{len(pair_ids)} and {len(first_won)}")
    kept = [(pair, bool(won)) for pair, won in zip(pair_ids, first_won, strict=True) if won is not None]
    ties = len(pair_ids) - len(kept)
    if not kept:
        none = Undefined("no decided call")
        return PositionBias(value=none, interval=none, p=none, calls=0, ties=ties, pairs=0)
    cluster = _codes([pair for pair, _ in kept])
    won = np.array([w for _, w in kept], dtype=np.float64)
    value = float(won.mean()) - 0.5
    pairs = int(cluster.max()) + 1
    variance, df = _part((won - won.mean()) / len(won), cluster)
    if pairs < 2 or variance <= 0:
        why = Undefined("one pair" if pairs < 2 else "no spread", "" if pairs < 2 else "all pairs are alike")
        reach = 1 - (1 - level) ** (1 / pairs)
        bound = Interval(max(-0.5, value - reach), min(0.5, value + reach), level, "binomial bound over pairs")
        interval = why if pairs < 2 else bound
        return PositionBias(value=value, interval=interval, p=why, calls=len(won), ties=ties, pairs=pairs)
    se = math.sqrt(variance)
    half = t_quantile((1 + level) / 2, df) * se
    return PositionBias(
        value=value,
        interval=Interval(max(-0.5, value - half), min(0.5, value + half), level, "t over pairs"),
        p=t_two_sided(value / se, df),
        calls=len(won),
        ties=ties,
        pairs=pairs,
    )
