"""Known names found in folded text: whole, in pieces, misspelt, spelled out, hidden in handles and addresses.

The names of a counterfactual study are known, so no model is needed. A name that is also an ordinary word ("Grace",
"Will") counts only where its place in the sentence says that it is a name.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from judgekit.blinding.cues import load_things
from judgekit.blinding.fold import Span, View
from judgekit.blinding.hypocorisms import fond_form, listed_form
from judgekit.blinding.identifiers import (
    glued_variant,
    hyphenated_variants,
    names_in_humps,
    surname_that_is_a_word,
)
from judgekit.blinding.initials import known_initials
from judgekit.blinding.known import KNOWN, PARTICLES, PERSON, NameSet, compile_names, everyday
from judgekit.blinding.spelled import spelled_known
from judgekit.blinding.spelling import resembles
from judgekit.blinding.wordnames import beside, is_name

__all__ = ["KNOWN", "PARTICLES", "PERSON", "NameSet", "compile_names", "find_names"]

_JOIN = regex.compile(r"[\s\-'._·/]{0,3}")
_SPLIT = regex.compile(r"-?\s*\n\s*")
_TAILS = frozenset(("", "s", "es", "san", "sama", "kun", "chan", "ji", "ito", "ita", "ie", "y", "ey", "z"))


def _hits(view: View, names: NameSet) -> Iterator[tuple[int, int, str]]:
    """Word ranges that are a known name or a piece of one."""
    i, words = 0, view.words
    while i < len(words):
        found = None
        for sequence, role in names.sequences.get(words[i], ()):
            j = i + len(sequence)
            if words[i:j] == sequence and all(_JOIN.fullmatch(view.between(k, k + 1)) for k in range(i, j - 1)):
                if (
                    len(sequence) == 1
                    and (words[i] in names.wordlike or role == "nickname")
                    and not _word_or_nick(view, i, names, short=role == "nickname")
                ):
                    continue
                found = (i, j, role)
                break
        if found:
            yield found
            i = found[1]
        else:
            i += 1


def _word_or_nick(view: View, i: int, names: NameSet, *, short: bool) -> bool:
    if view.words[i] in names.wordlike:
        return is_name(view, i, names) and not (short and _of_a_heading(view, i, names))
    return view.capital(i) or beside(view, i, names)


def _merge(view: View, hits: list[tuple[int, int, str]], names: NameSet) -> Iterator[tuple[int, int, str]]:
    """Join given name, initials and surname that stand side by side."""
    at = 0
    while at < len(hits):
        i, j, role = hits[at]
        roles = [role]
        while True:
            following = hits[at + 1] if at + 1 < len(hits) else None
            if (following and following[0] == j and _near(view, j)) or (
                following
                and following[0] == j + 1
                and len(view.words[j]) == 1
                and view.capital(j)
                and _near(view, j)
                and view.between(j, j + 1) in {". ", " ", "."}
            ):
                j, at = following[1], at + 1
                roles.append(following[2])
            else:
                break
        if (
            i
            and len(view.words[i - 1]) == 1
            and view.capital(i - 1)
            and view.between(i - 1, i) in {". ", ".", " ", "-"}
        ):
            first = view.words[i - 1]
            titled = first == "d" and role == "given" and "d" not in names.initials  # D. Pedro: a Spanish title
            if titled:
                pass
            elif (first in names.initials and first not in {"a", "i"}) or "." in view.between(i - 1, i):
                i -= 1
                roles.insert(0, "initial")
                if i and len(view.words[i - 1]) == 1 and view.between(i - 1, i) in {". ", "."} and view.capital(i - 1):
                    i -= 1
        j = _initial_after(view, j, roles, names)
        kinds = set(roles)
        if roles[0] == "initial":
            form = "initial+family"
        elif "given" in kinds and "family" in kinds:
            form = "full" if roles.index("given") < roles.index("family") else "reversed"
        else:
            form = roles[0]
        yield i, j, form
        at += 1


def _initial_after(view: View, j: int, roles: list[str], names: NameSet) -> int:
    """The word after a name and its initial: Halvane, G.; Grace H."""
    if j >= len(view.words) or len(view.words[j]) != 1 or not view.capital(j):
        return j
    gap, after, letter = view.between(j - 1, j), view.after(j), view.words[j]
    missing = "given" if roles[-1] == "family" else "family"
    wanted = letter in names.initials_of(missing) or (gap == " " and after[:1] == ".")
    ended = after[:1] in {".", ",", ")", '"', ";", ":", "|", "\n", ""} and (gap == " " or after[:1] != ",")
    return j + 1 if wanted and ended and gap in {" ", ", ", "_", "."} else j


def _near(view: View, j: int) -> bool:
    gap = view.between(j - 1, j)
    return len(gap) <= 2 and (gap in {" ", "-", ".", "_", "", "+", "\n", " \n", "\r\n", "  "} or gap.isspace())


def _letters(raw: str) -> str:
    if len(raw) > 1 and raw.isupper():
        return ".upper"
    return ".lower" if raw.islower() else ""


def _span(view: View, start: int, end: int, form: str, kind: str = "name", rank: int = 60) -> Span:
    begin, until = view.source(start, end)
    raw = view.text[begin:until]
    return Span(begin, until, kind, PERSON, form + _letters(raw), KNOWN, True, rank)


def find_names(view: View, names: NameSet) -> list[Span]:
    """Find every mention of the known names.

    Parameters
    ----------
    view : View
        The folded text.
    names : NameSet
        What `compile_names` returned.

    Returns
    -------
    list of Span
        Possibly overlapping; all carry the same person.

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> known = compile_names(("Grace", "Nwosu"), "en")
    >>> found = find_names(fold("A grace period applies, Grace. Signed: G. NWOSU"), known)
    >>> [(s.start, s.end, s.form) for s in found]
    [(24, 29, 'given'), (39, 47, 'initial+family.upper')]
    """
    if not names:
        return []
    hits = list(_hits(view, names))
    spans = [_span(view, view.starts[i], view.ends[j - 1], form) for i, j, form in _merge(view, hits, names)]
    taken = {k for i, j, _ in hits for k in range(i, j)}
    for piece in names.unspaced:
        at = view.folded.find(piece)
        while at >= 0:
            spans.append(_span(view, at, at + len(piece), "given"))
            at = view.folded.find(piece, at + len(piece))
    for i, word in enumerate(view.words):
        if i in taken or len(word) < 3 or word in names.wordlike or word.isdigit():
            continue
        if word in names.vocabulary:
            if _fond_word(view, i, word, names):
                spans.append(_span(view, view.starts[i], view.ends[i], "nickname"))
            elif view.capital(i) and surname_that_is_a_word(view, i, names):
                spans.append(_span(view, view.starts[i], view.ends[i], "family"))
            continue
        form = _inside(view, i, word, names) or _variant(view, i, word, names) or glued_variant(view, i, names)
        if not form and names_in_humps(view, i, names):
            form = "identifier"
        if form:
            spans.append(_span(view, view.starts[i], view.ends[i], form))
    spans += [_span(view, a, b, "spelled", rank=62) for a, b in spelled_known(view, names)]
    spans += [_span(view, a, b, "initials", rank=59) for a, b in known_initials(view, names)]
    spans += [
        _span(view, view.starts[i], view.ends[j - 1], form, rank=61)
        for i, j, form in hyphenated_variants(view, names, taken)
    ]
    return spans + _broken(view, names)


def _fond_word(view: View, i: int, word: str, names: NameSet) -> bool:
    """Teddy, Debs: a short form that is an ordinary word, with a capital that only a name has there."""
    if not view.capital(i) or view.opens_sentence(i) or view.raw(i)[1:2].isupper() or word in load_things().calendar:
        return False
    if view.words[i - 1] in _DETERMINERS:
        return False
    if any(0 <= k < len(view.words) and view.capital(k) and len(view.words[k]) > 1 for k in (i - 1, i + 1)):
        return False
    return any(
        role == "given" and (listed_form(word, p) or (len(p) - len(word) >= 2 and p.startswith(word)))
        for p, role in names.pieces.items()
    )


def _of_a_heading(view: View, i: int, names: NameSet) -> bool:
    """The Court, Fee Table: a word that is also somebody's short form, behind an article or among capitals."""
    if i and view.before(i) == " " and view.words[i - 1] in _DETERMINERS:
        return True
    return any(
        0 <= k < len(view.words)
        and view.capital(k)
        and len(view.words[k]) > 1
        and view.words[k] not in names.pieces
        and view.between(min(i, k), max(i, k)) == " "
        and not (k < i and view.opens_sentence(k))
        for k in (i - 1, i + 1)
    )


_DETERMINERS = frozenset(
    ("the", "a", "an", "this", "that", "each", "every", "our", "your", "no", "any", "el", "la", "un", "una")
)


def _variant(view: View, i: int, word: str, names: NameSet) -> str | None:
    """Another spelling or a fond form of a known name."""
    if len(word) > 24:
        return None
    capital = view.capital(i)
    if len(word) <= 3 and view.raw(i).isupper() and not _shouted(view, i):
        return None  # el IVA, beside Iván
    if len(word) == 4 and view.raw(i).isupper() and word in load_things().all and not _shouted(view, i):
        return None  # NASA, beside Nasr
    form = resembles(word, names.pieces, names.vocabulary, capital=capital)
    if form and not capital and everyday(word, names.vocabulary, "en"):
        return None
    if not form and capital and any(role == "given" and fond_form(word, p) for p, role in names.pieces.items()):
        return "nickname"
    return form


def _shouted(view: View, i: int) -> bool:
    """Whether a word stands among others in capitals."""
    return any(view.raw(k).isupper() and len(view.words[k]) > 1 for k in (i - 1, i + 1) if 0 <= k < len(view.words))


def _inside(view: View, i: int, word: str, names: NameSet) -> str | None:
    """A name hidden in a longer word: a handle, a hashtag, an identifier, a family in the plural."""
    for piece in names.long_pieces:
        at = word.find(piece)
        if at < 0 or (len(piece) == 3 and not (view.before(i)[-1:] in {"@", "#"} or view.after(i)[:1] == "@")):
            continue
        head, tail = word[:at], word[at + len(piece) :]
        if not head and tail in _TAILS and len(piece) >= 4 and (view.capital(i) or piece not in names.wordlike):
            return "plural" if tail in {"s", "es", "z"} else "nickname"
        if _identifier(view, i) or _camel(view, i, at, len(piece)):
            return "identifier"
        rest = head + tail
        if rest.isdigit() or any(other in rest for other in names.pieces if other != piece and len(other) >= 3):
            return "identifier"
        if len(head) == 1 and head in names.initials and (not tail or tail.isdigit()):
            return "identifier"
        if head in {"ms", "mr", "mrs", "team", "miss", "its", "iam", "the", "user"}:
            return "identifier"
    return None


def _identifier(view: View, i: int) -> bool:
    before, after = view.before(i), view.after(i)
    return (
        before[-1:] in {"@", "#", "_", "/", "\\", "=", "~"}
        or after[:1] in {"@", "_", "/", "\\"}
        or (bool(before) and before[-1] in ".-_" and not before[:-1])
        or (after[:1] in {".", "-"} and len(after) == 1)
    )


def _camel(view: View, i: int, at: int, size: int) -> bool:
    start, end = view.source(view.starts[i] + at, view.starts[i] + at + size)
    raw = view.text[start:end]
    follows = view.text[end : end + 1]
    return raw[:1].isupper() and not raw.isupper() and (at > 0 or follows.isupper() or follows == "_")


def _broken(view: View, names: NameSet) -> list[Span]:
    """Names cut in two by a line break."""
    if "\n" not in view.folded:
        return []
    return [
        _span(view, view.starts[i], view.ends[i + 1], "broken", rank=61)
        for i in range(len(view.words) - 1)
        if view.words[i] + view.words[i + 1] in names.pieces and _SPLIT.fullmatch(view.between(i, i + 1))
    ]
