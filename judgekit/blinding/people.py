"""Other people by rule: greetings, signatures, relations, titles, people who say or want something.

A capitalised word that no list knows is a candidate; what stands around it decides. With known names only plain
evidence counts (``strict``); without them any unknown capitalised word inside a sentence is taken for a name, whatever
its origin, because a rule that knows Anglo names best would itself be a leak.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

import regex

from judgekit.blinding.acting import families, taken_up
from judgekit.blinding.candidates import (
    THING_NOUNS,
    UNPOINTED,
    candidate_runs,
    is_a_thing,
    lists_of,
    orders,
    thing_follows,
)
from judgekit.blinding.chat import booked_under, small_names
from judgekit.blinding.cues import Lexicon, guarded_words, load_things, load_words, rule_words
from judgekit.blinding.fold import Span, View
from judgekit.blinding.initials import honoured
from judgekit.blinding.known import PERSON
from judgekit.blinding.placed import disguised, placed
from judgekit.blinding.surnames import particled

__all__ = ["find_people"]

_WORDS = rule_words("people")
_GREET = _WORDS["greet"]
_GROUPS = _WORDS["groups"]
_CLOSINGS = _WORDS["closings"]
_INTRO = _WORDS["intro"]
_OBJECT_VERBS = _WORDS["object_verbs"]
_WITH = _WORDS["with"]
_RELATED = _WORDS["related"]
_SAYS = _WORDS["says"]
_BEFORE_NAMES = _WORDS["before_names"]
_BEFORE_SAYS = _WORDS["before_says"]


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
    taken = sorted(p for s in named for p in (s.start, s.end - 1))
    found: dict[tuple[int, int], int] = {}
    guarded = guarded_words(view, words)
    lists = lists_of(view, lang)
    runs = dict(candidate_runs(view, lang))
    # A text that speaks of somebody known speaks of other people sooner than one about things.
    spoken = any(s.kind == "name" for s in named)
    for i, j in runs.items():
        begin, end = view.source(view.starts[i], view.ends[j - 1])
        if guarded.intersection(range(i, j)) or _meets(taken, begin, end):
            continue
        if (
            _evident(view, i, j)
            or _titled_by_list(view, i, words)
            or (lang == "en" and taken_up(view, i, j, named))
            or (
                (not strict or (spoken and _plain(view, i, j)))
                and (_likely(view, i, j, lang) or _reversed(view, i, j, runs))
            )
        ):
            found[i, j] = 50
    alone = (
        []
        if strict or lang != "en"
        else [*particled(view, lists), *small_names(view, lists), *booked_under(view, lists)]
    )
    for i, j in [*placed(view, lists, strict=strict), *([] if strict else disguised(view, lists)), *alone]:
        begin, end = view.source(view.starts[i], view.ends[j - 1])
        if not guarded.intersection(range(i, j)) and not _meets(taken, begin, end):
            found.setdefault((i, j), 51 if j - i > 1 else 49)
    for i, j in _listed_with(view, named, found, [r for r in runs.items() if not guarded.intersection(range(*r))]):
        if not _meets(taken, *view.source(view.starts[i], view.ends[j - 1])):
            found.setdefault((i, j), 48)
    return [_person(view, i, j, rank) for (i, j), rank in found.items()]


_COORDINATED = regex.compile(r"(?:, ?(?:(?:and|or|y|e|o|u|ni|nor) )?| (?:and|or|y|e|o|u|&) |/)")


def _listed_with(
    view: View, named: Sequence[Span], found: Mapping[tuple[int, int], int], runs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Unknown words in one list with somebody: "Invite Ana, Ihsan and Maysa"."""
    starts = {view.source(view.starts[i], view.ends[i])[0] for i, _ in found} | {
        s.start for s in named if s.kind == "name"
    }
    ends = {view.source(view.starts[j - 1], view.ends[j - 1])[1] for _, j in found} | {
        s.end for s in named if s.kind == "name"
    }
    if not starts:
        return []
    out: list[tuple[int, int]] = []
    for order, step in ((runs, 1), (list(reversed(runs)), -1)):
        for i, j in order:
            begin, end = view.source(view.starts[i], view.ends[j - 1])
            gap = _COORDINATED.fullmatch(view.before(i) if step > 0 else view.after(j - 1), timeout=1.0)
            near, at = (i - 1, ends) if step > 0 else (j, starts)
            # "and" and "or" are words of the text: look past them.
            if gap is None and 0 <= near < len(view.words) and view.words[near] in _LINKING:
                gap = (
                    _COORDINATED.fullmatch(
                        view.folded[view.ends[near - 1] : view.starts[i]]
                        if step > 0
                        else view.folded[view.ends[j - 1] : view.starts[near + 1]],
                        timeout=1.0,
                    )
                    if 0 < near < len(view.words) - 1
                    else None
                )
                near += -step
            if gap is None or not 0 <= near < len(view.words) or (i, j) in found:
                continue
            edge = view.source(view.starts[near], view.ends[near])[1 if step > 0 else 0]
            if edge in at and not thing_follows(view, j - 1):
                out.append((i, j))
                starts.add(begin)
                ends.add(end)
    return out


_LINKING = frozenset(("and", "or", "nor", "y", "e", "o", "u", "ni"))


def _titled_by_list(view: View, i: int, words: Lexicon) -> bool:
    """Shri Venkataraman, Pani Kowalczuk: behind a title of the cue lists."""
    if not i or view.before(i) not in {" ", ". "} or not view.capital(i - 1) or view.words[i - 1] in _NO_TITLES:
        return False
    if view.before(i) == ". " and view.words[i - 1] in UNPOINTED:
        return False
    return any(c.kind == "title" and len(c.words) == 1 for c in words.cues.get(view.words[i - 1], ()))


_NO_TITLES = frozenset(
    (
        "king",
        "queen",
        "count",
        "master",
        "duke",
        "prince",
        "princess",
        "dom",
        "don",
        "earl",
        "d",
        "p",
        "m",
        "fr",
        "cap",
        "ing",
        "mm",
    )
)


def _plain(view: View, i: int, j: int) -> bool:
    """Inside a sentence, where ordinary words are small; no code in capitals and no street."""
    return THING_NOUNS.isdisjoint(view.words[i:j]) and not view.opens_sentence(i) and not view.raw(i).isupper()


def _reversed(view: View, i: int, j: int, runs: Mapping[int, int]) -> bool:
    """HR note on Gallagher, Saoirse: the surname first."""
    last = runs.get(j, j) - 1
    if j - i > 2 or last != j or view.after(j - 1) != ", " or not i:
        return False
    return view.words[i - 1] in {"on", "re", "for", "of", "about"} and view.after(last)[:1] in {":", ")", ";"}


def _meets(taken: Sequence[int], begin: int, end: int) -> bool:
    at = bisect_left(taken, begin)
    return at < len(taken) and taken[at] < end


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
    spaced = gap in {" ", "\n", ", ", ": ", " - ", '"', ' "', ". ", ":** ", "** ", " **", " *", " __"}
    if gap.strip() in {"", ","} and before in _GREET and (after[:1] in {"", ",", "!", ".", ":", ";", "\n", "-", " "}):
        return True
    if gap in {" ", ". "} and before in _BEFORE_NAMES:
        return True
    if gap == " " and before in _RELATED:
        return True
    if (
        spaced
        and before in _INTRO
        and (
            gap.strip() in {":", '"', ":**", "**", "*", "__"}
            or before in {"named", "called", "llamado", "llamada", "attn"}
        )
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
    if _closes(view, i, j) or _works(view, j) or _kin_of(view, j) or honoured(view, j - 1):
        return True
    raw = view.raw(i)
    return (raw.isalpha() and not raw.isascii() and raw.lower() == raw.upper()) or _in_other_letters(view, i, j)


_OTHER_LETTERS = regex.compile(r"(?:(?!\p{Latin})[\p{L}\p{M}])+")


def _in_other_letters(view: View, i: int, j: int) -> bool:
    """A capitalised word or more in Greek, Cyrillic and the like inside a text in Latin letters."""
    raws = [view.raw(k) for k in range(i, j)]
    if not 1 <= len(raws) <= 4 or not all(_OTHER_LETTERS.fullmatch(r, timeout=1.0) for r in raws):
        return False
    return all(len(r) > 2 and not r.isupper() for r in raws)


def _with(view: View, i: int) -> bool:
    return i >= 2 and view.words[i - 1] in {"to", "with", "of", "by", "con", "a"} and view.words[i - 2] in _WITH


def _introduced(view: View, i: int) -> bool:
    near = view.words[max(0, i - 3) : i]
    return (
        near[-2:]
        in {
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
            ("goes", "by"),
            ("go", "by"),
            ("went", "by"),
            ("answers", "to"),
            ("short", "for"),
            ("nickname", "is"),
            ("nicknamed", "as"),
            ("conoce", "como"),
            ("conocen", "como"),
            ("conocida", "como"),
            ("conocido", "como"),
            ("responde", "a"),
            ("llamarme", "por"),
        }
        or near[-1:] in {("llamo",), ("soy",), ("nicknamed",), ("apodado",), ("apodada",)}
        or _dubbed(near)
    )


_NAMERS = frozenset("call calls called write writes wrote".split())
_NAMERS_ES = frozenset("dice dicen decimos digo llama llaman llamamos llamo llamas".split())


def _dubbed(near: tuple[str, ...]) -> bool:
    """Everyone writes Ksyusha, they call you Mamen, todo el mundo te dice Mamen."""
    if near[-1:] and near[-1] in _NAMERS_ES:
        return near[-2:-1] in {("te",), ("le",), ("me",), ("la",), ("lo",), ("se",)}
    if near[-1:] in {("you",), ("her",), ("him",), ("them",), ("me",)}:
        return near[-2:-1] != () and near[-2] in _NAMERS
    return near[-1:] in {("writes",), ("writing",)} and bool({"everyone", "everybody", "chat", "she", "he"} & {*near})


def _kin_of(view: View, j: int) -> bool:
    """As in "Bryn and Nest, Alun Rees's son and daughter": named and then said whose they are."""
    if view.words[j : j + 1] == ("and",) and view.after(j - 1) == " " and view.after(j) == " ":
        j += 2
        if j > len(view.words) or not view.capital(j - 1):
            return False
    if view.after(j - 1) != ", " or j >= len(view.words) or not view.capital(j):
        return False
    for k in range(j, min(j + 3, len(view.words) - 2)):
        if view.after(k) == "'" and view.words[k + 1] == "s":
            return view.words[k + 2] in _KIN
        if view.after(k) != " " or not view.capital(k + 1):
            return False
    return False


_KIN = frozenset(
    "son sons daughter daughters child children wife husband brother sister twin twins niece nephew cousin partner mother father".split()
)


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


_STAFF = _WORDS["staff"]
_WILL_DO = _WORDS["will_do"]


def _works(view: View, j: int) -> bool:
    """As in "Siobhan from the billing desk", "Karim will call you": what staff do."""
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
        before in _PLACED_AT or (before in _ARTICLES.get(lang, _ARTICLES["en"]) and not families(view, i, j))
    ):
        return False
    if lang == "es" and _quoted(view, i, j):
        return True
    if lang == "es" and j - i == 1 and view.opens_sentence(i) and view.after(j - 1)[:1] not in {",", ":", "'"}:
        following = view.raw(j) if j < len(view.words) and view.after(j - 1) == " " else ""
        return following in _THIRD_ES or following.endswith("ó")
    if j - i == 1 and view.opens_sentence(i) and (_thing_of_word(view, i, lang) or orders(view, i)):
        return False
    if is_a_thing(view, j):
        return False
    if before in {"to", "from", "via"} and i > 1 and _TRAVEL.intersection(view.words[max(0, i - 3) : i - 1]):
        return False
    if before in _PLACE_BEFORE or (
        before in {"de", "del", "la"} and i > 1 and _PLACE_BEFORE & {*view.words[i - 3 : i - 1]}
    ):
        return False
    holy = {"st", "san", "santa", "saint", "santo", "sant", "sao"}
    return not (before in holy and view.capital(i - 1)) and view.words[i] not in holy


def _quoted(view: View, i: int, j: int) -> bool:
    """Alone in quotes, a name of two parts even over a line break: «Gayathri / Bhattacharya»."""
    opened, closed = view.before(i)[-1:] in _QUOTES, view.after(j - 1)[:1] in _QUOTES
    if opened and closed:
        return True
    if opened and view.after(j - 1) == "\n" and j < len(view.words):
        return view.capital(j) and view.after(j)[:1] in _QUOTES
    return closed and view.before(i) == "\n" and i > 0 and view.capital(i - 1) and view.before(i - 1)[-1:] in _QUOTES


_QUOTES = frozenset(('"', "'", "«", "»", "“", "”"))
_PLACE_BEFORE = _WORDS["place_before"]
_TRAVEL = frozenset(
    "train trains bus buses flight flights fly flying travel trip ferry tram coach road route drive plane shuttle journey motorway line".split()
)
_NAME_VERBS = rule_words("names")["name_verbs"] | rule_words("names")["human_verbs"]


def _thing_of_word(view: View, i: int, lang: str) -> bool:
    """Penny stock, Berry juice: an everyday word before a small ordinary one that is no verb."""
    everyday = rule_words("names")[f"everyday_{'es' if lang == 'es' else 'en'}"]
    if view.words[i] not in everyday or view.after(i) != " " or i + 1 >= len(view.words) or view.capital(i + 1):
        return False
    following = view.words[i + 1]
    return following not in _NAME_VERBS and not following.endswith(("ed", "s")) and following in load_words(lang)
