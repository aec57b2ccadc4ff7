"""What would change a refusal: how many more labels decide, and what to do where no number of them does."""

from __future__ import annotations

import math
from collections import Counter

from judgekit.agreement.budget import LIMIT, more_labels
from judgekit.agreement.reference import ReferenceKappa
from judgekit.calibration_case import Case
from judgekit.records import Reason, Undefined, Withheld
from judgekit.statistics.distributions import normal_quantile
from judgekit.wording.sentence import say

__all__ = ["below_threshold", "ceiling_threshold", "to_swap", "to_withhold_less", "without_kappa"]

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


def to_swap(case: Case) -> str:
    """What a swap test that was not run lacks.

    Parameters
    ----------
    case : Case
        Once its evidence has a score, the names of its study are sealed: adding some would refuse it for good.

    Returns
    -------
    str
        A sentence of `judgekit.wording`.
    """
    study, contrast = case.evidence.study, case.contrast
    listed = study.identities()
    if contrast is None or study.privacy.people != "real" or (listed.get(contrast.a) and listed.get(contrast.b)):
        return say("run `judgekit swaptest` (a filled slot and two named groups are needed)")
    if case.evidence.judgments:
        return say(
            "list invented names in groups.values.*.names of a study of another name or in another folder, since those of this "
            "one are sealed with its first score: names of real people are never put into other people's replies"
        )
    return say(
        "list invented names in groups.values.*.names: names of real people are never put into other people's replies"
    )


def to_withhold_less(case: Case, group: str | None) -> str:
    """What would lift most of the withheld replies, which is another thing for a language than for a name.

    Parameters
    ----------
    case : Case
    group : str or None
        Whose replies; None: all.

    Returns
    -------
    str
        A sentence of `judgekit.wording`.
    """
    codes = Counter(
        found.code
        for item, found in case.evidence.results.items()
        if isinstance(found, Withheld) and (group is None or case.evidence.design[item].group == group)
    )
    if 2 * codes["language"] > codes.total():
        return say(
            "{n} of {of} withheld replies are in a language other than English or Spanish, or than their row says: leave them "
            "out of the study, or mend `lang`",
            n=codes["language"],
            of=codes.total(),
        )
    return say(
        "see the leaks in the design file; add names to the replies' `known_names`, or `blinding.keep` or `blinding.extra_cues`"
    )
