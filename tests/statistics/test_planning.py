"""Power, planning, simulated validity, preference, words."""

from __future__ import annotations

import numpy as np
import pytest

from judgekit.errors import BadInput
from judgekit.records import Contrast, Undefined
from judgekit.statistics.divergence_power import divergence_power
from judgekit.statistics.mixed_model import mixed_model_gap
from judgekit.statistics.power import (
    Design,
    Noise,
    estimate_noise,
    minimum_detectable_gap,
    power_of_design,
    templates_needed,
)
from judgekit.statistics.preference import JudgedPair, group_preference, position_bias
from judgekit.statistics.validity import simulated_cells, validate_design
from judgekit.statistics.words import Document, word_differences, words_of

XY = Contrast("x", "y")
PLAN = Design(templates=40, names_a=6, names_b=6)
NOISE = Noise(template_gap=0.3, name=0.2)


def test_minimum_detectable_gap_has_the_power_asked_for():
    """At the smallest detectable gap the power is what was asked; it shrinks with templates, down to a floor of names."""
    gap = minimum_detectable_gap(PLAN, NOISE, power=0.8)
    assert power_of_design(PLAN, NOISE, gap).power == pytest.approx(0.8, abs=1e-6)
    many = Design(templates=4000, names_a=6, names_b=6)
    assert minimum_detectable_gap(many, NOISE) < gap
    assert minimum_detectable_gap(many, NOISE) > 2 * power_of_design(many, NOISE, 0.0).limit_by_names


def test_power_agrees_with_simulation():
    """The formula is within Monte-Carlo error of simulated studies."""
    planned = power_of_design(PLAN, NOISE, 0.5).power
    found = validate_design(PLAN, NOISE, gaps=(0.5,), runs=150, seed=2)[0]
    assert found.rejected == pytest.approx(planned, abs=4 * found.se + 0.02)


def test_templates_needed_is_the_smallest():
    """One template less and the interval is too wide; when names are the limit it says so."""
    noise = Noise(template_gap=0.3, name=0.0)
    n = templates_needed(PLAN, noise, half_width=0.2)
    widths = [power_of_design(Design(templates=t, names_a=6, names_b=6), noise, 0.0).half_width for t in (n - 1, n)]
    assert widths[0] > 0.2 >= widths[1]
    assert templates_needed(PLAN, NOISE, half_width=0.05).reason == "more names are needed"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Design(templates=1, names_a=2, names_b=2),
        lambda: Noise(template_gap=-1, name=0),
        lambda: Noise(template_gap=0, name=0, residual=0),
        lambda: minimum_detectable_gap(PLAN, NOISE, power=0.01),
        lambda: power_of_design(PLAN, NOISE, 0.1, alpha=5),
        lambda: templates_needed(PLAN, NOISE, half_width=0.0),
        lambda: divergence_power([0.0], sigma=0.5, sigma_pert=0.0),
        lambda: validate_design(PLAN, NOISE, runs=0),
        lambda: simulated_cells(PLAN, NOISE, 0.0, np.random.default_rng(0), missing=1.0),
    ],
)
def test_impossible_plans(make):
    """Impossible sizes and levels are refused."""
    with pytest.raises(BadInput):
        make()


def test_noise_of_a_pilot(designs):
    """A pilot's standard deviations come back near what made it."""
    rows = designs.balanced(np.random.default_rng(0), templates=150, names=12, replicates=3, name_sd=0.5, gap_sd=0.4)
    found = estimate_noise(rows, XY)
    assert found.residual == pytest.approx(1.0, abs=0.05)
    assert found.name == pytest.approx(0.5, abs=0.2)
    # Each group moves by sd 0.4 in a template, so their difference moves by 0.4 times root two.
    assert found.template_gap == pytest.approx(0.566, abs=0.15)
    assert isinstance(estimate_noise(rows[:2], XY), Undefined)


def test_simulation_repeats_and_fails_replies():
    """The same seed gives the same studies; missing replies are counted in the cells."""
    first = validate_design(PLAN, NOISE, runs=3, seed=1, missing=0.2)
    assert first == validate_design(PLAN, NOISE, runs=3, seed=1, missing=0.2)
    cells, _ = simulated_cells(PLAN, NOISE, 0.0, np.random.default_rng(1), missing=0.2)
    assert cells.missing.sum() == pytest.approx(0.2 * 480, abs=40)


def test_divergence_power_at_the_null():
    """Without a targeted effect the share of rejections is near 5%; with a large one it is 1."""
    z = np.random.default_rng(0).normal(0, 1.5, 100)
    null = divergence_power(z, sigma=0.5, sigma_pert=0.0, runs=2000)
    assert null.power == pytest.approx(0.05, abs=0.02)
    assert divergence_power(z, sigma=0.5, sigma_pert=2.0, runs=200).power == 1.0


def test_mixed_model_edges(designs):
    """Too few names or templates, and constant scores, are undefined."""
    assert isinstance(mixed_model_gap([], XY), Undefined)
    flat = designs.rows_of({(f"t{t}", g, f"{g}{n}"): [2.0] for t in range(4) for g in "xy" for n in range(3)})
    assert mixed_model_gap(flat, XY).reason == "no spread"


def pairs_of(choices, names=None):
    """Pairs, two to a template, with ``names`` names per group in turn."""
    return [
        JudgedPair(
            unit_id=f"t{i // 2}",
            choice=c,
            name_a=names and f"a{i % names}",
            name_b=names and f"b{i % names}",
        )
        for i, c in enumerate(choices)
    ]


def test_preference_counts():
    """Ties are half to each, inconsistent pairs are apart, missing verdicts are counted."""
    found = group_preference(pairs_of(["a", "a", "b", "tie", "inconsistent", None]))
    assert (found.wins_a, found.wins_b, found.ties, found.inconsistent, found.missing) == (2, 1, 1, 1, 1)
    # Templates: t0 (a, a) = 1, t1 (b, tie) = -0.5.
    assert found.estimate.value == pytest.approx(0.25)
    assert found.without_ties == pytest.approx(1 / 3)
    assert found.inconsistent_share == pytest.approx(0.2)
    assert isinstance(group_preference(pairs_of(["inconsistent"])).estimate.value, Undefined)
    with pytest.raises(BadInput):
        group_preference(pairs_of(["A"]))


def test_preference_with_names():
    """Names are a second sample for a claim about groups; without them the claim is restated."""
    rng = np.random.default_rng(0)
    choices = rng.choice(["a", "b", "tie"], 80, p=[0.6, 0.3, 0.1]).tolist()
    named = group_preference(pairs_of(choices, names=5))
    assert named.estimate.method == "two-way t"
    assert named.estimate.interval.low < named.estimate.value < named.estimate.interval.high
    bare = group_preference(pairs_of(choices))
    assert bare.estimate.method.startswith("sign-flip")
    assert bare.estimate.notes
    assert group_preference(pairs_of(choices, names=1)).estimate.p.reason == "one name in a group"
    assert group_preference(pairs_of(["a"] * 20, names=5)).estimate.interval.reason == "no spread"


@pytest.mark.slow
def test_preference_keeps_its_level():
    """Names that differ: the two-way interval rejects a true null at most 7% of the time."""
    rng = np.random.default_rng(1)
    rejected = 0
    for _ in range(400):
        a, b = rng.normal(0, 0.5, 6), rng.normal(0, 0.5, 6)
        pairs = []
        for t in range(40):
            shift = rng.normal(0, 0.3)
            for _ in range(3):
                i, j = rng.integers(0, 6, 2)
                won = rng.random() < 1 / (1 + np.exp(-(shift + a[i] - b[j])))
                pairs.append(JudgedPair(unit_id=f"t{t}", choice="a" if won else "b", name_a=f"a{i}", name_b=f"b{j}"))
        rejected += group_preference(pairs).estimate.p <= 0.05
    assert rejected / 400 <= 0.07


def test_position_bias():
    """Always the first: a bias of one half with the binomial bound; a fair judge has an interval around 0."""
    always = position_bias(["1", "2", "3"], [True, True, True])
    assert always.value == 0.5
    assert (always.interval.low, always.interval.high) == (pytest.approx(0.5 - (1 - 0.05 ** (1 / 3))), 0.5)
    assert always.p.reason == "no spread"
    assert position_bias(["1", "1"], [True, True]).interval.reason == "one pair"
    fair = position_bias([str(i // 2) for i in range(200)], [i % 4 < 2 for i in range(200)])
    assert fair.value == 0.0
    assert fair.interval.low < 0 < fair.interval.high
    assert position_bias(["1", "2"], [None, True]).ties == 1
    assert isinstance(position_bias([], []).value, Undefined)
    with pytest.raises(BadInput):
        position_bias(["1"], [])


def test_words_leave_out_placeholders():
    """Placeholders, punctuation and case do not count; accents and broken Unicode survive."""
    assert words_of("[PERSON_1], lo SIENTO mucho: ¿está [PRONOUN] bien?") == ["lo", "siento", "mucho", "está", "bien"]
    assert words_of("ok \ud800 fine") == ["ok", "fine"]


def test_words_that_differ():
    """A planted word leads; a word of one template only does not, however often it stands there."""
    documents = []
    for t in range(12):
        for g in "xy":
            text = "we will look into it " + ("sadly " if g == "x" else "gladly ") + "and write back"
            if t == 0 and g == "x":
                text += " banana" * 30
            documents.append(Document(text=text, group=g, unit_id=f"t{t}"))
    found = {w.word: w for w in word_differences(documents, XY, top=50)}
    assert found["sadly"].z > 2
    assert found["gladly"].z < -2
    assert abs(found["banana"].z) < 2
    assert found["banana"].templates == 1


def test_words_edges():
    """No templates, one template, a group without words: nothing is claimed."""
    assert word_differences([], XY) == ()
    assert word_differences([Document(text="a b " * 9, group=g, unit_id="t") for g in "xy"], XY) == ()
    assert word_differences([Document(text="a " * 9, group="x", unit_id=f"t{i}") for i in range(3)], XY) == ()
    with pytest.raises(BadInput):
        word_differences([], XY, least=0)
