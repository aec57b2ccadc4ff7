"""``judgekit import``: from another tool's file to a study that runs; a wrong file leaves nothing behind."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from judgekit.study import load_study

DATA = Path(__file__).with_name("data")
RESULTS = DATA / "promptfoo" / "results-0.123.1.json"
LOG = DATA / "inspect" / "support-0.3.285.eval"


FILES = pytest.mark.parametrize(
    ("file", "options", "failed"),
    [(RESULTS, ("--model", "support-bot-b"), 8), (LOG, (), 1)],
    ids=["promptfoo", "inspect"],
)


def started(kit, folder, file, options, failed):
    """Import a file and make a study of it: the rows that were written, and the document of `init`."""
    replies = folder / "replies.jsonl"
    said = kit.command("import", file, "-o", replies, *options)
    assert said.code == 0, said.err
    assert said.out.splitlines()[-1] == f"judgekit init study --from {replies}"
    assert f"failed, kept as failed: {failed} (" in said.out
    made = kit.command("init", folder / "study", "--from", replies, "--json")
    assert made.code == 0, made.err
    return [json.loads(line) for line in replies.read_text().splitlines()], made.json


@FILES
def test_two_commands_lead_from_a_file_to_a_study(kit, tmp_path, file, options, failed):
    """The rows map by their own names, and foreign scores become no metric."""
    rows, made = started(kit, tmp_path, file, options, failed)
    found = {c["canonical"]: (c["column"], c["confidence"]) for c in made["columns"]}
    assert {"id", "text", "template_id", "group", "name", "context", "replicate"} <= set(found)
    assert all(column == canonical and sure == "certain" for canonical, (column, sure) in found.items())
    assert made["design"] == "counterfactual"
    assert made["groups"] == {group: len(rows) // 2 for group in ("f", "m")}
    study = load_study(tmp_path / "study")
    assert not any("score" in name or "pass" in name for name in (*study.measured, *study.rubrics))


@pytest.mark.slow
@FILES
def test_the_study_of_an_imported_file_runs(kit, tmp_path, file, options, failed):
    """Failed generations are counted as failed and are in no number; judged metrics wait for labels."""
    rows, _ = started(kit, tmp_path, file, options, failed)
    dry = kit.command("run", tmp_path / "study", "--dry-run")
    assert dry.code == 0, dry.err
    done = kit.command("run", tmp_path / "study", "--out", tmp_path / "runs", "--json")
    assert done.code == 0, done.err
    (words,) = [c for c in done.json["contrasts"] if c["metric"] == "words"]
    answered = sum(row["error"] is None for row in rows)
    assert words["n_a"] + words["n_b"] == answered == len(rows) - failed
    assert {r["metric"] for r in done.json["refused"]} == {"warmth", "quality"}


def test_the_document_accounts_for_every_row(kit, tmp_path):
    """Rows in, out, failed and left out with first places; columns; whose scores; the next command as words."""
    said = kit.command("import", RESULTS, "-o", tmp_path / "r.jsonl", "--model", "support-bot-a", "--json")
    assert said.code == 0, said.err
    document = said.json
    assert (document["tool"], document["version"], document["format"]) == ("promptfoo", "0.123.1", "promptfoo")
    assert (document["rows_in"], document["rows_out"]) == (32, 16)
    assert [(d["reason"], d["n"]) for d in document["dropped"]] == [("another provider", 16)]
    assert document["models"] == {"support-bot-a": 16, "support-bot-b": 16}
    assert {m["column"]: m["field"] for m in document["mapped"]}["group"] == "vars.gender"
    assert set(document["scores"]) == {"promptfoo_pass", "promptfoo_score", "promptfoo_score_politeness"}
    assert document["next"] == ["judgekit", "init", "study", "--from", str(tmp_path / "r.jsonl")]
    assert stat.S_IMODE((tmp_path / "r.jsonl").stat().st_mode) == 0o600


def test_failed_generations_are_counted_and_never_judged_as_empty_texts(kit, tmp_path):
    """`blind` leaves them out of what judges get, with their number by group; so does the function on frames."""
    import pandas as pd

    import judgekit

    replies, blinded = tmp_path / "r.jsonl", tmp_path / "blinded.jsonl"
    assert kit.command("import", RESULTS, "-o", replies, "--model", "support-bot-b").code == 0
    said = kit.command("blind", replies, "-o", blinded, "--lang", "en", "--ner", "off", "--json")
    assert said.code == 0, said.err
    assert [said.json[k] for k in ("in", "verified", "withheld", "failed")] == [16, 8, 0, 8]
    assert {g: (c["in"], c["failed"]) for g, c in said.json["by_group"].items()} == {"f": (8, 4), "m": (8, 4)}
    assert said.json["failures"] == {"crashed": 8}
    rows = [json.loads(line) for line in blinded.read_text().splitlines()]
    assert len(rows) == 8
    assert all(row["blinded"] for row in rows)
    shown = kit.command("blind", replies, "-o", blinded, "--lang", "en", "--ner", "off", "--force")
    assert "failed, nothing to blind: 8 (crashed 8)" in shown.out
    frame = judgekit.blind(pd.read_json(replies, lines=True, dtype=False), lang="en", ner="off")
    assert frame.status.value_counts().to_dict() == {"verified": 8, "failed": 8}
    assert frame[frame.status == "failed"].blinded.isna().all()


def test_imports_of_several_files_can_be_joined(kit, tmp_path):
    """With a prefix each the ids differ; replies of several models together are told."""
    parts = []
    for name, file in (("a-", LOG), ("b-", DATA / "inspect" / "support-0.3.90.eval")):
        assert kit.command("import", file, "-o", tmp_path / f"{name}.jsonl", "--prefix", name).code == 0
        parts.append((tmp_path / f"{name}.jsonl").read_text())
    (tmp_path / "both.jsonl").write_text("".join(parts))
    assert kit.command("init", tmp_path / "study", "--from", tmp_path / "both.jsonl", "--json").json["replies"] == 16
    said = kit.command("import", RESULTS, "-o", tmp_path / "all.jsonl", "--all-models")
    assert "replies of 2 models together" in said.err


def test_an_output_that_is_there_stays_unless_force_is_given(kit, tmp_path):
    """Exit 2 and the old bytes; with --force the new rows; never the input itself."""
    out = tmp_path / "r.jsonl"
    out.write_text("mine\n")
    said = kit.command("import", LOG, "-o", out)
    assert (said.code, out.read_text()) == (2, "mine\n")
    assert kit.command("import", LOG, "-o", out, "--force").code == 0
    assert len(out.read_text().splitlines()) == 8
    copy = tmp_path / "log.jsonl"
    copy.write_bytes(LOG.read_bytes())
    assert kit.command("import", copy, "-o", copy, "--force").code == 2
    assert copy.read_bytes() == LOG.read_bytes()


def test_wrong_use_and_wrong_files_leave_nothing_behind(kit, tmp_path):
    """Each is exit 2 with a place and what to do, and no output appears, not even half of one."""
    whole = RESULTS.read_text()
    files = {
        "table.csv": "id,text\n1,Hi\n", "cut.json": whole[:70_000], "empty.json": "", "list.json": "[1, 2]",
        "other.json": '{"a": 1}', "zip.eval": "PK\x03\x04 nothing", "binary.json": "\x00\x01\x02",
    }  # fmt: skip
    for name, content in files.items():
        (tmp_path / name).write_text(content)
        for form in ("auto", "promptfoo") if name.endswith(".json") else ("auto", "inspect"):
            said = kit.command(
                "import", tmp_path / name, "-o", tmp_path / "out.jsonl", "--format", form, "--all-models"
            )
            assert (said.code, said.out) == (2, ""), (name, form, said)
            assert name in said.err
            assert " Do: " in said.err
    for options in (
        (), ("--model", "nobody"), ("--all-models", "--model", "support-bot-a"), ("--format", "excel"),
        ("--all-models", "--column", "group"), ("--all-models", "--column", "tribe=vars.gender"),
        ("--all-models", "--column", "group=vars.tribe"),
    ):  # fmt: skip
        said = kit.command("import", RESULTS, "-o", tmp_path / "out.jsonl", *options)
        assert (said.code, said.out) == (2, ""), (options, said)
    assert kit.command("import", RESULTS, "-o", tmp_path / "out.csv", "--all-models").code == 2
    assert kit.command("import", tmp_path / "absent.json", "-o", tmp_path / "out.jsonl").code == 2
    assert {p.name for p in tmp_path.iterdir()} == set(files)


def test_a_file_without_a_usable_row_says_why(kit, tmp_path):
    """All outputs are objects: nothing is written, and the reason is told with its first place."""
    row = {"vars": {}, "provider": "p", "promptIdx": 0, "prompt": {"raw": "Hi"}, "response": {"output": {"a": 1}}}
    (tmp_path / "r.json").write_text(json.dumps({"results": {"version": 3, "results": [row]}}))
    said = kit.command("import", tmp_path / "r.json", "-o", tmp_path / "out.jsonl")
    assert said.code == 2
    assert "results.results[0]" in said.err
    assert "the output is no text: 1" in said.err
    assert not (tmp_path / "out.jsonl").exists()


def test_nothing_foreign_reaches_the_terminal_as_a_command(kit, tmp_path):
    """Groups, models, errors and names of variables with escapes and line breaks are shown, not obeyed."""
    evil = "\x1b[2J\nrows in 9, out 9"
    rows = [
        {"vars": {"gender": g, evil: "x"}, "provider": evil, "promptIdx": 0, "testIdx": n, "prompt": {"raw": "Hi"},
         "response": {"error": evil} if n else {"output": "Hello."}}
        for n, g in enumerate((evil, "m"))
    ]  # fmt: skip
    (tmp_path / "r.json").write_text(json.dumps({"results": {"version": 3, "results": rows}}))
    said = kit.command("import", tmp_path / "r.json", "-o", tmp_path / "out.jsonl")
    assert said.code == 0, said.err
    assert "\x1b" not in said.out + said.err
    assert not any(line.startswith("rows in 9") for line in (said.out + said.err).splitlines())
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 2
    assert "\x1b" not in (tmp_path / "out.jsonl").read_text()
