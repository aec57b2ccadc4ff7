"""Template gaps, names, direction and what is dropped."""

from __future__ import annotations

import math

import pytest

from judgekit.errors import BadInput
from judgekit.records import Contrast, MetricRow, Undefined
from judgekit.statistics.template_gaps import cell_means, cells_from_columns, direction, template_gaps

XY = Contrast("x", "y")


def test_name_weighting_is_the_default(designs):
    """A name that fails often keeps its weight; row weighting is there on request."""
    rows = designs.rows_of(
        {("t", "x", "a"): [4.0, 4.0, 4.0], ("t", "x", "b"): [1.0, None, None], ("t", "y", "c"): [2.0]}
    )
    assert template_gaps(rows, XY).mean == pytest.approx(2.5 - 2.0)
    assert template_gaps(rows, XY, weighting="rows").mean == pytest.approx(13 / 4 - 2.0)


def test_templates_without_a_side_are_dropped_and_named(designs):
    """A template with only failures on one side drops out with the reason."""
    rows = designs.rows_of(
        {
            ("t1", "x", "a"): [3.0],
            ("t1", "y", "c"): [1.0],
            ("t2", "x", "a"): [3.0],
            ("t2", "y", "c"): [None],
            ("t3", "z", "d"): [3.0],
        }
    )
    found = template_gaps(rows, XY)
    assert found.gaps == {"t1": 2.0}
    assert found.dropped == {"t2": "no scored row of y"}
    assert (found.n_a, found.n_b, found.missing_a, found.missing_b) == (1, 1, 0, 1)


def test_no_template_in_common(designs):
    """Without a template that has both groups the gap is undefined."""
    found = template_gaps(designs.rows_of({("t1", "x", "a"): [3.0], ("t2", "y", "c"): [1.0]}), XY)
    assert isinstance(found.mean, Undefined)
    assert isinstance(found.sd, Undefined)
    assert isinstance(found.direction.share, Undefined)


def test_rows_without_a_template_are_counted():
    """Rows that belong to no template are left out and counted, by group."""
    rows = [MetricRow(item=str(i), unit_id=None, group=g, name=None, value=1.0) for i, g in enumerate("xxyz")]
    found = template_gaps(rows, XY)
    assert found.outside == 3
    assert isinstance(found.mean, Undefined)


def test_leave_one_out(designs):
    """Influence of each template and name, checked by hand."""
    rows = designs.rows_of(
        {
            ("t1", "x", "a"): [2.0],
            ("t1", "x", "b"): [4.0],
            ("t1", "y", "c"): [1.0],
            ("t2", "x", "a"): [3.0],
            ("t2", "x", "b"): [3.0],
            ("t2", "y", "c"): [2.0],
        }
    )
    found = template_gaps(rows, XY)
    assert found.gaps == {"t1": 2.0, "t2": 1.0}
    assert found.leave_one_template_out() == {"t1": 1.0, "t2": 2.0}
    names = found.leave_one_name_out()
    assert names["x"] == {"a": pytest.approx(2.0), "b": pytest.approx(1.0)}
    assert isinstance(names["y"]["c"], Undefined)


def test_a_name_may_be_called_like_a_group(designs):
    """Names are kept apart by group, whatever they are called."""
    rows = designs.rows_of({("t1", "x", "same"): [2.0], ("t1", "y", "same"): [5.0]})
    found = template_gaps(rows, XY)
    assert found.per_name == {"x": {"same": 2.0}, "y": {"same": 5.0}}
    assert (found.names_a, found.names_b) == (1, 1)


def test_direction_counts_zero_gaps_apart():
    """Share over all templates, binomial p over the non-zero ones."""
    found = direction([0.5, 0.25, 0.1, 1.0, -0.5, 0.0])
    assert (found.positive, found.negative, found.zero) == (4, 1, 1)
    assert found.share == pytest.approx(4 / 6)
    # R binom.test(4, 5): 0.375
    assert found.p == pytest.approx(0.375)
    assert isinstance(direction([0.0, 0.0]).share, Undefined)


def test_rounding_noise_is_zero():
    """A gap of rounding error has no direction."""
    assert direction([0.1 + 0.2 - 0.3, 1.0]).zero == 1


def test_bad_values_are_named():
    """A nan or an infinite value is an error that names the item; a group is not compared with itself."""
    row = MetricRow(item="bad-one", unit_id="t", group="x", name=None, value=math.nan)
    with pytest.raises(BadInput, match="bad-one"):
        cell_means([row])
    with pytest.raises(BadInput, match="infinite"):
        cells_from_columns(["t"], ["x"], None, [math.inf])
    with pytest.raises(BadInput, match="length"):
        cells_from_columns(["t"], ["x", "y"], None, [1.0])
    with pytest.raises(BadInput, match="itself"):
        template_gaps([row], Contrast("x", "x"))


def test_empty_table():
    """No rows at all: undefined, no crash."""
    assert isinstance(template_gaps([], XY).mean, Undefined)


def test_results_print_and_convert(designs):
    """A result prints itself, becomes plain values and a table of one row; undefined values stay visible."""
    found = template_gaps(designs.rows_of({("t1", "x", "a"): [3.0], ("t1", "y", "c"): [1.0]}), XY)
    assert "mean" in str(found)
    assert "cells" not in str(found)
    plain = found.to_dict()
    assert plain["mean"] == 2.0
    assert plain["sd"] == {"undefined": "fewer than two templates have both groups", "detail": ""}
    frame = found.to_frame()
    assert len(frame) == 1
    assert frame["sd.undefined"][0] == "fewer than two templates have both groups"


def test_table_of_templates(designs):
    """The per-template table is sorted by gap and has the mean without each template."""
    rows = designs.rows_of(
        {("t1", "x", "a"): [3.0], ("t1", "y", "c"): [1.0], ("t2", "x", "a"): [2.0, 2.0], ("t2", "y", "c"): [1.0]}
    )
    table = template_gaps(rows, XY).table()
    assert table["template"].tolist() == ["t2", "t1"]
    assert table["n_a"].tolist() == [2, 1]
    assert table["mean_without"].tolist() == [2.0, 1.0]


def test_hostile_names_print_safely(designs):
    """Escapes and broken Unicode in names reach no terminal through a printed result."""
    hostile = "a\x1b[2Jb\ud800\u202e"
    found = template_gaps(
        designs.rows_of({("t\x1b", hostile, "n"): [3.0], ("t\x1b", "y", "c"): [1.0]}), Contrast(hostile, "y")
    )
    shown = str(found)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    shown.encode("utf-8")
