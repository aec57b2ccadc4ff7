"""10,000 bootstrap draws of quadratic kappa at n = 300: judgekit beside a loop over scikit-learn, in one run.

Run with ``python tests/bench/bench_kappa.py`` from the checkout. Processor time; the loop is timed on a slice and scaled.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import numpy as np
from sklearn.metrics import cohen_kappa_score

from judgekit.agreement.intervals import bootstrap_kappa

DRAWS, N, SLICE = 10_000, 300, 100
GOAL = 500


def main() -> None:
    """Print both times and their ratio."""
    rng = np.random.default_rng(1)
    latent = rng.normal(3, 1.1, N)
    a, b = (np.clip(np.rint(latent + rng.normal(0, 0.7, N)), 1, 5).astype(int) for _ in range(2))
    levels = [1, 2, 3, 4, 5]
    first, second = a.tolist(), b.tolist()
    ours = []
    for _ in range(7):
        start = time.process_time()
        result = bootstrap_kappa(first, second, levels, "quadratic", draws=DRAWS, seed=1)
        ours.append(time.process_time() - start)
    start = time.process_time()
    drawn = []
    for _ in range(SLICE):
        pick = rng.integers(N, size=N)
        drawn.append(cohen_kappa_score(a[pick], b[pick], labels=levels, weights="quadratic"))
    loop = (time.process_time() - start) * DRAWS / SLICE
    print(f"judgekit      {min(ours):8.4f} s for {DRAWS} draws, n = {N}; kappa {result.kappa:.3f}, {result.interval}")
    print(f"scikit-learn  {loop:8.2f} s, scaled from {SLICE} draws; mean of draws {np.mean(drawn):.3f}")
    print(f"ratio         {loop / min(ours):8.0f} (goal {GOAL})")


if __name__ == "__main__":
    main()
