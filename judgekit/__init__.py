"""Check an LLM judge before believing its scores: blind, verify, judge, swap-test, label, calibrate, report gaps.

>>> import judgekit
>>> judgekit.load_rubric("warmth").dimensions
('warmth',)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judgekit.api import agree, blind, gap
    from judgekit.errors import BadInput, JudgekitError, LeakFound, RefusedMetric, Unfinished
    from judgekit.pipeline import assess_study, plan_run, run_study
    from judgekit.records import (
        BlindedReply,
        Calibrated,
        Contrast,
        Gap,
        Interval,
        Refused,
        Reply,
        Rubric,
        Scored,
        Undefined,
        Unscored,
        Withheld,
    )
    from judgekit.rubric import load_rubric
    from judgekit.study import Study, load_study

__all__ = [
    "BadInput",
    "BlindedReply",
    "Calibrated",
    "Contrast",
    "Gap",
    "Interval",
    "JudgekitError",
    "LeakFound",
    "Refused",
    "RefusedMetric",
    "Reply",
    "Rubric",
    "Scored",
    "Study",
    "Undefined",
    "Unfinished",
    "Unscored",
    "Withheld",
    "agree",
    "assess_study",
    "blind",
    "gap",
    "load_rubric",
    "load_study",
    "plan_run",
    "run_study",
]

_HOMES = {
    "judgekit.api": ("agree", "blind", "gap"),
    "judgekit.errors": ("BadInput", "JudgekitError", "LeakFound", "RefusedMetric", "Unfinished"),
    "judgekit.pipeline": ("assess_study", "plan_run", "run_study"),
    "judgekit.rubric": ("load_rubric",),
    "judgekit.study": ("Study", "load_study"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``import judgekit`` is quick."""
    if name not in __all__:
        raise AttributeError(f"module 'judgekit' has no attribute {name!r}")
    return getattr(import_module(_HOME.get(name, "judgekit.records")), name)


def __dir__() -> list[str]:
    return sorted(__all__)
