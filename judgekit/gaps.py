"""Gaps between groups: counted metrics as they are, judged ones only through `Calibrated`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from judgekit.calibration import was_issued
from judgekit.errors import RefusedMetric
from judgekit.evidence import Evidence
from judgekit.gate import against_margin
from judgekit.records import (
    Calibrated,
    Contrast,
    Criterion,
    Gap,
    GapEstimate,
    GapInfluence,
    GapNoise,
    GroupRows,
    MetricRow,
    Refused,
    Rubric,
    Scored,
    Undefined,
    Unscored,
)
from judgekit.statistics.anchors import anchor_corrected_gap
from judgekit.statistics.cells import Cells, cell_means
from judgekit.statistics.correction import corrected_gap, human_only_gap
from judgekit.statistics.mean import Mean, mean_of
from judgekit.statistics.multiplicity import adjust
from judgekit.statistics.template_gaps import TemplateGaps, template_gaps
from judgekit.statistics.trend import NoiseFloor
from judgekit.statistics.two_way import Claim, failure_gap, group_gap
from judgekit.wording.sentence import say

__all__ = [
    "READ_BY_MODEL",
    "ControlFloor",
    "HumanGap",
    "MetricMean",
    "human_only_gaps",
    "judged_gaps",
    "measured_gaps",
    "measured_means",
    "supplied_gap",
    "with_correction",
]

Role = Literal["primary", "secondary"]

READ_BY_MODEL = say("read by a model, not compared with people")
"""What stands beside every number that a model read from the replies; such a number neither passes nor fails."""
_MOST_NAMES = 1_000  # where every reply has a name of its own, leaving out one says nothing and takes long


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanGap:
    """The gap in people's own scores: always reported, whatever the judge is worth."""

    dimension: str
    contrast: Contrast
    estimate: GapEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlFloor:
    """What control pairs show of a metric, and how many complete pairs a template has on average."""

    floor: NoiseFloor
    pairs: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricMean:
    """A counted metric in a study without groups; ``missing`` counts replies without a value."""

    metric: str
    estimate: Mean
    missing: int


def judged_gaps(
    evidence: Evidence, verdicts: Iterable[Calibrated | Refused], margins: Mapping[str, float | None]
) -> list[Gap]:
    """Gaps of the judged dimensions that are calibrated; the refused ones are not computed at all.

    Parameters
    ----------
    evidence : Evidence
        The joined records.
    verdicts : iterable of Calibrated or Refused
        What `calibrate` returned for this evidence.
    margins : mapping of str to float or None
        Sealed margin by dimension.

    Returns
    -------
    list of Gap
        One per `Calibrated` with a contrast. ``raw`` is None where only the corrected gap may be published.

    Raises
    ------
    RefusedMetric
        When a verdict was reached on other evidence.
    """
    digest = evidence.digest()
    by_dimension = {c.dimension: (key, rubric, c) for key, rubric, c in evidence.criteria()}
    gaps = []
    for verdict in verdicts:
        if not isinstance(verdict, Calibrated) or verdict.contrast is None:
            continue
        if not was_issued(verdict):
            raise RefusedMetric(
                f"the verdict on {verdict.dimension} was made or changed by hand",
                why="only calibrate() says that a judged number may be reported",
                remedy="call calibrate(evidence) on this evidence",
            )
        if verdict.judge != evidence.judge or verdict.evidence.get("digest") != digest:
            raise RefusedMetric(
                f"the verdict on {verdict.dimension} was reached on other labels or judgments",
                why="a judged number is reported only as calibrated by exactly the records it is computed from",
                remedy="call calibrate(evidence) on this evidence",
            )
        key, rubric, criterion = by_dimension[verdict.dimension]
        gaps.append(_judged_gap(evidence, verdict, key, rubric, criterion, margins.get(verdict.dimension)))
    return gaps


def _judged_gap(
    evidence: Evidence, verdict: Calibrated, key: str, rubric: Rubric, criterion: Criterion, margin: float | None
) -> Gap:
    contrast = verdict.contrast
    if contrast is None:
        raise ValueError("a judged gap needs a contrast")
    study = evidence.study
    claim = study.groups.claim if study.groups else "these_names"
    judged = evidence.judged_rows(criterion)
    level, seed = study.statistics.interval, study.statistics.seed
    raw = group_gap(judged, contrast, claim=claim, level=level, seed=seed)
    corrected, alone = _with_people(evidence, rubric, criterion, contrast, claim)
    counts: Literal["corrected", "raw"] = "raw" if study.gate.estimate == "raw" and verdict.publish_raw else "corrected"
    estimate = raw if counts == "raw" else corrected
    tables = template_gaps(judged, contrast) if verdict.publish_raw else None
    return Gap(
        metric=criterion.dimension,
        contrast=contrast,
        claim=claim,
        kind="judged",
        role=study.rubrics[key].role,
        raw=raw if verdict.publish_raw else None,
        corrected=corrected,
        human_only=alone,
        failure_gap=failure_gap(judged, contrast, claim=claim, level=level, seed=seed),
        per_template=tables.gaps if tables else {},
        per_name=tables.per_name if tables else {},
        margin=margin,
        verdict=against_margin(estimate, margin),
        direction=_direction(estimate, contrast),
        notes=verdict.conditions,
        counts=counts,
        rows=_group_rows(judged, contrast),
        influence=_influence(tables) if tables else None,
    )


def _with_people(
    evidence: Evidence, rubric: Rubric, criterion: Criterion, contrast: Contrast, claim: Claim
) -> tuple[GapEstimate, GapEstimate | None]:
    """The judged gap corrected by people's labels, and the labels' own gap where they are on these replies."""
    known, settings = evidence.labelled, evidence.study.statistics
    judged, human = evidence.judged_rows(criterion), known.human_rows(rubric, criterion)
    drawn = dict(known.inclusion) or None
    if evidence.anchors is not None:
        anchors = known.judged_rows(criterion)
        level = settings.interval
        return anchor_corrected_gap(judged, anchors, human, contrast, inclusion=drawn, claim=claim, level=level), None
    corrected = corrected_gap(
        judged, human, contrast, inclusion=drawn, claim=claim, level=settings.interval, seed=settings.seed
    )
    alone = human_only_gap(human, contrast, inclusion=drawn, claim=claim, level=settings.interval, seed=settings.seed)
    return corrected, alone


def _group_rows(rows: Sequence[MetricRow] | Cells, contrast: Contrast) -> GroupRows:
    """Replies by group: those without a template are in, and a note of the estimate says that they are left out."""
    cells = rows if isinstance(rows, Cells) else cell_means(rows)

    def of(group: str) -> tuple[int, int]:
        chosen = [i for i, name in enumerate(cells.name) if cells.names[name][0] == group]
        missing = sum(int(cells.missing[i]) for i in chosen)
        return sum(int(cells.count[i]) for i in chosen) + missing + cells.outside.get(group, 0), missing

    (in_a, missing_a), (in_b, missing_b) = of(contrast.a), of(contrast.b)
    return GroupRows(in_a=in_a, in_b=in_b, missing_a=missing_a, missing_b=missing_b)


def human_only_gaps(evidence: Evidence) -> list[HumanGap]:
    """People's own gap for every judged dimension and contrast whose replies have labels; an anchor set has another's."""
    study = evidence.study
    claim = study.groups.claim if study.groups else "these_names"
    found = []
    for _, rubric, criterion in evidence.criteria():
        rows = evidence.human_rows(rubric, criterion)
        for contrast in evidence.contrasts() if rows else ():
            estimate = human_only_gap(
                rows,
                contrast,
                inclusion=dict(evidence.inclusion) or None,
                claim=claim,
                level=study.statistics.interval,
                seed=study.statistics.seed,
            )
            found.append(HumanGap(dimension=criterion.dimension, contrast=contrast, estimate=estimate))
    return found


def measured_gaps(
    evidence: Evidence,
    values: Mapping[str, Mapping[str, Scored | Unscored]],
    margins: Mapping[str, float | None],
    floors: Mapping[str, ControlFloor] | None = None,
) -> list[Gap]:
    """Gaps of the counted metrics, which need no calibration.

    Parameters
    ----------
    evidence : Evidence
        The joined records.
    values : mapping
        Metric to item to value.
    margins : mapping of str to float or None
        Sealed margin by metric. A metric that a model reads is never held against it: its verdict is ``cannot tell``.
    floors : mapping of str to ControlFloor, optional
        What control pairs show, by metric.

    Returns
    -------
    list of Gap
    """
    study = evidence.study
    claim = study.groups.claim if study.groups else "these_names"
    found = []
    for metric, by_item in values.items():
        rows, floor = evidence.measured_rows(by_item), (floors or {}).get(metric)
        for contrast in evidence.contrasts():
            gap = supplied_gap(
                rows,
                metric,
                contrast,
                claim=claim,
                kind="measured",
                role=study.measured[study.metrics[metric]].role,
                margin=margins.get(metric),
                level=study.statistics.interval,
                seed=study.statistics.seed,
            )
            block = study.measured[study.metrics[metric]]
            if block.extractor is not None:
                # A model's readings are no evidence until people were asked: whatever the interval, nothing passes or fails.
                verdict = gap.verdict if gap.margin is None else "cannot tell"
                gap = replace(gap, notes=(*gap.notes, READ_BY_MODEL), verdict=verdict)
            found.append(replace(gap, missing_kinds=_missing_kinds(rows, contrast), noise=_noise(gap, floor)))
    return found


def _noise(gap: Gap, known: ControlFloor | None) -> GapNoise | None:
    """The floor of control pairs, brought to as many replies as the gap's means have."""
    if known is None or gap.raw is None:
        return None
    floor, raw = known.floor, gap.raw
    limit, covers = floor.limit, floor.covers(raw.value)
    if not isinstance(limit, Undefined) and known.pairs and raw.n_a and raw.n_b and raw.templates:
        # A pair differs by 2 s2 / pairs of a template, the groups' means by s2 (1 / n_a + 1 / n_b) of theirs.
        limit *= math.sqrt(raw.templates * (1 / raw.n_a + 1 / raw.n_b) * known.pairs / 2)
        covers = raw.value if isinstance(raw.value, Undefined) else abs(raw.value) <= limit
    return GapNoise(limit=limit, pair_limit=floor.limit, templates=floor.templates, pairs=known.pairs, covers=covers)


def _missing_kinds(rows: Sequence[MetricRow], contrast: Contrast) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {contrast.a: {}, contrast.b: {}}
    for row in rows:
        if row.missing is not None and row.group in found:
            kinds = found[row.group]
            kinds[row.missing] = kinds.get(row.missing, 0) + 1
    return found


def measured_means(evidence: Evidence, values: Mapping[str, Mapping[str, Scored | Unscored]]) -> list[MetricMean]:
    """Means of the counted metrics over all replies, for a study without groups.

    Parameters
    ----------
    evidence : Evidence
        The joined records.
    values : mapping
        Metric to item to value.

    Returns
    -------
    list of MetricMean
        With the template as the unit where every reply has one, else the reply.
    """
    level = evidence.study.statistics.interval
    found = []
    for metric, by_item in values.items():
        rows = evidence.measured_rows(by_item)
        scored = [r for r in rows if r.value is not None]
        units = [r.unit_id for r in scored]
        estimate = mean_of(
            [r.value for r in scored if r.value is not None],
            [u for u in units if u is not None] if all(u is not None for u in units) and units else None,
            level=level,
        )
        found.append(MetricMean(metric=metric, estimate=estimate, missing=len(rows) - len(scored)))
    return found


def supplied_gap(
    rows: Sequence[MetricRow] | Cells,
    metric: str,
    contrast: Contrast,
    *,
    claim: Literal["groups", "these_names"] = "groups",
    kind: Literal["measured", "supplied"] = "supplied",
    role: Role = "secondary",
    margin: float | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> Gap:
    """The gap of a metric whose values are given.

    Parameters
    ----------
    rows : sequence of MetricRow, or Cells
        One per reply; missing values stay and count as failures. Cells made from such rows will do.
    metric : str
        Its name.
    contrast : Contrast
        Groups to compare: ``a`` minus ``b``.
    claim : {'groups', 'these_names'}
        Whether names are a random factor.
    kind, role : str
        How the gap is labelled.
    margin : float, optional
        Positive, in the metric's unit.
    level : float
        Level of the interval.
    seed : int
        Seed of Monte-Carlo draws.

    Returns
    -------
    Gap
    """
    raw = group_gap(rows, contrast, claim=claim, level=level, seed=seed)
    tables = template_gaps(rows, contrast)
    return Gap(
        metric=metric,
        contrast=contrast,
        claim=claim,
        kind=kind,
        role=role,
        raw=raw,
        corrected=None,
        human_only=None,
        failure_gap=failure_gap(rows, contrast, claim=claim, level=level, seed=seed),
        per_template=tables.gaps,
        per_name=tables.per_name,
        margin=margin,
        verdict=against_margin(raw, margin),
        direction=_direction(raw, contrast),
        notes=raw.notes,
        rows=_group_rows(rows, contrast),
        influence=_influence(tables),
    )


def _influence(tables: TemplateGaps) -> GapInfluence:
    found = tables.direction
    few = tables.names_a + tables.names_b <= _MOST_NAMES
    return GapInfluence(
        share=found.share,
        positive=found.positive,
        negative=found.negative,
        zero=found.zero,
        p=found.p,
        without_template=tables.leave_one_template_out(),
        without_name=tables.leave_one_name_out() if few else None,
    )


def with_correction(gaps: Sequence[Gap], method: Literal["bonferroni", "holm", "bh", "by"]) -> list[Gap]:
    """Correct the p-values of the metrics that are not primary for multiple comparisons.

    Parameters
    ----------
    gaps : sequence of Gap
        All gaps of a run.
    method : str
        ``bonferroni``, ``holm``, ``bh`` or ``by``.

    Returns
    -------
    list of Gap
        In the same order; primary metrics have ``adjusted_p`` None.
    """
    places = [i for i, g in enumerate(gaps) if g.role != "primary"]
    # The p of the estimate that counts, as everywhere: see `Gap.main`.
    shown = [gaps[i].main for i in places]
    adjusted = adjust([e.p if e else Undefined("no estimate") for e in shown], method=method).values
    result = list(gaps)
    for place, p in zip(places, adjusted, strict=True):
        result[place] = replace(gaps[place], adjusted_p=p)
    return result


def _direction(estimate: GapEstimate, contrast: Contrast) -> str:
    if isinstance(estimate.value, Undefined):
        return say("undefined")
    if estimate.value == 0:
        return say("no difference")
    higher, lower = (contrast.a, contrast.b) if estimate.value > 0 else (contrast.b, contrast.a)
    return say("{higher} higher than {lower}", higher=higher, lower=lower)
