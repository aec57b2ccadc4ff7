"""`judgekit budget`: labels and hours planned."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from judgekit.errors import UsageProblem
from judgekit.labelling.budget import labels_for_gap, labels_for_kappa, workload


@pytest.mark.parametrize(("kappa", "threshold"), [(0.72, 0.60), (0.65, 0.60), (0.9, 0.4)])
def test_the_bound_clears_at_that_number_and_not_before(kappa, threshold):
    """With n labels the bound reaches the threshold, with n - 1 it does not (z = 1.6449, one-sided 95%)."""
    n = labels_for_kappa(kappa, threshold)

    def bound(count):
        return kappa - 1.6448536 * math.sqrt((1 - kappa**2) / count)

    assert bound(n) >= threshold - 1e-9
    assert bound(n - 1) < threshold


def test_the_gap_of_a_simulated_study_is_as_narrow_as_planned():
    """Simulated corrected gaps scatter with the planned standard error: 1.96 of them are the margin."""
    rng = np.random.default_rng(5)
    sd, r, margin, replies = 1.0, 0.8, 0.25, 400
    n = labels_for_gap(sd, r, margin, replies)
    gaps = []
    for _ in range(2000):
        means = []
        for _group in range(2):
            human = rng.normal(0, sd, replies)
            judge = r * human + rng.normal(0, sd * math.sqrt(1 - r**2), replies)
            chosen = rng.permutation(replies)[:n]
            means.append(r * judge.mean() + (human[chosen] - r * judge[chosen]).mean())
        gaps.append(means[0] - means[1])
    assert 1.96 * np.std(gaps) == pytest.approx(margin, rel=0.06)


def test_what_cannot_be_reached_is_none():
    """A kappa at the threshold, and replies too few for the margin: no number."""
    assert labels_for_kappa(0.6, 0.6) is None
    assert labels_for_gap(1.0, 0.8, 0.05, 216) is None
    with pytest.raises(UsageProblem, match="kappa"):
        labels_for_kappa(1.5, 0.6)


def test_workload_counts_overlap_and_repeats():
    """Shared texts go to everybody, the rest is dealt out, repeats come on top."""
    work = workload(200, 3, overlap=0.25, repeats=0.1, seconds=36)
    assert (work.texts, work.repeats) == (100, 10)
    assert work.hours == pytest.approx(1.1)


def test_the_command(judgekit):
    """--json has the figures; the text says them in one line each."""
    document = json.loads(judgekit("budget", "--json").stdout)
    assert document["texts"] == max(document["for_kappa"], document["for_gap"])
    shown = judgekit("budget", "--kappa", "0.5").stdout
    assert "no number of labels will do" in shown
    assert "hours at 25 s an item" in shown
