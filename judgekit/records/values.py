"""Statistical values, and the row of the design that statistics see."""

from __future__ import annotations

from dataclasses import dataclass

from judgekit.wording.sentence import say

__all__ = ["Contrast", "Interval", "MetricRow", "Undefined"]


@dataclass(frozen=True, slots=True)
class Undefined:
    """A statistic that does not exist for this input, and why. It is false in a condition and equals no number."""

    reason: str
    detail: str = ""

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        if self.detail:
            return say("undefined ({reason}): {detail}", reason=say(self.reason), detail=say(self.detail))
        return say("undefined ({reason})", reason=say(self.reason))


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval. ``low`` and ``high`` may be infinite; ``level`` is a share such as 0.95."""

    low: float
    high: float
    level: float
    method: str


@dataclass(frozen=True, slots=True, order=True)
class Contrast:
    """Two groups compared. Every gap of this contrast is ``a`` minus ``b``."""

    a: str
    b: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricRow:
    """One generation as the statistics see it: where it stands in the design, and a value or the reason it lacks one.

    ``value`` is None exactly when ``missing`` names a kind (``withheld``, ``refusal``, ``no_json`` ...).
    """

    item: str
    unit_id: str | None
    group: str | None
    name: str | None
    value: float | None
    missing: str | None = None
    name_pair: str | None = None
    replicate: str | None = None
    case_type: str | None = None
