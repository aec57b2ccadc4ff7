"""Goal R11: sixty and more broken files, each explained by line, column, what was seen, why, and what to do."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from judgekit.errors import BadInput
from judgekit.files.tables import read_metric_table, read_pairs, read_ratings, read_replies

GOOD = b"id,text\n1,Hello\n"
RATED = b"item,dimension,annotator,score\n"


class Broken(NamedTuple):
    """A file, who reads it, where the error must point, and a word its message must have."""

    name: str
    file: str
    data: bytes
    line: int | None
    column: int | None
    says: str
    read: Callable[..., object] = read_replies
    options: dict[str, object] = {}  # noqa: RUF012 - never changed


def metric(path: Path, **options: object) -> object:
    """Read the metric called warmth."""
    return read_metric_table(path, metric="warmth", **options)  # type: ignore[arg-type]


def needs_group(path: Path, **options: object) -> object:
    """Read replies for a step that needs their group."""
    return read_replies(path, need=("group",), **options)  # type: ignore[arg-type]


def wide(path: Path, **options: object) -> object:
    """Read ratings with one column per rater."""
    return read_ratings(path, judge_col="judge", human_cols=["ana", "bo"], **options)  # type: ignore[arg-type]


def only_ana(path: Path, **options: object) -> object:
    """Read the ratings of one annotator."""
    return read_ratings(path, annotators=["ana"], **options)  # type: ignore[arg-type]


CASES = [
    # what is no text table at all
    Broken("empty file", "r.csv", b"", None, None, "empty"),
    Broken("empty JSONL", "r.jsonl", b"", None, None, "empty"),
    Broken("white space only", "r.csv", b"\n \r\n\n", None, None, "empty"),
    Broken("blank lines only, JSONL", "r.jsonl", b"\n\n", None, None, "no rows"),
    Broken("BOM only", "r.csv", b"\xef\xbb\xbf", None, None, "empty"),
    Broken("header only", "r.csv", b"id,text\n", 1, None, "no rows"),
    Broken("Excel file", "r.xlsx", b"PK\x03\x04rest", None, None, "CSV"),
    Broken("Excel file under a CSV name", "r.csv", b"PK\x03\x04rest", None, None, "Excel"),
    Broken("old Excel file", "r.xls", b"\xd0\xcf\x11\xe0\xa1\xb1", None, None, "Excel"),
    Broken("text under a spreadsheet name", "r.ods", GOOD, None, None, "spreadsheet"),
    Broken("gzip", "r.csv.gz", b"\x1f\x8b\x08\x00", None, None, "compressed"),
    Broken("zstd", "r.zst", b"(\xb5/\xfd\x04", None, None, "compressed"),
    Broken("PDF", "r.csv", b"%PDF-1.7\n", None, None, "PDF"),
    Broken("PNG", "r.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 2, 1, "text"),
    Broken("NUL in a cell", "r.csv", b"id,text\n1,a\n2,b\0c\n", 3, 4, "NUL"),
    Broken("NUL in JSONL", "r.jsonl", b'{"id":"1","text":"a\0"}\n', 1, 20, "NUL"),
    Broken("UTF-16 without a mark", "r.csv", "id,text\n1,Hi\n".encode("utf-16-le"), 1, 2, "UTF-16"),
    Broken("UTF-16 cut in half", "r.csv", "id,text\n1,Hi\n".encode("utf-16")[:-1], 2, 5, "UTF-16"),
    Broken("damaged UTF-8", "r.csv", "id,text\n1,né\n2,".encode() + b"\xff\n", 3, 3, "UTF-8"),
    Broken("byte that no encoding has", "r.csv", b"id,text\n1,\x81\n", 2, 3, "cp1252"),
    Broken("control characters and odd bytes", "r.csv", b"id,text\n1,\x01\xe9\n", 2, 3, "cp1252"),
    Broken("not in the stated encoding", "r.csv", b"id,text\n1,\xe9\n", 2, 3, "utf-8", options={"csv": {"encoding": "utf-8"}}),
    Broken("unknown encoding", "r.csv", GOOD, None, None, "encoding", options={"csv": {"encoding": "klingon"}}),
    Broken("unknown csv option", "r.csv", GOOD, None, None, "delimiter", options={"csv": {"sep": ";"}}),
    Broken("unknown delimiter", "r.csv", GOOD, None, None, "delimiter", options={"csv": {"delimiter": "#"}}),
    Broken("unknown decimal sign", "r.csv", GOOD, None, None, "decimal", options={"csv": {"decimal": "'"}}),
    # quotes and rows
    Broken("unclosed quote", "r.csv", b'id,text\n1,"Hello\n2,Bye\n', 2, 3, "never closed"),
    Broken("unclosed quote, mixed line ends", "r.csv", b'id,text\r\n1,ok\r2,x\n3,"Hello\r\n4,y\n', 4, 3, "never closed"),
    Broken("text after a closing quote", "r.csv", b'id,text\n1,"Hello" there\n', 2, 10, "closing quote"),
    Broken("quote closed on a later line, text after it", "r.csv", b'id,text\n1,"a\nb"c\n', 3, 3, "closing quote"),
    Broken("short row", "r.csv", b"id,text,group\n1,Hello,a\n2,Hi\n", 3, 2, "2 cells"),
    Broken("short row after a quoted line end", "r.csv", b'id,text\n1,"a\nb\nc"\n2\n', 5, 1, "1 cells"),
    Broken("long row", "r.csv", b"id,text\n1,Hello, Ana\n", 2, 3, "3 cells"),
    Broken("wrong delimiter stated", "r.csv", b"id;text\n1;Hi\n", 1, None, "id", options={"csv": {"delimiter": ","}}),
    Broken("10 MB cell", "r.csv", b'id,text\n1,"' + b"a" * 10_000_000 + b'"\n', 2, None, "too long"),
    Broken("10 MB cell over many lines", "r.csv", b'id,text\n1,"' + (b"a" * 99 + b"\n") * 100_000 + b'"\n', 2, 3, "4,000,000"),
    Broken("2 MB cell", "r.csv", b"id,text\n1,x\n2," + b"a" * 2_000_000 + b"\n", 3, 2, "too long"),
    Broken("10 MB line, JSONL", "r.jsonl", b'{"id":"1","text":"' + b"a" * 10_000_000 + b'"}\n', 1, None, "too long"),
    Broken("2 MB value, JSONL", "r.jsonl", b'{"id":"1","text":"' + b"a" * 2_000_000 + b'"}\n', 1, None, "too long"),
    # columns
    Broken("missing text column", "r.csv", b"id,words\n1,Hi\n", 1, None, "completion"),
    Broken("missing id column", "r.jsonl", b'{"text": "Hi"}\n', None, None, "conv_id"),
    Broken("missing needed column", "r.csv", GOOD, 1, None, "group", needs_group),
    Broken("empty needed cell", "r.csv", b"id,text,group\n1,Hi,a\n2,Hi,\n", 3, 3, "group", needs_group),
    Broken("two columns for one name", "r.csv", b"id,answer,output\n1,a,b\n", 1, 3, "columns:"),
    Broken("same header twice", "r.csv", b"id,text,text\n1,a,b\n", 1, 3, "same name"),
    Broken("canonical name twice by case", "r.csv", b"id,Text,TEXT\n1,a,b\n", 1, 3, "TEXT"),
    Broken("stated column is absent", "r.csv", GOOD, 1, None, "columns", options={"columns": {"text": "words"}}),
    Broken("stated name is no canonical one", "r.csv", GOOD, None, None, "canonical", options={"columns": {"txt": "text"}}),
    Broken("key missing in one record", "r.jsonl", b'{"id":"1","text":"a"}\n\n{"id":"2"}\n', 3, None, "text"),
    # cells
    Broken("duplicate id", "r.csv", b"id,text\n7,a\n8,b\n7,c\n", 4, None, "line 2"),
    Broken("duplicate id after quoted line ends", "r.csv", b'id,text\n7,"a\n\nb"\n8,b\n7,c\n', 6, None, "line 2"),
    Broken("duplicate id, number and text", "r.jsonl", b'{"id":7,"text":"a"}\n{"id":"7","text":"b"}\n', 2, None, "line 1"),
    Broken("empty id", "r.csv", b"id,text\n1,a\n,b\n", 3, 1, "id is empty"),
    Broken("blank id", "r.csv", b"id,text\n  ,b\n", 2, 1, "id is empty"),
    Broken("row of delimiters only", "r.csv", b"id,text\n1,a\n,\n", 3, 1, "id is empty"),
    Broken("id is a list", "r.jsonl", b'{"id":[1],"text":"a"}\n', 1, None, "id"),
    Broken("id is true", "r.jsonl", b'{"id":true,"text":"a"}\n', 1, None, "id"),
    Broken("id is a fraction", "r.jsonl", b'{"id":1.5,"text":"a"}\n', 1, None, "id"),
    Broken("text is a number", "r.jsonl", b'{"id":"1","text":5}\n', 1, None, "number"),
    Broken("context is a list", "r.jsonl", b'{"id":"1","text":"a","input":[{"role":"user"}]}\n', 1, None, "list"),
    Broken("group is an object", "r.jsonl", b'{"id":"1","text":"a","group":{"g":1}}\n', 1, None, "object"),
    Broken("known names are numbers", "r.jsonl", b'{"id":"1","text":"a","known_names":[1]}\n', 1, None, "names"),
    Broken("known names are half a list", "r.csv", b'id,text,known_names\n1,a,"[""Ana"""\n', 2, 3, "names"),
    # JSON
    Broken("broken JSON", "r.jsonl", b'{"id":"1","text":"a"}\n{"id":"2","text":}\n', 2, 18, "JSON"),
    Broken("truncated JSON", "r.jsonl", b'{"id":"1","text":"a"}\n{"id":"2","te', 2, 11, "JSON"),
    Broken("NaN in JSON", "r.jsonl", b'{"id":"1","text":"a","s":NaN}\n', 1, None, "NaN"),
    Broken("Infinity in JSON", "r.jsonl", b'{"id":"1","text":"a","s":-Infinity}\n', 1, None, "Infinity"),
    Broken("number beyond all numbers", "r.jsonl", b'{"id":"1","text":"a","s":1e999}\n', 1, None, "large"),
    Broken("whole number without end", "r.jsonl", b'{"id":"1","text":"a","s":' + b"9" * 5000 + b"}\n", 1, None, "JSON"),
    Broken("key twice", "r.jsonl", b'{"id":"1","text":"a","id":"2"}\n', 1, None, "twice"),
    Broken("nested without end", "r.jsonl", b'{"id":"1","text":' + b"[" * 200_000 + b"\n", 1, None, "deep"),
    Broken("line is a list", "r.jsonl", b'{"id":"1","text":"a"}\n["2","b"]\n', 2, None, "object"),
    Broken("JSON list instead of lines", "r.json", b'[{"id":"1","text":"a"}]', 1, 1, "one object per line"),
    Broken("text after the object", "r.jsonl", b'{"id":"1","text":"a"} extra\n', 1, 23, "JSON"),
    # Parquet
    Broken("Parquet in name only", "r.parquet", GOOD, None, None, "PAR1"),
    Broken("Parquet cut short", "r.parquet", b"PAR1" + b"\0" * 50, None, None, "Parquet"),
    Broken("Parquet with a false footer", "r.parquet", b"PAR1" + struct.pack("<i", 9) + b"PAR1", None, None, "Parquet"),
    # ratings, pairs, metrics
    Broken("ratings without score", "r.csv", b"item,dimension,annotator\n1,w,ana\n", 1, None, "score", read_ratings),
    Broken("rating without annotator", "r.csv", RATED + b"1,warmth,,3\n", 2, 3, "empty", read_ratings),
    Broken("rating twice", "r.csv", RATED + b"1,w,ana,3\n1,w,bo,3\n1,w,ana,4\n", 4, None, "line 2", only_ana),
    Broken("item twice, wide", "r.csv", b"id,judge,ana,bo\n1,3,3,3\n1,4,4,4\n", 3, None, "line 2", wide),
    Broken("decimal comma in a point file", "r.csv", RATED + b'1,w,ana,"3,5"\n', 2, 4, "decimal", read_ratings),
    Broken("decimal point in a comma file", "r.csv", RATED.replace(b",", b";") + b"1;w;ana;3,5\n2;w;ana;3.5\n3;w;ana;1\n", 3, 4, "decimal", read_ratings, {"csv": {"decimal": ","}}),
    Broken("infinite score", "r.csv", RATED + b"1,w,ana,1e999\n", 2, 4, "infinite", read_ratings),
    Broken("score is a list", "r.jsonl", b'{"item":"1","dimension":"w","annotator":"a","score":[1]}\n', 1, None, "list", read_ratings),
    Broken("both score and choice", "r.csv", b"item,dimension,annotator,score,choice\n1,w,a,1,a\n", 1, None, "choice", read_ratings),
    Broken("no such choice", "r.csv", b"item,dimension,annotator,choice\n1,w,ana,A wins\n", 2, 4, "tie", read_ratings),
    Broken("annotator not in the file", "r.csv", RATED + b"1,w,bo,3\n", None, None, "bo", only_ana),
    Broken("wide file without a rater's column", "r.csv", b"id,judge,ana\n1,3,3\n", 1, None, "bo", wide),
    Broken("pair with itself", "p.csv", b"pair_id,a,b\n1,x,x\n", 2, 3, "itself", read_pairs),
    Broken("pair id twice", "p.csv", b"pair_id,a,b\n1,x,y\n1,y,x\n", 3, None, "line 2", read_pairs),
    Broken("no metric column", "t.csv", b"template_id,group,tone\nt,a,1\n", 1, None, "--metric", metric),
    Broken("metric is a word", "t.csv", b"template_id,group,warmth\nt,a,high\n", 2, 3, "number", metric),
    Broken("metric is infinite", "t.csv", b"template_id,group,warmth\nt,a,inf\n", 2, 3, "number", metric),
    Broken("metric with a thousands mark", "t.csv", b'template_id,group,warmth\nt,a,"1,234.5"\n', 2, 3, "number", metric),
    Broken("full-width digits", "t.csv", "template_id,group,warmth\nt,a,３\n".encode(), 2, 3, "number", metric),
    Broken("empty template", "t.csv", b"template_id,group,warmth\n,a,1\n", 2, 1, "template_id", metric),
]  # fmt: skip


def explained(problem: BadInput, path: Path) -> None:
    """What every message must have, whatever the fault."""
    message = str(problem)
    assert problem.exit_code == 2
    assert message.startswith(str(path))
    assert problem.seen is not None or problem.why
    assert problem.remedy
    assert "Do: " in message
    assert "\n" not in message
    assert len(message) < 1500


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_broken_file_is_explained(case: Broken, tmp_path: Path) -> None:
    """Each fault is an exit 2 that names path, line, column, cause and remedy, and leaves the folder as it was."""
    path = tmp_path / case.file
    path.write_bytes(case.data)
    with pytest.raises(BadInput) as caught:
        case.read(path, **case.options)
    problem = caught.value
    explained(problem, path)
    assert case.says.lower() in str(problem).lower()
    assert problem.line == case.line
    if case.column is not None:
        assert problem.column == case.column
    assert sorted(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == case.data


def test_there_are_sixty() -> None:
    """The goal counts sixty broken files."""
    assert len({case.name for case in CASES}) >= 60


@pytest.mark.parametrize("kind", ["folder", "missing", "pipe", "device", "dangling link", "path through a file"])
def test_what_is_no_file(kind: str, tmp_path: Path) -> None:
    """Folders, pipes and devices are refused at once and never waited for."""
    path = tmp_path / "r.csv"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path = Path(os.devnull)
    elif kind == "dangling link":
        path.symlink_to(tmp_path / "nowhere")
    elif kind == "path through a file":
        (tmp_path / "file").write_text("x")
        path = tmp_path / "file" / "r.csv"
    with pytest.raises(BadInput) as caught:
        read_replies(path)
    assert caught.value.exit_code == 2
    assert caught.value.remedy


def test_hostile_header_is_shown_inert(tmp_path: Path) -> None:
    """An escape sequence in a header or a file name reaches no terminal through an error."""
    path = tmp_path / "r\x1b[2J.csv"
    path.write_bytes(b"id,\x1b]52;c;eA==\x07\n1,x\n")
    with pytest.raises(BadInput) as caught:
        read_replies(path)
    assert "\x1b" not in str(caught.value)
    assert "\x07" not in str(caught.value)
