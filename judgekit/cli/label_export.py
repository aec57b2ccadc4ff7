"""``judgekit labels export SAMPLE``: every decision of a sample's raters as rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from judgekit.cli.output import say
from judgekit.errors import BadInput, UsageProblem

__all__ = ["export_sample", "is_sample", "wide_rows", "write_rows"]


def is_sample(path: Path) -> bool:
    """Whether a file is a labelling sample, by its first line."""
    try:
        with path.open("rb") as file:
            return b'"judgekit sample' in file.read(1 << 20).split(b"\n", 1)[0]
    except OSError:
        return False


def export_sample(sample: Path, output: Path, *, force: bool = False, wide: bool = False) -> int:
    """Write one row per decision of every annotator of a sample; ``wide``: one row per text and dimension.

    Parameters
    ----------
    sample : Path
        What `judgekit sample` wrote, with its key beside it and its label folder.
    output : Path
        A ``.jsonl`` or ``.csv`` file. In CSV, texts that a spreadsheet would run as formulas are made harmless.
    force : bool
        Replace an existing output.
    wide : bool
        One column per annotator with first labels only, as `judgekit agree --human-cols` reads them.

    Returns
    -------
    int
        Rows written.

    Raises
    ------
    BadInput
        No key beside the sample, nobody has labelled, or labels of another sample.
    AlreadyThere
        The output exists.
    """
    from judgekit.cli.label_session import readable_labels
    from judgekit.files.labels import key_path, label_path, read_key, read_sample
    from judgekit.labelling.opening import check_events, labels_folder, rubrics_of
    from judgekit.labelling.results import COLUMNS, decision_rows

    opened = read_sample(sample)
    rubrics = rubrics_of(opened, sample)
    folder = labels_folder(opened, sample)
    keys = read_key(key_path(sample))
    everybody = readable_labels(opened, folder)
    rows: list[dict[str, Any]] = []
    for name, events in everybody.items():
        check_events(events, opened, rubrics, label_path(folder, name))
        rows += decision_rows(events, keys)
    if not rows:
        raise BadInput("nobody has labelled yet", path=folder, remedy=f"judgekit label {sample} --as NAME")
    columns = list(COLUMNS)
    if wide:
        columns = ["item", "dimension", *everybody]
        rows = wide_rows(rows, list(everybody))
    write_rows(output, columns, rows, force=force, inputs=[sample])
    return len(rows)


def write_rows(
    output: Path, columns: Sequence[str], rows: Sequence[dict[str, Any]], *, force: bool, inputs: Sequence[Path] = ()
) -> None:
    """Write rows as CSV or JSONL, by the name of the file, for their owner alone.

    Parameters
    ----------
    output : Path
        A ``.jsonl``, ``.ndjson`` or ``.csv`` file. In CSV, texts that a spreadsheet would run as formulas are made harmless.
    columns : sequence of str
        In this order, for CSV.
    rows : sequence of dict
    force : bool
        Replace an existing output.
    inputs : sequence of Path
        Files that must not be overwritten in any case.
    """
    from judgekit.files.atomic import write_jsonl
    from judgekit.files.disk import check_output
    from judgekit.files.spreadsheet import write_csv

    check_output(output, force=force, inputs=list(inputs))
    if output.suffix.lower() in {".jsonl", ".ndjson"}:
        write_jsonl(output, list(rows), force=force, private=True)
    elif output.suffix.lower() == ".csv":
        write_csv(output, list(columns), list(rows), force=force, private=True)
    else:
        raise UsageProblem(
            "an export is CSV or JSONL", field="--output", seen=output.suffix, remedy="name it .csv or .jsonl"
        )
    say(f"{output}: {len(rows)} rows")


def wide_rows(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    """One row per item and dimension with a column for each annotator; of texts shown twice the first label.

    Parameters
    ----------
    rows : sequence of dict
        Long rows with ``item, dimension, annotator, score``.
    names : sequence of str
        The annotators.

    Returns
    -------
    list of dict
        Sorted; None where somebody gave no score.
    """
    table: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        if row.get("repeat_of") is None:
            empty = {"item": row["item"], "dimension": row["dimension"], **dict.fromkeys(names)}
            table.setdefault((row["item"], row["dimension"]), empty)[row["annotator"]] = row["score"]
    return [table[place] for place in sorted(table)]
