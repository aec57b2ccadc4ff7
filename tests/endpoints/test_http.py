"""The wire: addresses, keys, time limits, broken connections, proxies."""

import asyncio
import copy
import pickle
import time

import pytest

from judgekit.endpoints import http
from judgekit.endpoints.http import Fault, Reply, Secret, Service, read_address, read_secret
from judgekit.errors import ConfigProblem

GOOD = (200, {"X-Served": "yes"}, {"ok": True})


def post(url, *, times=1, seconds=5.0, key=None):
    """Post one document so often; the last outcome."""

    async def go():
        service = Service(read_address(url))
        try:
            for _ in range(times):
                found = await service.post("/x", b'{"a": 1}', seconds=seconds, key=key)
        finally:
            await service.close()
        return found

    return asyncio.run(go())


def test_a_reply_comes_whole(web):
    """Status, headers in small letters and the body come back; the document and the key's header went out."""
    service = web(GOOD)
    found = post(f"{service.url}/v1", key=("Authorization", "Bearer k"))
    assert isinstance(found, Reply)
    assert (found.status, found.body, found.headers["x-served"]) == (200, b'{"ok": true}', "yes")
    assert service.paths == ["/v1/x"]
    assert service.requests == [{"a": 1}]
    assert service.headers[0]["authorization"] == "Bearer k"
    assert service.headers[0]["accept-encoding"] == "identity"


@pytest.mark.parametrize(("planned", "kind"), [("hang", "timeout"), ("eof", "connection"), ("short", "cut_off")])
def test_broken_connections_are_faults(web, planned, kind):
    """A service that hangs, hangs up or breaks off gives its own kind of fault, within the time allowed."""
    start = time.monotonic()
    found = post(web(planned).url, seconds=0.4 if planned == "hang" else 10.0)
    assert isinstance(found, Fault)
    assert found.kind == kind
    assert time.monotonic() - start < 8


def test_nobody_there_is_a_fault(web):
    """A closed port is a connection fault."""
    service = web(GOOD)
    service.stop()
    found = post(service.url)
    assert (type(found), found.kind) == (Fault, "connection")


def test_a_service_without_tls_is_a_fault(web):
    """An https address of a service that speaks plain http is a connection fault, and nothing readable went out."""
    service = web(GOOD)
    found = post(service.url.replace("http:", "https:"), key=("Authorization", "Bearer k"))
    assert (type(found), found.kind) == (Fault, "connection")
    assert service.requests == []


def test_an_endless_body_is_given_up(web, monkeypatch):
    """A reply larger than the bound is not read to its end."""
    monkeypatch.setattr(http, "MAX_BODY", 1000)
    found = post(web((200, {}, b"x" * 100_000)).url)
    assert (type(found), found.kind) == (Fault, "cut_off")


def test_redirects_are_not_followed(web):
    """A redirect comes back as it is: the key would go to a host that nobody named."""
    other = web(GOOD)
    found = post(web((307, {"Location": f"{other.url}/x"}, {})).url, key=("Authorization", "Bearer k"))
    assert found.status == 307
    assert other.requests == []


def test_connections_are_kept_and_spread(web):
    """Requests one after another share a connection; many at once are spread over several pools."""

    async def go():
        service = Service(read_address(web(GOOD).url))
        await asyncio.gather(*(service.post("/x", b"{}", seconds=10) for _ in range(20)))
        pools = len(service._shards)
        await service.close()
        assert service._shards == []
        await service.post("/x", b"{}", seconds=10)
        await service.close()
        return pools

    assert asyncio.run(go()) == 3


def test_many_requests_one_after_another(web):
    """A connection is used again; the tenth request is answered like the first."""
    assert post(web(GOOD).url, times=10).status == 200


@pytest.mark.parametrize(
    "text",
    [
        "https://user:sk-secret@host/v1",
        "https://sk-secret@host/v1",
        "https://host/v1?key=sk-secret",
        "https://host/v1?api-version=1&key=sk-secret",
        "https://host/v1?api-version=sk_secret%20",
        "https://host/v1#sk-secret",
    ],
)
def test_addresses_with_a_key_in_them_are_refused(text):
    """Whatever might be a key is refused and not echoed."""
    with pytest.raises(ConfigProblem, match="more than an address") as caught:
        read_address(text)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "host/v1", "ftp://host", "http://", "http://h:port", "http://h\n/x", "http://[::1"]
)
def test_what_is_no_address_is_refused(text):
    """Only http and https addresses with a host."""
    with pytest.raises(ConfigProblem, match="no address"):
        read_address(text)


@pytest.mark.parametrize(
    ("text", "name", "near", "private"),
    [
        ("https://api.openai.com/v1", "api.openai.com", False, False),
        ("https://h.example/v1/", "h.example", False, False),
        (
            "https://h.example:8443/openai/deployments/d?api-version=2024-10-21",
            "h.example:8443/openai/deployments/d",
            False,
            False,
        ),
        ("http://localhost:1234/v1", "localhost:1234", True, True),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True, True),
        ("http://[::1]:8000/v1", "[::1]:8000", True, True),
        ("http://10.1.2.3/v1", "10.1.2.3", False, True),
        ("http://vllm:8000/v1", "vllm:8000", False, True),
        ("http://judge.svc.cluster.local/v1", "judge.svc.cluster.local", False, True),
        ("http://8.8.8.8/v1", "8.8.8.8", False, False),
    ],
)
def test_addresses_are_told_apart(text, name, near, private):
    """The name holds host, port and what is special of the path; nearness decides about proxies and plain http."""
    found = read_address(text)
    assert (found.name, found.near, found.private) == (name, near, private)


def test_the_version_stays_in_the_query():
    """Azure's API version is sent with every request."""
    found = read_address("https://h.example/openai/deployments/d?api-version=2024-10-21")
    assert found.url("/chat/completions") == (
        "https://h.example/openai/deployments/d/chat/completions?api-version=2024-10-21"
    )


def test_a_secret_shows_itself_nowhere():
    """Neither text forms nor copies nor pickles hold a key."""
    secret = Secret("sk-sentinel-value", "THE_KEY")
    for shown in (repr(secret), str(secret), f"{secret}", repr({"key": secret})):
        assert "sentinel" not in shown
        assert "THE_KEY" in shown
    for store in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="not to be stored"):
            store(secret)
    assert secret.reveal() == "sk-sentinel-value"


def test_short_keys_are_hidden_too():
    """A key shorter than the pieces that are looked for is hidden as a whole."""
    assert Secret("abc12", "K").hide("the key abc12.") == "the key ‹hidden›."
    assert Secret("abcdefgh-long", "K").hide("nothing here") == "nothing here"


@pytest.mark.parametrize("variable", ["sk-live-0123456789", "gsk_abcdef", "MY KEY", "", "A" * 65, "1KEY", "KEY\n"])
def test_a_key_in_the_place_of_its_name_is_refused(variable):
    """What is no variable's name is refused without being echoed."""
    with pytest.raises(ConfigProblem, match="no name of an environment variable") as caught:
        read_secret(variable, required=True, environ={})
    assert caught.value.seen is None


def test_missing_and_broken_keys_name_their_variable():
    """The variable is named, what it holds never is."""
    with pytest.raises(ConfigProblem, match="THE_KEY holds no key"):
        read_secret("THE_KEY", required=True, environ={"THE_KEY": "  "})
    assert read_secret("THE_KEY", required=False, environ={}) is None
    for broken in ("sk-sentinel two", "sk-sentinel\x00", "sk-sentinel-é"):
        with pytest.raises(ConfigProblem, match="is no key") as caught:
            read_secret("THE_KEY", required=True, environ={"THE_KEY": broken})
        assert "sentinel" not in str(caught.value)
    found = read_secret("THE_KEY", required=True, environ={"THE_KEY": " sk-1 \n"})
    assert found.reveal() == "sk-1"


@pytest.mark.parametrize(
    ("address", "proxied"),
    [
        ("https://api.example/v1", True),
        ("https://127.0.0.1:1/v1", False),
        ("https://localhost:1/v1", False),
        ("https://inside.example/v1", False),
        ("http://10.0.0.1/v1", False),
    ],
)
def test_proxies_of_the_environment(monkeypatch, address, proxied):
    """A proxy is used for the hosts it is meant for, and never for this machine."""
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("NO_PROXY", "inside.example")
    assert (Service(read_address(address)).proxy() is not None) == proxied


@pytest.mark.parametrize("wrong", ["socks5://p.example:1", "nonsense", "http://"])
def test_a_proxy_that_cannot_be_used_is_named(monkeypatch, wrong):
    """A broken variable is refused by its name, not met as a connection fault in every call."""
    monkeypatch.setenv("HTTPS_PROXY", wrong)
    with pytest.raises(ConfigProblem, match="HTTPS_PROXY"):
        Service(read_address("https://api.example/v1")).proxy()
