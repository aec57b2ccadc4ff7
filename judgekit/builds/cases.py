"""A run's verdicts as test cases: one per metric and contrast, red exactly where the gate's exit code is not 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from judgekit.findings import Findings
from judgekit.gate import gate_exit_code
from judgekit.printable import printable
from judgekit.records import Calibrated, Contrast, Gap, Refused
from judgekit.reporting.words import contrast_words, counts_words, estimate_words, number, reason_words

__all__ = ["Case", "cases_of"]

Verdict = Literal["pass", "warn", "fail", "cannot tell", "no margin", "refused", "calibrated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One metric for one contrast, as a build sees it.

    ``code`` is the exit code that the verdict alone would give (0: green); ``estimate`` the gap with its interval, or
    ``withheld``; ``margin`` is in the metric's unit; ``why`` says in lines what stands behind the verdict; ``conditions``,
    which are among them, must stand wherever the verdict does. All texts are
    safe to print; a refused metric has no number of its own in any of them.
    """

    metric: str
    contrast: Contrast | None
    verdict: Verdict
    code: int
    estimate: str
    margin: float | None
    why: tuple[str, ...]
    conditions: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Metric and contrast."""
        between = "" if self.contrast is None else f": {contrast_words(self.contrast)}"
        return f"{printable(self.metric)}{between}"

    @property
    def message(self) -> str:
        """The verdict in one line."""
        if self.verdict == "refused":
            return f"refused: {self.why[0]}"
        margin = "" if self.margin is None else f", margin ±{number(self.margin)}"
        return f"{self.verdict}: {self.estimate}{margin}"


def cases_of(findings: Findings, codes: Mapping[str, int]) -> tuple[Case, ...]:
    """The cases of a run.

    Parameters
    ----------
    findings : Findings
    codes : mapping of str to int
        The study's ``gate.exit_codes``.

    Returns
    -------
    tuple of Case
        Gaps first, in their order, then refused metrics, then calibrated ones without groups. A verdict that the study
        maps to 0 is green.
    """
    shown = {(g.metric, g.contrast) for g in findings.gaps}
    return (
        *(_of_gap(g, codes) for g in findings.gaps),
        *(_of_refused(r, codes) for r in findings.refused),
        *(_of_calibrated(c) for c in findings.calibrated if (c.dimension, c.contrast) not in shown),
    )


def _of_gap(gap: Gap, codes: Mapping[str, int]) -> Case:
    why = [f"{gap.kind} gap, {printable(gap.direction)}, on {counts_words(gap)}"]
    why += [printable(note) for note in gap.all_notes]
    return Case(
        metric=gap.metric,
        contrast=gap.contrast,
        verdict=gap.verdict,
        code=gate_exit_code(gap.verdict, codes),
        estimate=estimate_words(gap.main),
        margin=gap.margin,
        why=tuple(why),
        conditions=tuple(printable(note) for note in gap.conditions),
    )


def _of_refused(refused: Refused, codes: Mapping[str, int]) -> Case:
    return Case(
        metric=refused.dimension,
        contrast=refused.contrast,
        verdict="refused",
        code=gate_exit_code("refused", codes),
        estimate="withheld",
        margin=None,
        why=tuple(reason_words(reason) for reason in refused.reasons),
    )


def _of_calibrated(verdict: Calibrated) -> Case:
    conditions = tuple(printable(condition) for condition in verdict.conditions)
    return Case(
        metric=verdict.dimension,
        contrast=verdict.contrast,
        verdict="calibrated",
        code=0,
        estimate="no groups",
        margin=None,
        why=conditions or ("every check holds",),
        conditions=conditions,
    )
