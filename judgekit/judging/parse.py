"""Read a judge's raw answer strictly: a score on the declared levels, or the kind of failure. Never a guess.

A verdict is one JSON object that holds the wanted key, outside the reasoning tags. Nothing is repaired on the judge's
behalf: an object that does not parse, a number as text, a value off the scale or two verdicts that differ are
failures. ``lenient=True`` accepts four harmless repairs and marks the score ``coerced``: a whole number as text
(``"4"``), another case of a key or label, a list around the one verdict, and a bare line break inside a string.

The order of decisions, first match wins:

1. ``finish_reason``: a content filter, a refusal, or the length limit (whatever was received before it: a cut answer
   might have gone on to another verdict).
2. Nothing but white space: ``empty``.
3. Leading reasoning blocks (``<think>...</think>`` and the like) are removed; one that never closes is ``truncated``.
4. Every JSON object outside others is read. One that cannot be read makes the whole answer ``malformed``, even beside
   a good one: it may be the verdict. ``{name}`` in prose is no object.
5. Objects without the wanted key are ignored when another has it. Verdicts that differ are a ``conflict``.
6. No object at all: a refusal in words, the text form (see `verdict_text`) where the format allows it, else ``no_json``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from judgekit.judging.verdict_text import is_refusal, pairwise_in_text, pointwise_in_text
from judgekit.records import Scored, Unscored

__all__ = [
    "DONE_REASONS", "FAILURE_KINDS", "PARSER_VERSION", "SCORE_KEY", "Reading", "object_places", "parse_pairwise",
    "parse_pointwise", "read_pairwise", "read_pointwise",
]  # fmt: skip

PARSER_VERSION = "1"
"""Raised whenever an answer could be read differently; stored with every judgment."""

FAILURE_KINDS = (
    "empty", "refusal", "content_filter", "truncated", "no_json", "malformed", "missing_key", "wrong_type", "non_finite",
    "out_of_range", "off_scale", "conflict", "ambiguous", "no_verdict", "unknown_label",
)  # fmt: skip
"""Every kind an answer can fail with."""

Format = Literal["auto", "json", "text"]
Level = int | str
Verdict = Scored | Unscored

SCORE_KEY = "score"
WINNER_KEY = "winner"
MAX_OBJECTS = 200
PLACEHOLDER_LENGTH = 60
_REASONING = ("think", "thinking", "thought", "reasoning", "reflection", "scratchpad")
_CUT = frozenset({"length", "max_tokens", "max_output_tokens", "model_length"})
_FILTERED = frozenset({"content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii"})
DONE_REASONS = frozenset({"stop", "end_turn", "stop_sequence", "eos", "tool_calls", "tool_use", "function_call"})
"""What providers say, in lower case, of an answer that came to its own end."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer says: an outcome for every dimension asked for, and the judge's own explanation if it gave one."""

    outcomes: Mapping[str, Verdict]
    reason: str | None = None


def parse_pointwise(
    raw: str | None,
    *,
    dimensions: Mapping[str, Sequence[Level]],
    finish_reason: str | None = "stop",
    format: Format = "auto",  # noqa: A002  (the field's word)
    lenient: bool = False,
) -> dict[str, Verdict]:
    """Read the scores of one answer.

    Parameters
    ----------
    raw : str or None
        The answer as it was received.
    dimensions : mapping of str to sequence of (int or str)
        Each dimension asked for and its levels: whole numbers (ordinal) or labels (nominal). With one dimension the
        wanted key is ``score``; with several, each dimension's own name.
    finish_reason : str, optional
        Why the judge stopped, as the provider says.
    format : {'auto', 'json', 'text'}
        ``auto`` reads JSON, and the text form only when the answer has no object and one dimension was asked for.
    lenient : bool
        Accept the four harmless repairs of the module docstring, marked as ``coerced``.

    Returns
    -------
    dict of str to Scored or Unscored
        One outcome for every dimension. An `Unscored.kind` is one of `FAILURE_KINDS`.

    Examples
    --------
    >>> parse_pointwise('{"reason": "kind", "score": 4}', dimensions={"warmth": (1, 2, 3, 4, 5)})
    {'warmth': Scored(value=4, coerced=False, expected=None, distribution=None)}
    >>> parse_pointwise('{"score": 9}', dimensions={"warmth": (1, 2, 3, 4, 5)})["warmth"].kind
    'out_of_range'
    """
    reading = read_pointwise(raw, dimensions=dimensions, finish_reason=finish_reason, format=format, lenient=lenient)
    return dict(reading.outcomes)


def read_pointwise(
    raw: str | None,
    *,
    dimensions: Mapping[str, Sequence[Level]],
    finish_reason: str | None = "stop",
    format: Format = "auto",  # noqa: A002
    lenient: bool = False,
) -> Reading:
    """Read scores and explanation of one answer; parameters as for `parse_pointwise`.

    Returns
    -------
    Reading

    Examples
    --------
    >>> read_pointwise('{"reason": "kind", "score": 4}', dimensions={"warmth": (1, 2, 3, 4, 5)}).reason
    'kind'
    """
    readers = {name: _level_reader(levels, lenient=lenient) for name, levels in dimensions.items()}
    levels = next(iter(dimensions.values()), ())
    return _read(raw, SCORE_KEY, readers, lambda body: pointwise_in_text(body, levels), finish_reason, format, lenient)


def parse_pairwise(
    raw: str | None,
    *,
    finish_reason: str | None = "stop",
    format: Format = "auto",  # noqa: A002
    lenient: bool = False,
) -> Verdict:
    """Read which of two shown replies an answer prefers.

    Parameters
    ----------
    raw : str or None
        The answer as it was received.
    finish_reason : str, optional
        Why the judge stopped.
    format : {'auto', 'json', 'text'}
        As for `parse_pointwise`; the wanted key is ``winner``.
    lenient : bool
        Also accept another case, and 1 or 2 for A or B, marked as ``coerced``.

    Returns
    -------
    Scored or Unscored
        The value is ``A`` (the reply shown first), ``B`` or ``tie``: a position, which `pairwise` maps to the item.

    Examples
    --------
    >>> parse_pairwise('{"winner": "B"}').value, parse_pairwise('{"winner": "neither"}').kind
    ('B', 'unknown_label')
    """
    reading = read_pairwise(raw, dimensions=("",), finish_reason=finish_reason, format=format, lenient=lenient)
    return reading.outcomes[""]


def read_pairwise(
    raw: str | None,
    *,
    dimensions: Sequence[str],
    finish_reason: str | None = "stop",
    format: Format = "auto",  # noqa: A002
    lenient: bool = False,
) -> Reading:
    """Read preferences and explanation of one answer; with several dimensions each has its own key.

    Parameters are those of `parse_pairwise`, and the dimensions asked for.

    Returns
    -------
    Reading
    """
    readers = dict.fromkeys(dimensions, _winner_reader(lenient=lenient))
    return _read(raw, WINNER_KEY, readers, pairwise_in_text, finish_reason, format, lenient)


def _read(
    raw: str | None,
    single_key: str,
    readers: Mapping[str, Callable[[Any], Verdict]],
    in_text: Callable[[str], Verdict],
    finish_reason: str | None,
    format: Format,  # noqa: A002
    lenient: bool,
) -> Reading:
    failed = _stopped_early(raw, finish_reason)
    if failed is not None or raw is None:
        return Reading(dict.fromkeys(readers, failed or Unscored("empty")))
    body = _without_reasoning(raw)
    if body is None:
        return Reading(dict.fromkeys(readers, Unscored("truncated", "the reasoning never ends")))
    single = len(readers) == 1
    found = _Found() if format == "text" else _objects(body, lenient=lenient)
    if found.objects or found.failure is not None:
        outcomes = {
            name: _from_objects(found, single_key if single else name, read, finish_reason, lenient=lenient)
            for name, read in readers.items()
        }
        return Reading(outcomes, _reason(found))
    if single and format != "json":
        return Reading(dict.fromkeys(readers, in_text(body)))
    return Reading(dict.fromkeys(readers, Unscored("refusal") if is_refusal(body) else Unscored("no_json")))


# --- what the answer is made of ------------------------------------------------------------------------------------


def _stopped_early(raw: str | None, finish_reason: str | None) -> Unscored | None:
    reason = (finish_reason or "").lower()
    if reason in _FILTERED:
        return Unscored("content_filter")
    if reason == "refusal":
        return Unscored("refusal")
    if reason in _CUT:
        return Unscored("truncated", "the judge reached its length limit")
    if raw is None or not raw.strip().strip("\ufeff\u200b\u2060"):
        return Unscored("empty")
    return None


def _without_reasoning(raw: str) -> str | None:
    """The answer after its leading reasoning blocks; None when one never closes.

    Only leading blocks are reasoning. A tag further on may be quoted from the judged text, and cutting there would let
    that text choose which verdict is read.
    """
    body = raw.lstrip("\ufeff \t\r\n")
    while (tag := _reasoning_tag(body)) is not None:
        end = body.lower().find(f"</{tag}>")
        if end < 0:
            return None
        body = body[end + len(tag) + 3 :].lstrip()
    return body


def _reasoning_tag(body: str) -> str | None:
    head = body[:16].lower()
    return next((tag for tag in _REASONING if head.startswith(f"<{tag}>")), None)


class _NonFinite:
    """NaN or an infinity in the place of a number."""


_NON_FINITE = _NonFinite()


class _Pairs(list[tuple[str, Any]]):
    """A JSON object with its keys in order, duplicates kept."""


def _number(text: str) -> int | Decimal | _NonFinite:
    if text.lstrip("-").isdigit():
        return int(text) if len(text) <= 20 else Decimal(text)
    return Decimal(text) if math.isfinite(float(text)) else _NON_FINITE


def _decoder(*, strict: bool) -> Callable[[str, int], tuple[Any, int]]:
    return json.JSONDecoder(
        object_pairs_hook=_Pairs,
        parse_int=_number,
        parse_float=_number,
        parse_constant=lambda _: _NON_FINITE,
        strict=strict,
    ).raw_decode


_STRICT = _decoder(strict=True)
_RELAXED = _decoder(strict=False)


@dataclass(slots=True)
class _Found:
    """Objects outside others in order, which of them needed a repair, and what could not be read."""

    objects: list[tuple[_Pairs, bool]]
    places: list[int]
    failure: str | None
    unfinished: bool

    def __init__(self) -> None:
        self.objects, self.places = [], []
        self.failure = None
        self.unfinished = False


def _objects(body: str, *, lenient: bool) -> _Found:
    found = _Found()
    at = body.find("{")
    seen = 0
    while at >= 0:
        seen += 1
        if seen > MAX_OBJECTS:
            found.failure = f"more than {MAX_OBJECTS} objects"
            return found
        close = _placeholder_end(body, at)
        if close:
            at = body.find("{", close)
            continue
        try:
            value, end, relaxed = _decode(body, at, lenient=lenient)
        except ValueError as problem:
            found.failure = str(getattr(problem, "msg", problem))
            found.unfinished = getattr(problem, "pos", 0) >= len(body.rstrip()) or "Unterminated" in found.failure
            return found
        except RecursionError:
            found.failure = "nested too deeply"
            return found
        in_list = body[:at].rstrip()[-1:] in {"[", ","} and body[end:].lstrip()[:1] in {"]", ","}
        found.objects.append((value, relaxed or in_list))
        found.places.append(at)
        at = body.find("{", end)
    return found


def object_places(raw: str, *, lenient: bool = False) -> list[int]:
    """Where the objects that may be verdicts begin in an answer, in characters."""
    body = _without_reasoning(raw)
    return [] if body is None else [len(raw) - len(body) + at for at in _objects(body, lenient=lenient).places]


def _decode(body: str, at: int, *, lenient: bool) -> tuple[_Pairs, int, bool]:
    try:
        value, end = _STRICT(body, at)
    except json.JSONDecodeError as problem:
        if not lenient or not problem.msg.startswith("Invalid control character"):
            raise
        value, end = _RELAXED(body, at)
        return value, end, True
    return value, end, False


def _placeholder_end(body: str, at: int) -> int:
    """Where ``{name}`` or ``{like this}`` ends, 0 when an object may start here."""
    close = body.find("}", at + 1, at + PLACEHOLDER_LENGTH)
    inside = body[at + 1 : close] if close > 0 else ""
    if close > 0 and inside.strip() and not any(mark in inside for mark in "{\"'“”‘’:="):
        return close + 1
    return 0


def _reason(found: _Found) -> str | None:
    texts = [v for pairs, _ in found.objects for k, v in pairs if k == "reason" and isinstance(v, str)]
    return texts[-1] if texts else None


# --- from objects to one outcome -----------------------------------------------------------------------------------


def _from_objects(
    found: _Found,
    key: str,
    read: Callable[[Any], Verdict],
    finish_reason: str | None,
    *,
    lenient: bool,
) -> Verdict:
    if found.failure is not None:
        cut = found.unfinished and (finish_reason or "").lower() not in DONE_REASONS
        return Unscored("truncated" if cut else "malformed", found.failure)
    verdicts = [
        (value, repaired, name != key)
        for pairs, repaired in found.objects
        for name, value in pairs
        if name == key or (lenient and name.casefold() == key.casefold())
    ]
    if not verdicts:
        return Unscored("missing_key", f"no key {key!r}")
    outcomes = [
        _flagged(read(value), repaired, other_case, lenient=lenient) for value, repaired, other_case in verdicts
    ]
    first = outcomes[0]
    if all(_same(first, other) for other in outcomes[1:]):
        return next((o for o in outcomes if isinstance(o, Scored) and o.coerced), first)
    return Unscored("conflict", f"{len(outcomes)} verdicts that differ")


def _flagged(outcome: Verdict, repaired: bool, other_case: bool, *, lenient: bool) -> Verdict:
    if isinstance(outcome, Unscored) or not (repaired or other_case):
        return outcome
    if not lenient:
        return Unscored("wrong_type", "the verdict stands in a list")
    return Scored(outcome.value, coerced=True)


def _same(a: Verdict, b: Verdict) -> bool:
    if isinstance(a, Scored) and isinstance(b, Scored):
        return a.value == b.value
    return isinstance(a, Unscored) and isinstance(b, Unscored) and a.kind == b.kind


def _level_reader(levels: Sequence[Level], *, lenient: bool) -> Callable[[Any], Verdict]:
    numbers = [level for level in levels if isinstance(level, int)]
    if numbers:
        return lambda value: _ordinal(value, numbers, lenient=lenient)
    labels = [str(level) for level in levels]
    return lambda value: _nominal(value, labels, lenient=lenient)


def _ordinal(value: Any, levels: Sequence[int], *, lenient: bool) -> Verdict:
    if value is _NON_FINITE:
        return Unscored("non_finite")
    if lenient and isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 20:
        inner = _ordinal(int(value), levels, lenient=False)
        return Scored(inner.value, coerced=True) if isinstance(inner, Scored) else inner
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        return Unscored("wrong_type", type(value).__name__ if not isinstance(value, _Pairs) else "object")
    if not min(levels) <= value <= max(levels):
        return Unscored("out_of_range")
    for level in levels:
        if value == level:
            return Scored(level)
    return Unscored("off_scale")


def _nominal(value: Any, labels: Sequence[str], *, lenient: bool) -> Verdict:
    if not isinstance(value, str):
        return Unscored("non_finite" if value is _NON_FINITE else "wrong_type")
    if value in labels:
        return Scored(value)
    folded = [label for label in labels if label.casefold() == value.strip().casefold()]
    if lenient and len(folded) == 1:
        return Scored(folded[0], coerced=True)
    return Unscored("unknown_label")


def _winner_reader(*, lenient: bool) -> Callable[[Any], Verdict]:
    def read(value: Any) -> Verdict:
        if lenient and not isinstance(value, bool) and isinstance(value, int) and value in {1, 2}:
            return Scored("AB"[value - 1], coerced=True)
        if value is None or isinstance(value, (bool, list)):
            return Unscored("wrong_type")
        if not isinstance(value, str):
            return Unscored("unknown_label")
        return _nominal(value, ("A", "B", "tie"), lenient=lenient)

    return read
