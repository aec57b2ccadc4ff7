"""The paraphrase arm of a swap test: the same person in a text of which as many tokens are reworded.

How far each text is reworded follows from the text itself: as many tokens as change when the other group's person is put
in. Reworded is the masked text; it is verified again, and the person is put back by `fill` alone, so that nothing but
the wording differs from the identity arm. Texts that cannot be reworded as far are left out and told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from judgekit.blinding.fill import fill
from judgekit.records import Arm, BlindedReply, FilledText, Identity, MaskedText, Withheld
from judgekit.rewording.paraphrase import MAX_TOKENS, enough, paraphrase_masked, tokens_of
from judgekit.statistics.token_change import token_change
from judgekit.wording.sentence import say

__all__ = ["RewordedArm", "Wanted", "by_rules", "reworded_fills", "wanted_changes"]

Verify = Callable[[MaskedText], BlindedReply | Withheld]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be reworded: a masked text, the fill it is compared with, and the tokens that shall change."""

    masked: MaskedText
    of: FilledText
    changes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RewordedArm:
    """Fills of the arm, and by item why a text has none. ``texts`` were asked for."""

    fills: tuple[FilledText, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    texts: int = 0

    @property
    def note(self) -> str:
        """What is to be said where results lack the arm or rest on fewer texts."""
        if not self.left_out:
            return say("not run")
        reasons = list(self.left_out.values())
        most = max(set(reasons), key=lambda r: (reasons.count(r), r))
        return say(
            "{n} of {of} texts could not be reworded as far as names change them (mostly: {most})",
            n=len(self.left_out), of=self.texts, most=most,
        )  # fmt: skip


def wanted_changes(texts: Sequence[MaskedText], fills: Sequence[FilledText], *, seed: int) -> list[Wanted]:
    """How far every text is to be reworded, and in whose version.

    Parameters
    ----------
    texts : sequence of MaskedText
        Those that were filled.
    fills : sequence of FilledText
        From `judging.swap_test.swap_fills`.
    seed : int
        Decides which group's version is reworded first; they take turns.

    Returns
    -------
    list of Wanted
        ``changes`` is the mean number of tokens by which the other groups' fills differ from the chosen one, 1 at the
        least; 0 marks a text that is too long to be measured.
    """
    by_item: dict[str, list[FilledText]] = {}
    for made in fills:
        if made.arm.kind == "identity":
            by_item.setdefault(made.item, []).append(made)
    found = []
    masked = {text.item: text for text in texts}
    for number, (item, versions) in enumerate(by_item.items()):
        # The control takes the other turn, so that no group's version is asked twice as often.
        chosen = versions[(number + seed + 1) % len(versions)]
        others = [v for v in versions if v is not chosen]
        changes = 0
        if tokens_of(chosen.text, chosen.context) in range(1, MAX_TOKENS + 1) and others:
            far = [token_change(_whole(chosen), _whole(other)).distance for other in others]
            changes = max(1, round(sum(far) / len(far)))
        found.append(Wanted(masked=masked[item], of=chosen, changes=changes))
    return found


def _whole(text: FilledText) -> str:
    return text.text if text.context is None else f"{text.context}\n{text.text}"


def by_rules(wanted: Sequence[Wanted], *, seed: int) -> dict[str, MaskedText | str]:
    """Every text reworded by the bundled rules, or why it could not be; by item."""
    made: dict[str, MaskedText | str] = {}
    for want in wanted:
        if want.changes < 1:
            made[want.masked.item] = say("too long to be measured")
            continue
        text, told = paraphrase_masked(want.masked, changes=want.changes, seed=seed)
        made[want.masked.item] = text if told.reached else _short(told.why)
    return made


def _short(why: str) -> str:
    return say("the rules find too little to change") if why.startswith("the rules find") else why


def reworded_fills(
    wanted: Sequence[Wanted],
    reworded: Mapping[str, MaskedText | str],
    identities: Sequence[Identity],
    *,
    verify: Verify,
) -> RewordedArm:
    """Verify reworded texts and put their person back in.

    Parameters
    ----------
    wanted : sequence of Wanted
    reworded : mapping of str to (MaskedText or str)
        Item to its reworded masked text, or why there is none; from `by_rules` or `swapping.model.by_judge`.
    identities : sequence of Identity
        All people of the test.
    verify : callable
        The verifier that blinded texts pass; what it withholds is left out.

    Returns
    -------
    RewordedArm
        Arms of kind ``paraphrase``; ``token_change`` is the share of tokens in which the fill differs from the one it
        is compared with.
    """
    people = {(person.group, person.name): person for person in identities}
    made: list[FilledText] = []
    left_out: dict[str, str] = {}
    for want in wanted:
        item, arm = want.masked.item, want.of.arm
        text = reworded.get(item, say("not reworded"))
        person = people.get((arm.group or "", arm.identity or ""))
        if isinstance(text, str) or person is None:
            left_out[item] = text if isinstance(text, str) else say("its person is not listed")
            continue
        if not isinstance(verify(text), BlindedReply):
            left_out[item] = say("withheld by the verifier once reworded")
            continue
        trial = fill(text, person, arm=arm)
        change = token_change(_whole(want.of), _whole(trial))
        if not enough(want.changes, change.distance) or not isinstance(change.share, float):
            more = change.distance > want.changes
            left_out[item] = (
                say("changed by more tokens than wanted") if more else say("changed by fewer tokens than wanted")
            )
            continue
        own = Arm(
            kind="paraphrase",
            identity=arm.identity,
            group=arm.group,
            of_arm=arm.key,
            token_change=round(change.share, 4),
        )
        made.append(fill(text, person, arm=own))
    return RewordedArm(fills=tuple(made), left_out=left_out, texts=len(wanted))
