"""Template x name cells: what rows of any number come down to before a gap is computed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from judgekit.errors import BadInput
from judgekit.records import MetricRow
from judgekit.statistics.results import FloatArray, IntArray, group_sum

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

__all__ = ["NO_NAME", "CellBuilder", "Cells", "cell_means", "cells_from_columns"]

NO_NAME = ""
"""Stands for the name of rows that have none; an empty name counts as none."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Means of template x name cells in long form.

    ``names`` holds (group, name) pairs; ``template``, ``name``, ``total`` (sum of scores), ``count`` (scored rows) and
    ``missing`` (rows without a score) have one entry per cell that has rows. ``named`` is False when no row had a
    name; ``outside`` counts rows without a template, by group.
    """

    templates: tuple[str, ...]
    names: tuple[tuple[str, str], ...]
    template: IntArray
    name: IntArray
    total: FloatArray
    count: IntArray
    missing: IntArray
    named: bool
    outside: Mapping[str, int]

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups met, sorted."""
        return tuple(sorted({group for group, _ in self.names}))

    def side(self, group: str) -> tuple[IntArray, IntArray, FloatArray, IntArray]:
        """Template, name, mean and count of the scored cells of one group.

        Parameters
        ----------
        group : str
            The group.

        Returns
        -------
        tuple of numpy.ndarray
            Four arrays of equal length; empty for a group without scores.
        """
        of_group = np.array([g == group for g, _ in self.names], dtype=bool)
        keep = (self.count > 0) & (of_group[self.name] if len(self.names) else np.zeros(0, dtype=bool))
        return self.template[keep], self.name[keep], self.total[keep] / self.count[keep], self.count[keep]

    def failures(self) -> Cells:
        """The same design with the score replaced by 1 for a missing and 0 for a present one."""
        rows = self.count + self.missing
        return replace(self, total=self.missing.astype(np.float64), count=rows, missing=np.zeros_like(rows))


def _factor(column: Sequence[str | None] | pd.Series[Any]) -> tuple[IntArray, list[str]]:
    """Codes of a column (-1 for missing and empty) and its sorted values."""
    import pandas as pd

    values: Any = column if isinstance(column, pd.Series) else np.asarray(column, dtype=object)
    codes, found = pd.factorize(values, sort=True)
    texts = [str(v) for v in found]
    out: IntArray = codes.astype(np.int64)
    if NO_NAME in texts:
        empty = texts.index(NO_NAME)
        out = np.where(out == empty, -1, out - (out > empty))
        del texts[empty]
    return out, texts


class _Cell:
    """A running sum without rounding, so that the order of rows cannot move the last bit."""

    __slots__ = ("count", "missing", "partials")

    def __init__(self) -> None:
        self.partials: list[float] = []
        self.count = self.missing = 0

    def add(self, value: float | None) -> None:
        if value is None:
            self.missing += 1
            return
        self.count += 1
        kept = 0
        # Shewchuk's expansion: the partial sums never overlap, and whole scores keep a single one.
        for partial in self.partials:
            high = value + partial
            low = partial - (high - value) if abs(value) >= abs(partial) else value - (high - partial)
            if low:
                self.partials[kept] = low
                kept += 1
            value = high
        self.partials[kept:] = [value]


class CellBuilder:
    """Makes `Cells` from rows that come one by one; memory grows with the cells, not with the rows.

    Examples
    --------
    >>> builder = CellBuilder()
    >>> builder.add("t1", "a", "Ana", 4.0)
    >>> builder.add("t1", "a", "Ana", None)
    >>> cells = builder.cells()
    >>> cells.count.tolist(), cells.missing.tolist()
    ([1], [1])
    """

    def __init__(self) -> None:
        self._cells: dict[tuple[str, str, str], _Cell] = {}
        self._outside: dict[str, int] = {}

    def add(self, template: str | None, group: str | None, name: str | None, value: float | None) -> None:
        """Take one row.

        Parameters
        ----------
        template, group, name : str or None
            Where the row stands; an empty text is as good as None. A row without a group is left out, one without a
            template is counted apart.
        value : float or None
            The metric, finite; None when the row has none.

        Raises
        ------
        BadInput
            When the value is not finite.
        """
        if value is not None and not math.isfinite(value):
            raise BadInput("a metric is not a finite number", seen=value, remedy="mark the row as missing")
        if not group:
            return
        if not template:
            self._outside[group] = self._outside.get(group, 0) + 1
            return
        key = template, group, name or NO_NAME
        cell = self._cells.get(key)
        if cell is None:
            cell = self._cells[key] = _Cell()
        cell.add(value)

    def cells(self) -> Cells:
        """The cells of the rows taken so far.

        Returns
        -------
        Cells
            Templates and names sorted.
        """
        templates = sorted({t for t, _, _ in self._cells})
        names = sorted({(g, n) for _, g, n in self._cells})
        at_template = {t: i for i, t in enumerate(templates)}
        at_name = {pair: i for i, pair in enumerate(names)}
        order = sorted(self._cells, key=lambda key: (at_template[key[0]], at_name[key[1:]]))
        found = [self._cells[key] for key in order]
        return Cells(
            templates=tuple(templates),
            names=tuple(names),
            template=np.array([at_template[t] for t, _, _ in order], dtype=np.int64),
            name=np.array([at_name[g, n] for _, g, n in order], dtype=np.int64),
            total=np.array([math.fsum(c.partials) for c in found], dtype=np.float64),
            count=np.array([c.count for c in found], dtype=np.int64),
            missing=np.array([c.missing for c in found], dtype=np.int64),
            named=any(n != NO_NAME for _, n in names),
            outside=dict(sorted(self._outside.items())),
        )


def cell_means(rows: Iterable[MetricRow]) -> Cells:
    """Cells (template x name) of a metric.

    Parameters
    ----------
    rows : iterable of MetricRow
        One per generation, read once; a row without a value counts as missing in its cell.

    Returns
    -------
    Cells
        See `Cells`.

    Raises
    ------
    BadInput
        When a value is infinite or ``nan``.

    Examples
    --------
    >>> row = MetricRow(item="1", unit_id="t1", group="a", name="Ana", value=4.0)
    >>> cell_means([row]).names
    (('a', 'Ana'),)
    """
    builder = CellBuilder()
    for row in rows:
        if row.value is not None and not math.isfinite(row.value):
            raise BadInput(
                "a metric is not a finite number", field=row.item, seen=row.value, remedy="mark the row as missing"
            )
        builder.add(row.unit_id, row.group, row.name, row.value)
    return builder.cells()


def cells_from_columns(
    template: Sequence[str | None] | pd.Series[Any],
    group: Sequence[str | None] | pd.Series[Any],
    name: Sequence[str | None] | pd.Series[Any] | None,
    value: ArrayLike,
) -> Cells:
    """Cells from equally long columns: the quick way in for large tables.

    Parameters
    ----------
    template, group : sequence of str or None, or pandas.Series
        Where each row stands. Rows without a group are left out; rows without a template are counted apart.
    name : sequence of str or None, or pandas.Series, optional
        The name used in each row.
    value : array_like
        The metric; ``nan`` marks a row without a score.

    Returns
    -------
    Cells
        One entry per template x name met.

    Raises
    ------
    BadInput
        When a value is infinite or the columns differ in length.

    Examples
    --------
    >>> cells = cells_from_columns(["t1", "t1"], ["a", "b"], None, [3.0, float("nan")])
    >>> cells.count.tolist(), cells.missing.tolist()
    ([1, 0], [0, 1])
    """
    scores = np.asarray(value, dtype=np.float64)
    if not len(template) == len(group) == len(scores) or (name is not None and len(name) != len(scores)):
        raise BadInput("columns differ in length", seen=f"{len(template)}, {len(group)}, {len(scores)}")
    if np.isinf(scores).any():
        raise BadInput("a metric is infinite", field="value", remedy="mark the row as missing and say why")
    group_codes, groups = _factor(group)
    template_codes, templates = _factor(template)
    name_codes, plain_names = (np.full(len(scores), -1, dtype=np.int64), []) if name is None else _factor(name)
    inside = (group_codes >= 0) & (template_codes >= 0)
    lost = np.bincount(group_codes[(group_codes >= 0) & (template_codes < 0)], minlength=len(groups))
    outside = {g: int(k) for g, k in zip(groups, lost, strict=True) if k}
    width = len(plain_names) + 1
    pair = group_codes[inside] * width + (name_codes[inside] + 1)
    pairs, name_index = np.unique(pair, return_inverse=True)
    names = tuple(
        (groups[p // width], NO_NAME if p % width == 0 else plain_names[p % width - 1]) for p in pairs.tolist()
    )
    key = template_codes[inside] * max(1, len(pairs)) + name_index
    cells, cell_index = np.unique(key, return_inverse=True)
    scored = ~np.isnan(scores[inside])
    size = len(cells)
    count = np.bincount(cell_index[scored], minlength=size)
    return Cells(
        templates=tuple(templates),
        names=names,
        template=cells // max(1, len(pairs)),
        name=cells % max(1, len(pairs)),
        total=group_sum(cell_index[scored], scores[inside][scored], size),
        count=count,
        missing=np.bincount(cell_index, minlength=size) - count,
        named=bool((name_codes[inside] >= 0).any()),
        outside=outside,
    )
