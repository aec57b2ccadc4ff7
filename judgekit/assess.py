"""From joined evidence to findings: agreement, calibration, gaps, gate, quotes, next steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from judgekit.calibration import calibrate
from judgekit.evidence import Evidence
from judgekit.findings import (
    EVERYBODY,
    BlindingFacts,
    Findings,
    GroupKappa,
    JudgingFacts,
    LabelFacts,
    Quote,
    ReferenceFacts,
)
from judgekit.gaps import ControlFloor, measured_means
from judgekit.gate import gate
from judgekit.injection.results import InjectionResult
from judgekit.judging.expected import outside_scale
from judgekit.next_steps import before_labels, next_steps
from judgekit.observed import all_gaps
from judgekit.records import (
    Agreement,
    BlindedReply,
    Calibrated,
    Criterion,
    MaskedText,
    Rating,
    Refused,
    Reply,
    Scored,
    Undefined,
    Unscored,
    Withheld,
)
from judgekit.swapping.pair_results import PairSwapResult
from judgekit.withholding import shown_agreement, shown_references
from judgekit.wording.sentence import say

__all__ = ["agreement_of", "assess", "blinding_facts", "judging_facts", "quotes_of", "references_of"]


Ceilings = dict[str, dict[str, float | int | Undefined]]


def agreement_of(evidence: Evidence) -> tuple[tuple[Agreement, ...], Ceilings]:
    """Agreement of the judge with each person and of people with each other, overall and by group.

    Parameters
    ----------
    evidence : Evidence

    Returns
    -------
    tuple
        Rows of every pair and dimension; and by dimension the mean human-human kappa with the number of texts.
    """
    from judgekit.agreement.agree import agree
    from judgekit.calibration_case import weights_of

    rows: list[Agreement] = []
    ceilings: Ceilings = {}
    for _, rubric, criterion in evidence.criteria():
        known = evidence.labelled
        human = known.human(rubric, criterion)
        if not human:
            continue
        ratings = _ratings(known, criterion.dimension, human, known.judged(criterion))
        found = agree(
            ratings,
            judge=evidence.judge,
            humans=sorted(human),
            levels=criterion.levels,
            nominal=criterion.kind == "nominal",
            weights=weights_of(criterion),
            by="group" if evidence.contrasts() else None,
        )
        rows += found.pairs
        for ceiling in found.ceilings:
            if ceiling.by is None:
                ceilings[criterion.dimension] = {"kappa": ceiling.kappa, "n": ceiling.n}
    return tuple(rows), ceilings


def references_of(evidence: Evidence) -> tuple[ReferenceFacts, ...]:
    """Agreement of the judge with all the people at once, for every dimension that has labels.

    Parameters
    ----------
    evidence : Evidence

    Returns
    -------
    tuple of ReferenceFacts
        The kappa and the bound that `calibrate` holds against the threshold.
    """
    from judgekit.calibration_case import judge_scores, reference_for

    facts = []
    for _, rubric, criterion in evidence.criteria():
        known = evidence.labelled
        people = known.reference_people(rubric, criterion)
        found = reference_for(known, criterion, judge_scores(known, criterion), people, set(known.design))
        if not isinstance(found, Undefined):
            facts.append(
                ReferenceFacts(
                    dimension=criterion.dimension,
                    kappa=found.value,
                    lower=found.lower,
                    n=found.n,
                    people=len(people),
                    how=found.reference,
                    units=found.units,
                    unit="templates" if found.unit == "clusters" else "texts",
                    interval=found.interval,
                    by_group=_by_group(known, criterion, people) if evidence.study.groups is not None else {},
                )
            )
    return tuple(facts)


def _by_group(
    known: Evidence, criterion: Criterion, people: Mapping[str, Mapping[str, int | str | None]]
) -> dict[str, GroupKappa]:
    from judgekit.calibration_case import judge_scores, reference_for

    judged = judge_scores(known, criterion)
    items: dict[str, set[str]] = {}
    for item, reply in known.design.items():
        if reply.group is not None:
            items.setdefault(reply.group, set()).add(item)
    found = {g: reference_for(known, criterion, judged, people, mine) for g, mine in sorted(items.items())}
    return {
        g: GroupKappa(kappa=r.value, lower=r.lower, interval=r.interval, n=r.n)
        for g, r in found.items()
        if not isinstance(r, Undefined)
    }


def _ratings(
    evidence: Evidence,
    dimension: str,
    human: Mapping[str, Mapping[str, int | str | None]],
    judged: Mapping[str, Scored | Unscored],
) -> list[Rating]:
    def rating(item: str, who: str, score: float | int | str | None) -> Rating:
        group = evidence.design[item].group
        return Rating(item=item, dimension=dimension, annotator=who, score=score, carried={"group": group or ""})

    labelled = sorted({item for scores in human.values() for item in scores})
    ratings = [rating(i, who, value) for who, scores in sorted(human.items()) for i, value in sorted(scores.items())]
    for item in labelled:
        outcome = judged[item]
        ratings.append(rating(item, evidence.judge, outcome.value if isinstance(outcome, Scored) else None))
    return ratings


def blinding_facts(
    results: Mapping[str, BlindedReply | Withheld],
    replies: Mapping[str, Reply],
    masked: Mapping[str, MaskedText],
    *,
    grouped: bool = True,
) -> BlindingFacts:
    """Counts of the blinding stage, by group, with the siblings check.

    Parameters
    ----------
    results : mapping
        Item to what the verifier said.
    replies : mapping
        Item to the reply read.
    masked : mapping
        Item to its masked text.
    grouped : bool
        False for a study without groups: replies are counted together, whatever their rows say.

    Returns
    -------
    BlindingFacts
    """
    from judgekit.blinding.audit import siblings, summary

    found = summary(results.values(), replies if grouped else {})
    copies = siblings(masked.values(), replies)
    share = copies.share
    return BlindingFacts(
        n_in=found.n_in,
        verified=found.verified,
        withheld=found.withheld,
        by_group={
            g.group or EVERYBODY: {
                "in": g.n,
                "verified": g.n - g.withheld,
                "withheld": g.withheld,
                "share": g.share,
                "low": None if isinstance(g.interval, Undefined) else g.interval.low,
                "high": None if isinstance(g.interval, Undefined) else g.interval.high,
            }
            for g in found.by_group
        },
        codes=found.codes,
        siblings=None if isinstance(share, Undefined) else share,
        sibling_sets=copies.sets,
    )


def judging_facts(evidence: Evidence, languages: tuple[str, ...] | None, dropped: tuple[str, ...] = ()) -> JudgingFacts:
    """Per dimension and group, replies in = scored + unscored by kind.

    Parameters
    ----------
    evidence : Evidence
    languages : tuple of str or None
        Languages the judge declares.
    dropped : tuple of str
        Settings that it was found not to take.

    Returns
    -------
    JudgingFacts
    """
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for _, _, criterion in evidence.criteria():
        by_group = counts.setdefault(criterion.dimension, {})
        for item, outcome in evidence.judged(criterion).items():
            own = evidence.design[item].group if evidence.study.groups else None
            group = by_group.setdefault(own or EVERYBODY, {"in": 0, "scored": 0})
            group["in"] += 1
            kind = "scored" if isinstance(outcome, Scored) else outcome.kind
            group[kind] = group.get(kind, 0) + 1
    # Where every reply is withheld nothing was asked, so nothing has a fingerprint.
    asked = {r.id: evidence.fingerprints[r.hash] for r in evidence.rubrics.values() if r.hash in evidence.fingerprints}
    return JudgingFacts(
        judge=evidence.judge,
        fingerprint={rubric: mark[:16] for rubric, mark in asked.items()},
        counts=counts,
        languages=languages,
        dropped=dropped,
        outside_scale=outside_scale(j for j in evidence.judgments if j.task.arm.kind == "base"),
        fingerprints=asked,
    )


def quotes_of(evidence: Evidence, masked: Mapping[str, MaskedText], n: int) -> tuple[Quote, ...]:
    """Pairs of replies to one template with the same position in the design, spread over the templates.

    Parameters
    ----------
    evidence : Evidence
    masked : mapping
        Item to its masked text; quotes are blinded unless the study says that its people are invented.
    n : int
        How many pairs.

    Returns
    -------
    tuple of Quote
        The pairs are chosen by position alone, never by score.
    """
    contrasts = evidence.contrasts()
    if not contrasts or n < 1:
        return ()
    a, b = contrasts[0].a, contrasts[0].b
    invented = evidence.study.privacy.people == "invented"
    sides: dict[tuple[str, str, str], dict[str, str]] = {}
    for item, reply in evidence.design.items():
        if reply.unit_id and reply.group in {a, b} and isinstance(evidence.results.get(item), BlindedReply):
            place = (reply.unit_id, reply.name_pair or "", reply.replicate or "")
            sides.setdefault(place, {}).setdefault(reply.group, item)
    pairs: dict[str, dict[str, str]] = {}
    for (unit, _, _), found in sorted(sides.items()):
        if len(found) == 2:
            pairs.setdefault(unit, found)
    units = sorted(pairs)
    step = max(1, len(units) // n)

    def text(item: str) -> str:
        return evidence.design[item].text if invented else masked[item].text

    return tuple(
        Quote(unit_id=u, group_a=a, group_b=b, text_a=text(pairs[u][a]), text_b=text(pairs[u][b]), blinded=not invented)
        for u in units[::step][:n]
    )


def _versions() -> dict[str, str]:
    found = {}
    for package in ("judgekit-calibration", "numpy", "scipy", "pandas", "regex", "spacy", "vaderSentiment"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def assess(
    evidence: Evidence,
    *,
    masked: Mapping[str, MaskedText],
    measured: Mapping[str, Mapping[str, Scored | Unscored]],
    margins: Mapping[str, float | None],
    labels: LabelFacts,
    languages: tuple[str, ...] | None,
    sealed_at: str | None,
    later_edits: Sequence[Mapping[str, Any]],
    swap_note: str | None,
    in_doubt: int,
    injection: tuple[InjectionResult, ...] = (),
    pair_swap: tuple[PairSwapResult, ...] = (),
    dropped: tuple[str, ...] = (),
    floors: Mapping[str, ControlFloor] | None = None,
) -> Findings:
    """Everything that can be said about this evidence.

    Parameters
    ----------
    evidence : Evidence
        Joined records.
    masked, measured, margins : mapping
        Masked texts by item, counted metrics by name and item, sealed margins by metric.
    labels : LabelFacts
        What people have labelled.
    languages : tuple of str or None
        What the judge declares.
    sealed_at, later_edits : str or None, sequence of mapping
        When the first seal was written; decisions edited after it.
    swap_note : str or None
        Why there is no swap test, if there is none.
    in_doubt : int
        Calls in flight when an earlier run ended.
    injection, pair_swap : tuple of InjectionResult, tuple of PairSwapResult
        What hostile replies did; verdicts on pairs of replies under swapped names.
    dropped : tuple of str
        Settings that the judge was found not to take.
    floors : mapping of str to ControlFloor, optional
        What control pairs show of the counted metrics.

    Returns
    -------
    Findings
    """
    study = evidence.study
    verdicts = calibrate(evidence)
    refused = before_labels((v for v in verdicts if isinstance(v, Refused)), labels)
    gaps, human = all_gaps(evidence, verdicts, measured, margins, floors)
    means = [] if evidence.contrasts() else measured_means(evidence, measured)
    rows, ceilings = agreement_of(evidence)
    return Findings(
        study=study.model_dump(mode="json"),
        study_hash=study.hash,
        blinding=blinding_facts(evidence.results, evidence.design, masked, grouped=evidence.study.groups is not None),
        judging=judging_facts(evidence, languages, dropped),
        labels=labels,
        swap=evidence.swap,
        swap_note=swap_note,
        agreement=shown_agreement(rows, refused),
        references=shown_references(references_of(evidence), refused),
        human_kappa=ceilings,
        calibrated=tuple(v for v in verdicts if isinstance(v, Calibrated)),
        refused=refused,
        gaps=tuple(gaps),
        human_gaps=tuple(human),
        means=tuple(means),
        gate=gate(gaps, refused),
        sealed_at=sealed_at,
        decided_by=study.decided.by,
        later_edits=tuple(later_edits),
        quotes=quotes_of(evidence, masked, study.report.quotes.n),
        next_steps=next_steps(refused, gaps, labels),
        in_doubt=in_doubt,
        notes=_notes(evidence),
        versions=_versions(),
        injection=injection,
        pair_swap=pair_swap,
    )


def _notes(evidence: Evidence) -> tuple[str, ...]:
    notes: list[str] = []
    if failed := evidence.failures():
        notes.append(say("conversations that failed and have no reply: {failed}", failed=failed))
    if evidence.study.data.design == "observational":
        notes.append(
            say(
                "observational replies: a difference is confounded with who asked what, and is no group effect; "
                "the same messages under different names would show one (`judgekit probe expand`)"
            )
        )
    if evidence.study.groups and evidence.contrasts():
        fewest = min(
            len({r.name for r in evidence.design.values() if r.group == g and r.name})
            for c in evidence.contrasts()
            for g in (c.a, c.b)
        )
        if fewest < 4:
            notes.append(say("only {n} names in a group: a claim about the group rests on very few people", n=fewest))
    return tuple(notes)
