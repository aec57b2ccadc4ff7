"""The vocabulary: every record that passes between the stages.

All records are frozen. Three of them vouch for something and can be made by one module only: `BlindedReply` (by
``blinding.verify``), `FilledText` (by ``blinding.fill``) and `Calibrated` (by ``calibration``). A missing score is
`Unscored`, never a number; a statistic that does not exist is `Undefined`, never ``nan``.
"""

from __future__ import annotations

from judgekit.records.blinded import (
    BLINDING_VERSION,
    BlindedReply,
    Field,
    FilledText,
    Leak,
    MaskedText,
    PairItem,
    Slot,
    Withheld,
)
from judgekit.records.design import BASE, Arm, ArmKind, Identity, NameForms, Reply, Unit
from judgekit.records.judged import (
    Attempt,
    Call,
    Criterion,
    Judgment,
    Outcome,
    Preference,
    Rubric,
    Scored,
    ScoreKind,
    Task,
    Unscored,
    scores_of,
)
from judgekit.records.labelled import LabelEvent, LabelKey, LabelTask, Rating
from judgekit.records.makers import claim_maker, text_hash
from judgekit.records.probed import Prompt, Turn
from judgekit.records.values import Contrast, Interval, MetricRow, Undefined
from judgekit.records.verdicts import (
    Agreement,
    Calibrated,
    Gap,
    GapEstimate,
    GapInfluence,
    GapNoise,
    GroupRows,
    Reason,
    Refused,
    Seal,
    SwapResult,
)

__all__ = [
    "BASE",
    "BLINDING_VERSION",
    "Agreement",
    "Arm",
    "ArmKind",
    "Attempt",
    "BlindedReply",
    "Calibrated",
    "Call",
    "Contrast",
    "Criterion",
    "Field",
    "FilledText",
    "Gap",
    "GapEstimate",
    "GapInfluence",
    "GapNoise",
    "GroupRows",
    "Identity",
    "Interval",
    "Judgment",
    "LabelEvent",
    "LabelKey",
    "LabelTask",
    "Leak",
    "MaskedText",
    "MetricRow",
    "NameForms",
    "Outcome",
    "PairItem",
    "Preference",
    "Prompt",
    "Rating",
    "Reason",
    "Refused",
    "Reply",
    "Rubric",
    "ScoreKind",
    "Scored",
    "Seal",
    "Slot",
    "SwapResult",
    "Task",
    "Turn",
    "Undefined",
    "Unit",
    "Unscored",
    "Withheld",
    "claim_maker",
    "scores_of",
    "text_hash",
]
