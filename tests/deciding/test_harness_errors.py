"""A small design, from prompts to verdict, many times: no effect is seldom found, a planted one nearly always."""

import importlib.util
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[1] / "bench" / "simulate_harness.py"


@pytest.mark.slow
def test_findings_keep_the_level_and_planted_effects_are_found():
    """12 runs each: at the level of 0.05 more than 4 findings come once in 5,000 times, and at the powers that 100 runs
    showed (0.8 for the decision, 1 for score and P(yes), 0.55 beyond rewording) fewer than these once in 300 times.
    """
    spec = importlib.util.spec_from_file_location("simulate_harness", BENCH)
    bench = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = bench  # dataclasses look their module up
    spec.loader.exec_module(bench)
    null, verdicts = bench.simulate(12, planted=False, first=1000)
    assert set(null) == {"approved", "score", "p(yes)"}
    assert max(null.values()) <= 4, null
    assert verdicts["exceeds"] <= 4
    planted, beyond = bench.simulate(12, planted=True, first=1000)
    assert min(planted["score"], planted["p(yes)"]) >= 11, planted
    assert planted["approved"] >= 6, planted
    assert beyond["exceeds"] >= 3, beyond
