"""Read a file of templates: what is said to the chatbot, with slots, and the values that probes vary.

The form, with everything it may hold::

    lang: en                               # of templates that do not say
    slots: {product: [kettle, lamp]}       # own slots; of several values one is drawn for each template and pair
    attributes:
      age: {groups: {younger: ["24", "31"], older: ["64", "71"]}, default: "45"}
      style: {groups: {plain: [], rushed: []}}         # the templates bring the wording
    templates:
      - id: late-parcel
        case_type: delivery
        text: "I'm {name}, {age}.[[ I live in {place}.]] {style} my {product} is late. Is a refund possible?"
        attributes: {style: {plain: "I am writing because", rushed: "hey so"}}
        borderline: true
        recall: {direction: up, text: "I'm {name}. My {product} never came, you said so yourself. A refund?"}
      - id: two-applicants
        two_candidates: true
        turns: [{user: "Compare {name_1} and {name_2}."}, {assistant: "Gladly."}, {user: "Whom would you call?"}]
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NoReturn, cast

from judgekit.errors import BadInput, ConfigProblem
from judgekit.records import Turn
from judgekit.templating.marks import Marks, load_marked
from judgekit.templating.model import Attribute, Template, TemplateSet, Value, Variant
from judgekit.templating.slots import PERSON_SLOTS, parse

__all__ = ["load_templates"]

_TOP = {"format", "lang", "slots", "attributes", "templates", "note"}
_KEYS = {
    "id", "case_type", "lang", "text", "turns", "slots", "attributes", "recall", "precision", "two_candidates",
    "specific_to", "borderline", "note",
}  # fmt: skip
_DIRECTIONS: Mapping[Any, Literal[-1, 0, 1]] = {"up": 1, "down": -1, "same": 0, 1: 1, -1: -1, 0: 0}
_REMEDY = "see `judgekit probe example` for the form of the file"
Place = tuple[str | int, ...]


def load_templates(path: str | Path) -> TemplateSet:
    """Read and check a file of templates.

    Parameters
    ----------
    path : str or Path
        YAML.

    Returns
    -------
    TemplateSet

    Raises
    ------
    ConfigProblem
        With line and field: no YAML, a key that is unknown, missing or does not fit, an id that stands twice, a text
        whose braces do not close.
    """
    found, marks = load_marked(path)
    reader = _Reader(marks)
    top = reader.mapping(found, (), _TOP)
    rows = top.get("templates")
    if not isinstance(rows, list) or not rows:
        reader.bad(("templates",), rows, "a list of one template or more")
    lang = reader.lang(top.get("lang", "en"), ("lang",))
    attributes = {
        reader.slot_name(name, ("attributes", name)): reader.attribute(name, value, ("attributes", name))
        for name, value in reader.mapping(top.get("attributes") or {}, ("attributes",), None).items()
    }
    slots = reader.slots(top.get("slots"), ("slots",))
    templates: dict[str, Template] = {}
    for number, row in enumerate(rows):
        template = reader.template(row, ("templates", number), lang, attributes)
        if template.id in templates:
            reader.bad(("templates", number, "id"), template.id, f"it stands on line {templates[template.id].line} too")
        templates[template.id] = template
    shared = json.dumps([{k: list(v) for k, v in slots.items()}], sort_keys=True)
    hashed = tuple(_hashed(template, shared) for template in templates.values())
    return TemplateSet(path=Path(path), templates=hashed, attributes=attributes, slots=slots, marks=marks)


def _hashed(template: Template, shared: str) -> Template:
    from dataclasses import replace

    said = json.dumps([template.id, template.lang, template.turns, sorted(template.slots.items())], ensure_ascii=True)
    return replace(template, hash=hashlib.sha256((said + shared).encode("ascii")).hexdigest()[:16])


class _Reader:
    """Checks values and says where they stand."""

    def __init__(self, marks: Marks) -> None:
        self.marks = marks

    def bad(self, place: Place, seen: object, why: str, remedy: str = _REMEDY) -> NoReturn:
        raise ConfigProblem(
            "not a template" if place[:1] == ("templates",) and len(place) > 1 else "not a file of templates",
            path=self.marks.path,
            line=self.marks.line(*place),
            field=".".join(map(str, place)) or None,
            seen=None if seen is None or isinstance(seen, dict | list) else seen,
            why=why,
            remedy=remedy,
        )

    def mapping(self, value: Any, place: Place, known: set[str] | None) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.bad(place, value, "a block of keys is needed here")
        for key in value:
            if known is not None and key not in known:
                self.bad((*place, str(key)), None, f"unknown key; known are {', '.join(sorted(known))}")
        return {str(key): inner for key, inner in value.items()}

    def text(self, value: Any, place: Place) -> str:
        """A text; a number counts as one, since ages and amounts are written so."""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            self.bad(place, value, "a text is needed here")
        return str(value)

    def phrase(self, value: Any, place: Place) -> str:
        text = self.text(value, place)
        try:
            parse(text)
        except (BadInput, TimeoutError) as problem:
            seen, why = getattr(problem, "seen", None), getattr(problem, "why", None)
            self.bad(place, seen, why or "it takes too long to read", "mend the braces and brackets")
        return text

    def slot_name(self, name: str, place: Place) -> str:
        if name in PERSON_SLOTS or name == "removal" or not name.isidentifier() or name[:1].isupper():
            if name == "pronouns":
                return name
            self.bad(
                place,
                name,
                "letters, digits and _ with a small letter first, and none of the names of a person's slots",
            )
        return name

    def lang(self, value: Any, place: Place) -> str:
        if value not in ("en", "es"):
            self.bad(place, value, "templates are in en or es", "leave other languages out: nothing could be checked")
        return str(value)

    def flag(self, value: Any, place: Place) -> bool:
        if not isinstance(value, bool):
            self.bad(place, value, "true or false")
        return value

    def slots(self, value: Any, place: Place) -> dict[str, tuple[str, ...]]:
        found = {}
        for name, given in self.mapping(value or {}, place, None).items():
            self.slot_name(name, (*place, name))
            several = given if isinstance(given, list) else [given]
            if not several:
                self.bad((*place, name), None, "one value or more")
            found[name] = tuple(
                self.phrase(one, (*place, name, k) if isinstance(given, list) else (*place, name))
                for k, one in enumerate(several)
            )
        return found

    def value(self, value: Any, place: Place, name: str) -> Value:
        if value == {}:
            self.bad(place, None, "a value writes something")
        if isinstance(value, dict):
            return {slot: self.phrase(text, (*place, slot)) for slot, text in self.mapping(value, place, None).items()}
        return {name: self.phrase(value, place)}

    def attribute(self, name: str, value: Any, place: Place) -> Attribute:
        block = self.mapping(value, place, {"groups", "default", "note"})
        default = block.get("default")
        return Attribute(
            name=name,
            groups=self.groups(block.get("groups"), (*place, "groups"), name),
            default=None if default is None else self.value(default, (*place, "default"), name),
            line=self.marks.line(*place),
        )

    def groups(self, value: Any, place: Place, name: str) -> dict[str, tuple[Value, ...]]:
        found = {}
        for group, given in self.mapping(value, place, None).items():
            several = given if isinstance(given, list) else [given]
            found[group] = tuple(
                self.value(one, (*place, group, k) if isinstance(given, list) else (*place, group), name)
                for k, one in enumerate(several)
            )
        if len(found) < 2:
            self.bad(place, ", ".join(found), "an attribute has two groups or more")
        return found

    def turns(self, row: Mapping[str, Any], place: Place) -> tuple[tuple[Turn, ...], tuple[int | None, ...]]:
        if ("text" in row) == ("turns" in row):
            self.bad(place, None, "either text (one message) or turns (a conversation)")
        if "text" in row:
            here = (*place, "text")
            return (Turn("user", self.phrase(row["text"], here)),), (self.marks.line(*here),)
        if not isinstance(row["turns"], list) or not row["turns"]:
            self.bad((*place, "turns"), row["turns"], "a list such as [{user: ...}, {assistant: ...}, {user: ...}]")
        turns, lines = list[Turn](), list[int | None]()
        for number, given in enumerate(row["turns"]):
            here = (*place, "turns", number)
            one = self.mapping(given, here, {"user", "assistant"})
            if len(one) != 1:
                self.bad(here, None, "one of user or assistant")
            role, said = next(iter(one.items()))
            turns.append(Turn(cast("Literal['user', 'assistant']", role), self.phrase(said, (*here, role))))
            lines.append(self.marks.line(*here, role))
        if turns[-1].role != "user":
            self.bad((*place, "turns"), None, "a conversation ends with what the user says")
        return tuple(turns), tuple(lines)

    def variants(self, value: Any, place: Place, *, needs_direction: bool) -> tuple[Variant, ...]:
        if value is None:
            return ()
        found = []
        for number, given in enumerate(value if isinstance(value, list) else [value]):
            here = (*place, number) if isinstance(value, list) else place
            block = self.mapping(given, here, {"direction", "text", "turns", "slots", "note"})
            direction = block.get("direction", None if needs_direction else "same")
            if (
                isinstance(direction, bool)
                or direction not in _DIRECTIONS
                or (needs_direction and not _DIRECTIONS[direction])
            ):
                self.bad((*here, "direction"), direction, "up or down: where the answer must move")
            turns = self.turns(block, here)[0] if "text" in block or "turns" in block else ()
            slots = {slot: values[0] for slot, values in self.slots(block.get("slots"), (*here, "slots")).items()}
            if not turns and not slots:
                self.bad(here, None, "a variant says text, turns or slots that differ")
            found.append(
                Variant(direction=_DIRECTIONS[direction], turns=turns, slots=slots, line=self.marks.line(*here))
            )
        return tuple(found)

    def template(self, value: Any, place: Place, lang: str, attributes: Mapping[str, Attribute]) -> Template:
        row = self.mapping(value, place, _KEYS)
        name = row.get("id")
        if isinstance(name, bool) or not isinstance(name, str | int) or not str(name).strip():
            self.bad((*place, "id"), name, "every template has an id")
        turns, lines = self.turns(row, place)
        specific = row.get("specific_to")
        return Template(
            id=str(name),
            turns=turns,
            case_type=None if row.get("case_type") is None else self.text(row["case_type"], (*place, "case_type")),
            lang=self.lang(row.get("lang", lang), (*place, "lang")),
            slots=self.slots(row.get("slots"), (*place, "slots")),
            attributes=self.own_values(row.get("attributes"), (*place, "attributes"), attributes),
            recall=self.variants(row.get("recall"), (*place, "recall"), needs_direction=True),
            precision=self.variants(row.get("precision"), (*place, "precision"), needs_direction=False),
            two_candidates=self.flag(row.get("two_candidates", False), (*place, "two_candidates")),
            specific_to=None if specific is None else self.text(specific, (*place, "specific_to")),
            borderline=self.flag(row.get("borderline", False), (*place, "borderline")),
            line=self.marks.line(*place),
            lines=lines,
            path=self.marks.path,
            number=int(place[1]),
        )

    def own_values(self, value: Any, place: Place, shared: Mapping[str, Attribute]) -> dict[str, Attribute]:
        found = {}
        for name, given in self.mapping(value or {}, place, None).items():
            self.slot_name(name, (*place, name))
            groups = self.groups(given, (*place, name), name)
            known: Sequence[str] = tuple(shared[name].groups) if name in shared else tuple(groups)
            if set(groups) != set(known):
                self.bad((*place, name), ", ".join(groups), f"the groups of {name} are {', '.join(known)}")
            found[name] = Attribute(
                name=name,
                groups={group: groups[group] for group in known},
                default=shared[name].default if name in shared else None,
                line=self.marks.line(*place, name),
            )
        return found
