"""From a judge's SPEC to something that can be asked, with an id that is safe to print and a fingerprint."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from judgekit.endpoints.base import Endpoint
from judgekit.errors import ConfigProblem
from judgekit.files.manifest import fingerprint
from judgekit.records import BLINDING_VERSION, Rubric, ScoreKind

__all__ = ["SPEC_FORMS", "JudgeHandle", "make_judge"]

SPEC_FORMS: Mapping[str, str] = {
    "lexicon": "the embedded word-list judge, English only",
    "stub:...": "a made-up judge with planted effects, for trying things out",
    "python:pkg.mod:func": "a Python function",
    "command:CMD": "a program that reads the request on stdin",
    "openai:MODEL": "chat completions of OpenAI, Azure, vLLM, llama.cpp, Ollama, by base URL",
    "anthropic:MODEL": "Anthropic's messages",
    "local:FILE.gguf": "weights on this machine, by llama.cpp (extra `local`)",
    "replay:LEDGER": "the answers in another ledger, without a call",
}
"""Forms of SPEC that work, and what each is."""

_NETWORK = ("openai", "anthropic")
_FILES = ("local", "replay")
_WITH_PROBABILITIES = ("openai", "local", "replay")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeHandle:
    """A judge: what it is called, how it is asked, and what its scores depend on.

    Parameters
    ----------
    id : str
        The SPEC without anything secret; names the judge in the ledger and in reports.
    endpoint : Endpoint
        What is asked.
    """

    id: str
    endpoint: Endpoint
    _made: dict[tuple[str, str], str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def endpoint_id(self) -> str:
        """Provider, model and host: where a request goes."""
        return f"{self.endpoint.provider}:{self.endpoint.model}@{self.endpoint.host or '-'}"

    @property
    def languages(self) -> frozenset[str] | None:
        """Languages the judge declares; None when it does not say."""
        return self.endpoint.languages

    @property
    def dropped(self) -> tuple[str, ...]:
        """Settings that the judge was found not to take, so that it was asked without them."""
        found: tuple[str, ...] = getattr(self.endpoint, "dropped", ())
        return found

    @property
    def score_kind(self) -> ScoreKind:
        """Whether its scores are the levels it names or expected scores; part of its parameters and fingerprint."""
        return "expected" if self.endpoint.parameters.get("score_kind") == "expected" else "point"

    def ready(self) -> None:
        """Check, before anything is written, that the judge can be asked.

        Raises
        ------
        ConfigProblem
            It needs a key that is not in the environment.
        """
        check: Callable[[], None] | None = getattr(self.endpoint, "ready", None)
        if check is not None:
            check()

    def supports(self, dimension: str) -> bool:
        """Whether the judge has anything to say about a dimension. Judges that do not declare it are asked."""
        answers: frozenset[str] | None = getattr(self.endpoint, "answers", None)
        return answers is None or dimension in answers

    def fingerprint(
        self,
        rubric: Rubric,
        *,
        prompt_hashes: Mapping[str, str],
        served_model: str | None = None,
        system_fingerprint: str | None = None,
    ) -> str:
        """Hash of everything the judge's scores depend on.

        Parameters
        ----------
        rubric : Rubric
        prompt_hashes : mapping of str to str
            The prompt template's hash per language (`prompt.Prompts.hashes`).
        served_model : str, optional
            The model that the provider says has answered; the one asked for by default.
        system_fingerprint : str, optional
            What the provider says of the system that ran it, where it says anything.

        Returns
        -------
        str
            64 hexadecimal digits over provider, model, host, parameters, prompt, rubric and blinding version.
        """
        key = (
            rubric.hash + json.dumps(sorted(prompt_hashes.items())),
            json.dumps([served_model, system_fingerprint]),
        )
        system = {} if system_fingerprint is None else {"system_fingerprint": system_fingerprint}
        if key not in self._made:
            self._made[key] = fingerprint(
                provider=self.endpoint.provider,
                model=served_model or self.endpoint.model,
                host=self.endpoint.host,
                parameters={**self.endpoint.parameters, **system},
                prompt_version=json.dumps(sorted(prompt_hashes.items())),
                rubric_hash=rubric.hash,
                blinding_version=BLINDING_VERSION,
            )
        return self._made[key]


def make_judge(
    spec: str,
    *,
    base_url: str | None = None,
    api_key_env: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    prices: Mapping[str, float] | None = None,
    score: ScoreKind = "point",
    folder: Path | None = None,
) -> JudgeHandle:
    """Make the judge that a SPEC names.

    Parameters
    ----------
    spec : str
        One of `SPEC_FORMS`; ``openai/MODEL`` and ``anthropic/MODEL`` are the same as with a colon.
    base_url, api_key_env : str, optional
        For judges over the network. The key is read when there is something to send.
    parameters : mapping, optional
        Settings such as ``temperature``, for judges that have any.
    prices : mapping, optional
        ``input`` and ``output`` per million tokens, for judges over the network.
    score : {'point', 'expected'}
        ``expected``: the mean over the levels by the judge's token probabilities, instead of the level it names.
    folder : Path, optional
        Where a relative path of ``local:`` or ``replay:`` begins; the current folder by default.

    Returns
    -------
    JudgeHandle

    Raises
    ------
    ConfigProblem
        No such form, settings that the judge cannot use, or a kind of score that it does not give.

    Examples
    --------
    >>> make_judge("lexicon").endpoint_id
    'judgekit:lexicon-1@-'
    """
    kind, _, rest = _canonical(spec).partition(":")
    rest = rest.strip()
    _check_form(spec, kind, rest)
    if score == "expected":
        _check_probabilities(kind)
        if kind != "replay":
            parameters = {**(parameters or {}), "score_kind": score}
    if kind in _NETWORK:
        endpoint = _over_network(kind, rest, base_url, api_key_env, parameters, prices)
        return JudgeHandle(id=f"{kind}:{rest}", endpoint=endpoint)
    _check_settings(kind, base_url, api_key_env, parameters, prices)
    if folder is not None and kind in _FILES and not rest.startswith("~"):
        rest = str(folder / rest)
    endpoint = _endpoint(kind, rest, parameters or {})
    handle = JudgeHandle(id=_safe_id(kind, rest, spec.strip(), endpoint), endpoint=endpoint)
    if kind == "replay" and handle.score_kind != score:
        raise ConfigProblem(
            "the answers were recorded for another kind of score",
            field="judge.score",
            seen=score,
            why=f"the recorded judge gave {handle.score_kind} scores, and the two kinds are never mixed",
            remedy=f"set score to {handle.score_kind}",
        )
    return handle


def _check_form(spec: str, kind: str, rest: str) -> None:
    known = {"stub", "python", "command", *_FILES, *_NETWORK}
    if spec.strip() != "lexicon" and (kind not in known or not rest):
        raise ConfigProblem(
            "no such judge",
            field="judge.spec",
            seen=_without_query(spec),
            why="; ".join(f"{form}: {what}" for form, what in SPEC_FORMS.items()),
            remedy="give one of these forms",
        )


def _check_probabilities(kind: str) -> None:
    if kind not in _WITH_PROBABILITIES:
        raise ConfigProblem(
            "this judge has no expected scores",
            field="judge.score",
            seen=f"expected, with {kind}",
            why="they are made of token probabilities, which openai:... and local:... can give",
            remedy="set score to point, or choose one of those judges",
        )


def _check_settings(
    kind: str,
    base_url: str | None,
    api_key_env: str | None,
    parameters: Mapping[str, Any] | None,
    prices: Mapping[str, float] | None,
) -> None:
    """Refuse what only judges over the network take, and settings of judges that have none."""
    if base_url is not None or api_key_env is not None or prices:
        field, seen = "judge.prices", None
        if base_url is not None:
            field, seen = "judge.base_url", _without_query(base_url)
        elif api_key_env is not None:
            field, seen = "judge.api_key_env", _variable(api_key_env)
        raise ConfigProblem(
            "this judge takes no address, no key and no prices",
            field=field,
            seen=seen,
            why=f"{kind} is not asked over the network",
            remedy="remove the setting",
        )
    if parameters and kind in {"lexicon", "stub", "replay"}:
        raise ConfigProblem(
            "this judge has no settings",
            field="judge",
            seen=", ".join(sorted(parameters)),
            why=f"{kind} does what its SPEC says and nothing else",
            remedy="remove them",
        )


def _canonical(spec: str) -> str:
    spec = spec.strip()
    for kind in _NETWORK:
        if spec.startswith(f"{kind}/"):
            return f"{kind}:{spec.removeprefix(f'{kind}/')}"
    return spec


def _over_network(
    kind: str,
    model: str,
    base_url: str | None,
    api_key_env: str | None,
    parameters: Mapping[str, Any] | None,
    prices: Mapping[str, float] | None,
) -> Endpoint:
    # httpx takes long to load, and most commands ask no judge over the network.
    if kind == "openai":
        from judgekit.endpoints.openai import OpenAIEndpoint as Chosen
    else:
        from judgekit.endpoints.anthropic import AnthropicEndpoint as Chosen  # type: ignore[assignment]
    return Chosen(model, base_url=base_url, api_key_env=api_key_env, parameters=parameters, prices=prices)


def _without_query(text: str) -> str:
    """What follows a question mark in an address may be a key: it is never repeated."""
    address, mark, _ = text.partition("?")
    return f"{address}?‹hidden›" if mark else address


def _variable(name: str | None) -> str:
    """The name of a variable; a key that was written in its place by mistake is never repeated."""
    return name if name is not None and name.isidentifier() else "‹hidden›"


def _safe_id(kind: str, rest: str, spec: str, endpoint: Endpoint) -> str:
    """The SPEC, but without what may hold keys and paths: a command's arguments, and where a ledger is."""
    if kind == "replay":
        return f"replay:{endpoint.provider}:{endpoint.model}"
    if kind == "local":
        return f"local:{getattr(endpoint, 'label', endpoint.model)}"
    if kind != "command":
        return spec
    try:
        words = shlex.split(rest)
    except ValueError:
        words = rest.split()
    digest = hashlib.sha256(rest.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"command:{PurePath(words[0]).name if words else '-'}#{digest}"


def _endpoint(kind: str, rest: str, parameters: Mapping[str, Any]) -> Endpoint:
    if kind == "lexicon":
        from judgekit.judging.lexicon import LexiconEndpoint

        return LexiconEndpoint()
    if kind == "stub":
        from judgekit.endpoints.stub import StubEndpoint

        return StubEndpoint.from_spec(rest)
    if kind == "python":
        from judgekit.endpoints.functions import PythonEndpoint

        return PythonEndpoint.from_spec(rest, parameters=parameters)
    if kind == "replay":
        from judgekit.endpoints.replay import ReplayEndpoint

        return ReplayEndpoint.from_spec(rest)
    if kind == "local":
        from judgekit.endpoints.local import LocalEndpoint

        return LocalEndpoint.from_spec(rest, parameters=parameters)
    from judgekit.endpoints.command import CommandEndpoint

    return CommandEndpoint.from_spec(rest, parameters=parameters)
