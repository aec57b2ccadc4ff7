"""What the commands on blinded texts share: going without a design file, and saying so."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from judgekit.cli.output import say

__all__ = ["NoDesign", "say_names_unknown"]

NoDesign = Annotated[
    bool,
    typer.Option("--no-design", help="Go without a design file where there is none: names cannot be looked for then."),
]


def say_names_unknown(blinded: Path) -> None:
    """Say on standard error that names could not be looked for, when that is so."""
    from judgekit.files.blinded import find_design
    from judgekit.files.verified import NAMES_UNKNOWN

    if find_design(blinded) is None:
        say(NAMES_UNKNOWN)
