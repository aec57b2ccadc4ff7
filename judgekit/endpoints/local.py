"""A judge on this machine: weights in a GGUF file, served by llama.cpp within this process, asked like any other."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self
from urllib.parse import parse_qsl

import httpx
import regex

from judgekit.endpoints.base import RawAnswer, Request
from judgekit.endpoints.chat import Wire
from judgekit.endpoints.http import Address, Secret, Service, conceal, read_address
from judgekit.endpoints.openai import OpenAIEndpoint
from judgekit.errors import ConfigProblem, ProviderFailed
from judgekit.printable import printable

__all__ = ["LocalEndpoint"]

CONTEXT = 8192
"""Tokens of prompt and answer together, unless the SPEC says otherwise."""

_MAGIC = b"GGUF"
_TIME_LIMIT = 0.5
_PART = regex.compile(r"(.+)-([0-9]{5})-of-([0-9]{5})\.gguf")
_SEEDS = 2**31
_FIRST_ANSWER = 600.0  # seconds for the first token, on a slow machine


class LocalEndpoint(OpenAIEndpoint):
    """``local:FILE.gguf`` or ``local:FILE.gguf?n_ctx=16384&n_threads=4``: weights on this machine, by llama.cpp.

    The server listens on the loopback with a key of its own, from the first request of a run to the end of the run.
    The SHA-256 of the weights and the version of the library are among the judge's parameters: another file of the
    same name, or another llama.cpp, is another judge. Where the file lies is not.

    Parameters
    ----------
    path : str or Path
        The file; of weights in several files (``-00001-of-00004.gguf``) the first.
    n_ctx : int
        Tokens of prompt and answer together. A longer request fails for good, by itself.
    n_threads : int, optional
        As many as there are processors by default; no part of the judge.
    parameters : mapping, optional
        ``temperature`` (0 by default), ``max_tokens`` of an answer, ``seed`` (0 by default).

    Raises
    ------
    ConfigProblem
        The extra ``local`` is not installed, the file is not there or no GGUF, or a setting does not fit.

    Notes
    -----
    Answers are made one at a time and no part of an earlier prompt is reused, so that an answer depends on nothing but
    its own request. Each request has a seed of its own, drawn from ``seed`` and its key, so that repeats at a
    temperature above 0 differ and can be had again.
    """

    provider = "local"
    at_once = 1
    """Requests under way at most."""

    def __init__(
        self,
        path: str | Path,
        *,
        n_ctx: int = CONTEXT,
        n_threads: int | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        self._path = Path(path).expanduser()
        version = _installed(self._path)
        weights = _weights(self._path)
        # A name of file may hold anything; what tells weights apart is their hash.
        name = regex.sub(r"[^\w.+-]", "-", self._path.name, timeout=_TIME_LIMIT).lstrip(".+-")[:120]
        super().__init__(name, parameters={"seed": 0, **(parameters or {})})
        self.host = None
        self.parameters = {**self.parameters, "weights": weights, "n_ctx": n_ctx, "engine": f"xllamacpp {version}"}
        self._threads = n_threads or os.cpu_count() or 1
        self._server: Any = None

    @classmethod
    def from_spec(cls, rest: str, *, parameters: Mapping[str, Any] | None = None) -> Self:
        """The endpoint for what follows ``local:`` in a judge's SPEC; errors as for the class."""
        path, mark, query = rest.rpartition("?")
        if not mark or Path(rest).expanduser().is_file():
            return cls(rest, parameters=parameters)
        given: dict[str, int] = {}
        for name, value in parse_qsl(query, keep_blank_values=True):
            if name not in {"n_ctx", "n_threads"} or name in given or not value.isdecimal() or not int(value):
                raise ConfigProblem(
                    "a setting of the local judge does not fit",
                    field="judge.spec",
                    seen=f"{name}={value}",
                    why="n_ctx (tokens) and n_threads are taken, whole numbers of 1 or more, each once",
                    remedy="write, for example, local:FILE.gguf?n_ctx=16384",
                )
            given[name] = int(value)
        return cls(path, parameters=parameters, **given)

    @property
    def label(self) -> str:
        """Name of the file and the beginning of its hash: what the judge is called."""
        return f"{self.model}#{self.parameters['weights'][:8]}"

    @property
    def needs_key(self) -> bool:
        """Whether it cannot be asked without a key: the server's own is made up here."""
        return False

    def _address(self, base_url: str | None) -> Address:  # noqa: ARG002 - where it listens is known when it runs
        return read_address("http://127.0.0.1:9/v1", field="judge.spec")

    def _first_wire(self) -> Wire:
        return Wire(form="json_schema", limit="max_tokens")

    def _body(self, request: Request, wire: Wire) -> dict[str, Any]:
        body = super()._body(request, wire)
        drawn = hashlib.sha256(f"{self.parameters['seed']}:{request.request_key}".encode()).digest()
        return {**body, "seed": int.from_bytes(drawn[:8], "big") % _SEEDS, "cache_prompt": False}

    def ready(self) -> None:
        """Nothing to look up: the file was checked when the judge was made, and the key is made by `start`."""

    async def send(self, request: Request) -> RawAnswer:
        """Ask once; starts the server where nobody has."""
        self.start()
        return await super().send(request)

    def start(self) -> None:
        """Load the weights and wait until the server answers.

        Raises
        ------
        ConfigProblem
            llama.cpp cannot load the file.
        ProviderFailed
            It loads it and does not answer.
        """
        if self._server is not None:
            return
        key = secrets.token_hex(16)
        self._server = _start(self._path, self.model, key, n_ctx=self.parameters["n_ctx"], n_threads=self._threads)
        self._secret = Secret(key, "local")
        conceal(self._secret)
        self.address = read_address(f"{self._server.listening_address}/v1", field="judge.spec")
        self._service = Service(self.address, self._headers())
        _wait_for_an_answer(self.address, self._key_header(key))

    async def close(self) -> None:
        """Stop the server and give its memory back; the next request starts it again."""
        await super().close()
        self._server = None  # its destructor stops it and waits for its threads


def _installed(path: Path) -> str:
    if importlib.util.find_spec("xllamacpp") is None:
        raise ConfigProblem(
            "judges of the form local:... need the extra `local`",
            field="judge.spec",
            seen=f"local:{path.name}",
            why="llama.cpp is not installed with judgekit, since its library is large",
            remedy="pip install 'judgekit-calibration[local]', or in a checkout: pip install '.[local]'",
        )
    return importlib.metadata.version("xllamacpp")


def _weights(path: Path) -> str:
    """SHA-256 of the file, or of all parts in their order; checked to be GGUF."""
    found = _PART.fullmatch(path.name, timeout=_TIME_LIMIT)
    parts = [path]
    if found is not None:
        head, number, count = found.groups()
        if int(number) != 1:
            raise _no_weights(path, "these weights are in several files", "name the first, -00001-of-...")
        parts = [path.with_name(f"{head}-{i:05}-of-{count}.gguf") for i in range(1, int(count) + 1)]
    digest = hashlib.sha256()
    for part in parts:
        if not part.is_file():
            raise _no_weights(part, "there is no such file", "check the path")
        try:
            with part.open("rb") as file:
                if file.read(len(_MAGIC)) != _MAGIC:
                    raise _no_weights(part, "it does not begin as GGUF does", "give a model in llama.cpp's GGUF format")
                file.seek(0)
                hashed = hashlib.file_digest(file, "sha256")
        except OSError as problem:
            raise _no_weights(part, problem.strerror or "it cannot be read", "check the path") from None
        if len(parts) == 1:
            return hashed.hexdigest()
        digest.update(hashed.digest())
    return digest.hexdigest()


def _no_weights(path: Path, why: str, remedy: str) -> ConfigProblem:
    return ConfigProblem(
        "the local judge has no weights to load", path=path, field="judge.spec", why=why, remedy=remedy
    )


def _wait_for_an_answer(address: Address, key: tuple[str, str]) -> None:
    """Have one token made: a server that is stopped before its loop has begun never stops."""
    asked = {"messages": [{"role": "user", "content": "1"}], "max_tokens": 1}
    try:
        with httpx.Client(trust_env=False, timeout=_FIRST_ANSWER) as client:
            client.post(address.url("/chat/completions"), json=asked, headers=[key]).raise_for_status()
    except httpx.HTTPError as problem:
        raise ProviderFailed(
            "the local judge does not answer", seen=type(problem).__name__, remedy="run the same command again"
        ) from None


def _start(path: Path, name: str, key: str, *, n_ctx: int, n_threads: int) -> Any:
    """Load the weights; returns when the server listens on the loopback, on a port that the system chose."""
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(path.resolve())
    settings.model_alias = {name}  # else every answer carries the path
    settings.n_ctx = n_ctx
    settings.n_parallel = 1
    settings.cpuparams.n_threads = n_threads
    settings.port = 0
    settings.api_keys = [key]
    settings.ui = False
    settings.verbosity = -1  # its log goes past Python, to the terminal
    try:
        server = xllamacpp.Server(settings)
    except (RuntimeError, ValueError, MemoryError) as problem:
        raise ConfigProblem(
            "llama.cpp cannot load these weights",
            path=path,
            field="judge.spec",
            why=printable(problem, limit=300),
            remedy="check that the file is whole and that this version of llama.cpp knows the kind of model",
        ) from problem
    if not server.listening_address:
        raise ProviderFailed("the local judge's server does not listen", path=path, remedy="run the same command again")
    return server
