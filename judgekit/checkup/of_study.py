"""What a study supports as it stands on the disk: its settings, replies, judge, labels and folders."""

from __future__ import annotations

import shlex
import stat
from collections.abc import Iterator
from pathlib import Path

from judgekit.checkup.checks import Check, Checkup, blocked, fine, note, warn
from judgekit.checkup.of_sample import check_sample
from judgekit.errors import JudgekitError
from judgekit.files.labels import final_labels, read_events
from judgekit.intake.doubts import doubts
from judgekit.intake.draft import Found, read_found
from judgekit.judging.judge import check_judge
from judgekit.records import Rubric
from judgekit.rubric import load_rubric, load_yaml
from judgekit.run_folder import last_steps
from judgekit.stages import identities_of, read_arms_of, rubrics_of
from judgekit.studied_judge import judge_of_study
from judgekit.study import Study
from judgekit.workspace import Workspace, study_of

__all__ = ["check_study", "check_yaml"]

_FEW_TEMPLATES, _ENOUGH_NAMES = 6, 4


def check_yaml(path: Path) -> Checkup:
    """Look at a YAML file: a rubric when it has criteria, else a study.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Checkup
    """
    try:
        content = load_yaml(path)
    except JudgekitError as problem:
        return Checkup(place=str(path), kind="yaml", checks=[blocked("file", problem)])
    if not (isinstance(content, dict) and "criteria" in content):
        return check_study(path)
    found = Checkup(place=str(path), kind="rubric")
    try:
        rubric = load_rubric(path.resolve())
    except JudgekitError as problem:
        found.add([blocked("rubric", problem)])
        return found
    languages = ", ".join(sorted(rubric.languages))
    found.add([fine("rubric", f"{rubric.id} {rubric.version}: {', '.join(rubric.dimensions)} in {languages}")])
    found.supports = {"stages": ["judge", "label"], "metrics": list(rubric.dimensions), "claims": []}
    return found


def check_study(place: Path) -> Checkup:
    """Look at a study. Nothing is written, no folder is made and nothing is sent.

    Parameters
    ----------
    place : Path
        A study file, its folder, or one of its runs.

    Returns
    -------
    Checkup
        The first thing that blocks stands in ``checks``; what depends on it is not looked at.
    """
    found = Checkup(place=str(place), kind="study")
    try:
        study = study_of(place)
    except JudgekitError as problem:
        found.add([blocked("study", problem)])
        return found
    found.add([fine("study", f"{study.study}, {study.stage}")])
    found.add(_private(study))
    rubrics: dict[str, Rubric] = {}
    replies: Found | None = None
    try:
        rubrics = rubrics_of(study)
        base = read_arms_of(study).base
        replies = read_found(base)
        named = {group: len(people) for group, people in identities_of(study, base).items()}
    except JudgekitError as problem:
        found.add([blocked("replies" if rubrics else "rubrics", problem)])
        found.next = "mend it, then: " + _command("doctor", place)
        return found
    found.add(
        [
            fine(
                "replies",
                f"{replies.replies} ({', '.join(f'{g} {n}' for g, n in replies.groups.items()) or 'no groups'})",
            )
        ]
    )
    found.add(warn("replies", text) for text in doubts(replies.groups, replies.failures))
    found.add(_design(study, replies, named))
    found.add(_judge(study, rubrics, replies))
    found.add(_labels(study))
    found.add(check_sample(study, base, _space(study).sample, place))
    found.supports = _supports(study, rubrics, named)
    found.next = _next(study, place, found)
    return found


def _command(name: str, place: Path) -> str:
    return f"judgekit {name} {shlex.quote(str(place))}"


def _space(study: Study) -> Workspace:
    """Its paths, without making the folder."""
    return Workspace(study, study.base / ".judgekit" / study.study)


def _private(study: Study) -> Iterator[Check]:
    """Folders with replies, labels and answers must be their owner's alone."""
    space = _space(study)
    for folder in (space.folder.parent, space.folder, space.labels, space.runs):
        if not folder.is_dir():
            continue
        places = [folder, *(p for p in folder.iterdir() if p.is_file() and p.name != ".gitignore")]
        open_ones = [p for p in places if stat.S_IMODE(p.stat().st_mode) & 0o077 and p.parent != space.runs]
        if open_ones:
            yield warn(
                "privacy",
                f"{open_ones[0]}{f' and {len(open_ones) - 1} more' if len(open_ones) > 1 else ''} can be read by other users",
                f"chmod -R go= {shlex.quote(str(folder))}",
            )
    replies = study.path(study.data.replies).resolve()
    if study.privacy.people == "real" and replies.is_file() and stat.S_IMODE(replies.stat().st_mode) & 0o004:
        yield note(
            "privacy", f"{replies} can be read by every user of this machine", f"chmod 600 {shlex.quote(str(replies))}"
        )


def _design(study: Study, found: Found, named: dict[str, int]) -> Iterator[Check]:
    if study.groups is None:
        yield note("design", "no groups: the judge is validated, nothing is compared")
        return
    if study.data.design == "observational":
        yield warn(
            "claims",
            "observational: a difference between groups is confounded, is reported as that, and never passes the gate",
            "for a claim about groups ask the same messages under different names: `judgekit probe example` shows templates, "
            f"then {_command('probe expand', study.file)}",
        )
    elif found.shared_templates < _FEW_TEMPLATES:
        yield warn("design", f"{found.shared_templates} templates have replies of two groups: hardly anything can be inferred",
                   "`judgekit power` says how many are needed")  # fmt: skip
    fewest = min((named.get(group, 0) for group in found.groups), default=0)
    if not fewest:
        yield warn("swap test", "a group has no names: nobody can be swapped, and judged metrics stay refused or conditional",
                   _to_name(study))  # fmt: skip
    elif fewest < _ENOUGH_NAMES and study.groups.claim == "groups" and study.data.design == "counterfactual":
        yield warn("claims", f"{fewest} names in a group: a claim about the group rests on very few people",
                   "more names, or groups.claim: these_names")  # fmt: skip
    if study.stage == "confirmatory" and not study.decided.by:
        yield warn("decided", "nobody is named who decided the thresholds", "fill in decided.by and decided.date")


def _to_name(study: Study) -> str:
    """Where names go: not into a study that is sealed, whose judge they would refuse for good."""
    if _space(study).seals.is_file():
        return "list invented names in groups.values.*.names of a study of another name or in another folder: this one is sealed"
    return "list invented names in groups.values.*.names"


def _judge(study: Study, rubrics: dict[str, Rubric], found: Found) -> Iterator[Check]:
    try:
        judge = judge_of_study(study)
        check_judge(
            (code for code in found.languages.elements() if code in {"en", "es"}), list(rubrics.values()), judge
        )
        judge.ready()
    except JudgekitError as problem:
        yield blocked("judge", problem)
        return
    yield fine("judge", judge.id)
    if found.unread:
        yield blocked("language", f"no reply looked at is in English or Spanish ({found.unread}): all are withheld",
                      "take English or Spanish replies; if they are, say so: data.lang, or a column lang")  # fmt: skip
        return
    strange = sum(n for code, n in found.languages.items() if code not in {"en", "es"})
    if strange:
        share = strange / sum(found.languages.values())
        yield warn(
            "language",
            f"{100 * share:.0f}% of the replies looked at are neither English nor Spanish: they are withheld",
        )


def _labels(study: Study) -> Iterator[Check]:
    wanted, raters = study.calibration.min_labels, study.labels.annotators
    if study.labels.anchors:
        yield note("labels", f"from the frozen set {study.labels.anchors}")
        return
    if not raters:
        yield warn("labels", "nobody is named who labels: judged metrics stay refused", "fill in labels.annotators")
    elif len(raters) < study.calibration.min_raters:
        yield warn(
            "labels",
            f"{len(raters)} rater(s), {study.calibration.min_raters} needed",
            "name more, or set min_raters: 1",
        )
    for who in raters:
        try:
            done = _done(study, who)
        except JudgekitError as problem:
            yield blocked("labels", problem)
            continue
        enough = done >= wanted
        said = f"{who}: {done} texts" + ("" if enough else f" of at least {wanted}")
        yield fine("labels", said) if enough else note("labels", said)


def _done(study: Study, who: str) -> int:
    """How many texts a rater has scored."""
    path = _space(study).labels / f"{who}.jsonl"
    if not path.is_file():
        return 0
    return len({event.task_id for event in final_labels(read_events(path)) if event.event == "score"})


def _supports(study: Study, rubrics: dict[str, Rubric], named: dict[str, int]) -> dict[str, list[str]]:
    judged = [dimension for rubric in rubrics.values() for dimension in rubric.dimensions]
    stages = ["blind, verify", "judge", "sample, label, agree, calibrate"]
    claims = ["how far the judge agrees with people"]
    if study.groups is not None:
        stages += ["swaptest"] if any(named.values()) else []
        stages += ["gap, gate, report"]
        claims = (
            ["a difference in these replies, reported as confounded"]
            if study.data.design == "observational"
            else [f"a gap, claim: {study.groups.claim}"]
        )
    return {"stages": stages, "metrics": [*judged, *study.measured], "claims": claims}


def _next(study: Study, place: Path, found: Checkup) -> str:
    if found.blocks:
        return "mend what blocks, then: " + _command("doctor", place)
    space = _space(study)
    if not space.ledger.is_file():
        return _command("run", place)
    if not study.labels.annotators and not study.labels.anchors:
        return f"name who labels in {study.file.name} (labels.annotators), then: {_command('run', place)}"
    # Seen from where the command is given, as the place is.
    base = place if place.is_dir() else place.parent
    sample = base / study.labels.folder / space.sample.name
    steps = [] if sample.is_file() else last_steps(space)
    if len(steps) > 1 and steps[0].startswith("do not label yet"):
        return "; ".join(steps)
    waiting = [who for who in study.labels.annotators if _done(study, who) < study.calibration.min_labels]
    if waiting and sample.is_file():
        return f"judgekit label {shlex.quote(str(sample))} --as {shlex.quote(waiting[0])}"
    return _command("run", place)
