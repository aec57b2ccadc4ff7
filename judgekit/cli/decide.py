"""``judgekit decide``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from judgekit.cli.judge_options import (
    ApiKeyEnv,
    BaseUrl,
    Concurrency,
    MaxCalls,
    MaxCost,
    MaxTokens,
    PriceIn,
    PriceOut,
    Retries,
    Temperature,
    Timeout,
    prices_of,
)
from judgekit.cli.output import Progress, emit, say
from judgekit.cli.study_options import Json
from judgekit.errors import UsageProblem

if TYPE_CHECKING:
    from judgekit.deciding.ask import Asking, Heard
    from judgekit.endpoints.limits import Limits
    from judgekit.records import Prompt
    from judgekit.study import Study


def decide(
    prompts: Annotated[
        Path, typer.Argument(help="prompts.jsonl of `probe expand`, or a table: id, prompt, template_id, group, name.")
    ],
    target: Annotated[
        str,
        typer.Option(
            "--target",
            help="A study with probe.target, or openai:MODEL, anthropic:MODEL, local:FILE.gguf, command:CMD, "
            "python:pkg.mod:func, stub:decide,logit=0.4,...",
        ),
    ],
    options: Annotated[
        str, typer.Option(help="The answers, in the prompts' language; the first is reported.")
    ] = "yes,no",
    samples: Annotated[
        int, typer.Option(min=0, help="Without token probabilities: answers for each prompt. 0: stop instead.")
    ] = 20,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="ANSWERS.jsonl: one row for each different prompt, private.")
    ] = None,
    groups: Annotated[
        str | None, typer.Option(help="Groups to compare, separated by commas; first minus second.")
    ] = None,
    margin: Annotated[
        float | None, typer.Option(min=0, help="Gaps in probability inside plus or minus this pass.")
    ] = None,
    claim: Annotated[Literal["groups", "these_names"], typer.Option(help="What the claim is about.")] = "groups",
    level: Annotated[float, typer.Option(min=0.5, max=0.999, help="Level of the intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Seed of Monte-Carlo draws.")] = 20260101,
    system: Annotated[Path | None, typer.Option("--system", help="File with the target's system prompt.")] = None,
    base_url: BaseUrl = None,
    api_key_env: ApiKeyEnv = None,
    temperature: Temperature = None,
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    concurrency: Concurrency = 4,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    retries: Retries = 3,
    timeout: Timeout = 60.0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would cost; write and send nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """P(yes), or k options, from first-token probabilities, by group and template: exit 0, 1 fail, 4 warn or cannot tell.

    A target without token probabilities is asked several times for each prompt instead; that is said, with its cost,
    before it is done.
    """
    from judgekit.deciding.options import read_options
    from judgekit.deciding.prompts_in import decision_prompts
    from judgekit.deciding.target import TargetOptions, asking_of
    from judgekit.endpoints.limits import Limits
    from judgekit.files.disk import check_output

    answers = read_options(options)
    wanted = _groups(groups)
    study = _study(target)
    stated = TargetOptions(
        base_url=base_url,
        api_key_env=api_key_env,
        system_prompt_file=None if system is None else system.resolve(),
        temperature=temperature,
        prices=prices_of(price_in, price_out) or {},
    )
    asking, target_id = asking_of(study or target, stated, answers=answers, samples=samples)
    if asking.never is not None and not samples:
        raise UsageProblem(
            "this target gives no token probabilities", field="--samples", seen=0, why=asking.never,
            remedy="give --samples 20, or another target",
        )  # fmt: skip
    read = decision_prompts(prompts)
    if dry_run:
        _dry_run(read, asking, prompts, study, json_out=json_out)
        return
    if output is not None:
        check_output(output, force=force, inputs=[prompts])
    limits = Limits(
        retries=retries, max_calls=max_calls, max_tokens=max_tokens, max_cost=max_cost, attempt_timeout=timeout
    )
    heard = _ask(read, asking, prompts, study, concurrency=concurrency, limits=limits)
    asked = _Asked(target_id, answers, wanted, margin, claim, level, seed)
    _report(heard, asked, output, prompts, json_out=json_out, force=force)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be said of the answers."""

    target: str
    options: tuple[str, ...]
    groups: list[str] | None
    margin: float | None
    claim: Literal["groups", "these_names"]
    level: float
    seed: int


def _groups(text: str | None) -> list[str] | None:
    from judgekit.cli.gap import _wanted

    return _wanted(text)


def _study(target: str) -> Study | None:
    from judgekit.workspace import study_of

    place = Path(target)
    is_study = place.is_dir() or place.suffix.lower() in {".yaml", ".yml"}
    return study_of(place) if is_study else None


def _ledger_path(prompts: Path, study: Study | None) -> tuple[Path, str]:
    """Where the answers are kept: beside the study, else beside the prompts."""
    return (prompts, f"{prompts.stem}-decide") if study is None else (study.file, study.study)


def _ask(
    read: list[Prompt], asking: Asking, prompts: Path, study: Study | None, *, concurrency: int, limits: Limits
) -> Heard:
    from judgekit.deciding.ask import ask
    from judgekit.files.folders import study_folder
    from judgekit.files.ledger import Ledger
    from judgekit.files.manifest import secret
    from judgekit.probing.targets import called_target

    line = Progress("deciding")

    def told(progress: Any) -> None:
        line.total = progress.total
        line(progress.done, failed=progress.failed, cost=progress.cost, note=progress.note)

    folder = study_folder(*_ledger_path(prompts, study))
    try:
        with called_target(), Ledger.open(folder / "decide.sqlite") as ledger:
            return ask(
                read,
                asking,
                ledger,
                secret=secret(folder / "secret"),
                say=say,
                concurrency=concurrency,
                limits=limits,
                progress=told,
            )
    finally:
        line.close()


def _dry_run(read: list[Prompt], asking: Asking, prompts: Path, study: Study | None, *, json_out: bool) -> None:
    from judgekit.adhoc import ledger_if_there
    from judgekit.deciding.ask import costs

    place, name = _ledger_path(prompts, study)
    with ledger_if_there(place.resolve().parent / ".judgekit" / name / "decide.sqlite") as ledger:
        found = costs(read, asking, ledger)
    if json_out:
        emit({"prompts": len(read), "plans": found, "no_probabilities": asking.never})
        return
    for cost in found:
        what = "token probabilities" if cost.method == "probabilities" else f"{asking.samples} samples, without them"
        price = "no prices stated" if cost.most is None else f"at most {cost.most:.4g} before retries"
        typer.echo(
            f"{what}: {len(read):,} prompts, {cost.texts:,} different; {cost.calls:,} calls, {cost.to_send:,} to send, "
            f"about {cost.tokens_in:,} tokens sent and at most {cost.tokens_out:,} received; cost: {price}"
        )


def _report(heard: Heard, asked: _Asked, output: Path | None, prompts: Path, *, json_out: bool, force: bool) -> None:
    from judgekit.deciding.report import answer_rows, decision_document, decisions_of
    from judgekit.files.atomic import write_jsonl
    from judgekit.gate import gate_exit_code

    found = decisions_of(
        heard,
        asked.options,
        groups=asked.groups,
        margin=asked.margin,
        claim=asked.claim,
        level=asked.level,
        seed=asked.seed,
    )
    if output is not None:
        write_jsonl(output, answer_rows(heard), force=force, private=True, inputs=[prompts])
    if json_out:
        emit(decision_document(found, target=asked.target))
    else:
        from judgekit.cli.decide_words import print_decisions

        print_decisions(found, target=asked.target)
    if heard.summary.failed:
        kinds = ", ".join(f"{kind} {n}" for kind, n in heard.summary.failed.items())
        say(f"calls that failed: {kinds}")
    verdicts = {gap.verdict for gap in found.gaps}
    worst = next((v for v in ("fail", "cannot tell", "warn") if v in verdicts), "pass")
    if asked.margin is None and any(not gap.share.templates for gap in found.gaps):
        worst = "cannot tell"
    if code := gate_exit_code(worst, {}):
        raise typer.Exit(code)
