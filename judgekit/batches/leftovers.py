"""What a batch leaves at its provider holds the texts that were judged: it is deleted once all of it is stored here.

What is to be deleted is written down in the transaction that closes the batch, so that a kill forgets nothing: the next run
in batches tries again. A failure to delete is said and stops nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from judgekit.batches.remote import BatchService, ask
from judgekit.endpoints.base import RawAnswer
from judgekit.errors import ConfigProblem
from judgekit.files.ledger import Ledger

__all__ = ["delete_leftovers", "leftovers", "note_leftovers"]

_SECONDS = 30.0
_GONE = frozenset({404, 410})
_NEVER = frozenset({"bad_request", "missing"})  # the latter with another status: a service that deletes nothing


def _key(label: str) -> str:
    return f"left at the provider by {label}"


def note_leftovers(ledger: Ledger, label: str, paths: Sequence[str]) -> None:
    """Write down what of a batch is still at the provider, by its path there; no paths: nothing any more."""
    if paths or ledger.noted(_key(label)):
        ledger.note(_key(label), json.dumps(list(paths)))


def leftovers(ledger: Ledger, endpoint: str) -> dict[str, list[str]]:
    """What closed batches of a judge have left at the provider.

    Parameters
    ----------
    ledger : Ledger
    endpoint : str
        Provider, model and host.

    Returns
    -------
    dict of str to list of str
        Label to paths, batches with nothing left out.
    """
    found = {}
    for batch in ledger.batches(endpoint=endpoint, only_open=False):
        if paths := json.loads(ledger.noted(_key(batch.label)) or "[]"):
            found[batch.label] = [str(path) for path in paths]
    return found


async def delete_leftovers(
    service: BatchService, ledger: Ledger, endpoint: str, *, say: Callable[[str], None] | None = None
) -> None:
    """Delete what closed batches have left, and remember what could not be deleted this time.

    Parameters
    ----------
    service : BatchService
    ledger : Ledger
        Open for writing.
    endpoint : str
        Provider, model and host.
    say : callable, optional
        Told in one line what could not be deleted. Without it all of that is tried again later.
    """
    problems: list[str] = []
    for label, paths in leftovers(ledger, endpoint).items():
        kept = []
        for path in paths:
            problem = await _deleted(service, path)
            if problem is None:
                continue
            # A service that deletes nothing is told of once, and left to the user.
            if say is None or problem.error_kind not in _NEVER:
                kept.append(path)
            problems.append(f"{path} ({problem.error_detail or problem.error_kind})")
        note_leftovers(ledger, label, kept)
    if problems and say is not None:
        more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
        say(
            f"not deleted at the provider, where they hold texts of your batches: {problems[0]}{more}. "
            "The next run in batches tries again where that may help; otherwise delete them on the provider's page"
        )


async def _deleted(service: BatchService, path: str) -> RawAnswer | None:
    """None when it is gone."""
    try:
        found = await ask(service.endpoint, "DELETE", path, seconds=_SECONDS)
    except ConfigProblem as problem:  # nothing else was to be asked, so that nobody has looked for the key yet
        return RawAnswer(raw=None, error_kind="connection", error_detail=problem.what)
    if not isinstance(found, RawAnswer) or found.status in _GONE:
        return None
    # Some services confirm with an empty body.
    return None if found.status is not None and 200 <= found.status < 300 else found
