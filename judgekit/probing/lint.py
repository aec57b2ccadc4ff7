"""Check a probe before anything is sent: templates, names, sizes, and prompts that somebody may have edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judgekit.errors import BadInput, ConfigProblem
from judgekit.files.atomic import iter_jsonl
from judgekit.files.prompts import read_prompts
from judgekit.linting.found import Finding, in_order
from judgekit.linting.grammar import article_slips
from judgekit.linting.people import people
from judgekit.linting.prompts import Filed, prompts
from judgekit.linting.sizes import Detectable, ProbeSize, detectable, sizes
from judgekit.linting.wording import wording
from judgekit.probing.expand import Expansion, expand, plan_of, probe_of, prompt_hash
from judgekit.records import Prompt
from judgekit.statistics.power import Noise
from judgekit.study import Study
from judgekit.templating.arms import CUE_LEFT
from judgekit.templating.cells import Cell, LeftOut, Plan, cells_of
from judgekit.templating.marks import load_marked

__all__ = ["ASSUMED", "Linted", "lint_prompts", "lint_study"]

ASSUMED = Noise(template_gap=0.3, name=0.1, residual=1.0)
"""What is assumed of the noise where no pilot tells it, in standard deviations between replies to one prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linted:
    """Findings in order of weight, and what they rest on."""

    findings: tuple[Finding, ...]
    sizes: tuple[ProbeSize, ...] = ()
    detects: tuple[Detectable, ...] = ()
    templates: int = 0
    borderline: float | None = None
    conversations: int | None = None
    left_out: tuple[LeftOut, ...] = ()

    @property
    def errors(self) -> int:
        """How many errors; any makes the command end with 1."""
        return sum(finding.level == "error" for finding in self.findings)

    @property
    def warnings(self) -> int:
        """How many warnings."""
        return sum(finding.level == "warning" for finding in self.findings)


def lint_study(study: Study, *, noise: Noise = ASSUMED, prompts_file: Path | None = None) -> Linted:
    """Check the design of a study's probe, and its file of prompts where there is one.

    Parameters
    ----------
    study : Study
        With a block ``probe``.
    noise : Noise
        For what the design can find.
    prompts_file : Path, optional
        Prompts that were expanded, perhaps edited since; compared with the design too.

    Returns
    -------
    Linted

    Raises
    ------
    ConfigProblem
        A file cannot be read at all.
    UsageProblem
        The study has no block ``probe``, or no names.
    """
    plan, probe = plan_of(study), probe_of(study)
    cells, left_out = cells_of(plan)
    found = [*people(plan), *wording(plan, cells)]
    measured = _sizes(plan, cells, probe.replicates)
    line = load_marked(study.file)[1].line("probe", "replicates") if study.file.is_file() else None
    found += sizes(measured, noise, confirmatory=study.stage == "confirmatory", path=study.file, line=line)
    made: Expansion | None = None
    try:
        made = expand(study, plan=plan)
    except ConfigProblem as problem:
        # What the checks above tell already is not told twice.
        if not any(finding.level == "error" for finding in found):
            found.append(_told(problem))
    found += [] if made is None else _arm_articles(plan, made)
    found += [_cue_left(plan, left) for left in (made.left_out if made else ()) if left.why == CUE_LEFT]
    if prompts_file is not None:
        found += _file_findings(prompts_file, None if made is None else {p.id: p for p in made.prompts})
    templates = plan.templates.templates
    return Linted(
        findings=tuple(in_order(found)),
        sizes=tuple(measured),
        detects=tuple(detectable(size, noise) for size in measured),
        templates=len(templates),
        borderline=sum(template.borderline for template in templates) / len(templates),
        conversations=None if made is None else len(made.prompts),
        left_out=tuple(left_out),
    )


def lint_prompts(path: str | Path) -> Linted:
    """Check a file of prompts by itself, without the study it was made from.

    Parameters
    ----------
    path : str or Path
        What `judgekit probe expand` wrote, perhaps edited.

    Returns
    -------
    Linted

    Raises
    ------
    BadInput
        It cannot be read, or holds no prompt.
    """
    return Linted(findings=tuple(in_order(_file_findings(Path(path), None))))


def _file_findings(path: Path, design: dict[str, Prompt] | None) -> list[Finding]:
    read = read_prompts(path)
    if not read:
        raise BadInput("the file holds no prompt", path=path, remedy="write it with `judgekit probe expand`")
    lines = [line for line, _ in iter_jsonl(path)]
    filed = [Filed(line, prompt) for line, prompt in zip(lines, read, strict=True)]
    return list(prompts(filed, path, design, {prompt.id: prompt_hash(prompt.turns) for prompt in read}))


def _arm_articles(plan: Plan, made: Expansion) -> list[Finding]:
    """Slips that only an arm has: a variant's wording, or what is left without the cue."""
    templates = {template.id: template for template in plan.templates.templates}
    texts = {
        (p.unit_id, p.arm.kind, turn.content)
        for p in made.prompts
        if p.arm.kind not in {"base", "control"} and p.lang == "en"
        for turn in p.turns
    }
    base = {(p.unit_id, turn.content) for p in made.prompts if p.arm.kind == "base" for turn in p.turns}
    return [
        Finding(
            code="article",
            level="error",
            what=f"in the arm {kind}, “{slip.seen}” should be “{slip.better}”",
            why="the arm would differ from the base in its grammar too",
            remedy="mend the variant, or what stands around [[ ]]",
            template=unit,
            path=plan.templates.path,
            line=templates[unit].line,
        )
        for unit, kind, text in sorted(texts)
        if (unit, text) not in base
        for slip in article_slips(text)
    ]


def _cue_left(plan: Plan, left: LeftOut) -> Finding:
    template = next(t for t in plan.templates.templates if t.id == left.template)
    return Finding(
        code="cue_left",
        level="warning",
        what=left.why,
        why="the arm without the cue has to leave this template out",
        remedy="put every slot that tells the group into [[ ]]",
        template=template.id,
        path=plan.templates.path,
        line=template.lines[0] if template.lines else template.line,
    )


def _told(problem: ConfigProblem) -> Finding:
    return Finding(
        code="cannot_expand",
        level="error",
        what=f"{problem.field + ': ' if problem.field else ''}{problem.what}",
        why=problem.why or "the design cannot be expanded",
        remedy=problem.remedy or "mend the file",
        path=None if problem.path is None else Path(problem.path),
        line=problem.line,
    )


def _sizes(plan: Plan, cells: Sequence[Cell], replicates: int) -> list[ProbeSize]:
    """How much every probe has; two candidates in one prompt are no results of a group."""
    found = []
    for attributes in plan.probes:
        own = [cell for cell in cells if cell.probe == "+".join(attributes) and not cell.template.two_candidates]
        groups = dict.fromkeys(str(cell.group) for cell in own)
        found.append(
            ProbeSize(
                probe="+".join(attributes),
                templates=len({cell.template.id for cell in own}),
                names={g: len({cell.name for cell in own if cell.group == g}) for g in groups},
                replicates=replicates,
                results={g: replicates * sum(cell.group == g for cell in own) for g in groups},
            )
        )
    return found
