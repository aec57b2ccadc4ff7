"""Short and fond forms of known given names, in the patterns of many languages.

A list of short forms (``data/cues/nicknames.yaml``) gives the irregular ones; what languages do regularly, such as
Spanish -ito, Russian -enka or English -y, is done here on the given name and on its listed short forms.
"""
# ruff: noqa: SIM905 - word lists are read as text

from __future__ import annotations

from functools import lru_cache

from judgekit.blinding.cues import load_nicknames

__all__ = ["fond_form", "listed_form"]

_SUFFIXES = tuple(
    sorted(
        (
            "y ie ey ee i s o z ito ita illo illa cito cita ecito ecita ico ica in ina ino ucho ucha uca uco inho inha zinho zinha ao "
            "etto etta uccio uccia ello ella etta ette ot ou on oulle otte sha enka ka ik ek usha ushka yushka ochka echka yusha chik "
            "ko ya ja ia usia ula unia uska iek us ush uś enko yunya chen lein el erl le tje je ke ika ike aki itsa oula akis jan joon "
            "jon bhai u ji da di an e sse le kin kins ster ers a as ulka inka eczka us ia chka ichka sya syusha shka ita ocha oczka "
            "unio unka ene eta is os itos itas acho acha ncho ncha cho cha che pe co ca to ta ny"
        ).split(),
        key=lambda s: (-len(s), s),
    )
)
_VOWELS = "aeiouy"


def _stems(word: str) -> set[str]:
    """What is left of a word without one of the endings, spelling of k and g evened out."""
    out = set()
    for suffix in _SUFFIXES:
        if not word.endswith(suffix):
            continue
        stem = word[: -len(suffix)]
        if len(stem) < (2 if len(suffix) >= 3 else 3):
            continue
        out.add(stem)
        if stem.endswith("qu"):
            out.add(stem[:-2] + "c")
        elif stem.endswith("gu"):
            out.add(stem[:-1])
        elif stem.endswith("c"):
            out.add(stem[:-1] + "z")
        if len(stem) > 3 and stem[-1] == stem[-2]:
            out.add(stem[:-1])
    return out


@lru_cache(maxsize=4096)
def _bases(given: str) -> frozenset[str]:
    return frozenset((given, *load_nicknames().get(given, ())))


@lru_cache(maxsize=16384)
def fond_form(word: str, given: str) -> bool:
    """Whether a word is a short or fond form of a given name.

    Parameters
    ----------
    word : str
        A folded word that is on no list of ordinary words.
    given : str
        A folded given name.

    Returns
    -------
    bool

    Examples
    --------
    >>> [fond_form(*pair) for pair in (("pepito", "jose"), ("mishka", "mikhail"), ("tommy", "thomas"), ("anke", "bruno"))]
    [True, True, True, False]
    >>> fond_form("lina", "carolina"), fond_form("paquito", "francisco"), fond_form("maria", "mariana")
    (True, True, True)
    """
    if len(word) < 3 or word == given:
        return word == given
    bases = _bases(given)
    if word in bases:
        return True
    # The end of a long name: Lina for Carolina, Xander for Alexander; the start: Seba for Sebastian.
    if len(word) >= 4 and len(given) - len(word) >= 2 and (given.endswith(word) or given.startswith(word)):
        return True
    for stem in _stems(word):
        for base in bases:
            bare = base.rstrip(_VOWELS) or base
            if stem in {base, bare} and len(stem) >= 3:
                return True
            if len(stem) >= 3 and base.startswith(stem):
                return True
            # Two letters are enough under a long ending: Misha, Pashka.
            long_ending = len(word) - len(stem) >= 3
            if len(stem) == 2 and long_ending and base.startswith(stem) and word.endswith(_SLAVIC):
                return True
    return False


@lru_cache(maxsize=4096)
def listed_form(word: str, given: str) -> bool:
    """Whether a word is a listed short form of a given name, or one with an ending: Teddy for Theodore.

    Parameters
    ----------
    word, given : str
        A folded word, which may be an ordinary one, and a folded given name.

    Returns
    -------
    bool

    Examples
    --------
    >>> listed_form("teddy", "theodore"), listed_form("table", "theodore")
    (True, False)
    """
    short = _bases(given) - {given}
    return len(word) >= 4 and (word in short or not short.isdisjoint(_stems(word)))


_SLAVIC = ("sha", "shka", "shenka", "ska", "enka", "usia", "sya")
