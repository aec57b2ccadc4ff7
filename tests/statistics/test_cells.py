"""Cells from rows, from columns and one by one."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from judgekit.errors import BadInput
from judgekit.records import MetricRow
from judgekit.statistics.cells import CellBuilder, cell_means, cells_from_columns


def columns(rng, n=400):
    """Random columns with holes everywhere."""
    template = rng.choice(["t2", "t1", "t10", None, ""], n).tolist()
    group = rng.choice(["y", "x", None, ""], n).tolist()
    name = rng.choice(["b", "a", None, ""], n).tolist()
    value = np.where(rng.random(n) < 0.2, np.nan, rng.integers(1, 6, n))
    return template, group, name, value


def same(one, other):
    """Whether two sets of cells are equal."""
    return (
        one.templates == other.templates
        and one.names == other.names
        and one.named == other.named
        and one.outside == other.outside
        and all(
            np.allclose(getattr(one, part), getattr(other, part))
            for part in ("template", "name", "total", "count", "missing")
        )
    )


@pytest.mark.parametrize("seed", range(4))
def test_all_ways_in_agree(seed):
    """Rows, lists, pandas columns and categories give the same cells; an empty text is a missing one."""
    template, group, name, value = columns(np.random.default_rng(seed))
    builder = CellBuilder()
    for t, g, n, v in zip(template, group, name, value.tolist(), strict=True):
        builder.add(t, g, n, None if math.isnan(v) else v)
    expected = builder.cells()
    assert same(cells_from_columns(template, group, name, value), expected)
    frame = pd.DataFrame({"t": template, "g": group, "n": name})
    assert same(cells_from_columns(frame["t"], frame["g"], frame["n"], value), expected)
    frame = frame.astype("category")
    assert same(cells_from_columns(frame["t"], frame["g"], frame["n"], value), expected)
    rows = (
        MetricRow(item=str(i), unit_id=t, group=g, name=n, value=None if math.isnan(v) else v)
        for i, (t, g, n, v) in enumerate(zip(template, group, name, value.tolist(), strict=True))
    )
    assert same(cell_means(rows), expected)


def test_every_row_is_in_one_count():
    """Rows with a group = scored + missing + rows without a template."""
    template, group, name, value = columns(np.random.default_rng(9))
    cells = cells_from_columns(template, group, name, value)
    assert cells.count.sum() + cells.missing.sum() + sum(cells.outside.values()) == sum(bool(g) for g in group)


def test_failures_turn_scores_into_shares():
    """The failure design has the share of missing rows as its mean."""
    cells = cells_from_columns(["t"] * 4, ["x"] * 4, None, [1.0, 2.0, math.nan, math.nan]).failures()
    assert cells.side("x")[2].tolist() == [0.5]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_only_finite_values(bad):
    """A value that is no finite number is refused, not taken for missing."""
    with pytest.raises(BadInput):
        CellBuilder().add("t", "x", None, bad)


def test_nothing():
    """No rows make no cells."""
    assert len(CellBuilder().cells().count) == 0
    assert len(cells_from_columns([], [], None, []).count) == 0


def test_order_moves_no_bit():
    """The same rows in any order give the same sums to the last bit."""
    rng = np.random.default_rng(3)
    values = (rng.normal(size=200) * 10.0 ** rng.integers(-8, 8, 200)).tolist()
    sums = set()
    for seed in range(5):
        builder = CellBuilder()
        for i in np.random.default_rng(seed).permutation(200).tolist():
            builder.add("t", "x", None, values[i])
        sums.add(float(builder.cells().total[0]))
    assert sums == {math.fsum(values)}
