"""The report as one JSON document with a stated schema version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from judgekit.findings import BlindingFacts, Findings, JudgingFacts, ReferenceFacts
from judgekit.gaps import HumanGap, MetricMean
from judgekit.injection.results import injection_document
from judgekit.records import Calibrated, Gap, GapEstimate, Refused, SwapResult, Undefined
from judgekit.reporting.influence import influence_document
from judgekit.swapping.pair_results import PairSwapResult, pair_swap_document

__all__ = [
    "SCHEMA",
    "calibration_document",
    "estimate_document",
    "gap_document",
    "gaps_document",
    "means_document",
    "report_document",
    "swap_document",
]

SCHEMA = "judgekit-report/1"


def _interval(estimate: GapEstimate | None) -> list[float] | None:
    if estimate is None or isinstance(estimate.interval, Undefined):
        return None
    return [estimate.interval.low, estimate.interval.high]


def estimate_document(estimate: GapEstimate | None) -> dict[str, Any] | None:
    """One estimate with its interval, p, method and what it rests on; None where there is none."""
    if estimate is None:
        return None
    return {
        "value": estimate.value,
        "ci": _interval(estimate),
        "level": None if isinstance(estimate.interval, Undefined) else estimate.interval.level,
        "undefined": str(estimate.value)
        if isinstance(estimate.value, Undefined)
        else (str(estimate.interval) if isinstance(estimate.interval, Undefined) else None),
        "p": estimate.p,
        "min_p": estimate.min_p,
        "method": estimate.method,
        "df": estimate.df,
        "templates": estimate.templates,
        "names_a": estimate.names_a,
        "names_b": estimate.names_b,
        "n_a": estimate.n_a,
        "n_b": estimate.n_b,
        "notes": list(estimate.notes),
    }


def gap_document(gap: Gap) -> dict[str, Any]:
    """One gap with the keys that checks read; ``ci``, ``p`` and counts are those of the estimate that counts.

    Parameters
    ----------
    gap : Gap

    Returns
    -------
    dict
        ``estimates`` holds ``raw``, ``corrected`` and ``human_only``; null where they do not apply or may not be shown.
    """
    main = gap.main
    return {
        "metric": gap.metric,
        "a": gap.contrast.a,
        "b": gap.contrast.b,
        "claim": gap.claim,
        "kind": gap.kind,
        "role": gap.role,
        "estimates": {
            "raw": gap.raw and gap.raw.value,
            "corrected": gap.corrected and gap.corrected.value,
            "human_only": gap.human_only and gap.human_only.value,
        },
        "details": {
            "raw": estimate_document(gap.raw),
            "corrected": estimate_document(gap.corrected),
            "human_only": estimate_document(gap.human_only),
        },
        "ci": _interval(main),
        "level": None if main is None or isinstance(main.interval, Undefined) else main.interval.level,
        "p": main and main.p,
        "adjusted_p": gap.adjusted_p,
        "min_p": main and main.min_p,
        "method": main and main.method,
        "templates": main and main.templates,
        "n_a": main and main.n_a,
        "n_b": main and main.n_b,
        "in_a": gap.rows and gap.rows.in_a,
        "in_b": gap.rows and gap.rows.in_b,
        "missing_a": gap.rows and gap.rows.missing_a,
        "missing_b": gap.rows and gap.rows.missing_b,
        "failure_gap": gap.failure_gap.value,
        "failure_gap_ci": _interval(gap.failure_gap),
        "margin": gap.margin,
        "verdict": gap.verdict,
        "direction": gap.direction,
        "per_template": gap.per_template,
        "per_name": gap.per_name,
        "influence": influence_document(gap.influence),
        "notes": list(gap.notes),
        **({"missing_kinds": gap.missing_kinds} if gap.missing_kinds else {}),
        **({"noise_floor": asdict(gap.noise)} if gap.noise is not None else {}),
    }


def _refusals(refused: tuple[Refused, ...]) -> list[dict[str, Any]]:
    return [
        {
            "metric": r.dimension,
            "judge": r.judge,
            "contrast": r.contrast and {"a": r.contrast.a, "b": r.contrast.b},
            "reasons": [
                {
                    "code": x.code,
                    "value": x.value,
                    "threshold": x.threshold,
                    "remedy": x.remedy,
                    "more_labels": x.more_labels,
                }
                for x in r.reasons
            ],
        }
        for r in refused
    ]


def calibration_document(calibrated: tuple[Calibrated, ...], refused: tuple[Refused, ...]) -> dict[str, Any]:
    """Verdicts on every judged dimension and contrast.

    Parameters
    ----------
    calibrated : tuple of Calibrated
    refused : tuple of Refused

    Returns
    -------
    dict
        Keys ``calibrated`` and ``refused``.
    """
    return {
        "calibrated": [
            {
                "metric": c.dimension,
                "judge": c.judge,
                "contrast": c.contrast and {"a": c.contrast.a, "b": c.contrast.b},
                "evidence": dict(c.evidence),
                "conditions": list(c.conditions),
            }
            for c in calibrated
        ],
        "refused": _refusals(refused),
    }


def _human(gaps: tuple[HumanGap, ...]) -> list[dict[str, Any]]:
    return [
        {"metric": g.dimension, "a": g.contrast.a, "b": g.contrast.b, "estimate": estimate_document(g.estimate)}
        for g in gaps
    ]


def gaps_document(
    gaps: tuple[Gap, ...], refused: tuple[Refused, ...], human: tuple[HumanGap, ...] = ()
) -> dict[str, Any]:
    """Gaps, refusals and the human-only gaps, which are always there.

    Parameters
    ----------
    gaps : tuple of Gap
    refused : tuple of Refused
    human : tuple of HumanGap

    Returns
    -------
    dict
        Keys ``contrasts``, ``refused`` and ``human_only``.
    """
    return {"contrasts": [gap_document(g) for g in gaps], "refused": _refusals(refused), "human_only": _human(human)}


def means_document(means: tuple[MetricMean, ...]) -> list[dict[str, Any]]:
    """Means of the counted metrics of a study without groups.

    Parameters
    ----------
    means : tuple of MetricMean

    Returns
    -------
    list of dict
        Keys ``metric, mean, ci, level, n, missing, units, unit``.
    """
    return [
        {
            "metric": m.metric,
            "mean": m.estimate.value,
            "ci": None
            if isinstance(m.estimate.interval, Undefined)
            else [m.estimate.interval.low, m.estimate.interval.high],
            "level": None if isinstance(m.estimate.interval, Undefined) else m.estimate.interval.level,
            "n": m.estimate.n,
            "missing": m.missing,
            "units": m.estimate.units,
            "unit": m.estimate.unit,
        }
        for m in means
    ]


def swap_document(results: tuple[SwapResult, ...], pairs: tuple[PairSwapResult, ...] = ()) -> dict[str, Any]:
    """Results of the swap test with the keys that checks read.

    Parameters
    ----------
    results : tuple of SwapResult
    pairs : tuple of PairSwapResult

    Returns
    -------
    dict
        Keys ``results`` and ``pairs``.
    """
    return {
        "pairs": pair_swap_document(pairs),
        "results": [
            {
                "judge": s.judge,
                "dimension": s.dimension,
                "a": s.contrast.a,
                "b": s.contrast.b,
                "shift": s.shift,
                "ci": None if isinstance(s.interval, Undefined) else [s.interval.low, s.interval.high],
                "control_shift": s.control_shift,
                "control_ci": None
                if isinstance(s.control_interval, Undefined)
                else [s.control_interval.low, s.control_interval.high],
                "paraphrase_shift": s.paraphrase_shift,
                "paraphrase_ci": None
                if isinstance(s.paraphrase_interval, Undefined)
                else [s.paraphrase_interval.low, s.paraphrase_interval.high],
                "paraphrase_changed": s.paraphrase_changed,
                "paraphrase_n": s.paraphrase_n,
                "paraphrase_tokens": s.paraphrase_tokens,
                "name_tokens": s.name_tokens,
                "excess": s.excess,
                "excess_ci": None
                if isinstance(s.excess_interval, Undefined)
                else [s.excess_interval.low, s.excess_interval.high],
                "score_kind": s.score_kind,
                "changed": s.changed,
                "control_changed": s.control_changed,
                "spread": s.spread,
                "n": s.n,
                "unscored": s.unscored,
                "margin": s.margin,
                "verdict": s.verdict,
                "why": s.why,
                "per_name": dict(s.per_name),
            }
            for s in results
        ],
    }


def _without_group_scores(findings: Findings) -> list[dict[str, Any]]:
    rows = []
    for a in findings.agreement:
        row: dict[str, Any] = {
            "dimension": a.dimension,
            "a": a.a,
            "b": a.b,
            "by": a.by,
            "n": a.n,
            "missing": a.missing,
            "kappa": a.kappa,
            "kappa_ci": None if isinstance(a.interval, Undefined) else [a.interval.low, a.interval.high],
            "kappa_lower": a.lower,
            "weights": a.weights,
            "percent": a.percent,
            "spearman": a.spearman,
        }
        rows.append(row)
    return rows


def _blinding(facts: BlindingFacts) -> dict[str, Any]:
    return {
        "in": facts.n_in,
        "verified": facts.verified,
        "withheld": facts.withheld,
        "by_group": {k: dict(v) for k, v in facts.by_group.items()},
        "codes": dict(facts.codes),
        "siblings_identical": facts.siblings,
        "sibling_sets": facts.sibling_sets,
    }


def _judging(facts: JudgingFacts) -> dict[str, Any]:
    return {
        "judge": facts.judge,
        "dropped": list(facts.dropped),
        "fingerprint": dict(facts.fingerprint),
        "counts": {d: {g: dict(c) for g, c in by.items()} for d, by in facts.counts.items()},
        "outside_scale": {d: dict(found) for d, found in facts.outside_scale.items()},
    }


def _references(references: tuple[ReferenceFacts, ...]) -> list[dict[str, Any]]:
    return [
        {
            "dimension": r.dimension,
            "kappa": r.kappa,
            "kappa_lower": r.lower,
            "n": r.n,
            "people": r.people,
            "reference": r.how,
            "units": r.units,
            "unit": r.unit,
        }
        for r in references
    ]


def report_document(findings: Findings) -> dict[str, Any]:
    """Everything a report says, as plain values.

    Parameters
    ----------
    findings : Findings

    Returns
    -------
    dict
        ``schema`` names the form and its version. Judged numbers stand in it only where they are calibrated;
        agreement by group leaves out marginals and signed differences, which would give a refused gap away, and
        `Findings.agreement` has none of a refused judge by group.
    """
    groups: Mapping[str, Any] = findings.study.get("groups") or {}
    return {
        "schema": SCHEMA,
        "study": {
            "name": findings.study["study"],
            "stage": findings.study["stage"],
            "hash": findings.study_hash,
            "system": findings.study["system"],
            "attribute": groups.get("attribute"),
            "not_tested": groups.get("not_tested", []),
            "claim": groups.get("claim"),
            "names_chosen_by": groups.get("names_chosen_by"),
            "design": findings.study["data"]["design"],
        },
        "decided": {
            "by": findings.decided_by,
            "sealed_on": findings.sealed_at and findings.sealed_at[:10],
            "thresholds": findings.study["calibration"],
            "swap_test": findings.study["swap_test"],
            "later_edits": [dict(e) for e in findings.later_edits],
        },
        "blinding": _blinding(findings.blinding),
        "judging": _judging(findings.judging),
        "swap_test": swap_document(findings.swap, findings.pair_swap) | {"note": findings.swap_note},
        "injection": injection_document(findings.injection)["results"],
        "labels": {
            "per_annotator": dict(findings.labels.per_annotator),
            "texts": findings.labels.texts,
            "stale": findings.labels.stale,
        },
        "agreement": _without_group_scores(findings),
        "human_kappa": dict(findings.human_kappa),
        "calibration": calibration_document(findings.calibrated, findings.refused),
        "references": _references(findings.references),
        "gaps": gaps_document(findings.gaps, findings.refused, findings.human_gaps),
        "means": means_document(findings.means),
        "gate": findings.gate,
        "quotes": [asdict(quote) for quote in findings.quotes],
        "next_steps": list(findings.next_steps),
        "owner": findings.study["report"].get("owner"),
        "due": findings.study["report"].get("due"),
        "notes": list(findings.notes),
        "versions": dict(findings.versions),
    }
