"""The report as one Markdown page: scope, method, decisions, results, refusals, examples, next steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judgekit.findings import EVERYBODY, Findings
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
    percentage,
    quoted,
    reason_words,
    reference_words,
    stale_words,
    threshold_words,
)
from judgekit.wording.languages import LanguageCode, speaking_in
from judgekit.wording.sentence import Language, between, day, say, told

__all__ = ["render_markdown"]

_COUNTED = {"in", "scored", "withheld"}


def render_markdown(findings: Findings, language: LanguageCode | Language | None = None) -> str:
    """Write the page.

    Parameters
    ----------
    findings : Findings
        What a run found.
    language : str or Language, optional
        Of the page; by default the study's ``report.language``.

    Returns
    -------
    str
        Markdown. Foreign text in it is escaped; a refused metric appears with its reasons and without its numbers.
    """
    with speaking_in(language or findings.study["report"]["language"]):
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


def _ours(text: str) -> str:
    """A text of ours that may hold foreign parts, for the page."""
    return escape_markdown(told(text))


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
    stage = say("A pilot: findings are leads.") if f.study["stage"] == "pilot" else say("A confirmatory study.")
    title = say("{study}: gate {gate}", study=escape_markdown(f.study["study"]), gate=told(f.gate))
    return [f"# {title}", "", stage, ""]


def _scope(f: Findings) -> list[str]:
    groups = f.study.get("groups")
    system = {k: v for k, v in f.study["system"].items() if v}
    lines = [say("## Scope"), ""]
    described = ", ".join(f"{told(k)} {escape_markdown(day(str(v)))}" for k, v in sorted(system.items()))
    lines.append(say("- System: {described}", described=described or say("not described")))
    b = f.blinding
    lines.append(
        say(
            "- Replies: {read} read, {verified} blinded and verified, {withheld} withheld",
            read=b.n_in, verified=b.verified, withheld=b.withheld,
        )
    )  # fmt: skip
    if groups:
        tested = ", ".join(escape_markdown(v.get("label") or k) for k, v in groups["values"].items())
        lines.append(
            say("- Tested: {attribute} ({groups})", attribute=escape_markdown(groups["attribute"]), groups=tested)
        )
        missing = "; ".join(escape_markdown(x) for x in groups["not_tested"]) or say("not stated")
        lines.append(say("- Not tested: {missing}", missing=missing))
        if groups.get("names_chosen_by"):
            lines.append(say("- Names chosen by: {who}", who=escape_markdown(groups["names_chosen_by"])))
        if f.study["data"]["design"] == "observational":
            lines.append(say("- Observational data: differences are confounded and are no group effect"))
    else:
        lines.append(say("- No groups: the judge is validated, nothing is compared"))
    return [*lines, ""]


def _method(f: Findings) -> list[str]:
    b = f.blinding
    lines: list[str] = [say("## Method"), ""]
    lines.append(say("- Blinding: names, pronouns and other cues become placeholders, checked by separate code"))
    if b.siblings is not None:
        lines[-1] += "; " + say(
            "{share} of {sets} sets of declared copies are identical after blinding",
            share=percentage(b.siblings), sets=b.sibling_sets,
        )  # fmt: skip
    lines.append(say("- Judge: {judge} on blinded text", judge=escape_markdown(f.judging.judge)))
    if f.judging.dropped:
        names = ", ".join(escape_markdown(name) for name in f.judging.dropped)
        lines.append(
            say("- Settings that the judge does not take, so that it was asked without them: {names}", names=names)
        )
    lines += [say("- Scale, {line}", line=_ours(line)) for line in outside_scale_lines(f.judging.outside_scale)]
    given = ", ".join(f"{escape_markdown(who)} {n}" for who, n in f.labels.per_annotator.items()) or say("none yet")
    stale = stale_words(f.labels)
    lines.append(say("- Texts labelled: {given}", given=given) + (f"; {stale}" if stale else ""))
    if f.swap_note:
        lines.append(say("- Swap test: {note}", note=_ours(f.swap_note)))
    lines += [_swap(s) for s in f.swap]
    lines += [f"- {_ours(line)}" for line in pair_swap_lines(f.pair_swap)]
    lines += [say("- Hostile replies, {line}", line=_ours(line)) for line in injection_lines(f.injection)]
    if not f.injection:
        lines.append(say("- Hostile replies: not run (judge.injection: true)"))
    if groups := f.study.get("groups"):
        claim = "observed" if f.study["data"]["design"] == "observational" else groups["claim"]
        lines.append(
            say(
                "- Gaps: template means, {claim}; first group minus second; metrics that are not primary are corrected ({method})",
                claim=claim_words(claim), method=f.study["statistics"]["correction"].upper(),
            )
        )  # fmt: skip
    return [*lines, ""]


def _swap(s: SwapResult) -> str:
    return say(
        "- Swap test, {dimension}, {contrast}: {verdict}; shift {shift} {interval} points on {n} texts, control {control}, "
        "paraphrase {paraphrase}",
        dimension=escape_markdown(s.dimension),
        contrast=_contrast(s.contrast),
        verdict=told(s.verdict),
        shift=number(s.shift, signed=True),
        interval=interval_words(s.interval),
        n=s.n,
        control=number(s.control_shift, signed=True),
        paraphrase=_paraphrase(s),
    )


def _paraphrase(s: SwapResult) -> str:
    shift = s.paraphrase_shift
    if isinstance(shift, Undefined):
        return _ours(shift.reason)
    more = (
        say(
            "names move scores {excess} {interval} points further",
            excess=number(s.excess, signed=True), interval=interval_words(s.excess_interval),
        )
        if isinstance(s.excess, float)
        else say("not compared: {reason}", reason=_ours(s.excess.reason))
    )  # fmt: skip
    return say(
        "{shift} {interval} on {n} texts ({tokens} of tokens; names change {names}); {more}",
        shift=number(shift, signed=True),
        interval=interval_words(s.paraphrase_interval),
        n=s.paraphrase_n,
        tokens=_percent(s.paraphrase_tokens),
        names=_percent(s.name_tokens),
        more=more,
    )


def _percent(share: float | Undefined) -> str:
    return number(share) if isinstance(share, Undefined) else percentage(share)


def _decisions(f: Findings) -> list[str]:
    c = f.study["calibration"]
    who = escape_markdown(f.decided_by) if f.decided_by else say("nobody named")
    sealed = f.sealed_at or say("not yet")
    lines = [
        say("## Thresholds and who decided"),
        "",
        say("- Decided by {who}, sealed {when:date}", who=who, when=sealed),
        f"- {threshold_words(c)}",
    ]
    if c.get("override_reason"):
        reason = escape_markdown(c["override_reason"])
        lines.append(say("- Thresholds under {least:.2f} because: {reason}", least=0.40, reason=reason))
    lines += [say("- Edited later: {edit}", edit=escape_markdown(edit_words(edit))) for edit in f.later_edits]
    return [*lines, ""]


def _row(gap: Gap) -> list[str]:
    main = gap.main
    return [
        say("{metric} (primary)", metric=escape_markdown(gap.metric))
        if gap.role == "primary"
        else escape_markdown(gap.metric),
        _contrast(gap.contrast),
        estimate_words(gap.raw),
        estimate_words(gap.corrected) if gap.kind == "judged" else "-",
        estimate_words(gap.human_only) if gap.kind == "judged" else "-",
        f"{main.n_a}{between()}{main.n_b}" if main else "-",
        str(main.templates) if main else "-",
        missing_words(gap),
        p_words(gap),
        "-" if gap.margin is None else f"±{number(gap.margin)}",
        told(gap.verdict),
    ]


def _gap_notes(gaps: Sequence[Gap]) -> list[str]:
    notes = [
        f"- {escape_markdown(g.metric)}, {_contrast(g.contrast)}: " + "; ".join(_ours(note) for note in g.main.notes)
        for g in gaps
        if g.main is not None and g.main.notes
    ]
    return [*notes, ""] if notes else []


def _judged_counts(f: Findings) -> list[str]:
    rows = [
        [
            escape_markdown(dimension),
            _group(group, f),
            str(found["in"]),
            str(found.get("scored", 0)),
            ", ".join(f"{_ours(k)} {n}" for k, n in sorted(found.items()) if k not in _COUNTED) or "0",
            str(found.get("withheld", 0)),
        ]
        for dimension, by_group in f.judging.counts.items()
        for group, found in sorted(by_group.items())
    ]
    headers = [say("dimension"), say("group"), say("in"), say("scored"), say("unscored"), say("withheld")]
    table = _table(headers, rows)
    return [say("Replies that the judge was given: in = scored + unscored + withheld."), "", *table] if table else []


def _group(group: str, f: Findings) -> str:
    """A group's name; that of the one row of replies without groups is ours."""
    return _ours(group) if group == EVERYBODY and not f.study.get("groups") else escape_markdown(group)


def _results(f: Findings) -> list[str]:
    lines: list[str] = [say("## Results"), ""]
    level = level_words(f.study["statistics"]["interval"])
    if f.gaps or f.human_gaps:
        lines += [
            say(
                "Gaps with {level} intervals; n counts labelled texts for a corrected gap, replies for a raw one.",
                level=level,
            ),
            "",
        ]
    lines += _gaps(f)
    if f.means:
        lines += [say("Means with {level} intervals; there are no groups to compare.", level=level), ""]
        lines += [*(f"- {escape_markdown(m.metric)}: {mean_words(m)}" for m in f.means), ""]
    lines += _people(f)
    lines += _agreement(f)
    lines += _judged_counts(f)
    failures = [
        f"{escape_markdown(g.metric)} {estimate_words(g.failure_gap)}"
        for g in f.gaps
        if not isinstance(g.failure_gap.value, Undefined) and g.failure_gap.value != 0
    ]
    lines.append(
        say(
            "Failure-rate gaps (share missing): {gaps}.",
            gaps="; ".join(failures) if failures else say("0 in every metric shown"),
        )
    )
    lines += [f"- {_ours(note)}" for note in f.notes]
    for c in f.calibrated:
        lines += [f"- {escape_markdown(c.dimension)}, {_contrast(c.contrast)}: {_ours(x)}" for x in c.conditions]
    return [*lines, ""]


def _gaps(f: Findings) -> list[str]:
    """Every gap, with its notes."""
    headers = [
        *(say("metric"), say("contrast"), say("raw"), say("corrected"), say("people only"), say("n (a, b)")),
        *(say("templates"), say("missing (a, b)"), "p", say("margin"), say("verdict")),
    ]
    lines = [*_table(headers, [_row(g) for g in f.gaps]), *_gap_notes(f.gaps)]
    if measured := measured_lines(f.gaps, f.study["measured"]):
        lines += [*(f"- {_ours(line)}" for line in measured), ""]
    return lines


def _people(f: Findings) -> list[str]:
    """People's own gaps where no judged gap stands beside them."""
    shown = {(g.metric, g.contrast) for g in f.gaps if g.kind == "judged"}
    people = [g for g in f.human_gaps if (g.dimension, g.contrast) not in shown]
    if not people:
        return []
    headers = [say("dimension"), say("contrast"), say("gap and interval"), say("n (a, b)"), say("templates")]
    rows = [
        [
            escape_markdown(g.dimension),
            _contrast(g.contrast),
            estimate_words(g.estimate),
            f"{g.estimate.n_a}{between()}{g.estimate.n_b}",
            str(g.estimate.templates),
        ]
        for g in people
    ]
    return [say("People's own scores, which need no judge:"), "", *_table(headers, rows)]


def _agreement(f: Findings) -> list[str]:
    """Kappa of every pair, and of the judge with all people at once."""
    lines = []
    pairs = [a for a in f.agreement if a.by is None]
    if pairs:
        headers = [say("dimension"), say("between"), "n", say("kappa"), say("lower bound"), say("agree")]
        rows = [
            [
                escape_markdown(a.dimension),
                say("{a} and {b}", a=escape_markdown(a.a), b=escape_markdown(a.b)),
                str(a.n),
                number(a.kappa),
                number(a.lower),
                "-" if isinstance(a.percent, Undefined) else percentage(a.percent),
            ]
            for a in pairs
        ]
        lines += [say("Agreement (Cohen's kappa, quadratic weights on ordinal scales):"), "", *_table(headers, rows)]
    lines += [
        say(
            "- {dimension}: {reference}; this is what the threshold is held against",
            dimension=escape_markdown(r.dimension), reference=reference_words(r),
        )
        for r in f.references
    ]  # fmt: skip
    return [*lines, ""] if f.references else lines


def _refusals(f: Findings) -> list[str]:
    if not f.refused:
        return [say("## Refused"), "", say("Nothing: every judged metric is calibrated."), ""]
    lines = [say("## Refused, and what would change it"), ""]
    for refused in f.refused:
        lines.append(
            say(
                "- **{dimension}**, {contrast}: not reported",
                dimension=escape_markdown(refused.dimension), contrast=_contrast(refused.contrast),
            )
        )  # fmt: skip
        lines += [f"  - {escape_markdown(reason_words(r))}" for r in refused.reasons]
    return [*lines, ""]


def _examples(f: Findings) -> list[str]:
    if not f.quotes:
        return []
    lines = [say("## Examples"), ""]
    for q in f.quotes:
        how = say("blinded") if q.blinded else say("the people are invented")
        lines += [
            say("Template {unit} ({how}):", unit=escape_markdown(q.unit_id), how=how),
            "",
            f"> {escape_markdown(q.group_a)}: {escape_markdown(quoted(q.text_a))}",
            "",
            f"> {escape_markdown(q.group_b)}: {escape_markdown(quoted(q.text_b))}",
            "",
        ]
    return lines


def _next(f: Findings) -> list[str]:
    report = f.study["report"]
    owner = escape_markdown(report["owner"]) if report.get("owner") else say("no owner named")
    due = escape_markdown(day(report["due"])) if report.get("due") else say("no date set")
    line: str = say("Owner: {owner}. Due: {due}.", owner=owner, due=due)
    if any("judgekit label" in step for step in f.next_steps):
        line = " ".join((line, say("Commands are given in the study's folder.")))
    return [say("## Next steps"), "", line, "", *(f"- {_ours(s)}" for s in f.next_steps)]
