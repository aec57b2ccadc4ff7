"""A planted decider: a chatbot under test whose P(yes) is known, for tests, examples and power."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.endpoints.stub_parts import drawn, has_words, plain_words
from judgekit.errors import ConfigProblem

__all__ = ["PlantedDecider", "is_planted"]

_KIND = "decide"
_NUMBERS = ("logit", "noise", "fail", "outside")
_WHOLE = ("seed", "top", "logprobs")
_WORDS = ("word", "both")
_KEYS = (*_NUMBERS, *_WHOLE, *_WORDS, "options")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    logit: float = 0.0
    noise: float = 0.0
    fail: float = 0.0
    outside: float = 0.02
    seed: int = 0
    top: int = 20
    logprobs: int = 1
    word: tuple[tuple[tuple[str, ...], float], ...] = ()
    options: tuple[str, ...] = ("Yes", "No")


def is_planted(spec: str) -> bool:
    """Whether a SPEC names this target.

    Examples
    --------
    >>> is_planted("stub:decide,logit=1"), is_planted("stub:fair")
    (True, False)
    """
    kind, _, rest = spec.strip().partition(":")
    return kind == "stub" and rest.partition(",")[0].strip() == _KIND


class PlantedDecider:
    """``stub:decide,KEY=VALUE,...``: answers the first option with a probability that is known beforehand.

    ============================== ======================================================================
    key                            meaning
    ============================== ======================================================================
    ``logit=0.4``                  log-odds of the first option against each other one
    ``word=Jamal:-0.5+student:1``  added when the words stand in the prompt
    ``both=Jamal&irregular:-1.2``  added when all of the words stand in it: an effect that only some prompts have
    ``noise=0.3``                  standard deviation of a normal shift, fixed for each prompt
    ``outside=0.02``               probability of tokens that are no option
    ``options=Sí/No``              the options, as they are answered; Yes/No
    ``top=1``                      so many tokens are listed at most
    ``logprobs=0``                 gives no token probabilities, only answers
    ``fail=0.1``                   share of answers without an option
    ``seed=7``                     which noise, which answers
    ============================== ======================================================================

    Parameters
    ----------
    spec : str
        The whole SPEC.
    weighed : bool
        Whether token probabilities are asked for.

    Raises
    ------
    ConfigProblem
        An unknown key, a key twice, or a value that does not fit.

    Examples
    --------
    >>> PlantedDecider("stub:decide,logit=0,word=Jamal:-1").probabilities("I am Jamal.")["Yes"] < 0.3
    True
    """

    provider = "stub"
    host: str | None = None
    languages: frozenset[str] | None = None

    def __init__(self, spec: str, *, weighed: bool = False) -> None:
        self._plan = _parse(spec.strip().removeprefix("stub:"))
        self.model = spec.strip().removeprefix("stub:")
        self.parameters: Mapping[str, Any] = {"score_kind": "expected"} if weighed else {}

    def probabilities(self, prompt: str) -> dict[str, float]:
        """What the first token of the answer to a prompt is: options, and one other word."""
        plan, words = self._plan, plain_words(prompt)
        logit = plan.logit + sum(shift for all_of, shift in plan.word if all(has_words(words, one) for one in all_of))
        if plan.noise:
            logit += plan.noise * NormalDist().inv_cdf(self._draw("noise", prompt))
        weights = [math.exp(logit), *(1.0 for _ in plan.options[1:])]
        inside = (1 - plan.outside) / math.fsum(weights)
        found = {option: weight * inside for option, weight in zip(plan.options, weights, strict=True)}
        return {**found, "The": plan.outside} if plan.outside else found

    async def send(self, request: Request) -> RawAnswer:
        """Answer one request as planned."""
        weighed = bool(self.parameters)
        if weighed and not self._plan.logprobs:
            return RawAnswer(
                raw=None, error_kind="no_logprobs", error_detail="this target gives no token probabilities"
            )
        found = self.probabilities(request.prompt)
        raw = self._said(found, request.request_key)
        if not weighed:
            return RawAnswer(raw=raw, finish_reason="stop", served_model="stub")
        listed = sorted(found.items(), key=lambda pair: -pair[1])[: self._plan.top]
        top = [[token, math.log(p)] for token, p in listed]
        rows = [[top[0][0], None, top[0][1], top]]
        return RawAnswer(raw=raw, finish_reason="length", served_model="stub", logprobs=json.dumps(rows))

    async def close(self) -> None:
        """Nothing to release."""

    def _said(self, found: Mapping[str, float], key: str) -> str:
        if self._draw("fail", key) < self._plan.fail:
            return "That depends on a number of things."
        at, total = self._draw("said", key) * math.fsum(found.values()), 0.0
        for option, share in found.items():
            total += share
            if at < total:
                return f"{option}."
        return "."

    def _draw(self, *parts: str) -> float:
        return drawn([self._plan.seed, *parts])


def _parse(spec: str) -> _Plan:
    found: dict[str, Any] = {}
    shifts: list[tuple[tuple[str, ...], float]] = []
    for part in [piece.strip() for piece in spec.split(",")][1:]:
        key, equals, text = (piece.strip() for piece in part.partition("="))
        if key not in _KEYS or not equals or not text or key in found:
            raise _bad(part, f"each of {', '.join(_KEYS)} stands once at most, with a value")
        if key in _WORDS:
            shifts += _shifts(text)
            found[key] = None
        elif key == "options":
            found[key] = tuple(option.strip() for option in text.split("/"))
        else:
            found[key] = _number(part, text, whole=key in _WHOLE)
    for key in _WORDS:
        found.pop(key, None)
    plan = _Plan(**found, word=tuple(shifts))
    shares = plan.noise >= 0 and 0 <= plan.fail <= 1 and 0 <= plan.outside < 1 and plan.top >= 1
    if not shares or len(set(plan.options)) < max(2, len(plan.options)) or not all(plan.options):
        raise _bad(spec, "noise is 0 or more, fail and outside are shares, top is 1 or more, options are two or more")
    return plan


def _shifts(text: str) -> Sequence[tuple[tuple[str, ...], float]]:
    made = []
    for part in text.split("+"):
        words, colon, number = part.strip().rpartition(":")
        all_of = tuple(word.strip() for word in words.split("&"))
        if not colon or not all(plain_words(word) for word in all_of):
            raise _bad(part, "WORDS:NUMBER is wanted, several joined by +, words that must all stand there by &")
        made.append((all_of, _number(part, number, whole=False)))
    return made


def _number(part: str, text: str, *, whole: bool) -> float | int:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or (whole and not value.is_integer()):
        raise _bad(part, "a whole number is wanted" if whole else "a number is wanted")
    return int(value) if whole else value


def _bad(seen: str, why: str) -> ConfigProblem:
    return ConfigProblem(
        "a value of the planted target does not fit",
        field="target",
        seen=seen,
        why=why,
        remedy="write, for example, stub:decide,logit=0.4,noise=0.2,both=Jamal&irregular:-1.2",
    )
