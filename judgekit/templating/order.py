"""The order of sending: random, and shown to be so."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from judgekit.records import Undefined

__all__ = ["Runs", "runs_test", "shuffled"]

T = TypeVar("T")
_TRIES = 50
_LEAST_P = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Runs of equal labels in a sequence, how many a random order has, and the two-sided p of the difference."""

    runs: int
    expected: float
    p: float | Undefined


def runs_test(labels: Sequence[Hashable]) -> Runs:
    """Test whether labels stand in random order, by the number of runs.

    Parameters
    ----------
    labels : sequence
        Two or more kinds, in the order in question.

    Returns
    -------
    Runs
        ``p`` is undefined when there are fewer than two kinds, or nothing could vary.

    Notes
    -----
    With counts n_i of N labels, the expected number of runs is 1 + N - S2/N, where S2 is the sum of n_i squared; normal
    approximation with the variance for several kinds [1]_; two kinds give the test of Wald and Wolfowitz (1940).

    References
    ----------
    .. [1] Mood, A. M. (1940). The distribution theory of runs. Annals of Mathematical Statistics 11, 367-392.

    Examples
    --------
    >>> runs_test("ab" * 20).p < 0.001, runs_test("a" * 20 + "b" * 20).p < 0.001
    (True, True)
    """
    n, counts = len(labels), Counter(labels)
    runs = sum(1 for k, label in enumerate(labels) if not k or labels[k - 1] != label)
    squares, cubes = sum(c**2 for c in counts.values()), sum(c**3 for c in counts.values())
    expected = (n * (n + 1) - squares) / n if n else 0.0
    if len(counts) < 2:
        return Runs(runs=runs, expected=expected, p=Undefined("fewer than two kinds"))
    variance = (squares * (squares + n * (n + 1)) - 2 * n * cubes - n**3) / (n**2 * (n - 1))
    if variance <= 0:
        return Runs(runs=runs, expected=expected, p=Undefined("nothing can vary"))
    return Runs(runs=runs, expected=expected, p=math.erfc(abs(runs - expected) / math.sqrt(2 * variance)))


def shuffled(items: Sequence[T], labels: Sequence[Hashable], *, seed: int) -> list[T]:
    """Items in random order, drawn again while a runs test on their labels finds a pattern.

    Parameters
    ----------
    items : sequence
    labels : sequence
        One for each item.
    seed : int
        The same seed gives the same order.

    Returns
    -------
    list

    Examples
    --------
    >>> sorted(shuffled([1, 2, 3], "aba", seed=1))
    [1, 2, 3]
    """
    rng = random.Random(f"order {seed}")
    places = list(range(len(items)))
    for _ in range(_TRIES):
        rng.shuffle(places)
        p = runs_test([labels[place] for place in places]).p
        if isinstance(p, Undefined) or p >= _LEAST_P:
            break
    return [items[place] for place in places]
