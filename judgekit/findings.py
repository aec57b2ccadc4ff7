"""What a run found, in one record: the only thing that reports are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from judgekit.gaps import HumanGap
from judgekit.records import Agreement, Calibrated, Gap, Refused, SwapResult

__all__ = ["BlindingFacts", "Findings", "JudgingFacts", "LabelFacts", "Quote"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindingFacts:
    """Counts in = verified + withheld, overall and by group.

    ``by_group`` maps a group to ``{"in", "verified", "withheld", "share", "low", "high"}`` (Wilson interval of the
    withheld share); ``codes`` counts withheld replies by reason; ``siblings`` is the share of sets of declared
    copies (filled templates, control pairs, contexts of one template) that are identical after blinding.
    """

    n_in: int
    verified: int
    withheld: int
    by_group: Mapping[str, Mapping[str, Any]]
    codes: Mapping[str, int]
    siblings: float | None
    sibling_sets: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingFacts:
    """Per dimension and group: replies in = scored + unscored (by kind) + withheld."""

    judge: str
    fingerprint: Mapping[str, str]
    counts: Mapping[str, Mapping[str, Mapping[str, int]]]
    languages: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFacts:
    """Who labelled how many texts, and what is left to do."""

    per_annotator: Mapping[str, int]
    texts: int
    sample: str | None
    commands: tuple[str, ...]
    stale: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A pair of replies to the same template from two groups, as the report quotes them."""

    unit_id: str
    group_a: str
    group_b: str
    text_a: str
    text_b: str
    blinded: bool


@dataclass(frozen=True, kw_only=True)
class Findings:
    """Everything a report says. Judged numbers are in it only where they are calibrated."""

    study: Mapping[str, Any]
    study_hash: str
    blinding: BlindingFacts
    judging: JudgingFacts
    labels: LabelFacts
    swap: tuple[SwapResult, ...]
    swap_note: str | None
    agreement: tuple[Agreement, ...]
    human_kappa: Mapping[str, Any]
    calibrated: tuple[Calibrated, ...]
    refused: tuple[Refused, ...]
    gaps: tuple[Gap, ...]
    human_gaps: tuple[HumanGap, ...]
    gate: str
    sealed_at: str | None
    decided_by: str | None
    later_edits: tuple[Mapping[str, Any], ...]
    quotes: tuple[Quote, ...]
    next_steps: tuple[str, ...]
    notes: tuple[str, ...] = ()
    in_doubt: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
