"""A small design, from prompts to verdict, many times: no effect is seldom found, a planted one nearly always."""

import importlib.util
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[1] / "bench" / "simulate_harness.py"


@pytest.mark.slow
def test_findings_keep_the_level_and_planted_effects_are_found():
    """12 runs each: 0.05 allows 4 findings in 12 with probability 0.9998, and a power of 0.95 gives 9 or more as surely."""
    spec = importlib.util.spec_from_file_location("simulate_harness", BENCH)
    bench = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = bench  # dataclasses look their module up
    spec.loader.exec_module(bench)
    null, verdicts = bench.simulate(12, planted=False, first=1000)
    assert set(null) == {"approved", "score", "p(yes)"}
    assert max(null.values()) <= 4, null
    assert verdicts["exceeds"] <= 4
    planted, beyond = bench.simulate(12, planted=True, first=1000)
    assert min(planted.values()) >= 9, planted
    assert beyond["exceeds"] >= 9
