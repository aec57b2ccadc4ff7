"""What a run tells while it works and when it is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Progress", "RunSummary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run is. ``done`` counts calls answered (earlier runs included) or given up, of ``total``.

    ``rate`` is calls a second in this run; ``seconds_left`` is None until it can be said; ``cost`` is this run's; ``note`` says
    what else there is to know, such as when a batch is looked at next.
    """

    done: int
    total: int
    failed: int
    rate: float
    seconds_left: float | None
    cost: float
    retries: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """What a finished run did.

    Parameters
    ----------
    total : int
        Different calls asked for: ``earlier + answered + sum(failed) + skipped``.
    earlier : int
        Answered before this run.
    answered : int
        Answered in this run.
    failed : mapping of str to int
        Calls given up in this run by their last error kind.
    skipped : int
        Calls that an earlier run met a final error on, not sent again.
    in_doubt : tuple of str
        Request keys that were in flight when an earlier run was cut off; they may have been paid for twice.
    requests, retries : int
        Requests sent in this run, and how many of them were retries.
    tokens, cost
        As reported by the judge; where a token or cost limit is set, unreported ones are counted by their estimate.
    seconds : float
        Duration.
    examples : mapping of str to str
        One error text for each kind of error met.
    """

    total: int
    earlier: int
    answered: int
    failed: Mapping[str, int]
    skipped: int
    in_doubt: tuple[str, ...]
    requests: int
    retries: int
    tokens: int
    cost: float
    seconds: float
    examples: Mapping[str, str] = field(default_factory=dict)
