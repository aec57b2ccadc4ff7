"""Other people by rule: greetings, signatures, relations, titles, people who say or want something.

A capitalised word that no list knows is a candidate; what stands around it decides. With known names only plain
evidence counts (``strict``); without them any unknown capitalised word inside a sentence is taken for a name, whatever
its origin, because a rule that knows Anglo names best would itself be a leak.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import regex

from judgekit.blinding.cues import Lexicon, Things, guarded_words, load_things, load_words, rule_words
from judgekit.blinding.fold import Span, View
from judgekit.blinding.names import PARTICLES, PERSON

__all__ = ["THING_NOUNS", "candidate_runs", "find_people", "thing_follows"]

_WORDS = rule_words("people")
_GREET = _WORDS["greet"]
_GROUPS = _WORDS["groups"]
_CLOSINGS = _WORDS["closings"]
_INTRO = _WORDS["intro"]
_OBJECT_VERBS = _WORDS["object_verbs"]
_WITH = _WORDS["with"]
_RELATED = _WORDS["related"]
_SAYS = _WORDS["says"]
_BEFORE_SAYS = _WORDS["before_says"]
_SURNAMES = _WORDS["surnames"]
_NOT_NAMES = _WORDS["not_names"]


def _letters(word: str) -> bool:
    return all(c.isalpha() or unicodedata.category(c)[0] == "M" for c in word)


_ABSTRACT = (
    "tion", "sion", "ness", "ment", "ments", "ity", "ities", "ology", "graphy", "synthesis", "lysis", "ism", "isms", "ship", "able", "ible",
    "ously", "ally", "fully", "ingly", "tions", "wise", "ward", "wards", "metry", "phobia", "itis", "scope", "ware", "cion", "ciones", "idad", "miento", "mente",
)  # fmt: skip
_DEVOUT = _WORDS["devout"]
_TAILS = (
    ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("er", ""), ("ers", ""), ("er", "e"), ("ers", "e"),
    ("ly", ""), ("ness", ""), ("less", ""), ("ful", ""), ("able", ""), ("est", ""), ("like", ""),
)  # fmt: skip
THING_NOUNS = _WORDS["thing_nouns"]


def thing_follows(view: View, last: int) -> bool:
    """Whether the word after makes a street, a shop or a product of what looks like a name."""
    if not 0 <= last < len(view.words) - 1:
        return False
    following = view.words[last + 1]
    if view.after(last) == "'" and following == "s":
        return last + 2 < len(view.words) and view.words[last + 2] in {"day", "eve"}
    return view.after(last) in {" ", "-"} and following in THING_NOUNS


@dataclass(frozen=True, slots=True)
class _Lists:
    vocabulary: frozenset[str]
    things: Things
    shouted: bool
    other: frozenset[str] | None = None  # English words inside Spanish text: Google Play, App Store

    def unknown(self, word: str) -> bool:
        """Whether a word is on no list, in the singular or the plural."""
        if word in self.vocabulary or word in self.things.sure or word in self.things.doubtful:
            return False
        if self.other is not None and len(word) > 2 and word in self.other:
            return False
        if len(word) > 6 and word.endswith(_ABSTRACT) and word not in _DEVOUT:
            return False
        return not any(
            word.endswith(tail) and len(word) - len(tail) > 2 and word[: -len(tail)] + new in self.vocabulary
            for tail, new in _TAILS
        )


def _lists(view: View, lang: str) -> _Lists:
    letters = [c for c in view.text if c.isalpha()]
    shouted = len(letters) > 12 and sum(c.isupper() for c in letters) > 0.6 * len(letters)
    return _Lists(
        load_words("es" if lang == "es" else "en"), load_things(), shouted, load_words("en") if lang == "es" else None
    )


def _candidate(view: View, k: int, lists: _Lists) -> bool:
    """Whether a word is capitalised, letters only, and on no list of words or things."""
    word = view.words[k]
    if len(word) < 2 or not _letters(word) or not view.capital(k) or not lists.unknown(word) or word in _NOT_NAMES:
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


def _elided(view: View, k: int) -> bool:
    """D'Angelo, O'Brien, L'Hermite."""
    return (
        k > 0
        and view.before(k) == "'"
        and view.words[k - 1] in {"d", "o", "l", "dell", "dall", "n"}
        and view.capital(k - 1)
    )


def _beside_shouted(view: View, k: int, lists: _Lists) -> bool:
    """A short word in capitals is an abbreviation unless another unknown one or an exclamation stands beside it."""
    raw = view.raw(k)
    if len(raw) < 2:
        return False
    for other, gap in ((k - 1, view.before(k)), (k + 1, view.after(k))):
        if 0 <= other < len(view.words) and gap in {" ", ", ", "-"}:
            near = view.raw(other)
            if len(near) > 2 and near.isupper() and near.isalpha() and lists.unknown(view.words[other]):
                return True
    return len(raw) > 2 and view.opens_sentence(k) and view.after(k)[:1] in {"!", ","}


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
    lists = _lists(view, lang)
    k = done = 0
    while k < len(view.words):
        if not _candidate(view, k, lists):
            k += 1
            continue
        first, last = _leftward(view, k, done, lists), k
        while True:
            step = _rightward(view, last, lists)
            if step == last:
                break
            last = step
        yield first, last + 1
        k = done = last + 1


_TIGHT = frozenset((" ", "-", "'", "  ", "\n"))


def _leftward(view: View, k: int, done: int, lists: _Lists) -> int:
    """Take in what stands before a candidate: initials, particles, a given name that is also a place."""
    first = k - 1 if _elided(view, k) and k > done else k
    while (
        first > done
        and len(view.words[first - 1]) == 1
        and view.capital(first - 1)
        and view.before(first) in {". ", ".", " "}
        and ("." in view.before(first) or view.words[first - 1] not in {"a", "i", "o", "y", "e"})
    ):
        first -= 1
    low = first
    while low > done and view.words[low - 1] in PARTICLES and len(view.words[low - 1]) > 1 and view.before(low) == " ":
        low -= 1
    if low < first and (
        low == 0 or view.before(low).strip() or "\n" in view.before(low) or view.words[low - 1] in _TITLED | _HAILS
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
            and (not view.opens_sentence(first - 1) or word not in _ALSO_VERBS)
        ):
            return first - 1
    return first


_ALSO_VERBS = _WORDS["also_verbs"]
_PLACES_AS_NAMES = frozenset("sofia lima kent devon".split())


def _rightward(view: View, last: int, lists: _Lists) -> int:
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
    if hop < len(view.words) and view.between(hop - 1, hop) in _TIGHT - {"\n"}:
        if _candidate(view, hop, lists):
            return hop
        if (
            hop > step
            and view.capital(hop)
            and len(view.words[hop]) > 1
            and view.words[hop] not in lists.things.calendar
        ):
            return hop
    gap = view.between(last, step)
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
        and _letters(word)
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


def find_people(view: View, words: Lexicon, named: Sequence[Span], lang: str, *, strict: bool) -> list[Span]:
    """Find names that no list knows by what stands around them.

    Parameters
    ----------
    view : View
        The folded text.
    words : Lexicon
        The language's cues.
    named : sequence of Span
        What was found before; it is left alone.
    lang : str
        The text's language.
    strict : bool
        True when the reply's own names are known: only plain evidence of other people counts.

    Returns
    -------
    list of Span
        Possibly overlapping.

    Examples
    --------
    >>> from judgekit.blinding.cues import lexicon
    >>> from judgekit.blinding.fold import fold
    >>> view = fold("Your husband Narciso signed. Our Galaxy app and Elbonia Tower are near Madrid.")
    >>> [view.text[s.start:s.end] for s in find_people(view, lexicon("en"), [], "en", strict=True)]
    ['Narciso']
    """
    taken = {p for s in named for p in (s.start, s.end - 1)}
    found: dict[tuple[int, int], int] = {}
    guarded = guarded_words(view, words)
    lists = _lists(view, lang)
    for i, j in candidate_runs(view, lang):
        begin, end = view.source(view.starts[i], view.ends[j - 1])
        if guarded.intersection(range(i, j)) or any(begin <= p < end for p in taken):
            continue
        if _evident(view, i, j) or (not strict and _likely(view, i, j, lang)):
            found[i, j] = 50
    for i, j in [*_placed(view, lists, strict=strict), *([] if strict else _disguised(view, lists))]:
        begin, end = view.source(view.starts[i], view.ends[j - 1])
        if not guarded.intersection(range(i, j)) and not any(begin <= p < end for p in taken):
            found.setdefault((i, j), 51 if j - i > 1 else 49)
    return [_person(view, i, j, rank) for (i, j), rank in found.items()]


def _person(view: View, i: int, j: int, rank: int) -> Span:
    begin, end = view.source(view.starts[i], view.ends[j - 1])
    raw = view.text[begin:end]
    form = "full" if j - i > 1 else "given"
    if i and view.words[i - 1] in {"mr", "mrs", "ms", "miss", "mx", "sr", "sra", "srta", "senor", "senora", "dr"}:
        form = "family" if j - i == 1 else "full"
    letters = ".upper" if len(raw) > 1 and raw.isupper() else ".lower" if raw.islower() else ""
    return Span(begin, end, "name", PERSON, form + letters, "~" + " ".join(view.words[i:j]), False, rank)


def _evident(view: View, i: int, j: int) -> bool:
    """Whether the words around say that a person is named."""
    before = view.words[i - 1] if i else ""
    gap = view.before(i)
    after = view.after(j - 1)
    following = view.words[j] if j < len(view.words) else ""
    spaced = gap in {" ", "\n", ", ", ": ", " - ", '"', ' "', ". ", ":** ", "** "}
    if gap.strip() in {"", ","} and before in _GREET and (after[:1] in {"", ",", "!", ".", ":", ";", "\n", "-", " "}):
        return True
    if gap in {" ", ". "} and before in {
        "mr",
        "mrs",
        "ms",
        "miss",
        "mx",
        "dr",
        "prof",
        "sr",
        "sra",
        "srta",
        "senor",
        "senora",
        "senorita",
        "don",
        "dona",
        "sir",
        "madam",
        "dame",
        "lady",
        "lord",
        "professor",
        "captain",
        "judge",
        "officer",
    }:
        return True
    if gap == " " and before in _RELATED:
        return True
    if (
        spaced
        and before in _INTRO
        and (gap.strip() in {":", '"', ":**", "**"} or before in {"named", "called", "llamado", "llamada", "attn"})
    ):
        return True
    if gap in {" ", ' "'} and (before in _OBJECT_VERBS or _with(view, i) or _introduced(view, i)):
        return True
    if (
        after == " "
        and following in _SAYS
        and (
            (gap.strip() in {"", ","} and before in _BEFORE_SAYS)
            or i == 0
            or gap.strip()[-1:] in {".", "!", "?", ":"}
            or "\n" in gap
        )
    ):
        return True
    if (
        gap.strip().endswith(",")
        and after[:1] in {",", ".", "!", "?", ";", ""}
        and before not in load_things().calendar
        and not view.capital(i - 1)
    ):
        return True
    if _closes(view, i, j) or _works(view, j):
        return True
    raw = view.raw(i)
    return raw.isalpha() and not raw.isascii() and raw.lower() == raw.upper()


def _with(view: View, i: int) -> bool:
    return i >= 2 and view.words[i - 1] in {"to", "with", "of", "by", "con"} and view.words[i - 2] in _WITH


def _introduced(view: View, i: int) -> bool:
    near = view.words[max(0, i - 3) : i]
    return near[-2:] in {
        ("name", "is"),
        ("i", "am"),
        ("i", "m"),
        ("this", "is"),
        ("name", "s"),
        ("me", "llamo"),
        ("llamo", "es"),
        ("nombre", "es"),
        ("known", "as"),
        ("call", "me"),
        ("habla", "con"),
    } or near[-1:] in {("llamo",), ("soy",)}


def _closes(view: View, i: int, j: int) -> bool:
    """A name that stands alone at the end, after a closing or a dash."""
    gap, after = view.before(i), view.after(j - 1)
    if after.strip(" .\n,(") and "\n" not in after:
        return False
    before = view.words[i - 1] if i else ""
    if before in _CLOSINGS and gap.strip(" \n") in {",", "", ".", "!"} and (gap.strip() or "\n" in gap):
        return True
    return gap.strip(" ") in {"-", "--", "\n-", "\n--"} and j == len(view.words)


_THIRD_ES = frozenset(
    "es era fue está estaba vino tiene tenía ha había quiere puede dice dijo pide vive trabaja necesita va viene hizo tuvo quiso puso lleva espera y".split()
)
_PLACED_AT = frozenset(
    "in on at near via using into onto inside through per around across towards outside en desde hacia hasta".split()
)
_ARTICLES = {
    "en": frozenset("the a an this that these those every each our".split()),
    "es": frozenset("el la los las un una del al este esta nuestro nuestra".split()),
}


def _family(view: View, i: int, j: int) -> bool:
    """ "The Schachts can share one locker": a family by its surname."""
    following = view.words[j] if j < len(view.words) else ""
    return view.words[j - 1].endswith("s") and following in {
        "can",
        "are",
        "have",
        "were",
        "will",
        "live",
        "and",
        "want",
        "asked",
        "said",
        "may",
        "should",
    }


_STAFF = _WORDS["staff"]
_WILL_DO = _WORDS["will_do"]


def _works(view: View, j: int) -> bool:
    """ "Siobhan from the billing desk", "Karim will call you": what staff do."""
    if view.after(j - 1) not in {" ", ", "}:
        return False
    near = view.words[j : j + 5]
    if near[:1] in {("from",), ("at",), ("in",), ("de",), ("del",)} and _STAFF.intersection(near[1:]):
        return True
    if near[:1] in {("will",), ("ll",), ("can",), ("is",)} and len(near) > 1 and near[1] in _WILL_DO:
        return "you" in near or near[1] not in {"be", "help", "take", "show", "send"}
    return near[:2] in {("le", "llamara"), ("te", "llamara"), ("la", "llamara"), ("lo", "llamara"), ("le", "atendera")}


def _likely(view: View, i: int, j: int, lang: str) -> bool:
    """Without known names: an unknown capitalised word where ordinary ones are small."""
    before, gap = (view.words[i - 1], view.before(i)) if i else ("", "")
    if thing_follows(view, j - 1) or gap[-1:] == "+" or view.after(j - 1)[:1] == "+":
        return False
    if gap.isspace() and (
        before in _PLACED_AT or (before in _ARTICLES.get(lang, _ARTICLES["en"]) and not _family(view, i, j))
    ):
        return False
    if lang == "es" and j - i == 1 and view.opens_sentence(i) and view.after(j - 1)[:1] not in {",", ":", "'"}:
        following = view.raw(j) if j < len(view.words) and view.after(j - 1) == " " else ""
        return following in _THIRD_ES or following.endswith("ó")
    return not (i and view.words[i - 1] in {"st", "san", "santa", "saint"} and view.capital(i - 1))


_SPELLED = regex.compile(r"(?<![\p{L}\p{N}-])\p{L}(?:-\p{L}){2,20}+(?![\p{L}\p{N}-])")


def _disguised(view: View, lists: _Lists) -> Iterator[tuple[int, int]]:
    """Unknown names in hashtags, and spelled out with hyphens."""
    for k, word in enumerate(view.words):
        if view.before(k)[-1:] == "#" and len(word) > 3 and word.isalpha():
            raw = view.raw(k)
            parts = [p.casefold() for p in _CAMEL.findall(raw)]
            if (
                any(len(p) > 2 and p[1:] and lists.unknown(p) for p in parts)
                and (len(parts) > 1 or lists.unknown(word))
                and not raw.isupper()
            ):
                yield k, k + 1
    yield from _files(view, lists)
    if "-" in view.folded:
        at = {start: k for k, start in enumerate(view.starts)}
        for found in _SPELLED.finditer(view.folded, timeout=1.0):
            joined = "".join(c for c in found.group() if c.isalpha())
            if lists.unknown(joined) and found.start() in at:
                yield at[found.start()], at[found.start()] + len(joined)


def _files(view: View, lists: _Lists) -> Iterator[tuple[int, int]]:
    """anna_novak_invoice.pdf, /home/anna.novak: two unknown words in a row inside an identifier."""
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


_CAMEL = regex.compile(r"\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})")


def _placed(view: View, lists: _Lists, *, strict: bool) -> Iterator[tuple[int, int]]:
    """Names that are ordinary words or places, or written small, where only a name can stand: "Hi grace,"."""
    for k, word in enumerate(view.words):
        if len(word) < 2 or not _letters(word):
            continue
        before, gap, after = view.words[k - 1] if k else "", view.before(k), view.after(k)
        capital = view.capital(k)
        if word in PARTICLES and not (gap in {" ", ". "} and before in _TITLED):
            continue
        if (word in _GROUPS or word in lists.things.sure) and word not in PARTICLES:
            continue
        if gap in {" ", ", "} and before in _HAILS and after[:1] in {",", "!", ":", "."}:
            if before != "dear" or word not in {"me", "oh"}:
                yield k, k + 1
        elif (
            (gap == ", " or (gap == " " and capital))
            and before in _THANKS
            and after[:1] in {",", "!", "."}
            and ((capital and word not in lists.things.calendar) or lists.unknown(word))
        ):
            yield k, k + 1
        elif (
            gap in {" ", ". "}
            and before in _TITLED
            and (view.capital(k - 1) or before.startswith("senor"))
            and word not in lists.things.calendar
        ):
            last = k
            while (
                word in PARTICLES
                and last + 1 < len(view.words)
                and last - k < 3
                and view.words[last] in PARTICLES
                and view.after(last) in _TIGHT
            ):
                last += 1
            if view.capital(last):
                yield k, last + 1
        elif (
            not strict
            and capital
            and not view.opens_sentence(k)
            and not view.raw(k).isupper()
            and not view.capital(k - 1)
        ):
            if word in lists.things.word_names or word in lists.things.doubtful:
                called = (
                    gap == ", "
                    and after[:1] in {",", ".", "!", "?", ";"}
                    and (
                        word not in lists.things.calendar
                        or (_addressed(view, k) and before not in lists.things.calendar)
                    )
                )
                owner = (
                    after.startswith("'")
                    and (", " in gap or word not in lists.things.calendar)
                    and word in lists.things.word_names
                )
                beside = (
                    gap == " "
                    and before in _RELATED
                    and before
                    not in {"customer", "client", "guest", "member", "student", "patient", "manager", "driver", "agent"}
                )
                led = (
                    gap == " "
                    and before in _LED_BY
                    and (after[:1] in {",", ".", "!", "?", ":", ";", ""} or after.startswith("'") or _subject(view, k))
                    and word not in lists.things.calendar
                )
                if (
                    called
                    or owner
                    or beside
                    or (led and word in lists.things.word_names)
                    or (
                        gap == " "
                        and before in _BEFORE_SAYS
                        and _subject(view, k)
                        and word not in lists.things.calendar
                    )
                ):
                    yield k, k + 1
            elif (
                word in lists.vocabulary
                and gap == ", "
                and after[:1] in {".", "!", "?"}
                and after[1:2] in {"", " ", "\n"}
                and _addressed(view, k)
            ):
                yield k, k + 1
        elif (
            not strict
            and capital
            and view.opens_sentence(k)
            and word in (lists.things.word_names | lists.things.doubtful)
            and _subject(view, k)
        ):
            yield k, k + 1
        elif (
            not strict
            and capital
            and len(view.words[k - 1]) == 1
            and gap == ". "
            and k > 1
            and view.capital(k - 1)
            and (
                view.before(k - 1)[-1:] in {'"', "(", "'"}
                or view.words[k - 2] in {"by", "from", "to", "with", "for", "dear", "hi", "hello", "mr", "mrs", "ms"}
            )
        ):
            yield k - 1, k + 1


_LED_BY = _WORDS["led_by"]


def _subject(view: View, k: int) -> bool:
    """Whether an ordinary word is followed by what only a person does, or owns something."""
    after = view.after(k)
    following = view.words[k + 1] if k + 1 < len(view.words) else ""
    if after.startswith("'") and following == "s":
        return True
    return after == " " and (
        following in _SAYS or (following.endswith("ed") and len(following) > 4 and view.words[k] not in _ALSO_VERBS)
    )


_HAILS = _WORDS["hails"]
_THANKS = frozenset("thanks thank sorry welcome morning afternoon evening cheers gracias".split())
_TITLED = _WORDS["titled"]


_ADDRESS_AFTER = frozenset(
    "you your as if please we i the thanks here could can let would do are have our this just that when sorry".split()
)


def _called_so(view: View, k: int, lists: _Lists) -> bool:
    """More places where an ordinary word can only be a name: quoted alone, told, known, called at the start."""
    before, gap, after = view.words[k - 1] if k else "", view.before(k), view.after(k)
    following = view.words[k + 1] if k + 1 < len(view.words) else ""
    if gap[-1:] in {'"', "'"} and after[:1] == gap[-1:]:
        return True
    season = view.words[k] in lists.things.calendar or view.words[k] in {"autumn", "winter", "spring"}
    if gap == " " and (before in _OBJECT_VERBS or (before == "there" and after[:1] in {"!", ","})) and not season:
        return True
    if view.opens_sentence(k):
        aside = after in {", ", " - ", ": ", "... ", ", ¿"} and (
            following in _ADDRESS_AFTER or after in {" - ", "... ", ", ¿"}
        )
        told = (
            after == " "
            and following in {"is", "was", "has", "does"}
            and any(w in {"she", "he", "her", "his", "they"} for w in view.words)
        )
        return (aside or told) and not season
    return (
        gap == ", "
        and after[:1] in {";", ".", "!", "?"}
        and not season
        and (view.words[k - 1] in lists.things.calendar)
    )


def _starts_small(view: View) -> bool:
    """A message written small throughout that begins with a name."""
    following = view.words[1] if len(view.words) > 1 else ""
    quiet = not any(c.isupper() for c in view.text)
    return quiet and (
        view.after(0)[:1] in {",", "!"}
        or following in {"it", "we", "your", "you", "i", "the", "thanks", "sorry", "just", "please"}
    )


def _addressed(view: View, k: int) -> bool:
    """A sentence to "you" that ends in ", Word." calls somebody."""
    start = max(view.folded.rfind(mark, 0, view.starts[k]) for mark in (". ", "! ", "? ", "\n"))
    return any(
        w in {"you", "your", "thanks", "thank", "usted", "su", "gracias"}
        for w, s in zip(view.words, view.starts, strict=True)
        if start < s < view.starts[k]
    )
