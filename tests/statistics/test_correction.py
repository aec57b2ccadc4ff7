"""Gaps corrected for judge error, human-only gaps, differential bias, and corrected rates."""

from __future__ import annotations

import numpy as np
import pytest

from judgekit.errors import BadInput
from judgekit.records import Contrast, Interval, MetricRow, Undefined
from judgekit.statistics.correction import corrected_gap, differential_bias, human_only_gap
from judgekit.statistics.ppi import ppi_mean
from judgekit.statistics.rogan_gladen import corrected_rate, corrected_rate_gap
from judgekit.statistics.template_gaps import template_gaps

XY = Contrast("x", "y")


def study(rng, *, templates=40, names=6, labels=100, bias=-0.3, noise=0.4, gap=0.1, name_sd=0.0, slope=0.85):
    """Judge rows of all replies and human rows of a random sample; the judge is ``bias`` off in group y."""
    judged, human = [], []
    level = rng.normal(0, 0.5, templates)
    for g in "xy":
        shift = rng.normal(0, 0.2, templates) + (gap if g == "x" else 0.0)
        by_name = rng.normal(0, name_sd, names) if name_sd else np.zeros(names)
        truth = 3 + level[:, None] + shift[:, None] + by_name + rng.normal(0, 0.7, (templates, names))
        score = 0.5 + slope * truth + (bias if g == "y" else 0.0) + rng.normal(0, noise, truth.shape)
        chosen = set(rng.permutation(truth.size)[:labels].tolist())
        for i, (y, f) in enumerate(zip(truth.ravel(), score.ravel(), strict=True)):
            where = {
                "item": f"{g}{i}",
                "unit_id": f"t{i // names}",
                "group": g,
                "name": f"{g}{i % names}",
            }
            judged.append(MetricRow(value=float(f), **where))
            if i in chosen:
                human.append(MetricRow(value=float(y), **where))
    return judged, human


def test_a_biased_judge_is_corrected():
    """The raw gap is far off, the corrected interval holds the true gap and is narrower than labels alone."""
    judged, human = study(np.random.default_rng(1))
    assert template_gaps(judged, XY).mean > 0.25
    found, alone = corrected_gap(judged, human, XY), human_only_gap(human, XY)
    assert found.interval.low < 0.1 < found.interval.high
    assert found.interval.high - found.interval.low < alone.interval.high - alone.interval.low
    assert (found.n_a, found.n_b, found.templates) == (100, 100, 40)


def test_useless_judge_leaves_labels_only():
    """A judge without spread gets lambda 0 and the corrected gap equals the labels' gap."""
    judged, human = study(np.random.default_rng(2))
    flat = [MetricRow(item=r.item, unit_id=r.unit_id, group=r.group, name=r.name, value=3.0) for r in judged]
    found, alone = corrected_gap(flat, human, XY), human_only_gap(human, XY)
    assert found.value == pytest.approx(alone.value)
    assert sum("lambda 0.00" in note for note in found.notes) == 2


def test_everything_labelled_is_the_human_gap():
    """When all replies have labels the judge does not matter."""
    judged, human = study(np.random.default_rng(3), templates=10, labels=60)
    found = corrected_gap(judged, human, XY)
    assert found.value == pytest.approx(template_gaps(human, XY).mean)


def test_too_few_labels_is_a_reason():
    """Below the minimum nothing is corrected, and the reason names the group and its count."""
    judged, human = study(np.random.default_rng(4))
    few = [r for r in human if r.group == "x"] + [r for r in human if r.group == "y"][:7]
    found = corrected_gap(judged, few, XY)
    assert found.value.reason == "too few labels"
    assert "y has 7" in found.value.detail
    assert isinstance(found.interval, Undefined)
    assert found.n_b == 7
    assert corrected_gap([], [], XY).value.reason == "too few labels"


def test_inclusion_probabilities():
    """Oversampled low scores pull the plain mean down; the weights put it right."""
    rng = np.random.default_rng(5)
    judged, everyone = study(rng, templates=60, labels=360, gap=0.0, bias=0.0)
    chance = {r.item: 0.9 if r.group == "x" and r.value < 3 else 0.3 for r in everyone}
    human = [r for r in everyone if rng.random() < chance[r.item]]
    plain, weighted = corrected_gap(judged, human, XY), corrected_gap(judged, human, XY, inclusion=chance)
    truth = template_gaps(everyone, XY).mean
    assert abs(weighted.value - truth) < abs(plain.value - truth)
    assert human_only_gap(human, XY, inclusion=chance).value == pytest.approx(truth, abs=0.15)
    with pytest.raises(BadInput, match="no inclusion probability"):
        corrected_gap(judged, human, XY, inclusion={})
    with pytest.raises(BadInput, match="inclusion"):
        corrected_gap(judged, human, XY, inclusion=dict.fromkeys(chance, 0.0))


def test_missing_judge_scores_are_counted():
    """Replies without a judge score leave the estimate and are counted in a note."""
    judged, human = study(np.random.default_rng(6))
    holes = [
        MetricRow(item=r.item, unit_id=r.unit_id, group=r.group, name=r.name, value=None, missing="refusal")
        if i % 50 == 0
        else r
        for i, r in enumerate(judged)
    ]
    found = corrected_gap(holes, human, XY)
    assert any(
        note.startswith(f"{len(judged) // 50 + (len(judged) % 50 > 0)} replies left out") for note in found.notes
    )


def test_without_templates_items_are_the_units():
    """Rows without templates: each item is its own cluster and templates are reported as 0."""
    judged, human = study(np.random.default_rng(7))

    def bare(rows):
        return [MetricRow(item=r.item, unit_id=None, group=r.group, name=None, value=r.value) for r in rows]

    found = corrected_gap(bare(judged), bare(human), XY)
    assert found.templates == 0
    assert isinstance(found.interval, Interval)
    assert any("no names" in note for note in found.notes)


def test_names_widen_a_claim_about_groups():
    """Names that differ make the claim about groups wider than that about these names."""
    judged, human = study(np.random.default_rng(8), name_sd=0.6)
    groups, names = (corrected_gap(judged, human, XY, claim=c) for c in ("groups", "these_names"))
    assert groups.value == names.value
    assert groups.interval.high - groups.interval.low > 1.2 * (names.interval.high - names.interval.low)


def test_one_name_in_a_group():
    """One name: the value stands, the interval of a claim about groups does not exist."""
    judged, human = study(np.random.default_rng(9), names=1, templates=200)
    found = corrected_gap(judged, human, XY)
    assert isinstance(found.value, float)
    assert found.interval.reason == "one name in a group"


def test_an_item_twice_is_refused():
    """Two rows of one item are an error: average raters first."""
    judged, human = study(np.random.default_rng(1))
    with pytest.raises(BadInput, match="twice"):
        corrected_gap(judged, [*human, human[0]], XY)


def test_differential_bias():
    """Judge minus human, x minus y: the planted 0.3 is inside the interval, zero is not."""
    judged, human = study(np.random.default_rng(10), labels=200, gap=0.0, slope=1.0)
    value, interval = differential_bias(judged, human, XY)
    assert interval.low < 0.3 < interval.high
    assert interval.low > 0
    assert interval.low < value < interval.high
    assert isinstance(differential_bias(judged, human[:1], XY), Undefined)
    same = [MetricRow(item=r.item, unit_id=r.unit_id, group=r.group, name=r.name, value=r.value) for r in human]
    assert differential_bias(same, human, XY).reason == "no spread"


def test_ppi_mean_edges():
    """Lambda 0 is the labels' mean; too few items are undefined; lambda outside [0, 1] is refused."""
    assert ppi_mean([1.0, 2.0], [5.0, 9.0], [7.0, 7.0], lam=0.0).value == 1.5
    assert isinstance(ppi_mean([1.0], [1.0], [1.0, 2.0]), Undefined)
    assert ppi_mean([1.0, 2.0], [3.0, 3.0], [3.0, 3.0]).lam == 0.0
    with pytest.raises(BadInput):
        ppi_mean([1.0, 2.0], [1.0, 2.0], [1.0, 2.0], lam=2.0)
    with pytest.raises(BadInput):
        ppi_mean([1.0, 2.0], [1.0], [1.0, 2.0])


def test_corrected_rate_refuses_a_weak_judge():
    """A coin is not corrected; neither is a class without labels."""
    coin = corrected_rate([1] * 40 + [0] * 40, [1, 0] * 40, [1, 0] * 100)
    assert coin.value.reason == "judge too weak to correct"
    few = corrected_rate([1, 1, 0, 0], [1, 1, 1, 0], [1, 0])
    assert isinstance(few.value, Undefined)
    assert corrected_rate([1, 1], [1, 1], [1]).value.reason == "no labels of a class"
    with pytest.raises(BadInput):
        corrected_rate([1, 2], [1, 0], [1])


def test_corrected_rate_keeps_the_raw_value():
    """Below zero the value is kept, only the display is clamped and flagged; the bootstrap of both samples is wider."""
    human, judge = [1] * 50 + [0] * 50, [1] * 40 + [0] * 10 + [1] * 10 + [0] * 40
    found = corrected_rate(human, judge, [1] * 30 + [0] * 270)
    assert found.value < 0
    assert found.shown == 0.0
    assert found.clamped
    both, labels = (
        corrected_rate(human, judge, [1] * 120 + [0] * 180, method=m) for m in ("bootstrap", "labels-bootstrap")
    )
    assert both.interval.high - both.interval.low > labels.interval.high - labels.interval.low


def test_corrected_rate_gap():
    """Two groups with their own error rates: variances add; an undefined side makes the gap undefined."""
    human, judge = [1] * 60 + [0] * 60, [1] * 51 + [0] * 9 + [1] * 8 + [0] * 52
    a, b = corrected_rate(human, judge, [1] * 62 + [0] * 38), corrected_rate(human, judge, [1] * 40 + [0] * 60)
    gap, interval = corrected_rate_gap(a, b, XY)
    assert gap == pytest.approx(a.value - b.value)
    assert (interval.high - interval.low) / 2 == pytest.approx(1.959964 * (a.se**2 + b.se**2) ** 0.5, rel=1e-6)
    weak = corrected_rate([1] * 40 + [0] * 40, [1, 0] * 40, [1, 0])
    assert corrected_rate_gap(a, weak, XY).reason == "judge too weak to correct"


@pytest.mark.slow
@pytest.mark.parametrize("labels", [25, 50, 100])
@pytest.mark.parametrize(("templates", "names"), [(10, 12), (20, 6), (120, 6)])
@pytest.mark.parametrize("claim", ["these_names", "groups"])
def test_coverage_of_the_corrected_gap(labels, templates, names, claim):
    """Coverage at least 0.93 (within Monte-Carlo error of 300 studies) with a judge that is harder on one group."""
    rng = np.random.default_rng(labels + templates)
    covered = 0
    for _ in range(300):
        judged, human = study(
            rng, templates=templates, names=names, labels=labels, name_sd=0.2 if claim == "groups" else 0.0
        )
        interval = corrected_gap(judged, human, XY, claim=claim).interval
        covered += interval.low <= 0.1 <= interval.high
    assert covered / 300 >= 0.93 - 0.025
