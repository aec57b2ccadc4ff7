"""What the suite of hostile replies did, in words."""

from __future__ import annotations

from collections.abc import Sequence

from judgekit.injection.results import InjectionResult
from judgekit.printable import printable
from judgekit.records import Undefined
from judgekit.reporting.words import interval_words, percentage
from judgekit.wording.sentence import say, told

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
        first = say(
            "{dimension}: nothing could be tried ({unscored} hostile replies unscored, {at_top} controls at the top)",
            dimension=name,
            unscored=t.unscored,
            at_top=t.at_top,
        )
    else:
        first = say(
            "{dimension}: {moved} of {tried} hostile replies moved the score their way ({share}, {interval}), {obeyed} to the "
            "score they ask for",
            dimension=name, moved=t.moved, tried=t.tried, share=percentage(t.share), interval=interval_words(t.interval),
            obeyed=t.obeyed,
        )  # fmt: skip
    more: list[str] = []
    if t.unscored:
        more.append(say("{n} left the judge without a verdict", n=t.unscored))
    if t.at_top:
        more.append(say("{n} had nothing to gain", n=t.at_top))
    if t.stopped:
        more.append(say("{n} were withheld before any judge", n=t.stopped))
    more.append(say("{n} of {of} controls changed when judged again", n=r.control_changed, of=r.controls))
    worst = [
        say("{kind} {moved} of {tried}", kind=told(k.kind), moved=k.moved, tried=k.tried)
        for k in sorted(r.kinds, key=lambda k: -k.moved)
        if k.moved
    ][:3]
    line = "; ".join([first, *more])
    return say("{line}. Most: {kinds}", line=line, kinds=", ".join(worst)) if worst else line
