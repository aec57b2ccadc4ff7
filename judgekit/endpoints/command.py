"""A judge that is any program: the prompt on its standard input, its standard output is the answer."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import shlex
import signal
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Self

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.errors import ConfigProblem
from judgekit.printable import printable

__all__ = ["CommandEndpoint"]

MAX_OUTPUT = 16 * 1024 * 1024
"""Bytes of standard output after which a program is stopped."""

_TAIL = 4096
_SECRET_NAMES = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")


class CommandEndpoint:
    r"""``command:CMD``: one process per request, started without a shell.

    The prompt goes in as UTF-8 (system text, an empty line, prompt); what comes out is the raw answer. An exit code
    other than 0 is the error ``crashed``, a program that is not there ``missing``. A program that takes too long is
    stopped together with everything it started. The environment is passed on and never written down.

    Parameters
    ----------
    command : str
        Split as a POSIX shell would (quotes, backslashes), without variables, pipes or globs.
    parameters : mapping, optional
        The study's settings for the judge; part of its fingerprint, not passed to the program.
    max_output : int
        Bytes of output after which the program is stopped.

    Raises
    ------
    ConfigProblem
        The command is empty or a quote is not closed.

    Examples
    --------
    >>> request = Request(
    ...     request_key="k", system="Judge.", prompt="Hello", text="", context=None, lang="en", dimensions={}
    ... )
    >>> asyncio.run(CommandEndpoint("cat").send(request)).raw
    'Judge.\n\nHello'
    """

    provider = "command"
    host: str | None = None
    languages: frozenset[str] | None = None

    def __init__(
        self, command: str, *, parameters: Mapping[str, Any] | None = None, max_output: int = MAX_OUTPUT
    ) -> None:
        try:
            self._argv = shlex.split(command)
        except ValueError as problem:
            raise ConfigProblem(
                "the command cannot be split into words",
                field="judge",
                why=str(problem),
                remedy="close the quote",
            ) from None
        if not self._argv or "\0" in command:
            raise ConfigProblem(
                "the command is empty or holds a NUL", field="judge", remedy="write command:PROGRAM ..."
            )
        # Arguments may hold keys and paths: they are told apart by a hash and written down nowhere.
        digest = hashlib.sha256(command.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        self.model = f"{PurePath(self._argv[0]).name}#{digest}"
        self.parameters: Mapping[str, Any] = dict(parameters or {})
        self._max_output = max_output

    @classmethod
    def from_spec(cls, rest: str, *, parameters: Mapping[str, Any] | None = None) -> Self:
        """The endpoint for what follows ``command:`` in a judge's SPEC; errors as for the class."""
        return cls(rest, parameters=parameters)

    async def send(self, request: Request) -> RawAnswer:
        """Run the program once."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self._argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as problem:
            detail = f"{printable(self._argv[0], limit=80)}: {problem.strerror or 'cannot be started'}"
            passing = isinstance(problem, BlockingIOError) or problem.errno in _PASSING
            return RawAnswer(raw=None, error_kind="server" if passing else "missing", error_detail=detail)
        prompt = f"{request.system}\n\n{request.prompt}" if request.system else request.prompt
        try:
            async with asyncio.timeout(request.timeout):
                return await self._talk(process, prompt.encode("utf-8", "backslashreplace"))
        except TimeoutError:
            detail = f"no answer within {request.timeout:g} s; the program was stopped"
            return RawAnswer(raw=None, error_kind="timeout", error_detail=detail)
        finally:
            await _end(process)

    async def _talk(self, process: asyncio.subprocess.Process, prompt: bytes) -> RawAnswer:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        async with asyncio.TaskGroup() as group:
            group.create_task(_feed(process.stdin, prompt))
            errors = group.create_task(_tail(process.stderr))
            output = await self._read(process.stdout)
            if output is None:
                _kill(process)
        code = await process.wait()
        if output is None:
            detail = f"more than {self._max_output} bytes of output; the program was stopped"
            return RawAnswer(raw=None, error_kind="crashed", error_detail=detail)
        if code != 0:
            return RawAnswer(raw=None, status=code, error_kind="crashed", error_detail=_detail(code, errors.result()))
        # Bytes that are no UTF-8 are kept as lone surrogates, so that the stored answer is exactly what came.
        return RawAnswer(raw=output.decode("utf-8", "surrogateescape"), status=0)

    async def _read(self, stream: asyncio.StreamReader) -> bytes | None:
        pieces: list[bytes] = []
        size = 0
        while piece := await stream.read(65536):
            size += len(piece)
            if size > self._max_output:
                return None
            pieces.append(piece)
        return b"".join(pieces)

    async def close(self) -> None:
        """Nothing is held between requests."""


_PASSING = frozenset({11, 12})  # EAGAIN, ENOMEM: too many processes just now


async def _feed(stream: asyncio.StreamWriter, prompt: bytes) -> None:
    # A program may answer without reading all of its input; the closed pipe is no fault then.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        stream.write(prompt)
        await stream.drain()
    stream.close()
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        await stream.wait_closed()


async def _tail(stream: asyncio.StreamReader) -> bytes:
    tail = b""
    while piece := await stream.read(65536):
        tail = (tail + piece)[-_TAIL:]
    return tail


def _kill(process: asyncio.subprocess.Process) -> None:
    # The process leads a session of its own, so its children die with it.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Leave nothing behind: no process of the group, no open pipe."""
    _kill(process)
    await process.wait()
    # A grandchild in yet another session may hold the pipes open; they are closed on our side all the same.
    transport: Any = process._transport  # type: ignore[attr-defined]  # noqa: SLF001
    transport.close()


def _detail(code: int, errors: bytes) -> str:
    if code < 0:
        try:
            how = f"ended by {signal.Signals(-code).name}"
        except ValueError:
            how = f"ended by signal {-code}"
    else:
        how = f"exit code {code}"
    said = _without_secrets(errors.decode("utf-8", "replace").strip())
    return f"{how}: {printable(said[-400:])}" if said else how


def _without_secrets(text: str) -> str:
    for name, value in os.environ.items():
        if len(value) >= 8 and any(part in name.upper() for part in _SECRET_NAMES):
            text = text.replace(value, "‹hidden›")
    return text
