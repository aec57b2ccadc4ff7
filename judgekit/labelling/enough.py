"""Can a sample of this size calibrate a judge at all? Said before people label it."""

from __future__ import annotations

from judgekit.wording.sentence import say

__all__ = ["too_small"]


def too_small(texts: int, needed: int, *, replies: int, different: int, adding: str | None = None) -> str | None:
    """Why all labels of a sample together would be too few, and what to do first.

    Parameters
    ----------
    texts : int
        Different texts in the sample.
    needed : int
        The study's ``calibration.min_labels``.
    replies : int
        Replies that raters may see.
    different : int
        Different texts among them, as blinded.
    adding : str, optional
        The command that adds the texts that lack.

    Returns
    -------
    str or None
        A sentence of `judgekit.wording`; None where the sample is large enough.

    Examples
    --------
    >>> too_small(27, 50, replies=60, different=27)
    '60 replies are 27 different blinded texts, and fewer than 50 labels cannot calibrate: collect more replies first'
    >>> too_small(50, 50, replies=60, different=55) is None
    True
    """
    if texts >= needed:
        return None
    facts = {"replies": replies, "different": different, "needed": needed}
    if different >= needed:
        small = say(
            "the sample has {texts} texts, and fewer than {needed} labels cannot calibrate", texts=texts, **facts
        )
        return say("{small}: add texts first, {command}", small=small, command=adding) if adding else small
    small = say(
        "{replies} replies are {different} different blinded texts, and fewer than {needed} labels cannot calibrate",
        **facts,
    )
    if adding:
        return say("{small}: collect more replies first, then {command}", small=small, command=adding)
    return say("{small}: collect more replies first", small=small)
