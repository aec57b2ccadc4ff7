"""What to do after a run: who labels, what lifts a refusal, what a gap that does not pass asks for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import ceil, isfinite

from judgekit.findings import LabelFacts
from judgekit.records import Gap, Refused, Undefined
from judgekit.wording.sentence import say

__all__ = ["before_labels", "next_steps"]

_OF_LABELS = frozenset({"too_few_raters", "too_few", "human_disagreement"})
"""Reasons that labels would lift."""


def _waits(labels: LabelFacts) -> bool:
    return bool(labels.not_yet) and not labels.texts


def before_labels(refused: Iterable[Refused], labels: LabelFacts) -> tuple[Refused, ...]:
    """The refusals with their reasons in the order in which they are to be lifted.

    Parameters
    ----------
    refused : iterable of Refused
    labels : LabelFacts
        Where it says that nobody should label yet, what labels would lift comes last.

    Returns
    -------
    tuple of Refused
    """
    if not _waits(labels):
        return tuple(refused)
    return tuple(replace(r, reasons=tuple(sorted(r.reasons, key=lambda x: x.code in _OF_LABELS))) for r in refused)


def next_steps(refused: Sequence[Refused], gaps: Sequence[Gap], labels: LabelFacts) -> tuple[str, ...]:
    """The steps in the order in which they are to be taken; one line where nothing is open.

    Parameters
    ----------
    refused : sequence of Refused
    gaps : sequence of Gap
    labels : LabelFacts
        Whoever has not labelled yet is given a command, unless labels would be wasted.

    Returns
    -------
    tuple of str
        Sentences of `judgekit.wording`, each once.
    """
    steps: list[str] = []
    if labels.not_yet and not labels.texts:
        steps.append(say("do not label yet: {why}", why=say(labels.not_yet)))
    elif not labels.raters and not labels.texts:
        steps.append(say("name your raters in labels.annotators, then run again"))
    elif refused:
        if labels.short:
            steps.append(say(labels.short))
        steps += [say("people label: {command}", command=command) for command in labels.commands()]
    steps += _remedies(refused, labels)
    more = max((r.more_labels or 0 for refusal in refused for r in refusal.reasons if r.code == "too_few"), default=0)
    if more and labels.sample and labels.texts:
        steps.append(say("once the sample is labelled, add texts to it: {command}", command=labels.adding(more)))
    steps += [step for gap in gaps if (step := _gap_step(gap))]
    return tuple(dict.fromkeys(steps)) or (say("nothing is open: keep this run as the baseline of the next release"),)


def _remedies(refused: Sequence[Refused], labels: LabelFacts) -> list[str]:
    """What lifts each refusal first; where nobody should label, all that has to come before labels and nothing about them."""
    waits = _waits(labels)
    dimensions: dict[str, dict[str, None]] = {}  # one remedy is often that of several dimensions and contrasts
    for refusal in refused:
        open_reasons = [r for r in refusal.reasons if r.code not in _OF_LABELS] if waits else refusal.reasons[:1]
        for reason in open_reasons:
            dimensions.setdefault(say(reason.remedy), {})[refusal.dimension] = None
    return [say("{dimension}: {remedy}", dimension=", ".join(of), remedy=remedy) for remedy, of in dimensions.items()]


def _gap_step(gap: Gap) -> str | None:
    """What a gap that does not pass asks for; None where it asks for nothing."""
    estimate = gap.main
    if gap.verdict == "fail":
        worst = max(gap.per_template.items(), key=lambda x: abs(x[1]), default=None)
        failed = {"metric": gap.metric, "direction": say(gap.direction)}
        if worst is None:
            return say("{metric} fails: {direction}, beyond the margin", **failed)
        return say(
            "{metric} fails: {direction}, beyond the margin; start with template {unit}, where it is largest",
            **failed,
            unit=worst[0],
        )
    if gap.verdict != "warn" or estimate is None or gap.margin is None:
        return None
    if isinstance(estimate.value, Undefined) or isinstance(estimate.interval, Undefined):
        return None
    left, half = gap.margin - abs(estimate.value), (estimate.interval.high - estimate.interval.low) / 2
    if left <= 0 or not isfinite(half):
        return say(
            "{metric} warns: {direction} by more than the margin, but not for certain: more templates would decide",
            metric=gap.metric, direction=say(gap.direction),
        )  # fmt: skip
    needed = ceil(estimate.templates * (half / left) ** 2)
    if needed > 20 * estimate.templates:
        return say(
            "{metric} warns: the gap is too close to the margin to settle it by more templates; say so, or decide anew",
            metric=gap.metric,
        )
    met: dict[str, object] = {"metric": gap.metric, "needed": needed, "templates": estimate.templates}
    if gap.kind == "judged":
        return say(
            "{metric} warns: the interval reaches beyond the margin; if the gap stays, it takes about {needed} templates, or "
            "more labels, instead of {templates} to settle it",
            **met,
        )
    return say(
        "{metric} warns: the interval reaches beyond the margin; if the gap stays, it takes about {needed} templates instead of "
        "{templates} to settle it",
        **met,
    )
