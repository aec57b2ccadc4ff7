"""Control pairs and missing values beside a counted gap, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.records import Gap, Undefined
from judgekit.reporting.words import contrast_words, number
from judgekit.wording.sentence import say, told

__all__ = ["measured_lines", "missing_kind_words", "noise_words"]

_TOLD = frozenset({"withheld"})
_PLAIN = frozenset({"word_count", "count", "binary"})  # the column "missing" says enough of them


def measured_lines(gaps: Sequence[Gap], measured: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What control pairs and failed readings say of the counted metrics, a line each.

    Parameters
    ----------
    gaps : sequence of Gap
    measured : mapping
        The study's block, by key.

    Returns
    -------
    list of str
        Empty in a study that has neither.
    """
    lines = []
    for gap in gaps:
        if gap.kind != "measured":
            continue
        block = measured.get(gap.metric) or measured.get(gap.metric.rpartition(".")[0]) or {}
        read = block.get("kind") == "extracted" and gap.notes
        words_of = [
            told(gap.notes[-1]) if read else None,
            noise_words(gap),
            None if block.get("kind") in _PLAIN else missing_kind_words(gap),
        ]
        lines += [f"{gap.metric}, {contrast_words(gap.contrast)}: {words}" for words in words_of if words]
    return lines


def noise_words(gap: Gap) -> str | None:
    """The noise floor beside a gap; None where there are no control pairs."""
    noise = gap.noise
    if noise is None:
        return None
    if isinstance(noise.limit, Undefined):
        return say(
            "noise floor undefined: {why} ({templates} templates with control pairs)",
            why=str(noise.limit), templates=noise.templates,
        )  # fmt: skip
    within = (
        say("cannot be held against it")
        if isinstance(noise.covers, Undefined)
        else say("is no larger")
        if noise.covers
        else say("is larger")
    )
    return say(
        "noise floor ±{limit} for as many replies (±{pair_limit} for {pairs} pairs of the same prompt in each of {templates} "
        "templates): the gap {within}",
        limit=number(noise.limit, 3),
        pair_limit=number(noise.pair_limit, 3),
        pairs=number(noise.pairs),
        templates=noise.templates,
        within=within,
    )


def missing_kind_words(gap: Gap) -> str | None:
    """Values that could not be read, by group and kind; None where there are none but of withheld replies."""
    parts = [
        f"{group} " + ", ".join(f"{told(kind)} {n}" for kind, n in sorted(kinds.items()) if kind not in _TOLD)
        for group, kinds in gap.missing_kinds.items()
        if set(kinds) - _TOLD
    ]
    return say("not read: {parts}", parts="; ".join(parts)) if parts else None
