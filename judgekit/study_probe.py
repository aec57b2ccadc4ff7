"""The block ``probe`` of study.yaml: the counterfactual prompts, and the chatbot under test."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from judgekit.study_blocks import Block

__all__ = ["Baselines", "Checks", "Probe", "Subset", "Target"]


class Subset(Block):
    """The part of the design that is run for every commit, beside the nightly whole."""

    templates: int = Field(6, ge=2)
    """Templates drawn, the same ones for one seed."""
    replicates: int = Field(1, ge=1)
    """Replicates of each."""


class Baselines(Block):
    """Arms that show what a change of wording alone does."""

    fixed_sentence: bool = False
    """One neutral sentence added to the prompt."""
    paraphrase: Literal["rules", "off"] = "off"
    """The prompt reworded by rule, in the share of tokens that the groups' change takes."""


class Checks(Block):
    """Does the measurement move when it must, and stay when it should?"""

    recall: bool = False
    """Ask the templates' ``recall`` variants too: the answer must change."""
    precision: bool = False
    """Ask with an age one year higher too: the answer should stay."""


class Target(Block):
    """The chatbot under test, as its users meet it."""

    spec: str = "stub:fair"
    """``openai:MODEL``, ``anthropic:MODEL``, ``local:FILE.gguf``, ``command:CMD``, ``python:pkg.mod:func`` or
    ``stub:fair|biased|noisy``."""
    base_url: str | None = None
    """Endpoint address; never with a key in it."""
    api_key_env: str | None = None
    """Name of the environment variable that holds the key."""
    system_prompt_file: Path | None = None
    """Its own system prompt; the file's hash is pinned."""
    temperature: float | None = Field(0.7, ge=0)
    """As in production; None leaves it to the service."""
    max_tokens: int = Field(1024, ge=1)
    """Bound of one reply."""
    params: dict[str, Any] = Field(default_factory=dict)
    """Further fields of the request, as in production; pinned."""
    concurrency: int = Field(4, ge=1, le=1024)
    """Conversations under way at once."""
    prices: dict[str, float] = Field(default_factory=dict)
    """Price per million tokens: ``input``, ``output``."""
    max_cost: float | None = Field(None, gt=0)
    """Stop before spending more than this."""
    max_calls: int | None = Field(None, ge=1)
    """Stop before making more calls than this."""
    timeout: float = Field(120.0, gt=0)
    """Seconds for one attempt."""
    retries: int = Field(3, ge=0)
    """Further attempts after a fault that may pass."""


class Probe(Block):
    """Prompts from templates, groups, names and replicates."""

    templates: Path
    """YAML file of templates, relative to the study."""
    names: Path | None = None
    """YAML file of name lists; None: the names under ``groups.values``."""
    attributes: list[str] = Field(default_factory=lambda: ["name"], min_length=1)
    """What is varied, one probe each: ``name`` or an attribute that the templates file gives values for."""
    intersections: list[list[str]] = Field(default_factory=list)
    """Attributes varied together, declared beforehand."""
    replicates: int = Field(5, ge=1)
    """Conversations with the same prompt."""
    controls: int = Field(1, ge=0)
    """Pairs of byte-identical prompts for each template: the noise floor."""
    seed: int | None = None
    """Of order, subset and ids; None: ``statistics.seed``."""
    subset: Subset = Field(default_factory=Subset)
    """For every commit."""
    baselines: Baselines = Field(default_factory=Baselines)
    """Arms that show what a change of wording alone does."""
    checks: Checks = Field(default_factory=Checks)
    """Recall and precision."""
    target: Target = Field(default_factory=Target)
    """The chatbot under test."""

    @model_validator(mode="after")
    def _declared(self) -> Probe:
        if len(set(self.attributes)) < len(self.attributes):
            raise ValueError(f"attributes names one twice: {', '.join(self.attributes)}")
        for together in self.intersections:
            if len(set(together)) < 2 or not set(together) <= set(self.attributes):
                raise ValueError(f"an intersection is two or more of attributes, not {', '.join(together) or 'none'}")
        return self
