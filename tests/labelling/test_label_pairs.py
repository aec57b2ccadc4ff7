"""Point 9: comparisons of two replies, from the draw to the agreement of people."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from judgekit.files.labels import key_path, read_events, write_key, write_sample
from judgekit.labelling.opening import criteria_asked, make_sample, plan_steps, rubrics_of
from judgekit.labelling.pairs import CHOICES, choice_for, comparisons, pair_criterion, pair_hash
from judgekit.labelling.sampling import draw_sample
from judgekit.records import PairItem
from judgekit.rubric import load_rubric


@pytest.fixture
def make_pairs_file(tmp_path, build):
    """A sample of comparisons."""

    def make(n=20, *, rubrics=("warmth",), **options):
        replies = [build.Blinded(f"r{k}", f"reply number {k}", "Where is it?") for k in range(2 * n)]
        pairs = [PairItem(pair_id=f"p{k}", a_item=f"r{2 * k}", b_item=f"r{2 * k + 1}") for k in range(n)]
        usable, left_out = comparisons(pairs, replies)
        assert not left_out
        draw = draw_sample(usable, None, n=n, annotators=("ana", "karim"), seed=3, **options)
        path = tmp_path / "pairs.jsonl"
        write_key(key_path(path), draw.keys)
        write_sample(path, make_sample(draw, [load_rubric(r) for r in rubrics], pairs=True))
        return path

    return make


def test_which_pairs_can_be_compared(build):
    """Pairs with a withheld reply, the same text twice or another context are left out and counted."""
    rows = [
        build.Blinded("a", "x", "q"),
        build.Blinded("b", "y", "q"),
        build.Blinded("c", "x", "q"),
        build.Blinded("d", "z", "?"),
    ]
    pairs = [PairItem(pair_id=f"{a}{b}", a_item=a, b_item=b) for a, b in ("ab", "ac", "ad", "ae", "bc")]
    usable, left_out = comparisons(pairs, rows)
    assert [c.item for c in usable] == ["ab", "bc"]
    assert left_out == {"same_text": 1, "other_context": 1, "withheld": 1}
    assert usable[0].text_hash == pair_hash(rows[0].text_hash, rows[1].text_hash)
    assert usable[0].text_hash != pair_hash(rows[1].text_hash, rows[0].text_hash)


def test_the_hash_is_the_one_judgments_carry(build):
    """Labels and judgments of a pair meet on the same hash."""
    from judgekit.records import text_hash

    a, b = build.Blinded("a", "x"), build.Blinded("b", "y")
    assert pair_hash(a.text_hash, b.text_hash) == text_hash(b.text_hash, a.text_hash)


def test_point_09_answers_name_the_reply_whatever_the_side(make_pairs_file, judgekit):
    """Always the left one: a and b in about equal parts; side and answer are stored; the next rater sees other sides."""
    path = make_pairs_file(40, repeats=0.0)
    sides = {}
    for name in ("ana", "karim"):
        done = judgekit("label", path, "--as", name, "--plain", lines=["1"] * 40)
        assert "stored: left" in done.stdout, done.stderr
        events = read_events(path.parent / "labels" / f"{name}.jsonl")
        assert all(event.value == event.shown_first for event in events)
        assert {event.value for event in events} == {"a", "b"}
        sides[name] = {event.task_id: event.shown_first for event in events}
    assert sides["ana"] != sides["karim"]


def test_point_09_tie_is_allowed_and_stored(make_pairs_file, judgekit):
    """3 and t both store a tie, not a number and not a side."""
    path = make_pairs_file(4, repeats=0.0)
    judgekit("label", path, "--as", "ana", "--plain", lines=["3", "t", "2", "q"])
    values = [event.value for event in read_events(path.parent / "labels" / "ana.jsonl")]
    assert values[:2] == ["tie", "tie"]
    assert values[2] in {"a", "b"}


def test_point_09_repeats_swap_sides_and_self_agreement_is_canonical(make_pairs_file, judgekit):
    """Always the left one is no agreement with oneself: repeats stand on the other side."""
    path = make_pairs_file(60)
    done = judgekit("label", path, "--as", "ana", "--plain", lines=["1"] * 70)
    assert "warmth: 0 of 10 the same" in done.stdout


def test_the_sides_are_the_same_after_a_restart(make_pairs_file):
    """Steps planned twice are equal, sides included."""
    from judgekit.files.labels import read_sample

    path = make_pairs_file(20)
    opened = read_sample(path)
    rubrics = rubrics_of(opened, path)
    one, two = (plan_steps(opened, "ana", rubrics, path) for _ in range(2))
    assert one == two
    assert {step.shown_first for step in one} == {"a", "b"}


def test_nominal_criteria_are_not_compared(make_pairs_file):
    """Only criteria with an order are asked of pairs."""
    from judgekit.files.labels import read_sample

    path = make_pairs_file(4, rubrics=("checklist", "tone"), repeats=0.0)
    opened = read_sample(path)
    asked = criteria_asked(opened, rubrics_of(opened, path))
    assert [c.dimension for _, c in asked] == ["formality", "condescension", "suspicion"]
    assert all(c.levels == CHOICES for _, c in asked)


def test_a_changed_reply_of_a_pair_is_refused(make_pairs_file, judgekit):
    """Either text of a pair is covered by its hash."""
    path = make_pairs_file(4, repeats=0.0)
    text = path.read_text()
    path.write_text(text.replace('"text_b": "reply number 3"', '"text_b": "reply number three"'))
    assert path.read_text() != text
    assert judgekit("label", path, "--as", "ana", "--plain").returncode == 2


def test_keys_of_a_pair(build):
    """Arrows, t and digits mean sides; the question says that it is a comparison."""
    assert [choice_for(key, "a") for key in ("left", "right", "tie", "1", "2", "3")] == [
        "a",
        "b",
        "tie",
        "a",
        "b",
        "tie",
    ]
    assert choice_for("4", "a") is None
    made = pair_criterion(build.ordinal())
    assert made.question["en"].startswith("Which reply stands higher on this scale?")
    assert made.question["es"].startswith("¿Qué respuesta está más arriba en esta escala?")
    assert replace(made, levels=CHOICES) == made


def test_sample_pairs_from_the_command_line(judgekit, tmp_path):
    """`judgekit sample --pairs` writes comparisons and counts the pairs it left out."""
    rows = [
        {"id": f"r{k}", "blinded": f"Thank you for writing, we will look at order matter {k} today.", "lang": "en"}
        for k in range(9)
    ]
    (tmp_path / "b.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "pairs.csv").write_text(
        "pair_id,a_item,b_item,template_id\n" + "".join(f"p{k},r{k},r{k + 1},t\n" for k in range(9))
    )
    done = judgekit(
        "sample", tmp_path / "b.jsonl", "-o", tmp_path / "s.jsonl", "--n", "6", "--rubric", "warmth", "--annotators", "ana",
        "--pairs", tmp_path / "pairs.csv", "--json", "--no-design",
    )  # fmt: skip
    document = json.loads(done.stdout)
    assert document["n"] == 6
    assert document["withheld"] == {"pairs, withheld": 1}
    assert '"text_b": "Thank you' in (tmp_path / "s.jsonl").read_text()
