"""An anchor set on disk: labelled texts, frozen in one file, that a judge scores again in every build.

The first line says what the set is; then come the masked texts, then the labels. Names and the originals of placeholders
stay in the study that the set was frozen from, so that the file can stand beside code.

The first line holds a digest over everything in the file. That is evidence of tampering, not proof: whoever edits the file can
make a new digest, which is why a study can pin the file's hash. The hashes of the label files and of the seal that the set was
made from stand there for whoever has that study; they are not checked here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from judgekit.errors import BadInput
from judgekit.files.atomic import iter_jsonl, write_jsonl
from judgekit.files.json_text import dumps, loads
from judgekit.files.manifest import file_sha256

__all__ = ["AnchorLabel", "AnchorSet", "AnchorText", "anchor_digest", "read_anchor_set", "write_anchor_set"]

T = TypeVar("T", "AnchorText", "AnchorLabel")
_MARK = "judgekit anchors"
_TYPES: Mapping[str, tuple[type, ...]] = {
    "str": (str,),
    "str | None": (str, type(None)),
    "int | str | None": (int, str, type(None)),
    "float": (int, float),
    "bool": (bool,),
}
"""What JSON gives for a field, by its annotation."""
_REMEDY = "freeze the set again: judgekit labels freeze STUDY -o FILE"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorText:
    """A masked text of the set and its place in the design; ``inclusion`` is the chance with which it was drawn."""

    item: str
    text: str
    context: str | None
    lang: str
    template_id: str | None
    group: str | None
    case_type: str | None
    inclusion: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorLabel:
    """One person's score of one text, None where it was skipped; ``adjudicated`` marks the one that settles a text."""

    item: str
    dimension: str
    annotator: str
    value: int | str | None
    text_hash: str
    rubric_hash: str
    labelled_at: str
    adjudicated: bool = False
    seen: str = ""


@dataclass(frozen=True, kw_only=True)
class AnchorSet:
    """A frozen set: where it comes from, its texts and labels.

    ``decided`` is what had been sealed before its first label (None: nothing had); ``left_out`` counts labels that were stale
    when the set was frozen. ``label_heads`` are the last hashes of the label files by their name, ``seal`` that of the study's
    seals, None without. ``sha256`` names the file's content.
    """

    study: str
    frozen_at: str
    blinding_version: str
    decided: Mapping[str, Any] | None
    texts: tuple[AnchorText, ...]
    labels: tuple[AnchorLabel, ...]
    left_out: int = 0
    label_heads: Mapping[str, str] = field(default_factory=dict)
    seal: str | None = None
    sha256: str = field(default="", compare=False)


def write_anchor_set(path: str | Path, anchors: AnchorSet, *, force: bool = False) -> None:
    """Write a set; private, for its owner to publish.

    Parameters
    ----------
    path : str or Path
        A ``.jsonl`` file.
    anchors : AnchorSet
    force : bool
        Replace an existing file.

    Raises
    ------
    AlreadyThere
        The file exists.
    """
    head = {
        "judgekit": _MARK,
        "format": 1,
        "study": anchors.study,
        "frozen_at": anchors.frozen_at,
        "blinding_version": anchors.blinding_version,
        "decided": anchors.decided,
        "texts": len(anchors.texts),
        "labels": len(anchors.labels),
        "left_out": anchors.left_out,
        "label_heads": anchors.label_heads,
        "seal": anchors.seal,
    }
    rows = [*({"text": asdict(t)} for t in anchors.texts), *({"label": asdict(x)} for x in anchors.labels)]
    write_jsonl(path, [head | {"digest": anchor_digest(head, rows)}, *rows], force=force, private=True)


def anchor_digest(head: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> str:
    """The digest of a set, over its first line without the digest itself and every line after it, in order.

    Parameters
    ----------
    head : mapping
        The first line.
    rows : iterable of mapping
        The others.

    Returns
    -------
    str
        SHA-256, 64 hexadecimal digits; how the lines are spaced and their keys ordered does not matter.

    Examples
    --------
    >>> anchor_digest({"texts": 1, "digest": "0"}, []) == anchor_digest({"texts": 1}, [])
    True
    """
    found = hashlib.sha256(dumps({k: v for k, v in head.items() if k != "digest"}).encode("utf-8"))
    for row in rows:
        # Read back first: what a file gives is what is compared.
        found.update(b"\n" + dumps(loads(dumps(row))).encode("utf-8"))
    return found.hexdigest()


def read_anchor_set(path: str | Path) -> AnchorSet:
    """Read a set and check that it is whole.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    AnchorSet

    Raises
    ------
    BadInput
        No such file, no anchor set, a line that does not fit, lines that are missing, a text that stands twice, a label
        without its text, or a file that was edited since it was frozen.
    """
    path = Path(path)
    if not path.is_file():
        raise BadInput("the anchor set is not there", path=path, field="labels.anchors", remedy=_REMEDY)
    lines = iter_jsonl(path)
    _, head = next(lines, (1, {}))
    if head.get("judgekit") != _MARK or head.get("format") != 1:
        raise BadInput("this is no anchor set", path=path, line=1, seen=head.get("judgekit"), remedy=_REMEDY)
    texts: list[AnchorText] = []
    labels: list[AnchorLabel] = []
    rows: list[Mapping[str, Any]] = []
    for line, row in lines:
        rows.append(row)
        if "text" in row:
            texts.append(_made(AnchorText, row["text"], path, line))
        else:
            labels.append(_made(AnchorLabel, row.get("label"), path, line))
    _check(head, texts, labels, path)
    if head.get("digest") != anchor_digest(head, rows):
        raise BadInput(
            "the anchor set was changed after it was frozen",
            path=path,
            field="digest",
            seen=head.get("digest"),
            why="its lines do not give the digest in its first line: labels, texts or what was decided are others now",
            remedy=f"restore the file from version control, or {_REMEDY}",
        )
    return AnchorSet(
        study=str(head.get("study")),
        frozen_at=str(head.get("frozen_at")),
        blinding_version=str(head.get("blinding_version")),
        decided=head["decided"] if isinstance(head.get("decided"), dict) else None,
        texts=tuple(texts),
        labels=tuple(labels),
        left_out=head["left_out"] if isinstance(head.get("left_out"), int) else 0,
        label_heads=head["label_heads"] if isinstance(head.get("label_heads"), dict) else {},
        seal=head["seal"] if isinstance(head.get("seal"), str) else None,
        sha256=file_sha256(path),
    )


def _made(kind: type[T], values: Any, path: Path, line: int) -> T:
    problem = BadInput("a line of the anchor set does not fit", path=path, line=line, remedy=_REMEDY)
    try:
        made = kind(**values)
    except TypeError:
        raise problem from None
    for part in fields(kind):
        value, types = getattr(made, part.name), _TYPES[str(part.type)]
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            problem.field, problem.seen = part.name, value
            raise problem
    return made


def _check(head: Mapping[str, Any], texts: Sequence[AnchorText], labels: Sequence[AnchorLabel], path: Path) -> None:
    if (len(texts), len(labels)) != (head.get("texts"), head.get("labels")):
        raise BadInput(
            "lines of the anchor set are missing or too many",
            path=path,
            seen=f"{len(texts)} texts, {len(labels)} labels",
            why=f"its first line says {head.get('texts')} and {head.get('labels')}",
            remedy=_REMEDY,
        )
    items = {t.item for t in texts}
    lost = next((x.item for x in labels if x.item not in items), None)
    odd = next((t.item for t in texts if not 0 < t.inclusion <= 1), None)
    if len(items) < len(texts) or lost is not None or odd is not None:
        raise BadInput(
            "the anchor set does not hold together",
            path=path,
            field="item",
            seen=lost or odd,
            why="every text stands once, with its chance of being drawn, and every label has its text",
            remedy=_REMEDY,
        )
