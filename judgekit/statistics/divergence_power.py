"""Power of the output-change test: simulated, as published with it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from judgekit.errors import BadInput
from judgekit.statistics.distributions import t_quantile
from judgekit.statistics.results import FloatArray, Result, as_gaps

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["DivergencePower", "divergence_power"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DivergencePower(
    Result,
    method="simulated power of a one-sided paired t on Jensen-Shannon divergence",
    unit="share of runs",
    source="Lin (1991), IEEE Transactions on Information Theory 37",
):
    """Share of simulated runs in which the one-sided paired t on JSD rejects; ``se`` is its Monte-Carlo error."""

    power: float
    se: float
    runs: int
    alpha: float
    seed: int


def _sigmoid(x: FloatArray) -> FloatArray:
    from scipy.special import expit

    out: FloatArray = expit(x)
    return out


def _bernoulli_jsd(p: FloatArray, q: FloatArray) -> FloatArray:
    """JSD in bits of Bernoulli distributions, vectorised."""
    from scipy.special import entr

    middle = (p + q) / 2
    raw = entr(middle) + entr(1 - middle) - (entr(p) + entr(1 - p) + entr(q) + entr(1 - q)) / 2
    out: FloatArray = np.maximum(raw, 0.0) / math.log(2)
    return out


def divergence_power(
    z: ArrayLike, *, sigma: float, sigma_pert: float, runs: int = 2_000, alpha: float = 0.05, seed: int = 0
) -> DivergencePower:
    """Power of the per-sample divergence test when targeted edits move the logit more than paraphrases do.

    Parameters
    ----------
    z : sequence of float
        Logits of the unchanged prompts.
    sigma : float
        Standard deviation of any edit's effect on the logit (the paraphrase baseline).
    sigma_pert : float
        Additional standard deviation of targeted edits; at 0 the share of rejections is the false-positive rate.
    runs : int
        Simulated studies.
    alpha : float
        One-sided level.
    seed : int
        Seed of the simulation.

    Returns
    -------
    DivergencePower
        Targeted logit z + N(0, sigma_pert) + N(0, sigma), baseline z + N(0, sigma); JSD of each against the original;
        one-sided paired t on their difference.

    Raises
    ------
    BadInput
        When there are fewer than two logits, or a standard deviation or ``runs`` is out of range.

    Examples
    --------
    >>> divergence_power([0.0, 0.5, -0.5, 1.0] * 10, sigma=0.5, sigma_pert=3.0, runs=50).power
    1.0
    """
    logits = as_gaps(z, what="z")
    if len(logits) < 2 or sigma < 0 or sigma_pert < 0 or runs < 1 or not 0 < alpha < 1:
        raise BadInput("a power simulation needs two logits, standard deviations of at least 0 and one run")
    rng = np.random.default_rng(seed)
    n = len(logits)
    original = _sigmoid(logits)
    critical = t_quantile(1 - alpha, n - 1)
    rejected = 0
    block = max(1, 2_000_000 // n)
    for start in range(0, runs, block):
        shape = (min(block, runs - start), n)
        targeted = logits + rng.normal(0.0, sigma_pert, shape) + rng.normal(0.0, sigma, shape)
        baseline = logits + rng.normal(0.0, sigma, shape)
        d = _bernoulli_jsd(original, _sigmoid(targeted)) - _bernoulli_jsd(original, _sigmoid(baseline))
        sd = d.std(axis=1, ddof=1)
        mean = d.mean(axis=1)
        rejected += int(np.count_nonzero((sd > 0) & (mean * math.sqrt(n) > critical * sd)))
    share = rejected / runs
    return DivergencePower(
        power=share, se=math.sqrt(max(share * (1 - share), 1 / runs) / runs), runs=runs, alpha=alpha, seed=seed
    )
