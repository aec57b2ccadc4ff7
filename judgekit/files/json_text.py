"""Records as JSON text and back: the same bytes for the same facts, and never a NaN.

JSON here is stricter than Python's own: keys are sorted, ``NaN`` and ``Infinity`` do not exist, a key may stand once,
and every character that a terminal might obey (C1 controls, bidirectional marks, lone surrogates) is escaped, so that
a file can be shown with ``cat`` and still gives back the exact text.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from pathlib import PurePath
from typing import Any, Literal

from judgekit.errors import BadInput
from judgekit.records import Undefined

__all__ = ["decode_at", "dumps", "loads", "to_jsonable"]

_ESCAPED = {
    code: f"\\u{code:04x}"
    for code in (
        *range(0x7F, 0xA0),  # delete and the C1 controls
        0xAD,
        0x061C,
        *range(0x200B, 0x2010),
        *range(0x2028, 0x202F),
        *range(0x2060, 0x2070),
        0xFEFF,
        *range(0xD800, 0xE000),  # lone surrogates: not encodable, so they must be escaped
    )
}


def to_jsonable(value: Any) -> Any:
    """Turn a record into what JSON can hold, without losing that something is missing.

    Parameters
    ----------
    value : object
        Frozen records, `Undefined`, mappings, sequences, sets, numbers, numpy scalars and arrays, texts, paths,
        dates, enums, None.

    Returns
    -------
    object
        Dicts with text keys, lists, texts, numbers, booleans, None. `Undefined` becomes
        ``{"undefined": reason, "detail": detail}``; an infinite number the text ``"inf"`` or ``"-inf"``.

    Raises
    ------
    ValueError
        For ``nan`` (a missing number is `Undefined` or None) and for two keys that become the same text.
    TypeError
        For anything else.

    Examples
    --------
    >>> from judgekit.records import Interval, Undefined
    >>> to_jsonable(Interval(-1.0, float("inf"), 0.95, "t"))
    {'low': -1.0, 'high': 'inf', 'level': 0.95, 'method': 't'}
    >>> to_jsonable({"kappa": Undefined("constant", "one level used")})
    {'kappa': {'undefined': 'constant', 'detail': 'one level used'}}
    """
    if value is None or isinstance(value, (bool, str)):
        return str(value) if isinstance(value, str) and type(value) is not str else value
    if isinstance(value, Enum):
        return to_jsonable(value.value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _number(float(value))
    if isinstance(value, Undefined):
        return {"undefined": str(value.reason), "detail": str(value.detail)}
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_jsonable(getattr(value, f.name)) for f in fields(value)}
    return _container(value)


def _number(value: float) -> float | str:
    if math.isnan(value):
        msg = "nan cannot be written: a missing number is Undefined(reason) or None"
        raise ValueError(msg)
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def _container(value: Any) -> Any:
    if isinstance(value, Mapping):
        result: dict[str, Any] = {}
        for key, entry in value.items():
            name = _key(key)
            if name in result:
                msg = f"two keys become the same text: {name!r}"
                raise ValueError(msg)
            result[name] = to_jsonable(entry)
        return result
    if isinstance(value, AbstractSet):
        return sorted((to_jsonable(entry) for entry in value), key=dumps)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return [to_jsonable(entry) for entry in value]
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, PurePath):
        return value.as_posix()
    # numpy scalars and arrays are known by their shape, so that numpy is not imported for a file without any
    if type(value).__module__.partition(".")[0] == "numpy" and hasattr(value, "tolist"):
        return to_jsonable(value.tolist())
    msg = f"{type(value).__name__} cannot be written as JSON"
    raise TypeError(msg)


def _key(key: Any) -> str:
    if isinstance(key, Enum):
        key = key.value
    if isinstance(key, str):
        return str(key)
    if isinstance(key, int):
        return str(key).lower() if isinstance(key, bool) else str(int(key))
    msg = f"a JSON key is text or a whole number, not {type(key).__name__}"
    raise TypeError(msg)


def dumps(value: Any, *, indent: int | None = None) -> str:
    r"""Write a value as JSON text: sorted keys, no NaN, no character that a terminal would obey.

    Parameters
    ----------
    value : object
        Anything `to_jsonable` takes.
    indent : int, optional
        Spaces per level; None writes one line.

    Returns
    -------
    str
        JSON that encodes to UTF-8 whatever the texts hold. Equal values give equal text. One exception to exactness:
        two lone surrogates that stand side by side as a pair are read back as the one character they form.

    Raises
    ------
    ValueError, TypeError
        As `to_jsonable`.

    Examples
    --------
    >>> print(dumps({"b": "é\ud83d", "a": 1}))
    {"a": 1, "b": "é\ud83d"}
    """
    text = json.dumps(to_jsonable(value), sort_keys=True, ensure_ascii=False, allow_nan=False, indent=indent)
    if text.isascii() and "\x7f" not in text:
        return text
    return text.translate(_ESCAPED)


class _Refusal(ValueError):
    """What is wrong with a JSON text that Python's reader would have taken."""


def _refuse_constant(name: str) -> Any:
    raise _Refusal(f"{name} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _Refusal(f"the number {text[:40]} is too large")
    return value


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Refusal(f"the key {key!r} stands twice")
            seen.add(key)
    return result


def _finite_or_none(text: str) -> float | None:
    value = float(text)
    return None if math.isinf(value) else value


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_no_duplicates)
_LENIENT = json.JSONDecoder(
    parse_constant=lambda _: None, parse_float=_finite_or_none, object_pairs_hook=_no_duplicates
)


def decode_at(text: str, start: int) -> tuple[Any, int]:
    """Read the JSON value that begins at a place of a text, with missing numbers as None; see `loads`.

    Parameters
    ----------
    text : str
        Anything may follow the value, and the value may be cut off.
    start : int
        Where the value begins, past white space.

    Returns
    -------
    (object, int)
        The value, and where what follows begins.

    Raises
    ------
    ValueError, RecursionError
        It is cut off, or nothing that `loads` takes; without a place, which `loads` on the whole value gives.

    Examples
    --------
    >>> decode_at('[1, {"a": NaN}], 2', 4)
    ({'a': None}, 14)
    """
    return _LENIENT.raw_decode(text, start)


def loads(
    text: str,
    *,
    path: object = None,
    line: int | None = None,
    not_finite: Literal["refuse", "missing"] = "refuse",
) -> Any:
    """Read JSON text strictly.

    Parameters
    ----------
    text : str
        One JSON value.
    path : str or Path, optional
        Named in errors.
    line : int, optional
        The line the text starts on, 1-based; named in errors.
    not_finite : {'refuse', 'missing'}
        What ``NaN``, ``Infinity`` and numbers too large are: an error, or None, a missing number, as in files of tools
        that write a score they do not have as ``NaN``.

    Returns
    -------
    object

    Raises
    ------
    BadInput
        Not JSON, ``NaN`` or ``Infinity``, a number too large, a key that stands twice, or nesting without end.

    Examples
    --------
    >>> loads('{"score": NaN}', path="r.jsonl", line=3)
    Traceback (most recent call last):
        ...
    judgekit.errors.BadInput: r.jsonl:3: not usable as JSON (seen: '{"score": NaN}'). Why: NaN is no JSON number. Do: ...
    """
    where = None if path is None else str(path)
    try:
        return (_LENIENT if not_finite == "missing" else _DECODER).decode(text)
    except json.JSONDecodeError as problem:
        first = 1 if line is None else line
        raise BadInput(
            "not valid JSON",
            path=where,
            line=first + problem.lineno - 1,
            column=problem.colno,
            seen=text[max(0, problem.pos - 20) : problem.pos + 40],
            why=problem.msg,
            remedy="mend the line; each line holds one complete JSON object",
        ) from None
    except ValueError as problem:
        raise BadInput(
            "not usable as JSON",
            path=where,
            line=line,
            seen=text[:80],
            why=str(problem),
            remedy="write a missing number as null, and every key once",
        ) from None
    except RecursionError:
        raise BadInput(
            "not usable as JSON",
            path=where,
            line=line,
            seen=text[:80],
            why="it is nested too deeply",
            remedy="flatten the value",
        ) from None
