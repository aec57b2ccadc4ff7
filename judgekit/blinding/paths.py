"""Unknown names in file names and in the folders of users."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Iterator

import regex

from judgekit.blinding.candidates import Lists
from judgekit.blinding.fold import View

__all__ = ["home_folders", "in_files"]

_HOME = regex.compile(
    r"(?:/home/|/users/|\\users\\)(?P<who>[\p{L}][\p{L}\p{M}\d._-]{1,40}?)(?=[/\\\s`'\",;)]|[.:]?(?:\s|$))"
)
_NOBODY = frozenset(
    "user users username usuario name you me admin administrator root public shared default ubuntu debian pi git guest app node deploy vagrant "
    "jenkins runner www postgres mysql nginx docker dev build test hadoop oracle ec2 centos steam student".split()
)


def in_files(view: View, lists: Lists) -> Iterator[tuple[int, int]]:
    """anna_novak_invoice.pdf, /home/anna.novak: two unknown words in a row inside an identifier.

    Parameters
    ----------
    view : View
        The folded text.
    lists : Lists
        What is no name by itself.

    Yields
    ------
    (int, int)
        First word and the word after the last.
    """
    if "_" not in view.folded and "/" not in view.folded:
        return
    k = 0
    while k < len(view.words) - 1:
        end = k
        while (
            end + 1 < len(view.words)
            and view.between(end, end + 1) in {"_", ".", "-"}
            and all(w.isalpha() and len(w) > 2 and lists.unknown(w) for w in view.words[end : end + 2])
        ):
            end += 1
        joined = view.text[slice(*view.source(view.starts[k], view.ends[end]))]
        if end > k and ("_" in joined or view.before(k)[-1:] == "/") and not view.before(k).endswith("//"):
            yield k, end + 1
        k = end + 1


def home_folders(view: View) -> Iterator[tuple[int, int]]:
    """/home/ngozi_u/.ssh: the folder of somebody's own.

    Parameters
    ----------
    view : View
        The folded text.

    Yields
    ------
    (int, int)
        First word and the word after the last.
    """
    at = {start: k for k, start in enumerate(view.starts)}
    until = {end: k for k, end in enumerate(view.ends)}
    for found in _HOME.finditer(view.folded, timeout=1.0) if "/" in view.folded or "\\" in view.folded else ():
        start, end = found.span("who")
        if start in at and end in until and view.words[at[start]] not in _NOBODY:
            yield at[start], until[end] + 1
