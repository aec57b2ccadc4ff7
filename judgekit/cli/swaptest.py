"""``judgekit swaptest``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judgekit.cli.output import emit, table
from judgekit.cli.study_options import Json, StageProgress, score_kind
from judgekit.errors import UsageProblem

if TYPE_CHECKING:
    from judgekit.judging.handle import JudgeHandle
    from judgekit.records import SwapResult


def swaptest(
    place: Annotated[Path, typer.Argument(help="study.yaml, its folder, or what `judgekit blind` wrote.")],
    rubric: Annotated[list[str] | None, typer.Option("--rubric", help="For a file: a rubric; repeatable.")] = None,
    judge_spec: Annotated[str | None, typer.Option("--judge", help="For a file: the judge.")] = None,
    base_url: Annotated[str | None, typer.Option(help="For a file: address of the judge's service.")] = None,
    api_key_env: Annotated[str | None, typer.Option(help="For a file: variable that holds the key.")] = None,
    temperature: Annotated[float | None, typer.Option(min=0, help="For a file: as for `judgekit judge`.")] = None,
    score: Annotated[str, typer.Option(help="For a file: point or expected, as for `judgekit judge`.")] = "point",
    texts: Annotated[int, typer.Option(min=1, help="For a file: texts to fill.")] = 80,
    margin: Annotated[float, typer.Option(help="For a file: points within which a shift counts as none.")] = 0.10,
    seed: Annotated[int, typer.Option(help="For a file: seed of the draw.")] = 20260101,
    json_out: Json = False,
) -> None:
    """Does the judge react to the group when it can see it? Exit 0 passed, 1 failed, 4 cannot tell.

    The same texts are filled with names of each group, unblinded, beside a control pair; those scores never become results.
    """
    from judgekit.reporting.machine import swap_document

    watch = StageProgress()
    try:
        chosen: str | JudgeHandle | None = judge_spec
        if base_url is not None or api_key_env is not None or temperature is not None or score != "point":
            chosen = _handle(judge_spec, base_url, api_key_env, temperature, score)
        asked = _Asked(rubrics=tuple(rubric or ()), judge=chosen, texts=texts, margin=margin, seed=seed)
        results, note = _run(place, asked, watch)
    finally:
        watch.close()
    if json_out:
        emit(swap_document(tuple(results)) | {"note": note})
    else:
        _print(results, note)
    verdicts = {r.verdict for r in results}
    if "failed" in verdicts:
        raise typer.Exit(1)
    if "uninformative" in verdicts or not results:
        raise typer.Exit(4)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is asked of a file of blinded texts."""

    rubrics: tuple[str, ...]
    judge: str | JudgeHandle | None
    texts: int
    margin: float
    seed: int


def _handle(
    spec: str | None, base_url: str | None, api_key_env: str | None, temperature: float | None, score: str
) -> JudgeHandle:
    from judgekit.judging.handle import make_judge

    if spec is None:
        raise UsageProblem("a study names its own judge", remedy="give these options with --judge and a file only")
    parameters = None if temperature is None else {"temperature": temperature}
    return make_judge(spec, base_url=base_url, api_key_env=api_key_env, parameters=parameters, score=score_kind(score))


def _run(place: Path, asked: _Asked, watch: StageProgress) -> tuple[list[SwapResult], str | None]:
    if place.suffix.lower() in {".jsonl", ".ndjson"}:
        if not asked.rubrics or not asked.judge:
            raise UsageProblem("a file needs a judge and a rubric", remedy="add --judge SPEC --rubric NAME")
        from judgekit.adhoc import swap_test_file

        found = swap_test_file(
            place,
            asked.rubrics,
            asked.judge,
            texts=asked.texts,
            margin=asked.margin,
            seed=asked.seed,
            progress=lambda p: watch("swap test", p.done, p.total),
        )
        return found, None
    if asked.rubrics or asked.judge:
        raise UsageProblem("a study names its own judge and rubrics", remedy="leave --judge and --rubric out")
    from judgekit.pipeline import swap_test_study
    from judgekit.workspace import study_of

    study = study_of(place)
    if study.groups is None:
        raise UsageProblem(
            "there is nothing to swap",
            path=study.file,
            field="groups",
            why="the study has no groups, and a swap test fills the same text with names of two",
            remedy="declare groups with names, or go on without: a judge without group claims needs no swap test",
        )
    judged = swap_test_study(study, watch=watch)
    return list(judged.swap), judged.swap_note


def _reworded(result: SwapResult) -> str:
    """Its shift; a dash where there is none, since the line below the table says why."""
    from judgekit.reporting.words import number

    shift = result.paraphrase_shift
    return number(shift, signed=True) if isinstance(shift, float) else "-"


def _print(results: list[SwapResult], note: str | None) -> None:
    from judgekit.reporting.words import contrast_words, interval_words, number

    if note:
        typer.echo(note)
    if not results:
        return
    typer.echo(
        table(
            ["dimension", "contrast", "shift", "interval", "control", "reworded", "changed", "texts", "verdict"],
            [
                [
                    r.dimension,
                    contrast_words(r.contrast),
                    number(r.shift, signed=True),
                    interval_words(r.interval),
                    number(r.control_shift, signed=True),
                    _reworded(r),
                    number(r.changed),
                    r.n,
                    r.verdict,
                ]
                for r in results
            ],
        )
    )
    for r in results:
        typer.echo(f"{r.dimension}: {r.why}")
        if not isinstance(r.paraphrase_shift, float):
            typer.echo(f"  reworded: {r.paraphrase_shift.reason}")
        names = ", ".join(f"{n} {number(v, signed=True)}" for n, v in sorted(r.per_name.items(), key=lambda x: x[1]))
        if names:
            typer.echo(f"  by name: {names}")
