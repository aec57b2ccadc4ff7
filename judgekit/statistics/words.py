"""Words that differ between groups: a lead for whoever fixes the system, never a finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import regex

from judgekit.errors import BadInput
from judgekit.records import Contrast
from judgekit.statistics.results import FloatArray, Result

__all__ = ["Document", "WordDifference", "word_differences", "words_of"]

_TIMEOUT = 2.0
_WORD = regex.compile(r"\[[A-Z][A-Z0-9_]*\]|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One masked reply with its place in the design."""

    text: str
    group: str
    unit_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordDifference(
    Result,
    method="log-odds with an informative Dirichlet prior",
    unit="log-odds",
    source="Monroe, Colaresi and Quinn (2008), Political Analysis 16",
):
    """One word: log-odds ``a`` minus ``b`` and its z, with counts and the number of templates that use it."""

    word: str
    log_odds: float
    z: float
    count_a: int
    count_b: int
    templates: int


def words_of(text: str) -> list[str]:
    """Words of a masked text in lower case, without placeholders.

    Parameters
    ----------
    text : str
        Masked text.

    Returns
    -------
    list of str
        In order.

    Raises
    ------
    BadInput
        When splitting takes longer than 2 s.

    Examples
    --------
    >>> words_of("Thank you, [PERSON_1]! We're sorry.")
    ['thank', 'you', "we're", 'sorry']
    """
    try:
        return [w.casefold() for w in _WORD.findall(text, timeout=_TIMEOUT) if not w.startswith("[")]
    except TimeoutError as problem:
        raise BadInput("a text takes too long to split into words", seen=text, remedy="leave it out") from problem


def _log_odds(counts: FloatArray, total: FloatArray, prior: FloatArray) -> FloatArray:
    with_prior, all_prior = counts + prior, total + prior.sum()
    out: FloatArray = np.log(with_prior) - np.log(all_prior - with_prior)
    return out


def _tables(
    documents: Sequence[Document],
    tokens: Sequence[Sequence[str]],
    vocabulary: Sequence[str],
    units: Sequence[str],
    contrast: Contrast,
) -> tuple[FloatArray, FloatArray]:
    """Counts by group, template and word, and all words by group and template."""
    column = {word: i for i, word in enumerate(vocabulary)}
    row = {unit: i for i, unit in enumerate(units)}
    counts = np.zeros((2, len(units), len(vocabulary)))
    totals = np.zeros((2, len(units)))
    for document, words in zip(documents, tokens, strict=True):
        side, unit = int(document.group == contrast.b), row[document.unit_id]
        totals[side, unit] += len(words)
        for word, n in Counter(words).items():
            if word in column:
                counts[side, unit, column[word]] += n
    return counts, totals


def _scores(counts: FloatArray, totals: FloatArray, prior: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Log-odds a minus b and their z, with the larger of the model's and the leave-one-template-out error."""
    whole, size = counts.sum(axis=1), totals.sum(axis=1)
    delta = _log_odds(whole[0], size[0], prior) - _log_odds(whole[1], size[1], prior)
    model = np.sqrt(1 / (whole[0] + prior) + 1 / (whole[1] + prior))
    without = [_log_odds(whole[s] - counts[s], (size[s] - totals[s])[:, None], prior) for s in (0, 1)]
    leave_one = without[0] - without[1]
    t = counts.shape[1]
    jackknife = np.sqrt((t - 1) / t * ((leave_one - leave_one.mean(axis=0)) ** 2).sum(axis=0))
    return delta, delta / np.maximum(model, jackknife)


def word_differences(
    documents: Sequence[Document], contrast: Contrast, *, least: int = 5, top: int = 20, prior_size: float | None = None
) -> tuple[WordDifference, ...]:
    """Words that one group's replies use more, by log-odds with an informative Dirichlet prior.

    Parameters
    ----------
    documents : sequence of Document
        Masked replies; only those of the two groups count.
    contrast : Contrast
        The two groups; a positive z means that ``a`` gets the word more.
    least : int
        Words used less often than this over both groups are left out.
    top : int
        How many words to return, by absolute z.
    prior_size : float, optional
        Weight of the prior in words, spread over words as in all documents together. By default a tenth of the words
        there are, at most 500.

    Returns
    -------
    tuple of WordDifference
        Largest absolute z first. Empty when a group has no words or there are fewer than two templates.

    Raises
    ------
    BadInput
        When ``least``, ``top`` or ``prior_size`` is not positive.

    Notes
    -----
    The standard error is the larger of the model's and that of leaving out one template at a time, since replies to
    one template repeat each other's words. Nothing is corrected for the number of words looked at.

    References
    ----------
    .. [1] B. L. Monroe, M. P. Colaresi and K. M. Quinn, Fightin' words, Political Analysis 16, 2008.

    Examples
    --------
    >>> texts = [Document(text="so sorry " * 3 if g == "x" else "very well " * 3, group=g, unit_id=f"t{i}")
    ...          for i in range(6) for g in "xy"]
    >>> sorted(w.word for w in word_differences(texts, Contrast("x", "y")) if w.z > 0)
    ['so', 'sorry']
    """
    if least < 1 or top < 1 or (prior_size is not None and not prior_size > 0):
        raise BadInput("`least`, `top` and `prior_size` must be positive", seen=f"{least}, {top}, {prior_size}")
    mine = [d for d in documents if d.group in (contrast.a, contrast.b)]
    tokens = [words_of(d.text) for d in mine]
    overall = Counter(word for words in tokens for word in words)
    vocabulary = sorted(word for word, n in overall.items() if n >= least)
    units = sorted({d.unit_id for d in mine})
    if len(units) < 2 or not vocabulary:
        return ()
    counts, totals = _tables(mine, tokens, vocabulary, units, contrast)
    if not totals.sum(axis=1).all():
        return ()
    shares = np.array([overall[word] for word in vocabulary]) / sum(overall.values())
    weight = min(500.0, sum(overall.values()) / 10) if prior_size is None else prior_size
    prior = np.maximum(shares * weight, 1e-3)
    delta, z = _scores(counts, totals, prior)
    whole = counts.sum(axis=1)
    used = (counts.sum(axis=0) > 0).sum(axis=0)
    order = sorted(range(len(vocabulary)), key=lambda i: (-abs(float(z[i])), vocabulary[i]))[:top]
    return tuple(
        WordDifference(
            word=vocabulary[i],
            log_odds=float(delta[i]),
            z=float(z[i]),
            count_a=int(whole[0, i]),
            count_b=int(whole[1, i]),
            templates=int(used[i]),
        )
        for i in order
    )
