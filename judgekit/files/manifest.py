"""What a run rested on: versions, hashes, seeds, fingerprints; and the study's secret.

Everything but one block, ``when``, is the same for two runs of the same study on the same input, on any machine. No
absolute path and no key is ever in it.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from importlib import metadata
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from judgekit.errors import AlreadyThere, BadInput, UsageProblem
from judgekit.files.atomic import write_bytes, write_json
from judgekit.files.disk import DISK, Disk
from judgekit.files.json_text import dumps, loads

__all__ = [
    "Manifest",
    "file_sha256",
    "fingerprint",
    "installed_versions",
    "read_manifest",
    "secret",
    "write_manifest",
]

MANIFEST_FORMAT = "judgekit manifest 1"
DISTRIBUTION = "judgekit-calibration"
SECRET_BYTES = 32


def fingerprint(
    *,
    provider: str,
    model: str,
    host: str | None,
    parameters: Mapping[str, Any],
    prompt_version: str,
    rubric_hash: str,
    blinding_version: str,
) -> str:
    """Which judge this is: what has to be equal for labels and scores to be about the same judge.

    Parameters
    ----------
    provider, model : str
        The served model where the provider tells it.
    host : str or None
        The endpoint's host and port; None for a judge on this machine.
    parameters : mapping
        Temperature and the like, without keys.
    prompt_version, rubric_hash, blinding_version : str
        What the judge was asked, and about which form of the text.

    Returns
    -------
    str
        64 hexadecimal digits (SHA-256).

    Examples
    --------
    >>> judge = dict(provider="stub", model="m", host=None, prompt_version="1", rubric_hash="r", blinding_version="1")
    >>> fingerprint(parameters={"temperature": 0}, **judge) == fingerprint(parameters={"temperature": 1}, **judge)
    False
    """
    parts = [provider, model, host, dict(parameters), prompt_version, rubric_hash, blinding_version]
    return hashlib.sha256(dumps(parts).encode("utf-8")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a run rested on.

    Parameters
    ----------
    study, study_hash : str
        The study's name and the hash of its resolved settings.
    versions : mapping of str to str
        Of judgekit, Python and the libraries whose results enter the run.
    inputs : mapping of str to str
        SHA-256 of each input file, by its path relative to the study.
    seeds : mapping of str to int
        By what they were used for.
    judges : mapping of str to str
        Fingerprints, by judge.
    seal : str, optional
        Hash of the seal in force.
    labels : mapping of str to str
        Hash of the last line of each annotator's labels.
    settings : mapping
        The resolved study.
    when : mapping of str to str
        Times of start and end: the only part that differs between two equal runs.
    """

    study: str
    study_hash: str
    versions: Mapping[str, str]
    inputs: Mapping[str, str]
    seeds: Mapping[str, int]
    judges: Mapping[str, str] = field(default_factory=dict)
    seal: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    when: Mapping[str, str] = field(default_factory=dict)


def _texts(value: Any, at: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, (str, os.PathLike)):
        yield at, str(value)
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            yield f"{at}.{key}", str(key)
            yield from _texts(entry, f"{at}.{key}")
    elif isinstance(value, (list, tuple)):
        for number, entry in enumerate(value):
            yield from _texts(entry, f"{at}[{number}]")


def _is_absolute(text: str) -> bool:
    if "\n" in text:
        return False
    if PureWindowsPath(text).drive:
        return PureWindowsPath(text).is_absolute()
    # "/s" may be a cue or a word; a path on a machine has a folder and a name.
    return text.startswith(("/", "~")) and len(PurePosixPath(text).parts) > (1 if text.startswith("~") else 2)


def _portable(value: Any) -> Any:
    """A setting with every absolute path cut to its last part."""
    if isinstance(value, (str, os.PathLike)):
        text = str(value)
        return f"…/{PureWindowsPath(text).name}" if _is_absolute(text) else text
    if isinstance(value, Mapping):
        return {key: _portable(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_portable(entry) for entry in value]
    return value


def write_manifest(
    path: str | Path, manifest: Manifest, *, force: bool = False, private: bool = False, disk: Disk = DISK
) -> None:
    """Write a run's ``manifest.json``; keys sorted, equal manifests equal bytes.

    Parameters
    ----------
    path : str or Path
        The file to make.
    manifest : Manifest
        The content.
    force : bool
        Replace an existing file.
    private : bool
        Readable by its owner alone (0600).
    disk : Disk
        The operating system; tests bring one that fails.

    Raises
    ------
    UsageProblem
        An input or another fact is named by an absolute path, which would tell about the machine and differ on the
        next. Absolute paths among the settings are cut to ``…/NAME``.
    AlreadyThere, DiskFailed
        See `judgekit.files.atomic`.
    """
    content = {f.name: getattr(manifest, f.name) for f in fields(manifest)}
    content["settings"] = _portable(content["settings"])
    for at, text in _texts(content, "manifest"):
        if _is_absolute(text):
            raise UsageProblem(
                "an absolute path in a manifest",
                field=at,
                seen=text,
                why="a manifest is the same on every machine",
                remedy="give the path relative to the study",
            )
    write_json(path, {"format": MANIFEST_FORMAT, **content}, force=force, private=private, disk=disk)


def read_manifest(path: str | Path) -> Manifest:
    """Read a run's ``manifest.json``.

    Raises
    ------
    BadInput
        No such file, or not a manifest.
    """
    path = Path(path)
    try:
        data = loads(path.read_bytes().decode("utf-8"), path=path)
    except OSError as problem:
        raise BadInput("it cannot be read", path=path, why=problem.strerror, remedy="check the path") from None
    except UnicodeDecodeError:
        raise BadInput("a manifest is UTF-8 text", path=path, remedy="give a run's manifest.json") from None
    if not isinstance(data, dict) or data.pop("format", None) != MANIFEST_FORMAT:
        raise BadInput("this is not a manifest", path=path, remedy="give a run's manifest.json")
    known = {f.name for f in fields(Manifest)}
    needed = {f.name for f in fields(Manifest) if f.default is MISSING and f.default_factory is MISSING}
    if not needed <= set(data) <= known:
        odd = sorted((needed - set(data)) | (set(data) - known))
        raise BadInput("the manifest lacks a key or has an unknown one", path=path, field=odd[0])
    return Manifest(**data)


def file_sha256(path: str | Path) -> str:
    """SHA-256 of a file's bytes, read in pieces.

    Raises
    ------
    BadInput
        It cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise BadInput("it cannot be read", path=path, why=problem.strerror, remedy="check the path") from None


def installed_versions(names: Iterable[str] = ()) -> dict[str, str]:
    """Versions of judgekit, of Python (major and minor) and of the distributions named; one not installed is left out.

    Examples
    --------
    >>> sorted(installed_versions(["no-such-distribution"]))
    ['judgekit', 'python']
    """
    import sys

    found = {"python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    for name in (DISTRIBUTION, *names):
        try:
            found["judgekit" if name == DISTRIBUTION else name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            if name == DISTRIBUTION:
                found["judgekit"] = "not installed"
    return dict(sorted(found.items()))


def secret(path: str | Path, *, disk: Disk = DISK) -> bytes:
    """The study's secret, made at the first call and the same ever after.

    It makes the nonces that fence judged text, so that no text can guess its own fence.

    Parameters
    ----------
    path : str or Path
        The file, made with mode 0600.
    disk : Disk
        The operating system; tests bring one that fails.

    Returns
    -------
    bytes
        32 random bytes.

    Raises
    ------
    BadInput
        The file is there but holds something else.
    DiskFailed
        It cannot be made.
    """
    path = Path(path)
    try:
        return _read_secret(path)
    except FileNotFoundError:
        made = secrets.token_bytes(SECRET_BYTES)
    try:
        write_bytes(path, made, private=True, disk=disk)
    except AlreadyThere:
        return _read_secret(path)  # another process was first; its secret is the study's
    return made


def _read_secret(path: Path) -> bytes:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as problem:
        raise BadInput("the study's secret cannot be read", path=path, why=problem.strerror) from None
    if len(content) != SECRET_BYTES:
        raise BadInput(
            "the study's secret is damaged",
            path=path,
            seen=f"{len(content)} bytes",
            why=f"it holds {SECRET_BYTES} random bytes",
            remedy="restore it, or remove it: calls not answered yet then get new nonces, nothing else changes",
        )
    return content
