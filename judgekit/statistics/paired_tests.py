"""Paired comparisons: t, Wilcoxon signed rank, and McNemar with the clustered test that should stand beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import Undefined
from judgekit.statistics.distributions import binomial_tail, midranks, normal_tail, t_tail, t_two_sided
from judgekit.statistics.results import FloatArray, Result, as_gaps
from judgekit.statistics.sign_flip import Alternative, SignFlip, sign_flip_test

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "ClusteredMcNemar",
    "McNemar",
    "PairedT",
    "Wilcoxon",
    "clustered_mcnemar",
    "mcnemar_test",
    "paired_t_test",
    "wilcoxon_test",
]

_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedT(
    Result,
    method="paired t test",
    unit="of the differences",
    source="Student (1908), Biometrika 6",
):
    """Paired t test of a mean difference.

    ``t`` is infinite and ``degenerate`` True when all differences are the same non-zero number: the test then says
    nothing about chance and must not be read as strong evidence.
    """

    mean: float | Undefined
    t: float | Undefined
    df: int
    p: float | Undefined
    alternative: Alternative
    cohen_dz: float | Undefined
    n: int
    degenerate: bool


def paired_t_test(differences: ArrayLike, *, alternative: Alternative = "greater") -> PairedT:
    """Paired t test; one-sided (mean above zero) by default.

    Parameters
    ----------
    differences : sequence of float
        One difference per independent item.
    alternative : {'greater', 'less', 'two-sided'}
        Direction of the alternative.

    Returns
    -------
    PairedT
        Fewer than two differences, or all of them zero: undefined. All equal and not zero: t is infinite, p is 0 or 1,
        and ``degenerate`` is set.

    Raises
    ------
    BadInput
        When a difference is not finite.

    Examples
    --------
    >>> found = paired_t_test([0.1, 0.4], alternative="two-sided")
    >>> round(found.t, 4), round(found.p, 4)
    (1.6667, 0.344)
    """
    values = as_gaps(differences, what="differences")
    n = len(values)
    mean: float | Undefined = float(values.mean()) if n else Undefined("no difference")
    if n < 2 or isinstance(mean, Undefined):
        why = Undefined("fewer than two differences")
        return PairedT(mean=mean, t=why, df=0, p=why, alternative=alternative, cohen_dz=why, n=n, degenerate=False)
    flat = float(np.ptp(values)) <= _NO_SPREAD * float(np.abs(values).max())
    if flat and mean == 0:
        why = Undefined("no spread", "every difference is zero")
        return PairedT(mean=mean, t=why, df=n - 1, p=why, alternative=alternative, cohen_dz=why, n=n, degenerate=True)
    sd = float(values.std(ddof=1))
    t = math.copysign(math.inf, mean) if flat else mean / (sd / math.sqrt(n))
    directed = t_tail(-t if alternative == "less" else t, n - 1)
    p = t_two_sided(t, n - 1) if alternative == "two-sided" else directed
    return PairedT(
        mean=mean,
        t=t,
        df=n - 1,
        p=p,
        alternative=alternative,
        cohen_dz=Undefined("no spread", "every difference is the same") if flat else mean / sd,
        n=n,
        degenerate=flat,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wilcoxon(
    Result,
    method="signed-rank test, exact given midranks",
    unit="ranks",
    source="Wilcoxon (1945), Biometrics Bulletin 1",
):
    """Wilcoxon signed-rank test.

    ``w_plus`` is the rank sum of positive differences; ``p`` exact given the observed midranks, ``p_normal`` and
    ``p_normal_corrected`` the normal approximation with tie correction, without and with continuity correction.
    ``zeros`` counts zero differences; ``rank_biserial`` in [-1, 1] is positive when differences tend to be.
    """

    w_plus: float | Undefined
    p: float | Undefined
    p_normal: float | Undefined
    p_normal_corrected: float | Undefined
    rank_biserial: float | Undefined
    zeros: int
    n: int
    zero_method: str
    decimals: int


def wilcoxon_test(
    differences: ArrayLike, *, zero_method: Literal["wilcox", "pratt", "zsplit"] = "wilcox", decimals: int = 9
) -> Wilcoxon:
    """Two-sided Wilcoxon signed-rank test.

    Parameters
    ----------
    differences : sequence of float
        One difference per independent item.
    zero_method : {'wilcox', 'pratt', 'zsplit'}
        ``wilcox`` drops zeros; ``pratt`` ranks them and then drops them; ``zsplit`` splits their ranks.
    decimals : int
        Differences are rounded to so many places before ranking, so that rounding noise does not break ties.

    Returns
    -------
    Wilcoxon
        Everything undefined when all differences are zero. ``zsplit`` has no exact p.

    Raises
    ------
    BadInput
        When a difference is not finite, or the method is unknown.

    References
    ----------
    .. [1] F. Wilcoxon, Biometrics Bulletin 1, 1945.
    .. [2] J. W. Pratt, Remarks on zeros and ties in the Wilcoxon signed rank procedures, JASA 54, 1959.

    Examples
    --------
    >>> wilcoxon_test([5, 5, 5, 5, 5, 5, 5, 5, 5]).p
    0.00390625
    """
    if zero_method not in ("wilcox", "pratt", "zsplit"):
        raise BadInput("no such treatment of zeros", field="zero_method", seen=zero_method)
    values = np.round(as_gaps(differences, what="differences"), decimals)
    zeros = int(np.count_nonzero(values == 0))
    if zeros == len(values):
        why = Undefined("no non-zero difference")
        return Wilcoxon(
            w_plus=why, p=why, p_normal=why, p_normal_corrected=why, rank_biserial=why, zeros=zeros,
            n=len(values), zero_method=zero_method, decimals=decimals,
        )  # fmt: skip
    ranked = values[values != 0] if zero_method == "wilcox" else values
    ranks: FloatArray = midranks(np.abs(ranked))
    kept = ranks if zero_method == "zsplit" else ranks[ranked != 0]
    w_plus = float(ranks[ranked > 0].sum())
    w_minus = float(ranks[ranked < 0].sum())
    if zero_method == "zsplit":
        w_plus += float(ranks[ranked == 0].sum()) / 2
    shift = w_plus - float(kept.sum()) / 2
    se = math.sqrt(float(kept @ kept) / 4)
    exact: float | Undefined
    if zero_method == "zsplit":
        exact = Undefined("no exact distribution", "zeros split in half")
    else:
        exact = sign_flip_test(np.sign(ranked[ranked != 0]) * kept).p
    return Wilcoxon(
        w_plus=w_plus,
        p=exact,
        p_normal=2 * normal_tail(abs(shift) / se),
        p_normal_corrected=min(1.0, 2 * normal_tail(max(0.0, abs(shift) - 0.5) / se)),
        rank_biserial=(w_plus - w_minus) / (w_plus + w_minus) if zero_method != "zsplit" else 2 * shift / kept.sum(),
        zeros=zeros,
        n=len(values),
        zero_method=zero_method,
        decimals=decimals,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemar(
    Result,
    method="McNemar test, exact",
    unit="shares",
    source="McNemar (1947), Psychometrika 12; Fagerland and others (2013), BMC Med. Res. Methodol. 13",
):
    """McNemar's test of paired yes/no outcomes, first minus second.

    ``rate_difference`` is in [-1, 1] with its Wald ``se``; ``odds_ratio`` is conditional (first only over second
    only). The exact ``p`` is the default; the chi-square forms are there for comparison.
    """

    p: float
    p_mid: float | Undefined
    chi2: float | Undefined
    p_chi2: float | Undefined
    chi2_corrected: float | Undefined
    p_chi2_corrected: float | Undefined
    rate_first: float | Undefined
    rate_second: float | Undefined
    rate_difference: float | Undefined
    se: float | Undefined
    odds_ratio: float | Undefined
    n: int
    discordant: int


def mcnemar_test(table: Sequence[Sequence[int]]) -> McNemar:
    """McNemar's test: do the two members of a pair have the same rate of yes?

    Parameters
    ----------
    table : 2 x 2 of int
        ``[[both yes, first only], [second only, neither]]``.

    Returns
    -------
    McNemar
        Without a discordant pair: exact p = 1, everything else of the test undefined.

    Raises
    ------
    BadInput
        When the table is not 2 x 2 of counts.

    Notes
    -----
    Pairs that come from templates are not independent. When gaps vary between templates this test rejects a true null
    0.16 to 0.29 of the time; use `clustered_mcnemar`.

    References
    ----------
    .. [1] Q. McNemar, Psychometrika 12, 1947.
    .. [2] M. W. Fagerland, S. Lydersen and P. Laake, The McNemar test for binary matched-pairs data: mid-p and
       asymptotic are better than exact conditional, BMC Medical Research Methodology 13, 2013.

    Examples
    --------
    >>> found = mcnemar_test([[402, 41], [18, 139]])
    >>> round(found.chi2_corrected, 4), round(found.p, 5)
    (8.2034, 0.00379)
    """
    rows = [list(row) for row in table]
    if len(rows) != 2 or any(len(row) != 2 for row in rows) or any(k != int(k) or k < 0 for row in rows for k in row):
        raise BadInput("a McNemar table holds 2 x 2 counts", seen=str(rows))
    (both, b), (c, neither) = ((int(x), int(y)) for x, y in rows)
    n, discordant = both + b + c + neither, b + c
    nothing = Undefined("no pairs")
    rates: dict[str, float | Undefined] = {
        "rate_first": (both + b) / n if n else nothing,
        "rate_second": (both + c) / n if n else nothing,
        "rate_difference": (b - c) / n if n else nothing,
        "se": math.sqrt(max(0.0, b + c - (b - c) ** 2 / n)) / n if n else nothing,
    }
    if discordant == 0:
        why = Undefined("no discordant pair")
        return McNemar(
            p=1.0, p_mid=why, chi2=why, p_chi2=why, chi2_corrected=why, p_chi2_corrected=why, odds_ratio=why, n=n,
            discordant=0, **rates,
        )  # fmt: skip
    low = min(b, c)
    tail = binomial_tail(low, discordant)
    plain = (b - c) ** 2 / discordant
    corrected = max(0, abs(b - c) - 1) ** 2 / discordant
    return McNemar(
        p=min(1.0, 2 * tail),
        p_mid=1.0 if b == c else 2 * tail - (tail - (binomial_tail(low - 1, discordant) if low else 0.0)),
        chi2=plain,
        p_chi2=2 * normal_tail(math.sqrt(plain)),
        chi2_corrected=corrected,
        p_chi2_corrected=2 * normal_tail(math.sqrt(corrected)),
        odds_ratio=b / c if c else math.inf,
        n=n,
        discordant=discordant,
        **rates,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredMcNemar(
    Result,
    method="McNemar beside a test over templates",
    unit="shares",
    source="McNemar (1947), Psychometrika 12",
):
    """McNemar's test with the test over templates beside it; ``by_template`` is the one to report."""

    by_template: SignFlip
    pairs: McNemar
    templates: int
    warning: str


def clustered_mcnemar(templates: Sequence[str], first: Sequence[bool], second: Sequence[bool]) -> ClusteredMcNemar:
    """Paired yes/no outcomes that come in templates: sign-flip test of per-template rate gaps.

    Parameters
    ----------
    templates : sequence of str
        Template of each pair.
    first, second : sequence of bool
        Outcome of the two members of each pair; leave out pairs that lack one.

    Returns
    -------
    ClusteredMcNemar
        ``by_template.mean`` is the mean over templates of rate of first minus rate of second.

    Raises
    ------
    BadInput
        When the lists differ in length.

    Examples
    --------
    >>> found = clustered_mcnemar(["t1", "t1", "t2", "t2"], [True, True, True, False], [False, True, False, False])
    >>> found.by_template.mean, found.pairs.discordant
    (0.5, 2)
    """
    if not len(templates) == len(first) == len(second):
        raise BadInput("pairs differ in length", seen=f"{len(templates)}, {len(first)}, {len(second)}")
    gaps: dict[str, list[int]] = {}
    table = [[0, 0], [0, 0]]
    for template, a, b in zip(templates, first, second, strict=True):
        gaps.setdefault(template, []).append(int(bool(a)) - int(bool(b)))
        table[1 - int(bool(a))][1 - int(bool(b))] += 1
    return ClusteredMcNemar(
        by_template=sign_flip_test([sum(found) / len(found) for found in gaps.values()]),
        pairs=mcnemar_test(table),
        templates=len(gaps),
        warning="pairs of a template are not independent: the test over pairs rejects a true null too often",
    )
