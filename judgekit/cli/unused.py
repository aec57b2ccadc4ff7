"""Options that mean nothing beside others: refused, since whoever gives one believes that it counts."""

from __future__ import annotations

from collections.abc import Iterable

import typer

from judgekit.errors import UsageProblem

__all__ = ["refuse_unused"]


def refuse_unused(ctx: typer.Context, names: Iterable[str], when: str, remedy: str) -> None:
    """Refuse options that were given and would be passed over, whatever their value.

    Parameters
    ----------
    ctx : typer.Context
        Of the command that was called.
    names : iterable of str
        Its parameters.
    when : str
        Completes "this option does nothing".
    remedy : str

    Raises
    ------
    UsageProblem
        One of them stands on the command line, also with the value that it has by default.
    """
    options = {p.name: max(p.opts, key=len) for p in ctx.command.params}
    for name in names:
        source = ctx.get_parameter_source(name)
        if source is not None and source.name not in {"DEFAULT", "DEFAULT_MAP"}:
            raise UsageProblem(f"this option does nothing {when}", field=options[name], remedy=remedy)
