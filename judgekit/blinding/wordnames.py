"""Known names that are ordinary words too ("Grace", "Will", "Long"): where they stand says what they are."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

import regex

from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import View
from judgekit.blinding.known import NameSet
from judgekit.blinding.paths import of_papers

__all__ = ["beside", "hailed_small", "is_name"]

_WORDS = rule_words("names")
_NAME_VERBS = _WORDS["name_verbs"]
_HUMAN_VERBS = _WORDS["human_verbs"]
_PAST = _WORDS["irregular_past"]
_DATED = _WORDS["dated"]
_KEYS = _WORDS["name_keys"]
_GOVERNED = _WORDS["governed"]
_MONTHISH = frozenset(("april", "may", "june", "august", "summer", "autumn", "winter", "spring", "abril", "mayo"))
_AMOUNT = regex.compile(r":?[*_`']*:?[*_`']*\s*(?:[\p{Sc}\d+\-%]|$)")
_RULE = regex.compile(r"[^\n]*\n[ \t]*\|?[ \t]*:?-{2,}")
_ALONGSIDE = frozenset((" ", "-", ".", "_", "/", ", ", ",", "+", "\n", "  ", "' '", ""))
_TRADE_THINGS = frozenset(
    "yeast dozen block square ransom thumb wheel clay moon market license licence chalk dummy knot tape putty luck degree purse pie lien pole twine".split()
)
_TIMEOUT = 1.0
_FUTURE = regex.compile(
    r"\p{L}{2,}(?:rá|ría|ó)|llega|recoge|quiere|necesita|puede|tiene|vuelve|sale|estudia|trabaja|prefiere"
)


def beside(view: View, i: int, names: NameSet) -> bool:
    """Whether the other part of the known name stands right before or after a word, written in the same way.

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
    bool
    """
    own = names.pieces.get(view.words[i], "given")
    for other in (i - 1, i + 1):
        if not 0 <= other < len(view.words):
            continue
        word = view.words[other]
        if names.pieces.get(word, own) == own or word == view.words[i]:
            continue
        gap = view.between(min(i, other), max(i, other))
        if gap not in _ALONGSIDE or (gap == "" and other == i):
            continue
        if view.capital(i) and view.capital(other):
            return True
        if not view.capital(i) and not view.capital(other) and (word not in names.wordlike or gap in {".", "_", "-"}):
            return True
    if i and len(view.words[i - 1]) == 1 and view.capital(i) and view.capital(i - 1):  # H. Price
        missing = "given" if own == "family" else "family"
        if view.before(i) in {". ", ".", " "} and view.words[i - 1] in names.initials_of(missing):
            return "." in view.before(i) or view.words[i - 1] not in {"a", "i"}
    after = view.words[i + 1 : i + 3]  # Grace T. Halvane
    return (
        len(after) == 2
        and len(after[0]) == 1
        and view.between(i + 1, i + 2) in {". ", " "}
        and after[1] in names.pieces
        and view.capital(i)
    )


def is_name(view: View, i: int, names: NameSet) -> bool:
    """Whether an ordinary word that is a known name stands as the name at one place of a text.

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
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> from judgekit.blinding.known import compile_names
    >>> known, view = compile_names(("Frank", "Long"), "en"), fold("**Frank** was frank. Passenger: LONG/FRANK. Long ago.")
    >>> [is_name(view, k, known) for k, w in enumerate(view.words) if w in {"frank", "long"}]
    [True, False, True, True, False]
    """
    if beside(view, i, names) or _in_identifier(view, i, names) or _keyed(view, i):
        return True
    if names.pieces.get(view.words[i], "nickname") != "family" and hailed_small(view, i):
        return True
    if not view.capital(i):
        return False
    raw = view.raw(i)
    shouted = len(raw) > 1 and raw.isupper()
    after = view.after(i)
    following = view.words[i + 1] if i + 1 < len(view.words) else ""
    if after == "'" and following == "s" and view.words[i + 2 : i + 3] != () and view.words[i + 2] in _TRADE_THINGS:
        return False  # baker's yeast
    if after.startswith("'s") or (after == "'" and following == "s"):
        return following != "s" or not view.opens_sentence(i) or view.words[i + 2 : i + 3] not in {("a",), ("the",)}
    if _AMOUNT.match(after, timeout=_TIMEOUT) and ":" in after and following.isdigit():
        return False
    if _dated(view, i):
        return False
    if view.opens_sentence(i) or (shouted and _neighbour_shouts(view, i)):
        return _opens_as_name(view, i, shouted=shouted, names=names)
    return True


def hailed_small(view: View, i: int) -> bool:
    """Whether a word written small is called out behind what opens an answer: "ok joy, i will", "thanks grace!".

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The word.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> [hailed_small(fold(text), 1) for text in ("ok joy, done", "ok joy is rare", "no hope, sadly")]
    [True, False, False]
    """
    if not i or view.capital(i):
        return False
    before, gap, after = view.words[i - 1], view.before(i), view.after(i)
    if after[:1] not in {",", "!", ".", "?", ""} or (after[:1] in {".", "?"} and after[1:2].strip()):
        return False
    if gap == ", ":
        return before in _ANSWERS | _BARE_ANSWERS and _starts(view, i - 1)
    if gap != " ":
        return False
    if before == "worries":
        return i > 1 and view.words[i - 2] == "no"
    return before in _ANSWERS and _starts(view, i - 1)


_ANSWERS = frozenset(
    "ok okay yes yep yup yeah sure thanks thx ta cheers sorry alright hi hey hello hiya morning afternoon evening welcome bye right aye hola gracias vale perdona".split()
)
_BARE_ANSWERS = frozenset(
    "no nope done great perfect fine sent noted understood agreed brilliant lovely cool well nice si listo claro perfecto".split()
)


def _starts(view: View, k: int) -> bool:
    """Whether a word is the first of its sentence, also behind "good", "oh" or "many"."""
    if k == 0 or view.before(k).strip() or "\n" in view.before(k):
        return True
    return view.words[k - 1] in {"good", "oh", "ah", "many", "ok", "okay", "so", "well"} and _starts(view, k - 1)


def _dated(view: View, i: int) -> bool:
    """In May, June 3rd, this spring."""
    if view.words[i] not in _MONTHISH or view.before(i).strip():
        return False
    previous = view.words[i - 1] if i else ""
    following = view.words[i + 1] if i + 1 < len(view.words) else ""
    return previous in _DATED or following.isdigit() or previous.isdigit()


def _opens_as_name(view: View, i: int, *, shouted: bool, names: NameSet) -> bool:
    after, before, word = view.after(i), view.before(i), view.words[i]
    following = view.words[i + 1] if i + 1 < len(view.words) else ""
    ends = after[:1] in {",", ".", "!", "?", ":", ";", ""} and (
        i == 0 or bool(before.strip()) or after[:1] in {"", ".", "!"}
    )
    if after[:1] in {",", "!", ":", ";"} or (ends and after[:1] != ""):
        return True
    if after[:2] in {" -", "--"} or (before[-1:] and before[-1] == after[:1] and before[-1] in "\"'*_~"):
        return True
    if _cell(view, i) or _enclosed(before, after) or after[:1] == "-":
        return True
    if names.pieces.get(word) == "given" and word not in _MONTHISH and _alone(view, i):
        return True
    family = names.pieces.get(word) == "family"
    verb = following in (_HUMAN_VERBS if family else _NAME_VERBS | _HUMAN_VERBS | _PAST) or (
        following.endswith("ed") and len(following) > 4 and following not in {"based", "related", "limited"}
    )
    verb = verb or (not family and _FUTURE.fullmatch(view.raw(i + 1).casefold() if following else "", timeout=_TIMEOUT))
    if after[:2] == " (" and not family and word not in _MONTHISH:
        return True  # Heather (she/her) will chair
    if not shouted and after.isspace() and (verb or (not family and _acts(view, i, names))):
        return True
    # A word that is on the list only through its singular ("Woods") seldom opens a sentence as that.
    listed = word in names.vocabulary or (word.endswith("s") and word[:-1] in names.vocabulary)
    return not listed and not shouted


def _alone(view: View, i: int) -> bool:
    """Alone on a line of several: an item of a list, a heading, a signature."""
    start = view.folded.rfind("\n", 0, view.starts[i]) + 1
    end = view.folded.find("\n", view.ends[i])
    line = view.folded[start : view.starts[i]] + view.folded[view.ends[i] : end if end >= 0 else None]
    return "\n" in view.folded and not any(c.isalpha() for c in line)


def _enclosed(before: str, after: str) -> bool:
    """Alone in brackets or in quotes that a backslash escapes."""
    return before[-1:] + after[:1] in {"()", "[]", "{}"} or (
        before[-1:] in {'"', "'"} and after[:2] == "\\" + before[-1:]
    )


def _acts(view: View, i: int, names: NameSet) -> bool:
    """Grace uses the app: a verb in the third person and what it governs."""
    near = view.words[i + 1 : i + 3]
    return len(near) == 2 and near[0].endswith("s") and near[0][:-1] in names.vocabulary and near[1] in _GOVERNED


def _cell(view: View, i: int) -> bool:
    """A value alone in the cell of a table or an element of markup; the head of a table is no value."""
    before, after = view.before(i), view.after(i)
    if before.rstrip(" ").endswith("|") and after.lstrip(" ").startswith("|"):
        return _RULE.match(view.folded, view.ends[i], timeout=_TIMEOUT) is None
    return (
        before.endswith(">") and after.startswith("<") and view.words[i - 1 : i] not in {("th",), ("dt",), ("label",)}
    )


def _keyed(view: View, i: int) -> bool:
    """The value of a field that holds a name: first_name: "Will", surname=price, user: `grace`."""
    gap = view.before(i)
    if not i or "\n" in gap or not (":" in gap or "=" in gap) or any(c not in " :=\"'`>*" for c in gap):
        return False
    return view.words[i - 1] in _KEYS and (view.capital(i) or gap[-1:] in {'"', "'", "="})


def _neighbour_shouts(view: View, i: int) -> bool:
    near = [view.raw(k) for k in (i - 1, i + 1) if 0 <= k < len(view.words)]
    return any(len(w) > 1 and w.isupper() for w in near)


def _in_identifier(view: View, i: int, names: NameSet) -> bool:
    """joy.fairweather, @grace, /u/mark: an ordinary word inside an address or a handle."""
    if view.before(i)[-1:] == "@" or view.after(i)[:1] == "@":
        return True
    for other, gap in ((i - 1, view.before(i)), (i + 1, view.after(i))):
        if (
            0 <= other < len(view.words)
            and gap in {".", "_", "-", "+"}
            and (view.words[other] in names.pieces or (view.words[other].isdigit() and gap == "_"))
            and view.words[other] != view.words[i]
        ):
            return True
    return of_papers(view, i)
