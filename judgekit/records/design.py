"""The design: templates, people, arms, replies."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["BASE", "Arm", "ArmKind", "Identity", "NameForms", "Reply", "Unit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A template: the unit of analysis."""

    unit_id: str
    case_type: str | None = None
    lang: str | None = None
    attribute: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NameForms:
    """How one person is written: given name, family name, title, and pronouns such as ``she/her`` or ``ella``."""

    given: str
    family: str | None = None
    title: str | None = None
    pronouns: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A person who can be put into a masked text."""

    group: str
    name: str
    forms: NameForms
    name_pair: str | None = None


ArmKind = Literal[
    "base", "identity", "control", "paraphrase", "fixed_sentence", "remove", "variant", "recall", "precision"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """Which version of a text this is. Only ``base`` reaches gaps.

    ``identity`` is the name filled in; ``of_arm`` the arm a control or paraphrase belongs to; ``direction`` says
    whether a variant should raise (+1), lower (-1) or keep (0) the answer; ``token_change`` is a share in [0, 1].
    """

    kind: ArmKind = "base"
    identity: str | None = None
    group: str | None = None
    of_arm: str | None = None
    direction: Literal[-1, 0, 1] = 0
    token_change: float | None = None

    @property
    def key(self) -> str:
        """A stable text form, used in the ledger."""
        return json.dumps(
            [self.kind, self.identity, self.group, self.of_arm, self.direction, self.token_change], ensure_ascii=True
        )


BASE = Arm()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One reply of the chatbot as it was read, with its place in the design. Never sent to a judge.

    ``names_stated`` says that the row lists its names, so that an empty list means that nobody is named.
    """

    id: str
    text: str
    unit_id: str | None = None
    group: str | None = None
    name: str | None = None
    name_pair: str | None = None
    replicate: str | None = None
    arm: Arm = BASE
    context: str | None = None
    known_names: tuple[str, ...] = ()
    names_stated: bool = field(default=False, compare=False)
    lang: str | None = None
    case_type: str | None = None
    carried: Mapping[str, Any] = field(default_factory=dict)

    @property
    def failed(self) -> str | None:
        """The kind of failure where no reply came, that is where nothing can be read in ``text``; None for a reply.

        It is what the column ``error`` says, else ``no_answer``: a chatbot that answers nothing failed, and there is
        nothing to blind, judge, measure or label.
        """
        if not all(map(_unseen, self.text)):
            return None
        kind = self.carried.get("error")
        return kind if isinstance(kind, str) and kind.strip() else "no_answer"


def _unseen(character: str) -> bool:
    """Blanks, controls and characters without a width: a text of nothing else shows nothing."""
    return unicodedata.category(character) in {"Zs", "Zl", "Zp", "Cc", "Cf"}
