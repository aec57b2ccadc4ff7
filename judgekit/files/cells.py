"""Single cells turned into what a record needs, or an error that says where the cell stands and how to mend it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import regex

from judgekit.errors import BadInput
from judgekit.files.json_text import loads
from judgekit.files.rows import Layout, Place, Row, Table

__all__ = [
    "as_id",
    "as_label",
    "as_names",
    "as_number",
    "as_rating",
    "as_text",
    "check_filled",
    "is_empty",
    "row_id",
    "row_label",
    "row_text",
]

_NUMBER = regex.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_OTHER_DECIMAL = regex.compile(r"[+-]?[0-9]+,[0-9]+")
_MISSING = frozenset({"", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"})
_LIMIT_S = 2.0


def is_empty(value: Any) -> bool:
    """Whether a cell holds nothing, or white space only."""
    return value is None or (isinstance(value, str) and not value.strip())


def as_id(value: Any, place: Place) -> str:
    """An id as text, exactly as it stands: ``00123`` keeps its zeros.

    Raises
    ------
    BadInput
        It is empty, or neither text nor a whole number.
    """
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # a column of whole numbers in which one is missing
    if is_empty(value):
        raise place.problem(
            "the id is empty", seen="", why="every row needs an id", remedy="fill it in or remove the row"
        )
    raise place.problem(
        "not usable as an id", seen=value, why="an id is a text or a whole number", remedy="write it as text"
    )


def as_text(value: Any, place: Place) -> str:
    """A reply as text. An empty or absent one is an empty text: the chatbot said nothing, which is a finding.

    Raises
    ------
    BadInput
        It is a number, list or object.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    raise place.problem(
        "not a text",
        seen=value,
        why=f"a text is needed here and this is {_kind(value)}",
        remedy=f"write it as text, or name another column in `columns` (`{place.column}: null` for none)",
    )


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, (bytes, bytearray)):
        return "bytes"
    return "a list" if isinstance(value, list) else "an object"


def as_label(value: Any, place: Place) -> str | None:
    """A group, name or replicate as text; None when the cell is empty.

    Raises
    ------
    BadInput
        It is a list or object.
    """
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    raise place.problem(
        "not usable as a label",
        seen=value,
        why=f"a text or number is needed here and this is {_kind(value)}",
        remedy="write it as text",
    )


def as_names(value: Any, place: Place) -> tuple[str, ...]:
    """Known names: a list of texts, a JSON list, or names with ``;`` between them. Order is kept, empty ones go.

    Raises
    ------
    BadInput
        It is something else.
    """
    if value is None or value == "":
        return ()
    if isinstance(value, str):
        text = value.strip()
        if not text.startswith("["):
            return tuple(name for part in text.split(";") if (name := part.strip()))
        try:
            value = loads(text)
        except BadInput as problem:
            raise _no_names(text, place, problem.why or problem.what) from None
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise _no_names(value, place, "it is a list of texts, or names with ; between them")
    return tuple(name for entry in value if (name := entry.strip()))


def _no_names(value: Any, place: Place, why: str) -> BadInput:
    return place.problem("not usable as a list of names", seen=value, why=why, remedy='write ["Ana", "Bo"] or Ana;Bo')


def _parse(text: str, place: Place) -> float | None:
    """The number a text is, None when it is none; raises for the other decimal sign."""
    text = text.strip()
    if not text or len(text) > 400 or not text[-1].isascii():
        return None
    decimal = place.table.decimal
    if decimal == ",":
        if "." in text and _NUMBER.fullmatch(text, timeout=_LIMIT_S):
            raise _other_decimal(text, place, ".", ",")
        text = text.replace(",", ".", 1)
    elif _OTHER_DECIMAL.fullmatch(text, timeout=_LIMIT_S):
        raise _other_decimal(text, place, ",", ".")
    if _NUMBER.fullmatch(text, timeout=_LIMIT_S):
        return _finite(float(text), place, text)
    return None


def _other_decimal(text: str, place: Place, seen: str, expected: str) -> BadInput:
    return place.problem(
        f"a number with a decimal {'comma' if seen == ',' else 'point'}",
        seen=text,
        why=f"the file's decimal sign is {expected!r}, so this could mean two numbers",
        remedy=f'write all numbers alike, or state csv: {{decimal: "{seen}"}}',
    )


def _finite(value: float, place: Place, seen: Any) -> float:
    if value in {float("inf"), float("-inf")}:
        raise place.problem(
            "the number is infinite", seen=seen, why="a score is a finite number", remedy="leave the cell empty"
        )
    return value


def as_rating(value: Any, place: Place) -> float | str | None:
    """A score as a number when it is written as one, otherwise as the text it is; None when the cell is empty.

    Raises
    ------
    BadInput
        A number with the wrong decimal sign or an infinite one, a list or an object.
    """
    if is_empty(value):
        return None
    if isinstance(value, str):
        number = _parse(value, place)
        return value.strip() if number is None else number
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return _as_float(value, place)
    raise place.problem(
        "not usable as a score",
        seen=value,
        why=f"a number or a text is needed here and this is {_kind(value)}",
        remedy="write one score per row",
    )


def _as_float(value: float, place: Place) -> float:
    try:
        return _finite(float(value), place, value)
    except OverflowError:
        raise place.problem(
            "the number is too large", seen=value, why="it is beyond 1e308", remedy="correct the cell"
        ) from None


def as_number(value: Any, place: Place) -> float | None:
    """A metric's value; true and false are 1 and 0; None when the cell is empty or says ``NA`` or ``NaN``.

    Raises
    ------
    BadInput
        It is no number.
    """
    if value is None:
        return None
    if isinstance(value, (bool, int, float)):
        return _as_float(value, place)
    if isinstance(value, str):
        text = value.strip()
        if text in _MISSING:
            return None
        if text.lower() in {"true", "false"}:
            return 1.0 if text.lower() == "true" else 0.0
        number = _parse(text, place)
        if number is not None:
            return number
    raise place.problem(
        "not a number", seen=value, why="the metric needs a number here", remedy="correct it or leave the cell empty"
    )


def check_filled(table: Table, row: Row, layout: Layout, names: Sequence[str]) -> None:
    """Refuse a row in which one of these canonical columns is empty.

    Raises
    ------
    BadInput
        Names the column, the line and the step's need.
    """
    for name in names:
        column = layout.found[name]
        if is_empty(row.values[column]):
            raise Place(table, row.line, column).problem(
                f"`{name}` is empty",
                seen="",
                why="this step needs it in every row",
                remedy="fill it in or remove the row",
            )


# The three below are called for every row. Nearly every cell is text and good, and building a place for each would
# double the time of reading.


def row_id(table: Table, row: Row, column: str) -> str:
    """The id in a column of a row, as `as_id` takes it."""
    value = row.values[column]
    if type(value) is str and value and not value.isspace():
        return value
    return as_id(value, Place(table, row.line, column))


def row_text(table: Table, row: Row, column: str) -> str:
    """The text in a column of a row, as `as_text` takes it."""
    value = row.values[column]
    return value if type(value) is str else as_text(value, Place(table, row.line, column))


def row_label(table: Table, row: Row, found: Mapping[str, str], name: str) -> str | None:
    """The label under a canonical name, as `as_label` takes it; None when the table has no such column."""
    column = found.get(name)
    if column is None:
        return None
    value = row.values[column]
    return value or None if type(value) is str else as_label(value, Place(table, row.line, column))
