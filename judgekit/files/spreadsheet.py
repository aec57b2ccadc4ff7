"""CSV files that no spreadsheet executes and that give back the exact text.

A cell whose text starts like a formula gets one apostrophe in front; reading removes exactly that one. Characters that
a CSV file cannot hold (NUL, lone surrogates) are written as ``‹U+0000›`` and come back as themselves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import regex

from judgekit.files.disk import DISK, AtomicFile, Disk
from judgekit.files.json_text import dumps
from judgekit.records import Undefined

__all__ = ["guard", "is_plain_number", "unguard", "write_csv"]

_FORMULA_STARTS = frozenset("=+-@＝＋－＠")
_BREAKS = frozenset("\t\r\n")
_NUMBER = regex.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?")
_UNWRITABLE = regex.compile("[\\x00\ud800-\udfff]")
_TOKEN = regex.compile(r"‹('*)U\+(0000|D[89A-F][0-9A-F]{2})›")
_LIMIT_S = 5.0


def is_plain_number(text: str) -> bool:
    """Whether a text is one decimal number, with a point or a comma, as a spreadsheet would read it."""
    return len(text) <= 400 and _NUMBER.fullmatch(text, timeout=_LIMIT_S) is not None


def _is_formula(text: str) -> bool:
    return bool(text) and (text[0] in _BREAKS or text.lstrip()[:1] in _FORMULA_STARTS)


def guard(text: str) -> str:
    """Make a text safe to be opened in a spreadsheet; `unguard` gives it back.

    Parameters
    ----------
    text : str
        Any text, header names included.

    Returns
    -------
    str
        The text, with an apostrophe in front when it starts, after any white space, with ``=``, ``+``, ``-``, ``@``
        or one of their full-width forms, or with a tab or line end. A plain number such as ``-5`` stays a number.

    Examples
    --------
    >>> guard("=SUM(A1)"), guard("-5"), guard("- a list"), guard("'=x")
    ("'=SUM(A1)", '-5', "'- a list", "''=x")
    """
    if text.isascii() is False or "\0" in text:
        text = _TOKEN.sub(r"‹'\1U+\2›", text, timeout=_LIMIT_S)
        text = _UNWRITABLE.sub(lambda found: f"‹U+{ord(found[0]):04X}›", text, timeout=_LIMIT_S)
    if _is_formula(text.lstrip("'")) and not is_plain_number(text):
        return "'" + text
    return text


def unguard(text: str) -> str:
    """Undo `guard`.

    Parameters
    ----------
    text : str
        A cell as read.

    Returns
    -------
    str
        The text that was guarded. A foreign cell that starts with an apostrophe and a formula sign loses that
        apostrophe: spreadsheets write it to say "this is text".

    Examples
    --------
    >>> unguard("'=SUM(A1)"), unguard("'tis fine"), unguard("''=x")
    ('=SUM(A1)', "'tis fine", "'=x")
    """
    if text[:1] == "'" and _is_formula(text.lstrip("'")):
        text = text[1:]
    if "‹" in text:
        text = _TOKEN.sub(_original, text, timeout=_LIMIT_S)
    return text


def _original(found: regex.Match[str]) -> str:
    return f"‹{found[1][1:]}U+{found[2]}›" if found[1] else chr(int(found[2], 16))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        if math.isnan(value):
            msg = "nan cannot be written: a missing number is Undefined(reason) or None"
            raise ValueError(msg)
        return repr(float(value))
    if isinstance(value, Undefined):
        value = str(value)
    elif not isinstance(value, str):
        value = dumps(value)
    return '"' + guard(value).replace('"', '""') + '"'


def write_csv(
    path: str | Path,
    header: Sequence[str],
    rows: Iterable[Mapping[str, Any] | Sequence[Any]],
    *,
    delimiter: str = ",",
    force: bool = False,
    private: bool = False,
    inputs: Iterable[str | Path] = (),
    disk: Disk = DISK,
) -> int:
    r"""Write a CSV file that is safe to open in a spreadsheet, and tell how many rows it has.

    Parameters
    ----------
    path : str or Path
        The file to make; it appears only when the last row is written. UTF-8, one line end (``\n``) per row.
    header : sequence of str
        Names of the columns, each once.
    rows : iterable of mapping or sequence
        Read once. A mapping gives its cells by column name (an absent one is an empty cell, an unknown one is
        refused); a sequence has one cell per column. None is an empty cell, which CSV cannot tell from an empty
        text. Numbers are bare, with a decimal point; texts are quoted and guarded; lists and mappings become JSON.
    delimiter : str
        ``,`` or ``;`` or a tab.
    force, private, inputs, disk
        See `AtomicFile`.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        A nan, a row of another length, an unknown column, or a column name twice.
    AlreadyThere, BadInput, DiskFailed
        As `AtomicFile`.
    """
    names = list(header)
    known = set(names)
    if len(known) < len(names) or delimiter not in {",", ";", "\t"}:
        msg = "column names must be unique and the delimiter one of , ; tab"
        raise ValueError(msg)
    count = 0
    with AtomicFile(path, force=force, private=private, inputs=inputs, disk=disk) as file:
        file.write((delimiter.join(map(_cell, names)) + "\n").encode("utf-8"))
        for row in rows:
            if isinstance(row, Mapping):
                if not known.issuperset(row):
                    msg = f"no such column: {sorted(set(row) - known)}"
                    raise ValueError(msg)
                cells = [row.get(name) for name in names]
            else:
                cells = list(row)
            if len(cells) != len(names):
                msg = f"a row has {len(cells)} cells, the header {len(names)}"
                raise ValueError(msg)
            line = delimiter.join(map(_cell, cells))
            # A lone empty cell would be an empty line, which readers pass over.
            file.write(((line or '""') + "\n").encode("utf-8"))
            count += 1
    return count
