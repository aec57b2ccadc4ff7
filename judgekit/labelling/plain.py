"""The same session as numbered lines on standard input and output: for screen readers and terminals without a screen.

One line in, one decision. Nothing is drawn, no cursor is moved, and text of others is shown with every control
character as a visible symbol.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TextIO

from judgekit.errors import Unfinished
from judgekit.labelling.keymap import Keymap, key_for, level_for
from judgekit.labelling.pairs import choice_for, side_of
from judgekit.labelling.session import Session
from judgekit.labelling.steps import SKIP_REASONS, Skipped, Step, Told
from judgekit.labelling.words import anchors_of, duration, question_of, short_question, words_for
from judgekit.printable import line_ends, printable
from judgekit.records import Rubric

__all__ = ["Plain", "run_plain"]

SIDES = ("left", "right", "tie")
"""Answers of a comparison in the order of their keys 1, 2, 3."""


class Plain:
    """The lines of one session.

    Parameters
    ----------
    session : Session
        The state.
    out : text stream
        Where lines are written.
    lang : str
        The rater's language.
    keymap : Keymap
        Which key does what.
    rubrics : sequence of Rubric
        For the scales on which replies are compared.
    """

    def __init__(
        self, session: Session, out: TextIO, *, lang: str, keymap: Keymap, rubrics: Sequence[Rubric] = ()
    ) -> None:
        self.session = session
        self.rubrics = tuple(rubrics)
        self.out = out
        self.lang = lang
        self.words = words_for(lang)
        self.keymap = keymap
        self.asking: str = "item"
        self._shown_task: str | None = None
        self._practising = False

    # --- out -------------------------------------------------------------------------------------------------------

    def say(self, line: str = "") -> None:
        """Write one line of our own words."""
        self.out.write(line + "\n")

    def tell(self, key: str, /, **values: object) -> None:
        """Write one of the session's messages."""
        self.say(self.words[key].format(**values))

    def greet(self) -> None:
        """Say once what every item is asked: its questions, their scales in full, and where the keys are told."""
        self.tell("start", total=self.session.progress.total)
        asked = {step.criterion.dimension: step for step in self.session.steps}
        for step in asked.values():
            self._scale(step)
        self.tell("start_keys", help=next(iter(self._typed("help")), "?"))

    def ask(self) -> None:
        """Show the step in hand, the item only when it is new, and ask."""
        step = self.session.step
        if step is None:
            return
        if self._shown_task != step.task.task_id:
            self._show_item(step)
        self._show_question(step)
        self._prompt(self.words["answer"].format(keys=self._keys_line(step)))
        self.session.shown()
        self.session.seen_to_end()

    def _prompt(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()

    def _show_item(self, step: Step) -> None:
        self.session.about_to_show()
        progress = self.session.progress
        self.say()
        if step.practice:
            number, of = self.session.practice_number
            self.tell("practice", n=number, total=of)
        else:
            if self._practising:
                self.tell("practice_over")
            head = self.words["item"].format(position=progress.done + 1, total=progress.total)
            if progress.seconds_left is not None:
                head += " · " + self.words["left"].format(time=duration(progress.seconds_left))
            self.say(head)
        self._practising = step.practice
        if step.task.context is not None:
            self._block(self.words["context"], step.task.context)
        other = step.task.text_b
        if other is None:
            self._block(self.words["reply"], step.task.text)
        else:
            left, right = (step.task.text, other) if step.shown_first != "b" else (other, step.task.text)
            self._block(f"1 {self.words['reply_left']}", left)
            self._block(f"2 {self.words['reply_right']}", right)
        self._shown_task = step.task.task_id

    def _block(self, title: str, text: str) -> None:
        self.say(f"{title}:")
        for line in printable(line_ends(text), keep="\n").split("\n"):
            self.say(f"  {line}")

    def _show_question(self, step: Step) -> None:
        if step.raters:
            scores = ", ".join(f"{letter} {printable(score)}" for letter, score in step.raters)
            self.tell("raters_gave", scores=scores)
        number, of = self.session.criterion_number
        lead = f"{number}/{of} " if of > 1 else ""
        question = printable(short_question(step.criterion, self.lang))
        self.say(f"{lead}{printable(step.criterion.dimension)}: {question}")

    def _scale(self, step: Step) -> None:
        """A question and its whole scale."""
        criterion = step.criterion
        self.say(f"{printable(criterion.dimension)}: {printable(question_of(criterion, self.lang))}")
        compared = step.task.text_b is not None
        if compared:
            # A comparison is explained by the scale it compares on.
            criterion = next(r for r in self.rubrics if r.hash == step.rubric_hash).criterion(criterion.dimension)
        for place, level in enumerate(criterion.levels):
            anchor = printable(anchors_of(criterion, self.lang)[level])
            key = printable(level) if compared else key_for(criterion, place)
            label = "" if str(level) == key else f"{printable(level)}: "
            self.say(f"  {key}  {label}{anchor}")
        if compared:
            self.tell("help_title")
            for number, side in enumerate(SIDES, 1):
                self.say(f"  {number}  {self.words[f'action_{side}']}")

    def _keys_line(self, step: Step) -> str:
        """The keys that answer, with names where the key does not say it, and the one that tells the others."""
        criterion = step.criterion
        keys = [key_for(criterion, place) for place in range(len(criterion.levels))]
        if step.task.text_b is not None:
            named = [f"{number} {self.words['short_' + side]}" for number, side in enumerate(SIDES, 1)]
        elif [str(level) for level in criterion.levels] == keys:
            named = ["/".join(keys)]
        else:
            named = [f"{key} {printable(level)}" for key, level in zip(keys, criterion.levels, strict=True)]
        helping = self._typed("help")
        return ", ".join([*named, *(f"{key} {self.words['short_help']}" for key in helping[:1])])

    def _typed(self, action: str) -> list[str]:
        """The keys of an action that can be typed in a line."""
        return [key for key in self.keymap.keys(action) if len(key) == 1]

    # --- in --------------------------------------------------------------------------------------------------------

    def take(self, line: str) -> bool:
        """Act on one line; False ends the session."""
        text = line.strip()
        if self.asking == "skip":
            self._take_reason(text)
        elif self.asking == "note":
            self._take_note(text)
        else:
            return self._take_key(text)
        return True

    def _take_key(self, key: str) -> bool:
        step = self.session.step
        # A name such as "pgdn" has no meaning in lines; a word longer than a character is a typing error or a paste.
        action = self.keymap.action(key) if len(key) == 1 else None
        if not self.session.admits():
            self.tell("too_soon", n=self.session.ignored)
            return True
        if step is None:
            return action is None or action.id != "quit"
        if not key:
            self._shown_task = None
            return True
        pair = step.task.text_b is not None
        if pair:
            tie = action is not None and action.id == "tie"
            level: int | str | None = choice_for("tie" if tie else key, step.shown_first)
        else:
            level = level_for(step.criterion, key)
        if level is not None:
            told = self.words[f"short_{side_of(level, step.shown_first)}"] if pair else level
            self._report(self.session.score(level), told)
        elif action is None:
            self._unknown(step, key)
        else:
            return self._act(action.id)
        return True

    def _unknown(self, step: Step, key: str) -> None:
        scale = ", ".join(key_for(step.criterion, place) for place in range(len(step.criterion.levels)))
        if key.lstrip("-+").replace(".", "", 1).isdigit():
            self.tell("off_scale", key=printable(key, limit=20), scale=scale)
        else:
            self._strange(key)

    def _strange(self, key: str) -> None:
        helping = next(iter(self._typed("help")), "?")
        self.tell("unknown_key", key=printable(key, limit=20), help=helping)

    def _act(self, action: str) -> bool:
        session = self.session
        if action == "quit":
            return False
        if action == "undo":
            self._report(session.undo(), None)
        elif action == "flag":
            raised = not session.flagged
            if session.flag():
                self.tell("flag_set" if raised else "flag_cleared")
        elif action in {"skip", "page_on"}:
            self.asking = "skip"
            self.tell("skip_title")
            for n, reason in enumerate(SKIP_REASONS, 1):
                self.say(f"  {n}  {self.words['reason_' + reason]}")
        elif action == "note":
            self.asking = "note"
            if session.note:
                self.say("  " + printable(session.note))
        elif action == "help":
            self._help()
        elif action == "rubric" and session.step is not None:
            self._scale(session.step)
        return True

    def _help(self) -> None:
        step = self.session.step
        if step is not None:
            self._scale(step)
        self.tell("help_title")
        for action in self.keymap.actions():
            if keys := self._typed(action.id):
                self.say(f"  {', '.join(keys)}  {self.words['action_' + action.id]}")
        self.say(f"  {self.words['action_again']}")
        self.tell("help_saved")

    def _take_reason(self, text: str) -> None:
        if not text:
            self.asking = "item"
        elif not self.session.admits(guarded=False):
            self.tell("too_soon", n=self.session.ignored)
        elif text.isdigit() and 1 <= int(text) <= len(SKIP_REASONS):
            self.asking = "item"
            reason = SKIP_REASONS[int(text) - 1]
            self._report(self.session.skip(reason), Skipped(reason))
        else:
            self._strange(text)

    def _take_note(self, text: str) -> None:
        self.asking = "item"
        if text:
            self.session.write_note("" if text == "-" else text)
            self.tell("note_removed" if text == "-" else "note_kept")

    def _report(self, told: Told, value: int | str | Skipped | None) -> None:
        if told.kind == "recorded" and isinstance(value, Skipped):
            self.tell("skipped", reason=self.words["reason_" + value.reason])
        elif told.kind == "recorded":
            self.tell("practised" if told.why == "practice" else "recorded", value=printable(value))
        elif told.kind == "undone":
            self._shown_task = None
            self.tell("undone")
        elif told.why == "nothing_to_undo":
            self.tell("nothing_to_undo")

    def prompt_again(self) -> None:
        """Ask for whatever is being asked."""
        if self.asking == "skip":
            self._prompt(self.words["reason"].format(n=len(SKIP_REASONS)))
        elif self.asking == "note":
            self._prompt(self.words["note_ask"])
        else:
            self.ask()


def run_plain(
    session: Session,
    stdin: TextIO,
    stdout: TextIO,
    *,
    lang: str = "en",
    keymap: Keymap | None = None,
    rubrics: Sequence[Rubric] = (),
    results: Callable[[], Sequence[str]] | None = None,
) -> None:
    """Label line by line until everything is answered, the rater stops, their time is up, or input ends.

    Parameters
    ----------
    session : Session
        The state; every decision is stored before the next line is read.
    stdin, stdout : text streams
        Lines in and out.
    lang : str
        ``en`` or ``es``.
    keymap : Keymap, optional
        Which key does what; the defaults when left out.
    rubrics : sequence of Rubric
        For the scales on which replies are compared; needed for comparisons only.
    results : callable, optional
        Gives the lines told after the last item.
    """
    plain = Plain(session, stdout, lang=lang, keymap=keymap or Keymap(), rubrics=rubrics)
    progress = session.progress
    if progress.done:
        plain.tell("resumed", done=progress.done, total=progress.total)
    if not session.finished:
        plain.greet()
    going = True
    while going and not session.finished and not session.time_is_up():
        plain.prompt_again()
        line = stdin.readline()
        if not line:
            break
        try:
            going = plain.take(line)
        except Unfinished as problem:
            plain.tell("disk", problem=problem)
    progress = session.progress
    plain.say()
    if session.finished:
        plain.tell("done_title")
        for line in results() if results is not None else ():
            plain.say(line)
    else:
        if session.time_is_up():
            plain.tell("time_up")
        plain.tell("stored_so_far", done=progress.done, total=progress.total)
    stdout.flush()
