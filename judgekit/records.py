"""The vocabulary: every record that passes between the stages.

All records are frozen. Three of them vouch for something and can be made by one module only: `BlindedReply` (by
``blinding.verify``), `FilledText` (by ``blinding.fill``) and `Calibrated` (by ``calibration``). A missing score is
`Unscored`, never a number; a statistic that does not exist is `Undefined`, never ``nan``.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import InitVar, dataclass, field
from typing import Any, Literal

from judgekit.errors import NotTheMaker

__all__ = [
    "BASE",
    "BLINDING_VERSION",
    "Agreement",
    "Arm",
    "ArmKind",
    "Attempt",
    "BlindedReply",
    "Calibrated",
    "Call",
    "Contrast",
    "Criterion",
    "FilledText",
    "Gap",
    "GapEstimate",
    "Identity",
    "Interval",
    "Judgment",
    "LabelEvent",
    "LabelKey",
    "LabelTask",
    "Leak",
    "MaskedText",
    "MetricRow",
    "NameForms",
    "Outcome",
    "PairItem",
    "Preference",
    "Rating",
    "Reason",
    "Refused",
    "Reply",
    "Rubric",
    "Scored",
    "Seal",
    "Slot",
    "SwapResult",
    "Task",
    "Undefined",
    "Unit",
    "Unscored",
    "Withheld",
    "claim_maker",
    "scores_of",
    "text_hash",
]

BLINDING_VERSION = "1"

# --- who may make a vouched record ---------------------------------------------------------------------------------

_MAKERS: dict[str, str] = {
    "BlindedReply": "judgekit.blinding.verify",
    "FilledText": "judgekit.blinding.fill",
    "Calibrated": "judgekit.calibration",
}
_TOKENS: dict[str, object] = {}


def claim_maker(record: str) -> object:
    """Hand the right to make a vouched record to the one module that may have it.

    Parameters
    ----------
    record : {'BlindedReply', 'FilledText', 'Calibrated'}
        The record's class name.

    Returns
    -------
    object
        A token to pass as ``maker=`` when the record is made.

    Raises
    ------
    NotTheMaker
        When any other module asks, or when it was claimed before.
    """
    caller = sys._getframe(1).f_globals.get("__name__", "?")  # noqa: SLF001 - the caller is the credential
    if caller != _MAKERS.get(record) or record in _TOKENS:
        raise NotTheMaker(
            f"{record} cannot be made here",
            seen=caller,
            why=f"only {_MAKERS.get(record, 'nobody')} makes it, so that its presence proves the check was run",
            remedy="call that module's public function instead",
        )
    _TOKENS[record] = object()
    return _TOKENS[record]


def _must_be_maker(record: str, maker: object) -> None:
    if record not in _TOKENS or maker is not _TOKENS[record]:
        raise NotTheMaker(
            f"{record} was made by hand",
            why=f"only {_MAKERS[record]} makes it, so that its presence proves the check was run",
            remedy="call that module's public function instead",
        )


def text_hash(text: str, context: str | None = None) -> str:
    """Hash of what a judge or rater reads: the masked (or filled) reply and its context.

    Parameters
    ----------
    text : str
        The reply.
    context : str, optional
        What the reply answers.

    Returns
    -------
    str
        64 hexadecimal digits (SHA-256); equal texts in equal contexts have equal hashes.

    Examples
    --------
    >>> text_hash("Hi") == text_hash("Hi", None), text_hash("Hi") == text_hash("Hi", "")
    (True, False)
    """
    packed = json.dumps([context, text], ensure_ascii=True)
    return hashlib.sha256(packed.encode("ascii")).hexdigest()


# --- statistics ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Undefined:
    """A statistic that does not exist for this input, and why. It is false in a condition and equals no number."""

    reason: str
    detail: str = ""

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return f"undefined ({self.reason})" + (f": {self.detail}" if self.detail else "")


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval. ``low`` and ``high`` may be infinite; ``level`` is a share such as 0.95."""

    low: float
    high: float
    level: float
    method: str


@dataclass(frozen=True, slots=True, order=True)
class Contrast:
    """Two groups compared. Every gap of this contrast is ``a`` minus ``b``."""

    a: str
    b: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRow:
    """One generation as the statistics see it: where it stands in the design, and a value or the reason it lacks one.

    ``value`` is None exactly when ``missing`` names a kind (``withheld``, ``refusal``, ``no_json`` ...).
    """

    item: str
    unit_id: str | None
    group: str | None
    name: str | None
    value: float | None
    missing: str | None = None
    name_pair: str | None = None
    replicate: str | None = None
    case_type: str | None = None


# --- design --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A template: the unit of analysis."""

    unit_id: str
    case_type: str | None = None
    lang: str | None = None
    attribute: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NameForms:
    """How one person is written: given name, family name, title, and pronouns such as ``she/her`` or ``ella``."""

    given: str
    family: str | None = None
    title: str | None = None
    pronouns: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A person who can be put into a masked text."""

    group: str
    name: str
    forms: NameForms
    name_pair: str | None = None


ArmKind = Literal[
    "base", "identity", "control", "paraphrase", "fixed_sentence", "remove", "variant", "recall", "precision"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """Which version of a text this is. Only ``base`` reaches gaps.

    ``identity`` is the name filled in; ``of_arm`` the arm a control or paraphrase belongs to; ``direction`` says
    whether a variant should raise (+1), lower (-1) or keep (0) the answer; ``token_change`` is a share in [0, 1].
    """

    kind: ArmKind = "base"
    identity: str | None = None
    group: str | None = None
    of_arm: str | None = None
    direction: Literal[-1, 0, 1] = 0
    token_change: float | None = None

    @property
    def key(self) -> str:
        """A stable text form, used in the ledger."""
        return json.dumps(
            [self.kind, self.identity, self.group, self.of_arm, self.direction, self.token_change], ensure_ascii=True
        )


BASE = Arm()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One reply of the chatbot as it was read, with its place in the design. Never sent to a judge."""

    id: str
    text: str
    unit_id: str | None = None
    group: str | None = None
    name: str | None = None
    name_pair: str | None = None
    replicate: str | None = None
    arm: Arm = BASE
    context: str | None = None
    known_names: tuple[str, ...] = ()
    lang: str | None = None
    case_type: str | None = None
    carried: Mapping[str, Any] = field(default_factory=dict)


# --- blinding ------------------------------------------------------------------------------------------------------

Field = Literal["text", "context"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A placeholder in a masked text and what stood there.

    ``start`` and ``end`` count code points in the masked text of ``field``; ``person`` numbers people by first
    appearance over context and reply (None: no person, such as a mail address); ``subject`` marks the person whose
    identity is swapped; ``kind`` is the cue's kind and ``form`` its grammatical form; ``surface`` is the original.
    """

    field: Field
    start: int
    end: int
    person: int | None
    subject: bool
    kind: str
    form: str
    surface: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedText:
    """A reply and its context with every cue replaced by a typed slot. Not yet verified."""

    item: str
    text: str
    context: str | None = None
    slots: tuple[Slot, ...] = ()
    lang: str = "en"
    known_names: tuple[str, ...] = ()

    @property
    def text_hash(self) -> str:
        """Hash of the masked reply and context."""
        return text_hash(self.text, self.context)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A cue found in text that should be blinded: where, of what kind, and by which rule of the verifier."""

    field: Field
    start: int
    end: int
    kind: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """A reply that no judge and no rater may see. ``code`` is ``leak``, ``timeout``, ``language`` or ``script``."""

    item: str
    code: str
    leaks: tuple[Leak, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindedReply:
    """A masked text that the verifier has passed: the only thing a judge or a rater receives for scoring."""

    item: str
    text: str
    context: str | None
    text_hash: str
    lang: str
    blinding_version: str
    maker: InitVar[object]

    def __post_init__(self, maker: object) -> None:
        _must_be_maker("BlindedReply", maker)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledText:
    """A masked text with an identity put back, for the swap test. Its judgments can never become scores."""

    item: str
    arm: Arm
    text: str
    context: str | None
    text_hash: str
    lang: str
    maker: InitVar[object]

    def __post_init__(self, maker: object) -> None:
        _must_be_maker("FilledText", maker)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairItem:
    """Two blinded replies of one template, to be compared."""

    pair_id: str
    a_item: str
    b_item: str
    unit_id: str | None = None


# --- judging -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One question a judge or rater answers.

    ``levels`` are ordered for ordinal criteria (integers) and plain labels for nominal ones; ``anchors`` holds, per
    language, one sentence for every level; ``question`` the question itself per language.
    """

    dimension: str
    kind: Literal["ordinal", "nominal"]
    levels: tuple[int | str, ...]
    question: Mapping[str, str]
    anchors: Mapping[str, Mapping[int | str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """A set of criteria under one hash that covers every language's wording."""

    id: str
    version: str
    criteria: tuple[Criterion, ...]
    hash: str
    title: Mapping[str, str] = field(default_factory=dict)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """The criteria's names, in the rubric's order."""
        return tuple(criterion.dimension for criterion in self.criteria)

    @property
    def languages(self) -> frozenset[str]:
        """Languages in which every criterion has all its anchors."""
        return frozenset.intersection(*(frozenset(c.anchors) & frozenset(c.question) for c in self.criteria))

    def criterion(self, dimension: str) -> Criterion:
        """The criterion of that name.

        Raises
        ------
        KeyError
            When the rubric has none.
        """
        for criterion in self.criteria:
            if criterion.dimension == dimension:
                return criterion
        raise KeyError(dimension)


@dataclass(frozen=True, slots=True)
class Scored:
    """A score on the criterion's declared levels: a number (ordinal) or a label (nominal).

    ``expected`` is the probability-weighted score when the judge gave token probabilities; ``coerced`` marks a value
    that needed a harmless repair, such as ``"4"`` for 4.
    """

    value: float | str
    coerced: bool = False
    expected: float | None = None
    distribution: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Unscored:
    """No score, and the kind of failure. Never a number."""

    kind: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Preference:
    """The outcome of a pair in canonical terms (``a`` is the pair's first item, whatever was shown first)."""

    choice: Literal["a", "b", "tie", "inconsistent"]


Outcome = Scored | Unscored | Preference


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One thing to be judged once. Several tasks may share a request when their texts are the same."""

    item: str
    rubric_hash: str
    judge: str
    request_key: str
    arm: Arm = BASE
    pair_id: str | None = None
    order: Literal["ab", "ba", "-"] = "-"
    repeat: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request to a judge. Its key is the hash of the body without the nonce, the endpoint, the text hashes, the
    order and the repeat.
    """

    request_key: str
    body: Mapping[str, Any]
    endpoint: str
    text_hashes: tuple[str, ...]
    order: str
    repeat: int
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try of a call, written before it is sent and completed when the answer arrives. Times are UTC ISO 8601."""

    request_key: str
    n: int
    intent_at: str
    sent_at: str | None = None
    received_at: str | None = None
    status: int | None = None
    raw: str | None = None
    finish_reason: str | None = None
    served_model: str | None = None
    system_fingerprint: str | None = None
    usage: Mapping[str, int] | None = None
    cost: float | None = None
    error_kind: str | None = None
    error_detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgment:
    """What a judge said about one dimension of one task, read from the raw answer by a named parser version."""

    task: Task
    dimension: str
    text_hash: str
    fingerprint: str
    outcome: Outcome
    parser_version: str
    reason: str | None = None
    score_kind: Literal["point", "expected"] = "point"


def scores_of(judgments: list[Judgment] | tuple[Judgment, ...], dimension: str) -> dict[str, list[Outcome]]:
    """Outcomes by item of the judgments that may count: blinded texts (arm ``base``), judged one by one.

    Parameters
    ----------
    judgments : list of Judgment
        Any mixture of arms and dimensions.
    dimension : str
        The dimension wanted.

    Returns
    -------
    dict of str to list of Outcome
        Item id to its outcomes, ordered by repeat. Judgments of filled texts never appear.
    """
    chosen: dict[str, list[tuple[int, Outcome]]] = {}
    for judgment in judgments:
        if judgment.dimension == dimension and judgment.task.arm.kind == "base" and judgment.task.pair_id is None:
            chosen.setdefault(judgment.task.item, []).append((judgment.task.repeat, judgment.outcome))
    return {item: [o for _, o in sorted(found, key=lambda x: x[0])] for item, found in chosen.items()}


# --- labelling -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelTask:
    """One thing a rater scores. ``task_id`` is opaque; the sample file says nothing about group or template."""

    task_id: str
    text: str
    context: str | None
    text_hash: str
    lang: str
    repeat_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelKey:
    """What the sampler knows about a task; kept in a file of its own that raters do not open."""

    task_id: str
    item: str
    stratum: tuple[str, ...]
    inclusion_probability: float
    repeat_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelEvent:
    """One decision of one annotator, appended and never edited. ``prev_hash`` chains the file's lines."""

    annotator: str
    seq: int
    prev_hash: str
    task_id: str
    dimension: str
    event: Literal["score", "skip", "undo", "flag", "note"]
    value: int | str | None
    text_hash: str
    rubric_hash: str
    ms: int | None
    shown_at: str
    shown_first: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One score in a ratings file: who gave what to which item. ``score`` is None when the cell was empty.

    ``line`` is the 1-based line (or row) it was read from; ``carried`` keeps the row's other columns.
    """

    item: str
    dimension: str
    annotator: str
    score: float | str | None
    line: int | None = None
    carried: Mapping[str, Any] = field(default_factory=dict)


# --- agreement, calibration, gaps ----------------------------------------------------------------------------------


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
    ``spread`` the standard deviation of the judge's scores over texts.
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
        _must_be_maker("Calibrated", maker)


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
class Gap:
    """A metric compared between two groups, ``contrast.a`` minus ``contrast.b``.

    ``raw``, ``corrected`` and ``human_only`` are None where they do not apply (a counted metric has only ``raw``) or
    may not be shown. ``verdict`` is against ``margin``; ``adjusted_p`` is corrected over the metrics that are not
    primary.
    """

    metric: str
    contrast: Contrast
    claim: Literal["groups", "these_names"]
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
