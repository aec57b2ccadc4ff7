"""Which option an answer is: by its first token's probabilities, or by its first words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import regex

from judgekit.errors import UsageProblem
from judgekit.judging.expected import tokens_of
from judgekit.records import Undefined

__all__ = ["NO_OPTION", "first_token", "option_of", "read_options", "shares_of"]

NO_OPTION = "no_option"
_TIMEOUT = 1.0
_FRAME = regex.compile(r"^[\s\p{P}\p{S}]+")
_HEAD = 400
# How tokenisers write a space, where a server passes their own spelling on.
_SPACES = {"▁": " ", "Ġ": " ", "Ċ": "\n"}


def read_options(text: str) -> tuple[str, ...]:
    """Options from ``yes,no`` or ``a,b,c``.

    Raises
    ------
    UsageProblem
        Fewer than two, or one twice; case does not tell them apart.

    Examples
    --------
    >>> read_options("Sí, No")
    ('sí', 'no')
    """
    found = tuple(option.strip().lower() for option in text.split(",") if option.strip())
    if len(found) < 2 or len(set(found)) < len(found):
        raise UsageProblem(
            "two or more different options are needed",
            field="--options",
            seen=text,
            why="capitals do not tell options apart",
            remedy="write, for example, --options yes,no",
        )
    return found


def first_token(logprobs: str | None) -> dict[str, float] | None:
    """Token to log probability in the first place of an answer; None where there are none.

    Examples
    --------
    >>> first_token('[["Yes", null, -0.1, [["Yes", -0.1], ["No", -2.5]]]]')["No"]
    -2.5
    """
    tokens = tokens_of(logprobs)
    if not tokens:
        return None
    masses: dict[str, float] = {}
    for token, mass in tokens[0].top:
        if mass > 0:
            text = _SPACES.get(token[:1], token[:1]) + token[1:]
            masses[text] = masses.get(text, 0.0) + mass
    return {token: min(0.0, round(math.log(mass), 12)) for token, mass in masses.items()} or None


def option_of(answer: str, options: Sequence[str]) -> str | None:
    """The option that an answer begins with, marks before it left out; None where it begins with none.

    Examples
    --------
    >>> option_of("**Yes**, it should.", ["yes", "no"]), option_of("Nobody knows", ["yes", "no"])
    ('yes', None)
    """
    try:
        text = _FRAME.sub("", answer[:_HEAD], timeout=_TIMEOUT).lower()
    except TimeoutError:
        return None
    for option in sorted(options, key=len, reverse=True):
        following = text[len(option) : len(option) + 1]
        if text.startswith(option) and not (following.isalnum() or following in {"_", "'", "’"}):
            return option
    return None


def shares_of(met: Iterable[str | None], options: Sequence[str]) -> tuple[dict[str, float] | Undefined, int]:
    """Share of each option among the answers that are one, and how many those are.

    Examples
    --------
    >>> shares_of(["yes", None, "no", "yes", "yes"], ["yes", "no"])
    ({'yes': 0.75, 'no': 0.25}, 4)
    """
    counts = Counter(option for option in met if option is not None)
    n = counts.total()
    if not n:
        return Undefined("no answer is an option"), 0
    return {option: counts[option] / n for option in options}, n
