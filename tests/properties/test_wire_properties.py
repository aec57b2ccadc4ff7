"""Whatever a service sends: no exception, no wait below zero, no key in what is kept."""

import asyncio
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.endpoints.anthropic import AnthropicEndpoint
from judgekit.endpoints.base import Request
from judgekit.endpoints.http import HIDDEN, Reply, Secret
from judgekit.endpoints.http_errors import read_refusal, refused, retry_after
from judgekit.endpoints.limits import Window
from judgekit.endpoints.openai import OpenAIEndpoint

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 600) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["error", "message", "code", "type", "choices", "content", "usage", "model", "text", "prompt_tokens",
                         "input_tokens", "refusal", "finish_reason", "stop_reason", "detail", "param", "innererror"]),
        inner, max_size=5),
    max_leaves=25,
)  # fmt: skip
BODIES = st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode())
PAUSES = st.text(max_size=30) | st.from_regex(r"[0-9.]{1,12}(ms|s|m|h|d)?[0-9.]{0,4}(ms|s)?", fullmatch=True)
NAMES = (
    "retry-after",
    "retry-after-ms",
    "date",
    "x-ratelimit-reset-tokens",
    "x-ratelimit-remaining-tokens",
    "ratelimit-reset",
)


@given(st.dictionaries(st.sampled_from(NAMES), PAUSES), st.floats(0, 2e9))
def test_a_pause_is_none_or_a_time_to_wait(headers, now):
    """No header, however broken, raises or asks to wait for less than nothing or for ever."""
    found = retry_after(headers, now=now)
    assert found is None or (found >= 0 and math.isfinite(found))


@given(BODIES, st.integers(300, 599))
def test_any_error_body_has_a_kind(body, status):
    """No body raises; an error has one kind and no raw text, a filtered prompt the reverse."""
    read_refusal(body)
    answer = refused(Reply(status, {}, body), secret=None, now=0.0)
    assert (answer.error_kind is None) == (answer.raw == "" and answer.finish_reason == "content_filter")


@pytest.mark.parametrize("kind", [OpenAIEndpoint, AnthropicEndpoint])
@given(body=BODIES)
def test_any_reply_is_an_answer_or_has_a_kind(kind, body):
    """Whatever stands in a reply with status 200, there is either a text or the kind of error."""
    answer = kind("m", base_url="http://127.0.0.1:1")._answer(Reply(200, {}, body))
    assert (answer.raw is None) == (answer.error_kind is not None)
    assert all(isinstance(count, int) and count >= 0 for count in (answer.usage or {}).values())


@given(
    st.from_regex(r"[A-Za-z0-9_-]{8,40}", fullmatch=True),
    st.text(max_size=30),
    st.text(max_size=30),
    st.integers(0, 40),
    st.integers(8, 40),
)
def test_no_part_of_a_key_is_left(value, before, after, start, length):
    """The key, or eight characters of it or more, is hidden wherever it stands; a text without it stays."""
    secret, piece = Secret(value, "K"), value[start : start + length]
    said = secret.hide(before + value + piece + after)
    assert not any(value[i : i + 8] in said.replace(HIDDEN, "\n") for i in range(len(value) - 7))
    if not any(value[i : i + 8] in before for i in range(len(value) - 7)):
        assert secret.hide(before) == before


@given(st.integers(1, 20), st.lists(st.sampled_from(["answer", "refusal"]), max_size=60))
def test_the_window_stays_within_its_bounds(most, story):
    """Whatever comes, there is room for at least one request and never for more than allowed."""

    async def go():
        window = Window(most)
        for event in story:
            number = await window.enter()
            window.answered() if event == "answer" else window.overloaded(number)
            window.leave()
            assert 1 <= window.size <= most

    asyncio.run(go())


@given(st.text(max_size=200), st.text(max_size=50))
def test_the_estimate_bounds_what_is_sent(prompt, system):
    """No request has more bytes of text than tokens were set aside for it."""
    request = Request(
        request_key="k", system=system, prompt=prompt, text="", context=None, lang="en", dimensions={"w": (1, 2)}
    )
    endpoint = OpenAIEndpoint("m", base_url="http://127.0.0.1:1", prices={"input": 1.0, "output": 1.0})
    sent = len((prompt + system).encode("utf-8", "surrogatepass"))
    assert endpoint.estimate(request).tokens >= sent + endpoint.parameters["max_tokens"]
