"""The folder of one run: begun with a manifest, filled when everything is known, written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from judgekit.certificates.folder import write_certificate
from judgekit.errors import BadInput
from judgekit.files.atomic import read_json, write_json, write_jsonl, write_text
from judgekit.files.blinded import blinded_row, design_row
from judgekit.files.blinding_rules import BlindingRules, rules_row
from judgekit.files.folders import list_runs, new_run_folder
from judgekit.files.manifest import Manifest, file_sha256, read_manifest, write_manifest
from judgekit.findings import Findings
from judgekit.injection.results import injection_document
from judgekit.judging.handle import JudgeHandle
from judgekit.judging_stage import JudgeRun
from judgekit.page.render import render_html
from judgekit.records import BLINDING_VERSION, Judgment, Reply, Scored, Unscored
from judgekit.reporting.machine import calibration_document, gaps_document, report_document, swap_document
from judgekit.reporting.markdown import render_markdown
from judgekit.stages import Blinded, Clock
from judgekit.study import Study
from judgekit.wording.languages import LanguageCode
from judgekit.workspace import Workspace

__all__ = ["finish_run", "judgment_rows", "last_steps", "run_document", "start_run", "unfinished_run", "write_report"]

MANIFEST = "manifest.json"


def _stamp(clock: Clock) -> str:
    return clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")


def start_run(study: Study, runs: Path, resume: Path | None, clock: Clock) -> Path:
    """Make the folder of a run, or take up an unfinished one.

    Parameters
    ----------
    study : Study
    runs : Path
        Where run folders stand.
    resume : Path, optional
        The folder to finish.
    clock : callable

    Returns
    -------
    Path

    Raises
    ------
    BadInput
        The folder to resume is no run of this study as it is now, or is finished.
    """
    if resume is not None:
        facts = read_manifest(resume / MANIFEST)
        if facts.study_hash != study.hash or "finished" in facts.when:
            raise BadInput(
                "this run cannot be resumed",
                path=resume,
                why="it is finished" if "finished" in facts.when else "the study has changed since it was begun",
                remedy="run without --resume: answers in the ledger are used all the same",
            )
        return resume
    folder = new_run_folder(runs, study.study, clock(), study.hash)
    write_manifest(
        folder / MANIFEST,
        Manifest(
            study=study.study,
            study_hash=study.hash,
            versions={},
            inputs={},
            seeds={},
            settings={"study_file": study.file.name},
            when={"started": _stamp(clock)},
        ),
        private=True,
    )
    return folder


def unfinished_run(study: Study, out: Path | None) -> Path | None:
    """The latest unfinished run of the study as it is now, if there is one."""
    runs = out or study.base / "runs"
    if not runs.is_dir():
        return None
    for folder in reversed(list_runs(runs, study.study)):
        facts = read_manifest(folder / MANIFEST)
        if facts.study_hash == study.hash and "finished" not in facts.when:
            return folder
    return None


def finish_run(
    folder: Path,
    findings: Findings,
    *,
    replies: Sequence[Reply],
    blinded: Blinded,
    judged: JudgeRun,
    space: Workspace,
    clock: Clock,
) -> None:
    """Write everything a run leaves behind; the manifest says ``finished`` last.

    Parameters
    ----------
    folder : Path
    findings : Findings
    replies, blinded, judged
        What the stages gave.
    space : Workspace
    clock : callable
    """
    study = space.study
    pairs = [(reply, blinded.masked[reply.id], blinded.results[reply.id]) for reply in replies if not reply.failed]
    write_jsonl(folder / "blinded.jsonl", (blinded_row(m, r) for _, m, r in pairs), force=True, private=True)
    rules = rules_row(_rules(study), folder)
    write_jsonl(folder / "design.jsonl", (design_row(x, m, r, rules) for x, m, r in pairs), force=True, private=True)
    write_jsonl(folder / "judgments.jsonl", judgment_rows(judged), force=True, private=True)
    write_json(
        folder / "swap_test.json",
        swap_document(findings.swap, findings.pair_swap) | {"note": findings.swap_note},
        force=True,
        private=True,
    )
    if findings.injection:
        write_json(folder / "injection.json", injection_document(findings.injection), force=True, private=True)
    report = report_document(findings)
    write_json(
        folder / "agreement.json",
        {
            "pairs": report["agreement"],
            "human_ceiling": report["human_kappa"],
            "calibration": calibration_document(findings.calibrated, findings.refused),
        },
        force=True,
        private=True,
    )
    write_json(
        folder / "gaps.json",
        gaps_document(findings.gaps, findings.refused, findings.human_gaps),
        force=True,
        private=True,
    )
    write_report(folder, findings)
    write_certificate(folder, study, findings)
    begun = read_manifest(folder / MANIFEST)
    manifest = Manifest(
        study=study.study,
        study_hash=study.hash,
        versions=findings.versions,
        inputs=_inputs(study),
        seeds={"statistics": study.statistics.seed},
        judges={
            f"{judged.judge.id} on {r.id}": judged.fingerprints[r.hash]
            for r in judged.rubrics
            if r.hash in judged.fingerprints
        },
        settings={
            "study_file": study.file.name,
            "study": _settings(study, judged),
            "judge_dropped": list(judged.dropped),
            "blinding_version": BLINDING_VERSION,
        },
        when={
            **begun.when,
            "finished": _stamp(clock),
            "sealed": findings.sealed_at or "",
            "calls_in_doubt": str(findings.in_doubt),
        },
    )
    write_manifest(folder / MANIFEST, manifest, force=True, private=True)


def _rules(study: Study) -> BlindingRules:
    options = study.blinding
    return BlindingRules(
        packs=tuple(str(study.path(pack)) for pack in options.packs),
        extra_cues=tuple(options.extra_cues),
        keep=tuple(options.keep),
        contact_details=options.contact_details,
    )


def _inputs(study: Study) -> dict[str, str]:
    """SHA-256 of every file the study rests on, by its name."""
    files = (study.data.replies, study.system.prompt_file, study.labels.anchors)
    return {path.name: file_sha256(study.path(path)) for path in files if path is not None}


def _settings(study: Study, judged: JudgeRun) -> dict[str, Any]:
    """The resolved study; of the judge's SPEC only what is safe to write down, since a program's arguments may be keys."""
    settings = study.model_dump(mode="json")
    settings["judge"] |= {"spec": judged.judge.id, "base_url": judged.judge.endpoint.host}
    return settings


def write_report(folder: Path, findings: Findings, language: LanguageCode | None = None) -> None:
    """Write ``report.md``, ``report.html`` and ``report.json`` into a run folder, replacing earlier ones.

    Parameters
    ----------
    folder : Path
    findings : Findings
    language : {'en', 'es'}, optional
        Of the two pages; by default the study's. ``report.json`` is the same in every language.
    """
    write_text(folder / "report.md", render_markdown(findings, language), force=True, private=True)
    write_text(folder / "report.html", render_html(findings, language), force=True, private=True)
    write_json(folder / "report.json", report_document(findings), force=True, private=True)


class _Judged(Protocol):
    """A judge and what it said."""

    @property
    def judge(self) -> JudgeHandle: ...

    @property
    def judgments(self) -> tuple[Judgment, ...]: ...


def judgment_rows(judged: _Judged) -> Iterator[dict[str, Any]]:
    """Judgments one by one, after a header that marks the file as judgekit's own. Filled texts are not in it."""
    yield {"judgekit": "judgments", "judge": judged.judge.id, "format": 1}
    for judgment in judged.judgments:
        outcome = judgment.outcome
        row: dict[str, Any] = {
            "item": judgment.task.item,
            "dimension": judgment.dimension,
            "repeat": judgment.task.repeat,
            "text_hash": judgment.text_hash,
            "request_key": judgment.task.request_key,
            "fingerprint": judgment.fingerprint,
            "parser_version": judgment.parser_version,
            "reason": judgment.reason,
        }
        if isinstance(outcome, Scored):
            row |= {"score": outcome.value, "unscored": None, "coerced": outcome.coerced}
            if outcome.expected is not None:
                row |= {"expected": outcome.expected, "distribution": dict(outcome.distribution or {})}
        elif isinstance(outcome, Unscored):
            row |= {"score": None, "unscored": outcome.kind, "detail": outcome.detail}
        else:
            row |= {"choice": outcome.choice}
        yield row


def last_steps(space: Workspace) -> list[str]:
    """What the last finished run of a study says is to be done next.

    Parameters
    ----------
    space : Workspace

    Returns
    -------
    list of str
        Empty where no run beside the study is finished, or none may be read by this user.
    """
    if not os.access(space.runs, os.R_OK | os.X_OK):
        return []
    for folder in reversed(list_runs(space.runs, space.study.study)):
        path = folder / "report.json"
        if path.is_file() and os.access(path, os.R_OK):
            report = read_json(path)
            steps = report.get("next_steps") if isinstance(report, dict) else None
            return [step for step in steps or () if isinstance(step, str)]
    return []


def run_document(folder: Path | None, findings: Findings) -> dict[str, Any]:
    """The document of ``judgekit run --json``.

    Parameters
    ----------
    folder : Path or None
    findings : Findings

    Returns
    -------
    dict
        Keys ``run_dir, stages, calibrated, refused, contrasts, gate`` and the rest of the report.
    """
    report = report_document(findings)
    return {
        "run_dir": None if folder is None else str(folder),
        "stages": {
            "blind": report["blinding"],
            "judge": report["judging"],
            "swap_test": report["swap_test"],
            "labels": report["labels"],
        },
        "calibrated": report["calibration"]["calibrated"],
        "refused": report["calibration"]["refused"],
        "contrasts": report["gaps"]["contrasts"],
        "human_only": report["gaps"]["human_only"],
        "gate": findings.gate,
        "next_steps": list(findings.next_steps),
    }
