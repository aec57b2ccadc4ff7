"""The rules that texts were blinded by, kept with their design so that every later check goes by the same ones."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from judgekit.data import bundled
from judgekit.errors import BadInput
from judgekit.files.manifest import file_sha256

__all__ = ["BlindingRules", "read_rules", "rules_row"]

FORMAT = 1
_KEYS = {"format", "packs", "extra_cues", "keep", "contact_details"}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindingRules:
    """Cue packs, further cues, words that stay, and whether contact details are masked; see `blinding.mask.Blinder`.

    ``packs`` are paths of files, or names of bundled packs.
    """

    packs: tuple[str, ...] = ()
    extra_cues: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    contact_details: Literal["mask", "keep"] = "mask"


def _bundled(pack: str) -> bool:
    return (bundled("cues") / f"{pack}.yaml").is_file()


def rules_row(rules: BlindingRules, folder: str | Path) -> dict[str, Any]:
    """What a row of a design file in ``folder`` keeps of the rules: what differs from the defaults, under a format.

    Parameters
    ----------
    rules : BlindingRules
    folder : str or Path
        Where the design file stands; files of packs are named relative to it, with their SHA-256.

    Returns
    -------
    dict

    Raises
    ------
    BadInput
        A pack cannot be read.

    Examples
    --------
    >>> rules_row(BlindingRules(keep=("Grace",)), ".")
    {'format': 1, 'keep': ['Grace']}
    """
    packs: list[dict[str, str]] = []
    for pack in rules.packs:
        if _bundled(pack):
            packs.append({"bundled": pack})
        else:
            packs.append({"file": _relative(Path(pack), Path(folder)), "sha256": file_sha256(pack)})
    kept: dict[str, Any] = {"packs": packs, "extra_cues": list(rules.extra_cues), "keep": list(rules.keep)}
    if rules.contact_details != "mask":
        kept["contact_details"] = rules.contact_details
    return {"format": FORMAT} | {name: value for name, value in kept.items() if value}


def _relative(pack: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(pack.resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive: no relative path leads there
        return str(pack.resolve())


def read_rules(kept: object, design: Path, line: int | None) -> BlindingRules:
    """The rules that `rules_row` put away; the defaults where a design file of an earlier version keeps none.

    Parameters
    ----------
    kept : object
        The value in the row, None when there is none.
    design : Path
        The design file: for paths and messages.
    line : int, optional
        Its line.

    Returns
    -------
    BlindingRules

    Raises
    ------
    BadInput
        Another format, or a cue pack that is gone or has changed since: texts cannot be checked by other rules.
    """
    if kept is None:
        return BlindingRules()
    if not isinstance(kept, Mapping) or kept.get("format") != FORMAT or set(kept) - _KEYS:
        raise BadInput(
            "the rules of blinding are in a form that is not known here",
            path=design,
            line=line,
            field="blinding",
            seen=kept,
            why=f"this version knows format {FORMAT}",
            remedy="update judgekit, or blind again",
        )
    contact = kept.get("contact_details", "mask")
    if contact not in {"mask", "keep"}:
        raise _malformed("contact_details", contact, design, line)
    return BlindingRules(
        packs=tuple(_pack(entry, design, line) for entry in _list(kept, "packs", design, line)),
        extra_cues=_words(kept, "extra_cues", design, line),
        keep=_words(kept, "keep", design, line),
        contact_details="keep" if contact == "keep" else "mask",
    )


def _malformed(field: str, seen: object, design: Path, line: int | None) -> BadInput:
    return BadInput(
        "the rules of blinding are damaged",
        path=design,
        line=line,
        field=f"blinding.{field}",
        seen=seen,
        remedy="blind again",
    )


def _list(kept: Mapping[str, Any], field: str, design: Path, line: int | None) -> list[Any]:
    value = kept.get(field, [])
    if not isinstance(value, list):
        raise _malformed(field, value, design, line)
    return value


def _words(kept: Mapping[str, Any], field: str, design: Path, line: int | None) -> tuple[str, ...]:
    words = _list(kept, field, design, line)
    if not all(isinstance(word, str) for word in words):
        raise _malformed(field, words, design, line)
    return tuple(words)


def _pack(entry: object, design: Path, line: int | None) -> str:
    if isinstance(entry, Mapping) and isinstance(name := entry.get("bundled"), str) and _bundled(name):
        return name
    if not isinstance(entry, Mapping) or not isinstance(name := entry.get("file"), str):
        raise _malformed("packs", entry, design, line)
    path = design.parent / name
    there = path.is_file()
    if not there or file_sha256(path) != entry.get("sha256"):
        raise BadInput(
            "a cue pack that these texts were blinded with " + ("has changed since" if there else "is gone"),
            path=design,
            line=line,
            field="blinding.packs",
            seen=name,
            why="texts are verified by the rules they were blinded by",
            remedy="blind again, or put the pack back as it was",
        )
    return str(path)
