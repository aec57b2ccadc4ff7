"""Simulate a study of one's own size: does the inference keep its promises, and what can it find?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Contrast, GapEstimate, Interval, Undefined
from judgekit.statistics.distributions import t_quantile, t_two_sided
from judgekit.statistics.power import Design, Noise
from judgekit.statistics.results import FloatArray, IntArray, Result, check_level
from judgekit.statistics.template_gaps import Cells
from judgekit.statistics.two_way import group_gap

__all__ = ["Layout", "Method", "Validity", "layout_of", "simulated_cells", "validate_design"]

CONTRAST = Contrast("a", "b")

Method: TypeAlias = Literal["two-way t", "sign-flip over templates", "t over pairs"]
METHODS: tuple[Method, ...] = ("two-way t", "sign-flip over templates", "t over pairs")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """The cells of a study: which names met which templates, and how often.

    ``template`` and ``name`` number the cells' templates and names, ``rows`` counts their replies, scored or not, and
    ``in_a`` says of every name whether it belongs to the first group; ``missing`` is the share of replies without a score.
    """

    template: IntArray
    name: IntArray
    rows: IntArray
    in_a: np.ndarray[tuple[int], np.dtype[np.bool_]]
    missing: float = 0.0

    @property
    def design(self) -> Design:
        """Its size in round numbers: templates, names, and the mean number of replies of a cell."""
        return Design(
            templates=int(self.template.max()) + 1,
            names_a=int(self.in_a.sum()),
            names_b=int((~self.in_a).sum()),
            replicates=max(1, round(float(self.rows.mean()))),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Validity(
    Result,
    method="simulation of a study",
    unit="shares of simulated studies",
    source="Morris, White and Crowther (2019), Stat. Med. 38",
):
    """How one method did over simulated studies.

    ``rejected`` is the share with p at or below 1 - level: the false-positive rate when ``gap`` is 0, else the power.
    ``covered`` is the share of intervals that hold the gap between the groups, ``covered_these_names`` the gap
    between exactly the names that were drawn; both over the studies that had an interval. ``se`` and ``covered_se`` are
    Monte-Carlo errors; ``undecided`` is the share of studies without an interval.
    """

    method: Method
    claim: Literal["groups", "these_names"]
    gap: float
    rejected: float
    se: float
    covered: float | Undefined
    covered_se: float | Undefined
    covered_these_names: float | Undefined
    half_width: float | Undefined
    undecided: float
    runs: int
    level: float
    seed: int


def layout_of(design: Design | Cells, contrast: Contrast = CONTRAST, *, missing: float = 0.0) -> Layout:
    """The cells that a simulation fills with scores.

    Parameters
    ----------
    design : Design or Cells
        Round sizes, every name in every template; or the cells of a study, with the gaps that its design has.
    contrast : Contrast
        With cells: the two groups.
    missing : float
        With round sizes: share of replies without a score, in [0, 1). Cells bring their own.

    Returns
    -------
    Layout
        Of cells only templates that have both groups.

    Raises
    ------
    BadInput
        When ``missing`` is not in [0, 1), or no template has both groups.

    Examples
    --------
    >>> layout_of(Design(templates=3, names_a=2, names_b=2)).rows.tolist()
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    """
    if not 0 <= missing < 1:
        raise BadInput("a share of missing scores lies in [0, 1)", field="missing", seen=missing)
    if isinstance(design, Design):
        t, names = design.templates, design.names_a + design.names_b
        return Layout(
            template=np.repeat(np.arange(t), names),
            name=np.tile(np.arange(names), t),
            rows=np.full(t * names, design.replicates),
            in_a=np.arange(names) < design.names_a,
            missing=missing,
        )
    group = np.array([g for g, _ in design.names], dtype=object)[design.name]
    sides = [set(design.template[group == g].tolist()) for g in (contrast.a, contrast.b)]
    both = np.array(sorted(sides[0] & sides[1]), dtype=np.int64)
    keep = np.isin(design.template, both) & ((group == contrast.a) | (group == contrast.b))
    if len(both) < 2:
        raise BadInput("a simulation needs two templates that have both groups", seen=len(both))
    _, template = np.unique(design.template[keep], return_inverse=True)
    used, name = np.unique(design.name[keep], return_inverse=True)
    rows = (design.count + design.missing)[keep]
    return Layout(
        template=template.astype(np.int64),
        name=name.astype(np.int64),
        rows=rows,
        in_a=np.array([design.names[n][0] == contrast.a for n in used.tolist()], dtype=bool),
        missing=float(design.missing[keep].sum() / rows.sum()),
    )


def simulated_cells(
    design: Design | Layout, noise: Noise, gap: float, rng: np.random.Generator, *, missing: float = 0.0
) -> tuple[Cells, float]:
    """Cells of one simulated study, and the gap between exactly its names.

    Parameters
    ----------
    design : Design or Layout
        Sizes, or the cells to fill.
    noise : Noise
        Standard deviations.
    gap : float
        True gap between the groups, ``a`` minus ``b``.
    rng : numpy.random.Generator
        Source of chance; it moves on.
    missing : float
        With round sizes: share of replies without a score, in [0, 1).

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
    at = design if isinstance(design, Layout) else layout_of(design, missing=missing)
    t, names, size = int(at.template.max()) + 1, len(at.in_a), len(at.rows)
    template = rng.normal(0.0, 1.0, t)
    # The gap varies between templates: half of it moves each group, in opposite directions.
    vary = rng.normal(0.0, noise.template_gap, t) / 2
    name = rng.normal(0.0, noise.name, names)
    in_a = at.in_a[at.name]
    mean = template[at.template] + np.where(in_a, vary[at.template] + gap, -vary[at.template]) + name[at.name]
    mean = mean + rng.normal(0.0, noise.cell, size)
    count = rng.binomial(at.rows, 1 - at.missing) if at.missing else at.rows
    total = mean * count + rng.normal(0.0, noise.residual, size) * np.sqrt(count)
    own = float(name[at.in_a].mean() - name[~at.in_a].mean())
    cells = Cells(
        templates=tuple(f"t{i:05d}" for i in range(t)),
        names=tuple(("a" if a else "b", f"n{i}") for i, a in enumerate(at.in_a.tolist())),
        template=at.template,
        name=at.name,
        total=total,
        count=count,
        missing=at.rows - count,
        named=True,
        outside={},
    )
    return cells, gap + own


def _over_pairs(cells: Cells, level: float) -> GapEstimate:
    """A paired t over names matched by position within templates, as if every pair were independent."""
    sides = [cells.side(group) for group in (CONTRAST.a, CONTRAST.b)]
    place = [{n: i for i, n in enumerate(np.unique(side[1]).tolist())} for side in sides]
    scores = [
        {(t, place[s][n]): m for t, n, m in zip(*(x.tolist() for x in side[:3]), strict=True)}
        for s, side in enumerate(sides)
    ]
    shared = sorted(set(scores[0]) & set(scores[1]))
    d = np.array([scores[0][k] - scores[1][k] for k in shared], dtype=np.float64)
    n = len(d)
    none = Undefined("fewer than two pairs")
    se = float(d.std(ddof=1)) / math.sqrt(n) if n > 1 else 0.0
    made = GapEstimate(
        value=none,
        interval=none,
        p=none,
        min_p=None,
        method="t over pairs",
        df=None,
        templates=len({t for t, _ in shared}),
        names_a=len(place[0]),
        names_b=len(place[1]),
        n_a=n,
        n_b=n,
    )
    if se == 0:
        return made
    value = float(d.mean())
    half = t_quantile((1 + level) / 2, n - 1) * se
    interval = Interval(value - half, value + half, level, "t over pairs")
    return replace(made, value=value, interval=interval, p=t_two_sided(value / se, n - 1), df=n - 1.0)


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


def _found(method: Method, cells: Cells, level: float, draw: int) -> GapEstimate:
    if method == "t over pairs":
        return _over_pairs(cells, level)
    claim: Literal["groups", "these_names"] = "groups" if method == "two-way t" else "these_names"
    return group_gap(cells, CONTRAST, claim=claim, level=level, seed=draw)


def validate_design(
    design: Design | Layout,
    noise: Noise,
    *,
    gaps: Sequence[float] = (0.0,),
    runs: int = 1_000,
    level: float = 0.95,
    missing: float = 0.0,
    methods: Sequence[Method] = METHODS,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Validity, ...]:
    """False-positive rate, coverage and power of the default and its alternatives, for a design of one's own.

    Parameters
    ----------
    design : Design or Layout
        Templates, names and replicates of the study; a `Layout` has the study's own gaps in it.
    noise : Noise
        Standard deviations from a pilot (`estimate_noise`) or a guess.
    gaps : sequence of float
        True gaps to plant; 0 gives the false-positive rate.
    runs : int
        Simulated studies per gap.
    level : float
        Confidence level; tests use 1 - level.
    missing : float
        With a `Design`: share of replies without a score.
    methods : sequence of str
        ``two-way t``: the default. ``sign-flip over templates``: keeps its level for claims about exactly these names
        and not for claims about groups. ``t over pairs``: takes all pairs of names as independent, which they are not.
    seed : int
        Seed of the simulation; each method meets the same studies.
    progress : callable, optional
        Told how many of how many studies are done.

    Returns
    -------
    tuple of Validity
        For each gap one per method.

    Raises
    ------
    BadInput
        When ``runs`` is below 1 or the level is not a share.

    Examples
    --------
    >>> plan = Design(templates=10, names_a=4, names_b=4)
    >>> [v.method for v in validate_design(plan, Noise(template_gap=0.3, name=0.2), runs=5)]
    ['two-way t', 'sign-flip over templates', 't over pairs']
    """
    check_level(level)
    if runs < 1:
        raise BadInput("`runs` must be at least 1", field="runs", seen=runs)
    layout = design if isinstance(design, Layout) else layout_of(design, missing=missing)
    rng = np.random.default_rng(seed)
    out: list[Validity] = []
    for round_, gap in enumerate(gaps):
        tallies = {method: _Tally() for method in methods}
        for run in range(runs):
            cells, own = simulated_cells(layout, noise, gap, rng)
            draw = int(rng.integers(2**31))
            for method, tally in tallies.items():
                tally.add(_found(method, cells, level, draw), 1 - level + 1e-12, gap, own)
            if progress is not None:
                progress(round_ * runs + run + 1, len(gaps) * runs)
        base = _made(gap, runs, level, seed)
        out.extend(_filled(replace(base, method=method), tally) for method, tally in tallies.items())
    return tuple(out)


def _made(gap: float, runs: int, level: float, seed: int) -> Validity:
    none = Undefined("no study had an interval")
    return Validity(
        method="two-way t",
        claim="groups",
        gap=gap,
        rejected=0.0,
        se=0.0,
        covered=none,
        covered_se=none,
        covered_these_names=none,
        half_width=none,
        undecided=0.0,
        runs=runs,
        level=level,
        seed=seed,
    )


def _filled(base: Validity, tally: _Tally) -> Validity:
    share, decided = tally.rejected / base.runs, base.runs - tally.undecided
    done = replace(
        base,
        claim="groups" if base.method == "two-way t" else "these_names",
        rejected=share,
        se=math.sqrt(share * (1 - share) / base.runs),
        undecided=tally.undecided / base.runs,
    )
    if not decided:
        return done
    covered = tally.covered / decided
    widths: FloatArray = np.array(tally.widths)
    finite = widths[np.isfinite(widths)]
    return replace(
        done,
        covered=covered,
        covered_se=math.sqrt(covered * (1 - covered) / decided),
        covered_these_names=tally.covered_own / decided,
        half_width=float(finite.mean()) if len(finite) else base.half_width,
    )
