"""What people are shown and what they say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["LabelEvent", "LabelKey", "LabelTask", "Rating"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelTask:
    """One thing a rater scores. ``task_id`` is opaque; the sample file says nothing about group or template.

    For a comparison ``text`` is the pair's reply ``a`` and ``text_b`` its reply ``b``.
    """

    task_id: str
    text: str
    context: str | None
    text_hash: str
    lang: str
    repeat_of: str | None = None
    text_b: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelKey:
    """What the sampler knows about a task; kept in a file of its own that raters do not open."""

    task_id: str
    item: str
    stratum: tuple[str, ...]
    inclusion_probability: float
    repeat_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelEvent:
    """One decision of one annotator, appended and never edited. ``prev_hash`` chains the file's lines."""

    annotator: str
    seq: int
    prev_hash: str
    task_id: str
    dimension: str
    event: Literal["score", "skip", "undo", "flag", "note"]
    value: int | str | None
    text_hash: str
    rubric_hash: str
    ms: int | None
    shown_at: str
    shown_first: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One score in a ratings file: who gave what to which item. ``score`` is None when the cell was empty.

    ``line`` is the 1-based line (or row) it was read from; ``carried`` keeps the row's other columns.
    """

    item: str
    dimension: str
    annotator: str
    score: float | str | None
    line: int | None = None
    carried: Mapping[str, Any] = field(default_factory=dict)
