"""Which language a reply is in: common words first, a kept detector where they do not decide."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from judgekit.blinding.cues import load_words, rule_words
from judgekit.blinding.fold import View

__all__ = ["SUPPORTED", "language_of"]

SUPPORTED = ("en", "es")
_WORDS = rule_words("language")
_EN = _WORDS["en"]
_ES = _WORDS["es"]
_OTHER = _WORDS["other"]


@lru_cache(maxsize=1)
def _detector() -> Any:
    from lingua import Language, LanguageDetectorBuilder

    languages = [
        Language.ENGLISH,
        Language.SPANISH,
        Language.FRENCH,
        Language.GERMAN,
        Language.ITALIAN,
        Language.PORTUGUESE,
        Language.DUTCH,
        Language.CATALAN,
        Language.POLISH,
        Language.TURKISH,
        Language.RUSSIAN,
        Language.ARABIC,
        Language.CHINESE,
        Language.HINDI,
        Language.SWEDISH,
        Language.INDONESIAN,
        Language.TAGALOG,
        Language.SWAHILI,
    ]
    return LanguageDetectorBuilder.from_languages(*languages).with_low_accuracy_mode().build()


def _by_vocabulary(views: list[View]) -> str | None:
    """The language whose ordinary words make up most of a text, when the other's do not."""
    words = [w for view in views for w in view.words[:400] if w.isalpha()]
    if not words:
        return None
    en, es = (sum(w in load_words(code) for w in words) / len(words) for code in SUPPORTED)
    if en >= 0.5 and en > es + 0.2:
        return "en"
    return "es" if es >= 0.5 and es > en + 0.2 else None


def language_of(views: Iterable[View], declared: str | None = None) -> str:
    """The language of a reply: what its row says, else what its words say.

    Parameters
    ----------
    views : iterable of View
        The folded context and reply.
    declared : str, optional
        A code such as ``en`` or ``es-MX``.

    Returns
    -------
    str
        ``en``, ``es``, another declared code, or ``unknown``.

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> language_of([fold("Gracias por su mensaje, la tienda abre el lunes.")])
    'es'
    """
    if declared and declared.strip() and declared.strip().lower() != "auto":
        return declared.strip().lower().replace("_", "-").split("-")[0]
    views = list(views)
    en = es = other = total = 0
    for view in views:
        words = view.words[:400]
        total += len(words)
        en += sum(map(_EN.__contains__, words))
        es += sum(map(_ES.__contains__, words))
        other += sum(map(_OTHER.__contains__, words))
    if en >= 3 and en > 2 * es and en > 2 * other:
        return "en"
    if es >= 3 and es > 2 * en and es > other:
        return "es"
    known = _by_vocabulary(views)
    if known:
        return known
    sample = " ".join(v.text for v in views)[:2000].encode("utf-8", "replace").decode("utf-8")
    if not any(c.isalpha() for c in sample):
        return "en"
    found = _detector().detect_language_of(sample)
    code = found.iso_code_639_1.name.lower() if found is not None else "unknown"
    if code in SUPPORTED:
        return code
    if max(en, es) >= 1 and max(en, es) > other:
        return "en" if en >= es else "es"
    return code if total >= 5 else ("en" if all(w.isascii() for v in views for w in v.words) else "unknown")
