"""Chat completions: what goes out, what comes back, what a service does not take."""

import asyncio
import json

import pytest

from judgekit.endpoints.limits import Limits
from judgekit.endpoints.openai import OpenAIEndpoint, verdict_schema
from judgekit.endpoints.runner import run_calls
from judgekit.errors import BudgetSpent, ConfigProblem, ProviderFailed, UsageProblem
from judgekit.judging.parse import read_pointwise


def completion(content='{"reason": "kind", "score": 4}', *, finish="stop", message=None, **other):
    """A chat completion."""
    said = {"role": "assistant", "content": content, **(message or {})}
    document = {
        "model": "served-1",
        "system_fingerprint": "fp-1",
        "choices": [{"index": 0, "message": said, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
    return 200, {}, {**document, **other}


def error(status, message="no", headers=None, **other):
    """An error."""
    return status, headers or {}, {"error": {"message": message, **other}}


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
def endpoint():
    """Makes an endpoint for a service."""
    return lambda service, **other: OpenAIEndpoint(other.pop("model", "m"), base_url=service.url, **other)


def test_what_goes_out(web, endpoint, make_request, monkeypatch):
    """Model, messages, settings and schema go out once; key in its header; the address gets /v1."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    service = web(completion())
    made = endpoint(service, parameters={"temperature": 0.5, "seed": 7, "max_tokens": 99})
    ask(made, make_request("Rate.", system="Judge."))
    assert service.paths == ["/v1/chat/completions"]
    assert service.headers[0]["authorization"] == "Bearer sk-1"
    sent = service.requests[0]
    form = sent.pop("response_format")
    assert sent == {
        "model": "m",
        "messages": [{"role": "system", "content": "Judge."}, {"role": "user", "content": "Rate."}],
        "temperature": 0.5,
        "seed": 7,
        "max_tokens": 99,
    }
    assert form["type"] == "json_schema"
    assert form["json_schema"]["strict"] is True
    assert form["json_schema"]["schema"]["required"] == ["reason", "score"]


@pytest.mark.parametrize(
    ("dimensions", "pair", "wanted"),
    [
        ({"w": (1, 2, 3)}, None, {"score": {"type": "integer", "enum": [1, 2, 3]}}),
        ({"t": ("warm", "cold")}, None, {"score": {"type": "string", "enum": ["warm", "cold"]}}),
        ({"w": ("A", "B", "tie")}, ("x", "y"), {"winner": {"type": "string", "enum": ["A", "B", "tie"]}}),
        (
            {"w": (1, 2), "t": ("a",)},
            None,
            {"w": {"type": "integer", "enum": [1, 2]}, "t": {"type": "string", "enum": ["a"]}},
        ),
    ],
)
def test_the_schema_has_the_keys_that_the_parser_reads(make_request, dimensions, pair, wanted):
    """One dimension stands under score or winner, several under their names; the reason comes first."""
    schema = verdict_schema(make_request(dimensions=dimensions, pair=pair))
    assert next(iter(schema["properties"])) == "reason"
    assert {k: v for k, v in schema["properties"].items() if k != "reason"} == wanted
    assert schema["additionalProperties"] is False


def test_what_comes_back(web, endpoint, make_request):
    """Text, reason of the end, served model, system fingerprint, usage and cost."""
    prices = {"input": 2.0, "output": 10.0}
    answer = ask(endpoint(web(completion()), prices=prices), make_request())
    assert answer.raw == '{"reason": "kind", "score": 4}'
    assert (answer.finish_reason, answer.served_model, answer.system_fingerprint) == ("stop", "served-1", "fp-1")
    assert answer.usage == {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    assert answer.cost == pytest.approx((100 * 2 + 20 * 10) / 1e6)
    assert (answer.status, answer.error_kind) == (200, None)


@pytest.mark.parametrize(
    ("planned", "kind"),
    [
        (completion(None, message={"refusal": "I can't."}), "refusal"),
        (completion("", finish="content_filter"), "content_filter"),
        (completion('{"score": 4', finish="length"), "truncated"),
        (completion(None), "empty"),
        (completion(""), "empty"),
        (error(400, "filtered", code="content_filter"), "content_filter"),
    ],
)
def test_failures_of_an_answer_reach_the_parser(web, endpoint, make_request, planned, kind):
    """A refusal, a filter and a cut are outcomes of the row with the parser's own kinds."""
    answer = ask(endpoint(web(planned)), make_request())
    assert answer.error_kind is None
    reading = read_pointwise(answer.raw, dimensions={"w": (1, 2, 3, 4, 5)}, finish_reason=answer.finish_reason)
    assert reading.outcomes["w"].kind == kind


def test_text_parts_are_joined(web, endpoint, make_request):
    """A message in parts is their text, reasoning left out."""
    parts = [
        {"type": "reasoning", "text": "2?"},
        {"type": "text", "text": '{"score"'},
        {"type": "text", "text": ": 4}"},
    ]
    assert ask(endpoint(web(completion(parts))), make_request()).raw == '{"score": 4}'


@pytest.mark.parametrize(
    ("planned", "kind"),
    [
        ((200, {}, b"<html>ok</html>"), "not_json"),
        ((200, {}, b""), "not_json"),
        ((200, {}, b"[" * 100_000), "not_json"),
        ((200, {}, b"[1]"), "no_answer"),
        ((200, {}, b"null"), "no_answer"),
        (completion(choices=[]), "no_answer"),
        (completion(choices=None), "no_answer"),
        (completion(choices=["x"]), "no_answer"),
        (completion(choices=[{"message": None}]), "no_answer"),
        ((200, {}, {"error": {"message": "upstream", "code": 502}}), "server"),
        ((200, {}, {"error": {"message": "upstream", "code": 429}}), "rate_limit"),
        ((200, {}, {"error": {"message": "upstream"}}), "server"),
        ("short", "cut_off"),
        ("eof", "connection"),
    ],
)
def test_replies_without_an_answer_have_their_kinds(web, endpoint, make_request, planned, kind):
    """Nothing that is no answer is stored as one."""
    answer = ask(endpoint(web(planned)), make_request())
    assert (answer.raw, answer.error_kind) == (None, kind)


def test_hostile_text_goes_out_and_comes_back(web, endpoint, make_request):
    """Broken Unicode and escapes survive the way in both directions."""
    text = "\ud83d broken \x1b[2J \x00 ñ"
    service = web(completion(text))
    assert ask(endpoint(service), make_request(text)).raw == text
    assert service.requests[0]["messages"][-1]["content"] == text


def picky(refuses, message):
    """A service that refuses a request with such a setting in it, and answers all others."""

    def answer(request, _n):
        return error(400, message, code="unsupported_parameter") if refuses(request) else completion()

    return answer


@pytest.mark.parametrize(
    ("refuses", "message", "dropped", "left"),
    [
        (
            lambda r: "temperature" in r,
            "Unsupported value: 'temperature'; only the default (1) is supported",
            ("temperature",),
            {},
        ),
        (lambda r: "seed" in r, "Unknown parameter: 'seed'", ("seed",), {}),
        (
            lambda r: "max_tokens" in r,
            "Unsupported parameter: 'max_tokens'; use 'max_completion_tokens'",
            (),
            {"max_completion_tokens": 1024},
        ),
        (
            lambda r: "max_tokens" in r or "max_completion_tokens" in r,
            "'max_tokens' or 'max_completion_tokens' is not supported",
            ("max_tokens",),
            {},
        ),
        (
            lambda r: r.get("response_format", {}).get("type") == "json_schema",
            "response_format json_schema is not supported",
            ("response_format json_schema",),
            {"response_format": {"type": "json_object"}},
        ),
        (
            lambda r: "response_format" in r,
            "This model does not support structured output",
            ("response_format json_schema",),
            {},
        ),
    ],
)
def test_settings_that_are_not_taken_are_left_out(
    web, endpoint, make_calls, render, ledger, refuses, message, dropped, left
):
    """The refused setting is left out of the same call and of all others; what was dropped is told and noted."""
    service = web(picky(refuses, message))
    made = endpoint(service, parameters={"seed": 7})
    calls = make_calls(12)
    summary = run_calls(calls, made, ledger, render=render, secret=b"s", concurrency=4)
    assert (summary.answered, summary.retries, summary.failed) == (12, 0, {})
    refused = sum(map(refuses, service.requests))
    assert refused == summary.requests - 12 <= 2
    assert made.dropped == dropped
    last = service.requests[-1]
    assert all(last[k] == v for k, v in left.items())
    assert ledger.noted(f"dropped openai:m@{made.host}") == (", ".join(dropped) if dropped else None)
    kinds = [a.error_kind for a in ledger.latest([calls[0].request_key]).values()]
    assert kinds == [None]


def test_a_service_that_takes_nothing_is_asked_plainly(web, endpoint, make_request):
    """Every setting can be refused, one after the other; the last form is the bare messages."""
    names = ("temperature", "seed", "max_tokens", "max_completion_tokens", "response_format")

    def answer(request, _n):
        met = next((name for name in names if name in request), None)
        return error(400, f"unknown parameter {met}") if met else completion()

    made = endpoint(web(answer), parameters={"seed": 1})
    answers = ask(made, *[make_request()] * 8)
    assert [a.error_kind for a in answers[:6]] == ["adapted"] * 6
    assert answers[6].error_kind is None
    assert made.dropped == ("max_tokens", "response_format json_schema", "seed", "temperature")


def test_nothing_is_dropped_once_it_has_worked(web, endpoint, make_request):
    """After an answer a refusal that names a setting is final for its row: judged text may be quoted in it."""
    service = web(lambda _r, n: completion() if n == 1 else error(400, "temperature is not supported"))
    made = endpoint(service)
    first, second, third = ask(made, *[make_request()] * 3)
    assert (first.error_kind, second.error_kind, third.error_kind) == (None, "bad_request", "bad_request")
    assert made.dropped == ()


def test_a_value_out_of_range_is_not_dropped(web, endpoint, make_request):
    """A temperature that a service finds too high is for the user to mend."""
    answer = ask(endpoint(web(error(400, "temperature out of range"))), make_request())
    assert answer.error_kind == "bad_request"


def test_words_inside_words_are_no_settings(web, endpoint, make_request):
    """'seed' does not stand in 'proceed': nothing is dropped for it."""
    made = endpoint(web(error(400, "not supported: cannot proceed")), parameters={"seed": 1})
    assert ask(made, make_request()).error_kind == "bad_request"
    assert made.dropped == ()


def test_503_is_asked_four_times(web, endpoint, make_calls, render, ledger):
    """With three retries a failing call is sent exactly four times."""
    service = web(error(503))
    with pytest.raises(ProviderFailed):
        run_calls(
            make_calls(3),
            endpoint(service),
            ledger,
            render=render,
            secret=b"s",
            limits=Limits(retries=3, backoff_first=0),
        )
    assert len(service.requests) == 12


@pytest.mark.parametrize(
    "header", [{"Retry-After": "0.3"}, {"Retry-After-Ms": "300"}, {"x-ratelimit-reset-requests": "300ms"}]
)
def test_a_pause_is_kept(web, endpoint, make_calls, render, ledger, header):
    """After a refusal with a pause nothing is sent before it is over."""
    service = web(lambda _r, n: error(429, headers=header) if n == 1 else completion())
    limits = Limits(backoff_first=0)
    run_calls(make_calls(5), endpoint(service), ledger, render=render, secret=b"s", concurrency=4, limits=limits)
    assert len(service.times) == 6
    assert service.times[1] - service.times[0] >= 0.3


@pytest.mark.parametrize(
    ("planned", "kind"),
    [
        (error(401, "bad key"), "auth"),
        (error(403, "not yours"), "auth"),
        (error(429, "pay", code="insufficient_quota"), "quota"),
        (error(402, "pay"), "quota"),
        (error(404, "no model", code="model_not_found"), "missing"),
    ],
)
def test_what_no_call_would_get_past_stops_at_once(web, endpoint, make_calls, render, ledger, planned, kind):
    """A refused key, an empty account and an unknown model cost one request."""
    service = web(planned)
    with pytest.raises(ProviderFailed, match=kind):
        run_calls(make_calls(30), endpoint(service), ledger, render=render, secret=b"s", concurrency=8)
    assert len(service.requests) == 1


def test_a_text_that_is_too_long_fails_alone(web, endpoint, make_calls, render, ledger):
    """A context-length refusal is final for its row and asked once; all others are answered."""

    def answer(request, _n):
        long = request["messages"][-1]["content"].startswith("3 ")
        return error(400, "maximum context length exceeded") if long else completion()

    service = web(answer)
    calls = make_calls(10)
    summary = run_calls(calls, endpoint(service), ledger, render=render, secret=b"s")
    assert (summary.answered, summary.failed, summary.requests) == (9, {"context_length": 1}, 10)
    assert list(ledger.final_failures(c.request_key for c in calls)) == [calls[3].request_key]


def test_a_hanging_service_ends(web, endpoint, make_calls, render, ledger):
    """Every attempt ends at its time limit, and the run with them."""
    limits = Limits(retries=1, attempt_timeout=0.2, backoff_first=0)
    service = web("hang")
    with pytest.raises(ProviderFailed, match="timeout"):
        run_calls(make_calls(2), endpoint(service), ledger, render=render, secret=b"s", limits=limits)
    assert len(service.requests) == 4


@pytest.mark.parametrize("field", ["model", "system_fingerprint"])
def test_a_judge_that_changes_stops_the_run(web, endpoint, make_calls, render, ledger, field):
    """Another served model or system fingerprint stops the run with what changed; answers so far are kept."""
    service = web(lambda _r, n: completion(**({field: "other"} if n > 3 else {})))
    with pytest.raises(ProviderFailed, match="judge changed") as caught:
        run_calls(make_calls(30), endpoint(service), ledger, render=render, secret=b"s", concurrency=1)
    assert "became other" in str(caught.value)
    assert len(service.requests) == 4


def test_a_judge_that_changes_between_two_runs_stops_the_second(web, endpoint, make_calls, render, ledger):
    """The same endpoint remembers who answered: the swap test is about the judge that gave the scores."""
    service = web(lambda _r, n: completion(model="a" if n <= 2 else "b"))
    made = endpoint(service)
    run_calls(make_calls(2), made, ledger, render=render, secret=b"s")
    with pytest.raises(ProviderFailed, match="a became b"):
        run_calls(make_calls(5), made, ledger, render=render, secret=b"s")


def test_a_cost_limit_is_kept(web, endpoint, make_calls, render, ledger):
    """With stated prices the spending stays within the limit, by an upper bound before each request."""
    service = web(completion())
    made = endpoint(service, prices={"input": 1000.0, "output": 1000.0})
    with pytest.raises(BudgetSpent, match="max_cost"):
        run_calls(make_calls(50), made, ledger, render=render, secret=b"s", limits=Limits(max_cost=3.0))
    spent = sum(0.12 for _ in service.requests)
    assert 1.0 < spent <= 3.0


def test_a_cost_limit_without_prices_is_refused(web, endpoint, make_calls, render, ledger):
    """It could not be kept: refused before anything is sent."""
    service = web(completion())
    with pytest.raises(UsageProblem, match="no prices"):
        run_calls(make_calls(1), endpoint(service), ledger, render=render, secret=b"s", limits=Limits(max_cost=1.0))
    assert service.requests == []


def test_the_estimate_is_an_upper_bound(endpoint, web, make_request):
    """At least a token per byte of everything that is sent, the schema too, and the whole bound of the answer."""
    made = endpoint(web(completion()), parameters={"max_tokens": 50}, prices={"input": 1e6, "output": 0.0})
    request = make_request("é" * 1000, system="s" * 100)
    found = made.estimate(request)
    sent = len(json.dumps(verdict_schema(request))) + 2000 + 100
    assert found.tokens >= sent + 50
    assert found.cost == pytest.approx(found.tokens - 50)


@pytest.mark.parametrize(
    "prices",
    [
        {"input": 1.0},
        {"input": 1.0, "output": -1.0},
        {"input": 1, "output": float("nan")},
        {"input": 1, "output": 1, "x": 1},
    ],
)
def test_prices_that_make_no_sense_are_refused(prices):
    """Both prices, no others, none negative."""
    with pytest.raises(ConfigProblem, match="prices"):
        OpenAIEndpoint("m", base_url="http://127.0.0.1:1", prices=prices)


@pytest.mark.parametrize(
    "parameters",
    [
        {"temperature": -1},
        {"temperature": True},
        {"temperature": float("nan")},
        {"max_tokens": 0},
        {"seed": 1.5},
        {"top": 1},
    ],
)
def test_settings_that_make_no_sense_are_refused(parameters):
    """A setting out of range or of no known name is refused before anything is sent."""
    with pytest.raises(ConfigProblem):
        OpenAIEndpoint("m", base_url="http://127.0.0.1:1", parameters=parameters)


@pytest.mark.parametrize("model", ["", "a b", "m?key=x", "m\n", "../m\x00", "m" * 300])
def test_what_is_no_model_is_refused(model):
    """A model's name holds no spaces, queries or control characters."""
    with pytest.raises(ConfigProblem, match="no name of a model"):
        OpenAIEndpoint(model, base_url="http://127.0.0.1:1")


def test_the_own_service_needs_its_key(make_calls, render, ledger, monkeypatch):
    """Without OPENAI_API_KEY nothing is sent to OpenAI; the message names the variable."""
    with pytest.raises(ConfigProblem, match="OPENAI_API_KEY") as caught:
        run_calls(make_calls(1), OpenAIEndpoint("m"), ledger, render=render, secret=b"s")
    assert caught.value.exit_code == 2
    with pytest.raises(ConfigProblem, match="MY_KEY"):
        OpenAIEndpoint("m", base_url="http://127.0.0.1:1", api_key_env="MY_KEY").ready()
    azure = OpenAIEndpoint("m", base_url="https://x.openai.azure.com/openai/v1")
    with pytest.raises(ConfigProblem, match="OPENAI_API_KEY"):
        azure.ready()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    OpenAIEndpoint("m").ready()


def test_nothing_to_send_needs_no_key(make_calls, render, ledger, web, endpoint):
    """Answers that are there are read again without a key."""
    service = web(completion())
    made = endpoint(service)
    run_calls(make_calls(2), made, ledger, render=render, secret=b"s")
    without = OpenAIEndpoint("m", base_url=service.url, api_key_env="NOT_SET")
    assert run_calls(make_calls(2), without, ledger, render=render, secret=b"s").earlier == 2


def test_a_key_does_not_go_over_the_open_network(monkeypatch):
    """Plain http with a key is for this machine and private networks."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-sentinel")
    with pytest.raises(ConfigProblem, match="unencrypted") as caught:
        OpenAIEndpoint("m", base_url="http://judge.example/v1").ready()
    assert "sentinel" not in str(caught.value)
    OpenAIEndpoint("m", base_url="http://10.0.0.2/v1").ready()


def test_azure_takes_its_key_in_its_own_header(monkeypatch):
    """Azure's header and version; the deployment's path is part of the judge's name."""
    made = OpenAIEndpoint("gpt", base_url="https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21")
    assert made._key_header("k") == ("api-key", "k")
    assert made.host == "x.openai.azure.com/openai/deployments/d"
    assert made.address.url(made.path).endswith("/d/chat/completions?api-version=2024-10-21")
    assert made._first_wire().limit == "max_completion_tokens"
