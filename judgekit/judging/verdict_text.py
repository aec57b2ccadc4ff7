"""Verdicts in plain words: the whole answer is the number, or the number is labelled, or it is N/max or N out of max.

Any other digit is no score. Every pattern runs on foreign text, so each has a time limit; reaching it means
``ambiguous``, never a score.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import regex

from judgekit.records import Scored, Unscored

__all__ = ["is_refusal", "pairwise_in_text", "pointwise_in_text"]


class _Lazy:
    """A pattern compiled at its first use: together they take a fifth of a second."""

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source, self._flags = source, flags

    @cached_property
    def now(self) -> Any:
        return regex.compile(self._source, self._flags)


TIME_LIMIT = 0.25
TEXT_LIMIT = 50_000
_REFUSAL_WINDOW = 400

_MARKS = r"""[\s*_`"'“”\[\(«]{0,12}"""
_NUMBER = r"(?P<sign>[-+\u2212\u2010\u2011\u2012\u2013\u2014\uFE63\uFF0D]\s?)?(?P<number>[0-9]+(?:[.,][0-9]+)?)"
_OPENERS = r"(?:(?:my|the|its|final|overall|total|mi|la|el|puntuación|nota)\s+){0,3}"
_START = r"(?:^|[\n.!?:;,—–(*_#>]|\b(?:so|thus|hence|therefore|and|but|por\s+tanto|así\s+que|y|pero)\b)[\s*_#>`]{0,8}"
_NOUN = r"(?:score|rating|grade|puntuaci[oó]n|calificaci[oó]n|valoraci[oó]n|nota)(?:\s+final|\s+overall)?"
_LINK = r"(?:\s*\([^()\n]{1,30}\))?[*_`\s]{0,4}(?:[:=]|\b(?:is|would\s+be|es|ser[ií]a)\b(?!\s*[:=]))"
_LABEL = _Lazy(_START + _OPENERS + _NOUN + _LINK + _MARKS + _NUMBER, regex.IGNORECASE)
_FILLERS = (
    r"(?:(?:it|this|that|the|reply|response|message|answer|text|a|an|score|rating|warmth|quality|of|as|at|with|to|"
    r"le|la|esta|este|una?|un|respuesta|nota|puntuación|de|con)\s+){0,6}"
)
_VERB = _Lazy(
    r"(?<!\w)(?:(?:I|we)(?:['’]d|['’]ll|\s+would|\s+will|\s+therefore)?\s+(?:give|rate|score|assign|award|say)|"
    r"(?:it|this|(?:reply|response|message))\s+(?:gets|deserves|earns|merits)|"
    r"(?:le\s+)?(?:doy|pongo|pondría|daría|asigno))\s+" + _FILLERS + _MARKS + _NUMBER,
    regex.IGNORECASE,
)
_VERB_ENDS = _Lazy(
    r"""\s*(?:$|[\n.,;:!?)\]*_`"'”»/%-]|[\u2010-\u2015\u2212]|(?:stars?|points?|out|of|or|to|and|for|because|since|as|overall|on|in|"""
    r"here|with|given|but|puntos?|estrellas?|sobre|de|por|porque|pero|y|o|a)\b)",
    regex.IGNORECASE,
)
_FRACTION = _Lazy(
    r"(?<![\w./,-])(?P<number>[0-9]+(?:[.,][0-9]+)?)\s*(?P<by>/|out\s+of|sobre)\s*(?P<max>[0-9]+)(?![\w/-]|[.,][0-9])"
    r"(?=\s*(?:$|[\n.,;:!?)\]*_`\"'»]|(?:stars?|points?|for|because|since|as|overall|puntos?|estrellas?|por|porque)\b))",
    regex.IGNORECASE,
)
_NO_FRACTION_AFTER = _Lazy(
    r"(?:\b(?:on|by|since|until|till|from|dated?|before|after|not|never|than|step|part|page|item|question|chapter|"
    r"version|no|paso|parte|página|desde|hasta)|#)\s*$",
    regex.IGNORECASE,
)
_AFTER = _Lazy(
    r"""[*_`"'”\]\)»]{0,6}\s{0,3}(?:"""
    r"(?P<fraction>(?:/|out\s+of\b|sobre\b)\s*(?P<max>[0-9]+(?:[.,][0-9]+)?))|"
    r"(?P<range>(?:[-\u2010-\u2015\u2212~/&]|to\b|or\b|and\b|a\b|o\b|y\b|,)\s*[0-9])|"
    r"(?P<percent>%))",
    regex.IGNORECASE,
)
_SUPPOSED = _Lazy(
    r"""[*_`"'”\]\)»]{0,6}\s+(?:would|might|could|may|seems?|is\s+(?:too|not)|isn['’]t|sería|parece|no\s+es|es\s+demasiado)\b""",
    regex.IGNORECASE,
)
_ATTACHED = _Lazy(r"[\p{L}\p{N}_]|[./:-][0-9]")
_WHOLE = _Lazy(r"""[\s*_`"'“”\[\(«]{0,12}""" + _NUMBER, regex.IGNORECASE)
_REFUSAL = _Lazy(
    r"(?:\b(?:I|we)\s*(?:['’]m\s+|\s+am\s+)?(?:sorry,?\s+(?:but\s+)?I\s*)?"
    r"(?:can\s?not|can['’]?t|won['’]?t|will\s+not|am\s+not\s+able\s+to|['’]m\s+not\s+able\s+to|(?:am\s+|['’]m\s+)?unable\s+to|"
    r"must\s+decline\s+to|decline\s+to|refuse\s+to)\s+"
    r"(?:rate|score|judge|grade|evaluate|assess|help|assist|comply|provide|complete|continue|do|engage|answer|fulfil)|"
    r"\bno\s+(?:puedo|me\s+es\s+posible|podemos)\s+"
    r"(?:valorar|puntuar|calificar|evaluar|juzgar|ayudar|ayudarle|ayudarte|hacer|cumplir|responder|continuar|dar))",
    regex.IGNORECASE,
)
_TIE = r"(?:an?\s+|un\s+)?(?:tie|draw|empate)\b"
_PAIR_LABEL = _Lazy(
    r"(?i:(?<!\w)(?:winner|verdict|choice|preference|better\s+(?:reply|response|answer)|ganador[a]?|veredicto|elección)"
    r"(?:\s+final)?[*_`\s]{0,4}(?:[:=]|\b(?:is|es)\b)(?!\s*(?:not|no)\b)[\s*_`\"'“\[\(«]{0,12})"
    r"(?:(?P<tie>(?i:"
    + _TIE
    + r"))|(?i:(?:reply|response|answer|option|assistant|respuesta)\s+)?(?P<side>[AB])(?![\w'’/&-]))"
    r"(?=(?P<rest>.{0,40}))"
)
_PAIR_TIE = _Lazy(
    r"(?<!\w)(?:it['’]s|it\s+is|this\s+is|call\s+it|es)\s+" + r"(?:an?|un)\s+(?:tie|draw|empate)\b", regex.IGNORECASE
)
_NO_TIE_AFTER = _Lazy(r"(?:\bnot|n['’]t|\bnever|\bif|\bwhether|\bno|\bsi)\b[^.!?\n]{0,40}$", regex.IGNORECASE)
_PAIR_BRACKET = _Lazy(r"\[\[\s*(?:(?P<side>[AB])|(?P<tie>(?i:tie|C)))\s*\]\]")
_PAIR_WHOLE = _Lazy(
    r"""[\s*_`"'“”\[\(«]*(?:(?P<tie>(?i:"""
    + _TIE
    + r"))|(?i:(?:reply|response|answer|option|respuesta)\s+)?(?P<side>[AB]))"
    r"""[\s*_`"'“”\]\)».!]*"""
)
_SIDE_ENDS = _Lazy(
    r"""\s*(?:$|[\n.;:!)\]"'”*_`»]|,(?!\s*[AB]\b)|\((?!\s*[AB]\b)|[—–-]\s|(?:because|since|as|with|by|over|for|wins?|porque|por)\b)""",
    regex.IGNORECASE,
)


def is_refusal(text: str) -> bool:
    """Whether an answer begins by declining to judge.

    Parameters
    ----------
    text : str
        The answer without its reasoning.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_refusal("I'm sorry, but I can't rate this message."), is_refusal("I can't fault this reply.")
    (True, False)
    """
    try:
        return _REFUSAL.now.search(text[:_REFUSAL_WINDOW], timeout=TIME_LIMIT) is not None
    except TimeoutError:
        return False


def pointwise_in_text(text: str, levels: Sequence[int | str]) -> Scored | Unscored:
    """Read the one score of an answer in words.

    Parameters
    ----------
    text : str
        The answer without its reasoning.
    levels : sequence of int or str
        The declared levels.

    Returns
    -------
    Scored or Unscored
        Kinds: ``no_verdict``, ``ambiguous``, ``conflict``, ``out_of_range``, ``off_scale``, ``refusal``.

    Examples
    --------
    >>> pointwise_in_text("I'd give it 3 out of 5, not 5.", (1, 2, 3, 4, 5)).value
    3
    >>> pointwise_in_text("4-5", (1, 2, 3, 4, 5)).kind
    'ambiguous'
    """
    if len(text) > TEXT_LIMIT:
        return Unscored("no_verdict", f"more than {TEXT_LIMIT} characters without an object")
    numbers = [level for level in levels if isinstance(level, int)]
    try:
        if not numbers:
            return _label_in_text(text, [str(level) for level in levels])
        return _number_in_text(text, numbers)
    except TimeoutError:
        return Unscored("ambiguous", "the time limit for reading was reached")


def pairwise_in_text(text: str) -> Scored | Unscored:
    """Read which reply an answer in words prefers: ``A``, ``B`` or ``tie``.

    Parameters
    ----------
    text : str
        The answer without its reasoning.

    Returns
    -------
    Scored or Unscored
        Kinds: ``no_verdict``, ``conflict``, ``refusal``, ``ambiguous``.

    Examples
    --------
    >>> pairwise_in_text("As a judge, I weighed both. The final verdict is B.").value
    'B'
    """
    if len(text) > TEXT_LIMIT:
        return Unscored("no_verdict", f"more than {TEXT_LIMIT} characters without an object")
    try:
        whole = _PAIR_WHOLE.now.fullmatch(text, timeout=TIME_LIMIT)
        if whole:
            return Scored("tie" if whole["tie"] else whole["side"])
        found = [
            "tie" if m["tie"] else m["side"]
            for m in _PAIR_LABEL.now.finditer(text, timeout=TIME_LIMIT)
            if m["tie"] or _SIDE_ENDS.now.match(m["rest"], timeout=TIME_LIMIT)
        ]
        found += [
            "tie"
            for m in _PAIR_TIE.now.finditer(text, timeout=TIME_LIMIT)
            if not _NO_TIE_AFTER.now.search(text[max(0, m.start() - 60) : m.start()], timeout=TIME_LIMIT)
        ]
        found += ["tie" if m["tie"] else m["side"] for m in _PAIR_BRACKET.now.finditer(text, timeout=TIME_LIMIT)]
    except TimeoutError:
        return Unscored("ambiguous", "the time limit for reading was reached")
    if not found:
        return Unscored("refusal") if is_refusal(text) else Unscored("no_verdict")
    return Scored(found[0]) if len(set(found)) == 1 else Unscored("conflict", "verdicts that differ")


def _number_in_text(text: str, levels: Sequence[int]) -> Scored | Unscored:
    whole = _WHOLE.now.match(text, timeout=TIME_LIMIT)
    if whole:
        outcome, end = _outcome(whole, text, levels)
        if not text[end:].strip(" \t\r\n*_`\"'”]).!»"):
            return outcome
    labelled = [_outcome(m, text, levels)[0] for m in _LABEL.now.finditer(text, timeout=TIME_LIMIT)]
    refused = is_refusal(text)
    if not refused:
        labelled += [
            _outcome(m, text, levels)[0]
            for m in _VERB.now.finditer(text, timeout=TIME_LIMIT)
            if _VERB_ENDS.now.match(text, m.end(), timeout=TIME_LIMIT) or not text[m.end()].isspace()
        ]
        labelled += _fractions(text, levels)
    if not labelled:
        return Unscored("refusal") if refused else Unscored("no_verdict")
    first = labelled[0]
    same = all(
        (isinstance(o, Scored) and isinstance(first, Scored) and o.value == first.value)
        or (isinstance(o, Unscored) and isinstance(first, Unscored) and o.kind == first.kind)
        for o in labelled[1:]
    )
    return first if same else Unscored("conflict", "verdicts that differ")


def _fractions(text: str, levels: Sequence[int]) -> list[Scored | Unscored]:
    outcomes: list[Scored | Unscored] = []
    for match in _FRACTION.now.finditer(text, timeout=TIME_LIMIT):
        if _NO_FRACTION_AFTER.now.search(text[max(0, match.start() - 20) : match.start()], timeout=TIME_LIMIT):
            continue
        outcomes.append(_on_scale(match["number"], levels, maximum=match["max"]))
    return outcomes


def _outcome(match: Any, text: str, levels: Sequence[int]) -> tuple[Scored | Unscored, int]:
    """The outcome of a number that was found, and where the number with its denominator ends."""
    end = match.end()
    after = _AFTER.now.match(text, end, timeout=TIME_LIMIT)
    if after and after["range"]:
        return Unscored("ambiguous", "a range"), after.end()
    if after and after["percent"]:
        return Unscored("off_scale", "a percentage"), after.end()
    maximum = None
    if after and after["fraction"]:
        maximum, end = after["max"], after.end()
    if _SUPPOSED.now.match(text, end, timeout=TIME_LIMIT):
        return Unscored("ambiguous", "a score that is only considered"), end
    if _ATTACHED.now.match(text, end, timeout=TIME_LIMIT):
        return Unscored("ambiguous", "something is attached to the number"), end
    sign = (match["sign"] or "").strip()
    if sign and sign != "+":
        return Unscored("out_of_range", "a negative number"), end
    return _on_scale(match["number"], levels, maximum=maximum), end


def _on_scale(number: str, levels: Sequence[int], *, maximum: str | None = None) -> Scored | Unscored:
    if maximum is not None and maximum != str(max(levels)):
        return Unscored("off_scale", f"out of {maximum[:20]}")
    if len(number) - max(number.find("."), number.find(",")) == 4 and not number.isdigit():
        return Unscored("ambiguous", "thousands or decimals")
    whole, _, rest = number.replace(",", ".").partition(".")
    value = int(whole[:20]) if len(whole) <= 20 else max(levels) + 1
    if value > max(levels) or value < min(levels):
        return Unscored("out_of_range")
    if rest.strip("0"):
        return Unscored("off_scale", "not a whole number")
    return Scored(value) if value in levels else Unscored("off_scale")


def _label_in_text(text: str, labels: Sequence[str]) -> Scored | Unscored:
    core = text.strip(" \t\r\n*_`\"'“”[]().!«»")
    if core in labels:
        return Scored(core)
    return Unscored("refusal") if is_refusal(text) else Unscored("no_verdict")
