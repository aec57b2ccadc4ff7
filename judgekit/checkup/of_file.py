"""What a table supports: replies, ratings, blinded texts, judgments, or a table of metrics."""

from __future__ import annotations

import shlex
from pathlib import Path

from judgekit.checkup.checks import Check, Checkup, blocked, fine, note, warn
from judgekit.errors import JudgekitError
from judgekit.files.columns import RATINGS, resolve
from judgekit.files.rows import Table, open_table
from judgekit.files.tables import is_own_judgments
from judgekit.importers.formats import Format, written_by
from judgekit.intake.draft import Draft, Found, Inspected, draft_study, inspect_table, read_found, replies_of
from judgekit.intake.numbering import numbered
from judgekit.intake.profile import ColumnProfile, profile

__all__ = ["check_file"]

_FEW_TEMPLATES = 6  # below it no sign-flip p falls under 0.05
_ENOUGH_NAMES = 4
_LEVELS = 10


def check_file(path: Path) -> Checkup:
    """Look at a table.

    Parameters
    ----------
    path : Path
        CSV, JSONL or Parquet.

    Returns
    -------
    Checkup
        A file that cannot be read is a check that blocks.
    """
    found = Checkup(place=str(path), kind="table")
    try:
        tool = written_by(str(path))
        if tool is not None:
            return _foreign(found, path, tool)
        table = open_table(path)
        if is_own_judgments(path):
            return _judgments(found)
        if {"id", "blinded", "status"} <= set(table.columns):
            return _blinded(found, path)
        ratings = resolve(table.columns, RATINGS, None, path=path)
        if {"annotator"} <= set(ratings) and {"score", "choice"} & set(ratings):
            return _ratings(found, path, table, ratings)
        _replies(found, path)
    except JudgekitError as problem:
        found.add([blocked("file", problem)])
        found.next = None
    return found


def _foreign(found: Checkup, path: Path, tool: Format) -> Checkup:
    found.kind = tool.tool
    if tool.kind == "labels":
        found.add([fine("file", f"labels that people gave in {tool.tool}")])
        found.supports = {"stages": ["labels import"], "metrics": [], "claims": []}
        found.next = f"judgekit labels import STUDY {shlex.quote(str(path))}"
        return found
    found.add([fine("file", f"replies for `judgekit import` ({tool.name})")])
    found.supports = {"stages": ["import"], "metrics": [], "claims": []}
    imported = shlex.quote(path.with_suffix(".replies.jsonl").name)
    found.next = f"judgekit import {shlex.quote(str(path))} -o {imported}"
    return found


def _judgments(found: Checkup) -> Checkup:
    found.kind = "judgments"
    found.add([note("file", "judgekit's own judgments: their gaps are shown only where a study calibrates them")])
    found.supports = {"stages": ["calibrate STUDY, gap STUDY (with people's labels)"], "metrics": [], "claims": []}
    return found


def _blinded(found: Checkup, path: Path) -> Checkup:
    found.kind = "blinded texts"
    found.add([note("file", "blinded texts; every command verifies them again")])
    found.supports = {
        "stages": ["verify", "judge", "sample", "guess-group (with the design file beside it)", "swaptest"],
        "metrics": [],
        "claims": [],
    }
    found.next = f"judgekit verify {shlex.quote(str(path))}"
    return found


def _ratings(found: Checkup, path: Path, table: Table, columns: dict[str, str]) -> Checkup:
    found.kind = "ratings"
    sample = profile(table.columns, (row.values for row in table.rows()))
    raters = sample.columns[columns["annotator"]]
    found.add([fine("file", f"ratings of {raters.distinct} annotators ({table.format})")])
    if "item" not in columns:
        found.add([blocked("columns", "no column says which text a score belongs to", "name it item")])
    if raters.distinct < 2:
        found.add([blocked("raters", "one annotator only", "agreement needs two")])
    names = sorted(raters.values)
    quoted = [shlex.quote(name) for name in names[:4]]
    score = sample.columns[columns.get("score") or columns["choice"]]
    numbers = sorted((v for v in score.values if v.isascii() and v.isdigit()), key=int)
    levels = ",".join(numbers) if numbers and len(numbers) <= _LEVELS else "1,2,3,4,5"
    found.supports = {"stages": ["agree", "labels import"], "metrics": ["kappa, the human ceiling"], "claims": []}
    if not found.blocks:
        found.next = f"judgekit agree {shlex.quote(str(path))} --judge {quoted[0]} --humans {','.join(quoted[1:])} --levels {levels}"
        found.add([note("raters", f"which of {', '.join(names[:4])} is the judge is yours to say (--judge)")])
    return found


def _replies(found: Checkup, path: Path) -> None:
    inspected = inspect_table(path)
    columns = inspected.mapped.columns
    found.add(
        note("columns", f"{g.canonical} = {g.column} ({g.confidence}: {g.reason})")
        for g in inspected.mapped.guesses
        if g.canonical != g.column
    )
    if "text" not in columns:
        _metrics_alone(found, path, inspected)
        return
    found.kind = "replies"
    all_of = read_found(replies_of(inspected, path) if "id" in columns else numbered(inspected))
    draft = draft_study(inspected, all_of)
    found.add([fine("file", f"{all_of.replies} replies ({inspected.table.format}), mostly {all_of.language}")])
    if "id" not in columns:
        found.add([note("columns", "no column could be the id", "`judgekit init --from` numbers the rows in a copy")])
    found.add(note("file", text) for text in draft.notes)
    found.add(warn("replies", text) for text in draft.doubts)
    found.add(_scores_beside(path, inspected))
    found.add(_groups_and_names(draft, all_of))
    if all_of.languages.get("es"):
        found.add(
            [
                warn(
                    "judge",
                    "lexicon reads English alone",
                    "name another judge: judgekit init DIR --from FILE --judge SPEC",
                )
            ]
        )
    if all_of.unread:
        found.add([blocked("language", f"no reply looked at is in English or Spanish ({all_of.unread}): all are withheld",
                           "take English or Spanish replies; if they are, add a column lang that says en or es")])  # fmt: skip
        return
    found.supports = _supports(draft, all_of)
    found.next = f"judgekit init my-study --from {shlex.quote(str(path))}"


def _groups_and_names(draft: Draft, found: Found) -> list[Check]:
    checks = [warn("file", text) for text in draft.blocked]
    if not draft.groups:
        return checks
    counts = ", ".join(f"{group.value} {found.groups[group.value]}" for group in draft.groups)
    checks.append(fine("groups", counts))
    if draft.design == "observational":
        checks.append(
            warn(
                "claims",
                "observational: who asked what differs between the groups, so a difference is confounded",
                "for a claim about groups ask the same messages under different names: `judgekit probe example`, "
                "then `judgekit probe expand STUDY`",
            )
        )
        return checks
    if found.shared_templates < _FEW_TEMPLATES:
        checks.append(
            warn("templates", f"{found.shared_templates} templates have both groups: hardly anything can be inferred",
                 f"{_FEW_TEMPLATES} or more; `judgekit power` says how many")
        )  # fmt: skip
    fewest = min((len(found.names.get(g.value, {})) for g in draft.groups), default=0)
    if fewest < _ENOUGH_NAMES:
        checks.append(
            warn("claims", f"{fewest} names in a group: a claim about the group rests on very few people",
                 f"{_ENOUGH_NAMES} or more names, or claim: these_names")
        )  # fmt: skip
    return checks


def _supports(draft: Draft, found: Found) -> dict[str, list[str]]:
    stages = ["blind, verify", "judge", "sample, label, agree, calibrate (with two raters)"]
    metrics = ["counted: words, terms, yes or no", "judged: warmth, quality or a rubric of yours, once calibrated"]
    if not draft.groups:
        return {"stages": stages, "metrics": metrics, "claims": ["how far the judge agrees with people"]}
    if any(found.names.values()):
        stages.append("swap test (by the names)")
    if draft.design == "observational":
        claims = ["a difference in these replies, reported as confounded"]
    else:
        stages += ["guess-group", "gap, gate"]
        claims = ["a gap for exactly these names (claim: these_names)"]
        if min((len(found.names.get(g.value, {})) for g in draft.groups), default=0) >= _ENOUGH_NAMES:
            claims.insert(0, "a gap between the groups (claim: groups)")
    return {"stages": stages, "metrics": metrics, "claims": claims}


def _scores_beside(path: Path, inspected: Inspected) -> list[Check]:
    """Columns of a few whole numbers beside the replies: scores that somebody gave already, perhaps."""
    sample = profile(inspected.table.columns, (row.values for row in inspected.table.rows()))
    taken = set(inspected.mapped.columns.values())
    scores = [c for c in sample.columns.values() if c.name not in taken and _is_score(c) and c.distinct <= _LEVELS]
    if len(scores) < 2:
        return []
    names = [shlex.quote(c.name) for c in scores[:4]]
    how = f"judgekit agree {shlex.quote(str(path))} --judge-col {names[0]} --human-cols {','.join(names[1:])} --levels 1,2,3,4,5"
    return [note("scores", f"{', '.join(c.name for c in scores[:4])} may be scores of a judge and of people", how)]


def _is_score(column: ColumnProfile) -> bool:
    return column.number > 0.95 and column.distinct >= 2 and not column.unique


def _metrics_alone(found: Checkup, path: Path, inspected: Inspected) -> None:
    """A table without replies: its numbers may be compared as supplied, or be scores of several raters side by side."""
    sample = profile(inspected.table.columns, (row.values for row in inspected.table.rows()))
    taken = set(inspected.mapped.columns.values())
    scores = [c for c in sample.columns.values() if c.name not in taken and _is_score(c)]
    where = shlex.quote(str(path))
    found.kind = "metrics"
    found.supports = {"stages": [], "metrics": [c.name for c in scores], "claims": []}
    designed = {"template_id", "group"} <= set(inspected.mapped.columns)
    if scores and designed:
        found.supports |= {"stages": ["gap TABLE"], "claims": ["a gap as supplied, not vouched for"]}
        found.add([note("file", "no replies: the numbers are compared as supplied, not vouched for")])
        found.next = f"judgekit gap {where} --metric {shlex.quote(scores[0].name)}"
    elif len(scores) >= 2:
        names = [shlex.quote(c.name) for c in scores]
        found.supports |= {"stages": ["agree"]}
        found.add([note("file", f"{len(scores)} columns of scores: of a judge and people, perhaps")])
        found.next = (
            f"judgekit agree {where} --judge-col {names[0]} --human-cols {','.join(names[1:])} --levels 1,2,3,4,5"
        )
    else:
        found.add([blocked("columns", "no column could be the replies, and there are no scores to compare",
                           "judgekit init DIR --from FILE --column text=COLUMN")])  # fmt: skip
