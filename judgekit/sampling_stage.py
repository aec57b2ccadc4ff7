"""The labelling sample of a study: written once, when the judge has earned the raters' time."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from judgekit.findings import LabelFacts
from judgekit.records import BlindedReply, Reply, Rubric, SwapResult
from judgekit.stages import Blinded, LabelState
from judgekit.workspace import Workspace

__all__ = ["label_facts", "write_study_sample"]


def label_facts(
    space: Workspace,
    rubrics: Mapping[str, Rubric],
    replies: Sequence[Reply],
    blinded: Blinded,
    labels: LabelState,
    swap: Sequence[SwapResult],
    *,
    write: bool = True,
) -> LabelFacts:
    """What people have labelled and what is left; writes the sample when there is none yet.

    Parameters
    ----------
    space : Workspace
    rubrics : mapping of str to Rubric
    replies : sequence of Reply
    blinded : Blinded
    labels : LabelState
        What the label folder holds.
    swap : sequence of SwapResult
        A judge that failed and would be refused is not worth labelling for: no sample is written then.
    write : bool
        False: only look.

    Returns
    -------
    LabelFacts
        Its commands are to be given in the study's folder.
    """
    study = space.study
    hopeless = study.swap_test.when_failed == "refuse" and any(s.verdict == "failed" for s in swap)
    wanted = study.labels.annotators and not labels.labels and not space.sample.is_file()
    if write and wanted and not hopeless and blinded.verified:
        write_study_sample(space, list(rubrics.values()), replies, blinded.verified)
    texts = {r.item: r.text_hash for r in blinded.verified}
    current = [x for x in labels.labels if texts.get(x.item) == x.text_hash]
    shown = Path(os.path.relpath(space.sample, study.base))
    commands = (
        tuple(f"judgekit label {shlex.quote(str(shown))} --as {shlex.quote(who)}" for who in study.labels.annotators)
        if space.sample.is_file()
        else ()
    )
    return LabelFacts(
        per_annotator=labels.per_annotator,
        texts=len({x.item for x in current}),
        sample=str(shown) if space.sample.is_file() else None,
        commands=commands,
        stale=len(labels.labels) - len(current),
    )


def write_study_sample(
    space: Workspace, rubrics: Sequence[Rubric], replies: Sequence[Reply], verified: Sequence[BlindedReply]
) -> None:
    """Draw the study's sample and write it with its private key file.

    Parameters
    ----------
    space : Workspace
    rubrics : sequence of Rubric
        All are asked of every text, in this order.
    replies : sequence of Reply
        The design, known to the sampler alone.
    verified : sequence of BlindedReply
        Texts that raters may see.
    """
    from judgekit.files.folders import private_folder
    from judgekit.files.labels import key_path, write_key, write_sample
    from judgekit.labelling.opening import make_sample
    from judgekit.labelling.sampling import draw_sample

    settings = space.study.labels
    private_folder(space.labels)
    draw = draw_sample(
        verified,
        {reply.id: reply for reply in replies},
        n=min(settings.n, len({r.text_hash for r in verified})),
        annotators=settings.annotators,
        overlap=settings.overlap,
        repeats=settings.repeats,
        strata=settings.strata,
        seed=space.study.statistics.seed,
    )
    # The key first: a sample without its key could be labelled but never used.
    write_key(key_path(space.sample), draw.keys, force=True)
    write_sample(space.sample, make_sample(draw, rubrics, folder="."), force=False)
