"""Criteria, calls, attempts, judgments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from judgekit.records.design import BASE, Arm

__all__ = [
    "Attempt",
    "Call",
    "Criterion",
    "Judgment",
    "Outcome",
    "Preference",
    "Rubric",
    "ScoreKind",
    "Scored",
    "Task",
    "Unscored",
    "scores_of",
]


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

ScoreKind = Literal["point", "expected"]
"""A judge's score: the level it names, or the mean over the levels by its token probabilities. Never mixed."""


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
    logprobs: str | None = None
    """Token probabilities as they were received (JSON, see `judgekit.endpoints.base.RawAnswer`); the ledger reads them
    back by `judgekit.files.ledger.Ledger.logprobs` alone."""


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
    score_kind: ScoreKind = "point"


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
