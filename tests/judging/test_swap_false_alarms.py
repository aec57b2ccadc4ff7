"""How often the swap test fails a judge that does not react to names, and finds one that does."""

from __future__ import annotations

import random

import pytest

from judgekit.judging.swap_verdict import Evidence, Pair, decide, estimate_shift
from judgekit.statistics.proportion import proportion_interval


def _scores(rng: random.Random, n: int, noise: float, by_template: float) -> list[Pair]:
    """Texts of fourteen templates under six pairs of names; noise moves a score by a level, templates both ways alike."""
    lean = [rng.gauss(0.0, by_template) for _ in range(14)]
    pairs = []
    for i in range(n):
        template, pair = i % 14, (i // 14) % 6
        base = 2 + template % 3

        def judged(side: int, template: int = template, base: int = base) -> float:
            away = rng.choice((-1, 1)) if rng.random() < noise else 0
            return float(min(5, max(1, round(base + away + side * lean[template]))))

        pairs.append(Pair(f"t{template}", (f"w{pair}", f"m{pair}"), judged(1), judged(-1)))
    return pairs


def _verdict(pairs: list[Pair], claim: str = "groups") -> str:
    shift = estimate_shift(pairs, step=1.0, level=0.95, claim=claim)  # type: ignore[arg-type]
    quiet = estimate_shift([Pair(p.unit, p.names, p.a, p.a) for p in pairs], step=1.0, level=0.95, claim="these_names")
    evidence = Evidence(
        n=len(pairs),
        shift=shift,
        control=quiet,
        unscored=(0.0, 0.0),
        kinds=(),
        spread=1.0,
        floor=0.25,
        margin=0.1,
        min_texts=20,
        changed=0.3,
        control_changed=0.0,
    )
    return decide(evidence)[0]


@pytest.mark.slow
@pytest.mark.parametrize("claim", ["groups", "these_names"])
@pytest.mark.parametrize(
    ("n", "noise", "by_template"), [(80, 0.3, 0.0), (80, 0.1, 0.0), (240, 0.3, 0.0), (80, 0.3, 0.3)]
)
def test_a_judge_that_does_not_react_is_rarely_failed(claim: str, n: int, noise: float, by_template: float) -> None:
    """Not above the nominal 5% beyond the noise of 1,000 simulated tests."""
    rng = random.Random(f"{claim} {n} {noise} {by_template}")
    runs = 1000
    failed = sum(_verdict(_scores(rng, n, noise, by_template), claim) == "failed" for _ in range(runs))
    low = proportion_interval(failed, runs, level=0.999).low
    assert low <= 0.05, failed / runs
