"""Stored blinded texts, each verified again: the one way in for every stage that reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from judgekit.blinding.verify import Verifier
from judgekit.errors import BadInput
from judgekit.files.blinded import Stored, design_path, find_design, read_blinded
from judgekit.files.blinding_rules import BlindingRules
from judgekit.records import BlindedReply, MaskedText, Withheld

__all__ = ["NAMES_UNKNOWN", "iter_verified", "need_design", "verify_like"]

NAMES_UNKNOWN = "no design file beside it: known names could not be looked for"
"""What must be said wherever texts went on without their design."""


def need_design(blinded: str | Path) -> None:
    """Refuse blinded texts that no design file stands beside.

    Raises
    ------
    BadInput
        It holds the names to look for, so without it a text with a name in it could pass.
    """
    if find_design(blinded) is None:
        raise BadInput(
            f"the design file {design_path(blinded).name} is needed",
            path=blinded,
            why="it holds the names to look for",
            remedy="put it beside the blinded texts; judge, sample and verify also go without it when told --no-design",
        )


def iter_verified(
    path: str | Path,
    *,
    no_design: bool = False,
    slots_needed: bool = True,
    packs: Sequence[str] = (),
    keep: Sequence[str] = (),
) -> Iterator[tuple[Stored, BlindedReply | Withheld]]:
    """Read blinded texts and verify every one, whatever its status says, by the rules it was blinded by.

    Parameters
    ----------
    path : str or Path
        What `judgekit blind` wrote, its design file beside it; or ``blinded.jsonl`` of a run.
    no_design : bool
        Go without a design file where there is none: names cannot be looked for, and any placeholder of the known
        grammar is taken for one of ours. Say `NAMES_UNKNOWN` then. A design file that is there is used all the same.
    slots_needed : bool
        Whether a design without slots is refused; otherwise any placeholder of the known grammar is taken for one of
        ours, and names are looked for.
    packs, keep : sequence of str
        In addition to the rules that the design keeps.

    Yields
    ------
    Stored, BlindedReply or Withheld
        In file order.

    Raises
    ------
    BadInput
        At the call: no design file. While reading: as `files.blinded.read_blinded`, or a row whose design is missing,
        has no names or no slots, or keeps rules that cannot be followed.
    """
    design = find_design(path)
    if design is None and not no_design:
        _look(path)
        need_design(path)
    return _verified(Path(path), design, _Verifiers(packs, keep), slots_needed=slots_needed)


def _look(path: str | Path) -> None:
    """Say first when the file holds no blinded texts at all: then a missing design is the lesser problem."""
    next(read_blinded(path), None)


def _verified(
    path: Path, design: Path | None, verifiers: _Verifiers, *, slots_needed: bool
) -> Iterator[tuple[Stored, BlindedReply | Withheld]]:
    for stored in read_blinded(path):
        missing = [] if stored.names_known else ["known_names"]
        missing += ["slots"] if slots_needed and not stored.slots_known else []
        if design is not None and missing:
            raise BadInput(
                "a row of the design file does not say what verification needs",
                path=design,
                field=missing[0],
                seen=stored.masked.item,
                why="names to look for and the places of the placeholders stand in the design alone",
                remedy="blind again, and keep the two files together",
            )
        masked, verifier = stored.masked, verifiers.of(stored.rules)
        yield (
            stored,
            verifier.verify(masked)
            if stored.slots_known
            else verifier.verify_text(
                item=masked.item,
                text=masked.text,
                context=masked.context,
                known_names=masked.known_names,
                lang=masked.lang,
            ),
        )


def verify_like(stored: Mapping[str, Stored]) -> Callable[[MaskedText], BlindedReply | Withheld]:
    """A check for texts made of stored ones, each by the rules that its own was blinded by.

    Parameters
    ----------
    stored : mapping of str to Stored
        By item; a text of another item raises `KeyError`.

    Returns
    -------
    callable
        Takes a masked text.
    """
    verifiers = _Verifiers((), ())
    return lambda masked: verifiers.of(stored[masked.item].rules).verify(masked)


class _Verifiers:
    """One verifier for every set of rules met; a file has one set as a rule."""

    def __init__(self, packs: Sequence[str], keep: Sequence[str]) -> None:
        self._packs, self._keep = tuple(packs), tuple(keep)
        self._made: dict[BlindingRules, Verifier] = {}

    def of(self, rules: BlindingRules) -> Verifier:
        """The verifier of these rules."""
        found = self._made.get(rules)
        if found is None:
            if len(self._made) >= 8:
                self._made.clear()
            found = self._made[rules] = Verifier(
                packs=tuple(dict.fromkeys((*rules.packs, *self._packs))),
                extra_cues=rules.extra_cues,
                keep=tuple(dict.fromkeys((*rules.keep, *self._keep))),
            )
        return found
