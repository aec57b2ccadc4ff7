"""What the swap test of pairs found, in words."""

from __future__ import annotations

from collections.abc import Sequence

from judgekit.printable import printable
from judgekit.reporting.words import contrast_words, interval_words, number, shown
from judgekit.swapping.pair_results import PairSwapResult
from judgekit.wording.sentence import say, told

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
        say(
            "Pairs under swapped names, {dimension}, {contrast}: {verdict}; preference {preference} on {n} pairs, position "
            "{position}, position by group {interaction}: {why}",
            dimension=printable(r.dimension),
            contrast=contrast_words(r.contrast),
            verdict=told(r.verdict),
            preference=f"{number(r.preference, signed=True)} {interval_words(r.interval)}",
            n=r.n,
            position=f"{number(r.position, signed=True)} {interval_words(r.position_interval)}",
            interaction=f"{number(r.interaction, signed=True)} {interval_words(r.interaction_interval)}",
            why=shown(r.why),
        )
        for r in results
    ]
