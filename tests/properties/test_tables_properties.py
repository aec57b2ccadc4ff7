"""What holds for any text and any bytes: exact round trips, safe cells, and faults that are always explained."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from judgekit.errors import BadInput
from judgekit.files.atomic import Disk, dumps, read_jsonl, write_jsonl
from judgekit.files.json_text import loads
from judgekit.files.spreadsheet import guard, is_plain_number, unguard, write_csv
from judgekit.files.tables import is_own_judgments, read_metric_table, read_ratings, read_replies

ANY = st.text(st.characters(exclude_categories=()), max_size=60)
TRICKY = st.text(st.sampled_from("='+-@\t\r\n\"';,| ‹›U0D8F3\ud83d\0ａ＝é😀"), max_size=12)
TEXT = st.one_of(ANY, TRICKY)
CELLS = TEXT.filter(lambda text: len(text) < 200)


class Hasty(Disk):
    """A disk that is not waited for: content is what is tested here, not what a power cut leaves."""

    def fsync(self, descriptor: int) -> None:
        """Do not wait."""

    def fsync_folder(self, folder: Path) -> None:
        """Do not wait."""


HASTY = Hasty()


def refusal(read: Callable[[Path], object], path: Path) -> BadInput | None:
    """The refusal that a reader ends with, None when it reads the file; any other failure is a failure here."""
    try:
        read(path)
    except BadInput as problem:
        return problem
    return None


def pairs_up(text: str) -> bool:
    """Whether two lone surrogates stand side by side as a pair, which JSON reads as one character."""
    return any("\ud800" <= a <= "\udbff" and "\udc00" <= b <= "\udfff" for a, b in itertools.pairwise(text))


SOUND = TEXT.filter(lambda text: not pairs_up(text))
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers()
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | SOUND,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(SOUND, inner, max_size=4),
    max_leaves=12,
)


@given(TEXT)
@example("‹U+D83D›")
@example("‹'U+0000›")
@example("‹\ud83d›")
@example("''=1")
def test_guard_is_undone_exactly(text: str) -> None:
    """Every text comes back from its guarded form."""
    assert unguard(guard(text)) == text


@given(TEXT)
def test_guarded_text_is_safe(text: str) -> None:
    """A guarded text starts like no formula and can be encoded and stored."""
    cell = guard(text)
    cell.encode("utf-8")
    assert "\0" not in cell
    assert cell[:1] not in {"\t", "\r", "\n"} or not cell
    assert cell.strip()[:1] not in set("=+-@＝＋－＠") or is_plain_number(cell) or not cell.strip()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=6), st.sampled_from([",", ";", "\t"]))
def test_csv_round_trip(rows: list[tuple[str, str, str]], delimiter: str) -> None:
    """Texts, contexts and unknown columns come back exactly from a CSV file, whatever they hold."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "r.csv"
        header = ["id", "text", "context", "note"]
        write_csv(path, header, ([n, *row] for n, row in enumerate(rows)), delimiter=delimiter, disk=HASTY)
        replies = read_replies(path, csv={"delimiter": delimiter})
        assert [(r.id, r.text, r.context or "", r.carried["note"]) for r in replies] == [
            (str(n), *row) for n, row in enumerate(rows)
        ]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**15), 10**15), min_size=1))
def test_scores_round_trip(scores: list[float]) -> None:
    """Numbers come back equal from a CSV file, negative and tiny ones too."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "r.csv"
        header = ["item", "dimension", "annotator", "score"]
        write_csv(path, header, ([n, "w", "ana", score] for n, score in enumerate(scores)), disk=HASTY)
        assert [r.score for r in read_ratings(path)] == scores


@settings(max_examples=50, deadline=None)
@given(st.lists(st.dictionaries(SOUND, VALUES, max_size=4), min_size=1, max_size=4))
def test_jsonl_round_trip(records: list[dict[str, Any]]) -> None:
    """Any record comes back equal from a JSONL file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "r.jsonl"
        write_jsonl(path, records, disk=HASTY)
        assert read_jsonl(path) == records


@given(VALUES)
def test_json_is_valid_inert_and_stable(value: Any) -> None:
    """The text is JSON for any reader, holds no control or bidirectional character, and is the same when repeated."""
    text = dumps(value)
    assert json.loads(text) == value == loads(text)
    assert dumps(json.loads(text)) == text
    text.encode("utf-8")
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u202a\u202e\u2066\u2069\u200b\ufeff" for c in text)


PIECES = st.lists(
    st.sampled_from(
        [b"id", b"text", b"item", b"dimension", b"annotator", b"score", b"template_id", b"group", b",", b";", b"\t",
         b"\n", b"\r\n", b"\r", b'"', b'""', b"1", b"2", b"3,5", b"\xe9", "é".encode(), b"\xef\xbb\xbf", b"\xff\xfe",
         b"\0", b"{", b"}", b'{"id": "1", "text": "a"}', b":", b"[", b"NaN", b"PAR1", b" ", b"'", b"=1"]
    ),
    max_size=40,
).map(b"".join)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.one_of(PIECES, st.binary(max_size=80)), st.sampled_from(["r.csv", "r.jsonl", "r", "r.parquet"]))
@example(b"id,text\n1,a\n", "r.csv")
def test_any_bytes_are_read_or_explained(data: bytes, name: str) -> None:
    """No file makes a reader fail in any way but one: an explained refusal that points into the file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        for read in (
            read_replies,
            read_ratings,
            is_own_judgments,
            lambda path: read_metric_table(path, metric="score"),
        ):
            problem = refusal(read, path)
            if problem is not None:
                assert str(path) in str(problem)
                assert problem.remedy
                assert problem.line is None or 1 <= problem.line <= data.count(b"\n") + data.count(b"\r") + 1


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=8))
def test_a_repeated_id_is_refused_with_both_lines(ids: list[str]) -> None:
    """Reading succeeds exactly when the ids differ; otherwise the two lines named hold the same id."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "r.csv"
        path.write_text("id,text\n" + "".join(f"{name},x\n" for name in ids))
        problem = refusal(read_replies, path)
        if problem is None:
            assert len(set(ids)) == len(ids)
            assert [r.id for r in read_replies(path)] == ids
        else:
            assert problem.line is not None
            first = int((problem.why or "").split("line ")[1].split()[0])
            assert ids[first - 2] == ids[problem.line - 2]
            assert first < problem.line
