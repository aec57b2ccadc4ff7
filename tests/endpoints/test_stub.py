"""The planted judge: what it is told to do is what it does, the same every time."""

import asyncio
import json
import statistics

import pytest

from judgekit.endpoints.stub import StubEndpoint
from judgekit.errors import ConfigProblem


@pytest.fixture
def score(make_request):
    """The score (or raw answer) of a text."""

    def ask(spec, text, **other):
        raw = asyncio.run(StubEndpoint(spec).send(make_request("p", text=text, **other))).raw
        return json.loads(raw).get("score") if raw.startswith("{") else raw

    return ask


WARM = "Thank you! I am so sorry and glad to help; please write again, welcome."


def test_warm_words_move_the_score(score):
    """Without keys the score is where the number of warm words stands on the declared scale."""
    assert score("", "No.") == 1
    assert score("", WARM) == 5
    assert score("", "Sorry, thanks.") == 3
    assert score("", "Lo siento, gracias.") == 3
    assert score("", WARM, dimensions={"warmth": (0, 10)}) == 10


@pytest.mark.parametrize(
    ("spec", "value"), [("value=3", 3), ("value=9", 9), ("value=2.5", 2.5), ("value=high", "high")]
)
def test_a_constant(score, spec, value):
    """A constant is given for every text, on the scale or off it."""
    assert score(spec, "No.") == score(spec, WARM) == value


def test_a_planted_name_shifts_the_score(score):
    """The shift applies to whole words in any case, adds up, and stays on the scale."""
    spec = "value=3,name=Grace:-1+Joy:0.5+Mary Ann:2"
    assert score(spec, "Dear Grace,") == 2
    assert score(spec, "dear GRACE's") == 2
    assert score(spec, "gracefully") == 3
    assert score(spec, "Joy") == 4
    assert score(spec, "Mary  Ann") == 5
    assert score(spec, "Mary") == 3
    assert score("value=1,name=Grace:-1", "Grace") == 1


def test_noise_is_fixed_for_each_text_and_seed(score):
    """Equal texts get equal scores; over many texts the noise has the spread asked for."""
    texts = [f"text {n}" for n in range(400)]
    wide = {"warmth": tuple(range(101))}

    def scores(spec):
        return [score(spec, text, dimensions=wide) for text in texts]

    first = scores("value=50,noise=5,seed=1")
    assert scores("value=50,noise=5,seed=1") == first
    assert scores("value=50,noise=5,seed=2") != first
    # 400 draws: the mean's standard error is 0.25, that of the standard deviation 0.18
    assert abs(statistics.mean(first) - 50) < 1.0
    assert abs(statistics.stdev(first) - 5) < 0.8


def test_planted_failures(score):
    """The share of answers without a verdict is the one asked for, by text and by name."""
    texts = [f"text {n}" for n in range(400)]
    failed = [isinstance(score("fail=0.25", text), str) for text in texts]
    assert 70 <= sum(failed) <= 130  # 100 expected, standard deviation 8.7
    assert all(isinstance(score("fail=1", text), str) for text in texts[:20])
    assert score("value=3,fail_name=Grace:1", "Dear Joy") == 3
    assert isinstance(score("value=3,fail_name=Grace:1", "Dear Grace"), str)


def test_several_dimensions_and_labels(make_request):
    """Each dimension has its own key; a nominal one gets one of its labels, by the text alone."""
    dimensions = {"warmth": (1, 2, 3), "clear": ("yes", "no")}

    def ask(text):
        request = make_request("p", text=text, dimensions=dimensions)
        return json.loads(asyncio.run(StubEndpoint("noise=1").send(request)).raw)

    answers = [ask(f"text {n}") for n in range(40)]
    assert {a["clear"] for a in answers} == {"yes", "no"}
    assert {a["warmth"] for a in answers} <= {1, 2, 3}
    assert ask("text 0") == answers[0]


def test_pairs(make_request):
    """The warmer text wins wherever it is shown; equal texts tie; ``first=1`` always takes the first."""

    def winner(spec, *pair):
        request = make_request("p", pair=pair)
        return json.loads(asyncio.run(StubEndpoint(spec).send(request)).raw)["winner"]

    assert winner("", WARM, "No.") == "A"
    assert winner("", "No.", WARM) == "B"
    assert winner("", "No.", "No.") == "tie"
    assert winner("first=1", "No.", WARM) == "A"
    assert winner("name=Grace:-1", f"{WARM} Grace", WARM) == "B"


def test_a_delay_is_waited_for(make_request, monkeypatch):
    """The answer comes after the delay."""
    waits = []

    async def note(seconds):
        waits.append(seconds)

    monkeypatch.setattr("judgekit.endpoints.stub.asyncio.sleep", note)
    asyncio.run(StubEndpoint("delay=0.25").send(make_request()))
    assert waits == [0.25]


@pytest.mark.parametrize(
    "spec",
    ["size=3", "value", "value=", "value=1,value=2", "noise=-1", "noise=nan", "noise=inf", "fail=1.5", "fail=x",
     "seed=0.5", "first=yes", "delay=-1", "name=Grace", "name=:1", "name=Grace:x", "name=A:1+A:2", "fail_name=A:2", "=1"],
)  # fmt: skip
def test_specs_that_do_not_fit(spec):
    """Unknown keys, doubled keys and values of the wrong kind are refused."""
    with pytest.raises(ConfigProblem):
        StubEndpoint(spec)
