"""Resampled tables have the moments of resampling, whichever way they are drawn."""

import numpy as np
import pytest

from judgekit.agreement.levels import disagreement
from judgekit.agreement.resampling import ITEM_BY_ITEM, draw_sums, draw_tables, kappas_of


@pytest.mark.parametrize("n", [1, 7, ITEM_BY_ITEM, ITEM_BY_ITEM + 1, 900])
def test_drawn_tables_have_multinomial_moments(n):
    """Mean n p and covariance n (diag(p) - p p'), item by item or by multinomial draws."""
    cells = np.arange(n) % 7
    p = np.bincount(cells, minlength=9) / n
    drawn = draw_tables(cells, 9, 6000, np.random.default_rng(n))
    assert (drawn.sum(axis=1) == n).all()
    assert drawn.mean(axis=0) == pytest.approx(n * p, abs=6 * np.sqrt(n / 6000))
    expected = n * (np.diag(p) - np.outer(p, p))
    assert np.cov(drawn.T) == pytest.approx(expected, abs=0.02 * n + 1e-9)


def test_drawn_sums_keep_what_a_unit_brings():
    """Units are drawn whole: two units whose entries always come together."""
    units = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 5.0], [3.0, 6.0, 0.0]])
    drawn = draw_sums(units, 4000, np.random.default_rng(2))
    assert drawn[:, 1] == pytest.approx(2 * drawn[:, 0])
    assert drawn.mean(axis=0) == pytest.approx(units.sum(axis=0), rel=0.03)


@pytest.mark.parametrize("n", [70_000])
def test_many_items_need_wider_indices(n):
    """More items than 16 bits count are drawn over their whole range."""
    units = np.zeros((n, 2))
    units[-1, 0] = units[0, 1] = 1
    drawn = draw_sums(units, 60, np.random.default_rng(3))
    assert drawn.mean(axis=0) == pytest.approx([1, 1], abs=0.6)
    assert drawn[:, 0].max() > 0


def test_kappas_of_many_tables():
    """Many tables at once give the kappa of each, and nan without variance."""
    tables = np.random.default_rng(4).integers(0, 9, (50, 4, 4)).astype(float)
    tables[7] = np.diag([9.0, 0, 0, 0])
    weights = disagreement(4, "quadratic")
    found = kappas_of(tables, weights)
    for table, value in zip(tables, found, strict=True):
        joint = table / table.sum()
        expected = joint.sum(axis=1) @ weights @ joint.sum(axis=0)
        if expected == 0:
            assert np.isnan(value)
        else:
            assert value == pytest.approx(1 - (joint * weights).sum() / expected)
    assert np.isnan(found).sum() == 1
