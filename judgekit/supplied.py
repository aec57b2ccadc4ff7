"""Tables that somebody supplies: refused where what they hold is the work of a judge that nobody has calibrated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from judgekit.errors import RefusedMetric
from judgekit.files.atomic import iter_jsonl
from judgekit.files.ledger import Ledger
from judgekit.files.own_scores import find_own_scores, nearby
from judgekit.files.rows import open_table
from judgekit.files.tables import is_own_judgments, iter_metric_table
from judgekit.judging.pairwise import combine_orders
from judgekit.records import MetricRow, Preference, Rating

__all__ = ["refuse_own_choices", "refuse_own_ratings", "refuse_own_scores"]

_REMEDY = "run `judgekit calibrate` and `judgekit gap` on the study"
_ENOUGH = 20
_IDS = ("item", "item_id", "pair_id", "pair", "id")
_MIRROR = {"a": "b", "b": "a"}

_Calls = dict[str, dict[str, list[str]]]
"""Pair to the reply shown first (``ab`` or ``ba``) to what was chosen."""


def refuse_own_scores(
    path: Path,
    metric: str,
    *,
    columns: Mapping[str, str] | None = None,
    folder: Path | None = None,
    shown: str | None = None,
) -> None:
    """Refuse a table whose metric is judgekit's own judged scores.

    Parameters
    ----------
    path : Path
        CSV, JSONL or Parquet.
    metric : str
        The column.
    columns : mapping, optional
        Canonical to actual column names.
    folder : Path, optional
        Whose ledgers and runs are compared, with those of the folders above; where the table lies by default.
    shown : str, optional
        What the error calls the table.

    Raises
    ------
    RefusedMetric
        It has a column that only judgments have, or, text by text, the scores of a ledger or run nearby.
    BadInput
        The table cannot be read.

    Notes
    -----
    Scores are known by the ids of their texts. A table without ids, with other ids, with scores that were recoded (4 and more
    as 1, say), or taken to a folder from which no ledger is seen, is not known again: that is why every number from a table
    is called "as supplied, not vouched for".
    """
    _refuse_judgments(path, shown)
    own = find_own_scores(iter_metric_table(path, metric=metric, columns=columns), folder or path.parent)
    if own is not None:
        raise RefusedMetric(
            f"these are judgekit's own scores of {own.dimension}",
            path=shown or path,
            field=metric,
            why=f"all {own.same} values are those in {own.path}, and a judged number is reported only when the judge is "
            "calibrated",
            remedy=_REMEDY,
        )


def refuse_own_ratings(rows: Sequence[Rating], judge: str, *, folder: Path, shown: str | Path) -> None:
    """Refuse to compare judgekit's own judged scores with people's part by part.

    Bias and sums in each group, or with two levels kappa itself, are the judge's mean there.

    Parameters
    ----------
    rows : sequence of Rating
        Scores of the judge and of people.
    judge : str
        Whose rows are the judge's.
    folder : Path
        Whose ledgers and runs are compared, with those of the folders above.
    shown : str or Path
        What the error calls the table.

    Raises
    ------
    RefusedMetric
        Text by text, the judge's scores of one dimension are those of a ledger or run nearby; see `refuse_own_scores` for
        what is not known again.
    """
    values: dict[str, list[MetricRow]] = {}
    for row in rows:
        if row.annotator == judge and isinstance(row.score, int | float):
            values.setdefault(row.dimension, []).append(
                MetricRow(item=row.item, unit_id=None, group=None, name=None, value=float(row.score))
            )
    for dimension, own in values.items():
        found = find_own_scores(own, folder)
        if found is not None:
            raise RefusedMetric(
                f"these are judgekit's own scores of {found.dimension}",
                path=shown,
                field="by",
                seen=dimension,
                why=f"all {found.same} values are those in {found.path}, and agreement in each part gives the judge's mean "
                "there away",
                remedy="leave the parts out; `judgekit report` on the study shows them once the judge is calibrated",
            )


def refuse_own_choices(path: Path, metric: str) -> None:
    """Refuse a table of pairs whose outcomes are those of `judgekit judge --pairs`.

    Parameters
    ----------
    path : Path
        CSV, JSONL or Parquet.
    metric : str
        The column with ``a``, ``b``, ``tie`` or ``inconsistent``.

    Raises
    ------
    RefusedMetric
        It has a column that only judgments have; or, pair by pair, it holds the choices of a ledger or run nearby: of one
        order, of both, or what they came to, as they are or with ``a`` and ``b`` exchanged throughout.
    BadInput
        The table cannot be read.

    Notes
    -----
    Pairs are known by their ids, as scores are by the ids of texts: see `refuse_own_scores` for what is not known again. Nor
    are choices that were turned for some pairs and not for others.
    """
    _refuse_judgments(path, None)
    sources = list(dict.fromkeys(nearby(path.parent)))
    if not sources:
        return
    for column in (name for name in open_table(path).columns if name.strip().casefold() in _IDS):
        rows = list(_choices(path, column, metric))
        for source in sources:
            dimension = _same(rows, source) if rows else None
            if dimension is not None:
                raise RefusedMetric(
                    f"these are judgekit's own comparisons on {dimension}",
                    path=path,
                    field=metric,
                    why=f"the outcomes are those in {source}, and a judged number is reported only when the judge is "
                    "calibrated; calibration is of scores",
                    remedy="let people compare the pairs, or " + _REMEDY,
                )


def _refuse_judgments(path: Path, shown: str | None) -> None:
    if is_own_judgments(path):
        raise RefusedMetric(
            "these are judgekit's own judgments",
            path=shown or path,
            why="a judged number is reported only when the judge is calibrated",
            remedy=_REMEDY,
        )


def _choices(path: Path, column: str, metric: str) -> Iterator[tuple[str, str]]:
    for row in open_table(path).rows():
        pair, choice = row.values.get(column), row.values.get(metric)
        if pair is not None and choice is not None and str(choice).strip():
            yield str(pair).strip(), str(choice).strip().casefold()


def _same(rows: list[tuple[str, str]], source: Path) -> str | None:
    """The dimension whose outcomes the rows are."""
    repeated = len({pair for pair, _ in rows}) < len(rows)
    mirrored = [(pair, _MIRROR.get(choice, choice)) for pair, choice in rows]
    for dimension, calls in _calls_of(source, {pair for pair, _ in rows}):
        for way in ("ab", "ba", "joined", *(["calls"] if repeated else [])):
            known = {pair: _outcomes(by_order, way) for pair, by_order in calls.items()}
            if any(_all_known(told, known) for told in (rows, mirrored)):
                return dimension
    return None


def _all_known(rows: list[tuple[str, str]], known: Mapping[str, set[str]]) -> bool:
    met = [choice in known[pair] for pair, choice in rows if known.get(pair)]
    return bool(met) and all(met) and (len(met) >= _ENOUGH or len(met) == len(rows))


def _outcomes(by_order: Mapping[str, list[str]], way: str) -> set[str]:
    first, second = (set(by_order.get(order, ())) for order in ("ab", "ba"))
    if way in {"ab", "ba"}:
        return first if way == "ab" else second
    if way == "calls" or not (first and second):
        return first | second
    joined = (combine_orders(Preference(x), Preference(y)) for x in first for y in second)  # type: ignore[arg-type]
    return {outcome.choice for outcome in joined if isinstance(outcome, Preference)}


def _calls_of(source: Path, pairs: set[str]) -> Iterator[tuple[str, _Calls]]:
    found: dict[tuple[str, str], _Calls] = {}
    for dimension, judge, pair, order, choice in (
        _of_ledger(source, pairs) if source.suffix == ".sqlite" else _of_file(source)
    ):
        found.setdefault((dimension, judge), {}).setdefault(pair, {}).setdefault(order, []).append(choice)
    yield from ((dimension, calls) for (dimension, _), calls in found.items())


def _of_ledger(path: Path, pairs: set[str]) -> Iterable[tuple[str, str, str, str, str]]:
    with Ledger.open(path, read_only=True) as ledger:
        for judgment in ledger.iter_judgments(arm_kinds={"base"}, items=pairs, superseded=True):
            task, outcome = judgment.task, judgment.outcome
            if task.pair_id is not None and isinstance(outcome, Preference):
                yield judgment.dimension, task.judge, task.pair_id, task.order, outcome.choice


def _of_file(path: Path) -> Iterable[tuple[str, str, str, str, str]]:
    for _, row in iter_jsonl(path):
        if isinstance(choice := row.get("choice"), str):
            order = "ba" if row.get("shown_first") == "b" else "ab"
            yield str(row.get("dimension")), str(row.get("annotator")), str(row.get("item")), order, choice
