"""How each view looks at any size: a list of rows, computed from the desk and nothing else.

The text stands above, the question and its scale below it; on a wide terminal they stand beside each other. No state
is told by colour alone: each has a word or a glyph.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len

from judgekit.labelling.desk import Desk
from judgekit.labelling.display import Piece, Row, Style, columns, fit, paragraph, plain_text, width_of
from judgekit.labelling.keymap import key_for, key_label
from judgekit.labelling.steps import SKIP_REASONS, Skipped, Step
from judgekit.labelling.words import anchors_of, duration, question_of, short_anchor, short_question
from judgekit.printable import printable
from judgekit.records import Criterion, Rubric

__all__ = ["MIN_HEIGHT", "MIN_WIDTH", "Picture", "draw"]

MIN_WIDTH, MIN_HEIGHT = 40, 12
"""Smaller terminals are asked to be enlarged."""

WIDE = 120
"""From this width on the anchors stand beside the text."""

GUESSED = ("note", "flag", "rubric", "undo", "skip", "quit")
"""Actions whose words the footer drops one after the other on a narrow terminal; the help key keeps its word."""

READABLE = 100
"""Longest line of text in cells."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A view drawn: exactly as many rows as the terminal has, each exactly as wide. ``at_end``: the text's end shows."""

    rows: tuple[Row, ...]
    at_end: bool


def draw(desk: Desk, width: int, height: int) -> Picture:
    """Draw the view that is open.

    Parameters
    ----------
    desk : Desk
        What to show. Its scroll positions are held inside the text.
    width, height : int
        Cells of the terminal.

    Returns
    -------
    Picture
    """
    desk.cramped = width < MIN_WIDTH or height < MIN_HEIGHT
    if desk.cramped:
        return _too_small(desk, width, height)
    if desk.mode in {"item", "skip", "note"} and desk.step is not None:
        return _item(desk, desk.step, width, height)
    content = {"rubric": _rubric, "help": _help, "quit": _quit, "time_up": _quit, "done": _done}[desk.mode](desk, width)
    return _overlay(desk, *content, width, height)


def _finish(rows: list[Row], width: int, height: int, *, at_end: bool) -> Picture:
    rows = rows[:height] + [()] * (height - len(rows))
    return Picture(tuple(fit(row, width) for row in rows), at_end)


def _too_small(desk: Desk, width: int, height: int) -> Picture:
    text = desk.words["too_small"].format(width=MIN_WIDTH, height=MIN_HEIGHT)
    # In a note every key is text, q too.
    if desk.mode != "note":
        text += f" · {desk.key_label('quit')}: {desk.words['short_quit']}"
    return _finish(paragraph(text, max(2, width)), max(1, width), max(1, height), at_end=False)


def _spread(left: Row, right: Row, width: int) -> Row:
    """Two pieces at both ends of a line; the right one goes first when there is no room."""
    gap = width - width_of(left) - width_of(right)
    return (*left, (" " * gap, "text"), *right) if gap >= 2 else left


def _rule(width: int, words: str = "") -> Row:
    text = f"── {words} " if words else ""
    return ((text + "─" * max(0, width - cell_len(text)), "rule"),)


# --- the item ------------------------------------------------------------------------------------------------------


def _item(desk: Desk, step: Step, width: int, height: int) -> Picture:
    head = [_header(desk, step, width)]
    if height >= 18:
        head.append(_rule(width))
    foot = [_status(desk), _footer(desk, width) if desk.mode == "item" else ()]
    beside = width >= WIDE and desk.mode == "item" and not desk.pairs
    right = min(64, width * 2 // 5)
    panel: list[Row] = _full_panel(desk, step, right) if beside else []
    if beside and len(panel) > height - len(head) - len(foot) - 1:
        beside = False
    if not beside:
        panel = _panel(desk, step, width, height)
    body = height - len(head) - len(foot) - 1 - (0 if beside else len(panel))
    # Close to the text: eyes go to and fro between them.
    text_width = min(READABLE + 2, width - right - 3) if beside else width
    document = desk.document(min(READABLE, text_width) if not desk.pairs else text_width)
    at_end = desk.hold_scroll(body)
    lines = [document.row(n) for n in range(desk.scroll, min(len(document), desk.scroll + body))] if document else []
    lines += [()] * (body - len(lines))
    total = len(document) if document is not None else 0
    if at_end:
        where = desk.words["end"] if desk.scroll else desk.words["whole"]
    else:
        where = desk.words["more"].format(percent=100 * (desk.scroll + body) // max(1, total))
    rule = _rule(width, where)
    rows = [*head, *(columns(lines, panel, text_width, right) if beside else lines), rule]
    rows += foot if beside else [*panel, *foot]
    return _finish(rows, width, height, at_end=at_end)


def _header(desk: Desk, step: Step, width: int) -> Row:
    progress = desk.session.progress
    if step.practice:
        number, of = desk.session.practice_number
        right = desk.words["practice"].format(n=number, total=of)
    elif width < 60:
        right = f"{min(progress.done + 1, progress.total)}/{progress.total}"
    else:
        right = desk.words["item"].format(position=min(progress.done + 1, progress.total), total=progress.total)
        if progress.seconds_left is not None:
            right += " · " + desk.words["left"].format(time=duration(progress.seconds_left))
    rubric = _rubric_of(desk, step)
    name = printable(desk.session.annotator)
    left: list[Piece] = [("judgekit ", "title"), (name, "bold")] if width >= 60 else [(name, "bold")]
    if width >= 80:
        left.append((f" · {_rubric_label(rubric)}", "dim"))
    return _spread(tuple(left), ((right, "bold"),), width)


def _rubric_of(desk: Desk, step: Step) -> Rubric:
    return next(rubric for rubric in desk.rubrics if rubric.hash == step.rubric_hash)


def _rubric_label(rubric: Rubric) -> str:
    return printable(f"{rubric.id} {rubric.version} #{rubric.hash[:8]}", limit=40)


def _dimension(desk: Desk, step: Step) -> str:
    """Which criterion of how many, empty when the item has one whose question says it."""
    number, asked = desk.session.criterion_number
    lead = f"{number}/{asked} " if asked > 1 else ""
    return f"{lead}{printable(step.criterion.dimension)}: " if lead or desk.pairs else ""


def _given(desk: Desk) -> Row:
    """The answers that the item's earlier criteria got: the rater's own, so that undo is no surprise."""
    pieces: list[Piece] = []
    for dimension, answer in desk.session.given_here:
        value = desk.words["short_skip"] if isinstance(answer, Skipped) else printable(answer)
        pieces.append((f"✓ {printable(dimension)} {value}  ", "dim"))
    return tuple(pieces)


def _panel(desk: Desk, step: Step, width: int, height: int) -> list[Row]:
    if desk.mode == "skip":
        return _skip_panel(desk, width)
    if desk.mode == "note":
        return _note_panel(desk, width, max(1, height // 4))
    return [*_raters(desk, step), *_question_panel(desk, step, width, height)]


def _raters(desk: Desk, step: Step) -> list[Row]:
    if not step.raters:
        return []
    scores = ", ".join(f"{letter} {printable(score)}" for letter, score in step.raters)
    return [((desk.words["raters_gave"].format(scores=scores), "bold"),)]


def _question_panel(desk: Desk, step: Step, width: int, height: int) -> list[Row]:
    tall = height >= 18
    lead = _dimension(desk, step)
    question = paragraph(lead + short_question(step.criterion, desk.lang), width, "bold")
    rows = question[: 2 if tall else 1]
    if len(question) > len(rows):
        rows[-1] = (*fit(rows[-1], width - 1), ("…", "dim"))
    if desk.pairs:
        scale = _rubric_of(desk, step).criterion(step.criterion.dimension)
        low, high = (printable(short_anchor(scale, scale.levels[end], desk.lang)) for end in (0, -1))
        ends: Row = ((desk.words["ends"].format(low=low, high=high), "dim"),)
        return [*rows, *([fit(ends, width)] if tall else []), _pair_keys(desk, width)]
    full = _full_panel(desk, step, width, spaced=False)[len(_raters(desk, step)) :]
    if len(full) <= height - 16:
        return full
    levels = [_level_row(step.criterion, place, desk.lang) for place in range(len(step.criterion.levels))]
    if tall and len(levels) <= height - 13:
        return rows + levels
    return rows + _short_levels(step.criterion, desk.lang, width)


def _level_row(criterion: Criterion, place: int, lang: str) -> Row:
    level = criterion.levels[place]
    key = key_for(criterion, place)
    named = "" if str(level) == key else f"{printable(level)}: "
    return ((f" {key} ", "key"), (" ", "text"), (named + printable(short_anchor(criterion, level, lang)), "text"))


def _short_levels(criterion: Criterion, lang: str, width: int) -> list[Row]:
    """All keys of a scale on one line, with the ends in words where there is room."""
    keys = [key_for(criterion, place) for place in range(len(criterion.levels))]
    if criterion.kind == "nominal":
        named = "  ".join(f"{key} {printable(level)}" for key, level in zip(keys, criterion.levels, strict=True))
        return paragraph(named, width)[:2]
    scale = " ".join(keys)
    ends = [printable(short_anchor(criterion, level, lang)) for level in (criterion.levels[0], criterion.levels[-1])]
    room = (width - len(scale) - 8) // 2
    low, high = (plain_text(fit(((end, "text"),), room)).strip() if room > 5 else "" for end in ends)
    return [((f"{low} ", "dim"), (f" {scale} ", "key"), (f" {high}", "dim"))]


def _full_panel(desk: Desk, step: Step, width: int, *, spaced: bool = True) -> list[Row]:
    rows = [
        *_raters(desk, step),
        *paragraph(_dimension(desk, step) + question_of(step.criterion, desk.lang), width, "bold"),
    ]
    gap: list[Row] = [()] if spaced else []
    for lines in _anchor_blocks(step.criterion, desk.lang, width):
        rows += [*gap, *lines]
    return rows


def _anchor_blocks(criterion: Criterion, lang: str, width: int) -> list[list[Row]]:
    """Every level with its key and its whole anchor."""
    anchors = anchors_of(criterion, lang)
    blocks: list[list[Row]] = []
    for place, level in enumerate(criterion.levels):
        key = key_for(criterion, place)
        named = "" if str(level) == key else f"{level}: "
        lines = paragraph(named + anchors[level], width - 4)
        rest: list[Row] = [(("    ", "text"), *line) for line in lines[1:]]
        blocks.append([((f" {key} ", "key"), (" ", "text"), *lines[0]), *rest])
    return blocks


def _pair_keys(desk: Desk, width: int) -> Row:
    actions = [action for action in desk.actions() if action.pairs]
    for words in ("action_", "short_"):
        pieces: list[Piece] = []
        for action in actions:
            key = desk.key_label(action.id)
            pieces += [(f" {key} ", "key"), (f" {desk.words[words + action.id]}  ", "text")]
        if width_of(tuple(pieces)) <= width:
            break
    return tuple(pieces)


def _skip_panel(desk: Desk, width: int) -> list[Row]:
    rows: list[Row] = [((desk.words["skip_title"], "bold"),)]
    for n, reason in enumerate(SKIP_REASONS, 1):
        rows.append(((f" {n} ", "key"), (" ", "text"), (desk.words[f"reason_{reason}"], "text")))
    rows.append(((desk.words["skip_cancel"], "dim"),))
    return [fit(row, width) for row in rows]


def _note_panel(desk: Desk, width: int, lines: int) -> list[Row]:
    written = paragraph(desk.note + "▏", width - 2, "input", indent="> ")
    return [((desk.words["note_title"], "bold"),), *written[-lines:], ((desk.words["note_hint"], "dim"),)]


def _status(desk: Desk) -> Row:
    pieces: list[Piece] = list(_given(desk)) if desk.mode == "item" else []
    if desk.session.flagged:
        pieces.append((f"{desk.words['flagged']}  ", "bold"))
    if desk.session.note:
        pieces.append((f"{desk.words['noted']}  ", "bold"))
    if desk.message:
        pieces.append((f"! {desk.message}", "alert") if desk.alert else (desk.message, "good"))
    return tuple(pieces)


def _footer(desk: Desk, width: int) -> Row:
    """Every key, with its word where there is room: the words that are easiest to guess go first."""
    listed = [action.id for action in desk.actions() if action.in_footer and not action.pairs]
    for cut in range(len(GUESSED) + 1):
        pieces: list[Piece] = []
        for action in listed:
            key = desk.key_label(action)
            label = "" if action in GUESSED[:cut] else f" {desk.words['short_' + action]}"
            pieces += [("  " if pieces else "", "text"), (key, "key"), (label, "dim")]
        if width_of(tuple(pieces)) <= width:
            break
    return tuple(piece for piece in pieces if piece[0])


# --- views over the whole screen -----------------------------------------------------------------------------------


def _overlay(desk: Desk, title: str, content: list[Row], hint: str, width: int, height: int) -> Picture:
    body = height - 4
    desk.page = max(1, body - 1)
    desk.overlay_scroll = max(0, min(desk.overlay_scroll, len(content) - body))
    shown = content[desk.overlay_scroll : desk.overlay_scroll + body]
    more = desk.overlay_scroll + body < len(content)
    where = desk.words["more"].format(percent=100 * (desk.overlay_scroll + body) // len(content)) if more else ""
    scrolling = " ".join(desk.key_label(action) for action in ("line_up", "line_down", "page_up", "page_down"))
    hints = hint if len(content) <= body else f"{hint}   {desk.words['scroll'].format(keys=scrolling)}"
    message: Row = ((f"! {desk.message}", "alert"),) if desk.message and desk.alert else ((desk.message, "good"),)
    rows = [((title, "title"),), *shown, *([()] * (body - len(shown))), _rule(width, where), message, ((hints, "dim"),)]
    return _finish(rows, width, height, at_end=False)


def _rubric(desk: Desk, width: int) -> tuple[str, list[Row], str]:
    step = desk.step
    if step is None:
        return "", [], desk.words["back"]
    rubric = _rubric_of(desk, step)
    title = (
        f"{desk.words['rubric_title'].format(dimension=printable(step.criterion.dimension))} · {_rubric_label(rubric)}"
    )
    wide = min(width, READABLE)
    # A comparison is explained by the scale it compares on.
    criterion = rubric.criterion(step.criterion.dimension) if desk.pairs else step.criterion
    rows: list[Row] = [*paragraph(question_of(criterion, desk.lang), wide, "bold"), ()]
    for lines in _anchor_blocks(criterion, desk.lang, wide):
        rows += [*lines, ()]
    return title, rows, desk.words["back"]


def _help(desk: Desk, width: int) -> tuple[str, list[Row], str]:
    rows: list[Row] = []
    step = desk.step
    if step is not None and not desk.pairs:
        keys = " ".join(key_for(step.criterion, place) for place in range(len(step.criterion.levels)))
        rows.append(_help_row(keys, desk.words["help_scores"]))
    for action in desk.actions():
        keys = " ".join(key_label(key, desk.lang) for key in desk.keymap.keys(action.id))
        rows.append(_help_row(keys, desk.words[f"action_{action.id}"]))
    rows += [(), *paragraph(desk.words["help_saved"], width, "text")]
    return desk.words["help_title"], rows, desk.words["back"]


def _help_row(keys: str, words: str) -> Row:
    pad: Style = "text"
    return ((f" {keys} ", "key"), (" " * max(1, 14 - cell_len(keys)), pad), (words, "text"))


def _quit(desk: Desk, width: int) -> tuple[str, list[Row], str]:
    progress = desk.session.progress
    saved = desk.words["quit_saved"].format(done=progress.done, total=progress.total)
    up = desk.mode == "time_up"
    title = desk.words["time_up" if up else "quit_title"]
    return title, [(), *paragraph(saved, width)], desk.words["time_up_keys" if up else "quit_keys"]


def _done(desk: Desk, width: int) -> tuple[str, list[Row], str]:
    session = desk.session
    progress = session.progress
    decisions = sum(not step.practice for step in session.steps)
    skipped = session.skipped_count()
    counts = desk.words["done_counts"].format(
        total=progress.total, scored=decisions - skipped, skipped=skipped, flagged=session.flagged_count()
    )
    rows: list[Row] = [(), *paragraph(counts, width, "bold")]
    for line in desk.result_lines():
        rows += paragraph(line, width) if line else [()]
    return (
        f"✓ {desk.words['done_title']}",
        rows,
        desk.words["done_keys"].format(quit=desk.key_label("quit"), undo=desk.key_label("undo")),
    )
