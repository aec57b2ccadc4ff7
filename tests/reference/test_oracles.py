"""Every statistic against the reference values of a folder of cases."""

from __future__ import annotations

import math
from fnmatch import fnmatchcase

import pytest

from judgekit.records import Undefined


def mismatch(expected, tolerance, got):
    """Why ``got`` is not the expected value, or None."""
    own_error = 0.0
    if isinstance(got, tuple):
        got, own_error = got
    if expected in ("undefined", "NaN") or (isinstance(expected, float) and math.isnan(expected)):
        return None if isinstance(got, Undefined) else f"must be undefined, got {got!r}"
    if isinstance(got, Undefined):
        return f"expected {expected!r}, got {got}"
    if isinstance(expected, bool) or (isinstance(expected, str) and expected not in ("inf", "-inf")):
        return None if got == expected and isinstance(got, type(expected)) else f"expected {expected!r}, got {got!r}"
    if expected in ("inf", "-inf"):
        return None if got == float(expected) else f"expected {expected}, got {got!r}"
    if not math.isfinite(got):
        return f"expected {expected!r}, got {got!r}"
    difference = abs(got - expected)
    return None if difference <= tolerance + own_error else f"expected {expected!r} +- {tolerance}, got {got!r}"


def test_reference_case(oracle_case, reference_families):
    """Each quantity of the case is within its tolerance, undefined where it must be, and never a known trap."""
    family, case, folder = oracle_case
    families, omitted = reference_families
    if family not in families:
        pytest.fail(f"no function is registered for the family {family!r}")
    got = families[family](case["input"] if "input" in case else case["input_csv"], folder)
    problems = []
    for quantity, reference in case["expected"].items():
        if quantity not in got:
            if not any(f == family and fnmatchcase(quantity, pattern) for f, pattern in omitted):
                problems.append(f"{quantity}: not computed")
            continue
        problem = mismatch(reference["value"], reference["tol_abs"], got[quantity])
        if "WRONG" in quantity:
            problem = None if problem else "the trap is what judgekit reports"
        if problem:
            problems.append(f"{quantity}: {problem}")
    assert not problems, "\n".join(problems)


def test_omissions_have_reasons(reference_families):
    """A quantity that is left out says why."""
    _, omitted = reference_families
    assert all(isinstance(reason, str) and len(reason) > 20 for reason in omitted.values())


@pytest.mark.parametrize(
    ("expected", "tolerance", "got"),
    [
        ("undefined", 0, math.nan),
        ("undefined", 0, 0.0),
        (0.5, 1e-9, Undefined("none")),
        (0.5, 1e-9, math.nan),
        (0.5, 1e-9, 0.5001),
        ("inf", 0, 1e308),
        (True, 0, False),
        ("pass", 0, "warn"),
    ],
)
def test_comparison_notices(expected, tolerance, got):
    """The comparison can fail: a nan, a number for an undefined value and a wrong verdict are all noticed."""
    assert mismatch(expected, tolerance, got)
