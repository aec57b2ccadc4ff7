"""Planted chatbots: their effects are known beforehand, so that what the harness finds can be held against the truth."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.endpoints.stub_parts import StubSettings, drawn, has_words, plain_words
from judgekit.errors import ConfigProblem
from judgekit.targets.planted_words import SENTENCES, Sentences

__all__ = ["KINDS", "PlantedTarget"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What the chatbot was told to do; see `PlantedTarget` for the meaning of each."""

    level: float = 3.2
    spread: float = 0.4
    decision: float = 0.0
    tone: float = 0.0
    noise: float = 0.6
    tone_noise: float = 0.6
    seed: int = 0
    group: str = ""
    words: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    fail: float = 0.0
    fault: float = 0.0
    delay: float = 0.0


KINDS: Mapping[str, _Plan] = {
    "fair": _Plan(),
    "biased": _Plan(decision=-0.7, tone=-0.7),
    "noisy": _Plan(noise=2.0, tone_noise=2.0),
}
"""The three that ship: no effect; a planted one; no effect under much noise."""


@dataclass(kw_only=True)
class _Tries:
    """How often a conversation was asked for: a fault passes at the second time."""

    met: set[str] = field(default_factory=set)


class PlantedTarget:
    """``stub:fair``, ``stub:biased``, ``stub:noisy``, each with settings of its own as ``?KEY=VALUE&KEY=VALUE``.

    The chatbot scores every request from 1 to 5, decides by the score (4 and 5 yes, 3 refers to a colleague, 1 and 2 no),
    and says so in more or fewer warm sentences, in English or Spanish. Everything is drawn from its seed, the opaque id of
    the conversation and the words of the request: the same conversation gets the same reply, replicates differ. Like any
    chatbot it sees the conversation alone and knows a group by what stands there: its people's names, or ``words``.

    =============== ==================================================================================================
    key             meaning
    =============== ==================================================================================================
    ``decision``    points that the score of the affected differs by, before rounding; -0.7 for ``biased``, else 0
    ``tone``        warm sentences that they get more or fewer, before rounding; -0.7 for ``biased``, else 0
    ``group``       whose people are affected; by default the last group of the study
    ``words``       a+b: affected are requests with one of these words, instead of a group's names
    ``only``        a+b: and only where one of these words stands too
    ``noise``       standard deviation of the score between replicates; 2 for ``noisy``, else 0.6
    ``tone_noise``  the same for warm sentences
    ``level``       mean score, 3.2
    ``spread``      standard deviation of the mean between templates, 0.4
    ``seed``        0
    ``fail``        share of conversations that fail for good
    ``fault``       share that fails at the first attempt and is answered at the second
    ``delay``       seconds before each answer
    =============== ==================================================================================================

    Rounding and the ends of the scale move the mean effect a little: `expected_effect` tells the one to be found.

    Parameters
    ----------
    rest : str
        What follows ``stub:``.
    people : mapping of str to tuple of str, optional
        Names by group, in the order of the groups.
    logprobs : bool
        Answer with the bare decision and its token probabilities, as services do that give them.

    Raises
    ------
    ConfigProblem
        Another kind, an unknown key, a key twice, or a value that does not fit it.

    Examples
    --------
    >>> from judgekit.records import Turn
    >>> request = Request(request_key="k", system="", prompt="", text="", context=None, lang="en", dimensions={},
    ...                   turns=(Turn("user", "I am Ana. Can I pay later?"),), conversation="c1")
    >>> asyncio.run(PlantedTarget("fair?noise=0&spread=0").send(request)).raw.splitlines()[-1]
    'Score: 3 of 5.'
    """

    provider = "stub"
    host: str | None = None
    languages: frozenset[str] | None = frozenset({"en", "es"})

    def __init__(
        self, rest: str, *, people: Mapping[str, tuple[str, ...]] | None = None, logprobs: bool = False
    ) -> None:
        self.model = rest
        self._plan = _parse(rest)
        self._logprobs = logprobs
        self._people = dict(people or {})
        self.parameters: Mapping[str, Any] = {"logprobs": True} if logprobs else {}
        self._affected = self._plan.words or self._names()
        self._tries = _Tries()

    def _names(self) -> tuple[str, ...]:
        if self._plan.group and self._plan.group not in self._people:
            raise _SETTINGS.problem(
                "group", self._plan.group, f"the groups with names are {', '.join(self._people) or 'none'}"
            )
        found = self._people.get(self._plan.group or (list(self._people) or [""])[-1], ())
        if not found and (self._plan.decision or self._plan.tone):
            raise _SETTINGS.problem(
                "words", "", "an effect needs somebody to fall on: names of a study's groups, or words=a+b"
            )
        return found

    async def send(self, request: Request) -> RawAnswer:
        """Answer one conversation as planned."""
        plan = self._plan
        if plan.delay:
            await asyncio.sleep(plan.delay)
        if self._draw("fail", request) < plan.fail:
            return RawAnswer(raw=None, error_kind="crashed", error_detail="planted failure")
        if self._draw("fault", request) < plan.fault and request.conversation not in self._tries.met:
            self._tries.met.add(request.conversation)
            return RawAnswer(raw=None, error_kind="server", status=503, error_detail="planted fault")
        said = SENTENCES["es" if request.lang.startswith("es") else "en"]
        mean = self.latent(request)
        if self._logprobs:
            raw, probabilities = self._word(request, mean, said)
            return RawAnswer(raw=raw, finish_reason="stop", served_model="stub", logprobs=probabilities)
        raw = self._reply(request, mean, said)
        return RawAnswer(raw=raw, finish_reason="stop", served_model="stub")

    async def close(self) -> None:
        """Nothing to release."""

    def latent(self, request: Request) -> float:
        """The score of a request before noise and rounding, planted effect included."""
        plan, words = self._plan, plain_words(_said(request))
        base = plan.level + plan.spread * _normal(drawn([plan.seed, "template", _stems(_said(request))]))
        return base + (plan.decision if self._is_affected(words) else 0.0)

    def expected_effect(self) -> float:
        """The difference in the mean score, affected minus others, that rounding and the ends of the scale leave."""
        plan = self._plan
        spread = NormalDist(0, math.hypot(plan.noise, plan.spread) or 1e-9)

        def mean(level: float) -> float:
            return 1 + sum(spread.cdf(level - (k - 0.5)) for k in range(2, 6))

        return mean(plan.level + plan.decision) - mean(plan.level)

    def _is_affected(self, words: str) -> bool:
        here = not self._plan.only or any(has_words(words, word) for word in self._plan.only)
        return here and any(has_words(words, word) for word in self._affected)

    def _draw(self, what: str, request: Request) -> float:
        return drawn([self._plan.seed, what, request.conversation, _said(request)])

    def _reply(self, request: Request, mean: float, said: Sentences) -> str:
        plan, words = self._plan, plain_words(_said(request))
        score = _rounded(mean + plan.noise * _normal(self._draw("score", request)), 1, 5)
        tone = 1.5 + (plan.tone if self._is_affected(words) else 0.0)
        warm = _rounded(tone + plan.tone_noise * _normal(self._draw("tone", request)), 0, len(said.warm))
        kind = "yes" if score >= 4 else "refer" if score == 3 else "no"
        name = next((n for names in self._people.values() for n in names if has_words(words, n)), None)
        facts = said.decisions[kind]
        parts = [
            said.greeting.format(name=name) if name else said.greeting_without,
            *said.warm[: (warm + 1) // 2],
            facts[int(self._draw("facts", request) * len(facts))],
            *said.warm[len(said.warm) - warm // 2 :],
        ]
        return " ".join(parts) + "\n" + said.score.format(score=score)

    def _word(self, request: Request, mean: float, said: Sentences) -> tuple[str, str]:
        yes = 1 / (1 + math.exp(-1.5 * (mean - 3.0)))
        logs = {said.yes: math.log(yes), said.no: math.log1p(-yes)}
        chosen = said.yes if self._draw("word", request) < yes else said.no
        row = [chosen, None, logs[chosen], [list(pair) for pair in logs.items()]]
        return chosen, json.dumps([row], ensure_ascii=True)


def _said(request: Request) -> str:
    return "\n".join(turn.content for turn in request.turns if turn.role == "user")


def _normal(share: float) -> float:
    return NormalDist().inv_cdf(share)


def _rounded(value: float, low: int, high: int) -> int:
    return min(max(math.floor(value + 0.5), low), high)


_PRONOUNS = frozenset({"hers", "hims", "thei", "them", "they", "ella", "ello"})


def _stems(text: str) -> list[str]:
    """What tells templates apart and people not: beginnings of the lower-case words, without pronouns."""
    words = (word.strip(".,;:!?¿¡'\"()[]") for word in text.split())
    stems = {word[:4] for word in words if len(word) >= 4 and word.isalpha() and word.islower()}
    return sorted(stems - _PRONOUNS)


_SETTINGS = StubSettings("the planted chatbot", "probe.target.spec", "stub:biased?decision=-0.7&tone=0&seed=1")


# --- the grammar ---------------------------------------------------------------------------------------------------


def _parse(rest: str) -> _Plan:
    kind, _, settings = rest.strip().partition("?")
    if kind not in KINDS:
        raise ConfigProblem(
            "no such planted chatbot",
            field="probe.target.spec",
            seen=f"stub:{kind}",
            why=f"there are {', '.join(KINDS)}",
            remedy="write, for example, stub:biased?decision=-0.7&group=b",
        )
    readers: dict[str, Callable[[str, str], Any]] = {
        **dict.fromkeys(("level", "decision", "tone"), _SETTINGS.number),
        **dict.fromkeys(("noise", "tone_noise", "spread", "delay"), _SETTINGS.not_negative),
        **dict.fromkeys(("fail", "fault"), _SETTINGS.share),
        **dict.fromkeys(("words", "only"), _list),
        "seed": _SETTINGS.whole,
        "group": lambda _key, text: text,
    }
    return replace(KINDS[kind], **_SETTINGS.read(settings.split("&"), readers))


def _list(key: str, text: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split("+"))
    if not all(plain_words(word) for word in words):
        raise _SETTINGS.problem(key, text, "words are wanted, several joined by +")
    return words
