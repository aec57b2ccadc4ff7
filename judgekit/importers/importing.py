"""From a foreign file to a replies file of judgekit's own, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from judgekit.errors import UsageProblem
from judgekit.files.atomic import JsonlWriter, check_output
from judgekit.foreign.imported import Request, Source, Tally, no_rows
from judgekit.importers.formats import open_foreign

__all__ = ["OWN", "Done", "import_replies"]

OWN = frozenset({"id", "model", "template_id", "group", "name", "replicate", "context", "error", "error_detail"})
"""Columns that rows have whether a field of the file fills them or not."""

_LINES = frozenset({".jsonl", ".ndjson"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What was written and what became of every foreign row; ``empty`` counts replies in which nothing is said,
    ``kept_models`` those who replied.
    """

    output: str
    source: Source
    tally: Tally
    columns: tuple[str, ...]
    empty: int
    kept_models: int


def import_replies(
    request: Request,
    output: Path,
    *,
    name: str = "auto",
    prefix: str = "",
    force: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Done:
    """Read a foreign file and write its replies as JSON lines.

    Parameters
    ----------
    request : Request
        The file, and what the user says of it.
    output : Path
        A ``.jsonl`` file, for the owner alone; it appears when the last row is read.
    name : str
        The format, or ``auto``.
    prefix : str
        Put before every id, so that imports of several files can be joined.
    force : bool
        Replace an output that is there.
    progress : callable, optional
        Told how many rows are written.

    Returns
    -------
    Done

    Raises
    ------
    BadInput
        The file cannot be used, or no row of it can. Nothing is written then.
    UsageProblem
        Several models and none chosen, or an output that is no ``.jsonl``.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> result = '{"vars": {"name": "Mary"}, "provider": "bot", "promptIdx": 0, "response": {"output": "On its way."}}'
    >>> with TemporaryDirectory() as folder:
    ...     path, output = Path(folder) / "results.json", Path(folder) / "replies.jsonl"
    ...     _ = path.write_text('{"results": {"version": 3, "results": [' + result + "]}}")
    ...     done = import_replies(Request(path=str(path)), output)
    >>> done.source.format, done.tally.rows_in, done.tally.rows_out, done.tally.mapped["name"].field
    ('promptfoo', 1, 1, 'vars.name')
    """
    if output.suffix.lower() not in _LINES:
        raise UsageProblem(
            "the output is no .jsonl file",
            field="--output",
            seen=output.name,
            why="rows are written as JSON lines, and a file is later read as its ending says",
            remedy=f"-o {output.with_suffix('.jsonl').name}",
        )
    check_output(output, force=force, inputs=[request.path])
    reading = open_foreign(request, "replies", name)
    tally, columns, models, empty = reading.tally, dict[str, None](), set[str](), 0
    with JsonlWriter(output, force=force, private=True, inputs=[request.path]) as out:
        for row in reading.rows:
            row["id"] = f"{prefix}{row['id']}"
            out.write(row)
            columns |= dict.fromkeys(row)
            models.add(str(row.get("model")))
            empty += not str(row["text"]).strip() and row.get("error") is None
            if progress is not None:
                progress(out.count)
        if not out.count:
            raise no_rows(request, tally)
        tally.check()
    return Done(
        output=str(output),
        source=reading.source,
        tally=tally,
        columns=tuple(columns),
        empty=empty,
        kept_models=len(models),
    )
