"""Agreement as one JSON document: pairs with their tables, people among themselves, every rater, planned looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from judgekit.agreement.agree import AgreementReport
from judgekit.agreement.budget import LookPlan
from judgekit.agreement.everyone import Everyone
from judgekit.agreement.kappa import kappa_from_table
from judgekit.agreement.raters import Estimate
from judgekit.records import Agreement, Interval, Undefined

__all__ = ["agreement_document", "everyone_document", "looks_document"]


def _value(value: Any) -> Any:
    return None if isinstance(value, Undefined) else value


def _ends(value: Interval | Undefined | None) -> list[float] | None:
    return [value.low, value.high] if isinstance(value, Interval) else None


def agreement_document(report: AgreementReport) -> dict[str, Any]:
    """The document that checks read: one row per pair, dimension and value of ``by``.

    Parameters
    ----------
    report : AgreementReport

    Returns
    -------
    dict
        Keys ``pairs``, ``against_people``, ``human_ceiling``, ``level``. ``table`` counts ``a`` in rows and ``b`` in columns;
        ``marginals`` are its sums. The prevalence and bias index exist for two levels; they are null otherwise.
    """
    ceiling = {
        f"{c.dimension}" if c.by is None else f"{c.dimension}|{c.by}": {
            "kappa": _value(c.kappa),
            "undefined": str(c.kappa) if isinstance(c.kappa, Undefined) else None,
            "n": c.n,
            "pairs": c.pairs,
            "alpha": _value(c.alpha),
        }
        for c in report.ceilings
    }
    against = [
        {
            "dimension": x.dimension,
            "by": x.by,
            "kappa": _value(x.result.value),
            "kappa_lower": _value(x.result.lower),
            "kappa_ci": _ends(x.result.interval),
            "n": x.result.n,
            "units": x.result.units,
            "unit": x.result.unit,
            "reference": x.result.reference,
            "undefined": str(x.result.value) if isinstance(x.result.value, Undefined) else None,
        }
        for x in report.against_people
    ]
    return {
        "pairs": [_pair(a) for a in report.pairs],
        "against_people": against,
        "human_ceiling": ceiling,
        "level": report.level,
    }


def _pair(a: Agreement) -> dict[str, Any]:
    indices: dict[str, Any] = {"prevalence_index": None, "bias_index": None, "pabak": None}
    if len(a.levels) == 2 and a.table:
        found = kappa_from_table(np.array(a.table, dtype=np.int64), a.levels)
        indices = {key: _value(getattr(found, key)) for key in indices}
    return {
        "dimension": a.dimension,
        "a": a.a,
        "b": a.b,
        "by": a.by,
        "n": a.n,
        "missing": a.missing,
        "kappa": _value(a.kappa),
        "kappa_ci": _ends(a.interval),
        "kappa_lower": _value(a.lower),
        "kappa_bootstrap_ci": _ends(a.bootstrap if isinstance(a.bootstrap, Interval) else None),
        "se": _value(a.se),
        "weights": a.weights,
        "spearman": _value(a.spearman),
        "percent": _value(a.percent),
        "percent_ci": _ends(a.percent_interval),
        "ac": _value(a.ac),
        "bias": _value(a.bias),
        "table": a.table,
        "levels": a.levels,
        "marginals": {"a": [sum(row) for row in a.table], "b": [sum(column) for column in zip(*a.table, strict=True)]},
        **indices,
        "undefined": {
            name: str(value)
            for name, value in (("kappa", a.kappa), ("kappa_lower", a.lower), ("spearman", a.spearman))
            if isinstance(value, Undefined)
        },
    }


def _estimate(found: Estimate) -> dict[str, Any]:
    return {
        "value": _value(found.value),
        "ci": _ends(found.interval if isinstance(found.interval, Interval) else None),
        "n": found.n,
        "undefined": str(found.value) if isinstance(found.value, Undefined) else None,
    }


def everyone_document(found: Sequence[Everyone]) -> list[dict[str, Any]]:
    """Every rater, dimension by dimension.

    Parameters
    ----------
    found : sequence of Everyone

    Returns
    -------
    list of dict
        Keys ``dimension, alpha, bias, drift, leave_one_out``.
    """
    rows = []
    for one in found:
        left: dict[str, Any] = {"undefined": str(one.left_out)}
        if not isinstance(one.left_out, Undefined):
            out = one.left_out
            left = {
                "people": _value(out.people),
                "judge": _value(out.judge),
                "difference": _value(out.difference),
                "ci": _ends(out.interval if isinstance(out.interval, Interval) else None),
                "lower": _value(out.lower),
                "units": out.units,
                "persons": [
                    {
                        "person": p.person,
                        "people": _value(p.people),
                        "judge": _value(p.judge),
                        "difference": _value(p.difference),
                        "ci": _ends(p.interval if isinstance(p.interval, Interval) else None),
                    }
                    for p in out.persons
                ],
            }
        bias, drift = one.bias, one.drift
        rows.append(
            {
                "dimension": one.dimension,
                "alpha": _value(one.alpha.value),
                "bias": None if isinstance(bias, Undefined) else [{"rater": b.rater} | _estimate(b.bias) for b in bias],
                "drift_per_100": None
                if drift is None or isinstance(drift, Undefined)
                else [{"rater": d.rater} | _estimate(d.per_100) for d in drift],
                "leave_one_out": left,
            }
        )
    return rows


def looks_document(plan: LookPlan, decided: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Planned looks and what may be said at the present one.

    Parameters
    ----------
    plan : LookPlan
    decided : mapping
        By dimension: what `cli.agree` found at the present number of texts.

    Returns
    -------
    dict
    """
    return {
        "plan": [{"n": x.n, "spent": x.spent, "level": x.level} for x in plan.looks],
        "alpha": plan.alpha,
        "spending": plan.spending,
        "now": {key: dict(value) for key, value in decided.items()},
    }
