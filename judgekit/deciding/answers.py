"""What the chatbot decided in one cell of the design: a share for each option, however it was measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from judgekit.records import BASE, Arm, MetricRow, Undefined
from judgekit.statistics.yes_no import YesNo

__all__ = ["Answered", "Place", "in_order", "metric_rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a prompt stands in the design; prompts of one place say the same and differ in replicate alone.

    ``side`` tells the two copies of a control pair apart, and is None for all other prompts.
    """

    probe: str
    unit_id: str
    group: str | None = None
    name: str | None = None
    name_pair: str | None = None
    case_type: str | None = None
    arm: Arm = BASE
    order: str | None = None
    side: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The answer of one place.

    ``shares`` maps each option to its probability, or to its share over ``n`` answers; undefined when no option was
    met. ``missing`` counts answers without an option by kind. ``yes_no`` has log-odds where token probabilities of
    two options were read. ``text`` is what the user said.
    """

    place: Place
    shares: Mapping[str, float] | Undefined
    n: int
    missing: Mapping[str, int] = field(default_factory=dict)
    yes_no: YesNo | None = None
    text: str = ""

    @property
    def majority(self) -> str | None:
        """The option with the largest share; None where there is none or two share the first place.

        Examples
        --------
        >>> Answered(place=Place(probe="name", unit_id="t"), shares={"yes": 0.4, "no": 0.6}, n=5).majority
        'no'
        """
        if isinstance(self.shares, Undefined):
            return None
        best = max(self.shares.values())
        first = [option for option, share in self.shares.items() if share >= best - 1e-12]
        return first[0] if len(first) == 1 else None


def in_order(groups: Iterable[str], declared: Sequence[str]) -> list[str]:
    """Groups in the order in which they are declared, then the others by their names.

    Examples
    --------
    >>> in_order({"b", "a", "z"}, ["z", "y"])
    ['z', 'a', 'b']
    """
    place = {group: number for number, group in enumerate(declared)}
    return sorted(groups, key=lambda group: (place.get(group, len(place)), group))


def metric_rows(answers: Sequence[Answered], option: str) -> list[MetricRow]:
    """One row for each base place: the share of an option.

    Parameters
    ----------
    answers : sequence of Answered
        Places of other arms, or without a group, are left out.
    option : str

    Returns
    -------
    list of MetricRow
        ``missing`` names the most frequent kind where there is no share.

    Examples
    --------
    >>> one = Answered(place=Place(probe="name", unit_id="t", group="a"), shares={"yes": 0.25, "no": 0.75}, n=4)
    >>> metric_rows([one], "yes")[0].value
    0.25
    """
    rows = []
    for number, answer in enumerate(answers):
        place = answer.place
        if place.arm.kind != "base" or place.group is None:
            continue
        known = not isinstance(answer.shares, Undefined)
        rows.append(
            MetricRow(
                item=str(number),
                unit_id=place.unit_id,
                group=place.group,
                name=place.name,
                value=answer.shares[option] if not isinstance(answer.shares, Undefined) else None,
                missing=None if known else max(answer.missing, key=lambda kind: answer.missing[kind], default="none"),
                name_pair=place.name_pair,
                case_type=place.case_type,
            )
        )
    return rows
