"""The parts of a probe as they were read: templates, attributes with their values, people with what is known of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from judgekit.records import Identity, Turn
from judgekit.templating.marks import Marks

__all__ = ["Attribute", "NameLists", "Person", "Template", "TemplateSet", "Value", "Variant"]

Value = Mapping[str, str]
"""What one value of an attribute writes: text by slot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """What a probe varies beside names: groups, each with values that are matched by position.

    ``default`` is what its slots say while something else is varied, where the file says so.
    """

    name: str
    groups: Mapping[str, tuple[Value, ...]]
    default: Value | None = None
    line: int | None = None

    @property
    def usual(self) -> Value | None:
        """What its slots say while something else is varied: the default, else the first value of the first group."""
        first = next(iter(self.groups.values()), ())
        return self.default if self.default is not None else next(iter(first), None)

    @property
    def slots(self) -> frozenset[str]:
        """Slots that it writes; the one of its own name where templates bring the values."""
        written = {slot for values in self.groups.values() for value in values for slot in value}
        return frozenset(written or {self.name})


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A changed template: other turns, or other values of some slots. ``direction`` is where the answer must move."""

    direction: Literal[-1, 0, 1] = 0
    turns: tuple[Turn, ...] = ()
    slots: Value = field(default_factory=dict)
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One template, the unit of analysis.

    ``slots`` are its own slots with one or more values; ``attributes`` its own values of an attribute, by group.
    ``specific_to`` names an attribute that must not be varied in it. ``lines`` are where its turns stand; ``number`` is
    its place in the file, by which people and groups take turns in a subset as in the whole.
    """

    id: str
    turns: tuple[Turn, ...]
    case_type: str | None = None
    lang: str = "en"
    slots: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    recall: tuple[Variant, ...] = ()
    precision: tuple[Variant, ...] = ()
    two_candidates: bool = False
    specific_to: str | None = None
    borderline: bool = False
    line: int | None = None
    lines: tuple[int | None, ...] = ()
    path: Path | None = None
    number: int = 0
    hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateSet:
    """A file of templates."""

    path: Path
    templates: tuple[Template, ...]
    attributes: Mapping[str, Attribute]
    slots: Mapping[str, tuple[str, ...]]
    marks: Marks

    def attribute_of(self, template: Template, name: str) -> Attribute | None:
        """An attribute as it is in one template: the template's own values, else the file's.

        Parameters
        ----------
        template : Template
        name : str

        Returns
        -------
        Attribute or None
        """
        return template.attributes.get(name) or self.attributes.get(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody whose name is put in, with what a reader may take from the name; all invented.

    ``era`` are the years in which the name was common; ``word`` says that it is an ordinary word too (None: not said);
    ``line`` is where it stands in its file. ``inferred`` names what is not stated (gender, origin), but
    what bundled lists know of the given name.
    """

    identity: Identity
    gender: str | None = None
    origin: str | None = None
    era: str | None = None
    word: bool | None = None
    note: str | None = None
    line: int | None = None
    inferred: frozenset[str] = frozenset()

    @property
    def forms(self) -> tuple[str, ...]:
        """Given name and surname, as the blinder wants them."""
        own = self.identity.forms
        return tuple(part for part in (own.given, own.family) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class NameLists:
    """People by group, matched by position, and where they come from."""

    groups: Mapping[str, tuple[Person, ...]]
    path: Path
    source: str
    attribute: str
    lines: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def people(self) -> tuple[Person, ...]:
        """Everybody, groups taking turns."""
        longest = max(map(len, self.groups.values()), default=0)
        return tuple(own[k] for k in range(longest) for own in self.groups.values() if k < len(own))
