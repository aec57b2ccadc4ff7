"""``judgekit doctor``: what a file, a study, a rubric or this machine supports, what blocks it, and what is next."""

from __future__ import annotations

import json
import shlex

import pytest

from judgekit.checkup.of_file import check_file
from judgekit.cli.doctor_machine import check_owners, check_terminal


def written(path, rows, header):
    """A CSV file."""
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def statuses(place):
    """Status and text by area of one place of the JSON document."""
    return {(c["area"], c["status"]): c["what"] for c in place["checks"]}


@pytest.fixture
def replies(tmp_path, kit):
    """A design of two groups as a file with other names for its columns."""
    rows = [{"item": r["id"], "answer": r["text"], "scenario": r["template_id"], "gender": r["group"], "name": r["name"]}
            for r in kit.reply_rows()]  # fmt: skip
    path = tmp_path / "replies.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_next_command_of_a_file_works(kit, replies, tmp_path, monkeypatch):
    """A design supports a claim about groups; the command it names is run as it stands."""
    said = kit.command("doctor", replies, "--json")
    assert said.code == 0
    place = said.json["places"][0]
    assert place["kind"] == "replies"
    assert "a gap between the groups (claim: groups)" in place["supports"]["claims"]
    assert "gap, gate" in place["supports"]["stages"]
    monkeypatch.chdir(tmp_path)
    assert kit.command(*shlex.split(place["next"])[1:]).code == 0
    study = kit.command("doctor", "my-study", "--json").json["places"][0]
    assert study["next"] == "judgekit run my-study"
    assert ("labels", "warn") in statuses(study)


def test_logs_without_templates_support_no_claim_about_groups(kit, tmp_path):
    """Observational replies: said plainly, with the way to a design."""
    rows = kit.reply_rows(without=("template_id",))
    path = tmp_path / "logs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    place = kit.command("doctor", path, "--json").json["places"][0]
    assert place["supports"]["claims"] == ["a difference in these replies, reported as confounded"]
    assert any("probe expand" in (c["remedy"] or "") for c in place["checks"])
    assert "gap, gate" not in place["supports"]["stages"]


@pytest.mark.parametrize(
    ("header", "rows", "kind", "next_words"),
    [
        ("item,dimension,annotator,score", ["1,warmth,bot,3", "1,warmth,ana,4"], "ratings", "agree"),
        ("template_id,group,words", ["a,x,3", "a,y,3", "b,x,4", "b,y,5"], "metrics", "gap"),
        ("item,bot,ana", ["1,3,4", "2,3,3", "3,4,4", "4,4,3"], "metrics", "--judge-col bot --human-cols ana"),
    ],
)
def test_tables_of_scores_are_told_apart(tmp_path, header, rows, kind, next_words):
    """Ratings, metrics as supplied, and raters side by side."""
    found = check_file(written(tmp_path / "t.csv", rows, header))
    assert found.kind == kind
    assert next_words in found.next
    assert not found.blocks


def test_scores_beside_the_replies_are_noticed(tmp_path):
    """Replies with a judge's and a person's numbers: how to compare those at once is said."""
    rows = [f"{n},A reply of some words {n}.,{1 + n % 3},{1 + n % 4}" for n in range(12)]
    found = check_file(written(tmp_path / "t.csv", rows, "id,text,bot,ana"))
    assert any("--judge-col bot --human-cols ana" in (c.remedy or "") for c in found.checks if c.area == "scores")


@pytest.mark.parametrize(
    ("rows", "header", "words"),
    [
        (["1,One sentence of a reply.", "1,Another one of them."], "id,text", "an id stands twice"),
        (["1,2", "3,4"], "x,y", "no column could be the replies"),
        (["1,a,b"], "id,text", "3 cells"),
    ],
)
def test_what_blocks_a_file_is_named(kit, tmp_path, rows, header, words):
    """Exit 1, with the reason and what to do; not a traceback."""
    said = kit.command("doctor", written(tmp_path / "t.csv", rows, header), "--json")
    assert said.code == 1
    stops = [c for c in said.json["places"][0]["checks"] if c["status"] == "blocks"]
    assert words in stops[0]["what"]
    assert stops[0]["remedy"]


def test_a_study_is_looked_at_without_a_trace(kit, make_study):
    """Nothing is written; an open folder and a judge that lacks its key are found."""
    small = make_study()
    before = kit.listing(small.base)
    assert kit.command("doctor", small.base).code == 0
    assert kit.listing(small.base) == before
    labels = small.base / "labels"
    labels.mkdir(mode=0o755)
    labels.chmod(0o755)
    place = kit.command("doctor", small.base, "--json").json["places"][0]
    assert "can be read by other users" in statuses(place)["privacy", "warn"]
    small.change("judge.spec", "openai:some-model")
    small.change("judge.api_key_env", "JUDGEKIT_TEST_NO_SUCH_KEY")
    said = kit.command("doctor", small.base, "--json")
    assert said.code == 1
    assert "JUDGEKIT_TEST_NO_SUCH_KEY" in statuses(said.json["places"][0])["judge", "blocks"]


def test_broken_studies_and_rubrics_block(kit, make_study, tmp_path):
    """An unknown key, replies that are not there, and a rubric without its anchors."""
    small = make_study()
    (small.base / "replies.jsonl").unlink()
    assert kit.command("doctor", small.base).code == 1
    small.change("colour", 1)
    said = kit.command("doctor", small.base)
    assert said.code == 1
    assert "colour" in said.out
    rubric = tmp_path / "r.yaml"
    rubric.write_text("id: r\nversion: 1\ncriteria: []\n", encoding="utf-8")
    assert kit.command("doctor", rubric).code == 1
    assert kit.command("doctor", tmp_path / "none.csv").code == 2


def test_an_endpoint_is_asked_once_and_told_beforehand(kit):
    """One request; a judge whose answer cannot be read blocks."""
    said = kit.command("doctor", "--endpoint", "--judge", "lexicon", "--json")
    assert said.code == 0
    assert "one request to judgekit:lexicon" in said.err
    assert any("answer can be read" in c["what"] for c in said.json["endpoint"])
    said = kit.command("doctor", "--endpoint", "--judge", "command:echo nothing", "--json")
    assert said.code == 1
    assert "cannot be read" in said.json["endpoint"][-1]["what"]
    assert kit.command("doctor", "--endpoint").code == 2


def test_what_is_next_stands_below_the_stops_and_follows_them(make_study, kit):
    """A judge that does not answer comes before the command that the study alone would be ready for."""
    small = make_study(rows=kit.reply_rows(templates=1), judge={"spec": "command:echo nothing"})
    assert "judgekit run" in kit.command("doctor", small.base).out.splitlines()[-1]
    said = kit.command("doctor", small.base, "--endpoint")
    assert said.code == 1
    assert "STOP" in said.out
    assert said.out.splitlines()[-1] == "Next: mend what blocks, then give the same command again"
    assert kit.command("doctor", small.base, "--endpoint", "--json").json["places"][0]["next"].startswith("mend")
    assert kit.command("doctor", "--judge", "lexicon").code == 2


def test_another_owner_of_the_module_is_named():
    """The namesakes on the index; our own name in any spelling is ours."""
    assert [c.status for c in check_owners(["judgekit-calibration"])] == ["fine"]
    assert [c.status for c in check_owners([])] == ["note"]
    (found,) = check_owners(["judgekit_calibration", "judgekit"])
    assert found.status == "warn"
    assert found.what.startswith("judgekit installs")
    assert "pip uninstall judgekit" in found.remedy


def test_terminals_that_cannot_show_the_screen():
    """No terminal and TERM=dumb: labelling goes by lines."""
    assert [c.status for c in check_terminal({"TERM": "dumb"}, tty=True)] == ["note"]
    assert [c.status for c in check_terminal({}, tty=False)] == ["note"]
    assert "xterm" in next(iter(check_terminal({"TERM": "xterm"}, tty=True))).what
