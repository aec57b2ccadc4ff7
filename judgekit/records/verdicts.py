"""Agreement, swap test, calibration, gaps, seals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from typing import Any, Literal

from judgekit.records.makers import must_be_maker
from judgekit.records.values import Contrast, Interval, Undefined

__all__ = [
    "Agreement",
    "Calibrated",
    "Gap",
    "GapEstimate",
    "GapInfluence",
    "GapNoise",
    "GroupRows",
    "Reason",
    "Refused",
    "Seal",
    "SwapResult",
]

_NOT_RUN = Undefined("not run")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far two raters agree on one dimension.

    ``kappa`` is Cohen's kappa with the stated weights on the declared levels; ``lower`` its one-sided 95% bound;
    ``bias`` the mean of ``a`` minus ``b``; ``table`` counts with ``a`` in rows and ``b`` in columns. ``ac`` is Gwet's AC1
    (AC2 with weights); ``bootstrap`` the percentile interval of kappa, None when none was asked for.
    """

    dimension: str
    a: str
    b: str
    by: str | None
    n: int
    missing: int
    kappa: float | Undefined
    interval: Interval | Undefined
    lower: float | Undefined
    weights: str
    percent: float | Undefined
    percent_interval: Interval | Undefined
    spearman: float | Undefined
    bias: float | Undefined
    table: tuple[tuple[int, ...], ...] = ()
    levels: tuple[int | str, ...] = ()
    se: float | Undefined | None = None
    ac: float | Undefined | None = None
    bootstrap: Interval | Undefined | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapResult:
    """Whether a judge reacts to the group when the text is the same.

    ``shift`` is the mean score with an ``a`` identity minus the mean with a ``b`` identity on the same texts;
    ``control_shift`` the same between two byte-identical texts; ``changed`` and ``control_changed`` shares in [0, 1];
    ``spread`` the standard deviation of the judge's scores over texts. ``paraphrase_shift`` is the score of a text with
    as many words reworded, minus that of the text as it was, the person being the same; ``excess`` how much further
    names move scores than rewording does, as a mean of absolute changes (positive: names do more). ``name_tokens`` and
    ``paraphrase_tokens`` are median shares of tokens that the change of person and the rewording change.
    """

    judge: str
    dimension: str
    contrast: Contrast
    shift: float | Undefined
    interval: Interval | Undefined
    control_shift: float | Undefined
    control_interval: Interval | Undefined
    paraphrase_shift: float | Undefined
    changed: float | Undefined
    control_changed: float | Undefined
    per_name: Mapping[str, float]
    spread: float | Undefined
    n: int
    unscored: int
    margin: float
    verdict: Literal["passed", "failed", "uninformative"]
    why: str
    paraphrase_interval: Interval | Undefined = _NOT_RUN
    paraphrase_changed: float | Undefined = _NOT_RUN
    paraphrase_n: int = 0
    excess: float | Undefined = _NOT_RUN
    excess_interval: Interval | Undefined = _NOT_RUN
    name_tokens: float | Undefined = _NOT_RUN
    paraphrase_tokens: float | Undefined = _NOT_RUN
    score_kind: Literal["point", "expected"] = "point"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One reason for a refusal: the value that was met, the threshold it had to meet, and what would change it."""

    code: str
    value: float | str | None
    threshold: float | str | None
    remedy: str
    more_labels: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A judged metric that is not reported."""

    judge: str
    dimension: str
    contrast: Contrast | None
    reasons: tuple[Reason, ...]

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """Permission to report one judged dimension (for one contrast, or none for studies without groups).

    ``evidence`` holds the numbers it rests on; ``conditions`` what must be printed beside every result;
    ``publish_raw`` is False when the judge's bias differs between groups by an amount that straddles the tolerance.
    """

    judge: str
    dimension: str
    contrast: Contrast | None
    evidence: Mapping[str, Any]
    conditions: tuple[str, ...]
    publish_raw: bool
    maker: InitVar[object]

    def __post_init__(self, maker: object) -> None:
        must_be_maker("Calibrated", maker)


@dataclass(frozen=True, slots=True, kw_only=True)
class GapEstimate:
    """One estimate of a gap ``a`` minus ``b``.

    ``p`` tests a gap of zero; ``min_p`` is the smallest p this design can reach; ``df`` the degrees of freedom
    of a t method. Counts say what it rests on.
    """

    value: float | Undefined
    interval: Interval | Undefined
    p: float | Undefined
    min_p: float | None
    method: str
    df: float | None
    templates: int
    names_a: int
    names_b: int
    n_a: int
    n_b: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRows:
    """Replies of the two groups that a gap started from, and how many of them have no value, withheld ones included."""

    in_a: int
    in_b: int
    missing_a: int
    missing_b: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GapInfluence:
    """How far a gap rests on single templates or names.

    ``share`` of the templates point the way of the mean gap; ``positive``, ``negative`` and ``zero`` count templates by the
    sign of their gap, ``p`` is the exact two-sided binomial p of the signs. ``without_template`` and ``without_name`` (by
    group) hold the mean gap without each in turn; None where there are too many names to leave out one by one.
    """

    share: float | Undefined
    positive: int
    negative: int
    zero: int
    p: float | Undefined
    without_template: Mapping[str, float | Undefined]
    without_name: Mapping[str, Mapping[str, float | Undefined]] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GapNoise:
    """What control pairs, whose two prompts are the same bytes, show of a metric.

    ``limit`` is the absolute gap up to which a result is called noise: ``pair_limit``, the far end of the interval of the
    mean difference within pairs, brought to as many replies as the gap rests on. ``templates`` have ``pairs`` complete
    control pairs on average; ``covers`` says whether the gap is no larger than the limit.
    """

    limit: float | Undefined
    pair_limit: float | Undefined
    templates: int
    pairs: float
    covers: bool | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A metric compared between two groups, ``contrast.a`` minus ``contrast.b``.

    ``raw``, ``corrected`` and ``human_only`` are None where they do not apply (a counted metric has only ``raw``) or
    may not be shown. ``verdict`` is against ``margin``; ``adjusted_p`` is corrected over the metrics that are not
    primary; ``counts`` says which estimate both rest on; ``rows`` the replies behind it. ``influence`` goes with ``raw``.
    ``missing_kinds`` counts by group and kind the replies of a counted metric that have no value; ``noise`` is there where
    the replies have control pairs.
    """

    metric: str
    contrast: Contrast
    claim: Literal["groups", "these_names", "observed"]
    kind: Literal["judged", "measured", "supplied"]
    role: Literal["primary", "secondary"]
    raw: GapEstimate | None
    corrected: GapEstimate | None
    human_only: GapEstimate | None
    failure_gap: GapEstimate
    per_template: Mapping[str, float]
    per_name: Mapping[str, Mapping[str, float]]
    margin: float | None
    verdict: Literal["pass", "warn", "fail", "cannot tell", "no margin"]
    direction: str
    adjusted_p: float | Undefined | None = None
    notes: tuple[str, ...] = ()
    counts: Literal["corrected", "raw"] = "corrected"
    rows: GroupRows | None = None
    influence: GapInfluence | None = None
    missing_kinds: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    noise: GapNoise | None = None

    @property
    def main(self) -> GapEstimate | None:
        """The estimate that is held against the margin and shown first; None when there is none."""
        first, second = (self.raw, self.corrected) if self.counts == "raw" else (self.corrected, self.raw)
        return first or second

    @property
    def conditions(self) -> tuple[str, ...]:
        """Notes without which the number may not stand: on what a judged gap holds, who read a fact, that logs confound."""
        own = () if self.main is None or self.kind == "judged" or self.claim == "observed" else self.main.notes
        return tuple(note for note in self.notes if note not in own)

    @property
    def all_notes(self) -> tuple[str, ...]:
        """Notes of the gap, then those of the estimate that counts, each once."""
        return tuple(dict.fromkeys((*self.notes, *(self.main.notes if self.main else ()))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """Decisions written down before the first label or judged score; each line's hash covers the one before it."""

    study: str
    study_hash: str
    seq: int
    decided_by: str
    decided_on: str
    sealed_at: str
    content: Mapping[str, Any]
    prev_hash: str
    hash: str
