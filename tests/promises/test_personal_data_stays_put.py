"""Promise 8: private folders, masked contact details, blinded quotes, and no secret of the environment in any file."""

import json
import logging
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SENTINEL = "sk-sentinel-4f9d2c7b1a"


def files_of(folder):
    """Every file below a folder with its bytes."""
    return {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_folders_with_replies_are_private_and_ignored_by_git(calibrated_study):
    """The study's own folder, labels and runs: 0700, each with a .gitignore of everything; files 0600."""
    for folder in (
        calibrated_study.base / ".judgekit",
        calibrated_study.base / "runs",
        calibrated_study.base / "labels",
    ):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder
        assert (folder / ".gitignore").read_text() == "*\n", folder
        for path in folder.rglob("*"):
            if path.is_file() and path.name not in {".gitignore", "manifest.json"} and not path.name.endswith(".lock"):
                assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


CONTACTS = (
    "Write to ana.perez@example.org or call +34 600 123 456. Order number 8841-22-771 is paid with 4111 1111 1111 1111."
)


def test_contact_details_reach_neither_judge_nor_rater_nor_report(make_study, kit):
    """Mail, phone, card and order numbers in a reply are masked in everything but the private design file."""
    rows = kit.reply_rows(templates=3, replicates=1)
    for row in rows:
        row["text"] += f" {CONTACTS}"
    small = make_study(rows=rows)
    run = small.run().run_dir
    with sqlite3.connect(small.space.ledger) as connection:
        ledger = "\n".join(str(row) for row in connection.execute("SELECT body FROM calls"))
    connection.close()
    shown = [
        (run / n).read_text() for n in ("blinded.jsonl", "report.md", "report.html", "report.json", "judgments.jsonl")
    ]
    for text in (*shown, small.space.sample.read_text(), ledger):
        for detail in ("ana.perez", "600 123 456", "4111 1111"):
            assert detail not in text


def quotes(small):
    """The quotes of a run's report."""
    return json.loads((small.run().run_dir / "report.json").read_text())["quotes"]


def test_quotes_are_blinded_unless_the_people_are_invented(make_study, kit):
    """Real people (the default): placeholders; invented people: as written. Both say which."""
    small = make_study(rows=kit.reply_rows(templates=3, replicates=1))
    found = quotes(small)
    assert len(found) == 2
    for quote in found:
        assert quote["blinded"] is True
        assert "[PERSON_1]" in quote["text_a"]
        assert "Novak" not in quote["text_a"] + quote["text_b"]
    small.change("privacy", {"people": "invented"})
    for quote in quotes(small):
        assert quote["blinded"] is False
        assert "Dear" in quote["text_a"]
        assert "[PERSON_1]" not in quote["text_a"]


def test_the_number_of_quotes_is_the_studys(make_study, kit):
    """``report.quotes.n: 0`` quotes nobody."""
    small = make_study(rows=kit.reply_rows(templates=3, replicates=1))
    small.change("report", {"quotes": {"n": 0}})
    assert quotes(small) == []


def test_no_absolute_path_leaves_the_machine(calibrated_study):
    """No export names the folder, the user or the host of the machine it was made on."""
    from judgekit.files.folders import latest_run

    run = latest_run(calibrated_study.base / "runs", "small")
    for path, content in files_of(run).items():
        assert str(calibrated_study.base).encode() not in content, path.name
        assert os.uname().nodename.encode() not in content, path.name


# --- keys stay in memory -------------------------------------------------------------------------------------------

ECHO = "import os, sys\nsys.stdin.read()\nprint('denied for key ' + os.environ['MY_API_KEY'], file=sys.stderr)\nsys.exit(1)\n"


def environment():
    """An environment with a key in several variables."""
    names = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "MY_API_KEY", "SERVICE_TOKEN")
    return {
        **os.environ,
        **dict.fromkeys(names, SENTINEL),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONWARNINGS": "default",
    }


def judged(*args):
    """`judgekit` in a process of its own with keys in its environment; its output."""
    done = subprocess.run(
        [sys.executable, "-m", "judgekit", "--debug", *map(str, args)],
        capture_output=True,
        env=environment(),
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_a_key_in_the_environment_appears_in_no_file_and_no_line(make_study, kit):
    """A run at debug level: the key is in no file of the study and in no line on either stream."""
    small = make_study(rows=kit.reply_rows(templates=3, replicates=1))
    code, said = judged("run", small.base)
    assert code == 0
    assert SENTINEL.encode() not in said
    assert not [p for p, content in files_of(small.base).items() if SENTINEL.encode() in content]


@pytest.mark.slow
def test_a_judge_that_echoes_the_key_does_not_get_it_written_down(make_study, kit):
    """A program whose error message holds the key: hidden in the ledger, in the error and in every log line."""
    small = make_study(rows=kit.reply_rows(templates=3, replicates=1))
    (small.base / "echo.py").write_text(ECHO, encoding="utf-8")
    small.change("judge", {"spec": f"command:{sys.executable} {small.base / 'echo.py'}", "concurrency": 2})
    code, said = judged("run", small.base)
    assert code == 3
    assert SENTINEL.encode() not in said
    assert not [p for p, content in files_of(small.base).items() if SENTINEL.encode() in content]


@pytest.mark.parametrize(
    "judge",
    [
        {"spec": f"openai:gpt?key={SENTINEL}"},
        {"spec": "lexicon", "base_url": f"https://example.org/v1?key={SENTINEL}"},
        {"spec": "lexicon", "api_key": SENTINEL},
        {"spec": "lexicon", "api_key_env": SENTINEL},
        {"spec": f"stub:key={SENTINEL}"},
    ],
)
def test_a_key_in_the_study_file_is_not_repeated(make_study, kit, judge, caplog):
    """A key written into study.yaml by mistake: the error names the setting, not its value."""
    small = make_study(rows=kit.reply_rows(templates=2, replicates=1), judge=judge)
    before = kit.listing(small.base)
    with caplog.at_level(logging.DEBUG):
        said = kit.command("run", small.base)
    assert said.code == 2
    assert SENTINEL not in said.err + said.out + caplog.text
    assert kit.listing(small.base) == before


def test_arguments_of_a_command_are_written_down_nowhere(make_study, kit):
    """A key among a program's arguments is in no export, ledger or manifest: only a hash tells it apart."""
    small = make_study(
        rows=kit.reply_rows(templates=2, replicates=1), judge={"spec": f"command:printf 3 --key={SENTINEL}"}
    )
    outcome = small.run()
    assert SENTINEL not in outcome.findings.judging.judge
    leaking = [p for p, content in files_of(small.base).items() if SENTINEL.encode() in content]
    assert leaking == [small.file]
