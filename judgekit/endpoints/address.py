"""Where a service is: a base URL, checked, so that no key ever stands in an address."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

import regex

from judgekit.errors import ConfigProblem

__all__ = ["Address", "read_address"]

_TIME_LIMIT = 0.5


@dataclass(frozen=True, slots=True)
class Address:
    """Where a service is: scheme, host, port and path, checked; ``query`` is empty or Azure's API version."""

    scheme: str
    netloc: str
    host: str
    path: str
    query: str

    @property
    def name(self) -> str:
        """Host, port and path (a plain ``/v1`` left out): what tells two services apart in a fingerprint."""
        return self.netloc + ("" if self.path == "/v1" else self.path)

    @property
    def near(self) -> bool:
        """Whether the host is this machine."""
        return self.host == "localhost" or self.host.endswith(".localhost") or _loopback(self.host)

    @property
    def private(self) -> bool:
        """Whether the host is this machine or stands on a network of one's own, as far as its name shows."""
        named = "." not in self.host and ":" not in self.host
        return self.near or named or self.host.endswith((".local", ".internal", ".lan")) or _private(self.host)

    def url(self, path: str) -> str:
        """The full address of one of the service's paths, which may have a query of its own."""
        mark = "&" if "?" in path else "?"
        return f"{self.scheme}://{self.netloc}{self.path}{path}" + (f"{mark}{self.query}" if self.query else "")


def _ip(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _loopback(host: str) -> bool:
    found = _ip(host)
    return found is not None and found.is_loopback


def _private(host: str) -> bool:
    found = _ip(host)
    return found is not None and found.is_private


def read_address(text: str, *, field: str = "base_url") -> Address:
    """Check a base URL.

    Parameters
    ----------
    text : str
        Such as ``https://api.openai.com/v1``. A query is refused, since keys stand there, but for ``api-version``.
    field : str
        What the error names.

    Returns
    -------
    Address

    Raises
    ------
    ConfigProblem
        No http or https address, or one that holds a user, a password, a query or a fragment. It is not shown then.

    Examples
    --------
    >>> read_address("http://127.0.0.1:8000/v1/").name
    '127.0.0.1:8000'
    >>> read_address("https://h/v1?key=x")
    Traceback (most recent call last):
        ...
    judgekit.errors.ConfigProblem: base_url: the address holds more than an address. ...
    """
    try:
        parts = urlsplit(text.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if parts.username is not None or parts.fragment or not _only_version(parts.query):
        raise ConfigProblem(
            "the address holds more than an address",
            field=field,
            why="a user, a password or a key in an address ends in logs and reports",
            remedy="give the bare address, and the name of the key's variable by api_key_env",
        )
    good = parts.scheme in {"http", "https"} and bool(host) and host is not None and host.isascii()
    if not good or not text.strip().isprintable() or " " in text.strip():
        raise ConfigProblem(
            "this is no address of a service",
            field=field,
            seen=text,
            remedy="write, for example, http://127.0.0.1:8000/v1",
        )
    assert host is not None
    shown = f"[{host}]" if ":" in host else host
    netloc = shown if port is None else f"{shown}:{port}"
    return Address(parts.scheme, netloc, host, parts.path.rstrip("/"), parts.query)


def _only_version(query: str) -> bool:
    pairs = parse_qsl(query, keep_blank_values=True)
    return not query or (
        len(pairs) == 1
        and pairs[0][0] == "api-version"
        and bool(regex.fullmatch(r"[0-9A-Za-z.-]{1,30}", pairs[0][1], timeout=_TIME_LIMIT))
    )
