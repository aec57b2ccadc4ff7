"""The report as one Markdown page: scope, method, decisions, results, refusals, examples, next steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judgekit.findings import Findings
from judgekit.records import Contrast, Gap, SwapResult, Undefined
from judgekit.reporting.controls import measured_lines
from judgekit.reporting.injection import injection_lines
from judgekit.reporting.pair_swap import pair_swap_lines
from judgekit.reporting.words import (
    claim_words,
    contrast_words,
    edit_words,
    escape_markdown,
    estimate_words,
    interval_words,
    level_words,
    mean_words,
    missing_words,
    number,
    outside_scale_lines,
    p_words,
    quoted,
    reason_words,
    reference_words,
    stale_words,
    threshold_words,
)

__all__ = ["render_markdown"]

_COUNTED = {"in", "scored", "withheld"}


def render_markdown(findings: Findings) -> str:
    """Write the page.

    Parameters
    ----------
    findings : Findings
        What a run found.

    Returns
    -------
    str
        Markdown. Foreign text in it is escaped; a refused metric appears with its reasons and without its numbers.
    """
    parts = [
        *_head(findings),
        *_scope(findings),
        *_method(findings),
        *_decisions(findings),
        *_results(findings),
        *_refusals(findings),
        *_examples(findings),
        *_next(findings),
    ]
    return "\n".join(parts) + "\n"


def _contrast(contrast: Contrast | None) -> str:
    return escape_markdown(contrast_words(contrast))


def _table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    body = [list(row) for row in rows]
    if not body:
        return []
    return [
        "| " + " | ".join(headers) + " |",
        "|" + "|".join("---" for _ in headers) + "|",
        *("| " + " | ".join(row) + " |" for row in body),
        "",
    ]


def _head(f: Findings) -> list[str]:
    stage = "A pilot: findings are leads." if f.study["stage"] == "pilot" else "A confirmatory study."
    return [f"# {escape_markdown(f.study['study'])}: gate {f.gate}", "", stage, ""]


def _scope(f: Findings) -> list[str]:
    groups = f.study.get("groups")
    system = {k: v for k, v in f.study["system"].items() if v}
    lines = ["## Scope", ""]
    described = ", ".join(f"{k} {escape_markdown(str(v))}" for k, v in sorted(system.items())) or "not described"
    lines.append(f"- System: {described}")
    lines.append(
        f"- Replies: {f.blinding.n_in} read, {f.blinding.verified} blinded and verified, {f.blinding.withheld} withheld"
    )
    if groups:
        tested = ", ".join(escape_markdown(v.get("label") or k) for k, v in groups["values"].items())
        lines.append(f"- Tested: {escape_markdown(groups['attribute'])} ({tested})")
        missing = "; ".join(escape_markdown(x) for x in groups["not_tested"]) or "not stated"
        lines.append(f"- Not tested: {missing}")
        if groups.get("names_chosen_by"):
            lines.append(f"- Names chosen by: {escape_markdown(groups['names_chosen_by'])}")
        if f.study["data"]["design"] == "observational":
            lines.append("- Observational data: differences are confounded and are no group effect")
    else:
        lines.append("- No groups: the judge is validated, nothing is compared")
    return [*lines, ""]


def _method(f: Findings) -> list[str]:
    b = f.blinding
    lines = ["## Method", ""]
    siblings = (
        f"; {number(100 * b.siblings, 0)}% of {b.sibling_sets} sets of declared copies are identical after blinding"
        if b.siblings is not None
        else ""
    )
    lines.append(f"- Blinding: names, pronouns and other cues become placeholders, checked by separate code{siblings}")
    lines.append(f"- Judge: {escape_markdown(f.judging.judge)} on blinded text")
    if f.judging.dropped:
        names = ", ".join(escape_markdown(name) for name in f.judging.dropped)
        lines.append(f"- Settings that the judge does not take, so that it was asked without them: {names}")
    lines += [f"- Scale, {escape_markdown(line)}" for line in outside_scale_lines(f.judging.outside_scale)]
    given = ", ".join(f"{escape_markdown(who)} {n}" for who, n in f.labels.per_annotator.items()) or "none yet"
    stale = stale_words(f.labels)
    lines.append(f"- Texts labelled: {given}" + (f"; {stale}" if stale else ""))
    if f.swap_note:
        lines.append(f"- Swap test: {escape_markdown(f.swap_note)}")
    lines += [_swap(s) for s in f.swap]
    lines += [f"- {escape_markdown(line)}" for line in pair_swap_lines(f.pair_swap)]
    lines += [f"- Hostile replies, {escape_markdown(line)}" for line in injection_lines(f.injection)]
    if not f.injection:
        lines.append("- Hostile replies: not run (judge.injection: true)")
    if groups := f.study.get("groups"):
        claim = "observed" if f.study["data"]["design"] == "observational" else groups["claim"]
        lines.append(
            f"- Gaps: template means, {claim_words(claim)}; first group minus second; metrics that are not primary are "
            f"corrected ({f.study['statistics']['correction'].upper()})"
        )
    return [*lines, ""]


def _swap(s: SwapResult) -> str:
    return (
        f"- Swap test, {escape_markdown(s.dimension)}, {_contrast(s.contrast)}: {s.verdict}; shift "
        f"{number(s.shift, signed=True)} {interval_words(s.interval)} points on {s.n} texts, "
        f"control {number(s.control_shift, signed=True)}, paraphrase {_paraphrase(s)}"
    )


def _paraphrase(s: SwapResult) -> str:
    shift = s.paraphrase_shift
    if isinstance(shift, Undefined):
        return escape_markdown(shift.reason)
    tokens = (
        f"{number(_percent(s.paraphrase_tokens), 0)}% of tokens; names change {number(_percent(s.name_tokens), 0)}%"
    )
    more = (
        f"names move scores {number(s.excess, signed=True)} {interval_words(s.excess_interval)} points further"
        if isinstance(s.excess, float)
        else f"not compared: {escape_markdown(s.excess.reason)}"
    )
    return (
        f"{number(shift, signed=True)} {interval_words(s.paraphrase_interval)} on {s.paraphrase_n} texts "
        f"({tokens}); {more}"
    )


def _percent(share: float | Undefined) -> float | Undefined:
    return share if isinstance(share, Undefined) else 100 * share


def _decisions(f: Findings) -> list[str]:
    c = f.study["calibration"]
    lines = [
        "## Thresholds and who decided",
        "",
        f"- Decided by {escape_markdown(f.decided_by or 'nobody named')}, sealed {(f.sealed_at or 'not yet')[:10]}",
        f"- {threshold_words(c)}",
    ]
    if c.get("override_reason"):
        lines.append(f"- Thresholds under 0.40 because: {escape_markdown(c['override_reason'])}")
    lines += [f"- Edited later: {escape_markdown(edit_words(edit))}" for edit in f.later_edits]
    return [*lines, ""]


def _row(gap: Gap) -> list[str]:
    main = gap.main
    return [
        escape_markdown(gap.metric) + (" (primary)" if gap.role == "primary" else ""),
        _contrast(gap.contrast),
        estimate_words(gap.raw),
        estimate_words(gap.corrected) if gap.kind == "judged" else "-",
        estimate_words(gap.human_only) if gap.kind == "judged" else "-",
        f"{main.n_a}, {main.n_b}" if main else "-",
        str(main.templates) if main else "-",
        missing_words(gap),
        p_words(gap),
        "-" if gap.margin is None else f"±{number(gap.margin)}",
        gap.verdict,
    ]


def _gap_notes(gaps: Sequence[Gap]) -> list[str]:
    notes = [
        f"- {escape_markdown(g.metric)}, {_contrast(g.contrast)}: "
        + "; ".join(escape_markdown(note) for note in g.main.notes)
        for g in gaps
        if g.main is not None and g.main.notes
    ]
    return [*notes, ""] if notes else []


def _judged_counts(f: Findings) -> list[str]:
    rows = [
        [
            escape_markdown(dimension),
            escape_markdown(group),
            str(found["in"]),
            str(found.get("scored", 0)),
            ", ".join(f"{escape_markdown(k)} {n}" for k, n in sorted(found.items()) if k not in _COUNTED) or "0",
            str(found.get("withheld", 0)),
        ]
        for dimension, by_group in f.judging.counts.items()
        for group, found in sorted(by_group.items())
    ]
    table = _table(["dimension", "group", "in", "scored", "unscored", "withheld"], rows)
    return ["Replies that the judge was given: in = scored + unscored + withheld.", "", *table] if table else []


def _results(f: Findings) -> list[str]:
    lines = ["## Results", ""]
    level = level_words(f.study["statistics"]["interval"])
    if f.gaps or f.human_gaps:
        lines += [
            f"Gaps with {level} intervals; n counts labelled texts for a corrected gap, replies for a raw one.",
            "",
        ]
    headers = ["metric", "contrast", "raw", "corrected", "people only", "n (a, b)", "templates", "missing (a, b)", "p"]
    lines += _table([*headers, "margin", "verdict"], [_row(g) for g in f.gaps])
    lines += _gap_notes(f.gaps)
    if told := measured_lines(f.gaps, f.study["measured"]):
        lines += [*(f"- {escape_markdown(line)}" for line in told), ""]
    if f.means:
        lines += [f"Means with {level} intervals; there are no groups to compare.", ""]
        lines += [*(f"- {escape_markdown(m.metric)}: {mean_words(m)}" for m in f.means), ""]
    shown = {(g.metric, g.contrast) for g in f.gaps if g.kind == "judged"}
    people = [g for g in f.human_gaps if (g.dimension, g.contrast) not in shown]
    if people:
        lines += ["People's own scores, which need no judge:", ""]
        lines += _table(
            ["dimension", "contrast", "gap and interval", "n (a, b)", "templates"],
            [
                [
                    escape_markdown(g.dimension),
                    _contrast(g.contrast),
                    estimate_words(g.estimate),
                    f"{g.estimate.n_a}, {g.estimate.n_b}",
                    str(g.estimate.templates),
                ]
                for g in people
            ],
        )
    pairs = [a for a in f.agreement if a.by is None]
    if pairs:
        lines += ["Agreement (Cohen's kappa):", ""]
        lines += _table(
            ["dimension", "between", "n", "kappa", "lower bound", "agree"],
            [
                [
                    escape_markdown(a.dimension),
                    f"{escape_markdown(a.a)} and {escape_markdown(a.b)}",
                    str(a.n),
                    number(a.kappa),
                    number(a.lower),
                    "-" if isinstance(a.percent, Undefined) else f"{number(100 * a.percent, 0)}%",
                ]
                for a in pairs
            ],
        )
    lines += [
        *(
            f"- {escape_markdown(r.dimension)}: {reference_words(r)}; this is what the threshold is held against"
            for r in f.references
        ),
        *([""] if f.references else []),
        *_judged_counts(f),
    ]
    failures = [
        f"{escape_markdown(g.metric)} {estimate_words(g.failure_gap)}"
        for g in f.gaps
        if not isinstance(g.failure_gap.value, Undefined) and g.failure_gap.value != 0
    ]
    lines.append(
        "Failure-rate gaps (share missing): " + ("; ".join(failures) if failures else "0 in every metric shown") + "."
    )
    lines += [f"- {escape_markdown(note)}" for note in f.notes]
    for c in f.calibrated:
        lines += [
            f"- {escape_markdown(c.dimension)}, {_contrast(c.contrast)}: {escape_markdown(x)}" for x in c.conditions
        ]
    return [*lines, ""]


def _refusals(f: Findings) -> list[str]:
    if not f.refused:
        return ["## Refused", "", "Nothing: every judged metric is calibrated.", ""]
    lines = ["## Refused, and what would change it", ""]
    for refused in f.refused:
        lines.append(f"- **{escape_markdown(refused.dimension)}**, {_contrast(refused.contrast)}: not reported")
        lines += [f"  - {escape_markdown(reason_words(r))}" for r in refused.reasons]
    return [*lines, ""]


def _examples(f: Findings) -> list[str]:
    if not f.quotes:
        return []
    lines = ["## Examples", ""]
    for q in f.quotes:
        how = "blinded" if q.blinded else "people are invented"
        lines += [
            f"Template {escape_markdown(q.unit_id)} ({how}):",
            "",
            f"> {escape_markdown(q.group_a)}: {escape_markdown(quoted(q.text_a))}",
            "",
            f"> {escape_markdown(q.group_b)}: {escape_markdown(quoted(q.text_b))}",
            "",
        ]
    return lines


def _next(f: Findings) -> list[str]:
    report = f.study["report"]
    owner = escape_markdown(report.get("owner") or "no owner named")
    due = escape_markdown(str(report.get("due") or "no date set"))
    due = f"Due: {due}."
    if any("judgekit label" in step for step in f.next_steps):
        due += " Commands are given in the study's folder."
    return ["## Next steps", "", f"Owner: {owner}. {due}", "", *(f"- {escape_markdown(s)}" for s in f.next_steps)]
