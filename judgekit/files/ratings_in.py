"""Ratings, long or wide: who gave what to which item, with every empty score kept as a missing one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judgekit.errors import BadInput, UsageProblem
from judgekit.files.cells import as_id, as_label, as_rating
from judgekit.files.columns import RATINGS, REPLIES, Aliases, missing_column
from judgekit.files.rows import Layout, Layouts, Place, Row, Table, open_table
from judgekit.records import Rating

__all__ = ["RATINGS_KIND", "read_ratings"]

RATINGS_KIND: Aliases = RATINGS
_CHOICES = ("a", "b", "tie")
_REPEATS = ("replicate", *REPLIES["replicate"])


def read_ratings(
    path: str | Path,
    *,
    judge_col: str | None = None,
    human_cols: Sequence[str] = (),
    columns: Mapping[str, Any] | None = None,
    csv: Mapping[str, Any] | None = None,
    annotators: Sequence[str] | None = None,
    dimension: str = "score",
) -> list[Rating]:
    r"""Read a ratings file.

    Parameters
    ----------
    path : str or Path
        CSV, JSONL or Parquet. Long: one row per rating with ``item, dimension, annotator, score`` (or ``choice`` in
        ``a, b, tie`` for pairs, the item then being the pair). Wide: one row per item and a column per rater.
    judge_col : str, optional
        Wide format: the judge's column.
    human_cols : sequence of str
        Wide format: the people's columns.
    columns, csv : mapping, optional
        As for `iter_replies`; the canonical names are ``item, dimension, annotator, score, choice, shown_first``.
    annotators : sequence of str, optional
        Keep only the ratings of these; rows of others are passed over whatever they hold. None keeps all and leaves
        repeated ratings to the stage that asks for an annotator.
    dimension : str
        What a wide file without a ``dimension`` column is about.

    Returns
    -------
    list of Rating
        In the order of the file. A score is a number when it is written as one, else the text as it stands; whether
        it is on the scale is decided where the scale is known. An empty cell is a rating with score None. In wide
        format the annotator is the column's name; without an item column the item is ``line N``.

    Raises
    ------
    BadInput
        A missing column, an empty item or annotator, a choice other than ``a``, ``b``, ``tie``, an annotator asked
        for who is not in the file, or two ratings of one item and dimension by one annotator (unless a column
        ``replicate``, under any of its aliases, tells them apart).

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rows.csv"
    ...     _ = path.write_text("id;judge;ana;bo\n1;3,5;4;\n")
    ...     ratings = read_ratings(path, judge_col="judge", human_cols=["ana", "bo"], dimension="warmth")
    >>> [(rating.annotator, rating.score) for rating in ratings]
    [('judge', 3.5), ('ana', 4.0), ('bo', None)]
    """
    table = open_table(path, csv)
    raters = [*([] if judge_col is None else [judge_col]), *human_cols]
    there = set(raters)
    found = _wide(table, raters, columns, dimension) if raters else _long(table, columns, annotators, there)
    # Nobody asked for yet, nothing to refuse yet: a crowd that rated everything many times may stand in the file.
    kept = list(found) if annotators is None and not raters else _checked(table, found)
    for name in annotators or ():
        if name not in there:
            raise BadInput(
                "an annotator is not in the file",
                path=table.path,
                field="annotator",
                seen=name,
                why=f"the annotators are {', '.join(sorted(there)[:30])}",
                remedy="correct the name; case counts",
            )
    return kept if annotators is None else [rating for rating in kept if rating.annotator in set(annotators)]


def _checked(table: Table, ratings: Iterator[Rating]) -> list[Rating]:
    kept: list[Rating] = []
    lines: dict[tuple[str, str, str, str], int | None] = {}
    for rating in ratings:
        repeat = next((str(rating.carried[name]) for name in _REPEATS if name in rating.carried), "")
        key = (rating.item, rating.dimension, rating.annotator, repeat)
        if key in lines:
            raise BadInput(
                "a rating stands twice",
                path=table.path,
                line=rating.line,
                field="item",
                seen=rating.item,
                why=f"{rating.annotator} rated this item on {rating.dimension} in line {lines[key]} too",
                remedy="remove one row, or tell repeats apart in a column `repeat`",
            )
        lines[key] = rating.line
        kept.append(rating)
    return kept


def _long(
    table: Table, columns: Mapping[str, Any] | None, annotators: Sequence[str] | None, there: set[str]
) -> Iterator[Rating]:
    """Ratings of a long file; every annotator met is added to ``there``, wanted or not."""
    layouts = Layouts(table, RATINGS, columns, required=("item", "dimension", "annotator"))
    score = _score_name(table, layouts.header.found)
    wanted = None if annotators is None else set(annotators)
    for row in table.rows():
        layout = layouts.of(row)
        here = layout.found
        annotator = _filled(table, row, here["annotator"])
        there.add(annotator)
        if wanted is not None and annotator not in wanted:
            continue
        yield Rating(
            item=as_id(row.values[here["item"]], Place(table, row.line, here["item"])),
            dimension=_filled(table, row, here["dimension"]),
            annotator=annotator,
            score=_score(table, row, here, score),
            line=row.line,
            carried=_carried(row, layout),
        )


def _score_name(table: Table, found: Mapping[str, str]) -> str:
    if "score" in found and "choice" in found:
        raise BadInput(
            "the file has both `score` and `choice`",
            path=table.path,
            line=table.header_line,
            seen=f"{found['score']} and {found['choice']}",
            why="a rating is a score or a choice between two",
            remedy="remove or rename one column",
        )
    if "choice" in found:
        return "choice"
    if "score" not in found:
        raise missing_column("score", table.columns, RATINGS, path=table.path, line=table.header_line)
    return "score"


def _score(table: Table, row: Row, here: Mapping[str, str], name: str) -> float | str | None:
    column = here.get(name)
    if column is None:
        return None  # a JSONL record without the key: a missing rating
    place = Place(table, row.line, column)
    score = as_rating(row.values[column], place)
    if name == "choice" and score is not None and score not in _CHOICES:
        raise place.problem(
            "no such choice", seen=score, why="a choice is a, b or tie", remedy="correct it or leave the cell empty"
        )
    return score


def _filled(table: Table, row: Row, column: str) -> str:
    place = Place(table, row.line, column)
    value = as_label(row.values[column], place)
    if value is None or not value.strip():
        raise place.problem(
            "the cell is empty", seen="", why="every rating needs it", remedy="fill it in or remove the row"
        )
    return value


def _carried(row: Row, layout: Layout) -> dict[str, Any]:
    carried = {name: row.values[name] for name in layout.carried}
    if "shown_first" in layout.found:
        carried["shown_first"] = row.values[layout.found["shown_first"]]
    return carried


def _wide(table: Table, raters: list[str], columns: Mapping[str, Any] | None, dimension: str) -> Iterator[Rating]:
    if len(set(raters)) < len(raters):
        raise UsageProblem("a rater's column is named twice", seen=", ".join(raters), remedy="name each column once")
    for name in raters:
        if name not in table.columns:
            raise missing_column(name, table.columns, {}, path=table.path, line=table.header_line)
    names: Aliases = {name: RATINGS[name] for name in ("item", "dimension", "shown_first")}
    stated = {name: actual for name, actual in (columns or {}).items() if name in names or name not in RATINGS}
    layouts = Layouts(table, names, stated, reserved=raters)
    for row in table.rows():
        layout = layouts.of(row)
        here = layout.found
        item = (
            as_id(row.values[here["item"]], Place(table, row.line, here["item"]))
            if "item" in here
            else f"line {row.line}"
        )
        about = _filled(table, row, here["dimension"]) if "dimension" in here else dimension
        carried = _carried(row, layout)
        for name in raters:
            score = as_rating(row.values.get(name), Place(table, row.line, name))
            yield Rating(item=item, dimension=about, annotator=name, score=score, line=row.line, carried=carried)
