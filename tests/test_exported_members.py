"""The public names of the package."""

from __future__ import annotations

import judgekit


def test_names_are_sorted_and_real() -> None:
    """`__all__` is sorted, about 25 names, and each of them exists."""
    assert judgekit.__all__ == sorted(judgekit.__all__)
    assert len(judgekit.__all__) <= 30
    for name in judgekit.__all__:
        assert getattr(judgekit, name) is not None
    assert dir(judgekit) == judgekit.__all__


def test_unknown_names_are_attribute_errors() -> None:
    """A name that is not public is reported as usual."""
    assert not hasattr(judgekit, "no_such_name")
