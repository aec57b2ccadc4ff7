"""What rewording alone does to the scores of a swap test's texts, and whether the names do more than that.

The paraphrase arm keeps the person and rewords as many tokens as the change of person changes in the same text. Compared
are sizes of change, text by text: how far the score moves with the person minus how far it moves with the wording. A
shift between groups stands whatever this says: rewording moves scores either way, a group shift always one way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judgekit.judging.swap_verdict import Pair, Shift, estimate_shift
from judgekit.records import Contrast, FilledText, Undefined
from judgekit.statistics.token_change import MatchedChange, matched_change, token_change
from judgekit.wording.sentence import say

__all__ = ["Rewording", "baseline", "changed_shares", "matched"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewording:
    """The paraphrase arm of one result.

    ``shift`` is the score of the reworded text minus that of the text as it was, the person being the same;
    ``changed`` the share of texts whose score moves; ``excess`` how much further names move scores than rewording does
    (mean of absolute changes, names minus rewording). ``name_tokens`` and ``tokens`` are median shares of tokens that
    the change of person and the rewording change, over the same ``n`` texts.
    """

    shift: Shift
    changed: float | Undefined
    excess: Shift
    n: int
    name_tokens: float | Undefined
    tokens: float | Undefined


def changed_shares(fills: Sequence[FilledText], contrast: Contrast) -> dict[str, float]:
    """Share of tokens by which the two fills of a text differ, for texts that have a paraphrase.

    Parameters
    ----------
    fills : sequence of FilledText
    contrast : Contrast

    Returns
    -------
    dict of str to float
        By item.
    """
    reworded = {f.item for f in fills if f.arm.kind == "paraphrase" and f.arm.group in {contrast.a, contrast.b}}
    sides = {(f.item, f.arm.group): f for f in fills if f.arm.kind == "identity" and f.item in reworded}
    shares = {}
    for item in sorted(reworded):
        a, b = sides.get((item, contrast.a)), sides.get((item, contrast.b))
        if a is not None and b is not None:
            share = token_change(_whole(a), _whole(b)).share
            if isinstance(share, float):
                shares[item] = share
    return shares


def _whole(text: FilledText) -> str:
    return text.text if text.context is None else f"{text.context}\n{text.text}"


def matched(fills: Sequence[FilledText], contrast: Contrast, shares: Mapping[str, float]) -> MatchedChange:
    """Whether rewording changed about as many tokens as the change of person did; from `changed_shares`."""
    mine = [f for f in fills if f.arm.kind == "paraphrase" and f.item in shares]
    mine = [f for f in mine if f.arm.group in {contrast.a, contrast.b}]
    return matched_change([shares[f.item] for f in mine], [f.arm.token_change or 0.0 for f in mine])


def baseline(
    pairs: Mapping[str, Pair],
    reworded: Mapping[str, Pair],
    match: MatchedChange | None,
    *,
    step: float,
    level: float,
    least: float,
    min_texts: int,
) -> Rewording | None:
    """Read the paraphrase arm.

    Parameters
    ----------
    pairs : mapping of str to Pair
        Item to its scores with the two people.
    reworded : mapping of str to Pair
        Item to its score reworded (``a``) and as it was (``b``).
    match : MatchedChange or None
        From `matched`; None when there is no such arm.
    step, level : float
        As for `swap_verdict.estimate_shift`.
    least : float
        A score that moves by more than this has changed.
    min_texts : int
        Texts that a comparison of the two needs.

    Returns
    -------
    Rewording or None
        None when there is no such arm. ``excess`` is undefined when too few texts could be reworded as far, or when
        the two kinds of change are not matched in tokens.
    """
    if match is None or not reworded:
        return None
    found = list(reworded.values())
    both = [item for item in reworded if item in pairs]
    why: str = ""
    if len(both) < min_texts:
        why = say("{n} texts have all scores, {least} are needed", n=len(both), least=min_texts)
    elif not match.comparable:
        why = say("tokens changed are not matched: {why}", why=say(match.why))
    sizes = [
        Pair(
            reworded[item].unit,
            reworded[item].names,
            abs(pairs[item].a - pairs[item].b),
            abs(reworded[item].a - reworded[item].b),
        )
        for item in both
    ]
    missing = Undefined(why)
    return Rewording(
        shift=estimate_shift(found, step=step, level=level, claim="these_names"),
        changed=sum(abs(p.a - p.b) > least for p in found) / len(found),
        excess=Shift(missing, missing, reacts=False)
        if why
        else estimate_shift(sizes, step=step, level=level, claim="these_names"),
        n=len(found),
        name_tokens=match.targeted if isinstance(match.targeted, Undefined) else match.targeted[1],
        tokens=match.baseline if isinstance(match.baseline, Undefined) else match.baseline[1],
    )
