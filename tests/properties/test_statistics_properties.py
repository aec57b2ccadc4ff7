"""Properties of the statistics that hold for any input."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.records import Contrast, Interval, MetricRow, Undefined
from judgekit.statistics.bootstrap import bootstrap_interval
from judgekit.statistics.disparity import disparity
from judgekit.statistics.divergence import divergence, mutual_information
from judgekit.statistics.equivalence import verdict
from judgekit.statistics.multiplicity import adjust
from judgekit.statistics.proportion import proportion_interval
from judgekit.statistics.sign_flip import sign_flip_interval, sign_flip_test
from judgekit.statistics.template_gaps import direction, template_gaps
from judgekit.statistics.two_way import group_gap

XY = Contrast("x", "y")
finite = st.floats(-100, 100, allow_nan=False).map(lambda v: round(v, 3))
gaps = st.lists(finite, min_size=1, max_size=14)
likert = st.lists(st.integers(-8, 8), min_size=1, max_size=60)


@st.composite
def tables(draw):
    """Rows of a small, ragged design with failures."""
    rows = []
    templates = draw(st.integers(1, 6))
    for t in range(templates):
        for g in "xy":
            for n in range(draw(st.integers(0, 3))):
                for r in range(draw(st.integers(1, 2))):
                    value = draw(st.one_of(st.none(), st.integers(1, 5)))
                    rows.append(
                        MetricRow(
                            item=f"{t}{g}{n}{r}",
                            unit_id=f"t{t}",
                            group=g,
                            name=f"{g}{n}",
                            value=None if value is None else float(value),
                            missing="no_score" if value is None else None,
                        )
                    )
    return rows


@settings(deadline=None)
@given(gaps, st.randoms(use_true_random=False))
def test_sign_flip_ignores_order_sign_and_scale(values, random):
    """Reordering, swapping the groups and another unit leave the two-sided p alone."""
    p = sign_flip_test(values).p
    shuffled = list(values)
    random.shuffle(shuffled)
    assert sign_flip_test(shuffled).p == pytest.approx(p, abs=1e-12)
    assert sign_flip_test([-v for v in values]).p == pytest.approx(p, abs=1e-12)
    assert sign_flip_test([v * 7.3 for v in values]).p == pytest.approx(p, abs=1e-12)


@settings(deadline=None)
@given(gaps)
def test_sign_flip_p_is_possible(values):
    """P lies between the smallest reachable one and 1; one-sided p of both directions cover each other."""
    found = sign_flip_test(values)
    assert found.min_p * (1 - 1e-9) <= found.p <= 1.0
    up, down = (sign_flip_test(values, alternative=a).p for a in ("greater", "less"))
    assert up + down >= 1 - 1e-9


@settings(deadline=None)
@given(likert)
def test_lattice_p_does_not_depend_on_the_unit(values):
    """Whole numbers and eighteenths give the same exact p."""
    whole = sign_flip_test(values)
    parts = sign_flip_test([v / 18 for v in values])
    assert parts.p == pytest.approx(whole.p, rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.lists(finite, min_size=6, max_size=14))
def test_interval_moves_with_the_gaps(values):
    """The inversion interval shifts and flips with the data and holds the mean."""
    plain = sign_flip_interval(values)
    moved = sign_flip_interval([v + 3 for v in values])
    assert moved.low == pytest.approx(plain.low + 3, abs=1e-8)
    flipped = sign_flip_interval([-v for v in values])
    assert flipped.low == pytest.approx(-plain.high, abs=1e-8)
    assert plain.low <= float(np.mean(values)) + 1e-9
    assert plain.high >= float(np.mean(values)) - 1e-9


@settings(max_examples=40, deadline=None)
@given(st.lists(finite, min_size=2, max_size=8), st.sampled_from(["percentile", "basic", "bca", "bootstrap-t"]))
def test_bootstrap_never_invents(values, method):
    """An interval is ordered and has no nan, or it is undefined with a reason."""
    found = bootstrap_interval(values, method=method).interval
    if isinstance(found, Undefined):
        assert found.reason
    else:
        assert found.low <= found.high


@settings(max_examples=60, deadline=None)
@given(tables())
def test_no_row_is_lost(rows):
    """Rows in = scored rows of used templates + rows of dropped templates + failures."""
    found = template_gaps(rows, XY)
    scored = sum(r.value is not None for r in rows)
    dropped = sum(r.value is not None and r.unit_id not in found.gaps for r in rows)
    assert found.n_a + found.n_b + dropped == scored
    assert found.missing_a + found.missing_b == len(rows) - scored
    assert set(found.gaps).isdisjoint(found.dropped)


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from(["groups", "these_names"]))
def test_a_gap_is_a_number_or_says_why(rows, claim):
    """No nan anywhere: each part of an estimate is finite, a proper interval, or undefined with a reason."""
    found = group_gap(rows, XY, claim=claim)
    for part in (found.value, found.p):
        assert part.reason if isinstance(part, Undefined) else math.isfinite(part)
    if isinstance(found.interval, Interval):
        assert found.interval.low <= found.value <= found.interval.high
    else:
        assert found.interval.reason
    if not isinstance(found.p, Undefined):
        assert 0 <= found.p <= 1


@settings(max_examples=40, deadline=None)
@given(tables())
def test_swapping_groups_flips_the_gap(rows):
    """Y minus x is minus (x minus y), with the same p."""
    one, other = group_gap(rows, XY), group_gap(rows, Contrast("y", "x"))
    if isinstance(one.value, Undefined):
        assert isinstance(other.value, Undefined)
        return
    assert other.value == pytest.approx(-one.value, abs=1e-12)
    if not isinstance(one.p, Undefined):
        assert other.p == pytest.approx(one.p, rel=1e-6, abs=1e-12)


@settings(deadline=None)
@given(
    st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=20), st.sampled_from(["bh", "by", "holm", "bonferroni"])
)
def test_adjusted_p_keeps_order(values, method):
    """Adjusted p are in [p, 1], keep the order of p, and undefined ones stay in place."""
    found = adjust(values, method=method).values
    for raw, p in zip(values, found, strict=True):
        assert isinstance(p, Undefined) if raw is None else raw <= p * (1 + 1e-12) + 1e-300 and p <= 1
    pairs = sorted((raw, p) for raw, p in zip(values, found, strict=True) if raw is not None)
    assert [p for _, p in pairs] == sorted(p for _, p in pairs)


@settings(deadline=None)
@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0.01, 1), st.floats(0, 0.5))
def test_a_narrower_interval_never_turns_pass_into_fail(centre, half, margin, shrink):
    """Shrinking an interval can only move a verdict away from warn."""
    wide = verdict(Interval(centre - half, centre + half, 0.95, "t"), margin)
    narrow = verdict(Interval(centre - half * shrink, centre + half * shrink, 0.95, "t"), margin)
    assert wide in ("warn", narrow)


@settings(deadline=None)
@given(
    st.integers(0, 60), st.integers(0, 60), st.sampled_from(["wilson", "clopper-pearson", "jeffreys", "agresti-coull"])
)
def test_share_intervals_mirror(k, more, method):
    """The interval of the complement is the mirror image, within [0, 1]."""
    n = k + more
    one, other = proportion_interval(k, n, method=method), proportion_interval(n - k, n, method=method)
    if n == 0:
        assert isinstance(one, Undefined)
        return
    assert 0 <= one.low <= one.high <= 1
    assert one.low == pytest.approx(1 - other.high, abs=1e-9)


@settings(deadline=None)
@given(st.lists(st.floats(1e-6, 1), min_size=2, max_size=6), st.lists(st.floats(1e-6, 1), min_size=2, max_size=6))
def test_divergence_bounds(p, q):
    """JSD is symmetric, in [0, 1] bit, and no larger than total variation."""
    k = min(len(p), len(q))
    p, q = (np.array(x[:k]) / sum(x[:k]) for x in (p, q))
    one, other = divergence(p, q), divergence(q, p)
    assert 0 <= one.jsd <= 1
    assert one.jsd == pytest.approx(other.jsd, abs=1e-12)
    assert one.jsd <= one.total_variation + 1e-9
    assert one.kl_pq >= 0


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=50))
def test_mutual_information_bounds(pairs):
    """MI is symmetric, at least 0, and at most the information a list has about itself."""
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    mi = mutual_information(first, second)
    assert 0 <= mi <= mutual_information(first, first) + 1e-9
    assert mi == pytest.approx(mutual_information(second, first), abs=1e-9)


@settings(deadline=None)
@given(
    st.dictionaries(st.text(min_size=1, max_size=3), st.tuples(st.integers(0, 200), st.integers(0, 200)), max_size=4)
)
def test_disparity_is_exact(counts):
    """The verdict is the comparison of whole numbers, whatever floats would say."""
    table = {g: (min(k, n), n) for g, (k, n) in counts.items()}
    found = disparity(table, enough=0)
    rates = [(k, n) for k, n in table.values() if n]
    if len(rates) < 2:
        assert found.verdict == "cannot tell"
        return
    ok = all(20 * abs(a * m - b * n) <= n * m for a, n in rates for b, m in rates)
    assert found.pairwise_ok is ok


@settings(deadline=None)
@given(st.lists(finite, max_size=30))
def test_direction_counts_everything_once(values):
    """Positive, negative and zero templates add up."""
    found = direction(values)
    assert found.positive + found.negative + found.zero == found.n == len(values)
