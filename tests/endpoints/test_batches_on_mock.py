"""Batches against the shared fake judge: shuffled results, rows that fail, and no list of batches to look in."""

import pytest

from judgekit.batches.patience import Polling
from judgekit.batches.run import run_batches
from judgekit.endpoints.anthropic import AnthropicEndpoint
from judgekit.endpoints.limits import Limits
from judgekit.endpoints.openai import OpenAIEndpoint


@pytest.mark.parametrize("kind", [OpenAIEndpoint, AnthropicEndpoint])
def test_batches(mock_judge, make_calls, render, ledger, kind):
    """Every call is answered or has its kind of error, and none was paid for twice."""
    with_faults = mock_judge(batch_ready_after=2, errors="500:0.1", max_faults_per_key=0)
    calls, judge = make_calls(60), kind("mock-judge-1", base_url=with_faults.url)
    quick = Polling(first=0.01, most=0.02, listed_after=0.02)
    limits = Limits(retries=1, backoff_first=0.01)
    summary = run_batches(calls, judge, ledger, render=render, secret=b"s", limits=limits, polling=quick)
    assert summary.answered + summary.failed["server"] == 60
    assert set(summary.failed) == {"server"}
    assert len(ledger.answered(call.request_key for call in calls)) == summary.answered > 40
    assert with_faults.stats()["paid_duplicates"] == 0
