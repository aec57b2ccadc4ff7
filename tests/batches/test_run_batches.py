"""Batches: each call handed over once, whatever the rows look like and however the provider misbehaves."""

import random

import pytest

from judgekit.batches.patience import Polling
from judgekit.batches.run import run_batches
from judgekit.endpoints.anthropic import AnthropicEndpoint
from judgekit.endpoints.limits import Limits
from judgekit.endpoints.openai import OpenAIEndpoint
from judgekit.endpoints.runner import run_calls
from judgekit.endpoints.stub import StubEndpoint
from judgekit.errors import BudgetSpent, ConfigProblem, ProviderFailed, Unfinished, UsageProblem

QUICK = Polling(first=0.01, most=0.02, listed_after=0.02, faults=3)
BOTH = pytest.mark.parametrize("kind", [OpenAIEndpoint, AnthropicEndpoint], ids=["openai", "anthropic"])


@pytest.fixture
def run(ledger, render):
    """Runs calls in batches; what was told is in ``run.said``."""

    def start(calls, endpoint, **other):
        options = {
            "secret": b"s",
            "polling": QUICK,
            "limits": Limits(backoff_first=0.01),
            "say": start.said.append,
            **other,
        }
        return run_batches(calls, endpoint, ledger, render=render, rng=random.Random(1), **options)

    start.said = []
    return start


def shuffled(rows):
    """The rows in another order."""
    random.Random(3).shuffle(rows)
    return rows


@BOTH
def test_a_batch_and_a_live_run_share_their_answers(run, render, ledger, provider, make_calls, kind):
    """One call finds out what the judge takes, the others go as one batch at half the price; a live run pays nothing."""
    calls, there = make_calls(30), provider(polls=2, twist=shuffled)
    judge = kind("m", base_url=there.url, prices={"input": 10.0, "output": 100.0})
    summary = run(calls, judge)
    assert (summary.total, summary.answered, summary.failed, summary.requests) == (30, 30, {}, 30)
    assert (there.single_calls, len(there.batches), set(there.billed.values())) == (1, 1, {1})
    answers = ledger.answered(c.request_key for c in calls)
    assert {a.served_model for a in answers.values()} == {"m-1"}
    assert {round(a.cost, 6) for a in answers.values()} == {0.003, 0.0015}
    assert summary.cost == pytest.approx(0.003 + 29 * 0.0015)
    assert "handed over" in run.said[0]
    assert "29 answered" in run.said[-1]
    again = run_calls(calls, judge, ledger, render=render, secret=b"s")
    assert (again.earlier, again.requests, there.single_calls) == (30, 0, 1)


def test_rows_that_are_strange(run, ledger, provider, make_calls):
    """Lines that are no rows, requests never made and second rows of a call are left aside, and said; the first counts."""
    made = []

    def strange(rows):
        made.append(len(rows))
        if len(made) > 1:
            return rows
        second = {**rows[0], "response": {"status_code": 200, "body": {"choices": []}}}
        stranger = {**rows[1], "custom_id": "not-ours"}
        return [b"", b"{half a li", rows[0], second, stranger, *rows[2:]]

    calls = make_calls(9)
    summary = run(calls, OpenAIEndpoint("m", base_url=provider(twist=strange).url))
    assert (summary.answered, summary.failed, summary.retries) == (9, {}, 1)
    assert made == [8, 1]  # the row that was missing went into a batch of its own
    first = next(said for said in run.said if "ended" in said)
    assert "no_row 1" in first
    assert "2 rows of requests that are not in it" in first
    assert "1 rows came twice" in first
    assert len(ledger.answered(c.request_key for c in calls)) == 9


def error_rows(rows):
    """One request is too long, one met a passing fault, one was not reached."""
    for row, status, error in zip(
        rows,
        (400, 503),
        ({"message": "too long", "code": "context_length_exceeded"}, {"message": "busy"}),
        strict=False,
    ):
        row["response"] = {"status_code": status, "body": {"error": error}}
    if len(rows) > 2:
        rows[2] |= {"response": None, "error": {"code": "batch_expired", "message": "late"}}
    return rows


def test_errors_of_rows_keep_their_kinds(run, ledger, provider, make_calls):
    """What is final for a row stays so, what may pass goes into another batch, as often as retries allow."""
    there = provider(twist=error_rows, phase="expired")
    calls = make_calls(8)
    summary = run(calls, OpenAIEndpoint("m", base_url=there.url), limits=Limits(retries=2, backoff_first=0.01))
    # Each batch has another first row, which is too long, so that all three meet their end.
    assert summary.failed == {"context_length": 3}
    assert summary.answered == 5
    assert max(there.billed.values()) == 3
    assert {a.error_kind for a in ledger.final_failures(c.request_key for c in calls).values()} == {"context_length"}


def test_anthropic_errors_are_read_by_their_type(run, provider, make_calls):
    """A row that errored has the kind of the same error of a single call; a quota stops the run after all is stored."""

    def errored(rows):
        error = {"type": "error", "error": {"type": "billing_error", "message": "pay"}}
        rows[0]["result"] = {"type": "errored", "error": error}
        return rows

    there = provider(twist=errored)
    with pytest.raises(ProviderFailed, match=r"quota.*5 of 6 answers are in the ledger"):
        run(make_calls(6), AnthropicEndpoint("m", base_url=there.url))


def test_a_batch_that_fails_as_a_whole(run, ledger, provider, make_calls):
    """It is told with the provider's words, nothing counts as final, and the next run hands the calls over again."""
    there = provider(fails={"code": "token_limit_exceeded", "message": "too many tokens are enqueued"})
    calls, judge = make_calls(5), OpenAIEndpoint("m", base_url=there.url)
    with pytest.raises(ProviderFailed, match=r"failed as a whole.*token_limit_exceeded"):
        run(calls, judge)
    assert len(ledger.pending(c.request_key for c in calls)) == 4
    there.fails = None
    assert run(calls, judge).answered == 4


@BOTH
def test_what_holds_texts_is_deleted_at_the_provider(run, provider, make_calls, kind):
    """Uploaded, result and error files of OpenAI go, and the batch itself with Anthropic, once all rows are stored."""
    there = provider()
    assert run(make_calls(6), kind("m", base_url=there.url)).answered == 6
    assert there.files == {} if kind is OpenAIEndpoint else there.deleted == ["batch_0"]
    last = [what for what in there.asked if what[0] != "DELETE"][-1]
    assert there.asked.index(last) < min(i for i, what in enumerate(there.asked) if what[0] == "DELETE")
    assert not any("not deleted" in said for said in run.said)


@pytest.mark.parametrize(("status", "again"), [(503, True), (401, True), (405, False)])
def test_what_cannot_be_deleted_is_said_and_tried_again(run, provider, make_calls, status, again):
    """The run ends well and says so; the next run deletes it, unless the service deletes nothing at all."""
    there, calls = provider(keeps=status), make_calls(6)
    judge = OpenAIEndpoint("m", base_url=there.url)
    assert run(calls, judge).answered == 6
    assert "not deleted at the provider" in run.said[-1]
    assert len(there.files) == 2
    there.keeps = None
    assert run(calls, judge).earlier == 6
    assert (len(there.files) == 0) == again


def test_a_file_of_a_batch_that_was_refused_is_deleted(run, provider, make_calls):
    """What was uploaded for a batch that failed as a whole, or was never made, holds texts too."""
    there = provider(fails={"code": "token_limit_exceeded", "message": "too many"})
    with pytest.raises(ProviderFailed, match="failed as a whole"):
        run(make_calls(5), OpenAIEndpoint("m", base_url=there.url))
    assert there.files == {}


@BOTH
def test_a_batch_made_without_an_answer_is_found(run, provider, make_calls, kind):
    """The connection breaks after the batch was made: it is looked for and adopted, and nothing is billed twice."""
    there = provider(cut=["create"])
    summary = run(make_calls(12), kind("m", base_url=there.url))
    assert summary.answered == 12
    assert set(there.billed.values()) == {1}


class Killed(BaseException):
    """The process ends here."""


@BOTH
def test_a_batch_made_before_the_end_of_a_run_is_adopted(run, ledger, provider, make_calls, monkeypatch, kind):
    """The run ends after the batch was made and before that was heard of: the next one finds it, and makes none."""
    there = provider()
    calls, judge = make_calls(12), kind("m", base_url=there.url)
    real = kind.ask

    async def until_made(self, method, path, *given, **other):
        reply = await real(self, method, path, *given, **other)
        if method == "POST" and path.endswith("/batches"):
            raise Killed
        return reply

    monkeypatch.setattr(kind, "ask", until_made)
    with pytest.raises(Killed):
        run(calls, judge)
    assert [batch.state for batch in ledger.batches()] == ["announced"]
    monkeypatch.setattr(kind, "ask", real)
    assert run(calls, judge).answered == 11
    assert any("are found again" in said for said in run.said)
    assert (len(there.batches), set(there.billed.values())) == (1, {1})


def test_other_batches_of_the_account_are_passed_over(run, render, ledger, provider, make_calls):
    """A batch with as many rows that is somebody else's is looked into and left alone."""
    there = provider(cut=["create"])
    other = [{"custom_id": f"x{i}", "params": {"messages": [{"content": "a"}]}} for i in range(3)]
    there.make({"requests": other}, theirs=True)  # takes the cut, too
    there.cut = ["create"]
    assert run(make_calls(4), AnthropicEndpoint("m", base_url=there.url)).answered == 4
    assert {n for key, n in there.billed.items() if not key.startswith("x")} == {1}


def test_a_provider_without_a_list(run, ledger, provider, make_calls):
    """Where nobody can say whether a batch was made, the run stops and says so; the next one asks again, in doubt."""
    there = provider(cut=["create"], lists=False)
    calls, judge = make_calls(4), OpenAIEndpoint("m", base_url=there.url)
    with pytest.raises(ProviderFailed, match="it is not known whether a batch of 3 calls was made"):
        run(calls, judge)
    assert len(ledger.asked_again()) == 3
    assert run(calls, judge).answered == 3


def test_a_live_run_leaves_what_waits_in_a_batch(run, render, ledger, provider, make_calls):
    """Before a batch is collected, a live run refuses its calls; cancelled, what was worked on is kept, the rest is free."""
    there = provider(polls=10**6)
    calls, judge = make_calls(8), OpenAIEndpoint("m", base_url=there.url)
    with pytest.raises(Unfinished, match=r"the time for this run is over.*batch_0 \(7 calls\)"):
        run(calls, judge, limits=Limits(run_timeout=0.3))
    assert ledger.in_doubt() == []
    with pytest.raises(Unfinished, match="7 of the calls wait in a batch"):
        run_calls(calls, judge, ledger, render=render, secret=b"s")
    summary = run(calls, judge, cancel=True)
    assert (summary.answered, summary.failed) == (3, {"cancelled": 4})
    assert len(there.batches) == 1
    assert run_calls(calls, judge, ledger, render=render, secret=b"s").answered == 4


def test_limits_are_kept_before_anything_is_handed_over(run, provider, make_calls):
    """A batch holds no more calls than the limits have room for; then the run ends, to go on later."""
    there = provider()
    calls, judge = make_calls(20), OpenAIEndpoint("m", base_url=there.url, prices={"input": 1.0, "output": 1.0})
    with pytest.raises(BudgetSpent, match=r"max_calls.*7 of 20 answers"):
        run(calls, judge, limits=Limits(max_calls=7))
    assert there.single_calls + there.billed.total() == 7
    with pytest.raises(BudgetSpent, match="max_tokens"):
        run(calls, judge, limits=Limits(max_tokens=2500))
    assert there.billed.total() < 19
    run(calls, judge, limits=Limits(max_cost=0.05))
    assert set(there.billed.values()) == {1}
    with pytest.raises(UsageProblem, match="no prices"):
        run(calls, OpenAIEndpoint("m", base_url=there.url), limits=Limits(max_cost=1.0))


def test_settings_that_are_not_taken_never_reach_a_batch(run, ledger, provider, make_calls):
    """What the first call finds out holds for the batch, and is noted."""
    there = provider()

    def picky(body):
        if "temperature" in body:
            return 400, {"error": {"message": "temperature is not supported", "code": "unsupported_parameter"}}
        return 200, {"model": "m-1", "choices": [{"message": {"content": '{"score": 3}'}}]}

    there.single = picky
    assert run(make_calls(5), OpenAIEndpoint("m", base_url=there.url)).answered == 5
    assert all("temperature" not in row["body"] for row in there.batches["batch_0"]["rows"])


def test_a_judge_without_batches(run, make_calls):
    """It is refused before anything is written."""
    with pytest.raises(ConfigProblem, match="takes no batches"):
        run(make_calls(1), StubEndpoint("value=3"))


def test_another_model_in_a_batch_stops_the_run(run, ledger, provider, make_calls):
    """All rows are stored, as they are paid for, and then the change is told."""

    def other(rows):
        rows[-1]["response"]["body"]["model"] = "m-2"
        return rows

    calls = make_calls(6)
    with pytest.raises(ProviderFailed, match="m-1 became m-2"):
        run(calls, OpenAIEndpoint("m", base_url=provider(twist=other).url))
    assert len(ledger.answered(c.request_key for c in calls)) == 6


def test_a_batch_that_is_gone(run, ledger, provider, make_calls):
    """A batch that its provider keeps no more is told, its calls are in doubt and are asked again."""
    there = provider(polls=10**6)
    calls, judge = make_calls(5), OpenAIEndpoint("m", base_url=there.url)
    with pytest.raises(Unfinished, match="the time for this run is over"):
        run(calls, judge, limits=Limits(run_timeout=0.2))
    there.batches.clear()
    there.polls = 1
    assert run(calls, judge).answered == 4
    assert any("has it no more" in said for said in run.said)
    assert len(ledger.asked_again()) == 4


def test_an_upload_that_breaks_off_is_made_again(run, provider, make_calls):
    """A file costs nothing: it is uploaded once more, and one batch is made."""
    there = provider(cut=["upload"])
    assert run(make_calls(5), OpenAIEndpoint("m", base_url=there.url)).answered == 5
    # The file whose upload nobody heard of stays; the second one and the results are deleted.
    assert (list(there.files), len(there.batches), len(there.deleted)) == (["file-0"], 1, 2)
