"""One neutral sentence more: the baseline that changes the text and nothing it says."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Literal

from judgekit.errors import BadInput
from judgekit.records import MaskedText
from judgekit.rewording.rules import LANGUAGES, rules_for

__all__ = ["fixed_sentence", "fixed_sentence_masked", "sentences"]

Place = Literal["end", "start"]


def sentences(lang: str) -> tuple[str, ...]:
    """The bundled neutral sentences of a language.

    Raises
    ------
    BadInput
        There are none.

    Examples
    --------
    >>> sentences("es")[2]
    'Esta línea figura en todos los mensajes.'
    """
    rules = rules_for(lang)
    if rules is None:
        raise BadInput(
            "there is no neutral sentence in this language",
            field="lang",
            seen=lang,
            why=f"known: {', '.join(LANGUAGES)}",
        )
    return rules.fixed_sentences


def fixed_sentence(text: str, *, lang: str, seed: int, place: Place = "end") -> str:
    """The text with one neutral sentence after or before it; the same sentence for every text of a seed.

    Parameters
    ----------
    text : str
    lang : str
    seed : int
        Chooses the sentence.
    place : {'end', 'start'}

    Returns
    -------
    str

    Raises
    ------
    BadInput
        No sentence in this language.

    Examples
    --------
    >>> fixed_sentence("Your order left.", lang="en", seed=3)
    'Your order left. This sentence has no bearing on the rest of the text.'
    """
    known = sentences(lang)
    added = known[random.Random(f"fixed {seed}").randrange(len(known))]
    if place == "start":
        return f"{added} {text}"
    return f"{text}{'' if not text or text[-1].isspace() else ' '}{added}"


def fixed_sentence_masked(masked: MaskedText, *, seed: int, place: Place = "end") -> MaskedText:
    """A masked reply with one neutral sentence more, its slots at their places; not verified.

    Parameters
    ----------
    masked : MaskedText
    seed : int
    place : {'end', 'start'}

    Returns
    -------
    MaskedText

    Raises
    ------
    BadInput
        No sentence in this language.
    """
    text = fixed_sentence(masked.text, lang=masked.lang, seed=seed, place=place)
    by = len(text) - len(masked.text) if place == "start" else 0
    slots = tuple(replace(s, start=s.start + by, end=s.end + by) if s.field == "text" else s for s in masked.slots)
    return replace(masked, text=text, slots=slots)
