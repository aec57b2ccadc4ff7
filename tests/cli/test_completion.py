"""``judgekit completion``: the script is sourced in a real shell and asked as the tab key would."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_completes_commands_and_options(tmp_path):
    """After sourcing the script: commands, those of a group, and a command's options."""
    program = tmp_path / "judgekit"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m judgekit "$@"\n', encoding="utf-8")
    program.chmod(0o700)
    asked = ["judgekit ga", "judgekit probe exp", "judgekit rubrics --js"]
    lines = [f'export PATH="{tmp_path}:$PATH"', 'eval "$(judgekit completion bash)"', "complete -p judgekit"]
    for words in asked:
        last = len(words.split()) - 1
        lines.append(
            f'COMP_WORDS=({words}); COMP_CWORD={last}; _judgekit_completion judgekit; echo "${{COMPREPLY[@]}}"'
        )
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", "\n".join(lines)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    said = done.stdout.splitlines()
    assert "_judgekit_completion" in said[0]
    assert said[1:] == ["gap gate", "expand", "--json"]


@pytest.mark.parametrize(("shell", "word"), [("zsh", "compdef"), ("fish", "complete --command judgekit")])
def test_other_shells_get_a_script_of_their_own(kit, shell, word):
    """The others; an unknown shell is refused."""
    said = kit.command("completion", shell)
    assert said.code == 0
    assert word in said.out
    assert kit.command("completion", "cmd").code == 2
