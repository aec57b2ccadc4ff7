"""Asking for decisions: each different prompt once, or several times, and never one for the other in silence."""

import math

import pytest

from judgekit.deciding.ask import Asking, ask, costs
from judgekit.deciding.planted import PlantedDecider
from judgekit.endpoints.limits import Limits
from judgekit.errors import BudgetSpent, ConfigProblem, ProviderFailed
from judgekit.files.ledger import Ledger
from judgekit.records import Arm, Prompt, Turn, Undefined


def prompt(number, text, **place):
    """One prompt."""
    given = {"unit_id": f"t{number}", "probe": "name", "group": "a", **place}
    return Prompt(id=f"p{number}", position=number, turns=(Turn("user", text),), **given)


def asking(spec, options=("yes", "no"), samples=20, never=None):
    """Asks a planted target."""
    made = []

    def make(method):
        made.append(PlantedDecider(spec, weighed=method == "probabilities"))
        return made[-1]

    return Asking(make=make, options=options, samples=samples, never=never)


@pytest.fixture
def heard(tmp_path):
    """Asks with a ledger that stays: ``heard(prompts, asking)`` gives what was heard and what was said."""

    def run(prompts, how, **more):
        said = []
        with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
            return ask(prompts, how, ledger, secret=b"s", say=said.append, **more), said

    return run


def test_probabilities_are_those_planted_and_replicates_share_a_call(heard):
    """Five replicates of two prompts are two calls; P(yes) is the planted one among yes and no."""
    prompts = [prompt(k, "I am Ana.", group="a", replicate=str(r), unit_id="t") for k, r in enumerate(range(5))]
    prompts += [prompt(9, "I am Bea.", group="b", unit_id="t")]
    found, said = heard(prompts, asking("stub:decide,logit=0.5,word=Bea:-1,outside=0.3"))
    assert (found.method, found.why, found.texts, found.spent.calls, said) == ("probabilities", "", 2, 2, [])
    shares = {a.place.group: a.shares["yes"] for a in found.answers}
    assert shares == pytest.approx({"a": 1 / (1 + math.exp(-0.5)), "b": 1 / (1 + math.exp(0.5))})
    assert found.answers[0].yes_no.mass_not_listed == pytest.approx(0.0, abs=1e-9)
    again, _ = heard(prompts, asking("stub:decide,logit=0.5,word=Bea:-1,outside=0.3"))
    assert (again.spent.calls, again.answers) == (0, found.answers)


def test_the_copies_of_a_control_pair_are_asked_twice(heard):
    """Byte-identical prompts, two calls: the noise of the target shows."""
    control = Arm(kind="control")
    pair = [prompt(k, "I am Ana.", group=None, arm=control, replicate=str(k), unit_id="t") for k in (1, 2)]
    found, _ = heard([prompt(3, "I am Ana.", unit_id="t"), *pair], asking("stub:decide"))
    assert (found.texts, found.spent.calls, len(found.answers)) == (2, 2, 3)
    assert {a.place.side for a in found.answers} == {None, "1", "2"}


def test_samples_come_only_after_their_cost_was_said(heard):
    """A target without probabilities: said with the number of calls, shares near the planted ones, strangers counted."""
    prompts = [prompt(1, "I am Ana.")]
    how = asking("stub:decide,logit=1,logprobs=0,fail=0.1,outside=0", samples=400)
    found, said = heard(prompts, how, concurrency=16)
    assert found.method == "sampled"
    assert "400 calls, 400 to send" in said[0]
    answer = found.answers[0]
    assert answer.shares["yes"] == pytest.approx(1 / (1 + math.exp(-1)), abs=0.08)
    assert answer.n + answer.missing["no_option"] == 400
    assert 15 < answer.missing["no_option"] < 70
    assert answer.yes_no is None


def test_no_samples_allowed_means_none_sent(heard):
    """samples=0: ends with what samples would cost; one call was made, to find out."""
    with pytest.raises(ProviderFailed, match="samples are not allowed") as caught:
        heard([prompt(k, f"I am {k}.") for k in range(3)], asking("stub:decide,logprobs=0", samples=0))
    assert "60 calls for 3 different prompts" in caught.value.remedy


def test_an_answer_without_probabilities_is_no_probability(heard):
    """A target that takes the request and gives an answer alone is found out at the first one."""

    class Silent(PlantedDecider):
        async def send(self, request):
            self.parameters = {}
            return await super().send(request)

    how = Asking(
        make=lambda method: Silent("stub:decide", weighed=method == "probabilities"), options=("yes", "no"), samples=2
    )
    found, said = heard([prompt(k, f"I am {k}.") for k in range(4)], how)
    assert (found.method, found.spent.calls) == ("sampled", 1 + 8)
    assert "came without them" in said[0]


def test_a_limit_holds_over_all_parts_and_nothing_is_lost(heard):
    """Four calls at most, the one that finds out included; the next run goes on."""
    prompts = [prompt(k, f"I am {k}.") for k in range(9)]
    with pytest.raises(BudgetSpent):
        heard(prompts, asking("stub:decide"), limits=Limits(max_calls=4))
    found, _ = heard(prompts, asking("stub:decide"))
    assert found.spent.calls == 5


def test_options_that_no_token_is_have_no_share(heard):
    """Options that are not answered: undefined and counted, no zero."""
    found, _ = heard([prompt(1, "I am Ana.")], asking("stub:decide", options=("ja", "nein")))
    assert isinstance(found.answers[0].shares, Undefined)
    assert found.answers[0].missing == {"no_option": 1}
    many, _ = heard([prompt(1, "I am Ana.")], asking("stub:decide,options=A/B/C,logit=0.7", options=("a", "b", "c")))
    assert many.answers[0].shares["a"] == pytest.approx(math.exp(0.7) / (math.exp(0.7) + 2))


def test_costs_name_every_method_that_is_possible():
    """Probabilities and samples; only samples where there never are any."""
    prompts = [prompt(k, "I am Ana.") for k in range(3)]
    assert [(c.method, c.texts, c.calls) for c in costs(prompts, asking("stub:decide", samples=5))] == [
        ("probabilities", 1, 1),
        ("sampled", 1, 5),
    ]
    assert [c.method for c in costs(prompts, asking("stub:decide", never="none"))] == ["sampled"]


@pytest.mark.parametrize(
    "spec",
    [
        "colour=3",
        "logit=x",
        "logit=1,logit=2",
        "top=1.5",
        "noise=-1",
        "both=&:1",
        "options=Yes",
        "outside=1",
        "word=Ana",
    ],
)
def test_a_planted_target_that_does_not_fit_is_refused(spec):
    """Each wrong key or value names itself."""
    with pytest.raises(ConfigProblem, match="planted target"):
        PlantedDecider(f"stub:decide,{spec}")


def test_rows_of_one_place_that_say_different_things_are_all_asked(heard):
    """A table without names: two prompts of one template and group are two cells, none is dropped."""
    found, _ = heard([prompt(1, "One?", unit_id="t"), prompt(2, "Two?", unit_id="t")], asking("stub:decide"))
    assert (found.texts, len(found.answers)) == (2, 2)
