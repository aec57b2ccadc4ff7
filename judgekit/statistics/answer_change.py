"""Do targeted edits change answers more than paraphrases do? Bootstrap tests on flip rate, MI and phi."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics.divergence import information_of_tables, phi_of_tables
from judgekit.statistics.results import FloatArray, IntArray, Result

__all__ = ["AnswerChange", "ChangeTest", "answer_change"]

TOO_MANY_UNDEFINED = 0.05
"""With more draws than this without a value, there is no test."""

_TIE = 1e-12
_BLOCK = 4_000_000

MOST_OPTIONS = 60
"""More different answers than this are not options; map them to options first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTest(
    Result,
    method="bootstrap over prompts",
    unit="of the statistic",
    source="Efron and Tibshirani (1993), An Introduction to the Bootstrap",
):
    """One statistic, targeted minus baseline, and its one-sided bootstrap p.

    ``undefined_draws`` is the share of draws in which the statistic does not exist; ``tied_draws`` the share of
    defined draws exactly at zero, which count for the null hypothesis.
    """

    statistic: Literal["flip_rate", "mi", "phi"]
    targeted: float | Undefined
    baseline: float | Undefined
    difference: float | Undefined
    p: float | Undefined
    undefined_draws: float
    tied_draws: float | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChange(
    Result,
    method="flip rate, mutual information and phi against a paraphrase baseline",
    unit="shares; bits",
    source="Cover and Thomas (2006), Elements of Information Theory",
):
    """Tests of flip rate (greater), mutual information (less) and phi (less), targeted against baseline."""

    flip_rate: ChangeTest
    mutual_information: ChangeTest
    phi: ChangeTest
    n: int
    options: int
    unit: str
    draws: int
    seed: int


def _statistics(cells: FloatArray, base: float) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Each statistic for targeted and baseline, from counts over (original, targeted, baseline)."""
    targeted, baseline = cells.sum(axis=-1), cells.sum(axis=-2)
    n = targeted.sum(axis=(-2, -1))
    out: dict[str, tuple[FloatArray, FloatArray]] = {
        "flip_rate": (
            1.0 - np.trace(targeted, axis1=-2, axis2=-1) / n,
            1.0 - np.trace(baseline, axis1=-2, axis2=-1) / n,
        ),
        "mi": (information_of_tables(targeted) / base, information_of_tables(baseline) / base),
    }
    if cells.shape[-1] == 2:
        out["phi"] = phi_of_tables(targeted), phi_of_tables(baseline)
    return out


def _value(x: float, why: str) -> float | Undefined:
    return Undefined(why) if math.isnan(x) else x


def answer_change(
    original: Sequence[Hashable],
    targeted: Sequence[Hashable],
    baseline: Sequence[Hashable],
    *,
    draws: int = 10_000,
    seed: int = 0,
    unit: Literal["bits", "nats"] = "bits",
) -> AnswerChange:
    """Test whether targeted edits change answers more than the paraphrase baseline.

    Parameters
    ----------
    original, targeted, baseline : sequence
        Answers to the same prompts in the same order: unchanged, with the targeted edit, and paraphrased.
    draws : int
        Bootstrap draws over prompts.
    seed : int
        Seed of the draws.
    unit : {'bits', 'nats'}
        Unit of mutual information.

    Returns
    -------
    AnswerChange
        One-sided p = (draws on the null side + 1) / (draws + 1); a draw at exactly zero is on the null side. Phi is
        undefined for more than two options, and its test when more than 5% of the draws have none.

    Raises
    ------
    BadInput
        When the lists differ in length or are empty, ``draws`` is below 1, or there are more than 60 options.

    Examples
    --------
    >>> found = answer_change([0, 1] * 20, [1, 0] * 10 + [0, 1] * 10, [0, 1] * 20, draws=999)
    >>> found.flip_rate.difference, found.flip_rate.p
    (0.5, 0.001)
    """
    n = len(original)
    if not n == len(targeted) == len(baseline) or n == 0:
        raise BadInput("answers differ in number", seen=f"{n}, {len(targeted)} and {len(baseline)}")
    if draws < 1:
        raise BadInput("`draws` must be at least 1", field="draws", seen=draws)
    base = {"bits": math.log(2), "nats": 1.0}[unit]
    options: dict[Hashable, int] = {}
    for answer in (*original, *targeted, *baseline):
        options.setdefault(answer, len(options))
    k = max(2, len(options))
    if k > MOST_OPTIONS:
        raise BadInput("too many different answers", seen=k, remedy="map answers to options first")
    code = np.array(
        [(options[o] * k + options[t]) * k + options[b] for o, t, b in zip(original, targeted, baseline, strict=True)]
    )
    observed, drawn = _observed_and_drawn(code, k, base, draws, np.random.default_rng(seed))
    tests = {}
    for name, sign in (("flip_rate", 1), ("mi", -1), ("phi", -1)):
        if name not in observed:
            tests[name] = _no_phi(len(options))
            continue
        of_targeted, of_baseline = observed[name]
        tests[name] = _test(name, float(of_targeted), float(of_baseline), sign * drawn[name])  # type: ignore[arg-type]
    return AnswerChange(
        flip_rate=tests["flip_rate"],
        mutual_information=tests["mi"],
        phi=tests["phi"],
        n=n,
        options=len(options),
        unit=unit,
        draws=draws,
        seed=seed,
    )


def _observed_and_drawn(
    code: IntArray, k: int, base: float, draws: int, rng: np.random.Generator
) -> tuple[dict[str, tuple[FloatArray, FloatArray]], dict[str, FloatArray]]:
    """Statistics of the data, and targeted minus baseline in each draw.

    Only the counts of (original, targeted, baseline) matter, so a draw is one multinomial over the triples met.
    """
    met, counts = np.unique(code, return_counts=True)
    cells = np.zeros(k**3)
    cells[met] = counts
    observed = _statistics(cells.reshape(k, k, k), base)
    drawn: dict[str, list[FloatArray]] = {name: [] for name in observed}
    rows = max(1, _BLOCK // k**3)
    for start in range(0, draws, rows):
        block = np.zeros((min(rows, draws - start), k**3))
        block[:, met] = rng.multinomial(len(code), counts / len(code), size=len(block))
        for name, (a, b) in _statistics(block.reshape(-1, k, k, k), base).items():
            drawn[name].append(a - b)
    return observed, {name: np.concatenate(parts) for name, parts in drawn.items()}


def _no_phi(options: int) -> ChangeTest:
    why = Undefined("more than two options", f"{options} answers are in use")
    return ChangeTest(
        statistic="phi", targeted=why, baseline=why, difference=why, p=why, undefined_draws=1.0, tied_draws=why
    )


def _test(name: Literal["flip_rate", "mi", "phi"], a: float, b: float, toward: FloatArray) -> ChangeTest:
    """``toward`` is positive where a draw speaks for an effect."""
    defined = toward[~np.isnan(toward)]
    lost = 1.0 - len(defined) / len(toward)
    difference = _value(a - b, "constant answers")
    p: float | Undefined
    if isinstance(difference, Undefined):
        p = difference
    elif lost > TOO_MANY_UNDEFINED:
        p = Undefined("too many draws without a value", f"{lost:.1%} of the draws have constant answers")
    else:
        p = (int(np.count_nonzero(defined <= _TIE)) + 1) / (len(defined) + 1)
    return ChangeTest(
        statistic=name,
        targeted=_value(a, "constant answers"),
        baseline=_value(b, "constant answers"),
        difference=difference,
        p=p,
        undefined_draws=lost,
        tied_draws=float(np.mean(np.abs(defined) <= _TIE)) if len(defined) else Undefined("no draw has a value"),
    )
