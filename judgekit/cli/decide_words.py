"""What decisions and their comparison with rewording look like at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from judgekit.cli.output import table
from judgekit.printable import printable
from judgekit.records import GapEstimate, Interval, Undefined

if TYPE_CHECKING:
    from judgekit.deciding.against_wording import AgainstWording
    from judgekit.deciding.candidates import CandidateChoice
    from judgekit.deciding.checks import Checked
    from judgekit.deciding.decided import DecisionGap
    from judgekit.deciding.report import Decisions, Wordings

__all__ = ["print_decisions", "print_wordings"]


def print_decisions(found: Decisions, *, target: str) -> None:
    """Print how the answers were had, what became of every prompt, each contrast with its templates, and the checks."""
    heard = found.heard
    how = (
        "first-token probabilities"
        if found.method == "probabilities"
        else f"shares over samples, not probabilities: {printable(found.why)}"
    )
    typer.echo(f"{printable(target)}: {' / '.join(map(printable, found.options))} by {how}")
    typer.echo(f"{len(heard.answers):,} places, {heard.texts:,} different prompts, {heard.cost.calls:,} calls")
    headers = [
        "probe",
        "group",
        "prompts",
        "answered",
        "infinite",
        "bounded",
        f"mean p({printable(found.options[0])})",
        "missing",
    ]
    rows = []
    for (probe, group), counts in found.counts.items():
        kinds = ", ".join(f"{kind} {n}" for kind, n in counts.missing.items()) or "-"
        rows.append([probe, group, counts.cells, counts.answered, counts.infinite, counts.bounded, counts.mean, kinds])
    typer.echo(table(headers, rows))
    if any(counts.infinite for counts in found.counts.values()):
        typer.echo(
            "infinite: only one of the two answers is among the listed tokens; bounded: log-odds use what the unlisted "
            "probability allows"
        )
    if not found.gaps and not found.candidates:
        typer.echo("no two groups to compare")
    for gap in found.gaps:
        _print_gap(gap)
    for one in found.candidates:
        _print_candidates(one, found.options)
    print_wordings(found.wordings)


def _print_gap(gap: DecisionGap) -> None:
    a, b = printable(gap.contrast.a), printable(gap.contrast.b)
    typer.echo("")
    typer.echo(f"{printable(gap.probe)}: p({printable(gap.option)}), {a} − {b}: {_words(gap.share)}")
    if gap.logit is not None:
        typer.echo(f"  log-odds {_words(gap.logit)}")
    share = gap.share
    typer.echo(
        f"  {share.method}; {share.n_a} and {share.n_b} prompts, {share.templates} templates, "
        f"{share.names_a} and {share.names_b} names"
        + (f"; margin ±{gap.margin:g}: {gap.verdict}" if gap.margin is not None else "")
    )
    if not isinstance(gap.within_noise, Undefined):
        typer.echo(f"  {'no larger' if gap.within_noise else 'larger'} than between byte-identical prompts")
    for note in dict.fromkeys(gap.notes):
        typer.echo(f"  note: {printable(note)}")
    if gap.per_template:
        rows = [
            [
                row.template,
                row.case_type,
                row.a,
                row.b,
                row.gap,
                None if row.logit is None or isinstance(row.logit.value, Undefined) else row.logit.value,
                0 if row.logit is None else row.logit.infinite,
            ]
            for row in gap.per_template
        ]
        typer.echo(
            table(
                ["template", "case type", f"p {a}", f"p {b}", "gap", "log-odds", "infinite"],
                rows,
            )
        )
    if gap.by_case_type:
        found = [
            [case, e.templates, None if isinstance(e.value, Undefined) else e.value, *_ends(e)]
            for case, e in gap.by_case_type.items()
        ]
        typer.echo(table(["case type", "templates", "gap", "low", "high"], found))


def _print_candidates(one: CandidateChoice, options: tuple[str, ...]) -> None:
    from judgekit.reporting.words import interval_words, number

    a, b = printable(one.contrast.a), printable(one.contrast.b)
    typer.echo("")
    typer.echo(
        f"{printable(one.probe)}, two candidates ({printable(options[0])} is the one shown first): preference {a} − {b} "
        f"{number(one.preference, 3, signed=True)} {interval_words(one.interval, 3)}, p {number(one.p, 3)}"
    )
    typer.echo(
        f"  shown first − shown second {number(one.position, 3, signed=True)} {interval_words(one.position_interval, 3)}; "
        f"{one.pairs} pairs in both orders, {one.incomplete} of them incomplete, {len(one.per_template)} templates"
    )


def _ends(estimate: GapEstimate) -> list[float | None]:
    interval = estimate.interval
    return [interval.low, interval.high] if isinstance(interval, Interval) else [None, None]


def _words(estimate: GapEstimate) -> str:
    from judgekit.reporting.words import estimate_words

    p = estimate.p
    shown = "" if isinstance(p, Undefined) else ", p <0.001" if p < 0.001 else f", p {p:.3f}"
    return f"{estimate_words(estimate, 3)}{shown}"


def print_wordings(found: Wordings) -> None:
    """Print the comparison with rewording and the checks."""
    for one in found.against:
        _print_wording(one)
    for check in found.checks:
        _print_check(check)


def _print_wording(one: AgainstWording) -> None:
    what = {"paraphrase": "a paraphrase", "fixed_sentence": "a neutral sentence added"}[one.wording]
    said = {
        "exceeds": "the change of group moves decisions further than rewording alone",
        "not shown": "not shown to move decisions further than rewording alone",
        "cannot tell": "cannot tell whether it moves decisions further than rewording alone",
    }[one.verdict]
    typer.echo("")
    typer.echo(
        f"{printable(one.probe)}, {printable(one.contrast.a)} and {printable(one.contrast.b)} against {what}: {said} "
        f"({printable(one.why)})"
    )
    rows: list[list[object]] = [
        ["JSD (bits)", _number(one.targeted.mean_jsd), _number(one.baseline.mean_jsd), _number(one.excess.p)]
    ]
    if not isinstance(one.change, Undefined):
        for name, test in (
            ("flip rate", one.change.flip_rate),
            ("mutual information", one.change.mutual_information),
            ("phi", one.change.phi),
        ):
            rows.append([name, _number(test.targeted), _number(test.baseline), _number(test.p)])
    typer.echo(table(["metric", "group", "rewording", "p one-sided"], rows))
    if not isinstance(one.difference, Undefined):
        beta = one.difference.beta
        shown = "undefined" if isinstance(beta.p, Undefined) else f"{beta.p:.3g}"
        typer.echo(
            f"  shift toward {printable(one.contrast.a)} in p({printable(one.option)}): {float(beta.value):+.3f}, p {shown} "
            f"(difference model, balance {one.difference.balance:+.2f})"
        )
    typer.echo(
        f"  {one.items} prompts of {one.templates} templates; {one.incomplete} incomplete, {one.no_majority} without a majority"
    )
    for note in one.notes:
        typer.echo(f"  note: {printable(note)}")


def _print_check(check: Checked) -> None:
    typer.echo("")
    typer.echo(
        f"{printable(check.probe)}, recall (the answer must change): {check.recall}; {printable(check.recall_why)}"
    )
    typer.echo(
        f"{printable(check.probe)}, precision (the answer should stay): {check.precision}; {printable(check.precision_why)}"
    )


def _number(value: float | Undefined) -> float | None:
    return None if isinstance(value, Undefined) else value
