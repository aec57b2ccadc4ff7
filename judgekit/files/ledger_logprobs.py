"""The ledger's token probabilities: stored with an answer, read back by themselves since they are many times longer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judgekit.files.ledger_database import LedgerDatabase
from judgekit.files.ledger_schema import logprobs_from_db

__all__ = ["LedgerLogprobs"]


class LedgerLogprobs(LedgerDatabase):
    """What a `judgekit.files.ledger.Ledger` knows of token probabilities."""

    def logprobs(self, keys: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The token probabilities of each of these calls' answers, as they were received, a few hundred at a time.

        Parameters
        ----------
        keys : iterable of str
            Request keys.

        Yields
        ------
        str, str
            Key and JSON text. Calls whose answer came without probabilities are left out, and so are all calls of a
            ledger of an earlier version that is open for reading only.
        """
        with self._explained():
            columns = {row[1] for row in self._connection.execute("PRAGMA table_info(attempts)")}
        if "logprobs" not in columns:
            return
        sql = (
            "SELECT calls.request_key, attempts.logprobs FROM calls JOIN attempts ON attempts.call_id = calls.id WHERE"
            " attempts.raw IS NOT NULL AND attempts.logprobs IS NOT NULL AND calls.request_key IN"
        )
        for key, packed in self._by_key(sql, keys):
            yield key, logprobs_from_db(packed)
