"""The first look at a foreign file: what kind of file it is and which keys it begins with, in bounded memory."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import regex

from judgekit.errors import BadInput
from judgekit.files.text_in import cannot_read, read_start

__all__ = ["Peek", "Shape", "peek"]

Shape = Literal["zip", "parquet", "object", "list", "jsonl", "other"]

_HEAD = 1 << 18
_MEMBERS = 200
_TOKEN = regex.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]:,]|[^\s"{}\[\]:,]++')
_DEEP = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Peek:
    """What a file shows at first sight.

    Parameters
    ----------
    path : str
        The file.
    shape : Shape
        ``zip``, ``parquet``, one JSON ``object``, one JSON ``list``, ``jsonl`` (one object per line) or ``other``.
    names : tuple of str
        Members of a zip file (of many the first and the last 100), or columns of a Parquet file.
    keys : mapping of str to object
        Of an object: the keys met in the first 256 kB, nested ones with dots to a depth of three (``results.version``);
        a text, number or constant is the value, anything else None. Keys inside lists are left out.
    first : mapping of str to object
        Of a list or JSON lines: the first record where it is an object that fits in the first 256 kB; else empty.
    """

    path: str
    shape: Shape
    names: tuple[str, ...] = ()
    keys: Mapping[str, Any] = field(default_factory=dict)
    first: Mapping[str, Any] = field(default_factory=dict)

    def has(self, *keys: str) -> bool:
        """Whether all these keys were met, in the object or in the first record."""
        return all(key in self.keys or key in self.first for key in keys)


def peek(path: str | Path) -> Peek:
    """Look at the start of a file.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Peek
        Shape ``other`` for what is neither JSON, zip nor Parquet; nothing is said of whether the rest is sound.

    Raises
    ------
    BadInput
        No regular file, empty, or not readable.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "results.json"
    ...     _ = path.write_text('{"evalId": "e1", "results": {"version": 3, "results": [{"a": 1}]}}')
    ...     seen = peek(path)
    >>> seen.shape, sorted(seen.keys), seen.keys["results.version"]
    ('object', ['evalId', 'results', 'results.results', 'results.version'], 3)
    """
    name = str(path)
    if (Path(path) / "dataset_info.json").is_file() or (Path(path) / "dataset_dict.json").is_file():
        raise _arrow(name)
    start = read_start(path, _HEAD)
    if start.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        raise _arrow(name)
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return Peek(path=name, shape="zip", names=_members(path))
    if start.startswith(b"PAR1"):
        from judgekit.files.parquet_in import parquet_columns

        return Peek(path=name, shape="parquet", names=parquet_columns(path))
    text = start.decode("utf-16" if start[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8", "replace").lstrip(
        "\ufeff \t\r\n"
    )
    if text.startswith("["):
        return Peek(path=name, shape="list", first=_record(text[1:].lstrip()))
    if not text.startswith("{"):
        return Peek(path=name, shape="other")
    line, _, rest = text.partition("\n")
    rest = rest.lstrip()
    record = _record(line)
    if record and (not rest or rest[0] == "{"):
        # One object on one line is the one record of a JSONL file or a whole document: both views are given.
        return Peek(path=name, shape="jsonl" if rest else "object", first=record, keys=_keys(text))
    return Peek(path=name, shape="object", keys=_keys(text))


def _arrow(name: str) -> BadInput:
    return BadInput(
        "Arrow files and folders of datasets.save_to_disk are not read",
        path=name,
        why="Parquet and JSON lines are",
        remedy="in Python: datasets.load_from_disk(FOLDER)[SPLIT].to_parquet('rows.parquet'), and import that",
    )


def _members(path: str | Path) -> tuple[str, ...]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            return tuple(names if len(names) <= _MEMBERS else names[: _MEMBERS // 2] + names[-_MEMBERS // 2 :])
    except OSError as problem:
        raise cannot_read(path, problem) from None
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as problem:
        raise BadInput(
            "the file is not readable as zip", path=path, why=str(problem)[:200], remedy="copy or write it again"
        ) from None


def _record(text: str) -> dict[str, Any]:
    """The object that a text starts with; empty where it is none, or not whole."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _keys(text: str) -> dict[str, Any]:
    """Keys of nested objects by a walk over tokens, which a document that breaks off in the middle allows."""
    found: dict[str, Any] = {}
    path: list[str | None] = []  # the key each open object or list is under; None for a list
    key: str | None = None
    expects_key = False
    for match in _TOKEN.finditer(text, timeout=5.0):
        piece = match.group()
        if piece in "{[":
            path.append(None if piece == "[" else key or "")
            expects_key, key = piece == "{", None
        elif piece in "}]":
            if not path:
                break
            path.pop()
            expects_key, key = False, None
        elif piece == ",":
            expects_key, key = bool(path) and path[-1] is not None, None
        elif piece == ":":
            expects_key = False
        elif expects_key:
            key = _scalar(piece) if piece.startswith('"') else None
            if key is not None and None not in path and len(path) <= _DEEP:
                found.setdefault(_dotted(path, key))
        elif key is not None and None not in path and len(path) <= _DEEP:
            found[_dotted(path, key)] = _scalar(piece)
    return found


def _dotted(path: list[str | None], key: str) -> str:
    return ".".join([*(part for part in path[1:] if part), key])


def _scalar(piece: str) -> Any:
    try:
        value = json.loads(piece)
    except (ValueError, RecursionError):
        return None
    return value[:200] if isinstance(value, str) else value
