"""Waits, the gate and the budget by themselves."""

import asyncio
import random

import pytest

from judgekit.endpoints.base import RawAnswer
from judgekit.endpoints.limits import (
    Budget,
    Estimate,
    Gate,
    Limits,
    SystemClock,
    Window,
    backoff,
    estimate_tokens,
    tokens_of,
)
from judgekit.errors import BudgetSpent


def test_backoff_is_full_jitter():
    """Waits are spread over the whole range up to a bound that doubles and then stays."""
    limits = Limits(backoff_first=1.0, backoff_most=5.0)
    rng = random.Random(3)
    for retry, bound in enumerate([1, 2, 4, 5, 5]):
        waits = [backoff(retry, limits, rng) for _ in range(500)]
        assert 0 <= min(waits) < 0.05 * bound
        assert 0.95 * bound < max(waits) <= bound


def test_the_gate_keeps_the_longest_pause(clock):
    """A shorter pause does not open a gate that a longer one shut, and a pause prolonged meanwhile is kept."""

    async def scenario():
        gate = Gate(clock)
        await gate.wait()
        assert clock.time == 0
        gate.pause(10)
        gate.pause(2)
        await gate.wait()
        assert clock.time == 10
        gate.pause(5)
        waiting = asyncio.create_task(gate.wait())
        await asyncio.sleep(0)
        gate.pause(20)
        await waiting
        assert clock.time >= 30

    asyncio.run(scenario())


def test_room_comes_back_when_a_call_ends(make_request):
    """With room for one call at a time the second waits for the first, and goes when less was used than set aside."""

    async def scenario():
        budget = Budget(Limits(max_cost=1.5), lambda _request: Estimate(1, 1.0))
        held = await budget.take(make_request())
        second = asyncio.create_task(budget.take(make_request()))
        await asyncio.sleep(0)
        assert not second.done()
        budget.settle(held, RawAnswer(raw="{}", cost=0.5))
        await second
        third = asyncio.create_task(budget.take(make_request()))
        budget.settle(await second, RawAnswer(raw="{}", cost=0.5))
        with pytest.raises(BudgetSpent, match="max_cost"):
            await third
        assert (budget.whole.calls, budget.whole.cost) == (2, 1.0)

    asyncio.run(scenario())


def test_what_was_not_sent_costs_nothing(make_request):
    """Room given back is there again, the call included."""

    async def scenario():
        budget = Budget(Limits(max_calls=1, max_tokens=2000))
        for _ in range(3):
            budget.give_back(await budget.take(make_request()))
        assert (budget.whole.calls, budget.whole.tokens) == (0, 0)
        held = await budget.take(make_request())
        budget.settle(held, RawAnswer(raw=None, error_kind="rate_limit"))
        assert (budget.whole.calls, budget.whole.tokens) == (1, 0)
        with pytest.raises(BudgetSpent, match="max_calls"):
            await budget.take(make_request())

    asyncio.run(scenario())


def test_tokens_are_bounded_from_above(make_request):
    """The estimate is at least a token for each byte plus the answer's bound; reports are read with or without a sum."""
    request = make_request("é" * 100, system="s", parameters={"max_tokens": 50})
    assert estimate_tokens(request) == 200 + 1 + 50
    assert estimate_tokens(make_request("\ud800")) == 3 + 1024
    assert tokens_of(RawAnswer(raw="", usage={"total_tokens": 7, "prompt_tokens": 5})) == 7
    assert tokens_of(RawAnswer(raw="", usage={"prompt_tokens": 5, "completion_tokens": 3})) == 8
    assert tokens_of(RawAnswer(raw="")) == 0


def test_the_clock_gives_utc_to_the_millisecond():
    """Times are ISO 8601 in UTC, of fixed length, so that they sort as text."""
    now = SystemClock().now()
    assert len(now) == len("2026-01-05T09:00:00.000Z")
    assert now.endswith("Z")


def test_the_window_halves_once_for_all_that_were_under_way():
    """Eight refusals of one moment halve once; a refusal of a later request halves again, never below one."""

    async def scenario():
        window = Window(8)
        numbers = [await window.enter() for _ in range(8)]
        for number in numbers:
            window.overloaded(number)
            window.leave()
        assert window.size == 4
        for expected in (2, 1, 1):
            window.overloaded(await window.enter())
            window.leave()
            assert window.size == expected

    asyncio.run(scenario())


def test_the_window_grows_by_one_in_a_round():
    """From 2, two answers make it 3 and three more make it 4, and it ends at its bound."""

    async def scenario():
        window = Window(4)
        window.overloaded(await window.enter())
        window.leave()
        sizes = []
        for _ in range(12):
            window.answered()
            sizes.append(window.size)
        assert sizes == [2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4]

    asyncio.run(scenario())


def test_the_window_hands_room_over_in_order():
    """Whoever waits longest goes next, and a waiting one that is cut off keeps no room."""

    async def scenario():
        window, order = Window(1), []

        async def work(name):
            await window.enter()
            order.append(name)
            await asyncio.sleep(0)
            window.leave()

        tasks = [asyncio.create_task(work(name)) for name in "abcde"]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order == ["a", "c", "d", "e"]
        await window.enter()
        called = asyncio.create_task(window.enter())
        await asyncio.sleep(0)
        window.leave()
        called.cancel()
        await asyncio.gather(called, return_exceptions=True)
        await asyncio.wait_for(window.enter(), 1)

    asyncio.run(scenario())


def test_the_first_request_goes_alone():
    """A window that begins alone lets the others follow when the first was heard of."""

    async def scenario():
        window = Window(5, alone=True)
        await window.enter()
        others = [asyncio.create_task(window.enter()) for _ in range(3)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in others)
        window.heard()
        await asyncio.gather(*others)
        window.leave()
        assert window.size == 5

    asyncio.run(scenario())
