"""The sentences of the page: the question, the answer, what was tested and how, its limits."""

from __future__ import annotations

from collections.abc import Iterable

from judgekit.findings import Findings
from judgekit.printable import printable
from judgekit.records import Undefined
from judgekit.reporting.words import (
    claim_words,
    contrast_words,
    counts_words,
    edit_words,
    estimate_words,
    number,
    outside_scale_lines,
    reason_words,
    stale_words,
    threshold_words,
)

__all__ = ["answer", "decisions", "headlines", "limits", "method", "question", "scope"]

Facts = list[tuple[str, str]]


def _listed(items: Iterable[str]) -> str:
    """Words in a list: a, b and c."""
    found = [printable(x) for x in dict.fromkeys(items)]
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}" if found else ""


def _system(f: Findings) -> str:
    return printable(f.study["system"].get("name") or "the system under test")


def question(f: Findings) -> str:
    """What the study asks, in one sentence."""
    dimensions = _listed([*f.study["rubrics"], *f.study["measured"]])
    groups = f.study.get("groups")
    if not groups:
        return f"Can the judge {printable(f.judging.judge)} be believed when it scores {_listed(f.study['rubrics'])}?"
    values = groups["values"]
    people = (
        _listed(v.get("label") or k for k, v in values.items()) or f"the groups of {printable(groups['attribute'])}"
    )
    return (
        f"Does {_system(f)} answer {people} differently in {dimensions}, by more than the margins decided beforehand?"
    )


def _metrics(f: Findings, *verdicts: str) -> str:
    return _listed(g.metric for g in f.gaps if g.verdict in verdicts)


def answer(f: Findings) -> str:
    """The answer in one sentence; a refused metric is named without its numbers, and a difference in logs as confounded."""
    told = _verdict(f)
    if f.gaps and f.study["data"]["design"] == "observational":
        return f"{told[:-1]}; these are logs, where a difference is confounded and no group effect."
    return told


def _verdict(f: Findings) -> str:
    refused = _listed(r.dimension for r in f.refused)
    if not f.study.get("groups"):
        calibrated = _listed(c.dimension for c in f.calibrated)
        yes = f"Yes, for {calibrated}" if calibrated else "Not on this evidence"
        return f"{yes}; refused for {refused}." if refused and calibrated else f"{yes}."
    withheld = f"the judge's numbers for {refused} are withheld" if refused else ""
    if met := _metrics(f, "fail"):
        told = f"Yes: {met} {'lie' if ' and ' in met else 'lies'} beyond the margin"
    elif met := _metrics(f, "warn", "cannot tell"):
        told = f"Not settled: for {met} the interval does not tell whether the gap is inside the margin"
    elif met := _metrics(f, "pass"):
        told = f"No: {met} {'stay' if ' and ' in met else 'stays'} inside the margin"
    elif refused:
        return f"Not answered: {withheld}."
    else:
        return "No margin was set, so that nothing is called large or small."
    return f"{told}; {withheld}." if withheld else f"{told}."


def headlines(f: Findings) -> list[str]:
    """One line for every primary metric, or for every metric with a margin where none is primary."""
    primary = [g for g in f.gaps if g.role == "primary"] or [g for g in f.gaps if g.margin is not None]
    lines = [
        f"{printable(g.metric)}, {contrast_words(g.contrast)}: {estimate_words(g.main)} on {counts_words(g)}; "
        + ("no margin" if g.margin is None else f"margin ±{number(g.margin)}: {g.verdict}")
        for g in primary[:12]
    ]
    return lines + [
        f"{printable(r.dimension)}, {contrast_words(r.contrast)}: refused, {reason_words(r.reasons[0])}"
        for r in f.refused[:12]
    ]


def scope(f: Findings) -> Facts:
    """What was tested."""
    system = {k: v for k, v in f.study["system"].items() if v}
    named = [printable(system.pop("name"))] if "name" in system else []
    described = ", ".join([*named, *(f"{k.replace('_', ' ')} {printable(str(v))}" for k, v in system.items())])
    b = f.blinding
    facts = [
        ("System", described or "not described"),
        ("Replies", f"{b.n_in} read, {b.verified} blinded and verified, {b.withheld} withheld"),
    ]
    groups = f.study.get("groups")
    if not groups:
        return [*facts, ("Groups", "none: the judge is validated, nothing is compared")]
    tested = ", ".join(printable(v.get("label") or k) for k, v in groups["values"].items()) or "as the replies say"
    facts.append(("Groups", f"{printable(groups['attribute'])}: {tested}"))
    if groups.get("names_chosen_by"):
        facts.append(("Names chosen by", printable(groups["names_chosen_by"])))
    return facts


def method(f: Findings) -> Facts:
    """How it was tested."""
    b, j = f.blinding, f.judging
    blinded = "names, pronouns and other cues become placeholders, checked by separate code"
    if b.siblings is not None:
        blinded += (
            f"; {number(100 * b.siblings, 0)}% of {b.sibling_sets} sets of declared copies are identical after blinding"
        )
    facts = [("Blinding", blinded), ("Judge", f"{printable(j.judge)}, on blinded text only")]
    if j.dropped:
        facts.append(("Settings that the judge does not take", ", ".join(map(printable, j.dropped))))
    if outside := outside_scale_lines(j.outside_scale):
        facts.append(("Scale", "; ".join(outside)))
    people = ", ".join(f"{printable(who)} {n} texts" for who, n in f.labels.per_annotator.items()) or "none yet"
    stale = stale_words(f.labels)
    facts.append(("Labels", people + (f"; {stale}" if stale else "")))
    if f.labels.anchors:
        facts.append(("Anchor set", "the labels are on a frozen set of texts, judged again with these replies"))
    if groups := f.study.get("groups"):
        claim = "observed" if f.study["data"]["design"] == "observational" else groups["claim"]
        facts.append(("Inference", f"template means; {claim_words(claim)}; first group minus second"))
        facts.append(
            ("Several metrics", f"those not primary are corrected ({f.study['statistics']['correction'].upper()})")
        )
    return facts


def decisions(f: Findings) -> Facts:
    """What was decided beforehand, by whom, and what was edited later."""
    c, swap = f.study["calibration"], f.study["swap_test"]
    facts = [
        ("Decided by", printable(f.decided_by or "nobody named")),
        ("Sealed", (f.sealed_at or "not yet")[:10]),
        ("Judge is believed from", threshold_words(c)),
        ("Swap test", f"a shift within ±{number(swap['margin'])} counts as none"),
    ]
    if c.get("override_reason"):
        facts.append(("Thresholds under 0.40 because", printable(c["override_reason"])))
    facts += [("Edited later", edit_words(edit)) for edit in f.later_edits]
    return facts


def limits(f: Findings) -> list[str]:
    """What was not tested, and what the results cannot say."""
    groups = f.study.get("groups")
    lines = []
    if groups:
        lines.append(f"Not tested: {_listed(groups['not_tested']) or 'nobody stated what was left out'}.")
        if f.study["data"]["design"] == "observational":
            lines.append(
                "The replies are logs: differences between the groups are confounded and are no group effects."
            )
        elif groups["claim"] == "these_names":
            lines.append("The claim is about exactly these names, not about the groups.")
        if not groups.get("names_chosen_by"):
            lines.append("Nobody stated who chose the names.")
    if f.study["stage"] == "pilot":
        lines.append("This is a pilot: its findings are leads and want a confirmatory study.")
    if not f.injection:
        lines.append("Hostile replies were not tried on the judge (judge.injection: true).")
    if not f.swap:
        lines.append(f"No swap test: {printable(f.swap_note or 'not run')}.")
    if not f.pair_swap and groups:
        lines.append("Pairs of replies, and with them position bias, were not tested (swap_test.pairs).")
    if not f.agreement:
        lines.append("Nobody has labelled these texts: what the judge is worth is not known.")
    elif not any(not isinstance(found.get("kappa"), Undefined) for found in f.human_kappa.values()):
        lines.append("Human agreement was not measured.")
    if f.in_doubt:
        lines.append(f"{f.in_doubt} calls were under way when an earlier run ended; they may have been paid twice.")
    lines += [f"{printable(note[:1].upper() + note[1:])}." for note in f.notes]
    lines += [
        f"{printable(c.dimension)}, {contrast_words(c.contrast)}: {printable(x)}."
        for c in f.calibrated
        for x in c.conditions
    ]
    return lines
