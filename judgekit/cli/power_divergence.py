"""``judgekit power --divergence``: the published power simulation of the output-change test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from judgekit.cli.output import Progress, table
from judgekit.cli.unused import refuse_unused
from judgekit.errors import BadInput, UsageProblem

__all__ = ["check_options", "divergence_document", "print_divergence"]


_OF_DESIGNS = ("metric", "groups", "templates", "names", "replicates", "template_gap_sd", "name_sd", "cell_sd")
_OF_PROMPTS = ("prompts", "logit_sd", "sigma", "sigma_pert")


def check_options(ctx: typer.Context, *, divergence: bool, validate: bool) -> None:
    """Refuse options of designs with ``--divergence``, its own without it, and those of simulations where nothing is simulated.

    Raises
    ------
    UsageProblem
        One of them was given.
    """
    if divergence:
        names = (*_OF_DESIGNS, "residual_sd", "gap", "wanted", "validate")
        refuse_unused(ctx, names, "with --divergence", "leave it out: it is about a design of templates and names")
    else:
        refuse_unused(ctx, _OF_PROMPTS, "without --divergence", "leave it out, or add --divergence")
        if not validate:
            refuse_unused(ctx, ("runs", "seed"), "without --validate", "leave it out, or add --validate")


def divergence_document(
    logits: Path | None,
    prompts: int,
    logit_sd: float,
    sigma: float,
    sigma_pert: str,
    alpha: float,
    runs: int,
    seed: int,
) -> dict[str, Any]:
    """Power at each size of targeted edits, on logits of a file or on drawn ones.

    Raises
    ------
    UsageProblem
        ``sigma_pert`` is no list of numbers.
    BadInput
        The file holds something else than one number a line, or fewer than two; a size is negative.
    """
    import numpy as np

    from judgekit.statistics.divergence_power import divergence_power
    from judgekit.statistics.results import plain

    try:
        steps = [float(part) for part in sigma_pert.split(",")]
    except ValueError:
        raise UsageProblem("not a list of numbers", field="--sigma-pert", seen=sigma_pert, remedy="0,0.5,1") from None
    z = np.random.default_rng(seed).normal(0.0, logit_sd, prompts) if logits is None else np.array(_logits(logits))
    line = Progress("standard deviations", len(steps))
    rows = []
    for n, step in enumerate(steps, 1):
        found = divergence_power(z, sigma=sigma, sigma_pert=step, runs=runs, alpha=alpha, seed=seed)
        rows.append({"sigma_pert": step} | plain(found))
        line(n)
    line.close()
    return {
        "prompts": len(z),
        "logits": "drawn" if logits is None else str(logits),
        "logit_sd": float(z.std(ddof=1)),
        "sigma": sigma,
        "alpha": alpha,
        "runs": runs,
        "seed": seed,
        "power": rows,
    }


def _logits(path: Path) -> list[float]:
    """One number a line, as a model's log-odds of yes."""
    from judgekit.files.text_in import lines_of, open_text

    found: list[float] = []
    with open_text(path) as file:
        for line, text in lines_of(file, path):
            try:
                if text.strip():
                    found.append(float(text))
            except ValueError:
                raise BadInput(
                    "not a number", path=path, line=line, seen=text, why="a file of logits has one number a line",
                    remedy="leave headers and other columns out",
                ) from None  # fmt: skip
    return found


def print_divergence(document: dict[str, Any]) -> None:
    """The table for a terminal."""
    typer.echo(
        f"Output change on {document['prompts']} prompts (logits {document['logits']}, spread {document['logit_sd']:.3g}); any edit moves "
        f"a logit by {document['sigma']:.3g}. One-sided paired t on Jensen-Shannon divergence at {document['alpha']:g}, "
        f"{document['runs']} simulated runs, seed {document['seed']}."
    )
    typer.echo(
        table(
            ["targeted edits move it by", "power", "±"],
            [(r["sigma_pert"], r["power"], r["se"]) for r in document["power"]],
        )
    )
    typer.echo("At 0 the share of rejections must be near the level; ± is the Monte-Carlo error.")
