"""The chatbot under test as it is asked for decisions: a study's target, or one that a SPEC names."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judgekit.deciding.ask import Asking, Method
from judgekit.deciding.planted import PlantedDecider, is_planted
from judgekit.endpoints.base import Endpoint
from judgekit.errors import ConfigProblem, JudgekitError
from judgekit.probing.expand import probe_of
from judgekit.probing.targets import TargetHandle, make_target
from judgekit.study import Study

__all__ = ["ANSWER_TOKENS", "TargetOptions", "asking_of"]

ANSWER_TOKENS = 16
"""Bound of a sampled answer, which begins with its option."""

_NEVER = {
    "anthropic": "Anthropic's messages have none",
    "command": "a program's output has none",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetOptions:
    """Settings of the target that a command states, instead of a study's."""

    base_url: str | None = None
    api_key_env: str | None = None
    system_prompt_file: Path | None = None
    temperature: float | None = None
    prices: dict[str, float] = field(default_factory=dict)

    @property
    def stated(self) -> dict[str, Any]:
        """Those that are given, by their keys under ``probe.target``."""
        given = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in given.items() if value not in (None, {})}


def asking_of(
    target: str | Study, options: TargetOptions, *, answers: tuple[str, ...], samples: int
) -> tuple[Asking, str]:
    """How a target is asked for decisions.

    Parameters
    ----------
    target : str or Study
        A SPEC, or a study with ``probe.target``.
    options : TargetOptions
        Win over the study's.
    answers : tuple of str
        The options of the decision.
    samples : int
        As `Asking`.

    Returns
    -------
    Asking
        The temperature is the study's; of a SPEC 1, at which samples estimate the same probability as tokens state.
    str
        The target's id, safe to print.

    Raises
    ------
    ConfigProblem, UsageProblem
        A target or setting that cannot be used.
    """
    if isinstance(target, str) and is_planted(target):
        if options.stated:
            raise ConfigProblem(
                "this target has no settings",
                field="--target",
                seen=", ".join(options.stated),
                why="it does what its SPEC says and nothing else",
                remedy="remove them",
            )
        asking = Asking(
            make=lambda method: PlantedDecider(target, weighed=method == "probabilities"),
            options=answers,
            samples=samples,
        )
        return asking, target.strip()
    study = _study_of(target) if isinstance(target, str) else target
    kind = probe_of(study).target.spec.strip().replace("/", ":", 1).partition(":")[0]
    never = _NEVER.get(kind)
    try:
        # Whatever cannot be used is found before anything is written or sent.
        first = _handle(study, options, "sampled" if never else "probabilities")
    except JudgekitError as problem:
        if isinstance(target, str) and problem.path == str(study.file):
            problem.path = None  # there is no such file: a SPEC was given
        raise

    def make(method: Method) -> Endpoint:
        return _handle(study, options, method).endpoint

    return Asking(make=make, options=answers, samples=samples, system=first.system, never=never), first.id


def _handle(study: Study, options: TargetOptions, method: Method) -> TargetHandle:
    """The study's target, asked for one token with its probabilities, or for a short answer."""
    probe = probe_of(study)
    bound = 1 if method == "probabilities" else ANSWER_TOKENS
    changed = probe.target.model_copy(update={**options.stated, "max_tokens": bound})
    asked = study.model_copy(update={"probe": probe.model_copy(update={"target": changed})})
    return make_target(asked, logprobs=method == "probabilities")


def _study_of(spec: str) -> Study:
    """A study that has nothing but a target."""
    return Study.model_validate(
        {
            "study": "decide",
            "data": {"replies": "replies.jsonl"},
            "rubrics": {"warmth": {"rubric": "warmth"}},
            "probe": {"templates": "templates.yaml", "target": {"spec": spec, "temperature": 1.0}},
        }
    )
