"""Private folders, run folders that no two runs share, and the lock that names its holder."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from judgekit.errors import BadInput, DiskFailed, InUse
from judgekit.files.disk import Disk
from judgekit.files.folders import latest_run, list_runs, lock, new_run_folder, private_folder, study_folder

NOW = datetime(2026, 3, 1, 12, 0, 0, 5999, tzinfo=UTC)
DIGEST = "abcdef0123"


def mode(path: Path) -> int:
    """Permission bits."""
    return stat.S_IMODE(path.stat().st_mode)


def test_private_folder(tmp_path: Path) -> None:
    """A private folder is 0700 and ignored by git, also when it was there before with wider permissions."""
    made = private_folder(tmp_path / "a" / "b")
    assert mode(made) == 0o700
    assert (made / ".gitignore").read_text() == "*\n"
    wide = tmp_path / "wide"
    wide.mkdir(mode=0o755)
    (wide / "kept").write_text("x")
    (wide / ".gitignore").write_text("# the user's own\n")
    assert mode(private_folder(wide)) == 0o700
    assert (wide / "kept").exists()
    assert (wide / ".gitignore").read_text() == "# the user's own\n"


def test_a_full_disk_leaves_no_half_ignore_file(tmp_path: Path) -> None:
    """When the ignore file cannot be written it is not there at all, and the next call writes it."""

    class Full(Disk):
        def write(self, descriptor: int, data: memoryview) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(DiskFailed, match="could not be written"):
        private_folder(tmp_path / "a", disk=Full())
    assert list((tmp_path / "a").iterdir()) == []
    assert (private_folder(tmp_path / "a") / ".gitignore").read_text() == "*\n"


def test_private_folder_refuses_a_file(tmp_path: Path) -> None:
    """A file in the way is named, not replaced."""
    (tmp_path / "a").write_text("x")
    for path in (tmp_path / "a", tmp_path / "a" / "b"):
        with pytest.raises(BadInput, match="in the way"):
            private_folder(path)
    assert (tmp_path / "a").read_text() == "x"


def test_study_folder(tmp_path: Path) -> None:
    """The folder stands beside the study and both of its levels are private."""
    folder = study_folder(tmp_path / "study.yaml", "support-names")
    assert folder == tmp_path / ".judgekit" / "support-names"
    assert mode(folder) == mode(folder.parent) == 0o700
    assert study_folder(tmp_path / "study.yaml", "support-names") == folder


@pytest.mark.parametrize("name", ["", "..", ".hidden", "a/b", "../x", "a\nb", "a\0b", "x" * 101, "é", "-rf"])
def test_hostile_study_names(name: str, tmp_path: Path) -> None:
    """No study name leads out of the folder or hides."""
    with pytest.raises(BadInput):
        study_folder(tmp_path / "study.yaml", name)
    assert list(tmp_path.iterdir()) == []


def test_run_folder_name(tmp_path: Path) -> None:
    """The name has the study, UTC to the millisecond (cut, not rounded) and six digits of the hash."""
    base = tmp_path / "runs"
    there = NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))
    folder = new_run_folder(base, "demo", there, DIGEST)
    assert folder.name == "demo-20260301T120000.005Z-abcdef"
    assert mode(folder) == 0o700
    assert (base / ".gitignore").exists()
    assert new_run_folder(base, "demo", NOW, DIGEST).name == "demo-20260301T120000.005Z-abcdef-2"
    assert [run.name[-2:] for run in list_runs(base)] == ["ef", "-2"]


def test_run_folder_needs_a_time_zone_and_a_hash(tmp_path: Path) -> None:
    """A local time without a zone would sort runs wrongly."""
    with pytest.raises(ValueError, match="time zone"):
        new_run_folder(tmp_path, "demo", NOW.replace(tzinfo=None), DIGEST)
    for digest in ("abc", "zzzzzz", "../../"):
        with pytest.raises(ValueError, match="hexadecimal"):
            new_run_folder(tmp_path, "demo", NOW, digest)


def test_runs_of_one_millisecond_are_distinct(tmp_path: Path) -> None:
    """Sixteen runs started at once get sixteen folders."""
    made: list[Path] = []
    barrier = threading.Barrier(16)

    def work() -> None:
        barrier.wait()
        made.append(new_run_folder(tmp_path / "runs", "demo", NOW, DIGEST))

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 16
    assert len(list_runs(tmp_path / "runs")) == 16


def test_latest_run(tmp_path: Path) -> None:
    """The latest run is by start time, then by suffix as a number; names that only look like runs are passed over."""
    base = tmp_path / "runs"
    assert latest_run(base) is None
    for milliseconds, digest in ((5, "ffffff"), (1, "eeeeee"), (9, "000000")):
        new_run_folder(base, "demo", NOW.replace(microsecond=milliseconds * 1000), digest)
    for _ in range(11):
        last = new_run_folder(base, "demo", NOW.replace(microsecond=9000), "000000")
    new_run_folder(base, "demo-b", NOW.replace(year=2027), DIGEST)
    (base / "zz-20990101T000000.000Z-abcdef").write_text("a file")
    (base / "demo-20990101T000000.000Z-abcdefg").mkdir()
    (base / "demo-2099").mkdir()
    assert latest_run(base, "demo") == last
    assert last.name.endswith("-12")
    assert latest_run(base) == base / "demo-b-20270301T120000.005Z-abcdef"
    assert latest_run(base, "nobody") is None
    assert latest_run(base / "demo-2099") is None


def test_lock_names_its_holder(tmp_path: Path) -> None:
    """A second process is told who holds the lock, and the lock ends with its holder even when that is killed."""
    code = (
        "import sys; from judgekit.files.folders import lock\n"
        "with lock(sys.argv[1]): print('held', flush=True); sys.stdin.read()"
    )
    target = tmp_path / "run"
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(target)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InUse) as caught, lock(target):
            pass
        assert str(holder.pid) in str(caught.value)
        assert caught.value.exit_code == 2
        assert str(os.getpid()) not in str(caught.value.seen)
    finally:
        holder.kill()
        holder.communicate()
    with lock(target) as held:
        assert held.held
