"""The expected score from a judge's token probabilities, located where the verdict stands and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from judgekit.records import Scored, Unscored

__all__ = ["OTHER", "Token", "expected_score"]

OTHER = "other"
"""Key of the distribution for the probability that is on no declared level."""

_TIME_LIMIT = 0.5


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an answer and its most probable alternatives, the token itself among them, with probabilities."""

    text: str
    top: tuple[tuple[str, float], ...]


def expected_score(
    tokens: Sequence[Token] | None, *, score: int, levels: Sequence[int], key: str = "score"
) -> Scored | Unscored:
    """Probability-weighted score of an answer whose point score was read already.

    Parameters
    ----------
    tokens : sequence of Token or None
        The whole answer. None when the judge gave no probabilities.
    score : int
        What `parse.parse_pointwise` read.
    levels : sequence of int
        The declared levels.
    key : str
        The key the score stands under.

    Returns
    -------
    Scored or Unscored
        ``expected`` is the mean over the declared levels, their probabilities scaled to 1; ``distribution`` has the
        probabilities as given, white space around a level ignored, and under ``other`` what is on no level or was
        not listed. Kinds: ``logprobs_missing`` (none, or none at the verdict) and ``logprobs_not_single_token``
        (the number is not one token by itself). Expected and point scores are never mixed in one metric.

    Examples
    --------
    >>> answer = [Token('{"score": ', ()), Token("4", (("4", 0.75), ("5", 0.25))), Token("}", ())]
    >>> expected_score(answer, score=4, levels=(1, 2, 3, 4, 5)).expected
    4.25
    """
    if not tokens:
        return Unscored("logprobs_missing")
    text = "".join(token.text for token in tokens)
    pattern = regex.compile(rf'"{regex.escape(key)}"\s*:\s*([0-9]+)')
    try:
        places = [m.span(1) for m in pattern.finditer(text, timeout=_TIME_LIMIT) if m[1] == str(score)]
    except TimeoutError:
        places = []
    if not places:
        return Unscored("logprobs_missing", "the verdict is not in the answer's tokens")
    start, end = places[-1]
    at = 0
    for token in tokens:
        if at <= start < at + len(token.text):
            whole = token.text.strip() == str(score) and end <= at + len(token.text)
            return _weighted(token, score, levels) if whole else Unscored("logprobs_not_single_token")
        at += len(token.text)
    return Unscored("logprobs_missing")


def _weighted(token: Token, score: int, levels: Sequence[int]) -> Scored | Unscored:
    names = {str(level): level for level in levels}
    mass: dict[str, float] = {}
    for text, probability in token.top:
        name = text.strip()
        if name in names:
            mass[name] = mass.get(name, 0.0) + probability
    on_scale = sum(mass.values())
    if on_scale <= 0:
        return Unscored("logprobs_missing", "no declared level among the alternatives")
    expected = sum(names[name] * probability for name, probability in mass.items()) / on_scale
    distribution = dict(sorted(mass.items(), key=lambda pair: names[pair[0]]))
    if 1 - on_scale > 1e-9:
        distribution[OTHER] = 1 - on_scale
    return Scored(score, expected=expected, distribution=distribution)
