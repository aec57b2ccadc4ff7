"""What a key does on which view. Everything of the labelling app but the terminal itself, so that it runs in tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from judgekit.errors import Unfinished
from judgekit.labelling.display import Document, make_document
from judgekit.labelling.keymap import Action, Keymap, key_for, key_label, level_for
from judgekit.labelling.pairs import choice_for, side_of
from judgekit.labelling.session import Session
from judgekit.labelling.steps import SKIP_REASONS, Skipped, Step, Told
from judgekit.labelling.words import words_for
from judgekit.printable import printable
from judgekit.records import Rubric

__all__ = ["NOTE_LIMIT", "Desk", "Leave", "Mode"]

Mode = Literal["item", "skip", "note", "rubric", "help", "quit", "time_up", "done"]
Leave = Literal["", "stopped", "interrupted"]

NOTE_LIMIT = 2000
"""Longest note in characters."""

KEPT_READY = 4
"""Items laid out that are kept: the one in hand, the next, and those that undo comes back to."""

_DIALOGS = frozenset({"skip", "note", "quit", "time_up"})


class Desk:
    """The rater's desk: the session, the view that is open, where the text is scrolled to, and the last message.

    Parameters
    ----------
    session : Session
        The state; every decision is stored before a key returns.
    rubrics : sequence of Rubric
        For names, versions and hashes.
    lang : str
        ``en`` or ``es``.
    keymap : Keymap
        Which key does what.
    results : callable, optional
        Gives the lines shown after the last item.
    """

    def __init__(
        self,
        session: Session,
        rubrics: Sequence[Rubric],
        *,
        lang: str,
        keymap: Keymap,
        results: Callable[[], Sequence[str]] | None = None,
    ) -> None:
        self.session = session
        self.rubrics = tuple(rubrics)
        self.lang = lang
        self.words = words_for(lang)
        self.keymap = keymap
        self.mode: Mode = "done" if session.finished else "item"
        self.leave: Leave = ""
        self.message = ""
        self.alert = False
        self.note = ""
        self.scroll = 0
        self.overlay_scroll = 0
        self.overlay_lines = 0
        self.page = 1
        self.cramped = False
        self._results = results
        self._result_lines: Sequence[str] | None = None
        self._document: Document | None = None
        self._laid_out: Step | None = None
        self._ready: dict[tuple[str, int], Document] = {}
        self._dropped = 0
        self._practising = session.step is not None and session.step.practice
        progress = session.progress
        if progress.done and not session.finished:
            self._say("resumed", done=progress.done, total=progress.total)

    # --- what the view needs ---------------------------------------------------------------------------------------

    @property
    def step(self) -> Step | None:
        """The question in hand."""
        return self.session.step

    @property
    def pairs(self) -> bool:
        """Whether two replies are compared."""
        return self.step is not None and self.step.task.text_b is not None

    def document(self, width: int) -> Document | None:
        """The item's text at a width; a new width keeps the place that stands on top."""
        step = self.step
        if step is None:
            return None
        old, before = self._document, self._laid_out
        same = old is not None and before is not None and before.task.task_id == step.task.task_id
        if not same:
            self.session.about_to_show()
        if not same or old is None or old.width != width:
            made = self._lay_out(step, width)
            self.scroll = made.line_at(old.place(self.scroll)) if same and old is not None else 0
            self._document = made
        self._laid_out = step
        return self._document

    def _lay_out(self, step: Step, width: int) -> Document:
        key = (step.task.task_id, width)
        made = self._ready.pop(key, None) or make_document(step.task, width, self.lang, shown_first=step.shown_first)
        self._ready[key] = made
        while len(self._ready) > KEPT_READY:
            del self._ready[next(iter(self._ready))]
        return made

    def prepare(self) -> None:
        """Verify and lay out the next item while this one is read: a long one then comes without a wait."""
        following = self.session.look_ahead()
        if following is not None and self._document is not None:
            self._lay_out(following, self._document.width)

    def hold_scroll(self, height: int) -> bool:
        """Keep the scroll position inside the text; True when its end is in view."""
        lines = len(self._document) if self._document is not None else 0
        self.page = max(1, height - 1)
        self.scroll = max(0, min(self.scroll, lines - height))
        return self.scroll + height >= lines

    def result_lines(self) -> Sequence[str]:
        """What is shown after the last item; computed once, when it is asked for."""
        if self._result_lines is None:
            self._result_lines = self._results() if self._results is not None else ()
        return self._result_lines

    def actions(self) -> tuple[Action, ...]:
        """The actions there are now, in order."""
        return self.keymap.actions(pairs=self.pairs)

    def key_label(self, action: str) -> str:
        """The first key of an action, in the rater's language."""
        return key_label(self.keymap.keys(action)[0], self.lang)

    # --- events ----------------------------------------------------------------------------------------------------

    def painted(self, *, at_end: bool, at: float | None = None) -> None:
        """Tell the desk that the view is on the screen; ``at_end`` when the end of the text is."""
        if self.mode in {"item", "skip", "note"} and not self.cramped:
            self.session.shown(at)
            if at_end:
                self.session.seen_to_end()

    def press(self, key: str, char: str | None = None, at: float | None = None) -> None:
        """Act on a key.

        Parameters
        ----------
        key : str
            Its name, such as ``pageup``, or the character.
        char : str, optional
            The character it types, if it does.
        at : float, optional
            When it arrived, on the monotonic clock.
        """
        name = _name(key, char)
        if name in {"ctrl+c", "ctrl+d"}:
            self.leave = "interrupted"
            return
        before = self.mode
        if self.cramped and before != "note":
            # Nothing can be judged on a window too small to show it; leaving is always possible.
            action = self.keymap.action(name)
            if action is not None and action.id == "quit" and self._admitted(at, guarded=False):
                self.leave = "stopped"
            return
        try:
            getattr(self, f"_on_{before}")(name, char, at)
        except Unfinished as problem:
            self._say("disk", problem=str(problem), alert=True)
            if before in _DIALOGS:
                self.mode = "item"

    def paste(self, text: str) -> None:
        """Bracketed paste: text for a note; anywhere else it does nothing and that is said."""
        if self.mode == "note":
            self._type(" ".join(text.split()))
            return
        self.session.ignored += len(text)
        self._say("pasted", n=len(text), alert=True)

    # --- views -----------------------------------------------------------------------------------------------------

    def _on_item(self, name: str, char: str | None, at: float | None) -> None:
        step = self.step
        action = self.keymap.action(name)
        if action is not None and action.pairs and not self.pairs:
            action = None
        if action is not None and action.id.startswith(("page_up", "page_down", "line_")):
            self._scroll_item(action.id)
            return
        if not self._admitted(at, guarded=action is None or action.guarded) or step is None:
            return
        level = choice_for(name, step.shown_first) if self.pairs else level_for(step.criterion, name)
        if level is not None:
            self._decided(self.session.score(level, at), self._value_word(step, level))
        elif action is not None:
            self._act(action.id, step, at)
        elif name.isdigit():
            scale = ", ".join(key_for(step.criterion, place) for place in range(len(step.criterion.levels)))
            self._say("off_scale", key=name, scale=scale, alert=True)
        else:
            self._unknown(char or name)

    def _unknown(self, key: str) -> None:
        self._say("unknown_key", key=printable(key, limit=12), help=self.key_label("help"), alert=True)

    def _value_word(self, step: Step, level: int | str) -> str:
        return self.words[f"short_{side_of(level, step.shown_first)}"] if self.pairs else printable(level)

    def _act(self, action: str, step: Step, at: float | None) -> None:
        if action in {"left", "right", "tie"}:
            choice = choice_for(action, step.shown_first)
            self._decided(self.session.score(choice or "tie", at), self.words[f"short_{action}"])
        elif action == "page_on":
            self._page_on()
        elif action == "undo":
            self._undo(at)
        elif action == "flag":
            raised = not self.session.flagged
            self.session.flag(at)
            # A flag that is set stands on the status line itself.
            self._say("flag_cleared") if not raised else self._quiet()
        elif action == "note":
            self.note, self.mode = self.session.note, "note"
            self._quiet()
        elif action in {"rubric", "help", "skip", "quit"}:
            self._open(action)

    def _open(self, view: str) -> None:
        self.overlay_scroll = 0
        self.message = ""
        views: dict[str, Mode] = {"rubric": "rubric", "help": "help", "skip": "skip", "quit": "quit"}
        self.mode = views[view]

    def _page_on(self) -> None:
        lines = len(self._document) if self._document is not None else 0
        if self.scroll + self.page + 1 >= lines:
            self._open("skip")
        else:
            self.scroll += self.page

    def _scroll_item(self, action: str) -> None:
        moves = {"page_up": -self.page, "page_down": self.page, "line_up": -1, "line_down": 1}
        self.scroll = max(0, self.scroll + moves[action])

    def _undo(self, at: float | None) -> None:
        told = self.session.undo(at)
        if told:
            self.mode = "item"
            self._say("undone")
        else:
            self._say("nothing_to_undo", alert=True)

    def _on_skip(self, name: str, _char: str | None, at: float | None) -> None:
        if name == "escape":
            self.mode = "item"
        elif self._admitted(at, guarded=False):
            if name.isdigit() and 1 <= int(name) <= len(SKIP_REASONS):
                reason = SKIP_REASONS[int(name) - 1]
                self.mode = "item"
                self._decided(self.session.skip(reason, at), Skipped(reason))
            else:
                self._unknown(name)

    def _on_note(self, name: str, char: str | None, at: float | None) -> None:
        pasted = not self.session.typed(at)
        if name == "escape":
            self.mode = "item"
        elif name == "enter" and pasted:
            # A newline right behind other characters was pasted, not pressed.
            self._type(" ")
        elif name == "enter":
            self.session.write_note(self.note, at)
            self.mode = "item"
            self._say("note_kept" if self.session.note else "note_removed")
        elif name == "backspace":
            self.note = self.note[:-1]
        elif char is not None and char.isprintable():
            self._type(char)

    def _type(self, text: str) -> None:
        self.note = (self.note + text)[:NOTE_LIMIT]

    def _on_rubric(self, name: str, _char: str | None, at: float | None) -> None:
        self._on_overlay(name, at, "rubric")

    def _on_help(self, name: str, _char: str | None, at: float | None) -> None:
        self._on_overlay(name, at, "help")

    def _on_overlay(self, name: str, at: float | None, view: str) -> None:
        action = self.keymap.action(name)
        act = action.id if action is not None else ""
        moves = {"page_up": -self.page, "page_down": self.page, "page_on": self.page, "line_up": -1, "line_down": 1}
        if act in moves:
            self.overlay_scroll = max(0, self.overlay_scroll + moves[act])
        elif self._admitted(at, guarded=False) and (name in {"escape", "enter"} or act == view):
            self.mode = "done" if self.session.finished else "item"
        elif act in {"rubric", "help"} and name != "escape":
            self._open(act)

    def _on_quit(self, name: str, _char: str | None, at: float | None) -> None:
        if name == "escape":
            self.mode = "item"
        elif self._admitted(at, guarded=False) and name == "enter":
            self.leave = "stopped"

    def _on_time_up(self, name: str, _char: str | None, at: float | None) -> None:
        if name == "escape":
            self.session.deadline = None
            self.mode = "item"
        elif self._admitted(at, guarded=False) and name == "enter":
            self.leave = "stopped"

    def _on_done(self, name: str, _char: str | None, at: float | None) -> None:
        action = self.keymap.action(name)
        if not self._admitted(at, guarded=False) or action is None:
            return
        if action.id == "quit":
            self.leave = "stopped"
        elif action.id == "undo":
            self._result_lines = None
            self._undo(at)
        elif action.id == "help":
            self._open("help")
        elif action.id in {"line_down", "page_down", "page_on"}:
            self.overlay_scroll += self.page
        elif action.id in {"line_up", "page_up"}:
            self.overlay_scroll = max(0, self.overlay_scroll - self.page)

    # --- inside ----------------------------------------------------------------------------------------------------

    def _admitted(self, at: float | None, *, guarded: bool) -> bool:
        if self.session.admits(at, guarded=guarded):
            self._dropped = 0
            return True
        self._dropped += 1
        self._say("too_soon", n=self._dropped, alert=True)
        return False

    def _decided(self, told: Told, value: str | Skipped) -> None:
        if not told:
            return
        if isinstance(value, Skipped):
            self._say("skipped", reason=self.words["reason_" + value.reason])
        else:
            self._say("practised" if told.why == "practice" else "recorded", value=value)
        step = self.step
        if step is None:
            self.mode, self.overlay_scroll = "done", 0
        elif self._practising and not step.practice:
            self._practising = False
            self._say("practice_over")
        elif self.session.time_is_up():
            self.mode = "time_up"

    def _quiet(self) -> None:
        self.message, self.alert = "", False

    def _say(self, message: str, /, *, alert: bool = False, **values: object) -> None:
        self.message = printable(self.words[message].format(**values))
        self.alert = alert


def _name(key: str, char: str | None) -> str:
    if char is not None and len(char) == 1 and char.isprintable() and not char.isspace():
        return char
    # Some terminals send ctrl+h for backspace and ctrl+j for enter.
    return {"ctrl+h": "backspace", "ctrl+j": "enter", "ctrl+m": "enter", " ": "space"}.get(key, key)
