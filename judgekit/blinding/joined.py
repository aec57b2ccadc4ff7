"""Names grown over what stands right beside them: the other given name, a surname that is a word, an initial."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judgekit.blinding.candidates import HAILS, TITLED, Lists, all_letters, lists_of, thing_follows
from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import Span, View
from judgekit.blinding.known import KNOWN, PARTICLES
from judgekit.blinding.surnames import with_particles

__all__ = ["with_neighbours"]

_WORDS = rule_words("people")
_NOT_PARTS = (
    _WORDS["role_words"] | _WORDS["greet"] | _WORDS["groups"] | _WORDS["related"] | _WORDS["intro"] | _WORDS["closings"] | HAILS | TITLED
)  # fmt: skip
_OPENERS = rule_words("names")["openers"]
_SURNAMES = _WORDS["surnames"]
_SYLLABLES = rule_words("names")["syllables"]
_EVERYDAY = rule_words("names")["everyday_en"] | rule_words("names")["everyday_es"]


def with_neighbours(view: View, spans: Sequence[Span], lang: str, *, strict: bool) -> list[Span]:
    """Names together with the capitalised words that belong to them.

    Parameters
    ----------
    view : View
        The folded text.
    spans : sequence of Span
        What was found.
    lang : str
        The text's language.
    strict : bool
        True when the names are known: only words that no list knows are taken in.

    Returns
    -------
    list of Span
        Only the names that grew, ranked above what they replace.
    """
    lists = lists_of(view, lang)
    starts, ends = view.starting_at, view.ending_at
    taken = {k for s in spans for k in (starts.get(s.start), ends.get(s.end)) if k is not None}
    grown = []
    for span in spans:
        first, last = starts.get(span.start), ends.get(span.end)
        if span.kind != "name" or first is None or last is None or not view.capital(first) or last < first:
            continue
        low, high, tight = first, last, strict or span.person == KNOWN
        while low > 0 and low - 1 not in taken and _left(view, low, lists, strict=tight):
            low -= 1
        while high + 1 < len(view.words) and high + 1 not in taken and _right(view, high, lists, strict=tight):
            high += 1
        if high + 1 not in taken and not tight and _cut(view, high, lists):
            high += 1
        if high + 1 not in taken and not tight and _syllable(view, high, lists):
            high += 1
        if high + 1 not in taken and _initial(view, high):
            high += 1
        while (
            len(view.words[high]) == 1
            and high + 1 not in taken
            and view.after(high) in {". ", "."}
            and _dated(view, high)
        ):
            if view.after(high) == ". (" or len(view.words[high + 1]) != 1:
                break
            high += 1
        if lang == "en" and low:
            low = with_particles(view, low)
        if (low, high) != (first, last):
            begin, end = view.source(view.starts[low], view.ends[high])
            grown.append(replace(span, start=begin, end=end, form=_form(span.form), rank=span.rank + 2))
    return grown


def _form(form: str) -> str:
    return "full" + (".upper" if form.endswith(".upper") else "")


def _alike(view: View, a: int, b: int) -> bool:
    """Both in capitals, or neither."""
    x, y = view.raw(a), view.raw(b)
    return (len(x) > 1 and x.isupper()) == (len(y) > 1 and y.isupper())


def _part(view: View, k: int, lists: Lists, *, strict: bool) -> bool | None:
    """Whether a capitalised word may be part of a name; None when only its place could tell."""
    word = view.words[k]
    if len(word) < 2 or not all_letters(word) or not view.capital(k) or word in _NOT_PARTS or word in PARTICLES:
        return False
    if word in lists.things.calendar or word in _OPENERS or (view.raw(k).isupper() and len(word) < 3):
        return False
    if lists.unknown(word):
        return True
    if strict:
        return False
    if word in lists.things.word_names or word in lists.things.doubtful or word in _SURNAMES or word in _EVERYDAY:
        return True
    return False if word in lists.things.sure else None


def _left(view: View, low: int, lists: Lists, *, strict: bool) -> bool:
    k = low - 1
    if view.before(low) not in {" ", "/", "-"} or not _alike(view, k, low):
        return False
    if (
        view.before(low) == "-"
        and not strict
        and view.capital(k)
        and len(view.words[k]) > 2
        and all_letters(view.words[k])
    ):
        return view.words[k] not in _PREFIXES and (view.before(k)[-1:] or " ").isspace()
    part = _part(view, k, lists, strict=strict)
    if part is None:  # to Clement Osei: an ordinary word with a capital inside a sentence
        part = not view.opens_sentence(k) and not (k and view.capital(k - 1)) and not lists.shouted
    if part is False and k > 1 and view.words[k - 2 : k] == ("name", "is") and view.before(low) == " ":
        return view.before(k) == " "
    if view.before(low) == "/":
        return part and view.raw(k).isupper()
    return part


_PREFIXES = frozenset(
    "anti non pro mid pre post ex sub multi anglo afro euro neo pseudo semi ultra trans inter intra self half all img cv pdf doc file scan lease invoice form order".split()
)


def _right(view: View, high: int, lists: Lists, *, strict: bool) -> bool:
    k = high + 1
    if view.after(high) not in {" ", "-", "/"} or not _alike(view, high, k) or thing_follows(view, high):
        return False
    part = _part(view, k, lists, strict=strict)
    crowded = k + 1 < len(view.words) and view.after(k) == " " and view.capital(k + 1) and not view.raw(k + 1).isupper()
    if view.after(high) == "/":
        return bool(part) and view.raw(k).isupper()
    if part and thing_follows(view, k):
        return False
    if part is None:
        return not crowded and not lists.shouted and view.after(k)[:1] in {":", ",", ")", '"'}
    return part and not (crowded and not lists.unknown(view.words[k]) and not lists.unknown(view.words[k + 1]))


def _cut(view: View, high: int, lists: Lists) -> bool:
    """Ruk-/mini: the rest of a name behind the hyphen at the end of a line."""
    if high + 1 >= len(view.words) or view.after(high) != "-\n" or view.capital(high + 1):
        return False
    rest = view.words[high + 1]
    return all_letters(rest) and lists.unknown(view.words[high] + rest)


def _initial(view: View, high: int) -> bool:
    """Peake, H.; Rosalind P."""
    k = high + 1
    if k >= len(view.words) or len(view.words[k]) != 1 or not view.capital(k):
        return False
    gap, after = view.after(high), view.after(k)
    if gap not in {" ", ", "} or after[:1] != ".":
        return False
    return gap == " " or after[1:2] in {'"', "'", ")", ",", ";", ""} or _dated(view, k)


def _dated(view: View, k: int) -> bool:
    """Mazur, R. K. (2021): the initials of an author before the year."""
    while k + 1 < len(view.words) and view.after(k) in {". ", "."} and len(view.words[k + 1]) == 1:
        k += 1
    return view.after(k) == ". (" and len(view.words[k + 1 : k + 2] and view.words[k + 1]) == 4


def _syllable(view: View, high: int, lists: Lists) -> bool:
    """Hye-jin, Min-seo: the second half of a given name, written small behind the hyphen."""
    k = high + 1
    if k >= len(view.words) or view.after(high) != "-" or view.capital(k) or len(view.words[high]) > 5:
        return False
    ends = not view.after(k)[:1] or view.after(k)[:1] in " ,.!?:;'\n\")*"
    return ends and view.words[k] in _SYLLABLES and lists.unknown(view.words[high] + view.words[k])
