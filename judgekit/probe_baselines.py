"""A study's collected replies against rewording: does the change of group move decisions further than other words do?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from judgekit.deciding.answers import Answered, Place
from judgekit.deciding.options import shares_of
from judgekit.deciding.report import Wordings, wordings_of
from judgekit.errors import UsageProblem
from judgekit.probing.extract import measure
from judgekit.records import Reply, Scored, Unscored
from judgekit.stages import blind, read_arms_of
from judgekit.study import Study

__all__ = ["NO_PROBE", "MetricWordings", "answers_of_replies", "baselines_of"]

NO_PROBE = "base"
"""Name of the probe of replies that state none."""

_YES_NO = {1.0: "yes", 0.0: "no"}
_DECISIONS = frozenset({"binary", "decision", "refund", "escalation", "evidence", "refusal"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricWordings:
    """One measured decision: its places, replies without a value by kind, and what was found."""

    metric: str
    options: tuple[str, ...]
    replies: int
    missing: Mapping[str, int]
    places: int
    found: Wordings


def baselines_of(
    study: Study,
    *,
    metric: str | None = None,
    alpha: float = 0.05,
    progress: Callable[[int], None] | None = None,
) -> list[MetricWordings]:
    """Read a study's replies of all arms and compare every measured decision with rewording.

    Parameters
    ----------
    study : Study
        Its ``measured`` names the decisions: kinds binary, decision, refund, escalation, evidence and refusal.
    metric : str, optional
        Only this one.
    alpha : float
        Level of the one-sided tests.
    progress : callable, optional
        Told how many replies are masked.

    Returns
    -------
    list of MetricWordings

    Raises
    ------
    UsageProblem
        No decision is measured, or no reply belongs to another arm.
    BadInput
        As for the study's replies.
    """
    wanted = [name for name, of in study.measured.items() if metric in (None, name) and of.kind in _DECISIONS]
    if not wanted:
        raise UsageProblem(
            "no measured decision to compare",
            path=study.file,
            field="measured" if metric is None else "--metric",
            seen=metric,
            why=f"a decision is read by its patterns or phrases: kinds {', '.join(sorted(_DECISIONS))}",
            remedy="measure one, for example outcome: {kind: decision}",
        )
    replies = read_arms_of(study)
    if not replies.others:
        raise UsageProblem(
            "no reply belongs to an arm of rewording, recall or precision",
            path=study.path(study.data.replies),
            field="arm",
            remedy="set probe.baselines and probe.checks, expand and collect again",
        )
    every = [*replies.base, *replies.others]
    blinded = blind(every, study, progress)
    declared = list(study.groups.values) if study.groups else []
    made = []
    for name in wanted:
        asked = study.measured[name]
        options = asked.levels or ("yes", "no")
        answers, missing = answers_of_replies(
            every, {text.item: measure(text.text, asked, text.lang) for text in blinded.verified}, options
        )
        made.append(
            MetricWordings(
                metric=name,
                options=options,
                replies=len(every),
                missing=dict(sorted(missing.items())),
                places=len(answers),
                found=wordings_of(answers, options[0], declared=declared, alpha=alpha, seed=study.statistics.seed),
            )
        )
    return made


def answers_of_replies(
    replies: Sequence[Reply], values: Mapping[str, Scored | Unscored], options: Sequence[str]
) -> tuple[list[Answered], Counter[str]]:
    """Replicates of one place put together: the share of each option among them.

    Parameters
    ----------
    replies : sequence of Reply
        Of any arm.
    values : mapping of str to Scored or Unscored
        By item; a reply without one was withheld.
    options : sequence of str

    Returns
    -------
    list of Answered
    Counter
        Replies without an option, by kind.

    Examples
    --------
    >>> said = [Reply(id=str(k), text="", unit_id="t", group="a") for k in range(4)]
    >>> found, _ = answers_of_replies(said, {str(k): Scored(float(k > 0)) for k in range(4)}, ["yes", "no"])
    >>> found[0].shares, found[0].majority
    ({'yes': 0.75, 'no': 0.25}, 'yes')
    """
    by_place: dict[Place, list[Reply]] = defaultdict(list)
    for reply in replies:
        by_place[_place(reply)].append(reply)
    answers, every = [], Counter[str]()
    for place, own in by_place.items():
        met: list[str | None] = []
        missing: Counter[str] = Counter()
        for reply in own:
            value = values.get(reply.id, Unscored("withheld"))
            option = None if isinstance(value, Unscored) else _option(value)
            met.append(option if option in options else None)
            if met[-1] is None:
                missing[value.kind if isinstance(value, Unscored) else "no_option"] += 1
        shares, n = shares_of(met, options)
        every += missing
        answers.append(Answered(place=place, shares=shares, n=n, missing=dict(missing), text=own[0].context or ""))
    return answers, every


def _option(value: Scored) -> str | None:
    return value.value if isinstance(value.value, str) else _YES_NO.get(value.value)


def _place(reply: Reply) -> Place:
    probe, order = reply.carried.get("probe"), reply.carried.get("order")
    return Place(
        probe=str(probe) if probe else NO_PROBE,
        unit_id=reply.unit_id or reply.id,
        group=reply.group or reply.arm.group,
        name=reply.name,
        name_pair=reply.name_pair,
        case_type=reply.case_type,
        arm=reply.arm,
        order=str(order) if order else None,
        side=reply.replicate if reply.arm.kind == "control" else None,
    )
