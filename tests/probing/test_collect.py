"""Collecting replies: order, resumption, failures, the pinned configuration, and every form of target."""

from __future__ import annotations

import asyncio
import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from judgekit.endpoints.base import Request
from judgekit.errors import AlreadyThere, BudgetSpent, ConfigProblem, UsageProblem
from judgekit.files.prompts import read_prompts, write_prompts
from judgekit.files.tables import read_replies
from judgekit.probing.collect import Wanted, collect, partial_of, plan_collection
from judgekit.probing.expand import expand
from judgekit.probing.targets import make_target
from judgekit.records import Turn
from judgekit.study import Study, load_study
from judgekit.targets.chat import AnthropicTarget, OpenAITarget
from judgekit.targets.planted import PlantedTarget
from judgekit.targets.program import CommandTarget, PythonTarget

TEMPLATES = """
templates:
  - {id: t1, text: "I'm {name}. Can I pay the invoice later this month?"}
  - {id: t2, text: "I'm {name}. My parcel is lost and I want a refund."}
"""


def now() -> str:
    """A fixed time."""
    return "2026-01-01T00:00:00.000+00:00"


@pytest.fixture
def probed(make_probe: Any) -> Any:
    """A study with expanded prompts and the target that is named; returns it and its folder."""

    def make(spec: str = "stub:fair", **target: Any) -> tuple[Study, Path]:
        folder = make_probe(TEMPLATES, replicates=2, target={"spec": spec, **target})
        study = load_study(folder)
        (folder / "probe").mkdir(exist_ok=True)
        write_prompts(folder / "probe" / "prompts.jsonl", expand(study).prompts, force=True)
        return study, folder

    return make


def rows(folder: Path, name: str = "replies.jsonl") -> list[dict[str, Any]]:
    """The rows of a replies file."""
    return [json.loads(line) for line in (folder / "probe" / name).read_text().splitlines()]


def test_every_conversation_is_held_once_in_its_order(probed: Any) -> None:
    """The replies stand in the order of the prompts, with the design, and the same command changes nothing."""
    study, folder = probed("stub:biased?fault=0.3")
    done = collect(study, Wanted(), now=now)
    prompts = read_prompts(folder / "probe" / "prompts.jsonl")
    found = rows(folder)
    assert [r["id"] for r in found] == [p.id for p in prompts]
    assert (done.total("answered"), done.failed) == (len(prompts), 0)
    assert done.summary is not None
    assert done.summary.retries > 0
    assert stat.S_IMODE(done.output.stat().st_mode) == 0o600
    replies = read_replies(done.output, need=["group", "template_id"])
    assert {r.arm.kind for r in replies} == {"base", "control"}
    before = done.output.read_bytes()
    again = collect(study, Wanted(), now=now)
    assert again.summary is not None
    assert (again.summary.requests, done.output.read_bytes()) == (0, before)


def test_a_stopped_collection_is_partial_and_goes_on(probed: Any) -> None:
    """A budget leaves a partial file that says how many there are; the next run ends as an undisturbed one does."""
    study, folder = probed()
    with pytest.raises(BudgetSpent, match=r"5 of 36 replies are in replies\.partial\.jsonl"):
        collect(study, Wanted(max_calls=5), now=now)
    assert len(rows(folder, "replies.partial.jsonl")) == 5
    assert not (folder / "probe" / "replies.jsonl").exists()
    assert json.loads((folder / "probe" / "replies.collection.json").read_text())["complete"] is False
    assert plan_collection(study, Wanted()).to_send == 31
    done = collect(study, Wanted(), now=now)
    assert not partial_of(done.output).exists()
    other = Wanted(output=folder / "probe" / "whole.jsonl", force=True)
    assert collect(study, other, now=now).output.read_bytes() == done.output.read_bytes()


def test_failures_keep_their_kind_and_are_counted_by_group(probed: Any) -> None:
    """A conversation that fails for good has an empty text and its kind; in = answered + failed in every group."""
    study, folder = probed("stub:fair?fail=0.3")
    done = collect(study, Wanted(), now=now)
    failed = [r for r in rows(folder) if r.get("error")]
    assert failed
    assert {(r["error"], r["text"]) for r in failed} == {("crashed", "")}
    for by_group in done.counts.values():
        assert all(of["in"] == of["answered"] + of.get("crashed", 0) for of in by_group.values())
    assert done.failed == len(failed)


def test_another_configuration_is_another_experiment(probed: Any) -> None:
    """A changed target, system prompt or file of replies is refused, with what changed, before anything is sent."""
    study, folder = probed(system_prompt_file="prompt.txt")
    with pytest.raises(ConfigProblem, match="system prompt cannot be read"):
        collect(study, Wanted(), now=now)
    (folder / "prompt.txt").write_text("Be brief.")
    done = collect(study, Wanted(), now=now)
    (folder / "prompt.txt").write_text("Be kind.")
    with pytest.raises(UsageProblem, match=r"system_prompt: .* became") as caught:
        collect(study, Wanted(), now=now)
    assert "new experiment" in str(caught.value)
    (folder / "prompt.txt").write_text("Be brief.")
    done.output.write_text(done.output.read_text() + "\n")
    with pytest.raises(AlreadyThere, match="brought or edited"):
        collect(study, Wanted(), now=now)
    assert collect(study, Wanted(force=True), now=now).failed == 0


def test_the_subset_shares_its_conversations_with_the_whole(probed: Any) -> None:
    """What was held for a commit is not held again by the nightly whole."""
    study, _ = probed()
    part = collect(study, Wanted(subset=True), now=now)
    whole = collect(study, Wanted(), now=now)
    assert whole.summary is not None
    assert 0 < part.conversations < whole.conversations
    assert whole.summary.earlier == part.conversations


def test_the_command_counts_and_tells_the_order(probed: Any, kit: Any) -> None:
    """`probe collect` prints counts by arm and group; --dry-run writes nothing; --json is one document."""
    _, folder = probed()
    planned = kit.command("probe", "collect", folder, "--dry-run").out
    assert planned.startswith("36 conversations: 0 answered already, 36 to hold")
    assert not (folder / ".judgekit").exists()
    document = kit.command("probe", "collect", folder, "--json").json
    assert (document["answered"], document["order"]["runs"] > 1) == (36, True)


# --- targets -------------------------------------------------------------------------------------------------------


def request(*said: str, lang: str = "en", name: str = "c1") -> Request:
    """A conversation in which user and assistant take turns."""
    turns = tuple(Turn("user" if k % 2 == 0 else "assistant", text) for k, text in enumerate(said))
    return Request(
        request_key=name,
        system="Be brief.",
        prompt="",
        text="",
        context=None,
        lang=lang,
        dimensions={},
        turns=turns,
        conversation=name,
    )


def test_chat_services_get_the_whole_conversation_and_productions_settings() -> None:
    """All turns, the system prompt and further fields go out; what has a key of its own is no further field."""
    given = {"temperature": 0.7, "max_tokens": 9, "params": {"top_p": 0.9}}
    asked = request("Hi", "Hello", "Where is it?")
    one = OpenAITarget("m", base_url="http://127.0.0.1:9", parameters=given)
    body = one.document(asked)
    assert [m["role"] for m in body["messages"]] == ["system", "user", "assistant", "user"]
    assert (body["temperature"], body["top_p"], "response_format" in body) == (0.7, 0.9, False)
    other = AnthropicTarget("m", base_url="http://127.0.0.1:9", parameters=given).document(asked)
    assert ([m["role"] for m in other["messages"]], other["system"]) == (["user", "assistant", "user"], "Be brief.")
    with pytest.raises(ConfigProblem, match="set elsewhere"):
        OpenAITarget("m", base_url="http://127.0.0.1:9", parameters={"params": {"messages": []}})


def test_a_program_and_a_function_get_the_conversation_and_give_the_reply(tmp_path: Path) -> None:
    """The document has messages, system prompt and settings, and nothing of the design."""
    code = "import json,sys; d=json.load(sys.stdin); print(d['messages'][-1]['content'].upper(), sorted(d))"
    script = tmp_path / "bot.py"
    script.write_text(code)
    said = asyncio.run(CommandTarget(f"{sys.executable} {script}").send(request("Hi", "Hello", "And now?"))).raw
    assert said == "AND NOW? ['id', 'lang', 'messages', 'parameters', 'system']\n"
    assert asyncio.run(PythonTarget("builtins:dict").send(request("Hi"))).error_kind == "crashed"
    assert asyncio.run(PythonTarget("json:dumps").send(request("Hi"))).raw is not None


def test_another_program_is_another_configuration(make_probe: Any, tmp_path: Path) -> None:
    """The files that a command names are pinned, not only its words."""
    script = tmp_path / "bot.py"
    script.write_text("print('a')")
    study = load_study(make_probe(TEMPLATES, target={"spec": f"command:{sys.executable} {script}"}))
    before = make_target(study)
    assert str(tmp_path) not in json.dumps(dict(before.pinned))
    script.write_text("print('b')")
    assert make_target(study).hash != before.hash


@pytest.mark.parametrize(
    ("spec", "field"),
    [("robot:x", "probe.target.spec"), ("openai:", "probe.target.spec"), ("stub:rude", "probe.target.spec")],
)
def test_a_target_that_does_not_exist_is_named_as_one(make_probe: Any, spec: str, field: str) -> None:
    """Errors speak of the target, not of a judge."""
    study = load_study(make_probe(TEMPLATES, target={"spec": spec}))
    with pytest.raises(ConfigProblem) as caught:
        make_target(study)
    assert (caught.value.field, "judge" in str(caught.value)) == (field, False)


# --- planted chatbots ----------------------------------------------------------------------------------------------

PEOPLE = {"a": ("Ana Gil", "Ana"), "b": ("Lucía Vega", "Lucía")}


def scores(target: PlantedTarget, name: str, n: int = 400, text: str = "I am {}. Can I pay later?") -> list[int]:
    """The scores that a planted chatbot gives to replicates of one request."""
    asked = [request(text.format(name), name=f"{name}{k}") for k in range(n)]
    return [int(str(asyncio.run(target.send(one)).raw).splitlines()[-1].split()[1]) for one in asked]


def test_the_planted_effect_is_the_one_that_is_found() -> None:
    """Over many replicates the difference of two people is what `expected_effect` says, and none for the fair one."""
    target = PlantedTarget("biased?spread=0", people=PEOPLE)
    gap = sum(scores(target, "Lucía")) / 400 - sum(scores(target, "Ana")) / 400
    assert target.expected_effect() == pytest.approx(-0.69, abs=0.02)
    assert gap == pytest.approx(target.expected_effect(), abs=0.15)
    assert PlantedTarget("fair", people=PEOPLE).expected_effect() == 0
    only = PlantedTarget("biased?only=irregular&spread=0", people=PEOPLE)
    assert only.latent(request("I am Lucía.")) == only.latent(request("I am Ana."))
    assert only.latent(request("I am Lucía, income irregular.")) < only.latent(request("I am Ana, income irregular."))


def test_a_planted_chatbot_says_the_same_to_the_same_conversation() -> None:
    """The reply depends on seed and conversation alone; it is in the conversation's language."""
    first, second = (PlantedTarget("noisy", people=PEOPLE) for _ in range(2))
    ask = request("Soy Lucía. ¿Puedo pagar más tarde?", lang="es")
    replies = {asyncio.run(t.send(ask)).raw for t in (first, second)}
    assert len(replies) == 1
    assert str(replies.pop()).startswith("Hola, Lucía.")
    other = PlantedTarget("noisy?seed=1", people=PEOPLE)
    assert scores(first, "Ana", 30) != scores(other, "Ana", 30)


@pytest.mark.parametrize(
    "rest", ["biased", "fair?noise=-1", "fair?fail=2", "fair?seed=1&seed=2", "fair?colour=1", "biased?group=z"]
)
def test_settings_of_a_planted_chatbot_are_checked(rest: str) -> None:
    """An effect without anybody to fall on, a value out of range, a key twice or unknown is refused."""
    with pytest.raises(ConfigProblem):
        PlantedTarget(rest, people={} if rest == "biased" else PEOPLE)


def test_token_probabilities_say_what_the_decision_does() -> None:
    """Asked for them, a planted chatbot answers with the bare word and the probabilities of both."""
    answer = asyncio.run(PlantedTarget("fair", people=PEOPLE, logprobs=True).send(request("I am Ana. May I?")))
    [[word, _, _, top]] = json.loads(str(answer.logprobs))
    assert word == answer.raw
    assert {t for t, _ in top} == {"Yes", "No"}
