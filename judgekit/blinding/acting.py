"""Who does something in a sentence: a word before a verb whose doer is then "she" or "his", or that only people do."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Sequence

from judgekit.blinding.cues import load_wide_words, rule_words
from judgekit.blinding.fold import Span, View

__all__ = ["acts", "taken_up"]

_GENDERED = frozenset("he him his himself she her hers herself".split())
_BE = frozenset("is was has had will can who starts started does did".split())
_GOVERNED = rule_words("names")["governed"] | frozenset("up down out off back over away in into again my me us".split())
_HUMAN = rule_words("names")["human_verbs"] | rule_words("people")["says"]
_BEFORE = rule_words("people")["before_says"] | frozenset(("after", "before"))
_MODALS = frozenset("will would can could should might must".split())
_NOT_VERBS = frozenset("is was has this its his us plus news series always perhaps as does".split())


def acts(view: View, k: int) -> bool:
    """Whether an ordinary word with a capital is followed by what a person does: "Faith adds a", "Joy and I spoke".

    Parameters
    ----------
    view : View
        The folded English text.
    k : int
        The word.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> [acts(fold(text), 1) for text in ("Once Faith adds the form", "In Faith and hope", "Then Joy and I spoke")]
    [True, False, True]
    """
    if view.after(k) != " " or k + 1 >= len(view.words) or view.capital(k + 1):
        return False
    word, following = view.words[k + 1], view.words[k + 2] if k + 2 < len(view.words) else ""
    if word == "and" and following in {"i", "we", "you"} and view.after(k + 1) == " ":
        return True
    if word in _HUMAN and word not in _BE:
        return True
    stem = word[:-1] if word.endswith("s") and not word.endswith("ss") else ""
    ends = view.after(k + 1)[:1]
    if not stem or word in _NOT_VERBS or ends not in {" ", ",", "."}:
        return False
    vocabulary = load_wide_words("en")
    return (stem in vocabulary or stem[:-1] in vocabulary) and (
        (ends == " " and following in _GOVERNED) or (ends != " " and k > 0 and view.words[k - 1] in _BEFORE)
    )


def families(view: View, i: int, j: int) -> bool:
    """Whether a surname in the plural is a family: "The Schachts can share one locker", "dinner with the Rahmans".

    Parameters
    ----------
    view : View
        The folded text.
    i, j : int
        The first word and the word after the last.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> [families(fold(text), 1, 2) for text in ("the Rahmans rent a flat", "the Andes")]
    [True, False]
    """
    if not view.words[j - 1].endswith("s") or not i:
        return False
    following = view.words[j] if j < len(view.words) and view.after(j - 1) == " " and not view.capital(j) else ""
    if following in _THEY_DO:
        return True
    governing = view.words[i - 2] if i > 1 and view.before(i - 1) == " " else ""
    return view.words[i - 1] == "the" and governing in _INVITING and len(view.words[j - 1]) > 4


_THEY_DO = frozenset(
    "can are have were will live and want asked said may should rent own need like prefer booked paid moved called rented asked".split()
)
_INVITING = frozenset(
    "with for by invite invited tell told ask asked call called thank thanked meet met join joined visit visited from".split()
)


def taken_up(view: View, i: int, j: int, named: Sequence[Span]) -> bool:
    """Whether "she" or "his" later in the sentence takes up a capitalised word that acts: "Ottoline is back and will take her cases".

    Parameters
    ----------
    view : View
        The folded English text.
    i, j : int
        The first word and the word after the last.
    named : sequence of Span
        Names of people that are known: a pronoun behind one of them speaks of that one.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> [taken_up(fold(text), 0, 1, []) for text in ("Torquil drives, then he rests.", "Zenbra works; its page is new.")]
    [True, False]
    """
    gap = view.before(i)
    if i and not gap.strip(' "') and not view.opens_sentence(i):
        return False
    if j >= len(view.words) or view.capital(j) or view.after(j - 1) not in {" ", ", "}:
        return False
    word = view.words[j]
    if view.after(j - 1) == ", " and word != "who":
        return False
    verb = (
        word in _BE
        or word in _MODALS
        or word in _HUMAN
        or word.endswith(("s", "ed"))
        or word in {"sent", "left", "took", "gave"}
    )
    if not verb:
        return False
    places = sorted(s.start for s in named if s.kind == "name")
    begin = view.source(view.starts[j], view.ends[j])[0]
    for k in range(j, min(j + 25, len(view.words))):
        if any(c in view.before(k) for c in ".!?\n") and k > j:
            return False
        here = view.source(view.starts[k], view.ends[k])[0]
        if view.words[k] in {"its", "it"} or any(begin <= p < here for p in places):
            return False
        if view.words[k] in _GENDERED:
            return True
    return False
