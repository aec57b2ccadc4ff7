"""Options of the commands that ask a judge, and how a plan of what it would cost is printed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from judgekit.cli.output import say
from judgekit.errors import UsageProblem

if TYPE_CHECKING:
    from judgekit.judging.judge import JudgePlan, Sender

__all__ = [
    "ApiKeyEnv",
    "BaseUrl",
    "Batch",
    "CancelBatches",
    "Concurrency",
    "MaxCalls",
    "MaxCost",
    "MaxTokens",
    "PriceIn",
    "PriceOut",
    "Rate",
    "Retries",
    "Temperature",
    "Timeout",
    "plan_words",
    "prices_of",
    "refuse_rate",
    "sender_of",
]

BaseUrl = Annotated[str | None, typer.Option(help="Address of the service, such as http://127.0.0.1:8000/v1.")]
ApiKeyEnv = Annotated[str | None, typer.Option(help="Variable that holds the key; never the key itself.")]
Temperature = Annotated[float | None, typer.Option(min=0, help="Sampling temperature; 0 by default.")]
PriceIn = Annotated[float | None, typer.Option(min=0, help="Price per million tokens sent.")]
PriceOut = Annotated[float | None, typer.Option(min=0, help="Price per million tokens received.")]
Concurrency = Annotated[int, typer.Option(min=1, max=1024, help="Requests under way at once.")]
MaxCalls = Annotated[
    int | None, typer.Option(min=1, help="Stop before this run sends more requests, retries included (exit 3).")
]
MaxTokens = Annotated[
    int | None, typer.Option(min=1, help="Stop before this run uses more tokens, sent and received (exit 3).")
]
MaxCost = Annotated[float | None, typer.Option(help="Stop before this run spends more (exit 3); needs prices.")]
Retries = Annotated[int, typer.Option(min=0, help="Further attempts after a fault that may pass.")]
Timeout = Annotated[float, typer.Option(min=0.1, help="Seconds for one attempt.")]
Rate = Annotated[
    float | None, typer.Option(min=1e-6, help="For --dry-run: answers a second, instead of what was measured.")
]
Batch = Annotated[
    bool,
    typer.Option("--batch", help="Hand the calls over in batches (openai, anthropic): half price, up to 24 hours."),
]
CancelBatches = Annotated[
    bool, typer.Option("--cancel-batches", help="Cancel batches under way, keep what was answered, send nothing.")
]


def refuse_rate(rate: float | None, *, dry_run: bool) -> None:
    """Refuse ``--rate`` where judges are asked, not planned for: they answer at their own speed.

    Raises
    ------
    UsageProblem
        It was given without ``--dry-run``.
    """
    if rate is not None and not dry_run:
        raise UsageProblem(
            "this option does nothing without --dry-run",
            field="--rate",
            remedy="add --dry-run to see what it would cost, or leave --rate out",
        )


def prices_of(price_in: float | None, price_out: float | None) -> dict[str, float] | None:
    """The stated prices; None when none is."""
    stated = {"input": price_in, "output": price_out}
    return {name: price for name, price in stated.items() if price is not None} or None


def sender_of(*, batch: bool, cancel: bool) -> Sender:
    """What has calls answered: one by one, or in batches, which tell of themselves on standard error."""
    if batch or cancel:
        from judgekit.batches.run import run_batches

        return partial(run_batches, say=say, cancel=cancel)
    from judgekit.endpoints.runner import run_calls

    return run_calls


def plan_words(plan: JudgePlan | Any) -> str:
    """Tokens, cost and time of a plan, each with what it rests on; empty when nothing is to be sent."""
    if not plan.to_send:
        return ""
    lines = [f"{plan.in_batches} of them wait in batches and are paid for"] if plan.in_batches else []
    if plan.to_send > plan.in_batches:
        sent, said = f"{plan.prompt_tokens:,}", f"{plan.output_tokens:,}"
        lines.append(f"tokens: about {sent} sent and {said} received ({plan.how['tokens']})")
        cost = "" if plan.cost is None else f"about {_money(plan.cost)}" if plan.cost else "none"
        if plan.cost and plan.most_cost is not None:
            cost += f", at most {_money(plan.most_cost)} before retries"
        lines.append(f"cost: {cost} ({plan.how['cost']})" if cost else f"cost: {plan.how['cost']}")
        minutes = "" if plan.minutes is None else f"about {plan.minutes:.1f} minutes "
        lines.append(f"time: {minutes}({plan.how['minutes']})" if minutes else f"time: {plan.how['minutes']}")
    return "\n".join(lines)


def _money(amount: float) -> str:
    return f"{amount:.2f}" if amount >= 1 or not amount else f"{amount:.4f}"
