"""Reword a text by rules until about a wanted number of its tokens has changed; meaning, tone and slots stay.

The rules are those of `judgekit.rewording.rules`: words of one class, long and short forms, clauses that change places.
Placeholders, markup, numbers, addresses, code and quotations are never touched. The same text, wish and seed give the
same result. What was reached is measured with `statistics.token_change` and told; a text that offers too little says so.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import regex

from judgekit.errors import BadInput
from judgekit.records import MaskedText, Slot, Undefined
from judgekit.records.blinded import Field
from judgekit.rewording.edits import TIMEOUT, Edit, find_edits
from judgekit.rewording.rules import rules_for
from judgekit.statistics.token_change import token_change
from judgekit.wording.sentence import say

__all__ = ["MAX_TOKENS", "Reworded", "enough", "paraphrase", "paraphrase_masked", "shift_slots", "tokens_of"]

MAX_TOKENS = 5000
"""Longer texts are not reworded: measuring the change takes time that grows with the square of the length."""

_TRIES = 6
_TOKENS = regex.compile(r"[\p{L}\p{M}\p{N}_]+|[^\s\p{L}\p{M}\p{N}_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reworded:
    """A reworded text and how far it is from the one it was made of.

    ``wanted`` and ``changed`` are numbers of tokens; ``share`` is ``changed`` over the tokens of the original.
    ``reached`` says that the two are close enough to be compared (see `enough`); ``why`` says why not.
    """

    text: str
    context: str | None
    wanted: int
    changed: int
    share: float | Undefined
    edits: int
    reached: bool
    why: str = ""


def enough(wanted: int, changed: int) -> bool:
    """Whether a change is close to the one that was wanted: by one token, or by a quarter of it.

    Examples
    --------
    >>> enough(2, 3), enough(2, 5), enough(1, 0), enough(40, 49)
    (True, False, False, True)
    """
    return changed > 0 and abs(changed - wanted) <= max(1, wanted // 4)


def tokens_of(text: str, context: str | None = None) -> int:
    """Tokens of a text and its context, as `statistics.token_change` counts them; 0 when that takes too long.

    Examples
    --------
    >>> tokens_of("It's here.")
    5
    """
    try:
        return sum(len(_TOKENS.findall(body, timeout=TIMEOUT)) for body in (text, context or ""))
    except TimeoutError:
        return 0


def paraphrase(
    text: str,
    *,
    lang: str,
    share: float,
    seed: int,
    frozen: Sequence[tuple[int, int]] = (),
) -> Reworded:
    """Reword a text so that about this share of its tokens changes.

    Parameters
    ----------
    text : str
    lang : str
        Language tag; English and Spanish have rules.
    share : float
        Wanted share of changed tokens, in (0, 1].
    seed : int
        The same seed gives the same wording.
    frozen : sequence of (int, int)
        Spans that stay as they are, beside those that always do.

    Returns
    -------
    Reworded
        ``reached`` is False, with the reason, where the rules find too little to change; the text then holds what
        could be changed.

    Raises
    ------
    BadInput
        The share is not in (0, 1].

    Examples
    --------
    >>> made = paraphrase("Perhaps the parcel is late.", lang="en", share=0.17, seed=1)
    >>> made.changed, made.reached
    (1, True)
    >>> paraphrase("Hm.", lang="en", share=0.5, seed=1).why
    'the rules find 0 tokens to change, 1 were wanted'
    """
    if not 0 < share <= 1:
        raise BadInput("a share of tokens lies above 0 and is at most 1", field="share", seen=share)
    wanted = max(1, round(share * tokens_of(text)))
    made, _ = _reword({"text": text}, lang, wanted, seed, {"text": list(frozen)})
    return made


def paraphrase_masked(masked: MaskedText, *, changes: int, seed: int) -> tuple[MaskedText, Reworded]:
    """Reword a masked text and its context around their slots.

    Parameters
    ----------
    masked : MaskedText
    changes : int
        Wanted number of changed tokens over text and context, at least 1.
    seed : int

    Returns
    -------
    MaskedText
        With its slots where they are now. It is not verified; that is the caller's part.
    Reworded
        Its share is that of the masked text; what counts for a comparison is measured on filled texts.

    Raises
    ------
    BadInput
        Fewer than one change was asked for.

    Examples
    --------
    >>> slot = Slot(field="text", start=9, end=19, person=1, subject=True, kind="name", form="given", surface="Ana")
    >>> masked = MaskedText(item="1", text="Perhaps, [PERSON_1] is nearly there.", slots=(slot,))
    >>> made, told = paraphrase_masked(masked, changes=2, seed=1)
    >>> made.text, made.slots[0].start, told.reached
    ('Maybe, [PERSON_1] is almost there.', 7, True)
    """
    if changes < 1:
        raise BadInput("a paraphrase changes one token or more", field="changes", seen=changes)
    fields: dict[Field, str] = {"text": masked.text}
    if masked.context is not None:
        fields["context"] = masked.context
    frozen = {name: [(s.start, s.end) for s in masked.slots if s.field == name] for name in fields}
    told, chosen = _reword(fields, masked.lang, changes, seed, frozen)
    slots = shift_slots(masked.slots, chosen)
    return replace(masked, text=told.text, context=told.context, slots=slots), told


def shift_slots(slots: Sequence[Slot], edits: dict[Field, list[Edit]]) -> tuple[Slot, ...]:
    """Slots at their new places, after edits that touched none of them."""
    moved = []
    for slot in slots:
        by = sum(len(e.new) - (e.end - e.start) for e in edits.get(slot.field, []) if e.end <= slot.start)
        moved.append(replace(slot, start=slot.start + by, end=slot.end + by))
    return tuple(moved)


# --- choosing ------------------------------------------------------------------------------------------------------


def _reword(
    fields: dict[Field, str], lang: str, wanted: int, seed: int, frozen: dict[Field, list[tuple[int, int]]]
) -> tuple[Reworded, dict[Field, list[Edit]]]:
    def same(why: str) -> tuple[Reworded, dict[Field, list[Edit]]]:
        share = 0.0 if tokens_of(fields["text"]) else Undefined("the original has no tokens")
        return Reworded(
            text=fields["text"], context=fields.get("context"), wanted=wanted, changed=0, share=share, edits=0,
            reached=False, why=why,
        ), {}  # fmt: skip

    rules = rules_for(lang)
    if rules is None:
        return same(say("there are no rewording rules for the language {lang}", lang=lang))
    if tokens_of(*_both(fields)) > MAX_TOKENS:
        return same(say("the text has more than {most} tokens", most=MAX_TOKENS))
    try:
        found = [(name, e) for name, body in fields.items() for e in find_edits(body, rules, frozen=frozen[name])]
    except TimeoutError:
        return same(say("the text takes too long to read"))
    chosen = _choose(found, wanted, random.Random(json.dumps([seed, lang, fields["text"]])))
    new = {name: _applied(body, chosen.get(name, [])) for name, body in fields.items()}
    change = token_change("\n".join(fields.values()), "\n".join(new.values()))
    reached = enough(wanted, change.distance)
    return Reworded(
        text=new["text"],
        context=new.get("context"),
        wanted=wanted,
        changed=change.distance,
        share=change.share,
        edits=sum(map(len, chosen.values())),
        reached=reached,
        why=""
        if reached
        else say("the rules find {n} tokens to change, {wanted} were wanted", n=change.distance, wanted=wanted),
    ), chosen


def _both(fields: dict[Field, str]) -> tuple[str, str | None]:
    return fields["text"], fields.get("context")


def _choose(found: Sequence[tuple[Field, Edit]], wanted: int, rng: random.Random) -> dict[Field, list[Edit]]:
    """Edits that do not overlap and whose costs come as near as they can to what is wanted."""
    best: list[tuple[Field, Edit]] = []
    off = wanted
    for _ in range(_TRIES):
        order = list(found)
        rng.shuffle(order)
        picked = _summed(_apart(order), wanted)
        now = abs(sum(e.cost for _, e in picked) - wanted)
        if picked and (not best or now < off):
            best, off = picked, now
        if best and off == 0:
            break
    chosen: dict[Field, list[Edit]] = {}
    for name, edit in sorted(best, key=lambda x: (x[0], x[1].start)):
        chosen.setdefault(name, []).append(edit)
    return chosen


def _apart(order: Sequence[tuple[Field, Edit]]) -> list[tuple[Field, Edit]]:
    taken: dict[Field, set[int]] = {}
    kept = []
    for name, edit in order:
        places = range(edit.start, edit.end)
        mine = taken.setdefault(name, set())
        if edit.cost > 0 and mine.isdisjoint(places):
            mine.update(places)
            kept.append((name, edit))
    return kept


def _summed(edits: Sequence[tuple[Field, Edit]], wanted: int) -> list[tuple[Field, Edit]]:
    """A subset whose costs add up to the sum nearest to ``wanted``; the smaller of two that are equally near."""
    reached: dict[int, tuple[int, int]] = {0: (-1, -1)}
    most = wanted + max(1, wanted // 4)
    for place, (_, edit) in enumerate(edits):
        for total in sorted(reached, reverse=True):
            if total + edit.cost <= most and total + edit.cost not in reached:
                reached[total + edit.cost] = (total, place)
        if wanted in reached:
            break
    total = min((t for t in reached if t), key=lambda t: (abs(t - wanted), t), default=0)
    picked = []
    while total:
        before, place = reached[total]
        picked.append(edits[place])
        total = before
    return picked


def _applied(body: str, edits: Sequence[Edit]) -> str:
    pieces: list[str] = []
    at = 0
    for edit in edits:
        pieces += (body[at : edit.start], edit.new)
        at = edit.end
    return "".join([*pieces, body[at:]])
