"""Open a text file of unknown origin: what it is, how it is encoded, and where it stops being text.

UTF-8 and UTF-16 are known by their byte order mark, other files are UTF-8 when every byte fits and cp1252 (Windows,
Western Europe) otherwise. The whole file is checked before the first line is handed out, so that a bad byte on the
last line is met before any work is done.
"""

from __future__ import annotations

import codecs
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from judgekit.errors import BadInput

__all__ = [
    "RECORD_LIMIT",
    "TextFacts",
    "cannot_read",
    "check_regular",
    "lines_of",
    "open_text",
    "read_start",
    "sniff_encoding",
]

RECORD_LIMIT = 4_000_000
"""Characters a line or a CSV record may have. Longer ones are a mistake (an unclosed quote) or an attack."""

_CHUNK = 1 << 20
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = frozenset(map(chr, range(0x20))) - set("\t\n\r\x0b\x0c\x1b")


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFacts:
    """How a text file is encoded and how that is known: ``stated``, ``byte order mark``, ``every byte fits`` or
    ``fallback``.
    """

    encoding: str
    how: str


def cannot_read(path: str | Path, problem: OSError) -> BadInput:
    """The error for a file that the operating system does not let us read."""
    missing = isinstance(problem, FileNotFoundError)
    return BadInput(
        "the file does not exist" if missing else "the file cannot be read",
        path=path,
        why=None if missing else problem.strerror or str(problem),
        remedy="check the path" if missing else "check the path and its permissions",
    )


def check_regular(path: str | Path) -> int:
    """Make sure that a path is a regular file with something in it, and tell its size in bytes.

    Raises
    ------
    BadInput
        It is missing, a folder, a pipe or device, or empty.
    """
    try:
        status = Path(path).stat()
    except (OSError, ValueError) as problem:
        if isinstance(problem, OSError):
            raise cannot_read(path, problem) from None
        raise BadInput("the path holds a NUL character", path=path, remedy="check the path") from None
    if stat.S_ISDIR(status.st_mode):
        raise BadInput("this is a folder", path=path, why="a file is needed", remedy="name a file in it")
    if not stat.S_ISREG(status.st_mode):
        raise BadInput(
            "this is no regular file",
            path=path,
            why="it is read twice, once to check it, which a pipe or device does not allow",
            remedy="save it to a file first",
        )
    if status.st_size == 0:
        raise BadInput("the file is empty", path=path, seen="0 bytes", remedy="check what should have written it")
    return status.st_size


def read_start(path: str | Path, size: int = 1 << 16) -> bytes:
    """The first bytes of a regular file.

    Raises
    ------
    BadInput
        As `check_regular`.
    """
    check_regular(path)
    try:
        with Path(path).open("rb") as handle:
            return handle.read(size)
    except OSError as problem:
        raise cannot_read(path, problem) from None


def sniff_encoding(path: str | Path, stated: str | None = None) -> TextFacts:
    """Find out how a file is encoded and check that all of it can be read so.

    Parameters
    ----------
    path : str or Path
        A text file.
    stated : str, optional
        The encoding the user named; then nothing is guessed.

    Returns
    -------
    TextFacts

    Raises
    ------
    BadInput
        Not a readable file, not text (a NUL character, control characters, bytes that no supported encoding has),
        or not in the stated encoding; with the line and column of the first offence.
    """
    start = read_start(path, 4)
    if stated is not None:
        facts = TextFacts(encoding=_known_encoding(path, stated), how="stated")
        offence = _first_offence(path, facts.encoding, _CONTROLS & {"\0"})
        if offence:
            raise _not_text(path, offence, f"the file was said to be {stated}")
        return facts
    for bom, name in _BOMS:
        if start.startswith(bom):
            offence = _first_offence(path, name, {"\0"})
            if offence:
                raise _not_text(path, offence, f"its byte order mark says {name.removesuffix('-sig')}")
            return TextFacts(encoding=name, how="byte order mark")
    offence = _first_offence(path, "utf-8", {"\0"})
    if offence is None:
        return TextFacts(encoding="utf-8", how="every byte fits")
    # UTF-8 letters before the bad byte mean a damaged UTF-8 file; read as cp1252 all of them would turn to gibberish.
    if offence.seen != "\0" and offence.ascii_before:
        second = _first_offence(path, "cp1252", _CONTROLS)
        if second is None:
            return TextFacts(encoding="cp1252", how="fallback")
        offence = second
    raise _not_text(path, offence, "it is neither UTF-8 nor cp1252 text")


@dataclass(frozen=True, slots=True)
class _Offence:
    line: int
    column: int
    seen: str
    ascii_before: bool


def _known_encoding(path: str | Path, name: str) -> str:
    try:
        found = codecs.lookup(name).name
        "".encode(found)
    except (LookupError, ValueError):
        raise BadInput(
            "no such encoding",
            path=path,
            field="csv.encoding",
            seen=name,
            why="it must be a name that Python knows",
            remedy="use utf-8, utf-16, cp1252 or leave it out",
        ) from None
    return "utf-8-sig" if found == "utf-8" else found


def _first_offence(path: str | Path, encoding: str, forbidden: set[str] | frozenset[str]) -> _Offence | None:
    """Decode the whole file in chunks and find the first byte or character that does not belong in text."""
    decoder = codecs.getincrementaldecoder(encoding)()
    ascii_before = True
    line, before = 1, 0  # characters of the current line that earlier chunks held
    try:
        with Path(path).open("rb") as handle:
            while True:
                chunk = handle.read(_CHUNK)
                broken: str | None = None
                try:
                    text = decoder.decode(chunk, final=not chunk)
                except UnicodeDecodeError as problem:
                    text = bytes(problem.object[: problem.start]).decode(encoding, "replace")
                    broken = "byte " + problem.object[problem.start : problem.start + 1].hex().upper()
                ascii_before = ascii_before and text.isascii()
                at = _first_of(text, forbidden)
                if at is not None:
                    return _Offence(*_position(text[:at], line, before), text[at], ascii_before)
                if broken:
                    return _Offence(*_position(text, line, before), broken, ascii_before)
                line, column = _position(text, line, before)
                before = column - 1
                if not chunk:
                    return None
    except OSError as problem:
        raise cannot_read(path, problem) from None


def _first_of(text: str, characters: set[str] | frozenset[str]) -> int | None:
    places = [place for place in map(text.find, characters) if place >= 0]
    return min(places, default=None)


def _position(text: str, line: int, before: int) -> tuple[int, int]:
    newlines = text.count("\n")
    if newlines:
        return line + newlines, len(text) - text.rfind("\n")
    return line, before + len(text) + 1


def _not_text(path: str | Path, offence: _Offence, why: str) -> BadInput:
    if offence.seen == "\0":
        why = "text files hold no NUL characters; this looks like UTF-16 without a mark, or no text at all"
    return BadInput(
        "the file is not readable as text",
        path=path,
        line=offence.line,
        column=offence.column,
        seen=offence.seen,
        why=why,
        remedy="save it as UTF-8, or state its encoding (csv: {encoding: ...})",
    )


def open_text(path: str | Path, facts: TextFacts | None = None) -> IO[str]:
    """Open a file for reading as text, line ends untouched.

    Parameters
    ----------
    path : str or Path
        A text file.
    facts : TextFacts, optional
        What `sniff_encoding` found; asked for again when left out.

    Returns
    -------
    file object
        To be closed by the caller.

    Raises
    ------
    BadInput
        As `sniff_encoding`.
    """
    facts = facts or sniff_encoding(path)
    try:
        return Path(path).open(encoding=facts.encoding, newline="")
    except OSError as problem:
        raise cannot_read(path, problem) from None


def lines_of(handle: IO[str], path: str | Path, *, first: int = 1) -> Iterator[tuple[int, str]]:
    r"""Lines of an open text file with their numbers, each at most `RECORD_LIMIT` characters long.

    Parameters
    ----------
    handle : file object
        From `open_text`; ``\n``, ``\r\n`` and ``\r`` all end a line and stay on it.
    path : str or Path
        Named in errors.
    first : int
        The number of the first line.

    Yields
    ------
    (int, str)

    Raises
    ------
    BadInput
        A line is too long, or the file changed or failed while being read.
    """
    number = first
    while True:
        try:
            text = handle.readline(RECORD_LIMIT + 1)
        except (OSError, UnicodeError) as problem:
            why = str(problem.strerror) if isinstance(problem, OSError) else "it changed while it was being read"
            raise BadInput("the file cannot be read", path=path, line=number, why=why, remedy="try again") from None
        if not text:
            return
        if len(text) > RECORD_LIMIT:
            raise BadInput(
                "the line is too long",
                path=path,
                line=number,
                column=RECORD_LIMIT,
                seen=text[:60],
                why=f"a line may have {RECORD_LIMIT:,} characters",
                remedy="check that the file is what it should be; shorten or remove the line",
            )
        yield number, text
        number += 1
