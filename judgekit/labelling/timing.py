"""Working time on a step, and how fast a hand can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

__all__ = ["ASLEEP", "BURST_GAP", "GUARD", "PAUSE", "REPEAT_GAP", "Clock", "StepTimer"]

GUARD = 0.25
"""Seconds after a new item appears in which keys are dropped: they were meant for the item before."""

REPEAT_GAP = 0.10
"""Keys this close (seconds) to a dropped one are dropped too: a key held down."""

BURST_GAP = 0.03
"""Keys this close (seconds) to the one before were not typed by a hand: text pasted without brackets."""

PAUSE = 60.0
"""Seconds without a key after which time counts as a pause."""

ASLEEP = 5.0
"""Seconds without a heartbeat after which the process, or the machine, was suspended."""


class Clock(Protocol):
    """Where the time comes from."""

    def monotonic(self) -> float:
        """Seconds on a clock that never goes back."""

    def utc(self) -> str:
        """The moment in UTC, ISO 8601 with milliseconds."""


@dataclass
class StepTimer:
    """Working time on the step in hand: pauses and suspended time are kept apart.

    All moments are seconds on a monotonic clock; ``paused`` and ``asleep`` are lengths in seconds.
    """

    shown: float | None = None
    shown_at: str = ""
    last_sign: float = 0.0
    last_beat: float | None = None
    paused: float = 0.0
    asleep: float = 0.0

    def start(self, at: float, shown_at: str) -> None:
        """The step is on the screen."""
        self.shown, self.shown_at, self.last_sign = at, shown_at, at
        self.paused = self.asleep = 0.0

    def beat(self, at: float) -> None:
        """The process runs; a long gap since the last beat was spent suspended."""
        if self.last_beat is not None:
            if at - self.last_beat > ASLEEP:
                self.asleep += at - self.last_beat
                self.last_sign += at - self.last_beat
            at = max(at, self.last_beat)
        self.last_beat = at

    def sign_of_life(self, at: float) -> None:
        """A key came; what a silence had above `PAUSE` was a pause."""
        if self.last_beat is not None:
            self.beat(at)
        self.paused += max(0.0, at - self.last_sign - PAUSE)
        self.last_sign = max(self.last_sign, at)

    def working(self, at: float) -> float:
        """Seconds of work on the step up to a moment, 0 before it was shown."""
        if self.shown is None:
            return 0.0
        return max(0.0, at - self.shown - self.paused - self.asleep)
