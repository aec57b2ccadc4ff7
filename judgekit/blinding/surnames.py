"""The surname that a text gives a person of whom only the given name is known.

"Liesbeth van Doorn", "/team/mirela-popescu", "last name R A V E N": what stands there beside the known given name is the
same person's, here and wherever else the text has it.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judgekit.blinding.candidates import Lists, all_letters, lists_of, thing_follows
from judgekit.blinding.fold import View
from judgekit.blinding.known import PARTICLES, NameSet
from judgekit.blinding.spelled import spelled_surnames

__all__ = ["cut_names", "particled", "surnames_beside", "with_particles"]

_NO_PARTICLES = frozenset("o y e a i st mac mc d thor vander vande ap ui nic ni o san santa lo auf".split())
_SPANISH = frozenset("de del la las los el al y e o d san santa lo".split())
_FOREIGN = PARTICLES - _NO_PARTICLES - _SPANISH
_ENGLISH = PARTICLES - _NO_PARTICLES
_JOINTS = frozenset((".", "_", "-"))
_VOWELS = frozenset("aeiouy")
_LONGEST = 4


def surnames_beside(views: Iterable[View], names: NameSet, lang: str) -> tuple[str, ...]:
    """Find surnames of the known person when none is known.

    Parameters
    ----------
    views : iterable of View
        The folded context and reply.
    names : NameSet
        The known names.
    lang : str
        The text's language.

    Returns
    -------
    tuple of str
        Folded surnames with their particles, in order of appearance; empty when a surname is known.

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> from judgekit.blinding.known import compile_names
    >>> known, text = compile_names(("Ina",), "en"), "Ina van Dorp, see /u/ina-dorp and ina-invoice.pdf"
    >>> surnames_beside([fold(text)], known, "en")
    ('van dorp', 'dorp')
    """
    if not names or "family" in names.pieces.values():
        return ()
    found: dict[str, None] = {}
    for view in views:
        if not any(word in names.pieces for word in view.words):
            found.update(dict.fromkeys(spelled_surnames(view) if names.pieces else ()))
            continue
        lists = lists_of(view, lang)
        found.update(dict.fromkeys(spelled_surnames(view)))
        for k, word in enumerate(view.words):
            if names.pieces.get(word) == "given":
                found.update(dict.fromkeys(_behind(view, k, lists, lang)))
                found.update(dict.fromkeys(_joined(view, k, lists)))
    return tuple(name for name in found if name not in names.pieces)


def _behind(view: View, k: int, lists: Lists, lang: str) -> Iterator[str]:
    """Liesbeth van Doorn, Aissatou Kone."""
    particles = _ENGLISH if lang == "en" else _FOREIGN
    last = k + 1
    while last < len(view.words) and last - k < _LONGEST and view.words[last] in particles and view.before(last) == " ":
        last += 1
    if last >= len(view.words) or not view.capital(k) or not view.capital(last) or view.raw(k).isupper():
        return
    word = view.words[last]
    if view.before(last) not in {" ", "-", "'"} or len(word) < 2 or not all_letters(word):
        return
    if view.before(last) != " " and last == k + 1:
        return
    if word in lists.things.calendar or (last == k + 1 and not lists.unknown(word)) or thing_follows(view, last):
        return
    yield view.folded[view.starts[k + 1] : view.ends[last]]


def _joined(view: View, k: int, lists: Lists) -> Iterator[str]:
    """/team/mirela-popescu, kwame.boateng@..., kone_aissatou_2024.pdf."""
    if view.capital(k) or not _in_an_address(view, k):
        return
    for other, gap in ((k - 1, view.before(k)), (k + 1, view.after(k))):
        if not 0 <= other < len(view.words) or gap not in _JOINTS or view.capital(other):
            continue
        word = view.words[other]
        if len(word) > 2 and word.isalpha() and not _VOWELS.isdisjoint(word) and lists.unknown(word):
            yield word


def _in_an_address(view: View, k: int) -> bool:
    """Whether a word is part of an address, a path or a file name."""
    start = max(view.folded.rfind(mark, 0, view.starts[k]) for mark in (" ", "\n", "(", '"')) + 1
    end = min(at if at >= 0 else len(view.folded) for at in (view.folded.find(m, view.ends[k]) for m in (" ", "\n")))
    return any(mark in view.folded[start:end] for mark in "/@_\\=")


_ALSO_WORDS = frozenset("do ten den bin des".split())
_TELLING = frozenset("van von der da dos di della dello bin ibn ibnu al ter binti bte ould".split())
_NO_VEHICLE = frozenset(
    "the a an this that his her their our your my by in every each rental delivery removal moving".split()
)


def with_particles(view: View, low: int) -> int:
    """The first word of a surname once the small words before it are taken in: van der [Berg], J. da [Fonseca].

    Parameters
    ----------
    view : View
        The folded English text.
    low : int
        The first word of what was found.

    Returns
    -------
    int
        ``low``, or the first particle or the initial before it.

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> with_particles(fold("Mail for J. van der Berg"), 5), with_particles(fold("The van Berg drove"), 2)
    (2, 2)
    """
    first = low
    while first and low - first < _LONGEST and view.words[first - 1] in _ENGLISH and view.before(first) in {" ", "-"}:
        first -= 1
    while first < low and (
        (view.words[first] in _ALSO_WORDS and not (first and view.capital(first - 1)))
        or (first and view.words[first - 1] in _NO_VEHICLE and view.words[first] == "van" and low - first == 1)
        or (
            view.capital(first) and view.opens_sentence(first) and view.words[first] in {"la", "el", "le", "los", "las"}
        )
    ):
        first += 1
    if (
        view.words[first] in _ENGLISH
        and first
        and len(view.words[first - 1]) == 1
        and view.capital(first - 1)
        and view.before(first) == ". "
    ):
        first -= 1
    return first


def cut_names(view: View, lists: Lists) -> Iterator[tuple[int, int]]:
    """A word inside a sentence whose capital half is ordinary and whose whole is on no list: from Sun-/gmin on.

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
    if "-\n" not in view.folded:
        return
    for k in range(1, len(view.words) - 1):
        if view.after(k) != "-\n" or not view.capital(k) or view.opens_sentence(k) or view.capital(k + 1):
            continue
        rest = view.words[k + 1]
        if all_letters(rest) and lists.unknown(rest) and lists.unknown(view.words[k] + rest):
            yield k, k + 2


def particled(view: View, lists: Lists) -> Iterator[tuple[int, int]]:
    """Surnames that only their particle tells: filed under da Fonseca, for de la Tour, Van den Bosch.

    Parameters
    ----------
    view : View
        The folded English text.
    lists : Lists
        What is no name by itself.

    Yields
    ------
    (int, int)
        First word and the word after the last.
    """
    k = 0
    while k < len(view.words):
        last = k
        while last < len(view.words) and view.words[last] in _ENGLISH and view.after(last) in {" ", "-"}:
            last += 1
        if last == k or last >= len(view.words):
            k += 1
            continue
        word, size = view.words[last], last - k
        told = size > 1 or (view.words[k] in _TELLING and word not in lists.things.sure)
        hidden = k and view.before(k) == " " and (view.capital(k - 1) or view.words[k - 1] in _NO_VEHICLE)
        named = view.capital(last) and len(word) > 2 and all_letters(word) and word not in lists.things.calendar
        if view.words[k] == "al" and view.after(k) != "-":
            told = False
        if told and named and not hidden and not thing_follows(view, last) and not view.raw(last).isupper():
            yield k, last + 1
        k = last + 1
