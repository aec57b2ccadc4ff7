"""``judgekit demo``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judgekit.cli.output import emit, say
from judgekit.cli.study_options import Json, StageProgress, story_from_here, strict_code

if TYPE_CHECKING:
    from judgekit.second_judge import SecondLook
    from judgekit.study import Study

INTRO = """The demo study: a (scripted) support chatbot answered the same 14 messages under 12 names, 3 times each.
Does it answer women less warmly than men? The judge is a word list; two raters labelled a sample.
"""

OWN = """
Now with your own replies (CSV, JSONL or Parquet):
   judgekit init my-study --from FILE     a commented study.yaml, filled in for your file
   judgekit run my-study                  the same path as here
"""


def demo(
    out: Annotated[Path, typer.Option("--out", help="Folder to work in.")] = Path("judgekit-demo"),
    strict: Annotated[bool, typer.Option("--strict", help="The worst verdict becomes the exit code.")] = False,
    json_out: Json = False,
) -> None:
    """Run the main job on a bundled study, offline and without a key."""
    from judgekit.demo_study import unpack_demo
    from judgekit.pipeline import run_study
    from judgekit.run_folder import run_document
    from judgekit.study import load_study

    unpack_demo(out)
    study = load_study(out)
    watch = StageProgress()
    try:
        outcome = run_study(study, watch=watch)
        watch("second judge", 0, None)
        second = _second_judge(study)
    finally:
        watch.close()
    if json_out:
        emit(run_document(outcome.run_dir, outcome.findings) | {"second_judge": second})
    else:
        typer.echo(INTRO)
        typer.echo(story_from_here(outcome, study))
        typer.echo()
        typer.echo("\n".join(_second_lines(second)))
        typer.echo(OWN, nl=False)
        say(f"everything is in {out}; the labels and who gave them: {out / 'labels' / 'README.md'}")
    if strict and (code := strict_code(outcome.findings)):
        raise typer.Exit(code)


def _second_judge(study: Study) -> SecondLook:
    """What becomes of a small language model, by the answers that were recorded of it; no model is needed or asked."""
    from judgekit.demo_study import recorded_judge
    from judgekit.files.folders import study_folder
    from judgekit.files.ledger import Ledger
    from judgekit.files.manifest import secret
    from judgekit.judging.handle import make_judge
    from judgekit.second_judge import look_at_study

    folder = study_folder(study.file, f"{study.study}-second-judge")
    with Ledger.open(folder / "ledger.sqlite") as ledger:
        judge = make_judge(f"replay:{recorded_judge()}")
        return look_at_study(study, judge, ledger, secret=secret(folder / "secret"))


def _second_lines(found: SecondLook) -> list[str]:
    """The second judge in a few lines: what order does to it, how it scores, and why it is refused."""
    from judgekit.records import Refused, Undefined
    from judgekit.reporting.words import interval_words, number, reason_words, reference_words

    bias, interval = found.position.value, found.position.interval
    pairs = sum(found.outcomes.values())
    scored = sum(found.scores.values())
    most, times = max(found.scores.items(), key=lambda pair: pair[1], default=("", 0))
    order = (
        "none was preferred in a way that could be read"
        if isinstance(bias, Undefined) or isinstance(interval, Undefined)
        else f"the one shown first wins {bias + 0.5:.0%} of {found.position.calls} comparisons: "
        f"position bias {number(bias, signed=True)} {interval_words(interval)}, 0 is none"
    )
    failed = ", ".join(f"{n} {kind}" for kind, n in sorted(found.unscored.items()))
    lines = [
        "A second judge: SmolLM2-135M-Instruct, a real small language model; its recorded answers are replayed.",
        f"   Of two replies, {order}.",
        f"      {found.outcomes.get('inconsistent', 0)} of {pairs} pairs turn round when the order does.",
        f"   One by one it gave {scored} of {found.texts} labelled texts a score, {times} of them {most}"
        + (f"; no score: {failed}." if failed else "."),
    ]
    if found.reference is not None:
        lines.append(f"   Kappa with people, {found.dimension}: {reference_words(found.reference)}.")
    for verdict in found.verdicts:
        if isinstance(verdict, Refused):
            # Few labels were recorded on purpose; what the judge lacks comes first.
            main = next((reason for reason in verdict.reasons if reason.code != "too_few"), verdict.reasons[0])
            rest = dict.fromkeys(reason.code for reason in verdict.reasons if reason.code != main.code)
            said, code, _ = reason_words(main).partition(f"[{main.code}]")
            lines.append(f"   Refused: {said}{code}")
            lines += [f"      and for {', '.join(rest)}."] if rest else []
    return lines
