"""Correction with a frozen anchor set."""

from __future__ import annotations

import numpy as np
import pytest

from judgekit.records import Contrast, MetricRow, Undefined
from judgekit.statistics.anchors import anchor_corrected_gap
from judgekit.statistics.template_gaps import template_gaps

XY = Contrast("x", "y")


def scores(rng, tag, *, templates, names, gap, bias):
    """True and judged rows of a set of replies; the judge is ``bias`` off in group y."""
    truth, judged = [], []
    for t in range(templates):
        level = rng.normal(0, 0.5)
        for g in "xy":
            for n in range(names):
                y = 3 + level + (gap if g == "x" else 0.0) + rng.normal(0, 0.6)
                where = {"item": f"{tag}{t}{g}{n}", "unit_id": f"{tag}{t}", "group": g, "name": f"{g}{n}"}
                truth.append(MetricRow(value=y, **where))
                judged.append(MetricRow(value=y + (bias if g == "y" else 0.0) + rng.normal(0, 0.3), **where))
    return truth, judged


def test_anchors_correct_a_run_without_labels():
    """The raw gap of the run is off by the judge's bias; anchors bring it back and widen it."""
    rng = np.random.default_rng(1)
    _, run = scores(rng, "r", templates=60, names=5, gap=0.1, bias=-0.4)
    anchor_human, anchor_judge = scores(rng, "a", templates=40, names=3, gap=0.5, bias=-0.4)
    found = anchor_corrected_gap(run, anchor_judge, anchor_human, XY)
    assert template_gaps(run, XY).mean > 0.35
    assert found.interval.low < 0.1 < found.interval.high
    assert found.value == pytest.approx(0.1, abs=0.15)
    assert (found.n_a, found.n_b) == (120, 120)
    assert any("anchors" in note for note in found.notes)


def test_too_few_anchors():
    """Without enough anchor labels nothing is corrected."""
    rng = np.random.default_rng(2)
    human, judge = scores(rng, "a", templates=4, names=3, gap=0.0, bias=0.0)
    found = anchor_corrected_gap(judge, judge, human, XY)
    assert found.value.reason == "too few labels"
    assert isinstance(found.interval, Undefined)
    assert anchor_corrected_gap(judge, judge, human, XY, min_labels=5).value == pytest.approx(0.0, abs=0.6)


@pytest.mark.slow
@pytest.mark.parametrize("templates", [12, 40])
def test_coverage(templates):
    """Coverage at least 0.93 within Monte-Carlo error, whatever the judge's bias."""
    rng = np.random.default_rng(templates)
    covered = 0
    for _ in range(300):
        _, run = scores(rng, "r", templates=templates, names=4, gap=0.1, bias=-0.4)
        human, judge = scores(rng, "a", templates=25, names=2, gap=0.0, bias=-0.4)
        interval = anchor_corrected_gap(run, judge, human, XY).interval
        covered += interval.low <= 0.1 <= interval.high
    assert covered / 300 >= 0.91
