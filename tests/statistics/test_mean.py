"""Means with the template as the unit."""

import pytest

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics.mean import mean_of


def test_a_mean_over_templates():
    """Template means 1, 2, 3, 6: mean 3, t interval over four templates."""
    found = mean_of([0.0, 2.0, 2.0, 3.0, 6.0, 6.0], ["a", "a", "b", "c", "d", "d"])
    assert (found.value, found.n, found.units, found.unit) == (3.0, 6, 4, "templates")
    # By hand: sd 2.1602, t(0.975, 3) = 3.1824, so 3 plus or minus 3.1824 x 2.1602 / 2.
    assert found.interval.low == pytest.approx(-0.437, abs=5e-4)
    assert found.interval.high == pytest.approx(6.437, abs=5e-4)
    assert found.interval.level == 0.95


def test_without_templates_each_reply_is_a_unit():
    """The same values without templates rest on more units."""
    found = mean_of([1.0, 2.0, 3.0, 6.0])
    assert (found.units, found.unit) == (4, "replies")


@pytest.mark.parametrize(
    ("values", "reason"), [([], "fewer than two units"), ([1.0], "fewer than two units"), ([2.0, 2.0], "no spread")]
)
def test_what_does_not_exist_is_undefined(values, reason):
    """No number is made up for an interval that does not exist."""
    found = mean_of(values)
    assert found.interval == Undefined(reason)
    assert isinstance(found.value, Undefined) == (not values)


def test_templates_that_do_not_fit():
    """One template for each value."""
    with pytest.raises(BadInput):
        mean_of([1.0, 2.0], ["a"])
