"""Seals: decisions written beforehand, and every later edit in sight."""

import json
import stat

import pytest

from judgekit.errors import BadInput, InUse, RefusedMetric
from judgekit.files.chain import ChainFile
from judgekit.files.seal import changes, read_seals, seal, sealed_before

FIRST = {"threshold": {"kind": "absolute", "kappa": 0.6}, "primary": ["warmth"], "margins": {"warmth": 0.25}}


@pytest.fixture
def path(tmp_path):
    """Where the seals are."""
    return tmp_path / "seals.jsonl"


def make(path, content, now, **other):
    """Seal with the rest filled in."""
    given = {"study": "s", "study_hash": "h", "decided_by": "Ana", "decided_on": "2026-01-05", **other}
    return seal(path, content=content, now=now, **given)


def test_the_first_seal_is_read_back(path):
    """A seal comes back as it was made, from a private file."""
    made = make(path, FIRST, "2026-01-05T09:00:00Z")
    assert read_seals(path) == [made]
    assert (made.seq, made.content, made.decided_by) == (1, FIRST, "Ana")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_same_decisions_are_sealed_once(path):
    """Sealing the same content again, keys in another order, adds nothing and returns the first seal."""
    made = make(path, FIRST, "2026-01-05T09:00:00Z")
    again = make(path, dict(reversed(FIRST.items())), "2026-02-05T09:00:00Z", study_hash="other")
    assert again == made
    assert len(read_seals(path)) == 1


def test_later_edits_are_listed(path):
    """Changed, added and removed keys appear with both values and their time, in order."""
    make(path, FIRST, "2026-01-05T09:00:00Z")
    second = {"threshold": {"kind": "absolute", "kappa": 0.5}, "primary": ["warmth", "tone"], "margins": {"tone": 0.1}}
    make(path, second, "2026-02-01T09:00:00Z")
    make(path, FIRST, "2026-03-01T09:00:00Z", decided_by="Karim")
    found = [(c.key, c.kind, c.before, c.after, c.when, c.seq) for c in changes(read_seals(path))]
    feb, mar = "2026-02-01T09:00:00Z", "2026-03-01T09:00:00Z"
    assert found == [
        ("margins.tone", "added", None, 0.1, feb, 2),
        ("margins.warmth", "removed", 0.25, None, feb, 2),
        ("primary", "changed", ["warmth"], ["warmth", "tone"], feb, 2),
        ("threshold.kappa", "changed", 0.6, 0.5, feb, 2),
        ("decided.by", "changed", "Ana", "Karim", mar, 3),
        ("margins.tone", "removed", 0.1, None, mar, 3),
        ("margins.warmth", "added", None, 0.25, mar, 3),
        ("primary", "changed", ["warmth", "tone"], ["warmth"], mar, 3),
        ("threshold.kappa", "changed", 0.5, 0.6, mar, 3),
    ]
    assert changes(read_seals(path)[:1]) == changes([]) == []


@pytest.mark.parametrize(("before", "after"), [(1, True), (0, False), (None, "None"), ({}, None), (1, "1")])
def test_values_that_python_takes_for_equal_are_edits(path, before, after):
    """A threshold that became a switch or a text is an edit."""
    make(path, {"x": before}, "2026-01-05T09:00:00Z")
    make(path, {"x": after}, "2026-01-06T09:00:00Z")
    assert [c.key for c in changes(read_seals(path))] == ["x"]


def edited(lines, n, **fields):
    """Line ``n`` with other values."""
    data = {**json.loads(lines[n]), **fields}
    return [*lines[:n], json.dumps(data), *lines[n + 1 :]]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda x: edited(x, 0, content={"kappa": 0.1}), 1),
        (lambda x: edited(x, 2, content={"kappa": 0.1}), 3),
        (lambda x: edited(x, 0, sealed_at="2020-01-01T00:00:00Z"), 1),
        (lambda x: edited(x, 1, decided_by="Nobody"), 2),
        (lambda x: x[1:], 1),
        (lambda x: [x[0], x[2]], 2),
        (lambda x: [x[1], x[0], x[2]], 1),
        (lambda x: ["{}", *x], 1),
        (lambda x: [x[0][:50], *x[1:]], 1),
    ],
)
def test_an_edited_seal_refuses_every_judged_metric(path, change, line):
    """Whatever is done to the file: exit 5, the line and a remedy, for reading and for sealing again."""
    for month in (1, 2, 3):
        make(path, {"kappa": 0.1 * month + 0.3}, f"2026-0{month}-05T09:00:00Z")
    path.write_text("".join(f"{text}\n" for text in change(path.read_text().splitlines())))
    before = path.read_bytes()
    with pytest.raises(RefusedMetric) as caught:
        read_seals(path)
    assert caught.value.exit_code == 5
    assert caught.value.line == line
    assert "restore seals.jsonl" in str(caught.value)
    with pytest.raises(RefusedMetric):
        make(path, {"kappa": 0.9}, "2026-04-05T09:00:00Z")
    assert path.read_bytes() == before


def test_a_well_chained_line_of_another_kind_is_refused(path):
    """A line with the right hashes that is no seal does not pass for one."""
    with ChainFile(path, remedy="-") as file:
        file.append({"study": "s", "seq": 1})
    with pytest.raises(RefusedMetric, match="not the seal"):
        read_seals(path)


def test_another_study_cannot_use_the_file(path):
    """Seals of one study say nothing about another."""
    make(path, FIRST, "2026-01-05T09:00:00Z")
    with pytest.raises(RefusedMetric, match="another study"):
        make(path, FIRST, "2026-01-06T09:00:00Z", study="other")


def test_which_seal_was_in_force(path):
    """The seal in force at a moment is the last one made by then, in whatever zone the time is written."""
    for month in (1, 3):
        make(path, {"kappa": 0.1 * month + 0.3}, f"2026-0{month}-05T09:00:00Z")
    seals = read_seals(path)
    assert sealed_before(seals, "2026-01-05T08:59:59Z") is None
    assert sealed_before(seals, "2026-01-05T09:00:00.000") == seals[0]
    assert sealed_before(seals, "2026-03-05T09:59:59+01:00") == seals[0]
    assert sealed_before(seals, "2026-03-05T10:00:00+01:00") == seals[1]
    assert sealed_before([], "2026-01-05T09:00:00Z") is None
    with pytest.raises(BadInput, match="not a time"):
        sealed_before(seals, "yesterday")


def test_a_torn_seal_is_taken_back(path):
    """A seal cut off by a crash was never made; the one before it holds, and sealing works again."""
    first = make(path, FIRST, "2026-01-05T09:00:00Z")
    with path.open("a") as file:
        file.write('{"study": "s", "conte')
    assert read_seals(path) == [first]
    second = make(path, {"kappa": 0.7}, "2026-01-06T09:00:00Z")
    assert read_seals(path) == [first, second]


def test_two_processes_do_not_seal_at_once(path):
    """While one process seals, another is told so."""
    with ChainFile(path, remedy="-"), pytest.raises(InUse):
        make(path, FIRST, "2026-01-05T09:00:00Z")
    assert make(path, FIRST, "2026-01-05T09:00:00Z").seq == 1


def test_no_seal_yet(path):
    """A study without seals has none; reading makes no file."""
    assert read_seals(path) == []
    assert not path.exists()
