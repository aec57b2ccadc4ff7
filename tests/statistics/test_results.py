"""Every result says what it is, prints itself, and turns into plain values and a table."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from random import Random

import pytest

import judgekit.agreement
import judgekit.statistics
from judgekit.agreement.agree import agree
from judgekit.agreement.auc import roc_auc
from judgekit.agreement.budget import planned_looks
from judgekit.agreement.everyone import everyone
from judgekit.agreement.icc import icc
from judgekit.agreement.intervals import bootstrap_kappa
from judgekit.agreement.raters import self_agreement
from judgekit.files.atomic import to_jsonable
from judgekit.records import Contrast, MetricRow, Rating
from judgekit.statistics.answer_change import answer_change
from judgekit.statistics.bbq import BbqAnswer, bbq_scores
from judgekit.statistics.bootstrap import bootstrap_interval, seed_compatible
from judgekit.statistics.disparity import disparity
from judgekit.statistics.divergence import divergence, mean_divergence
from judgekit.statistics.divergence_power import divergence_power
from judgekit.statistics.equivalence import equivalence_test
from judgekit.statistics.mean import mean_of
from judgekit.statistics.mixed_model import mixed_model_gap
from judgekit.statistics.multiplicity import adjust
from judgekit.statistics.paired_tests import clustered_mcnemar, mcnemar_test, paired_t_test, wilcoxon_test
from judgekit.statistics.pairs import pair_differences
from judgekit.statistics.power import Design, Noise, power_of_design
from judgekit.statistics.ppi import ppi_mean
from judgekit.statistics.preference import JudgedPair, group_preference, position_bias
from judgekit.statistics.regression import clustered_ols, difference_model, level_model
from judgekit.statistics.results import Result
from judgekit.statistics.rogan_gladen import corrected_rate
from judgekit.statistics.sign_flip import sign_flip_test
from judgekit.statistics.template_gaps import template_gaps
from judgekit.statistics.token_change import detection_check, matched_change, token_change, token_change_sweep
from judgekit.statistics.trend import noise_floor, release_trend
from judgekit.statistics.validity import validate_design
from judgekit.statistics.variance import two_way
from judgekit.statistics.words import Document, word_differences
from judgekit.statistics.yes_no import logit_gap, option_shares, p_yes

XY = Contrast("x", "y")
ROWS = [
    MetricRow(item=f"{t}{g}{n}", unit_id=f"t{t}", group=g, name=f"{g}{n}", value=float((t * n + t + ord(g)) % 5))
    for t in range(6)
    for g in "xy"
    for n in range(3)
]
RATINGS = [
    Rating(
        item=str(i), dimension="warmth", annotator=who, score=(i + shift * (i % 3 == 0)) % 5 + 1, carried={"at": i + 1}
    )
    for who, shift in (("bot", 1), ("ana", 0), ("karim", 2))
    for i in range(20)
]
ONES = [0, 1] * 20
GAPS = [0.1, -0.2, 0.3, 0.05, 0.4, -0.1]
YES = p_yes({"Yes": -0.3, "No": -1.5})
WIDE = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
PLAN, NOISE = Design(templates=6, names_a=3, names_b=3), Noise(template_gap=0.3, name=0.1)
LEVEL = ([1, -1] * 3, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [0.1, 0.9, 2.2, 2.8, 4.1, 4.9], [1.0, 0.1, 3.0, 2.0, 5.2, 4.0])
PEOPLE = {"judge": "bot", "humans": ["ana", "karim"], "levels": [1, 2, 3, 4, 5]}


def made():
    """One of each kind, by the function that a user calls."""
    yield answer_change(ONES, ONES[::-1], ONES, draws=99)
    yield bbq_scores(
        [BbqAnswer(context=c, answer="target", polarity="neg", correct=False) for c in ("ambig", "disambig")]
    )
    yield bootstrap_interval(GAPS, draws=99)
    yield seed_compatible(GAPS, Random(1), draws=99, flips=99)
    yield disparity({"A": (70, 100), "B": (75, 100)})
    yield divergence([0.5, 0.5], [0.9, 0.1])
    yield mean_divergence([[0.5, 0.5]], [[0.9, 0.1]])
    yield equivalence_test(GAPS, 0.5)
    yield mean_of(GAPS)
    yield mixed_model_gap(ROWS, XY)
    yield adjust([0.01, 0.2], method="bh")
    yield paired_t_test(GAPS)
    yield wilcoxon_test(GAPS)
    yield mcnemar_test([[10, 4], [2, 10]])
    yield clustered_mcnemar(["t1", "t1", "t2", "t2"], [True, True, True, False], [False, True, False, False])
    yield pair_differences(ROWS, XY)
    yield from (PLAN, NOISE, power_of_design(PLAN, NOISE, 0.3))
    yield divergence_power([0.0, 1.0, -1.0], sigma=0.5, sigma_pert=1.0, runs=9)
    yield ppi_mean([3.0, 4.0, 5.0], [2.0, 3.0, 4.5], [2.0, 4.0, 3.0])
    yield group_preference([JudgedPair(unit_id=f"t{i}", choice=c) for i, c in enumerate(["a", "b", "a", "tie"])])
    yield position_bias(["1", "1", "2", "2"], [True, True, True, False])
    yield clustered_ols([1.0, 2.0, 3.0, 5.0], [[1, 0], [1, 1], [1, 2], [1, 3]], ["a", "a", "b", "b"])
    yield difference_model([1, -1, 1, 1], [0.0] * 4, [1.0, -2.0, 3.0, 2.0])
    yield level_model(*LEVEL)
    yield corrected_rate([1] * 60 + [0] * 60, [1] * 51 + [0] * 9 + [1] * 8 + [0] * 52, [1] * 310 + [0] * 190)
    yield sign_flip_test(GAPS)
    yield template_gaps(ROWS, XY)
    yield token_change("he asked the nurse", "she asked the nurse")
    yield matched_change([0.1, 0.12, 0.2], [0.1, 0.25, 0.2])
    yield from token_change_sweep([0.04, 0.3, 0.28], [False, True, False])
    yield detection_check([True, True, False, True], [False, False])
    yield release_trend({"1.0": 0.04, "1.1": 0.05, "1.2": 0.03})
    yield noise_floor([0.1, -0.1, 0.0, 0.05])
    yield from validate_design(PLAN, NOISE, runs=2)
    yield two_way(template_gaps(ROWS, XY).cells, template_gaps(ROWS, XY))
    texts = [
        Document(text="so sorry " * 3 if g == "x" else "so well " * 3, group=g, unit_id=f"t{i}")
        for i in range(3)
        for g in "xy"
    ]
    yield from word_differences(texts, XY)
    yield from (YES, option_shares({"a": -0.5, "b": -1.0}, ["a", "b"]), logit_gap([YES], [YES]))
    yield agree(RATINGS, draws=99, **PEOPLE)
    yield everyone(RATINGS, order="at", **PEOPLE)
    yield roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    yield planned_looks([50, 100])
    yield icc(WIDE)
    yield bootstrap_kappa([1, 2, 3, 4] * 5, [1, 2, 3, 3] * 5, [1, 2, 3, 4], "quadratic", draws=99, seed=1)
    yield self_agreement([1, 2, 3, 4, 5], [1, 2, 3, 4, 4], [1, 2, 3, 4, 5])


def inside(value):
    """The results in a result."""
    if isinstance(value, Result):
        yield value
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from inside(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from inside(part)
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from inside(part)


def kinds():
    """Every class of result in both packages."""
    for package in (judgekit.statistics, judgekit.agreement):
        for found in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{found.name}")
            for kind in vars(module).values():
                if isinstance(kind, type) and issubclass(kind, Result) and kind.__module__ == module.__name__:
                    yield kind


ALL = sorted({kind for kind in kinds() if kind is not Result}, key=lambda kind: f"{kind.__module__}.{kind.__name__}")


@pytest.fixture(scope="module")
def one_of_each():
    """A result of every kind, by class."""
    return {type(part): part for result in made() for part in inside(result)}


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: f"{kind.__module__.rsplit('.', 1)[1]}.{kind.__name__}")
def test_a_result_says_what_it_is(kind, one_of_each):
    """Method, unit and source; a readable form without object addresses; JSON without nan; a table of one row or more."""
    result = one_of_each[kind]
    assert result.about.method
    assert result.about.unit
    assert result.about.source
    said = repr(result)
    assert said.startswith(f"{kind.__name__}: {result.about.method} ({result.about.unit})")
    assert " at 0x" not in said
    shown = [f.name for f in fields(result) if not f.metadata.get("hidden")]
    assert all(f"  {name}" in said for name in shown)
    plain = result.to_dict()
    assert set(shown) < set(plain)
    assert plain["about"]["source"] == result.about.source
    json.dumps(to_jsonable(plain), allow_nan=False)
    assert len(result.to_frame()) >= 1


def test_random_methods_keep_their_seed(one_of_each):
    """A result that was drawn says how often and from which seed, so that it can be made again."""
    drawn = [r for r in one_of_each.values() if {"seed"} & {f.name for f in fields(r)}]
    assert len(drawn) >= 6
    for result in drawn:
        names = {f.name for f in fields(result)}
        assert names & {"draws", "runs"}
