"""The views and keys of the labelling app without a terminal, named by the points of the specification."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest
from rich.cells import cell_len

from judgekit.errors import ConfigProblem, LeakFound
from judgekit.labelling.desk import Desk
from judgekit.labelling.display import make_document, make_shown, plain_text, wrap
from judgekit.labelling.keymap import ACTIONS, Keymap
from judgekit.labelling.session import Session
from judgekit.labelling.steps import SKIP_REASONS, Step
from judgekit.labelling.view import MIN_HEIGHT, MIN_WIDTH, draw
from judgekit.printable import marked, restore
from judgekit.records import Rubric

SIZES = [(80, 24), (60, 20), (40, 12), (200, 60), (120, 30)]


def rubric_of(*criteria, name="warmth"):
    """A rubric around criteria; its hash is the one the steps carry."""
    return Rubric(id=name, version="1", criteria=criteria, hash="hash-1")


@pytest.fixture
def make_desk(make_session, build):
    """A desk over a session; options go to the session."""

    def make(n=5, criteria=None, *, lang="en", keymap=None, results=None, rubric="warmth", **options):
        criteria = criteria or [build.ordinal()]
        session = make_session(n, criteria, **options)
        return Desk(session, [rubric_of(*criteria, name=rubric)], lang=lang, keymap=keymap or Keymap(), results=results)

    return make


def screen(desk, width=80, height=24):
    """The lines as a person sees them; the view is drawn and painted."""
    picture = draw(desk, width, height)
    desk.painted(at_end=picture.at_end)
    return [plain_text(row).rstrip() for row in picture.rows]


def press(desk, *keys, size=(80, 24)):
    """Press keys one after the other, painting between them."""
    for key in keys:
        desk.press(key, key if len(key) == 1 else (" " if key == "space" else None))
        screen(desk, *size)


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
        assert shown.text == "".join(piece for piece, _ in marked(text, keep="\n"))
        for width in (2, 7, 40, 100):
            assert "".join(shown.text[a:b] for a, b in wrap(shown.text, width)) == shown.text
        document = make_document(build.task(n, text), 40, "en")
        lines = "".join(plain_text(document.row(k)).replace(" ", "") for k in range(1, len(document)))
        assert lines == shown.text.replace("\n", "").replace(" ", "")


def test_point_02_placeholders_are_visible(make_desk, build):
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


def test_point_05_invisible_characters_are_marked(make_desk, build):
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


def test_point_10_off_scale_and_unknown_keys_say_so(make_desk, log):
    """Nothing is recorded, the item stays, and the message names the scale."""
    desk = make_desk()
    press(desk, "7")
    assert "! 7 is not on this scale: 1, 2, 3, 4, 5" in "\n".join(screen(desk))
    press(desk, "x")
    assert "! x does nothing here" in "\n".join(screen(desk))
    assert not log.events
    press(desk, "2")
    assert [e.value for e in log.events] == [2]


def test_point_10_nothing_is_preselected(make_desk, build):
    """The scale of a fresh item, and of an item stepped back to, has no level marked."""
    desk = make_desk()
    fresh = screen(desk)
    press(desk, "3", "backspace")
    again = screen(desk)
    assert [line for line in again if line not in fresh] == ["taken back, decide again"]


def test_point_10_criteria_in_order_with_own_answers(make_desk, build):
    """The second criterion shows which it is and what the rater gave before."""
    desk = make_desk(2, [build.ordinal("formality"), build.ordinal("suspicion")])
    assert any("1/2 formality:" in line for line in screen(desk))
    press(desk, "4")
    text = "\n".join(screen(desk))
    assert "2/2 suspicion:" in text
    assert "✓ formality 4" in text


def test_point_11_dropped_keys_are_said(make_desk, clock, log):
    """Keys that come too early are counted on the screen."""
    desk = make_desk(guard=0.25)
    screen(desk)
    clock.pass_seconds(0.1)
    press(desk, "4")
    assert "! keys ignored: 1" in "\n".join(screen(desk))
    clock.pass_seconds(0.3)
    press(desk, "4")
    assert [e.value for e in log.events] == [4]


def test_point_12_bracketed_paste_labels_nothing(make_desk, log):
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


def test_point_13_undo_by_backspace_and_u(make_desk, log):
    """Both keys step back one decision, to the first one and not beyond."""
    desk = make_desk(3)
    press(desk, "1", "2", "3")
    assert desk.mode == "done"
    press(desk, "backspace")
    assert desk.mode == "item"
    press(desk, "u", "backspace", "u")
    assert "! nothing to take back" in "\n".join(screen(desk))
    assert [e.event for e in log.events] == ["score"] * 3 + ["undo"] * 3


def test_point_14_skip_asks_for_a_reason(make_desk, log):
    """Escape skips nothing; only a listed reason does; digits there are reasons, never scores."""
    desk = make_desk()
    press(desk, "s", "escape", "s", "9", "0")
    assert not log.events
    assert desk.mode == "skip"
    press(desk, "3")
    assert [(e.event, e.value) for e in log.events] == [("skip", SKIP_REASONS[2])]


@pytest.mark.parametrize("opener", ["?", "f1", "r", "q", "s", "n"])
def test_point_14_a_score_is_given_on_the_items_own_view_only(make_desk, log, opener):
    """On help, anchors, stop, skip and note no digit scores."""
    desk = make_desk()
    press(desk, opener)
    assert desk.mode != "item"
    press(desk, "9", "escape")
    press(desk, opener)
    if opener not in {"s", "n"}:
        press(desk, "4")
    assert not [e for e in log.events if e.event == "score"]


def test_point_14_flag_and_note_are_on_the_screen(make_desk):
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


def test_point_15_a_full_disk_is_said_and_the_item_stays(make_desk, log):
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


def test_point_18_nothing_that_could_anchor_before_the_end(make_desk):
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


def test_point_20_long_texts_page_and_tell_where(make_desk, build, log):
    """Space pages on and at the end asks for a skip reason; scoring before the end is stored as such."""
    text = "\n".join(f"line {n}" for n in range(100))
    desk = make_desk(tasks=[build.task(1, text), build.task(2, text)])
    assert "read, more below" in "\n".join(screen(desk))
    press(desk, "3")
    assert log.events[0].detail["seen_to_end"] is False
    pages = 0
    while desk.mode == "item":
        press(desk, "space")
        pages += 1
    assert 5 < pages < 15
    press(desk, "escape")
    assert "end of text" in "\n".join(screen(desk))
    assert "line 99" in "\n".join(screen(desk))
    press(desk, "4")
    assert log.events[1].detail["seen_to_end"] is True


def test_point_20_two_hundred_kilobytes(make_desk, build):
    """A 200 kB reply is laid out, paged through by keys, and every line can be reached."""
    text = "Some words of a very long reply. " * 6200
    desk = make_desk(tasks=[build.task(1, text)])
    screen(desk)
    press(desk, "pagedown", "pagedown", "pageup", "down")
    assert desk.scroll == desk.page + 1
    document = desk.document(80)
    assert len(document) > 2000


@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 20), (40, 12)])
def test_point_21_everything_is_there_at_each_size(make_desk, build, width, height):
    """Text, criterion, scale and status are on the view; long text is reached by keys."""
    desk = make_desk(tasks=[build.task(1, "Short reply."), build.task(2)])
    press(desk, "f")
    text = "\n".join(screen(desk, width, height))
    for words in ("Short reply.", "How much warmth?", "1", "5", "⚑ flagged", "?"):
        assert words in text
    long = make_desk(tasks=[build.task(1, "\n".join(f"line-{n}." for n in range(30)))])
    seen = set()
    for _ in range(40):
        seen |= set("\n".join(screen(long, width, height)).split())
        long.press("down", None)
    assert {f"line-{n}." for n in range(30)} <= seen


def test_point_21_smaller_terminals_are_asked_to_grow(make_desk, log):
    """One line below the least size; 1x1 works; keys do not score what cannot be seen."""
    desk = make_desk()
    lines = screen(desk, MIN_WIDTH - 1, MIN_HEIGHT)
    assert lines[0] == "Please enlarge to 40x12 · q: stop"
    assert not any(lines[1:])
    press(desk, "4", "s", "1", "enter", size=(39, 12))
    assert (log.events, desk.mode, desk.leave) == ([], "item", "")
    for size in ((1, 1), (2, 3), (39, 100), (300, 2)):
        picture = draw(desk, *size)
        assert len(picture.rows) == size[1]
    press(desk, "q", size=(300, 2))
    assert desk.leave == "stopped"


def test_point_21_a_note_goes_on_in_a_small_window(make_desk, log):
    """A window made small while a note is written takes the note's letters, q too, and no score."""
    desk = make_desk()
    screen(desk)
    press(desk, "n")
    assert screen(desk, 30, 8)[0] == "Please enlarge to 40x12"
    press(desk, "q", "4", "enter", size=(30, 8))
    assert desk.leave == ""
    assert [(e.event, e.value) for e in log.events] == [("note", "q4")]


def test_point_21_resizing_keeps_the_place_and_the_timer(make_desk, build, clock, log):
    """The line on top holds the same place in the text at another width; the time runs on."""
    text = " ".join(f"word{n}" for n in range(2000))
    desk = make_desk(tasks=[build.task(1, text)])
    screen(desk, 80, 24)
    clock.pass_seconds(3)
    press(desk, *["pagedown"] * 5)
    top = draw(desk, 80, 24)
    first = plain_text(top.rows[2]).split()[0]
    place = desk.document(80).place(desk.scroll)
    narrow = screen(desk, 60, 20)
    assert first in "\n".join(narrow[2:4])
    screen(desk, 200, 60)
    screen(desk, 80, 24)
    assert desk.document(80).place(desk.scroll)[1] <= place[1]
    clock.pass_seconds(2)
    press(desk, "3")
    assert log.events[0].ms == 5000


def test_point_22_states_differ_without_colour(make_desk):
    """Fresh, flagged, noted, skipped, error, undone, done: the plain text of each differs from the others."""
    looks = {}
    desk = make_desk(3)
    looks["fresh"] = screen(desk)
    press(desk, "f")
    looks["flagged"] = screen(desk)
    press(desk, "f", "n", "x", "enter")
    looks["noted"] = screen(desk)
    press(desk, "8")
    looks["error"] = screen(desk)
    press(desk, "s", "1")
    looks["skipped"] = screen(desk)
    press(desk, "2")
    looks["stored"] = screen(desk)
    press(desk, "u")
    looks["undone"] = screen(desk)
    press(desk, "1", "1")
    looks["done"] = screen(desk)
    texts = ["\n".join(lines) for lines in looks.values()]
    assert len(set(texts)) == len(texts)
    assert "skipped: the text cannot be read" in "\n".join(looks["skipped"])
    assert "! 8" in "\n".join(looks["error"])
    assert "✓ All done" in "\n".join(looks["done"])


def test_point_23_default_keys_arrive_everywhere():
    """Only plain characters, arrows, space, enter, backspace, escape, page keys and F1."""
    allowed = {"left", "right", "up", "down", "space", "enter", "backspace", "escape", "pageup", "pagedown", "f1"}
    keys = [key for action in ACTIONS for key in action.keys]
    assert all(key in allowed or (len(key) == 1 and key.isascii()) for key in keys)
    assert len(set(keys)) == len(keys)


def test_point_23_help_and_footer_list_exactly_the_registry(make_desk):
    """Rebound keys show in help and footer; each action of the registry is listed once."""
    keymap = Keymap({"flag": "x", "undo": ["z", "backspace"]})
    desk = make_desk(keymap=keymap)
    footer = screen(desk, 100, 24)[-1]
    assert "x flag" in footer
    assert "z undo" in footer
    press(desk, "?")
    lines = screen(desk, 100, 40)
    described = [a for a in ACTIONS if not a.pairs]
    for action in described:
        assert sum(desk.words[f"action_{action.id}"] in line for line in lines) == 1
    listed = [line for line in lines[1:-3] if line and not line.startswith("Every")]
    assert len(listed) == len(described) + 1
    press(desk, "escape", "x")
    assert desk.session.flagged


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"flag": "s"}, "both skip and flag"),
        ({"flip": "x"}, "no such action"),
        ({"flag": "4"}, "digits give scores"),
        ({"flag": "ctrl+s"}, "plain characters"),
        ({"flag": []}, "without a key"),
        ({"flag": True}, "cannot be used"),
    ],
)
def test_point_23_bad_keys_are_refused(overrides, words):
    """A clash, an unknown action, a digit, a control key: refused with the names."""
    with pytest.raises(ConfigProblem, match=words):
        Keymap(overrides)


def test_point_24_anchors_are_whole_and_scrollable(make_desk, build):
    """One key opens every anchor in full, at any size; name, version and hash of the rubric are on the screen."""
    long = " ".join(f"reason{n}" for n in range(40))
    base = build.ordinal()
    criterion = replace(base, anchors={"en": {level: f"Level {level}. {long} end{level}." for level in base.levels}})
    desk = make_desk(2, [criterion], rubric="mine")
    for width, height in ((80, 24), (40, 12)):
        press(desk, "r")
        seen = []
        for _ in range(60):
            seen += [line for line in screen(desk, width, height) if line not in seen]
            desk.press("pagedown", None)
        text = " ".join(" ".join(seen).split())
        for level in base.levels:
            assert f"end{level}." in text
        assert "mine 1 #hash-1" in screen(desk, 80, 24)[0]
        press(desk, "escape")
    assert "mine 1 #hash-1" in screen(desk, 80, 24)[0]


def test_the_wide_view_has_the_whole_anchors_beside_the_text(make_desk, build):
    """At 200x60 question and anchors stand in full beside the text."""
    desk = make_desk(criteria=[build.ordinal()])
    text = "\n".join(screen(desk, 200, 60))
    assert "Look closely." in text
    assert text.count("More words.") == 5


def test_pairs_left_right_and_tie_are_stored_canonically(build, log):
    """A pair: keys choose a side, the log names the reply; the sides are stored too."""
    criterion = replace(build.nominal("preference", ("a", "b", "tie")), question={"en": "Which is better?"})
    tasks = [replace(build.task(n, f"reply a{n}"), text_b=f"reply b{n}") for n in range(3)]
    sides = zip(tasks, "baa", strict=True)
    steps = [Step(t, criterion, "hash-1", n, shown_first=side) for n, (t, side) in enumerate(sides, 1)]
    session = Session(annotator="ana", steps=steps, log=log, clock=build.FakeClock(), guard=0)
    desk = Desk(session, [rubric_of(criterion)], lang="en", keymap=Keymap())
    wide = screen(desk, 120, 24)
    assert any(
        "reply b0" in line and "reply a0" in line and line.index("reply b0") < line.index("reply a0") for line in wide
    )
    press(desk, "left", "right", "t")
    assert [(e.value, e.shown_first) for e in log.events] == [("b", "b"), ("b", "a"), ("tie", "a")]
    assert not session.step


def test_practice_is_announced_and_ends_with_a_word(make_desk, build):
    """Practice items say so in the header; the first real one says that it counts."""
    desk = make_desk(2, practice=[build.task("p")])
    assert "PRACTICE" in screen(desk)[0]
    press(desk, "3")
    text = "\n".join(screen(desk))
    assert "Practice is over" in text
    assert "item 1 of 2" in text


def test_time_box_asks_at_the_next_item(make_desk, clock):
    """When the time is up the rater may stop or go on."""
    desk = make_desk(4, deadline=110.0)
    press(desk, "3")
    assert desk.mode == "item"
    clock.pass_seconds(60)
    press(desk, "3")
    assert desk.mode == "time_up"
    press(desk, "4", "escape", "3")
    assert desk.mode == "item"
    assert not desk.leave


def test_spanish_views(make_desk):
    """Every view speaks Spanish with a Spanish rater."""
    desk = make_desk(lang="es")
    assert "texto 1 de 5" in screen(desk)[0]
    assert any("¿Cuánta warmth?" in line for line in screen(desk))
    for mode, _, _, picture in all_views(desk):
        text = "\n".join(plain_text(row) for row in picture.rows)
        assert not any(word in text for word in ("skip", "Stop here", "Keys", "No score")), mode


def test_the_next_item_is_verified_while_this_one_is_read(make_desk, clock):
    """It is verified once, ahead; one that must not be shown ends the session at its turn, not before."""
    desk = make_desk(3)
    seen = []

    def check(task):
        seen.append(task.task_id)
        if task.task_id == "t3":
            raise LeakFound("a text in the sample is not blind, so it is not shown")

    desk.session.check = check
    screen(desk)
    desk.prepare()
    press(desk, "4")
    assert seen == ["t1", "t2"]
    desk.prepare()
    desk.press("5")
    assert seen == ["t1", "t2", "t3"]
    assert [e.value for e in desk.session.log.events] == [4, 5]
    with pytest.raises(LeakFound):
        screen(desk)
