"""What is wrong with the lists of names, and with values that are matched by position."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import regex

from judgekit.blinding.known import PARTICLES, compile_names
from judgekit.linting.found import Finding, Level, Place
from judgekit.linting.wording import is_gender
from judgekit.templating.cells import NAME, PRONOUNS, Plan, writes
from judgekit.templating.model import Attribute, NameLists, Person

__all__ = ["MIN_NAMES", "people"]

MIN_NAMES = 4
"""With fewer names in a group, luck in the list cannot be told from the group: names are a second random factor."""

_TIMEOUT = 1.0
_YEARS = regex.compile(r"(\d{4})\D+(\d{4})|(\d{4})s?")
_ORIGIN = frozenset(
    ["origin", "ethnicity", "race", "nationality", "religion", "migration", "origen", "etnia", "raza", "nacionalidad"]
)
_GENDERED_TITLES = frozenset("mr mrs ms miss mx sr sra srta don doña señor señora señorita".split())  # noqa: SIM905


def people(plan: Plan) -> Iterator[Finding]:
    """Check lists that are matched by position: equally long, alike in all but the attribute, no ordinary words.

    Parameters
    ----------
    plan : Plan

    Yields
    ------
    Finding
    """
    yield from _values(plan)
    if NAME not in plan.attributes:
        return
    lists = plan.names
    yield from _lengths(lists)
    yield from _without_pronouns(plan)
    lang = plan.templates.templates[0].lang
    for own in lists.groups.values():
        for person in own:
            yield from _word(lists, person, lang)
    longest = max(map(len, lists.groups.values()), default=0)
    for position in range(longest):
        matched = [own[position] for own in lists.groups.values() if position < len(own)]
        for a, b in combinations(matched, 2):
            yield from _pair(lists, a, b, position + 1)


def _lengths(lists: NameLists) -> Iterator[Finding]:
    sizes = {group: len(own) for group, own in lists.groups.items()}
    said = ", ".join(f"{group} {size}" for group, size in sizes.items())
    if len(set(sizes.values())) > 1:
        short = min(sizes, key=lambda group: sizes[group])
        yield _finding(
            lists, "unmatched_names", "error", f"the lists of names are not equally long ({said})",
            "names are matched by position, and a name without a match would have to be dropped",
            "list as many names for every group", lists.lines.get(short),
        )  # fmt: skip
    few = min(sizes, key=lambda group: sizes[group], default=None)
    if few is not None and sizes[few] < MIN_NAMES:
        yield _finding(
            lists, "few_names", "warning", f"a group has fewer than {MIN_NAMES} names ({said})",
            "luck in the choice of names cannot be told from the group, so that a claim about groups is flagged",
            f"list {MIN_NAMES} or more for each group, or claim these_names only", lists.lines.get(few),
        )  # fmt: skip


def _without_pronouns(plan: Plan) -> Iterator[Finding]:
    """People whose pronouns are not stated, where templates write pronouns, titles or endings for them."""
    asking = [template for template in plan.templates.templates if writes(plan, template, PRONOUNS)]
    for group, own in plan.names.groups.items():
        silent = next((p for p in own if not (p.identity.forms.pronouns or p.identity.forms.title)), None)
        if asking and silent is not None:
            said = "elle" if asking[0].lang == "es" else "they"
            yield _finding(
                plan.names,
                "no_pronouns",
                "error" if asking[0].lang == "es" else "warning",
                f"{silent.identity.name} ({group}) has no pronouns, and {asking[0].id} writes them",
                f"the text would say “{said}”, with the endings that go with it",
                f"state pronouns for the group {group}",
                silent.line,
            )


def _word(lists: NameLists, person: Person, lang: str) -> Iterator[Finding]:
    if person.word is False:
        return
    names = compile_names(person.forms, lang)
    words = sorted(w for w in names.wordlike & set(names.pieces) if w not in PARTICLES and len(w) > 2)
    own = [w for part in person.forms for w in part.casefold().split() if w in words]
    if own or person.word:
        yield _finding(
            lists, "name_is_word", "warning", f"{person.identity.name}: {', '.join(own) or 'it'} is an ordinary word too",
            "a name that is a word moves sentiment, and is masked by context only", "take a name that is no word",
            person.line,
        )  # fmt: skip


def _pair(lists: NameLists, a: Person, b: Person, position: int) -> Iterator[Finding]:
    attribute = lists.attribute
    said = f"{a.identity.name} and {b.identity.name} (pair {position})"
    told = {
        "origin": (a.origin, b.origin, is_gender(attribute)),
        "gender": (a.gender, b.gender, bool(_ORIGIN & set(attribute.lower().split()))),
    }
    both = "gender" in attribute and "origin" in attribute
    for kind, (one, other, counts) in told.items():
        if counts and not both and one and other and one.casefold() != other.casefold():
            yield _finding(
                lists, "two_attributes", "warning" if kind in a.inferred | b.inferred else "error", f"{said} differ in {kind} too ({one}, {other})",
                f"a gap in {attribute} could come from {kind}", f"match names of the same {kind}", b.line,
            )  # fmt: skip
    if bool(a.identity.forms.family) != bool(b.identity.forms.family):
        yield _finding(
            lists, "unmatched_names", "error", f"{said}: one has a surname and the other has none",
            "the prompts would differ in more than the name", "give both or neither a surname", b.line,
        )  # fmt: skip
    titles = [str(p.identity.forms.title or "").rstrip(".").casefold() for p in (a, b)]
    if titles[0] != titles[1] and not set(titles) <= _GENDERED_TITLES:
        yield _finding(
            lists, "two_attributes", "error", f"{said} differ in their titles ({titles[0] or 'none'}, {titles[1] or 'none'})",
            "a title that is no form of address tells a profession or a rank", "give both the same kind of title", b.line,
        )  # fmt: skip
    if _apart(a.era, b.era):
        yield _finding(
            lists, "unmatched_era", "warning", f"{said} were common in different years ({a.era}, {b.era})",
            "names tell an age too", "match names of the same years", b.line,
        )  # fmt: skip


def _apart(one: str | None, other: str | None) -> bool:
    years = [_span(text) for text in (one, other) if text]
    if len(years) < 2 or years[0] is None or years[1] is None:
        return False
    return years[0][1] < years[1][0] or years[1][1] < years[0][0]


def _span(text: str) -> tuple[int, int] | None:
    found = _YEARS.search(text, timeout=_TIMEOUT)
    if found is None:
        return None
    first = int(found.group(1) or found.group(3))
    return first, int(found.group(2) or first + (9 if text.rstrip().endswith("s") else 0))


def _values(plan: Plan) -> Iterator[Finding]:
    """Values of attributes are matched by position too."""
    blocks: list[tuple[str | None, Attribute]] = [(None, found) for found in plan.templates.attributes.values()]
    blocks += [(t.id, found) for t in plan.templates.templates for found in t.attributes.values()]
    for template, found in blocks:
        if found.name not in plan.attributes:
            continue
        sizes = {group: len(values) for group, values in found.groups.items()}
        place: Place = {"template": template, "path": plan.templates.path, "line": found.line}
        if len(set(sizes.values())) > 1:
            said = ", ".join(f"{group} {size}" for group, size in sizes.items())
            yield Finding(
                code="unmatched_values", level="error", what=f"the groups of {found.name} have not equally many values ({said})",
                why="values are matched by position", remedy="list as many values for every group", **place,
            )  # fmt: skip
        for position, values in enumerate(zip(*found.groups.values(), strict=False), 1):
            if any(a == b for a, b in combinations(values, 2)):
                yield Finding(
                    code="same_value", level="error", what=f"two groups of {found.name} have the same value {position}",
                    why="there is nothing to compare", remedy="give each group a value of its own", **place,
                )  # fmt: skip


def _finding(lists: NameLists, code: str, level: Level, what: str, why: str, remedy: str, line: int | None) -> Finding:
    return Finding(code=code, level=level, what=what, why=why, remedy=remedy, path=lists.path, line=line)
