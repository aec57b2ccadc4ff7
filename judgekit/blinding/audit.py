"""What blinding did: how many replies were withheld, in which group, by which rule; whether copies became equal."""

from __future__ import annotations

import difflib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from judgekit.records import BlindedReply, Interval, MaskedText, Reply, Undefined, Withheld

__all__ = ["BlindingSummary", "Copies", "CopyDiff", "GroupWithheld", "Sibling", "diff_copies", "siblings", "summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupWithheld:
    """Withheld replies of one group: counts, the share in [0, 1] and its Wilson interval."""

    group: str | None
    n: int
    withheld: int
    share: float | Undefined
    interval: Interval | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindingSummary:
    """What became of the replies that went in. ``n_in`` is ``verified`` plus ``withheld``.

    ``gap`` is the largest difference between two groups' withheld shares; a gap is a finding of its own. ``codes``
    counts replies by reason, ``rules`` leaks by the verifier's rule.
    """

    n_in: int
    verified: int
    withheld: int
    by_group: tuple[GroupWithheld, ...]
    gap: float | Undefined
    codes: Mapping[str, int]
    rules: Mapping[str, int]

    def to_dict(self) -> dict[str, object]:
        """The summary as plain values, for ``--json``."""
        return {
            "in": self.n_in,
            "verified": self.verified,
            "withheld": self.withheld,
            "by_group": {
                "" if g.group is None else g.group: {
                    "in": g.n,
                    "withheld": g.withheld,
                    "share": g.share if isinstance(g.share, float) else None,
                    "ci": [g.interval.low, g.interval.high] if isinstance(g.interval, Interval) else None,
                }
                for g in self.by_group
            },
            "withheld_gap": self.gap if isinstance(self.gap, float) else None,
            "codes": dict(self.codes),
            "rules": dict(self.rules),
        }


def summary(
    results: Iterable[BlindedReply | Withheld],
    replies: Mapping[str, Reply],
    *,
    level: float = 0.95,
) -> BlindingSummary:
    """Count verified and withheld replies, by group.

    Parameters
    ----------
    results : iterable of BlindedReply or Withheld
        What the verifier returned.
    replies : mapping of str to Reply
        The replies by id; their groups are read here and nowhere earlier.
    level : float
        Level of the Wilson intervals, in (0, 1).

    Returns
    -------
    BlindingSummary

    Notes
    -----
    Intervals by E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
    American Statistical Association 22, 1927.

    Examples
    --------
    >>> found = summary([Withheld(item="1", code="leak")], {"1": Reply(id="1", text="she", group="a")})
    >>> found.n_in, found.withheld, found.by_group[0].share
    (1, 1, 1.0)
    """
    from judgekit.statistics.proportion import proportion_interval

    n_by: Counter[str | None] = Counter()
    held_by: Counter[str | None] = Counter()
    codes: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    for result in results:
        reply = replies.get(result.item)
        group = reply.group if reply else None
        n_by[group] += 1
        if isinstance(result, Withheld):
            held_by[group] += 1
            codes[result.code] += 1
            rules.update(leak.rule for leak in result.leaks)
    rows = tuple(
        GroupWithheld(
            group=group,
            n=n_by[group],
            withheld=held_by[group],
            share=held_by[group] / n_by[group],
            interval=proportion_interval(held_by[group], n_by[group], level=level),
        )
        for group in sorted(n_by, key=lambda g: (g is None, g or ""))
    )
    named = [r.share for r in rows if r.group is not None and isinstance(r.share, float)]
    gap: float | Undefined = (
        max(named) - min(named) if len(named) >= 2 else Undefined("one_group", "a gap needs two groups")
    )
    total, held = sum(n_by.values()), sum(held_by.values())
    return BlindingSummary(
        n_in=total,
        verified=total - held,
        withheld=held,
        by_group=rows,
        gap=gap,
        codes=dict(sorted(codes.items())),
        rules=dict(rules.most_common()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sibling:
    """One set of declared copies whose blinded texts differ: where, and the words on either side."""

    key: str
    items: tuple[str, ...]
    differences: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copies:
    """Declared copies after blinding: how many sets there are, the share of equal ones, and what differs."""

    sets: int
    identical: int
    share: float | Undefined
    different: tuple[Sibling, ...]


CopyDiff = tuple[str, str]


def diff_copies(a: str, b: str) -> tuple[CopyDiff, ...]:
    """Where two blinded texts differ, word by word.

    Parameters
    ----------
    a, b : str
        Blinded texts that should be equal.

    Returns
    -------
    tuple of (str, str)
        What the first has and what the second has instead; empty when equal.

    Examples
    --------
    >>> diff_copies("[TITLE] [PERSON_1] called her", "[TITLE] [PERSON_1] called him")
    (('her', 'him'),)
    """
    left, right = a.split(" "), b.split(" ")
    matcher = difflib.SequenceMatcher(a=left, b=right, autojunk=False)
    return tuple(
        (" ".join(left[i1:i2]), " ".join(right[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    )


def siblings(masked: Iterable[MaskedText], replies: Mapping[str, Reply]) -> Copies:
    """Whether declared copies are equal after blinding.

    Copies are the contexts of one template (and of one replicate and variant, where the rows name them), and replies
    whose ``carried`` mapping names a common ``copy_of``. Free replies to different names may differ: that is the
    finding a study looks for, no leak.

    Parameters
    ----------
    masked : iterable of MaskedText
        The masked texts.
    replies : mapping of str to Reply
        The replies by id.

    Returns
    -------
    Copies
    """
    sets: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for one in masked:
        reply = replies.get(one.item)
        if reply is None:
            continue
        if one.context is not None and reply.unit_id is not None:
            variant = str(reply.carried.get("variant", ""))
            sets[f"context of {reply.unit_id} {variant}".strip()].append((one.item, one.context))
        if reply.carried.get("copy_of"):
            sets[f"copies of {reply.carried['copy_of']}"].append((one.item, one.text))
    different: list[Sibling] = []
    equal = total = 0
    for key in sorted(sets):
        members: Sequence[tuple[str, str]] = sets[key]
        if len(members) < 2:
            continue
        total += 1
        first = members[0][1]
        other = next(((item, text) for item, text in members if text != first), None)
        if other is None:
            equal += 1
        else:
            items = tuple(item for item, _ in members)
            different.append(Sibling(key=key, items=items, differences=diff_copies(first, other[1])))
    share: float | Undefined = equal / total if total else Undefined("no_copies", "no two rows are declared copies")
    return Copies(sets=total, identical=equal, share=share, different=tuple(different))
