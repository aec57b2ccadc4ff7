"""Arms beside the base cells: controls, the wording baselines, recall and precision checks, prompts without the cue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from judgekit.records import Arm, Turn, Undefined
from judgekit.rewording.fixed import fixed_sentence
from judgekit.rewording.paraphrase import paraphrase, tokens_of
from judgekit.statistics.token_change import token_change
from judgekit.templating.cells import Cell, LeftOut, Plan, writes
from judgekit.templating.forms import write
from judgekit.templating.model import Person, Variant

__all__ = ["CUE_LEFT", "Asked", "arms_of", "chosen_cells"]

AGE = "age"
CUE_LEFT = "without what stands in [[ ]] the group still shows"
"""Why a template has no prompt without the cue, where it tries to have one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which arms are wanted. ``removal`` names the attributes whose cue is removed."""

    controls: int = 0
    fixed_sentence: bool = False
    paraphrase: bool = False
    recall: bool = False
    precision: bool = False
    removal: tuple[str, ...] = ()


def arms_of(plan: Plan, cells: Sequence[Cell], asked: Asked) -> tuple[list[Cell], list[LeftOut]]:
    """Cells of every arm that is wanted.

    Parameters
    ----------
    plan : Plan
    cells : sequence of Cell
        The base cells, from `cells_of`.
    asked : Asked

    Returns
    -------
    list of Cell
        For each template and pair position of a probe one group's prompt, groups taking turns; their turns are written.
    list of LeftOut
        What could not be made: wording that the rules cannot change as far as the groups' prompts differ, templates
        without the variant.
    """
    made: list[Cell] = []
    left_out: list[LeftOut] = []
    for cell, others in chosen_cells(cells, plan.seed):
        turns = cell.write()
        base = replace(cell, written=turns)
        for kind, wanted in (("paraphrase", asked.paraphrase), ("fixed_sentence", asked.fixed_sentence)):
            if wanted:
                _add(made, left_out, cell, kind, _reworded(kind, base, others, plan))
        if asked.recall:
            _add(made, left_out, cell, "recall", _variants(cell, turns, "recall", cell.template.recall))
        if asked.precision:
            _add(
                made,
                left_out,
                cell,
                "precision",
                [*_older(cell, turns), *_variants(cell, turns, "precision", cell.template.precision)],
            )
        if cell.probe in asked.removal:
            _add(made, left_out, cell, "remove", _removed(plan, cell, others, turns))
    made += _controls(cells, asked.controls)
    return made, left_out


def _add(made: list[Cell], left_out: list[LeftOut], cell: Cell, kind: str, found: Sequence[Cell] | str) -> None:
    if isinstance(found, str) or not found:
        reasons = {
            "recall": "it has no recall variant whose prompt differs",
            "precision": "it has no {age} that is a whole number, and no precision variant",
        }
        why = found if isinstance(found, str) else reasons.get(kind, "nothing could be made")
        left_out.append(LeftOut(f"{cell.probe}, {kind}", cell.template.id, why))
    else:
        made += found


def chosen_cells(cells: Sequence[Cell], seed: int) -> Iterator[tuple[Cell, tuple[Cell, ...]]]:
    """One cell of every comparison, groups taking turns, and the other cells of it.

    Parameters
    ----------
    cells : sequence of Cell
        Base cells in the order of `cells_of`.
    seed : int
        Decides who is first.
    """
    single = [cell for cell in cells if "+" not in cell.probe and not cell.template.two_candidates]
    comparisons = groupby(single, key=lambda cell: (cell.probe, cell.template.id, cell.name_pair))
    for (_, _, pair), found in comparisons:
        group = list(found)
        # Templates shift the turn by one, so that no group is always the one with the first name.
        at = (seed + group[0].template.number + int(pair or 1)) % len(group)
        yield group[at], tuple(cell for cell in group if cell is not group[at])


def _reworded(kind: str, base: Cell, others: Sequence[Cell], plan: Plan) -> list[Cell] | str:
    """The chosen prompt in other words, in the user's turns only."""
    lang = base.template.lang
    own = _said(base.written)
    if kind == "fixed_sentence":
        last = base.written[-1]
        turns = (*base.written[:-1], Turn("user", fixed_sentence(last.content, lang=lang, seed=plan.seed)))
    else:
        far = [token_change(own, _said(other.write())).distance for other in others]
        wanted = max(1, round(sum(far) / len(far))) if far else 1
        made = paraphrase(
            own, lang=lang, share=min(1.0, wanted / max(1, tokens_of(own))), seed=plan.seed, frozen=_frozen(base)
        )
        if not made.reached:
            return "the rules find too little to change" if made.why.startswith("the rules find") else made.why
        turns = _split(base.written, made.text)
    share = token_change(own, _said(turns)).share
    arm = Arm(
        kind="paraphrase" if kind == "paraphrase" else "fixed_sentence",
        identity=base.name,
        group=base.group,
        of_arm="base",
        token_change=None if isinstance(share, Undefined) else min(1.0, round(share, 4)),
    )
    return [replace(base, written=turns, arm=arm)]


def _said(turns: Sequence[Turn]) -> str:
    """What the user says, one turn after the other; rules never change line breaks, so that it can be split again."""
    return "\n".join(turn.content for turn in turns if turn.role == "user")


def _split(turns: Sequence[Turn], text: str) -> tuple[Turn, ...]:
    lines = text.split("\n")
    out, at = list[Turn](), 0
    for turn in turns:
        if turn.role != "user":
            out.append(turn)
            continue
        length = turn.content.count("\n") + 1
        out.append(Turn("user", "\n".join(lines[at : at + length])))
        at += length
    return tuple(out)


def _frozen(base: Cell) -> list[tuple[int, int]]:
    """Where slots stand in what the user says: a paraphrase leaves them as they are."""
    spans, at = list[tuple[int, int]](), 0
    for turn in base.template.turns:
        if turn.role == "user":
            written = write(turn.content, base.cast, lang=base.template.lang)
            spans += [(at + span.start, at + span.end) for span in written.spans]
            at += len(written.text) + 1
    return spans


def _variants(cell: Cell, turns: tuple[Turn, ...], kind: str, variants: Sequence[Variant]) -> list[Cell]:
    made = []
    for variant in variants:
        cast = replace(cell.cast, values={**cell.cast.values, **variant.slots})
        changed = replace(cell, turns=variant.turns, cast=cast).write()
        if changed != turns:
            made.append(_checked(cell, changed, kind, variant))
    return made


def _checked(cell: Cell, turns: tuple[Turn, ...], kind: str, variant: Variant) -> Cell:
    arm = Arm(
        kind="recall" if kind == "recall" else "precision",
        identity=cell.name,
        group=cell.group,
        of_arm="base",
        direction=variant.direction,
    )
    return replace(cell, written=turns, arm=arm)


def _older(cell: Cell, turns: tuple[Turn, ...]) -> list[Cell]:
    """The same person one year older."""
    values: Mapping[str, str] = cell.cast.values
    said = values.get(AGE, "").strip()
    if not (said.isascii() and said.isdigit()):
        return []
    return _variants(cell, turns, "precision", [Variant(slots={AGE: str(int(said) + 1)})])


def _removed(plan: Plan, cell: Cell, others: Sequence[Cell], turns: tuple[Turn, ...]) -> list[Cell] | str:
    cue = writes(plan, cell.template, cell.probe)
    without = replace(cell, without=cue).write()
    if without == turns:
        return "no stretch in [[ ]] holds the cue"
    if any(replace(other, without=cue).write() != without for other in others):
        return CUE_LEFT
    arm = Arm(kind="remove", of_arm="base")
    left = tuple(person for person in cell.people if _is_named(person, without))
    probe = f"removal:{cell.probe}"
    return [replace(cell, probe=probe, group=None, name=None, people=left, written=without, arm=arm)]


def _is_named(person: Person, turns: Sequence[Turn]) -> bool:
    return any(form in turn.content for turn in turns for form in person.forms)


def _controls(cells: Sequence[Cell], pairs: int) -> Iterator[Cell]:
    """What each control pair of a template says, in the words of people who take turns over the groups; sent twice."""
    by_template: dict[str, list[Cell]] = {}
    for cell in cells:
        if "+" not in cell.probe:
            by_template.setdefault(cell.template.id, []).append(cell)
    for own in by_template.values():
        for pair in range(pairs):
            cell = own[(own[0].template.number + pair) % len(own)]
            arm = Arm(kind="control", identity=cell.name, group=cell.group, of_arm="base")
            yield replace(cell, probe="control", group=None, name_pair=str(pair + 1), written=cell.write(), arm=arm)
