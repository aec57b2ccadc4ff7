"""The labelling sample of a study: written once, when the judge has earned the raters' time."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from judgekit import stages
from judgekit.errors import BadInput
from judgekit.findings import LabelFacts
from judgekit.records import BlindedReply, Reply, Rubric, SwapResult
from judgekit.stages import Blinded, LabelState
from judgekit.study import Study
from judgekit.wording.sentence import say
from judgekit.workspace import Workspace

if TYPE_CHECKING:
    from judgekit.labelling.sampling import Draw

__all__ = ["add_to_study_sample", "label_facts", "not_worth_labelling", "write_study_sample"]


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
        A judge that cannot pass is not worth labelling for: no sample is written then.
    write : bool
        False: only look.

    Returns
    -------
    LabelFacts
        Its commands are to be given in the study's folder.
    """
    study = space.study
    not_yet = not_worth_labelling(study, swap)
    if not blinded.verified and not labels.anchors:
        not_yet = say("there is no text that anybody may see: every reply is withheld or failed")
    wanted = study.labels.annotators and not labels.labels and not space.sample.is_file() and not labels.anchors
    if write and wanted and not not_yet and blinded.verified:
        write_study_sample(space, list(rubrics.values()), replies, blinded.verified)
    labelled = labels.anchors.verified if labels.anchors else blinded.verified
    texts = {r.item: r.text_hash for r in labelled}
    asked = {rubric.hash for rubric in rubrics.values()}
    current = [x for x in labels.labels if texts.get(x.item) == x.text_hash and x.rubric_hash in asked]
    shown = Path(os.path.relpath(space.sample, study.base))
    facts = LabelFacts(
        per_annotator=labels.per_annotator,
        unfinished=labels.unfinished,
        texts=len({x.item for x in current}),
        sample=str(shown) if space.sample.is_file() and not labels.anchors else None,
        raters=tuple(study.labels.annotators),
        stale=len(labels.labels) - len(current),
        not_yet=not_yet,
        anchors=labels.anchors.facts() if labels.anchors else None,
    )
    return replace(facts, short=_short(space, facts, blinded)) if facts.sample else facts


def _short(space: Workspace, facts: LabelFacts, blinded: Blinded) -> str | None:
    """What is to be done first where all labels of the sample would be too few; None where somebody need not label."""
    from judgekit.files.labels import read_sample
    from judgekit.labelling.enough import too_small

    if not facts.commands():
        return None
    needed = space.study.calibration.min_labels
    texts = sum(task.repeat_of is None for task in read_sample(space.sample).tasks)
    return too_small(
        texts,
        needed,
        replies=len(blinded.verified),
        different=len({reply.text_hash for reply in blinded.verified}),
        adding=facts.adding(needed - texts),
    )


def not_worth_labelling(study: Study, swap: Sequence[SwapResult]) -> str | None:
    """Why labels would be wasted: no dimension of this judge can pass the swap test. None where one can.

    Parameters
    ----------
    study : Study
    swap : sequence of SwapResult
        Empty for a study without groups, whose judge needs no swap test.

    Returns
    -------
    str or None
    """
    if study.groups is None:
        return None
    good = {"passed", "failed"} if study.swap_test.when_failed == "require_blinding" else {"passed"}
    if any(s.verdict in good for s in swap):
        return None
    if not swap:
        return say("the swap test could not be run, and without it no judged number is reported")
    worst = swap[0]
    if any(s.verdict == "failed" for s in swap):
        worst = next(s for s in swap if s.verdict == "failed")
        return say("the judge reacts to the group ({dimension}); choose another judge first", dimension=worst.dimension)
    return say("the swap test says nothing yet ({dimension}: {why})", dimension=worst.dimension, why=say(worst.why))


def write_study_sample(
    space: Workspace, rubrics: Sequence[Rubric], replies: Sequence[Reply], verified: Sequence[BlindedReply]
) -> None:
    """Draw the study's sample and write it with its private key file.

    Texts to practise on and to try the rubric on come from the replies that the sample leaves; the sample goes first.

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
        practice=settings.practice,
        tryout=settings.tryout,
    )
    # The key first: a sample without its key could be labelled but never used.
    write_key(key_path(space.sample), draw.keys, force=True)
    write_sample(space.sample, make_sample(draw, rubrics, folder="."), force=False)


def add_to_study_sample(space: Workspace, more: int) -> Draw:
    """Draw further texts for a study's sample; labels that were given stay as they are.

    Parameters
    ----------
    space : Workspace
    more : int
        Further texts, 1 or more.

    Returns
    -------
    Draw
        The added texts alone.

    Raises
    ------
    BadInput
        There is no sample yet, or what it was drawn from has changed; nothing was written.
    """
    from judgekit.files.labels import key_path, read_key, read_sample, write_key, write_sample
    from judgekit.labelling.added import add_texts, keys_with

    study = space.study
    if not space.sample.is_file():
        raise BadInput(
            "there is no sample to add to yet",
            path=study.file,
            why="`judgekit run` writes the first one, of labels.n texts",
            remedy="run `judgekit run` on the study first",
        )
    sample, keys = read_sample(space.sample), read_key(key_path(space.sample))
    replies = stages.read_replies_of(study)
    settings = study.labels
    joined, draw = add_texts(
        sample,
        keys,
        more,
        replies=stages.blind(replies, study).verified,
        design={reply.id: reply for reply in replies},
        rubrics=list(stages.rubrics_of(study).values()),
        overlap=settings.overlap,
        repeats=settings.repeats,
        strata=settings.strata,
        tried=any((space.labels / "tryout").glob("*.jsonl")),
        path=space.sample,
    )
    # The key first, as for a new sample: tasks that only the key has are read by nobody.
    write_key(key_path(space.sample), keys_with(keys, draw), force=True)
    write_sample(space.sample, joined, force=True)
    return draw
