"""May this judge's scores be reported? `calibrate` alone says yes, and recomputes its answer every time.

A judged dimension is `Calibrated` for a contrast when every check of [1]_ holds; otherwise it is `Refused` with, for
each reason, the value met, the threshold, what would change it and how many more labels would decide.

References
----------
.. [1] The checks: lower one-sided 95% bound of Cohen's kappa, kappa per group, differential bias, human agreement,
   failure and withholding gaps, swap test, fingerprint, rubric and seal. Thresholds come from the sealed study.
"""

from __future__ import annotations

from judgekit.calibration_case import Case, human_kappa, judge_scores, reference_for
from judgekit.calibration_checks import CHECKS
from judgekit.evidence import Evidence
from judgekit.records import Calibrated, Contrast, Reason, Refused, claim_maker
from judgekit.wording.sentence import say

__all__ = ["calibrate", "was_issued"]

_MAKER = claim_maker("Calibrated")
# What was said yes to in this process: a record can be forged past its constructor, a line in here cannot be by accident.
_ISSUED: set[tuple[object, ...]] = set()


def calibrate(evidence: Evidence) -> list[Calibrated | Refused]:
    """Decide for every judged dimension and contrast whether its numbers may be reported.

    Parameters
    ----------
    evidence : Evidence
        Labels, judgments, design and swap test of one study.

    Returns
    -------
    list of Calibrated or Refused
        One per dimension and contrast, in the study's order; contrast None for a study without groups.
    """
    contrasts: tuple[Contrast | None, ...] = evidence.contrasts() or (None,)
    verdicts: list[Calibrated | Refused] = []
    digest = evidence.digest()
    for _, rubric, criterion in evidence.criteria():
        known = evidence.labelled
        judged = judge_scores(known, criterion)
        human = known.human(rubric, criterion)
        people = known.reference_people(rubric, criterion)
        reference = reference_for(known, criterion, judged, people, set(known.design))
        between = human_kappa(criterion, human)
        for contrast in contrasts:
            case = Case(evidence, rubric, criterion, contrast, judged, human, reference, between)
            case.facts["digest"] = digest
            reasons = [reason for check in CHECKS for reason in check(case)]
            verdicts.append(_verdict(case, reasons))
    return verdicts


def _verdict(case: Case, reasons: list[Reason]) -> Calibrated | Refused:
    judge, dimension = case.evidence.judge, case.criterion.dimension
    if reasons:
        return Refused(judge=judge, dimension=dimension, contrast=case.contrast, reasons=tuple(reasons))
    if case.contrast is None:
        case.conditions.append(say("not for group claims: the study has no groups"))
    verdict = Calibrated(
        judge=judge,
        dimension=dimension,
        contrast=case.contrast,
        evidence=case.facts,
        conditions=tuple(case.conditions),
        publish_raw=case.publish_raw,
        maker=_MAKER,
    )
    _ISSUED.add(_line(verdict))
    return verdict


def _line(verdict: Calibrated) -> tuple[object, ...]:
    facts = verdict.evidence.get("digest")
    return facts, verdict.judge, verdict.dimension, verdict.contrast, verdict.publish_raw, verdict.conditions


def was_issued(verdict: Calibrated) -> bool:
    """Whether `calibrate` gave exactly this verdict in this process.

    Parameters
    ----------
    verdict : Calibrated

    Returns
    -------
    bool
        False for a record that was made or changed around its constructor.
    """
    return _line(verdict) in _ISSUED
