"""More texts for a sample that people have labelled: what was drawn and labelled stays, each in its place.

The added texts come after those of the sample in every rater's order, so that labels already given fit. The file names the
hash that it had before, and labels made under that hash go on counting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from judgekit.errors import BadInput
from judgekit.files.labels import SampleFile
from judgekit.labelling.blindness import excused_tasks
from judgekit.labelling.opening import joint_hash, sample_hash
from judgekit.labelling.sampling import Draw, draw_sample
from judgekit.records import BlindedReply, LabelKey, LabelTask, Reply, Rubric

__all__ = ["add_texts", "keys_with"]


def add_texts(
    sample: SampleFile,
    keys: Mapping[str, LabelKey],
    more: int,
    *,
    replies: Sequence[BlindedReply],
    design: Mapping[str, Reply],
    rubrics: Sequence[Rubric],
    overlap: float,
    repeats: float,
    strata: Sequence[str],
    tried: bool,
    path: Path,
) -> tuple[SampleFile, Draw]:
    """A sample with ``more`` further texts, drawn as a larger sample would have been.

    Parameters
    ----------
    sample : SampleFile
        What raters have opened.
    keys : mapping of str to LabelKey
        Its key, by task.
    more : int
        Further texts, 1 or more; fewer where the strata hold no more.
    replies : sequence of BlindedReply
        All that the verifier passes now.
    design : mapping of str to Reply
        Where each stands in the design.
    rubrics : sequence of Rubric
        The study's, which must be those of the sample.
    overlap, repeats, strata
        As for `draw_sample`. A share of overlap holds for the added texts; a number was met by the sample.
    tried : bool
        The rubric was tried on the texts beside the sample: they were talked about and are not drawn any more.
    path : Path
        The sample's file, for messages.

    Returns
    -------
    sample : SampleFile
    draw : Draw
        The added texts alone; its ``inclusion`` holds for the whole sample.

    Raises
    ------
    BadInput
        The replies or the rubrics are no longer those of the sample, or no text is left.
    """
    kept = _unchanged(sample, keys, replies, rubrics, path)
    met = [data for name in ("practice", "tryout")[: 1 + tried] for data in sample.extra.get(name) or ()]
    draw = draw_sample(
        replies,
        design,
        n=len(kept) + more,
        annotators=sample.annotators,
        overlap=overlap if overlap <= 1 else 0.0,
        repeats=repeats,
        strata=strata,
        seed=sample.seed,
        kept=kept,
        shown=[data["text_hash"] for data in met],
    )
    if not draw.tasks:
        raise BadInput(
            "no text is left to add",
            path=path,
            why=f"all {len(replies)} verified replies are in the sample, practised on, tried, or the same as one that is",
            remedy="collect more replies for another study; these labels can be its anchors (`judgekit labels freeze`)",
        )
    return _joined(sample, draw), draw


def _unchanged(
    sample: SampleFile,
    keys: Mapping[str, LabelKey],
    replies: Sequence[BlindedReply],
    rubrics: Sequence[Rubric],
    path: Path,
) -> dict[str, LabelTask]:
    """The tasks of the sample by item, once their texts and rubrics are known to be those of today."""
    if joint_hash(rubrics) != sample.rubric_hash:
        raise BadInput(
            "the rubric is not the one of this sample",
            path=path,
            seen=joint_hash(rubrics)[:12],
            why=f"people labelled with {sample.rubric_hash[:12]}, and labels of two rubrics do not mix",
            remedy="restore the rubric, or start a study of another name",
        )
    kept = {keys[task.task_id].item: task for task in sample.tasks if task.repeat_of is None and task.task_id in keys}
    now = {reply.item: reply.text_hash for reply in replies}
    changed = [item for item, task in kept.items() if now.get(item) != task.text_hash]
    if changed:
        raise BadInput(
            "a text of the sample is not among the replies any more",
            path=path,
            seen=changed[0],
            why=f"{len(changed)} of {len(kept)} were changed, left out or withheld since",
            remedy="restore the replies and the blinding that the sample was drawn from",
        )
    return kept


def _joined(sample: SampleFile, draw: Draw) -> SampleFile:
    before = sample.assigned or dict.fromkeys(sample.annotators, tuple(task.task_id for task in sample.tasks))
    added = [
        *(sample.extra.get("added") or ()),
        {"sample": sample_hash(sample), "tasks": [t.task_id for t in draw.tasks]},
    ]
    drawn = {task.text_hash for task in draw.tasks}
    tryout = [data for data in sample.extra.get("tryout") or () if data["text_hash"] not in drawn]
    excused = [*(sample.extra.get("excused") or ()), *excused_tasks(draw.tasks)]
    return replace(
        sample,
        tasks=tuple(sorted([*sample.tasks, *draw.tasks], key=lambda task: task.task_id)),
        assigned={who: tuple(sorted([*ids, *draw.assignments[who]])) for who, ids in before.items()},
        extra={**sample.extra, "added": added, "excused": excused, "tryout": tryout},
    )


def keys_with(keys: Mapping[str, LabelKey], draw: Draw) -> list[LabelKey]:
    """The key of a sample and of what was added, with the inclusion probabilities of the whole.

    Parameters
    ----------
    keys : mapping of str to LabelKey
        Before.
    draw : Draw
        From `add_texts`.

    Returns
    -------
    list of LabelKey
    """
    before = [
        replace(key, inclusion_probability=draw.inclusion.get(key.item, key.inclusion_probability))
        for key in keys.values()
    ]
    return sorted([*before, *draw.keys], key=lambda key: key.task_id)
