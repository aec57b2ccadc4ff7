"""Other spellings of a known name: one edit away, transliterated another way, cut short."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import regex

__all__ = ["resembles", "skeleton", "sounds", "transliterates"]


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
        longest = max(len(piece), len(word))
        close = capital and longest >= 6 and word[0] == piece[0] and min(len(word), len(piece)) >= 5
        distance = _edits(word, piece, 4 if close else 1)  # more than one edit counts only where they are close
        if distance == 1 and longest >= 4 and (capital or longest >= 5):
            return "given" if role == "given" else "family"
        if not capital:
            continue
        if close and distance <= longest // 3:
            return role
        if role == "given" and (piece.startswith(word) or word.startswith(piece)) and min(len(word), len(piece)) >= 3:
            return "nickname"
        if longest >= 4 and _alike(word, piece):
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
    ("shch", "s"),
    ("tsch", "c"),
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


_GLIDE = regex.compile(r"^[ijy]+(?=[aeou])|(?<=[aeiou])[jy](?=[aeiou])|i+(?=[aeou])")
_PINYIN = (
    ("hs", "s"), ("sh", "s"), ("zh", "c"), ("ch", "c"), ("ts", "z"), ("tz", "z"), ("q", "c"), ("x", "s"), ("j", "c"), ("ou", "o"),
)  # fmt: skip
# Wade-Giles beside pinyin: Teng and Deng, Jen and Ren, Hsueh and Xue, Chien and Qian, Tung and Dong.
_NG = regex.compile(r"ng(?![aeiou])")
_WADE_GILES = (("uN", "oN"), ("ien", "ian"), ("ueh", "ue"), ("ih", "i"), ("j", "r"))
_UNVOICED = str.maketrans("bdg", "ptk")
_KOREAN = str.maketrans("gbdrw", "kptlv")
# Seoyeon and Suhyun, Jihoon and Jihun: o and u are written for one another.
_KOREAN_VOWELS = (("eo", "o"), ("oo", "o"), ("ee", "i"), ("ou", "o"), ("u", "o"), ("ae", "e"))
_WEAK_H = regex.compile(r"(?<=[aeou])h(?=[^aeiou]|$)")


@lru_cache(maxsize=8192)
def sounds(word: str) -> frozenset[str]:
    """Keys of a folded name; two spellings of one name share a key.

    Examples
    --------
    >>> bool(sounds("yulia") & sounds("iuliia")), bool(sounds("muhammad") & sounds("mohamed"))
    (True, True)
    >>> bool(sounds("xiaoming") & sounds("hsiaoming")), bool(sounds("julia") & sounds("paula"))
    (True, False)
    """
    single = _DOUBLE.sub(r"\1", word, timeout=_TIMEOUT)
    keys = set()
    # Whole words after the spellings of one sound are evened out, vowels kept: Yulia, Iuliia, Julija.
    plain = single
    for old, new in _SOUNDS:
        plain = plain.replace(old, new)
    plain = plain.replace("ou", "u").replace("oo", "u").replace("ee", "i")
    for _ in range(2):
        plain = _GLIDE.sub("", plain, timeout=_TIMEOUT)
    plain = _DOUBLE.sub(r"\1", plain.replace("y", "i").replace("j", "i"), timeout=_TIMEOUT).rstrip("i")
    if len(plain) >= 3 and len(word) >= 5:
        keys.add("w" + plain)
    # Consonants with an h between vowels, and what the word begins with: Mohamed, Muhammad.
    bare = skeleton(single[:-2] if len(single) > 5 and single.endswith(("ij", "yj", "iy")) else single)
    breath = _BREATH.sub("H", single, timeout=_TIMEOUT)
    with_h = "".join(c for c in breath if c not in "aeiouyh")
    for old, new in (("H", "h"), ("c", "k"), ("q", "k"), ("w", "v"), ("z", "s")):
        with_h = with_h.replace(old, new)
    start = "a" if word[0] in "aeiouyhj" else word[0]
    if len(bare) >= 3:
        keys.add("c" + start + bare)
    if len(with_h) >= 4 and "h" in with_h:
        keys.add("h" + start + with_h)
    chinese = single
    for old, new in _PINYIN:
        chinese = chinese.replace(old, new)
    if len(chinese) >= 5:
        keys.add("p" + chinese)
        chinese = _NG.sub("N", chinese, timeout=_TIMEOUT)
        for old, new in _WADE_GILES:
            chinese = chinese.replace(old, new)
        keys.add("g" + chinese.translate(_UNVOICED))
    korean = single.translate(_KOREAN).replace("eo", "o").replace("yu", "u").replace("oo", "u").replace("ch", "j")
    if len(korean) >= 5:
        keys.add("k" + korean)
    weak = _WEAK_H.sub("", word.translate(_KOREAN).replace("ch", "j"), timeout=_TIMEOUT)
    for old, new in _KOREAN_VOWELS:
        weak = weak.replace(old, new)
    if len(weak) >= 5:
        keys.add("v" + weak)
    return frozenset(keys)


_DOUBLE = regex.compile(r"(\p{L})\1+")
_BREATH = regex.compile(r"(?<=[aeiouy])h(?=[aeiouy])")
_TIMEOUT = 1.0


def transliterates(word: str, pieces: Mapping[str, str]) -> str | None:
    """The role of the known name that a word is in another transliteration; None when it is none.

    Parameters
    ----------
    word : str
        A folded word of five letters or more.
    pieces : mapping of str to str
        Pieces of the known names, with their roles.

    Returns
    -------
    str or None

    Examples
    --------
    >>> known = {"dmytro": "given", "kovalchuk": "family", "xiaoqing": "given"}
    >>> [transliterates(w, known) for w in ("dmitri", "kowaltschuk", "hsiaoching", "dynamo")]
    ['given', 'family', 'given', None]
    """
    if len(word) < 5:
        return None
    return next((role for piece, role in pieces.items() if len(piece) >= 5 and _alike(word, piece)), None)


def _alike(word: str, piece: str) -> bool:
    return not sounds(word).isdisjoint(sounds(piece))


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
