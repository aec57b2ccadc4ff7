"""Foreign text folded for matching, with a map back to the text as it was written.

Case, accents, full-width and look-alike letters, invisible characters and HTML, JSON and percent escapes all fold
away, so that one spelling of a name finds every disguise of it. Every folded character remembers which stretch of the
original it came from.
"""

from __future__ import annotations

import html
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import regex

__all__ = ["Span", "View", "fold", "fold_char", "patience", "settle"]

_LOOK_ALIKE = str.maketrans(
    "аеорсухіѕјһԁԛԝвкмнтαοορνιτυκηχłøđıƒɡℓ",
    "aeopcyxisjhdqwbkmhtaooпvituknxlodifgl".replace("п", "p"),
)
_ESCAPE = regex.compile(
    r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,24});|(?:\\u[0-9a-fA-F]{4})+|(?:%[0-9a-fA-F]{2})+"
)
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_BETWEEN = {code: " " for code in range(128) if not chr(code).isalnum()}
_MARKS = dict.fromkeys(map(ord, "¿¡«»…•€£°§"), " ")  # the usual marks, so that most texts are plain ASCII
_QUOTES = {"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "＇": "'", "“": '"', "”": '"'}
_DASHES = {"‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-"}
_DIGIT = regex.compile(r"\d")
_TIMEOUT = 1.0


def patience(text: str) -> float:
    """Seconds that a pattern of ours may look through a whole text: one, and more where the text is long.

    Examples
    --------
    >>> patience("Hello"), patience("a" * 1_000_000)
    (1.0, 40.0)
    """
    return max(1.0, len(text) / 25_000)


@lru_cache(maxsize=8192)
def fold_char(char: str) -> str:
    r"""Fold one character: lower case, no accent, Latin for its look-alikes, nothing for an invisible one.

    Parameters
    ----------
    char : str
        One code point.

    Returns
    -------
    str
        None, one or several characters.

    Examples
    --------
    >>> [fold_char(c) for c in ("É", "ß", "Ａ", "а", "\u200b")]
    ['e', 'ss', 'a', 'a', '']
    """
    if char in _QUOTES:
        return _QUOTES[char]
    if char in _DASHES:
        return _DASHES[char]
    out = []
    for part in unicodedata.normalize("NFKD", char).casefold():
        category = unicodedata.category(part)
        # Vowel signs of Indic scripts have combining class 0 and are letters to their readers.
        if category in {"Cf", "Me"} or (category == "Mn" and unicodedata.combining(part) not in {0, 9}):
            continue
        if category == "Mn" and 0xFE00 <= ord(part) <= 0xFE0F:
            continue
        out.append(" " if category == "Zs" else part)
    return "".join(out).translate(_LOOK_ALIKE)


def _unescape(found: str) -> str:
    if found[0] == "&":
        plain = html.unescape(found)
        return plain if plain != found else ""
    if found[0] == "\\":
        units = [int(u, 16) for u in found.split("\\u")[1:]]
        raw = b"".join(u.to_bytes(2, "big") for u in units)
        return raw.decode("utf-16-be", errors="replace")
    try:
        return bytes.fromhex(found.replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _capital(first: str) -> bool:
    if first.isascii():
        return first.isupper() or first in "&\\%"
    return first.isupper() or first.istitle() or (first.isalpha() and first.lower() == first.upper())


@dataclass(frozen=True)
class View:
    """A text folded for matching.

    ``folded`` is what rules read. ``begin`` and ``until`` give, for each folded character, the stretch of ``text`` it
    stands for; both are None when the two texts run in step. ``words`` with ``starts`` and ``ends`` (positions in
    ``folded``) are its runs of letters, digits and marks. What is asked for again and again is worked out once.
    """

    text: str
    folded: str
    begin: tuple[int, ...] | None
    until: tuple[int, ...] | None
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @cached_property
    def capitals(self) -> tuple[bool, ...]:
        """For each word, whether it was written with a capital first letter (or in a script without case)."""
        text, begin = self.text, self.begin
        places = self.starts if begin is None else [begin[start] for start in self.starts]
        return tuple([_capital(text[place]) for place in places])

    @cached_property
    def plain(self) -> bool:
        """Whether the folded text is ASCII but for the usual marks: then a word is a run of letters and digits."""
        return self.folded.isascii() or self.folded.translate(_MARKS).isascii()

    @cached_property
    def has_digit(self) -> bool:
        """Whether a digit is in the folded text."""
        if self.plain:
            return _DIGIT.search(self.folded, timeout=_TIMEOUT) is not None
        return any(map(str.isdigit, self.folded))

    @cached_property
    def spelt(self) -> bool:
        """Whether two words of one character stand side by side, as in all that is spelled out."""
        words = self.words
        # In other scripts a letter with marks is one letter too.
        return not self.plain or any(len(b) == 1 == len(a) for a, b in pairwise(words))

    @cached_property
    def starting_at(self) -> dict[int, int]:
        """The word that starts at a place of the original."""
        begin = self.begin
        return {start if begin is None else begin[start]: word for word, start in enumerate(self.starts)}

    @cached_property
    def ending_at(self) -> dict[int, int]:
        """The word that ends at a place of the original."""
        until = self.until
        if until is None:
            return {end: word for word, end in enumerate(self.ends)}
        return {until[end - 1]: word for word, end in enumerate(self.ends)}

    @cached_property
    def shouted(self) -> bool:
        """Whether most letters are capitals."""
        letters = list(filter(str.isalpha, self.text))
        return len(letters) > 12 and sum(map(str.isupper, letters)) > 0.6 * len(letters)

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the original behind ``folded[start:end]`` (``end`` above ``start``)."""
        if self.begin is None or self.until is None:
            return start, end
        return self.begin[start], self.until[end - 1]

    def raw(self, word: int) -> str:
        """A word as it was written."""
        start, end = self.source(self.starts[word], self.ends[word])
        return self.text[start:end]

    def capital(self, word: int) -> bool:
        """Whether a word was written with a capital first letter (or in a script without case)."""
        return self.capitals[word]

    def between(self, left: int, right: int) -> str:
        """The folded text between two words."""
        return self.folded[self.ends[left] : self.starts[right]]

    def before(self, word: int) -> str:
        """The folded text between the word before and this one."""
        return self.folded[self.ends[word - 1] if word else 0 : self.starts[word]]

    def after(self, word: int) -> str:
        """The folded text between this word and the next one."""
        return self.folded[self.ends[word] : self.starts[word + 1] if word + 1 < len(self.starts) else None]

    def opens_sentence(self, word: int) -> bool:
        """Whether a word stands where any word would be written with a capital."""
        if word == 0:
            return True
        gap = self.before(word)
        return any(c in gap for c in ".!?\n:*>|{}[]•#=") or gap.count('"') % 2 == 1 or gap.strip() in {"-", "--"}


def _stretches(text: str) -> tuple[str, list[int], list[int]]:
    chars: list[str] = []
    begin: list[int] = []
    until: list[int] = []

    def put(char: str, start: int, end: int) -> None:
        folded = fold_char(char)
        if not folded and begin and unicodedata.combining(char):
            until[-1] = max(until[-1], end)  # an accent typed after its letter belongs to it
        for part in folded:
            chars.append(part)
            begin.append(start)
            until.append(end)

    escapes: dict[int, tuple[str, int]] = {}
    if "&" in text or "%" in text or "\\u" in text:
        for found in _ESCAPE.finditer(text, timeout=patience(text)):
            plain = _unescape(found.group())
            if plain and plain.isprintable():
                escapes[found.start()] = (plain, found.end())
    position = 0
    while position < len(text):
        if position in escapes:
            plain, end = escapes[position]
            for char in plain:
                put(char, position, end)
            position = end
            continue
        put(text[position], position, position + 1)
        position += 1
    return "".join(chars), begin, until


def fold(text: str) -> View:
    """Fold a text and keep the way back.

    Parameters
    ----------
    text : str
        Any text, lone surrogates included.

    Returns
    -------
    View

    Examples
    --------
    >>> view = fold("Hi LUC&iacute;A!")
    >>> view.folded, view.words
    ('hi lucia!', ('hi', 'lucia'))
    >>> view.raw(1)
    'LUC&iacute;A'
    """
    begin: tuple[int, ...] | None = None
    until: tuple[int, ...] | None = None
    escaped = "&" in text or "%" in text or "\\u" in text
    if text.isascii() and not escaped and "`" not in text:
        folded = text.lower()
    else:
        chars = [] if escaped else list(map(fold_char, text))
        if chars and set(map(len, chars)) == {1}:  # the two texts run in step
            folded = "".join(chars)
        else:
            folded, starts_at, ends_at = _stretches(text)
            begin, until = tuple(starts_at), tuple(ends_at)
    words, starts, ends = _words(folded)
    return View(text, folded, begin, until, words, starts, ends)


def _words(folded: str) -> tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]:
    """The runs of letters, digits and marks with their places; in plain ASCII splitting finds them sooner."""
    plain = folded if folded.isascii() else folded.translate(_MARKS)
    if not plain.isascii():
        places = [found.span() for found in _WORD.finditer(folded)]
        starts, ends = zip(*places, strict=True) if places else ((), ())
        return tuple([folded[a:b] for a, b in places]), starts, ends
    words = tuple(plain.translate(_BETWEEN).split())
    at, begins = 0, []
    for word in words:
        at = plain.index(word, at)
        begins.append(at)
        at += len(word)
    return words, tuple(begins), tuple([start + len(word) for start, word in zip(begins, words, strict=True)])


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the original text to be replaced.

    ``shown`` is what is written instead; ``{n}`` in it becomes the person's number. ``person`` is a key that is the
    same for every mention of one person. Where spans overlap the higher ``rank`` wins, then the longer one.
    """

    start: int
    end: int
    kind: str
    shown: str
    form: str = ""
    person: str | None = None
    subject: bool = False
    rank: int = 0


def settle(spans: list[Span]) -> list[Span]:
    """Choose among overlapping spans: higher rank first, then longer, then earlier.

    Parameters
    ----------
    spans : list of Span
        In any order.

    Returns
    -------
    list of Span
        In text order, without overlaps or empty spans.

    Examples
    --------
    >>> settle([Span(0, 4, "name", "[A]"), Span(2, 9, "email", "[B]"), Span(9, 9, "name", "[C]")])
    [Span(start=2, end=9, kind='email', shown='[B]', form='', person=None, subject=False, rank=0)]
    """
    if not spans:
        return []
    if len(spans) > 1:
        spans = sorted(spans, key=lambda s: (-s.rank, s.start - s.end, s.start, s.kind, s.shown))
    chosen: list[Span] = []
    taken = bytearray(max((s.end for s in spans), default=0))
    for span in spans:
        if span.end > span.start and 1 not in taken[span.start : span.end]:
            taken[span.start : span.end] = b"\x01" * (span.end - span.start)
            chosen.append(span)
    return sorted(chosen, key=lambda s: s.start)
