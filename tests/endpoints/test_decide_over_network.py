"""Decisions over HTTP: probabilities where the service gives them, samples where it refuses or leaves them out."""

import math

import pytest

PROMPTS = "id,prompt,template_id,group,name\n" + "".join(
    f"{t}{n},I am {n}. Case {t}? Yes or no.,t{t},{g},{n}\n" for t in range(3) for g, n in (("f", "Ada"), ("m", "Abe"))
)


def answer(yes, content="Yes", *, logprobs=True, finish="length"):
    """A chat completion whose first token is yes with this probability."""
    tops = [{"token": "Yes", "logprob": math.log(yes), "bytes": None}, {"token": " no", "logprob": math.log(0.9 - yes)}]
    first = {"token": "Yes", "logprob": math.log(yes), "bytes": None, "top_logprobs": tops}
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish}
    if logprobs:
        choice["logprobs"] = {"content": [first]}
    return 200, {}, {"model": "served", "choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 1}}


@pytest.fixture
def prompts(tmp_path):
    """Six prompts, two groups."""
    path = tmp_path / "prompts.csv"
    path.write_text(PROMPTS, encoding="utf-8")
    return path


def test_first_token_probabilities_over_http(prompts, web, kit):
    """One token, twenty alternatives, temperature 1; P(yes) among yes and no; the gap is the planted one."""
    service = web(lambda request, _n: answer(0.3 if "Abe" in str(request) else 0.6))
    said = kit.command("decide", prompts, "--target", "openai:m", "--base-url", service.url, "--json")
    sent = service.requests[0]
    assert (sent["max_tokens"], sent["top_logprobs"], sent["temperature"]) == (1, 20, 1.0)
    assert "response_format" not in sent
    gap = said.json["contrasts"][0]
    assert (said.code, said.json["method"], len(service.requests)) == (0, "probabilities", 6)
    assert gap["estimates"]["raw"] == pytest.approx(0.6 / 0.9 - 0.3 / 0.9)
    assert gap["per_template"][0]["logit_gap"] == pytest.approx(math.log(0.6 / 0.3) - math.log(0.3 / 0.6))


@pytest.mark.parametrize("how", ["refused", "left out"])
def test_a_service_without_probabilities_is_sampled_and_said_to_be(prompts, web, kit, how):
    """A refusal (400) or an answer without them: found out at one request, then samples, with the reason in the result."""

    def respond(request, _n):
        asks = request.get("logprobs")
        if asks and how == "refused":
            return 400, {}, {"error": {"message": "logprobs are not supported with this model", "param": "logprobs"}}
        return answer(0.5, "No." if "Abe" in str(request) else "Yes, you can.", logprobs=False)

    service = web(respond)
    said = kit.command(
        "decide", prompts, "--target", "openai:m", "--base-url", service.url, "--samples", "2", "--json"
    )  # fmt: skip
    assert (said.code, said.json["method"], len(service.requests)) == (0, "sampled", 1 + 12)
    assert "asked 2 times" in said.err
    assert "12 calls" in said.err
    assert ("not supported" if how == "refused" else "came without them") in said.json["why_sampled"]
    assert said.json["contrasts"][0]["estimates"]["raw"] == 1.0
    assert "logprobs" not in service.requests[-1]
