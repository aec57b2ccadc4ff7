"""What chat services have in common: settings, prices, a key, and giving up what a service does not take."""

from __future__ import annotations

import json
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import regex

from judgekit.endpoints.base import ADAPTED, RawAnswer, Request
from judgekit.endpoints.http import Address, Fault, Reply, Secret, Service, conceal, read_address, read_secret
from judgekit.endpoints.http_errors import Refusal, kind_of, read_refusal, refused
from judgekit.endpoints.limits import Estimate
from judgekit.errors import ConfigProblem

__all__ = ["ChatEndpoint", "Prices", "Wire"]

MAX_TOKENS = 1024
"""Bound of an answer: one sentence and the scores, with room for a short reasoning block."""

_FRAME = 64  # tokens around the messages, at most
_TIME_LIMIT = 0.5
_REFUSED_PARAMETER = frozenset(
    {"unsupported_parameter", "unsupported_value", "unknown_parameter", "extra_forbidden", "unsupported"}
)
_REFUSING_WORDS = (
    "support", "unknown", "unrecognized", "unrecognised", "unexpected", "not permitted", "not allowed", "deprecated",
    "not implemented", "unavailable", "not available", "cannot be set", "invalid parameter",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices per million tokens, in any one currency.

    Examples
    --------
    >>> Prices.stated({"input": 2.0, "output": 8.0}).cost(1_000_000, 500_000)
    6.0
    """

    input: float
    output: float

    @classmethod
    def stated(cls, prices: Mapping[str, float]) -> Prices | None:
        """Prices from a study's ``judge.prices``; None for an empty one.

        Raises
        ------
        ConfigProblem
            Not both ``input`` and ``output``, another key, or a value that is no price.
        """
        if not prices:
            return None
        good = set(prices) == {"input", "output"}
        if not good or not all(math.isfinite(p) and p >= 0 for p in prices.values()):
            raise ConfigProblem(
                "the prices do not fit",
                field="judge.prices",
                seen=", ".join(f"{name}: {value}" for name, value in sorted(prices.items())),
                why="both input and output are needed, per million tokens, 0 or more",
                remedy="write, for example, prices: {input: 2.50, output: 10.00}",
            )
        return cls(float(prices["input"]), float(prices["output"]))

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """What so many tokens cost."""
        return (tokens_in * self.input + tokens_out * self.output) / 1e6


@dataclass(frozen=True, slots=True)
class Wire:
    """What of the settings a service was found to take: the form of structured output, the name of the bound on an
    answer (None: it takes none), and which settings are left out.
    """

    form: str
    limit: str | None
    without: frozenset[str] = frozenset()


class ChatEndpoint(ABC):
    """A chat service over HTTP.

    Parameters
    ----------
    model : str
        As the service calls it.
    base_url : str, optional
        Its address. By default the provider's variable (such as ``OPENAI_BASE_URL``), then the provider's own.
    api_key_env : str, optional
        The variable with the key. By default the provider's (such as ``OPENAI_API_KEY``).
    parameters : mapping, optional
        ``temperature`` (0 by default; None: not sent), ``max_tokens`` of an answer (1024), ``seed`` where there is one.
    prices : mapping, optional
        ``input`` and ``output`` per million tokens; without them no cost limit can be kept.

    Raises
    ------
    ConfigProblem
        A name, address, setting or price that cannot be used.

    Notes
    -----
    The first request finds out what the service takes: when it refuses a setting by name, the same call goes out
    again without it, and `dropped` says so. Once a call was answered, nothing is given up any more, so that no judged
    text quoted in an error can change how the others are judged.
    """

    provider: str
    key_variable: ClassVar[str]
    address_variable: ClassVar[str]
    own_address: ClassVar[str]
    settings: ClassVar[frozenset[str]]
    path: ClassVar[str]

    languages: frozenset[str] | None = None
    probes = True
    """The runner sends the first request by itself."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key_env: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        prices: Mapping[str, float] | None = None,
    ) -> None:
        if not regex.fullmatch(r"[\w][\w./:@+-]{0,199}", model, timeout=_TIME_LIMIT):
            raise ConfigProblem(
                "this is no name of a model",
                field="judge.spec",
                seen=f"{self.provider}:{model.partition('?')[0]}",  # what follows may be a key
                remedy=f"write {self.provider}:MODEL",
            )
        self.model = model
        self.address = self._address(base_url)
        self.host: str | None = self.address.name
        self.parameters: Mapping[str, Any] = self._checked(dict(parameters or {}))
        self.prices = Prices.stated(prices or {})
        self._variable, self._named = api_key_env or self.key_variable, api_key_env is not None
        self._secret: Secret | None = None
        self._ready = False
        self._service = Service(self.address, self._headers())
        self._wire = self._first_wire()
        self._first = self._wire
        self._proven = False
        self.served: tuple[str | None, str | None] | None = None
        """Served model and system fingerprint of the first answer; the runner compares all others with it."""

    def _address(self, base_url: str | None) -> Address:
        import os

        found = base_url or os.environ.get(self.address_variable) or self.own_address
        return read_address(found, field="judge.base_url" if base_url else self.address_variable)

    def _checked(self, given: dict[str, Any]) -> dict[str, Any]:
        unknown = sorted(set(given) - self.settings)
        if unknown:
            raise ConfigProblem(
                "this judge has no such setting",
                field="judge",
                seen=", ".join(unknown),
                why=f"{self.provider} takes {', '.join(sorted(self.settings))}",
                remedy="remove it",
            )
        temperature = given.get("temperature", 0.0)
        tokens, seed = given.get("max_tokens", MAX_TOKENS), given.get("seed")
        if not (temperature is None or (_number(temperature) and 0 <= temperature <= 2)):
            raise _wrong("temperature", temperature, "a number from 0 to 2")
        if not _whole(tokens) or tokens < 1:
            raise _wrong("max_tokens", tokens, "a whole number of 1 or more")
        if not (seed is None or _whole(seed)):
            raise _wrong("seed", seed, "a whole number")
        made: dict[str, Any] = {"max_tokens": tokens}
        if temperature is not None:
            made["temperature"] = float(temperature)
        if seed is not None:
            made["seed"] = seed
        return made

    # --- what a provider adds --------------------------------------------------------------------------------------

    @abstractmethod
    def _first_wire(self) -> Wire:
        """What is tried first."""

    @abstractmethod
    def _headers(self) -> list[tuple[str, str]]:
        """Headers of every request, without the key."""

    @abstractmethod
    def _key_header(self, key: str) -> tuple[str, str]:
        """The header that the key goes into."""

    @abstractmethod
    def _body(self, request: Request, wire: Wire) -> dict[str, Any]:
        """The document of a request."""

    @abstractmethod
    def _read(self, document: Mapping[str, Any]) -> RawAnswer:
        """The answer in a document."""

    @abstractmethod
    def _next_wire(self, name: str, wire: Wire) -> Wire | None:
        """What is tried after the setting ``name`` was refused; None when it was not sent."""

    @abstractmethod
    def _sent_names(self, wire: Wire) -> dict[str, str]:
        """Words by which a refusal may name a setting that was sent, and the setting's name."""

    # --- asking ----------------------------------------------------------------------------------------------------

    @property
    def needs_key(self) -> bool:
        """Whether it cannot be asked without a key: one was named, or the provider's own address is asked."""
        return self._named or self.address.url("") == self.own_address

    def ready(self) -> None:
        """Read the key; called before the first request.

        Raises
        ------
        ConfigProblem
            It is missing, or would go over the open network unencrypted.
        """
        if self._ready:
            return
        self._secret = read_secret(self._variable, required=self.needs_key)
        if self._secret is not None and self.address.scheme == "http" and not self.address.private:
            raise ConfigProblem(
                f"the key in {self._variable} would go over the network unencrypted",
                field="judge.base_url",
                seen=self.address.name,
                why="anyone on the way could read it",
                remedy="use the https address, or unset the variable when the service needs no key",
            )
        if self._secret is not None:
            conceal(self._secret)
        self._ready = True

    async def send(self, request: Request) -> RawAnswer:
        """Ask once. What the service does wrong comes back as an error kind; only a missing key raises."""
        self.ready()
        wire = self._wire
        content = json.dumps(self._body(request, wire), ensure_ascii=True).encode("ascii")
        key = self._key_header(self._secret.reveal()) if self._secret else None
        reply = await self._service.post(self.path, content, seconds=request.timeout, key=key)
        if isinstance(reply, Fault):
            return RawAnswer(raw=None, error_kind=reply.kind, error_detail=self._hidden(reply.detail))
        adapted = None if 200 <= reply.status < 300 else self._adapted(reply, wire)
        return adapted or self.read(reply)

    def document(self, request: Request) -> dict[str, Any]:
        """The body of a request in the form found so far, as it stands in a batch."""
        return self._body(request, self._wire)

    def read(self, reply: Reply) -> RawAnswer:
        """The answer, or the kind of error, that a reply stands for, however it came."""
        if not 200 <= reply.status < 300:
            return refused(reply, secret=self._secret, now=time.time())
        return self._answer(reply)

    async def ask(
        self,
        method: str,
        path: str,
        content: bytes = b"",
        *,
        seconds: float,
        content_type: str | None = None,
        take: Callable[[bytes], None] | None = None,
    ) -> Reply | Fault:
        """Ask the service for something else than an answer, with the key; see `judgekit.endpoints.http.Service.ask`."""
        self.ready()
        key = self._key_header(self._secret.reveal()) if self._secret else None
        return await self._service.ask(
            method, path, content, seconds=seconds, key=key, content_type=content_type, take=take
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._service.close()

    @property
    def estimate(self) -> Callable[[Request], Estimate] | None:
        """Gives an upper bound of one request's tokens and cost; None without prices, so that no cost limit is taken."""
        return None if self.prices is None else self._estimate

    def _estimate(self, request: Request) -> Estimate:
        # No token is shorter than a byte; the schema is sent, and paid for, as well.
        body = json.dumps(self._body(request, self._first), ensure_ascii=False)
        tokens_in = len(body.encode("utf-8", "surrogatepass")) + _FRAME
        tokens_out = int(self.parameters["max_tokens"])
        return Estimate(tokens_in + tokens_out, self.prices.cost(tokens_in, tokens_out) if self.prices else 0.0)

    @property
    def dropped(self) -> tuple[str, ...]:
        """Settings that the service refused, so that it was asked without them."""
        gone = set(self._wire.without)
        if self._wire.form != self._first.form:
            gone.add(f"response_format {self._first.form}")
        if self._wire.limit is None:
            gone.add("max_tokens")
        return tuple(sorted(gone))

    # --- reading ---------------------------------------------------------------------------------------------------

    def _hidden(self, text: str) -> str:
        return self._secret.hide(text) if self._secret else text

    def _answer(self, reply: Reply) -> RawAnswer:
        try:
            document = json.loads(reply.body)
        except (ValueError, RecursionError):
            shown = self._hidden(reply.body[:200].decode("utf-8", "replace"))
            return RawAnswer(
                raw=None, status=reply.status, error_kind="not_json", error_detail=f"the body is no JSON: {shown}"
            )
        if not isinstance(document, Mapping):
            return RawAnswer(raw=None, status=reply.status, error_kind="no_answer", error_detail="no JSON object")
        if document.get("error") and not document.get("choices"):
            # Gateways report a failed upstream with status 200 and the true status inside.
            refusal = read_refusal(document)
            inner = int(refusal.code) if refusal.code.isdecimal() and 400 <= int(refusal.code[:4]) < 600 else 500
            kind, said = kind_of(inner, refusal), self._hidden(refusal.message)
            return RawAnswer(raw=None, status=reply.status, error_kind=kind, error_detail=said[:400])
        answer = replace(self._read(document), status=reply.status)
        if self.prices is not None and answer.usage is not None:
            used = answer.usage
            cost = self.prices.cost(used.get("prompt_tokens", 0), used.get("completion_tokens", 0))
            answer = replace(answer, cost=cost)
        if answer.error_kind is None:
            self._proven = True
        if self._secret is not None and self._secret.stands_in(reply.body):
            hide = self._secret.hide
            return replace(
                answer,
                raw=None if answer.raw is None else hide(answer.raw),
                finish_reason=None if answer.finish_reason is None else hide(answer.finish_reason),
                served_model=None if answer.served_model is None else hide(answer.served_model),
                system_fingerprint=None if answer.system_fingerprint is None else hide(answer.system_fingerprint),
            )
        return answer

    def _adapted(self, reply: Reply, wire: Wire) -> RawAnswer | None:
        """Leave out the setting that a refusal names; None when it names none that was sent."""
        if self._proven or reply.status not in {400, 422}:
            return None
        refusal = read_refusal(reply.body)
        if wire == self._wire:
            name = self._refused_setting(refusal, wire)
            found = self._next_wire(name, wire) if name is not None else None
            if found is None:
                return None
            self._wire = found
        # Else another request met the same refusal meanwhile, and this one goes out in the new form as well.
        return RawAnswer(
            raw=None,
            status=reply.status,
            error_kind=ADAPTED,
            error_detail=self._hidden(f"asked again in another form: {refusal.message}"[:400]),
        )

    def _refused_setting(self, refusal: Refusal, wire: Wire) -> str | None:
        said = f"{refusal.param} {refusal.message}".lower()[:2000]
        places: list[tuple[int, str]] = []
        for word, name in self._sent_names(wire).items():
            try:
                met = regex.search(rf"(?<![a-z_]){regex.escape(word)}(?![a-z_])", said, timeout=_TIME_LIMIT)
            except TimeoutError:
                met = None
            if met is not None:
                places.append((met.start(), name))
        if not places:
            return None
        name = min(places)[1]
        # A value out of range is the user's to mend; only a setting that is not taken at all is left out.
        takes_not = bool(refusal.names & _REFUSED_PARAMETER) or any(words in said for words in _REFUSING_WORDS)
        return name if takes_not or name in {"form", "top_logprobs"} else None


def tokens(usage: object, *names: str) -> int:
    """A count that a service reports, as the sum of these fields; what is no count is 0."""
    if not isinstance(usage, Mapping):
        return 0
    counts = [usage.get(name) for name in names]
    return sum(count for count in counts if isinstance(count, int) and not isinstance(count, bool) and count > 0)


def text_or_none(value: object) -> str | None:
    """A text of a document; None for anything else."""
    return value if isinstance(value, str) and value else None


def joined(content: object) -> str:
    """The text of a message: a text, or the text parts of a list; reasoning and other parts are left out."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [part.get("text") for part in content if isinstance(part, Mapping) and part.get("type") in {"text", None}]
    return "".join(part for part in parts if isinstance(part, str))


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _wrong(name: str, value: object, wanted: str) -> ConfigProblem:
    return ConfigProblem(
        "a setting of the judge does not fit",
        field=f"judge.{name}",
        seen=value,
        why=f"{wanted} is wanted",
        remedy="correct it",
    )
