"""Which function of judgekit.statistics computes which reference family."""

from __future__ import annotations

import csv
import math

import numpy as np

from judgekit.records import Contrast, MetricRow, Undefined
from judgekit.statistics.answer_change import answer_change
from judgekit.statistics.bbq import BbqAnswer, bbq_scores
from judgekit.statistics.bootstrap import acceleration, bootstrap_interval, exact_bootstrap
from judgekit.statistics.disparity import disparity
from judgekit.statistics.divergence import divergence, flip_rate, mutual_information, phi
from judgekit.statistics.divergence_power import divergence_power
from judgekit.statistics.equivalence import equivalence_test
from judgekit.statistics.mixed_model import mixed_model_gap
from judgekit.statistics.multiplicity import adjust
from judgekit.statistics.paired_tests import mcnemar_test, paired_t_test, wilcoxon_test
from judgekit.statistics.ppi import ppi_mean
from judgekit.statistics.proportion import proportion_interval
from judgekit.statistics.regression import clustered_ols, difference_model, level_model, two_way_se
from judgekit.statistics.rogan_gladen import corrected_rate
from judgekit.statistics.sign_flip import sign_flip_interval, sign_flip_test
from judgekit.statistics.template_gaps import cell_means, template_gaps
from judgekit.statistics.token_change import token_change
from judgekit.statistics.two_way import failure_gap, group_gap
from judgekit.statistics.yes_no import p_yes


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


def divergences(given, _folder):
    """Both units."""
    bits, nats = (divergence(given["p"], given["q"], unit=unit) for unit in ("bits", "nats"))
    return {
        "kl_pq_nats": nats.kl_pq,
        "kl_qp_nats": nats.kl_qp,
        "kl_pq_bits": bits.kl_pq,
        "jsd_bits": bits.jsd,
        "jsd_nats": nats.jsd,
        "js_distance_bits": bits.js_distance,
        "total_variation": bits.total_variation,
    }


def answers(given, _folder):
    """Flip rate, MI and phi of two lists."""
    a, b = given["a"], given["b"]
    return {
        "flip_rate": flip_rate(a, b),
        "mi_nats": mutual_information(a, b, unit="nats"),
        "mi_bits": mutual_information(a, b),
        "phi": phi(a, b),
    }


def aggregate_test(given, _folder):
    """One-sided bootstrap tests; six own standard errors of 50,000 draws are added."""
    draws = 50_000
    found = answer_change(given["original"], given["targeted"], given["baseline"], draws=draws, seed=1)

    def with_error(p):
        return p if isinstance(p, Undefined) else (p, 6 * math.sqrt(p * (1 - p) / draws) + 1 / draws)

    return {
        "flip_rate_difference": found.flip_rate.difference,
        "mi_bits_difference": found.mutual_information.difference,
        "phi_difference": found.phi.difference,
        "p_flip_rate": with_error(found.flip_rate.p),
        "p_mi": with_error(found.mutual_information.p),
        "p_phi_defined_draws_only": with_error(found.phi.p),
        "share_of_draws_phi_undefined": found.phi.undefined_draws,
        "share_of_draws_flip_difference_zero": with_error(found.flip_rate.tied_draws),
    }


def regression(given, _folder):
    """Difference model and level model with each clustered error."""
    d, z = given["d"], given["y_original"]
    # The reference works on the change of the outcome against the baseline edit.
    two = difference_model(d, given["y_baseline"], given["y_perturbed"])
    less = difference_model(d, given["y_baseline"], given["y_perturbed"], alternative="less")
    level = level_model(d, z, given["y_baseline"], given["y_perturbed"])
    level_less = level_model(d, z, given["y_baseline"], given["y_perturbed"], alternative="less")
    return {
        "diff_beta": two.beta.value,
        "diff_se": two.beta.se,
        "diff_t": two.beta.t,
        "diff_p_two_sided": two.beta.p,
        "diff_p_less": less.beta.p,
        "level_beta": level.beta.value,
        "level_se_cluster_cr1": level.beta_cr1.se,
        "level_p_less_t_gminus1": level_less.beta_cr1.p,
        "level_se_cluster_cr0": level.beta_cr0.se,
        "level_se_ols_naive": level.beta_ols.se,
        "level_beta0": level.intercept.value,
        "level_beta_z": level.level.value,
        "level_se_cluster_cr2": level.beta_cr2.se,
        "level_cr2_df_satterthwaite": level.beta_cr2.df,
        "level_cr2_p_two_sided": level.beta_cr2.p,
    }


def rogan_gladen(given, _folder):
    """Corrected rate with the delta method, and the two intervals that are too narrow."""
    data = given["test_labels"], given["test_preds"], given["unlabeled_preds"]
    delta, known, boot = (corrected_rate(*data, method=m, seed=1) for m in ("delta", "known", "labels-bootstrap"))

    def clamped(interval):
        if isinstance(interval, Undefined):
            return {"judgy_boot_low": interval, "judgy_boot_high": interval}
        # Resampled rates were clamped to [0, 1] there; quantiles of clamped draws are clamped quantiles.
        return {
            "judgy_boot_low": min(1.0, max(0.0, interval.low)),
            "judgy_boot_high": min(1.0, max(0.0, interval.high)),
        }

    return {
        "sensitivity": delta.sensitivity,
        "specificity": delta.specificity,
        "observed_rate": delta.observed,
        "corrected_unclamped": delta.value,
        "corrected_clamped": delta.shown,
        "delta_se": delta.se,
        "corrected_known_se_sp": known.value,
        **ends("corrected_known_se_sp_wilson", known.interval),
        **clamped(boot.interval),
    }


def power(given, _folder):
    """Share of rejections of the divergence test; six own standard errors are added."""
    out = {}
    for pert in given["sigma_pert"]:
        found = divergence_power(given["z"], sigma=given["sigma"], sigma_pert=pert, runs=4_000, seed=1)
        out[f"jsd_paired_t_power_sigma_pert_{pert}"] = (found.power, 6 * found.se)
    return out


def bbq(given, _folder):
    """Bias scores of both contexts."""
    found = bbq_scores(BbqAnswer(**row) for row in given)
    return {
        "n_ambig": found.ambig.n,
        "accuracy_ambig": found.ambig.accuracy,
        "s_raw_ambig": found.ambig.s_raw,
        "s_AMB": found.s_amb,
        "n_disambig": found.disambig.n,
        "accuracy_disambig": found.disambig.accuracy,
        "s_raw_disambig": found.disambig.s_raw,
        "s_DIS": found.s_dis,
    }


def yes_or_no(given, _folder):
    """P(yes) and logit from listed tokens."""
    found = p_yes(given)
    return {
        "mass_yes": found.mass_yes,
        "mass_no": found.mass_no,
        "p_yes": found.p_yes,
        "logit": found.logit,
        "mass_not_listed": found.mass_not_listed,
    }


def tokens(given, _folder):
    """Edit distance over tokens."""
    found = token_change(given["a"], given["b"])
    return {"token_edit_distance": found.distance, "share_of_original_tokens": found.share}


CONTRAST = Contrast("A", "B")


def records(given, folder):
    """Gaps, failure rates, template-level and two-way inference, clustered regressions of a long table."""
    rows = read_records(folder / given)
    cells = cell_means(rows)
    by_rows, by_names = (template_gaps(cells, CONTRAST, weighting=w) for w in ("rows", "names"))
    failures = template_gaps(cells.failures(), CONTRAST, weighting="rows")
    gaps = by_rows.values
    t = equivalence_test(gaps, 1.0).interval_95
    flips = sign_flip_test(gaps)
    kept = [r for r in rows if r.value is not None]
    x = [[1.0, float(r.group == "A")] for r in kept]
    y = [r.value for r in kept]
    templates, names = [r.unit_id for r in kept], [r.name for r in kept]
    by_template = clustered_ols(y, x, templates).coefficients[1]
    out = {
        "n_rows": len(rows),
        "failure_rate_A": by_rows.missing_a / sum(r.group == "A" for r in rows),
        "failure_rate_B": by_rows.missing_b / sum(r.group == "B" for r in rows),
        "failure_rate_gap_a_minus_b": failure_gap(cells, CONTRAST).value,
        "templates_used": len(by_rows.gaps),
        "templates_dropped_no_pair": len(by_rows.dropped),
        "gap_row_weighted": by_rows.mean,
        "gap_name_weighted": by_names.mean,
        "share_templates_positive": by_rows.direction.positive / by_rows.direction.n,
        "share_templates_zero": by_rows.direction.zero / by_rows.direction.n,
        "template_gap_sd": by_rows.sd,
        "p_signflip_exact": flips.p,
        "p_signflip_mc": flips.p,
        "p_pooled_welch_WRONG_UNIT": group_gap(cells, CONTRAST).p,
        "ols_group_coef": by_template.value,
        "ols_se_cluster_template_cr1": by_template.se,
        "ols_se_cluster_name_cr1": clustered_ols(y, x, names).coefficients[1].se,
        "ols_se_cluster_twoway_cr1": two_way_se(y, x, templates, names, which=1),
        **ends("ci95_t", t),
        **ends("ci95_inversion", sign_flip_interval(gaps)),
    }
    out.update({f"template_gap_{template}": gap for template, gap in by_rows.gaps.items()})
    for group, means in by_rows.per_name.items():
        out.update({f"name_mean_{group}_{name}": mean for name, mean in means.items()})
    assert failures.n_a + failures.n_b == len(rows)
    mixed = mixed_model_gap(rows, CONTRAST)
    out.update(lmer_gap=mixed.value, lmer_se=mixed.se, lmer_df_satterthwaite=mixed.df, lmer_p=mixed.p)
    return out


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
    "regression": regression,
    "rogan_gladen": rogan_gladen,
    "records": records,
    "power": power,
    "bbq": bbq,
    "p_yes": yes_or_no,
    "token_change": tokens,
    "divergence": divergences,
    "answers": answers,
    "aggregate_test": aggregate_test,
}
OMITTED = {}
