"""`judgekit label` on a pseudo-terminal, by the points of the specification that need raw bytes."""

from __future__ import annotations

import os
import random
import re
import signal
import termios
import time

import pytest

from judgekit.files.labels import final_labels, key_path, read_key

HAND = 1.0
"""Seconds between two keys: four times the guard, since a busy machine may take its time to start the guard."""

PAYLOADS = [
    "\x1b]0;owned\x07", "\x1b]52;c;aGVsbG8=\x1b\\", "\x9d52;c;aGVsbG8=\x9c", "\x1bc", "\x1b[?1049l", "\x1b[2J", "\x1bP1$r\x1b\\",
    "\x9b31m", "\x00\x07\x08\x0b\x0c\r", "\u202eevil\u202c", "\u2066x\u2069", "\u200b\ufeff\u00ad", "\x1b[6n", "\x1b[>c", "\x1b_G\x1b\\",
]  # fmt: skip
ESCAPES = re.compile(rb"\x1b(\[[?>=<]?[0-9;]*[$]?[a-zA-Z]|.)", re.DOTALL)


def kinds_of(output):
    """The kinds of control sequences in raw output: CSI by prefix and final letter, others by their second byte."""
    kinds = set()
    for match in ESCAPES.finditer(output):
        body = match.group(1)
        kinds.add(body[:2] + body[-1:] if body[:1] == b"[" and body[1:2] in b"?><=" else body[:1] + body[-1:])
    return kinds


def ready(terminal, since=0):
    """Wait until an item stands on the screen and its guard is over, on a busy machine too."""
    position = terminal.wait_for("item ", since)
    terminal.settle(HAND)
    return position


def stored(labels, sample, count, seconds=60.0):
    """The decisions, once there are so many of them."""
    end = time.monotonic() + seconds
    while len(events := labels(sample)) < count:
        assert time.monotonic() < end, events
        time.sleep(0.05)
    return events


@pytest.mark.slow
def test_points_01_and_04_hostile_replies_on_the_wire(make_sample_file, terminal, labels):
    """100 hostile replies: every control sequence on the wire is of a kind that harmless replies cause too."""
    harmless = make_sample_file([f"reply {n} " + "word " * 9 for n in range(100)], name="a.jsonl", item="SENTINEL")
    hostile = make_sample_file(
        [f"reply {n} " + PAYLOADS[n % len(PAYLOADS)] + " word " * 9 for n in range(100)],
        name="b.jsonl",
        item="SENTINEL",
    )
    outputs = []
    for sample, name in ((harmless, "ana"), (hostile, "karim")):
        run = terminal(sample, "--guard", "0", name=name)
        position = run.wait_for("item 1 of 100")
        for number in range(2, 101):
            run.send("3")
            position = run.wait_for(f"item {number} of 100", position - 200)
        run.send("3")
        run.wait_for("All done")
        run.send("q")
        assert run.end() == 0
        assert len(labels(sample, name)) == 100
        # Textual itself sets the pointer's shape once.
        outputs.append(run.output.replace(b"\x1b]22;default\x07", b""))
    assert kinds_of(outputs[1]) <= kinds_of(outputs[0])
    text = outputs[1].decode("utf-8")
    assert not re.search("[\x80-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\x00\x07]", text)
    assert "␛]52;c;aGVsbG8=" in ESCAPES.sub(b"", outputs[1]).decode("utf-8")
    for output in outputs:
        assert b"SENTINEL" not in output
        assert b"\x1b]" not in output


def test_point_11_a_raw_write_labels_at_most_one_item(make_sample_file, terminal, labels):
    """`5 of 5, 4` in one write labels one item at most, and the rest is said to be ignored."""
    sample = make_sample_file([f"reply {n}" for n in range(9)])
    run = terminal(sample)
    ready(run)
    run.send("5 of 5, 4")
    run.wait_for("keys ignored")
    run.settle()
    assert [e.value for e in stored(labels, sample, 1)] == [5]
    run.send("I would give 5 of 5, maybe 4.\r")
    run.settle(0.6)
    assert len([e for e in labels(sample) if e.event == "score"]) <= 2
    run.send("q")
    run.settle()
    run.send("\r")
    assert run.end() == 0


@pytest.mark.slow
@pytest.mark.parametrize("answers", [False, True])
def test_point_11_a_held_key_labels_at_most_one_item(make_sample_file, terminal, labels, answers):
    """30 repeats a second for 2 seconds: one label, whether the terminal tells when it painted or not."""
    sample = make_sample_file([f"reply {n}" for n in range(9)])
    run = terminal(sample, answers=answers)
    ready(run)
    for _ in range(60):
        run.send("4")
        run.read(0.03)
    run.settle()
    assert [e.value for e in stored(labels, sample, 1)] == [4]


@pytest.mark.slow
def test_point_11_a_slow_line_widens_the_guard(make_sample_file, terminal, labels):
    """A key that arrives before the terminal says that it painted was pressed before the item was to be seen."""
    sample = make_sample_file([f"reply {n}" for n in range(9)])
    run = terminal(sample, answers=True)
    ready(run)
    run.answers = False
    run.send("4")
    run.wait_for("item 2 of 9", len(run.output) - 100)
    time.sleep(0.6)
    run.send("5")
    run.settle(0.2)
    assert [e.value for e in labels(sample)] == [4]
    run.send(b"\x1b[1;1R")
    time.sleep(0.5)
    run.send("5")
    run.wait_for("item 3 of 9", len(run.output) - 100)
    assert [e.value for e in labels(sample)] == [4, 5]


@pytest.mark.slow
def test_point_12_bracketed_paste(make_sample_file, terminal, labels):
    """A bracketed paste adds no label; in the note box it is text with its newlines folded."""
    sample = make_sample_file([f"reply {n}" for n in range(4)])
    run = terminal(sample)
    ready(run)
    paste = b"\x1b[200~4\n5\nn s 1 q\x1b[201~"
    run.send(paste)
    run.wait_for("pasted text is ignored")
    run.send("s")
    run.wait_for("No score")
    run.send(paste)
    run.settle()
    run.send(b"\x1b")
    run.settle()
    assert labels(sample) == []
    run.send("n")
    run.wait_for("Note on this item")
    run.send(b"\x1b[200~first\nsecond\x1b[201~")
    run.settle()
    run.send("\r")
    run.wait_for("note stored")
    assert [(e.event, e.value) for e in labels(sample)] == [("note", "first second")]


@pytest.mark.slow
def test_point_12_an_unbracketed_paste_into_a_note_is_one_note(make_sample_file, terminal, labels):
    """Text with newlines written at once into the note box does not end the note."""
    sample = make_sample_file([f"reply {n}" for n in range(4)])
    run = terminal(sample)
    ready(run)
    run.send("n")
    run.wait_for("Note on this item")
    time.sleep(0.1)
    run.send("one\rtwo 4\r5")
    run.settle()
    run.send("\r")
    run.wait_for("note stored")
    assert [(e.event, e.value) for e in labels(sample)] == [("note", "one two 4 5")]


def label_until_killed(run, sample, labels, presses, position, rng):
    """Press random keys, each after the one before was acknowledged on the screen; kill -9; all of them are there."""
    kept = [event for event in labels(sample) if event.event != "flag"]
    wanted, done = [], len(kept)
    for _ in range(presses):
        if done and rng.random() < 0.1:
            run.send(rng.choice([b"\x7f", "u"]))
            wanted.append(("undo", None))
            done -= 1
        else:
            value = rng.randint(1, 5)
            run.send(str(value))
            wanted.append(("score", value))
            done += 1
        position = run.wait_for(f"item {done + 1} of", max(0, position - 30))
    run.kill()
    events = labels(sample)
    assert [(e.event, e.value) for e in events[len(kept) :]] == wanted
    assert [e.seq for e in events] == list(range(1, len(events) + 1))
    assert len(final_labels(events, read_key(key_path(sample)))) == done
    return done


def test_point_15_kill_9_loses_and_doubles_nothing(make_sample_file, terminal, labels):
    """Killed after 20 acknowledged keys: every decision is there once, and the next item is on the screen."""
    sample = make_sample_file([f"reply {n}" for n in range(60)])
    run = terminal(sample, "--guard", "0")
    done = label_until_killed(run, sample, labels, 20, run.wait_for("item 1 of 60"), random.Random(1))
    run = terminal(sample)
    run.wait_for(f"item {done + 1} of 60")


@pytest.mark.slow
def test_point_15_kill_9_fifty_times(make_sample_file, terminal, labels):
    """100 random acknowledged keys and a kill, 15 times (JUDGEKIT_KILLS says otherwise)."""
    rng = random.Random(2)
    for number in range(int(os.environ.get("JUDGEKIT_KILLS", "15"))):
        sample = make_sample_file([f"reply {number} {n}" for n in range(110)], name=f"s{number}.jsonl", seed=number)
        (sample.parent / "labels" / "ana.jsonl").unlink(missing_ok=True)
        run = terminal(sample, "--guard", "0")
        label_until_killed(run, sample, labels, 100, run.wait_for("item 1 of 110"), rng)


@pytest.mark.slow
def test_point_15_a_full_disk(make_sample_file, terminal, labels):
    """When the file may not grow the app says so, the item stays, and the file holds whole lines only."""
    sample = make_sample_file([f"reply {n}" for n in range(20)])
    run = terminal(sample, "--guard", "0", limit=1500)
    run.wait_for("item 1 of 20")
    for _ in range(5):
        run.send("3")
        run.settle(0.15)
    run.wait_for("NOT STORED")
    stored = labels(sample)
    assert 1 <= len(stored) < 5
    run.wait_for(f"item {len(stored) + 1} of 20")
    run.send("q")
    run.settle()
    run.send("\r")
    assert run.end() == 0
    assert (sample.parent / "labels" / "ana.jsonl").read_bytes().endswith(b"\n")
    assert labels(sample) == stored


@pytest.mark.slow
def test_point_17_one_writer(make_sample_file, terminal, labels):
    """A second process is told who holds the lock and ends with 2; the first goes on."""
    sample = make_sample_file([f"reply {n}" for n in range(4)])
    first = terminal(sample)
    ready(first)
    second = terminal(sample)
    assert second.end() == 2
    assert f"process {first.pid}".encode() in second.output
    first.send("4")
    first.wait_for("item 2 of 4")
    assert len(labels(sample)) == 1


@pytest.mark.parametrize(
    "how", ["SIGTERM", *(pytest.param(h, marks=pytest.mark.slow) for h in ("closed", "SIGHUP", "ctrl+c"))]
)
def test_point_17_the_end_is_clean(make_sample_file, terminal, labels, how):
    """SIGTERM, hang-up, Ctrl-C and a closed terminal: exit soon, labels whole, lock free, terminal as it was."""
    sample = make_sample_file([f"reply {n}" for n in range(4)])
    run = terminal(sample)
    before = termios.tcgetattr(run.master)
    ready(run)
    run.send("4")
    run.wait_for("item 2 of 4")
    if how == "closed":
        os.close(run.master)
        run.master = -1
        deadline = time.monotonic() + 60
        while os.waitpid(run.pid, os.WNOHANG)[0] == 0:
            assert time.monotonic() < deadline, "still running"
            time.sleep(0.05)
        run.pid = 0
    else:
        if how == "ctrl+c":
            run.send(b"\x03")
        else:
            os.kill(run.pid, getattr(signal, how))
        assert run.end() == 3
        assert b"\x1b[?1049l" in run.output
        assert b"\x1b[?25h" in run.output[run.output.rindex(b"\x1b[?1049l") :]
        assert b"\x1b[?2004l" in run.output
        assert b"Traceback" not in run.output
        after = termios.tcgetattr(run.master)
        assert after[3] == before[3]
    assert [e.value for e in labels(sample)] == [4]
    again = terminal(sample)
    again.wait_for("item 2 of 4")


@pytest.mark.slow
def test_point_19_a_suspended_process_comes_back(make_sample_file, terminal, labels):
    """Stopped and continued: the item is painted again, and the time asleep is not working time."""
    sample = make_sample_file([f"reply {n}" for n in range(4)])
    run = terminal(sample)
    ready(run)
    os.kill(run.pid, signal.SIGSTOP)
    time.sleep(7)
    os.kill(run.pid, signal.SIGCONT)
    run.settle(0.6)
    run.send("4")
    run.wait_for("item 2 of 4", len(run.output) - 100)
    (event,) = labels(sample)
    assert event.ms < 6000
    os.kill(run.pid, signal.SIGTSTP)
    _, status = os.waitpid(run.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    os.kill(run.pid, signal.SIGCONT)
    run.settle(0.6)
    mark = len(run.output)
    run.send("5")
    run.wait_for("item 3 of 4", mark)
    assert [e.value for e in labels(sample)] == [4, 5]


@pytest.mark.slow
def test_point_22_no_colour_on_the_wire(make_sample_file, terminal):
    """With NO_COLOR no colour is sent, grey included; flagged, error and note are told by words."""
    sample = make_sample_file([f"reply {n}" for n in range(4)])
    run = terminal(sample, env={"NO_COLOR": "1"})
    ready(run)
    run.send("f")
    run.wait_for("flagged")
    time.sleep(0.1)
    run.send("9")
    run.wait_for("! 9")
    codes = set()
    for match in re.finditer(rb"\x1b\[([0-9;]*)m", run.output):
        codes |= set(match.group(1).split(b";"))
    assert codes <= {b"", b"0", b"1", b"2", b"7", b"22", b"27", b"39", b"49"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["linux", "vt100", "screen"])
def test_point_22_poor_terminals(make_sample_file, terminal, labels, kind):
    """Old terminal types work with the same keys."""
    sample = make_sample_file([f"reply {n}" for n in range(2)])
    run = terminal(sample, env={"TERM": kind})
    ready(run)
    run.send("4")
    run.wait_for("item 2 of 2")
    assert [e.value for e in labels(sample)] == [4]


def test_point_22_dumb_terminals_get_lines(make_sample_file, terminal, labels):
    """TERM=dumb: numbered lines, not one control sequence."""
    sample = make_sample_file([f"reply {n}" for n in range(3)])
    run = terminal(sample, env={"TERM": "dumb"})
    run.wait_for("Answer (1/2/3/4/5")
    time.sleep(HAND)
    run.send("4\n")
    run.wait_for("stored: 4")
    time.sleep(HAND)
    run.send("q\n")
    assert run.end() == 0
    assert b"\x1b" not in run.output
    assert [e.value for e in labels(sample)] == [4]


@pytest.mark.slow
def test_point_22_lines_pasted_into_a_dumb_terminal(make_sample_file, terminal, labels):
    """Several lines at once label one item: the others came before the next item was there."""
    sample = make_sample_file([f"reply {n}" for n in range(9)])
    run = terminal(sample, "--plain")
    run.wait_for("Answer (1/2/3/4/5")
    time.sleep(HAND)
    run.send("4\n5\n3\n2\n")
    run.wait_for("keys ignored: 3")
    assert [e.value for e in labels(sample)] == [4]
