"""The texts of a study's swap test: who is put into which text, and which texts are reworded beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from judgekit.judging.handle import JudgeHandle, make_judge
from judgekit.judging.swap_results import swap_results
from judgekit.judging.swap_test import choose_texts, swap_fills
from judgekit.records import Contrast, FilledText, Identity, Judgment, MaskedText, Reply, Rubric, SwapResult
from judgekit.stages import NO_NAMES, Blinded, fillable, identities_of, verifier_of
from judgekit.study import Study
from judgekit.swapping.arms import RewordedArm, Wanted, by_rules, reworded_fills, wanted_changes
from judgekit.swapping.pair_results import PairSwapResult, pair_swap_results
from judgekit.swapping.pairs import PairFill, choose_pairs, pair_fills
from judgekit.wording.sentence import say

__all__ = ["Swap", "pair_verdicts", "reworder_of", "swap_texts", "swap_verdicts", "with_rewordings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """What a swap test judges.

    ``note`` says why there is none; ``wanted`` are texts that a model is to reword (see `with_rewordings`), and
    ``paraphrase_note`` why results lack that arm or rest on fewer texts.
    """

    fills: tuple[FilledText, ...] = ()
    contrasts: tuple[Contrast, ...] = ()
    note: str | None = None
    people: tuple[Identity, ...] = ()
    wanted: tuple[Wanted, ...] = ()
    paraphrase_note: str = say("not run")
    pairs: tuple[PairFill, ...] = ()


def swap_texts(study: Study, replies: Sequence[Reply], blinded: Blinded) -> Swap:
    """Fill the study's texts for its swap test, and reword them by rules where it says so.

    Parameters
    ----------
    study : Study
    replies : sequence of Reply
    blinded : Blinded

    Returns
    -------
    Swap
        With ``wanted`` where an endpoint is to reword the texts: `with_rewordings` adds them.
    """
    if study.groups is None:
        return Swap(note=say("not run: the study has no groups"))
    people = identities_of(study, replies)
    declared = study.contrasts or _met_contrasts(replies)
    possible = fillable(declared, people)
    if not possible:
        return Swap(note=say("not run: {why}", why=NO_NAMES))
    verified = [blinded.masked[reply.item] for reply in blinded.verified]
    units = {reply.id: reply.unit_id for reply in replies}
    seed = study.statistics.seed
    chosen = choose_texts(verified, study.swap_test.texts, seed=seed, units=units)
    if not chosen:
        return Swap(contrasts=possible, note=say("not run: no text has a slot for the person it is about"))
    named = [person for group in people.values() for person in group]
    made = tuple(swap_fills(chosen, named, seed=seed, units=units))
    if not made:
        return Swap(contrasts=possible, note=say("not run: no text reads differently under names of the groups"))
    pairs = choose_pairs(verified, study.swap_test.pairs, seed=seed, units=units)
    compared = tuple(pair_fills(pairs, named, possible, seed=seed, units=units)) if pairs else ()
    swap = Swap(fills=made, contrasts=possible, people=tuple(named), pairs=compared)
    if study.swap_test.paraphrase == "none":
        return replace(swap, paraphrase_note=say("not asked for (swap_test.paraphrase: none)"))
    wanted = tuple(wanted_changes(chosen, made, seed=seed))
    if study.swap_test.paraphrase == "rules":
        found = reworded_fills(wanted, by_rules(wanted, seed=seed), named, verify=verifier_of(study).verify)
        return _with(swap, found)
    return replace(swap, wanted=wanted)


def reworder_of(study: Study) -> JudgeHandle:
    """The model that rewords, at the judge's address and with its key where it is of the judge's provider.

    Parameters
    ----------
    study : Study
        Its ``swap_test.paraphrase`` names one.

    Returns
    -------
    JudgeHandle

    Raises
    ------
    ConfigProblem
        No such model.
    """
    settings, spec = study.judge, study.swap_test.paraphrase
    kind = spec.partition(":")[0]
    same = settings.spec.strip().startswith(kind)
    asked = kind in {"openai", "anthropic", "local"}
    return make_judge(
        spec,
        base_url=settings.base_url if same else None,
        api_key_env=settings.api_key_env if same else None,
        parameters={"temperature": 0.0, "max_tokens": settings.max_tokens} if asked else None,
        prices=settings.prices if same else None,
        folder=study.base,
    )


def with_rewordings(study: Study, swap: Swap, reworded: Mapping[str, MaskedText | str]) -> Swap:
    """The swap test with the paraphrase arm of a model's rewordings.

    Parameters
    ----------
    study : Study
    swap : Swap
        From `swap_texts`, with ``wanted``.
    reworded : mapping of str to (MaskedText or str)
        From `swapping.model`.

    Returns
    -------
    Swap
    """
    return _with(swap, reworded_fills(swap.wanted, reworded, swap.people, verify=verifier_of(study).verify))


def _with(swap: Swap, arm: RewordedArm) -> Swap:
    return replace(swap, fills=(*swap.fills, *arm.fills), paraphrase_note=arm.note)


def _met_contrasts(replies: Sequence[Reply]) -> tuple[Contrast, ...]:
    met = sorted({r.group for r in replies if r.group is not None})
    return tuple(Contrast(a, b) for i, a in enumerate(met) for b in met[i + 1 :])


def pair_verdicts(
    study: Study, swap: Swap, judgments: Sequence[Judgment], rubrics: Sequence[Rubric]
) -> list[PairSwapResult]:
    """Verdicts on the study's pairs under swapped names; none when there are none.

    Parameters
    ----------
    study : Study
    swap : Swap
    judgments : sequence of Judgment
        From `swapping.pairs.judge_pair_fills`.
    rubrics : sequence of Rubric

    Returns
    -------
    list of PairSwapResult
    """
    claim = study.groups.claim if study.groups else "groups"
    return pair_swap_results(judgments, swap.pairs, rubrics, margin=study.swap_test.margin, claim=claim)


def swap_verdicts(
    study: Study, swap: Swap, judgments: Sequence[Judgment], rubrics: Sequence[Rubric], replies: Sequence[Reply]
) -> list[SwapResult]:
    """Verdicts of the study's swap test; none when nothing was filled.

    Parameters
    ----------
    study : Study
    swap : Swap
    judgments : sequence of Judgment
        Of the fills, and of the blinded texts.
    rubrics : sequence of Rubric
    replies : sequence of Reply

    Returns
    -------
    list of SwapResult
    """
    if not swap.fills:
        return []
    return swap_results(
        judgments,
        swap.fills,
        swap.contrasts,
        rubrics,
        margin=study.swap_test.margin,
        units={reply.id: reply.unit_id for reply in replies},
        claim=study.groups.claim if study.groups else "groups",
        paraphrase_note=swap.paraphrase_note,
    )
