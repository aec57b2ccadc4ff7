"""What a certificate says: which judge, on which texts, agreed how well with whom, decided by whom and when."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judgekit.files.json_text import dumps, to_jsonable
from judgekit.findings import Findings, GroupKappa, ReferenceFacts
from judgekit.gaps import READ_BY_MODEL
from judgekit.injection.results import injection_document
from judgekit.records import BLINDING_VERSION, Calibrated, Contrast, Interval, Refused, Undefined
from judgekit.reporting.machine import calibration_document, swap_document

__all__ = ["SCHEMA", "Rested", "certificate_document", "content_hash"]

SCHEMA = "judgekit-certificate/1"
_DIGITS = 6  # sums differ in their last digits between versions of numpy; a certificate must not


@dataclass(frozen=True, slots=True, kw_only=True)
class Rested:
    """What lies on disk beneath a certificate, by its hash.

    ``inputs`` are the study's files (replies, prompt, anchors), ``run_files`` those of the run folder, ``rubrics`` map the
    study's key to the rubric's id and hash; ``labels`` an annotator to the hash of the last line of the label file;
    ``seals`` counts the seals, ``seal`` is the last one's hash, ``first_seal`` the first one's.
    """

    run: str
    inputs: Mapping[str, str]
    run_files: Mapping[str, str]
    rubrics: Mapping[str, Mapping[str, str]]
    labels: Mapping[str, str]
    seals: int
    first_seal: str | None
    seal: str | None


def certificate_document(findings: Findings, rested: Rested) -> dict[str, Any]:
    """The certificate of a run.

    Parameters
    ----------
    findings : Findings
        Recomputed from ledger, labels and seals.
    rested : Rested

    Returns
    -------
    dict
        Plain values, numbers rounded to six decimals; ``content_sha256`` is over all the rest but ``when``,
        which holds times and the hashes that follow from them. No gap and no mean of a
        judged score stands in it; of a refused metric only its reasons and its agreement with people over all texts.
    """
    study = findings.study
    document = {
        "schema": SCHEMA,
        "study": {
            "name": study["study"],
            "hash": findings.study_hash,
            "stage": study["stage"],
            "design": study["data"]["design"],
            "claim": (study.get("groups") or {}).get("claim"),
            "system": study["system"],
        },
        "judge": {
            "id": findings.judging.judge,
            "fingerprints": findings.judging.fingerprints,
            "settings": {key: study["judge"][key] for key in ("temperature", "max_tokens", "repeats", "score")},
            "dropped": findings.judging.dropped,
            "languages": findings.judging.languages,
        },
        "rubrics": rested.rubrics,
        "data": {"inputs": rested.inputs, "run_files": rested.run_files},
        "labels": _labels(findings),
        "metrics": [
            *(_metric(c, findings) for c in findings.calibrated),
            *(_metric(r, findings) for r in findings.refused),
        ],
        # No gap stands here; but whoever reads the study's metrics must know which of them nobody has checked.
        "read_by_model": {
            name: READ_BY_MODEL for name, block in sorted(study["measured"].items()) if block.get("kind") == "extracted"
        },
        "swap_test": _swaps(findings),
        "position_bias": _position(findings),
        "injection": _injection(findings),
        "blinding": _blinding(findings),
        "decided": _decided(findings, rested),
        # As in the manifest: all that differs between two equal runs of equal studies.
        "when": {
            "run": rested.run,
            "sealed_at": findings.sealed_at,
            "first_seal": rested.first_seal,
            "seal_in_force": rested.seal,
            "label_heads": rested.labels,
        },
    }
    plain = _rounded(to_jsonable(document))
    return {**plain, "content_sha256": content_hash(plain)}


def content_hash(document: Mapping[str, Any]) -> str:
    """SHA-256 of a certificate's content, itself and ``when`` left out: the same for two equal runs.

    Parameters
    ----------
    document : mapping
        Plain values.

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> content_hash({"n": 1}) == content_hash({"n": 1, "content_sha256": "0"})
    True
    """
    rest = {key: value for key, value in document.items() if key not in {"content_sha256", "when"}}
    return hashlib.sha256(dumps(rest).encode("utf-8")).hexdigest()


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS) + 0.0
    if isinstance(value, dict):
        return {key: _rounded(entry) for key, entry in value.items()}
    return [_rounded(entry) for entry in value] if isinstance(value, list) else value


def _ci(interval: Interval | Undefined) -> Any:
    return interval if isinstance(interval, Undefined) else [interval.low, interval.high]


def _labels(f: Findings) -> dict[str, Any]:
    return {
        "texts": f.labels.texts,
        "stale": f.labels.stale,
        "per_annotator": f.labels.per_annotator,
        "scope": f.study["labels"]["scope"],
        "reference": f.study["labels"]["reference"],
        "anchors": f.labels.anchors,
    }


def _metric(verdict: Calibrated | Refused, f: Findings) -> dict[str, Any]:
    stands = (
        calibration_document((), (verdict,)) if isinstance(verdict, Refused) else calibration_document((verdict,), ())
    )
    said = stands["refused" if isinstance(verdict, Refused) else "calibrated"][0]
    reference = next((r for r in f.references if r.dimension == verdict.dimension), None)
    common = {
        "metric": verdict.dimension,
        "contrast": said["contrast"],
        "agreement": reference and _agreement(reference),
        "human_ceiling": f.human_kappa.get(verdict.dimension),
    }
    if isinstance(verdict, Refused):
        # Per group it would say how the judge treats each of them, which is what is withheld.
        return common | {"verdict": "refused", "reasons": said["reasons"]}
    return common | {
        "verdict": "calibrated",
        "conditions": verdict.conditions,
        "agreement_by_group": {} if reference is None else _by_group(reference, verdict.contrast),
        "with_each_person": [
            {"person": a.b, "by": a.by, "n": a.n, "kappa": a.kappa, "ci": _ci(a.interval), "lower": a.lower}
            for a in f.agreement
            if a.dimension == verdict.dimension and a.a == f.judging.judge and a.by is None
        ],
        "checks": {k: v for k, v in verdict.evidence.items() if k != "digest"},
        "publish_raw": verdict.publish_raw,
    }


def _agreement(r: ReferenceFacts) -> dict[str, Any]:
    return {
        "kappa": r.kappa,
        "ci": _ci(r.interval),
        "lower": r.lower,
        "n": r.n,
        "people": r.people,
        "reference": r.how,
        "units": r.units,
        "unit": r.unit,
    }


def _by_group(r: ReferenceFacts, contrast: Contrast | None) -> dict[str, Any]:
    def row(found: GroupKappa) -> dict[str, Any]:
        return {"kappa": found.kappa, "ci": _ci(found.interval), "lower": found.lower, "n": found.n}

    groups = () if contrast is None else (contrast.a, contrast.b)
    return {group: row(r.by_group[group]) for group in groups if group in r.by_group}


def _swaps(f: Findings) -> dict[str, Any]:
    rows = [{k: v for k, v in row.items() if k != "per_name"} for row in swap_document(f.swap)["results"]]
    return {"results": rows, "note": f.swap_note}


def _position(f: Findings) -> Any:
    if not f.pair_swap:
        return "not run (swap_test.pairs)"
    return [
        {"dimension": p.dimension, "position": p.position, "ci": _ci(p.position_interval), "n": p.n, "ties": p.ties}
        for p in f.pair_swap
    ]


def _injection(f: Findings) -> Any:
    if not f.injection:
        return "not run (judge.injection)"
    rows = injection_document(f.injection)["results"]
    return [{k: v for k, v in row.items() if k != "cases"} for row in rows]


def _blinding(f: Findings) -> dict[str, Any]:
    b = f.blinding
    return {
        "version": BLINDING_VERSION,
        "settings": f.study["blinding"],
        "in": b.n_in,
        "verified": b.verified,
        "withheld": b.withheld,
        "by_group": b.by_group,
        "codes": b.codes,
        "siblings_identical": b.siblings,
        "sibling_sets": b.sibling_sets,
    }


def _decided(f: Findings, rested: Rested) -> dict[str, Any]:
    return {
        "by": f.decided_by,
        "on": f.study["decided"]["date"],
        "seals": rested.seals,
        "later_edits": f.later_edits,
        "thresholds": f.study["calibration"],
        "swap_test": f.study["swap_test"],
        "rubrics": f.study["rubrics"],
        "measured": f.study["measured"],
        "margins_in_force": {g.metric: g.margin for g in f.gaps},
    }
