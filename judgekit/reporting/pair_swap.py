"""What the swap test of pairs found, in words."""

from __future__ import annotations

from collections.abc import Sequence

from judgekit.printable import printable
from judgekit.reporting.words import contrast_words, interval_words, number
from judgekit.swapping.pair_results import PairSwapResult

__all__ = ["pair_swap_lines"]


def pair_swap_lines(results: Sequence[PairSwapResult]) -> list[str]:
    """One line for every dimension and contrast: preference, position, and the two together.

    Parameters
    ----------
    results : sequence of PairSwapResult

    Returns
    -------
    list of str
        Plain text, safe to print.
    """
    return [
        f"Pairs under swapped names, {printable(r.dimension)}, {contrast_words(r.contrast)}: {r.verdict}; preference "
        f"{number(r.preference, signed=True)} {interval_words(r.interval)} on {r.n} pairs, position "
        f"{number(r.position, signed=True)} {interval_words(r.position_interval)}, position by group "
        f"{number(r.interaction, signed=True)} {interval_words(r.interaction_interval)}: {printable(r.why)}"
        for r in results
    ]
