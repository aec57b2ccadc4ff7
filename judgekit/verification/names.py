"""Known names that the verifier finds in a masked text."""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import regex

from judgekit.verification.reading import TOKEN, Flat, Rules, squash

__all__ = ["name_hits"]

_SPACED = regex.compile(r"(?<![\p{L}\p{N}])\p{L}(?:[-.*·/_|, ]{1,4}\p{L}(?![\p{L}\p{N}])){2,60}+")
_NEXT = regex.compile(r" +([\p{L}\p{M}]+)")
_SMALL = frozenset(
    "de da di do du del della der den des das dos la las le los el al van von bin ibn abu san zu zur y e o d l st mc mac".split()
)
_ENDS = frozenset('.!?:\n*>|"“”#=•({[')


def _capital(flat: Flat, start: int) -> bool:
    char = flat.shown[flat.origin[start]]
    return char.isupper() or char.upper() == char.lower()


def _opens(flat: Flat, start: int) -> bool:
    before = flat.chars[max(0, start - 4) : start].rstrip(" ")
    return not before or before[-1] in _ENDS or "\n" in flat.chars[max(0, start - 2) : start]


def _edit_one(a: str, b: str) -> bool:
    """Whether one insertion, deletion, change or swap turns one word into the other."""
    if a == b or abs(len(a) - len(b)) > 1:
        return a == b
    k = 0
    while k < min(len(a), len(b)) and a[k] == b[k]:
        k += 1
    x, y = a[k:], b[k:]
    return x[1:] == y[1:] or x[1:] == y or x == y[1:] or (x[:2] == y[1::-1] and x[2:] == y[2:])


def _ordinary(word: str, rules: Rules) -> bool:
    """Whether a word, without an ending of number or tense, is an everyday one."""
    if word in rules.ordinary or word in rules.common:
        return True
    return any(
        len(word) - len(tail) >= 3 and word.endswith(tail) and word[: len(word) - len(tail)] in rules.ordinary
        for tail in ("s", "es", "ed", "d", "ing", "er", "ers", "ly")
    )


def _headline(flat: Flat, start: int, end: int) -> bool:
    """Whether a word is one of several in capitals, as in a headline."""

    def shouted(a: int, b: int) -> bool:
        raw = flat.shown[flat.origin[a] : flat.origin[b - 1] + 1]
        return len(raw) > 1 and raw.isupper() and raw.isalpha()

    if not shouted(start, end):
        return False
    before = TOKEN.search(flat.chars[max(0, start - 24) : start][::-1].lstrip(" "), timeout=1.0)
    if before and before.start() == 0:
        at = start
        while flat.chars[at - 1] == " ":
            at -= 1
        if shouted(at - len(before.group()), at):
            return True
    after = _NEXT.match(flat.chars, end, timeout=1.0)
    return bool(after) and shouted(after.start(1), after.end(1)) if after else False


@lru_cache(maxsize=4096)
def _known_pieces(known: tuple[str, ...]) -> frozenset[str]:
    """The words of the known names, and names of several words written as one."""
    pieces: set[str] = set()
    for name in known:
        parts = squash(name)
        pieces.update(p for p in parts if len(parts) == 1 or p not in _SMALL)
        if len(parts) > 1:
            pieces.add("".join(parts))
    return frozenset(p for p in pieces if len(p) > 1 or not p.isascii())


def name_hits(flat: Flat, known: Sequence[str], rules: Rules, limit: float) -> Iterator[tuple[int, int, str, str]]:
    """Find known names in a masked text.

    Parameters
    ----------
    flat : Flat
        The masked text, folded, its placeholders blanked out.
    known : sequence of str
        Given name, surname, other names.
    rules : Rules
        The language's lists: everyday words are names only with a capital inside a sentence.
    limit : float
        Seconds that a pattern may take.

    Yields
    ------
    (int, int, str, str)
        Start and end in the folded text, kind and rule of a leak.

    Raises
    ------
    TimeoutError
        When a pattern takes longer.
    """
    pieces = _known_pieces(tuple(known))
    if not pieces:
        return
    wide = [p for p in pieces if len(p) >= 4 and p in flat.chars]
    tricky = [p for p in pieces if len(p) >= 5 and p not in rules.ordinary]
    # A long text says the same words again and again: each is compared with the names once.
    suspects = {
        word
        for word in {w for w, _, _ in flat.words}
        if word in pieces
        or (
            word not in rules.ordinary
            and word not in rules.common
            and (
                any(p in word for p in wide)
                or (len(word) >= 5 and any(_edit_one(word, p) for p in tricky if -2 < len(word) - len(p) < 2))
            )
        )
    }
    plain = {word for word in suspects if word in pieces and not _ordinary(word, rules)}
    for word, start, end in flat.words if suspects else ():
        if word in plain:
            yield start, end, "name", "known name"
            continue
        if word not in suspects:
            continue
        if word in pieces:
            if (
                _capital(flat, start)
                and not _opens(flat, start)
                and word not in _CALENDAR
                and not _headline(flat, start, end)
            ):
                yield start, end, "name", "known name"
            continue
        for piece in wide:
            if piece in word and _hidden(flat, word, piece, start, end):
                yield start, end, "name", "known name inside a word"
                break
        else:
            if (
                len(word) >= 5
                and any(_edit_one(word, p) for p in tricky)
                and _capital(flat, start)
                and not _opens(flat, start)
            ):
                yield start, end, "name", "known name misspelt"
    yield from _short_forms(flat, known)
    for piece in pieces:
        if not piece.isascii() and piece in flat.chars:
            at = flat.chars.find(piece)
            yield at, at + len(piece), "name", "known name"
    yield from _spelled_out(flat, pieces, limit)


def _spelled_out(flat: Flat, pieces: Iterable[str], limit: float) -> Iterator[tuple[int, int, str, str]]:
    """Known names letter by letter; a plain text with fewer than three letters that stand alone spells nothing."""
    if flat.plain and [len(word) for word, _, _ in flat.words].count(1) < 3:
        return
    for match in _SPACED.finditer(flat.chars, timeout=limit):
        joined = "".join(c for c in match.group() if c.isalpha())
        if any(p in joined for p in pieces if len(p) >= 3):
            yield match.start(), match.end(), "name", "known name spelled out"


def _short_forms(flat: Flat, known: Sequence[str]) -> Iterator[tuple[int, int, str, str]]:
    """How the known given name begins, alone inside a sentence: Theo, Cliff."""
    given = squash(known[0])[:1] if known else ()
    if not given or len(given[0]) < 5:
        return
    for word, start, end in flat.words:
        if (
            3 <= len(word) <= len(given[0]) - 2
            and given[0].startswith(word)
            and word not in _MONTHS
            and _capital(flat, start)
            and not _opens(flat, start)
            and _stands_alone(flat, start, end)
        ):
            yield start, end, "name", "short form of a known name"


_MONTHS = frozenset(
    "jan feb mar apr may jun jul aug sep sept oct nov dec sun mon tue wed thu fri sat june july".split()
)


def _stands_alone(flat: Flat, start: int, end: int) -> bool:
    """Neither behind an article nor beside another word with a capital, where a thing's name stands."""
    left = flat.chars[max(0, start - 12) : start]
    if left.rstrip(" ").rpartition(" ")[2] in {"the", "a", "an", "our", "your", "this", "each", "every"}:
        return False
    after = _NEXT.match(flat.chars, end, timeout=1.0)
    return not (after and _capital(flat, after.start(1)))


_CALENDAR = frozenset("may june april august summer autumn spring winter mayo abril junio agosto".split())


def _hidden(flat: Flat, word: str, piece: str, start: int, end: int) -> bool:
    left, right = flat.chars[max(0, start - 1) : start], flat.chars[end : end + 1]
    if left in {"@", "#", "_", "/", "\\"} or right in {"@", "_"}:
        return True
    if word.startswith(piece) and len(word) - len(piece) <= 2 and _capital(flat, start):
        return True
    at = start + word.index(piece)
    raw = flat.shown[flat.origin[at]]
    return at > start and raw.isupper() and not flat.shown[flat.origin[start] : flat.origin[end - 1] + 1].isupper()
