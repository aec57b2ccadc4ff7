"""Decisions compared between groups: gaps in probability and in log-odds, by template, case type and name."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean
from typing import Literal

from judgekit.deciding.answers import Answered, in_order, metric_rows
from judgekit.gate import GateVerdict, against_margin
from judgekit.records import Contrast, GapEstimate, MetricRow, Undefined
from judgekit.statistics.cells import cell_means
from judgekit.statistics.template_gaps import template_gaps
from judgekit.statistics.trend import NoiseFloor, noise_floor
from judgekit.statistics.two_way import failure_gap, group_gap
from judgekit.statistics.yes_no import LogitGap, YesNo, logit_gap

__all__ = [
    "CellCounts",
    "DecisionGap",
    "TemplateRow",
    "contrasts_of",
    "control_noise",
    "counts_by_group",
    "decision_gap",
]

Claim = Literal["groups", "these_names"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellCounts:
    """Different prompts of one group and what became of them.

    ``missing`` counts, by kind, prompts without any option. ``infinite`` cells list one of two answers only;
    ``bounded`` of them enter log-odds with the bound that the unlisted mass allows, ``unbounded`` cannot. ``unlisted``
    is the mean probability that stands on no listed token, ``mean`` that of the first option over answered prompts.
    """

    cells: int
    answered: int
    missing: Mapping[str, int]
    infinite: int
    bounded: int
    unbounded: int
    unlisted: float | None
    mean: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateRow:
    """One template of a contrast: shares of both groups, their gap, and the gap of log-odds."""

    template: str
    case_type: str | None
    a: float
    b: float
    gap: float
    n_a: int
    n_b: int
    logit: LogitGap | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionGap:
    """One contrast of one probe in one option, ``contrast.a`` minus ``contrast.b``.

    ``share`` is the gap in probability (or share of samples), ``logit`` the one in log-odds, None where it does not
    exist. ``within_noise`` is whether byte-identical prompts differ as much. ``per_template`` is sorted by gap.
    """

    probe: str
    option: str
    contrast: Contrast
    claim: Claim
    share: GapEstimate
    logit: GapEstimate | None
    failure_gap: GapEstimate
    margin: float | None
    verdict: GateVerdict
    within_noise: bool | Undefined
    per_template: tuple[TemplateRow, ...]
    by_case_type: Mapping[str, GapEstimate]
    per_name: Mapping[str, Mapping[str, float]]
    notes: tuple[str, ...] = ()


def contrasts_of(
    answers: Iterable[Answered], groups: Sequence[str] | None = None, declared: Sequence[str] = ()
) -> list[tuple[str, Contrast]]:
    """Pairs of groups of every probe; the first named minus the one named later.

    Parameters
    ----------
    answers : iterable of Answered
    groups : sequence of str, optional
        Only these, in this order.
    declared : sequence of str
        The order of groups otherwise; those that are not named follow by their names.

    Returns
    -------
    list of (str, Contrast)

    Examples
    --------
    >>> contrasts_of([])
    []
    """
    met: dict[str, set[str]] = defaultdict(set)
    for answer in answers:
        place = answer.place
        if place.arm.kind == "base" and place.group is not None and place.order is None:
            met[place.probe].add(place.group)
    found = []
    for probe, names in met.items():
        chosen = in_order(names, declared) if groups is None else [group for group in groups if group in names]
        found += [(probe, Contrast(a, b)) for a, b in combinations(chosen, 2)]
    return found


def counts_by_group(answers: Iterable[Answered], option: str) -> dict[tuple[str, str], CellCounts]:
    """What became of the prompts, by probe (or arm) and group.

    Parameters
    ----------
    answers : iterable of Answered
    option : str
        Whose mean share is given.

    Returns
    -------
    dict
        Keys are (probe, group); other arms stand as ``probe, arm``; ``-`` where there is no group.
    """
    by: dict[tuple[str, str], list[Answered]] = defaultdict(list)
    for answer in answers:
        place = answer.place
        probe = place.probe if place.arm.kind in {"base", "control"} else f"{place.probe}, {place.arm.kind}"
        by[probe, place.group or "-"].append(answer)
    return {key: _counts(found, option) for key, found in sorted(by.items())}


def _counts(found: Sequence[Answered], option: str) -> CellCounts:
    cells = [answer.yes_no for answer in found if answer.yes_no is not None]
    infinite = [cell for cell in cells if _infinite(cell)]
    bounded = sum(not isinstance(cell.logit_bound, Undefined) for cell in infinite)
    shares = [answer.shares[option] for answer in found if not isinstance(answer.shares, Undefined)]
    missing: Counter[str] = Counter()
    for answer in found:
        if isinstance(answer.shares, Undefined):
            missing[max(answer.missing, key=lambda kind: answer.missing[kind], default="none")] += 1
    return CellCounts(
        cells=len(found),
        answered=len(found) - missing.total(),
        missing=dict(sorted(missing.items())),
        infinite=len(infinite),
        bounded=bounded,
        unbounded=len(infinite) - bounded,
        unlisted=fmean(cell.mass_not_listed for cell in cells) if cells else None,
        mean=fmean(shares) if shares else None,
    )


def _infinite(cell: YesNo) -> bool:
    return not isinstance(cell.logit, Undefined) and math.isinf(cell.logit)


def control_noise(answers: Iterable[Answered], option: str, *, level: float = 0.95, seed: int = 0) -> NoiseFloor:
    """What two byte-identical prompts differ by, over templates.

    Parameters
    ----------
    answers : iterable of Answered
    option : str
    level : float
    seed : int

    Returns
    -------
    NoiseFloor
        Without control pairs: no limit.

    Examples
    --------
    >>> control_noise([], "yes").templates
    0
    """
    pairs: dict[tuple[str, str | None], list[tuple[str, float]]] = defaultdict(list)
    for answer in answers:
        place = answer.place
        if place.arm.kind == "control" and not isinstance(answer.shares, Undefined):
            pairs[place.unit_id, place.name_pair].append((place.side or "", answer.shares[option]))
    by_template: dict[str, list[float]] = defaultdict(list)
    for (template, _), sides in pairs.items():
        if len(sides) == 2:
            (_, first), (_, second) = sorted(sides)
            by_template[template].append(first - second)
    return noise_floor([fmean(gaps) for gaps in by_template.values()], level=level, seed=seed)


def decision_gap(
    answers: Sequence[Answered],
    contrast: Contrast,
    *,
    probe: str,
    option: str,
    noise: NoiseFloor,
    margin: float | None = None,
    claim: Claim = "groups",
    level: float = 0.95,
    seed: int = 0,
) -> DecisionGap:
    """Compare two groups in one option, with templates and names as samples.

    Parameters
    ----------
    answers : sequence of Answered
    contrast : Contrast
    probe : str
    option : str
    noise : NoiseFloor
        From `control_noise`.
    margin : float, optional
        In probability.
    claim, level, seed
        As `statistics.two_way.group_gap`.

    Returns
    -------
    DecisionGap

    Examples
    --------
    >>> from judgekit.deciding.answers import Place
    >>> def one(t, group, p):
    ...     return Answered(place=Place(probe="name", unit_id=t, group=group, name=group), shares={"yes": p, "no": 1 - p}, n=1)
    >>> asked = [one(f"t{k}", g, 0.5 + k / 50 * (g == "a")) for k in range(6) for g in "ab"]
    >>> found = decision_gap(asked, Contrast("a", "b"), probe="name", option="yes", noise=control_noise(asked, "yes"))
    >>> round(found.share.value, 3), found.per_template[0].template
    (0.05, 't0')
    """
    wanted = {contrast.a, contrast.b}
    used = [
        a
        for a in answers
        if a.place.probe == probe and a.place.arm.kind == "base" and a.place.group in wanted and a.place.order is None
    ]
    rows = metric_rows(used, option)
    how = {"claim": claim, "level": level, "seed": seed}
    cells = cell_means(rows)
    share = group_gap(cells, contrast, **how)  # type: ignore[arg-type]
    logit, notes = _logit(used, option, contrast, how)
    kinds = sorted({row.case_type for row in rows if row.case_type})
    by_case = {kind: _of_case(rows, kind, contrast, how) for kind in kinds} if len(kinds) > 1 else {}
    return DecisionGap(
        probe=probe,
        option=option,
        contrast=contrast,
        claim=claim,
        share=share,
        logit=logit,
        failure_gap=failure_gap(cells, contrast, **how),  # type: ignore[arg-type]
        margin=margin,
        verdict=against_margin(share, margin),
        within_noise=noise.covers(share.value),
        per_template=_per_template(used, rows, option, contrast),
        by_case_type=by_case,
        per_name=template_gaps(cells, contrast).per_name,
        notes=(*share.notes, *notes),
    )


def _of_case(rows: Sequence[MetricRow], kind: str, contrast: Contrast, how: Mapping[str, object]) -> GapEstimate:
    return group_gap([row for row in rows if row.case_type == kind], contrast, **how)  # type: ignore[arg-type]


def _signed(answer: Answered, option: str) -> YesNo | None:
    """Log-odds of the option: those of the first one, with the other sign for the second."""
    cell = answer.yes_no
    if cell is None or isinstance(answer.shares, Undefined) or option == next(iter(answer.shares)):
        return cell
    turned = {
        name: value if isinstance(value, Undefined) else -value
        for name, value in (("logit", cell.logit), ("logit_bound", cell.logit_bound))
    }
    return replace(cell, mass_yes=cell.mass_no, mass_no=cell.mass_yes, **turned)  # type: ignore[arg-type]


def _logit(
    used: Sequence[Answered], option: str, contrast: Contrast, how: Mapping[str, object]
) -> tuple[GapEstimate | None, list[str]]:
    """The gap in log-odds. A template with an infinite cell that has no bound has no gap, and is left out, counted."""
    if all(answer.yes_no is None for answer in used):
        return None, []
    rows: list[MetricRow] = []
    without: set[str] = set()
    bounded = 0
    for number, answer in enumerate(used):
        cell, place = _signed(answer, option), answer.place
        value = None if cell is None or isinstance(cell.logit_bound, Undefined) else cell.logit_bound
        if cell is not None and _infinite(cell):
            bounded += value is not None
            if value is None:
                without.add(place.unit_id)
        rows.append(
            MetricRow(
                item=str(number),
                unit_id=place.unit_id,
                group=place.group,
                name=place.name,
                value=value,
                missing=None if value is not None else "no_logit",
                name_pair=place.name_pair,
            )
        )
    notes = []
    if bounded:
        notes.append(
            f"{bounded} of {len(used)} cells list one answer only: in log-odds they stand with the bound that the unlisted "
            "probability allows, and are further from 0 than that"
        )
    if without:
        notes.append(f"{len(without)} templates have no gap in log-odds: an infinite cell without a bound")
    return group_gap([row for row in rows if row.unit_id not in without], contrast, **how), notes  # type: ignore[arg-type]


def _per_template(
    used: Sequence[Answered], rows: Sequence[MetricRow], option: str, contrast: Contrast
) -> tuple[TemplateRow, ...]:
    """Both groups' shares by template, as means of names' means, so that they give the template's gap."""
    means: dict[tuple[str, str], dict[str | None, list[float]]] = defaultdict(lambda: defaultdict(list))
    cases: dict[str, str | None] = {}
    logits: dict[tuple[str, str], list[YesNo]] = defaultdict(list)
    for row in rows:
        if row.unit_id is not None and row.group is not None and row.value is not None:
            means[row.unit_id, row.group][row.name].append(row.value)
            cases[row.unit_id] = row.case_type
    for answer in used:
        if (cell := _signed(answer, option)) is not None:
            logits[answer.place.unit_id, answer.place.group or ""].append(cell)
    found = []
    for template, case in cases.items():
        sides = [means.get((template, group)) for group in (contrast.a, contrast.b)]
        if sides[0] is None or sides[1] is None:
            continue
        a, b = (fmean(fmean(values) for values in side.values()) for side in sides if side is not None)
        n_a, n_b = (sum(map(len, side.values())) for side in sides if side is not None)
        of_a, of_b = logits.get((template, contrast.a), []), logits.get((template, contrast.b), [])
        logit = logit_gap(of_a, of_b, use_bounds=True) if of_a or of_b else None
        found.append(TemplateRow(template=template, case_type=case, a=a, b=b, gap=a - b, n_a=n_a, n_b=n_b, logit=logit))
    return tuple(sorted(found, key=lambda row: (row.gap, row.template)))
