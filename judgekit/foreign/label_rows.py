"""One label of a foreign export: who gave what to which text, when, beside what; and how it is counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from judgekit.errors import BadInput
from judgekit.foreign.imported import Request, Tally

__all__ = ["ITEM_FIELDS", "Said", "found_item", "label_row", "no_label_list", "stated_item", "utc"]

ITEM_FIELDS = ("task_id", "item", "item_id", "conv_id", "example_id", "id")
"""Where a task says which text it is about: a task of a labelling sample first, then the id of a reply."""

_DEEPEST = 4

Said = float | int | str
"""A score as the other tool has it: a number, or the words of a choice."""


def stated_item(request: Request) -> str | None:
    """The field that the user named for the item; None where it is to be found.

    Examples
    --------
    >>> stated_item(Request(path="e.json", columns={"item": "reply_no"}))
    'reply_no'
    """
    return request.columns.get("item")


def found_item(
    fields: Mapping[str, Any], stated: str | None, tally: Tally, *, under: str, never: Sequence[str] = ()
) -> str | None:
    """The id of the text that a task is about.

    Parameters
    ----------
    fields : mapping
        The task's own data.
    stated : str or None
        The field that the user named.
    tally : Tally
        Is told which field it was.
    under : str
        How errors and reports call the place of the fields (``data.``).
    never : sequence of str
        Fields that mean something else in this export.

    Returns
    -------
    str or None
        None where no field says it.
    """
    for name in (stated,) if stated else ITEM_FIELDS:
        value = fields.get(name)
        if name in never and not stated:
            continue
        if isinstance(value, (str, int)) and not isinstance(value, bool) and str(value).strip():
            tally.map("item", under + name, "as you say" if stated else "a usual name of an id")
            return str(value)
    return None


def utc(value: object) -> str:
    """A time as UTC in ISO 8601 with milliseconds; empty where it is none, or says no time zone.

    Examples
    --------
    >>> utc("2026-05-04T10:00:00.5+02:00"), utc("2026-05-04 10:00"), utc(None)
    ('2026-05-04T08:00:00.500Z', '', '')
    """
    if not isinstance(value, str) or len(value) > 64:
        return ""
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            return ""
        return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return ""


def label_row(
    *,
    item: str,
    dimension: str,
    annotator: str,
    score: Said,
    place: str,
    shown: Mapping[str, Any],
    also: Sequence[str] = (),
    at: str = "",
    ms: int | None = None,
    suggested: bool = False,
    copied: bool = False,
    unsaid: bool = False,
) -> dict[str, Any]:
    """A label as readers of exports give it.

    Parameters
    ----------
    item : str
        Id of the text, as the task has it.
    dimension : str
        The question's name.
    annotator : str
        The rater as the tool names it.
    score : number or str
        What was chosen.
    place : str
        Where it stands in the file.
    shown : mapping
        The task's fields; only the texts in them are kept.
    also : sequence of str
        Other names of the rater, by which a user may name the rater too.
    at : str
        UTC ISO 8601; empty where the export says no time.
    ms : int, optional
        Time it took.
    suggested : bool
        A model's answer stood there first.
    copied : bool
        The answer was copied from another one, or imported into the tool, and not given in it.
    unsaid : bool
        The export does not say whether either is so.

    Returns
    -------
    dict
    """
    return {
        "item": item,
        "dimension": dimension,
        "annotator": annotator,
        "score": score,
        "place": place,
        "shown": tuple(_texts(shown)),
        "also": tuple(also),
        "at": at,
        "ms": ms,
        "suggested": suggested,
        "copied": copied,
        "unsaid": unsaid,
        "rubric_hash": hash_ if isinstance(hash_ := shown.get("rubric_hash"), str) else None,
    }


def _texts(value: object, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (Mapping, list)) and depth < _DEEPEST:
        for entry in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(entry, depth + 1)


def no_label_list(request: Request, tool: str, why: str, remedy: str) -> BadInput:
    """The error for a file that is no export of the tool."""
    return BadInput(f"this is no {tool} export", path=request.path, why=why, remedy=remedy)
