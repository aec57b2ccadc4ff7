"""Two-way inference of gaps, failure gaps and its edge cases."""

from __future__ import annotations

import math

import numpy as np
import pytest

from judgekit.errors import BadInput
from judgekit.records import Contrast, Interval, MetricRow, Undefined
from judgekit.statistics.mixed_model import mixed_model_gap
from judgekit.statistics.power import Design, Noise
from judgekit.statistics.template_gaps import cell_means, template_gaps
from judgekit.statistics.two_way import all_contrasts, failure_gap, group_gap, group_gaps, two_way
from judgekit.statistics.validity import validate_design

XY = Contrast("x", "y")


def by_hand(rows):
    """The balanced formula of the two-way variance, written out with arrays."""
    templates = sorted({r.unit_id for r in rows})
    cube = {}
    for g in "xy":
        names = sorted({r.name for r in rows if r.group == g})
        cube[g] = np.array(
            [[np.mean([r.value for r in rows if (r.unit_id, r.name) == (t, n)]) for n in names] for t in templates]
        )
    t = len(templates)
    d = cube["x"].mean(axis=1) - cube["y"].mean(axis=1)
    v_t = d.var(ddof=1) / t
    v_n = sum(c.mean(axis=0).var(ddof=1) / c.shape[1] for c in cube.values())
    ss = df = 0.0
    for c in cube.values():
        rest = c - c.mean(axis=0) - c.mean(axis=1, keepdims=True) + c.mean()
        ss += (rest**2).sum()
        df += (t - 1) * (c.shape[1] - 1)
    v_tn = ss / df * sum(1 / c.shape[1] for c in cube.values()) / t
    return max(v_t + v_n - v_tn, v_t, v_n), v_t, v_n, v_tn


@pytest.mark.parametrize("seed", range(4))
def test_balanced_formula(designs, seed):
    """In a balanced design the variance is the closed formula."""
    rows = designs.balanced(np.random.default_rng(seed), name_sd=0.4)
    cells = cell_means(rows)
    found = two_way(cells, template_gaps(cells, XY))
    variance, v_t, v_n, v_tn = by_hand(rows)
    assert found.variance == pytest.approx(variance, rel=1e-9)
    assert found.v_templates == pytest.approx(v_t, rel=1e-9)
    assert found.v_names_a + found.v_names_b == pytest.approx(v_n, rel=1e-9)
    assert found.v_cells == pytest.approx(v_tn, rel=1e-9)


def test_against_a_mixed_model(designs):
    """An unbalanced design with failures: error and degrees of freedom are near the mixed model's."""
    rng = np.random.default_rng(5)
    rows = [r for r in designs.balanced(rng, templates=30, names=6, name_sd=0.5) if rng.random() > 0.25]
    ours, mixed = group_gap(rows, XY), mixed_model_gap(rows, XY)
    half = (ours.interval.high - ours.interval.low) / 2
    assert ours.value == pytest.approx(mixed.value, abs=0.5 * mixed.se)
    assert half == pytest.approx((mixed.interval.high - mixed.interval.low) / 2, rel=0.2)


def test_names_nested_in_templates_fall_back_to_templates(designs):
    """When each name belongs to one template, names add nothing to the spread of template gaps."""
    rng = np.random.default_rng(1)
    rows = designs.rows_of(
        {(f"t{t}", g, f"{g}{t}-{n}"): [rng.normal()] for t in range(15) for g in "xy" for n in range(3)}
    )
    found = group_gap(rows, XY)
    gaps = template_gaps(rows, XY).values
    assert found.df == pytest.approx(14)
    half = (found.interval.high - found.interval.low) / 2
    assert half == pytest.approx(2.144787 * gaps.std(ddof=1) / math.sqrt(15), rel=1e-6)
    assert any("each name belongs to one template" in note for note in found.notes)


def test_these_names(designs):
    """The claim about exactly these names uses the exact sign-flip p and its interval."""
    rows = designs.balanced(np.random.default_rng(2), templates=10)
    found = group_gap(rows, XY, claim="these_names")
    assert found.method.startswith("sign-flip, exact")
    assert found.min_p == 2 / 2**10
    assert found.interval.method == "sign-flip inversion"
    for wanted in ("t", "bootstrap-t"):
        other = group_gap(rows, XY, claim="these_names", interval=wanted)
        assert other.interval.low < found.value < other.interval.high
        assert other.p == found.p


def test_no_names_says_so(designs):
    """Without names the test is over templates and the claim is restated."""
    rows = [r for r in designs.balanced(np.random.default_rng(3)) if r.replicate == "0"]
    unnamed = [MetricRow(item=r.item, unit_id=r.unit_id, group=r.group, name=None, value=r.value) for r in rows]
    found = group_gap(unnamed, XY)
    assert found.method.startswith("sign-flip")
    assert any(note.startswith("no names") for note in found.notes)


def test_one_name_is_undefined(designs):
    """One name in a group: the value stands, interval and p are undefined."""
    rows = designs.rows_of({(f"t{t}", g, g): [float(t % 3 + (g == "x"))] for t in range(8) for g in "xy"})
    found = group_gap(rows, XY)
    assert found.value == pytest.approx(1.0)
    assert found.p.reason == found.interval.reason == "one name in a group"


def test_few_names_are_flagged(designs):
    """Fewer than four names: a number with a warning that names the group."""
    found = group_gap(designs.balanced(np.random.default_rng(4), names=3), XY)
    assert any("x (3), y (3)" in note for note in found.notes)
    assert isinstance(found.interval, Interval)


def test_one_template(designs):
    """One template: value, p = 1 and an infinite interval, for both claims."""
    rows = designs.rows_of({("t", g, f"{g}{n}"): [float(n + (g == "x"))] for g in "xy" for n in range(4)})
    for claim in ("groups", "these_names"):
        found = group_gap(rows, XY, claim=claim)
        assert found.value == pytest.approx(1.0)
        assert found.p == 1.0
        assert (found.interval.low, found.interval.high) == (-math.inf, math.inf)


def test_no_template():
    """Rows without templates: everything undefined with the reason, nothing is compared."""
    rows = [MetricRow(item=str(i), unit_id=None, group=g, name=None, value=1.0) for i, g in enumerate("xyxy")]
    found = group_gap(rows, XY)
    assert isinstance(found.value, Undefined)
    assert isinstance(found.p, Undefined)
    assert any("4 rows have no template" in note for note in found.notes)


def test_constant_gap_is_not_certainty(designs):
    """The same gap everywhere: no interval and no p for the groups; the sign-flip p is told in a note."""
    rows = designs.rows_of(
        {(f"t{t}", g, f"{g}{n}"): [t + 5.0 * (g == "x")] for t in range(6) for g in "xy" for n in range(4)}
    )
    found = group_gap(rows, XY)
    assert found.value == 5.0
    assert found.interval.reason == found.p.reason == "no spread"
    assert any("0.0312" in note for note in found.notes)
    assert group_gap(rows, XY, claim="these_names").p == 0.03125


def test_failure_gap_without_failures(designs):
    """No failure anywhere: the gap is 0 with p = 1, and reported."""
    found = failure_gap(designs.balanced(np.random.default_rng(6)), XY)
    assert found.value == 0.0
    assert found.p == 1.0
    assert isinstance(found.interval, Undefined)


def test_failure_gap_is_a_difference_of_shares(designs):
    """Failures in one group only: share of x minus share of y."""
    rows = designs.balanced(np.random.default_rng(6), templates=10, names=4, replicates=2)
    lost = [
        MetricRow(item=r.item, unit_id=r.unit_id, group=r.group, name=r.name, value=None, missing="refusal")
        if r.group == "y" and r.replicate == "0" and r.unit_id < "t005"
        else r
        for r in rows
    ]
    assert failure_gap(lost, XY).value == pytest.approx(-0.25)


def test_mostly_zero_gaps_are_flagged(designs):
    """Fewer than ten non-zero gaps: the note says that intervals are too narrow."""
    rows = designs.rows_of(
        {(f"t{t:02d}", g, f"{g}{n}"): [float(t == 3 and g == "x")] for t in range(30) for g in "xy" for n in range(4)}
    )
    assert any("only 1 of 30" in note for note in group_gap(rows, XY, claim="these_names").notes)


def test_order_and_labels_do_not_matter(designs):
    """Shuffled rows and renamed groups give the same p; swapping the groups flips the sign."""
    rows = designs.balanced(np.random.default_rng(8), name_sd=0.3, gap=0.4)
    found = group_gap(rows, XY)
    shuffled = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    assert group_gap(shuffled, XY).p == pytest.approx(found.p, rel=1e-9)
    swapped = group_gap(rows, Contrast("y", "x"))
    assert swapped.value == pytest.approx(-found.value)
    assert swapped.p == pytest.approx(found.p, rel=1e-9)


def test_several_groups(designs):
    """Every pair of groups by default, in order."""
    rows = [*designs.balanced(np.random.default_rng(9))]
    third = [
        MetricRow(item=f"z{r.item}", unit_id=r.unit_id, group="z", name=f"z{r.name}", value=r.value)
        for r in rows
        if r.group == "y"
    ]
    found = group_gaps(rows + third)
    assert list(found) == [Contrast("x", "y"), Contrast("x", "z"), Contrast("y", "z")]
    assert found[Contrast("y", "z")].value == pytest.approx(0.0)
    assert all_contrasts(["only"]) == ()


def test_wrong_interval_for_the_claim(designs):
    """An interval that treats names as fixed is refused for a claim about groups; so is a level of 95."""
    rows = designs.balanced(np.random.default_rng(1))
    with pytest.raises(BadInput, match="names as fixed"):
        group_gap(rows, XY, interval="bootstrap-t")
    with pytest.raises(BadInput, match="level"):
        group_gap(rows, XY, level=95)


def test_planted_gap_is_found_and_null_is_not_over_rejected():
    """A short simulation: the two-way test keeps its level where the template-only test does not."""
    plan = Design(templates=40, names_a=6, names_b=6)
    null, names_null, pairs_null, planted, _, _ = validate_design(
        plan, Noise(template_gap=0.3, name=0.4), gaps=(0.0, 1.5), runs=80, seed=3
    )
    assert pairs_null.rejected > 0.25
    assert null.rejected <= 0.125
    assert names_null.rejected > 0.25
    assert planted.rejected > 0.9
    assert null.covered >= 0.875


SCENARIOS = {
    # Standard deviations of template gap, name and cell, as in the published simulation.
    "A": Noise(template_gap=0.0, name=0.0, residual=1.0),
    "B": Noise(template_gap=0.3 * math.sqrt(2), name=0.0, residual=1.0),
    "C": Noise(template_gap=0.3 * math.sqrt(2), name=0.2, cell=0.1, residual=1.0),
    "D": Noise(template_gap=0.3 * math.sqrt(2), name=0.2, residual=1.0),
    "E": Noise(template_gap=0.1 * math.sqrt(2), name=0.1, residual=1.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("templates", [10, 20, 120])
def test_false_positives_stay_below_six_percent(scenario, templates):
    """False positives at most 0.06 and coverage at least 0.93, within Monte-Carlo error of 1,000 studies."""
    plan = Design(templates=templates, names_a=6, names_b=6, replicates=3)
    found = validate_design(plan, SCENARIOS[scenario], runs=1000, methods=["two-way t"], seed=templates)[0]
    assert found.rejected <= 0.06 + 0.01
    assert found.covered >= 0.93


def test_skewed_gaps_are_flagged(designs):
    """Strongly skewed template gaps point to the interval that covers them better."""
    rng = np.random.default_rng(0)
    rows = designs.rows_of(
        {
            (f"t{t:02d}", g, f"{g}{n}"): [float(g == "x") * shift + rng.normal(0, 0.01)]
            for t, shift in enumerate(rng.lognormal(0, 1.2, 40))
            for g in "xy"
            for n in range(4)
        }
    )
    assert any("skewed" in note for note in group_gap(rows, XY, claim="these_names").notes)
    assert not any("skewed" in note for note in group_gap(designs.balanced(rng), XY).notes)
