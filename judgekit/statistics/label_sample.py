"""Human labels of a sample beside judge scores of all: joined by item, weighted for the chance of being sampled."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Contrast, MetricRow
from judgekit.statistics.results import FloatArray, IntArray

__all__ = ["BoolArray", "Items", "gather"]

BoolArray = np.ndarray[tuple[int], np.dtype[np.bool_]]


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """Items of the two groups: where they stand, the scores they have, and their weight in the target."""

    in_a: BoolArray
    template: IntArray
    name: IntArray
    human: FloatArray
    judge: FloatArray
    target: FloatArray
    sampled: FloatArray
    """Inverse inclusion probability of labelled items, 0 elsewhere."""
    clustered: bool
    named: bool
    dropped: int
    names_of: tuple[int, int]


def _codes(values: Sequence[object]) -> IntArray:
    seen: dict[object, int] = {}
    return np.array([seen.setdefault(v, len(seen)) for v in values], dtype=np.int64)


def gather(
    rows_judge: Sequence[MetricRow],
    rows_human: Sequence[MetricRow],
    contrast: Contrast,
    inclusion: Mapping[str, float] | None,
    *,
    need_judge: bool,
) -> Items:
    """Join judge and human scores by item, and weight items so that every template and every name counts alike.

    Parameters
    ----------
    rows_judge, rows_human : sequence of MetricRow
        One row per item. Items without the score that is needed are dropped and counted.
    contrast : Contrast
        The two groups; other rows are left out.
    inclusion : mapping of str to float, optional
        Chance of each labelled item to be in the sample, in (0, 1].
    need_judge : bool
        True: the items are those the judge scored, in templates that have both groups. False: those people scored.

    Returns
    -------
    Items
        Without templates every item is a cluster of its own.

    Raises
    ------
    BadInput
        When an item stands twice, an inclusion probability is missing or not in (0, 1], or a score is not finite.

    Examples
    --------
    >>> row = MetricRow(item="1", unit_id="t", group="x", name="Ana", value=4.0)
    >>> gather((), [row], Contrast("x", "y"), None, need_judge=False).human.tolist()
    [4.0]
    """
    if contrast.a == contrast.b:
        raise BadInput("a group is compared with itself", field="contrast", seen=contrast.a)
    wanted = (contrast.a, contrast.b)
    humans = _by_item(rows_human, "rows_human")
    judged = _by_item(rows_judge, "rows_judge")
    chosen: list[MetricRow] = []
    dropped = 0
    for row in (judged if need_judge else humans).values():
        if row.group not in wanted:
            continue
        if row.value is None:
            dropped += 1
        else:
            chosen.append(row)
    clustered = any(row.unit_id is not None for row in chosen)
    if clustered:
        sides: dict[str | None, set[str | None]] = {}
        for row in chosen:
            sides.setdefault(row.unit_id, set()).add(row.group)
        # A sample of labels need not hold both groups of a template; the judged replies must.
        whole = {u for u, met in sides.items() if u is not None and (len(met) == 2 or not need_judge)}
        dropped += sum(row.unit_id not in whole for row in chosen)
        chosen = [row for row in chosen if row.unit_id in whole]
    items = _items(
        chosen, humans, contrast, inclusion, clustered=clustered, dropped=dropped, even=clustered and need_judge
    )
    if not np.isfinite(items.judge).all() or not np.isfinite(items.human[items.sampled > 0]).all():
        raise BadInput("a score is not a finite number", remedy="mark the row as missing")
    return items


def _items(
    chosen: Sequence[MetricRow],
    humans: Mapping[str, MetricRow],
    contrast: Contrast,
    inclusion: Mapping[str, float] | None,
    *,
    clustered: bool,
    dropped: int,
    even: bool,
) -> Items:
    """The chosen rows as arrays."""
    human = [humans[r.item].value if r.item in humans else None for r in chosen]
    labelled = np.array([h is not None for h in human], dtype=bool)
    weight = np.array([_inverse(inclusion, r.item) if m else 0.0 for r, m in zip(chosen, labelled, strict=True)])
    in_a = np.array([r.group == contrast.a for r in chosen], dtype=bool)
    template = _codes([r.unit_id if clustered else r.item for r in chosen])
    name = _codes([(r.group, r.name) for r in chosen])
    return Items(
        in_a=in_a,
        template=template,
        name=name,
        human=np.array([math.nan if h is None else h for h in human], dtype=np.float64),
        judge=np.array([float(r.value or 0.0) for r in chosen], dtype=np.float64),
        target=_target_weights(in_a, template, name, even=even),
        sampled=weight,
        clustered=clustered,
        named=any(r.name is not None for r in chosen),
        dropped=dropped,
        names_of=tuple(  # type: ignore[arg-type]  # two entries
            len({r.name for r in chosen if r.group == g and r.name is not None}) for g in (contrast.a, contrast.b)
        ),
    )


def _by_item(rows: Sequence[MetricRow], what: str) -> dict[str, MetricRow]:
    out: dict[str, MetricRow] = {}
    for row in rows:
        if row.item in out:
            raise BadInput(
                f"an item stands twice in `{what}`",
                field="item",
                seen=row.item,
                remedy="one row per item: average first",
            )
        out[row.item] = row
    return out


def _inverse(inclusion: Mapping[str, float] | None, item: str) -> float:
    if inclusion is None:
        return 1.0
    if item not in inclusion:
        raise BadInput("a labelled item has no inclusion probability", field="inclusion", seen=item)
    chance = inclusion[item]
    if not 0 < chance <= 1:
        raise BadInput("an inclusion probability must lie in (0, 1]", field="inclusion", seen=chance)
    return 1.0 / chance


def _target_weights(in_a: BoolArray, template: IntArray, name: IntArray, *, even: bool) -> FloatArray:
    """Weights that add to 1 in each group; ``even``: templates alike, and names alike within a template."""
    out = np.zeros(len(in_a))
    for mine in (in_a, ~in_a):
        if not mine.any():
            continue
        if not even:
            out[mine] = 1.0 / np.count_nonzero(mine)
            continue
        names = int(name.max()) + 1
        cells, cell = np.unique(template[mine] * names + name[mine], return_inverse=True)
        templates, which = np.unique(cells // names, return_inverse=True)
        names_in = np.bincount(which)
        out[mine] = 1.0 / len(templates) / names_in[which][cell] / np.bincount(cell)[cell]
    return out
