"""Every command the README shows is run as it stands there."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import regex

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def shown_commands() -> list[str]:
    """Lines of the README's code blocks that call judgekit, without the explanation behind them."""
    fenced = regex.findall(r"^```(\w*)\n(.*?)^```", README, flags=regex.DOTALL | regex.MULTILINE)
    blocks = [text for language, text in fenced if not language]
    lines = [regex.split(r"\s{2,}", line.strip())[0] for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("judgekit ")]


def run_command(command: str, folder: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run one command as the README has it, with this checkout's package."""
    words = shlex.split(command)
    assert words[0] == "judgekit"
    return subprocess.run(
        [sys.executable, "-m", "judgekit", *words[1:]],
        capture_output=True,
        text=True,
        cwd=folder,
        input=typed,
        timeout=240,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(folder), "TERM": "dumb"},
        check=False,
    )


def test_the_two_set_up_commands_come_first() -> None:
    """The first code block is the two commands that do all the set-up."""
    first = regex.search(r"```\n(.*?)```", README, flags=regex.DOTALL)
    assert first is not None
    assert first.group(1).splitlines() == ["pip install . && judgekit demo", "pip install '.[dev]' && pytest"]


@pytest.mark.slow
def test_a_first_hour_from_the_readme_alone(pages, kit, tmp_path: Path) -> None:
    """Its blocks in its order on a file of one's own: none stops, and the hour ends with a verdict and its remedies."""
    folder = tmp_path / "reader"
    folder.mkdir()
    said = pages.Walk(ROOT / "README.md", folder, kit)()
    init, run, doctor, label = dict.fromkeys(c for c in shown_commands() if "my-study" in c)
    assert [shlex.split(c)[1] for c in (init, run, doctor, label)] == ["init", "run", "doctor", "label"]
    assert said[init].out.strip() == run
    assert f"Next: {label}" in said[doctor].out
    assert "256 of 256 replies were blinded" in said[run].out
    assert "REFUSED: too few raters" in said[run].out  # of the second time, with ana's labels
    assert (folder / "my-study" / "labels" / "ana.jsonl").read_text(encoding="utf-8").count('"score"') == 440
    before = (folder / "export.csv").read_bytes()
    pages.READER_HAS["export.csv"](folder, kit)
    assert (folder / "export.csv").read_bytes() == before
    assert (
        run_command("judgekit doctor export.csv", folder).stdout.count("judgekit init my-study --from export.csv") == 1
    )
    assert run_command("judgekit run my-study --dry-run", folder).returncode == 0


def test_every_command_of_the_table_exists() -> None:
    """The table of commands names commands that are there, and no command is left out."""
    from judgekit.cli.main import COMMANDS

    named = set(regex.findall(r"`(?:judgekit )?([a-z-]+)(?: [^`]*)?`", README))
    assert set(COMMANDS) <= named, set(COMMANDS) - named


def test_every_recipient_of_text_is_named() -> None:
    """Each block of a study that names a model (a key ``spec``, and the rewording one) is in the sentence on who gets text."""
    from judgekit.study import Study

    told = README.split("judgekit sends\n")[1].split("\n\n")[0]
    blocks = {name for name, block in Study.model_json_schema()["$defs"].items() if "spec" in block["properties"]}
    words = {"JudgeSettings": "judges", "Extractor": "measured.*.extractor", "Target": "the chatbot under test"}
    assert blocks == set(words)
    assert all(word in told for word in (*words.values(), "swap_test.paraphrase", "probe\ncollect", "decide"))


@pytest.mark.parametrize("command", ["judgekit --help", "judgekit rubrics warmth", "judgekit --version"])
def test_help_is_there(command: str, tmp_path: Path) -> None:
    """The commands a newcomer tries first end with 0 and say something."""
    done = run_command(command, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_the_demo_prints_what_the_readme_shows(tmp_path: Path) -> None:
    """The page in the README is the page of `judgekit demo`, but for the name of the run."""
    shown = README.split("<!-- demo -->\n```text\n")[1].split("\n```\n<!-- /demo -->")[0]
    done = run_command("judgekit demo", tmp_path)
    assert done.returncode == 0, done.stderr
    assert regex.sub(r"runs/support-names-\S+/report.md", "runs/<run>/report.md", done.stdout).strip() == shown.strip()
