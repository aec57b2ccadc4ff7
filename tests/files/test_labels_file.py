"""Label files, samples and keys: nothing acknowledged is lost, nothing edited passes."""

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.errors import AlreadyThere, BadInput, DiskFailed, InUse, UsageProblem
from judgekit.files.chain import GENESIS, ChainFile, head, read_chain
from judgekit.files.disk import Disk
from judgekit.files.labels import (
    LabelFile,
    SampleFile,
    final_labels,
    key_path,
    label_path,
    read_events,
    read_key,
    read_sample,
    write_key,
    write_sample,
)
from judgekit.records import LabelEvent, LabelKey, LabelTask

ROOT = Path(__file__).resolve().parents[2]


def event(task, value=3, kind="score", **other):
    """A decision of Ana's."""
    given = {"dimension": "warmth", "annotator": "ana", "shown_at": "2026-01-05T09:00:00Z", "ms": 1200, **other}
    value = value if kind in {"score", "skip"} else None
    return LabelEvent(
        seq=0, prev_hash="", task_id=task, event=kind, value=value, text_hash="t", rubric_hash="r", **given
    )


@pytest.fixture
def path(tmp_path):
    """Ana's label file."""
    return tmp_path / "ana.jsonl"


def written(path, events):
    """Append events and give back what was written."""
    with LabelFile(path, "ana") as file:
        return [file.append(e) for e in events]


def test_events_come_back_exactly(path):
    """Every kind of event, hostile note included, is read back equal, numbered and chained, from a 0600 file."""
    made = written(
        path,
        [
            event("a", 4),
            event("b", "yes", dimension="clear", shown_first="b"),
            event("c", "unclear", "skip"),
            event("c", kind="note", detail={"text": "\x1b[2J \u202e [/ x \ud800", "seen_to_end": False}),
            event("a", kind="undo"),
        ],
    )
    assert read_events(path) == made
    assert [e.seq for e in made] == [1, 2, 3, 4, 5]
    assert made[0].prev_hash == GENESIS
    assert len({e.prev_hash for e in made}) == 5
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "\x1b" not in path.read_text()
    assert head(path)[0] == 5


def test_a_reopened_file_goes_on(path):
    """A second session appends to the same chain and knows what was decided before."""
    written(path, [event("a")])
    with LabelFile(path, "ana") as file:
        assert [e.task_id for e in file.events] == ["a"]
        file.append(event("b"))
    assert [(e.seq, e.task_id) for e in read_events(path)] == [(1, "a"), (2, "b")]


def edit(path, change):
    """Apply a change to the list of lines."""
    lines = path.read_text().splitlines()
    path.write_text("".join(f"{line}\n" for line in change(lines)))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda x: [x[0].replace('"value": 1', '"value": 5'), *x[1:]], 1),
        (lambda x: [*x[:3], x[3].replace('"value": 4', '"value": 5')], 4),
        (lambda x: [x[0], *x[2:]], 2),
        (lambda x: x[1:], 1),
        (lambda x: [x[0], x[2], x[1], x[3]], 2),
        (lambda x: [*x[:2], x[1], *x[2:]], 3),
        (lambda x: [*x[:2], "", *x[2:]], 3),
        (lambda x: [x[0], x[1][:-30], *x[2:]], 2),
        (lambda x: [x[0], "[]", *x[1:]], 2),
    ],
    ids=["edited", "last edited", "removed", "first removed", "moved", "doubled", "blank", "cut", "foreign"],
)
def test_an_edited_file_is_refused(path, change, line):
    """Whatever is done to the lines, the first one that no longer fits is named, for reading and for appending."""
    written(path, [event(task, value) for value, task in enumerate("abcd", 1)])
    edit(path, change)
    before = path.read_bytes()
    with pytest.raises(BadInput) as caught:
        read_events(path)
    assert caught.value.line == line
    with pytest.raises(BadInput):
        LabelFile(path, "ana")
    assert path.read_bytes() == before


@pytest.mark.parametrize("cut", [1, 2, 40, "all but one"])
def test_a_torn_last_line_costs_no_earlier_one(path, cut):
    """A line cut off anywhere by a crash is set aside; the earlier ones stay and the chain goes on."""
    made = written(path, [event("a"), event("b"), event("c")])
    content = path.read_bytes()
    last = content.splitlines(keepends=True)[-1]
    torn = last[:-2] if cut == "all but one" else last[:cut]
    path.write_bytes(content[: -len(last)] + torn)
    assert read_events(path) == made[:2]
    with LabelFile(path, "ana") as file:
        assert file.torn == torn
        file.append(event("d"))
    assert [e.task_id for e in read_events(path)] == ["a", "b", "d"]
    aside = path.with_name("ana.jsonl.torn")
    assert aside.read_bytes() == torn + b"\n"
    assert stat.S_IMODE(aside.stat().st_mode) == 0o600


def test_zeros_after_a_power_cut_are_torn_too(path):
    """A tail of NUL bytes, as some file systems leave it, costs nothing."""
    made = written(path, [event("a")])
    with path.open("ab") as file:
        file.write(b"\0" * 200)
    assert read_events(path) == made


def test_a_whole_last_line_without_newline_counts(path):
    """An editor or a crash that took only the newline takes no label."""
    made = written(path, [event("a"), event("b")])
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert read_events(path) == made
    with LabelFile(path, "ana") as file:
        assert file.torn == b""
        file.append(event("c"))
    assert [e.task_id for e in read_events(path)] == ["a", "b", "c"]


def test_one_writer_at_a_time(path):
    """A second session of the same annotator is told the first one's process id; another annotator is not hindered."""
    code = (
        "import sys\nfrom judgekit.errors import JudgekitError\nfrom judgekit.files.labels import LabelFile\n"
        "try:\n    LabelFile(sys.argv[1], 'ana')\nexcept JudgekitError as p:\n    print(p); sys.exit(p.exit_code)\n"
    )
    with LabelFile(path, "ana"):
        run = subprocess.run(
            [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
        )
        assert run.returncode == 2, run.stderr
        assert f"process {os.getpid()}" in run.stdout
        assert "ana" in run.stdout
        with pytest.raises(InUse):
            LabelFile(path, "ana")
        LabelFile(path.with_name("karim.jsonl"), "karim").close()
    LabelFile(path, "ana").close()


def test_files_of_other_annotators_are_refused(path):
    """Labels never go into another annotator's file, nor events under another name."""
    written(path, [event("a")])
    with pytest.raises(BadInput, match="another annotator"):
        LabelFile(path, "karim")
    with LabelFile(path, "ana") as file, pytest.raises(BadInput, match="another annotator"):
        file.append(event("a", annotator="karim"))
    assert len(read_events(path)) == 1


def test_a_missing_file_is_said(tmp_path):
    """No label file is an error with the path, not an empty list."""
    with pytest.raises(BadInput, match=r"none\.jsonl"):
        read_events(tmp_path / "none.jsonl")


class BrokenDisk(Disk):
    """Fails at one call, after writing ``part`` bytes of it."""

    def __init__(self, call, part=0, number=errno.ENOSPC):
        self.call, self.part, self.number, self.armed = call, part, number, False

    def _fail(self, call):
        if self.armed and call == self.call:
            self.armed = False
            raise OSError(self.number, os.strerror(self.number))

    def write(self, descriptor, data):
        """Write part of it, then fail."""
        if self.armed and self.call == "write" and self.part:
            os.write(descriptor, data[: self.part])
        self._fail("write")
        return super().write(descriptor, data)

    def fsync(self, descriptor):
        """Fail or flush."""
        self._fail("fsync")
        super().fsync(descriptor)


@pytest.mark.parametrize(
    ("call", "part", "number"),
    [("write", 0, errno.ENOSPC), ("write", 25, errno.ENOSPC), ("write", 10**6, errno.EIO), ("fsync", 0, errno.EIO)],
)
def test_a_failed_append_leaves_the_file_as_it_was(path, call, part, number):
    """Full disk, short write, failed flush: exit 3, no half line, and the same decision can be taken again."""
    disk = BrokenDisk(call, part, number)
    with LabelFile(path, "ana", disk=disk) as file:
        file.append(event("a"))
        before = path.read_bytes()
        disk.armed = True
        with pytest.raises(DiskFailed, match=r"ana\.jsonl") as caught:
            file.append(event("b"))
        assert caught.value.exit_code == 3
        assert path.read_bytes() == before
        assert len(file.events) == 1
        file.append(event("b"))
    assert [e.task_id for e in read_events(path)] == ["a", "b"]


def test_undo_takes_back_one_decision():
    """Undo uncovers the decision before; what stands at the end is one decision for each task and dimension."""
    events = [
        event("a", 1),
        event("b", 2),
        event("a", 3),
        event("a", kind="note"),
        event("a", kind="undo"),
        event("b", kind="undo"),
        event("b", "unclear", "skip"),
        event("c", 5, dimension="quality"),
        event("c", kind="flag"),
    ]
    assert [(e.task_id, e.event, e.value) for e in final_labels(events)] == [
        ("a", "score", 1),
        ("b", "skip", "unclear"),
        ("c", "score", 5),
    ]
    assert final_labels([event("a", 1), event("a", kind="undo")]) == []
    with pytest.raises(BadInput, match="undo"):
        final_labels([event("a", kind="undo")])


def test_annotators_do_not_undo_each_other():
    """Decisions of two annotators on one task are kept apart."""
    events = [event("a", 1), event("a", 2, annotator="karim"), event("a", kind="undo", annotator="karim")]
    assert [(e.annotator, e.value) for e in final_labels(events)] == [("ana", 1)]


KEYS = [
    LabelKey(task_id="a", item="r1", stratum=("f", "t1"), inclusion_probability=0.5),
    LabelKey(task_id="b", item="r2", stratum=("m", "t1"), inclusion_probability=1 / 3),
    LabelKey(task_id="c", item="r1", stratum=("f", "t1"), inclusion_probability=0.5, repeat_of="a"),
]
TASKS = (
    LabelTask(task_id="a", text="Thanks, [PERSON_1] \x1b[2J \ud800", context="Hello?", text_hash="1", lang="en"),
    LabelTask(task_id="b", text="Gracias", context=None, text_hash="2", lang="es"),
    LabelTask(task_id="c", text="Thanks", context=None, text_hash="1", lang="en"),
)
SAMPLE = SampleFile(
    rubric="warmth",
    rubric_hash="r",
    annotators=("ana", "karim"),
    seed=7,
    folder="labels",
    tasks=TASKS,
    assigned={"ana": ("a", "b"), "karim": ("b", "c")},
    extra={"repeats": 0.1},
)


def test_repeats_are_left_out_by_default():
    """Hidden repeats measure agreement with oneself only; a label on an unknown task is refused."""
    keys = {key.task_id: key for key in KEYS}
    events = [event("a", 1), event("c", 2)]
    assert [e.task_id for e in final_labels(events, keys)] == ["a"]
    assert [e.task_id for e in final_labels(events, keys, include_repeats=True)] == ["a", "c"]
    with pytest.raises(BadInput, match="not in the sample"):
        final_labels([event("z", 1)], keys)


def test_sample_and_key_round_trip(tmp_path):
    """Both files come back equal, private, and nothing of the key stands in the sample."""
    path = tmp_path / "sample.jsonl"
    write_sample(path, SAMPLE)
    write_key(key_path(path), KEYS)
    assert read_sample(path) == SAMPLE
    assert read_key(tmp_path / "sample.key.jsonl") == {key.task_id: key for key in KEYS}
    for file in (path, key_path(path)):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    text = path.read_text()
    assert not any(word in text for word in ("stratum", "inclusion", "r1", '"f"', "t1"))
    header = json.loads(text.splitlines()[0])
    assert header["n"] == 3
    assert header["rubric_hash"] == "r"


def test_a_sample_is_not_overwritten(tmp_path):
    """An existing sample stays unless force is given."""
    path = tmp_path / "sample.jsonl"
    path.write_text("mine")
    with pytest.raises(AlreadyThere):
        write_sample(path, SAMPLE)
    assert path.read_text() == "mine"
    write_sample(path, SAMPLE, force=True)
    assert read_sample(path) == SAMPLE


def test_damaged_samples_and_keys_are_explained(tmp_path):
    """Missing and doubled tasks, unknown fields, wrong files: each names its file."""
    path = tmp_path / "sample.jsonl"
    write_sample(path, SAMPLE)
    lines = path.read_text().splitlines()
    damaged = {
        "missing": lines[:-1],
        "doubled": [*lines[:-1], lines[1]],
        "header": lines[1:],
        "empty": [],
        "unknown": [lines[0], lines[1][:-1] + ', "group": "f"}', *lines[2:]],
        "no text": [lines[0], '{"task_id": "a"}', *lines[2:]],
        "list": [lines[0], "[1]", *lines[2:]],
    }
    for name, content in damaged.items():
        bad = tmp_path / f"{name}.jsonl"
        bad.write_text("\n".join(content))
        with pytest.raises(BadInput) as caught:
            read_sample(bad)
        assert caught.value.path == str(bad), name
    write_key(key_path(path), KEYS)
    with pytest.raises(BadInput, match="not a sample"):
        read_sample(key_path(path))
    with pytest.raises(BadInput, match="not a sample's key"):
        read_key(path)
    with pytest.raises(BadInput):
        read_sample(tmp_path / "none.jsonl")


@pytest.mark.parametrize("name", ["../ana", "a/b", "", ".hidden", "a b", "x" * 65, "ana\n", "C:ana"])
def test_annotators_have_names_that_files_can_have(name):
    """Names that would leave the folder or make no file are refused."""
    with pytest.raises(UsageProblem):
        label_path("labels", name)


def test_chain_refuses_a_changed_head(tmp_path):
    """Lines cut off at the end fit, but the noted head tells."""
    path = tmp_path / "c.jsonl"
    with ChainFile(path, remedy="-") as file:
        for n in range(3):
            file.append({"n": n})
    noted = head(path)
    edit(path, lambda lines: lines[:-1])
    assert [link.data["n"] for link in read_chain(path, remedy="-").links] == [0, 1]
    assert head(path) != noted
