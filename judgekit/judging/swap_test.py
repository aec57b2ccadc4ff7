"""The swap test: the same text with another person in it. Does the judge react to the group when it can see it?

Every chosen text is filled once for each group, so that a pair of fills differs in the person and in nothing else.
One of them is judged a second time as it stands (the identical control): what changes there is the judge's own noise.
The judgments carry their arm and can never become scores.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from judgekit.blinding.fill import fill
from judgekit.endpoints.limits import Limits
from judgekit.endpoints.runner import Progress, run_calls
from judgekit.errors import BadInput
from judgekit.files.ledger import Ledger
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.judge import Assumptions, JudgePlan, Sender, Text, calls_of, judge_texts, plan
from judgekit.records import Arm, Call, FilledText, Identity, Judgment, MaskedText, Rubric

__all__ = ["calls_of_fills", "choose_texts", "judge_fills", "people_by_group", "plan_fills", "swap_fills"]


def choose_texts(
    masked: Sequence[MaskedText], n: int, *, seed: int, units: Mapping[str, str | None] | None = None
) -> list[MaskedText]:
    """Draw the texts of a swap test, spread evenly over templates.

    Parameters
    ----------
    masked : sequence of MaskedText
        Candidates. Only texts with a slot of the person in question can be swapped; of texts that are the same once
        masked, one is kept, since judging it twice tells nothing new.
    n : int
        Texts wanted; fewer come back when there are no more.
    seed : int
        Seed of the draw.
    units : mapping of str to str, optional
        Item to template. Items without one count as their own.

    Returns
    -------
    list of MaskedText
        Template by template in turn, in an order that depends on the seed alone, not on the order of ``masked``.

    Examples
    --------
    >>> choose_texts([MaskedText(item="a", text="no person")], 5, seed=1)
    []
    """
    units = units or {}
    by_hash: dict[str, MaskedText] = {}
    for text in sorted(masked, key=lambda m: m.item):
        if any(slot.subject for slot in text.slots):
            by_hash.setdefault(f"{units.get(text.item)}\0{text.text_hash}", text)
    templates: dict[str, list[MaskedText]] = {}
    for text in by_hash.values():
        templates.setdefault(units.get(text.item) or f"\0{text.item}", []).append(text)
    rng = random.Random(seed)
    order = sorted(templates)
    rng.shuffle(order)
    for unit in order:
        rng.shuffle(templates[unit])
    chosen: list[MaskedText] = []
    depth = 0
    while len(chosen) < n and any(len(templates[unit]) > depth for unit in order):
        chosen.extend(templates[unit][depth] for unit in order if len(templates[unit]) > depth)
        depth += 1
    return chosen[: max(n, 0)]


def swap_fills(
    texts: Sequence[MaskedText],
    identities: Sequence[Identity],
    *,
    seed: int,
    units: Mapping[str, str | None] | None = None,
    control: bool = True,
) -> list[FilledText]:
    """Fill every text once for each group, and one of the fills again as the identical control.

    Names take turns: within a template by its texts, across templates shifted by one, so that every name is used
    equally often and none belongs to a template. Groups whose names carry the same ``name_pair`` labels are matched by
    label, others by position.

    Parameters
    ----------
    texts : sequence of MaskedText
        From `choose_texts`.
    identities : sequence of Identity
        All names of all groups; at least two groups.
    seed : int
        Decides which name comes first and which group the control takes.
    units : mapping of str to str, optional
        Item to template.
    control : bool
        Whether to add the control arm.

    Returns
    -------
    list of FilledText
        For every text its fills in the order of the groups, then its control. A text that reads the same under two
        groups (a shared family name is all it shows) is left out: judging it would test nothing.

    Raises
    ------
    BadInput
        Fewer than two groups, or the same name twice in a group.
    """
    groups = people_by_group(identities)
    units = units or {}
    seen: dict[str, int] = {}
    shift: dict[str, int] = {}
    names = list(groups)
    made: list[FilledText] = []
    for number, text in enumerate(texts):
        unit = units.get(text.item) or f"\0{text.item}"
        shift.setdefault(unit, len(shift))
        turn = seed + shift[unit] + seen.get(unit, 0)
        seen[unit] = seen.get(unit, 0) + 1
        arms: list[tuple[Identity, Arm]] = []
        for group, people in groups.items():
            person = people[turn % len(people)]
            arms.append((person, Arm(kind="identity", identity=person.name, group=group)))
        fills = [fill(text, person, arm=arm) for person, arm in arms]
        if len({f.text_hash for f in fills}) < len(fills):
            continue
        made.extend(fills)
        if control:
            person, arm = arms[(number + seed) % len(names)]
            again = Arm(kind="control", identity=person.name, group=person.group, of_arm=arm.key)
            made.append(fill(text, person, arm=again))
    return made


def people_by_group(identities: Sequence[Identity]) -> dict[str, list[Identity]]:
    """People by group, in an order that puts those of one ``name_pair`` label at the same place.

    Parameters
    ----------
    identities : sequence of Identity

    Returns
    -------
    dict of str to list of Identity

    Raises
    ------
    BadInput
        Fewer than two groups, or the same name twice in a group.
    """
    groups: dict[str, list[Identity]] = {}
    for person in identities:
        people = groups.setdefault(person.group, [])
        if any(p.name == person.name for p in people):
            raise BadInput("a name stands twice in a group", field="groups", seen=person.name, remedy="list it once")
        people.append(person)
    if len(groups) < 2:
        raise BadInput(
            "a swap test needs two groups with names",
            field="groups",
            seen=", ".join(groups) or "none",
            remedy="list names for at least two groups in study.yaml",
        )
    if all(p.name_pair is not None for people in groups.values() for p in people):
        for people in groups.values():
            people.sort(key=lambda p: (p.name_pair or "", p.name))
    return groups


def _first_repeat(repeats: int) -> Callable[[Text], int]:
    """Controls have the text of an identity arm, so their repeats get other numbers and are really judged again."""
    return lambda text: repeats if isinstance(text, FilledText) and text.arm.kind == "control" else 0


def judge_fills(
    fills: Sequence[FilledText],
    rubrics: Sequence[Rubric],
    judge: JudgeHandle,
    ledger: Ledger,
    *,
    secret: bytes,
    repeats: int = 1,
    concurrency: int = 4,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    lenient: bool = False,
    retry_final: bool = False,
    sender: Sender = run_calls,
) -> list[Judgment]:
    """Judge filled texts through the ledger; parameters, result and errors as for `judge.judge_replies`.

    Raises
    ------
    BadInput
        Something that is no `FilledText`.
    """
    for text in fills:
        if not isinstance(text, FilledText):
            raise BadInput("a swap test judges filled texts only", seen=type(text).__name__)
    return judge_texts(
        fills,
        rubrics,
        judge,
        ledger,
        secret=secret,
        repeats=repeats,
        first_repeat=_first_repeat(repeats),
        concurrency=concurrency,
        limits=limits,
        progress=progress,
        lenient=lenient,
        retry_final=retry_final,
        sender=sender,
    )


def calls_of_fills(fills: Sequence[FilledText], rubrics: Sequence[Rubric], judge: JudgeHandle) -> list[Call]:
    """The requests that `judge_fills` would have answered; see `judge.calls_of`."""
    return calls_of(fills, rubrics, judge, first_repeat=_first_repeat(1))


def plan_fills(
    fills: Sequence[FilledText],
    rubrics: Sequence[Rubric],
    judge: JudgeHandle,
    ledger: Ledger | None,
    *,
    repeats: int = 1,
    assumed: Assumptions | None = None,
) -> JudgePlan:
    """What `judge_fills` would send; nothing is written. See `judge.plan`."""
    return plan(fills, rubrics, judge, ledger, repeats=repeats, first_repeat=_first_repeat(repeats), assumed=assumed)
