"""From ``probe.target`` to the chatbot under test, with its system prompt and everything that is pinned of it."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import regex

from judgekit.endpoints.base import Endpoint, Request
from judgekit.errors import ConfigProblem, JudgekitError, UsageProblem
from judgekit.files.manifest import file_sha256
from judgekit.judging.handle import JudgeHandle
from judgekit.probing.expand import probe_of
from judgekit.probing.names import names_of_study
from judgekit.records import Call, Prompt, Turn
from judgekit.study import Study
from judgekit.study_probe import Target

__all__ = ["TargetHandle", "called_target", "make_target", "prompt_call"]

TARGET_FORMS: Mapping[str, str] = {
    "openai:MODEL": "chat completions of OpenAI, Azure, vLLM, llama.cpp, Ollama, by base URL",
    "anthropic:MODEL": "Anthropic's messages",
    "local:FILE.gguf": "weights on this machine, by llama.cpp (extra `local`)",
    "command:CMD": "a program that reads the conversation as JSON on stdin and prints the reply",
    "python:pkg.mod:func": "a function that is given the conversation and returns the reply",
    "stub:fair|biased|noisy": "a planted chatbot",
}
"""Forms of a target's SPEC, and what each is."""

_NETWORK = ("openai", "anthropic")
_WITH_PROBABILITIES = ("openai", "local", "python", "stub")
_JUDGE = regex.compile(r"\b(the|this|another|a)( Python| local)? judge\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetHandle(JudgeHandle):
    """The chatbot under test: how it is asked, its system prompt, and what is pinned of it.

    ``pinned`` holds everything that a reply depends on and that can be known beforehand; a change of it is a new
    experiment. No key, no path and no argument of a command stands in it.
    """

    system: str = ""
    pinned: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hash(self) -> str:
        """SHA-256 of what is pinned."""
        return _sha256(dict(self.pinned))

    def render(self, call: Call, nonce: str) -> Request:  # noqa: ARG002 - a chatbot's prompt holds nothing foreign
        """The finished request of a call from `prompt_call`."""
        turns = tuple(Turn(role, content) for role, content in call.body["turns"])
        return Request(
            request_key=call.request_key,
            system=self.system,
            prompt="\n\n".join(turn.content for turn in turns),
            text="\n\n".join(turn.content for turn in turns if turn.role == "user"),
            context=None,
            lang=call.body["lang"],
            dimensions={},
            parameters=call.body["parameters"],
            turns=turns,
            conversation=call.body["id"],
        )


def prompt_call(prompt: Prompt, target: TargetHandle, *, repeat: int = 0) -> Call:
    """The request that holds one conversation.

    Parameters
    ----------
    prompt : Prompt
    target : TargetHandle
    repeat : int
        Which one, where the same conversation is held several times.

    Returns
    -------
    Call
        Its key covers the conversation, its id, and all that is pinned of the target: replicates have keys of their own,
        and another configuration never takes an earlier one's replies.
    """
    body = {
        "kind": "probe",
        "id": prompt.id,
        "turns": [list(turn) for turn in prompt.turns],
        "lang": prompt.lang or "en",
        "parameters": dict(target.endpoint.parameters),
    }
    return Call(
        request_key=_sha256([body, target.endpoint_id, target.hash, repeat]),
        body=body,
        endpoint=target.endpoint_id,
        text_hashes=(prompt.prompt_hash,),
        order="-",
        repeat=repeat,
        fingerprint=target.hash,
    )


def make_target(study: Study, *, spec: str | None = None, logprobs: bool = False) -> TargetHandle:
    """Make the chatbot under test that a study names.

    Parameters
    ----------
    study : Study
        With a block ``probe``, unless ``spec`` is given.
    spec : str, optional
        Another SPEC instead of the study's, with the study's other settings.
    logprobs : bool
        Ask for token probabilities.

    Returns
    -------
    TargetHandle

    Raises
    ------
    ConfigProblem
        No such form, a setting that does not fit, a system prompt that cannot be read, or no token probabilities from
        this form.
    """
    settings = Target() if study.probe is None and spec else probe_of(study).target
    chosen = _canonical(spec or settings.spec)
    kind, _, rest = chosen.partition(":")
    if kind not in {form.partition(":")[0] for form in TARGET_FORMS} or not rest.strip():
        raise ConfigProblem(
            "no such target",
            field="probe.target.spec",
            seen=chosen.partition("?")[0],
            why="; ".join(f"{form}: {what}" for form, what in TARGET_FORMS.items()),
            remedy="give one of these forms",
        )
    if logprobs and kind not in _WITH_PROBABILITIES:
        raise ConfigProblem(
            "this target gives no token probabilities",
            field="probe.target.spec",
            seen=kind,
            why=f"they come from {', '.join(_WITH_PROBABILITIES)}",
            remedy="take the share of yes over several samples instead",
        )
    with called_target():
        endpoint = _endpoint(study, settings, kind, rest.strip(), logprobs=logprobs)
    system, system_hash = _system_prompt(study, settings)
    handle = TargetHandle(id=_safe_id(kind, rest, endpoint), endpoint=endpoint, system=system)
    pinned = {
        "target": handle.id,
        "spec_hash": None if kind == "local" else _sha256(chosen)[:16],
        "endpoint": handle.endpoint_id,
        "parameters": dict(endpoint.parameters),
        "system_prompt": system_hash,
        "code": getattr(endpoint, "code", None),
        "system": study.system.model_dump(mode="json", exclude={"tested"}),
    }
    return TargetHandle(id=handle.id, endpoint=endpoint, system=system, pinned=pinned)


@contextmanager
def called_target() -> Iterator[None]:
    """Errors of what asks a judge, said of the target: the same code asks both."""
    try:
        yield
    except JudgekitError as problem:
        for name in ("what", "why", "remedy"):
            text = getattr(problem, name)
            if text:
                setattr(
                    problem, name, _JUDGE.sub(lambda found: f"{found[1]}{found[2] or ''} target", text, timeout=1.0)
                )
        if problem.field == "judge" or str(problem.field).startswith("judge."):
            problem.field = "probe.target" + ("" if problem.field == "judge" else str(problem.field)[5:])
        raise


def _system_prompt(study: Study, settings: Target) -> tuple[str, str | None]:
    if settings.system_prompt_file is None:
        return "", None
    path = study.path(settings.system_prompt_file)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigProblem(
            "the system prompt cannot be read",
            path=path,
            field="probe.target.system_prompt_file",
            why="it is no UTF-8" if isinstance(problem, UnicodeDecodeError) else problem.strerror,
            remedy="mend the path, or leave the key out",
        ) from None
    return text, file_sha256(path)


def _endpoint(study: Study, settings: Target, kind: str, rest: str, *, logprobs: bool) -> Endpoint:
    given: dict[str, Any] = {"temperature": settings.temperature, "max_tokens": settings.max_tokens}
    if settings.params:
        given["params"] = dict(settings.params)
    if logprobs and kind in {"openai", "local"}:
        given["score_kind"] = "expected"
    if kind in _NETWORK:
        from judgekit.targets import chat

        over: dict[str, Any] = {
            "base_url": settings.base_url,
            "api_key_env": settings.api_key_env,
            "parameters": given,
            "prices": settings.prices,
        }
        return chat.OpenAITarget(rest, **over) if kind == "openai" else chat.AnthropicTarget(rest, **over)
    if settings.base_url or settings.api_key_env or settings.prices:
        raise UsageProblem(
            "this target takes no address, no key and no prices",
            path=study.file,
            field="probe.target",
            why=f"{kind} is not asked over the network",
            remedy="remove the setting",
        )
    if kind == "local":
        from judgekit.targets.chat import LocalTarget

        rest = rest if rest.startswith("~") else str(study.base / rest)
        return LocalTarget.from_spec(rest, parameters={**given, "seed": _seed(study)})
    if kind == "stub":
        from judgekit.targets.planted import PlantedTarget

        return PlantedTarget(rest, people=_people(study), logprobs=logprobs)
    from judgekit.targets.program import CommandTarget, PythonTarget

    if kind == "command":
        return CommandTarget.from_spec(rest, parameters=given)
    if str(study.base) not in sys.path:
        sys.path.append(str(study.base))  # last, so that no file of the study hides an installed module
    return PythonTarget.from_spec(rest, parameters=given | ({"logprobs": True} if logprobs else {}))


def _seed(study: Study) -> int:
    own = study.probe.seed if study.probe else None
    return study.statistics.seed if own is None else own


def _people(study: Study) -> dict[str, tuple[str, ...]]:
    """The forms of the study's names that belong to one group alone, by group; empty where it has none."""
    try:
        lists = names_of_study(study, "en")
    except UsageProblem:
        return {}
    forms = {
        group: dict.fromkeys(f for person in people for f in person.forms) for group, people in lists.groups.items()
    }
    # Matched lists share surnames, which tell nobody's group.
    met = Counter(form for own in forms.values() for form in own)
    return {group: tuple(form for form in own if met[form] == 1) for group, own in forms.items()}


def _canonical(spec: str) -> str:
    spec = spec.strip()
    for kind in _NETWORK:
        if spec.startswith(f"{kind}/"):
            return f"{kind}:{spec.removeprefix(f'{kind}/')}"
    return spec


def _safe_id(kind: str, rest: str, endpoint: Endpoint) -> str:
    """The SPEC without what may hold keys and paths."""
    if kind == "local":
        return f"local:{getattr(endpoint, 'label', endpoint.model)}"
    return f"command:{endpoint.model}" if kind == "command" else f"{kind}:{rest.strip()}"


def _sha256(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=True, sort_keys=True).encode("ascii")).hexdigest()
