"""``judgekit decide``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from judgekit.cli.judge_options import (
    ApiKeyEnv,
    BaseUrl,
    MaxCalls,
    MaxCost,
    MaxTokens,
    PriceIn,
    PriceOut,
    Temperature,
    prices_of,
)
from judgekit.cli.output import Progress, emit, say
from judgekit.cli.study_options import Json, wanted_groups
from judgekit.errors import UsageProblem

if TYPE_CHECKING:
    from judgekit.deciding.ask import Asking, Heard
    from judgekit.deciding.target import TargetOptions
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
    concurrency: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Requests under way at once; the study's, else 4.")
    ] = None,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    max_cost: MaxCost = None,
    retries: Annotated[int | None, typer.Option(min=0, help="Further attempts after a fault that may pass.")] = None,
    timeout: Annotated[float | None, typer.Option(min=0.1, help="Seconds for one attempt.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it would cost; write and send nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
    json_out: Json = False,
) -> None:
    """P(yes), or k options, from first-token probabilities, by group and template: exit 0, 1 fail, 4 warn or cannot tell.

    A target without token probabilities is asked several times for each prompt instead; that is said, with its cost,
    before it is done.
    """
    from judgekit.deciding.options import read_options
    from judgekit.deciding.target import TargetOptions
    from judgekit.endpoints.limits import Limits
    from judgekit.probing.expand import probe_of
    from judgekit.study_probe import Target

    study = _study(target)
    own = Target() if study is None else probe_of(study).target
    limits = Limits(
        retries=own.retries if retries is None else retries,
        max_calls=own.max_calls if max_calls is None else max_calls,
        max_tokens=max_tokens,
        max_cost=own.max_cost if max_cost is None else max_cost,
        attempt_timeout=own.timeout if timeout is None else timeout,
    )
    stated = TargetOptions(
        base_url=base_url,
        api_key_env=api_key_env,
        system_prompt_file=None if system is None else system.resolve(),
        temperature=temperature,
        prices=prices_of(price_in, price_out) or {},
    )
    asked = _Asked(read_options(options), wanted_groups(groups), margin, claim, level, seed)
    call = _Call(prompts, study, study or target, stated, samples, concurrency or own.concurrency, limits)
    _decide(call, asked, _Wanted(output, force, dry_run, json_out))


@dataclass(frozen=True, slots=True)
class _Call:
    """What is asked, of whom, and within which bounds."""

    prompts: Path
    study: Study | None
    target: Study | str
    stated: TargetOptions
    samples: int
    concurrency: int
    limits: Limits

    @property
    def ledger(self) -> tuple[Path, str]:
        """The file beside which answers are kept, and the name of their folder: the study's, else the prompts' own."""
        if self.study is None:
            return self.prompts, f"{self.prompts.stem}-decide"
        return self.study.file, self.study.study


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is wanted of the command."""

    output: Path | None
    force: bool
    dry_run: bool
    json_out: bool


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be said of the answers."""

    options: tuple[str, ...]
    groups: list[str] | None
    margin: float | None
    claim: Literal["groups", "these_names"]
    level: float
    seed: int


def _study(target: str) -> Study | None:
    from judgekit.workspace import study_of

    place = Path(target)
    is_study = place.is_dir() or place.suffix.lower() in {".yaml", ".yml"}
    return study_of(place) if is_study else None


def _decide(call: _Call, asked: _Asked, wanted: _Wanted) -> None:
    from judgekit.deciding.prompts_in import decision_prompts, must_have_groups
    from judgekit.deciding.target import asking_of
    from judgekit.files.disk import check_output

    asking, target_id = asking_of(call.target, call.stated, answers=asked.options, samples=call.samples)
    if asking.never is not None and not call.samples:
        raise UsageProblem(
            "this target gives no token probabilities", field="--samples", seen=0, why=asking.never,
            remedy="give --samples 20, or another target",
        )  # fmt: skip
    read = decision_prompts(call.prompts)
    must_have_groups(read, asked.groups)  # before anything is paid
    if wanted.dry_run:
        _dry_run(read, asking, call, json_out=wanted.json_out)
        return
    if wanted.output is not None:
        check_output(wanted.output, force=wanted.force, inputs=[call.prompts])
    _report(_ask(read, asking, call), target_id, asked, call, wanted)


def _ask(read: list[Prompt], asking: Asking, call: _Call) -> Heard:
    from judgekit.deciding.ask import ask
    from judgekit.files.folders import study_folder
    from judgekit.files.ledger import Ledger
    from judgekit.files.manifest import secret
    from judgekit.probing.targets import called_target

    line = Progress("deciding")

    def told(progress: Any) -> None:
        line.total = progress.total
        line(progress.done, failed=progress.failed, cost=progress.cost, note=progress.note)

    folder = study_folder(*call.ledger)
    try:
        with called_target(), Ledger.open(folder / "decide.sqlite") as ledger:
            return ask(
                read,
                asking,
                ledger,
                secret=secret(folder / "secret"),
                say=say,
                concurrency=call.concurrency,
                limits=call.limits,
                progress=told,
            )
    finally:
        line.close()


def _dry_run(read: list[Prompt], asking: Asking, call: _Call, *, json_out: bool) -> None:
    from judgekit.adhoc import ledger_if_there
    from judgekit.deciding.ask import costs

    place, name = call.ledger
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


def _report(heard: Heard, target: str, asked: _Asked, call: _Call, wanted: _Wanted) -> None:
    from judgekit.deciding.report import answer_rows, decision_document, decisions_of
    from judgekit.files.atomic import write_jsonl
    from judgekit.gate import gate_exit_code

    found = decisions_of(
        heard,
        asked.options,
        groups=asked.groups,
        declared=list(call.study.groups.values) if call.study is not None and call.study.groups else (),
        margin=asked.margin,
        claim=asked.claim,
        level=asked.level,
        seed=asked.seed,
    )
    if wanted.output is not None:
        write_jsonl(wanted.output, answer_rows(heard), force=wanted.force, private=True, inputs=[call.prompts])
    if wanted.json_out:
        emit(decision_document(found, target=target))
    else:
        from judgekit.cli.decide_words import print_decisions

        print_decisions(found, target=target)
    if heard.summary.failed:
        kinds = ", ".join(f"{kind} {n}" for kind, n in heard.summary.failed.items())
        say(f"calls that failed: {kinds}")
    verdicts = {gap.verdict for gap in found.gaps}
    worst = next((v for v in ("fail", "cannot tell", "warn") if v in verdicts), "pass")
    if any(not gap.share.templates for gap in found.gaps):
        worst = "fail" if worst == "fail" else "cannot tell"
    if code := gate_exit_code(worst, {}):
        raise typer.Exit(code)
