"""One run of one release, computed again from its study; a run that cannot be is withheld and says why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judgekit.errors import BadInput, RefusedMetric, UsageProblem
from judgekit.files.manifest import Manifest, file_sha256, read_manifest
from judgekit.findings import Findings
from judgekit.pipeline import assess_study
from judgekit.releases.certificate_check import study_beside
from judgekit.releases.configuration import configuration
from judgekit.rubric import load_rubric
from judgekit.study import Study, name_a_run

__all__ = ["Release", "recall_run", "recall_runs"]

Watch = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """A run as `judgekit compare` sees it.

    ``started`` is UTC ISO 8601; ``made_with`` its configuration by dotted keys; ``replies`` the hash of its replies.
    ``findings`` are recomputed; None, with ``withheld`` saying why, where they cannot be. Stored results are never read.
    """

    run: Path
    study: str
    version: str | None
    started: str
    replies: str
    made_with: Mapping[str, Any]
    exit_codes: Mapping[str, int]
    findings: Findings | None
    withheld: str | None


def recall_runs(places: list[Path], *, watch: Watch) -> list[Release]:
    """Recompute several runs.

    Parameters
    ----------
    places : list of Path
        Run folders.
    watch : callable
        Told how far each stage is.

    Returns
    -------
    list of Release
        Oldest first by their start.

    Raises
    ------
    UsageProblem
        Fewer than two runs, or one named twice.
    BadInput
        One is no run folder.
    """
    whole = [place.resolve() for place in places]
    if len(set(whole)) < max(2, len(whole)):
        raise UsageProblem(
            "two runs or more are needed, each named once",
            seen=f"{len(whole)} named, {len(set(whole))} different",
            remedy="judgekit compare release-1/runs/RUN release-2/runs/RUN",
        )
    return sorted((recall_run(place, watch=watch) for place in whole), key=lambda r: (r.started, r.run.name))


def recall_run(run: Path, *, watch: Watch) -> Release:
    """Recompute one run from its study's replies, ledger, labels and seals.

    Parameters
    ----------
    run : Path
        The run folder.
    watch : callable

    Returns
    -------
    Release

    Raises
    ------
    BadInput
        It is no run folder.
    """
    if run.is_dir() and not (run / "manifest.json").is_file():
        raise BadInput(
            "this is no run folder",
            path=run,
            why="a run folder holds manifest.json",
            remedy=f"name {name_a_run(run)}",
        )
    facts = read_manifest(run / "manifest.json")
    settings = facts.settings.get("study")
    if not isinstance(settings, dict) or "finished" not in facts.when:
        raise BadInput(
            "the run is not finished",
            path=run,
            remedy="finish it with `judgekit run STUDY --resume RUN`, or leave it out",
        )
    study, findings, withheld = _recomputed(run, facts, watch)
    rubrics: dict[str, str] = {}
    if study is not None and findings is not None:
        rubrics = {key: load_rubric(use.rubric, base=study.base).hash for key, use in study.rubrics.items()}
    named = settings["system"].get("prompt_file")
    return Release(
        run=run,
        study=facts.study,
        version=settings["system"].get("version"),
        started=facts.when.get("started", ""),
        replies=facts.inputs.get(Path(settings["data"]["replies"]).name, ""),
        made_with=configuration(
            settings,
            prompt=facts.inputs.get(Path(named).name) if named else None,
            replies=facts.inputs.get(Path(settings["data"]["replies"]).name),
            fingerprints=facts.judges,
            rubrics=rubrics,
            blinding_version=facts.settings.get("blinding_version"),
            templates=_templates(findings),
        ),
        exit_codes=settings["gate"]["exit_codes"],
        findings=findings,
        withheld=withheld,
    )


def _recomputed(run: Path, facts: Manifest, watch: Watch) -> tuple[Study | None, Findings | None, str | None]:
    try:
        study = study_beside(run)
        if study.hash != facts.study_hash:
            return study, None, "the study has changed since this run: keep each release's study in a folder of its own"
        if changed := [name for name, digest in facts.inputs.items() if _now(study, name) != digest]:
            told = ", ".join(changed)
            return study, None, f"{told} changed since this run: keep each release's files in a folder of its own"
        findings = assess_study(study, watch=watch)
    except (BadInput, RefusedMetric) as problem:
        return None, None, str(problem)
    if sorted(findings.judging.fingerprints.values()) != sorted(facts.judges.values()):
        return study, None, "the scores are of another judge than this run's: judge again"
    return study, findings, None


def _now(study: Study, name: str) -> str | None:
    """Today's hash of an input that the manifest knows by its file's name."""
    files = (study.data.replies, study.system.prompt_file, study.labels.anchors)
    paths = [study.path(path) for path in files if path is not None and path.name == name]
    return file_sha256(paths[0]) if paths else None


def _templates(findings: Findings | None) -> tuple[str, ...]:
    met = {template for gap in (findings.gaps if findings else ()) for template in gap.per_template}
    return tuple(sorted(met))
