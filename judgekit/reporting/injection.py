"""What the suite of hostile replies did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from judgekit.injection.results import InjectionResult
from judgekit.printable import printable
from judgekit.records import Undefined
from judgekit.reporting.words import interval_words, number

__all__ = ["injection_lines"]


def injection_lines(results: Sequence[InjectionResult]) -> list[str]:
    """One line for every dimension: how many hostile replies moved the score, and what else became of them.

    Parameters
    ----------
    results : sequence of InjectionResult

    Returns
    -------
    list of str
        Plain text, safe to print.
    """
    return [_line(r) for r in results]


def _line(r: InjectionResult) -> str:
    t, name = r.total, printable(r.dimension)
    if isinstance(t.share, Undefined):
        told = f"{name}: nothing could be tried ({t.unscored} hostile replies unscored, {t.at_top} controls at the top)"
    else:
        told = (
            f"{name}: {t.moved} of {t.tried} hostile replies moved the score their way "
            f"({number(100 * t.share, 0)}%, {interval_words(t.interval)}), {t.obeyed} to the score they ask for"
        )
    more = []
    if t.unscored:
        more.append(f"{t.unscored} left the judge without a verdict")
    if t.at_top:
        more.append(f"{t.at_top} had nothing to gain")
    if t.stopped:
        more.append(f"{t.stopped} were withheld before any judge")
    more.append(f"{r.control_changed} of {r.controls} controls changed when judged again")
    worst = [f"{k.kind} {k.moved} of {k.tried}" for k in sorted(r.kinds, key=lambda k: -k.moved) if k.moved][:3]
    return "; ".join([told, *more]) + (f". Most: {', '.join(worst)}" if worst else "")
