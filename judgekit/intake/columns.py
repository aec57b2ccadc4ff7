"""Which column is which: by its name, by its name in another language, and with care by what stands in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from judgekit.errors import BadInput
from judgekit.files.columns import REPLIES
from judgekit.intake.profile import ColumnProfile, Sample
from judgekit.intake.words import GENDERS, folded, header_words

__all__ = ["ColumnGuess", "Confidence", "Mapped", "map_columns"]

Confidence = Literal["stated", "certain", "likely", "guess"]

_ORDER = (
    "text", "id", "group", "name", "template_id", "context", "known_names", "name_pair", "replicate", "case_type", "lang",
)  # fmt: skip
_MOST_GROUPS = 12
_CODE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnGuess:
    """One canonical column, the file's column for it, how sure that is, and why."""

    canonical: str
    column: str
    confidence: Confidence
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mapped:
    """The columns found, and what else could be meant, said in words."""

    guesses: tuple[ColumnGuess, ...]
    hints: tuple[str, ...] = ()

    @property
    def columns(self) -> dict[str, str]:
        """Canonical to actual name."""
        return {g.canonical: g.column for g in self.guesses}

    def without(self, canonical: str) -> Mapped:
        """The same without one column."""
        return Mapped(guesses=tuple(g for g in self.guesses if g.canonical != canonical), hints=self.hints)


@dataclass(frozen=True, slots=True)
class _Candidate:
    strength: float
    column: ColumnProfile
    reason: str


def map_columns(sample: Sample, stated: Mapping[str, str] | None = None) -> Mapped:
    """Find the columns of a table of replies.

    Parameters
    ----------
    sample : Sample
        Rows and what stands in their columns.
    stated : mapping of str to str, optional
        Canonical to actual name, as the user says; nothing is guessed for them.

    Returns
    -------
    Mapped
        In a fixed order. A column that nothing speaks for is left out.

    Raises
    ------
    BadInput
        A stated column is not there, or a stated name is not canonical.

    Examples
    --------
    >>> from judgekit.intake.profile import profile
    >>> rows = [{"Nr": str(i), "Antwort": f"Your parcel number {i} is on its way."} for i in range(3)]
    >>> [(g.canonical, g.column, g.confidence) for g in map_columns(profile(["Nr", "Antwort"], rows)).guesses]
    [('text', 'Antwort', 'likely'), ('id', 'Nr', 'likely')]
    """
    found: dict[str, ColumnGuess] = {}
    refused: list[tuple[str, str]] = []
    for canonical, actual in (stated or {}).items():
        _check_stated(canonical, actual, sample)
        found[canonical] = ColumnGuess(canonical=canonical, column=actual, confidence="stated", reason="as you say")
    for canonical in _ORDER:
        if canonical in found:
            continue
        free = [c for c in sample.columns.values() if c.name not in {g.column for g in found.values()} and c.filled]
        fitting = []
        for candidate in (c for column in free if (c := _by_header(canonical, column))):
            why = _misfit(canonical, candidate.column)
            if why is None:
                fitting.append(candidate)
            else:
                refused.append((candidate.column.name, f"{candidate.column.name} is not taken as {canonical}: {why}"))
        best = max(fitting, key=lambda c: c.strength, default=None) or _by_content(canonical, free, sample, found)
        if best is None:
            continue
        rivals = [c.column.name for c in fitting if c is not best and c.strength >= min(best.strength, 0.95)]
        reason = best.reason + (f"; also {', '.join(rivals)}" if rivals else "")
        confidence: Confidence = (
            "guess" if rivals or best.strength < 0.7 else "certain" if best.strength >= 0.95 else "likely"
        )
        found[canonical] = ColumnGuess(
            canonical=canonical, column=best.column.name, confidence=confidence, reason=reason
        )
    if "template_id" not in found and (repeated := _same_messages(sample, found)):
        found["template_id"] = repeated
    taken = {guess.column for guess in found.values()}
    hints = [hint for name, hint in refused if name not in taken] + _could_be_groups(sample, found)
    return Mapped(guesses=tuple(found[c] for c in _ORDER if c in found), hints=tuple(hints))


def _same_messages(sample: Sample, found: Mapping[str, ColumnGuess]) -> ColumnGuess | None:
    """The messages as templates, where nearly each of them stands word for word in several groups."""
    if not {"context", "group"} <= set(found):
        return None
    column, group = sample.columns[found["context"].column], found["group"].column
    if column.empty or not 3 <= column.distinct <= column.filled / 2:
        return None
    groups: dict[str, set[str]] = {}
    for row in sample.rows:
        groups.setdefault(row[column.name], set()).add(row[group].strip())
    crossed = sum(len(g) > 1 for g in groups.values())
    if crossed < 0.8 * len(groups):
        return None
    reason = f"{crossed} of {len(groups)} messages stand word for word in several groups"
    return ColumnGuess(canonical="template_id", column=column.name, confidence="likely", reason=reason)


def _check_stated(canonical: str, actual: str, sample: Sample) -> None:
    if canonical not in REPLIES or actual not in sample.columns:
        known = ", ".join(REPLIES if canonical not in REPLIES else sample.columns)
        raise BadInput(
            "no such column" if canonical in REPLIES else "no such canonical column",
            field="--column",
            seen=f"{canonical}={actual}",
            why=f"there are {known}",
            remedy="write --column CANONICAL=COLUMN with names from there",
        )


def _by_header(canonical: str, column: ColumnProfile) -> _Candidate | None:
    head = folded(column.name)
    words = header_words(canonical)
    if head == canonical:
        return _Candidate(1.0, column, "named so")
    if head in REPLIES[canonical]:
        return _Candidate(0.95, column, f"a known other name of {canonical}")
    if head in words:
        return _Candidate(0.85, column, f"a usual name of it ({words[head]})")
    parts = head.split("_")
    part = next(
        (p for p in parts if len(p) >= _CODE and (p in words or p in REPLIES[canonical] or p == canonical)), None
    )
    if len(parts) > 1 and part is not None and not (canonical in {"text", "context"} and parts[-1] in {"id", "nr"}):
        return _Candidate(0.72, column, f"“{part}” is in its name")
    return None


def _misfit(canonical: str, column: ColumnProfile) -> str | None:
    """Why what stands in a column speaks against its name."""
    if canonical in {"text", "context"} and column.number > 0.5:
        return "it holds numbers"
    if canonical == "id" and column.is_free_text:
        return "it holds sentences"
    if canonical == "id" and not column.unique and folded(column.name) != "id":
        return "it is empty in some rows" if column.empty else "several rows share a value"
    if canonical == "group" and column.distinct > _MOST_GROUPS:
        return f"it has {column.distinct} different values, too many for groups"
    if canonical == "group" and column.distinct < 2:
        return "it has one value only"
    if canonical in {"name", "known_names"} and (column.words > 8 or column.number > 0.5):
        return "it does not look like names"
    if canonical == "template_id" and column.is_free_text and column.unique:
        return "every row has a text of its own"
    if canonical == "lang" and any(len(v.replace("_", "-").split("-")[0]) > _CODE for v in column.values):
        return "languages are codes such as en and es"
    return None


def _by_content(
    canonical: str, free: Sequence[ColumnProfile], sample: Sample, found: Mapping[str, ColumnGuess]
) -> _Candidate | None:
    if canonical == "text":
        return _reply_text([c for c in free if c.is_free_text and not _by_header("context", c)])
    if canonical == "id":
        unique = [c for c in free if c.unique and c.words <= 2 and c.length <= 64]
        return _Candidate(0.75, unique[0], "every row has a value of its own") if unique else None
    if canonical == "group":
        gendered = [c for c in free if c.distinct in {2, 3} and len(_genders(c)) == c.distinct]
        return _Candidate(0.8, gendered[0], f"holds {_some(gendered[0])}") if gendered else None
    if canonical == "name":
        return _person(free, sample, found)
    if canonical == "context":
        texts = [c for c in free if c.is_free_text]
        if not texts and "template_id" in found and sample.columns[found["template_id"].column].is_free_text:
            return _Candidate(0.7, sample.columns[found["template_id"].column], "the templates are messages")
        return _Candidate(0.5, texts[0], "the only other column with sentences") if len(texts) == 1 else None
    if canonical == "template_id" and "group" in found:
        return _template(free, sample, found)
    return None


def _reply_text(texts: Sequence[ColumnProfile]) -> _Candidate | None:
    """Of columns with sentences, the one whose texts differ most: prompts repeat, replies hardly do."""
    if not texts:
        return None
    if len(texts) == 1:
        return _Candidate(0.75, texts[0], f"the only column with sentences ({texts[0].words:.0f} words on average)")
    best = max(texts, key=lambda c: (c.distinct / c.filled, c.words))
    return _Candidate(0.5, best, f"of {len(texts)} columns with sentences, its texts differ most and are longest")


def _genders(column: ColumnProfile) -> set[str]:
    return {GENDERS[folded(v)] for v in column.values if folded(v) in GENDERS}


def _some(column: ColumnProfile) -> str:
    return ", ".join(sorted(column.values)[:3])


def _person(free: Sequence[ColumnProfile], sample: Sample, found: Mapping[str, ColumnGuess]) -> _Candidate | None:
    """A short capitalised column whose words stand in the texts of its rows."""
    if "text" not in found:
        return None
    texts = [g.column for g in found.values() if g.canonical in {"text", "context"}]
    texts += [c.name for c in free if c.is_free_text]
    rows = sample.rows[:300]
    for column in free:
        if not (column.words <= 4 and column.length <= 40 and column.number < 0.1 and column.distinct >= 2):
            continue
        cells = [(row[column.name], " ".join(row[t] for t in texts)) for row in rows if row[column.name]]
        met = sum(
            any(len(w) >= _CODE and w in text for w in cell.split()) for cell, text in cells if cell[:1].isupper()
        )
        if cells and met / len(cells) >= 0.6:
            return _Candidate(0.75, column, f"its words stand in {met} of {len(cells)} of the texts beside it")
    return None


def _template(free: Sequence[ColumnProfile], sample: Sample, found: Mapping[str, ColumnGuess]) -> _Candidate | None:
    """A column of repeated values, each with rows in several groups and much the same message."""
    texts = [c for c in free if c.is_free_text]
    if len(texts) != 1:
        return None
    context, group = texts[0].name, found["group"].column
    for column in free:
        if column.is_free_text or column.empty or not 3 <= column.distinct <= column.filled / 2:
            continue
        groups: dict[str, set[str]] = {}
        firsts: dict[str, set[str]] = {}
        alike = others = 0
        for row in sample.rows:
            value, words = row[column.name], set(row[context].casefold().split())
            groups.setdefault(value, set()).add(row[group])
            first = firsts.setdefault(value, words)
            if first is not words and first | words:
                others += 1
                alike += len(first & words) >= 0.6 * len(first | words)
        crossed = sum(len(g) > 1 for g in groups.values()) / len(groups)
        if crossed >= 0.8 and others and alike / others >= 0.8:
            return _Candidate(0.75, column, "rows of one value have much the same message, in several groups")
    return None


def _could_be_groups(sample: Sample, found: Mapping[str, ColumnGuess]) -> list[str]:
    """Columns that split the rows into a few parts: named, never taken, since any label does."""
    if "group" in found:
        return []
    taken = {g.column for g in found.values()}
    parts = [
        c for c in sample.columns.values()
        if c.name not in taken and 2 <= c.distinct <= 6 and not c.empty and c.number < 0.5 and min(c.values.values()) > 1
    ]  # fmt: skip
    return [f"{c.name} ({_some(c)}) could be groups: say --column group={c.name}" for c in parts[:3]]
