"""What `label`, `tryout` and `adjudicate` share: a session on a screen or in lines, ended cleanly by any signal."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from judgekit.cli.output import say
from judgekit.errors import BadInput, Interrupted, UsageProblem
from judgekit.files.disk import disk_failed

if TYPE_CHECKING:
    from judgekit.files.labels import LabelFile, SampleFile
    from judgekit.labelling.keymap import Keymap
    from judgekit.labelling.session import Session
    from judgekit.labelling.steps import Step
    from judgekit.records import LabelEvent, Rubric

SampleArgument = Annotated[Path, typer.Argument(help="What `judgekit sample` wrote, or a study that has one.")]
Plain = Annotated[bool, typer.Option("--plain", help="Numbered lines instead of a screen, for screen readers.")]
Language = Annotated[Literal["auto", "en", "es"], typer.Option("--lang", help="Language of the app and the anchors.")]
Keys = Annotated[Path | None, typer.Option("--keys", help="YAML of your own keys, one `action: key` a line.")]
Guard = Annotated[int, typer.Option("--guard", min=0, max=5000, hidden=True, help="Milliseconds of the item guard.")]

_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class SystemClock:
    """The clocks of this machine."""

    def monotonic(self) -> float:
        """Seconds on a clock that never goes back."""
        return time.monotonic()

    def utc(self) -> str:
        """The moment in UTC, ISO 8601 with milliseconds."""
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a session looks and listens, as asked for on the command line.

    ``plain``: lines in any case (without a terminal, or with ``TERM=dumb``, it is lines anyway); ``lang``: ``auto`` takes
    the locale; ``keys``: a file of key bindings; ``guard``: milliseconds of the item guard.
    """

    plain: bool
    lang: str
    keys: Path | None
    guard: int

    @property
    def on_lines(self) -> bool:
        """Whether the session runs in lines."""
        return self.plain or os.environ.get("TERM") == "dumb" or not (sys.stdout.isatty() and sys.stdin.isatty())

    @property
    def guard_seconds(self) -> float:
        """The item guard; none for lines from a pipe, which nobody types: there is no hand to protect from its speed."""
        return self.guard / 1000 if not self.on_lines or sys.stdin.isatty() else 0.0


def run_session(
    sample: SampleFile,
    rubrics: Sequence[Rubric],
    steps: Sequence[Step],
    path: Path,
    annotator: str,
    *,
    source: Path,
    look: Look,
    seconds: float | None = None,
    results: Callable[[str], Sequence[str]] | None = None,
    origin: Mapping[str, Any] | None = None,
) -> None:
    """Run one annotator's session to its end.

    Parameters
    ----------
    sample : SampleFile
        For its hash, which is stored with every event.
    rubrics : sequence of Rubric
        Its rubrics.
    steps : sequence of Step
        What is asked, in order.
    path : Path
        The label file; its folder is made.
    annotator : str
        Whose labels these are.
    source : Path
        The sample's file, for messages.
    look : Look
        Screen or lines, language, keys.
    seconds : float, optional
        Stop after this time.
    results : callable, optional
        Given the language, the lines told after the last item.
    origin : mapping, optional
        Stored with every event, besides sample, version, language and view.

    Raises
    ------
    InUse, BadInput, DiskFailed, Interrupted
        See `LabelFile`, `check_events` and `run_app`.
    """
    from judgekit.files.labels import LabelFile
    from judgekit.labelling.blindness import blind_check
    from judgekit.labelling.opening import check_events

    keymap = read_keymap(look.keys)
    language = language_of(look.lang)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise disk_failed(path.parent, problem, doing="made") from None
    view = {"lang": language, "view": "plain" if look.on_lines else "screen", **(origin or {})}
    with _stopped_by_signals(), LabelFile(path, annotator) as log:
        check_events(log.events, sample, rubrics, path)
        if log.torn:
            say(f"{path}: what a crash left of an unfinished line was set aside in {path.name}.torn")
        session = _session(sample, steps, log, annotator, view, look.guard_seconds, seconds)
        session.check = blind_check(frozenset(sample.extra.get("excused") or ()), source)

        def told() -> Sequence[str]:
            if "reveal" in view:
                session.remark({"revealed": True})
            return () if results is None else results(language)

        run = _run_lines if look.on_lines else _run_screen
        run(session, rubrics, language, keymap, told)


def _session(
    sample: SampleFile,
    steps: Sequence[Step],
    log: LabelFile,
    annotator: str,
    view: Mapping[str, Any],
    guard: float,
    seconds: float | None,
) -> Session:
    from judgekit.labelling.opening import sample_hash
    from judgekit.labelling.session import Session

    clock = SystemClock()
    return Session(
        annotator=annotator,
        steps=steps,
        log=log,
        clock=clock,
        origin={"sample": sample_hash(sample), "version": _version(), **view},
        guard=guard,
        deadline=None if seconds is None else clock.monotonic() + seconds,
    )


def _run_lines(
    session: Session,
    rubrics: Sequence[Rubric],
    lang: str,
    keymap: Keymap,
    results: Callable[[], Sequence[str]],
) -> None:
    from judgekit.labelling.plain import run_plain

    run_plain(session, sys.stdin, sys.stdout, lang=lang, keymap=keymap, rubrics=rubrics, results=results)


def _run_screen(
    session: Session,
    rubrics: Sequence[Rubric],
    lang: str,
    keymap: Keymap,
    results: Callable[[], Sequence[str]],
) -> None:
    from judgekit.labelling.app import run_app
    from judgekit.labelling.desk import Desk

    desk = Desk(session, rubrics, lang=lang, keymap=keymap, results=results)
    run_app(desk)
    progress = session.progress
    typer.echo(desk.words["stored_so_far"].format(done=progress.done, total=progress.total))


def sample_of(place: Path) -> Path:
    """The sample file meant: the file itself, or the sample of a study named by its file or folder.

    Parameters
    ----------
    place : Path
        A sample, ``study.yaml``, or the folder that holds it.

    Returns
    -------
    Path

    Raises
    ------
    BadInput
        The study has no sample yet.
    """
    if not place.is_dir() and place.suffix.lower() not in {".yaml", ".yml"}:
        return place
    from judgekit.workspace import Workspace, study_of

    study = study_of(place)
    # Only named, not opened: the study's private folder is none of a rater's business.
    space = Workspace(study, study.base)
    if not space.sample.is_file():
        from judgekit.run_folder import last_steps

        steps = last_steps(space)
        if steps and not steps[0].startswith("people label"):
            raise BadInput(
                "this study has no sample to label yet",
                path=place,
                why=f"its last run says: {steps[0]}",
                remedy="; ".join([*steps[1:], "then `judgekit run`"]),
            )
        raise BadInput(
            "this study has no sample to label yet",
            path=place,
            why="`judgekit run` writes it when raters are named in labels.annotators and the judge is worth labelling for",
            remedy=f"judgekit run {place}",
        )
    return space.sample


def readable_labels(sample: SampleFile, folder: Path) -> dict[str, list[LabelEvent]]:
    """The label files of the roster that exist and may be read by this user.

    Parameters
    ----------
    sample : SampleFile
        Its roster.
    folder : Path
        Where labels are.

    Returns
    -------
    dict of str to list of LabelEvent
        Annotators who have not begun, or whose file belongs to another user, are left out.
    """
    from judgekit.files.labels import label_path, read_events

    paths = {name: label_path(folder, name) for name in sample.annotators}
    return {name: read_events(path) for name, path in paths.items() if path.is_file() and os.access(path, os.R_OK)}


def seconds_of(text: str | None) -> float | None:
    """A length of time such as ``30m``, ``90s`` or ``1h`` in seconds; a number alone is minutes."""
    if text is None:
        return None
    number, unit = (text[:-1], text[-1:]) if text[-1:] in {"s", "m", "h"} else (text, "m")
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if not 0 < value < 10_000:
        raise UsageProblem(
            "no length of time", field="--for", seen=text, why="it is a number with s, m or h", remedy="e.g. --for 30m"
        )
    return value * {"s": 1, "m": 60, "h": 3600}[unit]


def language_of(choice: str) -> str:
    """The language chosen, or for ``auto`` that of the locale: ``en`` or ``es``."""
    if choice != "auto":
        return choice
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "es" if value.lower().startswith("es") else "en"
    return "en"


def read_keymap(path: Path | None) -> Keymap:
    """Key bindings from a file, else from ``judgekit/keys.yaml`` among the user's settings, else the defaults."""
    from judgekit.labelling.keymap import Keymap

    if path is None:
        from platformdirs import user_config_path

        path = user_config_path("judgekit") / "keys.yaml"
        if not path.is_file():
            return Keymap()
    from judgekit.rubric import load_yaml

    data = load_yaml(path)
    if not isinstance(data, dict):
        raise BadInput("no list of keys", path=path, why="it holds lines such as flag: x", remedy="mend the file")
    return Keymap(data, path=str(path))


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("judgekit-calibration")
    except PackageNotFoundError:
        return "checkout"


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """SIGTERM, a closed terminal and Ctrl-C end the session with exit code 3: every decision is on disk already."""

    def stop(number: int, _frame: FrameType | None) -> None:
        raise Interrupted(
            f"stopped by {signal.Signals(number).name}", why="every decision up to now is stored", remedy="run it again"
        )

    before = {number: signal.signal(number, stop) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
