"""Which function of judgekit.statistics computes which reference family."""

from __future__ import annotations

import csv
import math

import numpy as np

from judgekit.records import Contrast, MetricRow, Undefined
from judgekit.statistics.bootstrap import acceleration, bootstrap_interval, exact_bootstrap
from judgekit.statistics.disparity import disparity
from judgekit.statistics.equivalence import equivalence_test
from judgekit.statistics.multiplicity import adjust
from judgekit.statistics.paired_tests import mcnemar_test, paired_t_test, wilcoxon_test
from judgekit.statistics.ppi import ppi_mean
from judgekit.statistics.proportion import proportion_interval
from judgekit.statistics.sign_flip import sign_flip_interval, sign_flip_test


def ends(prefix, interval, suffix=""):
    """Both bounds of an interval under the two usual quantity names."""
    if isinstance(interval, Undefined):
        return {f"{prefix}_low{suffix}": interval, f"{prefix}_high{suffix}": interval}
    return {f"{prefix}_low{suffix}": interval.low, f"{prefix}_high{suffix}": interval.high}


def signflip(given, _folder):
    """Exact p and the inversion interval."""
    gaps = given["d"]
    two, one = sign_flip_test(gaps), sign_flip_test(gaps, alternative="greater")
    return {
        "mean": two.mean,
        "p_two_sided": two.p,
        "p_greater": one.p,
        "count_at_least_as_extreme": two.hits,
        "p_two_sided_scipy_permutation_test": two.p,
        **ends("ci95_inversion", sign_flip_interval(gaps)),
    }


def multiplicity(given, _folder):
    """Adjusted p by position and the number of rejections."""
    out = {}
    for method in ("bh", "by", "holm", "bonferroni", "hochberg"):
        found = adjust(given["p"], method=method)
        out.update({f"{method}_{i}": p for i, p in enumerate(found.values)})
        out[f"{method}_rejected_at_0.05"] = found.rejected(0.05)
    return out


def equivalence(given, _folder):
    """Two one-sided tests and verdicts."""
    found = equivalence_test(given["d"], given["margin"])
    return {
        "tost_p": found.p,
        "verdict_ci90": found.verdict_90,
        "verdict_ci95": found.verdict_95,
        **ends("ci90", found.interval_90),
        **ends("ci95", found.interval_95),
    }


def ppi(given, _folder):
    """Human only (lambda 0), plain PPI (lambda 1) and PPI++."""
    human, judge, rest = given["y_labeled"], given["f_labeled"], given["f_unlabeled"]
    only, one, best = (ppi_mean(human, judge, rest, lam=lam) for lam in (0.0, 1.0, None))
    return {
        "human_only_mean": only.value,
        "judge_only_mean": math.fsum(rest) / len(rest),
        "ppi_lambda1_mean": one.value,
        "ppi_lambda1_se": one.se,
        "ppi_plusplus_mean": best.value,
        **ends("ppi_plusplus_ci95", best.interval),
        **ends("ppi_lambda1_ci95", one.interval),
        **ends("human_only_ci95", only.interval),
    }


def proportion(given, _folder):
    """Four intervals of a share."""
    out = {}
    for method in ("wilson", "clopper-pearson", "agresti-coull", "jeffreys"):
        out.update(ends(method.replace("-", "_"), proportion_interval(given["k"], given["n"], method=method)))
    return out


def read_records(path):
    """Rows of a long table; an empty score is an extractor failure."""
    with path.open(encoding="utf-8", newline="") as lines:
        return [
            MetricRow(
                item=str(i),
                unit_id=row["template_id"],
                group=row["group"],
                name=row["name"],
                replicate=row["seed"],
                value=float(row["score"]) if row["score"] else None,
                missing=None if row["score"] else "extractor",
            )
            for i, row in enumerate(csv.DictReader(lines))
        ]


def bootstrap(given, _folder):
    """Intervals of a mean; references are Monte Carlo, so the own error of 50,000 draws is added."""
    gaps = given["d"]
    out = {"mean": float(np.mean(gaps))}
    for method in ("percentile", "basic", "bca", "bootstrap-t"):
        found = bootstrap_interval(gaps, method=method, draws=50_000, seed=1)
        width = 0.0 if isinstance(found.interval, Undefined) else found.interval.high - found.interval.low
        for name, value in ends(method.replace("-", "_"), found.interval).items():
            out[name] = (value, 0.0 if found.draws is None else 0.02 * width)
    out["se_plugin"] = found.se
    t = paired_t_test(gaps)
    if not isinstance(t.t, Undefined) and math.isfinite(t.t):
        out["bca_acceleration"] = acceleration(np.asarray(gaps, dtype=float))
        half = bootstrap_t_half(gaps)
        out["t_low"], out["t_high"] = out["mean"] - half, out["mean"] + half
    if len(gaps) <= 8:
        means, chance = exact_bootstrap(gaps)
        below = np.cumsum(chance)
        for q in (0.025, 0.05, 0.95, 0.975):
            out[f"exact_quantile_{q}"] = float(means[np.searchsorted(below, q - 1e-12)])
        out["exact_boot_se"] = math.sqrt(float(chance @ means**2 - (chance @ means) ** 2))
    return out


def bootstrap_t_half(gaps):
    """Half width of the 95% t interval, read off the equivalence test."""
    interval = equivalence_test(gaps, 1.0).interval_95
    return (interval.high - interval.low) / 2


def paired_t(given, _folder):
    """All three alternatives."""
    found = {a: paired_t_test(given["d"], alternative=a) for a in ("greater", "less", "two-sided")}
    return {
        "t": found["greater"].t,
        "p_greater": found["greater"].p,
        "p_less": found["less"].p,
        "p_two_sided": found["two-sided"].p,
        "mean": found["greater"].mean,
        "cohen_dz": found["greater"].cohen_dz,
    }


def wilcoxon(given, _folder):
    """Three treatments of zeros; exact and normal p."""
    out = {}
    for zeros in ("wilcox", "pratt", "zsplit"):
        found = wilcoxon_test(given["d"], zero_method=zeros)
        out.update(
            {
                f"w_plus_{zeros}": found.w_plus,
                f"p_exact_{zeros}": found.p,
                f"p_normal_{zeros}": found.p_normal,
                f"p_normal_{zeros}_cc": found.p_normal_corrected,
            }
        )
    out["rank_biserial"] = wilcoxon_test(given["d"]).rank_biserial
    return out


def mcnemar(given, _folder):
    """Exact, mid-p, chi-square with and without correction."""
    found = mcnemar_test(given["table"])
    return {
        "p_exact": found.p,
        "p_mid": found.p_mid,
        "chi2_uncorrected": found.chi2,
        "p_asymptotic": found.p_chi2,
        "chi2_corrected": found.chi2_corrected,
        "p_corrected": found.p_chi2_corrected,
        "rate_difference": found.rate_difference,
        "rate_difference_se_wald": found.se,
        "odds_ratio_conditional": found.odds_ratio,
    }


def disparity_family(given, _folder):
    """Thresholds of 5 and 10 points."""
    found = disparity({group: tuple(counts) for group, counts in given.items()})
    return {
        "overall_pooled": found.overall_pooled,
        "overall_mean_of_groups": found.overall_mean_of_groups,
        "max_pairwise_gap": found.max_pairwise_gap,
        "max_gap_to_overall_pooled": found.max_gap_to_overall,
        "pairwise_ok_at_5pp": found.pairwise_ok,
        "overall_ok_at_10pp": found.overall_ok,
        "enough_per_group_100": found.enough_per_group,
    }


CONTRAST = Contrast("A", "B")

FAMILIES = {
    "signflip": signflip,
    "multiplicity": multiplicity,
    "equivalence": equivalence,
    "ppi": ppi,
    "proportion": proportion,
    "bootstrap": bootstrap,
    "paired_t": paired_t,
    "wilcoxon": wilcoxon,
    "mcnemar": mcnemar,
    "disparity": disparity_family,
}
OMITTED = {}
