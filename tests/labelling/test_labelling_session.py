"""Points 6, 8, 10, 11, 13 to 16, 18, 19 of the labelling specification on the state machine alone."""

from __future__ import annotations

import pytest

from judgekit.errors import BadInput, DiskFailed
from judgekit.labelling.keymap import key_for, level_for
from judgekit.labelling.opening import check_levels
from judgekit.labelling.session import Session
from judgekit.labelling.steps import SKIP_REASONS, Skipped
from judgekit.records import Rubric


def here(session):
    """Task and dimension in hand."""
    return None if session.step is None else (session.step.task.task_id, session.step.criterion.dimension)


def see(session, clock, seconds=1.0):
    """The step is painted, and time passes."""
    session.shown()
    clock.pass_seconds(seconds)


def test_point_10_scores_record_and_advance_in_the_rubrics_order(make_session, build, log):
    """Several criteria are asked in order for each item; each score is stored with its own dimension."""
    session = make_session(2, [build.ordinal("formality"), build.ordinal("suspicion")])
    seen = []
    for value in (1, 5, 3, 2):
        seen.append(here(session))
        assert session.given_here == () or session.given_here[0][0] == "formality"
        session.shown()
        assert session.score(value).kind == "recorded"
    assert seen == [("t1", "formality"), ("t1", "suspicion"), ("t2", "formality"), ("t2", "suspicion")]
    assert [(e.task_id, e.dimension, e.value) for e in log.events] == [
        ("t1", "formality", 1), ("t1", "suspicion", 5), ("t2", "formality", 3), ("t2", "suspicion", 2),
    ]  # fmt: skip
    assert session.finished
    assert session.score(3).why == "finished"


@pytest.mark.parametrize("value", [0, 6, "4", None, True, 2.5, "yes"])
def test_point_10_a_value_off_the_scale_records_nothing(make_session, log, value):
    """Off-scale values change nothing and say so."""
    session = make_session()
    told = session.score(value)
    assert (told.kind, told.why) == ("ignored", "off_scale")
    assert not log.events
    assert here(session) == ("t1", "warmth")


def test_point_10_keys_of_scales(build):
    """Digits are the levels themselves when they can be, else their places."""
    zero = build.ordinal(levels=(0, 1, 2, 3, 4))
    wide = build.ordinal(levels=(-2, -1, 0, 1, 2))
    words = build.nominal(levels=("yes", "no", "unclear"))
    assert [level_for(zero, key) for key in "01234"] == [0, 1, 2, 3, 4]
    assert [level_for(wide, key) for key in "12345"] == [-2, -1, 0, 1, 2]
    assert [level_for(words, key) for key in "1234"] == ["yes", "no", "unclear", None]
    assert [key_for(words, place) for place in range(3)] == ["1", "2", "3"]
    assert level_for(words, "") is None
    ten = build.ordinal(levels=range(1, 11))
    assert [level_for(ten, key) for key in "1290"] == [1, 2, 9, 10]
    with pytest.raises(BadInput, match="too many levels"):
        check_levels([Rubric(id="r", version="1", criteria=(build.ordinal(levels=range(1, 12)),), hash="h")])


def test_point_11_keys_before_and_just_after_an_item_are_dropped_and_counted(make_session, clock, log):
    """Nothing acts before the first paint or within 250 ms of a new item; then it does."""
    session = make_session(guard=0.25)
    assert not session.admits()
    clock.pass_seconds(1)
    session.shown()
    for wait in (0.05, 0.10):
        clock.pass_seconds(wait)
        assert not session.admits()
    clock.pass_seconds(0.2)
    assert session.admits()
    session.score(4)
    assert session.ignored == 3
    assert log.events[0].detail["ignored_keys"] == 2


def test_point_11_a_paste_without_brackets_labels_at_most_one_item(make_session, clock, log):
    """`I would give 5 of 5, maybe 4.` within a millisecond: at most the first key acts."""
    session = make_session(guard=0.25)
    see(session, clock)
    for char in "5 of 5, maybe 4.":
        clock.pass_seconds(0.0001)
        if session.admits() and char.isdigit():
            session.score(int(char))
            session.shown()
    assert [e.value for e in log.events] == [5]
    assert session.ignored == 15


@pytest.mark.parametrize("rate", [12, 30, 60])
def test_point_11_a_key_held_down_labels_at_most_one_item(make_session, clock, log, rate):
    """A key that repeats for two seconds labels one item, however fast the next one is painted."""
    session = make_session(guard=0.25)
    see(session, clock)
    for _ in range(2 * rate):
        if session.admits():
            session.score(4)
            session.shown()
        clock.pass_seconds(1 / rate)
    assert len(log.events) == 1
    clock.pass_seconds(0.3)
    assert session.admits()


def test_point_11_no_guard_between_the_criteria_of_an_item(make_session, build, clock, log):
    """A rater who knows their scores may give three criteria quickly."""
    session = make_session(2, [build.ordinal(name) for name in ("a", "b", "c")], guard=0.25)
    see(session, clock)
    for value in (3, 4, 5):
        assert session.admits()
        session.score(value)
        clock.pass_seconds(0.12)
    assert [e.value for e in log.events] == [3, 4, 5]
    session.shown()
    assert not session.admits()


def test_point_11_the_guard_covers_undo_to_another_item(make_session, clock, log):
    """After stepping back, the item before is new on the screen: a key is dropped until it was there for a while."""
    session = make_session(guard=0.25)
    see(session, clock)
    session.score(4)
    see(session, clock)
    session.undo()
    assert not session.admits()
    see(session, clock, 0.1)
    assert not session.admits()
    clock.pass_seconds(0.3)
    assert session.admits()


def test_point_13_undo_goes_back_to_the_start_one_decision_at_a_time(make_session, build, log):
    """Undo clears the answer, keeps both events, and stops at the first decision."""
    session = make_session(2, [build.ordinal("a"), build.ordinal("b")])
    for value in (1, 2, 3, 4):
        session.score(value)
    places = []
    while session.undo():
        places.append(here(session))
        assert len(session.given_here) == (here(session)[1] == "b")
    assert places == [("t2", "b"), ("t2", "a"), ("t1", "b"), ("t1", "a")]
    assert session.undo().why == "nothing_to_undo"
    assert [e.event for e in log.events] == ["score"] * 4 + ["undo"] * 4
    assert [(e.task_id, e.dimension) for e in log.events[4:]] == places


def test_points_13_and_16_restart_keeps_place_flags_notes_and_undo(make_session, clock, log):
    """A new session on the same log opens the same item and can still take everything back."""
    session = make_session(4)
    session.score(2)
    session.flag()
    session.write_note("first line\nsecond line")
    session.score(3)
    session.skip("language")
    session.undo()
    again = make_session(4)
    assert here(again) == here(session) == ("t3", "warmth")
    assert not again.flagged
    assert again.undo()
    assert (again.flagged, again.note) == (True, "first line second line")
    assert again.undo()
    assert not again.undo()
    assert again.progress.done == 0


@pytest.mark.parametrize("change", ["order", "scale", "task", "undo"])
def test_point_16_a_log_of_another_sample_is_refused(make_session, build, log, change):
    """Decisions that do not follow this order, scale or set of tasks are not taken over."""
    session = make_session(3)
    session.score(5)
    session.score(1)
    tasks = [build.task(n) for n in (1, 2, 3)]
    criteria = [build.ordinal()]
    if change == "order":
        tasks.reverse()
    elif change == "scale":
        criteria = [build.ordinal(levels=(1, 2, 3))]
    elif change == "task":
        tasks[1] = build.task(9)
    else:
        session.undo()
        log.events.append(log.events[-1])
        log.events.append(log.events[-1])
    with pytest.raises(BadInput, match="does not belong"):
        make_session(3, criteria, tasks=tasks)


def test_point_14_skip_needs_a_reason_and_is_no_number(make_session, log):
    """Each reason code is stored as text; anything else is refused."""
    session = make_session(len(SKIP_REASONS) + 1)
    for reason in ("", "bored", "3"):
        assert session.skip(reason).why == "no_reason"
    for reason in SKIP_REASONS:
        assert session.skip(reason)
    assert [(e.event, e.value) for e in log.events] == [("skip", reason) for reason in SKIP_REASONS]
    assert session.skipped_count() == len(SKIP_REASONS)


def test_point_14_flag_and_note_leave_the_score_alone(make_session, log):
    """Flag toggles, a note is replaced or removed; neither moves on or answers."""
    session = make_session()
    for raised in (True, False, True):
        session.flag()
        assert session.flagged is raised
    session.write_note("  a\r\n b ")
    assert session.note == "a b"
    session.write_note("")
    assert session.note == ""
    assert here(session) == ("t1", "warmth")
    session.score(4)
    assert not session.flagged
    assert [(e.event, e.value) for e in log.events] == [
        ("flag", 1), ("flag", 0), ("flag", 1), ("note", "a b"), ("note", ""), ("score", 4),
    ]  # fmt: skip


@pytest.mark.parametrize("act", ["score", "skip", "undo", "flag", "note"])
def test_point_15_what_is_not_stored_did_not_happen(make_session, log, act):
    """When the disk is full the item stays, nothing changes, and the same key works later."""
    session = make_session()
    session.score(2)
    acts = {
        "score": lambda: session.score(3),
        "skip": lambda: session.skip("other"),
        "undo": session.undo,
        "flag": session.flag,
        "note": lambda: session.write_note("n"),
    }
    log.full = True
    with pytest.raises(DiskFailed):
        acts[act]()
    assert here(session) == ("t2", "warmth")
    assert (session.flagged, session.note, session.progress.done) == (False, "", 1)
    log.full = False
    assert acts[act]()


def test_point_19_time_is_from_paint_to_score(make_session, clock, log):
    """Milliseconds run from the first paint; painting again (resize, help closed) does not restart them."""
    session = make_session()
    clock.pass_seconds(50)
    session.shown()
    clock.pass_seconds(1.25)
    session.shown()
    clock.pass_seconds(2)
    session.score(3)
    assert log.events[0].ms == 3250
    assert log.events[0].detail["pause_ms"] == 0


def test_point_19_pauses_over_a_minute_count_apart(make_session, clock, log):
    """Of every stretch without a key only the first minute is working time."""
    session = make_session()
    see(session, clock, 59)
    session.admits()
    clock.pass_seconds(300)
    session.admits()
    clock.pass_seconds(5)
    session.score(3)
    assert log.events[0].ms == (59 + 60 + 5) * 1000
    assert log.events[0].detail["pause_ms"] == 240_000


def test_point_19_suspended_time_does_not_add(make_session, clock, log):
    """A missing heartbeat means the process or the machine slept: that time is neither work nor pause."""
    session = make_session()
    session.shown()
    for _ in range(3):
        session.beat()
        clock.pass_seconds(1)
    clock.pass_seconds(3600)
    session.beat()
    clock.pass_seconds(2)
    session.score(3)
    assert log.events[0].ms == pytest.approx(4000, abs=1000)
    assert log.events[0].detail["pause_ms"] == 0


def test_point_19_restart_does_not_add(make_session, clock, log):
    """An item left open overnight is timed from its paint in the new session."""
    session = make_session()
    see(session, clock, 10)
    clock.pass_seconds(8 * 3600)
    again = make_session()
    see(again, clock, 4)
    again.score(2)
    assert log.events[0].ms == 4000


def test_point_19_each_criterion_is_timed_apart(make_session, build, clock, log):
    """The second criterion's time starts when the first was scored."""
    session = make_session(1, [build.ordinal("a"), build.ordinal("b")])
    see(session, clock, 7)
    session.score(3)
    clock.pass_seconds(2)
    session.score(3)
    assert [e.ms for e in log.events] == [7000, 2000]


def test_point_08_repeats_are_separate_records(make_session, build, log):
    """The second showing of a text is stored under its own id, naming the first."""
    tasks = [build.task(1), build.task(2, "Reply number 1.", repeat_of="t1")]
    session = make_session(tasks=tasks)
    session.score(4)
    session.score(5)
    assert [e.task_id for e in log.events] == ["t1", "t2"]
    assert log.events[1].detail["repeat_of"] == "t1"
    assert log.events[0].text_hash == log.events[1].text_hash


def test_point_18_progress_knows_only_done_total_and_own_pace(make_session, clock):
    """No estimate before five timed items, then items left times the median."""
    session = make_session(10)
    for n in range(5):
        assert session.progress.seconds_left is None
        assert (session.progress.done, session.progress.total) == (n, 10)
        see(session, clock, 6)
        session.score(3)
    assert session.progress.seconds_left == pytest.approx(30)


def test_point_20_seen_to_end_is_stored(make_session, log):
    """A score before the end of the text was on the screen says so, without any question."""
    session = make_session()
    session.score(3)
    session.seen_to_end()
    session.score(3)
    assert [e.detail["seen_to_end"] for e in log.events] == [False, True]


def test_practice_is_not_stored_and_does_not_come_back(make_session, build, log):
    """Practice items come first, leave no trace, are not counted, and are over once anything real was stored."""
    practice = [build.task("p1"), build.task("p2")]
    session = make_session(3, practice=practice)
    assert session.step.practice
    session.score(3)
    assert session.undo()
    session.score(2)
    session.flag()
    session.skip("other")
    assert not log.events
    assert (here(session), session.progress.done) == (("t1", "warmth"), 0)
    session.score(5)
    again = make_session(3, practice=practice)
    assert here(again) == ("t2", "warmth")
    assert again.undo()
    assert here(again) == ("t1", "warmth")
    assert not again.undo()


def test_time_box_ends_between_items(make_session, build, clock):
    """When the time asked for is over the session stops at the next item, never between two criteria."""
    session = make_session(3, [build.ordinal("a"), build.ordinal("b")], deadline=200.0)
    session.score(1)
    clock.pass_seconds(500)
    assert not session.time_is_up()
    session.score(1)
    assert session.time_is_up()


def test_the_origin_is_stored_with_every_event(make_session, log):
    """Sample hash, version and language travel with each event."""
    session = make_session(origin={"sample": "abc", "version": "0.1.0"})
    session.score(1)
    session.flag()
    session.undo()
    assert all(e.detail["sample"] == "abc" for e in log.events)


def test_skipped_is_never_equal_to_a_score():
    """A skip compares equal to no level."""
    assert Skipped("other") not in {1, 2, 3, "other", None}
    assert Session.__dataclass_fields__["guard"].default == 0.25


def test_the_time_left_is_known_again_after_a_restart(make_session, clock):
    """The pace of earlier sessions counts; what was taken back does not."""
    session = make_session(20)
    for seconds in (10, 10, 10, 30, 30, 999):
        session.shown()
        clock.pass_seconds(seconds)
        session.score(3)
    session.undo()
    again = make_session(20)
    assert again.progress.done == 5
    assert again.progress.seconds_left == session.progress.seconds_left == 150.0
