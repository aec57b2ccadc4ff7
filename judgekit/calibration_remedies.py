"""What would change a refusal: how many more labels decide, and what to do where no number of them does."""

from __future__ import annotations

import math

from judgekit.agreement.budget import LIMIT, more_labels
from judgekit.agreement.reference import ReferenceKappa
from judgekit.records import Reason, Undefined
from judgekit.statistics.distributions import normal_quantile
from judgekit.wording.sentence import say

__all__ = ["below_threshold", "ceiling_threshold", "without_kappa"]

_MANY_TEMPLATES = 30  # from here on a few more templates change the bound little


def below_threshold(found: ReferenceKappa, value: float, lower: float, threshold: float) -> Reason:
    """Why a bound under the threshold refuses, and what would lift it.

    Parameters
    ----------
    found : ReferenceKappa
        Agreement of the judge with people.
    value, lower : float
        Its estimate and one-sided lower bound; ``lower < threshold``.
    threshold : float
        What the bound had to reach.

    Returns
    -------
    Reason
        ``too_low`` where the estimate itself is below the threshold, else ``too_few`` with the number of labels that
        would decide if the estimate stays.
    """
    if value < threshold:
        remedy = say(
            "kappa is {kappa:.2f}: more labels will not mend it; use a better judge or a clearer rubric", kappa=value
        )
        return Reason(code="too_low", value=lower, threshold=threshold, remedy=remedy)
    more = _more_when_perfect(found, lower, threshold) if value == 1 else _more(found, value, lower, threshold)
    if more is None:
        remedy = say(
            "kappa is {kappa:.2f}: too close to the threshold for any affordable number of labels", kappa=value
        )
    elif found.unit == "clusters" and found.units < _MANY_TEMPLATES:
        remedy = say(
            "about {n} more labels decide if kappa stays {kappa:.2f}; take them from further templates, since the bound rests "
            "on {units} of them",
            n=more,
            kappa=value,
            units=found.units,
        )
    else:
        remedy = say("about {n} more labels decide if kappa stays {kappa:.2f}", n=more, kappa=value)
    return Reason(code="too_few", value=lower, threshold=threshold, remedy=remedy, more_labels=more)


def _more(found: ReferenceKappa, value: float, lower: float, threshold: float) -> int | None:
    # The error that the bound was in fact made with, clusters and few templates included.
    se = (value - lower) / normal_quantile(found.level)
    return more_labels(value, found.n, threshold, se=se, level=found.level)


def _more_when_perfect(found: ReferenceKappa, lower: float, threshold: float) -> int | None:
    """Without a disagreement the bound is that of u agreements in u units: solved for u (see `bounds.perfect_bound`)."""
    if threshold >= 1:
        return None
    tail = math.log(1 - found.level)
    room = (1 - math.exp(tail / found.units)) / (1 - lower)
    share = 1 - (1 - threshold) * room
    units = math.ceil(tail / math.log(share) - 1e-9)
    more = max(1, math.ceil((units - found.units) * found.n / found.units))
    return more if more <= LIMIT else None


def without_kappa(n: int, undefined: float | Undefined, threshold: float, min_labels: int) -> Reason:
    """Why there is no kappa at all.

    Parameters
    ----------
    n : int
        Texts that both the judge and a person scored.
    undefined : Undefined
        What the statistic said.
    threshold : float
        What the bound had to reach.
    min_labels : int
        The study's least number of labelled texts.

    Returns
    -------
    Reason
        ``too_few`` without a single such text, else ``uninformative``.
    """
    if n == 0:
        return Reason(
            code="too_few",
            value=say("no text has both a label and a judge's score"),
            threshold=threshold,
            remedy=say("label the sample that `judgekit run` writes, or see why the judge scored nothing"),
            more_labels=min_labels,
        )
    return Reason(
        code="uninformative",
        value=str(undefined),
        threshold=threshold,
        remedy=say(
            "kappa does not exist for these scores: use a judge that tells the texts apart, or label more kinds of texts"
        ),
    )


CEILING_STEP, CEILING_FLOOR = 0.10, 0.40


def ceiling_threshold(human_kappa: float | Undefined) -> float | Undefined:
    """The threshold of ``kind: ceiling``: 0.10 below human-human kappa, never under 0.40.

    Parameters
    ----------
    human_kappa : float or Undefined
        Mean kappa of people among themselves.

    Returns
    -------
    float or Undefined

    Examples
    --------
    >>> ceiling_threshold(0.75)
    0.65
    >>> ceiling_threshold(0.2)
    0.4
    """
    if isinstance(human_kappa, Undefined):
        return human_kappa
    return max(CEILING_FLOOR, round(human_kappa - CEILING_STEP, 12))
