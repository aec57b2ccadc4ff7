"""What a run found, in one record: the only thing that reports are made from."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from judgekit.gaps import HumanGap, MetricMean
from judgekit.injection.results import InjectionResult
from judgekit.records import Agreement, Calibrated, Gap, Interval, Reason, Refused, SwapResult, Undefined
from judgekit.swapping.pair_results import PairSwapResult

__all__ = [
    "EVERYBODY",
    "BlindingFacts",
    "Findings",
    "GroupKappa",
    "JudgingFacts",
    "LabelFacts",
    "Quote",
    "ReferenceFacts",
]

EVERYBODY = "all"
"""The name under which the replies of a study without groups are counted."""
_NOT_COMPUTED = Undefined("not computed")


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
    """Per dimension and group: replies in = scored + unscored (by kind) + withheld.

    ``dropped`` are settings that the judge was found not to take, so that it was asked without them; ``fingerprint`` is the
    short form for readers, ``fingerprints`` the whole one, by rubric.
    """

    judge: str
    fingerprint: Mapping[str, str]
    counts: Mapping[str, Mapping[str, Mapping[str, int]]]
    languages: tuple[str, ...] | None
    dropped: tuple[str, ...] = ()
    outside_scale: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """For dimensions with expected scores: ``mean`` and ``largest`` share of probability on no declared level."""
    fingerprints: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFacts:
    """Who labelled how many texts, and what is left to do; ``not_yet`` says why nobody should label now.

    ``sample`` is relative to the study's folder; ``raters`` are those of the study; ``stale`` counts labels that were made
    on other texts or with another rubric; ``unfinished`` raters have begun the sample. ``anchors`` describes the frozen set
    that labels come from, if one is used.
    """

    per_annotator: Mapping[str, int]
    texts: int
    sample: str | None
    raters: tuple[str, ...]
    stale: int = 0
    not_yet: str | None = None
    anchors: Mapping[str, Any] | None = None
    unfinished: frozenset[str] = frozenset()
    short: str | None = None
    """Why the whole sample would be too few labels to calibrate, and what to do before anybody labels it."""

    def commands(self, folder: str = "") -> tuple[str, ...]:
        """The command of every rater who has not labelled one of today's texts, or not all of the sample's.

        Parameters
        ----------
        folder : str
            The study's folder as seen from where the command is to be given; empty: from that folder itself.

        Returns
        -------
        tuple of str
            Empty where there is no sample.
        """
        if self.sample is None:
            return ()
        done = self.per_annotator.keys() - self.unfinished
        waiting = [who for who in self.raters if not self.texts or who not in done]
        sample = shlex.quote(str(Path(folder) / self.sample))
        return tuple(f"judgekit label {sample} --as {shlex.quote(who)}" for who in waiting)

    def adding(self, more: int, folder: str = "") -> str:
        """The command that adds ``more`` texts to the sample, to be given where `commands` are."""
        return f"judgekit sample {shlex.quote(folder or '.')} --add {more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupKappa:
    """Agreement of the judge with people on the texts of one group; ``lower`` is the one-sided 95% bound."""

    kappa: float | Undefined
    lower: float | Undefined
    interval: Interval | Undefined
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFacts:
    """Agreement of the judge with all the people at once on one dimension: the number that the threshold is held against.

    ``how`` is the study's ``labels.reference``; ``lower`` the one-sided 95% bound, which rests on ``units`` templates or
    texts. ``by_group`` holds the same for every group that has labels; it is empty where the dimension is
    refused, since with two levels it would help to work out how often the judge gives each of them.
    """

    dimension: str
    kappa: float | Undefined
    lower: float | Undefined
    n: int
    people: int
    how: Literal["mean", "adjudicated", "each"]
    units: int
    unit: Literal["templates", "texts"]
    interval: Interval | Undefined = _NOT_COMPUTED
    by_group: Mapping[str, GroupKappa] = field(default_factory=dict)


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
    """Everything a report says. Judged numbers are in it only where they are calibrated.

    ``agreement`` has no rows of the judge by group where the dimension is refused: they would give its gap away.
    """

    study: Mapping[str, Any]
    study_hash: str
    blinding: BlindingFacts
    judging: JudgingFacts
    labels: LabelFacts
    swap: tuple[SwapResult, ...]
    swap_note: str | None
    agreement: tuple[Agreement, ...]
    references: tuple[ReferenceFacts, ...]
    human_kappa: Mapping[str, Any]
    calibrated: tuple[Calibrated, ...]
    refused: tuple[Refused, ...]
    gaps: tuple[Gap, ...]
    human_gaps: tuple[HumanGap, ...]
    means: tuple[MetricMean, ...]
    gate: str
    sealed_at: str | None
    decided_by: str | None
    later_edits: tuple[Mapping[str, Any], ...]
    quotes: tuple[Quote, ...]
    next_steps: tuple[str, ...]
    notes: tuple[str, ...] = ()
    in_doubt: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    injection: tuple[InjectionResult, ...] = ()
    pair_swap: tuple[PairSwapResult, ...] = ()

    @property
    def too_many_withheld(self) -> tuple[Reason, ...]:
        """Where more replies are withheld than ``blinding.max_withheld`` allows, as a share or as a gap."""
        met = (x for r in self.refused for x in r.reasons if x.code in {"withheld_share", "withheld_gap"})
        return tuple(dict.fromkeys(met))
