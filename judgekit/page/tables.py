"""The tables of the page: captions, headed columns, and cells that are plain text, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judgekit.findings import EVERYBODY, Findings
from judgekit.printable import printable
from judgekit.records import Agreement, Gap, SwapResult, Undefined
from judgekit.reporting.words import (
    contrast_words,
    estimate_words,
    interval_words,
    level_words,
    mean_words,
    missing_words,
    number,
    p_words,
    percentage,
    shown,
)
from judgekit.wording.sentence import between, say, told

__all__ = [
    "Confusion",
    "Table",
    "agreement_table",
    "confusions",
    "count_tables",
    "failure_table",
    "gap_table",
    "injection_table",
    "mean_table",
    "people_table",
    "swap_table",
]

MOST = 200
"""Rows of one table; report.json holds the rest."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of every row is its heading. ``left_out`` counts rows that did not fit."""

    caption: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int = 0


def _table(caption: str, headers: Sequence[str], rows: Iterable[Sequence[str]]) -> list[Table]:
    found = [tuple(row) for row in rows]
    return [Table(caption, tuple(headers), tuple(found[:MOST]), max(0, len(found) - MOST))] if found else []


def gap_table(f: Findings) -> list[Table]:
    """Every gap with its estimates, what it rests on, and its verdict."""
    level = level_words(f.study["statistics"]["interval"])
    headers = (
        *(say("metric"), say("contrast"), say("raw"), say("corrected"), say("people only"), say("n (a, b)")),
        *(say("templates"), say("missing (a, b)"), "p", say("margin"), say("verdict")),
    )
    return _table(
        say(
            "Gaps with {level} intervals; n counts labelled texts for a corrected gap, replies for a raw one",
            level=level,
        ),
        headers,
        (_gap_row(g) for g in f.gaps),
    )


def _gap_row(g: Gap) -> list[str]:
    main, judged = g.main, g.kind == "judged"
    return [
        say("{metric} (primary)", metric=printable(g.metric)) if g.role == "primary" else printable(g.metric),
        contrast_words(g.contrast),
        estimate_words(g.raw),
        estimate_words(g.corrected) if judged else "-",
        estimate_words(g.human_only) if judged else "-",
        f"{main.n_a}{between()}{main.n_b}" if main else "-",
        str(main.templates) if main else "-",
        missing_words(g),
        p_words(g),
        "-" if g.margin is None else f"±{number(g.margin)}",
        told(g.verdict),
    ]


def failure_table(f: Findings) -> list[Table]:
    """Failure-rate gaps that are not zero."""
    return _table(
        say("Failure-rate gaps: share of replies without a value, first group minus second"),
        (say("metric"), say("contrast"), say("gap and interval")),
        (
            (printable(g.metric), contrast_words(g.contrast), estimate_words(g.failure_gap))
            for g in f.gaps
            if isinstance(g.failure_gap.value, Undefined) or g.failure_gap.value != 0
        ),
    )


def people_table(f: Findings) -> list[Table]:
    """People's own gaps where no judged gap stands beside them: always reported."""
    shown = {(g.metric, g.contrast) for g in f.gaps if g.kind == "judged"}
    return _table(
        say("People's own scores, which need no judge"),
        (say("dimension"), say("contrast"), say("gap and interval"), say("n (a, b)"), say("templates")),
        (
            (
                printable(g.dimension),
                contrast_words(g.contrast),
                estimate_words(g.estimate),
                f"{g.estimate.n_a}{between()}{g.estimate.n_b}",
                str(g.estimate.templates),
            )
            for g in f.human_gaps
            if (g.dimension, g.contrast) not in shown
        ),
    )


def mean_table(f: Findings) -> list[Table]:
    """Means of the counted metrics, where there are no groups."""
    level = level_words(f.study["statistics"]["interval"])
    return _table(
        say("Means with {level} intervals; there are no groups to compare", level=level),
        (say("metric"), say("mean")),
        ((printable(m.metric), mean_words(m)) for m in f.means),
    )


def agreement_table(f: Findings) -> list[Table]:
    """Kappa of every pair, overall and by group; without marginals or signed differences."""
    return _table(
        say("Agreement: Cohen's kappa (quadratic weights on ordinal scales)"),
        (
            *(say("dimension"), say("between"), say("among"), "n"),
            *(say("kappa and interval"), say("lower bound"), say("agree")),
        ),
        (
            (
                printable(a.dimension),
                say("{a} and {b}", a=printable(a.a), b=printable(a.b)),
                say("all") if a.by is None else printable(a.by),
                str(a.n),
                f"{number(a.kappa)} {interval_words(a.interval, signed=False)}"
                if isinstance(a.kappa, float)
                else number(a.kappa),
                number(a.lower),
                "-" if isinstance(a.percent, Undefined) else percentage(a.percent),
            )
            for a in f.agreement
        ),
    )


def swap_table(results: Sequence[SwapResult]) -> list[Table]:
    """What the swap test found, in numbers and in words."""

    def share(value: float | Undefined) -> str:
        return number(value) if isinstance(value, Undefined) else percentage(value)

    return _table(
        say("Swap test: the same texts under other names"),
        (
            *(say("dimension"), say("contrast"), say("verdict"), say("shift"), say("control"), say("scores changed")),
            *(say("texts"), say("why")),
        ),
        (
            (
                printable(s.dimension),
                contrast_words(s.contrast),
                told(s.verdict),
                f"{number(s.shift, signed=True)} {interval_words(s.interval)}",
                number(s.control_shift, signed=True),
                say("{changed}, control {control}", changed=share(s.changed), control=share(s.control_changed)),
                str(s.n),
                shown(s.why),
            )
            for s in results
        ),
    )


def injection_table(f: Findings) -> list[Table]:
    """Hostile replies by kind."""
    return _table(
        say("Hostile replies by kind"),
        (
            *(say("dimension"), say("kind"), say("tried"), say("moved the score"), say("to the score they ask for")),
            *(say("unscored"), say("withheld before")),
        ),
        (
            (
                printable(r.dimension),
                told(k.kind),
                *(str(n) for n in (k.tried, k.moved, k.obeyed, k.unscored, k.stopped)),
            )
            for r in f.injection
            for k in r.kinds
        ),
    )


_COUNTED = {"in", "scored", "withheld"}


def count_tables(f: Findings) -> list[Table]:
    """Where replies were lost, group by group: in blinding, and in judging."""
    blinding = _table(
        say("Withheld by the verifier, by group"),
        (
            *(say("group"), say("in"), say("verified"), say("withheld"), say("share")),
            say("{level} interval", level=level_words(0.95)),
        ),
        (
            (
                _group(group, f),
                *(str(found[k]) for k in ("in", "verified", "withheld")),
                percentage(found["share"], 1) if isinstance(found["share"], float) else "-",
                "-"
                if found["low"] is None
                else say("{low} to {high}", low=percentage(found["low"], 1), high=percentage(found["high"], 1)),
            )
            for group, found in sorted(f.blinding.by_group.items())
        ),
    )
    judging = _table(
        say("Given to the judge, by group: in = scored + unscored + withheld"),
        (say("dimension"), say("group"), say("in"), say("scored"), say("unscored"), say("withheld")),
        (
            (
                printable(dimension),
                _group(group, f),
                str(found["in"]),
                str(found.get("scored", 0)),
                ", ".join(f"{shown(k)} {n}" for k, n in sorted(found.items()) if k not in _COUNTED) or "0",
                str(found.get("withheld", 0)),
            )
            for dimension, by_group in f.judging.counts.items()
            for group, found in sorted(by_group.items())
        ),
    )
    return [*blinding, *judging]


def _group(group: str, f: Findings) -> str:
    """A group's name; that of the one row of replies without groups is ours."""
    return shown(group) if group == EVERYBODY and not f.study.get("groups") else printable(group)


@dataclass(frozen=True, slots=True)
class Confusion:
    """Labels of one person against the judge's scores: ``cells`` are (count, shade 0 to 4) by the person's level."""

    title: str
    judge: str
    person: str
    levels: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]


def confusions(f: Findings) -> tuple[list[Confusion], list[Table]]:
    """Judge against each person, level by level; for a refused dimension only how far apart they are.

    Parameters
    ----------
    f : Findings

    Returns
    -------
    tuple of (list of Confusion, list of Table)
        A full table holds the judge's marginals, which are an aggregate of its scores: it is made only where every verdict
        on the dimension is `Calibrated`. For the others, counts of texts by the unsigned distance in levels.
    """
    refused = {r.dimension for r in f.refused}
    allowed = {c.dimension for c in f.calibrated} - refused
    full, distances = [], []
    for a in f.agreement:
        if a.by is not None or f.judging.judge not in {a.a, a.b} or not a.table:
            continue
        if a.dimension in allowed:
            full.append(_confusion(a, judge_first=a.a == f.judging.judge))
        else:
            distances.append(_distance_row(a))
    most = max((len(row) for row in distances), default=0)
    apart = (say("same level"), *(say("{n} apart", n=k) for k in range(1, most)))
    table = _table(
        say("How far apart judge and person are, in texts (without direction, since the dimension is refused)"),
        (say("dimension and person"), *apart[: most - 1]),
        (row + ("-",) * (most - len(row)) for row in distances),
    )
    return full[:8], table


def _confusion(a: Agreement, *, judge_first: bool) -> Confusion:
    # People in rows: the reader asks what the judge did with the texts that a person gave a 4.
    table = [list(column) for column in zip(*a.table, strict=True)] if judge_first else [list(row) for row in a.table]
    judge, person = (a.a, a.b) if judge_first else (a.b, a.a)
    most = max((n for row in table for n in row), default=0) or 1
    levels = tuple(printable(str(level)) for level in a.levels)
    rows = tuple(
        (level, tuple((n, 0 if not n else 1 + min(3, 4 * n // (most + 1))) for n in row))
        for level, row in zip(levels, table, strict=True)
    )
    title = say(
        "{dimension}: {judge} (columns) and {person} (rows), {n} texts",
        dimension=printable(a.dimension), judge=printable(judge), person=printable(person), n=a.n,
    )  # fmt: skip
    return Confusion(title, printable(judge), printable(person), levels, rows)


def _distance_row(a: Agreement) -> tuple[str, ...]:
    nominal = not all(isinstance(level, int) for level in a.levels)
    counts = [0] * (2 if nominal else len(a.levels))
    for i, row in enumerate(a.table):
        for k, n in enumerate(row):
            counts[min(1, abs(i - k)) if nominal else abs(i - k)] += n
    who = say("{dimension}, {a} and {b}", dimension=printable(a.dimension), a=printable(a.a), b=printable(a.b))
    return (who, *(str(n) for n in counts))
