"""Words that may be a name: capitalised, on no list of ordinary words, places or brands."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from judgekit.blinding.cues import Things, load_things, load_wide_words, rule_words
from judgekit.blinding.fold import View
from judgekit.blinding.known import PARTICLES
from judgekit.blinding.origins import ENGLISH_NATIONS

__all__ = [
    "ALSO_VERBS",
    "HAILS",
    "THING_NOUNS",
    "TIGHT",
    "TITLED",
    "UNPOINTED",
    "Lists",
    "all_letters",
    "among_its_kind",
    "candidate_runs",
    "is_a_thing",
    "lists_of",
    "orders",
    "thing_follows",
]

_WORDS = rule_words("people")
HAILS = _WORDS["hails"]
_GREET = _WORDS["greet"]
TITLED = _WORDS["titled"]
UNPOINTED = _WORDS["unpointed_titles"]
_SURNAMES = _WORDS["surnames"]
_NOT_NAMES = _WORDS["not_names"]
_DEVOUT = _WORDS["devout"]
THING_NOUNS = _WORDS["thing_nouns"]
_NO_NAMES = THING_NOUNS | ENGLISH_NATIONS
ALSO_VERBS = _WORDS["also_verbs"]


_ABSTRACT = (
    "tion", "sion", "ness", "ment", "ments", "ity", "ities", "ology", "graphy", "synthesis", "lysis", "ism", "isms", "ship", "able", "ible",
    "ously", "ally", "fully", "ingly", "tions", "wise", "ward", "wards", "metry", "phobia", "itis", "scope", "ware", "cion", "ciones", "idad", "miento", "mente",
)  # fmt: skip


_BORROWED = ("ment", "ward", "ship", "able", "ware", "wise", "sion")
_PREFIXES = ("pre", "re", "un", "non", "mis", "multi", "inter", "micro", "super", "anti", "crypto", "cyber", "auto")
_TAILS = (
    ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("er", ""), ("ers", ""), ("er", "e"), ("ers", "e"),
    ("ly", ""), ("ness", ""), ("less", ""), ("ful", ""), ("able", ""), ("est", ""), ("like", ""), ("ier", "y"), ("iest", "y"), ("onal", "on"),
)  # fmt: skip


_OWNED = frozenset(
    "disease syndrome law theorem lymphoma sarcoma palsy reflex razor rule paradox constant theory equation principle sign".split()
)


def thing_follows(view: View, last: int) -> bool:
    """Whether the word after makes a street, a shop or a product of what looks like a name."""
    if not 0 <= last < len(view.words) - 1:
        return False
    following = view.words[last + 1]
    if view.after(last) == "'" and following == "s":
        if last + 2 >= len(view.words) or view.after(last + 1) != " ":
            return False
        thing = view.words[last + 2]
        return thing in {"day", "eve"} or thing in _OWNED or (thing in THING_NOUNS and view.capital(last + 2))
    return view.after(last) in {" ", "-"} and following in THING_NOUNS


_OBJECT_STARTS = frozenset(
    "the a an your this these those it them each every any all some la el los las un una tu su".split()
)
_KIND_ENDS = frozenset("of that which for in with and from who where on at by to but so".split())
_KINDS = _WORDS["kinds_of_things"]


def orders(view: View, k: int) -> bool:
    """Whether a word at the start of a sentence is a verb before its object ("Rob the bank"): a name stands before a verb."""
    if view.words[k] in _ORDERS_OF_WORK:
        return view.after(k) == " " and k + 1 < len(view.words) and not view.capital(k + 1)
    return view.after(k) == " " and k + 1 < len(view.words) and view.words[k + 1] in _OBJECT_STARTS


def among_its_kind(view: View, k: int) -> bool:
    """Whether a name that plants or programs bear too stands among others of that kind: Iris | Jasmine; Ruby 3 and Julia 1.

    Parameters
    ----------
    view : View
        The folded text.
    k : int
        A word.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> text = fold("Ruby 3 and Julia 1 run. Iris called.")
    >>> [text.words[k] for k in range(len(text.words)) if among_its_kind(text, k)]
    ['ruby', 'julia']
    """
    word = view.words[k]
    if view.after(k) == "'" or (
        view.after(k)[:1] == "," and view.before(k).strip()[-1:] in {"", "."} and k and not view.capital(k - 1)
    ):
        return False
    near = {w for w in view.words[max(0, k - 12) : k + 13] if w != word}
    if word in _SOFTWARE:
        versioned = view.after(k) == " " and k + 1 < len(view.words) and view.words[k + 1].isdigit()
        both = len(near & _SOFTWARE) > 0 and bool(near & _SOFTWARE_WORDS)
        if versioned or both or len(near & _SOFTWARE) > 1:
            return True
    return word in _PLANTS and (
        len(near & _PLANTS) > 1
        or (bool(near & _PLANTS) and bool(near & _PLANT_WORDS | ({"|"} & set(view.before(k).strip()))))
    )


_SOFTWARE, _SOFTWARE_WORDS = _WORDS["software"], _WORDS["software_words"]
_PLANTS, _PLANT_WORDS = _WORDS["plants"], _WORDS["plant_words"]
_ORDERS_OF_WORK = _WORDS["orders_of_work"]


def is_a_thing(view: View, j: int) -> bool:
    """Whether the words from ``j`` say that what was named is a thing: "Sherlock is the codename of ..."."""
    if j + 2 >= len(view.words) or view.after(j - 1) != " " or view.words[j] not in {"is", "was", "es", "era"}:
        return False
    if view.words[j + 1] not in {"a", "an", "the", "our", "one", "un", "una", "el", "la"}:
        return False
    k = j + 2
    while k + 1 < len(view.words) and k < j + 5 and view.after(k) == " " and view.words[k + 1] not in _KIND_ENDS:
        k += 1
    return view.words[k] in _KINDS


@dataclass(frozen=True, slots=True)
class Lists:
    """What is no name by itself: ordinary words and things; whether the text shouts; words of the other language."""

    vocabulary: frozenset[str]
    things: Things
    shouted: bool
    other: frozenset[str] | None = None  # English words inside Spanish text: Google Play, App Store

    def unknown(self, word: str) -> bool:
        """Whether a word is on no list, in the singular or the plural."""
        if word in self.vocabulary or word in self.things.sure or word in self.things.doubtful or word in _NO_NAMES:
            return False
        if self.other is not None and len(word) > 2 and word in self.other:
            return False
        if len(word) > 6 and word.endswith(_ABSTRACT) and word not in _DEVOUT and not self._like_a_surname(word):
            return False
        if any(word.startswith(p) and len(word) - len(p) >= 4 and word[len(p) :] in self.vocabulary for p in _PREFIXES):
            return False
        return not any(
            word.endswith(tail) and len(word) - len(tail) > 2 and word[: -len(tail)] + new in self.vocabulary
            for tail, new in _TAILS
            if tail != "es" or word.endswith(("ses", "xes", "zes", "ches", "shes", "oes"))
        )

    def _like_a_surname(self, word: str) -> bool:
        """Clement, Hayward, Constable: an ending of abstract words on what is no word."""
        tail = next((t for t in _BORROWED if word.endswith(t)), None)
        if tail is None or len(word) > 9:
            return False
        stem = word[: -len(tail)]
        return not any(s in self.vocabulary for s in (stem, stem + "e", stem + "y", stem[:-1]) if len(s) > 2)


def all_letters(word: str) -> bool:
    """Whether a word has letters and their marks only."""
    return word.isalpha() or all(c.isalpha() or unicodedata.category(c)[0] == "M" for c in word)


def lists_of(view: View, lang: str) -> Lists:
    """The lists for a text of one language.

    Parameters
    ----------
    view : View
        The folded text.
    lang : {'en', 'es'}
        Its language.

    Returns
    -------
    Lists
    """
    return _lists("es" if lang == "es" else "en", shouted=view.shouted)


@lru_cache(maxsize=4)
def _lists(lang: str, *, shouted: bool) -> Lists:
    return Lists(load_wide_words(lang), load_things(), shouted, load_wide_words("en") if lang == "es" else None)


def _candidate(view: View, k: int, lists: Lists) -> bool:
    """Whether a word is capitalised, letters only, and on no list of words or things."""
    word = view.words[k]
    if not view.capitals[k]:  # most words: asked first
        return False
    if (
        len(word) < 2
        or not all_letters(word)
        or not (lists.unknown(word) or (lists.other is None and _foreign_letters(view, k, lists)))
        or word in _NOT_NAMES
        or word in HAILS
        or word in _GREET
        or (word in _KINDRED and among_its_kind(view, k))
        or (word in _ORDERS_OF_WORK and view.opens_sentence(k) and orders(view, k))
        or (word in _SOUNDS and view.opens_sentence(k) and view.after(k)[:1] in {",", "!", "."})
        or (word in TITLED and k + 1 < len(view.words) and view.capital(k + 1) and view.after(k) in {" ", ". "})
    ):
        return False
    if lists.other is not None and _imperative(view, k, lists):
        return False
    raw, gap = view.raw(k), view.before(k)
    if gap == "/" and k and view.capital(k - 1) and len(view.words[k - 1]) > 1:
        return True
    if gap[-1:] in {"'", "_", "@", "#", "/"} and (len(gap) < 2 or gap[-1] != "'") and not _elided(view, k):
        return False
    if raw.isascii() and "&" not in raw:
        if raw.isupper():
            return len(raw) > 5 or (lists.shouted and len(raw) > 2) or _beside_shouted(view, k, lists)
        if any(c.isupper() for c in raw[1:]):
            return (
                raw.startswith(("Mc", "Mac", "De", "Di", "La", "O", "D", "Le")) and sum(c.isupper() for c in raw) == 2
            )
    return True


_KINDRED = _SOFTWARE | _PLANTS
_SOUNDS = _WORDS["interjections"]
_ENCLITIC = regex.compile(r"(?P<stem>\p{L}{3,}?)(?:me|te|se|nos|os)?(?:las?|los?|les?|me|te|se|nos)")


def _imperative(view: View, k: int, lists: Lists) -> bool:
    """Enciéndela, Dígale: a Spanish verb with its pronouns, at the start of a sentence."""
    if not view.opens_sentence(k) or not any(
        c in "áéíóú" for c in unicodedata.normalize("NFC", view.raw(k)).casefold()
    ):
        return False
    found = _ENCLITIC.fullmatch(view.words[k], timeout=1.0)
    if found is None:
        return False
    stem = found.group("stem")
    near = {
        stem,
        stem + "r",
        stem[:-1] + "ar",
        stem[:-1] + "er",
        stem[:-1] + "ir",
        stem[:-1] + "o",
        stem[:-1] + "a",
        stem[:-1] + "e",
    }
    return not near.isdisjoint(lists.vocabulary) or stem.endswith(
        ("ie", "ue", "iende", "uelve", "ga", "que", "gue", "ce")
    )


def _elided(view: View, k: int) -> bool:
    """D'Angelo, O'Brien, L'Hermite."""
    return (
        k > 0
        and view.before(k) == "'"
        and view.words[k - 1] in {"d", "o", "l", "dell", "dall", "n"}
        and view.capital(k - 1)
    )


def _beside_shouted(view: View, k: int, lists: Lists) -> bool:
    """A short word in capitals is an abbreviation unless another unknown one or an exclamation stands beside it."""
    raw = view.raw(k)
    if len(raw) < 2:
        return False
    for other, gap in ((k - 1, view.before(k)), (k + 1, view.after(k))):
        if 0 <= other < len(view.words) and gap in {" ", ", ", "-"}:
            near = view.raw(other)
            if len(near) > 2 and near.isupper() and near.isalpha() and lists.unknown(view.words[other]):
                return True
    if len(raw) > 3 and view.before(k) == ", " and view.after(k)[:1] == "!" and k:  # WELL DONE, RATNA!
        return len(view.raw(k - 1)) > 1 and view.raw(k - 1).isupper()
    return len(raw) > 2 and view.opens_sentence(k) and view.after(k)[:1] in {"!", ","}


_LOAN_LETTERS = frozenset("éèêëàâäçîïôöûüñ")


def _foreign_letters(view: View, k: int, lists: Lists) -> bool:
    """Hùng, Đức: an ordinary English word but for letters that English borrows from nobody."""
    raw = view.raw(k)
    if raw.isascii() or view.words[k] in lists.things.all or not raw[:1].isalpha():
        return False
    letters = unicodedata.normalize("NFC", raw).casefold()
    return any(
        not c.isascii()
        and c not in _LOAN_LETTERS
        and unicodedata.name(c, "").startswith("LATIN SMALL LETTER")
        and "FULLWIDTH" not in unicodedata.name(c, "")
        for c in letters
    )


def candidate_runs(view: View, lang: str) -> Iterator[tuple[int, int]]:
    """Runs of words that may be a name: candidates, particles between them, initials, a surname that is a word.

    Parameters
    ----------
    view : View
        The folded text.
    lang : {'en', 'es'}
        Its language.

    Yields
    ------
    (int, int)
        First word and the word after the last.
    """
    lists = lists_of(view, lang)
    done = 0
    for k in [k for k, capital in enumerate(view.capitals) if capital]:
        if k < done or not _candidate(view, k, lists):
            continue
        first, last = _leftward(view, k, done, lists), k
        while True:
            step = _rightward(view, last, lists)
            if step == last:
                break
            last = step
        yield first, last + 1
        done = last + 1


TIGHT = frozenset((" ", "-", "'", "  ", "\n"))


def _leftward(view: View, k: int, done: int, lists: Lists) -> int:
    """Take in what stands before a candidate: initials, particles, a given name that is also a place."""
    first = k - 1 if _elided(view, k) and k > done else k
    while (
        first > done
        and len(view.words[first - 1]) == 1
        and view.capital(first - 1)
        and view.before(first) in {". ", ".", " "}
        and ("." in view.before(first) or view.words[first - 1] not in {"a", "i", "o", "y", "e"})
        and not (lists.other is not None and view.words[first - 1] == "d" and first - 1 == k - 1)
    ):
        first -= 1
    low = first
    while low > done and view.words[low - 1] in PARTICLES and len(view.words[low - 1]) > 1 and view.before(low) == " ":
        low -= 1
    if low < first and (
        low == 0 or view.before(low).strip() or "\n" in view.before(low) or view.words[low - 1] in TITLED | HAILS
    ):
        return low
    if first == k and first > done and view.before(first) in {" ", "-"}:
        word = view.words[first - 1]
        if (
            word in PARTICLES
            and len(word) > 1
            and view.capital(first - 1)
            and not view.opens_sentence(first - 1)
            and word not in {"do", "la", "el", "los"}
        ):
            return first - 1
        alike = (
            word in lists.things.doubtful
            or word in lists.things.word_names
            or (word in lists.things.sure and word in _PLACES_AS_NAMES)
        )
        if (
            alike
            and view.capital(first - 1)
            and word not in lists.things.calendar
            and (not view.opens_sentence(first - 1) or word not in ALSO_VERBS)
        ):
            return first - 1
    return first


_PLACES_AS_NAMES = frozenset(["sofia", "lima", "kent", "devon"])


def _rightward(view: View, last: int, lists: Lists) -> int:
    """The next word of the same name, or ``last`` when there is none."""
    step = last + 1
    if step >= len(view.words):
        return last
    hop = step
    while (
        hop < len(view.words)
        and hop - step < 3
        and view.words[hop] in PARTICLES
        and view.between(hop - 1, hop) in {" ", "-", "'"}
    ):
        hop += 1
    if hop < len(view.words) and view.between(hop - 1, hop) in TIGHT - {"\n"}:
        word = view.words[hop]
        behind = hop > step and view.capital(hop) and len(word) > 1 and word not in lists.things.calendar
        if behind or _candidate(view, hop, lists):
            return hop
    gap = view.between(last, step)
    if hop > step and gap in {" ", "-"} and _candidate(view, step, lists):
        return step  # Sarthak Das: a surname that is a particle elsewhere
    if (
        len(view.words[step]) == 1
        and view.capital(step)
        and step + 1 < len(view.words)
        and gap == " "
        and view.between(step, step + 1) in {". ", " "}
        and _candidate(view, step + 1, lists)
    ):
        return step + 1
    word = view.words[step]
    if (
        gap in {" ", "-"}
        and view.capital(step)
        and len(word) > 2
        and all_letters(word)
        and word not in lists.things.calendar
        and not view.raw(step).isupper()
        and (gap == "-" or word in lists.things.doubtful or word in lists.things.word_names or word in _SURNAMES)
        and not (
            step + 1 < len(view.words)
            and view.between(step, step + 1) == " "
            and view.capital(step + 1)
            and not _candidate(view, step + 1, lists)
        )
    ):
        return step
    return last
