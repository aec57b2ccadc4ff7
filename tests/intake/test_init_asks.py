"""``judgekit init --from ... --ask`` in a terminal of 60 columns."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from judgekit.study import load_study

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")
ROOT = Path(__file__).resolve().parents[2]


def typed(arguments, answer):
    """Run a command in a terminal; ``answer`` gives the reply to a question. Its exit code and what it showed."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ |= {"PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "60"}
        os.execv(sys.executable, [sys.executable, "-m", "judgekit", *map(str, arguments)])
    shown, asked = "", 0
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:  # Linux says so when the other end is closed
            break
        if not data:
            break
        shown += data.decode("utf-8", "replace")
        while shown.count("[Y/n]") > asked:
            os.write(terminal, answer(shown.split("[Y/n]")[asked].rsplit("\n", 1)[-1]))
            asked += 1
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown, asked


@pytest.mark.slow
def test_each_guess_is_asked_about_and_a_no_is_kept(write_file, tmp_path):
    """What is certain is not asked; a refused guess is in no line of the study."""
    headers = {"id": "nr", "b": "case", "c": "group", "d": "name", "e": "message", "reply": "reply"}
    path = write_file("e.csv", headers)
    options = ["init", tmp_path / "study", "--from", path, "--ask"]
    code, shown, asked = typed(options, lambda question: b"n\n" if "context = " in question else b"y\n")
    assert code == 0, shown
    assert asked == 4
    study = load_study(tmp_path / "study")
    assert study.data.columns == {"text": "reply", "group": "c", "name": "d", "template_id": "b"}
