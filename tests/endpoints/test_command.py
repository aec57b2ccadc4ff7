"""A program as the judge: what goes in, what comes out, and how each way to fail ends."""

import asyncio
import shlex
import sys
import time
from pathlib import Path

import pytest

from judgekit.endpoints.command import CommandEndpoint
from judgekit.endpoints.runner import Limits, run_calls
from judgekit.errors import ConfigProblem, ProviderFailed


def python(code):
    """A command that runs this Python code."""
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


@pytest.fixture
def ask(make_request):
    """Sends one request to a command."""

    def send(command, prompt="Hello", max_output=None, **other):
        bound = {} if max_output is None else {"max_output": max_output}
        return asyncio.run(CommandEndpoint(command, **bound).send(make_request(prompt, **other)))

    return send


def test_prompt_in_answer_out(ask):
    """The program reads system text, an empty line and the prompt as UTF-8; its output is the raw answer."""
    code = "import sys; data = sys.stdin.buffer.read(); print(data.decode('utf-8').upper(), end='')"
    answer = ask(python(code), "grüße 😀\n", system="sei genau")
    assert (answer.raw, answer.error_kind, answer.status) == ("SEI GENAU\n\nGRÜSSE 😀\n", None, 0)
    assert ask("cat", "no system").raw == "no system"


def test_no_shell_is_involved(ask):
    """Variables, pipes and globs are passed as they stand."""
    code = "import sys; print(sys.argv[1:])"
    assert ask(f"{python(code)} '$HOME' '*' '|' ';' 'a b'").raw == "['$HOME', '*', '|', ';', 'a b']\n"


def test_environment_is_passed_on(ask, monkeypatch):
    """The user's program gets its keys from the environment."""
    monkeypatch.setenv("MY_JUDGE_KEY", "sentinel-1234")
    assert ask(python("import os; print(len(os.environ['MY_JUDGE_KEY']))")).raw == "13\n"


def test_a_crash_has_its_code_and_last_words(ask):
    """An exit code other than 0 is ``crashed`` with the end of stderr, made printable; the output is no answer."""
    code = "import sys; print('{\"score\": 3}'); print('x' * 9000 + '\\x1b[2J bad model', file=sys.stderr); sys.exit(7)"
    answer = ask(python(code))
    assert (answer.raw, answer.error_kind, answer.status) == (None, "crashed", 7)
    assert answer.error_detail.startswith("exit code 7: ")
    assert answer.error_detail.endswith("␛[2J bad model")
    assert len(answer.error_detail) < 500


def test_a_signal_is_named(ask):
    """A program that dies of a signal says of which."""
    answer = ask(python("import os; os.kill(os.getpid(), 11)"))
    assert (answer.error_kind, answer.error_detail) == ("crashed", "ended by SIGSEGV")


def test_secrets_are_in_no_message(ask, monkeypatch):
    """A program that prints the user's key while it dies does not put it into the error."""
    monkeypatch.setenv("ANY_API_KEY", "sentinel-98765")
    monkeypatch.setenv("my_password", "sentinel-43210")
    code = "import os, sys; sys.exit(os.environ['ANY_API_KEY'] + ' and ' + os.environ['my_password'])"
    answer = ask(python(code))
    assert answer.error_detail == "exit code 1: ‹hidden› and ‹hidden›"
    assert "sentinel" not in repr(answer)


def test_arguments_stand_in_no_name():
    """The judge's name holds the program and a hash: arguments may hold keys and paths."""
    endpoint = CommandEndpoint("/opt/tools/ask --key sentinel-555 --home /home/ana")
    assert endpoint.model.startswith("ask#")
    assert "sentinel" not in endpoint.model
    assert endpoint.model != CommandEndpoint("/opt/tools/ask --key other").model


@pytest.mark.parametrize("command", ["no-such-program-xyz --flag", "/", "./no/such/file"])
def test_a_missing_program_is_missing(ask, command):
    """A program that cannot be started is ``missing``, with its name."""
    answer = ask(command)
    assert (answer.raw, answer.error_kind) == (None, "missing")
    assert command.split()[0] in answer.error_detail


def test_a_missing_program_stops_the_run(ledger, render, make_calls):
    """It stops at once instead of failing row by row."""
    with pytest.raises(ProviderFailed, match="no-such-program-xyz"):
        run_calls(make_calls(30), CommandEndpoint("no-such-program-xyz"), ledger, render=render, secret=b"s")


def alive(pid):
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def gone(pid):
    """Whether a killed process disappears within some seconds."""
    end = time.monotonic() + 10
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.01)
    return not alive(pid)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="looks for processes in /proc")
def test_a_hanging_program_is_stopped_with_its_children(ask, tmp_path):
    """A time-out kills the whole process group, and nothing waits for the grandchild's open pipe."""
    pids = tmp_path / "pids"
    script = f"sleep 600 & echo $$ $! > {pids}; wait"
    answer = ask(f"sh -c {shlex.quote(script)}", timeout=1.0)
    assert answer.error_kind == "timeout"
    assert all(gone(int(pid)) for pid in pids.read_text().split())


def test_a_grandchild_that_keeps_the_pipe_is_not_waited_for(ask):
    """A program that ends but leaves a child in another session holding its output ends in a time-out, not a hang."""
    code = (
        "import subprocess, sys\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3)'], start_new_session=True)\n"
        "print('done')\n"
    )
    assert ask(python(code), timeout=1.0).error_kind == "timeout"


def test_cancelling_stops_the_program(make_request, tmp_path):
    """The runner's own time-out leaves no process behind."""
    pid = tmp_path / "pid"
    code = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(600)"

    async def cut_off():
        task = asyncio.create_task(CommandEndpoint(python(code)).send(make_request()))
        while not (pid.exists() and pid.read_text()):  # noqa: ASYNC110 - the other side is a process
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cut_off())
    assert gone(int(pid.read_text()))


def test_giant_output_is_cut_off(ask):
    """A program that never stops writing is stopped at the bound and counted as crashed."""
    answer = ask("yes", max_output=200_000)
    assert (answer.raw, answer.error_kind) == (None, "crashed")
    assert "200000 bytes" in answer.error_detail


def test_giant_input_and_errors_do_not_block(ask):
    """Megabytes on all three pipes at once pass through."""
    code = "import sys; sys.stderr.write('e' * 3_000_000); data = sys.stdin.read(); sys.stdout.write(data)"
    prompt = "p" * 3_000_000
    assert ask(python(code), prompt).raw == prompt


def test_a_program_need_not_read_its_input(ask):
    """An answer given without reading a long prompt counts."""
    assert ask("echo 5", "p" * 3_000_000).raw == "5\n"


def test_bytes_that_are_no_text_are_kept(ask, make_request):
    """Output that is no UTF-8 is stored so that the very bytes can be had back; lone surrogates go in as escapes."""
    answer = ask(python(r"import sys; sys.stdout.buffer.write(b'\xff\xfe{\x00}')"))
    assert answer.raw.encode("utf-8", "surrogateescape") == b"\xff\xfe{\x00}"
    assert ask("cat", "a\ud800b").raw == "a\\ud800b"


def test_empty_output_is_an_answer(ask):
    """No output with exit code 0 is an empty answer: the parser says what it is."""
    answer = ask("true")
    assert (answer.raw, answer.error_kind) == ("", None)


@pytest.mark.parametrize("command", ["", "   ", "judge 'open", "judge \0"])
def test_commands_that_cannot_be_run(command):
    """Empty commands and open quotes are refused beforehand, without repeating what may hold a key."""
    with pytest.raises(ConfigProblem) as caught:
        CommandEndpoint(command)
    assert "judge 'open" not in str(caught.value)


def test_a_whole_run(ledger, render, make_calls):
    """Rows on which the program crashes fail one by one; the others are answered."""
    code = "import sys; n = int(sys.stdin.read().split()[0]); sys.exit(3) if n == 2 else print(n)"
    calls = make_calls(5)
    summary = run_calls(calls, CommandEndpoint(python(code)), ledger, render=render, secret=b"s", limits=Limits())
    assert (summary.answered, summary.failed) == (4, {"crashed": 1})
    assert summary.examples == {"crashed": "exit code 3"}
