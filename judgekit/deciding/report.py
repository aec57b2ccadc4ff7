"""All that there is to say of decisions, as one record and as one JSON document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from judgekit.deciding.against_wording import AgainstWording, against_wording, compared
from judgekit.deciding.answers import Answered
from judgekit.deciding.ask import Heard
from judgekit.deciding.candidates import CandidateChoice, candidate_choices
from judgekit.deciding.checks import Checked, check_answers
from judgekit.deciding.decided import (
    CellCounts,
    Claim,
    DecisionGap,
    TemplateRow,
    contrasts_of,
    control_noise,
    counts_by_group,
    decision_gap,
)
from judgekit.deciding.prompts_in import must_have_groups
from judgekit.records import Contrast, GapEstimate, Interval, Undefined
from judgekit.statistics.trend import NoiseFloor

__all__ = [
    "Decisions",
    "Wordings",
    "answer_rows",
    "check_document",
    "decision_document",
    "decisions_of",
    "wording_document",
    "wordings_of",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wordings:
    """The effect against rewording alone, and the checks that tell whether the measurement would notice."""

    against: tuple[AgainstWording, ...]
    checks: tuple[Checked, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """What was decided, and how far groups differ."""

    method: Literal["probabilities", "sampled"]
    why: str
    options: tuple[str, ...]
    heard: Heard
    counts: Mapping[tuple[str, str], CellCounts]
    gaps: tuple[DecisionGap, ...]
    candidates: tuple[CandidateChoice, ...]
    noise: Mapping[str, NoiseFloor]
    wordings: Wordings


def wordings_of(
    answers: Sequence[Answered], option: str, *, declared: Sequence[str] = (), alpha: float = 0.05, seed: int = 0
) -> Wordings:
    """Everything that there is to compare with rewording, and all checks.

    Parameters
    ----------
    answers : sequence of Answered
    option : str
        The first option.
    declared : sequence of str
        The order of groups.
    alpha : float
    seed : int

    Returns
    -------
    Wordings
        Checks of the probes that have variants only.
    """
    checked = dict.fromkeys(a.place.probe for a in answers if a.place.arm.kind in {"recall", "precision"})
    return Wordings(
        against=tuple(
            against_wording(answers, contrast, probe=probe, wording=kind, option=option, alpha=alpha, seed=seed)
            for probe, contrast, kind in compared(answers, declared)
        ),
        checks=tuple(check_answers(answers, probe=probe, option=option, alpha=alpha) for probe in checked),
    )


def decisions_of(
    heard: Heard,
    options: Sequence[str],
    *,
    groups: Sequence[str] | None = None,
    declared: Sequence[str] = (),
    margin: float | None = None,
    claim: Claim = "groups",
    level: float = 0.95,
    seed: int = 0,
) -> Decisions:
    """Compare groups in every option: of two in the first alone, since the other is its rest.

    Parameters
    ----------
    heard : Heard
    options : sequence of str
    groups : sequence of str, optional
        Only these.
    declared : sequence of str
        The order of groups otherwise.
    margin, claim, level, seed
        As `decided.decision_gap`.

    Returns
    -------
    Decisions

    Raises
    ------
    UsageProblem
        A group is asked for that no prompt has.
    """
    answers = heard.answers
    must_have_groups((answer.place for answer in answers), groups)
    reported = tuple(options[:1]) if len(options) == 2 else tuple(options)
    noise = {option: control_noise(answers, option, level=level, seed=seed) for option in reported}
    gaps = tuple(
        decision_gap(
            answers,
            contrast,
            probe=probe,
            option=option,
            noise=noise[option],
            margin=margin,
            claim=claim,
            level=level,
            seed=seed,
        )
        for probe, contrast in contrasts_of(answers, groups, declared)
        for option in reported
    )
    return Decisions(
        method=heard.method,
        why=heard.why,
        options=tuple(options),
        heard=heard,
        counts=counts_by_group(answers, options[0]),
        gaps=gaps,
        candidates=tuple(candidate_choices(answers, options, level=level, seed=seed)),
        noise=noise,
        wordings=wordings_of(answers, options[0], declared=groups or declared, alpha=1 - level, seed=seed),
    )


def answer_rows(heard: Heard) -> list[dict[str, Any]]:
    """One row for each place: where it stands, and what was decided there.

    Parameters
    ----------
    heard : Heard

    Returns
    -------
    list of dict
        ``p_OPTION`` is null where no option was met; an infinite ``logit`` is null, with ``logit_bound`` beside it.
    """
    rows = []
    for number, answer in enumerate(heard.answers, 1):
        place, cell = answer.place, answer.yes_no
        row: dict[str, Any] = {
            "id": f"d{number}",
            "template_id": place.unit_id,
            "probe": place.probe,
            "arm": place.arm.kind,
            "group": place.group,
            "name": place.name,
            "name_pair": place.name_pair,
            "case_type": place.case_type,
            "order": place.order,
            "method": heard.method,
            "answers": answer.n,
            "missing": dict(answer.missing),
        }
        if not isinstance(answer.shares, Undefined):
            row |= {f"p_{option}": share for option, share in answer.shares.items()}
        if cell is not None:
            finite = not isinstance(cell.logit, Undefined) and abs(cell.logit) != float("inf")
            row |= {
                "logit": cell.logit if finite else None,
                "logit_bound": _number(cell.logit_bound),
                "mass_not_listed": cell.mass_not_listed,
            }
        rows.append(row)
    return rows


# --- one document ---------------------------------------------------------------------------------------------------


def decision_document(found: Decisions, *, target: str) -> dict[str, Any]:
    """The whole as JSON: what does not exist is null, with the reason beside it where there is one.

    Parameters
    ----------
    found : Decisions
    target : str

    Returns
    -------
    dict
    """
    heard = found.heard
    return {
        "target": target,
        "parameters": dict(heard.parameters),
        "method": found.method,
        "why_sampled": found.why or None,
        "options": list(found.options),
        "places": len(heard.answers),
        "different_prompts": heard.texts,
        "calls": heard.cost.calls,
        "requests": heard.spent.calls,
        "failed": dict(heard.summary.failed),
        "cost": heard.spent.cost,
        "counts": [
            {"probe": probe, "group": None if group == "-" else group, **_counts(counts)}
            for (probe, group), counts in found.counts.items()
        ],
        "contrasts": [_gap(gap) for gap in found.gaps],
        "candidates": [_candidates(one) for one in found.candidates],
        "noise_floor": {option: floor.to_dict() for option, floor in found.noise.items() if floor.templates},
        "baselines": [wording_document(one) for one in found.wordings.against],
        "checks": [check_document(one) for one in found.wordings.checks],
    }


def _counts(counts: CellCounts) -> dict[str, Any]:
    return {
        "cells": counts.cells,
        "answered": counts.answered,
        "mean": counts.mean,
        "missing": dict(counts.missing),
        "infinite": counts.infinite,
        "bounded": counts.bounded,
        "unbounded": counts.unbounded,
        "mean_mass_not_listed": counts.unlisted,
    }


def _number(value: float | Undefined | None) -> float | None:
    return None if isinstance(value, Undefined) else value


def _estimate(estimate: GapEstimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    interval = estimate.interval
    return {
        "value": _number(estimate.value),
        "ci": [interval.low, interval.high] if isinstance(interval, Interval) else None,
        "level": interval.level if isinstance(interval, Interval) else None,
        "p": _number(estimate.p),
        "min_p": estimate.min_p,
        "method": estimate.method,
        "templates": estimate.templates,
        "n_a": estimate.n_a,
        "n_b": estimate.n_b,
        "undefined": next((str(v) for v in (estimate.value, interval) if isinstance(v, Undefined)), None),
    }


def _candidates(one: CandidateChoice) -> dict[str, Any]:
    ends = [
        [found.low, found.high] if isinstance(found, Interval) else None
        for found in (one.interval, one.position_interval)
    ]
    return {
        "probe": one.probe,
        "a": one.contrast.a,
        "b": one.contrast.b,
        "preference": _number(one.preference),
        "ci": ends[0],
        "p": _number(one.p),
        "position": _number(one.position),
        "position_ci": ends[1],
        "position_p": _number(one.position_p),
        "pairs": one.pairs,
        "incomplete": one.incomplete,
        "per_template": one.per_template,
    }


def _gap(gap: DecisionGap) -> dict[str, Any]:
    share = _estimate(gap.share) or {}
    return {
        "probe": gap.probe,
        "metric": f"p_{gap.option}",
        "a": gap.contrast.a,
        "b": gap.contrast.b,
        "claim": gap.claim,
        "estimates": {"raw": share["value"]},
        **{key: value for key, value in share.items() if key != "value"},
        "logit": _estimate(gap.logit),
        "failure_gap": _number(gap.failure_gap.value),
        "margin": gap.margin,
        "verdict": gap.verdict,
        "within_noise": None if isinstance(gap.within_noise, Undefined) else gap.within_noise,
        "per_template": [_template(row) for row in gap.per_template],
        "by_case_type": {case: _estimate(found) for case, found in gap.by_case_type.items()},
        "per_name": gap.per_name,
        "notes": list(gap.notes),
    }


def _template(row: TemplateRow) -> dict[str, Any]:
    logit = row.logit
    return {
        "template": row.template,
        "case_type": row.case_type,
        "p_a": row.a,
        "p_b": row.b,
        "gap": row.gap,
        "n_a": row.n_a,
        "n_b": row.n_b,
        "logit_gap": None if logit is None else _number(logit.value),
        "infinite": None if logit is None else logit.infinite,
        "bounded": None if logit is None else logit.bounded,
        "undefined": None if logit is None else logit.undefined,
    }


def wording_document(one: AgainstWording) -> dict[str, Any]:
    """One comparison with rewording as JSON."""
    change: dict[str, Any] | None = None
    if not isinstance(one.change, Undefined):
        tests = {"flip_rate": one.change.flip_rate, "mi": one.change.mutual_information, "phi": one.change.phi}
        change = {
            name: {
                "targeted": _number(test.targeted),
                "baseline": _number(test.baseline),
                "difference": _number(test.difference),
                "p": _number(test.p),
                "undefined": str(test.p) if isinstance(test.p, Undefined) else None,
            }
            for name, test in tests.items()
        }
    contrast: Contrast = one.contrast
    return {
        "probe": one.probe,
        "a": contrast.a,
        "b": contrast.b,
        "wording": one.wording,
        "option": one.option,
        "verdict": one.verdict,
        "why": one.why,
        "items": one.items,
        "templates": one.templates,
        "incomplete": one.incomplete,
        "no_majority": one.no_majority,
        "jsd": {"targeted": _number(one.targeted.mean_jsd), "baseline": _number(one.baseline.mean_jsd)},
        "kl": {
            "targeted": _number(one.targeted.mean_kl),
            "baseline": _number(one.baseline.mean_kl),
            "infinite_targeted": one.targeted.infinite_kl,
            "infinite_baseline": one.baseline.infinite_kl,
        },
        "excess": {
            "mean": _number(one.excess.mean),
            "t": _number(one.excess.t),
            "df": one.excess.df,
            "p": _number(one.excess.p),
        },
        "change": change,
        "difference_model": None if isinstance(one.difference, Undefined) else one.difference.to_dict(),
        "level_model": None if isinstance(one.level, Undefined) else one.level.to_dict(),
        "tokens": one.tokens.to_dict(),
        "sweep": [step.to_dict() for step in one.sweep],
        "notes": list(one.notes),
    }


def check_document(one: Checked) -> dict[str, Any]:
    """The checks of one probe as JSON."""
    return {
        "probe": one.probe,
        "recall": {
            "verdict": one.recall,
            "why": one.recall_why,
            "changed": _number(one.rates.recall),
            "n": one.rates.n_recall,
            "moved": _number(one.moved.mean),
            "p": _number(one.moved.p),
            "without_direction": one.undeclared,
        },
        "precision": {
            "verdict": one.precision,
            "why": one.precision_why,
            "changed": _number(one.rates.false_alarms),
            "n": one.rates.n_precision,
        },
        "control_flips": _number(one.control_flips),
        "controls": one.controls,
        "no_majority": one.no_majority,
        "incomplete": one.incomplete,
    }
