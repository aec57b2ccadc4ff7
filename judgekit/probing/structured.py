"""Structured variables: what a reply decides, offers and asks for, read by patterns in English and Spanish.

The patterns are data (``data/structured``); phrases of the study take the place of those of one kind. A reply in which
nothing is found has no value where silence means nothing (a decision, a refund), and the value 0 where silence is an
answer (no escalation, no refusal, no condition). Failures have a kind and are counted by group; none becomes a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import regex

from judgekit.data import bundled
from judgekit.records import Scored, Unscored
from judgekit.rubric import load_yaml
from judgekit.study_measured import Measured

__all__ = ["LANGUAGES", "PATTERN_KINDS", "read_variable"]

LANGUAGES = ("en", "es")
"""Languages that there are patterns for."""

PATTERN_KINDS = frozenset(
    {"decision", "refund", "escalation", "options", "conditions", "evidence", "hedges", "refusal", "number"}
)
"""Kinds of `Measured` that this module reads."""

_TIMEOUT = 2.0
_COUNTED = frozenset({"conditions", "hedges"})
_PRESENT = frozenset({"escalation", "evidence", "refusal"})
_LEVELS = ("no", "refer", "yes")  # in the order in which they are looked for
_LISTED = regex.compile(r"^\s{0,8}(?:[-*•–]|\(?(?:\d{1,2}|[a-h])[.)])\s+\S", regex.MULTILINE)
_NUMBER = r"(?:{terms})\W{{0,6}}(?:\w+\W{{1,3}}){{0,2}}?(?<n>[-−]?\d{{1,9}}(?:[.,]\d{{1,6}})?)"


def read_variable(text: str, metric: Measured, lang: str) -> Scored | Unscored:
    """Read one structured variable from one masked text.

    Parameters
    ----------
    text : str
        A masked reply.
    metric : Measured
        Of one of `PATTERN_KINDS`.
    lang : str
        The reply's language.

    Returns
    -------
    Scored or Unscored
        ``decision``: the label yes, no or refer. ``refund``: 1.0 granted, 0.0 refused. ``escalation``, ``evidence``,
        ``refusal``: 1.0 where it stands there, else 0.0. ``options``, ``conditions``, ``hedges``: how many.
        ``number``: the number after one of the terms. Unscored: ``no_match``, ``conflict``, ``language`` (no patterns
        for it, and no phrases in the study), ``timeout``.

    Examples
    --------
    >>> read_variable("I am sorry, we cannot approve this.", Measured(kind="decision"), "en").value
    'no'
    >>> read_variable("Puede elegir entre tres fechas.", Measured(kind="options"), "es").value
    3.0
    >>> read_variable("Score: 4 of 5.", Measured(kind="number", terms=["score"]), "en").value
    4.0
    """
    base = lang.split("-", maxsplit=1)[0].lower()
    if base not in LANGUAGES and not _own(metric):
        return Unscored("language", f"there are no patterns for {base}")
    try:
        return _read(text, metric, base)
    except TimeoutError:
        return Unscored("timeout", f"matching took over {_TIMEOUT:g} s")


def _own(metric: Measured) -> bool:
    """Whether the study's own phrases are enough, so that the language does not matter."""
    if metric.kind == "decision":
        return bool(metric.positive and metric.negative)
    return bool(metric.positive and metric.negative) if metric.kind == "refund" else bool(metric.terms)


def _read(text: str, metric: Measured, lang: str) -> Scored | Unscored:
    kind = metric.kind
    if kind == "number":
        return _one_number(text, tuple(metric.terms))
    if kind in {"decision", "refund"}:
        return _one_of(text, metric, lang)
    if kind == "options":
        return Scored(float(len(_found(text, _phrases(tuple(metric.terms)))) if metric.terms else _options(text, lang)))
    hits = len(_found(text, _pattern(kind, tuple(metric.terms), lang)))
    return Scored(float(hits) if kind in _COUNTED else float(hits > 0))


def _one_of(text: str, metric: Measured, lang: str) -> Scored | Unscored:
    """The one answer that stands there; what an earlier one covers is not read again."""
    own = {"no": metric.negative, "refer": metric.refer, "yes": metric.positive}
    stated: Mapping[str, Any] = _data(lang)[metric.kind] if lang in LANGUAGES else {}
    names = {"no": "no", "refer": "refer", "yes": "yes"}
    if metric.kind == "refund":
        names = {"no": "negative", "yes": "positive"}
    met = []
    for level in _LEVELS:
        if level not in names:
            continue
        phrases = tuple(own[level])
        bundled_ones = tuple(stated.get(names[level], ()))
        if not phrases and not bundled_ones:
            continue
        spans = _found(text, _phrases(phrases) if phrases else _joined(bundled_ones))
        if spans:
            met.append(level)
            text = _blanked(text, spans)
    if len(met) != 1:
        return Unscored("conflict", " and ".join(met)) if met else Unscored("no_match")
    return Scored(met[0]) if metric.kind == "decision" else Scored(1.0 if met[0] == "yes" else 0.0)


def _one_number(text: str, terms: tuple[str, ...]) -> Scored | Unscored:
    seen = {
        float(found["n"].replace("−", "-").replace(",", "."))
        for found in _after(terms).finditer(text, timeout=_TIMEOUT)
    }
    if len(seen) == 1:
        return Scored(seen.pop())
    return Unscored("conflict", f"{len(seen)} different numbers") if seen else Unscored("no_match")


def _options(text: str, lang: str) -> int:
    """How many options a reply offers: those it lists, marks, counts or joins by "or", whichever are most."""
    data = _data(lang)
    words: Mapping[str, int] = data["numbers"]
    listed = len(_found(text, _LISTED))
    marked = len({m.group().casefold() for m in _matches(text, data["options"]["marked"])})
    counted = [_value(m["n"], words) for m in _matches(text, data["options"]["choose"])]
    joined = 0
    for sentence in regex.split(r"(?<=[.!?;\n])\s", text, timeout=_TIMEOUT):
        if _matches(sentence, data["options"]["alternatives"]):
            joined = max(joined, 1 + len(_matches(sentence, data["options"]["joined"])))
    return max([listed, marked, joined if joined > 1 else 0, *counted])


def _value(said: str, words: Mapping[str, int]) -> int:
    return int(said) if said.isdecimal() else words[said.casefold()]


def _found(text: str, pattern: Any) -> list[tuple[int, int]]:
    return [found.span() for found in pattern.finditer(text, timeout=_TIMEOUT)]


def _matches(text: str, pattern: str) -> list[Any]:
    return list(_joined((pattern,)).finditer(text, timeout=_TIMEOUT))


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for start, end in spans:
        pieces += [text[at:start], "\n" if "\n" in text[start:end] else " ¦ "]
        at = end
    return "".join([*pieces, text[at:]])


def _pattern(kind: str, terms: tuple[str, ...], lang: str) -> Any:
    return _phrases(terms) if terms else _joined(tuple(_data(lang)[kind]))


@lru_cache(maxsize=256)
def _joined(patterns: tuple[str, ...]) -> Any:
    """One pattern of several, between word borders; a space stands for any white space."""
    spaced = "|".join(f"(?:{pattern})" for pattern in patterns).replace(" ", r"\s+")
    return regex.compile(rf"(?<![\p{{L}}\p{{N}}])(?:{spaced})(?![\p{{L}}\p{{N}}])", regex.IGNORECASE)


@lru_cache(maxsize=256)
def _phrases(terms: tuple[str, ...]) -> Any:
    return _joined(tuple(_escaped(terms)))


@lru_cache(maxsize=64)
def _after(terms: tuple[str, ...]) -> Any:
    spaced = "|".join(_escaped(terms)).replace(" ", r"\s+")
    return regex.compile(r"(?<![\p{L}\p{N}])" + _NUMBER.format(terms=spaced), regex.IGNORECASE)


def _escaped(terms: Sequence[str]) -> Iterator[str]:
    for term in sorted(terms, key=lambda t: (-len(t), t)):
        yield regex.escape(term, literal_spaces=True)


@lru_cache(maxsize=len(LANGUAGES))
def _data(lang: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = load_yaml(bundled("structured") / f"{lang}.yaml")
    return found
