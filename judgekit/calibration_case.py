"""One dimension under examination, and the numbers that its checks share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, Literal

from judgekit.agreement.kappa import cohen_kappa
from judgekit.agreement.reference import ReferenceKappa, reference_kappa
from judgekit.evidence import Evidence
from judgekit.records import Contrast, Criterion, Rubric, Scored, Undefined

__all__ = ["Case", "human_kappa", "judge_scores", "reference_for", "weights_of"]


@dataclass
class Case:
    """One dimension under examination for one contrast, and what was found so far."""

    evidence: Evidence
    rubric: Rubric
    criterion: Criterion
    contrast: Contrast | None
    judged: Mapping[str, int | str | float | None]
    human: Mapping[str, Mapping[str, int | str | None]]
    reference: ReferenceKappa | Undefined
    human_kappa: float | Undefined
    facts: dict[str, Any] = field(default_factory=dict)
    conditions: list[str] = field(default_factory=list)
    publish_raw: bool = True

    @property
    def n(self) -> int:
        """Texts that both the judge and at least one person scored."""
        return 0 if isinstance(self.reference, Undefined) else self.reference.n


def judge_scores(evidence: Evidence, criterion: Criterion) -> dict[str, int | str | float | None]:
    """The judge's score of every item; None where there is none."""
    return {
        item: outcome.value if isinstance(outcome, Scored) else None
        for item, outcome in evidence.judged(criterion).items()
    }


def reference_for(
    evidence: Evidence,
    criterion: Criterion,
    judged: Mapping[str, int | str | float | None],
    human: Mapping[str, Mapping[str, int | str | None]],
    items: set[str],
) -> ReferenceKappa | Undefined:
    """Agreement of the judge with people on these items; templates are the clusters of the error where they are known."""
    labelled = sorted(item for item in items if any(item in scores for scores in human.values()))
    if not labelled:
        return Undefined("no_labels", "no text has a label")
    units = [evidence.design[item].unit_id for item in labelled]
    clusters = [str(u) for u in units] if all(u is not None for u in units) and len(set(units)) > 1 else None
    return reference_kappa(
        [judged.get(item) for item in labelled],
        {who: [scores.get(item) for item in labelled] for who, scores in human.items()},
        criterion.levels,
        weights_of(criterion),
        reference=evidence.study.labels.reference,
        clusters=clusters,
        seed=evidence.study.statistics.seed,
    )


def weights_of(criterion: Criterion) -> Literal["none", "quadratic"]:
    """Quadratic weights for ordered scores, none for classes."""
    return "quadratic" if criterion.kind == "ordinal" else "none"


def human_kappa(criterion: Criterion, human: Mapping[str, Mapping[str, int | str | None]]) -> float | Undefined:
    """Mean kappa over the pairs of people who share texts."""
    people = sorted(human)
    found = []
    for i, first in enumerate(people):
        for second in people[i + 1 :]:
            shared = sorted(set(human[first]) & set(human[second]))
            result = cohen_kappa(
                [human[first][x] for x in shared],
                [human[second][x] for x in shared],
                criterion.levels,
                weights_of(criterion),
            )
            if not isinstance(result.kappa, Undefined):
                found.append(result.kappa)
    return fmean(found) if found else Undefined("no_pair", "fewer than two people share labelled texts")
