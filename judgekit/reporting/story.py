"""What a run found, on one terminal page of plain words: the four questions in order, the results, the next command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from judgekit.findings import Findings
from judgekit.printable import printable
from judgekit.records import Agreement, Gap, Refused, SwapResult, Undefined
from judgekit.reporting.words import contrast_words, estimate_words, interval_words, number, reason_words

__all__ = ["render_story"]


def render_story(findings: Findings, *, where: str | None = None) -> str:
    """Write the page.

    Parameters
    ----------
    findings : Findings
        What a run found.
    where : str, optional
        The run folder, to be named at the end.

    Returns
    -------
    str
        Lines of at most about 100 characters; foreign text is made printable.
    """
    f = findings
    parts = [
        f"{printable(f.study['study'])}: {f.blinding.n_in} replies, judge {printable(f.judging.judge)}",
        "",
        "1. Could the judge see the group?",
        *_blinding(f),
        "",
        "2. Does the judge react to the group when it can see it?",
        *_swap(f),
        "",
        "3. Does the judge agree with people?",
        *_agreement(f),
        "",
        "4. Is the difference larger than noise?",
        *_gaps(f),
        "",
        f"Gate: {f.gate}",
        *([f"Report: {where}/report.md"] if where else []),
        *_next(f),
    ]
    return "\n".join(parts)


def _blinding(f: Findings) -> list[str]:
    b = f.blinding
    lines = [
        f"   No: {b.verified} of {b.n_in} replies were blinded and passed the separate check; {b.withheld} are withheld."
        if b.verified
        else "   Nothing could be blinded: every reply is withheld."
    ]
    if b.siblings is not None:
        lines.append(
            f"   Of {b.sibling_sets} sets of texts that differ only in the person, {number(100 * b.siblings, 0)}% are "
            "identical after blinding."
        )
    shares = [f"{printable(g)} {number(100 * c['share'], 1)}%" for g, c in b.by_group.items()]
    if b.withheld and len(shares) > 1:
        lines.append(f"   Withheld by group: {', '.join(shares)}.")
    return lines


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
            f"{number(s.control_shift, signed=True)}): {printable(s.why)}."
        ),
    ]
    top = sorted(s.per_name.items(), key=lambda x: -abs(x[1]))[:3]
    if any(abs(v) >= 0.005 for _, v in top):
        lines.append(
            "   Largest by name: " + ", ".join(f"{printable(k)} {number(v, signed=True)}" for k, v in top) + "."
        )
    return lines


def _agreement(f: Findings) -> list[str]:
    if not f.agreement:
        return ["   Not known: nobody has labelled these texts yet."]
    lines = []
    for dimension in dict.fromkeys(a.dimension for a in f.agreement):
        rows = [a for a in f.agreement if a.dimension == dimension and a.by is None]
        lines.append(f"   {printable(dimension)}: " + "; ".join(_pair(a) for a in rows))
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
    bound = "" if isinstance(a.lower, Undefined) else f", at least {number(a.lower)}"
    return f"{printable(a.a)} with {printable(a.b)} kappa {number(a.kappa)}{bound} (n {a.n})"


def _gaps(f: Findings) -> list[str]:
    lines = [_gap(g) for g in f.gaps]
    refused = _once(f.refused)
    if refused:
        lines.append(f"   Not reported, because refused: {', '.join(refused)}.")
    shown = {(g.metric, g.contrast) for g in f.gaps}
    lines += [
        f"   people's own scores, {printable(h.dimension)}, {contrast_words(h.contrast)}: {estimate_words(h.estimate)}"
        for h in f.human_gaps
        if (h.dimension, h.contrast) not in shown
    ]
    return lines or ["   There are no groups to compare."]


def _gap(g: Gap) -> str:
    main = g.main
    parts = [f"   {printable(g.metric)}, {contrast_words(g.contrast)}: {estimate_words(main)}"]
    if g.kind == "judged":
        if g.counts == "raw":
            how, others = "as the judge says", [f"corrected for its errors {estimate_words(g.corrected)}"]
        else:
            how, others = "corrected for the judge's errors", [f"uncorrected {estimate_words(g.raw)}"] if g.raw else []
        parts.append("; ".join([how, *others, f"people alone {estimate_words(g.human_only)}"]))
    parts.append(f"margin ±{number(g.margin)}: {g.verdict}" if g.margin is not None else "no margin set")
    return "; ".join(parts)


def _once(refused: Iterable[Refused]) -> Sequence[str]:
    return list(dict.fromkeys(printable(r.dimension) for r in refused))


def _next(f: Findings) -> list[str]:
    return ["", "Next:", *(f"   {printable(step)}" for step in f.next_steps[:6])]
