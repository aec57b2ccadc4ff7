"""The gate's operating curve: how often a judge of known kappa passes a threshold of 0.60."""

import math

import numpy as np
import pytest

from judgekit.agreement.intervals import bootstrap_kappa
from judgekit.agreement.kappa import kappa_from_table
from judgekit.agreement.reference import reference_kappa
from judgekit.records import Undefined

TWO = ["yes", "no"]


def passes(kappa, n, runs, seed, prevalence=0.5):
    """Shares of samples whose estimate, and whose lower bound, reach 0.60."""
    p = np.array([prevalence, 1 - prevalence])
    joint = kappa * np.diag(p) + (1 - kappa) * np.outer(p, p)
    tables = np.random.default_rng(seed).multinomial(n, joint.ravel(), size=runs).reshape(runs, 2, 2)
    results = [kappa_from_table(table, TWO) for table in tables]
    point = [not isinstance(r.kappa, Undefined) and r.kappa >= 0.6 for r in results]
    bound = [not isinstance(r.lower, Undefined) and r.lower >= 0.6 for r in results]
    return float(np.mean(point)), float(np.mean(bound))


def margin(share, runs):
    """Five standard errors of a simulated share."""
    return 5 * math.sqrt(max(share * (1 - share), 0.002) / runs)


# shares of an independent simulation of two balanced classes (statsmodels errors)
CURVE = [
    (0.5, 50, 0.204, 0.017),
    (0.5, 100, 0.115, 0.004),
    (0.6, 100, 0.495, 0.074),
    (0.7, 100, 0.907, 0.444),
    (0.8, 50, 0.978, 0.726),
    (0.8, 100, 0.998, 0.922),
    (0.8, 200, 1.000, 0.993),
]


@pytest.mark.parametrize(("kappa", "n", "point", "bound"), CURVE)
def test_the_bound_keeps_weak_judges_out(kappa, n, point, bound):
    """A judge of kappa 0.5 passes the bound almost never, one of 0.8 mostly; the point estimate lets both through."""
    runs = 500
    found_point, found_bound = passes(kappa, n, runs, seed=int(1000 * kappa) + n)
    assert found_point == pytest.approx(point, abs=margin(point, runs))
    assert found_bound == pytest.approx(bound, abs=margin(bound, runs))


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 100, 200, 400])
@pytest.mark.parametrize("kappa", [0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
def test_operating_curve(kappa, n, capsys):
    """Below the threshold a judge passes in 2% of samples at most, at the threshold in 10%; better judges pass more."""
    _, bound = passes(kappa, n, 4000, seed=n)
    with capsys.disabled():
        print(f"\nkappa {kappa:.1f}, n {n}: passes the bound {bound:.3f}")
    if kappa <= 0.5:
        assert bound <= 0.025
    elif kappa == 0.6:
        assert bound <= 0.10
    else:
        assert bound >= {0.7: {50: 0.25, 100: 0.38, 200: 0.55, 400: 0.78}}.get(kappa, {}).get(n, 0.68)


def clustered(templates, per_template, rng, template_bias):
    """Judge and one person on five levels, the judge with its own bias in each template."""
    template = np.repeat(np.arange(templates), per_template)
    latent = rng.normal(0, 0.5, templates)[template] + rng.normal(0, math.sqrt(0.75), len(template))
    noise = 0.62
    judge = latent + rng.normal(0, template_bias, templates)[template] + noise * rng.normal(size=len(template))
    person = latent + noise * rng.normal(size=len(template))
    cuts = np.array([-1.2, -0.4, 0.4, 1.2]) * math.sqrt(1 + noise**2)
    return (np.digitize(x, cuts).tolist() for x in (judge, person)), template.tolist()


def coverage_misses(runs, templates, per_template, template_bias, seed):
    """How often the true kappa lies below the bound: by items, by templates, by bootstrap of templates."""
    rng = np.random.default_rng(seed)
    levels = [0, 1, 2, 3, 4]
    (judge, person), _ = clustered(4000, 10, rng, template_bias)
    truth = reference_kappa(judge, {"p": person}, levels).value
    misses = np.zeros(3)
    for _ in range(runs):
        (judge, person), template = clustered(templates, per_template, rng, template_bias)
        misses += [
            reference_kappa(judge, {"p": person}, levels).lower > truth,
            reference_kappa(judge, {"p": person}, levels, clusters=template, method="large-sample").lower > truth,
            bootstrap_kappa(judge, person, levels, "quadratic", clusters=template, draws=500, seed=1).lower > truth,
        ]
    return misses / runs


def test_template_bounds_hold_their_level():
    """Twelve templates with a judge biased by template: the clustered bounds miss about 5% of the time."""
    _, robust, drawn = coverage_misses(120, 12, 12, 0.4, seed=6)
    assert robust <= 0.05 + margin(0.05, 120) * 0.7
    assert drawn <= 0.05 + margin(0.05, 120) * 0.7


@pytest.mark.slow
@pytest.mark.parametrize(("templates", "per_template"), [(12, 12), (24, 6), (12, 30), (48, 4)])
def test_template_bounds_hold_their_level_in_many_designs(templates, per_template, capsys):
    """With 12 to 48 templates the bootstrap bound (the default) misses 5% within simulation error, items alone more."""
    items, robust, drawn = coverage_misses(1500, templates, per_template, 0.4, seed=7)
    with capsys.disabled():
        print(f"\n{templates} x {per_template}: items {items:.3f}, robust {robust:.3f}, bootstrap {drawn:.3f}")
    assert drawn <= 0.05 + margin(0.05, 1500) * 0.7
    assert drawn < robust < items
