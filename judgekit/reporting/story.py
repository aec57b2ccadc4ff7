"""What a run found, on one terminal page of plain words: the four questions in order, the results, the next command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judgekit.findings import Findings
from judgekit.printable import printable
from judgekit.records import Agreement, Gap, Refused, SwapResult, Undefined
from judgekit.reporting.words import (
    contrast_words,
    counts_words,
    edit_words,
    estimate_words,
    interval_words,
    level_words,
    mean_words,
    missing_words,
    number,
    reason_words,
    reference_words,
    stale_words,
)

__all__ = ["render_story"]


_STEPS, _EDITS = 6, 3


def render_story(findings: Findings, *, where: str | None = None, folder: str = "") -> str:
    """Write the page.

    Parameters
    ----------
    findings : Findings
        What a run found.
    where : str, optional
        The run folder, to be named at the end.
    folder : str
        The study's folder as seen from where the reader is, so that the commands shown work there.

    Returns
    -------
    str
        Lines of at most about 100 characters; foreign text is made printable.
    """
    f = findings
    whom, it = ("group", "it") if f.study.get("groups") else ("person", "them")
    parts = [
        f"{printable(f.study['study'])}: {f.blinding.n_in} replies, judge {printable(f.judging.judge)}",
        "",
        f"1. Could the judge see the {whom}?",
        *_blinding(f),
        "",
        f"2. Does the judge react to the {whom} when it can see {it}?",
        *_swap(f),
        "",
        "3. Does the judge agree with people?",
        *_agreement(f),
        "",
        ("4. Is the difference larger than noise?" + _logs(f)) if whom == "group" else "4. What was counted?",
        *(_gaps(f) if whom == "group" else _means(f)),
        "",
        f"Gate: {f.gate}",
        *_edits(f),
        *([f"Report: {where}/report.md"] if where else []),
        *_next(f, folder),
    ]
    return "\n".join(parts)


def _blinding(f: Findings) -> list[str]:
    b, excess = f.blinding, f.too_many_withheld
    checked = f"{b.verified} of {b.n_in} replies were blinded and passed the separate check; {b.withheld} are withheld"
    if not b.verified:
        lines = ["   Not settled: nothing could be blinded, every reply is withheld."]
    elif excess:
        lines = [f"   Not settled: {checked}, which is more than the study allows."]
        lines += [f"      {reason_words(reason)}" for reason in excess]
    else:
        lines = [f"   No: {checked}."]
    if b.siblings is not None:
        lines.append(
            f"   Of {b.sibling_sets} sets of texts that differ only in the person, {number(100 * b.siblings, 0)}% are "
            "identical after blinding."
        )
    shares = [f"{printable(g)} {number(100 * c['share'], 1)}%" for g, c in b.by_group.items()]
    if b.withheld and len(shares) > 1:
        lines.append(f"   Withheld by group: {', '.join(shares)}.")
    return lines


def _edits(f: Findings) -> list[str]:
    more = len(f.later_edits) - _EDITS
    return [
        *(f"Decided later: {edit_words(edit)}" for edit in f.later_edits[:_EDITS]),
        *([f"   and {more} more in the report"] if more > 0 else []),
    ]


def _swap(f: Findings) -> list[str]:
    if not f.swap:
        return [f"   {printable(f.swap_note or 'not run')}"]
    return [line for s in f.swap for line in _swap_result(s)]


def _swap_result(s: SwapResult) -> list[str]:
    verdict = {"passed": "No", "failed": "Yes", "uninformative": "Cannot tell"}[s.verdict]
    lines = [
        (
            f"   {printable(s.dimension)}: {verdict}. The same {s.n} texts under names of {printable(s.contrast.a)} score "
            f"{number(s.shift, signed=True)} {interval_words(s.interval)}"
        ),
        (
            f"   against {printable(s.contrast.b)} (tolerance ±{number(s.margin)}; the same text twice: "
            f"{number(s.control_shift, signed=True)}{_reworded(s)}): {printable(s.why)}."
        ),
    ]
    top = sorted(s.per_name.items(), key=lambda x: -abs(x[1]))[:3]
    if any(abs(v) >= 0.005 for _, v in top):
        lines.append(
            "   Largest by name: " + ", ".join(f"{printable(k)} {number(v, signed=True)}" for k, v in top) + "."
        )
    return lines


def _reworded(s: SwapResult) -> str:
    shift = s.paraphrase_shift
    return "" if isinstance(shift, Undefined) else f"; reworded: {number(shift, signed=True)}"


def _agreement(f: Findings) -> list[str]:
    stale = stale_words(f.labels)
    lines = [f"   {stale}."] if stale else []
    if not f.agreement:
        return [*lines, "   Not known: nobody has labelled these texts yet."]
    references = {r.dimension: r for r in f.references}
    for dimension in dict.fromkeys(a.dimension for a in f.agreement):
        rows = [a for a in f.agreement if a.dimension == dimension and a.by is None]
        lines.append(f"   {printable(dimension)}: kappa of " + "; ".join(_pair(a) for a in rows))
        if dimension in references:
            lines.append(f"      {reference_words(references[dimension])}")
    lines += [
        f"   {printable(r.dimension)} ({contrast_words(r.contrast)}) is REFUSED: {reason_words(r.reasons[0])}"
        + (f" And {len(r.reasons) - 1} more reason(s), see the report." if len(r.reasons) > 1 else "")
        for r in f.refused
    ]
    for c in f.calibrated:
        lines.append(
            f"   {printable(c.dimension)} ({contrast_words(c.contrast)}) is calibrated"
            + (": " + "; ".join(c.conditions) if c.conditions else ".")
        )
    return lines


def _pair(a: Agreement) -> str:
    return f"{printable(a.a)} with {printable(a.b)} {number(a.kappa)} (n {a.n})"


def _means(f: Findings) -> list[str]:
    level = level_words(f.study["statistics"]["interval"])
    lines = [f"   {printable(m.metric)}: mean {mean_words(m)}" for m in f.means]
    return [f"   There are no groups to compare. Intervals are at {level}.", *lines]


def _gaps(f: Findings) -> list[str]:
    lines = [f"   Intervals are at {level_words(f.study['statistics']['interval'])}."]
    lines += [line for g in f.gaps for line in _gap(g)]
    refused = _once(f.refused)
    if refused:
        lines.append(f"   Not reported, because refused: {', '.join(refused)}.")
    shown = {(g.metric, g.contrast) for g in f.gaps}
    lines += [
        f"   people's own scores, {printable(h.dimension)}, {contrast_words(h.contrast)}: {estimate_words(h.estimate)}"
        f" on {h.estimate.n_a} and {h.estimate.n_b} labelled texts"
        for h in f.human_gaps
        if (h.dimension, h.contrast) not in shown
    ]
    return lines


def _logs(f: Findings) -> str:
    return " (Logs: it is confounded whatever its size.)" if f.study["data"]["design"] == "observational" else ""


def _gap(g: Gap) -> list[str]:
    margin = f"margin ±{number(g.margin)}: {g.verdict}" if g.margin is not None else "no margin set"
    lines = [
        f"   {printable(g.metric)}, {contrast_words(g.contrast)}: {estimate_words(g.main)} on {counts_words(g)}; {margin}"
    ]
    if g.kind == "judged":
        if g.counts == "raw":
            how, others = "as the judge says", [f"corrected for its errors {estimate_words(g.corrected)}"]
        else:
            how, others = "corrected for the judge's errors", [f"uncorrected {estimate_words(g.raw)}"] if g.raw else []
        lines.append("      " + "; ".join([how, *others, f"people alone {estimate_words(g.human_only)}"]))
    if g.rows and (g.rows.missing_a or g.rows.missing_b):
        lines.append(f"      without a value: {missing_words(g)}")
    # The page has room for what was left out; the rest of the notes stand in the report.
    lines += [
        f"      {printable(note)}"
        for note in (g.all_notes if g.kind == "measured" else g.main.notes if g.main else ())
        if any(w in note for w in ("dropped", "left out", "confounded", "no template", "read by a model"))
    ]
    return lines


def _once(refused: Iterable[Refused]) -> Sequence[str]:
    return list(dict.fromkeys(printable(r.dimension) for r in refused))


def _next(f: Findings, folder: str) -> list[str]:
    here = dict(zip(f.labels.commands(), f.labels.commands(folder), strict=True))
    told = "people label: "
    steps = [told + here[step.removeprefix(told)] if step.removeprefix(told) in here else step for step in f.next_steps]
    steps = [step.replace(f.labels.adding(0)[:-1], f.labels.adding(0, folder)[:-1]) for step in steps]
    more = len(steps) - _STEPS
    return [
        "",
        "Next:",
        *(f"   {printable(step)}" for step in steps[:_STEPS]),
        *([f"   and {more} more in the report"] if more > 0 else []),
    ]
