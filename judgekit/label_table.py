"""A study's labels as the rows of a ratings file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from judgekit import stages
from judgekit.study import Study
from judgekit.workspace import open_workspace

COLUMNS = ("item", "dimension", "annotator", "score", "text_hash", "rubric_hash", "labelled_at", "seen")

__all__ = ["COLUMNS", "export_labels"]


def export_labels(study: Study) -> Iterator[dict[str, Any]]:
    """Every label that stands, one row per text, dimension and annotator, as a ratings file has them.

    Parameters
    ----------
    study : Study

    Yields
    ------
    dict
        ``item, dimension, annotator, score`` (None: skipped), ``text_hash``, ``rubric_hash``, ``labelled_at``, ``seen``
        (how an imported label was given, as `HumanLabel` has it).
    """
    for label in stages.read_labels(open_workspace(study)).labels:
        yield {
            "item": label.item,
            "dimension": label.dimension,
            "annotator": label.annotator,
            "score": label.value,
            "text_hash": label.text_hash,
            "rubric_hash": label.rubric_hash,
            "labelled_at": label.labelled_at,
            "seen": label.seen,
        }
