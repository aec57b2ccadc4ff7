"""Which words and characters speak most for a group: a lead to look at, never a proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from judgekit.guessing.features import Features, text_features, weigh
from judgekit.guessing.guess import Chosen, choose
from judgekit.guessing.held_out import fit
from judgekit.statistics.results import FloatArray, IntArray

__all__ = ["Telling", "telling"]

_LOOKED_AT = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """What speaks for a group.

    ``kind`` is ``word`` (1 or 2 words), ``char`` (1 to 4 characters) or ``count`` (the length, placeholders of a kind).
    ``weight`` is what it adds, on average inside a template, to the log-odds of the group over the rest; ``templates``
    and ``texts`` count where the group's texts have it (for a count: the templates where they have more than the rest on
    average, and all of the group's texts).
    """

    group: str
    kind: Literal["word", "char", "count"]
    ngram: str
    weight: float
    templates: int
    texts: int


def telling(
    texts: Sequence[str], groups: Sequence[str | None], templates: Sequence[str | None], *, top: int = 10
) -> tuple[Telling, ...]:
    """The most telling n-grams of every group, from classifiers fitted on all texts.

    Parameters
    ----------
    texts : sequence of str
    groups, templates : sequence of str or None
        As `guess_group`.
    top : int
        How many per group and kind.

    Returns
    -------
    tuple of Telling
        By group and kind, the heaviest first. Empty where nothing can be compared. An n-gram of one template only is left
        out: it cannot help on another. So is one inside a longer or shorter one that stands in the same texts.

    Notes
    -----
    The fit has seen every text, so that something is always listed, also where the groups cannot be told apart.

    Examples
    --------
    >>> texts = [f"{who} asks about the {thing}" for thing in "abcdefghijkl" for who in ("she", "he")]
    >>> found = telling(texts, ["f", "m"] * 12, [str(n // 2) for n in range(24)], top=1)
    >>> [(t.group, t.ngram, t.templates) for t in found if t.kind == "word"]
    [('f', 'she', 12), ('m', 'he', 12)]
    """
    chosen = choose(groups, templates)
    if chosen.problem is not None:
        return ()
    used = [texts[row] for row in chosen.rows]
    found = [*_of_level(used, chosen, "word", top), *_of_level(used, chosen, "char", top)]
    order = {"word": 0, "char": 1, "count": 2}
    return tuple(sorted(found, key=lambda t: (t.group, order[t.kind], -t.weight, t.ngram)))


def _of_level(texts: Sequence[str], chosen: Chosen, level: Literal["word", "char"], top: int) -> Iterator[Telling]:
    features = text_features(texts, level=level)
    everything = np.arange(len(texts))
    matrix, _, kept = weigh(features, everything, everything)
    two = len(chosen.names) == 2
    coefficients: FloatArray = np.zeros(matrix.shape[1])
    for place, name in enumerate(chosen.names):
        own = chosen.groups == place
        # Of two groups the second has the same classifier, seen from the other side.
        coefficients = -coefficients if two and place else fit(matrix, own.astype(np.int64)).coef_[0]
        # Both must point to the group: it has more of it, and the classifier says so.
        more = matrix.T @ _contrast(own, chosen)
        weights = np.where((coefficients > 0) & (more > 0), coefficients * more, 0.0)
        yield from _ngrams(features, kept, weights[: len(kept)], own, chosen, name=name, kind=level, top=top)
        if level == "char":
            yield from _counts(features, weights[len(kept) :], own, chosen, name=name)


def _contrast(own: np.ndarray[tuple[int], np.dtype[np.bool_]], chosen: Chosen) -> FloatArray:
    """Weights of the texts whose sum is the group's mean minus the rest's, averaged over templates with both."""
    unit = chosen.templates if chosen.paired else np.zeros_like(chosen.templates)
    mine = np.bincount(unit[own], minlength=int(unit.max()) + 1)
    rest = np.bincount(unit[~own], minlength=int(unit.max()) + 1)
    both = (mine > 0) & (rest > 0)
    share = np.where(own, 1.0 / np.maximum(mine, 1)[unit], -1.0 / np.maximum(rest, 1)[unit])
    weights: FloatArray = np.where(both[unit], share, 0.0) / max(1, int(both.sum()))
    return weights


def _ngrams(
    features: Features,
    kept: IntArray,
    weights: FloatArray,
    own: np.ndarray[tuple[int], np.dtype[np.bool_]],
    chosen: Chosen,
    *,
    name: str,
    kind: Literal["word", "char"],
    top: int,
) -> Iterator[Telling]:
    best = np.argsort(-weights, kind="stable")[:_LOOKED_AT]
    best = best[weights[best] > 0]
    columns = features.counts[:, kept[best]].tocsc()
    listed: list[tuple[str, frozenset[int]]] = []
    for place, column in enumerate(best):
        rows = columns.indices[columns.indptr[place] : columns.indptr[place + 1]]
        ngram, where = features.names[kept[column]], frozenset(rows.tolist())
        mine = rows[own[rows]]
        templates = len(np.unique(chosen.templates[mine]))
        if templates < 2 or any(where == other and (ngram in seen or seen in ngram) for seen, other in listed):
            continue
        listed.append((ngram, where))
        yield Telling(
            group=name, kind=kind, ngram=ngram, weight=float(weights[column]), templates=templates, texts=len(mine)
        )
        if len(listed) == top:
            return


def _counts(
    features: Features,
    weights: FloatArray,
    own: np.ndarray[tuple[int], np.dtype[np.bool_]],
    chosen: Chosen,
    *,
    name: str,
) -> Iterator[Telling]:
    size = int(chosen.templates.max()) + 1
    mine = np.bincount(chosen.templates[own], minlength=size)
    rest = np.bincount(chosen.templates[~own], minlength=size)
    for place in np.flatnonzero(weights > 0):
        values = features.extra[:, place]
        above = np.bincount(chosen.templates[own], values[own], size) / np.maximum(mine, 1)
        below = np.bincount(chosen.templates[~own], values[~own], size) / np.maximum(rest, 1)
        more = (mine > 0) & (rest > 0) & (above > below + 1e-12)
        yield Telling(
            group=name,
            kind="count",
            ngram=features.extra_names[place],
            weight=float(weights[place]),
            templates=int(more.sum()),
            texts=int(own.sum()),
        )
