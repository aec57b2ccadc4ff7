"""The page that a build shows: verdicts, refusals and next steps in Markdown, short enough for a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from judgekit.builds.cases import Case
from judgekit.findings import Findings
from judgekit.reporting.words import contrast_words, escape_markdown, estimate_words, number, reference_words

__all__ = ["render_step_summary"]

_MARKS = {"pass": "✅", "calibrated": "✅", "no margin": "➖", "refused": "⛔", "fail": "❌"}
_STEPS = 6


def render_step_summary(findings: Findings, cases: Sequence[Case], *, code: int) -> str:
    """Write the summary.

    Parameters
    ----------
    findings : Findings
    cases : sequence of Case
        As `cases_of` gives them.
    code : int
        The gate's exit code.

    Returns
    -------
    str
        Markdown. Foreign text in it is escaped; no reply is quoted; a refused metric stands there with its reasons and
        without its number.
    """
    f = findings
    lines = [
        f"## judgekit gate: {f.gate} ({escape_markdown(f.study['study'])})",
        "",
        (
            f"{f.blinding.n_in} replies, {f.blinding.withheld} withheld; judge {escape_markdown(f.judging.judge)}; "
            f"exit code {code}."
        ),
        "",
        "| | metric | contrast | gap and interval | margin | verdict |",
        "|---|---|---|---|---|---|",
        *(_row(case) for case in cases),
        "",
    ]
    lines += [
        f"- {escape_markdown(case.name)}: {escape_markdown(condition)}"
        for case in cases
        for condition in case.conditions
    ]
    lines += [f"- {escape_markdown(r.dimension)}: kappa, {reference_words(r)}" for r in f.references]
    lines += [
        f"- {escape_markdown(case.name)} is **refused**: {escape_markdown(why)}"
        for case in cases
        if case.verdict == "refused"
        for why in case.why
    ]
    for gap in f.human_gaps:
        if (gap.dimension, gap.contrast) not in {(g.metric, g.contrast) for g in f.gaps}:
            between = escape_markdown(contrast_words(gap.contrast))
            told = estimate_words(gap.estimate)
            lines.append(f"- People's own scores, {escape_markdown(gap.dimension)}, {between}: {told}")
    lines += [f"- Next: {escape_markdown(step)}" for step in f.next_steps[:_STEPS]]
    return "\n".join([*lines, ""]) + "\n"


def _row(case: Case) -> str:
    cells = [
        _MARKS.get(case.verdict, "⚠️"),
        escape_markdown(case.metric),
        escape_markdown(contrast_words(case.contrast)),
        case.estimate,
        "-" if case.margin is None else f"±{number(case.margin)}",
        case.verdict,
    ]
    return "| " + " | ".join(cells) + " |"
