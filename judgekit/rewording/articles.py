"""Whether English says "a" or "an" before a word, a number or an abbreviation."""

from __future__ import annotations

import regex

__all__ = ["takes_an"]

_TIMEOUT = 1.0
_VOWEL = regex.compile(r"(?:[aeiou]|hour|honest|honou?r|heir)", regex.IGNORECASE)
_NO_VOWEL = regex.compile(
    r"(?:us(?!her)|uni(?!n|m|dent)|un[aá]nim|ubiq|uk(?:\b|r)|uga|ur[aiu]|ut(?:il|op|er|a)|eu|ewe|one\b|once)",
    regex.IGNORECASE,
)
# Letters whose own name opens with a vowel, for words that are read letter by letter.
_LETTERS = frozenset("AEFHILMNORSX")
_SPELLED = regex.compile(r"[A-Z](?:\.?[A-Z]){1,4}(?:\b|$)|[A-Z](?=[-\d])")
_NUMBER = regex.compile(r"\d[\d,]*")
# Short names in capitals that are read as words.
_READ = frozenset(["NATO", "NASA", "FIFA", "LASER", "RADAR", "SIM", "SWAT", "RAM", "ROM", "FAQ", "LAN", "SQL", "MIME"])


def takes_an(word: str) -> bool:
    """Whether "an" stands before what opens with ``word``.

    Parameters
    ----------
    word : str
        A word or a phrase; its first word decides.

    Returns
    -------
    bool

    Examples
    --------
    >>> [takes_an(w) for w in ("hour", "user", "18-year-old", "11", "80", "100", "MBA", "UK", "university", "old man")]
    [True, False, True, True, True, False, True, False, False, True]
    """
    word = word.lstrip("\"'“‘«([*_")
    number = _NUMBER.match(word, timeout=_TIMEOUT)
    if number:
        digits = number.group().replace(",", "")
        # Eleven and eighteen, alone or before thousands; eight and all that begins with it.
        return digits[0] == "8" or (digits[:2] in {"11", "18"} and len(digits) % 3 == 2)
    spelled = _SPELLED.match(word, timeout=_TIMEOUT)
    if spelled and spelled.group().replace(".", "") not in _READ:
        return word[0] in _LETTERS
    return bool(_VOWEL.match(word, timeout=_TIMEOUT)) and not _NO_VOWEL.match(word, timeout=_TIMEOUT)
