"""Is a certificate true? Everything in it is computed again from the study's files, and every difference is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from judgekit.certificates.folder import certificate_of, differences, input_hashes, read_certificate
from judgekit.errors import BadInput, RefusedMetric
from judgekit.files.manifest import read_manifest
from judgekit.findings import Findings
from judgekit.pipeline import assess_study
from judgekit.study import Study, load_study

__all__ = ["check_certificate", "study_beside"]

Watch = Callable[[str, int, int | None], None]


def _silent(stage: str, done: int, total: int | None) -> None:
    """Nobody watches."""


def study_beside(run: Path) -> Study:
    """The study file of a run folder as it is now, changed since or not.

    Parameters
    ----------
    run : Path
        ``runs/<run>``.

    Returns
    -------
    Study

    Raises
    ------
    BadInput
        It is no run folder, or its study is gone or broken.
    """
    facts = read_manifest(run / "manifest.json")
    return load_study(run.resolve().parent.parent / str(facts.settings.get("study_file", "study.yaml")))


def _part(stored: Mapping[str, Any], block: str, key: str) -> Any:
    """One key of a block; a block that was damaged is told as it stands."""
    found = stored.get(block, {})
    return {key: found.get(key)} if isinstance(found, Mapping) else found


def check_certificate(run: Path, certificate: Path | None = None, *, watch: Watch = _silent) -> list[dict[str, Any]]:
    """Compute a run's certificate again and compare.

    Parameters
    ----------
    run : Path
        The run folder.
    certificate : Path, optional
        A certificate kept elsewhere; ``certificate.json`` of the run folder by default.
    watch : callable
        Told how far each stage is.

    Returns
    -------
    list of dict
        Differences as `certificates.folder.differences` gives them; empty: the certificate holds. When the study or one of
        its files is another one, that alone is told, since nothing can be recomputed from other data. Labels, seals or
        judgments that were edited or removed are a difference too, under the key ``recomputed``.

    Raises
    ------
    BadInput
        There is no certificate, or no run.
    """
    stored = read_certificate(certificate or run)
    study = study_beside(run)
    told = {
        "study": _part(stored, "study", "hash"),
        "data": _part(stored, "data", "inputs"),
    }
    now = {"study": {"hash": study.hash}, "data": {"inputs": input_hashes(study)}}
    if other := differences(told, now):
        return other
    try:
        findings: Findings = assess_study(study, watch=watch)
        return differences(stored, certificate_of(study, run.resolve(), findings))
    except (BadInput, RefusedMetric) as problem:
        return [{"key": "recomputed", "certificate": "from ledger, labels and seals", "recomputed": str(problem)}]
