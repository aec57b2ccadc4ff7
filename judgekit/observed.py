"""Differences in logs: reported as confounded, never as an effect of the group, and never a pass of the gate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from judgekit.evidence import Evidence
from judgekit.gaps import ControlFloor, HumanGap, human_only_gaps, judged_gaps, measured_gaps, with_correction
from judgekit.records import (
    Calibrated,
    Contrast,
    Criterion,
    Gap,
    GapEstimate,
    MetricRow,
    Refused,
    Rubric,
    Scored,
    Undefined,
    Unscored,
)
from judgekit.statistics.correction import corrected_gap, human_only_gap
from judgekit.statistics.two_way import Claim
from judgekit.wording.sentence import say

__all__ = ["CONFOUNDED", "all_gaps", "as_observed", "observed_people"]

CONFOUNDED = say(
    "confounded: these people are not known to have asked the same things, so this difference is no group effect"
)

_METHOD = "difference of means"


def all_gaps(
    evidence: Evidence,
    verdicts: Sequence[Calibrated | Refused],
    measured: Mapping[str, Mapping[str, Scored | Unscored]],
    margins: Mapping[str, float | None],
    floors: Mapping[str, ControlFloor] | None,
) -> tuple[list[Gap], list[HumanGap]]:
    """Gaps of judged and counted metrics, and those in people's own scores; in logs only as differences observed.

    Parameters
    ----------
    evidence : Evidence
    verdicts : sequence of Calibrated or Refused
        Only calibrated metrics get a judged gap.
    measured, margins : mapping
        Counted metrics by name and item, sealed margins by metric.
    floors : mapping of str to ControlFloor, optional
        What control pairs show of the counted metrics.

    Returns
    -------
    list of Gap
        With p-values corrected for the number of metrics.
    list of HumanGap
        Both lists are empty for a study without comparisons.
    """
    if not evidence.contrasts():
        return [], []
    gaps = judged_gaps(evidence, verdicts, margins) + measured_gaps(evidence, measured, margins, floors)
    human = human_only_gaps(evidence)
    if evidence.study.data.design == "observational":
        gaps, human = as_observed(evidence, gaps, measured), observed_people(evidence, human)
    return with_correction(gaps, evidence.study.statistics.correction), human


def as_observed(
    evidence: Evidence, gaps: Iterable[Gap], measured: Mapping[str, Mapping[str, Scored | Unscored]]
) -> list[Gap]:
    """Gaps of an observational study as what they are: differences in these replies.

    Parameters
    ----------
    evidence : Evidence
        The joined records of a study with ``design: observational``.
    gaps : iterable of Gap
        Its gaps; of judged metrics only calibrated ones are among them.
    measured : mapping
        Counted metrics by name and item.

    Returns
    -------
    list of Gap
        ``claim`` is ``observed`` and ``verdict`` is ``cannot tell`` whatever the interval: a margin is about the group, and
        logs cannot show that the group is why. Where replies have no template, means of the groups are compared with every
        reply as a unit of its own (positive: ``a`` higher); an estimate that was withheld stays withheld.
    """
    by_dimension = {c.dimension: (rubric, c) for _, rubric, c in evidence.criteria()}
    return [_observed(evidence, gap, by_dimension, measured) for gap in gaps]


def observed_people(evidence: Evidence, gaps: Iterable[HumanGap]) -> list[HumanGap]:
    """The gaps in people's own scores, likewise.

    Parameters
    ----------
    evidence : Evidence
    gaps : iterable of HumanGap

    Returns
    -------
    list of HumanGap
    """
    by_dimension = {c.dimension: (rubric, c) for _, rubric, c in evidence.criteria()}
    found = []
    for gap in gaps:
        rubric, criterion = by_dimension[gap.dimension]
        rows = _own_units(evidence.human_rows(rubric, criterion))
        found.append(replace(gap, estimate=_said(evidence, gap.estimate, rows, gap.contrast, labelled=True)))
    return found


def _observed(
    evidence: Evidence,
    gap: Gap,
    by_dimension: Mapping[str, tuple[Rubric, Criterion]],
    measured: Mapping[str, Mapping[str, Scored | Unscored]],
) -> Gap:
    contrast = gap.contrast
    if gap.kind == "judged":
        rubric, criterion = by_dimension[gap.metric]
        rows = _own_units(evidence.judged_rows(criterion))
        people = _own_units(evidence.labelled.human_rows(rubric, criterion))
        corrected = gap.corrected and _corrected(evidence, gap.corrected, rows, people, contrast)
        alone = gap.human_only and _said(evidence, gap.human_only, people, contrast, labelled=True)
    else:
        rows, corrected, alone = _own_units(evidence.measured_rows(measured[gap.metric])), None, None
    lost = [replace(row, value=float(row.value is None), missing=None) for row in rows]
    raw, before = gap.raw and _said(evidence, gap.raw, rows, contrast), gap.raw.notes if gap.raw else ()
    # What a counted gap says is what its estimate says, and that may have been made anew.
    told = raw.notes if raw and gap.kind != "judged" else ()
    made = replace(
        gap,
        claim="observed",
        verdict="cannot tell",
        raw=raw,
        corrected=corrected,
        human_only=alone,
        failure_gap=_said(evidence, gap.failure_gap, lost, contrast),
        notes=tuple(dict.fromkeys((CONFOUNDED, *told, *(note for note in gap.notes if note not in before)))),
    )
    return replace(
        made, direction=say("{direction} in these replies, confounded", direction=_direction(made.main, contrast))
    )


def _direction(estimate: GapEstimate | None, contrast: Contrast) -> str:
    value = Undefined("none") if estimate is None else estimate.value
    if isinstance(value, Undefined):
        return say("undefined")
    if value == 0:
        return say("no difference")
    higher, lower = (contrast.a, contrast.b) if value > 0 else (contrast.b, contrast.a)
    return say("{higher} higher than {lower}", higher=higher, lower=lower)


def _own_units(rows: Sequence[MetricRow]) -> list[MetricRow]:
    return [row if row.unit_id is not None else replace(row, unit_id=row.item) for row in rows]


def _said(
    evidence: Evidence, found: GapEstimate, rows: Sequence[MetricRow], contrast: Contrast, *, labelled: bool = False
) -> GapEstimate:
    """The estimate with what it is worth beside it; made anew where templates are lacking."""
    if not isinstance(found.value, Undefined):
        return replace(found, notes=(CONFOUNDED, *found.notes))
    settings, drawn = evidence.study.statistics, dict(evidence.inclusion) if labelled else None
    made = human_only_gap(rows, contrast, inclusion=drawn or None, claim=_claim(rows), level=settings.interval)
    if isinstance(made.value, Undefined):
        return replace(found, notes=(CONFOUNDED,))
    method, units = _units(rows)
    return replace(made, method=method, templates=0, notes=(CONFOUNDED, units, *made.notes))


def _corrected(
    evidence: Evidence,
    found: GapEstimate,
    rows: Sequence[MetricRow],
    people: Sequence[MetricRow],
    contrast: Contrast,
) -> GapEstimate:
    if not isinstance(found.value, Undefined) or evidence.anchors is not None:
        return replace(found, notes=(CONFOUNDED, *found.notes))
    level, drawn = evidence.study.statistics.interval, dict(evidence.inclusion) or None
    made = corrected_gap(rows, people, contrast, inclusion=drawn, claim=_claim(rows), level=level)
    return replace(made, templates=0, notes=(CONFOUNDED, _units(rows)[1], *made.notes))


def _units(rows: Sequence[MetricRow]) -> tuple[str, str]:
    """The method, and the sentence that says which replies are no independent evidence."""
    named, alone = _claim(rows) == "groups", all(row.unit_id == row.item for row in rows)
    if alone and not named:
        return f"{_METHOD}, t", say("no template: every reply is a unit of its own")
    if alone:
        return f"{_METHOD}, t clustered by name", say("no template: replies of the same name count together")
    if not named:
        together = say("no template has both groups: replies of the same template count together")
        return f"{_METHOD}, t clustered by template", together
    together = say("no template has both groups: replies of the same template or the same name count together")
    return f"{_METHOD}, t clustered by template and name", together


def _claim(rows: Sequence[MetricRow]) -> Claim:
    return "groups" if all(row.name is not None for row in rows) else "these_names"
