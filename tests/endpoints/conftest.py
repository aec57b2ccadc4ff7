"""Requests, calls and a judge whose every answer is planned."""

import asyncio
import contextlib
import http.server
import importlib.util
import json
import os
import threading
import time
from pathlib import Path

import pytest

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.files.ledger import Ledger
from judgekit.records import Call


@pytest.fixture
def make_request():
    """Makes a request with everything that a test does not care about filled in."""

    def make(prompt="Hello", **other):
        given = {
            "request_key": "k",
            "system": "",
            "prompt": prompt,
            "text": prompt,
            "context": None,
            "lang": "en",
            "dimensions": {"warmth": (1, 2, 3, 4, 5)},
            "timeout": 20.0,
            **other,
        }
        return Request(**given)

    return make


@pytest.fixture
def make_calls():
    """Makes ``n`` different calls."""

    def make(n):
        return [
            Call(
                request_key=f"{i:064x}",
                body={"i": i},
                endpoint="planned",
                text_hashes=(str(i),),
                order="-",
                repeat=0,
                fingerprint="f",
            )
            for i in range(n)
        ]

    return make


@pytest.fixture
def render(make_request):
    """The prompt of a call is its number and nonce."""

    def made(call, nonce):
        return make_request(f"{call.body['i']} {nonce}", request_key=call.request_key)

    return made


@pytest.fixture
def ledger(tmp_path):
    """An open ledger."""
    with Ledger.open(tmp_path / "ledger.sqlite") as made:
        yield made


class Planned:
    """A judge that gives the answers of a plan: per call a list used up in turn, its last entry for ever."""

    provider, model, host, parameters, languages = "planned", "m", None, {}, None

    def __init__(self, plan, default):
        self.plan = {f"{i:064x}": list(answers) for i, answers in plan.items()}
        self.default = default
        self.sent, self.closed, self.in_flight, self.most_in_flight = [], 0, 0, 0

    async def send(self, request):
        """The next planned answer; a callable is awaited, an exception raised."""
        self.sent.append(request)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(0)
            answers = self.plan.get(request.request_key, [self.default])
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
            if isinstance(answer, BaseException):
                raise answer
            return await answer(request) if callable(answer) else answer
        finally:
            self.in_flight -= 1

    async def close(self):
        """Count it."""
        self.closed += 1


@pytest.fixture
def planned():
    """Makes a planned judge."""

    def make(plan=None, default=None):
        return Planned(plan or {}, default or RawAnswer(raw='{"score": 3}'))

    return make


class FakeClock:
    """Time that passes only in sleeps, and at once."""

    def __init__(self):
        self.time, self.sleeps = 0.0, []

    def now(self):
        """A fixed day and the fake seconds."""
        return f"2026-01-05T00:00:{self.time:06.3f}Z"

    def monotonic(self):
        """Fake seconds."""
        return self.time

    async def sleep(self, seconds):
        """Note it and go on."""
        self.sleeps.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)


@pytest.fixture
def clock():
    """A fake clock."""
    return FakeClock()


class Web:
    """A service on this machine that answers as its ``answer`` says and remembers what it was sent.

    ``answer(request, n)`` gets the decoded request and its number from 1, and returns a status, headers and a body
    (bytes, or a document), or one of ``hang``, ``eof`` and ``short``.
    """

    def __init__(self, answer):
        self.answer, self.requests, self.headers, self.paths, self.times = answer, [], [], [], []
        self.released = threading.Event()
        web = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                web.times.append(time.monotonic())
                web.requests.append(body)
                web.headers.append({k.lower(): v for k, v in self.headers.items()})
                web.paths.append(self.path)
                self.respond(web.answer(body, len(web.requests)))

            def respond(self, planned):
                if planned == "hang":
                    web.released.wait(20)
                if planned in ("hang", "eof"):
                    self.close_connection = True
                    return
                cut = planned == "short"
                status, headers, content = completion() if cut else planned
                data = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[: len(data) // 2] if cut else data)
                self.close_connection = cut

            def log_message(self, *_):
                """Say nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.handle_error = lambda *_: None  # a client that hangs up is planned
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def stop(self):
        """End it."""
        self.released.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def completion(content='{"reason": "kind", "score": 4}', *, finish="stop", status=200, **other):
    """A chat completion as OpenAI sends it."""
    message = {"role": "assistant", "content": content, **other.pop("message", {})}
    document = {
        "model": "served-1",
        "system_fingerprint": "fp-1",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        **other,
    }
    return status, {}, document


def error(status, message="no", headers=None, **other):
    """An error as OpenAI sends it."""
    return status, headers or {}, {"error": {"message": message, **other}}


@pytest.fixture
def web():
    """Starts services that answer as told."""
    started = []

    def start(answer):
        started.append(Web(answer if callable(answer) else lambda _request, _n: answer))
        return started[-1]

    yield start
    for service in started:
        service.stop()


@pytest.fixture(autouse=True)
def no_keys_of_the_machine(monkeypatch):
    """Tests see neither the keys nor the proxies of whoever runs them."""
    for name in list(os.environ):
        if name.upper().endswith(("_API_KEY", "_BASE_URL", "_PROXY")):
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def mock_module():
    """The shared fake judge; skipped where it does not stand next to this checkout."""
    path = Path(__file__).resolve().parents[2].parent / "shared" / "tools" / "mock_judge_server.py"
    if not path.is_file():
        pytest.skip("the shared fake judge is not next to this checkout")
    spec = importlib.util.spec_from_file_location("mock_judge_server", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def mock_judge(mock_module):
    """Starts the shared fake judge with options."""
    with contextlib.ExitStack() as stack:
        yield lambda **options: stack.enter_context(mock_module.MockJudge(**options))
