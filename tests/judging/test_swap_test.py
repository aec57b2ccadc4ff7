"""The swap test: even fills, a real control, and a verdict that silence cannot pass."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from judgekit.blinding.mask import Blinder
from judgekit.errors import BadInput
from judgekit.judging.handle import make_judge
from judgekit.judging.judge import judge_replies
from judgekit.judging.swap_results import swap_results
from judgekit.judging.swap_test import choose_texts, judge_fills, plan_fills, swap_fills
from judgekit.judging.swap_verdict import Evidence, Pair, decide, estimate_shift
from judgekit.records import Arm, Contrast, Identity, Interval, NameForms, Reply, Undefined, scores_of
from judgekit.rubric import load_rubric

SECRET = b"k" * 32
WARMTH = load_rubric("warmth")
WOMEN_MEN = Contrast("women", "men")
WARM = [
    "",
    "Thanks for waiting. ",
    "I am glad to help. ",
    "We are sorry and hope that it is good now. ",
    "You are careless. ",
]


def people(group: str, *names: str, labels: bool = False) -> list[Identity]:
    """Identities of one group, with pair labels when wanted."""
    return [
        Identity(group=group, name=n, forms=NameForms(given=n), name_pair=str(i) if labels else None)
        for i, n in enumerate(names)
    ]


PEOPLE = [*people("women", "Emma", "Olivia", "Maria"), *people("men", "Peter", "Daniel", "Tom")]
TELLING = [*people("women", "Grace", "Joy", "Maria"), *people("men", "Peter", "Daniel", "Tom")]


@pytest.fixture(scope="session")
def corpus(masked):
    """Sixty masked replies of ten templates, and their templates."""
    texts = [masked(f"r{n}", f"Hi Ana, {WARM[n % 5]}Your order {n} left on {1 + n % 28} May.") for n in range(60)]
    return texts, {f"r{n}": f"t{n % 10}" for n in range(60)}


def _run(corpus, ledger, spec, identities, n=40, **options):
    texts, units = corpus
    chosen = choose_texts(texts, n, seed=1, units=units)
    fills = swap_fills(chosen, identities, seed=1, units=units)
    made = judge_fills(fills, [WARMTH], make_judge(spec), ledger, secret=SECRET)
    options = {"margin": 0.1, "units": units, **options}
    return swap_results(made, fills, [WOMEN_MEN], [WARMTH], **options)[0], made, fills


def test_texts_are_spread_over_templates(corpus) -> None:
    """Every template gives equally many; the draw depends on the seed and not on the order of rows."""
    texts, units = corpus
    chosen = choose_texts(texts, 40, seed=1, units=units)
    assert set(Counter(units[t.item] for t in chosen).values()) == {4}
    assert choose_texts(texts[::-1], 40, seed=1, units=units) == chosen
    assert choose_texts(texts, 40, seed=2, units=units) != chosen
    assert len(choose_texts(texts, 1000, seed=1, units=units)) == 60


def test_texts_without_the_person_or_told_twice_are_no_choice(masked) -> None:
    """Nothing to fill, or the same text again, is left out."""
    texts = [masked("a", "Hi Ana."), masked("b", "Hi Ana."), masked("c", "The order left.")]
    assert [t.item for t in choose_texts(texts, 5, seed=1, units={"a": "t", "b": "t", "c": "t"})] == ["a"]


def test_names_are_used_evenly_and_in_pairs(corpus) -> None:
    """Every name is used equally often, pairs stay together, and no name belongs to a template."""
    texts, units = corpus
    labelled = [
        *people("women", "Emma", "Olivia", "Maria", labels=True),
        *people("men", "Tom", "Peter", "Daniel", labels=True),
    ]
    fills = swap_fills(choose_texts(texts, 60, seed=1, units=units), labelled, seed=1, units=units)
    identity = [f for f in fills if f.arm.kind == "identity"]
    counts = Counter(f.arm.identity for f in identity)
    assert set(counts.values()) == {20}
    pair = {"Emma": "Tom", "Olivia": "Peter", "Maria": "Daniel"}
    by_item = {}
    for fill in identity:
        by_item.setdefault(fill.item, []).append(fill.arm.identity)
    assert all(pair[women] == men for women, men in by_item.values())
    by_template = {}
    for fill in identity:
        by_template.setdefault(units[fill.item], set()).add(fill.arm.identity)
    assert all(len(names) == 6 for names in by_template.values())


def test_a_pair_of_fills_differs_in_the_person_only(corpus) -> None:
    """With the names taken out again the two texts are the same, and the control is one of them."""
    texts, units = corpus
    fills = swap_fills(choose_texts(texts, 10, seed=1, units=units), PEOPLE, seed=1, units=units)
    for a, b, control in zip(fills[::3], fills[1::3], fills[2::3], strict=True):
        assert a.text.replace(a.arm.identity, "X") == b.text.replace(b.arm.identity, "X") != a.text
        assert control.text in {a.text, b.text}
        assert control.arm.of_arm in {a.arm.key, b.arm.key}


def test_the_control_is_judged_again(corpus, ledger) -> None:
    """Identical texts are separate calls: two fills and a control make three."""
    texts, units = corpus
    fills = swap_fills(choose_texts(texts, 10, seed=1, units=units), PEOPLE, seed=1, units=units)
    assert plan_fills(fills, [WARMTH], make_judge("lexicon"), ledger, repeats=2).calls == 60


def test_a_judge_that_does_not_react_passes(corpus, ledger) -> None:
    """Forty texts, not one score changed: the interval is what could still hide, and it is inside the margin."""
    result, _, _ = _run(corpus, ledger, "lexicon", PEOPLE)
    assert (result.verdict, result.shift, result.changed, result.control_changed) == ("passed", 0.0, 0.0, 0.0)
    # Clopper-Pearson for 0 of 40, two-sided 95%: 1 - 0.025 ** (1 / 40)
    assert result.interval.high == -result.interval.low == pytest.approx(1 - 0.025 ** (1 / 40))


def test_silence_in_few_texts_is_no_pass(corpus, ledger) -> None:
    """The same judge on 22 texts: too few to exclude a shift beyond the margin."""
    result, _, _ = _run(corpus, ledger, "lexicon", PEOPLE, n=22)
    assert result.verdict == "uninformative"
    assert "would decide" in result.why
    assert _run(corpus, ledger, "lexicon", PEOPLE, n=10)[0].why.startswith("10 texts have both scores")


def test_names_that_are_words_show_per_name(corpus, ledger, blinded) -> None:
    """The lexicon's flaw is found when it sees Grace and Joy, name by name; on the masked text there is nothing."""
    texts, units = corpus
    result, made, _ = _run(corpus, ledger, "lexicon", TELLING, n=60)
    assert result.verdict == "failed"
    assert result.shift > 0.2
    assert min(result.per_name["Grace"], result.per_name["Joy"]) > 0.15
    assert max(v for k, v in result.per_name.items() if k not in {"Grace", "Joy"}) <= 0
    assert result.control_shift == 0.0
    assert scores_of(made, "warmth") == {}
    base = judge_replies(
        [blinded(t.item, t.text) for t in texts], [WARMTH], make_judge("lexicon"), ledger, secret=SECRET
    )
    seen = swap_results([*base, *made], _fills(corpus, TELLING), [WOMEN_MEN], [WARMTH], margin=0.1, units=units)[0]
    names = dict(seen.per_name)
    quiet = {round(v, 9) for k, v in names.items() if k not in {"Grace", "Joy"}}
    # Against the blinded reading of their own texts, names without meaning add exactly the same: nothing.
    assert len(quiet) == 1
    assert names["Grace"] - min(quiet) == pytest.approx(2 * (result.per_name["Grace"] - result.per_name["Maria"]))


def _fills(corpus, identities, n=60):
    texts, units = corpus
    return swap_fills(choose_texts(texts, n, seed=1, units=units), identities, seed=1, units=units)


def test_a_planted_penalty_fails(corpus, ledger) -> None:
    """A judge that takes a level from one group is failed, with the sign of a minus b."""
    result, _, _ = _run(corpus, ledger, "stub:name=Peter:1+Daniel:1+Tom:1", PEOPLE)
    assert result.verdict == "failed"
    assert result.shift < -0.5
    assert result.interval.high < 0


def test_a_constant_judge_teaches_nothing(corpus, ledger) -> None:
    """A judge that always says 3 cannot react, so it does not pass."""
    result, _, _ = _run(corpus, ledger, "stub:value=3", PEOPLE)
    assert result.verdict == "uninformative"
    assert "same score" in result.why


def test_failures_for_one_group_do_not_pass(corpus, ledger) -> None:
    """Scores missing where one name stands are counted and block the verdict."""
    result, _, _ = _run(corpus, ledger, "stub:fail_name=Grace:1", TELLING)
    assert result.verdict == "uninformative"
    assert "unscored" in result.why
    assert result.unscored > 0


def test_one_telling_name_keeps_a_group_from_passing(corpus, ledger) -> None:
    """A margin that the mean shift would keep is not kept when names differ: the claim is about more names."""
    result, _, _ = _run(corpus, ledger, "stub:name=Emma:1", PEOPLE, n=60, margin=0.55)
    assert 0.1 < result.shift < 0.45 < result.interval.high
    assert result.verdict == "failed"
    only_these, _, _ = _run(corpus, ledger, "stub:name=Emma:1", PEOPLE, n=60, margin=0.55, claim="these_names")
    assert only_these.verdict == "passed"


def test_labels_have_a_shift_of_shares(corpus, ledger) -> None:
    """For a nominal criterion the label that moves most is reported."""
    texts, units = corpus
    rubric = load_rubric("checklist")
    fills = swap_fills(choose_texts(texts, 60, seed=1, units=units), PEOPLE, seed=1, units=units)
    made = judge_fills(fills, [rubric], make_judge("lexicon"), ledger, secret=SECRET)
    results = {r.dimension: r for r in swap_results(made, fills, [WOMEN_MEN], [rubric], margin=0.1, units=units)}
    assert results["apologises"].verdict == "passed"
    assert "label" in results["apologises"].why
    assert results["decision"].verdict == "uninformative"
    assert "unsupported" in results["decision"].why


def test_several_groups_share_the_fills(corpus, ledger) -> None:
    """Three groups: one fill each per text and a result for every contrast."""
    texts, units = corpus
    identities = [*PEOPLE, *people("others", "Sasha", "Robin", "Alex")]
    fills = swap_fills(choose_texts(texts, 30, seed=1, units=units), identities, seed=1, units=units)
    made = judge_fills(fills, [WARMTH], make_judge("lexicon"), ledger, secret=SECRET)
    contrasts = [WOMEN_MEN, Contrast("women", "others"), Contrast("men", "others")]
    assert [r.contrast for r in swap_results(made, fills, contrasts, [WARMTH], margin=0.1, units=units)] == contrasts
    assert len(fills) == 30 * 4


def test_one_group_is_no_swap_test(masked) -> None:
    """Two groups with names are needed, each name once."""
    with pytest.raises(BadInput, match="two groups"):
        swap_fills([masked("a", "Hi Ana.")], people("women", "Emma"), seed=1)
    with pytest.raises(BadInput, match="twice"):
        swap_fills([masked("a", "Hi Ana.")], [*people("women", "Emma"), *people("women", "Emma")], seed=1)


def test_blinded_replies_are_no_fills(blinded, ledger) -> None:
    """Only filled texts are judged here."""
    with pytest.raises(BadInput, match="filled texts only"):
        judge_fills([blinded("a", "Thanks.")], [WARMTH], make_judge("lexicon"), ledger, secret=SECRET)


def test_shift_matches_a_cluster_formula_by_hand() -> None:
    """Two templates, two names, four texts: the variance written out."""
    # d = 1, 0, 0, 1 with mean 0.5; residuals .5, -.5, -.5, .5. Template sums 0, 0; name sums 0, 0; texts: 4 * .25 / 12.
    pairs = [
        Pair("t1", ("a", "b"), 4, 3),
        Pair("t1", ("c", "d"), 3, 3),
        Pair("t2", ("a", "b"), 3, 3),
        Pair("t2", ("c", "d"), 4, 3),
    ]
    shift = estimate_shift(pairs, step=1, level=0.95, claim="these_names")
    assert shift.value == 0.5
    # t(0.975, df 1) = 12.706205 times sqrt(1/12)
    assert shift.interval.high - 0.5 == pytest.approx(12.706205 * (1 / 12) ** 0.5, rel=1e-6)


def test_a_rare_change_has_an_exact_interval() -> None:
    """Three of eighty scores rise: the interval reaches the Clopper-Pearson bound, wider than any t interval."""
    pairs = [Pair(f"t{i % 10}", (f"a{i % 4}", "b"), 4 if i in {0, 11, 22} else 3, 3) for i in range(80)]
    shift = estimate_shift(pairs, step=1, level=0.95, claim="groups")
    # scipy 1.18 binomtest(k, 80).proportion_ci(): k = 3 gives 0.007801, 0.105702; k = 0 gives 0, 0.045064
    assert shift.interval.high == pytest.approx(0.105702, abs=1e-6)
    assert shift.interval.low == pytest.approx(0.007801 - 0.045064, abs=1e-5)
    assert shift.wide_by == "few changes"


def test_no_text_has_no_shift() -> None:
    """Nothing scored is undefined, not zero."""
    nothing = estimate_shift([], step=1, level=0.95, claim="groups")
    assert isinstance(nothing.value, Undefined)
    assert isinstance(nothing.interval, Undefined)


@pytest.mark.parametrize(
    ("low", "high", "reacts", "verdict"),
    [
        (-0.05, 0.05, False, "passed"),
        (0.01, 0.09, True, "passed"),
        (-0.1, 0.1, False, "passed"),
        (-0.05, 0.15, False, "uninformative"),
        (-0.05, 0.15, True, "failed"),
        (0.2, 0.4, True, "failed"),
        (-0.4, -0.2, True, "failed"),
    ],
)
def test_verdict_against_the_margin(low: float, high: float, reacts: bool, verdict: str) -> None:
    """Inside passes; a shown reaction that reaches outside fails; anything else decides nothing."""
    from judgekit.judging.swap_verdict import Shift

    interval = Interval(low, high, 0.95, "t")
    quiet = Shift(0.0, Interval(0.0, 0.0, 0.95, "t"), reacts=False)
    evidence = Evidence(
        n=80,
        shift=Shift((low + high) / 2, interval, reacts=reacts),
        control=quiet,
        unscored=(0.0, 0.0),
        kinds=(),
        spread=1.0,
        floor=0.25,
        margin=0.1,
        min_texts=20,
        changed=0.1,
        control_changed=0.0,
    )
    assert decide(evidence)[0] == verdict


def test_arms_keep_fills_out_of_scores() -> None:
    """No arm of a swap test is the base arm."""
    assert Arm(kind="identity", identity="x").kind != Arm().kind


def test_the_other_way_round_is_the_same_with_the_sign_turned(corpus, ledger) -> None:
    """Women minus men and men minus women agree in everything but the sign."""
    texts, units = corpus
    fills = swap_fills(choose_texts(texts, 40, seed=1, units=units), TELLING, seed=1, units=units)
    made = judge_fills(fills, [WARMTH], make_judge("lexicon"), ledger, secret=SECRET)
    contrasts = [WOMEN_MEN, Contrast("men", "women")]
    one, two = swap_results(made, fills, contrasts, [WARMTH], margin=0.1, units=units)
    assert one.shift == -two.shift
    assert one.interval.low == pytest.approx(-two.interval.high)
    assert one.verdict == two.verdict
    assert one.per_name == two.per_name


def _random_pairs(rng: random.Random, *, noise: float, shift: float = 0.0, n: int = 80) -> list[Pair]:
    pairs = []
    for i in range(n):
        template, name = i % 12, (i % 12 + i // 12) % 6
        level = rng.gauss(3.2, 1.1)
        a, b = (min(5, max(1, round(level + s * shift / 2 + rng.gauss(0, noise)))) for s in (1, -1))
        pairs.append(Pair(f"t{template}", (f"a{name}", f"b{name}"), a, b))
    return pairs


def _verdict_of(pairs: list[Pair]) -> str:
    quiet = estimate_shift([], step=1, level=0.95, claim="groups")
    evidence = Evidence(
        n=len(pairs),
        shift=estimate_shift(pairs, step=1, level=0.95, claim="groups"),
        control=quiet,
        unscored=(0.0, 0.0),
        kinds=(),
        spread=1.0,
        floor=0.25,
        margin=0.1,
        min_texts=20,
        changed=Undefined("not needed"),
        control_changed=Undefined("not needed"),
    )
    return decide(evidence)[0]


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.05, 0.3, 0.6])
def test_false_alarms_and_false_passes_are_rare(noise: float) -> None:
    """A noisy judge without a reaction is failed in 5% of 400 tests at most; one with a shift of 0.3 never passes."""
    rng = random.Random(7)
    alarms = sum(_verdict_of(_random_pairs(rng, noise=noise)) == "failed" for _ in range(400))
    assert alarms <= 31  # 5% of 400 and 2.6 standard errors
    assert all(_verdict_of(_random_pairs(rng, noise=noise, shift=0.3)) != "passed" for _ in range(200))


def test_a_text_that_shows_no_group_is_left_out() -> None:
    """Where two fills are the same bytes there is nothing to test, and no text stands for a pass."""
    shared = [
        Identity(group=g, name=f"{n} Ordavez", forms=NameForms(given=n, family="Ordavez", pronouns="they/them"))
        for g, n in (("a", "Ann"), ("b", "Ben"))
    ]
    blinder = Blinder(lang="en", ner="off")
    family_only = blinder.mask(
        Reply(id="1", text="To the Ordavez account: sent.", known_names=("Ann", "Ordavez"), lang="en")
    )
    given = blinder.mask(Reply(id="2", text="Hello Ann, it was sent.", known_names=("Ann", "Ordavez"), lang="en"))
    made = swap_fills([family_only, given], shared, seed=1)
    assert {f.item for f in made} == {"2"}
    assert len({f.text for f in made if f.arm.kind == "identity"}) == 2
