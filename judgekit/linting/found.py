"""A finding of the linter: what, where, why it matters, what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypedDict

from judgekit.printable import printable

__all__ = ["Finding", "Level", "Place", "in_order"]

Level = Literal["error", "warning", "note"]


class Place(TypedDict, total=False):
    """Where a finding is; keyword arguments of `Finding`."""

    template: str | None
    path: Path | None
    line: int | None


_RANK: dict[str, int] = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding. An error spoils the comparison, a warning weakens it, a note says what to expect of it."""

    code: str
    level: Level
    what: str
    why: str
    remedy: str
    template: str | None = None
    path: Path | None = None
    line: int | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path and self.path.name, self.line) if part is not None)
        about = f" [{self.template}]" if self.template else ""
        text = f"{place + ': ' if place else ''}{self.level} {self.code}{about}: {self.what}. {self.why[:1].upper()}{self.why[1:]}."
        return printable(text + (f" Do: {self.remedy}." if self.remedy else ""))

    def to_dict(self) -> dict[str, object]:
        """The same facts for ``--json``."""
        return {
            "code": self.code,
            "level": self.level,
            "template": self.template and printable(self.template),
            "path": self.path and printable(str(self.path)),
            "line": self.line,
            "what": printable(self.what),
            "why": printable(self.why),
            "remedy": printable(self.remedy),
        }


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Errors first, then by file and line; what is found twice stands once."""
    unique = dict.fromkeys(findings)
    return sorted(unique, key=lambda f: (_RANK[f.level], str(f.path or ""), f.line or 0, f.code, f.what))
