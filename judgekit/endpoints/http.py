"""One HTTP service that is asked for answers: its address, its key, its connections.

The key is read from the environment when the first request is about to go out, is kept in a `Secret`, and goes into
one header and nowhere else. Redirects are never followed, so that it reaches the host that was named and no other.
"""

from __future__ import annotations

import asyncio
import logging
import os
import ssl
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import regex

from judgekit.endpoints.address import Address, read_address
from judgekit.errors import ConfigProblem
from judgekit.printable import printable

if TYPE_CHECKING:
    import httpx  # takes a third of a second to load, and most commands ask nobody over the network

__all__ = ["Address", "Fault", "Reply", "Secret", "Service", "conceal", "read_address", "read_secret"]

MAX_BODY = 16 * 1024 * 1024
"""Bytes of an answer after which it is no longer read."""

HIDDEN = "‹hidden›"
OK = 200

_CONNECT = 15.0  # seconds to reach the host
_KEEP = 15.0  # seconds an idle connection is kept
_SHARD = 8  # connections in one pool: finding a free one takes a time that grows with their number
_PIECE = 8  # characters of a key that are hidden when they stand by themselves
_TIME_LIMIT = 0.5


class Secret:
    """A key that shows itself to `reveal` alone: not in a repr, a log, a copy or a pickle.

    Parameters
    ----------
    value : str
        The key.
    variable : str
        Where it came from; this is what is shown.

    Examples
    --------
    >>> Secret("sk-12345678", "OPENAI_API_KEY")
    Secret(OPENAI_API_KEY)
    >>> Secret("sk-12345678", "K").hide("wrong key: sk-12345...")
    'wrong key: ‹hidden›...'
    """

    __slots__ = ("_value", "variable")

    def __init__(self, value: str, variable: str) -> None:
        self._value = value
        self.variable = variable

    def __repr__(self) -> str:
        return f"Secret({self.variable})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not to be stored")

    def reveal(self) -> str:
        """The key itself."""
        return self._value

    def stands_in(self, body: bytes) -> bool:
        """Whether the whole key is in these bytes."""
        return self._value.encode("ascii") in body

    def hide(self, text: str) -> str:
        """The text without the key, or any eight characters of it: services quote keys in part."""
        text = text.replace(self._value, HIDDEN)
        pieces = {self._value[i : i + _PIECE] for i in range(len(self._value) - _PIECE + 1)}
        marked = bytearray(len(text))
        for piece in pieces:
            at = text.find(piece)
            while at >= 0:
                marked[at : at + len(piece)] = b"\1" * len(piece)
                at = text.find(piece, at + 1)
        if not any(marked):
            return text
        kept = [
            char if not marked[i] else (HIDDEN if i == 0 or not marked[i - 1] else "") for i, char in enumerate(text)
        ]
        return "".join(kept)


def read_secret(variable: str, *, required: bool, environ: Mapping[str, str] | None = None) -> Secret | None:
    """The key in an environment variable.

    Parameters
    ----------
    variable : str
        Its name.
    required : bool
        Whether the judge cannot be asked without one.
    environ : mapping, optional
        The process's own by default.

    Returns
    -------
    Secret or None
        None when the variable is not set or empty, and none is required.

    Raises
    ------
    ConfigProblem
        The name is no name of a variable (a key was given instead), the variable is missing, or what it holds cannot
        stand in a header. No value is ever shown.
    """
    # Capitals only: a key given in the place of a name is told by its small letters, and is not echoed.
    if not regex.fullmatch(r"[A-Z][A-Z0-9_]{0,63}", variable, timeout=_TIME_LIMIT):
        raise ConfigProblem(
            "this is no name of an environment variable",
            field="api_key_env",
            why="it takes the name of the variable that holds the key, in capitals, never the key itself",
            remedy="put the key into a variable such as JUDGE_API_KEY and give that name",
        )
    value = (os.environ if environ is None else environ).get(variable, "").strip()
    if not value:
        if not required:
            return None
        raise ConfigProblem(
            f"the environment variable {variable} holds no key",
            field="api_key_env",
            seen=variable,
            why="the judge is asked with a key, and keys are read from the environment only",
            remedy=f"export {variable}, or name another variable by api_key_env",
        )
    if not value.isascii() or not value.isprintable() or " " in value:
        raise ConfigProblem(
            f"what the environment variable {variable} holds is no key",
            field="api_key_env",
            seen=variable,
            why="a key is made of visible ASCII characters",
            remedy="copy it again",
        )
    return Secret(value, variable)


class _Concealing(logging.Filter):
    """Takes keys out of what the HTTP library logs: its lowest level shows the headers that came, and services echo."""

    def __init__(self) -> None:
        super().__init__()
        self.secrets: dict[str, Secret] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        kept = said
        for secret in self.secrets.values():
            kept = secret.hide(kept)
        if kept != said:
            record.msg, record.args = kept, ()
        return True


_CONCEALING = _Concealing()
_LOGGERS = ("httpx", "httpcore.connection", "httpcore.http11", "httpcore.http2", "httpcore.proxy", "httpcore.socks")


def conceal(secret: Secret) -> None:
    """Keep a key out of the HTTP library's log from now on."""
    _CONCEALING.secrets[secret.variable] = secret
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_CONCEALING)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came over the wire: a status, headers with lower-case names, and the whole body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Fault:
    """No whole reply, and the kind of error: ``timeout``, ``connection`` or ``cut_off``."""

    kind: str
    detail: str


class Service:
    """Posts to one address over connections that are kept.

    Parameters
    ----------
    address : Address
    headers : sequence of (str, str)
        Sent with every request; none of them secret.

    Notes
    -----
    The proxies of the environment are used, as a company's network needs it, but never for this machine: a judge
    that runs here must not be asked by way of somewhere else. Bodies are asked for uncompressed.
    """

    def __init__(self, address: Address, headers: Sequence[tuple[str, str]] = ()) -> None:
        self.address = address
        self._headers = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json"),
            ("Accept-Encoding", "identity"),
            ("User-Agent", "judgekit"),
            *headers,
        ]
        self._shards: list[_Shard] = []
        self._tls: ssl.SSLContext | None = None

    async def post(
        self, path: str, content: bytes, *, seconds: float, key: tuple[str, str] | None = None
    ) -> Reply | Fault:
        """Send one body and read the whole reply.

        Parameters
        ----------
        path : str
            Below the address.
        content : bytes
            A JSON document.
        seconds : float
            For everything together, so that a reply that drips in ends too.
        key : (str, str), optional
            The header with the key.

        Returns
        -------
        Reply or Fault
            A status of any kind is a `Reply`.
        """
        return await self.ask("POST", path, content, seconds=seconds, key=key)

    async def ask(
        self,
        method: str,
        path: str,
        content: bytes = b"",
        *,
        seconds: float,
        key: tuple[str, str] | None = None,
        content_type: str | None = None,
        take: Callable[[bytes], None] | None = None,
    ) -> Reply | Fault:
        """Send one request of any kind and read the reply.

        Parameters
        ----------
        method, path, content
            What is asked for, below the address, with which body.
        seconds, key
            As for `post`.
        content_type : str, optional
            JSON by default.
        take : callable, optional
            Gets every line of a reply of status 200 as it comes, so that a reply of any length needs little memory; the
            `Reply` has no body then. Lines taken before a `Fault` stay taken.

        Returns
        -------
        Reply or Fault
        """
        import httpx

        headers = [*self._headers, key] if key else list(self._headers)
        if content_type is not None:
            headers = [(name, content_type if name == "Content-Type" else value) for name, value in headers]
        request = httpx.Request(method, self.address.url(path), headers=headers, content=content)
        request.extensions = {"timeout": {"connect": min(_CONNECT, seconds)}}
        shard = self._free_shard()
        shard.busy += 1
        try:
            async with asyncio.timeout(seconds):
                return await _exchange(shard.transport, request, take)
        except TimeoutError:
            return Fault("timeout", f"no answer within {seconds:g} s")
        except httpx.TimeoutException as problem:
            return Fault("timeout", _words(problem))
        except httpx.TransportError as problem:
            return Fault("connection", _words(problem))
        finally:
            shard.busy -= 1

    async def close(self) -> None:
        """Close every connection; the next request opens new ones."""
        shards, self._shards = self._shards, []
        for shard in shards:
            await shard.transport.aclose()

    def _free_shard(self) -> _Shard:
        for shard in self._shards:
            if shard.busy < _SHARD:
                return shard
        self._shards.append(_Shard(self._transport()))
        return self._shards[-1]

    def _transport(self) -> httpx.AsyncHTTPTransport:
        import httpx

        if self._tls is None:
            # For plain http nothing is ever verified, so the certificates, which take long to read, are left out.
            plain = self.address.scheme == "http"
            self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else httpx.create_ssl_context()
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None, keepalive_expiry=_KEEP)
        return httpx.AsyncHTTPTransport(verify=self._tls, limits=limits, proxy=self.proxy())

    def proxy(self) -> httpx.Proxy | None:
        """The environment's proxy for this address; None for this machine and for hosts in NO_PROXY."""
        import httpx

        proxies = urllib.request.getproxies_environment()
        bypassed = urllib.request.proxy_bypass_environment(self.address.host, proxies)  # type: ignore[attr-defined]
        if self.address.near or bypassed:
            return None
        found = proxies.get(self.address.scheme) or proxies.get("all")
        if not found:
            return None
        try:
            proxy = httpx.Proxy(found)
        except (ValueError, httpx.InvalidURL):
            proxy = None
        if proxy is None or proxy.url.scheme not in {"http", "https"} or not proxy.url.host:
            raise ConfigProblem(
                "the proxy that the environment names cannot be used",
                field=f"{self.address.scheme.upper()}_PROXY",
                why="an http or https address is wanted",
                remedy="mend the variable, or put the judge's host into NO_PROXY",
            )
        return proxy


@dataclass(slots=True)
class _Shard:
    """One pool of connections and how many requests it has under way."""

    transport: httpx.AsyncHTTPTransport
    busy: int = 0


async def _exchange(
    transport: httpx.AsyncHTTPTransport, request: httpx.Request, take: Callable[[bytes], None] | None
) -> Reply | Fault:
    import httpx

    response = await transport.handle_async_request(request)
    body: _Lines | _Whole = _Lines(take) if take is not None and response.status_code == OK else _Whole()
    try:
        stream = response.stream
        assert isinstance(stream, httpx.AsyncByteStream)
        async for piece in stream:
            if not body.add(piece):
                return Fault("cut_off", f"more than {MAX_BODY} bytes; the rest was not read")
    except (httpx.RemoteProtocolError, httpx.ReadError) as problem:
        return Fault("cut_off", f"the reply broke off after {body.size} bytes ({_words(problem)})")
    finally:
        await response.aclose()
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers.raw}
    return Reply(response.status_code, headers, body.end())


class _Whole:
    """A body that is kept as a whole, up to `MAX_BODY`."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.size = 0

    def add(self, piece: bytes) -> bool:
        """Keep a piece; False when it is too much."""
        self.size += len(piece)
        self._pieces.append(piece)
        return self.size <= MAX_BODY

    def end(self) -> bytes:
        """The body."""
        return b"".join(self._pieces)


class _Lines:
    """A body that is handed on line by line; `MAX_BODY` bounds a line."""

    def __init__(self, take: Callable[[bytes], None]) -> None:
        self._take = take
        self._begun = bytearray()
        self.size = 0

    def add(self, piece: bytes) -> bool:
        """Hand on the lines that this piece ends; False when one is too long."""
        self.size += len(piece)
        *ended, begun = piece.split(b"\n")
        for part in ended:
            self._take(bytes(self._begun + part))
            self._begun.clear()
        self._begun += begun
        return len(self._begun) <= MAX_BODY

    def end(self) -> bytes:
        """Hand on what stands after the last line's end."""
        if self._begun:
            self._take(bytes(self._begun))
        return b""


def _words(problem: Exception) -> str:
    said = printable(problem, limit=200)
    return f"{type(problem).__name__}: {said}" if said else type(problem).__name__
