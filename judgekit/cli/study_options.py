"""What the commands on a study share: where it is, how progress is shown, how verdicts become exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from judgekit.cli.output import Progress, say
from judgekit.errors import UsageProblem

if TYPE_CHECKING:
    from judgekit.findings import Findings
    from judgekit.pipeline import Outcome
    from judgekit.records import ScoreKind
    from judgekit.study import Study

__all__ = [
    "Json",
    "StageProgress",
    "StudyPlace",
    "assessed",
    "exit_codes",
    "score_kind",
    "story_from_here",
    "strict_code",
    "wanted_groups",
]

StudyPlace = Annotated[Path, typer.Argument(help="study.yaml, its folder, or one of its run folders.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]


class StageProgress:
    """Shows the stages of the main path one after the other on standard error."""

    def __init__(self) -> None:
        self._stage = ""
        self._line: Progress | None = None

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        """Show how far a stage is."""
        if stage != self._stage or self._line is None:
            self.close()
            self._stage, self._line = stage, Progress(stage, total)
        self._line(done)

    def say(self, message: str) -> None:
        """Say a line that stays, above the one that changes."""
        self.close()
        say(message)

    def close(self) -> None:
        """End the line."""
        if self._line is not None:
            self._line.close()
            self._line = None


def story_from_here(outcome: Outcome, study: Study) -> str:
    """The page of a finished run, with paths and commands that work from the current folder."""
    from judgekit.reporting.story import render_story

    where = None if outcome.run_dir is None else _from_here(outcome.run_dir)
    return render_story(outcome.findings, where=where, folder=_from_here(study.base))


def _from_here(path: Path) -> str:
    """Relative to the current folder where it is below it; a chain of ``..`` would be harder to read than the whole path."""
    whole = path.resolve()
    return str(whole.relative_to(Path.cwd())) if whole.is_relative_to(Path.cwd()) else str(whole)


def score_kind(text: str) -> ScoreKind:
    """The kind of score that ``--score`` names.

    Raises
    ------
    UsageProblem
        It is neither ``point`` nor ``expected``.
    """
    kinds: dict[str, ScoreKind] = {"point": "point", "expected": "expected"}
    if text not in kinds:
        raise UsageProblem("no such kind of score", field="--score", seen=text, remedy="give point or expected")
    return kinds[text]


def wanted_groups(text: str | None) -> list[str] | None:
    """The groups that ``--groups A,B`` names, in its order; None without the option.

    Raises
    ------
    UsageProblem
        Fewer than two, or one of them twice.
    """
    if text is None:
        return None
    names = [g.strip() for g in text.split(",") if g.strip()]
    if len(names) < 2 or len(set(names)) < len(names):
        raise UsageProblem(
            "a comparison needs two different groups", field="--groups", seen=text, remedy="--groups A,B"
        )
    return names


def exit_codes(study: Study) -> dict[str, int]:
    """The study's map of verdicts to exit codes."""
    return {str(verdict): code for verdict, code in study.gate.exit_codes.items()}


def strict_code(findings: Findings) -> int:
    """The worst verdict as an exit code: 6 before 5 before 1 before 4; the study may map 5 and 4 to others.

    6 stands for blinding that did not hold: more replies withheld, or a larger gap in withholding, than
    ``blinding.max_withheld`` allows. A few withheld replies are the verifier at work, and no leak: no leaking text was sent.
    """
    codes = findings.study["gate"]["exit_codes"]
    verdicts = {g.verdict for g in findings.gaps}
    swaps = {s.verdict for s in findings.swap}
    met = (
        (6, bool(findings.too_many_withheld)),
        (codes.get("refused", 5), bool(findings.refused)),
        (1, "fail" in verdicts or "failed" in swaps),
        (codes.get("warn", 4), bool(verdicts & {"warn", "cannot tell"}) or "uninformative" in swaps),
    )
    return next((code for code, applies in met if applies and code), 0)


def assessed(place: Path) -> tuple[Study, Findings]:
    """Load a study and recompute its findings without a call, with progress on standard error."""
    from judgekit.pipeline import assess_study
    from judgekit.workspace import study_of

    study, watch = study_of(place), StageProgress()
    try:
        return study, assess_study(study, watch=watch)
    finally:
        watch.close()
