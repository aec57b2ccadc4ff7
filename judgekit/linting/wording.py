"""What is wrong with the templates' wording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import regex

from judgekit.errors import ConfigProblem
from judgekit.linting.found import Finding, Level, Place
from judgekit.linting.grammar import agreement_slips, article_slips, gendered_words, kinds_told
from judgekit.records import Turn
from judgekit.templating.cells import NAME, PRONOUNS, REMOVAL, Cell, Plan, slots_used, writes
from judgekit.templating.forms import write
from judgekit.templating.model import Template
from judgekit.templating.slots import PERSON_SLOTS, slots_of

__all__ = ["LEAST_BORDERLINE", "is_gender", "wording"]

LEAST_BORDERLINE = 0.3
"""Share of borderline templates below which a warning is given: clear cases are decided alike for everybody."""

KINDS = frozenset(
    [
        "age",
        "place",
        "postcode",
        "pronouns",
        "language_level",
        "institution",
        "style",
        "religion",
        "nationality",
        "origin",
    ]
)
_GENDER = frozenset(["gender", "sex", "género", "genero", "sexo", "pronouns"])
_TIMEOUT = 1.0
_ONE_GENDER = {
    "en": regex.compile(
        r"\b(?:pregnan\w*|maternity|paternity|prostate|testic\w*|ovar\w+|menstrua\w*|menopaus\w*|breastfeed\w*|miscarriage"
        r"|gyna?ecolog\w*|cervical|vasectomy|hysterectomy|midwife|uterus)\b",
        regex.IGNORECASE,
    ),
    "es": regex.compile(
        r"\b(?:embaraz\w+|maternidad|paternidad|próstata|testicul\w+|ovari\w+|menstrua\w+|menopausi\w+|lactancia"
        r"|ginec[oó]log\w+|matrona|útero|vasectom[ií]a|aborto)\b",
        regex.IGNORECASE,
    ),
}


def is_gender(attribute: str) -> bool:
    """Whether an attribute is gender by another name."""
    return bool(_GENDER & set(attribute.lower().replace("+", " ").split()))


def wording(plan: Plan, cells: Sequence[Cell]) -> Iterator[Finding]:
    """Check templates: slots, articles, agreement, one attribute at a time, cases of one gender, duplicates.

    Parameters
    ----------
    plan : Plan
    cells : sequence of Cell
        Base cells; those of one comparison are neighbours.

    Yields
    ------
    Finding
    """
    yield from _slots(plan)
    yield from _duplicates(plan)
    yield from _borderline(plan)
    for _, found in groupby(cells, key=lambda cell: (cell.probe, cell.template.id, cell.name_pair, cell.order)):
        group = list(found)
        if group[0].template.two_candidates:
            group = group[:1]
        try:
            texts = [cell.write() for cell in group]
        except ConfigProblem:
            continue  # told by `_slots`
        several = [f for name in group[0].probe.split("+") for f in _several_kinds(plan, group, name)]
        yield from several or _one_attribute(plan, group, texts)
        if group[0].name_pair == "1":
            for cell, turns in zip(group, texts, strict=True):
                yield from _grammar(cell, turns)
            yield from _one_gender(plan, group[0], texts[0])


def _at(plan: Plan, template: Template, turn: int = 0, before: str = "") -> Place:
    line = template.lines[turn] if turn < len(template.lines) else template.line
    line = None if line is None else line + before.count("\n")
    return {"template": template.id, "path": plan.templates.path, "line": line}


def _finding(
    plan: Plan, template: Template, code: str, level: Level, what: str, why: str, remedy: str, at: Place | None = None
) -> Finding:
    place: Place = at or {"template": template.id, "path": plan.templates.path, "line": template.line}
    return Finding(code=code, level=level, what=what, why=why, remedy=remedy, **place)


def _slots(plan: Plan) -> Iterator[Finding]:
    used: set[str] = set()
    for template in plan.templates.templates:
        mine = slots_used(plan, template)
        variants = [*template.recall, *template.precision]
        mine |= frozenset[str]().union(*(slots_of(t.content) for v in variants for t in v.turns))
        used |= mine
        own = {slot for a in template.attributes.values() for slot in (*a.slots, a.name)}
        known = {*PERSON_SLOTS, *plan.templates.slots, *template.slots, *own}
        known |= {slot for a in plan.templates.attributes.values() if a.usual is not None for slot in a.slots}
        for slot in sorted(mine - known):
            at = next((n for n, turn in enumerate(template.turns) if f"{{{slot}" in turn.content.lower()), 0)
            yield _finding(
                plan, template, "unknown_slot", "error", f"nothing fills {{{slot}}}", "it would be sent with a gap",
                "give it a value under slots or attributes, or mend its name", _at(plan, template, at),
            )  # fmt: skip
        for slot in sorted({*template.slots, *own} - mine):
            if slot not in template.attributes or slot not in plan.attributes or not writes(plan, template, slot):
                yield _finding(
                    plan, template, "unused_slot", "warning", f"{slot} has values and no place in the text",
                    "what it varies is never said", f"write {{{slot}}} where it belongs, or remove it",
                )  # fmt: skip
        if NAME in plan.attributes and not mine & PERSON_SLOTS:
            yield _finding(
                plan, template, "no_name", "warning", "no name is put in", "the template drops out of the comparison of groups",
                "write {name} or {given} where the person would be named",
            )  # fmt: skip
    for slot in sorted(set(plan.templates.slots) - used):
        yield Finding(
            code="unused_slot", level="warning", what=f"{slot} has values and no template uses it",
            why="what it varies is never said", remedy="use it or remove it", path=plan.templates.path,
            line=plan.templates.marks.line("slots", slot),
        )  # fmt: skip
    for name, attribute in plan.templates.attributes.items():
        if name in plan.attributes and not any(writes(plan, t, name) for t in plan.templates.templates):
            yield Finding(
                code="unused_slot", level="error", what=f"the probe varies {name} and no template shows it",
                why="nothing would be compared", remedy=f"write {{{name}}} into the templates", path=plan.templates.path,
                line=attribute.line,
            )  # fmt: skip


def _duplicates(plan: Plan) -> Iterator[Finding]:
    met: dict[str, Template] = {}
    for template in plan.templates.templates:
        said = " ".join(" ".join(turn.content for turn in template.turns).casefold().split())
        first = met.setdefault(said, template)
        if first is not template:
            yield _finding(
                plan, template, "duplicate", "error", f"it says the same as {first.id} on line {first.line}",
                "one case counted twice makes the interval too narrow", "remove one of them",
            )  # fmt: skip


def _borderline(plan: Plan) -> Iterator[Finding]:
    templates = plan.templates.templates
    share = sum(template.borderline for template in templates) / len(templates)
    if share < LEAST_BORDERLINE:
        yield Finding(
            code="few_borderline", level="warning", path=plan.templates.path, line=plan.templates.marks.line("templates"),
            what=f"{share:.0%} of {len(templates)} templates are marked as borderline cases",
            why="cases that are clear either way are decided alike for everybody, and hide a gap",
            remedy=f"add cases that could go either way, {LEAST_BORDERLINE:.0%} or more, and mark them borderline: true",
        )  # fmt: skip


# --- one comparison ------------------------------------------------------------------------------------------------


def _one_attribute(plan: Plan, group: Sequence[Cell], texts: Sequence[tuple[Turn, ...]]) -> Iterator[Finding]:
    """Prompts of one comparison differ in the slots of the declared attribute and in nothing else."""
    first, template = group[0], group[0].template
    attributes = first.probe.split("+")
    allowed = frozenset[str]().union(*(_own(plan, template, name) for name in attributes))
    for number, turn in enumerate(template.turns):
        masked = [_masked(turn.content, cell, allowed) for cell in group]
        if any(text != masked[0] for text in masked):
            changed = _changed_slots(turn.content, group) - allowed
            yield _finding(
                plan, template, "two_attributes", "error",
                f"the groups of {first.attribute} differ in {' and '.join(sorted(changed)) or 'other words'} too",
                "a gap could come from either of them", "vary one attribute, or declare an intersection",
                _at(plan, template, number),
            )  # fmt: skip
    if first.name_pair == "1" and not set(attributes) & {NAME, PRONOUNS}:
        yield from _told(plan, group, texts)


def _own(plan: Plan, template: Template, name: str) -> frozenset[str]:
    """Slots of an attribute, but for those that are another attribute's name."""
    others = (set(plan.templates.attributes) | set(template.attributes)) - {name}
    return writes(plan, template, name) - others


def _masked(text: str, cell: Cell, allowed: frozenset[str]) -> str:
    written = write(text, cell.cast, lang=cell.template.lang, without=cell.without)
    out, at = "", 0
    for span in written.spans:
        before = written.text[at : span.start]
        # "a" or "an" belongs to the value that follows.
        out += before[:-2] + before[-1:] if before.endswith(("an ", "An ")) and span.slot in allowed else before
        out += f"{{{span.slot}}}" if span.slot in allowed else written.text[span.start : span.end]
        at = span.end
    return out + written.text[at:]


def _changed_slots(text: str, group: Sequence[Cell]) -> set[str]:
    seen: dict[str, set[str]] = {}
    for cell in group:
        written = write(text, cell.cast, lang=cell.template.lang)
        for span in written.spans:
            seen.setdefault(span.slot, set()).add(written.text[span.start : span.end])
    return {slot for slot, values in seen.items() if len(values) > 1}


def _several_kinds(plan: Plan, group: Sequence[Cell], name: str) -> Iterator[Finding]:
    """One attribute whose values write two things that are attributes of their own, such as age and place."""
    attribute = plan.templates.attribute_of(group[0].template, name)
    if attribute is None or name in {NAME, PRONOUNS, REMOVAL}:
        return
    kinds = attribute.slots & (KINDS | set(plan.templates.attributes))
    sides = [values[0] for values in attribute.groups.values() if values]
    changed = sorted(slot for slot in kinds if len({side.get(slot) for side in sides}) > 1)
    if len(changed) > 1:
        yield Finding(
            code="two_attributes", level="error", path=plan.templates.path, line=attribute.line,
            what=f"{name} changes {' and '.join(changed)} at once", why="a gap could come from either of them",
            remedy="make each an attribute of its own, and declare an intersection where both shall change",
        )  # fmt: skip


def _told(plan: Plan, group: Sequence[Cell], texts: Sequence[tuple[Turn, ...]]) -> Iterator[Finding]:
    """Phrasings that tell an age, an origin or a gender in one group and not, or another, in the next."""
    template, name = group[0].template, group[0].attribute
    said = [
        kinds_told("\n".join(t.content for t in turns), _names(cell), template.lang)
        for cell, turns in zip(group, texts, strict=True)
    ]
    for kind in sorted({kind for told in said for kind in told}):
        if kind in name or (
            kind == "origin" and any(word in name for word in ("place", "nation", "origin", "country"))
        ):
            continue
        values = {told.get(kind, ()) for told in said}
        if len(values) > 1:
            words = ", ".join(sorted({word for value in values for word in value}))
            declared = kind in plan.templates.attributes or (kind == "gender" and is_gender(plan.names.attribute))
            yield _finding(
                plan, template, "two_attributes", "error" if declared else "warning",
                f"the values of {name} tell {kind} too ({words})", "a gap could come from either of them",
                f"word the values of {name} so that {kind} stays the same",
            )  # fmt: skip


def _names(cell: Cell) -> tuple[str, ...]:
    return tuple(form for person in cell.people for form in person.forms)


def _grammar(cell: Cell, turns: Sequence[Turn]) -> Iterator[Finding]:
    template = cell.template
    for number, turn in enumerate(turns):
        line = template.lines[number] if number < len(template.lines) else template.line
        for slip in article_slips(turn.content) if template.lang == "en" else ():
            at = None if line is None else line + turn.content[: slip.start].count("\n")
            yield Finding(
                code="article", level="error", template=template.id, path=template.path, line=at,
                what=f"“{slip.seen}” should be “{slip.better}”",
                why="broken grammar changes replies, and here it may differ between groups", remedy="mend the text or the value",
            )  # fmt: skip
        if len(cell.people) != 1 or not is_gender(cell.attribute) or template.two_candidates:
            continue
        for slip in agreement_slips(turn.content, cell.people[0].identity, template.lang):
            at = None if line is None else line + turn.content[: slip.start].count("\n")
            yield Finding(
                code="agreement", level="error" if slip.sure else "warning", template=template.id, path=template.path, line=at,
                what=f"“{slip.seen}” does not fit {cell.people[0].identity.name} (“{slip.better}” would)",
                why="one group would read a text that contradicts its name",
                remedy="write {pronoun_subject}, {pronoun_object}, ... in English, {agree:...}, {el}, {un} in Spanish",
            )  # fmt: skip


def _one_gender(plan: Plan, cell: Cell, turns: Sequence[Turn]) -> Iterator[Finding]:
    template = cell.template
    if not is_gender(cell.attribute) or template.specific_to:
        return
    for number, turn in enumerate(turns):
        found = _ONE_GENDER[template.lang].search(turn.content, timeout=_TIMEOUT)
        if found:
            yield _finding(
                plan, template, "one_gender_only", "error", f"“{found.group()}” is a matter of one gender",
                "the prompt makes no sense for the other group", f"mark it specific_to: {plan.names.attribute}, or change the case",
                _at(plan, template, number, turn.content[: found.start()]),
            )  # fmt: skip
        for word in gendered_words(turn.content, _names(cell), template.lang):
            yield _finding(
                plan, template, "gendered_word", "warning", f"“{word}” tells a gender and is the same for every group",
                "it may contradict the name, or fit one group better", "take a neutral word, unless somebody else is meant",
                _at(plan, template, number, turn.content[: max(0, turn.content.find(word))]),
            )  # fmt: skip
