"""Masked, verified, withheld and filled texts."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from typing import Literal

from judgekit.records.design import Arm
from judgekit.records.makers import must_be_maker, text_hash

__all__ = [
    "BLINDING_VERSION",
    "BlindedReply",
    "Field",
    "FilledText",
    "Leak",
    "MaskedText",
    "PairItem",
    "Slot",
    "Withheld",
]

BLINDING_VERSION = "1"

Field = Literal["text", "context"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A placeholder in a masked text and what stood there.

    ``start`` and ``end`` count code points in the masked text of ``field``; ``person`` numbers people by first
    appearance over context and reply (None: no person, such as a mail address); ``subject`` marks the person whose
    identity is swapped; ``kind`` is the cue's kind and ``form`` its grammatical form; ``surface`` is the original.
    """

    field: Field
    start: int
    end: int
    person: int | None
    subject: bool
    kind: str
    form: str
    surface: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskedText:
    """A reply and its context with every cue replaced by a typed slot. Not yet verified.

    ``timed_out``: a pattern of the masker did not end in time; the texts are empty then, and the verifier withholds them.
    """

    item: str
    text: str
    context: str | None = None
    slots: tuple[Slot, ...] = ()
    lang: str = "en"
    known_names: tuple[str, ...] = ()
    timed_out: bool = False

    @property
    def text_hash(self) -> str:
        """Hash of the masked reply and context."""
        return text_hash(self.text, self.context)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """A cue found in text that should be blinded: where, of what kind, and by which rule of the verifier."""

    field: Field
    start: int
    end: int
    kind: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """A reply that no judge and no rater may see. ``code`` is ``leak``, ``timeout``, ``language`` or ``script``.

    ``leaks`` has the first ones of each text in its order, ``more`` says how many further ones were found.
    """

    item: str
    code: str
    leaks: tuple[Leak, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindedReply:
    """A masked text that the verifier has passed: the only thing a judge or a rater receives for scoring."""

    item: str
    text: str
    context: str | None
    text_hash: str
    lang: str
    blinding_version: str
    maker: InitVar[object]

    def __post_init__(self, maker: object) -> None:
        must_be_maker("BlindedReply", maker)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledText:
    """A masked text with an identity put back, for the swap test. Its judgments can never become scores."""

    item: str
    arm: Arm
    text: str
    context: str | None
    text_hash: str
    lang: str
    maker: InitVar[object]

    def __post_init__(self, maker: object) -> None:
        must_be_maker("FilledText", maker)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairItem:
    """Two blinded replies of one template, to be compared."""

    pair_id: str
    a_item: str
    b_item: str
    unit_id: str | None = None
