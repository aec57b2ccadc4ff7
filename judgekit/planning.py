"""What a study's or table's own data say about planning: its cells, and how much its scores vary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judgekit import stages
from judgekit.calibration import calibrate
from judgekit.errors import RefusedMetric, UsageProblem
from judgekit.evidence import Evidence
from judgekit.pipeline import Watcher, evidence_of
from judgekit.records import Calibrated, Contrast, MetricRow, Undefined
from judgekit.statistics.power import Noise, estimate_noise
from judgekit.statistics.template_gaps import Cells, cell_means
from judgekit.study import Study

__all__ = ["Pilot", "pilot_of_study", "pilot_of_table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pilot:
    """One metric of data that are there: the cells of two groups, the noise in them, and where they come from.

    ``source`` says whose scores they are; ``margin`` and ``level`` are the study's, None for a table.
    """

    metric: str
    contrast: Contrast
    cells: Cells
    noise: Noise | Undefined
    source: str
    margin: float | None = None
    level: float | None = None


def pilot_of_table(path: Path, metric: str | None, groups: Sequence[str] | None) -> Pilot:
    """The metric of a table with ``template_id``, ``group`` and, to tell luck of names apart, ``name``.

    Parameters
    ----------
    path : Path
        CSV, JSONL or Parquet.
    metric : str or None
        Its column.
    groups : sequence of str, optional
        Two groups; without them the table must hold just two.

    Returns
    -------
    Pilot

    Raises
    ------
    UsageProblem
        No metric was named, or the groups are not two of the table's.
    RefusedMetric
        The metric is judgekit's own judged scores, which are planned with from the study.
    BadInput
        The table cannot be read.
    """
    from judgekit.files.tables import read_metric_table
    from judgekit.supplied import refuse_own_scores

    if metric is None:
        raise UsageProblem("which column is the metric?", field="--metric", remedy="name it with --metric")
    refuse_own_scores(path, metric)
    rows = read_metric_table(path, metric=metric)
    cells = cell_means(rows)
    contrast = _two(groups, cells.groups, path)
    return Pilot(
        metric=metric, contrast=contrast, cells=cells, noise=estimate_noise(rows, contrast), source="as supplied"
    )


def pilot_of_study(
    study: Study, metric: str | None, groups: Sequence[str] | None, watch: Watcher | None = None
) -> Pilot:
    """A metric of a study: counted ones from its replies alone, judged ones from what `run` has left.

    Parameters
    ----------
    study : Study
    metric : str or None
        A counted metric or a judged dimension; may be left out where there is only one.
    groups : sequence of str, optional
        Two of its groups; by default its first comparison.
    watch : callable, optional
        Told how far each stage is.

    Returns
    -------
    Pilot
        Judged scores where the judge is calibrated, else people's own.

    Raises
    ------
    UsageProblem
        No groups, no such metric, or more than one to choose from.
    RefusedMetric
        The judge is refused and nobody has labelled: there are no scores to learn from.
    """
    if study.groups is None:
        raise UsageProblem(
            "the study has no groups to compare",
            path=study.file,
            field="groups",
            remedy="plan with --templates and so on",
        )
    rubrics = stages.rubrics_of(study)
    dimensions = {d: key for key, rubric in rubrics.items() for d in rubric.dimensions}
    known = [*dimensions, *study.metrics]
    chosen = metric or (known[0] if len(known) == 1 else None)
    if chosen not in known:
        raise UsageProblem(
            "no such metric in this study" if chosen else "which metric?",
            field="--metric",
            seen=chosen,
            why=f"it has {', '.join(known)}",
            remedy="name one of them",
        )
    if chosen in study.metrics:
        if study.measured[study.metrics[chosen]].kind == "extracted":
            raise UsageProblem(
                "a fact that a model reads cannot be planned from the replies alone",
                field="--metric",
                seen=chosen,
                remedy="plan with --templates and so on, or with another metric",
            )
        rows, source, contrast = _counted(study, chosen, groups)
        margin = study.measured[study.metrics[chosen]].margin
    else:
        evidence = evidence_of(study) if watch is None else evidence_of(study, watch=watch)
        contrast = _chosen(groups, evidence.contrasts(), study)
        rows, source = _judged(evidence, chosen, contrast)
        margin = study.rubrics[dimensions[chosen]].margin
    return Pilot(
        metric=chosen,
        contrast=contrast,
        cells=cell_means(rows),
        noise=estimate_noise(rows, contrast),
        source=source,
        margin=margin,
        level=study.statistics.interval,
    )


def _counted(study: Study, metric: str, groups: Sequence[str] | None) -> tuple[list[MetricRow], str, Contrast]:
    """A counted metric needs no judge, so a study that was never run can be planned with it."""
    replies = stages.read_replies_of(study)
    blinded = stages.blind(replies, study)
    evidence = Evidence(
        study=study,
        judge="",
        rubrics={},
        fingerprints={},
        design={reply.id: reply for reply in replies},
        results=blinded.results,
    )
    contrast = _chosen(groups, evidence.contrasts(), study)
    return evidence.measured_rows(stages.measure_all(blinded, study)[metric]), "counted in the replies", contrast


def _judged(evidence: Evidence, dimension: str, contrast: Contrast) -> tuple[list[MetricRow], str]:
    rubric, criterion = next((r, c) for _, r, c in evidence.criteria() if c.dimension == dimension)
    for verdict in calibrate(evidence):
        if isinstance(verdict, Calibrated) and verdict.dimension == dimension and verdict.contrast == contrast:
            return evidence.judged_rows(criterion), f"scores of {evidence.judge}, calibrated"
    people = evidence.human_rows(rubric, criterion)
    if not people:
        raise RefusedMetric(
            f"{dimension} is not calibrated, and nobody has labelled it",
            why="of a refused judge's scores nothing is reported by group, not even how they vary",
            remedy="label a sample first, or give --template-gap-sd, --name-sd and --residual-sd",
        )
    return people, "people's own scores, since the judge is refused"


def _two(groups: Sequence[str] | None, met: Sequence[str], path: Path) -> Contrast:
    chosen = list(groups or met)
    if len(chosen) != 2 or not set(chosen) <= set(met):
        raise UsageProblem(
            "a plan is for two groups",
            path=path,
            field="--groups",
            seen=", ".join(chosen),
            why=f"the table has {', '.join(met) or 'none'}",
            remedy="name two of them: --groups A,B",
        )
    return Contrast(chosen[0], chosen[1])


def _chosen(groups: Sequence[str] | None, contrasts: Sequence[Contrast], study: Study) -> Contrast:
    if groups is None:
        return contrasts[0]
    for contrast in contrasts:
        if {contrast.a, contrast.b} == set(groups):
            return contrast
    raise UsageProblem(
        "the study does not compare these groups",
        path=study.file,
        field="--groups",
        seen=", ".join(groups),
        why=f"it compares {', '.join(f'{c.a} with {c.b}' for c in contrasts)}",
        remedy="name two groups of one comparison",
    )
