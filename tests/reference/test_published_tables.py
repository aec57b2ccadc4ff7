"""Tables of published documents and inputs on which public libraries are known to go wrong."""

from __future__ import annotations

import json
from random import Random

import pytest

from judgekit.records import Undefined
from judgekit.statistics.bootstrap import bootstrap_interval, seed_compatible
from judgekit.statistics.divergence import divergence
from judgekit.statistics.multiplicity import adjust
from judgekit.statistics.paired_tests import mcnemar_test
from judgekit.statistics.sign_flip import sign_flip_test


@pytest.fixture(scope="module")
def published(pytestconfig):
    """Pair differences and printed tables of the counterfactual-names document."""
    return _read("seed_facts.json", pytestconfig)


@pytest.fixture(scope="module")
def pitfalls(pytestconfig):
    """Inputs on which a named library goes wrong, by id."""
    return {item["id"]: item for item in _read("pitfalls.json", pytestconfig)["items"]}


def _read(name, config):
    folder = config.rootpath.parent / "shared" / "oracles"
    if not (folder / name).is_file():
        pytest.skip(f"{name} is not beside this checkout")
    return json.loads((folder / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "model",
    ["fair", pytest.param("biased", marks=pytest.mark.slow), pytest.param("noisy", marks=pytest.mark.slow)],
)
def test_printed_tables_digit_for_digit(published, model):
    """Mean, interval and p of all four metrics, from one random generator as in the published procedure."""
    rng = Random(7)
    for metric in ("score", "shortlist", "length", "warmth"):
        facts = published["models"][model][metric]
        found = seed_compatible(facts["pair_differences"], rng)
        printed = facts["printed"]
        assert round(found.mean, 3) == printed["mean"]
        assert [round(found.interval.low, 3), round(found.interval.high, 3)] == printed["ci"]
        assert round(found.p, 4) == printed["p"]


@pytest.mark.parametrize("model", ["fair", "biased", "noisy"])
def test_exact_p_of_the_same_tables(published, model):
    """Exact sign-flip p over pairs and over templates, to 12 digits even in the far tail."""
    for metric in ("score", "shortlist", "length", "warmth"):
        facts = published["models"][model][metric]
        assert sign_flip_test(facts["pair_differences"]).p == pytest.approx(facts["exact_pair_level_p"], rel=1e-9)
        assert sign_flip_test(facts["template_gaps"]).p == pytest.approx(facts["exact_template_level_p"], rel=1e-12)


def test_published_mcnemar_rates(published):
    """The 2 x 2 table gives 73.8% and 70.0%, whatever the text around it says."""
    facts = published["other_seed_facts"]["003"]
    found = mcnemar_test(facts["table"])
    assert found.rate_first == pytest.approx(facts["rate_first"])
    assert found.rate_second == pytest.approx(facts["rate_second"])
    assert found.rate_difference == pytest.approx(facts["rate_gap"])


def test_float_ties(pitfalls):
    """Sums equal in exact arithmetic are ties."""
    item = pitfalls["signflip_float_ties"]
    assert sign_flip_test(item["input"]["gaps"]).p == item["right"]["p_two_sided"]
    assert sign_flip_test(item["input"]["gaps"], method="monte-carlo", draws=40_000).p == pytest.approx(
        item["right"]["p_two_sided"], abs=0.015
    )


def test_undefined_p_among_others(pitfalls):
    """One undefined p does not spoil the rest."""
    item = pitfalls["bh_with_undefined_p"]
    for planned, key in ((3, "bh_over_defined_m3"), (None, "bh_with_m4")):
        found = adjust(item["input"]["p"], planned=planned).values
        for got, right in zip(found, item["right"][key], strict=True):
            assert isinstance(got, Undefined) if right is None else got == pytest.approx(right)


def test_tiny_negative_divergence(pitfalls):
    """Rounding leaves 0, not a negative number or a nan."""
    item = pitfalls["jsd_tiny_negative"]
    assert divergence(item["input"]["p"], item["input"]["q"]).jsd == pytest.approx(0.0, abs=item["right"]["tol"])


def test_constant_gaps(pitfalls):
    """No spread between templates: percentile with a flag, the others undefined."""
    item = pitfalls["bootstrap_constant_gaps"]
    percentile = bootstrap_interval(item["input"]["gaps"], method="percentile")
    assert [percentile.interval.low, percentile.interval.high] == item["right"]["percentile"]
    assert percentile.degenerate
    for method in ("bca", "bootstrap-t"):
        assert isinstance(bootstrap_interval(item["input"]["gaps"], method=method).interval, Undefined)
