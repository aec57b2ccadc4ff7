"""What the classifier sees of a text: n-grams, its length, how many placeholders of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import regex
from scipy import sparse

from judgekit.statistics.results import FloatArray, IntArray

__all__ = ["LONGEST", "Features", "has_placeholder", "text_features", "weigh"]

LONGEST = 20_000
"""Characters of a text that are looked at; what is cut is counted."""

_MOST_FEATURES = 40_000
_MOST_KINDS = 30
_EXTRA_SCALE = 0.3
_PLACEHOLDER = regex.compile(r"\[(\p{Lu}[\p{Lu}\p{N}-]{1,40})(?:_\d{1,6})?\]")
_TOKEN = regex.compile(r"\[\p{Lu}[\p{Lu}\p{N}-]{1,40}(?:_\d{1,6})?\]|[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}]+)*")
# Both patterns are linear; a text is at most LONGEST characters.
_LIMIT = 10.0


@dataclass(frozen=True, slots=True)
class Features:
    """N-gram counts (``names`` gives their columns) and standard counts (``extra_names``) of every text."""

    counts: Any
    names: tuple[str, ...]
    extra: FloatArray
    extra_names: tuple[str, ...]


def has_placeholder(text: str) -> bool:
    """Whether a text holds something of the form of a placeholder.

    Examples
    --------
    >>> has_placeholder("Dear [PERSON_1]"), has_placeholder("Dear [sic]")
    (True, False)
    """
    return _PLACEHOLDER.search(text, timeout=_LIMIT) is not None


def text_features(texts: Sequence[str], *, level: Literal["char", "word"] = "char") -> Features:
    """Count n-grams: 1 to 4 characters, or 1 to 2 words where a placeholder is one word.

    Parameters
    ----------
    texts : sequence of str
        At least one.
    level : {'char', 'word'}

    Returns
    -------
    Features
        N-grams of one text only are left out: no other text can be told by them. Case is kept.

    Examples
    --------
    >>> found = text_features(["hi [PERSON_1]", "hi [PERSON_1]", "ho"], level="word")
    >>> found.names, found.counts.sum(axis=1).ravel().tolist()
    (('[PERSON_1]', 'hi', 'hi [PERSON_1]'), [[3.0, 3.0, 0.0]])
    >>> found.extra_names
    ('length', 'placeholders', '[PERSON]')
    """
    short = [text[:LONGEST] for text in texts]
    counts, names = _ngrams(short, level)
    extra, extra_names = _extra(short)
    return Features(counts, names, extra, extra_names)


def _ngrams(texts: Sequence[str], level: str) -> tuple[Any, tuple[str, ...]]:
    from sklearn.feature_extraction.text import CountVectorizer

    # Blinded copies are often equal: each different text is counted once.
    different = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    rows = np.array([different[text] for text in texts], dtype=np.int64)
    # Counts are exact in half the memory; what is solved from them has double precision again.
    options: dict[str, Any] = {"dtype": np.float32}
    if level == "char":
        options |= {"analyzer": "char", "ngram_range": (1, 4), "lowercase": False}
    else:
        options |= {"analyzer": _words}
    if not any(True for text in different for _ in (_words(text) if level == "word" else text)):
        return sparse.csr_matrix((len(texts), 0)), ()
    counter = CountVectorizer(**options)
    counted = counter.fit_transform(list(different)).tocsr()
    in_texts = np.bincount(counted.indices, weights=np.bincount(rows)[_row_of(counted)], minlength=counted.shape[1])
    kept = np.flatnonzero(in_texts >= 2)
    names = counter.get_feature_names_out()[kept]
    return counted[:, kept][rows], tuple(str(name) for name in names)


def _row_of(matrix: Any) -> IntArray:
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def _words(text: str) -> Iterator[str]:
    words = [found.group() for found in _TOKEN.finditer(text, timeout=_LIMIT)]
    yield from words
    yield from (f"{a} {b}" for a, b in pairwise(words))


def _extra(texts: Sequence[str]) -> tuple[FloatArray, tuple[str, ...]]:
    found = [Counter(m.group(1) for m in _PLACEHOLDER.finditer(text, timeout=_LIMIT)) for text in texts]
    total: Counter[str] = Counter()
    for one in found:
        total.update(one)
    kinds = [kind for kind, _ in sorted(total.items(), key=lambda x: (-x[1], x[0]))[:_MOST_KINDS]]
    rows = [[len(t), sum(c.values()), *(c[k] for k in kinds)] for t, c in zip(texts, found, strict=True)]
    extra: FloatArray = np.log1p(np.array(rows, dtype=np.float64))
    return extra, ("length", "placeholders", *(f"[{kind}]" for kind in kinds))


def weigh(features: Features, train: IntArray, test: IntArray) -> tuple[Any, Any, IntArray]:
    """TF-IDF and scaled counts; everything that is learnt (which n-grams, their weights, scales) is from ``train``.

    Parameters
    ----------
    features : Features
    train, test : numpy.ndarray of int
        Rows.

    Returns
    -------
    (scipy.sparse.csr_matrix, scipy.sparse.csr_matrix, numpy.ndarray of int)
        Training and test rows, and which n-grams their first columns are; the extra counts follow.
    """
    from sklearn.feature_extraction.text import TfidfTransformer

    seen = features.counts[train]
    in_texts = np.bincount(seen.indices, minlength=seen.shape[1])
    kept = np.flatnonzero(in_texts >= 2)
    if len(kept) > _MOST_FEATURES:
        total = np.bincount(seen.indices, weights=seen.data, minlength=seen.shape[1])
        kept = np.sort(kept[np.argsort(-total[kept], kind="stable")[:_MOST_FEATURES]])
    centre, spread = features.extra[train].mean(axis=0), features.extra[train].std(axis=0)
    scaled = _EXTRA_SCALE * (features.extra - centre) / np.where(spread > 0, spread, 1.0)
    if not len(kept):
        return sparse.csr_matrix(scaled[train]), sparse.csr_matrix(scaled[test]), kept
    tfidf = TfidfTransformer(sublinear_tf=True).fit(seen[:, kept])
    return (
        sparse.hstack([tfidf.transform(seen[:, kept]), scaled[train]]).tocsr(),
        sparse.hstack([tfidf.transform(features.counts[test][:, kept]), scaled[test]]).tocsr(),
        kept,
    )
