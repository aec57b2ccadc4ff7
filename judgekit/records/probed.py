"""What is said to the chatbot under test: one conversation of the counterfactual design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from judgekit.records.design import BASE, Arm

__all__ = ["Prompt", "Turn"]


class Turn(NamedTuple):
    """One turn of a conversation: who speaks, and what is said."""

    role: Literal["user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One conversation to hold with the chatbot under test, with its place in the design.

    ``id`` is opaque. ``position`` is its place in the random order of sending, from 1. ``probe`` names what is varied
    (an attribute, an intersection, or ``control``) and ``attribute`` what the groups are groups of. ``order`` tells
    which candidate comes first where two share a prompt. ``known_names`` are the forms of every name put in. The system
    prompt is the target's own and stands in no `Prompt`.
    """

    id: str
    position: int
    unit_id: str
    probe: str
    attribute: str | None = None
    group: str | None = None
    name: str | None = None
    name_pair: str | None = None
    replicate: str = "1"
    arm: Arm = BASE
    turns: tuple[Turn, ...]
    order: Literal["ab", "ba"] | None = None
    known_names: tuple[str, ...] = ()
    lang: str | None = None
    case_type: str | None = None
    template_hash: str = ""
    prompt_hash: str = ""

    @property
    def context(self) -> str:
        """What the user said, turns joined by an empty line: the context of the reply."""
        return "\n\n".join(turn.content for turn in self.turns if turn.role == "user")
