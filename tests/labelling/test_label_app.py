"""The labelling app in Textual's own test terminal (Pilot): keys arrive, screens show, nothing leaks out."""

from __future__ import annotations

import asyncio
import re
import time

import pytest
from rich.cells import cell_len

from judgekit.labelling.app import LabelApp
from judgekit.labelling.desk import Desk
from judgekit.labelling.keymap import Keymap
from judgekit.labelling.session import Session
from judgekit.records import Rubric


class RealClock:
    """The time of this machine."""

    monotonic = staticmethod(time.monotonic)

    @staticmethod
    def utc():
        """A fixed moment: these tests do not look at it."""
        return "2026-01-01T00:00:00.000Z"


@pytest.fixture
def make_app(build, log):
    """The app over a session on real time."""

    def make(n=5, criteria=None, *, tasks=None, guard=0.0, lang="en", results=None):
        criteria = criteria or [build.ordinal()]
        tasks = tasks or [build.task(k) for k in range(1, n + 1)]
        steps = build.steps_for(tasks, criteria)
        session = Session(annotator="ana", steps=steps, log=log, clock=RealClock(), guard=guard)
        rubric = Rubric(id="warmth", version="1", criteria=tuple(criteria), hash="hash-1")
        return LabelApp(Desk(session, [rubric], lang=lang, keymap=Keymap(), results=results))

    return make


def drive(app, *keys, size=(80, 24), check=None):
    """Run the app, press keys, and return what is on the screen."""

    async def session():
        async with app.run_test(size=size) as pilot:
            for key in keys:
                await pilot.press(key)
            await pilot.pause()
            shown = lines_of(app)
            if check is not None:
                await check(pilot)
            return shown

    return asyncio.run(session())


def lines_of(app):
    """The lines that Textual's compositor would write."""
    return ["".join(s.text for s in strip) for strip in app.screen._compositor.render_strips(app.size)]


def test_point_10_keys_score_and_advance(make_app, log):
    """1 to 5 record and go on; 9 records nothing and says so."""
    shown = drive(make_app(), "3", "9", "5")
    assert [e.value for e in log.events] == [3, 5]
    assert "Reply number 3." in "\n".join(shown)
    assert "item 3 of 5" in shown[0]


def test_point_02_and_03_placeholders_and_markup_are_shown(make_app, build):
    """What Textual would parse as markup stands on its screen as it is."""
    reply = "Dear [PERSON_1], your refund [/ see note] is 12 [EUR]. [bold]x[/bold] [@click=app.bell]"
    shown = "\n".join(drive(make_app(tasks=[build.task(1, reply)])))
    assert "Dear [PERSON_1], your refund [/ see note] is 12 [EUR]. [bold]x[/bold]" in shown


def test_point_03_and_04_hostile_replies(make_app, build, hostile_texts):
    """15 hostile replies, scored one after the other: no exception, nothing invisible on any screen."""
    texts = hostile_texts(15, seed=5)
    app = make_app(tasks=[build.task(n, text, context=text) for n, text in enumerate(texts)])
    seen = []

    async def check(pilot):
        for number in range(len(texts)):
            await pilot.press(*(["r", "escape"] if number % 5 == 0 else []), "3")
            seen.extend(lines_of(app))

    drive(app, check=check)
    assert not re.search("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800]", "".join(seen))
    assert app.desk.session.finished


def test_point_05_the_frame_stays_aligned(make_app, build):
    """Every line of the screen has the terminal's width, with wide and combining characters too."""
    for text in ("日本語の返信です。" * 20, "e\u0301\u0327" * 90, "👩\u200d👧 ok " * 20):
        shown = drive(make_app(tasks=[build.task(1, text)]))
        assert {cell_len(line) for line in shown} == {80}


def test_point_01_no_window_title(make_app):
    """The app sets no title made of data."""
    app = make_app()
    drive(app, "3")
    assert app.title == "LabelApp"
    assert not app.sub_title


def test_point_12_paste_labels_nothing(make_app, log):
    """A paste event adds no label on any view; in the note it inserts folded text."""
    from textual import events

    app = make_app()

    async def check(pilot):
        for key in ("escape", "s", "escape", "r", "escape", "?", "escape", "q", "escape"):
            app.post_message(events.Paste("4\n5\n3"))
            await pilot.press(key)
        assert not log.events
        await pilot.press("n")
        app.post_message(events.Paste("two\nlines"))
        await pilot.press("!", "enter")

    drive(app, check=check)
    assert [(e.event, e.value) for e in log.events] == [("note", "two lines!")]


def test_point_13_and_14_undo_skip_flag_note(make_app, log):
    """The keys of every decision, through Textual's key names."""
    drive(make_app(), "3", "backspace", "s", "1", "f", "n", "a", "space", "b", "enter", "4")
    assert [(e.event, e.value) for e in log.events] == [
        ("score", 3), ("undo", None), ("skip", "unreadable"), ("flag", 1), ("note", "a b"), ("score", 4),
    ]  # fmt: skip


def test_point_11_the_guard_in_the_app(make_app, log):
    """Two scores pressed at once: the second is dropped, because the next item had not been there."""
    app = make_app(guard=0.25)

    async def check(pilot):
        await asyncio.sleep(0.4)
        await pilot.press("4", "5")
        await pilot.pause()

    drive(app, check=check)
    assert [e.value for e in log.events] == [4]
    assert app.desk.session.ignored >= 1


def test_point_19_time_from_paint_to_score(make_app, log):
    """The time stored covers the wait before the key and not the start of the app."""
    app = make_app()

    async def check(pilot):
        await asyncio.sleep(0.3)
        await pilot.press("4")

    drive(app, check=check)
    assert 250 <= log.events[0].ms <= 5000


def test_point_20_a_long_reply_pages_without_animation(make_app, build):
    """A 200 kB reply shows, and a page key moves at once by a page."""
    app = make_app(tasks=[build.task(1, "Some words of a very long reply. " * 6200)])
    shown = drive(app, "pagedown")
    assert app.desk.scroll == app.desk.page
    assert "more below" in "\n".join(shown)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12), (39, 11), (1, 1), (200, 60)])
def test_point_21_sizes(make_app, size):
    """No size crashes; scoring works wherever the item fits."""
    shown = drive(make_app(), "4", size=size)
    assert len(shown) == size[1]
    if size[0] < 40 and size[0] > 20:
        assert shown[0].startswith("Please enlarge")


def test_point_21_resize_keeps_item_and_place(make_app, build):
    """A resize in the middle keeps the item and the place in its text."""
    app = make_app(tasks=[build.task(1, "\n".join(f"line-{n} " + "word " * 30 for n in range(90)))])

    async def check(pilot):
        await pilot.press("pagedown", "pagedown")
        top = lines_of(app)[2].split()[0]
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert top in "\n".join(lines_of(app)[2:4])

    drive(app, check=check)


def test_point_18_results_only_at_the_end(make_app):
    """Results are shown after the last item, and leave when the last decision is taken back."""
    app = make_app(2, results=lambda: ["kappa 0.83"])
    shown = drive(app, "4", "4")
    assert "kappa 0.83" in "\n".join(shown)
    again = make_app(2, results=lambda: ["kappa 0.83"])
    assert "kappa" not in "\n".join(drive(again, "backspace"))


def test_point_23_nothing_but_the_registry_acts(make_app, log):
    """Ctrl+q, ctrl+p, ctrl+z, tab and function keys do nothing; no palette opens."""
    app = make_app()

    async def check(_pilot):
        assert len(app.screen_stack) == 1

    shown = drive(app, "ctrl+q", "ctrl+p", "ctrl+z", "ctrl+s", "tab", "f5", "f10", check=check)
    assert not log.events
    assert "item 1 of 5" in shown[0]


def test_point_22_no_colour_at_all(make_app, monkeypatch):
    """With NO_COLOR no segment has a colour, grey included."""
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app()
    colours = set()

    async def check(_pilot):
        for strip in app.screen._compositor.render_strips(app.size):
            colours.update(s.style.color.name for s in strip if s.style and s.style.color)

    drive(app, "f", "9", check=check)
    assert colours <= {"default"}


def test_a_failure_leaves_the_screen_before_it_is_told(make_app, log):
    """A bug in the session is kept for after the terminal was restored, not printed over it."""
    app = make_app()

    def broken(*_):
        raise ValueError("a bug")

    app.desk.session.score = broken
    drive(app, "4")
    assert isinstance(app.problem, ValueError)
    assert app.return_value == "failed"


def test_a_failure_while_drawing_leaves_the_screen_too(make_app, capsys):
    """A bug in a view does not end in a report that prints the item's text."""
    app = make_app()

    def broken(_width):
        raise KeyError("a bug")

    app.desk.document = broken
    drive(app)
    assert isinstance(app.problem, KeyError)
    assert "Traceback" not in capsys.readouterr().out


def test_leaving(make_app):
    """Stop asks once and leaves with enter; ctrl+c leaves at once."""
    app = make_app()
    drive(app, "q", "enter")
    assert app.return_value == "stopped"
    other = make_app()
    drive(other, "ctrl+c")
    assert other.return_value == "interrupted"
