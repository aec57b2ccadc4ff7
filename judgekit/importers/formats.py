"""Which foreign formats are read, which module reads each, and which of them a file is: told by what stands in it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from judgekit.errors import BadInput, UsageProblem
from judgekit.foreign.imported import Kind, Reading, Request
from judgekit.foreign.peek import Peek, peek

__all__ = ["FORMATS", "Format", "detect", "open_foreign", "written_by"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One foreign format.

    Its module has two functions: ``recognise(peek: Peek) -> bool``, sure of its own files and of no others, and
    ``read(request: Request) -> Reading``, which raises `BadInput` for a file that is not what it should be before any
    row is given out, as far as that can be known without reading all of it.
    """

    name: str
    kind: Kind
    tool: str
    module: str
    looked_for: str

    def load(self) -> Any:
        """Import the module."""
        return importlib.import_module(f"judgekit.importers.{self.module}")


FORMATS: dict[str, Format] = {
    f.name: f
    for f in (
        Format(
            name="promptfoo",
            kind="replies",
            tool="promptfoo",
            module="promptfoo",
            looked_for="a JSON object with results.results and prompts or stats",
        ),
        Format(
            name="inspect",
            kind="replies",
            tool="Inspect",
            module="inspect_logs",
            looked_for="a .eval zip with header.json, or a JSON object with eval, plan and samples",
        ),
        Format(
            name="deepeval",
            kind="replies",
            tool="deepeval",
            module="deepeval_results",
            looked_for="a JSON object with testCases or test_results",
        ),
        Format(
            name="lm-eval",
            kind="replies",
            tool="lm-evaluation-harness",
            module="lm_eval_samples",
            looked_for="JSON lines with doc_id, doc, arguments and resps",
        ),
        Format(
            name="hf",
            kind="replies",
            tool="Hugging Face style rows",
            module="hf_rows",
            looked_for="JSON lines or Parquet with a column of replies or of conversations",
        ),
        Format(
            name="label-studio",
            kind="labels",
            tool="Label Studio",
            module="label_studio",
            looked_for="a JSON list of tasks with annotations and data",
        ),
        Format(
            name="argilla",
            kind="labels",
            tool="Argilla",
            module="argilla_labels",
            looked_for="records with fields and responses",
        ),
    )
}
_LAST = ("hf",)  # plain rows: only what no tool's own layout claims


def of_kind(kind: Kind) -> list[Format]:
    """The formats that hold replies, or labels."""
    return [f for f in FORMATS.values() if f.kind == kind]


def detect(path: str, kind: Kind) -> Format:
    """Find out which format a file has, by its content.

    Parameters
    ----------
    path : str
        The file; its ending is not asked.
    kind : {'replies', 'labels'}
        What is wanted of it.

    Returns
    -------
    Format

    Raises
    ------
    BadInput
        No format, or several, know the file as theirs, or it is of the other kind; all that was looked for is listed.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "anything.txt"
    ...     _ = path.write_text('{"evalId": "e1", "results": {"version": 3, "results": []}}')
    ...     detect(str(path), "replies").name
    'promptfoo'
    """
    seen = peek(path)
    claims = [f for f in FORMATS.values() if f.name not in _LAST and _claims(f, seen)]
    if not claims:
        claims = [FORMATS[name] for name in _LAST if FORMATS[name].kind == kind and _claims(FORMATS[name], seen)]
    wanted = [f for f in claims if f.kind == kind]
    if len(wanted) == 1:
        return wanted[0]
    if claims and not wanted:
        raise _other_kind(path, claims[0])
    if len(wanted) > 1:
        names = ", ".join(f.name for f in wanted)
        raise BadInput(
            "the file could be of several formats",
            path=path,
            seen=names,
            remedy=f"say which: --format {wanted[0].name}",
        )
    looked = "; ".join(f"{f.name}: {f.looked_for}" for f in of_kind(kind))
    raise BadInput(
        "the format is not known",
        path=path,
        seen=_shown(seen),
        why=f"looked for {looked}",
        remedy="check the file, or say --format NAME to see what is missing in it"
        + ("; CSV and plain tables need no import: judgekit init DIR --from FILE" if kind == "replies" else ""),
    )


def written_by(path: str) -> Format | None:
    """The tool whose own file this is; None for a table that judgekit reads itself, and for what cannot be read.

    Parameters
    ----------
    path : str

    Returns
    -------
    Format or None
        Rows of a data set count where a column holds conversations, which are no text.
    """
    from judgekit.importers.hf_rows import has_conversations

    try:
        seen = peek(path)
    except BadInput:
        return None
    tool = next((f for f in FORMATS.values() if f.name not in _LAST and _claims(f, seen)), None)
    return tool or (FORMATS["hf"] if has_conversations(seen) else None)


def _claims(known: Format, seen: Peek) -> bool:
    recognise: Callable[[Peek], bool] = known.load().recognise
    return recognise(seen)


def _other_kind(path: str, found: Format) -> BadInput:
    return BadInput(
        f"this is a file of {found.kind}, written by {found.tool}",
        path=path,
        why=f"{'replies' if found.kind == 'labels' else 'labels'} are read here",
        remedy="take its labels with `judgekit labels import`"
        if found.kind == "labels"
        else "take its replies with `judgekit import`",
    )


def _shown(seen: Peek) -> str:
    found = list(seen.names or seen.first or seen.keys)[:12]
    what = {"zip": "a zip file", "parquet": "Parquet", "object": "a JSON object", "list": "a JSON list"}
    what |= {"jsonl": "JSON lines", "other": "neither JSON, zip nor Parquet"}
    return what[seen.shape] + (f" with {', '.join(map(str, found))}" if found else "")


def open_foreign(request: Request, kind: Kind, name: str = "auto") -> Reading:
    """Start reading a foreign file.

    Parameters
    ----------
    request : Request
    kind : {'replies', 'labels'}
        What is wanted.
    name : str
        A format of that kind, or ``auto``.

    Returns
    -------
    Reading

    Raises
    ------
    UsageProblem
        No such format, or several models and none chosen.
    BadInput
        The file is not of the format.
    """
    if name == "auto":
        found = detect(request.path, kind)
    else:
        known = {f.name: f for f in of_kind(kind)}
        if name not in known:
            raise UsageProblem(
                "no such format", field="--format", seen=name, why=f"the formats are auto, {', '.join(known)}"
            )
        found = known[name]
    reading: Reading = found.load().read(request)
    return reading
