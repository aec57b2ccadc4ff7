"""Runs lined up: one row per metric and contrast, where experiments begin, and whether a gap is there every time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from judgekit.gate import gate_exit_code
from judgekit.records import Contrast, Gap, Refused, Undefined
from judgekit.releases.configuration import Change, bears_on, changes_between
from judgekit.releases.runs import Release
from judgekit.statistics.trend import Trend, release_trend

__all__ = ["Cell", "LineUp", "Row", "line_up"]

Signal = Literal["trend", "same sign every time", "none", "too few runs"]
_AT_LEAST = 3  # two runs of one sign are a coin that fell twice
_LEVEL = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A metric in one run: its gap, its refusal, or why it is not there.

    ``counted``: it enters the trend. It does not when another experiment has begun since, when the same replies were run
    again later, or without a number.
    """

    gap: Gap | None
    refused: Refused | None
    absent: str | None
    counted: bool

    @property
    def value(self) -> float | Undefined:
        """The estimate that counts, ``a`` minus ``b``."""
        main = self.gap and self.gap.main
        return main.value if main else Undefined("no number", "refused, withheld or not measured")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One metric and contrast over all runs, oldest first.

    ``change`` is the latest gap minus the one before it, both counted; ``signal`` is ``trend`` when the exact p of the
    counted gaps is 0.05 or less, ``same sign every time`` for three runs or more that agree without that.
    """

    metric: str
    contrast: Contrast | None
    judged: bool
    cells: tuple[Cell, ...]
    trend: Trend
    change: float | Undefined
    signal: Signal


@dataclass(frozen=True, slots=True, kw_only=True)
class LineUp:
    """Runs side by side. ``changes`` hold what differs from the run before; ``experiments`` number them from 1."""

    releases: tuple[Release, ...]
    changes: tuple[tuple[Change, ...], ...]
    experiments: tuple[int, ...]
    rows: tuple[Row, ...]
    across_systems: bool

    @property
    def exit_code(self) -> int:
        """5 before 1 before 4: refused or withheld; a failing gap or a trend; a warning, or nothing to compare with.

        Verdicts are those of the latest run, whose study may map 4 and 5 to other codes.
        """
        codes = dict(self.releases[-1].exit_codes)
        latest = [row.cells[-1] for row in self.rows]
        verdicts = {cell.gap.verdict for cell in latest if cell.gap is not None}
        refused = self.releases[-1].findings is None or any(cell.refused is not None for cell in latest)
        alone = not any(row.trend.runs - row.trend.undefined > 1 for row in self.rows)
        met = (
            (gate_exit_code("refused", codes), refused),
            (1, "fail" in verdicts or any(row.signal == "trend" for row in self.rows)),
            (gate_exit_code("warn", codes), bool(verdicts & {"warn", "cannot tell"}) or alone),
        )
        return next((code for code, applies in met if applies and code), 0)


def line_up(releases: Sequence[Release], *, across_systems: bool = False) -> LineUp:
    """Line runs up.

    Parameters
    ----------
    releases : sequence of Release
        Two or more, oldest first.
    across_systems : bool
        Count runs of other systems (another model or prompt) in a trend too, as long as they were measured alike. Another
        judge, rubric, blinding or set of groups always begins anew.

    Returns
    -------
    LineUp
    """
    changes: list[tuple[Change, ...]] = [()]
    for before, after in pairwise(releases):
        changes.append(changes_between(before.made_with, after.made_with))
    experiments = [1]
    for found in changes[1:]:
        experiments.append(experiments[-1] + any(c.kind in {"system", "measuring"} for c in found))
    keys: dict[tuple[str, Contrast | None], bool] = {}
    for release in releases:
        if release.findings is not None:
            keys.update({(g.metric, g.contrast): g.kind == "judged" for g in release.findings.gaps})
            keys.update({(r.dimension, r.contrast): True for r in release.findings.refused})
    rows = [
        _row(releases, changes, metric, contrast, judged=judged, across=across_systems)
        for (metric, contrast), judged in keys.items()
    ]
    return LineUp(
        releases=tuple(releases),
        changes=tuple(changes),
        experiments=tuple(experiments),
        rows=tuple(rows),
        across_systems=across_systems,
    )


def _row(
    releases: Sequence[Release],
    changes: Sequence[Sequence[Change]],
    metric: str,
    contrast: Contrast | None,
    *,
    judged: bool,
    across: bool,
) -> Row:
    begin = 0
    for place, found in enumerate(changes):
        if any(bears_on(c, metric, judged=judged) or (c.kind == "system" and not across) for c in found):
            begin = place
    last_of = {release.replies: place for place, release in enumerate(releases)}
    cells = []
    for place, release in enumerate(releases):
        gap, refused, absent = _found(release, metric, contrast)
        again = last_of[release.replies] != place
        numbered = gap is not None and gap.main is not None and not isinstance(gap.main.value, Undefined)
        cells.append(Cell(gap=gap, refused=refused, absent=absent, counted=numbered and place >= begin and not again))
    counted: Mapping[str, float | Undefined] = {str(i): c.value for i, c in enumerate(cells) if c.counted}
    trend = release_trend(counted)
    values = list(counted.values())
    change: float | Undefined = Undefined("nothing to compare with", "fewer than two runs of one experiment")
    if len(values) > 1 and cells[-1].counted:
        before, latest = values[-2:]
        if not isinstance(before, Undefined) and not isinstance(latest, Undefined):
            change = latest - before
    return Row(
        metric=metric,
        contrast=contrast,
        judged=judged,
        cells=tuple(cells),
        trend=trend,
        change=change,
        signal=_signal(trend),
    )


def _found(release: Release, metric: str, contrast: Contrast | None) -> tuple[Gap | None, Refused | None, str | None]:
    if release.findings is None:
        return None, None, release.withheld
    gap = next((g for g in release.findings.gaps if (g.metric, g.contrast) == (metric, contrast)), None)
    refused = next((r for r in release.findings.refused if (r.dimension, r.contrast) == (metric, contrast)), None)
    return gap, refused, None if gap or refused is not None else "not measured in this run"


def _signal(trend: Trend) -> Signal:
    runs = trend.runs - trend.undefined
    if isinstance(trend.p, float) and trend.p <= _LEVEL:
        return "trend"
    if runs < _AT_LEAST:
        return "too few runs"
    return "same sign every time" if trend.same_sign == runs else "none"
