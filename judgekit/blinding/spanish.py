"""Rules of Spanish: agreement with the person addressed, articles, clitics, pronouns."""

from __future__ import annotations

from collections.abc import Sequence

from judgekit.blinding.cues import Lexicon
from judgekit.blinding.fold import Span, View

__all__ = ["find_spanish"]


def find_spanish(view: View, words: Lexicon, named: Sequence[Span]) -> list[Span]:
    """Find pronouns, titles, gendered nouns and agreement in a Spanish text."""
    return []
