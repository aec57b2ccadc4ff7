"""A Python function as the judge: every kind of result becomes text, every failure an error of that call."""

import asyncio
import json
import sys
import threading
from decimal import Decimal

import numpy as np
import pytest

from judgekit.endpoints.functions import PythonEndpoint
from judgekit.endpoints.runner import Limits, run_calls
from judgekit.errors import ConfigProblem


@pytest.fixture
def judge(tmp_path, monkeypatch, request):
    """Makes an endpoint from a function's source."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    name = f"planted_{abs(hash(request.node.name))}"

    def make(source, function="judge"):
        (tmp_path / f"{name}.py").write_text(source)
        sys.modules.pop(name, None)
        return PythonEndpoint(f"{name}:{function}")

    yield make
    sys.modules.pop(name, None)


def ask(endpoint, request):
    """One answer."""
    return asyncio.run(endpoint.send(request))


def test_the_function_gets_the_request(judge, make_request):
    """It sees the judged text alone, the context, the levels; as text the request is the prompt."""
    endpoint = judge("def judge(r): return f'{r} | {r.text} | {r.context} | {dict(r.dimensions)}'")
    request = make_request("Prompt", text="Reply", context="Why?")
    assert ask(endpoint, request).raw == "Prompt | Reply | Why? | {'warmth': (1, 2, 3, 4, 5)}"
    assert (endpoint.provider, endpoint.host) == ("python", None)


@pytest.mark.parametrize(
    ("result", "raw"),
    [
        ("4", '{"score": 4}'),
        ("4.0", '{"score": 4.0}'),
        ("True", '{"score": true}'),
        ("float('nan')", '{"score": NaN}'),
        ("float('inf')", '{"score": Infinity}'),
        ("None", '{"score": null}'),
        ("'  plain {text}'", "  plain {text}"),
        ("''", ""),
        ("{'warmth': 4}", '{"score": 4}'),
        ("{'warmth': True}", '{"score": true}'),
        ("{'score': 2, 'reason': 'kind'}", '{"score": 2, "reason": "kind"}'),
        ("{'other': 2}", '{"other": 2}'),
        ("{'winner': 'A'}", '{"winner": "A"}'),
    ],
)
def test_results_become_text(judge, make_request, result, raw):
    """Texts stay, numbers and mappings become JSON; nothing is coerced into a score on the way."""
    answer = ask(judge(f"def judge(r): return {result}"), make_request())
    assert (answer.raw, answer.error_kind) == (raw, None)


def test_several_dimensions_keep_their_names(judge, make_request):
    """With two dimensions a mapping goes out as it is."""
    request = make_request(dimensions={"warmth": (1, 2), "tone": (1, 2)})
    answer = ask(judge("def judge(r): return {'warmth': 1, 'tone': 2}"), request)
    assert json.loads(answer.raw) == {"warmth": 1, "tone": 2}


def test_numbers_of_libraries(make_request, monkeypatch):
    """Numpy and Decimal numbers are numbers, a numpy bool is a bool."""
    for value, raw in (
        (np.int64(4), '{"score": 4}'),
        (np.float32(3.5), '{"score": 3.5}'),
        (np.bool_(True), '{"score": true}'),
        (Decimal(4), '{"score": 4.0}'),
        ({"warmth": np.int8(2)}, '{"score": 2}'),
    ):
        endpoint = PythonEndpoint("builtins:str")
        monkeypatch.setattr(endpoint, "_function", lambda _request, value=value: value)
        assert ask(endpoint, make_request()).raw == raw


@pytest.mark.parametrize(
    "result", ["[4]", "(4, 5)", "object()", "b'4'", "{'warmth': object()}", "__import__('numpy').ones(2)"]
)
def test_other_results_are_errors(judge, make_request, result):
    """A list, bytes or an object is no answer: ``crashed``, with the reason."""
    answer = ask(judge(f"def judge(r): return {result}"), make_request())
    assert (answer.raw, answer.error_kind) == (None, "crashed")
    assert answer.error_detail


@pytest.mark.parametrize("head", ["def", "async def"])
@pytest.mark.parametrize(
    ("statement", "detail"),
    [
        ("raise ValueError('bad \\x1b[2J')", "ValueError: bad ␛[2J"),
        ("raise TimeoutError('mine')", "TimeoutError: mine"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_exceptions_are_crashes(judge, make_request, head, statement, detail):
    """Whatever the function raises is the error of this call, with type and message, made printable."""
    answer = ask(judge(f"{head} judge(r): {statement}"), make_request())
    assert (answer.raw, answer.error_kind, answer.error_detail) == (None, "crashed", detail)


def test_a_long_message_is_cut(judge, make_request):
    """An exception that quotes the whole prompt does not fill the ledger."""
    answer = ask(judge("def judge(r): raise ValueError('x' * 100_000)"), make_request())
    assert len(answer.error_detail) <= 400


def test_coroutines_and_awaitables_are_awaited(judge, make_request):
    """Coroutine functions, and functions that return an awaitable, work the same."""
    source = (
        "import asyncio\n"
        "async def judge(r):\n    await asyncio.sleep(0)\n    return 3\n"
        "def plain(r): return judge(r)\n"
        "class Judge:\n    async def __call__(self, r): return 5\n"
        "made = Judge()\n"
    )
    for function, score in (("judge", 3), ("plain", 3), ("made", 5)):
        assert ask(judge(source, function), make_request()).raw == f'{{"score": {score}}}'


@pytest.mark.parametrize(
    "head",
    [
        "import time\ndef judge(r): time.sleep(r.parameters['s'])",
        "import asyncio\nasync def judge(r): await asyncio.sleep(r.parameters['s'])",
    ],
)
def test_a_hanging_function_times_out(judge, make_request, head):
    """A function that does not come back is a ``timeout``, and does not keep the program."""
    answer = ask(judge(head), make_request(timeout=0.05, parameters={"s": 1.0}))
    assert answer.error_kind == "timeout"
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == "judgekit-python-judge")


def test_plain_functions_run_side_by_side(judge, make_request):
    """Two calls that wait for each other both end: they run in threads."""
    endpoint = judge(
        "import threading\nb = threading.Barrier(2, timeout=10)\ndef judge(r):\n    b.wait()\n    return 1"
    )

    async def both():
        return await asyncio.gather(*(endpoint.send(make_request()) for _ in range(2)))

    assert [answer.raw for answer in asyncio.run(both())] == ['{"score": 1}'] * 2


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("no_colon", "python:package.module:function"),
        (":judge", "python:package.module:function"),
        ("mod:", "python:package.module:function"),
        ("no_such_module_xyz:judge", "ModuleNotFoundError"),
        ("json:no_such", "no such function"),
        ("math:pi", "no such function"),
        ("..x:judge", "cannot be imported"),
    ],
)
def test_targets_that_cannot_be_loaded(target, words):
    """A wrong name is refused before any call, with what to write."""
    with pytest.raises(ConfigProblem, match=words):
        PythonEndpoint(target)


@pytest.mark.parametrize("source", ["raise RuntimeError('boom')", "import sys; sys.exit(3)", "def judge(:"])
def test_a_module_that_breaks_is_explained(judge, source):
    """Errors while importing end as exit 2 with the cause."""
    with pytest.raises(ConfigProblem, match="cannot be imported") as caught:
        judge(source)
    assert caught.value.exit_code == 2


def test_the_current_folder_hides_nothing(tmp_path, monkeypatch, make_request):
    """A file of the user's with a library's name does not replace the library."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "colorsys.py").write_text("def rgb_to_hsv(r): return 'hijacked'")
    sys.modules.pop("colorsys", None)
    assert ask(PythonEndpoint("colorsys:rgb_to_hsv"), make_request()).error_kind == "crashed"


def test_a_whole_run(judge, ledger, render, make_calls):
    """A function judges all calls of a run; its failures are counted by kind."""
    endpoint = judge("def judge(r):\n    n = int(r.prompt.split()[0])\n    return 1 // (n - 3) and n")
    summary = run_calls(make_calls(8), endpoint, ledger, render=render, secret=b"s", limits=Limits())
    assert (summary.answered, summary.failed) == (7, {"crashed": 1})
