"""Rows of data sets become replies: the last thing the chatbot said, what it answered, and nobody's score as ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judgekit.errors import BadInput, UsageProblem
from judgekit.foreign.imported import Request
from judgekit.importers.formats import detect, open_foreign

DATA = Path(__file__).with_name("data") / "hf"


def taken(path, **wanted):
    """The rows of a file and what was said of them."""
    reading = open_foreign(Request(path=str(path), **wanted), "replies")
    rows = list(reading.rows)
    reading.tally.check()
    return rows, reading


def lines(tmp_path, *records):
    """A JSONL file."""
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["messages.parquet", "messages.jsonl"])
def test_conversations_give_their_last_reply_with_the_design_of_nested_fields(name):
    """Compared with the records as they stand: text, context, group, name and template; two without a reply are failures."""
    rows, reading = taken(DATA / name)
    records = [json.loads(line) for line in (DATA / "messages.jsonl").read_text(encoding="utf-8").splitlines()]
    assert (reading.tally.rows_in, len(rows)) == (16, 16)
    for row, record in zip(rows, records, strict=True):
        last = record["messages"][-1]
        said = last["content"] if last["role"] == "assistant" else None
        assert (row["id"], row["text"]) == (record["id"], said or "")
        assert (row["group"], row["name"]) == (record["meta"]["gender"], record["meta"]["customer"])
        assert (row["template_id"], row["hf_tone_score"]) == (record["scenario"], record["tone_score"])
        assert row["system_prompt"] == "You are a support agent."
        assert (row["error"] is None) == (said is not None)
    assert rows[0]["context"] == records[0]["messages"][1]["content"]
    assert rows[6]["context"].splitlines()[-1] == "user: And when?"
    failed = reading.tally.failed["no_answer"]
    assert (failed.n, dict(failed.by_group)) == (2, {"women": 1, "men": 1})
    assert [said for _, said in failed.examples] == [
        "the conversation ends before a reply", "the last message has no words"
    ]  # fmt: skip
    assert dict(reading.tally.scores) == {"hf_tone_score": "tone_score"}


def test_from_and_value_prompt_and_completion_and_class_numbers():
    """ShareGPT's keys are known; a class number becomes its name; rows without an id are numbered."""
    talks, reading = taken(DATA / "conversations.jsonl")
    assert (talks[0]["id"], talks[0]["model"], reading.tally.models) == ("r01", "planted-1", {"planted-1": 16})
    pairs, reading = taken(DATA / "prompt_completion.parquet")
    assert [(r["text"], r["context"]) for r in pairs] == [(r["text"], r["context"]) for r in talks]
    assert [r["group"] for r in pairs] == [r["group"] for r in talks]
    assert (pairs[15]["id"], reading.tally.scores) == ("row16", {"hf_reward": "reward"})
    assert {row["template_id"] for row in pairs} == {"late-parcel", "wrong-size", "double-charge", "allergy"}


def test_two_replies_or_a_list_of_them_give_a_row_each():
    """Chosen and rejected stand apart and say which they are; samples of one prompt are replicates of one template."""
    rows, reading = taken(DATA / "preference.parquet")
    assert [r["id"] for r in rows[:2]] == ["r01-chosen", "r01-rejected"]
    assert {r["hf_preference"] for r in rows} == {"chosen", "rejected"}
    assert rows[0]["context"] == rows[1]["context"] != ""
    assert (reading.tally.rows_in, len(rows)) == (16, 16)
    chosen, _ = taken(DATA / "preference.parquet", columns={"text": "chosen"})
    assert [r["text"] for r in chosen] == [r["text"] for r in rows[::2]]
    samples, reading = taken(DATA / "samples.parquet")
    assert [r["id"] for r in samples if r["id"].startswith("1-")] == ["1-1", "1-2", "1-3"]
    assert [r["replicate"] for r in samples if r["id"].startswith("1-")] == ["1", "2", "3"]
    assert samples[0]["context"].startswith("Where is my parcel?")


def test_stated_fields_win_and_repeated_ids_are_not_taken(tmp_path):
    """`--column` reaches nested fields; an id that repeats is carried and rows are numbered, a stated one is refused."""
    path = lines(
        tmp_path,
        {"id": "a", "reply": {"best": "One.", "other": "Eins."}, "who": {"g": "x"}},
        {"id": "a", "reply": {"best": "Two.", "other": "Zwei."}, "who": {"g": "y"}},
    )
    rows, reading = taken(path, columns={"text": "reply.other", "group": "g"})
    assert [(r["id"], r["text"], r["group"]) for r in rows] == [("row1", "Eins.", "x"), ("row2", "Zwei.", "y")]
    assert "id is not different in every row" in reading.tally.notes[0]
    with pytest.raises(BadInput, match="an id stands twice"):
        taken(path, columns={"id": "id", "text": "best"})
    with pytest.raises(BadInput, match="no such field"):
        taken(path, columns={"text": "nobody"})


def test_replies_of_several_models_are_not_mixed(tmp_path):
    """A column of models asks for a choice; the others' rows are counted as left out."""
    path = lines(*[tmp_path, *({"prompt": "Hi", "response": f"Hello {m}.", "model": m} for m in "aab")])
    with pytest.raises(UsageProblem, match="replies of 2 models"):
        taken(path)
    rows, reading = taken(path, models=("b",))
    assert ([r["text"] for r in rows], reading.tally.dropped["another model"].n) == (["Hello b."], 2)


def test_what_cannot_be_read_says_why(tmp_path):
    """Folders of `save_to_disk`, Arrow files, rows without replies or with several: an error with a way out."""
    for path in (DATA / "saved_to_disk", DATA / "saved_to_disk" / "data-00000-of-00001.arrow"):
        with pytest.raises(BadInput, match="to_parquet"):
            detect(str(path), "replies")
    with pytest.raises(BadInput, match="--format NAME"):
        detect(str(lines(tmp_path, {"label": 1, "score": 2})), "replies")
    with pytest.raises(BadInput, match="several columns could be the reply"):
        taken(lines(tmp_path, {"prompt": "Hi", "response": "Hello there.", "answer": "Good day."}))
    with pytest.raises(BadInput, match="no column of replies"):
        open_foreign(Request(path=str(lines(tmp_path, {"a": 1}))), "replies", "hf")


def test_hostile_values_pass_through_as_text(tmp_path):
    """Lone surrogates, deep nesting and bytes do no harm; markup is only text."""
    deep: dict = {}
    at = deep
    for _ in range(40):
        at["a"] = {}
        at = at["a"]
    evil = "\ud83d [/] \x1b[2J =1+1"
    rows, _ = taken(lines(tmp_path, {"messages": [{"role": "bot", "content": evil}], "meta": deep, "group": "x"}))
    assert rows[0]["text"] == evil
    path = tmp_path / "more.jsonl"
    path.write_text('{"messages": ' + "[" * 5_000 + "]" * 5_000 + "}", encoding="utf-8")
    with pytest.raises(BadInput):
        taken(path)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read from /proc")
def test_parquet_is_read_in_bounded_memory(tmp_path):
    """Ten times the rows take hardly more memory: rows are read by group."""
    import subprocess
    import sys

    import pyarrow as pa
    import pyarrow.parquet as pq

    peaks = []
    for rows in (20_000, 200_000):
        path = tmp_path / f"{rows}.parquet"
        table = pa.table({"prompt": ["Where is it?"] * rows, "completion": ["word " * 100] * rows})
        pq.write_table(table, path, row_group_size=5_000, use_dictionary=False, compression="zstd")
        code = (
            "import sys\nfrom pathlib import Path\n"
            "from judgekit.importers.hf_rows import read\n"
            "from judgekit.foreign.imported import Request\n"
            "n = sum(1 for _ in read(Request(path=sys.argv[1])).rows)\n"
            "print(n, *[x.split()[1] for x in Path('/proc/self/status').read_text().splitlines() if x[:5] == 'VmHWM'])"
        )
        done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
        n, peak = map(int, done.stdout.split())
        assert n == rows
        peaks.append(peak)
    assert peaks[1] <= 1.3 * peaks[0]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (
            {"prompt": [{"role": "system", "content": "S"}, {"role": "user", "content": "Hi"}],
             "completion": [{"role": "assistant", "content": "Hello."}]},
            ("Hello.", "Hi"),
        ),
        ({"prompt": [{"role": "user", "content": "Hi"}], "completion": "Hello."}, ("Hello.", "Hi")),
        ({"instruction": "Say hello.", "input": "to Ana", "output": "Hello."}, ("Hello.", "Say hello.\n\nto Ana")),
        ({"instruction": "Say hello.", "input": "", "output": "Hello."}, ("Hello.", "Say hello.")),
        ({"question": "Hi?", "answer": {"text": "Hello.", "start": 3}}, ("Hello.", "Hi?")),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "image"}]},
                       {"role": "assistant", "content": "Hello."}, {"role": "tool", "content": "x"}]}, ("Hello.", "Hi")),
        ({"id": 7, "prompt": "Hi", "response": None}, ("", "Hi")),
    ],
    ids=["trl", "trl-text", "alpaca", "alpaca-no-input", "nested", "parts-and-tools", "null"],
)  # fmt: skip
def test_layouts_in_use(tmp_path, record, expected):
    """Prompt and completion as messages, instruction with input, a nested answer, parts, tools and null."""
    rows, _ = taken(lines(tmp_path, record))
    assert [(r["text"], r["context"]) for r in rows] == [expected]
    assert (rows[0]["error"] is None) == bool(expected[0])


def test_two_plain_texts_side_by_side(tmp_path):
    """Chosen and rejected as texts after one prompt."""
    path = lines(tmp_path, {"prompt": "Hi", "chosen": "Hello, dear Ana.", "rejected": "What?", "margin": 1.5})
    rows, _ = taken(path)
    assert [(r["id"], r["text"], r["context"], r["hf_margin"]) for r in rows] == [
        ("row1-chosen", "Hello, dear Ana.", "Hi", 1.5), ("row1-rejected", "What?", "Hi", 1.5)
    ]  # fmt: skip


def test_a_stated_field_is_no_score_and_no_id_stands_twice(tmp_path):
    """A group in a field called `label` is a group; replies of one record and another record's id never meet."""
    path = tmp_path / "rows.jsonl"
    records = [
        {"id": "x", "prompt": "Q", "responses": ["One.", "Two."], "label": "f", "rank": 1},
        {"id": "x-1", "prompt": "Q", "responses": ["Three."], "label": "m", "rank": 2},
    ]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    reading = open_foreign(Request(path=str(path), columns={"group": "label"}), "replies")
    rows = list(reading.rows)
    assert [(row["id"], row["group"], row["text"]) for row in rows] == [
        ("x-1", "f", "One."), ("x-2", "f", "Two."), ("x-1-2", "m", "Three."),
    ]  # fmt: skip
    assert set(reading.tally.scores) == {"hf_rank"}
    assert any("first: x-1" in note for note in reading.tally.notes)


def test_rows_that_do_not_say_whose_they_are_are_nobodys_but_their_own(tmp_path):
    """Some rows name a model and some do not, the first one too: they are never mixed unsaid."""
    path = tmp_path / "rows.jsonl"
    records = [{"id": n, "prompt": "Q", "response": "A.", "model": m} for n, m in enumerate((None, "bot", "bot"))]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    with pytest.raises(UsageProblem, match=r"bot \(2\), unknown \(1\)"):
        open_foreign(Request(path=str(path)), "replies")
    reading = open_foreign(Request(path=str(path), models=("bot",)), "replies")
    assert [row["id"] for row in reading.rows] == ["1", "2"]
    assert reading.tally.dropped["another model"].n == 1
