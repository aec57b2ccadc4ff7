"""Decided beforehand: a study's decisions are sealed, and edits that came too late are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.files.manifest import file_sha256
from judgekit.files.seal import SealChange, changes, read_seals, seal, sealed_before
from judgekit.records import Rubric, Seal
from judgekit.study import Study
from judgekit.workspace import Clock, Workspace

__all__ = ["edits_of", "seal_study", "sealed_later", "sealed_margins"]


def seal_study(space: Workspace, clock: Clock) -> list[Seal]:
    """Write the study's decisions down, unless the last seal holds the same ones.

    Parameters
    ----------
    space : Workspace
    clock : callable
        Gives the time of the seal.

    Returns
    -------
    list of Seal
        All seals of the study, oldest first, their chain verified.
    """
    study = space.study
    content = study.sealed_content()
    if study.labels.anchors is not None:
        # Not the path alone: another set under the same name is another yardstick.
        content["anchors"] = {"sha256": file_sha256(study.path(study.labels.anchors))}
    seal(
        space.seals,
        study=study.study,
        study_hash=study.hash,
        content=content,
        decided_by=study.decided.by or "",
        decided_on=study.decided.date or "",
        now=clock().isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    )
    return read_seals(space.seals)


def edits_of(seals: Sequence[Seal]) -> list[dict[str, Any]]:
    """Every decision that was edited after the first seal: key, before, after, day."""
    return [{"key": c.key, "before": c.before, "after": c.after, "when": c.when[:10]} for c in changes(seals)]


# A threshold binds from the first label, everything else that bears on a verdict from the first judged score.
_FROM_LABELS = ("calibration.", "labels.")


def _harmless(change: SealChange) -> bool:
    """Edits that stand on the report but cannot turn a verdict.

    A margin stays in force as it was sealed; another judge is asked anew; a metric more or less is its own metric.
    """
    key = change.key
    if key == "labels.anchors_sha256":  # the set's own hash is sealed in any case
        return True
    if key == "labels.annotators":
        return _only_added(change.before or [], change.after or [])
    if key.startswith(("rubrics.", "measured.")):
        return key.endswith(".margin") or change.kind != "changed"
    if key.startswith("groups.values.") and key.endswith(".label"):
        return True
    return key.startswith(("gate.exit_codes", "groups.not_tested", "groups.names_chosen_by", "judge.", "decided"))


def sealed_later(
    seals: Sequence[Seal], first_label: str | None, first_score: str | None, *, untimed: bool = False
) -> tuple[str, ...]:
    """Decisions that bear on a verdict and differ from what was sealed in time.

    Parameters
    ----------
    seals : sequence of Seal
        Oldest first.
    first_label, first_score : str or None
        UTC ISO 8601 times of the first label and the first judged score; None where there is none.
    untimed : bool
        There are labels that do not say when they were given: they may be as old as the first seal.

    Returns
    -------
    tuple of str
        Key paths, sorted: thresholds (and raters left out) since the first label; all else that bears on a verdict
        (people and groups, the swap test's limits, seeds, claims) since the first judged score; ``everything`` when a
        label or score is older than the first seal. A decision that was edited and restored is not among them.
    """
    if not seals:
        return ("everything",)
    found = set()
    for moment, from_labels in ((first_label, True), (first_score, False)):
        if moment is None:
            continue
        in_time = sealed_before(seals, moment)
        if in_time is None:
            found.add("everything")
            continue
        if untimed and from_labels:
            in_time = seals[0]
        found |= {
            change.key
            for change in changes([in_time, seals[-1]])
            if change.key.startswith(_FROM_LABELS) == from_labels and not _harmless(change)
        }
    return tuple(sorted(found))


def _only_added(before: Sequence[str], after: Sequence[str]) -> bool:
    """More raters are welcome at any time; leaving one out could leave a disagreement out. None named means all."""
    return not after or (bool(before) and set(before) <= set(after))


def sealed_margins(
    study: Study, rubrics: Mapping[str, Rubric], seals: Sequence[Seal], first_score: str | None
) -> dict[str, float | None]:
    """The margin of every metric as it was sealed before the first judged score.

    Parameters
    ----------
    study : Study
    rubrics : mapping of str to Rubric
    seals : sequence of Seal
        Oldest first.
    first_score : str or None
        UTC ISO 8601; None: today's margins hold.

    Returns
    -------
    dict of str to float or None
        By dimension or counted metric.
    """
    content: Mapping[str, Any] = study.sealed_content()
    if first_score is not None and seals:
        content = (sealed_before(seals, first_score) or seals[0]).content
    margins: dict[str, float | None] = {}
    for key, rubric in rubrics.items():
        for dimension in rubric.dimensions:
            margins[dimension] = (content["rubrics"].get(key) or {}).get("margin")
    for metric, key in study.metrics.items():
        margins[metric] = (content["measured"].get(key) or {}).get("margin")
    return margins
