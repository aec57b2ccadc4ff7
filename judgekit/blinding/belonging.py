"""Whose title, pronoun or agreement a slot is: the person next to it, the only person there, or the last one named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from judgekit.records import Slot

__all__ = ["owned"]

_OWNED = frozenset({"pronoun", "title", "agreement", "clitic", "article"})


def owned(slots: Sequence[Slot], texts: Mapping[str, str]) -> list[Slot]:
    """Give titles, pronouns, agreement, clitics and articles to a person.

    Parameters
    ----------
    slots : sequence of Slot
        In order, context before text.
    texts : mapping of str to str
        Masked text by field.

    Returns
    -------
    list of Slot
        A title belongs to the name right after it. Everything else belongs to the only person met in context and
        text; with several people, to the one named last before it, else to the person whose names are known. Where
        nobody is named, it belongs to the person the reply is about, since the reply says "she" of somebody. Nouns for
        relatives stay nobody's: "my son" says nothing of the writer.
    """
    people = {s.person: s.subject for s in slots if s.person is not None}
    known = next((number for number, subject in people.items() if subject), None)
    done: list[Slot] = []
    last: tuple[str, int] | None = None
    for at, slot in enumerate(slots):
        if slot.person is not None:
            last = (slot.field, slot.person)
        if slot.person is not None or slot.kind not in _OWNED:
            done.append(slot)
            continue
        whose = _named_next(slot, slots[at + 1 :], texts) if slot.kind == "title" else None
        if whose is None and len(people) == 1:
            whose = next(iter(people))
        if whose is None and last is not None and last[0] == slot.field:
            whose = last[1]
        if whose is None:
            whose = known
        done.append(replace(slot, person=whose, subject=people.get(whose, not people) if whose is not None else not people))
    return done


def _named_next(slot: Slot, later: Sequence[Slot], texts: Mapping[str, str]) -> int | None:
    following = next((s for s in later if s.field == slot.field), None)
    if following is None or following.person is None:
        return None
    return following.person if not texts[slot.field][slot.end : following.start].strip(" .\u00a0") else None
