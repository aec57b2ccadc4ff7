"""The form of report.json, version by version: what stands in it, of which type, and where null means something.

``report.json`` may hold further keys; those declared here keep their name and type as long as the schema's name stays.
"""

from __future__ import annotations

from typing import Any, Literal

# Pydantic, which depends on it, reads this TypedDict on every Python; the one of `typing` only from 3.12 on.
from typing_extensions import TypedDict

__all__ = ["REPORT_TITLE", "Report", "report_schema"]

REPORT_TITLE = "judgekit report.json"


class Missing(TypedDict):
    """A statistic that does not exist for this input, and why. It is never a number."""

    undefined: str
    detail: str


# An infinite end is the text "inf" or "-inf", since JSON has no such number.
Number = float | Literal["inf", "-inf"]
Value = Number | Missing
Ends = list[Number] | None


class Contrast(TypedDict):
    """Two groups compared; every gap is ``a`` minus ``b``."""

    a: str
    b: str


class Estimate(TypedDict):
    """One estimate of a gap with its interval, what it rests on, and why it is undefined if it is."""

    value: Value
    ci: Ends
    level: float | None
    undefined: str | None
    p: Value
    min_p: float | None
    method: str
    df: Number | None
    templates: int
    names_a: int
    names_b: int
    n_a: int
    n_b: int
    notes: list[str]


class Three(TypedDict):
    """The gap as the judge says, corrected by people's labels, and of people alone; null where it may not be shown."""

    raw: Value | None
    corrected: Value | None
    human_only: Value | None


class Details(TypedDict):
    """The three estimates whole."""

    raw: Estimate | None
    corrected: Estimate | None
    human_only: Estimate | None


class Gap(TypedDict):
    """A metric compared between two groups; judged ones stand here only as calibrated."""

    metric: str
    a: str
    b: str
    claim: str
    kind: Literal["judged", "measured", "supplied"]
    role: Literal["primary", "secondary"]
    estimates: Three
    details: Details
    ci: Ends
    level: float | None
    p: Value | None
    adjusted_p: Value | None
    min_p: float | None
    method: str | None
    templates: int | None
    n_a: int | None
    n_b: int | None
    failure_gap: Value
    failure_gap_ci: Ends
    margin: float | None
    verdict: Literal["pass", "warn", "fail", "cannot tell", "no margin"]
    direction: str
    per_template: dict[str, Number]
    per_name: dict[str, dict[str, Number]]
    notes: list[str]


class Reason(TypedDict):
    """Why a metric is refused: the value met, the threshold, what would change it."""

    code: str
    value: Number | str | None
    threshold: Number | str | None
    remedy: str
    more_labels: int | None


class Refusal(TypedDict):
    """A judged metric whose numbers are withheld."""

    metric: str
    judge: str
    contrast: Contrast | None
    reasons: list[Reason]


class Permission(TypedDict):
    """A judged metric that may be reported, with the conditions to be printed beside it."""

    metric: str
    judge: str
    contrast: Contrast | None
    evidence: dict[str, Any]
    conditions: list[str]


class Calibration(TypedDict):
    """Verdicts on every judged dimension and contrast."""

    calibrated: list[Permission]
    refused: list[Refusal]


class HumanGap(TypedDict):
    """The gap in people's own scores: always reported."""

    metric: str
    a: str
    b: str
    estimate: Estimate


class Gaps(TypedDict):
    """Gaps, refusals, and people's own gaps."""

    contrasts: list[Gap]
    refused: list[Refusal]
    human_only: list[HumanGap]


class Mean(TypedDict):
    """The mean of a counted metric in a study without groups."""

    metric: str
    mean: Value
    ci: Ends
    level: float | None
    n: int
    missing: int
    units: int
    unit: str


class Swap(TypedDict):
    """The swap test of one dimension and contrast: shifts in points of the scale."""

    judge: str
    dimension: str
    a: str
    b: str
    shift: Value
    ci: Ends
    control_shift: Value
    control_ci: Ends
    paraphrase_shift: Value
    changed: Value
    control_changed: Value
    spread: Value
    n: int
    unscored: int
    margin: float
    verdict: Literal["passed", "failed", "uninformative"]
    why: str
    per_name: dict[str, Number]


class SwapTest(TypedDict):
    """The swap test; ``note`` says why there is none."""

    results: list[Swap]
    pairs: list[dict[str, Any]]
    note: str | None


class Agreement(TypedDict):
    """Kappa of two raters on a dimension, overall (``by`` null) or in a group."""

    dimension: str
    a: str
    b: str
    by: str | None
    n: int
    missing: int
    kappa: Value
    kappa_ci: Ends
    kappa_lower: Value
    weights: str
    percent: Value
    spearman: Value


class Reference(TypedDict):
    """Agreement of the judge with all the people: what the threshold is held against."""

    dimension: str
    kappa: Value
    kappa_lower: Value
    n: int
    people: int
    reference: Literal["mean", "adjudicated", "each"]
    units: int
    unit: Literal["templates", "texts"]


class StudyFacts(TypedDict):
    """What was studied."""

    name: str
    stage: Literal["pilot", "confirmatory"]
    hash: str
    system: dict[str, Any]
    attribute: str | None
    not_tested: list[str]
    claim: str | None
    names_chosen_by: str | None
    design: Literal["counterfactual", "observational"]


class Decided(TypedDict):
    """What was decided beforehand, by whom, and what was edited later."""

    by: str | None
    sealed_on: str | None
    thresholds: dict[str, Any]
    swap_test: dict[str, Any]
    later_edits: list[dict[str, Any]]


Blinding = TypedDict(
    "Blinding",
    {
        "in": int,
        "verified": int,
        "withheld": int,
        "by_group": dict[str, dict[str, Any]],
        "codes": dict[str, int],
        "siblings_identical": float | None,
        "sibling_sets": int,
    },
)


class Judging(TypedDict):
    """Who judged, and what became of every reply by dimension and group: in = scored + unscored by kind + withheld."""

    judge: str
    dropped: list[str]
    fingerprint: dict[str, str]
    counts: dict[str, dict[str, dict[str, int]]]


class Labels(TypedDict):
    """People's labels."""

    per_annotator: dict[str, int]
    texts: int
    stale: int


class Quote(TypedDict):
    """A pair of replies, blinded unless the people are invented."""

    unit_id: str
    group_a: str
    group_b: str
    text_a: str
    text_b: str
    blinded: bool


class Report(TypedDict):
    """Everything a report says. Judged numbers stand in it only where they are calibrated."""

    schema: Literal["judgekit-report/1"]
    study: StudyFacts
    decided: Decided
    blinding: Blinding
    judging: Judging
    swap_test: SwapTest
    injection: list[dict[str, Any]]
    labels: Labels
    agreement: list[Agreement]
    human_kappa: dict[str, dict[str, Value]]
    calibration: Calibration
    references: list[Reference]
    gaps: Gaps
    means: list[Mean]
    gate: Literal["refused", "fail", "cannot tell", "warn", "pass", "no margin"]
    quotes: list[Quote]
    next_steps: list[str]
    owner: str | None
    due: str | None
    notes: list[str]
    versions: dict[str, str]


def report_schema() -> dict[str, Any]:
    """A JSON schema of report.json, made from the declarations above.

    Returns
    -------
    dict
        For draft 2020-12; ``$id`` is the form's name and version, which the document repeats as ``schema``.

    Examples
    --------
    >>> report_schema()["properties"]["schema"]["const"]
    'judgekit-report/1'
    """
    from pydantic import TypeAdapter

    made = TypeAdapter(Report).json_schema()
    return made | {"$id": f"urn:{made['properties']['schema']['const'].replace('/', ':')}", "title": REPORT_TITLE}
