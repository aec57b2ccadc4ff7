"""``judgekit labels export SAMPLE``: every decision of a sample's raters as rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from judgekit.cli.output import say
from judgekit.errors import BadInput, UsageProblem

__all__ = ["export_sample", "is_sample"]


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
    from judgekit.files.atomic import write_jsonl
    from judgekit.files.labels import key_path, label_path, read_key, read_sample
    from judgekit.files.spreadsheet import write_csv
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
        rows = _wide(rows, list(everybody))
    if output.suffix.lower() in {".jsonl", ".ndjson"}:
        write_jsonl(output, rows, force=force, private=True, inputs=[sample])
    elif output.suffix.lower() == ".csv":
        write_csv(output, columns, rows, force=force, private=True)
    else:
        raise UsageProblem(
            "an export is CSV or JSONL", field="--output", seen=output.suffix, remedy="name it .csv or .jsonl"
        )
    say(f"{output}: {len(rows)} rows")
    return len(rows)


def _wide(rows: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    table: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        if row["repeat_of"] is None:
            empty = {"item": row["item"], "dimension": row["dimension"], **dict.fromkeys(names)}
            table.setdefault((row["item"], row["dimension"]), empty)[row["annotator"]] = row["score"]
    return [table[place] for place in sorted(table)]
