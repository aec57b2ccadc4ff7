"""Spanish words that take the gender of who they are said of: placeholders that name both forms."""

from __future__ import annotations

import unicodedata
from collections.abc import Set as AbstractSet

from judgekit.blinding.cues import rule_words
from judgekit.blinding.fold import Span, View

__all__ = [
    "belongs",
    "both_forms",
    "case_of",
    "gap_before",
    "inflected",
    "mark",
    "noun_gender",
    "raw_word",
    "second_person",
    "stressed_verb",
    "subject_is_person",
]

_WORDS = rule_words("spanish")
_SECOND = _WORDS["second_person"] | frozenset(
    ["has", "habias", "habras", "habrias", "hayas", "hubieras", "vas", "ibas", "puedes", "debes", "podrias", "deberias"]
)
_BETWEEN = _WORDS["between_subject_and_copula"]


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
    bare = low[:-2] if low[-2:].lower() in {"es", "as"} else low[:-1] if low[-1:].lower() == "a" else low
    if bare.lower().endswith(("dor", "tor", "sor")) and len(bare) > 5:
        plural = low[-1:].lower() == "s"
        return f"[{bare.upper()}{'ES-AS' if plural else '-A'}]", "f" if low.lower().endswith(("a", "as")) else "m"
    if len(low) > 5 and low.lower().endswith(("ona", "ón")) and low.lower() not in _ONO:
        return f"[{low[:-3].upper() if low[-1:].lower() == 'a' else low[:-2].upper()}ÓN-A]", "f" if low[
            -1:
        ].lower() == "a" else "m"
    tail = "S" if low[-1:].lower() == "s" and low[-2:-1].lower() in "aoex" and len(low) > 4 else ""
    stem = low[:-1] if tail else low
    last = stem[-1:].lower()
    if last not in {"a", "o", "e", "x"}:
        return None
    head = "".join(c for c in stem[:-1].upper() if c.isalpha())
    gender = {"a": "f", "o": "m"}.get(last, "n")
    return (f"[{head}OS-AS]" if tail else f"[{head}O-A]"), gender


_ONO = frozenset(["persona", "corazón", "razón", "pregona", "autóctona", "canción", "mansión"])


def inflected(word: str, lemmas: frozenset[str]) -> bool:
    """Whether a folded word is a form of a dictionary form in -o."""
    last = word[-1:]
    if last == "s":
        return word[-2:-1] in {"o", "a", "e", "x"} and word[:-2] + "o" in lemmas
    return last in {"o", "a", "e", "x"} and word[:-1] + "o" in lemmas


def mark(view: View, i: int, kind: str, shown: str, form: str, rank: int = 54) -> Span:
    """A span over one word, an "@" ending (interesad@) included."""
    begin, end = view.source(view.starts[i], view.ends[i])
    if view.text[end : end + 1] == "@":
        end += 1
    elif view.text[end : end + 2] in {"/a", "/o"} and not view.text[end + 2 : end + 3].isalpha():
        end += 2
    return Span(begin, end, kind, shown, form + case_of(view.raw(i)), None, False, rank)


def second_person(view: View, k: int) -> bool:
    """Whether a verb is said to or by a person: "eres", "estoy", "te sientes", "queda usted"."""
    if view.words[k] in _SECOND:
        return not (
            view.words[k] == "estas" and raw_word(view, k).lower() == "estas" and view.words[k + 1 : k + 2] != ()
        )
    near = view.words[max(0, k - 2) : k] + view.words[k + 1 : k + 2]
    return "usted" in near or "ustedes" in near


def stressed_verb(view: View, i: int) -> bool:
    """Whether a word ends in a stressed vowel, as only verbs do: "llegó", "saludé", "dirá".

    Parameters
    ----------
    view : View
        The folded text.
    i : int
        The word.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> [stressed_verb(fold(word), 0) for word in ("saludó", "saludo", "café")]
    [True, False, False]
    """
    raw = unicodedata.normalize("NFC", view.raw(i)).casefold()
    return len(raw) > 3 and raw[-1:] in "óáé" and raw not in {"café", "bebé", "además", "mamá", "papá", "sofá"}


def noun_gender(noun: str) -> str:
    """The gender that a noun of a thing most likely has: by its ending, or as an exception to that.

    Parameters
    ----------
    noun : str
        Folded, singular or plural.

    Returns
    -------
    str
        ``f`` or ``m``.

    Examples
    --------
    >>> [noun_gender(noun) for noun in ("solicitud", "problemas", "llave", "recibo")]
    ['f', 'm', 'f', 'm']
    """
    one = noun.rstrip("s")
    if one in _WORDS["masculine_nouns_in_a"]:
        return "m"
    ends = one.removesuffix("e") if noun.endswith(("dades", "tades", "tudes", "iones")) else one
    return "f" if ends.endswith(_FEMININE_ENDS) or one in _WORDS["feminine_nouns"] else "m"


_FEMININE_ENDS = ("a", "ion", "dad", "tad", "tud", "lud", "ez", "umbre")


def gap_before(view: View, k: int) -> str:
    """What stands between a word and the one before it; nothing inside a figure: 89.90, 10:30.

    Parameters
    ----------
    view : View
        The folded text.
    k : int
        The word.

    Returns
    -------
    str

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> gap_before(fold("89.90"), 1), gap_before(fold("el 89. El 90"), 2)
    ('', '. ')
    """
    gap = view.before(k)
    figure = k > 0 and len(gap) == 1 and view.words[k].isdigit() and view.words[k - 1].isdigit()
    return "" if figure else gap


def next_start(view: View, j: int) -> int:
    """Where word ``j`` starts in the original; -1 after the last word."""
    return view.source(view.starts[j], view.ends[j])[0] if j < len(view.words) else -1


def belongs(view: View, k: int, starts: AbstractSet[int]) -> bool:
    """Whether the person at a word only owns the subject: "la matrícula de Ana Gil", "el archivo ana_gil.pdf".

    Parameters
    ----------
    view : View
        The folded text.
    k : int
        A word of the name or the person noun.
    starts : set of int
        Positions in the original that belong to names.

    Returns
    -------
    bool

    Examples
    --------
    >>> from judgekit.blinding.fold import fold
    >>> belongs(fold("La matrícula de Nuria queda hecha"), 3, {16})
    True
    """
    if view.after(k) in {"_", "."} and k + 1 < len(view.words):
        return True
    while k > 0 and view.source(view.starts[k - 1], view.ends[k - 1])[0] in starts:
        k -= 1
    if view.before(k)[-1:] in {"_", "/", "@"}:
        return True
    k -= 1
    while k > 0 and view.words[k] in {"dona", "sra", "sr", "dra", "dr", "srta", "senora", "senor", "la", "el"}:
        k -= 1
    if k < 1 or view.words[k] not in {"de", "del"}:
        return False
    owned = view.words[k - 1]
    return owned not in _HUMANS and not owned.endswith(("dor", "dora", "ista", "ero", "era"))


_HUMANS = _WORDS["humans"]


def subject_is_person(view: View, k: int, starts: AbstractSet[int], heads: AbstractSet[int]) -> bool:
    """Whether what stands before a verb is a person: a name, a person noun, ella or él.

    Parameters
    ----------
    view : View
        The folded text.
    k : int
        The verb's word.
    starts : set of int
        Positions in the original that belong to names.
    heads : set of int
        Words that are masked person nouns or titles.

    Returns
    -------
    bool
    """
    for steps in range(1, 6):
        k -= 1
        if k < 0 or any(c in view.between(k, k + 1) for c in ".;:!?\n"):
            return False
        word = view.words[k]
        if k in heads or view.source(view.starts[k], view.ends[k])[0] in starts:
            if belongs(view, k, starts):
                return False
            return steps == 1 or "," not in view.between(k, k + 1) or view.words[k + 1] in {"que", "quien"}
        if word in {"usted", "ella", "tu", "yo", "elle", "quien"}:
            return True
        if word == "el":
            return raw_word(view, k).lower() == "él"
        if word not in _BETWEEN:
            return False
    return False
