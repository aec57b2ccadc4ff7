"""Blinded texts on disk: what a judge may see in one file, the design and the originals of the slots in another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from judgekit.errors import BadInput
from judgekit.files.atomic import iter_jsonl
from judgekit.files.blinding_rules import BlindingRules, read_rules
from judgekit.files.columns import REPLIES
from judgekit.files.prompts import arm_from_row, arm_row
from judgekit.files.rows import Row, open_table
from judgekit.files.unique import SeenIds
from judgekit.records import BASE, BlindedReply, MaskedText, Reply, Slot, Withheld

__all__ = ["Stored", "blinded_row", "design_path", "design_row", "find_design", "read_blinded"]

_LONGEST_LABEL = 200
_DESIGN_KEYS = {
    *("id", "template_id", "group", "name", "name_pair", "replicate", "case_type", "lang"),
    *("known_names", "slots", "withheld", "leaks", "carried", "blinding", "arm"),
}
_SLOT_TYPES: dict[str, tuple[type, ...]] = {
    "field": (str,),
    "start": (int,),
    "end": (int,),
    "person": (int, type(None)),
    "subject": (bool,),
    "kind": (str,),
    "form": (str,),
    "surface": (str,),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """One stored text with its design. Nothing is taken on trust: it is verified again before anyone sees it.

    ``reply.text`` is the masked text: originals stand only in the slots. ``rules`` are those it was blinded by.
    ``names_known`` and ``slots_known`` say whether the design told the names to look for and where the placeholders are.
    """

    masked: MaskedText
    reply: Reply
    rules: BlindingRules = field(default_factory=BlindingRules)
    names_known: bool = False
    slots_known: bool = False


def design_path(blinded: str | Path) -> Path:
    """Where the design of a file of blinded texts is written: ``OUT.jsonl`` has ``OUT.design.jsonl``.

    Examples
    --------
    >>> design_path("out/replies.jsonl").name
    'replies.design.jsonl'
    """
    path = Path(blinded)
    return path.with_name(f"{path.stem}.design.jsonl")


def find_design(blinded: str | Path) -> Path | None:
    """The design file that stands beside a file of blinded texts.

    Parameters
    ----------
    blinded : str or Path

    Returns
    -------
    Path or None
        ``OUT.design.jsonl``; in the folder of a run, where the texts are called ``blinded.jsonl``, ``design.jsonl``.
    """
    beside = design_path(blinded)
    in_run = Path(blinded).with_name("design.jsonl")
    if not beside.is_file() and Path(blinded).name == "blinded.jsonl" and in_run.is_file():
        return in_run
    return beside if beside.is_file() else None


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


def design_row(
    reply: Reply, masked: MaskedText, result: BlindedReply | Withheld, rules: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """One line of the private design file: where the reply stands, its slots, what was found in it.

    Of the carried columns numbers and short texts are kept: what a comparison or a sample can be made by.

    Parameters
    ----------
    reply : Reply
    masked : MaskedText
    result : BlindedReply or Withheld
    rules : mapping, optional
        What `blinding_rules.rules_row` made. Every row keeps them, so that a part of the file is as good as the whole.

    Returns
    -------
    dict
    """
    row = {
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
        **({"leaks_left_out": result.more} if isinstance(result, Withheld) and result.more else {}),
        "carried": {name: value for name, value in reply.carried.items() if _is_label(value)},
    }
    if reply.arm != BASE:
        row["arm"] = arm_row(reply.arm)
    return row if rules is None else row | {"blinding": dict(rules)}


def _is_label(value: object) -> bool:
    """Whether a carried value can name a group or stratum: texts of any length would double the file."""
    if isinstance(value, float):
        return isfinite(value)
    return isinstance(value, int) or (isinstance(value, str) and len(value) <= _LONGEST_LABEL)


def read_blinded(path: str | Path) -> Iterator[Stored]:
    """Read blinded texts with their design, where a design file stands beside them; one at a time.

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
        A line without id or blinded text, or a design file that does not fit. At the end: an id that stands twice.
    """
    path = Path(path)
    table = open_table(path)
    if table.format != "jsonl":
        raise _not_blinded(path, table.header_line, table.columns)
    beside = find_design(path)
    design = None if beside is None else iter_jsonl(beside)
    kept, rules = None, BlindingRules()
    with SeenIds() as seen:
        for row in table.rows():
            item = _item(path, row)
            seen.add(item)
            if beside is None or design is None:
                yield _stored(row.values, {}, rules, path, row.line)
                continue
            line, partner = _partner(design, beside, item)
            if partner.get("blinding") != kept:
                kept = partner.get("blinding")
                rules = read_rules(kept, beside, line)
            yield _stored(row.values, partner, rules, beside, line)
        seen.check(table, lambda row: _item(path, row))


def _item(path: Path, row: Row) -> str:
    item = row.values.get("id")
    if not isinstance(item, str) or not isinstance(row.values.get("blinded"), str):
        raise _not_blinded(path, row.line, row.values)
    return item


def _not_blinded(path: Path, line: int | None, columns: Iterable[str]) -> BadInput:
    names = list(columns)
    raw = "blinded" not in names and {"text", *REPLIES["text"]} & {name.strip().casefold() for name in names}
    return BadInput(
        "this is a replies file" if raw else "a line without id or blinded text",
        path=path,
        line=line,
        field="blinded" if raw else "id, blinded",
        seen=", ".join(names),
        why="only blinded texts may go on from here"
        if raw
        else 'blinded texts are JSON lines, each of them {"id": ..., "blinded": ...}',
        remedy="run `judgekit blind` first, and give the file that it writes",
    )


def _partner(design: Iterator[tuple[int, dict[str, Any]]], path: Path, item: str) -> tuple[int | None, dict[str, Any]]:
    line, row = next(design, (None, {}))
    if row.get("id") != item:
        raise _unfit(path, line, "id", row.get("id"), f"the two files are written together, and {item} comes next")
    return line, row


def _unfit(path: Path, line: int | None, field: str, seen: object, why: str) -> BadInput:
    return BadInput(
        "the design file does not fit the blinded texts",
        path=path,
        line=line,
        field=field,
        seen=seen,
        why=why,
        remedy="blind again, and keep the two files together",
    )


def _slots(design: Mapping[str, Any], bodies: Mapping[str, str | None], path: Path, line: int | None) -> list[Slot]:
    """The slots of one row; each must be whole and lie inside its text."""
    found = []
    for slot in design.get("slots") or ():
        if not isinstance(slot, dict) or set(slot) != set(_SLOT_TYPES):
            raise _unfit(path, line, "slots", slot, f"a slot has {', '.join(_SLOT_TYPES)}")
        wrong = next((name for name, types in _SLOT_TYPES.items() if not isinstance(slot[name], types)), None)
        if wrong is not None:
            raise _unfit(path, line, f"slots.{wrong}", slot[wrong], "a slot's value is of another kind")
        body = bodies.get(slot["field"])
        if body is None or not 0 <= slot["start"] < slot["end"] <= len(body):
            raise _unfit(path, line, "slots", f"{slot['field']} {slot['start']}-{slot['end']}", "the slot is not there")
        found.append(Slot(**slot))
    return found


def _carried(design: Mapping[str, Any]) -> dict[str, Any]:
    """Further columns: those that were carried, and those that somebody added to the design file."""
    own = {name: value for name, value in design.items() if name not in _DESIGN_KEYS}
    carried = design.get("carried")
    return own | (carried if isinstance(carried, dict) else {})


def _stored(
    row: Mapping[str, Any], design: Mapping[str, Any], rules: BlindingRules, path: Path, line: int | None
) -> Stored:
    lang = str(row.get("lang") or design.get("lang") or "en")
    names, slots = design.get("known_names"), design.get("slots")
    for key, value in (("known_names", names), ("slots", slots)):
        if value is not None and not isinstance(value, list):
            raise _unfit(path, line, key, value, "it is a list")
    known = tuple(str(name) for name in names or ())
    context = row.get("context") if isinstance(row.get("context"), str) else None
    masked = MaskedText(
        item=row["id"],
        text=row["blinded"],
        context=context,
        slots=tuple(_slots(design, {"text": row["blinded"], "context": context}, path, line)),
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
        arm=arm_from_row(design.get("arm"), path, line or 0),
        context=context,
        known_names=known,
        lang=lang,
        carried=_carried(design),
    )
    return Stored(
        masked=masked,
        reply=reply,
        rules=rules,
        names_known=names is not None,
        slots_known=slots is not None,
    )
