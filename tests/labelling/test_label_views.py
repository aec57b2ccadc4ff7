"""Long texts, sizes, states without colour, keys, anchors, comparisons: views without a terminal, by point."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judgekit.errors import ConfigProblem, LeakFound
from judgekit.labelling.desk import Desk
from judgekit.labelling.display import plain_text
from judgekit.labelling.keymap import ACTIONS, Keymap
from judgekit.labelling.session import Session
from judgekit.labelling.steps import Step
from judgekit.labelling.view import MIN_HEIGHT, MIN_WIDTH, draw
from judgekit.records import Rubric


def test_point_20_long_texts_page_and_tell_where(make_desk, build, log, screen, press):
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


def test_point_20_two_hundred_kilobytes(make_desk, build, screen, press):
    """A 200 kB reply is laid out, paged through by keys, and every line can be reached."""
    text = "Some words of a very long reply. " * 6200
    desk = make_desk(tasks=[build.task(1, text)])
    screen(desk)
    press(desk, "pagedown", "pagedown", "pageup", "down")
    assert desk.scroll == desk.page + 1
    document = desk.document(80)
    assert len(document) > 2000


@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 20), (40, 12)])
def test_point_21_everything_is_there_at_each_size(make_desk, build, width, height, screen, press):
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


def test_point_21_smaller_terminals_are_asked_to_grow(make_desk, log, screen, press):
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


def test_point_21_a_note_goes_on_in_a_small_window(make_desk, log, screen, press):
    """A window made small while a note is written takes the note's letters, q too, and no score."""
    desk = make_desk()
    screen(desk)
    press(desk, "n")
    assert screen(desk, 30, 8)[0] == "Please enlarge to 40x12"
    press(desk, "q", "4", "enter", size=(30, 8))
    assert desk.leave == ""
    assert [(e.event, e.value) for e in log.events] == [("note", "q4")]


def test_point_21_resizing_keeps_the_place_and_the_timer(make_desk, build, clock, log, screen, press):
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


def test_point_22_states_differ_without_colour(make_desk, screen, press):
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


def test_point_23_help_and_footer_list_exactly_the_registry(make_desk, screen, press):
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


def test_point_24_anchors_are_whole_and_scrollable(make_desk, build, screen, press):
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


def test_the_wide_view_has_the_whole_anchors_beside_the_text(make_desk, build, screen):
    """At 200x60 question and anchors stand in full beside the text."""
    desk = make_desk(criteria=[build.ordinal()])
    text = "\n".join(screen(desk, 200, 60))
    assert "Look closely." in text
    assert text.count("More words.") == 5


def test_pairs_left_right_and_tie_are_stored_canonically(build, log, screen, press):
    """A pair: keys choose a side, the log names the reply; the sides are stored too."""
    criterion = replace(build.nominal("preference", ("a", "b", "tie")), question={"en": "Which is better?"})
    tasks = [replace(build.task(n, f"reply a{n}"), text_b=f"reply b{n}") for n in range(3)]
    sides = zip(tasks, "baa", strict=True)
    steps = [Step(t, criterion, "hash-1", n, shown_first=side) for n, (t, side) in enumerate(sides, 1)]
    session = Session(annotator="ana", steps=steps, log=log, clock=build.FakeClock(), guard=0)
    desk = Desk(
        session, [Rubric(id="warmth", version="1", criteria=(criterion,), hash="hash-1")], lang="en", keymap=Keymap()
    )
    wide = screen(desk, 120, 24)
    assert any(
        "reply b0" in line and "reply a0" in line and line.index("reply b0") < line.index("reply a0") for line in wide
    )
    press(desk, "left", "right", "t")
    assert [(e.value, e.shown_first) for e in log.events] == [("b", "b"), ("b", "a"), ("tie", "a")]
    assert not session.step


def test_practice_is_announced_and_ends_with_a_word(make_desk, build, screen, press):
    """Practice items say so in the header; the first real one says that it counts."""
    desk = make_desk(2, practice=[build.task("p")])
    assert "PRACTICE" in screen(desk)[0]
    press(desk, "3")
    text = "\n".join(screen(desk))
    assert "Practice is over" in text
    assert "item 1 of 2" in text


def test_time_box_asks_at_the_next_item(make_desk, clock, press):
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


def test_the_next_item_is_verified_while_this_one_is_read(make_desk, clock, screen, press):
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
