"""Which function of judgekit.statistics computes which reference family."""

from __future__ import annotations

import csv
import math

from judgekit.records import Contrast, MetricRow, Undefined
from judgekit.statistics.equivalence import equivalence_test
from judgekit.statistics.multiplicity import adjust
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


CONTRAST = Contrast("A", "B")

FAMILIES = {
    "signflip": signflip,
    "multiplicity": multiplicity,
    "equivalence": equivalence,
    "ppi": ppi,
    "proportion": proportion,
}
OMITTED = {}
