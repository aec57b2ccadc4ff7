"""The known names of one reply, taken apart for matching: pieces, nicknames, joined forms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import regex

from judgekit.blinding.cues import load_nicknames, load_words, rule_words
from judgekit.blinding.fold import fold

__all__ = ["KNOWN", "PARTICLES", "PERSON", "NameSet", "compile_names", "everyday"]

PERSON = "[PERSON_{n}]"
KNOWN = "known"
PARTICLES = rule_words("names")["particles"]
_EVERYDAY = {lang: rule_words("names")[f"everyday_{lang}"] for lang in ("en", "es")}
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_ENDINGS = (("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ing", ""), ("ing", "e"), ("er", ""), ("er", "e"))
_ENDINGS_ES = (("s", ""), ("es", ""), ("a", "o"), ("as", "o"), ("os", "o"), ("ces", "z"))


@dataclass(frozen=True, slots=True)
class NameSet:
    """The known names of one reply, ready for matching."""

    sequences: dict[str, tuple[tuple[tuple[str, ...], str], ...]]
    pieces: dict[str, str]
    long_pieces: tuple[str, ...]
    unspaced: tuple[str, ...]
    wordlike: frozenset[str]
    initials: frozenset[str]
    vocabulary: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.sequences or self.unspaced)

    def initials_of(self, role: str) -> frozenset[str]:
        """First letters of the given names or of the surnames."""
        return frozenset(word[0] for word, own in self.pieces.items() if own == role)


def everyday(word: str, vocabulary: frozenset[str], lang: str) -> bool:
    """Whether a word, or what it is an inflected form of, is an ordinary one.

    Parameters
    ----------
    word : str
        A folded word.
    vocabulary : frozenset of str
        Ordinary words.
    lang : {'en', 'es'}
        Whose endings count.

    Returns
    -------
    bool

    Examples
    --------
    >>> [everyday(w, frozenset({"river", "pay"}), "en") for w in ("rivers", "paying", "pavel")]
    [True, True, False]
    """
    if word in vocabulary:
        return True
    return any(
        word.endswith(tail) and len(word) - len(tail) >= 3 and word[: -len(tail)] + new in vocabulary
        for tail, new in (_ENDINGS_ES if lang == "es" else _ENDINGS)
        if tail != "es" or lang == "es" or word.endswith(("ses", "xes", "zes", "ches", "shes", "oes"))
    )


@lru_cache(maxsize=4096)
def compile_names(names: tuple[str, ...], lang: str) -> NameSet:
    """Fold known names and work out their pieces, nicknames and joined forms.

    Parameters
    ----------
    names : tuple of str
        Given name and surname apart, or full names.
    lang : {'en', 'es'}
        The text's language: it decides which names are ordinary words.

    Returns
    -------
    NameSet
    """
    vocabulary = load_words(lang)
    sequences: dict[str, set[tuple[tuple[str, ...], str]]] = {}
    pieces: dict[str, str] = {}
    unspaced: set[str] = set()

    def add(words: tuple[str, ...], role: str) -> None:
        if words:
            sequences.setdefault(words[0], set()).add((words, role))

    for at, name in enumerate(names):
        words = fold(name).words
        role = "given" if at == 0 else "family"
        if not words:
            continue
        if _UNSPACED.search(name):
            unspaced.add(fold(name).folded.strip())
            unspaced.update(words)
        if len(words) == 1 or not all(w in PARTICLES for w in words):
            add(words, role)
        solid = [w for w in words if (len(words) == 1 or w not in PARTICLES) and (len(w) > 1 or not w.isascii())]
        for k, word in enumerate(solid or words):
            own = "given" if at == 0 and k == 0 else ("family" if at or k == len(solid) - 1 else "given")
            if (word not in PARTICLES or len(words) == 1) and (len(word) > 1 or not word.isascii()):
                add((word,), own)
                pieces.setdefault(word, own)
        if len(words) > 1:
            add(("".join(words),), role)
            pieces.setdefault("".join(words), role)
    for word, role in list(pieces.items()):
        if role == "given":
            for nick in load_nicknames().get(word, ()):
                add((nick,), "nickname")
    wordlike = frozenset(w for w in {*pieces, *sequences} if w in _EVERYDAY[lang] or everyday(w, vocabulary, lang))
    return NameSet(
        {w: tuple(sorted(s, key=lambda x: (-len(x[0]), x[1] == "nickname", x))) for w, s in sequences.items()},
        pieces,
        tuple(sorted((p for p in pieces if len(p) >= 3), key=lambda p: (-len(p), p))),
        tuple(sorted(unspaced, key=lambda p: (-len(p), p))),
        wordlike,
        frozenset(w[0] for w in pieces),
        vocabulary,
    )
