"""How many labels a study needs before it asks for them, and how long that takes each rater."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from judgekit.errors import UsageProblem
from judgekit.labelling.sampling import repeats_wanted

__all__ = ["Workload", "labels_for_gap", "labels_for_kappa", "workload"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """What one rater does: ``texts`` different ones, ``repeats`` of them twice, ``hours`` at the stated pace."""

    texts: int
    repeats: int
    hours: float


def _inside(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise UsageProblem(
            f"{name} is out of range", field=f"--{name}", seen=value, why=f"it lies between {low:g} and {high:g}"
        )


def labels_for_kappa(kappa: float, threshold: float, *, level: float = 0.95) -> int | None:
    """Texts after which the one-sided lower bound of kappa reaches the threshold, if kappa is what is expected.

    Parameters
    ----------
    kappa : float
        Expected agreement of judge and people, in [0, 1).
    threshold : float
        What the bound has to reach.
    level : float
        Confidence of the bound.

    Returns
    -------
    int or None
        None when the expected kappa is not above the threshold: no number of labels will do.

    Notes
    -----
    ``n = z^2 (1 - kappa^2) / (kappa - threshold)^2``: the error of two balanced classes, which ordered scores with
    quadratic weights usually stay below (Fleiss, Cohen and Everitt, 1969). It is a plan, not a promise: the bound is
    computed anew from the labels.

    Examples
    --------
    >>> labels_for_kappa(0.72, 0.60), labels_for_kappa(0.80, 0.60), labels_for_kappa(0.60, 0.60)
    (91, 25, None)
    """
    _inside("kappa", kappa, 0.0, 0.999)
    _inside("threshold", threshold, -1.0, 1.0)
    if kappa <= threshold:
        return None
    z = NormalDist().inv_cdf(level)
    return math.ceil(z**2 * (1 - kappa**2) / (kappa - threshold) ** 2 - 1e-9)


def labels_for_gap(
    sd: float, correlation: float, margin: float, replies: int, *, level: float = 0.95, design_effect: float = 1.0
) -> int | None:
    """Labels in each group after which the corrected gap is known to within the margin.

    Parameters
    ----------
    sd : float
        Standard deviation of people's scores, in points of the scale.
    correlation : float
        Correlation of the judge's scores with people's, in [0, 1]; 0 is the gap from labels alone.
    margin : float
        Half-width wanted for the interval of the gap, in points.
    replies : int
        Judged replies in each group.
    level : float
        Confidence of the two-sided interval.
    design_effect : float
        By how much replies of one template being alike widens the variance; 1 when they are not.

    Returns
    -------
    int or None
        None when the replies themselves are too few for this margin, however many are labelled; never more than
        ``replies``.

    Notes
    -----
    With the best weight on the judge, the variance of a group's corrected mean is about
    ``sd^2 (1 - r^2) / n + sd^2 r^2 / N`` for n labels among N replies (Angelopoulos, Duchi and Zrnic, 2023, PPI++);
    the gap has the sum of both groups'.

    References
    ----------
    .. [1] Angelopoulos AN, Duchi JC, Zrnic T (2023). PPI++: Efficient prediction-powered inference. arXiv:2311.01453

    Examples
    --------
    >>> labels_for_gap(1.0, 0.8, 0.25, 1000), labels_for_gap(1.0, 0.0, 0.25, 1000), labels_for_gap(1.0, 0.8, 0.05, 216)
    (49, 123, None)
    """
    _inside("sd", sd, 1e-6, 100.0)
    _inside("correlation", correlation, 0.0, 0.999)
    _inside("margin", margin, 1e-6, 100.0)
    z = NormalDist().inv_cdf((1 + level) / 2)
    variance = 2 * design_effect * sd**2
    left = (margin / z) ** 2 - variance * correlation**2 / replies
    if left <= 0:
        return None
    needed = math.ceil(variance * (1 - correlation**2) / left - 1e-9)
    return needed if needed <= replies else None


def workload(
    texts: int, annotators: int, *, overlap: float = 1.0, repeats: float = 0.10, seconds: float = 25.0
) -> Workload:
    """What each rater has to do for a number of labelled texts.

    Parameters
    ----------
    texts : int
        Different texts to label.
    annotators : int
        How many raters share them.
    overlap : float
        Share of the texts that every rater labels, in [0, 1].
    repeats : float
        Share of a rater's texts shown twice.
    seconds : float
        Working time per item, all criteria together.

    Returns
    -------
    Workload

    Examples
    --------
    >>> workload(200, 2, overlap=0.5)
    Workload(texts=150, repeats=15, hours=1.1458333333333333)
    """
    _inside("overlap", overlap, 0.0, 1.0)
    _inside("repeats", repeats, 0.0, 1.0)
    shared = round(overlap * texts)
    own = shared + math.ceil((texts - shared) / max(1, annotators))
    twice = repeats_wanted(own, repeats)
    return Workload(texts=own, repeats=twice, hours=(own + twice) * seconds / 3600)
