"""What planted judges and chatbots share: ``KEY=VALUE`` settings read strictly, draws that depend on their parts alone, words."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from judgekit.errors import ConfigProblem

__all__ = ["Reader", "StubSettings", "drawn", "has_words", "plain_words"]

Reader = Callable[[str, str], Any]
"""Takes a key and its text, and gives the value."""


def drawn(parts: Iterable[Any]) -> float:
    """A number between 0 and 1 that depends on the parts and on nothing else.

    Parameters
    ----------
    parts : iterable
        Numbers and texts.

    Returns
    -------
    float
        Never 0 or 1.

    Examples
    --------
    >>> drawn([1, "noise"]) == drawn([1, "noise"]) != drawn([2, "noise"])
    True
    """
    digest = hashlib.sha256(json.dumps(list(parts), ensure_ascii=True).encode("ascii")).digest()
    return (int.from_bytes(digest[:7], "big") + 0.5) / 2**56


def plain_words(text: str) -> str:
    """The words of a text, case-folded, one blank between two, without punctuation.

    Examples
    --------
    >>> plain_words("Dear  Grace,")
    'dear grace'
    """
    return " ".join("".join(char if char.isalnum() else " " for char in text.casefold()).split())


def has_words(words: str, name: str) -> bool:
    """Whether the words of a name stand together in a text that `plain_words` made.

    Examples
    --------
    >>> has_words("dear grace holm", "Grace"), has_words("disgraceful", "Grace")
    (True, False)
    """
    return f" {plain_words(name)} " in f" {words} "


@dataclass(frozen=True, slots=True)
class StubSettings:
    """How the settings of one kind of stub are read, and how a wrong one is told.

    Parameters
    ----------
    what : str
        Whose settings they are, such as ``the stub judge``.
    field : str
        Where they stand.
    example : str
        A specification that works.

    Examples
    --------
    >>> settings = StubSettings("the stub judge", "judge", "stub:seed=1")
    >>> settings.read(["seed = 1"], {"seed": settings.whole})
    {'seed': 1}
    """

    what: str
    field: str
    example: str

    def read(self, parts: Iterable[str], readers: Mapping[str, Reader]) -> dict[str, Any]:
        """The values by key.

        Parameters
        ----------
        parts : iterable of str
            ``KEY=VALUE`` each; empty ones are passed over.
        readers : mapping of str to Reader
            What each key takes.

        Returns
        -------
        dict

        Raises
        ------
        ConfigProblem
            A key is unknown or stands twice, or a value is missing or does not fit.
        """
        found: dict[str, Any] = {}
        for part in filter(None, (piece.strip() for piece in parts)):
            key, equals, text = (piece.strip() for piece in part.partition("="))
            if key not in readers:
                raise ConfigProblem(
                    f"unknown key of {self.what}",
                    field=self.field,
                    seen=key,
                    why=f"the keys are {', '.join(sorted(readers))}",
                    remedy=f"write, for example, {self.example}",
                )
            if not equals or not text or key in found:
                raise self.problem(key, text or part, "each key stands once, with a value")
            found[key] = readers[key](key, text)
        return found

    def problem(self, key: str, text: str, why: str) -> ConfigProblem:
        """The error about one value."""
        return ConfigProblem(
            f"a value of {self.what} does not fit: {key}",
            field=self.field,
            seen=text,
            why=why,
            remedy=f"write, for example, {self.example}",
        )

    def number(self, key: str, text: str) -> float:
        """A finite number."""
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise self.problem(key, text, "a number is wanted")
        return value

    def not_negative(self, key: str, text: str) -> float:
        """A number of 0 or more."""
        value = self.number(key, text)
        if value < 0:
            raise self.problem(key, text, "a number of 0 or more is wanted")
        return value

    def share(self, key: str, text: str) -> float:
        """A number from 0 to 1."""
        value = self.number(key, text)
        if not 0 <= value <= 1:
            raise self.problem(key, text, "a share from 0 to 1 is wanted")
        return value

    def whole(self, key: str, text: str) -> int:
        """A whole number."""
        value = self.number(key, text)
        if not value.is_integer():
            raise self.problem(key, text, "a whole number is wanted")
        return int(value)
