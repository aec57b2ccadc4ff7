"""The sentences of the page: the question, the answer, what was tested and how, its limits, in the language spoken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

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
    percentage,
    reason_words,
    shown,
    stale_words,
    threshold_words,
)
from judgekit.wording.sentence import Sentence, day, say, told

__all__ = ["answer", "decisions", "headlines", "limits", "method", "question", "scope"]

Facts = list[tuple[str, str]]


def _listed(items: Iterable[str]) -> str:
    """Words in a list: a, b and c."""
    found = [printable(x) for x in dict.fromkeys(items)]
    if len(found) < 2:
        return "".join(found)
    return say("{a} and {b}", a=", ".join(found[:-1]), b=found[-1])


def _system(f: Findings) -> str:
    name = f.study["system"].get("name")
    return printable(name) if name else say("the system under test")


def question(f: Findings) -> str:
    """What the study asks, in one sentence."""
    dimensions = _listed([*f.study["rubrics"], *f.study["measured"]])
    groups = f.study.get("groups")
    if not groups:
        return say(
            "Can the judge {judge} be believed when it scores {rubrics}?",
            judge=printable(f.judging.judge), rubrics=_listed(f.study["rubrics"]),
        )  # fmt: skip
    values = groups["values"]
    people = _listed(v.get("label") or k for k, v in values.items())
    return say(
        "Does {system} answer {people} differently in {dimensions}, by more than the margins decided beforehand?",
        system=_system(f),
        people=people or say("the groups of {attribute}", attribute=printable(groups["attribute"])),
        dimensions=dimensions,
    )


def _metrics(f: Findings, *verdicts: str) -> tuple[str, int]:
    """The metrics with one of these verdicts, and how many they are."""
    met = dict.fromkeys(g.metric for g in f.gaps if g.verdict in verdicts)
    return _listed(met), len(met)


def answer(f: Findings) -> str:
    """The answer in one sentence; a refused metric is named without its numbers, and a difference in logs as confounded."""
    verdict = _verdict(f)
    if f.gaps and f.study["data"]["design"] == "observational":
        logs = say("these are logs, where a difference is confounded and no group effect.")
        return f"{verdict[:-1]}; {logs}"
    return verdict


def _verdict(f: Findings) -> str:
    refused = _listed(r.dimension for r in f.refused)
    if not f.study.get("groups"):
        calibrated = _listed(c.dimension for c in f.calibrated)
        if refused and calibrated:
            return say("Yes, for {calibrated}; refused for {refused}.", calibrated=calibrated, refused=refused)
        return say("Yes, for {calibrated}.", calibrated=calibrated) if calibrated else say("Not on this evidence.")
    withheld = say("the judge's numbers for {refused} are withheld", refused=refused) if refused else None
    settled = _settled(f)
    if settled is None:
        if withheld:
            return say("Not answered: {withheld}.", withheld=withheld)
        return say("No margin was set, so that nothing is called large or small.")
    return f"{settled}; {withheld}." if withheld else f"{settled}."


def _settled(f: Findings) -> Sentence | None:
    """What the metrics with a margin say together; None where there is none."""
    met, n = _metrics(f, "fail")
    if n:
        return (
            say("Yes: {metrics} lie beyond the margin", metrics=met)
            if n > 1
            else say("Yes: {metric} lies beyond the margin", metric=met)
        )
    met, n = _metrics(f, "warn", "cannot tell")
    if n:
        return say(
            "Not settled: for {metrics} the interval does not tell whether the gap is inside the margin", metrics=met
        )
    met, n = _metrics(f, "pass")
    if n:
        return (
            say("No: {metrics} stay inside the margin", metrics=met)
            if n > 1
            else say("No: {metric} stays inside the margin", metric=met)
        )
    return None


def headlines(f: Findings) -> list[str]:
    """One line for every primary metric, or for every metric with a margin where none is primary."""
    primary = [g for g in f.gaps if g.role == "primary"] or [g for g in f.gaps if g.margin is not None]
    lines: list[str] = [
        say(
            "{metric}, {contrast}: {estimate} on {counts}; {margin}",
            metric=printable(g.metric),
            contrast=contrast_words(g.contrast),
            estimate=estimate_words(g.main),
            counts=counts_words(g),
            margin=say("no margin")
            if g.margin is None
            else say("margin ±{margin}: {verdict}", margin=number(g.margin), verdict=told(g.verdict)),
        )
        for g in primary[:12]
    ]
    return lines + [
        say(
            "{dimension}, {contrast}: refused, {reason}",
            dimension=printable(r.dimension),
            contrast=contrast_words(r.contrast),
            reason=reason_words(r.reasons[0]),
        )
        for r in f.refused[:12]
    ]


def scope(f: Findings) -> Facts:
    """What was tested."""
    system = {k: v for k, v in f.study["system"].items() if v}
    named = [printable(system.pop("name"))] if "name" in system else []
    described = ", ".join(
        [*named, *(f"{told(k.replace('_', ' '))} {printable(day(str(v)))}" for k, v in system.items())]
    )
    b = f.blinding
    facts: Facts = [
        (say("System"), described or say("not described")),
        (
            say("Replies"),
            say(
                "{read} read, {verified} blinded and verified, {withheld} withheld",
                read=b.n_in, verified=b.verified, withheld=b.withheld,
            ),
        ),
    ]  # fmt: skip
    groups = f.study.get("groups")
    if not groups:
        return [*facts, (say("Groups"), say("none: the judge is validated, nothing is compared"))]
    tested = ", ".join(printable(v.get("label") or k) for k, v in groups["values"].items()) or say("as the replies say")
    facts.append((say("Groups"), f"{printable(groups['attribute'])}: {tested}"))
    if groups.get("names_chosen_by"):
        facts.append((say("Names chosen by"), printable(groups["names_chosen_by"])))
    return facts


def method(f: Findings) -> Facts:
    """How it was tested."""
    b, j = f.blinding, f.judging
    blinded: str = say("names, pronouns and other cues become placeholders, checked by separate code")
    if b.siblings is not None:
        blinded += "; " + say(
            "{share} of {sets} sets of declared copies are identical after blinding",
            share=percentage(b.siblings), sets=b.sibling_sets,
        )  # fmt: skip
    facts: Facts = [
        (say("Blinding"), blinded),
        (say("Judge"), say("{judge}, on blinded text only", judge=printable(j.judge))),
    ]
    if j.dropped:
        facts.append((say("Settings that the judge does not take"), ", ".join(map(printable, j.dropped))))
    if outside := outside_scale_lines(j.outside_scale):
        facts.append((say("Scale"), "; ".join(outside)))
    people = ", ".join(say("{who} {n} texts", who=printable(who), n=n) for who, n in f.labels.per_annotator.items())
    stale = stale_words(f.labels)
    facts.append((say("Labels"), (people or say("none yet")) + (f"; {stale}" if stale else "")))
    if f.labels.anchors:
        facts.append(
            (say("Anchor set"), say("the labels are on a frozen set of texts, judged again with these replies"))
        )
    if groups := f.study.get("groups"):
        claim = "observed" if f.study["data"]["design"] == "observational" else groups["claim"]
        facts.append(
            (say("Inference"), say("template means; {claim}; first group minus second", claim=claim_words(claim)))
        )
        correction = f.study["statistics"]["correction"].upper()
        facts.append((say("Several metrics"), say("those not primary are corrected ({method})", method=correction)))
    return facts


def decisions(f: Findings) -> Facts:
    """What was decided beforehand, by whom, and what was edited later."""
    c, swap = f.study["calibration"], f.study["swap_test"]
    facts: Facts = [
        (say("Decided by"), printable(f.decided_by) if f.decided_by else say("nobody named")),
        (say("Sealed"), day(f.sealed_at) if f.sealed_at else say("not yet")),
        (say("Judge is believed from"), threshold_words(c)),
        (say("Swap test"), say("a shift within ±{margin} counts as none", margin=number(swap["margin"]))),
    ]
    if c.get("override_reason"):
        facts.append((say("Thresholds under {least:.2f} because", least=0.40), printable(c["override_reason"])))
    facts += [(say("Edited later"), edit_words(edit)) for edit in f.later_edits]
    return facts


def limits(f: Findings) -> list[str]:
    """What was not tested, and what the results cannot say."""
    groups = f.study.get("groups")
    lines: list[str] = _limits_of_groups(f, groups) if groups else []
    if f.study["stage"] == "pilot":
        lines.append(say("This is a pilot: its findings are leads and want a confirmatory study."))
    if not f.injection:
        lines.append(say("Hostile replies were not tried on the judge (judge.injection: true)."))
    if not f.swap:
        lines.append(say("No swap test: {note}.", note=shown(f.swap_note or say("not run"))))
    if not f.pair_swap and groups:
        lines.append(say("Pairs of replies, and with them position bias, were not tested (swap_test.pairs)."))
    if not f.agreement:
        lines.append(say("Nobody has labelled these texts: what the judge is worth is not known."))
    elif not any(not isinstance(found.get("kappa"), Undefined) for found in f.human_kappa.values()):
        lines.append(say("Human agreement was not measured."))
    if f.in_doubt:
        lines.append(
            say("{n} calls were under way when an earlier run ended; they may have been paid twice.", n=f.in_doubt)
        )
    for note in f.notes:
        line = shown(note)
        lines.append(f"{line[:1].upper()}{line[1:]}.")
    lines += [
        f"{printable(c.dimension)}, {contrast_words(c.contrast)}: {shown(x)}."
        for c in f.calibrated
        for x in c.conditions
    ]
    return lines


def _limits_of_groups(f: Findings, groups: Mapping[str, Any]) -> list[str]:
    left_out = _listed(groups["not_tested"]) or say("nobody stated what was left out")
    lines: list[str] = [say("Not tested: {left_out}.", left_out=left_out)]
    if f.study["data"]["design"] == "observational":
        lines.append(
            say("The replies are logs: differences between the groups are confounded and are no group effects.")
        )
    elif groups["claim"] == "these_names":
        lines.append(say("The claim is about exactly these names, not about the groups."))
    if not groups.get("names_chosen_by"):
        lines.append(say("Nobody stated who chose the names."))
    return lines
