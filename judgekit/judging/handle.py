"""From a judge's SPEC to something that can be asked, with an id that is safe to print and a fingerprint."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from judgekit.endpoints.base import Endpoint
from judgekit.errors import ConfigProblem
from judgekit.files.manifest import fingerprint
from judgekit.records import BLINDING_VERSION, Rubric

__all__ = ["SPEC_FORMS", "JudgeHandle", "make_judge"]

SPEC_FORMS: Mapping[str, str] = {
    "lexicon": "the embedded word-list judge, English only",
    "stub:...": "a made-up judge with planted effects, for trying things out",
    "python:pkg.mod:func": "a Python function",
    "command:CMD": "a program that reads the request on stdin",
}
"""Forms of SPEC that work, and what each is."""

_LATER = ("openai", "anthropic", "local", "replay")


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

    def supports(self, dimension: str) -> bool:
        """Whether the judge has anything to say about a dimension. Judges that do not declare it are asked."""
        answers: frozenset[str] | None = getattr(self.endpoint, "answers", None)
        return answers is None or dimension in answers

    def fingerprint(self, rubric: Rubric, *, prompt_hashes: Mapping[str, str], served_model: str | None = None) -> str:
        """Hash of everything the judge's scores depend on.

        Parameters
        ----------
        rubric : Rubric
        prompt_hashes : mapping of str to str
            The prompt template's hash per language (`prompt.Prompts.hashes`).
        served_model : str, optional
            The model that the provider says has answered; the one asked for by default.

        Returns
        -------
        str
            64 hexadecimal digits over provider, model, host, parameters, prompt, rubric and blinding version.
        """
        key = (rubric.hash + json.dumps(sorted(prompt_hashes.items())), served_model or "")
        if key not in self._made:
            self._made[key] = fingerprint(
                provider=self.endpoint.provider,
                model=served_model or self.endpoint.model,
                host=self.endpoint.host,
                parameters=self.endpoint.parameters,
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
) -> JudgeHandle:
    """Make the judge that a SPEC names.

    Parameters
    ----------
    spec : str
        One of `SPEC_FORMS`.
    base_url, api_key_env : str, optional
        For judges over the network.
    parameters : mapping, optional
        Settings such as ``temperature``, for judges that have any.

    Returns
    -------
    JudgeHandle

    Raises
    ------
    ConfigProblem
        No such form, a form this version does not have, or settings that the judge cannot use.

    Examples
    --------
    >>> make_judge("lexicon").endpoint_id
    'judgekit:lexicon-1@-'
    """
    kind, _, rest = spec.strip().partition(":")
    if kind in _LATER:
        raise ConfigProblem(
            f"judges of the form {kind}:... are not in this version",
            field="judge.spec",
            seen=_without_query(spec),
            why=f"it has {', '.join(SPEC_FORMS)}",
            remedy="wrap the model in a program (command:) or a function (python:), or use lexicon to try the path",
        )
    if spec.strip() != "lexicon" and (kind not in {"stub", "python", "command"} or not rest.strip()):
        raise ConfigProblem(
            "no such judge",
            field="judge.spec",
            seen=_without_query(spec),
            why="; ".join(f"{form}: {what}" for form, what in SPEC_FORMS.items()),
            remedy="give one of these forms",
        )
    if base_url is not None or api_key_env is not None:
        raise ConfigProblem(
            "this judge takes no address and no key",
            field="judge.base_url" if base_url is not None else "judge.api_key_env",
            seen=_without_query(base_url) if base_url is not None else _variable(api_key_env),
            why=f"{kind} runs on this machine",
            remedy="remove the setting",
        )
    if parameters and kind in {"lexicon", "stub"}:
        raise ConfigProblem(
            "this judge has no settings",
            field="judge",
            seen=", ".join(sorted(parameters)),
            why=f"{kind} does what its SPEC says and nothing else",
            remedy="remove them",
        )
    return JudgeHandle(id=_safe_id(kind, rest, spec.strip()), endpoint=_endpoint(kind, rest.strip(), parameters or {}))


def _without_query(text: str) -> str:
    """What follows a question mark in an address may be a key: it is never repeated."""
    address, mark, _ = text.partition("?")
    return f"{address}?‹hidden›" if mark else address


def _variable(name: str | None) -> str:
    """The name of a variable; a key that was written in its place by mistake is never repeated."""
    return name if name is not None and name.isidentifier() else "‹hidden›"


def _safe_id(kind: str, rest: str, spec: str) -> str:
    """The SPEC, but for a command only its program and a hash: arguments may hold keys and paths."""
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
    from judgekit.endpoints.command import CommandEndpoint

    return CommandEndpoint.from_spec(rest, parameters=parameters)
