"""When an English entry counts: as a title, a form of address, a role, or only when said of a person.

Each rule takes the folded text, the first word, the word after the last, where names start, and the lexicon.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Callable, Mapping

import regex

from judgekit.blinding.candidates import UNPOINTED
from judgekit.blinding.cues import Lexicon, rule_words
from judgekit.blinding.fold import View
from judgekit.blinding.names import PARTICLES
from judgekit.blinding.origins import nation_word

__all__ = ["RULES", "next_start"]

_T, _POSSESSIVES = 1.0, frozenset("my your his her their our whose".split())
_WORDS = rule_words("english")
_ADDRESS_BEFORE = _WORDS["address_before"]


def next_start(view: View, j: int) -> int:
    """Where word ``j`` starts in the original; -1 after the last word."""
    return view.source(view.starts[j], view.ends[j])[0] if j < len(view.words) else -1


def _capital(view: View, i: int, _j: int, _starts: set[int], _words: Lexicon) -> bool:
    return view.capital(i)


def _own(view: View, i: int, _j: int, _starts: set[int], _words: Lexicon) -> bool:
    return i > 0 and view.words[i - 1] in _POSSESSIVES and view.before(i).isspace()


def _noun(view: View, i: int, _j: int, _starts: set[int], _words: Lexicon) -> bool:
    return (
        i > 0
        and (view.words[i - 1] in _POSSESSIVES or view.words[i - 1] in {"the", "a", "an"})
        and view.before(i).isspace()
    )


def _address(view: View, i: int, j: int, _starts: set[int], _words: Lexicon) -> bool:
    before, after = view.before(i).strip(), view.after(j - 1)
    called = (
        before.endswith(",") or (i > 0 and view.words[i - 1] in _ADDRESS_BEFORE) or (not before and _cheered(view, i))
    )
    ended = after[:1] in {"", ".", ",", "!", "?", ";", "\n", ":"} or (after[:1] == " " and bool(after.strip()))
    told = after == " " and view.words[j : j + 1] != () and view.words[j] in _TOLD_TO and _cheered(view, i)
    return (called and (ended or told)) or (i == 0 and after[:1] == ",") or _hailed(view, i)


def _cheered(view: View, i: int) -> bool:
    """Nice one, queen: right behind a word of praise or a cheer, with no comma as in a chat."""
    return i > 0 and (view.words[i - 1] in _CHEERS or view.words[max(0, i - 2) : i] in _PRAISE)


_TOLD_TO = frozenset(("you", "u", "ur", "your", "youre"))
_CHEERS = _WORDS["cheers"]
_PRAISE = frozenset(tuple(pair.split("_")) for pair in _WORDS["praise"])


_HAIL = regex.compile(r"(?:hail|long live|make way for|(?:bow|bows|kneel) (?:down )?(?:to|before)) (?:the |our )$")


def _hailed(view: View, i: int) -> bool:
    """All hail the queen; bow down to the king of the leaderboard."""
    return not view.capital(i) and bool(_HAIL.search(" ".join(view.words[max(0, i - 5) : i]) + " ", timeout=_T))


def _familiar(view: View, i: int, _j: int, _starts: set[int], _words: Lexicon) -> bool:
    """Sis, bro: small letters, or at the start of a sentence, are nothing but an address."""
    return not view.raw(i).isupper() and (not view.capital(i) or view.opens_sentence(i) or view.before(i) == ", ")


def _accented(view: View, i: int, _j: int, _starts: set[int], _words: Lexicon) -> bool:
    """Divorcé, divorcee, and not the divorce."""
    return not view.raw(i).isascii() or view.words[i].endswith("ee")


def _lower(view: View, i: int, _j: int, _starts: set[int], _words: Lexicon) -> bool:
    return not view.capital(i) or view.opens_sentence(i)


def _person(view: View, i: int, j: int, starts: set[int], words: Lexicon) -> bool:
    return _lower(view, i, j, starts, words) and (
        _own(view, i, j, starts, words)
        or _address(view, i, j, starts, words)
        or (i > 0 and view.words[i - 1] in {"as", "former", "proud", "real", "true"})
    )


_ROLE = regex.compile(
    r"\b(?:as|is|was|are|be|been|being|re|am|m|s|became|become|called|named|such) (?:an?|the|my|our|your|his|her) (?:\w+ ){0,2}$"
)


_HAILED = regex.compile(
    r"(?:call|calls|called|crown|crowns|crowned|name|named|dub|dubbed|hail|hailed) (?:you|him|her|them|me) (?:the |a |an |our )?$"
)


def _role(view: View, i: int, j: int, starts: set[int], _words: Lexicon) -> bool:
    """As in "She is a wonderful host.": a role that somebody has, not a thing of that name."""
    if _HAILED.search(" ".join(view.words[max(0, i - 3) : i]) + " ", timeout=_T) and not view.capital(i):
        return True
    if i and view.words[i - 1] in _DETERMINED and view.before(i) == " " and _spoken_of(view, i, starts):
        return not view.capital(i) and view.words[j : j + 1] not in _COMPOUNDS
    after = view.after(j - 1)
    follows = view.words[j] if j < len(view.words) else ""
    if after[:1].isspace() and follows and follows not in _AFTER_ROLE:
        return False
    return bool(_ROLE.search(" ".join(view.words[max(0, i - 5) : i]) + " ", timeout=_T)) and not view.capital(i)


def _spoken_of(view: View, i: int, starts: set[int]) -> bool:
    """Whether "the landlord" is the first person of a text that then says "him" or "her"."""
    here = view.source(view.starts[i], view.ends[i])[0]
    return (
        _TOLD.isdisjoint(view.words[:i])
        and not _TOLD.isdisjoint(view.words[i:])
        and not any(start < here for start in starts)
    )


_TOLD = frozenset("he him his himself she her hers herself".split())
_DETERMINED = frozenset("the a an this that my your our".split())
_COMPOUNDS = (
    ("name",),
    ("names",),
    ("file",),
    ("key",),
    ("address",),
    ("country",),
    ("city",),
    ("machine",),
    ("computer",),
    ("os",),
    ("process",),
)
_AFTER_ROLE = _WORDS["after_role"]
_STRONG = _WORDS["strong"]


_MODEL = regex.compile(r"[A-Z]{1,4}[- ]?[A-Z]?\d{2,5}[A-Z]{0,3}\b")


def _title(view: View, i: int, j: int, starts: set[int], words: Lexicon) -> bool:
    word, after = view.words[i], view.after(j - 1)
    if (
        j < len(view.words)
        and after == " "
        and view.raw(j).isupper()
        and _MODEL.match(view.text, next_start(view, j), timeout=_T)
    ):
        return False  # Brother HL-L2350DW
    if after == ". " and word in UNPOINTED:
        return False
    if after in {" ", ". "} and next_start(view, j) in starts:
        return view.capital(i) or word in _STRONG
    while (
        j + 1 < len(view.words)
        and view.words[j] in PARTICLES
        and not view.capital(j)
        and view.after(j) in {" ", "-", "'"}
    ):
        j += 1
        after = " "
    if j >= len(view.words) or after not in {" ", ". ", ".", "  ", "\n", ".  "}:
        if word in {"mr", "mrs", "mx"} or (
            word in {"ms", "miss"} and view.capital(i) and view.before(i).strip()[-1:] in {":", '"', "(", "/"}
        ):
            return True
        return word == "miss" and (
            view.before(i).strip().endswith(",")
            or (i > 0 and view.words[i - 1] in {"thanks", "yes", "no", "hello", "hi", "sorry"})
        )
    if next_start(view, j) in starts:
        return view.capital(i) or word in _STRONG
    if not view.capital(j) or (word == "ms" and not view.capital(i)):
        return word in {"mr", "mrs"}
    if word in _STRONG:
        return view.capital(i) and not (
            word in {"miss", "ms"} and view.opens_sentence(i) and view.words[j] in words.sets.get("places", frozenset())
        )
    return (
        view.capital(i)
        and len(view.words[j]) > 1
        and view.words[j] not in words.sets.get("vocabulary", frozenset())
        and word not in {"don", "master", "count"}
    )


def _self(view: View, i: int, j: int, starts: set[int], words: Lexicon) -> bool:
    """Words that tell origin or age only when said of a person."""
    if view.words[i] == "over" and view.after(i) == " ":  # over 60 people came
        return False
    if i > 1 and view.words[i - 1] in {"a", "an"} and view.before(i - 1) == ", " and next_start(view, i - 2) in starts:
        return True  # Ana, a pensioner
    before = view.words[max(0, i - 4) : i]
    following = view.words[j] if j < len(view.words) and view.after(j - 1) in {" ", "-"} else ""
    if following in words.sets.get("of a person", frozenset()) or any(
        c.kind == "gendered" and len(c.words) == 1 for c in words.cues.get(following, ())
    ):
        return True
    second = view.words[j + 1] if j + 1 < len(view.words) and view.after(j) == " " else ""
    if before[-1:] and before[-1] in _POSSESSIVES and second in words.sets.get("of a person", frozenset()):
        return True
    if nation_word(following):  # Brazilian Portuguese
        following = second
    if following and following not in words.sets.get("ends of a phrase", frozenset()):
        return False
    if view.words[i] == "straight" and following:  # straight to the point
        return False
    k = i - 2 if i > 1 and view.words[i - 1] in {"a", "an"} else i - 1
    if k > 0 and view.words[k] in {"is", "was"} and view.before(k).isspace() and view.between(k, i).strip(" an") == "":
        near = next_start(view, k - 1) in starts
        if near or (k > 1 and next_start(view, k - 2) in starts and view.capital(k - 1)):
            return True
    tail = " ".join(before) + " "
    return bool(_SELF_TAIL.search(tail))


_SELF_TAIL = regex.compile(
    r"(?:\b(?:as|being) (?:an? )?(?:\w+ )?|\b(?:you|i|he|she|they) (?:re|are|m|am|s|is|was|were) (?:an? |both |also |originally |half |part |proud(?:ly)? |actually )*(?:\w+ (?:and|but) (?:also )?)?|"
    r"\bfellow |\bhalf[- ]|\bborn |\bnationality (?:is )?|\bidentify as (?:an? )?|\bspeak(?:s|ing)? (?:only |mostly |native )?|\bnative (?:language is )?|\b(?:mother tongue|first language|home language) is |\bwho (?:is|are) (?:an? )?)$"
)


def _observed(view: View, i: int, j: int, _starts: set[int], _words: Lexicon) -> bool:
    first, last = i, j
    while first > max(0, i - 4) and not _ENDS.intersection(view.before(first)):
        first -= 1
    while last < min(len(view.words), j + 3) and not _ENDS.intersection(view.before(last)):
        last += 1
    near = view.words[first:i] + view.words[j:last]
    owned = i > 0 and view.words[i - 1] in _POSSESSIVES and view.before(i).isspace()
    kept = bool(_KEEPING.intersection(view.words[max(0, i - 2) : i]))
    return owned or kept or bool((_OBSERVING - _KEEPING - _POSSESSIVES).intersection(near))


_OBSERVING = _WORDS["observing"]
_ENDS = frozenset(".!?\n")
_KEEPING = frozenset(("keep", "keeps", "keeping"))

RULES: Mapping[str, Callable[[View, int, int, set[int], Lexicon], bool]] = {
    "capital": _capital,
    "own": _own,
    "noun": _noun,
    "role": _role,
    "address": _address,
    "familiar": _familiar,
    "accented": _accented,
    "lower": _lower,
    "person": _person,
    "title": _title,
    "self": _self,
    "observed": _observed,
}
