"""The languages that a report can be written in, and their catalogues."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

from judgekit.wording.sentence import ENGLISH, Language, speaking

__all__ = ["LANGUAGES", "LanguageCode", "catalogue", "language", "speaking_in"]

LanguageCode = Literal["en", "es"]
LANGUAGES: tuple[LanguageCode, ...] = get_args(LanguageCode)

_SPANISH_MONTHS = (
    *("enero", "febrero", "marzo", "abril", "mayo", "junio"),
    *("julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"),
)
# A narrow space that does not break: between number and percent sign, and between groups of digits.
_NARROW = "\u202f"


@cache
def catalogue(code: LanguageCode) -> dict[str, dict[str, str]]:
    """What the catalogue of a language says, by the name of its part.

    Parameters
    ----------
    code : {'en', 'es'}

    Returns
    -------
    dict of str to dict
        English pattern to translation; empty for English.

    Raises
    ------
    ValueError
        A pattern stands in two parts.
    """
    import yaml

    if code == "en":
        return {}
    parts: dict[str, dict[str, str]] = {}
    met: set[str] = set()
    for entry in sorted(files("judgekit.data").joinpath("wording", code).iterdir(), key=lambda e: e.name):
        read: Any = yaml.load(entry.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe loaders
        twice = met & set(read)
        if twice:
            msg = f"{entry.name}: stands in another part too: {min(twice)}"
            raise ValueError(msg)
        met |= set(read)
        parts[entry.name.removesuffix(".yaml")] = read
    return parts


@cache
def language(code: LanguageCode) -> Language:
    """A language with its whole catalogue.

    Parameters
    ----------
    code : {'en', 'es'}

    Returns
    -------
    Language

    Examples
    --------
    >>> language("es").sentences["undefined ({reason})"]
    'indefinido ({reason})'
    """
    if code == "en":
        return ENGLISH
    sentences = {english: spanish for part in catalogue(code).values() for english, spanish in part.items()}
    return Language(
        code=code,
        sentences=sentences,
        decimal=",",
        grouping=_NARROW,
        percent=f"{_NARROW}%",
        between="; ",
        months=_SPANISH_MONTHS,
        date="{day} de {month} de {year}",
    )


@contextmanager
def speaking_in(asked: LanguageCode | Language) -> Iterator[Language]:
    """Tell every sentence in a language while the block lasts.

    Parameters
    ----------
    asked : str or Language
        A code, or a language of the caller's own.
    """
    found = asked if isinstance(asked, Language) else language(asked)
    with speaking(found):
        yield found
