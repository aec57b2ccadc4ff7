"""A study whose judge is asked over the network: settings reach the wire, reading again needs no key."""

import json
import math

import pytest

from judgekit.errors import BadInput, ConfigProblem, Unfinished
from judgekit.pipeline import assess_study, plan_run, run_study
from judgekit.study import load_study

STUDY = """
study: network
data: {{replies: replies.jsonl}}
rubrics:
  warmth: {{rubric: warmth, role: primary, margin: 0.25}}
blinding: {{ner: "off"}}
judge:
  spec: {spec}
  base_url: {url}
  api_key_env: JUDGE_KEY
  temperature: 0.25
  max_tokens: 77
  concurrency: 3
  prices: {{input: 1.0, output: 2.0}}
  max_cost: {cost}
  timeout: 5
"""


def answer(request, _n):
    """Score 4."""
    document = {
        "model": "served-1",
        "choices": [{"message": {"content": '{"reason": "kind", "score": 4}'}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 50, "completion_tokens": 10},
    }
    return 200, {}, document


@pytest.fixture
def study(tmp_path):
    """Makes a study on six replies."""
    rows = [
        {
            "id": f"r{i}",
            "template_id": f"t{i}",
            "lang": "en",
            "text": f"Thank you, we are glad to help with order {word}.",
        }
        for i, word in enumerate(("one", "two", "three", "four", "five", "six"))
    ]
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def make(url, *, cost=1.0, spec="openai/judge-1"):
        (tmp_path / "study.yaml").write_text(STUDY.format(url=url, cost=cost, spec=spec))
        return load_study(tmp_path / "study.yaml")

    return make


def test_a_study_is_judged_over_the_network(web, study, monkeypatch):
    """Its settings are in each request; what was judged is read again, and planned, without a key."""
    monkeypatch.setenv("JUDGE_KEY", "sk-study-0123456789")
    service = web(answer)
    made = study(f"{service.url}/v1")
    outcome = run_study(made)
    assert len(service.requests) == 6
    assert {(r["model"], r["temperature"], r["max_tokens"]) for r in service.requests} == {("judge-1", 0.25, 77)}
    assert {h["authorization"] for h in service.headers} == {"Bearer sk-study-0123456789"}
    monkeypatch.delenv("JUDGE_KEY")
    assert assess_study(made).judging == outcome.findings.judging
    assert run_study(made).run_dir != outcome.run_dir
    assert len(service.requests) == 6


def test_a_study_without_its_key_writes_nothing(web, study, tmp_path):
    """The variable is named before the workspace is made; planning needs no key."""
    made = study(web(answer).url)
    plan_run(made)
    with pytest.raises(ConfigProblem, match="JUDGE_KEY"):
        run_study(made)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["replies.jsonl", "study.yaml"]
    with pytest.raises(BadInput, match="no answer in the ledger"):
        assess_study(made)


def test_a_study_keeps_its_cost_limit(web, study, monkeypatch):
    """A limit too small for the first call sends nothing, and the run can be resumed."""
    monkeypatch.setenv("JUDGE_KEY", "sk-study-0123456789")
    service = web(answer)
    with pytest.raises(Unfinished, match="max_cost"):
        run_study(study(service.url, cost=0.0001))
    assert service.requests == []
    run_study(study(service.url, cost=1.0))
    assert len(service.requests) == 6


def test_mass_outside_the_scale_stands_on_the_report(web, study, monkeypatch):
    """With expected scores the report says how much of the judge's probability was on no level, on every page."""
    content = '{"score": 4}'
    rows = [{"token": c, "bytes": [ord(c)], "logprob": 0.0, "top_logprobs": []} for c in content]
    tops = (("4", 0.75), ("5", 0.125), ("four", 0.125))
    rows[content.index("4")]["top_logprobs"] = [{"token": t, "logprob": math.log(p)} for t, p in tops]
    choice = {"message": {"content": content}, "finish_reason": "stop", "logprobs": {"content": rows}}
    service = web((200, {}, {"model": "served-1", "choices": [choice]}))
    monkeypatch.setenv("JUDGE_KEY", "sk-study-0123456789")
    made = study(service.url)
    path = made.file
    path.write_text(path.read_text().replace("  concurrency: 3", "  concurrency: 3\n  score: expected"))
    run_dir = run_study(load_study(path)).run_dir
    written = json.loads((run_dir / "report.json").read_text())
    assert written["judging"]["outside_scale"] == {"warmth": {"mean": 0.125, "largest": 0.125}}
    for page in ("report.md", "report.html"):
        assert "12.5% was on no level of the scale, 12.5% at most" in (run_dir / page).read_text()
