"""``judgekit completion``, and what a shell asks of the program when somebody presses the tab key."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import Annotated, Any

import typer

VARIABLE = "_JUDGEKIT_COMPLETE"
"""Set by the shell's script when it asks for completions."""


class Shell(StrEnum):
    """Shells with a script."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


def completion(shell: Annotated[Shell, typer.Argument(help="The shell that reads the script.")]) -> None:
    """Print the script that completes commands and options in a shell.

    bash: eval "$(judgekit completion bash)" in ~/.bashrc. zsh: the same in ~/.zshrc, after compinit. fish: judgekit completion
    fish > ~/.config/fish/completions/judgekit.fish
    """
    from typer._completion_shared import get_completion_script

    typer.echo(get_completion_script(prog_name="judgekit", complete_var=VARIABLE, shell=shell.value))


def answer_shell(command: Any) -> int | None:
    """Answer the shell's question; None when the program was not called by a shell's script.

    Parameters
    ----------
    command : typer.core.TyperGroup
        The whole command line.

    Returns
    -------
    int or None
        Exit code.
    """
    instruction = os.environ.get(VARIABLE)
    if not instruction:
        return None
    from typer._completion_classes import completion_init
    from typer.completion import shell_complete

    completion_init()
    return shell_complete(command, {}, "judgekit", VARIABLE, instruction)
