"""Scores that people gave elsewhere, brought into a study's label folder."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from judgekit import stages
from judgekit.errors import AlreadyThere, BadInput, UsageProblem
from judgekit.label_origin import refuse_copies, refuse_scores_of_tools, refuse_the_judges_own
from judgekit.label_state import imported_key
from judgekit.records import BlindedReply, Criterion, LabelEvent, LabelKey, Rating, Reply, Rubric, Withheld
from judgekit.study import Study
from judgekit.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from judgekit.label_exports import Given

__all__ = ["Imported", "import_labels"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What was taken in: labels by annotator, and rows that could not be used, by reason.

    ``rows_in`` are the answers, skipped texts, drafts and suggestions of a foreign export (of a table its rows), ``dropped``
    those that are no person's finished score, ``others`` the answers of raters whom nobody named; ``outside_sample`` counts
    labels taken on texts that were not drawn, ``seen`` labels taken that were given in a way that outputs tell; ``notes``
    are sentences for whoever imports.
    """

    labels: Mapping[str, int]
    texts: int
    skipped: Mapping[str, int]
    format: str = "csv"
    tool: str | None = None
    layout: str | None = None
    rows_in: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    others: Mapping[str, int] = field(default_factory=dict)
    outside_sample: int = 0
    seen: Mapping[str, int] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """What an import is held against."""

    study: Study
    space: Workspace
    blinded: stages.Blinded
    replies: Mapping[str, Reply]
    criteria: Mapping[str, tuple[Rubric, Criterion]]


def import_labels(
    study: Study,
    ratings: Path,
    annotators: Sequence[str],
    *,
    wide: bool = False,
    rename: Mapping[str, str] | None = None,
    format: str = "auto",  # noqa: A002 - what the option is called
    levels: Mapping[str, str] | None = None,
    item_field: str | None = None,
    accept: Sequence[str] = (),
) -> Imported:
    """Take people's scores of a study's replies from a ratings file, or from an export of Label Studio or Argilla.

    Parameters
    ----------
    study : Study
        Its replies are blinded, so that each label carries the hash of the text that judges see.
    ratings : Path
        A table: long (``item, dimension, annotator, score``) or, with ``wide``, one column per annotator. Or an export.
    annotators : sequence of str
        Whose rows to take; all others are ignored and, of an export, counted. ``THEIRS=NAME`` where the export calls a
        rater otherwise (a number, an address); the address is not kept.
    wide : bool
        One column per annotator.
    rename : mapping of str to str, optional
        The file's dimension to the study's, where they are called otherwise.
    format : str
        ``auto``, ``csv`` (any table), ``label-studio`` or ``argilla``.
    levels : mapping of str to str, optional
        The file's choices to levels of the rubric (``{"Very warm": "5"}``).
    item_field : str, optional
        The export's field with the id of the text: a task of the study's sample, or a reply.
    accept : sequence of str
        Take labels that are otherwise left out: ``unmasked`` (given on the text with its names) or
        ``suggested`` (a model's answer stood there first) or ``copied`` (from another answer, or imported into the tool).
        Every output then says so.

    Returns
    -------
    Imported

    Raises
    ------
    BadInput
        An unknown item (of an export these are counted) or annotator, a score off the rubric's levels, two scores of one
        rater for one text, a label given on another text or rubric than the table itself says, no label that can be used,
        labels of that annotator are there already, or are those of another. Nothing is written then.
    """
    from judgekit.label_exports import foreign_format

    _known_ways(accept)
    name = foreign_format(ratings, format)
    _fitting_options(name, wide=wide, item_field=item_field)
    held = _hold(study)
    if name is None:
        given, account = _from_table(
            held, ratings, annotators, wide=wide, rename=rename or {}, levels=levels or {}, accept=accept
        )
    else:
        given, account = _from_export(
            held, ratings, name, annotators, rename=rename or {}, levels=levels or {}, item=item_field, accept=accept
        )
    if not given:
        raise _nothing(ratings, account)
    events = {
        who: [_event(g, held, account.format) for g in given if g.rating.annotator == who] for who in account.labels
    }
    refuse_the_judges_own(study, events, ratings)
    refuse_copies(events, held.space, ratings)
    count = _write(held, events)
    return replace(
        account,
        labels=count,
        texts=len({g.rating.item for g in given}),
        notes=(*account.notes, *_too_early(held, given)),
    )


def _hold(study: Study) -> _Held:
    replies = stages.read_replies_of(study)
    return _Held(
        study=study,
        space=open_workspace(study),
        blinded=stages.blind(replies, study),
        replies={reply.id: reply for reply in replies},
        criteria={c.dimension: (r, c) for r in stages.rubrics_of(study).values() for c in r.criteria},
    )


def _known_ways(accept: Sequence[str]) -> None:
    from judgekit.label_exports import ACCEPTABLE

    for word in accept:
        if word not in ACCEPTABLE:
            raise UsageProblem(
                "nothing of that name can be accepted", field="--accept", seen=word, why=", ".join(ACCEPTABLE)
            )


def _fitting_options(name: str | None, *, wide: bool, item_field: str | None) -> None:
    if name is not None and wide:
        raise UsageProblem("an export is not wide", field="--wide", remedy="leave it out, or say --format csv")
    if name is None and item_field is not None:
        raise UsageProblem(
            "a table says itself which column is the item",
            field="--item",
            remedy="call the column `item`, or leave the option out",
        )


def _from_table(
    held: _Held,
    ratings: Path,
    annotators: Sequence[str],
    *,
    wide: bool,
    rename: Mapping[str, str],
    levels: Mapping[str, str],
    accept: Sequence[str],
) -> tuple[list[Given], Imported]:
    from judgekit.files.ratings_in import read_ratings
    from judgekit.foreign.label_rows import utc
    from judgekit.label_exports import ACCEPTABLE, REASONS, WAYS, Given, level_of, off_scale

    if not annotators:
        raise UsageProblem("nobody was named", field="--annotators", remedy="name whose rows to take")
    refuse_scores_of_tools(annotators)
    rows = read_ratings(
        ratings, human_cols=tuple(annotators) if wide else (), annotators=None if wide else list(annotators)
    )
    skipped = Counter({"other dimension": 0, "withheld text": 0, "empty score": 0})
    given = []
    standing: dict[tuple[str, str, str], int | str] = {}
    for row in rows:
        dimension = rename.get(row.dimension, row.dimension)
        if row.annotator not in annotators:
            continue
        if dimension not in held.criteria:
            skipped["other dimension"] += 1
            continue
        result = _result(row, held.blinded, ratings)
        if not isinstance(result, BlindedReply):
            skipped["withheld text"] += 1
        elif row.score is None:
            skipped["empty score"] += 1
        else:
            rubric, criterion = held.criteria[dimension]
            _same_thing(row, {"text_hash": result.text_hash, "rubric_hash": rubric.hash}, ratings)
            value = level_of(levels.get(str(row.score), row.score), criterion)
            if value is None:
                raise off_scale(ratings, row.score, criterion, line=row.line, field="score")
            # A table that judgekit exported says when and how its labels were given: both stay with them.
            seen = tuple(word for word in WAYS if word in str(row.carried.get("seen") or ""))
            refused = next((word for word in seen if word in ACCEPTABLE and word not in accept), None)
            if refused is not None:
                skipped[REASONS[refused]] += 1
                continue
            place = (row.annotator, row.item, dimension)
            if place in standing:
                skipped["given twice, alike"] += _alike(ratings, row, dimension, value, standing[place])
                continue
            standing[place] = value
            at = utc(row.carried.get("labelled_at"))
            given.append(Given(rating=replace(row, dimension=dimension, score=value), at=at, seen=seen))
    return given, Imported(
        labels=dict.fromkeys(annotators, 0),
        texts=0,
        skipped=dict(skipped),
        rows_in=len(rows),
        seen=dict(Counter(word for g in given for word in g.seen)),
    )


def _alike(path: Path, row: Rating, dimension: str, value: int | str, before: int | str) -> int:
    """One more of two equal scores; two that differ are refused."""
    if value == before:
        return 1
    raise BadInput(
        "a rater gave two scores to one text",
        path=path,
        line=row.line,
        field=dimension,
        seen=value,
        why=f"{row.annotator} gave {before} to {row.item} too",
        remedy="keep the row that counts; of repeats the first",
    )


def _same_thing(row: Rating, ours: Mapping[str, str], path: Path) -> None:
    """A table that says which text and which rubric a label is about is taken at its word: of others it says nothing."""
    for name, expected in ours.items():
        said = row.carried.get(name)
        if said and said != expected:
            raise BadInput(
                f"the label was given on another {name.removesuffix('_hash')}",
                path=path,
                line=row.line,
                field=name,
                seen=str(said)[:12],
                why=f"the study has {expected[:12]} for this label; the judge would be compared with scores of something else",
                remedy="import it into the study it belongs to; or, knowing better, remove the column",
            )


def _from_export(
    held: _Held,
    path: Path,
    name: str,
    annotators: Sequence[str],
    *,
    rename: Mapping[str, str],
    levels: Mapping[str, str],
    item: str | None,
    accept: Sequence[str],
) -> tuple[list[Given], Imported]:
    from judgekit.files.labels import key_path, read_key
    from judgekit.label_exports import Against, Wanted, of_export, open_export, raters
    from judgekit.labelling.opening import joint_hash

    key_file = key_path(held.space.sample)
    export = open_export(path, name, item, (*held.criteria, *rename))
    wanted = Wanted(who=raters(annotators), rename=rename, levels=levels, accept=accept)
    against = Against(
        criteria={name: criterion for name, (_, criterion) in held.criteria.items()},
        results=held.blinded.results,
        replies=held.replies,
        keys=read_key(key_file) if key_file.is_file() else {},
        rubric_hash=joint_hash(list(stages.rubrics_of(held.study).values())),
    )
    given = list(of_export(export, wanted, against))
    tally, source = export.reading.tally, export.reading.source
    tally.check()
    return given, Imported(
        labels=dict.fromkeys(wanted.who.values(), 0),
        texts=0,
        skipped=dict(export.skipped),
        format=source.format,
        tool=source.tool,
        layout=source.layout,
        rows_in=tally.rows_in,
        dropped={reason: found.n for reason, found in tally.dropped.items()},
        others=dict(export.others),
        outside_sample=export.beside,
        seen=dict(Counter(word for g in given for word in g.seen)),
        examples={reason: found.examples[0][0] for reason, found in tally.dropped.items()} | export.examples,
        notes=tuple(tally.notes),
    )


def _nothing(path: Path, account: Imported) -> BadInput:
    why = "; ".join(f"{reason}: {n}" for reason, n in (*account.dropped.items(), *account.skipped.items()) if n)
    return BadInput(
        "no label could be used",
        path=path,
        why=why or "there are none of these raters",
        remedy="people should see the texts of the study's sample, masked and without a model's answer; "
        "`--accept unmasked` or `--accept suggested` takes labels given otherwise, and every output says so",
    )


def _too_early(held: _Held, given: Sequence[Given]) -> tuple[str, ...]:
    """What times of labels mean for the seal, which must be older than they."""
    from judgekit.files.seal import read_seals, sealed_before

    times = sorted(g.at for g in given if g.at)
    if not times:
        return ()
    seals = read_seals(held.space.seals) if held.space.seals.is_file() else []
    if seals and sealed_before(seals, times[0]) is not None:
        return ()
    when = f"was sealed on {seals[0].sealed_at[:10]}" if seals else "is not sealed yet"
    said = (
        f"the first label is of {times[0][:10]}, and the study {when}: thresholds that are decided after the first "
        "label refuse the judge (sealed_later). Seal first with `judgekit run`, then label"
    )
    return (said,)


def _result(row: Rating, blinded: stages.Blinded, path: Path) -> BlindedReply | Withheld:
    if row.item not in blinded.results:
        raise BadInput(
            "an item that the study does not have",
            path=path,
            line=row.line,
            field="item",
            seen=row.item,
            remedy="use the ids of the study's replies",
        )
    return blinded.results[row.item]


def _task_id(item: str) -> str:
    return "imported-" + hashlib.sha256(item.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _event(given: Given, held: _Held, source: str) -> LabelEvent:
    rating = given.rating
    result = held.blinded.results[rating.item]
    if not isinstance(result, BlindedReply) or rating.score is None:
        msg = f"{rating.item} has no text or no score"
        raise TypeError(msg)
    level = rating.score
    return LabelEvent(
        annotator=rating.annotator,
        seq=0,
        prev_hash="",
        task_id=given.task_id or _task_id(rating.item),
        dimension=rating.dimension,
        event="score",
        value=int(level) if isinstance(level, float) else level,
        text_hash=result.text_hash,
        rubric_hash=held.criteria[rating.dimension][0].hash,
        ms=given.ms,
        shown_at=given.at,
        detail={"imported": True, "item": rating.item, "from": source}
        | ({"seen": "+".join(given.seen)} if given.seen else {}),
    )


def _write(held: _Held, events: Mapping[str, Sequence[LabelEvent]]) -> dict[str, int]:
    from judgekit.files.folders import private_folder
    from judgekit.files.labels import LabelFile, label_path, read_key, write_key

    space = held.space
    paths = {name: label_path(space.labels, name) for name in events}
    for name, path in paths.items():
        if path.exists():
            raise AlreadyThere(
                f"{name} has labels already",
                path=path,
                why="an import never mixes with labels that are there",
                remedy="move the file away, or import under another label folder",
            )
    private_folder(space.labels)
    key_file = imported_key(space)
    keys = dict(read_key(key_file)) if key_file.is_file() else {}
    for found in events.values():
        for event in found:
            item = str(event.detail["item"])
            if event.task_id != _task_id(item):
                continue  # a task of the study's sample, whose own key has it
            keys[event.task_id] = LabelKey(
                task_id=event.task_id, item=item, stratum=("imported",), inclusion_probability=1.0
            )
    write_key(key_file, list(keys.values()), force=True)
    begun: list[Path] = []
    try:
        for name, found in events.items():
            if not found:
                continue
            begun.append(paths[name])
            with LabelFile(paths[name], name) as file:
                for event in found:
                    file.append(event)
    except BaseException:
        # All raters of a file or none: half an import would be taken for labels that are there.
        for path in begun:
            path.unlink(missing_ok=True)
        raise
    return {name: len(found) for name, found in events.items()}
