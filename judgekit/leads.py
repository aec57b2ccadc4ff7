"""Leads for whoever mends the chatbot: words that differ between groups. Never a finding, and no judge takes part."""

from __future__ import annotations

from collections.abc import Sequence

from judgekit import stages
from judgekit.records import Contrast
from judgekit.statistics.words import Document, WordDifference, word_differences
from judgekit.study import Study

__all__ = ["words_that_differ"]


def words_that_differ(
    study: Study, contrasts: Sequence[Contrast] | None = None, *, top: int = 20
) -> dict[Contrast, tuple[WordDifference, ...]]:
    """Words that one group's masked replies use more than the other's.

    Parameters
    ----------
    study : Study
        It need not have been run.
    contrasts : sequence of Contrast, optional
        The study's comparisons by default.
    top : int
        Words of each comparison, by absolute z.

    Returns
    -------
    dict of Contrast to tuple of WordDifference
        Replies without a template each count as one of their own.

    Raises
    ------
    BadInput
        The replies cannot be read.
    """
    replies = stages.read_replies_of(study)
    blinded = stages.blind(replies, study)
    design = {reply.id: reply for reply in replies}
    documents = [
        Document(text=text.text, group=design[text.item].group or "", unit_id=design[text.item].unit_id or text.item)
        for text in blinded.verified
    ]
    return {c: word_differences(documents, c, top=top) for c in contrasts or study.contrasts}
