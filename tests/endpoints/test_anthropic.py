"""Anthropic's messages: what goes out, what comes back."""

import asyncio

import pytest

from judgekit.endpoints.anthropic import AnthropicEndpoint
from judgekit.endpoints.runner import run_calls
from judgekit.errors import ConfigProblem, ProviderFailed
from judgekit.files.ledger import Ledger
from judgekit.judging.handle import JudgeHandle
from judgekit.judging.parse import read_pointwise
from judgekit.records import MaskedText, Slot
from judgekit.swapping.arms import Wanted
from judgekit.swapping.model import ask_for_rewordings


def message(content='{"reason": "kind", "score": 4}', *, stop="end_turn", **other):
    """A message."""
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    document = {
        "type": "message",
        "model": "served-1",
        "content": blocks,
        "stop_reason": stop,
        "usage": {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 20},
    }
    return 200, {}, {**document, **other}


def error(status, kind, said="no", headers=None):
    """An error."""
    return status, headers or {}, {"type": "error", "error": {"type": kind, "message": said}}


def ask(endpoint, *requests):
    """Send requests one after another; the answers."""

    async def go():
        try:
            return [await endpoint.send(request) for request in requests]
        finally:
            await endpoint.close()

    answers = asyncio.run(go())
    return answers[0] if len(requests) == 1 else answers


@pytest.fixture
def endpoint(monkeypatch):
    """Makes an endpoint for a service, with a key."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-1")
    return lambda service, **other: AnthropicEndpoint("m", base_url=service.url, **other)


def test_what_goes_out(web, endpoint, make_request):
    """Messages with a system text, the bound that must be there, version and key in their headers."""
    service = web(message())
    ask(endpoint(service, parameters={"max_tokens": 99}), make_request("Rate.", system="Judge."))
    assert service.paths == ["/v1/messages"]
    assert service.headers[0]["x-api-key"] == "sk-ant-1"
    assert service.headers[0]["anthropic-version"] == "2023-06-01"
    assert "authorization" not in service.headers[0]
    assert service.requests == [
        {
            "model": "m",
            "max_tokens": 99,
            "messages": [{"role": "user", "content": "Rate."}],
            "system": "Judge.",
            "temperature": 0.0,
        }
    ]


def test_what_comes_back(web, endpoint, make_request):
    """Text blocks are joined, thinking left out; cached tokens count as sent ones."""
    blocks = [
        {"type": "thinking", "thinking": '{"score": 1}'},
        {"type": "text", "text": '{"score"'},
        {"type": "text", "text": ": 4}"},
    ]
    answer = ask(endpoint(web(message(blocks)), prices={"input": 1.0, "output": 2.0}), make_request())
    assert (answer.raw, answer.finish_reason, answer.served_model) == ('{"score": 4}', "end_turn", "served-1")
    assert answer.usage == {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    assert answer.cost == pytest.approx(140 / 1e6)


@pytest.mark.parametrize(
    ("planned", "kind"),
    [
        (message([], stop="refusal"), "refusal"),
        (message('{"score": 4', stop="max_tokens"), "truncated"),
        (message('{"score": 4', stop="model_context_window_exceeded"), "truncated"),
        (message([]), "empty"),
    ],
)
def test_failures_of_an_answer_reach_the_parser(web, endpoint, make_request, planned, kind):
    """How a message ended is known to the parser."""
    answer = ask(endpoint(web(planned)), make_request())
    assert answer.error_kind is None
    reading = read_pointwise(answer.raw, dimensions={"w": (1, 2, 3, 4, 5)}, finish_reason=answer.finish_reason)
    assert reading.outcomes["w"].kind == kind


@pytest.mark.parametrize(
    ("planned", "kind"),
    [
        (error(400, "invalid_request_error"), "bad_request"),
        (error(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum"), "context_length"),
        (error(400, "invalid_request_error", "Your credit balance is too low to access the API"), "quota"),
        (error(413, "request_too_large"), "context_length"),
        (error(401, "authentication_error"), "auth"),
        (error(403, "permission_error"), "auth"),
        (error(404, "not_found_error", "model: m"), "missing"),
        (error(429, "rate_limit_error"), "rate_limit"),
        (error(500, "api_error"), "server"),
        (error(529, "overloaded_error"), "server"),
        (message(None), "no_answer"),
        (message([], stop=None), "no_answer"),
    ],
)
def test_errors_have_their_kinds(web, endpoint, make_request, planned, kind):
    """Every error type of the interface maps to a kind."""
    answer = ask(endpoint(web(planned)), make_request())
    assert (answer.raw, answer.error_kind) == (None, kind)


def test_a_model_without_temperature(web, endpoint, make_calls, render, ledger):
    """A temperature that the model does not take is left out and told."""

    def answer(request, _n):
        said = "`temperature` is deprecated for this model."
        return error(400, "invalid_request_error", said) if "temperature" in request else message()

    service = web(answer)
    made = endpoint(service)
    summary = run_calls(make_calls(5), made, ledger, render=render, secret=b"s")
    assert (summary.answered, summary.requests, made.dropped) == (5, 6, ("temperature",))


def test_a_refused_key_stops_at_once(web, endpoint, make_calls, render, ledger):
    """One request, exit 3, and the key in no message."""
    service = web(error(401, "authentication_error", "invalid x-api-key sk-ant-1"))
    with pytest.raises(ProviderFailed, match="auth") as caught:
        run_calls(make_calls(30), endpoint(service), ledger, render=render, secret=b"s", concurrency=8)
    assert len(service.requests) == 1
    assert "sk-ant-1" not in str(caught.value)


def test_it_has_no_seed_and_needs_a_key(web):
    """A seed is refused, and so is asking Anthropic without a key."""
    with pytest.raises(ConfigProblem, match="no such setting"):
        AnthropicEndpoint("m", base_url="http://127.0.0.1:1", parameters={"seed": 1})
    with pytest.raises(ConfigProblem, match="ANTHROPIC_API_KEY"):
        AnthropicEndpoint("m").ready()


@pytest.mark.parametrize(("stop", "made"), [("end_turn", "Hello [PERSON_1], 2 left."), ("max_tokens", "broke off")])
def test_a_rewording_that_ended_by_itself_is_read(web, endpoint, tmp_path, stop, made):
    """`end_turn` is a whole answer; one that met its bound is left out, whatever it holds."""
    slot = Slot(field="text", start=3, end=13, person=1, subject=True, kind="name", form="given", surface="Ana")
    masked = MaskedText(item="1", text="Hi [PERSON_1], 2 left.", slots=(slot,))
    service = web(message("<reworded>Hello [PERSON_1], 2 left.</reworded>", stop=stop))
    model = JudgeHandle(id="anthropic:m", endpoint=endpoint(service))
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        found = ask_for_rewordings([Wanted(masked=masked, of=None, changes=1)], model, ledger, secret=b"k" * 32)["1"]
    assert made in (found if isinstance(found, str) else found.text)
