"""The checks behind a calibration verdict. Each returns the reasons it found against the judge, often none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from judgekit.calibration_case import Case, reference_for, weights_of
from judgekit.calibration_remedies import (
    below_threshold,
    ceiling_threshold,
    to_swap,
    to_withhold_less,
    without_kappa,
)
from judgekit.records import BLINDING_VERSION, Contrast, Criterion, Interval, MetricRow, Reason, Undefined
from judgekit.statistics.correction import differential_bias
from judgekit.statistics.two_way import failure_gap
from judgekit.wording.sentence import say

__all__ = ["CHECKS"]

_BOUND_NEEDS = 100


# --- the checks, in the order in which a reader asks them ---------------------------------------------------------


def _same_labels(case: Case) -> list[Reason]:
    """Labels of another rubric or of other texts are not left out in silence: what they said could have been no."""
    known = case.evidence.labelled
    mine = [label for label in known.labels if label.dimension == case.criterion.dimension]
    other = {label.rubric_hash for label in mine if label.rubric_hash != case.rubric.hash}
    reasons = []
    if other:
        reasons.append(
            Reason(
                code="rubric_changed",
                value=min(other)[:12],
                threshold=case.rubric.hash[:12],
                remedy=say(
                    "labels were given with another rubric: restore it, or label again with this one in a new folder"
                ),
            )
        )
    current = len(known.label_rows(case.rubric, case.criterion))
    stale = sum(label.rubric_hash == case.rubric.hash for label in mine) - current
    if stale:
        reasons.append(
            Reason(
                code="texts_changed",
                value=stale,
                threshold=0,
                remedy=say(
                    "labels were given on texts that are different now: restore replies and blinding, or label a new sample"
                ),
            )
        )
    return reasons


def _anchors(case: Case) -> list[Reason]:
    """A frozen set says how the judge errs only while judge and people see the same form of text."""
    facts = case.evidence.anchor_facts
    if case.evidence.anchors is None:
        return []
    case.facts["anchors"] = facts["set"]
    case.conditions.append(
        say(
            "labels are {n} anchor texts of {study} ({first:date} to {last:date}), judged again with this run: holds while the judge errs "
            "here as it does there",
            n=facts["texts"],
            study=facts["study"],
            first=facts["labelled_from"] or say("time unknown"),
            last=facts["labelled_to"] or say("time unknown"),
        )
    )
    if facts["left_out"]:
        case.conditions.append(say("{n} stale labels were left out when the anchors were frozen", n=facts["left_out"]))
    if not facts["blinding_changed"]:
        return []
    return [
        Reason(
            code="texts_changed",
            value=say("blinded by another version"),
            threshold=say("blinding version {version}", version=BLINDING_VERSION),
            remedy=say("freeze the set again from the study that was labelled: `judgekit labels freeze`"),
        )
    ]


def _same_judge(case: Case) -> list[Reason]:
    expected = case.evidence.fingerprints.get(case.rubric.hash)
    met = {
        j.fingerprint
        for j in (*case.evidence.judgments, *(case.evidence.anchors.judgments if case.evidence.anchors else ()))
        if j.dimension == case.criterion.dimension and j.task.rubric_hash == case.rubric.hash
    }
    if met - {expected}:
        return [
            Reason(
                code="fingerprint",
                value=min(met - {expected})[:12],
                threshold=(expected or "none")[:12],
                remedy=say("scores come from another judge, model, prompt or blinding version: judge again with one"),
            )
        ]
    return []


def _sealed(case: Case) -> list[Reason]:
    if any(not x.labelled_at for x in case.evidence.labelled.labels if x.dimension == case.criterion.dimension):
        case.conditions.append(
            say("labels were imported without times: that the thresholds came first cannot be shown")
        )
    seen = [x.seen for x in case.evidence.labelled.labels if x.dimension == case.criterion.dimension]
    if n := sum("unmasked" in how for how in seen):
        case.conditions.append(say("{n} labels were given on texts with their names: people could tell the group", n=n))
    if n := sum("suggested" in how for how in seen):
        case.conditions.append(
            say("{n} labels were given beside a model's answer: agreement may be with that model", n=n)
        )
    if n := sum("copied" in how for how in seen):
        case.conditions.append(
            say(
                "{n} labels were copied or imported in the labelling tool, not given there: whose they are is not known",
                n=n,
            )
        )
    if n := sum("unsaid" in how for how in seen):
        case.conditions.append(
            say("{n} labels come from an export that does not say whether a model's answer stood beside the text", n=n)
        )
    return [
        Reason(
            code="sealed_later",
            value=key,
            threshold=say("decided before the first label or judged score"),
            remedy=say(
                "restore the sealed value, or start a study of another name with labels made after the decision"
            ),
        )
        for key in case.evidence.sealed_later
    ]


def _enough(case: Case) -> list[Reason]:
    settings = case.evidence.study.calibration
    reasons = []
    if len(case.human) < settings.min_raters:
        reasons.append(
            Reason(
                code="too_few_raters",
                value=len(case.human),
                threshold=settings.min_raters,
                remedy=say(
                    "{n} more rater(s) label the sample that `judgekit run` draws",
                    n=settings.min_raters - len(case.human),
                ),
            )
        )
    n = case.n
    case.facts["labelled_texts"] = n
    if n < settings.min_labels:
        reasons.append(
            Reason(
                code="too_few",
                value=n,
                threshold=settings.min_labels,
                remedy=say("label {n} more texts that the judge has scored", n=settings.min_labels - n),
                more_labels=settings.min_labels - n,
            )
        )
    return reasons


def _agreement(case: Case) -> list[Reason]:
    settings = case.evidence.study.calibration
    threshold = (
        ceiling_threshold(case.human_kappa) if settings.threshold.kind == "ceiling" else settings.threshold.kappa
    )
    if isinstance(threshold, Undefined):
        remedy = say("`threshold.kind: ceiling` needs two raters who label the same texts")
        return [Reason(code="human_disagreement", value=str(threshold), threshold=None, remedy=remedy)]
    value: float | Undefined = case.reference if isinstance(case.reference, Undefined) else case.reference.value
    lower: float | Undefined = case.reference if isinstance(case.reference, Undefined) else case.reference.lower
    case.facts.update(kappa=value, kappa_lower=lower, threshold=threshold, weights=weights_of(case.criterion))
    if isinstance(case.reference, Undefined) or isinstance(value, Undefined) or isinstance(lower, Undefined):
        why = value if isinstance(value, Undefined) else lower
        return [without_kappa(case.n, why, threshold, settings.min_labels)]
    return [] if lower >= threshold else [below_threshold(case.reference, value, lower, threshold)]


def _people(case: Case) -> list[Reason]:
    settings = case.evidence.study.calibration
    case.facts["human_kappa"] = case.human_kappa
    if len(case.human) < 2:
        if settings.min_raters == 1 and case.human:
            case.conditions.append(say("human agreement not measured: one rater"))
        return []
    if isinstance(case.human_kappa, Undefined):
        return [
            Reason(
                code="human_disagreement",
                value=str(case.human_kappa),
                threshold=settings.human_kappa,
                remedy=say("let two raters label the same texts (labels.overlap), with scores that vary"),
            )
        ]
    if case.human_kappa < settings.human_kappa:
        return [
            Reason(
                code="human_disagreement",
                value=case.human_kappa,
                threshold=settings.human_kappa,
                remedy=say("people disagree among themselves: mend the rubric's anchors, then label again"),
            )
        ]
    return []


def _per_group(case: Case) -> list[Reason]:
    if case.contrast is None or not case.human:
        return []
    settings = case.evidence.study.calibration.per_group
    reasons = []
    for group in (case.contrast.a, case.contrast.b):
        known = case.evidence.labelled
        items = {i for i, reply in known.design.items() if reply.group == group}
        people = known.reference_people(case.rubric, case.criterion)
        found = reference_for(known, case.criterion, case.judged, people, items)
        n = 0 if isinstance(found, Undefined) else found.n
        kappa: float | Undefined = found if isinstance(found, Undefined) else found.value
        use_bound = settings.measure == "bound" and n >= _BOUND_NEEDS
        value = found.lower if use_bound and not isinstance(found, Undefined) else kappa
        case.facts[f"kappa[{group}]"] = kappa
        case.facts[f"labelled_texts[{group}]"] = n
        if isinstance(value, Undefined):
            reasons.append(
                Reason(
                    code="too_few",
                    value=say("{group}: {why}", group=group, why=say(str(value))),
                    threshold=settings.kappa,
                    remedy=say("label texts of group {group} until their scores vary", group=group),
                )
            )
        elif value < settings.kappa:
            # With two levels the kappas of both groups and the counts of all texts are enough to solve for the judge's rates.
            several = len(case.criterion.levels) > 2
            met = say("{kappa:.3f}", kappa=value) if several else say("below {threshold:g}", threshold=settings.kappa)
            reasons.append(
                Reason(
                    code="too_low",
                    value=say("{group}: {why}", group=group, why=met),
                    threshold=settings.kappa,
                    remedy=say(
                        "the judge agrees less with people on group {group}: use another judge or label more of it",
                        group=group,
                    ),
                )
            )
    return reasons


def _bias(case: Case) -> list[Reason]:
    if case.contrast is None or not case.human:
        return []
    tolerance = case.evidence.study.calibration.differential_bias.tolerance
    known = case.evidence.labelled
    judged, human = known.judged_rows(case.criterion), known.human_rows(case.rubric, case.criterion)
    found = differential_bias(judged, human, case.contrast, inclusion=dict(known.inclusion) or None)
    if isinstance(found, Undefined):
        found = _constant_bias(judged, human, case.contrast, case.criterion) or found
    # The number itself would give the gap away (human-only gap plus bias is the judged gap), so a verdict is kept.
    if isinstance(found, Undefined):
        return [
            Reason(
                code="too_biased",
                value=say("cannot tell"),
                threshold=tolerance,
                remedy=say(
                    "judge minus human cannot be compared between the groups ({reason}): label texts of both",
                    reason=say(found.reason),
                ),
            )
        ]
    interval: Interval = found[1]
    if interval.low > tolerance or interval.high < -tolerance:
        return [
            Reason(
                code="too_biased",
                value=say("outside the tolerance"),
                threshold=tolerance,
                remedy=say(
                    "the judge errs differently by group even on blinded text: use another judge; the human-only gap stands"
                ),
            )
        ]
    inside = -tolerance <= interval.low and interval.high <= tolerance
    case.publish_raw = inside
    case.facts["differential_bias"] = "inside the tolerance" if inside else "straddles the tolerance"
    if not inside:
        case.conditions.append(
            say("only the corrected gap is published: the judge's bias between groups is not settled")
        )
    return []


def _constant_bias(
    judged: Sequence[MetricRow], human: Sequence[MetricRow], contrast: Contrast, criterion: Criterion
) -> tuple[float, Interval] | None:
    """The bias of a judge whose error is the same on every text of a group, most often none at all.

    No spread gives no standard error. What was not met can still exist: in n texts an error of another size has, at 95%,
    at most the share that Clopper and Pearson's bound for 0 in n allows, and it is taken as wide as the scale.
    """
    scores = {row.item: row.value for row in judged}
    width = float(criterion.levels[-1]) - float(criterion.levels[0]) if criterion.kind == "ordinal" else 1.0
    means, half = [], 0.0
    for group in (contrast.a, contrast.b):
        errors = [
            score - row.value
            for row in human
            if row.group == group and row.value is not None and (score := scores.get(row.item)) is not None
        ]
        if len(errors) < 2 or len(set(errors)) > 1:
            return None
        means.append(errors[0])
        half += width * (1 - 0.025 ** (1 / len(errors)))
    value = means[0] - means[1]
    return value, Interval(value - half, value + half, 0.95, "no other error met")


def _failures(case: Case) -> list[Reason]:
    if case.contrast is None:
        return []
    limit = case.evidence.study.calibration.failure_gap
    found = failure_gap(
        [r for r in case.evidence.judged_rows(case.criterion) if r.missing != "withheld"], case.contrast
    )
    case.facts["failure_gap"] = found.value
    if not isinstance(found.value, Undefined) and abs(found.value) > limit:
        return [
            Reason(
                code="failure_gap",
                value=found.value,
                threshold=limit,
                remedy=say(
                    "more replies of one group have no score (the chatbot gave none, or the judge did not score them): see the failure kinds, mend them, run again"
                ),
            )
        ]
    return []


def _withheld(case: Case) -> list[Reason]:
    limits = case.evidence.study.blinding.max_withheld
    rows = case.evidence.withheld_rows()
    reasons = []
    groups = [case.contrast.a, case.contrast.b] if case.contrast else [None]
    for group in groups:
        chosen = [r for r in rows if group is None or r.group == group]
        share = sum(r.missing is not None for r in chosen) / len(chosen) if chosen else 0.0
        if share > limits.share:
            reasons.append(
                Reason(
                    code="withheld_share",
                    value=share,
                    threshold=limits.share,
                    remedy=to_withhold_less(case, group),
                )
            )
    if case.contrast is not None:
        found = failure_gap(rows, case.contrast)
        case.facts["withheld_gap"] = found.value
        if not isinstance(found.value, Undefined) and abs(found.value) > limits.gap:
            reasons.append(
                Reason(
                    code="withheld_gap",
                    value=found.value,
                    threshold=limits.gap,
                    remedy=to_withhold_less(case, case.contrast.a if found.value > 0 else case.contrast.b),
                )
            )
    return reasons


def _swap(case: Case) -> list[Reason]:
    if case.contrast is None:
        return []
    settings = case.evidence.study.swap_test
    found = [s for s in case.evidence.swap if s.dimension == case.criterion.dimension and s.contrast == case.contrast]
    verdict = found[0].verdict if found else "not run"
    case.facts["swap_test"] = verdict
    if verdict == "passed":
        return []
    if verdict == "failed":
        if settings.when_failed == "require_blinding":
            case.conditions.append(
                say("on blinded text only: the judge reacts to the group when it can see it (swap test failed)")
            )
            return []
        return [
            Reason(
                code="reacts",
                value=say("failed"),
                threshold=settings.margin,
                remedy=say(
                    "use another judge, or a new study that decides `swap_test.when_failed: require_blinding` beforehand"
                ),
            )
        ]
    return [
        Reason(
            code="uninformative",
            value=say(verdict),
            threshold=settings.margin,
            remedy=found[0].why if found else to_swap(case),
        )
    ]


CHECKS: tuple[Callable[[Case], list[Reason]], ...] = (
    _sealed,
    _same_labels,
    _anchors,
    _same_judge,
    _enough,
    _agreement,
    _people,
    _per_group,
    _bias,
    _failures,
    _withheld,
    _swap,
)
