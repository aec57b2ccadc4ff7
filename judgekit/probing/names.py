"""Whose names a probe puts in: the user's own lists first, bundled lists of invented people after them.

Lists are matched by position: the first name of one group goes with the first of every other. A file of names::

    attribute: gender
    groups:
      woman: {pronouns: she/her, title: Ms, names: [Emily Hartwell, {given: Priya, family: Iyer, origin: south_asian, era: 1985-2005}]}
      man: {pronouns: he/him, title: Mr, names: [Matthew Hartwell, {given: Arjun, family: Iyer, origin: south_asian, era: 1985-2005}]}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from judgekit.data import bundled
from judgekit.errors import ConfigProblem, UsageProblem
from judgekit.records import Identity, NameForms
from judgekit.study import Study
from judgekit.templating.marks import Marks, load_marked
from judgekit.templating.model import NameLists, Person

__all__ = ["BUNDLED", "bundled_names", "load_names", "names_of_study", "neutral_people"]

BUNDLED = ("en-gender", "en-origin", "en-gender-origin", "es-gender", "es-origin", "es-gender-origin")
"""Names of the bundled lists, for ``names: bundled:NAME``."""

_PREFIX = "bundled:"
_TOP = {"format", "lang", "attribute", "source", "licence", "note", "groups"}
_GROUP = {"label", "pronouns", "title", "gender", "origin", "era", "note", "names"}
_PERSON = {"given", "family", "title", "pronouns", "gender", "origin", "era", "word", "note"}


def names_of_study(study: Study, lang: str) -> NameLists:
    """The name lists of a study's probe.

    Parameters
    ----------
    study : Study
    lang : {'en', 'es'}
        Of the templates; chooses the bundled list when the study brings no names.

    Returns
    -------
    NameLists
        From ``probe.names``; else from ``groups.values``; else the bundled list that has the study's groups.

    Raises
    ------
    ConfigProblem
        A list cannot be read, or its groups are not the study's.
    UsageProblem
        There are no names anywhere.
    """
    stated = study.probe.names if study.probe else None
    wanted = tuple(study.groups.values) if study.groups else ()
    if stated is not None:
        if str(stated).startswith(_PREFIX):
            return _chosen(bundled_names(str(stated).removeprefix(_PREFIX)), wanted, study.file)
        return _chosen(load_names(study.path(stated)), wanted, study.file)
    own = _of_study_file(study, lang)
    if any(own.groups.values()):
        return own
    for name in BUNDLED:
        lists = bundled_names(name)
        if name.startswith(lang) and wanted and set(wanted) <= set(lists.groups):
            return _chosen(lists, wanted, study.file)
    raise UsageProblem(
        "the probe has no names to put in",
        path=study.file,
        field="groups.values",
        remedy=f"list names there, or say probe.names: a file, or one of {', '.join(_PREFIX + n for n in BUNDLED)}",
    )


def _chosen(lists: NameLists, wanted: Sequence[str], study_file: Path) -> NameLists:
    """The study's groups, in the study's order."""
    if missing := [group for group in wanted if group not in lists.groups]:
        raise ConfigProblem(
            "a group has no list of names",
            path=study_file,
            field="groups.values",
            seen=", ".join(missing),
            why=f"{lists.source} has {', '.join(lists.groups)}",
            remedy="name the groups alike in both",
        )
    return replace(lists, groups={group: lists.groups[group] for group in wanted or lists.groups})


def _of_study_file(study: Study, lang: str) -> NameLists:
    _, marks = load_marked(study.file) if study.file.is_file() else (None, Marks(study.file))
    values = study.groups.values if study.groups else {}
    people = study.identities()
    groups = {
        group: tuple(
            _known(Person(identity=person, line=marks.line("groups", "values", group, "names", k)), lang)
            for k, person in enumerate(people.get(group, ()))
        )
        for group in values
    }
    lines = {group: marks.line("groups", "values", group) for group in groups}
    attribute = study.groups.attribute if study.groups else "group"
    return NameLists(groups=groups, path=study.file, source=study.file.name, attribute=attribute, lines=lines)


def load_names(path: str | Path) -> NameLists:
    """Read a file of name lists.

    Parameters
    ----------
    path : str or Path
        YAML.

    Returns
    -------
    NameLists

    Raises
    ------
    ConfigProblem
        With line and field: no YAML, an unknown key, a person without a given name, a name that stands twice.
    """
    found, marks = load_marked(path)
    top = _mapping(found, (), _TOP, marks)
    groups: dict[str, tuple[Person, ...]] = {}
    lang = "es" if top.get("lang") == "es" else "en"
    lines, met = dict[str, int | None](), dict[str, int | None]()
    for group, given in _mapping(top.get("groups"), ("groups",), None, marks).items():
        place = ("groups", group)
        block = _mapping(given, place, _GROUP, marks)
        rows = block.get("names")
        if not isinstance(rows, list) or not rows:
            _bad(marks, (*place, "names"), rows, "a list of names")
        people = [_person(row, (*place, "names", k), block, group, k, marks) for k, row in enumerate(rows)]
        for person in people:
            name = person.identity.name
            if name.casefold() in met:
                _bad(marks, place, name, f"the name stands on line {met[name.casefold()]} too; each person needs one")
            met[name.casefold()] = person.line
        groups[group], lines[group] = tuple(_known(person, lang) for person in people), marks.line(*place)
    return NameLists(
        groups=groups,
        path=Path(path),
        source=Path(path).name,
        attribute=str(top.get("attribute") or "group"),
        lines=lines,
    )


def _person(
    row: Any, place: tuple[str | int, ...], block: Mapping[str, Any], group: str, position: int, marks: Marks
) -> Person:
    if isinstance(row, str) and row.strip():
        given, _, family = row.strip().partition(" ")
        row = {"given": given} | ({"family": family} if family else {})
    own = _mapping(row, place, _PERSON, marks)
    known = {key: block.get(key) for key in ("pronouns", "title", "gender", "origin", "era", "note")} | own
    texts = {key: _text(value, (*place, key), marks) for key, value in known.items() if key != "word"}
    given_name = texts.get("given")
    if not given_name:
        _bad(marks, place, None, "a person has a given name")
    forms = NameForms(given=given_name, family=texts.get("family"), title=texts["title"], pronouns=texts["pronouns"])
    return Person(
        identity=Identity(
            group=group,
            name=" ".join(filter(None, [forms.given, forms.family])),
            forms=forms,
            name_pair=str(position + 1),
        ),
        gender=texts["gender"],
        origin=texts["origin"],
        era=texts["era"],
        word=_flag(known.get("word"), (*place, "word"), marks),
        note=texts["note"],
        line=marks.line(*place),
    )


def _text(value: Any, place: tuple[str | int, ...], marks: Marks) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        _bad(marks, place, value, "a text is needed here")
    return str(value).strip() or None


def _flag(value: Any, place: tuple[str | int, ...], marks: Marks) -> bool | None:
    if value is not None and not isinstance(value, bool):
        _bad(marks, place, value, "true or false")
    return value


def _mapping(value: Any, place: tuple[str | int, ...], known: set[str] | None, marks: Marks) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        _bad(marks, place, value, "a block of keys is needed here")
    for key in value:
        if known is not None and key not in known:
            _bad(marks, (*place, str(key)), None, f"unknown key; known are {', '.join(sorted(known))}")
    return {str(key): inner for key, inner in value.items()}


def _bad(marks: Marks, place: tuple[str | int, ...], seen: object, why: str) -> NoReturn:
    raise ConfigProblem(
        "not a file of names",
        path=marks.path,
        line=marks.line(*place),
        field=".".join(map(str, place)) or None,
        seen=None if isinstance(seen, dict | list) else seen,
        why=why,
        remedy="groups: {GROUP: {pronouns, title, names: [First Last, ...]}}",
    )


# --- bundled -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def _cells(lang: str) -> tuple[dict[tuple[str, str], tuple[Person, ...]], tuple[Person, ...], Path]:
    """Bundled people by gender and origin; given names of any gender; the file."""
    path = bundled("names") / f"{lang}.yaml"
    found, marks = load_marked(path)
    cells = {}
    for number, block in enumerate(found["cells"]):
        place = ("cells", number)
        cells[block["gender"], block["origin"]] = tuple(
            _person(row, (*place, "names", k), block, f"{block['gender']}-{block['origin']}", k, marks)
            for k, row in enumerate(block["names"])
        )
    neutral = tuple(
        _person(row, ("neutral", k), {"pronouns": "they/them" if lang == "en" else "elle"}, "neutral", k, marks)
        for k, row in enumerate(found["neutral"])
    )
    return cells, neutral, path


@lru_cache(maxsize=8)
def bundled_names(name: str) -> NameLists:
    """A bundled list of invented people.

    Parameters
    ----------
    name : str
        One of `BUNDLED`: by gender (a pair of every origin), by origin (women and men in turn), or by both.

    Returns
    -------
    NameLists

    Raises
    ------
    UsageProblem
        There is none of that name.

    Examples
    --------
    >>> lists = bundled_names("es-gender")
    >>> [(group, people[1].identity.name) for group, people in lists.groups.items()]
    [('mujer', 'Fátima El Idrissi'), ('hombre', 'Mohamed El Idrissi')]
    """
    if name not in BUNDLED:
        raise UsageProblem(
            "there is no such bundled list of names",
            field="probe.names",
            seen=name,
            remedy=f"one of {', '.join(_PREFIX + n for n in BUNDLED)}",
        )
    lang, _, view = name.partition("-")
    cells, _, path = _cells(lang)
    genders, origins = tuple(dict.fromkeys(g for g, _ in cells)), tuple(dict.fromkeys(o for _, o in cells))
    size = min(map(len, cells.values()))
    if view == "gender":
        # Every origin in turn, so that what is compared is gender over all of them.
        groups = {g: [cells[g, origins[k % len(origins)]][k // len(origins)] for k in range(6)] for g in genders}
    elif view == "origin":
        groups = {o: [cells[genders[k % 2], o][k // 2] for k in range(size)] for o in origins}
    else:
        groups = {f"{g}-{o}": list(people) for (g, o), people in cells.items()}
    return NameLists(
        groups={group: tuple(_placed(p, group, k) for k, p in enumerate(people)) for group, people in groups.items()},
        path=path,
        source=_PREFIX + name,
        attribute=view.replace("-", " and "),
        lines={group: people[0].line for group, people in groups.items()},
    )


def _placed(person: Person, group: str, position: int) -> Person:
    cell = dict(zip(("gender", "origin"), person.identity.group.split("-", 1), strict=False))
    return replace(
        person,
        identity=replace(person.identity, group=group, name_pair=str(position + 1)),
        gender=person.gender or cell.get("gender"),
        origin=person.origin or cell.get("origin"),
    )


def neutral_people(lang: str) -> tuple[Person, ...]:
    """Invented people with given names of any gender, for probes in which pronouns are varied.

    Parameters
    ----------
    lang : {'en', 'es'}

    Returns
    -------
    tuple of Person

    Examples
    --------
    >>> neutral_people("en")[0].identity.name
    'Alex Renwick'
    """
    return _cells(lang)[1]


@lru_cache(maxsize=2)
def _facts(lang: str) -> dict[str, tuple[set[str], set[str]]]:
    """Genders and origins that the bundled lists of a language know of a given name."""
    facts: dict[str, tuple[set[str], set[str]]] = {}
    for (gender, origin), people in _cells(lang)[0].items():
        for person in people:
            genders, origins = facts.setdefault(person.identity.forms.given.casefold(), (set(), set()))
            genders.add(gender)
            origins.add(origin)
    return facts


def _known(person: Person, lang: str) -> Person:
    """What is not said of a person, as far as the bundled lists know the given name."""
    genders, origins = _facts(lang).get(person.identity.forms.given.casefold(), (set(), set()))
    gender = person.gender or (next(iter(genders)) if len(genders) == 1 else None)
    origin = person.origin or (next(iter(origins)) if len(origins) == 1 else None)
    inferred = [
        kind
        for kind, known, said in (("gender", gender, person.gender), ("origin", origin, person.origin))
        if known != said
    ]
    return replace(person, gender=gender, origin=origin, inferred=frozenset(inferred))
