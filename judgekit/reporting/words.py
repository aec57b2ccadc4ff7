"""Numbers and verdicts in words, shared by the terminal page and the Markdown report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.findings import LabelFacts, ReferenceFacts
from judgekit.gaps import MetricMean
from judgekit.printable import printable
from judgekit.records import Contrast, Gap, GapEstimate, Interval, Reason, Undefined

__all__ = [
    "claim_words",
    "contrast_words",
    "counts_words",
    "edit_words",
    "escape_markdown",
    "estimate_words",
    "interval_words",
    "level_words",
    "mean_words",
    "missing_words",
    "number",
    "outside_scale_lines",
    "p_words",
    "quoted",
    "reason_words",
    "reference_words",
    "stale_words",
    "threshold_words",
]

# Only what is markup inside a line: a full stop or a hyphen is not, and a page full of backslashes is hard to read.
_SPECIAL = set("\\`*_[]<>#|~&$")


def number(value: float | int | str | Undefined | None, digits: int = 2, *, signed: bool = False) -> str:
    """A number for a reader: fixed digits, a true minus sign, ``undefined`` with its reason, ``-`` for nothing.

    Examples
    --------
    >>> number(-0.254), number(0.1, signed=True), number(None)
    ('−0.25', '+0.10', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, (Undefined, str)):
        return printable(str(value))
    if value in {float("inf"), float("-inf")}:
        return "∞" if value > 0 else "−∞"
    text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.replace("-", "").replace("+", "")
    return text.replace("-", "−")


def outside_scale_lines(outside: Mapping[str, Mapping[str, float]]) -> list[str]:
    """What part of the judge's probability was on no level of the scale, by dimension; none for point scores.

    Examples
    --------
    >>> outside_scale_lines({"warmth": {"mean": 0.012, "largest": 0.3}})
    ["warmth: expected scores; of the judge's probability 1.2% was on no level of the scale, 30.0% at most"]
    """
    return [
        f"{printable(dimension)}: expected scores; of the judge's probability {found['mean']:.1%} was on no level of the "
        f"scale, {found['largest']:.1%} at most"
        for dimension, found in outside.items()
    ]


def interval_words(interval: Interval | Undefined, digits: int = 2, *, signed: bool = True) -> str:
    """An interval as ``[low, high]``; ``signed`` for differences, whose positive ends have a plus.

    Examples
    --------
    >>> interval_words(Interval(-0.5, 0.25, 0.95, "t"))
    '[−0.50, +0.25]'
    """
    if isinstance(interval, Undefined):
        return f"no interval: {printable(interval.reason)}"
    return f"[{number(interval.low, digits, signed=signed)}, {number(interval.high, digits, signed=signed)}]"


def estimate_words(estimate: GapEstimate | None, digits: int = 2) -> str:
    """A gap with its interval, or why there is none."""
    if estimate is None:
        return "not shown"
    if isinstance(estimate.value, Undefined):
        return f"undefined: {printable(estimate.value.reason)}"
    return f"{number(estimate.value, digits, signed=True)} {interval_words(estimate.interval, digits)}"


def mean_words(mean: MetricMean) -> str:
    """The mean of a counted metric with its interval and what it rests on."""
    found = mean.estimate
    if isinstance(found.value, Undefined):
        return f"undefined: {printable(found.value.reason)}"
    interval = interval_words(found.interval, signed=False)
    over = f", {found.units} templates" if found.unit == "templates" else ""
    return f"{number(found.value)} {interval} on {found.n} replies{over}; {mean.missing} missing"


def p_words(gap: Gap) -> str:
    """The p-value that counts: corrected for metrics that are not primary."""
    shown = gap.main
    p = gap.adjusted_p if gap.adjusted_p is not None else (shown.p if shown else None)
    if p is None or isinstance(p, Undefined):
        return "-"
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def contrast_words(contrast: Contrast | None) -> str:
    """``a − b``, or that there are no groups."""
    return "no groups" if contrast is None else f"{printable(contrast.a)} − {printable(contrast.b)}"


# What a code means, and how its threshold reads.
_REASONS = {
    "rubric_changed": ("the labels were given with another rubric", "now {}"),
    "texts_changed": ("the labels were made on other texts", "needed: {}"),
    "fingerprint": ("scores come from another judge, model, prompt or blinding", "now {}"),
    "sealed_later": ("decided or changed too late", "needed: {}"),
    "too_few_raters": ("too few raters", "needed: {}"),
    "too_few": ("too few labels to decide", "needed: {}"),
    "too_low": ("agreement with people is too low", "needed: {}"),
    "human_disagreement": ("people do not agree among themselves", "needed: {}"),
    "too_biased": ("the judge errs differently by group", "tolerance ±{}"),
    "failure_gap": ("more replies go unscored in one group", "at most {}"),
    "withheld_share": ("too large a share of the replies is withheld", "at most {}"),
    "withheld_gap": ("more replies are withheld in one group", "at most {}"),
    "reacts": ("the judge reacts to the group when it can see it", "tolerance ±{}"),
    "uninformative": ("the scores cannot tell", "needed: {}"),
}


def reason_words(reason: Reason) -> str:
    """A refusal's reason in one line: what is wrong, value against threshold, code in brackets, remedy.

    Examples
    --------
    >>> reason_words(Reason(code="too_low", value=0.44, threshold=0.6, remedy="use a better judge"))
    'agreement with people is too low: 0.44 (needed: 0.60) [too_low]. use a better judge'
    """
    words, limits = _REASONS.get(reason.code, ("not reported", "needed: {}"))
    value = number(reason.value) if isinstance(reason.value, float) else reason.value
    met = "" if value is None else f": {printable(str(value))}"
    limit = number(reason.threshold) if isinstance(reason.threshold, float) else reason.threshold
    needed = "" if limit is None else f" ({limits.format(printable(str(limit)))})"
    return f"{words}{met}{needed} [{printable(reason.code)}]. {printable(reason.remedy)}"


def reference_words(reference: ReferenceFacts) -> str:
    """The kappa that the threshold is held against: of whom, how large, and how sure.

    Examples
    --------
    >>> from judgekit.findings import ReferenceFacts
    >>> reference_words(ReferenceFacts(dimension="warmth", kappa=0.56, lower=0.44, n=150, people=2, how="mean",
    ...                                units=14, unit="templates"))
    'mean of both raters 0.56, at least 0.44 (templates as the unit)'
    """
    raters = {1: "the one rater", 2: "both raters"}.get(reference.people, f"all {reference.people} raters")
    whom = {
        "mean": f"mean of {raters}" if reference.people > 1 else "one rater",
        "each": f"lowest of {raters}" if reference.people > 1 else "one rater",
        "adjudicated": "adjudicated labels",
    }[reference.how]
    bound = "" if isinstance(reference.lower, Undefined) else f", at least {number(reference.lower)}"
    return f"{whom} {number(reference.kappa)}{bound} ({reference.unit} as the unit)"


def counts_words(gap: Gap) -> str:
    """What the estimate rests on: replies or labelled texts of both groups, and templates."""
    main = gap.main
    if main is None:
        return "nothing"
    what = "labelled texts" if main is gap.corrected else "replies"
    if gap.claim == "observed" and not main.templates:
        return f"{main.n_a} and {main.n_b} {what}, no templates"
    return f"{main.n_a} and {main.n_b} {what}, {main.templates} templates"


def missing_words(gap: Gap) -> str:
    """How many replies of each group have no value."""
    r = gap.rows
    return "-" if r is None else f"{r.missing_a} of {r.in_a}, {r.missing_b} of {r.in_b}"


def level_words(level: float) -> str:
    """A level as a percentage.

    Examples
    --------
    >>> level_words(0.95), level_words(0.995)
    ('95%', '99.5%')
    """
    return f"{100 * level:g}%"


def threshold_words(calibration: Mapping[str, Any]) -> str:
    """What the study asks of a judge before it reports a number.

    Examples
    --------
    >>> threshold_words({"threshold": {"kind": "absolute", "kappa": 0.6}, "per_group": {"kappa": 0.5},
    ...                  "human_kappa": 0.6, "min_labels": 50, "min_raters": 2})
    'lower bound of kappa at least 0.60; per group 0.50; people among themselves 0.60; at least 50 labelled texts by 2 people'
    """
    c = calibration
    bound = (
        f"lower bound of kappa at least {number(c['threshold']['kappa'])}"
        if c["threshold"]["kind"] == "absolute"
        else "lower bound of kappa no more than 0.10 below people's own, at least 0.40"
    )
    return (
        f"{bound}; per group {number(c['per_group']['kappa'])}; people among themselves {number(c['human_kappa'])}; "
        f"at least {c['min_labels']} labelled texts by {c['min_raters']} people"
    )


def claim_words(claim: str) -> str:
    """What a gap's interval claims; ``observed`` is that of an observational design.

    Examples
    --------
    >>> claim_words("these_names")
    'template-level inference: the claim is about exactly these names'
    """
    if claim == "observed":
        return "the replies are logs: differences are confounded and claim nothing about the groups"
    if claim == "groups":
        return "two-way (template and name) inference: the claim is about the groups"
    return "template-level inference: the claim is about exactly these names"


def edit_words(edit: Mapping[str, Any]) -> str:
    """A decision that was edited after it was sealed: key, before, after, day."""
    before, after = ("nothing" if edit[k] is None else str(edit[k]) for k in ("before", "after"))
    return printable(f"{edit['key']} from {before} to {after} on {edit['when']}")


def stale_words(labels: LabelFacts) -> str | None:
    """How many labels do not count, and why; None when all do."""
    if not labels.stale:
        return None
    return f"{labels.stale} labels were made on other texts or another rubric and do not count"


def quoted(text: str, most: int = 2_000) -> str:
    """A reply as a report quotes it: a giant one is cut, and says by how much. It is not yet made printable.

    Examples
    --------
    >>> quoted("Dear [PERSON_1], thanks.", most=15)
    'Dear [PERSON_1] … (9 more characters)'
    """
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most} more characters)"


def escape_markdown(text: str) -> str:
    r"""Foreign text for a Markdown page: nothing in it is markup, nothing invisible, on one line.

    Examples
    --------
    >>> print(escape_markdown("[PERSON_1] <b>*hi*</b>"))
    \[PERSON\_1\] \<b\>\*hi\*\</b\>
    """
    escaped = "".join("\\" + c if c in _SPECIAL else c for c in printable(text.replace("\n", " ")))
    # Bare addresses become links on many sites without any markup.
    return escaped.replace("://", ":\\/\\/")
