"""The plots of the results: gaps with their intervals and margins, templates and names as dots.

A figure holds rows of marks with the numbers beside them. It is made from `Findings`, where judged numbers stand only as
calibrated, so that nothing refused can be drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from judgekit.findings import Findings
from judgekit.page.marks import Shape, axis, band, dot, key, line_at, span, track
from judgekit.page.scale import Scale, scale_of
from judgekit.printable import printable
from judgekit.records import Contrast, Gap, GapEstimate, Interval, Undefined
from judgekit.reporting.words import contrast_words, estimate_words, number
from judgekit.wording.sentence import say, told

__all__ = ["Figure", "Legend", "Row", "gap_figures", "limits_of", "name_figures", "template_figures"]

MOST_FIGURES = 8
"""Figures of one kind on the page; the tables and report.json hold the rest."""
MOST_ROWS = 20
"""Rows of dots in one figure: the lowest and the highest."""
_HALF = MOST_ROWS // 2


@dataclass(frozen=True, slots=True)
class Legend:
    """What a mark means: its picture and the words beside it."""

    picture: str
    words: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a label, the drawn track (with its alternative text) and the numbers in words."""

    label: str
    track: str
    value: str
    sub: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A titled plot; ``note`` says what is left out of it, or how to read it."""

    title: str
    rows: tuple[Row, ...]
    axis: str
    unit: str
    legend: tuple[Legend, ...] = ()
    note: str = ""


def limits_of(*intervals: Interval | Undefined | None) -> list[float]:
    """The ends of those intervals that exist."""
    return [end for i in intervals if isinstance(i, Interval) for end in (i.low, i.high)]


_ESTIMATES: tuple[tuple[str, Shape, str], ...] = (
    ("raw", "raw", say("raw: as the judge says")),
    ("corrected", "main", say("corrected for the judge's errors")),
    ("human_only", "people", say("people's own scores alone")),
)


@dataclass(frozen=True, slots=True)
class _Bar:
    """One estimate of a contrast, to be drawn."""

    contrast: Contrast
    shape: Shape
    words: str
    estimate: GapEstimate
    verdict: str = ""


def gap_figures(f: Findings) -> tuple[list[Figure], int]:
    """One figure per metric: its gap in every contrast, raw, corrected and of people alone, against the margin.

    Parameters
    ----------
    f : Findings

    Returns
    -------
    tuple of (list of Figure, int)
        The figures, and how many metrics have none for want of room. A refused metric has people's own gap only.
    """
    bars: dict[str, list[_Bar]] = {}
    margins: dict[str, float | None] = {}
    for gap in f.gaps:
        margins[gap.metric] = gap.margin
        for field, shape, words in _ESTIMATES:
            estimate = getattr(gap, field)
            if estimate is not None:
                what = told(words) if gap.kind == "judged" else say("counted on the masked texts")
                verdict = told(gap.verdict) if estimate is gap.main and gap.margin is not None else ""
                bars.setdefault(gap.metric, []).append(_Bar(gap.contrast, shape, what, estimate, verdict))
    shown = {(g.metric, g.contrast) for g in f.gaps if g.kind == "judged"}
    for alone in f.human_gaps:
        if (alone.dimension, alone.contrast) not in shown:
            found = _Bar(alone.contrast, "people", told(_ESTIMATES[2][2]), alone.estimate)
            bars.setdefault(alone.dimension, []).append(found)
    refused = {r.dimension for r in f.refused}
    made = [
        _gap_figure(metric, found, margins.get(metric), refused=metric in refused)
        for metric, found in list(bars.items())[:MOST_FIGURES]
    ]
    return made, max(0, len(bars) - MOST_FIGURES)


def _gap_figure(metric: str, bars: Sequence[_Bar], margin: float | None, *, refused: bool) -> Figure:
    drawn = bars[: 3 * MOST_ROWS]
    values = [b.estimate.value for b in drawn if not isinstance(b.estimate.value, Undefined)]
    ends = limits_of(*(b.estimate.interval for b in drawn))
    scale = scale_of([0.0, *values, *ends, *([] if margin is None else [-margin, margin])])
    several = len({b.contrast for b in drawn}) > 1
    rows = []
    for b in drawn:
        words = f"{contrast_words(b.contrast)}, {b.words}" if several else b.words
        value = estimate_words(b.estimate)
        against = "" if margin is None else "; " + say("margin ±{margin}", margin=number(margin))
        verdict = f": {b.verdict}" if b.verdict else ""
        picture = track(_gap_marks(scale, b, margin), f"{words}: {value}{against}{verdict}")
        rows.append(Row(words, picture, value + verdict))
    metric = printable(metric)
    notes: list[str] = []
    if refused:
        notes.append(say("Refused: the judge's own numbers are withheld; what people scored stands alone."))
    if len(bars) > len(drawn):
        notes.append(say("{n} more estimates stand in the table.", n=len(bars) - len(drawn)))
    shapes = dict.fromkeys((b.shape, b.words) for b in drawn)
    legend = [Legend(key([shape]), words) for shape, words in shapes]
    if margin is not None:
        legend.append(_inside(margin))
    return Figure(
        title=say("{metric}: gap and interval, by contrast", metric=metric)
        if several
        else say("{metric}: gap and interval, {contrast}", metric=metric, contrast=contrast_words(drawn[0].contrast)),
        rows=tuple(rows),
        axis=axis(scale, signed=True),
        unit=say("first group minus second; left of 0 the second group is higher"),
        legend=tuple(legend),
        note=" ".join(notes),
    )


def _inside(margin: float) -> Legend:
    return Legend(key("band"), say("inside the margin of ±{margin}", margin=number(margin)))


def _gap_marks(scale: Scale, b: _Bar, margin: float | None) -> Iterable[str]:
    if margin is not None:
        yield band(scale, -margin, margin)
    yield line_at(scale, 0.0, "zero")
    if isinstance(b.estimate.interval, Interval):
        yield span(scale, b.estimate.interval.low, b.estimate.interval.high)
    if not isinstance(b.estimate.value, Undefined):
        yield dot(scale, b.estimate.value, b.shape)


def _ends(values: Mapping[str, float], most: int) -> list[tuple[str, float]]:
    """The lowest and the highest, in rising order."""
    ordered = sorted(values.items(), key=lambda x: (x[1], x[0]))
    return ordered if len(ordered) <= most else [*ordered[: most // 2], *ordered[-(most // 2) :]]


def template_figures(gaps: Sequence[Gap]) -> tuple[list[Figure], int]:
    """The gap in every template as a dot, in rising order.

    Parameters
    ----------
    gaps : sequence of Gap
        Judged ones hold their templates only where the raw gap may be shown.

    Returns
    -------
    tuple of (list of Figure, int)
        The figures, and how many gaps have none for want of room.
    """
    able = [g for g in gaps if len(g.per_template) > 1]
    return [_template_figure(g) for g in able[:MOST_FIGURES]], max(0, len(able) - MOST_FIGURES)


def _template_figure(gap: Gap) -> Figure:
    shown = _ends(gap.per_template, MOST_ROWS)
    margin = [] if gap.margin is None else [-gap.margin, gap.margin]
    scale = scale_of([0.0, *gap.per_template.values(), *margin])

    def marks(value: float) -> Iterable[str]:
        if gap.margin is not None:
            yield band(scale, -gap.margin, gap.margin)
        yield line_at(scale, 0.0, "zero")
        yield dot(scale, value, "plain")

    rows = tuple(
        Row(printable(unit), track(marks(value), f"{unit}: {number(value, signed=True)}"), number(value, signed=True))
        for unit, value in shown
    )
    left = len(gap.per_template) - len(shown)
    return Figure(
        title=say(
            "{metric}: gap in each template, {contrast}",
            metric=printable(gap.metric), contrast=contrast_words(gap.contrast),
        ),
        rows=rows,
        axis=axis(scale, signed=True),
        unit=say("first group minus second"),
        legend=() if gap.margin is None else (_inside(gap.margin),),
        note=say("The {half} lowest and the {half} highest of {total} templates.", half=_HALF, total=len(gap.per_template))
        if left
        else "",
    )  # fmt: skip


def name_figures(gaps: Sequence[Gap]) -> tuple[list[Figure], int]:
    """The mean under every name as a dot, group by group.

    Parameters
    ----------
    gaps : sequence of Gap

    Returns
    -------
    tuple of (list of Figure, int)
        The figures, and how many gaps have none for want of room.
    """
    able = [g for g in gaps if sum(len(by) for by in g.per_name.values()) > 1]
    return [_name_figure(g) for g in able[:MOST_FIGURES]], max(0, len(able) - MOST_FIGURES)


def _name_figure(gap: Gap) -> Figure:
    sides: tuple[tuple[str, Shape], ...] = ((gap.contrast.a, "plain"), (gap.contrast.b, "people"))
    scale = scale_of(v for by in gap.per_name.values() for v in by.values())
    rows: list[Row] = []
    notes: list[str] = []
    for group, shape in sides:
        means = gap.per_name.get(group, {})
        for name, value in _ends(means, MOST_ROWS):
            mean = number(value)
            picture = track([dot(scale, value, shape)], f"{name}, {group}: {mean}")
            rows.append(Row(printable(name), picture, mean))
        if len(means) > MOST_ROWS:
            notes.append(
                say(
                    "{group}: The {half} lowest and the {half} highest of {total} names.",
                    group=printable(group), half=_HALF, total=len(means),
                )
            )  # fmt: skip
    metric = printable(gap.metric)
    return Figure(
        title=say("{metric}: mean under each name, {contrast}", metric=metric, contrast=contrast_words(gap.contrast)),
        rows=tuple(rows),
        axis=axis(scale),
        unit=say("mean {metric} of the replies to that name", metric=metric),
        legend=tuple(Legend(key([shape]), printable(group)) for group, shape in sides),
        note=" ".join(notes),
    )
