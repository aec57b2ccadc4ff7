"""Inspect's logs become replies, from both formats alike; broken and hostile logs do no harm."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from judgekit.errors import BadInput
from judgekit.foreign import zip_members
from judgekit.foreign.imported import Request
from judgekit.importers.formats import open_foreign

DATA = Path(__file__).with_name("data") / "inspect"
PACKED = DATA / "support-0.3.285.eval"
PLAIN = DATA / "support-0.3.285.json"


def taken(path, **wanted):
    """The rows of a log and what was said of them."""
    reading = open_foreign(Request(path=str(path), **wanted), "replies")
    rows = list(reading.rows)
    reading.tally.check()
    return rows, reading


def sample(number=1, text="On its way.", **changes):
    """One sample as a log has them."""
    made = {
        "id": number, "epoch": 1, "input": "Where is it?", "target": "", "metadata": {}, "scores": {},
        "output": {"model": "mock/m", "choices": [{"message": {"role": "assistant", "content": text}, "stop_reason": "stop"}]},
    }  # fmt: skip
    return {**made, **changes}


HEADER = {"version": 2, "status": "success", "eval": {"task": "t", "model": "mock/m"}}


def log_file(tmp_path, *samples, header=HEADER, name="header.json"):
    """A log as a zip of an older kind, packed with deflate."""
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, json.dumps(header))
        for one in samples:
            archive.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
    return path


def test_both_formats_and_an_older_version_give_the_same_rows_counted_from_the_log_itself():
    """Samples, epochs, metadata, scores and the failed sample are those of the file; zstandard members are read."""
    packed, reading = taken(PACKED)
    plain, _ = taken(PLAIN)
    older, earlier = taken(DATA / "support-0.3.90.eval")
    assert packed == plain == older
    assert (earlier.source.version, earlier.source.layout) == ("0.3.90", "log version 2")
    assert (reading.source.version, reading.source.layout) == ("0.3.285", "log version 2")
    theirs = {(s["id"], s["epoch"]): s for s in json.loads(PLAIN.read_text())["samples"]}
    assert (reading.tally.rows_in, len(packed), len(theirs)) == (8, 8, 8)
    for row in packed:
        one = theirs[row["id"].rpartition("-epoch")[0], int(row["replicate"])]
        assert row["text"] == one["output"]["completion"]
        assert row["context"] == one["input"][1]["content"]
        assert [row[k] for k in ("template_id", "name", "group", "name_pair", "origin", "target")] == [
            *(str(one["metadata"][k]) for k in ("case", "name", "gender", "name_pair", "origin")), one["target"]
        ]  # fmt: skip
        assert row["inspect_score_includes"] == one["scores"].get("includes", {}).get("value")
        assert (row["model"], row["error"]) == ("mockllm/model", "crashed" if one.get("error") else None)
    assert [r["inspect_score_politeness"] for r in packed if r["id"].startswith("parcel-1")] == [None, None]  # NaN
    failed = reading.tally.failed["crashed"]
    assert (failed.n, dict(failed.by_group)) == (1, {"m": 1})
    assert failed.examples == [("samples/refund-2_epoch_2.json", "RuntimeError('the model did not answer in time')")]


def test_what_is_a_reply_and_what_has_failed(tmp_path):
    """An empty answer is a reply; a limit, a filter, an error after an answer and no answer at all are failures."""
    cut = {"message": {"role": "assistant", "content": "On its"}, "stop_reason": "max_tokens"}
    blocked = {"message": {"role": "assistant", "content": ""}, "stop_reason": "content_filter"}
    parts = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Soon."}]
    path = log_file(
        tmp_path, sample(1, ""), sample(2, output={"choices": [cut]}), sample(3, output={"choices": [blocked]}),
        sample(4, output={"choices": []}, limit={"type": "time", "limit": 5}), sample(5, output={"choices": []}),
        sample(6, error={"message": "scorer broke\nat line 3"}), sample(7, parts),
    )  # fmt: skip
    rows, reading = taken(path)
    assert [(r["text"], r["error"], r["finish_reason"]) for r in rows] == [
        ("", None, None), ("On its", None, "max_tokens"), ("", "content_filter", "content_filter"), ("", "truncated", None),
        ("", "no_answer", None), ("", "crashed", None), ("Soon.", None, None),
    ]  # fmt: skip
    assert rows[5]["error_detail"] == "scorer broke"
    assert {kind: found.n for kind, found in reading.tally.failed.items()} == {
        "content_filter": 1, "truncated": 1, "no_answer": 1, "crashed": 1
    }  # fmt: skip


def test_a_longer_exchange_is_the_context(tmp_path):
    """The messages before the reply, each with its role; the set-up is left out; else the input."""
    said = [("system", "Be kind."), ("user", "Hi"), ("assistant", "Hello"), ("user", "Where is it?")]
    messages = [{"role": role, "content": text} for role, text in [*said, ("assistant", "On its way.")]]
    rows, _ = taken(log_file(tmp_path, sample(1, messages=messages), sample(2, messages=messages[:2])))
    assert rows[0]["context"] == "user: Hi\nassistant: Hello\nuser: Where is it?"
    assert rows[1]["context"] == "Where is it?"


def test_a_log_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path):
    """Without header.json the journal's start names task and model; the user is told that samples may be missing."""
    path = log_file(tmp_path, sample(1), header={"version": 2, "eval": HEADER["eval"]}, name="_journal/start.json")
    rows, reading = taken(path)
    assert [row["model"] for row in rows] == ["mock/m"]
    assert any("not finished" in note for note in reading.tally.notes)


def test_a_log_without_a_model_of_its_own_is_told_apart_by_who_replied(tmp_path):
    """Samples of several models are not mixed unsaid there either."""
    header = {**HEADER, "eval": {"task": "t", "model": "none/none"}}
    path = log_file(tmp_path, sample(1), sample(2, output={"model": "mock/n", "completion": "Old."}), header=header)
    with pytest.raises(BadInput, match=r"mock/m \(1\), mock/n \(1\)"):
        taken(path)
    rows, reading = taken(path, models=("mock/n",))
    assert [row["text"] for row in rows] == ["Old."]
    assert reading.tally.dropped["another model"].n == 1


def test_arguments_of_the_task_are_fields_too(tmp_path):
    """A task that is run once for each group says the group in its arguments."""
    header = {**HEADER, "eval": {**HEADER["eval"], "task_args": {"gender": "f", "persona": None}}}
    rows, reading = taken(log_file(tmp_path, sample(1), header=header), columns={"group": "task_args.gender"})
    assert [row["group"] for row in rows] == ["f"]
    assert reading.tally.mapped["group"].field == "task_args.gender"


def test_a_sample_written_twice_counts_once(tmp_path):
    """A zip may hold a member again under its name: the last one counts, as for Inspect."""
    path = log_file(tmp_path, sample(1, "Old."))
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("samples/1_epoch_1.json", json.dumps(sample(1, "New.")))
    assert [row["text"] for row in taken(path)[0]] == ["New."]


def test_a_damaged_archive_is_refused_by_member(tmp_path):
    """Flipped bytes, packed or in the checksum, a member that is no JSON, a cut file: bad input that names the place."""
    whole = bytearray(PACKED.read_bytes())
    info = zipfile.ZipFile(PACKED).getinfo("samples/parcel-2_epoch_1.json")
    whole[info.header_offset + 600] ^= 0xFF
    for damage, words in (
        (bytes(whole), "parcel-2_epoch_1"),
        (PACKED.read_bytes()[:9_000], "not readable as zip"),
        (b"PK\x03\x04" + bytes(5_000), "not readable as zip"),
    ):
        path = tmp_path / "damaged.eval"
        path.write_bytes(damage)
        with pytest.raises(BadInput, match=words):
            open_foreign(Request(path=str(path)), "replies", "inspect")
    with zipfile.ZipFile(log_file(tmp_path, sample(1)), "a") as archive:
        archive.writestr("samples/2_epoch_1.json", '{"id": 2, "epoch": [')
    with pytest.raises(BadInput, match=r"samples/2_epoch_1\.json.*the file ends"):
        taken(tmp_path / "log.eval")
    (tmp_path / "none.json").write_text(json.dumps(HEADER))
    with pytest.raises(BadInput, match="no list of samples"):
        taken(tmp_path / "none.json")


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    """A member that says it is too large, or lies about its size, or unpacks to much more than its packed size."""
    path = log_file(tmp_path, sample(1, "x" * 200_000))
    monkeypatch.setattr(zip_members, "MEMBER_LIMIT", 100_000)
    with pytest.raises(BadInput, match="too large"):
        taken(path)
    monkeypatch.undo()
    monkeypatch.setattr(zip_members, "_SMALL", 1_000)
    monkeypatch.setattr(zip_members, "_RATIO", 20)
    with pytest.raises(BadInput, match="too large"):
        taken(path)
    monkeypatch.undo()
    data = path.read_bytes()
    size = zipfile.ZipFile(path).getinfo("samples/1_epoch_1.json").file_size.to_bytes(4, "little")
    path.write_bytes(data.replace(size, (10).to_bytes(4, "little")))
    with pytest.raises(BadInput, match="damaged"):
        taken(path)


def test_a_sample_with_a_huge_transcript_needs_no_memory_for_it(tmp_path):
    """What is not needed of a sample is passed over piece by piece: 9 MB of events in a few MB of memory."""
    import tracemalloc

    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(HEADER))
        with archive.open("samples/1_epoch_1.json", "w") as out:
            out.write(b'{"events": [')
            for _ in range(400):
                out.write(b'{"a": "' + b"0123456789 " * 2_000 + b'", "n": [1, {"b": null}]},')
            out.write(b"0], " + json.dumps(sample(1)).encode()[1:])
    tracemalloc.start()
    rows, _ = taken(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [row["text"] for row in rows] == ["On its way."]
    assert peak < 4_000_000


def test_a_stated_text_field_without_text_is_a_failed_row(tmp_path):
    """What the user says is the reply is the reply: the model's own output never stands in for it."""
    samples = [
        {"id": n, "epoch": 1, "input": "Q", "output": {"choices": [{"message": {"content": "Raw."}}]}, "metadata": m}
        for n, m in enumerate(({"edited": "Polished."}, {"edited": None}))
    ]
    path = tmp_path / "log.json"
    path.write_text(
        json.dumps({"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "samples": samples})
    )
    reading = open_foreign(Request(path=str(path), columns={"text": "metadata.edited"}), "replies")
    assert [(row["text"], row["error"]) for row in reading.rows] == [("Polished.", None), ("", "no_answer")]


def test_a_reply_at_a_limit_is_kept_and_told(tmp_path):
    """A run that stopped a sample leaves its last words: a reply, with a note that it may be unfinished."""
    sample = {"id": 1, "epoch": 1, "input": "Q", "output": {"completion": "So far", "choices": []}}
    document = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}
    path = tmp_path / "log.json"
    path.write_text(
        json.dumps(document | {"samples": [sample, {**sample, "id": 2, "limit": {"type": "time", "limit": 9}}]})
    )
    reading = open_foreign(Request(path=str(path)), "replies")
    assert [row["error"] for row in reading.rows] == [None, None]
    assert any(note.startswith("1 samples met a limit") for note in reading.tally.notes)
