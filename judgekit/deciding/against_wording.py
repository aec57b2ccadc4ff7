"""Does the change of group move decisions further than a change of wording alone?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Literal

from judgekit.deciding.answers import Answered, in_order
from judgekit.records import Contrast, Undefined
from judgekit.statistics.answer_change import AnswerChange, answer_change
from judgekit.statistics.divergence import MeanDivergence, js_divergence, mean_divergence
from judgekit.statistics.paired_tests import PairedT, paired_t_test
from judgekit.statistics.regression import DifferenceModel, LevelModel, difference_model, level_model
from judgekit.statistics.token_change import (
    MatchedChange,
    SweepStep,
    matched_change,
    token_change,
    token_change_sweep,
)

__all__ = ["AgainstWording", "Wording", "against_wording", "compared"]

Wording = Literal["paraphrase", "fixed_sentence"]
Verdict = Literal["exceeds", "not shown", "cannot tell"]
KINDS: tuple[Wording, ...] = ("paraphrase", "fixed_sentence")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """One prompt with its other group's version and its reworded version."""

    unit_id: str
    direction: Literal[-1, 1]
    original: Answered
    targeted: Answered
    baseline: Answered


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainstWording:
    """One contrast of one probe against one kind of rewording.

    ``items`` are prompts asked in their own words, with the other group, and reworded. ``excess`` is the mean over
    templates of the targeted minus the baseline divergence (Jensen-Shannon, bits) with the one-sided paired t of
    "more than rewording". ``change`` compares majority answers; ``no_majority`` counts items left out of it.
    ``difference`` is the shift toward ``contrast.a`` of the first option's share; ``level`` the same with the reworded
    prompts as its base. ``verdict``: ``exceeds`` needs p below alpha in ``excess`` and a rewording that changes about as
    much text as the change of group, or more; ``not shown`` needs one that changes about as much.
    """

    probe: str
    contrast: Contrast
    wording: Wording
    option: str
    items: int
    templates: int
    incomplete: int
    no_majority: int
    targeted: MeanDivergence
    baseline: MeanDivergence
    excess: PairedT
    change: AnswerChange | Undefined
    difference: DifferenceModel | Undefined
    level: LevelModel | Undefined
    tokens: MatchedChange
    sweep: tuple[SweepStep, ...]
    alpha: float
    verdict: Verdict
    why: str
    notes: tuple[str, ...] = ()


def compared(answers: Sequence[Answered], declared: Sequence[str] = ()) -> list[tuple[str, Contrast, Wording]]:
    """Which probes, contrasts and kinds of rewording there is something to compare for.

    Parameters
    ----------
    answers : sequence of Answered
    declared : sequence of str
        Groups in their order; others follow by their names.

    Returns
    -------
    list of (str, Contrast, str)
    """
    groups: dict[str, set[str]] = defaultdict(set)
    kinds: dict[str, set[str]] = defaultdict(set)
    for answer in answers:
        place = answer.place
        if place.group is None:
            continue
        if place.arm.kind == "base":
            groups[place.probe].add(place.group)
        kinds[place.probe].add(place.arm.kind)
    return [
        (probe, Contrast(a, b), kind)
        for probe in groups
        for a, b in combinations(in_order(groups[probe], declared), 2)
        for kind in KINDS
        if kind in kinds[probe]
    ]


def against_wording(
    answers: Sequence[Answered],
    contrast: Contrast,
    *,
    probe: str,
    wording: Wording,
    option: str,
    alpha: float = 0.05,
    draws: int = 10_000,
    seed: int = 0,
) -> AgainstWording:
    """Compare what the other group's prompt does with what rewording does.

    Parameters
    ----------
    answers : sequence of Answered
        Base places and reworded ones.
    contrast : Contrast
    probe : str
    wording : {'paraphrase', 'fixed_sentence'}
    option : str
        Whose share the regressions are of.
    alpha : float
        Level of the one-sided test.
    draws, seed : int
        Of the bootstrap over prompts.

    Returns
    -------
    AgainstWording
        ``cannot tell``: nothing to compare, or the medians of changed tokens lie more than 1.5 times apart, unless the
        rewording changes more text and answers still less.
        ``not shown`` is no proof that nothing is there.

    Examples
    --------
    >>> from judgekit.deciding.answers import Place
    >>> from judgekit.records import Arm
    >>> def one(t, group, p, arm=Arm()):
    ...     place = Place(probe="name", unit_id=t, group=group, name_pair="1", arm=arm)
    ...     return Answered(place=place, shares={"yes": p, "no": 1 - p}, n=9, text=f"I am {group} and ask you this")
    >>> asked = [one(f"t{k}", g, 0.5 + (0.2 + k / 50) * (g == "a")) for k in range(8) for g in "ab"]
    >>> same = [one(f"t{k}", "b", 0.5, Arm(kind="paraphrase", group="b", token_change=0.14)) for k in range(8)]
    >>> against_wording([*asked, *same], Contrast("a", "b"), probe="name", wording="paraphrase", option="yes").verdict
    'exceeds'
    """
    made, incomplete = _items(answers, contrast, probe, wording)
    shares = {kind: [_vector(getattr(item, kind)) for item in made] for kind in ("original", "targeted", "baseline")}
    excess = _excess(made, shares)
    change, no_majority = _change(made, draws, seed)
    far = [_tokens(item.original, item.targeted) for item in made]
    near = [_reworded(item.original, item.baseline) for item in made]
    tokens = matched_change(far, near)
    flips = [_flipped(i.original, i.targeted) for i in made]
    known = [(share, flip) for share, flip in zip(far, flips, strict=True) if flip is not None]
    verdict, why = _verdict(excess, tokens, alpha)
    difference, level = _models(made, option)
    return AgainstWording(
        probe=probe,
        contrast=contrast,
        wording=wording,
        option=option,
        items=len(made),
        templates=len({item.unit_id for item in made}),
        incomplete=incomplete,
        no_majority=no_majority,
        targeted=mean_divergence(shares["original"], shares["targeted"]),
        baseline=mean_divergence(shares["original"], shares["baseline"]),
        excess=excess,
        change=change,
        difference=difference,
        level=level,
        tokens=tokens,
        sweep=token_change_sweep([share for share, _ in known], [flip for _, flip in known]),
        alpha=alpha,
        verdict=verdict,
        why=why,
        notes=_notes(made),
    )


def _items(answers: Sequence[Answered], contrast: Contrast, probe: str, wording: str) -> tuple[list[_Item], int]:
    """Items of a contrast: each reworded prompt with its own words and the other group's. Also how many lack a part."""
    base = {
        (a.place.unit_id, a.place.name_pair, a.place.group): a
        for a in answers
        if a.place.probe == probe and a.place.arm.kind == "base" and a.place.order is None
    }
    made, incomplete = [], 0
    for answer in answers:
        place = answer.place
        if place.probe != probe or place.arm.kind != wording or place.group not in (contrast.a, contrast.b):
            continue
        toward: Literal[-1, 1] = 1 if place.group == contrast.b else -1
        other = contrast.a if toward == 1 else contrast.b
        original = base.get((place.unit_id, place.name_pair, place.group))
        targeted = base.get((place.unit_id, place.name_pair, other))
        if original is None or targeted is None or not all(_known(a) for a in (original, targeted, answer)):
            incomplete += 1
            continue
        made.append(
            _Item(unit_id=place.unit_id, direction=toward, original=original, targeted=targeted, baseline=answer)
        )
    return made, incomplete


def _known(answer: Answered) -> bool:
    return not isinstance(answer.shares, Undefined)


def _vector(answer: Answered) -> list[float]:
    """The shares in one order; items whose shares are undefined were left out before."""
    if isinstance(answer.shares, Undefined):
        return []
    return [share for _, share in sorted(answer.shares.items())]


def _excess(made: Sequence[_Item], shares: dict[str, list[list[float]]]) -> PairedT:
    """Paired t over templates: prompts of one template are not independent."""
    if not made:
        return paired_t_test([])
    more = js_divergence(shares["original"], shares["targeted"]) - js_divergence(shares["original"], shares["baseline"])
    by_template: dict[str, list[float]] = defaultdict(list)
    for item, value in zip(made, more, strict=True):
        by_template[item.unit_id].append(float(value))
    return paired_t_test([fmean(values) for values in by_template.values()])


def _change(made: Sequence[_Item], draws: int, seed: int) -> tuple[AnswerChange | Undefined, int]:
    """Tests on majority answers, and how many items have none in one of their three prompts."""
    decided = [i for i in made if all(a.majority is not None for a in (i.original, i.targeted, i.baseline))]
    without = len(made) - len(decided)
    if not decided:
        return Undefined("no item has a majority in all three"), without
    answers = [[getattr(i, kind).majority for i in decided] for kind in ("original", "targeted", "baseline")]
    return answer_change(*answers, draws=draws, seed=seed), without


def _tokens(original: Answered, changed: Answered) -> float:
    share = token_change(original.text, changed.text).share
    return 0.0 if isinstance(share, Undefined) else share


def _reworded(original: Answered, changed: Answered) -> float:
    declared = changed.place.arm.token_change
    return _tokens(original, changed) if declared is None else declared


def _flipped(original: Answered, changed: Answered) -> bool | None:
    first, second = original.majority, changed.majority
    return None if first is None or second is None else first != second


def _models(made: Sequence[_Item], option: str) -> tuple[DifferenceModel | Undefined, LevelModel | Undefined]:
    if len(made) < 2:
        none = Undefined("fewer than two items")
        return none, none
    before, after, reworded = (
        [_share(getattr(item, kind), option) for item in made] for kind in ("original", "targeted", "baseline")
    )
    directions = [item.direction for item in made]
    return difference_model(directions, before, after), level_model(directions, before, reworded, after)


def _share(answer: Answered, option: str) -> float:
    return 0.0 if isinstance(answer.shares, Undefined) else answer.shares[option]


def _verdict(excess: PairedT, tokens: MatchedChange, alpha: float) -> tuple[Verdict, str]:
    """What the test says where the edits are comparable. Where the rewording changes more text than the group does, an
    effect beyond it stands all the more, but none that is not found is called small.
    """
    more = _rewording_changes_more(tokens)
    if not tokens.comparable and not more:
        return "cannot tell", f"the edits change different amounts of text: {tokens.why}"
    found = not isinstance(excess.p, Undefined) and excess.p < alpha
    if not tokens.comparable and not found:
        return "cannot tell", f"the rewording changes more text than the change of group: {tokens.why}"
    if isinstance(excess.p, Undefined):
        if excess.degenerate:
            return "not shown", "the other group changes no answer more or less than rewording does"
        return "cannot tell", str(excess.p)
    though = "" if tokens.comparable else ", though the rewording changes more text"
    if found:
        return "exceeds", f"one-sided p {excess.p:.3g} below {alpha:g}{though}"
    return "not shown", f"one-sided p {excess.p:.3g}, not below {alpha:g}"


def _rewording_changes_more(tokens: MatchedChange) -> bool:
    if isinstance(tokens.targeted, Undefined) or isinstance(tokens.baseline, Undefined):
        return False
    return tokens.baseline[1] > tokens.targeted[1]


def _notes(made: Sequence[_Item]) -> tuple[str, ...]:
    most = max(Counter(item.unit_id for item in made).values(), default=0)
    told = "several prompts of a template count as one in the test of divergence, and as many in the bootstrap"
    return (told,) if most > 1 else ()
