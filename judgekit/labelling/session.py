"""One rater's session: what is asked next, and what was decided so far. No screen, no clock and no disk of its own.

The steps of a session are a fixed list, every criterion of every task in this annotator's order. A decision (a score
or a skip with its reason) answers the step in hand and moves on; undo takes the last decision back. So the state is a
stack, it can be rebuilt from the log, and a decision can only be given to what is on the screen. A decision counts
once the log has stored it: when storing fails, the session stays where it was.
"""

from __future__ import annotations

import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from judgekit.errors import BadInput, LeakFound
from judgekit.labelling.steps import SKIP_REASONS, Progress, Skipped, Step, Told
from judgekit.labelling.timing import BURST_GAP, GUARD, REPEAT_GAP, Clock, StepTimer
from judgekit.records import LabelEvent, LabelTask

__all__ = ["DecisionLog", "Session"]


class DecisionLog(Protocol):
    """Where decisions are stored: append-only, on disk before `append` returns."""

    @property
    def events(self) -> Sequence[LabelEvent]:
        """Everything stored so far, in order."""

    def append(self, event: LabelEvent) -> LabelEvent:
        """Store one event durably, its number set; raises `DiskFailed` and stores nothing when that is not possible."""


@dataclass
class Session:
    """The state of one annotator's labelling.

    Parameters
    ----------
    annotator : str
        Whose labels these are.
    steps : sequence of Step
        Every question in order; practice steps first. See ``opening.plan_steps``.
    log : DecisionLog
        This annotator's label file. Its earlier events are replayed.
    clock : Clock
        Where the time comes from.
    origin : mapping
        Stored with every event: hash of the sample, version of judgekit, language shown.
    guard : float
        Seconds after a new item appears in which keys are dropped; 0 turns every such check off.
    deadline : float, optional
        Monotonic seconds after which the session stops at the next item.
    check : callable, optional
        Called with each item before it is shown; raises when it may not be.

    Raises
    ------
    BadInput
        The log does not belong to these steps.
    """

    annotator: str
    steps: Sequence[Step]
    log: DecisionLog
    clock: Clock
    origin: Mapping[str, Any] = field(default_factory=dict)
    guard: float = GUARD
    deadline: float | None = None
    check: Callable[[LabelTask], None] | None = None
    ignored: int = field(default=0, init=False)
    _answers: list[int | str | Skipped] = field(default_factory=list, init=False)
    _firsts: list[int] = field(default_factory=list, init=False)
    _practice: int = field(default=0, init=False)
    _flags: set[str] = field(default_factory=set, init=False)
    _notes: dict[str, str] = field(default_factory=dict, init=False)
    _seen_to_end: set[str] = field(default_factory=set, init=False)
    _item_ms: dict[str, float] = field(default_factory=dict, init=False)
    _timer: StepTimer = field(default_factory=StepTimer, init=False)
    _item_shown: float | None = field(default=None, init=False)
    _on_screen: Step | None = field(default=None, init=False)
    _last_key: float = field(default=float("-inf"), init=False)
    _last_dropped: float = field(default=float("-inf"), init=False)
    _dropped_here: int = field(default=0, init=False)
    _verified: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        steps = self.steps
        self._practice = sum(step.practice for step in steps)
        # Where each item begins: what is done and left is found without walking over thousands of steps.
        self._firsts = [n for n, s in enumerate(steps) if not n or steps[n - 1].task.task_id != s.task.task_id]
        if self.log.events:
            # Practice is over once anything real was stored.
            self._answers = [Skipped("practice")] * self._practice
        for event in self.log.events:
            self._replay(event)

    # --- what is asked ---------------------------------------------------------------------------------------------

    @property
    def step(self) -> Step | None:
        """The question in hand; None when everything is answered."""
        return self.steps[len(self._answers)] if len(self._answers) < len(self.steps) else None

    @property
    def finished(self) -> bool:
        """Whether every question has been answered or skipped."""
        return self.step is None

    @property
    def flagged(self) -> bool:
        """Whether the item in hand is flagged."""
        return self.step is not None and self.step.task.task_id in self._flags

    @property
    def note(self) -> str:
        """The note on the item in hand, empty when there is none."""
        return "" if self.step is None else self._notes.get(self.step.task.task_id, "")

    @property
    def given_here(self) -> tuple[tuple[str, int | str | Skipped], ...]:
        """Dimension and answer of the item's criteria that are already decided."""
        if self.step is None:
            return ()
        first = self._firsts[self._item(len(self._answers))]
        decided = zip(self.steps[first:], self._answers[first:], strict=False)
        return tuple((step.criterion.dimension, answer) for step, answer in decided)

    @property
    def criterion_number(self) -> tuple[int, int]:
        """Which of the item's criteria is asked, from 1, and how many it has."""
        now = len(self._answers)
        if now >= len(self.steps):
            return 0, 0
        item = self._item(now)
        end = self._firsts[item + 1] if item + 1 < len(self._firsts) else len(self.steps)
        return now - self._firsts[item] + 1, end - self._firsts[item]

    @property
    def practice_number(self) -> tuple[int, int]:
        """Which of the items to practise on is in hand, from 1, and how many there are."""
        return self._item(len(self._answers)) + 1, bisect_left(self._firsts, self._practice)

    def _item(self, step: int) -> int:
        return bisect_right(self._firsts, step) - 1

    @property
    def can_undo(self) -> bool:
        """Whether there is a decision to take back."""
        return len(self._answers) > (self._practice if self.log.events else 0)

    @property
    def progress(self) -> Progress:
        """Items done and in total, practice apart, and the time the others will take at this annotator's own pace."""
        before = bisect_left(self._firsts, self._practice)
        total = len(self._firsts) - before
        now = len(self._answers)
        done = total if now >= len(self.steps) else max(0, self._item(now) - before)
        times = list(self._item_ms.values())
        left = statistics.median(times) / 1000 * (total - done) if len(times) >= 5 else None
        return Progress(done, total, left)

    def skipped_count(self) -> int:
        """Decisions so far that are skips, practice apart."""
        pairs = zip(self.steps, self._answers, strict=False)
        return sum(isinstance(answer, Skipped) and not step.practice for step, answer in pairs)

    def flagged_count(self) -> int:
        """Items that are flagged."""
        return len(self._flags)

    def time_is_up(self) -> bool:
        """Whether the time asked for is over and the item in hand has no decision yet: a good place to stop."""
        return self.deadline is not None and self.clock.monotonic() >= self.deadline and not self.given_here

    # --- time and keys ---------------------------------------------------------------------------------------------

    def shown(self, at: float | None = None) -> None:
        """Tell the session that the step in hand is on the screen now (or was, at a moment on the monotonic clock)."""
        step = self.step
        if step is None or step is self._on_screen:
            return
        at = self.clock.monotonic() if at is None else at
        if self._on_screen is None or self._on_screen.task.task_id != step.task.task_id:
            self._item_shown = at
            self._dropped_here = 0
        self._on_screen = step
        self._timer.start(at, self.clock.utc())

    def appears_new(self) -> bool:
        """Whether the item in hand was not on the screen yet."""
        step = self.step
        seen = self._on_screen
        return step is not None and (seen is None or seen.task.task_id != step.task.task_id)

    def about_to_show(self) -> None:
        """Verify the item in hand before anyone sees it; raises what ``check`` raises."""
        if self.step is not None:
            self._verify(self.step.task)

    def look_ahead(self) -> Step | None:
        """The first step of the next item, verified already; None at the end, or when it must not be shown.

        Why it must not is told when its turn comes: what was decided before it is worth keeping.
        """
        item = self._item(len(self._answers)) + 1
        if item >= len(self._firsts):
            return None
        step = self.steps[self._firsts[item]]
        try:
            self._verify(step.task)
        except LeakFound:
            return None
        return step

    def _verify(self, task: LabelTask) -> None:
        if self.check is not None and task.task_id not in self._verified:
            self.check(task)
            self._verified.add(task.task_id)

    def seen_to_end(self) -> None:
        """Tell the session that the end of the item's text was on the screen."""
        if self.step is not None:
            self._seen_to_end.add(self.step.task.task_id)

    def beat(self) -> None:
        """Heartbeat, about once a second while the process runs: a missing one is time suspended."""
        self._timer.beat(self.clock.monotonic())

    def admits(self, at: float | None = None, *, guarded: bool = True) -> bool:
        """Whether a key that arrived at a moment may act; otherwise it is counted as ignored.

        Parameters
        ----------
        at : float, optional
            Arrival on the monotonic clock; now when left out.
        guarded : bool
            Whether the item guard applies (scrolling and help are free of it).
        """
        at = self.clock.monotonic() if at is None else at
        since_key, self._last_key = at - self._last_key, at
        self._timer.sign_of_life(at)
        if self.guard <= 0:
            return True
        too_soon = since_key < BURST_GAP
        if guarded and not too_soon:
            appeared = self._item_shown
            if self._on_screen is not self.step or appeared is None:
                too_soon = self.step is not None
            elif at - appeared < self.guard or (self._dropped_here and at - self._last_dropped < REPEAT_GAP):
                too_soon = True
        if too_soon:
            self.ignored += 1
            self._dropped_here += 1
            self._last_dropped = at
        return not too_soon

    def typed(self, at: float | None = None) -> bool:
        """Whether a character of a note was typed by a hand, not pasted: it came a while after the one before."""
        at = self.clock.monotonic() if at is None else at
        since_key, self._last_key = at - self._last_key, at
        self._timer.sign_of_life(at)
        return self.guard <= 0 or since_key >= BURST_GAP

    # --- decisions -------------------------------------------------------------------------------------------------

    def score(self, value: int | str, at: float | None = None) -> Told:
        """Give the step in hand one of its levels and move on.

        Parameters
        ----------
        value : int or str
            A level of the criterion.
        at : float, optional
            When the key arrived, on the monotonic clock.
        """
        step = self.step
        if step is None:
            return Told("ignored", "finished")
        if value not in step.criterion.levels or isinstance(value, bool):
            return Told("ignored", "off_scale")
        return self._decide("score", value, value, at)

    def skip(self, reason: str, at: float | None = None) -> Told:
        """Give the step in hand no score, for one of `SKIP_REASONS`, and move on."""
        if self.step is None:
            return Told("ignored", "finished")
        if reason not in SKIP_REASONS:
            return Told("ignored", "no_reason")
        return self._decide("skip", reason, Skipped(reason), at)

    def undo(self, at: float | None = None) -> Told:
        """Take the last decision back and ask that question again, with no answer shown."""
        if not self.can_undo:
            return Told("ignored", "nothing_to_undo")
        step = self.steps[len(self._answers) - 1]
        if not step.practice:
            self._store("undo", step, None, at, {})
        self._answers.pop()
        self._item_ms.pop(step.task.task_id, None)
        if self._on_screen is not None and self._on_screen.task.task_id == step.task.task_id:
            self._on_screen = step
            self._timer.start(self.clock.monotonic() if at is None else at, self.clock.utc())
        else:
            self._on_screen = None
        return Told("undone")

    def flag(self, at: float | None = None) -> Told:
        """Set or clear the flag of the item in hand; the score is left alone."""
        step = self.step
        if step is None:
            return Told("ignored", "finished")
        raised = step.task.task_id not in self._flags
        if not step.practice:
            self._store("flag", step, int(raised), at, {})
        (self._flags.add if raised else self._flags.discard)(step.task.task_id)
        return Told("noted")

    def write_note(self, text: str, at: float | None = None) -> Told:
        """Replace the note of the item in hand (newlines folded; empty removes it); the score is left alone."""
        step = self.step
        if step is None:
            return Told("ignored", "finished")
        folded = " ".join(text.split())
        if not step.practice:
            self._store("note", step, folded, at, {})
        self._notes[step.task.task_id] = folded
        return Told("noted")

    def remark(self, detail: Mapping[str, Any]) -> None:
        """Store a fact about the session itself, beside the note of its last item, which stays as it is."""
        if not self.steps:
            return
        step = self.steps[-1]
        self._store("note", step, self._notes.get(step.task.task_id, ""), None, detail)

    # --- inside ----------------------------------------------------------------------------------------------------

    def _decide(
        self, event: Literal["score", "skip"], value: int | str, answer: int | str | Skipped, at: float | None
    ) -> Told:
        step = self.step
        if step is None:
            return Told("ignored", "finished")
        at = self.clock.monotonic() if at is None else at
        self._timer.sign_of_life(at)
        task_id = step.task.task_id
        if not step.practice:
            detail = {
                "position": step.position,
                "pause_ms": round(self._timer.paused * 1000),
                "seen_to_end": task_id in self._seen_to_end,
                "ignored_keys": self._dropped_here,
                **({"raters": dict(step.raters)} if step.raters else {}),
            }
            self._store(event, step, value, at, detail)
            self._item_ms[task_id] = self._item_ms.get(task_id, 0.0) + self._timer.working(at) * 1000
        self._answers.append(answer)
        following = self.step
        if following is not None and following.task.task_id == task_id:
            # The next criterion of the same item: its time starts at once, and no guard stands before it.
            self._on_screen = following
            self._timer.start(at, self.clock.utc())
        return Told("recorded", "practice" if step.practice else "")

    def _store(
        self,
        event: Literal["score", "skip", "undo", "flag", "note"],
        step: Step,
        value: int | str | None,
        at: float | None,
        detail: Mapping[str, Any],
    ) -> None:
        decided = event in {"score", "skip"}
        ms = None
        if decided and self._on_screen is step:
            ms = round(self._timer.working(self.clock.monotonic() if at is None else at) * 1000)
        extra = {} if step.task.repeat_of is None else {"repeat_of": step.task.repeat_of}
        self.log.append(
            LabelEvent(
                annotator=self.annotator,
                seq=0,
                prev_hash="",
                task_id=step.task.task_id,
                dimension=step.criterion.dimension,
                event=event,
                value=value,
                text_hash=step.task.text_hash,
                rubric_hash=step.rubric_hash,
                ms=ms,
                shown_at=self._timer.shown_at or self.clock.utc(),
                shown_first=step.shown_first,
                detail={**self.origin, **extra, **detail},
            )
        )

    def _replay(self, event: LabelEvent) -> None:
        task_id = event.task_id
        if event.event == "flag":
            (self._flags.add if event.value else self._flags.discard)(task_id)
        elif event.event == "note":
            self._notes[task_id] = str(event.value or "")
        elif event.event == "undo":
            if not self._answers:
                raise self._does_not_fit(event)
            self._answers.pop()
            self._item_ms.pop(task_id, None)
        else:
            step = self.step
            if step is None or (step.task.task_id, step.criterion.dimension) != (task_id, event.dimension):
                raise self._does_not_fit(event)
            if event.ms is not None:
                self._item_ms[task_id] = self._item_ms.get(task_id, 0.0) + event.ms
            if event.event == "skip":
                self._answers.append(Skipped(str(event.value)))
            elif event.value is None or event.value not in step.criterion.levels:
                raise self._does_not_fit(event)
            else:
                self._answers.append(event.value)

    def _does_not_fit(self, event: LabelEvent) -> BadInput:
        return BadInput(
            "the label file does not belong to this sample",
            line=event.seq,
            field=event.dimension,
            seen=f"{event.event} {event.value} for task {event.task_id}",
            why="its decisions do not follow this annotator's order of the tasks",
            remedy="use the sample these labels were made with; nothing was changed",
        )
