"""Simulate a study of one's own size: does the inference keep its promises, and what can it find?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Contrast, GapEstimate, Interval, Undefined
from judgekit.statistics.power import Design, Noise
from judgekit.statistics.results import FloatArray, Result, check_level
from judgekit.statistics.template_gaps import Cells
from judgekit.statistics.two_way import Claim, group_gap

__all__ = ["Validity", "simulated_cells", "validate_design"]

CONTRAST = Contrast("a", "b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Validity(Result):
    """How one method did over simulated studies.

    ``rejected`` is the share with p at or below 1 - level: the false-positive rate when ``gap`` is 0, else the power.
    ``covered`` is the share of intervals that hold the gap between the groups, ``covered_these_names`` the gap
    between exactly the names that were drawn. ``se`` is the Monte-Carlo error of ``rejected``; ``undecided`` the share
    of studies without an interval.
    """

    method: Literal["two-way t", "sign-flip over templates"]
    claim: Claim
    gap: float
    rejected: float
    se: float
    covered: float | Undefined
    covered_these_names: float | Undefined
    half_width: float | Undefined
    undecided: float
    runs: int
    level: float
    seed: int


def simulated_cells(
    design: Design, noise: Noise, gap: float, rng: np.random.Generator, *, missing: float = 0.0
) -> tuple[Cells, float]:
    """Cells of one simulated study, and the gap between exactly its names.

    Parameters
    ----------
    design, noise : Design, Noise
        Sizes and standard deviations.
    gap : float
        True gap between the groups, ``a`` minus ``b``.
    rng : numpy.random.Generator
        Source of chance; it moves on.
    missing : float
        Share of replies without a score, in [0, 1).

    Returns
    -------
    tuple of (Cells, float)
        A score is template effect + template x group + name + cell + noise, all normal.

    Raises
    ------
    BadInput
        When ``missing`` is not in [0, 1).

    Examples
    --------
    >>> cells, _ = simulated_cells(Design(templates=3, names_a=2, names_b=2), Noise(template_gap=0, name=0), 0.5,
    ...                            np.random.default_rng(1))
    >>> len(cells.count)
    12
    """
    if not 0 <= missing < 1:
        raise BadInput("a share of missing scores lies in [0, 1)", field="missing", seen=missing)
    t, names = design.templates, design.names_a + design.names_b
    in_a = np.arange(names) < design.names_a
    template = rng.normal(0.0, 1.0, (t, 1))
    # The gap varies between templates: half of it moves each group, in opposite directions.
    vary = rng.normal(0.0, noise.template_gap, (t, 1)) / 2
    name = rng.normal(0.0, noise.name, names)
    mean = template + np.where(in_a, vary, -vary) + name + np.where(in_a, gap, 0.0)
    mean = mean + rng.normal(0.0, noise.cell, (t, names))
    count = np.full((t, names), design.replicates)
    if missing:
        count = rng.binomial(design.replicates, 1 - missing, (t, names))
    total = mean * count + rng.normal(0.0, noise.residual, (t, names)) * np.sqrt(count)
    own = float(name[in_a].mean() - name[~in_a].mean())
    cells = Cells(
        templates=tuple(f"t{i:05d}" for i in range(t)),
        names=tuple(("a" if a else "b", f"n{i}") for i, a in enumerate(in_a.tolist())),
        template=np.repeat(np.arange(t), names),
        name=np.tile(np.arange(names), t),
        total=total.ravel(),
        count=count.ravel(),
        missing=design.replicates - count.ravel(),
        named=True,
        outside={},
    )
    return cells, gap + own


class _Tally:
    def __init__(self) -> None:
        self.rejected = self.covered = self.covered_own = self.undecided = 0
        self.widths: list[float] = []

    def add(self, found: GapEstimate, alpha: float, gap: float, own: float) -> None:
        if not isinstance(found.p, Undefined) and found.p <= alpha:
            self.rejected += 1
        if not isinstance(found.interval, Interval):
            self.undecided += 1
            return
        low, high = found.interval.low, found.interval.high
        self.covered += low <= gap <= high
        self.covered_own += low <= own <= high
        self.widths.append((high - low) / 2)


def validate_design(
    design: Design,
    noise: Noise,
    *,
    gaps: Sequence[float] = (0.0,),
    runs: int = 1_000,
    level: float = 0.95,
    missing: float = 0.0,
    claims: Sequence[Claim] = ("groups", "these_names"),
    seed: int = 0,
) -> tuple[Validity, ...]:
    """False-positive rate, coverage and power of the methods in use, for a design of one's own.

    Parameters
    ----------
    design : Design
        Templates, names and replicates of the study.
    noise : Noise
        Standard deviations from a pilot (`estimate_noise`) or a guess.
    gaps : sequence of float
        True gaps to plant; 0 gives the false-positive rate.
    runs : int
        Simulated studies per gap.
    level : float
        Confidence level; tests use 1 - level.
    missing : float
        Share of replies without a score.
    claims : sequence of {'groups', 'these_names'}
        Which methods to simulate.
    seed : int
        Seed of the simulation; each claim meets the same studies.

    Returns
    -------
    tuple of Validity
        For each gap the default (two-way) and the test over templates only, which keeps its level for claims about
        exactly these names and not for claims about groups.

    Raises
    ------
    BadInput
        When ``runs`` is below 1 or the level is not a share.

    Examples
    --------
    >>> plan = Design(templates=10, names_a=4, names_b=4)
    >>> [v.method for v in validate_design(plan, Noise(template_gap=0.3, name=0.2), runs=5)]
    ['two-way t', 'sign-flip over templates']
    """
    check_level(level)
    if runs < 1:
        raise BadInput("`runs` must be at least 1", field="runs", seen=runs)
    rng = np.random.default_rng(seed)
    out: list[Validity] = []
    for gap in gaps:
        tallies = {claim: _Tally() for claim in claims}
        for _ in range(runs):
            cells, own = simulated_cells(design, noise, gap, rng, missing=missing)
            draw = int(rng.integers(2**31))
            for claim, tally in tallies.items():
                found = group_gap(cells, CONTRAST, claim=claim, level=level, seed=draw)
                tally.add(found, 1 - level + 1e-12, gap, own)
        out.extend(_made(claim, tally, gap, runs, level, seed) for claim, tally in tallies.items())
    return tuple(out)


def _made(claim: Claim, tally: _Tally, gap: float, runs: int, level: float, seed: int) -> Validity:
    share = tally.rejected / runs
    decided = runs - tally.undecided
    none = Undefined("no study had an interval")
    widths: FloatArray = np.array(tally.widths)
    finite = widths[np.isfinite(widths)]
    return Validity(
        method="two-way t" if claim == "groups" else "sign-flip over templates",
        claim=claim,
        gap=gap,
        rejected=share,
        se=math.sqrt(share * (1 - share) / runs),
        covered=tally.covered / decided if decided else none,
        covered_these_names=tally.covered_own / decided if decided else none,
        half_width=float(finite.mean()) if len(finite) else none,
        undecided=tally.undecided / runs,
        runs=runs,
        level=level,
        seed=seed,
    )
