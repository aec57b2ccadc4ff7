"""Names that are not given and written small, as in a chat, and surnames that are words: "ok citlali, done", "under Price"."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Iterator

import regex

from judgekit.blinding.candidates import Lists, all_letters
from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View

__all__ = ["booked_under", "small_names"]

_WORDS = rule_words("people")
_ENGLISH = rule_words("english")
_OPENING = _ENGLISH["cheers"] | frozenset(
    "ok okay k yes yep yup yeah sure thanks thx ta cheers sorry alright hi hey hello hiya thing it worries problem done noted there morning afternoon evening night one".split()
)
_SLANG = _WORDS["chat_words"]
_SPOKEN_TO = frozenset(
    "you u ur your you're youre im i i've we pls plz please can could just check that this did do want r sorry thanks thx let lmk".split()
)
_ASKED = frozenset((("can", "u"), ("can", "you"), ("could", "u"), ("could", "you"), ("u", "can"), ("you", "can"), ("do", "u"), ("do", "you"), ("pls",), ("please",), ("did", "u"), ("did", "you")))  # fmt: skip
_ENDED = frozenset(
    "now done sorted too then there here back again ready today tonight already all yet still soon".split()
)
_VOWEL = regex.compile(r"[aeiouy]")
_PHRASES = frozenset((("sure", "thing"), ("got", "it"), ("no", "worries"), ("no", "problem"), ("all", "done"), ("hi", "there"), ("hey", "there"), ("good", "morning"), ("good", "afternoon"), ("good", "evening"), ("good", "night"), ("nice", "one"), ("well", "done")))  # fmt: skip


def small_names(view: View, lists: Lists) -> Iterator[tuple[int, int]]:
    """Find one or two unknown words in small letters where a chat calls somebody.

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

    Examples
    --------
    >>> from judgekit.blinding.candidates import lists_of
    >>> from judgekit.blinding.fold import fold
    >>> def found(text):
    ...     view = fold(text)
    ...     return [view.words[i:j] for i, j in small_names(view, lists_of(view, "en"))]
    >>> found("ok citlali, found it. yep sorted now maryam darwish, pls check")
    [('citlali',), ('maryam', 'darwish')]
    >>> found("ok kubernetes, docker and podman all work")
    []
    """
    k = 0
    while k < len(view.words):
        last = k
        while (
            last < len(view.words)
            and last - k < 2
            and _small(view, last, lists)
            and (last == k or view.before(last) == " ")
        ):
            last += 1
        if last > k and _called(view, k, last) and not _small_foreign(view, last, lists):
            yield k, last
        k = max(last, k + 1)


def _small(view: View, k: int, lists: Lists) -> bool:
    word = view.words[k]
    return (
        len(word) > 2
        and not view.capital(k)
        and view.raw(k).islower()
        and all_letters(word)
        and word not in _SLANG
        and _VOWEL.search(word, timeout=1.0) is not None
        and lists.unknown(word)
    )


def _small_foreign(view: View, last: int, lists: Lists) -> bool:
    """Whether one more unknown word follows: a phrase in another language and no name."""
    return last < len(view.words) and view.before(last) == " " and _small(view, last, lists)


def _quiet(view: View, k: int) -> bool:
    """Whether the sentence of a word begins small, as in a chat."""
    while k and not view.opens_sentence(k):
        k -= 1
    return not view.capital(k)


def _called(view: View, k: int, last: int) -> bool:
    before, after = view.before(k), view.after(last - 1)
    follows = view.words[last : last + 2]
    ended = after[:1] in {",", "!", ".", "?", ""} and not after[1:2].strip(" .!?\n")
    spoken = after == " " and follows[:1] != () and follows[0] in _SPOKEN_TO
    if before not in {" ", ", "} and not view.opens_sentence(k):
        return False
    if view.opens_sentence(k):
        return k > 0 and after == " " and (follows in _ASKED or follows[:1] in _ASKED)
    if not _quiet(view, k):
        return False
    opener = view.words[k - 1]
    if opener in _OPENING and (ended or spoken):
        return view.opens_sentence(k - 1) or view.words[max(0, k - 2) : k] in _PHRASES
    told = after[:1] == "," and follows[:1] != () and follows[0] in _SPOKEN_TO
    return opener in _ENDED and before == " " and (told or (last - k == 2 and ended))


_BOOKED = frozenset(
    "seat seats table room rooms booking booked reservation reserved order registered filed listed ticket tickets appointment account parcel held kept saved recorded "
    "stored name entry record collect collection invoice policy case four two three".split()
)


def booked_under(view: View, lists: Lists) -> Iterator[tuple[int, int]]:
    """Find a capitalised word that something is booked under: "the seat under Price", "a table under the name Wood".

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

    Examples
    --------
    >>> from judgekit.blinding.candidates import lists_of
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("The seat under Price is kept; see the fee under Prices and the file under Settings.")
    >>> [view.words[i] for i, _ in booked_under(view, lists_of(view, "en"))]
    ['price']
    """
    for k, word in enumerate(view.words):
        if word != "under" or k < 1 or k + 1 >= len(view.words) or _BOOKED.isdisjoint(view.words[max(0, k - 3) : k]):
            continue
        at = k + 1
        if view.words[at : at + 2] in {("the", "name"), ("your", "name")}:
            at += 2
        if at >= len(view.words) or view.before(at) != " " or not view.capital(at) or view.raw(at).isupper():
            continue
        crowded = at + 1 < len(view.words) and view.after(at) == " " and view.capital(at + 1)
        thing = (
            view.words[at] in _MENUS or view.words[at] in lists.things.calendar or view.words[at] in lists.things.sure
        )
        if not crowded and not thing and all_letters(view.words[at]) and len(view.words[at]) > 2:
            yield at, at + 1


_MENUS = frozenset(
    "settings orders order account profile help options tools files file view edit more services returns privacy security payments billing general admin reports "
    "downloads documents bookings section article clause rule act title part annex table chapter other misc the this that your our".split()
)
