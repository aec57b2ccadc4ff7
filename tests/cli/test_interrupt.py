"""Ctrl-C at any moment: exit 3 with one line, never 130 and never a traceback; usage errors in one line too."""

import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(os.name != "posix", reason="SIGINT to a child is POSIX")
def test_an_interrupt_outside_the_judge_ends_with_3(tmp_path):
    """SIGINT while the judge's module is being loaded: exit 3, what to do next, nothing on standard output."""
    there = tmp_path / "there"
    module = f"import pathlib, time\npathlib.Path({str(there)!r}).touch()\ntime.sleep(60)\n"
    (tmp_path / "slow_to_load.py").write_text(module, encoding="utf-8")
    child = subprocess.Popen(
        [sys.executable, "-m", "judgekit", "judge", "x", "--rubric", "warmth", "--judge", "python:slow_to_load:f"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    while not there.exists() and child.poll() is None:
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 3
    assert out == b""
    assert err.decode() == "judgekit: stopped; what was received is kept. Do: run the same command to go on.\n"


@pytest.mark.skipif(os.name != "posix", reason="SIGINT to a child is POSIX")
def test_an_interrupt_while_judgekit_is_loaded_is_no_traceback(tmp_path):
    """SIGINT before the command line is there: exit 3 and one line, by the module and by the installed program's entry."""
    (tmp_path / "typer.py").write_text("import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(60)\n")
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    module, function = scripts["judgekit"].split(":")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    for start in (["-m", "judgekit"], ["-c", f"from {module} import {function}; {function}()"]):
        done = subprocess.run([sys.executable, *start], capture_output=True, env=environment, timeout=60, check=False)
        assert (done.returncode, done.stdout) == (3, b"")
        assert done.stderr == b"judgekit: stopped. Do: run the same command again.\n"


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("run", "x", "--wrong"), "no such option --wrong (judgekit run). Do: see judgekit run --help."),
        (("nonsense",), "no such command 'nonsense' (judgekit). Do: see judgekit --help."),
        (("labels",), "missing command (judgekit labels). Do: see judgekit labels --help."),
        (("gap", "x.csv"), "missing option '--metric' (judgekit gap). Do: see judgekit gap --help."),
        (
            ("swaptest", "x", "--texts", "many"),
            "invalid value for '--texts': a whole number is needed (judgekit swaptest). Do: see judgekit swaptest --help.",
        ),
        (
            ("agree", "x", "--weights", "cubic"),
            (
                "invalid value for '--weights': 'cubic' is not one of 'none', 'linear', 'quadratic' (judgekit agree). "
                "Do: see judgekit agree --help."
            ),
        ),
    ],
)
def test_bad_usage_is_one_line_of_our_own(kit, args, words):
    """The command, what is wrong and where to look; no box, no words of a library, nothing on standard output."""
    said = kit.command(*args)
    assert (said.code, said.out) == (2, "")
    assert said.err == f"judgekit: {words}\n"


def test_no_command_shows_the_help(kit):
    """`judgekit` alone is a question, not an error."""
    said = kit.command()
    assert said.code == 0
    assert "demo" in said.out
    assert said.err == ""


def test_an_interrupt_in_a_command_is_no_130(kit, monkeypatch, tmp_path):
    """Whatever raises it, the interrupt keeps to the table of exit codes."""

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("judgekit.workspace.load_study", interrupted)
    said = kit.command("gate", tmp_path)
    assert (said.code, said.out) == (3, "")
    assert "stopped" in said.err
