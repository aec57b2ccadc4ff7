"""The labelling app: a terminal around the desk. Keys go in with their time of arrival, rows come out."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
from collections.abc import Callable

from textual import events
from textual.app import App, ComposeResult

from judgekit.errors import Interrupted
from judgekit.labelling.desk import Desk
from judgekit.labelling.screens import Canvas
from judgekit.labelling.view import Picture, draw

__all__ = ["LabelApp", "run_app"]

ANSWER_WAIT = 2.0
"""Seconds to wait for the terminal's word that it has painted, before the moment of writing is taken instead."""

PREPARE_AFTER = 0.05
"""Seconds after a paint in which the next item is made ready: not in the moment in which the terminal is busy."""

_ASK_POSITION = "\x1b[6n"


class LabelApp(App[str], inherit_bindings=False):
    """The terminal side of a `Desk`.

    Parameters
    ----------
    desk : Desk
        What happens and what is shown.
    """

    ENABLE_COMMAND_PALETTE = False
    CSS = "Screen { background: ansi_default; }"

    def __init__(self, desk: Desk) -> None:
        # Read before Textual, which removes the variable and would turn colours into greys.
        self._colourless = os.environ.pop("NO_COLOR", None) is not None
        # Exported by some shells, and wrong after the first resize: the terminal itself is asked.
        for stale in ("COLUMNS", "LINES"):
            os.environ.pop(stale, None)
        super().__init__(ansi_color=True)
        self.desk = desk
        self.problem: Exception | None = None
        self.stopped_by = ""
        self._answers = False
        self._waiting: tuple[bool, float] | None = None
        self._canvas = Canvas(self._picture, self._painted, no_color=self._colourless)

    def compose(self) -> ComposeResult:
        """One widget over the whole screen."""
        yield self._canvas

    def on_mount(self) -> None:
        """Start the heartbeat, watch the terminal, and ask whether it tells when it has painted."""
        self._canvas.focus()
        self.set_interval(1.0, self.desk.session.beat)
        self.desk.session.beat()
        if not self.is_headless:
            loop = asyncio.get_running_loop()
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                loop.add_signal_handler(number, self._stop, signal.Signals(number).name)
            self.set_interval(0.5, self._watch_terminal)
            self._ask()

    # --- keys ------------------------------------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Keys and pastes go to the desk and nowhere else: no widget, binding or palette can act on them."""
        if isinstance(event, events.Key):
            self._guarded(lambda: self.desk.press(event.key, event.character, event.time))
        elif isinstance(event, events.Paste):
            self._guarded(lambda: self.desk.paste(event.text))
        elif isinstance(event, events.CursorPosition):
            self._answered(event.time)
        else:
            await super().on_event(event)

    def _guarded(self, act: Callable[[], None]) -> None:
        try:
            act()
            self._canvas.show()
        except Exception as problem:  # noqa: BLE001 - kept and raised by run_app after the terminal is restored
            self._failed(problem)
        if self.desk.leave:
            self.exit(self.desk.leave)

    def _failed(self, problem: Exception) -> None:
        # A failure leaves the screen first: Textual's report would print the item's text, escapes and all.
        self.problem = self.problem or problem
        self.exit("failed")

    # --- the moment of painting ------------------------------------------------------------------------------------

    def _picture(self, width: int, height: int) -> Picture:
        try:
            return draw(self.desk, width, height)
        except Exception as problem:  # noqa: BLE001 - see _failed
            self._failed(problem)
            return Picture((), at_end=False)

    def _painted(self, at_end: bool) -> None:
        now = self.desk.session.clock.monotonic()
        if self._answers and self._waiting is None and self.desk.session.appears_new():
            # The terminal answers after painting: keys that arrive before its answer were pressed before the item
            # was to be seen, however slow the line is.
            self._waiting = (at_end, now)
            self._ask()
            self.set_timer(ANSWER_WAIT, self._give_up_waiting)
        elif self._waiting is None:
            self._is_painted(at_end, now)

    def _ask(self) -> None:
        if self._driver is not None and not self.is_headless:
            self._driver.write(_ASK_POSITION)
            self._driver.flush()

    def _answered(self, at: float) -> None:
        self._answers = True
        if self._waiting is not None:
            at_end, _ = self._waiting
            self._waiting = None
            self._is_painted(at_end, at)

    def _give_up_waiting(self) -> None:
        if self._waiting is not None:
            at_end, since = self._waiting
            if self.desk.session.clock.monotonic() - since >= ANSWER_WAIT * 0.9:
                self._waiting = None
                self._is_painted(at_end, since)

    def _is_painted(self, at_end: bool, at: float) -> None:
        self.desk.painted(at_end=at_end, at=at)
        self.set_timer(PREPARE_AFTER, self._prepare)

    def _prepare(self) -> None:
        try:
            self.desk.prepare()
        except Exception as problem:  # noqa: BLE001 - see _failed
            self._failed(problem)

    # --- the end ---------------------------------------------------------------------------------------------------

    def _stop(self, why: str) -> None:
        self.stopped_by = why
        self.exit("interrupted")

    def _watch_terminal(self) -> None:
        """A terminal that was closed without a signal is seen by polling it."""
        try:
            poll = select.poll()
            poll.register(sys.__stdin__.fileno(), 0)  # type: ignore[union-attr]
            gone = any(event & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0))
        except (OSError, ValueError):
            gone = True
        if gone:
            self._stop("the closed terminal")


def run_app(desk: Desk) -> None:
    """Label on the whole screen until the rater stops or everything is answered.

    Parameters
    ----------
    desk : Desk
        The session and its views.

    Raises
    ------
    Interrupted
        SIGTERM, Ctrl-C or a closed terminal; every decision is stored.
    Exception
        Whatever failed, after the terminal was restored.
    """
    app = LabelApp(desk)
    outcome = app.run(mouse=False)
    if app.problem is not None:
        raise app.problem
    if outcome == "interrupted":
        raise Interrupted(
            f"stopped by {app.stopped_by or 'Ctrl-C'}",
            why="every decision up to now is stored",
            remedy="run the same command to go on",
        )
    if app.return_code:
        raise RuntimeError("the screen failed")
