"""Labels that people gave in Label Studio or Argilla, held against a study: whose, of which text, seen how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judgekit.errors import BadInput, UsageProblem
from judgekit.files.text_in import read_start
from judgekit.foreign.imported import Dropped, Reading, Request
from judgekit.foreign.peek import peek
from judgekit.importers.formats import FORMATS, detect, of_kind, open_foreign
from judgekit.records import BlindedReply, Criterion, LabelKey, Rating, Reply, Withheld

__all__ = [
    "ACCEPTABLE",
    "REASONS",
    "WAYS",
    "Against",
    "Export",
    "Given",
    "Wanted",
    "foreign_format",
    "level_of",
    "of_export",
    "off_scale",
    "open_export",
    "raters",
]

ACCEPTABLE = ("copied", "suggested", "unmasked")
"""Ways in which a label may have been given that a user can accept; every output then says so."""

WAYS = (*ACCEPTABLE, "unsaid")
"""All ways that stay with a label; the last where the export does not say whether a model's answer stood there."""

REASONS = {
    "copied": "copied or imported in the tool, not given there",
    "unmasked": "given on a text that was not masked",
    "suggested": "given beside a model's answer",
}
"""Why labels of these ways are left out."""

_A_TEXT = 20  # characters: a shorter field of a task may be anything


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A person's score of a reply of the study, ready to become a label.

    ``task_id`` is that of the study's sample where the export has it, else None. ``seen`` are the words of `WAYS`
    that hold for it; ``at`` is UTC ISO 8601, empty where nobody knows.
    """

    rating: Rating
    task_id: str | None = None
    at: str = ""
    ms: int | None = None
    seen: tuple[str, ...] = ()
    place: str = ""


@dataclass(slots=True, kw_only=True)
class Export:
    """A foreign export while it is read, and an account of what is left out.

    ``others`` counts answers of raters whom nobody named; ``beside`` counts labels taken that are not of the drawn sample.
    """

    reading: Reading
    skipped: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    beside: int = 0
    examples: dict[str, str] = field(default_factory=dict)

    def skip(self, reason: str, place: str) -> None:
        """Count a label that is left out."""
        self.skipped[reason] += 1
        self.examples.setdefault(reason, place)

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """What the reader itself left out."""
        return tuple(self.reading.tally.dropped.values())


def foreign_format(path: Path, name: str) -> str | None:
    """Which foreign format of labels a file has; None for a ratings table.

    Parameters
    ----------
    path : Path
    name : str
        ``auto``, ``csv`` or a format's name.

    Returns
    -------
    str or None

    Raises
    ------
    UsageProblem
        No such format.
    """
    known = [f.name for f in of_kind("labels")]
    if name == "csv":
        return None
    if name != "auto":
        if name not in known:
            raise UsageProblem(
                "no such format", field="--format", seen=name, why=f"the formats are auto, csv, {', '.join(known)}"
            )
        return name
    seen = peek(path)
    if seen.shape == "other" and read_start(path, 4096).partition(b"\n")[0].count(b"annotation_id"):
        raise BadInput(
            "this is Label Studio's CSV",
            path=path,
            why="it does not say what was skipped, and mixes answers with what was shown",
            remedy="export the project as JSON or JSON-MIN; a ratings table of yours with such a column: --format csv",
        )
    tools = [f for f in FORMATS.values() if f.name != "hf"]  # rows of a data set are a table
    if seen.shape in {"list", "zip"} or any(f.load().recognise(seen) for f in tools):
        return detect(str(path), "labels").name
    return None


def raters(said: Sequence[str]) -> dict[str, str]:
    """Who is taken and what they are called here, from ``NAME`` or ``THEIRS=NAME``.

    Parameters
    ----------
    said : sequence of str

    Returns
    -------
    dict of str to str
        The export's name to ours.

    Raises
    ------
    UsageProblem
        Two raters under one name, or an entry that is neither.

    Examples
    --------
    >>> raters(["ana", "7=karim"])
    {'ana': 'ana', '7': 'karim'}
    """
    names: dict[str, str] = {}
    for entry in said:
        theirs, _, ours = entry.rpartition("=") if "=" in entry else (entry, "=", entry)
        if not theirs or not ours or theirs in names or ours in names.values():
            raise UsageProblem(
                "two raters under one name" if theirs and ours else "no rater",
                field="--annotators",
                seen=entry,
                why="each rater has one name in the export and one here",
                remedy="--annotators 3=ana,7=karim",
            )
        names[theirs] = ours
    return names


def open_export(path: Path, name: str, item_field: str | None, questions: Sequence[str]) -> Export:
    """Start reading an export.

    Parameters
    ----------
    path : Path
    name : str
        From `foreign_format`.
    item_field : str or None
        The field with the id, as the user says.
    questions : sequence of str
        Names of questions that may be answered in words.

    Returns
    -------
    Export
    """
    columns = {} if item_field is None else {"item": item_field}
    request = Request(path=str(path), columns=columns, options={"questions": tuple(questions)})
    return Export(reading=open_foreign(request, "labels", name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the user says of an export.

    ``who`` goes from its raters to ours, ``rename`` from its questions to dimensions, ``levels`` from its choices to levels;
    ``accept`` holds words of `ACCEPTABLE`.
    """

    who: Mapping[str, str]
    rename: Mapping[str, str]
    levels: Mapping[str, str]
    accept: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """What an export is held against: criteria by dimension, what blinding says of each reply, the replies as they were, the
    key of the study's sample by task id, and the hash of its rubrics together, as tasks of `labels tasks` carry it.
    """

    criteria: Mapping[str, Criterion]
    results: Mapping[str, BlindedReply | Withheld]
    replies: Mapping[str, Reply]
    keys: Mapping[str, LabelKey]
    rubric_hash: str


def of_export(export: Export, wanted: Wanted, against: Against) -> Iterator[Given]:
    """The labels of an export that belong to a study.

    Parameters
    ----------
    export : Export
        Counts what is left out.
    wanted : Wanted
    against : Against

    Yields
    ------
    Given

    Raises
    ------
    BadInput
        A score off the scale, two different scores of a rater for one text, labels given with another rubric, a named rater
        who is not in the export, or not one text of this study.
    """
    met: set[str] = set()
    standing: dict[tuple[str, str, str], tuple[object, str]] = {}
    drawn = {key.item for key in against.keys.values()}
    found_any = False
    for row in export.reading.rows:
        names = (str(row["annotator"]), *row["also"])
        export.met[names[0]] += 1
        theirs = next((name for name in names if name in wanted.who), None)
        if theirs is None:
            export.others[names[0]] += 1
            continue
        met.add(theirs)
        found = _placed(export, row, wanted, against)
        if found is None:
            continue
        found_any = True
        dimension, item, key = found
        given = _given(export, row, wanted, against, item=item, dimension=dimension)
        if given is None:
            continue
        value, seen = given
        # A text that the sample shows twice on purpose has a label for each showing.
        text = row["item"] if key is not None and key.repeat_of is not None else item
        place = (wanted.who[theirs], text, dimension)
        if place in standing:
            _again(export, row, place, value, standing[place])
            continue
        standing[place] = (value, row["place"])
        export.beside += bool(drawn) and item not in drawn
        yield Given(
            rating=Rating(item=item, dimension=dimension, annotator=place[0], score=value),
            task_id=None if key is None else row["item"],
            at=row["at"],
            ms=row["ms"],
            seen=seen,
            place=row["place"],
        )
    _all_met(export, wanted.who, met, found_any)


def _placed(
    export: Export, row: Mapping[str, Any], wanted: Wanted, against: Against
) -> tuple[str, str, LabelKey | None] | None:
    """Dimension, item and sampled task that an answer is about; None, and counted, where the study has none of the kind."""
    dimension = wanted.rename.get(row["dimension"], row["dimension"])
    if dimension not in against.criteria:
        export.skip("other question", row["place"])
        return None
    key = against.keys.get(row["item"])
    item = row["item"] if key is None else key.item
    if item not in against.results:
        export.skip("not a text of this study", f"{row['place']}: {str(row['item'])[:60]}")
        return None
    return dimension, item, key


def _given(
    export: Export, row: Mapping[str, Any], wanted: Wanted, against: Against, *, item: str, dimension: str
) -> tuple[int | str, tuple[str, ...]] | None:
    """The level that was given and how the rater saw the text; None, and counted, where it cannot be taken."""
    if row["rubric_hash"] not in {None, against.rubric_hash}:
        raise _another_rubric(export, row, against.rubric_hash)
    result = against.results[item]
    if not isinstance(result, BlindedReply):
        export.skip("withheld text", row["place"])
        return None
    criterion = against.criteria[dimension]
    value = level_of(wanted.levels.get(str(row["score"]), row["score"]), criterion)
    if value is None:
        raise off_scale(Path(export.reading.source.path), row["score"], criterion, field=row["place"])
    seen = _seen(row, result, against.replies[item], wanted.accept, export)
    return None if seen is None else (value, seen)


def _another_rubric(export: Export, row: Mapping[str, Any], ours: str) -> BadInput:
    return BadInput(
        "the labels were given with another rubric",
        path=export.reading.source.path,
        field=row["place"],
        seen=row["rubric_hash"][:12],
        why=f"the study's rubrics have the hash {ours[:12]}; labels of two rubrics do not mix",
        remedy="restore the rubric that people labelled with, or draw a new sample",
    )


def level_of(score: object, criterion: Criterion) -> int | str | None:
    """The level of a scale that a score is; None when it is none.

    Examples
    --------
    >>> from judgekit.rubric import load_rubric
    >>> warmth = load_rubric("warmth").criteria[0]
    >>> level_of("4", warmth), level_of(4.0, warmth), level_of(4.5, warmth), level_of("warm", warmth)
    (4, 4, None, None)
    """
    for level in criterion.levels:
        if score == level or (isinstance(score, str) and score.strip() == str(level)):
            return level
        if isinstance(level, str) and str(score) == level:
            return level
    return None


def off_scale(path: Path, seen: object, criterion: Criterion, *, line: int | None = None, field: str) -> BadInput:
    """The error for a score that is no level of the rubric."""
    return BadInput(
        "a score is off the scale",
        path=path,
        line=line,
        field=field,
        seen=seen,
        why=f"the levels of {criterion.dimension} are {', '.join(map(str, criterion.levels))}",
        remedy="mend the row, say --level CHOICE=LEVEL, or use a rubric with the scale these people used",
    )


def _seen(
    row: Mapping[str, Any], result: BlindedReply, reply: Reply, accept: Sequence[str], export: Export
) -> tuple[str, ...] | None:
    """How the rater saw the text; None, and counted, where the label cannot be taken."""
    shown = "\0".join(_same(text) for text in row["shown"])
    masked, asked = _same(result.text), _same(result.context or "")
    # A task with the masked text and the one with names beside it showed both, as far as anybody can tell.
    unmasked = any(
        theirs != ours and theirs in shown
        for theirs, ours in ((_same(reply.text), masked), (_same(reply.context or ""), asked))
    )
    if masked not in shown and not unmasked and any(len(text) > _A_TEXT for text in row["shown"]):
        export.skip("given on another text than the study has", row["place"])
        return None
    words = [word for word in ("copied", "suggested", "unsaid") if row[word]] + ["unmasked"] * unmasked
    for word, reason in REASONS.items():
        if word in words and word not in accept:
            export.skip(reason, row["place"])
            return None
    return tuple(words)


def _same(text: str) -> str:
    """A text as it compares: tools wrap lines and add what stands around it."""
    return " ".join(text.split())


def _again(
    export: Export, row: Mapping[str, Any], place: tuple[str, str, str], value: object, before: tuple[object, str]
) -> None:
    if before[0] == value:
        export.skip("given twice, alike", row["place"])
        return
    raise BadInput(
        "a rater gave two scores to one text",
        path=export.reading.source.path,
        field=row["place"],
        seen=value,
        why=f"{place[0]} gave {before[0]} on {place[2]} at {before[1]} too",
        remedy=f"delete one of the two in {export.reading.source.tool} and export again",
    )


def _all_met(export: Export, who: Mapping[str, str], met: set[str], found_any: bool) -> None:
    if not export.met:
        dropped = "; ".join(f"{found.reason}: {found.n}" for found in export.dropped)
        raise BadInput(
            "no label could be used",
            path=export.reading.source.path,
            why=dropped or "the export has no answers",
            remedy="name the field with the id of the text: --item FIELD; or export the answered tasks",
        )
    if not who:
        raise no_rater(export)
    for name in who:
        if name not in met:
            raise no_rater(export, name)
    if not found_any:
        first = export.examples.get("not a text of this study") or export.examples.get("other question", "")
        fields = export.reading.tally.mapped.get("item")
        raise BadInput(
            "no label is of a text and a question of this study",
            path=export.reading.source.path,
            seen=first or None,
            why=f"ids were read from `{fields.field}`" if fields else "no task says which text it is about",
            remedy="name the field with the id: --item FIELD; and questions that are called otherwise: --rename THEIRS=OURS",
        )


def no_rater(export: Export, name: str | None = None) -> BadInput | UsageProblem:
    """The error for a rater who is not in the export, or for nobody named; all raters are listed."""
    listed = ", ".join(f"{who} ({n} answers)" for who, n in sorted(export.met.items())[:30]) or "none"
    if name is None:
        return UsageProblem(
            "nobody was named",
            path=export.reading.source.path,
            field="--annotators",
            why=f"the raters are {listed}",
            remedy="name whose labels to take, and what to call them: --annotators 3=ana,7=karim",
        )
    return BadInput(
        "an annotator is not in the file",
        path=export.reading.source.path,
        field="annotator",
        seen=name,
        why=f"the raters are {listed}",
        remedy="use the export's own name or number: --annotators 3=ana",
    )
