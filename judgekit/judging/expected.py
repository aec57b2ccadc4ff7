"""The expected score from a judge's token probabilities, located where the verdict stands and nowhere else."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]  # the reader that json itself uses
from statistics import fmean
from typing import Any

from judgekit.judging.parse import SCORE_KEY, object_places
from judgekit.records import Criterion, Judgment, Outcome, Scored, Unscored

__all__ = ["OTHER", "Token", "expected_outcomes", "expected_score", "outside_scale", "tokens_of"]

OTHER = "other"
"""Key of the distribution for the probability that is on no declared level."""

_SHARED = 1e-3  # a probability that may belong to two levels, above which nothing is said
_DECODE = json.JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an answer and its most probable alternatives, the token itself among them, with probabilities.

    Bytes that are no whole character stand in ``text`` as Python's ``surrogateescape`` writes them.
    """

    text: str
    top: tuple[tuple[str, float], ...]


def tokens_of(logprobs: str | None) -> list[Token] | None:
    """The tokens in what a judge sent (`judgekit.endpoints.base.RawAnswer`); None when it is not of that form.

    Examples
    --------
    >>> tokens_of('[["4", [52], -0.1, [["4", -0.1], ["5", -3.0]]]]')[0].text
    '4'
    """
    try:
        rows = [] if logprobs is None else json.loads(logprobs)
        return [_token(*row) for row in rows] or None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _token(text: str, codes: list[int] | None, own: float | None, top: list[list[Any]]) -> Token:
    if not isinstance(text, str):
        raise TypeError("a token is a text")
    whole = text if codes is None else bytes(codes).decode("utf-8", "surrogateescape")
    found = {str(other): p for other, logprob in top if (p := _probability(logprob)) is not None}
    # A token that was drawn may not be among the most probable ones.
    if text not in found and (p := _probability(own)) is not None:
        found[text] = p
    return Token(whole, tuple(found.items()))


def _probability(logprob: object) -> float | None:
    if isinstance(logprob, bool) or not isinstance(logprob, (int, float)) or math.isnan(logprob):
        return None
    return math.exp(min(float(logprob), 0.0))


def expected_score(
    tokens: Sequence[Token] | None,
    *,
    score: int,
    levels: Sequence[int],
    key: str = SCORE_KEY,
    raw: str | None = None,
    lenient: bool = False,
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
    raw : str, optional
        The answer that was read; what the tokens spell by default. It must stand in them, character for character.
    lenient : bool
        How the answer was read.

    Returns
    -------
    Scored or Unscored
        ``expected`` is the mean over the declared levels, their probabilities scaled to 1; ``distribution`` has the
        probabilities as given, white space around a level ignored, and under ``other`` what is on no level or was
        not listed. Kinds: ``logprobs_missing`` (none, or none at the verdict) and ``logprobs_not_single_token``
        (the number is not one token by itself, or a level listed may be the beginning of another one, as 1 of 10).
        Expected and point scores are never mixed in one metric.

    Examples
    --------
    >>> answer = [Token('{"score": ', ()), Token("4", (("4", 0.75), ("5", 0.25))), Token("}", ())]
    >>> expected_score(answer, score=4, levels=(1, 2, 3, 4, 5)).expected
    4.25
    """
    if not tokens:
        return Unscored("logprobs_missing")
    try:
        pieces = [token.text.encode("utf-8", "surrogateescape") for token in tokens]
        spelled = b"".join(pieces)
        answer = spelled.decode("utf-8") if raw is None else raw
        shift = spelled.rfind(answer.encode("utf-8"))
    except UnicodeError:
        return Unscored("logprobs_missing", "the tokens spell no text")
    if shift < 0:
        return Unscored("logprobs_missing", "the tokens spell another text than the answer")
    place = _value_place(answer, key, lenient=lenient)
    if place is None:
        return Unscored("logprobs_missing", "the verdict is not in the answer's tokens")
    written = answer[slice(*place)]
    if written == f'"{score}"':
        place, written = (place[0] + 1, place[1] - 1), str(score)
    start = shift + len(answer[: place[0]].encode("utf-8"))
    at = 0
    for token, piece in zip(tokens, pieces, strict=True):
        if at <= start < at + len(piece):
            whole = written == str(score) == token.text.strip() and start + len(written) <= at + len(piece)
            return _weighted(token, score, levels) if whole else Unscored("logprobs_not_single_token")
        at += len(piece)
    return Unscored("logprobs_missing")


def _value_place(answer: str, key: str, *, lenient: bool) -> tuple[int, int] | None:
    """Where the last verdict's value stands, in characters; keys within strings and inner objects are passed over."""
    for start in reversed(object_places(answer, lenient=lenient)):
        places = [place for name, place in _members(answer, start, lenient=lenient) if name == key]
        if places:
            return places[-1]
    return None


def _members(answer: str, start: int, *, lenient: bool) -> Iterator[tuple[str, tuple[int, int]]]:
    """Keys of an object and the places of their values, as far as they can be read."""
    at = start + 1
    while True:
        try:
            if answer[(at := _past_space(answer, at))] != '"':
                return
            name, at = scanstring(answer, at + 1, not lenient)
            begin = _past_space(answer, _past_space(answer, at) + 1)  # past the colon
            _, at = _DECODE(answer, begin)
        except (ValueError, IndexError, RecursionError):
            return  # the answer was read already: this is its end, or a form that has no place
        yield name, (begin, at)
        at = _past_space(answer, at) + 1  # past the comma, or the end


def _past_space(text: str, at: int) -> int:
    while text[at : at + 1] in {" ", "\t", "\r", "\n"}:
        at += 1
    return at


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
    for name, probability in mass.items():
        longer = [other for other in names if other != name and other.startswith(name) and other not in mass]
        # Digits may be tokens of their own: then 1 stands for itself and for the beginning of 10.
        if longer and name != str(score) and probability > _SHARED:
            return Unscored("logprobs_not_single_token", f"{name} may be the beginning of {longer[0]}")
    expected = sum(names[name] * probability for name, probability in mass.items()) / on_scale
    distribution = dict(sorted(mass.items(), key=lambda pair: names[pair[0]]))
    if 1 - on_scale > 1e-9:
        distribution[OTHER] = 1 - on_scale
    return Scored(score, expected=expected, distribution=distribution)


def expected_outcomes(
    outcomes: Mapping[str, Outcome],
    criteria: Sequence[Criterion],
    *,
    raw: str | None,
    logprobs: str | None,
    lenient: bool = False,
) -> dict[str, Outcome]:
    """The expected scores of an answer, for every dimension that has a point score; failures stay what they are.

    Parameters
    ----------
    outcomes : mapping of str to Outcome
        What was read, by dimension.
    criteria : sequence of Criterion
        All that were asked in the call; ordinal.
    raw : str or None
        The answer.
    logprobs : str or None
        What came with it.
    lenient : bool
        How it was read.

    Returns
    -------
    dict of str to Outcome
    """
    tokens = tokens_of(logprobs)
    result = dict(outcomes)
    for criterion in criteria:
        point = outcomes[criterion.dimension]
        if isinstance(point, Scored):
            weighed = expected_score(
                tokens,
                score=int(point.value),
                levels=[int(level) for level in criterion.levels],
                key=SCORE_KEY if len(criteria) == 1 else criterion.dimension,
                raw=raw,
                lenient=lenient,
            )
            if isinstance(weighed, Scored) and point.coerced:
                weighed = Scored(weighed.value, True, weighed.expected, weighed.distribution)
            result[criterion.dimension] = weighed
    return result


def outside_scale(judgments: Iterable[Judgment]) -> dict[str, dict[str, float]]:
    """How much of its probability the judge put on no declared level, by dimension.

    Parameters
    ----------
    judgments : iterable of Judgment

    Returns
    -------
    dict
        ``mean`` and ``largest`` share in [0, 1] of each dimension that has expected scores; empty for point scores.
    """
    met: dict[str, list[float]] = {}
    for judgment in judgments:
        outcome = judgment.outcome
        if isinstance(outcome, Scored) and outcome.expected is not None:
            met.setdefault(judgment.dimension, []).append((outcome.distribution or {}).get(OTHER, 0.0))
    return {name: {"mean": fmean(found), "largest": max(found)} for name, found in met.items()}
