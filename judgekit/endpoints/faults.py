"""Kinds of errors and what each ends a run with; see `judgekit.endpoints.base.RawAnswer`."""

from __future__ import annotations

from judgekit.endpoints.base import RawAnswer
from judgekit.errors import ProviderFailed, Unfinished

__all__ = [
    "OVERLOADED",
    "RETRYABLE_KINDS",
    "STOP_KINDS",
    "changed_judge",
    "gave_up",
    "in_batches",
    "too_long_a_pause",
    "unusable",
]

RETRYABLE_KINDS = frozenset({"timeout", "connection", "rate_limit", "server", "cut_off", "not_json", "no_answer"})
"""Errors that may pass: the same request is sent again."""

STOP_KINDS = frozenset({"auth", "quota", "missing", "no_logprobs"})
"""Errors that every further request would meet: the run stops."""

OVERLOADED = frozenset({503, 529})
"""Statuses by which a service says that it has too much to do."""

_REMEDIES = {
    "auth": "check the key (its name stands in api_key_env), then run the same command again",
    "quota": "raise the quota or wait for it to renew, then run the same command again",
    "missing": "check the judge's name, address, path or command, then run the same command again",
    "no_logprobs": "set score to point, or choose a judge that gives them; nothing was scored in another way instead",
}


def unusable(judge: str, answer: RawAnswer) -> ProviderFailed:
    """No call can succeed: an error of `STOP_KINDS`.

    Parameters
    ----------
    judge : str
        Provider and model.
    answer : RawAnswer
        What the judge said.

    Returns
    -------
    ProviderFailed
    """
    kind = answer.error_kind or ""
    what = "gives no token probabilities for expected scores" if kind == "no_logprobs" else f"cannot be used ({kind})"
    return ProviderFailed(f"the judge {judge} {what}", seen=answer.error_detail, remedy=_REMEDIES.get(kind))


def too_long_a_pause(seconds: float, answer: RawAnswer) -> ProviderFailed:
    """The judge asks for a longer pause than a run waits."""
    return ProviderFailed(
        f"the judge asks for a pause of {seconds:.0f} s",
        seen=answer.error_detail,
        remedy="run the same command again after that",
    )


def gave_up(kind: str, calls: int, example: str) -> ProviderFailed:
    """Many calls in a row, or all of them, failed."""
    again = "" if kind in RETRYABLE_KINDS else ", asking for failed calls to be sent again"
    return ProviderFailed(
        f"the judge does not answer: {calls} calls failed ({kind})",
        seen=example or kind,
        remedy=f"mend the cause and run the same command again{again}",
    )


def in_batches(calls: int) -> Unfinished:
    """Calls that are to be sent wait in a batch: sent by themselves too, they would be paid twice."""
    return Unfinished(
        f"{calls} of the calls wait in a batch at the provider",
        field="--batch",
        why="they were handed over by an earlier run and are not collected yet",
        remedy="add --batch (in a study: judge.batch: true) to collect them, or --cancel-batches to give them up",
    )


def changed_judge(first: tuple[str | None, str | None], answer: RawAnswer) -> ProviderFailed | None:
    """Whether another judge answers than the one that answered first.

    Parameters
    ----------
    first : (str or None, str or None)
        Served model and system fingerprint of the first answer.
    answer : RawAnswer

    Returns
    -------
    ProviderFailed or None
        None when they are the same, or not told.
    """
    found = (answer.served_model, answer.system_fingerprint)
    changed = [f"{a} became {b}" for a, b in zip(first, found, strict=True) if a and b and a != b]
    if not changed:
        return None
    return ProviderFailed(
        "the judge changed during the run",
        seen=", ".join(changed),
        why="scores of two judges are never pooled: they carry different fingerprints, which calibration refuses",
        remedy="name a dated model that stays the same, and judge all replies again in a new study or output",
    )
