"""The block ``measured`` of study.yaml: what is counted in the replies, or read from them by patterns or a model."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

from pydantic import Field, model_validator

from judgekit.study_blocks import Block

__all__ = ["Extractor", "Measured"]


class Extractor(Block):
    """A model that reads a fact from each masked reply, answering JSON; asked through the study's ledger."""

    spec: str
    """``openai:MODEL``, ``anthropic:MODEL``, ``local:FILE.gguf``, ``command:CMD``, ``python:pkg.mod:func``, ``stub:...``."""
    base_url: str | None = None
    """Endpoint address; never with a key in it."""
    api_key_env: str | None = None
    """Name of the environment variable that holds the key."""
    prices: dict[str, float] = Field(default_factory=dict)
    """Price per million tokens: ``input``, ``output``; ``judge.max_cost`` bounds what reading costs too, and needs them."""
    question: str = Field(min_length=1)
    """What is asked of the reply, such as: Does the reply promise a call back?"""
    levels: dict[str, str] = Field(min_length=2)
    """Answer to when it is given, such as ``yes: a call is promised``; the share of each is a metric."""


class Measured(Block):
    """A metric counted on the masked text; a placeholder is one word."""

    kind: Literal[
        "word_count",
        "count",
        "binary",
        "decision",
        "refund",
        "escalation",
        "options",
        "conditions",
        "evidence",
        "hedges",
        "refusal",
        "number",
        "extracted",
    ]
    """``count`` counts ``terms``; ``binary`` is 1 for ``positive``, 0 for ``negative``, missing for neither or both.

    By patterns in English and Spanish: ``decision`` (yes, no, refer: the share of each is a metric), ``refund`` (1 granted,
    0 refused, else missing), ``escalation``, ``evidence`` and ``refusal`` (1 where it stands there), ``options``,
    ``conditions`` and ``hedges`` (how many). ``number`` is the one that follows one of ``terms``; ``extracted`` asks a model:
    nobody has compared its readings with people's, so that its verdict is never better than ``cannot tell``."""
    terms: list[str] = Field(default_factory=list)
    """Words or phrases to count, or to look for instead of the patterns."""
    positive: list[str] = Field(default_factory=list)
    """Phrases that mean yes."""
    negative: list[str] = Field(default_factory=list)
    """Phrases that mean no."""
    refer: list[str] = Field(default_factory=list)
    """For ``decision``: phrases that mean that somebody else decides."""
    extractor: Extractor | None = None
    """For ``extracted``: who reads, and what."""
    role: Literal["primary", "secondary"] = "secondary"
    """See rubrics."""
    margin: float | None = Field(None, gt=0)
    """In the metric's own unit."""

    @model_validator(mode="after")
    def _needs(self) -> Measured:
        if self.kind in {"count", "number"} and not self.terms:
            raise ValueError(f"kind {self.kind} needs terms")
        if self.kind == "binary" and not (self.positive and self.negative):
            raise ValueError("kind binary needs positive and negative phrases")
        if any(not phrase.strip() for phrase in (*self.terms, *self.positive, *self.negative, *self.refer)):
            raise ValueError("an empty phrase stands nowhere and everywhere")
        if (self.kind == "extracted") != (self.extractor is not None):
            raise ValueError("kind extracted and the key extractor go together")
        if self.refer and self.kind != "decision":
            raise ValueError("refer is for kind decision")
        return self

    @property
    def levels(self) -> tuple[str, ...]:
        """Labels of a nominal variable, whose shares are metrics each; empty for numbers."""
        if self.kind == "decision":
            return ("yes", "no", "refer")
        return tuple(self.extractor.levels) if self.extractor is not None else ()

    def sealed(self) -> dict[str, Any]:
        """What is decided beforehand; keys of newer kinds only where they are used, so that older seals keep their hash."""
        newer = {"refer": self.refer, "extractor": self.extractor}
        found = self.model_dump(mode="json", exclude={key for key, value in newer.items() if not value})
        if self.extractor is None:
            return found
        del found["extractor"]["prices"]  # no decision, like the judge's
        if self.extractor.spec.startswith("command:"):
            digest = hashlib.sha256(self.extractor.spec.encode("utf-8", "surrogatepass")).hexdigest()[:16]
            found["extractor"]["spec"] = f"command:#{digest}"  # its arguments may hold a key
        return found
