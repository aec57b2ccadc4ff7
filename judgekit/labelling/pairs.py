"""Two replies compared by people: what is drawn, how it is hashed, what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judgekit.labelling.words import question_of, words_for
from judgekit.records import BlindedReply, Criterion, PairItem, text_hash

__all__ = ["CHOICES", "Comparison", "choice_for", "comparisons", "pair_criterion", "pair_hash", "side_of"]

CHOICES = ("a", "b", "tie")
"""Levels of a comparison, canonical: ``a`` is the pair's first reply, whatever was shown left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two verified replies side by side; ``item`` is the pair's id. Made from `BlindedReply` alone."""

    item: str
    text: str
    text_b: str
    context: str | None
    text_hash: str
    lang: str


def pair_hash(a: str, b: str) -> str:
    """Hash of a comparison from the hashes of its replies, the same that judgments of the pair carry.

    Parameters
    ----------
    a, b : str
        Text hashes of the pair's replies.

    Returns
    -------
    str
        64 hexadecimal digits; another when the replies change places.
    """
    return text_hash(b, a)


def comparisons(pairs: Sequence[PairItem], replies: Sequence[BlindedReply]) -> tuple[list[Comparison], dict[str, int]]:
    """The pairs that people can compare.

    Parameters
    ----------
    pairs : sequence of PairItem
        Wanted comparisons.
    replies : sequence of BlindedReply
        Verified replies.

    Returns
    -------
    usable : list of Comparison
        Pairs of which both replies are verified, differ, and answer the same context in the same language.
    left_out : dict of str to int
        The others by reason: ``withheld``, ``same_text``, ``other_context``.
    """
    by_item: Mapping[str, BlindedReply] = {reply.item: reply for reply in replies}
    usable: list[Comparison] = []
    left_out: dict[str, int] = {}
    for pair in pairs:
        a, b = by_item.get(pair.a_item), by_item.get(pair.b_item)
        if a is None or b is None:
            reason = "withheld"
        elif a.text == b.text:
            reason = "same_text"
        elif a.context != b.context or a.lang != b.lang:
            reason = "other_context"
        else:
            hashed = pair_hash(a.text_hash, b.text_hash)
            usable.append(
                Comparison(
                    item=pair.pair_id, text=a.text, text_b=b.text, context=a.context, text_hash=hashed, lang=a.lang
                )
            )
            continue
        left_out[reason] = left_out.get(reason, 0) + 1
    return usable, left_out


def pair_criterion(criterion: Criterion) -> Criterion:
    """The criterion as a comparison: which of two replies stands higher on its scale, as the judge is asked too.

    Parameters
    ----------
    criterion : Criterion
        An ordinal one.

    Returns
    -------
    Criterion
        Nominal, with the levels `CHOICES`.
    """
    questions = {lang: f"{words_for(lang)['higher']} {question_of(criterion, lang)}" for lang in criterion.question}
    return Criterion(
        dimension=criterion.dimension,
        kind="nominal",
        levels=CHOICES,
        question=questions,
        anchors={lang: dict(zip(CHOICES, CHOICES, strict=True)) for lang in criterion.anchors},
    )


def choice_for(key: str, shown_first: str | None) -> str | None:
    """What a key means on a comparison: 1 or ``left`` the reply shown first, 2 or ``right`` the other, 3 or ``tie``.

    Parameters
    ----------
    key : str
        A digit or the id of an action.
    shown_first : str or None
        ``a`` or ``b``: which reply stands left.

    Returns
    -------
    str or None
        ``a``, ``b`` or ``tie`` in the pair's own terms; None for any other key.

    Examples
    --------
    >>> choice_for("left", "b"), choice_for("2", "b"), choice_for("tie", "b"), choice_for("4", "b")
    ('b', 'a', 'tie', None)
    """
    first, other = ("b", "a") if shown_first == "b" else ("a", "b")
    return {"1": first, "left": first, "2": other, "right": other, "3": "tie", "tie": "tie"}.get(key)


def side_of(choice: int | str, shown_first: str | None) -> str:
    """The side a stored choice stands on for this rater, to whom ``a`` and ``b`` mean nothing.

    Examples
    --------
    >>> side_of("a", "b"), side_of("b", "b"), side_of("tie", "b")
    ('right', 'left', 'tie')
    """
    return "tie" if choice == "tie" else "left" if choice == (shown_first or "a") else "right"
