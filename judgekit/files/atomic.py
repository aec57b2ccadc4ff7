"""Write text, bytes, JSON and JSONL files that appear whole or not at all, and read JSONL back.

The low half, one file and the calls it makes to the operating system, is `judgekit.files.disk`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from judgekit.errors import BadInput
from judgekit.files.disk import DISK, AtomicFile, Disk, check_output, disk_failed
from judgekit.files.json_text import dumps, loads, to_jsonable
from judgekit.files.text_in import TextFacts, lines_of, open_text

__all__ = [
    "DISK",
    "AtomicFile",
    "Disk",
    "JsonlWriter",
    "check_output",
    "disk_failed",
    "dumps",
    "iter_jsonl",
    "read_json",
    "read_jsonl",
    "to_jsonable",
    "write_bytes",
    "write_json",
    "write_jsonl",
    "write_text",
]


def write_bytes(
    path: str | Path,
    data: bytes,
    *,
    force: bool = False,
    private: bool = False,
    inputs: Iterable[str | Path] = (),
    disk: Disk = DISK,
) -> None:
    """Write a whole file at once; parameters and errors as `AtomicFile`.

    Parameters
    ----------
    path : str or Path
        The file to make.
    data : bytes
        Its content.
    force, private, inputs, disk
        See `AtomicFile`.
    """
    with AtomicFile(path, force=force, private=private, inputs=inputs, disk=disk) as file:
        file.write(data)


def write_text(
    path: str | Path,
    text: str,
    *,
    force: bool = False,
    private: bool = False,
    inputs: Iterable[str | Path] = (),
    disk: Disk = DISK,
) -> None:
    r"""Write a text file in UTF-8; parameters and errors as `AtomicFile`.

    Parameters
    ----------
    path : str or Path
        The file to make.
    text : str
        Its content. Line ends stay as they are; a lone surrogate, which no encoding can hold, becomes ``\udxxx``.
    force, private, inputs, disk
        See `AtomicFile`.
    """
    data = text.encode("utf-8", "backslashreplace")
    write_bytes(path, data, force=force, private=private, inputs=inputs, disk=disk)


def write_json(
    path: str | Path,
    value: Any,
    *,
    force: bool = False,
    private: bool = False,
    inputs: Iterable[str | Path] = (),
    disk: Disk = DISK,
) -> None:
    """Write one JSON document, indented, keys sorted; errors as `AtomicFile` and `to_jsonable`.

    Parameters
    ----------
    path : str or Path
        The file to make.
    value : object
        Anything `to_jsonable` takes.
    force, private, inputs, disk
        See `AtomicFile`.
    """
    # Built before the file is opened: a value that cannot be written must leave no trace.
    text = dumps(value, indent=2) + "\n"
    write_bytes(path, text.encode("utf-8"), force=force, private=private, inputs=inputs, disk=disk)


class JsonlWriter:
    r"""A JSONL file written record by record, which appears only when it is complete.

    Parameters
    ----------
    path : str or Path
        The file to make.
    force, private, inputs, disk
        See `AtomicFile`.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "out.jsonl"
    >>> with JsonlWriter(path) as out:
    ...     out.write({"id": "1", "score": None})
    >>> path.read_text()
    '{"id": "1", "score": null}\n'
    >>> folder.cleanup()
    """

    def __init__(
        self,
        path: str | Path,
        *,
        force: bool = False,
        private: bool = False,
        inputs: Iterable[str | Path] = (),
        disk: Disk = DISK,
    ) -> None:
        self._file = AtomicFile(path, force=force, private=private, inputs=inputs, disk=disk)
        self.count = 0
        """How many records were written."""

    def write(self, record: Any) -> None:
        """Add one record.

        Raises
        ------
        ValueError, TypeError
            As `to_jsonable`; nothing of this record is written.
        DiskFailed
            The disk is full or does not answer; everything is discarded.
        """
        self._file.write((dumps(record) + "\n").encode("utf-8"))
        self.count += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.__exit__(kind, problem, trace)


def write_jsonl(
    path: str | Path,
    records: Iterable[Any],
    *,
    force: bool = False,
    private: bool = False,
    inputs: Iterable[str | Path] = (),
    disk: Disk = DISK,
) -> int:
    """Write records as JSONL and tell how many there were.

    Parameters
    ----------
    path : str or Path
        The file to make; it appears only when the last record is written.
    records : iterable
        Read once, one at a time.
    force, private, inputs, disk
        See `AtomicFile`.

    Returns
    -------
    int
    """
    with JsonlWriter(path, force=force, private=private, inputs=inputs, disk=disk) as out:
        for record in records:
            out.write(record)
    return out.count


def iter_jsonl(path: str | Path, *, facts: TextFacts | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read a JSONL file record by record, in bounded memory.

    Parameters
    ----------
    path : str or Path
        A file with one JSON object per line. Blank lines are passed over.
    facts : TextFacts, optional
        How it is encoded, when that is known; otherwise the file is checked first.

    Yields
    ------
    (int, dict)
        The line, 1-based, and its object.

    Raises
    ------
    BadInput
        The file cannot be read or is empty; a line is no JSON object, holds NaN, repeats a key, or is too long.
    """
    with open_text(path, facts) as handle:
        for line, text in lines_of(handle, path):
            if text.isspace():
                continue
            record = loads(text, path=path, line=line)
            if not isinstance(record, dict):
                raise BadInput(
                    "the line is no JSON object",
                    path=path,
                    line=line,
                    seen=text[:80].strip(),
                    why="each line is one record, written as {...}",
                    remedy="write one object per line; a JSON list has to be taken apart",
                )
            yield line, record


def read_jsonl(path: str | Path) -> list[dict[str, Any]]:
    """Read a whole JSONL file; errors as `iter_jsonl`.

    Parameters
    ----------
    path : str or Path
        A file with one JSON object per line.

    Returns
    -------
    list of dict
    """
    return [record for _, record in iter_jsonl(path)]


def read_json(path: str | Path) -> Any:
    """Read one JSON document strictly.

    Parameters
    ----------
    path : str or Path
        A JSON file.

    Returns
    -------
    object

    Raises
    ------
    BadInput
        The file cannot be read, is empty, or is not JSON as `loads` takes it.
    """
    with open_text(path) as handle:
        text = "".join(line for _, line in lines_of(handle, path))
    return loads(text, path=path, line=1)
