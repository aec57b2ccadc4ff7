"""Other spellings of a known name: one edit away, transliterated another way, cut short."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

__all__ = ["resembles", "skeleton"]


def resembles(word: str, pieces: Mapping[str, str], vocabulary: frozenset[str], *, capital: bool) -> str | None:
    """The role of the known name that a word is a misspelling, another transliteration or a short form of.

    Parameters
    ----------
    word : str
        A folded word that is no ordinary one.
    pieces : mapping of str to str
        Pieces of the known names, with their roles.
    vocabulary : frozenset of str
        Ordinary words: a piece that is one has no variants in small letters.
    capital : bool
        Whether the word was written with a capital.

    Returns
    -------
    str or None
        ``given``, ``family`` or ``nickname``; None when it resembles none.

    Examples
    --------
    >>> known = {"fatimah": "given", "okafor": "family"}
    >>> [resembles(w, known, frozenset(), capital=True) for w in ("fatima", "okafro", "umbrella")]
    ['given', 'family', None]
    """
    if not capital and len(word) < 5:
        return None
    for piece, role in pieces.items():
        if piece in vocabulary and not capital:
            continue
        gap = abs(len(piece) - len(word))
        short_form = capital and len(word) >= 3 and piece.startswith(word) and role == "given"
        if (gap > 4 or len(piece) < 3) and not short_form:
            continue
        distance = _edits(word, piece, 4)
        longest = max(len(piece), len(word))
        if distance == 1 and longest >= 4 and (capital or longest >= 5):
            return "given" if role == "given" else "family"
        if not capital:
            continue
        if longest >= 6 and word[0] == piece[0] and distance <= longest // 3 and min(len(word), len(piece)) >= 5:
            return role
        if role == "given" and (piece.startswith(word) or word.startswith(piece)) and min(len(word), len(piece)) >= 3:
            return "nickname"
        if longest >= 4 and word[0] == piece[0] and skeleton(word) == skeleton(piece) and len(skeleton(word)) >= 3:
            return role
        if (
            role == "given"
            and len(word) >= 4
            and word[:3] == piece[:3]
            and word.endswith(("y", "ie", "ek", "ito", "ita", "ka", "sha", "chen"))
        ):
            return "nickname"
    return None


_SOUNDS = (
    ("ph", "f"),
    ("kh", "h"),
    ("gh", "g"),
    ("th", "t"),
    ("dh", "d"),
    ("sch", "s"),
    ("sh", "s"),
    ("tch", "c"),
    ("ch", "c"),
    ("zh", "j"),
    ("dj", "j"),
    ("ck", "k"),
    ("q", "k"),
    ("c", "k"),
    ("w", "v"),
    ("z", "s"),
    ("x", "ks"),
)


@lru_cache(maxsize=8192)
def skeleton(word: str) -> str:
    """The consonants of a folded name, spelling habits of different alphabets evened out.

    Examples
    --------
    >>> skeleton("fatimah") == skeleton("fatima"), skeleton("sharif") == skeleton("cherif")
    (True, False)
    """
    for old, new in _SOUNDS:
        word = word.replace(old, new)
    out = ""
    for char in word:
        if char not in "aeiouyh" and out[-1:] != char:
            out += char
    return out


def _edits(a: str, b: str, limit: int) -> int:
    """Edits between two words (insert, delete, replace, swap of neighbours), ``limit + 1`` when more."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before, row = [0] * (len(b) + 1), list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [i] + [0] * len(b)
        for j, y in enumerate(b, 1):
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:
                row[j] = min(row[j], older[j - 2] + 1)
        if min(row) > limit:
            return limit + 1
    return row[-1]
