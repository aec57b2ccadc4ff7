"""What is known about a study's replies, joined by item: design, blinding, judgments and labels.

This is the only place, beside `calibration` and `gaps`, where a group meets a score. Nothing here leaves the process
on its own: judged values are read by `calibration.calibrate` and, with its permission, by `gaps`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from judgekit.records import (
    BlindedReply,
    Contrast,
    Criterion,
    Judgment,
    LabelEvent,
    LabelKey,
    MetricRow,
    Outcome,
    Reply,
    Rubric,
    Scored,
    SwapResult,
    Unscored,
    Withheld,
    scores_of,
)
from judgekit.study import Study
from judgekit.wording.sentence import say, series

__all__ = ["Evidence", "HumanLabel", "human_labels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanLabel:
    """One person's final score of one text. ``value`` is None where the text was skipped.

    ``labelled_at`` is UTC ISO 8601, or empty where the labels were imported without a time. ``seen`` says how an
    imported label was given: ``unmasked`` (on the text with its names), ``suggested`` (beside a model's answer),
    ``copied`` (in the labelling tool), ``unsaid`` (nobody can tell), or several with + between
    them.
    """

    item: str
    dimension: str
    annotator: str
    value: int | str | None
    text_hash: str
    rubric_hash: str
    labelled_at: str
    seen: str = ""


def human_labels(events: list[LabelEvent], keys: Mapping[str, LabelKey]) -> list[HumanLabel]:
    """Final labels of first showings, with the item that the key file knows.

    Parameters
    ----------
    events : list of LabelEvent
        One per annotator, task and dimension: undone and replaced decisions already left out.
    keys : mapping of str to LabelKey
        The sampler's key file by task id. Hidden repeats are left out: they measure self-agreement only.

    Returns
    -------
    list of HumanLabel
    """
    labels = []
    for event in events:
        key = keys.get(event.task_id)
        if key is None or key.repeat_of is not None or event.event not in {"score", "skip"}:
            continue
        labels.append(
            HumanLabel(
                item=key.item,
                dimension=event.dimension,
                annotator=event.annotator,
                value=event.value if event.event == "score" else None,
                text_hash=event.text_hash,
                rubric_hash=event.rubric_hash,
                labelled_at=event.shown_at,
                seen=str(event.detail.get("seen", "")),
            )
        )
    return labels


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything a verdict about a judge rests on.

    Parameters
    ----------
    study : Study
        Thresholds, groups, margins.
    judge : str
        The judge's id.
    rubrics : mapping of str to Rubric
        By the study's key.
    fingerprints : mapping of str to str
        Rubric hash to the fingerprint that judgments must carry.
    design : mapping of str to Reply
        Every reply read, by item.
    results : mapping of str to BlindedReply or Withheld
        What the verifier said of each.
    judgments : tuple of Judgment
        Any arms; only ``base`` ones become scores.
    labels : tuple of HumanLabel
        People's scores.
    adjudicated : mapping of (str, str) to int or str
        One label per item and dimension, where the study compares with adjudicated labels.
    inclusion : mapping of str to float
        Item to the probability with which the sampler drew it.
    swap : tuple of SwapResult
        Verdicts of the swap test.
    sealed_later : tuple of str
        Sealed decisions that were edited after the first label or judged score.
    anchors : Evidence, optional
        The same of a frozen set of labelled texts, judged again with this run; then ``labels`` is empty here.
    anchor_facts : mapping
        What is known of that set: `anchoring.Anchored.facts`.
    """

    study: Study
    judge: str
    rubrics: Mapping[str, Rubric]
    fingerprints: Mapping[str, str]
    design: Mapping[str, Reply]
    results: Mapping[str, BlindedReply | Withheld]
    judgments: tuple[Judgment, ...] = ()
    labels: tuple[HumanLabel, ...] = ()
    adjudicated: Mapping[tuple[str, str], int | str] = field(default_factory=dict)
    inclusion: Mapping[str, float] = field(default_factory=dict)
    swap: tuple[SwapResult, ...] = ()
    sealed_later: tuple[str, ...] = ()
    anchors: Evidence | None = None
    anchor_facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def labelled(self) -> Evidence:
        """What people have labelled and the judge has scored: the frozen anchor set where the study has one, else itself."""
        return self.anchors or self

    def digest(self) -> str:
        """Hash of what a verdict rests on: settings, design, blinding, labels, judgments and swap test."""
        parts = [
            self.judge,
            self.study.hash,
            sorted(rubric.hash for rubric in self.rubrics.values()),
            sorted(self.fingerprints.items()),
            sorted(self.sealed_later),
            sorted(
                [i, *(getattr(r, f) or "" for f in ("unit_id", "group", "name", "name_pair", "replicate", "case_type"))]
                for i, r in self.design.items()
            ),
            sorted((i, "" if isinstance(r, Withheld) else r.text_hash) for i, r in self.results.items()),
            sorted((*place, str(value)) for place, value in self.adjudicated.items()),
            sorted(self.inclusion.items()),
            sorted(f"{x.item}|{x.dimension}|{x.annotator}|{x.value}|{x.text_hash}" for x in self.labels),
            sorted(
                f"{x.task.item}|{x.dimension}|{x.task.arm.key}|{x.task.repeat}|{x.text_hash}|{x.outcome}"
                for x in self.judgments
            ),
            sorted(f"{x.dimension}|{x.contrast.a}|{x.contrast.b}|{x.verdict}" for x in self.swap),
            self.anchors.digest() if self.anchors else None,
        ]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode("ascii")).hexdigest()

    def criteria(self) -> list[tuple[str, Rubric, Criterion]]:
        """Every judged dimension as (study key, rubric, criterion), in the study's order."""
        return [(key, rubric, c) for key, rubric in self.rubrics.items() for c in rubric.criteria]

    def contrasts(self) -> tuple[Contrast, ...]:
        """The study's comparisons; without listed values, every pair of the groups met, sorted."""
        if self.study.groups is None:
            return ()
        if self.study.contrasts:
            return self.study.contrasts
        met = sorted({r.group for r in self.design.values() if r.group is not None})
        return tuple(Contrast(a, b) for i, a in enumerate(met) for b in met[i + 1 :])

    def judged(self, criterion: Criterion) -> dict[str, Scored | Unscored]:
        """The judge's score of every item, repeats combined; withheld and unjudged items are `Unscored`."""
        from judgekit.judging.outcomes import one_kind, outcome_value

        outcomes: dict[str, list[Outcome]] = scores_of(self.judgments, criterion.dimension)
        scores: dict[str, Scored | Unscored] = {}
        # By item, not in file order: sums of floats must not depend on the order of a file's rows.
        for item in sorted(self.design):
            if failed := self.design[item].failed:
                scores[item] = Unscored(failed)
            elif isinstance(self.results.get(item), Withheld):
                scores[item] = Unscored("withheld")
            elif item not in outcomes:
                scores[item] = Unscored("not_judged")
            else:
                scores[item] = outcome_value(outcomes[item], criterion)
        one_kind(scores.values())
        return scores

    def label_rows(self, rubric: Rubric, criterion: Criterion) -> list[HumanLabel]:
        """Labels of this dimension made on today's texts with today's rubric."""
        return [
            label
            for label in self.labels
            if label.dimension == criterion.dimension
            and label.rubric_hash == rubric.hash
            and self._text_of(label.item) == label.text_hash
        ]

    def _text_of(self, item: str) -> str | None:
        result = self.results.get(item)
        return result.text_hash if isinstance(result, BlindedReply) else None

    def annotators(self, rubric: Rubric, criterion: Criterion) -> list[str]:
        """Who labelled this dimension: the study's annotators where it names them, else everyone met."""
        met = {label.annotator for label in self.label_rows(rubric, criterion)}
        named = self.study.labels.annotators
        return [a for a in named if a in met] if named else sorted(met)

    def human(self, rubric: Rubric, criterion: Criterion) -> dict[str, dict[str, int | str | None]]:
        """Annotator to item to score (None: skipped)."""
        who = self.annotators(rubric, criterion)
        scores: dict[str, dict[str, int | str | None]] = {annotator: {} for annotator in who}
        for label in self.label_rows(rubric, criterion):
            if label.annotator in scores:
                scores[label.annotator][label.item] = label.value
        return scores

    def reference_people(self, rubric: Rubric, criterion: Criterion) -> dict[str, dict[str, int | str | None]]:
        """Whom the judge is compared with: the people, or the one adjudicated label where the study says so."""
        if self.study.labels.reference != "adjudicated":
            return self.human(rubric, criterion)
        current = {label.item for label in self.label_rows(rubric, criterion)}
        chosen: dict[str, int | str | None] = {
            item: value
            for (item, dimension), value in sorted(self.adjudicated.items())
            if dimension == criterion.dimension and item in current
        }
        return {"adjudicated": chosen} if chosen else {}

    def human_rows(self, rubric: Rubric, criterion: Criterion) -> list[MetricRow]:
        """People's mean score of each labelled item as metric rows; a text that everyone skipped is missing."""
        by_item: dict[str, list[float]] = {}
        for scores in self.reference_people(rubric, criterion).values():
            for item, value in scores.items():
                found = by_item.setdefault(item, [])
                if value is not None:
                    found.append(as_number(value, criterion))
        return [
            self._row(item, fmean(values) if values else None, None if values else "skipped")
            for item, values in sorted(by_item.items())
        ]

    def judged_rows(self, criterion: Criterion) -> list[MetricRow]:
        """The judge's score of every reply as metric rows. For `calibration` and `gaps` only."""
        rows = []
        for item, outcome in self.judged(criterion).items():
            if isinstance(outcome, Scored):
                value = as_number(outcome.value, criterion) if outcome.expected is None else outcome.expected
                rows.append(self._row(item, value, None))
            else:
                rows.append(self._row(item, None, outcome.kind))
        return rows

    def failures(self) -> str:
        """Conversations that failed, by group and kind, in words; empty where none did.

        A chatbot that fails one group more often treats it differently.
        """
        kinds: dict[str, dict[str, int]] = {}
        for reply in self.design.values():
            if reply.failed:
                of = kinds.setdefault(reply.group or say("no group"), {})
                of[reply.failed] = of.get(reply.failed, 0) + 1
        return series(
            [
                say(
                    "{group} {kinds}",
                    group=group,
                    kinds=series([say("{kind} {n}", kind=say(kind), n=n) for kind, n in sorted(of.items())]),
                )
                for group, of in sorted(kinds.items())
            ],
            "; ",
        )

    def measured_rows(self, values: Mapping[str, Scored | Unscored]) -> list[MetricRow]:
        """A counted metric as metric rows; withheld replies and conversations that failed are missing."""
        rows = []
        for item in sorted(self.design):
            outcome = values.get(item, Unscored(self.design[item].failed or "withheld"))
            if isinstance(outcome, Scored):
                rows.append(self._row(item, float(outcome.value), None))
            else:
                rows.append(self._row(item, None, outcome.kind))
        return rows

    def withheld_rows(self) -> list[MetricRow]:
        """Rows whose only missing values are the withheld replies: their failure gap is the gap in withholding."""
        return [
            self._row(item, None, "withheld")
            if isinstance(self.results.get(item), Withheld)
            else self._row(item, 1.0, None)
            for item in sorted(self.design)
        ]

    def _row(self, item: str, value: float | None, missing: str | None) -> MetricRow:
        reply = self.design[item]
        return MetricRow(
            item=item,
            unit_id=reply.unit_id,
            group=reply.group,
            name=reply.name,
            name_pair=reply.name_pair,
            replicate=reply.replicate,
            case_type=reply.case_type,
            value=value,
            missing=missing,
        )


def as_number(value: float | str, criterion: Criterion) -> float:
    """A score as the statistics take it: points for ordinal criteria; for nominal ones 1 for the first level, else 0."""
    if criterion.kind == "nominal":
        return 1.0 if value == criterion.levels[0] else 0.0
    return float(value)
