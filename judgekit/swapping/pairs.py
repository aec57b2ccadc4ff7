"""The swap test for pairs: two replies of a template under swapped names, shown in both orders.

Reply x is put to a person of one group and reply y to one of the other, then the other way round; both are also put to the
same person. Each filling is shown in both orders: eight calls a pair and contrast. So the replies' own merit and the
order of showing cancel, and what is left is the name, its position, and the two together.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from judgekit.blinding.fill import fill
from judgekit.endpoints.limits import Limits
from judgekit.endpoints.runner import Progress, run_calls
from judgekit.files.ledger import Ledger
from judgekit.judging.forecast import Assumptions, JudgePlan, forecast
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.judge import Sender, check_judge
from judgekit.judging.outcomes import failure_of, fingerprints_of, parser_version
from judgekit.judging.pairwise import canonical
from judgekit.judging.parse import read_pairwise
from judgekit.judging.prompt import Prompts, pair_call_for
from judgekit.judging.swap_test import people_by_group
from judgekit.records import (
    Arm,
    Call,
    Contrast,
    FilledText,
    Identity,
    Judgment,
    MaskedText,
    Outcome,
    Rubric,
    Task,
    Unscored,
    text_hash,
)

__all__ = ["PairFill", "calls_of_pairs", "choose_pairs", "judge_pair_fills", "pair_fills", "plan_pair_fills"]

Order = Literal["ab", "ba"]
_ORDERS: tuple[Order, Order] = ("ab", "ba")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFill:
    """Two filled replies of a template. ``groups`` and ``names`` are those in reply x and in reply y."""

    pair_id: str
    unit: str
    contrast: Contrast
    x: FilledText
    y: FilledText
    groups: tuple[str, str]
    names: tuple[str, str]

    @property
    def arm(self) -> Arm:
        """Whose judgments these are: never a score, never a pair of replies."""
        return Arm(kind="identity", identity=" | ".join(self.names), group=" | ".join(self.groups), of_arm="pair")


def choose_pairs(
    masked: Sequence[MaskedText], n: int, *, seed: int, units: Mapping[str, str | None]
) -> list[tuple[MaskedText, MaskedText]]:
    """Draw pairs of different replies to one template, spread evenly over templates.

    Parameters
    ----------
    masked : sequence of MaskedText
        Candidates; only texts with a slot of the person in question can be swapped.
    n : int
        Pairs wanted; fewer come back when there are no more.
    seed : int
        Decides the draw, whatever the order of ``masked``.
    units : mapping of str to str
        Item to template; texts without one are left out.

    Returns
    -------
    list of (MaskedText, MaskedText)
        Each text stands in one pair at most.
    """
    by_unit: dict[str, dict[str, MaskedText]] = {}
    for text in sorted(masked, key=lambda m: m.item):
        unit = units.get(text.item)
        if unit is not None and any(slot.subject for slot in text.slots):
            by_unit.setdefault(unit, {}).setdefault(text.text_hash, text)
    rng = random.Random(seed)
    drawn: dict[str, list[tuple[MaskedText, MaskedText]]] = {}
    for unit in sorted(by_unit):
        texts = list(by_unit[unit].values())
        rng.shuffle(texts)
        drawn[unit] = [(a, b) for a, b in zip(texts[::2], texts[1::2], strict=False) if a.lang == b.lang]
    order = sorted(drawn)
    rng.shuffle(order)
    chosen: list[tuple[MaskedText, MaskedText]] = []
    for depth in range(max(map(len, drawn.values()), default=0)):
        chosen.extend(drawn[unit][depth] for unit in order if len(drawn[unit]) > depth)
    return chosen[: max(n, 0)]


def pair_fills(
    pairs: Sequence[tuple[MaskedText, MaskedText]],
    identities: Sequence[Identity],
    contrasts: Sequence[Contrast],
    *,
    seed: int,
    units: Mapping[str, str | None],
) -> list[PairFill]:
    """Fill every pair four ways for each contrast: a and b, b and a, both a, both b.

    Parameters
    ----------
    pairs : sequence of (MaskedText, MaskedText)
        From `choose_pairs`.
    identities : sequence of Identity
        All people; names take turns as in `judging.swap_test.swap_fills`.
    contrasts : sequence of Contrast
    seed : int
    units : mapping of str to str

    Returns
    -------
    list of PairFill
        Pairs of which a text reads the same under both people are left out.

    Raises
    ------
    BadInput
        Fewer than two groups with people, or a name twice in a group.
    """
    people = people_by_group(identities)
    made: list[PairFill] = []
    for number, (first, second) in enumerate(pairs):
        for contrast in contrasts:
            a, b = (people[g][(seed + number) % len(people[g])] for g in (contrast.a, contrast.b))
            if any(_filled(text, a).text_hash == _filled(text, b).text_hash for text in (first, second)):
                continue
            made += [
                PairFill(
                    pair_id=f"swap {first.item} {second.item}",
                    unit=units.get(first.item) or f"\0{first.item}",
                    contrast=contrast,
                    x=_filled(first, x),
                    y=_filled(second, y),
                    groups=(x.group, y.group),
                    names=(x.name, y.name),
                )
                for x, y in ((a, b), (b, a), (a, a), (b, b))
            ]
    return made


def _filled(text: MaskedText, person: Identity) -> FilledText:
    return fill(text, person, arm=Arm(kind="identity", identity=person.name, group=person.group))


def judge_pair_fills(
    fills: Sequence[PairFill],
    rubrics: Sequence[Rubric],
    judge: JudgeHandle,
    ledger: Ledger,
    *,
    secret: bytes,
    concurrency: int = 4,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    sender: Sender = run_calls,
) -> list[Judgment]:
    """Compare filled pairs in both orders through the ledger.

    Parameters
    ----------
    fills : sequence of PairFill
    rubrics : sequence of Rubric
        Their ordinal criteria are asked; a rubric without any is left out.
    judge : JudgeHandle
    ledger : Ledger
    secret, concurrency, limits, progress, sender
        As for `judging.judge.judge_replies`.

    Returns
    -------
    list of Judgment
        Outcomes are `Preference` in canonical terms: ``a`` is reply x. Their arm keeps them from ever being scores.

    Raises
    ------
    ConfigProblem
        As for `judging.judge.check_judge`.
    Unfinished
        As for `endpoints.runner.run_calls`.
    """
    prompts = Prompts(rubrics)
    made = _tasks_and_calls(fills, rubrics, judge, prompts)
    if not made:
        return []
    ledger.add_tasks([task for task, _, _ in made])
    sender(
        [call for _, call, _ in made],
        judge.endpoint,
        ledger,
        render=prompts.render,
        secret=secret,
        concurrency=concurrency,
        limits=limits,
        progress=progress,
        retry_final=False,
    )
    judgments = _read(made, judge, prompts, ledger)
    ledger.record_judgments(judgments)
    return judgments


def plan_pair_fills(
    fills: Sequence[PairFill],
    rubrics: Sequence[Rubric],
    judge: JudgeHandle,
    ledger: Ledger | None,
    *,
    assumed: Assumptions | None = None,
) -> JudgePlan:
    """What `judge_pair_fills` would send; nothing is written."""
    prompts = Prompts(rubrics)
    calls = {call.request_key: call for _, call, _ in _tasks_and_calls(fills, rubrics, judge, prompts)}
    return forecast(len({f.pair_id for f in fills}), calls, prompts, judge, ledger, assumed)


def calls_of_pairs(fills: Sequence[PairFill], rubrics: Sequence[Rubric], judge: JudgeHandle) -> list[Call]:
    """The requests of `judge_pair_fills`, so that they can be sent together with others."""
    return [call for _, call, _ in _tasks_and_calls(fills, rubrics, judge, Prompts(rubrics))]


def _tasks_and_calls(
    fills: Sequence[PairFill], rubrics: Sequence[Rubric], judge: JudgeHandle, prompts: Prompts
) -> list[tuple[Task, Call, Rubric]]:
    asked = [rubric for rubric in rubrics if any(c.kind == "ordinal" for c in rubric.criteria)]
    if not asked or not fills:
        return []
    check_judge((f.x.lang for f in fills), asked, judge)
    made = []
    for rubric in asked:
        for one in fills:
            for order in _ORDERS:
                call = pair_call_for(one.x, one.y, rubric, judge, order=order, prompts=prompts)
                task = Task(
                    item=one.pair_id,
                    pair_id=one.pair_id,
                    rubric_hash=rubric.hash,
                    judge=judge.id,
                    request_key=call.request_key,
                    arm=one.arm,
                    order=order,
                )
                made.append((task, call, rubric))
    return made


def _read(
    made: Sequence[tuple[Task, Call, Rubric]], judge: JudgeHandle, prompts: Prompts, ledger: Ledger
) -> list[Judgment]:
    answers = ledger.answered(task.request_key for task, _, _ in made)
    failures = ledger.latest(task.request_key for task, _, _ in made if task.request_key not in answers)
    marks = fingerprints_of(((call, rubric) for _, call, rubric in made), answers, judge, prompts)
    version = parser_version(lenient=False)
    judgments: list[Judgment] = []
    for task, call, rubric in made:
        names = [c.dimension for c in rubric.criteria if c.kind == "ordinal"]
        answer = answers.get(task.request_key)
        outcomes: dict[str, Outcome] = dict.fromkeys(names, failure_of(failures.get(task.request_key)))
        reason = None
        if answer is not None:
            reading = read_pairwise(answer.raw, dimensions=names, finish_reason=answer.finish_reason)
            outcomes = {name: canonical(reading.outcomes[name], task.order) for name in names}
            reason = reading.reason
        for name in names:
            if not judge.supports(name):
                outcomes[name] = Unscored("unsupported", f"the judge {judge.id} has no cue for it")
        judgments += [
            Judgment(
                task=task,
                dimension=name,
                text_hash=text_hash(*reversed(call.text_hashes) if task.order == "ab" else call.text_hashes),
                fingerprint=marks[task.request_key],
                outcome=outcomes[name],
                parser_version=version,
                reason=reason,
            )
            for name in names
        ]
    return judgments
