"""Whether the texts that people can label are enough to calibrate a judge."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from judgekit.checkup.checks import Check, warn
from judgekit.errors import JudgekitError
from judgekit.files.labels import read_sample
from judgekit.records import Reply
from judgekit.stages import blind
from judgekit.study import Study

__all__ = ["check_sample"]

_BLINDED_HERE = 4
"""Up to so many times the texts needed, replies are blinded to see how many differ; more replies are taken to be enough."""


def check_sample(study: Study, replies: Sequence[Reply], sample: Path, place: Path) -> Iterator[Check]:
    """Whether all labels together would calibrate: asked before two people give them for nothing.

    Parameters
    ----------
    study : Study
    replies : sequence of Reply
        Its base replies.
    sample : Path
        Its sample, which need not be there.
    place : Path
        The study as the user named it.

    Yields
    ------
    Check
        A warning where they are too few.
    """
    if study.labels.anchors or not study.labels.annotators:
        return
    needed, drawn = study.calibration.min_labels, sample.is_file()
    try:
        different = _different(study, replies)
        texts = min(study.labels.n, different)
        if drawn:
            texts = sum(task.repeat_of is None for task in read_sample(sample).tasks)
    except JudgekitError:
        return  # told where replies and labels are looked at for their own sake
    if texts >= needed:
        return
    enough = different >= needed
    what = f"the sample has {texts} texts" if drawn else f"labels.n is {study.labels.n}"
    if not enough:
        what = f"{len(replies)} replies are {different} different blinded texts"
    first = "collect more replies" if not enough else "" if drawn else "raise labels.n"
    add = f"judgekit sample {shlex.quote(str(place))} --add {needed - texts}" if drawn else ""
    yield warn(
        "labels",
        f"{what}, and fewer than {needed} labels (calibration.min_labels) cannot calibrate",
        "before anybody labels " + ", then ".join(filter(None, (first, add))),
    )


def _different(study: Study, replies: Sequence[Reply]) -> int:
    """Different blinded texts; of many replies, how many replies."""
    if len(replies) > _BLINDED_HERE * study.calibration.min_labels:
        return len(replies)
    return len({reply.text_hash for reply in blind(replies, study).verified})
