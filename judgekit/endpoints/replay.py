"""A judge whose answers were recorded: another ledger answers, and nothing is called."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.errors import ConfigProblem
from judgekit.files.ledger import Ledger
from judgekit.records import Attempt, Call

__all__ = ["ReplayEndpoint"]


class ReplayEndpoint:
    """``replay:LEDGER``: the judge that a ledger was filled by, answering each request as it did then.

    It takes that judge's provider, model, host and settings, so that the same texts, rubric and prompt make the same
    request keys and the same fingerprint. A request that was never answered there is the final error
    ``not_recorded``; one that failed for good there fails in the same way again.

    Parameters
    ----------
    path : str or Path
        A study's ``ledger.sqlite``.
    judge : str, optional
        ``provider:model@host`` (or its beginning), where the ledger holds the answers of several judges.

    Raises
    ------
    BadInput
        No ledger is there.
    ConfigProblem
        It holds no request, or those of several judges and none or more than one is named.
    """

    languages: frozenset[str] | None = None

    def __init__(self, path: str | Path, *, judge: str | None = None) -> None:
        self._path = Path(path)
        with Ledger.open(self._path, read_only=True) as ledger:
            asked = ledger.judges_asked()
        chosen = [call for call in asked if judge is None or call.endpoint.startswith(judge)]
        if len(chosen) != 1:
            raise _not_one(self._path, chosen or asked, judge)
        self.provider, _, rest = chosen[0].endpoint.partition(":")
        self.model, _, host = rest.rpartition("@")
        self.host: str | None = None if host == "-" else host
        self.parameters: Mapping[str, Any] = chosen[0].body["parameters"]
        self._ledger: Ledger | None = None

    @classmethod
    def from_spec(cls, rest: str) -> Self:
        """The endpoint for what follows ``replay:`` in a judge's SPEC: a path, and ``#JUDGE`` where it needs one."""
        path, mark, judge = rest.rpartition("#")
        if mark and not Path(rest).is_file():
            return cls(path, judge=judge)
        return cls(rest)

    async def send(self, request: Request) -> RawAnswer:
        """Look up one answer."""
        if self._ledger is None:
            self._ledger = Ledger.open(self._path, read_only=True)
        key = request.request_key
        found = self._ledger.answered([key]).get(key) or self._ledger.final_failures([key]).get(key)
        if found is None:
            detail = f"{self._path.name} holds no answer to this request"
            return RawAnswer(raw=None, error_kind="not_recorded", error_detail=detail)
        probabilities = dict(self._ledger.logprobs([key])) if found.error_kind is None else {}
        return _again(found, probabilities.get(key))

    async def close(self) -> None:
        """Close the ledger; the next request opens it again."""
        if self._ledger is not None:
            self._ledger.close()
            self._ledger = None


def _again(found: Attempt, logprobs: str | None) -> RawAnswer:
    """The recorded answer; usage and cost are left out, since nothing was spent."""
    return RawAnswer(
        raw=found.raw,
        finish_reason=found.finish_reason,
        status=found.status,
        served_model=found.served_model,
        system_fingerprint=found.system_fingerprint,
        error_kind=found.error_kind,
        error_detail=found.error_detail,
        logprobs=logprobs,
    )


def _not_one(path: Path, asked: list[Call], judge: str | None) -> ConfigProblem:
    if not asked:
        return ConfigProblem(
            "the ledger holds no request, so there is nothing to replay", path=path, remedy="name another ledger"
        )
    return ConfigProblem(
        "the ledger does not hold the answers of exactly one judge of that name",
        path=path,
        field="judge.spec",
        seen=judge,
        why="it was filled by " + ", ".join(sorted({call.endpoint for call in asked})),
        remedy="name one as replay:LEDGER#PROVIDER:MODEL@HOST",
    )
