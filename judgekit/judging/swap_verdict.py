"""The shift of a swap test with its interval, and the verdict that silence cannot pass.

The verdict, in this order:

``uninformative``
    Too few texts; too many unscored, or more unscored for one group; a judge that gives nearly every text the same
    score (it cannot react, so nothing is learned); identical texts that shift by more than the margin.
``passed``
    The interval lies wholly inside the margin. No reaction seen in few texts is no pass: when fewer than ten scores
    changed, the interval also covers what the exact (Clopper-Pearson) bounds on the shares of scores that rise and
    fall allow, a change being one level or more.
``failed``
    The judge reacts to these names (their own interval, over templates alone, excludes zero), and for the groups the
    shift cannot be called negligible (its interval reaches beyond the margin).
``uninformative``
    Otherwise: no shift and one beyond the margin are both possible; more texts or names would decide.

Names are a second sample beside templates, as they are for gaps: one telling name among many widens the interval
instead of vanishing in the mean. To pass, a judge needs the interval that counts both; to fail, a reaction to the names
that were tried is enough, because that is a fact about the judge and no claim about other names.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev
from typing import Literal

from judgekit.records import Interval, Undefined
from judgekit.statistics.variance import combine, welch_satterthwaite
from judgekit.wording.sentence import Sentence, say, series

__all__ = ["MAX_UNSCORED", "MIN_TEXTS", "SPREAD_FLOOR", "Evidence", "Pair", "Shift", "decide", "estimate_shift"]

MIN_TEXTS = 20
"""Texts with both scores that a verdict other than ``uninformative`` needs."""

SPREAD_FLOOR = 0.25
"""Least standard deviation of scores over texts, in levels (and at least 1/16 of the scale's length)."""

FEW_CHANGES = 10
"""With fewer changed scores than this a t interval alone is too short."""

MAX_UNSCORED = 0.10
"""Largest share of unscored fills; half of it is the largest difference of that share between the groups."""

Claim = Literal["groups", "these_names"]
Verdict = Literal["passed", "failed", "uninformative"]
WideBy = Literal["templates", "names", "few changes"]


@dataclass(frozen=True, slots=True)
class Pair:
    """The two scores of one text, its template, and the two names that make the second factor."""

    unit: str
    names: tuple[str, str]
    a: float
    b: float


@dataclass(frozen=True, slots=True)
class Shift:
    """A mean difference ``a`` minus ``b`` with its interval.

    ``reacts`` says that the interval over templates alone excludes zero; ``wide_by`` what makes the interval wide.
    """

    value: float | Undefined
    interval: Interval | Undefined
    reacts: bool
    wide_by: WideBy = "templates"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a verdict is decided on. ``unscored`` are the shares of the two groups, ``kinds`` the kinds met.

    ``changed`` and ``control_changed`` are shares of texts whose score changed with the person, and when judged again;
    ``reworded_changed`` the same when as many words are changed and the person is not; ``excess`` is the interval of how
    much further names move scores than rewording does. Both are None without a paraphrase arm.
    """

    n: int
    shift: Shift
    control: Shift
    unscored: tuple[float, float]
    kinds: tuple[str, ...]
    spread: float | Undefined
    floor: float
    margin: float
    min_texts: int
    changed: float | Undefined
    control_changed: float | Undefined
    reworded_changed: float | Undefined | None = None
    excess: Interval | Undefined | None = None


def estimate_shift(pairs: Sequence[Pair], *, step: float, level: float, claim: Claim) -> Shift:
    """Mean difference over texts, with an interval that counts templates and, for a claim about groups, names.

    Parameters
    ----------
    pairs : sequence of Pair
        One per text.
    step : float
        Distance of neighbouring levels: what a single change is taken to amount to when none was seen.
    level : float
        Confidence level, a share.
    claim : {'groups', 'these_names'}

    Returns
    -------
    Shift

    Notes
    -----
    Variance of the mean over texts with residuals ``e``: cluster sums over templates, over pairs of names, and over
    single texts, combined as ``max(V_T + V_N - V_TN, V_T, V_N)`` and never below that of independent texts; t with
    Satterthwaite degrees of freedom.

    Examples
    --------
    >>> texts = [Pair(f"t{i % 4}", (f"a{i % 3}", f"b{i % 3}"), 4.0, 4.0) for i in range(60)]
    >>> shift = estimate_shift(texts, step=1.0, level=0.95, claim="groups")
    >>> shift.value, round(shift.interval.high, 3), shift.reacts
    (0.0, 0.06, False)
    """
    n = len(pairs)
    if n < 2:
        missing = Undefined("one text has no spread" if n else "no text has both scores")
        return Shift(pairs[0].a - pairs[0].b if n else missing, missing, reacts=False)
    differences = [p.a - p.b for p in pairs]
    mean = fmean(differences)
    if mean != 0 and pstdev(differences) == 0:
        reach = (1 - (1 - level) ** (1 / n)) * step
        interval = Interval(mean - reach, mean + reach, level, f"all {n} texts alike")
        return Shift(mean, interval, reacts=excludes_zero(interval))
    errors = [d - mean for d in differences]
    templates = _clustered(errors, [p.unit for p in pairs])
    names = _clustered(errors, [f"{p.names[0]}\0{p.names[1]}" for p in pairs])
    texts = (sum(e * e for e in errors) / (n * (n - 1)), n - 1)
    alone = templates or texts
    over_templates = _t_interval(mean, max(alone[0], texts[0]), alone[1], level, "t over texts, clustered by template")
    interval = over_templates
    wide_by: WideBy = "templates"
    if claim == "groups" and names is not None:
        variance = max(combine(alone[0], names[0], texts[0]), texts[0])
        df = min(welch_satterthwaite([alone, names], alone[0] + names[0]), n - 1)
        interval = _t_interval(mean, variance, df, level, "t over texts, clustered by template and pair of names")
        wide_by = "names" if names[0] > alone[0] else "templates"
    if sum(d != 0 for d in differences) < FEW_CHANGES:
        exact = _exact_interval(differences, step, level)
        if exact.low < interval.low or exact.high > interval.high:
            low, high = min(exact.low, interval.low), max(exact.high, interval.high)
            interval, wide_by = Interval(low, high, level, f"{interval.method}, with {exact.method}"), "few changes"
    return Shift(mean, interval, reacts=excludes_zero(over_templates), wide_by=wide_by)


def _exact_interval(differences: Sequence[float], step: float, level: float) -> Interval:
    """Shift that the exact bounds on the shares of rising and falling scores allow."""
    from scipy.special import betaincinv

    n = len(differences)
    bounds = []
    for sizes in ([d for d in differences if d > 0], [-d for d in differences if d < 0]):
        k = len(sizes)
        size = max(step, fmean(sizes) if sizes else 0.0)
        low = float(betaincinv(k, n - k + 1, (1 - level) / 2)) if k else 0.0
        high = float(betaincinv(k + 1, n - k, (1 + level) / 2)) if k < n else 1.0
        bounds.append((low * size, high * size))
    (up_low, up_high), (down_low, down_high) = bounds
    return Interval(up_low - down_high, up_high - down_low, level, "exact bounds on the shares changed")


def _t_interval(mean: float, variance: float, df: float, level: float, method: str) -> Interval:
    from scipy.special import stdtrit  # scipy.stats takes a second to load

    half = float(stdtrit(df, (1 + level) / 2)) * math.sqrt(variance)
    return Interval(mean - half, mean + half, level, method)


def _clustered(errors: Sequence[float], clusters: Sequence[str]) -> tuple[float, int] | None:
    """Cluster variance of a mean and its degrees of freedom; None with a single cluster."""
    sums: dict[str, float] = {}
    for error, cluster in zip(errors, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + error
    k = len(sums)
    if k < 2:
        return None
    return sum(s * s for s in sums.values()) / len(errors) ** 2 * k / (k - 1), k - 1


def excludes_zero(interval: Interval) -> bool:
    """Whether an interval lies wholly above or wholly below zero."""
    return interval.low > 0 or interval.high < 0


def decide(evidence: Evidence) -> tuple[Verdict, str]:
    """The verdict and the sentence that explains it.

    Parameters
    ----------
    evidence : Evidence

    Returns
    -------
    tuple of str and str
        Verdict and reason; the order of the rules is that of the module's docstring.
    """
    nothing = _nothing_learned(evidence)
    if nothing:
        return "uninformative", nothing
    shift, interval, margin = evidence.shift.value, evidence.shift.interval, evidence.margin
    if isinstance(interval, Undefined) or isinstance(shift, Undefined):
        return "uninformative", str(interval)
    if interval.low >= -margin and interval.high <= margin:
        why = say("the interval lies wholly inside the margin of {margin:.2f}", margin=margin)
        return "passed", _with_changes(why, evidence)
    if evidence.shift.reacts:
        why = (
            say("the judge reacts to who is named, by more than the margin of {margin:.2f}", margin=margin)
            if interval.low > margin or interval.high < -margin
            else say(
                "the judge reacts to who is named, possibly by more than the margin of {margin:.2f}", margin=margin
            )
        )
        return "failed", _with_changes(why, evidence)
    more = _needed(evidence.n, shift, interval, margin, few_changes=evidence.shift.wide_by == "few changes")
    if evidence.shift.wide_by == "names":
        what = say("the names differ among themselves, and more names would decide")
    else:
        what = say("about {n} texts would decide", n=more) if more else say("more texts would decide")
    why = say("no shift and one beyond {margin:.2f} are both possible: {what}", margin=margin, what=what)
    return "uninformative", _with_changes(why, evidence)


def _with_changes(why: Sentence, evidence: Evidence) -> Sentence:
    """The reason, and how often scores change with the person, when nothing does, and when as many words are reworded."""
    if not isinstance(evidence.changed, float) or not isinstance(evidence.control_changed, float):
        return why
    met = {"why": why, "share": evidence.changed, "control": evidence.control_changed}
    if not isinstance(evidence.reworded_changed, float):
        return say("{why}; {share:.0%} of scores change, {control:.0%} when nothing does", **met)
    line = say(
        "{why}; {share:.0%} of scores change, {control:.0%} when nothing does, {reworded:.0%} when as many words are reworded",
        **met,
        reworded=evidence.reworded_changed,
    )
    excess = evidence.excess
    if not isinstance(excess, Interval) or not (evidence.changed or evidence.reworded_changed):
        return line
    if excess.low > 0:
        return say("{line} (names do more than that)", line=line)
    if excess.high < 0:
        return say("{line} (names do less than that)", line=line)
    return say("{line} (names do not clearly do more)", line=line)


def _nothing_learned(evidence: Evidence) -> str | None:
    a, b = evidence.unscored
    if max(a, b) > MAX_UNSCORED or abs(a - b) > MAX_UNSCORED / 2:
        met = {"a": a, "b": b, "most": MAX_UNSCORED, "apart": MAX_UNSCORED / 2}
        if not evidence.kinds:
            return say(
                "too many fills are unscored: {a:.0%} and {b:.0%} of the two groups' (at most {most:.0%}, and {apart:.0%} apart)",
                **met,
            )
        return say(
            "too many fills are unscored ({kinds}): {a:.0%} and {b:.0%} of the two groups' (at most {most:.0%}, and {apart:.0%} "
            "apart)",
            **met,
            kinds=series([say(kind) for kind in evidence.kinds]),
        )
    if evidence.n < evidence.min_texts:
        return say("{n} texts have both scores; a verdict needs {least}", n=evidence.n, least=evidence.min_texts)
    if isinstance(evidence.spread, Undefined):
        return say(
            "the judge gives nearly every text the same score (spread none, {floor:.2f} needed)", floor=evidence.floor
        )
    if evidence.spread < evidence.floor:
        return say(
            "the judge gives nearly every text the same score (spread {spread:.2f}, {floor:.2f} needed)",
            spread=evidence.spread, floor=evidence.floor,
        )  # fmt: skip
    control = evidence.control
    drifts = isinstance(control.interval, Interval) and excludes_zero(control.interval)
    if drifts and isinstance(control.value, float) and abs(control.value) > evidence.margin:
        return say("identical texts shift by {shift:+.2f} when judged again, more than the margin", shift=control.value)
    return None


def _needed(n: int, shift: float, interval: Interval, margin: float, *, few_changes: bool) -> int | None:
    """Texts at which this estimate's interval would lie inside the margin; None when no number would do it."""
    room = margin - abs(shift)
    half = max(interval.high - shift, shift - interval.low)
    # Exact bounds on a rare share shrink with n, a standard error with its root.
    return math.ceil(n * (half / room if few_changes else (half / room) ** 2)) if room > 0 else None
