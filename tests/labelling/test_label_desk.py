"""The views and keys of the labelling app without a terminal, named by the points of the specification."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest
from rich.cells import cell_len

from judgekit.labelling.desk import Desk
from judgekit.labelling.display import make_document, make_shown, plain_text, wrap
from judgekit.labelling.keymap import Keymap
from judgekit.labelling.session import Session
from judgekit.labelling.steps import SKIP_REASONS
from judgekit.labelling.view import draw
from judgekit.printable import line_ends, marked, restore

SIZES = [(80, 24), (60, 20), (40, 12), (200, 60), (120, 30)]


def all_views(desk, sizes=SIZES):
    """The screen in every mode that exists."""
    for mode in ("item", "skip", "note", "rubric", "help", "quit", "time_up", "done"):
        desk.mode = mode
        for width, height in sizes:
            yield mode, width, height, draw(desk, width, height)


def test_point_01_no_view_shows_more_than_task_and_rubric(make_sample_file, build):
    """Ids, groups, names and templates in the source are on no view of a session made from the sample."""
    from judgekit.files.labels import read_sample
    from judgekit.labelling.opening import plan_steps, rubrics_of

    path = make_sample_file(4)
    opened = read_sample(path)
    rubrics = rubrics_of(opened, path)
    session = Session(
        annotator="ana",
        steps=plan_steps(opened, "ana", rubrics, path),
        log=build.MemoryLog(),
        clock=build.FakeClock(),
        guard=0,
    )
    desk = Desk(session, rubrics, lang="en", keymap=Keymap())
    for _, _, _, picture in all_views(desk):
        text = "\n".join(plain_text(row) for row in picture.rows)
        assert "item-" not in text
        assert "karim" not in text


def test_point_02_the_text_shown_is_the_text_stored(build, hostile_texts):
    """500 texts: undoing the visible substitutes gives back the stored text, at any width."""
    for n, text in enumerate(hostile_texts(500)):
        shown = make_shown(text)
        assert restore(marked(text, keep="\n"), text)
        assert shown.text == "".join(piece for piece, _ in marked(line_ends(text), keep="\n"))
        for width in (2, 7, 40, 100):
            assert "".join(shown.text[a:b] for a, b in wrap(shown.text, width)) == shown.text
        document = make_document(build.task(n, text), 40, "en")
        lines = "".join(plain_text(document.row(k)).replace(" ", "") for k in range(1, len(document)))
        assert lines == shown.text.replace("\n", "").replace(" ", "")


def test_point_02_placeholders_are_visible(make_desk, build, screen):
    """`[PERSON_1]` and its like stand on the screen as they are stored."""
    desk = make_desk(tasks=[build.task(1, "Dear [PERSON_1], your refund [/ see note] is 12 [EUR].")])
    assert "Dear [PERSON_1], your refund [/ see note] is 12 [EUR]." in screen(desk)


def test_point_03_markup_is_inert_everywhere(make_desk, build, hostile_texts):
    """200 hostile strings as reply, context, rubric, note and message: no exception, and shown plain."""
    for text in hostile_texts(200, seed=2):
        base = build.ordinal()
        criterion = replace(base, question={"en": text or "?"}, anchors={"en": dict.fromkeys(base.levels, text or "-")})
        desk = make_desk(1, [criterion], tasks=[build.task(1, text, context=text)], rubric=text)
        desk.session.write_note(text)
        desk.message = text
        for mode, width, height, picture in all_views(desk, [(60, 20)]):
            assert len(picture.rows) == height, mode
            assert all(cell_len(plain_text(row)) == width for row in picture.rows), (mode, width, text)


def test_point_04_no_control_character_leaves_the_view(make_desk, build, hostile_texts):
    """Whatever the data holds, no C0, C1, bidi or zero-width character is in any row."""
    for text in hostile_texts(60, seed=3):
        desk = make_desk(tasks=[build.task(1, text, context=text)])
        desk.press("x" + text[:1], text[:1])
        desk.session.write_note(text)
        desk.note = text
        for _, _, _, picture in all_views(desk, [(80, 24)]):
            for row in picture.rows:
                for char in set(plain_text(row)):
                    assert unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"}, (text, char)


def test_point_05_invisible_characters_are_marked(make_desk, build, screen):
    """Bidi controls, zero-width, soft hyphen, no-break space and BOM appear as symbols."""
    desk = make_desk(tasks=[build.task(1, "a\u202eb\u200bc\u00add\u00a0e\ufefff")])
    assert "a‹RLO›b‹ZWSP›c‹SHY›d⍽e‹BOM›f" in screen(desk)


@pytest.mark.parametrize(("width", "height"), [*SIZES, (41, 13), (79, 19), (119, 25)])
def test_point_05_every_row_has_the_same_width(make_desk, build, width, height):
    """Wide, combining and joined characters keep every row at the terminal's width."""
    for text in ("日本語の返信です。" * 20, "e\u0301\u0327" * 90, "👩\u200d👧 ok ⚠\ufe0f " * 20, "x" * 500):
        desk = make_desk(tasks=[build.task(1, text, context=text)])
        for _, _, _, picture in [("", 0, 0, draw(desk, width, height)), *all_views(desk)]:
            assert len({cell_len(plain_text(row)) for row in picture.rows}) == 1


def test_point_10_off_scale_and_unknown_keys_say_so(make_desk, log, screen, press):
    """Nothing is recorded, the item stays, and the message names the scale."""
    desk = make_desk()
    press(desk, "7")
    assert "! 7 is not on this scale: 1, 2, 3, 4, 5" in "\n".join(screen(desk))
    press(desk, "x")
    assert "! x does nothing here" in "\n".join(screen(desk))
    assert not log.events
    press(desk, "2")
    assert [e.value for e in log.events] == [2]


def test_point_10_nothing_is_preselected(make_desk, build, screen, press):
    """The scale of a fresh item, and of an item stepped back to, has no level marked."""
    desk = make_desk()
    fresh = screen(desk)
    press(desk, "3", "backspace")
    again = screen(desk)
    assert [line for line in again if line not in fresh] == ["taken back, decide again"]


def test_point_10_criteria_in_order_with_own_answers(make_desk, build, screen, press):
    """The second criterion shows which it is and what the rater gave before."""
    desk = make_desk(2, [build.ordinal("formality"), build.ordinal("suspicion")])
    assert any("1/2 formality:" in line for line in screen(desk))
    press(desk, "4")
    text = "\n".join(screen(desk))
    assert "2/2 suspicion:" in text
    assert "✓ formality 4" in text


def test_point_11_dropped_keys_are_said(make_desk, clock, log, screen, press):
    """Keys that come too early are counted on the screen."""
    desk = make_desk(guard=0.25)
    screen(desk)
    clock.pass_seconds(0.1)
    press(desk, "4")
    assert "! keys ignored: 1" in "\n".join(screen(desk))
    clock.pass_seconds(0.3)
    press(desk, "4")
    assert [e.value for e in log.events] == [4]


def test_point_12_bracketed_paste_labels_nothing(make_desk, log, screen, press):
    """On every view a paste changes nothing; in the note box it inserts text with newlines folded."""
    desk = make_desk()
    for mode in ("item", "skip", "rubric", "help", "quit", "time_up", "done"):
        desk.mode = mode
        desk.paste("4\n4\n1 f s q")
        assert desk.mode == mode
    assert not log.events
    desk.mode = "item"
    press(desk, "n")
    desk.paste("4\r\nfive \x1b[2J")
    assert "4 five ␛[2J" in "\n".join(screen(desk))
    press(desk, "enter")
    assert [(e.event, e.value) for e in log.events] == [("note", "4 five \x1b[2J")]


def test_point_13_undo_by_backspace_and_u(make_desk, log, screen, press):
    """Both keys step back one decision, to the first one and not beyond."""
    desk = make_desk(3)
    press(desk, "1", "2", "3")
    assert desk.mode == "done"
    press(desk, "backspace")
    assert desk.mode == "item"
    press(desk, "u", "backspace", "u")
    assert "! nothing to take back" in "\n".join(screen(desk))
    assert [e.event for e in log.events] == ["score"] * 3 + ["undo"] * 3


def test_point_14_skip_asks_for_a_reason(make_desk, log, press):
    """Escape skips nothing; only a listed reason does; digits there are reasons, never scores."""
    desk = make_desk()
    press(desk, "s", "escape", "s", "9", "0")
    assert not log.events
    assert desk.mode == "skip"
    press(desk, "3")
    assert [(e.event, e.value) for e in log.events] == [("skip", SKIP_REASONS[2])]


@pytest.mark.parametrize("opener", ["?", "f1", "r", "q", "s", "n"])
def test_point_14_a_score_is_given_on_the_items_own_view_only(make_desk, log, opener, press):
    """On help, anchors, stop, skip and note no digit scores."""
    desk = make_desk()
    press(desk, opener)
    assert desk.mode != "item"
    press(desk, "9", "escape")
    press(desk, opener)
    if opener not in {"s", "n"}:
        press(desk, "4")
    assert not [e for e in log.events if e.event == "score"]


def test_point_14_flag_and_note_are_on_the_screen(make_desk, screen, press):
    """A flagged item and a note show by word and glyph."""
    desk = make_desk()
    press(desk, "f")
    press(desk, "n", "h", "i", "space", "!", "backspace", "enter")
    text = "\n".join(screen(desk))
    assert "⚑ flagged" in text
    assert "✎ note" in text
    assert desk.session.note == "hi"
    press(desk, "n", "escape")
    assert desk.session.note == "hi"


def test_point_15_a_full_disk_is_said_and_the_item_stays(make_desk, log, screen, press):
    """The message is on the screen, the item stays, the next press works."""
    desk = make_desk()
    log.full = True
    press(desk, "4")
    assert "! NOT STORED. The item stays." in "\n".join(screen(desk))
    press(desk, "s", "2")
    assert desk.mode == "item"
    log.full = False
    press(desk, "4")
    assert [e.value for e in log.events] == [4]


def test_point_18_nothing_that_could_anchor_before_the_end(make_desk, screen, press):
    """In no state but done is there a kappa, a distribution, a mean, or another annotator."""
    desk = make_desk(9, results=lambda: ["kappa 0.71 with karim, mean 3.2"])
    press(desk, "3", "4", "f", "s", "1", "5", "5", "5", "2", "u", "2")
    for mode, _, _, picture in all_views(desk):
        text = "\n".join(plain_text(row) for row in picture.rows).lower()
        if mode != "done":
            assert "kappa" not in text
            assert "karim" not in text
            assert "mean" not in text.split()
    press_all = make_desk(9, results=lambda: ["kappa 0.71"])
    press(press_all, "3", "3")
    assert press_all.mode == "done"
    assert "kappa 0.71" in "\n".join(screen(press_all))


def test_spanish_views(make_desk, screen):
    """Every view speaks Spanish with a Spanish rater."""
    desk = make_desk(lang="es")
    assert "texto 1 de 5" in screen(desk)[0]
    assert any("¿Cuánta warmth?" in line for line in screen(desk))
    for mode, _, _, picture in all_views(desk):
        text = "\n".join(plain_text(row) for row in picture.rows)
        assert not any(word in text for word in ("skip", "Stop here", "Keys", "No score")), mode
