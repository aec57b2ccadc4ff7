"""Scores of texts by classifiers that never saw a text of the same template."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from judgekit.guessing.features import Features, text_features, weigh
from judgekit.statistics.results import FloatArray, IntArray

__all__ = ["assign_folds", "fit", "held_out_scores"]

_PENALTY = 10.0
_DIGITS = 9


def assign_folds(templates: IntArray, folds: int, seed: int) -> IntArray:
    """Deal whole templates into folds at random.

    Parameters
    ----------
    templates : numpy.ndarray of int
        The template's number of every text, from 0.
    folds : int
        At most as many as there are templates are used.
    seed : int

    Returns
    -------
    numpy.ndarray of int
        The fold of every text. Texts of one template share theirs.

    Examples
    --------
    >>> assign_folds(np.array([0, 0, 1, 1, 2, 2]), 3, seed=1).tolist()
    [0, 0, 1, 1, 2, 2]
    """
    order = np.random.default_rng(seed).permutation(int(templates.max()) + 1)
    dealt: IntArray = order[templates] % folds
    return dealt


def fit(matrix: Any, positive: FloatArray | IntArray) -> Any:
    """Fit a logistic regression; the same rows give the same model.

    Parameters
    ----------
    matrix : scipy.sparse.csr_matrix
    positive : numpy.ndarray
        1 for the class, 0 for the rest; both must occur.

    Returns
    -------
    sklearn.linear_model.LogisticRegression
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=_PENALTY, solver="newton-cg", max_iter=300)
    with warnings.catch_warnings():
        # One that is stopped early is a classifier as well: what it is worth is measured on texts it has not seen.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", message="Line Search failed")
        return model.fit(matrix, positive)


def held_out_scores(
    texts: Sequence[str], groups: IntArray, templates: IntArray, *, folds: int, seed: int
) -> FloatArray:
    """How much every text looks like each group, by classifiers of one group against the rest.

    Parameters
    ----------
    texts : sequence of str
    groups, templates : numpy.ndarray of int
        Numbers from 0, one per text.
    folds, seed : int
        See `assign_folds`.

    Returns
    -------
    numpy.ndarray, shape (texts, groups)
        Log-odds; nan where the training templates lacked the group. Of two groups the second mirrors the first.
    """
    features = text_features(texts)
    fold = assign_folds(templates, folds, seed)
    count = int(groups.max()) + 1
    scores = np.full((len(texts), count), np.nan)
    for one in np.unique(fold):
        train, test = np.flatnonzero(fold != one), np.flatnonzero(fold == one)
        if len(train):
            _score_fold(features, groups, train, test, scores)
    if count == 2:
        scores[:, 1] = -scores[:, 0]
    # Equal texts must tie exactly, whatever order their sums were taken in.
    return np.round(scores, _DIGITS)


def _score_fold(features: Features, groups: IntArray, train: IntArray, test: IntArray, scores: FloatArray) -> None:
    seen, unseen, _ = weigh(features, train, test)
    count = scores.shape[1]
    for group in range(1 if count == 2 else count):
        positive = (groups[train] == group).astype(np.int64)
        if 0 < positive.sum() < len(positive):
            scores[test, group] = fit(seen, positive).decision_function(unseen)
