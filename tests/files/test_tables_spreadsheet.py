"""Goals R7 and R10: exports that no spreadsheet runs and that lose nothing, and a million rows in bounded memory."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.files.spreadsheet import guard, is_plain_number, unguard, write_csv
from judgekit.files.tables import read_ratings, read_replies
from judgekit.records import Undefined

CHECKOUT = Path(__file__).resolve().parents[2]

FORMULAS = [
    lead + body
    for lead in ("", " ", "\t", "\r", "\n", "\u00a0", " \t ", "'", "''")
    for body in ("=1+1", "+1+1", "-2+3", "@SUM(A1)", "＝1", "－2＋3", "＠x", '=HYPERLINK("http://x","y")', "=cmd|' /C calc'!A0")
] + ["\t", "\r", "\n", "=", "-", "--", "- a list\n- of two", "\ttext", "\rtext", "+34 600 000 000", "-1,5 apples"]  # fmt: skip

NUMBERS = [-1, -0.5, 3, 0, 1e-7, -2.5e20]


def runs_in_a_spreadsheet(cell: str) -> bool:
    """Whether a spreadsheet would take a cell for a formula (OWASP's list, after white space), written out apart."""
    if cell and cell[0] in "\t\r\n":
        return True
    return cell.strip()[:1] in set("=+-@＝＋－＠") and not is_plain_number(cell)


def test_there_are_sixty() -> None:
    """The goal counts sixty formula-like cells and headers."""
    assert len(set(FORMULAS)) >= 60


def test_no_cell_and_no_header_runs(tmp_path: Path) -> None:
    """Read by another CSV reader, no cell of the export starts like a formula; ours gives back each exact text."""
    path = tmp_path / "out.csv"
    header = ["id", "text", *(f"{formula}{n}" for n, formula in enumerate(FORMULAS))]
    write_csv(path, header, ([str(n), formula, *FORMULAS] for n, formula in enumerate(FORMULAS)))
    with path.open(newline="", encoding="utf-8") as handle:
        cells = [cell for row in csv.reader(handle, strict=True) for cell in row]
    assert len(cells) == len(header) * (len(FORMULAS) + 1)
    assert [cell for cell in cells if runs_in_a_spreadsheet(cell)] == []
    replies = read_replies(path)
    assert [reply.text for reply in replies] == FORMULAS
    assert list(replies[0].carried.values()) == FORMULAS
    assert list(replies[0].carried) == [name.strip() for name in header[2:]]


def test_numbers_stay_numbers(tmp_path: Path) -> None:
    """Negative scores are bare, are read back as numbers, and a text that is a number is not marked."""
    path = tmp_path / "out.csv"
    rows = [{"item": n, "dimension": "w", "annotator": "ana", "score": value} for n, value in enumerate(NUMBERS)]
    write_csv(path, ["item", "dimension", "annotator", "score"], rows)
    assert '0,"w","ana",-1\n' in path.read_text()
    assert [rating.score for rating in read_ratings(path)] == NUMBERS
    assert guard("-5") == "-5"
    assert guard("+3,5") == "+3,5"
    assert unguard("-5") == "-5"


def test_what_a_cell_becomes(tmp_path: Path) -> None:
    """Missing is empty, truth is a word, Undefined says why, lists are JSON, and delimiters inside are quoted."""
    path = tmp_path / "out.csv"
    row = [None, True, Undefined("few", "n = 1"), ["Ana", "Bo;C"], 'a;"b"\n', float("inf"), ""]
    assert write_csv(path, list("abcdefg"), [row], delimiter=";") == 1
    with path.open(newline="", encoding="utf-8") as handle:
        assert list(csv.reader(handle, delimiter=";"))[1] == [
            "", "true", "undefined (few): n = 1", '["Ana", "Bo;C"]', 'a;"b"\n', "inf", "",
        ]  # fmt: skip


def test_wrong_rows_are_refused_and_leave_nothing(tmp_path: Path) -> None:
    """A nan, a row of another length or an unknown column is a fault of the caller, and no file appears."""
    for rows in ([[1, 2, 3]], [[1]], [[1, float("nan")]], [{"a": 1, "z": 2}]):
        with pytest.raises(ValueError, match=r"cells|nan|column"):
            write_csv(tmp_path / "out.csv", ["a", "b"], rows)
    with pytest.raises(ValueError, match="unique"):
        write_csv(tmp_path / "out.csv", ["a", "a"], [])
    assert list(tmp_path.iterdir()) == []


def test_an_empty_cell_alone_is_still_a_row(tmp_path: Path) -> None:
    """A one-column table with a missing value keeps its row."""
    write_csv(tmp_path / "out.csv", ["a"], [[None], ["x"]])
    with (tmp_path / "out.csv").open(newline="", encoding="utf-8") as handle:
        assert list(csv.reader(handle)) == [["a"], [""], ["x"]]


MEASURE = """
import resource, sys
from judgekit.files.tables import iter_replies
n = sum(len(reply.text) > 0 for reply in iter_replies(sys.argv[1]))
print(n, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak(path: Path, rows: int) -> int:
    """Peak memory, in the system's unit, of a process that reads every reply of a file."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True, cwd=CHECKOUT
    )
    seen, memory = map(int, done.stdout.split())
    assert seen == rows
    return memory


def write_rows(path: Path, rows: int) -> None:
    """A table of replies of 250 characters in the format that the suffix names."""
    text = "Thanks for writing to us, we will look at it. " * 6
    if path.suffix == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        with pq.ParquetWriter(path, pa.schema({"id": pa.string(), "text": pa.string()})) as out:
            for start in range(0, rows, 50_000):
                ids = [f"r{n}" for n in range(start, start + 50_000)]
                out.write_table(pa.table({"id": ids, "text": [text[:250]] * len(ids)}))
        return
    with path.open("w") as file:
        if path.suffix == ".csv":
            file.write("id,text\n")
            file.writelines(f'r{n},"{text[:250]}"\n' for n in range(rows))
        else:
            file.writelines(f'{{"id": "r{n}", "text": "{text[:250]}"}}\n' for n in range(rows))


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_a_million_rows_in_bounded_memory(suffix: str, tmp_path: Path) -> None:
    """Ten times the rows need at most 1.2 times the memory, repeated ids being looked for all the while."""
    small, large = tmp_path / f"small{suffix}", tmp_path / f"large{suffix}"
    write_rows(small, 100_000)
    write_rows(large, 1_000_000)
    assert peak(large, 1_000_000) <= 1.2 * peak(small, 100_000)
