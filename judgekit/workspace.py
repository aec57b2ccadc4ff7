"""Where a study's things are: the private folder beside it, its label folder, its runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from judgekit.errors import UsageProblem
from judgekit.study import Study, load_study

__all__ = ["Clock", "Workspace", "open_workspace", "study_of"]


Clock = Callable[[], datetime]
"""Gives the present in UTC."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """Paths of one study. Nothing is made until it is needed."""

    study: Study
    folder: Path

    @property
    def ledger(self) -> Path:
        """The one ledger of the study."""
        return self.folder / "ledger.sqlite"

    @property
    def seals(self) -> Path:
        """Decisions, append-only."""
        return self.folder / "seals.jsonl"

    @property
    def secret(self) -> Path:
        """Key of the nonces that fence judged text."""
        return self.folder / "secret"

    @property
    def labels(self) -> Path:
        """The label folder."""
        return self.study.path(self.study.labels.folder)

    @property
    def sample(self) -> Path:
        """The sample that raters open."""
        return self.labels / f"{self.study.study}.sample.jsonl"

    @property
    def runs(self) -> Path:
        """Run folders."""
        return self.study.base / "runs"


def open_workspace(study: Study) -> Workspace:
    """Make the study's private folder and name its paths.

    Parameters
    ----------
    study : Study

    Returns
    -------
    Workspace
    """
    from judgekit.files.folders import study_folder

    return Workspace(study, study_folder(study.file, study.study))


def study_of(place: Path) -> Study:
    """The study of a study file, of a folder that holds one, or of one of its run folders.

    Parameters
    ----------
    place : Path
        ``study.yaml``, its folder, or ``runs/<run>``.

    Returns
    -------
    Study

    Raises
    ------
    UsageProblem
        A run folder whose study file has changed since: another study is another experiment.
    ConfigProblem
        Nothing of the kind is there.
    """
    manifest = place / "manifest.json"
    if not manifest.is_file():
        return load_study(place)
    from judgekit.files.manifest import read_manifest

    facts = read_manifest(manifest)
    study = load_study(place.resolve().parent.parent / str(facts.settings.get("study_file", "study.yaml")))
    if facts.study_hash != study.hash:
        raise UsageProblem(
            "the study has changed since this run",
            path=place,
            field="study_hash",
            seen=facts.study_hash[:12],
            why=f"the study file now has the hash {study.hash[:12]}; another study is another experiment",
            remedy="run the study again, or restore the study file",
        )
    return study
