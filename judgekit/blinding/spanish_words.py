"""Spanish words that take the gender of who they are said of: placeholders that name both forms."""

from __future__ import annotations

import unicodedata

from judgekit.blinding.fold import Span, View

__all__ = ["both_forms", "case_of", "inflected", "mark", "raw_word"]

_ENDS = ("o", "a", "os", "as", "e", "es", "x", "xs")


def raw_word(view: View, i: int) -> str:
    """A word as it was written, accents composed."""
    return unicodedata.normalize("NFC", view.raw(i))


def case_of(raw: str) -> str:
    """``.upper``, ``.capital`` or nothing: the letter case that a slot's form notes."""
    if len(raw) > 1 and raw.isupper():
        return ".upper"
    return ".capital" if raw[:1].isupper() else ""


def both_forms(raw: str) -> tuple[str, str] | None:
    """The placeholder that names both forms of an inflected word, and the word's gender."""
    low = unicodedata.normalize("NFC", raw)
    tail = "S" if low[-1:].lower() == "s" and low[-2:-1].lower() in "aoex" and len(low) > 4 else ""
    stem = low[:-1] if tail else low
    last = stem[-1:].lower()
    if last not in {"a", "o", "e", "x"}:
        return None
    head = "".join(c for c in stem[:-1].upper() if c.isalpha())
    gender = {"a": "f", "o": "m"}.get(last, "n")
    return (f"[{head}OS-AS]" if tail else f"[{head}O-A]"), gender


def inflected(word: str, lemmas: frozenset[str]) -> bool:
    """Whether a folded word is a form of a dictionary form in -o."""
    return any(word.endswith(tail) and word[: -len(tail)] + "o" in lemmas for tail in _ENDS)


def mark(view: View, i: int, kind: str, shown: str, form: str, rank: int = 54) -> Span:
    """A span over one word, an "@" ending (interesad@) included."""
    begin, end = view.source(view.starts[i], view.ends[i])
    if view.text[end : end + 1] == "@":
        end += 1
    return Span(begin, end, kind, shown, form + case_of(view.raw(i)), None, False, rank)
