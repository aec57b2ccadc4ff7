"""What the table readers take: aliases, encodings, formats, long and wide ratings, and judgekit's own files."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from judgekit.errors import BadInput, UsageProblem
from judgekit.files.columns import METRICS, REPLIES, resolve
from judgekit.files.tables import (
    describe_source,
    is_own_judgments,
    iter_replies,
    read_metric_table,
    read_pairs,
    read_ratings,
    read_replies,
)
from judgekit.files.unique import SeenIds
from judgekit.records import MetricRow, PairItem, Rating, Reply

LONG = "item,dimension,annotator,score\n"


@pytest.fixture
def shared() -> Path:
    """The folder of shared reference data, beside the checkout."""
    folder = Path(__file__).resolve().parents[2].parent / "shared"
    if not folder.is_dir():
        pytest.skip("the shared reference data is not beside this checkout")
    return folder


def put(folder: Path, name: str, content: str | bytes, encoding: str = "utf-8") -> Path:
    """Write a file for a test."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return path


# --- columns -------------------------------------------------------------------------------------------------------

# Written out again from the interface, not imported, so that a change there is noticed.
ALIASES = {
    "id": "item item_id conv_id example_id",
    "text": "reply output response actual_output completion answer",
    "template_id": "template scenario",
    "replicate": "sample seed repeat epoch rep",
    "context": "input prompt user_input question message",
}


@pytest.mark.parametrize(("canonical", "alias"), [(k, a) for k, names in ALIASES.items() for a in names.split()])
def test_every_alias(canonical: str, alias: str, tmp_path: Path) -> None:
    """Each alias of the interface is understood, in any case and with spaces around it."""
    fields = {"id": "1", "text": "Hi", "template_id": "t", "replicate": "2", "context": "c"}
    for header in (alias, f" {alias.upper()} "):
        names = [header if name == canonical else name for name in fields]
        path = put(tmp_path, "r.csv", ",".join(names) + "\n" + ",".join(fields.values()) + "\n")
        reply = read_replies(path)[0]
        assert (reply.id, reply.text, reply.unit_id, reply.replicate, reply.context) == ("1", "Hi", "t", "2", "c")
        assert reply.carried == {}


def test_no_alias_beyond_the_interface() -> None:
    """Names that the interface does not list are carried, not guessed."""
    assert {k: " ".join(v) for k, v in REPLIES.items() if v} == ALIASES
    assert {name for name in METRICS if not METRICS[name]} == {"group", "name", "name_pair", "case_type"}


def test_the_canonical_name_wins_over_an_alias(tmp_path: Path) -> None:
    """With `text` and `answer` both there, `text` is meant and `answer` is carried."""
    path = put(tmp_path, "r.csv", "answer,text,ID,item\nno,yes,1,2\n")
    reply = read_replies(path)[0]
    assert (reply.text, reply.id) == ("yes", "1")
    assert reply.carried == {"answer": "no", "item": "2"}


def test_stated_columns_win(tmp_path: Path) -> None:
    """`columns` settles every doubt, takes a column away from its alias, and null means that there is none."""
    path = put(tmp_path, "r.csv", "id,text,prompt,input,answer\n1,a,b,c,d\n")
    with pytest.raises(BadInput, match="prompt and input"):
        read_replies(path)
    reply = read_replies(path, columns={"context": "input"})[0]
    assert (reply.context, reply.carried) == ("c", {"prompt": "b", "answer": "d"})
    reply = read_replies(path, columns={"text": "prompt", "context": None})[0]
    assert (reply.text, reply.context) == ("b", None)
    reply = read_replies(path, columns={"text": "input"})[0]
    assert (reply.text, reply.context) == ("c", "b")
    assert resolve(["ID", "x"], REPLIES, {"text": "X"}, path="r.csv") == {"id": "ID", "text": "x"}


def test_commands_without_a_study_are_not_sent_to_study_yaml(kit, tmp_path: Path) -> None:
    """`agree` names its own options for wide files, `gap` the names it takes."""
    (tmp_path / "r.csv").write_text("item,ana,karim\n1,2,3\n2,3,3\n")
    said = kit.command("agree", tmp_path / "r.csv", "--judge", "ana", "--humans", "karim", "--levels", "1,2,3")
    assert said.code == 2
    assert "--judge-col COLUMN --human-cols COLUMN" in said.err
    (tmp_path / "g.csv").write_text("id,szenario,group,words\n1,2,a,4\n2,3,b,3\n")
    gap = kit.command("gap", tmp_path / "g.csv", "--metric", "words")
    assert gap.code == 2
    assert "template_id: template_id, template, scenario" in gap.err
    assert "study.yaml" not in said.err + gap.err


def test_all_missing_columns_are_named_at_once(tmp_path: Path) -> None:
    """One run tells everything that a stage lacks, also for a single JSONL record."""
    with pytest.raises(BadInput, match="`template_id` is missing, and so is `group`"):
        read_replies(put(tmp_path, "r.csv", "id,text\n1,a\n"), need=("template_id", "group"))
    with pytest.raises(BadInput, match="`id` is missing, and so is `text`"):
        read_replies(put(tmp_path, "r.jsonl", '{"id": "1", "text": "a"}\n{"x": 1}\n'))


def test_needed_columns_must_be_canonical(tmp_path: Path) -> None:
    """A stage that asks for a column nobody knows is told so."""
    with pytest.raises(UsageProblem):
        read_replies(put(tmp_path, "r.csv", "id,text\n1,a\n"), need=("colour",))


# --- encodings and dialects ----------------------------------------------------------------------------------------

SPANISH = 'id;text;group\n1;"¿Qué tal, Begoña?\nAdiós";a\n2;"Señor; ""Ñ""";b\n'


@pytest.mark.parametrize(
    ("encoding", "named", "how"),
    [
        ("utf-8", "utf-8", "every byte fits"),
        ("utf-8-sig", "utf-8-sig", "byte order mark"),
        ("utf-16", "utf-16", "byte order mark"),
        ("utf-32", "utf-32", "byte order mark"),
        ("cp1252", "cp1252", "fallback"),
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(encoding: str, named: str, how: str, ends: str, tmp_path: Path) -> None:
    """The same table in five encodings and with three line ends gives the same replies."""
    path = put(tmp_path, "r.csv", SPANISH.replace("\n", ends), encoding)
    facts = describe_source(path)
    assert (facts.encoding, facts.encoding_how, facts.delimiter) == (named, how, ";")
    replies = read_replies(path)
    assert [r.text for r in replies] == [f"¿Qué tal, Begoña?{ends}Adiós", 'Señor; "Ñ"']


def test_a_stated_encoding_is_taken(tmp_path: Path) -> None:
    """A stated encoding is used even where another would fit, and UTF-8 may carry its mark."""
    path = put(tmp_path, "r.csv", "id,text\n1,Łódź\n", "cp1250")
    assert read_replies(path, csv={"encoding": "cp1250"})[0].text == "Łódź"
    path = put(tmp_path, "r2.csv", "id,text\n1,é\n", "utf-8-sig")
    assert read_replies(path, csv={"encoding": "UTF8"})[0].text == "é"


@pytest.mark.parametrize(("delimiter", "name"), [(",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "bar")])
@pytest.mark.parametrize("file", ["r.csv", "r.tsv", "r.txt", "r.data", "r"])
def test_delimiters(delimiter: str, name: str, file: str, tmp_path: Path) -> None:
    """Four delimiters are found by content, whatever the file's name; each can be stated by sign or name."""
    text = 'id,text,group\n1,"Hello, Ana; hi | there\tyou",a\n2,"x",b\n'
    lines = [line.split(",", 1) for line in text.splitlines()]
    rows = [delimiter.join([first, *rest.rsplit(",", 1)]) for first, rest in lines]
    path = put(tmp_path, file, "\n".join(rows) + "\n")
    for csv in (None, {"delimiter": delimiter}, {"delimiter": name}):
        assert describe_source(path, csv=csv).delimiter == delimiter
        assert read_replies(path, csv=csv)[0].text == "Hello, Ana; hi | there\tyou"


def test_prose_with_semicolons_does_not_change_the_delimiter(tmp_path: Path) -> None:
    """A comma file whose replies are full of semicolons stays a comma file."""
    path = put(tmp_path, "r.csv", "id,text\n" + "".join(f"{n},yes; no; well; ok\n" for n in range(50)))
    assert describe_source(path).delimiter == ","


def test_decimal_comma(tmp_path: Path) -> None:
    """In a `;` file 3,5 is three and a half; a text cell keeps its commas; whole numbers are no hint."""
    path = put(tmp_path, "r.csv", "item;dimension;annotator;score\n1;w;ana;3,5\n2;w;ana;-4\n3;w;ana;1,25e1\n")
    assert [r.score for r in read_ratings(path)] == [3.5, -4.0, 12.5]
    assert describe_source(path, kind="ratings").decimal == ","
    path = put(tmp_path, "r2.csv", "item;dimension;annotator;score\n1;w;ana;3.5\n")
    assert [r.score for r in read_ratings(path)] == [3.5]
    path = put(tmp_path, "r3.csv", 'item,dimension,annotator,score\n1,w,ana,"3,5"\n')
    assert [r.score for r in read_ratings(path, csv={"decimal": ","})] == [3.5]


def test_line_numbers_are_physical(tmp_path: Path) -> None:
    """Rows after quoted line ends, blank lines and mixed line ends are numbered as an editor shows them."""
    path = put(tmp_path, "r.csv", '\nid,text\r\n1,"a\nb\r\nc"\r\n\n2,x\r3,y\n')
    rated = put(tmp_path, "q.csv", '\nitem,dimension,annotator,score\r\n"1\n\r\n",w,ana,3\r\n\n2,w,ana,4\r3,w,ana,5\n')
    assert [r.line for r in read_ratings(rated)] == [3, 7, 8]
    assert [r.text for r in read_replies(path)] == ["a\nb\r\nc", "x", "y"]


def test_a_header_of_a_hundred_thousand_columns(tmp_path: Path) -> None:
    """A hostile header costs time in proportion to its length, not to its square."""
    names = ",".join(f"c{n}" for n in range(100_000))
    path = put(tmp_path, "r.csv", f"id,text,{names}\n1,a" + "," * 100_000 + "\n2,b\n")
    with pytest.raises(BadInput, match="2 cells, the header 100002"):
        read_replies(path)


def test_empty_header_cells_get_a_name(tmp_path: Path) -> None:
    """A spreadsheet's row numbers under an empty heading are carried."""
    path = put(tmp_path, "r.csv", ",id,text\n0,1,a\n")
    assert read_replies(path)[0].carried == {"column 1": "0"}


# --- replies -------------------------------------------------------------------------------------------------------


def test_ids_are_kept_as_they_stand(tmp_path: Path) -> None:
    """Leading zeros, spaces, signs and long numbers survive; JSON whole numbers become text."""
    ids = ["00123", " 7", "+5", "1e5", "9" * 40, "3.10", "é", "'x"]
    path = put(tmp_path, "r.csv", "id,text\n" + "".join(f'"{name}",a\n' for name in ids))
    assert [r.id for r in read_replies(path)] == ids
    path = put(tmp_path, "r.jsonl", '{"id": 12345678901234567890, "text": ""}\n{"id": "007", "text": ""}\n')
    assert [r.id for r in read_replies(path)] == ["12345678901234567890", "007"]


def test_an_empty_reply_is_kept(tmp_path: Path) -> None:
    """A chatbot that said nothing is a finding, so the row stays, in every format."""
    csv = put(tmp_path, "r.csv", "id,text\n1,\n2,  \n")
    jsonl = put(tmp_path, "r.jsonl", '{"id": "1", "text": null}\n{"id": "2", "text": "  "}\n')
    for path in (csv, jsonl):
        assert [r.text for r in read_replies(path)] == ["", "  "]


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("Ana;Bo", ("Ana", "Bo")),
        (" Ana ;; Bo;", ("Ana", "Bo")),
        ('["Ana", "Bo; Jr"]', ("Ana", "Bo; Jr")),
        ("Ana, María", ("Ana, María",)),
        ("", ()),
        ("[]", ()),
    ],
)
def test_known_names(cell: str, names: tuple[str, ...], tmp_path: Path) -> None:
    """A list, a JSON list in a cell, or names with semicolons."""
    quoted = cell.replace('"', '""')
    path = put(tmp_path, "r.csv", f'id,text,known_names\n1,a,"{quoted}"\n')
    assert read_replies(path)[0].known_names == names
    path = put(tmp_path, "r.jsonl", json.dumps({"id": "1", "text": "a", "known_names": list(names)}) + "\n")
    assert read_replies(path)[0].known_names == names


def test_language(tmp_path: Path) -> None:
    """A row's own language wins over the file's; `auto` states none."""
    path = put(tmp_path, "r.csv", "id,text,lang\n1,a,ES\n2,b,\n")
    assert [r.lang for r in read_replies(path, lang="en")] == ["es", "en"]
    assert [r.lang for r in read_replies(path, lang="auto")] == ["es", None]


FULL = {
    "id": ["001", "002"],
    "text": ['Hi "you"\n', ""],
    "template_id": ["t1", "t2"],
    "group": ["a", "b"],
    "name": ["Ana", "Bo"],
    "name_pair": ["p", "p"],
    "replicate": ["1", "2"],
    "context": ["Where?", "Why?"],
    "known_names": [["Ana", "Díaz"], []],
    "case_type": ["refund", None],
    "lang": ["en", "es"],
    "note": ["=1+1", "x"],
}


@pytest.mark.parametrize("name", ["r.csv", "r.jsonl", "r.parquet", "unknown.pq2"])
def test_all_formats_give_the_same_replies(name: str, tmp_path: Path) -> None:
    """CSV, JSONL and Parquet written by pandas are read alike, also under a name that says nothing."""
    frame = pd.DataFrame(FULL)
    path = tmp_path / name
    if name.endswith("csv"):
        frame["known_names"] = frame["known_names"].map(json.dumps)
        frame.to_csv(path, index=False)
    elif name.endswith("jsonl"):
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_parquet(path)
    assert read_replies(path, need=("template_id", "group")) == [
        Reply(
            id="001", text='Hi "you"\n', unit_id="t1", group="a", name="Ana", name_pair="p", replicate="1",
            context="Where?", known_names=("Ana", "Díaz"), lang="en", case_type="refund", carried={"note": "=1+1"},
        ),
        Reply(
            id="002", text="", unit_id="t2", group="b", name="Bo", name_pair="p", replicate="2", context="Why?",
            lang="es", carried={"note": "x"},
        ),
    ]  # fmt: skip


def test_parquet_types(tmp_path: Path) -> None:
    """Numbers, nulls, dates and the index of pandas become plain values; a nan is a missing value."""
    frame = pd.DataFrame(
        {
            "id": [1.0, 2.0],
            "text": ["a", None],
            "seed": pd.array([1, None], dtype="Int64"),
            "when": pd.to_datetime(["2026-03-01", None]),
            "s": [0.5, float("nan")],
            "deep": [{"a": [1]}, None],
        },
        index=[5, 9],
    )
    frame.to_parquet(tmp_path / "r.parquet")
    first, second = read_replies(tmp_path / "r.parquet")
    assert (first.id, first.replicate, second.id, second.text, second.replicate) == ("1", "1", "2", "", None)
    assert first.carried == {"when": "2026-03-01T00:00:00", "s": 0.5, "deep": {"a": [1]}}
    assert second.carried == {"when": None, "s": None, "deep": None}


def test_errors_about_the_file_come_at_the_call(tmp_path: Path) -> None:
    """A stage learns of a missing column before it has opened its own output."""
    with pytest.raises(BadInput):
        iter_replies(put(tmp_path, "r.csv", "id,words\n1,a\n"))
    replies = iter_replies(put(tmp_path, "s.csv", "id,text\n1,a\n1,b\n"))
    assert [next(replies).text, next(replies).text] == ["a", "b"]
    with pytest.raises(BadInput, match="twice"):
        next(replies)


def test_jsonl_records_may_differ_in_their_keys(tmp_path: Path) -> None:
    """Each record is matched by its own keys, also with stated columns that some records lack."""
    lines = [{"id": "1", "text": "a", "who": "x"}, {"text": "b", "item": "2", "input": "c"}]
    path = put(tmp_path, "r.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    first, second = read_replies(path, columns={"group": "who"})
    assert (first.id, first.group, first.context) == ("1", "x", None)
    assert (second.id, second.group, second.context) == ("2", None, "c")


def test_ids_beyond_memory_are_still_compared() -> None:
    """A repeated id is found when its two hashes went to the temporary file at different times."""
    for n, twice in itertools.product((10, 1000), (True, False)):
        with SeenIds(block=16) as seen:
            for number in range(n):
                seen.add(f"id {number}")
            if twice:
                seen.add("id 0")
            assert len(seen.repeated()) == int(twice)


@pytest.mark.slow
def test_a_duplicate_far_down_is_found(tmp_path: Path) -> None:
    """Seventy thousand rows apart, the two lines are named."""
    path = put(tmp_path, "r.csv", "id,text\n" + "".join(f"{n},a\n" for n in range(70_000)) + "5,b\n")
    with pytest.raises(BadInput, match="line 7 too") as caught:
        read_replies(path)
    assert caught.value.line == 70_002


# --- ratings -------------------------------------------------------------------------------------------------------


def test_long_ratings(tmp_path: Path) -> None:
    """Scores are numbers where they are numbers, text where they are labels, and None where the cell is empty."""
    path = put(tmp_path, "r.csv", LONG.replace("\n", ",by\n") + "007,w,ana,4,x\n007,w,bo,,y\n8,kind,ana,Polite,z\n")
    assert read_ratings(path) == [
        Rating(item="007", dimension="w", annotator="ana", score=4.0, line=2, carried={"by": "x"}),
        Rating(item="007", dimension="w", annotator="bo", score=None, line=3, carried={"by": "y"}),
        Rating(item="8", dimension="kind", annotator="ana", score="Polite", line=4, carried={"by": "z"}),
    ]


@pytest.mark.parametrize("cell", ["nan", "NaN", "NA", "inf", "Infinity", "-inf", "٣", "３", "1_000", "0x10", "3 of 5"])
def test_what_is_no_number_stays_text(cell: str, tmp_path: Path) -> None:
    """Nothing that Python, but no scale, takes for a number becomes one."""
    path = put(tmp_path, "r.csv", LONG + f"1,w,ana,{cell}\n")
    assert read_ratings(path)[0].score == cell


def test_annotators_that_are_not_named_are_ignored(tmp_path: Path) -> None:
    """A crowd's rows may hold what they like until they are asked for."""
    path = put(tmp_path, "r.csv", LONG + '1,w,crowd,"3,5"\n1,w,crowd,"3,6"\n1,w,ana,4\n')
    assert [r.score for r in read_ratings(path, annotators=["ana"])] == [4.0]
    with pytest.raises(BadInput, match="decimal comma"):
        read_ratings(path)
    crowd = put(tmp_path, "s.csv", LONG + "1,w,crowd,3\n1,w,crowd,3.5\n1,w,ana,4\n")
    assert [r.score for r in read_ratings(crowd)] == [3.0, 3.5, 4.0]
    with pytest.raises(BadInput, match="rated this item"):
        read_ratings(crowd, annotators=["crowd"])
    with pytest.raises(BadInput, match="ana, crowd"):
        read_ratings(path, annotators=["Ana"])


def test_repeats_are_told_apart(tmp_path: Path) -> None:
    """Several scores by one judge for one item need a column that numbers them."""
    path = put(tmp_path, "r.csv", "item,dimension,annotator,score,repeat\n1,w,judge,4,0\n1,w,judge,5,1\n")
    assert [r.score for r in read_ratings(path, annotators=["judge"])] == [4.0, 5.0]


def test_wide_ratings(tmp_path: Path) -> None:
    """One column per rater becomes one rating per rater; everything else is carried to each."""
    path = put(tmp_path, "r.csv", "id;judge;ana;bo;site\n1;3,5;4;;A\n2;2;;5;B\n")
    ratings = read_ratings(path, judge_col="judge", human_cols=["ana", "bo"], dimension="warmth")
    assert [(r.item, r.annotator, r.score, r.line) for r in ratings] == [
        ("1", "judge", 3.5, 2), ("1", "ana", 4.0, 2), ("1", "bo", None, 2),
        ("2", "judge", 2.0, 3), ("2", "ana", None, 3), ("2", "bo", 5.0, 3),
    ]  # fmt: skip
    assert {r.dimension for r in ratings} == {"warmth"}
    assert [r.carried for r in ratings[::3]] == [{"site": "A"}, {"site": "B"}]


def test_wide_ratings_without_ids(tmp_path: Path) -> None:
    """Rows pair the raters, so ids are not needed; a rater's column is never taken for something else."""
    path = put(tmp_path, "r.csv", "item,ana\n4,5\n3,3\n")
    ratings = read_ratings(path, judge_col="item", human_cols=["ana"])
    assert [(r.item, r.annotator, r.score) for r in ratings][:2] == [("line 2", "item", 4.0), ("line 2", "ana", 5.0)]
    with pytest.raises(UsageProblem):
        read_ratings(path, judge_col="ana", human_cols=["ana"])


def test_pairwise_ratings(tmp_path: Path) -> None:
    """Choices are kept as a, b, tie or missing, and what was shown first is carried."""
    path = put(
        tmp_path, "r.csv", "item,dimension,annotator,choice,Shown_First\np1,w,ana,a,b\np2,w,ana,tie,a\np3,w,ana,,a\n"
    )
    ratings = read_ratings(path)
    assert [r.score for r in ratings] == ["a", "tie", None]
    assert [r.carried for r in ratings] == [{"shown_first": "b"}, {"shown_first": "a"}, {"shown_first": "a"}]


def test_real_ratings(shared: Path) -> None:
    """The published empathy ratings are read whole; the counts were taken with pandas."""
    path = shared / "data" / "real" / "empathy_ratings.csv"
    ratings = read_ratings(path)
    frame = pd.read_csv(path)
    assert len(ratings) == len(frame)
    assert sum(r.score is None for r in ratings) == int(frame["score"].isna().sum())
    assert sum(r.score for r in ratings if isinstance(r.score, float)) == pytest.approx(frame["score"].sum())


# --- pairs, metrics, own files -------------------------------------------------------------------------------------


def test_pairs(tmp_path: Path) -> None:
    """Pairs under their canonical names and their short ones."""
    path = put(tmp_path, "p.csv", "pair_id,a_item,b_item,template_id\np1,01,2,t\n")
    assert read_pairs(path) == [PairItem(pair_id="p1", a_item="01", b_item="2", unit_id="t")]
    path = put(tmp_path, "p.jsonl", '{"pair": 1, "a": "x", "b": "y"}\n')
    assert read_pairs(path) == [PairItem(pair_id="1", a_item="x", b_item="y")]


def test_metric_table(tmp_path: Path) -> None:
    """A metric's cells are numbers, truth values or missing; the metric's column is never taken for anything else."""
    path = put(tmp_path, "t.csv", "scenario,group,Sample\nt1,a,0.5\nt1,b,\nt2,a,NA\nt2,b,TRUE\nt3,a,-1e-3\n")
    rows = read_metric_table(path, metric="sample")
    assert [(r.value, r.missing) for r in rows] == [
        (0.5, None), (None, "empty"), (None, "empty"), (1.0, None), (-0.001, None),
    ]  # fmt: skip
    assert rows[0] == MetricRow(item="line 2", unit_id="t1", group="a", name=None, value=0.5)
    lines = '{"id": 1, "template": "t", "group": "a", "name": "Ana", "ok": false, "seed": 3}\n{"id": 2, "template": "t", "group": "b"}\n'
    rows = read_metric_table(put(tmp_path, "t.jsonl", lines), metric="ok")
    assert rows[0] == MetricRow(item="1", unit_id="t", group="a", name="Ana", value=0.0, replicate="3")
    assert (rows[1].value, rows[1].missing) == (None, "empty")


def test_metric_table_refuses_ids_that_repeat(tmp_path: Path) -> None:
    """An id that stands twice would count one reply twice."""
    path = put(tmp_path, "t.csv", "id,template_id,group,w\n1,t,a,1\n1,t,b,2\n")
    with pytest.raises(BadInput, match="line 2"):
        read_metric_table(path, metric="w")


def test_own_judgments_are_recognised(tmp_path: Path) -> None:
    """In every format and under every name, judgekit's own judgments are known; other tables are not."""
    record: dict[str, Any] = {
        "judgekit": "judgments", "template_id": "t", "group": "a", "request_key": "k", "parser_version": "1", "text_hash": "h", "score": 3,
    }  # fmt: skip
    plain = {"template_id": "t", "group": "a", "score": 3}
    assert is_own_judgments(put(tmp_path, "a.jsonl", json.dumps(record) + "\n"))
    assert is_own_judgments(put(tmp_path, "b.jsonl", '{"judgekit": "judgments"}\n{"score": 1}\n'))
    assert not is_own_judgments(put(tmp_path, "c.jsonl", json.dumps(plain) + "\n"))
    assert not is_own_judgments(put(tmp_path, "d.jsonl", '{"judgekit": "something else", "x": 1}\n'))
    frame = pd.DataFrame([record]).drop(columns="judgekit")
    frame.to_csv(tmp_path / "e.csv", sep=";", index=False)
    frame.rename(columns=str.upper).to_parquet(tmp_path / "f")
    assert is_own_judgments(tmp_path / "e.csv")
    assert is_own_judgments(tmp_path / "f")
    for column in ("request_key", "parser_version", "text_hash", "Fingerprint "):
        assert is_own_judgments(put(tmp_path, "h.csv", f"template_id,group,score,{column}\nt,a,3,x\n"))
    pd.DataFrame([plain]).to_csv(tmp_path / "g.csv", index=False)
    assert not is_own_judgments(tmp_path / "g.csv")


def test_describe_source(tmp_path: Path) -> None:
    """What is found out about a file is said in one line, foreign column names made safe."""
    path = put(tmp_path, "r.csv", "ID;Reply;\x1b[2J;x\n1;a;3,5;z\n", "cp1252")
    facts = describe_source(path)
    assert facts.mapping == {"id": "ID", "text": "Reply"}
    assert facts.carried == ("\x1b[2J", "x")
    assert str(facts) == "csv; utf-8 (every byte fits); delimiter ';', decimal sign ','; read as id = ID, text = Reply"
    assert "\x1b" not in str(describe_source(path, columns={"text": "\x1b[2J"}))


def test_arms_are_read_as_kind_or_mapping_and_need_no_group(tmp_path: Path) -> None:
    """A file of collected replies holds other arms; only those of the base arm must name a group."""
    path = tmp_path / "r.csv"
    path.write_text(
        'id,text,group,arm\n1,a,x,base\n2,b,,control\n3,c,,"{""kind"": ""recall"", ""direction"": 1}"\n4,d,y,\n'
    )
    replies = read_replies(path, need=["group"])
    assert [(r.arm.kind, r.arm.direction) for r in replies] == [("base", 0), ("control", 0), ("recall", 1), ("base", 0)]
    assert "arm" not in replies[0].carried
    path.write_text("id,text,group,arm\n1,a,x,base\n2,b,,base\n")
    with pytest.raises(BadInput, match="`group` is empty"):
        read_replies(path, need=["group"])
    path.write_text("id,text,arm\n1,a,placebo\n")
    with pytest.raises(BadInput, match="rename the column") as caught:
        read_replies(path)
    assert (caught.value.line, caught.value.field) == (2, "arm")
