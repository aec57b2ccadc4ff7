"""Promise 1: a judge only ever receives blinded replies, or filled texts whose judgments never become scores.

A ``command:`` judge records everything it receives: standard input, arguments, environment and folder.
"""

import json
import sys

import pytest
import regex

from judgekit.errors import BadInput, NotTheMaker
from judgekit.records import BASE, BlindedReply, FilledText

RECORDER = """
import json, os, sys, uuid
said = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
seen = {"stdin": said, "argv": sys.argv, "env": dict(os.environ), "cwd": os.getcwd()}
open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "seen", uuid.uuid4().hex), "w").write(json.dumps(seen))
words = set("".join(c if c.isalpha() else " " for c in said.split("Reply")[-1].casefold()).split())
print(json.dumps({"score": 1 + len(words & {"thanks", "sorry", "glad", "hope"}), "reason": "counted"}))
"""

PRONOUNS = r"(?i)\b(?:she|her|hers|herself|he|him|his|himself|mr|ms|mrs|mx|madam|sir|ma'am)\b"


@pytest.fixture
def recorder(tmp_path):
    """A judge program; ``recorder.spec`` names it and ``recorder()`` gives what it has received, then forgets it."""

    class Recorder:
        folder = tmp_path / "recorder"
        spec = f"command:{sys.executable} {folder / 'judge.py'}"

        def __call__(self):
            files = sorted((self.folder / "seen").iterdir())
            found = [json.loads(p.read_text(encoding="utf-8")) for p in files]
            for path in files:
                path.unlink()
            return found

    (tmp_path / "recorder" / "seen").mkdir(parents=True)
    (tmp_path / "recorder" / "judge.py").write_text(RECORDER, encoding="utf-8")
    return Recorder()


@pytest.fixture
def rows(kit):
    """Few replies, each with the person's pronouns, title and other cues in text and context."""
    pronouns = {"women": ("She", "her", "Ms."), "men": ("He", "his", "Mr.")}
    rows = kit.reply_rows(templates=4, replicates=1, names=2)
    for row in rows:
        subject, possessive, title = pronouns[row["group"]]
        family = row["name"].split()[1]
        row["text"] += f" {title} {family} asked twice. {subject} has {possessive} answer now."
        row["context"] = f"My name is {row['name']}. Where is my order?"
        row["id"] = f"id-{row['id']}-{row['group']}"
    return rows


def secrets_of(rows):
    """What must never reach a judge: names, ids, templates, groups."""
    found = set()
    for row in rows:
        found |= {row["id"], row["template_id"], row["name"], *row["name"].split(), row["group"]}
    return found - {"men"}  # a part of other words; looked for as a word below


def assert_blind(seen, rows, *folders):
    """Nothing of the design, no pronoun and no title in what a judge received."""
    assert seen
    # The rubric's own words are the same for everybody and hold no name.
    for one in seen:
        for where in ("stdin", "argv"):
            text = one[where] if isinstance(one[where], str) else " ".join(one[where][1:])
            for secret in secrets_of(rows):
                assert secret not in text, (where, secret)
        fences = one["stdin"]
        assert not regex.search(PRONOUNS, fences), regex.search(PRONOUNS, fences)
        assert not regex.search(r"\b(?:women|men)\b", fences)
        for folder in folders:
            assert str(folder) not in fences
            assert folder.name not in fences
        environment = " ".join(one["env"].values())
        for secret in secrets_of(rows) - {"women"}:
            assert secret not in environment


def test_over_judge_nothing_of_the_design_reaches_it(rows, recorder, tmp_path, kit):
    """`judgekit judge` on blinded texts: no name, pronoun, id, group, template or file name in stdin or arguments."""
    replies = tmp_path / "support-women-men.jsonl"
    replies.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    out = tmp_path / "blinded-support.jsonl"
    assert kit.command("blind", replies, "-o", out, "--lang", "en").code == 0
    said = kit.command(
        "judge", out, "--rubric", "warmth", "--judge", recorder.spec, "-o", tmp_path / "judgments.jsonl", "--json"
    )
    assert said.code == 0, said.err
    assert {g: c["scored"] for g, c in said.json["counts"]["warmth"].items()} == {"men": 8, "women": 8}
    assert_blind(recorder(), rows, replies, out)


def test_over_run_only_the_swap_test_shows_names(make_study, rows, recorder):
    """`judgekit run`: each text is asked for once blinded; what has a name in it belongs to the swap test alone."""
    small = make_study("quality-desk", rows=rows, judge={"spec": recorder.spec}, swap_test={"texts": 4, "margin": 0.25})
    small.run()
    seen = recorder()
    people = [p for value in small.settings["groups"]["values"].values() for p in value["names"]]
    parts = {w for person in people for w in person.split()}
    filled = [s for s in seen if any(part in s["stdin"] for part in parts)]
    blinded = [s for s in seen if s not in filled]
    assert filled
    assert len(blinded) >= 16
    assert_blind(blinded, rows, small.base)
    for one in filled:
        assert not any(row["id"] in one["stdin"] or row["template_id"] in one["stdin"] for row in rows)


def test_over_swaptest_the_filled_names_reach_it_and_its_scores_reach_no_gap(make_study, rows, recorder):
    """`judgekit swaptest`: filled names are seen; with a judge that punishes them, gaps stay those of blinded text."""
    small = make_study(rows=rows, judge={"spec": recorder.spec}, swap_test={"texts": 4, "margin": 0.25})
    from judgekit.pipeline import swap_test_study

    judged = swap_test_study(small.study)
    seen = recorder()
    given = {p.split()[0] for v in small.settings["groups"]["values"].values() for p in v["names"]}
    families = {p.split()[1] for v in small.settings["groups"]["values"].values() for p in v["names"]}
    filled = [s for s in seen if any(w in s["stdin"] for w in given | families)]
    assert len(filled) >= 8
    # Beside them the same texts are asked for as they are blinded.
    assert_blind([s for s in seen if s not in filled], rows, small.base)
    assert {w for w in given if any(w in s["stdin"] for s in seen)}
    assert {j.task.arm.kind for j in judged.judgments} <= {"base"}
    outcome = small.run()
    rows_written = [json.loads(line) for line in (outcome.run_dir / "judgments.jsonl").read_text().splitlines()[1:]]
    assert len(rows_written) == 16
    assert {r["item"] for r in rows_written} == {r["id"] for r in rows}


def test_judgments_of_filled_texts_never_become_scores(make_study, kit):
    """A judge that takes two points from every filled woman's name: the evidence holds base judgments alone."""
    from judgekit.records import scores_of

    reacting = "stub:name=Anna:-2+Maria:-2+Priya:-2+Lena:-2"
    small = make_study(rows=kit.reply_rows(replicates=1), judge={"spec": reacting})
    plain = make_study("plain", rows=kit.reply_rows(replicates=1), judge={"spec": "stub:seed=1"})
    for study in (small, plain):
        study.change("swap_test.when_failed", "require_blinding")
    with_names, without = small.calibrated().findings, plain.calibrated().findings
    assert with_names.swap[0].verdict == "failed"
    gaps = [next(g for g in f.gaps if g.metric == "warmth") for f in (with_names, without)]
    assert gaps[0].raw.value == gaps[1].raw.value
    assert gaps[0].corrected.value == gaps[1].corrected.value
    from judgekit.files.ledger import Ledger

    with Ledger.open(small.space.ledger, read_only=True) as ledger:
        arms = {row[0] for row in ledger._connection.execute("SELECT DISTINCT arm FROM tasks")}
    assert len(arms) > 1
    assert BASE.key in arms
    assert scores_of([], "warmth") == {}


def test_only_verify_makes_a_blinded_reply_and_only_fill_a_filled_text():
    """The records cannot be made by hand."""
    for maker in (None, object()):
        with pytest.raises(NotTheMaker):
            BlindedReply(item="i", text="t", context=None, text_hash="h", lang="en", blinding_version="1", maker=maker)
        with pytest.raises(NotTheMaker):
            FilledText(item="i", arm=BASE, text="t", context=None, text_hash="h", lang="en", maker=maker)


def test_a_judge_takes_nothing_but_verified_replies(tmp_path):
    """Something that only looks like a blinded reply is refused before anything is written."""
    from judgekit.files.ledger import Ledger
    from judgekit.judging.handle import make_judge
    from judgekit.judging.judge import judge_replies
    from judgekit.records import Reply
    from judgekit.rubric import load_rubric

    with Ledger.open(tmp_path / "l.sqlite") as ledger, pytest.raises(BadInput, match="only verified replies"):
        judge_replies(
            [Reply(id="a", text="Dear Anna")], [load_rubric("warmth")], make_judge("lexicon"), ledger, secret=b"s"
        )


def test_a_status_field_is_believed_nowhere(rows, recorder, tmp_path, kit):
    """A text that says ``verified`` but carries a name is withheld again by `judge`, and never sent."""
    replies = tmp_path / "r.jsonl"
    replies.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    out = tmp_path / "b.jsonl"
    kit.command("blind", replies, "-o", out, "--lang", "en")
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    lines[0]["blinded"] += f" Yours, {rows[0]['name']}."
    out.write_text("".join(json.dumps(r) + "\n" for r in lines), encoding="utf-8")
    said = kit.command(
        "judge", out, "--rubric", "warmth", "--judge", recorder.spec, "-o", tmp_path / "j.jsonl", "--json"
    )
    assert said.json["counts"]["warmth"]["women"] == {"in": 8, "scored": 7, "withheld": 1}
    assert not any(rows[0]["name"] in s["stdin"] for s in recorder())
