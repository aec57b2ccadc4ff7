"""Blinded texts on disk: what a judge may see in one file, the design and the originals of the slots in another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from judgekit.errors import BadInput
from judgekit.files.atomic import iter_jsonl
from judgekit.records import BlindedReply, MaskedText, Reply, Slot, Withheld

__all__ = ["Stored", "blinded_row", "design_path", "design_row", "read_blinded"]

_LONGEST_LABEL = 200
_DESIGN_KEYS = {
    *("id", "template_id", "group", "name", "name_pair", "replicate", "case_type", "lang"),
    *("known_names", "slots", "withheld", "leaks", "carried"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """One stored text with its design. Nothing is taken on trust: it is verified again before anyone sees it.

    ``reply.text`` is the masked text: originals stand only in the slots.
    """

    masked: MaskedText
    reply: Reply


def design_path(blinded: str | Path) -> Path:
    """The design file beside a file of blinded texts: ``OUT.jsonl`` has ``OUT.design.jsonl``.

    Examples
    --------
    >>> design_path("out/replies.jsonl").name
    'replies.design.jsonl'
    """
    path = Path(blinded)
    return path.with_name(f"{path.stem}.design.jsonl")


def blinded_row(masked: MaskedText, result: BlindedReply | Withheld) -> dict[str, Any]:
    """One line of the file of blinded texts: no group, no name, no template.

    Parameters
    ----------
    masked : MaskedText
    result : BlindedReply or Withheld

    Returns
    -------
    dict
        ``status`` is for the reader's information; every stage verifies again.
    """
    status = "verified" if isinstance(result, BlindedReply) else "withheld"
    row = {"id": masked.item, "blinded": masked.text, "status": status, "lang": masked.lang}
    if masked.context is not None:
        row["context"] = masked.context
    return row


def design_row(reply: Reply, masked: MaskedText, result: BlindedReply | Withheld) -> dict[str, Any]:
    """One line of the private design file: where the reply stands, its slots, what was found in it.

    Of the carried columns numbers and short texts are kept: what a comparison or a sample can be made by.

    Parameters
    ----------
    reply : Reply
    masked : MaskedText
    result : BlindedReply or Withheld

    Returns
    -------
    dict
    """
    return {
        "id": reply.id,
        "template_id": reply.unit_id,
        "group": reply.group,
        "name": reply.name,
        "name_pair": reply.name_pair,
        "replicate": reply.replicate,
        "case_type": reply.case_type,
        "lang": masked.lang,
        "known_names": list(masked.known_names),
        "slots": [asdict(slot) for slot in masked.slots],
        "withheld": result.code if isinstance(result, Withheld) else None,
        "leaks": [asdict(leak) for leak in result.leaks] if isinstance(result, Withheld) else [],
        "carried": {name: value for name, value in reply.carried.items() if _is_label(value)},
    }


def _is_label(value: object) -> bool:
    """Whether a carried value can name a group or stratum: texts of any length would double the file."""
    if isinstance(value, float):
        return isfinite(value)
    return isinstance(value, int) or (isinstance(value, str) and len(value) <= _LONGEST_LABEL)


def read_blinded(path: str | Path) -> Iterator[Stored]:
    """Read blinded texts with their design, where a design file stands beside them.

    Parameters
    ----------
    path : str or Path
        What `judgekit blind` wrote, or rows of ``{id, blinded, context?, lang?}``.

    Yields
    ------
    Stored
        In file order. Without a design file there are no groups, no slots and no known names.

    Raises
    ------
    BadInput
        A line without id or blinded text, an id twice, or a design file that does not fit.
    """
    path = Path(path)
    beside = design_path(path)
    design = iter_jsonl(beside) if beside.is_file() else None
    seen: dict[str, int] = {}
    for line, row in iter_jsonl(path):
        if not isinstance(row.get("id"), str) or not isinstance(row.get("blinded"), str):
            raise BadInput(
                "a line without id or blinded text",
                path=path,
                line=line,
                field="id, blinded",
                seen=sorted(row),
                why='each line is {"id": ..., "blinded": ...}',
                remedy="use the file that `judgekit blind` writes",
            )
        item = row["id"]
        if item in seen:
            raise BadInput(
                "an id stands twice",
                path=path,
                line=line,
                field="id",
                seen=item,
                why=f"line {seen[item]} has it too",
                remedy="give every reply an id of its own",
            )
        seen[item] = line
        yield _stored(row, _partner(design, beside, item) if design is not None else {})


def _partner(design: Iterator[tuple[int, dict[str, Any]]], path: Path, item: str) -> dict[str, Any]:
    line, row = next(design, (None, {}))
    if row.get("id") != item:
        raise BadInput(
            "the design file does not fit the blinded texts",
            path=path,
            line=line,
            field="id",
            seen=row.get("id"),
            why=f"the two files are written together, and this line belongs to {item}",
            remedy="blind again, or move the design file away to go without groups and known names",
        )
    return row


def _carried(design: dict[str, Any]) -> dict[str, Any]:
    """Further columns: those that were carried, and those that somebody added to the design file."""
    own = {name: value for name, value in design.items() if name not in _DESIGN_KEYS}
    carried = design.get("carried")
    return own | (carried if isinstance(carried, dict) else {})


def _stored(row: dict[str, Any], design: dict[str, Any]) -> Stored:
    lang = str(row.get("lang") or design.get("lang") or "en")
    known = tuple(str(name) for name in design.get("known_names") or ())
    context = row.get("context")
    masked = MaskedText(
        item=row["id"],
        text=row["blinded"],
        context=context if isinstance(context, str) else None,
        slots=tuple(Slot(**slot) for slot in design.get("slots") or ()),
        lang=lang,
        known_names=known,
    )
    reply = Reply(
        id=row["id"],
        text=row["blinded"],
        unit_id=design.get("template_id"),
        group=design.get("group"),
        name=design.get("name"),
        name_pair=design.get("name_pair"),
        replicate=design.get("replicate"),
        case_type=design.get("case_type"),
        context=masked.context,
        known_names=known,
        lang=lang,
        carried=_carried(design),
    )
    return Stored(masked=masked, reply=reply)
