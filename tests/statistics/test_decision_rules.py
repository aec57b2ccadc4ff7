"""Multiplicity, equivalence, disparity, shares, trend and noise floor."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from judgekit.errors import BadInput
from judgekit.records import Interval, Undefined
from judgekit.statistics.disparity import disparity, disparity_by_case_type
from judgekit.statistics.equivalence import equivalence_test, tost_p, verdict
from judgekit.statistics.multiplicity import adjust, adjust_secondary
from judgekit.statistics.proportion import proportion_interval
from judgekit.statistics.trend import noise_floor, release_trend


def test_undefined_p_stays_and_counts():
    """An undefined test stays undefined and still counts as planned (R: p.adjust(c(.01,.02,.5), 'BH', n = 4))."""
    found = adjust([0.01, 0.02, Undefined("no spread"), 0.5])
    assert found.values[:2] == (0.04, 0.04)
    assert found.values[2].reason == "no spread"
    assert found.values[3] == pytest.approx(2 / 3)
    assert (found.planned, found.defined, found.rejected()) == (4, 3, 2)
    assert adjust([0.01, 0.02, None, 0.5], planned=3).values[0] == pytest.approx(0.03)


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan, math.inf])
def test_impossible_p(bad):
    """A p outside [0, 1], nan too, is an error."""
    with pytest.raises(BadInput, match=r"p-value"):
        adjust([0.5, bad])


def test_adjust_options():
    """Unknown corrections and too few planned tests are refused; 'none' changes nothing."""
    with pytest.raises(BadInput):
        adjust([0.5], method="sidak")
    with pytest.raises(BadInput):
        adjust([0.5, 0.1], planned=1)
    assert adjust([0.5, 0.1], method="none").values == (0.5, 0.1)
    assert adjust([]).values == ()


def test_primary_metrics_are_apart():
    """Metrics declared primary keep their p and do not count for the others."""
    found = adjust_secondary({"warmth": 0.04, "a": 0.02, "b": 0.03, "c": None}, primary={"warmth"}, method="bonferroni")
    assert found["warmth"] == 0.04
    assert found["a"] == pytest.approx(0.06)
    assert isinstance(found["c"], Undefined)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.05, 0.05, "pass"),
        (0.0, 0.1 - 0.05, "pass"),
        (-0.06, 0.01, "warn"),
        (0.05, 0.07, "warn"),
        (0.0500001, 0.07, "fail"),
        (-0.3, -0.06, "fail"),
        (-0.1, 0.1, "warn"),
        (-math.inf, math.inf, "cannot tell"),
        (0.06, math.inf, "fail"),
        (math.nan, 0.01, "cannot tell"),
    ],
)
def test_verdict(low, high, expected):
    """A bound equal to the margin is inside; fail means wholly outside; nothing known is never a pass."""
    assert verdict(Interval(low, high, 0.95, "t"), 0.05) == expected


def test_verdict_edges():
    """An undefined interval cannot tell; a margin must be positive."""
    assert verdict(Undefined("one template"), 0.05) == "cannot tell"
    for margin in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(BadInput, match="margin"):
            verdict(Interval(0, 0, 0.95, "t"), margin)


def test_ninety_percent_interval_is_tost():
    """The 90% interval is inside the margin exactly when the two one-sided tests reject at 0.05."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        found = equivalence_test(rng.normal(0.02, 0.1, 20), 0.06)
        assert (found.p <= 0.05) == (found.verdict_90 == "pass")
    with pytest.raises(BadInput):
        tost_p(0.0, 0.0, 10, 0.1)


def test_equivalence_without_spread():
    """One gap, no gap and equal gaps cannot tell."""
    for gaps in ([], [0.1], [0.1, 0.1, 0.1]):
        found = equivalence_test(gaps, 0.5)
        assert found.verdict_95 == "cannot tell"
        assert isinstance(found.p, Undefined)


def test_templates_needed_is_the_smallest():
    """With the suggested number of templates the interval just fits; with one less it does not."""
    from scipy.stats import t

    gaps = np.random.default_rng(1).normal(0.0, 0.5, 15)
    found = equivalence_test(gaps, 0.2)
    room, sd = 0.2 - abs(gaps.mean()), gaps.std(ddof=1)
    fits = [
        t.ppf(0.975, n - 1) * sd / math.sqrt(n) <= room for n in (found.templates_needed - 1, found.templates_needed)
    ]
    assert fits == [False, True]
    assert equivalence_test(gaps + 1, 0.2).templates_needed is None


def test_disparity_is_exact_at_the_threshold():
    """0.75 - 0.70 is exactly five points although floats say otherwise; one result more fails."""
    assert disparity({"A": (70, 100), "B": (75, 100)}).pairwise_ok is True
    assert disparity({"A": (700, 1000), "B": (751, 1000)}).pairwise_ok is False
    assert disparity({"A": (70, 100), "B": (75, 100)}, pairwise=Fraction(4, 100)).verdict == "fail"
    assert disparity({"A": (70, 100), "B": (75, 100)}, pairwise=0.05).verdict == "pass"


def test_disparity_too_few():
    """Under 100 results there is no verdict, whatever the rates say; an empty group cannot be told."""
    found = disparity({"A": (14, 20), "B": (120, 120)})
    assert found.verdict == "too few"
    assert found.few == ("A",)
    assert disparity({"A": (5, 120), "B": (0, 0)}).verdict == "cannot tell"
    assert disparity({}).verdict == "cannot tell"
    with pytest.raises(BadInput):
        disparity({"A": (5, 4)})


def test_disparity_by_case_type():
    """Each case type has its own verdict."""
    found = disparity_by_case_type(
        {"refund": {"A": (100, 200), "B": (101, 200)}, "complaint": {"A": (100, 200), "B": (150, 200)}}
    )
    assert {case: d.verdict for case, d in found.items()} == {"refund": "pass", "complaint": "fail"}


def test_shares():
    """Ends are exact, no observations are undefined, impossible counts are refused."""
    assert proportion_interval(0, 20).low == 0.0
    assert proportion_interval(20, 20).high == 1.0
    assert isinstance(proportion_interval(0, 0), Undefined)
    for k, n in ((3, 2), (-1, 2), (0, -1)):
        with pytest.raises(BadInput):
            proportion_interval(k, n)
    with pytest.raises(BadInput):
        proportion_interval(1, 2, method="wald")


def test_clopper_pearson_covers():
    """Clopper-Pearson covers at least 95% for every true share on a grid, by exact summation."""
    from scipy.stats import binom

    n = 12
    intervals = [proportion_interval(k, n, method="clopper-pearson") for k in range(n + 1)]
    for truth in np.linspace(0.02, 0.98, 25):
        covered = sum(binom.pmf(k, n, truth) for k, i in enumerate(intervals) if i.low <= truth <= i.high)
        assert covered >= 0.95


def test_trend():
    """Small but every time: six releases with one sign give p = 0.03125; a zero or missing run does not count."""
    found = release_trend({str(i): 0.02 for i in range(6)} | {"broken": Undefined("no template")})
    assert (found.runs, found.undefined, found.in_a_row, found.p) == (7, 1, 6, 0.03125)
    mixed = release_trend({"1": 0.1, "2": -0.1, "3": -0.2})
    assert (mixed.sign, mixed.in_a_row, mixed.same_sign) == ("b above a", 2, 2)
    assert release_trend({}).sign == "none"


def test_noise_floor():
    """A gap inside what byte-equal prompts show is not a finding; too few controls give no floor."""
    floor = noise_floor(np.random.default_rng(0).normal(0, 0.1, 30))
    assert floor.covers(0.01) is True
    assert floor.covers(0.3) is False
    assert floor.largest > 0.1
    assert isinstance(noise_floor([0.1, 0.2]).covers(0.1), Undefined)
    assert isinstance(noise_floor([]).limit, Undefined)
    assert isinstance(floor.covers(Undefined("one template")), Undefined)
