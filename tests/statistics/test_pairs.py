"""Differences of matched pairs."""

from __future__ import annotations

from random import Random

import pytest

from judgekit.errors import BadInput
from judgekit.records import Contrast, MetricRow, Undefined
from judgekit.statistics.pairs import pair_differences

XY = Contrast("x", "y")


def row(group, name, value, template="t1", replicate="1", pair=None):
    """One row of the design."""
    return MetricRow(
        item=f"{template}{group}{name}{replicate}",
        unit_id=template,
        group=group,
        name=name,
        value=value,
        replicate=replicate,
        name_pair=pair,
    )


def test_declared_pairs_win_over_position():
    """Names are matched by their declared pair, whatever their order."""
    rows = [row("x", "Ana", 5.0, pair="p1"), row("x", "Eva", 1.0, pair="p2")]
    rows += [row("y", "Tom", 1.0, pair="p2"), row("y", "Leo", 2.0, pair="p1")]
    found = pair_differences(rows, XY)
    assert found.per_name_pair == {"p1": 3.0, "p2": 0.0}


def test_unequal_lists_are_an_error():
    """A name left over is an error, never a silent truncation."""
    rows = [row("x", "Ana", 5.0), row("x", "Eva", 1.0), row("y", "Tom", 1.0)]
    with pytest.raises(BadInput, match="unequal length"):
        pair_differences(rows, XY)
    with pytest.raises(BadInput, match="same name pairs"):
        pair_differences([row("x", "Ana", 5.0, pair="p1"), row("y", "Tom", 1.0, pair="p2")], XY)
    with pytest.raises(BadInput, match="two pairs"):
        pair_differences([row("x", "Ana", 5.0, pair="p1"), row("x", "Ana", 1.0, template="t2", pair="p2")], XY)


def test_a_missing_side_drops_the_pair():
    """A failure on one side drops the pair and is counted."""
    rows = [row("x", "Ana", 5.0), row("y", "Tom", None), row("x", "Ana", 4.0, replicate="2")]
    rows += [row("y", "Tom", 3.0, replicate="2")]
    found = pair_differences(rows, XY)
    assert (found.differences, found.one_sided, found.templates) == ((1.0,), 1, 1)


def test_two_rows_in_one_place():
    """Repeats without a replicate are refused."""
    with pytest.raises(BadInput, match="one place"):
        pair_differences([row("x", "Ana", 5.0), row("x", "Ana", 4.0), row("y", "Tom", 1.0)], XY)


def test_pair_level_tests():
    """The pair-level p and the seed-compatible interval come with a warning."""
    rows = [row(g, g, float(g == "x"), template=f"t{t}") for t in range(6) for g in "xy"]
    found = pair_differences(rows, XY)
    assert found.sign_flip().p == 2 / 2**6
    assert found.seed_compatible(Random(7), draws=50, flips=50).mean == 1.0
    assert "not independent" in found.warning
    assert isinstance(pair_differences([], XY).seed_compatible(Random(7)), Undefined)


def test_order_is_that_of_the_design():
    """Pair 10 follows pair 9, whatever the order of the rows."""
    rows = [row(g, f"{g}{i}", float(i * (g == "x")), pair=f"p{i}") for i in (10, 2, 9) for g in "yx"]
    assert pair_differences(rows, XY).differences == (2.0, 9.0, 10.0)
