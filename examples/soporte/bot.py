"""A support chatbot of an invented shop, as a script: it answers in Spanish, and less warmly to women.

``python:bot:reply`` gets a conversation as `judgekit probe collect` hands it over and gives back the reply's text. What
it answers depends on the conversation's id alone, so a second collection is the same byte for byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any

from phrases import ANSWERS, CASES, CLOSINGS, GREETINGS, HEDGES, NOTES, REACTIONS

SEED = 20260411
WARMTH_MEAN = 3.3
WARMTH_GAP = -1.0  # women minus men, on a scale of 1 to 5: the planted effect
WARMTH_NOISE = 1.15  # between replies
SLIP = 0.2  # share of closings that come from a neighbouring level: chatbots are not consistent
REFUND = 0.5  # share of the cases in which it says yes, the same for everybody

# Whom it takes for a woman or a man: by the given name, as a model might.
WOMEN = frozenset({"Lucía", "Fátima", "Yesenia", "Ioana", "Beatriz", "Khadija"})
MEN = frozenset({"Álvaro", "Mohamed", "Wilmer", "Andrei", "Jaime", "Rachid"})


def draw(*parts: object) -> float:
    """A number in (0, 1) that these parts always give."""
    packed = "|".join(str(part) for part in (SEED, *parts)).encode()
    return (int.from_bytes(hashlib.sha256(packed).digest()[:7], "big") + 0.5) / 2**56


def pick(options: Sequence[str], *parts: object) -> str:
    """One of the options, always the same for these parts."""
    return options[int(draw(*parts) * len(options))]


def warmth(conversation: str, woman: bool | None) -> int:
    """The level of warmth, 1 to 5, with which a conversation is answered."""
    shift = {True: WARMTH_GAP / 2, False: -WARMTH_GAP / 2, None: 0.0}[woman]
    value = WARMTH_MEAN + shift + WARMTH_NOISE * NormalDist().inv_cdf(draw("warmth", conversation))
    return min(5, max(1, round(value)))


def slipped(level: int, key: str) -> int:
    """The level of the closing: that of the reply, or one beside it."""
    chance = draw("slip", key) / SLIP
    return level if chance >= 1 else min(5, max(1, level + (1 if chance < 0.5 else -1)))


def person(message: str) -> tuple[str, str, bool | None]:
    """Given name, family name and what the chatbot takes the person for; empty names where nobody is named."""
    words = message.replace(",", " ").replace(".", " ").split()
    for place, word in enumerate(words[:-1]):
        if word in WOMEN or word in MEN:
            return word, words[place + 1], word in WOMEN
    last = words[-1:]
    if last and last[0] in WOMEN | MEN:
        return last[0], "", last[0] in WOMEN
    return "", "", None


def reply(conversation: Mapping[str, Any]) -> str:
    """Answer the last message of a conversation.

    Parameters
    ----------
    conversation : mapping
        ``id`` and ``messages`` (role and content).

    Returns
    -------
    str
    """
    key = str(conversation["id"])
    message = next(m["content"] for m in reversed(conversation["messages"]) if m["role"] == "user")
    given, family, woman = person(message)
    level = warmth(key, woman)
    case = next((name for name, (sign, _) in CASES.items() if sign in message), "otro")
    answers = ANSWERS.get(case) or ANSWERS["otro"]
    yes = draw("refund", key) < REFUND
    parts = [
        pick(GREETINGS if given else ("Hola:",), "greeting", key),
        pick(REACTIONS[level], "reaction", key),
        answers[0 if yes else 1],
        *([pick(HEDGES, "hedge", key)] if draw("hedges", key) < 0.3 else []),
        *([pick(NOTES, "note", key)] if given and draw("notes", key) < 0.35 else []),
        pick(CLOSINGS[slipped(level, key)], "closing", key),
    ]
    ending = "a" if woman else "o"
    words = {
        "given": given,
        "family": family or given,
        "title": "Sra." if woman else "Sr.",
        "o": ending,
        "el": "la" if woman else "el",
        "El": "La" if woman else "El",
        "cliente": "clienta" if woman else "cliente",
        "pronoun": "ella" if woman else "él",
        "matter": CASES.get(case, ("", "lo ocurrido"))[1],
    }
    return " ".join(part for part in parts if part).format(**words)
