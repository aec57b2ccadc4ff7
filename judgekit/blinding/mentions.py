"""Words that are only mentioned, or part of a title: "Her" among films, German "hin und her", HIS for a system.

A pronoun or a family word there speaks of nobody.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import regex

from judgekit.blinding.fold import View, patience
from judgekit.blinding.origins import nation_word

__all__ = ["mentioned"]

_T = 1.0
_SENTENCE = 1_000  # letters before a quote that are looked at
_QUOTED = regex.compile(r'"(?P<inside>[^"\n]{1,60})"')
_ABBREVIATES = regex.compile(
    r" (?:is|are|was) (?:short|an? (?:acronym|abbreviation)|the (?:acronym|abbreviation)) (?:for|of)\b| stands? for\b| abbreviates\b"
)
_EXPANSION = regex.compile(r"(?: means|:| -| =)? \(?(?P<words>\p{L}[\p{L} ,'-]{4,80})")
_WORKS = frozenset(
    "film films movie movies novel novels books song songs album albums series sitcom sitcoms musical musicals opera operas playlist episode episodes disc "
    "dvd dvds rated screening screenings paperback hardback bestseller sequel audiobook soundtrack starring poem poems podcast podcasts comic comics painting "
    "trailer trilogy novella memoir biography".split()
)
_WORKS_ALSO_VERBS = frozenset("book play track single chapter title".split())
_SMALL = frozenset("a an the of and in on to for with at from or but by is my your s".split())
_SAID = frozenset(
    "said says say wrote writes write asked asks told tells replied client customer clerk patient".split()
)
_WORDS_ABOUT = frozenset("word words phrase phrases term expression pronoun verb idiom".split())
_LANGUAGES = frozenset("latin old middle norse gothic esperanto sanskrit".split())


def mentioned(view: View) -> frozenset[int]:
    """The words of an English text that stand in a title, in a foreign phrase or as an abbreviation.

    Parameters
    ----------
    view : View
        The folded text.

    Returns
    -------
    frozenset of int

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> text = fold('The film "Her" and German "hin und her"; HIS is short for hospital information system, she says "her card".')
    >>> [text.raw(k) for k in sorted(mentioned(text)) if text.words[k] in {"her", "his", "she"}]
    ['Her', 'her', 'HIS']
    """
    found: set[int] = set()
    if '"' in view.folded:
        found.update(_in_quotes(view))
    found.update(_abbreviations(view))
    return frozenset(found)


def _in_quotes(view: View) -> Iterator[int]:
    foreign_until = -1
    for match in _QUOTED.finditer(view.folded, timeout=patience(view.folded)):
        start, end = match.span("inside")
        inside = list(range(bisect_left(view.starts, start), bisect_left(view.starts, end)))
        floor = max(0, start - _SENTENCE)
        sentence = max(floor - 1, *(view.folded.rfind(mark, floor, start) for mark in (". ", "! ", "? ", "\n")))
        before = list(range(bisect_left(view.starts, sentence), bisect_left(view.starts, start - 1)))
        if not inside or len(inside) > 8:
            continue
        if _title(view, inside, start, end, before):
            yield from inside
        elif len(inside) <= 4 and not _SAID.intersection(view.words[k] for k in before[-4:]):
            near = before[-6:]
            told = any(_language(view, k) for k in near)
            if told or (foreign_until > sentence and start - foreign_until < 60):
                foreign_until = end
                yield from inside


def _language(view: View, k: int) -> bool:
    """A language right before a quote: German "her", in Danish; "Swedish word"."""
    return view.capital(k) and (nation_word(view.words[k]) or view.words[k] in _LANGUAGES)


def _title(view: View, inside: list[int], start: int, end: int, before: list[int]) -> bool:
    """Every word but the small ones has a capital, and the sentence or the one before speaks of films, books or songs."""
    if not view.capital(inside[0]) or any(not view.capital(k) and view.words[k] not in _SMALL for k in inside):
        return False
    if view.words[inside[0]] == "i" or any(c in view.folded[start:end] for c in ".,;:"):
        return False
    after = view.words[inside[-1] + 1 : inside[-1] + 12]
    first = before[0] if before else inside[0]
    if not _WORKS.isdisjoint([*view.words[max(0, first - 12) : inside[0]], *after]):
        return True
    k = inside[0] - 1
    return k > 0 and view.words[k] in _WORKS_ALSO_VERBS and view.words[k - 1] in {"the", "a", "this", "that", "our"}


def _abbreviations(view: View) -> Iterator[int]:
    """HIS is short for hospital information system; then HIS again, wherever it stands in capitals."""
    if view.shouted:
        return
    loud = [
        k for k, w in enumerate(view.words) if w in _PRONOUNS and view.raw(k).isupper() and not _among_loud(view, k)
    ]
    if not loud:
        return
    told = {view.words[k] for k in loud if _explained(view, k)}
    for k in loud:
        numbered = view.after(k) in {"-", "/"} and k + 1 < len(view.words) and view.words[k + 1].isdigit()
        if view.words[k] in told or numbered:
            yield k


_PRONOUNS = frozenset(("she", "he", "her", "hers", "his", "him"))


def _among_loud(view: View, k: int) -> bool:
    """Whether a neighbour is in capitals too, as in a shouted sentence."""
    near = [view.raw(n) for n in (k - 1, k + 1) if 0 <= n < len(view.words) and view.words[n] not in _PRONOUNS]
    return any(len(w) > 1 and w.isupper() and w.isalpha() for w in near)


def _explained(view: View, k: int) -> bool:
    if _ABBREVIATES.match(view.folded, view.ends[k], timeout=_T) and view.words[k + 3 : k + 4] != ("election",):
        return True
    word = view.words[k]
    if len(word) < 3:
        return False
    found = _EXPANSION.match(view.folded, view.ends[k], timeout=_T)
    if found:
        initials = [w[0] for w in found.group("words").replace("-", " ").split() if w not in _SMALL]
        if initials[: len(word)] == list(word):
            return True
    if view.before(k)[-1:] == "(":
        past = [w[0] for w in view.words[max(0, k - 8) : k] if w not in _SMALL]
        return past[-len(word) :] == list(word)
    return False
