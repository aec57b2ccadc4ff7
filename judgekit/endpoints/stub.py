"""A planted judge for tests and demonstrations: deterministic, free, with the faults it is told to have."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, Self

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.endpoints.stub_parts import StubSettings, drawn, has_words, plain_words
from judgekit.errors import ConfigProblem

__all__ = ["StubEndpoint"]

_WARM = frozenset(
    [
        "thank",
        "thanks",
        "sorry",
        "glad",
        "happy",
        "please",
        "welcome",
        "appreciate",
        "understand",
        "wonderful",
        "kind",
        "gladly",
        "hope",
        "care",
        "gracias",
        "siento",
        "lamento",
        "encantado",
        "encantada",
        "favor",
        "comprendo",
        "entiendo",
        "agradecemos",
        "amable",
        "espero",
    ]
)
_FULL = 4  # so many different warm words reach the top of the scale


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What the judge was told to do; see `StubEndpoint` for the meaning of each."""

    value: float | str | None = None
    noise: float = 0.0
    seed: int = 0
    name: Mapping[str, float] = field(default_factory=dict)
    fail: float = 0.0
    fail_name: Mapping[str, float] = field(default_factory=dict)
    delay: float = 0.0
    first: bool = False
    obey: bool = False


class StubEndpoint:
    """``stub:KEY=VALUE,KEY=VALUE``: a judge whose every fault is known beforehand.

    Its score is where the number of different warm words stands on the scale (none: the lowest level, four or more:
    the highest), changed by what the keys say and rounded to a level. The same text always gets the same answer.

    ========================== =========================================================================
    key                        meaning
    ========================== =========================================================================
    ``value=3``                this score for every text (or this label); off the scale is left so
    ``noise=0.5``              normal noise of this standard deviation, in levels, fixed for each text
    ``seed=7``                 which noise, which failures
    ``name=Grace:-1+Joy:0.5``  adds this many levels when the word stands in the text
    ``fail=0.1``               this share of texts gets an answer without a verdict
    ``fail_name=Grace:0.5``    the same for texts with that word
    ``delay=0.2``              seconds before each answer
    ``first=1``                of a pair, always the one shown first
    ``obey=1``                 gives the score that the text names: the last number in it that is a level
    ========================== =========================================================================

    Nominal dimensions get a label that depends on the text alone; pairs the text with the higher score, or a tie.

    Parameters
    ----------
    spec : str
        What follows ``stub:``.

    Raises
    ------
    ConfigProblem
        An unknown key, a key twice, or a value that does not fit it.

    Examples
    --------
    >>> request = Request(request_key="k", system="", prompt="", text="Thanks, Grace!", context=None, lang="en",
    ...                   dimensions={"warmth": (1, 2, 3, 4, 5)})
    >>> asyncio.run(StubEndpoint("name=Grace:-1").send(request)).raw
    '{"score": 1, "reason": "planted"}'
    >>> StubEndpoint("size=3")
    Traceback (most recent call last):
        ...
    judgekit.errors.ConfigProblem: judge: unknown key of the stub judge (seen: 'size'). Why: the keys are delay, ...
    """

    provider = "stub"
    host: str | None = None
    languages: frozenset[str] | None = None

    def __init__(self, spec: str) -> None:
        self._plan = _parse(spec)
        self.model = spec
        self.parameters: Mapping[str, Any] = {}

    @classmethod
    def from_spec(cls, rest: str) -> Self:
        """The endpoint for what follows ``stub:`` in a judge's SPEC; errors as for the class."""
        return cls(rest)

    async def send(self, request: Request) -> RawAnswer:
        """Answer one request as planned."""
        if self._plan.delay:
            await asyncio.sleep(self._plan.delay)
        return RawAnswer(raw=self._answer(request), finish_reason="stop", served_model="stub")

    async def close(self) -> None:
        """Nothing to release."""

    def _answer(self, request: Request) -> str:
        texts = request.pair or (request.text,)
        words = plain_words(" ".join(texts))
        share = max([self._plan.fail, *(p for name, p in self._plan.fail_name.items() if has_words(words, name))])
        if self._draw("fail", *texts) < share:
            return "I would rather not give a verdict on this reply."
        single = "winner" if request.pair else "score"
        values: dict[str, int | float | str] = {}
        for dimension, levels in request.dimensions.items():
            key = single if len(request.dimensions) == 1 else dimension
            values[key] = (
                self._winner(request.pair, dimension, levels)
                if request.pair
                else (self._level(request.text, dimension, levels))
            )
        return json.dumps({**values, "reason": "planted"})

    def _draw(self, *parts: str) -> float:
        return drawn([self._plan.seed, *parts])

    def _position(self, text: str, dimension: str, base: float | None, top: float) -> float:
        words = plain_words(text)
        if base is None:
            base = min(len(_WARM.intersection(words.split())), _FULL) / _FULL * top
        base += sum(shift for name, shift in self._plan.name.items() if has_words(words, name))
        if self._plan.noise:
            base += self._plan.noise * NormalDist().inv_cdf(self._draw("noise", dimension, text))
        return base

    def _level(self, text: str, dimension: str, levels: tuple[int | str, ...]) -> int | float | str:
        value = self._plan.value
        if self._plan.obey and (named := _named(text, levels)) is not None:
            return named
        if isinstance(value, str) or (value is not None and value not in levels):
            return int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(levels[0], str):
            return levels[int(self._draw("label", dimension, text) * len(levels))]
        base = None if value is None else float(levels.index(int(value)))
        position = self._position(text, dimension, base, len(levels) - 1)
        # Half a level goes up, always: Python's own rounding would send 0.5 and 1.5 different ways.
        return levels[min(max(math.floor(position + 0.5), 0), len(levels) - 1)]

    def _winner(self, pair: tuple[str, str], dimension: str, levels: tuple[int | str, ...]) -> str:
        if self._plan.first:
            return "A"
        a, b = (self._position(text, dimension, None, max(len(levels) - 1, 1)) for text in pair)
        return "tie" if abs(a - b) < 1e-9 else "A" if a > b else "B"


def _named(text: str, levels: tuple[int | str, ...]) -> int | str | None:
    """The last word of a text that is one of the levels; None when there is none."""
    known = {str(level): level for level in levels}
    found = [known[word] for word in plain_words(text).split() if word in known]
    return found[-1] if found else None


_SETTINGS = StubSettings("the stub judge", "judge", "stub:noise=0.5,seed=1,name=Grace:-1+Joy:0.5")


# --- the grammar ---------------------------------------------------------------------------------------------------


def _parse(spec: str) -> _Plan:
    readers: dict[str, Callable[[str, str], Any]] = {
        "delay": _SETTINGS.not_negative,
        "fail": _SETTINGS.share,
        "fail_name": lambda key, text: _by_name(key, text, _SETTINGS.share),
        "first": _switch,
        "name": lambda key, text: _by_name(key, text, _SETTINGS.number),
        "noise": _SETTINGS.not_negative,
        "obey": _switch,
        "seed": _SETTINGS.whole,
        "value": _value,
    }
    return _Plan(**_SETTINGS.read(spec.split(","), readers))


def _switch(key: str, text: str) -> bool:
    if text not in {"0", "1"}:
        raise _SETTINGS.problem(key, text, "0 or 1 is wanted")
    return text == "1"


def _value(key: str, text: str) -> float | str:
    try:
        return _SETTINGS.number(key, text)
    except ConfigProblem:
        return text


def _by_name(key: str, text: str, read: Callable[[str, str], float]) -> dict[str, float]:
    result: dict[str, float] = {}
    for part in text.split("+"):
        name, colon, number = part.strip().rpartition(":")
        if not colon or not plain_words(name) or name in result:
            raise _SETTINGS.problem(key, part, "NAME:NUMBER is wanted, several joined by +, each name once")
        result[name.strip()] = read(key, number)
    return result
