"""A line-up in words and as a JSON document."""

from __future__ import annotations

from typing import Any

from judgekit.printable import printable
from judgekit.records import Interval, Undefined
from judgekit.releases.configuration import Change
from judgekit.releases.lineup import Cell, LineUp, Row
from judgekit.reporting.machine import gap_document
from judgekit.reporting.words import contrast_words, estimate_words, number, reason_words

__all__ = ["lineup_document", "lineup_lines"]

_TITLES = {
    "system": "new experiment",
    "measuring": "new experiment",
    "decision": "decided otherwise",
    "release": "release",
}


def lineup_lines(found: LineUp) -> list[str]:
    """The line-up for a reader: runs with what changed, then every metric over the runs.

    Parameters
    ----------
    found : LineUp

    Returns
    -------
    list of str
        Lines that are safe to print.
    """
    lines = ["Runs, oldest first:"]
    for n, release in enumerate(found.releases, 1):
        gate = "withheld" if release.findings is None else f"gate {release.findings.gate}"
        version = f", version {printable(release.version)}" if release.version else ""
        lines.append(f"  {n}  {printable(release.run.name)}{version}, experiment {found.experiments[n - 1]}, {gate}")
        lines += [f"       {_change(change)}" for change in found.changes[n - 1]]
        if release.withheld:
            lines.append(f"       withheld: {printable(release.withheld)}")
    for row in found.rows:
        lines += ["", f"{printable(row.metric)}, {contrast_words(row.contrast)}"]
        for n, cell in enumerate(row.cells, 1):
            lines.append(f"  {n}  {_cell(cell)}")
            lines += [f"       {printable(condition)}" for condition in (cell.gap.conditions if cell.gap else ())]
        lines += [f"  {line}" for line in _trend(row)]
    return lines


def _change(change: Change) -> str:
    before, after = ("nothing" if x is None else printable(x, limit=60) for x in (change.before, change.after))
    return f"{_TITLES[change.kind]}: {printable(change.key)} from {before} to {after}"


def _cell(cell: Cell) -> str:
    if cell.refused is not None:
        return f"refused: {reason_words(cell.refused.reasons[0])}"
    if cell.gap is None:
        return f"not here: {printable(cell.absent or '')}"
    apart = "" if cell.counted else " (not counted: another experiment, or the same replies again)"
    return f"{estimate_words(cell.gap.main)}  {cell.gap.verdict}{apart}"


def _trend(row: Row) -> list[str]:
    t = row.trend
    runs = t.runs - t.undefined
    lines = []
    if not isinstance(row.change, Undefined):
        lines.append(f"change since the run before: {number(row.change, signed=True)}")
    if runs < 2 or row.contrast is None:
        return [*lines, "no trend: fewer than two runs of one experiment have a number"]
    way = {
        "a above b": f"{printable(row.contrast.a)} higher",
        "b above a": f"{printable(row.contrast.b)} higher",
        "none": "no difference",
    }[t.sign]
    p = "" if isinstance(t.p, Undefined) else f", p {t.p:.3f} (smallest possible {t.min_p:.3f})"
    said = f"{t.same_sign} of {runs} runs the same way ({way}), mean {number(t.mean, signed=True)}{p}"
    tail = {
        "trend": ": a TREND, however small each gap is",
        "same sign every time": ": the same sign every time, watch it",
        "none": "",
        "too few runs": ": too few runs to tell",
    }[row.signal]
    return [*lines, said + tail]


def lineup_document(found: LineUp) -> dict[str, Any]:
    """The document of ``judgekit compare --json``.

    Parameters
    ----------
    found : LineUp

    Returns
    -------
    dict
        Keys ``runs``, ``contrasts``, ``across_systems`` and ``exit_code``; a refused metric has its reasons in place of
        numbers.
    """
    return {
        "runs": [
            {
                "run": release.run.name,
                "study": release.study,
                "version": release.version,
                "started": release.started,
                "experiment": found.experiments[n],
                "changes": [
                    {"key": c.key, "kind": c.kind, "before": c.before, "after": c.after} for c in found.changes[n]
                ],
                "gate": release.findings and release.findings.gate,
                "withheld": release.withheld,
            }
            for n, release in enumerate(found.releases)
        ],
        "contrasts": [_row_document(row, found) for row in found.rows],
        "across_systems": found.across_systems,
        "exit_code": found.exit_code,
    }


def _row_document(row: Row, found: LineUp) -> dict[str, Any]:
    t = row.trend
    return {
        "metric": row.metric,
        "a": row.contrast and row.contrast.a,
        "b": row.contrast and row.contrast.b,
        "kind": "judged" if row.judged else "measured",
        "runs": [
            {"run": release.run.name, **_cell_document(cell)}
            for release, cell in zip(found.releases, row.cells, strict=True)
        ],
        "change": None if isinstance(row.change, Undefined) else row.change,
        "trend": {
            "runs": t.runs - t.undefined,
            "sign": t.sign,
            "same_sign": t.same_sign,
            "in_a_row": t.in_a_row,
            "mean": None if isinstance(t.mean, Undefined) else t.mean,
            "p": None if isinstance(t.p, Undefined) else t.p,
            "min_p": t.min_p,
            "signal": row.signal,
        },
    }


def _cell_document(cell: Cell) -> dict[str, Any]:
    if cell.refused is not None:
        return {
            "verdict": "refused",
            "counted": False,
            "reasons": [
                {"code": r.code, "value": r.value, "threshold": r.threshold, "remedy": r.remedy}
                for r in cell.refused.reasons
            ],
        }
    if cell.gap is None:
        return {"verdict": "withheld", "counted": False, "why": cell.absent}
    whole = gap_document(cell.gap)
    main = cell.gap.main
    interval = main.interval if main and isinstance(main.interval, Interval) else None
    return {
        "verdict": cell.gap.verdict,
        "counted": cell.counted,
        "value": None if isinstance(cell.value, Undefined) else cell.value,
        "ci": interval and [interval.low, interval.high],
        "level": interval and interval.level,
        "notes": list(cell.gap.all_notes),
        **{key: whole[key] for key in ("estimates", "margin", "p", "templates", "n_a", "n_b")},
    }
