"""From a file of replies to what a study of it must say: groups, names, language, design."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from judgekit.files.columns import REPLIES
from judgekit.files.replies_in import iter_replies
from judgekit.files.rows import Table, open_table
from judgekit.intake.columns import Mapped, map_columns
from judgekit.intake.doubts import doubts
from judgekit.intake.profile import profile
from judgekit.intake.words import GENDERS, PEOPLE, folded
from judgekit.records import Reply

__all__ = ["Draft", "DraftGroup", "Found", "Inspected", "draft_study", "inspect_table", "read_found", "replies_of"]

_LANGUAGE_ROWS = 200
_LANGUAGE_LETTERS = 12  # "No" and "N/A" are in any language
_INVENT = "list invented names in groups.values.*.names"
_MOST_NAMES = 30
_MOST_GROUPS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """A table that was looked at: how it is written, and which column is which."""

    table: Table
    mapped: Mapped

    @property
    def csv(self) -> dict[str, str]:
        """How the CSV file is written, as far as it is not the plain way: what ``data.csv`` of a study should say."""
        facts = self.table.csv
        if facts is None:
            return {}
        plain = {"delimiter": ",", "decimal": ".", "encoding": "utf-8"}
        seen = {"delimiter": facts.delimiter, "decimal": facts.decimal, "encoding": facts.text.encoding}
        return {key: value for key, value in seen.items() if value not in {plain[key], "utf-8-sig"}}


def inspect_table(path: Path, stated: Mapping[str, str] | None = None) -> Inspected:
    """Look at a file of replies without reading all of it.

    Parameters
    ----------
    path : Path
        CSV, JSONL or Parquet.
    stated : mapping of str to str, optional
        Columns the user names, canonical to actual.

    Returns
    -------
    Inspected

    Raises
    ------
    BadInput
        The file cannot be read, or a stated column is not there.
    """
    table = open_table(path)
    return Inspected(
        table=table, mapped=map_columns(profile(table.columns, (row.values for row in table.rows())), stated)
    )


@dataclass(kw_only=True)
class Found:
    """What all replies of a file hold; ``no_group`` is the id of the first reply without a group.

    ``failures`` counts replies without a text by group and kind; they are among ``replies``.
    """

    replies: int = 0
    groups: Counter[str] = field(default_factory=Counter)
    no_group: str | None = None
    without_group: int = 0
    names: dict[str, dict[str, str]] = field(default_factory=dict)
    templates: dict[str, set[str]] = field(default_factory=dict)
    without_template: int = 0
    languages: Counter[str] = field(default_factory=Counter)
    arms: Counter[str] = field(default_factory=Counter)
    failures: Counter[tuple[str | None, str]] = field(default_factory=Counter)

    @property
    def unread(self) -> str | None:
        """In words, the languages of the replies looked at where not one is in English or Spanish; else None."""
        if not self.languages or {"en", "es"} & set(self.languages):
            return None
        return ", ".join(f"{n} {code}" for code, n in self.languages.most_common())

    @property
    def shared_templates(self) -> int:
        """Templates that replies of two groups or more answer."""
        return sum(len(groups) > 1 for groups in self.templates.values())

    @property
    def language(self) -> str:
        """The most frequent language of the replies looked at; ``unknown`` without any."""
        return self.languages.most_common(1)[0][0] if self.languages else "unknown"


def read_found(replies: Iterable[Reply]) -> Found:
    """Go through all replies once.

    Parameters
    ----------
    replies : iterable of Reply

    Returns
    -------
    Found
        The language is that of the first 200 replies; one that failed or is too short to tell counts for none. An arm
        other than base counts for nothing else.
    """
    found = Found()
    for reply in replies:
        found.arms[reply.arm.kind] += 1
        if reply.arm.kind != "base":
            continue
        found.replies += 1
        if reply.failed:
            found.failures[reply.group, reply.failed] += 1
        elif found.replies <= _LANGUAGE_ROWS and _tells_language(reply):
            found.languages[_language(reply)] += 1
        if reply.group is None:
            found.no_group = found.no_group or reply.id
            found.without_group += 1
        else:
            found.groups[reply.group] += 1
            if reply.name:
                found.names.setdefault(reply.group, {}).setdefault(reply.name, reply.name_pair or "")
        if reply.unit_id is None:
            found.without_template += 1
        elif reply.group is not None:
            found.templates.setdefault(reply.unit_id, set()).add(reply.group)
    return found


def _tells_language(reply: Reply) -> bool:
    letters = sum(map(str.isalpha, (reply.context or "")[:200] + reply.text[:200]))
    return reply.lang is not None or letters >= _LANGUAGE_LETTERS


def _language(reply: Reply) -> str:
    from judgekit.blinding.fold import fold
    from judgekit.blinding.language import language_of

    return language_of([fold(text) for text in (reply.context or "", reply.text) if text], reply.lang)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftGroup:
    """One group of a study to be written."""

    value: str
    label: str
    pronouns: str | None = None
    title: str | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a study of a file says; ``blocked``, ``doubts`` and ``notes`` are sentences for its author."""

    attribute: str | None
    groups: tuple[DraftGroup, ...]
    design: Literal["counterfactual", "observational"]
    lang: str
    notes: tuple[str, ...]
    blocked: tuple[str, ...]
    doubts: tuple[str, ...] = ()


def draft_study(inspected: Inspected, found: Found) -> Draft:
    """Decide what the study of a file says.

    Parameters
    ----------
    inspected : Inspected
    found : Found
        From all replies of that file.

    Returns
    -------
    Draft
        Without groups where there are not two of them in every row: then the judge is validated, nothing is compared.
    """
    notes, blocked = list(inspected.mapped.hints), []
    why = _no_comparison(inspected, found)
    if why:
        blocked.append(f"no comparison of groups: {why}; the judge is validated alone")
    groups = () if why else _groups(found, notes)
    design: Literal["counterfactual", "observational"] = "counterfactual"
    if groups and (lack := _no_templates(inspected, found)):
        design = "observational"
        notes.append(f"design: observational, since {lack}; a difference is then never a group effect")
        if any(group.names for group in groups):
            # In logs these are customers: they would be put into other customers' replies.
            groups = tuple(replace(group, names=()) for group in groups)
            notes.append(f"names of people in logs are not listed; for a swap test {_INVENT}")
    if groups and not any(found.names.values()):
        notes.append(f"no names: the swap test has nobody to swap; {_INVENT}")
    lang = _stated_language(inspected, found)
    strange = {code: n for code, n in found.languages.items() if code not in {"en", "es"}}
    if strange:
        seen = ", ".join(f"{n} {code}" for code, n in sorted(strange.items(), key=lambda x: -x[1]))
        looked = found.languages.total()
        blocked.append(
            f"of {looked} replies looked at, {seen}: only English and Spanish are blinded, others are withheld"
        )
    return Draft(
        attribute=_attribute(inspected, groups) if groups else None,
        groups=groups,
        design=design,
        lang=lang,
        notes=tuple(notes),
        blocked=tuple(blocked),
        doubts=tuple(doubts(found.groups, found.failures)),
    )


def _no_comparison(inspected: Inspected, found: Found) -> str | None:
    column = inspected.mapped.columns.get("group")
    if column is None:
        return "no column says which group a reply belongs to"
    if found.without_group:
        first = f"{found.without_group} of {found.replies} replies have no {column} (first: id {found.no_group})"
        return f"{first}: fill it in or remove them, and begin again"
    if len(found.groups) < 2:
        return f"{column} has one value only"
    if len(found.groups) > _MOST_GROUPS:
        return f"{column} has {len(found.groups)} values"
    return None


def _no_templates(inspected: Inspected, found: Found) -> str | None:
    if "template_id" not in inspected.mapped.columns:
        return (
            "no column says which replies answer the same message (if one does: init again with "
            "--column template_id=COLUMN, before the first run seals the design)"
        )
    if found.without_template:
        return f"{found.without_template} replies have no template"
    if found.shared_templates * 2 < len(found.templates):
        return f"only {found.shared_templates} of {len(found.templates)} templates have replies of two groups"
    return None


def _stated_language(inspected: Inspected, found: Found) -> str:
    """``auto`` where a column says it or replies differ; else the one language of all replies looked at."""
    if "lang" in inspected.mapped.columns or len(found.languages) != 1 or found.language not in {"en", "es"}:
        return "auto"
    return found.language


def _genders(found: Found) -> dict[str, str] | None:
    met = {value: GENDERS.get(folded(value)) for value in found.groups}
    meant = [gender for gender in met.values() if gender]
    return {v: g for v, g in met.items() if g} if len(set(meant)) == len(met) else None


def _groups(found: Found, notes: list[str]) -> tuple[DraftGroup, ...]:
    genders = _genders(found)
    order = ["women", "men", "nonbinary"]
    values = sorted(found.groups, key=lambda v: (order.index(genders[v]) if genders else 0, v))
    people = PEOPLE.get("es" if found.language == "es" else "en", {})
    names = _names(found, notes)
    made = []
    for value in values:
        gender = genders[value] if genders else None
        pronouns, title = people[gender] if gender else (None, None)
        label = value if gender is None or len(value) > 1 else gender
        made.append(DraftGroup(value=value, label=label, pronouns=pronouns, title=title, names=names.get(value, ())))
    return tuple(made)


def _names(found: Found, notes: list[str]) -> dict[str, tuple[str, ...]]:
    """Names to list in the study: those of a design, by pair. In logs everybody has a name of their own."""
    if not found.names:
        return {}
    most = max(map(len, found.names.values()))
    if most > _MOST_NAMES:
        notes.append(
            f"up to {most} names in a group: they are not listed, and nobody's is put into other replies; {_INVENT}"
        )
        return {}
    met = Counter(name.casefold() for names in found.names.values() for name in names)
    if shared := sorted(name for name, n in met.items() if n > 1):
        notes.append(
            f"{len(shared)} names stand in two groups: they are not listed, and nobody's is put into other replies; {_INVENT}"
        )
        return {}
    return {
        group: tuple(sorted(names, key=lambda name: (_pair(names[name]), list(names).index(name))))
        for group, names in found.names.items()
    }


def _pair(pair: str) -> tuple[int, str]:
    return (int(pair), "") if pair.isascii() and pair.isdigit() and len(pair) < 10 else (10**10, pair)


def _attribute(inspected: Inspected, groups: tuple[DraftGroup, ...]) -> str:
    if all(group.pronouns for group in groups):
        return "gender"
    column = inspected.mapped.columns["group"]
    return "group" if column in REPLIES else folded(column) or "group"


def replies_of(inspected: Inspected, path: Path) -> Iterable[Reply]:
    """All replies of an inspected file, checked as a run checks them."""
    return iter_replies(path, columns=inspected.mapped.columns or None, csv=inspected.csv or None)
