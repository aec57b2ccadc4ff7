"""Goals R2 and R12: a file appears whole or not at all, and nothing of the user's is overwritten."""

from __future__ import annotations

import enum
import errno
import json
import os
import stat
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from judgekit.errors import AlreadyThere, BadInput, DiskFailed, JudgekitError
from judgekit.files.atomic import (
    AtomicFile,
    Disk,
    JsonlWriter,
    check_output,
    dumps,
    iter_jsonl,
    read_json,
    read_jsonl,
    to_jsonable,
    write_bytes,
    write_json,
    write_jsonl,
    write_text,
)
from judgekit.files.spreadsheet import write_csv
from judgekit.records import Interval, Scored, Undefined

OLD = b"the old file\n"


class FaultyDisk(Disk):
    """A disk on which the call number ``at`` fails (or ends the process); without ``at`` it only counts."""

    def __init__(self, at: int | None = None, code: int = errno.EIO, *, dies: bool = False) -> None:
        self.at = at
        self.code = code
        self.dies = dies
        self.calls: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        method = super().__getattribute__(name)
        if name.startswith("_") or not callable(method):
            return method

        def called(*args: Any) -> Any:
            number = len(self.calls)
            self.calls.append(name)
            if number == self.at:
                if self.dies:
                    os._exit(9)
                if name == "write":  # some of it arrives before the disk is full
                    method(args[0], args[1][: max(1, len(args[1]) // 2)])
                raise OSError(self.code, os.strerror(self.code))
            return method(*args)

        return called


def big_rows() -> list[dict[str, Any]]:
    """Rows of about 900 kB in all, so that the buffer is flushed several times."""
    return [{"id": str(n), "text": "x" * 3000} for n in range(300)]


WRITERS: dict[str, Callable[..., object]] = {
    "bytes": lambda path, **o: write_bytes(path, b"new" * 1000, **o),
    "text": lambda path, **o: write_text(path, "né\n", **o),
    "json": lambda path, **o: write_json(path, {"a": 1}, **o),
    "jsonl": lambda path, **o: write_jsonl(path, big_rows(), **o),
    "csv": lambda path, **o: write_csv(path, ["id", "text"], big_rows(), **o),
}


def sites(writer: str, folder: Path, *, force: bool) -> list[str]:
    """The operating system calls of an unfaulted run."""
    path = folder / "count"
    if force:
        path.write_bytes(OLD)
    disk = FaultyDisk()
    WRITERS[writer](path, force=force, disk=disk)
    path.unlink()
    return disk.calls


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("writer", WRITERS)
def test_a_fault_at_any_site_leaves_old_or_new(writer: str, force: bool, code: int, tmp_path: Path) -> None:
    """Each call in turn fails: exit 3 that names the file, old content or new, no rubbish, and the next run works."""
    calls = sites(writer, tmp_path, force=force)
    assert {"create", "write", "fsync", "close", "fsync_folder"} <= set(calls)
    reference = tmp_path / "reference"
    WRITERS[writer](reference)
    new = reference.read_bytes()
    for at, call in enumerate(calls):
        folder = tmp_path / f"{at}"
        folder.mkdir()
        path = folder / "out"
        if force:
            path.write_bytes(OLD)
        disk = FaultyDisk(at, code)
        if call == "unlink":  # of the second name, when the file is complete: nothing to report
            WRITERS[writer](path, force=force, disk=disk)
            assert path.read_bytes() == new
            continue
        with pytest.raises(DiskFailed) as caught:
            WRITERS[writer](path, force=force, disk=disk)
        assert caught.value.exit_code == 3
        assert str(path) in str(caught.value)
        assert caught.value.remedy
        if force:
            renamed = "replace" in calls[:at]
            assert path.read_bytes() == (new if renamed else OLD)
            assert [entry.name for entry in folder.iterdir()] == ["out"]
        else:
            assert list(folder.iterdir()) == []
        WRITERS[writer](path, force=force)
        assert path.read_bytes() == new


@pytest.mark.parametrize("force", [False, True])
def test_a_kill_at_any_site_leaves_old_or_new(force: bool, tmp_path: Path) -> None:
    """The process ends at each call in turn: the name holds the old file, nothing, or the whole new one."""
    calls = sites("jsonl", tmp_path, force=force)
    whole = tmp_path / "whole"
    write_jsonl(whole, big_rows())
    for at in range(len(calls)):
        path = tmp_path / f"out{at}"
        if force:
            path.write_bytes(OLD)
        child = os.fork()
        if child == 0:
            try:
                write_jsonl(path, big_rows(), force=force, disk=FaultyDisk(at, dies=True))
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 9
        if path.exists():
            assert path.read_bytes() in ({OLD, whole.read_bytes()} if force else {whole.read_bytes()})
        write_jsonl(path, big_rows(), force=True)
        assert path.read_bytes() == whole.read_bytes()


def test_short_writes_are_continued(tmp_path: Path) -> None:
    """A disk that takes seven bytes at a time still gets the whole file."""

    class Slow(Disk):
        def write(self, descriptor: int, data: memoryview) -> int:
            return super().write(descriptor, data[:7])

    write_bytes(tmp_path / "a", bytes(range(256)), disk=Slow())
    assert (tmp_path / "a").read_bytes() == bytes(range(256))


def test_a_disk_that_takes_nothing_is_a_failure(tmp_path: Path) -> None:
    """A write of zero bytes must not loop for ever."""

    class Full(Disk):
        def write(self, descriptor: int, data: memoryview) -> int:
            return 0

    with pytest.raises(DiskFailed):
        write_bytes(tmp_path / "a", b"x", disk=Full())
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_stays(tmp_path: Path) -> None:
    """Without force an output that exists is refused with exit 2 and not touched."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(OLD)
    for write in WRITERS.values():
        with pytest.raises(AlreadyThere) as caught:
            write(path)
        assert caught.value.exit_code == 2
        assert "--force" in str(caught.value)
    assert path.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_made_meanwhile_stays(tmp_path: Path) -> None:
    """A file that another process makes while this one writes is not overwritten."""
    path = tmp_path / "a"
    with pytest.raises(AlreadyThere), AtomicFile(path) as file:  # noqa: PT012 - leaving the block is what raises
        file.write(b"mine")
        path.write_bytes(OLD)
    assert path.read_bytes() == OLD
    assert list(tmp_path.iterdir()) == [path]


def test_one_of_many_writers_wins(tmp_path: Path) -> None:
    """Eight threads write one name at once without force: one file, whole, and seven refusals."""
    path = tmp_path / "a"
    outcomes: list[str] = []
    barrier = threading.Barrier(8)

    def work(n: int) -> None:
        barrier.wait()
        try:
            write_bytes(path, bytes([n]) * 100_000)
            outcomes.append("written")
        except AlreadyThere:
            outcomes.append("refused")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused"] * 7 + ["written"]
    assert len(set(path.read_bytes())) == 1
    assert path.stat().st_size == 100_000
    assert list(tmp_path.iterdir()) == [path]


def test_where_links_are_not_possible(tmp_path: Path) -> None:
    """On a file system without hard links the file still appears, and an existing one still stays."""

    class NoLinks(Disk):
        def link(self, source: Path, target: Path) -> None:
            raise OSError(errno.EOPNOTSUPP, "no links")

    write_bytes(tmp_path / "a", b"x", disk=NoLinks())
    assert (tmp_path / "a").read_bytes() == b"x"
    with pytest.raises(AlreadyThere), AtomicFile(tmp_path / "b", disk=NoLinks()) as file:  # noqa: PT012 - as above
        file.write(b"mine")
        (tmp_path / "b").write_bytes(OLD)
    assert (tmp_path / "b").read_bytes() == OLD
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("way", ["same", "relative", "link", "hard link"])
def test_the_output_is_never_an_input(way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Force or not, a command does not write over what it reads, whatever the path looks like."""
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "in.csv"
    source.write_bytes(OLD)
    output: Path = source
    if way == "relative":
        output = Path("x/../in.csv")
        (tmp_path / "x").mkdir()
    elif way == "link":
        output = tmp_path / "out.csv"
        output.symlink_to(source)
    elif way == "hard link":
        output = tmp_path / "out.csv"
        output.hardlink_to(source)
    for force in (False, True):
        with pytest.raises(BadInput, match="input") as caught:
            write_text(output, "x", force=force, inputs=[source])
        assert caught.value.exit_code == 2
    assert source.read_bytes() == OLD


def test_an_output_that_will_be_an_input_is_refused_before_it_exists(tmp_path: Path) -> None:
    """Two paths to one name that does not exist yet are still the same file."""
    with pytest.raises(BadInput, match="input"):
        check_output(tmp_path / "a", inputs=[tmp_path / "." / "a"])


def test_symbolic_links(tmp_path: Path) -> None:
    """A link is refused without force, dangling or not; with force its target is replaced and the link stays."""
    target = tmp_path / "target"
    link = tmp_path / "link"
    link.symlink_to(target)
    with pytest.raises(AlreadyThere):
        write_text(link, "x")
    assert not target.exists()
    target.write_bytes(OLD)
    with pytest.raises(AlreadyThere):
        write_text(link, "x")
    assert target.read_bytes() == OLD
    write_text(link, "new", force=True)
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_force_replaces_no_folder_pipe_or_device(tmp_path: Path) -> None:
    """Only regular files are replaced."""
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "folder", tmp_path / "pipe", Path(os.devnull)):
        with pytest.raises(BadInput, match="regular"):
            write_text(path, "x", force=True)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """A typing error in the folder's name makes no folder."""
    with pytest.raises(BadInput, match="folder does not exist"):
        write_text(tmp_path / "no" / "a", "x")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_the_right_to_write_is_exit_2(tmp_path: Path) -> None:
    """Nothing was done and nothing can be resumed, so a read-only folder is bad input, not an unfinished run."""
    for code in (errno.EACCES, errno.EROFS, errno.EPERM):
        with pytest.raises(JudgekitError) as caught:
            write_text(tmp_path / "a", "x", disk=FaultyDisk(0, code))
        assert caught.value.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_permissions(tmp_path: Path) -> None:
    """Private files are 0600 from their first byte; a replaced file keeps the permissions it had."""
    old = os.umask(0o022)
    try:
        write_text(tmp_path / "private", "x", private=True)
        write_text(tmp_path / "public", "x")
        write_text(tmp_path / "kept", "x")
        (tmp_path / "kept").chmod(0o640)
        write_text(tmp_path / "kept", "y", force=True)
        write_text(tmp_path / "public", "y", private=True, force=True)
    finally:
        os.umask(old)
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in tmp_path.iterdir()}
    assert modes == {"private": 0o600, "public": 0o600, "kept": 0o640}


def test_an_exception_leaves_nothing(tmp_path: Path) -> None:
    """A stage that fails, or is interrupted, half way through its output leaves no output."""
    for problem in (ZeroDivisionError, KeyboardInterrupt):
        with pytest.raises(problem), JsonlWriter(tmp_path / "a.jsonl") as out:  # noqa: PT012 - as above
            out.write({"a": 1})
            raise problem
    assert list(tmp_path.iterdir()) == []


def test_a_value_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    """A nan is refused before the file is made, or discards it."""
    with pytest.raises(ValueError, match="nan"):
        write_json(tmp_path / "a.json", {"kappa": float("nan")})
    with pytest.raises(ValueError, match="nan"):
        write_jsonl(tmp_path / "a.jsonl", [{"a": 1}, {"a": np.float64("nan")}])
    with pytest.raises(TypeError):
        write_jsonl(tmp_path / "a.jsonl", [{"a": object()}])
    assert list(tmp_path.iterdir()) == []


def test_the_jsonl_file_appears_at_the_end(tmp_path: Path) -> None:
    """Nobody can read half of it."""
    path = tmp_path / "a.jsonl"
    with JsonlWriter(path) as out:
        for row in big_rows():
            out.write(row)
        assert not path.exists()
    assert out.count == 300
    assert read_jsonl(path) == big_rows()


class Colour(enum.Enum):
    """An enum, for the test."""

    RED = "red"


@dataclass(frozen=True)
class Inner:
    """A record, for the test."""

    values: tuple[Any, ...]


def test_to_jsonable() -> None:
    """Every kind of value in the records has one form in JSON, and missing numbers stay missing."""
    assert to_jsonable(Inner((1, None, Undefined("few", "n = 1"), True))) == {
        "values": [1, None, {"undefined": "few", "detail": "n = 1"}, True]
    }
    assert to_jsonable(Interval(float("-inf"), float("inf"), 0.95, "t")) == {
        "low": "-inf",
        "high": "inf",
        "level": 0.95,
        "method": "t",
    }
    assert to_jsonable({1: np.int64(3), Colour.RED: np.float32(0.5), "b": np.bool_(True)}) == {
        "1": 3,
        "red": 0.5,
        "b": True,
    }
    assert to_jsonable(np.arange(4).reshape(2, 2)) == [[0, 1], [2, 3]]
    assert to_jsonable({"b", "a"}) == ["a", "b"]
    assert to_jsonable(Path("a/b")) == "a/b"
    assert to_jsonable(datetime(2026, 3, 1, tzinfo=UTC)) == "2026-03-01T00:00:00+00:00"
    assert to_jsonable(Scored(3.0, distribution={"3": 1.0}))["distribution"] == {"3": 1.0}
    assert type(to_jsonable(np.str_("x"))) is str


@pytest.mark.parametrize(
    "value",
    [float("nan"), np.float64("nan"), np.array([1.0, np.nan]), {"a": [float("nan")]}, {1: "a", "1": "b"}],
)
def test_to_jsonable_refuses_values(value: object) -> None:
    """A nan, wherever it hides, and two keys that would become one."""
    with pytest.raises(ValueError, match=r"nan|two keys"):
        to_jsonable(value)


@pytest.mark.parametrize("value", [object(), b"bytes", Inner, {(1, 2): 3}, {1.5: 1}, 1j])
def test_to_jsonable_refuses_types(value: object) -> None:
    """What has no one form in JSON is refused instead of guessed."""
    with pytest.raises(TypeError):
        to_jsonable(value)


def test_json_is_inert_in_a_terminal_and_exact(tmp_path: Path) -> None:
    """Escape sequences, C1, bidirectional marks and lone surrogates are escaped and come back."""
    text = "a\x1b[2J\x9b31m\x7f\u202egnp\u2066\u200b\u2028\ud83dé😀\0\ufeff"
    for write, read in ((write_json, read_json), (lambda p, v: write_jsonl(p, [v]), lambda p: read_jsonl(p)[0])):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        write(path, {text: text})
        assert read(path) == {text: text}
        shown = path.read_text(encoding="utf-8")
        assert not set("\x1b\x9b\x7f\u202e\u2066\u200b\u2028\0\ufeff") & set(shown)
        assert "é😀" in shown
    assert json.loads(dumps({text: 1})) == {text: 1}


def test_json_bytes_do_not_depend_on_order() -> None:
    """Equal mappings and sets give equal bytes."""
    assert dumps({"b": 1, "a": {"d": 1, "c": {3, 1, 2}}}) == dumps({"a": {"c": {2, 3, 1}, "d": 1}, "b": 1})
    assert dumps({"a": 1}, indent=2) == '{\n  "a": 1\n}'


def test_jsonl_with_a_mark_and_blank_lines(tmp_path: Path) -> None:
    """A byte order mark, Windows line ends, blank lines and a last line without an end are read with right lines."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n\r\n  \n{"a": 2}')
    assert list(iter_jsonl(path)) == [(1, {"a": 1}), (4, {"a": 2})]


def test_text_with_a_lone_surrogate_is_written(tmp_path: Path) -> None:
    """A report that quotes broken Unicode does not fail on it."""
    write_text(tmp_path / "a", "x\ud83dy\r\n")
    assert (tmp_path / "a").read_bytes() == b"x\\ud83dy\r\n"
