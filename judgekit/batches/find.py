"""A batch that was announced and perhaps made: is it at the provider?"""

from __future__ import annotations

from judgekit.batches.collect import Collector
from judgekit.batches.patience import Patience
from judgekit.batches.remote import BatchService, RemoteBatch, Row
from judgekit.endpoints.base import RawAnswer
from judgekit.endpoints.faults import RETRYABLE_KINDS
from judgekit.files.ledger import Ledger
from judgekit.files.ledger_batches import StoredBatch

__all__ = ["find_batch"]


async def find_batch(
    service: BatchService, ledger: Ledger, stored: StoredBatch, patience: Patience
) -> RemoteBatch | RawAnswer | None:
    """Look for an announced batch among the account's own.

    Parameters
    ----------
    service : BatchService
    ledger : Ledger
        Knows which of them are other batches of the study.
    stored : StoredBatch
    patience : Patience

    Returns
    -------
    RemoteBatch, RawAnswer or None
        None when it was never made; the answer of a service that has no list of batches.

    Raises
    ------
    Unfinished
        The provider cannot be reached, or the run was stopped.
    """
    known = {batch.remote_id for batch in ledger.batches(only_open=False)}
    listed = await _listed(service, patience)
    if isinstance(listed, RawAnswer):
        return listed
    unsure = []
    for remote in listed:
        ours = None if remote.remote_id in known else service.is_ours(remote, stored)
        if ours:
            return remote
        if ours is None and remote.remote_id not in known:
            unsure.append(remote)
    for remote in unsure:
        ended = await _ended(service, remote, patience)
        if await _holds(service, ledger, stored, ended, patience):
            return ended
    return None


async def _listed(service: BatchService, patience: Patience) -> list[RemoteBatch] | RawAnswer:
    refusals: list[RawAnswer] = []

    async def once() -> list[RemoteBatch] | RawAnswer:
        found = await service.listed()
        if isinstance(found, RawAnswer) and found.error_kind in {"missing", "bad_request"}:
            refusals.append(found)
            return []
        return found

    found = await patience.asked(once, "its list of batches")
    return refusals[0] if refusals else found


async def _ended(service: BatchService, remote: RemoteBatch, patience: Patience) -> RemoteBatch:
    """The batch once it has ended: before that, nobody can say whose it is."""
    pause = patience.polling.first
    while remote.phase == "working":
        await patience.sleep(pause)
        remote = await patience.asked(lambda: service.look(remote.remote_id), remote.remote_id)  # noqa: B023 - awaited here
        pause = min(patience.polling.most, 1.5 * pause)
    return remote


async def _holds(
    service: BatchService, ledger: Ledger, stored: StoredBatch, remote: RemoteBatch, patience: Patience
) -> bool:
    """Whether the rows of a batch are about our requests."""
    collector = Collector(ledger, stored, patience.clock.now)
    met: list[bool] = []

    def take(row: Row) -> None:
        met.append(collector.knows(row.key))

    async def once() -> bool | RawAnswer:
        met.clear()
        problem = await service.rows(remote, take)
        if problem is None or problem.error_kind not in RETRYABLE_KINDS:
            return any(met)
        return problem

    return await patience.asked(once, remote.remote_id)
