"""Metrics that are counted on the masked text, so that a longer name or a title cannot move them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import regex

from judgekit.probing.structured import PATTERN_KINDS, read_variable
from judgekit.records import Scored, Unscored
from judgekit.study_measured import Measured

__all__ = ["measure"]

_WORD = r"\[[A-Z][A-Z0-9_]*\]|[\p{L}\p{N}\p{M}]+(?:['’\-][\p{L}\p{N}\p{M}]+)*"
_TIMEOUT = 2.0


def measure(text: str, metric: Measured, lang: str = "en") -> Scored | Unscored:
    """Measure one masked text.

    Parameters
    ----------
    text : str
        A masked reply; each placeholder counts as one word.
    metric : Measured
        ``word_count`` (words), ``count`` (occurrences of its terms), ``binary`` (1.0 yes, 0.0 no), or a structured variable,
        as `structured.read_variable` reads it.
    lang : str
        The text's language.

    Returns
    -------
    Scored or Unscored
        ``no_match`` when a binary metric finds neither phrase, ``conflict`` when it finds both, ``timeout`` when
        matching took too long. Never a default.

    Examples
    --------
    >>> measure("Hi [PERSON_1], your refund is on its way.", Measured(kind="word_count"))
    Scored(value=8.0, ...)
    >>> measure("We cannot refund it.", Measured(kind="binary", positive=["will refund"], negative=["cannot refund"]))
    Scored(value=0.0, ...)
    """
    if metric.kind in PATTERN_KINDS:
        return read_variable(text, metric, lang)
    if metric.kind == "extracted":
        raise ValueError("an extracted variable is read by a model; see extraction_stage")
    try:
        if metric.kind == "word_count":
            return Scored(float(sum(1 for _ in _words().finditer(text, timeout=_TIMEOUT))))
        if metric.kind == "count":
            return Scored(float(_hits(text, tuple(metric.terms))))
        yes, no = _hits(text, tuple(metric.positive)) > 0, _hits(text, tuple(metric.negative)) > 0
    except TimeoutError:
        return Unscored("timeout", f"matching took over {_TIMEOUT:g} s")
    if yes == no:
        return Unscored("conflict" if yes else "no_match")
    return Scored(1.0 if yes else 0.0)


@lru_cache(maxsize=1)
def _words() -> Any:
    return regex.compile(_WORD)


@lru_cache(maxsize=256)
def _phrases(terms: tuple[str, ...]) -> Any:
    longest_first = sorted(terms, key=lambda t: (-len(t), t))
    joined = "|".join(regex.escape(t).replace(r"\ ", r"\s+") for t in longest_first)
    return regex.compile(rf"(?<![\p{{L}}\p{{N}}])(?:{joined})(?![\p{{L}}\p{{N}}])", regex.IGNORECASE)


def _hits(text: str, terms: tuple[str, ...]) -> int:
    return sum(1 for _ in _phrases(terms).finditer(text, timeout=_TIMEOUT))
