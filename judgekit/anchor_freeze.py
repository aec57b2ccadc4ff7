"""Freezing a study's labelled texts into an anchor set for builds to come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from judgekit import stages
from judgekit.errors import BadInput, UsageProblem
from judgekit.evidence import HumanLabel
from judgekit.files.anchor_set import AnchorLabel, AnchorSet, AnchorText, write_anchor_set
from judgekit.files.chain import head
from judgekit.files.manifest import file_sha256
from judgekit.files.seal import read_seals, sealed_before
from judgekit.label_state import label_files
from judgekit.records import BLINDING_VERSION, BlindedReply, Reply, Withheld
from judgekit.study import Study
from judgekit.workspace import Clock, open_workspace

__all__ = ["Frozen", "freeze_anchors"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """What was frozen: texts, labels by annotator, and labels left out because text or rubric has changed since.

    ``sha256`` is the file's, for ``labels.anchors_sha256``.
    """

    output: str
    texts: int
    labels: dict[str, int]
    stale: int
    sha256: str


def freeze_anchors(study: Study, output: Path, *, force: bool = False, clock: Clock = stages.now) -> Frozen:
    """Write the labels that stand, and the masked texts they were given on, into one file.

    Parameters
    ----------
    study : Study
        A study whose own replies people have labelled.
    output : Path
        The anchor set.
    force : bool
        Replace an existing one.
    clock : callable
        Gives the time of freezing.

    Returns
    -------
    Frozen

    Raises
    ------
    UsageProblem
        The study itself uses an anchor set.
    BadInput
        Nobody has labelled one of its texts as they are now.
    AlreadyThere
        The output exists.
    """
    if study.labels.scope == "anchors":
        raise UsageProblem(
            "this study has no labels of its own",
            path=study.file,
            field="labels.scope",
            seen="anchors",
            remedy="freeze the study in which people labelled",
        )
    replies = stages.read_replies_of(study)
    rubrics = {rubric.hash for rubric in stages.rubrics_of(study).values()}
    results = stages.blind(replies, study).results
    space = open_workspace(study)
    state = stages.read_labels(space)

    def stands(item: str, text_hash: str) -> bool:
        result = results.get(item)
        return isinstance(result, BlindedReply) and result.text_hash == text_hash

    kept = [x for x in state.labels if x.rubric_hash in rubrics and stands(x.item, x.text_hash)]
    if not kept:
        raise BadInput(
            "there is nothing to freeze",
            path=space.labels,
            why="nobody has labelled a text of this study as it is now",
            remedy="run `judgekit run` and label the sample first",
        )
    texts = _texts({x.item for x in kept}, results, {reply.id: reply for reply in replies}, state.inclusion)
    anchors = AnchorSet(
        study=study.study,
        frozen_at=clock().isoformat(timespec="seconds").replace("+00:00", "Z"),
        blinding_version=BLINDING_VERSION,
        decided=_decided(space.seals, state),
        texts=texts,
        labels=_labels(kept, state.adjudicated),
        left_out=len(state.labels) - len(kept),
        label_heads=_heads(space.labels),
        seal=seals[-1].hash if (seals := read_seals(space.seals)) else None,
    )
    write_anchor_set(output, anchors, force=force)
    counts = {who: sum(x.annotator == who for x in kept) for who in sorted({x.annotator for x in kept})}
    return Frozen(
        output=str(output), texts=len(texts), labels=counts, stale=anchors.left_out, sha256=file_sha256(output)
    )


def _heads(folder: Path) -> dict[str, str]:
    """The last hash of every label file, adjudication among them."""
    settled = {f"adjudicated/{path.stem}": path for path in label_files(folder / "adjudicated")}
    return {name: head(path)[1] for name, path in ({p.stem: p for p in label_files(folder)} | settled).items()}


def _labels(kept: Sequence[HumanLabel], adjudicated: Mapping[tuple[str, str], int | str]) -> tuple[AnchorLabel, ...]:
    """People's labels, then those that settle a text; the latter carry the hashes of the labels that they settle."""
    labels = [
        AnchorLabel(
            item=x.item, dimension=x.dimension, annotator=x.annotator, value=x.value, text_hash=x.text_hash,
            rubric_hash=x.rubric_hash, labelled_at=x.labelled_at, seen=x.seen,
        )
        for x in kept
    ]  # fmt: skip
    first = {(x.item, x.dimension): x for x in labels}
    settled = [
        replace(first[place], annotator="adjudicated", value=value, adjudicated=True)
        for place, value in sorted(adjudicated.items())
        if place in first
    ]
    return (*labels, *settled)


def _texts(
    items: set[str],
    results: Mapping[str, BlindedReply | Withheld],
    design: Mapping[str, Reply],
    inclusion: Mapping[str, float],
) -> tuple[AnchorText, ...]:
    texts = []
    for item in sorted(items):
        result, reply = results[item], design[item]
        if isinstance(result, BlindedReply):
            texts.append(
                AnchorText(
                    item=item, text=result.text, context=result.context, lang=result.lang, template_id=reply.unit_id,
                    group=reply.group, case_type=reply.case_type, inclusion=inclusion[item],
                )
            )  # fmt: skip
    return tuple(texts)


def _decided(path: Path, state: stages.LabelState) -> dict[str, object] | None:
    """Thresholds as they had been sealed before the first label; of labels without times, before everything else."""
    seals = read_seals(path)
    if not seals:
        return None
    in_time = seals[0] if state.first_at is None or state.untimed else sealed_before(seals, state.first_at)
    if in_time is None:
        return None
    return {key: in_time.content[key] for key in ("calibration", "labels") if key in in_time.content}
