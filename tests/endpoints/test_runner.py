"""The runner: every call once, everything written down, nothing spent beyond the limits."""

import asyncio
import os
import signal
import sqlite3
import threading

import pytest

from judgekit.endpoints.base import RawAnswer
from judgekit.endpoints.limits import Estimate, Limits
from judgekit.endpoints.runner import nonce, run_calls
from judgekit.errors import BudgetSpent, DiskFailed, Interrupted, ProviderFailed, UsageProblem
from judgekit.files.ledger import Ledger

GOOD = RawAnswer(raw='{"score": 4}', status=200, served_model="m-1", usage={"total_tokens": 10}, cost=0.5)


def failing(kind, **other):
    """An answer that is an error."""
    return RawAnswer(raw=None, error_kind=kind, error_detail=f"said {kind}", **other)


@pytest.fixture
def run(ledger, render, clock):
    """Runs calls with the fake clock."""

    def start(calls, endpoint, **other):
        given = {"render": render, "secret": b"s", "clock": clock, **other}
        return run_calls(calls, endpoint, ledger, **given)

    return start


def keys_of(calls):
    """Their request keys."""
    return [call.request_key for call in calls]


def test_every_call_is_answered_once(run, planned, make_calls, ledger):
    """All calls are sent once, stored with their facts, and not sent again by a second run."""
    calls = make_calls(50)
    judge = planned(default=GOOD)
    summary = run([*calls, *calls], judge, concurrency=7)
    assert (summary.total, summary.earlier, summary.answered, summary.requests) == (50, 0, 50, 50)
    assert (summary.tokens, summary.cost, summary.failed) == (500, 25.0, {})
    assert judge.most_in_flight == 7
    assert judge.closed == 1
    stored = ledger.answered(keys_of(calls))
    assert {a.raw for a in stored.values()} == {GOOD.raw}
    assert {(a.n, a.status, a.served_model, a.cost) for a in stored.values()} == {(1, 200, "m-1", 0.5)}
    again = run(calls, judge)
    assert (again.total, again.earlier, again.answered, again.requests) == (50, 50, 0, 0)
    assert len(judge.sent) == 50


def test_intent_is_on_disk_before_sending(run, planned, make_calls, tmp_path):
    """While a request is out, another connection sees its intent; when the next goes out, the answer before it."""
    seen = []

    async def look(request):
        with Ledger.open(tmp_path / "ledger.sqlite", read_only=True) as reader:
            open_keys = [a.request_key for a in reader.in_doubt()]
            seen.append((request.request_key in open_keys, len(reader.answered(keys_of(calls)))))
        return GOOD

    calls = make_calls(4)
    run(calls, planned(default=look), concurrency=1)
    assert seen == [(True, 0), (True, 1), (True, 2), (True, 3)]


def test_raw_answers_are_kept_as_they_came(run, planned, make_calls, ledger):
    """Empty, broken and hostile answers are stored unread, character for character."""
    raws = ["", "\x00\x1b]52;c;x\x07", "\ud800 broken", "not json", "x" * 300_000]
    calls = make_calls(len(raws))
    run(calls, planned({i: [RawAnswer(raw=raw)] for i, raw in enumerate(raws)}))
    stored = ledger.answered(keys_of(calls))
    assert [stored[key].raw for key in keys_of(calls)] == raws


def test_nonce_is_the_same_on_retry_and_differs_between_calls(run, planned, make_calls):
    """A retry is the same request; other calls and other studies have other nonces."""
    judge = planned({0: [failing("server"), GOOD]})
    calls = make_calls(2)
    run(calls, judge, concurrency=1)
    prompts = [r.prompt for r in judge.sent]
    assert prompts[0] == prompts[1] == f"0 {nonce(b's', calls[0].request_key)}"
    assert prompts[2].split()[1] != prompts[0].split()[1]
    assert len(nonce(b"s", "k")) == 16
    assert nonce(b"s", "k") != nonce(b"t", "k")


@pytest.mark.parametrize("kind", ["timeout", "connection", "rate_limit", "server"])
@pytest.mark.parametrize("retries", [0, 3])
def test_passing_errors_are_retried_and_counted(run, planned, make_calls, ledger, kind, retries):
    """A passing error is met ``retries + 1`` times, each an attempt of its own; the call stays pending."""
    calls = make_calls(2)
    judge = planned({0: [failing(kind)]})
    summary = run(calls, judge, limits=Limits(retries=retries))
    assert sum(r.request_key == calls[0].request_key for r in judge.sent) == retries + 1
    assert (summary.answered, summary.failed, summary.retries) == (1, {kind: 1}, retries)
    assert summary.examples == {kind: f"said {kind}"}
    last = ledger.latest(keys_of(calls))[calls[0].request_key]
    assert (last.n, last.error_kind, last.error_detail) == (retries + 1, kind, f"said {kind}")
    assert ledger.pending(keys_of(calls)) == [calls[0].request_key]


def test_an_error_that_passes_gives_an_answer(run, planned, make_calls, ledger):
    """Two errors and then an answer: three attempts, one answer."""
    calls = make_calls(1)
    summary = run(calls, planned({0: [failing("server"), failing("timeout"), GOOD]}))
    assert (summary.answered, summary.retries, summary.failed) == (1, 2, {})
    assert ledger.answered(keys_of(calls))[calls[0].request_key].n == 3


@pytest.mark.parametrize("kind", ["bad_request", "context_length", "crashed"])
def test_final_errors_are_met_once(run, planned, make_calls, kind):
    """A final error is not retried in this run or the next, only when that is asked for."""
    calls = make_calls(3)
    judge = planned({1: [failing(kind), GOOD]})
    first = run(calls, judge)
    assert (first.answered, first.failed, first.requests) == (2, {kind: 1}, 3)
    second = run(calls, judge)
    assert (second.earlier, second.skipped, second.requests) == (2, 1, 0)
    third = run(calls, judge, retry_final=True)
    assert (third.earlier, third.answered, third.skipped) == (2, 1, 0)


@pytest.mark.parametrize("kind", ["auth", "quota", "missing"])
def test_errors_that_stop_the_run(run, planned, make_calls, ledger, kind):
    """A refused key, an empty account or a missing model stops the run; what was received stays; exit 3."""
    calls = make_calls(40)
    judge = planned({5: [failing(kind), GOOD]})
    with pytest.raises(ProviderFailed, match=kind) as caught:
        run(calls, judge, concurrency=4)
    assert caught.value.exit_code == 3
    assert f"said {kind}" in str(caught.value)
    assert len(judge.sent) <= 12
    answered = len(ledger.answered(keys_of(calls)))
    assert answered == len(judge.sent) - 1
    assert f"{answered} of 40 answers are in the ledger" in str(caught.value)
    assert ledger.in_doubt() == []
    assert run(calls, judge).earlier == answered
    assert len(judge.sent) == 41


def test_a_pause_holds_all_workers(run, planned, make_calls, clock, monkeypatch):
    """After "retry after 30 s" nobody sends before 30 s have passed, however many turns the loop takes meanwhile."""
    times = []

    async def slow(seconds):
        for _ in range(300):
            await asyncio.sleep(0)
        clock.time += seconds

    async def note(_request):
        times.append(clock.time)
        return GOOD

    monkeypatch.setattr(clock, "sleep", slow)
    judge = planned({0: [failing("rate_limit", retry_after=30.0), note]}, default=note)
    run(make_calls(12), judge, concurrency=3)
    assert len(times) == 12
    early = [t for t in times if t < 30]
    assert len(early) <= 4  # those in flight, or announced, together with the refused one


@pytest.mark.parametrize("turns", range(14))
def test_nothing_is_sent_after_a_refusal(run, planned, make_calls, ledger, turns):
    """Whatever the other workers are doing when the key is refused, no request starts afterwards, nor is any in doubt."""
    refused = []

    async def refuse(_request):
        for _ in range(turns):
            await asyncio.sleep(0)
        refused.append(len(judge.sent))
        return failing("auth")

    judge = planned({0: [refuse]})
    with pytest.raises(ProviderFailed):
        run(make_calls(60), judge, concurrency=4)
    assert len(judge.sent) == refused[0]
    assert ledger.in_doubt() == []


def test_commits_are_shared(run, planned, make_calls, ledger):
    """Four workers need about one commit for four calls, not two for each."""
    calls = make_calls(80)
    ledger.add_calls(calls)
    counter = ledger._connection = FailingCommits(ledger._connection, lambda _n: False)
    run(calls, planned(), concurrency=4)
    assert counter.commits <= 25


def test_waits_grow_and_are_drawn(run, planned, make_calls, clock):
    """The waits between attempts are at most 1, 2 and 4 seconds, and not all at their bound."""
    run(make_calls(30), planned({i: [failing("server")] * 3 + [GOOD] for i in range(30)}), concurrency=1)
    assert len(clock.sleeps) == 90
    for k in range(3):
        waits = clock.sleeps[k::3]
        assert all(0 <= wait <= 2**k for wait in waits)
        assert len(set(waits)) == 30


def test_a_very_long_pause_stops_instead(run, planned, make_calls, clock):
    """A judge that asks for an hour stops the run with exit 3 at once."""
    with pytest.raises(ProviderFailed, match="pause of 3600 s"):
        run(make_calls(3), planned({0: [failing("rate_limit", retry_after=3600.0)]}), concurrency=1)
    assert clock.time < 60


@pytest.mark.parametrize("most", [0, 1, 7])
def test_the_call_limit_is_never_passed(run, planned, make_calls, ledger, most):
    """Exactly ``max_calls`` requests go out, retries included, and the next run goes on."""
    calls = make_calls(20)
    judge = planned({0: [failing("server"), GOOD]}, default=GOOD)
    with pytest.raises(BudgetSpent, match="max_calls") as caught:
        run(calls, judge, limits=Limits(max_calls=most), concurrency=4)
    assert caught.value.exit_code == 3
    assert len(judge.sent) == most
    assert ledger.in_doubt() == []
    assert run(calls, judge, limits=Limits(max_calls=21)).answered + most >= 20


def test_the_token_limit_is_never_passed(run, planned, make_calls):
    """Reported tokens stay within the limit, and what an estimate set aside too much is used after all."""
    judge = planned(default=RawAnswer(raw="{}", usage={"prompt_tokens": 90, "completion_tokens": 10}))
    with pytest.raises(BudgetSpent, match="max_tokens"):
        run(make_calls(40), judge, limits=Limits(max_tokens=3000), concurrency=4)
    # 1,024 for an answer and the prompt's bytes are set aside: a call goes out while 100 n + 1,046 fit in 3,000.
    assert len(judge.sent) == 20


def test_unreported_tokens_are_counted_by_estimate(run, planned, make_calls):
    """A judge that reports nothing cannot spend without end."""
    judge = planned(default=RawAnswer(raw="{}"))
    with pytest.raises(BudgetSpent):
        run(make_calls(40), judge, limits=Limits(max_tokens=5000))
    assert 1 <= len(judge.sent) <= 4


def test_the_cost_limit_is_never_passed(run, planned, make_calls):
    """With an upper bound of 1 and a true cost of 0.5, a limit of 5 buys nine calls and never a tenth."""
    judge = planned(default=GOOD)
    judge.estimate = lambda _request: Estimate(100, 1.0)
    with pytest.raises(BudgetSpent, match="max_cost"):
        run(make_calls(40), judge, limits=Limits(max_cost=5.0), concurrency=8)
    assert len(judge.sent) == 9


def test_a_timed_out_request_counts_as_paid(run, planned, make_calls):
    """What may have been billed is counted at its bound: four time-outs at 1 each use up a limit of 4."""
    judge = planned(default=failing("timeout"))
    judge.estimate = lambda _request: Estimate(100, 1.0)
    with pytest.raises(BudgetSpent):
        run(make_calls(40), judge, limits=Limits(max_cost=4.0), concurrency=2)
    assert len(judge.sent) == 4


def test_a_cost_limit_needs_prices(run, planned, make_calls):
    """Without prices a cost limit could not be kept: refused before the first call."""
    judge = planned()
    with pytest.raises(UsageProblem, match="no prices"):
        run(make_calls(1), judge, limits=Limits(max_cost=1.0))
    assert judge.sent == []


@pytest.mark.parametrize(
    "wrong", [{"retries": -1}, {"max_calls": -1}, {"max_cost": float("nan")}, {"attempt_timeout": 0}]
)
def test_limits_that_make_no_sense(wrong):
    """Negative and undefined limits are refused with the field's name."""
    with pytest.raises(UsageProblem, match=next(iter(wrong))):
        Limits(**wrong)


def test_a_request_that_hangs_times_out(planned, make_calls, ledger, render):
    """No answer within the time-out is the error ``timeout``, and the next attempt is a new one."""

    async def hang(_request):
        await asyncio.sleep(3600)

    calls = make_calls(1)
    limits = Limits(attempt_timeout=0.05, backoff_first=0.0)
    summary = run_calls(calls, planned({0: [hang, GOOD]}), ledger, render=render, secret=b"s", limits=limits)
    assert (summary.answered, summary.retries) == (1, 1)
    assert summary.examples["timeout"] == "no answer within 0.05 s"


def test_the_run_ends_when_its_time_is_over(planned, make_calls, ledger, render):
    """The time limit stops a run whose judge never answers; its calls are in doubt and sent by the next run."""

    async def hang(_request):
        await asyncio.sleep(3600)

    calls = make_calls(5)
    limits = Limits(run_timeout=0.1, grace=0.1)
    with pytest.raises(BudgetSpent, match="run_timeout"):
        run_calls(calls, planned(default=hang), ledger, render=render, secret=b"s", limits=limits, concurrency=2)
    assert len(ledger.in_doubt()) == 2
    summary = run_calls(calls, planned(), ledger, render=render, secret=b"s")
    assert (summary.answered, len(summary.in_doubt)) == (5, 2)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_lets_calls_in_flight_end(planned, make_calls, ledger, render, number):
    """Ctrl-C and SIGTERM send nothing more, keep what was under way, restore the handlers and end with exit 3."""
    before = {s: signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}

    async def stop(_request):
        os.kill(os.getpid(), number)
        await asyncio.sleep(0.05)
        return GOOD

    calls = make_calls(30)
    judge = planned({4: [stop]})
    with pytest.raises(Interrupted, match=number.name) as caught:
        run_calls(calls, judge, ledger, render=render, secret=b"s", concurrency=3)
    assert caught.value.exit_code == 3
    assert len(judge.sent) < 30
    assert len(ledger.answered(keys_of(calls))) == len(judge.sent)
    assert ledger.in_doubt() == []
    assert {s: signal.getsignal(s) for s in before} == before


def test_calls_cut_off_after_the_grace_period_are_in_doubt(planned, make_calls, ledger, render):
    """A call that does not end in time is given up and listed as in doubt, never as failed."""

    async def stop(_request):
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(3600)

    calls = make_calls(3)
    with pytest.raises(Interrupted):
        run_calls(
            calls,
            planned({0: [stop]}),
            ledger,
            render=render,
            secret=b"s",
            concurrency=1,
            limits=Limits(grace=0.05, attempt_timeout=600),
        )
    assert [a.request_key for a in ledger.in_doubt()] == [calls[0].request_key]


def test_a_judge_that_never_works_stops_early(run, planned, make_calls):
    """Twenty crashes without one answer stop the run: the judge is broken, not the rows."""
    judge = planned(default=failing("crashed"))
    with pytest.raises(ProviderFailed, match="does not answer"):
        run(make_calls(500), judge, concurrency=1)
    assert len(judge.sent) == 20


def test_rows_that_fail_one_by_one_do_not_stop_it(run, planned, make_calls):
    """Once the judge has answered, any number of final failures is counted and the run goes on."""
    judge = planned({0: [GOOD]}, default=failing("bad_request"))
    summary = run(make_calls(100), judge, concurrency=1)
    assert (summary.answered, summary.failed) == (1, {"bad_request": 99})


def test_nothing_answered_at_all_is_no_success(run, planned, make_calls):
    """When every call of a small run met passing errors only, the run ends with exit 3."""
    with pytest.raises(ProviderFailed, match="said connection"):
        run(make_calls(2), planned(default=failing("connection")), limits=Limits(retries=1))


def test_a_defect_of_the_endpoint_is_not_swallowed(run, planned, make_calls, ledger):
    """An exception out of an endpoint comes out of the run, after everything received was stored."""
    calls = make_calls(10)
    judge = planned({5: [ZeroDivisionError("defect")]})
    with pytest.raises(ZeroDivisionError):
        run(calls, judge, concurrency=1)
    assert len(ledger.answered(keys_of(calls))) == 5
    assert [a.request_key for a in ledger.in_doubt()] == [calls[5].request_key]
    assert judge.closed == 1


class FailingCommits:
    """A connection on which chosen commits fail."""

    def __init__(self, connection, bad):
        self.connection, self.bad, self.commits = connection, bad, 0

    def execute(self, sql, *args):
        """Fail at a chosen commit."""
        if sql == "COMMIT":
            self.commits += 1
            if self.bad(self.commits):
                raise sqlite3.OperationalError("database or disk is full")
        return self.connection.execute(sql, *args)

    def __getattr__(self, name):
        return getattr(self.connection, name)


def test_a_failed_commit_at_any_place_loses_no_answer(tmp_path, planned, make_calls, render):
    """With each commit failing once in turn: exit 3, every received answer stored, nothing paid twice."""
    calls = make_calls(6)
    at = 0
    failures = 0
    while True:
        at += 1
        judge = planned()
        with Ledger.open(tmp_path / f"{at}.sqlite") as ledger:
            ledger.add_calls(calls)
            ledger._connection = FailingCommits(ledger._connection, lambda n, at=at: n == at)
            try:
                run_calls(calls, judge, ledger, render=render, secret=b"s", concurrency=2)
            except DiskFailed as problem:
                failures += 1
                assert f"{at}.sqlite" in str(problem)  # noqa: PT017 - the last round has no exception
                assert len(ledger.answered(keys_of(calls))) == len(judge.sent)
            else:
                break
        with Ledger.open(tmp_path / f"{at}.sqlite") as ledger:
            assert ledger.in_doubt() == []
            run_calls(calls, judge, ledger, render=render, secret=b"s", concurrency=2)
            assert len(ledger.answered(keys_of(calls))) == len(judge.sent) == 6
    assert failures >= 4


def test_a_disk_that_stays_full_says_what_is_lost(tmp_path, planned, make_calls, render):
    """Answers that could not be stored are counted in the message, and their calls are in doubt."""
    calls = make_calls(6)
    with Ledger.open(tmp_path / "l.sqlite") as ledger:
        ledger.add_calls(calls)
        ledger._connection = FailingCommits(ledger._connection, lambda n: n > 2)
        with pytest.raises(DiskFailed, match="2 that arrived could not be stored"):
            run_calls(calls, planned(), ledger, render=render, secret=b"s", concurrency=2)
    with Ledger.open(tmp_path / "l.sqlite") as ledger:
        assert len(ledger.in_doubt()) == 2


def test_progress_ends_with_everything_counted(run, planned, make_calls):
    """The last report has every call done, failures among them, and no time left."""
    reports = []
    judge = planned({0: [failing("bad_request")]}, default=GOOD)
    run(make_calls(5), judge, progress=reports.append)
    assert (reports[-1].done, reports[-1].total, reports[-1].failed, reports[-1].cost) == (5, 5, 1, 2.0)
    done = [r.done for r in reports]
    assert done == sorted(done)


def test_it_works_inside_a_running_loop(planned, make_calls, ledger, render):
    """Called from a notebook, whose loop is busy, the run goes on in a thread of its own."""

    async def cell():
        return run_calls(make_calls(3), planned(), ledger, render=render, secret=b"s")

    assert asyncio.run(cell()).answered == 3
    assert threading.active_count() == 1


def test_nothing_to_do_sends_nothing(run, planned):
    """No calls: an empty summary."""
    judge = planned()
    summary = run([], judge)
    assert (summary.total, summary.requests, judge.sent) == (0, 0, [])


def test_an_overloaded_judge_is_asked_less_at_once(run, planned, make_calls):
    """After refusals half as many requests are under way; answers bring them back one by one."""
    levels = []

    async def note(_request):
        levels.append(judge.in_flight)
        return GOOD

    refused = failing("rate_limit", status=429, retry_after=1.0)
    judge = planned({i: [refused, note] for i in range(16)}, default=note)
    run(make_calls(400), judge, concurrency=16)
    assert max(levels[:8]) <= 8
    assert max(levels) > 12
    assert levels.index(max(levels)) >= 77  # 8 + 9 + ... + 14 answers bring it to 15


def test_a_refused_setting_costs_no_retry(run, planned, make_calls, ledger):
    """A call that goes out again in another form does so at once, also when no retry is allowed, but not for ever."""
    calls = make_calls(2)
    judge = planned({0: [failing("adapted"), failing("adapted"), GOOD]}, default=GOOD)
    summary = run(calls, judge, limits=Limits(retries=0), concurrency=1)
    assert (summary.answered, summary.retries, summary.requests) == (2, 0, 4)
    endless = planned(default=failing("adapted"))
    summary = run(make_calls(3)[2:], endless, limits=Limits(retries=0), concurrency=1)
    assert (len(endless.sent), summary.failed) == (9, {"adapted": 1})
