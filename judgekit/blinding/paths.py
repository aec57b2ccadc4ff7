"""Unknown names in file names and in the folders of users."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Iterator

import regex

from judgekit.blinding.candidates import Lists
from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View

__all__ = ["home_folders", "in_files", "of_papers", "own_papers"]

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


_PAPERS = frozenset(
    ("cv", "resume", "curriculum", "passport", "payslip", "diploma", "transcript", "dni", "nomina", "titulo")
)
_EXTENSION = regex.compile(r"(?:[_.-][a-z0-9]+){0,3}?\.(?:pdf|docx?|odt|txt|jpe?g|png|tiff?|zip|heic)\b")
_SURNAMES = rule_words("people")["surnames"]


def of_papers(view: View, i: int) -> bool:
    """Whether a word says whose papers a file holds: cv_young_small.pdf.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The word.

    Returns
    -------
    bool
    """
    return (
        i > 0
        and view.words[i - 1] in _PAPERS
        and view.before(i) in {"_", "-", "."}
        and _EXTENSION.match(view.folded, view.ends[i], timeout=1.0) is not None
    )


def own_papers(view: View, lists: Lists) -> Iterator[tuple[int, int]]:
    """A given name and a surname that are both words, in the file name of a person's papers; then the surname alone.

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
    at = [k for k in range(1, len(view.words)) if view.words[k - 1] in _PAPERS and of_papers(view, k)]
    given = lists.things.word_names - lists.things.calendar
    surnames: set[str] = set()
    for k in at:
        following = view.words[k + 1]
        if view.words[k] in given and view.after(k) in {"_", "-"} and following in _SURNAMES:
            surnames.add(following)
            yield k, k + 2
    for k in at:
        if view.words[k] in surnames:
            yield k, k + 1
