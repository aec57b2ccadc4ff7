"""A certificate in a run folder: written, read, and held against what the study's files give today."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from judgekit.certificates.document import SCHEMA, Rested, certificate_document, content_hash
from judgekit.errors import BadInput
from judgekit.files.atomic import read_json, write_json
from judgekit.files.chain import head
from judgekit.files.labels import label_path
from judgekit.files.manifest import file_sha256
from judgekit.files.seal import read_seals
from judgekit.findings import Findings
from judgekit.rubric import load_rubric
from judgekit.study import Study
from judgekit.workspace import open_workspace

__all__ = [
    "CERTIFICATE",
    "certificate_of",
    "differences",
    "hashes_of",
    "input_hashes",
    "read_certificate",
    "write_certificate",
]

CERTIFICATE = "certificate.json"
_RUN_FILES = ("blinded.jsonl", "design.jsonl", "judgments.jsonl", "swap_test.json", "injection.json")


def input_hashes(study: Study) -> dict[str, str]:
    """SHA-256 of the study's own files, by their names in it.

    Parameters
    ----------
    study : Study

    Returns
    -------
    dict of str to str
        Replies, the system's prompt and the anchors, where there are any.

    Raises
    ------
    BadInput
        One of them cannot be read.
    """
    files = {
        "replies": study.data.replies,
        "prompt": study.system.prompt_file,
        "anchors": study.labels.anchors,
    }
    return {key: file_sha256(study.path(path)) for key, path in files.items() if path is not None}


def hashes_of(study: Study, folder: Path) -> Rested:
    """What lies beneath the certificate of a run, as it is on disk now.

    Parameters
    ----------
    study : Study
    folder : Path
        The run folder.

    Returns
    -------
    Rested

    Raises
    ------
    BadInput, RefusedMetric
        A file cannot be read; a line of labels or seals was edited or removed.
    """
    space = open_workspace(study)
    seals = read_seals(space.seals)
    anchored = study.labels.anchors is not None
    people = [] if anchored else sorted(p.stem for p in space.labels.glob("*.jsonl") if _is_labels(p))
    rubrics = {key: load_rubric(use.rubric, base=study.base) for key, use in study.rubrics.items()}
    return Rested(
        run=folder.name,
        inputs=input_hashes(study),
        run_files={name: file_sha256(folder / name) for name in _RUN_FILES if (folder / name).is_file()},
        rubrics={key: {"id": rubric.id, "hash": rubric.hash} for key, rubric in rubrics.items()},
        labels={who: head(label_path(space.labels, who))[1] for who in people},
        seals=len(seals),
        first_seal=seals[0].hash if seals else None,
        seal=seals[-1].hash if seals else None,
    )


def _is_labels(path: Path) -> bool:
    return not path.name.endswith((".key.jsonl", ".sample.jsonl"))


def certificate_of(study: Study, folder: Path, findings: Findings) -> dict[str, Any]:
    """The certificate that a run deserves; parameters and errors as `hashes_of` and `certificate_document`."""
    return certificate_document(findings, hashes_of(study, folder))


def write_certificate(folder: Path, study: Study, findings: Findings) -> None:
    """Write ``certificate.json`` into a run folder, replacing an earlier one; nothing where no metric has a verdict.

    Parameters
    ----------
    folder : Path
    study : Study
    findings : Findings
    """
    if findings.calibrated or findings.refused:
        write_json(folder / CERTIFICATE, certificate_of(study, folder, findings), force=True, private=True)


def read_certificate(path: Path) -> dict[str, Any]:
    """Read a certificate; a folder stands for the ``certificate.json`` in it.

    Raises
    ------
    BadInput
        There is none, or the file is something else.
    """
    place = path / CERTIFICATE if path.is_dir() else path
    found = read_json(place)
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise BadInput(
            "this is not a certificate",
            path=place,
            remedy="give a run folder, or write one with `judgekit certificate`",
        )
    return found


def differences(stored: Mapping[str, Any], recomputed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every place at which a certificate and its recomputation differ.

    Parameters
    ----------
    stored, recomputed : mapping
        Plain values.

    Returns
    -------
    list of dict
        Keys ``key`` (dotted path), ``certificate`` and ``recomputed``; sorted by key. Its own hash is held against its
        content and counts only where that is the sole difference: an edit shows under its own name.

    Examples
    --------
    >>> differences({"n": 1, "k": [0.5]}, {"n": 2, "k": [0.5]})
    [{'key': 'n', 'certificate': 1, 'recomputed': 2}]
    """
    found = [
        {"key": key, "certificate": before, "recomputed": after}
        for key, before, after in _walk(_without_hash(stored), _without_hash(recomputed), "")
    ]
    if not found and "content_sha256" in recomputed and stored.get("content_sha256") != content_hash(stored):
        found.append(
            {
                "key": "content_sha256",
                "certificate": stored.get("content_sha256"),
                "recomputed": recomputed["content_sha256"],
            }
        )
    return sorted(found, key=lambda x: x["key"])


def _without_hash(document: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key != "content_sha256"}


_ABSENT = "(not there)"


def _walk(before: Any, after: Any, at: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in sorted(before.keys() | after.keys()):
            yield from _walk(before.get(key, _ABSENT), after.get(key, _ABSENT), f"{at}.{key}" if at else str(key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _walk(old, new, f"{at}[{place}]")
    elif before != after or _kind(before) is not _kind(after):
        yield at, before, after


def _kind(value: Any) -> type:
    """What tells 1 from 1.0 and true; a sentence that can be told in another language is a text."""
    return str if isinstance(value, str) else type(value)
