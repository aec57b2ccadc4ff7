"""``judgekit doctor``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judgekit.cli.judge_options import ApiKeyEnv, BaseUrl
from judgekit.cli.output import emit, say
from judgekit.cli.study_options import Json
from judgekit.errors import BadInput, UsageProblem
from judgekit.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judgekit.checkup.checks import Check, Checkup
    from judgekit.judging.handle import JudgeHandle

_SIGNS = {"fine": "ok   ", "note": "note ", "warn": "warn ", "blocks": "STOP "}
_AGAIN = "mend what blocks, then give the same command again"


def doctor(
    places: Annotated[
        list[Path] | None, typer.Argument(help="Files of replies or ratings, studies, rubrics; none: this machine.")
    ] = None,
    endpoint: Annotated[
        bool, typer.Option("--endpoint", help="Send one tiny request to the judge, an invented sentence.")
    ] = False,
    judge: Annotated[
        str | None, typer.Option(help="With --endpoint: SPEC of the judge; a study's own by default.")
    ] = None,
    base_url: BaseUrl = None,
    api_key_env: ApiKeyEnv = None,
    json_out: Json = False,
) -> None:
    """Say what a file or a study supports, what blocks it and which command is next: exit 0, or 1 when something blocks.

    Without a file: this machine, as far as judgekit depends on it. Nothing is written, and nothing sent without --endpoint.
    """
    from judgekit.cli.doctor_machine import check_machine

    if (judge or base_url or api_key_env) and not endpoint:
        raise UsageProblem(
            "this goes with --endpoint", field="--judge, --base-url, --api-key-env", remedy="add --endpoint"
        )
    found = [_looked_at(place) for place in places or []]
    machine = list(check_machine())
    asked = list(_asked(places or [], judge, base_url, api_key_env)) if endpoint else []
    checks = [*machine, *asked]
    stopped = any(c.status == "blocks" for c in checks)
    if stopped:  # what blocks beside a study comes before what the study alone would be ready for
        for place in found:
            place.next = _AGAIN
    blocks = stopped or any(f.blocks for f in found)
    if json_out:
        emit({
            "machine": [_row(c) for c in machine],
            "endpoint": [_row(c) for c in asked],
            "places": [f.to_dict() for f in found],
            "blocked": blocks,
        })  # fmt: skip
    else:
        # Beside a file or a study only what is wrong with the machine is of interest.
        shown = [c for c in machine if not found or c.status in {"warn", "blocks"}]
        for place in found:
            _print(place)
        if not found:
            typer.echo("This machine")
        _print_checks([*shown, *asked])
        # Below every stop, so that nobody goes on without having met it.
        for following in dict.fromkeys(place.next for place in found if place.next):
            typer.echo(f"Next: {printable(following)}")
        if not found and (stopped or not asked):
            typer.echo(f"Next: {_AGAIN if stopped else 'judgekit demo, or judgekit doctor FILE'}")
    if blocks:
        raise typer.Exit(1)


def _row(check: Check) -> dict[str, str | None]:
    return {"area": check.area, "status": check.status, "what": check.what, "remedy": check.remedy}


def _looked_at(place: Path) -> Checkup:
    from judgekit.checkup.of_file import check_file
    from judgekit.checkup.of_study import check_study, check_yaml

    if not place.exists():
        raise BadInput(
            "there is no such file or folder",
            path=place,
            remedy="name a file of replies, or a study's folder (judgekit init DIR --from FILE makes one)",
        )
    if place.is_dir():
        return check_study(place)
    return check_yaml(place) if place.suffix in {".yaml", ".yml"} else check_file(place)


def _asked(places: list[Path], spec: str | None, base_url: str | None, api_key_env: str | None) -> Iterator[Check]:
    from judgekit.checkup.of_endpoint import ask_once, tiny_call
    from judgekit.rubric import load_rubric

    handle, rubric, lang = _judge_of(places, spec, base_url, api_key_env), load_rubric("warmth"), "en"
    if handle.languages is not None and "en" not in handle.languages:
        lang = next(iter(sorted(handle.languages)))
    request = tiny_call(rubric, handle, lang)
    size = len(request.system) + len(request.prompt)
    say(
        f"one request to {handle.endpoint_id}: an invented sentence and the rubric warmth, {size} characters (sent again without a setting that it refuses)"
    )
    yield from ask_once(request, handle)


def _judge_of(places: list[Path], spec: str | None, base_url: str | None, api_key_env: str | None) -> JudgeHandle:
    from judgekit.judging.handle import make_judge
    from judgekit.studied_judge import judge_of_study
    from judgekit.workspace import study_of

    if spec is not None:
        asked = spec.strip().startswith(("openai", "anthropic", "local:"))
        settings = {"temperature": 0.0, "max_tokens": 1024} if asked else None
        return make_judge(spec, base_url=base_url, api_key_env=api_key_env, parameters=settings)
    if len(places) != 1:
        raise UsageProblem("which judge?", field="--endpoint", remedy="name one study, or --judge SPEC")
    return judge_of_study(study_of(places[0]))


def _print(found: Checkup) -> None:
    typer.echo(f"{printable(found.place)}: {found.kind}")
    _print_checks(found.checks)
    for what, entries in found.supports.items():
        if entries:
            typer.echo(f"   {what}: {printable('; '.join(entries))}")


def _print_checks(checks: list[Check]) -> None:
    for check in checks:
        typer.echo(f"   {_SIGNS[check.status]} {check.area}: {printable(check.what)}")
        if check.remedy and check.status != "fine":
            typer.echo(f"         do: {printable(check.remedy)}")
