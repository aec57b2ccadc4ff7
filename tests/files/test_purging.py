"""What `judgekit purge` finds and removes, and what it leaves."""

import fcntl
import json
from datetime import UTC, datetime

import pytest

from judgekit.files.folders import run_started
from judgekit.files.ledger import Ledger
from judgekit.files.manifest import file_sha256
from judgekit.study import load_study

STUDY = """
study: letters
data: {replies: replies.csv}
rubrics: {warmth: {rubric: warmth}}
labels: {annotators: [ana]}
"""


@pytest.fixture
def stored(tmp_path):
    """A study with two runs, a ledger, a sample, labels and seals, beside files of the user's own."""
    (tmp_path / "study.yaml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "replies.csv").write_text("id,text\n1,Hello\n", encoding="utf-8")
    for name in (
        "letters-20200101T000000.000Z-abcdef",
        "letters-20990101T000000.000Z-abcdef",
        "other-20200101T000000.000Z-abcdef",
        "my notes",
    ):
        (tmp_path / "runs" / name).mkdir(parents=True)
        (tmp_path / "runs" / name / "blinded.jsonl").write_text("{}\n", encoding="utf-8")
    private = tmp_path / ".judgekit" / "letters"
    private.mkdir(parents=True)
    with Ledger.open(private / "ledger.sqlite"):
        pass
    (private / "seals.jsonl").write_text("{}\n", encoding="utf-8")
    labels = tmp_path / "labels"
    labels.mkdir()
    for name in ("letters.sample.jsonl", "letters.sample.key.jsonl", "ana.jsonl", "notes.jsonl", "README.md"):
        (labels / name).write_text("{}\n", encoding="utf-8")
    return tmp_path


def names(folder):
    """Every path below a folder, without locks and what SQLite leaves beside a database that was read."""
    return {
        str(p.relative_to(folder))
        for p in folder.rglob("*")
        if p.is_file() and not p.name.startswith(".") and not p.name.endswith(("-wal", "-shm"))
    }


def test_by_age_goes_what_is_old_of_this_study_only(stored, kit):
    """Old runs go; new runs, other studies' runs, labels and seals stay."""
    before = names(stored)
    said = kit.command("purge", stored, "--older-than", "30", "--yes", "--json")
    assert said.code == 0
    assert [row["kind"] for row in said.json["removed"]] == ["run"]
    assert before - names(stored) == {"runs/letters-20200101T000000.000Z-abcdef/blinded.jsonl"}


def test_all_takes_everything_of_the_study_and_nothing_else(stored, kit):
    """The user's own files, other studies and strangers in the folders stay."""
    kit.command("purge", stored, "--all", "--yes")
    assert names(stored) == {
        "study.yaml",
        "replies.csv",
        "runs/my notes/blinded.jsonl",
        "runs/other-20200101T000000.000Z-abcdef/blinded.jsonl",
        "labels/notes.jsonl",
        "labels/README.md",
    }


def test_collected_replies_and_their_prompts_go_and_edited_ones_stay(stored, kit):
    """By age replies and manifest, with --all the prompts too; another study's, edited and the user's own files stay."""
    probe = stored / "probe"
    probe.mkdir()
    row = {"turns": [], "prompt_hash": "h", "template_hash": "h", "position": 1}
    (probe / "prompts.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    for stem, study in {"replies": "letters", "edited": "letters", "others": "other"}.items():
        for name in (f"{stem}.jsonl", f"{stem}.partial.jsonl"):
            (probe / name).write_text("{}\n", encoding="utf-8")
        said = {"format": "judgekit collection 1", "study": study, "prompts": {"sha256": "0"},
                "replies_sha256": file_sha256(probe / f"{stem}.jsonl"),
                "when": {"started": "2020-01-01T00:00:00.000+00:00"}}  # fmt: skip
        (probe / f"{stem}.collection.json").write_text(json.dumps(said), encoding="utf-8")
    (probe / "edited.jsonl").write_text('{"mine": 1}\n', encoding="utf-8")
    for name in ("notes.jsonl", "strange.collection.json"):
        (probe / name).write_text("[", encoding="utf-8")
    assert kit.command("purge", stored, "--older-than", "30", "--yes").code == 0
    left = {"others.jsonl", "others.partial.jsonl", "others.collection.json", "edited.jsonl", "notes.jsonl",
            "strange.collection.json"}  # fmt: skip
    assert names(probe) == left | {"prompts.jsonl"}
    said = kit.command("purge", stored, "--all", "--yes")
    assert (said.code, names(probe), "edited.jsonl, notes.jsonl" in said.err) == (0, left, True)


def test_what_a_command_on_files_left_goes_by_its_folder(stored, kit):
    """Ledgers and secret of .judgekit/NAME; a study's folder is refused, and so is a link."""
    adhoc = stored / ".judgekit" / "b-swaptest"
    adhoc.mkdir()
    with Ledger.open(adhoc / "decide.sqlite"):
        pass
    (adhoc / "secret").write_text("s", encoding="utf-8")
    said = kit.command("purge", adhoc, "--yes", "--json")
    assert (said.code, len(said.json["removed"]), names(adhoc)) == (0, 2, set())
    assert kit.command("purge", stored / ".judgekit" / "letters", "--yes").code == 2
    (stored / ".judgekit" / "link").symlink_to(stored / ".judgekit" / "letters")
    assert kit.command("purge", stored / ".judgekit" / "link", "--yes").code == 2
    assert ".judgekit/letters/seals.jsonl" in names(stored)


def test_raters_files_stay_when_another_study_s_sample_is_there(stored, kit):
    """They may hold that study's labels."""
    (stored / "labels" / "mail.sample.jsonl").write_text("{}\n", encoding="utf-8")
    said = kit.command("purge", stored, "--all", "--yes")
    assert "labels/ana.jsonl" in names(stored)
    assert "mail.sample.jsonl" in said.err


def test_one_run_by_its_folder(stored, kit):
    """`purge RUN` removes that run; a folder that is no run is refused, a link is not followed."""
    run = stored / "runs" / "letters-20990101T000000.000Z-abcdef"
    assert kit.command("purge", run, "--yes").code == 0
    assert not run.exists()
    assert kit.command("purge", stored / "runs" / "my notes", "--yes").code == 2
    run.symlink_to(stored / "runs" / "my notes")
    assert kit.command("purge", run, "--yes").code == 2
    assert "runs/my notes/blinded.jsonl" in names(stored)


def test_nothing_goes_without_a_word(stored, kit):
    """A dry run, no terminal to confirm at, and no age at all: nothing is removed."""
    before = names(stored)
    assert kit.command("purge", stored, "--all", "--dry-run").code == 0
    assert kit.command("purge", stored, "--all").code == 2
    said = kit.command("purge", stored)
    assert (said.code, "keep_raw_days" in said.err) == (2, True)
    assert names(stored) == before


def test_a_study_at_work_is_left_whole(stored, kit):
    """The ledger's lock is held: exit 2, and the runs stay too."""
    before = names(stored)
    with (stored / ".judgekit" / "letters" / ".ledger.sqlite.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert kit.command("purge", stored, "--all", "--yes").code == 2
    assert names(stored) == before


def test_keep_raw_days_is_the_study_s_own_age(stored, kit):
    """`privacy.keep_raw_days` stands in for --older-than."""
    (stored / "study.yaml").write_text(STUDY + "privacy: {keep_raw_days: 400}\n", encoding="utf-8")
    assert load_study(stored).privacy.keep_raw_days == 400
    said = kit.command("purge", stored, "--yes", "--json")
    assert len(said.json["removed"]) == 1


@pytest.mark.parametrize("name", ["demo-20261399T000000.000Z-abcdef", "demo", "demo-20260101T000000.000Z-abcdef-x"])
def test_a_name_that_is_no_run(name):
    """An impossible time or another ending is no run's name."""
    assert run_started(name) is None
    assert run_started("a-20260101T000000.000Z-abcdef-2") == datetime(2026, 1, 1, tzinfo=UTC)


def test_schemas_are_schemas(kit):
    """Both are JSON documents that name the keys of the format."""
    study = json.loads(kit.command("schema").out)
    assert {"study", "data", "groups", "calibration"} <= set(study["properties"])
    assert study["additionalProperties"] is False
    rubric = json.loads(kit.command("schema", "rubric").out)
    assert set(rubric["required"]) == {"id", "version", "criteria"}
