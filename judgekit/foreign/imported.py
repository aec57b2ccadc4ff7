"""What a reader of a foreign file gives back: rows in judgekit's layout, and an account of everything else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from judgekit.errors import BadInput, UsageProblem

__all__ = [
    "MOST_EXAMPLES",
    "Dropped",
    "Kind",
    "MappedField",
    "Reading",
    "Request",
    "Source",
    "Tally",
    "choose_models",
    "no_rows",
]

Kind = Literal["replies", "labels"]

MOST_EXAMPLES = 3
"""Places that are kept for each reason why rows were left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the user asks of an import.

    Parameters
    ----------
    path : str
        The foreign file.
    models : tuple of str
        Whose replies to take, as the file names them; empty: the only model of the file.
    all_models : bool
        Take the replies of several models; the column ``model`` then tells them apart.
    columns : mapping of str to str
        Canonical column to the foreign field for it, as the user states it (``group`` to ``vars.origin``); nothing is
        guessed for these. Field names are those of `MappedField.field`; the part after the last dot is enough where
        one field alone ends so.
    options : mapping of str to object
        What a single format needs beyond that, by its own name.
    """

    path: str
    models: tuple[str, ...] = ()
    all_models: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Which tool wrote a file, as far as the file says so.

    ``version`` is the tool's, ``layout`` the file's own version or shape in words; None where the file is silent.
    """

    path: str
    format: str
    tool: str
    version: str | None = None
    layout: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedField:
    """One column of the rows, the foreign field it is filled from, and why that field."""

    column: str
    field: str
    reason: str


@dataclass(slots=True, kw_only=True)
class Dropped:
    """Rows left out, or failed, for one reason: how many, of which groups, and where the first of them stand.

    ``examples`` are (place, what was said there); a place is one that a user finds again (``line 7``,
    ``results[4]``, ``samples/12_epoch_1.json``).
    """

    reason: str
    n: int = 0
    by_group: Counter[str] = field(default_factory=Counter)
    examples: list[tuple[str, str]] = field(default_factory=list)


def _count(found: Dropped, place: str, said: object, group: str | None) -> None:
    found.n += 1
    if group is not None:
        found.by_group[group] += 1
    if len(found.examples) < MOST_EXAMPLES:
        found.examples.append((place, str(said)[:200]))


@dataclass(slots=True, kw_only=True)
class Tally:
    """What happened to a file's rows; complete when the rows of the `Reading` have been used up.

    Every foreign row is either given out or dropped with a reason: ``rows_in == rows_out + dropped_total`` at the end.
    ``failed`` counts, among the rows given out, generations that failed. They keep their place in the design, with an
    empty text and their kind in the column ``error``: every stage then counts them as failed, by group, and none takes
    them for an empty reply (`judgekit.records.Reply.failed`).
    """

    rows_in: int = 0
    rows_out: int = 0
    failed: dict[str, Dropped] = field(default_factory=dict)
    mapped: dict[str, MappedField] = field(default_factory=dict)
    dropped: dict[str, Dropped] = field(default_factory=dict)
    models: Counter[str] = field(default_factory=Counter)
    groups: Counter[str] = field(default_factory=Counter)
    scores: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def map(self, column: str, foreign: str, reason: str) -> None:
        """Say which foreign field a column is filled from; the first saying of a column stands."""
        self.mapped.setdefault(column, MappedField(column=column, field=foreign, reason=reason))

    def map_score(self, column: str, foreign: str) -> None:
        """Say that a column holds somebody else's score: carried, never a judged metric of judgekit."""
        self.scores.setdefault(column, foreign)

    def drop(self, reason: str, place: str, said: object = "", *, group: str | None = None) -> None:
        """Count a row that is left out.

        Parameters
        ----------
        reason : str
            The same few words for every row of the kind, such as ``the provider failed``.
        place : str
            Where the row stands in the file.
        said : object
            What the file says of it; cut to 200 characters.
        group : str, optional
            The row's group, where it is known: a gap in failures is a finding.
        """
        _count(self.dropped.setdefault(reason, Dropped(reason=reason)), place, said, group)

    def fail(self, kind: str, place: str, said: object = "", *, group: str | None = None) -> None:
        """Count a generation that failed and is given out as such, with ``text`` empty and ``error`` the kind.

        Parameters
        ----------
        kind : str
            In the words that reports have for failures: ``crashed``, ``no_answer``, ``content_filter``, ``truncated`` ...
        place, said, group
            As for `drop`.
        """
        _count(self.failed.setdefault(kind, Dropped(reason=kind)), place, said, group)

    def give(self, row: dict[str, Any]) -> dict[str, Any]:
        """Count a row that is given out, and hand it on."""
        self.rows_out += 1
        if row.get("group") is not None:
            self.groups[str(row["group"])] += 1
        return row

    def note(self, sentence: str) -> None:
        """Keep a sentence for the user, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    @property
    def failed_total(self) -> int:
        """Rows given out whose generation failed."""
        return sum(found.n for found in self.failed.values())

    @property
    def dropped_total(self) -> int:
        """Rows left out for any reason."""
        return sum(found.n for found in self.dropped.values())

    def check(self) -> None:
        """Make sure that no row went missing.

        Raises
        ------
        RuntimeError
            A reader neither gave out nor dropped a row: a bug.
        """
        if self.rows_in != self.rows_out + self.dropped_total:
            msg = f"{self.rows_in} rows in, {self.rows_out} out and {self.dropped_total} dropped"
            raise RuntimeError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A foreign file that is being read.

    ``rows`` can be gone through once. Reply rows have the keys of `judgekit.files.columns.REPLIES` that the file can
    fill (``id`` and ``text`` always), ``model`` where the file names one, and further keys that are no alias of a
    canonical column (see `judgekit.foreign.fields.carried_name`). Label rows have ``item, dimension, annotator,
    score`` and further keys.
    """

    kind: Kind
    source: Source
    tally: Tally
    rows: Iterator[dict[str, Any]]


def choose_models(found: Mapping[str, int], request: Request, what: str = "models") -> frozenset[str]:
    """Whose replies are taken: one model's, unless the user says otherwise. Replies of several are never mixed unsaid.

    Parameters
    ----------
    found : mapping of str to int
        Models of the file with their rows.
    request : Request
    what : str
        What the file calls them (``providers``).

    Returns
    -------
    frozenset of str

    Raises
    ------
    UsageProblem
        Several models and none was chosen, or a chosen one is not in the file.

    Examples
    --------
    >>> sorted(choose_models({"echo": 4}, Request(path="r.json")))
    ['echo']
    """
    listed = ", ".join(f"{name} ({n})" for name, n in sorted(found.items()))
    if request.models and not found:
        raise UsageProblem(
            "the file does not say whose replies it has",
            path=request.path,
            field="--model",
            seen=request.models[0],
            remedy="leave the option out: all replies are taken",
        )
    for name in request.models:
        if name not in found:
            raise UsageProblem(
                "no such model in the file",
                field="--model",
                seen=name,
                why=f"it has {listed}",
                remedy="name one of them",
            )
    if request.models or request.all_models or len(found) < 2:
        return frozenset(request.models or found)
    raise UsageProblem(
        f"the file has replies of {len(found)} {what}",
        path=request.path,
        field="--model",
        why=f"a study is about one system, and here are {listed}",
        remedy="choose with --model NAME (one import for each), or keep all with --all-models: a column `model` tells them apart",
    )


def no_rows(request: Request, tally: Tally) -> BadInput:
    """The error for a file of the right kind in which no row can be used."""
    why = "; ".join(f"{d.reason}: {d.n}" for d in tally.dropped.values()) or "it holds none"
    first = next((d.examples[0] for d in tally.dropped.values() if d.examples), None)
    return BadInput(
        "the file has no usable rows",
        path=request.path,
        seen=None if first is None else f"{first[0]}: {first[1]}",
        why=f"of {tally.rows_in} rows: {why}",
        remedy="check what should have written it",
    )
