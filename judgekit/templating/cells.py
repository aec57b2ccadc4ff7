"""The cells of the design: every template with every group of every probe, names and values matched by position."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal

from judgekit.errors import BadInput, ConfigProblem
from judgekit.records import Arm, Contrast, Identity, Turn
from judgekit.templating.forms import Cast, write
from judgekit.templating.model import Attribute, NameLists, Person, Template, TemplateSet
from judgekit.templating.slots import PERSON_SLOTS, PRONOUN_SLOTS, slots_of

__all__ = ["NAME", "PRONOUNS", "REMOVAL", "Cell", "LeftOut", "Plan", "cells_of", "slots_used", "writes"]

NAME, PRONOUNS, REMOVAL = "name", "pronouns", "removal"
_SETS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (("she", "she/her"), ("he", "he/him"), ("they", "they/them")),
    "es": (("ella", "ella"), ("él", "él")),
}
_TOLD_BY_PRONOUNS = frozenset({*PRONOUN_SLOTS, "verb", "agree", "title", "el", "un", "del", "al"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is expanded: templates, people, what is varied.

    ``neutral`` are people of any gender by language; ``contrasts`` pair the groups whose people share a prompt.
    """

    templates: TemplateSet
    names: NameLists
    neutral: Mapping[str, tuple[Person, ...]]
    attributes: tuple[str, ...] = (NAME,)
    intersections: tuple[tuple[str, ...], ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    seed: int = 0

    @property
    def probes(self) -> tuple[tuple[str, ...], ...]:
        """What varies together: each attribute alone, then the declared intersections."""
        return (*((name,) for name in self.attributes if name != REMOVAL), *self.intersections)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One prompt of the design before replicates: a template for a group and a pair position."""

    template: Template
    probe: str
    attribute: str
    group: str | None
    name: str | None
    name_pair: str | None
    people: tuple[Person, ...] = ()
    cast: Cast = field(default_factory=Cast)
    order: Literal["ab", "ba"] | None = None
    arm: Arm = field(default_factory=Arm)
    without: frozenset[str] = frozenset()
    turns: tuple[Turn, ...] = ()
    written: tuple[Turn, ...] = ()

    def write(self) -> tuple[Turn, ...]:
        """The turns as they are sent: as written before, else from ``turns`` or the template's.

        Raises
        ------
        ConfigProblem
            A slot has nothing to be filled with; with file, line and template.
        """
        if self.written:
            return self.written
        said = []
        for number, turn in enumerate(self.turns or self.template.turns):
            try:
                text = write(turn.content, self.cast, lang=self.template.lang, without=self.without).text
            except BadInput as problem:
                lines = () if self.turns else self.template.lines
                raise ConfigProblem(
                    problem.what,
                    path=self.template.path,
                    line=lines[number] if number < len(lines) else self.template.line,
                    field=self.template.id,
                    seen=problem.field,
                    remedy=problem.remedy,
                ) from None
            said.append(Turn(turn.role, text))
        return tuple(said)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A template that a probe or an arm has not, and why."""

    probe: str
    template: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Level:
    group: str
    label: str
    person: Person | None = None
    pronouns: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)


def slots_used(plan: Plan, template: Template) -> frozenset[str]:
    """Slots of a template, those inside the values that it is given too."""
    used = frozenset[str]().union(*(slots_of(turn.content) for turn in template.turns))
    for _ in range(2):
        inner = [text for slot in used for text in _texts(plan, template, slot)]
        used = used.union(*(slots_of(text) for text in inner))
    return used


def _texts(plan: Plan, template: Template, slot: str) -> Iterator[str]:
    own = template.slots.get(slot) or plan.templates.slots.get(slot) or ()
    yield from own
    for name in dict.fromkeys([*plan.templates.attributes, *template.attributes]):
        attribute = plan.templates.attribute_of(template, name)
        for values in attribute.groups.values() if attribute else ():
            yield from (value[slot] for value in values if slot in value)


def writes(plan: Plan, template: Template, attribute: str) -> frozenset[str]:
    """Slots of a template through which an attribute shows; empty when it shows nowhere."""
    used = slots_used(plan, template)
    if attribute == NAME:
        return used & PERSON_SLOTS
    if attribute == PRONOUNS:
        return used & _TOLD_BY_PRONOUNS
    found = plan.templates.attribute_of(template, attribute)
    return used & found.slots if found else frozenset()


def _levels(plan: Plan, template: Template, name: str) -> dict[str, list[_Level]]:
    """An attribute's groups, each with its values in matched order."""
    if name == NAME:
        return {
            group: [_Level(group=group, label=person.identity.name, person=person) for person in people]
            for group, people in plan.names.groups.items()
        }
    attribute = plan.templates.attribute_of(template, name)
    if name == PRONOUNS:
        sets = _pronoun_sets(attribute, template.lang)
        return {group: [_Level(group=group, label=said, pronouns=said)] for group, said in sets}
    groups = attribute.groups if attribute else {}
    return {
        group: [_Level(group=group, label=_label(value), values=value) for value in values]
        for group, values in groups.items()
    }


def _pronoun_sets(attribute: Attribute | None, lang: str) -> tuple[tuple[str, str], ...]:
    if attribute is None or not any(attribute.groups.values()):
        return _SETS[lang]
    return tuple((group, next(iter(values[0].values()))) for group, values in attribute.groups.items() if values)


def _label(value: Mapping[str, str]) -> str:
    return next(iter(value.values())) if len(value) == 1 else "; ".join(f"{k}: {v}" for k, v in value.items())


def _usual(plan: Plan, template: Template, pair: int) -> dict[str, str]:
    """What slots say that are not varied: the attributes' usual values, then the template's own slots."""
    values: dict[str, str] = {}
    for name in dict.fromkeys([*plan.templates.attributes, *template.attributes]):
        attribute = plan.templates.attribute_of(template, name)
        values |= (attribute.usual if attribute and name != PRONOUNS else None) or {}
    for slot, options in {**plan.templates.slots, **template.slots}.items():
        rng = random.Random(f"slot {plan.seed} {template.id} {slot} {pair}")
        values[slot] = options[rng.randrange(len(options))]
    return values


def cells_of(plan: Plan) -> tuple[list[Cell], list[LeftOut]]:
    """Base cells of every probe.

    Parameters
    ----------
    plan : Plan

    Returns
    -------
    list of Cell
        Templates in their order, then pair positions, then groups, so that the cells of one comparison are neighbours.
    list of LeftOut
        Templates in which an attribute shows nowhere, or that are specific to one value of it.
    """
    cells: list[Cell] = []
    left_out: list[LeftOut] = []
    for attributes in plan.probes:
        for template in plan.templates.templates:
            probe = "+".join(attributes)
            if why := _why_not(plan, template, attributes):
                left_out.append(LeftOut(probe, template.id, why))
            elif template.two_candidates:
                cells += _two_candidates(plan, template, probe)
            else:
                cells += _cells(plan, template, attributes)
    return cells, left_out


def _why_not(plan: Plan, template: Template, attributes: Sequence[str]) -> str:
    for name in attributes:
        meant = {
            name,
            *(plan.names.attribute.split(" and ") if name == NAME else ["gender"] if name == PRONOUNS else []),
        }
        if template.specific_to in meant:
            return f"it is specific to one {template.specific_to}"
        if not writes(plan, template, name):
            return f"it has no slot that shows {name}"
        if template.two_candidates and attributes != (NAME,):
            return "two candidates are compared by name only"
        groups = _levels(plan, template, name)
        if len(groups) < 2 or not all(groups.values()):
            return f"it has no values of {name}"
    return ""


def _cells(plan: Plan, template: Template, attributes: Sequence[str]) -> Iterator[Cell]:
    by_attribute = [_levels(plan, template, name) for name in attributes]
    pairs = max(len(levels) for groups in by_attribute for levels in groups.values())
    needs_person = bool(slots_used(plan, template) & PERSON_SLOTS)
    for pair in range(pairs):
        usual = _usual(plan, template, pair)
        for combination in product(*by_attribute):
            chosen = [groups[g][pair % len(groups[g])] for groups, g in zip(by_attribute, combination, strict=True)]
            people = _people(plan, template, chosen, template.number + pair) if needs_person else ()
            values = usual | {slot: text for level in chosen for slot, text in level.values.items()}
            yield Cell(
                template=template,
                probe="+".join(attributes),
                attribute=_attribute(plan, attributes),
                group=" + ".join(level.group for level in chosen),
                name=", ".join(level.label for level in chosen),
                name_pair=str(pair + 1),
                people=people,
                cast=Cast(people=tuple(person.identity for person in people), values=values),
            )


def _attribute(plan: Plan, attributes: Sequence[str]) -> str:
    return "+".join(plan.names.attribute if name == NAME else name for name in attributes)


def _people(plan: Plan, template: Template, chosen: Sequence[_Level], turn: int) -> tuple[Person, ...]:
    """The person of a cell: the one whose name is varied, else somebody who is the same for all groups."""
    person = next((level.person for level in chosen if level.person), None)
    said = next((level.pronouns for level in chosen if level.pronouns), None)
    if person is None:
        # Pronouns go with names that fit any; otherwise the study's people take turns.
        known = plan.neutral[template.lang] if said or not plan.names.people else plan.names.people
        person = known[turn % len(known)]
    if said is None:
        return (person,)
    forms = replace(person.identity.forms, pronouns=said, title=None)
    return (replace(person, identity=replace(person.identity, forms=forms)),)


def _two_candidates(plan: Plan, template: Template, probe: str) -> Iterator[Cell]:
    """Two people of different groups in one prompt, in both orders; never a row of a gap between groups."""
    for contrast in plan.contrasts:
        side_a, side_b = plan.names.groups[contrast.a], plan.names.groups[contrast.b]
        for pair, (a, b) in enumerate(zip(side_a, side_b, strict=False)):
            orders: tuple[tuple[Literal["ab", "ba"], tuple[Person, ...]], ...] = (("ab", (a, b)), ("ba", (b, a)))
            for order, people in orders:
                shown: tuple[Identity, ...] = tuple(person.identity for person in people)
                yield Cell(
                    template=template,
                    probe=probe,
                    attribute=plan.names.attribute,
                    group=f"{contrast.a} | {contrast.b}",
                    name=f"{a.identity.name} | {b.identity.name}",
                    name_pair=str(pair + 1),
                    people=people,
                    cast=Cast(people=shown, values=_usual(plan, template, pair)),
                    order=order,
                    arm=Arm(kind="variant", of_arm="base"),
                )
