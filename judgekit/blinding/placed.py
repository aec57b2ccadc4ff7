"""Names that lists of words cannot tell: ordinary words, places, hashtags and file names, by where they stand."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Iterator

import regex

from judgekit.blinding.acting import acts
from judgekit.blinding.candidates import ALSO_VERBS, HAILS, THING_NOUNS, TIGHT, TITLED, UNPOINTED, Lists, all_letters
from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View, patience
from judgekit.blinding.initials import announced_initials
from judgekit.blinding.known import PARTICLES
from judgekit.blinding.paths import home_folders, in_files, in_identifiers, in_queries, own_papers
from judgekit.blinding.spelled import spelled_unknown
from judgekit.blinding.surnames import cut_names
from judgekit.blinding.wordnames import hailed_small

__all__ = ["disguised", "placed"]

_WORDS = rule_words("people")
_GROUPS = _WORDS["groups"]
_RELATED = _WORDS["related"] - {
    "customer",
    "client",
    "guest",
    "member",
    "student",
    "patient",
    "manager",
    "driver",
    "agent",
}
_SAYS = _WORDS["says"]
_BEFORE_SAYS = _WORDS["before_says"]
_OBJECT_VERBS = _WORDS["object_verbs"]
_LED_BY = _WORDS["led_by"]
_THANKS = frozenset(
    "thanks thank sorry welcome morning afternoon evening cheers gracias bienvenido bienvenida enhorabuena felicidades adios dias tardes noches "
    "congratulations congrats goodbye bye luck saludos perdona perdone disculpa disculpe claro vale perfecto".split()
)
_ADDRESS_AFTER = _WORDS["address_after"]


Run = tuple[int, int]
_TITLES = TITLED | {"master", "dona"}
_LEADING = _TITLES | HAILS | _THANKS
_CONTRACTED = (("t",), ("re",), ("ve",), ("ll",), ("m",), ("d",))


def placed(view: View, lists: Lists, *, strict: bool) -> Iterator[Run]:
    """Names that are ordinary words or places, or written small, where only a name can stand: "Hi grace,".

    Parameters
    ----------
    view : View
        The folded text.
    lists : Lists
        What is no name by itself.
    strict : bool
        True: only greetings and titles count.

    Yields
    ------
    (int, int)
        First word and the word after the last.
    """
    word_names = lists.things.word_names
    before, gap = "", view.before(0) if view.words else ""
    for k, word in enumerate(view.words):
        led, before = before in _LEADING or gap != " " or word in word_names, word
        gap = view.after(k)
        # Told the names, only what stands behind a title, a key or a greeting counts, or a word that is a name.
        if strict and not led:
            continue
        if len(word) < 2 or not all_letters(word) or (gap == "'" and view.words[k + 1 : k + 2] in _CONTRACTED):
            continue
        found = _titled(view, k, lists) or valued(view, k)
        apart = word in lists.things.sure and word not in lists.things.word_names
        if found is None and word not in PARTICLES and word not in _GROUPS and not apart:
            found = _greeted(view, k, lists) or (
                None if strict else _pair(view, k, lists) or _word_name(view, k, lists)
            )
        if found is not None:
            yield found


def _titled(view: View, k: int, lists: Lists) -> Run | None:
    """Mr Will, Miss de la Cruz."""
    before = view.words[k - 1] if k else ""
    if before not in _TITLES or view.before(k) not in {" ", ". "} or (view.before(k) == ". " and before in UNPOINTED):
        return None
    if before == "master" and not _pupil(view, k, lists):
        return None
    if view.words[k] in lists.things.calendar and view.after(k)[:1] in {" ", ""} and view.raw(k).isupper():
        return None
    if not (view.capital(k - 1) or before.startswith("senor")):
        return None
    last = k
    while last + 1 < len(view.words) and last - k < 3 and view.words[last] in PARTICLES and view.after(last) in TIGHT:
        last += 1
    # "Title: Mrs. Name: ..." is a form, not a name.
    if not view.capital(last) or (view.after(last)[:1] in {":", "="} and view.words[last] in _LABELS):
        return None
    while (
        last + 1 < len(view.words)
        and last - k < 3
        and view.after(last) in {" ", "-"}
        and view.capital(last + 1)
        and len(view.words[last + 1]) > 1
        and not view.raw(last + 1)[1:2].isupper()
        and view.words[last + 1] not in TITLED | lists.things.calendar
    ):
        last += 1
    return k, last + 1


def _pupil(view: View, k: int, lists: Lists) -> bool:
    """Master Theo: a boy's title, unless a plain noun follows (Master Plan)."""
    word = view.words[k]
    people = word in lists.things.word_names or word in lists.things.doubtful or lists.unknown(word)
    return people and view.capital(k) and view.capital(k - 1) and view.before(k) == " "


def valued(view: View, k: int) -> Run | None:
    """The value of a field such as first_name or apellidos, whatever the word.

    Parameters
    ----------
    view : View
        The folded text.
    k : int
        A word.

    Returns
    -------
    (int, int) or None
        First word and the word after the last.
    """
    gap, before = view.before(k), view.words[k - 1] if k else ""
    if gap == " ":
        return None
    mark = gap.replace(" ", "").replace('"', "").replace("'", "")
    if not k or mark not in {":", "=", ">"} or not (before in _PLAIN_KEYS or _joined_key(view, k - 1)):
        return None
    quote = gap[-1:] if gap[-1:] in {'"', "'"} else ""
    if not quote and (not view.capital(k) or "\n" in gap):
        return None
    last = k
    while last + 1 < len(view.words) and last - k < 4 and view.after(last) in {" ", "-", "'", ". "}:
        if not quote and not view.capital(last + 1) and view.words[last + 1] not in PARTICLES:
            break
        last += 1
    while last > k and not quote and view.words[last] in PARTICLES:
        last -= 1
    return k, last + 1


def _joined_key(view: View, k: int) -> bool:
    """first_name, last-name, First name."""
    return (
        view.words[k] in {"name", "nombre"}
        and k > 0
        and view.before(k) in {"_", "-", " "}
        and view.words[k - 1] in _PERSON_KEYS
    )


_LABELS = _WORDS["form_labels"]
_PERSON_KEYS = _WORDS["person_keys"]
_PLAIN_KEYS = frozenset(
    "firstname lastname surname forename givenname familyname fullname apellido apellidos nombre".split()
)
_SEEK = _WORDS["seek"]


def _sought(view: View, lists: Lists) -> Iterator[Run]:
    """Search for 'rosalind peake': unknown small words in quotes after what one searches people with."""
    for k, word in enumerate(view.words):
        quote = view.before(k)[-1:]
        if quote not in {"'", '"'} or view.capital(k) or not _SEEK.intersection(view.words[max(0, k - 3) : k]):
            continue
        last = k
        while last + 1 < len(view.words) and last - k < 3 and view.after(last) in {" ", ".", "-"}:
            last += 1
        inside = view.words[k : last + 1]
        if view.after(last)[:1] == quote and len(word) > 2 and all(all_letters(w) and lists.unknown(w) for w in inside):
            yield k, last + 1


def _greeted(view: View, k: int, lists: Lists) -> Run | None:
    """Hi grace, Good morning Joy! Thanks, Will."""
    before = view.words[k - 1] if k else ""
    gap, after, word = view.before(k), view.after(k)[:1], view.words[k]
    if word in lists.things.word_names and word not in lists.things.calendar and hailed_small(view, k):
        return k, k + 1
    if before not in HAILS and before not in _THANKS:
        return None
    if gap in {" ", ", "} and before in HAILS and after in {",", "!", ":", "."}:
        return None if before == "dear" and word in {"me", "oh"} else (k, k + 1)
    capital = view.capital(k)
    if before in _THANKS and after in {",", "!", "."} and (gap == ", " or (gap == " " and capital)):
        named = (capital and word not in lists.things.calendar) or lists.unknown(word)
        return (k, k + 1) if named else None
    return None


def _word_name(view: View, k: int, lists: Lists) -> Run | None:
    """An ordinary word that people are called, in a place where it is a name."""
    word = view.words[k]
    if not view.capital(k):
        small = k == 0 and lists.unknown(word) and len(word) > 2 and _starts_small(view)
        return (k, k + 1) if small else None
    if _after_initial(view, k):
        return k - 1, k + 1
    people = word in lists.things.word_names or word in lists.things.doubtful
    if view.opens_sentence(k):
        named = people and (_subject(view, k) or _emphasised(view, k))
    elif view.raw(k).isupper() or (view.capital(k - 1) and not _opens_clause(view, k - 1)):
        named = False
    elif people:
        named = _inside_sentence(view, k, lists)
    else:
        named = word in lists.vocabulary and _ends_address(view, k)
    named = named or (word in lists.things.word_names and (_called_so(view, k, lists) or _logged(view, k)))
    return (k, k + 1) if named else None


def _opens_clause(view: View, k: int) -> bool:
    """Once Faith adds, After Joy signs: a conjunction with the capital of its sentence."""
    return view.opens_sentence(k) and (view.words[k] in _BEFORE_SAYS or view.words[k] in {"after", "before"})


def _pair(view: View, k: int, lists: Lists) -> Run | None:
    """ROSE CARTER, LONG/PAT: a given name and a surname that are both words, side by side."""
    if k + 1 >= len(view.words) or not (view.capital(k) and view.capital(k + 1)) or view.words[k] in _OPENERS:
        return None
    gap, given, family = view.after(k), view.words[k], view.words[k + 1]
    shouted = view.raw(k).isupper() and view.raw(k + 1).isupper()
    if gap == "/" and shouted:
        given, family = (family, given) if family in lists.things.word_names else (given, family)
    elif (
        (gap != " " and not _wrapped(view, k))
        or shouted != view.raw(k).isupper()
        or view.raw(k + 1).isupper() != view.raw(k).isupper()
    ):
        return None
    titled = k + 2 < len(view.words) and view.after(k + 1) == " " and view.capital(k + 2)
    if given not in lists.things.word_names or given in lists.things.calendar or (titled and gap == " "):
        return None
    if k and view.before(k) == " " and view.capital(k - 1) and not view.opens_sentence(k - 1):
        return None
    named = (family in _SURNAMES or family in lists.things.word_names) and family not in _NOT_SURNAMES
    return (k, k + 2) if named and family != given and family not in lists.things.calendar else None


def _wrapped(view: View, k: int) -> bool:
    """Two words of a sentence between which the line ends, no list with a word on each line."""
    if view.after(k) != "\n" or not k or view.before(k) != " " or view.capital(k - 1):
        return False
    return k + 2 < len(view.words) and view.after(k + 1) == " " and not view.capital(k + 2)


_SURNAMES = _WORDS["surnames"]
_OPENERS = rule_words("names")["openers"]
_NOT_SURNAMES = rule_words("names")["not_surnames"] | THING_NOUNS


def _emphasised(view: View, k: int) -> bool:
    """**Frank** will send the budget."""
    before, after = view.before(k), view.after(k)
    if not before or before[-1] not in "*_" or not after.startswith(before[-1]):
        return False
    following = view.words[k + 1] if k + 1 < len(view.words) else ""
    return after.strip("*_") == " " and (following in _SAYS or following in _NAME_VERBS)


_NAME_VERBS = rule_words("names")["name_verbs"] | rule_words("names")["human_verbs"]


def _after_initial(view: View, k: int) -> bool:
    """By "Q. Bath", from J. Rivers."""
    if k < 2 or len(view.words[k - 1]) != 1 or view.before(k) != ". " or not view.capital(k - 1):
        return False
    return view.before(k - 1)[-1:] in {'"', "(", "'"} or view.words[k - 2] in _BY


_BY = frozenset({"by", "from", "to", "with", "for", "dear", "hi", "hello", "mr", "mrs", "ms"})


def _inside_sentence(view: View, k: int, lists: Lists) -> bool:
    before, gap, after, word = view.words[k - 1], view.before(k), view.after(k), view.words[k]
    season = word in lists.things.calendar
    if gap == ", " and after[:1] in {",", ".", "!", "?", ";"}:
        return not season or (_addressed(view, k) and before not in lists.things.calendar)
    listed = word in lists.things.word_names
    owns = after.startswith("'") and view.words[k + 1 : k + 2] == ("s",)
    if owns and gap == " " and before in {"the", "a", "an", "our", "your", "this"}:
        return False
    if owns and listed and (", " in gap or not season):
        return True
    if gap != " " or season:
        return gap == " " and before in _RELATED
    ends = after[:1] in {",", ".", "!", "?", ":", ";", ""} or owns or _subject(view, k)
    return (
        before in _RELATED
        or (before in _LED_BY and ends and listed)
        or ((before in _BEFORE_SAYS or before in {"after", "before"}) and _subject(view, k))
    )


def _ends_address(view: View, k: int) -> bool:
    after = view.after(k)
    return (
        view.before(k) == ", "
        and after[:1] in {".", "!", "?"}
        and after[1:2] in {"", " ", "\n"}
        and _addressed(view, k)
    )


def _subject(view: View, k: int) -> bool:
    """Whether an ordinary word is followed by what only a person does, or owns something."""
    after = view.after(k)
    following = view.words[k + 1] if k + 1 < len(view.words) else ""
    if (after.startswith("'") and following == "s") or acts(view, k):
        return True
    if after == " " and _THIRD.fullmatch(view.raw(k + 1).casefold(), timeout=1.0):
        return True
    return after == " " and (
        following in _SAYS or (following.endswith("ed") and len(following) > 4 and view.words[k] not in ALSO_VERBS)
    )


_THIRD = regex.compile(
    r"\p{L}{2,}(?:rá|rán|ría|ó)|llega|viene|vive|trabaja|quiere|necesita|recoge|puede|tiene|dice|pide|llama|espera|firma|prefiere|confirma|pagó|estudia|vuelve|sale|manda|envía|paga|entra"
)


def _addressed(view: View, k: int) -> bool:
    """A sentence to "you" that ends in ", Word." calls somebody."""
    start = max(view.folded.rfind(mark, 0, view.starts[k]) for mark in (". ", "! ", "? ", "\n"))
    return any(
        w in {"you", "your", "thanks", "thank", "usted", "su", "gracias"}
        for w, s in zip(view.words, view.starts, strict=True)
        if start < s < view.starts[k]
    )


def _called_so(view: View, k: int, lists: Lists) -> bool:
    """More places where an ordinary word can only be a name: quoted alone, told, known, called at the start."""
    before, gap, after = view.words[k - 1] if k else "", view.before(k), view.after(k)
    following = view.words[k + 1] if k + 1 < len(view.words) else ""
    if gap[-1:] in {'"', "'"} and after[:1] == gap[-1:]:
        return True
    season = view.words[k] in lists.things.calendar or view.words[k] in {"autumn", "winter", "spring"}
    if gap == " " and k > 1 and view.words[k - 2] in {"call", "calls", "called"} and before in _OBJECTS:
        return True
    if gap == " " and (before in _OBJECT_VERBS or (before == "there" and after[:1] in {"!", ","})) and not season:
        return True
    if view.opens_sentence(k):
        aside = (
            view.words[k] not in _SOUNDS
            and after in {", ", " - ", ": ", "... ", ", ¿"}
            and (following in _ADDRESS_AFTER or after in {" - ", "... ", ", ¿"})
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


_CLOCK = regex.compile(r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[ap]m)?[\])]? (?:- )?$")
_USER_KEYS = frozenset("user username name guest client customer author owner nombre usuario".split())


def _logged(view: View, k: int) -> bool:
    """[10:02] Miles: my router; user=Jack&lang=en: who speaks in a chat, who a link belongs to."""
    if view.before(k) == "=" and view.after(k)[:1] in {"&", "", " ", "\n", ";"}:
        return view.words[k - 1] in _USER_KEYS
    start = view.starts[k]
    told = _CLOCK.search(view.folded[max(0, start - 16) : start], timeout=1.0)
    return told is not None and view.after(k).startswith(": ")


_SOUNDS = _WORDS["interjections"]
_OBJECTS = frozenset("him her them me you us".split())


def _starts_small(view: View) -> bool:
    """A message written small throughout that begins with a name."""
    following = view.words[1] if len(view.words) > 1 else ""
    quiet = not any(c.isupper() for c in view.text)
    return quiet and (
        view.after(0)[:1] in {",", "!"}
        or following in {"it", "we", "your", "you", "i", "the", "thanks", "sorry", "just", "please"}
    )


_SPELLED = regex.compile(r"(?<![\p{L}\p{N}-])\p{L}(?:-\p{L}){2,20}+(?![\p{L}\p{N}-])")


_CAMEL = regex.compile(r"\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})")


def disguised(view: View, lists: Lists) -> Iterator[tuple[int, int]]:
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
    yield from in_files(view, lists)
    yield from in_identifiers(view, lists)
    yield from in_queries(view, lists)
    yield from announced_initials(view, lists)
    yield from cut_names(view, lists)
    yield from home_folders(view)
    yield from own_papers(view, lists)
    yield from spelled_unknown(view)
    yield from _sought(view, lists)
    if "-" in view.folded:
        at = {start: k for k, start in enumerate(view.starts)}
        for found in _SPELLED.finditer(view.folded, timeout=patience(view.folded)):
            joined = "".join(c for c in found.group() if c.isalpha())
            if lists.unknown(joined) and found.start() in at:
                yield at[found.start()], at[found.start()] + len(joined)
