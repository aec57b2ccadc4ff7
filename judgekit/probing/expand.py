"""From templates, groups, names and replicates to the prompts of a probe, in random interleaved order."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from judgekit.errors import ConfigProblem, UsageProblem
from judgekit.linting.people import MIN_NAMES
from judgekit.linting.prompts import label_of
from judgekit.probing.names import names_of_study, neutral_people
from judgekit.probing.templates import load_templates
from judgekit.records import Contrast, Prompt, Turn
from judgekit.study import Study
from judgekit.study_probe import Probe
from judgekit.templating.arms import Asked, arms_of
from judgekit.templating.cells import NAME, REMOVAL, Cell, LeftOut, Plan, cells_of, slots_used
from judgekit.templating.model import NameLists
from judgekit.templating.order import Runs, runs_test, shuffled
from judgekit.templating.slots import PERSON_SLOTS

__all__ = ["Expansion", "expand", "plan_of", "probe_of", "prompt_hash", "seed_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """The prompts in the order of sending, and what is to be said of them."""

    prompts: tuple[Prompt, ...]
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[str, ...] = ()
    names_from: str = ""
    seed: int = 0
    subset: bool = False
    counts: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    """Conversations by probe, arm and group; ``-`` where there is no group."""

    @property
    def runs(self) -> Runs:
        """Test that the order is random."""
        return runs_test([label_of(prompt) for prompt in self.prompts])


def probe_of(study: Study) -> Probe:
    """The study's block ``probe``.

    Parameters
    ----------
    study : Study

    Returns
    -------
    Probe

    Raises
    ------
    UsageProblem
        It has none.
    """
    if study.probe is None:
        raise UsageProblem(
            "this study has no probe",
            path=study.file,
            field="probe",
            remedy="add the block probe, with templates; `judgekit schema` shows its keys",
        )
    return study.probe


def seed_of(study: Study) -> int:
    """The probe's seed, or the one of the statistics."""
    own = probe_of(study).seed
    return study.statistics.seed if own is None else own


def plan_of(study: Study) -> Plan:
    """Read what a probe is made of; wording is not yet checked.

    Parameters
    ----------
    study : Study

    Returns
    -------
    Plan

    Raises
    ------
    ConfigProblem
        A file cannot be read, or an attribute is declared nowhere.
    UsageProblem
        There is no block ``probe``, or there are no names to put in.
    """
    probe = probe_of(study)
    templates = load_templates(study.path(probe.templates))
    neutral = {lang: neutral_people(lang) for lang in ("en", "es")}
    empty = NameLists(groups={}, path=study.file, source="none", attribute="group")
    plan = Plan(
        templates=templates,
        names=empty,
        neutral=neutral,
        attributes=tuple(probe.attributes),
        intersections=tuple(tuple(together) for together in probe.intersections),
        contrasts=study.contrasts,
        seed=seed_of(study),
    )
    _declared(plan, study)
    has_people = any(slots_used(plan, template) & PERSON_SLOTS for template in templates.templates)
    if NAME in plan.attributes or (has_people and study.groups and study.groups.values):
        plan = replace(plan, names=names_of_study(study, templates.templates[0].lang))
    if not plan.contrasts:
        groups = list(plan.names.groups)
        pairs = [Contrast(a, b) for k, a in enumerate(groups) for b in groups[k + 1 :]]
        plan = replace(plan, contrasts=tuple(pairs))
    return plan


def _declared(plan: Plan, study: Study) -> None:
    own = {name for template in plan.templates.templates for name in template.attributes}
    known = {NAME, REMOVAL, "pronouns", *plan.templates.attributes, *own}
    for name in plan.attributes:
        if name not in known:
            raise ConfigProblem(
                "an attribute is declared nowhere",
                path=study.file,
                field="probe.attributes",
                seen=name,
                why=f"{plan.templates.path.name} gives values for {', '.join(sorted(known - {REMOVAL}))}",
                remedy="give its groups and values there, under attributes",
            )
    if set(plan.attributes) == {REMOVAL}:
        raise ConfigProblem(
            "removal needs something to remove",
            path=study.file,
            field="probe.attributes",
            remedy="add name, for example",
        )


def _matched(plan: Plan) -> None:
    """Lists that are matched by position are equally long: nothing is cut off in silence."""
    sizes = {group: len(people) for group, people in plan.names.groups.items()}
    if NAME in plan.attributes and len(set(sizes.values())) > 1:
        short = min(sizes, key=lambda group: sizes[group])
        raise ConfigProblem(
            "the lists of names are not equally long",
            path=plan.names.path,
            line=plan.names.lines.get(short),
            field=f"names of {short}",
            seen=", ".join(f"{group} {size}" for group, size in sizes.items()),
            why="names are matched by position; none is dropped in silence",
            remedy="list as many names for every group",
        )
    if NAME in plan.attributes and len(sizes) < 2:
        raise ConfigProblem("a comparison needs two groups with names", path=plan.names.path, seen=", ".join(sizes))
    for template in (None, *plan.templates.templates):
        attributes = plan.templates.attributes if template is None else template.attributes
        for name in plan.attributes:
            found = attributes.get(name)
            lengths = {group: len(values) for group, values in found.groups.items()} if found else {}
            if found and len(set(lengths.values())) > 1:
                raise ConfigProblem(
                    "an attribute's groups have not equally many values",
                    path=plan.templates.path,
                    line=found.line,
                    field=f"attributes.{name}" + (f" of {template.id}" if template else ""),
                    seen=", ".join(f"{group} {size}" for group, size in lengths.items()),
                    why="values are matched by position; none is dropped in silence",
                    remedy="list as many values for every group",
                )


def expand(study: Study, *, plan: Plan | None = None, subset: bool = False) -> Expansion:
    """Make the prompts of a study's probe.

    Parameters
    ----------
    study : Study
        With a block ``probe``.
    plan : Plan, optional
        From `plan_of`, when it is at hand.
    subset : bool
        Only ``probe.subset``: the same templates for one seed, and ids as in the whole, so that replies can be shared.

    Returns
    -------
    Expansion
        Positions count from 1 in the order of sending. Replicates of a cell, and the two of a control pair, are byte
        for byte the same prompt.

    Raises
    ------
    ConfigProblem
        A file cannot be read, lists are not equally long, a slot has nothing to be filled with (with file and line).
    UsageProblem
        There is no block ``probe``, or there are no names.
    """
    probe = probe_of(study)
    whole = plan or plan_of(study)
    _matched(whole)
    part = _subset(whole, probe) if subset else whole
    cells, left_out = cells_of(part)
    if not cells:
        raise ConfigProblem(
            "no template shows what the probe varies",
            path=part.templates.path,
            field="templates",
            why="; ".join(f"{left.template}: {left.why}" for left in left_out[:3]),
            remedy="use slots such as {name}, or change probe.attributes",
        )
    arms, without_arm = arms_of(part, cells, _asked(probe))
    replicates = probe.subset.replicates if subset else probe.replicates
    prompts = _prompts([*cells, *arms], replicates, part.seed)
    return Expansion(
        prompts=prompts,
        left_out=(*left_out, *without_arm),
        warnings=_warnings(part, probe),
        names_from=part.names.source,
        seed=part.seed,
        subset=subset,
        counts=dict(Counter((p.probe, p.arm.kind, p.group or "-") for p in prompts)),
    )


def _subset(plan: Plan, probe: Probe) -> Plan:
    known = plan.templates.templates
    chosen = random.Random(f"subset {plan.seed}").sample(range(len(known)), min(probe.subset.templates, len(known)))
    kept = tuple(known[place] for place in sorted(chosen))
    return replace(plan, templates=replace(plan.templates, templates=kept))


def _asked(probe: Probe) -> Asked:
    return Asked(
        controls=probe.controls,
        fixed_sentence=probe.baselines.fixed_sentence,
        paraphrase=probe.baselines.paraphrase != "off",
        recall=probe.checks.recall,
        precision=probe.checks.precision,
        removal=tuple(a for a in probe.attributes if a != REMOVAL) if REMOVAL in probe.attributes else (),
    )


def _warnings(plan: Plan, probe: Probe) -> tuple[str, ...]:
    sizes = {group: len(people) for group, people in plan.names.groups.items()}
    found = []
    if NAME in probe.attributes and min(sizes.values(), default=0) < MIN_NAMES:
        few = ", ".join(f"{group} {size}" for group, size in sizes.items() if size < MIN_NAMES)
        found.append(
            f"fewer than {MIN_NAMES} names in a group ({few}): a gap between groups cannot be told from luck in the names"
        )
    return tuple(found)


# --- prompts -------------------------------------------------------------------------------------------------------


def prompt_hash(turns: Sequence[Turn]) -> str:
    """SHA-256 of a conversation's turns, 64 hexadecimal digits."""
    packed = json.dumps([[turn.role, turn.content] for turn in turns], ensure_ascii=True)
    return hashlib.sha256(packed.encode("ascii")).hexdigest()


def _prompts(cells: Sequence[Cell], replicates: int, seed: int) -> tuple[Prompt, ...]:
    made = [
        _prompt(cell, turns, str(number + 1), seed)
        for cell in cells
        for turns in (cell.write(),)
        for number in range(2 if cell.arm.kind == "control" else replicates)
    ]
    placed = shuffled(made, [label_of(prompt) for prompt in made], seed=seed)
    return tuple(replace(prompt, position=position) for position, prompt in enumerate(placed, 1))


def _prompt(cell: Cell, turns: tuple[Turn, ...], replicate: str, seed: int) -> Prompt:
    said = prompt_hash(turns)
    place = [
        cell.template.id,
        cell.probe,
        cell.group,
        cell.name,
        cell.name_pair,
        cell.order,
        replicate,
        cell.arm.key,
        said,
    ]
    key = json.dumps([seed, *place], ensure_ascii=True)
    return Prompt(
        id=hashlib.blake2b(key.encode("ascii"), digest_size=8).hexdigest(),
        position=1,
        unit_id=cell.template.id,
        probe=cell.probe,
        attribute=cell.attribute,
        group=cell.group,
        name=cell.name,
        name_pair=cell.name_pair,
        replicate=replicate,
        arm=cell.arm,
        turns=turns,
        order=cell.order,
        known_names=tuple(form for person in cell.people for form in person.forms),
        lang=cell.template.lang,
        case_type=cell.template.case_type,
        template_hash=cell.template.hash,
        prompt_hash=said,
    )
