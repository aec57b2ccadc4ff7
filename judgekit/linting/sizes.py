"""Is the design large enough, and what can it find?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judgekit.linting.found import Finding, Level
from judgekit.records import Undefined
from judgekit.statistics.power import Design, Noise, minimum_detectable_gap, templates_for_power

__all__ = ["LEAST_RESULTS", "Detectable", "ProbeSize", "detectable", "sizes"]

LEAST_RESULTS = 100
"""Results of a group below which a difference in rates gets no verdict."""

_LEAST_TEMPLATES = 6
_WANTED = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeSize:
    """What one probe has: templates that show its attribute, names or values, replicates, results by group."""

    probe: str
    templates: int
    names: Mapping[str, int]
    replicates: int
    results: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Detectable:
    """The smallest gap that the two-way test finds in 80% of runs, and the templates a gap of 0.25 needs.

    Gaps of scores are in standard deviations between replies to one prompt, gaps of a decision in shares near one half.
    """

    probe: str
    score: float | Undefined
    decision: float | Undefined
    templates_needed: int | Undefined


def detectable(size: ProbeSize, noise: Noise) -> Detectable:
    """What a probe can find under stated assumptions.

    Parameters
    ----------
    size : ProbeSize
    noise : Noise
        In standard deviations between replies to the same prompt.

    Returns
    -------
    Detectable
        Undefined with fewer than two templates, or fewer than two names in a group.
    """
    names = min(size.names.values(), default=0)
    if size.templates < 2 or names < 2:
        none = Undefined("two templates and two names or values in each group are needed")
        return Detectable(probe=size.probe, score=none, decision=none, templates_needed=none)
    design = Design(templates=size.templates, names_a=names, names_b=names, replicates=size.replicates)
    score = minimum_detectable_gap(design, noise)
    # A coin at one half has a standard deviation of one half.
    decision = score * 0.5
    return Detectable(
        probe=size.probe,
        score=score,
        decision=decision if decision <= 1 else Undefined("a gap of any size could be missed"),
        templates_needed=templates_for_power(design, noise, _WANTED),
    )


def sizes(
    found: Sequence[ProbeSize],
    noise: Noise,
    *,
    confirmatory: bool,
    path: Path,
    line: int | None,
) -> Iterator[Finding]:
    """Check group sizes, and say what each probe can find.

    Parameters
    ----------
    found : sequence of ProbeSize
    noise : Noise
    confirmatory : bool
        Too few results are an error then, a warning in a pilot.
    path : Path
    line : int or None
        Where ``probe.replicates`` stands.

    Yields
    ------
    Finding
    """
    for size in found:
        least = min(size.results.values(), default=0)
        if least < LEAST_RESULTS:
            said = ", ".join(f"{group} {n}" for group, n in size.results.items())
            level: Level = "error" if confirmatory else "warning"
            per = max(1, least // max(1, size.replicates))
            yield Finding(
                code="too_few", level=level, path=path, line=line,
                what=f"{size.probe}: fewer than {LEAST_RESULTS} results in a group ({said})",
                why="a difference in rates gets no verdict below that",
                remedy=f"more templates or names; or replicates: {-(-LEAST_RESULTS // per)}, which tells least",
            )  # fmt: skip
        if 0 < size.templates < _LEAST_TEMPLATES:
            yield Finding(
                code="few_templates", level="warning", path=path, line=line,
                what=f"{size.probe}: {size.templates} template{'s' if size.templates > 1 else ''}",
                why=f"no two-sided p of the sign-flip test can be under {2 / 2**size.templates:.3g}",
                remedy=f"{_LEAST_TEMPLATES} templates or more; replicates do not help",
            )  # fmt: skip
        yield _can(size, detectable(size, noise), noise, path, line)


def _can(size: ProbeSize, can: Detectable, noise: Noise, path: Path, line: int | None) -> Finding:
    place: dict[str, Any] = {"code": "detects", "level": "note", "path": path, "line": line}
    if isinstance(can.score, Undefined):
        return Finding(
            what=f"{size.probe}: no gap between groups can be told from luck in names and templates",
            why=can.score.reason, remedy="more of both", **place,
        )  # fmt: skip
    rate = (
        "no gap of a yes rate"
        if isinstance(can.decision, Undefined)
        else f"{100 * can.decision:.0f} points of a yes rate near 50%"
    )
    needed = can.templates_needed
    more = (
        "more names, since templates alone cannot reach it" if isinstance(needed, Undefined) else f"{needed} templates"
    )
    return Finding(
        what=f"{size.probe}: finds in 80% of runs a gap of {can.score:.2f} standard deviations of a score, or {rate}; "
        f"smaller gaps are mostly missed",
        why=f"assumed, in standard deviations between replies to one prompt: gaps differ between templates by "
        f"{noise.template_gap:g}, names of a group by {noise.name:g}; two-way test at 0.05",
        remedy=f"a gap of {_WANTED:g} needs {more}", **place,
    )  # fmt: skip
