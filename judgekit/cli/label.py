"""``judgekit label``."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from judgekit.errors import BadInput, DiskFailed, Interrupted, UsageProblem

if TYPE_CHECKING:
    from judgekit.labelling.keymap import Keymap
    from judgekit.labelling.session import Session
    from judgekit.records import Rubric


class SystemClock:
    """The clocks of this machine."""

    def monotonic(self) -> float:
        """Seconds on a clock that never goes back."""
        return time.monotonic()

    def utc(self) -> str:
        """The moment in UTC, ISO 8601 with milliseconds."""
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def label(
    sample: Annotated[Path, typer.Argument(help="What `judgekit sample` wrote.")],
    as_: Annotated[str, typer.Option("--as", help="Your name in the sample's roster.")],
    plain: Annotated[
        bool, typer.Option("--plain", help="Numbered lines instead of a screen, for screen readers.")
    ] = False,
    for_: Annotated[
        str | None, typer.Option("--for", help="Stop after this time at the next item, such as 30m.")
    ] = None,
    lang: Annotated[Literal["auto", "en", "es"], typer.Option(help="Language of the app and the anchors.")] = "auto",
    keys: Annotated[Path | None, typer.Option(help="YAML of your own keys: action: key.")] = None,
    guard: Annotated[int, typer.Option(min=0, max=5000, hidden=True, help="Milliseconds of the item guard.")] = 250,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Show agreement with the others before all are done; this is recorded.")
    ] = False,
) -> None:
    """Label a sample in the terminal. Every key is stored at once; stop and go on whenever you like."""
    from judgekit.files.labels import LabelFile, label_path, read_sample
    from judgekit.labelling.opening import (
        check_events,
        check_roster,
        labels_folder,
        plan_steps,
        rubrics_of,
        sample_hash,
    )
    from judgekit.labelling.session import Session

    seconds = _seconds(for_)
    keymap = _keymap(keys)
    opened = read_sample(sample)
    check_roster(opened, as_, sample)
    rubrics = rubrics_of(opened, sample)
    steps = plan_steps(opened, as_, rubrics, sample)
    folder = labels_folder(opened, sample)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise DiskFailed("the label folder cannot be made", path=folder, why=problem.strerror) from None
    path = label_path(folder, as_)
    language = _language(lang)
    clock = SystemClock()
    on_lines = plain or os.environ.get("TERM") == "dumb" or not (sys.stdout.isatty() and sys.stdin.isatty())
    with _stopped_by_signals(), LabelFile(path, as_) as log:
        check_events(log.events, opened, rubrics, path)
        session = Session(
            annotator=as_,
            steps=steps,
            log=log,
            clock=clock,
            origin={
                "sample": sample_hash(opened),
                "lang": language,
                "view": "plain" if on_lines else "screen",
                **({"reveal": True} if reveal else {}),
            },
            # Lines from a pipe are typed by nobody: there is no hand to protect from its own speed.
            guard=guard / 1000 if not on_lines or sys.stdin.isatty() else 0.0,
            deadline=None if seconds is None else clock.monotonic() + seconds,
        )
        if on_lines:
            from judgekit.labelling.plain import run_plain

            run_plain(session, sys.stdin, sys.stdout, lang=language, keymap=keymap)
        else:
            _run_screen(session, rubrics, language, keymap)


def _run_screen(session: Session, rubrics: Sequence[Rubric], lang: str, keymap: Keymap) -> None:
    from judgekit.labelling.app import run_app
    from judgekit.labelling.desk import Desk

    desk = Desk(session, rubrics, lang=lang, keymap=keymap)
    run_app(desk)
    progress = session.progress
    typer.echo(desk.words["stored_so_far"].format(done=progress.done, total=progress.total))


def _seconds(text: str | None) -> float | None:
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


def _language(choice: str) -> str:
    if choice != "auto":
        return choice
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "es" if value.lower().startswith("es") else "en"
    return "en"


def _keymap(path: Path | None) -> Keymap:
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


_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


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
