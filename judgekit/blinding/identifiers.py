"""Known names inside identifiers and in other transliterations: dmytroBudget, dmitri_kowaltschuk, Hsiao-ch'ing."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

import regex

from judgekit.blinding.cues import load_wide_words
from judgekit.blinding.fold import View, fold
from judgekit.blinding.known import NameSet
from judgekit.blinding.spelling import resembles, skeleton, transliterates

__all__ = ["glued_variant", "hyphenated_variants", "names_in_humps", "surname_that_is_a_word"]

_HUMP = regex.compile(r"\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+")
_TIMEOUT = 1.0
_CUTS = frozenset("s t ll re ve d m".split())
_GLUE = frozenset((".", "_", "-"))
_SHORTEST, _LONGEST = 5, 24


def names_in_humps(view: View, i: int, names: NameSet) -> bool:
    """Whether a word in camelCase has a known name, or another transliteration of one, among its parts.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The word.
    names : NameSet
        The known names. One that is an ordinary word counts only beside another of them.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.known import compile_names
    >>> known = compile_names(("Dmytro", "Grace"), "en")
    >>> view = fold("dmytroBudget, getDmitriTotal, DMYTROPlan, gracePeriod, dynamoBudget")
    >>> [view.raw(i) for i in range(len(view.words)) if names_in_humps(view, i, known)]
    ['dmytroBudget', 'getDmitriTotal', 'DMYTROPlan']
    """
    raw = view.raw(i)
    if raw.islower() or raw.isupper() or len(raw) < _SHORTEST or raw[1:].islower():
        return False
    humps = ["".join(fold(part).words) for part in _HUMP.findall(raw, timeout=_TIMEOUT)]
    if len(humps) < 2:
        return False
    own = [h for h in humps if h in names.pieces]
    if len(own) > 1 or any(len(h) > 2 and h not in names.wordlike for h in own):
        return True
    vocabulary = load_wide_words("en")
    return any(h not in vocabulary and transliterates(h, names.pieces) for h in humps)


def glued_variant(view: View, i: int, names: NameSet) -> str | None:
    """The role of a word in small letters that stands in an identifier and is a known name in another transliteration.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The word.
    names : NameSet
        The known names.

    Returns
    -------
    str or None

    Examples
    --------
    >>> from judgekit.blinding.known import compile_names
    >>> known = compile_names(("Dmytro", "Kovalchuk"), "en")
    >>> view = fold("see dmitri_kowaltschuk.pdf, and dmitri")
    >>> [glued_variant(view, i, known) for i in range(len(view.words))]
    [None, 'given', 'family', None, None, None]
    """
    if view.capital(i) or not {view.before(i), view.after(i)} & _GLUE:
        return None
    word = view.words[i]
    return None if word in load_wide_words("en") else transliterates(word, names.pieces)


def hyphenated_variants(
    view: View, names: NameSet, taken: AbstractSet[int] = frozenset()
) -> Iterator[tuple[int, int, str]]:
    """Find names that another transliteration writes with hyphens or apostrophes: Hye-jin for Hyejin, Ch'iang for Qiang.

    Parameters
    ----------
    view : View
        The folded text.
    names : NameSet
        The known names.
    taken : set of int
        Words that are known names as they stand.

    Yields
    ------
    (int, int, str)
        First word, the word after the last, and the role.

    Examples
    --------
    >>> from judgekit.blinding.known import compile_names
    >>> known = compile_names(("Xiaoqing", "Zhang"), "en")
    >>> list(hyphenated_variants(fold("Old card: Hsiao-ch'ing, a co-operative."), known))
    [(2, 5, 'given')]
    """
    i = 0
    while i < len(view.words) - 1:
        joined, j = view.words[i], i + 1
        best = None
        while (
            view.capital(i)
            and i not in taken
            and j < len(view.words)
            and j - i < 3
            and view.before(j) in {"-", "'"}
            and view.words[j] not in _CUTS
        ):
            joined, j = joined + view.words[j], j + 1
            if _SHORTEST <= len(joined) <= _LONGEST and joined not in names.vocabulary:
                role = resembles(joined, names.pieces, names.vocabulary, capital=True)
                best = (i, j, role) if role and role != "nickname" else best
        if best is not None:
            yield best
        i = j


def surname_that_is_a_word(view: View, i: int, names: NameSet) -> bool:
    """Whether an ordinary word with a capital right behind a known given name is the surname in another spelling: Abdul Said.

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The word, one of the ordinary ones.
    names : NameSet
        The known names.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.known import compile_names
    >>> known = compile_names(("Abdel", "Sayed"), "en")
    >>> [surname_that_is_a_word(fold(text), 1, known) for text in ("Abdel Said came", "Abdel said so", "He Said")]
    [True, False, False]
    """
    if not i or not view.capital(i) or view.before(i) != " " or len(view.words[i]) < 4:
        return False
    before = view.words[i - 1]
    if not view.capital(i - 1) or (
        before not in names.pieces and not resembles(before, names.pieces, names.vocabulary, capital=True)
    ):
        return False
    bones = skeleton(view.words[i])
    return any(
        role == "family" and p[0] == view.words[i][0] and skeleton(p) == bones for p, role in names.pieces.items()
    )
