"""Speed of the statistics beside their references, in one run, in processor seconds of one core.

Run with ``python tests/bench/bench_statistics.py`` from the checkout.

* 120 templates, 10,000 flips + 10,000 draws: judgekit beside scipy's permutation_test and bootstrap. Goal 30 x.
* exact sign-flip p of 120 templates on a lattice. Goal about 1 ms.
* 1,000,000 rows, 5,000 templates, 120 columns: cell means, flips and draws beside the bare matrix products. Goal 2.5 x.
* 10,000 draws of quadratic kappa at n = 300 beside a loop over scikit-learn (`bench_kappa.py`). Goal 500 x.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
from scipy import stats

from judgekit.statistics.bootstrap import bootstrap_interval, bootstrap_means
from judgekit.statistics.sign_flip import sign_flip_many, sign_flip_test
from judgekit.statistics.template_gaps import cells_from_columns

DRAWS = 10_000


def best(run, times=3):
    """Shortest of a few runs, in seconds, and the last result."""
    seconds, found = [], None
    for _ in range(times):
        start = time.process_time()
        found = run()
        seconds.append(time.process_time() - start)
    return min(seconds), found


def small():
    """120 templates against scipy."""
    gaps = np.random.default_rng(1).normal(0.05, 0.3, 120)
    flips, ours_p = best(lambda: sign_flip_test(gaps, method="monte-carlo", draws=DRAWS, seed=1).p, 40)
    draws, _ = best(lambda: bootstrap_interval(gaps, method="percentile", draws=DRAWS, seed=1), 40)
    scipy_flips, test = best(
        lambda: stats.permutation_test(
            (gaps,), np.mean, permutation_type="samples", vectorized=True, n_resamples=DRAWS - 1, rng=1
        ),
        5,
    )
    scipy_draws, _ = best(lambda: stats.bootstrap((gaps,), np.mean, n_resamples=DRAWS, method="percentile", rng=1), 5)
    exact, found = best(lambda: sign_flip_test(np.rint(gaps * 36) / 36), 20)
    print("120 templates")
    print(
        f"  flips      {flips * 1e3:8.2f} ms   scipy {scipy_flips * 1e3:8.1f} ms   p {ours_p:.4f} / {test.pvalue:.4f}"
    )
    print(f"  draws      {draws * 1e3:8.2f} ms   scipy {scipy_draws * 1e3:8.1f} ms")
    print(f"  together   {(scipy_flips + scipy_draws) / (flips + draws):8.0f} x (goal 30)")
    print(f"  exact p    {exact * 1e3:8.2f} ms   {found.method} (goal about 1)")


def large():
    """A million rows, 5,000 templates, 120 columns against the bare products."""
    rng = np.random.default_rng(2)
    rows, templates, columns = 1_000_000, 5_000, 120
    template = rng.integers(0, templates, rows).astype(str)
    group, name = rng.choice(list("ab"), rows), rng.choice([f"n{i}" for i in range(6)], rows)
    value = rng.integers(1, 6, rows).astype(float)
    cells, _ = best(lambda: cells_from_columns(template, group, name, value), 1)
    matrix = rng.normal(0.0, 0.3, (templates, columns))
    flips, _ = best(lambda: sign_flip_many(matrix, draws=DRAWS, seed=1), 1)
    draws, _ = best(lambda: bootstrap_means(matrix, draws=DRAWS, seed=1), 1)
    weights = rng.normal(size=(1_000, templates))
    product, _ = best(lambda: weights @ matrix)
    bare = 2 * product * DRAWS / 1_000
    print("1,000,000 rows, 5,000 templates, 120 columns")
    print(f"  cell means {cells:8.2f} s  (one metric, from columns of text)")
    print(f"  flips      {flips:8.2f} s")
    print(f"  draws      {draws:8.2f} s")
    print(f"  products   {bare:8.2f} s  (two of 10,000 x 5,000 x 120, scaled)")
    print(f"  ratio      {(flips + draws) / bare:8.2f} (goal 2.5)")


if __name__ == "__main__":
    from bench_kappa import main as kappa

    small()
    large()
    print("quadratic kappa")
    kappa()
