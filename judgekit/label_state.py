"""Labels found in a study's folder: read, checked for removed lines, joined with the sampler's key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judgekit.anchoring import Anchored, anchored
from judgekit.evidence import HumanLabel, human_labels
from judgekit.files.anchors import check_and_anchor
from judgekit.files.labels import final_labels, key_path, read_events, read_key, read_sample
from judgekit.files.ledger import Ledger
from judgekit.labelling.adjudication import adjudicated_labels
from judgekit.labelling.opening import rubrics_of
from judgekit.labelling.results import is_finished
from judgekit.records import LabelEvent, LabelKey
from judgekit.workspace import Workspace

__all__ = ["LabelState", "imported_key", "label_files", "read_labels"]


@dataclass(frozen=True, kw_only=True)
class LabelState:
    """Labels found in the study's folder.

    ``first_at`` is when the first decision was taken, undone ones included; ``untimed`` counts labels without a time;
    ``unfinished`` names who has begun the study's sample and has texts left in it.
    With an anchor set ``labels`` are its labels and ``anchors`` the set; both times are then those of another study.
    """

    labels: tuple[HumanLabel, ...] = ()
    inclusion: Mapping[str, float] = field(default_factory=dict)
    first_at: str | None = None
    untimed: int = 0
    per_annotator: Mapping[str, int] = field(default_factory=dict)
    unfinished: frozenset[str] = frozenset()
    adjudicated: Mapping[tuple[str, str], int | str] = field(default_factory=dict)
    anchors: Anchored | None = None


def label_files(folder: Path) -> list[Path]:
    """Files of decisions in a label folder, by name; keys and samples are none.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    list of Path
    """
    return [p for p in sorted(folder.glob("*.jsonl")) if not p.name.endswith((".key.jsonl", ".sample.jsonl"))]


def _check_kept(space: Workspace, files: Sequence[Path]) -> None:
    if space.ledger.is_file():
        with Ledger.open(space.ledger) as ledger:
            check_and_anchor(ledger, {"seals": space.seals} | {f"labels/{p.stem}": p for p in files})


def read_labels(space: Workspace) -> LabelState:
    """Read every annotator's file and the key files of the label folder.

    Parameters
    ----------
    space : Workspace

    Returns
    -------
    LabelState
        Empty when the folder is not there.

    Raises
    ------
    BadInput
        A label file was edited, or a line is not a label.
    RefusedMetric
        Labels or seals were removed since the ledger last saw them.
    """
    frozen = anchored(space.study)
    if frozen is not None:
        _check_kept(space, ())
        return _frozen_state(frozen)
    folder = space.labels
    files = label_files(folder)
    _check_kept(space, files)
    if not files:
        return LabelState()
    keys: dict[str, LabelKey] = {}
    # Only this study's sample and imports: another study may keep its labels in the same folder.
    for path in (key_path(space.sample), imported_key(space)):
        if path.is_file():
            keys.update(read_key(path))
    labels: list[HumanLabel] = []
    times: list[str] = []
    by_annotator: dict[str, list[LabelEvent]] = {}
    for path in files:
        events = [event for event in read_events(path) if event.task_id in keys]
        by_annotator[path.stem] = events
        labels += human_labels(final_labels(events), keys)
        # A decision that was undone and taken again counts from its first time: it has been seen.
        times += [event.shown_at for event in events if event.event in {"score", "skip"}]
    counts: dict[str, set[str]] = {}
    for label in labels:
        counts.setdefault(label.annotator, set()).add(label.item)
    return LabelState(
        labels=tuple(labels),
        inclusion={k.item: k.inclusion_probability for k in keys.values()},
        first_at=min(filter(None, times), default=None),
        untimed=sum(not label.labelled_at for label in labels),
        per_annotator={who: len(items) for who, items in sorted(counts.items())},
        unfinished=_unfinished(space, by_annotator),
        adjudicated=_adjudicated(space, by_annotator, keys),
    )


def _frozen_state(frozen: Anchored) -> LabelState:
    counts: dict[str, set[str]] = {}
    for label in frozen.labels:
        counts.setdefault(label.annotator, set()).add(label.item)
    return LabelState(
        labels=frozen.labels,
        inclusion=frozen.inclusion,
        per_annotator={who: len(items) for who, items in sorted(counts.items())},
        adjudicated=frozen.adjudicated,
        anchors=frozen,
    )


def imported_key(space: Workspace) -> Path:
    """Where the key of labels that were imported into a study is kept."""
    return space.labels / f"{space.study.study}.imported.key.jsonl"


def _unfinished(space: Workspace, by_annotator: Mapping[str, Sequence[LabelEvent]]) -> frozenset[str]:
    if not space.sample.is_file():
        return frozenset()
    sample = read_sample(space.sample)
    rubrics = rubrics_of(sample, space.sample)
    tasks = {task.task_id for task in sample.tasks}
    # Labels that were imported belong to no task of the sample: they are no beginning of it.
    begun = {who: [e for e in events if e.task_id in tasks] for who, events in by_annotator.items()}
    return frozenset(who for who, events in begun.items() if events and not is_finished(events, sample, rubrics, who))


def _adjudicated(
    space: Workspace, by_annotator: Mapping[str, Sequence[LabelEvent]], keys: Mapping[str, LabelKey]
) -> dict[tuple[str, str], int | str]:
    if space.study.labels.reference != "adjudicated" or not space.sample.is_file():
        return {}
    decided = [event for path in sorted((space.labels / "adjudicated").glob("*.jsonl")) for event in read_events(path)]
    found = adjudicated_labels(by_annotator, decided, read_sample(space.sample))
    return {(keys[task].item, dimension): value for (task, dimension), value in found.items() if task in keys}
