"""Outcomes of pairs as a table holds them: which group's reply was preferred, pair by pair."""

from __future__ import annotations

from pathlib import Path

from judgekit.errors import BadInput
from judgekit.files.columns import METRICS
from judgekit.files.rows import Layouts, open_table
from judgekit.statistics.preference import JudgedPair

__all__ = ["read_choices"]

_CHOICES = ("a", "b", "tie", "inconsistent")


def read_choices(path: str | Path, column: str) -> list[JudgedPair]:
    r"""Read one outcome per pair.

    Parameters
    ----------
    path : str or Path
        CSV, JSONL or Parquet with ``template_id`` and the column; ``name_a`` and ``name_b``, where they are there, say whose
        replies were compared.
    column : str
        Holds ``a``, ``b``, ``tie``, ``inconsistent`` (the verdict followed the order), or nothing.

    Returns
    -------
    list of JudgedPair
        In file order.

    Raises
    ------
    BadInput
        A column is missing, or a cell holds something else, with its line.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "pairs.csv"
    ...     _ = path.write_text("template_id,choice\nt1,a\nt1,\nt2,tie\n")
    ...     [(pair.unit_id, pair.choice) for pair in read_choices(path, "choice")]
    [('t1', 'a'), ('t1', None), ('t2', 'tie')]
    """
    table = open_table(path)
    if column not in table.columns:
        raise BadInput(
            "no column holds the outcome of a pair",
            path=table.path,
            line=table.header_line,
            field=column,
            why=f"the file has the columns {', '.join(table.columns[:30])}",
            remedy="name one of them with --metric",
        )
    layouts = Layouts(table, METRICS, None, required=["template_id"], reserved=[column])
    pairs = []
    for row in table.rows():
        text = _text(row.values.get(column))
        choice = None if text is None else text.casefold()
        if choice is not None and choice not in _CHOICES:
            raise BadInput(
                "no such outcome of a pair",
                path=table.path,
                line=row.line,
                field=column,
                seen=text,
                why=f"it is one of {', '.join(_CHOICES)}, or empty",
                remedy="mend the row; a and b are the two groups",
            )
        pairs.append(
            JudgedPair(
                unit_id=_text(row.values.get(layouts.of(row).found["template_id"])),
                choice=choice,  # type: ignore[arg-type]  # checked above
                name_a=_text(row.values.get("name_a")),
                name_b=_text(row.values.get("name_b")),
            )
        )
    return pairs


def _text(value: object) -> str | None:
    text = "" if value is None else str(value).strip()
    return text or None
