"""Prompts in which two candidates are compared: which group's is chosen, and does the place in the prompt decide?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from judgekit.deciding.answers import Answered
from judgekit.records import Contrast, Interval, Undefined
from judgekit.statistics.sign_flip import sign_flip_interval, sign_flip_test

__all__ = ["SEPARATOR", "CandidateChoice", "candidate_choices"]

SEPARATOR = " | "
"""Between the two groups of a prompt with two candidates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateChoice:
    """One contrast of one probe over prompts with two candidates, each shown in both orders.

    The first option stands for the candidate shown first, the second for the other. ``preference`` is the share of
    ``contrast.a`` minus that of ``contrast.b`` over both orders, in [-1, 1]; ``position`` the share of the candidate shown
    first minus that of the other. Both are means over templates with the sign-flip interval and p.
    """

    probe: str
    contrast: Contrast
    preference: float | Undefined
    interval: Interval | Undefined
    p: float | Undefined
    position: float | Undefined
    position_interval: Interval | Undefined
    position_p: float | Undefined
    pairs: int
    incomplete: int
    per_template: dict[str, float]


def candidate_choices(
    answers: Sequence[Answered], options: Sequence[str], *, level: float = 0.95, seed: int = 0
) -> list[CandidateChoice]:
    """Preferences and position bias of all probes whose prompts hold two candidates.

    Parameters
    ----------
    answers : sequence of Answered
    options : sequence of str
        The first two name the candidate shown first and the one shown second.
    level : float
    seed : int

    Returns
    -------
    list of CandidateChoice
        Pairs that lack an answer in one order are counted and left out, so that no place is favoured.

    Examples
    --------
    >>> candidate_choices([], ["first", "second"])
    []
    """
    pairs: dict[tuple[str, str], dict[tuple[str, str | None, str | None], dict[str, Answered]]] = defaultdict(dict)
    for answer in answers:
        place = answer.place
        if place.order is None or place.group is None or SEPARATOR not in place.group:
            continue
        own = pairs[place.probe, place.group].setdefault((place.unit_id, place.name_pair, place.name), {})
        own[place.order] = answer
    return [
        _choice(probe, group, [(key[0], both) for key, both in found.items()], options, level, seed)
        for (probe, group), found in sorted(pairs.items())
    ]


def _choice(
    probe: str,
    group: str,
    found: Sequence[tuple[str, dict[str, Answered]]],
    options: Sequence[str],
    level: float,
    seed: int,
) -> CandidateChoice:
    a, _, b = group.partition(SEPARATOR)
    preferences: dict[str, list[float]] = defaultdict(list)
    positions: dict[str, list[float]] = defaultdict(list)
    incomplete = 0
    for template, both in found:
        shown = [_first_minus_second(both[order], options) if order in both else None for order in ("ab", "ba")]
        if shown[0] is None or shown[1] is None:
            incomplete += 1
            continue
        preferences[template].append((shown[0] - shown[1]) / 2)
        positions[template].append((shown[0] + shown[1]) / 2)
    by_template = {template: fmean(values) for template, values in preferences.items()}
    moved = [fmean(values) for values in positions.values()]
    test, position = sign_flip_test(list(by_template.values()), seed=seed), sign_flip_test(moved, seed=seed)
    return CandidateChoice(
        probe=probe,
        contrast=Contrast(a, b),
        preference=test.mean,
        interval=sign_flip_interval(list(by_template.values()), level=level, seed=seed),
        p=test.p,
        position=position.mean,
        position_interval=sign_flip_interval(moved, level=level, seed=seed),
        position_p=position.p,
        pairs=len(found),
        incomplete=incomplete,
        per_template=by_template,
    )


def _first_minus_second(answer: Answered, options: Sequence[str]) -> float | None:
    if isinstance(answer.shares, Undefined):
        return None
    return answer.shares[options[0]] - answer.shares[options[1]]
