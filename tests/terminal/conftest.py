"""A pseudo-terminal to run `judgekit label` in, and samples to label."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from judgekit.files.labels import key_path, read_events, write_key, write_sample
from judgekit.labelling.opening import make_sample
from judgekit.labelling.sampling import draw_sample
from judgekit.records import text_hash
from judgekit.rubric import load_rubric

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Blinded:
    """Looks like a BlindedReply; only the verifier can make a real one."""

    item: str
    text: str
    context: str | None = None
    lang: str = "en"

    @property
    def text_hash(self):
        """Hash of text and context."""
        return text_hash(self.text, self.context)


class Terminal:
    """`judgekit label` on a pseudo-terminal: bytes in, bytes out, and no more cleverness than a cable."""

    def __init__(self, sample, *options, name="ana", size=(80, 24), env=None, limit=None, answers=False):
        self.output = b""
        self.answers = answers
        pid, self.master = pty.fork()
        if pid == 0:  # pragma: no cover - the child
            os.chdir(ROOT)
            environment = {
                **os.environ,
                "TERM": "xterm-256color",
                "LANG": "C.UTF-8",
                "COLUMNS": "",
                "LINES": "",
                **(env or {}),
            }
            for unwanted in ("COLUMNS", "LINES"):
                environment.pop(unwanted)
            if limit is not None:
                import resource

                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            command = [sys.executable, "-m", "judgekit", "label", str(sample), "--as", name, *options]
            time.sleep(0.05)
            os.execvpe(command[0], command, environment)
        self.pid = pid
        self.resize(*size)

    def resize(self, width, height):
        """Change the window's size and tell the process."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def read(self, seconds=0.0):
        """Take what was written, waiting up to some time for the first byte."""
        got = b""
        while select.select([self.master], [], [], seconds if not got else 0.01)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                break
            if not data:
                break
            got += data
        self.output += got
        if self.answers:
            for _ in range(got.count(b"\x1b[6n")):
                os.write(self.master, b"\x1b[1;1R")
        return got

    def wait_for(self, words, since=0, seconds=90.0):
        """Read until the words were written after a position; returns the new position."""
        end = time.monotonic() + seconds
        wanted = words.encode()
        while wanted not in plain_bytes(self.output[since:]):
            assert time.monotonic() < end, (words, plain_bytes(self.output[since:])[-2000:])
            self.read(0.2)
        return len(self.output)

    def send(self, data):
        """Write bytes to the terminal, as a keyboard or a paste would."""
        os.write(self.master, data if isinstance(data, bytes) else data.encode())

    def settle(self, quiet=0.25):
        """Read until nothing comes for a while."""
        while self.read(quiet):
            pass

    def end(self, seconds=60.0):
        """Wait for the process and give its exit code."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.pid = 0
                self.read(0.05)
                return os.waitstatus_to_exitcode(status)
        raise AssertionError(f"still running: {plain_bytes(self.output)[-500:]!r}")

    def kill(self):
        """End the process at once, if it runs."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.pid = 0

    def close(self):
        """Clean up."""
        self.kill()
        if self.master >= 0:
            os.close(self.master)
            self.master = -1


def plain_bytes(data):
    """What was written without control sequences: rows changed later stand behind those before."""
    return re.sub(rb"\x1b\[[0-9;?>=<$]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>]", b"", data)


@pytest.fixture
def terminal():
    """Start terminals; all are ended with the test."""
    opened = []

    def start(*arguments, **options):
        opened.append(Terminal(*arguments, **options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


@pytest.fixture
def make_sample_file(tmp_path):
    """Write a sample of the given texts and its key; returns the sample's path."""

    def make(texts, *, rubrics=("warmth",), annotators=("ana", "karim"), name="sample.jsonl", item="item", **options):
        rows = [Blinded(f"{item}-{k}", text, "Where is my order?") for k, text in enumerate(texts)]
        n = options.pop("n", len(rows))
        draw = draw_sample(rows, None, n=n, annotators=annotators, **{"repeats": 0.0, "seed": 3, **options})
        path = tmp_path / name
        write_key(key_path(path), draw.keys)
        write_sample(path, make_sample(draw, [load_rubric(r) for r in rubrics]))
        return path

    return make


@pytest.fixture
def labels():
    """Read the decisions stored beside a sample."""

    def read(sample, name="ana"):
        path = sample.parent / "labels" / f"{name}.jsonl"
        return read_events(path) if path.exists() and path.stat().st_size else []

    return read


@pytest.fixture
def tmux(tmp_path):
    """A tmux server of its own, ended with the test; gives a function that runs its commands."""
    import shutil

    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    socket = tmp_path / "tmux.sock"

    def run(*arguments):
        done = subprocess.run(
            ["tmux", "-S", str(socket), "-f", "/dev/null", *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    yield run
    subprocess.run(["tmux", "-S", str(socket), "kill-server"], capture_output=True, check=False)
