"""``judgekit bbq``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judgekit.cli.output import Progress, emit, say, table
from judgekit.cli.study_options import Json
from judgekit.errors import BadInput
from judgekit.printable import printable
from judgekit.records import Interval, Undefined

if TYPE_CHECKING:
    from judgekit.probing.bbq import BbqCategory, BbqRow


def bbq(
    file: Annotated[Path, typer.Argument(help="BBQ's own rows (JSONL, CSV or Parquet) with a model's answers.")],
    answer: Annotated[str, typer.Option(help="The column that holds the answers.")],
    level: Annotated[float, typer.Option(min=0.5, max=0.999, help="Level of the intervals.")] = 0.95,
    json_out: Json = False,
) -> None:
    """Both bias scores of the BBQ benchmark, by category; above 0: the answers follow the stereotype."""
    from judgekit.probing.bbq import bbq_categories

    line = Progress("answers")
    found = bbq_categories(_rows(file, answer, line), level=level)
    line.close()
    if json_out:
        emit({"categories": {name: _document(category) for name, category in found.items()}, "level": level})
        return
    _print(found, level)


def _rows(file: Path, answer: str, line: Progress) -> Iterator[BbqRow]:
    from judgekit.files.rows import Place, open_table
    from judgekit.probing.bbq import bbq_row

    source = open_table(file)
    if answer not in source.columns:
        raise BadInput(
            "no such column",
            path=file,
            field="--answer",
            seen=answer,
            why=f"the file has {', '.join(source.columns)}",
            remedy="name the column with the model's answers",
        )
    for done, row in enumerate(source.rows(), 1):
        try:
            yield bbq_row(row.values, answer)
        except BadInput as problem:
            place = Place(source, row.line, problem.field or answer)
            raise place.problem(
                problem.what, seen=problem.seen or "", why=problem.why or "", remedy=problem.remedy or ""
            ) from None
        line(done)


def _document(category: BbqCategory) -> dict[str, Any]:
    """One category: a score that does not exist is null, and ``undefined`` says why."""
    scores, document = category.scores, {}
    for name, context in (("ambig", scores.ambig), ("disambig", scores.disambig)):
        values: dict[str, Any] = {"accuracy": context.accuracy, "s_dis": context.s_raw}
        intervals: dict[str, Any] = {"s_dis_ci": context.s_raw_interval}
        if name == "ambig":
            values["s_amb"], intervals["s_amb_ci"] = scores.s_amb, scores.s_amb_interval
        missed = category.unmatched[name]
        document[name] = {
            "n": context.n + missed,
            "matched": context.n,
            "unmatched": missed,
            "non_unknown": context.non_unknown,
            "biased": context.biased,
            "templates": context.templates,
            "s_amb": None,
            **{key: None if isinstance(v, Undefined) else v for key, v in values.items()},
            **{key: [v.low, v.high] if isinstance(v, Interval) else None for key, v in intervals.items()},
            "undefined": {key: str(v) for key, v in (values | intervals).items() if isinstance(v, Undefined)},
        }
    return document


def _print(found: dict[str, BbqCategory], level: float) -> None:
    rows, reasons = [], []
    for name, category in found.items():
        scores = category.scores
        for kind, context, score, interval in (
            ("ambig", scores.ambig, scores.s_amb, scores.s_amb_interval),
            ("disambig", scores.disambig, scores.s_dis, scores.s_dis_interval),
        ):
            low, high = (interval.low, interval.high) if isinstance(interval, Interval) else (None, None)
            shown = [None if isinstance(v, Undefined) else v for v in (context.accuracy, score)]
            missed = category.unmatched[kind]
            rows.append([name, kind, context.n + missed, missed, *shown, low, high])
            reasons += [f"{printable(name)}, {kind}: {v}" for v in (score, interval) if isinstance(v, Undefined)]
    headers = ["category", "context", "n", "unmatched", "accuracy", "score", "low", "high"]
    typer.echo(table(headers, rows))
    typer.echo(
        f"Score: s_AMB in ambiguous contexts, s_DIS in disambiguated ones, in [-1, 1]; intervals at {level:.0%}."
    )
    for line in dict.fromkeys(reasons):
        typer.echo(line)
    for name, category in found.items():
        if category.strangers:
            heard = ", ".join(f"{said!r} ({n})" for said, n in category.strangers)
            total = sum(category.unmatched.values())
            say(f"{name}: {total} answers match no option and are left out of the scores; most often {heard}")
