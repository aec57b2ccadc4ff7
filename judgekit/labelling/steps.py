"""What a session is made of: one question after the other, and what becomes of a key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from judgekit.records import Criterion, LabelTask

__all__ = ["SKIP_REASONS", "Progress", "Skipped", "Step", "Told"]

SKIP_REASONS = ("unreadable", "language", "rubric", "context", "other")
"""Why a rater gives no score: text unreadable, not their language, the rubric does not fit, context missing, other."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """No score was given, and why. Never a number."""

    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """One question: a task and a criterion of a rubric.

    ``position`` counts the annotator's items from 1; ``raters`` is what A, B ... gave, in an adjudication only.
    """

    task: LabelTask
    criterion: Criterion
    rubric_hash: str
    position: int
    practice: bool = False
    shown_first: str | None = None
    raters: tuple[tuple[str, int | str], ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a key: ``recorded`` (``why`` says when only in practice), ``undone``, ``noted``, or not acted on."""

    kind: Literal["recorded", "undone", "noted", "ignored"]
    why: Literal["", "too_soon", "off_scale", "nothing_to_undo", "finished", "no_reason", "practice"] = ""

    def __bool__(self) -> bool:
        return self.kind != "ignored"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the annotator is. ``seconds_left`` is None until five items were timed."""

    done: int
    total: int
    seconds_left: float | None
