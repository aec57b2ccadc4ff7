"""What the functions on frames return: lists and frames that show themselves in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from judgekit.markup import html_table
from judgekit.records import Gap, Interval, Undefined

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Gaps"]

AS_SUPPLIED = "As supplied, not vouched for: a judged number is vouched for by a calibrated study alone."


class Gaps(list[Gap]):
    """Gaps of one metric, a list like any other; in a notebook a table, and `to_frame` for more work.

    Examples
    --------
    >>> Gaps().to_frame().empty
    True
    """

    def to_frame(self) -> pd.DataFrame:
        """One row a contrast: the gap ``a`` minus ``b`` in the metric's unit, its interval, p and what it rests on.

        Returns
        -------
        pandas.DataFrame
            What is undefined is missing, with the reason in ``why``.
        """
        import pandas as pd

        return pd.DataFrame([_row(gap) for gap in self])

    def _repr_html_(self) -> str:
        rows = [_row(gap) for gap in self]
        shown = ["metric", "a", "b", "gap", "low", "high", "p", "templates", "n_a", "n_b", "margin", "verdict"]
        notes = list(dict.fromkeys(note for gap in self for note in gap.all_notes))
        whys = [f"{row['metric']}, {row['a']} and {row['b']}: {row['why']}" for row in rows if row["why"]]
        supplied = [AS_SUPPLIED] if any(gap.kind == "supplied" for gap in self) else []
        levels = {gap.main.interval.level for gap in self if gap.main and isinstance(gap.main.interval, Interval)}
        title = "Gaps, a minus b" + "".join(f", {level:.0%} intervals" for level in sorted(levels))
        cells = [[row[name] for name in shown] for row in rows]
        return html_table(shown, cells, title=title, notes=[*whys, *notes, *supplied])


def _row(gap: Gap) -> dict[str, Any]:
    main = gap.main
    why = None
    value = low = high = p = None
    if main is not None:
        value, why = _number(main.value)
        if isinstance(main.interval, Interval):
            low, high = main.interval.low, main.interval.high
        else:
            why = why or str(main.interval.reason)
        p, _ = _number(main.p)
    return {
        "metric": gap.metric,
        "a": gap.contrast.a,
        "b": gap.contrast.b,
        "claim": gap.claim,
        "gap": value,
        "low": low,
        "high": high,
        "p": p,
        "templates": main.templates if main else 0,
        "n_a": main.n_a if main else 0,
        "n_b": main.n_b if main else 0,
        "margin": gap.margin,
        "verdict": gap.verdict,
        "direction": gap.direction,
        "why": why,
    }


def _number(value: float | Undefined) -> tuple[float | None, str | None]:
    return (None, value.reason) if isinstance(value, Undefined) else (value, None)
