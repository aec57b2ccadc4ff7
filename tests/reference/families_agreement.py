"""Which function of judgekit.agreement computes which reference family."""

from judgekit.agreement.auc import roc_auc
from judgekit.agreement.icc import icc
from judgekit.agreement.kappa import cohen_kappa
from judgekit.agreement.multirater import fleiss_kappa, gwet_ac, krippendorff_alpha
from judgekit.records import Interval

Z = 1.959963984540054


def ends(prefix, interval):
    """Both ends of an interval, or the reason why there is none."""
    if isinstance(interval, Interval):
        return {f"{prefix}low": interval.low, f"{prefix}high": interval.high}
    return {f"{prefix}low": interval, f"{prefix}high": interval}


def kappa(given, folder):
    """Cohen's kappa with three kinds of weights, and its companions."""
    found = {}
    for weights, name in (("none", "unweighted"), ("linear", "linear"), ("quadratic", "quadratic")):
        result = cohen_kappa(given["a"], given["b"], given["categories"], weights)
        found |= {f"kappa_{name}": result.kappa, f"se_{name}": result.se, f"se0_{name}": result.se0}
        found[f"WRONG_kappa_{name}_labels_from_data"] = result.kappa
        interval = result.interval
        if result.kappa == 1:
            # The reference states the zero-width large-sample interval; ours comes from the share of agreement.
            assert interval.low < 1
            interval = Interval(result.kappa - Z * result.se, result.kappa + Z * result.se, 0.95, "large-sample")
        found |= ends("ci95_", interval) and {
            f"ci95_{end}_{name}": value for end, value in zip(("low", "high"), ends("", interval).values(), strict=True)
        }
    return found | {
        "n_pairs": result.n,
        "percent_agreement": result.percent,
        "gwet_ac1": result.ac1,
        "scott_pi": result.scott_pi,
        "brennan_prediger": result.brennan_prediger,
        "pabak": result.pabak,
        "prevalence_index": result.prevalence_index,
        "bias_index": result.bias_index,
    }


def multirater(given, folder):
    """Coefficients of several raters with ratings missing."""
    units, levels = given["units"], given["categories"]
    found = {
        f"alpha_{measurement}": krippendorff_alpha(units, levels, measurement).value
        for measurement in ("nominal", "ordinal", "interval", "ratio")
    }
    for name, weights in (("gwet_ac1", "none"), ("gwet_ac2_linear", "linear"), ("gwet_ac2_quadratic", "quadratic")):
        result = gwet_ac(units, levels, weights)
        found |= {name: result.value, f"{name}_se": result.se} | ends(f"{name}_ci_", result.interval)
    fleiss = fleiss_kappa(units, levels).value
    return found | {"fleiss_kappa": fleiss, "fleiss_kappa_generalised": fleiss}


def intraclass(given, folder):
    """Six forms with their F intervals."""
    found = {}
    for form in icc(given["ratings"]).forms:
        found |= {form.name: form.value} | ends(f"{form.name}_", form.interval)
    return found


def area(given, folder):
    """Area under the curve with DeLong's interval."""
    result = roc_auc(given["label"], given["score"])
    return {"auc": result.auc} | ends("auc_delong_", result.interval)


FAMILIES = {"kappa": kappa, "multirater": multirater, "icc": intraclass, "auc": area}
