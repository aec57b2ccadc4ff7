"""What ``judgekit gap`` can add: preference over pairs of a table, words that differ in a study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from judgekit.cli.output import table
from judgekit.errors import UsageProblem
from judgekit.gate import GateVerdict, against_margin
from judgekit.printable import printable
from judgekit.records import Contrast, Undefined

if TYPE_CHECKING:
    from judgekit.statistics.preference import GroupPreference
    from judgekit.study import Study

__all__ = [
    "disparity_document",
    "preference_document",
    "print_disparity",
    "print_preference",
    "print_words",
    "words_document",
]


def preference_document(
    place: Path,
    metric: str,
    groups: list[str] | None,
    *,
    claim: Literal["groups", "these_names"],
    margin: float | None,
    level: float,
    seed: int,
) -> tuple[dict[str, Any], GroupPreference, GateVerdict]:
    """Group preference over the pairs of a table.

    Raises
    ------
    UsageProblem
        Not exactly two groups were named, or the margin is not above 0.
    BadInput
        As `files.choices_in.read_choices`.
    """
    from judgekit.files.choices_in import read_choices
    from judgekit.reporting.machine import estimate_document
    from judgekit.statistics.preference import group_preference

    if groups is not None and len(groups) != 2:
        raise UsageProblem("a pair has two groups", field="--groups", seen=", ".join(groups), remedy="--groups A,B")
    if margin is not None and margin <= 0:
        raise UsageProblem("a margin is larger than 0", field="--margin", seen=margin, remedy="0.1, of -1 to 1")
    contrast = Contrast(*(groups or ["a", "b"]))
    found = group_preference(read_choices(place, metric), claim=claim, level=level, seed=seed)
    verdict = against_margin(found.estimate, margin)
    document = {
        "metric": metric,
        "a": contrast.a,
        "b": contrast.b,
        "claim": claim,
        "estimate": estimate_document(found.estimate),
        "without_ties": found.without_ties,
        "wins_a": found.wins_a,
        "wins_b": found.wins_b,
        "ties": found.ties,
        "inconsistent": found.inconsistent,
        "inconsistent_share": found.inconsistent_share,
        "missing": found.missing,
        "margin": margin,
        "verdict": verdict,
    }
    return document, found, verdict


def print_preference(document: dict[str, Any], found: GroupPreference) -> None:
    """The preference for a terminal."""
    from judgekit.reporting.words import estimate_words, number

    estimate, a, b = found.estimate, printable(document["a"]), printable(document["b"])
    p = "" if isinstance(estimate.p, Undefined) else f", p {number(estimate.p, 3)}"
    typer.echo(f"{printable(document['metric'])}, preference {a} − {b}: {estimate_words(estimate, 3)}{p}")
    typer.echo(
        f"  wins {a} {found.wins_a}, {b} {found.wins_b}, ties {found.ties} (half to each); "
        f"inconsistent {found.inconsistent}, no verdict {found.missing}; {estimate.templates} templates; {estimate.method}"
    )
    typer.echo(f"  without ties {number(found.without_ties, 3, signed=True)}")
    if document["margin"] is not None:
        typer.echo(f"  margin ±{number(document['margin'])}: {document['verdict']}")
    for note in estimate.notes:
        typer.echo(f"  note: {printable(note)}")


def words_document(study: Study, contrasts: list[Contrast]) -> list[dict[str, Any]]:
    """Words that differ, by comparison."""
    from judgekit.leads import words_that_differ
    from judgekit.statistics.results import plain

    return [
        {"a": c.a, "b": c.b, "words": [plain(w) for w in words]}
        for c, words in words_that_differ(study, contrasts).items()
    ]


def print_words(document: list[dict[str, Any]]) -> None:
    """Words that differ for a terminal: a lead, and said to be one."""
    for one in document:
        a, b = printable(one["a"]), printable(one["b"])
        typer.echo(f"words that differ, {a} − {b} (a lead, no finding: not corrected for how many were looked at)")
        rows = [(w["word"], f"{w['z']:+.1f}", f"{w['count_a']} / {w['count_b']}", w["templates"]) for w in one["words"]]
        typer.echo(table(["word", "z", f"{a} / {b}", "templates"], rows))


def disparity_document(place: Path, metric: str) -> dict[str, Any]:
    """Rates of a yes/no column against the fixed thresholds, overall and by case type.

    ``missing`` counts the rows of every group that have no value and are not in the rates.

    Raises
    ------
    BadInput
        The table cannot be read, or a value is neither 0 nor 1.
    """
    from judgekit.errors import BadInput
    from judgekit.files.tables import iter_metric_table
    from judgekit.statistics.disparity import disparity, disparity_by_case_type
    from judgekit.statistics.results import plain

    overall: dict[str, tuple[int, int]] = {}
    by_case: dict[str, dict[str, tuple[int, int]]] = {}
    missing: dict[str, int] = {}
    for row in iter_metric_table(place, metric=metric):
        if row.group is None:  # the reader refuses such a row
            continue
        missing[row.group] = missing.get(row.group, 0) + (row.value is None)
        if row.value is None:
            continue
        if row.value not in {0.0, 1.0}:
            raise BadInput(
                "a rate needs a column of 0 and 1",
                path=place,
                field=metric,
                seen=row.value,
                remedy="1 for yes, 0 for no",
            )
        tallies = [overall] + ([by_case.setdefault(row.case_type, {})] if row.case_type else [])
        for tally in tallies:
            yes, total = tally.get(row.group, (0, 0))
            tally[row.group] = yes + int(row.value), total + 1
    return {
        "metric": metric,
        "missing": missing,
        "overall": plain(disparity(overall)),
        "by_case_type": {case: plain(found) for case, found in disparity_by_case_type(by_case).items()},
    }


def print_disparity(document: dict[str, Any]) -> None:
    """Rates and verdicts for a terminal."""
    typer.echo(
        f"{printable(document['metric'])}: groups within 5 points of each other and 10 of the pooled rate, 100 results each"
    )
    rows = []
    for case, found in {"all": document["overall"], **document["by_case_type"]}.items():
        gaps = [g if isinstance(g, float) else None for g in (found["max_pairwise_gap"], found["max_gap_to_overall"])]
        rates = ", ".join(f"{group} {rate:.3f}" for group, rate in found["rates"].items())
        rows.append((case, rates, *gaps, found["verdict"]))
    typer.echo(table(["case type", "rates", "widest gap", "to pooled", "verdict"], rows))
    missing = ", ".join(f"{printable(group)} {n}" for group, n in document["missing"].items())
    typer.echo(f"without a value, not in the rates: {missing}")
