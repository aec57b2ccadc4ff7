"""Files that appear whole or not at all, and never over something of the user's.

Every output goes to a temporary file in the same folder, is flushed to the disk, and only then takes its name. A
full disk, a kill or a power cut leaves the old file or the new one, never half of either. Without ``force`` an
existing file is never replaced, even when two processes write at the same moment.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from judgekit.errors import AlreadyThere, BadInput, DiskFailed

__all__ = [
    "DISK",
    "AtomicFile",
    "Disk",
    "check_output",
    "disk_failed",
]

_BUFFER = 1 << 18
_NOT_ALLOWED = {errno.EACCES, errno.EPERM, errno.EROFS}
_NO_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK}
_REMEDIES = {
    errno.ENOSPC: "free some space on the disk and run it again",
    errno.EDQUOT: "free some of your disk quota and run it again",
    errno.EIO: "check the disk, then run it again",
}


class Disk:
    """The operating system calls that a write makes, one method each, so that tests can let any of them fail."""

    def create(self, path: Path, mode: int) -> int:
        """Open a new file for writing; fails when anything of that name exists."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), mode)

    def chmod(self, descriptor: int, mode: int) -> None:
        """Set the permissions of an open file."""
        os.fchmod(descriptor, mode)

    def write(self, descriptor: int, data: memoryview) -> int:
        """Write some bytes and tell how many."""
        return os.write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        """Wait until the file is on the disk."""
        os.fsync(descriptor)

    def close(self, descriptor: int) -> None:
        """Close an open file."""
        os.close(descriptor)

    def link(self, source: Path, target: Path) -> None:
        """Give a file a second name; fails when the name is taken."""
        os.link(source, target)

    def replace(self, source: Path, target: Path) -> None:
        """Rename a file, replacing what has the name."""
        source.replace(target)

    def unlink(self, path: Path) -> None:
        """Remove a name."""
        path.unlink()

    def fsync_folder(self, folder: Path) -> None:
        """Wait until a folder's names are on the disk."""
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        except OSError as problem:
            # Some network file systems cannot flush a folder; they do it themselves on rename.
            if problem.errno not in {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}:
                raise
        finally:
            os.close(descriptor)


DISK = Disk()


def disk_failed(path: str | Path, problem: OSError, *, doing: str = "written") -> DiskFailed | BadInput:
    """The error for a failed write: exit 2 where the user has no right to write, otherwise 3.

    Parameters
    ----------
    path : str or Path
        The file that was to be written.
    problem : OSError
        What the operating system said.
    doing : str
        Completes "it could not be ...".

    Returns
    -------
    DiskFailed or BadInput
        To be raised by the caller. Its message names the file, the cause and a remedy.

    Examples
    --------
    >>> print(disk_failed("out.jsonl", OSError(errno.ENOSPC, "No space left on device")))
    out.jsonl: it could not be written. Why: No space left on device. Do: free some space on the disk and run it again.
    """
    why = problem.strerror or str(problem)
    if problem.errno in _NOT_ALLOWED:
        return BadInput(f"it could not be {doing}", path=path, why=why, remedy="choose a folder that you may write to")
    remedy = _REMEDIES.get(problem.errno or 0, "mend the cause and run it again; a previous file is intact")
    return DiskFailed(f"it could not be {doing}", path=path, why=why, remedy=remedy)


def check_output(path: str | Path, *, force: bool = False, inputs: Iterable[str | Path] = ()) -> Path:
    """Refuse an output path before any work is done for it.

    Parameters
    ----------
    path : str or Path
        Where a file is to be written.
    force : bool
        Allow an existing regular file to be replaced.
    inputs : iterable of str or Path
        Files that are read by the same command; the output may be none of them, force or not.

    Returns
    -------
    Path
        The path to write. With ``force`` a symbolic link is followed: the file it points to is replaced and the
        link stays.

    Raises
    ------
    AlreadyThere
        Something has that name and ``force`` is off.
    BadInput
        The folder does not exist, the name is a folder or a device, or the output is an input.
    """
    path = Path(path)
    for source in inputs:
        if _same(path, Path(source)):
            raise BadInput(
                "the output is also an input",
                path=path,
                why="the input would be lost",
                remedy="write to another file",
            )
    if not path.parent.is_dir():
        raise BadInput(
            "the folder does not exist", path=path, seen=path.parent, remedy="make the folder or choose another"
        )
    if not os.path.lexists(path):
        return path
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    if target.exists() and not target.is_file():
        raise BadInput(
            "the output is no regular file",
            path=path,
            why="only regular files can be replaced",
            remedy="choose another name",
        )
    if not force:
        raise _already_there(path)
    return target


def _same(a: Path, b: Path) -> bool:
    try:
        return a.samefile(b)
    except OSError:
        return Path(os.path.realpath(a)) == Path(os.path.realpath(b))


def _already_there(path: Path) -> AlreadyThere:
    return AlreadyThere(
        "the output exists", path=path, why="nothing is overwritten unasked", remedy="name another file or use --force"
    )


class AtomicFile:
    """A file being written, which takes its name only when everything is on the disk.

    Use it as a context manager: leaving normally commits, leaving by an exception discards.

    Parameters
    ----------
    path : str or Path
        The file to make.
    force : bool
        Replace an existing regular file.
    private : bool
        Readable by the owner alone (0600).
    inputs : iterable of str or Path
        Files the output must not be.
    disk : Disk
        The operating system calls.

    Raises
    ------
    AlreadyThere, BadInput
        As `check_output`, before anything is made.
    DiskFailed
        The disk is full or does not answer; the temporary file is removed and the old file is intact.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with AtomicFile(Path(folder.name) / "a.txt") as file:
    ...     file.write(b"whole")
    >>> (Path(folder.name) / "a.txt").read_bytes()
    b'whole'
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
        self.path = Path(path)
        self._target = check_output(path, force=force, inputs=inputs)
        self._force = force
        self._disk = disk
        self._buffer = bytearray()
        self._descriptor: int | None = None
        self._temporary: Path | None = self._target.parent / f".judgekit-{os.getpid()}-{secrets.token_hex(6)}.tmp"
        mode = 0o600 if private else 0o666
        try:
            self._descriptor = disk.create(self._temporary, mode)
            if not private and self._target.exists():
                disk.chmod(self._descriptor, stat.S_IMODE(self._target.stat().st_mode))
        except OSError as problem:
            self.discard()
            raise disk_failed(self.path, problem) from problem

    def write(self, data: bytes) -> None:
        """Add bytes; they reach the disk in larger blocks.

        Raises
        ------
        DiskFailed
            The disk is full or does not answer. What was written is discarded.
        """
        self._buffer += data
        if len(self._buffer) >= _BUFFER:
            self._flush()

    def _flush(self) -> None:
        descriptor = self._open()
        data = bytes(self._buffer)
        self._buffer.clear()
        try:
            view = memoryview(data)
            while view:
                written = self._disk.write(descriptor, view)
                if written <= 0:
                    raise OSError(errno.EIO, "nothing could be written")  # noqa: TRY301 - a failed write like any other
                view = view[written:]
        except OSError as problem:
            self.discard()
            raise disk_failed(self.path, problem) from problem

    def _open(self) -> int:
        if self._descriptor is None:
            msg = "the file is closed"
            raise ValueError(msg)
        return self._descriptor

    def commit(self) -> None:
        """Put everything on the disk and give the file its name.

        Raises
        ------
        AlreadyThere
            Another process made a file of that name meanwhile and ``force`` is off.
        DiskFailed
            The disk is full or does not answer.
        """
        self._flush()
        descriptor = self._open()
        try:
            self._disk.fsync(descriptor)
            self._descriptor = None
            self._disk.close(descriptor)
            self._take_name()
            self._settle()
        except OSError as problem:
            self.discard()
            if isinstance(problem, FileExistsError):
                raise _already_there(self.path) from None
            raise disk_failed(self.path, problem) from problem

    def _take_name(self) -> None:
        temporary = self._temporary
        assert temporary is not None
        if self._force:
            self._disk.replace(temporary, self._target)
            self._temporary = None
            return
        try:
            # A link fails when the name is taken, a rename would overwrite: two writers cannot both win.
            self._disk.link(temporary, self._target)
        except OSError as problem:
            if problem.errno not in _NO_LINKS:
                raise
            if os.path.lexists(self._target):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            self._disk.replace(temporary, self._target)
        else:
            # The file is whole under its name; a second, hidden name that stays behind harms nobody.
            with contextlib.suppress(OSError):
                self._disk.unlink(temporary)
        self._temporary = None

    def _settle(self) -> None:
        try:
            self._disk.fsync_folder(self._target.parent)
        except OSError:
            # A new file is taken back, so that the next run does not find the name taken by a failed one.
            if not self._force:
                with contextlib.suppress(OSError):
                    self._target.unlink()
            raise

    def discard(self) -> None:
        """Remove what was written; the old file stays. Safe to call twice."""
        descriptor, self._descriptor = self._descriptor, None
        temporary, self._temporary = self._temporary, None
        self._buffer.clear()
        # The first failure is the one to report: cleaning up after it is best effort.
        with contextlib.suppress(OSError):
            if descriptor is not None:
                os.close(descriptor)
        with contextlib.suppress(OSError):
            if temporary is not None:
                temporary.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.commit()
        else:
            self.discard()
