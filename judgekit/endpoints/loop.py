"""The event loop's edges: started wherever it is called from, and told of the signals that end a run."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

__all__ = ["caught_signals", "in_a_loop"]


def in_a_loop(start: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine to its end, in a thread of its own when this thread's loop is busy, as in a notebook.

    Parameters
    ----------
    start : callable
        Makes the coroutine.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(start())
        return
    problems: list[BaseException] = []
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None]]] = []

    async def watched() -> None:
        task = asyncio.ensure_future(start())
        running.append((asyncio.get_running_loop(), task))
        await task

    def work() -> None:
        try:
            asyncio.run(watched())
        except BaseException as problem:  # noqa: BLE001 - handed to the waiting thread, which raises it
            problems.append(problem)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        thread.join()
    except BaseException:  # the notebook's stop button: the run stores what it has and ends before we go on
        for loop, task in running:
            loop.call_soon_threadsafe(task.cancel)
        thread.join()
        raise
    if problems:
        raise problems[0]


@contextlib.contextmanager
def caught_signals(loop: asyncio.AbstractEventLoop, told: Callable[[str], None]) -> Iterator[None]:
    """Hear of Ctrl-C, SIGTERM and a closed terminal instead of dying of them; the old handlers come back at the end.

    Parameters
    ----------
    loop : asyncio.AbstractEventLoop
        The running loop. Outside the main thread nothing is caught: Python forbids it there.
    told : callable
        Gets the signal's name, such as ``SIGINT``.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    caught = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in caught:
        loop.add_signal_handler(number, told, signal.Signals(number).name)
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)
            signal.signal(number, before[number])
