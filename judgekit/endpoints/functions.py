"""A judge that is a Python function: it gets the request and gives back a text, a number or a score per dimension."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
import json
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.errors import ConfigProblem
from judgekit.printable import printable

__all__ = ["PythonEndpoint"]


class PythonEndpoint:
    """``python:pkg.mod:func``: a function called with each `Request`.

    What it returns becomes text and goes through the same strict parser as any judge's answer: a text as it is, a
    number as ``{"score": n}``, a mapping of dimension to score as a JSON object. A bool or ``nan`` is passed on as
    ``true`` and ``NaN``, which the parser refuses; nothing is made into a score here. A coroutine function is
    awaited; any other runs in a thread, several at a time when the concurrency is more than 1.

    Parameters
    ----------
    target : str
        ``package.module:function``; found on the Python path or in the current folder.
    parameters : mapping, optional
        The study's settings for the judge; part of its fingerprint and of each request.

    Raises
    ------
    ConfigProblem
        The module cannot be imported, or has no such function.

    Examples
    --------
    >>> endpoint = PythonEndpoint("builtins:str")
    >>> request = Request(request_key="k", system="", prompt="Hi", text="", context=None, lang="en", dimensions={})
    >>> asyncio.run(endpoint.send(request)).raw
    'Hi'
    """

    provider = "python"
    host: str | None = None
    languages: frozenset[str] | None = None

    def __init__(self, target: str, *, parameters: Mapping[str, Any] | None = None) -> None:
        self.model = target
        self.parameters: Mapping[str, Any] = dict(parameters or {})
        self._function = _load(target)

    @classmethod
    def from_spec(cls, rest: str, *, parameters: Mapping[str, Any] | None = None) -> Self:
        """The endpoint for what follows ``python:`` in a judge's SPEC; errors as for the class."""
        return cls(rest, parameters=parameters)

    async def send(self, request: Request) -> RawAnswer:
        """Call the function once."""
        try:
            async with asyncio.timeout(request.timeout):
                result = await self._call(request)
        except TimeoutError:
            # The thread cannot be stopped; it is a daemon and ends with the program.
            detail = f"no answer within {request.timeout:g} s"
            return RawAnswer(raw=None, error_kind="timeout", error_detail=detail)
        except _Crash as crash:
            return RawAnswer(raw=None, error_kind="crashed", error_detail=str(crash))
        try:
            return self._answer(result, request)
        except (TypeError, ValueError) as problem:
            return RawAnswer(raw=None, error_kind="crashed", error_detail=printable(problem, limit=400))

    def _given(self, request: Request) -> Any:
        """What the function is called with."""
        return request

    def _answer(self, result: Any, request: Request) -> RawAnswer:
        """The answer that a result stands for; raises where it stands for none."""
        return RawAnswer(raw=_as_text(result, request))

    async def _call(self, request: Request) -> Any:
        given = self._given(request)
        if inspect.iscoroutinefunction(self._function):
            result: Any = self._function(given)
        else:
            result = await _in_thread(self._function, given)
        if inspect.isawaitable(result):
            try:
                return await result
            except (Exception, SystemExit) as problem:
                raise _Crash(problem) from problem
        return result

    async def close(self) -> None:
        """Nothing is held between requests."""


class _Crash(Exception):
    """An exception of the user's function; a `TimeoutError` of theirs is not one of ours."""

    def __init__(self, problem: BaseException) -> None:
        super().__init__(printable(f"{type(problem).__name__}: {problem}", limit=400))


async def _in_thread(function: Callable[[Any], Any], given: Any) -> Any:
    # Daemon threads, unlike those of an executor, do not keep the program alive when a function never returns.
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def deliver(result: Any, problem: BaseException | None) -> None:
        if future.done():
            return
        if problem is None:
            future.set_result(result)
        else:
            future.set_exception(_Crash(problem))

    def work() -> None:
        result, failure = None, None
        try:
            result = function(given)
        except BaseException as problem:  # noqa: BLE001 - handed to the waiting coroutine as a crash of this call
            failure = problem
        with contextlib.suppress(RuntimeError):  # the run is over and nobody waits any more
            loop.call_soon_threadsafe(deliver, result, failure)

    threading.Thread(target=work, daemon=True, name="judgekit-python-judge").start()
    return await future


def _as_text(result: Any, request: Request) -> str:
    if isinstance(result, str):
        return str(result)
    result = _plain(result)
    if isinstance(result, Mapping):
        scores = {str(name): _plain(value) for name, value in result.items()}
        only = next(iter(request.dimensions)) if len(request.dimensions) == 1 else None
        if only is not None and only in scores and "score" not in scores:
            scores["score"] = scores.pop(only)
        return _dump(scores)
    if result is None or isinstance(result, (bool, int, float)):
        return _dump({"score": result})
    raise TypeError(
        f"the function returned a {type(result).__name__}; a judge returns a text, a number, or a mapping of "
        "dimension to score"
    )


def _plain(value: Any) -> Any:
    # numpy and Decimal numbers are known by what they offer, so that neither is imported.
    if isinstance(value, (bool, int, float, str, Mapping)) or value is None:
        return value
    if callable(getattr(value, "item", None)) and getattr(value, "shape", ()) == ():
        return value.item()
    if type(value).__name__ in {"Decimal", "Fraction"}:
        return float(value)
    return value


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=True)


def _load(target: str) -> Callable[[Any], Any]:
    module_name, colon, name = target.partition(":")
    if not colon or not module_name or not name:
        raise ConfigProblem(
            "a Python judge is named by module and function",
            field="judge",
            seen=f"python:{target}",
            remedy="write python:package.module:function",
        )
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)  # last, so that a file of the user's never hides an installed module
    try:
        found: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as problem:
        raise ConfigProblem(
            "the module of the judge cannot be imported",
            field="judge",
            seen=f"python:{target}",
            why=f"{type(problem).__name__}: {printable(problem, limit=300)}",
            remedy="run from the folder that holds it, or install it",
        ) from problem
    for part in name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise ConfigProblem(
            "the module has no such function",
            field="judge",
            seen=f"python:{target}",
            why=f"{module_name} was imported, but {name} is not a function in it",
            remedy="check the name after the colon",
        )
    function: Callable[[Any], Any] = found
    return function
