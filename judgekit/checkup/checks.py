"""One thing looked at, and a report of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from judgekit.errors import JudgekitError

__all__ = ["Check", "Checkup", "blocked", "fine", "note", "warn"]

Status = Literal["fine", "note", "warn", "blocks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """``status``: ``fine``, ``note`` (good to know), ``warn`` (a result will be weaker), ``blocks`` (a command will refuse)."""

    area: str
    status: Status
    what: str
    remedy: str | None = None


@dataclass(kw_only=True)
class Checkup:
    """What was found of one place. ``supports`` maps stages, metrics and claims to what is possible, in words."""

    place: str
    kind: str
    checks: list[Check] = field(default_factory=list)
    supports: dict[str, list[str]] = field(default_factory=dict)
    next: str | None = None

    @property
    def blocks(self) -> bool:
        """Whether something blocks."""
        return any(check.status == "blocks" for check in self.checks)

    def add(self, checks: Iterable[Check]) -> None:
        """Take more checks."""
        self.checks += checks

    def to_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "place": self.place,
            "kind": self.kind,
            "checks": [{"area": c.area, "status": c.status, "what": c.what, "remedy": c.remedy} for c in self.checks],
            "supports": self.supports,
            "next": self.next,
            "blocked": self.blocks,
        }


def fine(area: str, what: str) -> Check:
    """Nothing to do."""
    return Check(area=area, status="fine", what=what)


def note(area: str, what: str, remedy: str | None = None) -> Check:
    """Good to know."""
    return Check(area=area, status="note", what=what, remedy=remedy)


def warn(area: str, what: str, remedy: str | None = None) -> Check:
    """A result will be weaker."""
    return Check(area=area, status="warn", what=what, remedy=remedy)


def blocked(area: str, problem: JudgekitError | str, remedy: str | None = None) -> Check:
    """A command will refuse; an error of ours brings its place, reason and remedy."""
    if isinstance(problem, str):
        return Check(area=area, status="blocks", what=problem, remedy=remedy)
    said = str(problem).partition(" Do: ")[0].rstrip(".")
    return Check(area=area, status="blocks", what=said, remedy=remedy or problem.remedy)
