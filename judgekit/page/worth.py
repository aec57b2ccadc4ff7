"""The plots of what the judge is worth: kappa against its threshold, the swap test, and how many replies came how far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judgekit.findings import Findings, GroupKappa, ReferenceFacts
from judgekit.page.figures import MOST_FIGURES, MOST_ROWS, Figure, Legend, Row, limits_of
from judgekit.page.marks import Shape, axis, band, bar, dot, key, line_at, span, track
from judgekit.page.scale import Scale, scale_of
from judgekit.printable import printable
from judgekit.records import Agreement, Interval, SwapResult, Undefined
from judgekit.reporting.words import contrast_words, interval_words, number, reference_words
from judgekit.wording.sentence import say, told

__all__ = ["funnel_figure", "kappa_figures", "swap_figures", "threshold_of"]


def threshold_of(calibration: Mapping[str, Any], ceiling: float | Undefined | None) -> float | None:
    """What the lower bound of kappa must reach, as a number.

    Parameters
    ----------
    calibration : mapping
        The study's block.
    ceiling : float, Undefined or None
        Kappa of people among themselves on the dimension.

    Returns
    -------
    float or None
        None where the threshold hangs on people's own kappa and there is none.
    """
    from judgekit.calibration_remedies import ceiling_threshold

    rule = calibration["threshold"]
    if rule["kind"] == "absolute":
        return float(rule["kappa"])
    found = None if ceiling is None else ceiling_threshold(ceiling)
    return None if found is None or isinstance(found, Undefined) else found


def kappa_figures(f: Findings) -> tuple[list[Figure], int]:
    """One figure per dimension: the judge with each person and with all, and people among themselves.

    Parameters
    ----------
    f : Findings

    Returns
    -------
    tuple of (list of Figure, int)
        The figures, and how many dimensions have none for want of room.
    """
    dimensions = list(dict.fromkeys(a.dimension for a in f.agreement))
    references = {r.dimension: r for r in f.references}
    made = []
    for dimension in dimensions[:MOST_FIGURES]:
        rows = [a for a in f.agreement if a.dimension == dimension and a.by is None]
        ceiling = f.human_kappa.get(dimension, {}).get("kappa")
        limit = threshold_of(f.study["calibration"], ceiling)
        made.append(_kappa_figure(dimension, f.judging.judge, rows, references.get(dimension), limit))
    return made, max(0, len(dimensions) - MOST_FIGURES)


def _kappa_figure(
    dimension: str, judge: str, pairs: Sequence[Agreement], reference: ReferenceFacts | None, limit: float | None
) -> Figure:
    pairs = pairs[:MOST_ROWS]
    found = [a.kappa for a in pairs if not isinstance(a.kappa, Undefined)]
    groups = {} if reference is None else dict(list(reference.by_group.items())[:MOST_ROWS])
    of_all = [] if reference is None else [reference.kappa, reference.lower, *(g.kappa for g in groups.values())]
    whole = [x for x in of_all if not isinstance(x, Undefined)]
    fixed = [0.0, 1.0] if limit is None else [0.0, 1.0, limit]
    scale = scale_of(
        [*fixed, *found, *whole, *limits_of(*(a.interval for a in pairs), *(g.interval for g in groups.values()))]
    )
    rows = []
    if reference is not None:
        label: str = say("judge with people")
        value: str = say("{kappa}, at least {lower}", kappa=number(reference.kappa), lower=number(reference.lower))
        rows.append(Row(label, track(_reference(scale, reference, limit), f"{label}: {value}"), value))
    for group, met in groups.items():
        label, value = say("on texts of {group}", group=printable(group)), _kappa_words(met)
        rows.append(Row(label, track(_pair(scale, met, "plain", None), f"{label}: {value}"), value, sub=True))
    for a in sorted(pairs, key=lambda a: judge not in {a.a, a.b}):
        people, who = judge not in {a.a, a.b}, {"a": printable(a.a), "b": printable(a.b)}
        label = say("{a} with {b} (people)", **who) if people else say("{a} with {b}", **who)
        value = _kappa_words(a)
        picture = track(_pair(scale, a, "people" if people else "raw", limit), f"{label}: {value}")
        rows.append(Row(label, picture, value))
    return Figure(
        title=say("{dimension}: Cohen's kappa", dimension=printable(dimension)),
        rows=tuple(rows),
        axis=axis(scale),
        unit=say("kappa: 0 is chance, 1 is perfect agreement"),
        legend=_kappa_legend(limit),
        note=""
        if reference is None
        else say("Held against the threshold: {reference}.", reference=reference_words(reference)),
    )


def _kappa_words(found: Agreement | GroupKappa) -> str:
    interval = interval_words(found.interval, signed=False)
    return say("{kappa} {interval}, n {n}", kappa=number(found.kappa), interval=interval, n=found.n)


def _kappa_legend(limit: float | None) -> tuple[Legend, ...]:
    legend = [
        Legend(key(["bound"]), say("one-sided {level:.0%} lower bound", level=0.95)),
        Legend(key(["main"]), say("judge with people")),
        Legend(key(["raw"]), say("judge with one person")),
        Legend(key(["plain"]), say("judge with people, on the texts of one group")),
        Legend(key(["people"]), say("people among themselves: the ceiling")),
    ]
    if limit is not None:
        legend.append(Legend(key("limit"), say("threshold for the bound, {limit}", limit=number(limit))))
    return tuple(legend)


def _reference(scale: Scale, r: ReferenceFacts, limit: float | None) -> Iterable[str]:
    if limit is not None:
        yield line_at(scale, limit, "limit")
    if not isinstance(r.lower, Undefined) and not isinstance(r.kappa, Undefined):
        yield span(scale, r.lower, r.kappa)
    if not isinstance(r.lower, Undefined):
        yield dot(scale, r.lower, "bound")
    if not isinstance(r.kappa, Undefined):
        yield dot(scale, r.kappa, "main")


def _pair(scale: Scale, a: Agreement | GroupKappa, shape: Shape, limit: float | None) -> Iterable[str]:
    if limit is not None:
        yield line_at(scale, limit, "limit")
    if isinstance(a.interval, Interval):
        yield span(scale, a.interval.low, a.interval.high)
    if not isinstance(a.kappa, Undefined):
        yield dot(scale, a.kappa, shape)


def swap_figures(results: Sequence[SwapResult]) -> tuple[list[Figure], int]:
    """One figure per dimension and contrast: the shift under other names, of the same text twice, and of a rewording.

    Parameters
    ----------
    results : sequence of SwapResult

    Returns
    -------
    tuple of (list of Figure, int)
        The figures, and how many results have none for want of room.
    """
    return [_swap_figure(s) for s in results[:MOST_FIGURES]], max(0, len(results) - MOST_FIGURES)


def _swap_figure(s: SwapResult) -> Figure:
    kinds: tuple[tuple[str, float | Undefined, Interval | Undefined, Shape], ...] = (
        (say("other names: {contrast}", contrast=contrast_words(s.contrast)), s.shift, s.interval, "main"),
        (say("control: the same text twice"), s.control_shift, s.control_interval, "raw"),
        (say("as many words reworded"), s.paraphrase_shift, s.paraphrase_interval, "people"),
    )
    names = sorted(s.per_name.items(), key=lambda x: (-abs(x[1]), x[0]))[: MOST_ROWS // 2]
    values = [value for _, value, _, _ in kinds if not isinstance(value, Undefined)]
    ends = limits_of(*(interval for *_, interval, _ in kinds))
    scale = scale_of([0.0, -s.margin, s.margin, *values, *ends, *(v for _, v in names)])

    def marks(value: float | Undefined, interval: Interval | Undefined | None, shape: Shape) -> Iterable[str]:
        yield band(scale, -s.margin, s.margin)
        yield line_at(scale, 0.0, "zero")
        if isinstance(interval, Interval):
            yield span(scale, interval.low, interval.high)
        if not isinstance(value, Undefined):
            yield dot(scale, value, shape)

    rows = []
    for label, value, interval, shape in kinds:
        words = number(value, signed=True) + ("" if isinstance(value, Undefined) else f" {interval_words(interval)}")
        rows.append(Row(label, track(marks(value, interval, shape), f"{label}: {words}"), words))
    for name, shift in names:
        words = number(shift, signed=True)
        rows.append(Row(f"{printable(name)}", track(marks(shift, None, "plain"), f"{name}: {words}"), words, sub=True))
    left = len(s.per_name) - len(names)
    tolerance = Legend(key("band"), say("tolerance of ±{margin}", margin=number(s.margin)))
    one_name = Legend(key(["plain"]), say("one name, against the mean of all names"))
    return Figure(
        title=say(
            "{dimension}: shift of the score on {n} texts, {contrast}: {verdict}",
            dimension=printable(s.dimension), n=s.n, contrast=contrast_words(s.contrast), verdict=told(s.verdict),
        ),
        rows=tuple(rows),
        axis=axis(scale, signed=True),
        unit=say("points of the scale"),
        legend=(tolerance, one_name) if names else (tolerance,),
        note=say("The {n} names with the largest shift, of {total}.", n=len(names), total=len(s.per_name))
        if left > 0
        else "",
    )  # fmt: skip


def funnel_figure(f: Findings) -> Figure:
    """How many replies were read, blinded and verified, scored and labelled, as bars.

    Parameters
    ----------
    f : Findings

    Returns
    -------
    Figure
    """
    total = max(1, f.blinding.n_in)
    steps: list[tuple[str, int, int]] = [
        (say("replies read"), f.blinding.n_in, 0),
        (say("blinded and checked"), f.blinding.verified, f.blinding.withheld),
    ]
    for dimension, by_group in list(f.judging.counts.items())[:MOST_ROWS]:
        scored = sum(found.get("scored", 0) for found in by_group.values())
        label: str = say("scored by the judge: {dimension}", dimension=printable(dimension))
        steps.append((label, scored, f.blinding.verified - scored))
    if f.labels.anchors is None:
        steps.append((say("labelled by people"), f.labels.texts, 0))
    rows = []
    for label, n, lost in steps:
        missing = " " + say("({n} lost)", n=lost) if lost > 0 else ""
        of = say("{n} of {total}", n=n, total=f.blinding.n_in)
        rows.append(
            Row(label, track([bar(n / total, max(0, lost) / total)], f"{label}: {of}{missing}"), f"{n}{missing}")
        )
    return Figure(
        title=say("How far the replies came"),
        rows=tuple(rows),
        axis="",
        unit="",
        legend=(Legend(key(["plain"]), say("replies that came this far")),),
        note=say("Withheld and unscored replies are counted by group in the tables below.")
        if f.blinding.withheld
        else "",
    )
