"""Requests, calls and a judge whose every answer is planned."""

import asyncio

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
