"""Judges calls in batches: written down, handed over once, found again after a crash, asked for until they have ended."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from judgekit.batches.patience import Polling
from judgekit.batches.remote import BatchService
from judgekit.batches.work import BatchRun
from judgekit.endpoints.base import Endpoint, Request
from judgekit.endpoints.limits import Clock, Limits, Spent, SystemClock
from judgekit.endpoints.loop import in_a_loop
from judgekit.endpoints.progress import Progress, RunSummary
from judgekit.endpoints.runner import nonce, run_calls
from judgekit.errors import ConfigProblem
from judgekit.files.ledger import Ledger
from judgekit.records import Call

__all__ = ["Polling", "batch_service", "run_batches"]

_PROBES = 5


def batch_service(endpoint: Endpoint) -> BatchService:
    """The batches of a judge.

    Raises
    ------
    ConfigProblem
        It has none.
    """
    from judgekit.endpoints.anthropic import AnthropicEndpoint
    from judgekit.endpoints.openai import OpenAIEndpoint

    if isinstance(endpoint, OpenAIEndpoint):
        from judgekit.batches.openai import OpenAIBatches

        return OpenAIBatches(endpoint)
    if isinstance(endpoint, AnthropicEndpoint):
        from judgekit.batches.anthropic import AnthropicBatches

        return AnthropicBatches(endpoint)
    raise ConfigProblem(
        "this judge takes no batches",
        field="judge.batch",
        seen=endpoint.provider,
        why="batches are a service of OpenAI and Anthropic, and of what speaks like them",
        remedy="leave batches out, or name openai:MODEL or anthropic:MODEL",
    )


def run_batches(
    calls: Sequence[Call],
    endpoint: Endpoint,
    ledger: Ledger,
    *,
    render: Callable[[Call, str], Request],
    secret: bytes,
    concurrency: int = 1,  # noqa: ARG001 - taken so that this stands in the place of `run_calls`
    limits: Limits | None = None,
    spent: Spent | None = None,
    clock: Clock | None = None,
    progress: Callable[[Progress], None] | None = None,
    retry_final: bool = False,
    rng: random.Random | None = None,
    polling: Polling | None = None,
    say: Callable[[str], None] | None = None,
    cancel: bool = False,
) -> RunSummary:
    """Have every call that has no answer yet answered in batches; otherwise as `judgekit.endpoints.runner.run_calls`.

    The first call of a run goes out by itself and finds out what the judge takes, so that no batch is refused row by row.

    Parameters
    ----------
    calls, endpoint, ledger, render, secret, concurrency, limits, spent, clock, progress, retry_final, rng
        As for `judgekit.endpoints.runner.run_calls`. Limits are checked for a whole batch before it is handed over, and it
        counts in the run that does so; how many requests are worked on at once is the provider's affair.
    polling, say : optional
        How often batches are looked at; told in one line what was handed over, found again, or is missing.
    cancel : bool
        Cancel what is under way, keep what was answered, and hand nothing over.

    Returns
    -------
    RunSummary

    Raises
    ------
    ConfigProblem
        The judge takes no batches, or lacks its key.
    ProviderFailed
        A batch was refused, failed as a whole or was cancelled by somebody else, the provider is not to be reached, or
        another model answered than the first one.
    Unfinished
        A limit leaves no room for the next call (`BudgetSpent`), Ctrl-C or SIGTERM (`Interrupted`; batches handed over go
        on at the provider), or the ledger could not be written (`DiskFailed`).
    """
    service = batch_service(endpoint)
    by_key = {call.request_key: call for call in calls}
    answered = len(by_key) - len(ledger.pending(by_key, retry_final=True))
    name = f"{endpoint.provider}:{endpoint.model}@{endpoint.host or '-'}"
    under_way, batched = ledger.batches(endpoint=name), set(ledger.waiting_in_batches(by_key))
    waiting = [key for key in ledger.pending(by_key, retry_final=retry_final) if key not in batched]
    if waiting or under_way:
        service.endpoint.ready()
    in_doubt = tuple(dict.fromkeys(attempt.request_key for attempt in ledger.close_in_doubt()))
    ledger.add_calls(calls)
    run = BatchRun(
        service,
        ledger,
        name,
        by_key,
        render=lambda call: render(call, nonce(secret, call.request_key)),
        secret=secret,
        limits=limits or Limits(),
        spent=spent,
        clock=clock or SystemClock(),
        polling=polling or Polling(),
        progress=progress,
        say=say,
        rng=rng or random.Random(),
        earlier=answered,
        cancelling=cancel,
    )
    if not cancel:
        given: dict[str, Any] = {"render": render, "secret": secret, "limits": limits, "spent": run.spent}
        any(run.probed(run_calls([by_key[k]], endpoint, ledger, retry_final=True, **given)) for k in waiting[:_PROBES])
        run.queue.extend(ledger.pending(waiting, retry_final=retry_final))
    in_a_loop(lambda: run.run(under_way))
    return run.summary(in_doubt=in_doubt, skipped=len(by_key) - answered - len(waiting) - len(batched))
