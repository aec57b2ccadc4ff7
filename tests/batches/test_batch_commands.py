"""Batches from the command line and from a study: what is said, what is written, what is resumed."""

import json
import os
import signal

import pytest

import judgekit.batches.run
from judgekit.batches.patience import Polling
from judgekit.batches.run import run_batches
from judgekit.endpoints.openai import OpenAIEndpoint
from judgekit.errors import ConfigProblem, Interrupted
from judgekit.pipeline import assess_study, plan_run, run_study
from judgekit.study import load_study

KEY = "sk-SENTINEL-7f3a9c1e5b2d4680-END"
QUICK = Polling(first=0.01, most=0.02, listed_after=0.02)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Batches are looked at without a pause."""
    monkeypatch.setattr(judgekit.batches.run, "Polling", lambda: QUICK)


@pytest.fixture
def replies(tmp_path):
    """Six replies in a file."""
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
    return tmp_path / "replies.jsonl"


def test_judge_in_batches(provider, replies, tmp_path, monkeypatch, kit):
    """The command hands over, collects, and a live run after it asks for nothing; the key is in no file and no line."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    there = provider(polls=2)
    assert kit.command("blind", replies, "-o", tmp_path / "b.jsonl", "--ner", "off").code == 0
    given = (
        "judge", tmp_path / "b.jsonl", "--rubric", "warmth", "--judge", "openai:m", "--base-url", there.url,
        "-o", tmp_path / "j.jsonl", "--price-in", "10", "--price-out", "100",
    )  # fmt: skip
    dry = kit.command(*given, "--batch", "--dry-run", "--json").json
    assert (dry["to_send"], dry["minutes"]) == (6, None)
    assert "24 hours" in dry["how"]["minutes"]
    done = kit.command(*given, "--batch", "--json")
    assert done.code == 0, done.err
    assert done.json["counts"]["warmth"]["all"]["scored"] == 6
    assert "batch_0: 5 calls handed over" in done.err
    live = kit.command(*given, "--force")
    assert live.code == 0
    assert (there.single_calls, len(there.batches), set(there.billed.values())) == (1, 1, {1})
    assert f"Bearer {KEY}" in there.keys
    assert [p for p in tmp_path.rglob("*") if p.is_file() and KEY.encode() in p.read_bytes()] == []
    assert KEY not in done.err + done.out + live.err + live.out


def test_ctrl_c_leaves_the_batch_to_be_collected(provider, make_calls, render, ledger):
    """The run ends with exit 3 and says what is under way; the same run later collects it and hands nothing over."""
    there = provider(polls=10**6)
    real = there.about

    def stop(batch, what):
        os.kill(os.getpid(), signal.SIGINT)
        there.about = real
        return real(batch, what)

    there.about = stop
    calls, judge = make_calls(8), OpenAIEndpoint("m", base_url=there.url)
    with pytest.raises(
        Interrupted, match=r"1 of 8 answers are in the ledger; under way at the provider: batch_0 \(7"
    ) as end:
        run_batches(calls, judge, ledger, render=render, secret=b"s")
    assert end.value.exit_code == 3
    there.polls = 1
    assert run_batches(calls, judge, ledger, render=render, secret=b"s").answered == 7
    assert len(there.batches) == 1


STUDY = """
study: batched
data: {{replies: replies.jsonl}}
rubrics:
  warmth: {{rubric: warmth, role: primary, margin: 0.25}}
blinding: {{ner: "off"}}
judge: {{spec: "{spec}", base_url: "{url}", batch: true}}
"""


def test_a_study_in_batches(provider, replies):
    """A study is judged in batches, tells what its judge does not take, and is read again without asking."""
    there = provider()
    real = there.answer

    def picky(method, path, body):
        if path.endswith("/chat/completions") and "temperature" in json.loads(body):
            return 400, {"error": {"message": "temperature is not supported", "code": "unsupported_parameter"}}
        return real(method, path, body)

    there.answer = picky
    file = replies.with_name("study.yaml")
    file.write_text(STUDY.format(url=there.url, spec="openai:m"))
    study, said = load_study(file), []
    plan = plan_run(study)
    assert (plan.calls, plan.to_send, plan.cost, plan.minutes) == (6, 6, None, None)
    outcome = run_study(study, say=said.append)
    assert len(there.batches) == 1
    assert any("5 answered" in line for line in said)
    assert outcome.findings.judging.dropped == ("temperature",)
    assert "without them: temperature" in (outcome.run_dir / "report.md").read_text()
    assert json.loads((outcome.run_dir / "report.json").read_text())["judging"]["dropped"] == ["temperature"]
    assert json.loads((outcome.run_dir / "manifest.json").read_text())["settings"]["judge_dropped"] == ["temperature"]
    asked = len(there.asked)
    assert assess_study(study).judging == outcome.findings.judging
    assert len(there.asked) == asked
    assert plan_run(study).to_send == 0


def test_a_study_whose_judge_takes_no_batches(replies):
    """It is refused before anything is written."""
    file = replies.with_name("study.yaml")
    file.write_text(
        STUDY.format(url="http://127.0.0.1:9", spec="lexicon").replace('base_url: "http://127.0.0.1:9", ', "")
    )
    with pytest.raises(ConfigProblem, match="takes no batches"):
        run_study(load_study(file))
    assert sorted(p.name for p in replies.parent.iterdir()) == ["replies.jsonl", "study.yaml"]
