"""The shared fake judge: faults of every kind, counted from the far side."""

import pytest

from judgekit.endpoints.anthropic import AnthropicEndpoint
from judgekit.endpoints.limits import Limits
from judgekit.endpoints.openai import OpenAIEndpoint
from judgekit.endpoints.runner import run_calls
from judgekit.errors import ProviderFailed
from judgekit.judging.parse import read_pointwise

QUICK = Limits(backoff_first=0.01, attempt_timeout=5.0)


@pytest.fixture
def asked(mock_judge, make_calls, render, ledger):
    """Runs calls against a fake judge with these options; the summary, its counts and the answers."""

    def run(*, n=30, kind="openai", model="mock-judge-1", concurrency=8, limits=QUICK, parameters=None, **options):
        service = mock_judge(**options)
        made = (OpenAIEndpoint if kind == "openai" else AnthropicEndpoint)(
            model, base_url=f"{service.url}/v1", parameters=parameters
        )
        calls = make_calls(n)
        problem = summary = None
        try:
            summary = run_calls(calls, made, ledger, render=render, secret=b"s", concurrency=concurrency, limits=limits)
        except ProviderFailed as found:
            problem = found
        stats = service.stats() | {"per_key": list(service.server.stats.attempts.values())}
        return summary, problem, stats, ledger.answered(c.request_key for c in calls)

    return run


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_everything_is_answered_once(asked, kind):
    """Without faults: one request and one paid answer for each call, and every answer can be read."""
    summary, _, stats, answers = asked(kind=kind, n=60)
    assert (summary.answered, stats["judged"], stats["paid"], stats["paid_duplicates"]) == (60, 60, 60, 0)
    for answer in answers.values():
        reading = read_pointwise(answer.raw, dimensions={"w": (1, 2, 3, 4, 5)}, finish_reason=answer.finish_reason)
        assert reading.outcomes["w"].value in {1, 2, 3, 4, 5}
    assert all(a.usage["total_tokens"] > 0 for a in answers.values())


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_a_lasting_fault_costs_exactly_four_requests_a_call(asked, kind):
    """503 for ever, three retries: four requests for each call, no more and no fewer."""
    _, problem, stats, _ = asked(kind=kind, n=6, errors="503:1.0", retry_after="none", max_faults_per_key=99)
    assert problem is not None
    assert stats["per_key"] == [4] * 6
    assert stats["requests"] == 24


@pytest.mark.parametrize("retry_after", ["seconds", "date", "ms", "both", "none", "garbage", "zero"])
def test_no_pause_is_broken(asked, retry_after):
    """Whatever form a pause has, no call comes back before it is over."""
    summary, _, stats, _ = asked(
        n=12, errors="429:0.3,503:0.2", retry_after=retry_after, retry_after_s=0.2, max_faults_per_key=1
    )
    assert summary.answered == 12
    assert stats["faults"]
    assert stats["retry_too_early"] == 0


def test_a_rate_limit_is_lived_with(asked):
    """Twenty requests a second with room for five at once: all calls are answered, none comes too early."""
    limits = Limits(backoff_first=0.3)
    summary, _, stats, _ = asked(n=20, rpm=1200, rate_burst=5, retry_after="ms", concurrency=16, limits=limits)
    assert (summary.answered, stats["retry_too_early"], stats["paid_duplicates"]) == (20, 0, 0)


def test_transport_faults_lose_nothing(asked):
    """Resets, cuts, drips and hang-ups: every call is answered, and is paid again only where a reply was cut."""
    faults = "reset:0.1,midreset:0.1,short:0.1,drip:0.1,eof:0.1"
    summary, _, stats, answers = asked(n=60, transport=faults, drip_ms=1, max_faults_per_key=2)
    assert len(answers) == summary.answered == 60
    assert stats["paid_duplicates"] == 0
    assert {"reset", "short", "eof"} <= set(stats["faults"])


def test_hanging_connections_end(asked):
    """A service that never answers some requests: each ends at its limit and is asked again."""
    limits = Limits(backoff_first=0.01, attempt_timeout=0.4)
    summary, _, _, _ = asked(n=20, transport="hang:0.15", hang_s=20, max_faults_per_key=1, limits=limits)
    assert summary.answered == 20
    assert summary.retries >= 1


@pytest.mark.parametrize("dialect", ["openai", "anthropic"])
@pytest.mark.parametrize(("errors", "kind"), [("401:1.0", "auth"), ("quota:1.0", "quota")])
def test_what_no_call_would_get_past_stops_at_once(asked, errors, kind, dialect):
    """One request, and the run is over."""
    _, problem, stats, _ = asked(errors=errors, max_faults_per_key=99, kind=dialect)
    assert kind in str(problem)
    assert stats["requests"] == 1


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_texts_that_are_too_long_fail_alone(asked, kind):
    """A context-length refusal is final for its row and asked once."""
    summary, _, stats, _ = asked(n=40, kind=kind, errors="context:0.2", max_faults_per_key=99)
    assert summary.failed.keys() == {"context_length"}
    assert summary.answered + summary.failed["context_length"] == 40 == stats["requests"]


def test_a_reasoning_model_is_asked_in_its_form(asked):
    """No temperature, the newer name of the bound: found out by one call, kept for all others."""
    summary, _, stats, _ = asked(n=30, model="mock-judge-reasoning")
    assert summary.answered == 30
    assert stats["bad_requests"] == 2
    assert stats["paid_duplicates"] == 0


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_overload_is_met_by_asking_less(asked, kind):
    """A service that takes four at a time is not asked by sixteen for long."""
    summary, _, stats, _ = asked(
        n=120, kind=kind, max_concurrency=4, latency="const:5", concurrency=16, retry_after="ms", retry_after_s=0.2
    )
    assert summary.answered == 120
    assert stats["faults"]["concurrency"] < 60


def test_a_version_that_changes_stops_the_run(asked):
    """The service's system fingerprint changes after ten answers: the run stops there."""
    _, problem, stats, answers = asked(n=60, drift_after=10, concurrency=2)
    assert "fp_mock_1 became fp_mock_2" in str(problem)
    assert len(answers) == stats["paid"] <= 13


def test_replies_of_every_shape_are_stored_as_they_came(asked):
    """Refusals, cuts, empty and broken replies are answers: stored once, not asked again."""
    shapes = "refusal_field:0.2,null:0.1,empty:0.1,parts:0.2,surrogate:0.1,length:0.1,content_filter:0.1"
    summary, _, stats, answers = asked(n=80, shapes=shapes)
    assert (summary.answered, stats["paid"], stats["paid_duplicates"]) == (80, 80, 0)
    kinds = set()
    for answer in answers.values():
        reading = read_pointwise(answer.raw, dimensions={"w": (1, 2, 3, 4, 5)}, finish_reason=answer.finish_reason)
        kinds.add(getattr(reading.outcomes["w"], "kind", "scored"))
    assert kinds == {"scored", "refusal", "empty", "truncated", "content_filter"}
