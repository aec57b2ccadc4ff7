"""Read a swap test: shift with interval, noise floor, per name, for every judge, criterion and contrast.

What is estimated: the mean over texts of the score with an ``a`` person minus the score with a ``b`` person, the text
being the same. `swap_verdict` has the interval and the verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean, stdev

from judgekit.judging.swap_baseline import Rewording, baseline, changed_shares, matched
from judgekit.judging.swap_verdict import MIN_TEXTS, SPREAD_FLOOR, Claim, Evidence, Pair, decide, estimate_shift
from judgekit.records import (
    Contrast,
    Criterion,
    FilledText,
    Judgment,
    Rubric,
    Scored,
    SwapResult,
    Undefined,
    Unscored,
)
from judgekit.statistics.equivalence import check_margin
from judgekit.statistics.token_change import MatchedChange
from judgekit.wording.sentence import say

__all__ = ["swap_results"]

_FILLED = frozenset(["identity", "control", "paraphrase"])


@dataclass(frozen=True, slots=True)
class _Fill:
    item: str
    unit: str
    group: str
    name: str
    kind: str
    score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setting:
    """What all results of one call share."""

    fills: Sequence[FilledText]
    units: Mapping[str, str | None]
    margin: float
    level: float
    claim: Claim
    min_texts: int
    matches: Mapping[Contrast, MatchedChange | None]
    note: str


def swap_results(
    judgments: Sequence[Judgment],
    fills: Sequence[FilledText],
    contrasts: Sequence[Contrast],
    rubrics: Sequence[Rubric],
    *,
    margin: float,
    units: Mapping[str, str | None] | None = None,
    level: float = 0.95,
    claim: Claim = "groups",
    min_texts: int = MIN_TEXTS,
    paraphrase_note: str = "not run",
) -> list[SwapResult]:
    """One result for every judge, dimension and contrast.

    Parameters
    ----------
    judgments : sequence of Judgment
        Those of the fills. When judgments of all the same texts blinded are among them, `SwapResult.per_name` compares
        each name with the blinded reading of its own texts; otherwise with the mean of its texts' fills, which halves
        what a name adds and shows the other half, with the opposite sign, at the name it was paired with.
    fills : sequence of FilledText
        What was judged.
    contrasts : sequence of Contrast
        Shifts are ``a`` minus ``b``.
    rubrics : sequence of Rubric
        Give the criteria.
    margin : float
        Largest shift that counts as none, in points (ordinal) or as a share of texts (nominal).
    units : mapping of str to str, optional
        Item to template; without it every item is its own.
    level : float
        Confidence level.
    claim : {'groups', 'these_names'}
        Whether the names stand for more people than those listed.
    min_texts : int
        Fewest texts for a verdict.
    paraphrase_note : str
        Why there is no paraphrase arm, should ``fills`` hold none; or what is to be said of it.

    Returns
    -------
    list of SwapResult
        Expected scores are used where every score of a criterion has one, otherwise the scores as given.
        For nominal criteria the shift is that of the label whose share moves most (named in ``why``), at a level
        corrected for the number of labels. Repeats of a fill enter as their mean.
    """
    check_margin(margin)
    setting = _Setting(
        fills=fills,
        units=units or {},
        margin=margin,
        level=level,
        claim=claim,
        min_texts=min_texts,
        matches={contrast: _match(fills, contrast) for contrast in contrasts},
        note=paraphrase_note,
    )
    made: list[SwapResult] = []
    for judge in sorted({j.task.judge for j in judgments}):
        mine = [j for j in judgments if j.task.judge == judge]
        for rubric in rubrics:
            for criterion in rubric.criteria:
                found = [j for j in mine if j.task.rubric_hash == rubric.hash and j.dimension == criterion.dimension]
                if found:
                    made.extend(_result(judge, criterion, contrast, found, setting) for contrast in contrasts)
    return made


def _match(fills: Sequence[FilledText], contrast: Contrast) -> MatchedChange | None:
    shares = changed_shares(fills, contrast)
    return matched(fills, contrast, shares) if shares else None


def _result(
    judge: str, criterion: Criterion, contrast: Contrast, judgments: Sequence[Judgment], setting: _Setting
) -> SwapResult:
    if criterion.kind == "ordinal":
        levels = [int(level) for level in criterion.levels]
        step = float(max(b - a for a, b in pairwise(levels)))
        floor = max(SPREAD_FLOOR * step, (levels[-1] - levels[0]) / 16)
        return _one(judge, criterion, contrast, judgments, setting, step=step, floor=floor, label=None)
    given = Counter(str(j.outcome.value) for j in judgments if isinstance(j.outcome, Scored))
    labels = [str(level) for level in criterion.levels if given[str(level)]] or [str(criterion.levels[0])]
    shared = replace(setting, level=1 - (1 - setting.level) / len(labels))
    by_label = [
        _one(judge, criterion, contrast, judgments, shared, step=1.0, floor=0.0, label=label) for label in labels
    ]
    # A label that is hardly ever given says little; the criterion is constant only when every label's share is.
    widest = max((r.spread for r in by_label if isinstance(r.spread, float)), default=0.0)
    if widest < SPREAD_FLOOR:
        by_label = [
            _one(judge, criterion, contrast, judgments, shared, step=1.0, floor=SPREAD_FLOOR, label=label)
            for label in labels
        ]
    rank = {"failed": 2, "uninformative": 1, "passed": 0}
    return max(by_label, key=lambda r: (rank[r.verdict], abs(r.shift) if isinstance(r.shift, float) else -1.0))


def _one(
    judge: str,
    criterion: Criterion,
    contrast: Contrast,
    judgments: Sequence[Judgment],
    setting: _Setting,
    *,
    step: float,
    floor: float,
    label: str | None,
) -> SwapResult:
    expected = label is None and _all_expected(judgments)
    least = step / 2 if expected else 0.0
    scores = _scores(judgments, label, expected=expected)
    sides = {contrast.a, contrast.b}
    everything = [_read(fill, scores, setting.units) for fill in setting.fills if fill.arm.group in sides]
    fills = [fill for fill in everything if fill.kind == "identity"]
    pairs, again = _pairs(fills, contrast), _again(everything, "control")
    shift = estimate_shift(list(pairs.values()), step=step, level=setting.level, claim=setting.claim)
    control = estimate_shift(list(again.values()), step=step, level=setting.level, claim="these_names")
    reworded = baseline(
        pairs,
        _again(everything, "paraphrase"),
        setting.matches[contrast],
        step=step,
        level=setting.level,
        least=least,
        min_texts=setting.min_texts,
    )
    evidence = Evidence(
        n=len(pairs),
        shift=shift,
        control=control,
        unscored=_unscored_shares(fills, contrast),
        kinds=_kinds(judgments),
        spread=_spread(fills),
        floor=floor,
        margin=setting.margin,
        min_texts=setting.min_texts,
        changed=_changed(pairs, least),
        control_changed=_changed(again, least),
        reworded_changed=reworded.changed if reworded else None,
        excess=reworded.excess.interval if reworded else None,
    )
    verdict, why = decide(evidence)
    result = SwapResult(
        judge=judge,
        dimension=criterion.dimension,
        contrast=contrast,
        shift=shift.value,
        interval=shift.interval,
        control_shift=control.value,
        control_interval=control.interval,
        paraphrase_shift=Undefined(setting.note),
        changed=evidence.changed,
        control_changed=evidence.control_changed,
        per_name=_per_name(fills, _base(judgments, label, expected=expected)),
        spread=evidence.spread,
        n=len(pairs),
        unscored=sum(fill.score is None for fill in fills),
        margin=setting.margin,
        verdict=verdict,
        why=why if label is None or not pairs else say("label {label}: {why}", label=label, why=say(why)),
        score_kind="expected" if expected else "point",
    )
    return _with_rewording(result, reworded)


def _with_rewording(result: SwapResult, found: Rewording | None) -> SwapResult:
    if found is None:
        return result
    return replace(
        result,
        paraphrase_shift=found.shift.value,
        paraphrase_interval=found.shift.interval,
        paraphrase_changed=found.changed,
        paraphrase_n=found.n,
        excess=found.excess.value,
        excess_interval=found.excess.interval,
        name_tokens=found.name_tokens,
        paraphrase_tokens=found.tokens,
    )


# --- scores --------------------------------------------------------------------------------------------------------


def _all_expected(judgments: Sequence[Judgment]) -> bool:
    """Whether every score has an expected one; the two kinds are never mixed in a result."""
    scored = [j.outcome for j in judgments if isinstance(j.outcome, Scored) and j.task.pair_id is None]
    return bool(scored) and all(outcome.expected is not None for outcome in scored)


def _value(outcome: object, label: str | None, *, expected: bool) -> float | None:
    if not isinstance(outcome, Scored):
        return None
    if expected and outcome.expected is not None:
        return outcome.expected
    return float(outcome.value) if label is None else float(outcome.value == label)


def _scores(judgments: Sequence[Judgment], label: str | None, *, expected: bool) -> dict[tuple[str, str], float | None]:
    """Mean over the scored repeats of every fill; None when none is scored."""
    found: dict[tuple[str, str], list[float]] = {}
    for judgment in judgments:
        if judgment.task.pair_id is None and judgment.task.arm.kind in _FILLED:
            values = found.setdefault((judgment.task.item, judgment.task.arm.key), [])
            value = _value(judgment.outcome, label, expected=expected)
            if value is not None:
                values.append(value)
    return {key: fmean(values) if values else None for key, values in found.items()}


def _base(judgments: Sequence[Judgment], label: str | None, *, expected: bool) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for judgment in judgments:
        value = _value(judgment.outcome, label, expected=expected)
        if judgment.task.arm.kind == "base" and judgment.task.pair_id is None and value is not None:
            found.setdefault(judgment.task.item, []).append(value)
    return {item: fmean(values) for item, values in found.items()}


def _read(fill: FilledText, scores: Mapping[tuple[str, str], float | None], units: Mapping[str, str | None]) -> _Fill:
    return _Fill(
        item=fill.item,
        unit=units.get(fill.item) or f"\0{fill.item}",
        group=fill.arm.group or "",
        name=fill.arm.identity or "",
        kind=fill.arm.kind,
        score=scores.get((fill.item, fill.arm.key)),
    )


def _pairs(fills: Sequence[_Fill], contrast: Contrast) -> dict[str, Pair]:
    """By item, the scores of one text with the two people."""
    sides = {(f.item, f.group): f for f in fills}
    pairs = {}
    for item in dict.fromkeys(f.item for f in fills):
        a, b = sides.get((item, contrast.a)), sides.get((item, contrast.b))
        if a is not None and b is not None and a.score is not None and b.score is not None:
            pairs[item] = Pair(a.unit, (a.name, b.name), a.score, b.score)
    return pairs


def _again(fills: Sequence[_Fill], kind: str) -> dict[str, Pair]:
    """By item, control or paraphrase minus its own identity arm: the same person, the same text or one reworded."""
    first = {(f.item, f.group): f.score for f in fills if f.kind == "identity"}
    pairs = {}
    for fill in fills:
        before = first.get((fill.item, fill.group))
        if fill.kind == kind and fill.score is not None and before is not None:
            pairs[fill.item] = Pair(fill.unit, (fill.name, fill.name), fill.score, before)
    return pairs


def _kinds(judgments: Sequence[Judgment]) -> tuple[str, ...]:
    """Failure kinds of the fills, the most frequent first."""
    found = Counter(j.outcome.kind for j in judgments if isinstance(j.outcome, Unscored) and j.task.arm.kind in _FILLED)
    return tuple(kind for kind, _ in found.most_common(3))


def _changed(pairs: Mapping[str, Pair], least: float) -> float | Undefined:
    """Share of texts whose score moved by more than ``least``: at all, or with expected scores by half a level."""
    return fmean(abs(p.a - p.b) > least for p in pairs.values()) if pairs else Undefined("no text has both scores")


def _spread(fills: Sequence[_Fill]) -> float | Undefined:
    by_text: dict[str, list[float]] = {}
    for fill in fills:
        if fill.score is not None:
            by_text.setdefault(fill.item, []).append(fill.score)
    if len(by_text) < 2:
        return Undefined("fewer than two texts are scored")
    return stdev(fmean(values) for values in by_text.values())


def _unscored_shares(fills: Sequence[_Fill], contrast: Contrast) -> tuple[float, float]:
    shares = []
    for group in (contrast.a, contrast.b):
        mine = [f for f in fills if f.group == group]
        shares.append(fmean(f.score is None for f in mine) if mine else 1.0)
    return shares[0], shares[1]


def _per_name(fills: Sequence[_Fill], base: Mapping[str, float]) -> dict[str, float]:
    """What each name adds to its own texts, minus the mean of that over names."""
    by_text: dict[str, list[float]] = {}
    for fill in fills:
        if fill.score is not None:
            by_text.setdefault(fill.item, []).append(fill.score)
    with_base = by_text.keys() <= base.keys()
    level = {item: base[item] if with_base else fmean(scores) for item, scores in by_text.items()}
    values: dict[str, list[float]] = {}
    for fill in fills:
        if fill.score is not None:
            values.setdefault(fill.name, []).append(fill.score - level[fill.item])
    means = {name: fmean(found) for name, found in sorted(values.items())}
    centre = fmean(means.values()) if means else 0.0
    return {name: mean - centre for name, mean in means.items()}
