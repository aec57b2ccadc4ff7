"""Recall and precision: does the measurement move when it must, and stay when it should?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from judgekit.deciding.answers import Answered
from judgekit.records import Interval, Undefined
from judgekit.statistics.paired_tests import PairedT, paired_t_test
from judgekit.statistics.token_change import DetectionCheck, detection_check

__all__ = ["Checked", "check_answers"]

Verdict = Literal["passed", "failed", "cannot tell", "not run"]
NOISE = 0.05
"""Share of majority answers that may differ between two identical prompts where no control pair says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the checks of one probe found.

    ``rates``: share of recall variants whose majority answer changed, and of precision variants whose did.
    ``moved`` is the mean over templates of the change of the first option's share in the declared direction, with its
    one-sided paired t; variants that declare no direction count by the size of their change. ``control_flips`` is the
    share of control pairs with two different majority answers. Recall passes when answers move the declared way
    (p below alpha); precision fails when more answers change than between identical prompts.
    """

    probe: str
    option: str
    rates: DetectionCheck
    moved: PairedT
    undeclared: int
    control_flips: float | Undefined
    controls: int
    no_majority: int
    incomplete: int
    recall: Verdict
    recall_why: str
    precision: Verdict
    precision_why: str


def check_answers(answers: Sequence[Answered], *, probe: str, option: str, alpha: float = 0.05) -> Checked:
    """Hold recall and precision variants against the prompts that they are variants of.

    Parameters
    ----------
    answers : sequence of Answered
    probe : str
    option : str
        The option that a direction of +1 makes more probable.
    alpha : float
        Level of the one-sided test of recall.

    Returns
    -------
    Checked
        ``not run`` where the design has no variant of the kind.

    Examples
    --------
    >>> check_answers([], probe="name", option="yes").recall
    'not run'
    """
    base = {
        (a.place.unit_id, a.place.name_pair, a.place.group): a
        for a in answers
        if a.place.probe == probe and a.place.arm.kind == "base"
    }
    flips: dict[str, list[bool]] = {"recall": [], "precision": []}
    moves: dict[str, list[float]] = defaultdict(list)
    undeclared = no_majority = incomplete = 0
    for answer in answers:
        place = answer.place
        if place.probe != probe or place.arm.kind not in flips:
            continue
        original = base.get((place.unit_id, place.name_pair, place.group))
        if original is None or isinstance(original.shares, Undefined) or isinstance(answer.shares, Undefined):
            incomplete += 1
            continue
        if place.arm.kind == "recall":
            shift = answer.shares[option] - original.shares[option]
            undeclared += place.arm.direction == 0
            if place.arm.direction:
                moves[place.unit_id].append(place.arm.direction * shift)
        if original.majority is None or answer.majority is None:
            no_majority += 1
            continue
        flips[place.arm.kind].append(original.majority != answer.majority)
    rates = detection_check(flips["recall"], flips["precision"])
    moved = paired_t_test([fmean(values) for values in moves.values()])
    control, controls = _controls(answers)
    recall, recall_why = _recall(rates, moved, undeclared, alpha)
    precision, precision_why = _precision(rates, control)
    return Checked(
        probe=probe,
        option=option,
        rates=rates,
        moved=moved,
        undeclared=undeclared,
        control_flips=control,
        controls=controls,
        no_majority=no_majority,
        incomplete=incomplete,
        recall=recall,
        recall_why=recall_why,
        precision=precision,
        precision_why=precision_why,
    )


def _controls(answers: Sequence[Answered]) -> tuple[float | Undefined, int]:
    sides: dict[tuple[str, str | None], list[Answered]] = defaultdict(list)
    for answer in answers:
        if answer.place.arm.kind == "control":
            sides[answer.place.unit_id, answer.place.name_pair].append(answer)
    pairs = [
        (pair[0].majority, pair[1].majority)
        for pair in sides.values()
        if len(pair) == 2 and all(a.majority is not None for a in pair)
    ]
    if not pairs:
        return Undefined("no control pairs with two answers"), 0
    return sum(first != second for first, second in pairs) / len(pairs), len(pairs)


def _recall(rates: DetectionCheck, moved: PairedT, undeclared: int, alpha: float) -> tuple[Verdict, str]:
    if not moved.n:
        if undeclared and not isinstance(rates.recall_interval, Undefined):
            low = rates.recall_interval.low
            told = f"{rates.n_recall} variants without a declared direction; lower bound of the share that changed {low:.2f}"
            return ("passed" if low > NOISE else "failed"), told
        return "not run", "no recall variant with an answer"
    if isinstance(moved.p, Undefined):
        if moved.degenerate:
            return "failed", "no answer moved"
        return "cannot tell", str(moved.p)
    mean = 0.0 if isinstance(moved.mean, Undefined) else moved.mean
    told = f"answers move the declared way by {mean:+.3f}, one-sided p {moved.p:.3g}"
    return ("passed" if moved.p < alpha else "failed"), told


def _precision(rates: DetectionCheck, control: float | Undefined) -> tuple[Verdict, str]:
    if not rates.n_precision or not isinstance(rates.false_alarm_interval, Interval):
        return "not run", "no precision variant with an answer"
    allowed = NOISE if isinstance(control, Undefined) else max(control, NOISE)
    what = "allowed" if isinstance(control, Undefined) or control < NOISE else "between identical prompts"
    told = f"{rates.false_alarms:.3f} of {rates.n_precision} answers changed, {allowed:.3f} {what}"
    return ("failed" if rates.false_alarm_interval.low > allowed else "passed"), told
