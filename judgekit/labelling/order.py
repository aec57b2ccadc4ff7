"""Each annotator's own order of the tasks and sides of the pairs, seeded and the same on every platform."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from judgekit.records import LabelTask

__all__ = ["MIN_DISTANCE", "digest", "order_for", "shown_first", "shuffled"]

MIN_DISTANCE = 15
"""A text comes back at the earliest this many items after it was first shown."""


def digest(*parts: object) -> int:
    """SHA-256 of the parts as one number: what every seeded choice is made from."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest(), "big")


def shuffled(values: Iterable[str], *salt: object) -> list[str]:
    """The values in the order of their digests with a salt: a random order that depends on nothing else."""
    return sorted(values, key=lambda value: (digest(*salt, value), value))


def order_for(tasks: Sequence[LabelTask], *, seed: int, annotator: str) -> tuple[LabelTask, ...]:
    """One annotator's order of the tasks: their own, seeded, with every repeat well after its first showing.

    Parameters
    ----------
    tasks : sequence of LabelTask
        The tasks assigned to this annotator, in any order.
    seed : int
        The sample's seed.
    annotator : str
        Their name in the roster.

    Returns
    -------
    tuple of LabelTask
        The same tasks; a repeat stands at least `MIN_DISTANCE` places after the task it repeats.

    Notes
    -----
    The repeat comes soon after that distance (within a sixth of the tasks), not anywhere later: otherwise repeated
    texts would be early and their repeats late for every annotator alike, and orders would correlate.
    """
    by_id = {task.task_id: task for task in tasks}
    salt = (seed, "order", annotator)
    repeats = {task.repeat_of: task for task in tasks if task.repeat_of in by_id}
    firsts = shuffled((t.task_id for t in tasks if t.repeat_of not in by_id), *salt)
    last_place = max(0, len(firsts) - MIN_DISTANCE)
    for task_id in [t for t in firsts[last_place + 1 :] if t in repeats]:
        free = [place for place, t in enumerate(firsts[: last_place + 1]) if t not in repeats]
        if free:
            place, other = firsts.index(task_id), free[digest(*salt, "moved", task_id) % len(free)]
            firsts[place], firsts[other] = firsts[other], firsts[place]
    spread = max(MIN_DISTANCE, len(tasks) // 6)
    for task_id in shuffled(repeats, *salt, "repeats"):
        earliest = firsts.index(task_id) + MIN_DISTANCE
        room = min(spread, max(0, len(firsts) - earliest))
        firsts.insert(earliest + digest(*salt, "distance", task_id) % (room + 1), repeats[task_id].task_id)
    return tuple(by_id[task_id] for task_id in firsts)


def shown_first(task: LabelTask, *, seed: int, annotator: str) -> str:
    """Which side of a pair this annotator sees first: ``a`` or ``b``. The repeat of a pair has its sides swapped.

    Parameters
    ----------
    task : LabelTask
        A pair.
    seed : int
        The sample's seed.
    annotator : str
        Their name in the roster.

    Returns
    -------
    str
        ``"a"`` or ``"b"``, each with probability one half.
    """
    first = task.repeat_of or task.task_id
    side = digest(seed, "side", annotator, first) % 2
    return "ab"[side ^ (task.repeat_of is not None)]
