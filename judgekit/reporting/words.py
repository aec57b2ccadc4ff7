"""Numbers and verdicts in words, shared by the terminal page and both reports, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.findings import LabelFacts, ReferenceFacts
from judgekit.gaps import MetricMean
from judgekit.printable import line_ends, printable
from judgekit.records import Contrast, Gap, GapEstimate, Interval, Reason, Undefined
from judgekit.wording.sentence import Sentence, between, numeral, say, told

__all__ = [
    "REASON_WORDS",
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
    "percentage",
    "quoted",
    "reason_words",
    "reference_words",
    "shown",
    "stale_words",
    "threshold_words",
]

# Only what is markup inside a line: a full stop or a hyphen is not, and a page full of backslashes is hard to read.
_SPECIAL = set("\\`*_[]<>#|~&$")


def shown(text: str) -> str:
    """A text of ours in the language that is spoken, made printable."""
    return printable(told(text))


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
        return shown(str(value) if isinstance(value, Undefined) else value)
    if value in {float("inf"), float("-inf")}:
        return "∞" if value > 0 else "−∞"
    text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.replace("-", "").replace("+", "")
    return numeral(text.replace("-", "−"))


def percentage(share: float, digits: int = 0) -> str:
    """A share in [0, 1] as a percentage.

    Examples
    --------
    >>> percentage(0.256), percentage(0.0314, 1)
    ('26%', '3.1%')
    """
    return number(100 * share, digits) + numeral("%")


def outside_scale_lines(outside: Mapping[str, Mapping[str, float]]) -> list[str]:
    """What part of the judge's probability was on no level of the scale, by dimension; none for point scores.

    Examples
    --------
    >>> outside_scale_lines({"warmth": {"mean": 0.012, "largest": 0.3}})
    ["warmth: expected scores; of the judge's probability 1.2% was on no level of the scale, 30.0% at most"]
    """
    return [
        say(
            "{dimension}: expected scores; of the judge's probability {mean:.1%} was on no level of the scale, {largest:.1%} at most",
            dimension=printable(dimension),
            mean=found["mean"],
            largest=found["largest"],
        )
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
        return say("no interval: {reason}", reason=shown(interval.reason))
    return between().join(number(end, digits, signed=signed) for end in (interval.low, interval.high)).join("[]")


def estimate_words(estimate: GapEstimate | None, digits: int = 2) -> str:
    """A gap with its interval, or why there is none."""
    if estimate is None:
        return say("not shown")
    if isinstance(estimate.value, Undefined):
        return say("undefined: {reason}", reason=shown(estimate.value.reason))
    return f"{number(estimate.value, digits, signed=True)} {interval_words(estimate.interval, digits)}"


def mean_words(mean: MetricMean) -> str:
    """The mean of a counted metric with its interval and what it rests on."""
    found = mean.estimate
    if isinstance(found.value, Undefined):
        return say("undefined: {reason}", reason=shown(found.value.reason))
    met = {"mean": number(found.value), "interval": interval_words(found.interval, signed=False), "n": found.n}
    if found.unit == "templates":
        return say(
            "{mean} {interval} on {n} replies, {units} templates; {missing} missing",
            **met, units=found.units, missing=mean.missing,
        )  # fmt: skip
    return say("{mean} {interval} on {n} replies; {missing} missing", **met, missing=mean.missing)


def p_words(gap: Gap) -> str:
    """The p-value that counts: corrected for metrics that are not primary."""
    shown = gap.main
    p = gap.adjusted_p if gap.adjusted_p is not None else (shown.p if shown else None)
    if p is None or isinstance(p, Undefined):
        return "-"
    return numeral("<0.001" if p < 0.001 else f"{p:.3f}")


def contrast_words(contrast: Contrast | None) -> str:
    """``a − b``, or that there are no groups."""
    return say("no groups") if contrast is None else f"{printable(contrast.a)} − {printable(contrast.b)}"


REASON_WORDS = {
    "rubric_changed": say("the labels were given with another rubric"),
    "texts_changed": say("the labels were made on other texts"),
    "fingerprint": say("scores come from another judge, model, prompt or blinding"),
    "sealed_later": say("decided or changed too late"),
    "too_few_raters": say("too few raters"),
    "too_few": say("too few labels to decide"),
    "too_low": say("agreement with people is too low"),
    "human_disagreement": say("people do not agree among themselves"),
    "too_biased": say("the judge errs differently by group"),
    "failure_gap": say("more replies go unscored in one group"),
    "withheld_share": say("too large a share of the replies is withheld"),
    "withheld_gap": say("more replies are withheld in one group"),
    "reacts": say("the judge reacts to the group when it can see it"),
    "uninformative": say("the scores cannot tell"),
}
"""What the code of a refusal means."""

_NOW = frozenset({"rubric_changed", "fingerprint"})
_TOLERATED = frozenset({"too_biased", "reacts"})
_AT_MOST = frozenset({"failure_gap", "withheld_share", "withheld_gap"})


def _limit_words(code: str, limit: str) -> Sentence:
    """How a threshold of this code reads."""
    if code in _NOW:
        return say("now {limit}", limit=limit)
    if code in _TOLERATED:
        return say("tolerance ±{limit}", limit=limit)
    if code in _AT_MOST:
        return say("at most {limit}", limit=limit)
    return say("needed: {limit}", limit=limit)


def reason_words(reason: Reason) -> str:
    """A refusal's reason in one line: what is wrong, value against threshold, code in brackets, remedy.

    Examples
    --------
    >>> reason_words(Reason(code="too_low", value=0.44, threshold=0.6, remedy="use a better judge"))
    'agreement with people is too low: 0.44 (needed: 0.60) [too_low]. use a better judge'
    """
    words = told(REASON_WORDS[reason.code]) if reason.code in REASON_WORDS else say("not reported")
    met = "" if reason.value is None else f": {_measured(reason.value)}"
    needed = "" if reason.threshold is None else f" ({_limit_words(reason.code, _measured(reason.threshold))})"
    return f"{words}{met}{needed} [{printable(reason.code)}]. {shown(reason.remedy)}"


def _measured(value: float | int | str) -> str:
    """What was met, or what was asked for: a count stays a whole number."""
    return number(value) if isinstance(value, float) else shown(str(value) if isinstance(value, int) else value)


def reference_words(reference: ReferenceFacts) -> str:
    """The kappa that the threshold is held against: of whom, how large, and how sure.

    Examples
    --------
    >>> from judgekit.findings import ReferenceFacts
    >>> reference_words(ReferenceFacts(dimension="warmth", kappa=0.56, lower=0.44, n=150, people=2, how="mean",
    ...                                units=14, unit="templates"))
    'mean of both raters 0.56, at least 0.44 (templates as the unit)'
    """
    met = {"whom": _people_words(reference), "kappa": number(reference.kappa), "unit": told(reference.unit)}
    if isinstance(reference.lower, Undefined):
        return say("{whom} {kappa} ({unit} as the unit)", **met)
    return say("{whom} {kappa}, at least {lower} ({unit} as the unit)", **met, lower=number(reference.lower))


def _people_words(reference: ReferenceFacts) -> Sentence:
    if reference.how == "adjudicated":
        return say("adjudicated labels")
    if reference.people <= 1:
        return say("one rater")
    raters = say("both raters") if reference.people == 2 else say("all {n} raters", n=reference.people)
    return (
        say("mean of {raters}", raters=raters) if reference.how == "mean" else say("lowest of {raters}", raters=raters)
    )


def counts_words(gap: Gap) -> str:
    """What the estimate rests on: replies or labelled texts of both groups, and templates."""
    main = gap.main
    if main is None:
        return say("nothing")
    what = say("labelled texts") if main is gap.corrected else say("replies")
    met = {"a": main.n_a, "b": main.n_b, "what": what}
    if gap.claim == "observed" and not main.templates:
        return say("{a} and {b} {what}, no templates", **met)
    return say("{a} and {b} {what}, {templates} templates", **met, templates=main.templates)


def missing_words(gap: Gap) -> str:
    """How many replies of each group have no value."""
    r = gap.rows
    if r is None:
        return "-"
    return say("{a} of {in_a}, {b} of {in_b}", a=r.missing_a, in_a=r.in_a, b=r.missing_b, in_b=r.in_b)


def level_words(level: float) -> str:
    """A level as a percentage.

    Examples
    --------
    >>> level_words(0.95), level_words(0.995)
    ('95%', '99.5%')
    """
    return numeral(f"{100 * level:g}%")


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
        say("lower bound of kappa at least {kappa:.2f}", kappa=c["threshold"]["kappa"])
        if c["threshold"]["kind"] == "absolute"
        else say(
            "lower bound of kappa no more than {step:.2f} below people's own, at least {floor:.2f}",
            step=0.10,
            floor=0.40,
        )
    )
    return say(
        "{bound}; per group {group:.2f}; people among themselves {human:.2f}; at least {labels} labelled texts by {raters} people",
        bound=bound, group=c["per_group"]["kappa"], human=c["human_kappa"], labels=c["min_labels"], raters=c["min_raters"],
    )  # fmt: skip


def claim_words(claim: str) -> str:
    """What a gap's interval claims; ``observed`` is that of an observational design.

    Examples
    --------
    >>> claim_words("these_names")
    'template-level inference: the claim is about exactly these names'
    """
    if claim == "observed":
        return say("the replies are logs: differences are confounded and claim nothing about the groups")
    if claim == "groups":
        return say("two-way (template and name) inference: the claim is about the groups")
    return say("template-level inference: the claim is about exactly these names")


def edit_words(edit: Mapping[str, Any]) -> str:
    """A decision that was edited after it was sealed: key, before, after, day."""
    before, after = (_setting(edit[k]) for k in ("before", "after"))
    return printable(
        say(
            "{key} from {before} to {after} on {when:date}",
            key=edit["key"],
            before=before,
            after=after,
            when=edit["when"],
        )
    )


def _setting(value: object) -> str:
    if value is None:
        return say("nothing")
    return numeral(str(value)) if isinstance(value, float) else str(value)


def stale_words(labels: LabelFacts) -> str | None:
    """How many labels do not count, and why; None when all do."""
    if not labels.stale:
        return None
    return say("{n} labels were made on other texts or another rubric and do not count", n=labels.stale)


def quoted(text: str, most: int = 2_000) -> str:
    """A reply as a report quotes it: a giant one is cut, and says by how much. It is not yet made printable.

    Examples
    --------
    >>> quoted("Dear [PERSON_1], thanks.", most=15)
    'Dear [PERSON_1] … (9 more characters)'
    """
    text = line_ends(text)
    if len(text) <= most:
        return text
    return say("{text} … ({n} more characters)", text=text[:most], n=len(text) - most)


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
