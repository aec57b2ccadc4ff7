"""Can a classifier guess the group? Areas under the ROC curve on templates that it has never seen."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal

import numpy as np

from judgekit.agreement.auc import roc_auc
from judgekit.errors import BadInput
from judgekit.guessing.areas import areas_by_template, mean_over_templates
from judgekit.guessing.features import LONGEST
from judgekit.guessing.held_out import held_out_scores
from judgekit.records import Interval, Undefined
from judgekit.statistics.results import FloatArray, IntArray, Result, check_level

__all__ = ["FEWEST_TEXTS", "Chosen", "GroupGuess", "Guess", "PairGuess", "choose", "guess_group"]

FEWEST_TEXTS = 10
"""Texts a group must have; one with fewer is left out and counted."""

_MOST_GROUPS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupGuess:
    """One group against the rest: ``auc`` inside templates with its interval, and pooled over templates."""

    group: str
    n: int
    templates: int
    auc: float | Undefined
    interval: Interval | Undefined
    pooled_auc: float | Undefined
    pooled_interval: Interval | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class PairGuess:
    """Two groups: ``auc`` inside templates with its interval. ``templates`` counts those that have both."""

    a: str
    b: str
    templates: int
    auc: float | Undefined
    interval: Interval | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess(Result):
    """How well a classifier tells the groups apart; 0.5 is guessing.

    ``auc`` is the mean over templates of the area inside the template (of two groups, or the mean of all pairs), and
    ``interval`` resamples templates. ``pooled_auc`` compares texts of different templates too; its interval is DeLong's
    and takes texts for independent. ``n`` counts the texts used, ``templates`` those with an area, ``left_out`` the
    other texts by reason, ``cut`` texts of which only the beginning was looked at.
    """

    auc: float | Undefined
    interval: Interval | Undefined
    n: int
    templates: int
    groups: Mapping[str, int]
    left_out: Mapping[str, int]
    pooled_auc: float | Undefined
    pooled_interval: Interval | Undefined
    per_group: tuple[GroupGuess, ...] = ()
    per_pair: tuple[PairGuess, ...] = ()
    cut: int = 0
    folds: int = 0
    seed: int = 0

    @property
    def verdict(self) -> Literal["told apart", "not told apart", "undefined"]:
        """Whether the whole interval lies above 0.5. "Not told apart" proves no blinding."""
        if not isinstance(self.interval, Interval):
            return "undefined"
        return "told apart" if self.interval.low > 0.5 else "not told apart"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Which texts can be used: their ``rows``, groups and templates as numbers, and why the others cannot.

    ``paired`` is False where no two templates have two groups, so that nothing can be compared inside a template.
    """

    rows: IntArray
    names: tuple[str, ...]
    groups: IntArray
    templates: IntArray
    paired: bool
    left_out: Mapping[str, int] = field(default_factory=dict)
    problem: Undefined | None = None


def choose(groups: Sequence[str | None], templates: Sequence[str | None]) -> Chosen:
    """Choose the texts that a comparison can use.

    Parameters
    ----------
    groups, templates : sequence of str or None
        One per text.

    Returns
    -------
    Chosen
        Texts without group or template, of groups with fewer than 10 texts, and, where two templates or more have
        several groups, those of templates with one group are left out and counted.

    Raises
    ------
    BadInput
        Different lengths, or more than 20 groups.

    Examples
    --------
    >>> chosen = choose(["a", "b"] * 10 + [None], [f"t{n // 4}" for n in range(21)])
    >>> chosen.names, len(chosen.rows), chosen.left_out
    (('a', 'b'), 20, {'no group': 1})
    """
    if len(groups) != len(templates):
        raise BadInput("groups and templates differ in number", seen=f"{len(groups)} and {len(templates)}")
    left: Counter[str] = Counter()
    rows = []
    for row, (group, template) in enumerate(zip(groups, templates, strict=True)):
        if group is None or template is None:
            left["no group" if group is None else "no template"] += 1
        else:
            rows.append(row)
    rows, paired = _settle(rows, groups, templates, left)
    names = tuple(sorted({str(groups[row]) for row in rows}))
    if len(names) > _MOST_GROUPS:
        raise BadInput(
            "too many groups to tell apart",
            field="group",
            seen=f"{len(names)} values",
            why=f"at most {_MOST_GROUPS} are compared",
            remedy="choose a column with fewer values",
        )
    units = {unit: n for n, unit in enumerate(sorted({str(templates[row]) for row in rows}))}
    place = {name: n for n, name in enumerate(names)}
    problem = None
    if len(names) < 2:
        one = len({g for g in groups if g is not None}) < 2
        problem = (
            Undefined("one group", "nothing to tell apart")
            if one
            else Undefined("too few texts", f"each of two groups needs {FEWEST_TEXTS} texts that can be compared")
        )
    elif len(units) < 2:
        problem = Undefined("one template", "no template can be held out")
    return Chosen(
        rows=np.array(rows, dtype=np.int64),
        names=names,
        groups=np.array([place[str(groups[row])] for row in rows], dtype=np.int64),
        templates=np.array([units[str(templates[row])] for row in rows], dtype=np.int64),
        paired=paired,
        left_out=dict(sorted(left.items())),
        problem=problem,
    )


def _settle(
    rows: list[int], groups: Sequence[str | None], templates: Sequence[str | None], left: Counter[str]
) -> tuple[list[int], bool]:
    """Leave out small groups and templates with one group, each of which may make more of the other."""
    while True:
        sizes = Counter(groups[row] for row in rows)
        kept = [row for row in rows if sizes[groups[row]] >= FEWEST_TEXTS]
        left["small group"] += len(rows) - len(kept)
        present: dict[str | None, set[str | None]] = defaultdict(set)
        for row in kept:
            present[templates[row]].add(groups[row])
        paired = sum(len(found) > 1 for found in present.values()) >= 2
        both = [row for row in kept if len(present[templates[row]]) > 1] if paired else kept
        left["one group in its template"] += len(kept) - len(both)
        if len(both) == len(rows):
            for reason in [reason for reason, n in left.items() if not n]:
                del left[reason]
            return both, paired
        rows = both


def guess_group(
    texts: Sequence[str],
    groups: Sequence[str | None],
    templates: Sequence[str | None],
    *,
    folds: int = 5,
    seed: int = 20260101,
    level: float = 0.95,
    draws: int = 10_000,
) -> Guess:
    """Try to guess the group from the text, on templates that the classifier has never seen.

    Parameters
    ----------
    texts : sequence of str
    groups, templates : sequence of str or None
        One per text. A text without one of them is left out and counted.
    folds : int
        Parts that the templates are dealt into, at least 2; each is guessed by a classifier of the others.
    seed : int
        Seed of folds and resamples.
    level : float
        Level of the intervals.
    draws : int
        Resamples of templates.

    Returns
    -------
    Guess
        Undefined, with the reason, for one group, one template, or too few texts or templates.

    Raises
    ------
    BadInput
        Different lengths, more than 20 groups, or fewer than 2 folds.

    Notes
    -----
    Logistic regression on the TF-IDF of 1 to 4 characters, the length and the placeholders of each kind. The headline
    compares texts of one template only: templates differ, and a classifier that merely knows them guesses at 0.5 there
    whatever their shares of the groups are. With several groups it is Hand and Till's mean over pairs.

    A low area is weak evidence: a leak that the classifier cannot learn from the other templates does not show. The
    interval covers the choice of templates and what classifiers share (see `mean_over_templates`), not the choice of
    folds.

    Examples
    --------
    >>> texts = [f"{who} asks about the {thing}" for thing in "abcdefghijkl" for who in ("she", "he")]
    >>> found = guess_group(texts, ["f", "m"] * 12, [str(n // 2) for n in range(24)])
    >>> found.auc, found.verdict
    (1.0, 'told apart')
    """
    check_level(level)
    if folds < 2:
        raise BadInput("a part must be held out", field="folds", seen=folds, why="at least 2 folds", remedy="use 5")
    if len(texts) != len(groups):
        raise BadInput("texts and groups differ in number", seen=f"{len(texts)} and {len(groups)}")
    chosen = choose(groups, templates)
    used = [texts[row] for row in chosen.rows]
    sizes = {name: int((chosen.groups == n).sum()) for n, name in enumerate(chosen.names)}
    facts: dict[str, Any] = {
        "n": len(used),
        "groups": sizes,
        "left_out": chosen.left_out,
        "cut": sum(len(text) > LONGEST for text in used),
        "seed": seed,
    }
    if chosen.problem is not None:
        why = chosen.problem
        return Guess(auc=why, interval=why, templates=0, pooled_auc=why, pooled_interval=why, **facts)
    parts = min(folds, int(chosen.templates.max()) + 1)
    scores = held_out_scores(used, chosen.groups, chosen.templates, folds=parts, seed=seed)
    return _summed(chosen, scores, {"level": level, "draws": draws, "seed": seed}, facts | {"folds": parts})


def _summed(chosen: Chosen, scores: FloatArray, options: dict[str, Any], facts: dict[str, Any]) -> Guess:
    of_pairs, of_groups = areas_by_template(scores, chosen.groups, chosen.templates)
    level = options["level"]
    auc, interval, n = mean_over_templates(_row_means(of_pairs), **options)
    per_group, per_pair = [], []
    for place, name in enumerate(chosen.names):
        own, own_interval, own_n = mean_over_templates(of_groups[:, place], **options)
        pooled, pooled_interval = _pooled(scores[:, place], chosen.groups == place, level)
        per_group.append(
            GroupGuess(
                group=name,
                n=facts["groups"][name],
                templates=own_n,
                auc=own,
                interval=own_interval,
                pooled_auc=pooled,
                pooled_interval=pooled_interval,
            )
        )
    for column, (a, b) in enumerate(combinations(chosen.names, 2)):
        both, both_interval, both_n = mean_over_templates(of_pairs[:, column], **options)
        per_pair.append(PairGuess(a=a, b=b, templates=both_n, auc=both, interval=both_interval))
    pooled, pooled_interval = per_group[0].pooled_auc, per_group[0].pooled_interval
    if len(chosen.names) > 2:
        pooled, _, _ = mean_over_templates(areas_by_template(scores, chosen.groups, 0 * chosen.groups)[0][0], **options)
        pooled_interval = Undefined("several groups", "DeLong's interval compares two; see each group against the rest")
    return Guess(
        auc=auc,
        interval=interval,
        templates=n,
        pooled_auc=pooled,
        pooled_interval=pooled_interval,
        per_group=tuple(per_group),
        per_pair=tuple(per_pair),
        **facts,
    )


def _row_means(values: FloatArray) -> FloatArray:
    """Means over what is there; nan only where nothing is."""
    there = ~np.isnan(values)
    count = there.sum(axis=1)
    total = np.where(there, values, 0.0).sum(axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _pooled(
    scores: FloatArray, positive: np.ndarray[Any, np.dtype[np.bool_]], level: float
) -> tuple[float | Undefined, Interval | Undefined]:
    scored = ~np.isnan(scores)
    found = roc_auc(positive[scored].tolist(), scores[scored].tolist(), level=level)
    return found.auc, found.interval
