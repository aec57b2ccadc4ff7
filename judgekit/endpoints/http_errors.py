"""What an HTTP service's refusals mean for a run: the kind of error, and how long to wait."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import regex

from judgekit.endpoints.base import RawAnswer
from judgekit.endpoints.http import Reply, Secret
from judgekit.printable import printable

__all__ = ["Refusal", "read_refusal", "refused", "retry_after"]

_TIME_LIMIT = 0.5
_SAID = 400  # characters of an error text that are kept

_QUOTA = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error", "quota_exceeded"}
)
_QUOTA_WORDS = (
    "credit balance is too low",
    "insufficient credits",
    "insufficient balance",
    "exceeded your current quota",
)
_CONTEXT = frozenset(
    {"context_length_exceeded", "exceed_context_size_error", "request_too_large", "string_above_max_length"}
)
_CONTEXT_WORDS = (
    "context length", "context window", "context size", "prompt is too long", "input is too long", "too many tokens",
    "maximum number of tokens", "reduce the length",
)  # fmt: skip
_MODEL = frozenset({"model_not_found", "deploymentnotfound", "not_found_error"})
_FILTERED = frozenset({"content_filter", "content_policy_violation", "responsibleaipolicyviolation"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """What an error body says: its message, and its code, type and parameter in lower case."""

    message: str
    code: str = ""
    type: str = ""
    param: str = ""

    @property
    def names(self) -> frozenset[str]:
        """Code and type."""
        return frozenset({self.code, self.type}) - {""}


def read_refusal(body: bytes | object) -> Refusal:
    """Read an error body in the forms that services use; anything else is its text.

    Parameters
    ----------
    body : bytes or object
        As received, or the document in it.

    Returns
    -------
    Refusal

    Examples
    --------
    >>> read_refusal(b'{"error": {"message": "No.", "code": "context_length_exceeded"}}').code
    'context_length_exceeded'
    >>> read_refusal(b"<h1>Bad Gateway</h1>").message
    'Bad Gateway'
    """
    document: Any = body
    if isinstance(body, bytes):
        try:
            document = json.loads(body)
        except (ValueError, RecursionError):
            return Refusal(_plain(body[:4096].decode("utf-8", "replace")))
    if isinstance(document, list) and document:
        document = document[0]
    if not isinstance(document, Mapping):
        return Refusal(_text(document))
    error = document.get("error", document)
    if not isinstance(error, Mapping):
        return Refusal(_text(error))
    inner = error.get("innererror")
    code = error.get("code") or (inner.get("code") if isinstance(inner, Mapping) else None)
    message = error.get("message") or error.get("detail") or error.get("error") or ""
    return Refusal(_text(message), _name(code), _name(error.get("type")), _name(error.get("param")))


def _plain(text: str) -> str:
    try:
        return " ".join(regex.sub(r"<[^<>]{0,200}>", " ", text, timeout=_TIME_LIMIT).split())
    except TimeoutError:
        return text


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=True, default=str)


def _name(value: object) -> str:
    return str(value).lower() if isinstance(value, (str, int)) and not isinstance(value, bool) else ""


def refused(reply: Reply, *, secret: Secret | None, now: float) -> RawAnswer:
    """The answer that a reply other than 200 stands for.

    Parameters
    ----------
    reply : Reply
    secret : Secret or None
        The key that was sent; hidden where the service quotes it.
    now : float
        Seconds since 1970, for pauses given as a date.

    Returns
    -------
    RawAnswer
        With an error kind, or, where a content filter refused the text, an empty answer that ended so.
    """
    refusal = read_refusal(reply.body)
    said = secret.hide(refusal.message) if secret else refusal.message
    detail = f"HTTP {reply.status}: {printable(said[:_SAID])}".rstrip(": ")
    if reply.status in {400, 403, 422} and refusal.names & _FILTERED:
        # The service read the text and would not judge it: an outcome of that row, not a fault of the run.
        return RawAnswer(raw="", status=reply.status, finish_reason="content_filter", error_detail=detail)
    kind = kind_of(reply.status, refusal)
    waits = kind in {"rate_limit", "server"}
    return RawAnswer(
        raw=None,
        status=reply.status,
        error_kind=kind,
        error_detail=detail,
        retry_after=retry_after(reply.headers, now=now, limited=kind == "rate_limit") if waits else None,
    )


def kind_of(status: int, refusal: Refusal) -> str:
    """The error kind of a status and what was said with it; see `judgekit.endpoints.base.RawAnswer`.

    Examples
    --------
    >>> kind_of(429, Refusal("Slow down")), kind_of(429, Refusal("Pay first", code="insufficient_quota"))
    ('rate_limit', 'quota')
    """
    said = refusal.message.lower()
    if status == 402 or refusal.names & _QUOTA or (status in {400, 403} and any(w in said for w in _QUOTA_WORDS)):
        return "quota"
    if status in {401, 403, 407}:
        return "auth"
    if status == 429:
        return "rate_limit"
    if status in {408, 409, 425} or status >= 500:
        return "server"
    if status == 413 or refusal.names & _CONTEXT or any(words in said for words in _CONTEXT_WORDS):
        return "context_length"
    # A redirect is not followed, since the key would go along: the address is wrong, for every request alike.
    if status < 400 or status in {404, 405, 410} or refusal.names & _MODEL:
        return "missing"
    return "bad_request"


# --- how long to wait ----------------------------------------------------------------------------------------------

_DURATION = regex.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d*)?)s)?(?:(\d+(?:\.\d*)?)ms)?")
_IN_SECONDS = (86400.0, 3600.0, 60.0, 1.0, 0.001)


def retry_after(headers: Mapping[str, str], *, now: float, limited: bool = True) -> float | None:
    """Seconds that a service asks to wait.

    Parameters
    ----------
    headers : mapping of str to str
        With lower-case names. Read are ``retry-after-ms``, ``retry-after`` (seconds, with or without decimals, or an
        HTTP date) and, for a rate limit without either, the times at which a limit that is used up renews:
        ``x-ratelimit-reset-*``, ``anthropic-ratelimit-*-reset``, ``ratelimit-reset``.
    now : float
        Seconds since 1970. A ``date`` header is preferred, so that two clocks need not agree.
    limited : bool
        Whether the service said that it is asked too often.

    Returns
    -------
    float or None
        The longest of several; None when nothing is asked for, or nothing that can be read.

    Examples
    --------
    >>> retry_after({"retry-after": "2", "retry-after-ms": "1500"}, now=0)
    2.0
    >>> retry_after({"retry-after": "Thu, 01 Jan 1970 00:00:09 GMT"}, now=4.5)
    4.5
    >>> retry_after({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m2s"}, now=0)
    62.0
    """
    served = _date(headers.get("date", ""))
    here = now if served is None else served
    asked: list[float] = []
    millis = _float(headers.get("retry-after-ms", ""))
    if millis is not None:
        asked.append(millis / 1000)
    given = headers.get("retry-after", "").strip()
    seconds = _float(given)
    date = None if seconds is not None else _date(given)
    if seconds is not None:
        asked.append(seconds)
    elif date is not None:
        asked.append(date - here)
    if not asked and limited:
        asked = _resets(headers, here)
    return max(0.0, *asked) if asked else None


def _float(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _date(text: str) -> float | None:
    try:
        found = parsedate_to_datetime(text) if text else None
    except (ValueError, TypeError, OverflowError):
        return None
    if found is None:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _resets(headers: Mapping[str, str], here: float) -> list[float]:
    found = []
    for name, text in headers.items():
        if "ratelimit" not in name or "reset" not in name:
            continue
        left = headers.get(name.replace("reset", "remaining"))
        # A limit with room left is not the one that was met.
        if left is not None and (_float(left) or 0.0) > 0:
            continue
        wait = _renews(text.strip(), here)
        if wait is not None:
            found.append(wait)
    return found


def _renews(text: str, here: float) -> float | None:
    """Seconds until a limit renews: given so, as ``6m0s``, as seconds since 1970, or as a moment in ISO 8601."""
    seconds = _float(text)
    if seconds is not None:
        return seconds - here if seconds > 1e9 else seconds
    if not text or len(text) > 40:
        return None
    parts = _DURATION.fullmatch(text, timeout=_TIME_LIMIT)
    if parts is not None:
        return sum(float(value) * unit for value, unit in zip(parts.groups(), _IN_SECONDS, strict=True) if value)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - here
