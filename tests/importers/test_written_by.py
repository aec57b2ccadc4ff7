"""Whoever gives another tool's file to the wrong command is told the right one, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from judgekit.importers.formats import written_by

DATA = Path(__file__).with_name("data")


@pytest.mark.parametrize(
    ("name", "tool", "then"),
    [
        ("label_studio/export-1.23.2.json", "Label Studio", "judgekit labels import STUDY"),
        ("argilla/flat-2.8.0.parquet", "Argilla", "judgekit labels import STUDY"),
        ("deepeval/run-4.3.1.json", "deepeval", "judgekit import"),
        ("hf/messages.parquet", "Hugging Face style rows", "judgekit import"),
    ],
)
def test_init_and_doctor_point_to_the_import(kit, tmp_path, name, tool, then):
    """`init --from` ends with 2 and names the command; `doctor` names the tool and the command."""
    made = kit.command("init", tmp_path / "study", "--from", DATA / name)
    assert (made.code, then.split(" STUDY")[0] in made.err) == (2, True)
    assert list(tmp_path.iterdir()) == []
    looked = kit.command("doctor", DATA / name, "--json").json["places"][0]
    assert (looked["kind"], looked["next"].startswith(then)) == (tool, True)


def test_plain_tables_are_nobodys():
    """Rows that judgekit reads itself, and what cannot be read at all, are not sent to an import."""
    for name in ("hf/prompt_completion.parquet", "label_studio/replies.csv", "nothing-here.json", "hf"):
        assert written_by(str(DATA / name)) is None
