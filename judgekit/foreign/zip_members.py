"""Members of a zip file as text, zstandard ones too, with limits that a zip bomb meets before it does harm."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Self

from judgekit.errors import BadInput
from judgekit.files.text_in import cannot_read, check_regular

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["MEMBER_LIMIT", "ZipMembers"]

MEMBER_LIMIT = 1 << 30
"""Bytes one member may have when it is unpacked; it is read piece by piece and not kept."""

_RATIO = 2_000
_SMALL = 1 << 24
_ZSTD = 93
_ENCRYPTED = 0x1
_LOCAL = struct.Struct("<4sHHHHHIIIHH")


class ZipMembers:
    """A zip file opened for reading; of members with one name the last one counts.

    Parameters
    ----------
    path : str

    Raises
    ------
    BadInput
        Not readable as zip.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "log.eval"
    ...     with zipfile.ZipFile(path, "w") as archive:
    ...         archive.writestr("header.json", '{"version": 2}')
    ...     with ZipMembers(str(path)) as members, members.text("header.json") as handle:
    ...         members.names, handle.read()
    (('header.json',), '{"version": 2}')
    """

    def __init__(self, path: str) -> None:
        self.path = path
        check_regular(path)
        try:
            self._file = zipfile.ZipFile(path)
        except OSError as problem:
            raise cannot_read(path, problem) from None
        except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error) as problem:
            raise self._problem("the file is not readable as zip", None, str(problem)) from None
        self._members = {info.filename: info for info in self._file.infolist()}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the members, each once, in the order of the file."""
        return tuple(self._members)

    @contextmanager
    def text(self, name: str) -> Iterator[IO[str]]:
        """Open one member as UTF-8 text.

        Raises
        ------
        BadInput
            It is encrypted, packed by an unknown method, damaged, or unpacks to more than `MEMBER_LIMIT` bytes or to
            2,000 times its packed size.
        """
        info = self._members[name]
        self._check(info)
        try:
            if info.compress_type == _ZSTD:
                source: Any = _zstd(self._packed(info))
            else:
                source = self._file.open(info)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ImportError) as problem:
            raise self._problem("a member cannot be unpacked", name, str(problem)) from None
        with source:
            counted = _Counted(source, info, self)
            yield io.TextIOWrapper(io.BufferedReader(counted, 1 << 18), encoding="utf-8", newline="")

    def _check(self, info: zipfile.ZipInfo) -> None:
        if info.flag_bits & _ENCRYPTED:
            raise self._problem("a member is encrypted", info.filename, "files are read without a password")
        self.check_size(info, info.file_size)

    def check_size(self, info: zipfile.ZipInfo, size: int) -> None:
        """Refuse a member that is, or says that it is, too large."""
        if size > MEMBER_LIMIT or (size > _SMALL and size > _RATIO * max(info.compress_size, 1)):
            raise self._problem(
                "a member is too large",
                info.filename,
                f"it unpacks to {size:,} bytes or more from {info.compress_size:,}",
            )

    def _packed(self, info: zipfile.ZipInfo) -> IO[bytes]:
        """The packed bytes of a member, which Python's zipfile gives out only for methods it knows."""
        handle = open(self.path, "rb")  # noqa: PTH123, SIM115 - closed by whoever reads it
        try:
            handle.seek(info.header_offset)
            header = handle.read(_LOCAL.size)
            if len(header) < _LOCAL.size or header[:4] != b"PK\x03\x04":
                raise zipfile.BadZipFile("a local header is missing")
            *_, name, extra = _LOCAL.unpack(header)
            handle.seek(name + extra, io.SEEK_CUR)
            return io.BytesIO(handle.read(info.compress_size))
        finally:
            handle.close()

    def damaged(self, info: zipfile.ZipInfo, why: str) -> BadInput:
        """The error for a member whose bytes are not what was packed."""
        return self._problem("a member is damaged", info.filename, why)

    def _problem(self, what: str, member: str | None, why: str) -> BadInput:
        return BadInput(what, path=self.path, field=member, why=why[:200], remedy="copy the file or write it again")


def _zstd(packed: IO[bytes]) -> Any:
    """A stream of unpacked bytes. Python learns zstandard in 3.14 only; the Parquet library brings it."""
    import pyarrow as pa

    return pa.CompressedInputStream(pa.PythonFile(packed, mode="r"), "zstd")


class _Counted(io.RawIOBase):
    """Unpacked bytes, held against the limits while they come and against the checksum at the end."""

    def __init__(self, source: Any, info: zipfile.ZipInfo, members: ZipMembers) -> None:
        super().__init__()
        self._source, self._info, self._members = source, info, members
        self._size = self._checksum = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        try:
            data = self._source.read(len(view))
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, ValueError) as problem:
            raise self._members.damaged(self._info, str(problem)) from None
        self._size += len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        self._members.check_size(self._info, self._size)
        if not data and view and (self._size != self._info.file_size or self._checksum != self._info.CRC):
            raise self._members.damaged(self._info, "its size or checksum is another")
        view[: len(data)] = data
        return len(data)
