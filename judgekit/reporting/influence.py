"""How far a gap rests on single templates or names, as plain values and in one line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.printable import printable
from judgekit.records import GapInfluence, Undefined
from judgekit.reporting.words import number

__all__ = ["influence_document", "influence_words"]


def influence_document(found: GapInfluence | None) -> dict[str, Any] | None:
    """Direction consistency and the mean gap without each template and each name.

    Parameters
    ----------
    found : GapInfluence or None

    Returns
    -------
    dict or None
        Keys ``share, positive, negative, zero, p, without_template, without_name``; None where the raw gap is not shown.
    """
    if found is None:
        return None
    return {
        "share": found.share,
        "positive": found.positive,
        "negative": found.negative,
        "zero": found.zero,
        "p": found.p,
        "without_template": dict(found.without_template),
        "without_name": found.without_name and {g: dict(by) for g, by in found.without_name.items()},
    }


def influence_words(found: GapInfluence) -> tuple[str, ...]:
    """What a reader wants to know: do templates agree, and who moves the gap most.

    Parameters
    ----------
    found : GapInfluence

    Returns
    -------
    tuple of str
        One line each for direction, templates and names; fewer where there is nothing to say.
    """
    total = found.positive + found.negative + found.zero
    lines = []
    if not isinstance(found.share, Undefined):
        lines.append(f"{round(found.share * total)} of {total} templates point that way")
    without = {"template": found.without_template}
    names = {name: gap for by in (found.without_name or {}).values() for name, gap in by.items()}
    if names:
        without["name"] = names
    for what, gaps in without.items():
        defined = {key: gap for key, gap in gaps.items() if not isinstance(gap, Undefined)}
        if len(defined) > 1:
            lines.append(_range(what, defined))
    return tuple(lines)


def _range(what: str, gaps: Mapping[str, float]) -> str:
    ordered = sorted(gaps.items(), key=lambda x: (x[1], x[0]))
    (first, low), (last, high) = ordered[0], ordered[-1]
    return (
        f"without one {what}: from {number(low, 3, signed=True)} (without {printable(first)}) to "
        f"{number(high, 3, signed=True)} (without {printable(last)})"
    )
