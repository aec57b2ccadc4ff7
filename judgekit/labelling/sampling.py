"""Which replies people label, in which order, and which of them twice.

The draw is stratified (group x template by default) with known inclusion probabilities, over distinct masked texts,
and depends on nothing but its arguments: every choice is made by sorting SHA-256 digests of the seed and a name, so
that it is the same on every platform, in every Python and under every ``PYTHONHASHSEED``.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from judgekit.errors import BadInput, UsageProblem
from judgekit.labelling.allotment import allotted, planned, whole_part_below
from judgekit.labelling.order import MIN_DISTANCE, digest, shuffled
from judgekit.labelling.pairs import Comparison
from judgekit.records import BlindedReply, LabelKey, LabelTask, Reply

__all__ = [
    "Draw",
    "Shortfall",
    "draw_sample",
    "repeats_wanted",
    "score_bands",
]


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A stratum, or a kind of task, of which there is less than planned."""

    name: str
    planned: float
    drawn: int

    def __str__(self) -> str:
        return f"{self.name}: {self.drawn} of about {self.planned:.1f} planned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The result of a draw.

    ``tasks`` are what raters see (repeats included); ``practice`` and ``tryout`` are texts outside the sample; ``assignments`` the task ids of each annotator,
    in no meaningful order; ``keys`` what only the sampler knows; ``merged`` how many replies were left out because
    another reply has the same masked text; ``inclusion`` the probability of every item drawn, kept ones too.
    """

    tasks: tuple[LabelTask, ...]
    practice: tuple[LabelTask, ...]
    tryout: tuple[LabelTask, ...]
    assignments: Mapping[str, tuple[str, ...]]
    keys: tuple[LabelKey, ...]
    shortfalls: tuple[Shortfall, ...]
    merged: int
    seed: int
    inclusion: Mapping[str, float]


def repeats_wanted(tasks: int, share: float) -> int:
    """How many tasks an annotator gets twice.

    Parameters
    ----------
    tasks : int
        Different texts the annotator labels.
    share : float
        Share of them in [0, 1]; 0 asks for none.

    Returns
    -------
    int
        The share rounded up, at least 10 from 50 tasks on; 0 when there are too few to keep `MIN_DISTANCE`.

    Examples
    --------
    >>> [repeats_wanted(n, 0.10) for n in (10, 20, 49, 50, 200)], repeats_wanted(200, 0)
    ([0, 2, 5, 10, 20], 0)
    """
    if share <= 0 or tasks <= MIN_DISTANCE:
        return 0
    wanted = math.ceil(share * tasks - 1e-9)
    if tasks >= 50:
        wanted = max(wanted, 10)
    return min(wanted, tasks - MIN_DISTANCE)


def score_bands(scores: Mapping[str, float]) -> dict[str, str]:
    """Cut judge scores into three bands of about the same number of replies, for a sample rich in rare scores.

    Parameters
    ----------
    scores : mapping of item to float
        One score an item.

    Returns
    -------
    dict of item to {'low', 'middle', 'high'}
        Equal scores are in the same band; a scale of which few points are used may leave a band empty.

    Examples
    --------
    >>> score_bands({"a": 1.0, "b": 3.0, "c": 3.0, "d": 3.0, "e": 5.0, "f": 5.0})
    {'a': 'low', 'b': 'middle', 'c': 'middle', 'd': 'middle', 'e': 'high', 'f': 'high'}
    """
    ranked = sorted(scores.values())
    n = len(ranked)
    bands: dict[str, str] = {}
    for item, score in scores.items():
        # The middle of the places that equal scores share, as a share of all.
        place = (bisect_left(ranked, score) + bisect_right(ranked, score)) / (2 * n)
        bands[item] = "low" if place < 1 / 3 else "middle" if place <= 2 / 3 else "high"
    return bands


def _strata_values(
    item: str, design: Mapping[str, Reply] | None, strata: Sequence[str], bands: Mapping[str, str] | None
) -> tuple[str, ...]:
    values: list[str] = []
    reply = None if design is None else design.get(item)
    for field in strata:
        if field == "score_band":
            found: object = None if bands is None else bands.get(item)
        elif reply is None:
            found = None
        elif field in {"template_id", "unit_id"}:
            found = reply.unit_id
        elif field in {"group", "name", "name_pair", "replicate", "lang", "case_type"}:
            found = getattr(reply, field)
        else:
            found = reply.carried.get(field)
        values.append("" if found is None else str(found))
    return tuple(values)


def _strata_name(fields: Sequence[str], values: Sequence[str]) -> str:
    parts = [f"{field} {value}" for field, value in zip(fields, values, strict=True) if value]
    return ", ".join(parts) or "all replies"


@dataclass(frozen=True, slots=True)
class _Frame:
    """Distinct masked texts by stratum, the item that stands for each, and how many replies share it."""

    strata: dict[tuple[str, ...], list[str]]
    replies: dict[tuple[str, ...], int]
    copies: dict[str, int]


def _frame(
    blinded: Sequence[BlindedReply] | Sequence[Comparison],
    design: Mapping[str, Reply] | None,
    strata: Sequence[str],
    bands: Mapping[str, str] | None,
    seed: int,
) -> _Frame:
    by_text: dict[str, list[str]] = {}
    replies: dict[tuple[str, ...], int] = {}
    values = {}
    for reply in blinded:
        by_text.setdefault(reply.text_hash, []).append(reply.item)
        values[reply.item] = _strata_values(reply.item, design, strata, bands)
        replies[values[reply.item]] = replies.get(values[reply.item], 0) + 1
    members: dict[tuple[str, ...], list[str]] = {}
    copies: dict[str, int] = {}
    for items in by_text.values():
        chosen = shuffled(items, seed, "stands for")[0]
        copies[chosen] = len(items)
        members.setdefault(values[chosen], []).append(chosen)
    return _Frame(members, replies, copies)


def _task_id(seed: int, text: str, use: str) -> str:
    # Made from what the rater sees anyway: an id made from the item's id could be guessed back.
    return f"{digest(seed, 'task', use, text) % 16**12:012x}"


def _deal(chosen: Sequence[str], annotators: Sequence[str], shared: int, seed: int) -> dict[str, list[str]]:
    """Give every annotator the shared items and deal the others out in turn; ``chosen`` is in stratum order."""
    counts = whole_part_below([Fraction(shared, len(chosen))] * len(chosen), seed, "shared") if chosen else []
    common = [item for item, count in zip(chosen, counts, strict=True) if count]
    assigned = {annotator: list(common) for annotator in annotators}
    rest = [item for item, count in zip(chosen, counts, strict=True) if not count]
    first = digest(seed, "first dealt") % len(annotators)
    for turn, item in enumerate(rest):
        assigned[annotators[(first + turn) % len(annotators)]].append(item)
    return assigned


def _shared_count(overlap: float, n: int) -> int:
    if overlap < 0 or (overlap > 1 and overlap != int(overlap)):
        raise UsageProblem(
            "the overlap does not fit",
            field="overlap",
            seen=overlap,
            why="it is a share from 0 to 1, or a whole number of texts that every annotator labels",
            remedy="give for example 1.0, 0.25 or 50",
        )
    return min(n, int(overlap)) if overlap > 1 else round(overlap * n)


def _check(
    blinded: Sequence[BlindedReply] | Sequence[Comparison], n: int, annotators: Sequence[str], repeats: float
) -> None:
    if n < 1:
        raise UsageProblem("n must be 1 or more", field="n", seen=n, remedy="say how many texts to label, e.g. --n 200")
    if not annotators or any(not name.strip() for name in annotators) or len(set(annotators)) < len(annotators):
        raise UsageProblem(
            "the annotators do not fit",
            field="annotators",
            seen=",".join(annotators),
            why="at least one, each named once",
            remedy="give for example --annotators ana,karim",
        )
    if not 0 <= repeats <= 1:
        raise UsageProblem(
            "repeats is a share from 0 to 1", field="repeats", seen=repeats, remedy="give for example 0.10"
        )
    items = [reply.item for reply in blinded]
    if not items:
        raise BadInput(
            "there is no blinded reply to draw from", remedy="run `judgekit blind` first and see what it withheld"
        )
    if len(set(items)) < len(items):
        twice = next(item for item in items if items.count(item) > 1)
        raise BadInput("two replies have the same id", field="id", seen=twice, remedy="give every reply its own id")


def draw_sample(
    blinded: Sequence[BlindedReply] | Sequence[Comparison],
    design: Mapping[str, Reply] | None,
    *,
    n: int,
    annotators: Sequence[str],
    overlap: float = 1.0,
    repeats: float = 0.10,
    strata: Sequence[str] = ("group", "template_id"),
    seed: int = 0,
    practice: int = 0,
    tryout: int = 0,
    bands: Mapping[str, str] | None = None,
    kept: Collection[str] = (),
    shown: Collection[str] = (),
) -> Draw:
    """Draw the texts that people will label.

    Parameters
    ----------
    blinded : sequence of BlindedReply or Comparison
        Replies the verifier has passed, or pairs of them.
    design : mapping of item to Reply, optional
        Where each reply stands in the design. Only the draw and the key see it.
    n : int
        Different texts wanted; where there are fewer, all are drawn.
    annotators : sequence of str
        The roster.
    overlap : float
        Share in [0, 1] of the texts that every annotator labels, or (above 1) their number. The others are dealt out.
    repeats : float
        Share of each annotator's texts shown a second time, see `repeats_wanted`.
    strata : sequence of str
        Fields of the design. Every group (and score band) gets the same number of texts; within a group the other
        fields get texts in proportion to their replies. Fields a study lacks drop out.
    seed : int
        Makes the draw reproducible.
    practice, tryout : int
        Texts to practise on, and texts to try the rubric on, drawn from those that are not in the sample.
    bands : mapping of item to str, optional
        A judge-score band per item, used when ``strata`` names ``score_band``. Such a sample is not representative:
        use the inclusion probabilities as weights.
    kept : collection of str
        Items of an earlier draw with the same arguments that stay in the sample: ``n`` counts them, and only the others
        become tasks.
    shown : collection of str
        Text hashes that raters have met beside the sample and that are not drawn any more.

    Returns
    -------
    Draw

    Raises
    ------
    BadInput, UsageProblem
        Nothing to draw from, or arguments that do not fit.

    Notes
    -----
    A stratum with fewer texts than planned is taken whole, and the others of its group, then the other groups, take over
    what it lacks. Planned counts are rounded systematically (Madow, 1949), so each stratum gets its count rounded up or
    down and the inclusion probability is that count over the stratum's distinct texts. When m replies
    share a masked text, one of them at random stands for it, and its own probability is that over m. Summing 1 / p
    over the sample estimates the number of replies (Horvitz and Thompson, 1952).
    """
    _check(blinded, n, annotators, repeats)
    frame = _frame(blinded, design, strata, bands, seed)
    barred = {reply.item for reply in blinded if reply.text_hash in set(shown)}
    choice = _choose(frame, strata, n, seed, kept=set(kept), barred=barred)
    chosen = choice.chosen
    assigned = _deal(chosen, annotators, _shared_count(overlap, len(chosen)), seed)
    twice = _pick_repeats(assigned, chosen, repeats, seed)
    texts = {reply.item: reply for reply in blinded}
    return _assembled(frame, choice, texts, assigned, twice, seed=seed, practice=practice, tryout=tryout)


def _assembled(
    frame: _Frame,
    choice: _Choice,
    texts: Mapping[str, BlindedReply | Comparison],
    assigned: Mapping[str, Sequence[str]],
    twice: Mapping[str, Sequence[str]],
    *,
    seed: int,
    practice: int,
    tryout: int,
) -> Draw:
    first = {item: _task(texts[item], seed, "first") for item in choice.chosen}
    again = {
        item: _task(texts[item], seed, "again", repeat_of=first[item].task_id)
        for item in sorted({item for items in twice.values() for item in items})
    }
    beside = [texts[item] for item in shuffled(choice.spare, seed, "practice")]
    pilots = tuple(_task(reply, seed, "practice") for reply in beside[:practice])
    tried = tuple(_task(reply, seed, "tryout") for reply in beside[practice : practice + tryout])
    keys = [choice.key(item, task) for item, task in [*first.items(), *again.items()]]
    return Draw(
        tasks=tuple(sorted([*first.values(), *again.values()], key=lambda task: task.task_id)),
        practice=pilots,
        tryout=tried,
        assignments={
            annotator: tuple(sorted([first[i].task_id for i in items] + [again[i].task_id for i in twice[annotator]]))
            for annotator, items in assigned.items()
        },
        keys=tuple(sorted(keys, key=lambda key: key.task_id)),
        shortfalls=(
            *choice.shortfalls,
            *_short("practice texts", practice, pilots),
            *_short("texts to try the rubric on", tryout, tried),
        ),
        merged=sum(frame.copies.values()) - len(frame.copies),
        seed=seed,
        inclusion=choice.probability,
    )


def _short(name: str, wanted: int, got: Sequence[LabelTask]) -> list[Shortfall]:
    return [Shortfall(name, wanted, len(got))] if len(got) < wanted else []


@dataclass(frozen=True, slots=True)
class _Choice:
    """What was drawn, in stratum order, what was left, and what only the sampler knows."""

    chosen: list[str]
    spare: list[str]
    stratum: dict[str, tuple[str, ...]]
    probability: dict[str, float]
    shortfalls: list[Shortfall]

    def key(self, item: str, task: LabelTask) -> LabelKey:
        return LabelKey(
            task_id=task.task_id,
            item=item,
            stratum=self.stratum[item],
            inclusion_probability=self.probability[item],
            repeat_of=task.repeat_of,
        )


def _choose(
    frame: _Frame, strata: Sequence[str], n: int, seed: int, *, kept: Collection[str], barred: Collection[str]
) -> _Choice:
    wished = planned(frame.replies, strata, n)
    shut = {item for item in barred if item not in kept}
    room = {stratum: sum(item not in shut for item in frame.strata.get(stratum, ())) for stratum in wished}
    plans = allotted(frame.replies, strata, n, room)
    counts = whole_part_below(list(plans.values()), seed, "rounding")
    choice = _Choice([], [], {}, {}, [])
    for (stratum, plan), count in zip(plans.items(), counts, strict=True):
        members = shuffled(frame.strata.get(stratum, ()), seed, "draw")
        if plan < wished[stratum]:
            choice.shortfalls.append(Shortfall(_strata_name(strata, stratum), float(wished[stratum]), count))
        for item in members:
            choice.stratum[item] = stratum
            choice.probability[item] = float(plan / len(members)) / frame.copies[item]
        free = [item for item in members if item not in kept and item not in barred]
        anew = max(0, count - sum(item in kept for item in members))
        choice.chosen.extend(free[:anew])
        choice.spare.extend(free[anew:])
    if kept:
        # Rounding may leave a stratum one below what it has; no more are drawn for that than were asked for.
        wanted = set(shuffled(choice.chosen, seed, "added")[: max(0, n - len(kept))])
        return replace(choice, chosen=[item for item in choice.chosen if item in wanted])
    return choice


def _task(reply: BlindedReply | Comparison, seed: int, use: str, repeat_of: str | None = None) -> LabelTask:
    return LabelTask(
        task_id=_task_id(seed, reply.text_hash, use),
        text=reply.text,
        context=reply.context,
        text_hash=reply.text_hash,
        lang=reply.lang,
        repeat_of=repeat_of,
        text_b=reply.text_b if isinstance(reply, Comparison) else None,
    )


def _pick_repeats(
    assigned: Mapping[str, Sequence[str]], chosen: Sequence[str], share: float, seed: int
) -> dict[str, list[str]]:
    """Items each annotator gets twice: those that everybody labels first, so that repeats are comparable."""
    everybody = set(chosen).intersection(*(set(items) for items in assigned.values()))
    result: dict[str, list[str]] = {}
    for annotator, items in assigned.items():
        order = shuffled(items, seed, "repeat")
        order.sort(key=lambda item: item not in everybody)
        result[annotator] = order[: repeats_wanted(len(items), share)]
    return result
