"""Decisions taken beforehand, written down where a later edit shows: ``seals.jsonl`` beside the study.

Every line's hash covers the line before it, so that an edited or removed seal refuses every judged metric. A study
that is edited after its first seal gets a further seal; `changes` lists what moved and when, for the report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from judgekit.errors import BadInput, RefusedMetric
from judgekit.files.chain import Chain, ChainFile, Link, read_chain
from judgekit.files.disk import DISK, Disk
from judgekit.files.json_text import dumps, loads
from judgekit.records import Seal

__all__ = ["SealChange", "changes", "read_seals", "seal", "sealed_before"]

_REMEDY = (
    "restore seals.jsonl from version control or a backup; without it this study's decisions cannot be shown to be "
    "older than its data, and only a new study can start a new file"
)
_FIELDS = frozenset({"study", "study_hash", "seq", "decided_by", "decided_on", "sealed_at", "content"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SealChange:
    """One decision that was edited after the first seal.

    ``key`` is its dotted path; ``before`` and ``after`` are its values (None on the side where it did not exist:
    ``kind`` tells); ``when`` is the time of the seal that brought the change, ``seq`` its number.
    """

    key: str
    kind: Literal["added", "removed", "changed"]
    before: Any
    after: Any
    when: str
    seq: int


def seal(
    path: str | Path,
    *,
    study: str,
    study_hash: str,
    content: Mapping[str, Any],
    decided_by: str,
    decided_on: str,
    now: str,
    disk: Disk = DISK,
) -> Seal:
    """Write down a study's decisions, unless the last seal says the same.

    Parameters
    ----------
    path : str or Path
        ``seals.jsonl``; made with mode 0600 when it is not there.
    study : str
        The study's name.
    study_hash : str
        Hash of the whole resolved study.
    content : mapping
        What is decided: thresholds, primary metric, margins, groups.
    decided_by, decided_on : str
        Who and when, as the study states it.
    now : str
        UTC ISO 8601.
    disk : Disk
        The operating system; tests bring one that fails.

    Returns
    -------
    Seal
        The new one, or the last one when nothing changed.

    Raises
    ------
    RefusedMetric
        A seal was edited or removed, or the file belongs to another study.
    InUse
        Another process is sealing.
    DiskFailed
        The file cannot be written; it is as it was.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "seals.jsonl"
    ...     said = dict(study="s", study_hash="0", decided_by="Ana", decided_on="2026-01-05")
    ...     first = seal(path, content={"kappa": 0.6}, now="2026-01-05T09:00:00Z", **said)
    ...     again = seal(path, content={"kappa": 0.5}, now="2026-02-05T09:00:00Z", **said)
    ...     [(c.key, c.before, c.after) for c in changes(read_seals(path))]
    [('kappa', 0.6, 0.5)]
    """
    _moment(now)
    plain = loads(dumps(content))
    with ChainFile(path, error=RefusedMetric, remedy=_REMEDY, disk=disk) as file:
        before = _seals(file.chain, Path(path))
        _check_owner(before, study, path)
        wanted = {**plain, "decided": {"by": decided_by, "on": decided_on}}
        if before and _same(_decisions(before[-1]), wanted):
            return before[-1]
        link = file.append(
            {
                "study": study,
                "study_hash": study_hash,
                "seq": len(before) + 1,
                "decided_by": decided_by,
                "decided_on": decided_on,
                "sealed_at": now,
                "content": plain,
            }
        )
        return _seal(link)


def _check_owner(before: Sequence[Seal], study: str, path: str | Path) -> None:
    if before and before[-1].study != study:
        raise RefusedMetric(
            "these seals belong to another study",
            path=path,
            seen=study,
            why=f"the file was begun for the study {before[-1].study}",
            remedy="keep each study's seals in its own folder",
        )


def read_seals(path: str | Path) -> list[Seal]:
    """All seals of a study, oldest first, verified.

    Returns
    -------
    list of Seal
        Empty when nothing was sealed yet.

    Raises
    ------
    RefusedMetric
        A seal was edited, removed, added or moved; its line is named.
    """
    return _seals(read_chain(path, error=RefusedMetric, remedy=_REMEDY), Path(path))


def _seals(chain: Chain, path: Path) -> list[Seal]:
    for number, link in enumerate(chain.links, 1):
        if set(link.data) != _FIELDS or link.data["seq"] != number:
            raise RefusedMetric("the line is not the seal that stood here", path=path, line=link.line, remedy=_REMEDY)
    return [_seal(link) for link in chain.links]


def _seal(link: Link) -> Seal:
    return Seal(**link.data, prev_hash=link.prev_hash, hash=link.hash)


def changes(seals: Sequence[Seal]) -> list[SealChange]:
    """What was edited after the first seal, in the order it happened.

    Parameters
    ----------
    seals : sequence of Seal
        As `read_seals` returns them.

    Returns
    -------
    list of SealChange
        Sorted by seal and key. Lists count as one value. Who decided stands under ``decided.by`` and ``decided.on``.
    """
    result: list[SealChange] = []
    for old, new in pairwise(seals):
        before, after = dict(_flat(_decisions(old))), dict(_flat(_decisions(new)))
        for key in sorted(before.keys() | after.keys()):
            if key in before and key in after and _same(before[key], after[key]):
                continue
            kind: Literal["added", "removed", "changed"] = "changed"
            if key not in before or key not in after:
                kind = "added" if key in after else "removed"
            result.append(
                SealChange(
                    key=key,
                    kind=kind,
                    before=before.get(key),
                    after=after.get(key),
                    when=new.sealed_at,
                    seq=new.seq,
                )
            )
    return result


def _decisions(record: Seal) -> dict[str, Any]:
    return {**record.content, "decided": {"by": record.decided_by, "on": record.decided_on}}


def _flat(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and (value or not at):
        for key, entry in value.items():
            yield from _flat(entry, f"{at}.{key}" if at else str(key))
    else:
        yield at, value


def _same(a: Any, b: Any) -> bool:
    # True == 1 in Python, but a threshold that became a switch is an edit.
    return dumps(a) == dumps(b)


def sealed_before(seals: Sequence[Seal], t: str) -> Seal | None:
    """The seal that was in force at a moment, such as that of the first label.

    Parameters
    ----------
    seals : sequence of Seal
        As `read_seals` returns them.
    t : str
        ISO 8601; without an offset it is UTC.

    Returns
    -------
    Seal or None
        The last one made at or before ``t``; None when nothing was sealed by then.

    Raises
    ------
    BadInput
        ``t`` is no time.
    """
    moment = _moment(t)
    found = [record for record in seals if _moment(record.sealed_at) <= moment]
    return found[-1] if found else None


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput("not a time", seen=text, why="times are ISO 8601, such as 2026-01-05T09:00:00Z") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
