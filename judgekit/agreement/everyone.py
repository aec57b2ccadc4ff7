"""All raters of one dimension at once: how generous each is, who drifts, and whether the judge is as good as a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judgekit.agreement.leave_one_out import LeaveOneOut, leave_one_rater_out
from judgekit.agreement.levels import Level, Score, Weights
from judgekit.agreement.multirater import Coefficient, krippendorff_alpha
from judgekit.agreement.raters import Drift, RaterBias, rater_bias, rater_drift
from judgekit.errors import BadInput
from judgekit.records import Rating, Undefined
from judgekit.statistics.results import Result

__all__ = ["Everyone", "everyone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Everyone(
    Result,
    method="bias, drift, alpha and leave-one-rater-out",
    unit="points; kappa",
    source="Krippendorff (2011), Computing alpha-reliability; Fleiss, Cohen and Everitt (1969), Psychol. Bull. 72",
):
    """The raters of one dimension.

    ``alpha`` is Krippendorff's alpha of the people, ordinal for ordered levels and nominal for classes. ``bias`` holds each
    person against the mean of the other people, and the judge against the mean of all people; ``drift`` how that distance
    changes per 100 labels, None without a column of places; ``left_out`` compares the judge's agreement with each person with
    the other people's.
    """

    dimension: str
    alpha: Coefficient
    bias: tuple[RaterBias, ...] | Undefined
    drift: tuple[Drift, ...] | Undefined | None
    left_out: LeaveOneOut | Undefined


def everyone(
    ratings: Sequence[Rating],
    *,
    judge: str,
    humans: Sequence[str],
    levels: Sequence[Level],
    nominal: bool = False,
    weights: Weights | None = None,
    order: str | None = None,
    clusters: str | None = None,
    level: float = 0.95,
) -> Everyone:
    """Bias, drift, alpha and leave-one-rater-out of one dimension.

    Parameters
    ----------
    ratings : sequence of Rating
        Rows of one dimension; rows of annotators that are not named are ignored.
    judge : str
        The judge's name.
    humans : sequence of str
        The people's names.
    levels : sequence
        The declared levels in order.
    nominal : bool
        The levels are classes: bias and drift, which need an order, are undefined then.
    weights : {'none', 'linear', 'quadratic'}, optional
        Quadratic for ordered levels, none for classes, unless stated.
    order : str, optional
        A carried column with the place of an item in the rater's own sequence, a whole number from 1.
    clusters : str, optional
        A carried column, such as ``template_id``, whose values are the units of the error.
    level : float
        Level of the intervals.

    Returns
    -------
    Everyone
        ``left_out`` is undefined with one person.

    Raises
    ------
    BadInput
        Scores off the declared levels, or a place that is no whole number.

    Examples
    --------
    >>> rows = [Rating(item=str(i), dimension="warmth", annotator=who, score=score)
    ...         for who, scores in {"gpt": [2, 2, 3, 4], "ana": [1, 2, 2, 3], "bo": [1, 2, 3, 3]}.items()
    ...         for i, score in enumerate(scores)]
    >>> found = everyone(rows, judge="gpt", humans=["ana", "bo"], levels=[1, 2, 3, 4, 5])
    >>> [(b.rater, b.bias.value) for b in found.bias]
    [('gpt', 0.625), ('ana', -0.25), ('bo', 0.25)]
    """
    rows = [r for r in ratings if r.annotator in {judge, *humans}]
    items = list(dict.fromkeys(r.item for r in rows))
    at = {(r.item, r.annotator): r for r in rows}
    scores = {who: [_score(at.get((item, who))) for item in items] for who in (judge, *humans)}
    people = {who: scores[who] for who in humans}
    how: Weights = weights or ("none" if nominal else "quadratic")
    alpha = krippendorff_alpha(list(zip(*people.values(), strict=True)), levels, "nominal" if nominal else "ordinal")
    units = None if clusters is None else [_carried(rows, item, clusters) for item in items]
    left_out: LeaveOneOut | Undefined = Undefined("one person", "people cannot be compared among themselves")
    if len(people) > 1:
        left_out = leave_one_rater_out(people, levels, how, judge=scores[judge], clusters=units, level=level)
    unordered = Undefined("classes without order")
    bias: tuple[RaterBias, ...] | Undefined = unordered
    drift: tuple[Drift, ...] | Undefined | None = None if order is None else unordered
    if not nominal:
        bias = _bias(scores, people, levels, level)
        drift = _drift(people, items, at, order, levels, level)
    return Everyone(dimension=rows[0].dimension if rows else "", alpha=alpha, bias=bias, drift=drift, left_out=left_out)


def _bias(
    scores: Mapping[str, Sequence[Score]], people: Mapping[str, Sequence[Score]], levels: Sequence[Level], level: float
) -> tuple[RaterBias, ...]:
    """The judge against all people, then each person against the other people: the judge's level must not colour theirs."""
    bias = rater_bias(scores, levels, level=level)[:1]
    return bias + rater_bias(people, levels, level=level) if len(people) > 1 else bias


def _drift(
    people: Mapping[str, Sequence[Score]],
    items: Sequence[str],
    at: Mapping[tuple[str, str], Rating],
    order: str | None,
    levels: Sequence[Level],
    level: float,
) -> tuple[Drift, ...] | None:
    """Drift of the people by the places of their labels; None without places, or with one person."""
    if order is None or len(people) < 2:
        return None
    places = {who: [_place(at.get((item, who)), order) for item in items] for who in people}
    return rater_drift(people, places, levels, level=level)


def _score(rating: Rating | None) -> Score:
    return None if rating is None else rating.score


def _carried(rows: Sequence[Rating], item: str, column: str) -> str:
    return next(str(r.carried.get(column, "")) for r in rows if r.item == item)


def _place(rating: Rating | None, column: str) -> int | None:
    if rating is None:
        return None
    text = str(rating.carried.get(column, "")).strip()
    try:
        return int(float(text)) if text else None
    except ValueError:
        raise BadInput(
            "the place of a label is a whole number", line=rating.line, field=column, seen=text, remedy="count from 1"
        ) from None
