"""Label files, one per annotator, append-only and chained; and the sample that raters open and the key they do not.

A label is on disk before the next item is shown. Undo adds a line like everything else, so that the file keeps every
decision; `final_labels` says what stands at the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from judgekit.errors import BadInput, InUse, UsageProblem
from judgekit.files.atomic import JsonlWriter
from judgekit.files.chain import Chain, ChainFile, Link, read_chain
from judgekit.files.disk import DISK, Disk
from judgekit.files.json_text import loads
from judgekit.records import LabelEvent, LabelKey, LabelTask

__all__ = [
    "LabelFile",
    "SampleFile",
    "final_labels",
    "key_path",
    "label_path",
    "read_events",
    "read_key",
    "read_sample",
    "write_key",
    "write_sample",
]

SAMPLE_FORMAT = "judgekit sample 1"
KEY_FORMAT = "judgekit sample key 1"
_EVENTS = frozenset({"score", "skip", "undo", "flag", "note"})
_DECISIONS = frozenset({"score", "skip"})
_REMEDY = "restore the file from a copy; labels are never edited by hand, a label is changed by undoing it in the app"


# --- one annotator's labels ----------------------------------------------------------------------------------------


def label_path(folder: str | Path, annotator: str) -> Path:
    """Where an annotator's labels are kept: ``FOLDER/NAME.jsonl``.

    Raises
    ------
    UsageProblem
        The name could not be a file's name on every system.

    Examples
    --------
    >>> label_path("labels", "ana").as_posix()
    'labels/ana.jsonl'
    """
    plain = annotator.replace("-", "").replace("_", "").replace(".", "")
    if not plain.isalnum() or annotator.startswith(".") or len(annotator) > 64:
        raise UsageProblem(
            "an annotator's name is made of letters, digits, - and _",
            field="annotator",
            seen=annotator,
            why="the labels are kept in a file of that name",
            remedy="choose a short name such as ana",
        )
    return Path(folder) / f"{annotator}.jsonl"


class LabelFile:
    """One annotator's labels, open for appending by one process at a time.

    Parameters
    ----------
    path : str or Path
        Made with mode 0600 when it is not there. What a crash left of an unfinished last line is moved to
        ``NAME.jsonl.torn``.
    annotator : str
        Whose labels these are.
    disk : Disk
        The operating system; tests bring one that fails.

    Raises
    ------
    InUse
        Another process labels as this annotator; its process id is named.
    BadInput
        A line was edited or removed, or the file is another annotator's.
    """

    def __init__(self, path: str | Path, annotator: str, *, disk: Disk = DISK) -> None:
        self.path = Path(path)
        self.annotator = annotator
        try:
            self._file = ChainFile(self.path, remedy=_REMEDY, disk=disk)
        except InUse as problem:
            problem.what = f"someone is labelling as {annotator} already"
            raise
        try:
            self.events = _events(self._file.chain, self.path, annotator)
        except BaseException:
            self._file.close()
            raise

    @property
    def torn(self) -> bytes:
        """What was set aside when the file was opened; empty as a rule."""
        return self._file.chain.torn

    def append(self, event: LabelEvent) -> LabelEvent:
        """Add one decision; it is on disk when this returns.

        Parameters
        ----------
        event : LabelEvent
            Its ``seq`` and ``prev_hash`` are set here, whatever they are.

        Returns
        -------
        LabelEvent
            As it was written.

        Raises
        ------
        DiskFailed
            Nothing was written; the same event may be appended again.
        BadInput
            The event is another annotator's.
        """
        if event.annotator != self.annotator:
            raise BadInput("an event of another annotator", path=self.path, seen=event.annotator)
        data = {f.name: getattr(event, f.name) for f in fields(event) if f.name != "prev_hash"}
        link = self._file.append({**data, "seq": len(self.events) + 1})
        written = _event(link, self.path)
        self.events.append(written)
        return written

    def close(self) -> None:
        """Close the file and give the lock back. May be called twice."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_events(path: str | Path) -> list[LabelEvent]:
    """Every decision of one annotator in the order it was taken, verified.

    Parameters
    ----------
    path : str or Path
        A label file. An unfinished last line, left by a crash, is not in the result.

    Returns
    -------
    list of LabelEvent

    Raises
    ------
    BadInput
        No such file, or a line was edited, removed, added or moved; the first such line is named.
    """
    path = Path(path)
    if not path.is_file():
        raise BadInput("there is no label file here", path=path, remedy="check the name, or label first")
    return _events(read_chain(path, remedy=_REMEDY), path)


def _events(chain: Chain, path: Path, annotator: str | None = None) -> list[LabelEvent]:
    events = [_event(link, path) for link in chain.links]
    if events and annotator is not None and events[0].annotator != annotator:
        raise BadInput(
            "these labels are another annotator's",
            path=path,
            line=1,
            seen=events[0].annotator,
            why=f"you are labelling as {annotator}",
            remedy="give each annotator a file of their own",
        )
    for number, event in enumerate(events, 1):
        if event.seq != number or event.annotator != events[0].annotator:
            raise BadInput(
                "the line does not belong here",
                path=path,
                line=number,
                seen=f"{event.annotator} {event.seq}",
                why=f"decision {number} of {events[0].annotator} stands here",
                remedy=_REMEDY,
            )
    return events


def _event(link: Link, path: Path) -> LabelEvent:
    event: LabelEvent = _record(LabelEvent, {**link.data, "prev_hash": link.prev_hash}, path, link.line)
    if event.event not in _EVENTS:
        raise BadInput("an unknown kind of event", path=path, line=link.line, seen=event.event)
    return event


def final_labels(
    events: Iterable[LabelEvent], keys: Mapping[str, LabelKey] | None = None, *, include_repeats: bool = False
) -> list[LabelEvent]:
    """The decisions that stand: what was undone is gone, a later decision replaces an earlier one.

    Parameters
    ----------
    events : iterable of LabelEvent
        One annotator's or several annotators', each in the order taken.
    keys : mapping of str to LabelKey, optional
        What `read_key` returned; tells which tasks are hidden repeats.
    include_repeats : bool
        Keep repeats too. They measure agreement with oneself and never enter judge-human agreement.

    Returns
    -------
    list of LabelEvent
        Only ``score`` and ``skip`` (a skip is a missing score), in the order first decided, one for each annotator,
        task and dimension. An undo takes back the latest decision on its task and dimension.

    Raises
    ------
    BadInput
        An undo of a decision that was never taken, or (with ``keys``) a label on a task that is not in the sample.
    """
    standing: dict[tuple[str, str, str], list[LabelEvent]] = {}
    for event in events:
        place = (event.annotator, event.task_id, event.dimension)
        if event.event in _DECISIONS:
            standing.setdefault(place, []).append(event)
        elif event.event == "undo":
            if not standing.get(place):
                raise BadInput(
                    "an undo without a decision before it",
                    seen=f"{event.annotator}, task {event.task_id}, {event.dimension}, line {event.seq}",
                    remedy=_REMEDY,
                )
            standing[place].pop()
    final = [decisions[-1] for decisions in standing.values() if decisions]
    if keys is None:
        return final
    for event in final:
        if event.task_id not in keys:
            raise BadInput(
                "a label on a task that is not in the sample",
                seen=f"{event.annotator}, task {event.task_id}",
                remedy="give the sample these labels were made from",
            )
    return [event for event in final if include_repeats or keys[event.task_id].repeat_of is None]


# --- the sample and its key ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleFile:
    """What raters open: the rubric, who labels, and the blinded texts. It says nothing about groups or templates.

    ``folder`` is where labels go, relative to the sample; ``assigned`` gives each annotator's task ids (None:
    everyone labels everything); ``extra`` holds further settings of the session, all of them harmless to read.
    """

    rubric: str
    rubric_hash: str
    annotators: tuple[str, ...]
    seed: int
    folder: str
    tasks: tuple[LabelTask, ...]
    assigned: Mapping[str, tuple[str, ...]] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """How many tasks it has, hidden repeats included."""
        return len(self.tasks)


def key_path(sample: str | Path) -> Path:
    """Where the key of a sample is kept: ``s.jsonl`` has ``s.key.jsonl``.

    Examples
    --------
    >>> key_path("out/sample.jsonl").as_posix()
    'out/sample.key.jsonl'
    """
    path = Path(sample)
    return path.with_name(f"{path.stem}.key{path.suffix or '.jsonl'}")


def write_sample(path: str | Path, sample: SampleFile, *, force: bool = False, disk: Disk = DISK) -> None:
    """Write a sample file: a header line, then one line for each task.

    Parameters
    ----------
    path : str or Path
        The file to make, mode 0600: it holds replies.
    sample : SampleFile
        The content.
    force : bool
        Replace an existing file.
    disk : Disk
        The operating system; tests bring one that fails.

    Raises
    ------
    AlreadyThere
        The file exists and ``force`` was not given.
    DiskFailed
        Nothing was written.
    """
    header = {f.name: getattr(sample, f.name) for f in fields(sample) if f.name != "tasks"}
    with JsonlWriter(path, force=force, private=True, disk=disk) as out:
        out.write({"format": SAMPLE_FORMAT, "n": sample.n, **header})
        for task in sample.tasks:
            out.write(task)


def read_sample(path: str | Path) -> SampleFile:
    """Read a sample file.

    Raises
    ------
    BadInput
        No such file, not a sample, tasks missing, or a task that stands twice.
    """
    path = Path(path)
    header, rows = _read(path, SAMPLE_FORMAT, "a sample", "judgekit sample")
    n = header.pop("n", None)
    tasks = tuple(_record(LabelTask, row, path, line) for line, row in rows)
    _complete(path, n, [task.task_id for task in tasks])
    assigned = header.pop("assigned", None)
    header["annotators"] = tuple(header.get("annotators") or ())
    if assigned is not None:
        header["assigned"] = {name: tuple(ids) for name, ids in assigned.items()}
    sample: SampleFile = _record(SampleFile, {**header, "tasks": tasks}, path, 1)
    return sample


def write_key(path: str | Path, keys: Sequence[LabelKey], *, force: bool = False, disk: Disk = DISK) -> None:
    """Write the key of a sample, mode 0600: strata, inclusion probabilities, which tasks are repeats.

    Raises
    ------
    AlreadyThere
        The file exists and ``force`` was not given.
    DiskFailed
        Nothing was written.
    """
    with JsonlWriter(path, force=force, private=True, disk=disk) as out:
        out.write({"format": KEY_FORMAT, "n": len(keys)})
        for key in keys:
            out.write(key)


def read_key(path: str | Path) -> dict[str, LabelKey]:
    """Read the key of a sample.

    Returns
    -------
    dict of str to LabelKey
        By task id, in the file's order.

    Raises
    ------
    BadInput
        No such file, not a key, tasks missing, or a task that stands twice.
    """
    path = Path(path)
    header, rows = _read(path, KEY_FORMAT, "a sample's key", "judgekit sample")
    keys = []
    for line, row in rows:
        stratum = row.get("stratum")
        if not isinstance(stratum, list):
            raise BadInput("a stratum is a list", path=path, line=line, field="stratum", seen=stratum)
        keys.append(_record(LabelKey, {**row, "stratum": tuple(stratum)}, path, line))
    _complete(path, header.get("n"), [key.task_id for key in keys])
    return {key.task_id: key for key in keys}


def _read(path: Path, wanted: str, what: str, command: str) -> tuple[dict[str, Any], list[tuple[int, dict[str, Any]]]]:
    try:
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except OSError as problem:
        raise BadInput(f"{what} cannot be read", path=path, why=problem.strerror, remedy="check the path") from None
    except UnicodeDecodeError as problem:
        raise BadInput(f"{what} is UTF-8 text", path=path, why=f"byte {problem.start} is not UTF-8") from None
    rows = [(number, loads(line, path=path, line=number)) for number, line in enumerate(lines, 1) if line.strip()]
    for number, row in rows:
        if not isinstance(row, dict):
            raise BadInput("each line holds one JSON object", path=path, line=number, seen=row)
    if not rows or rows[0][1].get("format") != wanted:
        raise BadInput(
            f"this is not {what}",
            path=path,
            line=1,
            seen=rows[0][1].get("format") if rows else "an empty file",
            why=f'the first line has the format "{wanted}"',
            remedy=f"make one with `{command}`",
        )
    header = {name: value for name, value in rows[0][1].items() if name != "format"}
    return header, rows[1:]


def _complete(path: Path, n: object, ids: Collection[str]) -> None:
    if n != len(ids) or len(set(ids)) != len(ids):
        raise BadInput(
            "tasks are missing from the file or stand in it twice",
            path=path,
            seen=f"{len(ids)} tasks, {len(set(ids))} different",
            why=f"its header says {n}",
            remedy="draw the sample again, or restore the file from a copy",
        )


def _record(kind: type[Any], data: Mapping[str, Any], path: Path, line: int) -> Any:
    known = {f.name: f for f in fields(kind)}
    unknown = sorted(set(data) - set(known))
    missing = sorted(
        name for name, f in known.items() if name not in data and f.default is MISSING and f.default_factory is MISSING
    )
    if unknown or missing:
        raise BadInput(
            "the line does not have the fields it should",
            path=path,
            line=line,
            field=(unknown or missing)[0],
            why="unknown" if unknown else "missing",
            remedy="the file was edited or comes from another version; make it again or restore it",
        )
    return kind(**data)
