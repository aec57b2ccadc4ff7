"""Sentences that are written in English where they are made, and told in another language where they are read.

`say` makes a sentence: a text like any other, which remembers the pattern and the values it was made from. Whoever writes a
page opens a language by `speaking`; inside, `say` and `told` give the sentence in that language, with numbers as its
readers write them. Outside, and for every sentence that a language lacks, it is the English of the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from string import Formatter
from typing import Any, Self

__all__ = ["ENGLISH", "Language", "Sentence", "between", "day", "numeral", "say", "series", "speaking", "told"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How a language is written.

    ``sentences`` maps an English pattern to its own, with the same fields; ``{n:one|many}`` in it is ``one`` where the
    field ``n`` is 1, else ``many``. ``decimal``, ``grouping`` and ``percent`` are the marks of numbers; ``between`` stands
    between two numbers in a list; ``months`` are the names of months, or empty where dates are written year-month-day.
    """

    code: str
    sentences: Mapping[str, str]
    decimal: str = "."
    grouping: str = ","
    percent: str = "%"
    between: str = ", "
    months: tuple[str, ...] = ()
    date: str = "{year}-{month}-{day}"


ENGLISH = Language(code="en", sentences={})
"""The language of the source."""

_spoken: ContextVar[Language] = ContextVar("judgekit_language", default=ENGLISH)


class Sentence(str):
    """A text that can be told again in another language. As a text it is what it was when it was made.

    Parameters
    ----------
    pattern : str
        English, with fields as for ``str.format``, and ``{when:date}``; without ``fields`` it is taken as it stands.
    fields : mapping of str to object
        Values of its fields. Texts among them are foreign and stay as they are, unless they are sentences themselves.
    """

    __slots__ = ("fields", "pattern")
    pattern: str
    fields: Mapping[str, Any]

    def __new__(cls, pattern: str, fields: Mapping[str, Any]) -> Self:
        """Tell it in the language of the moment."""
        made = super().__new__(cls, _composed(pattern, fields))
        made.pattern, made.fields = pattern, fields
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, Any]]:  # type: ignore[override]  # for copies and pickles
        return self.pattern, self.fields


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Tell every sentence in a language while the block lasts.

    Parameters
    ----------
    language : Language

    Examples
    --------
    >>> with speaking(Language(code="xx", sentences={"{n} texts": "textoj: {n}"})):
    ...     told(say("{n} texts", n=3)), told("4 texts")
    ('textoj: 3', '4 texts')
    """
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def say(pattern: str, /, **fields: object) -> Sentence:
    """A sentence of ours.

    Parameters
    ----------
    pattern : str
        English. Without ``fields`` nothing in it is a field.
    **fields : object
        Numbers, foreign texts (which no language changes) and other sentences.

    Returns
    -------
    Sentence
        Its text is in the language of the moment.

    Examples
    --------
    >>> say("about {n} more labels decide if kappa stays {kappa:.2f}", n=70, kappa=0.716)
    'about 70 more labels decide if kappa stays 0.72'
    """
    if isinstance(pattern, Sentence) and not fields:
        return Sentence(pattern.pattern, pattern.fields)
    return Sentence(pattern, fields)


def series(parts: Sequence[str], mark: str = ", ") -> Sentence:
    """Several texts in a row, each of which is told in the language of the moment if it is a sentence.

    Examples
    --------
    >>> series([say("{n} texts", n=3), "b"])
    '3 texts, b'
    """
    fields = {f"part{n}": part for n, part in enumerate(parts)}
    return Sentence(mark.join(f"{{{name}}}" for name in fields), fields)


def told(text: str) -> str:
    """A text in the language of the moment: a sentence told again, or one of the words that the language knows.

    Parameters
    ----------
    text : str
        Of ours, never a foreign text.

    Returns
    -------
    str
        The same text where the language does not know it.
    """
    if isinstance(text, Sentence):
        return _composed(text.pattern, text.fields)
    return _spoken.get().sentences.get(text, text)


def numeral(text: str) -> str:
    """A number that was written in English, with the marks of the language of the moment.

    Examples
    --------
    >>> with speaking(Language(code="xx", sentences={}, decimal=",", grouping=".", percent=" %")):
    ...     numeral("1,234.5%")
    '1.234,5 %'
    """
    language = _spoken.get()
    marks = {ord("."): language.decimal, ord(","): language.grouping, ord("%"): language.percent}
    return text.translate(marks)


def day(text: str) -> str:
    """The day of an ISO date or time, as the language of the moment writes it; any other text as it is.

    Examples
    --------
    >>> day("2026-04-11T10:00:00Z"), day("2026-04-11 or later")
    ('2026-04-11', '2026-04-11 or later')
    """
    parts = text[:10].split("-")
    dated = [len(p) for p in parts] == [4, 2, 2] and all(p.isascii() and p.isdigit() for p in parts)
    if not dated or text[10:11] not in ("", "T"):
        return text
    year, month, date = parts
    language = _spoken.get()
    if not language.months or not 1 <= int(month) <= len(language.months):
        return text[:10]
    return language.date.format(year=year, month=language.months[int(month) - 1], day=int(date))


def between() -> str:
    """What stands between two numbers in a list: a comma would be read as a decimal mark in some languages."""
    return _spoken.get().between


class _Composer(Formatter):
    """``str.format`` with the numbers of a language, sentences inside sentences, and ``{n:one|many}``."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Sentence):
            return told(value)
        if format_spec == "date":
            return day(value)
        if "|" in format_spec:
            one, many = format_spec.split("|")
            return one if value == 1 else many
        made = format(value, format_spec)
        return numeral(made) if isinstance(value, (int, float)) else made


_COMPOSER = _Composer()


def _composed(pattern: str, fields: Mapping[str, Any]) -> str:
    known = _spoken.get().sentences.get(pattern, pattern)
    return _COMPOSER.vformat(known, (), fields) if fields else known
