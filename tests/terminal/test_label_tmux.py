"""Whole sessions through tmux, as over SSH: points 21, 23 and the export behind them."""

from __future__ import annotations

import json
import shlex
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


class Session:
    """`judgekit label` in a tmux window."""

    def __init__(self, tmux, sample, *options, width=80, height=24, name="ana"):
        self.tmux = tmux
        command = [sys.executable, "-m", "judgekit", "label", str(sample), "--as", name, *options]
        shell = f"cd {shlex.quote(str(ROOT))} && LANG=C.UTF-8 {shlex.join(command)}; echo exit=$?; sleep 60"
        tmux("new-session", "-d", "-x", str(width), "-y", str(height), shell)
        tmux("set-option", "-s", "escape-time", "500")

    def screen(self):
        """What the window shows."""
        return self.tmux("capture-pane", "-p")

    def wait_for(self, words, seconds=90):
        """Until the words are on the screen."""
        end = time.monotonic() + seconds
        while words not in self.screen():
            assert time.monotonic() < end, self.screen()
            time.sleep(0.03)

    def press(self, *keys):
        """Send keys one by one, as a hand would."""
        for key in keys:
            self.tmux("send-keys", key)
            time.sleep(0.12)


def test_point_23_twenty_items(make_sample_file, tmux, labels):
    """20 items with scores, skip, undo, flag, note and help, over keys that arrive everywhere."""
    sample = make_sample_file([f"reply {n}" for n in range(20)])
    session = Session(tmux, sample)
    for number in range(1, 21):
        session.wait_for(f"item {number} of 20")
        time.sleep(0.6)
        if number == 3:
            session.press("F1")
            session.wait_for("Every key is stored")
            session.press("Escape")
            session.wait_for("item 3 of 20")
            time.sleep(0.6)
        if number == 5:
            session.press("f", "n", "h", "m", "Space", "x", "BSpace", "Enter")
            session.wait_for("note stored")
        if number == 8:
            session.press("s", "2")
            continue
        if number == 12:
            session.press("2")
            session.wait_for("item 13 of 20")
            time.sleep(0.6)
            session.press("BSpace")
            session.wait_for("taken back")
            time.sleep(0.6)
        session.press(str(1 + number % 5))
    session.wait_for("All done")
    session.press("q")
    session.wait_for("exit=0")
    events = labels(sample)
    kinds = [event.event for event in events]
    assert (
        kinds.count("score"),
        kinds.count("skip"),
        kinds.count("undo"),
        kinds.count("flag"),
        kinds.count("note"),
    ) == (20, 1, 1, 1, 1)
    assert next(event.value for event in events if event.event == "note") == "hm"


def test_point_21_thirty_items_with_a_resize_and_the_export(make_sample_file, tmux, labels, tmp_path, capsys):
    """30 items at 60x20, grown and shrunk in the middle; the export has a row for each decision."""
    from judgekit.cli.main import main

    sample = make_sample_file([f"reply {n} " + "word " * 60 for n in range(30)])
    session = Session(tmux, sample, width=60, height=20)
    for number in range(1, 31):
        session.wait_for(f"item {number} of 30")
        time.sleep(0.6)
        if number == 15:
            session.tmux("resize-window", "-x", "100", "-y", "30")
            session.wait_for("warmth 1 #")
            session.tmux("resize-window", "-x", "44", "-y", "14")
            session.wait_for("15/30")
            session.tmux("resize-window", "-x", "60", "-y", "20")
            session.wait_for("item 15 of 30")
        session.press(str(1 + number % 5))
    session.wait_for("All done")
    session.press("q")
    session.wait_for("exit=0")
    assert [event.value for event in labels(sample)] == [1 + number % 5 for number in range(1, 31)]
    out = tmp_path / "export.jsonl"
    main(["labels", "export", str(sample), "-o", str(out)])
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["position"] for row in rows] == list(range(1, 31))
    capsys.readouterr()


def test_a_slow_escape_key_is_no_score(make_sample_file, tmux, labels):
    """Escape followed by a digit, which some terminals read as one key, scores nothing on the wrong view."""
    sample = make_sample_file([f"reply {n}" for n in range(4)])
    session = Session(tmux, sample)
    session.wait_for("item 1 of 4")
    time.sleep(0.4)
    session.press("r")
    session.wait_for("Anchors")
    session.tmux("send-keys", "Escape", "4")
    time.sleep(0.8)
    assert labels(sample) == []
